"""The doors: pages, letters and the operator's command line come in here with lines, and get the same answer.

An act is done in the transaction that has locked the game, or not at all; each act of a letter by itself.  A dangerous
one is asked for twice: the first time it is said what it would do, with a word; it is done when the same act comes
again with the word, from the same person, within half an hour, while the game stands where it stood.

Also the list of all that can be asked for, and the page of a master.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.forms import Form
from pbem.common.addresses import normalize
from pbem.common.cpu_budget import ANSWER_S, checked, limit, limit_lines
from pbem.common.states import GameState
from pbem.common.text import strip_invisible
from pbem.narration.facts import MasterFacts, Message
from pbem.service.access import permissions
from pbem.service.access.permissions import Authority
from pbem.service.base.database_access import retry_on_conflict, run_locked
from pbem.service.base.services import RequestRefused, Services
from pbem.service.mail.notifications import master_context, send_master_prompt
from pbem.service.mail.outbox import enqueue
from pbem.service.masters import (
    clock,
    people,
    player_commands,
    preparation,
    registry,
    ruling,
    seats,
    table,
)
from pbem.service.masters.audit import AuditLine, load_entries_of
from pbem.service.masters.registry import (
    MAIL,
    PROGRAM,
    WEB,
    CommandContext,
    CommandGrammar,
    CommandSpec,
    ParsedCommand,
    ParsedCommands,
    UnreadableLine,
    public_view,
)
from pbem.store.games import load_game as table_of
from pbem.store.games import lock_game
from pbem.store.models import Game, User
from pbem.store.versions import ConflictError

GROUPS: Final[Mapping[str, tuple[CommandSpec, ...]]] = {
    "clock": clock.COMMANDS,
    "people": people.COMMANDS,
    "seats": seats.COMMANDS,
    "players": player_commands.COMMANDS,
    "ruling": ruling.COMMANDS,
    "table": table.COMMANDS,
}
"""By what they are about, in the order in which help lists them."""

COMMANDS: Final[tuple[CommandSpec, ...]] = tuple(action for part in GROUPS.values() for action in part)

BY_NAME: Final[Mapping[str, CommandSpec]] = {action.name: action for action in COMMANDS}

GROUP_OF: Final[Mapping[str, str]] = {action.name: part for part, actions in GROUPS.items() for action in actions}


MAX_COMMANDS: Final = 40


@dataclass(frozen=True)
class PreparedCommands:
    """Lines as they were read before their transaction, and what was found for each act.  `forms`: help, if asked.

    `ahead`: None where each act's part is done in its turn, under the lock.
    """

    reading: ParsedCommands
    ahead: tuple[preparation.Preparation, ...] | None
    forms: tuple[tuple[str, str], ...]


def parse_commands(services: Services, game_id: str, user_id: int, lines: Sequence[str]) -> ParsedCommands:
    """What lines say at this table; raises Refused for a person who is nothing to it."""
    limit_lines(lines)
    with services.db.snapshot() as session, limit(ANSWER_S):
        game, user, _ = _load_known(session, table_of(session, game_id), user_id)
        return _command_grammar(services, session, game, user, MAIL).read(
            [strip_invisible(line) for line in checked(lines)]
        )


def preview_commands(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], door: str = registry.WEB
) -> MasterFacts:
    """What lines would do; nothing is kept.  Raises Refused for a person who is nothing to the table."""
    limit_lines(lines)
    with services.db.snapshot() as session, limit(ANSWER_S):
        game, user, standing = _load_known(session, table_of(session, game_id), user_id)
        found = prepare(services, session, game, user, lines, door)
        return run_commands(_act_context(services, session, game, user, door), standing, found, "", dry=True)


def execute(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], confirm: str = "", door: str = registry.WEB
) -> MasterFacts:
    """Do what lines ask for; raises Refused for a person who is nothing to the table.

    `confirm`: the word of what was asked for before; a line CONFIRM says the same.
    """
    limit_lines(lines)

    def before(session: Session) -> PreparedCommands:
        game, user, _ = _load_known(session, table_of(session, game_id), user_id)
        return prepare(services, session, game, user, lines, door)

    def done(session: Session, found: PreparedCommands, last: bool) -> tuple[MasterFacts, bool]:
        game, user, standing = _load_known(session, lock_game(session, game_id), user_id)
        if last:
            found = run_locked(lambda: prepare(services, session, game, user, lines, door, ahead=False))
        facts = run_commands(_act_context(services, session, game, user, door), standing, found, confirm)
        return facts, game.play_wanted is not None

    with limit(ANSWER_S):
        facts, wanted = retry_on_conflict(services.db, before, done)
    enqueue_work(services, game_id, play=wanted)
    return facts


def find_acting_master(services: Services, game_id: str, address: str = "") -> int:
    """The number of the person who acts from the operator's command line: by address, else the first master."""
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if game is None:
            raise RequestRefused("no_such_table")
        if not address:
            return permissions.masters_of(session, game)[0].id
        found = session.scalars(select(User).where(User.address == normalize(address))).one_or_none()
        if found is None:
            raise RequestRefused("no_such_person")
        return found.id


def enqueue_work(services: Services, game_id: str, *, play: bool) -> None:
    """After the commit: letters may go out, and play may have work."""
    services.enqueue("send_outbound_emails", "")
    if play:
        services.enqueue("resolve_game", game_id)


def _load_known(session: Session, game: Game | None, user_id: int) -> tuple[Game, User, Authority]:
    """The table, who acts, and what they are to it; raises Refused."""
    user = session.get(User, user_id)
    if game is None or user is None:
        raise RequestRefused("no_such_table")
    standing = permissions.authority_of(session, game, user_id)
    if not standing.any:
        raise RequestRefused("not_your_table")
    return game, user, standing


