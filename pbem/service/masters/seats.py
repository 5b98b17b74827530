"""A master's acts about seats: answer for one, replace or remove its player, put it out as the rulebook says."""

from dataclasses import replace
from typing import Any, Final

from engine.kernel.codec import dump
from engine.kernel.orders import Clause, Line, Order, Question
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.common.addresses import is_bot
from pbem.narration.facts import Message
from pbem.service.base.game_states import mark_submitted
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.game import email_context, sealed_orders, seat_views
from pbem.service.game.journal import RecordedOrders
from pbem.service.mail import assembly
from pbem.service.masters.people import ADDRESS, display_name, find_or_invite, find_user
from pbem.service.masters.registry import (
    CommandContext,
    CommandResult,
    CommandSpec,
    act,
    of_seat,
    seat_names,
    seat_row,
    seat_slot,
    text_slot,
)
from pbem.service.orders import filing, validation
from pbem.service.orders.submission import Submitter, ValidatedOrders
from pbem.service.seats import bots, lobby, seat_offers, substitutes
from pbem.store.games import load_open_questions
from pbem.store.models import Application, QuestionRow, SeatRow, User

MOST_LINES: Final = 200


class AnswerForSeat(Order):
    """Answer for a seat: its player is told, with the lines."""

    seat: str


class ReplacePlayer(Order):
    """Ask a person to take a seat over."""

    seat: str
    address: str


class WithdrawOffer(Order):
    """Take back an offer of a seat."""

    seat: str


class RemovePlayer(Order):
    """Remove a player: the seat looks for another one."""

    seat: str


class SeatBot(Order):
    """Give the seat of a player who is lost to a bot."""

    seat: str


class EliminateSeat(Order):
    """Eliminate a seat for good, as the rulebook says."""

    seat: str


# --- answering


def _occupant(context: CommandContext, seat: str) -> tuple[SeatRow, User]:
    row = seat_row(context, seat)
    user = context.session.get(User, row.user_id) if row.user_id is not None else None
    if user is None:
        raise RequestRefused("seat_empty", name=seat_names(context)[seat])
    return row, user


def _submitter(context: CommandContext, seat: str) -> Submitter:
    """The way of a letter of that seat, with what its receipt says of who wrote it."""
    row, user = _occupant(context, seat)
    return Submitter(context.game, row, user, context.game.entry, "", ("by_master",))


def _validate(context: CommandContext, order: AnswerForSeat) -> ValidatedOrders:
    """What the lines come to for the seat."""
    return validation.validate_for_other(
        context.services, context.session, _submitter(context, order.seat), context.body
    )


def _preview_answer(context: CommandContext, order: AnswerForSeat) -> CommandResult:
    """What can be said without looking into the seat's hand: which lines could be read as orders at all."""
    if not any(line.strip() for line in context.body) or len(context.body) > MOST_LINES:
        raise RequestRefused("no_lines")
    row, _ = _occupant(context, order.seat)
    if not any(one.blocking for one in load_open_questions(context.session, context.game.id, row.seat)):
        raise RequestRefused("not_asked", name=seat_names(context)[order.seat])
    weighed: ValidatedOrders = context.preview()
    reading = weighed.parsed.reading
    read = sum(1 for lot in reading.sets.values() for line in lot.lines if line.line is not None)
    passed = any(lot.passed for lot in reading.sets.values())
    unread = tuple(line.text for lot in reading.sets.values() for line in lot.lines if line.line is None)
    unread = (*unread, *(line.text for line in reading.unmatched), *(text for _, text in reading.skipped))
    if not read and not passed and not reading.riders:
        raise RequestRefused("no_orders")
    return CommandResult(
        (Message("would_answer", {"name": seat_names(context)[order.seat], "read": read, "unread": unread}),)
    )


def _execute_answer(context: CommandContext, order: AnswerForSeat) -> CommandResult:
    """Judge and seal them as any order; whether and why one cannot stand is told to the seat's player alone.

    It would say something of what the seat holds: the master hears the same either way.
    """
    _preview_answer(context, order)
    row, user = _occupant(context, order.seat)
    token = email_context.create_reply_token(
        context.session, context.game.id, row.seat, context.game.entry, context.now
    )
    ticket = replace(_submitter(context, order.seat), token=token)
    facts = filing.file_orders(context.services, context.session, ticket, context.preview())
    assembly.enqueue_receipt(
        context.services,
        context.session,
        context.game,
        row,
        user,
        f"receipt.{context.game.id}.{context.dedup_key}",
        facts,
    )
    assembly.request_resolve(context.services, context.session, context.game)
    return CommandResult((Message("answered", {"name": seat_names(context)[order.seat]}),))


# --- other players


def _preview_replace(context: CommandContext, order: ReplacePlayer) -> CommandResult:
    name, found = display_name(context, order.address), find_user(context, order.address)
    if found is not None and not substitutes.can_take_seat(context.session, context.game.id, found.id):
        raise RequestRefused("sat_before", name=found.name)
    asked = lobby.find_offer(context.session, context.game.id, order.seat)
    if asked is not None:
        raise RequestRefused("offered_already", seat=seat_names(context)[order.seat], name=asked[1].name)
    return CommandResult((Message("would_offer", {"seat": seat_names(context)[order.seat], "name": name}),))


def _execute_replace(context: CommandContext, order: ReplacePlayer) -> CommandResult:
    """Ask the person who is named; the seat is theirs when they say yes."""
    _preview_replace(context, order)
    user, row = find_or_invite(context, order.address), seat_row(context, order.seat)
    made = seat_offers.offer_seat(context.services, context.session, context.game, row, user, context.user)
    said = (
        Message(
            "offered_to",
            {"seat": seat_names(context)[order.seat], "name": user.name, "moment": lobby.expires_at(made)},
        ),
    )
    return CommandResult(said, announce=said)


