"""Letters to the seats of a game: laid out by play in the game's transaction, put together by post afterwards.

A draft names entries and carries the reply token, no more; what it tells is read, when it is rendered, from the
views and events that the play worker stored for that seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, Select, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load, saved
from engine.kernel.events import AheadTaken, Event, RiderPassed, RiderUsed
from engine.kernel.events import RiderEnded as RiderOver
from engine.kernel.gates import Gate
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Decision, Pace
from engine.kernel.position import Core, Position
from engine.kernel.secrets import Secret
from pbem.narration.facts import (
    Frame,
    Links,
    OrdersStand,
    OverFacts,
    Owed,
    Reader,
    ReceiptFacts,
    ReportFacts,
    RiderEnded,
    RiderStands,
    StartedFacts,
    TableFacts,
)
from pbem.service import pictures, relief, riders
from pbem.service.master.told import untold
from pbem.service.office import Office
from pbem.service.people import mute_token
from pbem.service.standing import Standing, standing
from pbem.store.games import link, open_decisions, seated, seats
from pbem.store.models import EntryRow, Game, LetterOut, SeatRow, TokenRow, User, ViewRow
from pbem.vault import EntryLink, LetterContext, ViewContext, new_token, open_view, seal_letter, token_hash

if TYPE_CHECKING:
    from pbem.service.play import Visit

REPLY = "reply"

_LAST_VIEW = (
    select(ViewRow)
    .where(
        ViewRow.game_id == bindparam("game"),
        ViewRow.viewer == bindparam("viewer"),
        ViewRow.kind == "view",
        ViewRow.entry <= bindparam("entry"),
    )
    .order_by(ViewRow.entry.desc())
    .limit(1)
)
_EVENTS = (
    select(ViewRow)
    .where(
        ViewRow.game_id == bindparam("game"),
        ViewRow.viewer == bindparam("viewer"),
        ViewRow.kind == "events",
        ViewRow.entry > bindparam("since"),
        ViewRow.entry <= bindparam("until"),
    )
    .order_by(ViewRow.entry)
)
_UNSEEN: Position[Any] = Position(Core((), {}, Secret(b"", frozenset())), None)


@saved("pbem.ReportDraft")
@dataclass(frozen=True)
class ReportDraft:
    """All that a report's draft holds: the token of its reply address, and what the seat has on file.

    `ridden`: the gates at which a rider stands in for an answer.  `marked`: a picture is drawn for it, which marks what
    has changed from this entry on.
    """

    token: str
    ridden: tuple[str, ...] = ()
    standing: tuple[OrdersStand, ...] = ()
    riders: tuple[RiderStands, ...] = ()
    marked: int | None = None


def report_to_all(at: "Visit") -> None:
    """One letter a seat for all that happened since its last one.

    In the pace `order` only those get one who now owe an answer, and all at the end of a phase or of the game.
    """
    for row, user in seated(at.session, at.game.id):
        if _due(at, Seat(row.seat)):
            lay_out(at, row.seat, user, row.reported_entry, row.known_from)
            stands = relief.of_seat(at.session, at.game.id, row.seat, at.now)
            deputy = at.session.get(User, stands.user_id) if stands is not None else None
            if stands is not None and deputy is not None:
                known = max(row.known_from, stands.known_from)
                lay_out(at, row.seat, deputy, max(row.reported_entry, stands.known_from), known, deputy=True)
            row.reported_entry = at.game.entry


def _due(at: "Visit", seat: Seat) -> bool:
    """Whether there is anything to write to a seat: something was told to it, or it is asked something new."""
    core, told = at.position.core, bool(at.told.get(seat))
    owes = [d for d in core.open if d.seat == seat and d.blocking]
    if core.over or any((d.gate, seat) in at.opened for d in owes):
        return True
    if core.options.get("pace") == "order" and not at.phase_ended:
        return told and bool(owes)
    return told


def lay_out(at: "Visit", seat: str, user: User, since: int, known: int, *, deputy: bool = False) -> None:
    """Draft one seat's letter about where the game stands now, to its player or deputy, who knows it from `known`."""
    kind = "over" if at.position.core.over else "started" if since == 0 else relief.REPORT if deputy else "report"
    key = f"{at.game.id}.{at.game.entry}.{seat}.{kind}{'.deputy' if deputy else ''}"
    token = new_reply_token(at.session, at.game.id, seat, at.game.entry, at.now, holder=user.id if deputy else None)
    keys = at.office.playing
    asked = [d for d in at.position.core.open if d.seat == seat and d.pace is Pace.REACTION]
    ridden = tuple(d.gate for d in asked if riders.fits(at, d))
    marked = pictures.want(at, seat, user, since, known)
    content = dump(ReportDraft(token, ridden, *_on_file(at, seat), marked)).encode()
    at.session.add(
        LetterOut(
            key=key,
            kind=kind,
            game_id=at.game.id,
            seat=seat,
            user_id=user.id,
            entry=at.game.entry,
            since=since,
            state="draft",
            content_sealed=seal_letter(keys.post, keys.signing, LetterContext(key, "draft"), content),
            made_at=at.now,
            due_at=at.now if marked is None else at.now + pictures.HOLD_MS,
        )
    )


