"""A resolver's visit to a game: whatever the game wants done now, decided on a snapshot and written at once."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.viewers import Seat
from pbem.common.states import LIVE, OPENED, GameState, OutboundState, RequestState
from pbem.crypto import (
    CryptoError,
    EmailContext,
    GameKeys,
    OwnOrdersContext,
    open_quarantined,
    seal_reply,
    verify_request,
)
from pbem.narration.facts import Message, ReceiptFacts
from pbem.service.access import permissions
from pbem.service.access.permissions import masters_of
from pbem.service.archive import files, search
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.database_access import MAX_RETRIES
from pbem.service.base.game_states import missing_rules
from pbem.service.base.services import Services
from pbem.service.game import checkpoints, clock_state
from pbem.service.game.journal import load_game_keys
from pbem.service.game.resolver_context import VerifiedRound
from pbem.service.game.seat_views import last_view
from pbem.service.game.stored_orders import StoredOrdersOfSeat, load_stored_orders
from pbem.service.mail import daily_keys
from pbem.service.mail.notifications import send_master_prompt
from pbem.service.masters import execution
from pbem.service.masters.execution import KIND
from pbem.service.masters.ruling_request import RULING, discard_unverified, list_pending
from pbem.service.resolver import beacon_draws, resolution
from pbem.service.seats import game_setup
from pbem.service.tasks import bot_turns as bots
from pbem.store.games import load_game, lock_game
from pbem.store.models import Game, OutboundEmail, OutboundEmailBody, ResolverRequest
from pbem.store.optimistic import RequiresLock, WriteSet, require_lock
from pbem.store.row_signatures import split_verified
from pbem.store.versions import ConflictError

_LOG = logging.getLogger(__name__)

FRESH_MS = 15 * MINUTE_MS
"""How old a request to read back may be; a person whose game stood still for longer asks again."""

VISIT_S = 2
"""How long a game at which somebody waits is left to the resolver that visits it."""

MOST_TRIES = 20
"""After so many failed visits a game is no longer visited by the sweep; its operator sees the trouble."""


def run(services: Services, game_id: str) -> bool:
    """Do everything that a game wants done; True if there was anything.

    What goes wrong stays with this game: its transaction is undone, the trouble is noted by its class alone.
    """
    try:
        visited = _run_once(services, game_id)
    except Exception as error:
        _record_failure(services, game_id, type(error).__name__)
        _serve_seats_only(services, game_id)
        raise
    if visited.done:
        services.enqueue("send_outbound_emails", "")
        if services.pictures:
            services.enqueue("render_picture", "")
    if visited.bots:
        bots.enqueue_due(services)
    if visited.ended and _run_chore(services, game_id):
        services.enqueue("resolve_game", game_id)  # what is left to do waits until other games have had their turn
    return visited.done


def run_by_urgency(services: Services, game_id: str) -> None:
    """Visit the games at which somebody waits for a receipt, then this one."""
    with services.db.read() as connection:
        urgent = connection.scalars(_URGENT).all()
    for other in urgent:
        if other not in (None, game_id) and services.rate_counter(f"visiting/{other}", VISIT_S) <= 1:
            with suppress(Exception):  # it is noted with its game, and must not keep others waiting
                run(services, str(other))
    run(services, game_id)


@dataclass(frozen=True)
class RunResult:
    """Whether a visit did anything, whether it has ended, be it long ago, and whether bots were told something."""

    done: bool = False
    ended: bool = False
    bots: bool = False


def _run_chore(services: Services, game_id: str) -> bool:
    """Make a finished game's file, make it known to the search, or keep it small: True if one was done.

    Also if one has to be tried again.  Its operator sees what fails.
    """
    for what, work in (("file", files.store_file), ("index", search.index_game), ("rows", files.compact)):
        try:
            if work(services, game_id):
                return True
        except ConflictError:
            return True  # somebody has changed something of it meanwhile: it is tried again
        except Exception as error:  # noqa: BLE001 - what was played stands, whatever becomes of this
            with services.db.transaction() as session:
                session.get_one(Game, game_id).failure = f"its {what}: {type(error).__name__}"[:80]
    return False


def _run_once(services: Services, game_id: str) -> RunResult:
    """Decide the visit on a snapshot, and write it if nothing has moved meanwhile; else, or where that cannot be, lock.

    The lock is held while a game is made or dealt, while rulings are carried out, where a round of the beacon
    is waited for, and where orders filed ahead are taken up; and by who was overtaken too often.
    """
    for _ in range(MAX_RETRIES):
        try:
            with services.db.prepare() as snapshot:
                game = load_game(snapshot, game_id)
                visited = _process(services, snapshot, game, beacon_draws.verified_round(snapshot, game))
                prepared = snapshot.to_write_set()
        except RequiresLock:
            break
        try:
            if prepared:
                _run_prepared(services, prepared)
        except ConflictError:
            continue
        services.fault_point("resolver.after_commit")
        _log_result(game, visited)
        return visited
    return _run_locked(services, game_id)


def _run_prepared(services: Services, prepared: WriteSet) -> None:
    """Write what was prepared; raises ConflictError where something has moved."""
    with services.db.transaction() as session:
        services.fault_point("resolver.locked")
        prepared.apply(session)
        services.fault_point("resolver.before_commit")


def _run_locked(services: Services, game_id: str) -> RunResult:
    with services.db.snapshot() as snapshot:
        signed = beacon_draws.verified_round(snapshot, load_game(snapshot, game_id))
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        services.fault_point("resolver.locked")
        visited = _process(services, session, game, signed)
        services.fault_point("resolver.before_commit")
    services.fault_point("resolver.after_commit")
    _log_result(game, visited)
    return visited


def _log_result(game: Game | None, visited: RunResult) -> None:
    """A line in the log where a visit did anything: which game, and at which entry it stands now."""
    if game is not None and visited.done:
        _LOG.info("a game went on", extra={"game": game.id, "entry": game.entry})


def _process(services: Services, session: Session, game: Game | None, signed: VerifiedRound | None) -> RunResult:
    """Do what a game wants."""
    if game is None or missing_rules(services, game):
        return RunResult()
    before, wrote = (game.state, game.entry), False
    if game.state in (GameState.CREATED, GameState.DEALING):
        require_lock(session)
    waiting = _list_incomplete_receipts(session, game)
    game.failure = None
    if game.state == GameState.CREATED:
        game_setup.create_keys_and_seed(services, session, game)
    if game.state == GameState.DEALING:
        game_setup.deal_game(services, session, game, signed)
        wrote = True
    elif game.state == GameState.RUNNING:
        if doubt := checkpoints.find_rollback(session, load_game_keys(services, game), game):
            _LOG.error("game %s: %s; was the database written to?", game.id, doubt, extra={"game": game.id})
        wrote = _advance(services, session, game, signed)
    answered = _serve_seats(services, session, game, waiting)
    if game.keys is not None:
        checkpoints.save_orders_checkpoint(session, load_game_keys(services, game), game)
    has_ended = game.state == GameState.OVER != before[0]  # it has no file yet: if this process dies, the sweep comes
    game.resolve_requested_at, game.resolve_attempts = services.now() if has_ended else None, 0
    done = answered or wrote or before != (game.state, game.entry)
    return RunResult(done, game.state in OPENED, clock_state.is_bot_scheduled(session))


def _advance(services: Services, session: Session, game: Game, signed: VerifiedRound | None) -> bool:
    """Carry out rulings, then resolve; whether anything was written that is no entry."""
    ruled = execution.execute_pending(services, session, game)
    if game.state != GameState.RUNNING:
        return ruled
    at = resolution.open_context(services, session, game, services.now(), signed)
    resolution.resolve_due_gates(at)
    return ruled or at.has_writes


def _serve_seats_only(services: Services, game_id: str) -> None:
    """Where a game cannot go on, its players still get their receipts and may read back what they filed."""
    try:
        with services.db.transaction() as session:
            game = lock_game(session, game_id)
            if game is not None:
                _serve_seats(services, session, game, _list_incomplete_receipts(session, game))
    except Exception:  # noqa: BLE001 - the trouble is noted already, and is what the visit fails with
        return
    services.enqueue("send_outbound_emails", "")


def _serve_seats(services: Services, session: Session, game: Game, waiting: Sequence[OutboundEmail]) -> bool:
    """What seats wait for that only the resolver can read."""
    if game.keys is None:
        return False
    keys = load_game_keys(services, game)
    checkpoints.verify_holders(session, keys, game)
    for row in waiting:
        _complete_receipt(services, session, game, keys, row)
    services.fault_point("resolver.receipts")
    return _answer_requests(services, session, game, keys) or bool(waiting)


def resume_game(services: Services, game_id: str) -> bool:
    """Let a game that stopped be visited again; False if there is none that could go on."""
    with services.db.transaction() as session:
        again = reset_failure(services, lock_game(session, game_id))
    if again:
        services.enqueue("resolve_game", game_id)
    return again


def reset_failure(services: Services, game: Game | None) -> bool:
    """The same in the transaction that has locked the game; the caller wakes the resolver."""
    if game is None or game.state not in LIVE:
        return False
    game.resolve_attempts, game.resolve_requested_at, game.integrity_warning = 0, services.now(), None
    return True


def _record_failure(services: Services, game_id: str, error: str) -> None:
    """Note it by one statement: the game's rows may be what cannot be read."""
    with services.db.transaction() as session:
        its = update(Game).where(Game.id == game_id)
        tries = its.values(resolve_attempts=Game.resolve_attempts + 1, failure=error[:80]).returning(
            Game.resolve_attempts
        )
        stopped = session.scalar(tries) == MOST_TRIES
    if stopped:
        _announce_failure(services, game_id)


