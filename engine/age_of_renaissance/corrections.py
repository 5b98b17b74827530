"""Corrections of this board by a game master, as events that can be verified and undone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Self

from engine.age_of_renaissance import events as e
from engine.age_of_renaissance import vocabulary as v
from engine.age_of_renaissance.atlas import LEVELS, Hull, Ship
from engine.age_of_renaissance.board import NOTHING, OLD, Board, Piece, Power, War
from engine.age_of_renaissance.catalogue import FACE, MISERY, WORDS
from engine.age_of_renaissance.figures import NAMES
from engine.age_of_renaissance.meta import META
from engine.kernel.catalogues import Words
from engine.kernel.correction_events import CorrectionEvent, CorrectionRefused, ValueSet
from engine.kernel.corrections import Corrections, Ruling, Zone, require_change
from engine.kernel.events import Event
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.orders import Order
from engine.kernel.position import Position
from engine.kernel.rulings import ORIGIN_FACT, TO, ruling_form, seat_slot
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat

PROBLEMS: Final = (
    "misery_ends",  # {}: beyond either end of the ladder (§9.4.4)
    "not_so_many_there",  # {province, count}: there are only `count` tokens
    "held_already",  # {advance}
    "not_held",  # {advance}
    "no_such_war",  # {}
)

# --- events


class PieceRighted(ValueSet, saved="aor.PieceRighted"):
    """A power's pieces in a province were corrected; they come from, and go to, its stock and row (§5.2)."""

    seat: Seat
    province: str

    def current(self, board: Board) -> Piece:
        """Return the power's pieces there."""
        return board.at(self.province, self.seat)

    def put(self, board: Board) -> None:
        power, before, after = board.powers[self.seat], self.before, self.after
        power.stock += before.tokens - after.tokens
        power.markers += before.controls - after.controls
        here = {seat: piece for seat, piece in board.pieces.get(self.province, {}).items() if seat != self.seat}
        if after != NOTHING:
            here[self.seat] = after
        board.pieces.pop(self.province, None)
        if here:
            board.pieces[self.province] = here


class AdvanceRighted(CorrectionEvent, saved="aor.AdvanceRighted"):
    """A power was given an advance, or lost it; its ship is unchanged. `bought`: it was bought this turn."""

    seat: Seat
    letter: str
    held: bool
    bought: bool = False

    def put(self, board: Board) -> None:
        power, mine = board.powers[self.seat], frozenset({self.letter})
        power.advances = power.advances | mine if self.held else power.advances - mine
        power.bought = power.bought | mine if self.held and self.bought else power.bought - mine

    def inverse(self, board: Board) -> Self:
        if (self.letter in board.powers[self.seat].advances) != self.held:
            raise CorrectionRefused("moved_on")
        return replace(self, held=not self.held)


class ShipRighted(ValueSet, saved="aor.ShipRighted"):
    """A power's ship was corrected (§9.4.1)."""

    path = "powers/{seat}/ship"
    seat: Seat


class MarketRighted(CorrectionEvent, saved="aor.MarketRighted"):
    """A market was moved by `by` boxes, positive towards shortage (§9.6.1)."""

    good: str
    by: int

    def put(self, board: Board) -> None:
        value = board.markets.pop(self.good, 0) + self.by
        if value:
            board.markets[self.good] = value

    def inverse(self, board: Board) -> Self:
        return replace(self, by=-self.by)


class WarRighted(CorrectionEvent, saved="aor.WarRighted"):
    """A tied War (A2) was ended, or restored if `lasts`."""

    war: War
    lasts: bool

    def put(self, board: Board) -> None:
        board.wars = (*board.wars, self.war) if self.lasts else tuple(w for w in board.wars if w != self.war)

    def inverse(self, board: Board) -> Self:
        if (self.war in board.wars) != self.lasts:
            raise CorrectionRefused("moved_on")
        return replace(self, lasts=not self.lasts)


class BanRighted(ValueSet, saved="aor.BanRighted"):
    """The category forbidden by a Papal Decree was corrected; "" for none."""

    path = "banned"


# --- orders of a game master


class SetTokens(Order):
    """Set a power's pieces in a province to `count` old tokens."""

    seat: str
    count: int
    province: str


class MoveTokens(Order):
    """Move tokens of a power from `province` to `to`."""

    count: int
    seat: str
    province: str
    to: str


class SetControl(Order):
    """Give control of a province to a power, or to `nobody`."""

    province: str
    seat: str


class Grant(Order):
    """Give an advance to a power."""

    letter: str
    seat: str


class Revoke(Order):
    """Take an advance from a power."""

    letter: str
    seat: str


