"""A link to a table that forms: whoever has it takes a free seat, until its host revokes it or the game begins.

Who is new here is signed in by it at once, for an address that nobody has proved to be theirs: such a session ends when
the owner of the address signs in by a letter.  Who is known here signs in by a letter first, so that nobody comes into
the place of another by naming their address.
"""

from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.languages import Language
from pbem.common.addresses import is_address, normalize
from pbem.common.states import GATHERING
from pbem.common.text import to_one_line
from pbem.crypto import is_token, new_token, token_hash
from pbem.service.access import display_names, invitation_policy, masters, users
from pbem.service.access.tokens import revoke
from pbem.service.base import limits
from pbem.service.base.services import RequestRefused, Services
from pbem.service.seats import sign_in, tables
from pbem.service.seats.lobby import Lobby, load_lobby
from pbem.store.games import find_seat_of_user, lock_game
from pbem.store.models import Capability, Game, JoinLink, User

TABLE: Final = "table"
"""The purpose of the token."""


def create(services: Services, game_id: str, host_id: int) -> None:
    """A new link to a table; the one before opens nothing any more.  Raises Refused."""
    token, now = new_token(), services.now()
    with services.db.transaction() as session:
        game = tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        _revoke_link(services, session, game_id)
        session.add(Capability(hash=token_hash(TABLE, token), purpose=TABLE, game_id=game.id, made_at=now))
        sealed = users.view_key(services).encrypt(TABLE, game_id.encode(), token.encode())
        session.add(JoinLink(game_id=game_id, sealed=sealed, made_at=now))


def revoke_link(services: Services, game_id: str, host_id: int) -> None:
    """Revoke the link to a table.  Raises Refused."""
    with services.db.transaction() as session:
        tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        _revoke_link(services, session, game_id)


def _revoke_link(services: Services, session: Session, game_id: str) -> None:
    revoke(session, services.now(), Capability.purpose == TABLE, Capability.game_id == game_id)
    session.execute(delete(JoinLink).where(JoinLink.game_id == game_id))


def get_link(services: Services, game_id: str) -> str:
    """The link to a table, for its host; empty where there is none."""
    with services.db.snapshot() as session:
        row = session.get(JoinLink, game_id)
        if row is None:
            return ""
        token = users.view_key(services).decrypt(TABLE, game_id.encode(), row.sealed).decode()
        return f"{services.public_url}/table/{token}"


# --- who follows it


def find_game(services: Services, token: str) -> Lobby | None:
    """The table that a link leads to; None for one that opens nothing, or not any more."""
    with services.db.snapshot() as session:
        game = _find_game(session, token)
        return load_lobby(services, session, game, host=False) if game is not None else None


def _find_game(session: Session, token: str) -> Game | None:
    row = session.get(Capability, token_hash(TABLE, token)) if is_token(token) else None
    if row is None or row.revoked_at is not None or row.game_id is None:
        return None
    game = session.get(Game, row.game_id)
    return game if game is not None and game.state in GATHERING else None


def join(services: Services, token: str, user_id: int, words: str = "") -> str:
    """Take a free seat; the game's id.  Who sits there already stays.  Raises Refused."""
    with services.db.transaction() as session:
        game = _load_open_table(session, token)
        _take_seat(services, session, game, session.get_one(User, user_id), words)
    _enqueue_jobs(services, game.id)
    return game.id


def join_new_user(
    services: Services, token: str, address: str, name: str, words: str, language: Language, line: str
) -> tuple[str, int] | None:
    """The same for somebody who is new here: the game's id and theirs.  None where the address is known here.

    Then a letter with a link to sign in goes to it.  `line`: where the request comes from.  Raises Refused.
    """
    if not is_address(address):
        raise RequestRefused("address_wanted", address=to_one_line(address, 80))
    with services.db.snapshot() as session:
        known = session.scalar(select(User.id).where(User.address == normalize(address))) is not None
        if invitation_policy.has_opted_out(session, address):
            raise RequestRefused("takes_none", address=normalize(address)[:80])
    if known:
        sign_in.request_sign_in(services, address, language, line)
        return None
    if limits.is_exceeded(services, "sign_ins_from", line, limits.DAY_S):
        raise limits.rate_limit_error(services)
    with services.db.transaction() as session:
        game = _load_open_table(session, token)
        user = tables.get_or_create_user(services, session, address, name, language)
        if to_one_line(name, display_names.LONGEST):
            display_names.rename_user(session, user, to_one_line(name, display_names.LONGEST), coming_to=game)
        _take_seat(services, session, game, user, words)
        found = game.id, user.id
    _enqueue_jobs(services, found[0])
    return found


def _load_open_table(session: Session, token: str) -> Game:
    led = _find_game(session, token)
    game = lock_game(session, led.id) if led is not None else None
    if game is None or game.state not in GATHERING:
        raise RequestRefused("invitation_over")
    return game


def _take_seat(services: Services, session: Session, game: Game, user: User, words: str) -> None:
    if find_seat_of_user(session, game.id, user.id) is not None:
        return
    free = tables.free_seats(services, session, game)
    if not free:
        raise RequestRefused("no_free_seat")
    if masters.has_inspected(session, game.id, user.id):
        raise RequestRefused("already_seated")
    free[0].invited = None
    tables.take_seat(services, session, game, free[0], user, words)


def _enqueue_jobs(services: Services, game_id: str) -> None:
    services.enqueue("resolve_game", game_id)
    services.enqueue("send_outbound_emails", "")
