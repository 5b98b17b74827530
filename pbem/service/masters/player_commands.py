"""What seats may ask for in the same language: agree, call the master, elect another one, put a seat out by vote."""

from typing import Final

from engine.kernel.orders import Order
from pbem.narration.facts import Message
from pbem.service.access import masters
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.mail.master_mail import send_prompt
from pbem.service.masters import preparation
from pbem.service.masters.forms import act, of_seat, seat_names, seat_row, single_form, text_slot
from pbem.service.masters.people import ADDRESS, find_user
from pbem.service.masters.registry import CommandContext, CommandResult, CommandSpec
from pbem.service.masters.seats import eliminate_seat, resignation_question
from pbem.service.seats import elections
from pbem.store.games import load_seats


class ApproveCommand(Order):
    """Agree to what another person asked for."""

    word: str


class CallMaster(Order):
    """The table needs its master."""


class ElectMaster(Order):
    """A voice for a new master."""

    address: str


class VoteOutPlayer(Order):
    """A voice for putting a seat out of the game."""

    seat: str


def _preview_agree(context: CommandContext, order: ApproveCommand) -> CommandResult:
    return CommandResult((Message("would_agree", {"line": preparation.command_line(context, order.word)}),))


def _execute_agree(context: CommandContext, order: ApproveCommand) -> CommandResult:
    return preparation.approve(context, order.word)


def _preview_call(context: CommandContext, order: CallMaster) -> CommandResult:
    return CommandResult((Message("would_call"),))


def _execute_call(context: CommandContext, order: CallMaster) -> CommandResult:
    """Every master gets a letter, from each player one a day, and from now on one is needed."""
    table = masters.load_settings(context.session, context.game)
    table.called_at = table.called_at or context.now
    said, mark = (
        (Message("you_are_called", {"name": context.user.name}),),
        _daily_dedup_key(context, f"called.{context.user.id}"),
    )
    for user in masters.masters_of(context.session, context.game):
        if user.id != context.user.id:
            send_prompt(context.services, context.session, context.game, user, mark, said)
    return CommandResult((Message("was_called"),))


def _daily_dedup_key(context: CommandContext, about: str) -> str:
    """The mark of a letter that a player can have written to others once a day, however often they ask for it."""
    return f"{about}.day{context.now // DAY_MS}"


# --- voices


def _seat_of(context: CommandContext) -> str:
    mine = next(
        (row.seat for row in load_seats(context.session, context.game.id) if row.user_id == context.user.id), None
    )
    if mine is None:
        raise RequestRefused("no_voice")
    return mine


def _preview_elect(context: CommandContext, order: ElectMaster) -> CommandResult:
    _seat_of(context)
    elections.require_election_allowed(context.services, context.session, context.game)
    found = find_user(context, order.address)
    if found is None:
        raise RequestRefused("no_such_person", written=order.address[:80])
    if masters.is_master(context.session, context.game, found.id):
        raise RequestRefused("master_already", name=found.name)
    return CommandResult((Message("would_elect", {"name": found.name}),))


def _execute_elect(context: CommandContext, order: ElectMaster) -> CommandResult:
    _preview_elect(context, order)
    user = find_user(context, order.address)
    if user is None:
        raise RequestRefused("no_such_person", written=order.address[:80])
    tally = elections.cast_vote(
        context.services, context.session, context.game, elections.MASTER, str(user.id), _seat_of(context)
    )
    terms = {"name": user.name, "voices": tally.voices, "needed": tally.needed}
    if not tally.is_carried:
        return _notify_seats(context, tally, "elect_noted", "elect_wanted", terms, _seat_of(context))
    elections.install_master(context.services, context.session, context.game, user)
    send_prompt(context.services, context.session, context.game, user, context.dedup_key, (Message("you_elected"),))
    said = (Message("elected", terms),)
    return CommandResult(said, announce=said)


def _notify_seats(
    context: CommandContext, tally: elections.Tally, noted: str, wanted: str, terms: dict[str, object], about: str
) -> CommandResult:
    """The first voice is told to all, with an address to add theirs at; once a day by or about a seat."""
    said = (Message(noted, terms),)
    if tally.voices == 1:
        for user in elections.list_voters(context.session, context.game, _seat_of(context)):
            told = Message(wanted, {**terms, "by": context.user.name})
            send_prompt(
                context.services,
                context.session,
                context.game,
                user,
                _daily_dedup_key(context, f"{wanted}.{about}"),
                (told,),
            )
        return CommandResult(said, notified=True)
    return CommandResult(said)


def _preview_vote_out(context: CommandContext, order: VoteOutPlayer) -> CommandResult:
    if _seat_of(context) == order.seat:
        raise RequestRefused("own_seat")
    if seat_row(context, order.seat).offered_at is None:
        raise RequestRefused("not_offered", name=seat_names(context)[order.seat])
    resignation_question(context, order.seat)
    return CommandResult((Message("would_vote_out", {"name": seat_names(context)[order.seat]}),))


def _execute_vote_out(context: CommandContext, order: VoteOutPlayer) -> CommandResult:
    _preview_vote_out(context, order)
    tally = elections.cast_vote(
        context.services, context.session, context.game, elections.OUT, order.seat, _seat_of(context)
    )
    terms: dict[str, object] = {"name": seat_names(context)[order.seat], "voices": tally.voices, "needed": tally.needed}
    if not tally.is_carried:
        return _notify_seats(context, tally, "out_noted", "out_wanted", terms, order.seat)
    eliminate_seat(context, order.seat)
    said = (Message("voted_out", terms),)
    return CommandResult(said, announce=said)


COMMANDS: Final = (
    CommandSpec(
        "agree",
        single_form(act("agree", ApproveCommand, text_slot("word", WORDS("slots.word")))),
        _preview_agree,
        _execute_agree,
        who="seat",
    ),
    CommandSpec("call", single_form(act("call", CallMaster)), _preview_call, _execute_call, who="seat"),
    CommandSpec(
        "elect",
        single_form(act("elect", ElectMaster, text_slot("address", ADDRESS))),
        _preview_elect,
        _execute_elect,
        who="seat",
    ),
    CommandSpec(
        "vote_out", of_seat("vote_out", VoteOutPlayer), _preview_vote_out, _execute_vote_out, dangerous=True, who="seat"
    ),
)
