"""A master's acts about people: second masters, and those who ask for a seat."""

from typing import Any, Final

from sqlalchemy import select

from engine.kernel.orders import Order
from pbem.common.addresses import is_address, normalize, parse_mail_address
from pbem.common.states import LIVE, GameState
from pbem.narration.facts import Message
from pbem.service.access import mail_preferences, permissions, users
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.mail.notifications import send_master_prompt
from pbem.service.masters.registry import (
    CommandContext,
    CommandResult,
    CommandSpec,
    act,
    seat_names,
    seat_row,
    single_form,
    text_slot,
)
from pbem.service.seats import lobby, substitutes, tables
from pbem.store.games import find_seat_of_user, load_seats, occupied_seats
from pbem.store.models import Application, SeatRow, User

ANY_STATE = frozenset({*LIVE, GameState.OVER})
WITH_APPLICATIONS = frozenset({GameState.FORMING, GameState.RUNNING})
"""When a seat can be asked for."""
ADDRESS = WORDS("slots.address")


class PromoteMaster(Order):
    """Make a person a master of the game beside those who are."""

    address: str


class DemoteMaster(Order):
    """End a person's time as master of the game."""

    address: str


class ApproveApplication(Order):
    """Give the seat to the person who asked for it."""

    address: str


class RefuseApplication(Order):
    """Refuse the seat to the person who asked for it."""

    address: str


def find_user(context: CommandContext, written: str) -> User | None:
    """A person by their address, or by their name where they are player or master here; None for nobody known."""
    plain = normalize(written)
    found = context.session.scalars(select(User).where(User.address == plain)).one_or_none()
    if found is not None:
        return found
    near = {user.id: user for _, user in occupied_seats(context.session, context.game.id)}
    near |= {user.id: user for user in permissions.masters_of(context.session, context.game)}
    called = [user for user in near.values() if user.name.lower() == plain]
    return called[0] if len(called) == 1 else None


def find_or_invite(context: CommandContext, written: str) -> User:
    """A person to whom a letter goes, from elsewhere perhaps: that counts as an invitation; raises Refused."""
    found = find_user(context, written)
    if found is None and not is_address(written):
        raise RequestRefused("no_such_person", written=written[:80])
    address = found.address if found is not None else written
    if found is None or find_seat_of_user(context.session, context.game.id, found.id) is None:
        mail_preferences.check_invitation(context.services, context.session, context.game, context.user, address)
    return found or tables.get_or_create_user(
        context.services, context.session, written, language=context.user.language
    )


def display_name(context: CommandContext, written: str) -> str:
    """How a person is called, without making a new one; raises Refused."""
    found = find_user(context, written)
    if found is not None:
        return found.name
    if not is_address(written):
        raise RequestRefused("no_such_person", written=written[:80])
    return parse_mail_address(written)


def _preview_promote(context: CommandContext, order: PromoteMaster) -> CommandResult:
    name, found = display_name(context, order.address), find_user(context, order.address)
    if found is not None and permissions.is_master(context.session, context.game, found.id):
        raise RequestRefused("master_already", name=name)
    if found is not None:
        users.check_unique_name(context.session, context.game, found)
    return CommandResult((Message("would_promote", {"name": name}),))


def _execute_promote(context: CommandContext, order: PromoteMaster) -> CommandResult:
    _preview_promote(context, order)
    user = find_or_invite(context, order.address)
    users.make_unique_name(context.session, context.game, user)
    permissions.appoint_master(context.services, context.session, context.game, user)
    send_master_prompt(
        context.services,
        context.session,
        context.game,
        user,
        context.dedup_key,
        (Message("you_master", {"name": context.user.name}),),
        unasked=find_seat_of_user(context.session, context.game.id, user.id) is None,
    )
    said = (Message("promoted", {"name": user.name}),)
    return CommandResult(said, announce=said if context.game.entry else ())


def _preview_demote(context: CommandContext, order: DemoteMaster) -> CommandResult:
    found = find_user(context, order.address)
    if found is None or not permissions.is_master(context.session, context.game, found.id):
        raise RequestRefused("no_master", written=order.address[:80])
    left = len(permissions.masters_of(context.session, context.game)) - 1
    if left < 1:
        raise RequestRefused("last_master")
    if left < 2 and permissions.load_master_settings(context.session, context.game).two:
        raise RequestRefused("two_needed")
    return CommandResult((Message("would_demote", {"name": found.name}),))


