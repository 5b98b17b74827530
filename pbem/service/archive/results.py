"""How a game ended: the order in which its seats finished, with their points, and the figures that they had."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from engine.kernel.events import Ended, Event
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.common.addresses import is_bot
from pbem.service.archive import library
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.pages.game_pages import PublicPage
from pbem.store.games import display_name, load_game, occupied_seats
from pbem.store.models import User


@dataclass(frozen=True)
class Placement:
    """A seat at the end: its place (those that share one have the same), its points, and who played it."""

    place: int
    seat: Seat
    name: str
    points: int | None
    bot: bool


@dataclass(frozen=True)
class Ending:
    """The last page of a game.  `page`: what everybody was shown last; `counted`: what its last entries told."""

    page: PublicPage
    placed: tuple[Placement, ...]
    counted: tuple[Event, ...]


MAX_HIGHLIGHTS = 40
"""Facts of the final count that are told: those of the last entry, at most so many from its end."""


def load_ending(services: Services, user_id: int, game_id: str) -> Ending | None:
    """How a game ended, for a reader of finished games; None where its end was never shown.

    The caller has asked `let_in`.
    """
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        entries = library.load_entries(session, game_id, PUBLIC) if game is not None else ()
        if game is None or not entries:
            return None
        user = session.get_one(User, user_id)
        with seen_by(PUBLIC):
            page = library.load_page(services, session, game, user, PUBLIC, entries[-1], entries)
        told = seat_views.load_events(services, session, game_id, PUBLIC, 0, game.entry)
        last = next((event for event in reversed(told) if isinstance(event, Ended)), None)
        players = _players(session, game_id)
        counted = tuple(event for event in page.events if not isinstance(event, Ended))[-MAX_HIGHLIGHTS:]
        placed = _placements(last, players) if last is not None else ()
        return Ending(page, placed, counted)


def _players(session: Session, game_id: str) -> Mapping[str, User]:
    return {row.seat: user for row, user in occupied_seats(session, game_id)}


def _placements(last: Ended, players: Mapping[str, User]) -> tuple[Placement, ...]:
    """Who came where; nobody is first where nobody has won."""
    found: list[Placement] = []
    for group in last.ranking:
        place = len(found) + (1 if last.has_winner else 2)
        for seat in sorted(group, key=lambda seat: -last.points.get(seat, 0)):
            user = players.get(seat)
            bot = user is not None and is_bot(user.address)
            name = display_name(user, seat) if user is not None else seat
            found.append(Placement(place, seat, name, last.points.get(seat), bot))
    return tuple(found)
