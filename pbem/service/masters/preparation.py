"""How a command is executed: permission, preparation, confirmation, approval by a second person, execution."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, select

from engine.kernel.orders import Problem
from pbem.crypto import new_token
from pbem.narration.facts import MasterCommandResult, Message
from pbem.service.access import permissions
from pbem.service.access.permissions import Authority
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.database_access import run_locked
from pbem.service.base.services import RequestRefused
from pbem.service.mail.notifications import send_master_prompt
from pbem.service.masters import audit
from pbem.service.masters.registry import (
    PROGRAM,
    Command,
    CommandContext,
    CommandGrammar,
    CommandResult,
    ParsedCommand,
    UnreadableLine,
    public_view,
)
from pbem.store.games import occupied_seats
from pbem.store.models import PendingConfirmation, User
from pbem.store.versions import ConflictError

CONFIRMATION_MS: Final = 60 * MINUTE_MS
APPROVAL_MS: Final = 7 * 24 * 60 * MINUTE_MS
"""How long a code is valid: for the author of a command, and for those who may approve it."""
MAX_CHARACTERS: Final = 400
"""The most characters of a command, body included, that others are asked to approve."""


@dataclass(frozen=True)
class Preparation:
    """The result of a command's `prepare`, or its refusal, and the entry of the game that it depends on."""

    entry: int
    preview: Any = None
    refusal: RequestRefused | None = None

    def value(self) -> Any:
        """Return the result. Raises RequestRefused."""
        if self.refusal is not None:
            raise self.refusal
        return self.preview


def prepare(context: CommandContext, command: ParsedCommand) -> Preparation:
    """Do the slow part of a command."""
    try:
        return Preparation(context.game.entry, command.order.prepare(replace(context, body=command.body)))
    except RequestRefused as refused:
        return Preparation(context.game.entry, refusal=refused)


def preview_or_execute(
    context: CommandContext,
    authority: Authority,
    line: ParsedCommand | UnreadableLine,
    words: Sequence[str],
    ahead: Preparation | None,
    *,
    dry: bool,
) -> MasterCommandResult:
    """Execute a command, or return what it would do, or why it is refused.

    `ahead`: what was prepared before the transaction; None: it is prepared here. Raises ConflictError where it does
    not fit the game any more.
    """
    if ahead is not None and ahead.entry != context.game.entry:
        raise ConflictError
    if isinstance(line, UnreadableLine):
        return MasterCommandResult(line.number, line.written, "", "refused", problem=line.problem)
    result, order = MasterCommandResult(line.number, line.written, line.line, "refused"), line.order
    try:
        _check_permission(context, authority, order)
        prepared = ahead or run_locked(lambda: prepare(context, line))
        context = replace(context, body=line.body, preview=prepared.value)
        preview = order.decide(context)
        result = replace(result, said=preview.said, events=preview.events)
        if dry:
            return replace(result, outcome="preview")
        if order.dangerous and not any(_consume_confirmation(context, line, word) for word in words):
            audit.record(context, line, "asked")
            kept = "\n".join((line.written, *line.body))
            word = _issue_confirmation(context, line, kept, needs_approval=False)
            return replace(result, outcome="confirm", word=word)
        if _needs_second_person(context, authority, order):
            return replace(result, outcome="agree", word=_ask_approvers(context, line))
        done = execute(context, line)
    except RequestRefused as refused:
        if not dry and authority.master:
            audit.record(context, line, "refused")
        return _refusal(MasterCommandResult(line.number, line.written, line.line, "refused"), refused)
    return replace(result, outcome="done", said=done.messages, events=done.events)


def _refusal(result: MasterCommandResult, refused: RequestRefused) -> MasterCommandResult:
    """Add the reason; a ruling is refused for a problem of the game's own, in one of its lines."""
    problem = refused.terms.get("problem")
    if not isinstance(problem, Problem):
        return replace(result, said=(Message(f"no_{refused.code}", refused.terms),))
    written = str(refused.terms.get("written", ""))
    return replace(result, problem=problem, said=(Message("no_line_wrong", {"written": written}),) if written else ())


def _check_permission(context: CommandContext, authority: Authority, order: Command) -> None:
    """Raise RequestRefused where this person may not give the command, or not now."""
    if not order.is_for(authority):
        raise RequestRefused("not_master")
    if context.game.state not in order.states:
        raise RequestRefused("not_in_state", state=context.game.state.value)
    if order.needs_person and context.channel == PROGRAM:
        raise RequestRefused("not_by_program")


def execute(context: CommandContext, command: ParsedCommand) -> CommandResult:
    """Execute a command, record it, and notify the players. Raises RequestRefused, and then nothing has happened."""
    with context.session.begin_nested():
        row = audit.record(context, command, "done")
        context = replace(context, dedup_key=f"a{row.id}")
        result = command.order.decide(context).apply()
        row.reason = result.reason[:2000]
        if command.order.is_read_only or result.notified:
            row.announced_at = context.now
        elif result.announce or result.events:
            row.announced_at = context.now
            audit.announce_to_players(context, result, public_view(context))
    return result


# --- confirmation


