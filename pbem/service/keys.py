"""What a rotation of keys asks of the database.  Only who holds the master keys can do it."""

from sqlalchemy import select

from pbem.service.office import Office
from pbem.store.models import Game
from pbem.vault import WrappedGameKeys, rewrap


def rewrap_all(office: Office) -> int:
    """Wrap every game's keys under the newest master key; how many games that were.

    One transaction a game, so that a running server is not held up; begun again, it goes on where it ended.
    Raises NotOurs without the keys of play, Tampered or UnknownKey for a game whose keys do not open.
    """
    master = office.playing.master
    with office.db.reading() as session:
        games = list(session.scalars(select(Game.id).where(Game.keys.is_not(None)).order_by(Game.id)))
    for game_id in games:
        with office.db.writing() as session:
            game = session.scalars(select(Game).where(Game.id == game_id).with_for_update()).one()
            game.keys = rewrap(master, WrappedGameKeys.from_bytes(game.keys or b"")).to_bytes()
    return len(games)
