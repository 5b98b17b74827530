"""What the page of a table's masters shows: how it stands, what may be asked for, and what was done."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.kernel.forms import Form
from pbem.common.states import GameState
from pbem.narration.facts import MasterFacts, Message
from pbem.service.access import masters
from pbem.service.access.authority import Authority
from pbem.service.base.services import RequestRefused, Services
from pbem.service.mail.master_mail import send_prompt
from pbem.service.masters import api
from pbem.service.masters.audit import AuditLine, load_entries_of
from pbem.service.masters.command_language import CommandGrammar
from pbem.service.masters.command_list import BY_NAME, COMMANDS, GROUP_OF
from pbem.service.masters.registry import PROGRAM, WEB, CommandContext
from pbem.store.games import load_game as table_of
from pbem.store.games import lock_game
from pbem.store.models import User


@dataclass(frozen=True)
class CommandForm:
    """One act that can be asked for now.  `body`: further lines belong to it; `dangerous`: it is asked for twice.

    `part`: what it is about, as `actions.GROUPS` names it.
    """

    name: str
    form: Form
    body: bool
    dangerous: bool
    part: str


@dataclass(frozen=True)
class MasterPage:
    """All of it.  `status`: for a master alone; `audit`: for everybody at the table, the newest first."""

    authority: Authority
    title: str
    state: GameState
    entry: int
    masters: tuple[str, ...]
    status: MasterFacts | None
    offers: tuple[CommandForm, ...]
    audit: tuple[AuditLine, ...]


def load_page(services: Services, user_id: int, game_id: str, door: str = WEB) -> MasterPage:
    """The page as this person may see it.  A master who looks has given a sign of life; their program has not."""
    if door != PROGRAM:
        _visible_view(services, user_id, game_id)
    with services.db.snapshot() as session:
        game, user = table_of(session, game_id), session.get(User, user_id)
        if game is None or user is None:
            raise RequestRefused("no_such_table")
        standing = masters.authority_of(session, game, user_id)
        context = CommandContext(services, session, game, user, door, commands=COMMANDS)
        asked = api.prepare(services, session, game, user, ["STATUS"], door)
        status = api.is_applicable(context, standing, asked, "", dry=True) if standing.master else None
        return MasterPage(
            standing,
            game.title,
            game.state,
            game.entry,
            tuple(master.name for master in masters.masters_of(session, game)),
            status,
            tuple(_command_forms(context, standing)),
            tuple(reversed(load_entries_of(session, game_id))),
        )


def _visible_view(services: Services, user_id: int, game_id: str) -> None:
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is not None and masters.authority_of(session, game, user_id).master:
            api.record_activity(services, session, game, user_id)


def _command_forms(context: CommandContext, standing: Authority) -> Sequence[CommandForm]:
    offered = CommandGrammar(context).offered(standing, context.game.state)
    known = {name: action for name, action in BY_NAME.items() if not (action.needs_person and context.door == PROGRAM)}
    fit = ((name, form) for name, form in offered if name in known and name != "status")
    return [CommandForm(name, form, known[name].body, known[name].dangerous, GROUP_OF[name]) for name, form in fit]


def send_address(services: Services, user_id: int, game_id: str) -> None:
    """Send a letter with an address to write acts to; raises Refused for a person who is nothing to the table."""
    with services.db.transaction() as session:
        game, user = lock_game(session, game_id), session.get(User, user_id)
        if game is None or user is None or not masters.authority_of(session, game, user_id).any:
            raise RequestRefused("not_your_table")
        send_prompt(services, session, game, user, f"here.{services.now()}", (Message("write_here"),))
    api.enqueue_work(services, game_id, play=False)
