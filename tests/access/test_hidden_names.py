"""A table whose names are hidden: from the deal to the end no letter, page or program tells who plays which seat."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import select

from engine.kernel.codec import dump
from pbem.crypto import new_token
from pbem.service.access import permissions
from pbem.service.deadlines import gate_timing
from pbem.service.mail import delivery
from pbem.service.messages import conversations, messages
from pbem.service.seats import deputies, seat_offers, substitutes
from pbem.store.games import CALLED, lock_game
from pbem.store.models import SeatRow, User
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.routes import ROUTES as PAGES
from tests.access.world import ADDRESSES, World, path_of
from tests.archive.bots import play_on
from tests.service.master_commands import (
    MASTER,
    build_mastered_game,
    get_user_id,
    load_audit,
    send_commands,
    send_confirmed,
)
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import hidden, site

PLAYERS = {
    "p2@games.test": "Berenice Holt",
    "p3@games.test": "Caspian Moor",
    "p4@games.test": "Dorothea Finch",
    "zoe@players.test": "Zoe Yarrow",
    "nora@players.test": "Nora Applegarth",
    "quentin@players.test": "Quentin Ash",
}
"""Whose names nobody may read. The host's is on the invitations; which seat is theirs nobody learns either."""
SHORT = ("nobody", "other")
LONG = ("stranger", "own", "deputy", "former", "substitute", "spectator", "playing")


def seat_of(harness: ServerHarness, address: str) -> str:
    """Where a person sits."""
    number = get_user_id(harness, address)
    return next(row.seat for row in harness.load_rows(SeatRow) if row.user_id == number)


