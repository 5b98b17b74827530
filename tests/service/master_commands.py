"""Masters of games on a test server: what they write, with the word of confirmation where it is asked for."""

from pathlib import Path

from sqlalchemy import select

from pbem.narration.facts import MasterFacts
from pbem.service.access import permissions, users
from pbem.service.masters import api, audit, seats
from pbem.service.masters.audit import AuditLine
from pbem.service.masters.registry import OPERATOR, WEB, CommandContext
from pbem.store.games import lock_game
from pbem.store.models import User
from tests.service.server_fixtures import ServerHarness, build, restore_or_make, start_game_with_policy

HOST = "p1@games.test"
MASTER = "olga@games.test"


def get_user_id(harness: ServerHarness, address: str) -> int:
    """Somebody's number."""
    with harness.web.db.transaction() as session:
        return users.get_or_create_user(harness.web, session, address).id


def set_language(harness: ServerHarness, language: str, *addresses: str) -> None:
    """These people read in a language from now on."""
    ids = [get_user_id(harness, address) for address in addresses]
    with harness.web.db.transaction() as session:
        for number in ids:
            session.get_one(User, number).language = language


def appoint_outsider(harness: ServerHarness, game: str, address: str = MASTER) -> int:
    """A master who holds no seat; the host is a player and no master any more."""
    number = get_user_id(harness, address)
    with harness.web.db.transaction() as session:
        row = lock_game(session, game)
        assert row is not None
        permissions.appoint_master(harness.web, session, row, session.get_one(User, number))
        permissions.dismiss_master(harness.web, session, row, row.host_id)
    return number


def build_mastered_game(
    folder: Path, players: int = 3, hours: int | None = 48, **options: str
) -> tuple[ServerHarness, str]:
    """A server with a running game of the toy whose master holds no seat."""
    harness = build(folder)
    return harness, start_mastered_game(harness, players, hours, **options)


def start_mastered_game(harness: ServerHarness, players: int = 3, hours: int | None = 48, **options: str) -> str:
    """Such a game on a server."""

    def make() -> str:
        game = start_game_with_policy(harness, "toy", players, hours, options)
        appoint_outsider(harness, game)
        return game

    return restore_or_make(harness, ("mastered", players, hours, tuple(options.items())), make)


def send_commands(
    harness: ServerHarness, game: str, *lines: str, who: str = HOST, confirm: str = "", door: str = WEB
) -> MasterFacts:
    """Write some lines, and let everything happen that comes of it."""
    facts = api.execute(harness.web, game, get_user_id(harness, who), lines, confirm, door)
    harness.run_queued_tasks()
    return facts


def send_confirmed(harness: ServerHarness, game: str, *lines: str, who: str = HOST, door: str = WEB) -> MasterFacts:
    """The same, confirmed where that is asked for."""
    facts = send_commands(harness, game, *lines, who=who, door=door)
    word = next((act.word for act in facts.acts if act.outcome == "confirm"), "")
    return send_commands(harness, game, *lines, who=who, confirm=word, door=door) if word else facts


def load_audit(harness: ServerHarness, game: str) -> tuple[AuditLine, ...]:
    """All acts at a table, the newest first."""
    with harness.web.db.snapshot() as session:
        return audit.load_entries(session, game)


def eliminate_seat(harness: ServerHarness, game: str, seat: str) -> None:
    """A seat is out of the game for good, without a word to anybody."""
    with harness.web.db.transaction() as session:
        row = lock_game(session, game)
        assert row is not None
        master = session.scalars(select(User).where(User.id == row.host_id)).one()
        seats.eliminate_seat(CommandContext(harness.web, session, row, master, OPERATOR), seat)
    harness.web.enqueue("resolve_game", game)
    harness.run_queued_tasks()
