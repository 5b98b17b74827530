"""An entry told again: by the program that runs now, from the position that the entry began with."""

from collections.abc import Sequence
from typing import Any, Final

from engine.kernel.codec import dump
from engine.kernel.dice import Draw, Draws, HmacDraws, RecordedDraws
from engine.kernel.events import Corrected
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, advance, correct, set_up
from engine.kernel.secrets import truth
from pbem.archive.entries import EntryRecord, answers_by_key, missed_seats
from pbem.common.cpu_budget import BudgetExceeded, hard_limit

ENTRY_S: Final = 10.0
"""How long the processor may work at telling one entry again: a hundred times what any took so far."""

TOO_LONG: Final = "it takes more work than any entry of a game"
"""The difference of an entry whose telling was given up."""

START_GATE = "start"
"""The gate of a game's first entry."""


def adjudicate(
    rules: Rules[Any], before: Position[Any], record: EntryRecord, kept: Sequence[Draw] = ()
) -> Advance[Any] | None:
    """The entry as these rules make it, with its recorded answers and luck.

    `kept`: the draws of the entry that it tells again.  None for an entry that nobody's answers made and no ruling
    either: its facts stand for themselves.
    """
    if record.gate == START_GATE:
        return set_up(rules, before, record.luck)
    if record.counted:
        answers, missed = answers_by_key(record.counted), missed_seats(record.counted)
        draws = draw_source(before, record, kept)
        return advance(rules, before, record.gate, answers, record.luck, draws, defaulted=missed)
    ruling = record.events[0] if record.events else None
    return correct(rules, before, ruling, record.luck) if isinstance(ruling, Corrected) else None


def draw_source(before: Position[Any], record: EntryRecord, kept: Sequence[Draw]) -> Draws:
    """Where the draws of an entry come from: its luck, and the entry that it tells again."""
    with truth():
        own = HmacDraws(before.core.seed.value, record.luck)
    return own if record.again is None else RecordedDraws(kept, own, record.anew)


def find_difference(
    rules: Rules[Any], before: Position[Any], record: EntryRecord, after: Position[Any], kept: Sequence[Draw] = ()
) -> str:
    """What these rules would tell otherwise of an entry: events, draws, the position; empty if nothing."""
    try:
        with hard_limit(ENTRY_S):
            made = adjudicate(rules, before, record, kept)
    except BudgetExceeded:
        return TOO_LONG
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
