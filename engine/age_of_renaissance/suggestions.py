"""Likely orders for each question, best first, for templates, bots and slots.

These are proposals from what the author knows; `OrderLanguage` removes those that the rules refuse.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from engine.age_of_renaissance import orders as o
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Phase
from engine.age_of_renaissance.catalogue import (
    ADVANCES,
    CAPITALS,
    CARDS,
    FACE,
    GOODS,
    PROVINCES,
    REGIONS_IN_PLAY,
    Kind,
    payout,
)
from engine.age_of_renaissance.phases.placing import bases, placeable_counts
from engine.age_of_renaissance.phases.strength import needed
from engine.age_of_renaissance.phases.targets import burden, plays
from engine.kernel.orders import Order, Question
from engine.kernel.ruleset import Proposals
from engine.kernel.viewers import Seat

Proposed = Iterable[Order]

SHARES: Final = (50, 40, 60, 33, 67, 25, 75)
"""The shares of the cash to spend on tokens, in percent, the most usual first."""
FEW: Final = 3
"""The most provinces of a list of preferences."""


def faces(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the faces of the known cards of a hand, each once."""
    return tuple(dict.fromkeys(FACE[card] for card in board.known_hand(seat)))


def worth(board: Board, province: str) -> int:
    """Return the sum of the base values of what a province produces; 0 for a satellite."""
    return sum(GOODS[good].base for good in PROVINCES[province].goods)


def in_play(board: Board) -> Iterator[str]:
    """Yield the provinces of this game."""
    regions = REGIONS_IN_PLAY[board.players]
    return (p.id for p in PROVINCES.values() if p.region in regions)


# --- set-up


def _keep(seen: Seen, decision: Question) -> Proposed:
    """§8.1  Every pair of the hand, events and leaders before goods."""
    hand = [FACE[card] for card in seen.board.known_hand(decision.seat)]
    ranked = sorted(hand, key=lambda card: (CARDS[card].kind is Kind.COMMODITY, hand.index(card)))
    return (o.Keep(pair) for pair in dict.fromkeys(combinations(ranked, 2)))


def _bid(seen: Seen, decision: Question) -> Proposed:
    """§8.3  Small bids, because the money is then missing for tokens."""
    return (o.Bid(ducats) for ducats in (2, 0, 1, 3, 4, 5, 6))


def _capitals(seen: Seen, decision: Question) -> Proposed:
    """§8.3  Each capital first once, followed by the others in printed order."""
    printed = CAPITALS[seen.board.players]
    return (o.Capitals((first, *(c for c in printed if c != first))) for first in printed)


# --- order of play


