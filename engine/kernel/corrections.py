"""Corrections: the orders that a game master writes, and the events that they become.

A game that can be corrected has `corrections`, its own subclass of `Corrections`. It offers forms in the order
language. Each order becomes events, which are narrated, folded and redacted like all others, and each event has an
inverse. Hidden things are named by how they came (the card drawn in an entry, a card at random), never by what they
are. So the game master need not see them, and a trial of a ruling uses public knowledge only.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar, Final, Protocol

from engine.kernel.catalogues import Words
from engine.kernel.codec import DecodeError, load
from engine.kernel.correction_events import (
    CardMoved,
    CorrectionEvent,
    CorrectionRefused,
    FigureCorrected,
    PileShuffled,
    PlacesSwapped,
)
from engine.kernel.events import Corrected, Event, ReadingAdopted, StatePatched, StepsQueued
from engine.kernel.forms import Choice, Form, Topic
from engine.kernel.keywords import WORDS
from engine.kernel.orders import Order
from engine.kernel.position import Position, Step
from engine.kernel.rulings import Adopt, Deal, Give, MoveCard, Patch, Return, SwapPlaces, Take, common_rulings
from engine.kernel.secrets import Hidden, Mask, Secret
from engine.kernel.table import Table
from engine.kernel.viewers import PUBLIC, Seat

PROBLEMS: Final = (
    "card_not_there",  # {}: not among the open cards
    "no_cards",  # {count}: the hand or pile has fewer cards
    "which_card",  # {count}: several cards came in that entry
    "none_came",  # {entry}: no card came to that seat in that entry
    "name_the_card",  # {}: the card is named neither at random nor by its entry
    "no_corrections",  # {}: the game supports no corrections
    "moved_on",  # {}: the board has changed since the ruling
    "nothing_changes",  # {}
    "same_seat",  # {}
    "reading_known",  # {}: the game uses that reading already
    "reading_fixed",  # {}: the reading cannot change during a game
    "hidden_there",  # {}: the patched value is not public
    "no_such_entry",  # {entry}: the game cannot be rewound to that entry
    "no_ruling_there",  # {entry}: that entry is not a ruling
    "no_draws",  # {entry}: the entry has no such draws
    "ends_elsewhere",  # {entry}: a rewind has discarded that entry
    "ruling_failed",  # {}: the rules raise an error
    "ruling_late",  # {}: the request has expired
    "no_such_value",  # {}: the patched value does not exist or differs
)
"""Codes of why a correction is not possible, for every game."""


# --- steps left to chance


class ByChance(Step):
    """A step of a ruling that makes a draw, done at once, even while questions are open.

    `number`: which of the draws of the ruling.
    """

    number: int


class TakenAtRandom(ByChance, saved="kernel.TakenAtRandom"):
    """A card of a hand is drawn and moves to another zone."""

    seat: Seat
    target: str
    to: Seat | None = None


class Shuffling(ByChance, saved="kernel.Shuffling"):
    """The pile is shuffled."""


# --- the ruling


@dataclass(frozen=True)
class Zone:
    """A place of cards.

    `attribute`: the attribute of the board, or of a power if `of_seat`. `open`: the cards are public.
    """

    attribute: str
    of_seat: bool = False
    open: bool = False


CorrectionOrigin = Callable[[int, Seat], tuple[Secret[str], ...]]
"""A function of (entry, seat) that returns the cards that came into the seat's hand, as far as its caller may know
them.
"""


@dataclass(frozen=True)
class Ruling:
    """What a ruling is judged by: the position, and the origin of cards according to the journal.

    `trial`: a preview on the public position. Unknown facts are presumed, so that the game master learns nothing by
    asking.
    """

    position: Position[Any]
    came: CorrectionOrigin
    trial: bool = False

    @property
    def board(self) -> Any:
        """Return the game's own state."""
        return self.position.board


_END: Final = -1


class Names(Protocol):
    """The names that seats play under, such as `power_names.PowerNames`."""

    @property
    def words(self) -> Mapping[str, Words]:
        """Return the names by id."""
        ...

    def name_of(self, position: Position[Any], seat: Seat) -> str:
        """Return the id of a seat's name; "" if it has none."""
        ...


