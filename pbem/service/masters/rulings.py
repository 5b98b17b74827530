"""Rulings of a game master: shown first, then carried out by a resolver, told to all, and taken back.

A ruling is data: facts of the game within a `Corrected`, an entry like any other.  What it would do is shown from what
everybody may see, so that its author learns nothing; whether it can stand in truth is the resolver's to find.

Also what a ruling would do.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.correction_events import CardMoved, CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.events import Corrected, Event, RulingUndone, StepsQueued, StepStarted
from engine.kernel.grammar import Grammar, Section
from engine.kernel.languages import DEFAULT
from engine.kernel.orders import Order, Problem, single_order
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.rules import Rules, SupportsCorrections
from engine.kernel.run import correct, inverse_events, ruling_events
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.entries import EntryRecord, PublicPart, draw_entropy_of
from pbem.archive.replay import adjudicate
from pbem.narration.facts import Message, RulingFacts, StoredOrders
from pbem.service.base.services import Services
from pbem.service.game import email_context, seat_views
from pbem.service.game.journal import load_entry, load_state_at
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.mail.outbox import enqueue
from pbem.service.masters import audit
from pbem.service.masters.ruling_request import (
    CORRECTION,
    RULING,
    RulingPreview,
    RulingRequest,
    UnreadableRuling,
)
from pbem.service.resolver import reports, resolution
from pbem.store.games import occupied_seats
from pbem.store.models import Game, JournalEntry, User


def parse_ruling_orders(
    rules: Rules[Any], seen: Position[Any], lines: Sequence[str], language: str
) -> tuple[Order, ...]:
    """The orders of a ruling's lines, by the forms that the public position gives; raises Unreadable."""
    if not isinstance(rules, SupportsCorrections):
        raise UnreadableRuling("", Problem("no_corrections"))
    with seen_by(PUBLIC):
        forms = rules.corrections.forms(seen)
    topic = rules.corrections.TOPIC
    grammar = Grammar((Section(topic, forms, None, True),), language=language, topics=(topic,))
    found = []
    for text in lines:
        if not text.strip():
            continue
        written = next((line for lot in parse_letter([text], grammar).sets.values() for line in lot.lines), None)
        if written is None or written.line is None:
            unknown = Problem("not_understood", {"word": text.strip()[:80], "candidates": (), "accepted": ""})
            raise UnreadableRuling(text.strip(), written.problem if written and written.problem else unknown)
        order = single_order((written.line,))
        if order is None:
            raise UnreadableRuling(text.strip(), Problem("no_plan_here"))
        found.append(order)
    return tuple(found)


def preview_ruling(
    services: Services, session: Session, game: Game, lines: Sequence[str], language: str
) -> RulingPreview:
    """What a correction would do, as far as the public position tells; raises Unreadable, Uncorrectable."""
    rules = services.rules(game.rules)
    seen = seat_views.last_view(services, session, game, PUBLIC)
    orders = parse_ruling_orders(rules, seen, lines, language)

    def came(entry: int, seat: Seat) -> tuple[Any, ...]:
        row = session.get(JournalEntry, (game.id, entry))
        shown: PublicPart | None = load(row.public) if row is not None else None
        return (
            rules.corrections.origin_of(shown.events, seat)
            if shown is not None and isinstance(rules, SupportsCorrections)
            else ()
        )

    return events_of(rules, seen, orders, came)


def events_of(rules: Rules[Any], seen: Position[Any], orders: Sequence[Order], came: Any) -> RulingPreview:
    """The facts that orders would make of a public position; raises Uncorrectable."""
    with seen_by(PUBLIC):
        events = ruling_events(rules, Ruling(seen, came, trial=True), orders)
    if not events:
        raise CorrectionRefused("nothing_changes")
    shown = redact(events, PUBLIC)
    private = {seat for event in shown if isinstance(event, CardMoved) for seat in affected_seats(event)}
    return RulingPreview(shown, tuple(seat for seat in seen.core.seats if seat in private))


def affected_seats(event: CardMoved) -> Iterator[Seat]:
    """Whose hand a card leaves or enters that not everybody sees."""
    if not isinstance(event.card.held, str):
        yield from (seat for seat in (event.seat, event.to) if seat is not None)


