"""`apply`, the only function that changes a position."""

from dataclasses import is_dataclass, replace
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from engine.kernel import events as facts
from engine.kernel.correction_events import CorrectionEvent
from engine.kernel.events import Event
from engine.kernel.position import Position

Board = TypeVar("Board")
BoardIn = TypeVar("BoardIn", contravariant=True)


class SupportsApply(Protocol[BoardIn]):
    """The part of a game's rules that changes its board."""

    def apply(self, board: BoardIn, event: Event) -> None:
        """Change the board as the event says. Use no rules and no dice; handle every event of the game."""
        ...


@runtime_checkable
class SupportsReadings(Protocol):
    """Rules of a game whose board depends on an option that a ruling may change."""

    def adopt(self, board: Any, option: str, value: str) -> None:
        """Update the board after a ruling changed `option` to `value` during the game."""
        ...


def apply(rules: SupportsApply[Board], position: Position[Board], event: Event) -> None:
    """Change a position as an event says: kernel events here, all others by the game's rules."""
    if not isinstance(event, facts.KernelEvent):
        rules.apply(position.board, event)
        return
    core = position.core
    match event:
        case facts.StepStarted():
            core.agenda = core.agenda[1:]
        case facts.StepsQueued():
            core.agenda = (*event.steps, *core.agenda)
        case facts.QuestionsAsked():
            core.questions = (*core.questions, *event.decisions)
        case facts.GateResolved():
            core.questions = tuple(d for d in core.questions if d.gate != event.gate or d.seat not in event.seats)
        case facts.Withdrawn():
            core.questions = tuple(d for d in core.questions if d.seat != event.seat)
        case facts.Ended():
            core.over, core.ending, core.agenda, core.questions = True, event.reason, (), ()
        case facts.ReadingAdopted():
            core.options = {**core.options, event.option: event.value}
            if isinstance(rules, SupportsReadings):
                rules.adopt(position.board, event.option, event.value)
        case facts.Corrected():
            for edit in event.edits:
                apply(rules, position, edit)
        case CorrectionEvent():
            cast(Any, rules).corrections.change(position.board, event)
        case facts.StatePatched():
            position.board = _apply_patch(position.board, event.path, event.old, event.new)


class PatchRefused(Exception):
    """The current value is not the one that the patch expects, or its path does not exist."""


def _apply_patch(thing: Any, path: tuple[str, ...], old: object, new: object) -> Any:
    if not path:
        if thing != old:
            raise PatchRefused("the value there is another one by now")
        return new
    key = path[0]
    if isinstance(thing, dict):
        return {**thing, key: _apply_patch(thing.get(key), path[1:], old, new)}
    if isinstance(thing, tuple) and key.isdecimal() and int(key) < len(thing):
        place = int(key)
        return (*thing[:place], _apply_patch(thing[place], path[1:], old, new), *thing[place + 1 :])
    if is_dataclass(thing) and not isinstance(thing, type) and hasattr(thing, key):
        return replace(thing, **{key: _apply_patch(getattr(thing, key), path[1:], old, new)})
    raise PatchRefused(f"nothing lies at {key!r}")
