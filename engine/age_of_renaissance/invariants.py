"""Invariants that hold after every entry: no piece is created, lost or misplaced."""

from collections import Counter
from collections.abc import Iterator

from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Piece, Power
from engine.age_of_renaissance.catalogue import CARDS, MARKERS, PROVINCES, REGIONS_IN_PLAY, SLOTS, TOKENS
from engine.kernel.orders import Problem
from engine.kernel.viewers import Seat

PROBLEMS = (
    "tokens_counted",  # {seat, count}: not 36 in all (§5.2)
    "markers_counted",  # {seat, count}: not 25 in all (§5.2)
    "card_counted",  # {card, count}: not exactly once in the game
    "below_zero",  # {seat}: cash, stock, pool, row or misery below zero
    "two_markers",  # {province}
    "marker_in_satellite",  # {province}: §4.3
    "over_capacity",  # {province, count}: §4.3
    "piece_of_nothing",  # {province, seat}: an entry without a piece, or with both kinds
    "out_of_play",  # {province}: §8.2
    "slots",  # {}: the ranks are not those in use, or not in order (§3)
)


def problems(position: Seen) -> tuple[Problem, ...]:
    """Return every broken invariant; empty for a sound position.

    Cards are counted only if the current reader knows them all.
    """
    board = position.board
    return (*_powers(board), *_cards(board), *_map(board), *_order(board))


def _powers(board: Board) -> Iterator[Problem]:
    held = {seat: list(board.held(seat)) for seat in board.powers}
    for seat, power in board.powers.items():
        tokens = power.stock + power.expansion + sum(piece.tokens for _, piece in held[seat])
        markers = power.markers + sum(piece.controls for _, piece in held[seat])
        if tokens != TOKENS:
            yield Problem("tokens_counted", {"seat": seat, "count": tokens})
        if markers != MARKERS:
            yield Problem("markers_counted", {"seat": seat, "count": markers})
        cash = power.cash if power.counted else 0
        if min(cash, power.stock, power.expansion, power.markers, power.misery) < 0:
            yield Problem("below_zero", {"seat": seat})


def _cards(board: Board) -> Iterator[Problem]:
    open_cards = (*board.discard, *board.removed, *board.withheld, *board.later, *(ld.card for ld in board.leaders))
    hidden = (*board.deck, *(card for power in board.powers.values() for card in power.hand))
    if not all(card.visible for card in hidden):
        return
    counted = Counter([*open_cards, *(card.value for card in hidden)])
    for card in CARDS:
        if counted[card] != 1:
            yield Problem("card_counted", {"card": card, "count": counted[card]})


def _map(board: Board) -> Iterator[Problem]:
    for province, here in board.pieces.items():
        yield from _province(board, province, here)


def _province(board: Board, province: str, here: dict[Seat, Piece]) -> Iterator[Problem]:
    printed = PROVINCES[province]
    if printed.region not in REGIONS_IN_PLAY[board.players]:
        yield Problem("out_of_play", {"province": province})
    markers = sum(piece.controls for piece in here.values())
    if markers > 1:
        yield Problem("two_markers", {"province": province})
    if markers and printed.satellite:
        yield Problem("marker_in_satellite", {"province": province})
    for seat, piece in here.items():
        if not piece.strength(province) or (piece.marker and piece.tokens):
            yield Problem("piece_of_nothing", {"province": province, "seat": seat})
    count = sum(piece.strength(province) for piece in here.values())
    if count > printed.capacity:
        yield Problem("over_capacity", {"province": province, "count": count})


def _order(board: Board) -> Iterator[Problem]:
    slots = [_slot(board.powers[seat]) for seat in board.order]
    if board.turn and (slots != sorted(slots) or tuple(sorted(slots)) != SLOTS[board.players]):
        yield Problem("slots", {})


def _slot(power: Power) -> int:
    return power.slot
