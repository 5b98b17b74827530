"""Games told again by the program that is installed now: what an update would tell otherwise.

A dry run: nothing is written.  Games are pinned to what was told; this says where a newer program differs.  One
entry of one game is held at a time, however many there are.

Also new signatures of rows, before old keys go.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import empty_state
from engine.kernel.viewers import Seat
from pbem.archive.entries import EntryRecord
from pbem.archive.replay import find_difference
from pbem.common.states import BEGUN, OPENED, GameState
from pbem.crypto import CryptoError, GameKeys, KeyFolder, mix_seed, unseal_entry
from pbem.service.base.services import Services
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.store import row_signatures
from pbem.store.database import Database
from pbem.store.games import load_seats
from pbem.store.models import Game, JournalEntry
from pbem.store.row_signatures import RowSigner


@dataclass(frozen=True)
class ReplayReport:
    """One game: how many entries were told again, and a sentence for each that this program tells otherwise."""

    game: str
    title: str
    rules: str
    played: str
    installed: str
    entries: int
    differences: tuple[str, ...]


def count_games(services: Services, *, finished: bool = False) -> int:
    """How many games `replay_games` tells."""
    with services.db.snapshot() as session:
        return session.scalar(select(func.count()).where(Game.state.in_(_load_states(finished)))) or 0


def replay_games(services: Services, *, finished: bool = False) -> Iterator[ReplayReport]:
    """Every running game, one after the other; only what its rules would tell is named, never what happened.

    `finished`: and every game that is over, those that were brought here as files among them.
    """
    last = ""
    while True:
        with services.db.snapshot() as session:
            after = (
                select(Game).where(Game.state.in_(_load_states(finished)), Game.id > last).order_by(Game.id).limit(1)
            )
            game = session.scalars(after).one_or_none()
            if game is None:
                return
            last, found = game.id, _replay_game(services, session, game)
        yield found


def _load_states(finished: bool) -> tuple[GameState, ...]:
    return (GameState.RUNNING, *OPENED) if finished else (GameState.RUNNING,)


def _missing_rules_report(title: str) -> str:
    return f"The rules of {title} are not installed."


def replay_last_entries(services: Services) -> Iterator[ReplayReport]:
    """The last entry alone of every game that was begun here, as `replay_games` tells it."""
    with services.db.snapshot() as session:
        ids = list(session.scalars(select(Game.id).where(Game.state.in_(BEGUN), Game.entry > 0).order_by(Game.id)))
    for game_id in ids:
        with services.db.snapshot() as session:
            game = session.get_one(Game, game_id)
            yield _replay_game(services, session, game, game.entry)


def _replay_game(services: Services, session: Session, game: Game, first: int = 1) -> ReplayReport:
    rules = services.installed.get(game.rules)
    if rules is None:
        found: tuple[str, ...] = (_missing_rules_report(game.rules),)
    else:
        found = tuple(_difference(services, session, game, rules, first))
    installed = rules.meta.version if rules is not None else ""
    return ReplayReport(game.id, game.title, game.rules, game.rules_version, installed, game.entry, found)


def _difference(services: Services, session: Session, game: Game, rules: Rules[Any], first: int) -> Iterator[str]:
    try:
        keys = load_game_keys(services, game)
        for number in range(first, game.entry + 1):
            record = load_entry(session, keys, game, number)
            before, after = _state_before(session, keys, game, rules, record), _load_state(session, keys, game, number)
            kept = load_entry(session, keys, game, record.replay_of).draws if record.replay_of is not None else ()
            found = find_difference(rules, before, record, after, kept)
            if found:
                yield f"Entry {number} ({record.gate}): {found}."
    except CryptoError as error:
        yield f"Its journal does not open ({type(error).__name__})."


def _state_before(
    session: Session, keys: GameKeys, game: Game, rules: Rules[Any], record: EntryRecord
) -> Position[Any]:
    """The position that an entry began with; before the first there is only the seed."""
    base = record.number - 1 if record.base is None else record.base
    if base:
        return _load_state(session, keys, game, base)
    promised = unseal_entry(keys.position, game.id, 0, "seed", bytes(game.seed_ciphertext or b""))
    rows = load_seats(session, game.id)
    seed = mix_seed(promised, [(row.seat, row.seed_words, row.seed_nonce or b"") for row in rows])
    return empty_state(rules, [Seat(row.seat) for row in rows], game.options, seed)


def _load_state(session: Session, keys: GameKeys, game: Game, number: int) -> Position[Any]:
    row = session.get_one(JournalEntry, (game.id, number))
    found: Position[Any] = load(unseal_entry(keys.position, game.id, number, "position", row.state_ciphertext))
    session.expunge(row)
    return found


def resign_all_rows(db: Database, folder: KeyFolder) -> int:
    """Sign every row under the newest keys, and return how many. Raise TamperedError for an invalid one.

    `db`: the database without keys.
    """
    known = folder.verify_keys()
    with db.transaction() as session:
        keys = {role: RowSigner(signing, known) for role, signing in folder.signing_keys().items()}
        return row_signatures.resign_all_rows(session, keys)