def _tokens(seen: Seen, decision: Question) -> Proposed:
    """§9.7  Shares of the cash; nothing; -1 to be early; more than the stock holds to be late."""
    power = seen.board.powers[decision.seat]
    shares = [min(power.cash * share // 100, power.stock) for share in SHARES]
    return (o.Tokens(count) for count in dict.fromkeys((*shares, 0, -1, power.stock + 1)))


def _rank(seen: Seen, decision: Question) -> Proposed:
    places = decision.limits.get("places", seen.board.players)
    last = places if isinstance(places, int) else seen.board.players
    return (o.Rank(1), o.Rank(1, last=True), *(o.Rank(place) for place in range(2, last)))


# --- markets and cards


def _cancel(seen: Seen, decision: Question) -> Proposed:
    """§9.1  Markets that hurt the author most, or help others most, first."""
    board, seat = seen.board, decision.seat
    goods = sorted(board.markets, key=lambda good: _gain(board, seat, good) * board.markets[good])
    return (o.CancelMarkets((good,)) for good in goods if board.markets[good])


def _mill(seen: Seen, decision: Question) -> Proposed:
    """§9.1  A shortage of goods that pay the author most, a surplus of goods that pay others."""
    board, seat = seen.board, decision.seat
    milled = sorted((g for g in GOODS if GOODS[g].milled), key=lambda good: -_gain(board, seat, good))
    shortages = tuple(o.Mill(good, "shortage") for good in milled)
    return (*shortages, *(o.Mill(good, "surplus") for good in reversed(milled)))


def _gain(board: Board, seat: Seat, good: str) -> int:
    """Return how much more a card of this good would pay a seat than the best paid other seat."""
    shift = board.markets.get(good, 0)
    shift = (shift > 0) - (shift < 0)
    pays = {p.seat: payout(good, board.controls(p.seat, good), shift) for p in board.playing()}
    return pays.pop(seat, 0) - max(pays.values(), default=0)


def _discard(seen: Seen, decision: Question) -> Proposed:
    """§7.2, §9.2  Burdens first, then cards that would pay others."""
    board, seat = seen.board, decision.seat
    ranked = sorted(faces(board, seat), key=lambda card: (burden(board, card) is None, _value(board, seat, card)))
    return (o.Discard(card) for card in ranked)


def _value(board: Board, seat: Seat, card: str) -> int:
    return max((_gain(board, seat, good) for good in CARDS[card].goods), default=0)


def _play(seen: Seen, decision: Question) -> Proposed:
    """§9.3  Cards that pay most first; cards against the author last."""
    board, seat = seen.board, decision.seat
    ranked = sorted(faces(board, seat), key=lambda card: -_value(board, seat, card))
    return (order for card in ranked for order in _ways(seen, seat, card))


def _ways(seen: Seen, seat: Seat, card: str) -> Proposed:
    """Return ways to play a card; against the author only if every card must be played (§11.1)."""
    found = plays(seen, seat, card)
    if CARDS[card].goods:
        return sorted(found, key=lambda play: -_gain(seen.board, seat, play.good or CARDS[card].goods[0]))
    mine = {seen.board.powers[seat].capital, *(province for province, _ in seen.board.held(seat))}
    mine |= {PROVINCES[province].region for province in mine}
    others = tuple(play for play in found if mine.isdisjoint(play.target))
    return others or (found if seen.board.phase is Phase.FINAL else ())


# --- purchases


def _purchases(seen: Seen, decision: Question) -> Proposed:
    """§9.4  Advances, the most expensive first; a ship; stability; a discard, for when P was just bought."""
    owned = seen.board.powers[decision.seat].advances
    wanted = sorted((a for a in ADVANCES.values() if a.letter not in owned), key=lambda a: (-a.cost, a.letter))
    advances = tuple(o.Buy((advance.letter,)) for advance in wanted)
    rest = (o.UpgradeShip(), o.Stabilise())
    return (*advances, *rest, *(o.Discard(card) for card in faces(seen.board, decision.seat)))


# --- expansion


def _expansion(seen: Seen, decision: Question) -> Proposed:
    """§9.5  Provinces that can be filled, a card, attacks with just enough tokens, then footholds."""
    board, seat = seen.board, decision.seat
    held = bases(board, seat)
    rooms = {p: len(placeable_counts(board, seat, p, held)) for p in in_play(board)}
    reachable = sorted((p for p, room in rooms.items() if room), key=lambda p: -worth(board, p))
    filling = [p for p in reachable if not PROVINCES[p].satellite and _fills(board, seat, p, rooms[p])]
    rest = [p for p in reachable if p not in filling]
    yield from (o.Place(p, rooms[p]) for p in filling)
    yield o.BuyCard()
    yield from _attacks(board, seat)
    yield from (o.Place(p, rooms[p]) for p in rest)
    yield from (o.Place(p, 1) for p in rest if rooms[p] > 1)
    yield from _lift(seen, decision)


def _fills(board: Board, seat: Seat, province: str, tokens: int) -> bool:
    alone = board.pieces.get(province, {}).keys() <= {seat}
    return alone and board.at(province, seat).tokens + tokens >= PROVINCES[province].capacity


def _attacks(board: Board, seat: Seat) -> Proposed:
    """§9.5.2  Attacks with exactly the tokens needed, the richest provinces first; then by Conversion."""
    power = board.powers[seat]
    exact = {p: needed(board, seat, p) for p in in_play(board) if p in board.pieces}
    able = sorted((p for p, n in exact.items() if 0 < n <= power.expansion), key=lambda p: -worth(board, p))
    yield from (o.Attack(p, exact[p]) for p in able)
    if board.has(seat, "H"):
        yield from (o.Attack(p, exact[p], convert=True) for p in able)


def _lift(seen: Seen, decision: Question) -> Proposed:
    """§9.5.2  Own markers, the poorest province first: a list of preferences, then each alone."""
    cheapest = _markers(seen.board, decision.seat)
    if not cheapest:
        return ()
    return (o.Lift(cheapest[:FEW]), *(o.Lift((province,)) for province in cheapest))


def _markers(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the provinces that a seat controls, the poorest first, the capital last."""
    mine = [p for p in PROVINCES if board.at(p, seat).controls]
    return tuple(sorted(mine, key=lambda p: (p == board.powers[seat].capital, worth(board, p))))


# --- reactions


def _forfeit(seen: Seen, decision: Question) -> Proposed:
    """A2, R46  The cheaper of the two first."""
    power = seen.board.powers[decision.seat]
    money, tokens = min(-(-power.written // 2), power.cash), -(-power.expansion // 2)
    both = (o.Forfeit("money"), o.Forfeit("tokens"))
    return both if money < tokens else both[::-1]


def _cede(seen: Seen, decision: Question) -> Proposed:
    cheapest = _markers(seen.board, decision.seat)
    return (o.Cede(cheapest[:FEW]), *(o.Cede((province,)) for province in cheapest)) if cheapest else ()


def _convert(seen: Seen, decision: Question) -> Proposed:
    board = seen.board
    foes = tuple(p.capital for p in board.playing() if p.seat != decision.seat and p.capital)
    return (o.UseConversion(), *(o.UseConversion((capital,)) for capital in foes))


def _exchange(seen: Seen, decision: Question) -> Proposed:
    """§9.5.2  The least useful card first."""
    return (o.Exchange((discard.card,)) for discard in _discard(seen, decision) if isinstance(discard, o.Discard))


def _none(seen: Seen, decision: Question) -> Proposed:
    """Nothing: leaving the game is never suggested."""
    return ()


PROPOSALS: Final[Proposals] = {
    "keep": _keep,
    "bid": _bid,
    "capitals": _capitals,
    "tokens": _tokens,
    "rank": _rank,
    "surplus": _cancel,
    "mills": _mill,
    "discard": _discard,
    "history": _play,
    "final": _play,
    "purchases": _purchases,
    "expansion": _expansion,
    "civil_war": _forfeit,
    "war": _cede,
    "conversion": _convert,
    "manuscripts": _exchange,
    "lift": _lift,
    "leave": _none,
}
