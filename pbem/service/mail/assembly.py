"""What emails are made of: the table, its links, what is owed, who is awaited; reports and receipts put together.

Pages about a seat begin with the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.kernel.codec import serializable
from engine.kernel.events import AdvanceOrdersUsed, Event, ReactionExpired, ReactionSkipped, ReactionUsed
from engine.kernel.gates import Gate, parse_closing
from engine.kernel.orders import Question
from engine.kernel.position import Core, Position
from engine.kernel.rules import Meta
from engine.kernel.secrets import Secret
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.entries import BEACON
from pbem.common.addresses import can_receive_email, token_of
from pbem.common.states import GameState, OutboundState
from pbem.crypto import ChainLink, VerifyKeys, beacon
from pbem.crypto.receipts import sign_deal
from pbem.narration.facts import (
    CountedOrders,
    DrawnRound,
    EmailContext,
    EndedReaction,
    GameOverFacts,
    Links,
    OpenQuestion,
    PendingRound,
    Reader,
    ReceiptFacts,
    ReportFacts,
    SpectatorFacts,
    StartedFacts,
    StoredOrders,
    StoredReaction,
    TableFacts,
)
from pbem.service.access.capabilities import create_capability
from pbem.service.access.users import load_unsubscribe_token
from pbem.service.base.services import Recipient, Services
from pbem.service.game import seat_views
from pbem.service.game.journal import load_unannounced_acts
from pbem.service.game.sealed_orders import list_valid
from pbem.service.game.seat_views import first_visible_entry, load_history, load_statistics, load_view, load_view_at
from pbem.service.mail import daily_keys
from pbem.service.mail.outbox import enqueue, suppress
from pbem.store.games import load_link, load_open_questions, load_seat, load_seats, names_of_seats
from pbem.store.models import Game, JournalEntry, OutboundEmail, PendingDraw, QuestionRow, SeatRow, SeatView, User

REPLY = "reply"


def create_reply_token(
    session: Session, game: str, seat: str, entry: int, now: int, *, holder: int | None = None
) -> str:
    """A capability for the person who sits there now to answer for a seat what stands open after an entry.

    `holder`: for another person who may answer: a deputy.
    """
    user = holder or next((row.user_id for row in load_seats(session, game) if row.seat == seat), None)
    return create_capability(session, REPLY, now, user_id=user, game_id=game, seat=seat, entry=entry)


def report_start(session: Session, game: str, seat: SeatRow, turn: int | None) -> int:
    """After which entry a report that is asked for again begins: where the last one did, or with a turn."""
    if turn is None:
        again = OutboundEmail.kind.in_(("report", "started")), OutboundEmail.entry == seat.last_report_entry
        query = select(OutboundEmail.from_entry).where(
            OutboundEmail.game_id == game, OutboundEmail.seat == seat.seat, *again
        )
        return session.scalars(query.order_by(OutboundEmail.created_at).limit(1)).first() or 0
    gates = session.execute(select(JournalEntry.number, JournalEntry.gate).where(JournalEntry.game_id == game))
    early = [
        number for number, gate in gates if (Gate.parse(gate).turn or 0) < turn and number <= seat.last_report_entry
    ]
    query = select(func.max(SeatView.entry)).where(SeatView.game_id == game, SeatView.entry <= max(early, default=0))
    return session.scalar(query) or 0


def build_context(
    services: Services,
    session: Session,
    game: Game,
    seat: str,
    user: User,
    token: str,
    made_at: int,
    entry: int | None = None,
) -> EmailContext:
    """What every email to a seat has; `entry`: what it tells of, if not of where the game stands now."""
    number, mute = game.entry if entry is None else entry, load_unsubscribe_token(services, user)
    return EmailContext(
        Reader(user.name, user.language, user.time_zone, Seat(seat)),
        load_table_facts(session, game),
        Links(
            page=f"{services.public_url}/games/{game.id}",
            answer=services.reply_address(token) if token else "",
            mute=f"{services.public_url}/unsubscribe/{mute}/{game.id}" if mute else "",
            leave=f"{services.public_url}/games/{game.id}/resign" if game.state == GameState.RUNNING else "",
        ),
        made_at // 1000,
        number,
        digest_of_entry(session, game.id, number),
    )


def load_table_facts(session: Session, game: Game) -> TableFacts:
    """The table, with the names of its players."""
    names = load_names(session, game)
    return TableFacts(game.rules, game.title, names, dict(game.options), waits=pending_round(session, game))


def load_names(session: Session, game: Game) -> dict[Seat, str]:
    """How the players of a table are called there, by seat."""
    return {Seat(seat): name for seat, name in names_of_seats(session, game).items()}


def pending_round(session: Session, game: Game) -> PendingRound | None:
    """The round of the beacon that a table waits for; None for none."""
    row = session.get(PendingDraw, game.id) if game.draw_mixing == BEACON else None
    return PendingRound(row.round, beacon.QUICKNET.round_time(row.round)) if row is not None else None


def digest_of_entry(session: Session, game: str, entry: int) -> str:
    """The digest of an entry, in hex; empty before the first."""
    row = load_link(session, game, entry)
    return ChainLink.from_bytes(row).digest.hex() if row is not None else ""


def open_questions(session: Session, game: str, seat: str, decisions: Sequence[Question]) -> tuple[OpenQuestion, ...]:
    """A seat's open questions, with their deadlines, whether an answer is in, and since when."""
    rows = {(row.gate, row.seat): row for row in load_open_questions(session, game, seat)}
    found = []
    for decision in decisions:
        row = rows.get((decision.gate, decision.seat))
        if decision.seat == seat and row is not None:
            due = row.due_at // 1000 if row.due_at is not None else None
            filed = row.answered_at // 1000 if row.answered_at is not None else None
            found.append(OpenQuestion(decision, due, filed is not None, filed))
    return tuple(found)


