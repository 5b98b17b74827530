"""Votes: on a draw, or on a concession to one power. They are orders of a movement phase, and as secret."""

from collections.abc import Mapping, Sequence

from engine.diplomacy import events as e
from engine.diplomacy.board import Board, is_out
from engine.diplomacy.catalogue import POWERS
from engine.diplomacy.orders import Concede, VoteDraw
from engine.kernel.orders import Order, Problem

Vote = VoteDraw | Concede

PROBLEMS = (
    "already_voted",  # {}
    "not_left",  # {power, powers}
    "draw_of_one",  # {power}
    "draw_of_all",  # {}
    "concedes_to_itself",  # {}
)
"""Why a vote does not count."""


def powers_left(board: Board) -> tuple[str, ...]:
    """Return the powers that are not out."""
    return tuple(power for power in POWERS if not is_out(board, power))


def validate_vote(board: Board, power: str, vote: Vote) -> Vote | Problem:
    """Return a vote of a power as it will count, or why it does not. A draw of all who are left names nobody."""
    left = powers_left(board)
    if isinstance(vote, Concede):
        if vote.power == power:
            return Problem("concedes_to_itself")
        return vote if vote.power in left else _not_left(vote.power, left)
    listed = set[str]()
    for other in vote.powers:
        if other not in left:
            return _not_left(other, left)
        listed.add(other)
    if len(listed) == 1:
        return Problem("draw_of_one", {"power": min(listed)})
    return VoteDraw(() if listed == set(left) else tuple(other for other in left if other in listed))


def _not_left(power: str, left: tuple[str, ...]) -> Problem:
    return Problem("not_left", {"power": power, "powers": left})


def find_agreement(board: Board, orders: Mapping[str, Sequence[Order]]) -> e.DrawAgreed | e.Conceded | None:
    """Return what all who are left agree on by their votes, a concession without the one who wins by it; or None."""
    left = powers_left(board)
    votes = {power: order for power in left for order in orders.get(power, ()) if isinstance(order, Vote)}
    for vote in votes.values():
        voters = [power for power in left if not (isinstance(vote, Concede) and vote.power == power)]
        if all(votes.get(power) == vote for power in voters):
            return (
                e.Conceded(power=vote.power) if isinstance(vote, Concede) else e.DrawAgreed(powers=vote.powers or left)
            )
    return None
