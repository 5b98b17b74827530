"""§9.4.2  Advances: prices, prerequisites, and the immediate effects of a purchase."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.age_of_renaissance.acts import Game, Seen, lower_misery, raise_misery
from engine.age_of_renaissance.board import Leader
from engine.age_of_renaissance.catalogue import ADVANCES, CATEGORIES, TIER_ALL, TIERS
from engine.age_of_renaissance.events import AdvanceBought, LastTurnCame, LeaderClaimed
from engine.age_of_renaissance.orders import Buy
from engine.age_of_renaissance.phases.leaders import claimable, credit, refund, refundable
from engine.kernel.orders import Problem, Question
from engine.kernel.viewers import Seat

PROBLEMS = (
    "nothing_named",  # {}: which advances
    "no_such_advance",  # {advance}
    "owned",  # {advance}
    "banned",  # {advance, category}: a Papal Decree forbids it this turn
    "needs",  # {advance, missing: letters}
    "advance_too_dear",  # {advance, cost: printed, credits: (source, ducats) pairs, price, cash: left at that moment}
    "cannot_claim",  # {leader, why: patronage | not_in_play | own | protected | used_up | no_use}
    "after_stability",  # {}: stability is bought last (§9.4)
)
RESEARCH = 10
"""§6  The discount of X on every advance outside the two categories below."""
_WITHOUT_RESEARCH = frozenset(("religion", "society"))
_TIERED = tuple(
    frozenset(a.letter for a in ADVANCES.values() if a.category == category.id)
    for category in CATEGORIES.values()
    if category.tiered
)


@dataclass(frozen=True)
class Means:
    """What a buyer has at one moment.

    `bought`: the advances bought this turn, also in `advances`. `claimed`: other powers' leaders claimed.
    """

    cash: int
    advances: frozenset[str]
    bought: frozenset[str]
    claimed: frozenset[str]


@dataclass(frozen=True)
class Quote:
    """The price of an advance.

    `cost`: the printed cost.
    `credits`: the credits used, by source (a letter or a leader's card).
    `paid`: the ducats left to pay.
    `claims`: the other powers' leaders among the sources.
    """

    letter: str
    cost: int
    credits: tuple[tuple[str, int], ...]
    paid: int
    claims: tuple[str, ...]


def means(seen: Seen, seat: Seat) -> Means:
    """Return what a power has now."""
    power = seen.board.powers[seat]
    claimed = frozenset(leader.card for leader in seen.board.leaders if seat in leader.claims)
    return Means(power.cash, power.advances, power.bought, claimed)


def quote(seen: Seen, seat: Seat, letter: str, have: Means | None = None, claims: Iterable[str] = ()) -> Quote:
    """§9.4.2, R45  Return the price of an advance for a power.

    Credits are used in this order, each only as far as needed: advances owned before this turn, Institutional Research,
    own leaders, others' leaders. The price is never below 0.
    `have`: what the buyer has at that moment; None for now.
    `claims`: the others' leaders to claim; empty for all that help.
    """
    have = have or means(seen, seat)
    others = {leader.card for leader in _patronised(seen, seat, have, tuple(claims))}
    left, used = ADVANCES[letter].cost, list[tuple[str, int]]()
    for source, ducats in (*_from_advances(letter, have), *_from_leaders(seen, seat, letter, others)):
        if left and ducats:
            used.append((source, min(ducats, left)))
            left -= min(ducats, left)
    claimed = tuple(source for source, _ in used if source in others)
    return Quote(letter, ADVANCES[letter].cost, tuple(used), left, claimed)


def _from_advances(letter: str, have: Means) -> Iterable[tuple[str, int]]:
    """§9.4.2, R45  Yield credits of the category's advances from earlier turns, and of X, also from this turn."""
    category = ADVANCES[letter].category
    for owned in sorted(have.advances - have.bought):
        if ADVANCES[owned].category == category:
            yield owned, ADVANCES[owned].credit
    if "X" in have.advances and category not in _WITHOUT_RESEARCH:
        yield "X", RESEARCH


def _from_leaders(seen: Seen, seat: Seat, letter: str, others: set[str]) -> Iterable[tuple[str, int]]:
    own = [leader.card for leader in seen.board.leaders if leader.seat == seat]
    for card in (*own, *(leader.card for leader in seen.board.leaders if leader.card in others)):
        yield card, credit(seen, card, letter)


def _patronised(seen: Seen, seat: Seat, have: Means, claims: tuple[str, ...]) -> Iterable[Leader]:
    """§9.3.3  Yield the others' leaders whose credits a power with E may use: claimed before, or in `claims`.

    If `claims` is empty, any may be used.
    """
    if "E" not in have.advances:
        return
    for leader in seen.board.leaders:
        wanted = leader.card in have.claimed or not claims or leader.card in claims
        if wanted and claimable(seat, leader):
            yield leader


def missing(seen: Seen, letter: str, owned: frozenset[str]) -> tuple[str, ...]:
    """§9.4.2  Return the prerequisites not owned yet, by the list that the game uses."""
    advance = ADVANCES[letter]
    needs = advance.needs_printed if seen.core.options["prerequisites"] == "printed" else advance.needs
    return tuple(need for need in needs if need not in owned)


def hindrance(
    seen: Seen, seat: Seat, letter: str, have: Means | None = None, claims: Iterable[str] = ()
) -> Problem | None:
    """§9.4.2  Return why a power cannot buy an advance, or None if it can.

    `have`: what it has at that moment; None for now.
    """
    have = have or means(seen, seat)
    if letter not in ADVANCES:
        return Problem("no_such_advance", {"advance": letter}, lasting=True)
    if letter in have.advances:
        return Problem("owned", {"advance": letter}, lasting=True)
    if ADVANCES[letter].category == seen.board.banned:
        return Problem("banned", {"advance": letter, "category": seen.board.banned}, lasting=True)
    if lacking := missing(seen, letter, have.advances):
        return Problem("needs", {"advance": letter, "missing": lacking})
    price = quote(seen, seat, letter, have, claims)
    if price.paid > have.cash:
        terms = {"advance": letter, "cost": price.cost, "credits": price.credits, "price": price.paid}
        return Problem("advance_too_dear", {**terms, "cash": have.cash})
    return None


def after(seen: Seen, seat: Seat, have: Means, bought: Quote) -> Means:
    """§9.3.3  Return what the buyer has after a purchase, including the refund of O."""
    own = [leader.card for leader in seen.board.leaders if leader.seat == seat] if bought.letter == "O" else []
    back = sum(sum(refundable(seen, seat, card).values()) for card in own)
    return replace(
        have,
        cash=have.cash - bought.paid + back,
        advances=have.advances | {bought.letter},
        bought=have.bought | {bought.letter},
        claimed=have.claimed | frozenset(bought.claims),
    )


def refuse_buy(seen: Seen, decision: Question, order: Buy) -> Problem | None:
    """§9.4.2  Return why these advances cannot be bought in this order, or None."""
    seat = decision.seat
    if not order.advances:
        return Problem("nothing_named", {}, lasting=True)
    if seen.board.powers[seat].stabilised:
        return Problem("after_stability", {})
    have, used = means(seen, seat), set[str]()
    for letter in order.advances:
        if problem := hindrance(seen, seat, letter, have, order.claims):
            return problem
        price = quote(seen, seat, letter, have, order.claims)
        used.update(price.claims)
        have = after(seen, seat, have, price)
    idle = next((card for card in order.claims if card not in used), None)
    return _idle_claim(seen, seat, idle, have) if idle is not None else None


def _idle_claim(seen: Seen, seat: Seat, card: str, have: Means) -> Problem:
    """Return why a claimed leader gave no credit."""
    leader = next((leader for leader in seen.board.leaders if leader.card == card), None)
    if leader is None:
        why = "not_in_play"
    elif leader.seat == seat:
        why = "own"
    elif "E" not in have.advances:
        why = "patronage"
    elif claimable(seat, leader):
        why = "no_use"
    else:
        why = "used_up" if leader.claims else "protected"
    return Problem("cannot_claim", {"leader": card, "why": why}, lasting=why in ("not_in_play", "own"))


def buy(table: Game, seat: Seat, order: Buy) -> None:
    """§9.4.2  Buy the advances one by one, each with its immediate effects."""
    for letter in order.advances:
        if table.board.powers[seat].eliminated:
            return
        _buy_one(table, seat, letter, order.claims)


def _buy_one(table: Game, seat: Seat, letter: str, claims: tuple[str, ...]) -> None:
    have = means(table.position, seat)
    price = quote(table.position, seat, letter, have, claims)
    for card in price.claims:
        if card not in have.claimed:
            table.emit(LeaderClaimed(seat=seat, card=card))
    table.emit(AdvanceBought(seat=seat, letter=letter, cost=price.cost, credits=price.credits, paid=price.paid))
    _move(table, seat, ADVANCES[letter].misery, letter)
    if table.core.options["tiers"] == "purchase":
        reduce_by_tiers(table, seat, have.advances)
    if letter == "O":
        for leader in table.board.leaders:
            if leader.seat == seat:
                refund(table, seat, leader.card)
    _complete(table, seat)


def _move(table: Game, seat: Seat, steps: int, cause: str) -> None:
    """§6, §9.4.2  Move misery at purchase: up by 1 for Religion, down by 1 for Anatomy and Agronomy."""
    raise_misery(table, seat, steps, cause)
    lower_misery(table, seat, -steps, cause)


def tiers(advances: frozenset[str]) -> int:
    """§9.4.2, R21  Return the steps earned so far: for two, three, or all advances in each of Sciences, Commerce and
    Culture.
    """
    fewest = min(len(letters & advances) for letters in _TIERED)
    earned = sum(steps for number, steps in TIERS.items() if fewest >= number)
    return earned + TIER_ALL * all(letters <= advances for letters in _TIERED)


def reduce_by_tiers(table: Game, seat: Seat, before: frozenset[str]) -> None:
    """§9.4.2, R21  Lower misery by the steps earned since the buyer held `before`; each tier counts once."""
    earned = tiers(table.board.powers[seat].advances) - tiers(before)
    lower_misery(table, seat, earned, "tiers")


def _complete(table: Game, seat: Seat) -> None:
    """§11, R26  Make this turn the last if the power has all 26 advances."""
    power, board = table.board.powers[seat], table.board
    if len(power.advances) == len(ADVANCES) and not power.eliminated and not board.last_turn:
        table.emit(LastTurnCame(reason="all_advances"))
