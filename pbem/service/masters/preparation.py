"""One act on its way: who may ask for it, asking twice, a second person, and doing it."""

from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import delete, select

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
    CommandContext,
    CommandGrammar,
    CommandResult,
    CommandSpec,
    ParsedCommand,
    UnreadableLine,
    public_view,
)
from pbem.store.models import PendingConfirmation, User
from pbem.store.versions import ConflictError

CONFIRMATION_MS: Final = 30 * MINUTE_MS
APPROVAL_MS: Final = 7 * 24 * 60 * MINUTE_MS
"""How long a word holds: for the person who asked, and for the one who must agree."""
MAX_APPROVALS: Final = 400
"""The longest act, with the lines that belong to it, that another person may be asked to agree to."""


@dataclass(frozen=True)
class Preparation:
    """What was found for an act before its transaction, or why it cannot be, while the game stood at an entry."""

    entry: int
    preview: Any = None
    refused: RequestRefused | None = None

    def value(self) -> Any:
        """What was found; raises Refused."""
        if self.refused is not None:
            raise self.refused
        return self.preview


def prepare(context: CommandContext, one: ParsedCommand) -> Preparation:
    """Do the part of an act's work that takes long."""
    if one.action.ahead is None:
        return Preparation(context.game.entry)
    try:
        return Preparation(context.game.entry, one.action.ahead(replace(context, body=one.body), one.order))
    except RequestRefused as refused:
        return Preparation(context.game.entry, refused=refused)


def preview_or_execute(
    context: CommandContext,
    standing: Authority,
    one: ParsedCommand | UnreadableLine,
    word: str,
    ahead: Preparation | None,
    *,
    dry: bool,
) -> MasterCommandResult:
    """Do one act, or say what it would do, or why it cannot be.

    Raises Outrun where what was found `ahead` does not fit any more; None: it is found here.
    """
    if ahead is not None and ahead.entry != context.game.entry:
        raise ConflictError
    if isinstance(one, UnreadableLine):
        return MasterCommandResult(one.number, one.written, "", "refused", problem=one.problem)
    shown = MasterCommandResult(one.number, one.written, one.line, "refused")
    try:
        _check_permission(context, standing, one.action)
        at = replace(context, body=one.body, preview=(ahead or run_locked(lambda: prepare(context, one))).value)
        would = one.action.would(at, one.order)
        if dry:
            return replace(shown, outcome="preview", said=would.said, events=would.events)
        if one.action.dangerous and not _consume_confirmation(at, one, word):
            audit.record(at, one, "asked")
            return replace(
                shown, outcome="confirm", said=would.said, events=would.events, word=_issue_confirmation(at, one)
            )
        if _needs_second_person(at, standing, one.action):
            return replace(shown, outcome="agree", said=would.said, events=would.events, word=_ask_approvers(at, one))
        outcome = execute(at, one)
    except RequestRefused as refused:
        if not dry and standing.master:
            audit.record(context, one, "refused")
        return _refusal(shown, refused)
    return replace(shown, outcome="done", said=outcome.said, events=outcome.events)


def _refusal(shown: MasterCommandResult, refused: RequestRefused) -> MasterCommandResult:
    """Why not; a ruling is refused for a problem of the game's own, in one of its lines."""
    problem = refused.terms.get("problem")
    if not isinstance(problem, Problem):
        return replace(shown, said=(Message(f"no_{refused.code}", refused.terms),))
    written = str(refused.terms.get("written", ""))
    return replace(shown, problem=problem, said=(Message("no_line_wrong", {"written": written}),) if written else ())


def _check_permission(context: CommandContext, standing: Authority, action: CommandSpec) -> None:
    """Raise Refused where this person may not ask for it, or not now."""
    if not action.is_for(standing):
        raise RequestRefused("not_master")
    if context.game.state not in action.states:
        raise RequestRefused("not_in_state", state=context.game.state.value)
    if action.needs_person and context.door == PROGRAM:
        raise RequestRefused("not_by_program")


def execute(context: CommandContext, one: ParsedCommand) -> CommandResult:
    """Do an act, write it down, and tell everybody; raises Refused, and then nothing of it has happened."""
    with context.session.begin_nested():
        row = audit.record(context, one, "done")
        context = replace(context, dedup_key=f"a{row.id}")
        outcome = one.action.do(context, one.order)
        row.reason = outcome.reason[:2000]
        if one.action.is_read_only or outcome.notified:
            row.told_at = context.now
        elif outcome.announce or outcome.events:
            row.told_at = context.now
            audit.announce_to_players(context, outcome, public_view(context))
    return outcome


# --- asking twice


