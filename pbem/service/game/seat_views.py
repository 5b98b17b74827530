"""What the resolver stored for each viewer: redacted positions and events, opened and decoded.

The resolver stores a seat's position beside that of the public, from which it differs by a hand or so.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, func, or_, select, tuple_
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, dump_all, load
from engine.kernel.events import Event, Rewound
from engine.kernel.position import Position
from engine.kernel.rules import Meta
from engine.kernel.secrets import redact_for_all
from engine.kernel.viewers import PUBLIC
from pbem.crypto import (
    ResolverKeys,
    TamperedError,
    VerifyKeys,
    View,
    ViewContext,
    ViewKey,
    is_delta_encrypted,
    seal_views,
    unseal_view,
)
from pbem.narration.facts import CountedOrders, DrawnRound
from pbem.service.base.services import Services
from pbem.service.game.journal import dump_visible, is_compressible
from pbem.store.games import load_seat, load_seats
from pbem.store.models import Game, SeatView
from pbem.store.query_cache import cached


class ViewRowData(Protocol):
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
    def holder(self) -> int: ...
    @property
    def ciphertext(self) -> bytes: ...


LoadedView = tuple[ViewRowData, ViewRowData | None]
"""A stored position of a viewer, and that of the public beside which it is sealed."""

_STORED = (SeatView.game_id, SeatView.viewer, SeatView.kind, SeatView.entry, SeatView.holder, SeatView.ciphertext)
"""What is read of them: nobody changes one, so none has to become an object that a session watches."""


def _select_with_public(entry: ColumnElement[Any]) -> Select[str, str, str, int, int, bytes]:
    """What a viewer was shown after an entry, and what everybody was."""
    both = SeatView.viewer.in_((bindparam("viewer"), PUBLIC))
    return select(*_STORED).where(
        SeatView.game_id == bindparam("game"), both, SeatView.kind == "view", SeatView.entry == entry
    )


def _select_last_shown() -> ColumnElement[Any]:
    its = SeatView.game_id == bindparam("game"), SeatView.viewer == bindparam("viewer"), SeatView.kind == "view"
    return select(func.max(SeatView.entry)).where(*its, SeatView.entry <= bindparam("entry")).scalar_subquery()


_VIEW = {
    "view": _select_with_public(bindparam("entry", type_=Integer)),
    "then": _select_with_public(_select_last_shown()),
}


COUNTED = "counted"
"""The kind of view that names a seat's own orders that were counted."""


def _select_between(kind: str) -> Select[str, str, str, int, int, bytes]:
    """What was stored of a kind for a viewer, of the entries after one up to another."""
    its = SeatView.game_id == bindparam("game"), SeatView.viewer == bindparam("viewer"), SeatView.kind == kind
    entries = SeatView.entry > bindparam("since"), SeatView.entry <= bindparam("until")
    return select(*_STORED).where(*its, *entries).order_by(SeatView.entry)


_BETWEEN = {kind: _select_between(kind) for kind in ("events", COUNTED)}


def _select_all_between() -> Select[str, str, str, int, int, bytes]:
    """What was stored for viewers of the entries after one up to another; of positions only those of `ends`."""
    game, theirs = SeatView.game_id == bindparam("game"), SeatView.viewer.in_(bindparam("viewers", expanding=True))
    entries = SeatView.entry >= bindparam("since"), SeatView.entry <= bindparam("until")
    ends = and_(SeatView.kind == "view", SeatView.entry.in_(bindparam("ends", expanding=True)))
    told = and_(theirs, SeatView.kind.in_(("events", COUNTED)))
    shown = and_(or_(theirs, SeatView.viewer == PUBLIC), ends)
    return select(*_STORED).where(game, *entries, or_(told, shown)).order_by(SeatView.entry)


_ALL = _select_all_between()


def prefetch(session: Session, game: str, asked: Collection[tuple[str, int, int]]) -> None:
    """Have at hand, in one statement, what viewers were shown and told after an entry of theirs up to another.

    So are the seats, whose holders are looked at with each position. `asked`: viewer, first and last entry.
    """
    ends = {entry for _, since, until in asked for entry in (since, until)}
    viewers = sorted({viewer for viewer, _, _ in asked})
    span = {"game": game, "viewers": viewers, "since": min(ends), "until": max(ends), "ends": sorted(ends)}
    shown = dict[tuple[str, int], ViewRowData]()
    told = defaultdict[tuple[str, str], list[ViewRowData]](list)
    rows: Iterable[ViewRowData] = session.execute(_ALL, span).all()
    load_seats(session, game)
    for row in rows:
        if row.kind == "view":
            shown[row.viewer, row.entry] = row
        else:
            told[row.viewer, row.kind].append(row)
    for (viewer, entry), row in shown.items():
        for kind in _VIEW:
            both: LoadedView = row, shown.get((PUBLIC, entry))
            _remember(session, (game, viewer, kind, entry), both)
    for viewer, since, until in asked:
        for kind in _BETWEEN:
            rows = [row for row in told[viewer, kind] if since < row.entry <= until]
            _remember(session, (game, viewer, kind, since, until), rows)


