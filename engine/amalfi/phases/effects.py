"""The effects of destinations, artworks and characters: one function for each verb of the catalogue."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, replace
from itertools import islice
from typing import Final

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.acts import (
    Effect,
    Game,
    Seen,
    discard_rightmost,
    effects,
    free_slots,
    gain_bread,
    in_hand,
    note_wishes,
    reply,
    wishes,
    wishes_of,
)
from engine.amalfi.board import Wishes
from engine.amalfi.catalogue import ANY, ARTWORKS, CHARACTERS, DESTINATIONS, LIGHT, Op, Verb
from engine.amalfi.payment import least_waste
from engine.amalfi.phases import actions
from engine.amalfi.phases.choices import affordable, ask_again, choose, emptiest, fleeing, note_asked, usable
from engine.amalfi.phases.lighthouses import UseLight, erect
from engine.amalfi.phases.turns import EndAction
from engine.amalfi.values import counted, ship_cost
from engine.amalfi.vocabulary import INSTEAD_CHARACTER, INSTEAD_POINTS, NO_SHIP, RIGHTMOST
from engine.amalfi.worth import given_worth
from engine.kernel.orders import Order, Orders, Problem, Question, unconditional
from engine.kernel.turn_chapters import Defaults, Steps
from engine.kernel.viewers import Seat

NOTES: Final = (
    "benefit_lost",  # {verb, cause}: a benefit that cannot be used
    "named_in_vain",  # {thing, cause, reason}: what GETTING names cannot be had by the action that an effect gives
)
ENGAGE: Final = o.Engage.__name__


def resolve_effect(table: Game, step: Effect) -> None:
    """Apply one effect; an effect that may be repeated is queued once for each time."""
    op = step.op
    if op.op in _ONE_BY_ONE and op.n > 1 and not step.gate:
        rest = (replace(step, op=replace(op, n=1)) for _ in range(op.n))
        table.then(*rest)
        return
    VERBS[op.op](table, step)


def _lost(table: Game, step: Effect) -> None:
    """Record that a benefit could not be used."""
    table.note(Problem("benefit_lost", {"verb": step.op.op.value, "cause": step.cause}))
    table.emit(e.BenefitLost(seat=step.seat, what=step.op.op.value, cause=step.cause))


# --- bread and points


def _bread(table: Game, step: Effect) -> None:
    gain_bread(table, step.seat, step.op.n, step.cause)


def _pay_bread(table: Game, step: Effect) -> None:
    table.emit(e.BreadPaid(seat=step.seat, bread=step.op.n, cause=step.cause))


def _vp(table: Game, step: Effect) -> None:
    table.emit(e.PointsGained(seat=step.seat, points=step.op.n, cause=step.cause))


def _vp_per(table: Game, step: Effect) -> None:
    points = min(step.op.most, step.op.vp * counted(table.board, step.seat, step.op.per))
    table.emit(e.PointsGained(seat=step.seat, points=points, cause=step.cause))


def _discard_for_vp(table: Game, step: Effect) -> None:
    hand = in_hand(table.board, step.seat)
    if not hand:
        return _lost(table, step)
    if step.gate:
        order = reply(table, step.gate, step.seat)
        card = order.discard if isinstance(order, o.GiveUp) else ""
    else:
        card = wishes(table, step.seat).discard
    if card in hand:
        table.emit(e.GivenUp(seat=step.seat, character=card, cause=step.cause))
        table.emit(e.PointsGained(seat=step.seat, points=step.op.vp, cause=step.cause))
        return None
    if step.gate:
        return _lost(table, step)
    if table.trial:
        return note_asked(table, "give_up", step.cause)
    return ask_again(table, step, "give_up")


# --- ships


def _send(table: Game, step: Effect) -> None:
    """Gagner des Ressources: Send ships, as many as allowed and in the bay."""
    board, seat, op = table.board, step.seat, step.op
    most = min(op.n, board.players[seat].bay)
    if not most:
        return _lost(table, step)
    if step.gate:
        order = reply(table, step.gate, seat)
        chosen = order.send if isinstance(order, o.Send) else ()
        holds = tuple(hold for hold in chosen if hold != NO_SHIP)[:most]
    elif wishes(table, seat).send:
        holds = _wished(table, seat, op, most)
    elif op.hold != ANY:
        holds = (op.hold,) * most
    elif table.trial:
        note_asked(table, "send", step.cause)
        holds = emptiest(board, seat, most)
    else:
        return ask_again(table, step, "send", ships=op.n)
    if not holds:
        return _lost(table, step)
    return table.emit(e.ShipsSent(seat=seat, holds=dict(Counter(holds)), cause=step.cause))


def _wished(table: Game, seat: Seat, op: Op, most: int) -> tuple[str, ...]:
    """Return the stated holds that fit, and mark them used."""
    said = wishes(table, seat)
    holds: list[str] = []
    left = list(said.send)
    for hold in said.send:
        if len(holds) < most and hold != NO_SHIP and op.hold in (hold, ANY):
            holds.append(hold)
            left.remove(hold)
    note_wishes(table, seat, replace(said, send=tuple(left)))
    return tuple(holds)


def _recall(table: Game, step: Effect) -> None:
    """Return ships from docks: only the named ones, even if more are possible (A12)."""
    seat = step.seat
    docked = table.board.docked(seat)
    if not docked:
        return _lost(table, step)
    named = any(place in docked for place in wishes(table, seat).recall)
    if len(docked) <= step.op.n and not step.gate and not named:
        places: tuple[str, ...] | None = docked
    else:
        places = choose(table, step, "recall", docked, wishes(table, seat).recall, ships=step.op.n)
    if places is None:
        return None
    if not places:
        return _lost(table, step)
    return table.emit(e.ShipsRecalled(seat=seat, places=places[: step.op.n], cause=step.cause))


def _launch(table: Game, step: Effect) -> None:
    ships = min(step.op.n, table.board.players[step.seat].port)
    if not ships:
        return _lost(table, step)
    return table.emit(e.ShipsLaunched(seat=step.seat, ships=ships, cause=step.cause))


def _build(table: Game, step: Effect) -> None:
    """Build a ship, free or for less wood; paid as stated, or with least waste."""
    board, seat, op = table.board, step.seat, step.op
    ships = min(op.n, board.players[seat].yard)
    if not ships:
        return _lost(table, step)
    if op.free:
        return actions.launch(table, seat, ships, op.to)
    said = wishes(table, seat)
    order = o.Build(ships, said.pay, said.emergency)
    if _given(table, step, order, "build") is None:
        order = o.Build(ships)
    if isinstance(least_waste(board, seat, ship_cost(board, seat, op.minus) * ships, actions.WOOD), Problem):
        return _lost(table, step)
    return actions.build(table, seat, order, op.minus, op.to)


# --- characters


def _character(table: Game, step: Effect) -> None:
    """Prendre un Personnage en main: Take a character."""
    board, seat = table.board, step.seat
    found = affordable(board, seat, free=step.op.free)
    if not found:
        return _lost(table, step)
    chosen = choose(table, step, "take", found, wishes(table, seat).take, free=int(step.op.free))
    if chosen is None:
        return None
    if not chosen:
        return _lost(table, step)
    return actions.take_character(table, seat, chosen[0], step.cause, free=step.op.free)


def _untap(table: Game, step: Effect) -> None:
    """Redresser un personnage engagé: Refresh a character."""
    besides = being_engaged(table, step.seat)
    found = fleeing(table.board, step.seat, step.cause, besides)
    if not found:
        return _lost(table, step)
    if step.op.n >= len(found) and not step.gate:
        chosen: tuple[str, ...] | None = found
    else:
        chosen = choose(table, step, "refresh", found, wishes(table, step.seat).refresh, **_besides(besides))
    if chosen is None:
        return None
    if not chosen:
        return _lost(table, step)
    return table.emit(e.Refreshed(seat=step.seat, characters=chosen[: step.op.n], cause=step.cause))


def being_engaged(table: Game, seat: Seat) -> str:
    """Return the character being engaged; it is turned last, so its own effect cannot refresh it (A19)."""
    under_way = any(isinstance(s, EndAction) and (s.seat, s.what) == (seat, ENGAGE) for s in table.core.agenda)
    return next(reversed(table.board.players[seat].engaged), "") if under_way else ""


def _besides(card: str) -> dict[str, str]:
    return {"besides": card} if card else {}


def _either(table: Game, step: Effect) -> None:
    """Construction: Take or refresh a character, for the double icon."""
    said, seat = wishes(table, step.seat), step.seat
    besides = being_engaged(table, seat)
    found = fleeing(table.board, seat, step.cause, besides)
    if step.gate:
        order = reply(table, step.gate, seat)
        if order is None:
            return _lost(table, step)
        refresh = isinstance(order, o.Refresh)
        if isinstance(order, o.Refresh):
            said = replace(said, refresh=order.refresh)
        elif isinstance(order, o.Take):
            said = replace(said, take=order.take)
        note_wishes(table, seat, said)
    elif _said_either(table, seat, found):
        refresh = not _said_take(table, seat)
    elif not found:
        refresh = False
    elif not affordable(table.board, seat):
        refresh = True
    elif table.trial:
        return note_asked(table, "either", step.cause)
    else:
        return ask_again(table, step, "take", either=1, **_besides(besides))
    verb = Verb.UNTAP if refresh else Verb.CHARACTER
    return table.then(Effect(seat, Op(verb), step.cause))


def _said_either(table: Game, seat: Seat, found: Collection[str]) -> bool:
    """Return True if a possible choice between the two was stated."""
    return _said_take(table, seat) or any(card in found for card in wishes(table, seat).refresh)


def _said_take(table: Game, seat: Seat) -> bool:
    there = (RIGHTMOST, *affordable(table.board, seat))
    return any(name in there for name in wishes(table, seat).take)


# --- lighthouses


def _lighthouse(table: Game, step: Effect) -> None:
    """Ériger un Phare: Erect a lighthouse; if none is left, gain a character or points (A16)."""
    board, seat = table.board, step.seat
    if not board.left(seat):
        return _instead(table, step)
    free = free_slots(board)
    if not free:
        return _lost(table, step)
    chosen = choose(table, step, "erect", free, wishes(table, seat).erect)
    if chosen is None:
        return None
    if not chosen:
        return _lost(table, step)
    return erect(table, seat, chosen[0], step.cause)


def _instead(table: Game, step: Effect) -> None:
    gains = (INSTEAD_CHARACTER, INSTEAD_POINTS)
    chosen = choose(table, step, "erect", gains, wishes(table, step.seat).erect)
    if chosen is None:
        return None
    if chosen[:1] == (INSTEAD_CHARACTER,):
        return table.then(Effect(step.seat, Op(Verb.CHARACTER), step.cause))
    return table.emit(e.PointsGained(seat=step.seat, points=LIGHT["instead_vp"], cause="no_lighthouse"))


# --- rows


def _discard_artwork(table: Game, step: Effect) -> None:
    discard_rightmost(table, "atelier", step.cause)


def _discard_character(table: Game, step: Effect) -> None:
    discard_rightmost(table, "council", step.cause)


# --- further actions


def _action(table: Game, step: Effect) -> None:
    """Carry out an action that an effect gives, by all its rules, paid as stated or as answered."""
    said, seat, what = wishes(table, step.seat), step.seat, step.op.op.value
    if step.gate:
        order = reply(table, step.gate, seat)
        if order is not None:
            note_wishes(table, seat, _added(said, order))
    else:
        order = _given(table, step, _named(step.op.op, said.get, said.pay, said.emergency), what)
        order = order or _given(table, step, _named(step.op.op, said.get), what)
        if order is None and said.get:
            _report_in_vain(table, step, said.get, what)
    if order is None and not step.gate and _possible(table, step, what):
        if table.trial:
            return note_asked(table, "get", step.cause, stated=said.get)
        return ask_again(table, step, "get", action=what, minus=step.op.minus)
    match order:
        case o.Acquire():
            return actions.acquire(table, seat, order, step.op.minus)
        case o.Discover():
            return actions.discover(table, seat, order, step.op.minus)
        case o.Invite():
            return actions.invite(table, seat, order, step.op.minus)
    return _lost(table, step)


def _report_in_vain(table: Game, step: Effect, thing: str, what: str) -> None:
    """Tell the player why an effect does not get the thing that was named."""
    order = _named(step.op.op, thing)
    if order is None:
        reason: Problem | None = Problem("other_action", {"action": what})
    else:
        reason = _refused(table.position, _extra(step, what), order)
    if reason is not None:
        table.note(Problem("named_in_vain", {"thing": thing, "cause": step.cause, "reason": reason}))
        owner = frozenset({step.seat})
        table.emit(e.NamedInVain(seat=step.seat, thing=thing, cause=step.cause, reason=reason, visible_to=owner))


def _added(said: Wishes, order: Order) -> Wishes:
    """Return the choices stated with an action, overridden by those of the answer about what its effect gives."""
    later = wishes_of(order, pay=(), emergency=())
    kept = {f.name: getattr(later, f.name) or getattr(said, f.name) for f in fields(Wishes)}
    return Wishes(**{**kept, "get": later.get, "pay": (), "emergency": ()})


def _named(verb: Verb, name: str, pay: tuple[str, ...] = (), emergency: tuple[str, ...] = ()) -> Order | None:
    """Return the order about a named thing, if the action can be about it."""
    kind, known = _ABOUT[verb]
    return kind(name, pay=pay, emergency=emergency) if name in known else None


def _extra(step: Effect, what: str) -> Question:
    """Return the question of an action that an effect gives."""
    return Question("get", step.seat, "get", {"action": what, "minus": step.op.minus})


def _given(table: Game, step: Effect, order: Order | None, what: str) -> Order | None:
    """Return the order if it is not refused, else None."""
    if order is None or _refused(table.position, _extra(step, what), order) is not None:
        return None
    return order


def _possible(table: Game, step: Effect, what: str) -> bool:
    """Return True if the action could be about something, by public knowledge."""
    if step.op.op is Verb.INVITE:
        return bool(table.board.players[step.seat].hand)
    return any(extra_orders(table.position, _extra(step, what)))


def extra_orders(seen: Seen, decision: Question) -> Iterator[Order]:
    """Yield all orders for the action that an effect gives, paid with least waste, the best first."""
    verb = Verb(str(decision.limits["action"]))
    given = Op(verb, minus=int(str(decision.limits["minus"])))
    orders = (_named(verb, name) for name, _ in given_worth(seen.board, decision.seat, given))
    return (order for order in orders if order is not None and _refused(seen, decision, order) is None)


def _default_get(seen: Seen, decision: Question) -> Orders:
    """Return the order that is suggested first."""
    return unconditional(*islice(extra_orders(seen, decision), 1))


def _refused(seen: Seen, decision: Question, order: Order) -> Problem | None:
    problem: Problem | None = actions.REFUSALS[type(order)](seen, decision, order)
    return problem


def _use_private(table: Game, step: Effect) -> None:
    """Use an own private destination without a ship: its bread is paid, and its lighthouse works (A21)."""
    board, seat = table.board, step.seat
    found = usable(board, seat)
    if not found:
        return _lost(table, step)
    chosen = choose(table, step, "use", found, (wishes(table, seat).use,))
    if chosen is None:
        return None
    if not chosen:
        return _lost(table, step)
    place = DESTINATIONS[chosen[0]]
    table.emit(e.UsedFromAfar(seat=seat, place=place.id, bread=place.bread))
    return table.then(*effects(seat, place.effects, place.id), UseLight(place.id, seat))


_ABOUT: Final[Mapping[Verb, tuple[Callable[..., Order], Collection[str]]]] = {
    Verb.ACQUIRE: (o.Acquire, ARTWORKS),
    Verb.DISCOVER: (o.Discover, DESTINATIONS),
    Verb.INVITE: (o.Invite, CHARACTERS),
}
"""The orders for an action that an effect gives, and the things that each can be about."""
_ONE_BY_ONE: Final = (Verb.CHARACTER, Verb.LIGHTHOUSE)
VERBS: Final[Mapping[Verb, Callable[[Game, Effect], None]]] = {
    Verb.BREAD: _bread,
    Verb.PAY_BREAD: _pay_bread,
    Verb.VP: _vp,
    Verb.VP_PER: _vp_per,
    Verb.SEND: _send,
    Verb.CHARACTER: _character,
    Verb.LIGHTHOUSE: _lighthouse,
    Verb.UNTAP: _untap,
    Verb.EITHER: _either,
    Verb.DISCARD_ARTWORK: _discard_artwork,
    Verb.DISCARD_CHARACTER: _discard_character,
    Verb.ACQUIRE: _action,
    Verb.DISCOVER: _action,
    Verb.INVITE: _action,
    Verb.BUILD: _build,
    Verb.RECALL: _recall,
    Verb.LAUNCH: _launch,
    Verb.USE_PRIVATE: _use_private,
    Verb.DISCARD_FOR_VP: _discard_for_vp,
}


STEPS: Final[Steps] = {Effect: resolve_effect}
DEFAULTS: Final[Defaults] = {"get": _default_get}
