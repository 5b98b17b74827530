"""How long a player waits for their page and their map: many games, early and late, and several players at once.

The games are played by bots and written down as a play worker writes them.  The server is the real one, in a process
of its own; the players run here, each asks again as soon as they are answered, and they share its processors.
"""

import multiprocessing
import random
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import engine
from engine.kernel.names import Seat
from pbem.app import Role, services_of
from pbem.bench.tables import SEEDS, Course, named, played, write_down
from pbem.config import Settings
from pbem.demo.run import free_port
from pbem.service.access import people
from pbem.service.base.services import Services
from pbem.service.post import key_rotation
from pbem.store.schema import create
from pbem.vault import KeyFolder
from pbem.web import Look, make
from pbem.web.serve import serve
from pbem.web.visitor import SIGNED

ASKED: Final = 400
"""Requests of each kind that are timed."""
PATIENCE_S: Final = 60.0
ROLES: Final[tuple[Role, ...]] = ("play", "web", "post")


@dataclass(frozen=True)
class BenchGame:
    """A game that was written down: where it is, and the cookie of one of its players."""

    game: str
    late: bool
    cookie: str


# --- players


def _cookies(services: Services, users: Sequence[int]) -> list[str]:
    """The cookie of each, as the server would have given it at sign-in."""
    app = make(services, Look())
    sign = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    name = app.config["SESSION_COOKIE_NAME"]
    return [f"{name}={sign.dumps({SIGNED: people.open_session(services, user)})}" for user in users]


def _timed(port: int, clients: int, asked: Sequence[tuple[str, str]]) -> list[float]:
    """Milliseconds of each request, by so many players at once; raises LookupError for one that is not answered."""
    shares = [asked[n::clients] for n in range(clients)]

    def ask(share: Sequence[tuple[str, str]]) -> list[float]:
        line, taken = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S), []
        for path, cookie in share:
            began = time.perf_counter()
            line.request("GET", path, headers={"Cookie": cookie})
            answer = line.getresponse()
            answer.read()
            taken.append(1000 * (time.perf_counter() - began))
            if answer.status != 200:
                raise LookupError(f"a page answered {answer.status}")
        line.close()
        return taken

    with ThreadPoolExecutor(clients) as pool:
        return [one for taken in pool.map(ask, shares) for one in taken]


def _figures(taken: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(taken, n=100, method="inclusive")
    return {"p50_ms": round(cuts[49], 1), "p95_ms": round(cuts[94], 1), "p99_ms": round(cuts[98], 1)}


# --- the whole


def _serve(settings: Settings) -> None:
    """The process of the pages, as it is in a server, but for the limit of requests from one address."""
    serve(make(services_of(settings, "web"), Look(requests_per_minute=100_000_000)), settings)


@contextmanager
def _server(settings: Settings) -> Iterator[int]:
    port = settings.http.port if settings.http is not None else 0
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(settings,), daemon=True)
    process.start()
    try:
        _await(port)
        yield port
    finally:
        process.terminate()
        process.join(10)


def _await(port: int) -> None:
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE_S:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the pages were not served in time")


def measure(
    title: str, seats: int, games: int, clients: int, say: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """Percentiles of the page of a seat and of its map, in the second turn and in the last, and how they compare."""
    with tempfile.TemporaryDirectory(prefix="pbem-pages-") as folder:
        settings = Settings.embedded(Path(folder), http_port=free_port())
        KeyFolder.create(settings.keys_dir)
        create(settings.database_url)
        tables = _tables(settings, title, seats, games, say)
        with _server(settings) as port:
            _timed(port, 1, [(f"/games/{tables[0].game}", tables[0].cookie)])  # the first of all loads the templates
            return {**_looked(port, clients, tables), "games": games, "clients": clients, "seats": seats}


def _tables(settings: Settings, title: str, seats: int, games: int, say: Callable[[str], None]) -> list[BenchGame]:
    play, web, post = (services_of(settings, role) for role in ROLES)
    key_rotation.turn(post)
    post.db.close()
    chairs = tuple(Seat(f"s{n + 1}") for n in range(seats))
    courses = [_early_and_late(title, chairs, seed + 1) for seed in range(min(SEEDS, games))]
    users = []
    for number in range(games):
        early, late = courses[number % len(courses)]
        users.append(write_down(play, late if number % 2 else early, number)[0])
        if number % 10 == 9:
            say(f"{number + 1} of {games} games are written down")
    play.db.close()
    cookies = _cookies(web, users)
    web.db.close()
    return [BenchGame(named(n), bool(n % 2), cookie) for n, cookie in enumerate(cookies)]


def _early_and_late(title: str, seats: Sequence[Seat], seed: int) -> tuple[Course, Course]:
    """A game up to its second turn, and up to somewhere in its last, where the first seat is asked."""
    rules = engine.rules(title)
    course = played(rules, seats, seed)
    turns = [rules.turn(entry.after.position) for entry in course.entries]
    asked = [number for number in range(len(turns)) if course.asks(number, seats[0])]
    return course.until(next(n for n in asked if turns[n] == 2)), course.until(asked[-1])


def _looked(port: int, clients: int, tables: Sequence[BenchGame]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    choose = random.Random(1)  # noqa: S311 - which page is asked for next, the same each time
    for thing, path in (("play_page", ""), ("map_svg", "/map.svg")):
        for when, late in (("turn2", False), ("last", True)):
            these = [(f"/games/{table.game}{path}", table.cookie) for table in tables if table.late is late]
            first = _timed(port, clients, these)
            again = _timed(port, clients, choose.choices(these, k=ASKED))
            found[thing] = {**found.get(thing, {}), when: _figures(again), f"{when}_first_look": _figures(first)}
        found[thing]["last_to_turn2"] = _ratio(found[thing])
    return found


def _ratio(figures: Mapping[str, Mapping[str, float]]) -> float:
    return round(figures["last"]["p95_ms"] / figures["turn2"]["p95_ms"], 2)
