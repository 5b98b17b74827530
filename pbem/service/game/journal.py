"""A game's journal: reading where it stands, and appending what happened.  Resolver only.

An entry is, in one transaction: the snapshot and the whole record under the game's own key; the part that
everybody may have, in the clear; the link that chains it to the entry before.

The audit of its masters' acts is kept beside it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.events import Event
from engine.kernel.position import Position
from engine.kernel.rules import Meta
from engine.kernel.run import Advance
from engine.kernel.secrets import redact_for_all
from engine.kernel.viewers import PUBLIC, Viewer
from pbem.archive.entries import EntryRecord, PublicPart
from pbem.crypto import (
    GENESIS,
    ChainLink,
    EntryId,
    EntrySalts,
    GameKeys,
    WrappedGameKeys,
    hash_entry,
    rewrap,
    seal_entry,
    unseal_entry,
    unwrap_game_keys,
)
from pbem.narration.facts import Message
from pbem.service.base.services import Services
from pbem.store import games
from pbem.store.models import AuditEntry, Game, JournalEntry
from pbem.store.query_cache import cached


def load_game_keys(services: Services, game: Game) -> GameKeys:
    """Open the keys of a game; raises MissingKeyError, TamperedError."""
    if game.keys is None:
        raise LookupError(f"game {game.id} has no keys yet")
    return unwrap_game_keys(services.resolver_keys.master, game.id, WrappedGameKeys.from_bytes(game.keys))


_POSITION = select(JournalEntry.state_ciphertext).where(
    JournalEntry.game_id == bindparam("game"), JournalEntry.number == bindparam("number")
)


def load_state(session: Session, keys: GameKeys, game: Game) -> Position[Any]:
    """Where the game stands after its last entry."""
    return load_state_at(session, keys, game, game.entry)


def load_state_at(session: Session, keys: GameKeys, game: Game, number: int) -> Position[Any]:
    """Where a game stood after an entry."""
    sealed = session.scalars(_POSITION, {"game": game.id, "number": number}).one()
    position: Position[Any] = load(unseal_entry(keys.position, game.id, number, "position", sealed))
    return position


def load_entry(session: Session, keys: GameKeys, game: Game, number: int) -> EntryRecord:
    """The whole of one entry."""
    row = session.execute(
        select(JournalEntry.entry_ciphertext).where(JournalEntry.game_id == game.id, JournalEntry.number == number)
    ).scalar_one()
    record: EntryRecord = load(unseal_entry(keys.position, game.id, number, "record", row))
    return record


def append_entry(
    session: Session,
    keys: GameKeys,
    game: Game,
    made: Advance[Any],
    record: EntryRecord,
    meta: Meta,
    seen: Mapping[Viewer, tuple[Event, ...]],
) -> None:
    """Add one entry; the game's number of entries goes up by one.  `seen`: what each viewer may have of its facts."""
    previous = _load_last_digest(session, game)
    public = PublicPart(
        game.id,
        record.number,
        record.gate,
        record.created_at,
        tuple(c.seat for c in record.counted if c.how == "default"),
        seen[PUBLIC],
    )
    private = join_texts(dump_visible(made.events, {seat: seen[seat] for seat in made.position.core.seats}))
    whole, shown = dump(record).encode(), dump(public).encode()
    salts = EntrySalts.fresh(private)
    place = EntryId(game.id, record.number)
    link = hash_entry(place, previous, shown, private, whole, salts)
    facts = dump(record.events).encode() if is_compressible(meta, record.events) else b""
    games.append_row(session, _build_row(keys, game, record, made.position, shown, link, salts, whole, facts))
    game.entry = record.number


def is_compressible(meta: Meta, events: Iterable[Event]) -> bool:
    """Return True if these facts hold no words of anybody's own choice, and so may be compressed."""
    return meta.has_no_free_text and not any(event.has_free_text for event in events)


def visible_events(events: tuple[Event, ...], seats: Iterable[str]) -> dict[str, bytes]:
    """What each seat may have of these facts, as the text that the chain commits to."""
    return join_texts(dump_visible(events, redact_for_all(events, seats)))


def dump_visible(events: Sequence[Event], shown: Mapping[Viewer, Sequence[Event]]) -> dict[Viewer, list[str]]:
    """The texts of the facts that each seat may have; of a fact that several see alike the text is made once."""
    texts = {id(event): dump(event) for event in events}
    return {seat: [texts.get(id(event)) or dump(event) for event in seen] for seat, seen in shown.items()}


