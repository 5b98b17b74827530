"""Time to a page, its CPU cost and its weight: many games, early and late, on a real server.

Bots play the games, which are stored as a resolver stores them.  Requests come one after the other at a steady rate
and are timed from the moment they were due: a slow answer delays those behind it.
"""

import gzip
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from typing import Any, Final
from urllib.parse import urlencode

from sqlalchemy import text

import engine
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat
from pbem.bench.in_process import InProcessServer
from pbem.bench.server import cpu_ms, prepare, running
from pbem.bench.tables import SEEDS, PlayedGame, finish_work, game_id, play_bot_game, store_game
from pbem.config.settings import Settings
from pbem.service.access import users as people
from pbem.service.archive import files
from pbem.service.base.services import Services
from pbem.web import WebConfig, create_pages
from pbem.web.access import SIGNED
from pbem.web.differences import hash_pieces

REQUESTS: Final = 100
"""Timed requests of each kind."""
RATES: Final = {"page": 1.0, "map": 1.0, "check": 0.25, "pulse": 1.0}
"""Each kind of request, and its share of the rate."""
PATIENCE_S: Final = 60.0
_STATIC: Final = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_MODULES: Final = re.compile(r'(?:from|import) ?"\./([^"]+)"')
_LIKELY: Final = re.compile(r'data-line="([^"]*)"')
_TOKEN: Final = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
_ENTRY: Final = re.compile(r'name="entry" value="(\d+)"')

Say = Callable[[str], None]


@dataclass(frozen=True)
class Request:
    """A request for a page; with `form` it is a POST."""

    path: str
    cookie: str
    form: str = ""

    def send(self, line: HTTPConnection) -> tuple[int, str]:
        """Send it as a browser would; returns the number of bytes and the text.  Raises LookupError unless it is OK."""
        headers = {"Cookie": self.cookie, "Accept-Encoding": "gzip"}
        if self.form:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        line.request("POST" if self.form else "GET", self.path, self.form or None, headers)
        answer = line.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise LookupError(f"{self.path} answered {answer.status}")
        plain = gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body
        return len(body), plain.decode()


@dataclass(frozen=True)
class GamePage:
    """The requests of one player's play page; `check` is what its script sends when a line is written."""

    page: Request
    map: Request
    check: Request
    pulse: Request


def measure(title: str, seats: int, games: int, rate: float, say: Say = lambda text: None) -> dict[str, Any]:
    """Measure pages of the second turn and of the end, at `rate` requests a second; also kB sent and kB stored."""
    rules, chairs = engine.rules(title), tuple(Seat(f"s{n + 1}") for n in range(seats))
    whole = [play_bot_game(rules, chairs, seed + 1) for seed in range(min(SEEDS, games))]
    with tempfile.TemporaryDirectory(prefix="pbem-pages-") as folder:
        settings = prepare(Path(folder), PBEM_REQUESTS_PER_MINUTE="100000")
        server = InProcessServer(settings, datetime.now(UTC))
        stored = _measure_storage(server.services["resolver"], whole)
        numbers = range(len(whole), len(whole) + games)
        parts = cycle(part for game in whole for part in _early_and_late(rules, game))
        users = [store_game(server.services["resolver"], next(parts), number)[0] for number in numbers]
        finish_work(server.services["resolver"])
        cookies = _sign_in(server.services["web"], users)
        server.close()
        say(f"{games} games are stored")
        with running(settings) as pid, closing(_connect(settings)) as line:
            pages = [_game_page(line, game_id(number), cookie) for number, cookie in zip(numbers, cookies, strict=True)]
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
    return HTTPConnection("127.0.0.1", settings.http.port if settings.http is not None else 0, timeout=PATIENCE_S)


def _early_and_late(rules: Rules[Any], game: PlayedGame) -> tuple[PlayedGame, PlayedGame]:
    """A game up to its second turn and up to its end, where the first seat is asked something."""
    asked = [number for number in range(len(game.entries)) if game.asks(number, game.seats[0])]
    second = next(n for n in asked if rules.turn(game.entries[n].after.position) == 2)
    return game.until(second), game.until(asked[-1])


def _sign_in(web: Services, users: Sequence[int]) -> list[str]:
    """The cookie of each user, as the server sets it at sign-in and with the first form."""
    app = create_pages(web, WebConfig())
    sign = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    name, key = app.config["SESSION_COOKIE_NAME"], app.config["WTF_CSRF_FIELD_NAME"]
    known = ({SIGNED: people.open_session(web, user), key: secrets.token_hex(20)} for user in users)
    return [f"{name}={sign.dumps(one)}" for one in known]


def _game_page(line: HTTPConnection, game: str, cookie: str) -> GamePage:
    path = f"/games/{game}"
    page, board = Request(path, cookie), Request(f"{path}/map.svg?live=1", cookie)
    html, likely = page.send(line)[1], ""
    token, entry = _TOKEN.search(html), _ENTRY.search(html)
    if token is None or entry is None:
        raise LookupError("a play page has no form for orders")
    if found := _LIKELY.search(html):
        likely = unescape(found[1])
    fields = {"csrf_token": token[1], "entry": entry[1], "text": likely, "map": hash_pieces(board.send(line)[1])}
    check = Request(f"{path}/check", cookie, urlencode(fields))
    return GamePage(page, board, check, Request(f"{path}/pulse", cookie))


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


def _measure_storage(play: Services, games: Sequence[PlayedGame]) -> dict[str, float]:
    """The kB of the database for an entry of a whole game, before and after it is compacted."""
    empty, entries = _used_kb(play), sum(len(game.entries) for game in games)
    for number, game in enumerate(games):
        store_game(play, game, number)
    finish_work(play)
    running = _used_kb(play) - empty
    for number in range(len(games)):
        files.compact(play, game_id(number))
    return {"running": round(running / entries, 1), "over": round((_used_kb(play) - empty) / entries, 1)}


def _used_kb(play: Services) -> float:
    with play.db.snapshot() as session:
        pages, free, size = (
            session.scalar(text(f"PRAGMA {name}")) or 0 for name in ("page_count", "freelist_count", "page_size")
        )
    return float((pages - free) * size) / 1000
