"""Games that are over, to look at: who may, which there are, and each entry as every seat saw it then.

A finished game is open to those who sat at its table; a file that was brought to this server, to everybody here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from engine.kernel.languages import LANGUAGES
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.searching import searched
from engine.kernel.secrets import seen_by
from pbem.narration.facts import Frame, Links, Reader
from pbem.service.base.parts import Found, Part
from pbem.service.base.services import Services
from pbem.service.game import frames, views
from pbem.service.pages.game_pages import PublicPage
from pbem.states import GameState
from pbem.store.games import seated, seats, several, table
from pbem.store.models import Game, SeatRow, User, ViewRow


@dataclass(frozen=True)
class Finished:
    """A game in the list: what was played, by whom, and when it ended (seconds)."""

    game: str
    rules: str
    title: str
    players: tuple[str, ...]
    entries: int
    ended: int | None
    archived: bool


@dataclass(frozen=True)
class Then:
    """One entry of a finished game as one viewer saw it.  `earlier`, `later`: the entries beside it."""

    page: PublicPage
    viewer: str
    viewers: tuple[str, ...]
    entry: int
    entries: tuple[int, ...]

    @property
    def step(self) -> int:
        """Where the entry stands among all that the viewer has, counted from 1."""
        return self.entries.index(self.entry) + 1

    @property
    def earlier(self) -> int | None:
        """The entry before, if there is one."""
        return next((entry for entry in reversed(self.entries) if entry < self.entry), None)

    @property
    def later(self) -> int | None:
        """The entry after, if there is one."""
        return next((entry for entry in self.entries if entry > self.entry), None)


def finished(services: Services, user_id: int, wanted: str = "") -> tuple[Finished, ...]:
    """The finished games that a person may look at, the newest first.

    `wanted`: words that each must occur in the name of the game, of the table or of one of its players.
    """
    with services.db.reading() as session:
        found = _finished_at(session, session.scalars(_open_to(services, user_id)).all())
    return tuple(game for game in found if _fits(services, game, wanted))


def listed(services: Services, user_id: int, part: Part, only: str = "") -> Found[Finished]:
    """A part of them; `only`: this game and no other."""
    query = _open_to(services, user_id)
    with services.db.reading() as session:
        return part.of(session, query.where(Game.id == only) if only else query, partial(_finished_at, session))


def _open_to(services: Services, user_id: int) -> Select[str]:
    sat = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
    mine = or_(Game.id.in_(sat), Game.host_id == user_id)
    open_to_me = or_(Game.state == GameState.ARCHIVED, (Game.state == GameState.OVER) & mine)
    here = Game.rules.in_(services.installed)
    return select(Game.id).where(open_to_me, here).order_by(Game.ended_at.desc(), Game.id)


def _finished_at(session: Session, ids: Sequence[str]) -> Sequence[Finished]:
    games = {game.id: game for game in session.scalars(select(Game).where(Game.id.in_(ids)))}
    several(session, ids)
    return [_finished(session, games[number]) for number in ids]


def _finished(session: Session, game: Game) -> Finished:
    players = tuple(user.name or row.seat for row, user in seated(session, game.id))
    ended = game.ended_at // 1000 if game.ended_at is not None else None
    return Finished(game.id, game.rules, game.title, players, game.entry, ended, game.state == GameState.ARCHIVED)


def names_of(services: Services, game: Finished) -> frozenset[str]:
    """The words of a game's title, table and players, folded as a story's are."""
    title = services.rules(game.rules).meta.title
    said = (*map(title.printed, LANGUAGES), game.title, *game.players)
    return frozenset(word for text in said for word in searched(text))


def _fits(services: Services, game: Finished, wanted: str) -> bool:
    title = services.rules(game.rules).meta.title
    said = " ".join((*map(title.printed, LANGUAGES), game.title, *game.players)).casefold()
    return all(word in said for word in wanted.casefold().split())


def then(services: Services, user_id: int, game_id: str, viewer: str = PUBLIC, entry: int | None = None) -> Then | None:
    """An entry of a finished game as a viewer saw it, the last one if none is named; None if there is no such view.

    The caller has asked `let_in`.
    """
    with services.db.reading() as session:
        game, user = table(session, game_id), session.get_one(User, user_id)
        if game is None:
            return None
        entries = entries_of(session, game_id, viewer)
        wanted = entries[-1] if entry is None and entries else entry
        if wanted not in entries:
            return None
        viewers = (PUBLIC, *(row.seat for row in seats(session, game_id)))
        return Then(page_of(services, session, game, user, viewer, wanted, entries), viewer, viewers, wanted, entries)


def shown_at(services: Services, game_id: str, entry: int) -> int | None:
    """The first entry from this one on after which everybody was shown the table; None where none was."""
    with services.db.reading() as session:
        return next((shown for shown in entries_of(session, game_id, PUBLIC) if shown >= entry), None)


def entries_of(session: Session, game_id: str, viewer: str) -> tuple[int, ...]:
    """The entries after which a viewer was shown something."""
    query = select(ViewRow.entry).where(ViewRow.game_id == game_id, ViewRow.viewer == viewer, ViewRow.kind == "view")
    return tuple(session.scalars(query.order_by(ViewRow.entry)))


def page_of(
    services: Services, session: Session, game: Game, user: User, viewer: str, entry: int, entries: Sequence[int]
) -> PublicPage:
    """One of these entries as a viewer saw it."""
    rules, seen = services.rules(game.rules), views.view_of(services, session, game.id, viewer, entry)
    if seen is None:
        raise LookupError(f"no view of entry {entry} was stored")
    before = max((e for e in entries if e < entry), default=0)
    with seen_by(Seat(viewer)):
        view = rules.present(seen, Seat(viewer))
    frame = Frame(
        Reader(user.name, user.language, user.zone, Seat("" if viewer == PUBLIC else viewer)),
        frames.table_facts(session, game),
        Links(page=f"{services.public_url}/records/{game.id}"),
        services.now() // 1000,
        entry,
        frames.digest_of(session, game.id, entry),
    )
    events = views.events_of(services, session, game.id, viewer, before, entry)
    return PublicPage(frame, rules.meta, seen, view, events, ())