def join_texts(texts: Mapping[Viewer, Iterable[str]]) -> dict[str, bytes]:
    """The text of each seat's facts together."""
    return {seat: f"[{','.join(its)}]".encode() for seat, its in texts.items()}


def _build_row(
    keys: GameKeys,
    game: Game,
    record: EntryRecord,
    position: Position[Any],
    shown: bytes,
    link: ChainLink,
    salts: EntrySalts,
    whole: bytes,
    facts: bytes,
) -> JournalEntry:
    number = record.number
    return JournalEntry(
        game_id=game.id,
        number=number,
        gate=record.gate,
        created_at=record.created_at,
        public=shown,
        chain_link=link.to_bytes(),
        entry_ciphertext=seal_entry(keys.position, game.id, number, "record", whole, wordless=facts),
        state_ciphertext=seal_entry(keys.position, game.id, number, "position", dump(position).encode(), compress=True),
        salts_ciphertext=seal_entry(keys.position, game.id, number, "salts", salts.to_bytes()),
    )


def _load_last_digest(session: Session, game: Game) -> bytes:
    if game.entry == 0:
        return GENESIS
    row = games.load_link(session, game.id, game.entry)
    if row is None:
        raise LookupError(f"game {game.id} has no entry {game.entry}")
    return ChainLink.from_bytes(row).digest


def rewrap_game_keys(services: Services) -> int:
    """Wrap every game's keys under the newest master key; how many games that were.

    One transaction a game, so that a running server is not held up; begun again, it goes on where it ended.
    Raises MissingKeyError without the resolver's keys, TamperedError or UnknownKey for a game whose keys do not open.
    """
    master = services.resolver_keys.master
    with services.db.snapshot() as session:
        games = list(session.scalars(select(Game.id).where(Game.keys.is_not(None)).order_by(Game.id)))
    for game_id in games:
        with services.db.transaction() as session:
            game = session.scalars(select(Game).where(Game.id == game_id).with_for_update()).one()
            game.keys = rewrap(master, WrappedGameKeys.from_bytes(game.keys or b"")).to_bytes()
    return len(games)


_UNANNOUNCED = (
    select(AuditEntry.action, AuditEntry.name, AuditEntry.line)
    .where(AuditEntry.game_id == bindparam("game"), AuditEntry.outcome == "done", AuditEntry.announced_at.is_(None))
    .where(AuditEntry.entry >= bindparam("since"), AuditEntry.entry < bindparam("until"))
    .order_by(AuditEntry.id)
)


def load_unannounced_acts(session: Session, game_id: str, since: int, until: int) -> tuple[Message, ...]:
    """What masters did between two reports that no email of its own has told."""
    asked = {"game": game_id, "since": since, "until": until}
    rows = cached(session, AuditEntry, (game_id, since, until), lambda: session.execute(_UNANNOUNCED, asked).all())
    return tuple(Message("acted", {"name": row.name, "line": row.line}) for row in rows)


def load_audit(session: Session, game_id: str) -> tuple[dict[str, Any], ...]:
    """All acts of a game's masters, in order."""
    rows = session.scalars(select(AuditEntry).where(AuditEntry.game_id == game_id).order_by(AuditEntry.id))
    return tuple(
        {
            "created_at": row.created_at,
            "entry": row.entry,
            "name": row.name,
            "channel": row.channel,
            "action": row.action,
            "line": row.line,
            "outcome": row.outcome,
            "reason": row.reason,
        }
        for row in rows
    )


def import_audit(session: Session, game_id: str, audit: Iterable[Mapping[str, Any]]) -> None:
    """Take the acts of a file in; here their authors are but names.  All of the acts were told already."""
    for line in audit:
        session.add(AuditEntry(game_id=game_id, user_id=None, announced_at=line["created_at"], **line))


_ADDRESS: Final = re.compile(r'(?<![^\s@"])([^\s@"])[^\s@"]*+(@[^\s@"]+)')


def mask_addresses(line: str, *, whole: bool = False) -> str:
    """A line as everybody may read it: of an address only its beginning and its server; `whole`: nothing of it."""
    return _ADDRESS.sub("…" if whole else r"\1…\2", line)[:400]
