"""Messages on their way: once each, in order, changed rather than repeated, whatever the other side does."""

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, update

from engine import GAMES
from pbem.discord import wire
from pbem.discord.notify import Webhooks
from pbem.service import announcing, bulletins, channels, chatting, pauses, substitutes, tables, watch
from pbem.service.bounces import bounced, showed_up
from pbem.service.health import complaints
from pbem.service.office import NotOurs
from pbem.store.database import Database
from pbem.store.models import DecisionRow, LetterOut
from pbem.store.models_channels import Allowance, Bulletin, Channel
from tests.archive.bots import play_on
from tests.discord.fake import SECRET, Fake
from tests.discord.town import Town, town
from tests.service.canary import found_in
from tests.service.hall import build, seated


@pytest.fixture
def at(state_dir: Path, fake: Fake) -> Town:
    """A table of three that is under way, linked to a channel which knows already."""
    found = town(state_dir, fake)
    found.link()
    return found


def due(at: Town, hours: int = 48) -> None:
    """Give whatever is asked now a deadline."""
    with at.hall.play.db.writing() as session:
        session.execute(
            update(DecisionRow).where(DecisionRow.blocking).values(due_at=at.hall.post.now() + hours * 3_600_000)
        )


def step(at: Town) -> None:
    """Let the game go on by one entry; a phase opens."""
    play_on(at.hall, at.game, at.hall.game(at.game).entry + 1)


def titles(at: Town) -> list[str]:
    """The headings of the messages that lie in the channel now."""
    return [(m["embeds"][0]["title"] if m.get("embeds") else m["content"]) for m in at.fake.messages.values()]


# --- one message for what matters


def test_nothing_is_told_twice(at: Town) -> None:
    """Looking again and again at a game that stands still sends nothing."""
    sent = len(at.fake.taken)
    at.announce(5)
    assert len(at.fake.taken) == sent == 1


def test_a_phase_is_one_message_that_changes(at: Town) -> None:
    """A phase opens with a message; answers that come in change it, and its end finishes it, without another call."""
    at.account("p2@games.test", "700000000000002")
    while not any(row.kind == "phase" for row in at.bulletins()):
        step(at)
        at.announce(seconds=20)
    made, phase = len(at.fake.new()), [row for row in at.bulletins() if row.kind == "phase"][-1]
    assert "p3" in at.fake.messages[phase.remote]["embeds"][0]["fields"][0]["value"]
    seat = next(row for row in at.hall.rows(DecisionRow) if row.seat == "s3" and row.blocking)
    with at.hall.play.db.writing() as session:
        session.execute(update(DecisionRow).where(DecisionRow.id == seat.id).values(answered_at=at.hall.post.now()))
    at.announce(seconds=1)
    at.announce(seconds=20)
    assert len(at.fake.new()) == made
    assert "p3" not in at.fake.messages[phase.remote]["embeds"][0]["fields"][0]["value"]


def test_an_outage_is_caught_up_with_in_one_message(at: Town) -> None:
    """What happened while the other side was down is told at once, by the newest message, from where the last ended."""
    at.fake.trouble = ["503"] * 50
    while at.hall.game(at.game).entry < 6:
        step(at)
        at.announce(seconds=20)
    first = at.bulletins()[0].entry
    at.fake.trouble = []
    before = len(at.fake.new())
    at.announce(4, minutes=70)
    assert len(at.fake.new()) == before + 1
    last = at.bulletins()[-1]
    assert (last.state, last.since, last.kind) == ("done", first, "phase")
    assert at.channel().failures == 0


def test_a_deadline_that_moves_or_comes_near_is_told_once(at: Town) -> None:
    """Moved, and near: one short message each, to those who owe; again only if it moves again."""
    at.account("p2@games.test", "700000000000002")
    due(at)
    at.announce(2)
    due(at, 72)
    at.announce(3)
    moved = [body for body in at.fake.new() if "has moved" in str(body["content"])]
    assert len(moved) == 1
    assert moved[0]["allowed_mentions"]["users"] == ["700000000000002"]
    assert moved[0]["content"].count("<t:") == 6
    at.announce(3, hours=18)
    near = [body for body in at.fake.new() if "still missing" in str(body["content"])]
    assert len(near) == 1


