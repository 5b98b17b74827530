"""Rulings of a game master: shown first, then carried out by a resolver, told to all, and taken back.

A ruling is data: facts of the game within a `Corrected`, an entry like any other.  What it would do is shown from what
everybody may see, so that its author learns nothing; whether it can stand in truth is the resolver's to find.

Also what a ruling would do.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel import correction_help
from engine.kernel.codec import dump, load
from engine.kernel.correction_events import CardMoved, CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.dice import Draw
from engine.kernel.events import Corrected, Event, RulingUndone, StepsQueued, StepStarted
from engine.kernel.forms import Form
from engine.kernel.grammar import Grammar, Section
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.orders import Order, Problem, single_order
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.printing import HelpRow
from engine.kernel.rules import Rules, SupportsCorrections
from engine.kernel.run import correct, inverse_events, ruling_events
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.entries import EntryRecord, PublicPart, draw_entropy_of
from pbem.archive.replay import CORRECTION, REWIND, adjudicate
from pbem.narration.facts import Message, RulingFacts, StoredOrders
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.game.journal import load_entry, load_state_at
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.mail import assembly
from pbem.service.mail.outbox import enqueue
from pbem.service.masters import audit
from pbem.service.masters.ruling_request import (
    RULING,
    RulingPreview,
    RulingRequest,
    UnreadableRuling,
)
from pbem.service.resolver import reports, resolution
from pbem.store.games import occupied_seats
from pbem.store.models import Game, JournalEntry, User


def parse_ruling_orders(
    rules: Rules[Any], view: Position[Any], lines: Sequence[str], language: str
) -> tuple[Order, ...]:
    """Parse the lines of a ruling with the forms of the public position. Raises UnreadableRuling."""
    if not isinstance(rules, SupportsCorrections):
        raise UnreadableRuling("", Problem("no_corrections"))
    forms = _forms(rules, view)
    topic = rules.corrections.TOPIC
    grammar = Grammar((Section(topic, forms, None, True),), language=language, topics=(topic,))
    orders = []
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
        orders.append(order)
    return tuple(orders)


def _forms(rules: SupportsCorrections, view: Position[Any]) -> tuple[Form, ...]:
    with seen_by(PUBLIC):
        return rules.corrections.forms(view)


def load_forms(
    services: Services, session: Session, game: Game
) -> tuple[tuple[Form, ...], Mapping[tuple[str, str], int]]:
    """Return the forms of corrections that are possible in a game under way, and the figures, by seat and name.

    All from its public position.
    """
    rules = services.rules(game.rules)
    if game.entry == 0 or not isinstance(rules, SupportsCorrections):
        return (), {}
    view = seat_views.last_view(services, session, game, PUBLIC)
    with seen_by(PUBLIC):
        return _forms(rules, view), rules.corrections.present(view)


def list_corrections(services: Services, session: Session, game: Game, language: Language) -> tuple[HelpRow, ...]:
    """Return how each correction of a game under way is written, with examples from its public position."""
    if game.entry == 0:
        return ()
    view = seat_views.last_view(services, session, game, PUBLIC)
    return correction_help.list_corrections(services.rules(game.rules), view, language)


def preview_ruling(
    services: Services, session: Session, game: Game, lines: Sequence[str], language: str
) -> RulingPreview:
    """Return what a correction would do, by the public position. Raises UnreadableRuling, CorrectionRefused."""
    rules = services.rules(game.rules)
    view = seat_views.last_view(services, session, game, PUBLIC)
    orders = parse_ruling_orders(rules, view, lines, language)

    def came(entry: int, seat: Seat) -> tuple[Any, ...]:
        row = session.get(JournalEntry, (game.id, entry))
        if row is None or not isinstance(rules, SupportsCorrections):
            return ()
        public: PublicPart = load(row.public)
        return rules.corrections.origin_of(public.events, seat)

    return events_of(rules, view, orders, came)


def events_of(rules: Rules[Any], view: Position[Any], orders: Sequence[Order], came: Any) -> RulingPreview:
    """Return the events that orders would make on a public position. Raises CorrectionRefused."""
    with seen_by(PUBLIC):
        events = ruling_events(rules, Ruling(view, came, trial=True), orders)
    if not events:
        raise CorrectionRefused("nothing_changes")
    public_events = redact(events, PUBLIC)
    private = {seat for event in public_events if isinstance(event, CardMoved) for seat in affected_seats(event)}
    return RulingPreview(public_events, tuple(seat for seat in view.core.seats if seat in private))


def affected_seats(event: CardMoved) -> Iterator[Seat]:
    """Yield the seats whose hand a hidden card leaves or enters."""
    if not isinstance(event.card.held, str):
        yield from (seat for seat in (event.seat, event.to) if seat is not None)


# --- in truth


def apply_correction(context: ResolverContext, ruling_request: RulingRequest) -> None:
    """Append an entry with the events of a ruling, and announce it."""
    edits = correction_events(context, context.position, ruling_request, context.game.entry)
    previous = context.position
    append_ruling(context, ruling_request, edits)
    announce_ruling(context, ruling_request, previous)


def correction_events(
    context: ResolverContext, position: Position[Any], ruling_request: RulingRequest, entry: int
) -> tuple[Event, ...]:
    """Return the events of a ruling's lines on a position. Raises UnreadableRuling, CorrectionRefused."""
    view = redact(position, PUBLIC)
    orders = parse_ruling_orders(context.rules, view, ruling_request.lines, _order_language(context, ruling_request))

    def came(number: int, seat: Seat) -> tuple[Any, ...]:
        if not 0 < number <= entry or not isinstance(context.rules, SupportsCorrections):
            return ()
        record = load_entry(context.session, context.keys, context.game, number)
        return context.rules.corrections.origin_of(record.events, seat)

    events_of(context.rules, view, orders, came)
    with truth():
        return ruling_events(context.rules, Ruling(position, came), orders)


