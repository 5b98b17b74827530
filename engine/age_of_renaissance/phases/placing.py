"""§9.5  Placing tokens: the reach of a power, its limits, and the placement."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from engine.age_of_renaissance.acts import Game, Seen
from engine.age_of_renaissance.atlas import NEIGHBOURS, How, Reach, closed, in_reach, overseas_room
from engine.age_of_renaissance.board import NOTHING, OLD, Board
from engine.age_of_renaissance.catalogue import PROVINCES, REGIONS_IN_PLAY, Special
from engine.age_of_renaissance.events import Placed, TokensReturned
from engine.age_of_renaissance.orders import Place
from engine.age_of_renaissance.phases.lifting import offer_lift
from engine.age_of_renaissance.phases.strength import attack, defence, defenders, needed
from engine.kernel.orders import Problem, Question
from engine.kernel.position import Step
from engine.kernel.viewers import Seat

PROBLEMS: Final = (
    "no_such_province",  # {province}
    "no_tokens_left",  # {}
    "nowhere_to_place",  # {}
    "nothing_in_reach",  # {}: nothing to attack with these tokens
    "no_tokens_named",  # {province, tokens}: fewer than one
    "out_of_play",  # {province}: its region is not in this game (§8.2)
    "silk_road",  # {province}: region V without R (§9.5)
    "galleon",  # {province}: an overseas box without T (§9.4.1)
    "new_world",  # {province}: the Americas without U (§9.4.1)
    "already_yours",  # {province}: an own control marker is there (R18)
    "too_few_tokens",  # {province, tokens: wanted, pool: at hand}
    "out_of_reach",  # {province}
    "ship_load",  # {province, tokens: wanted, load: limit of the phase, landed: so far, left}
    "overseas_full",  # {province, room: boxes that the fleet supports, held: boxes occupied}
    "too_many_here",  # {province, tokens: wanted, capacity, there: own tokens, room: how many more fit}
    "needs_attack",  # {..., room: tokens that fit beside the others} and all terms of `attack_terms`
)
"""Codes of refusals.

`attack_terms`: tokens (those brought), needs (new tokens needed), capacity, there (own tokens), pool, attack (items of
Force, with the tokens brought), defence ((seat, items) for each defender), nearest (tokens of the nearest ATTACK valid
now; 0 for none).
"""

_AROUND: Final = {province: frozenset((province, *NEIGHBOURS[province])) for province in PROVINCES}
_PLACE_IN_LIST: Final = {province: place for place, province in enumerate(PROVINCES)}


class FinishExpansion(Step, saved="aor.FinishExpansion"):
    """Finish a power's expansion after its orders."""

    seat: Seat


# --- reach


def is_base(board: Board, seat: Seat, province: str) -> bool:
    """§9.5  Return True if expansion may start there: old pieces, or the own capital, even in other hands.

    R54  New pieces are no base, except a marker that replaced old tokens in this phase, by filling the province or
    winning a rivalry (example of play, turn 2: Tripoli).
    """
    power, here = board.powers[seat], board.pieces.get(province)
    piece = here.get(seat) if here else None
    if piece is None:
        return province == power.capital
    return bool(piece.old or piece.marker == OLD or province in power.roots or province == power.capital)


def bases(board: Board, seat: Seat) -> set[str]:
    """§9.5  Return all provinces where a power's expansion may start."""
    held = {province for province, here in board.pieces.items() if seat in here and is_base(board, seat, province)}
    held.add(board.powers[seat].capital)
    return held


def open_to(board: Board, seat: Seat, province: str) -> bool:
    """§9.5, R17  Return True if a caravan may cross: no opponent has an old marker, or old tokens equal to the
    capacity.

    Pieces placed in this phase (□, ○) do not block it.
    """
    capacity = PROVINCES[province].capacity
    here = board.pieces.get(province)
    return not here or not any(s != seat and (p.marker == OLD or p.old >= capacity) for s, p in here.items())


