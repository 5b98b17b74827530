"""Whole exchanges of letters with a real server, in a closed loop: throughput, time to a receipt, CPU and memory.

A round of a game: the orders of each seat that is asked arrive by SMTP, the gate is resolved, receipts and reports
reach the relay.  Letters are counted that come in: in phases that ask few seats each brings more letters out.  The
server is `pbem up` on an empty folder; the players run here and use the same processors.  First the loop runs as fast
as it can, then at half that rate, for which the time from the server's "250" to the receipt is measured.
`endings` says how many games ended while CPU was measured: `--cpu` tells what an end costs.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from pbem.app import build_services
from pbem.bench.loop import Loop
from pbem.bench.players import Players
from pbem.bench.server import cpu_ms, memory_mb, prepare, running
from pbem.broker.task_queue import TaskQueue
from pbem.config.settings import Settings

STEADY_S: Final = 25.0
WARM_UP_S: Final = 5.0
SPARE: Final = 3
"""Games that are created for each that is played at a time: one ends after some forty gates, and the next follows."""


def measure(title: str, seats: int, games: int, mailers: int, resolvers: int, database: str) -> dict[str, Any]:
    """Measure with so many workers; `database`: the address of an empty PostgreSQL database, or empty for SQLite."""
    variables = {"PBEM_MAILER_WORKERS": str(mailers), "PBEM_RESOLVER_WORKERS": str(resolvers)}
    if database:
        variables["PBEM_DATABASE_URL"] = database
    with tempfile.TemporaryDirectory(prefix="pbem-cycle-") as folder:
        settings = prepare(Path(folder), **variables)
        loop = Loop(settings, Players(title, seats, games * (1 + SPARE)), games)
        found = asyncio.run(_measure(loop, settings))
    on = "PostgreSQL" if database else "SQLite"
    return {
        "title": title,
        "seats": seats,
        "games": games,
        "mailers": mailers,
        "resolvers": resolvers,
        "database": on,
        **found,
    }


async def _measure(loop: Loop, settings: Settings) -> dict[str, Any]:
    await loop.relay.start(loop.relay_port)
    try:
        with running(settings) as pid:
            await asyncio.to_thread(loop.players.create_games, build_services(settings, "web", TaskQueue(settings)))
            await loop.begin()
            return await _figures(loop, pid)
    finally:
        for sender in loop.senders:
            sender.close()
        await loop.relay.stop()


async def _figures(loop: Loop, pid: int) -> dict[str, Any]:
    await loop.play(None, time.monotonic() + WARM_UP_S)
    before, own, over = cpu_ms(pid), time.process_time(), loop.endings
    rounds, rate, letters = await _rate(loop, None)
    spent = {name: ms - before[name] for name, ms in cpu_ms(pid).items()}
    spent["all"] = sum(spent.values())
    own = 1000 * (time.process_time() - own)
    memory, endings = memory_mb(pid), loop.endings - over
    loop.receipts_s.clear()
    half, _, _ = await _rate(loop, rounds / 2)
    cuts = quantiles(loop.receipts_s, n=20, method="inclusive")
    return {
        "rounds_per_second": round(rounds, 2),
        "letters_per_second": round(rate, 1),
        "cpu_ms_per_letter": {name: round(ms / letters, 2) for name, ms in spent.items()},
        "endings": endings,
        "players_share": round(own / (own + spent["all"]), 3),
        "memory_mb": {"all": round(sum(memory.values()), 1), **memory},
        "half_rate": round(half, 2),
        "receipt_p50_ms": round(cuts[9] * 1000, 1),
        "receipt_p95_ms": round(cuts[18] * 1000, 1),
        "stuck": loop.stuck,
    }


async def _rate(loop: Loop, rate: float | None) -> tuple[float, float, int]:
    """Play for a while; returns rounds and letters that came in a second, and how many letters they were."""
    began, loop.rounds, loop.answers = time.monotonic(), 0, 0
    await loop.play(rate, began + STEADY_S)
    spent = time.monotonic() - began
    return loop.rounds / spent, loop.answers / spent, max(1, loop.answers)
