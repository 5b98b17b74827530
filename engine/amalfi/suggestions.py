"""Likely orders for each question, best first: what templates offer, bots play, and slots are filled with.

These only propose, from what the author knows; what the rules refuse is left out by the kernel. Worth is reckoned in
tenths of a point.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    HANDS,
    HOLDS,
    PERIODS,
    TITLES,
    YARD_BONUSES,
    Category,
    Character,
    Kind,
    Op,
    Verb,
)
from engine.amalfi.payment import Payment, least_waste
from engine.amalfi.phases.choices import affordable, fleeing, usable
from engine.amalfi.phases.effects import extra_orders
from engine.amalfi.phases.optional import provision
from engine.amalfi.phases.setup import KEPT, choosable
from engine.amalfi.values import counted, end_points, invite_cost, meal, row_cost, ship_cost
from engine.amalfi.vocabulary import INSTEAD_CHARACTER, INSTEAD_POINTS, RIGHTMOST
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Order
from engine.kernel.ruleset import Proposals

Proposed = Iterable[Order]
Rated = Iterator[tuple[int, Order]]

SHIP_SENT: Final = 32
SHIP_SPENT: Final = 18
"""What a ship that goes to a dock could have done otherwise."""
BREAD: Final = 1
CHARACTER: Final = 7
LIGHTHOUSE: Final = 18
UNTAP: Final = 10
RESOURCE: Final = 4
EMERGENCY: Final = 74
IDLE: Final = 1
"""What a ship is worth that goes to the port: while it could sail, and when it would lie idle."""
TITLE_SHARE: Final = 6
"""Tenths of a point for each point of a title, shared among the things that it still asks."""
FEW: Final = 6
"""As many names as a line is suggested to hold."""
LAST: Final = 1
"""A benefit that lasts is worth so much in each period to come."""


# --- worth


def worth(board: Board, seat: Seat, ops: Sequence[Op], away: int = 0) -> int:
    """What effects would bring now, roughly, when so many ships of the bay have sailed."""
    bay = board.players[seat].bay - away
    total = 0
    for op in ops:
        sent = min(op.n, max(0, bay)) if op.op is Verb.SEND else 0
        bay -= sent
        total += _worth_of(board, seat, op, sent)
    return total


def _worth_of(board: Board, seat: Seat, op: Op, sent: int) -> int:
    player = board.players[seat]
    room = board.granary(seat) - player.bread
    match op.op:
        case Verb.SEND:
            return sent * (SHIP_SENT + (op.hold == ANY) * 2)
        case Verb.BREAD:
            return min(op.n, room) * BREAD
        case Verb.PAY_BREAD:
            return -op.n * BREAD
        case Verb.VP:
            return op.n * 10
        case Verb.VP_PER:
            return 10 * min(op.most, op.vp * counted(board, seat, op.per))
        case Verb.CHARACTER:
            return min(op.n, 4) * CHARACTER
        case Verb.LIGHTHOUSE:
            return op.n * LIGHTHOUSE
        case Verb.UNTAP | Verb.EITHER:
            return UNTAP * bool(player.engaged)
        case Verb.LAUNCH:
            return min(op.n, player.port) * SHIP_SENT
        case Verb.RECALL:
            return min(op.n, len(board.docked(seat))) * SHIP_SENT
        case Verb.DISCARD_FOR_VP:
            return op.vp * 10 if player.hand else 0
        case Verb.ACQUIRE | Verb.DISCOVER | Verb.INVITE | Verb.BUILD | Verb.USE_PRIVATE:
            return 20 + op.minus * RESOURCE
    return 0


def wanted_holds(board: Board, seat: Seat) -> tuple[str, ...]:
    """The holds by what could be paid with them: open artworks and tiles, the hand, ships to be built."""
    player, demand = board.players[seat], Counter[str]()
    for card in board.rows["atelier"]:
        demand.update(dict.fromkeys(ARTWORKS[card].accepts, ARTWORKS[card].vp))
    for tile in board.rows["atlas"]:
        demand.update(dict.fromkeys(DESTINATIONS[tile].accepts, DESTINATIONS[tile].vp))
    for card in in_hand(board, seat):
        demand.update(dict.fromkeys(CHARACTERS[card].accepts, 4))
    demand["wood"] += player.yard if board.period < PERIODS else 0
    demand["spice"] -= 3
    return tuple(sorted(HOLDS, key=lambda hold: (player.holds[hold] * 4 - demand[hold], HOLDS.index(hold))))


def best_holds(board: Board, seat: Seat, ships: int) -> tuple[str, ...]:
    """Holds for so many ships: together, where they pay for something."""
    return (wanted_holds(board, seat)[0],) * ships


def character_worth(board: Board, seat: Seat, card: str) -> int:
    """What a character would be worth laid out now."""
    character, left = CHARACTERS[card], max(1, PERIODS - board.period + 1)
    value = _by_category(board, seat, character, left)
    return value + title_worth(board, seat, "character", f"character_{character.category.value}")


def _by_category(board: Board, seat: Seat, character: Character, left: int) -> int:
    match character.category:
        case Category.END_GAME:
            _, points = end_points(board, seat, character.id)
            hoped = min(character.most, points + character.vp * max(0, left - 1))
            return hoped * 10
        case Category.IMMEDIATE:
            return worth(board, seat, character.effects)
        case Category.ENGAGEABLE:
            return worth(board, seat, character.effects) * left
    return 12 * left + worth(board, seat, character.effects)


def title_worth(board: Board, seat: Seat, *things: str) -> int:
    """What a step towards titles that are still to be earned is worth: its share of the points of the next cell."""
    total = 0
    for name in board.titles:
        title, claims = TITLES[name], board.claims[name]
        missing = {what: n - counted(board, seat, what) for what, n in title.needs.items()}
        if seat not in claims and any(missing.get(thing, 0) > 0 for thing in things):
            left = sum(n for n in missing.values() if n > 0)
            total += title.vp[len(claims)] * TITLE_SHARE // (left + 1)
    return total


# --- main actions


def _action(seen: Seen, decision: Decision) -> Proposed:
    """Every main action that is roughly worth while, the best first; to pass comes last."""
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
    yield from (order for value, order in ordered if value > 0)
    yield from _helps(board, seat, ordered)
    yield o.Finish()


def _helps(board: Board, seat: Seat, ordered: Sequence[tuple[int, Order]]) -> Iterator[Order]:
    """Where nothing else is worth while: bread to sail with, or for the meal, by what would lie idle."""
    player = board.players[seat]
    if any(value > 0 for value, _ in ordered):
        return
    stuck = player.bay > 1 and not can_sail(board, seat)
    if not stuck and player.bread >= meal(board, seat):
        return
    hand = sorted(in_hand(board, seat), key=lambda card: character_worth(board, seat, card))
    if hand and (len(hand) > 3 or board.period == PERIODS):
        yield o.Drop(tuple(hand[:2]))
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
        value = _sail_worth(board, seat, place)
        sends = sum(op.n for op in found.effects if op.op is Verb.SEND and op.hold == ANY)
        holds = best_holds(board, seat, min(sends, player.bay - 1)) if sends else ()
        order = o.Sail(place, (), holds, *_bonus_choices(board, seat, found.effects, evolving=board.evolving(place)))
        yield value, order


def _sail_worth(board: Board, seat: Seat, place: str) -> int:
    found = DESTINATIONS[place]
    value = worth(board, seat, found.effects, away=1) - found.bread * BREAD - SHIP_SPENT
    light = board.light(place)
    value += 6 if light == seat else -3 if light else 0
    value += CHARACTER if board.evolving(place) and affordable(board, seat) else 0
    erects = any(op.op is Verb.LIGHTHOUSE for op in found.effects)
    return value + erects * title_worth(board, seat, "lighthouse")


def _bonus_choices(
    board: Board, seat: Seat, ops: Sequence[Op], *, evolving: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What to take, where to erect and whom to refresh, where an action may bring it."""
    verbs = {op.op for op in ops}
    lights = Verb.LIGHTHOUSE in verbs
    take = best_characters(board, seat) if evolving or lights or verbs & {Verb.CHARACTER, Verb.EITHER} else ()
    erect = best_slots(board, seat)[:3] if lights else ()
    refresh = board.players[seat].engaged[:1] if lights or Verb.UNTAP in verbs else ()
    return take, erect, refresh


