"""How people are called at a table: no two there have names that are taken for one another.

At a table are those who can speak or answer there: its players, its masters, and the deputies who have agreed.
"""

from collections.abc import Collection
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.common.confusables import find_confusable, make_distinct, skeleton
from pbem.common.states import LIVE
from pbem.common.text import to_one_line
from pbem.service.access import masters
from pbem.service.base.services import RequestRefused
from pbem.store.games import lock_game, occupied_seats
from pbem.store.models import Deputy, Game, Master, SeatRow, User

LONGEST: Final = 80
_BOT: Final = "(bot)"
"""Stands behind the names of bots, and of nobody else."""


def bot_name(name: str) -> str:
    """How a bot is called."""
    return f"{name} {_BOT}"


def name_from_email(address: str) -> str:
    """How a person is called who has not said it: by the first part of their address."""
    return to_one_line(address.partition("@")[0].replace(".", " "), LONGEST)


def names_in_game(session: Session, game: Game, leaving: str = "") -> dict[int, str]:
    """The names at a table by the numbers of their people, but for the player of the seat that is `leaving`."""
    people = [user for row, user in occupied_seats(session, game.id) if row.seat != leaving]
    here = Deputy.game_id == game.id, Deputy.ended_at.is_(None), Deputy.agreed_at.is_not(None)
    deputies = session.scalars(select(Deputy).where(*here, Deputy.seat != leaving)).all()
    people += [*masters.masters_of(session, game), *(session.get_one(User, row.user_id) for row in deputies)]
    return {user.id: user.name for user in people}


def check_unique(session: Session, game: Game, user: User, leaving: str = "") -> None:
    """Raise Refused (`name_alike`) where a person's name, if they chose it, would be taken for another's at a table."""
    others = _other_names(session, game, user, leaving)
    if user.name != name_from_email(user.address):
        _raise_taken(user.name, game, others, others)


def make_unique(session: Session, game: Game, user: User, leaving: str = "") -> None:
    """The same as they come to the table; a name that was made of their address gets a number where that is needed."""
    check_unique(session, game, user, leaving)
    others = _other_names(session, game, user, leaving)
    if find_confusable(user.name, others) is not None:
        near = [other for one in _games_of(session, user, lock=False) for other in _other_names(session, one, user)]
        user.name = make_distinct(user.name, [*others, *near], LONGEST)


def rename_user(session: Session, user: User, name: str, coming_to: Game | None = None) -> None:
    """Call a person otherwise, everywhere.

    `coming_to`: a locked table at which they are about to sit.  Raises Refused where the name would be taken for
    another's there, or at a table of theirs (`name_alike`), or for that of a bot (`name_of_bots`).
    """
    if _BOT in skeleton(name).casefold():
        raise RequestRefused("name_of_bots")
    tables = [coming_to] if coming_to is not None else []
    tables += _games_of(session, user, lock=coming_to is None)
    found = [(game, _other_names(session, game, user)) for game in tables]
    everybody = [other for _, others in found for other in others]
    for game, others in found:
        _raise_taken(name, game, others, everybody)
    user.name = name


def _raise_taken(name: str, game: Game, others: Collection[str], everybody: Collection[str]) -> None:
    other = find_confusable(name, others)
    if other is not None:
        would = make_distinct(name, everybody, LONGEST)
        raise RequestRefused("name_alike", name=name, other=other, table=game.title, would=would)


def _other_names(session: Session, game: Game, user: User, leaving: str = "") -> list[str]:
    return [name for number, name in names_in_game(session, game, leaving).items() if number != user.id]


def _games_of(session: Session, user: User, *, lock: bool) -> list[Game]:
    """The games that are not over at which a person is; locked in one order, so that nobody waits for another."""
    ids = set(session.scalars(select(SeatRow.game_id).where(SeatRow.user_id == user.id)))
    ids |= set(session.scalars(select(Game.id).where(Game.host_id == user.id)))
    ids |= set(session.scalars(select(Master.game_id).where(Master.user_id == user.id)))
    ids |= set(session.scalars(select(Deputy.game_id).where(Deputy.user_id == user.id, Deputy.ended_at.is_(None))))
    found = [lock_game(session, one) if lock else session.get(Game, one) for one in sorted(ids)]
    return [
        game for game in found if game is not None and game.state in LIVE and user.id in names_in_game(session, game)
    ]
