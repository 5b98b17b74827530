"""Likely orders for each question, best first, for templates, bots and slots.

These are proposals from what the author knows; `OrderLanguage` removes those that the rules refuse.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from engine.kernel.orders import Order, Question
from engine.kernel.pace import is_in_order
from engine.kernel.ruleset import Proposals
from engine.kernel.suggestions import preferences
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Seen, unused
from engine.renaissance.board import Board
from engine.renaissance.catalogue import (
    ALONE,
    FORTRESS,
    GARRISON,
    HAND_LIMIT,
    KINDS,
    PRICES,
    PROVINCES,
    ROADS,
    TOWNS,
    TROOPS,
    kind_of,
)
from engine.renaissance.phases.attacks import bases
from engine.renaissance.phases.expansion import accessible
from engine.renaissance.phases.reactions import asked_now, savable
from engine.renaissance.phases.setup import nations, reachable, start_of

Proposed = Iterable[Order]

MOST: Final = 12
"""The most targets that are proposed."""


def value(board: Board, seat: Seat, town: str) -> int:
    """Return the value of a city for a seat: completing a province, breaking another's, artists and palaces."""
    cities = PROVINCES[TOWNS[town].province].cities
    others = [board.cities[c].owner for c in cities if c != town]
    whole = 4 * all(owner == seat for owner in others)
    owner = board.cities[town].owner
    breaks = 2 * (owner is not None and all(other == owner for other in others))
    return whole + breaks + 3 * bool(board.cities[town].artist) + board.cities[town].palace - board.level(town)


def _ranked(board: Board, seat: Seat, towns: Iterable[str]) -> list[str]:
    return sorted(towns, key=lambda town: -value(board, seat, town))


# --- preparation and state


def _claim(seen: Seen, decision: Question) -> Proposed:
    there = nations(seen.board, seen.core.options)
    return (o.Claim((first, *(n for n in there if n != first))) for first in there)


def _found(seen: Seen, decision: Question) -> Proposed:
    start = start_of(seen.board, decision.seat)
    palaces = ("", *start.fixed)
    for choice in start.choice or ("",):
        cities = (*start.fixed, choice) if choice else start.fixed
        yield from (o.Found(town, choice, palace) for town in cities for palace in palaces)