def _announce_failure(services: Services, game_id: str) -> None:
    """Tell the operator and the masters, at once, where a game stopped and by what class of error."""
    with services.db.transaction() as session:
        game = session.get_one(Game, game_id)
        its = {"game": game.id, "entry": game.entry}
        _LOG.error("game %s stopped after entry %d: %s; pbem game resume", game.id, game.entry, game.failure, extra=its)
        said = (Message("game_stopped", {"entry": game.entry, "text": game.failure}),)
        for master in masters_of(session, game):
            send_master_prompt(services, session, game, master, f"stopped.{game.entry}.{services.now()}", said)


# --- receipts that say what stood before


def _list_incomplete_receipts(session: Session, game: Game) -> Sequence[OutboundEmail]:
    """The receipts that the resolver is to complete."""
    keys = session.scalars(_WAITING, {"game": game.id}).all()
    waiting, _ = split_verified(session, OutboundEmail, keys)
    return waiting


_URGENT = (
    select(OutboundEmail.game_id)
    .where(OutboundEmail.state == OutboundState.HELD)
    .group_by(OutboundEmail.game_id)
    .order_by(func.min(OutboundEmail.created_at))
    .limit(4)
)

_WAITING = select(OutboundEmail.key).where(
    OutboundEmail.game_id == bindparam("game"), OutboundEmail.state == OutboundState.HELD
)


