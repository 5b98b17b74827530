"""A ruling on its way: what a master asked for, sealed for the play worker that carries it out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, serializable
from engine.kernel.events import Event
from engine.kernel.orders import Problem
from engine.kernel.viewers import Seat
from pbem.common.states import CommandState
from pbem.crypto import EmailContext, ResolverPublicKey, new_token, seal_quarantined
from pbem.service.base.services import Services
from pbem.store.columns import select_columns
from pbem.store.identity_cache import cached
from pbem.store.models import Game, ResolverRequest

RULING: Final = "ruling"
"""The kind of command by which a play worker carries a ruling out."""


CORRECTION: Final = "correction"
"""The gate of an entry that a ruling made."""


@serializable("pbem.RulingRequest")
@dataclass(frozen=True)
class RulingRequest:
    """A ruling on its way to the play worker.

    `kind`: `correct`, `execute_undo`, `rewind`, `forward`, `reroll`, or `again` (which only shows), `bare`
    (see BARE). `expected_entry`: the entry at which it was asked for, and shown; the game must not have gone on since.
    `nth`: which draw of the entry; 0: all. `at`: when it was handed over.
    """

    kind: str
    user: int
    by: str
    reason: str
    expected_entry: int
    lines: tuple[str, ...] = ()
    entry: int = 0
    nth: int = 0
    drafts: bool = True
    at: int = 0


BARE: Final = "bare"
"""The gate that waits for a round of the beacon is to be drawn without it."""


_PENDING = (
    select(ResolverRequest.id, ResolverRequest.kind)
    .where(ResolverRequest.game_id == bindparam("game"), ResolverRequest.state == CommandState.ASKED)
    .order_by(ResolverRequest.made_at, ResolverRequest.id)
)


def list_pending(session: Session, game: Game) -> Sequence[Row[str, str]]:
    """The commands that wait for the play worker, the oldest first: the number and kind of each."""
    return cached(session, ResolverRequest, game.id, lambda: select_columns(session, _PENDING, {"game": game.id}))


def discard_unverified(services: Services, session: Session, commands: Sequence[str]) -> None:
    """Commands whose rows are not believed are done with, and nothing comes of them."""
    if commands:
        done = {"state": CommandState.DONE, "done_at": services.now()}
        session.execute(update(ResolverRequest).where(ResolverRequest.id.in_(commands)).values(done))


class UnreadableRuling(Exception):
    """Lines of a ruling that cannot be read: what was written, and why it cannot stand."""

    def __init__(self, written: str, problem: Problem) -> None:
        super().__init__(problem.code)
        self.written, self.problem = written, problem


@dataclass(frozen=True)
class RulingPreview:
    """What a ruling would do: the facts as everybody may know them, and the seats that would know more of them."""

    events: tuple[Event, ...]
    private: tuple[Seat, ...] = ()


def enqueue(services: Services, session: Session, game: Game, wanted: RulingRequest) -> str:
    """Hand a ruling to the play worker, signed by this process; returns the number of the command."""
    number = new_token()[:32]
    content = dump(replace(wanted, at=services.now())).encode()
    if services.web is not None or services.mailer is not None:
        keys = services.order_keys
        request = seal_quarantined(keys.play, keys.signing, EmailContext(number, RULING), content)
    else:
        own = services.resolver_keys
        public = ResolverPublicKey(own.opening.public_key())
        request = seal_quarantined(public, own.signing, EmailContext(number, RULING), content)
    session.add(
        ResolverRequest(
            id=number, kind=RULING, game_id=game.id, state=CommandState.ASKED, request=request, made_at=services.now()
        )
    )
    game.play_wanted = game.play_wanted or services.now()
    return number
