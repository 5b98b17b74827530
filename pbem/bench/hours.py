"""Hours of a whole server at a calm pace, its processes killed at first: does anything grow, stand still or go lost?

The server is `pbem up` on an empty state folder, as for the bench of cycles; a letter that its door did not accept is
handed again, as any relay would.  In the first half of the time a process is killed every minute.  In the second half
all of them live, so that what grows is seen.
"""

import asyncio
import hashlib
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from sqlalchemy import func, select

from pbem.app import services_of
from pbem.bench.cycle import Bench, answering, computed_ms, descendants, empty_server, name_of, stack_mb, up
from pbem.bench.series import draw, growth
from pbem.bench.sink import Writer, answered_key, letter_key
from pbem.broker import Waker
from pbem.config import Settings
from pbem.service.base.services import Services
from pbem.service.run.figures import size
from pbem.store.models import DecisionRow, Game, LetterInContent, LetterOutContent
from pbem.supervisor import ROLES, role_of

MINUTE_S: Final = 60.0
AGAIN_S: Final = 0.3
"""How long a sender waits before it hands a letter again."""
PATIENCE_S: Final = 300.0
"""How long a start may take on a machine that does other things beside, and a table may stay silent."""
CALM_S: Final = 120.0
"""So long the last letters may take, once nobody writes any more."""
SHORT_GAME: Final = 20
"""A table lasts at least about so many cycles."""
FIGURES: Final = ("memory_mb", "open_files", "database_mb", "letters_waiting", "cpu_ms_per_cycle", "receipt_p95_ms")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What is done: so many `minutes` of `rate` cycles a second at `games` tables at a time; `seed`: who is killed."""

    title: str
    seats: int
    games: int
    minutes: int
    rate: float
    seed: int


class Watched(Bench):
    """Players who know which of their letters were answered, and what each letter was that came to them.

    They wait longer than a letter stays claimed by a worker that died with it in hand.
    """

    patience_s = PATIENCE_S

    def __init__(self, settings: Settings, plan: Plan) -> None:
        """Enough tables are dealt for the whole time."""
        tables = ceil(plan.minutes * MINUTE_S * plan.rate / SHORT_GAME / plan.games)
        super().__init__(settings, plan.title, plan.seats, plan.games, spare=tables)
        self.counts = Counter[str]()
        self.unanswered: set[str] = set()
        self.shapes: dict[str, bytes] = {}

    def _arrived(self, recipient: str, raw: bytes) -> None:
        """A letter that comes again must be the same to the byte, and is read once."""
        self.unanswered.discard(answered_key(raw))
        key, shape = letter_key(raw), hashlib.sha256(raw).digest()
        if key in self.shapes:
            self.counts["letters sent again"] += 1
            self.counts["letters in two shapes"] += self.shapes[key] != shape
        else:
            self.shapes[key] = shape
            self.counts["letters out"] += 1
            super()._arrived(recipient, raw)

    async def _hand(self, writer: Writer, sender: str, recipient: str, raw: bytes) -> None:
        self.counts["letters in"] += 1
        self.unanswered.add(letter_key(raw))
        while True:
            try:
                return await super()._hand(writer, sender, recipient, raw)
            except (OSError, asyncio.IncompleteReadError):
                self.counts["letters handed again"] += 1
                writer.close()
                await asyncio.sleep(AGAIN_S)

    async def calm(self) -> None:
        """Wait until every letter has its answer, or for long enough."""
        limit = time.monotonic() + CALM_S
        while self.unanswered and time.monotonic() < limit:
            await asyncio.sleep(AGAIN_S)


def measure(plan: Plan, say: Say, database: str = "", plots: Path | None = None) -> dict[str, Any]:
    """Play; figures minute by minute, and what was not in order at the end.

    `database`: the address of an empty one; empty: one of its own, SQLite.  `plots`: a folder for charts.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-hours-") as folder:
        found = asyncio.run(_lived(plan, empty_server(Path(folder), database), say))
    if plots is not None:
        draw(found["minutes"], "minute", FIGURES, plots)
    return {**found, "on": "PostgreSQL" if database else "SQLite"}