def reach(board: Board, seat: Seat, province: str, held: AbstractSet[str] | None = None) -> Reach | None:
    """§9.5  Return how a power reaches a province now, or None.

    `held`: its bases, if the caller has computed them.
    """
    return _reach(board, seat, province, lambda crossed: open_to(board, seat, crossed), held)


def _reach(
    board: Board, seat: Seat, province: str, transit: Callable[[str], bool], held: AbstractSet[str] | None = None
) -> Reach | None:
    """Return the way.

    Only bases nearby are passed if there are any, because land access lets most tokens through.
    """
    power, around = board.powers[seat], _AROUND[province]
    near = around & held if held is not None else {place for place in around if is_base(board, seat, place)}
    start = near or (bases(board, seat) if held is None else held)
    return in_reach(start, province, power.ship, power.advances, REGIONS_IN_PLAY[board.players], transit)


def overseas_held(board: Board, seat: Seat) -> int:
    """§9.4.1  Return how many overseas boxes hold pieces of a power."""
    return sum(PROVINCES[province].special is Special.OVERSEAS for province, _ in board.held(seat))


def overseas_full(board: Board, seat: Seat, province: str) -> bool:
    """§9.4.1  Return True for an overseas box without own pieces if the fleet supports no further box."""
    if PROVINCES[province].special is not Special.OVERSEAS or board.at(province, seat) != NOTHING:
        return False
    return overseas_held(board, seat) >= overseas_room(board.powers[seat].ship)


def ship_room(board: Board, seat: Seat, province: str, way: Reach) -> int | None:
    """§9.4.1  Return how many tokens can still come that way in this phase; None for any number."""
    if way.how is not How.SHIP or way.limit is None:
        return None
    return max(way.limit - board.powers[seat].landed.get(province, 0), 0)


def way_in(board: Board, seat: Seat, province: str, tokens: int) -> Reach | Problem:
    """Return how `tokens` reach a province, or the problem."""
    power = board.powers[seat]
    if province not in PROVINCES:
        return Problem("no_such_province", {"province": province}, lasting=True)
    if tokens < 1:
        return Problem("no_tokens_named", {"province": province, "tokens": tokens}, lasting=True)
    if (shut := closed(province, power.ship, power.advances, REGIONS_IN_PLAY[board.players])) is not None:
        return Problem(shut, {"province": province}, lasting=True)
    if board.at(province, seat).controls:
        return Problem("already_yours", {"province": province})
    if tokens > power.expansion:
        terms = {"province": province, "tokens": tokens, "pool": power.expansion}
        return Problem("too_few_tokens", terms, lasting=True)
    way = reach(board, seat, province)
    return _too_far(board, seat, province) if way is None else _crowded(board, seat, province, tokens, way) or way


def _too_far(board: Board, seat: Seat, province: str) -> Problem:
    """Return the problem of an unreachable province; lasting unless a caravan's way may open in the phase (R17)."""
    lasting = _reach(board, seat, province, lambda crossed: True) is None
    return Problem("out_of_reach", {"province": province}, lasting=lasting)


def _crowded(board: Board, seat: Seat, province: str, tokens: int, way: Reach) -> Problem | None:
    """§9.4.1  Return the problem if the fleet cannot carry the tokens or support the box."""
    power = board.powers[seat]
    left = ship_room(board, seat, province, way)
    if left is not None and tokens > left:
        load = way.limit or 0
        terms = {"province": province, "tokens": tokens, "load": load, "landed": load - left, "left": left}
        return Problem("ship_load", terms, lasting=tokens > load and "I" not in power.advances)
    if overseas_full(board, seat, province):
        room, held = overseas_room(power.ship), overseas_held(board, seat)
        return Problem("overseas_full", {"province": province, "room": room, "held": held})
    return None


