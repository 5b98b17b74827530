"""The acts of masters in a journal: each entry that no answers made, with its author, its reason and its effect.

An entry is the deal, or counted answers, or is a ruling.  Only a ruling goes back, or has entries replayed; those
that follow it are then the entries of before, as far as they can be played.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.events import NOBODY, Corrected, EntryReplayed, Event, Rewound
from engine.kernel.secrets import Mask, Secret, redact
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.archive.container import NotAnArchive, to_canonical_json
from pbem.archive.entries import EntryRecord
from pbem.archive.replay import CORRECTION, REWIND, START_GATE, is_pure_rewind, ruling_to_replay


@dataclass(frozen=True)
class ReplayStop:
    """Where a replay ended: the last entry of it, and the record that was not replayed any more."""

    entry: int
    record: EntryRecord


@dataclass
class RulingCheck:
    """The acts of a journal; `seats`: of the table."""

    records: Sequence[EntryRecord]
    seats: Sequence[Seat]

    def list_faults(self) -> Iterator[str]:
        """A sentence for each entry that no act and no answers account for."""
        for record in self.records:
            if problem := self._find_problem(record):
                yield f"Entry {record.number} {problem}."
        for record in self._replays[0]:
            yield f"Entry {record.number} replays another entry than a ruling says."

    def list_stops(self) -> Sequence[ReplayStop]:
        """Where the replays of rulings ended before all was replayed."""
        return self._replays[1]

    def describe(self) -> Iterator[str]:
        """For each ruling a line with its author and reason, then one for each effect."""
        for record in self.records:
            if record.drawn is not None and not record.drawn.signature and record.replay_of is None:
                yield f"entry {record.number}, by {record.drawn.by}: drawn without its round"
            ruling = record.events[0] if record.events else None
            if record.counted or record.gate == START_GATE or not isinstance(ruling, Corrected):
                continue
            yield f"entry {record.number}, by {ruling.by}: {ruling.reason or 'no reason given'}"
            yield from (f"  {describe_event(edit)}" for edit in ruling.edits)

    def _find_problem(self, record: EntryRecord) -> str:
        is_deal, is_rewind = record.gate == START_GATE, record.base is not None
        ruling = record.events[0] if record.events else None
        if is_deal or record.counted:
            replays = record.replay_of is not None or record.rerolled
            if is_rewind or (is_deal and (record.counted or replays)) or (record.command and record.replay_of is None):
                return "goes on from another one, or replays one, and no ruling says so"
            return "counted answers at the gate of a ruling" if record.gate in (CORRECTION, REWIND) else ""
        if not isinstance(ruling, Corrected) or not ruling.edits or ruling.visible_to is not None:
            return "counted no answers, and no ruling made it"
        if record.superseded or record.replay_of is not None or record.rerolled:
            return "is a ruling and has answers"
        going_back = [edit for edit in ruling.edits if isinstance(edit, Rewound | EntryReplayed)]
        if record.gate != (REWIND if is_rewind else CORRECTION) or bool(going_back) != is_rewind:
            return "goes back, and its ruling does not say so"
        return self._find_rewind_problem(record, ruling) if record.base is not None else ""

    def _find_rewind_problem(self, record: EntryRecord, ruling: Corrected) -> str:
        base, last, (rewound, *rest) = record.base or 0, record.number - 1, ruling.edits
        if not isinstance(rewound, Rewound) or not 0 < base < last or (rewound.entry, rewound.last) != (base, last):
            return "goes back to another entry than its ruling says"
        if rewound.seen != count_leaks(self.records[base:last], self.seats):
            return "says that other hidden things were seen than were"
        acts = [edit for edit in rest if isinstance(edit, EntryReplayed)]
        if len(acts) != int(rewound.again) or any(isinstance(edit, Rewound) for edit in rest):
            return "goes back in another way than its ruling says"
        if acts and base != base_entry_of(entries_in_force(self.records, acts[0].entry, last)[0]):
            return "goes back to another entry than the one that it replays began with"
        return ""

    @cached_property
    def _replays(self) -> tuple[Sequence[EntryRecord], Sequence[ReplayStop]]:
        """The entries that replay what no ruling says, and where replays ended."""
        faults, stops = list[EntryRecord](), list[ReplayStop]()
        pending, anew, command = deque[EntryRecord](), tuple[str, ...](), ""
        for record in self.records:
            if pending and record.command == command and _is_replay(record, pending[0], anew):
                pending.popleft()
                anew = ()
                continue
            if pending:
                stops.append(ReplayStop(record.number - 1, pending[0]))
                pending.clear()
            if record.replay_of is not None or record.rerolled:
                faults.append(record)
            if (act := _replay_of(record)) is not None and not self._find_problem(record):
                line = entries_in_force(self.records, act.entry, record.number - 1)
                pending.extend(one for one in line if not is_pure_rewind(one))
                anew, command = act.rerolled, record.command
        if pending:
            stops.append(ReplayStop(len(self.records), pending[0]))
        return faults, stops


def _replay_of(record: EntryRecord) -> EntryReplayed | None:
    ruling = record.events[0] if record.events else None
    edits = ruling.edits if isinstance(ruling, Corrected) else ()
    return next((edit for edit in edits if isinstance(edit, EntryReplayed)), None)


def _is_replay(record: EntryRecord, of: EntryRecord, anew: tuple[str, ...]) -> bool:
    """Return True if an entry is another one with the same answers and the same round, or the same ruling."""
    if of.counted:
        mine = record.replay_of, record.gate, record.counted, record.drawn, record.rerolled
        return mine == (of.number, of.gate, of.counted, of.drawn, anew)
    ruling = ruling_to_replay(of)
    return record.gate == CORRECTION and ruling is not None and record.events[:1] == (ruling,)


def base_entry_of(record: EntryRecord) -> int:
    """The entry from whose position one goes on."""
    return record.number - 1 if record.base is None else record.base


def entries_in_force(records: Sequence[EntryRecord], first: int, last: int) -> Sequence[EntryRecord]:
    """The entries that counted from one up to another, in order.  Raises NotAnArchive."""
    number, line = last, list[EntryRecord]()
    while 0 < first <= number and (not line or number < line[-1].number):
        line.append(records[number - 1])
        if number == first:
            return line[::-1]
        number = base_entry_of(line[-1])
    raise NotAnArchive(f"entry {first} was given up before entry {last}")


# --- what a rewind tells


def count_leaks(records: Iterable[EntryRecord], seats: Sequence[Seat]) -> tuple[tuple[int, Seat, int], ...]:
    """Count the hidden values that each seat came to see in entries that no longer count."""
    leaks = []
    for record in records:
        for seat in seats:
            count = len(_visible_values(record.events, seat) - _visible_values(record.events, PUBLIC))
            if count:
                leaks.append((record.number, seat, count))
    return tuple(leaks)


def _visible_values(events: Sequence[Event], viewer: Viewer) -> frozenset[str]:
    """The hidden names that a viewer is told."""
    visible = tuple(event for event in redact(tuple(events), viewer) if event.visible_to is not NOBODY)
    return frozenset(_names(visible))


def _names(thing: Any) -> Iterator[str]:
    if isinstance(thing, Secret):
        if isinstance(thing.held, str):
            yield thing.held
        elif thing.held is not Mask.UNKNOWN:
            yield from _names(thing.held)
    elif isinstance(thing, tuple):
        for part in thing:
            yield from _names(part)
    elif isinstance(thing, Event):
        for part in vars(thing).values():
            yield from _names(part)


def describe_event(event: Event) -> str:
    """An event by its saved name, and all that it says."""
    plain = json.loads(dump(event))
    name = plain.pop("!")
    return f"{name} {to_canonical_json({key: value for key, value in plain.items() if value is not None})}"
