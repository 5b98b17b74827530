"""The same people once more: a new table like one that is over, to which its players are asked and its bots come."""

from contextlib import suppress

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.common.addresses import can_receive_email, is_bot
from pbem.common.states import GameState
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base.services import RequestRefused, Services
from pbem.service.deadlines.gate_timing import load_schedule
from pbem.service.seats import bots, tables
from pbem.store.games import load_seats, occupied_seats
from pbem.store.models import Bot, Game


def create_rematch(services: Services, user_id: int, game_id: str) -> str:
    """A new table like a game that is over, hosted by one of its players; the table's id.  Raises Refused.

    Nobody is shown an address by it; who takes no invitation from the host now keeps a seat free, for the host to fill.
    """
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if (
            game is None
            or game.state != GameState.OVER
            or not has_permission(session, game, user_id, services.now(), Permission.SEAT)
        ):
            raise RequestRefused("no_such_offer")
        others = [user for _, user in occupied_seats(session, game_id) if user.id != user_id]
        paces = session.scalars(select(Bot.pace).where(Bot.user_id.in_([u.id for u in others]))).all()
        people = [user.address for user in others if can_receive_email(user.address)]
        title, name, count = game.rules, game.title, len(load_seats(session, game_id))
        known = services.installed[title].meta if title in services.installed else None
        options = dict(known.kept(game.options)) if known is not None else {}
        timing = load_schedule(game)
        robots = sum(is_bot(user.address) for user in others)

    def also(session: Session, made: Game) -> None:
        if robots:
            bots.seat_bot(services, session, made, paces[0] if paces else "hour", robots)

    made = tables.create(services, user_id, title, name, count, options, game.deadline_hours, timing, also)
    for address in people:
        with suppress(RequestRefused):  # the reason would tell something of them
            tables.invite(services, made, user_id, [address], again=True)
    return made
