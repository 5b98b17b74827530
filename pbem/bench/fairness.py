"""What one quiet player waits for while somebody floods a real server: pages, checks of orders, receipts.

The quiet player asks for a page and a check at a steady rate, each timed from the moment it was due, and writes a
letter a second, timed from the server's "250" to the receipt.  Floods go on for as long as the player is watched, and
come from people with a seat of their own, or from strangers; the gates close once.
"""

import asyncio
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import engine
from engine.kernel.viewers import Seat
from pbem.bench.browser import load_page, sign_in
from pbem.bench.floods import FIRST, FLOODER, FLOODS, GATES, QUIET, Flood, Floods
from pbem.bench.in_process import InProcessServer
from pbem.bench.quiet_player import Door, Watch, connect
from pbem.bench.server import prepare, running
from pbem.bench.tables import SEEDS, PlayedGame, finish_work, game_id, play_bot_game, store_game
from pbem.config.settings import Settings
from pbem.mail.addresses import reply_address
from pbem.ops.servers import Postgres
from pbem.service.base.services import Services
from pbem.service.mail import assembly

WATCHED_S: Final = 20.0
"""How long the player is watched, with each flood and without one."""
CALM_S: Final = 5.0

Say = Callable[[str], None]


def measure(title: str, workers: int, postgres: bool = False, say: Say = lambda text: None) -> dict[str, Any]:
    """Measure with so many mailers and resolvers, on a server of its own for each flood and for none.

    What the player waited for each thing, `late` receipts when the flood ends, and how long until they had come.
    """
    found = {}
    for name in ("none", *FLOODS):
        with Postgres() if postgres else nullcontext() as database:
            found[name] = _measure(title, workers, name, database.url if database is not None else "")
        say(f"{workers} workers, {name}: {found[name]}")
    return found


def _measure(title: str, workers: int, flood: str, database: str) -> dict[str, Any]:
    variables = {"PBEM_MAILER_WORKERS": str(workers), "PBEM_RESOLVER_WORKERS": str(workers)}
    variables |= {"PBEM_REQUESTS_PER_MINUTE": "100000", "PBEM_EMAILS_PER_HOUR": "100000"}
    if database:
        variables["PBEM_DATABASE_URL"] = database
    with tempfile.TemporaryDirectory(prefix="pbem-fairness-") as folder:
        settings = prepare(Path(folder), **variables)
        server = InProcessServer(settings, datetime.now(UTC))
        resolver = server.services["resolver"]
        users = [store_game(resolver, game, number, 24)[0] for number, game in enumerate(_games(title, flood))]
        finish_work(resolver)
        cookies = sign_in(server.services["web"], users[:FIRST])
        with running(settings):
            doors = [_door(settings, resolver, number, users[number], cookies[number]) for number in range(FIRST)]
            floods = Floods(settings, resolver, doors[FLOODER])
            found = asyncio.run(
                _watch(Watch(settings, doors[QUIET]), FLOODS[flood](floods) if flood in FLOODS else None)
            )
        server.close()
    return found


def _games(title: str, flood: str) -> Iterator[PlayedGame]:
    """Games up to their second turn, where the first seat owes an answer, and others do who will not give one."""
    rules, seats = engine.rules(title), tuple(Seat(f"s{n + 1}") for n in range(4))
    played = [_play(title, seats, seed + 1) for seed in range(SEEDS)]
    for number in range(FIRST + GATES * (flood == "gates")):
        game = played[number % SEEDS]
        yield game.until(
            next(
                n
                for n in range(len(game.entries))
                if rules.turn(game.entries[n].after.position) == 2
                and game.waits_for(n, seats[0])
                and game.waits_for(n, seats[1])
            )
        )


@cache
def _play(title: str, seats: tuple[Seat, ...], seed: int) -> PlayedGame:
    return play_bot_game(engine.rules(title), seats, seed)


def _door(settings: Settings, services: Services, number: int, user: int, cookie: str) -> Door:
    with services.db.transaction() as session:
        token = assembly.create_reply_token(session, game_id(number), "s1", 10**6, services.now(), holder=user)
    with closing(connect(settings)) as line:
        page = load_page(line, game_id(number), cookie)
    address = reply_address(token, settings.mail_domain, settings.mailbox_local_part)
    return Door(f"t{number}s1@players.localhost", address, page)


async def _watch(watch: Watch, flood: Flood | None) -> dict[str, Any]:
    await watch.relay.start(watch.relay_port)
    stop = threading.Event()
    try:
        await watch.run(CALM_S)  # what a process loads with its first letter is loaded
        going_on = asyncio.create_task(asyncio.to_thread(flood, stop)) if flood is not None else None
        found = await watch.run(WATCHED_S)
        stop.set()
        if going_on is not None:
            await going_on
        return found
    finally:
        stop.set()
        watch.sender.close()
        await watch.relay.stop()
