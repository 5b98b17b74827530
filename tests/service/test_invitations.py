"""Letters to people who never asked for any: few, and without anything to click but our own."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.app import render_email
from pbem.common.text import has_web_address
from pbem.config.settings import Settings
from pbem.narration.letters import render
from pbem.service.access import mail_preferences, users
from pbem.service.base.services import RequestRefused
from pbem.service.deadlines import gate_timing
from pbem.service.seats import deputies, spectators, tables
from pbem.service.tasks import jobs
from pbem.store.models import Game, InvitationOptOut, SeatRow, User
from tests.service.master_commands import HOST, get_user_id, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.timed_games import HOUR
from tests.web.form_browser import site

STRANGER = "stranger@players.test"


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two that has begun; its host is p1@."""
    made = build(state_dir)
    start_game(made, "toy", 2, 48, watchers="open")
    return made


def known(facts: Any) -> Any:
    """The same letter about a game that has words."""
    table_facts = replace(facts.frame.table, game="age_of_renaissance", options={})
    return replace(facts, frame=replace(facts.frame, table=table_facts))


def table(harness: ServerHarness, host: str, title: str = "Iris") -> str:
    """A new table of four."""
    game = tables.create(harness.web, get_user_id(harness, host), "toy", title, 4, {}, 48)
    harness.run_queued_tasks()
    return game


def letters_to(harness: ServerHarness, address: str) -> int:
    """How many letters went there."""
    return sum(one.to_address == address for one, _ in harness.sent)


def spelt(number: int) -> str:
    """One mailbox, under an address that looks otherwise each time."""
    return (STRANGER, STRANGER.upper(), f"stranger+{number}@players.test")[number % 3]


def test_one_address_is_asked_a_few_times_a_day_by_all_together(harness: ServerHarness) -> None:
    """However many people and tables there are, and whatever they ask a stranger to do, few letters come of it."""
    running = harness.load_rows(Game)[0].id
    for number in range(12):
        host = f"h{number}@games.test"
        game = table(harness, host)
        try:
            tables.invite(harness.web, game, get_user_id(harness, host), [spelt(number)])
        except RequestRefused as refused:
            assert (refused.code, refused.terms) == ("takes_none", {"address": spelt(number).lower()})
        harness.run_queued_tasks()
    assert sum(letters_to(harness, spelt(number).lower()) for number in (0, 2)) == 3
    with pytest.raises(RequestRefused, match="takes_none"):
        spectators.invite(harness.web, get_user_id(harness, "p1@games.test"), running, STRANGER)
    harness.advance_time(days=1)
    tables.invite(harness.web, table(harness, "h0@games.test"), get_user_id(harness, "h0@games.test"), [STRANGER])


def test_people_who_have_played_together_invite_each_other_more_often(harness: ServerHarness) -> None:
    """A friend's invitations count neither with those of strangers nor against them, and have a limit of their own."""
    harness.advance_time(days=1)
    for _ in range(4):
        table_of = table(harness, HOST)
        tables.invite(harness.web, table_of, get_user_id(harness, HOST), ["p2@games.test"])
    for number in range(3):
        host = f"h{number}@games.test"
        tables.invite(harness.web, table(harness, host), get_user_id(harness, host), ["p2@games.test"])
    with pytest.raises(RequestRefused, match="takes_none"):
        tables.invite(
            harness.web, table(harness, "h9@games.test"), get_user_id(harness, "h9@games.test"), ["p2@games.test"]
        )
    harness.configure(limits={"invited_by_friend": 4})
    with pytest.raises(RequestRefused, match="takes_none"):
        tables.invite(harness.web, table(harness, HOST), get_user_id(harness, HOST), ["p2@games.test"])


def test_one_table_invites_so_many_a_day(harness: ServerHarness) -> None:
    """A table that is asked for again and again ends at its own limit, and says for how many hours."""
    harness.configure(limits={"table_invitations": 2})
    harness.advance_time(hours=5, minutes=1)
    game = table(harness, "h@games.test")
    tables.invite(harness.web, game, get_user_id(harness, "h@games.test"), ["a@players.test", "b@players.test"])
    with pytest.raises(RequestRefused, match="too_often_today") as caught:
        tables.invite(harness.web, game, get_user_id(harness, "h@games.test"), ["c@players.test"])
    assert caught.value.terms == {"hours": 7}


@pytest.mark.parametrize("line", ["REPLACE p2 BY new@players.test", "PROMOTE new@players.test"])
def test_what_masters_write_to_strangers_counts_like_invitations(harness: ServerHarness, line: str) -> None:
    """A line that writes to a person from elsewhere has the limits of the table, of the address and of its writer."""
    game = harness.load_rows(Game)[0].id
    for limit, code in (
        ("table_invitations", "too_often_today"),
        ("invited", "takes_none"),
        ("invitations", "too_often"),
    ):
        harness.configure(limits={limit: 0})
        act = send_confirmed(harness, game, line).acts[0]
        assert (act.outcome, act.said[0].code) == ("refused", f"no_{code}")
    assert letters_to(harness, "new@players.test") == 0
    assert not any(one.email == "new@players.test" for one in harness.load_rows(User))
    harness.configure(limits={})
    assert send_confirmed(harness, game, line).acts[0].outcome == "done"
    facts = next(facts for one, facts in reversed(harness.sent) if one.to_address == "new@players.test")
    assert f"Never invite me again: {facts.frame.links.never}" in " ".join(render(known(facts)).text.split())
    assert not facts.frame.links.mute


def by_page(harness: ServerHarness, address: str) -> None:
    """An invitation to a table that waits for players."""
    tables.invite(harness.web, table(harness, "h@games.test"), get_user_id(harness, "h@games.test"), [address])


def by_line(harness: ServerHarness, address: str) -> None:
    """A seat that a master offers by a line, in place of an earlier offer."""
    send_confirmed(harness, harness.load_rows(Game)[0].id, "TAKE BACK p2")
    refused = [
        act.said[0] for act in send_confirmed(harness, harness.load_rows(Game)[0].id, f"REPLACE p2 BY {address}").acts
    ]
    if refused[0].code.startswith("no_"):
        raise RequestRefused(refused[0].code.removeprefix("no_"), **refused[0].terms)


def by_player(harness: ServerHarness, address: str) -> None:
    """A deputy for the days of an absence."""
    away, now = get_user_id(harness, "p2@games.test"), harness.web.now()
    if not gate_timing.list_upcoming_absences(harness.web, away):
        gate_timing.add_absence(harness.web, away, now, now + 48 * HOUR)
    deputies.invite(
        harness.web,
        away,
        harness.load_rows(Game)[0].id,
        address,
        gate_timing.list_upcoming_absences(harness.web, away)[-1][0],
    )


def by_master(harness: ServerHarness, address: str) -> None:
    """A spectator whom a master lets in."""
    spectators.invite(harness.web, get_user_id(harness, HOST), harness.load_rows(Game)[0].id, address)


ASKING: tuple[tuple[Callable[[ServerHarness, str], None], str], ...] = (
    (by_page, "invitation"),
    (by_line, "seat"),
    (by_player, "deputy"),
    (by_master, "notice"),
)


