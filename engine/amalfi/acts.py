"""Actions that several chapters share: questions and replies, gains, rows, titles."""

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
"""The questions of choices in the middle of an action."""


class Effect(Step, saved="amalfi.Effect"):
    """One effect of a destination, an artwork or a character.

    `gate`: where its choice was asked; "" before.
    """

    seat: Seat
    op: Op
    cause: str
    gate: str = ""


# --- questions


def ask_choice(table: Game, asks: str, seat: Seat, limits: Mapping[str, int | str], pace: Pace = Pace.CHOICE) -> str:
    """Ask a question in the middle of an action and return its gate. `reply` returns the answer later."""
    table.emit(e.ChoiceCounted())
    gate = f"{asks}/{table.board.period}/{table.board.asked}"
    table.ask(Question(gate, seat, asks, dict(limits), pace=pace))
    return gate


def note_replies(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Store the answers of a gate until a later step uses them."""
    for seat, orders in answers.items():
        table.emit(e.Replied(key=f"{gate}/{seat}", answer=Secret(orders, frozenset({seat}))))


def reply(table: Game, gate: str, seat: Seat) -> Order | None:
    """Return the order that a seat answered at a gate and remove it from the board; None if it passed."""
    key = f"{gate}/{seat}"
    answer = table.board.answers[key]
    table.emit(e.RepliesUsed(keys=(key,)))
    return single_order(answer.value)


# --- wishes


def wishes_of(order: Order, **more: object) -> Wishes:
    """Return the choices stated in an order; after the last ship that it names, no more are sent."""
    said = {field.name: getattr(order, field.name) for field in fields(Wishes) if hasattr(order, field.name)} | more
    if said.get("send"):
        said["send"] = (*said["send"], NO_SHIP)
    return Wishes(**said)


def wishes(table: Game, seat: Seat) -> Wishes:
    """Return the choices stated with the current action of a seat; empty in another player's action.

    A trial treats choices that are still sealed as empty, because they belong to another action.
    """
    held = table.board.players[seat].wishes
    return Wishes() if held is None or (table.trial and isinstance(held, Sealed)) else held.value


def note_wishes(table: Game, seat: Seat, said: Wishes | None) -> None:
    """Store the choices stated with the current action."""
    kept: Sealed[Wishes] | Secret[Wishes] | None = None
    if said is not None:
        kept = Secret(said, frozenset({seat})) if table.trial else Sealed(said)
    table.emit(e.WishesNoted(seat=seat, wishes=kept))


# --- gains


def gain_bread(table: Game, seat: Seat, bread: int, cause: str) -> None:
    """Give bread, as far as there is room."""
    kept, lost = stored(table.board, seat, bread)
    if bread:
        table.emit(e.BreadGained(seat=seat, bread=kept, lost=lost, cause=cause))


def pay(table: Game, seat: Seat, cost: int, payment: Payment) -> None:
    """Move the ships of a payment; the excess becomes bread."""
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
    """Return the steps for all effects of a thing, from left to right."""
    return tuple(Effect(seat, op, cause) for op in ops)


def triggered(board: Board, seat: Seat, on: On, about: str = "", besides: str = "") -> tuple[Effect, ...]:
    """Return the steps of a player's permanent characters at this moment.

    `besides`: a character that has just come, left out.
    """
    return tuple(
        effect
        for character, ops in triggered_by(board, seat, on, about)
        if character.id != besides
        for effect in effects(seat, ops, character.id)
    )


# --- rows


def refill(table: Game, row: str) -> None:
    """Fill a row from its deck; an empty deck is made of its discards, except for the Atlas (page 19)."""
    board = table.board
    while len(board.rows[row]) < len((COUNCIL if row == "council" else ROW)["gains"]):
        if not board.decks[row] and board.discards[row] and row != "atlas" and not table.trial:
            cards = table.shuffle(f"{row}/{board.period}/{len(table.drawn)}", board.discards[row])
            table.emit(e.DeckShuffled(row=row, cards=tuple(map(Secret, cards)), again=True))
        if not board.decks[row] or not board.decks[row][0].visible:
            return
        table.emit(e.RowFilled(row=row, card=board.decks[row][0].value))


def discard_rightmost(table: Game, row: str, cause: str) -> None:
    """Effets automatiques: discard the card furthest from the deck and fill the row."""
    if table.board.rows[row]:
        table.emit(e.CardDiscarded(row=row, card=table.board.rows[row][-1], cause=cause))
        refill(table, row)


# --- titles


def achieve(table: Game, event: Event) -> None:
    """Emit an event, then give titles earned by it, the active player first (A11)."""
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
    """Return the characters in a hand that the current reader knows."""
    return tuple(card.value for card in seen.players[seat].hand if card.visible)


def engageable(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the characters of a player that can be engaged now."""
    player = board.players[seat]
    return tuple(c.id for c in invited(player) if c.category is Category.ENGAGEABLE and c.id not in player.engaged)


def free_slots(board: Board) -> tuple[str, ...]:
    """Return the destinations where a lighthouse can be erected."""
    return tuple(place for place in board.places if board.has_slot(place) and not board.light(place))


def next_light(board: Board) -> int:
    """Return the number of the next lighthouse, in the order in which they are erected."""
    return max((number for _, number in board.lights.values()), default=0) + 1