def _execute_demote(context: CommandContext, order: DemoteMaster) -> CommandResult:
    _preview_demote(context, order)
    user = find_user(context, order.address)
    if user is None:
        raise RequestRefused("no_master", written=order.address[:80])
    permissions.dismiss_master(context.services, context.session, context.game, user.id)
    said = (Message("demoted", {"name": user.name}),)
    return CommandResult(said, announce=said if context.game.entry else ())


# --- people who ask for a seat


def _find_application(context: CommandContext, written: str) -> tuple[Application, User]:
    plain = normalize(written)
    asking = lobby.list_applications(context.session, context.game.id)
    found = [(row, user) for row, user in asking if plain in (user.address, user.name.lower())]
    if len(found) != 1:
        raise RequestRefused("no_application", names=tuple(user.name for _, user in asking))
    return found[0]


def _applicants(context: CommandContext, row: Application) -> str:
    """How the seat is called that was asked for; empty at a table that forms."""
    return "" if row.seat == lobby.ANY_SEAT else seat_names(context)[row.seat]


def _free_seat(context: CommandContext) -> SeatRow | None:
    """A seat of a table that forms to which nobody is invited."""
    return next(
        (row for row in load_seats(context.session, context.game.id) if row.user_id is None and not row.invited), None
    )


def _preview_approve(context: CommandContext, order: ApproveApplication) -> CommandResult:
    row, user = _find_application(context, order.address)
    users.check_unique_name(context.session, context.game, user, leaving=row.seat)
    if row.seat == lobby.ANY_SEAT:
        if _free_seat(context) is None:
            raise RequestRefused("no_free_seat")
        return CommandResult((Message("would_join", {"name": user.name}),))
    if seat_row(context, row.seat).offered_at is None:
        raise RequestRefused("not_offered", name=seat_names(context)[row.seat])
    return CommandResult((Message("would_replace", {"seat": seat_names(context)[row.seat], "name": user.name}),))


def _execute_approve(context: CommandContext, order: ApproveApplication) -> CommandResult:
    _preview_approve(context, order)
    row, user = _find_application(context, order.address)
    before = _applicants(context, row)
    row.decided_at, row.outcome = context.now, "approved"
    context.session.flush()
    free = _free_seat(context) if row.seat == lobby.ANY_SEAT else None
    if free is not None:
        tables.take_seat(context.services, context.session, context.game, free, user, row.words)
        return CommandResult((Message("joined", {"name": user.name}),))
    substitutes.replace_player(
        context.services, context.session, context.game, seat_row(context, row.seat), user, "replaced"
    )
    return CommandResult((Message("replaced", {"seat": before, "name": user.name}),), notified=True)


def _preview_refuse(context: CommandContext, order: RefuseApplication) -> CommandResult:
    _, user = _find_application(context, order.address)
    return CommandResult((Message("would_refuse", {"name": user.name}),))


def _execute_refuse(context: CommandContext, order: RefuseApplication) -> CommandResult:
    row, user = _find_application(context, order.address)
    lobby.reject_application(context.services, context.session, context.game, row, user, context.dedup_key)
    return CommandResult((Message("refused", {"name": user.name}),))


def _load_user(name: str, order: type[Order]) -> Any:
    return single_form(act(name, order, text_slot("address", ADDRESS)))


COMMANDS: Final = (
    CommandSpec("promote", _load_user("promote", PromoteMaster), _preview_promote, _execute_promote, states=ANY_STATE),
    CommandSpec(
        "demote",
        _load_user("demote", DemoteMaster),
        _preview_demote,
        _execute_demote,
        dangerous=True,
        needs_second=True,
        states=ANY_STATE,
    ),
    CommandSpec(
        "approve",
        _load_user("approve", ApproveApplication),
        _preview_approve,
        _execute_approve,
        states=WITH_APPLICATIONS,
    ),
    CommandSpec(
        "refuse", _load_user("refuse", RefuseApplication), _preview_refuse, _execute_refuse, states=WITH_APPLICATIONS
    ),
)
