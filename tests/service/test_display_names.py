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
from tests.service.master_commands import HOST, get_user_id, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.timed_games import HOUR

GUEST = "guest@games.test"
LOOK_ALIKES = ("Player 1", "PLAYER 1", "Ｐｌａｙｅｒ　１", "Plаyer 1", "Player l", "Рlауеr\u034f 1")
Door = Callable[[ServerHarness], None]


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two that has begun; its host is p1@, called Player 1."""
    made = build(state_dir)
    start_game(made, "toy", 2, 48, watchers="open")
    return made


def call(harness: ServerHarness, address: str, name: str) -> int:
    """A person who is called so already; their number."""
    number = get_user_id(harness, address)
    with harness.web.db.transaction() as session:
        session.get_one(User, number).name = name
    return number


def named(harness: ServerHarness, address: str) -> str:
    """How a person is called now."""
    with harness.web.db.snapshot() as session:
        return session.get_one(User, get_user_id(harness, address)).name


def forming(harness: ServerHarness) -> str:
    """A table of three that waits for players, with Player 1 as its host, and a guest invited."""
    game = tables.create(harness.web, get_user_id(harness, HOST), "toy", "Iris", 3, {}, 48)
    harness.run_queued_tasks()
    tables.invite(harness.web, game, get_user_id(harness, HOST), [GUEST])
    harness.run_queued_tasks()
    return game


def invited(harness: ServerHarness) -> str:
    """The token of the last invitation."""
    return str(harness.sent_facts("invitation")[-1].frame.links.act.rpartition("/")[2])


def by_link(harness: ServerHarness) -> None:
    """The name that the page of an invitation asks for."""
    forming(harness)
    tables.join(harness.web, invited(harness), "", named(harness, GUEST))


def by_button(harness: ServerHarness) -> None:
    """The button of the invitation, signed in."""
    tables.join_signed_in(harness.web, get_user_id(harness, GUEST), forming(harness))


def at_open_table(harness: ServerHarness) -> None:
    """A free seat of an open table."""
    game = forming(harness)
    open_tables.set_open(harness.web, game, True)
    open_tables.join_table(harness.web, get_user_id(harness, GUEST), game)


def asking_first(harness: ServerHarness) -> None:
    """A free seat of a table whose master is asked first."""
    game = forming(harness)
    open_tables.set_open(harness.web, game, True)
    assert send_confirmed(harness, game, "APPROVAL ON").acts[0].outcome == "done"
    open_tables.join_table(harness.web, get_user_id(harness, GUEST), game)


def taking_over(harness: ServerHarness) -> None:
    """A seat that looks for a player."""
    game = harness.load_rows(Game)[0].id
    substitutes.offer_own_seat(harness.web, get_user_id(harness, "p2@games.test"), game)
    substitutes.take_over(harness.web, get_user_id(harness, GUEST), game, "s2")


def offered_by_master(harness: ServerHarness) -> None:
    """A seat that a master offers."""
    send_confirmed(harness, harness.load_rows(Game)[0].id, f"REPLACE p2 BY {GUEST}")
    seat_offers.answer(harness.web, str(harness.sent_facts("seat")[-1].frame.links.act.rpartition("/")[2]), takes=True)


def as_deputy(harness: ServerHarness) -> None:
    """The days of an absence."""
    away, now = get_user_id(harness, "p2@games.test"), harness.web.now()
    gate_timing.add_absence(harness.web, away, now, now + 48 * HOUR)
    deputies.invite(
        harness.web,
        away,
        harness.load_rows(Game)[0].id,
        GUEST,
        gate_timing.list_upcoming_absences(harness.web, away)[-1][0],
    )
    harness.run_queued_tasks()
    deputies.answer(harness.web, str(harness.sent_facts("deputy")[-1].frame.links.act.rpartition("/")[2]), agrees=True)


DOORS: tuple[Door, ...] = (by_link, by_button, at_open_table, asking_first, taking_over, offered_by_master, as_deputy)


def sits(harness: ServerHarness, number: int) -> bool:
    """Return True if a person has come to a table, or may come to one."""
    came = any(row.user_id == number for row in harness.load_rows(SeatRow))
    stands = any(row.user_id == number and row.agreed_at is not None for row in harness.load_rows(Deputy))
    return came or stands or any(row.user_id == number and not row.outcome for row in harness.load_rows(Application))


@pytest.mark.parametrize("door", DOORS)
def test_a_name_like_one_at_the_table_is_refused_at_each_door(harness: ServerHarness, door: Door) -> None:
    """Nobody comes to a table under a name like one there; they hear whose, and which name would do."""
    number = call(harness, GUEST, "Plаyer 1")
    with pytest.raises(RequestRefused, match="name_alike") as caught:
        door(harness)
    assert caught.value.terms["other"] == "Player 1"
    assert not sits(harness, number)
    assert users.update_profile(harness.web, number, name=str(caught.value.terms["would"]), zone="UTC")


@pytest.mark.parametrize(("door", "name"), [*zip(DOORS, cycle(("Анна", "Νίκος", "Player 3", "Zoé")), strict=False)])
def test_an_honest_name_passes_at_each_door(harness: ServerHarness, door: Door, name: str) -> None:
    """A name of another script, or one that differs in what is seen, comes to the table as it is."""
    number = call(harness, GUEST, name)
    door(harness)
    assert sits(harness, number)
    assert named(harness, GUEST) == name


def test_nobody_changes_their_name_to_one_like_anothers(harness: ServerHarness) -> None:
    """A player cannot take the look of another at any table where they sit; elsewhere the name is free.

    A person is not taken for themselves, and whoever is like another already can still set their zone.
    """
    number = get_user_id(harness, "p2@games.test")
    for name in LOOK_ALIKES:
        with pytest.raises(RequestRefused, match="name_alike") as caught:
            users.update_profile(harness.web, number, name=name, zone="UTC")
        assert (caught.value.terms["other"], caught.value.terms["table"]) == ("Player 1", "Rose")
        assert named(harness, "p2@games.test") == "p2"
        assert users.update_profile(harness.web, get_user_id(harness, GUEST), name=name, zone="UTC")
    assert users.update_profile(harness.web, number, name="P2", zone="UTC")
    call(harness, "p2@games.test", "PLAYER 1")
    assert users.update_profile(harness.web, number, name="PLAYER 1", zone="Europe/Paris")


def test_a_name_that_shows_nothing_is_none(harness: ServerHarness) -> None:
    """An invisible name is refused in the settings, and leaves the name as it is at an invitation."""
    assert not users.update_profile(harness.web, get_user_id(harness, "p2@games.test"), name="\u3164", zone="UTC")
    forming(harness)
    tables.join(harness.web, invited(harness), "", "\u3164\u034f")
    assert named(harness, GUEST) == "guest"


def test_a_name_that_was_made_of_the_address_gets_a_number(harness: ServerHarness) -> None:
    """Who never chose a name joins by letter as ever, and is called so that nobody takes them for another."""
    call(harness, HOST, "Guest")
    forming(harness)
    harness.receive_reply(invited(harness), ["YES"], sender=GUEST)
    harness.run_queued_tasks()
    assert sits(harness, get_user_id(harness, GUEST))
    assert named(harness, GUEST) == "guest 2"
    assert harness.sent_facts("joined")[-1].present == ("Guest", "guest 2")


@pytest.mark.parametrize("door", [forming, "offer"])
def test_a_letter_that_takes_a_seat_is_told_why_it_cannot(
    harness: ServerHarness, door: Callable[[ServerHarness], str] | str
) -> None:
    """The answer names whom one would be taken for, and what to do; afterwards the same word takes the seat."""
    number = call(harness, GUEST, "PLAYER 1")
    if callable(door):
        door(harness)
    else:
        send_confirmed(harness, harness.load_rows(Game)[0].id, f"REPLACE p2 BY {GUEST}")
    token = harness.sent_facts("invitation" if callable(door) else "seat")[-1].frame.links.act.rpartition("/")[2]
    harness.receive_reply(token, ["YES"], sender=GUEST)
    harness.run_queued_tasks()
    told = harness.sent_facts("notice")[-1]
    assert (told.kind, told.terms["other"], told.terms["would"]) == ("name_alike", "Player 1", "PLAYER 1 2")
    assert not sits(harness, number)
    assert users.update_profile(harness.web, number, name=str(told.terms["would"]), zone="UTC")
    harness.receive_reply(token, ["YES"], sender=GUEST)
    harness.run_queued_tasks()
    assert sits(harness, number)


def test_masters_are_counted_and_the_one_who_leaves_a_seat_is_not(harness: ServerHarness) -> None:
    """PROMOTE refuses a name like a player's, and says why; who takes a seat over may be called like who left it."""
    number = call(harness, GUEST, "P2")
    act = send_confirmed(harness, harness.load_rows(Game)[0].id, f"PROMOTE {GUEST}").acts[0]
    assert (act.outcome, act.said[0].code) == ("refused", "no_name_alike")
    taking_over(harness)
    assert sits(harness, number)