def _find_pending(context: CommandContext, word: str, *which: ColumnElement[bool]) -> PendingConfirmation | None:
    query = select(PendingConfirmation).where(
        PendingConfirmation.game_id == context.game.id,
        PendingConfirmation.code == word,
        PendingConfirmation.used_at.is_(None),
        *which,
    )
    return context.session.scalars(query).one_or_none()


def _load_unconfirmed(context: CommandContext, word: str) -> PendingConfirmation:
    """Return the command of this person that waits to be confirmed with this code. Raises RequestRefused."""
    own = PendingConfirmation.user_id == context.user.id, PendingConfirmation.needs_approval.is_(False)
    row = _find_pending(context, word, *own)
    if row is None or row.created_at + CONFIRMATION_MS < context.now:
        raise RequestRefused("no_such_word")
    if row.entry != context.game.entry:
        raise RequestRefused("word_of_then")
    return row


def unconfirmed_lines(context: CommandContext, word: str) -> list[str]:
    """Return the lines of a command that its author confirms with this code. Raises RequestRefused."""
    return _load_unconfirmed(context, word).line.split("\n")


def _consume_confirmation(context: CommandContext, command: ParsedCommand, word: str) -> bool:
    """Use the code of the same command by the same person. Return False where there is none; a code works once."""
    try:
        row = _load_unconfirmed(context, word)
    except RequestRefused:
        return False
    if row.digest != command.digest:
        return False
    row.used_at, row.line = context.now, ""
    return True


def _issue_confirmation(context: CommandContext, command: ParsedCommand, line: str, *, needs_approval: bool) -> str:
    """Create a code that confirms a command, which is kept with it; those that have expired are deleted."""
    context.session.execute(
        delete(PendingConfirmation).where(
            PendingConfirmation.game_id == context.game.id, PendingConfirmation.created_at + APPROVAL_MS < context.now
        )
    )
    word = new_token()[:6]
    context.session.add(
        PendingConfirmation(
            game_id=context.game.id,
            user_id=context.user.id,
            code=word,
            digest=command.digest,
            line=line,
            needs_approval=needs_approval,
            entry=context.game.entry,
            created_at=context.now,
        )
    )
    context.session.flush()
    return word.upper()


# --- approval by a second person


def _needs_second_person(context: CommandContext, authority: Authority, order: Command) -> bool:
    """Return True if another person must approve. Raises RequestRefused where nobody could."""
    two = order.needs_second and permissions.load_master_settings(context.session, context.game).requires_second_master
    if two and len(permissions.masters_of(context.session, context.game)) < 2:
        if order.adds_master:
            return False
        raise RequestRefused("no_second_master")
    return two or (order.needs_consent and authority.seat is not None)


def _ask_approvers(context: CommandContext, command: ParsedCommand) -> str:
    """Email everybody who may approve the code, and an address to approve at. Return the code."""
    lines = "\n".join((command.line, *command.body))
    if len(lines) > MAX_CHARACTERS:
        raise RequestRefused("agree_too_long")
    word = _issue_confirmation(context, command, lines, needs_approval=True)
    audit.record(context, command, "waits")
    messages = (Message("agree_wanted", {"name": context.author, "line": _join_lines(lines), "word": word}),)
    for user in _list_approvers(context, command.order):
        send_master_prompt(context.services, context.session, context.game, user, f"agree.{word}", messages)
    return word


def _list_approvers(context: CommandContext, order: Command) -> tuple[User, ...]:
    """Return the other masters; for a playing master without a second one, all other players too."""
    people = {user.id: user for user in permissions.masters_of(context.session, context.game)}
    if not (
        order.needs_second and permissions.load_master_settings(context.session, context.game).requires_second_master
    ):
        people |= {user.id: user for _, user in occupied_seats(context.session, context.game.id)}
    return tuple(user for user in people.values() if user.id != context.user.id)


def _load_pending(context: CommandContext, word: str) -> PendingConfirmation:
    """Return the command that waits for approval with this code. Raises RequestRefused."""
    row = _find_pending(context, word.strip().strip('".').lower(), PendingConfirmation.needs_approval.is_(True))
    if row is None or row.created_at + APPROVAL_MS < context.now:
        raise RequestRefused("no_such_word")
    if row.entry != context.game.entry:
        raise RequestRefused("word_of_then")
    return row


def command_line(context: CommandContext, word: str) -> str:
    """Return a command that waits for approval, on one line. Raises RequestRefused."""
    return _join_lines(_load_pending(context, word).line)


def _join_lines(lines: str) -> str:
    return " / ".join(lines.splitlines())


def approve(context: CommandContext, word: str) -> CommandResult:
    """Execute a command that another person asked for, in its author's name. Raises RequestRefused."""
    row = _load_pending(context, word)
    author = replace(context, user=context.session.get_one(User, row.user_id))
    lines = CommandGrammar(author).parse(row.line.splitlines()).lines
    if len(lines) != 1 or not isinstance(lines[0], ParsedCommand):
        raise RequestRefused("no_such_word")
    command = lines[0]
    if context.user.id not in {user.id for user in _list_approvers(author, command.order)}:
        raise RequestRefused("not_yours_to_agree")
    authority = permissions.authority_of(context.session, context.game, row.user_id)
    _check_permission(author, authority, command.order)
    row.used_at, row.approved_by = context.now, context.user.id
    return execute(replace(author, body=command.body, preview=prepare(author, command).value), command)
