"""Tables with a schedule of their own, for the tests of time."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pbem.service.access import users
from pbem.service.base.calendar import DeadlinePolicy, DeadlineRule
from pbem.store.models import DeadlineExtension, QuestionRow, SeatRow, User
from tests.service.server_fixtures import ServerHarness, start_game_with_policy

HOUR = 3_600_000


def start_timed_game(
    harness: ServerHarness,
    players: int,
    hours: int = 48,
    options: Mapping[str, str] = MappingProxyType({}),
    *,
    rhythm: DeadlineRule | None = None,
    **terms: Any,
) -> str:
    """A running game of the toy whose seats are p1@, p2@ ..., with such a schedule."""
    made = DeadlinePolicy(rhythm or DeadlineRule(hours), **terms)
    return start_game_with_policy(harness, "toy", players, None, options, made)


def load_punctuality(harness: ServerHarness, number: int) -> tuple[int, int, int, int]:
    """A person's turns, those on time, games begun, games finished."""
    return users.reliability(next(user for user in harness.load_rows(User) if user.id == number))


def advance_and_run(harness: ServerHarness, **span: float) -> None:
    """Let time pass, and the clock be looked at."""
    harness.advance_time(**span)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()


def resume_after_downtime(harness: ServerHarness, **span: float) -> None:
    """The server is down for so long, then looks at the clock."""
    harness.simulate_downtime(**span)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()


def load_question(harness: ServerHarness, seat: str, asks: str = "bid") -> QuestionRow:
    """A seat's open question."""
    return next(row for row in harness.load_rows(QuestionRow) if row.seat == seat and row.topic == asks)


def load_seat(harness: ServerHarness, seat: str) -> SeatRow:
    """A seat as it lies in the database."""
    return next(row for row in harness.load_rows(SeatRow) if row.seat == seat)


def load_extensions(harness: ServerHarness) -> list[tuple[str, int]]:
    """The log of time given back: seat and milliseconds lost."""
    return [(row.seat, row.lost_ms) for row in harness.load_rows(DeadlineExtension)]


def list_missed(harness: ServerHarness) -> list[tuple[str, str]]:
    """The seats named in the last report to s1 as having missed, and how each was answered."""
    told = harness.sent_facts("report")[-1].events
    return [
        (e.seat, getattr(e, "how", "default")) for e in told if type(e).__name__ in ("Defaulted", "AnswerSubstituted")
    ]
