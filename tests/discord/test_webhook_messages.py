"""Messages on their way: once each, in order, changed rather than repeated, whatever the other side does."""

from pathlib import Path

import pytest
from sqlalchemy import event, update

from pbem.service.channels import webhook_changes, webhook_sender, webhooks
from pbem.service.deadlines import interruptions
from pbem.service.game.clock_state import pause_for_bounce, resume_after_contact
from pbem.service.seats import substitutes, tables
from pbem.service.tasks.health import list_problems
from pbem.store.games import CALLED
from pbem.store.models import OutboundEmail, QuestionRow, SeatRow
from tests.archive.bots import play_on
from tests.discord.fake_discord import SECRET, Fake
from tests.discord.linked_games import Town, due, step, town
from tests.service.server_fixtures import start_game
from tests.service.test_signed_rows import written

# --- one message for what matters


@pytest.mark.both_databases
def test_a_phase_is_one_message_that_changes(at: Town) -> None:
    """A phase opens with a message, which changes as answers come in and as the phase ends, without another call.

    Looking again and again at a game that stands still sends nothing.
    """
    at.announce(5)
    assert len(at.fake.taken) == 1
    at.account("p2@games.test", "700000000000002")
    while not any(row.kind == "phase" for row in at.bulletins()):
        step(at)
        at.announce(seconds=20)
    made, phase = len(at.fake.new()), [row for row in at.bulletins() if row.kind == "phase"][-1]
    assert "p3" in at.fake.messages[phase.remote_message_id]["embeds"][0]["fields"][0]["value"]
    seat = next(row for row in at.harness.load_rows(QuestionRow) if row.seat == "s3" and row.is_blocking)
    with at.harness.resolver.db.transaction() as session:
        session.execute(
            update(QuestionRow).where(QuestionRow.id == seat.id).values(answered_at=at.harness.mailer.now())
        )
    at.announce(seconds=1)
    at.announce(seconds=20)
    assert len(at.fake.new()) == made
    assert "p3" not in at.fake.messages[phase.remote_message_id]["embeds"][0]["fields"][0]["value"]


@pytest.mark.both_databases
def test_an_outage_is_caught_up_with_in_one_message(at: Town) -> None:
    """What happened while the other side was down is told in one message, from where the last one ended."""
    at.fake.trouble = ["503"] * 50
    while at.harness.load_game(at.game).entry < 6:
        step(at)
        at.announce(seconds=20)
    first = at.bulletins()[0].entry
    at.fake.trouble = []
    before = len(at.fake.new())
    at.announce(4, minutes=70)
    assert len(at.fake.new()) == before + 1
    last = at.bulletins()[-1]
    assert (last.state, last.from_entry, last.kind) == ("sent", first, "phase")
    assert at.channel().failures == 0


def test_a_deadline_that_moves_or_comes_near_is_told_once(at: Town) -> None:
    """A deadline that moves or comes near gets one short message to those who owe; another only if it moves again."""
    at.account("p2@games.test", "700000000000002")
    due(at)
    at.announce(2)
    due(at, 72)
    at.announce(3)
    moved = [body for body in at.fake.new() if "has moved" in str(body["content"])]
    assert len(moved) == 1
    assert moved[0]["allowed_mentions"]["users"] == ["700000000000002"]
    assert moved[0]["content"].count("<t:") == 4
    at.announce(3, hours=18)
    near = [body for body in at.fake.new() if "still due" in str(body["content"])]
    assert len(near) == 1


def test_pauses_and_seats_that_change_hands_are_told(at: Town) -> None:
    """The channel is told once that the table pauses, and that it goes on; that a seat looks for a player, and who
    takes it; nobody is mentioned.
    """
    for wish in ("pause", "resume"):
        for number in (1, 2, 3):
            interruptions.request_pause(at.harness.web, at.user(f"p{number}@games.test"), at.game, wish)
        interruptions.process_outages(at.harness.mailer)
        at.announce(3)
    substitutes.offer_own_seat(at.harness.web, at.user("p3@games.test"), at.game)
    at.announce(2)
    substitutes.take_over(at.harness.web, at.user("p9@games.test"), at.game, "s3")
    at.announce(2)
    said = [str(body["content"]) for body in at.fake.new()]
    words = ("paused", "pause is over", "open to another player", "is now played by")
    assert [[word in text for word in words] for text in said if any(word in text for word in words)] == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]
    assert not [body for body in at.fake.new() if body["allowed_mentions"]["users"]]