def _order_language(context: ResolverContext, ruling_request: RulingRequest) -> str:
    user = context.session.get(User, ruling_request.user)
    return user.language if user is not None else DEFAULT


def append_ruling(
    context: ResolverContext,
    ruling_request: RulingRequest,
    edits: tuple[Event, ...],
    base: int | None = None,
    position: Position[Any] | None = None,
) -> None:
    """Append the entry of a ruling. Raises CorrectionRefused if its result breaks an invariant."""
    chance = draw_entropy_of(context.game.id, context.game.entry + 1, [])
    ruling = Corrected(by=ruling_request.author, reason=ruling_request.reason, edits=edits)
    result = correct(context.rules, position if position is not None else context.position, ruling, chance)
    with truth():
        broken = context.rules.list_violations(result.position)
    if broken:
        raise CorrectionRefused(broken[0].code, **broken[0].terms)
    resolution.record_entry(context, CORRECTION if base is None else REWIND, result, (), chance, base=base)


# --- taking one back


def revert_ruling(context: ResolverContext, ruling_request: RulingRequest) -> None:
    """Append the inverse of a ruling. Raises CorrectionRefused if play since would have differed without it."""
    number = ruling_request.entry
    record = _ruling_entry(context, number)
    entries_in_force(context, number)
    before = load_state_at(context.session, context.keys, context.game, number - 1)
    with truth():
        inverse = inverse_events(context.rules, context.position, _ruling_facts(record), before)
    edits = (RulingUndone(entry=number), *inverse)
    ruling = Corrected(by=ruling_request.author, reason=ruling_request.reason, edits=edits)
    entropy = draw_entropy_of(context.game.id, context.game.entry + 1, [])
    corrected = correct(context.rules, context.position, ruling, entropy).position
    if strip_knowledge(state_without(context, number, before)) != strip_knowledge(corrected):
        raise CorrectionRefused("moved_on")
    previous = context.position
    append_ruling(context, ruling_request, edits)
    announce_ruling(context, ruling_request, previous)


def _ruling_entry(context: ResolverContext, number: int) -> EntryRecord:
    if not 1 < number <= context.game.entry:
        raise CorrectionRefused("no_such_entry", entry=number)
    record = load_entry(context.session, context.keys, context.game, number)
    if record.gate != CORRECTION:
        raise CorrectionRefused("no_ruling_there", entry=number)
    return record


def _ruling_facts(record: EntryRecord) -> tuple[Event, ...]:
    """All that a ruling did, what it left to chance included. Raises CorrectionRefused where play went on at once."""
    ruling, *followers = record.events
    events = (*(ruling.edits if isinstance(ruling, Corrected) else ()), *followers)
    return tuple(event for event in events if not isinstance(event, StepsQueued | StepStarted))


