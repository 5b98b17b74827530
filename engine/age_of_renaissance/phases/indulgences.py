"""§9.5 Indulgences, R37, R43  At the start of the expansion, holders receive tokens and the others lose some."""

from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, raise_misery, reply
from engine.age_of_renaissance.board import Power
from engine.age_of_renaissance.events import Paid, Received, TokensMoved
from engine.age_of_renaissance.orders import Indulge
from engine.kernel.orders import Orders, Pace, Problem, Question, unconditional
from engine.kernel.position import Step
from engine.kernel.viewers import Seat

PROBLEMS: Final = (
    "no_such_payment",  # {what}: neither `ducats` nor `misery`
    "too_poor",  # {ducats: due, cash}
)
EACH: Final = 2
"""Tokens for each player on the other side."""
CAUSE: Final = "F"


class SettleIndulgences(Step, saved="aor.SettleIndulgences"):
    """Settle missing tokens.

    `owed`: seats with the ducats due. `gate`: where those with a choice were asked; "" if there are none.
    """

    owed: tuple[tuple[Seat, int], ...]
    gate: str


def grant(table: Game) -> None:
    """Move the tokens both ways; ask powers that lack tokens, and settle those in a later step."""
    playing = table.board.playing()
    holders = [power for power in playing if "F" in power.advances]
    others = [power for power in playing if "F" not in power.advances]
    if not holders or not others:
        return
    owed = []
    for power in playing:
        if "F" in power.advances:
            _gain(table, power, EACH * len(others))
        elif missing := _lose(table, power, EACH * len(holders)):
            owed.append((power.seat, missing))
    if owed:
        table.then(SettleIndulgences(tuple(owed), _ask(table, owed)))


def _gain(table: Game, power: Power, tokens: int) -> None:
    """Give tokens from the stock, and a ducat for each missing one."""
    taken = min(tokens, power.stock)
    if taken:
        table.emit(TokensMoved(seat=power.seat, tokens=taken, cause=CAUSE))
    if tokens > taken:
        table.emit(Received(seat=power.seat, ducats=tokens - taken, cause=CAUSE))


def _lose(table: Game, power: Power, tokens: int) -> int:
    """Return tokens to the stock; return the number missing."""
    given = min(tokens, power.expansion)
    if given:
        table.emit(TokensMoved(seat=power.seat, tokens=-given, cause=CAUSE))
    return tokens - given


def _ask(table: Game, owed: list[tuple[Seat, int]]) -> str:
    """R37  Ask the powers that have a choice; if cash is piled (R33), ask all, so as not to reveal it."""
    piled = table.core.options["cash"] == "piled"
    able = [(seat, due) for seat, due in owed if piled or table.board.powers[seat].cash >= due]
    gate = f"indulgences/{table.board.turn}" if able else ""
    table.ask(*(Question(gate, seat, "indulgences", {"ducats": due}, pace=Pace.REACTION) for seat, due in able))
    return gate


def settle(table: Game, step: SettleIndulgences) -> None:
    """R37  Take a ducat for each missing token, or raise misery by 1, as answered; ducats by default."""
    for seat, due in step.owed:
        order = reply(table, step.gate, seat) if step.gate else None
        power = table.board.powers[seat]
        if power.eliminated:
            continue
        if power.cash >= due and not (isinstance(order, Indulge) and order.what == "misery"):
            table.emit(Paid(seat=seat, ducats=due, cause=CAUSE))
        else:
            raise_misery(table, seat, 1, CAUSE)


def refuse_indulge(seen: Seen, decision: Question, order: Indulge) -> Problem | None:
    """R37  Require the ducats, if they were chosen."""
    if order.what not in ("ducats", "misery"):
        return Problem("no_such_payment", {"what": order.what}, lasting=True)
    due, cash = decision.limits.get("ducats"), seen.board.powers[decision.seat].cash
    if order.what == "ducats" and isinstance(due, int) and cash < due:
        return Problem("too_poor", {"ducats": due, "cash": cash})
    return None


def default(seen: Seen, decision: Question) -> Orders:
    """Return ducats if there are enough, else misery."""
    able = refuse_indulge(seen, decision, Indulge("ducats")) is None
    return unconditional(Indulge("ducats" if able else "misery"))
