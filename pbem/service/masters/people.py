"""Commands about people: further masters, and applications for seats."""

from typing import Final

from sqlalchemy import select

from pbem.common.addresses import is_address, normalize, parse_mail_address
from pbem.common.states import LIVE, GameState
from pbem.narration.facts import Message
from pbem.service.access import mail_preferences, permissions, users
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.mail.notifications import send_master_prompt
from pbem.service.masters.registry import (
    Command,
    CommandContext,
    CommandResult,
    Decision,
    seat_names,
    seat_row,
    text_slot,
)
from pbem.service.seats import lobby, substitutes, tables
from pbem.store.games import (
    display_name,
    find_seat_of_user,
    hides_names,
    load_seats,
    name_at_table,
    occupied_seats,
)
from pbem.store.models import Application, User

ANY_STATE = frozenset({*LIVE, GameState.OVER})
WITH_APPLICATIONS = frozenset({GameState.OPEN, GameState.RUNNING})
"""When a seat can be asked for."""
ADDRESS = WORDS("slots.address")


class AddressCommand(Command):
    """A command about one person."""

    slots = (text_slot("address", ADDRESS),)
    address: str


def find_member(context: CommandContext, written: str) -> User | None:
    """Find a player or master of the game, by address or name; where names are hidden a player by the seat's name."""
    session, game, name = context.session, context.game, normalize(written)
    players = [(user, display_name(user, row, game)) for row, user in occupied_seats(session, game.id)]
    masters = [(user, name_at_table(session, game, user)) for user in permissions.masters_of(session, game)]
    known = masters if hides_names(game) else [*players, *masters]
    namesakes = {user.id: user for user, called in (*players, *masters) if called.lower() == name}
    named = next(iter(namesakes.values())) if len(namesakes) == 1 else None
    return next((user for user, _ in known if user.email == name), named)


def find_user(context: CommandContext, written: str) -> User | None:
    """Find a person by address, or by name among the players and masters of the game.

    Before somebody has written to them, nothing said tells whether a person is known here: it is `name_of_person` that
    a preview shows.
    """
    known = context.session.scalars(select(User).where(User.email == normalize(written))).one_or_none()
    return known or find_member(context, written)


def find_or_invite(context: CommandContext, written: str) -> User:
    """Return a person to write to, created if unknown. Writing to a stranger counts as an invitation.

    Raises RequestRefused.
    """
    user = find_user(context, written)
    if user is None and not is_address(written):
        raise RequestRefused("no_such_person", written=written[:80])
    address = user.email if user is not None else written
    if user is None or find_seat_of_user(context.session, context.game.id, user.id) is None:
        mail_preferences.check_invitation(context.services, context.session, context.game, context.user, address)
    return user or users.get_or_create_user(context.services, context.session, written, language=context.user.language)


def name_of_person(context: CommandContext, written: str) -> str:
    """Return the name of a player or master, or the address of anybody else. Raises RequestRefused."""
    user = find_member(context, written)
    if user is not None:
        return name_at_table(context.session, context.game, user)
    if not is_address(written):
        raise RequestRefused("no_such_person", written=written[:80])
    return parse_mail_address(written)


def _check_not_hidden(context: CommandContext, written: str) -> None:
    """Refuse to name a player otherwise than by the seat where names are hidden (`plays_hidden`)."""
    user = find_user(context, written) if hides_names(context.game) else None
    seat = find_seat_of_user(context.session, context.game.id, user.id) if user is not None else None
    if seat is not None and find_member(context, written) is None:
        raise RequestRefused("plays_hidden", written=written[:80])


def _announced(context: CommandContext, *messages: Message) -> CommandResult:
    """Return messages that go to all players as well, once the game has begun."""
    return CommandResult(messages, announce=messages if context.game.entry else ())


