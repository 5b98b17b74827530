"""The doors: pages, letters and the operator's command line come in here with lines, and get the same answer.

An act is done in the transaction that has locked the game, or not at all; each act of a letter by itself.  A dangerous
one is asked for twice: the first time it is said what it would do, with a word; it is done when the same act comes
again with the word, from the same person, within half an hour, while the game stands where it stood.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.addresses import comparable
from pbem.narration.facts import MasterFacts, Said
from pbem.service.access import masters
from pbem.service.access.authority import Authority
from pbem.service.base.races import Outrun, raced, under_the_lock
from pbem.service.base.services import Refused, Services
from pbem.service.masters import acting, registry
from pbem.service.masters.actions import ACTIONS
from pbem.service.masters.language import Reading, Speech, Unread
from pbem.service.masters.registry import MAIL, Act, ActContext, public_view
from pbem.service.post.master_letters import frame_of
from pbem.service.post.outbox import draft
from pbem.service.seats import elections
from pbem.store.games import locked
from pbem.store.games import table as table_of
from pbem.store.models import Game, User
from pbem.text import visible
from pbem.work import ANSWER_S, few, spending, within

MOST_ACTS: Final = 40


@dataclass(frozen=True)
class Prepared:
    """Lines as they were read before their transaction, and what was found for each act.  `forms`: help, if asked.

    `ahead`: None where each act's part is done in its turn, under the lock.
    """

    reading: Reading
    ahead: tuple[acting.Ahead, ...] | None
    forms: tuple[tuple[str, str], ...]


def read(services: Services, game_id: str, user_id: int, lines: Sequence[str]) -> Reading:
    """What lines say at this table; raises Refused for a person who is nothing to it."""
    few(lines)
    with services.db.reading() as session, within(ANSWER_S):
        game, user, _ = _known(session, table_of(session, game_id), user_id)
        return _speech(services, session, game, user, MAIL).read([visible(line) for line in spending(lines)])


def preview(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], door: str = registry.WEB
) -> MasterFacts:
    """What lines would do; nothing is kept.  Raises Refused for a person who is nothing to the table."""
    few(lines)
    with services.db.reading() as session, within(ANSWER_S):
        game, user, standing = _known(session, table_of(session, game_id), user_id)
        found = prepared(services, session, game, user, lines, door)
        return considered(_context(services, session, game, user, door), standing, found, "", dry=True)


def act(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], confirm: str = "", door: str = registry.WEB
) -> MasterFacts:
    """Do what lines ask for; raises Refused for a person who is nothing to the table.

    `confirm`: the word of what was asked for before; a line CONFIRM says the same.
    """
    few(lines)

    def before(session: Session) -> Prepared:
        game, user, _ = _known(session, table_of(session, game_id), user_id)
        return prepared(services, session, game, user, lines, door)

    def done(session: Session, found: Prepared, last: bool) -> tuple[MasterFacts, bool]:
        game, user, standing = _known(session, locked(session, game_id), user_id)
        if last:
            found = under_the_lock(lambda: prepared(services, session, game, user, lines, door, ahead=False))
        facts = considered(_context(services, session, game, user, door), standing, found, confirm)
        return facts, game.play_wanted is not None

    with within(ANSWER_S):
        facts, wanted = raced(services.db, before, done)
    wake(services, game_id, play=wanted)
    return facts


def master_called(services: Services, game_id: str, address: str = "") -> int:
    """The number of the person who acts from the operator's command line: by address, else the first master."""
    with services.db.reading() as session:
        game = session.get(Game, game_id)
        if game is None:
            raise Refused("no_such_table")
        if not address:
            return masters.masters_of(session, game)[0].id
        found = session.scalars(select(User).where(User.address == comparable(address))).one_or_none()
        if found is None:
            raise Refused("no_such_person")
        return found.id


def wake(services: Services, game_id: str, *, play: bool) -> None:
    """After the commit: letters may go out, and play may have work."""
    services.wake("deliver", "")
    if play:
        services.wake("play", game_id)


def _known(session: Session, game: Game | None, user_id: int) -> tuple[Game, User, Authority]:
    """The table, who acts, and what they are to it; raises Refused."""
    user = session.get(User, user_id)
    if game is None or user is None:
        raise Refused("no_such_table")
    standing = masters.authority_of(session, game, user_id)
    if not standing.any:
        raise Refused("not_your_table")
    return game, user, standing


def _context(services: Services, session: Session, game: Game, user: User, door: str) -> ActContext:
    return ActContext(services, session, game, user, door, actions=ACTIONS)


def _speech(services: Services, session: Session, game: Game, user: User, door: str) -> Speech:
    return Speech(_context(services, session, game, user, door))


def prepared(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    lines: Sequence[str],
    door: str = MAIL,
    *,
    ahead: bool = True,
) -> Prepared:
    """Read lines, and do `ahead` what takes long for their acts; nothing is changed.  Raises Overspent."""
    context, standing = _context(services, session, game, user, door), masters.authority_of(session, game, user.id)
    speech = Speech(context)
    reading = speech.read([visible(line) for line in spending(few(lines))])
    found = tuple(_ahead(context, standing, one) for one in spending(reading.lines[:MOST_ACTS])) if ahead else None
    helped = reading.helped or not (reading.lines or reading.confirm)
    return Prepared(reading, found, speech.help(standing) if helped else ())


def _ahead(context: ActContext, standing: Authority, one: Act | Unread) -> acting.Ahead:
    if not isinstance(one, Act) or not one.action.is_for(standing):
        return acting.Ahead(context.game.entry)
    return acting.look_ahead(context, one)


# --- one letter's lines


def considered(
    context: ActContext, standing: Authority, found: Prepared, confirm: str, *, dry: bool = False, token: str = ""
) -> MasterFacts:
    """Do lines one after the other; the answer to their author.  Raises Outrun where what was found does not fit."""
    reading = found.reading
    if not dry and standing.master:
        show_up(context.services, context.session, context.game, context.user.id)
    word = visible(confirm or reading.confirm).strip().strip('".').lower()
    acts = reading.lines[:MOST_ACTS]
    done = tuple(
        acting.considered(context, standing, one, word, found.ahead[n] if found.ahead else None, dry=dry)
        for n, one in enumerate(acts)
    )
    lead = (Said("confirm_alone"),) if not done and reading.confirm else ()
    asked = any(one.outcome == "confirm" for one in done)
    return MasterFacts(
        frame_of(context.services, context.session, context.game, context.user, token, standing.seat or ""),
        done,
        reading.skipped,
        lead,
        public_view(context),
        found.forms,
        (context.now + acting.WORD_MS) // 1000 if asked else None,
    )


def show_up(services: Services, session: Session, game: Game, user_id: int) -> None:
    """A sign of life of a master: nobody need call them, or elect another."""
    masters.seen(services, session, game, user_id)
    elections.answered(session, game)


def by_letter(
    services: Services, session: Session, game: Game, user: User, key: str, found: Prepared | None, token: str
) -> None:
    """A letter to such an address: its lines are done, and its answer says how to go on.  Raises Outrun."""
    standing = masters.authority_of(session, game, user.id)
    if not standing.any:
        said = (Said("no_not_your_table"),)
        facts = MasterFacts(frame_of(services, session, game, user, ""), lead=said)
    elif found is None:
        raise Outrun
    else:
        facts = considered(_context(services, session, game, user, MAIL), standing, found, "", token=token)
    draft(
        services,
        session,
        key=f"master.{key}",
        kind="master",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )
