"""A mailer that is killed over reminders loses none and sends none twice."""

from functools import partial

import pytest
from sqlalchemy import select

from engine import GAMES
from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.game_states import NEEDS_REVALIDATION
from pbem.service.base.services import REMINDER_POINTS
from pbem.store.models import QuestionRow
from tests.crashes.server import ADDRESSES, Server, running

pytestmark = [pytest.mark.night, pytest.mark.timeout(1800)]


def due_soon(server: Server, mark: int) -> None:
    """Give all questions a deadline that is near, and another one each time, so that it is to be told anew."""
    now = server.services.now()
    with server.services.db.transaction() as session:
        for row in session.scalars(select(QuestionRow).where(QuestionRow.is_blocking)):
            row.opened_at, row.due_at, row.paused_ms = now - 10 * HOUR_MS, now + HOUR_MS + mark, 1
            row.closes_at, row.remind_at = row.due_at, NEEDS_REVALIDATION


def all_reminded(server: Server) -> bool:
    """Return True if no question is still to be looked at."""
    with server.services.db.snapshot() as session:
        return session.scalars(select(QuestionRow.id).where(QuestionRow.remind_at.is_not(None))).first() is None


def reminders(server: Server, address: str) -> list[str]:
    """The reminders that came to somebody, by what makes each the letter it is."""
    found = (str(mail.message()["Message-ID"]) for mail in server.post.boxes[address])
    return [mark for mark in found if ".reminder" in mark]


def test_a_kill_over_reminders_changes_nothing() -> None:
    """Killed before a round is written, within its transaction or just after, post reminds everybody once."""
    with running(next(iter(GAMES))) as server:
        server.until("a question to each", lambda: all(map(server.last_question, ADDRESSES)))
        for number, point in enumerate(REMINDER_POINTS, 1):
            (server.settings.state_dir / "crash-at").write_text(point, encoding="ascii")
            due_soon(server, number)
            server.until(f"a kill at {point}", partial(server.has_lost, number))
            server.until("the rest of the round", partial(all_reminded, server))
            server.settle()
            assert [len(reminders(server, address)) for address in ADDRESSES] == [number] * len(ADDRESSES), point
        assert all(len(set(reminders(server, address))) == len(REMINDER_POINTS) for address in ADDRESSES)
        assert server.post.differing == []
