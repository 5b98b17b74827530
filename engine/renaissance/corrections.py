"""Corrections of this board by a game master, as events that can be verified and undone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.kernel.catalogues import Words
from engine.kernel.correction_events import CorrectionRefused, FigureCorrected, ValueSet
from engine.kernel.corrections import Corrections, Ruling, Zone, require_change
from engine.kernel.events import Event
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.orders import Order
from engine.kernel.position import Position
from engine.kernel.rulings import TO, ruling_form, seat_slot
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.renaissance import events as e
from engine.renaissance import vocabulary as v
from engine.renaissance.board import HELD, NOTHING, Board
from engine.renaissance.catalogue import ARTISTS, FORTRESS, GARRISON, RAMPART, WORDS, kind_of
from engine.renaissance.figures import NAMES
from engine.renaissance.meta import META

PROBLEMS: Final = (
    "last_city",  # {seat}: it would have no city
    "nothing_scored",  # {}: no turn has been scored yet
    "city_fought_over",  # {city}
    "free_city_bare",  # {city}: a free city has no walls or palace
)

# --- events


class CityRighted(ValueSet, saved="ren.CityRighted"):
    """A city was corrected: owner, level, palace or artist.

    An artist comes from the supply and returns to it.
    """

    path = "cities/{city}"
    city: str

    def put(self, board: Board) -> None:
        super().put(board)
        before, after = self.before, self.after
        left = board.supply if not after.artist else tuple(a for a in board.supply if a != after.artist)
        back = (before.artist,) if before.artist not in ("", after.artist) else ()
        board.supply = tuple(sorted((*left, *back)))
        for power in board.powers.values():
            if board.turn and power.seat in (before.owner, after.owner):
                power.eliminated = not board.held(power.seat)


class StateRighted(ValueSet, saved="ren.StateRighted"):
    """Peace or war was corrected (Séquence 1)."""

    path = "state"


# --- orders of a game master


class SetOwner(Order):
    """Give a city to a power, or to `nobody`."""

    city: str
    seat: str


class SetWalls(Order):
    """Set the level of a city."""

    city: str
    level: str


class SetPalace(Order):
    """Give a city a palace, or remove it."""

    city: str
    there: str


class SetArtist(Order):
    """Set the artist in a city's palace; "" for none."""

    city: str
    artist: str


class SetPillage(Order):
    """Mark a city as pillaged in this turn, or unmark it."""

    city: str
    there: str


class SetState(Order):
    """Set peace or war."""

    state: str


_NOBODY: Final = Choice("nobody", WORDS("choices.nobody"))
_YES_NO: Final = (Choice("yes", WORDS("choices.yes_no.yes")), Choice("no", WORDS("choices.yes_no.no")))
_LEVELS: Final = {"garrison": GARRISON, "rampart": RAMPART, "castle": FORTRESS}
_WALLS: Final = (
    Choice("garrison", WORDS("choices.walls.garrison")),
    Choice("rampart", WORDS("choices.walls.rampart")),
    Choice("castle", WORDS("choices.walls.castle")),
)
_ARTIST_CHOICES: Final = (
    Choice("", WORDS("choices.artist.none")),
    *(Choice(artist.id, Words.same(artist.name)) for artist in ARTISTS.values()),
)


