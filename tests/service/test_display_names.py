"""No two people at one table have names that are taken for one another, by whichever door they come."""

from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.service.deadlines import gate_timing
from pbem.service.seats import deputies, open_tables, seat_offers, substitutes, tables
from pbem.store.models import Application, Deputy, Game, SeatRow, User
from tests.service.master_commands import HOST, meant, user
from tests.service.server_fixtures import Hall, build, seated
from tests.service.timed_games import HOUR

GUEST = "guest@games.test"
LOOK_ALIKES = ("Player 1", "PLAYER 1", "Ｐｌａｙｅｒ　１", "Plаyer 1", "Player l", "Рlауеr\u034f 1")
Door = Callable[[Hall], None]


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A game of two that has begun; its host is p1@, called Player 1."""
    made = build(state_dir)
    seated(made, "toy", 2, 48, watchers="open")
    return made


def call(hall: Hall, address: str, name: str) -> int:
    """A person who is called so already; their number."""
    number = user(hall, address)
    with hall.web.db.transaction() as session:
        session.get_one(User, number).name = name
    return number


def named(hall: Hall, address: str) -> str:
    """How a person is called now."""
    with hall.web.db.snapshot() as session:
        return session.get_one(User, user(hall, address)).name


def forming(hall: Hall) -> str:
    """A table of three that waits for players, with Player 1 as its host, and a guest invited."""
    game = tables.create(hall.web, user(hall, HOST), "toy", "Iris", 3, {}, 48)
    hall.settle()
    tables.invite(hall.web, game, user(hall, HOST), [GUEST])
    hall.settle()
    return game


def invited(hall: Hall) -> str:
    """The token of the last invitation."""
    return str(hall.of("invitation")[-1].frame.links.act.rpartition("/")[2])


def by_link(hall: Hall) -> None:
    """The name that the page of an invitation asks for."""
    forming(hall)
    tables.join(hall.web, invited(hall), "", named(hall, GUEST))


def by_button(hall: Hall) -> None:
    """The button of the invitation, signed in."""
    tables.join_signed_in(hall.web, user(hall, GUEST), forming(hall))


def at_open_table(hall: Hall) -> None:
    """A free seat of an open table."""
    game = forming(hall)
    open_tables.set_open(hall.web, game, True)
    open_tables.join_table(hall.web, user(hall, GUEST), game)


def asking_first(hall: Hall) -> None:
    """A free seat of a table whose master is asked first."""
    game = forming(hall)
    open_tables.set_open(hall.web, game, True)
    assert meant(hall, game, "APPROVAL ON").acts[0].outcome == "done"
    open_tables.join_table(hall.web, user(hall, GUEST), game)


def taking_over(hall: Hall) -> None:
    """A seat that looks for a player."""
    game = hall.rows(Game)[0].id
    substitutes.offer_own_seat(hall.web, user(hall, "p2@games.test"), game)
    substitutes.take_over(hall.web, user(hall, GUEST), game, "s2")


def offered_by_master(hall: Hall) -> None:
    """A seat that a master offers."""
    meant(hall, hall.rows(Game)[0].id, f"REPLACE p2 BY {GUEST}")
    seat_offers.answer(hall.web, str(hall.of("seat")[-1].frame.links.act.rpartition("/")[2]), takes=True)


def as_deputy(hall: Hall) -> None:
    """The days of an absence."""
    away, now = user(hall, "p2@games.test"), hall.web.now()
    gate_timing.add_absence(hall.web, away, now, now + 48 * HOUR)
    deputies.invite(
        hall.web, away, hall.rows(Game)[0].id, GUEST, gate_timing.list_upcoming_absences(hall.web, away)[-1][0]
    )
    hall.settle()
    deputies.answer(hall.web, str(hall.of("deputy")[-1].frame.links.act.rpartition("/")[2]), agrees=True)


DOORS: tuple[Door, ...] = (by_link, by_button, at_open_table, asking_first, taking_over, offered_by_master, as_deputy)


def sits(hall: Hall, number: int) -> bool:
    """Return True if a person has come to a table, or may come to one."""
    came = any(row.user_id == number for row in hall.rows(SeatRow))
    stands = any(row.user_id == number and row.agreed_at is not None for row in hall.rows(Deputy))
    return came or stands or any(row.user_id == number and not row.outcome for row in hall.rows(Application))


@pytest.mark.parametrize("door", DOORS)
def test_a_name_like_one_at_the_table_is_refused_at_each_door(hall: Hall, door: Door) -> None:
    """Nobody comes to a table under a name like one there; they hear whose, and which name would do."""
    number = call(hall, GUEST, "Plаyer 1")
    with pytest.raises(RequestRefused, match="name_alike") as caught:
        door(hall)
    assert caught.value.terms["other"] == "Player 1"
    assert not sits(hall, number)
    assert users.update_profile(hall.web, number, name=str(caught.value.terms["would"]), zone="UTC")


@pytest.mark.parametrize(("door", "name"), [*zip(DOORS, cycle(("Анна", "Νίκος", "Player 3", "Zoé")), strict=False)])
def test_an_honest_name_passes_at_each_door(hall: Hall, door: Door, name: str) -> None:
    """A name of another script, or one that differs in what is seen, comes to the table as it is."""
    number = call(hall, GUEST, name)
    door(hall)
    assert sits(hall, number)
    assert named(hall, GUEST) == name


def test_nobody_changes_their_name_to_one_like_anothers(hall: Hall) -> None:
    """A player cannot take the look of another at any table where they sit; elsewhere the name is free.

    A person is not taken for themselves, and whoever is like another already can still set their zone.
    """
    number = user(hall, "p2@games.test")
    for name in LOOK_ALIKES:
        with pytest.raises(RequestRefused, match="name_alike") as caught:
            users.update_profile(hall.web, number, name=name, zone="UTC")
        assert (caught.value.terms["other"], caught.value.terms["table"]) == ("Player 1", "Rose")
        assert named(hall, "p2@games.test") == "p2"
        assert users.update_profile(hall.web, user(hall, GUEST), name=name, zone="UTC")
    assert users.update_profile(hall.web, number, name="P2", zone="UTC")
    call(hall, "p2@games.test", "PLAYER 1")
    assert users.update_profile(hall.web, number, name="PLAYER 1", zone="Europe/Paris")


def test_a_name_that_shows_nothing_is_none(hall: Hall) -> None:
    """An invisible name is refused in the settings, and leaves the name as it is at an invitation."""
    assert not users.update_profile(hall.web, user(hall, "p2@games.test"), name="\u3164", zone="UTC")
    forming(hall)
    tables.join(hall.web, invited(hall), "", "\u3164\u034f")
    assert named(hall, GUEST) == "guest"


def test_a_name_that_was_made_of_the_address_gets_a_number(hall: Hall) -> None:
    """Who never chose a name joins by letter as ever, and is called so that nobody takes them for another."""
    call(hall, HOST, "Guest")
    forming(hall)
    hall.write_in(invited(hall), ["YES"], sender=GUEST)
    hall.settle()
    assert sits(hall, user(hall, GUEST))
    assert named(hall, GUEST) == "guest 2"
    assert hall.of("joined")[-1].present == ("Guest", "guest 2")


@pytest.mark.parametrize("door", [forming, "offer"])
def test_a_letter_that_takes_a_seat_is_told_why_it_cannot(hall: Hall, door: Callable[[Hall], str] | str) -> None:
    """The answer names whom one would be taken for, and what to do; afterwards the same word takes the seat."""
    number = call(hall, GUEST, "PLAYER 1")
    if callable(door):
        door(hall)
    else:
        meant(hall, hall.rows(Game)[0].id, f"REPLACE p2 BY {GUEST}")
    token = hall.of("invitation" if callable(door) else "seat")[-1].frame.links.act.rpartition("/")[2]
    hall.write_in(token, ["YES"], sender=GUEST)
    hall.settle()
    told = hall.of("notice")[-1]
    assert (told.kind, told.terms["other"], told.terms["would"]) == ("name_alike", "Player 1", "PLAYER 1 2")
    assert not sits(hall, number)
    assert users.update_profile(hall.web, number, name=str(told.terms["would"]), zone="UTC")
    hall.write_in(token, ["YES"], sender=GUEST)
    hall.settle()
    assert sits(hall, number)


def test_masters_are_counted_and_the_one_who_leaves_a_seat_is_not(hall: Hall) -> None:
    """PROMOTE refuses a name like a player's, and says why; who takes a seat over may be called like who left it."""
    number = call(hall, GUEST, "P2")
    act = meant(hall, hall.rows(Game)[0].id, f"PROMOTE {GUEST}").acts[0]
    assert (act.outcome, act.said[0].code) == ("refused", "no_name_alike")
    taking_over(hall)
    assert sits(hall, number)
