"""Phase 1: the six main actions and their refusals."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.acts import (
    Game,
    Seen,
    achieve,
    effects,
    engageable,
    gain_bread,
    in_hand,
    pay,
    refill,
    triggered,
)
from engine.amalfi.board import Board
from engine.amalfi.catalogue import (
    ANY,
    ARTWORKS,
    BONUSES,
    CHARACTERS,
    DESTINATIONS,
    YARD_BONUSES,
    Category,
    On,
    Op,
    Verb,
)
from engine.amalfi.payment import Payment, paying
from engine.amalfi.phases.choices import holds_for, usable
from engine.amalfi.phases.lighthouses import UseLight
from engine.amalfi.values import council_bread, invite_cost, row_bread, row_cost, ship_cost, slot, stored
from engine.amalfi.vocabulary import NO_SHIP, RIGHTMOST
from engine.kernel.orders import Order, Problem, Question
from engine.kernel.turn_chapters import Refusals
from engine.kernel.viewers import Seat

PROBLEMS = (
    "no_ship_to_sail",  # {}: no ship in the bay
    "no_such_place",  # {place}: not on the board
    "others_place",  # {place, seat}: a private destination of another player
    "dock_taken",  # {place, by}
    "bread_missing",  # {bread, have}: the bread to pay first
    "gets_nothing",  # {character}: its effect gives no action, so that it gets nothing
    "not_evolving",  # {place}: only at evolving destinations a character is taken first
    "not_taken_first",  # {characters}: none of them can be taken before sailing
    "hold_not_shown",  # {hold, holds}: ships cannot be sent there
    "too_many_ships",  # {count, most}: more than the action sends
    "not_offered",  # {thing}: not open in its row
    "not_in_hand",  # {character}
    "hand_empty",  # {}: no character in hand
    "none_engageable",  # {}: no character that is laid out is ready
    "not_engageable",  # {character}: not an engageable character that is laid out and not turned
    "yard_empty",  # {ships, left}
    "other_action",  # {action}: the effect gives only this action
)

WOOD: Final = ("wood",)
EVOLVING_GIVES: Final = Op(Verb.CHARACTER)
"""The icon of an evolving destination."""


# --- navigation


def sail(table: Game, seat: Seat, order: o.Sail) -> None:
    """Navigation: Send a ship to the dock, pay its bread, gain all benefits from left to right, then use the lighthouse
    there.
    """
    board, place = table.board, DESTINATIONS[order.place]
    card = first_taken(board, seat, order)
    if card:
        take_character(table, seat, card, place.id)
    table.emit(e.Sailed(seat=seat, place=place.id, bread=place.bread))
    after = effects(seat, (EVOLVING_GIVES,), place.id) if board.evolving(place.id) and not card else ()
    own = triggered(board, seat, On.PRIVATE) if board.owner(place.id) == seat else ()
    table.then(*effects(seat, place.effects, place.id), *after, *own, UseLight(place.id, seat))


def take_character(table: Game, seat: Seat, card: str, cause: str, *, free: bool = False) -> None:
    """Take a character of the Council: pay or gain the bread of its slot, and fill the row."""
    paid, gained = council_bread(table.board, seat, card, free=free)
    kept, lost = stored(table.board, seat, gained)
    table.emit(e.CharacterTaken(seat=seat, character=card, paid=paid, gained=kept, lost=lost, cause=cause))
    refill(table, "council")


def first_taken(board: Board, seat: Seat, order: o.Sail) -> str:
    """A25: Return the first named character after which the bread for sailing can still be paid; "" if none."""
    bread = board.players[seat].bread
    for name in order.first:
        row = board.rows["council"]
        card = row[-1] if name == RIGHTMOST and row else name
        if card in row:
            paid, gained = council_bread(board, seat, card)
            room = min(board.granary(seat), bread - paid + gained)
            if paid <= bread and room >= DESTINATIONS[order.place].bread:
                return card
    return ""


def refuse_sail(seen: Seen, decision: Question, order: o.Sail) -> Problem | None:
    """Navigation: Require a ship in the bay, a free dock, and the bread."""
    board, seat = seen.board, decision.seat
    player, place = board.players[seat], DESTINATIONS[order.place]
    problem = _refuse_dock(board, seat, place.id) or refuse_holds(order.send, place.effects)
    if problem is not None:
        return problem
    if not player.bay:
        return Problem("no_ship_to_sail")
    if order.first and not board.evolving(place.id):
        return Problem("not_evolving", {"place": place.id}, lasting=True)
    if order.first:
        found = first_taken(board, seat, order)
        return None if found else Problem("not_taken_first", {"characters": order.first})
    return refuse_bread(board, seat, place.bread)


def _refuse_dock(board: Board, seat: Seat, place: str) -> Problem | None:
    owner = board.owner(place)
    if owner not in (None, seat):
        return Problem("others_place", {"place": place, "seat": owner})
    if owner is None and place not in board.public:
        return Problem("no_such_place", {"place": place})
    return Problem("dock_taken", {"place": place, "by": board.docks[place]}) if place in board.docks else None


def refuse_bread(board: Board, seat: Seat, bread: int) -> Problem | None:
    """A13: Require the bread in the granary, before any gain."""
    have = board.players[seat].bread
    return Problem("bread_missing", {"bread": bread, "have": have}) if have < bread else None


def refuse_holds(send: Sequence[str], ops: Sequence[Op]) -> Problem | None:
    """Require holds that the action shows, and no more ships than it sends."""
    sends = [op for op in ops if op.op is Verb.SEND]
    shown = holds_for(tuple(dict.fromkeys(op.hold for op in sends)))
    wrong = next((hold for hold in send if hold != NO_SHIP and hold not in shown), None)
    if wrong is not None:
        return Problem("hold_not_shown", {"hold": wrong, "holds": shown}, lasting=True)
    count, most = sum(hold != NO_SHIP for hold in send), sum(op.n for op in sends)
    if count > most:
        return Problem("too_many_ships", {"count": count, "most": most}, lasting=True)
    for op in sends:
        named = sum(hold == op.hold for hold in send)
        if op.hold != ANY and named > sum(other.n for other in sends if other.hold in (op.hold, ANY)):
            return Problem("too_many_ships", {"count": named, "most": op.n}, lasting=True)
    return None


# --- acquisition and discovery


def acquire(table: Game, seat: Seat, order: o.Acquire, minus: int = 0) -> None:
    """Acquisition: Pay, gain bread of the slot and points, fill the row; then apply the bonus and characters that
    react.
    """
    board, card = table.board, ARTWORKS[order.artwork]
    cost, at = row_cost(board, seat, "atelier", card.id, minus), slot(board, "atelier", card.id)
    _pay(table, seat, cost, card.accepts, order)
    bread = row_bread(board, "atelier", card.id)
    achieve(table, e.Acquired(seat=seat, artwork=card.id, slot=at, points=card.vp))
    gain_bread(table, seat, bread, "slot")
    refill(table, "atelier")
    waiting = triggered(board, seat, On.ACQUIRE, card.type)
    table.then(*effects(seat, BONUSES[card.bonus], card.id), *waiting)


def discover(table: Game, seat: Seat, order: o.Discover, minus: int = 0) -> None:
    """Découverte: Pay, gain bread of the slot and points; the tile now belongs to the player."""
    board, tile = table.board, DESTINATIONS[order.destination]
    cost, at = row_cost(board, seat, "atlas", tile.id, minus), slot(board, "atlas", tile.id)
    _pay(table, seat, cost, tile.accepts, order)
    bread = row_bread(board, "atlas", tile.id)
    achieve(table, e.Discovered(seat=seat, destination=tile.id, slot=at, points=tile.vp))
    gain_bread(table, seat, bread, "slot")
    refill(table, "atlas")
    table.then(*triggered(board, seat, On.DISCOVER))


def _pay(table: Game, seat: Seat, cost: int, accepts: Sequence[str], order: Any) -> None:
    payment = paying(table.board, seat, cost, accepts, order.pay, order.emergency)
    if isinstance(payment, Payment):
        pay(table, seat, cost, payment)


def _refuse_payment(board: Board, seat: Seat, cost: int, accepts: Sequence[str], order: Any) -> Problem | None:
    payment = paying(board, seat, cost, accepts, order.pay, order.emergency)
    return payment if isinstance(payment, Problem) else None


def _other(decision: Question, action: str) -> Problem | None:
    """Require the kind of action that an effect gives."""
    given = decision.limits.get("action", action)
    return None if given == action else Problem("other_action", {"action": given}, lasting=True)


def minus(decision: Question) -> int:
    """Return the discount of an effect on the action that it gives."""
    return int(str(decision.limits.get("minus", 0)))


def refuse_acquire(seen: Seen, decision: Question, order: o.Acquire) -> Problem | None:
    """Acquisition: Require an artwork open in the Atelier, and the payment."""
    board, seat, card = seen.board, decision.seat, ARTWORKS[order.artwork]
    if card.id not in board.rows["atelier"]:
        return Problem("not_offered", {"thing": card.id})
    cost = row_cost(board, seat, "atelier", card.id, minus(decision))
    return _other(decision, "acquire") or _refuse_payment(board, seat, cost, card.accepts, order)


def refuse_discover(seen: Seen, decision: Question, order: o.Discover) -> Problem | None:
    """Découverte: Require a tile open in the Atlas, and the payment."""
    board, seat, tile = seen.board, decision.seat, DESTINATIONS[order.destination]
    if tile.id not in board.rows["atlas"]:
        return Problem("not_offered", {"thing": tile.id})
    cost = row_cost(board, seat, "atlas", tile.id, minus(decision))
    return _other(decision, "discover") or _refuse_payment(board, seat, cost, tile.accepts, order)


# --- characters


def invite(table: Game, seat: Seat, order: o.Invite, minus: int = 0) -> None:
    """Invitation: Pay, then apply an immediate effect, then characters that react (A20)."""
    board, card = table.board, CHARACTERS[order.character]
    _pay(table, seat, invite_cost(board, seat, card.id, minus), card.accepts, order)
    achieve(table, e.Invited(seat=seat, character=card.id))
    at_once = effects(seat, card.effects, card.id) if card.category is Category.IMMEDIATE else ()
    table.then(*at_once, *triggered(board, seat, On.INVITE, besides=card.id))


def engage(table: Game, seat: Seat, order: o.Engage) -> None:
    """Engagement: Turn the card and apply its effects."""
    card = CHARACTERS[order.character]
    table.emit(e.Engaged(seat=seat, character=card.id))
    table.then(*effects(seat, card.effects, card.id), *triggered(table.board, seat, On.ENGAGE))


def refuse_invite(seen: Seen, decision: Question, order: o.Invite) -> Problem | None:
    """Invitation: Require a character in hand, and the payment."""
    board, seat, card = seen.board, decision.seat, CHARACTERS[order.character]
    if card.id not in in_hand(board, seat):
        return Problem("not_in_hand", {"character": card.id})
    cost = invite_cost(board, seat, card.id, minus(decision))
    at_once = card.effects if card.category is Category.IMMEDIATE else ()
    problem = _other(decision, "invite") or refuse_holds(order.send, card.effects) or _refuse_getting(order, at_once)
    return problem or _refuse_payment(board, seat, cost, card.accepts, order)


def refuse_engage(seen: Seen, decision: Question, order: o.Engage) -> Problem | None:
    """A21, Engagement: Require an engageable character not turned, and the bread and destination
    that its effect needs.
    """
    board, seat, card = seen.board, decision.seat, CHARACTERS[order.character]
    if card.id not in engageable(board, seat):
        return Problem("not_engageable", {"character": card.id})
    uses = any(op.op is Verb.USE_PRIVATE for op in card.effects)
    if uses and order.use and order.use not in usable(board, seat):
        return Problem("not_private", {"place": order.use})
    bread = sum(op.n for op in card.effects if op.op is Verb.PAY_BREAD)
    problem = refuse_holds(order.send, _ops_used(card.effects, order.use)) or _refuse_getting(order, card.effects)
    return problem or refuse_bread(board, seat, bread)


def _refuse_getting(order: o.Invite | o.Engage, ops: Sequence[Op]) -> Problem | None:
    """Require an effect that gives an action, if a thing for it is named."""
    if not order.get or any(op.op in (Verb.ACQUIRE, Verb.DISCOVER, Verb.INVITE) for op in ops):
        return None
    return Problem("gets_nothing", {"character": order.character}, lasting=True)


def _ops_used(ops: Sequence[Op], place: str) -> tuple[Op, ...]:
    """Return a character's effects, including those of the destination that it uses."""
    return (*ops, *(DESTINATIONS[place].effects if place else ()))


