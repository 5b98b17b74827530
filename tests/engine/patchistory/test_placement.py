"""1. Placement des Tuiles Terrain, from the letter to the territory; free workers; workers on covered squares."""

from typing import Any

import pytest

from engine.kernel.orders import Clause, Condition, Line, Problem
from engine.patchistory.board import Lot, Phase
from engine.patchistory.catalogue import BLACK, WHITE
from engine.patchistory.effects import level, production
from engine.patchistory.events import TileDiscarded, TilePlaced, WorkerMoved, WorkerSentBack, WorkerSettled
from engine.patchistory.orders import Forgo, Home, Place, Settle
from engine.patchistory.territory import Square
from tests.engine.patchistory.build import (
    BLUE,
    GREEN,
    RED,
    At,
    code,
    enter,
    events_of,
    game,
    judged,
    play,
    refused,
    workers,
)

GATE = "placement/2"


def with_lot(tile: str, side: str, seats: int = 3, **options: Any) -> At:
    """Red has won a tile, and is asked where it goes."""
    position = game(seats, phase=Phase.PLACEMENT, **options)
    position.board.players[RED].won = Lot("A", tile, side)
    return enter(position, Phase.PLACEMENT).position


def test_a_tile_is_placed_and_the_markers_follow() -> None:
    """What is covered counts no more, what is seen counts at once (as in the example of Vasco)."""
    position = with_lot("I-07", WHITE)
    went = play(position, GATE, {RED: Place("H9")})
    board = went.position.board
    assert events_of(went, TilePlaced)[0].corner == "H9"
    assert board.players[RED].won is None
    assert production(board, RED) == {"food": 1, "money": 1, "culture": 1, "resource": 1}
    assert [level(board, RED, name) for name in ("politics", "transport", "military", "defence")] == [1, 1, 1, 1]


def test_refusals_name_the_squares() -> None:
    """A placement that breaks a rule is refused with the squares that break it."""
    problem = refused(with_lot("I-04", WHITE), RED, "placement", Place("K9", ("K9",)))
    assert problem is not None
    assert (problem.code, problem.terms["squares"]) == ("both_ways", ("K10",))
    far = refused(with_lot("I-04", WHITE), RED, "placement", Place("A1"))
    assert far is not None
    assert (far.code, far.terms) == ("apart", {"square": "A1"})


def test_the_limit_is_that_of_the_era() -> None:
    """5x5 in the first era, 6x6 in the second, 7x7 in the third."""
    for turn, widest in ((2, 5), (7, 6), (12, 7)):
        position = game(turn=turn, phase=Phase.PLACEMENT)
        player = position.board.players[RED]
        player.won = Lot("A", "I-07", WHITE)
        row = {f"{'JKLMNO'[n]}9": Square(f"plain-{n}", "A", "farm") for n in range(widest - 1)}
        player.territory = {**player.territory, **row}
        last = "HIJKLMNO"[widest]
        assert code(refused(position, RED, "placement", Place(f"{last}9"))) == "too_large"


def test_a_tile_need_not_be_placed() -> None:
    """A tile that is not wanted is discarded; so is one of which nothing is said."""
    assert events_of(play(with_lot("I-07", WHITE), GATE, {RED: Forgo()}), TileDiscarded)[0].tile == "I-07"
    assert events_of(play(with_lot("I-07", WHITE), GATE, {}), TileDiscarded)


def test_a_mistaken_line_never_discards_a_tile() -> None:
    """Where no line can be done, the author is asked again instead of losing the tile."""
    went = play(with_lot("I-07", WHITE), GATE, {RED: Place("A1")})
    assert not events_of(went, TileDiscarded)
    assert went.position.core.gates() == (f"{GATE}~1",)
    again = play(went.position, f"{GATE}~1", {RED: Place("K9")})
    assert events_of(again, TilePlaced)


def test_placement_on_condition() -> None:
    """IF I WIN A: PLACE at one place, IF I WIN B: at another; the first line that can be done is."""
    lines = tuple(
        Line((Clause(Place(corner), (Condition("win", {"lot": lot}),)),)) for lot, corner in (("B", "K9"), ("A", "H9"))
    )
    assert events_of(play(with_lot("I-07", WHITE), GATE, {RED: lines}), TilePlaced)[0].corner == "H9"


def test_a_placement_may_name_its_lot() -> None:
    """PLACE A is for the lot A alone."""
    assert code(refused(with_lot("I-07", WHITE), RED, "placement", Place("K9", lot="B"))) == "won_another"
    assert refused(with_lot("I-07", WHITE), RED, "placement", Place("K9", lot="A")) is None


