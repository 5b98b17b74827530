"""Orders from the pages: the same way as a letter's, with a form in place of the letter; and reading them back.

A form acts once, however often it is sent.  What was sealed cannot be read here: to read one's own orders back, a
play worker seals them to a key that only the asking browser has.
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
from pbem.narration.facts import OrdersStand, ReceiptFacts, RiderStands
from pbem.service.access import acting_deputies
from pbem.service.base.races import raced, under_the_lock
from pbem.service.base.services import Services
from pbem.service.game import frames, standstill
from pbem.service.orders import receiving, weighing
from pbem.service.orders.in_company import InCompany, headed, in_company
from pbem.service.orders.submission import Ticket, Weighed
from pbem.service.post import receipts
from pbem.service.post.composing import ReportDraft
from pbem.service.post.outbox import draft
from pbem.states import CommandState, GameState
from pbem.store.games import locked
from pbem.store.games import table as table_of
from pbem.store.models import Command, Game, LetterOut, SeatRow, User
from pbem.vault import ReadBackContext, ReadBackRequest, RequestKey, VaultError, is_token, sign_request
from pbem.work import ANSWER_S, few, within

Standing = tuple[tuple[OrdersStand, ...], tuple[RiderStands, ...]]
"""Sets and riders that a seat has filed and that are not opened yet."""


@dataclass(frozen=True)
class Repeated:
    """The form was sent before, and acted then; its receipt went out by mail."""


@dataclass(frozen=True)
class Closed:
    """The game takes no orders: it has not begun, or it is over."""


@dataclass(frozen=True)
class Tried:
    """What a set would come to: its receipt, and the table as its author would be shown it, if it came to anything.

    `after`: the same as a position, for the figures that it holds.  `company`: what could be added to it;
    `headed`: whether a heading may stand before that, under which it would be read otherwise.
    """

    facts: ReceiptFacts
    view: View | None
    after: Position[Any] | None = None
    company: tuple[InCompany, ...] = ()
    headed: bool = False


def preview(services: Services, user_id: int, game_id: str, entry: int, lines: Sequence[str]) -> ReceiptFacts | Closed:
    """What a set would come to on one's own view; nothing of it is kept, whatever its lines ask for."""
    found = tried(services, user_id, game_id, entry, lines)
    return found.facts if isinstance(found, Tried) else found


def tried(
    services: Services,
    user_id: int,
    game_id: str,
    entry: int,
    lines: Sequence[str],
    offers: tuple[int, int] | None = None,
) -> Tried | Closed:
    """The same, with the table as it would be.  It is asked for while one writes, so that nothing is locked.

    `offers`: behind which row a line would be added, and how many likely lines of each question are tried there.
    """
    with services.db.reading() as session, within(ANSWER_S):
        ticket = _ticket(services, session, user_id, game_id, entry, lock=False)
        if ticket is None:
            return Closed()
        weighed = weighing.weigh(services, session, ticket, lines, dry=True)
        facts, laid = receiving.acknowledged(services, session, ticket, weighed), weighed.laid
        found = Tried(facts, None)
        if offers is not None:
            found = replace(found, company=in_company(laid, *offers), headed=headed(laid, lines, offers[0]))
        if weighed.after is None:
            return found
        with seen_by(laid.seat):
            return replace(found, view=laid.rules.present(weighed.after, laid.seat), after=weighed.after)


def submit(
    services: Services, user_id: int, game_id: str, entry: int, form: str, lines: Sequence[str]
) -> ReceiptFacts | Repeated | Closed:
    """Judge and seal what a form brings, once; the receipt is returned and mailed.  Raises Overspent.

    `entry`: up to which entry the page that held the form knew the game.  `form`: its number, made for that page.
    """
    few(lines)
    sent = _Form(services, user_id, game_id, entry, form, lines)
    with within(ANSWER_S):
        done = raced(services.db, sent.weigh, sent.file)
    if isinstance(done, ReceiptFacts):
        services.wake("deliver", "")
    if sent.play_wanted:
        services.wake("play", game_id)
    return done