def _remember(session: Session, place: Hashable, found: object) -> None:
    """Have at hand what a later look at a place would read, unless it was read already."""
    cached(session, SeatView, place, lambda: found)


def _select_last_views() -> Select[str, str, str, int, int, bytes]:
    """The positions that several viewers were shown last when the game stood at an entry, and the public's beside."""
    its = SeatView.game_id == bindparam("game"), SeatView.kind == "view"
    theirs = SeatView.viewer.in_(bindparam("viewers", expanding=True)), SeatView.entry <= bindparam("entry")
    entry = func.max(SeatView.entry).label("entry")
    last = select(SeatView.viewer, entry).where(*its, *theirs).group_by(SeatView.viewer).subquery()
    shown = tuple_(SeatView.viewer, SeatView.entry).in_(select(last.c.viewer, last.c.entry))
    beside = and_(SeatView.viewer == PUBLIC, SeatView.entry.in_(select(last.c.entry)))
    return select(*_STORED).where(*its, or_(shown, beside))


_LAST_VIEWS = _select_last_views()


def prefetch_latest(session: Session, game: str, viewers: Collection[str], entry: int) -> None:
    """Have at hand, in one statement, what several viewers were shown last when the game stood at an entry."""
    rows = session.execute(_LAST_VIEWS, {"game": game, "viewers": sorted(viewers), "entry": entry}).all()
    publics = {row.entry: row for row in rows if row.viewer == PUBLIC}
    for row in rows:
        if row.viewer in viewers:
            _remember(session, (game, row.viewer, "then", entry), (row, publics.get(row.entry)))


MAX_CACHED_GAMES: Final = 256
_known_holders: dict[str, tuple[int | None, ...]] = {}
"""Who held the seats of a game when a position of it was last asked for."""

_known_rewinds: set[tuple[str, int]] = set()
"""The entries of games by which they went back, of which this process has let go already."""


def clear_cache() -> None:
    """Keep no opened position any more: a seat has another holder, or a game went back."""
    _load_shown.cache_clear()
    _load_shared_text.cache_clear()


def _drop_if_reseated(session: Session, game: str) -> None:
    """Let go of what was opened where a seat was taken over since, by whichever process."""
    now = tuple(row.user_id for row in load_seats(session, game))
    if _known_holders.get(game, now) != now:
        clear_cache()
    if len(_known_holders) >= MAX_CACHED_GAMES:
        _known_holders.clear()
    _known_holders[game] = now


@lru_cache(maxsize=128)
def _load_shown(key: ViewKey, verify: VerifyKeys, place: ViewContext, sealed: bytes, beside: bytes) -> Position[Any]:
    """A position that was stored, opened once while it is read again and again; callers do not change it.

    It is found again only by who holds the same key and asks for the same place with the same sealed bytes.
    """
    common = _load_shared_text(key, verify, replace(place, viewer=PUBLIC, holder=0), beside) if beside else b""
    position: Position[Any] = load(unseal_view(key, verify, place, sealed, common))
    return position


@lru_cache(maxsize=32)
def _load_shared_text(key: ViewKey, verify: VerifyKeys, place: ViewContext, sealed: bytes) -> bytes:
    """The text of what everybody was shown, which serves all seats of an entry."""
    return unseal_view(key, verify, place, sealed)


def load_view(services: Services, session: Session, game: str, viewer: str, entry: int) -> Position[Any] | None:
    """A viewer's redacted position after an entry, if one was stored for it."""
    _drop_if_reseated(session, game)
    both = _load_with_public(session, "view", game, viewer, entry)
    return _open_position(services, session, both) if both is not None else None


def last_view(services: Services, session: Session, game: Game, viewer: str) -> Position[Any]:
    """A viewer's redacted position now."""
    return load_view_at(services, session, game.id, viewer, game.entry)


def load_view_at(services: Services, session: Session, game: str, viewer: str, entry: int) -> Position[Any]:
    """A viewer's redacted position as it was shown last when the game stood at an entry."""
    _drop_if_reseated(session, game)
    both = _load_with_public(session, "then", game, viewer, entry)
    if both is None:
        raise LookupError(f"no view up to entry {entry} was stored")
    return _open_position(services, session, both)


