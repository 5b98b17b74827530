"""Choices in the middle of an action: stated in advance, asked when they come up, or without alternative."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from engine.amalfi import orders as o
from engine.amalfi.acts import CHOICES, Effect, Game, Seen, ask_choice, free_slots, in_hand, note_replies, reply
from engine.amalfi.board import Board
from engine.amalfi.catalogue import ANY, DESTINATIONS, HOLDS, Verb
from engine.amalfi.values import council_bread
from engine.amalfi.vocabulary import INSTEAD_CHARACTER, INSTEAD_POINTS, NO_SHIP, RIGHTMOST
from engine.amalfi.worth import character_worth
from engine.kernel.events import LineStarted
from engine.kernel.orders import Order, Orders, Problem, Question, unconditional
from engine.kernel.turn_chapters import Defaults, Gates, Refusals
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_in_council",  # {character}
    "slot_too_dear",  # {character, bread}: the cost of its slot
    "no_slot_there",  # {place}: no free place for a lighthouse
    "not_instead",  # {}: a character or points are possible only if no lighthouse is left
    "lighthouse_left_out",  # {}: no lighthouse is left, so a character or points must be chosen
    "not_engaged",  # {character}: not an own engaged character that can be refreshed
    "no_ship_there",  # {place}
    "too_many",  # {most}: more than may be named
    "not_private",  # {place}: not an own private destination whose bread can be paid
    "not_in_hand",  # {character}
    "not_either",  # {}: only a character of the Council can be chosen here
)

NOTES: Final = ("will_ask",)  # {asks, cause, named}: a choice that is not stated, but can be if `named`
Choice = tuple[str, ...] | None
"""The things chosen; empty if the benefit is not wanted; None while it is asked."""


def choose(
    table: Game, step: Effect, asks: str, candidates: Sequence[str], wished: Sequence[str], **limits: int | str
) -> Choice:
    """Choose among candidates: by the answer, by the stated wishes, or the only one; else ask."""
    if step.gate:
        order = reply(table, step.gate, step.seat)
        return _among(candidates, getattr(order, asks, ()) if order is not None else ())
    found = _among(candidates, wished)
    if found or len(candidates) < 2:
        return found or tuple(candidates)
    if table.trial:
        note_asked(table, asks, step.cause)
        return tuple(candidates[-1:])
    ask_again(table, step, asks, **limits)
    return None


def note_asked(table: Game, asks: str, cause: str, stated: str = "") -> None:
    """Say in a preview that a choice will be asked, and whether it could be stated with the order instead.

    `stated`: what was stated in vain.
    """
    started = next((event for event in reversed(table.events) if isinstance(event, LineStarted)), None)
    wish = {"either": "take", "give_up": "discard"}.get(asks, asks)
    named = started is not None and not stated and hasattr(started.clause.order, wish)
    table.note(Problem("will_ask", {"asks": asks, "cause": cause, "named": named}))


def ask_again(table: Game, step: Effect, asks: str, **limits: int | str) -> None:
    """Ask, and continue the step after the answer."""
    sends = {"sends": 1} if table.board.players[step.seat].sent and _still_sends(table, step) else {}
    gate = ask_choice(table, asks, step.seat, {"cause": step.cause, **limits, **sends})
    table.then(replace(step, gate=gate))


def _still_sends(table: Game, step: Effect) -> bool:
    """Return True if ships may still be sent in the current action, by this step or a later one (page 17)."""
    waiting = (s for s in (step, *table.core.agenda) if isinstance(s, Effect) and s.seat == step.seat)
    return any(s.op.op in (Verb.SEND, Verb.USE_PRIVATE) for s in waiting)


def _among(candidates: Sequence[str], wished: Sequence[str] | str) -> tuple[str, ...]:
    """Return the wished candidates, in order of preference; `rightmost` means the last one."""
    named = (wished,) if isinstance(wished, str) else wished
    meant = [candidates[-1] if name == RIGHTMOST and candidates else name for name in named]
    return tuple(dict.fromkeys(name for name in meant if name in candidates))


def affordable(board: Board, seat: Seat, *, free: bool = False) -> tuple[str, ...]:
    """Return the characters of the Council whose slot a player can pay, from the left."""
    bread = board.players[seat].bread
    return tuple(card for card in board.rows["council"] if council_bread(board, seat, card, free=free)[0] <= bread)


def fleeing(board: Board, seat: Seat, *besides: object) -> tuple[str, ...]:
    """A19: Return the engaged characters that an effect may refresh, without its own and the one being engaged."""
    return tuple(card for card in board.players[seat].engaged if card not in besides)


def fleeing_for(board: Board, decision: Question) -> tuple[str, ...]:
    """Return the engaged characters that a question is about."""
    return fleeing(board, decision.seat, decision.limits.get("cause"), decision.limits.get("besides"))


def usable(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the own private destinations whose bread can be paid."""
    player = board.players[seat]
    return tuple(place for place in player.destinations if DESTINATIONS[place].bread <= player.bread)


def holds_for(shown: Sequence[str]) -> tuple[str, ...]:
    """Return the shown holds; all of them if any may be chosen."""
    return HOLDS if ANY in shown else tuple(shown)


def ships_to_send(board: Board, decision: Question) -> int:
    """Return how many ships an answer may send now: those of the effect, as far as they are in the bay."""
    most = decision.limits.get("ships")
    return min(most, board.players[decision.seat].bay) if isinstance(most, int) else len(HOLDS)


