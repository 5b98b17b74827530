"""Spectators see what everybody may see of a table, and nothing else, from any moment on.

A table lets in everybody, or people whom its master invites, or nobody; that is one of its options.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Select, and_, delete, exists, false, func, or_, select
from sqlalchemy.orm import Session

from engine.kernel.options import WATCHERS
from engine.kernel.rules import Rules
from pbem.narration.facts import NoticeFacts
from pbem.service.access import inviting
from pbem.service.access.permissions import Who, may
from pbem.service.base.believing import parted
from pbem.service.base.parts import FIRST, Found, Part
from pbem.service.base.services import Refused, Services
from pbem.service.post import notifications
from pbem.service.post.outbox import draft
from pbem.service.seats.tables import asked_by
from pbem.states import GameState
from pbem.store.games import locked, seat_held_by
from pbem.store.games import table as table_of
from pbem.store.models import Game, SeatRow, User, Watcher
from pbem.trouble import passing_over

OPEN, INVITED, NONE = "open", "invited", "none"
MOST = 100
"""Spectators of one table."""


@dataclass(frozen=True)
class WatchedTable:
    """A table that one may look on at, or does; `letters`: one gets letters of it."""

    game: str
    rules: str
    title: str
    entry: int
    letters: bool = False


def terms(services: Services, game: Game) -> str:
    """Who may look on: `open`, `invited`, `none`; a game that does not offer the choice takes invitations."""
    return str(game.options.get(WATCHERS.name) or _usually(services.rules(game.rules)))


def _usually(rules: Rules[Any]) -> str:
    """Who may look on at a table that has settled nothing."""
    offered = {option.name: option.default for option in rules.meta.options}
    return str(offered.get(WATCHERS.name) or WATCHERS.default)


def looks_on(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person watches a table."""
    return session.get(Watcher, (game_id, user_id)) is not None


def watch(services: Services, user_id: int, game_id: str) -> None:
    """Watch a table that is open to spectators.  Raises Refused, the same for a table that does not exist."""
    with services.db.writing() as session:
        game = locked(session, game_id)
        if (
            game is None
            or game.state != GameState.RUNNING
            or terms(services, game) != OPEN
            or seat_held_by(session, game.id, user_id) is not None
        ):
            raise Refused("no_such_sight")
        _let_in(services, session, game, user_id, None)


def invite(services: Services, user_id: int, game_id: str, address: str) -> None:
    """A master lets a person watch, and tells them by letter.  Raises Refused."""
    with services.db.reading() as session:
        game = _of_master(services, session, table_of(session, game_id), user_id)
        inviting.check(services, session, game, session.get_one(User, user_id), address)
    with services.db.writing() as session:
        game = _of_master(services, session, locked(session, game_id), user_id)
        master = session.get_one(User, user_id)
        user = asked_by(services, session, master, address)
        if seat_held_by(session, game.id, user.id) is not None:
            raise Refused("already_seated")
        if _let_in(services, session, game, user.id, user_id):
            _write_to(services, session, game, user, master)
    services.wake("deliver", "")


def _of_master(services: Services, session: Session, game: Game | None, user_id: int) -> Game:
    """The table, if this person may let others watch; raises Refused."""
    running = game is not None and game.state == GameState.RUNNING
    if game is None or not running or not may(session, game, user_id, services.now(), Who.MASTERS):
        raise Refused("not_your_table")
    if terms(services, game) == NONE:
        raise Refused("no_spectators")
    return game


def _let_in(services: Services, session: Session, game: Game, user_id: int, by: int | None) -> bool:
    if looks_on(session, game.id, user_id):
        return False
    if len(names(session, game.id)) >= MOST:
        raise Refused("no_spectators")
    session.add(Watcher(game_id=game.id, user_id=user_id, since=services.now(), asked_by=by))
    session.flush()
    return True


def _write_to(services: Services, session: Session, game: Game, user: User, master: User) -> None:
    now = services.now()
    frame = notifications.asking(services, session, game, user)
    draft(
        services,
        session,
        key=f"{game.id}.{user.id}.{now}.watching",
        kind="notice",
        facts=NoticeFacts(frame, "watching", {"name": master.name}),
        user_id=user.id,
        game_id=game.id,
    )


def leave(services: Services, user_id: int, game_id: str) -> None:
    """Look on no more."""
    with services.db.writing() as session:
        session.execute(delete(Watcher).where(Watcher.game_id == game_id, Watcher.user_id == user_id))


def names(session: Session, game_id: str) -> tuple[str, ...]:
    """Who looks on at a table, for everybody there to know."""
    sitting = select(SeatRow.user_id).where(SeatRow.game_id == game_id, SeatRow.user_id.is_not(None))
    found = select(User.name).join(Watcher, Watcher.user_id == User.id).where(Watcher.game_id == game_id)
    found = found.where(User.id.not_in(sitting))
    return tuple(session.scalars(found.order_by(Watcher.since, User.id)))


def spectators_of(services: Services, game_id: str) -> tuple[str, ...]:
    """The same, for a page."""
    with services.db.reading() as session:
        return names(session, game_id)


def watched_tables(
    services: Services, user_id: int, part: Part = FIRST
) -> tuple[Sequence[WatchedTable], Found[WatchedTable]]:
    """The tables that a person watches, and those that anybody may watch; none that is not believed.

    Of these `part` is returned.
    """
    with services.db.reading() as session:
        mine = {row.game_id: row for row in session.scalars(select(Watcher).where(Watcher.user_id == user_id))}
        here = Game.id.in_(mine), Game.rules.in_(services.installed)
        ids = session.scalars(select(Game.id).where(*here).order_by(Game.title, Game.id)).all()
        looking = [
            _sight(game, letters=mine[game.id].letters_from is not None) for game in parted(session, Game, ids)[0]
        ]
        return looking, part.of(
            session, _free(services, user_id, mine), partial(_open_to_all, services, session, user_id)
        )


def _free(services: Services, user_id: int, mine: Collection[str]) -> Select[str]:
    """Tables at which a person neither sits nor looks on, and that are open to all by what stands in their rows."""
    sits = exists().where(SeatRow.game_id == Game.id, SeatRow.user_id == user_id)
    its = Game.state == GameState.RUNNING, Game.id.not_in(mine), ~sits
    chosen = func.coalesce(Game.options[WATCHERS.name].as_string(), "")
    terms_of = [
        and_(Game.rules == name, chosen.in_((OPEN, "") if _usually(rules) == OPEN else (OPEN,)))
        for name, rules in services.installed.items()
    ]
    return select(Game.id).where(*its, or_(false(), *terms_of)).order_by(Game.title, Game.id)


def _open_to_all(services: Services, session: Session, user_id: int, ids: Sequence[str]) -> Sequence[WatchedTable]:
    """Those that are so by what is believed, of the table and of who sits there."""
    found: list[WatchedTable] = []
    for game in parted(session, Game, ids)[0]:
        with passing_over():
            sits = seat_held_by(session, game.id, user_id) is not None
            found += [_sight(game)] if terms(services, game) == OPEN and not sits else []
    return found


def _sight(game: Game, *, letters: bool = False) -> WatchedTable:
    return WatchedTable(game.id, game.rules, game.title, game.entry, letters)
