"""The acts that lead from one state of an answer to another: the one place where they are written down."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pbem.states import AnswerState
from pbem.store.models import DecisionRow


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


_WRITTEN: Final = {
    Act.SUBMIT: AnswerState.SUBMITTED,
    Act.CONFIRM_EMPTY: AnswerState.EMPTY,
    Act.TAKE_LATE: AnswerState.LATE,
}
_LACKING: Final = {Act.STAND_IN: AnswerState.STANDING, Act.DEFAULT: AnswerState.DEFAULTED}
_TAKEN: Final = {Act.WITHDRAW: AnswerState.NONE, Act.VOID: AnswerState.NONE, **_WRITTEN}

MOVES: Final[Mapping[AnswerState, Mapping[Act, AnswerState]]] = {
    AnswerState.NONE: {
        Act.SKETCH: AnswerState.DRAFT,
        Act.EXCUSE: AnswerState.EXCUSED,
        Act.VOID: AnswerState.NONE,
        **_WRITTEN,
        **_LACKING,
    },
    AnswerState.DRAFT: {
        Act.SKETCH: AnswerState.DRAFT,
        Act.EXCUSE: AnswerState.EXCUSED,
        Act.VOID: AnswerState.NONE,
        **_WRITTEN,
        **_LACKING,
    },
    AnswerState.SUBMITTED: {Act.SKETCH: AnswerState.SUBMITTED, **_TAKEN},
    AnswerState.EMPTY: {Act.SKETCH: AnswerState.EMPTY, **_TAKEN},
    AnswerState.LATE: {Act.SKETCH: AnswerState.LATE, **_TAKEN},
    AnswerState.EXCUSED: {Act.SKETCH: AnswerState.EXCUSED, Act.VOID: AnswerState.NONE, **_WRITTEN, **_LACKING},
    AnswerState.STANDING: {},
    AnswerState.DEFAULTED: {},
}

LOOK_ANEW: Final = 0
"""When a question that is owed again, or whose deadline has moved, is looked at for a reminder: at once."""

ANSWERED: Final = frozenset({AnswerState.SUBMITTED, AnswerState.EMPTY, AnswerState.LATE})
CLOSED: Final = frozenset({AnswerState.STANDING, AnswerState.DEFAULTED})


def after(state: AnswerState, act: Act) -> AnswerState:
    """The state that an act leads to; raises Impossible."""
    try:
        return MOVES[state][act]
    except KeyError:
        raise Impossible(f"{state} {act}") from None


def move(row: DecisionRow, act: Act, now: int) -> None:
    """Let an act happen to the answer of an open question; raises Impossible, and then changes nothing."""
    state = after((row.state or AnswerState.NONE), act)
    if state not in ANSWERED:
        if row.answered_at is not None and row.due_at is not None:
            row.remind_at = LOOK_ANEW
        row.answered_at, row.stance = None, row.stance if state is (row.state or AnswerState.NONE) else ""
    elif act is not Act.SKETCH:
        row.answered_at = now
    row.state = state


def submitted(row: DecisionRow, now: int, *, passed: bool) -> None:
    """A set was filed for an open question: the confirmed empty one, one in time, or one in the deadline's grace."""
    late = row.due_at is not None and row.due_at <= now
    move(row, Act.TAKE_LATE if late else Act.CONFIRM_EMPTY if passed else Act.SUBMIT, now)
