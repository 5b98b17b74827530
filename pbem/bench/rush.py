"""Many questions due at once, before a real server: `pbem up` on tables that were written down, by the wall clock.

Deadlines are moved so that they pass once all processes are at work.  A relay takes what the tables are told.
"""

import asyncio
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from sqlalchemy import func, select, update

from pbem.app import services_of
from pbem.bench.cycle import answering, computed_ms, stack_mb, up
from pbem.bench.sink import Relay, letter_key
from pbem.broker import Waker
from pbem.config import Settings
from pbem.demo.run import free_port
from pbem.service.base.services import Services
from pbem.service.game.standstill import CLOCK, TICK
from pbem.states import READY
from pbem.store.models import Beat, DecisionRow, EntryRow, Game, LetterOut

LEAD_S: Final = 10.0
"""So long after all processes are at work the questions are due."""
FAR_S: Final = 36_000.0
"""So long they wait before that."""
LATE_H: Final = 24
"""What is due within this time is what is to be due at once."""
PATIENCE_S: Final = 900.0
GLANCE_S: Final = 0.25
EVERY_S: Final = 5.0
"""How often the clock is looked at, as its schedule has it."""
LOOKED_AT: Final = {CLOCK: "tick", TICK: "attend"}
"""The signs of life of those who look at the clock, and what each leaves behind when it has looked."""


@dataclass
class Seen:
    """What was seen of a server from outside."""

    letters: list[tuple[float, str]] = field(default_factory=list)
    beats: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in LOOKED_AT})

    def taken(self, recipient: str, raw: bytes) -> None:
        """A letter came to the relay."""
        self.letters.append((time.time(), letter_key(raw)))

    def beat(self, name: str, at: int) -> None:
        """A sign of life stands at a moment."""
        if at not in self.beats[name][-1:]:
            self.beats[name].append(at)