@dataclass
class _Form:
    """A form on its way: weighed before its transaction, filed in it.  `play_wanted`: whether play has work now."""

    services: Services
    user_id: int
    game_id: str
    entry: int
    number: str
    lines: Sequence[str]
    play_wanted: bool = False

    @property
    def key(self) -> str:
        """The key of its receipt."""
        return f"receipt.{self.game_id}.{self.number}"

    def weigh(self, session: Session) -> Weighed | None:
        """What its lines come to; None where they will not be filed."""
        ticket = _ticket(self.services, session, self.user_id, self.game_id, self.entry, lock=False)
        if ticket is None or session.get(LetterOut, self.key) is not None:
            return None
        return weighing.weigh(self.services, session, ticket, self.lines)

    def file(self, session: Session, weighed: Weighed | None, last: bool) -> ReceiptFacts | Repeated | Closed:
        """Take it in; raises Outrun."""
        services, game_id = self.services, self.game_id
        ticket = _ticket(services, session, self.user_id, game_id, self.entry)
        if ticket is None:
            return Closed()
        if not is_token(self.number) or session.get(LetterOut, self.key) is not None:
            return Repeated()
        token = frames.new_reply_token(
            session, game_id, ticket.seat.seat, ticket.entry, services.now(), holder=ticket.user.id
        )
        ticket = replace(ticket, token=token)
        standstill.showed_up(session, ticket.user.id, services.now())
        if last:
            weighed = under_the_lock(lambda: weighing.weigh(services, session, ticket, self.lines))
        facts = receiving.receive(services, session, ticket, weighed)
        _send_report(services, session, ticket, facts, self.number)
        receipts.file_receipt(services, session, ticket.game, ticket.seat, ticket.user, self.key, facts)
        receipts.want_play(services, session, ticket.game)
        self.play_wanted = ticket.game.play_wanted is not None
        return facts


def _seat_of(services: Services, session: Session, user_id: int, game_id: str) -> str:
    row, _ = acting_deputies.seat_for(session, game_id, user_id, services.now())
    if row is None:
        raise LookupError("who asks has no seat there, and answers for none")
    return row.seat


def _ticket(
    services: Services, session: Session, user_id: int, game_id: str, entry: int, *, lock: bool = True
) -> Ticket | None:
    """Who writes; a page knows no more than there was.  None where no orders are taken."""
    game = locked(session, game_id) if lock else table_of(session, game_id)
    user = session.get(User, user_id)
    row, stands = acting_deputies.seat_for(session, game_id, user_id, services.now())
    if game is None or user is None or row is None or game.state != GameState.RUNNING:
        return None
    return Ticket(game, row, user, max(0, min(entry, game.entry)), "", deputy=stands is not None, form=True)


def _send_report(services: Services, session: Session, ticket: Ticket, facts: ReceiptFacts, form: str) -> None:
    """A line REPORT on a form has the last report sent again, as in a letter."""
    row: SeatRow = ticket.seat
    if any(c.name == "report" and c.outcome == "sent" for c in facts.commands):
        token = frames.new_reply_token(
            session, ticket.game.id, row.seat, row.reported_entry, services.now(), holder=ticket.user.id
        )
        kind = acting_deputies.REPORT if ticket.deputy else "report"
        stands = (
            acting_deputies.acting(session, ticket.game.id, ticket.user.id, services.now()) if ticket.deputy else None
        )
        draft(
            services,
            session,
            key=f"report.{ticket.game.id}.{form}",
            kind=kind,
            facts=ReportDraft(token),
            user_id=ticket.user.id,
            game_id=ticket.game.id,
            seat=row.seat,
            entry=row.reported_entry,
            since=stands.known_from if stands is not None else None,
        )


# --- reading back


def ask_to_read(services: Services, user_id: int, game_id: str) -> tuple[str, str]:
    """Ask a play worker for one's own standing orders: the request's number, and the key for the browser's cookie."""
    if services.web is None:
        raise LookupError("only the web server asks to read back")
    request, key = secrets.token_hex(16), RequestKey.fresh()
    with services.db.writing() as session:
        seat = _seat_of(services, session, user_id, game_id)
        context = ReadBackContext(game_id, seat, request)
        signed = sign_request(services.web.signing, context, ReadBackRequest(user_id, services.now(), key.public))
        session.add(
            Command(
                id=request,
                kind="read",
                game_id=game_id,
                seat=seat,
                state=CommandState.ASKED,
                request=signed,
                made_at=services.now(),
            )
        )
        game = session.get_one(Game, game_id)
        game.play_wanted = game.play_wanted or services.now()
        text = key.for_cookie()
    services.wake("play", game_id)
    return request, text


@dataclass(frozen=True)
class NotYet:
    """The play worker has not answered yet."""


@dataclass(frozen=True)
class NoSuchAnswer:
    """There is no such request, it was opened before, or the key is not the one of this browser."""


def read_back(
    services: Services, user_id: int, game_id: str, request: str, key: str
) -> Standing | NotYet | NoSuchAnswer:
    """Open the answer with the browser's key, once: it is destroyed as it is read."""
    with services.db.reading() as session:
        row = session.get(Command, request)
        seat = _seat_of(services, session, user_id, game_id)
        if row is None or row.kind != "read" or (row.game_id, row.seat) != (game_id, seat):
            return NoSuchAnswer()
        if row.answer is None:
            return NotYet() if row.state == CommandState.ASKED else NoSuchAnswer()
    try:
        context = ReadBackContext(game_id, seat, request)
        opened = RequestKey.from_cookie(key).open(services.verify, context, row.answer)
    except VaultError:
        return NoSuchAnswer()
    with services.db.writing() as session:
        gone = session.execute(delete(Command).where(Command.id == request).returning(Command.id))
        if gone.one_or_none() is None:
            return NoSuchAnswer()
    found: Standing = load(opened.content)
    return found
