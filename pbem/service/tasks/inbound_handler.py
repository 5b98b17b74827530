"""One inbound email: who wrote it, what it deserves, and the receipt or notice for it.  Mailer only."""

from dataclasses import replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.gates import Gate
from pbem.common.cpu_budget import MOST_LINES, BudgetExceeded
from pbem.common.states import GATHERING, GameState, InboundState
from pbem.crypto import DecryptionError, TamperedError, token_hash
from pbem.narration.facts import EmailContext, ExecutedCommand, NoticeFacts, Reader, ReceiptFacts, TableFacts
from pbem.service.access import mail_preferences, permissions
from pbem.service.base import limits
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.database_access import run_locked
from pbem.service.base.game_states import SUSPENDED, missing_rules
from pbem.service.base.services import ParsedEmail, RequestRefused, Services
from pbem.service.base.wording import parse_consent
from pbem.service.deadlines import interruptions
from pbem.service.game import clock_state
from pbem.service.mail import assembly, delivery_status, notifications
from pbem.service.mail.assembly import REPLY, ReportData, enqueue_receipt, receipt_key, request_resolve
from pbem.service.mail.notifications import MASTER
from pbem.service.mail.outbox import enqueue
from pbem.service.masters import api
from pbem.service.messages.messages import TALKING
from pbem.service.orders import filing, validation
from pbem.service.seats import accounts, deputies, seat_offers, tables
from pbem.service.seats.deputies import DEPUTY
from pbem.service.seats.lobby import SEAT
from pbem.service.tasks.analysis import (
    EmailAnalysis,
    TokenContext,
    analyze,
    find_table_writer,
    fingerprint,
    has_receipt,
    is_duplicate,
    is_orders_only,
    known_addresses,
    load_token,
    notify_postponed,
    open_questions_of,
    parse,
    prefetch,
    repeats_last_words,
    reply_address,
    reply_context,
    submitter_of,
)
from pbem.service.tasks.recipients import ADDRESSES, JOIN, ReplyAction, ReplyContext, ReplyRule, match_rule
from pbem.store.games import load_seats, occupied_seats
from pbem.store.models import Capability, Game, InboundEmail, JournalEntry, User
from pbem.store.row_signatures import load_verified

SEAL: Final = "seal"
"""What an email is told that was not acted on because a record does not fit its seal."""

_QUARANTINE_NOTICES: Final = {TamperedError.__name__: SEAL, BudgetExceeded.__name__: "too_much"}
"""What is said of an email that was put aside, by the error that it met."""

_ASKING = frozenset({"status", "help", "report", "preview"})
_CONSENT_HANDLERS = {JOIN: tables.join_by_letter, DEPUTY: deputies.answer_by_email, SEAT: seat_offers.answer_by_email}
"""Who takes a yes or no by email, by the purpose of its address."""

__all__ = ["analyze", "handle", "is_orders_only", "known_addresses", "notify_postponed", "parse", "prefetch"]


def handle(
    services: Services,
    session: Session,
    row: InboundEmail,
    found: EmailAnalysis,
    *,
    last: bool = False,
) -> tuple[tuple[str, str], ...]:
    """Act on one email, within the transaction that marks it as done; returns whom to wake after it.

    Raises ConflictError where what was found of it does not fit any more; the `last` time its orders are judged anew.
    """
    letter, to = found.letter, reply_address(session, found.letter)
    purpose, now = to.purpose if to is not None else "", services.now()
    if purpose == clock_state.PROBE and interruptions.record_probe(session, letter.token, now, signed=letter.signed):
        return ()
    answers = row.state != InboundState.QUARANTINED and not letter.automatic and not letter.machine
    if to is not None and purpose in accounts.CONFIRMATION_PURPOSES and answers:
        return _answer_account_email(services, session, row, letter, to, found.rate_excess)
    try:
        known = load_token(session, letter, to, services.now())
    except DecryptionError:
        if row.state == InboundState.QUARANTINED:
            return _report_invalid_signature(services, session, row, letter, to)
        raise
    case = reply_context(session, letter, known, found.rate_excess, services.now())
    family = match_rule(case)
    if row.state == InboundState.QUARANTINED:
        return _report_quarantine(services, session, row, letter, known, family)
    if family.name in ("bounce", "to_bounce_address"):
        _record_bounce(services, session, letter)
    if family.name == "to_table_address" and not letter.machine:
        writer = find_table_writer(services, session, letter)
        if writer is not None and found.rate_excess == 0:
            return _answer_table_address(services, session, row, letter, writer)
    if known is None or family.outcome is ReplyAction.SILENCE:
        row.no_reply_reason = family.name
        return ()
    if missing_rules(services, known.game):
        _enqueue_notice(
            services, session, f"notice.{row.id}", known, SUSPENDED, {"game": known.game.rules}, letter.subject
        )
    else:
        _dispatch(services, session, row, known, case, family, replace(found, is_last_attempt=last))
    row.fingerprint = fingerprint(letter) if letter.message_id else row.id
    wakes = (("resolve_game", known.game.id),) if known.game.resolve_requested_at is not None else ()
    return (("send_outbound_emails", ""), *wakes)