def count_room(board: Board, province: str) -> int:
    """§4.3, §9.5.2  Return how many more tokens fit there without a rivalry."""
    here = board.pieces.get(province, {})
    return PROVINCES[province].capacity - sum(piece.strength(province) for piece in here.values())


def placeable_counts(board: Board, seat: Seat, province: str, held: AbstractSet[str] | None = None) -> range:
    """Return the numbers of tokens that PLACE accepts now; empty if none.

    `held`: the power's bases, if the caller has computed them.
    """
    way = None if board.at(province, seat).controls else reach(board, seat, province, held)
    if way is None or overseas_full(board, seat, province):
        return range(1, 1)
    limits = (board.powers[seat].expansion, count_room(board, province), ship_room(board, seat, province, way))
    return range(1, max(min(n for n in limits if n is not None), 0) + 1)


def attack_terms(board: Board, seat: Seat, province: str, tokens: int) -> dict[str, object]:
    """Return the terms of a refusal that describe the attack needed (see PROBLEMS)."""
    foes, needs = defenders(board, seat, province), needed(board, seat, province)
    there = board.at(province, seat).tokens
    ready = not isinstance(way_in(board, seat, province, needs), Problem)
    return {
        "province": province,
        "tokens": tokens,
        "needs": needs,
        "capacity": PROVINCES[province].capacity,
        "there": there,
        "pool": board.powers[seat].expansion,
        "attack": attack(board, seat, province, there + tokens, foes)._asdict(),
        "defence": tuple((foe, defence(board, foe, province, seat)._asdict()) for foe in foes),
        "nearest": needs if ready else 0,
    }


# --- placing


def refuse_place(seen: Seen, decision: Question, order: Place) -> Problem | None:
    """§9.5  Return why tokens cannot be placed without a fight, or None."""
    board, seat, province = seen.board, decision.seat, order.province
    way = way_in(board, seat, province, order.tokens)
    if isinstance(way, Problem):
        return way
    room = count_room(board, province)
    if order.tokens <= room:
        return None
    if defenders(board, seat, province):
        terms = {**attack_terms(board, seat, province, order.tokens), "room": max(room, 0)}
        return Problem("needs_attack", terms)
    capacity, there = PROVINCES[province].capacity, board.at(province, seat).tokens
    terms = {"province": province, "tokens": order.tokens, "capacity": capacity, "there": there, "room": max(room, 0)}
    return Problem("too_many_here", terms, lasting=order.tokens > capacity)


def place(table: Game, seat: Seat, order: Place) -> None:
    """§9.5, R47  Place the tokens; if they fill the province alone, they become a control marker."""
    board, province = table.board, order.province
    way = reach(board, seat, province)
    via = How.HELD if way is None else way.how
    full = board.at(province, seat).tokens + order.tokens >= PROVINCES[province].capacity
    filled = full and not PROVINCES[province].satellite and not defenders(board, seat, province)
    marker = filled and board.powers[seat].markers > 0
    table.emit(Placed(seat=seat, province=province, tokens=order.tokens, via=via.value, marker=marker))
    if filled and not marker:
        offer_lift(table, seat, province, "filled")


def finish(table: Game, step: FinishExpansion) -> None:
    """§9.5, R47  Turn tokens that fill a province into markers that have become free, and return unused tokens.

    In a trial unused tokens stay, so that the author sees how many are left.
    """
    power = table.board.powers[step.seat]
    if power.eliminated:
        return
    full = (p for p, piece in table.board.held(step.seat) if piece.tokens >= PROVINCES[p].capacity)
    filled = [p for p in full if not PROVINCES[p].satellite and not defenders(table.board, step.seat, p)]
    for province in sorted(filled, key=_PLACE_IN_LIST.__getitem__)[: power.markers]:
        table.emit(Placed(seat=step.seat, province=province, tokens=0, via=How.HELD.value, marker=True))
    if power.expansion and not table.trial:
        table.emit(TokensReturned(seat=step.seat, tokens=power.expansion))