def _on_file(at: "Visit", seat: str) -> Standing:
    """What a seat has filed for what is to come; nothing once the game is over."""
    if at.position.core.over:
        return (), ()
    return standing(at.office, at.session, at.game.id, at.keys, seat, at.rules.turn(at.position))


def new_reply_token(
    session: Session, game: str, seat: str, entry: int, now: int, *, holder: int | None = None
) -> str:  # fmt: skip
    """A capability for whoever sits there now to answer for a seat what stands open after an entry.

    `holder`: for somebody else who may: a deputy.
    """
    token = new_token()
    user = holder or next((row.user_id for row in seats(session, game) if row.seat == seat), None)
    session.add(
        TokenRow(
            hash=token_hash(REPLY, token),
            purpose=REPLY,
            user_id=user,
            game_id=game,
            seat=seat,
            entry=entry,
            made_at=now,
        )
    )
    return token


def since_of(session: Session, game: str, seat: SeatRow, turn: int | None) -> int:
    """After which entry a report that is asked for again begins: where the last one did, or with a turn."""
    if turn is None:
        again = LetterOut.kind.in_(("report", "started")), LetterOut.entry == seat.reported_entry
        query = select(LetterOut.since).where(LetterOut.game_id == game, LetterOut.seat == seat.seat, *again)
        return session.scalars(query.order_by(LetterOut.made_at).limit(1)).first() or 0
    gates = session.execute(select(EntryRow.number, EntryRow.gate).where(EntryRow.game_id == game))
    early = [number for number, gate in gates if (Gate.parse(gate).turn or 0) < turn and number <= seat.reported_entry]
    query = select(func.max(ViewRow.entry)).where(ViewRow.game_id == game, ViewRow.entry <= max(early, default=0))
    return session.scalar(query) or 0


@lru_cache(maxsize=128)
def _decoded(plain: bytes) -> Any:
    """What was stored, decoded once while it is read again and again; nobody changes a view that he is given."""
    return load(plain)


def view_of(office: Office, session: Session, game: str, viewer: str, entry: int) -> Position[Any] | None:
    """A viewer's redacted position after an entry, if one was stored for it."""
    row = session.get(ViewRow, (game, viewer, "view", entry))
    return _decoded(opened_view(office, row)) if row is not None else None


def last_view(office: Office, session: Session, game: Game, viewer: str) -> Position[Any]:
    """A viewer's redacted position now."""
    return view_then(office, session, game.id, viewer, game.entry)


def view_then(office: Office, session: Session, game: str, viewer: str, entry: int) -> Position[Any]:
    """A viewer's redacted position as it was shown last when the game stood at an entry."""
    row = session.scalars(_LAST_VIEW, {"game": game, "viewer": viewer, "entry": entry}).one()
    position: Position[Any] = _decoded(opened_view(office, row))
    return position