def _answer_account_email(
    services: Services, session: Session, row: InboundEmail, letter: ParsedEmail, to: Capability, beyond: int
) -> tuple[tuple[str, str], ...]:
    """A yes or no to what somebody asked about what is kept of them; it belongs to no table."""
    if beyond or is_duplicate(session, letter):
        row.no_reply_reason = "flooding" if beyond else "repeated"
        return ()
    row.fingerprint = fingerprint(letter) if letter.message_id else row.id
    accounts.execute_email(services, session, to, letter)
    return (("send_outbound_emails", ""),)


def _dispatch(
    services: Services,
    session: Session,
    row: InboundEmail,
    known: TokenContext,
    case: ReplyContext,
    family: ReplyRule,
    found: EmailAnalysis,
) -> None:
    """Do what an email of this family deserves."""
    letter = case.letter
    if case.orders and case.beyond == 1:
        terms: dict[str, object] = {"minutes": limits.retry_after_minutes(services)}
        _enqueue_notice(services, session, f"limit.{row.id}", known, "answers_wait", terms, letter.subject)
    if known.row.purpose in _CONSENT_HANDLERS and known.user is not None and parse_consent(letter.lines).opts_out:
        _opt_out(services, session, row, case, known, known.user, declines=family.outcome is ReplyAction.RECEIPT)
        return
    by_machine = letter.machine and not _has_command(letter, known, found)
    takes_orders = family.outcome is ReplyAction.RECEIPT and known.row.purpose == REPLY
    if (by_machine or (case.orders and case.beyond)) and family.name != "join" and not takes_orders:
        row.no_reply_reason = _silence_reason(case)
        return
    if family.outcome is ReplyAction.RECEIPT and known.row.purpose in _CONSENT_HANDLERS and known.user is not None:
        _apply_consent(services, session, row, case, known)
    elif family.outcome is ReplyAction.RECEIPT and known.row.purpose == MASTER and known.user is not None:
        _run_master_commands(services, session, row, known, letter, found)
    elif family.outcome is ReplyAction.RECEIPT and known.row.purpose == TALKING and known.user is not None:
        filing.send_messages_from_email(
            services, session, known.game, known.user, known.row, letter, row.id, found.message_analysis
        )
    elif known.seat is not None and known.user is not None and has_receipt(known, family, found):
        _send_receipt(services, session, row, known, case, family, found)
    elif family.name == "wrong_seat" and known.seat is not None and known.user is not None:
        _answer_wrong_seat(services, session, row, letter, known)
        shared = f"{known.game.id}.{known.seat.seat}.{known.user.id}.shared"
        _enqueue_notice(services, session, shared, known, "address_shared", {}, "")
    elif known.user is not None:
        terms = _notice_terms(services, session, known, family.notice)
        _enqueue_notice(services, session, f"notice.{row.id}", known, family.notice, terms, letter.subject)


