"""What a page shows of a table's time: how deadlines are set, who is late, what was given back, how far a pause is."""

from dataclasses import dataclass

from sqlalchemy import select

from pbem.service.access import people
from pbem.service.base.calendar import Schedule
from pbem.service.base.services import Services
from pbem.service.time import gate_timing, pauses
from pbem.store.games import seated
from pbem.store.models import Game, GivenBack, Holding, Outage


@dataclass(frozen=True)
class Keeper:
    """A player of the table: how reliable everywhere, misses in a row here, whether the seat looks for a player."""

    seat: str
    name: str
    turns: int
    on_time: int
    begun: int
    finished: int
    missed: int
    offered: bool
    wants: str


@dataclass(frozen=True)
class Gift:
    """Time given back: of whose question, how many minutes were lost, and why; moments in seconds."""

    name: str
    cause: str
    minutes: int
    after: int
    made: int


@dataclass(frozen=True)
class Timetable:
    """Everything about a table's time."""

    schedule: Schedule
    keepers: tuple[Keeper, ...]
    gifts: tuple[Gift, ...]
    paused: str
    since: int | None
    predecessor: bool


def timetable(services: Services, game_id: str, seat: str) -> Timetable:
    """The timetable of a game for one of its players."""
    with services.db.reading() as session:
        game = session.get_one(Game, game_id)
        sitting = seated(session, game_id)
        names = {row.seat: user.name for row, user in sitting}
        keepers = tuple(
            Keeper(row.seat, user.name, *people.reliability(user), row.missed, row.offered_at is not None, row.wants)
            for row, user in sitting
        )
        rows = session.execute(
            select(GivenBack, Outage.cause)
            .join(Outage, Outage.id == GivenBack.outage_id)
            .where(GivenBack.game_id == game_id)
            .order_by(GivenBack.id.desc())
            .limit(60)
        )
        gifts = tuple(
            Gift(
                names.get(gift.seat, gift.seat), cause, gift.lost_ms // 60_000, gift.after // 1000, gift.made_at // 1000
            )
            for gift, cause in rows
        )
        still = pauses.paused(session, game_id)
        former = select(Holding.id).where(Holding.game_id == game_id, Holding.seat == seat, Holding.until.is_not(None))
        return Timetable(
            gate_timing.schedule_of(game),
            keepers,
            gifts,
            still.cause if still is not None else "",
            still.began_at // 1000 if still is not None else None,
            session.scalar(former) is not None,
        )
