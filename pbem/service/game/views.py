"""What play stored for each viewer: redacted positions and events, opened and decoded."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, func, or_, select, tuple_
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.events import Event, Rewound
from engine.kernel.names import PUBLIC
from engine.kernel.position import Position
from pbem.narration.facts import BallotCounted, RoundDrawn
from pbem.service.base.services import Services
from pbem.store.columns import columns
from pbem.store.games import seats
from pbem.store.models import Game, ViewRow
from pbem.store.once import once
from pbem.vault import VerifyKeys, ViewContext, ViewKey, open_view, sealed_beside


class Stored(Protocol):
    """What lies there for a viewer of an entry: a row, or its columns."""

    @property
    def game_id(self) -> str: ...
    @property
    def viewer(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def entry(self) -> int: ...
    @property
    def sealed(self) -> bytes: ...


Shown = tuple[Stored, Stored | None]
"""A stored position of a viewer, and that of the public beside which it is sealed."""

_STORED = (ViewRow.game_id, ViewRow.viewer, ViewRow.kind, ViewRow.entry, ViewRow.sealed)
"""What is read of them: nobody changes one, so none has to become an object that a session watches."""


def _with_the_publics(entry: ColumnElement[Any]) -> Select[str, str, str, int, bytes]:
    """What a viewer was shown after an entry, and what everybody was."""
    both = ViewRow.viewer.in_((bindparam("viewer"), PUBLIC))
    return select(*_STORED).where(
        ViewRow.game_id == bindparam("game"), both, ViewRow.kind == "view", ViewRow.entry == entry
    )


def _last_shown() -> ColumnElement[Any]:
    its = ViewRow.game_id == bindparam("game"), ViewRow.viewer == bindparam("viewer"), ViewRow.kind == "view"
    return select(func.max(ViewRow.entry)).where(*its, ViewRow.entry <= bindparam("entry")).scalar_subquery()


_VIEW = {"view": _with_the_publics(bindparam("entry", type_=Integer)), "then": _with_the_publics(_last_shown())}


COUNTED = "counted"
"""The kind of view that names a seat's own orders that were counted."""


def _between(kind: str) -> Select[str, str, str, int, bytes]:
    """What was stored of a kind for a viewer, of the entries after one up to another."""
    its = ViewRow.game_id == bindparam("game"), ViewRow.viewer == bindparam("viewer"), ViewRow.kind == kind
    entries = ViewRow.entry > bindparam("since"), ViewRow.entry <= bindparam("until")
    return select(*_STORED).where(*its, *entries).order_by(ViewRow.entry)


_BETWEEN = {kind: _between(kind) for kind in ("events", COUNTED)}


def _all_between() -> Select[str, str, str, int, bytes]:
    """What was stored for viewers of the entries after one up to another; of positions only those of `ends`."""
    game, theirs = ViewRow.game_id == bindparam("game"), ViewRow.viewer.in_(bindparam("viewers", expanding=True))
    entries = ViewRow.entry >= bindparam("since"), ViewRow.entry <= bindparam("until")
    ends = and_(ViewRow.kind == "view", ViewRow.entry.in_(bindparam("ends", expanding=True)))
    told = and_(theirs, ViewRow.kind.in_(("events", COUNTED)))
    shown = and_(or_(theirs, ViewRow.viewer == PUBLIC), ends)
    return select(*_STORED).where(game, *entries, or_(told, shown)).order_by(ViewRow.entry)


_ALL = _all_between()


def at_hand(session: Session, game: str, asked: Collection[tuple[str, int, int]]) -> None:
    """Have at hand, in one statement, what viewers were shown and told after an entry of theirs up to another.

    So are the seats, whose holders are looked at with each position.
    """
    ends = {entry for _, since, until in asked for entry in (since, until)}
    viewers = sorted({viewer for viewer, _, _ in asked})
    span = {"game": game, "viewers": viewers, "since": min(ends), "until": max(ends), "ends": sorted(ends)}
    shown = dict[tuple[str, int], Stored]()
    told = defaultdict[tuple[str, str], list[Stored]](list)
    rows: Iterable[Stored] = columns(session, _ALL, span)
    seats(session, game)
    for row in rows:
        if row.kind == "view":
            shown[row.viewer, row.entry] = row
        else:
            told[row.viewer, row.kind].append(row)
    for (viewer, entry), row in shown.items():
        for kind in _VIEW:
            both: Shown = row, shown.get((PUBLIC, entry))
            once(session, ViewRow, (game, viewer, kind, entry), partial(_same, both))
    for viewer, since, until in asked:
        for kind in _BETWEEN:
            rows = [row for row in told[viewer, kind] if since < row.entry <= until]
            once(session, ViewRow, (game, viewer, kind, since, until), partial(list, rows))