def test_a_pause_and_its_end_are_told(at: Town) -> None:
    """A table that pauses says so in its channel, once, and that it goes on."""
    for number in (1, 2, 3):
        pauses.ask(at.hall.web, at.user(f"p{number}@games.test"), at.game, "pause")
    at.announce(3)
    for number in (1, 2, 3):
        pauses.ask(at.hall.web, at.user(f"p{number}@games.test"), at.game, "resume")
    watch.look(at.hall.post)
    at.announce(3)
    said = [str(body["content"]) for body in at.fake.new()]
    assert [("paused" in text, "pause is over" in text) for text in said if "paus" in text] == [
        (True, False),
        (False, True),
    ]


def test_a_seat_that_changes_hands_is_told(at: Town) -> None:
    """A seat that looks for a player, and who takes it: by name, calling on nobody."""
    substitutes.resign_signed_in(at.hall.web, at.user("p3@games.test"), at.game)
    at.announce(2)
    substitutes.take_over(at.hall.web, at.user("p9@games.test"), at.game, "s3")
    at.announce(2)
    said = [str(body["content"]) for body in at.fake.new()]
    assert sum("looks for another player" in text for text in said) == 1
    assert sum("is played by" in text for text in said) == 1
    assert not [body for body in at.fake.new() if body["allowed_mentions"]["users"]]


def test_a_table_that_begins_later_is_told_of_from_its_beginning(state_dir: Path, fake: Fake) -> None:
    """A channel linked before the game begins hears of the beginning, and calls on those who are asked first."""
    at = town(state_dir, fake, stop=True)
    at.account("p3@games.test", "700000000000003")
    at.link(language="fr")
    for address, facts in list(at.hall.sent):
        if address.kind == "invitation":
            tables.join(at.hall.web, facts.frame.links.act.rpartition("/")[2], words="luck")
    at.hall.settle()
    at.announce(2)
    assert [row.kind for row in at.bulletins()] == ["hello", "started"]
    assert fake.new()[1]["content"] == "<@700000000000003>"
    assert "la partie commence" in fake.new()[1]["embeds"][0]["title"]


# --- letters that do not arrive


def test_whose_letters_come_back_is_called_on_in_the_channel(at: Town) -> None:
    """If letters to somebody fail before a deadline he is called on where his table writes, once and with nothing
    private; and the next letter that reaches him says why.
    """
    at.account("p2@games.test", "700000000000002")
    due(at)
    at.announce(2)
    with at.hall.post.db.writing() as session:
        bounced(session, at.game, at.user("p2@games.test"), at.hall.post.now())
    at.announce(3)
    said = [body for body in at.fake.new() if "do not arrive" in str(body["content"])]
    assert len(said) == 1
    assert said[0]["allowed_mentions"]["users"] == ["700000000000002"]
    assert at.hall.of("bounced") == []
    with at.hall.post.db.writing() as session:
        showed_up(session, at.user("p2@games.test"), at.hall.post.now())
    at.announce(2)
    at.hall.work("deliver", "")
    told = at.hall.of("bounced")
    assert [(facts.via, facts.frame.reader.name) for facts in told] == [("discord", "p2")]


def test_a_letter_that_no_relay_takes_counts_as_one_that_does_not_arrive(at: Town) -> None:
    """A letter that has lain here for an hour before a deadline: the channel is the next way, by name if need be."""
    due(at)
    with at.hall.post.db.writing() as session:
        session.execute(
            update(LetterOut).where(LetterOut.seat == "s2").values(state="wire", made_at=at.hall.post.now())
        )
    at.announce(2)
    assert not [body for body in at.fake.new() if "do not arrive" in str(body["content"])]
    at.announce(2, minutes=61)
    assert len([body for body in at.fake.new() if "Letters to p2 do not arrive" in str(body["content"])]) == 1


# --- limits of the other side


def test_a_bucket_that_is_spent_is_left_alone_until_it_is_full_again(at: Town) -> None:
    """Once Discord says that nothing is left, nothing is sent before it says that there is; so no 429 is earned."""
    at.hall.pass_time(seconds=10)
    at.fake.limit, at.fake.window = 2, 600.0
    for _ in range(5):
        step(at)
        at.announce(seconds=20)
    assert at.bulletins("wanted")
    assert [one.status for one in at.fake.taken if one.status == 429] == []
    made = len(at.fake.new())
    at.announce(1, seconds=620)
    assert len(at.fake.new()) == made + 1


@pytest.mark.parametrize(("trouble", "seconds"), [("user", 1), ("global", 30), ("edge", 120)])
def test_a_429_is_waited_out(at: Town, trouble: str, seconds: int) -> None:
    """For as long as it bids, and no message is lost or sent twice; a 429 is no failure of the channel."""
    step(at)
    at.fake.trouble = [trouble] * 2
    at.announce(1, seconds=1)
    tried = len(at.fake.taken)
    at.announce(1, seconds=0.4 if seconds == 1 else seconds - 2)
    assert len(at.fake.taken) <= tried + (seconds == 1)
    at.fake.trouble = []
    at.announce(3, seconds=seconds + 1)
    assert at.bulletins()[-1].state == "done"
    assert len(at.fake.messages) == 2
    assert at.channel().failures == 0


