"""An entry told again: by the program that runs now, from the position that the entry began with."""

from typing import Any

from engine.kernel.codec import dump
from engine.kernel.events import Corrected
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, advance, correct, start
from engine.kernel.secrets import truth
from pbem.archive.entries import Record

START = "start"
"""The gate of a game's first entry."""


def adjudicated(rules: Rules[Any], before: Position[Any], record: Record) -> Advance[Any] | None:
    """The entry as these rules make it, with its recorded answers and luck.

    None for an entry that nobody's answers made and no ruling either: its facts stand for themselves.
    """
    if record.gate == START:
        with truth():
            seed = before.core.seed.value
        return start(rules, before.core.seats, before.core.options, seed, record.luck)
    if record.counted:
        answers = {Seat(c.seat): c.orders for c in record.counted}
        missed = [Seat(c.seat) for c in record.counted if c.how == "default"]
        return advance(rules, before, record.gate, answers, record.luck, defaulted=missed)
    ruling = record.events[0] if record.events else None
    return correct(rules, before, ruling, record.luck) if isinstance(ruling, Corrected) else None


def difference(rules: Rules[Any], before: Position[Any], record: Record, after: Position[Any]) -> str:
    """What these rules would tell otherwise of an entry: events, draws, the position; empty if nothing."""
    try:
        made = adjudicated(rules, before, record)
    except Exception as error:  # noqa: BLE001 - rules that stumble over an old entry tell it otherwise, whatever by
        return f"it ends in {type(error).__name__}"
    if made is None:
        return ""
    compared = (
        ("other events", made.events, record.events),
        ("other draws", made.draws, record.draws),
        ("another position", made.position, after),
    )
    return next((what for what, mine, theirs in compared if dump(mine) != dump(theirs)), "")
