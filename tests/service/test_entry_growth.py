"""An entry costs as much behind a long journal as behind a short one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import event

from engine.kernel.viewers import Seat
from pbem.bench.in_process import InProcessServer, new_settings
from pbem.bench.tables import PlayedGame, game_id, play_bot_game, store_game
from pbem.games import load_rules
from pbem.service.game.journal import load_game_keys, load_state
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.resolver.resolution import publish_state, record_entry
from pbem.store.games import load_game

LENGTHS = (5, 60)


def count_statements(server: InProcessServer, played: PlayedGame, name: str) -> int:
    """How many statements it takes to load a game, and to store its next entry with what each viewer may see of it."""
    services, entry, counted = server.services["resolver"], played.entries[0], list[str]()

    def count(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        counted.append(statement)

    event.listen(services.db.engine, "before_cursor_execute", count)
    with services.db.transaction() as session:
        game = load_game(session, name)
        assert game is not None
        keys = load_game_keys(services, game)
        position = load_state(session, keys, game)
        at = ResolverContext(services, session, game, keys, services.rules(played.title), position, services.now())
        record_entry(at, entry.gate, entry.after, (), entry.luck)
        publish_state(at)
    event.remove(services.db.engine, "before_cursor_execute", count)
    return len(counted)


def test_an_entry_takes_as_many_statements_behind_a_long_journal(tmp_path: Path) -> None:
    """Nothing is read or written once for each entry before it."""
    server = InProcessServer(new_settings(tmp_path, relay_port=9))
    game = play_bot_game(load_rules("renaissance"), [Seat(f"s{number}") for number in (1, 2, 3)], 1)
    middle = game.entries[len(game.entries) // 2]
    played = [replace(game, entries=(middle,) * length) for length in LENGTHS]
    for number, one in enumerate(played):
        store_game(server.services["resolver"], one, number)
    short, long = (count_statements(server, one, game_id(number)) for number, one in enumerate(played))
    server.close()
    assert short == long > 0
