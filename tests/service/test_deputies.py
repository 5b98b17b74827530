"""Deputies: named for an absence, by consent, for that time alone, and known to everybody."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.crypto import new_token
from pbem.service.access.permissions import find_membership
from pbem.service.base.services import RequestRefused
from pbem.service.deadlines import gate_timing
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.service.seats import deputies, substitutes
from pbem.store.models import Capability, Deputy, SealedOrdersRow
from tests.service.master_commands import send_commands, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_messages import number, player
from tests.service.timed_games import HOUR, advance_and_run, load_question, start_timed_game

ZOE = "zoe@games.test"


def away(harness: ServerHarness, seat: int, days: float = 2, ahead: float = 0) -> int:
    """Somebody announces an absence; its number."""
    begins = harness.web.now() + int(ahead * 24) * HOUR
    gate_timing.add_absence(harness.web, player(harness, seat), begins, begins + int(days * 24) * HOUR)
    return gate_timing.list_upcoming_absences(harness.web, player(harness, seat))[-1][0]


def named(
    harness: ServerHarness, game: str, seat: int = 2, address: str = ZOE, *, days: float = 2, ahead: float = 0
) -> str:
    """Name a deputy, and return the token of the letter that asks them."""
    deputies.invite(harness.web, player(harness, seat), game, address, away(harness, seat, days, ahead))
    harness.run_queued_tasks()
    links = harness.sent_facts("deputy")[-1].frame.links
    assert links.act.rpartition("/")[2] == links.answer.partition("+")[2].partition("@")[0]
    return str(links.act.rpartition("/")[2])


def standing(harness: ServerHarness, game: str, days: float = 2) -> str:
    """Zoe answers for the second seat; the address for it."""
    assert deputies.answer(harness.web, named(harness, game, days=days), agrees=True)
    harness.run_queued_tasks()
    advance_and_run(harness, minutes=1)
    return relief(harness)


def relief(harness: ServerHarness) -> str:
    """The address of the last report to a deputy."""
    return next(str(a.token) for a, _ in reversed(harness.sent) if a.kind == "deputy_report")


def write(harness: ServerHarness, token: str, *lines: str, sender: str = ZOE) -> None:
    """A letter of the deputy's."""
    harness.receive_reply(token, lines, sender=sender)
    harness.run_queued_tasks()


def test_a_deputy_agrees_by_letter_or_link(state_dir: Path) -> None:
    """Nothing happens without a deputy's word: YES, OUI or the link agrees, NO declines; the owner is told."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    token = named(harness, game)
    advance_and_run(harness, minutes=1)
    assert harness.load_rows(Deputy)[0].began_at is None
    write(harness, token, "I am not sure")
    assert harness.notification_kinds(ZOE) == ["deputy_unclear"]
    write(harness, token, "Oui !")
    assert harness.notification_kinds("p2@games.test") == ["deputy_named"]
    other = named(harness, game, 3, "otto@games.test")
    assert deputies.answer(harness.web, other, agrees=False)
    harness.run_queued_tasks()
    assert "deputy_refused" in harness.notification_kinds("p3@games.test")
    assert not deputies.answer(harness.web, other, agrees=True)
    assert not deputies.answer(harness.web, new_token(), agrees=True)


def test_a_deputy_answers_for_the_seat_and_all_are_told(state_dir: Path) -> None:
    """From the beginning of the absence a deputy gets the seat's letters, and an address of their own."""
    harness = build(state_dir)
    game = start_timed_game(harness, 3, 48)
    token = standing(harness, game)
    for seat in (1, 2, 3):
        assert harness.notification_kinds(f"p{seat}@games.test")[-1] == "deputy_began"
    write(harness, token, "BID 2")
    receipt_to, receipt = next((a, f) for a, f in reversed(harness.sent) if a.kind == "receipt")
    assert (receipt_to.to_address, [s.taken for s in receipt.sets]) == (ZOE, [True])
    for other in ("s1", "s3"):
        harness.reply(other, "BID 0")
    assert harness.load_game(game).entry == 2
    report_to, report = next((a, f) for a, f in reversed(harness.sent) if a.kind == "deputy_report")
    assert report_to.to_address == ZOE
    own = next(f for a, f in reversed(harness.sent) if a.kind == "report" and a.to_address == "p2@games.test")
    assert report.after == own.after
    assert {e.visible_to for e in report.events} <= {e.visible_to for e in own.events}
    assert [n for n in harness.sent if n[0].to_address == ZOE and n[0].kind == "report"] == []


