"""Orders from the pages: the same way as an email's, with a form in place of the email; and reading them back.

A form acts once, however often it is sent.  What was sealed cannot be read here: to read one's own orders back, a
resolver seals them to a key that only the asking browser has.

Also which choices of a form go with what is written already.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import delete
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.grammar import Section
from engine.kernel.orders import Line, Problem, Question
from engine.kernel.parse import ParsedSet
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.suggestions import LineContext
from pbem.common.cpu_budget import ANSWER_S, BudgetExceeded, check, limit, limit_lines
from pbem.common.states import GameState, RequestState
from pbem.crypto import (
    CryptoError,
    OwnOrdersContext,
    OwnOrdersRequest,
    RequestKey,
    is_token,
    sign_request,
)
from pbem.narration.facts import ReceiptFacts, StoredOrders, StoredReaction
from pbem.service.access import permissions
from pbem.service.base.database_access import retry_on_conflict, run_locked
from pbem.service.base.services import Services
from pbem.service.game import clock_state
from pbem.service.mail import assembly
from pbem.service.mail.assembly import ReportData
from pbem.service.mail.outbox import enqueue
from pbem.service.orders import filing, validation
from pbem.service.orders.submission import ParsedOrders, Submitter, ValidatedOrders
from pbem.store.games import load_game as table_of
from pbem.store.games import lock_game
from pbem.store.models import Game, OutboundEmail, ResolverRequest, SeatRow, User

TRYING_S: Final = 0.25
"""How long the processor may try offered lines in one answer: many times what any turn of any game takes."""


@dataclass(frozen=True)
class OptionValue:
    """A likely value of a slot: of the section's form with this number, by the slot's name."""

    form: int
    slot: str
    value: str


@dataclass(frozen=True)
class OptionCheck:
    """What became of a section's likely lines behind those written for it.

    `refused`: for each of the first of them why it would be refused, None where it stands; there was no time for those
    that it lacks.  `values`: with which likely values no likely line stands, and why the best of those that hold them
    does not.  `accepted`: the set is empty on purpose, so that no line goes with it.
    """

    section: Section
    refused: tuple[Problem | None, ...] = ()
    accepted: bool = False
    values: Mapping[OptionValue, Problem] = field(default_factory=dict)


def check_options(laid: ParsedOrders, at: int, most: int) -> tuple[OptionCheck, ...]:
    """The open questions for which something is written, and that take more than one line, with what they offer.

    `at`: behind which row of the text a line would be written.  `most`: so many likely lines of each are looked at.
    """
    with limit(TRYING_S):
        return tuple(_check_sections(laid, at, most))


def has_heading(laid: ParsedOrders, lines: Sequence[str], at: int) -> bool:
    """Return True if one of the first `at` rows may be a heading: it says something, and is no line of a set."""
    reading = laid.reading
    read = {line.number for one in reading.sets.values() for line in one.lines}
    read |= {line.number for line in (*reading.reactions.values(), *reading.unmatched)}
    read |= {command.number for command in reading.commands}
    read |= {number for number, _ in reading.skipped}
    rows = enumerate(lines[:at], 1)
    return any(row.partition(";")[0].strip() and number not in read for number, row in rows)


def lines_with_value(section: Section) -> Mapping[OptionValue, tuple[int, ...]]:
    """For each likely value that a form lets one choose, the likely lines that hold it."""
    found: dict[OptionValue, list[int]] = {}
    for number, line in enumerate(section.likely):
        for value in _values(section, line):
            found.setdefault(value, []).append(number)
    return {value: tuple(numbers) for value, numbers in found.items()}


def _values(section: Section, line: Line) -> Iterator[OptionValue]:
    for number, form in enumerate(section.forms):
        said = form.parse(line.plan[0].order) if line.plan else None
        for slot in form.slots if said is not None else ():
            held = said[slot.name] if said is not None and slot.choices else ()
            several = held if isinstance(held, tuple | Mapping) else (held,)
            yield from (
                OptionValue(number, slot.name, str(one)) for one in dict.fromkeys(several) if one not in ("", None)
            )


def _check_sections(laid: ParsedOrders, at: int, most: int) -> Iterator[OptionCheck]:
    for section in laid.grammar.sections:
        written = laid.reading.sets.get(section.key)
        decision = validation.question_of(laid, section)
        if written is not None and decision is not None and section.topic.lines:
            if written.is_pass:
                yield OptionCheck(section, accepted=True)
            else:
                yield _judge(laid, section, decision, written, at, most)


def _judge(
    laid: ParsedOrders, section: Section, decision: Question, written: ParsedSet, at: int, most: int
) -> OptionCheck:
    before, after = (
        tuple(w.line for w in written.lines if w.line is not None and (w.number <= at) is early)
        for early in (True, False)
    )
    found: dict[int, Problem | None] = {}
    company = LineContext(laid.rules, laid.seen, decision, before, after)
    shown = range(min(most, len(section.likely)))

    def judge(numbers: Sequence[int]) -> None:
        refusals = company.refusals([section.likely[n] for n in numbers], check)
        found.update(zip(numbers, refusals, strict=True))  # what was found before there was no time stays

    held: Mapping[OptionValue, tuple[int, ...]] = {}
    with suppress(BudgetExceeded):
        judge(shown)
        held = lines_with_value(section)
        judge(
            sorted(
                {
                    n
                    for numbers in held.values()
                    if _has_no_valid_line(numbers, found)
                    for n in numbers
                    if n not in found
                }
            )
        )
    refused = tuple(found[n] for n in shown if n in found)
    return OptionCheck(section, refused, values=dict(_list_refused_values(held, found)))


def _has_no_valid_line(numbers: Sequence[int], found: Mapping[int, Problem | None]) -> bool:
    """Return True if none of these lines is known to stand."""
    return not any(n in found and found[n] is None for n in numbers)


def _list_refused_values(
    held: Mapping[OptionValue, Sequence[int]], found: Mapping[int, Problem | None]
) -> Iterator[tuple[OptionValue, Problem]]:
    """The values whose every line was refused, each with why the first one was."""
    for value, numbers in held.items():
        problems = [problem for n in numbers if (problem := found.get(n)) is not None]
        if len(problems) == len(numbers):
            yield value, problems[0]


OwnOrders = tuple[tuple[StoredOrders, ...], tuple[StoredReaction, ...]]
"""Sets and reactions that a seat has filed and that are not opened yet."""


@dataclass(frozen=True)
class DuplicateForm:
    """The form was sent before, and acted then; its receipt went out by mail."""


@dataclass(frozen=True)
class GameClosed:
    """The game takes no orders: it has not begun, or it is over."""


@dataclass(frozen=True)
class DraftPreview:
    """What a set would come to: its receipt, and the table as its author would be shown it, if it came to anything.

    `state_after`: the same as a position, for the figures that it holds.  `options`: what could be added to it;
    `has_heading`: whether a heading may stand before that, under which it would be read otherwise.
    """

    facts: ReceiptFacts
    view: View | None
    state_after: Position[Any] | None = None
    options: tuple[OptionCheck, ...] = ()
    has_heading: bool = False


def preview_orders(
    services: Services, user_id: int, game_id: str, entry: int, lines: Sequence[str]
) -> ReceiptFacts | GameClosed:
    """What a set would come to on one's own view; nothing of it is kept, whatever its lines ask for."""
    found = preview_draft(services, user_id, game_id, entry, lines)
    return found.facts if isinstance(found, DraftPreview) else found