# --- what was written


# --- what it would do, as far as everybody may see


# --- asking the resolver


# --- in truth


def apply_correction(visit: ResolverContext, wanted: RulingRequest) -> None:
    """One entry with the facts of the ruling."""
    edits = correction_events(visit, visit.position, wanted, visit.game.entry)
    before = visit.position
    append_ruling(visit, wanted, edits)
    announce_ruling(visit, wanted, before)


def correction_events(
    visit: ResolverContext, position: Position[Any], wanted: RulingRequest, entry: int
) -> tuple[Event, ...]:
    """The facts of a ruling's lines on a position; raises Unreadable, Uncorrectable."""
    seen = redact(position, PUBLIC)
    orders = parse_ruling_orders(visit.rules, seen, wanted.lines, _order_language(visit, wanted))

    def came(number: int, seat: Seat) -> tuple[Any, ...]:
        if not 0 < number <= entry or not isinstance(visit.rules, SupportsCorrections):
            return ()
        return visit.rules.corrections.origin_of(load_entry(visit.session, visit.keys, visit.game, number).events, seat)

    events_of(visit.rules, seen, orders, came)
    with truth():
        return ruling_events(visit.rules, Ruling(position, came), orders)


def _order_language(visit: ResolverContext, wanted: RulingRequest) -> str:
    user = visit.session.get(User, wanted.user)
    return user.language if user is not None else DEFAULT


def append_ruling(
    visit: ResolverContext,
    wanted: RulingRequest,
    edits: tuple[Event, ...],
    base: int | None = None,
    position: Position[Any] | None = None,
) -> None:
    """Append the entry of a ruling; raises Uncorrectable where its result would break an invariant."""
    chance = draw_entropy_of(visit.game.id, visit.game.entry + 1, [])
    ruling = Corrected(by=wanted.by, reason=wanted.reason, edits=edits)
    made = correct(visit.rules, position if position is not None else visit.position, ruling, chance)
    with truth():
        broken = visit.rules.problems(made.position)
    if broken:
        raise CorrectionRefused(broken[0].code, **broken[0].terms)
    resolution.record_entry(visit, CORRECTION if base is None else "rewind", made, (), chance, base=base)


# --- taking one back


def revert_ruling(visit: ResolverContext, wanted: RulingRequest) -> None:
    """A later entry with the inverse; refused where what was played since would have gone otherwise without it."""
    number = wanted.entry
    record = _ruling_entry(visit, number)
    entries_in_force(visit, number)
    before = load_state_at(visit.session, visit.keys, visit.game, number - 1)
    with truth():
        inverse = inverse_events(visit.rules, visit.position, _ruling_facts(record), before)
    edits = (RulingUndone(entry=number), *inverse)
    ruling = Corrected(by=wanted.by, reason=wanted.reason, edits=edits)
    after = correct(
        visit.rules, visit.position, ruling, draw_entropy_of(visit.game.id, visit.game.entry + 1, [])
    ).position
    if strip_knowledge(state_without(visit, number, before)) != strip_knowledge(after):
        raise CorrectionRefused("moved_on")
    then = visit.position
    append_ruling(visit, wanted, edits)
    announce_ruling(visit, wanted, then)


def _ruling_entry(visit: ResolverContext, number: int) -> EntryRecord:
    if not 1 < number <= visit.game.entry:
        raise CorrectionRefused("no_such_entry", entry=number)
    record = load_entry(visit.session, visit.keys, visit.game, number)
    if record.gate != CORRECTION:
        raise CorrectionRefused("no_ruling_there", entry=number)
    return record


def _ruling_facts(record: EntryRecord) -> tuple[Event, ...]:
    """All that a ruling did, what it left to chance included; raises Uncorrectable where play went on at once."""
    ruling, *rest = record.events
    found = (*(ruling.edits if isinstance(ruling, Corrected) else ()), *rest)
    return tuple(event for event in found if not isinstance(event, StepsQueued | StepStarted))