def best_characters(board: Board, seat: Seat) -> tuple[str, ...]:
    """The best characters of the Council for this player, and whoever comes cheapest."""
    found = affordable(board, seat)
    rated = sorted(found, key=lambda card: -character_worth(board, seat, card) - 4 * found.index(card))
    return (*rated[:2], RIGHTMOST)


def best_slots(board: Board, seat: Seat) -> tuple[str, ...]:
    """Free places for a lighthouse: one's own, then those that many sail to."""
    if not board.left(seat):
        return (INSTEAD_POINTS, INSTEAD_CHARACTER)
    own = board.players[seat].destinations

    def value(place: str) -> int:
        found = DESTINATIONS[place]
        return 6 * (place in own) + 3 * bool(found.holds) + 2 * (found.kind is not Kind.PRIVATE) - found.bread

    return tuple(sorted(free_slots(board), key=lambda place: -value(place)))


def _net(board: Board, seat: Seat, cost: int, accepts: Sequence[str], gain: int) -> int | None:
    """What remains of a gain when it is paid for; None where it cannot be paid."""
    payment = least_waste(board, seat, cost, accepts)
    if not isinstance(payment, Payment):
        return None
    room = board.granary(seat) - board.players[seat].bread
    kept = min(room, payment.worth - cost)
    price = EMERGENCY if can_sail(board, seat) else IDLE
    return gain + kept * BREAD - cost * RESOURCE - payment.emergency * price