def preview_draft(
    services: Services,
    user_id: int,
    game_id: str,
    entry: int,
    lines: Sequence[str],
    offers: tuple[int, int] | None = None,
) -> DraftPreview | GameClosed:
    """The same, with the table as it would be.  It is asked for while one writes, so that nothing is locked.

    `offers`: behind which row a line would be added, and how many likely lines of each question are tried there.
    """
    with services.db.snapshot() as session, limit(ANSWER_S):
        ticket = _submitter(services, session, user_id, game_id, entry, lock=False)
        if ticket is None:
            return GameClosed()
        weighed = validation.validate_orders(services, session, ticket, lines, dry=True)
        facts, laid = filing.apply_submission(services, session, ticket, weighed), weighed.parsed
        found = DraftPreview(facts, None)
        if offers is not None:
            found = replace(
                found, options=check_options(laid, *offers), has_heading=has_heading(laid, lines, offers[0])
            )
        if weighed.state_after is None:
            return found
        with seen_by(laid.seat):
            return replace(
                found, view=laid.rules.present_view(weighed.state_after, laid.seat), state_after=weighed.state_after
            )


def submit_orders(
    services: Services, user_id: int, game_id: str, entry: int, form: str, lines: Sequence[str]
) -> ReceiptFacts | DuplicateForm | GameClosed:
    """Judge and seal what a form brings, once; the receipt is returned and mailed.  Raises BudgetExceeded.

    `entry`: up to which entry the page that held the form knew the game.  `form`: its number, made for that page.
    """
    limit_lines(lines)
    sent = FormSubmission(services, user_id, game_id, entry, form, lines)
    with limit(ANSWER_S):
        done = retry_on_conflict(services.db, sent.validate, sent.file)
    if isinstance(done, ReceiptFacts):
        services.enqueue("send_outbound_emails", "")
    if sent.resolve_requested:
        services.enqueue("resolve_game", game_id)
    return done