def pending_seats(session: Session, game: str, but: str = "") -> tuple[Seat, ...]:
    """The seats that still owe an answer."""
    rows = (row for row in load_open_questions(session, game) if row.is_blocking and row.answered_at is None)
    waiting = {row.seat for row in rows if row.seat != but}
    return tuple(Seat(row.seat) for row in load_seats(session, game) if row.seat in waiting)


THREAD = 60
"""After so many entries a new thread begins: mail programs grow slow, and readers lost, in longer ones."""

_UNSEEN: Position[Any] = Position(Core((), {}, Secret(b"", frozenset())), None)


@serializable("pbem.ReportData")
@dataclass(frozen=True)
class ReportData:
    """All that a report's draft holds: the token of its reply address, and what the seat has on file.

    `used_reactions`: the gates at which a reaction stands in for an answer.  `picture_baseline`: a picture is drawn for
    it, which marks what has changed from this entry on.  `abridges`: it need not repeat what the last report said.
    """

    token: str
    used_reactions: tuple[str, ...] = ()
    stored_orders: tuple[StoredOrders, ...] = ()
    reactions: tuple[StoredReaction, ...] = ()
    picture_baseline: int | None = None
    abridges: bool = False


def to_stored_receipt(facts: ReceiptFacts) -> ReceiptFacts:
    """A receipt as it waits to be written: without the view, which is stored already."""
    return replace(facts, view=_UNSEEN)


def from_stored_receipt(services: Services, session: Session, row: OutboundEmail, facts: ReceiptFacts) -> ReceiptFacts:
    """The same receipt with the view on which its email was judged."""
    return replace(facts, view=load_view_at(services, session, str(row.game_id), str(row.seat), int(row.entry or 0)))