@pytest.mark.parametrize(("asks", "kind"), ASKING)
def test_each_invitation_has_a_link_that_ends_them_all(
    harness: ServerHarness, state_dir: Path, asks: Callable[[ServerHarness, str], None], kind: str
) -> None:
    """The link in a letter that asks something ends all invitations, at every door, and gives them back."""
    asks(harness, STRANGER)
    harness.run_queued_tasks()
    facts = harness.sent_facts(kind)[-1]
    link, before = facts.frame.links.never, len(harness.load_rows(User))
    assert f"Never invite me again: {link}" in " ".join(render(known(facts)).text.split())
    address = next(one for one, that in reversed(harness.sent) if that is facts)
    wire = render_email(Settings.with_embedded(state_dir), known(facts), address).wire.decode()
    assert f"List-Unsubscribe: <{link}>" in wire.replace("\r\n ", " ")
    number = users.user_of_unsubscribe_token(harness.web, link.rpartition("/")[2])
    assert number is not None
    mail_preferences.set_invitation_opt_out_by_user(harness.web, number.id, wanted=False)
    sent = len(harness.sent)
    for other, _ in ASKING:
        for written in (STRANGER, spelt(1), spelt(2)):
            with pytest.raises(RequestRefused, match="takes_none") as caught:
                other(harness, written)
            assert caught.value.terms == {"address": written.lower()}
    harness.run_queued_tasks()
    came = [(one.kind, facts) for one, facts in harness.sent[sent:] if "stranger" in one.to_address]
    assert all(kind == "notice" and facts.kind == "seat_offer_over" for kind, facts in came)
    assert before <= len(harness.load_rows(User)) <= before + 1, "only the host of the new table is new"
    mail_preferences.set_invitation_opt_out_by_user(harness.web, number.id, wanted=True)
    by_page(harness, STRANGER)


def test_who_wants_none_looks_like_who_had_enough(harness: ServerHarness) -> None:
    """An inviter cannot tell whether an address is known here, wants nothing, or had its letters of the day.

    What is kept of who wants nothing is a digest of the address.
    """
    mail_preferences.set_invitation_opt_out_by_user(
        harness.web, get_user_id(harness, "never@players.test"), wanted=False
    )
    (row,) = harness.load_rows(InvitationOptOut)
    assert (len(row.email_hash), b"never" in row.email_hash) == (32, False)
    harness.configure(limits={"invited": 0})
    said = []
    for address in ("never@players.test", "unheard@players.test", "p3@games.test"):
        with pytest.raises(RequestRefused) as caught:
            by_page(harness, address)
        said.append((caught.value.code, {**caught.value.terms, "address": "x"}))
    assert said == [("takes_none", {"address": "x"})] * 3


def test_a_seat_is_free_however_long_ago_its_invitation_expired(harness: ServerHarness) -> None:
    """Also once nothing is known of the invitation any more."""
    game, host = start_game(harness, "toy", 2, stop=True), get_user_id(harness, HOST)
    with pytest.raises(RequestRefused, match="table_full"):
        tables.invite(harness.web, game, host, ["nora@games.test"])
    for _ in range(2):
        harness.advance_time(days=90)
        jobs.delete_expired_rows(harness.mailer)
    tables.invite(harness.web, game, host, ["nora@games.test"])
    harness.run_queued_tasks()
    assert harness.sent[-1][0].to_address == "nora@games.test"


def test_who_is_invited_again_after_a_month_takes_the_seat_by_the_page(harness: ServerHarness) -> None:
    """The invitation that has expired does not stand in the way of the new one."""
    game = start_game(harness, "toy", 3, stop=True)
    harness.advance_time(days=31)
    tables.invite(harness.web, game, get_user_id(harness, HOST), ["p2@games.test"])
    harness.run_queued_tasks()
    tables.join_signed_in(harness.web, get_user_id(harness, "p2@games.test"), game)
    (second,) = (row for row in harness.load_rows(SeatRow) if (row.game_id, row.seat) == (game, "s2"))
    assert second.user_id == get_user_id(harness, "p2@games.test")


def test_an_invitation_that_waits_to_be_sent_is_not_sent_any_more(harness: ServerHarness) -> None:
    """Who says so before the letter is laid out gets none, and the seat is free for another person."""
    game = tables.create(harness.web, get_user_id(harness, "h@games.test"), "toy", "Iris", 2, {}, 48)
    tables.invite(harness.web, game, get_user_id(harness, "h@games.test"), [STRANGER])
    mail_preferences.set_invitation_opt_out_by_user(harness.web, get_user_id(harness, STRANGER), wanted=False)
    harness.run_queued_tasks()
    assert letters_to(harness, STRANGER) == 0
    assert [row.invited_email for row in harness.load_rows(SeatRow) if row.game_id == game] == [None, None]


