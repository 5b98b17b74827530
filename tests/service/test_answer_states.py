"""The states of an answer: one small machine, in which an empty confirmed order is never a missed one."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.common.states import AnswerState
from pbem.service.base.game_states import ANSWERED_STATES, AnswerEvent, InvalidTransition, apply_event, mark_submitted
from pbem.store.models import QuestionRow

ACTS = st.lists(st.sampled_from(list(AnswerEvent)), max_size=12)


def question(state: AnswerState = AnswerState.UNANSWERED) -> QuestionRow:
    """An open question of a given state."""
    return QuestionRow(
        state=state.value, answered_at=5 if state in ANSWERED_STATES else None, pace_request="", due_at=100
    )


def play(row: QuestionRow, acts: Sequence[AnswerEvent]) -> list[AnswerEvent]:
    """Let acts happen, those that cannot being refused; returns those that could."""
    done = []
    for n, act in enumerate(acts):
        before = (row.state, row.answered_at)
        try:
            apply_event(row, act, 10 + n)
        except InvalidTransition:
            assert (row.state, row.answered_at) == before
        else:
            done.append(act)
    return done


@given(ACTS)
def test_an_answer_is_in_if_and_only_if_its_state_says_so(acts: list[AnswerEvent]) -> None:
    """Whatever happens, the moment of the answer stands there exactly while a set counts."""
    row = question()
    play(row, acts)
    assert (row.answered_at is not None) == (row.state in ANSWERED_STATES)


@given(ACTS)
def test_an_empty_confirmed_answer_is_never_taken_for_a_missed_one(acts: list[AnswerEvent]) -> None:
    """A player who passed has answered: neither a plan, nor the default, nor an excuse can take its place."""
    row = question()
    play(row, [*acts, AnswerEvent.CONFIRM_EMPTY])
    if row.state == AnswerState.PASSED:
        for act in (AnswerEvent.DEFAULT, AnswerEvent.SUBSTITUTE, AnswerEvent.EXCUSE):
            with pytest.raises(InvalidTransition):
                apply_event(row, act, 99)
        assert row.state == AnswerState.PASSED


@given(ACTS)
def test_a_closed_question_stays_closed(acts: list[AnswerEvent]) -> None:
    """After the default or a standing plan nothing happens to an answer any more."""
    row = question()
    done = play(row, acts)
    closing = [n for n, act in enumerate(done) if act in (AnswerEvent.DEFAULT, AnswerEvent.SUBSTITUTE)]
    assert not closing or closing == [len(done) - 1]


@pytest.mark.parametrize(
    ("now", "passed", "state"),
    [
        (99, False, AnswerState.SUBMITTED),
        (99, True, AnswerState.PASSED),
        (100, False, AnswerState.LATE),
        (100, True, AnswerState.LATE),
    ],
)
def test_what_comes_in_the_grace_is_late(now: int, passed: bool, state: AnswerState) -> None:
    """A set counts as late after the deadline, and as submitted or empty before it."""
    row = question()
    mark_submitted(row, now, passed=passed)
    assert row.state == state
