"""Tables of a bench that were not dealt by letters: games of bots, written down as a play worker writes them.

A few games serve for any number of tables: each is written down again under a name, keys and people of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.bots import Bot, Entry, Temper, chooser, play_out
from engine.kernel.languages import DEFAULT
from engine.kernel.names import Seat
from engine.kernel.rules import Rules
from engine.kernel.workload import options_of
from pbem.archive.entries import ORDERS
from pbem.service.base.services import Services
from pbem.service.game import holders
from pbem.service.game.visit import Visit
from pbem.service.play.resolution import enter, publish
from pbem.states import GameState
from pbem.store.models import Game, SeatRow, User
from pbem.vault import new_game_keys, open_game_keys

SEEDS: Final = 4
"""Different games; the tables of a bench are these, each many times."""
_TEMPER: Final = Temper(suggested=90, fancy=0, absent=0, meddling=0, keen=60, ahead=0)


@dataclass(frozen=True)
class Course:
    """The entries of a game of bots, and who sat there."""

    title: str
    seats: tuple[Seat, ...]
    entries: tuple[Entry[Any], ...]

    def until(self, last: int) -> "Course":
        """The same up to one of its entries, which is counted from 0."""
        return Course(self.title, self.seats, self.entries[: last + 1])

    def asks(self, entry: int, seat: Seat) -> bool:
        """Return True if a seat is awaited after an entry."""
        return any(d.seat == seat and d.blocking for d in self.entries[entry].after.position.core.open)


def played(rules: Rules[Any], seats: Sequence[Seat], seed: int) -> Course:
    """A whole game; the same for the same seed."""
    luck = seed.to_bytes(32, "big")
    bots = {seat: Bot(rules, seat, chooser(luck), _TEMPER) for seat in seats}
    return Course(rules.meta.name, tuple(seats), tuple(play_out(rules, seats, options_of(rules), luck, bots).entries))


def write_down(services: Services, course: Course, number: int, hours: int | None = None) -> Sequence[int]:
    """A table that stands where a course ends; the numbers of its players, in the order of their seats.  Play only.

    `number`: which of the bench's tables it is.  `hours`: how long questions wait there; None: for ever.
    """
    rules, keys, name = services.rules(course.title), services.playing, named(number)
    wrapped = new_game_keys(keys.master, keys.signing, name)
    with services.db.writing() as session:
        spoken = {"language": DEFAULT, "zone": "Europe/Paris"}
        users = [
            User(address=f"t{number}{s}@players.localhost", name=f"Player {s}", created_at=services.now(), **spoken)
            for s in course.seats
        ]
        session.add_all(users)
        session.flush()
        game = Game(
            id=name,
            rules=course.title,
            title=f"Bench {number}",
            options=dict(course.entries[0].after.position.core.options),
            state=GameState.RUNNING,
            host_id=users[0].id,
            entry=0,
            deadline_hours=hours,
            created_at=services.now(),
            started_at=services.now(),
            rules_version=rules.meta.version,
            mixing=ORDERS,
            keys=wrapped.to_bytes(),
            schedule={},
        )
        session.add(game)
        session.flush()
        session.add_all(
            SeatRow(game_id=name, seat=seat, user_id=user.id) for seat, user in zip(course.seats, users, strict=True)
        )
        session.flush()
        opened = open_game_keys(keys.master, name, wrapped)
        holders.note(session, opened, game)
        for entry in course.entries:
            at = Visit(services, session, game, opened, rules, entry.after.position, services.now())
            enter(at, entry.gate, entry.after, (), entry.luck)
            publish(at)
        return [user.id for user in users]


def named(number: int) -> str:
    """The name of a table of the bench."""
    return f"bench{number:07d}"
