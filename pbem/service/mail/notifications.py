"""Notifications of a table: one email a seat where time or seats have changed, to be answered like any.

Also the emails to masters, and which of all these their readers do without.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.viewers import Seat
from pbem.narration.facts import DeadlineChangedFacts, EmailContext, MasterFacts, Message, NoticeFacts, Reader
from pbem.service.access import mail_preferences
from pbem.service.access.capabilities import create_capability
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.mail import assembly
from pbem.service.mail.outbox import enqueue
from pbem.store.games import load_game, load_open_questions, occupied_seats
from pbem.store.models import Game, OutboundEmail, QuestionRow, SeatRow, User


def seat_context(services: Services, session: Session, game: Game, row: SeatRow, user: User) -> EmailContext:
    """The frame of an email to a seat, with an address to answer to."""
    token = assembly.create_reply_token(session, game.id, row.seat, game.entry, services.now())
    return assembly.build_context(services, session, game, row.seat, user, token, services.now())


def table_context(services: Services, session: Session, game: Game, user: User) -> EmailContext:
    """The frame of an email about a table that is to a person and not to their seat."""
    frame = assembly.build_context(services, session, game, "", user, "", services.now())
    return replace(frame, links=replace(frame.links, leave=""))


def request_context(
    services: Services, session: Session, game: Game, user: User, act: str = "", token: str = ""
) -> EmailContext:
    """The frame of an email that asks a person for something who may never have heard of us.

    `act`: the page on which they agree, `token`: the address to which they answer.
    """
    frame = assembly.build_context(services, session, game, "", user, token, services.now())
    never = mail_preferences.invitation_opt_out_link(services, user)
    return replace(frame, links=replace(frame.links, act=act, leave="", mute="", never=never))


def notify_deadline_change(
    services: Services,
    session: Session,
    game: Game,
    mark: str,
    cause: str,
    before: Mapping[str, int],
    who: str = "",
    reason: str = "",
    copied: int | None = None,
) -> None:
    """Deadlines moved, or stand still: to each seat what its own is now; `before`: what they were (milliseconds).

    `copied`: of a server that was put back to a copy, when that was made (seconds).
    """
    earliest = min(before.values(), default=None)
    for row, user in occupied_seats(session, game.id):
        was, now = before.get(row.seat, earliest), _due_of(session, game.id, row.seat)
        seen = seat_views.last_view(services, session, game, Seat(row.seat))
        facts = DeadlineChangedFacts(
            seat_context(services, session, game, row, user),
            assembly.open_questions(session, game.id, row.seat, seen.core.questions),
            was // 1000 if was is not None else None,
            now // 1000 if now is not None and cause != "pause" else None,
            cause,
            who,
            reason,
            copied,
        )
        enqueue(
            services,
            session,
            key=f"{game.id}.{row.seat}.{mark}.deadline_changed",
            kind="deadline_changed",
            facts=facts,
            user_id=user.id,
            game_id=game.id,
            seat=row.seat,
            entry=game.entry,
        )


def resend_reports(
    services: Services, session: Session, game: Game, mark: str, only: Collection[str] | None = None
) -> None:
    """To each seat that owes something its last report once more, with the lines that it may write now.

    `only`: to these seats.
    """
    owing = {row.seat for row in load_open_questions(session, game.id) if row.is_blocking}
    owing = owing if only is None else owing.intersection(only)
    for row, user in occupied_seats(session, game.id):
        if row.seat in owing:
            token = assembly.create_reply_token(session, game.id, row.seat, row.last_report_entry, services.now())
            since = assembly.report_start(session, game.id, row, None)
            enqueue(
                services,
                session,
                key=f"{game.id}.{row.seat}.{mark}.again",
                kind="report",
                facts=assembly.ReportData(token),
                user_id=user.id,
                game_id=game.id,
                seat=row.seat,
                entry=row.last_report_entry,
                since=since,
            )


def _due_of(session: Session, game: str, seat: str) -> int | None:
    """The deadline that a seat's email names: its own, else the one that the table waits for."""
    asked = select(QuestionRow.due_at, QuestionRow.seat).where(
        QuestionRow.game_id == game,
        QuestionRow.is_blocking,
        ~QuestionRow.answers_fixed,
        QuestionRow.due_at.is_not(None),
    )
    found = [(owner != seat, int(due)) for due, owner in session.execute(asked) if due is not None]
    return min(found)[1] if found else None


def notify_all_seats(
    services: Services, session: Session, game: Game, mark: str, kind: str, terms: Mapping[str, object], but: str = ""
) -> None:
    """The same notice to every seat but one."""
    for row, user in occupied_seats(session, game.id):
        if row.seat != but:
            notify_seat(services, session, game, row, user, mark, kind, terms)