def _consume_confirmation(context: CommandContext, one: ParsedCommand, word: str) -> bool:
    """Return True if this very act was asked for before by the same person, and its word is given; a word acts once."""
    if not word:
        return False
    asked = (
        PendingConfirmation.game_id == context.game.id,
        PendingConfirmation.word == word,
        PendingConfirmation.used_at.is_(None),
    )
    row = context.session.scalars(
        select(PendingConfirmation).where(*asked, PendingConfirmation.user_id == context.user.id)
    ).one_or_none()
    fits = row is not None and row.digest == one.digest and row.entry == context.game.entry
    if row is None or not fits or row.made_at + CONFIRMATION_MS < context.now:
        return False
    row.used_at = context.now
    return True


def _issue_confirmation(context: CommandContext, one: ParsedCommand, line: str = "") -> str:
    """A fresh word for an act; it says nothing by itself."""
    word = new_token()[:6]
    context.session.add(
        PendingConfirmation(
            game_id=context.game.id,
            user_id=context.user.id,
            word=word,
            digest=one.digest,
            line=line,
            entry=context.game.entry,
            made_at=context.now,
        )
    )
    context.session.flush()
    return word.upper()


# --- a second person


def _needs_second_person(context: CommandContext, standing: Authority, action: CommandSpec) -> bool:
    """Return True if another person must agree; raises Refused where nobody could."""
    two = action.needs_second and permissions.load_master_settings(context.session, context.game).two
    plays = action.needs_consent and standing.seat is not None
    if two and len(permissions.masters_of(context.session, context.game)) < 2:
        raise RequestRefused("no_second_master")
    return two or plays


def _ask_approvers(context: CommandContext, one: ParsedCommand) -> str:
    """Everybody who may agree gets a letter with the word, and an address to agree at."""
    context.session.execute(
        delete(PendingConfirmation).where(
            PendingConfirmation.game_id == context.game.id, PendingConfirmation.made_at + APPROVAL_MS < context.now
        )
    )
    whole = "\n".join((one.line, *one.body))
    if len(whole) > MAX_APPROVALS:
        raise RequestRefused("agree_too_long")
    word = _issue_confirmation(context, one, whole)
    audit.record(context, one, "waits")
    said = (Message("agree_wanted", {"name": context.user.name, "line": _join_lines(whole), "word": word}),)
    for user in _list_approvers(context, one.action):
        send_master_prompt(context.services, context.session, context.game, user, f"agree.{word}", said)
    return word


def _list_approvers(context: CommandContext, action: CommandSpec) -> tuple[User, ...]:
    """The people who may agree: another master; or, for a playing master without a second one, any other player."""
    others = [user for user in permissions.masters_of(context.session, context.game) if user.id != context.user.id]
    if action.needs_second and permissions.load_master_settings(context.session, context.game).two:
        return tuple(others)
    players = audit.load_players(context.session, context.game)
    known = {user.id: user for user in (*others, *players) if user.id != context.user.id}
    return tuple(known.values())


def _load_confirmation(context: CommandContext, word: str) -> PendingConfirmation:
    """The act that waits for consent with this word; raises Refused."""
    asked = (
        PendingConfirmation.game_id == context.game.id,
        PendingConfirmation.word == word.strip().strip('".').lower(),
        PendingConfirmation.used_at.is_(None),
    )
    row = context.session.scalars(
        select(PendingConfirmation).where(*asked, PendingConfirmation.line != "")
    ).one_or_none()
    if row is None or row.made_at + APPROVAL_MS < context.now:
        raise RequestRefused("no_such_word")
    if row.entry != context.game.entry:
        raise RequestRefused("word_of_then")
    return row


def command_line(context: CommandContext, word: str) -> str:
    """An act that waits for consent, on one line; raises Refused."""
    return _join_lines(_load_confirmation(context, word).line)


def _join_lines(whole: str) -> str:
    """An act with the lines that belong to it, as a sentence shows it."""
    return " / ".join(whole.splitlines())


def approve(context: CommandContext, word: str) -> CommandResult:
    """Another person agrees to an act that waits for it: it is done now, in its author's name; raises Refused."""
    row = _load_confirmation(context, word)
    asker = context.session.get_one(User, row.user_id)
    at = replace(context, user=asker)
    standing = permissions.authority_of(context.session, context.game, asker.id)
    found = CommandGrammar(at).read(row.line.splitlines()).lines
    if len(found) != 1 or not isinstance(found[0], ParsedCommand):
        raise RequestRefused("no_such_word")
    if context.user.id not in {user.id for user in _list_approvers(at, found[0].action)}:
        raise RequestRefused("not_yours_to_agree")
    _check_permission(at, standing, found[0].action)
    row.used_at, row.agreed_by = context.now, context.user.id
    ahead = prepare(at, found[0])
    return execute(replace(at, body=found[0].body, agreed=context.user, preview=ahead.value), found[0])
