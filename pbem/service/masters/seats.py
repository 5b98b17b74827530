"""Commands about seats: answer for one, replace or remove its player, eliminate it as the rulebook says."""

from dataclasses import replace
from typing import Final

from engine.kernel.codec import dump
from engine.kernel.orders import Clause, Line, Order
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.archive.entries import RecordedOrders
from pbem.common.addresses import is_bot
from pbem.narration.facts import Message
from pbem.service.access import permissions
from pbem.service.base.game_states import ANSWERED_STATES, mark_submitted
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.game import sealed_orders, seat_views
from pbem.service.mail import assembly
from pbem.service.masters.people import ADDRESS, find_or_invite, find_user, name_of_person
from pbem.service.masters.registry import (
    Command,
    CommandContext,
    CommandResult,
    Decision,
    SeatCommand,
    announced,
    seat_names,
    seat_row,
    seat_slot,
    text_slot,
)
from pbem.service.orders import filing, validation
from pbem.service.orders.submission import Submitter, ValidatedOrders
from pbem.service.seats import bots, lobby, seat_offers, substitutes
from pbem.store.games import hides_names, load_open_questions
from pbem.store.models import QuestionRow, SeatRow, User

MOST_LINES: Final = 200


def _occupant(context: CommandContext, seat: str) -> tuple[SeatRow, User]:
    """Return a seat and its player. Raises RequestRefused where it has none."""
    row = seat_row(context, seat)
    user = context.session.get(User, row.user_id) if row.user_id is not None else None
    if user is None:
        raise RequestRefused("seat_empty", name=seat_names(context)[seat])
    return row, user


class AnswerForSeat(SeatCommand):
    """Answer for a seat: its player is told, with the lines."""

    name = "answer"
    has_body = True

    def _submitter(self, context: CommandContext) -> Submitter:
        """Return the seat as the author of orders that its master writes."""
        row, user = _occupant(context, self.seat)
        return Submitter(context.game, row, user, context.game.entry, "", ("by_master",))

    def prepare(self, context: CommandContext) -> ValidatedOrders:
        """Validate the lines as orders of the seat."""
        return validation.validate_for_other(context.services, context.session, self._submitter(context), context.body)

    def decide(self, context: CommandContext) -> Decision:
        """File the lines as any orders; its player alone is told whether and why one is not valid.

        That would reveal something of the seat's hand: the master is told the same either way.  A master who plays
        answers nothing that the seat has answered itself, or that it is not asked yet.
        """
        if not any(line.strip() for line in context.body) or len(context.body) > MOST_LINES:
            raise RequestRefused("no_lines")
        name = seat_names(context)[self.seat]
        row, user = _occupant(context, self.seat)
        if not any(
            question.is_blocking for question in load_open_questions(context.session, context.game.id, row.seat)
        ):
            raise RequestRefused("not_asked", name=name)
        orders: ValidatedOrders = context.preview()
        reading = orders.parsed.reading
        lines = [line for lot in reading.sets.values() for line in lot.lines]
        read = sum(1 for line in lines if line.line is not None)
        unread = (*(line.text for line in lines if line.line is None), *(line.text for line in reading.unmatched))
        if not read and not any(lot.is_pass for lot in reading.sets.values()) and not reading.reactions:
            raise RequestRefused("no_orders")
        if _has_other_seat(context, self.seat) and not _is_unanswered(context, row.seat, orders):
            raise RequestRefused("answered_itself", name=name)

        def answer() -> CommandResult:
            token = assembly.create_reply_token(
                context.session, context.game.id, row.seat, context.game.entry, context.now
            )
            submitter = replace(self._submitter(context), token=token)
            facts = filing.file_orders(context.services, context.session, submitter, orders)
            key = f"receipt.{context.game.id}.{context.dedup_key}"
            assembly.enqueue_receipt(context.services, context.session, context.game, row, user, key, facts)
            assembly.request_resolve(context.services, context.session, context.game)
            return CommandResult((Message("answered", {"name": name}),))

        terms = {"name": name, "read": read, "unread": (*unread, *(text for _, text in reading.skipped))}
        return Decision((Message("would_answer", terms),), answer)


def _has_other_seat(context: CommandContext, seat: str) -> bool:
    """Return True if the author of a command plays at the table, or is to, and not on this seat."""
    own = permissions.authority_of(context.session, context.game, context.user.id).seat
    own = own or permissions.find_deputized_seat(context.session, context.game.id, context.user.id)
    return own is not None and own != seat


def _is_unanswered(context: CommandContext, seat: str, orders: ValidatedOrders) -> bool:
    """Return True if orders answer open questions alone to which nothing stands: which those are is no secret."""
    rows = load_open_questions(context.session, context.game.id, seat)
    unanswered = {row.gate for row in rows if row.is_blocking and row.state not in ANSWERED_STATES}
    return not orders.parsed.reading.reactions and all(one.gate in unanswered for one in orders.sets)


# --- other players