def test_a_deputy_before_their_time_opens_nothing(state_dir: Path) -> None:
    """Having agreed, a deputy sees and answers nothing until the absence begins, by whatever door."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    assert deputies.answer(harness.web, named(harness, game, ahead=3), agrees=True)
    advance_and_run(harness, days=2)
    zoe = number(harness, ZOE)
    assert find_membership(harness.web, zoe, game) is None
    assert isinstance(web_orders.preview_orders(harness.web, zoe, game, 9, ["BID 1"]), web_orders.GameClosed)
    assert not [a for a, _ in harness.sent if a.to_address == ZOE and a.kind == "deputy_report"]
    advance_and_run(harness, days=1.1)
    place = find_membership(harness.web, zoe, game)
    assert place is not None
    assert (place.seat, place.deputy) == ("s2", True)


@pytest.mark.parametrize("way", ["time", "call_off", "absence", "succession"])
def test_a_deputys_access_ends_with_its_reason(state_dir: Path, way: str) -> None:
    """After the absence, a word of the player's or a change of the seat, a deputy's addresses and pages are dead."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    token, me, zoe = standing(harness, game), player(harness, 2), number(harness, ZOE)
    if way == "time":
        advance_and_run(harness, days=3)
    elif way == "call_off":
        deputies.cancel(harness.web, me, game, deputies.list_invited(harness.web, me, game)[0].number)
    elif way == "absence":
        gate_timing.cancel_absence(harness.web, me, gate_timing.list_upcoming_absences(harness.web, me)[0][0])
        advance_and_run(harness, minutes=1)
    else:
        harness.reply("s2", "RESIGN YES")
        substitutes.take_over(harness.web, number(harness, "nora@games.test"), game, "s2")
    harness.run_queued_tasks()
    write(harness, token, "BID 2")
    assert harness.load_rows(SealedOrdersRow) == []
    assert find_membership(harness.web, zoe, game) is None
    assert deputies.list_acting(harness.web, game) == ()
    assert harness.notification_kinds(ZOE)[-1] == "deputy_over"
    assert ("deputy_ended" in harness.notification_kinds("p1@games.test")) == (way != "succession")
    assert all(row.revoked_at for row in harness.load_rows(Capability) if row.user_id == zoe and row.game_id == game)


def test_a_deputy_answers_beside_the_player_and_does_nothing_else(state_dir: Path) -> None:
    """The newest set counts, from either; what only the player may do is refused in a receipt that says so."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    token = standing(harness, game)
    write(harness, token, "RESIGN YES", "PRESS TO all: hello END", "DIARY: x END", "ABSENT 2026-07-01 2026-07-03")
    outcomes = {c.name: c.outcome for c in harness.sent_facts("receipt")[-1].commands}
    assert outcomes == {"resign": "refused", "away": "refused", "press": "refused", "diary": "refused"}
    harness.reply("s2", "BID 2", "ALWAYS")
    write(harness, token, "BID 1", "ALWAYS")
    assert [(c.name, c.outcome) for c in harness.sent_facts("receipt")[-1].commands] == [("always", "refused")]
    write(harness, token, "WITHDRAW")
    standing_orders = [row for row in harness.load_rows(SealedOrdersRow) if row.kind == "standing"]
    assert [row.end_signature for row in standing_orders] == [None], "the player's own, which the deputy leaves alone"
    assert substitutes.list_open_seats(harness.web).rows == ()
    assert gate_timing.list_upcoming_absences(harness.web, number(harness, ZOE)) == ()
    write(harness, token, "BID 1")
    harness.reply("s2", "BID 3")
    harness.reply("s1", "BID 0")
    assert harness.load_state(game).board.coins["s2"] == 5


def test_a_deputy_is_told_nothing_of_before_their_time(state_dir: Path) -> None:
    """REPORT since the beginning, the page and old reports show a deputy nothing that the seat was told before."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    for line in ("BID 1", "PASS"):
        for seat in ("s1", "s2"):
            harness.reply(seat, line)
    known = harness.load_game(game).entry
    token, zoe = standing(harness, game), number(harness, ZOE)
    write(harness, token, "REPORT 1")
    again = [f for a, f in harness.sent if a.kind == "deputy_report"][-1]
    assert all(e.visible_to is None for e in again.events)
    assert again.events == ()
    seat_page = game_pages.load_seat_page(harness.web, zoe, game, "s2")
    assert seat_page.reports == ()
    own = game_pages.load_seat_page(harness.web, player(harness, 2), game, "s2")
    assert own.reports
    assert game_pages.load_report(harness.web, zoe, game, "s2", known) is None
    assert game_pages.load_report(harness.web, player(harness, 2), game, "s2", known) is not None