def entries_in_force(visit: ResolverContext, entry: int) -> tuple[EntryRecord, ...]:
    """The entries that count from this one on, in order; raises Uncorrectable where it is none of them."""
    if not 1 < entry <= visit.game.entry:
        raise CorrectionRefused("no_such_entry", entry=entry)
    found: list[EntryRecord] = []
    number = visit.game.entry
    while number >= entry:
        record = load_entry(visit.session, visit.keys, visit.game, number)
        found.append(record)
        if number == entry:
            break
        number = number - 1 if record.base is None else record.base
    if not found or found[-1].number != entry:
        raise CorrectionRefused("ends_elsewhere", entry=entry)
    return tuple(reversed(found))


def state_without(visit: ResolverContext, number: int, before: Position[Any]) -> Position[Any]:
    """Where the game would stand had the ruling of an entry never been; raises Uncorrectable if play would differ.

    Only the entries that count are told again: what a rewind left behind hangs on nothing any more.
    """
    position = before
    for record in entries_in_force(visit, number)[1:]:
        kept = load_entry(visit.session, visit.keys, visit.game, record.again).draws if record.again is not None else ()
        try:
            made = adjudicate(visit.rules, position, record, kept)
        except Exception:  # noqa: BLE001 - whatever stands in its way, the entry would not have been what it is
            raise CorrectionRefused("moved_on") from None
        if made is None or strip_knowledge(made.events) != strip_knowledge(record.events) or made.draws != record.draws:
            raise CorrectionRefused("moved_on")
        position = made.position
    return position


def strip_knowledge(thing: object) -> Any:
    """A thing as it is saved, but for who knows what in it: what was seen cannot be unseen."""
    return _drop_knowledge(json.loads(dump(thing)))


def _drop_knowledge(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_drop_knowledge(part) for part in plain]
    if isinstance(plain, dict):
        return {key: _drop_knowledge(value) for key, value in plain.items() if key != "k" or "!" not in plain}
    return plain


# --- telling


def announce_ruling(
    visit: ResolverContext,
    wanted: RulingRequest,
    before: Position[Any],
    rewound_to: int | None = None,
    drafts: dict[str, tuple[StoredOrders, ...]] | None = None,
) -> None:
    """Store what everybody may see now, and write to all: what, why, and what differs for each."""
    resolution.store_views(visit)
    for row, user in occupied_seats(visit.session, visit.game.id):
        seat = Seat(row.seat)
        token = email_context.create_reply_token(visit.session, visit.game.id, row.seat, visit.game.entry, visit.now)
        known = row.known_from <= row.reported_entry
        facts = RulingFacts(
            email_context.build_context(visit.services, visit.session, visit.game, row.seat, user, token, visit.now),
            wanted.by,
            wanted.reason,
            redact(before, seat),
            redact(visit.position, seat),
            tuple(event for _, event in visit.events.get(seat, ())) if known else (),
            rewound_to,
            email_context.open_questions(visit.session, visit.game.id, row.seat, visit.position.core.open),
            (drafts or {}).get(row.seat, ()),
        )
        enqueue(
            visit.services,
            visit.session,
            key=f"{visit.game.id}.{visit.game.entry}.{row.seat}.ruling",
            kind=RULING,
            facts=facts,
            user_id=user.id,
            game_id=visit.game.id,
            seat=row.seat,
            entry=visit.game.entry,
        )
        row.reported_entry = visit.game.entry
    _notify_masters(visit, wanted)
    if visit.position.core.over:
        reports.enqueue_reports(visit)
    resolution.finish_game(visit)
    visit.has_writes = True


def _notify_masters(visit: ResolverContext, wanted: RulingRequest) -> None:
    """Email masters without a seat what everybody may read."""
    messages = (Message("ruled", {"name": wanted.by}),)
    events = tuple(event for _, event in visit.events.get(Seat(PUBLIC), ()))
    audit.announce_to_masters(
        visit.services,
        visit.session,
        visit.game,
        f"{visit.game.entry}.ruled",
        audit.AnnouncementText(wanted.by, messages, wanted.reason, events, redact(visit.position, PUBLIC)),
        excluded={user.id for _, user in occupied_seats(visit.session, visit.game.id)},
    )