def _complete_receipt(services: Services, session: Session, game: Game, keys: GameKeys, row: OutboundEmail) -> None:
    """Add what stands now to a receipt, for who still answers for the seat, and seal it to the mailer."""
    own = services.resolver_keys
    content = session.get(OutboundEmailBody, row.key)
    if content is None:
        row.state, row.error = OutboundState.GIVEN_UP, LookupError.__name__
        return
    try:
        inside = open_quarantined(own.opening, own.verify, EmailContext(row.key, "held"), content.content_ciphertext)
    except CryptoError as error:  # one that nobody of ours wrote must not hold up the others
        row.state, row.error = OutboundState.GIVEN_UP, type(error).__name__
        session.delete(content)
        return
    facts: ReceiptFacts = load(inside.content)
    theirs = _answers_for_seat(services, session, game, row.user_id, str(row.seat))
    stands, reactions = _stored_now(services, session, game, keys, str(row.seat)) if theirs else ((), ())
    full = replace(facts, stored_orders=stands, stored_reactions=reactions)
    context = EmailContext(row.key, OutboundState.QUEUED)
    content.content_ciphertext, content.daily_key_id = daily_keys.seal_for_mailer(
        services, session, context, dump(full).encode()
    )
    row.state = OutboundState.QUEUED


def _stored_now(services: Services, session: Session, game: Game, keys: GameKeys, seat: str) -> StoredOrdersOfSeat:
    """What a seat has filed, as of where the game stands now: in a game under way, whose holders were looked at."""
    if game.state != GameState.RUNNING:
        return (), ()
    turn = services.rules(game.rules).turn(last_view(services, session, game, Seat(seat)))
    return load_stored_orders(services, session, game.id, keys, seat, turn)


# --- reading back one's own orders


def _answer_requests(services: Services, session: Session, game: Game, keys: GameKeys) -> bool:
    found = [number for number, _ in list_pending(session, game)]
    commands, unbelieved = split_verified(session, ResolverRequest, found)
    discard_unverified(services, session, unbelieved)
    for command in commands:
        if command.kind == RULING and game.state == GameState.RUNNING:
            continue
        if command.kind == "read" and command.seat is not None:
            command.answer = _seal_own_orders(services, session, game, keys, command)
        elif command.kind == KIND:
            execution.execute_inspection(services, session, game, keys, command)
        command.state, command.done_at = RequestState.DONE, services.now()
    return bool(found)


def _seal_own_orders(
    services: Services, session: Session, game: Game, keys: GameKeys, command: ResolverRequest
) -> bytes | None:
    """What a seat has filed, sealed to its one-time key; None for a request that the web server did not sign.

    Nor for an old one, or one of a person who answers for the seat no longer: it may have been put in again.
    """
    context = OwnOrdersContext(game.id, str(command.seat), command.id)
    try:
        request = verify_request(services.verify, context, command.request)
    except CryptoError:
        return None
    fresh = abs(services.now() - request.at) <= FRESH_MS
    if not fresh or not _answers_for_seat(services, session, game, request.user, str(command.seat)):
        return None
    plain = dump(_stored_now(services, session, game, keys, str(command.seat))).encode()
    return seal_reply(request.public, services.resolver_keys.signing, context, plain)


def _answers_for_seat(services: Services, session: Session, game: Game, user: int | None, seat: str) -> bool:
    """Return True if a person answers for a seat now."""
    row, _ = permissions.find_answering_seat(session, game.id, user or 0, services.now())
    return row is not None and row.seat == seat
