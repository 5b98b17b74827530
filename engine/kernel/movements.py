"""What moves on the board with an event: from where, to where, what turns over, what appears and what goes.

A game says where the pieces of its board lie (`HasPlacedPieces`), as one viewer may know it. An event is applied to the
redacted position of that viewer, and a piece that lies elsewhere afterwards has moved. So a movement tells nothing that
its viewer does not know, and no event needs a description of its own.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from engine.kernel.apply import PatchRefused, apply
from engine.kernel.events import Event
from engine.kernel.position import Position
from engine.kernel.secrets import Hidden, Secret, deep_copy, seen_by
from engine.kernel.viewers import Viewer

MAP: Final = "map"
"""The zone of a board that is a map; its items are the places that the picture marks with `data-province`."""
SEAT: Final = "seat"
"""What a seat holds that lies on no place of the picture: its supply, its hand. The item is the seat."""
TABLE: Final = "table"
"""Everything beside the picture: decks, discards, the bank."""
CARD: Final = "card"
"""The kind of cards, which keep their identity when they turn."""


@dataclass(frozen=True, order=True)
class Spot:
    """Where a piece lies: a zone of the picture, and an item in it ("" for the zone as a whole)."""

    zone: str
    item: str = ""


@dataclass(frozen=True, order=True)
class Piece:
    """A piece, or one of several that are alike.

    `kind`: `card`, `token`, `ship`; pieces of another kind never stand for each other.
    `face`: which one it is, or which side is up; "" for a card that the viewer does not know.
    `owner`: the seat whose colour it has; "" for none.
    """

    kind: str
    face: str = ""
    owner: str = ""


Placed = tuple[Spot, Piece, int]
"""So many pieces at one spot."""
Pieces = Mapping[tuple[Spot, Piece], int]
"""How many pieces lie where; no zeros."""


@dataclass(frozen=True)
class Movement:
    """Some pieces that moved.

    `origin`: None if they appear. `target`: None if they go. The same spot twice: they turn over.
    `turned`: what they were before, if they show another face now.
    """

    piece: Piece
    count: int
    origin: Spot | None
    target: Spot | None
    turned: Piece | None = None


@dataclass(frozen=True)
class Moment:
    """An event with what moved and what was rolled, and the position after it. `event`: None for the rest."""

    event: Event | None
    movements: tuple[Movement, ...]
    dice: tuple[int, ...]
    after: Position[Any]


@runtime_checkable
class HasPlacedPieces(Protocol):
    """Rules that say where pieces lie, so that pages can move them (optional, like `DrawsBoard`)."""

    def placed(self, board: Any, viewer: Viewer) -> Iterable[Placed]:
        """Yield the pieces of a redacted board, at spots of the picture that this viewer gets."""
        ...


def pieces_of(rules: object, position: Position[Any], viewer: Viewer) -> Pieces:
    """Return the pieces of a viewer's redacted position; none for a game that does not say."""
    found: Counter[tuple[Spot, Piece]] = Counter()
    if isinstance(rules, HasPlacedPieces):
        with seen_by(viewer):
            for spot, piece, count in rules.placed(position.board, viewer):
                found[spot, piece] += count
    return +found


def trace(
    rules: Any, before: Position[Any], events: Sequence[Event], after: Position[Any], viewer: Viewer
) -> Iterator[Moment]:
    """Yield what moved with each event between two positions of a viewer, all as the viewer may see it.

    A last moment without an event holds what no event tells: cards that were hidden and are known now, and what a
    ruling changed. So the movements always lead from `before` to `after`.
    """
    now = deep_copy(before)
    lying = pieces_of(rules, now, viewer)
    for event in events:
        tried = deep_copy(now)
        now = tried if _applied(rules, tried, event, viewer) else now
        then = pieces_of(rules, now, viewer)
        yield Moment(event, movements(lying, then), dice_of(event), now)
        lying = then
    rest = movements(lying, pieces_of(rules, after, viewer))
    if rest:
        yield Moment(None, rest, (), after)


def _applied(rules: Any, position: Position[Any], event: Event, viewer: Viewer) -> bool:
    """Apply an event to what a viewer knows; False if a ruling changes what they do not."""
    with seen_by(viewer):
        try:
            apply(rules, position, event)
        except (LookupError, TypeError, ValueError, StopIteration, Hidden, PatchRefused):
            return False
    return True


def dice_of(event: Event) -> tuple[int, ...]:
    """Return the dice that an event tells: its field `dice` or `rolls`, of numbers or of pairs that end in one."""
    rolled = getattr(event, "dice", None) or getattr(event, "rolls", None) or ()
    return tuple(one if isinstance(one, int) else one[-1] for one in rolled)


def card_faces(cards: Iterable[Secret[str]]) -> Iterator[Piece]:
    """Yield a piece for each card, with the faces that the current reader knows."""
    return (Piece(CARD, card.value if card.visible else "") for card in cards)


# --- what left, and what arrived

Place = tuple[Spot, Piece]
Alike = Callable[[Place, Place], bool]


def _moves(left: Place, came: Place) -> bool:
    return left[1] == came[1]


def _turns(left: Place, came: Place) -> bool:
    """Another face at the same spot; two cards that are both known are two cards."""
    return left[0] == came[0] and _same_sort(left, came) and (left[1].kind != CARD or _one_unknown(left, came))


def _moves_and_turns(left: Place, came: Place) -> bool:
    return _same_sort(left, came) and _one_unknown(left, came)


def _one_unknown(left: Place, came: Place) -> bool:
    return not (left[1].face and came[1].face)


def _same_sort(left: Place, came: Place) -> bool:
    return (left[1].kind, left[1].owner) == (came[1].kind, came[1].owner)


_RULES: Final[Sequence[Alike]] = (_moves, _turns, _moves_and_turns)
"""Which of the pieces that left are those that came, the most certain first."""


def movements(before: Pieces, after: Pieces) -> tuple[Movement, ...]:
    """Return movements that lead from some pieces to others, in the order of where they begin."""
    left, came = Counter(before), Counter(after)
    left.subtract(after)
    came.subtract(before)
    gone, here = dict(sorted((+left).items())), dict(sorted((+came).items()))
    found: list[Movement] = []
    for alike in _RULES:
        found += _pair(gone, here, alike)
    found += [Movement(piece, n, spot, None) for (spot, piece), n in gone.items() if n]
    found += [Movement(piece, n, None, spot) for (spot, piece), n in here.items() if n]
    return tuple(found)


def _pair(gone: dict[Place, int], here: dict[Place, int], alike: Alike) -> Iterator[Movement]:
    """Yield pieces that left and came again, and take them from both."""
    for old in gone:
        for new in here:
            count = min(gone[old], here[new])
            if count and alike(old, new):
                gone[old], here[new] = gone[old] - count, here[new] - count
                yield Movement(new[1], count, old[0], new[0], old[1] if old[1] != new[1] else None)
