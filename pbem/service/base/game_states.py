"""The states of games and of questions: which tables have their game here, and how far an answer is."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from sqlalchemy import ColumnElement, and_, false, or_

from pbem.common.states import LIVE, AnswerState, GameState
from pbem.service.base.services import Services
from pbem.store.models import Game, QuestionRow

INSTALLED = "installed"
"""The cause of a stretch of time in which a table is held, and of the email that says it goes on."""

SUSPENDED = "held"
"""The email that says that a table is held."""


def missing_rules(services: Services, game: Game) -> str:
    """What a table lacks to be played, as a clause; empty where it lacks nothing, or is over."""
    if game.state not in LIVE:
        return ""
    rules = services.installed.get(game.rules)
    if rules is None:
        return f"{game.rules} is not installed"
    if game.rules_version not in rules.meta.accepted_versions:
        return f"it is played by version {game.rules_version} of {game.rules}, and {rules.meta.version} is installed"
    return ""


def rules_state(services: Services, game: Game) -> GameState:
    """The state of a table as it is shown."""
    return GameState.HELD if missing_rules(services, game) else game.state


def is_installed(services: Services) -> ColumnElement[bool]:
    """Tables that are not held, as a condition of a query."""
    return or_(Game.state.not_in(LIVE), _installed_filter(services))


def not_installed_filter(services: Services) -> ColumnElement[bool]:
    """Tables that are held, or are to be, likewise."""
    return and_(Game.state.in_(LIVE), ~_installed_filter(services))


def _installed_filter(services: Services) -> ColumnElement[bool]:
    here = (
        and_(Game.rules == title, Game.rules_version.in_(rules.meta.accepted_versions))
        for title, rules in services.installed.items()
    )
    return or_(false(), *here)


class AnswerEvent(StrEnum):
    """What may happen to an answer. `void`: it lost its object, or its author; `stand_in`: a plan answers."""

    SKETCH = "sketch"
    SUBMIT = "submit"
    CONFIRM_EMPTY = "confirm_empty"
    ACCEPT_LATE = "take_late"
    WITHDRAW = "withdraw"
    INVALIDATE = "void"
    EXCUSE = "excuse"
    SUBSTITUTE = "stand_in"
    DEFAULT = "default"


class InvalidTransition(Exception):
    """An act that does not fit the state of the answer."""


_WRITTEN: Final = {
    AnswerEvent.SUBMIT: AnswerState.SUBMITTED,
    AnswerEvent.CONFIRM_EMPTY: AnswerState.PASSED,
    AnswerEvent.ACCEPT_LATE: AnswerState.LATE,
}
_UNANSWERED: Final = {AnswerEvent.SUBSTITUTE: AnswerState.STANDING_ORDERS, AnswerEvent.DEFAULT: AnswerState.DEFAULTED}
_ANSWERED: Final = {
    AnswerEvent.WITHDRAW: AnswerState.UNANSWERED,
    AnswerEvent.INVALIDATE: AnswerState.UNANSWERED,
    **_WRITTEN,
}

TRANSITIONS: Final[Mapping[AnswerState, Mapping[AnswerEvent, AnswerState]]] = {
    AnswerState.UNANSWERED: {
        AnswerEvent.SKETCH: AnswerState.INVALID,
        AnswerEvent.EXCUSE: AnswerState.EXCUSED,
        AnswerEvent.INVALIDATE: AnswerState.UNANSWERED,
        **_WRITTEN,
        **_UNANSWERED,
    },
    AnswerState.INVALID: {
        AnswerEvent.SKETCH: AnswerState.INVALID,
        AnswerEvent.EXCUSE: AnswerState.EXCUSED,
        AnswerEvent.INVALIDATE: AnswerState.UNANSWERED,
        **_WRITTEN,
        **_UNANSWERED,
    },
    AnswerState.SUBMITTED: {AnswerEvent.SKETCH: AnswerState.SUBMITTED, **_ANSWERED},
    AnswerState.PASSED: {AnswerEvent.SKETCH: AnswerState.PASSED, **_ANSWERED},
    AnswerState.LATE: {AnswerEvent.SKETCH: AnswerState.LATE, **_ANSWERED},
    AnswerState.EXCUSED: {
        AnswerEvent.SKETCH: AnswerState.EXCUSED,
        AnswerEvent.INVALIDATE: AnswerState.UNANSWERED,
        **_WRITTEN,
        **_UNANSWERED,
    },
    AnswerState.STANDING_ORDERS: {},
    AnswerState.DEFAULTED: {},
}

NEEDS_REVALIDATION: Final = 0
"""When a question that is owed again, or whose deadline has moved, is looked at for a reminder: at once."""

ANSWERED_STATES: Final = frozenset({AnswerState.SUBMITTED, AnswerState.PASSED, AnswerState.LATE})


def next_state(state: AnswerState, act: AnswerEvent) -> AnswerState:
    """The state that an act leads to; raises InvalidTransition."""
    try:
        return TRANSITIONS[state][act]
    except KeyError:
        raise InvalidTransition(f"{state} {act}") from None


def apply_event(row: QuestionRow, act: AnswerEvent, now: int) -> None:
    """Let an act happen to the answer of an open question; raises InvalidTransition, and then changes nothing."""
    state = next_state((row.state or AnswerState.UNANSWERED), act)
    if state not in ANSWERED_STATES:
        if row.answered_at is not None and row.due_at is not None:
            row.remind_at = NEEDS_REVALIDATION
        row.answered_at = None
        if state is not (row.state or AnswerState.UNANSWERED):
            row.pace_request = ""
    elif act is not AnswerEvent.SKETCH:
        row.answered_at = now
    row.state = state


def mark_submitted(row: QuestionRow, now: int, *, passed: bool) -> None:
    """A set was filed for an open question: the confirmed empty one, one in time, or one in the deadline's grace."""
    happened = AnswerEvent.CONFIRM_EMPTY if passed else AnswerEvent.SUBMIT
    if row.due_at is not None and row.due_at <= now:
        happened = AnswerEvent.ACCEPT_LATE
    apply_event(row, happened, now)