class ReplacePlayer(Command):
    """Ask a person to take a seat over."""

    name = "replace"
    slots = (seat_slot, text_slot("address", ADDRESS, lead=WORDS("leads.by")))
    dangerous = True
    needs_second = True
    seat: str
    address: str

    def decide(self, context: CommandContext) -> Decision:
        """Offer the seat to a person, who gets it when they accept."""
        name, user = name_of_person(context, self.address), find_user(context, self.address)
        if user is not None and not substitutes.can_take_seat(context.session, context.game.id, user.id):
            raise RequestRefused("sat_before", name=name)
        seat_name = seat_names(context)[self.seat]
        pending = lobby.find_offer(context.session, context.game.id, self.seat)
        if pending is not None:
            offered = "…" if hides_names(context.game) else pending[1].name
            raise RequestRefused("offered_already", seat=seat_name, name=offered)

        def offer() -> CommandResult:
            guest, row = find_or_invite(context, self.address), seat_row(context, self.seat)
            application = seat_offers.offer_seat(
                context.services, context.session, context.game, row, guest, context.user
            )
            terms = {"seat": seat_name, "name": guest.name, "moment": lobby.expires_at(application)}
            message = Message("offered_to", {**terms, "name": name})
            announce = () if hides_names(context.game) else (Message("offered_to", terms),)
            return CommandResult((message,), announce=announce)

        return Decision((Message("would_offer", {"seat": seat_name, "name": name}),), offer)


class WithdrawOffer(SeatCommand):
    """Take back an offer of a seat."""

    name = "take_back"

    def decide(self, context: CommandContext) -> Decision:
        """End the offer and notify the person who had it."""
        name = seat_names(context)[self.seat]
        offer = lobby.find_offer(context.session, context.game.id, self.seat)
        if offer is None:
            raise RequestRefused("nothing_offered", name=name)
        row, user = offer
        terms = {"seat": name, "name": user.name}

        def withdraw() -> CommandResult:
            lobby.close_offer(context.services, context.session, context.game, row, user, "taken_back")
            message = Message("took_back", terms)
            return CommandResult((message,)) if hides_names(context.game) else announced(message)

        return Decision((Message("would_take_back", terms),), withdraw)


class RemovePlayer(SeatCommand):
    """Remove a player: the seat looks for another one."""

    name = "eject"
    dangerous = True
    needs_second = True

    def decide(self, context: CommandContext) -> Decision:
        """Remove the player and offer the seat to everybody."""
        row, _ = _occupant(context, self.seat)
        terms = {"name": seat_names(context)[self.seat]}

        def remove() -> CommandResult:
            substitutes.remove_player(context.services, context.session, context.game, row)
            return announced(Message("ejected", terms))

        return Decision((Message("would_eject", terms),), remove)


class SeatBot(SeatCommand):
    """Give the seat of a player who is lost to a bot."""

    name = "bot"
    dangerous = True
    needs_second = True

    def decide(self, context: CommandContext) -> Decision:
        """Replace the player by a bot that takes an hour to answer."""
        row, name = seat_row(context, self.seat), seat_names(context)[self.seat]
        user = context.session.get(User, row.user_id) if row.user_id is not None else None
        if user is not None and is_bot(user.email):
            raise RequestRefused("is_bot", name=name)

        def seat_bot() -> CommandResult:
            bot = bots.replace_with_bot(context.services, context.session, context.game, row, "hour")
            return CommandResult((Message("bot_seated", {"seat": name, "name": bot.name}),), notified=True)

        return Decision((Message("would_seat_bot", {"seat": name}),), seat_bot)


# --- elimination


def resignation_question(context: CommandContext, seat: str) -> tuple[QuestionRow, Order]:
    """Return the question by which the rulebook lets a seat leave, and the order that answers it so.

    Raises RequestRefused where there is none.
    """
    view = seat_views.last_view(context.services, context.session, context.game, Seat(seat))
    rules = context.services.rules(context.game.rules)
    rows = {row.gate: row for row in load_open_questions(context.session, context.game.id, seat)}
    for question in view.core.questions:
        if question.seat == seat and rules.meta.topic(question.topic).is_resignation and question.gate in rows:
            with seen_by(Seat(seat)):
                form = next(iter(rules.forms(view, question)))
            return rows[question.gate], form.make({slot.name: slot.default for slot in form.slots})
    raise RequestRefused("no_way_out", name=seat_names(context)[seat])


def eliminate_seat(context: CommandContext, seat: str) -> None:
    """File the order that eliminates a seat, in place of what its player had filed, which stays unread."""
    row, order = resignation_question(context, seat)
    keys = context.services.order_keys
    slot = sealed_orders.allocate_slot(context.session, context.game.id, row.gate, row.opening_entry, seat, "orders")
    content = dump(RecordedOrders((Line((Clause(order),)),))).encode()
    key = sealed_orders.load_game_orders_key(context.game, keys.verify)
    sealed = sealed_orders.seal(context.services, key, keys.signing, slot, seat_row(context, seat).user_id, content)
    sealed_orders.store(context.services, context.session, sealed)
    mark_submitted(row, context.now, passed=False)
    context.game.resolve_requested_at = context.game.resolve_requested_at or context.now


class EliminateSeat(SeatCommand):
    """Eliminate a seat for good, as the rulebook says."""

    name = "eliminate"
    dangerous = True
    needs_second = True
    needs_consent = True

    def decide(self, context: CommandContext) -> Decision:
        """Eliminate the seat, where the rulebook lets it leave now."""
        resignation_question(context, self.seat)
        terms = {"name": seat_names(context)[self.seat]}

        def eliminate() -> CommandResult:
            eliminate_seat(context, self.seat)
            return CommandResult((Message("eliminated", terms),))

        return Decision((Message("would_eliminate", terms),), eliminate)


COMMANDS: Final = (AnswerForSeat, ReplacePlayer, WithdrawOffer, RemovePlayer, SeatBot, EliminateSeat)
