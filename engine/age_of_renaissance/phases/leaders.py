"""§9.3.3  Leaders: credits, claims and refunds."""

from engine.age_of_renaissance.acts import Game, Seen
from engine.age_of_renaissance.board import Leader, Phase
from engine.age_of_renaissance.catalogue import CARDS, CLAIMS, Boost
from engine.age_of_renaissance.events import LeadersLeft, Refunded
from engine.kernel.viewers import Seat


def credit(seen: Seen, card: str, letter: str) -> int:
    """A3  Return the credit of a leader in play for an advance, raised by another card if its text says so."""
    plain, boost = CARDS[card].credits.get(letter, 0), CARDS[card].boost
    return boost.credit if plain and boost is not None and _boosted(seen, card, boost) else plain


def _boosted(seen: Seen, card: str, boost: Boost) -> bool:
    """R28, R51  Return True if the other card was played this turn, before the leader, or also after if allowed."""
    turn, other = seen.board.this_turn, boost.with_card
    if other in turn:
        return boost.before_too or card not in turn or turn.index(other) < turn.index(card)
    return seen.core.options["marco_polo"] == "hereafter" and not boost.before_too and other in seen.board.played


def claims_left(leader: Leader) -> int | None:
    """§9.3.3  Return how many more powers may claim a leader; None for any number."""
    return CLAIMS[leader.box - 1] - len(leader.claims) if leader.box else None


def claimable(seat: Seat, leader: Leader) -> bool:
    """§9.3.3 Patronage  Return True if a power with E may use another's leader; one claim covers all its credits."""
    if leader.seat == seat:
        return False
    return seat in leader.claims or claims_left(leader) != 0


def refundable(seen: Seen, seat: Seat, card: str) -> dict[str, int]:
    """§9.3.3, R9  Return the ducats, by advance, that a leader refunds for advances held before this turn.

    §11.1  In the last card play, for all advances held.
    """
    power = seen.board.powers[seat]
    held = power.advances if seen.board.phase is Phase.FINAL else power.advances - power.bought
    return {letter: credit(seen, card, letter) for letter in CARDS[card].credits if letter in held}


def refund(table: Game, seat: Seat, card: str) -> None:
    """§9.3.3, R9  Pay the refund of a leader to a holder of Printed Word (O), when either comes into play."""
    ducats = refundable(table.position, seat, card)
    if ducats and table.board.has(seat, "O"):
        table.emit(Refunded(seat=seat, card=card, letters=tuple(ducats), ducats=sum(ducats.values())))


def raise_refunds(table: Game, played: str) -> None:
    """R51  Pay the difference if a card raises the credit of a leader in play that has been refunded."""
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
    """§9.3.3  Remove all leaders in play from the game, at the end of the purchases."""
    if table.board.leaders:
        table.emit(LeadersLeft(leaders=table.board.leaders))