def test_a_table_that_begins_later_is_told_of_from_its_beginning(state_dir: Path, fake: Fake) -> None:
    """A channel linked before the game begins hears of the beginning, and calls on those who are asked first."""
    at = town(state_dir, fake, stop=True)
    at.account("p3@games.test", "700000000000003")
    at.link(language="fr")
    for address, facts in list(at.harness.sent):
        if address.kind == "invitation":
            tables.join(at.harness.web, facts.frame.links.act.rpartition("/")[2], words="luck")
    at.harness.run_queued_tasks()
    at.announce(2)
    assert [row.kind for row in at.bulletins()] == ["hello", "started"]
    assert fake.new()[1]["content"] == "<@700000000000003>"
    assert "la partie commence" in fake.new()[1]["embeds"][0]["title"]


# --- letters that do not arrive


def test_whose_letters_come_back_is_called_on_in_the_channel(at: Town) -> None:
    """If letters to a player fail before a deadline, they are called on where their table writes, once and with nothing
    private; and the next letter that reaches them says why.
    """
    at.account("p2@games.test", "700000000000002")
    due(at)
    at.announce(2)
    with at.harness.mailer.db.transaction() as session:
        pause_for_bounce(session, at.game, at.user("p2@games.test"), at.harness.mailer.now())
    at.announce(3)
    said = [body for body in at.fake.new() if "do not arrive" in str(body["content"])]
    assert len(said) == 1
    assert said[0]["allowed_mentions"]["users"] == ["700000000000002"]
    assert at.harness.sent_facts("bounced") == []
    with at.harness.mailer.db.transaction() as session:
        resume_after_contact(session, at.user("p2@games.test"), at.harness.mailer.now())
    at.announce(2)
    at.harness.run_task("send_outbound_emails", "")
    told = at.harness.sent_facts("bounced")
    assert [(facts.via, facts.frame.reader.name) for facts in told] == [("discord", "p2")]


def test_a_letter_that_no_relay_takes_counts_as_one_that_does_not_arrive(at: Town) -> None:
    """After an hour before a deadline the channel is the next way, by name if need be."""
    due(at)
    with at.harness.mailer.db.transaction() as session:
        session.execute(
            update(OutboundEmail)
            .where(OutboundEmail.seat == "s2")
            .values(state="rendered", created_at=at.harness.mailer.now())
        )
    at.announce(2)
    assert not [body for body in at.fake.new() if "do not arrive" in str(body["content"])]
    at.announce(2, minutes=61)
    assert len([body for body in at.fake.new() if "Letters to p2 do not arrive" in str(body["content"])]) == 1


# --- at large


def test_a_look_at_games_that_stand_still_writes_nothing_and_asks_little(at: Town) -> None:
    """However many tables have channels, a look costs the same few statements, and no transaction that writes."""
    for _ in range(3):
        webhooks.add_webhook(at.harness.web, at.host, at.game, "plain", "en", at.fake.address("plain"))
    at.announce(2)
    asked: list[str] = []
    engine = at.harness.mailer.db.engine
    listen = event.listens_for(engine, "before_cursor_execute")
    listen(lambda connection, cursor, statement, *_: asked.append(statement))
    assert webhook_changes.enqueue_changes(at.harness.mailer) == 0
    assert 0 < len(asked) <= 10
    assert not [statement for statement in asked if statement.split()[0] in ("UPDATE", "INSERT", "DELETE")]
    assert [statement for statement in asked if "IMMEDIATE" in statement] == []


def test_the_operator_hears_of_channels_that_fail(at: Town) -> None:
    """The doctor counts those that are off or fail, and the list says which, without an address."""
    assert not [said for said in list_problems(at.harness.resolver) if "channel" in said]
    at.fake.gone = True
    step(at)
    at.announce()
    assert [
        said
        for said in list_problems(at.harness.resolver)
        if said == "Channels of tables that are off or failing: 1; pbem game channels shows which."
    ]
    row = webhooks.load_health(at.harness.mailer)[0]
    assert (row["table"], row["state"]) == ("Rose", "gone")
    assert SECRET not in str(row)


