"""Votes of the table: a new master where the old one is gone, a seat put out; by a majority of the seats that play.

A master is gone when the table needs one (the clock stands still, or a seat has called) and none of its masters has
given a sign of life for as many days as the table has settled.  Any sign of life ends the vote.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.service.access import masters
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.service.deadlines import pauses
from pbem.service.game import seat_views
from pbem.store.games import load_open_questions, occupied_seats
from pbem.store.models import Game, MasterSettings, User, Vote

MASTER: Final = "master"
OUT: Final = "out"


@dataclass(frozen=True)
class Tally:
    """How many voices there are for something, and how many carry it."""

    voices: int
    needed: int

    @property
    def is_carried(self) -> bool:
        """Return True if it is decided."""
        return self.voices >= self.needed


def master_missing_since(session: Session, game: Game) -> int | None:
    """Since when the table needs its master: its clock stands still, or a seat has called; None: it does not."""
    still, table = pauses.is_paused(session, game.id), session.get(MasterSettings, game.id)
    found = [still.began_at] if still is not None else []
    if table is not None and table.called_at is not None:
        found.append(table.called_at)
    return min(found, default=None)


def require_election_allowed(services: Services, session: Session, game: Game) -> None:
    """Raises Refused while the table does not need its master, or has heard of one lately."""
    needed, table = master_missing_since(session, game), masters.load_settings(session, game)
    if needed is None:
        raise RequestRefused("not_needed")
    rows = masters.load_masters(session, game, services.now())
    last = max((masters.last_activity(session, game, row) for row in rows), default=0)
    gone = services.now() - last
    if gone < table.gone_days * DAY_MS:
        raise RequestRefused("not_gone", days=table.gone_days, moment=(last + table.gone_days * DAY_MS) // 1000)


def active_seats(services: Services, session: Session, game: Game) -> tuple[str, ...]:
    """The seats that play: each has a player, who may be asked something, now or later."""
    asked = {row.seat for row in load_open_questions(session, game.id)}
    rules, found = services.rules(game.rules), []
    for row, _ in occupied_seats(session, game.id):
        seen = seat_views.last_view(services, session, game, Seat(row.seat))
        with seen_by(Seat(row.seat)):
            if row.seat in asked or rules.ahead(seen, Seat(row.seat)):
                found.append(row.seat)
    return tuple(found)


def list_voters(session: Session, game: Game, but: str) -> tuple[User, ...]:
    """The players of all other seats."""
    return tuple(user for row, user in occupied_seats(session, game.id) if row.seat != but)


def cast_vote(services: Services, session: Session, game: Game, subject: str, about: str, seat: str) -> Tally:
    """One seat's voice.  For a master it has one; the last counts.  Raises Refused for a seat that is out."""
    play = active_seats(services, session, game)
    if seat not in play:
        raise RequestRefused("no_voice")
    mine = Vote.game_id == game.id, Vote.subject == subject, Vote.seat == seat
    same = () if subject == MASTER else (Vote.about == about,)
    session.execute(delete(Vote).where(*mine, *same))
    session.add(Vote(game_id=game.id, subject=subject, about=about, seat=seat, made_at=services.now()))
    session.flush()
    given = select(Vote).where(Vote.game_id == game.id, Vote.subject == subject, Vote.about == about)
    asked = [name for name in play if subject == MASTER or name != about]
    voices = sum(1 for row in session.scalars(given) if row.seat in asked)
    return Tally(voices, len(asked) // 2 + 1)


def install_master(services: Services, session: Session, game: Game, user: User) -> None:
    """The elected one masters the game alone."""
    for row in masters.load_masters(session, game, services.now()):
        row.until = services.now()
    session.flush()
    masters.appoint(services, session, game, user)
    cancel_elections(session, game)


def cancel_elections(session: Session, game: Game) -> None:
    """A master is there: calls for one end, and votes for another one are void."""
    session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.subject == MASTER))
    table = session.get(MasterSettings, game.id)
    if table is not None:
        table.called_at = None
