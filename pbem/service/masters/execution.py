"""Rulings that wait, each carried out by itself in the game's visit."""

from collections.abc import Callable, Mapping

from sqlalchemy.orm import Session

from engine.kernel.apply import PatchRefused
from engine.kernel.codec import load
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.orders import Problem
from engine.kernel.secrets import Hidden
from pbem.common.states import CommandState, GameState
from pbem.crypto import CryptoError, EmailContext, open_quarantined
from pbem.service.access.masters import is_master
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Services
from pbem.service.base.verified_rows import split_verified
from pbem.service.game.journal import load_entry
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.masters import rewinds, rulings
from pbem.service.masters.ruling_mail import send_discarded, send_refusal
from pbem.service.masters.ruling_request import (
    BARE,
    CORRECTION,
    RULING,
    RulingRequest,
    UnreadableRuling,
    discard_unverified,
    list_pending,
)
from pbem.service.resolver import beacon_draws, resolution
from pbem.store.identity_cache import clear, clear_models
from pbem.store.models import Game, ResolverRequest
from pbem.store.optimistic import require_lock


def execute_pending(services: Services, session: Session, game: Game) -> bool:
    """Carry out the rulings that wait, each by itself; one that cannot stand does nothing, and its master is told.

    While a gate waits for its round of the beacon only the round can be given up: what is drawn then is fixed.
    """
    found = [number for number, kind in list_pending(session, game) if kind == RULING]
    if not found:
        return False
    require_lock(session)
    clear_models(session, {ResolverRequest})  # for whoever asks after this what waits then
    commands, unbelieved = split_verified(session, ResolverRequest, found)
    discard_unverified(services, session, unbelieved)
    for command in commands:
        wanted = _verify_request(services, command)
        if wanted is not None and wanted.kind != BARE and beacon_draws.load_waiting(session, game) is not None:
            continue
        command.state, command.done_at, command.request = CommandState.DONE, services.now(), b""
        if wanted is None:
            continue
        if not is_master(session, game, wanted.user):
            send_discarded(services, session, game, wanted, command.id)
            continue
        try:
            with session.begin_nested():
                _execute(services, session, game, wanted, command.id)
        except UnreadableRuling as error:
            _record_refusal(services, session, game, wanted, command.id, error.problem)
        except CorrectionRefused as error:
            _record_refusal(services, session, game, wanted, command.id, error.problem)
        except (PatchRefused, Hidden):
            _record_refusal(services, session, game, wanted, command.id, Problem("no_such_value"))
        except Exception as error:  # noqa: BLE001 - a ruling that the rules stumble over must not stop its game
            game.trouble = f"a ruling: {type(error).__name__}"[:80]
            _record_refusal(services, session, game, wanted, command.id, Problem("ruling_failed"))
    return True


def _verify_request(services: Services, command: ResolverRequest) -> RulingRequest | None:
    """What was asked for; None for a request that none of our processes signed."""
    own = services.resolver_keys
    try:
        inside = open_quarantined(own.opening, own.verify, EmailContext(command.id, RULING), command.request)
    except CryptoError:
        return None
    wanted: RulingRequest = load(inside.content)
    return wanted


def _execute(services: Services, session: Session, game: Game, wanted: RulingRequest, number: str) -> None:
    """Carry a ruling out, unless an entry says that this was done; raises Uncorrectable.

    One that was asked for more than a day ago may have been withheld: its master is asked whether it is still meant.
    """
    if game.state != GameState.RUNNING:
        raise CorrectionRefused("moved_on")
    at = resolution.open_context(services, session, game, services.now())
    at.command = number
    if _was_executed(at, wanted.expected_entry):
        return
    if services.now() - wanted.at > DAY_MS:
        raise CorrectionRefused("ruling_late")
    carry: Mapping[str, Callable[[ResolverContext, RulingRequest], None]] = {
        "correct": rulings.apply_correction,
        "undo": rulings.revert_ruling,
        "rewind": rewinds.apply_rewind,
        "forward": rewinds.replay_forward,
        "reroll": rewinds.reroll,
        "again": rewinds.send_replay_preview,
        BARE: lambda at, _: beacon_draws.cancel_wait(at),
    }
    carry[wanted.kind](at, wanted)


def _was_executed(at: ResolverContext, stood: int) -> bool:
    """Return True if an entry is of this ruling; raises Uncorrectable where the game has gone on otherwise.

    The sealed records are looked at: what stands beside them in the database may be written by anybody there.
    """
    for number in range(stood + 1, at.game.entry + 1):
        record = load_entry(at.session, at.keys, at.game, number)
        if record.command == at.command:
            return True
        if record.gate != CORRECTION:
            raise CorrectionRefused("moved_on")
    return False


def _record_refusal(
    services: Services, session: Session, game: Game, wanted: RulingRequest, mark: str, problem: Problem
) -> None:
    """The master is told why; nobody else is told anything."""
    clear(session)
    send_refusal(services, session, game, wanted, mark, problem)
