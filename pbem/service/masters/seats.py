"""A master's acts about seats: answer for one, replace or remove its player, put it out as the rulebook says."""

from dataclasses import replace
from typing import Any, Final

from engine.kernel.codec import dump
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Decision, Line, Order
from engine.kernel.secrets import seen_by
from pbem.addresses import is_bot
from pbem.narration.facts import Said
from pbem.service.base.answer_state import submitted
from pbem.service.base.services import Refused
from pbem.service.base.wording import WORDS
from pbem.service.game import ballots, frames, views
from pbem.service.game.journal import Filed
from pbem.service.masters.forms import act, names, of_seat, row_of, seat_slot, text_slot
from pbem.service.masters.people import ADDRESS, called, known, written_to
from pbem.service.masters.registry import ActContext, Action, Outcome
from pbem.service.orders import receiving, weighing
from pbem.service.orders.submission import Ticket, Weighed
from pbem.service.post import receipts
from pbem.service.seats import bots, offered_seats, seat_offers, substitutes
from pbem.store.games import open_decisions
from pbem.store.models import Application, DecisionRow, SeatRow, User

MOST_LINES: Final = 200


class AnswerFor(Order):
    """Answer for a seat: its player is told, with the lines."""

    seat: str


class Replace(Order):
    """Ask a person to take a seat over."""

    seat: str
    address: str


class TakeBack(Order):
    """Take back an offer of a seat."""

    seat: str


class Eject(Order):
    """Remove a player: the seat looks for another one."""

    seat: str


class Bot(Order):
    """Give the seat of a player who is lost to a bot."""

    seat: str


class Eliminate(Order):
    """Eliminate a seat for good, as the rulebook says."""

    seat: str


# --- answering


def _sitting(context: ActContext, seat: str) -> tuple[SeatRow, User]:
    row = row_of(context, seat)
    user = context.session.get(User, row.user_id) if row.user_id is not None else None
    if user is None:
        raise Refused("seat_empty", name=names(context)[seat])
    return row, user


def _ticket(context: ActContext, seat: str) -> Ticket:
    """The way of a letter of that seat, with what its receipt says of who wrote it."""
    row, user = _sitting(context, seat)
    return Ticket(context.game, row, user, context.game.entry, "", ("by_master",))


def _weighed(context: ActContext, order: AnswerFor) -> Weighed:
    """What the lines come to for the seat."""
    return weighing.weigh_answer(context.services, context.session, _ticket(context, order.seat), context.body)


def _would_answer(context: ActContext, order: AnswerFor) -> Outcome:
    """What can be said without looking into the seat's hand: which lines could be read as orders at all."""
    if not any(line.strip() for line in context.body) or len(context.body) > MOST_LINES:
        raise Refused("no_lines")
    row, _ = _sitting(context, order.seat)
    if not any(one.blocking for one in open_decisions(context.session, context.game.id, row.seat)):
        raise Refused("not_asked", name=names(context)[order.seat])
    weighed: Weighed = context.found()
    reading = weighed.laid.reading
    read = sum(1 for lot in reading.sets.values() for line in lot.lines if line.line is not None)
    passed = any(lot.passed for lot in reading.sets.values())
    unread = tuple(line.text for lot in reading.sets.values() for line in lot.lines if line.line is None)
    unread = (*unread, *(line.text for line in reading.astray), *(text for _, text in reading.skipped))
    if not read and not passed and not reading.riders:
        raise Refused("no_orders")
    return Outcome((Said("would_answer", {"name": names(context)[order.seat], "read": read, "unread": unread}),))


def _answer(context: ActContext, order: AnswerFor) -> Outcome:
    """Judge and seal them as any order; whether and why one cannot stand is told to the seat's player alone.

    It would say something of what the seat holds: the master hears the same either way.
    """
    _would_answer(context, order)
    row, user = _sitting(context, order.seat)
    token = frames.new_reply_token(context.session, context.game.id, row.seat, context.game.entry, context.now)
    ticket = replace(_ticket(context, order.seat), token=token)
    facts = receiving.receive(context.services, context.session, ticket, context.found())
    receipts.file_receipt(
        context.services, context.session, context.game, row, user, f"receipt.{context.game.id}.{context.mark}", facts
    )
    receipts.want_play(context.services, context.session, context.game)
    return Outcome((Said("answered", {"name": names(context)[order.seat]}),))


# --- other players


def _would_replace(context: ActContext, order: Replace) -> Outcome:
    name, found = called(context, order.address), known(context, order.address)
    if found is not None and not substitutes.may_sit(context.session, context.game.id, found.id):
        raise Refused("sat_before", name=found.name)
    asked = offered_seats.of_seat(context.session, context.game.id, order.seat)
    if asked is not None:
        raise Refused("offered_already", seat=names(context)[order.seat], name=asked[1].name)
    return Outcome((Said("would_offer", {"seat": names(context)[order.seat], "name": name}),))


def _replace(context: ActContext, order: Replace) -> Outcome:
    """Ask the person who is named; the seat is theirs when they say yes."""
    _would_replace(context, order)
    user, row = written_to(context, order.address), row_of(context, order.seat)
    made = seat_offers.offer(context.services, context.session, context.game, row, user, context.user)
    said = (
        Said(
            "offered_to", {"seat": names(context)[order.seat], "name": user.name, "moment": offered_seats.until(made)}
        ),
    )
    return Outcome(said, tells=said)


