"""What a feed shows: one's deadlines, and what everybody was told of a table.  Each is a capability of its own.

A link is made on a page, once for each purpose; making another ends the one before.  Only its hash lies here.
"""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.names import PUBLIC
from pbem.narration.facts import Frame, Links, Reader
from pbem.service.access.permissions import Who, may
from pbem.service.access.tokens import revoke
from pbem.service.base.services import Services
from pbem.service.game import frames, views
from pbem.store.games import table
from pbem.store.models import DecisionRow, EntryRow, Game, SeatRow, TokenRow, User, ViewRow
from pbem.vault import is_token, new_token, token_hash

CALENDAR, FEED = "calendar", "feed"
MOST_ENTRIES = 40


@dataclass(frozen=True)
class Term:
    """A deadline of one person: what, where, when (seconds), since when it is known, and whether an answer is in."""

    uid: str
    game: str
    rules: str
    title: str
    asks: str
    due: int
    made: int
    answered: bool


@dataclass(frozen=True)
class Agenda:
    """One person's deadlines, and their language and zone."""

    language: str
    terms: tuple[Term, ...]
    made: int


@dataclass(frozen=True)
class FeedEntry:
    """What everybody was told in one entry of a game."""

    number: int
    made: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Chronicle:
    """The last entries of a game as everybody may know them, newest first, with its public position."""

    frame: Frame
    seen: object
    told: tuple[FeedEntry, ...]


def new_link(services: Services, user_id: int, purpose: str, game_id: str = "") -> str:
    """A fresh capability for one's calendar, or for the feed of a table; the one before ends."""
    token, now = new_token(), services.now()
    with services.db.writing() as session:
        earlier = TokenRow.purpose == purpose, TokenRow.user_id == user_id
        place = TokenRow.game_id == game_id if game_id else TokenRow.game_id.is_(None)
        revoke(session, now, *earlier, place)
        session.add(
            TokenRow(
                hash=token_hash(purpose, token), purpose=purpose, user_id=user_id, game_id=game_id or None, made_at=now
            )
        )
    return token


def _bearer(session: Session, purpose: str, token: str) -> TokenRow | None:
    row = session.get(TokenRow, token_hash(purpose, token)) if is_token(token) else None
    return row if row is not None and row.purpose == purpose and row.revoked_at is None else None


def agenda(services: Services, token: str) -> Agenda | None:
    """The deadlines that a calendar link shows; None for a link that is not, or no longer, good."""
    with services.db.reading() as session:
        row = _bearer(session, CALENDAR, token)
        user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
        if user is None:
            return None
        return Agenda(user.language, _terms(session, user.id), services.now() // 1000)


def terms(services: Services, user_id: int) -> tuple[Term, ...]:
    """One person's deadlines, the nearest first."""
    with services.db.reading() as session:
        return _terms(session, user_id)


def _terms(session: Session, user_id: int) -> tuple[Term, ...]:
    found = session.execute(
        select(DecisionRow, Game)
        .join(SeatRow, (SeatRow.game_id == DecisionRow.game_id) & (SeatRow.seat == DecisionRow.seat))
        .join(Game, Game.id == DecisionRow.game_id)
        .where(SeatRow.user_id == user_id, DecisionRow.blocking, ~DecisionRow.counted, DecisionRow.due_at.is_not(None))
        .order_by(DecisionRow.due_at)
    )
    return tuple(
        Term(
            f"{game.id}.{d.opening_entry}.{d.id}",
            game.id,
            game.rules,
            game.title,
            d.asks,
            int(d.due_at or 0) // 1000,
            d.opened_at // 1000,
            d.answered_at is not None,
        )
        for d, game in found
    )


def chronicle(services: Services, token: str) -> Chronicle | None:
    """What the feed of a table shows; None for a link that is not good, or whose owner sits there no more."""
    with services.db.reading() as session:
        row = _bearer(session, FEED, token)
        game = session.get(Game, row.game_id) if row is not None and row.game_id is not None else None
        user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
        if game is None or user is None or not may(session, game, user.id, services.now(), Who.SEES):
            return None
        return _chronicle(services, session, user, game)


def chronicle_for(services: Services, user_id: int, game_id: str) -> Chronicle | None:
    """The same for a person who may see the table, which the caller has checked; None where nothing happened yet."""
    with services.db.reading() as session:
        game = table(session, game_id)
        return _chronicle(services, session, session.get_one(User, user_id), game) if game is not None else None


def _chronicle(services: Services, session: Session, user: User, game: Game) -> Chronicle | None:
    if game.entry == 0:
        return None
    links = Links(page=f"{services.public_url}/games/{game.id}")
    frame = Frame(
        Reader(user.name, user.language, user.zone),
        frames.table_facts(session, game),
        links,
        services.now() // 1000,
        game.entry,
        frames.digest_of(session, game.id, game.entry),
    )
    return Chronicle(frame, views.last_view(services, session, game, PUBLIC), _entries(services, session, game))


def _entries(services: Services, session: Session, game: Game) -> tuple[FeedEntry, ...]:
    stored = session.scalars(
        select(ViewRow)
        .where(ViewRow.game_id == game.id, ViewRow.viewer == PUBLIC, ViewRow.kind == "events")
        .order_by(ViewRow.entry.desc())
        .limit(MOST_ENTRIES)
    ).all()
    numbers = [row.entry for row in stored]
    rows = select(EntryRow.number, EntryRow.made_at).where(EntryRow.game_id == game.id, EntryRow.number.in_(numbers))
    made = {row.number: row.made_at for row in session.execute(rows)}
    return tuple(
        FeedEntry(row.entry, made[row.entry] // 1000, views.decoded_events(services, (row,))) for row in stored
    )