def events_of(office: Office, session: Session, game: str, viewer: str, since: int, until: int) -> tuple[Event, ...]:
    """What a viewer was told after entry `since` up to `until`, in order."""
    rows = session.scalars(_EVENTS, {"game": game, "viewer": viewer, "since": since, "until": until})
    return tuple(event for row in rows for _, event in load(opened_view(office, row)))


def told(stored: Sequence[bytes]) -> tuple[Event, ...]:
    """The events of entries, from what was stored of them."""
    return tuple(event for plain in stored for _, event in load(plain))


def _shown() -> Select[ViewRow]:
    """A seat's last view, what it was told, and what everybody was told before it was taken over."""
    game = ViewRow.game_id == bindparam("game")
    entry, known = bindparam("entry", type_=Integer), bindparam("known", type_=Integer)
    mine, common = ViewRow.viewer == bindparam("viewer"), ViewRow.viewer == PUBLIC
    latest = select(func.max(ViewRow.entry)).where(game, mine, ViewRow.kind == "view", ViewRow.entry <= entry)
    views = and_(mine, ViewRow.kind == "view", ViewRow.entry == latest.scalar_subquery())
    told = and_(mine, ViewRow.kind == "events", ViewRow.entry > known, ViewRow.entry <= entry)
    before = and_(common, ViewRow.kind == "events", ViewRow.entry > bindparam("since"), ViewRow.entry <= known)
    return select(ViewRow).where(game, or_(views, told, before)).order_by(ViewRow.entry)


_SHOWN = _shown()


def shown_since(
    office: Office, session: Session, game: Game, seat: str, since: int
) -> tuple[Position[Any], tuple[bytes, ...]]:
    """A seat's position now, and what was stored of the entries after `since`, in one look.

    Up to when the seat's player took it over, only what everybody was told.
    """
    known = max(since, known_since(session, game.id, seat))
    asked = {"game": game.id, "viewer": seat, "since": since, "known": known, "entry": game.entry}
    rows = session.scalars(_SHOWN, asked).all()
    position: Position[Any] = _decoded(opened_view(office, next(row for row in rows if row.kind == "view")))
    return position, tuple(opened_view(office, row) for row in rows if row.kind == "events")


def known_since(session: Session, game: str, seat: str) -> int:
    """The entry at which a seat's player took it over; 0 where he had it from the beginning."""
    return next((row.known_from for row in seats(session, game) if row.seat == seat), 0)


def story_of(office: Office, session: Session, game: str, seat: str, since: int, until: int) -> tuple[Event, ...]:
    """What a seat's player was told: up to when he took it over, only what everybody was."""
    known = known_since(session, game, seat)
    common = events_of(office, session, game, PUBLIC, since, min(known, until)) if since < known else ()
    return (*common, *events_of(office, session, game, seat, max(since, known), until))


def opened_view(office: Office, row: ViewRow) -> bytes:
    """What play stored for a viewer; raises Tampered, or LookupError in a process that reads no views."""
    keys = office.web or office.post or office.play
    if keys is None:
        raise LookupError("this process reads no views")
    context = ViewContext(row.game_id, row.entry, row.viewer, row.kind)
    return open_view(keys.view, keys.verify, context, row.sealed)


# --- putting a letter together (post)


def laid_down(facts: ReceiptFacts) -> ReceiptFacts:
    """A receipt as it waits to be written: without the view, which is stored already."""
    return replace(facts, view=_UNSEEN)


def taken_up(office: Office, session: Session, row: LetterOut, facts: ReceiptFacts) -> ReceiptFacts:
    """The same receipt with the view on which its letter was judged."""
    return replace(facts, view=view_then(office, session, str(row.game_id), str(row.seat), int(row.entry or 0)))


def frame_of(
    office: Office, session: Session, game: Game, seat: str, user: User, token: str, made_at: int,
    entry: int | None = None,
) -> Frame:  # fmt: skip
    """What every letter to a seat has; `entry`: what it tells of, if not of where the game stands now."""
    number, mute = game.entry if entry is None else entry, mute_token(office, user)
    return Frame(
        Reader(user.name, user.language, user.zone, Seat(seat)),
        table_facts(session, game),
        Links(
            page=f"{office.public_url}/games/{game.id}",
            answer=f"o+{token}@{office.mail_domain}" if token else "",
            mute=f"{office.public_url}/unsubscribe/{mute}" if mute else "",
            leave=f"{office.public_url}/games/{game.id}/leave",
        ),
        made_at // 1000,
        number,
        digest_of(session, game.id, number),
    )


