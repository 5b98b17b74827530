"""Programs that play or watch for a person: each has a token of its own, for one seat or for all its owner may see.

A token is shown once, when it is made; here lies its hash.  It opens what its owner may open at that moment and no
more: a player who gives up a seat, or loses it, leaves its tokens behind ended.
"""

import hashlib
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.access.people import Person, person
from pbem.service.base import limits
from pbem.service.base.services import Office, Refused
from pbem.store.games import seats
from pbem.store.models import Game, ProgramRow, TokenRow, User
from pbem.text import one_line
from pbem.vault import is_token, new_token, token_hash
from pbem.vault.tokens import ALPHABET, LENGTH

PROGRAM = "program"
READ, PLAY, MASTER = "read", "play", "master"
SCOPES = (READ, PLAY, MASTER)
"""What a token may do beside looking: nothing, what players do, or what masters do; none of them holds another."""
MOST, MOST_DAYS, LONGEST_NAME = 20, 366, 60
DAY_MS = 24 * 3_600_000
NOTED_MS = 60_000
"""How exactly it is known when a token was used last: not every look is worth a write."""


@dataclass(frozen=True)
class Program:
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
class Bearer:
    """The bearer of a token: for whom they act, whether they may act, and the one seat that it is for, if it is."""

    id: int
    name: str
    person: Person
    scope: str
    game: str
    seat: str
    expires: int

    def may(self, scope: str) -> bool:
        """Return True if it may do what needs a scope; all may look."""
        return scope in (READ, self.scope)


def issue(office: Office, user_id: int, *, name: str, scope: str, days: int, game_id: str = "") -> str:
    """Make a token: for all that its owner may see, or, if a game is named, for their seat there alone.

    Raises Refused: `program_name`, `program_scope`, `program_days`, `program_seat`, `program_many`.
    """
    shown = one_line(name, LONGEST_NAME)
    if not shown:
        raise Refused("program_name")
    if scope not in SCOPES:
        raise Refused("program_scope")
    if not 1 <= days <= MOST_DAYS:
        raise Refused("program_days", most=MOST_DAYS)
    token, now = new_token(), office.now()
    with office.db.writing() as session:
        if len(_alive(session, user_id, now)) >= MOST:
            raise Refused("program_many", most=MOST)
        seat = _seat(session, user_id, game_id) if game_id else None
        made = TokenRow(hash=token_hash(PROGRAM, token), purpose=PROGRAM, user_id=user_id, game_id=game_id or None,
                        seat=seat, made_at=now, expires_at=now + days * DAY_MS)  # fmt: skip
        session.add(made)
        session.flush()
        session.add(ProgramRow(hash=made.hash, user_id=user_id, name=shown, scope=scope))
    return token


def _seat(session: Session, user_id: int, game_id: str) -> str:
    found = next((row.seat for row in seats(session, game_id) if row.user_id == user_id), None)
    if found is None:
        raise Refused("program_seat")
    return found


def _alive(session: Session, user_id: int, now: int) -> list[tuple[ProgramRow, TokenRow]]:
    rows = session.execute(
        select(ProgramRow, TokenRow)
        .join(TokenRow, TokenRow.hash == ProgramRow.hash)
        .where(ProgramRow.user_id == user_id, TokenRow.revoked_at.is_(None), TokenRow.expires_at > now)
        .order_by(ProgramRow.id)
    )
    return [(program, token) for program, token in rows]


def listed(office: Office, user_id: int) -> tuple[Program, ...]:
    """The tokens of a person that still open anything."""
    with office.db.reading() as session:
        found = _alive(session, user_id, office.now())
        return tuple(_program(session, program, token) for program, token in found)


def _program(session: Session, row: ProgramRow, token: TokenRow) -> Program:
    game = session.get(Game, token.game_id) if token.game_id is not None else None
    used = token.used_at // 1000 if token.used_at is not None else None
    return Program(row.id, row.name, row.scope, token.game_id or "", game.title if game is not None else "",
                   token.seat or "", token.made_at // 1000, (token.expires_at or 0) // 1000, used)  # fmt: skip


def revoke(office: Office, user_id: int, program: int) -> bool:
    """End one of one's own tokens, at once; False where there is no such token that still opens anything."""
    now = office.now()
    with office.db.writing() as session:
        token = next((token for row, token in _alive(session, user_id, now) if row.id == program), None)
        if token is not None:
            token.revoked_at = now
        return token is not None


def bearer(office: Office, token: str) -> Bearer | None:
    """Who comes with a token; None if it was never made, is over or ended, or its seat is another's by now."""
    if not is_token(token):
        return None
    key = token_hash(PROGRAM, token)
    with office.db.reading() as session:
        found, used = _bearer(session, key, office.now())
    if found is not None and (used is None or used + NOTED_MS <= office.now()):
        _note(office, key)
    return found


def _bearer(session: Session, key: bytes, now: int) -> tuple[Bearer | None, int | None]:
    row = session.get(TokenRow, key)
    if row is None or row.purpose != PROGRAM or row.revoked_at is not None or (row.expires_at or 0) <= now:
        return None, None
    program = session.scalars(select(ProgramRow).where(ProgramRow.hash == key)).one_or_none()
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if program is None or user is None:
        return None, None
    game, seat = row.game_id or "", row.seat or ""
    if game and not any((s.user_id, s.seat) == (user.id, seat) for s in seats(session, game)):
        return None, None
    expires = (row.expires_at or 0) // 1000
    return Bearer(program.id, program.name, person(user), program.scope, game, seat, expires), row.used_at


def _note(office: Office, key: bytes) -> None:
    """Remember that it was used."""
    with office.db.writing() as session:
        row = session.get(TokenRow, key)
        if row is not None:
            row.used_at = office.now()


# --- how often


def may_act(office: Office, found: Bearer) -> bool:
    """Count one call that changes something; False once there were more within this hour than a player makes."""
    return not limits.over(office, "acts", str(found.person.id))


def next_hour(office: Office) -> int:
    """Seconds until it is counted anew."""
    return limits.seconds_left(office, limits.HOUR_S)


# --- once


def form_of(found: Bearer, place: str, key: str) -> str:
    """The number of the form that a call stands for: its program, what it is about, and its key make it one."""
    mark = hashlib.sha256("\0".join(("program", str(found.id), place, key)).encode("utf-8", "surrogatepass")).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in mark)[:LENGTH]
