"""A game as a file: written from the journal, for a finished game whole, for a running one what everybody may have.

The resolver's keys are needed for all but the public part.  `pbem.archive` verifies the files without any of this.

Also the compaction of a game that is over.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.secrets import redact_for_all
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive import container
from pbem.archive.contents import PUBLIC_ONLY, WHOLE, Archive, EntryPrivate, EntryPublic, Manifest, SeatPart, Seed, pack
from pbem.common.states import OPENED
from pbem.crypto import (
    ChainLink,
    EntryId,
    EntrySalts,
    GameKeys,
    View,
    ViewContext,
    seal_entry,
    seal_view,
    seal_views,
    unseal_entry,
    unseal_view,
)
from pbem.service.base.game_states import missing_rules
from pbem.service.base.services import Services
from pbem.service.game import journal
from pbem.service.game.journal import dump_visible, load_game_keys, visible_events
from pbem.service.game.seat_views import unseal_view_row
from pbem.service.mail.assembly import digest_of_entry
from pbem.service.messages import conversations
from pbem.store.games import load_game, load_seats, name_of_seat
from pbem.store.models import Game, JournalEntry, SeatRow, SeatView


class ArchiveError(Exception):
    """What was asked cannot be done with this game or file; the text is a sentence."""


def export_game(services: Services, game_id: str, seat: str = "") -> bytes:
    """Return the file of a game: whole if it is over, else the public part, with one `seat`'s own part.

    Raises ArchiveError.
    """
    with services.db.snapshot() as session:
        return container.build_container(build_archive(services, session, _load_game(session, game_id), seat).members())


def store_file(services: Services, game_id: str) -> bool:
    """Store a finished game's file where the web server can hand it out, once. Return False if there is nothing to do.

    Resolver only.  It is made without a lock; raises ConflictError if something of the game, or of a person in it, has
    changed meanwhile.  It may be compressed before it is sealed, whatever words players chose: nothing in it is secret
    any more.
    """
    with services.db.prepare() as snapshot:
        game = load_game(snapshot, game_id)
        if game is None or game.state not in OPENED or _has_file(snapshot, game) or missing_rules(services, game):
            return False
        blob, own = container.build_container(build_archive(services, snapshot, game).members()), services.resolver_keys
        place = ViewContext(game.id, game.entry, PUBLIC, "file")
        sealed = seal_view(own.view, own.signing, place, blob, compress=True)
        row = SeatView(game_id=game.id, viewer=PUBLIC, kind="file", entry=game.entry, holder=0, ciphertext=sealed)
        snapshot.add(row)
        prepared = snapshot.to_write_set()
    services.fault_point("files.prepared")
    with services.db.transaction() as session:
        prepared.apply(session)
        services.fault_point("files.before_commit")
    services.fault_point("files.after_commit")
    return True


def _has_file(session: Session, game: Game) -> bool:
    its = SeatView.game_id == game.id, SeatView.viewer == PUBLIC, SeatView.kind == "file", SeatView.entry == game.entry
    return session.scalar(select(SeatView.entry).where(*its)) is not None


def load_file(services: Services, game_id: str) -> bytes | None:
    """Load the stored file of a finished game. Return None if there is none. The caller has checked permissions."""
    with services.db.snapshot() as session:
        query = select(SeatView).where(SeatView.game_id == game_id, SeatView.viewer == PUBLIC, SeatView.kind == "file")
        row = session.scalars(query.order_by(SeatView.entry.desc()).limit(1)).first()
        return unseal_view_row(services, row) if row is not None else None


def _load_game(session: Session, game_id: str) -> Game:
    game = session.get(Game, game_id)
    if game is None:
        raise ArchiveError(f"There is no game {game_id}; `pbem game list` names those there are.")
    if not game.entry:
        raise ArchiveError(f"Game {game_id} has not begun: there is nothing to write down yet.")
    return game


def build_archive(services: Services, session: Session, game: Game, seat: str = "") -> Archive:
    """Build the archive of a game: whole if it is over, else the public part, with one `seat`'s own part."""
    public = _build_public(session, game)
    press = conversations.export_transcript(services, session, game, whole=False)
    public = replace(public, press=press, audit=journal.load_audit(session, game.id))
    if game.state in OPENED:
        return private_part(services, session, game, public)
    if not seat:
        return public
    if seat not in public.manifest.order:
        raise ArchiveError(f"Game {game.id} has no seat {seat}; it has {', '.join(public.manifest.order)}.")
    game_keys = load_game_keys(services, game)
    parts = tuple(_seat_part(game_keys, row, seat) for row in _entries(session, game))
    owner = next((row.user_id for row in load_seats(session, game.id) if row.seat == seat), None)
    heard = conversations.export_transcript(services, session, game, whole=False, user_id=owner or 0)
    return replace(public, manifest=replace(public.manifest, holds=seat), parts=parts, press=heard)


