"""Acts that several chapters share: questions and replies, gains, rows that are refilled, titles."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Final, TypeAlias

from engine.amalfi import events as e
from engine.amalfi.board import Board, Wishes
from engine.amalfi.catalogue import COUNCIL, ROW, TITLES, Category, On, Op
from engine.amalfi.payment import Payment
from engine.amalfi.values import earns, invited, stored, triggered_by
from engine.amalfi.vocabulary import NO_SHIP
from engine.kernel.events import Event
from engine.kernel.orders import Order, Orders, Pace, Question, single_order
from engine.kernel.position import Position, Step
from engine.kernel.secrets import Sealed, Secret
from engine.kernel.table import Table
from engine.kernel.viewers import Seat

Seen: TypeAlias = Position[Board]
Game: TypeAlias = Table[Board]

CHOICES: Final = ("send", "take", "erect", "refresh", "recall", "use", "give_up", "get")
"""Questions in the middle of an action."""


class Effect(Step, saved="amalfi.Effect"):
    """One thing that a destination, an artwork or a character does. `gate`: where its choice was asked."""

    seat: Seat
    op: Op
    cause: str
    gate: str = ""


# --- questions


def ask_choice(table: Game, asks: str, seat: Seat, limits: Mapping[str, int | str], pace: Pace = Pace.CHOICE) -> str:
    """Put a question in the middle of an action; returns its gate. The answer comes by `reply`."""
    table.emit(e.ChoiceCounted())
    gate = f"{asks}/{table.board.period}/{table.board.asked}"
    table.ask(Question(gate, seat, asks, dict(limits), pace=pace))
    return gate


def note_replies(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Keep the answers of a gate for the step that waits behind it."""
    for seat, orders in answers.items():
        table.emit(e.Replied(key=f"{gate}/{seat}", answer=Secret(orders, frozenset({seat}))))


def reply(table: Game, gate: str, seat: Seat) -> Order | None:
    """The order that a seat answered with, taken up; None where it passed."""
    key = f"{gate}/{seat}"
    answer = table.board.answers[key]
    table.emit(e.RepliesUsed(keys=(key,)))
    return single_order(answer.value)


# --- wishes


def wishes_of(order: Order, **more: object) -> Wishes:
    """The choices that are said in an order; after the last ship that it names none is sent."""
    said = {field.name: getattr(order, field.name) for field in fields(Wishes) if hasattr(order, field.name)} | more
    if said.get("send"):
        said["send"] = (*said["send"], NO_SHIP)
    return Wishes(**said)


def wishes(table: Game, seat: Seat) -> Wishes:
    """What the author of the action under way said; nothing in somebody else's action.

    A trial of a line may find what is still sealed of another action, which waits for an answer: it counts there alone.
    """
    held = table.board.players[seat].wishes
    return Wishes() if held is None or (table.trial and isinstance(held, Sealed)) else held.value


def note_wishes(table: Game, seat: Seat, said: Wishes | None) -> None:
    """From here on these are the choices that were said."""
    kept: Sealed[Wishes] | Secret[Wishes] | None = None
    if said is not None:
        kept = Secret(said, frozenset({seat})) if table.trial else Sealed(said)
    table.emit(e.WishesNoted(seat=seat, wishes=kept))


# --- gains


def gain_bread(table: Game, seat: Seat, bread: int, cause: str) -> None:
    """Bread, as far as there is room for it."""
    kept, lost = stored(table.board, seat, bread)
    if bread:
        table.emit(e.BreadGained(seat=seat, bread=kept, lost=lost, cause=cause))


def pay(table: Game, seat: Seat, cost: int, payment: Payment) -> None:
    """Ships are moved; what is paid too much becomes bread."""
    kept, lost = stored(table.board, seat, payment.worth - cost)
    table.emit(
        e.Paid(
            seat=seat,
            cost=cost,
            holds=dict(payment.holds),
            emergency=payment.emergency,
            bread=kept,
            lost=lost,
            chosen=payment.chosen,
        )
    )


def effects(seat: Seat, ops: Iterable[Op], cause: str) -> tuple[Effect, ...]:
    """Steps for everything that something does, from left to right."""
    return tuple(Effect(seat, op, cause) for op in ops)


def triggered(board: Board, seat: Seat, on: On, about: str = "", besides: str = "") -> tuple[Effect, ...]:
    """Steps for what the permanent characters of a player do at this moment, `besides` one that has just come."""
    return tuple(
        effect
        for character, ops in triggered_by(board, seat, on, about)
        if character.id != besides
        for effect in effects(seat, ops, character.id)
    )


# --- rows


def refill(table: Game, row: str) -> None:
    """New cards on the left slots; an empty deck is made of its discards, but the Atlas just runs out (page 19)."""
    board = table.board
    while len(board.rows[row]) < len((COUNCIL if row == "council" else ROW)["gains"]):
        if not board.decks[row] and board.discards[row] and row != "atlas" and not table.trial:
            cards = table.shuffle(f"{row}/{board.period}/{len(table.drawn)}", board.discards[row])
            table.emit(e.DeckShuffled(row=row, cards=tuple(map(Secret, cards)), again=True))
        if not board.decks[row] or not board.decks[row][0].visible:
            return
        table.emit(e.RowFilled(row=row, card=board.decks[row][0].value))


def discard_rightmost(table: Game, row: str, cause: str) -> None:
    """Effets automatiques: the card furthest from the deck goes, the others move, a new one comes."""
    if table.board.rows[row]:
        table.emit(e.CardDiscarded(row=row, card=table.board.rows[row][-1], cause=cause))
        refill(table, row)


# --- titles


def achieve(table: Game, event: Event) -> None:
    """A fact after which titles may be earned: each at once, the active player before the others (A11)."""
    table.emit(event)
    board = table.board
    for seat in board.from_(board.active or board.first):
        for title in board.titles:
            if seat not in board.claims[title] and earns(board, seat, title):
                rank = len(board.claims[title])
                points = TITLES[title].vp[rank]
                table.emit(e.TitleEarned(seat=seat, title=title, rank=rank + 1, points=points))


# --- looking up


def in_hand(seen: Board, seat: Seat) -> tuple[str, ...]:
    """The characters in a hand that the reader in force knows."""
    return tuple(card.value for card in seen.players[seat].hand if card.visible)


def engageable(board: Board, seat: Seat) -> tuple[str, ...]:
    """The characters of a player that can be engaged now."""
    player = board.players[seat]
    return tuple(c.id for c in invited(player) if c.category is Category.ENGAGEABLE and c.id not in player.engaged)


def free_slots(board: Board) -> tuple[str, ...]:
    """The destinations where a lighthouse may be erected."""
    return tuple(place for place in board.places if board.has_slot(place) and not board.light(place))


def next_light(board: Board) -> int:
    """The number of the next lighthouse on the table: in the order in which they were erected."""
    return max((number for _, number in board.lights.values()), default=0) + 1