def build_report(
    services: Services, session: Session, row: OutboundEmail, game: Game, user: User, draft: ReportData
) -> ReportFacts | StartedFacts | GameOverFacts:
    """The facts of a report, a welcome or an ending, from what was stored for its seat."""
    seat, entry, since = str(row.seat), int(row.entry or 0), int(row.from_entry or 0)
    after = load_view(services, session, game.id, seat, entry)
    if after is None:
        raise LookupError(f"no view of entry {entry} was stored")
    frame = build_context(services, session, game, seat, user, draft.token, row.created_at, entry)
    known_from = first_visible_entry(session, game.id, seat)
    before = load_view(services, session, game.id, seat, since) if since and since >= known_from else None
    events = load_history(services, session, game.id, seat, since, entry)
    owed = tuple(
        replace(o, answered=o.answered or o.decision.gate in draft.used_reactions)
        for o in open_questions(session, game.id, seat, after.core.questions)
    )
    if row.kind == "game_over":
        story, _ = _split_advance_notes(load_history(services, session, game.id, seat, 0, entry))
        links = replace(frame.links, mute="", archive=f"{services.public_url}/records/{game.id}")
        return GameOverFacts(
            replace(frame, links=links), after, before, events, story, digest_of_entry(session, game.id, entry)
        )
    if row.kind == "started":
        words, proofs = _deal_receipt(services, session, game.id, seat)
        return StartedFacts(frame, after, owed, str(game.seed_digest or ""), events, words=words, proofs=proofs)
    plain, notes = _split_advance_notes(events)
    counted = load_statistics(services, session, game.id, seat, max(since, known_from), entry)
    return ReportFacts(
        frame,
        after,
        before,
        plain,
        owed,
        ended_reactions=tuple(
            _to_ended_reaction(n) for n in notes if isinstance(n, ReactionUsed | ReactionSkipped | ReactionExpired)
        ),
        reactions=draft.reactions,
        stored_orders=draft.stored_orders,
        awaited=pending_seats(session, game.id, seat),
        recap=since < known_from,
        abridges=draft.abridges,
        acts=load_unannounced_acts(session, game.id, since, entry),
        counted=tuple(one for one in counted if isinstance(one, CountedOrders)),
        rounds=tuple(one for one in counted if isinstance(one, DrawnRound)),
    )


def _deal_receipt(services: Services, session: Session, game: str, seat: str) -> tuple[str, tuple[str, ...]]:
    """What a seat put into the deal, and the receipt for it."""
    row = load_seat(session, game, seat)
    if row is None or row.seed_nonce is None:
        return "", ()
    return row.seed_words, (str(sign_deal(services.mailer_keys.signing, game, seat, row.seed_words, row.seed_nonce)),)


_NOTES = (ReactionUsed, ReactionSkipped, ReactionExpired, AdvanceOrdersUsed)


def _split_advance_notes(events: Sequence[Event]) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """The story, and what the server tells of things filed ahead."""
    story = tuple(e for e in events if not isinstance(e, _NOTES))
    return story, tuple(e for e in events if isinstance(e, _NOTES))


def _to_ended_reaction(note: ReactionUsed | ReactionSkipped | ReactionExpired) -> EndedReaction:
    if isinstance(note, ReactionUsed):
        return EndedReaction(note.topic, note.orders, used=True)
    return EndedReaction(note.topic, (), used=False, reason=note.reason if isinstance(note, ReactionSkipped) else None)


SPECTATOR: Final = "spectator"
"""The kind of emails to spectators; and the purpose of the link in each that ends them."""


@serializable("pbem.SpectatorReportData")
@dataclass(frozen=True)
class SpectatorReportData:
    """What the draft of such an email holds: the token of its link, and from which entry on its picture marks."""

    token: str
    picture_baseline: int | None = None


def build_spectator_report(
    services: Services, session: Session, row: OutboundEmail, game: Game, user: User, draft: SpectatorReportData
) -> SpectatorFacts:
    """The facts of such an email, from what was stored for everybody."""
    entry, since = int(row.entry or 0), int(row.from_entry or 0)
    after = seat_views.load_view(services, session, game.id, PUBLIC, entry)
    if after is None:
        raise LookupError(f"no view of entry {entry} was stored")
    frame = build_context(services, session, game, "", user, "", row.created_at, entry)
    page = f"{services.public_url}/games/{game.id}/table"
    links = replace(frame.links, page=page, leave="", mute=f"{services.public_url}/spectator/{draft.token}")
    return SpectatorFacts(
        replace(frame, links=links),
        after,
        seat_views.load_events(services, session, game.id, PUBLIC, since, entry),
        pending_seats(session, game.id),
        acts=load_unannounced_acts(session, game.id, since, entry),
    )