def _garrison(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    can = _ranked(board, seat, reachable(board, seat))
    rivals = 0 if is_in_order(seen.core.options) else board.players - 1
    return map(o.Garrison, preferences(can, 1 + rivals))


def _vote(seen: Seen, decision: Question) -> Proposed:
    return (o.Vote("war"), o.Vote("peace"))


# --- purchases and expansion


def _purchases(seen: Seen, decision: Question) -> Proposed:
    """Séquence 3  Cards for about half of the money, palaces, then walls where they are weak."""
    board, power = seen.board, seen.board.powers[decision.seat]
    most = min(power.ducats // PRICES["card"], HAND_LIMIT - power.cards)
    yield from (o.BuyCards(n) for n in dict.fromkeys((max(most // 2, 1), most)) if n > 0)
    mine = board.held(decision.seat)
    for town in mine:
        yield o.Build("palace", town)
    for town in mine:
        what = {GARRISON: ("rampart", "fortress"), FORTRESS: ()}.get(board.level(town), ("castle",))
        yield from (o.Build(name, town) for name in what)


def _expansion(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    return (o.Settle(town) for town in _ranked(board, seat, accessible(board, seat)))


# --- combat


def _combat(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    yield from _attacks(seen, seat)
    theirs = [t for t in board.open() if board.cities[t].owner not in (None, seat)]
    weak = _ranked(board, seat, theirs)[:MOST]
    yield from (o.Marry(town) for town in weak)
    mine = [town for town in board.held(seat) if board.cities[town].palace]
    for town in mine:
        yield from (o.Patronise(town), o.Bank(town))
    walls = tuple(town for town in weak if board.level(town) > GARRISON)
    plain = tuple(t for t in weak if not board.cities[t].palace and board.level(t) < FORTRESS)
    yield from (o.Embassy(plain[:3], walls[:3]), o.Embassy(plain[:1]), o.Embassy((), walls[:1]))
    yield from (o.Pillage(town) for town in dict.fromkeys((*weak, *islice(board.open(), MOST))))
    painted = [town for town in theirs if board.cities[town].artist]
    yield from (o.Lure(there, here) for there in painted for here in mine)


def _attacks(seen: Seen, seat: Seat) -> Iterator[Order]:
    """Phase 2  The best targets within reach, with each likely set of cards."""
    board, options = seen.board, seen.core.options
    theirs = [t for t in board.open() if board.cities[t].owner not in (None, seat)]
    wanted = _ranked(board, seat, (t for t in theirs if bases(options, board, seat, t)))[:MOST]
    hands = _hands(seen, seat)
    for town in wanted:
        for cards in hands:
            yield o.Attack(town, cards, next(iter(bases(options, board, seat, town))))
    yield from (o.Ride(town, cards) for town in _ranked(board, seat, theirs)[:3] for cards in hands[:1])


def _hands(seen: Seen, seat: Seat) -> tuple[tuple[str, ...], ...]:
    """Return likely sets of cards: the two strongest, with a red card first; then with Condottieri."""
    held = seen.board.kinds(seat)
    troops = sorted((k for k in held if k in TROOPS), key=lambda kind: -KINDS[kind].value)
    reds = [kind for kind in ("felon", "ingenieur") if kind in held]
    hired = held.count("condottiere") + unused(seen.core.options, seen.board, seat, "milan", "condottiere")
    sets: list[tuple[str, ...]] = []
    if len(troops) > 1:
        sets += [(*troops[:2], red) for red in reds]
        sets += [(*troops[:2], "condottiere")] if hired else []
        sets.append(tuple(troops[:2]))
    if troops and hired:
        sets.append((troops[0], "condottiere"))
    if hired > 1:
        sets.append(("condottiere",) * min(hired, 3))
    return tuple(dict.fromkeys(sets))


# --- reactions


def _sell(seen: Seen, decision: Question) -> Proposed:
    return (o.Sell(("defender",)), o.Sell(("attacker",)), o.Sell(("attacker", "defender")))


def _hire(seen: Seen, decision: Question) -> Proposed:
    return (o.Hire(1), o.Hire(2))


def _lay(seen: Seen, decision: Question) -> Proposed:
    """Combat  The strongest card, with each red card in hand; the weakest; a Condottiere; nothing."""
    held = seen.board.kinds(decision.seat)
    reds = [kind for kind in ("felon", "ingenieur", "condottiere") if kind in held]
    yield from (o.Lay("strongest", red) for red in ("", *reds))
    yield from (o.Lay("weakest"), o.Lay("condottiere"), o.Lay("none"), *(o.Lay("none", red) for red in reds))
    yield from (o.Lay(kind) for kind in dict.fromkeys(held) if kind in TROOPS)


def _bribe(seen: Seen, decision: Question) -> Proposed:
    return (o.Bribe(), o.Bribe(2))


def _sign(seen: Seen, decision: Question) -> Proposed:
    return (o.Sign(), *(o.Sign(kind) for kind in (*reversed(TROOPS), "condottiere")))


def _retreat(seen: Seen, decision: Question) -> Proposed:
    """Retraite  All cards that can be saved; those of one kind; one of several of a kind (A39)."""
    kinds = tuple(reversed(TROOPS))
    yield o.Withdraw(kinds)
    yield from (o.Withdraw((kind,)) for kind in kinds)
    battle = asked_now(seen, decision)
    if battle is not None:
        lost = Counter(kind_of(card).id for card in savable(battle, decision.seat))
        yield from (o.Withdraw((ALONE[kind],)) for kind in kinds if lost[kind] > 1)


# --- diplomacy


def _deals(seen: Seen, decision: Question) -> Proposed:
    """Diplomatie  Answers to offers, swaps with neighbours, a ducat for another player."""
    board, seat = seen.board, decision.seat
    yield from _accepted(board)
    yield from (o.Recall(offer.gives, offer.wants) for offer in board.offers if offer.seat == seat)
    pairs = ((mine, town) for mine in board.held(seat) for town in ROADS[mine])
    yield from (o.Propose(mine, town) for mine, town in islice(pairs, 2 * MOST))
    yield from _given(board, seat)


def _council(seen: Seen, decision: Question) -> Proposed:
    """A38  Answers to offers, a ducat for another player."""
    return (*_accepted(seen.board), *_given(seen.board, decision.seat))


def _accepted(board: Board) -> Iterator[Order]:
    return (o.Accept(offer.wants, offer.gives) for offer in board.offers)


def _given(board: Board, seat: Seat) -> Iterator[Order]:
    return (o.Give(power.nation, 1) for power in board.playing() if power.seat != seat)


PROPOSALS: Final[Proposals] = {
    "nations": _claim,
    "setup": _found,
    "garrison": _garrison,
    "vote": _vote,
    "purchases": _purchases,
    "expansion": _expansion,
    "combat": _combat,
    "sales": _sell,
    "hire": _hire,
    "defence": _lay,
    "traitor": _bribe,
    "sign": _sign,
    "retreat": _retreat,
    "council": _council,
    "deals": _deals,
}
