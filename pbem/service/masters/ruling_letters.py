"""Letters of the play worker to masters: a ruling refused, what telling entries again would bring, what was ruled."""

from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Problem
from engine.kernel.secrets import redact
from pbem.narration.facts import ActRead, MasterFacts, Said, ToldFacts
from pbem.service.access import masters
from pbem.service.base.services import Services
from pbem.service.base.wording import WORDS
from pbem.service.game import frames, views
from pbem.service.game.visit import Visit
from pbem.service.masters.ruling_request import BARE, Wanted
from pbem.service.post.master_letters import frame_of, new_address
from pbem.service.post.outbox import draft
from pbem.store.games import seated
from pbem.store.models import Game, User
from pbem.vault import new_token


@dataclass(frozen=True)
class Otherwise:
    """What telling entries again would bring, as everybody would see it.

    `same`: entries that would be as they were. `other`: the first one that would not, with its facts. `stops`: the
    entry at which the orders of then could not be played any more. `drawn`: the one that needs a draw nobody made.
    `stands`: whether the table would stand otherwise in the end, for all to see.  `private`: seats for which something
    changes that not everybody sees.
    """

    same: int
    other: int = 0
    events: tuple[Event, ...] = ()
    stops: int = 0
    drawn: int = 0
    stands: bool = False
    private: tuple[Seat, ...] = ()


KEYWORDS: Final = {
    **{kind: WORDS(f"masters.{kind}.keyword") for kind in ("correct", "undo", "rewind", "again", "forward", "reroll")},
    BARE: WORDS("masters.draw_now.keyword"),
}
"""How each of them begins."""


def refusal(services: Services, session: Session, game: Game, wanted: Wanted, mark: str, problem: Problem) -> None:
    """It could not be done, and why."""
    act = ActRead(1, "", "", "refused", problem=problem)
    _write(services, session, game, wanted, mark, act)


def dropped(services: Services, session: Session, game: Game, wanted: Wanted, mark: str) -> None:
    """Who asked for it was no master any more when it was to be carried out: nothing of the table, and no address."""
    user = session.get_one(User, wanted.user)
    said = Said("ruling_dropped", {"line": _line(wanted, user)})
    facts = MasterFacts(frame_of(services, session, game, user, ""), lead=(said,))
    _draft(services, session, game, user, mark, facts)


def difference(visit: Visit, wanted: Wanted, found: Otherwise) -> None:
    """What telling entries again would bring."""
    players = {row.seat: user.name for row, user in seated(visit.session, visit.game.id)}
    said = [Said("again_same", {"entry": wanted.entry, "same": found.same})]
    for code, number in (("again_other", found.other), ("again_stops", found.stops), ("again_draws", found.drawn)):
        said += [Said(code, {"entry": number})] if number else []
    if not (found.other or found.stands or found.private or found.stops or found.drawn):
        said = [Said("again_alike", {"entry": wanted.entry})]
    if found.private:
        said.append(Said("private_too", {"names": tuple(players.get(seat, str(seat)) for seat in found.private)}))
    act = ActRead(1, "", "", "preview", tuple(said), events=found.events)
    _write(visit.services, visit.session, visit.game, wanted, new_token()[:12], act)


def _write(services: Services, session: Session, game: Game, wanted: Wanted, mark: str, act: ActRead) -> None:
    user = session.get_one(User, wanted.user)
    token = new_address(services, session, game, user)
    view = views.last_view(services, session, game, PUBLIC)
    line = _line(wanted, user)
    shown = replace(act, written=line, line=line)
    facts = MasterFacts(frame_of(services, session, game, user, token), (shown,), view=view)
    _draft(services, session, game, user, mark, facts)


def _line(wanted: Wanted, user: User) -> str:
    """How it begins, as its author would write it."""
    return f"{KEYWORDS[wanted.kind].printed(user.language)} {wanted.entry or wanted.reason}".strip()


def _draft(services: Services, session: Session, game: Game, user: User, mark: str, facts: MasterFacts) -> None:
    draft(
        services,
        session,
        key=f"{game.id}.{user.id}.{mark}.ruled",
        kind="master",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def to_other_masters(visit: Visit, wanted: Wanted) -> None:
    """Masters without a seat read what everybody may."""
    sitting = {user.id for _, user in seated(visit.session, visit.game.id)}
    events = tuple(event for _, event in visit.told.get(Seat(PUBLIC), ()))
    for user in masters.masters_of(visit.session, visit.game):
        if user.id not in sitting:
            frame = frames.frame_of(visit.services, visit.session, visit.game, "", user, "", visit.now)
            facts = ToldFacts(
                frame,
                wanted.by,
                (Said("ruled", {"name": wanted.by}),),
                wanted.reason,
                events,
                redact(visit.position, PUBLIC),
            )
            draft(
                visit.services,
                visit.session,
                key=f"{visit.game.id}.{visit.game.entry}.{user.id}.ruled",
                kind="told",
                facts=facts,
                user_id=user.id,
                game_id=visit.game.id,
                entry=visit.game.entry,
            )