def _last_views() -> Select[str, str, str, int, bytes]:
    """The positions that several viewers were shown last when the game stood at an entry, and the public's beside."""
    its = ViewRow.game_id == bindparam("game"), ViewRow.kind == "view"
    theirs = ViewRow.viewer.in_(bindparam("viewers", expanding=True)), ViewRow.entry <= bindparam("entry")
    entry = func.max(ViewRow.entry).label("entry")
    last = select(ViewRow.viewer, entry).where(*its, *theirs).group_by(ViewRow.viewer).subquery()
    shown = tuple_(ViewRow.viewer, ViewRow.entry).in_(select(last.c.viewer, last.c.entry))
    beside = and_(ViewRow.viewer == PUBLIC, ViewRow.entry.in_(select(last.c.entry)))
    return select(*_STORED).where(*its, or_(shown, beside))


_LAST_VIEWS = _last_views()


def last_at_hand(session: Session, game: str, viewers: Collection[str], entry: int) -> None:
    """Have at hand, in one statement, what several viewers were shown last when the game stood at an entry."""
    rows = columns(session, _LAST_VIEWS, {"game": game, "viewers": sorted(viewers), "entry": entry})
    publics = {row.entry: row for row in rows if row.viewer == PUBLIC}
    for row in rows:
        if row.viewer in viewers:
            once(session, ViewRow, (game, row.viewer, "then", entry), partial(_same, (row, publics.get(row.entry))))


def _same(both: Shown) -> Shown:
    return both


MOST_GAMES: Final = 256
_holders: dict[str, tuple[int | None, ...]] = {}
"""Who held the seats of a game when a position of it was last asked for."""

_rewound: set[tuple[str, int]] = set()
"""The entries of games by which they went back, of which this process has let go already."""


def let_go() -> None:
    """Keep no opened position any more: a seat has another holder, or a game went back."""
    _shown.cache_clear()
    _common.cache_clear()


def _look_at_holders(session: Session, game: str) -> None:
    """Let go of what was opened where a seat was taken over since, by whichever process."""
    now = tuple(row.user_id for row in seats(session, game))
    if _holders.get(game, now) != now:
        let_go()
    if len(_holders) >= MOST_GAMES:
        _holders.clear()
    _holders[game] = now


@lru_cache(maxsize=128)
def _shown(key: ViewKey, verify: VerifyKeys, place: ViewContext, sealed: bytes, beside: bytes) -> Position[Any]:
    """A position that was stored, opened once while it is read again and again; callers do not change it.

    It is found again only by who holds the same key and asks for the same place with the same sealed bytes.
    """
    common = _common(key, verify, replace(place, viewer=PUBLIC), beside) if beside else b""
    position: Position[Any] = load(open_view(key, verify, place, sealed, common))
    return position


@lru_cache(maxsize=32)
def _common(key: ViewKey, verify: VerifyKeys, place: ViewContext, sealed: bytes) -> bytes:
    """The text of what everybody was shown, which serves all seats of an entry."""
    return open_view(key, verify, place, sealed)


def view_of(services: Services, session: Session, game: str, viewer: str, entry: int) -> Position[Any] | None:
    """A viewer's redacted position after an entry, if one was stored for it."""
    _look_at_holders(session, game)
    both = _read(session, "view", game, viewer, entry)
    return _position(services, both) if both is not None else None


def last_view(services: Services, session: Session, game: Game, viewer: str) -> Position[Any]:
    """A viewer's redacted position now."""
    return view_then(services, session, game.id, viewer, game.entry)


def view_then(services: Services, session: Session, game: str, viewer: str, entry: int) -> Position[Any]:
    """A viewer's redacted position as it was shown last when the game stood at an entry."""
    _look_at_holders(session, game)
    both = _read(session, "then", game, viewer, entry)
    if both is None:
        raise LookupError(f"no view up to entry {entry} was stored")
    return _position(services, both)


def _read(session: Session, kind: str, game: str, viewer: str, entry: int) -> Shown | None:
    """What a viewer was shown, and what everybody was; None where they were shown nothing."""
    asked = {"game": game, "viewer": viewer, "entry": entry}
    return once(
        session, ViewRow, (game, viewer, kind, entry), lambda: _both(session.execute(_VIEW[kind], asked), viewer)
    )


def _both(rows: Iterable[Stored], viewer: str) -> Shown | None:
    found = {row.viewer: row for row in rows}
    return (found[viewer], found.get(PUBLIC)) if viewer in found else None


def counted_of(
    services: Services, session: Session, game: str, seat: str, since: int, until: int
) -> tuple[BallotCounted | RoundDrawn, ...]:
    """The orders of a seat that were counted after entry `since` up to `until`, and the rounds that were drawn with."""
    rows = _rows(session, COUNTED, game, seat, since, until)
    return tuple(one for row in rows for one in load(opened_view(services, row)) if one.entry > since)


