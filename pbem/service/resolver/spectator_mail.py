"""Letters to spectators who want them: what everybody was told, after each phase and at the end, and nothing else.

None is sent unasked; each has a link of its own that ends those of its table.
"""

from sqlalchemy import bindparam, select

from engine.kernel.viewers import PUBLIC
from pbem.crypto import is_token, new_token, token_hash
from pbem.service.base.services import Services
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.mail import pictures
from pbem.service.mail.assembly import KIND, SpectatorReportData
from pbem.service.mail.outbox import enqueue
from pbem.store.games import load_seats
from pbem.store.models import Capability, Game, Spectator, User

_WHO = (
    select(Spectator, User)
    .join(User, User.id == Spectator.user_id)
    .where(Spectator.game_id == bindparam("game"), Spectator.letters_from.is_not(None))
    .order_by(Spectator.user_id)
)


def subscribe(services: Services, user_id: int, game_id: str, on: bool) -> None:
    """A spectator wants letters of what comes from now on, or none any more."""
    with services.db.transaction() as session:
        row, game = session.get(Spectator, (game_id, user_id)), session.get(Game, game_id)
        if row is not None and game is not None and (row.letters_from is None) is on:
            row.letters_from = game.entry if on else None


# --- play lays them out


def report_to_spectators(visit: ResolverContext) -> None:
    """One letter each at the end of a phase, and at the end of the game."""
    if not (visit.has_phase_ended or visit.position.core.over):
        return
    sitting = {row.user_id for row in load_seats(visit.session, visit.game.id)}
    for row, user in visit.session.execute(_WHO, {"game": visit.game.id}):
        since = row.letters_from
        if user.id not in sitting and since is not None and since < visit.game.entry:
            _enqueue_report(visit, user, since)
            row.letters_from = visit.game.entry


def _enqueue_report(visit: ResolverContext, user: User, since: int) -> None:
    key, token = f"{visit.game.id}.{visit.game.entry}.{user.id}.{KIND}", new_token()
    visit.session.add(
        Capability(
            hash=token_hash(KIND, token), purpose=KIND, user_id=user.id, game_id=visit.game.id, made_at=visit.now
        )
    )
    marked = pictures.request_picture(visit, PUBLIC, user, since, 0)
    enqueue(
        visit.services,
        visit.session,
        key=key,
        kind=KIND,
        facts=SpectatorReportData(token, marked),
        user_id=user.id,
        game_id=visit.game.id,
        seat=PUBLIC,
        entry=visit.game.entry,
        since=since,
        hold_ms=0 if marked is None else pictures.HOLD_MS,
    )


# --- the link that ends them


def find_by_link(services: Services, token: str) -> tuple[str, str] | None:
    """The table whose letters a link would end, and the language of their reader; None for a link never made."""
    with services.db.snapshot() as session:
        row = session.get(Capability, token_hash(KIND, token)) if is_token(token) else None
        game = session.get(Game, row.game_id) if row is not None else None
        user = session.get(User, row.user_id) if row is not None else None
        return (game.title, user.language) if game is not None and user is not None else None


def unsubscribe(services: Services, token: str) -> None:
    """No letters of that table any more; nothing happens where none are sent."""
    with services.db.transaction() as session:
        row = session.get(Capability, token_hash(KIND, token)) if is_token(token) else None
        watcher = session.get(Spectator, (row.game_id, row.user_id)) if row is not None else None
        if watcher is not None:
            watcher.letters_from = None
