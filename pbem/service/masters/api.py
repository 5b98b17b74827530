"""Commands of game masters, as pages, emails, the API and the operator's command line give them, with one answer.

Each command is executed in a transaction that has locked the game, or not at all.  A dangerous one is kept with a code
and executed when the code comes back, alone or with it, from the same person, within an hour, at the same entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.forms import Form
from engine.kernel.printing import HelpRow
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
    ruling_commands,
    rulings,
    seats,
    table,
)
from pbem.service.masters.audit import AuditLine, load_entries
from pbem.service.masters.registry import (
    MAIL,
    PROGRAM,
    WEB,
    Command,
    CommandContext,
    CommandGrammar,
    ParsedCommand,
    ParsedCommands,
    UnreadableLine,
    public_view,
)
from pbem.store.games import load_game, lock_game, name_at_table
from pbem.store.models import Game, User
from pbem.store.versions import ConflictError

GROUPS: Final[Mapping[str, tuple[type[Command], ...]]] = {
    "clock": clock.COMMANDS,
    "people": people.COMMANDS,
    "seats": seats.COMMANDS,
    "players": player_commands.COMMANDS,
    "ruling": ruling_commands.COMMANDS,
    "table": table.COMMANDS,
}
"""All commands by subject, in the order in which help lists them."""

COMMANDS: Final[tuple[type[Command], ...]] = tuple(command for group in GROUPS.values() for command in group)

MAX_COMMANDS: Final = 40


@dataclass(frozen=True)
class PreparedCommands:
    """Parsed lines with what was prepared for each command, and the help for commands, where it was asked for.

    `preparations`: None where each command is prepared in its turn, under the lock. `lead`: what precedes the answer.
    `corrections`: the help for the lines of CORRECT.
    """

    reading: ParsedCommands
    preparations: tuple[preparation.Preparation, ...] | None
    forms: tuple[tuple[str, str], ...] = ()
    lead: tuple[Message, ...] = ()
    corrections: tuple[HelpRow, ...] = ()


def preview_commands(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], channel: str = WEB
) -> MasterFacts:
    """Return what lines would do; nothing is stored. Raises RequestRefused for a person without a role in the game."""
    limit_lines(lines)
    with services.db.snapshot() as session, limit(ANSWER_S):
        context, authority = _load_context(services, session, load_game(session, game_id), user_id, channel)
        return run_commands(context, authority, _prepare_lines(context, authority, lines), dry=True)


def execute(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], confirm: str = "", channel: str = WEB
) -> MasterFacts:
    """Execute lines. Raises RequestRefused for a person without a role in the game.

    `confirm`: the code of a command that was given before; a line CONFIRM does the same.
    """
    limit_lines(lines)

    def before(session: Session) -> PreparedCommands:
        context, authority = _load_context(services, session, load_game(session, game_id), user_id, channel)
        return _prepare_lines(context, authority, lines, confirm)

    def commit(session: Session, prepared: PreparedCommands, last: bool) -> tuple[MasterFacts, bool]:
        context, authority = _load_context(services, session, lock_game(session, game_id), user_id, channel)
        if last:
            prepared = run_locked(lambda: _prepare_lines(context, authority, lines, confirm, ahead=False))
        return run_commands(context, authority, prepared), context.game.resolve_requested_at is not None

    with limit(ANSWER_S):
        facts, wanted = retry_on_conflict(services.db, before, commit)
    enqueue_work(services, game_id, resolve=wanted)
    return facts


def find_acting_master(services: Services, game_id: str, address: str = "") -> int:
    """Return the user for whom the operator acts: the one with this address, else the first master.

    Raises RequestRefused.
    """
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if game is None:
            raise RequestRefused("no_such_table")
        if address:
            user = session.scalars(select(User).where(User.email == normalize(address))).one_or_none()
        else:
            user = next(iter(permissions.masters_of(session, game)), None)
        if user is None:
            raise RequestRefused("no_such_person")
        return user.id


def enqueue_work(services: Services, game_id: str, *, resolve: bool) -> None:
    """Wake the mailer, and the resolver where there is work for it. Call it after the commit."""
    services.enqueue("send_outbound_emails", "")
    if resolve:
        services.enqueue("resolve_game", game_id)


def _load_context(
    services: Services, session: Session, game: Game | None, user_id: int, channel: str
) -> tuple[CommandContext, Authority]:
    """Return the context of a person's commands, and their authority. Raises RequestRefused."""
    user = session.get(User, user_id)
    if game is None or user is None:
        raise RequestRefused("no_such_table")
    authority = permissions.authority_of(session, game, user_id)
    if not authority.any:
        raise RequestRefused("not_your_table")
    return CommandContext(services, session, game, user, channel, commands=COMMANDS), authority


