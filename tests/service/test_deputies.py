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
from tests.service.master_commands import ask, meant
from tests.service.server_fixtures import Hall, build, seated
from tests.service.test_messages import number, player
from tests.service.timed_games import HOUR, question, table, tick

ZOE = "zoe@games.test"


def away(hall: Hall, seat: int, days: float = 2, ahead: float = 0) -> int:
    """Somebody announces an absence; its number."""
    begins = hall.web.now() + int(ahead * 24) * HOUR
    gate_timing.add_absence(hall.web, player(hall, seat), begins, begins + int(days * 24) * HOUR)
    return gate_timing.list_upcoming_absences(hall.web, player(hall, seat))[-1][0]


def named(hall: Hall, game: str, seat: int = 2, address: str = ZOE, *, days: float = 2, ahead: float = 0) -> str:
    """Name a deputy, and return the token of the letter that asks them."""
    deputies.invite(hall.web, player(hall, seat), game, address, away(hall, seat, days, ahead))
    hall.settle()
    links = hall.of("deputy")[-1].frame.links
    assert links.act.rpartition("/")[2] == links.answer.partition("+")[2].partition("@")[0]
    return str(links.act.rpartition("/")[2])


def standing(hall: Hall, game: str, days: float = 2) -> str:
    """Zoe answers for the second seat; the address for it."""
    assert deputies.answer(hall.web, named(hall, game, days=days), agrees=True)
    hall.settle()
    tick(hall, minutes=1)
    return relief(hall)


def relief(hall: Hall) -> str:
    """The address of the last report to a deputy."""
    return next(str(a.token) for a, _ in reversed(hall.sent) if a.kind == "relief")


def write(hall: Hall, token: str, *lines: str, sender: str = ZOE) -> None:
    """A letter of the deputy's."""
    hall.write_in(token, lines, sender=sender)
    hall.settle()


def test_a_deputy_agrees_by_letter_or_link(state_dir: Path) -> None:
    """Nothing happens without a deputy's word: YES, OUI or the link agrees, NO declines; the owner is told."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3)
    token = named(hall, game)
    tick(hall, minutes=1)
    assert hall.rows(Deputy)[0].began_at is None
    write(hall, token, "I am not sure")
    assert hall.notices(ZOE) == ["deputy_unclear"]
    write(hall, token, "Oui !")
    assert hall.notices("p2@games.test") == ["deputy_named"]
    other = named(hall, game, 3, "otto@games.test")
    assert deputies.answer(hall.web, other, agrees=False)
    hall.settle()
    assert "deputy_refused" in hall.notices("p3@games.test")
    assert not deputies.answer(hall.web, other, agrees=True)
    assert not deputies.answer(hall.web, new_token(), agrees=True)


def test_a_deputy_answers_for_the_seat_and_all_are_told(state_dir: Path) -> None:
    """From the beginning of the absence a deputy gets the seat's letters, and an address of their own."""
    hall = build(state_dir)
    game = table(hall, 3, 48)
    token = standing(hall, game)
    for seat in (1, 2, 3):
        assert hall.notices(f"p{seat}@games.test")[-1] == "deputy_began"
    write(hall, token, "BID 2")
    receipt_to, receipt = next((a, f) for a, f in reversed(hall.sent) if a.kind == "receipt")
    assert (receipt_to.to_address, [s.taken for s in receipt.sets]) == (ZOE, [True])
    for other in ("s1", "s3"):
        hall.say(other, "BID 0")
    assert hall.game(game).entry == 2
    report_to, report = next((a, f) for a, f in reversed(hall.sent) if a.kind == "relief")
    assert report_to.to_address == ZOE
    own = next(f for a, f in reversed(hall.sent) if a.kind == "report" and a.to_address == "p2@games.test")
    assert report.after == own.after
    assert {e.visible_to for e in report.events} <= {e.visible_to for e in own.events}
    assert [n for n in hall.sent if n[0].to_address == ZOE and n[0].kind == "report"] == []


