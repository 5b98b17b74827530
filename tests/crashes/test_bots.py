"""A mailer that is killed over a bot's answer loses none and gives none twice, and the game goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import func, select, update

from engine import GAMES
from pbem.ops.supervisor import ROLES
from pbem.service.access import users
from pbem.service.base.services import BOT_POINTS
from pbem.service.seats import bots, tables
from pbem.store.models import Bot, SealedOrdersRow
from tests.crashes.server import ADDRESSES, Server, opened

pytestmark = [pytest.mark.night, pytest.mark.timeout(1800)]

HOST = ADDRESSES[0]
MOST_ROUNDS = 8
"""Within so many answers of the host some are awaited of bots."""


@contextmanager
def among_bots(title: str) -> Iterator[Server]:
    """All processes of a server, with a table of one person and two bots, and no deadline to wait for."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        server = opened(Path(folder), title)
        server.start(ROLES)
        try:
            server.until("a key to seal letters to", server.can_seal)
            with server.services.db.transaction() as session:
                host = users.get_or_create_user(server.services, session, HOST, "Anna", "en").id
            server.game = tables.create(server.services, host, title, "Rose", 3, {})
            bots.seat_bots(server.services, server.game, host, "now", 2)
            yield server
        finally:
            server.stop()


def answered(server: Server) -> bool:
    """Return True if no bot owes anything; the wake of a dead worker is made to look old, so that nobody waits."""
    now = server.services.now()
    with server.services.db.transaction() as session:
        session.execute(update(Bot).where(Bot.due_at > now + 1000).values(due_at=now))
    with server.services.db.snapshot() as session:
        return session.scalar(select(func.count()).select_from(Bot).where(Bot.due_at.is_not(None))) == 0


def is_host_awaited(server: Server) -> bool:
    """Return True if the bots have answered and the host owes an answer."""
    return answered(server) and server.last_question(HOST) is not None


def answers(server: Server) -> list[tuple[str, str, str, int]]:
    """Every answer of the bots that the database has seen: where it was given, and how often."""
    with server.services.db.snapshot() as session:
        rows = session.scalars(select(SealedOrdersRow).where(SealedOrdersRow.seat != "s1")).all()
        return sorted((row.gate, row.seat, row.kind, row.revision) for row in rows)


def test_a_kill_over_a_bots_answer_changes_nothing() -> None:
    """Killed before it files its orders, just after, or once all is noted, a bot answers once and the game goes on."""
    with among_bots(next(iter(GAMES))) as server:
        for number, point in enumerate(BOT_POINTS, 1):
            (server.settings.state_dir / "crash-at").write_text(point, encoding="ascii")
            for _ in range(MOST_ROUNDS):
                server.until(f"a question to the host, or a kill at {point}", partial(_goes_on, server, number))
                if server.has_lost(number):
                    break
                server.round()
            server.until(f"a kill at {point}", partial(server.has_lost, number))
            server.until("the bots' answers, and a question to the host", partial(is_host_awaited, server))
            given = answers(server)
            assert given
            assert {revision for *_, revision in given} == {1}, point
        server.round()
        server.until("the next question", partial(is_host_awaited, server))
        assert len(server.deaths) == len(BOT_POINTS)
        assert server.post.differing == []


def _goes_on(server: Server, deaths: int) -> bool:
    return server.has_lost(deaths) or server.last_question(HOST) is not None
