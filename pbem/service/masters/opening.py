"""Looking where only a play worker can: what is hidden from everybody, and orders that are carried out.

What was asked for here was told to all players when it was asked.  Orders that are sealed are opened to nobody: while
any set is still being carried out, nothing is shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.gates import Gate
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.position import Position
from engine.kernel.secrets import Sealed, Secret, seen_by, truth
from pbem.narration.facts import MasterFacts, OrdersStand, ReportFacts, Said
from pbem.service.access.masters import is_master
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Services
from pbem.service.game import frames, views
from pbem.service.game.journal import position_of, record_of
from pbem.service.post.master_letters import frame_of
from pbem.service.post.outbox import draft
from pbem.store.models import Command, EntryRow, Game, User
from pbem.vault import GameKeys

OPEN: Final = "open"
"""The kind of command by which a play worker looks where only it can."""

MOST: Final = 40
"""So many entries of a turn are looked at."""


def carry_out(services: Services, session: Session, game: Game, keys: GameKeys, command: Command) -> None:
    """Look, and write to the master who asked; play only.

    A request that is older than a day may have been put in again: everybody was told of it once, and it was answered.
    """
    number, what, mark, *asked = command.request.decode().split(" ")
    user = session.get(User, int(number))
    old = not asked or abs(services.now() - int(asked[0])) > DAY_MS
    if user is None or old or not is_master(session, game, user.id):
        return
    position = position_of(session, keys, game)
    facts: MasterFacts | ReportFacts
    if what == "deck":
        said = Said("opened_deck", {"hidden": tuple(hidden(position.board).items())})
        facts = MasterFacts(frame_of(services, session, game, user, ""), lead=(said,))
    else:
        facts = _orders(services, session, game, keys, user, str(command.seat), position)
    draft(
        services,
        session,
        key=f"{game.id}.{user.id}.{mark}.opened",
        kind="opened",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def hidden(board: Any) -> Mapping[str, tuple[str, ...]]:
    """The cards that nobody knows, in their order, by where they lie.

    Orders that wait to be carried out are no cards, though nobody knows them either: they are opened to nobody.
    """
    found: dict[str, tuple[str, ...]] = {}
    with truth():
        for place, card in _hidden(board, ""):
            found[place] = (*found.get(place, ()), card)
    return found


def _hidden(thing: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(thing, Secret):
        if not thing.known_to and isinstance(thing.held, str):
            yield path, str(thing.held)
    elif isinstance(thing, Sealed | Enum) or thing is None:
        return
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from _hidden(value, f"{path} {key}" if isinstance(value, tuple) else path)
    elif isinstance(thing, tuple | list):
        for value in thing:
            yield from _hidden(value, path)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from _hidden(getattr(thing, field.name), f"{path} {field.name}".strip())


def in_progress(thing: Any) -> bool:
    """Return True if anything is sealed there."""
    if isinstance(thing, Sealed):
        return True
    if isinstance(thing, dict):
        return any(in_progress(value) for value in thing.values())
    if isinstance(thing, tuple | list):
        return any(in_progress(value) for value in thing)
    if is_dataclass(thing) and not isinstance(thing, Secret):
        return any(in_progress(getattr(thing, field.name)) for field in fields(thing))
    return False


def _orders(
    services: Services, session: Session, game: Game, keys: GameKeys, user: User, seat: str, position: Position[Any]
) -> MasterFacts | ReportFacts:
    """The sets of one seat that were opened in this turn and are carried out."""
    frame = frame_of(services, session, game, user, "")
    if in_progress(position.core.agenda) or in_progress(position.board):
        return MasterFacts(frame, lead=(Said("opened_not_yet"),))
    rules = services.rules(game.rules)
    with seen_by(PUBLIC):
        turn = rules.turn(views.last_view(services, session, game, PUBLIC))
    rows = session.execute(select(EntryRow.number, EntryRow.gate).where(EntryRow.game_id == game.id))
    numbers = [number for number, gate in rows if Gate.parse(gate).turn in (turn, turn - 1)]
    found = tuple(
        OrdersStand(gate.asks, one.orders, record.made_at // 1000, gate.turn, number=gate.number)
        for record in (record_of(session, keys, game, number) for number in numbers[-MOST:])
        for one in record.counted
        if one.seat == seat and one.orders
        for gate in (Gate.parse(one.question or record.gate),)
    )
    names = {Seat(row): name for row, name in frame.table.names.items()}
    if not found:
        return MasterFacts(frame, lead=(Said("opened_nothing", {"name": names.get(Seat(seat), seat)}),))
    shown = frames.frame_of(services, session, game, seat, user, "", services.now())
    shown = replace(shown, links=replace(shown.links, leave="", mute=""))
    return ReportFacts(shown, views.last_view(services, session, game, PUBLIC), standing=found)