def test_a_deputy_before_their_time_opens_nothing(state_dir: Path) -> None:
    """Having agreed, a deputy sees and answers nothing until the absence begins, by whatever door."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3)
    assert deputies.answer(hall.web, named(hall, game, ahead=3), agrees=True)
    tick(hall, days=2)
    zoe = number(hall, ZOE)
    assert find_membership(hall.web, zoe, game) is None
    assert isinstance(web_orders.preview_orders(hall.web, zoe, game, 9, ["BID 1"]), web_orders.GameClosed)
    assert not [a for a, _ in hall.sent if a.to_address == ZOE and a.kind == "relief"]
    tick(hall, days=1.1)
    place = find_membership(hall.web, zoe, game)
    assert place is not None
    assert (place.seat, place.deputy) == ("s2", True)


@pytest.mark.parametrize("way", ["time", "call_off", "absence", "succession"])
def test_a_deputys_access_ends_with_its_reason(state_dir: Path, way: str) -> None:
    """After the absence, a word of the player's or a change of the seat, a deputy's addresses and pages are dead."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3)
    token, me, zoe = standing(hall, game), player(hall, 2), number(hall, ZOE)
    if way == "time":
        tick(hall, days=3)
    elif way == "call_off":
        deputies.cancel(hall.web, me, game, deputies.list_invited(hall.web, me, game)[0].number)
    elif way == "absence":
        gate_timing.cancel_absence(hall.web, me, gate_timing.list_upcoming_absences(hall.web, me)[0][0])
        tick(hall, minutes=1)
    else:
        hall.say("s2", "RESIGN YES")
        substitutes.take_over(hall.web, number(hall, "nora@games.test"), game, "s2")
    hall.settle()
    write(hall, token, "BID 2")
    assert hall.rows(SealedOrdersRow) == []
    assert find_membership(hall.web, zoe, game) is None
    assert deputies.list_acting(hall.web, game) == ()
    assert hall.notices(ZOE)[-1] == "deputy_over"
    assert ("deputy_ended" in hall.notices("p1@games.test")) == (way != "succession")
    assert all(row.revoked_at for row in hall.rows(Capability) if row.user_id == zoe and row.game_id == game)


def test_a_deputy_answers_beside_the_player_and_does_nothing_else(state_dir: Path) -> None:
    """The newest set counts, from either; what only the player may do is refused in a receipt that says so."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    token = standing(hall, game)
    write(hall, token, "RESIGN YES", "PRESS TO all: hello END", "DIARY: x END", "ABSENT 2026-07-01 2026-07-03")
    outcomes = {c.name: c.outcome for c in hall.of("receipt")[-1].commands}
    assert outcomes == {"resign": "refused", "away": "refused", "press": "refused", "diary": "refused"}
    assert substitutes.list_open_seats(hall.web).rows == ()
    assert gate_timing.list_upcoming_absences(hall.web, number(hall, ZOE)) == ()
    write(hall, token, "BID 1")
    hall.say("s2", "BID 3")
    hall.say("s1", "BID 0")
    assert hall.position(game).board.coins["s2"] == 5


def test_a_deputy_is_told_nothing_of_before_their_time(state_dir: Path) -> None:
    """REPORT since the beginning, the page and old reports show a deputy nothing that the seat was told before."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    for line in ("BID 1", "PASS"):
        for seat in ("s1", "s2"):
            hall.say(seat, line)
    known = hall.game(game).entry
    token, zoe = standing(hall, game), number(hall, ZOE)
    write(hall, token, "REPORT 1")
    again = [f for a, f in hall.sent if a.kind == "relief"][-1]
    assert all(e.visible_to is None for e in again.events)
    assert again.events == ()
    seat_page = game_pages.load_seat_page(hall.web, zoe, game, "s2")
    assert seat_page.reports == ()
    own = game_pages.load_seat_page(hall.web, player(hall, 2), game, "s2")
    assert own.reports
    assert game_pages.load_report(hall.web, zoe, game, "s2", known) is None
    assert game_pages.load_report(hall.web, player(hall, 2), game, "s2", known) is not None


