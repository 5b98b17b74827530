"""A master's acts about the table: how it stands, a word to all, what it has settled, and looking behind the screen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import select

from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.names import Seat
from engine.kernel.orders import Order
from pbem.narration.facts import ReportFacts, Said
from pbem.service.access import acting_deputies, masters
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.services import Refused
from pbem.service.base.wording import WORDS
from pbem.service.game import frames, views
from pbem.service.masters.clock import Look as Ahead
from pbem.service.masters.clock import blocking, held_seats, look
from pbem.service.masters.forms import act, names, one, row_of, seat_slot, text_slot
from pbem.service.masters.opening import OPEN
from pbem.service.masters.people import ANY_STATE
from pbem.service.masters.registry import ActContext, Action, Outcome
from pbem.service.post.outbox import draft
from pbem.service.seats import applications, offered_seats
from pbem.service.time import pauses
from pbem.states import BEGUN, CommandState, GameState
from pbem.store.models import Asking, Command, LetterOut
from pbem.vault import new_token

LONGEST_TEXT: Final = 2000


class Status(Order):
    """How the table stands."""


class Broadcast(Order):
    """A word to all."""

    text: str = ""


class Switch(Order):
    """Something that a table has, or has not."""

    on: str


class TwoPersons(Switch):
    """Dangerous acts need a second master."""


class Approval(Switch):
    """People who want a seat must be approved."""


class Patience(Order):
    """After how many days without a sign of life the seats may elect another master."""

    days: int


class Open(Order):
    """Look beyond what everybody sees."""

    what: str
    seat: str = ""


# --- how it stands


def status(context: ActContext, order: Status) -> Outcome:
    """Everything that a master should know, and that everybody may."""
    table = masters.settled(context.session, context.game)
    said = [
        Said(
            "masters",
            {
                "names": tuple(user.name for user in masters.masters_of(context.session, context.game)),
                "two": table.two,
                "approval": table.approval,
                "days": table.gone_days,
            },
        ),
        Said("state", {"state": context.game.state.value, "entry": context.game.entry}),
    ]
    if context.game.state == GameState.RUNNING:
        said += [*look(context, Ahead()).said, *_deadlines(context), *_standing_still(context)]
    said += _asking(context)
    if table.called_at is not None:
        said.append(Said("called", {"moment": table.called_at // 1000}))
    return Outcome((*said, *_waiting_acts(context)))


def _asking(context: ActContext) -> list[Said]:
    """Who asks for a seat, and who is asked to take one."""
    found = []
    for row, user in applications.waiting(context.session, context.game.id):
        who: dict[str, object] = {"name": user.name, "address": user.address}
        place = row.seat != applications.ANY
        found.append(Said("asked_for", {**who, "seat": names(context)[row.seat]}) if place else Said("asked_in", who))
    for row, user in offered_seats.pending(context.session, context.game.id):
        terms = {"name": user.name, "seat": names(context)[row.seat], "moment": offered_seats.until(row)}
        found.append(Said("offer_waits", terms))
    return found


def _deadlines(context: ActContext) -> list[Said]:
    due = sorted({row.due_at for row in blocking(context) if row.due_at is not None})
    return [Said("deadline_is", {"moment": moment // 1000}) for moment in due[:1]]


def _standing_still(context: ActContext) -> list[Said]:
    found = []
    still = pauses.paused(context.session, context.game.id)
    if still is not None:
        found.append(Said("stands_still", {"moment": still.began_at // 1000, "cause": still.cause}))
    held = held_seats(context)
    if held:
        found.append(Said("held_seats", {"names": tuple(names(context)[seat] for seat in held)}))
    return found


def _waiting_acts(context: ActContext) -> list[Said]:
    waits = (
        Asking.game_id == context.game.id,
        Asking.line != "",
        Asking.used_at.is_(None),
        Asking.entry == context.game.entry,
    )
    return [Said("agree_waits", {"line": row.line}) for row in context.session.scalars(select(Asking).where(*waits))]


# --- a word to all


def _text(context: ActContext, order: Broadcast) -> str:
    text = " ".join(" ".join((order.text, *context.body)).split())
    if not text:
        raise Refused("no_text")
    if len(text) > LONGEST_TEXT:
        raise Refused("too_long", most=LONGEST_TEXT)
    return text


def _would_broadcast(context: ActContext, order: Broadcast) -> Outcome:
    return Outcome((Said("would_broadcast", {"text": _text(context, order)}),))


def _broadcast(context: ActContext, order: Broadcast) -> Outcome:
    text = _text(context, order)
    told = (Said("broadcast", {"text": text}),)
    return Outcome((Said("was_broadcast"),), tells=told, reason=text)


# --- what a table has settled


def _would_two(context: ActContext, order: TwoPersons) -> Outcome:
    if order.on == "on" and len(masters.masters_of(context.session, context.game)) < 2:
        raise Refused("no_second_master")
    return Outcome((Said(f"would_two_{order.on}"),))


def _two(context: ActContext, order: TwoPersons) -> Outcome:
    _would_two(context, order)
    masters.settled(context.session, context.game).two = order.on == "on"
    return Outcome((Said(f"two_{order.on}"),))


def _would_approval(context: ActContext, order: Approval) -> Outcome:
    return Outcome((Said(f"would_approval_{order.on}"),))


def _approval(context: ActContext, order: Approval) -> Outcome:
    masters.settled(context.session, context.game).approval = order.on == "on"
    return Outcome((Said(f"approval_{order.on}"),))


def _would_patience(context: ActContext, order: Patience) -> Outcome:
    return Outcome((Said("would_patience", {"days": order.days}),))


def _patience(context: ActContext, order: Patience) -> Outcome:
    masters.settled(context.session, context.game).gone_days = order.days
    return Outcome((Said("patience", {"days": order.days}),))


# --- behind the screen


def _would_open(context: ActContext, order: Open) -> Outcome:
    """Everybody is told before anything is shown; sealed orders that are not carried out are shown to nobody."""
    if order.what != "deck" and not order.seat:
        raise Refused("whose")
    terms = {"name": names(context)[order.seat] if order.seat else "", "what": order.what}
    mine = masters.authority_of(context.session, context.game, context.user.id).seat
    mine = mine or acting_deputies.bound_to(context.session, context.game.id, context.user.id)
    if mine is not None and (order.what == "deck" or order.seat != mine):
        raise Refused("plays_himself")
    return Outcome((Said("would_open", terms),))


def _open(context: ActContext, order: Open) -> Outcome:
    terms = dict(_would_open(context, order).said[0].terms)
    for row in masters.rows_of(context.session, context.game, context.now):
        if row.user_id == context.user.id:
            row.blind = False
    if order.what in ("deck", "orders"):
        _ask_play(context, order)
    else:
        _show_seat(context, order.seat)
    return Outcome((Said("opens", terms),), tells=(Said("opened", terms),))


def _show_seat(context: ActContext, seat: str) -> None:
    """What the seat sees goes out to the master, after the letters that tell everybody."""
    key = f"{context.game.id}.{context.user.id}.{context.mark}.opened"
    draft(
        context.services,
        context.session,
        key=key,
        kind="opened",
        facts=seen_of(context, seat),
        user_id=context.user.id,
        game_id=context.game.id,
        entry=context.game.entry,
    )
    context.session.flush()
    context.session.get_one(LetterOut, key).due_at = context.now + MINUTE_MS


def seen_of(context: ActContext, seat: str) -> ReportFacts:
    """A seat's own view, as a letter that takes no answer."""
    frame = frames.frame_of(context.services, context.session, context.game, seat, context.user, "", context.now)
    frame = replace(frame, links=replace(frame.links, leave="", mute=""))
    return ReportFacts(
        frame, views.last_view(context.services, context.session, context.game, Seat(row_of(context, seat).seat))
    )