def _has_command(letter: ParsedEmail, known: TokenContext, found: EmailAnalysis) -> bool:
    """Return True if an email to an address that takes no orders says what no machine does: a command, a yes or no."""
    if known.row.purpose in _CONSENT_HANDLERS:
        return parse_consent(letter.lines).accepts is not None
    reading = found.commands.reading if found.commands is not None else None
    return reading is not None and bool(reading.lines or reading.codes)


def _run_master_commands(
    services: Services,
    session: Session,
    row: InboundEmail,
    known: TokenContext,
    letter: ParsedEmail,
    found: EmailAnalysis,
) -> None:
    """A master's email, or one to such an address."""
    game, user, commands = known.game, known.user, found.commands
    if user is None:
        return
    if found.is_last_attempt:
        commands = run_locked(lambda: api.prepare(services, session, game, user, letter.lines, ahead=False))
    api.execute_email(services, session, game, user, row.id, commands, known.token)


def _silence_reason(case: ReplyContext) -> str | None:
    """Why an email gets no answer of its own; None for the first beyond the limit, which is told that."""
    if case.letter.machine:
        return "machine"
    return "limit" if case.beyond > 1 else None


def _answer_table_address(
    services: Services, session: Session, row: InboundEmail, letter: ParsedEmail, writer: User
) -> tuple[tuple[str, str], ...]:
    """Tell a person of a table that its From address takes no emails, and where theirs go; nothing is acted on."""
    game, mark = session.get_one(Game, letter.token), f"in.{row.id}"
    seat = next((seat for seat, user in occupied_seats(session, game.id) if user.id == writer.id), None)
    if seat is not None and game.state == GameState.RUNNING:
        notifications.notify_seat(services, session, game, seat, writer, mark, "how_to_write", {})
    else:
        key = f"{game.id}.{writer.id}.{mark}.how_to_write"
        notifications.notify_user(services, session, game, writer, key, "how_to_write")
    return (("send_outbound_emails", ""),)


def _answer_wrong_seat(
    services: Services, session: Session, row: InboundEmail, letter: ParsedEmail, known: TokenContext
) -> None:
    """Tell the player who wrote to another one's address which address is theirs."""
    writer = next((one for one in occupied_seats(session, known.game.id) if one[1].email == letter.from_address), None)
    if writer is not None:
        notifications.notify_seat(services, session, known.game, *writer, f"in.{row.id}", "wrong_seat", {})


def _apply_consent(
    services: Services, session: Session, row: InboundEmail, case: ReplyContext, known: TokenContext
) -> None:
    """A person says whether they take a seat, or will be a deputy; where nothing comes of it, they are told why."""
    terms: dict[str, object] = {}
    try:
        told = _CONSENT_HANDLERS[known.row.purpose](services, session, known.game, known.row, case.letter)
    except RequestRefused as refused:
        told, terms = refused.code, refused.terms
    if told and case.letter.machine and parse_consent(case.letter.lines).accepts is None:
        row.no_reply_reason = "machine"
    elif told:
        _enqueue_notice(services, session, f"notice.{row.id}", known, told, terms, case.letter.subject)


def _opt_out(
    services: Services,
    session: Session,
    row: InboundEmail,
    case: ReplyContext,
    known: TokenContext,
    user: User,
    *,
    declines: bool,
) -> None:
    """A person wants no invitations: what they were asked is declined, if it still holds; one email confirms it."""
    if declines:
        _CONSENT_HANDLERS[known.row.purpose](services, session, known.game, known.row, case.letter)
    if mail_preferences.has_invitation_opt_out(session, user.email):
        row.no_reply_reason = "repeated"
        return
    mail_preferences.set_invitation_opt_out(services, session, user, wanted=False)
    frame = replace(notifications.request_context(services, session, known.game, user), answers=known.message_id)
    facts = NoticeFacts(frame, "uninvited", {}, case.letter.subject)
    enqueue(
        services, session, key=f"notice.{row.id}", kind="notice", facts=facts, user_id=user.id, game_id=known.game.id
    )