def test_who_sits_sat_or_stood_here_is_no_deputy_and_a_deputy_takes_no_seat(state_dir: Path) -> None:
    """A player of the table and another seat's deputy are refused; a deputy is refused a seat, even afterwards."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    absence = away(harness, 2)
    for address in ("p1@games.test", "p2@games.test"):
        with pytest.raises(RequestRefused, match="already_seated"):
            deputies.invite(harness.web, player(harness, 2), game, address, absence)
    with pytest.raises(RequestRefused, match="address"):
        deputies.invite(harness.web, player(harness, 2), game, "no address", absence)
    with pytest.raises(RequestRefused, match="no_such_absence"):
        deputies.invite(harness.web, player(harness, 3), game, ZOE, absence)
    deputies.invite(harness.web, player(harness, 2), game, ZOE, absence)
    with pytest.raises(RequestRefused, match="has_deputy"):
        deputies.invite(harness.web, player(harness, 2), game, "otto@games.test", absence)
    harness.run_queued_tasks()
    assert deputies.answer(
        harness.web, harness.sent_facts("deputy")[-1].frame.links.act.rpartition("/")[2], agrees=True
    )
    advance_and_run(harness, minutes=1)
    with pytest.raises(RequestRefused, match="already_seated"):
        deputies.invite(harness.web, player(harness, 3), game, ZOE, away(harness, 3))
    advance_and_run(harness, days=3)
    harness.reply("s3", "RESIGN YES")
    with pytest.raises(RequestRefused, match="already_seated"):
        substitutes.take_over(harness.web, number(harness, ZOE), game, "s3")


@pytest.mark.parametrize("agrees", [True, False])
def test_deadlines_wait_for_an_absence_but_not_for_one_with_a_deputy(state_dir: Path, agrees: bool) -> None:
    """A question put to an absent player has its time from their return; with a deputy it has the usual time."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    deputies.answer(harness.web, named(harness, game, days=3), agrees=agrees)
    harness.run_queued_tasks()
    advance_and_run(harness, minutes=1)
    harness.reply("s1", "BID 0")
    harness.reply("s2", "BID 0")
    wait = timedelta(milliseconds=(load_question(harness, "s2", "march").due_at or 0) - harness.web.now())
    assert (wait <= timedelta(hours=24)) == agrees


def test_a_reminder_goes_to_the_deputy_as_well(state_dir: Path) -> None:
    """The player and the deputy are reminded, each with an address of their own."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 48)
    standing(harness, game, days=5)
    advance_and_run(harness, hours=40)
    reminded = [(a.to_address, a.token) for a, _ in harness.sent if a.kind == "reminder" and a.seat == "s2"]
    assert sorted(address for address, _ in reminded) == ["p2@games.test", ZOE]
    assert len({token for _, token in reminded}) == 2


def test_a_deputy_who_is_master_opens_no_hand(state_dir: Path) -> None:
    """A master who answers for a seat, or has agreed to, is one who plays: they look at no other seat and no deck."""
    harness = build(state_dir)
    game = start_timed_game(harness, 3)
    send_commands(harness, game, f"PROMOTE {ZOE}")
    for ahead in (1, 0):
        token = named(harness, game, 3 if ahead else 2, ahead=ahead)
        assert deputies.answer(harness.web, token, agrees=True)
        advance_and_run(harness, minutes=1)
        for line in ("OPEN DECK", "OPEN HAND p1"):
            assert send_confirmed(harness, game, line, who=ZOE).acts[0].said[0].code == "no_plays_himself"
        deputies.cancel(harness.web, player(harness, 3 if ahead else 2), game, harness.load_rows(Deputy)[-1].id)
        harness.run_queued_tasks()
    assert not harness.sent_facts("opened")