def _act_context(services: Services, session: Session, game: Game, user: User, door: str) -> CommandContext:
    return CommandContext(services, session, game, user, door, commands=COMMANDS)


def _command_grammar(services: Services, session: Session, game: Game, user: User, door: str) -> CommandGrammar:
    return CommandGrammar(_act_context(services, session, game, user, door))


def prepare(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    lines: Sequence[str],
    door: str = MAIL,
    *,
    ahead: bool = True,
) -> PreparedCommands:
    """Read lines, and do `ahead` what takes long for their acts; nothing is changed.  Raises Overspent."""
    context, standing = (
        _act_context(services, session, game, user, door),
        permissions.authority_of(session, game, user.id),
    )
    speech = CommandGrammar(context)
    reading = speech.read([strip_invisible(line) for line in checked(limit_lines(lines))])
    found = (
        tuple(_prepare_one(context, standing, one) for one in checked(reading.lines[:MAX_COMMANDS])) if ahead else None
    )
    helped = reading.help_requested or not (reading.lines or reading.confirm)
    return PreparedCommands(reading, found, speech.help(standing) if helped else ())


def _prepare_one(
    context: CommandContext, standing: Authority, one: ParsedCommand | UnreadableLine
) -> preparation.Preparation:
    if not isinstance(one, ParsedCommand) or not one.action.is_for(standing):
        return preparation.Preparation(context.game.entry)
    return preparation.prepare(context, one)


# --- one letter's lines


def run_commands(
    context: CommandContext,
    standing: Authority,
    found: PreparedCommands,
    confirm: str,
    *,
    dry: bool = False,
    token: str = "",
) -> MasterFacts:
    """Do lines one after the other; the answer to their author.  Raises Outrun where what was found does not fit."""
    reading = found.reading
    if not dry and standing.master:
        record_activity(context.services, context.session, context.game, context.user.id)
    word = strip_invisible(confirm or reading.confirm).strip().strip('".').lower()
    acts = reading.lines[:MAX_COMMANDS]
    done = tuple(
        preparation.preview_or_execute(context, standing, one, word, found.ahead[n] if found.ahead else None, dry=dry)
        for n, one in enumerate(acts)
    )
    lead = (Message("confirm_alone"),) if not done and reading.confirm else ()
    asked = any(one.outcome == "confirm" for one in done)
    return MasterFacts(
        master_context(context.services, context.session, context.game, context.user, token, standing.seat or ""),
        done,
        reading.skipped,
        lead,
        public_view(context),
        found.forms,
        (context.now + preparation.CONFIRMATION_MS) // 1000 if asked else None,
    )


def record_activity(services: Services, session: Session, game: Game, user_id: int) -> None:
    """A sign of life of a master: nobody need call them, or elect another."""
    permissions.record_master_activity(services, session, game, user_id)
    player_commands.cancel_elections(session, game)


def execute_email(
    services: Services, session: Session, game: Game, user: User, key: str, found: PreparedCommands | None, token: str
) -> None:
    """A letter to such an address: its lines are done, and its answer says how to go on.  Raises Outrun."""
    standing = permissions.authority_of(session, game, user.id)
    if not standing.any:
        said = (Message("no_not_your_table"),)
        facts = MasterFacts(master_context(services, session, game, user, ""), lead=said)
    elif found is None:
        raise ConflictError
    else:
        facts = run_commands(_act_context(services, session, game, user, MAIL), standing, found, "", token=token)
    enqueue(
        services,
        session,
        key=f"master.{key}",
        kind="master",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


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


def load_master_page(services: Services, user_id: int, game_id: str, door: str = WEB) -> MasterPage:
    """The page as this person may see it.  A master who looks has given a sign of life; their program has not."""
    if door != PROGRAM:
        _visible_view(services, user_id, game_id)
    with services.db.snapshot() as session:
        game, user = table_of(session, game_id), session.get(User, user_id)
        if game is None or user is None:
            raise RequestRefused("no_such_table")
        standing = permissions.authority_of(session, game, user_id)
        context = CommandContext(services, session, game, user, door, commands=COMMANDS)
        asked = prepare(services, session, game, user, ["STATUS"], door)
        status = run_commands(context, standing, asked, "", dry=True) if standing.master else None
        return MasterPage(
            standing,
            game.title,
            game.state,
            game.entry,
            tuple(master.name for master in permissions.masters_of(session, game)),
            status,
            tuple(_command_forms(context, standing)),
            tuple(reversed(load_entries_of(session, game_id))),
        )


def _visible_view(services: Services, user_id: int, game_id: str) -> None:
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is not None and permissions.authority_of(session, game, user_id).master:
            record_activity(services, session, game, user_id)


def _command_forms(context: CommandContext, standing: Authority) -> Sequence[CommandForm]:
    offered = CommandGrammar(context).offered(standing, context.game.state)
    known = {name: action for name, action in BY_NAME.items() if not (action.needs_person and context.door == PROGRAM)}
    fit = ((name, form) for name, form in offered if name in known and name != "status")
    return [CommandForm(name, form, known[name].body, known[name].dangerous, GROUP_OF[name]) for name, form in fit]


def send_address(services: Services, user_id: int, game_id: str) -> None:
    """Send a letter with an address to write acts to; raises Refused for a person who is nothing to the table."""
    with services.db.transaction() as session:
        game, user = lock_game(session, game_id), session.get(User, user_id)
        if game is None or user is None or not permissions.authority_of(session, game, user_id).any:
            raise RequestRefused("not_your_table")
        send_master_prompt(services, session, game, user, f"here.{services.now()}", (Message("write_here"),))
    enqueue_work(services, game_id, play=False)