def table_facts(session: Session, game: Game) -> TableFacts:
    """The table, with the names of its players."""
    names = {Seat(row.seat): user.name for row, user in seated(session, game.id)}
    return TableFacts(game.title, game.name, names, dict(game.options))


def digest_of(session: Session, game: str, entry: int) -> str:
    """The digest of an entry, in hex; empty before the first."""
    row = link(session, game, entry)
    return EntryLink.from_bytes(row).digest.hex() if row is not None else ""


def owed_by(session: Session, game: str, seat: str, decisions: Sequence[Decision]) -> tuple[Owed, ...]:
    """A seat's open questions, with their deadlines and whether an answer is in."""
    rows = {(row.gate, row.seat): row for row in open_decisions(session, game, seat)}
    found = []
    for decision in decisions:
        row = rows.get((decision.gate, decision.seat))
        if decision.seat == seat and row is not None:
            due = row.due_at // 1000 if row.due_at is not None else None
            found.append(Owed(decision, due, row.answered_at is not None))
    return tuple(found)


def awaited(session: Session, game: str, but: str = "") -> tuple[Seat, ...]:
    """The seats that still owe an answer."""
    rows = (row for row in open_decisions(session, game) if row.blocking and row.answered_at is None)
    waiting = {row.seat for row in rows if row.seat != but}
    return tuple(Seat(row.seat) for row in seats(session, game) if row.seat in waiting)


def report_facts(
    office: Office, session: Session, row: LetterOut, game: Game, user: User, draft: ReportDraft
) -> ReportFacts | StartedFacts | OverFacts:
    """The facts of a report, a welcome or an ending, from what was stored for its seat."""
    seat, entry, since = str(row.seat), int(row.entry or 0), int(row.since or 0)
    after = view_of(office, session, game.id, seat, entry)
    if after is None:
        raise LookupError(f"no view of entry {entry} was stored")
    frame = frame_of(office, session, game, seat, user, draft.token, row.made_at, entry)
    known_from = known_since(session, game.id, seat)
    before = view_of(office, session, game.id, seat, since) if since and since >= known_from else None
    events = story_of(office, session, game.id, seat, since, entry)
    owed = tuple(
        replace(o, answered=o.answered or o.decision.gate in draft.ridden)
        for o in owed_by(session, game.id, seat, after.core.open)
    )
    if row.kind == "over":
        story, _ = _parted(story_of(office, session, game.id, seat, 0, entry))
        return OverFacts(frame, after, before, events, story, digest_of(session, game.id, entry))
    if row.kind == "started":
        return StartedFacts(frame, after, owed, str(game.seed_digest or ""), events)
    plain, notes = _parted(events)
    return ReportFacts(
        frame,
        after,
        before,
        plain,
        owed,
        riders_ended=tuple(_rider_note(n) for n in notes if isinstance(n, RiderUsed | RiderPassed | RiderOver)),
        riders=draft.riders,
        standing=draft.standing,
        awaited=awaited(session, game.id, seat),
        recap=since < known_from,
        acts=untold(session, game.id, since, entry),
    )


_NOTES = (RiderUsed, RiderPassed, RiderOver, AheadTaken)


def _parted(events: Sequence[Event]) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """The story, and what the server tells of things filed ahead."""
    story = tuple(e for e in events if not isinstance(e, _NOTES))
    return story, tuple(e for e in events if isinstance(e, _NOTES))


def _rider_note(note: RiderUsed | RiderPassed | RiderOver) -> RiderEnded:
    if isinstance(note, RiderUsed):
        return RiderEnded(note.asks, note.orders, used=True)
    return RiderEnded(note.asks, (), used=False, reason=note.reason if isinstance(note, RiderPassed) else None)
