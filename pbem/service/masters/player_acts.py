"""What seats may ask for in the same language: agree, call the master, elect another one, put a seat out by vote."""

from typing import Final

from engine.kernel.orders import Order
from pbem.narration.facts import Said
from pbem.service.access import masters
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Refused
from pbem.service.base.wording import WORDS
from pbem.service.masters import acting
from pbem.service.masters.forms import act, names, of_seat, one, row_of, text_slot
from pbem.service.masters.people import ADDRESS, known
from pbem.service.masters.registry import ActContext, Action, Outcome
from pbem.service.masters.seats import put_out, way_out
from pbem.service.post.master_letters import call
from pbem.service.seats import elections
from pbem.store.games import seats


class Agree(Order):
    """Agree to what another person asked for."""

    word: str


class Call(Order):
    """The table needs its master."""


class Elect(Order):
    """A voice for a new master."""

    address: str


class VoteOut(Order):
    """A voice for putting a seat out of the game."""

    seat: str


def _would_agree(context: ActContext, order: Agree) -> Outcome:
    return Outcome((Said("would_agree", {"line": acting.line_of(context, order.word)}),))


def _agree(context: ActContext, order: Agree) -> Outcome:
    return acting.agree(context, order.word)


def _would_call(context: ActContext, order: Call) -> Outcome:
    return Outcome((Said("would_call"),))


def _call(context: ActContext, order: Call) -> Outcome:
    """Every master gets a letter, from each player one a day, and from now on one is needed."""
    table = masters.settled(context.session, context.game)
    table.called_at = table.called_at or context.now
    said, mark = (Said("you_are_called", {"name": context.user.name}),), _today(context, f"called.{context.user.id}")
    for user in masters.masters_of(context.session, context.game):
        if user.id != context.user.id:
            call(context.services, context.session, context.game, user, mark, said)
    return Outcome((Said("was_called"),))


def _today(context: ActContext, about: str) -> str:
    """The mark of a letter that a player can have written to others once a day, however often they ask for it."""
    return f"{about}.day{context.now // DAY_MS}"


# --- voices


def _seat(context: ActContext) -> str:
    mine = next((row.seat for row in seats(context.session, context.game.id) if row.user_id == context.user.id), None)
    if mine is None:
        raise Refused("no_voice")
    return mine


def _would_elect(context: ActContext, order: Elect) -> Outcome:
    _seat(context)
    elections.demand_possible(context.services, context.session, context.game)
    found = known(context, order.address)
    if found is None:
        raise Refused("no_such_person", written=order.address[:80])
    if masters.is_master(context.session, context.game, found.id):
        raise Refused("master_already", name=found.name)
    return Outcome((Said("would_elect", {"name": found.name}),))


def _elect(context: ActContext, order: Elect) -> Outcome:
    _would_elect(context, order)
    user = known(context, order.address)
    if user is None:
        raise Refused("no_such_person", written=order.address[:80])
    tally = elections.vote(
        context.services, context.session, context.game, elections.MASTER, str(user.id), _seat(context)
    )
    terms = {"name": user.name, "voices": tally.voices, "needed": tally.needed}
    if not tally.carried:
        return _told_to_seats(context, tally, "elect_noted", "elect_wanted", terms, _seat(context))
    elections.install(context.services, context.session, context.game, user)
    call(context.services, context.session, context.game, user, context.mark, (Said("you_elected"),))
    said = (Said("elected", terms),)
    return Outcome(said, tells=said)


def _told_to_seats(
    context: ActContext, tally: elections.Tally, noted: str, wanted: str, terms: dict[str, object], about: str
) -> Outcome:
    """The first voice is told to all, with an address to add theirs at; once a day by or about a seat."""
    said = (Said(noted, terms),)
    if tally.voices == 1:
        for user in elections.voters(context.session, context.game, _seat(context)):
            told = Said(wanted, {**terms, "by": context.user.name})
            call(context.services, context.session, context.game, user, _today(context, f"{wanted}.{about}"), (told,))
        return Outcome(said, told=True)
    return Outcome(said)


def _would_vote_out(context: ActContext, order: VoteOut) -> Outcome:
    if _seat(context) == order.seat:
        raise Refused("own_seat")
    if row_of(context, order.seat).offered_at is None:
        raise Refused("not_offered", name=names(context)[order.seat])
    way_out(context, order.seat)
    return Outcome((Said("would_vote_out", {"name": names(context)[order.seat]}),))


def _vote_out(context: ActContext, order: VoteOut) -> Outcome:
    _would_vote_out(context, order)
    tally = elections.vote(context.services, context.session, context.game, elections.OUT, order.seat, _seat(context))
    terms: dict[str, object] = {"name": names(context)[order.seat], "voices": tally.voices, "needed": tally.needed}
    if not tally.carried:
        return _told_to_seats(context, tally, "out_noted", "out_wanted", terms, order.seat)
    put_out(context, order.seat)
    said = (Said("voted_out", terms),)
    return Outcome(said, tells=said)


ACTIONS: Final = (
    Action("agree", one(act("agree", Agree, text_slot("word", WORDS("slots.word")))), _would_agree, _agree, who="seat"),
    Action("call", one(act("call", Call)), _would_call, _call, who="seat"),
    Action("elect", one(act("elect", Elect, text_slot("address", ADDRESS))), _would_elect, _elect, who="seat"),
    Action("vote_out", of_seat("vote_out", VoteOut), _would_vote_out, _vote_out, dangerous=True, who="seat"),
)