def measure(tables: Path, workers: int) -> dict[str, Any]:
    """How long the start of all processes took, and then until all that was due was closed and told.

    `tables`: where they were written down; it stays as it is.  `workers`: so many play workers.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-rush-") as folder:
        place = Path(folder) / "state"
        shutil.copytree(tables, place)
        settings = Settings.embedded(
            place, http_port=free_port(), smtp_port=free_port(), lmtp_port=free_port(), relay_port=free_port()
        )
        settings = Settings.from_env({**settings.variables, "PBEM_PLAY_WORKERS": str(workers)})
        services = services_of(settings, "web", Waker(settings))
        ids = _set_due(services, FAR_S)
        try:
            return {"play_workers": workers, **asyncio.run(_watched(settings, services, ids))}
        finally:
            services.db.close()


def _set_due(services: Services, seconds: float) -> Sequence[str]:
    """Move all deadlines by the same time, so that the first of them pass after so long; at which tables they do."""
    due = round(1000 * (time.time() + seconds))
    with services.db.writing() as session:
        first = session.scalar(select(func.min(DecisionRow.closes_at))) or 0
        soon = DecisionRow.closes_at < first + LATE_H * 3_600_000
        ids = session.scalars(select(DecisionRow.game_id).where(soon).distinct()).all()
        session.execute(update(DecisionRow).where(soon).values(remind_at=None))
        moved = {
            column: getattr(DecisionRow, column) + due - first
            for column in ("opened_at", "answered_at", "due_at", "closes_at", "remind_at")
        }
        session.execute(update(DecisionRow).values(moved))
    return ids


async def _watched(settings: Settings, services: Services, ids: Sequence[str]) -> dict[str, Any]:
    seen = Seen()
    relay = Relay(seen.taken)
    await relay.start(settings.relay.port if settings.relay is not None else 0)
    began = time.monotonic()
    with up(settings) as server:
        try:
            await _started(settings, services, seen)
            started = time.monotonic() - began
            _set_due(services, LEAD_S)
            due = round(1000 * (time.time() + LEAD_S))
            before = computed_ms(server.pid)
            await _until(services, seen, due / 1000)
            await _told(services, seen)
            after = computed_ms(server.pid)
            memory = stack_mb(server.pid)
        finally:
            await relay.stop()
    spent = {name: round((after[name] - before.get(name, 0.0)) / len(ids), 1) for name in after}
    figures = {"started_s": round(started, 1), "computed_ms_per_table": spent, "processes_mb": memory}
    return {**figures, **_closed(services, ids, due), **_letters(seen, due), "looks": _looks(seen, due)}


async def _started(settings: Settings, services: Services, seen: Seen) -> None:
    """Wait until the entrances answer, the clock has been looked at by both who do, and play has done a thing."""
    for entrance in (settings.smtp, settings.http):
        if entrance is not None:
            await answering(entrance.port, PATIENCE_S)
    with services.db.writing() as session:
        wanted = session.scalars(select(Game.id).order_by(Game.id.desc()).limit(1)).one()
        session.execute(update(Game).where(Game.id == wanted).values(play_wanted=services.now()))
    services.wake("play", wanted)
    limit = time.monotonic() + PATIENCE_S
    while not all(seen.beats.values()) or _waits(services, wanted):
        if time.monotonic() > limit:
            raise TimeoutError("not all processes were at work in time")
        await _glance(services, seen)


def _waits(services: Services, game_id: str) -> bool:
    with services.db.reading() as session:
        return session.scalar(select(Game.play_wanted).where(Game.id == game_id)) is not None


async def _until(services: Services, seen: Seen, moment: float) -> None:
    while time.time() < moment:
        await _glance(services, seen)


async def _told(services: Services, seen: Seen) -> None:
    """Wait until nothing is due any more, nothing is to be played, and no letter waits."""
    limit = time.monotonic() + PATIENCE_S
    while _left(services):
        if time.monotonic() > limit:
            raise TimeoutError("what was due was not closed and told in time")
        await _glance(services, seen)


async def _glance(services: Services, seen: Seen) -> None:
    await asyncio.sleep(GLANCE_S)
    with services.db.reading() as session:
        for row in session.scalars(select(Beat).where(Beat.name.in_(LOOKED_AT))):
            seen.beat(row.name, row.at)


def _left(services: Services) -> bool:
    """Return True if anything is due or to be played, or any letter is not sent."""
    with services.db.reading() as session:
        overdue = select(DecisionRow.id).where(DecisionRow.closes_at <= services.now()).limit(1)
        wanted = select(Game.id).where(Game.play_wanted.is_not(None)).limit(1)
        letters = select(LetterOut.key).where(LetterOut.state.in_(READY)).limit(1)
        return any(session.scalar(query) is not None for query in (overdue, wanted, letters))


# --- what came of it


def _closed(services: Services, ids: Sequence[str], due: int) -> dict[str, Any]:
    """When each table was played, and how many gates were closed twice."""
    with services.db.reading() as session:
        its = EntryRow.made_at >= due
        rows = session.execute(select(EntryRow.game_id, EntryRow.gate, EntryRow.made_at).where(its)).all()
        trouble = session.scalar(select(func.count()).select_from(Game).where(Game.trouble.is_not(None)))
    first: dict[str, int] = {}
    for game, _, at in rows:
        first[game] = min(at, first.get(game, at))
    gates = Counter((game, gate) for game, gate, _ in rows)
    return {
        "tables_due": len(ids),
        "tables_played": len(set(ids) & first.keys()),
        "entries": len(rows),
        "gates_closed_twice": sum(often - 1 for often in gates.values()),
        "tables_in_trouble": trouble,
        "played_s": _spread([(at - due) / 1000 for at in first.values()]),
    }


def _letters(seen: Seen, due: int) -> dict[str, Any]:
    """When each letter was taken by the relay, and how many came twice."""
    late = [(at - due / 1000, key) for at, key in seen.letters if at >= due / 1000]
    return {
        "letters": len(late),
        "letters_twice": len(late) - len({key for _, key in late}),
        "told_s": _spread([at for at, _ in late]),
    }


def _looks(seen: Seen, due: int) -> Mapping[str, Any]:
    """How much later than they should the clock was looked at, while all was due; of each of the two who look."""
    found = {}
    for beat, name in LOOKED_AT.items():
        moments = [at for at in seen.beats[beat] if at >= due - 1000 * EVERY_S]
        found[f"{name}_late_s"] = _spread([(later - at) / 1000 - EVERY_S for at, later in pairwise(moments)])
    return found


def _spread(found: Sequence[float]) -> dict[str, float]:
    if len(found) < 2:
        return {"last": round(max(found, default=0.0), 1)}
    cuts = quantiles(found, n=20, method="inclusive")
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1), "last": round(max(found), 1)}