def test_a_global_limit_holds_other_tables_as_well(at: Town) -> None:
    """What Discord says of all that comes from us holds every channel there, and no channel elsewhere."""
    at.link()
    channels.add(
        at.hall.web, at.host, at.game, "plain", "en", at.fake.address("plain").replace("127.0.0.1", "127.0.0.2")
    )
    at.announce()
    step(at)
    at.fake.trouble = ["edge"]
    at.announce(1, seconds=1)
    hosts = {row.place for row in at.hall.rows(Allowance) if row.route == ""}
    assert hosts == {"127.0.0.1"}
    before = len(at.fake.taken)
    at.announce(2, seconds=30)
    assert len(at.fake.taken) == before
    at.announce(2, seconds=60)
    assert len(at.fake.messages) == 4


# --- failures


def test_failures_are_tried_again_each_time_later(at: Town) -> None:
    """A server error is no end: the next try comes later each time, and the owner sees how it stands."""
    step(at)
    at.fake.trouble = ["500"] * 40
    gaps, last = [], at.hall.post.now()
    for _ in range(60):
        before = len(at.fake.taken)
        at.announce(1, seconds=10)
        if len(at.fake.taken) > before:
            gaps.append(at.hall.post.now() - last)
            last = at.hall.post.now()
    assert 4 < len(gaps) < 12
    assert gaps[-1] > 4 * max(gaps[0], 10_000)
    shown = channels.listed(at.hall.web, at.game)[0]
    assert (shown.state, shown.error, shown.waiting) == ("on", "500 0", 1)
    assert shown.failures == len(gaps)


def test_a_channel_that_is_silent_for_days_is_switched_off(at: Town) -> None:
    """After five days without an answer nobody asks it any more, and its owner gets a letter; not after one failure,
    however long there was nothing to say before.
    """
    at.hall.pass_time(days=20)
    step(at)
    at.fake.trouble = ["500"]
    at.announce(1)
    assert at.channel().state == "on"
    at.fake.trouble = ["500"] * 1000
    at.announce(140, hours=1)
    assert at.channel().state == "unreachable"
    at.hall.work("deliver", "")
    assert [facts.terms["why"] for facts in at.hall.of("notice") if facts.kind == "channel_off"] == ["unreachable"]


@pytest.mark.parametrize(("trouble", "state"), [("gone", "gone"), ("401", "refused"), ("403", "refused")])
def test_a_webhook_that_is_gone_is_not_asked_again(at: Town, trouble: str, state: str) -> None:
    """After a 404, or where we are not let in, the channel is off, its owner is told by one letter, and it is quiet."""
    at.fake.gone, at.fake.trouble = trouble == "gone", [trouble] * (trouble != "gone")
    step(at)
    at.announce(1)
    asked = len(at.fake.taken)
    step(at)
    at.announce(5, minutes=30)
    assert (at.channel().state, len(at.fake.taken)) == (state, asked)
    at.hall.work("deliver", "")
    letters = [(a, f) for a, f in at.hall.sent if a.kind == "notice" and f.kind == "channel_off"]
    assert [(a.to_address, f.terms["why"]) for a, f in letters] == [("p1@games.test", state)]
    assert SECRET not in str(letters)
    at.fake.gone = False
    channels.switch(at.hall.web, at.host, at.game, at.channel().id, on=True)
    at.announce()
    assert at.channel().state == "on"
    assert len(at.fake.messages) == 2


def test_a_message_that_somebody_deleted_stays_deleted(at: Town) -> None:
    """A message that is gone from the channel is not made again, and the next one comes as ever."""
    step(at)
    at.fake.messages.clear()
    at.announce(2, seconds=20)
    assert at.channel().state == "on"
    assert [row.state for row in at.bulletins()] == ["done", "done"]
    assert len(at.fake.messages) == 1


def test_a_message_that_will_never_be_taken_does_not_stop_the_next(at: Town) -> None:
    """A refusal of one message is noted and left at that."""
    step(at)
    at.fake.trouble = ["200", "400"]
    at.announce(1)
    step(at)
    at.announce(2, seconds=20)
    assert "failed" in [row.state for row in at.bulletins()]
    assert at.bulletins()[-1].state == "done"


