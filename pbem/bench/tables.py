"""Stored games for the bench: bots play a few, and each is stored as often as needed, with its own keys and players."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, text, update

from engine.kernel.bots import Bot, BotProfile, Entry, chooser, play_game
from engine.kernel.languages import DEFAULT
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat
from engine.kernel.workload import options_of
from pbem.archive.entries import ORDERS
from pbem.common.states import GameState, OutboundState
from pbem.crypto import create_game_keys, unwrap_game_keys
from pbem.service.access.permissions import add_master
from pbem.service.archive import files
from pbem.service.base.services import Services
from pbem.service.game import checkpoints
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.resolver.resolution import publish_state, record_entry
from pbem.store.models import Game, OutboundEmail, OutboundEmailBody, SeatRow, User

SEEDS: Final = 4
"""Different games; the bench stores each of them many times."""
_TEMPER: Final = BotProfile(suggested=90, random_share=0, absent=0, unasked_share=0, eagerness=60, ahead=0)


@dataclass(frozen=True)
class PlayedGame:
    """The entries of a game that bots played."""

    title: str
    seats: tuple[Seat, ...]
    entries: tuple[Entry[Any], ...]

    def until(self, last: int) -> "PlayedGame":
        """The game up to and with an entry; they count from 0."""
        return PlayedGame(self.title, self.seats, self.entries[: last + 1])

    def waits_for(self, entry: int, seat: Seat) -> bool:
        """Return True if the game waits for a seat after an entry."""
        return any(d.seat == seat and d.blocking for d in self.entries[entry].after.position.core.questions)


def play_bot_game(rules: Rules[Any], seats: Sequence[Seat], seed: int) -> PlayedGame:
    """Play a whole game; the same seed plays the same game."""
    luck = seed.to_bytes(32, "big")
    bots = {seat: Bot(rules, seat, chooser(luck), _TEMPER) for seat in seats}
    return PlayedGame(
        rules.meta.name, tuple(seats), tuple(play_game(rules, seats, options_of(rules), luck, bots).entries)
    )


def store_game(services: Services, played: PlayedGame, number: int, hours: int | None = None) -> Sequence[int]:
    """Store a game as the bench's game `number`, as a resolver would; returns its users' ids in the order of seats.

    `hours`: the time to answer a question, or None for no deadline.  `services`: the resolver's.
    """
    rules, keys, name = services.rules(played.title), services.resolver_keys, game_id(number)
    wrapped = create_game_keys(keys.master, keys.signing, name)
    with services.db.transaction() as session:
        spoken = {"language": DEFAULT, "time_zone": "Europe/Paris"}
        users = [
            User(email=f"t{number}{s}@players.localhost", name=f"Player {s}", created_at=services.now(), **spoken)
            for s in played.seats
        ]
        session.add_all(users)
        session.flush()
        game = Game(
            id=name,
            rules=played.title,
            title=f"Bench {number}",
            options=dict(played.entries[0].after.position.core.options),
            state=GameState.RUNNING,
            host_id=users[0].id,
            entry=0,
            deadline_hours=hours,
            created_at=services.now(),
            started_at=services.now(),
            rules_version=rules.meta.version,
            draw_mixing=ORDERS,
            keys=wrapped.to_bytes(),
            schedule={},
        )
        session.add(game)
        session.flush()
        add_master(session, game, users[0].id, services.now())
        session.add_all(
            SeatRow(game_id=name, seat=seat, user_id=user.id) for seat, user in zip(played.seats, users, strict=True)
        )
        session.flush()
        opened = unwrap_game_keys(keys.master, name, wrapped)
        checkpoints.record_holders(session, opened, game)
        for entry in played.entries:
            at = ResolverContext(services, session, game, opened, rules, entry.after.position, services.now())
            record_entry(at, entry.gate, entry.after, (), entry.luck)
            publish_state(at)
        return [user.id for user in users]


def game_id(number: int) -> str:
    """The id of a game of the bench."""
    return f"bench{number:07d}"


def finish_work(services: Services) -> None:
    """Let all letters count as sent, and no game wait for a resolver."""
    with services.db.transaction() as session:
        session.execute(update(OutboundEmail).values(state=OutboundState.SENT))
        session.execute(delete(OutboundEmailBody))
        session.execute(update(Game).values(resolve_requested_at=None))


def measure_storage(resolver: Services, games: Sequence[PlayedGame]) -> dict[str, float]:
    """The kB of the database for an entry of a whole game, before and after it is compacted."""
    empty, entries = _used_kb(resolver), sum(len(game.entries) for game in games)
    for number, game in enumerate(games):
        store_game(resolver, game, number)
    finish_work(resolver)
    running = _used_kb(resolver) - empty
    for number in range(len(games)):
        files.compact(resolver, game_id(number))
    return {"running": round(running / entries, 1), "over": round((_used_kb(resolver) - empty) / entries, 1)}


def _used_kb(resolver: Services) -> float:
    with resolver.db.snapshot() as session:
        pages, free, size = (
            session.scalar(text(f"PRAGMA {name}")) or 0 for name in ("page_count", "freelist_count", "page_size")
        )
    return float((pages - free) * size) / 1000
