"""What a feed shows: one's deadlines, and what everybody was told of a table.  Each is a capability of its own.

A link is made on a page, once for each purpose; making another ends the one before.  Only its hash lies here.
"""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.viewers import PUBLIC
from pbem.narration.facts import EmailContext
from pbem.service.access.capabilities import create_capability, find_capability, revoke_capabilities
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.pages.game_pages import reader_context
from pbem.store.games import load_game
from pbem.store.models import Capability, Game, JournalEntry, QuestionRow, SeatRow, SeatView, User

CALENDAR, FEED = "calendar", "feed"
MOST_ENTRIES = 40


@dataclass(frozen=True)
class Deadline:
    """A deadline of one person: what, where, when (seconds), since when it is known, and whether an answer is in."""

    uid: str
    game: str
    rules: str
    title: str
    topic: str
    due: int
    created_at: int
    answered: bool


@dataclass(frozen=True)
class Calendar:
    """One person's deadlines, and their language and zone."""

    language: str
    deadlines: tuple[Deadline, ...]
    created_at: int


@dataclass(frozen=True)
class FeedEntry:
    """What everybody was told in one entry of a game."""

    number: int
    created_at: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Feed:
    """The last entries of a game as everybody may know them, newest first, with its public position."""

    frame: EmailContext
    seen: object
    entries: tuple[FeedEntry, ...]


def create_link(services: Services, user_id: int, purpose: str, game_id: str = "") -> str:
    """Create the token of a user's calendar, or of a game's feed; the previous one is revoked."""
    now = services.now()
    with services.db.transaction() as session:
        same_link = (
            Capability.purpose == purpose,
            Capability.user_id == user_id,
            Capability.game_id == game_id if game_id else Capability.game_id.is_(None),
        )
        revoke_capabilities(session, now, *same_link)
        return create_capability(session, purpose, now, user_id=user_id, game_id=game_id or None)


def load_calendar(services: Services, token: str) -> Calendar | None:
    """Load the deadlines of a calendar link. Return None if the link is not valid."""
    with services.db.snapshot() as session:
        row = find_capability(session, CALENDAR, token, services.now())
        user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
        if user is None:
            return None
        return Calendar(user.language, _deadlines_of(session, user.id), services.now() // 1000)


def load_deadlines(services: Services, user_id: int) -> tuple[Deadline, ...]:
    """Load a user's deadlines, the nearest first."""
    with services.db.snapshot() as session:
        return _deadlines_of(session, user_id)


def _deadlines_of(session: Session, user_id: int) -> tuple[Deadline, ...]:
    rows = session.execute(
        select(QuestionRow, Game)
        .join(SeatRow, (SeatRow.game_id == QuestionRow.game_id) & (SeatRow.seat == QuestionRow.seat))
        .join(Game, Game.id == QuestionRow.game_id)
        .where(
            SeatRow.user_id == user_id,
            QuestionRow.is_blocking,
            ~QuestionRow.answers_fixed,
            QuestionRow.due_at.is_not(None),
        )
        .order_by(QuestionRow.due_at)
    )
    return tuple(
        Deadline(
            f"{game.id}.{d.opening_entry}.{d.id}",
            game.id,
            game.rules,
            game.title,
            d.topic,
            int(d.due_at or 0) // 1000,
            d.opened_at // 1000,
            d.answered_at is not None,
        )
        for d, game in rows
    )


def load_feed(services: Services, token: str) -> Feed | None:
    """Load the feed of a game by its link. Return None if the link is not valid, or its owner has left the game."""
    with services.db.snapshot() as session:
        row = find_capability(session, FEED, token, services.now())
        game = session.get(Game, row.game_id) if row is not None and row.game_id is not None else None
        user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
        if game is None or user is None or not has_permission(session, game, user.id, services.now(), Permission.SEES):
            return None
        return _build_feed(services, session, user, game)


def load_feed_for(services: Services, user_id: int, game_id: str) -> Feed | None:
    """Load the feed of a game; the caller has checked permissions. Return None if nothing has happened yet."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        return _build_feed(services, session, session.get_one(User, user_id), game) if game is not None else None


def _build_feed(services: Services, session: Session, user: User, game: Game) -> Feed | None:
    if game.entry == 0:
        return None
    frame = reader_context(services, session, game, user)
    return Feed(frame, seat_views.last_view(services, session, game, PUBLIC), _entries(services, session, game))


def _entries(services: Services, session: Session, game: Game) -> tuple[FeedEntry, ...]:
    stored = session.scalars(
        select(SeatView)
        .where(SeatView.game_id == game.id, SeatView.viewer == PUBLIC, SeatView.kind == "events")
        .order_by(SeatView.entry.desc())
        .limit(MOST_ENTRIES)
    ).all()
    numbers = [row.entry for row in stored]
    rows = select(JournalEntry.number, JournalEntry.created_at).where(
        JournalEntry.game_id == game.id, JournalEntry.number.in_(numbers)
    )
    made_at = {row.number: row.created_at for row in session.execute(rows)}
    return tuple(
        FeedEntry(row.entry, made_at[row.entry] // 1000, seat_views.decode_events(services, (row,))) for row in stored
    )