def receipt_key(letter: str) -> str:
    """The key of the receipt for an inbound email."""
    return f"receipt.{letter}"


def enqueue_receipt(
    services: Services,
    session: Session,
    game: Game,
    seat: SeatRow,
    user: User,
    key: str,
    facts: ReceiptFacts,
    hold_ms: int = 0,
) -> None:
    """Lay a receipt out; where something stands that this process cannot read, a resolver completes it first.

    `hold_ms`: it goes out after this time, and takes the place of those for the same person that are held yet.
    """
    waits = can_receive_email(user.email) and has_other_orders(session, services.verify, game, seat, facts)
    if hold_ms:
        _cancel_held_receipt(services, session, game, user)
    enqueue(
        services,
        session,
        key=key,
        kind="receipt",
        facts=to_stored_receipt(facts),
        user_id=user.id,
        game_id=game.id,
        seat=seat.seat,
        entry=game.entry,
        waits=waits,
        hold_ms=hold_ms,
    )
    if waits:
        game.resolve_requested_at = game.resolve_requested_at or services.now()


def _cancel_held_receipt(services: Services, session: Session, game: Game, user: User) -> None:
    held = OutboundEmail.due_at > services.now(), OutboundEmail.attempts == 0
    theirs = OutboundEmail.kind == "receipt", OutboundEmail.game_id == game.id, OutboundEmail.user_id == user.id
    suppress(session, *theirs, *held, states=(OutboundState.HELD, OutboundState.QUEUED))


def _restore_generation(session: Session) -> str:
    """Entries are numbered again after a copy was put back; mail programs drop a second email with one Message-ID."""
    restored = daily_keys.restored_at(session)
    return f".{restored:x}" if restored else ""


def load_recipient(
    session: Session, row: OutboundEmail, game: Game | None, user: User | None, token: str | None, facts: Any
) -> Recipient:
    """Where an email goes, and in which thread: the address of record, as it is now."""
    reader = facts.frame.reader
    answer = str(facts.frame.links.answer)
    return Recipient(
        key=row.key,
        kind=row.kind,
        created_at=row.created_at,
        to_address=user.email if user else "",
        to_name=reader.name,
        language=reader.language,
        zone=reader.zone,
        game=game.id if game else None,
        title=game.title if game else None,
        rules=game.rules if game else None,
        seat=row.seat,
        token=token or token_of(answer) or None,
        thread=f"{game.id}.thread.{(row.entry or 0) // THREAD}" if game else None,
        life=_restore_generation(session),
    )


def has_other_orders(session: Session, verify: VerifyKeys, game: Game, seat: SeatRow, facts: ReceiptFacts) -> bool:
    """Return True if anything of this seat stands that its email did not bring itself."""
    brought = {s.commitment for s in facts.sets if s.commitment}
    orders_lie = [r for kind in ("orders", "advance") for r in list_valid(session, verify, game.id, seat.seat, kind)]
    if any(row.commitment not in brought for row in orders_lie):
        return True
    if list_valid(session, verify, game.id, seat.seat, "standing"):
        return True
    filed = any(reaction.problem is None for reaction in facts.reactions)
    return len(list_valid(session, verify, game.id, seat.seat, "reaction")) > int(filed)


def request_resolve(services: Services, session: Session, game: Game) -> None:
    """Ask for a resolver when an answer may have completed a gate."""
    rows, meta = load_open_questions(session, game.id), services.rules(game.rules).meta
    gates = {parse_closing(row.gate) for row in rows if row.is_blocking}
    awaited = {parse_closing(row.gate) for row in rows if row.is_blocking and not _may_be_answered(meta, row)}
    done = bool(gates - awaited)
    acted = any(not row.is_blocking and row.answered_at is not None for row in rows)
    if done or acted:
        game.resolve_requested_at = game.resolve_requested_at or services.now()


def _may_be_answered(meta: Meta, row: QuestionRow) -> bool:
    """Return True if a question has an answer, or one that only the resolver can see: a reaction may answer it."""
    return row.answered_at is not None or row.is_reaction or meta.topic(row.topic).is_reaction