class PromoteMaster(AddressCommand):
    """Make a person a master of the game beside those who are."""

    name = "promote"
    needs_second = True  # or the two persons could be one, and a name that they made up
    adds_master = True
    states = ANY_STATE

    def decide(self, context: CommandContext) -> Decision:
        """Appoint the person and send them the address for commands."""
        name, member = name_of_person(context, self.address), find_member(context, self.address)
        _check_not_hidden(context, self.address)
        if member is not None and permissions.is_master(context.session, context.game, member.id):
            raise RequestRefused("master_already", name=name)

        def promote() -> CommandResult:
            user = find_or_invite(context, self.address)
            users.make_unique_name(context.session, context.game, user)
            permissions.appoint_master(context.services, context.session, context.game, user)
            send_master_prompt(
                context.services,
                context.session,
                context.game,
                user,
                context.dedup_key,
                (Message("you_master", {"name": context.author}),),
                unasked=find_seat_of_user(context.session, context.game.id, user.id) is None,
            )
            return _announced(
                context, Message("promoted", {"name": name_at_table(context.session, context.game, user)})
            )

        return Decision((Message("would_promote", {"name": name}),), promote)


class DemoteMaster(AddressCommand):
    """End a person's time as master of the game."""

    name = "demote"
    dangerous = True
    needs_second = True
    states = ANY_STATE

    def decide(self, context: CommandContext) -> Decision:
        """Dismiss a master, unless too few would remain."""
        user = find_member(context, self.address)
        if user is None or not permissions.is_master(context.session, context.game, user.id):
            raise RequestRefused("no_master", written=self.address[:80])
        remaining = len(permissions.masters_of(context.session, context.game)) - 1
        if remaining < 1:
            raise RequestRefused("last_master")
        if remaining < 2 and permissions.load_master_settings(context.session, context.game).requires_second_master:
            raise RequestRefused("two_needed")

        name = name_at_table(context.session, context.game, user)

        def demote() -> CommandResult:
            permissions.dismiss_master(context.services, context.session, context.game, user.id)
            return _announced(context, Message("demoted", {"name": name}))

        return Decision((Message("would_demote", {"name": name}),), demote)


# --- applications


def _find_application(context: CommandContext, written: str) -> tuple[Application, User]:
    name = normalize(written)
    applications = lobby.list_applications(context.session, context.game.id)
    matches = [(row, user) for row, user in applications if name in (user.email, user.name.lower())]
    if len(matches) != 1:
        raise RequestRefused("no_application", names=tuple(user.name for _, user in applications))
    return matches[0]


class ApproveApplication(AddressCommand):
    """Give the seat to the person who asked for it."""

    name = "approve"
    states = WITH_APPLICATIONS

    def decide(self, context: CommandContext) -> Decision:
        """Give the applicant any free seat before the game begins, else the offered seat that they applied for."""
        row, user = _find_application(context, self.address)
        users.check_unique_name(context.session, context.game, user, leaving=row.seat)
        if row.seat == lobby.ANY_SEAT:
            return self._approve_new(context, row, user)
        seat, terms = seat_row(context, row.seat), {"seat": seat_names(context)[row.seat], "name": user.name}
        if seat.open_since is None:
            raise RequestRefused("not_offered", name=terms["seat"])

        def replace() -> CommandResult:
            self._close(context, row)
            substitutes.replace_player(context.services, context.session, context.game, seat, user, "replaced")
            return CommandResult((Message("replaced", terms),), notified=True)

        return Decision((Message("would_replace", terms),), replace)

    def _approve_new(self, context: CommandContext, row: Application, user: User) -> Decision:
        seats = load_seats(context.session, context.game.id)
        free = next((seat for seat in seats if seat.user_id is None and not seat.invited_email), None)
        if free is None:
            raise RequestRefused("no_free_seat")

        def seat_applicant() -> CommandResult:
            self._close(context, row)
            tables.take_seat(context.services, context.session, context.game, free, user, row.seed_words)
            return CommandResult((Message("joined", {"name": user.name}),))

        return Decision((Message("would_join", {"name": user.name}),), seat_applicant)

    def _close(self, context: CommandContext, row: Application) -> None:
        row.decided_at, row.outcome = context.now, "approved"
        context.session.flush()


class RefuseApplication(AddressCommand):
    """Refuse the seat to the person who asked for it."""

    name = "refuse"
    states = WITH_APPLICATIONS

    def decide(self, context: CommandContext) -> Decision:
        """Reject the application and notify the applicant."""
        row, user = _find_application(context, self.address)

        def reject() -> CommandResult:
            lobby.reject_application(context.services, context.session, context.game, row, user, context.dedup_key)
            return CommandResult((Message("refused", {"name": user.name}),))

        return Decision((Message("would_refuse", {"name": user.name}),), reject)


COMMANDS: Final = (PromoteMaster, DemoteMaster, ApproveApplication, RefuseApplication)
