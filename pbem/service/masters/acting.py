"""One act on its way: who may ask for it, asking twice, a second person, and doing it."""

from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import delete, select

from engine.kernel.orders import Problem
from pbem.narration.facts import ActRead, Said
from pbem.service.access import masters
from pbem.service.access.authority import Authority
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.races import Outrun, under_the_lock
from pbem.service.base.services import Refused
from pbem.service.masters import audit
from pbem.service.masters.language import Speech, Unread
from pbem.service.masters.registry import PROGRAM, Act, ActContext, Action, Outcome, public_view
from pbem.service.post.master_letters import call
from pbem.store.models import Asking, User
from pbem.vault import new_token

WORD_MS: Final = 30 * MINUTE_MS
AGREE_MS: Final = 7 * 24 * 60 * MINUTE_MS
"""How long a word holds: for the person who asked, and for the one who must agree."""
MOST_AGREED: Final = 400
"""The longest act, with the lines that belong to it, that another person may be asked to agree to."""


@dataclass(frozen=True)
class Ahead:
    """What was found for an act before its transaction, or why it cannot be, while the game stood at an entry."""

    entry: int
    found: Any = None
    refused: Refused | None = None

    def value(self) -> Any:
        """What was found; raises Refused."""
        if self.refused is not None:
            raise self.refused
        return self.found


def look_ahead(context: ActContext, one: Act) -> Ahead:
    """Do the part of an act's work that takes long."""
    if one.action.ahead is None:
        return Ahead(context.game.entry)
    try:
        return Ahead(context.game.entry, one.action.ahead(replace(context, body=one.body), one.order))
    except Refused as refused:
        return Ahead(context.game.entry, refused=refused)


def considered(
    context: ActContext, standing: Authority, one: Act | Unread, word: str, ahead: Ahead | None, *, dry: bool
) -> ActRead:
    """Do one act, or say what it would do, or why it cannot be.

    Raises Outrun where what was found `ahead` does not fit any more; None: it is found here.
    """
    if ahead is not None and ahead.entry != context.game.entry:
        raise Outrun
    if isinstance(one, Unread):
        return ActRead(one.number, one.written, "", "refused", problem=one.problem)
    shown = ActRead(one.number, one.written, one.line, "refused")
    try:
        _allowed(context, standing, one.action)
        at = replace(context, body=one.body, found=(ahead or under_the_lock(lambda: look_ahead(context, one))).value)
        would = one.action.would(at, one.order)
        if dry:
            return replace(shown, outcome="preview", said=would.said, events=would.events)
        if one.action.dangerous and not _confirmed(at, one, word):
            audit.note(at, one, "asked")
            return replace(shown, outcome="confirm", said=would.said, events=would.events, word=_word(at, one))
        if _second(at, standing, one.action):
            return replace(shown, outcome="agree", said=would.said, events=would.events, word=_ask_others(at, one))
        outcome = carried_out(at, one)
    except Refused as refused:
        if not dry and standing.master:
            audit.note(context, one, "refused")
        return _refused(shown, refused)
    return replace(shown, outcome="done", said=outcome.said, events=outcome.events)


def _refused(shown: ActRead, refused: Refused) -> ActRead:
    """Why not; a ruling is refused for a problem of the game's own, in one of its lines."""
    problem = refused.terms.get("problem")
    if not isinstance(problem, Problem):
        return replace(shown, said=(Said(f"no_{refused.code}", refused.terms),))
    written = str(refused.terms.get("written", ""))
    return replace(shown, problem=problem, said=(Said("no_line_wrong", {"written": written}),) if written else ())


def _allowed(context: ActContext, standing: Authority, action: Action) -> None:
    """Raise Refused where this person may not ask for it, or not now."""
    if not action.is_for(standing):
        raise Refused("not_master")
    if context.game.state not in action.states:
        raise Refused("not_in_state", state=context.game.state.value)
    if action.person and context.door == PROGRAM:
        raise Refused("not_by_program")


def carried_out(context: ActContext, one: Act) -> Outcome:
    """Do an act, write it down, and tell everybody; raises Refused, and then nothing of it has happened."""
    with context.session.begin_nested():
        row = audit.note(context, one, "done")
        context = replace(context, mark=f"a{row.id}")
        outcome = one.action.do(context, one.order)
        row.reason = outcome.reason[:2000]
        if one.action.looks or outcome.told:
            row.told_at = context.now
        elif outcome.tells or outcome.events:
            row.told_at = context.now
            audit.announce(context, outcome, public_view(context))
    return outcome


