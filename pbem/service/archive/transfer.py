"""A game on another server: opened to be looked at, or moved there to be played on.

A file for another server holds, besides the public part, the private part sealed to that server's resolver key: the
whole journal, and who sits where.  A game handed over is played here no more; its sealed orders are destroyed unread,
and every seat is asked again by the server that takes it up, under keys that it made itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, get_args

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump
from engine.kernel.languages import LANGUAGES
from engine.kernel.options import BY_BEACON, DRAWS
from engine.kernel.rules import Meta
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from pbem.archive import container
from pbem.archive.container import NotAnArchive, to_canonical_json
from pbem.archive.contents import WHOLE, Archive, parse
from pbem.archive.entries import ORDERS
from pbem.archive.verify import verify_contents
from pbem.common.addresses import is_address, is_bot, is_guest
from pbem.common.states import GameState
from pbem.common.text import strip_invisible, to_name
from pbem.crypto import (
    CryptoError,
    GameKeys,
    ResolverPublicKey,
    VerifyKeys,
    create_game_keys,
    seal_entry,
    unwrap_game_keys,
)
from pbem.crypto.encoding import encode_tuple
from pbem.crypto.keys import RESOLVER_ONLY
from pbem.crypto.sealed_orders import OrdersKind
from pbem.crypto.tokens import ALPHABET
from pbem.service.access import permissions, users
from pbem.service.archive import search
from pbem.service.archive.files import ArchiveError, build_archive, private_part, store_file
from pbem.service.base.calendar import DAY_MS, LONGEST_H, parse_schedule
from pbem.service.base.services import Services
from pbem.service.game import checkpoints, journal, sealed_orders, seat_views
from pbem.service.game.clock_state import schedule_bot
from pbem.service.game.journal import is_compressible
from pbem.service.mail import assembly
from pbem.service.mail.assembly import ReportData
from pbem.service.mail.outbox import enqueue
from pbem.service.messages import conversations
from pbem.service.messages.messages import clean_text
from pbem.service.resolver import resolution, turn_statistics
from pbem.service.seats import bots
from pbem.service.seats.tables import LONGEST_TITLE
from pbem.store.games import load_seats, lock_game, occupied_seats
from pbem.store.models import (
    AuditEntry,
    Base,
    Game,
    JournalEntry,
    OrderRevision,
    PendingDraw,
    QuestionRow,
    SeatRow,
    SeatView,
    User,
    column_length,
)
from pbem.store.versions import ConflictError

_WHAT: Final = "moved game"
_END_OF_TIME: Final = int(datetime.max.replace(tzinfo=UTC).timestamp()) * 1000 - DAY_MS
"""Up to when a moment can be told in every zone."""
_KEPT: Final = ("visible_from_entry", "time_bank_ms", "excused_misses", "missed")
"""What goes with a seat: since when it is known to its player, and the state of its clock."""


@dataclass(frozen=True)
class ImportedGame:
    """A game that was brought in: `running` (it is played here from now on) or `archived` (to look at).

    `by`: the public signing key, in hex, of the resolver role that sealed it to us; empty for a file to look at.
    """

    game: str
    state: GameState
    by: str = ""


def load_own_key(services: Services) -> str:
    """Return the key, in hex, to which another server seals a game for this one."""
    return services.resolver_keys.opening.public_key().hex()


# --- handing over


def export(services: Services, game_id: str, key: str) -> bytes:
    """Export a running game for the server of a key, and stop playing it here. Return the file. Raises ArchiveError."""
    recipient = _public_key(key)
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is None or game.state != GameState.RUNNING:
            raise ArchiveError(f"Game {game_id} is not running here: only a running game can be played on elsewhere.")
        if is_guest(session.get_one(User, game.host_id).email):
            raise ArchiveError(f"Game {game_id} is for practice: its guest has no address to go on with elsewhere.")
        if session.get(PendingDraw, game_id) is not None:
            raise ArchiveError(f"Game {game_id} waits for a round of the beacon: try again once it is drawn.")
        archive = build_archive(services, session, game)
        inside = replace(private_part(services, session, game, archive), moving=_transfer_content(session, game))
        sealed = recipient.seal(
            services.resolver_keys.signing, _WHAT, _describe_place(archive), container.build_container(inside.members())
        )
        _mark_transferred(session, game)
    by = services.resolver_keys.signing.public_bytes().hex()
    return container.build_container(
        replace(archive, sealed={"to": recipient.raw.hex(), "by": by, "ciphertext": sealed.hex()}).members()
    )


def _public_key(key: str) -> ResolverPublicKey:
    try:
        return ResolverPublicKey(bytes.fromhex(key))
    except (ValueError, CryptoError):
        raise ArchiveError(
            "This is no key of a server: it has 64 hexadecimal digits, and `pbem transfer key` prints it there."
        ) from None


def _describe_place(archive: Archive) -> bytes:
    """What the seal is bound to: the game, and where its journal stands."""
    return encode_tuple(
        "pbem moved game 1", archive.manifest.game, archive.manifest.entries, archive.publics[-1].link.digest
    )


def _mark_transferred(session: Session, game: Game) -> None:
    """Nothing of the game waits here any more."""
    sealed_orders.delete_for_game(session, game.id)
    session.execute(delete(QuestionRow).where(QuestionRow.game_id == game.id))
    game.state, game.resolve_requested_at, game.orders_checkpoint = GameState.TRANSFERRED, None, None


def _transfer_content(session: Session, game: Game) -> dict[str, Any]:
    """Who sits where, how long questions may wait, and how many revisions each place has had."""
    host = session.get_one(User, game.host_id)
    sitting = [
        {"seat": row.seat, "address": user.email, "name": user.name, "language": user.language, "zone": user.time_zone}
        | {field: getattr(row, field) for field in _KEPT}
        for row, user in occupied_seats(session, game.id)
    ]
    rows = session.scalars(select(OrderRevision).where(OrderRevision.game_id == game.id))
    filed = sorted([row.gate, row.seat, row.kind, row.revision] for row in rows)
    timing = {"hours": game.deadline_hours, "schedule": dict(game.schedule)}
    return {"host": host.email, **timing, "sitting": sitting, "filed": filed}


def cancel(services: Services, game_id: str) -> None:
    """Play a game here again whose file was handed over and never taken up elsewhere. Raises ArchiveError."""
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is None or game.state != GameState.TRANSFERRED:
            raise ArchiveError(f"Game {game_id} was not handed over from here.")
        game.state = GameState.RUNNING
        _reopen_questions(services, session, game)
    services.enqueue("send_outbound_emails", "")


# --- bringing in


def import_game(services: Services, blob: bytes, host: str = "", by: str = "") -> ImportedGame:
    """Open a file here. Raises ArchiveError, in a sentence, for one that does not verify or is here already.

    `host`: the address of a person who wants to look at it; a game to be played on keeps its own.  `by`: if given, the
    signing key of the server that must have sealed it.
    """
    try:
        book = parse(blob)
        sealed = book.sealed is not None
        book = replace(book, moving=None) if book.sealed is None else _unseal(services, book, book.sealed, by)
    except NotAnArchive as error:
        raise ArchiveError(str(error)) from None
    if book.manifest.holds != WHOLE:
        raise ArchiveError(
            "The file holds what everybody may have of a running game: it can be verified now, and looked at once it "
            "is over."
        )
    _validate(services, book)
    if sealed and book.manifest.options.get(DRAWS.name) == BY_BEACON and not services.beacon:
        raise ArchiveError("Its table draws with the public beacon, which this server does not ask: set PBEM_BEACONS.")
    with services.db.transaction() as session:
        if session.get(Game, book.manifest.game) is not None:
            raise ArchiveError(f"Game {book.manifest.game} is on this server already.")
        game = _import_rows(services, session, book, host or f"archive@{services.mail_domain}")
        if sealed:
            _reopen_questions(services, session, game)
    services.enqueue("send_outbound_emails", "")
    if not sealed:
        with suppress(ConflictError):  # the daily tidying has it made
            store_file(services, game.id)
        search.index_game(services, game.id)
    return ImportedGame(game.id, game.state, (book.sealed or {}).get("by", ""))


def _unseal(services: Services, book: Archive, sealed: Mapping[str, str], by: str) -> Archive:
    """The private part of a file that was sealed to us."""
    if by and sealed["by"] != by.strip().lower():
        raise ArchiveError("The file was sealed by another server than the one that was named.")
    try:
        sender = VerifyKeys([("resolver", bytes.fromhex(sealed["by"]))])
        ciphertext = bytes.fromhex(sealed["ciphertext"])
        _, plain = services.resolver_keys.opening.open(sender, RESOLVER_ONLY, _WHAT, _describe_place(book), ciphertext)
    except (CryptoError, ValueError) as error:
        raise ArchiveError(f"The private part was not sealed to this server, or was altered. ({error})") from None
    inside = parse(plain)
    if inside.moving is None or inside.publics != book.publics:
        raise ArchiveError("The private part is not that of the game that the file shows.")
    return replace(inside, sealed=sealed)


def _validate(services: Services, book: Archive) -> None:
    """Nothing is taken in that does not prove what it says, or that no server would have written."""
    wrong = [f for f in verify_contents(book, installed=services.installed) if not f.holds]
    if wrong:
        raise ArchiveError(f"The file does not verify ({wrong[0].claim}): {wrong[0].faults[0]}")
    try:
        strange = next(_list_strange(services, book), "")
    except Exception as error:  # noqa: BLE001 - whatever a strange file does to its reader, it is none of a server's
        strange = f"something ({type(error).__name__})"
    if strange:
        raise ArchiveError(f"The file holds {strange} that no server writes.")


def _list_strange(services: Services, book: Archive) -> Iterator[str]:
    """What a file says beside what its chain binds, and what pages and letters of this server could not show."""
    manifest = book.manifest
    if len(manifest.game) != column_length(Game, "id") or set(manifest.game) - set(ALPHABET):
        yield "a number of a game"
    if not (manifest.title and _fits(manifest.title, Game, "title")):
        yield "a title"
    if not all(_fits(name, User, "name") for _, name in manifest.seats):
        yield "a name"
    offered = {option.name: option.values for option in services.rules(manifest.rules).meta.options}
    if any(value not in offered.get(name, (value,)) for name, value in manifest.options.items()):
        yield "an option"
    moments = [manifest.created_at, manifest.started_at, manifest.ended_at]
    moments += [public.plain["created_at"] for public in book.publics]
    moments += [line["at"] * 1000 for line in book.press] + [line["created_at"] for line in book.audit]
    if not all(moment is None or 0 <= moment < _END_OF_TIME for moment in moments):
        yield "a moment"
    if book.seed is not None and not all(_fits(words, SeatRow, "seed_words") for _, words, _ in book.seed.joiners):
        yield "words for the deal"
    for line in book.press:
        named = all(_fits(name, User, "name") for name in (line["name"], line["seat"], *line["to"]))
        if not named or clean_text(line["text"]) != line["text"] or not 0 <= line["entry"] <= manifest.entries:
            yield "a message"
    for line in book.audit:
        fits = all(_fits(text, AuditEntry, name) for name, text in line.items() if type(text) is str)
        if not fits or not 0 <= line["entry"] <= manifest.entries:
            yield "an act of a master"
    if book.moving is not None:
        yield from _list_strange_moves(book, book.moving)


def _list_strange_moves(book: Archive, moving: Mapping[str, Any]) -> Iterator[str]:
    hours, sitting = moving["hours"], moving["sitting"]
    if hours is not None and not (type(hours) is int and 1 <= hours <= LONGEST_H):
        yield "a schedule"
    if parse_schedule(moving["schedule"], hours).to_json() != parse_schedule({}, hours).to_json() | moving["schedule"]:
        yield "a schedule"
    if not is_address(moving["host"]) or {row["seat"] for row in sitting} - set(book.manifest.order):
        yield "a host or a player"
    for row in sitting:
        known = row["language"] in LANGUAGES and users.is_zone(row["zone"]) and _fits(row["name"], User, "name")
        if not known or not (is_bot(row["address"]) or is_address(row["address"])):
            yield "a host or a player"
        if not all(row[field] is None or (type(row[field]) is int and row[field] >= 0) for field in _KEPT):
            yield "a clock"
    for gate, seat, kind, revision in moving["filed"]:
        place = _fits(gate, OrderRevision, "gate") and seat in book.manifest.order and kind in get_args(OrdersKind)
        if not place or type(revision) is not int or revision < 0:
            yield "a number of orders"


def _fits(text: str, model: type[Base], column: str) -> bool:
    """Return True if a text is one visible line, and not too long for its column."""
    return strip_invisible(text) == text and len(text) <= column_length(model, column)


def _import_rows(services: Services, session: Session, book: Archive, host: str) -> Game:
    """All rows of a game, under new keys."""
    own, manifest, moving = services.resolver_keys, book.manifest, book.moving
    wrapped = create_game_keys(own.master, own.signing, manifest.game)
    game_keys = unwrap_game_keys(own.master, manifest.game, wrapped)
    seed = book.seed
    if seed is None:
        raise ArchiveError("The file has no seed.")
    maker = users.get_or_create_user(services, session, str(moving["host"]) if moving is not None else host)
    game = Game(
        id=manifest.game,
        rules=manifest.rules,
        title=to_name(manifest.title, LONGEST_TITLE),
        options=dict(manifest.options),
        host_id=maker.id,
        state=GameState.ARCHIVED if moving is None else GameState.RUNNING,
        entry=manifest.entries,
        seed_digest=manifest.seed_digest,
        deadline_hours=moving["hours"] if moving is not None else None,
        schedule=moving["schedule"] if moving is not None else {},
        created_at=manifest.created_at,
        started_at=manifest.started_at,
        ended_at=manifest.ended_at,
        rules_version=manifest.rules_version,
        draw_mixing=book.wholes[0].record().mixing if book.wholes else ORDERS,
        keys=wrapped.to_bytes(),
        seed_ciphertext=seal_entry(game_keys.position, manifest.game, 0, "seed", seed.promised),
        resolve_attempts=0,
    )
    session.add(game)
    session.flush()
    permissions.add_master(session, game, maker.id, services.now())
    _import_seats(services, session, game, book, moving)
    checkpoints.record_holders(session, game_keys, game)
    holders = seat_views.holders_of(session, game.id)
    for number in range(1, manifest.entries + 1):
        session.add(_entry_row(game_keys, services.rules(manifest.rules).meta, book, number))
        session.add_all(_store_views(services, book, number, holders))
        turn_statistics.save(services, session, game, number, book.snapshot(number))
    session.flush()
    conversations.import_transcript(services, session, game, book.press)
    journal.import_audit(session, game.id, book.audit)
    return game


def _import_seats(
    services: Services, session: Session, game: Game, book: Archive, moving: Mapping[str, Any] | None
) -> None:
    """The players who go on here, or who played; past players are only names, and get no emails."""
    people = {row["seat"]: row for row in moving["sitting"]} if moving is not None else {}
    names = dict(book.manifest.seats)
    joined = {seat: (words, nonce) for seat, words, nonce in book.seed.joiners} if book.seed is not None else {}
    for seat in book.manifest.order:
        person, user = people.get(seat, {}), None
        if person and is_bot(person["address"]):
            user = bots.create_bot(services, session, game, "hour", person["name"])
        elif person:
            user = users.get_or_create_user(
                services, session, person["address"], person["name"], person["language"], person["zone"]
            )
        elif moving is None:
            user = users.get_or_create_user(services, session, f"{seat}.{book.manifest.game}@archive.invalid")
            user.name, user.muted_at = names[seat], services.now()
        words, nonce = joined[seat]
        session.add(
            SeatRow(
                game_id=book.manifest.game,
                seat=seat,
                user_id=user.id if user is not None else None,
                joined_at=book.manifest.started_at,
                seed_words=words,
                seed_nonce=nonce,
                last_report_entry=book.manifest.entries,
                **{field: person[field] for field in _KEPT if person},
            )
        )
    for gate, seat, kind, revision in moving["filed"] if moving is not None else ():
        session.add(OrderRevision(game_id=book.manifest.game, gate=gate, seat=seat, kind=kind, revision=revision))


def _entry_row(game_keys: GameKeys, meta: Meta, book: Archive, number: int) -> JournalEntry:
    public, whole = book.publics[number - 1], book.wholes[number - 1]
    game, key = book.manifest.game, game_keys.position
    snapshot, events = to_canonical_json(book.snapshots[number - 1]).encode(), whole.record().events
    facts = dump(events).encode() if is_compressible(meta, events) else b""
    return JournalEntry(
        game_id=game,
        number=number,
        gate=str(public.plain["gate"]),
        created_at=int(public.plain["created_at"]),
        public=public.text,
        chain_link=public.link.to_bytes(),
        entry_ciphertext=seal_entry(key, game, number, "record", whole.text, wordless=facts),
        state_ciphertext=seal_entry(key, game, number, "position", snapshot, compress=True),
        salts_ciphertext=seal_entry(key, game, number, "salts", whole.salts.to_bytes()),
    )


def _store_views(services: Services, book: Archive, number: int, holders: Mapping[str, int]) -> Sequence[SeatView]:
    """What each viewer may have of an entry and of the position after it, as the resolver would have stored it."""
    position, record = book.snapshot(number), book.wholes[number - 1].record()
    events = {
        viewer: tuple((number, event) for event in redact(record.events, viewer))
        for viewer in (*book.manifest.order, PUBLIC)
    }
    meta = services.rules(book.manifest.rules).meta
    return seat_views.store_views(
        services.resolver_keys, meta, book.manifest.game, number, position, events, {}, holders
    )


def _reopen_questions(services: Services, session: Session, game: Game) -> None:
    """Put the open questions again, with their whole time, and tell every seat where to answer from now on."""
    context = resolution.open_context(services, session, game, services.now())
    resolution.update_questions(context)
    session.flush()
    for row, user in occupied_seats(session, game.id):
        row.last_report_entry = game.entry
        if is_bot(user.email):
            schedule_bot(session, user, context.now)
            continue
        token = assembly.create_reply_token(session, game.id, row.seat, game.entry, context.now)
        enqueue(
            services,
            session,
            key=f"{game.id}.{game.entry}.{row.seat}.{context.now}.report",
            kind="report",
            facts=ReportData(token),
            user_id=user.id,
            game_id=game.id,
            seat=row.seat,
            entry=game.entry,
            since=game.entry,
        )
    for empty in (row for row in load_seats(session, game.id) if row.user_id is None):
        empty.last_report_entry = game.entry
