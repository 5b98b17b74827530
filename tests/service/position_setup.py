"""A position of another game laid on the table of a server, so that what is asked in it can be answered there."""

import re
from collections.abc import Sequence
from typing import Any

from engine.kernel.codec import dump, load
from engine.kernel.position import Position
from engine.kernel.run import Advance
from engine.kernel.viewers import Seat
from pbem.service.resolver import resolution
from pbem.store.games import lock_game
from tests.service.server_fixtures import ServerHarness


def rename_seats(position: Position[Any], seats: Sequence[str]) -> Position[Any]:
    """The same position between seats of other names."""
    names = dict(zip(map(str, position.core.seats), seats, strict=True))
    said = re.compile(rf"(?<!\w)({'|'.join(names)})(?!\w)")
    found: Position[Any] = load(said.sub(lambda name: names[name[1]], dump(position)))
    return found


def store_position(harness: ServerHarness, game: str, position: Position[Any]) -> None:
    """The game goes on from a position between the same number of players, as after any entry of its journal."""
    services = harness.resolver
    with services.db.transaction() as session:
        row = lock_game(session, game)
        assert row is not None
        context = resolution.open_context(services, session, row, services.now())
        seats: tuple[Seat, ...] = context.position.core.seats
        resolution.record_entry(context, "laid", Advance(rename_seats(position, seats), (), ()), (), b"laid")
        resolution.publish_state(context)
