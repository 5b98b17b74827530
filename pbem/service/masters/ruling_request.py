"""A ruling on its way: what a master asked for, sealed for the resolver that carries it out.

Also the emails about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, serializable
from engine.kernel.events import Event
from engine.kernel.orders import Problem
from engine.kernel.viewers import PUBLIC, Seat
from pbem.common.states import RequestState
from pbem.crypto import EmailContext, ResolverPublicKey, new_token, seal_quarantined
from pbem.narration.facts import MasterCommandResult, MasterFacts, Message
from pbem.service.base.services import Services
from pbem.service.base.wording import WORDS
from pbem.service.game import seat_views
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.mail.notifications import create_command_address, master_context
from pbem.service.mail.outbox import enqueue
from pbem.store.games import names_of_seats
from pbem.store.models import Game, ResolverRequest, User
from pbem.store.query_cache import cached

RULING: Final = "ruling"
"""The kind of command by which a resolver carries a ruling out."""


@serializable("pbem.RulingRequest")
@dataclass(frozen=True)
class RulingRequest:
    """A ruling on its way to the resolver.

    `kind`: `correct`, `undo`, `rewind`, `forward`, `reroll`, or `again` (which only shows), `bare`
    (see BARE). `expected_entry`: the entry at which it was asked for, and shown; the game must not have gone on since.
    `nth`: which draw of the entry; 0: all. `at`: when it was handed over.
    """

    kind: str
    user: int
    author: str
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
    .where(ResolverRequest.game_id == bindparam("game"), ResolverRequest.state == RequestState.PENDING)
    .order_by(ResolverRequest.created_at, ResolverRequest.id)
)


def list_pending(session: Session, game: Game) -> Sequence[Row[str, str]]:
    """List the id and kind of each pending request to the resolver, the oldest first."""
    return cached(session, ResolverRequest, game.id, lambda: session.execute(_PENDING, {"game": game.id}).all())


def discard_unverified(services: Services, session: Session, commands: Sequence[str]) -> None:
    """Close requests whose rows are not verified, without executing them."""
    if commands:
        done = {"state": RequestState.DONE, "done_at": services.now()}
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


def enqueue_ruling(services: Services, session: Session, game: Game, ruling: RulingRequest) -> str:
    """Store a ruling as a signed request to the resolver. Return its id."""
    number = new_token()[:32]
    content = dump(replace(ruling, at=services.now())).encode()
    if services.web is not None or services.mailer is not None:
        keys = services.order_keys
        request = seal_quarantined(keys.resolver, keys.signing, EmailContext(number, RULING), content)
    else:
        own = services.resolver_keys
        public = ResolverPublicKey(own.opening.public_key())
        request = seal_quarantined(public, own.signing, EmailContext(number, RULING), content)
    session.add(
        ResolverRequest(
            id=number,
            kind=RULING,
            game_id=game.id,
            state=RequestState.PENDING,
            request=request,
            created_at=services.now(),
        )
    )
    game.resolve_requested_at = game.resolve_requested_at or services.now()
    return number


@dataclass(frozen=True)
class ReplayDifference:
    """What telling entries again would bring, as everybody would see it.

    `same`: entries that would be as they were. `other`: the first one that would not, with its facts. `stops`: the
    entry at which the orders of then could not be played any more. `drawn`: the one that needs a draw nobody made.
    `remains`: whether the table would stand otherwise in the end, for all to see.  `private`: seats for which something
    changes that not everybody sees.
    """

    same: int
    other: int = 0
    events: tuple[Event, ...] = ()
    stops: int = 0
    drawn: int = 0
    remains: bool = False
    private: tuple[Seat, ...] = ()


KEYWORDS: Final = {
    **{kind: WORDS(f"masters.{kind}.keyword") for kind in ("correct", "undo", "rewind", "again", "forward", "reroll")},
    BARE: WORDS("masters.draw_now.keyword"),
}
"""How each of them begins."""


def send_refusal(
    services: Services, session: Session, game: Game, ruling: RulingRequest, dedup_key: str, problem: Problem
) -> None:
    """Email the master why a ruling was not executed."""
    act = MasterCommandResult(1, "", "", "refused", problem=problem)
    _enqueue(services, session, game, ruling, dedup_key, act)


def send_discarded(services: Services, session: Session, game: Game, ruling: RulingRequest, dedup_key: str) -> None:
    """Email the author of a ruling that they are no longer master; nothing of the game, and no address to answer to."""
    user = session.get_one(User, ruling.user)
    message = Message("ruling_dropped", {"line": _line(ruling, user)})
    facts = MasterFacts(master_context(services, session, game, user, ""), lead=(message,))
    _enqueue_to(services, session, game, user, dedup_key, facts)


def send_preview(context: ResolverContext, ruling: RulingRequest, difference: ReplayDifference) -> None:
    """Email the master what a replay would change."""
    players = names_of_seats(context.session, context.game)
    messages = [Message("again_same", {"entry": ruling.entry, "same": difference.same})]
    for code, number in (
        ("again_other", difference.other),
        ("again_stops", difference.stops),
        ("again_draws", difference.drawn),
    ):
        if number:
            messages.append(Message(code, {"entry": number}))
    if not (difference.other or difference.remains or difference.private or difference.stops or difference.drawn):
        messages = [Message("again_alike", {"entry": ruling.entry})]
    if difference.private:
        messages.append(
            Message("private_too", {"names": tuple(players.get(seat, str(seat)) for seat in difference.private)})
        )
    act = MasterCommandResult(1, "", "", "preview", tuple(messages), events=difference.events)
    _enqueue(context.services, context.session, context.game, ruling, new_token()[:12], act)


def _enqueue(
    services: Services, session: Session, game: Game, ruling: RulingRequest, dedup_key: str, act: MasterCommandResult
) -> None:
    user = session.get_one(User, ruling.user)
    token = create_command_address(services, session, game, user)
    view = seat_views.last_view(services, session, game, PUBLIC)
    line = _line(ruling, user)
    result = replace(act, written=line, line=line)
    facts = MasterFacts(master_context(services, session, game, user, token), (result,), view=view)
    _enqueue_to(services, session, game, user, dedup_key, facts)


def _line(ruling: RulingRequest, user: User) -> str:
    """How it begins, as its author would write it."""
    return f"{KEYWORDS[ruling.kind].printed(user.language)} {ruling.entry or ruling.reason}".strip()


def _enqueue_to(
    services: Services, session: Session, game: Game, user: User, dedup_key: str, facts: MasterFacts
) -> None:
    enqueue(
        services,
        session,
        key=f"{game.id}.{user.id}.{dedup_key}.ruled",
        kind="master",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )
