"""§9.4.2  Cultural development: what an advance costs whom, what it wants first, and what its purchase does at once."""

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
    "advance_too_dear",  # {advance, cost: printed, credits: (source, ducats) pairs, price, cash: what is left then}
    "cannot_claim",  # {leader, why: patronage | not_in_play | own | protected | no_use}
    "after_stability",  # {}: stability is bought last (§9.4)
)
RESEARCH = 10
"""§6  What X takes off every advance but those of the two categories below."""
_WITHOUT_RESEARCH = frozenset(("religion", "society"))
_TIERED = tuple(
    frozenset(a.letter for a in ADVANCES.values() if a.category == category.id)
    for category in CATEGORIES.values()
    if category.tiered
)


@dataclass(frozen=True)
class Means:
    """What a buyer has at one moment: ducats, advances (those of this turn apart), others' leaders claimed."""

    cash: int
    advances: frozenset[str]
    bought: frozenset[str]
    claimed: frozenset[str]


@dataclass(frozen=True)
class Quote:
    """A price: printed cost, credits used by source (a letter or a leader's card), what is left to pay.

    `claims`: the others' leaders among the sources.
    """

    letter: str
    cost: int
    credits: tuple[tuple[str, int], ...]
    paid: int
    claims: tuple[str, ...]


def means(seen: Seen, seat: Seat) -> Means:
    """What a power has now."""
    power = seen.board.powers[seat]
    claimed = frozenset(leader.card for leader in seen.board.leaders if seat in leader.claims)
    return Means(power.cash, power.advances, power.bought, claimed)


def quote(seen: Seen, seat: Seat, letter: str, have: Means | None = None, claims: Iterable[str] = ()) -> Quote:
    """§9.4.2, R45  What an advance costs a power, each credit used as far as it is needed; the price is never below 0.

    Advances owned before this turn first, then Institutional Research, own leaders, others' leaders. `have`: what
    the buyer has at that moment (None: now). `claims`: the others' leaders to claim (none named: all that help).
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
    """§9.4.2, R45  Credits within the category, from the turn after their purchase; X also in the turn of its own."""
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
    """§9.3.3  The others' leaders whose credits a power with E may use: claimed before, or named, or any if none is."""
    if "E" not in have.advances:
        return
    for leader in seen.board.leaders:
        wanted = leader.card in have.claimed or not claims or leader.card in claims
        if wanted and claimable(seen.board, seat, leader):
            yield leader


def missing(seen: Seen, letter: str, owned: frozenset[str]) -> tuple[str, ...]:
    """§9.4.2  The prerequisites not owned yet, by the list that the game uses."""
    advance = ADVANCES[letter]
    needs = advance.needs_printed if seen.core.options["prerequisites"] == "printed" else advance.needs
    return tuple(need for need in needs if need not in owned)


def hindrance(
    seen: Seen, seat: Seat, letter: str, have: Means | None = None, claims: Iterable[str] = ()
) -> Problem | None:
    """§9.4.2  Why a power cannot buy an advance at that moment (None: now); None if it can."""
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
    """What the buyer has after that purchase; O pays back at once (§9.3.3)."""
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
    """§9.4.2  Every advance named, in that order, with what those before it leave."""
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
    """Why a leader that was named for a claim helped nothing."""
    leader = next((leader for leader in seen.board.leaders if leader.card == card), None)
    if leader is None:
        why = "not_in_play"
    elif leader.seat == seat:
        why = "own"
    elif "E" not in have.advances:
        why = "patronage"
    else:
        why = "no_use" if claimable(seen.board, seat, leader) else "protected"
    return Problem("cannot_claim", {"leader": card, "why": why}, lasting=why in ("not_in_play", "own"))


def buy(table: Game, seat: Seat, order: Buy) -> None:
    """§9.4.2  One after the other, each with all that it does at once."""
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
    """§6, §9.4.2  One up for Religion, one down for Anatomy and Agronomy."""
    raise_misery(table, seat, steps, cause)
    lower_misery(table, seat, -steps, cause)


def tiers(advances: frozenset[str]) -> int:
    """§9.4.2, R21  Steps earned so far: any two, any three, all in each of Sciences, Commerce and Culture."""
    fewest = min(len(letters & advances) for letters in _TIERED)
    earned = sum(steps for number, steps in TIERS.items() if fewest >= number)
    return earned + TIER_ALL * all(letters <= advances for letters in _TIERED)


def reduce_by_tiers(table: Game, seat: Seat, before: frozenset[str]) -> None:
    """§9.4.2, R21  What has been earned since the buyer held `before`; each tier counts once."""
    earned = tiers(table.board.powers[seat].advances) - tiers(before)
    lower_misery(table, seat, earned, "tiers")


def _complete(table: Game, seat: Seat) -> None:
    """§11, R26  With all twenty-six the turn under way is the last."""
    power, board = table.board.powers[seat], table.board
    if len(power.advances) == len(ADVANCES) and not power.eliminated and not board.last_turn:
        table.emit(LastTurnCame(reason="all_advances"))
