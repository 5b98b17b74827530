"""Emails to the seats of a game: enqueued by the resolver in the game's transaction, put together by the mailer later.

A draft names entries and carries the reply token, no more; what it tells is read, when it is rendered, from the
views and events that the resolver stored for that seat.

Also the emails to spectators.
"""

from sqlalchemy import bindparam, select

from engine.kernel.plans import has_ended
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC, Seat
from pbem.crypto import is_token, token_hash
from pbem.service.access import permissions
from pbem.service.access.capabilities import create_capability
from pbem.service.base.services import Services
from pbem.service.game import clock_state, stored_orders
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.game.stored_orders import StoredOrdersOfSeat, load_stored_orders
from pbem.service.mail import pictures
from pbem.service.mail.assembly import SPECTATOR, ReportData, SpectatorReportData, create_reply_token
from pbem.service.mail.outbox import enqueue, prefetch_existing
from pbem.store.games import load_seats, occupied_seats
from pbem.store.models import Capability, Game, Spectator, User


def enqueue_reports(context: ResolverContext) -> None:
    """One email a seat for all that happened since its last one.

    In the pace `order` only those get one who now owe an answer or whose plan came to its end, and all at the
    beginning, and at the end of a phase or of the game.
    """
    seats = occupied_seats(context.session, context.game.id)
    due = [(row, user) for row, user in seats if row.last_report_entry == 0 or _needs_report(context, Seat(row.seat))]
    keys = [_dedup_key(context, row.seat, _report_kind(context, row.last_report_entry)) for row, _ in due]
    prefetch_existing(context.session, keys)
    for row, user in due:
        enqueue_report(context, row.seat, user, row.last_report_entry, row.visible_from_entry)
        stands = permissions.find_deputy(context.session, context.game.id, row.seat, context.now)
        deputy = context.session.get(User, stands.user_id) if stands is not None else None
        if stands is not None and deputy is not None:
            known = max(row.visible_from_entry, stands.visible_from_entry)
            since = max(row.last_report_entry, stands.visible_from_entry)
            enqueue_report(context, row.seat, deputy, since, known, deputy=True)
        row.last_report_entry = context.game.entry
        clock_state.schedule_bot(context.session, user, context.now)


def _needs_report(context: ResolverContext, seat: Seat) -> bool:
    """Return True if there is anything to write to a seat: something was told to it, or it is asked something new."""
    core, told = context.position.core, bool(context.events.get(seat))
    owes = [d for d in core.questions if d.seat == seat and d.blocking]
    if core.over or any((d.gate, seat) in context.asked_entries for d in owes):
        return True
    if core.options.get("pace") == "order" and not context.has_phase_ended:
        return told and (bool(owes) or _has_plan_ended(context, seat))
    return told


def _has_plan_ended(context: ResolverContext, seat: Seat) -> bool:
    """Return True if what a seat had filed for several turns is done: it may file the next before it is waited for."""
    events = [event for _, event in context.events.get(seat, ())]
    return has_ended(context.rules, redact(context.position, seat), seat, events)


def enqueue_report(
    context: ResolverContext, seat: str, user: User, since: int, known: int, *, deputy: bool = False
) -> None:
    """Draft one seat's email about where the game stands now, to its player or deputy, who knows it from `known`."""
    kind = _report_kind(context, since, deputy)
    token = create_reply_token(
        context.session, context.game.id, seat, context.game.entry, context.now, holder=user.id if deputy else None
    )
    asked = [
        d for d in context.position.core.questions if d.seat == seat and context.rules.meta.topic(d.topic).is_reaction
    ]
    used_reactions = tuple(d.gate for d in asked if stored_orders.is_reaction_valid(context, d))
    marked = pictures.request_picture(context, seat, user, since, known)
    enqueue(
        context.services,
        context.session,
        key=_dedup_key(context, seat, kind) + (".deputy" if deputy else ""),
        kind=kind,
        facts=ReportData(token, used_reactions, *_stored_orders(context, seat), marked, abridges=True),
        user_id=user.id,
        game_id=context.game.id,
        seat=seat,
        entry=context.game.entry,
        since=since,
        hold_ms=0 if marked is None else pictures.HOLD_MS,
    )