def test_the_side_on_offer_is_up() -> None:
    """With three or four players the side that was offered is placed."""
    assert code(refused(with_lot("I-07", WHITE), RED, "placement", Place("K9", side=BLACK))) == "side_given"


def test_two_players_choose_the_side() -> None:
    """P. 15: with two players the owner chooses the side, and must say which; they place in turn order."""
    position = with_lot("I-07", "", seats=2)
    assert position.core.gates() == (f"{GATE}/{RED}",)
    assert code(refused(position, RED, "placement", Place("K9"))) == "side_needed"
    went = play(position, f"{GATE}/{RED}", {RED: Place("K9", side=BLACK)})
    assert went.position.board.players[RED].territory["K9"].shows.id == "fishery"


def test_wholly_over_or_under_where_the_table_plays_so() -> None:
    """A-05: without `mixed` a tile lies wholly over or wholly under."""
    position = with_lot("I-07", WHITE, mixed="no")
    player = position.board.players[RED]
    player.territory = {**player.territory, "L9": Square("I-01", "A", "council")}
    order = Place("K8", ("L9",))
    assert code(refused(position, RED, "placement", order)) == "not_mixed"
    position.core.options = {**position.core.options, "mixed": "yes"}
    assert refused(position, RED, "placement", order) is None


def test_a_worker_stays_on_a_covered_square() -> None:
    """A worker on a covered square stays, and works on the new location."""
    position = with_lot("I-07", WHITE)
    workers(position, RED, "K10")
    went = play(position, GATE, {RED: Place("K10")})
    board = went.position.board
    assert board.players[RED].workers == ("K10",)
    assert level(board, RED, "defence") == 2


@pytest.mark.holds("patchistory", "ruling", "A-10")
@pytest.mark.holds("patchistory", "reaction", "crowd")
def test_two_workers_on_one_location_make_room() -> None:
    """A-10: where a new location takes in two workers, the owner moves the second at once to a free location."""
    position = with_lot("I-02", WHITE)
    workers(position, RED, "J10", "K10")
    went = play(position, GATE, {RED: Place("J9")})
    assert went.position.core.questions[0].topic == "crowd"
    went = play(went.position, f"crowd/2/{RED}", {RED: Home(("I9",))})
    assert [(event.start, event.to) for event in events_of(went, WorkerMoved)] == [("K10", "I9")]


def test_a_preview_says_what_the_author_will_be_asked_next() -> None:
    """A placement that crowds a location costs another letter: that is said with the receipt."""
    position = with_lot("I-02", WHITE)
    workers(position, RED, "J10", "K10")
    (result,) = judged(position, RED, "placement", Place("J9"))
    assert Problem("asked_next", {"asks": "crowd"}) in result.notes


def test_without_a_free_location_the_second_worker_goes_back() -> None:
    """Where no location is free, who must make room goes back to the People track."""
    position = with_lot("I-02", WHITE)
    workers(position, RED, "I9", "J9", "K9", "I10", "J10", "K10")
    went = play(position, GATE, {RED: Place("J9")})
    went = play(went.position, f"crowd/2/{RED}", {})
    assert [event.square for event in events_of(went, WorkerSentBack)] == ["K10"]


def test_free_workers_after_the_first_auction() -> None:
    """Important: Equality one worker, Liberty two, on different locations of one's choice."""
    for side, count in (("equality", 1), ("liberty", 2)):
        began = enter(game(turn=1, side=side), Phase.PLACEMENT)
        went = play(began.position, "settle/1", {RED: Settle(("J9", "I10", "K9"))})
        mine = [event.square for event in events_of(went, WorkerSettled) if event.seat == RED]
        assert mine == ["J9", "I10"][:count]
        for seat in (GREEN, BLUE):
            assert sum(event.seat == seat for event in events_of(went, WorkerSettled)) == count


def test_a_worker_goes_to_squares_of_ones_own() -> None:
    """Squares outside the territory, and locations that are taken, are refused."""
    position = game(phase=Phase.PLACEMENT)
    workers(position, RED, "I9")
    assert code(refused(position, RED, "settle", Settle(("A1",)))) == "taken_square"
    assert code(refused(position, RED, "settle", Settle(("I9",)))) == "taken_square"
    assert refused(position, RED, "settle", Settle(("I9", "J9"))) is None