def _ask_play(context: ActContext, order: Open) -> None:
    request = f"{context.user.id} {order.what} {context.mark} {context.now}".encode()
    context.session.add(
        Command(
            id=new_token(),
            kind=OPEN,
            game_id=context.game.id,
            seat=order.seat or None,
            state=CommandState.ASKED,
            request=request,
            made_at=context.now,
        )
    )
    context.game.play_wanted = context.game.play_wanted or context.now


def _open_forms(context: ActContext) -> Sequence[Form]:
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
    return (act("open", Open, *slots),)


_ON: Final = Slot(
    "on",
    "switch",
    WORDS("slots.on_or_off"),
    (
        Choice("on", WORDS("choices.switch.on")),
        Choice("off", WORDS("choices.switch.off")),
    ),
)

ACTIONS: Final = (
    Action("status", one(act("status", Status)), status, status, looks=True, states=ANY_STATE),
    Action(
        "broadcast",
        one(act("broadcast", Broadcast, text_slot("text", WORDS("slots.text"), optional=True))),
        _would_broadcast,
        _broadcast,
        body=True,
        states=frozenset(BEGUN),
    ),
    Action("two_persons", one(act("two_persons", TwoPersons, _ON)), _would_two, _two, second=True, states=ANY_STATE),
    Action("approval", one(act("approval", Approval, _ON)), _would_approval, _approval, states=ANY_STATE),
    Action(
        "patience",
        one(act("patience", Patience, Slot("days", "number", WORDS("slots.days"), low=2, high=60))),
        _would_patience,
        _patience,
        states=ANY_STATE,
    ),
    Action("open", _open_forms, _would_open, _open, dangerous=True, second=True, consent=True, person=True),
)