def prepare(
    services: Services, session: Session, game: Game, user: User, lines: Sequence[str], *, ahead: bool = True
) -> PreparedCommands:
    """Parse the lines of an email, and do the slow parts of its commands `ahead`. Raises BudgetExceeded."""
    context = CommandContext(services, session, game, user, MAIL, commands=COMMANDS)
    return _prepare_lines(context, permissions.authority_of(session, game, user.id), lines, ahead=ahead)


def _prepare_lines(
    context: CommandContext, authority: Authority, lines: Sequence[str], confirm: str = "", *, ahead: bool = True
) -> PreparedCommands:
    """Parse lines, and do the slow parts of their commands `ahead`. Changes nothing. Raises BudgetExceeded."""
    grammar = CommandGrammar(context)
    reading = grammar.parse([strip_invisible(line) for line in checked(limit_lines(lines))])
    if code := strip_invisible(confirm).strip().lower():
        reading = replace(reading, codes=(*reading.codes, code))
    reading, lead = _add_unconfirmed(context, grammar, reading)
    prepared = None
    if ahead:
        prepared = tuple(_prepare_line(context, authority, line) for line in checked(reading.lines[:MAX_COMMANDS]))
    if reading.help_requested:
        lead = lead if reading.lines else (*lead, Message("help"))
        corrections = _list_corrections(context, authority)
        return PreparedCommands(reading, prepared, grammar.help(authority), lead, corrections)
    is_empty = not (reading.lines or reading.codes)
    return PreparedCommands(reading, prepared, grammar.help(authority) if is_empty else (), lead)


def _list_corrections(context: CommandContext, authority: Authority) -> tuple[HelpRow, ...]:
    """Return the help for the lines of CORRECT, for a person who may give it now."""
    if not _may_correct(context, authority):
        return ()
    return rulings.list_corrections(context.services, context.session, context.game, context.user.language)


def _may_correct(context: CommandContext, authority: Authority) -> bool:
    return ruling_commands.CorrectState.is_for(authority) and context.game.state == GameState.RUNNING


def _add_unconfirmed(
    context: CommandContext, grammar: CommandGrammar, reading: ParsedCommands
) -> tuple[ParsedCommands, tuple[Message, ...]]:
    """Add the commands that lines confirm by their codes alone; also return why a code confirms nothing.

    A code next to a command that asks twice, or to a line that cannot be read, is of that line or of none.
    """
    if any(not isinstance(line, ParsedCommand) or line.order.dangerous for line in reading.lines):
        return reading, ()
    kept: list[ParsedCommand | UnreadableLine] = []
    refused: list[Message] = []
    for code in dict.fromkeys(reading.codes):
        try:
            lines = grammar.parse(preparation.unconfirmed_lines(context, code)).lines
        except RequestRefused as error:
            refused.append(Message(f"no_{error.code}"))
        else:
            kept += (replace(line, number=len(kept) + n) for n, line in enumerate(lines, 1))
    return replace(reading, lines=(*kept, *reading.lines)), tuple(refused)


def _prepare_line(
    context: CommandContext, authority: Authority, line: ParsedCommand | UnreadableLine
) -> preparation.Preparation:
    if not isinstance(line, ParsedCommand) or not line.order.is_for(authority):
        return preparation.Preparation(context.game.entry)
    return preparation.prepare(context, line)


def run_commands(
    context: CommandContext,
    authority: Authority,
    prepared: PreparedCommands,
    *,
    dry: bool = False,
    token: str = "",
) -> MasterFacts:
    """Execute or preview lines one by one, and return the answer to their author.

    Raises ConflictError where what was prepared does not fit the game any more.
    """
    reading = prepared.reading
    if not dry and authority.master:
        record_activity(context.services, context.session, context.game, context.user.id)
    ahead = prepared.preparations or (None,) * MAX_COMMANDS
    results = tuple(
        preparation.preview_or_execute(context, authority, line, reading.codes, prepared_line, dry=dry)
        for line, prepared_line in zip(reading.lines[:MAX_COMMANDS], ahead, strict=False)
    )
    unconfirmed = any(result.outcome == "confirm" for result in results)
    return MasterFacts(
        master_context(context.services, context.session, context.game, context.user, token, authority.seat or ""),
        results,
        reading.skipped,
        prepared.lead,
        public_view(context),
        prepared.forms,
        (context.now + preparation.CONFIRMATION_MS) // 1000 if unconfirmed else None,
        tuple((row.usage, row.about, row.example) for row in prepared.corrections),
    )


