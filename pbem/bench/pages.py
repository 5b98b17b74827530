"""How long players wait for their pages, what those cost and what they weigh: many games, early and late.

The games are played by bots and written down as a play worker writes them.  The server is the real one, in a process
of its own.  First several players at once ask again as soon as they are answered, for pages and for maps; then pages,
checks of orders and looks whether anything is new come at a steady rate, as from many readers, and the processor's time
of the server is counted.  The players run here and share its processors.
"""

import gzip
import multiprocessing
import os
import random
import re
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import quantiles
from typing import Any, Final
from urllib.parse import urlencode

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
from pbem.web.differences import digest
from pbem.web.serve import serve
from pbem.web.visitor import SIGNED

ASKED: Final = 400
"""Requests of each kind that are timed."""
CHECKED: Final = 4
"""One check for so many pages."""
PACED: Final = 200
"""Requests of each kind that come at a steady rate."""
PATIENCE_S: Final = 60.0
_PARTS: Final = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_MODULES: Final = re.compile(r'(?:from|import) ?"\./([^"]+)"')
ROLES: Final[tuple[Role, ...]] = ("play", "web", "post")


@dataclass(frozen=True)
class BenchGame:
    """A game that was written down: where it is, and the cookie of one of its players."""

    game: str
    late: bool
    cookie: str


# --- players


def _cookies(services: Services, users: Sequence[int]) -> list[str]:
    """The cookie of each, as the server gives it at sign-in and with the first form."""
    app = make(services, Look())
    sign = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    name, key = app.config["SESSION_COOKIE_NAME"], app.config["WTF_CSRF_FIELD_NAME"]
    known = ({SIGNED: people.open_session(services, user), key: secrets.token_hex(20)} for user in users)
    return [f"{name}={sign.dumps(one)}" for one in known]


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


# --- at a steady rate


@dataclass(frozen=True)
class Asked:
    """A request: its line, and the fields of its form where it is one."""

    path: str
    cookie: str
    form: str = ""

    def sent(self, line: HTTPConnection) -> HTTPResponse:
        """Ask, as a browser does."""
        headers = {"Cookie": self.cookie, "Accept-Encoding": "gzip"}
        if not self.form:
            line.request("GET", self.path, headers=headers)
        else:
            kind = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
            line.request("POST", self.path, self.form, {**headers, **kind})
        return line.getresponse()


def _paced(port: int, server: int, rate: float, asked: Sequence[Asked]) -> dict[str, float]:
    """What requests cost that come one after the other at a steady rate, each measured from when it should begin."""
    line, taken, spent = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S), list[float](), _processor_ms(server)
    began = time.perf_counter()
    for number, one in enumerate(asked):
        due = began + number / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        answer = one.sent(line)
        answer.read()
        if answer.status != 200:
            raise LookupError(f"a page answered {answer.status}")
        taken.append(1000 * (time.perf_counter() - due))
    line.close()
    return {**_figures(taken), "cpu_ms": round((_processor_ms(server) - spent) / len(asked), 2)}