@pytest.mark.both_databases
def test_what_was_sent_long_ago_is_forgotten(at: Town) -> None:
    """Messages of more than thirty days are tidied away; what waits stays, until the channel is removed."""
    step(at)
    at.announce()
    at.harness.advance_time(days=31)
    at.fake.trouble = ["500"] * 9
    step(at)
    at.announce()
    webhooks.delete_old_messages(at.harness.mailer)
    assert not at.bulletins("sent")
    assert at.bulletins("queued")
    webhooks.remove_webhook(at.harness.web, at.host, at.game, at.channel().id)
    assert at.bulletins() == []


def test_in_order_the_next_player_alone_is_called_on(state_dir: Path, fake: Fake) -> None:
    """Where seats answer one after the other, a phase is one message that changes; the next player is called on by
    a short one if they have linked their account, and nobody else is disturbed.
    """
    at = town(state_dir, fake, pace="order")
    at.account("p2@games.test", "700000000000002")
    at.link()
    fake.limit, states = 1000, set[str]()
    for _ in range(60):  # the draws decide when each is asked: until it has happened, and for a while at least
        waiting = {row.seat for row in at.harness.load_rows(QuestionRow) if row.is_blocking}
        step(at)
        before = len(fake.new())
        at.announce(seconds=20)
        now = {row.seat for row in at.harness.load_rows(QuestionRow) if row.is_blocking}
        made = fake.new()[before:]
        assert all(body["allowed_mentions"]["users"] == (["700000000000002"] if "s2" in now else []) for body in made)
        short = [body for body in made if not body.get("embeds")]
        assert not short or ("s2" in now and "s2" not in waiting)
        states = {row.state for row in at.bulletins() if row.kind == "asked"}
        if {"sent", "skipped"} <= states or at.harness.load_game(at.game).state != "running":
            break
    assert {"sent", "skipped"} <= states
    assert at.fake.refused() == []


def test_where_names_are_hidden_nobody_is_called_on(state_dir: Path, fake: Fake) -> None:
    """A channel knows whose account it is; messages have the names of seats, also of one that changes hands."""
    at = town(state_dir, fake, names="hidden")
    rows = {row.user_id: row.seat for row in at.harness.load_rows(SeatRow)}
    for number in (1, 2, 3):
        at.account(f"p{number}@games.test", f"70000000000000{number}")
    at.link()
    at.announce(seconds=20)
    seat = rows[at.user("p2@games.test")]
    substitutes.offer_own_seat(at.harness.web, at.user("p2@games.test"), at.game)
    substitutes.take_over(at.harness.web, at.user("nora@players.test"), at.game, seat)
    at.announce(seconds=20)
    step(at)
    at.announce(3, seconds=20)
    assert [body["allowed_mentions"]["users"] for body in fake.new()] == [[]] * len(fake.new())
    told = str(fake.new())
    assert f"{CALLED[int(seat[1:]) - 1]}'s seat is now played by another person." in told
    assert not any(name in told for name in ("p2", "p3", "nora"))


@pytest.mark.both_databases
@pytest.mark.parametrize("rows", ["webhooks", "seats"])
def test_channels_that_are_not_believed_stop_no_other(at: Town, rows: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rows of some channels or of their table do not fit their seals, other tables' are told all the same."""
    monkeypatch.setattr(webhook_sender, "BATCH", 3)
    broken = at.game
    for _ in range(2):
        at.link()
    at.harness.sent.clear()
    at.game = start_game(at.harness, "age_of_renaissance", 3)
    own = at.link("plain")
    play_on(at.harness, broken, at.harness.load_game(broken).entry + 1)
    webhook_changes.enqueue_changes(at.harness.mailer)
    play_on(at.harness, at.game, at.harness.load_game(at.game).entry + 1)
    where = f"{'id' if rows == 'games' else 'game_id'} = '{broken}'"
    with written(at.harness, f"UPDATE {rows} SET signed = NULL WHERE {where}"):
        at.announce(2, seconds=20)
        told = [row for row in at.bulletins("sent") if row.webhook_id == own]
        assert told[-1].entry == at.harness.load_game(at.game).entry
