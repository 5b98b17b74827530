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
from engine.kernel.position import Position
from engine.kernel.secrets import Sealed, Secret, seen_by, truth
from engine.kernel.viewers import PUBLIC, Seat
from pbem.crypto import GameKeys
from pbem.narration.facts import MasterFacts, Message, ReportFacts, StoredOrders
from pbem.service.access.masters import is_master
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Services
from pbem.service.game import email_context, seat_views
from pbem.service.game.journal import load_entry, load_state
from pbem.service.mail.master_mail import build_context
from pbem.service.mail.outbox import enqueue
from pbem.store.models import Game, JournalEntry, ResolverRequest, User

KIND: Final = "open"
"""The kind of command by which a play worker looks where only it can."""

MAX_HIDDEN: Final = 40
"""So many entries of a turn are looked at."""


def execute(services: Services, session: Session, game: Game, keys: GameKeys, command: ResolverRequest) -> None:
    """Look, and write to the master who asked; play only.

    A request that is older than a day may have been put in again: everybody was told of it once, and it was answered.
    """
    number, what, mark, *asked = command.request.decode().split(" ")
    user = session.get(User, int(number))
    old = not asked or abs(services.now() - int(asked[0])) > DAY_MS
    if user is None or old or not is_master(session, game, user.id):
        return
    position = load_state(session, keys, game)
    facts: MasterFacts | ReportFacts
    if what == "deck":
        said = Message("opened_deck", {"hidden": tuple(hidden_cards(position.board).items())})
        facts = MasterFacts(build_context(services, session, game, user, ""), lead=(said,))
    else:
        facts = _sealed_orders(services, session, game, keys, user, str(command.seat), position)
    enqueue(
        services,
        session,
        key=f"{game.id}.{user.id}.{mark}.opened",
        kind="opened",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def hidden_cards(board: Any) -> Mapping[str, tuple[str, ...]]:
    """The cards that nobody knows, in their order, by where they lie.

    Orders that wait to be carried out are no cards, though nobody knows them either: they are opened to nobody.
    """
    found: dict[str, tuple[str, ...]] = {}
    with truth():
        for place, card in _list_hidden(board, ""):
            found[place] = (*found.get(place, ()), card)
    return found


def _list_hidden(thing: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(thing, Secret):
        if not thing.known_to and isinstance(thing.held, str):
            yield path, str(thing.held)
    elif isinstance(thing, Sealed | Enum) or thing is None:
        return
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from _list_hidden(value, f"{path} {key}" if isinstance(value, tuple) else path)
    elif isinstance(thing, tuple | list):
        for value in thing:
            yield from _list_hidden(value, path)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from _list_hidden(getattr(thing, field.name), f"{path} {field.name}".strip())


def has_sealed_values(thing: Any) -> bool:
    """Return True if anything is sealed there."""
    if isinstance(thing, Sealed):
        return True
    if isinstance(thing, dict):
        return any(has_sealed_values(value) for value in thing.values())
    if isinstance(thing, tuple | list):
        return any(has_sealed_values(value) for value in thing)
    if is_dataclass(thing) and not isinstance(thing, Secret):
        return any(has_sealed_values(getattr(thing, field.name)) for field in fields(thing))
    return False


def _sealed_orders(
    services: Services, session: Session, game: Game, keys: GameKeys, user: User, seat: str, position: Position[Any]
) -> MasterFacts | ReportFacts:
    """The sets of one seat that were opened in this turn and are carried out."""
    frame = build_context(services, session, game, user, "")
    if has_sealed_values(position.core.agenda) or has_sealed_values(position.board):
        return MasterFacts(frame, lead=(Message("opened_not_yet"),))
    rules = services.rules(game.rules)
    with seen_by(PUBLIC):
        turn = rules.turn(seat_views.last_view(services, session, game, PUBLIC))
    rows = session.execute(select(JournalEntry.number, JournalEntry.gate).where(JournalEntry.game_id == game.id))
    numbers = [number for number, gate in rows if Gate.parse(gate).turn in (turn, turn - 1)]
    found = tuple(
        StoredOrders(gate.asks, one.orders, record.made_at // 1000, gate.turn, number=gate.number)
        for record in (load_entry(session, keys, game, number) for number in numbers[-MAX_HIDDEN:])
        for one in record.counted
        if one.seat == seat and one.orders
        for gate in (Gate.parse(one.question or record.gate),)
    )
    names = {Seat(row): name for row, name in frame.table.names.items()}
    if not found:
        return MasterFacts(frame, lead=(Message("opened_nothing", {"name": names.get(Seat(seat), seat)}),))
    shown = email_context.build_context(services, session, game, seat, user, "", services.now())
    shown = replace(shown, links=replace(shown.links, leave="", mute=""))
    return ReportFacts(shown, seat_views.last_view(services, session, game, PUBLIC), standing=found)