def _load_with_public(session: Session, kind: str, game: str, viewer: str, entry: int) -> LoadedView | None:
    """What a viewer was shown, and what everybody was; None where they were shown nothing."""
    asked = {"game": game, "viewer": viewer, "entry": entry}
    return cached(
        session,
        SeatView,
        (game, viewer, kind, entry),
        lambda: _pair_with_public(session.execute(_VIEW[kind], asked), viewer),
    )


def _pair_with_public(rows: Iterable[ViewRowData], viewer: str) -> LoadedView | None:
    found = {row.viewer: row for row in rows}
    return (found[viewer], found.get(PUBLIC)) if viewer in found else None


def load_statistics(
    services: Services, session: Session, game: str, seat: str, since: int, until: int
) -> tuple[CountedOrders | DrawnRound, ...]:
    """The orders of a seat that were counted after entry `since` up to `until`, and the rounds that were drawn with."""
    rows = _verify_holders(session, _load_rows(session, COUNTED, game, seat, since, until))
    return tuple(one for row in rows for one in load(unseal_view_row(services, row)) if one.entry > since)


def load_events(
    services: Services, session: Session, game: str, viewer: str, since: int, until: int
) -> tuple[Event, ...]:
    """What a viewer was told after entry `since` up to `until`, in order."""
    rows = _verify_holders(session, _load_rows(session, "events", game, viewer, since, until))
    found = [(row.entry, event) for row in rows for _, event in load(unseal_view_row(services, row))]
    went_back = {(game, entry) for entry, event in found if _is_rewind(event)}
    if not went_back <= _known_rewinds:
        clear_cache()
        if len(_known_rewinds) >= MAX_CACHED_GAMES:
            _known_rewinds.clear()
        _known_rewinds.update(went_back)
    return tuple(event for _, event in found)


def _is_rewind(event: Event) -> bool:
    return any(isinstance(edit, Rewound) for edit in getattr(event, "edits", ()))


def _load_rows(session: Session, kind: str, game: str, viewer: str, since: int, until: int) -> Sequence[ViewRowData]:
    asked = {"game": game, "viewer": viewer, "since": since, "until": until}
    place = (game, viewer, kind, since, until)
    return cached(session, SeatView, place, lambda: session.execute(_BETWEEN[kind], asked).all())


def decode_events(services: Services, stored: Iterable[ViewRowData]) -> tuple[Event, ...]:
    """The events of entries, from what was stored of them; raises TamperedError."""
    return tuple(event for row in stored for _, event in load(unseal_view_row(services, row)))


def _select_views() -> Select[str, str, str, int, int, bytes]:
    """A seat's last view, what it was told, and what everybody was told before it was taken over."""
    game = SeatView.game_id == bindparam("game")
    entry, known = bindparam("entry", type_=Integer), bindparam("known", type_=Integer)
    mine, common = SeatView.viewer == bindparam("viewer"), SeatView.viewer == PUBLIC
    latest = select(func.max(SeatView.entry)).where(game, mine, SeatView.kind == "view", SeatView.entry <= entry)
    views = and_(or_(mine, common), SeatView.kind == "view", SeatView.entry == latest.scalar_subquery())
    told = and_(mine, SeatView.kind == "events", SeatView.entry > known, SeatView.entry <= entry)
    before = and_(common, SeatView.kind == "events", SeatView.entry > bindparam("since"), SeatView.entry <= known)
    return select(*_STORED).where(game, or_(views, told, before)).order_by(SeatView.entry)


_VIEWS = _select_views()


def load_since(
    services: Services, session: Session, game: Game, seat: str, since: int
) -> tuple[Position[Any], tuple[ViewRowData, ...]]:
    """A seat's position now, and what was stored of the entries after `since`, still closed, in one look.

    Up to when the seat's player took it over, only what everybody was told.
    """
    _drop_if_reseated(session, game.id)
    known = max(since, first_visible_entry(session, game.id, seat))
    asked = {"game": game.id, "viewer": seat, "since": since, "known": known, "entry": game.entry}
    rows = session.execute(_VIEWS, asked).all()
    both = _pair_with_public((row for row in rows if row.kind == "view"), seat)
    if both is None:
        raise LookupError(f"no view of game {game.id} was stored")
    return _open_position(services, session, both), _verify_holders(session, [r for r in rows if r.kind == "events"])


