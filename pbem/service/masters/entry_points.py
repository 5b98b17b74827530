"""The doors: pages, letters and the operator's command line come in here with lines, and get the same answer.

An act is done in the transaction that has locked the game, or not at all; each act of a letter by itself.  A dangerous
one is asked for twice: the first time it is said what it would do, with a word; it is done when the same act comes
again with the word, from the same person, within half an hour, while the game stands where it stood.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.addresses import comparable
from pbem.narration.facts import MasterFacts, Said
from pbem.service.access import masters
from pbem.service.access.authority import Authority
from pbem.service.base.services import Refused, Services
from pbem.service.masters import acting, registry
from pbem.service.masters.actions import ACTIONS
from pbem.service.masters.language import Reading, Speech
from pbem.service.masters.registry import MAIL, ActContext, public_view
from pbem.service.post.master_letters import frame_of
from pbem.service.post.outbox import draft
from pbem.service.seats import elections
from pbem.store.games import locked
from pbem.store.models import Game, User
from pbem.text import visible
from pbem.work import ANSWER_S, few, within

MOST_ACTS: Final = 40


def read(services: Services, game_id: str, user_id: int, lines: Sequence[str]) -> Reading:
    """What lines say at this table; raises Refused for a person who is nothing to it."""
    few(lines)
    with services.db.writing() as session, within(ANSWER_S):
        context, _ = _context(services, session, game_id, user_id, MAIL)
        found = Speech(context).read([visible(line) for line in lines])
        session.rollback()
    return found


def preview(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], door: str = registry.WEB
) -> MasterFacts:
    """What lines would do; nothing is kept.  Raises Refused for a person who is nothing to the table."""
    few(lines)
    with services.db.writing() as session, within(ANSWER_S):
        context, standing = _context(services, session, game_id, user_id, door)
        facts = considered(context, standing, lines, "", dry=True)
        session.rollback()
    return facts


def act(
    services: Services, game_id: str, user_id: int, lines: Sequence[str], confirm: str = "", door: str = registry.WEB
) -> MasterFacts:
    """Do what lines ask for; raises Refused for a person who is nothing to the table.

    `confirm`: the word of what was asked for before; a line CONFIRM says the same.
    """
    few(lines)
    with services.db.writing() as session, within(ANSWER_S):
        context, standing = _context(services, session, game_id, user_id, door)
        facts = considered(context, standing, lines, confirm)
        wanted = context.game.play_wanted is not None
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


def _context(
    services: Services, session: Session, game_id: str, user_id: int, door: str
) -> tuple[ActContext, Authority]:
    game, user = locked(session, game_id), session.get(User, user_id)
    if game is None or user is None:
        raise Refused("no_such_table")
    standing = masters.authority_of(session, game, user_id)
    if not standing.any:
        raise Refused("not_your_table")
    return ActContext(services, session, game, user, door, actions=ACTIONS), standing


# --- one letter's lines


def considered(
    context: ActContext, standing: Authority, lines: Sequence[str], confirm: str, *, dry: bool = False, token: str = ""
) -> MasterFacts:
    """Read lines and do them one after the other; the answer to their author."""
    speech = Speech(context)
    reading = speech.read([visible(line) for line in few(lines)])
    if not dry and standing.master:
        show_up(context.services, context.session, context.game, context.user.id)
    word = visible(confirm or reading.confirm).strip().strip('".').lower()
    found = tuple(acting.considered(context, standing, one, word, dry=dry) for one in reading.lines[:MOST_ACTS])
    alone = not found and bool(reading.confirm)
    lead = (Said("confirm_alone"),) if alone else ()
    forms = speech.help(standing) if reading.helped or (not found and not alone) else ()
    asked = any(one.outcome == "confirm" for one in found)
    return MasterFacts(
        frame_of(context.services, context.session, context.game, context.user, token, standing.seat or ""),
        found,
        reading.skipped,
        lead,
        public_view(context),
        forms,
        (context.now + acting.WORD_MS) // 1000 if asked else None,
    )


def show_up(services: Services, session: Session, game: Game, user_id: int) -> None:
    """A sign of life of a master: nobody need call them, or elect another."""
    masters.seen(services, session, game, user_id)
    elections.answered(session, game)


def by_letter(
    services: Services, session: Session, game: Game, user: User, key: str, lines: Sequence[str], token: str
) -> None:
    """A letter to such an address: its lines are done, and its answer says how to go on."""
    standing = masters.authority_of(session, game, user.id)
    if not standing.any:
        said = (Said("no_not_your_table"),)
        facts = MasterFacts(frame_of(services, session, game, user, ""), lead=said)
    else:
        context = ActContext(services, session, game, user, MAIL, actions=ACTIONS)
        facts = considered(context, standing, lines, "", token=token)
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
