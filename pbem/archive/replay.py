"""An entry replayed: by the program that runs now, on the position that it began with, or on another one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engine.kernel.codec import dump
from engine.kernel.dice import Draw, Draws, HmacDraws, RecordedDraws
from engine.kernel.events import Corrected, EntryReplayed, Rewound
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, GateNotOpen, advance, answer_key, correct, set_up
from engine.kernel.secrets import truth
from engine.kernel.validation import all_valid, check_orders
from pbem.archive.entries import EntryRecord, answers_by_key, missed_seats
from pbem.common.cpu_budget import BudgetExceeded, hard_limit

ENTRY_S: Final = 10.0
"""How long the processor may work at telling one entry again: a hundred times what any took so far."""

TOO_LONG: Final = "it takes more work than any entry of a game"
"""The difference of an entry whose telling was given up."""

START_GATE: Final = "start"
"""The gate of a game's first entry."""
CORRECTION: Final = "correction"
"""The gate of an entry that a ruling made."""
REWIND: Final = "rewind"
"""The gate of an entry that goes on from an earlier one."""


class NobodyMade(ValueError):
    """An entry of no answers and no ruling: nothing can make its events."""


def adjudicate(
    rules: Rules[Any], before: Position[Any], record: EntryRecord, kept: Sequence[Draw] = ()
) -> Advance[Any]:
    """The entry as these rules make it, with its recorded answers and luck.

    `kept`: the draws of the entry that it replays.  Raises NobodyMade.
    """
    if record.gate == START_GATE:
        return set_up(rules, before, record.luck)
    if record.counted:
        answers, missed = answers_by_key(record.counted), missed_seats(record.counted)
        draws = draw_source(before, record, kept)
        return advance(rules, before, record.gate, answers, record.luck, draws, defaulted=missed)
    ruling = record.events[0] if record.events else None
    if not isinstance(ruling, Corrected):
        raise NobodyMade
    return correct(rules, before, ruling, record.luck)


def draw_source(before: Position[Any], record: EntryRecord, kept: Sequence[Draw]) -> Draws:
    """Where the draws of an entry come from: its luck, and the entry that it tells again."""
    with truth():
        own = HmacDraws(before.core.seed.value, record.luck)
    return own if record.replay_of is None else RecordedDraws(kept, own, record.rerolled)


def find_difference(
    rules: Rules[Any], before: Position[Any], record: EntryRecord, after: Position[Any], kept: Sequence[Draw] = ()
) -> str:
    """What these rules would tell otherwise of an entry: events, draws, the position; empty if nothing."""
    try:
        with hard_limit(ENTRY_S):
            made = adjudicate(rules, before, record, kept)
    except BudgetExceeded:
        return TOO_LONG
    except NobodyMade:
        return "neither answers nor a ruling made it"
    except Exception as error:  # noqa: BLE001 - rules that stumble over an old entry tell it otherwise, whatever by
        return f"it ends in {type(error).__name__}"
    compared = (
        ("other events", made.events, record.events),
        ("other draws", made.draws, record.draws),
        ("another position", made.position, after),
    )
    return next((what for what, mine, theirs in compared if dump(mine) != dump(theirs)), "")


# --- on another position, after a rewind


class DrawNotRecorded(Exception):
    """A draw that was not made then: it can be made when it counts, and not before."""


def replay_entry(
    rules: Rules[Any], position: Position[Any], record: EntryRecord, chance: bytes, draws: Draws
) -> Advance[Any] | None:
    """Replay an entry with its answers on another position. Return None if it cannot be played there."""
    if not record.counted:
        return _replay_ruling(rules, position, record, chance, draws)
    if not _is_compatible(rules, position, record):
        return None
    answers, missed = answers_by_key(record.counted), missed_seats(record.counted)
    try:
        return advance(rules, position, record.gate, answers, chance, draws, defaulted=missed)
    except GateNotOpen:
        return None


def _is_compatible(rules: Rules[Any], position: Position[Any], record: EntryRecord) -> bool:
    """Return True if an entry's question is asked, of the same seats, and their answers still stand."""
    questions = {answer_key(d): d for d in position.core.gate(record.gate)}
    required = {key for key, decision in questions.items() if decision.blocking}
    answered = answers_by_key(record.counted)
    if not answered or not required <= set(answered) <= set(questions):
        return False
    return all(
        rules.meta.topic(questions[key].topic).lines or all_valid(check_orders(rules, position, questions[key], orders))
        for key, orders in answered.items()
    )


def _replay_ruling(
    rules: Rules[Any], position: Position[Any], record: EntryRecord, chance: bytes, draws: Draws
) -> Advance[Any] | None:
    """An earlier ruling on another position; None where what it put right is not there."""
    ruling = ruling_to_replay(record)
    if ruling is None:
        return None
    try:
        return correct(rules, position, ruling, chance, draws)
    except DrawNotRecorded:
        raise
    except Exception:  # noqa: BLE001 - facts of another position: whatever they do not find, they do not fit
        return None


def ruling_to_replay(record: EntryRecord) -> Corrected | None:
    """What a ruling put right; going back was not part of it, and is not done again."""
    ruling = record.events[0] if record.events else None
    if not isinstance(ruling, Corrected):
        return None
    return replace(ruling, edits=tuple(edit for edit in ruling.edits if not isinstance(edit, Rewound | EntryReplayed)))


def is_pure_rewind(record: EntryRecord) -> bool:
    """An entry that was a rewind alone: the line of play goes through it, and nothing of it is done again."""
    ruling = ruling_to_replay(record)
    return record.gate == REWIND and ruling is not None and not ruling.edits


def is_playable(rules: Rules[Any], result: Advance[Any]) -> bool:
    """Return True if no invariant is broken by what an entry became."""
    with truth():
        return not rules.list_violations(result.position)
