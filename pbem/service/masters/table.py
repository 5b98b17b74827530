"""Commands about the game as a whole: its status, messages to all, settings, inspection of what is hidden."""

from dataclasses import replace
from functools import partial
from typing import Final

from sqlalchemy import select

from engine.kernel.forms import Choice, Slot
from engine.kernel.viewers import Seat
from pbem.common.states import BEGUN, GameState, RequestState
from pbem.crypto import new_token
from pbem.narration.facts import Message, ReportFacts
from pbem.service.access import permissions
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.deadlines import interruptions
from pbem.service.game import seat_views
from pbem.service.mail import assembly
from pbem.service.mail.delivery_status import EmailStatus, list_emails
from pbem.service.mail.outbox import enqueue
from pbem.service.masters.clock import Preview, list_blocking, list_held_seats
from pbem.service.masters.execution import KIND
from pbem.service.masters.people import ANY_STATE
from pbem.service.masters.registry import (
    Command,
    CommandContext,
    CommandResult,
    Decision,
    seat_names,
    seat_slot,
    text_slot,
)
from pbem.service.seats import lobby
from pbem.store.games import find_seat_of_user, hides_names, name_at_table
from pbem.store.models import OutboundEmail, PendingConfirmation, ResolverRequest

LONGEST_TEXT: Final = 2000
MOST_EMAILS: Final = 100
"""So many of the last emails of a table are looked through."""


# --- status


