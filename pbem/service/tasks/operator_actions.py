"""What operators do from their page: each act is confirmed by a code, filed by web, carried out by play, and kept.

`retry`: a game that stopped is visited again.  `hold`: a table is paused, `release`: it goes on; its people are told.
`letters`: what the relay refused is sent again at once.
"""

from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.common.states import GameState
from pbem.crypto import CryptoError
from pbem.service.access import operators
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.service.deadlines import pauses
from pbem.service.mail import retries
from pbem.service.tasks.resolve_game import reset_failure
from pbem.store.games import lock_game
from pbem.store.models import Game, OperatorAction, User

RETRY, HOLD, RELEASE, LETTERS = "retry", "hold", "release", "letters"
ACTS: Final = (RETRY, HOLD, RELEASE, LETTERS)
OLD_MS: Final = 15 * MINUTE_MS
"""An act that waited for longer is not done: who asked for it has seen to it by now, or somebody put it in again."""


def request(services: Services, user_id: int, act: str, game_id: str, code: str) -> bool:
    """File an act of an operator; False for a code that does not fit.  Raises Refused, also for no such table.

    Nothing of a code is used up by an act that cannot be.
    """
    game_id = "" if act == LETTERS else game_id.strip()
    if act not in ACTS or (game_id == "") != (act == LETTERS):
        raise RequestRefused("no_such_table")
    with services.db.snapshot() as session:
        if game_id and session.get(Game, game_id) is None:
            raise RequestRefused("no_such_table")
    if not operators.verify_totp(services, user_id, code):
        return False
    with services.db.transaction() as session:
        session.add(OperatorAction(user_id=user_id, act=act, subject=game_id, made_at=services.now()))
    services.enqueue("run_operator_actions", "")
    return True


def has_pending(services: Services) -> bool:
    """Return True if an act is still to be done."""
    with services.db.snapshot() as session:
        return session.scalar(select(OperatorAction.id).where(OperatorAction.done_at.is_(None)).limit(1)) is not None


def execute_pending(services: Services) -> int:
    """Do what was asked for, one by one; how many acts that were.  Play only."""
    with services.db.snapshot() as session:
        asked = select(OperatorAction.id).where(OperatorAction.done_at.is_(None)).order_by(OperatorAction.id)
        found = session.scalars(asked).all()
    for number in found:
        _execute(services, number)
    return len(found)


def _execute(services: Services, number: int) -> None:
    try:
        with services.db.transaction() as session:
            row = session.get(OperatorAction, number, with_for_update=True)
            if row is None or row.done_at is not None:
                return
            act, game = row.act, row.subject
            old = abs(services.now() - row.made_at) > OLD_MS
            row.outcome = "old" if old else "done" if _record_done(services, session, row) else "nothing"
            row.done_at = services.now()
    except CryptoError:  # a row that the web did not write, or a table that is not believed
        _fail(services, number)
        return
    services.enqueue(
        "resolve_game" if act in (RETRY, RELEASE) else "send_outbound_emails", game if act in (RETRY, RELEASE) else ""
    )
    if act == RELEASE:
        services.enqueue("send_outbound_emails", "")


def _fail(services: Services, number: int) -> None:
    """End an act that cannot be done by one statement: its row may be what cannot be read."""
    with services.db.transaction() as session:
        its = update(OperatorAction).where(OperatorAction.id == number)
        session.execute(its.values(done_at=services.now(), outcome="failed"))


def _record_done(services: Services, session: Session, row: OperatorAction) -> bool:
    if row.act == LETTERS:
        return retries.retry_in_session(session, services.now()) > 0
    game = lock_game(session, row.subject)
    if row.act == RETRY:
        return reset_failure(services, game)
    holds = row.act == HOLD
    if game is None or game.state != GameState.RUNNING or (pauses.is_paused(session, game.id) is None) != holds:
        return False
    who = session.get_one(User, row.user_id).name
    pauses.set_paused(services, session, game, pauses.PAUSE if holds else pauses.RESUME, who)
    return True