class SetShip(Order):
    """Set a power's ship, or remove it."""

    seat: str
    ship: str


class MoveMarket(Order):
    """Move a market by `count` boxes towards `shortage` or `surplus`."""

    good: str
    way: str
    count: int = 1


class EndWar(Order):
    """End the War between two powers."""

    seat: str
    other: str


class Forbid(Order):
    """Forbid a category of advances, or none."""

    category: str


_NOBODY: Final = Choice("nobody", WORDS("choices.nobody"))
_NONE: Final = WORDS("choices.none")
_SHIPS: Final = (
    Choice("", _NONE),
    *(Choice(f"{hull} {n}", WORDS(f"ships.{hull}").formatted(level=n)) for hull in Hull for n in LEVELS[hull]),
)
_PROVINCE: Final = Slot("province", "province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES)
_ADVANCE: Final = Slot("letter", "advance", v.ADVANCE_TITLE, v.ADVANCE_CHOICES)
_IN: Final = WORDS("leads.in")
_FROM: Final = WORDS("leads.from")
_INTO: Final = WORDS("leads.into")


class Rightings(Corrections):
    """The corrections of The Age of Renaissance."""

    names = NAMES
    figures: Mapping[str, Words] = WORDS.section("corrected")
    zones: Mapping[str, Zone] = {**Corrections.zones, "removed": Zone("removed", open=True)}
    adoptable = tuple(o for o in META.options if not o.table and o.name not in ("epochs", "withheld"))

    def card_choices(self) -> tuple[Choice, ...]:
        """Return every card, by its face."""
        return v.CARD_CHOICES

    def face(self, card: str) -> str:
        """Return the first card with the same face."""
        return FACE[card]

    def cards_gained(self, event: Event, seat: Seat) -> tuple[Secret[str], ...]:
        """Return the cards that an event dealt, drew or exchanged into a seat's hand (§8.1, §9.1)."""
        match event:
            case e.Dealt(seat=owner, cards=cards) if owner == seat:
                return cards
            case e.CardDrawn(seat=owner, card=card) if owner == seat:
                return (card,)
            case e.CardsExchanged(seat=owner, taken=card) if owner == seat:
                return (card,)
            case e.CardsExchanged(victim=owner, given=card) if owner == seat:
                return (card,)
        return ()

    # --- forms

    def forms(self, position: Position[Board]) -> tuple[Form, ...]:
        """Return the common forms, and those of this board."""
        seats = self.seats(position)
        seat, of, to = seat_slot(seats), seat_slot(seats, ORIGIN_FACT), seat_slot(seats, TO)
        count = Slot("count", "number", v.TOKENS_TITLE, low=0, high=36)
        boxes = Slot("count", "number", v.NUMBER_TITLE, low=1, high=9, optional=True, default=1)
        holder = replace(seat_slot((*seats, _NOBODY)), lead=TO)
        inside = replace(_PROVINCE, lead=_IN)
        moved = (count, of, replace(_PROVINCE, lead=_FROM), replace(_PROVINCE, name="to", lead=_INTO))
        good = Slot("good", "good", v.GOOD_TITLE, v.GOOD_CHOICES)
        way = Slot("way", "way", WORDS("slots.way"), v.MARKET_WAYS)
        ship = Slot("ship", "ship", WORDS("slots.ship"), _SHIPS)
        against = seat_slot(seats, WORDS("leads.war_against"), "other")
        banned = Slot("category", "category", WORDS("slots.category"), (Choice("", _NONE), *v.CATEGORY_CHOICES))
        return (
            *super().forms(position),
            ruling_form(WORDS, "set_tokens", SetTokens, seat, count, inside),
            ruling_form(WORDS, "move_tokens", MoveTokens, *moved),
            ruling_form(WORDS, "control", SetControl, _PROVINCE, holder),
            ruling_form(WORDS, "grant", Grant, _ADVANCE, to),
            ruling_form(WORDS, "revoke", Revoke, _ADVANCE, of),
            ruling_form(WORDS, "ship", SetShip, of, ship),
            ruling_form(WORDS, "market", MoveMarket, good, way, boxes),
            ruling_form(WORDS, "end_war", EndWar, of, against),
            ruling_form(WORDS, "forbid", Forbid, banned),
        )

    # --- events of an order

    def facts(self, ruling: Ruling, order: Order) -> tuple[Event, ...]:
        """Return the events of one order. Raises CorrectionRefused."""
        board: Board = ruling.board
        match order:
            case SetTokens(seat=seat, count=count, province=province):
                return self._piece(board, Seat(seat), province, Piece(old=count))
            case MoveTokens():
                return self._tokens_moved(board, order)
            case SetControl(province=province, seat=seat):
                return self._control(board, province, seat)
            case Grant(letter=letter, seat=seat) | Revoke(letter=letter, seat=seat):
                return self._advance(board.powers[Seat(seat)], letter, isinstance(order, Grant))
            case SetShip(seat=seat, ship=ship):
                return self._ship(board.powers[Seat(seat)], ship)
            case MoveMarket(good=good, way=way, count=count):
                return (MarketRighted(good=good, by=count if way == "shortage" else -count),)
            case EndWar(seat=seat, other=other):
                war = next((w for w in board.wars if {w.attacker, w.defender} == {seat, other}), None)
                if war is None:
                    raise CorrectionRefused("no_such_war")
                return (WarRighted(war=war, lasts=False),)
            case Forbid(category=category):
                require_change(board.banned, category)
                return (BanRighted(before=board.banned, after=category),)
        return super().facts(ruling, order)

    def figure(self, ruling: Ruling, seat: Seat, what: str, by: int) -> tuple[Event, ...]:
        """§9.4.4  Return the event that changes a figure.

        Raises CorrectionRefused beyond the ends of the ladder.
        """
        if what == "misery" and not 0 <= ruling.board.powers[seat].misery + by < len(MISERY):
            raise CorrectionRefused("misery_ends")
        return super().figure(ruling, seat, what, by)

    def _piece(self, board: Board, seat: Seat, province: str, after: Piece) -> tuple[Event, ...]:
        before = board.at(province, seat)
        require_change(before, after)
        return (PieceRighted(seat=seat, province=province, before=before, after=after),)

    def _tokens_moved(self, board: Board, order: MoveTokens) -> tuple[Event, ...]:
        seat, count = Seat(order.seat), order.count
        source, target = board.at(order.province, seat), board.at(order.to, seat)
        if order.province == order.to or not count:
            raise CorrectionRefused("nothing_changes")
        if source.tokens < count:
            raise CorrectionRefused("not_so_many_there", province=order.province, count=source.tokens)
        new = min(source.new, count)
        left = replace(source, old=source.old - (count - new), new=source.new - new)
        there = replace(target, old=target.old + count - new, new=target.new + new)
        return (*self._piece(board, seat, order.province, left), *self._piece(board, seat, order.to, there))

    def _control(self, board: Board, province: str, seat: str) -> tuple[Event, ...]:
        """Return the events that give control of a province: all other pieces leave, as after a conquest."""
        found: list[Event] = []
        for other in board.pieces.get(province, {}):
            if other != seat:
                found += self._piece(board, other, province, NOTHING)
        if seat != _NOBODY.value and not board.at(province, Seat(seat)).controls:
            found += self._piece(board, Seat(seat), province, Piece(marker=OLD))
        if not found:
            raise CorrectionRefused("nothing_changes")
        return tuple(found)

    def _advance(self, power: Power, letter: str, held: bool) -> tuple[Event, ...]:
        if (letter in power.advances) == held:
            raise CorrectionRefused("held_already" if held else "not_held", advance=letter)
        bought = letter in power.bought
        return (AdvanceRighted(seat=power.seat, letter=letter, held=held, bought=bought),)

    def _ship(self, power: Power, ship: str) -> tuple[Event, ...]:
        hull, _, level = ship.partition(" ")
        after = Ship(Hull(hull), int(level)) if ship else None
        require_change(power.ship, after)
        return (ShipRighted(seat=power.seat, before=power.ship, after=after),)

    # --- changes of the board

    def add(self, board: Board, seat: Seat, what: str, by: int, about: str) -> None:
        """Change ducats from the bank, tokens from the stock into the pool, or misery."""
        power = board.powers[seat]
        if what == "ducats":
            power.gain(by)
        elif what == "tokens":
            power.stock, power.expansion = power.stock - by, power.expansion + by
        else:
            power.misery += by

    def value(self, board: Board, seat: Seat, what: str) -> int:
        """Return ducats, bought tokens, or the step of misery."""
        power = board.powers[seat]
        return {"ducats": lambda: power.cash, "tokens": lambda: power.expansion, "misery": lambda: power.misery}[what]()

    def swap(self, board: Board, seat: Seat, other: Seat) -> None:
        """§3  Swap the order of play and the ranks of two seats."""
        super().swap(board, seat, other)
        one, two = board.powers[seat], board.powers[other]
        one.slot, two.slot = two.slot, one.slot


CORRECTIONS: Final = Rightings()