def entries_in_force(context: ResolverContext, entry: int) -> tuple[EntryRecord, ...]:
    """Return the entries that count from a number on, in order. Raises CorrectionRefused."""
    if not 1 < entry <= context.game.entry:
        raise CorrectionRefused("no_such_entry", entry=entry)
    records: list[EntryRecord] = []
    number = context.game.entry
    while number >= entry:
        record = load_entry(context.session, context.keys, context.game, number)
        records.append(record)
        if number == entry:
            break
        number = number - 1 if record.base is None else record.base
    if not records or records[-1].number != entry:
        raise CorrectionRefused("ends_elsewhere", entry=entry)
    return tuple(reversed(records))


def state_without(context: ResolverContext, number: int, before: Position[Any]) -> Position[Any]:
    """Return the state as if a ruling had never been. Raises CorrectionRefused if play would have differed.

    Only entries that count are replayed.
    """
    position = before
    for record in entries_in_force(context, number)[1:]:
        draws: Sequence[Draw] = ()
        if record.replay_of is not None:
            draws = load_entry(context.session, context.keys, context.game, record.replay_of).draws
        try:
            result = adjudicate(context.rules, position, record, draws)
        except Exception:  # noqa: BLE001 - whatever stands in its way, the entry would not have been what it is
            raise CorrectionRefused("moved_on") from None
        if strip_knowledge(result.events) != strip_knowledge(record.events) or result.draws != record.draws:
            raise CorrectionRefused("moved_on")
        position = result.position
    return position


def strip_knowledge(thing: object) -> Any:
    """Return a saved value without who knows what in it."""
    return _drop_knowledge(json.loads(dump(thing)))


def _drop_knowledge(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_drop_knowledge(part) for part in plain]
    if isinstance(plain, dict):
        return {key: _drop_knowledge(value) for key, value in plain.items() if key != "k" or "!" not in plain}
    return plain


# --- telling


def announce_ruling(
    context: ResolverContext,
    ruling_request: RulingRequest,
    previous: Position[Any],
    rewound_to: int | None = None,
    drafts: dict[str, tuple[StoredOrders, ...]] | None = None,
) -> None:
    """Store the new views, and email everybody what was ruled, why, and what changes for them."""
    resolution.store_views(context)
    for row, user in occupied_seats(context.session, context.game.id):
        seat = Seat(row.seat)
        token = assembly.create_reply_token(context.session, context.game.id, row.seat, context.game.entry, context.now)
        informed = row.visible_from_entry <= row.last_report_entry
        facts = RulingFacts(
            assembly.build_context(context.services, context.session, context.game, row.seat, user, token, context.now),
            ruling_request.author,
            ruling_request.reason,
            redact(previous, seat),
            redact(context.position, seat),
            tuple(event for _, event in context.events.get(seat, ())) if informed else (),
            rewound_to,
            assembly.open_questions(context.session, context.game.id, row.seat, context.position.core.questions),
            (drafts or {}).get(row.seat, ()),
        )
        enqueue(
            context.services,
            context.session,
            key=f"{context.game.id}.{context.game.entry}.{row.seat}.ruling",
            kind=RULING,
            facts=facts,
            user_id=user.id,
            game_id=context.game.id,
            seat=row.seat,
            entry=context.game.entry,
        )
        row.last_report_entry = context.game.entry
    _notify_masters(context, ruling_request)
    if context.position.core.over:
        reports.enqueue_reports(context)
    resolution.finish_game(context)
    context.has_writes = True


def _notify_masters(context: ResolverContext, ruling_request: RulingRequest) -> None:
    """Email masters without a seat what everybody may read."""
    messages = (Message("ruled", {"name": ruling_request.author}),)
    events = tuple(event for _, event in context.events.get(Seat(PUBLIC), ()))
    audit.announce_to_masters(
        context.services,
        context.session,
        context.game,
        f"{context.game.entry}.ruled",
        audit.AnnouncementText(
            ruling_request.author, messages, ruling_request.reason, events, redact(context.position, PUBLIC)
        ),
        excluded={user.id for _, user in occupied_seats(context.session, context.game.id)},
    )