async def _lived(plan: Plan, settings: Settings, say: Say) -> dict[str, Any]:
    bench = Watched(settings, plan)
    await bench.relay.start(bench.relay_port)
    try:
        with up(settings) as server:
            await answering(bench.door_port, PATIENCE_S)
            services = services_of(settings, "web", Waker(settings))
            await asyncio.to_thread(bench.players.deal, services)
            await bench.dealt()
            bench.unanswered.clear()  # who joins is seated rather than answered
            bench.cycles.clear()
            playing = asyncio.ensure_future(bench.play(plan.rate, time.monotonic() + plan.minutes * MINUTE_S))
            minutes = await _minutes(bench, services, server.pid, plan, say)
            await playing
            await bench.calm()
            return _found(bench, minutes, _awaited(services, bench.stood))
    finally:
        for writer in bench.writers:
            writer.close()
        await bench.relay.stop()


async def _minutes(bench: Watched, services: Services, pid: int, plan: Plan, say: Say) -> list[Mapping[str, int]]:
    """The figures of each minute; after each of the first half, somebody is killed."""
    chance, found = random.Random(plan.seed), list[Mapping[str, int]]()  # noqa: S311 - nothing here is secret
    for minute in range(1, plan.minutes + 1):
        before, cycles = computed_ms(pid), len(bench.cycles)
        await asyncio.sleep(MINUTE_S)
        cycles = len(bench.cycles) - cycles
        found.append({"minute": minute, "cycles": cycles, **_figures(bench, services, pid, before, cycles)})
        say(", ".join(f"{name} {number}" for name, number in found[-1].items()))
        if minute <= plan.minutes // 2:
            bench.counts[f"deaths of {_killed(pid, chance)}"] += 1
    return found


def _figures(
    bench: Watched, services: Services, pid: int, before: Mapping[str, float], cycles: int
) -> Mapping[str, int]:
    after = computed_ms(pid)
    spent = sum(max(0.0, after[role] - before.get(role, 0.0)) for role in after)
    waits = [wait for _, wait in bench.receipts] or [0.0, 0.0]
    bench.receipts.clear()
    with services.db.reading() as session:
        waiting = [
            session.scalar(select(func.count()).select_from(of)) or 0 for of in (LetterInContent, LetterOutContent)
        ]
        stored = size(session, sqlite=services.db.engine.dialect.name == "sqlite")
    return {
        "memory_mb": round(sum(stack_mb(pid).values())),
        "open_files": sum(len(os.listdir(f"/proc/{process}/fd")) for process in descendants(pid)),
        "database_mb": round(stored / 1_000_000),
        "letters_waiting": sum(waiting),
        "cpu_ms_per_cycle": round(spent / max(1, cycles)),
        "receipt_p95_ms": round(1000 * quantiles([*waits, waits[-1]], n=20, method="inclusive")[18]),
    }


def _killed(pid: int, chance: random.Random) -> str:
    """Kill one of the server's processes, no matter what it is doing; its role."""
    there = {process: name_of(process) for process in descendants(pid)}
    victims = sorted(process for process, name in there.items() if role_of(name) in ROLES)
    victim = chance.choice(victims)
    os.kill(victim, signal.SIGKILL)
    return there[victim]


def _awaited(services: Services, tables: Collection[str]) -> Mapping[str, list[str]]:
    """The questions that tables wait for, by their names."""
    asked = select(Game.title, DecisionRow.gate, DecisionRow.seat).join(Game, Game.id == DecisionRow.game_id)
    owed = DecisionRow.blocking, DecisionRow.answered_at.is_(None), Game.title.in_(tables)
    found: dict[str, list[str]] = {name: [] for name in tables}
    with services.db.reading() as session:
        for title, gate, seat in session.execute(asked.where(*owed)):
            found[title].append(f"{gate} of {seat}")
    return found


def _found(bench: Watched, minutes: list[Mapping[str, int]], stood: Mapping[str, list[str]]) -> dict[str, Any]:
    return {
        "minutes": minutes,
        "cycles": len(bench.cycles),
        "counts": dict(bench.counts),
        "growth": {name: growth([minute[name] for minute in minutes]) for name in FIGURES},
        "stood_still": stood,
        "lost": sorted(bench.unanswered),
        "trouble": bench.trouble,
    }
