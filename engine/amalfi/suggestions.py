"""Likely orders for each question, best first, for templates, bots and slots.

These are proposals from what the author knows; the kernel removes those that the rules refuse. Values are in tenths of
a point.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from engine.amalfi import orders as o
from engine.amalfi.acts import Seen, engageable, free_slots, in_hand
from engine.amalfi.board import Board
from engine.amalfi.catalogue import (
    ANY,
    ARTWORKS,
    BONUSES,
    CHARACTERS,
    DESTINATIONS,
    PERIODS,
    YARD_BONUSES,
    Category,
    Kind,
    Op,
    Verb,
)
from engine.amalfi.payment import most
from engine.amalfi.phases.actions import DO, WOOD
from engine.amalfi.phases.choices import affordable, fleeing_for, holds_for, ships_to_send, usable
from engine.amalfi.phases.effects import extra_orders
from engine.amalfi.phases.optional import missing, provision
from engine.amalfi.phases.setup import KEPT, choosable
from engine.amalfi.values import invite_cost, meal, ship_cost
from engine.amalfi.vocabulary import INSTEAD_CHARACTER, INSTEAD_POINTS, RIGHTMOST
from engine.amalfi.worth import (
    BREAD,
    CHARACTER,
    RESOURCE,
    SHIP_SPENT,
    Got,
    acquisition,
    after_payment,
    at_the_end,
    best_got,
    can_sail,
    character_worth,
    discovery,
    gives,
    invitation,
    net,
    title_worth,
    wanted_holds,
    worth,
)
from engine.kernel.orders import Order, Question
from engine.kernel.ruleset import Proposals
from engine.kernel.viewers import Seat

Proposed = Iterable[Order]
Rated = Iterator[tuple[int, Callable[[], Order]]]
"""Values of orders, each with what makes the order: only the best are looked at."""

FEW: Final = 6
"""The most names in a suggested line."""
PREFERRED: Final = 3
"""How many names a suggested list of preferences has."""


# --- main actions


def _action(seen: Seen, decision: Question) -> Proposed:
    """Main actions with a positive value, the best first; passing last."""
    board, seat = seen.board, decision.seat
    rated = (
        *_sails(board, seat),
        *_acquisitions(board, seat),
        *_discoveries(board, seat),
        *_invitations(board, seat),
        *_engagements(board, seat),
        *_ships(board, seat),
    )
    ordered = sorted(rated, key=lambda one: -one[0])
    yield from (make() for value, make in ordered if value > 0)
    if not ordered or ordered[0][0] <= 0:
        yield from _helps(board, seat)
    yield o.Finish()


def _helps(board: Board, seat: Seat) -> Iterator[Order]:
    """Yield what brings bread to sail or for the meal, from idle things first."""
    player = board.players[seat]
    stuck = player.bay > 1 and not can_sail(board, seat)
    if not stuck and player.bread >= meal(board, seat):
        return
    hand = least_liked(board, seat)
    if hand and (len(hand) > 3 or board.period == PERIODS):
        yield o.Drop(hand[:2])
    yield from (o.Lower((hold,)) for hold, n in player.holds.items() if n)
    if player.bay > 1:
        yield o.Supply(1)


def _sails(board: Board, seat: Seat) -> Rated:
    player = board.players[seat]
    if not player.bay:
        return
    for place in (*board.public, *player.destinations):
        found = DESTINATIONS[place]
        if place in board.docks or found.bread > player.bread:
            continue
        yield _sail_worth(board, seat, place), partial(_sail, board, seat, place)


def _sail(board: Board, seat: Seat, place: str) -> Order:
    effects = DESTINATIONS[place].effects
    sends = sum(op.n for op in effects if op.op is Verb.SEND and op.hold == ANY)
    holds = best_holds(board, seat, min(sends, board.players[seat].bay - 1)) if sends else ()
    more = _bonus_choices(board, seat, effects, evolving=board.evolving(place))
    return o.Sail(place, (), holds, *more, _own_light(board, seat, place))


def _own_light(board: Board, seat: Seat, place: str) -> tuple[str, ...]:
    """Return the best hold for the player's own lighthouse at a place, so that they are not asked; () if none is."""
    shown = holds_for(DESTINATIONS[place].holds) if board.light(place) == seat else ()
    return tuple(hold for hold in wanted_holds(board, seat) if hold in shown)[:1]


def _sail_worth(board: Board, seat: Seat, place: str) -> int:
    found = DESTINATIONS[place]
    value = worth(board, seat, found.effects, away=1) - found.bread * BREAD - SHIP_SPENT
    light = board.light(place)
    if light:
        value += 6 if light == seat else -3
    value += CHARACTER if board.evolving(place) and affordable(board, seat) else 0
    erects = any(op.op is Verb.LIGHTHOUSE for op in found.effects)
    return value + erects * title_worth(board, seat, "lighthouse")