def private_part(services: Services, session: Session, game: Game, public: Archive) -> Archive:
    """Build the whole archive of a game, over or not; the other server of a transfer needs it while the game runs."""
    game_keys = load_game_keys(services, game)
    rows = _entries(session, game)
    promised = unseal_entry(game_keys.position, game.id, 0, "seed", bytes(game.seed_ciphertext or b""))
    joiners = tuple((row.seat, row.seed_words, row.seed_nonce or b"") for row in load_seats(session, game.id))
    return replace(
        public,
        manifest=replace(public.manifest, holds=WHOLE),
        wholes=tuple(_entry_private(game_keys, row) for row in rows),
        snapshots=tuple(_snapshot(game_keys, row) for row in rows),
        seed=Seed(promised, joiners),
        press=conversations.export_transcript(services, session, game, whole=True, moving=game.state not in OPENED),
    )


def head_digest(services: Services, manifest: Manifest) -> str:
    """Return the digest of a file's last entry in this server's journal. Raises ArchiveError."""
    with services.db.snapshot() as session:
        digest = digest_of_entry(session, manifest.game, manifest.entries)
    if not digest:
        raise ArchiveError(f"The server there has no entry {manifest.entries} of game {manifest.game}.")
    return digest


def _entries(session: Session, game: Game) -> list[JournalEntry]:
    return list(
        session.scalars(select(JournalEntry).where(JournalEntry.game_id == game.id).order_by(JournalEntry.number))
    )


def _build_public(session: Session, game: Game) -> Archive:
    names = {row.seat: _seat_name(session, row) for row in load_seats(session, game.id)}
    manifest = Manifest(
        game=game.id,
        rules=game.rules,
        rules_version=game.rules_version,
        title=game.title,
        options={name: str(value) for name, value in game.options.items()},
        seats=tuple((Seat(seat), name) for seat, name in names.items()),
        state="over" if game.state in OPENED else "running",
        holds=PUBLIC_ONLY,
        entries=game.entry,
        seed_digest=game.seed_digest or "",
        created_at=game.created_at,
        started_at=game.started_at,
        ended_at=game.ended_at,
    )
    entries = (
        EntryPublic(EntryId(game.id, row.number), json.loads(row.public), ChainLink.from_bytes(row.chain_link))
        for row in _entries(session, game)
    )
    return Archive(manifest, tuple(entries))


def _seat_name(session: Session, row: SeatRow) -> str:
    """Their player's name; of one who was forgotten it is the seat's."""
    return name_of_seat(session, row) if row.user_id is not None else ""


def _load_salts(game_keys: GameKeys, row: JournalEntry) -> EntrySalts:
    return EntrySalts.from_bytes(
        unseal_entry(game_keys.position, row.game_id, row.number, "salts", row.salts_ciphertext)
    )


def _snapshot(game_keys: GameKeys, row: JournalEntry) -> Any:
    return json.loads(unseal_entry(game_keys.position, row.game_id, row.number, "position", row.state_ciphertext))


def _entry_private(game_keys: GameKeys, row: JournalEntry) -> EntryPrivate:
    text = unseal_entry(game_keys.position, row.game_id, row.number, "record", row.entry_ciphertext)
    events, salts = load(text).events, _load_salts(game_keys, row)
    parts = pack(dump_visible(events, redact_for_all(events, salts.seats)), [dump(event) for event in events])
    return EntryPrivate(EntryId(row.game_id, row.number), json.loads(text), parts, salts)