def _report_quarantine(
    services: Services,
    session: Session,
    row: InboundEmail,
    letter: ParsedEmail,
    known: TokenContext | None,
    family: ReplyRule,
) -> tuple[tuple[str, str], ...]:
    """Tell the sender of an email that was put aside, if it is one that we would have answered."""
    if known is None or known.user is None or family.outcome is ReplyAction.SILENCE:
        return ()
    told = _QUARANTINE_NOTICES.get(row.error or "", "failed")
    terms: dict[str, object] = {"lines": MOST_LINES} if told == "too_much" else {}
    _enqueue_notice(services, session, f"notice.{row.id}", known, told, terms, letter.subject)
    return (("send_outbound_emails", ""),)


def _report_invalid_signature(
    services: Services, session: Session, row: InboundEmail, letter: ParsedEmail, to: Capability | None
) -> tuple[tuple[str, str], ...]:
    """Tell the sender of an email to a table whose rows do not fit their seals, if their own row and address do."""
    user = load_verified(session, User, to.user_id if to is not None else None)
    if user is None or letter.automatic or letter.machine:
        row.no_reply_reason = SEAL
        return ()
    game = load_verified(session, Game, to.game_id if to is not None else None)
    table = TableFacts(game.rules, game.title) if game is not None else TableFacts("", "pbem")
    frame = EmailContext(Reader(user.name, user.language, user.time_zone), table, sent=services.now() // 1000)
    enqueue(
        services,
        session,
        key=f"notice.{row.id}",
        kind="notice",
        facts=NoticeFacts(replace(frame, answers=letter.message_id), SEAL, {}, letter.subject),
        user_id=user.id,
        game_id=game.id if game is not None else None,
    )
    return (("send_outbound_emails", ""),)


def _record_bounce(services: Services, session: Session, letter: ParsedEmail) -> None:
    """A bounce tells what became of an email: it comes back to an address with the token of that email's reader.

    To a forged address there is no row.
    """
    token = letter.token if letter.route == "bounce" else ""
    found = (session.get(Capability, token_hash(purpose, token)) for purpose in ADDRESSES) if token else ()
    row = next((row for row in found if row is not None), None)
    user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
    if user is not None:
        delivery_status.record_report(services, session, user, letter)


# --- receipts


def _send_receipt(
    services: Services,
    session: Session,
    row: InboundEmail,
    known: TokenContext,
    case: ReplyContext,
    family: ReplyRule,
    found: EmailAnalysis,
) -> None:
    if known.seat is None or known.user is None:
        raise LookupError("a receipt needs a seat with a player on it")
    letter = case.letter
    submitter = submitter_of(known, letter, family)
    validated = found.validated
    if found.is_last_attempt:
        validated = run_locked(
            lambda: validation.validate_orders(
                services, session, submitter, letter.lines, letter.uncommented, before=found.validated
            )
        )
    facts = filing.file_orders(services, session, submitter, validated)
    facts = replace(facts, frame=replace(facts.frame, answers=letter.message_id))
    facts = replace(facts, uncovered=letter.uncommented, signed=found.receipts, unread=(*facts.unread, *found.unread))
    request_resolve(services, session, known.game)
    repeats = repeats_last_words(services, known, letter, asks=_asks_anything(facts))
    if letter.machine and not _asks_anything(facts):
        row.no_reply_reason = "machine"
        return
    clock_state.resume_after_contact(session, known.user.id, services.now())
    if repeats or (case.beyond and not _changed_anything(facts)):
        row.no_reply_reason = "repeated" if repeats else _silence_reason(case)
        return
    if not case.beyond:
        for command in facts.commands:
            _send_requested(services, session, row, known, command, found.file)
        if known.user.id == known.seat.user_id:
            api.redirect_commands(services, session, known.game, known.user, row.id, found.misplaced)
    held = limits.retry_after_minutes(services) * MINUTE_MS if case.beyond else 0
    enqueue_receipt(services, session, known.game, known.seat, known.user, receipt_key(row.id), facts, held)


def _asks_anything(facts: ReceiptFacts) -> bool:
    """Return True if an email holds an order or a command, even a refused one: then a person wrote it."""
    return bool(facts.sets or facts.commands or facts.reactions)


def _changed_anything(facts: ReceiptFacts) -> bool:
    """Return True if an email changed anything."""
    asked = any(one.name not in _ASKING and one.outcome == "done" for one in facts.commands)
    return asked or any(one.taken for one in facts.sets) or any(one.problem is None for one in facts.reactions)


def _send_requested(
    services: Services,
    session: Session,
    row: InboundEmail,
    known: TokenContext,
    command: ExecutedCommand,
    file: str | None,
) -> None:
    """REPORT sends the last report again, or all since a turn, MY FILE what is kept; the receipt answers the others.

    `file`: what is kept; where no email holds it, the email says which page has it.
    """
    if known.seat is None or known.user is None:
        return
    if command.name == accounts.FILE and command.outcome == "sent":
        accounts.enqueue_file(services, session, known.user, file)
    if command.name == "report":
        key, turn = f"report.{row.id}", int(command.argument) if command.argument else None
        token = assembly.create_reply_token(
            session, known.game.id, known.seat.seat, known.seat.last_report_entry, services.now(), holder=known.user.id
        )
        since, kind = assembly.report_start(session, known.game.id, known.seat, turn), "report"
        stands = permissions.find_acting_seat(session, known.game.id, known.user.id, services.now())
        if stands is not None:
            since, kind = max(since, stands.visible_from_entry), permissions.DEPUTY_REPORT
        enqueue(
            services,
            session,
            key=key,
            kind=kind,
            facts=ReportData(token),
            user_id=known.user.id,
            game_id=known.game.id,
            seat=known.seat.seat,
            entry=known.seat.last_report_entry,
            since=since,
        )


# --- notices


def _notice_terms(services: Services, session: Session, known: TokenContext, notice: str) -> dict[str, object]:
    """What the wording of a notice needs."""
    match notice:
        case "late":
            asks, _, closed = _answered_at(session, known, services.now())
            return {"asks": asks, "closed": closed}
        case "stale":
            asks, turn, _ = _answered_at(session, known, services.now())
            return {"asks": asks, "turn": turn}
        case "oversized":
            return {"limit_kb": services.max_message_bytes // 1000}
        case "rate_limited":
            return {"minutes": limits.retry_after_minutes(services)}
        case "not_started":
            return {"missing": sum(1 for s in load_seats(session, known.game.id) if s.user_id is None)}
    return {}


def _answered_at(session: Session, known: TokenContext, now: int) -> tuple[str, int, int]:
    """The question that was open when the email's token was made: what it asked, of which turn, when it closed."""
    first = session.execute(
        select(JournalEntry.gate, JournalEntry.created_at)
        .where(JournalEntry.game_id == known.game.id, JournalEntry.number > (known.row.entry or 1))
        .order_by(JournalEntry.number)
        .limit(1)
    ).one_or_none()
    rows = open_questions_of(session, known)
    named, made_at = rows[0].gate if rows else "", now
    if first is not None:
        named, made_at = first.gate, first.created_at
    gate = Gate.parse(named)
    return gate.topic, gate.turn or 0, made_at // 1000


def _enqueue_notice(
    services: Services,
    session: Session,
    key: str,
    known: TokenContext,
    notice: str,
    terms: dict[str, object],
    subject: str,
) -> None:
    """One notice to the address of record, with a fresh address to answer to where there is something to answer."""
    user, seat = known.user, known.seat
    if user is None:
        return
    joins = known.row.purpose == JOIN and known.game.state in GATHERING
    token = known.token if joins or notice in ("deputy_unclear", "name_alike") else ""
    if known.game.state == GameState.RUNNING and seat is not None and seat.user_id == user.id:
        token = assembly.create_reply_token(session, known.game.id, seat.seat, known.game.entry, services.now())
    name = seat.seat if seat is not None else None
    frame = assembly.build_context(services, session, known.game, name or "", user, token, services.now())
    facts = NoticeFacts(replace(frame, answers=known.message_id), notice, terms, subject)
    enqueue(
        services,
        session,
        key=key,
        kind="notice",
        facts=facts,
        user_id=user.id,
        game_id=known.game.id,
        seat=name,
        entry=known.game.entry,
    )
