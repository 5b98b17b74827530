"""A game on another server: opened to be looked at, or moved there to be played on.

A file for another server holds, besides the public part, the private part sealed to that server's resolver key: the
whole journal, and who sits where.  A game handed over is played here no more; its sealed orders are destroyed unread,
and every seat is asked again by the server that takes it up, under keys that it made itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump
from engine.kernel.options import BY_BEACON, DRAWS
from engine.kernel.rules import Meta
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from pbem.archive import container
from pbem.archive.container import NotAnArchive, to_canonical_json
from pbem.archive.contents import WHOLE, Archive, parse
from pbem.archive.entries import ORDERS
from pbem.archive.verify import verify_contents
from pbem.common.states import GameState
from pbem.common.text import to_name
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
from pbem.service.archive import search
from pbem.service.archive.files import ArchiveError, build_archive, private_part, store_file
from pbem.service.base.services import Services
from pbem.service.game import checkpoints, email_context, journal, sealed_orders, seat_views
from pbem.service.game.journal import is_compressible
from pbem.service.mail.assembly import ReportData
from pbem.service.mail.outbox import enqueue
from pbem.service.messages import conversations
from pbem.service.resolver import resolution, turn_statistics
from pbem.service.seats.tables import LONGEST_TITLE, get_or_create_user
from pbem.store.games import load_seats, lock_game, occupied_seats
from pbem.store.models import Game, JournalEntry, OrderRevision, PendingDraw, QuestionRow, SeatRow, SeatView, User

_WHAT: Final = "moved game"
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
        replace(archive, sealed={"to": recipient.raw.hex(), "by": by, "parcel": sealed.hex()}).members()
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
        else:
            store_file(services, session, game)
    services.enqueue("send_outbound_emails", "")
    if not sealed:
        search.index_game(services, game.id)
    return ImportedGame(game.id, game.state, (book.sealed or {}).get("by", ""))


def _unseal(services: Services, book: Archive, sealed: Mapping[str, str], by: str) -> Archive:
    """The private part of a file that was sealed to us."""
    if by and sealed["by"] != by.strip().lower():
        raise ArchiveError("The file was sealed by another server than the one that was named.")
    try:
        sender = VerifyKeys([("resolver", bytes.fromhex(sealed["by"]))])
        parcel = bytes.fromhex(sealed["parcel"])
        _, plain = services.resolver_keys.opening.open(sender, RESOLVER_ONLY, _WHAT, _describe_place(book), parcel)
    except (CryptoError, ValueError) as error:
        raise ArchiveError(f"The private part was not sealed to this server, or was altered. ({error})") from None
    inside = parse(plain)
    if inside.moving is None or inside.publics != book.publics:
        raise ArchiveError("The private part is not that of the game that the file shows.")
    return replace(inside, sealed=sealed)


def _validate(services: Services, book: Archive) -> None:
    """Nothing is taken in that does not prove what it says."""
    wrong = [f for f in verify_contents(book, installed=services.installed) if not f.holds]
    if wrong:
        raise ArchiveError(f"The file does not verify ({wrong[0].claim}): {wrong[0].faults[0]}")


def _import_rows(services: Services, session: Session, book: Archive, host: str) -> Game:
    """All rows of a game, under new keys."""
    own, manifest, moving = services.resolver_keys, book.manifest, book.moving
    wrapped = create_game_keys(own.master, own.signing, manifest.game)
    game_keys = unwrap_game_keys(own.master, manifest.game, wrapped)
    seed = book.seed
    if seed is None:
        raise ArchiveError("The file has no seed.")
    maker = get_or_create_user(services, session, str(moving["host"]) if moving is not None else host)
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
    _import_seats(services, session, book, moving)
    checkpoints.record_holders(session, game_keys, game)
    for number in range(1, manifest.entries + 1):
        session.add(_entry_row(game_keys, services.rules(manifest.rules).meta, book, number))
        session.add_all(_store_views(services, book, number))
        turn_statistics.save(services, session, game, number, book.snapshot(number))
    session.flush()
    conversations.import_transcript(services, session, game, book.press)
    journal.import_audit(session, game.id, book.audit)
    return game


def _import_seats(services: Services, session: Session, book: Archive, moving: Mapping[str, Any] | None) -> None:
    """The players who go on here, or who played; past players are only names, and get no emails."""
    people = {row["seat"]: row for row in moving["sitting"]} if moving is not None else {}
    names = dict(book.manifest.seats)
    joined = {seat: (words, nonce) for seat, words, nonce in book.seed.joiners} if book.seed is not None else {}
    for seat in book.manifest.order:
        person, user = people.get(seat, {}), None
        if person:
            user = get_or_create_user(
                services, session, person["address"], person["name"], person["language"], person["zone"]
            )
        elif moving is None:
            user = get_or_create_user(services, session, f"{seat}.{book.manifest.game}@archive.invalid")
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


def _store_views(services: Services, book: Archive, number: int) -> Sequence[SeatView]:
    """What each viewer may have of an entry and of the position after it, as the resolver would have stored it."""
    position, record = book.snapshot(number), book.wholes[number - 1].record()
    events = {
        viewer: tuple((number, event) for event in redact(record.events, viewer))
        for viewer in (*book.manifest.order, PUBLIC)
    }
    meta = services.rules(book.manifest.rules).meta
    return seat_views.store_views(services.resolver_keys, meta, book.manifest.game, number, position, events, {})


def _reopen_questions(services: Services, session: Session, game: Game) -> None:
    """Put the open questions again, with their whole time, and tell every seat where to answer from now on."""
    context = resolution.open_context(services, session, game, services.now())
    resolution.update_questions(context)
    session.flush()
    for row, user in occupied_seats(session, game.id):
        token = email_context.create_reply_token(session, game.id, row.seat, game.entry, context.now)
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
        row.last_report_entry = game.entry
    for empty in (row for row in load_seats(session, game.id) if row.user_id is None):
        empty.last_report_entry = game.entry