BY_REPLY = (
    (by_page, "invitation", "NEVER", 0),
    (by_line, "seat", "Please never invite me again, thank you", 0),
    (by_player, "deputy", "Ne m'invitez plus jamais !", 0),
    (by_page, "invitation", "jamais.", 40),
)


@pytest.mark.parametrize(("asks", "kind", "word", "days"), BY_REPLY)
def test_a_word_by_reply_ends_invitations(
    harness: ServerHarness, asks: Callable[[ServerHarness, str], None], kind: str, word: str, days: int
) -> None:
    """The word declines what was asked, however long ago, ends all invitations, and is confirmed once."""
    asks(harness, STRANGER)
    harness.run_queued_tasks()
    token = harness.sent_facts(kind)[-1].frame.links.act.rpartition("/")[2]
    harness.advance_time(days=days)
    for _ in range(2):
        harness.receive_reply(token, ["Hello,", word], sender=STRANGER)
        harness.run_queued_tasks()
    told = [facts for one, facts in harness.sent if one.to_address == STRANGER and one.kind == "notice"]
    assert [facts.kind for facts in told] == ["uninvited"]
    assert told[0].frame.links.never
    assert not any(row.user_id == get_user_id(harness, STRANGER) for row in harness.load_rows(SeatRow))
    with pytest.raises(RequestRefused, match="takes_none"):
        by_page(harness, STRANGER)


def test_other_words_end_no_invitations(harness: ServerHarness) -> None:
    """What only sounds like it, or refuses one seat, leaves a person to be invited."""
    by_page(harness, STRANGER)
    harness.run_queued_tasks()
    token = harness.sent_facts("invitation")[-1].frame.links.act.rpartition("/")[2]
    for lines in (["Never invite me again?"], ["Never mind, I join"], ["YES", "never say never"], ["No"]):
        harness.receive_reply(token, lines, sender=STRANGER)
        harness.run_queued_tasks()
    assert harness.load_rows(InvitationOptOut) == []


def test_titles_and_names_hold_no_web_address(harness: ServerHarness) -> None:
    """What strangers read of a table's title and its people's names is nothing that a mail program makes a link of."""
    host = get_user_id(harness, "anna.smith@games.test")
    game = table(harness, "anna.smith@games.test")
    assert tables.invite(harness.web, game, host, ["first@players.test"]) == 1, "their first name has no stop"
    for text in ("evil.example", "Win at evil.com now", "https://x", "WWW.x", "a.co/x", "evil\uff0ecom"):
        assert has_web_address(text)
        with pytest.raises(RequestRefused, match="web_address"):
            table(harness, "anna.smith@games.test", text)
        assert not users.update_profile(harness.web, host, name=text, zone="UTC")
        with harness.web.db.transaction() as session:
            session.get_one(User, host).name = text
        with pytest.raises(RequestRefused, match="web_address"):
            tables.invite(harness.web, game, host, [STRANGER])
    harness.run_queued_tasks()
    assert letters_to(harness, STRANGER) == 0
    with harness.web.db.transaction() as session:
        session.get_one(User, host).name = "Anna"
    for text in ("Rose", "St. Gallen", "J. R. R. Tolkien", "v1.2", "Rose vs. Iris", "L'Été…", "Анна"):
        assert not has_web_address(text)
        assert table(harness, "anna.smith@games.test", text)


def test_each_invitation_names_the_keys_of_the_server(harness: ServerHarness) -> None:
    """The digest in it is the SHA-256 of what the page `/keys` shows, byte for byte, alone on its line."""
    tables.invite(harness.web, table(harness, "p1@games.test"), get_user_id(harness, "p1@games.test"), [STRANGER])
    harness.run_queued_tasks()
    facts = next(facts for one, facts in harness.sent if one.to_address == STRANGER)
    shown = site(harness).test_client().get("/keys").data
    assert facts.keys_digest == hashlib.sha256(shown).hexdigest()
    for language in ("en", "fr"):
        reader = replace(facts.frame.reader, language=language)
        written = known(replace(facts, frame=replace(facts.frame, reader=reader)))
        assert facts.keys_digest in render(written).text.splitlines()