def _bonus_choices(
    board: Board, seat: Seat, ops: Sequence[Op], *, evolving: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what to take, where to erect and what to refresh, if an action may need it."""
    verbs = {op.op for op in ops}
    lights = Verb.LIGHTHOUSE in verbs
    take = best_characters(board, seat) if evolving or lights or verbs & {Verb.CHARACTER, Verb.EITHER} else ()
    erect = best_slots(board, seat)[:1] if lights else ()
    refresh = board.players[seat].engaged[:1] if lights or Verb.UNTAP in verbs else ()
    return take, erect, refresh


def best_characters(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the best characters of the Council for this player, and the cheapest."""
    found = affordable(board, seat)
    rated = sorted(found, key=lambda card: -character_worth(board, seat, card) - 4 * found.index(card))
    return (*rated[:2], RIGHTMOST)


def best_slots(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return free places for a lighthouse: the player's own, then the most useful; without one
    left, the alternatives.
    """
    if not board.left(seat):
        return (INSTEAD_POINTS, INSTEAD_CHARACTER)
    own = board.players[seat].destinations

    def value(place: str) -> int:
        found = DESTINATIONS[place]
        return 6 * (place in own) + 3 * bool(found.holds) + 2 * (found.kind is not Kind.PRIVATE) - found.bread

    return tuple(sorted(free_slots(board), key=lambda place: -value(place)))


def _acquisitions(board: Board, seat: Seat) -> Rated:
    for name in board.rows["atelier"]:
        value = acquisition(board, seat, name)
        if value is not None:
            yield value, partial(_acquire, board, seat, name)


def _acquire(board: Board, seat: Seat, name: str) -> Order:
    return o.Acquire(name, (), (), *_bonus_choices(board, seat, BONUSES[ARTWORKS[name].bonus]))


def _discoveries(board: Board, seat: Seat) -> Rated:
    for name in board.rows["atlas"]:
        value = discovery(board, seat, name)
        if value is not None:
            yield value, partial(o.Discover, name)


def _invitations(board: Board, seat: Seat) -> Rated:
    for name in in_hand(board, seat):
        card = CHARACTERS[name]
        at_once = card.effects if card.category is Category.IMMEDIATE else ()
        paid = after_payment(board, seat, invite_cost(board, seat, name), card.accepts)
        value, got = invitation(board, seat, name), best_got(paid, seat, at_once, besides=name)
        if value is not None and not _wastes(paid, seat, at_once, got):
            yield value + got.more, partial(_with_choices, board, seat, o.Invite, name, at_once, got)


def _engagements(board: Board, seat: Seat) -> Rated:
    for name in engageable(board, seat):
        ops = CHARACTERS[name].effects
        got = best_got(board, seat, ops)
        if not _wastes(board, seat, ops, got):
            value = worth(board, seat, ops) + got.more + 1
            yield value, partial(_with_choices, board, seat, o.Engage, name, ops, got)


def _wastes(board: Board, seat: Seat, ops: Sequence[Op], got: Got) -> bool:
    """Return True if effects give an action that the player cannot do."""
    verbs = {op.op for op in ops}
    cannot_build = (
        not board.players[seat].yard or (not op.free and most(board, seat, WOOD) < ship_cost(board, seat, op.minus))
        for op in ops
        if op.op is Verb.BUILD
    )
    no_place = Verb.USE_PRIVATE in verbs and not usable(board, seat)
    return no_place or (gives(ops) and not got.name) or any(cannot_build)


def _with_choices(
    board: Board, seat: Seat, order: Callable[..., Order], name: str, ops: Sequence[Op], got: Got
) -> Order:
    """Return an order about a character with the choices that its effect needs."""
    verbs = {op.op for op in ops}
    used = best_usable(board, seat)[:1] if Verb.USE_PRIVATE in verbs else ()
    ops = (*ops, *(op for place in used for op in DESTINATIONS[place].effects))
    sends = sum(op.n for op in ops if op.op is Verb.SEND and op.hold == ANY)
    holds = best_holds(board, seat, min(sends, board.players[seat].bay)) if sends else ()
    take, erect, refresh = _bonus_choices(board, seat, ops)
    given: dict[str, object] = {"send": holds, "take": take, "erect": erect, "refresh": refresh, "get": got.name}
    if Verb.RECALL in verbs:
        most = sum(op.n for op in ops if op.op is Verb.RECALL)
        given["recall"] = board.docked(seat)[:most]
    if used:
        given["use"] = used[0]
    if Verb.DISCARD_FOR_VP in verbs:
        given["discard"] = next(iter(least_liked(board, seat)), "")
    return order(name, **given)


def _ships(board: Board, seat: Seat) -> Rated:
    """Ships are valuable early; late ones cost a meal."""
    left, player = PERIODS - board.period, board.players[seat]
    for ships in range(1, min(player.yard, 3) + 1):
        icons = tuple(op for icon in YARD_BONUSES[player.built : player.built + ships] for op in BONUSES[icon])
        gain = ships * (26 * left - 6) + worth(board, seat, icons) + title_worth(board, seat, "fleet") * ships
        gain += at_the_end(board, seat, ("ship_built",)) * ships
        value = net(board, seat, ship_cost(board, seat) * ships, ("wood",), gain)
        if value is not None:
            yield value, partial(_build, board, seat, ships, icons)


def _build(board: Board, seat: Seat, ships: int, icons: Sequence[Op]) -> Order:
    return o.Build(ships, (), (), *_bonus_choices(board, seat, icons))


def in_plan(order: Order) -> Order:
    """Return an action without the choices that lasting reactions make."""
    made = {name: () for name in ("take", "erect", "refresh") if hasattr(order, name)}
    return replace(order, **made) if type(order) in DO else order


# --- choices, reactions and hands


def best_holds(board: Board, seat: Seat, ships: int) -> tuple[str, ...]:
    """Return a hold for each of `ships` ships: the most wanted one."""
    return (wanted_holds(board, seat)[0],) * ships


def _send(seen: Seen, decision: Question) -> Proposed:
    ships = ships_to_send(seen.board, decision) if "ships" in decision.limits else 1
    wanted = wanted_holds(seen.board, decision.seat)
    yield o.Send(best_holds(seen.board, decision.seat, ships))
    yield from (o.Send((hold,) * ships) for hold in wanted[1:])


def _take(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    yield o.Take(best_characters(board, seat))
    yield from (o.Take((card,)) for card in board.rows["council"])
    if decision.limits.get("either"):
        yield from (o.Refresh((card,)) for card in fleeing_for(board, decision))


def _erect(seen: Seen, decision: Question) -> Proposed:
    return map(o.Erect, _in_order(best_slots(seen.board, decision.seat)))


def _refresh(seen: Seen, decision: Question) -> Proposed:
    return map(o.Refresh, _in_order(fleeing_for(seen.board, decision)))


def _in_order(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the first names in order of preference, then each other name alone."""
    if names:
        yield names[:PREFERRED]
    yield from ((name,) for name in names[1:])


def _recall(seen: Seen, decision: Question) -> Proposed:
    docked, ships = seen.board.docked(decision.seat), int(str(decision.limits.get("ships", 1)))
    return (o.Recall(docked[n : n + ships]) for n in range(max(1, len(docked) - ships + 1)) if docked)


def _use(seen: Seen, decision: Question) -> Proposed:
    return (o.Use(place) for place in best_usable(seen.board, decision.seat))


def best_usable(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the own private destinations that could be used without a ship, the best first."""
    places = usable(board, seat)
    return tuple(sorted(places, key=lambda place: -worth(board, seat, DESTINATIONS[place].effects)))


def _give_up(seen: Seen, decision: Question) -> Proposed:
    return (o.GiveUp(card) for card in least_liked(seen.board, decision.seat))


def least_liked(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the characters of the hand, the least valuable first."""
    return tuple(sorted(in_hand(board, seat), key=lambda card: character_worth(board, seat, card)))


def _light(seen: Seen, decision: Question) -> Proposed:
    yield o.Light(wanted_holds(seen.board, decision.seat))
    yield o.Light()


def _meal(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    lacking = missing(seen, seat)
    if any(provision(seen, seat)):
        yield o.Provide()
    hand = least_liked(board, seat)
    if hand and lacking:
        yield o.Drop(hand[:lacking])
    if player.bay:
        yield o.Supply(min(player.bay, max(1, -(-lacking // 3))))


def _decree(seen: Seen, decision: Question) -> Proposed:
    """Things no longer needed, before bread is counted."""
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    room = board.granary(seat) - player.bread
    hand = in_hand(board, seat)[: min(room, FEW)]
    if hand and board.period == PERIODS:
        yield o.Drop(hand)
    if player.bay:
        yield o.Supply(1)
    yield from (o.Lower((hold,)) for hold, n in player.holds.items() if n)


def _free(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    if player.queue is not None:
        yield o.Recant()
    yield from (o.Lower((hold,)) for hold, n in player.holds.items() if n)
    yield from (o.Drop((card,)) for card in in_hand(board, seat)[:1])
    if player.bay:
        yield o.Supply(1)


def _keep(seen: Seen, decision: Question) -> Proposed:
    """The most valuable cards, including a scoring card."""
    board, seat, count = seen.board, decision.seat, KEPT[decision.topic]
    found = choosable(board, seat, decision.topic)
    rated = sorted(found, key=lambda card: -character_worth(board, seat, card) + CHARACTERS[card].cost * RESOURCE)
    yield from (o.Keep(tuple(rated[n : n + count])) for n in range(len(rated) - count + 1))


PROPOSALS: Final[Proposals] = {
    "pick": _keep,
    "keep": _keep,
    "score": _keep,
    "action": _action,
    "free": _free,
    "send": _send,
    "take": _take,
    "erect": _erect,
    "refresh": _refresh,
    "recall": _recall,
    "use": _use,
    "give_up": _give_up,
    "get": extra_orders,
    "light": _light,
    "meal": _meal,
    "decree": _decree,
}
