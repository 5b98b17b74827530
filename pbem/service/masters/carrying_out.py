"""Rulings that wait, each carried out by itself in the game's visit."""

from collections.abc import Callable, Mapping

from sqlalchemy.orm import Session

from engine.kernel.apply import PatchRefused
from engine.kernel.codec import load
from engine.kernel.correction_events import Uncorrectable
from engine.kernel.orders import Problem
from engine.kernel.secrets import Hidden
from pbem.service.access.masters import is_master
from pbem.service.base.believing import parted
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Services
from pbem.service.game.journal import record_of
from pbem.service.game.visit import Visit
from pbem.service.masters import rewinds, rulings
from pbem.service.masters.ruling_letters import dropped, refusal
from pbem.service.masters.ruling_request import BARE, CORRECTION, RULING, Unreadable, Wanted, asked, pass_over
from pbem.service.play import resolution, rounds
from pbem.states import CommandState, GameState
from pbem.store.models import Command, Game
from pbem.store.once import forget, forget_rows
from pbem.store.preparing import lock_needed
from pbem.vault import LetterContext, VaultError, open_shunt


def carry_out(services: Services, session: Session, game: Game) -> bool:
    """Carry out the rulings that wait, each by itself; one that cannot stand does nothing, and its master is told.

    While a gate waits for its round of the beacon only the round can be given up: what is drawn then is fixed.
    """
    found = [number for number, kind in asked(session, game) if kind == RULING]
    if not found:
        return False
    lock_needed(session)
    forget_rows(session, {Command})  # for whoever asks after this what waits then
    commands, unbelieved = parted(session, Command, found)
    pass_over(services, session, unbelieved)
    for command in commands:
        wanted = _opened(services, command)
        if wanted is not None and wanted.kind != BARE and rounds.waiting(session, game) is not None:
            continue
        command.state, command.done_at, command.request = CommandState.DONE, services.now(), b""
        if wanted is None:
            continue
        if not is_master(session, game, wanted.user):
            dropped(services, session, game, wanted, command.id)
            continue
        try:
            with session.begin_nested():
                _carry_out(services, session, game, wanted, command.id)
        except Unreadable as error:
            _refused(services, session, game, wanted, command.id, error.problem)
        except Uncorrectable as error:
            _refused(services, session, game, wanted, command.id, error.problem)
        except (PatchRefused, Hidden):
            _refused(services, session, game, wanted, command.id, Problem("no_such_value"))
        except Exception as error:  # noqa: BLE001 - a ruling that the rules stumble over must not stop its game
            game.trouble = f"a ruling: {type(error).__name__}"[:80]
            _refused(services, session, game, wanted, command.id, Problem("ruling_failed"))
    return True


def _opened(services: Services, command: Command) -> Wanted | None:
    """What was asked for; None for a request that none of our processes signed."""
    own = services.playing
    try:
        inside = open_shunt(own.opening, own.verify, LetterContext(command.id, RULING), command.request)
    except VaultError:
        return None
    wanted: Wanted = load(inside.content)
    return wanted


def _carry_out(services: Services, session: Session, game: Game, wanted: Wanted, number: str) -> None:
    """Carry a ruling out, unless an entry says that this was done; raises Uncorrectable.

    One that was asked for more than a day ago may have been withheld: its master is asked whether it is still meant.
    """
    if game.state != GameState.RUNNING:
        raise Uncorrectable("moved_on")
    at = resolution.begin_visit(services, session, game, services.now())
    at.command = number
    if _was_done(at, wanted.stood):
        return
    if services.now() - wanted.at > DAY_MS:
        raise Uncorrectable("ruling_late")
    carry: Mapping[str, Callable[[Visit, Wanted], None]] = {
        "correct": rulings.corrected,
        "undo": rulings.taken_back,
        "rewind": rewinds.rewound,
        "forward": rewinds.rolled_forward,
        "reroll": rewinds.drawn_again,
        "again": rewinds.shown_again,
        BARE: lambda at, _: rounds.give_up(at),
    }
    carry[wanted.kind](at, wanted)


def _was_done(at: Visit, stood: int) -> bool:
    """Return True if an entry is of this ruling; raises Uncorrectable where the game has gone on otherwise.

    The sealed records are looked at: what stands beside them in the database may be written by anybody there.
    """
    for number in range(stood + 1, at.game.entry + 1):
        record = record_of(at.session, at.keys, at.game, number)
        if record.command == at.command:
            return True
        if record.gate != CORRECTION:
            raise Uncorrectable("moved_on")
    return False


def _refused(services: Services, session: Session, game: Game, wanted: Wanted, mark: str, problem: Problem) -> None:
    """The master is told why; nobody else is told anything."""
    forget(session)
    refusal(services, session, game, wanted, mark, problem)
