"""Orders from the pages: the same way as an email's, with a form in place of the email; and reading them back.

A form acts once, however often it is sent.  What was sealed cannot be read here: to read one's own orders back, a
resolver seals them to a key that only the asking browser has.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from pbem.common.cpu_budget import ANSWER_S, limit, limit_lines
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

    `parsed`: its lines as they read.  `state_after`: the table as a position, for the figures that it holds.
    """

    facts: ReceiptFacts
    parsed: ParsedOrders
    view: View | None = None
    state_after: Position[Any] | None = None


def preview_orders(
    services: Services, user_id: int, game_id: str, entry: int, lines: Sequence[str]
) -> ReceiptFacts | GameClosed:
    """What a set would come to on one's own view; nothing of it is kept, whatever its lines ask for."""
    found = preview_draft(services, user_id, game_id, entry, lines)
    return found.facts if isinstance(found, DraftPreview) else found


def preview_draft(
    services: Services, user_id: int, game_id: str, entry: int, lines: Sequence[str]
) -> DraftPreview | GameClosed:
    """The same, with the table as it would be.  It is asked for while one writes, so that nothing is locked."""
    with services.db.snapshot() as session, limit(ANSWER_S):
        submitter = _submitter(services, session, user_id, game_id, entry, lock=False)
        if submitter is None:
            return GameClosed()
        validated = validation.validate_orders(services, session, submitter, lines, dry=True)
        facts, parsed = filing.apply_submission(services, session, submitter, validated), validated.parsed
        if validated.state_after is None:
            return DraftPreview(facts, parsed)
        with seen_by(parsed.seat):
            view = parsed.rules.present_view(validated.state_after, parsed.seat)
        return DraftPreview(facts, parsed, view, validated.state_after)


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
    """A form on its way: validated before its transaction, filed in it.

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
        submitter = _submitter(self.services, session, self.user_id, self.game_id, self.entry, lock=False)
        if submitter is None or session.get(OutboundEmail, self.key) is not None:
            return None
        return validation.validate_orders(self.services, session, submitter, self.lines)

    def file(
        self, session: Session, validated: ValidatedOrders | None, last: bool
    ) -> ReceiptFacts | DuplicateForm | GameClosed:
        """Take it in; raises ConflictError."""
        services, game_id = self.services, self.game_id
        submitter = _submitter(services, session, self.user_id, game_id, self.entry)
        if submitter is None:
            return GameClosed()
        if not is_token(self.form_id) or session.get(OutboundEmail, self.key) is not None:
            return DuplicateForm()
        token = assembly.create_reply_token(
            session, game_id, submitter.seat.seat, submitter.entry, services.now(), holder=submitter.user.id
        )
        submitter = replace(submitter, token=token)
        clock_state.resume_after_contact(session, submitter.user.id, services.now())
        if last:
            validated = run_locked(lambda: validation.validate_orders(services, session, submitter, self.lines))
        facts = filing.file_orders(services, session, submitter, validated)
        _send_report(services, session, submitter, facts, self.form_id)
        assembly.enqueue_receipt(services, session, submitter.game, submitter.seat, submitter.user, self.key, facts)
        assembly.request_resolve(services, session, submitter.game)
        self.resolve_requested = submitter.game.resolve_requested_at is not None
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


def _send_report(services: Services, session: Session, submitter: Submitter, facts: ReceiptFacts, form: str) -> None:
    """A line REPORT on a form has the last report sent again, as in an email."""
    row: SeatRow = submitter.seat
    if any(c.name == "report" and c.outcome == "sent" for c in facts.commands):
        token = assembly.create_reply_token(
            session, submitter.game.id, row.seat, row.last_report_entry, services.now(), holder=submitter.user.id
        )
        kind = permissions.DEPUTY_REPORT if submitter.deputy else "report"
        stands = (
            permissions.find_acting_seat(session, submitter.game.id, submitter.user.id, services.now())
            if submitter.deputy
            else None
        )
        enqueue(
            services,
            session,
            key=f"report.{submitter.game.id}.{form}",
            kind=kind,
            facts=ReportData(token),
            user_id=submitter.user.id,
            game_id=submitter.game.id,
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