def can_sail(board: Board, seat: Seat) -> bool:
    """Return True if a ship of the bay could fetch others' cargo: bread, a dock, and ships to be sent."""
    player = board.players[seat]
    places = (place for place in (*board.public, *player.destinations) if place not in board.docks)
    return player.bay > 1 and any(
        DESTINATIONS[place].bread <= player.bread and DESTINATIONS[place].holds for place in places
    )


def _acquisitions(board: Board, seat: Seat) -> Rated:
    for name in board.rows["atelier"]:
        card = ARTWORKS[name]
        bonus = BONUSES[card.bonus]
        gain = card.vp * 10 + worth(board, seat, bonus)
        gain += title_worth(board, seat, "artwork", card.type, "artwork_same_type", "artwork_pairs_of_two")
        gain += _at_the_end(board, seat, ("artwork", card.type))
        value = _net(board, seat, row_cost(board, seat, "atelier", name), card.accepts, gain)
        if value is not None:
            yield value, o.Acquire(name, (), (), *_bonus_choices(board, seat, bonus))


def _at_the_end(board: Board, seat: Seat, things: Sequence[str]) -> int:
    """What end-of-game characters laid out bring for one more of these."""
    laid = (CHARACTERS[card] for card in board.players[seat].invited)
    return sum(character.vp * 10 for character in laid if character.per in things)


def _discoveries(board: Board, seat: Seat) -> Rated:
    left = PERIODS - board.period
    for name in board.rows["atlas"]:
        tile = DESTINATIONS[name]
        use = max(0, worth(board, seat, tile.effects) - tile.bread * BREAD - SHIP_SPENT) + LAST
        gain = tile.vp * 10 + use * left // 2 + title_worth(board, seat, "private_destination")
        gain += _at_the_end(board, seat, ("private_destination",))
        value = _net(board, seat, row_cost(board, seat, "atlas", name), tile.accepts, gain)
        if value is not None:
            yield value, o.Discover(name)


def _invitations(board: Board, seat: Seat) -> Rated:
    for name in in_hand(board, seat):
        card = CHARACTERS[name]
        cost = invite_cost(board, seat, name)
        value = _net(board, seat, cost, card.accepts, character_worth(board, seat, name))
        if value is not None:
            at_once = card.effects if card.category is Category.IMMEDIATE else ()
            yield value, _with_choices(board, seat, o.Invite, name, at_once)


def _engagements(board: Board, seat: Seat) -> Rated:
    for name in engageable(board, seat):
        card = CHARACTERS[name]
        value = worth(board, seat, card.effects)
        yield value + 1, _with_choices(board, seat, o.Engage, name, card.effects)


def _with_choices(board: Board, seat: Seat, order: Callable[..., Order], name: str, ops: Sequence[Op]) -> Order:
    """An order about a character with the choices that its effect needs."""
    sends = sum(op.n for op in ops if op.op is Verb.SEND and op.hold == ANY)
    holds = best_holds(board, seat, min(sends, board.players[seat].bay)) if sends else ()
    take, erect, refresh = _bonus_choices(board, seat, ops)
    given = {"send": holds, "take": take, "erect": erect, "refresh": refresh}
    if any(op.op is Verb.RECALL for op in ops):
        most = sum(op.n for op in ops if op.op is Verb.RECALL)
        given["recall"] = board.docked(seat)[:most]
    return order(name, **given)


