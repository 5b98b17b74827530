"""A link to a table that forms: whoever has it takes a free seat, until its host revokes it or the game begins.

Who is new here is signed in by it at once, for an address that nobody has proved to be theirs: such a session ends when
the owner of the address signs in by a letter.  Who is known here signs in by a letter first, so that nobody comes into
the place of another by naming their address.
"""

from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.languages import Language
from pbem.addresses import comparable, is_address
from pbem.service.access import inviting, masters, naming, people
from pbem.service.access.tokens import revoke
from pbem.service.base import limits
from pbem.service.base.services import Refused, Services
from pbem.service.seats import signing_in, tables
from pbem.service.seats.forming import Forming, forming_of
from pbem.states import GATHERING
from pbem.store.games import locked, seat_held_by
from pbem.store.models import Game, TableLink, TokenRow, User
from pbem.text import one_line
from pbem.vault import is_token, new_token, token_hash

TABLE: Final = "table"
"""The purpose of the token."""


def make(services: Services, game_id: str, host_id: int) -> None:
    """A new link to a table; the one before opens nothing any more.  Raises Refused."""
    token, now = new_token(), services.now()
    with services.db.writing() as session:
        game = tables.hosted(services, session, locked(session, game_id), host_id)
        _end(services, session, game_id)
        session.add(TokenRow(hash=token_hash(TABLE, token), purpose=TABLE, game_id=game.id, made_at=now))
        sealed = people.view_key(services).lock(TABLE, game_id.encode(), token.encode())
        session.add(TableLink(game_id=game_id, sealed=sealed, made_at=now))


def end(services: Services, game_id: str, host_id: int) -> None:
    """Revoke the link to a table.  Raises Refused."""
    with services.db.writing() as session:
        tables.hosted(services, session, locked(session, game_id), host_id)
        _end(services, session, game_id)


def _end(services: Services, session: Session, game_id: str) -> None:
    revoke(session, services.now(), TokenRow.purpose == TABLE, TokenRow.game_id == game_id)
    session.execute(delete(TableLink).where(TableLink.game_id == game_id))


def link(services: Services, game_id: str) -> str:
    """The link to a table, for its host; empty where there is none."""
    with services.db.reading() as session:
        row = session.get(TableLink, game_id)
        if row is None:
            return ""
        token = people.view_key(services).unlock(TABLE, game_id.encode(), row.sealed).decode()
        return f"{services.public_url}/table/{token}"


# --- who follows it


def look(services: Services, token: str) -> Forming | None:
    """The table that a link leads to; None for one that opens nothing, or not any more."""
    with services.db.reading() as session:
        game = _led_to(session, token)
        return forming_of(services, session, game, host=False) if game is not None else None


def _led_to(session: Session, token: str) -> Game | None:
    row = session.get(TokenRow, token_hash(TABLE, token)) if is_token(token) else None
    if row is None or row.revoked_at is not None or row.game_id is None:
        return None
    game = session.get(Game, row.game_id)
    return game if game is not None and game.state in GATHERING else None


def sit_down(services: Services, token: str, user_id: int, words: str = "") -> str:
    """Take a free seat; the game's id.  Who sits there already stays.  Raises Refused."""
    with services.db.writing() as session:
        game = _opened(session, token)
        _sit(services, session, game, session.get_one(User, user_id), words)
    _wake(services, game.id)
    return game.id


def come(
    services: Services, token: str, address: str, name: str, words: str, language: Language, line: str
) -> tuple[str, int] | None:
    """The same for somebody who is new here: the game's id and theirs.  None where the address is known here.

    Then a letter with a link to sign in goes to it.  `line`: where the request comes from.  Raises Refused.
    """
    if not is_address(address):
        raise Refused("address_wanted", address=one_line(address, 80))
    with services.db.reading() as session:
        known = session.scalar(select(User.id).where(User.address == comparable(address))) is not None
        if inviting.wants_none(session, address):
            raise Refused("takes_none", address=comparable(address)[:80])
    if known:
        signing_in.ask_sign_in(services, address, language, line)
        return None
    if limits.over(services, "sign_ins_from", line, limits.DAY_S):
        raise limits.too_often(services)
    with services.db.writing() as session:
        game = _opened(session, token)
        user = tables.user_of(services, session, address, name, language)
        if one_line(name, naming.LONGEST):
            naming.call(session, user, one_line(name, naming.LONGEST), coming_to=game)
        _sit(services, session, game, user, words)
        found = game.id, user.id
    _wake(services, found[0])
    return found


def _opened(session: Session, token: str) -> Game:
    led = _led_to(session, token)
    game = locked(session, led.id) if led is not None else None
    if game is None or game.state not in GATHERING:
        raise Refused("invitation_over")
    return game


def _sit(services: Services, session: Session, game: Game, user: User, words: str) -> None:
    if seat_held_by(session, game.id, user.id) is not None:
        return
    free = tables.free_seats(services, session, game)
    if not free:
        raise Refused("no_free_seat")
    if masters.has_opened(session, game.id, user.id):
        raise Refused("already_seated")
    free[0].invited = None
    tables.sit_down(services, session, game, free[0], user, words)


def _wake(services: Services, game_id: str) -> None:
    services.wake("play", game_id)
    services.wake("deliver", "")
