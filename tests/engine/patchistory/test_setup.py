"""Mise en place de la partie."""

from collections import Counter

import pytest

from engine.kernel.run import start
from engine.kernel.secrets import truth
from engine.patchistory.effects import level, production
from engine.patchistory.events import EraBegan, RouteLaid, TurnBegan
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import SEATS, Went, events_of, has


def begun(seats: int, **options: str) -> Went:
    """A game set up to its first question."""
    return start(RULES, SEATS[:seats], options, b"seed")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_begins_with_the_same(seats: int) -> None:
    """4 Food, 3 Money, 20 Culture, 4 building tiles, 3 prosperity cards, 8 workers on the People track."""
    board = begun(seats).position.board
    for seat, player in board.players.items():
        goods = [has(begun(seats).position, seat, good) for good in ("food", "resource", "money", "culture", "vote")]
        assert goods == [4, 0, 3, 20, 0]
        assert (len(player.pack), len(player.cards), player.track) == (4, 3, 8)
    assert (len(board.pile), len(board.stack)) == (36 - 4 * seats, 15 - 3 * seats)


@pytest.mark.holds("patchistory", "ruling", "A-30")
@pytest.mark.parametrize(("seats", "routes"), [(2, 0), (3, 3), (4, 4)])
def test_each_player_has_a_route_to_the_left(seats: int, routes: int) -> None:
    """With three or four players a main route starts at each and ends at the left neighbour; with two there is none."""
    went = begun(seats)
    laid = events_of(went, RouteLaid)
    assert len(laid) == routes
    board = went.position.board
    assert all(event.end == board.left_of(event.start) for event in laid)
    assert Counter(event.end for event in laid) == Counter(event.start for event in laid)


def test_markers_show_the_symbols_outside_gold_frames() -> None:
    """The levels at the beginning are those of the capital without its gold frames."""
    board = begun(4).position.board
    for seat in board.players:
        assert [level(board, seat, name) for name in ("politics", "transport", "military", "defence")] == [1, 1, 1, 0]
        assert production(board, seat) == {"food": 1, "money": 1, "culture": 1}


def test_liberty_capitals_differ() -> None:
    """Everybody plays the same side; on the side Liberty no two capitals are alike."""
    board = begun(4, side="liberty").position.board
    shown = {tuple(square.room for square in player.territory.values()) for player in board.players.values()}
    assert len(shown) == 4


def test_the_first_era_is_shuffled_as_the_first_round_begins() -> None:
    """25 tiles of the first era; those offered come from them."""
    went = begun(4)
    assert [event.turn for event in events_of(went, TurnBegan)] == [1]
    assert [event.era for event in events_of(went, EraBegan)] == [1]
    with truth():
        deck = [tile.value for tile in went.position.board.deck]
    offered = [lot.tile for lot in went.position.board.offer]
    assert len(set(deck) | set(offered)) == 25
