"""What seats may ask for in the same language: agree, call the master, elect another one, put a seat out by vote.

Also the votes by which players get another master.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.orders import Order
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
from pbem.service.masters.people import ADDRESS, find_user
from pbem.service.masters.registry import (
    CommandContext,
    CommandResult,
    CommandSpec,
    act,
    of_seat,
    seat_names,
    seat_row,
    single_form,
    text_slot,
)
from pbem.service.masters.seats import eliminate_seat, resignation_question
from pbem.store.games import load_open_questions, load_seats, occupied_seats
from pbem.store.models import Game, MasterSettings, User, Vote

MASTER: Final = "master"
OUT: Final = "out"


@dataclass(frozen=True)
class Tally:
    """How many voices there are for something, and how many carry it."""

    voices: int
    needed: int

    @property
    def is_carried(self) -> bool:
        """Return True if it is decided."""
        return self.voices >= self.needed


def master_missing_since(session: Session, game: Game) -> int | None:
    """Since when the table needs its master: its clock stands still, or a seat has called; None: it does not."""
    still, table = interruptions.find_pause(session, game.id), session.get(MasterSettings, game.id)
    found = [still.began_at] if still is not None else []
    if table is not None and table.called_at is not None:
        found.append(table.called_at)
    return min(found, default=None)


def require_election_allowed(services: Services, session: Session, game: Game) -> None:
    """Raises Refused while the table does not need its master, or has heard of one lately."""
    needed, table = master_missing_since(session, game), permissions.load_master_settings(session, game)
    if needed is None:
        raise RequestRefused("not_needed")
    rows = permissions.load_masters(session, game, services.now())
    last = max((permissions.last_master_activity(session, game, row) for row in rows), default=0)
    gone = services.now() - last
    if gone < table.gone_days * DAY_MS:
        raise RequestRefused("not_gone", days=table.gone_days, moment=(last + table.gone_days * DAY_MS) // 1000)


def active_seats(services: Services, session: Session, game: Game) -> tuple[str, ...]:
    """The seats that play: each has a player, who may be asked something, now or later."""
    asked = {row.seat for row in load_open_questions(session, game.id)}
    rules, found = services.rules(game.rules), []
    for row, _ in occupied_seats(session, game.id):
        seen = seat_views.last_view(services, session, game, Seat(row.seat))
        with seen_by(Seat(row.seat)):
            if row.seat in asked or rules.ahead(seen, Seat(row.seat)):
                found.append(row.seat)
    return tuple(found)


def list_voters(session: Session, game: Game, but: str) -> tuple[User, ...]:
    """The players of all other seats."""
    return tuple(user for row, user in occupied_seats(session, game.id) if row.seat != but)


def cast_vote(services: Services, session: Session, game: Game, subject: str, about: str, seat: str) -> Tally:
    """One seat's voice.  For a master it has one; the last counts.  Raises Refused for a seat that is out."""
    play = active_seats(services, session, game)
    if seat not in play:
        raise RequestRefused("no_voice")
    mine = Vote.game_id == game.id, Vote.subject == subject, Vote.seat == seat
    same = () if subject == MASTER else (Vote.about == about,)
    session.execute(delete(Vote).where(*mine, *same))
    session.add(Vote(game_id=game.id, subject=subject, about=about, seat=seat, made_at=services.now()))
    session.flush()
    given = select(Vote).where(Vote.game_id == game.id, Vote.subject == subject, Vote.about == about)
    asked = [name for name in play if subject == MASTER or name != about]
    voices = sum(1 for row in session.scalars(given) if row.seat in asked)
    return Tally(voices, len(asked) // 2 + 1)


def install_master(services: Services, session: Session, game: Game, user: User) -> None:
    """The elected one masters the game alone."""
    for row in permissions.load_masters(session, game, services.now()):
        row.until = services.now()
    session.flush()
    permissions.appoint_master(services, session, game, user)
    cancel_elections(session, game)


def cancel_elections(session: Session, game: Game) -> None:
    """A master is there: calls for one end, and votes for another one are void."""
    session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.subject == MASTER))
    table = session.get(MasterSettings, game.id)
    if table is not None:
        table.called_at = None


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
    table = permissions.load_master_settings(context.session, context.game)
    table.called_at = table.called_at or context.now
    said, mark = (
        (Message("you_are_called", {"name": context.user.name}),),
        _daily_dedup_key(context, f"called.{context.user.id}"),
    )
    for user in permissions.masters_of(context.session, context.game):
        if user.id != context.user.id:
            send_master_prompt(context.services, context.session, context.game, user, mark, said)
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
    require_election_allowed(context.services, context.session, context.game)
    found = find_user(context, order.address)
    if found is None:
        raise RequestRefused("no_such_person", written=order.address[:80])
    if permissions.is_master(context.session, context.game, found.id):
        raise RequestRefused("master_already", name=found.name)
    return CommandResult((Message("would_elect", {"name": found.name}),))


def _execute_elect(context: CommandContext, order: ElectMaster) -> CommandResult:
    _preview_elect(context, order)
    user = find_user(context, order.address)
    if user is None:
        raise RequestRefused("no_such_person", written=order.address[:80])
    tally = cast_vote(context.services, context.session, context.game, MASTER, str(user.id), _seat_of(context))
    terms = {"name": user.name, "voices": tally.voices, "needed": tally.needed}
    if not tally.is_carried:
        return _notify_seats(context, tally, "elect_noted", "elect_wanted", terms, _seat_of(context))
    install_master(context.services, context.session, context.game, user)
    send_master_prompt(
        context.services, context.session, context.game, user, context.dedup_key, (Message("you_elected"),)
    )
    said = (Message("elected", terms),)
    return CommandResult(said, announce=said)


def _notify_seats(
    context: CommandContext, tally: Tally, noted: str, wanted: str, terms: dict[str, object], about: str
) -> CommandResult:
    """The first voice is told to all, with an address to add theirs at; once a day by or about a seat."""
    said = (Message(noted, terms),)
    if tally.voices == 1:
        for user in list_voters(context.session, context.game, _seat_of(context)):
            told = Message(wanted, {**terms, "by": context.user.name})
            send_master_prompt(
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
    tally = cast_vote(context.services, context.session, context.game, OUT, order.seat, _seat_of(context))
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