def _processor_ms(process: int) -> float:
    """Milliseconds that a process has had of the processors."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _steady(port: int, server: int, rate: float, tables: Sequence[BenchGame]) -> dict[str, Any]:
    """Pages, checks and pulses, of the tables in turn."""
    choose = random.Random(2)  # noqa: S311 - as above
    these = choose.choices(tables, k=PACED)
    pages = [Asked(f"/games/{table.game}", table.cookie) for table in these]
    pulses = [Asked(f"{page.path}/pulse", page.cookie) for page in pages]
    checks = {table.game: _check(port, table) for table in tables}
    return {
        "page": _paced(port, server, rate, pages),
        "check": _paced(port, server, rate / CHECKED, [checks[table.game] for table in these[::CHECKED]]),
        "pulse": _paced(port, server, rate, pulses),
    }


def _check(port: int, table: BenchGame) -> Asked:
    """What the script of a play page asks when its reader has written the first likely line."""
    address, line = f"/games/{table.game}", HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    answer = Asked(address, table.cookie).sent(line)
    page = answer.read().decode()
    board = _read(Asked(f"{address}/map.svg?live=1", table.cookie).sent(line))[1]
    line.close()
    likely = re.search(r'data-line="([^"]*)"', page)
    fields = {
        "csrf_token": _found(r'name="csrf_token"[^>]*value="([^"]+)"', page),
        "entry": _found(r'name="entry" value="(\d+)"', page),
        "text": unescape(likely[1]) if likely else "",
        "map": digest(board),
    }
    return Asked(f"{address}/check", table.cookie, urlencode(fields))


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise LookupError(f"a page has nothing like {pattern}")
    return found[1]


def _read(answer: HTTPResponse) -> tuple[int, str]:
    """How many bytes came, and what they say; raises LookupError for a request that is not answered."""
    came = answer.read()
    if answer.status != 200:
        raise LookupError(f"a page answered {answer.status}")
    plain = gzip.decompress(came) if answer.headers["Content-Encoding"] == "gzip" else came
    return len(came), plain.decode()


def _weights(port: int, tables: Sequence[BenchGame]) -> dict[str, float]:
    """The heaviest of each, in kB over the wire: a page with its map and all static files, and a check."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    pages, maps, checks, static = list[int](), list[int](), list[int](), dict[str, int]()
    for table in tables[-SEEDS:]:
        size, page = _read(Asked(f"/games/{table.game}", table.cookie).sent(line))
        pages.append(size)
        maps.append(_read(Asked(f"/games/{table.game}/map.svg?live=1", table.cookie).sent(line))[0])
        checks.append(_read(_check(port, table).sent(line))[0])
        wanted = _PARTS.findall(page)
        while wanted:
            path = wanted.pop()
            if path not in static:
                static[path], text = _read(Asked(path, table.cookie).sent(line))
                wanted += [f"/static/{name}" for name in _MODULES.findall(text)] if path.endswith(".js") else ()
    line.close()
    parts = {"page": max(pages), "map": max(maps), "static": sum(static.values()), "check": max(checks)}
    whole = parts["page"] + parts["map"] + parts["static"]
    return {name: round(size / 1000, 1) for name, size in {**parts, "first_sight": whole}.items()}


def _figures(taken: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(taken, n=100, method="inclusive")
    return {"p50_ms": round(cuts[49], 1), "p95_ms": round(cuts[94], 1), "p99_ms": round(cuts[98], 1)}


# --- the whole


def _serve(settings: Settings) -> None:
    """The process of the pages, as it is in a server, but for the limit of requests from one address."""
    serve(make(services_of(settings, "web"), Look(requests_per_minute=100_000_000)), settings)


@contextmanager
def _server(settings: Settings) -> Iterator[tuple[int, int]]:
    """Its port and its process."""
    port = settings.http.port if settings.http is not None else 0
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(settings,), daemon=True)
    process.start()
    try:
        _await(port)
        yield port, process.pid or 0
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
    title: str, seats: int, games: int, clients: int, rate: float, say: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """Percentiles of the page of a seat and of its map, in the second turn and in the last, and how they compare.

    Under `steady`, what pages, checks and pulses take and cost at `rate` requests a second; under `kb`, the weights.
    """
    with tempfile.TemporaryDirectory(prefix="pbem-pages-") as folder:
        settings = Settings.embedded(Path(folder), http_port=free_port())
        KeyFolder.create(settings.keys_dir)
        create(settings.database_url)
        tables = _tables(settings, title, seats, games, say)
        with _server(settings) as (port, server):
            _timed(port, 1, [(f"/games/{tables[0].game}", tables[0].cookie)])  # the first of all loads the templates
            found = _looked(port, clients, tables)
            found |= {"steady": _steady(port, server, rate, tables), "kb": _weights(port, tables)}
            return {**found, "games": games, "clients": clients, "rate": rate, "seats": seats}


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