class Rightings(Corrections):
    """The corrections of Renaissance."""

    names = NAMES
    figures: Mapping[str, Words] = WORDS.section("corrected")
    zones: Mapping[str, Zone] = {**Corrections.zones, "shown": Zone("shown", of_seat=True, open=True)}
    adoptable = tuple(o for o in META.options if not o.table and o.name not in ("scenario", "without", "nations"))

    def card_choices(self) -> tuple[Choice, ...]:
        """Return every kind of card; the copies of a kind are interchangeable."""
        return v.KIND_CHOICES

    def face(self, card: str) -> str:
        """Return the kind of a card."""
        return kind_of(card).id if "." in card else card

    def cards_gained(self, event: Event, seat: Seat) -> tuple[Secret[str], ...]:
        """Return the cards that an event drew into a seat's hand."""
        return event.cards if isinstance(event, e.CardsDrawn) and event.seat == seat else ()

    # --- forms

    def forms(self, position: Position[Board]) -> tuple[Form, ...]:
        """Return the common forms, and those of this board."""
        seats = self.seats(position)
        city = v.CITY
        holder = replace(seat_slot((*seats, _NOBODY)), lead=TO)
        there = Slot("there", "answer", WORDS("slots.there"), _YES_NO)
        walls = Slot("level", "building", WORDS("slots.walls"), _WALLS)
        artist = Slot("artist", "artist", WORDS("slots.artist"), _ARTIST_CHOICES)
        state = Slot("state", "state", WORDS("slots.state"), v.STATE_CHOICES)
        return (
            *super().forms(position),
            ruling_form(WORDS, "control", SetOwner, city, holder),
            ruling_form(WORDS, "walls", SetWalls, city, walls),
            ruling_form(WORDS, "palace", SetPalace, city, there),
            ruling_form(WORDS, "artist", SetArtist, city, artist),
            ruling_form(WORDS, "pillage", SetPillage, city, there),
            ruling_form(WORDS, "state", SetState, state),
        )

    # --- events of an order

    def facts(self, ruling: Ruling, order: Order) -> tuple[Event, ...]:
        """Return the events of one order. Raises CorrectionRefused."""
        board: Board = ruling.board
        match order:
            case SetOwner(city=city, seat=seat):
                return self._owner_of(board, city, seat)
            case SetWalls(city=city, level=level):
                return self._city(board, city, level=_LEVELS[level])
            case SetPalace(city=city, there=there):
                gone = {"artist": ""} if there == "no" else {}
                return self._city(board, city, palace=there == "yes", **gone)
            case SetArtist(city=city, artist=artist):
                return self._city(board, city, artist=artist)
            case SetPillage(city=city, there=there):
                return self._city(board, city, pillaged=there == "yes")
            case SetState(state=state):
                require_change(board.state, state)
                return (StateRighted(before=board.state, after=state),)
        return super().facts(ruling, order)

    def figure(self, ruling: Ruling, seat: Seat, what: str, by: int) -> tuple[Event, ...]:
        """Séquence 6  Return the event that changes a figure; points are those of the last scored turn.

        Raises CorrectionRefused if no turn has been scored.
        """
        if what != "points":
            return super().figure(ruling, seat, what, by)
        scored = len(ruling.board.powers[seat].points)
        if not scored:
            raise CorrectionRefused("nothing_scored")
        return (FigureCorrected(seat=seat, what=what, by=by, about=str(scored)),)

    def _city(self, board: Board, city: str, **what: Any) -> tuple[Event, ...]:
        before = board.cities[city]
        after = replace(before, **what)
        require_change(before, after)
        if before.owner is None:
            raise CorrectionRefused("free_city_bare", city=city)
        return (CityRighted(city=city, before=before, after=after),)

    def _owner_of(self, board: Board, city: str, seat: str) -> tuple[Event, ...]:
        """Return the change of owner. Walls, palace and artist stay with the city; a free city has none."""
        before = board.cities[city]
        if board.fighting(city):
            raise CorrectionRefused("city_fought_over", city=city)
        if before.owner is not None and before.owner != seat and len(board.held(before.owner)) == 1:
            raise CorrectionRefused("last_city", seat=before.owner)
        if seat == _NOBODY.value:
            after = NOTHING
        else:
            after = replace(before, owner=Seat(seat), level=max(before.level, HELD.level))
        require_change(before, after)
        return (CityRighted(city=city, before=before, after=after),)

    # --- changes of the board

    def add(self, board: Board, seat: Seat, what: str, by: int, about: str) -> None:
        """Change ducats, or the points of the turn in `about`."""
        power = board.powers[seat]
        if what == "ducats":
            power.ducats += by
            return
        turn = int(about) - 1
        power.points = (*power.points[:turn], power.points[turn] + by, *power.points[turn + 1 :])

    def value(self, board: Board, seat: Seat, what: str) -> int:
        """Return ducats, or the points of the last scored turn."""
        power = board.powers[seat]
        return power.ducats if what == "ducats" else (*power.points, 0)[max(len(power.points) - 1, 0)]


CORRECTIONS: Final = Rightings()
