"""A master's acts about people: second masters, and those who ask for a seat."""

from typing import Any, Final

from sqlalchemy import select

from engine.kernel.orders import Order
from pbem.addresses import comparable, is_address, mail_address
from pbem.narration.facts import Said
from pbem.service.access import inviting, masters, naming
from pbem.service.base.services import Refused
from pbem.service.base.wording import WORDS
from pbem.service.masters.forms import act, names, one, row_of, text_slot
from pbem.service.masters.registry import ActContext, Action, Outcome
from pbem.service.post.master_letters import call
from pbem.service.seats import applications, substitutes, tables
from pbem.states import LIVE, GameState
from pbem.store.games import seat_held_by, seated, seats
from pbem.store.models import Application, SeatRow, User

ANY_STATE = frozenset({*LIVE, GameState.OVER})
ASKED_FOR = frozenset({GameState.FORMING, GameState.RUNNING})
"""When a seat can be asked for."""
ADDRESS = WORDS("slots.address")


class Promote(Order):
    """Make a person a master of the game beside those who are."""

    address: str


class Demote(Order):
    """End a person's time as master of the game."""

    address: str


class Approve(Order):
    """Give the seat to the person who asked for it."""

    address: str


class Refuse(Order):
    """Refuse the seat to the person who asked for it."""

    address: str


def known(context: ActContext, written: str) -> User | None:
    """A person by their address, or by their name where they are player or master here; None for nobody known."""
    plain = comparable(written)
    found = context.session.scalars(select(User).where(User.address == plain)).one_or_none()
    if found is not None:
        return found
    near = {user.id: user for _, user in seated(context.session, context.game.id)}
    near |= {user.id: user for user in masters.masters_of(context.session, context.game)}
    called = [user for user in near.values() if user.name.lower() == plain]
    return called[0] if len(called) == 1 else None


def written_to(context: ActContext, written: str) -> User:
    """A person to whom a letter goes, from elsewhere perhaps: that counts as an invitation; raises Refused."""
    found = known(context, written)
    if found is None and not is_address(written):
        raise Refused("no_such_person", written=written[:80])
    address = found.address if found is not None else written
    if found is None or seat_held_by(context.session, context.game.id, found.id) is None:
        inviting.check(context.services, context.session, context.game, context.user, address)
    return found or tables.user_of(context.services, context.session, written, language=context.user.language)


def called(context: ActContext, written: str) -> str:
    """How a person is called, without making a new one; raises Refused."""
    found = known(context, written)
    if found is not None:
        return found.name
    if not is_address(written):
        raise Refused("no_such_person", written=written[:80])
    return mail_address(written)


def _would_promote(context: ActContext, order: Promote) -> Outcome:
    name, found = called(context, order.address), known(context, order.address)
    if found is not None and masters.is_master(context.session, context.game, found.id):
        raise Refused("master_already", name=name)
    if found is not None:
        naming.check(context.session, context.game, found)
    return Outcome((Said("would_promote", {"name": name}),))


def _promote(context: ActContext, order: Promote) -> Outcome:
    _would_promote(context, order)
    user = written_to(context, order.address)
    naming.settle_in(context.session, context.game, user)
    masters.appoint(context.services, context.session, context.game, user)
    call(
        context.services,
        context.session,
        context.game,
        user,
        context.mark,
        (Said("you_master", {"name": context.user.name}),),
        unasked=seat_held_by(context.session, context.game.id, user.id) is None,
    )
    said = (Said("promoted", {"name": user.name}),)
    return Outcome(said, tells=said if context.game.entry else ())


def _would_demote(context: ActContext, order: Demote) -> Outcome:
    found = known(context, order.address)
    if found is None or not masters.is_master(context.session, context.game, found.id):
        raise Refused("no_master", written=order.address[:80])
    left = len(masters.masters_of(context.session, context.game)) - 1
    if left < 1:
        raise Refused("last_master")
    if left < 2 and masters.settled(context.session, context.game).two:
        raise Refused("two_needed")
    return Outcome((Said("would_demote", {"name": found.name}),))


def _demote(context: ActContext, order: Demote) -> Outcome:
    _would_demote(context, order)
    user = known(context, order.address)
    if user is None:
        raise Refused("no_master", written=order.address[:80])
    masters.dismiss(context.services, context.session, context.game, user.id)
    said = (Said("demoted", {"name": user.name}),)
    return Outcome(said, tells=said if context.game.entry else ())


# --- people who ask for a seat


def _application(context: ActContext, written: str) -> tuple[Application, User]:
    plain = comparable(written)
    asking = applications.waiting(context.session, context.game.id)
    found = [(row, user) for row, user in asking if plain in (user.address, user.name.lower())]
    if len(found) != 1:
        raise Refused("no_application", names=tuple(user.name for _, user in asking))
    return found[0]


def _asked(context: ActContext, row: Application) -> str:
    """How the seat is called that was asked for; empty at a table that forms."""
    return "" if row.seat == applications.ANY else names(context)[row.seat]


def _free(context: ActContext) -> SeatRow | None:
    """A seat of a table that forms to which nobody is invited."""
    return next(
        (row for row in seats(context.session, context.game.id) if row.user_id is None and not row.invited), None
    )


def _would_approve(context: ActContext, order: Approve) -> Outcome:
    row, user = _application(context, order.address)
    naming.check(context.session, context.game, user, leaving=row.seat)
    if row.seat == applications.ANY:
        if _free(context) is None:
            raise Refused("no_free_seat")
        return Outcome((Said("would_join", {"name": user.name}),))
    if row_of(context, row.seat).offered_at is None:
        raise Refused("not_offered", name=names(context)[row.seat])
    return Outcome((Said("would_replace", {"seat": names(context)[row.seat], "name": user.name}),))


def _approve(context: ActContext, order: Approve) -> Outcome:
    _would_approve(context, order)
    row, user = _application(context, order.address)
    before = _asked(context, row)
    row.decided_at, row.outcome = context.now, "approved"
    context.session.flush()
    free = _free(context) if row.seat == applications.ANY else None
    if free is not None:
        tables.sit_down(context.services, context.session, context.game, free, user, row.words)
        return Outcome((Said("joined", {"name": user.name}),))
    substitutes.replace_player(
        context.services, context.session, context.game, row_of(context, row.seat), user, "replaced"
    )
    return Outcome((Said("replaced", {"seat": before, "name": user.name}),), told=True)


def _would_refuse(context: ActContext, order: Refuse) -> Outcome:
    _, user = _application(context, order.address)
    return Outcome((Said("would_refuse", {"name": user.name}),))


def _refuse(context: ActContext, order: Refuse) -> Outcome:
    row, user = _application(context, order.address)
    applications.refuse(context.services, context.session, context.game, row, user, context.mark)
    return Outcome((Said("refused", {"name": user.name}),))


def _person(name: str, order: type[Order]) -> Any:
    return one(act(name, order, text_slot("address", ADDRESS)))


ACTIONS: Final = (
    Action("promote", _person("promote", Promote), _would_promote, _promote, states=ANY_STATE),
    Action("demote", _person("demote", Demote), _would_demote, _demote, dangerous=True, second=True, states=ANY_STATE),
    Action("approve", _person("approve", Approve), _would_approve, _approve, states=ASKED_FOR),
    Action("refuse", _person("refuse", Refuse), _would_refuse, _refuse, states=ASKED_FOR),
)
