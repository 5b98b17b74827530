"""`apply`, the one place where a position changes."""

from dataclasses import is_dataclass, replace
from functools import singledispatch
from typing import Any, Protocol, TypeVar, runtime_checkable

from engine.kernel import events as facts
from engine.kernel.correction_events import CorrectionEvent
from engine.kernel.events import Event
from engine.kernel.position import Core, Position

Board = TypeVar("Board")
BoardIn = TypeVar("BoardIn", contravariant=True)


class SupportsApply(Protocol[BoardIn]):
    """The part of a game's rules that changes its board."""

    def apply(self, board: BoardIn, event: Event) -> None:
        """Change the board as the event says: no rules, no dice, total."""
        ...


@runtime_checkable
class SupportsReadings(Protocol):
    """Rules of a game whose board holds something that follows from an option."""

    def adopt(self, board: Any, option: str, value: str) -> None:
        """A ruling was adopted in the middle of the game: change the board as `apply` would."""
        ...


def apply(rules: SupportsApply[Board], position: Position[Board], event: Event) -> None:
    """Change `position` as `event` says: the kernel's own events here, all others by the game."""
    if not _apply_core(event, position.core, rules, position):
        rules.apply(position.board, event)


@singledispatch
def _apply_core(event: Event, core: Core, rules: Any, position: Any) -> bool:
    return False


@_apply_core.register
def _(event: facts.StepsQueued, core: Core, rules: Any, position: Any) -> bool:
    core.agenda = (*event.steps, *core.agenda)
    return True


@_apply_core.register
def _(event: facts.StepStarted, core: Core, rules: Any, position: Any) -> bool:
    core.agenda = core.agenda[1:]
    return True


@_apply_core.register
def _(event: facts.QuestionsAsked, core: Core, rules: Any, position: Any) -> bool:
    core.open = (*core.open, *event.decisions)
    return True


@_apply_core.register
def _(event: facts.GateResolved, core: Core, rules: Any, position: Any) -> bool:
    core.open = tuple(d for d in core.open if d.gate != event.gate or d.seat not in event.seats)
    return True


@_apply_core.register
def _(event: facts.Withdrawn, core: Core, rules: Any, position: Any) -> bool:
    core.open = tuple(d for d in core.open if d.seat != event.seat)
    return True


@_apply_core.register(facts.Defaulted)
@_apply_core.register(facts.LineStarted)
@_apply_core.register(facts.LineFailed)
@_apply_core.register(facts.LinesDropped)
@_apply_core.register(facts.QuestionRepeated)
@_apply_core.register(facts.RulingUndone)
@_apply_core.register(facts.Rewound)
@_apply_core.register(facts.EntryReplayed)
def _(event: Event, core: Core, rules: Any, position: Any) -> bool:
    return True


@_apply_core.register
def _(event: facts.Ended, core: Core, rules: Any, position: Any) -> bool:
    core.over, core.ending, core.agenda, core.open = True, event.reason, (), ()
    return True


@_apply_core.register
def _(event: facts.ReadingAdopted, core: Core, rules: Any, position: Any) -> bool:
    core.options = {**core.options, event.option: event.value}
    if isinstance(rules, SupportsReadings):
        rules.adopt(position.board, event.option, event.value)
    return True


@_apply_core.register
def _(event: facts.Corrected, core: Core, rules: Any, position: Any) -> bool:
    for edit in event.edits:
        apply(rules, position, edit)
    return True


@_apply_core.register
def _(event: CorrectionEvent, core: Core, rules: Any, position: Any) -> bool:
    rules.corrections.change(position.board, event)
    return True


@_apply_core.register
def _(event: facts.StatePatched, core: Core, rules: Any, position: Any) -> bool:
    position.board = _apply_patch(position.board, event.path, event.old, event.new)
    return True


class PatchRefused(Exception):
    """The value to be patched is not what the patch expects."""


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
