"""A play worker's visit to a game: whatever the game wants done now, prepared on a look and written at once."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.names import Seat
from pbem.narration.facts import ReceiptFacts, Said
from pbem.service.access import acting_deputies
from pbem.service.access.masters import masters_of
from pbem.service.base.believing import parted
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.installed import missing
from pbem.service.base.races import LOSSES
from pbem.service.base.services import Services
from pbem.service.game import ballots_seen, bot_marks, holders
from pbem.service.game.filed_orders import FiledOrders, filed_by
from pbem.service.game.journal import game_keys
from pbem.service.game.views import last_view
from pbem.service.game.visit import Signed
from pbem.service.masters import carrying_out, opening
from pbem.service.masters.opening import OPEN
from pbem.service.masters.ruling_request import RULING, asked, pass_over
from pbem.service.play import resolution, rounds
from pbem.service.post import day_keys
from pbem.service.post.master_letters import call
from pbem.service.records import archive, compaction, search
from pbem.service.run import bots
from pbem.service.seats import dealing
from pbem.states import LIVE, OPENED, CommandState, GameState, LetterOutState
from pbem.store.columns import columns
from pbem.store.games import hold, locked, table
from pbem.store.models import Command, Game, LetterOut, LetterOutContent
from pbem.store.preparing import LockNeeded, Prepared, lock_needed
from pbem.vault import (
    GameKeys,
    LetterContext,
    ReadBackContext,
    VaultError,
    check_request,
    open_shunt,
    seal_answer,
)

_LOG = logging.getLogger(__name__)

FRESH_MS = 15 * MINUTE_MS
"""How old a request to read back may be; a person whose game stood still for longer asks again."""

MOST_TRIES = 20
"""After so many failed visits a game is no longer visited by the sweep; its operator sees the trouble."""


def visit(services: Services, game_id: str) -> bool:
    """Do everything that a game wants done; True if there was anything.

    What goes wrong stays with this game: its transaction is undone, the trouble is noted by its class alone.
    """
    try:
        visited = _visit(services, game_id)
    except Exception as error:
        _trouble(services, game_id, type(error).__name__)
        _serve_alone(services, game_id)
        raise
    if visited.done:
        services.wake("deliver", "")
        if services.pictures:
            services.wake("draw", "")
    if visited.bots:
        bots.wake(services)
    if visited.ended:
        _index(services, game_id)
        _compact(services, game_id)
    return visited.done


@dataclass(frozen=True)
class _Visited:
    """Whether a visit did anything, whether it has ended, be it long ago, and whether bots were told something."""

    done: bool = False
    ended: bool = False
    bots: bool = False


def _index(services: Services, game_id: str) -> None:
    """Make a finished game known to the search, once; nothing waits for it, and its operator sees the trouble."""
    try:
        search.index(services, game_id)
    except Exception as error:  # noqa: BLE001 - what was played stands, whatever becomes of its index
        with services.db.writing() as session:
            session.get_one(Game, game_id).trouble = f"its index: {type(error).__name__}"[:80]


def _compact(services: Services, game_id: str) -> None:
    """Keep a finished game small, once; it stays as it is where that cannot be."""
    try:
        compaction.compact(services, game_id)
    except Exception as error:  # noqa: BLE001 - all that is written of it lies there, smaller or not
        with services.db.writing() as session:
            session.get_one(Game, game_id).trouble = f"its rows: {type(error).__name__}"[:80]


def _visit(services: Services, game_id: str) -> _Visited:
    """Prepare the visit on a look, and write it where nothing has moved meanwhile; else, or where that cannot be, lock.

    The lock is held while a game is made, dealt or finished, while rulings are carried out, where a round of the beacon
    is waited for, and where orders filed ahead are taken up; and by who was overtaken too often.
    """
    for _ in range(LOSSES):
        try:
            with services.db.preparing() as look:
                game = table(look, game_id)
                visited = _at(services, look, game, rounds.signed(look, game))
                prepared = look.prepared()
        except LockNeeded:
            break
        if not prepared or _written(services, game_id, prepared):
            services.point("play.after_commit")
            _noted(game, visited)
            return visited
    return _locked(services, game_id)


def _written(services: Services, game_id: str, prepared: Prepared) -> bool:
    """Write what was prepared; False where something has moved."""
    with services.db.writing() as session:
        hold(session, game_id)
        services.point("play.locked")
        written = prepared.write(session)
        services.point("play.before_commit")
    return written


def _locked(services: Services, game_id: str) -> _Visited:
    with services.db.reading() as look:
        signed = rounds.signed(look, table(look, game_id))
    with services.db.writing() as session:
        game = locked(session, game_id)
        services.point("play.locked")
        visited = _at(services, session, game, signed)
        services.point("play.before_commit")
    services.point("play.after_commit")
    _noted(game, visited)
    return visited


def _noted(game: Game | None, visited: _Visited) -> None:
    """A line in the log where a visit did anything: which game, and at which entry it stands now."""
    if game is not None and visited.done:
        _LOG.info("a game went on", extra={"game": game.id, "entry": game.entry})


def _at(services: Services, session: Session, game: Game | None, signed: Signed | None) -> _Visited:
    """Do what a game wants."""
    if game is None or missing(services, game):
        return _Visited()
    before, wrote = (game.state, game.entry), False
    if game.state in (GameState.NEW, GameState.STARTING, GameState.OVER):
        lock_needed(session)
    waiting = _waiting(session, game)
    game.trouble = None
    if game.state == GameState.NEW:
        dealing.prepare(services, session, game)
    if game.state == GameState.STARTING:
        dealing.deal(services, session, game, signed)
        wrote = True
    elif game.state == GameState.RUNNING:
        if doubt := ballots_seen.look(session, game_keys(services, game), game):
            _LOG.error("game %s: %s; was the database written to?", game.id, doubt, extra={"game": game.id})
        wrote = _go_on(services, session, game, signed)
    answered = _for_seats(services, session, game, waiting)
    if game.keys is not None:
        ballots_seen.keep(session, game_keys(services, game), game)
    game.play_wanted, game.play_tries = None, 0
    if game.state == GameState.OVER:
        _keep_file(services, session, game)
    done = answered or wrote or before != (game.state, game.entry)
    return _Visited(done, game.state in OPENED, bot_marks.marked(session))


def _go_on(services: Services, session: Session, game: Game, signed: Signed | None) -> bool:
    """Carry out rulings, then play; whether anything was written that is no entry."""
    ruled = carrying_out.carry_out(services, session, game)
    if game.state != GameState.RUNNING:
        return ruled
    at = resolution.begin_visit(services, session, game, services.now(), signed)
    resolution.go_on(at)
    return ruled or at.wrote


def _keep_file(services: Services, session: Session, game: Game) -> None:
    """Lay out a finished game's file; a game ends whatever becomes of that, and its operator sees the trouble."""
    try:
        archive.keep(services, session, game)
    except Exception as error:  # noqa: BLE001 - nothing is written before the file is whole
        game.trouble = f"its file: {type(error).__name__}"[:80]


