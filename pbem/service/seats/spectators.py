"""Spectators see what everybody may see of a table, and nothing else, from any moment on.

A table lets in everybody, or people whom its master invites, or nobody; that is one of its options.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Select, and_, delete, exists, false, func, or_, select
from sqlalchemy.orm import Session

from engine.kernel.options import SPECTATORS
from engine.kernel.rules import Rules
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState
from pbem.narration.facts import NoticeFacts
from pbem.service.access import mail_preferences
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.access.users import get_or_create_invitee
from pbem.service.base.database_access import FIRST_PAGE, Page, PageWindow
from pbem.service.base.services import RequestRefused, Services
from pbem.service.mail import notifications
from pbem.service.mail.outbox import enqueue
from pbem.store.games import find_seat_of_user, load_game, lock_game, name_at_table
from pbem.store.models import Game, SeatRow, Spectator, User
from pbem.store.row_signatures import split_verified

OPEN, INVITED, NONE = "open", "invited", "none"
MAX_SPECTATORS = 100
"""Spectators of one table."""


@dataclass(frozen=True)
class FollowedGame:
    """A table that one may look on at, or does; `wants_emails`: one gets emails of it."""

    game: str
    rules: str
    title: str
    entry: int
    wants_emails: bool = False


def spectator_policy(services: Services, game: Game) -> str:
    """Return who may watch a game: `open`, `invited`, `none`; by default `invited`."""
    return str(game.options.get(SPECTATORS.name) or _default_policy(services.rules(game.rules)))


def _default_policy(rules: Rules[Any]) -> str:
    """Who may look on at a table that has settled nothing."""
    offered = {option.name: option.default for option in rules.meta.options}
    return str(offered.get(SPECTATORS.name) or SPECTATORS.default)


def is_spectator(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person watches a table."""
    return session.get(Spectator, (game_id, user_id)) is not None


def follow(services: Services, user_id: int, game_id: str) -> None:
    """Watch a table that is open to spectators. Raises RequestRefused, the same for a table that does not exist."""
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if (
            game is None
            or game.state != GameState.RUNNING
            or spectator_policy(services, game) != OPEN
            or find_seat_of_user(session, game.id, user_id) is not None
        ):
            raise RequestRefused("no_such_sight")
        _add_spectator(services, session, game, user_id, None)


def invite(services: Services, user_id: int, game_id: str, address: str) -> None:
    """Invite a person to watch, as a master of the game. Raises RequestRefused."""
    with services.db.snapshot() as session:
        game = _require_invitation_right(services, session, load_game(session, game_id), user_id)
        mail_preferences.check_invitation(services, session, game, session.get_one(User, user_id), address)
    with services.db.transaction() as session:
        game = _require_invitation_right(services, session, lock_game(session, game_id), user_id)
        master = session.get_one(User, user_id)
        user = get_or_create_invitee(services, session, master, address)
        if find_seat_of_user(session, game.id, user.id) is not None:
            raise RequestRefused("already_seated")
        if _add_spectator(services, session, game, user.id, user_id):
            _send_invitation(services, session, game, user, master)
    services.enqueue("send_outbound_emails", "")


def _require_invitation_right(services: Services, session: Session, game: Game | None, user_id: int) -> Game:
    """The table, if this person may let others watch; Raises RequestRefused."""
    running = game is not None and game.state == GameState.RUNNING
    if game is None or not running or not has_permission(session, game, user_id, services.now(), Permission.MASTERS):
        raise RequestRefused("not_your_table")
    if spectator_policy(services, game) == NONE:
        raise RequestRefused("no_spectators")
    return game


def _add_spectator(services: Services, session: Session, game: Game, user_id: int, invited_by: int | None) -> bool:
    if is_spectator(session, game.id, user_id):
        return False
    if len(load_names(session, game.id)) >= MAX_SPECTATORS:
        raise RequestRefused("no_spectators")
    session.add(Spectator(game_id=game.id, user_id=user_id, created_at=services.now(), invited_by=invited_by))
    session.flush()
    return True


def _send_invitation(services: Services, session: Session, game: Game, user: User, master: User) -> None:
    now = services.now()
    frame = notifications.request_context(services, session, game, user)
    enqueue(
        services,
        session,
        key=f"{game.id}.{user.id}.{now}.watching",
        kind="notice",
        facts=NoticeFacts(frame, "watching", {"name": name_at_table(session, game, master)}),
        user_id=user.id,
        game_id=game.id,
    )


def unfollow(services: Services, user_id: int, game_id: str) -> None:
    """Look on no more."""
    with services.db.transaction() as session:
        session.execute(delete(Spectator).where(Spectator.game_id == game_id, Spectator.user_id == user_id))


def load_names(session: Session, game_id: str) -> tuple[str, ...]:
    """Return the names of a game's spectators."""
    sitting = select(SeatRow.user_id).where(SeatRow.game_id == game_id, SeatRow.user_id.is_not(None))
    query = select(User.name).join(Spectator, Spectator.user_id == User.id).where(Spectator.game_id == game_id)
    query = query.where(User.id.not_in(sitting))
    return tuple(session.scalars(query.order_by(Spectator.created_at, User.id)))


def load_spectators(services: Services, game_id: str) -> tuple[str, ...]:
    """Return the names of a game's spectators."""
    with services.db.snapshot() as session:
        return load_names(session, game_id)


def list_followed(
    services: Services, user_id: int, part: PageWindow = FIRST_PAGE
) -> tuple[Sequence[FollowedGame], Page[FollowedGame]]:
    """List the games that a user watches, and a page of those that anybody may watch."""
    with services.db.snapshot() as session:
        followed = {row.game_id: row for row in session.scalars(select(Spectator).where(Spectator.user_id == user_id))}
        here = Game.id.in_(followed), Game.rules.in_(services.installed)
        ids = session.scalars(select(Game.id).where(*here).order_by(Game.title, Game.id)).all()
        looking = [
            _to_followed(game, letters=followed[game.id].emails_since is not None)
            for game in split_verified(session, Game, ids)[0]
        ]
        return looking, part.run_query(
            session,
            _select_open(services, user_id, followed),
            partial(_load_open_to_all, services, session, user_id),
        )


def _select_open(services: Services, user_id: int, followed: Collection[str]) -> Select[str]:
    """Tables at which a person neither sits nor looks on, and that are open to all by what stands in their rows."""
    sits = exists().where(SeatRow.game_id == Game.id, SeatRow.user_id == user_id)
    its = Game.state == GameState.RUNNING, Game.id.not_in(followed), ~sits
    chosen = func.coalesce(Game.options[SPECTATORS.name].as_string(), "")
    terms_of = [
        and_(Game.rules == name, chosen.in_((OPEN, "") if _default_policy(rules) == OPEN else (OPEN,)))
        for name, rules in services.installed.items()
    ]
    return select(Game.id).where(*its, or_(false(), *terms_of)).order_by(Game.title, Game.id)


def _load_open_to_all(services: Services, session: Session, user_id: int, ids: Sequence[str]) -> Sequence[FollowedGame]:
    """Those that are so by what is believed, of the table and of who sits there."""
    games: list[FollowedGame] = []
    for game in split_verified(session, Game, ids)[0]:
        with skip_unreadable():
            sits = find_seat_of_user(session, game.id, user_id) is not None
            if spectator_policy(services, game) == OPEN and not sits:
                games.append(_to_followed(game))
    return games


def _to_followed(game: Game, *, letters: bool = False) -> FollowedGame:
    return FollowedGame(game.id, game.rules, game.title, game.entry, letters)