def _find_offer(context: CommandContext, seat: str) -> tuple[Application, User]:
    found = lobby.find_offer(context.session, context.game.id, seat)
    if found is None:
        raise RequestRefused("nothing_offered", name=seat_names(context)[seat])
    return found


def _preview_take_back(context: CommandContext, order: WithdrawOffer) -> CommandResult:
    _, user = _find_offer(context, order.seat)
    return CommandResult((Message("would_take_back", {"seat": seat_names(context)[order.seat], "name": user.name}),))


def _execute_take_back(context: CommandContext, order: WithdrawOffer) -> CommandResult:
    row, user = _find_offer(context, order.seat)
    lobby.close_offers(context.services, context.session, context.game, row, user, "taken_back")
    said = (Message("took_back", {"seat": seat_names(context)[order.seat], "name": user.name}),)
    return CommandResult(said, announce=said)


def _preview_eject(context: CommandContext, order: RemovePlayer) -> CommandResult:
    _, user = _occupant(context, order.seat)
    return CommandResult((Message("would_eject", {"name": user.name}),))


def _execute_eject(context: CommandContext, order: RemovePlayer) -> CommandResult:
    row, user = _occupant(context, order.seat)
    substitutes.remove_player(context.services, context.session, context.game, row)
    said = (Message("ejected", {"name": user.name}),)
    return CommandResult(said, announce=said)


def _preview_seat_bot(context: CommandContext, order: SeatBot) -> CommandResult:
    row = seat_row(context, order.seat)
    user = context.session.get(User, row.user_id) if row.user_id is not None else None
    if user is not None and is_bot(user.address):
        raise RequestRefused("is_bot", name=user.name)
    return CommandResult((Message("would_seat_bot", {"seat": seat_names(context)[order.seat]}),))


def _execute_seat_bot(context: CommandContext, order: SeatBot) -> CommandResult:
    """At the middle of the paces: an hour, as a player who is at hand."""
    _preview_seat_bot(context, order)
    before = seat_names(context)[order.seat]
    user = bots.replace_with_bot(context.services, context.session, context.game, seat_row(context, order.seat), "hour")
    said = (Message("bot_seated", {"seat": before, "name": user.name}),)
    return CommandResult(said, notified=True)


# --- out for good


def resignation_question(context: CommandContext, seat: str) -> tuple[QuestionRow, Question, Order]:
    """The question by which the rulebook lets a seat out, and the order that says so; raises Refused."""
    seen = seat_views.last_view(context.services, context.session, context.game, Seat(seat))
    rules, asked = (
        context.services.rules(context.game.rules),
        load_open_questions(context.session, context.game.id, seat),
    )
    rows = {row.gate: row for row in asked}
    for decision in seen.core.open:
        if decision.seat == seat and rules.meta.topic(decision.asks).is_resignation and decision.gate in rows:
            with seen_by(Seat(seat)):
                form = next(iter(rules.forms(seen, decision)))
            return rows[decision.gate], decision, form.make({slot.name: slot.default for slot in form.slots})
    raise RequestRefused("no_way_out", name=seat_names(context)[seat])


def eliminate_seat(context: CommandContext, seat: str) -> None:
    """File the order that lets the seat out, where it acts at once; what its player had filed stays unread."""
    row, _, order = resignation_question(context, seat)
    keys = context.services.order_keys
    place = sealed_orders.allocate_slot(context.session, context.game.id, row.gate, row.opening_entry, seat, "orders")
    content = dump(RecordedOrders((Line((Clause(order),)),))).encode()
    key = sealed_orders.load_game_orders_key(context.game, keys.verify)
    holder = seat_row(context, seat).user_id
    sealed = sealed_orders.seal(context.services, key, keys.signing, place, holder, content)
    sealed_orders.store(context.services, context.session, sealed)
    mark_submitted(row, context.now, passed=False)
    context.game.play_wanted = context.game.play_wanted or context.now


def _preview_eliminate(context: CommandContext, order: EliminateSeat) -> CommandResult:
    resignation_question(context, order.seat)
    return CommandResult((Message("would_eliminate", {"name": seat_names(context)[order.seat]}),))


def _execute_eliminate(context: CommandContext, order: EliminateSeat) -> CommandResult:
    eliminate_seat(context, order.seat)
    return CommandResult((Message("eliminated", {"name": seat_names(context)[order.seat]}),))


def _answer_forms(context: CommandContext) -> Any:
    return (act("answer", AnswerForSeat, seat_slot(context)),)


def _replace_forms(context: CommandContext) -> Any:
    slots = (seat_slot(context), text_slot("address", ADDRESS, lead=WORDS("leads.by")))
    return (act("replace", ReplacePlayer, *slots),)


COMMANDS: Final = (
    CommandSpec("answer", _answer_forms, _preview_answer, _execute_answer, body=True, ahead=_validate),
    CommandSpec("replace", _replace_forms, _preview_replace, _execute_replace, dangerous=True, needs_second=True),
    CommandSpec("take_back", of_seat("take_back", WithdrawOffer), _preview_take_back, _execute_take_back),
    CommandSpec(
        "eject", of_seat("eject", RemovePlayer), _preview_eject, _execute_eject, dangerous=True, needs_second=True
    ),
    CommandSpec(
        "bot", of_seat("bot", SeatBot), _preview_seat_bot, _execute_seat_bot, dangerous=True, needs_second=True
    ),
    CommandSpec(
        "eliminate",
        of_seat("eliminate", EliminateSeat),
        _preview_eliminate,
        _execute_eliminate,
        dangerous=True,
        needs_second=True,
        needs_consent=True,
    ),
)