def _serve_alone(services: Services, game_id: str) -> None:
    """Where a game cannot go on, its players still get their receipts and may read back what they filed."""
    try:
        with services.db.writing() as session:
            game = locked(session, game_id)
            if game is not None:
                _for_seats(services, session, game, _waiting(session, game))
    except Exception:  # noqa: BLE001 - the trouble is noted already, and is what the visit fails with
        return
    services.wake("deliver", "")


def _for_seats(services: Services, session: Session, game: Game, waiting: Sequence[LetterOut]) -> bool:
    """What seats wait for that only play can read."""
    if game.keys is None:
        return False
    keys = game_keys(services, game)
    holders.check(session, keys, game)
    for row in waiting:
        _complete(services, session, game, keys, row)
    services.point("play.receipts")
    return _answer_commands(services, session, game, keys) or bool(waiting)


def retry(services: Services, game_id: str) -> bool:
    """Let a game that stopped be visited again; False if there is none that could go on."""
    with services.db.writing() as session:
        again = visit_again(services, locked(session, game_id))
    if again:
        services.wake("play", game_id)
    return again


def visit_again(services: Services, game: Game | None) -> bool:
    """The same in the transaction that has locked the game; the caller wakes play."""
    if game is None or game.state not in LIVE:
        return False
    game.play_tries, game.play_wanted, game.doubt = 0, services.now(), None
    return True


def _trouble(services: Services, game_id: str, error: str) -> None:
    """Note it by one statement: the game's rows may be what cannot be read."""
    with services.db.writing() as session:
        its = update(Game).where(Game.id == game_id)
        tries = its.values(play_tries=Game.play_tries + 1, trouble=error[:80]).returning(Game.play_tries)
        stopped = session.scalar(tries) == MOST_TRIES
    if stopped:
        _stopped(services, game_id)


def _stopped(services: Services, game_id: str) -> None:
    """Tell the operator and the masters, at once, where a game stopped and by what class of error."""
    with services.db.writing() as session:
        game = session.get_one(Game, game_id)
        its = {"game": game.id, "entry": game.entry}
        _LOG.error("game %s stopped after entry %d: %s; pbem game retry", game.id, game.entry, game.trouble, extra=its)
        said = (Said("game_stopped", {"entry": game.entry, "text": game.trouble}),)
        for master in masters_of(session, game):
            call(services, session, game, master, f"stopped.{game.entry}.{services.now()}", said)


# --- receipts that say what stood before


def _waiting(session: Session, game: Game) -> Sequence[LetterOut]:
    """The receipts that play is to complete."""
    waiting, _ = parted(session, LetterOut, [key for (key,) in columns(session, _WAITING, {"game": game.id})])
    return waiting


_WAITING = select(LetterOut.key).where(LetterOut.game_id == bindparam("game"), LetterOut.state == LetterOutState.WAITS)


def _complete(services: Services, session: Session, game: Game, keys: GameKeys, row: LetterOut) -> None:
    """Add what stands now to a receipt, for who still answers for the seat, and seal it to post."""
    own = services.playing
    content = session.get(LetterOutContent, row.key)
    if content is None:
        row.state, row.error = LetterOutState.FAILED, LookupError.__name__
        return
    try:
        inside = open_shunt(own.opening, own.verify, LetterContext(row.key, "waits"), content.content_sealed)
    except VaultError as error:  # one that nobody of ours wrote must not hold up the others
        row.state, row.error = LetterOutState.FAILED, type(error).__name__
        session.delete(content)
        return
    facts: ReceiptFacts = load(inside.content)
    theirs = _answers(services, session, game, row.user_id, str(row.seat))
    stands, ridden = _filed_now(services, session, game, keys, str(row.seat)) if theirs else ((), ())
    full = replace(facts, standing=stands, riders_standing=ridden)
    context = LetterContext(row.key, LetterOutState.DRAFT)
    content.content_sealed, content.day = day_keys.sealed(services, session, context, dump(full).encode())
    row.state = LetterOutState.DRAFT


def _filed_now(services: Services, session: Session, game: Game, keys: GameKeys, seat: str) -> FiledOrders:
    """What a seat has filed, as of where the game stands now: in a game under way, whose holders were looked at."""
    if game.state != GameState.RUNNING:
        return (), ()
    turn = services.rules(game.rules).turn(last_view(services, session, game, Seat(seat)))
    return filed_by(services, session, game.id, keys, seat, turn)


# --- reading back one's own orders


def _answer_commands(services: Services, session: Session, game: Game, keys: GameKeys) -> bool:
    found = [number for number, _ in asked(session, game)]
    commands, unbelieved = parted(session, Command, found)
    pass_over(services, session, unbelieved)
    for command in commands:
        if command.kind == RULING and game.state == GameState.RUNNING:
            continue
        if command.kind == "read" and command.seat is not None:
            command.answer = _read_back(services, session, game, keys, command)
        elif command.kind == OPEN:
            opening.carry_out(services, session, game, keys, command)
        command.state, command.done_at = CommandState.DONE, services.now()
    return bool(found)


def _read_back(services: Services, session: Session, game: Game, keys: GameKeys, command: Command) -> bytes | None:
    """What a seat has filed, sealed to its one-time key; None for a request that the web server did not sign.

    Nor for an old one, or one of a person who answers for the seat no longer: it may have been put in again.
    """
    context = ReadBackContext(game.id, str(command.seat), command.id)
    try:
        request = check_request(services.verify, context, command.request)
    except VaultError:
        return None
    fresh = abs(services.now() - request.at) <= FRESH_MS
    if not fresh or not _answers(services, session, game, request.user, str(command.seat)):
        return None
    plain = dump(_filed_now(services, session, game, keys, str(command.seat))).encode()
    return seal_answer(request.public, services.playing.signing, context, plain)


def _answers(services: Services, session: Session, game: Game, user: int | None, seat: str) -> bool:
    """Return True if a person answers for a seat now."""
    row, _ = acting_deputies.seat_for(session, game.id, user or 0, services.now())
    return row is not None and row.seat == seat
