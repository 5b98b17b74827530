"""The states of an answer, and the acts that lead from one to another: the one place where either is written down.

`none`: nothing was written. `draft`: something was written and nothing of it counts. `submitted`: a set counts.
`empty`: the confirmed empty set counts, which is an answer like any other. `late`: a set counts that came after the
deadline, in its grace. `excused`: the deadline passed, and the question waits once more. `standing`: the question is
closed by what stood on file for such a case. `defaulted`: it is closed by the stated default, or by a bot.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pbem.store.models import DecisionRow


class State(StrEnum):
    """Where an answer stands."""

    NONE = "none"
    DRAFT = "draft"
    SUBMITTED = "submitted"
    EMPTY = "empty"
    LATE = "late"
    EXCUSED = "excused"
    STANDING = "standing"
    DEFAULTED = "defaulted"


class Act(StrEnum):
    """What may happen to an answer. `void`: it lost its object, or its author; `stand_in`: a plan answers."""

    SKETCH = "sketch"
    SUBMIT = "submit"
    CONFIRM_EMPTY = "confirm_empty"
    TAKE_LATE = "take_late"
    WITHDRAW = "withdraw"
    VOID = "void"
    EXCUSE = "excuse"
    STAND_IN = "stand_in"
    DEFAULT = "default"


class Impossible(Exception):
    """An act that does not fit the state of the answer."""


_WRITTEN: Final = {Act.SUBMIT: State.SUBMITTED, Act.CONFIRM_EMPTY: State.EMPTY, Act.TAKE_LATE: State.LATE}
_LACKING: Final = {Act.STAND_IN: State.STANDING, Act.DEFAULT: State.DEFAULTED}
_TAKEN: Final = {Act.WITHDRAW: State.NONE, Act.VOID: State.NONE, **_WRITTEN}

MOVES: Final[Mapping[State, Mapping[Act, State]]] = {
    State.NONE: {Act.SKETCH: State.DRAFT, Act.EXCUSE: State.EXCUSED, Act.VOID: State.NONE, **_WRITTEN, **_LACKING},
    State.DRAFT: {Act.SKETCH: State.DRAFT, Act.EXCUSE: State.EXCUSED, Act.VOID: State.NONE, **_WRITTEN, **_LACKING},
    State.SUBMITTED: {Act.SKETCH: State.SUBMITTED, **_TAKEN},
    State.EMPTY: {Act.SKETCH: State.EMPTY, **_TAKEN},
    State.LATE: {Act.SKETCH: State.LATE, **_TAKEN},
    State.EXCUSED: {Act.SKETCH: State.EXCUSED, Act.VOID: State.NONE, **_WRITTEN, **_LACKING},
    State.STANDING: {},
    State.DEFAULTED: {},
}

ANSWERED: Final = frozenset({State.SUBMITTED, State.EMPTY, State.LATE})
CLOSED: Final = frozenset({State.STANDING, State.DEFAULTED})


def after(state: State, act: Act) -> State:
    """The state that an act leads to; raises Impossible."""
    try:
        return MOVES[state][act]
    except KeyError:
        raise Impossible(f"{state} {act}") from None


def move(row: DecisionRow, act: Act, now: int) -> None:
    """Let an act happen to the answer of an open question; raises Impossible, and then changes nothing."""
    state = after(State(row.state or State.NONE), act)
    if state not in ANSWERED:
        row.answered_at, row.stance = None, row.stance if state is State(row.state or State.NONE) else ""
    elif act is not Act.SKETCH:
        row.answered_at = now
    row.state = state.value


def submitted(row: DecisionRow, now: int, *, passed: bool) -> None:
    """A set was filed for an open question: the confirmed empty one, one in time, or one in the deadline's grace."""
    late = row.due_at is not None and row.due_at <= now
    move(row, Act.TAKE_LATE if late else Act.CONFIRM_EMPTY if passed else Act.SUBMIT, now)