def first_visible_entry(session: Session, game: str, seat: str) -> int:
    """The entry at which a seat's player took it over; 0 where they had it from the beginning."""
    return next((row.visible_from_entry for row in load_seats(session, game) if row.seat == seat), 0)


def load_history(
    services: Services, session: Session, game: str, seat: str, since: int, until: int
) -> tuple[Event, ...]:
    """What a seat's player was told: up to when they took it over, only what everybody was."""
    known = first_visible_entry(session, game, seat)
    common = load_events(services, session, game, PUBLIC, since, min(known, until)) if since < known else ()
    return (*common, *load_events(services, session, game, seat, max(since, known), until))


def load_rows(session: Session, game: str, seat: str, since: int, until: int) -> tuple[ViewRowData, ...]:
    """What `load_history` tells, a row for each entry that was told at once, still closed."""
    known = first_visible_entry(session, game, seat)
    common = _load_rows(session, "events", game, PUBLIC, since, min(known, until)) if since < known else ()
    return _verify_holders(session, (*common, *_load_rows(session, "events", game, seat, max(since, known), until)))


def unseal_view_row(services: Services, row: ViewRowData) -> bytes:
    """What the resolver stored for a viewer; raises TamperedError, or MissingKeyError in smtp and the clock."""
    keys = services.view_keys
    return unseal_view(keys.view, keys.verify, _view_context(row), row.ciphertext)


def _verify_holders(session: Session, rows: Sequence[ViewRowData]) -> tuple[ViewRowData, ...]:
    """What was stored for a seat, if it was stored for the person who holds it, or before they took it over.

    Else a former holder's row of `seats` was put back: raises TamperedError.
    """
    for row in rows:
        seat = load_seat(session, row.game_id, row.viewer) if row.viewer != PUBLIC else None
        if seat is None or seat.user_id is None or row.entry <= seat.visible_from_entry:
            continue
        if row.holder != seat.user_id:
            raise TamperedError("view", "it is not of the player who holds the seat")
    return tuple(rows)


def _open_position(services: Services, session: Session, both: LoadedView) -> Position[Any]:
    """A position that was stored, if it is for who holds the seat."""
    row, common = both
    _verify_holders(session, [row])
    beside = common.ciphertext if common is not None and is_delta_encrypted(row.ciphertext) else b""
    keys = services.view_keys
    return _load_shown(keys.view, keys.verify, _view_context(row), row.ciphertext, beside)


def _view_context(row: ViewRowData) -> ViewContext:
    return ViewContext(row.game_id, row.entry, row.viewer, row.kind, row.holder)


def holders_of(session: Session, game: str) -> Mapping[str, int]:
    """The number of the person who holds each seat; 0 if nobody does."""
    return {row.seat: row.user_id or 0 for row in load_seats(session, game)}


def store_views(
    keys: ResolverKeys,
    meta: Meta,
    game: str,
    entry: int,
    position: Position[Any],
    told: Mapping[str, tuple[tuple[int, Event], ...]],
    counted: Mapping[str, Sequence[object]],
    holders: Mapping[str, int],
) -> Sequence[SeatView]:
    """The rows of an entry, signed together.

    `told`: what each viewer is told, with the number of the entry, the public's among them; `counted`: by seat, what
    names its own orders that were counted; `holders`: by seat, the number of the person who holds it.
    """

    def context(viewer: str, kind: str) -> ViewContext:
        return ViewContext(game, entry, viewer, kind, holders.get(viewer, 0))

    seen = redact_for_all(position, told)
    shown = {viewer: text.encode() for viewer, text in zip(seen, dump_all(list(seen.values())), strict=True)}
    facts = {viewer: [event for _, event in events] for viewer, events in told.items()}
    texts = dump_visible(facts[PUBLIC], facts)
    found = list[View]()
    for viewer, events in told.items():
        base = b"" if viewer == PUBLIC else shown[PUBLIC]
        found.append(View(context(viewer, "view"), shown[viewer], compress=True, base=base))
        compress = is_compressible(meta, facts[viewer])
        pairs = ",".join(f"[{at},{text}]" for (at, _), text in zip(events, texts[viewer], strict=True))
        found.append(View(context(viewer, "events"), f"[{pairs}]".encode(), compress))
    for seat, named in counted.items():
        found.append(View(context(seat, COUNTED), dump(tuple(named)).encode()))
    return [
        SeatView(
            game_id=game,
            viewer=view.context.viewer,
            kind=view.context.kind,
            entry=entry,
            holder=view.context.holder,
            ciphertext=sealed,
        )
        for view, sealed in zip(found, seal_views(keys.view, keys.signing, found), strict=True)
    ]
