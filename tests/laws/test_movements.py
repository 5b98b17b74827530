"""What moves with an event, held against the pictures before and after it, on whole games between bots."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import pytest

from engine.kernel.bots import Entry
from engine.kernel.events import Event
from engine.kernel.languages import DEFAULT
from engine.kernel.movements import CARD, MAP, SEAT, TABLE, Moment, Movement, Pieces, Spot, pieces_of, trace
from engine.kernel.pictures import DrawsBoard
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Viewer
from tests.budget import budget
from tests.every_game import cases, one_game
from tests.invariants import words_in

NAMES = sorted(cases())
every_game = pytest.mark.parametrize("name", NAMES)


HAND = "hand"
"""A zone that a page shows apart from the picture."""


@dataclass(frozen=True)
class Shown:
    """An entry as one viewer is shown it."""

    rules: Rules[Any]
    viewer: Viewer
    before: Position[Any]
    events: tuple[Event, ...]
    after: Position[Any]

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        return tuple(trace(self.rules, self.before, self.events, self.after, self.viewer))

    def drawn(self, position: Position[Any]) -> str:
        assert isinstance(self.rules, DrawsBoard)
        with seen_by(self.viewer):
            return self.rules.draw(self.rules.present_view(position, self.viewer), DEFAULT, live=True)


@cache
def shown(name: str, most: int = 5) -> tuple[Shown, ...]:
    """Some entries of the game that the short suite plays, as a seat and the public are shown them; with `--full` all
    of all games, as two seats are.
    """
    return tuple(_list_shown(name, most))


def _list_shown(name: str, most: int) -> Iterator[Shown]:
    case = cases()[name]
    first = NAMES.index(name) % case.games
    for number in range(first, first + budget(1, case.games)):
        beginning, game = one_game(name, number % case.games)
        for entry in game.entries[1 :: budget(1 + len(game.entries) // most, 1)]:
            for viewer in (*beginning.seats[: budget(1, 2)], PUBLIC):
                yield _shown(case.rules, entry, viewer)


def _shown(rules: Rules[Any], entry: Entry[Any], viewer: Viewer) -> Shown:
    assert entry.before is not None
    before, after = redact(entry.before, viewer), redact(entry.after.position, viewer)
    return Shown(rules, viewer, before, redact(entry.after.events, viewer), after)


def _carry_out(pieces: Pieces, done: Iterable[Movement]) -> Pieces:
    """Where pieces lie after some movements."""
    lying = Counter(pieces)
    for one in done:
        if one.origin is not None:
            lying[one.origin, one.turned or one.piece] -= one.count
        if one.target is not None:
            lying[one.target, one.piece] += one.count
    return {place: n for place, n in lying.items() if n}


@every_game
def test_movements_lead_from_the_pieces_before_to_those_after(name: str) -> None:
    """Each belongs to an event, but for cards that a viewer does not know, or comes to know without having drawn them:
    how many others hold, and what one's own hand holds now.
    """
    told = 0
    for one in shown(name):
        lying = pieces_of(one.rules, one.before, one.viewer)
        for moment in one.moments:
            lying = _carry_out(lying, moment.movements)
            assert min(lying.values()) > 0, f"{moment.event} moves pieces that are not there"
            told += moment.event is not None and bool(moment.movements)
            for moved in moment.movements if moment.event is None else ():
                hidden = moved.turned or moved.piece
                assert (hidden.kind, hidden.face) == (CARD, ""), f"no event of {one.events} tells {moved}"
        assert lying == pieces_of(one.rules, one.after, one.viewer)
    assert told


@every_game
def test_a_movement_names_no_card_that_its_viewer_was_not_shown(name: str) -> None:
    """Every face stands in the viewer's own position before or after, or in the events that they were told."""
    for one in shown(name):
        known = words_in((one.before, one.events, one.after))
        moved = (movement for moment in one.moments for movement in moment.movements)
        faces = {piece.face for m in moved for piece in (m.piece, m.turned) if piece is not None and piece.kind == CARD}
        assert faces <= known | {""}


@every_game
def test_both_ends_of_a_movement_are_in_the_picture(name: str) -> None:
    """A piece lies at a place that is drawn then, at a seat, in the hand below the board, or beside it."""
    ends = 0
    for one in shown(name)[:: budget(2, 1)]:
        picture = one.drawn(one.before)
        for moment in one.moments:
            now = one.drawn(moment.after)
            for movement in moment.movements:
                for spot, there in ((movement.origin, picture), (movement.target, now)):
                    if spot is not None and spot.zone not in (SEAT, TABLE, HAND):
                        ends += 1
                        assert all(mark in there for mark in _marks(spot)), f"{moment.event}: {spot} is not drawn"
            picture = now
    assert ends


def _marks(spot: Spot) -> Iterator[str]:
    """How a place is marked in the picture."""
    if spot.zone == MAP:
        yield f'data-province="{spot.item}"'
    else:
        yield f'data-zone="{spot.zone}"'
        if spot.item:
            yield f'data-item="{spot.item}"'
