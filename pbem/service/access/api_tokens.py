"""Programs that play or watch for a person: each has a token of its own, for one seat or for all its owner may see.

A token is shown once, when it is made; here lies its hash.  It opens what its owner may open at that moment and no
more: a player who gives up a seat, or loses it, leaves its tokens behind ended.
"""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.common.text import to_one_line
from pbem.crypto import token_hash
from pbem.service.access.capabilities import create_capability, find_capability
from pbem.service.access.users import Person, form_id, to_user
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.store.games import find_seat_of_user, load_seats
from pbem.store.models import ApiToken, Capability, Game, User

PURPOSE = "program"
READ, PLAY, MASTER = "read", "play", "master"
SCOPES = (READ, PLAY, MASTER)
"""What a token may do beside looking: nothing, what players do, or what masters do; none of them holds another."""
MAX_TOKENS, MAX_DAYS, LONGEST_NAME = 20, 366, 60
USE_INTERVAL_MS = 60_000
"""How exactly it is known when a token was used last: not every look is worth a write."""


@dataclass(frozen=True)
class TokenInfo:
    """A token as its owner sees it in their list; moments are seconds."""

    id: int
    name: str
    scope: str
    game: str
    title: str
    seat: str
    made: int
    expires: int
    used: int | None


@dataclass(frozen=True)
class ApiClient:
    """The bearer of a token: their user, scope, and the one seat that it is for, if it is."""

    id: int
    name: str
    person: Person
    scope: str
    game: str
    seat: str
    expires: int

    def form_id(self, route: str, key: str) -> str:
        """Return the id of the form that a request with this idempotency key stands for."""
        return form_id("program", str(self.id), route, key)

    def may(self, scope: str) -> bool:
        """Return True if it may do what needs a scope; all may look."""
        return scope in (READ, self.scope)


def create_token(services: Services, user_id: int, *, name: str, scope: str, days: int, game_id: str = "") -> str:
    """Make a token: for all that its owner may see, or, if a game is named, for their seat there alone.

    Raises RequestRefused: `program_name`, `program_scope`, `program_days`, `program_seat`, `program_many`.
    """
    short_name = to_one_line(name, LONGEST_NAME)
    if not short_name:
        raise RequestRefused("program_name")
    if scope not in SCOPES:
        raise RequestRefused("program_scope")
    if not 1 <= days <= MAX_DAYS:
        raise RequestRefused("program_days", most=MAX_DAYS)
    now = services.now()
    with services.db.transaction() as session:
        if len(_load_valid(session, user_id, now)) >= MAX_TOKENS:
            raise RequestRefused("program_many", most=MAX_TOKENS)
        seat = _seat_of(session, user_id, game_id) if game_id else None
        token = create_capability(
            session, PURPOSE, now, lasting_ms=days * DAY_MS, user_id=user_id, game_id=game_id or None, seat=seat
        )
        session.flush()
        session.add(ApiToken(hash=token_hash(PURPOSE, token), user_id=user_id, name=short_name, scope=scope))
    return token


def _seat_of(session: Session, user_id: int, game_id: str) -> str:
    seat = find_seat_of_user(session, game_id, user_id)
    if seat is None:
        raise RequestRefused("program_seat")
    return seat.seat


def _load_valid(session: Session, user_id: int, now: int) -> list[tuple[ApiToken, Capability]]:
    rows = session.execute(
        select(ApiToken, Capability)
        .join(Capability, Capability.hash == ApiToken.hash)
        .where(ApiToken.user_id == user_id, Capability.revoked_at.is_(None), Capability.expires_at > now)
        .order_by(ApiToken.id)
    )
    return [(program, token) for program, token in rows]


def list_tokens(services: Services, user_id: int) -> tuple[TokenInfo, ...]:
    """List the valid tokens of a user."""
    with services.db.snapshot() as session:
        tokens = _load_valid(session, user_id, services.now())
        return tuple(_to_info(session, program, token) for program, token in tokens)


def _to_info(session: Session, row: ApiToken, token: Capability) -> TokenInfo:
    game = session.get(Game, token.game_id) if token.game_id is not None else None
    used = token.used_at // 1000 if token.used_at is not None else None
    return TokenInfo(
        row.id,
        row.name,
        row.scope,
        token.game_id or "",
        game.title if game is not None else "",
        token.seat or "",
        token.created_at // 1000,
        (token.expires_at or 0) // 1000,
        used,
    )


def revoke(services: Services, user_id: int, program: int) -> bool:
    """End one of one's own tokens, at once; False where there is no such token that still opens anything."""
    now = services.now()
    with services.db.transaction() as session:
        token = next((token for row, token in _load_valid(session, user_id, now) if row.id == program), None)
        if token is not None:
            token.revoked_at = now
        return token is not None


def authenticate(services: Services, token: str) -> ApiClient | None:
    """Return the client of a token. None if it is not valid, or its seat has another player."""
    with services.db.snapshot() as session:
        row = find_capability(session, PURPOSE, token, services.now())
        client = _to_client(session, row) if row is not None else None
    if row is not None and client is not None and (row.used_at or 0) + USE_INTERVAL_MS <= services.now():
        with services.db.transaction() as session:
            used = session.get(Capability, row.hash)
            if used is not None:
                used.used_at = services.now()
    return client


def _to_client(session: Session, row: Capability) -> ApiClient | None:
    program = session.scalars(select(ApiToken).where(ApiToken.hash == row.hash)).one_or_none()
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if program is None or user is None:
        return None
    game, seat = row.game_id or "", row.seat or ""
    if game and not any((s.user_id, s.seat) == (user.id, seat) for s in load_seats(session, game)):
        return None
    expires = (row.expires_at or 0) // 1000
    return ApiClient(program.id, program.name, to_user(user), program.scope, game, seat, expires)


# --- how often


def count_write(services: Services, client: ApiClient) -> bool:
    """Count one call that changes something; False once there were more within this hour than a player makes."""
    return not limits.is_exceeded(services, "acts", str(client.person.id))


def retry_after(services: Services) -> int:
    """Return the seconds until the rate limit starts again."""
    return limits.retry_after_seconds(services, limits.HOUR_S)
