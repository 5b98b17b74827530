"""Commands of players: approve a command, call the master, vote for another one, vote a seat out."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.narration.facts import Message
from pbem.service.access import permissions
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.service.base.wording import WORDS
from pbem.service.deadlines import interruptions
from pbem.service.game import seat_views
from pbem.service.mail.notifications import send_master_prompt
from pbem.service.masters import preparation
from pbem.service.masters.people import AddressCommand, find_member
from pbem.service.masters.registry import (
    Command,
    CommandContext,
    CommandResult,
    Decision,
    SeatCommand,
    announced,
    seat_names,
    seat_row,
    text_slot,
)
from pbem.service.masters.seats import eliminate_seat, resignation_question
from pbem.service.seats.substitutes import OUT
from pbem.store.games import find_seat_of_user, load_open_questions, name_at_table, occupied_seats
from pbem.store.models import Game, MasterSettings, User, Vote

MASTER: Final = "master"


@dataclass(frozen=True)
class Tally:
    """The votes for a motion, and how many carry it."""

    votes: int
    needed: int

    @property
    def is_carried(self) -> bool:
        """Return True if the motion has a majority."""
        return self.votes >= self.needed


def master_missing_since(session: Session, game: Game) -> int | None:
    """Return since when the game needs a master: it is paused, or a seat has called. None if it does not."""
    pause, settings = interruptions.find_pause(session, game.id), session.get(MasterSettings, game.id)
    moments = [pause.started_at] if pause is not None else []
    if settings is not None and settings.called_at is not None:
        moments.append(settings.called_at)
    return min(moments, default=None)


def require_election_allowed(services: Services, session: Session, game: Game) -> None:
    """Raise RequestRefused while the game needs no master, or a master was active lately."""
    settings = permissions.load_master_settings(session, game)
    if master_missing_since(session, game) is None:
        raise RequestRefused("not_needed")
    rows = permissions.load_masters(session, game)
    last = max((permissions.last_master_activity(session, game, row) for row in rows), default=0)
    allowed_at = last + settings.absence_days * DAY_MS
    if services.now() < allowed_at:
        raise RequestRefused("not_gone", days=settings.absence_days, moment=allowed_at // 1000)


def active_seats(services: Services, session: Session, game: Game) -> tuple[str, ...]:
    """Return the seats that have a player who may be asked something, now or later."""
    questioned = {row.seat for row in load_open_questions(session, game.id)}
    rules, seats = services.rules(game.rules), []
    for row, _ in occupied_seats(session, game.id):
        view = seat_views.last_view(services, session, game, Seat(row.seat))
        with seen_by(Seat(row.seat)):
            if row.seat in questioned or rules.advance_questions(view, Seat(row.seat)):
                seats.append(row.seat)
    return tuple(seats)


def cast_vote(services: Services, session: Session, game: Game, motion: str, target: str, seat: str) -> Tally:
    """Store one seat's vote and count; of its votes for a master the last counts.

    Raises RequestRefused for a seat that plays no more.
    """
    active = active_seats(services, session, game)
    if seat not in active:
        raise RequestRefused("no_voice")
    previous = Vote.game_id == game.id, Vote.motion == motion, Vote.seat == seat
    same_target = () if motion == MASTER else (Vote.target == target,)
    session.execute(delete(Vote).where(*previous, *same_target))
    session.add(Vote(game_id=game.id, motion=motion, target=target, seat=seat, created_at=services.now()))
    session.flush()
    votes = select(Vote).where(Vote.game_id == game.id, Vote.motion == motion, Vote.target == target)
    voters = [name for name in active if motion == MASTER or name != target]
    count = sum(1 for row in session.scalars(votes) if row.seat in voters)
    return Tally(count, len(voters) // 2 + 1)


def install_master(services: Services, session: Session, game: Game, user: User) -> None:
    """Make an elected person the only master of the game."""
    for row in permissions.load_masters(session, game):
        row.ends_at = services.now()
    session.flush()
    permissions.appoint_master(services, session, game, user)
    cancel_elections(session, game)


def cancel_elections(session: Session, game: Game) -> None:
    """Delete calls and votes for a master: there is one."""
    session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.motion == MASTER))
    settings = session.get(MasterSettings, game.id)
    if settings is not None:
        settings.called_at = None


class ApproveCommand(Command):
    """Agree to what another person asked for."""

    name = "agree"
    slots = (text_slot("code", WORDS("slots.word")),)
    who = "seat"
    code: str

    def decide(self, context: CommandContext) -> Decision:
        """Execute the command that waits for approval, in its author's name."""
        line = preparation.command_line(context, self.code)
        return Decision((Message("would_agree", {"line": line}),), lambda: preparation.approve(context, self.code))


