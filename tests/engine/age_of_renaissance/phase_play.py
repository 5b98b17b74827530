"""Short ways to play one phase of history or of purchases from a built position, through its real gate."""

from collections.abc import Mapping

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import MISERY
from engine.age_of_renaissance.orders import Play
from engine.kernel.orders import Order
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import Answer, At, Script, Went, enter, hand, play, refused, sound


def history(position: At, answers: Mapping[Seat, Answer], script: Script | None = None) -> Went:
    """Phase 3 up to the next question: everybody who holds a card answers, nothing unless told."""
    return _phase(position, Phase.HISTORY, "history", answers, script)


def purchases(position: At, answers: Mapping[Seat, Answer]) -> Went:
    """Phase 4: everybody answers, nothing unless told."""
    return _phase(position, Phase.PURCHASES, "purchases", answers, None)


def _phase(position: At, phase: Phase, asks: str, answers: Mapping[Seat, Answer], script: Script | None) -> Went:
    opened, swaps = enter(position, phase), f"renaissance/{position.board.turn}/{phase}"
    if opened.position.core.gate(swaps):
        opened = closed(opened, swaps, {})
    return closed(opened, f"{asks}/{position.board.turn}", answers, script)


def closed(went: Went, gate: str, answers: Mapping[Seat, Answer], script: Script | None = None) -> Went:
    """Close a gate of where it went, and check that nothing was minted or lost."""
    further = play(went.position, gate, answers, script)
    sound(further.position)
    return further


def plays(position: At, seat: Seat, card: str, *target: str, good: str = "", script: Script | None = None) -> Went:
    """One card given to a seat and played by it."""
    hand(position, seat, card)
    return history(position, {seat: Play(card, target, good)}, script)


def miseries(position: At) -> dict[str, int]:
    """What the misery ladder shows for each seat, by capital."""
    return {power.capital: MISERY[power.misery] for power in position.board.powers.values()}


def cashes(position: At) -> dict[str, int]:
    """Ducats, by capital."""
    return {power.capital: power.cash for power in position.board.powers.values()}


def code(position: At, seat: Seat, asks: str, answer: Order, **limits: int | str) -> str:
    """The code of the problem for which one order is refused on its author's own view; empty if it stands."""
    problem = refused(position, seat, asks, answer, **limits)
    return problem.code if problem else ""