def _report_kind(context: ResolverContext, since: int, deputy: bool = False) -> str:
    """The kind of an email about what happened after an entry."""
    if context.position.core.over:
        return "game_over"
    if since == 0:
        return "started"
    return permissions.DEPUTY_REPORT if deputy else "report"


def _dedup_key(context: ResolverContext, seat: str, kind: str) -> str:
    """Under what the email to the player of a seat lies."""
    return f"{context.game.id}.{context.game.entry}.{seat}.{kind}"


def _stored_orders(context: ResolverContext, seat: str) -> StoredOrdersOfSeat:
    """What a seat has filed for what is to come; nothing once the game is over."""
    if context.position.core.over:
        return (), ()
    return load_stored_orders(
        context.services, context.session, context.game.id, context.keys, seat, context.rules.turn(context.position)
    )


_SUBSCRIBERS = (
    select(Spectator, User)
    .join(User, User.id == Spectator.user_id)
    .where(Spectator.game_id == bindparam("game"), Spectator.emails_since.is_not(None))
    .order_by(Spectator.user_id)
)


def subscribe_spectator(services: Services, user_id: int, game_id: str, on: bool) -> None:
    """A spectator wants emails of what comes from now on, or none any more."""
    with services.db.transaction() as session:
        row, game = session.get(Spectator, (game_id, user_id)), session.get(Game, game_id)
        if row is not None and game is not None and (row.emails_since is None) is on:
            row.emails_since = game.entry if on else None


# --- enqueued by the resolver


def report_to_spectators(context: ResolverContext) -> None:
    """One email each at the end of a phase, and at the end of the game."""
    if not (context.has_phase_ended or context.position.core.over):
        return
    sitting = {row.user_id for row in load_seats(context.session, context.game.id)}
    for row, user in context.session.execute(_SUBSCRIBERS, {"game": context.game.id}):
        since = row.emails_since
        if user.id not in sitting and since is not None and since < context.game.entry:
            _enqueue_report(context, user, since)
            row.emails_since = context.game.entry


def _enqueue_report(context: ResolverContext, user: User, since: int) -> None:
    key = f"{context.game.id}.{context.game.entry}.{user.id}.{SPECTATOR}"
    token = create_capability(context.session, SPECTATOR, context.now, user_id=user.id, game_id=context.game.id)
    marked = pictures.request_picture(context, PUBLIC, user, since, 0)
    enqueue(
        context.services,
        context.session,
        key=key,
        kind=SPECTATOR,
        facts=SpectatorReportData(token, marked),
        user_id=user.id,
        game_id=context.game.id,
        seat=PUBLIC,
        entry=context.game.entry,
        since=since,
        hold_ms=0 if marked is None else pictures.HOLD_MS,
    )


# --- the link that ends them


def find_spectator_by_link(services: Services, token: str) -> tuple[str, str] | None:
    """The table whose emails a link would end, and the language of their reader; None for a link never made."""
    with services.db.snapshot() as session:
        row = session.get(Capability, token_hash(SPECTATOR, token)) if is_token(token) else None
        game = session.get(Game, row.game_id) if row is not None else None
        user = session.get(User, row.user_id) if row is not None else None
        return (game.title, user.language) if game is not None and user is not None else None


def unsubscribe_spectator(services: Services, token: str) -> None:
    """No emails of that table any more; nothing happens where none are sent."""
    with services.db.transaction() as session:
        row = session.get(Capability, token_hash(SPECTATOR, token)) if is_token(token) else None
        watcher = session.get(Spectator, (row.game_id, row.user_id)) if row is not None else None
        if watcher is not None:
            watcher.emails_since = None
