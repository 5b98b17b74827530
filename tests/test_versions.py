"""Later versions of a game and of what it saves, shown once on the smallest game."""

import json
from pathlib import Path

from engine.kernel.codec import dump, load
from engine.kernel.options import uses_reading
from engine.kernel.run import empty_state, fold, start
from engine.kernel.viewers import Seat
from pbem.service.tasks.replay import replay_games
from tests.service.master_commands import send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy import RULES
from tests.toy.events import Fought, Left
from tests.toy.second import SECOND

ANN, BOB = Seat("ann"), Seat("bob")


def bid_nothing(harness: ServerHarness, turn: int) -> None:
    """Play a turn in which nobody bids or marches."""
    for lines in (["BID 0"], ["PASS"]):
        for seat in ("s1", "s2"):
            harness.reply(seat, *lines)
    assert harness.load_state(game_of(harness)).board.turn == turn + 1


def game_of(harness: ServerHarness) -> str:
    """The one game of the server."""
    (game,) = {address.game for address, _ in harness.sent if address.game}
    return str(game)


def cards(harness: ServerHarness) -> int:
    """How many cards the seats hold."""
    return sum(map(len, harness.load_state(game_of(harness)).board.hands.values()))


def test_a_game_keeps_its_reading_until_its_master_adopts_the_newer_one(state_dir: Path) -> None:
    """A table of version 1 plays on as it began, from the ruling on by the new reading, and replays without difference.

    A new table begins with the new reading.
    """
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.configure(installed={"toy": SECOND})
    held = cards(harness)
    bid_nothing(harness, 1)
    assert cards(harness) == held + 1
    send_confirmed(harness, game, "CORRECT as printed", "ADOPT READINGS 2")
    bid_nothing(harness, 2)
    assert cards(harness) == held + 1
    assert [one.differences for one in replay_games(harness.resolver)] == [()]
    assert harness.load_game(game).rules_version == "1"
    assert start(SECOND, (ANN, BOB), {}, b"new").position.core.options["readings"] == "2"


def test_a_position_of_before_holds_no_option_that_came_later() -> None:
    """The rules of version 2 begin a game of version 1 in the same words, and read it as the first version did."""
    options = RULES.meta.chosen({"pace": "in_order"})
    position = empty_state(SECOND, (ANN, BOB), options, b"run")
    assert dump(position) == dump(empty_state(RULES, (ANN, BOB), options, b"run"))
    assert not uses_reading(position.core.options, 2)


def test_facts_of_before_are_read_by_the_classes_of_today() -> None:
    """`Fought` of version 1 had one roll and is brought up; `Left` had no farewell and is written as it was."""
    before = start(RULES, (ANN, BOB), {}, b"run").position
    told = '{"!":"toy.Fought/1","roll":5,"seat":"ann","visible_to":null,"town":"mill","won":true}'
    fought = load(told)
    assert fought == Fought(seat=ANN, town="mill", rolls=(5,), won=True)
    assert fold(RULES, before, (fought,)).board.owner == {"mill": ANN}
    left = '{"!":"toy.Left/1","seat":"bob","visible_to":null}'
    assert load(left) == Left(seat=BOB)
    assert dump(load(left)) == left
    assert json.loads(dump(Left(seat=BOB, farewell="Adieu")))["farewell"] == "Adieu"