def emptiest(board: Board, seat: Seat, ships: int) -> tuple[str, ...]:
    """Return the default hold for each ship: the one with fewest ships first."""
    order = sorted(HOLDS, key=lambda hold: board.players[seat].holds[hold])
    return tuple(order[n % len(order)] for n in range(ships))


# --- judging


def _refuse_send(seen: Seen, decision: Question, order: o.Send) -> Problem | None:
    most = ships_to_send(seen.board, decision)
    count = sum(hold != NO_SHIP for hold in order.send)
    return Problem("too_many", {"most": most}) if count > most else None


def _refuse_take(seen: Seen, decision: Question, order: o.Take) -> Problem | None:
    """Require a named character to be possible; the rightmost costs nothing, so it always is."""
    board, seat = seen.board, decision.seat
    if RIGHTMOST in order.take:
        return None
    if not any(card in board.rows["council"] for card in order.take):
        return Problem("not_in_council", {"character": order.take[0]})
    free = bool(decision.limits.get("free"))
    if any(card in affordable(board, seat, free=free) for card in order.take):
        return None
    there = next(card for card in order.take if card in board.rows["council"])
    return Problem("slot_too_dear", {"character": there, "bread": council_bread(board, seat, there)[0]})


def _refuse_erect(seen: Seen, decision: Question, order: o.Erect) -> Problem | None:
    board, instead = seen.board, {INSTEAD_CHARACTER, INSTEAD_POINTS}
    if not board.left(decision.seat):
        return None if set(order.erect) & instead else Problem("lighthouse_left_out")
    if set(order.erect) <= instead:
        return Problem("not_instead")
    free = free_slots(board)
    return None if set(order.erect) & set(free) else Problem("no_slot_there", {"place": order.erect[0]})


def _refuse_refresh(seen: Seen, decision: Question, order: o.Refresh) -> Problem | None:
    if decision.topic == "take" and not decision.limits.get("either"):
        return Problem("not_either")
    found = fleeing_for(seen.board, decision)
    return None if set(order.refresh) & set(found) else Problem("not_engaged", {"character": order.refresh[0]})


def _refuse_recall(seen: Seen, decision: Question, order: o.Recall) -> Problem | None:
    most = int(str(decision.limits.get("ships", len(order.recall))))
    wrong = next((place for place in order.recall if place not in seen.board.docked(decision.seat)), None)
    if wrong is not None:
        return Problem("no_ship_there", {"place": wrong})
    return Problem("too_many", {"most": most}) if len(order.recall) > most else None


def _refuse_use(seen: Seen, decision: Question, order: o.Use) -> Problem | None:
    return None if order.use in usable(seen.board, decision.seat) else Problem("not_private", {"place": order.use})


def _refuse_give_up(seen: Seen, decision: Question, order: o.GiveUp) -> Problem | None:
    held = in_hand(seen.board, decision.seat)
    return None if order.discard in held else Problem("not_in_hand", {"character": order.discard})


# --- defaults


def _default(make: Callable[[Board, Question], Order | None]) -> Callable[[Seen, Question], Orders]:
    def orders(seen: Seen, decision: Question) -> Orders:
        order = make(seen.board, decision)
        return unconditional(order) if order is not None else ()

    return orders


def _default_erect(board: Board, decision: Question) -> Order | None:
    """Return a free own place, else the first on the board; points if none is left."""
    if not board.left(decision.seat):
        return o.Erect((INSTEAD_POINTS,))
    free = free_slots(board)
    own = [place for place in free if place in board.players[decision.seat].destinations]
    return o.Erect((*own, *free)[:1]) if free else None


def _default_send(board: Board, decision: Question) -> Order:
    return o.Send(emptiest(board, decision.seat, ships_to_send(board, decision)))


def _default_refresh(board: Board, decision: Question) -> Order | None:
    found = fleeing_for(board, decision)
    return o.Refresh(found[:1]) if found else None


def _default_recall(board: Board, decision: Question) -> Order | None:
    docked = board.docked(decision.seat)[: int(str(decision.limits.get("ships", 1)))]
    return o.Recall(docked) if docked else None


def _default_use(board: Board, decision: Question) -> Order | None:
    found = usable(board, decision.seat)
    return o.Use(found[0]) if found else None


def _default_give_up(board: Board, decision: Question) -> Order | None:
    """Return the character of the hand with the least value, because the points are worth more."""
    hand = in_hand(board, decision.seat)
    return o.GiveUp(min(hand, key=lambda card: character_worth(board, decision.seat, card))) if hand else None


GATES: Final[Gates] = dict.fromkeys(CHOICES, note_replies)
REFUSALS: Final[Refusals] = {
    o.Send: _refuse_send,
    o.Take: _refuse_take,
    o.Erect: _refuse_erect,
    o.Refresh: _refuse_refresh,
    o.Recall: _refuse_recall,
    o.Use: _refuse_use,
    o.GiveUp: _refuse_give_up,
}
DEFAULTS: Final[Defaults] = {
    "send": _default(_default_send),
    "take": _default(lambda board, decision: o.Take((RIGHTMOST,))),
    "erect": _default(_default_erect),
    "refresh": _default(_default_refresh),
    "recall": _default(_default_recall),
    "use": _default(_default_use),
    "give_up": _default(_default_give_up),
}