ORDERLY = (
    "Leave the game",
    "Leave the game ; ; ; ; ; ; ; ; ; ;",
    "Sam Leave the game",
    "LEAVE  THE\u00a0GAME",
    "Ann RESIGN",
    "Quitter la partie",
    "BID 9",
    "Jo For march",
    "My address a@b",
    "Forget me",
    "END",
    "Zoe Pass",
    "everyone",
    "Tout le monde",
    "game master",
    "The G. M.",
    "GМ",
    "Le Maître du Jeu",
)


@pytest.mark.parametrize("name", ORDERLY)
def test_no_name_or_title_reads_like_an_order_or_like_everybody(harness: ServerHarness, name: str) -> None:
    """Neither a player nor a table is called so; a person whose address says it gets a name that says nothing."""
    with pytest.raises(RequestRefused, match="reserved_words"):
        users.update_profile(harness.web, get_user_id(harness, "p2@games.test"), name=name, zone="UTC")
    with pytest.raises(RequestRefused, match="reserved_words"):
        tables.create(harness.web, get_user_id(harness, HOST), "toy", name, 3, {}, 48)
    assert named(harness, "p2@games.test") == "p2"


@pytest.mark.parametrize("name", ["Ada (bоt)", "Ada [bot]", "bot Ada", "Ada (B O T)"])
def test_only_a_bot_is_called_one(harness: ServerHarness, name: str) -> None:
    """The mark of bots, however it is written, is no part of a person's name."""
    with pytest.raises(RequestRefused, match="name_of_bots"):
        users.update_profile(harness.web, get_user_id(harness, "p2@games.test"), name=name, zone="UTC")


@pytest.mark.parametrize("name", ["Jean Marchand", "Bill Banker", "Zoé", "O'Neil", "Abbot", "Анна", "P. G. Wodehouse"])
def test_an_ordinary_name_is_no_order(harness: ServerHarness, name: str) -> None:
    """A surname may be a keyword: nothing follows it."""
    assert users.update_profile(harness.web, get_user_id(harness, "p2@games.test"), name=name, zone="UTC")


def test_names_and_titles_hold_no_semicolon_and_nothing_invisible(harness: ServerHarness) -> None:
    """A semicolon, in any width, and signs that show nothing or turn the line round are left out."""
    users.update_profile(harness.web, get_user_id(harness, "p2@games.test"), name="; x；\u202e\u200by\n;", zone="UTC")
    assert named(harness, "p2@games.test") == "x y"


@pytest.mark.parametrize("address", ["leave.the.game@games.test", "resign@games.test", "everyone@games.test"])
def test_a_name_made_of_an_address_is_no_order_either(harness: ServerHarness, address: str) -> None:
    """Who comes by such an address is called Player and something, until they choose a name."""
    with harness.web.db.transaction() as session:
        user = users.get_or_create_user(harness.web, session, address)
        assert user.name.startswith("Player ")
