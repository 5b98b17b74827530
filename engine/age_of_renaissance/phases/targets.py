"""§7, A2  The cards that may be played, and their targets."""

from collections.abc import Iterable

from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.catalogue import (
    CARDS,
    CATEGORIES,
    PROVINCES,
    REGIONS,
    Aim,
    Card,
    Kind,
)
from engine.age_of_renaissance.orders import Play
from engine.age_of_renaissance.phases.aims import BY_CARD
from engine.kernel.orders import Problem
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_in_hand",  # {card}
    "hand_empty",  # {}
    "none_of_that_kind",  # {}: no card in hand that this order can name
    "burden_after",  # {card, after}: the event that made it a burden
    "burden_held",  # {card, letters}: advances that all players hold
    "which_good",  # {card, goods}: a double card plays as one of them
    "wrong_good",  # {card, good, goods}
    "no_target",  # {card}: it takes no target
    "target_needed",  # {card, aim, needs}: how many
    "too_many_targets",  # {card, aim, needs, named}
    "named_twice",  # {target}
)


def in_hand(board: Board, seat: Seat, card: str) -> str | None:
    """Return the card of a hand with the same face as `card`, as far as the reader knows it, or None."""
    return board.copy_held(seat, card) if card in CARDS else None


def burden(board: Board, card: str) -> Problem | None:
    """§7.2  Return why a card can never be played again, or None."""
    weight = CARDS[card].burden
    if weight is None:
        return None
    for after in weight.after:
        played = after if weight.in_epoch is None else f"{after}/{weight.in_epoch}"
        if played in board.played:
            return Problem("burden_after", {"card": card, "after": after}, lasting=True)
    if weight.all_hold and all(power.advances.issuperset(weight.all_hold) for power in board.playing()):
        return Problem("burden_held", {"card": card, "letters": weight.all_hold}, lasting=True)
    return None


def unplayable(seen: Seen, seat: Seat, order: Play) -> Problem | None:
    """§9.3, R50  Return why this card cannot be played so now, as far as the reader knows, or None."""
    card = in_hand(seen.board, seat, order.card)
    if card is None:
        return Problem("not_in_hand", {"card": order.card}, lasting=True)
    return burden(seen.board, card) or misaimed(seen, seat, CARDS[card], order)


def misaimed(seen: Seen, seat: Seat, card: Card, order: Play) -> Problem | None:
    """A2, R50  Return why the targets of a card are wrong: none, too many, or impossible; or None."""
    if card.kind is Kind.COMMODITY:
        return _wrong_good(card, order.good) or _aimless(card, order)
    if order.good:
        return Problem("wrong_good", {"card": card.id, "good": order.good, "goods": ()}, lasting=True)
    if card.aim is None:
        return _aimless(card, order)
    return _wrong_count(seen.board, card, card.aim, order) or _untouchable(seen, seat, card, order)


def _untouchable(seen: Seen, seat: Seat, card: Card, order: Play) -> Problem | None:
    judge = BY_CARD[card.id]
    return next((found for target in order.target if (found := judge(seen, seat, card, target))), None)


def _wrong_good(card: Card, good: str) -> Problem | None:
    """§7.1  Require one of the goods of a double card."""
    if good and good not in card.goods:
        return Problem("wrong_good", {"card": card.id, "good": good, "goods": card.goods}, lasting=True)
    if not good and len(card.goods) > 1:
        return Problem("which_good", {"card": card.id, "goods": card.goods}, lasting=True)
    return None


def _aimless(card: Card, order: Play) -> Problem | None:
    return Problem("no_target", {"card": card.id}, lasting=True) if order.target else None


def count(board: Board, card: Card) -> int:
    """Return how many targets a card takes now; for Pirates as many as there are, up to the epoch's number (R50)."""
    if card.aim is not Aim.PROVINCES:
        return 1
    return min(card.targets[board.epoch - 1], sum(1 for p in PROVINCES if raided(board, p)))


def raided(board: Board, province: str) -> bool:
    return PROVINCES[province].coastal and board.controller(province) is not None


def _wrong_count(board: Board, card: Card, aim: Aim, order: Play) -> Problem | None:
    needs, named = count(board, card), len(order.target)
    twice = next((t for n, t in enumerate(order.target) if t in order.target[:n]), None)
    if twice is not None:
        return Problem("named_twice", {"target": twice}, lasting=True)
    if named < max(needs, 1):
        return Problem("target_needed", {"card": card.id, "aim": aim.value, "needs": max(needs, 1)}, lasting=named == 0)
    if named > max(needs, 1):
        terms = {"card": card.id, "aim": aim.value, "needs": needs, "named": named}
        return Problem("too_many_targets", terms, lasting=aim is not Aim.PROVINCES)
    return None


def plays(seen: Seen, seat: Seat, card: str) -> tuple[Play, ...]:
    """Return legal ways to play a card, as far as the reader knows; those that spare its player come first.

    For Pirates at several provinces this is a selection with each coast in at least one.
    """
    board = seen.board
    if burden(board, card) is not None:
        return ()
    found = (order for order in _ways(board, seat, CARDS[card]) if misaimed(seen, seat, CARDS[card], order) is None)
    return tuple(sorted(found, key=lambda order: _harms(board, seat, order)))


def _ways(board: Board, seat: Seat, card: Card) -> Iterable[Play]:
    if card.kind is Kind.COMMODITY:
        return (Play(card.id, good=good if len(card.goods) > 1 else "") for good in card.goods)
    match card.aim:
        case Aim.SEAT:
            return (Play(card.id, (power.capital,)) for power in board.playing())
        case Aim.PROVINCE:
            return (Play(card.id, (province,)) for province in PROVINCES)
        case Aim.REGION:
            return (Play(card.id, (region,)) for region in REGIONS)
        case Aim.CATEGORY:
            return (Play(card.id, (category,)) for category in CATEGORIES)
        case Aim.PROVINCES:
            return _raids(board, seat, card)
        case _:
            return (Play(card.id),)


def _raids(board: Board, seat: Seat, card: Card) -> Iterable[Play]:
    """Yield raids that start at each coast in turn, other players' coasts first."""
    coasts = sorted((p for p in PROVINCES if raided(board, p)), key=lambda p: board.controller(p) == seat)
    for first in range(len(coasts)):
        yield Play(card.id, tuple((coasts[first:] + coasts[:first])[: count(board, card)]))


def _harms(board: Board, seat: Seat, order: Play) -> int:
    """Return how many of an order's targets belong to its author."""
    return sum(_own(board, seat, CARDS[order.card], target) for target in order.target)


def _own(board: Board, seat: Seat, card: Card, target: str) -> bool:
    if card.aim is Aim.SEAT:
        return board.powers[seat].capital == target
    if card.aim is Aim.REGION:
        return any(PROVINCES[province].region == target for province, _ in board.held(seat))
    return seat in board.pieces.get(target, {})