@dataclass
class FormSubmission:
    """A form on its way: weighed before its transaction, filed in it.

    `resolve_requested`: whether the resolver has work now.
    """

    services: Services
    user_id: int
    game_id: str
    entry: int
    form_id: str
    lines: Sequence[str]
    resolve_requested: bool = False

    @property
    def key(self) -> str:
        """The key of its receipt."""
        return f"receipt.{self.game_id}.{self.form_id}"

    def validate(self, session: Session) -> ValidatedOrders | None:
        """What its lines come to; None where they will not be filed."""
        ticket = _submitter(self.services, session, self.user_id, self.game_id, self.entry, lock=False)
        if ticket is None or session.get(OutboundEmail, self.key) is not None:
            return None
        return validation.validate_orders(self.services, session, ticket, self.lines)

    def file(
        self, session: Session, weighed: ValidatedOrders | None, last: bool
    ) -> ReceiptFacts | DuplicateForm | GameClosed:
        """Take it in; raises ConflictError."""
        services, game_id = self.services, self.game_id
        ticket = _submitter(services, session, self.user_id, game_id, self.entry)
        if ticket is None:
            return GameClosed()
        if not is_token(self.form_id) or session.get(OutboundEmail, self.key) is not None:
            return DuplicateForm()
        token = assembly.create_reply_token(
            session, game_id, ticket.seat.seat, ticket.entry, services.now(), holder=ticket.user.id
        )
        ticket = replace(ticket, token=token)
        clock_state.resume_after_contact(session, ticket.user.id, services.now())
        if last:
            weighed = run_locked(lambda: validation.validate_orders(services, session, ticket, self.lines))
        facts = filing.file_orders(services, session, ticket, weighed)
        _send_report(services, session, ticket, facts, self.form_id)
        assembly.enqueue_receipt(services, session, ticket.game, ticket.seat, ticket.user, self.key, facts)
        assembly.request_resolve(services, session, ticket.game)
        self.resolve_requested = ticket.game.resolve_requested_at is not None
        return facts


def _seat_of(services: Services, session: Session, user_id: int, game_id: str) -> str:
    row, _ = permissions.find_answering_seat(session, game_id, user_id, services.now())
    if row is None:
        raise LookupError("who asks has no seat there, and answers for none")
    return row.seat