def test_who_sits_sat_or_stood_here_is_no_deputy_and_a_deputy_takes_no_seat(state_dir: Path) -> None:
    """A player of the table and another seat's deputy are refused; a deputy is refused a seat, even afterwards."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3)
    absence = away(hall, 2)
    for address in ("p1@games.test", "p2@games.test"):
        with pytest.raises(RequestRefused, match="already_seated"):
            deputies.invite(hall.web, player(hall, 2), game, address, absence)
    with pytest.raises(RequestRefused, match="address"):
        deputies.invite(hall.web, player(hall, 2), game, "no address", absence)
    with pytest.raises(RequestRefused, match="no_such_absence"):
        deputies.invite(hall.web, player(hall, 3), game, ZOE, absence)
    deputies.invite(hall.web, player(hall, 2), game, ZOE, absence)
    with pytest.raises(RequestRefused, match="has_deputy"):
        deputies.invite(hall.web, player(hall, 2), game, "otto@games.test", absence)
    hall.settle()
    assert deputies.answer(hall.web, hall.of("deputy")[-1].frame.links.act.rpartition("/")[2], agrees=True)
    tick(hall, minutes=1)
    with pytest.raises(RequestRefused, match="already_seated"):
        deputies.invite(hall.web, player(hall, 3), game, ZOE, away(hall, 3))
    tick(hall, days=3)
    hall.say("s3", "RESIGN YES")
    with pytest.raises(RequestRefused, match="already_seated"):
        substitutes.take_over(hall.web, number(hall, ZOE), game, "s3")


@pytest.mark.parametrize("agrees", [True, False])
def test_deadlines_wait_for_an_absence_but_not_for_one_with_a_deputy(state_dir: Path, agrees: bool) -> None:
    """A question put to an absent player has its time from their return; with a deputy it has the usual time."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    deputies.answer(hall.web, named(hall, game, days=3), agrees=agrees)
    hall.settle()
    tick(hall, minutes=1)
    hall.say("s1", "BID 0")
    hall.say("s2", "BID 0")
    wait = timedelta(milliseconds=(question(hall, "s2", "march").due_at or 0) - hall.web.now())
    assert (wait <= timedelta(hours=24)) == agrees


def test_a_reminder_goes_to_the_deputy_as_well(state_dir: Path) -> None:
    """The player and the deputy are reminded, each with an address of their own."""
    hall = build(state_dir)
    game = table(hall, 2, 48)
    standing(hall, game, days=5)
    tick(hall, hours=40)
    reminded = [(a.to_address, a.token) for a, _ in hall.sent if a.kind == "reminder" and a.seat == "s2"]
    assert sorted(address for address, _ in reminded) == ["p2@games.test", ZOE]
    assert len({token for _, token in reminded}) == 2


def test_a_deputy_who_is_master_opens_no_hand(state_dir: Path) -> None:
    """A master who answers for a seat, or has agreed to, is one who plays: they look at no other seat and no deck."""
    hall = build(state_dir)
    game = table(hall, 3)
    ask(hall, game, f"PROMOTE {ZOE}")
    for ahead in (1, 0):
        token = named(hall, game, 3 if ahead else 2, ahead=ahead)
        assert deputies.answer(hall.web, token, agrees=True)
        tick(hall, minutes=1)
        for line in ("OPEN DECK", "OPEN HAND p1"):
            assert meant(hall, game, line, who=ZOE).acts[0].said[0].code == "no_plays_himself"
        deputies.cancel(hall.web, player(hall, 3 if ahead else 2), game, hall.rows(Deputy)[-1].id)
        hall.settle()
    assert not hall.of("opened")