def _seat_part(game_keys: GameKeys, row: JournalEntry, seat: str) -> SeatPart:
    record: Any = load(unseal_entry(game_keys.position, row.game_id, row.number, "record", row.entry_ciphertext))
    visible = visible_events(record.events, [seat])[seat]
    return SeatPart(
        EntryId(row.game_id, row.number), seat, json.loads(visible), _load_salts(game_keys, row).seats[seat]
    )


AT_ONCE: Final = 20
"""Entries that are written in one transaction."""
_PARTS: Final = {"record": "entry_ciphertext", "position": "state_ciphertext", "salts": "salts_ciphertext"}
_VIEWS: Final = ("view", "events")

Smaller = dict[tuple[Any, ...], tuple[dict[str, bytes], dict[str, bytes]]]
"""By the key of a row: some of its columns as they were, and what to write instead."""


def compact(services: Services, game_id: str) -> bool:
    """Do it, if the game is over and it was not done yet; whether it was.  Resolver only."""
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
    views = SeatView.game_id == game.id, SeatView.entry >= first, SeatView.entry < until, SeatView.kind.in_(_VIEWS)
    entries = JournalEntry.game_id == game.id, JournalEntry.number >= first, JournalEntry.number < until
    with services.db.snapshot() as session:
        smaller_views = _compact_views(services, session.scalars(select(SeatView).where(*views)).all())
        smaller_entries = _compact_entries(services, game, session.scalars(select(JournalEntry).where(*entries)).all())
    with services.db.transaction() as session:
        _rewrite(session, SeatView, views, smaller_views)
        _rewrite(session, JournalEntry, entries, smaller_entries)


def _rewrite(
    session: Session, model: type[SeatView | JournalEntry], where: Sequence[Any], smaller: Mapping[Any, Any]
) -> None:
    """Delete rows and write them again, smaller if they are as they were: a row that shrinks in place frees no page."""
    table, rows = cast(Table, model.__table__), []
    for row in session.execute(delete(table).where(*where).returning(table)).mappings():
        as_it_was, wanted = smaller.get(tuple(row[column.name] for column in table.primary_key), ({}, {}))
        unchanged = all(row[name] == value for name, value in as_it_was.items())
        rows.append({**row, **wanted} if unchanged else dict(row))
    if rows:
        session.execute(insert(table), rows)


def _compact_views(services: Services, rows: Sequence[SeatView]) -> Smaller:
    common = {row.entry: unseal_view_row(services, row) for row in rows if (row.viewer, row.kind) == (PUBLIC, "view")}
    own, views = services.resolver_keys, list[View]()
    for row in rows:
        context = ViewContext(row.game_id, row.entry, row.viewer, row.kind, row.holder)
        base = common.get(row.entry, b"") if row.kind == "view" and row.viewer != PUBLIC else b""
        plain = unseal_view(own.view, own.verify, context, row.ciphertext, base)
        views.append(View(context, plain, base=base, base_plain=True))
    return {
        (row.game_id, row.viewer, row.kind, row.entry): ({"ciphertext": row.ciphertext}, {"ciphertext": sealed})
        for row, sealed in zip(rows, seal_views(own.view, own.signing, views, apart=True), strict=True)
    }


def _compact_entries(services: Services, game: Game, rows: Sequence[JournalEntry]) -> Smaller:
    game_keys, smaller = load_game_keys(services, game), Smaller()
    for row in rows:
        sealed = {column: getattr(row, column) for column in _PARTS.values()}
        again = {column: _reencrypt(game_keys, row, kind, sealed[column]) for kind, column in _PARTS.items()}
        smaller[row.game_id, row.number] = sealed, again
    return smaller


def _reencrypt(game_keys: GameKeys, row: JournalEntry, kind: str, sealed: bytes) -> bytes:
    plain = unseal_entry(game_keys.position, row.game_id, row.number, kind, sealed)
    return seal_entry(game_keys.position, row.game_id, row.number, kind, plain, opened=True)