def record_activity(services: Services, session: Session, game: Game, user_id: int) -> None:
    """Record that a master is active: calls for a master and elections end."""
    permissions.record_master_activity(services, session, game, user_id)
    player_commands.cancel_elections(session, game)


def execute_email(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    key: str,
    prepared: PreparedCommands | None,
    token: str,
) -> None:
    """Execute the lines of an email and enqueue the answer, with `token` to write more to. Raises ConflictError."""
    try:
        context, authority = _load_context(services, session, game, user.id, MAIL)
    except RequestRefused:
        facts = MasterFacts(master_context(services, session, game, user, ""), lead=(Message("no_not_your_table"),))
    else:
        if prepared is None:
            raise ConflictError
        facts = run_commands(context, authority, prepared, token=token)
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


def find_misplaced_commands(
    services: Services, session: Session, game: Game, user: User, lines: Sequence[str]
) -> tuple[str, ...]:
    """Return the commands among lines that a master wrote to the address of their own seat, and that are no orders."""
    if not lines or not permissions.is_master(session, game, user.id):
        return ()
    context = CommandContext(services, session, game, user, MAIL, commands=COMMANDS)
    reading = CommandGrammar(context).parse(limit_lines(lines))
    return tuple(line.written for line in reading.lines[:MAX_COMMANDS] if isinstance(line, ParsedCommand))


def redirect_commands(
    services: Services, session: Session, game: Game, user: User, key: str, commands: Sequence[str]
) -> None:
    """Email a master the address that takes the commands which they wrote to their seat; none is executed."""
    if commands:
        messages = (Message("write_there", {"line": " / ".join(commands)}),)
        send_master_prompt(services, session, game, user, f"there.{key}", messages)


@dataclass(frozen=True)
class CommandForm:
    """A command that can be given now. `group`: its group; `body`: further lines belong to it."""

    name: str
    form: Form
    body: bool
    is_dangerous: bool
    group: str


@dataclass(frozen=True)
class MasterPage:
    """The page of a master. `status`: for a master alone; `audit`: for everybody in the game, the newest first.

    `corrections`: the forms of the lines of CORRECT, and `figures`: what stands now, by seat and name, if they were
    asked for.
    """

    authority: Authority
    title: str
    state: GameState
    entry: int
    masters: tuple[str, ...]
    status: MasterFacts | None
    command_forms: tuple[CommandForm, ...]
    audit: tuple[AuditLine, ...]
    corrections: tuple[Form, ...] = ()
    figures: Mapping[tuple[str, str], int] = field(default_factory=dict)


def load_master_page(
    services: Services, user_id: int, game_id: str, channel: str = WEB, *, corrections: bool = False
) -> MasterPage:
    """Load the page for a person, with the forms of `corrections` if that is asked for: they read the whole position.

    A visit counts as activity of a master; an API call does not.
    """
    if channel != PROGRAM:
        _record_visit(services, user_id, game_id)
    with services.db.snapshot() as session:
        game, user = load_game(session, game_id), session.get(User, user_id)
        if game is None or user is None:
            raise RequestRefused("no_such_table")
        authority = permissions.authority_of(session, game, user_id)
        context = CommandContext(services, session, game, user, channel, commands=COMMANDS)
        status = None
        if authority.master:
            status = run_commands(context, authority, _prepare_lines(context, authority, ["STATUS"]), dry=True)
        return MasterPage(
            authority,
            game.title,
            game.state,
            game.entry,
            tuple(name_at_table(session, game, master) for master in permissions.masters_of(session, game)),
            status,
            tuple(_command_forms(context, authority)),
            load_entries(session, game_id),
            *(rulings.load_forms(services, session, game) if corrections and _may_correct(context, authority) else ()),
        )


def _record_visit(services: Services, user_id: int, game_id: str) -> None:
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is not None and permissions.authority_of(session, game, user_id).master:
            record_activity(services, session, game, user_id)


def _command_forms(context: CommandContext, authority: Authority) -> Iterator[CommandForm]:
    for group, commands in GROUPS.items():
        for command in commands:
            allowed = command.is_for(authority) and context.game.state in command.states and command.name != "status"
            if allowed and not (command.needs_person and context.channel == PROGRAM):
                form = command.form(context)
                yield CommandForm(command.name, form, command.has_body, command.dangerous, group)


def send_address(services: Services, user_id: int, game_id: str) -> None:
    """Email a person an address for commands. Raises RequestRefused for a person without a role in the game."""
    with services.db.transaction() as session:
        context, _ = _load_context(services, session, lock_game(session, game_id), user_id, WEB)
        messages = (Message("write_here"),)
        send_master_prompt(services, session, context.game, context.user, f"here.{services.now()}", messages)
    enqueue_work(services, game_id, resolve=False)
