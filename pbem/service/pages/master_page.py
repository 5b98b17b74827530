"""What the page of a table's masters shows: how it stands, what may be asked for, and what was done."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.kernel.forms import Form
from pbem.narration.facts import MasterFacts, Said
from pbem.service.access import masters
from pbem.service.access.authority import Authority
from pbem.service.base.services import Refused, Services
from pbem.service.masters import entry_points
from pbem.service.masters.actions import ACTIONS, BY_NAME, PART_OF
from pbem.service.masters.audit import Entry, entries_in
from pbem.service.masters.language import Speech
from pbem.service.masters.registry import PROGRAM, WEB, ActContext
from pbem.service.post.master_letters import call
from pbem.states import GameState
from pbem.store.games import locked
from pbem.store.games import table as table_of
from pbem.store.models import User


@dataclass(frozen=True)
class Offer:
    """One act that can be asked for now.  `body`: further lines belong to it; `dangerous`: it is asked for twice.

    `part`: what it is about, as `actions.PARTS` names it.
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
    offers: tuple[Offer, ...]
    audit: tuple[Entry, ...]


def page_of(services: Services, user_id: int, game_id: str, door: str = WEB) -> MasterPage:
    """The page as this person may see it.  A master who looks has given a sign of life; their program has not."""
    if door != PROGRAM:
        _seen(services, user_id, game_id)
    with services.db.reading() as session:
        game, user = table_of(session, game_id), session.get(User, user_id)
        if game is None or user is None:
            raise Refused("no_such_table")
        standing = masters.authority_of(session, game, user_id)
        context = ActContext(services, session, game, user, door, actions=ACTIONS)
        asked = entry_points.prepared(services, session, game, user, ["STATUS"], door)
        status = entry_points.considered(context, standing, asked, "", dry=True) if standing.master else None
        return MasterPage(
            standing,
            game.title,
            game.state,
            game.entry,
            tuple(master.name for master in masters.masters_of(session, game)),
            status,
            tuple(_offers(context, standing)),
            tuple(reversed(entries_in(session, game_id))),
        )


def _seen(services: Services, user_id: int, game_id: str) -> None:
    with services.db.writing() as session:
        game = locked(session, game_id)
        if game is not None and masters.authority_of(session, game, user_id).master:
            entry_points.show_up(services, session, game, user_id)


def _offers(context: ActContext, standing: Authority) -> Sequence[Offer]:
    offered = Speech(context).offered(standing, context.game.state)
    known = {name: action for name, action in BY_NAME.items() if not (action.person and context.door == PROGRAM)}
    fit = ((name, form) for name, form in offered if name in known and name != "status")
    return [Offer(name, form, known[name].body, known[name].dangerous, PART_OF[name]) for name, form in fit]


def send_address(services: Services, user_id: int, game_id: str) -> None:
    """Send a letter with an address to write acts to; raises Refused for a person who is nothing to the table."""
    with services.db.writing() as session:
        game, user = locked(session, game_id), session.get(User, user_id)
        if game is None or user is None or not masters.authority_of(session, game, user_id).any:
            raise Refused("not_your_table")
        call(services, session, game, user, f"here.{services.now()}", (Said("write_here"),))
    entry_points.wake(services, game_id, play=False)