def events_of(
    services: Services, session: Session, game: str, viewer: str, since: int, until: int
) -> tuple[Event, ...]:
    """What a viewer was told after entry `since` up to `until`, in order."""
    rows = _rows(session, "events", game, viewer, since, until)
    found = [(row.entry, event) for row in rows for _, event in load(opened_view(services, row))]
    went_back = {(game, entry) for entry, event in found if _goes_back(event)}
    if not went_back <= _rewound:
        let_go()
        if len(_rewound) >= MOST_GAMES:
            _rewound.clear()
        _rewound.update(went_back)
    return tuple(event for _, event in found)


def _goes_back(event: Event) -> bool:
    return any(isinstance(edit, Rewound) for edit in getattr(event, "edits", ()))


def _rows(session: Session, kind: str, game: str, viewer: str, since: int, until: int) -> Sequence[Stored]:
    asked = {"game": game, "viewer": viewer, "since": since, "until": until}
    place = (game, viewer, kind, since, until)
    return once(session, ViewRow, place, lambda: columns(session, _BETWEEN[kind], asked))


def decoded_events(services: Services, stored: Iterable[Stored]) -> tuple[Event, ...]:
    """The events of entries, from what was stored of them; raises Tampered."""
    return tuple(event for row in stored for _, event in load(opened_view(services, row)))


def _views_query() -> Select[str, str, str, int, bytes]:
    """A seat's last view, what it was told, and what everybody was told before it was taken over."""
    game = ViewRow.game_id == bindparam("game")
    entry, known = bindparam("entry", type_=Integer), bindparam("known", type_=Integer)
    mine, common = ViewRow.viewer == bindparam("viewer"), ViewRow.viewer == PUBLIC
    latest = select(func.max(ViewRow.entry)).where(game, mine, ViewRow.kind == "view", ViewRow.entry <= entry)
    views = and_(or_(mine, common), ViewRow.kind == "view", ViewRow.entry == latest.scalar_subquery())
    told = and_(mine, ViewRow.kind == "events", ViewRow.entry > known, ViewRow.entry <= entry)
    before = and_(common, ViewRow.kind == "events", ViewRow.entry > bindparam("since"), ViewRow.entry <= known)
    return select(*_STORED).where(game, or_(views, told, before)).order_by(ViewRow.entry)


_VIEWS = _views_query()


def shown_since(
    services: Services, session: Session, game: Game, seat: str, since: int
) -> tuple[Position[Any], tuple[Stored, ...]]:
    """A seat's position now, and what was stored of the entries after `since`, still closed, in one look.

    Up to when the seat's player took it over, only what everybody was told.
    """
    _look_at_holders(session, game.id)
    known = max(since, known_since(session, game.id, seat))
    asked = {"game": game.id, "viewer": seat, "since": since, "known": known, "entry": game.entry}
    rows = session.execute(_VIEWS, asked).all()
    both = _both((row for row in rows if row.kind == "view"), seat)
    if both is None:
        raise LookupError(f"no view of game {game.id} was stored")
    return _position(services, both), tuple(row for row in rows if row.kind == "events")


def known_since(session: Session, game: str, seat: str) -> int:
    """The entry at which a seat's player took it over; 0 where they had it from the beginning."""
    return next((row.known_from for row in seats(session, game) if row.seat == seat), 0)


def story_of(services: Services, session: Session, game: str, seat: str, since: int, until: int) -> tuple[Event, ...]:
    """What a seat's player was told: up to when they took it over, only what everybody was."""
    known = known_since(session, game, seat)
    common = events_of(services, session, game, PUBLIC, since, min(known, until)) if since < known else ()
    return (*common, *events_of(services, session, game, seat, max(since, known), until))


def opened_view(services: Services, row: Stored) -> bytes:
    """What play stored for a viewer; raises Tampered, or LookupError in a process that reads no views."""
    key, verify = _reading(services)
    return open_view(key, verify, _place(row), row.sealed)


def _position(services: Services, both: Shown) -> Position[Any]:
    """The same of a position."""
    row, common = both
    beside = common.sealed if common is not None and sealed_beside(row.sealed) else b""
    return _shown(*_reading(services), _place(row), row.sealed, beside)


def _reading(services: Services) -> tuple[ViewKey, VerifyKeys]:
    keys = services.web or services.post or services.play
    if keys is None:
        raise LookupError("this process reads no views")
    return keys.view, keys.verify


def _place(row: Stored) -> ViewContext:
    return ViewContext(row.game_id, row.entry, row.viewer, row.kind)
