"""Time to a page, its CPU cost and its weight: many games, early and late, on a real server.

Bots play the games, which are stored as a resolver stores them.  Requests come one after the other at a steady rate
and are timed from the moment they were due: a slow answer delays those behind it.
"""

import re
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import engine
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat
from pbem.bench.browser import GamePage, Request, load_page, sign_in
from pbem.bench.in_process import InProcessServer
from pbem.bench.server import cpu_ms, prepare, running
from pbem.bench.tables import SEEDS, PlayedGame, finish_work, game_id, measure_storage, play_bot_game, store_game
from pbem.config.settings import Settings

REQUESTS: Final = 100
"""Timed requests of each kind."""
RATES: Final = {"page": 1.0, "map": 1.0, "check": 0.25, "pulse": 1.0}
"""Each kind of request, and its share of the rate."""
PATIENCE_S: Final = 60.0
_STATIC: Final = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_MODULES: Final = re.compile(r'(?:from|import) ?"\./([^"]+)"')

Say = Callable[[str], None]


def measure(title: str, seats: int, games: int, rate: float, say: Say = lambda text: None) -> dict[str, Any]:
    """Measure pages of the second turn and of the end, at `rate` requests a second; also kB sent and kB stored."""
    rules, chairs = engine.rules(title), tuple(Seat(f"s{n + 1}") for n in range(seats))
    whole = [play_bot_game(rules, chairs, seed + 1) for seed in range(min(SEEDS, games))]
    with tempfile.TemporaryDirectory(prefix="pbem-pages-") as folder:
        settings = prepare(Path(folder), PBEM_REQUESTS_PER_MINUTE="100000")
        server = InProcessServer(settings, datetime.now(UTC))
        stored = measure_storage(server.services["resolver"], whole)
        numbers = range(len(whole), len(whole) + games)
        parts = cycle(part for game in whole for part in _early_and_late(rules, game))
        users = [store_game(server.services["resolver"], next(parts), number)[0] for number in numbers]
        finish_work(server.services["resolver"])
        cookies = sign_in(server.services["web"], users)
        server.close()
        say(f"{games} games are stored")
        with running(settings) as pid, closing(_connect(settings)) as line:
            pages = [load_page(line, game_id(number), cookie) for number, cookie in zip(numbers, cookies, strict=True)]
            found = {
                when: {
                    kind: _time(line, pid, rate * share, [getattr(page, kind) for page in pages[late::2]])
                    for kind, share in RATES.items()
                }
                for late, when in enumerate(("early", "late"))
            }
            sent = _weigh(line, pages[-SEEDS:])
    about = {"title": title, "seats": seats, "games": games, "rate": rate}
    return {**about, **found, "sent_kb": sent, "stored_kb_an_entry": stored}


def _connect(settings: Settings) -> HTTPConnection:
    return HTTPConnection(
        "127.0.0.1", settings.http_listen.port if settings.http_listen is not None else 0, timeout=PATIENCE_S
    )


def _early_and_late(rules: Rules[Any], game: PlayedGame) -> tuple[PlayedGame, PlayedGame]:
    """A game up to its second turn and up to its end, where the first seat is asked something."""
    asked = [number for number in range(len(game.entries)) if game.waits_for(number, game.seats[0])]
    turns = [rules.turn(game.entries[number].after.position) for number in asked]  # numbers, or years
    second = sorted(set(filter(None, turns)))[1]
    return game.until(asked[turns.index(second)]), game.until(asked[-1])


def _time(line: HTTPConnection, pid: int, rate: float, requests: Sequence[Request]) -> dict[str, float]:
    taken, spent, began = list[float](), cpu_ms(pid)["web"], time.perf_counter()
    for number, request in enumerate(islice(cycle(requests), REQUESTS)):
        due = began + number / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        request.send(line)
        taken.append(1000 * (time.perf_counter() - due))
    cuts = quantiles(taken, n=20, method="inclusive")
    cpu = (cpu_ms(pid)["web"] - spent) / REQUESTS
    return {"p50_ms": round(cuts[9], 1), "p95_ms": round(cuts[18], 1), "cpu_ms": round(cpu, 2)}


def _weigh(line: HTTPConnection, pages: Sequence[GamePage]) -> dict[str, float]:
    """The most kB over the wire; `first_sight` is a page with its map and all static files."""
    static = dict[str, int]()
    for page in pages:
        wanted = _STATIC.findall(page.page.send(line)[1])
        while wanted:
            path = wanted.pop()
            if path not in static:
                static[path], source = Request(path, page.page.cookie).send(line)
                wanted += [f"/static/{name}" for name in _MODULES.findall(source)] if path.endswith(".js") else ()
    most = {kind: max(getattr(page, kind).send(line)[0] for page in pages) for kind in ("page", "map", "check")}
    sizes = {**most, "static": sum(static.values())}
    sizes["first_sight"] = sizes["page"] + sizes["map"] + sizes["static"]
    return {name: round(size / 1000, 1) for name, size in sizes.items()}