def hidden_table(folder: Path) -> World:
    """A game of four on which all happens that tells of people: talk, a deputy, a substitute, a missed deadline."""
    harness = build(folder)
    game = start_game(harness, "toy", 4, 48, talk="free", watchers="open", names="hidden")
    ids = {address: get_user_id(harness, address) for address in {*ADDRESSES.values(), *PLAYERS}}
    with harness.web.db.transaction() as session:
        for user in session.scalars(select(User).where(User.email.in_(PLAYERS))):
            user.name = PLAYERS[user.email]
        table = lock_game(session, game)
        assert table is not None
        permissions.appoint_master(harness.web, session, table, session.get_one(User, ids["max@players.test"]))
    harness.sent.clear()  # what was sent before the deal names people
    world = World(harness, site(harness), game, {}, "")
    host, second, third = (ids[f"p{number}@games.test"] for number in (1, 2, 3))
    for by, to in ((host, "all"), (second, "master"), (third, seat_of(harness, "p2@games.test"))):
        messages.send(harness.web, by, game, [to], "Let us talk.", new_token())
    send_commands(harness, game, "CALL", who="p2@games.test")
    now = harness.web.now()
    gate_timing.add_absence(harness.web, second, now, now + 20 * 86_400_000)
    deputies.invite(
        harness.web, second, game, "zoe@players.test", gate_timing.list_upcoming_absences(harness.web, second)[0][0]
    )
    harness.run_queued_tasks()
    link = harness.sent_facts("deputy")[-1].frame.links.act
    assert deputies.answer(harness.web, link.rpartition("/")[2], agrees=True)
    substitutes.offer_own_seat(harness.web, ids["p4@games.test"], game)
    substitutes.take_over(harness.web, ids["nora@players.test"], game, seat_of(harness, "p4@games.test"))
    harness.run_queued_tasks()
    for hours in (40, 30, 60, 60):
        harness.advance_time(hours=hours)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
    send_commands(harness, game, "STATUS", who=ADDRESSES["master"])
    send_confirmed(harness, game, "REPLACE Charlie BY quentin@players.test", who=ADDRESSES["master"])
    offer = harness.sent_facts("seat")[-1].frame.links.act
    assert seat_offers.answer(harness.web, offer.rpartition("/")[2], takes=True)
    harness.run_queued_tasks()
    send_confirmed(harness, game, "EXTEND 24", who=ADDRESSES["master"])
    return world


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Such a table, for tests that change nothing of the game."""
    with TemporaryDirectory(prefix="pbem-hn-") as folder:
        yield hidden_table(Path(folder))


def names_in(text: str, reader: str) -> set[str]:
    """The names and addresses of other players that stand in what somebody reads, not as the end of a reply token."""
    others = {word for address, name in PLAYERS.items() if address != reader for word in (name, address)}
    return {word for word in others if re.search(rf"(?<![a-z0-9]){re.escape(word)}", text, re.IGNORECASE)}


KNOWN = {"deputy": {"Berenice Holt"}, "substitute": set[str](), "own": {"Zoe Yarrow", "zoe@players.test"}}
"""Who named a deputy knows them, and the other way round."""


def test_no_letter_names_another_player(world: World) -> None:
    """Whatever was told since the deal, to whomever: only a player and the deputy of their choice know each other."""
    known = {ADDRESSES[visitor]: words for visitor, words in KNOWN.items()}
    read = 0
    for address, facts in world.harness.sent:
        if address.to_address != ADDRESSES["master"]:
            read += 1
            found = names_in(dump(facts), address.to_address) - known.get(address.to_address, set())
            assert found == set(), (address.kind, address.to_address, facts)
    assert read > 30
    kinds = {facts.kind for address, facts in world.harness.sent if address.kind == "notice"}
    assert {"deputy_began", "offered", "taken"} <= kinds


def test_a_letter_calls_seats_by_their_hidden_names(world: World) -> None:
    """Alpha, Bravo and so on, the same for all, in a message as in a report."""
    facts = world.harness.sent_facts("report")[-1]
    assert list(facts.frame.table.names.values()) == CALLED[:4]
    said = [facts.author for facts in world.harness.sent_facts("talk")]
    assert set(said) <= set(CALLED[:4])


@pytest.mark.parametrize("visitor", [*SHORT, *(pytest.param(visitor, marks=pytest.mark.long) for visitor in LONG)])
def test_no_page_and_no_program_names_another_player(world: World, visitor: str) -> None:
    """Every page and every call, as each visitor sees it."""
    signed = world.browser(visitor)
    key = hidden(signed.get("/sign-in").text, "csrf_token")
    for route in PAGES:
        for method in route.methods:
            if route.endpoint not in ("sign_out", "delete_account", "start_practice"):
                sent = {"csrf_token": key} if method == "POST" else None
                answer = signed.client.open(path_of(route.rule, world), method=method, data=sent)
                found = names_in(answer.get_data(as_text=True), ADDRESSES.get(visitor, ""))
                assert found - KNOWN.get(visitor, set()) == set(), (method, route.rule)
    client = world.app.test_client()
    for operation in OPERATIONS:
        answer = client.open(
            PREFIX + path_of(operation.path, world),
            method=operation.method,
            headers=world.program(visitor, operation.scope),
            json={} if operation.body else None,
        )
        found = names_in(answer.get_data(as_text=True), ADDRESSES.get(visitor, ""))
        assert found - KNOWN.get(visitor, set()) == set(), operation.path


def test_when_the_game_is_over_everybody_reads_who_was_who(state_dir: Path) -> None:
    """The last letter, and the pages of the finished game, have the names again."""
    world = hidden_table(state_dir)
    play_on(world.harness, world.game, 10_000)
    while delivery.deliver(world.harness.mailer):
        pass
    names = set(world.harness.sent_facts("game_over")[-1].frame.table.names.values())
    assert {"Berenice Holt", "Quentin Ash", "Nora Applegarth"} <= names
    assert "Quentin Ash" in world.browser("own").get(f"/games/{world.game}").text


def test_seats_are_drawn_when_the_table_is_full(state_dir: Path) -> None:
    """The host, who invited each to a seat, learns nothing by it; what a person put into the deal goes with them."""
    harness = build(state_dir)
    start_game(harness, "toy", 4, 48, names="hidden")
    rows = harness.load_rows(SeatRow)
    people = [get_user_id(harness, f"p{number}@games.test") for number in (1, 2, 3, 4)]
    assert sorted(row.user_id or 0 for row in rows) == sorted(people)
    assert [row.user_id for row in rows] != people
    assert {row.user_id: row.seed_words for row in rows} == {
        number: "luck" if number != people[0] else "" for number in people
    }


def test_a_player_becomes_master_by_the_name_of_the_seat_alone(state_dir: Path) -> None:
    """Named by address, they would be known by what they then do as a master."""
    harness, game = build_mastered_game(state_dir, names="hidden")
    said = send_confirmed(harness, game, "PROMOTE p2@games.test", who=MASTER)
    assert [message.code for act in said.acts for message in act.said] == ["no_plays_hidden"]
    number = seat_of(harness, "p2@games.test")
    called = CALLED[int(number[1:]) - 1]
    send_confirmed(harness, game, f"PROMOTE {called}", who=MASTER)
    send_confirmed(harness, game, "EXTEND 24", who="p2@games.test")
    assert {line.name for line in load_audit(harness, game)} == {"olga", called}


def test_a_question_to_the_master_does_not_reach_one_who_plays(state_dir: Path) -> None:
    """Their answer would come from their seat."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 48, names="hidden")
    second = get_user_id(harness, "p2@games.test")
    with pytest.raises(messages.MessageRefused, match="nobody"):
        messages.send(harness.web, second, game, ["master"], "May I?", new_token())
    assert "master" not in [one.name for one in conversations.load_conversation(harness.web, second, game).audiences]
