"""A game that is over, kept as small as can be: nothing in it is secret any more, so no length has to be hidden.

What lies there stays the same: its journal, from which its file is written byte for byte, and what each viewer was
shown and told.  Each row is written by itself and opens before and after, so this may be cut short anywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, inspect, select, update
from sqlalchemy.orm import Mapper, Session

from engine.kernel.names import PUBLIC
from pbem.service.base.installed import missing
from pbem.service.base.services import Services
from pbem.service.game.journal import game_keys
from pbem.service.game.views import opened_view
from pbem.states import OPENED
from pbem.store.models import EntryRow, Game, ViewRow
from pbem.vault import GameKeys, ViewContext, open_entry, open_view, seal_entry, seal_view

AT_ONCE: Final = 20
"""Entries that are written in one transaction."""
_PARTS: Final = {"record": "entry_sealed", "position": "position_sealed", "salts": "salts_sealed"}

Change = tuple[Any, ViewRow | EntryRow, dict[str, bytes]]


def compact(services: Services, game_id: str) -> bool:
    """Do it, if the game is over and it was not done yet; whether it was.  Play only."""
    with services.db.reading() as session:
        game = session.get(Game, game_id)
        if game is None or game.state not in OPENED or game.compacted_at is not None or missing(services, game):
            return False
    for first in range(1, game.entry + 1, AT_ONCE):
        _some(services, game, first, first + AT_ONCE)
    with services.db.writing() as session:
        session.execute(update(Game).where(Game.id == game_id).values(compacted_at=services.now()))
    return True


def _some(services: Services, game: Game, first: int, until: int) -> None:
    """The entries from one up to another, which is not among them; sealed before the lock is taken."""
    with services.db.reading() as session:
        changes = [*_views(services, session, game.id, first, until), *_journal(services, session, game, first, until)]
    with services.db.writing() as session:
        fresh = [_written_anew(row, smaller) for place, row, smaller in changes if _gone(session, place, row, smaller)]
        session.add_all(fresh)


def _gone(session: Session, place: Sequence[Any], row: ViewRow | EntryRow, smaller: Mapping[str, bytes]) -> bool:
    """Delete a row, if it is as it was.  What is written in its place lies dense: one that shrinks frees no page."""
    as_it_was = [getattr(type(row), name) == getattr(row, name) for name in smaller]
    deleted = delete(type(row)).where(*place, *as_it_was).returning(type(row).game_id)
    return session.execute(deleted).first() is not None


def _written_anew(row: ViewRow | EntryRow, smaller: Mapping[str, bytes]) -> ViewRow | EntryRow:
    mapper: Mapper[Any] = inspect(type(row))
    as_it_was = {column.key: getattr(row, column.key) for column in mapper.column_attrs}
    return type(row)(**as_it_was | dict(smaller))


def _views(services: Services, session: Session, game: str, first: int, until: int) -> Iterator[Change]:
    its = ViewRow.game_id == game, ViewRow.entry >= first, ViewRow.entry < until
    rows = session.scalars(select(ViewRow).where(*its, ViewRow.kind.in_(("view", "events")))).all()
    common = {row.entry: opened_view(services, row) for row in rows if (row.viewer, row.kind) == (PUBLIC, "view")}
    own = services.playing
    for row in rows:
        context = ViewContext(row.game_id, row.entry, row.viewer, row.kind)
        beside = common.get(row.entry, b"") if row.kind == "view" and row.viewer != PUBLIC else b""
        plain = open_view(own.view, own.verify, context, row.sealed, beside)
        place = ViewRow.game_id == game, ViewRow.viewer == row.viewer, ViewRow.kind == row.kind
        smaller = seal_view(own.view, own.signing, context, plain, beside=beside, opened=True)
        yield (*place, ViewRow.entry == row.entry), row, {"sealed": smaller}


def _journal(services: Services, session: Session, game: Game, first: int, until: int) -> Iterator[Change]:
    keys = game_keys(services, game)
    its = EntryRow.game_id == game.id, EntryRow.number >= first, EntryRow.number < until
    for row in session.scalars(select(EntryRow).where(*its)):
        smaller = {column: _anew(keys, row, kind, getattr(row, column)) for kind, column in _PARTS.items()}
        yield (EntryRow.game_id == game.id, EntryRow.number == row.number), row, smaller


def _anew(keys: GameKeys, row: EntryRow, kind: str, sealed: bytes) -> bytes:
    plain = open_entry(keys.position, row.game_id, row.number, kind, sealed)
    return seal_entry(keys.position, row.game_id, row.number, kind, plain, opened=True)