def notify_seat(
    services: Services,
    session: Session,
    game: Game,
    row: SeatRow,
    user: User,
    mark: str,
    kind: str,
    terms: Mapping[str, object],
) -> None:
    """A notice to one seat."""
    facts = NoticeFacts(seat_context(services, session, game, row, user), kind, dict(terms))
    enqueue(
        services,
        session,
        key=f"{game.id}.{row.seat}.{mark}.{kind}",
        kind="notice",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        seat=row.seat,
        entry=game.entry,
    )


def notify_user(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    key: str,
    kind: str,
    terms: Mapping[str, object] | None = None,
    seat: str | None = None,
) -> None:
    """Enqueue a notice about a game to a person. `seat`: it is not sent once the seat has another player."""
    facts = NoticeFacts(table_context(services, session, game, user), kind, dict(terms or {}))
    enqueue(services, session, key=key, kind="notice", facts=facts, user_id=user.id, game_id=game.id, seat=seat)


MASTER: Final = "master"
"""The purpose of a reply address whose emails are lines of this language."""


def create_command_address(services: Services, session: Session, game: Game, user: User) -> str:
    """A capability to write lines of this language, for one person at one table."""
    return create_capability(session, MASTER, services.now(), user_id=user.id, game_id=game.id)


def master_context(
    services: Services, session: Session, game: Game, user: User, token: str, seat: str = ""
) -> EmailContext:
    """The frame of an email to a master: without a seat, even where they play."""
    frame = assembly.build_context(services, session, game, seat, user, token, services.now())
    return replace(
        frame,
        reader=Reader(user.name, user.language, user.time_zone),
        links=replace(frame.links, page=f"{services.public_url}/games/{game.id}/master", leave=""),
    )


def send_master_prompt(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    mark: str,
    said: tuple[Message, ...],
    *,
    unasked: bool = False,
) -> None:
    """An email to a person who may write lines of this language, with an address to write them to, once.

    `unasked`: they may never have heard of us, and can end such emails.
    """
    key = f"{game.id}.{user.id}.{mark}.master"
    if session.get(OutboundEmail, key) is not None:
        return
    token = create_command_address(services, session, game, user)
    frame = master_context(services, session, game, user, token)
    if unasked:
        never = mail_preferences.invitation_opt_out_link(services, user)
        frame = replace(frame, links=replace(frame.links, mute="", never=never))
    facts = MasterFacts(frame, lead=said)
    enqueue(
        services,
        session,
        key=key,
        kind="master",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


SUPPRESSIBLE_KINDS: frozenset[str] = frozenset({"report", "started", "reminder", "joined", "talk", assembly.SPECTATOR})
"""What a person may do without: all but answers to what they do, links, and the end of a game."""


def is_suppressed(session: Session, row: OutboundEmail) -> bool:
    """Return True for an email that its reader does not want, by table, by amount, or as a receipt of the page."""
    user = session.get(User, row.user_id) if row.user_id else None
    if user is None:
        return False
    choices = mail_preferences.load_preferences(session, user)
    if row.kind == "receipt":
        return not choices.web_receipts and row.key.startswith(f"receipt.{row.game_id}.")
    if row.kind not in SUPPRESSIBLE_KINDS:
        return False
    if choices.amount == mail_preferences.END or mail_preferences.is_game_muted(session, user.id, row.game_id):
        return True
    return choices.amount == mail_preferences.OWED and row.kind != "reminder" and not _has_due_orders(session, row)


def _has_due_orders(session: Session, row: OutboundEmail) -> bool:
    """Return True if the seat that an email is for has not answered all that is asked of it."""
    if not row.game_id or not row.seat or row.kind not in ("report", "started"):
        return False
    questions = load_open_questions(session, row.game_id, row.seat)
    return any(one.is_blocking and one.answered_at is None for one in questions)


def mute_game(services: Services, user_id: int, game_id: str) -> None:
    """No more emails of this table, but answers to what one does and the end; said once, with the way back.

    A table that the person has no part in has no emails for them, and is not found.
    """
    with services.db.transaction() as session:
        game = load_game(session, game_id)
        if not has_permission(session, game, user_id, services.now(), Permission.TABLE):
            return
        if mail_preferences.set_game_muted(services, session, user_id, game_id, on=True):
            key = f"{game_id}.{user_id}.{services.now()}.muted"
            notify_user(services, session, session.get_one(Game, game_id), session.get_one(User, user_id), key, "muted")
    services.enqueue("send_outbound_emails", "")


def unmute_game(services: Services, user_id: int, game_id: str) -> None:
    """The emails of this table come again."""
    with services.db.transaction() as session:
        mail_preferences.set_game_muted(services, session, user_id, game_id, on=False)


def is_game_muted(services: Services, user_id: int, game_id: str) -> bool:
    """Return True if a person gets no emails of this table."""
    with services.db.snapshot() as session:
        return mail_preferences.is_game_muted(session, user_id, game_id)
