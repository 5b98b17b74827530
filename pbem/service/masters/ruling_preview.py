"""What a ruling would do, as far as everybody may see."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.correction_events import CardMoved, CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Order, Problem, single_order
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.rules import Rules, SupportsCorrections
from engine.kernel.run import ruling_events
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.entries import PublicPart
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.masters.ruling_request import RulingPreview, UnreadableRuling
from pbem.store.models import Game, JournalEntry


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


def preview(services: Services, session: Session, game: Game, lines: Sequence[str], language: str) -> RulingPreview:
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