class ShowStatus(Command):
    """How the table stands."""

    name = "status"
    is_read_only = True
    states = ANY_STATE

    def decide(self, context: CommandContext) -> Decision:
        """List what a master should know, and everybody may."""
        settings = permissions.load_master_settings(context.session, context.game)
        masters = {
            "names": tuple(
                name_at_table(context.session, context.game, user)
                for user in permissions.masters_of(context.session, context.game)
            ),
            "two": settings.requires_second_master,
            "approval": settings.approval,
            "days": settings.absence_days,
        }
        messages = [
            Message("masters", masters),
            Message("state", {"state": context.game.state.value, "entry": context.game.entry}),
        ]
        if context.game.state == GameState.RUNNING:
            messages += [*Preview().decide(context).said, *_next_deadline(context), *_pause_reasons(context)]
            messages += _undelivered_emails(context)
        messages += _applications_and_offers(context)
        if settings.called_at is not None:
            messages.append(Message("called", {"moment": settings.called_at // 1000}))
        status = (*messages, *_pending_commands(context))
        return Decision(status, lambda: CommandResult(status))


def _applications_and_offers(context: CommandContext) -> list[Message]:
    messages, names = [], seat_names(context)
    for row, user in lobby.list_applications(context.session, context.game.id):
        applicant: dict[str, object] = {"name": user.name, "address": user.email}
        if row.seat == lobby.ANY_SEAT:
            messages.append(Message("asked_in", applicant))
        else:
            messages.append(Message("asked_for", {**applicant, "seat": names[row.seat]}))
    offers = lobby.load_pending_offers(context.session, context.game.id)
    if hides_names(context.game) and find_seat_of_user(context.session, context.game.id, context.user.id) is not None:
        offers = []  # a master who plays would read who takes which seat
    for row, user in offers:
        terms = {"name": user.name, "seat": names[row.seat], "moment": lobby.expires_at(row)}
        messages.append(Message("offer_waits", terms))
    return messages


def _next_deadline(context: CommandContext) -> list[Message]:
    due = min((row.due_at for row in list_blocking(context) if row.due_at is not None), default=None)
    return [Message("deadline_is", {"moment": due // 1000})] if due is not None else []


def _pause_reasons(context: CommandContext) -> list[Message]:
    messages = []
    pause = interruptions.find_pause(context.session, context.game.id)
    if pause is not None:
        messages.append(Message("stands_still", {"moment": pause.started_at // 1000, "cause": pause.cause}))
    held_seats = list_held_seats(context)
    if held_seats:
        messages.append(Message("held_seats", {"names": tuple(seat_names(context)[seat] for seat in held_seats)}))
    return messages


def _undelivered_emails(context: CommandContext) -> list[Message]:
    """Of each player whom the last email has not reached: what became of it."""
    theirs = OutboundEmail.game_id == context.game.id, OutboundEmail.kind.in_(("report", "started", "reminder"))
    newest: dict[str, EmailStatus] = {}
    for email in list_emails(context.session, MOST_EMAILS, *theirs):
        newest.setdefault(email.seat, email)
    names, late = seat_names(context), {seat: one for seat, one in newest.items() if one.is_undelivered}
    return [
        Message(
            "not_arrived",
            {
                "name": names[seat],
                "moment": one.at // 1000,
                "state": one.state,
                "reply": "" if hides_names(context.game) else one.reply,
            },
        )
        for seat, one in sorted(late.items())
        if seat in names
    ]


def _pending_commands(context: CommandContext) -> list[Message]:
    pending = (
        PendingConfirmation.game_id == context.game.id,
        PendingConfirmation.needs_approval,
        PendingConfirmation.used_at.is_(None),
        PendingConfirmation.entry == context.game.entry,
    )
    rows = context.session.scalars(select(PendingConfirmation).where(*pending))
    return [Message("agree_waits", {"line": row.line}) for row in rows]


class BroadcastMessage(Command):
    """A word to all."""

    name = "broadcast"
    slots = (text_slot("text", WORDS("slots.text"), optional=True),)
    has_body = True
    states = frozenset(BEGUN)
    text: str = ""

    def decide(self, context: CommandContext) -> Decision:
        """Email the text of the line, or the lines that follow it, to all players."""
        text = " ".join(" ".join((self.text, *context.body)).split())
        if not text:
            raise RequestRefused("no_text")
        if len(text) > LONGEST_TEXT:
            raise RequestRefused("too_long", most=LONGEST_TEXT)
        terms = {"text": text}

        def broadcast() -> CommandResult:
            return CommandResult((Message("was_broadcast"),), announce=(Message("broadcast", terms),), reason=text)

        return Decision((Message("would_broadcast", terms),), broadcast)


# --- settings


_ON: Final = Slot(
    "on",
    "switch",
    WORDS("slots.on_or_off"),
    (
        Choice("on", WORDS("choices.switch.on")),
        Choice("off", WORDS("choices.switch.off")),
    ),
)


class RequireSecondMaster(Command):
    """Dangerous acts need a second master."""

    name = "two_persons"
    slots = (_ON,)
    needs_second = True
    states = ANY_STATE
    on: str

    def decide(self, context: CommandContext) -> Decision:
        """Switch the requirement, if there are two masters."""
        if self.on == "on" and len(permissions.masters_of(context.session, context.game)) < 2:
            raise RequestRefused("no_second_master")

        def switch() -> CommandResult:
            permissions.load_master_settings(context.session, context.game).requires_second_master = self.on == "on"
            return CommandResult((Message(f"two_{self.on}"),))

        return Decision((Message(f"would_two_{self.on}"),), switch)


class RequireApproval(Command):
    """People who want a seat must be approved."""

    name = "approval"
    slots = (_ON,)
    states = ANY_STATE
    on: str

    def decide(self, context: CommandContext) -> Decision:
        """Switch the requirement."""

        def switch() -> CommandResult:
            permissions.load_master_settings(context.session, context.game).approval = self.on == "on"
            return CommandResult((Message(f"approval_{self.on}"),))

        return Decision((Message(f"would_approval_{self.on}"),), switch)


class SetAbsenceDays(Command):
    """After how many days without a sign of life the seats may elect another master."""

    name = "patience"
    slots = (Slot("days", "number", WORDS("slots.days"), low=2, high=60),)
    states = ANY_STATE
    days: int

    def decide(self, context: CommandContext) -> Decision:
        """Set the number of days."""

        def set_days() -> CommandResult:
            permissions.load_master_settings(context.session, context.game).absence_days = self.days
            return CommandResult((Message("patience", {"days": self.days}),))

        return Decision((Message("would_patience", {"days": self.days}),), set_days)


# --- inspection


class Inspect(Command):
    """Look beyond what everybody sees."""

    name = "open"
    slots = (
        Slot(
            "what",
            "what",
            WORDS("slots.what"),
            tuple(Choice(kind, WORDS(f"choices.opened.{kind}")) for kind in ("seat", "hand", "deck", "orders")),
        ),
        partial(seat_slot, optional=True),
    )
    dangerous = True
    needs_second = True
    needs_consent = True
    needs_person = True
    what: str
    seat: str = ""

    def decide(self, context: CommandContext) -> Decision:
        """Notify all players, then email the master what is hidden. Orders that are still sealed are never shown."""
        if self.what != "deck" and not self.seat:
            raise RequestRefused("whose")
        own = permissions.authority_of(context.session, context.game, context.user.id).seat
        own = own or permissions.find_deputized_seat(context.session, context.game.id, context.user.id)
        if own is not None and (self.what == "deck" or self.seat != own):
            raise RequestRefused("plays_himself")
        terms = {"name": seat_names(context)[self.seat] if self.seat else "", "what": self.what}

        def inspect() -> CommandResult:
            for row in permissions.load_masters(context.session, context.game):
                if row.user_id == context.user.id:
                    row.blind = False
            if self.what in ("deck", "orders"):
                self._request_resolver(context)
            else:
                _send_view(context, self.seat)
            return CommandResult((Message("opens", terms),), announce=(Message("opened", terms),))

        return Decision((Message("would_open", terms),), inspect)

    def _request_resolver(self, context: CommandContext) -> None:
        request = f"{context.user.id} {self.what} {context.dedup_key} {context.now}".encode()
        context.session.add(
            ResolverRequest(
                id=new_token(),
                kind=KIND,
                game_id=context.game.id,
                seat=self.seat or None,
                state=RequestState.PENDING,
                request=request,
                created_at=context.now,
            )
        )
        context.game.resolve_requested_at = context.game.resolve_requested_at or context.now


def _send_view(context: CommandContext, seat: str) -> None:
    """Email a seat's view to the master, after the emails that tell everybody, with no address to answer to."""
    services, session, game = context.services, context.session, context.game
    frame = assembly.build_context(services, session, game, seat, context.user, "", context.now)
    frame = replace(frame, links=replace(frame.links, leave="", mute=""))
    key = f"{game.id}.{context.user.id}.{context.dedup_key}.opened"
    enqueue(
        services,
        session,
        key=key,
        kind="opened",
        facts=ReportFacts(frame, seat_views.last_view(services, session, game, Seat(seat))),
        user_id=context.user.id,
        game_id=game.id,
        entry=game.entry,
    )
    session.flush()
    session.get_one(OutboundEmail, key).due_at = context.now + MINUTE_MS


COMMANDS: Final = (ShowStatus, BroadcastMessage, RequireSecondMaster, RequireApproval, SetAbsenceDays, Inspect)
