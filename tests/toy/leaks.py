"""Twelve ways to leak, each in one small change of the smallest game; the laws must catch every one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from engine.kernel.codec import serializable
from engine.kernel.events import Event, QuestionsAsked
from engine.kernel.orders import Line, Order, Orders, Problem, Question
from engine.kernel.position import Options, Position, Step
from engine.kernel.secrets import Mask, Secret, truth
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from tests.toy.board import COINS, SHIELDS, WARES, Board
from tests.toy.events import Bought, Dealt, TurnBegan
from tests.toy.rules import Toy
from tests.toy.steps import AskMarch


@serializable("leak.LeakyBoard")
@dataclass
class LeakyBoard(Board):
    """The board with a place for what should not lie there."""

    plain: tuple[str, ...] = ()
    pending: dict[Seat, Orders] = field(default_factory=dict)


class WordsSpoken(Event, saved="leak.Said"):
    """Words told to every reader of the event."""

    words: tuple[str, ...]


class Kept(Event, saved="leak.Kept"):
    """Orders laid open on the board; told to nobody."""

    seat: Seat
    orders: Orders
    visible_to: frozenset[Seat] | None = frozenset()


class Leaky(Toy):
    """The smallest game on a board that can leak."""

    def blank(self, seats: Sequence[Seat], options: Options) -> Board:
        """The same coins on the other board."""
        return LeakyBoard(COINS * len(seats), dict.fromkeys(seats, COINS), hands=dict.fromkeys(seats, ()))

    def apply(self, board: Board, event: Event) -> None:
        """Two more events."""
        if isinstance(event, WordsSpoken):
            return
        if isinstance(event, Kept):
            cast(LeakyBoard, board).pending[event.seat] = event.orders
            return
        super().apply(board, event)


def held(cards: Sequence[Secret[str]]) -> tuple[str, ...]:
    """What lies in Secrets, for any reader: the way around that no rule may take."""
    return tuple(card.held for card in cards if not isinstance(card.held, Mask))


class Meddling(Table[Board]):
    """A table whose facts a leaking game may change before they are recorded."""

    def __init__(self, table: Table[Board], change: Callable[[Event], Event]) -> None:
        self.__dict__ = table.__dict__
        self._change = change

    def emit(self, event: Event) -> None:
        """The changed fact."""
        super().emit(self._change(event))


class NameInEvent(Leaky):
    """The card that was bought is named to everybody."""

    def sell_card(self, table: Table[Board], bids: Mapping[Seat, int]) -> None:
        super().sell_card(table, bids)
        bought = cast(Bought, table.events[-1])
        table.emit(WordsSpoken(words=held((bought.card,))))


class VisibleToAll(Leaky):
    """What was dealt is told to everybody."""

    def begin(self, table: Table[Board]) -> None:
        super().begin(Meddling(table, lambda e: replace(e, visible_to=None) if isinstance(e, Dealt) else e))


class DeckInPresent(Leaky):
    """The order of the deck lies open beside it."""

    def apply(self, board: Board, event: Event) -> None:
        super().apply(board, event)
        cast(LeakyBoard, board).plain = held(board.deck[:1])


class KnownInSilence(Leaky):
    """At the beginning of a turn the first seat comes to know the top card, and no fact says so."""

    def apply(self, board: Board, event: Event) -> None:
        super().apply(board, event)
        if isinstance(event, TurnBegan) and board.deck:
            board.deck = (board.deck[0].shown_to(next(iter(board.coins))), *board.deck[1:])


class AwaitedByHand(Leaky):
    """Only a holder of a shield is asked for one."""

    def take(self, table: Table[Board], step: Step) -> None:
        def holders(event: Event) -> Event:
            if not isinstance(event, QuestionsAsked):
                return event
            return QuestionsAsked(
                decisions=tuple(d for d in event.decisions if d.topic != "shield" or self.able(table, d))
            )

        super().take(Meddling(table, holders) if not table.trial else table, step)

    def able(self, table: Table[Board], decision: Question) -> bool:
        """Return True if the seat holds a shield."""
        return any(card in SHIELDS for card in held(table.board.hands[decision.seat]))


class QuestionsInOrderOfHands(Leaky):
    """The holder of the best wares is asked first."""

    def ask_march(self, table: Table[Board], step: AskMarch) -> None:
        def sort(event: Event) -> Event:
            if not isinstance(event, QuestionsAsked):
                return event
            return QuestionsAsked(
                decisions=tuple(sorted(event.decisions, key=lambda d: held(table.board.hands[d.seat])))
            )

        super().ask_march(Meddling(table, sort), step)


class OpenLimits(Leaky):
    """The figures of a question are not wrapped."""

    def take(self, table: Table[Board], step: Step) -> None:
        def unwrap(event: Event) -> Event:
            if not isinstance(event, QuestionsAsked):
                return event
            return QuestionsAsked(decisions=tuple(replace(d, limits=self.plain(d)) for d in event.decisions))

        super().take(Meddling(table, unwrap) if not table.trial else table, step)

    def plain(self, decision: Question) -> Mapping[str, int | str]:
        """The figures, laid open."""
        return {k: cast(int | str, v.held if isinstance(v, Secret) else v) for k, v in decision.limits.items()}


class DieNamedBySecret(Leaky):
    """A die bears the name of a card in the hand of the first seat."""

    def sell_card(self, table: Table[Board], bids: Mapping[Seat, int]) -> None:
        table.roll("omen/" + "/".join(held(table.board.deck)))
        super().sell_card(table, bids)


class CheckedAgainstTruth(Leaky):
    """A bid that could win nothing but a shield is refused."""

    def refusal(self, seen: Position[Board], decision: Question, order: Order) -> Problem | None:
        if decision.topic == "bid" and set(held(seen.board.deck[:1])) & set(WARES):
            return None if order == self.default_orders(seen, decision)[0].plan[0].order else Problem("not_worth_it")
        return super().refusal(seen, decision, order)


class SuggestedFromTruth(Leaky):
    """The help recommends to bid where the top card is good."""

    def suggest_orders(self, seen: Position[Board], decision: Question, most: int | None = None) -> Sequence[Line]:
        with truth():
            good = any(card in WARES for card in held(seen.board.deck[:1]))
        return tuple(super().suggest_orders(seen, decision))[0 if good else 1 :][:most]


class OfferedFromTruth(Leaky):
    """A parry may be announced only while somebody holds two wares."""

    def advance_questions(self, seen: Position[Board], seat: Seat) -> Sequence[Question]:
        offered = tuple(super().advance_questions(seen, seat))
        armed = any(len(set(held(hand)) & set(WARES)) > 1 for s, hand in seen.board.hands.items() if s != seat)
        return offered if armed else offered[:-1]


class LinesVisibleToAll(Leaky):
    """Marches lie on the board while they wait for their turn."""

    def resolve(self, table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
        if gate.startswith("march"):
            for seat, orders in answers.items():
                table.emit(Kept(seat=seat, orders=orders))
        super().resolve(table, gate, answers)


LEAKS: Mapping[type[Leaky], str] = {
    NameInEvent: "named",
    VisibleToAll: "named",
    DeckInPresent: "named",
    KnownInSilence: "learnt",
    AwaitedByHand: "awaited",
    QuestionsInOrderOfHands: "awaited",
    OpenLimits: "view",
    DieNamedBySecret: "draws",
    CheckedAgainstTruth: "refusals",
    SuggestedFromTruth: "offers",
    OfferedFromTruth: "offers",
    LinesVisibleToAll: "sealed",
}
"""Each leak, with the law that must catch it."""