def _ships(board: Board, seat: Seat) -> Rated:
    """Early ships pay; late ones cost a meal."""
    left, player = PERIODS - board.period, board.players[seat]
    for ships in range(1, min(player.yard, 3) + 1):
        icons = tuple(op for icon in YARD_BONUSES[player.built : player.built + ships] for op in BONUSES[icon])
        gain = ships * (26 * left - 6) + worth(board, seat, icons) + title_worth(board, seat, "fleet") * ships
        gain += _at_the_end(board, seat, ("ship_built",)) * ships
        value = _net(board, seat, ship_cost(board, seat) * ships, ("wood",), gain)
        if value is not None:
            yield value, o.Build(ships, (), (), *_bonus_choices(board, seat, icons))


# --- choices, riders and hands


def _limit(decision: Decision, name: str, unsaid: int = 1) -> int:
    return int(str(decision.limits.get(name, unsaid)))


def _send(seen: Seen, decision: Decision) -> Proposed:
    ships = _limit(decision, "ships")
    wanted = wanted_holds(seen.board, decision.seat)
    yield o.Send(best_holds(seen.board, decision.seat, ships))
    yield from (o.Send((hold,) * ships) for hold in wanted[1:])


def _take(seen: Seen, decision: Decision) -> Proposed:
    board, seat = seen.board, decision.seat
    yield o.Take(best_characters(board, seat))
    yield from (o.Take((card,)) for card in board.rows["council"])
    if decision.limits.get("either"):
        yield from (o.Refresh((card,)) for card in fleeing(board, seat, str(decision.limits.get("cause", ""))))


def _erect(seen: Seen, decision: Decision) -> Proposed:
    return (o.Erect((place,)) for place in best_slots(seen.board, decision.seat))


def _refresh(seen: Seen, decision: Decision) -> Proposed:
    found = fleeing(seen.board, decision.seat, str(decision.limits.get("cause", "")))
    return (o.Refresh((card,)) for card in found)


def _recall(seen: Seen, decision: Decision) -> Proposed:
    docked, ships = seen.board.docked(decision.seat), _limit(decision, "ships")
    return (o.Recall(docked[n : n + ships]) for n in range(max(1, len(docked) - ships + 1)) if docked)


def _use(seen: Seen, decision: Decision) -> Proposed:
    board, seat = seen.board, decision.seat
    places = sorted(usable(board, seat), key=lambda place: -worth(board, seat, DESTINATIONS[place].effects))
    return (o.Use(place) for place in places)


def _give_up(seen: Seen, decision: Decision) -> Proposed:
    held = in_hand(seen.board, decision.seat)
    return (o.GiveUp(card) for card in sorted(held, key=lambda c: character_worth(seen.board, decision.seat, c)))


def _light(seen: Seen, decision: Decision) -> Proposed:
    yield o.Light(wanted_holds(seen.board, decision.seat))
    yield o.Light()


def _meal(seen: Seen, decision: Decision) -> Proposed:
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    missing = meal(board, seat) - player.bread
    if player.in_holds and provision(board, seat):
        yield o.Provide()
    hand = sorted(in_hand(board, seat), key=lambda card: character_worth(board, seat, card))
    if hand and missing > 0:
        yield o.Drop(tuple(hand[:missing]))
    if player.bay:
        yield o.Supply(min(player.bay, max(1, -(-missing // 3))))


def _decree(seen: Seen, decision: Decision) -> Proposed:
    """Before the bread is counted: what will not be needed any more."""
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    room = board.granary(seat) - player.bread
    hand = in_hand(board, seat)[: min(room, FEW)]
    if hand and board.period == PERIODS:
        yield o.Drop(hand)
    if player.bay:
        yield o.Supply(1)
    yield from (o.Lower((hold,)) for hold, n in player.holds.items() if n)


def _free(seen: Seen, decision: Decision) -> Proposed:
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    if player.queue is not None:
        yield o.Recant()
    yield from (o.Lower((hold,)) for hold, n in player.holds.items() if n)
    yield from (o.Drop((card,)) for card in in_hand(board, seat)[:1])
    if player.bay:
        yield o.Supply(1)


def _hand(seen: Seen, decision: Decision) -> Proposed:
    return (o.ChooseHand(hand) for hand in HANDS if hand in seen.board.hands)


def _keep(seen: Seen, decision: Decision) -> Proposed:
    """Those that would be worth most, a scoring card among them."""
    board, seat, count = seen.board, decision.seat, KEPT[decision.asks]
    found = choosable(board, seat, decision.asks)
    rated = sorted(found, key=lambda card: -character_worth(board, seat, card) + CHARACTERS[card].cost * RESOURCE)
    yield from (o.Keep(tuple(rated[n : n + count])) for n in range(len(rated) - count + 1))


PROPOSALS: Final[Proposals] = {
    "hand": _hand,
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