def _daily_dedup_key(context: CommandContext, subject: str) -> str:
    """Return the key of an email that a player can cause once a day."""
    return f"{subject}.day{context.now // DAY_MS}"


class CallMaster(Command):
    """The table needs its master."""

    name = "call"
    who = "seat"

    def decide(self, context: CommandContext) -> Decision:
        """Email every master, once a day for each player, and note that the game needs one."""

        def call() -> CommandResult:
            settings = permissions.load_master_settings(context.session, context.game)
            settings.called_at = settings.called_at or context.now
            messages = (Message("you_are_called", {"name": context.author}),)
            key = _daily_dedup_key(context, f"called.{context.user.id}")
            for user in permissions.masters_of(context.session, context.game):
                if user.id != context.user.id:
                    send_master_prompt(context.services, context.session, context.game, user, key, messages)
            return CommandResult((Message("was_called"),))

        return Decision((Message("would_call"),), call)


# --- votes


def _seat_of(context: CommandContext) -> str:
    seat = find_seat_of_user(context.session, context.game.id, context.user.id)
    if seat is None:
        raise RequestRefused("no_voice")
    return seat.seat


class ElectMaster(AddressCommand):
    """A voice for a new master."""

    name = "elect"
    who = "seat"

    def decide(self, context: CommandContext) -> Decision:
        """Vote for a player, who becomes the only master with a majority."""
        seat = _seat_of(context)
        require_election_allowed(context.services, context.session, context.game)
        user = find_member(context, self.address)
        if user is None:
            raise RequestRefused("no_player", written=self.address[:80])
        name = name_at_table(context.session, context.game, user)
        if permissions.is_master(context.session, context.game, user.id):
            raise RequestRefused("master_already", name=name)

        def vote() -> CommandResult:
            tally = cast_vote(context.services, context.session, context.game, MASTER, str(user.id), seat)
            terms = {"name": name, "voices": tally.votes, "needed": tally.needed}
            if not tally.is_carried:
                return _notify_seats(context, tally, "elect_noted", "elect_wanted", terms, seat)
            install_master(context.services, context.session, context.game, user)
            prompt = (Message("you_elected"),)
            send_master_prompt(context.services, context.session, context.game, user, context.dedup_key, prompt)
            return announced(Message("elected", terms))

        return Decision((Message("would_elect", {"name": name}),), vote)


def _notify_seats(
    context: CommandContext, tally: Tally, noted: str, wanted: str, terms: dict[str, object], subject: str
) -> CommandResult:
    """Ask all other players for their votes when the first one is cast, once a day for each subject."""
    messages = (Message(noted, terms),)
    if tally.votes > 1:
        return CommandResult(messages)
    prompt = (Message(wanted, {**terms, "by": context.author}),)
    key = _daily_dedup_key(context, f"{wanted}.{subject}")
    for row, user in occupied_seats(context.session, context.game.id):
        if row.seat != _seat_of(context):
            send_master_prompt(context.services, context.session, context.game, user, key, prompt)
    return CommandResult(messages, notified=True)


class VoteOutPlayer(SeatCommand):
    """A voice for putting a seat out of the game."""

    name = "vote_out"
    dangerous = True
    who = "seat"

    def decide(self, context: CommandContext) -> Decision:
        """Vote against an offered seat, which is eliminated with a majority."""
        own, name = _seat_of(context), seat_names(context)[self.seat]
        if own == self.seat:
            raise RequestRefused("own_seat")
        if seat_row(context, self.seat).open_since is None:
            raise RequestRefused("not_offered", name=name)
        resignation_question(context, self.seat)

        def vote() -> CommandResult:
            tally = cast_vote(context.services, context.session, context.game, OUT, self.seat, own)
            terms: dict[str, object] = {"name": name, "voices": tally.votes, "needed": tally.needed}
            if not tally.is_carried:
                return _notify_seats(context, tally, "out_noted", "out_wanted", terms, self.seat)
            eliminate_seat(context, self.seat)
            return announced(Message("voted_out", terms))

        return Decision((Message("would_vote_out", {"name": name}),), vote)


COMMANDS: Final = (ApproveCommand, CallMaster, ElectMaster, VoteOutPlayer)
