"""§9.3.3  Leaders: what they take off a price, who may claim them, what they pay back."""

from engine.age_of_renaissance.acts import Game, Seen
from engine.age_of_renaissance.board import Board, Leader, Phase
from engine.age_of_renaissance.catalogue import CARDS, CLAIMS, Boost
from engine.age_of_renaissance.events import LeadersLeft, Refunded
from engine.kernel.viewers import Seat


def credit(seen: Seen, card: str, letter: str) -> int:
    """A3  What a leader in play takes off an advance, doubled or raised by another card where its text says so."""
    plain, boost = CARDS[card].credits.get(letter, 0), CARDS[card].boost
    return boost.credit if plain and boost is not None and _boosted(seen, card, boost) else plain


def _boosted(seen: Seen, card: str, boost: Boost) -> bool:
    """R28, R51  The other card came in this turn, before the leader; after them where that counts too."""
    turn, other = seen.board.this_turn, boost.with_card
    if other in turn:
        return boost.before_too or card not in turn or turn.index(other) < turn.index(card)
    return seen.core.options["marco_polo"] == "hereafter" and not boost.before_too and other in seen.board.played


def claims_left(leader: Leader) -> int | None:
    """§9.3.3  How many more powers may claim a leader of another; None: any number."""
    return CLAIMS[leader.box - 1] - len(leader.claims) if leader.box else None


def claimable(board: Board, seat: Seat, leader: Leader) -> bool:
    """§9.3.3 Patronage  True if a power with E may use another's leader: once claimed, for all their credits."""
    if leader.seat == seat:
        return False
    return seat in leader.claims or claims_left(leader) != 0


def refundable(seen: Seen, seat: Seat, card: str) -> dict[str, int]:
    """§9.3.3, R9  Ducats by advance that a leader pays back to their player: for what was held before this turn.

    §11.1  In the last card play, behind the purchases, for everything that is held.
    """
    power = seen.board.powers[seat]
    held = power.advances if seen.board.phase is Phase.FINAL else power.advances - power.bought
    return {letter: credit(seen, card, letter) for letter in CARDS[card].credits if letter in held}


def refund(table: Game, seat: Seat, card: str) -> None:
    """§9.3.3, R9  Printed Word: the leader just played, or in play when O is bought, pays back at once."""
    ducats = refundable(table.position, seat, card)
    if ducats and table.board.has(seat, "O"):
        table.emit(Refunded(seat=seat, card=card, letters=tuple(ducats), ducats=sum(ducats.values())))


def raise_refunds(table: Game, played: str) -> None:
    """R51  A card that raises a leader already in play: what they paid back is made up to the higher credit."""
    for leader in table.board.leaders:
        boost = CARDS[leader.card].boost
        if boost is None or boost.with_card != played or not table.board.has(leader.seat, "O"):
            continue
        due, paid = refundable(table.position, leader.seat, leader.card), CARDS[leader.card].credits
        more = {letter: ducats - paid[letter] for letter, ducats in due.items() if ducats > paid[letter]}
        if more:
            ducats = sum(more.values())
            table.emit(Refunded(seat=leader.seat, card=leader.card, letters=tuple(more), ducats=ducats))


def leave(table: Game) -> None:
    """§9.3.3  At the end of the purchases all leaders in play are put away for good."""
    if table.board.leaders:
        table.emit(LeadersLeft(leaders=table.board.leaders))
