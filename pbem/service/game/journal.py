"""A game's journal: reading where it stands, and appending what happened.  Play workers only.

An entry is, in one transaction: the snapshot and the whole record under the game's own key; the part that
everybody may have, in the clear; the link that chains it to the entry before.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.events import Event
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.position import Position
from engine.kernel.rules import Meta
from engine.kernel.run import Advance
from engine.kernel.secrets import redact
from pbem.archive.entries import Counted as Counted
from pbem.archive.entries import Filed as Filed
from pbem.archive.entries import PublicPart as PublicPart
from pbem.archive.entries import Record as Record
from pbem.service.base.services import Services
from pbem.store import games
from pbem.store.columns import columns
from pbem.store.models import EntryRow, Game
from pbem.vault import (
    GENESIS,
    EntryLink,
    EntryPlace,
    EntrySalts,
    GameKeys,
    WrappedGameKeys,
    entry_digest,
    open_entry,
    open_game_keys,
    rewrap,
    seal_entry,
)


def game_keys(services: Services, game: Game) -> GameKeys:
    """Open the keys of a game; raises NotOurs, Tampered."""
    if game.keys is None:
        raise LookupError(f"game {game.id} has no keys yet")
    return open_game_keys(services.playing.master, game.id, WrappedGameKeys.from_bytes(game.keys))


_POSITION = select(EntryRow.position_sealed).where(
    EntryRow.game_id == bindparam("game"), EntryRow.number == bindparam("number")
)


def position_of(session: Session, keys: GameKeys, game: Game) -> Position[Any]:
    """Where the game stands after its last entry."""
    return position_at(session, keys, game, game.entry)


def position_at(session: Session, keys: GameKeys, game: Game, number: int) -> Position[Any]:
    """Where a game stood after an entry."""
    [(sealed,)] = columns(session, _POSITION, {"game": game.id, "number": number})
    position: Position[Any] = load(open_entry(keys.position, game.id, number, "position", sealed))
    return position


def record_of(session: Session, keys: GameKeys, game: Game, number: int) -> Record:
    """The whole of one entry."""
    row = session.execute(
        select(EntryRow.entry_sealed).where(EntryRow.game_id == game.id, EntryRow.number == number)
    ).scalar_one()
    record: Record = load(open_entry(keys.position, game.id, number, "record", row))
    return record


def append(
    session: Session,
    keys: GameKeys,
    game: Game,
    made: Advance[Any],
    record: Record,
    meta: Meta,
) -> None:
    """Add one entry; the game's number of entries goes up by one."""
    previous = _last_digest(session, game)
    public = PublicPart(
        game.id,
        record.number,
        record.gate,
        record.made_at,
        tuple(c.seat for c in record.counted if c.how == "default"),
        redact(made.events, PUBLIC),
    )
    private = told_to(made.events, made.position.core.seats)
    whole, shown = dump(record).encode(), dump(public).encode()
    salts = EntrySalts.fresh(private)
    place = EntryPlace(game.id, record.number)
    link = entry_digest(place, previous, shown, private, whole, salts)
    facts = dump(record.events).encode() if wordless(meta, record.events) else b""
    games.append(session, _row(keys, game, record, made.position, shown, link, salts, whole, facts))
    game.entry = record.number


def wordless(meta: Meta, events: Iterable[Event]) -> bool:
    """Return True if these facts hold no words of anybody's own choice, and so may be compressed."""
    return meta.wordless and not any(event.worded for event in events)


def told_to(events: tuple[Event, ...], seats: Iterable[str]) -> dict[str, bytes]:
    """What each seat may have of these facts, as the text that the chain commits to."""
    return {str(seat): dump(redact(events, Seat(seat))).encode() for seat in seats}


def _row(
    keys: GameKeys,
    game: Game,
    record: Record,
    position: Position[Any],
    shown: bytes,
    link: EntryLink,
    salts: EntrySalts,
    whole: bytes,
    facts: bytes,
) -> EntryRow:
    number = record.number
    return EntryRow(
        game_id=game.id,
        number=number,
        gate=record.gate,
        made_at=record.made_at,
        public=shown,
        link=link.to_bytes(),
        entry_sealed=seal_entry(keys.position, game.id, number, "record", whole, wordless=facts),
        position_sealed=seal_entry(keys.position, game.id, number, "position", dump(position).encode(), compress=True),
        salts_sealed=seal_entry(keys.position, game.id, number, "salts", salts.to_bytes()),
    )


def _last_digest(session: Session, game: Game) -> bytes:
    if game.entry == 0:
        return GENESIS
    row = games.link(session, game.id, game.entry)
    if row is None:
        raise LookupError(f"game {game.id} has no entry {game.entry}")
    return EntryLink.from_bytes(row).digest


def root_of(session: Session, game: Game) -> str:
    """The digest of the last entry, in hex: a reader who keeps it can tell whether the journal was rewritten."""
    return _last_digest(session, game).hex()


Told = Mapping[str, tuple[tuple[int, Event], ...]]
"""What each viewer is told, with the numbers of the entries."""


def rewrap_all(services: Services) -> int:
    """Wrap every game's keys under the newest master key; how many games that were.

    One transaction a game, so that a running server is not held up; begun again, it goes on where it ended.
    Raises NotOurs without the keys of play, Tampered or UnknownKey for a game whose keys do not open.
    """
    master = services.playing.master
    with services.db.reading() as session:
        games = list(session.scalars(select(Game.id).where(Game.keys.is_not(None)).order_by(Game.id)))
    for game_id in games:
        with services.db.writing() as session:
            game = session.scalars(select(Game).where(Game.id == game_id).with_for_update()).one()
            game.keys = rewrap(master, WrappedGameKeys.from_bytes(game.keys or b"")).to_bytes()
    return len(games)