# --- asking twice


def _confirmed(context: ActContext, one: Act, word: str) -> bool:
    """Return True if this very act was asked for before by the same person, and its word is given; a word acts once."""
    if not word:
        return False
    asked = Asking.game_id == context.game.id, Asking.word == word, Asking.used_at.is_(None)
    row = context.session.scalars(select(Asking).where(*asked, Asking.user_id == context.user.id)).one_or_none()
    fits = row is not None and row.digest == one.digest and row.entry == context.game.entry
    if row is None or not fits or row.made_at + WORD_MS < context.now:
        return False
    row.used_at = context.now
    return True


def _word(context: ActContext, one: Act, line: str = "") -> str:
    """A fresh word for an act; it says nothing by itself."""
    word = new_token()[:6]
    context.session.add(
        Asking(
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


def _second(context: ActContext, standing: Authority, action: Action) -> bool:
    """Return True if another person must agree; raises Refused where nobody could."""
    two = action.second and masters.settled(context.session, context.game).two
    plays = action.consent and standing.seat is not None
    if two and len(masters.masters_of(context.session, context.game)) < 2:
        raise Refused("no_second_master")
    return two or plays


def _ask_others(context: ActContext, one: Act) -> str:
    """Everybody who may agree gets a letter with the word, and an address to agree at."""
    context.session.execute(
        delete(Asking).where(Asking.game_id == context.game.id, Asking.made_at + AGREE_MS < context.now)
    )
    whole = "\n".join((one.line, *one.body))
    if len(whole) > MOST_AGREED:
        raise Refused("agree_too_long")
    word = _word(context, one, whole)
    audit.note(context, one, "waits")
    said = (Said("agree_wanted", {"name": context.user.name, "line": _on_one_line(whole), "word": word}),)
    for user in _agreers(context, one.action):
        call(context.services, context.session, context.game, user, f"agree.{word}", said)
    return word


def _agreers(context: ActContext, action: Action) -> tuple[User, ...]:
    """The people who may agree: another master; or, for a playing master without a second one, any other player."""
    others = [user for user in masters.masters_of(context.session, context.game) if user.id != context.user.id]
    if action.second and masters.settled(context.session, context.game).two:
        return tuple(others)
    players = audit.players(context.session, context.game)
    known = {user.id: user for user in (*others, *players) if user.id != context.user.id}
    return tuple(known.values())


def _waiting(context: ActContext, word: str) -> Asking:
    """The act that waits for consent with this word; raises Refused."""
    asked = Asking.game_id == context.game.id, Asking.word == word.strip().strip('".').lower(), Asking.used_at.is_(None)
    row = context.session.scalars(select(Asking).where(*asked, Asking.line != "")).one_or_none()
    if row is None or row.made_at + AGREE_MS < context.now:
        raise Refused("no_such_word")
    if row.entry != context.game.entry:
        raise Refused("word_of_then")
    return row


def line_of(context: ActContext, word: str) -> str:
    """An act that waits for consent, on one line; raises Refused."""
    return _on_one_line(_waiting(context, word).line)


def _on_one_line(whole: str) -> str:
    """An act with the lines that belong to it, as a sentence shows it."""
    return " / ".join(whole.splitlines())


def agree(context: ActContext, word: str) -> Outcome:
    """Another person agrees to an act that waits for it: it is done now, in its author's name; raises Refused."""
    row = _waiting(context, word)
    asker = context.session.get_one(User, row.user_id)
    at = replace(context, user=asker)
    standing = masters.authority_of(context.session, context.game, asker.id)
    found = Speech(at).read(row.line.splitlines()).lines
    if len(found) != 1 or not isinstance(found[0], Act):
        raise Refused("no_such_word")
    if context.user.id not in {user.id for user in _agreers(at, found[0].action)}:
        raise Refused("not_yours_to_agree")
    _allowed(at, standing, found[0].action)
    row.used_at, row.agreed_by = context.now, context.user.id
    ahead = look_ahead(at, found[0])
    return carried_out(replace(at, body=found[0].body, agreed=context.user, found=ahead.value), found[0])