def _submitter(
    services: Services, session: Session, user_id: int, game_id: str, entry: int, *, lock: bool = True
) -> Submitter | None:
    """Who writes; a page knows no more than there was.  None where no orders are taken."""
    game = lock_game(session, game_id) if lock else table_of(session, game_id)
    user = session.get(User, user_id)
    row, stands = permissions.find_answering_seat(session, game_id, user_id, services.now())
    if game is None or user is None or row is None or game.state != GameState.RUNNING:
        return None
    return Submitter(game, row, user, max(0, min(entry, game.entry)), "", deputy=stands is not None, form=True)


def _send_report(services: Services, session: Session, ticket: Submitter, facts: ReceiptFacts, form: str) -> None:
    """A line REPORT on a form has the last report sent again, as in an email."""
    row: SeatRow = ticket.seat
    if any(c.name == "report" and c.outcome == "sent" for c in facts.commands):
        token = assembly.create_reply_token(
            session, ticket.game.id, row.seat, row.last_report_entry, services.now(), holder=ticket.user.id
        )
        kind = permissions.DEPUTY_REPORT if ticket.deputy else "report"
        stands = (
            permissions.find_acting_seat(session, ticket.game.id, ticket.user.id, services.now())
            if ticket.deputy
            else None
        )
        enqueue(
            services,
            session,
            key=f"report.{ticket.game.id}.{form}",
            kind=kind,
            facts=ReportData(token),
            user_id=ticket.user.id,
            game_id=ticket.game.id,
            seat=row.seat,
            entry=row.last_report_entry,
            since=stands.visible_from_entry if stands is not None else None,
        )


# --- reading back


def request_own_orders(services: Services, user_id: int, game_id: str) -> tuple[str, str]:
    """Ask a resolver for one's own standing orders: the request's number, and the key for the browser's cookie."""
    if services.web is None:
        raise LookupError("only the web server asks to read back")
    request, key = secrets.token_hex(16), RequestKey.create()
    with services.db.transaction() as session:
        seat = _seat_of(services, session, user_id, game_id)
        context = OwnOrdersContext(game_id, seat, request)
        signed = sign_request(services.web.signing, context, OwnOrdersRequest(user_id, services.now(), key.public))
        session.add(
            ResolverRequest(
                id=request,
                kind="read",
                game_id=game_id,
                seat=seat,
                state=RequestState.PENDING,
                request=signed,
                created_at=services.now(),
            )
        )
        game = session.get_one(Game, game_id)
        game.resolve_requested_at = game.resolve_requested_at or services.now()
        text = key.for_cookie()
    services.enqueue("resolve_game", game_id)
    return request, text


@dataclass(frozen=True)
class AnswerPending:
    """The resolver has not answered yet."""


@dataclass(frozen=True)
class AnswerNotFound:
    """There is no such request, it was opened before, or the key is not the one of this browser."""


def read_own_orders(
    services: Services, user_id: int, game_id: str, request: str, key: str
) -> OwnOrders | AnswerPending | AnswerNotFound:
    """Open the answer with the browser's key, once: it is destroyed as it is read."""
    with services.db.snapshot() as session:
        row = session.get(ResolverRequest, request)
        seat = _seat_of(services, session, user_id, game_id)
        if row is None or row.kind != "read" or (row.game_id, row.seat) != (game_id, seat):
            return AnswerNotFound()
        if row.answer is None:
            return AnswerPending() if row.state == RequestState.PENDING else AnswerNotFound()
    try:
        context = OwnOrdersContext(game_id, seat, request)
        opened = RequestKey.from_cookie(key).open(services.verify, context, row.answer)
    except CryptoError:
        return AnswerNotFound()
    with services.db.transaction() as session:
        gone = session.execute(
            delete(ResolverRequest).where(ResolverRequest.id == request).returning(ResolverRequest.id)
        )
        if gone.one_or_none() is None:
            return AnswerNotFound()
    found: OwnOrders = load(opened.content)
    return found