class Corrections:
    """The corrections that the master of a game may make; a game derives its own and extends `forms` and `facts`."""

    TOPIC: ClassVar[Topic] = Topic("ruling", WORDS("rulings.topic"), lines=True)
    names: Names | None = None
    """The names of powers, if seats play under names."""
    figures: Mapping[str, Words] = {}
    """The figures that GIVE and TAKE accept."""
    zones: Mapping[str, Zone] = {
        "hand": Zone("hand", of_seat=True),
        "deck": Zone("deck"),
        "discard": Zone("discard", open=True),
    }
    """The places of cards; a game without cards has none."""
    adoptable: Sequence[Any] = ()
    """The options whose reading may change during a game."""

    @property
    def shared_events(self) -> tuple[type[CorrectionEvent], ...]:
        """Return the events of every game that a ruling on this board may make."""
        events: list[type[CorrectionEvent]] = [PlacesSwapped]
        if self.figures:
            events.append(FigureCorrected)
        if self.zones:
            events += [CardMoved, PileShuffled]
        return tuple(events)

    # --- forms

    def called(self, position: Position[Any], seat: Seat) -> Words:
        """Return the names of a seat in a ruling: its power's name, if any, its number at the table, and its id."""
        usual = WORDS("rulings.seat").formatted(place=position.core.seats.index(seat) + 1) | Words.same(seat)
        if self.names is None:
            return usual
        name = self.names.name_of(position, seat)
        return self.names.words[name] | usual if name else usual

    def card_choices(self) -> tuple[Choice, ...]:
        """Return the cards of the game, by their names; a game overrides this."""
        return ()

    def seats(self, position: Position[Any]) -> tuple[Choice, ...]:
        """Return every seat with its names."""
        return tuple(Choice(str(seat), self.called(position, seat)) for seat in position.core.seats)

    def forms(self, position: Position[Any]) -> tuple[Form, ...]:
        """Return all forms that a game master may write, built from public knowledge."""
        cards = self.card_choices() if self.zones else None
        return common_rulings(self.seats(position), self.figures, cards, self.adoptable)

    def origin_of(self, events: Sequence[Event], seat: Seat) -> tuple[Secret[str], ...]:
        """Return the cards that came into a seat's hand in an entry.

        `events`: those of the entry, redacted or not.
        """
        found: list[Secret[str]] = []
        for event in events:
            if isinstance(event, CardMoved):
                if event.target == "hand" and event.to == seat:
                    found.append(event.card)
            elif isinstance(event, Corrected):
                found += self.origin_of(event.edits, seat)
            else:
                found += self.cards_gained(event, seat)
        return tuple(found)

    def cards_gained(self, event: Event, seat: Seat) -> tuple[Secret[str], ...]:
        """Return the cards that an event of the game brought into a hand; a game overrides this."""
        return ()

    def present(self, position: Position[Any]) -> Mapping[tuple[str, str], int]:
        """Return every figure that the current reader may know, by the seat and the figure that GIVE and TAKE name."""
        found: dict[tuple[str, str], int] = {}
        for seat, what in product(position.core.seats, self.figures):
            with suppress(Hidden):
                found[seat, what] = self.value(position.board, seat, what)
        return found

    # --- events of an order

    def facts(self, ruling: Ruling, order: Order) -> tuple[Event, ...]:
        """Return the events of one order, judged by public knowledge.

        Raises CorrectionRefused, or TypeError for an order that is no ruling of this game.
        """
        match order:
            case Give(count=count, what=what, seat=seat):
                return self.figure(ruling, Seat(seat), what, count)
            case Take(count=count, what=what, seat=seat):
                return self.figure(ruling, Seat(seat), what, -count)
            case SwapPlaces(seat=seat, other=other):
                if seat == other:
                    raise CorrectionRefused("same_seat")
                return (PlacesSwapped(seat=Seat(seat), other=Seat(other)),)
            case Deal():
                return self._deal(ruling, order)
            case Return():
                return self._return(ruling, order)
            case MoveCard():
                return self._move(ruling, order)
            case Adopt():
                return self._adopt(ruling, order)
            case Patch(text=text):
                return (_patch(text),)
        raise TypeError(f"{type(order).__name__} is no ruling of this game")

    def figure(self, ruling: Ruling, seat: Seat, what: str, by: int) -> tuple[Event, ...]:
        """Return the event that changes a figure by `by`."""
        return (FigureCorrected(seat=seat, what=what, by=by),)

    def _deal(self, ruling: Ruling, order: Deal) -> tuple[Event, ...]:
        deck, seat = self._cards_in(ruling.board, "deck", None), Seat(order.seat)
        if len(deck) < order.count:
            raise CorrectionRefused("no_cards", count=order.count)
        cards = (card.shown_to(seat) for card in deck[: order.count])
        top, end = Secret(0, _everybody(ruling.position)), Secret(_END, frozenset({seat}))
        return tuple(CardMoved(card=card, source="deck", target="hand", to=seat, place=top, into=end) for card in cards)

    def _return(self, ruling: Ruling, order: Return) -> tuple[Event, ...]:
        """Return the event that moves an open card to a hand; any copy of its face will do."""
        for name, zone in self.zones.items():
            held = () if not zone.open or zone.of_seat else self._cards_in(ruling.board, name, None)
            card = next((c for c in held if self.face(c) == self.face(order.card)), None)
            if card is not None:
                everybody, seat = _everybody(ruling.position), Seat(order.seat)
                place, end = Secret(held.index(card), everybody), Secret(_END, frozenset({seat}))
                moved = CardMoved(
                    card=Secret(card, everybody), source=name, target="hand", to=seat, place=place, into=end
                )
                return (moved,)
        raise CorrectionRefused("card_not_there")

    def face(self, card: str) -> str:
        """Return what a card shows; several cards may show the same."""
        return card

    def _move(self, ruling: Ruling, order: MoveCard) -> tuple[Event, ...]:
        seat, to = Seat(order.seat), Seat(order.to) if order.to else None
        hand = self._cards_in(ruling.board, "hand", seat)
        if seat == to:
            raise CorrectionRefused("same_seat")
        if not hand:
            raise CorrectionRefused("no_cards", count=1)
        shuffled = order.target == "pile"
        target = "deck" if shuffled else order.target
        if order.which:
            moved: tuple[Event, ...] = self._pick_at_random(ruling, hand, TakenAtRandom(0, seat, target, to))
        else:
            moved = self._find_by_origin(ruling, order, hand, target, to)
        return (*moved, *self._shuffle(ruling)) if shuffled and moved else moved

    def _pick_at_random(self, ruling: Ruling, hand: Sequence[Any], step: TakenAtRandom) -> tuple[Event, ...]:
        """Queue the draw. A trial takes any card, because only its owner would see which."""
        if ruling.trial:
            return (self._move_out(ruling.position, hand[0], step.seat, step.target, step.to, chance=True),)
        return (StepsQueued(steps=(step,)),)

    def _find_by_origin(
        self, ruling: Ruling, order: MoveCard, hand: Sequence[Any], target: str, to: Seat | None
    ) -> tuple[Event, ...]:
        """Return the move of the card that came in an entry, or nothing if it has left that hand; a trial presumes not.

        A card that has left is not refused: only those who see the hand may know that.
        """
        seat = Seat(order.seat)
        if not order.entry:
            raise CorrectionRefused("name_the_card")
        came = ruling.came(order.entry, seat)
        if not came:
            raise CorrectionRefused("none_came", entry=order.entry)
        if len(came) > 1 and not 1 <= order.nth <= len(came):
            raise CorrectionRefused("which_card", count=len(came))
        wanted = came[max(order.nth, 1) - 1].held
        found = hand[0] if ruling.trial else next((card for card in hand if card.held == wanted), None)
        return () if found is None else (self._move_out(ruling.position, found, seat, target, to),)

    def _move_out(
        self, position: Position[Any], card: Secret[str], seat: Seat, target: str, to: Seat | None, chance: bool = False
    ) -> CardMoved:
        """Return the move of a card out of a hand; viewers who can see it afterwards know it from then on."""
        everybody = _everybody(position)
        place = Secret(self._cards_in(position.board, "hand", seat).index(card), frozenset({seat}))
        into = Secret(0 if target == "deck" else _END, everybody)
        if to is not None:
            card = card.shown_to(to)
        if self.zones[target].open:
            card = Secret(card.held, everybody)
        return CardMoved(
            card=card, source="hand", target=target, seat=seat, to=to, place=place, into=into, chance=chance
        )

    def _shuffle(self, ruling: Ruling) -> tuple[Event, ...]:
        return () if ruling.trial else (StepsQueued(steps=(Shuffling(0),)),)

    def _adopt(self, ruling: Ruling, order: Adopt) -> tuple[Event, ...]:
        before = next((option.before for option in self.adoptable if option.name == order.option), "")
        if ruling.position.core.options.get(order.option, before) == order.value:
            raise CorrectionRefused("reading_known")
        return (ReadingAdopted(option=order.option, value=order.value),)

    # --- draws

    def take(self, table: Table[Any], step: ByChance) -> None:
        """Make a draw that a ruling leaves to chance; each has a name of its own in the entry."""
        board, name = table.board, f"ruling/{len(table.drawn) + 1}"
        match step:
            case TakenAtRandom(seat=seat, target=target, to=to):
                hand = self._cards_in(board, "hand", seat)
                card = hand[table.roll(name, len(hand)) - 1]
                table.emit(self._move_out(table.position, card, seat, target, to, chance=True))
            case Shuffling():
                before = self._cards_in(board, "deck", None)
                after = tuple(Secret(card.held) for card in table.shuffle(name, before))
                table.emit(PileShuffled(before=before, after=after))
            case _:
                raise TypeError(f"{type(step).__name__} is nothing that a ruling draws")

    # --- changes of the board

    def change(self, board: Any, event: CorrectionEvent) -> None:
        """Change the board as an event says. Use no rules and no dice."""
        match event:
            case CardMoved():
                self._remove(board, event.source, event.seat, event.card, event.place)
                self._add(board, event.target, event.to, event.card, event.into)
            case PileShuffled(after=after):
                setattr(board, self.zones["deck"].attribute, after)
            case FigureCorrected(seat=seat, what=what, by=by, about=about):
                self.add(board, seat, what, by, about)
            case PlacesSwapped(seat=seat, other=other):
                self.swap(board, seat, other)
            case _:
                event.put(board)

    def add(self, board: Any, seat: Seat, what: str, by: int, about: str) -> None:
        """Change a figure. A game with figures overrides this; here it raises TypeError."""
        raise TypeError(f"{what} is no figure of this game")

    def value(self, board: Any, seat: Seat, what: str) -> int:
        """Return a figure, which `add` changes. A game with figures overrides this; here it raises TypeError.

        Raises Hidden for a reader who may not know it.
        """
        raise TypeError(f"{what} is no figure of this game")

    def swap(self, board: Any, seat: Seat, other: Seat) -> None:
        """Swap two seats in the order of play."""
        traded = {seat: other, other: seat}
        board.order = tuple(traded.get(s, s) for s in board.order)

    def _owner(self, board: Any, zone: Zone, seat: Seat | None) -> Any:
        return board.powers[seat] if zone.of_seat else board

    def _cards_in(self, board: Any, name: str, seat: Seat | None) -> tuple[Any, ...]:
        zone = self.zones[name]
        found: tuple[Any, ...] = getattr(self._owner(board, zone, seat), zone.attribute)
        return found

    def _remove(self, board: Any, name: str, seat: Seat | None, card: Secret[str], place: Secret[int]) -> None:
        """Remove a card from a zone; in a redacted copy, a card that its reader does not know."""
        zone, cards = self.zones[name], self._cards_in(board, name, seat)
        held = [c if zone.open else c.held for c in cards]
        at = place.held if isinstance(place.held, int) else _END
        if at >= len(held) or held[at] != card.held:
            at = held.index(card.held) if card.held in held else held.index(Mask.UNKNOWN)
        at %= len(cards)
        setattr(self._owner(board, zone, seat), zone.attribute, (*cards[:at], *cards[at + 1 :]))

    def _add(self, board: Any, name: str, seat: Seat | None, card: Secret[str], into: Secret[int]) -> None:
        zone, cards = self.zones[name], self._cards_in(board, name, seat)
        at = into.held if isinstance(into.held, int) and into.held != _END else len(cards)
        added = card.held if zone.open else card
        setattr(self._owner(board, zone, seat), zone.attribute, (*cards[:at], added, *cards[at:]))

    # --- inverses

    def inverse(self, board: Any, event: CorrectionEvent) -> tuple[Event, ...]:
        """Return the events that undo an event on the current board.

        Raises CorrectionRefused if the board has changed since.
        """
        match event:
            case FigureCorrected():
                return (replace(event, by=-event.by),)
            case PlacesSwapped():
                return (event,)
            case PileShuffled():
                if self._cards_in(board, "deck", None) != event.after:
                    raise CorrectionRefused("moved_on")
                return (PileShuffled(before=event.after, after=event.before),)
            case CardMoved():
                zone = self.zones[event.target]
                lying = self._cards_in(board, event.target, event.to)
                there = [card if zone.open else card.held for card in lying]
                wanted = event.card.held
                if wanted not in there or (event.target == "deck" and there[0] != wanted):
                    raise CorrectionRefused("moved_on")
                place = replace(event.into, held=there.index(wanted))
                return (
                    replace(
                        event,
                        source=event.target,
                        target=event.source,
                        seat=event.to,
                        to=event.seat,
                        place=place,
                        into=event.place,
                        chance=False,
                    ),
                )
        return (event.inverse(board),)


def require_change(before: object, after: object) -> None:
    """Raise CorrectionRefused if a correction would change nothing."""
    if before == after:
        raise CorrectionRefused("nothing_changes")


def _patch(text: str) -> StatePatched:
    """Parse `powers/s1/ducats = 5 -> 6`: a path, and two values in saved form. Raises CorrectionRefused."""
    path, _, values = text.partition("=")
    old, arrow, new = values.partition("->")
    try:
        if arrow:
            parts = tuple(part.strip() for part in path.strip().strip("/").split("/"))
            return StatePatched(path=parts, old=load(old.strip()), new=load(new.strip()))
    except (ValueError, TypeError, KeyError, DecodeError):
        pass
    raise CorrectionRefused("no_such_value")


def _everybody(position: Position[Any]) -> frozenset[Seat]:
    return frozenset((*position.core.seats, Seat(PUBLIC)))
