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
from engine.kernel.bots import Bot, Entry, Temper, chooser, play_out
from engine.kernel.languages import DEFAULT
from engine.kernel.names import Seat
from engine.kernel.rules import Rules
from pbem.app import services_of
from pbem.config import Settings
from pbem.demo.run import free_port
from pbem.service.access import people
from pbem.service.base.services import Services
from pbem.service.game import holders
from pbem.service.game.visit import Visit
from pbem.service.play.resolution import enter, publish
from pbem.states import GameState
from pbem.store.models import Game, SeatRow, User
from pbem.store.schema import create
from pbem.vault import KeyFolder, new_game_keys, open_game_keys
from pbem.web import Look, make
from pbem.web.serve import serve
from pbem.web.visitor import SIGNED

SEEDS: Final = 4
"""Different games; the tables are these, each many times, under keys of their own."""
ASKED: Final = 400
"""Requests of each kind that are timed."""
PATIENCE_S: Final = 60.0
_TEMPER: Final = Temper(suggested=90, fancy=0, absent=0, meddling=0, keen=60, ahead=0)


@dataclass(frozen=True)
class BenchGame:
    """A game that was written down: where it is, and the cookie of one of its players."""

    game: str
    late: bool
    cookie: str


# --- games


def _course(rules: Rules[Any], seats: Sequence[Seat], seed: int) -> tuple[list[Entry[Any]], list[Entry[Any]]]:
    """The entries of a game up to the second turn, and up to somewhere in its last, where the first seat is asked."""
    luck = seed.to_bytes(32, "big")
    players = {seat: Bot(rules, seat, chooser(luck), _TEMPER) for seat in seats}
    played = play_out(rules, seats, {}, luck, players)
    turns = [rules.turn(entry.after.position) for entry in played.entries]
    early = next(n for n, turn in enumerate(turns) if turn == 2 and _asks(played.entries[n], seats[0]))
    late = max(n for n, entry in enumerate(played.entries) if _asks(entry, seats[0]))
    return list(played.entries[: early + 1]), list(played.entries[: late + 1])


def _asks(entry: Entry[Any], seat: Seat) -> bool:
    return any(d.seat == seat and d.blocking for d in entry.after.position.core.open)


def _stored_table(
    services: Services, title: str, number: int, seats: Sequence[Seat], entries: Sequence[Entry[Any]]
) -> int:
    """A table that stands where these entries lead; the number of its first player."""
    rules, keys, name = services.rules(title), services.playing, f"bench{number:07d}"
    wrapped = new_game_keys(keys.master, keys.signing, name)
    with services.db.writing() as session:
        spoken = {"language": DEFAULT, "zone": "Europe/Paris"}
        users = [
            User(address=f"t{number}{s}@players.localhost", name=f"Player {s}", created_at=services.now(), **spoken)
            for s in seats
        ]
        session.add_all(users)
        session.flush()
        game = Game(
            id=name,
            rules=title,
            title=f"Bench {number}",
            options=dict(entries[0].after.position.core.options),
            state=GameState.RUNNING,
            host_id=users[0].id,
            entry=0,
            created_at=services.now(),
            started_at=services.now(),
            rules_version=rules.meta.version,
            keys=wrapped.to_bytes(),
            schedule={},
        )
        session.add(game)
        session.flush()
        session.add_all(
            SeatRow(game_id=name, seat=seat, user_id=user.id) for seat, user in zip(seats, users, strict=True)
        )
        session.flush()
        opened = open_game_keys(keys.master, name, wrapped)
        holders.note(session, opened, game)
        for entry in entries:
            at = Visit(services, session, game, opened, rules, entry.after.position, services.now())
            enter(at, entry.gate, entry.after, (), entry.luck)
            publish(at)
        return users[0].id


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
    play, web = services_of(settings, "play"), services_of(settings, "web")
    chairs = tuple(Seat(f"s{n + 1}") for n in range(seats))
    courses = [_course(engine.rules(title), chairs, seed + 1) for seed in range(min(SEEDS, games))]
    users = []
    for number in range(games):
        early, late = courses[number % len(courses)]
        users.append(_stored_table(play, title, number, chairs, late if number % 2 else early))
        if number % 10 == 9:
            say(f"{number + 1} of {games} games are written down")
    play.db.close()
    cookies = _cookies(web, users)
    web.db.close()
    return [BenchGame(f"bench{n:07d}", bool(n % 2), cookie) for n, cookie in enumerate(cookies)]


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
