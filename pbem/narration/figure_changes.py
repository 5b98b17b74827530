"""What changed for the reader: their figures before and after, each with its causes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel import events as kernel_events
from engine.kernel.apply import apply
from engine.kernel.events import Event
from engine.kernel.position import Position
from engine.kernel.secrets import deep_copy, seen_by
from pbem.narration.seat_narrator import Lines, SeatNarrator
from pbem.narration.text_cleanup import join_lines

_NOT_FIGURES: Final = (
    kernel_events.AnswerSubstituted,
    kernel_events.ReactionUsed,
    kernel_events.ReactionSkipped,
    kernel_events.ReactionExpired,
    kernel_events.AdvanceOrdersUsed,
    kernel_events.AdvanceOrdersRefused,
)
"""What the server tells of things filed ahead: no part of any position."""


@dataclass(frozen=True)
class Change:
    """One of the reader's own figures, before and after, with what made the difference (`+33 revenu`)."""

    label: str
    before: str
    after: str
    causes: Lines


def list_changes(telling: SeatNarrator, before: Position[Any] | None, events: Sequence[Event]) -> tuple[Change, ...]:
    """The reader's figures that moved, each with its causes, found by letting the events happen again on their view."""
    seat = telling.frame.reader.seat
    if before is None or not seat:
        return ()
    with seen_by(seat):
        figures = telling.narrator.teller.telling.figures
        first, last = figures(before, seat), figures(telling.position, seat)
        causes = _causes(telling, deep_copy(before), events)
    return tuple(
        Change(
            telling.lines("figure_label", name)[0],
            _figure_of(telling, name, first[name]),
            _figure_of(telling, name, last[name]),
            tuple(_cause_of(telling, name, by, amount) for by, amount in _group_causes(causes.get(name, ()))),
        )
        for name in last
        if last[name] != first[name] or name in causes
    )


def _causes(telling: SeatNarrator, now: Position[Any], events: Sequence[Event]) -> Mapping[str, list[tuple[str, int]]]:
    """What each event did to each figure; `now` is changed on the way.  Across a rewind nothing can be added up."""
    if any(isinstance(edit, kernel_events.Rewound) for event in events for edit in getattr(event, "edits", ())):
        return {}
    told, seat = telling.narrator.teller, telling.frame.reader.seat
    found: dict[str, list[tuple[str, int]]] = {}
    then = told.telling.figures(now, seat)
    for event in events:
        if type(event) in _NOT_FIGURES:
            continue
        apply(told.rules, now, event)
        was, then = then, told.telling.figures(now, seat)
        for name, value in then.items():
            if value != was[name]:
                found.setdefault(name, []).append((_format_change(telling, event), value - was[name]))
    return found


def _format_change(telling: SeatNarrator, event: Event) -> str:
    said = telling.narrator.render_macro("brief", event, telling.context)
    return " ".join(said.split())


def _figure_of(telling: SeatNarrator, name: str, value: int) -> str:
    said = telling.narrator.render_macro("figure_value", {"name": name, "value": value}, telling.context)
    return " ".join(said.split())


def _group_causes(causes: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """One entry a cause, in the order of first appearance."""
    sums: dict[str, int] = {}
    for by, amount in causes:
        sums[by] = sums.get(by, 0) + amount
    return ((by, amount) for by, amount in sums.items() if amount)


def _cause_of(telling: SeatNarrator, name: str, by: str, amount: int) -> str:
    """`+33 income`, or as the game has it: part of a list, so without a capital of its own."""
    said = telling.narrator.render_macro("figure_cause", {"name": name, "by": by, "amount": amount}, telling.context)
    return join_lines(said)
