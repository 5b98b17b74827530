"""A master's acts about the table: how it stands, a word to all, what it has settled, and looking behind the screen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import select

from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.orders import Order
from engine.kernel.viewers import Seat
from pbem.common.states import BEGUN, CommandState, GameState
from pbem.crypto import new_token
from pbem.narration.facts import Message, ReportFacts
from pbem.service.access import permissions
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.deadlines import interruptions
from pbem.service.game import email_context, seat_views
from pbem.service.mail.outbox import enqueue
from pbem.service.masters.clock import Preview as Ahead
from pbem.service.masters.clock import list_blocking, list_held_seats, preview_gates
from pbem.service.masters.execution import KIND
from pbem.service.masters.people import ANY_STATE
from pbem.service.masters.registry import (
    CommandContext,
    CommandResult,
    CommandSpec,
    act,
    seat_names,
    seat_row,
    seat_slot,
    single_form,
    text_slot,
)
from pbem.service.seats import lobby
from pbem.store.models import OutboundEmail, PendingConfirmation, ResolverRequest

LONGEST_TEXT: Final = 2000


class ShowStatus(Order):
    """How the table stands."""


class BroadcastMessage(Order):
    """A word to all."""

    text: str = ""


class Toggle(Order):
    """Something that a table has, or has not."""

    on: str


class RequireSecondMaster(Toggle):
    """Dangerous acts need a second master."""


class RequireApproval(Toggle):
    """People who want a seat must be approved."""


class SetAbsenceDays(Order):
    """After how many days without a sign of life the seats may elect another master."""

    days: int


class Inspect(Order):
    """Look beyond what everybody sees."""

    what: str
    seat: str = ""


# --- how it stands


def show_status(context: CommandContext, order: ShowStatus) -> CommandResult:
    """Everything that a master should know, and that everybody may."""
    table = permissions.load_master_settings(context.session, context.game)
    said = [
        Message(
            "masters",
            {
                "names": tuple(user.name for user in permissions.masters_of(context.session, context.game)),
                "two": table.two,
                "approval": table.approval,
                "days": table.gone_days,
            },
        ),
        Message("state", {"state": context.game.state.value, "entry": context.game.entry}),
    ]
    if context.game.state == GameState.RUNNING:
        said += [*preview_gates(context, Ahead()).said, *_list_deadlines(context), *_pause_reasons(context)]
    said += _open_questions(context)
    if table.called_at is not None:
        said.append(Message("called", {"moment": table.called_at // 1000}))
    return CommandResult((*said, *_pending_commands(context)))


def _open_questions(context: CommandContext) -> list[Message]:
    """Who asks for a seat, and who is asked to take one."""
    found = []
    for row, user in lobby.list_applications(context.session, context.game.id):
        who: dict[str, object] = {"name": user.name, "address": user.address}
        place = row.seat != lobby.ANY_SEAT
        found.append(
            Message("asked_for", {**who, "seat": seat_names(context)[row.seat]}) if place else Message("asked_in", who)
        )
    for row, user in lobby.load_pending_offers(context.session, context.game.id):
        terms = {"name": user.name, "seat": seat_names(context)[row.seat], "moment": lobby.expires_at(row)}
        found.append(Message("offer_waits", terms))
    return found


def _list_deadlines(context: CommandContext) -> list[Message]:
    due = sorted({row.due_at for row in list_blocking(context) if row.due_at is not None})
    return [Message("deadline_is", {"moment": moment // 1000}) for moment in due[:1]]


def _pause_reasons(context: CommandContext) -> list[Message]:
    found = []
    still = interruptions.find_pause(context.session, context.game.id)
    if still is not None:
        found.append(Message("stands_still", {"moment": still.began_at // 1000, "cause": still.cause}))
    held = list_held_seats(context)
    if held:
        found.append(Message("held_seats", {"names": tuple(seat_names(context)[seat] for seat in held)}))
    return found


def _pending_commands(context: CommandContext) -> list[Message]:
    waits = (
        PendingConfirmation.game_id == context.game.id,
        PendingConfirmation.line != "",
        PendingConfirmation.used_at.is_(None),
        PendingConfirmation.entry == context.game.entry,
    )
    return [
        Message("agree_waits", {"line": row.line})
        for row in context.session.scalars(select(PendingConfirmation).where(*waits))
    ]


# --- a word to all


def _message_text(context: CommandContext, order: BroadcastMessage) -> str:
    text = " ".join(" ".join((order.text, *context.body)).split())
    if not text:
        raise RequestRefused("no_text")
    if len(text) > LONGEST_TEXT:
        raise RequestRefused("too_long", most=LONGEST_TEXT)
    return text


def _preview_broadcast(context: CommandContext, order: BroadcastMessage) -> CommandResult:
    return CommandResult((Message("would_broadcast", {"text": _message_text(context, order)}),))


def _execute_broadcast(context: CommandContext, order: BroadcastMessage) -> CommandResult:
    text = _message_text(context, order)
    told = (Message("broadcast", {"text": text}),)
    return CommandResult((Message("was_broadcast"),), announce=told, reason=text)


# --- what a table has settled


def _preview_second_master(context: CommandContext, order: RequireSecondMaster) -> CommandResult:
    if order.on == "on" and len(permissions.masters_of(context.session, context.game)) < 2:
        raise RequestRefused("no_second_master")
    return CommandResult((Message(f"would_two_{order.on}"),))


def _execute_second_master(context: CommandContext, order: RequireSecondMaster) -> CommandResult:
    _preview_second_master(context, order)
    permissions.load_master_settings(context.session, context.game).two = order.on == "on"
    return CommandResult((Message(f"two_{order.on}"),))


def _preview_approval(context: CommandContext, order: RequireApproval) -> CommandResult:
    return CommandResult((Message(f"would_approval_{order.on}"),))


def _execute_approval(context: CommandContext, order: RequireApproval) -> CommandResult:
    permissions.load_master_settings(context.session, context.game).approval = order.on == "on"
    return CommandResult((Message(f"approval_{order.on}"),))


def _preview_patience(context: CommandContext, order: SetAbsenceDays) -> CommandResult:
    return CommandResult((Message("would_patience", {"days": order.days}),))


def _execute_patience(context: CommandContext, order: SetAbsenceDays) -> CommandResult:
    permissions.load_master_settings(context.session, context.game).gone_days = order.days
    return CommandResult((Message("patience", {"days": order.days}),))


# --- behind the screen


def _preview_open(context: CommandContext, order: Inspect) -> CommandResult:
    """Everybody is told before anything is shown; sealed orders that are not carried out are shown to nobody."""
    if order.what != "deck" and not order.seat:
        raise RequestRefused("whose")
    terms = {"name": seat_names(context)[order.seat] if order.seat else "", "what": order.what}
    mine = permissions.authority_of(context.session, context.game, context.user.id).seat
    mine = mine or permissions.find_deputized_seat(context.session, context.game.id, context.user.id)
    if mine is not None and (order.what == "deck" or order.seat != mine):
        raise RequestRefused("plays_himself")
    return CommandResult((Message("would_open", terms),))


def _execute_open(context: CommandContext, order: Inspect) -> CommandResult:
    terms = dict(_preview_open(context, order).said[0].terms)
    for row in permissions.load_masters(context.session, context.game, context.now):
        if row.user_id == context.user.id:
            row.blind = False
    if order.what in ("deck", "orders"):
        _request_resolver(context, order)
    else:
        _inspect_seat(context, order.seat)
    return CommandResult((Message("opens", terms),), announce=(Message("opened", terms),))


def _inspect_seat(context: CommandContext, seat: str) -> None:
    """What the seat sees goes out to the master, after the letters that tell everybody."""
    key = f"{context.game.id}.{context.user.id}.{context.dedup_key}.opened"
    enqueue(
        context.services,
        context.session,
        key=key,
        kind="opened",
        facts=visible_to_master(context, seat),
        user_id=context.user.id,
        game_id=context.game.id,
        entry=context.game.entry,
    )
    context.session.flush()
    context.session.get_one(OutboundEmail, key).due_at = context.now + MINUTE_MS


def visible_to_master(context: CommandContext, seat: str) -> ReportFacts:
    """A seat's own view, as a letter that takes no answer."""
    frame = email_context.build_context(
        context.services, context.session, context.game, seat, context.user, "", context.now
    )
    frame = replace(frame, links=replace(frame.links, leave="", mute=""))
    return ReportFacts(
        frame, seat_views.last_view(context.services, context.session, context.game, Seat(seat_row(context, seat).seat))
    )


