"""A mailer that is killed while it changes the key of the day loses no letter and leaves no key behind."""

import time
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import func, select, update

from engine import GAMES
from pbem.app import DAY_KEYS, build_services
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import DAILY_KEY_POINTS
from pbem.service.mail.daily_keys import GRACE_MS
from pbem.service.seats import sign_in
from pbem.store.models import DailyKey, OutboundEmail
from tests.crashes.server import AN_AGE_MS, Server, running

pytestmark = [pytest.mark.night, pytest.mark.timeout(1800)]


def older(server: Server, by: int) -> None:
    """Let the key of today look older."""
    post = build_services(server.settings, "mailer")
    with post.db.transaction() as session:
        session.scalars(select(DailyKey).order_by(DailyKey.id.desc()).limit(1)).one().created_at -= by
    post.db.close()


def old_enough(server: Server) -> None:
    """Wait while no key of today can look so old that the one before is forgotten: just after midnight, UTC."""
    while server.services.now() % DAY_MS < GRACE_MS:
        server.check_processes()
        time.sleep(1)


def held(server: Server, address: str) -> None:
    """Lay a letter out that waits."""
    sign_in.request_sign_in(replace(server.services, enqueue=lambda task, subject: None), address)
    with server.services.db.transaction() as session:
        late = OutboundEmail.kind == "signin", OutboundEmail.sent_at.is_(None)
        session.execute(update(OutboundEmail).where(*late).values(due_at=OutboundEmail.due_at + AN_AGE_MS))


def known(server: Server) -> int:
    """How many keys have a row."""
    with server.services.db.snapshot() as session:
        return session.scalar(select(func.count()).select_from(DailyKey)) or 0


def files(server: Server) -> int:
    """How many private halves there are."""
    return len(list((server.settings.state_dir / DAY_KEYS).glob("*.keys")))


def test_a_kill_while_the_key_changes_changes_nothing() -> None:
    """Killed at each step in turn, post ends with one key; letters that waited arrive once, and the game goes on."""
    with running(next(iter(GAMES))) as server:
        order = server.settings.state_dir / "crash-at"
        addresses = [f"guest{number}@players.localhost" for number in range(len(DAILY_KEY_POINTS))]
        for point, address in zip(DAILY_KEY_POINTS, addresses, strict=True):
            old_enough(server)
            held(server, address)
            order.write_text(point, encoding="ascii")
            older(server, GRACE_MS if point == "daily_keys.deleted" else DAY_MS)
            server.until(f"a kill at {point}", partial(server.has_lost, len(server.deaths) + 1))
        server.until("a key", server.can_seal)
        server.settle()
        server.round()
        old_enough(server)
        older(server, GRACE_MS)
        server.until("the end of the keys before", lambda: known(server) == files(server) == 1)
        assert [len(server.post.boxes[address]) for address in addresses] == [1] * len(addresses)
        assert server.post.differing == []
