"""A game that is over, kept as small as can be: nothing in it is secret any more, so no length has to be hidden.

What lies there stays the same: its journal, from which its file is written byte for byte, and what each viewer was
shown and told.  Each row is written by itself and opens before and after, so this may be cut short anywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, inspect, select, update
from sqlalchemy.orm import Mapper, Session

from engine.kernel.viewers import PUBLIC
from pbem.common.states import OPENED
from pbem.crypto import (
    GameKeys,
    ViewContext,
    seal_entry,
    seal_view,
    unseal_entry,
    unseal_view,
)
from pbem.service.base.game_availability import missing_rules
from pbem.service.base.services import Services
from pbem.service.game.journal import load_game_keys
from pbem.service.game.seat_views import unseal_view_row
from pbem.store.models import Game, JournalEntry, SeatView

AT_ONCE: Final = 20
"""Entries that are written in one transaction."""
_PARTS: Final = {"record": "entry_sealed", "position": "position_sealed", "salts": "salts_sealed"}

RowChange = tuple[Any, SeatView | JournalEntry, dict[str, bytes]]


def compact(services: Services, game_id: str) -> bool:
    """Do it, if the game is over and it was not done yet; whether it was.  Play only."""
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if game is None or game.state not in OPENED or game.compacted_at is not None or missing_rules(services, game):
            return False
    for first in range(1, game.entry + 1, AT_ONCE):
        _compact_some(services, game, first, first + AT_ONCE)
    with services.db.transaction() as session:
        session.execute(update(Game).where(Game.id == game_id).values(compacted_at=services.now()))
    return True


def _compact_some(services: Services, game: Game, first: int, until: int) -> None:
    """The entries from one up to another, which is not among them; sealed before the lock is taken."""
    with services.db.snapshot() as session:
        changes = [
            *_compact_views(services, session, game.id, first, until),
            *_compact_journal(services, session, game, first, until),
        ]
    with services.db.transaction() as session:
        fresh = [
            _rewrite(row, smaller) for place, row, smaller in changes if _unneeded_rows(session, place, row, smaller)
        ]
        session.add_all(fresh)


def _unneeded_rows(
    session: Session, place: Sequence[Any], row: SeatView | JournalEntry, smaller: Mapping[str, bytes]
) -> bool:
    """Delete a row, if it is as it was.  What is written in its place lies dense: one that shrinks frees no page."""
    as_it_was = [getattr(type(row), name) == getattr(row, name) for name in smaller]
    deleted = delete(type(row)).where(*place, *as_it_was).returning(type(row).game_id)
    return session.execute(deleted).first() is not None


def _rewrite(row: SeatView | JournalEntry, smaller: Mapping[str, bytes]) -> SeatView | JournalEntry:
    mapper: Mapper[Any] = inspect(type(row))
    as_it_was = {column.key: getattr(row, column.key) for column in mapper.column_attrs}
    return type(row)(**as_it_was | dict(smaller))


def _compact_views(services: Services, session: Session, game: str, first: int, until: int) -> Iterator[RowChange]:
    its = SeatView.game_id == game, SeatView.entry >= first, SeatView.entry < until
    rows = session.scalars(select(SeatView).where(*its, SeatView.kind.in_(("view", "events")))).all()
    common = {row.entry: unseal_view_row(services, row) for row in rows if (row.viewer, row.kind) == (PUBLIC, "view")}
    own = services.resolver_keys
    for row in rows:
        context = ViewContext(row.game_id, row.entry, row.viewer, row.kind)
        beside = common.get(row.entry, b"") if row.kind == "view" and row.viewer != PUBLIC else b""
        plain = unseal_view(own.view, own.verify, context, row.sealed, beside)
        place = SeatView.game_id == game, SeatView.viewer == row.viewer, SeatView.kind == row.kind
        smaller = seal_view(own.view, own.signing, context, plain, beside=beside, opened=True)
        yield (*place, SeatView.entry == row.entry), row, {"sealed": smaller}


def _compact_journal(services: Services, session: Session, game: Game, first: int, until: int) -> Iterator[RowChange]:
    keys = load_game_keys(services, game)
    its = JournalEntry.game_id == game.id, JournalEntry.number >= first, JournalEntry.number < until
    for row in session.scalars(select(JournalEntry).where(*its)):
        smaller = {column: _reencrypt(keys, row, kind, getattr(row, column)) for kind, column in _PARTS.items()}
        yield (JournalEntry.game_id == game.id, JournalEntry.number == row.number), row, smaller


def _reencrypt(keys: GameKeys, row: JournalEntry, kind: str, sealed: bytes) -> bytes:
    plain = unseal_entry(keys.position, row.game_id, row.number, kind, sealed)
    return seal_entry(keys.position, row.game_id, row.number, kind, plain, opened=True)