def _request_resolver(context: CommandContext, order: Inspect) -> None:
    request = f"{context.user.id} {order.what} {context.dedup_key} {context.now}".encode()
    context.session.add(
        ResolverRequest(
            id=new_token(),
            kind=KIND,
            game_id=context.game.id,
            seat=order.seat or None,
            state=CommandState.ASKED,
            request=request,
            made_at=context.now,
        )
    )
    context.game.play_wanted = context.game.play_wanted or context.now


def _open_forms(context: CommandContext) -> Sequence[Form]:
    what = (
        Choice("seat", WORDS("choices.opened.seat")),
        Choice("hand", WORDS("choices.opened.hand")),
        Choice("deck", WORDS("choices.opened.deck")),
        Choice("orders", WORDS("choices.opened.orders")),
    )
    slots = (
        Slot("what", "what", WORDS("slots.what"), what),
        seat_slot(context, optional=True),
    )
    return (act("open", Inspect, *slots),)


_ON: Final = Slot(
    "on",
    "switch",
    WORDS("slots.on_or_off"),
    (
        Choice("on", WORDS("choices.switch.on")),
        Choice("off", WORDS("choices.switch.off")),
    ),
)

COMMANDS: Final = (
    CommandSpec(
        "status", single_form(act("status", ShowStatus)), show_status, show_status, is_read_only=True, states=ANY_STATE
    ),
    CommandSpec(
        "broadcast",
        single_form(act("broadcast", BroadcastMessage, text_slot("text", WORDS("slots.text"), optional=True))),
        _preview_broadcast,
        _execute_broadcast,
        body=True,
        states=frozenset(BEGUN),
    ),
    CommandSpec(
        "two_persons",
        single_form(act("two_persons", RequireSecondMaster, _ON)),
        _preview_second_master,
        _execute_second_master,
        needs_second=True,
        states=ANY_STATE,
    ),
    CommandSpec(
        "approval",
        single_form(act("approval", RequireApproval, _ON)),
        _preview_approval,
        _execute_approval,
        states=ANY_STATE,
    ),
    CommandSpec(
        "patience",
        single_form(act("patience", SetAbsenceDays, Slot("days", "number", WORDS("slots.days"), low=2, high=60))),
        _preview_patience,
        _execute_patience,
        states=ANY_STATE,
    ),
    CommandSpec(
        "open",
        _open_forms,
        _preview_open,
        _execute_open,
        dangerous=True,
        needs_second=True,
        needs_consent=True,
        needs_person=True,
    ),
)