# --- construction


def build(table: Game, seat: Seat, order: o.Build, minus: int = 0, to: str = "port") -> None:
    """Construction: Pay wood for each ship, then apply the icons below them, from the left."""
    cost = ship_cost(table.board, seat, minus) * order.ships
    _pay(table, seat, cost, WOOD, order)
    launch(table, seat, order.ships, to)


def launch(table: Game, seat: Seat, ships: int, to: str) -> None:
    """Move ships out of the yard, the leftmost first."""
    board = table.board
    built = board.players[seat].built
    achieve(table, e.Built(seat=seat, ships=ships, to=to))
    icons = YARD_BONUSES[built : built + ships]
    waiting = (effect for _ in icons for effect in triggered(board, seat, On.BUILD))
    table.then(*(effect for icon in icons for effect in effects(seat, BONUSES[icon], "yard")), *waiting)


def refuse_build(seen: Seen, decision: Question, order: o.Build) -> Problem | None:
    """Construction: Require enough ships in the yard, and wood for all."""
    board, seat = seen.board, decision.seat
    left = board.players[seat].yard
    if order.ships > left:
        return Problem("yard_empty", {"ships": order.ships, "left": left})
    cost = ship_cost(board, seat, minus(decision)) * order.ships
    return _other(decision, "build") or _refuse_payment(board, seat, cost, WOOD, order)


def _refuse_nothing(seen: Seen, decision: Question, order: o.Finish) -> Problem | None:
    return None


DO: Final[Mapping[type[Order], Callable[[Game, Seat, Any], None]]] = {
    o.Sail: sail,
    o.Acquire: acquire,
    o.Discover: discover,
    o.Invite: invite,
    o.Engage: engage,
    o.Build: build,
}
"""The six main actions."""


REFUSALS: Final[Refusals] = {
    o.Sail: refuse_sail,
    o.Acquire: refuse_acquire,
    o.Discover: refuse_discover,
    o.Invite: refuse_invite,
    o.Engage: refuse_engage,
    o.Build: refuse_build,
    o.Finish: _refuse_nothing,
}