def _pending_offer(context: ActContext, seat: str) -> tuple[Application, User]:
    found = offered_seats.of_seat(context.session, context.game.id, seat)
    if found is None:
        raise Refused("nothing_offered", name=names(context)[seat])
    return found


def _would_take_back(context: ActContext, order: TakeBack) -> Outcome:
    _, user = _pending_offer(context, order.seat)
    return Outcome((Said("would_take_back", {"seat": names(context)[order.seat], "name": user.name}),))


def _take_back(context: ActContext, order: TakeBack) -> Outcome:
    row, user = _pending_offer(context, order.seat)
    offered_seats.close(context.services, context.session, context.game, row, user, "taken_back")
    said = (Said("took_back", {"seat": names(context)[order.seat], "name": user.name}),)
    return Outcome(said, tells=said)


def _would_eject(context: ActContext, order: Eject) -> Outcome:
    _, user = _sitting(context, order.seat)
    return Outcome((Said("would_eject", {"name": user.name}),))


def _eject(context: ActContext, order: Eject) -> Outcome:
    row, user = _sitting(context, order.seat)
    substitutes.eject(context.services, context.session, context.game, row)
    said = (Said("ejected", {"name": user.name}),)
    return Outcome(said, tells=said)


def _would_seat_bot(context: ActContext, order: Bot) -> Outcome:
    row = row_of(context, order.seat)
    user = context.session.get(User, row.user_id) if row.user_id is not None else None
    if user is not None and is_bot(user.address):
        raise Refused("is_bot", name=user.name)
    return Outcome((Said("would_seat_bot", {"seat": names(context)[order.seat]}),))


def _seat_bot(context: ActContext, order: Bot) -> Outcome:
    """At the middle of the paces: an hour, as a player who is at hand."""
    _would_seat_bot(context, order)
    before = names(context)[order.seat]
    user = bots.replace(context.services, context.session, context.game, row_of(context, order.seat), "hour")
    said = (Said("bot_seated", {"seat": before, "name": user.name}),)
    return Outcome(said, told=True)


# --- out for good


def way_out(context: ActContext, seat: str) -> tuple[DecisionRow, Decision, Order]:
    """The question by which the rulebook lets a seat out, and the order that says so; raises Refused."""
    seen = views.last_view(context.services, context.session, context.game, Seat(seat))
    rules, asked = context.services.rules(context.game.rules), open_decisions(context.session, context.game.id, seat)
    rows = {row.gate: row for row in asked}
    for decision in seen.core.open:
        if decision.seat == seat and rules.meta.topic(decision.asks).quits and decision.gate in rows:
            with seen_by(Seat(seat)):
                form = next(iter(rules.forms(seen, decision)))
            return rows[decision.gate], decision, form.make({slot.name: slot.unsaid for slot in form.slots})
    raise Refused("no_way_out", name=names(context)[seat])


def put_out(context: ActContext, seat: str) -> None:
    """File the order that lets the seat out, where it acts at once; what its player had filed stays unread."""
    row, _, order = way_out(context, seat)
    keys = context.services.accepting
    place = ballots.place(context.session, context.game.id, row.gate, row.opening_entry, seat, "orders")
    content = dump(Filed((Line((Clause(order),)),))).encode()
    key = ballots.sealing_key(context.game, keys.verify)
    holder = row_of(context, seat).user_id
    sealed = ballots.sealed(context.services, key, keys.signing, place, holder, content)
    ballots.put(context.services, context.session, sealed)
    submitted(row, context.now, passed=False)
    context.game.play_wanted = context.game.play_wanted or context.now


def _would_eliminate(context: ActContext, order: Eliminate) -> Outcome:
    way_out(context, order.seat)
    return Outcome((Said("would_eliminate", {"name": names(context)[order.seat]}),))


def _eliminate(context: ActContext, order: Eliminate) -> Outcome:
    put_out(context, order.seat)
    return Outcome((Said("eliminated", {"name": names(context)[order.seat]}),))


def _answer_forms(context: ActContext) -> Any:
    return (act("answer", AnswerFor, seat_slot(context)),)


def _replace_forms(context: ActContext) -> Any:
    slots = (seat_slot(context), text_slot("address", ADDRESS, lead=WORDS("leads.by")))
    return (act("replace", Replace, *slots),)


ACTIONS: Final = (
    Action("answer", _answer_forms, _would_answer, _answer, body=True, ahead=_weighed),
    Action("replace", _replace_forms, _would_replace, _replace, dangerous=True, second=True),
    Action("take_back", of_seat("take_back", TakeBack), _would_take_back, _take_back),
    Action("eject", of_seat("eject", Eject), _would_eject, _eject, dangerous=True, second=True),
    Action("bot", of_seat("bot", Bot), _would_seat_bot, _seat_bot, dangerous=True, second=True),
    Action(
        "eliminate",
        of_seat("eliminate", Eliminate),
        _would_eliminate,
        _eliminate,
        dangerous=True,
        second=True,
        consent=True,
    ),
)
