"""A game under way, to look back on: each entry as one's seat was shown it then."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.position import Position
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.common.states import BEGUN
from pbem.service.archive import library
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.pages import game_pages
from pbem.store.games import load_game
from pbem.store.models import Game, User


@dataclass(frozen=True)
class BoardAt:
    """How the board stood after an entry, as one viewer was shown it, and how it stood at their last letter but one.

    `since`: that entry; 0 where there is nothing to compare with.
    """

    rules: Rules[Any]
    viewer: Viewer
    entry: int
    seen: Position[Any]
    since: int
    earlier: Position[Any] | None

    @cached_property
    def view(self) -> View:
        """The board."""
        return self._shown(self.seen)

    @cached_property
    def before(self) -> View | None:
        """The board as it had stood."""
        return self._shown(self.earlier) if self.earlier is not None else None

    def _shown(self, seen: Position[Any]) -> View:
        with seen_by(self.viewer):
            return self.rules.present(seen, self.viewer)


def load_board(services: Services, user_id: int, game_id: str, seat: str, entry: int | None = None) -> BoardAt | None:
    """The board now, or as the seat was shown it last up to an entry; None where one may not know of that."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None:
            return None
        at = game.entry if entry is None else min(entry, game.entry)
        known = max(
            seat_views.first_visible_entry(session, game_id, seat),
            game_pages.visible_from(services, session, game_id, user_id),
        )
        if at < known or at < 1:
            return None
        seen = seat_views.load_view_at(services, session, game_id, seat, at)
        told = game_pages.list_reports(session, game_id, seat, last=at >= game.entry)
        since = next((since for since, until in told if until <= at and since >= known), 0)
        earlier = seat_views.load_view_at(services, session, game_id, seat, since) if since else None
        return BoardAt(services.rules(game.rules), Seat(seat), at, seen, since, earlier)


def load_entry(services: Services, user_id: int, game_id: str, seat: str, entry: int) -> library.EntryPage | None:
    """The last thing that a seat was shown up to an entry; None before the reader may know anything.

    A reader who took the seat over, or answers for it, sees nothing of what it was shown before.
    """
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None:
            return None
        entries = _visible_from(services, session, user_id, game_id, seat)
        wanted = max((e for e in entries if e <= entry), default=None)
        if wanted is None:
            return None
        user = session.get_one(User, user_id)
        shown = library.load_page(services, session, game, user, seat, wanted, entries)
        return library.EntryPage(shown, seat, (seat,), wanted, entries)


def list_entries(services: Services, user_id: int, game_id: str, seat: str, before: int, most: int) -> tuple[int, ...]:
    """The entries after which a seat was shown something that the reader may know, the newest first.

    `before`: only those before this one (0: all); `most`: so many at a time.
    """
    with services.db.snapshot() as session:
        found = _visible_from(services, session, user_id, game_id, seat)
        return tuple([entry for entry in reversed(found) if not before or entry < before][:most])


def entry_at_step(services: Services, user_id: int, game_id: str, seat: str, step: int) -> int:
    """The entry at this place, counted from 1, among those that the reader may know; the nearest if there is none.

    0 where the reader may know of none.
    """
    with services.db.snapshot() as session:
        found = _visible_from(services, session, user_id, game_id, seat)
        return found[min(max(step, 1), len(found)) - 1] if found else 0


def _visible_from(services: Services, session: Session, user_id: int, game_id: str, seat: str) -> tuple[int, ...]:
    """The entries after which a seat was shown something that the reader may know, in order."""
    known = max(
        seat_views.first_visible_entry(session, game_id, seat),
        game_pages.visible_from(services, session, game_id, user_id),
    )
    return tuple(entry for entry in library.load_entries(session, game_id, seat) if entry >= known)


def public_board(services: Services, game_id: str) -> BoardAt | None:
    """The board now as everybody sees it; None for a game that is not under way or over."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None or game.state not in BEGUN or not game.entry:
            return None
        seen = seat_views.last_view(services, session, game, PUBLIC)
        return BoardAt(services.rules(game.rules), PUBLIC, game.entry, seen, 0, None)


def archived_board(services: Services, game_id: str, viewer: str, entry: int) -> BoardAt | None:
    """The board of a finished game after an entry as a viewer saw it, beside what it had seen before; None if it saw
    nothing then.  The caller has asked `records.place`.
    """
    with services.db.snapshot() as session:
        entries = library.load_entries(session, game_id, viewer)
        seen = seat_views.load_view(services, session, game_id, viewer, entry)
        if seen is None:
            return None
        since = max((e for e in entries if e < entry), default=0)
        earlier = seat_views.load_view(services, session, game_id, viewer, since) if since else None
        return BoardAt(services.rules(session.get_one(Game, game_id).rules), Seat(viewer), entry, seen, since, earlier)