# --- not known whether it arrived


def test_no_answer_makes_no_second_message(at: Town) -> None:
    """A message was taken and the answer got lost: the newest one known is made to say it; nobody is called twice."""
    at.account("p2@games.test", "700000000000002")
    step(at)
    at.fake.trouble = ["200", "swallow"]
    at.announce(1)
    assert at.bulletins()[-1].state == "trying"
    at.announce(3, minutes=1)
    assert at.bulletins()[-1].state == "done"
    calls = [one for one in at.fake.taken if one.method == "POST" and one.body["content"]]
    assert len(calls) == 1
    changed = at.fake.messages[at.channel().anchor]
    assert "Orders are asked for" in changed["embeds"][0]["description"]


def test_an_other_side_that_never_answers_does_not_hold_us(at: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that stays silent is cut after a time, and counts as one that may have taken the message."""
    monkeypatch.setattr(wire, "SECONDS", 0.3)
    step(at)
    at.fake.trouble = ["200", "hang"]
    at.announce(1)
    assert (at.bulletins()[-1].state, at.bulletins()[-1].error) == ("trying", "no answer")


def test_a_program_gets_an_unsure_message_again_under_its_number(state_dir: Path, fake: Fake) -> None:
    """Plain JSON has a number that makes the second the same as the first; Slack's form has none: no second."""
    at = town(state_dir, fake)
    at.link("plain")
    at.link("slack")
    step(at)
    fake.trouble = ["200", "swallow", "swallow"]
    at.announce(1)
    fake.trouble = []
    at.announce(3, minutes=1)
    numbers = [one.body["id"] for one in fake.taken if isinstance(one.body, dict) and one.body.get("kind") == "phase"]
    assert len(numbers) == 2
    assert len(set(numbers)) == 1
    slack = [
        one
        for one in fake.taken
        if "text" in one.body and "Orders are asked for" in one.body["text"] and "id" not in one.body
    ]
    assert len(slack) == 1


def killed_at(at: Town, point: str) -> None:
    """Another process announces, and is killed with -9 when it passes a point."""

    def die(name: str) -> None:
        if name == point:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        post = replace(at.hall.post, db=Database(str(at.hall.post.db.url)), point=die)
        announcing.announce(post)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.parametrize("point", ["claimed", "trying", "sent", "marked"])
def test_kill_9_repeats_at_most_as_a_change(state_dir: Path, fake: Fake, point: str) -> None:
    """A worker killed anywhere on a message's way: the message is in the channel, nobody was called on twice, and no
    second message was made; at most an earlier one says the same now.
    """
    at = town(state_dir, fake)
    at.account("p2@games.test", "700000000000002")
    at.link()
    step(at)
    bulletins.look(at.hall.post)
    with at.hall.post.db.writing() as session:  # the change of the message before would pass the point first
        session.execute(update(Bulletin).where(Bulletin.state == "edit").values(state="done"))
    at.hall.pass_time(seconds=1)
    killed_at(at, f"announce.{point}")
    at.announce(2, seconds=20)
    at.announce(2, minutes=3)
    calls = [one for one in fake.taken if one.method == "POST" and "700000000000002" in one.body["content"]]
    shown = [m for m in fake.messages.values() if "Orders are asked for" in m["embeds"][0]["description"]]
    assert at.bulletins()[-1].state == "done"
    assert len(calls) <= 1
    assert len(shown) == (2 if point == "sent" else 1)
    assert len(calls) == (0 if point == "trying" else 1)


def test_two_workers_send_nothing_twice(at: Town) -> None:
    """A channel that one worker holds is left alone by another."""
    step(at)
    inside: list[int] = []

    def another(name: str) -> None:
        if name == "announce.trying" and not inside:
            inside.append(1)
            inside.append(announcing.announce(replace(at.hall.post, point=lambda name: None)))

    at.restarted(point=another)
    at.announce(1)
    assert inside == [1, 0]
    assert len(at.fake.messages) == 2


# --- secrets


def test_the_address_lies_nowhere_in_the_clear(at: Town, state_dir: Path) -> None:
    """Whoever has the database reads no address of a webhook, in any coding; only post opens it."""
    step(at)
    at.announce()
    at.hall.post.db.engine.dispose()
    files = [path.read_bytes() for path in state_dir.rglob("*") if path.is_file()]
    assert [found for blob in files if (found := found_in(blob, [SECRET], deep=False))] == []
    assert channels.address_of(at.hall.post, at.channel()) == at.fake.hook
    for office in (at.hall.web, at.hall.play, at.hall.door):
        with pytest.raises(NotOurs, match="post worker"):
            channels.address_of(office, at.channel())


def test_a_sealed_address_moved_to_another_channel_does_not_open(at: Town) -> None:
    """An address is bound to its channel: whoever can write the database sends no messages elsewhere by moving it."""
    other = at.link("plain")
    rows: dict[str, Channel] = {row.id: row for row in at.hall.rows(Channel)}
    one = next(row for number, row in rows.items() if number != other)
    with at.hall.post.db.writing() as session:
        session.get_one(Channel, other).address_sealed = one.address_sealed
    step(at)
    before = [t.path for t in at.fake.taken if t.path.startswith("/in")]
    at.announce(6, minutes=70)
    assert [t.path for t in at.fake.taken if t.path.startswith("/in")] == before
    assert {row.error for row in at.bulletins() if row.channel_id == other and row.state == "failed"} == {"Tampered"}


def test_letters_do_not_wait_for_a_slow_channel(at: Town) -> None:
    """The worker that sends letters tells channels beside its work, one round at a time."""
    step(at)
    go, inside, rounds = threading.Event(), threading.Event(), list[str]()

    def slow(name: str) -> None:
        if name == "announce.claimed":
            rounds.append(name)
            inside.set()
            go.wait(20)

    at.restarted(point=slow)
    at.hall.pass_time(seconds=20)
    announcing.announce_aside(at.hall.post)
    assert inside.wait(20)
    announcing.announce_aside(at.hall.post)
    assert rounds == ["announce.claimed"]
    go.set()
    while any(thread.name == "announce" for thread in threading.enumerate()):
        time.sleep(0.01)
    assert len(at.fake.messages) == 2


# --- at large


def test_a_look_at_games_that_stand_still_writes_nothing_and_asks_little(at: Town) -> None:
    """However many tables have channels, a look costs the same few statements, and no transaction that writes."""
    for _ in range(3):
        channels.add(at.hall.web, at.host, at.game, "plain", "en", at.fake.address("plain"))
    at.announce(2)
    asked: list[str] = []
    engine = at.hall.post.db.engine
    listen = event.listens_for(engine, "before_cursor_execute")
    listen(lambda connection, cursor, statement, *_: asked.append(statement))
    assert bulletins.look(at.hall.post) == 0
    assert 0 < len(asked) <= 10
    assert not [statement for statement in asked if statement.split()[0] in ("UPDATE", "INSERT", "DELETE")]
    assert [statement for statement in asked if "IMMEDIATE" in statement] == []


def test_channels_are_told_from_postgresql_as_well(
    state_dir: Path, fake: Fake, fresh_postgres_url: str
) -> None:  # fmt: skip
    """The same messages come from either database, made by its migrations."""
    hall = build(state_dir, fresh_postgres_url, titles=GAMES)
    hall.post = replace(hall.post, outlet=Webhooks(hall.post.public_url, hall.post.clock, loopback=True))
    hall.web = replace(hall.web, outlet=hall.post.outlet)
    fake.clock = lambda: hall.moment.timestamp()
    at = Town(hall, fake, seated(hall, "age_of_renaissance", 3))
    at.account("p2@games.test", "700000000000002")
    at.link()
    for _ in range(3):
        step(at)
        at.announce(2, seconds=20)
    assert chatting.remind(hall.web, at.host, at.game).outcome == "done"
    at.announce()
    assert {row.state for row in at.bulletins()} == {"done"}
    assert fake.refused() == []
    announcing.tidy(hall.post)
    channels.remove(hall.web, at.host, at.game, at.channel().id)
    assert at.bulletins() == []
    hall.post.db.close()


def test_the_operator_hears_of_channels_that_fail(at: Town) -> None:
    """The doctor counts those that are off or fail, and the list says which, without an address."""
    assert not [said for said in complaints(at.hall.play) if "channel" in said]
    at.fake.gone = True
    step(at)
    at.announce()
    assert [said for said in complaints(at.hall.play) if said.startswith("1 channels of tables are off")]
    row = announcing.health(at.hall.post)[0]
    assert (row["table"], row["state"]) == ("Rose", "gone")
    assert SECRET not in str(row)


def test_what_was_sent_long_ago_is_forgotten(at: Town) -> None:
    """Messages of more than thirty days are tidied away; what waits stays."""
    step(at)
    at.announce()
    at.hall.pass_time(days=31)
    at.fake.trouble = ["500"] * 9
    step(at)
    at.announce()
    announcing.tidy(at.hall.post)
    assert not at.bulletins("done")
    assert at.bulletins("wanted")
