"""What a page shows of a table's time: how deadlines are set, who is late, what was given back, how far a pause is."""

from dataclasses import dataclass

from sqlalchemy import select

from pbem.service.access import users
from pbem.service.base.calendar import Schedule
from pbem.service.base.services import Services
from pbem.service.deadlines import gate_timing, pauses
from pbem.store.games import occupied_seats
from pbem.store.models import DeadlineExtension, Game, Outage, SeatTenure


@dataclass(frozen=True)
class SeatPunctuality:
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
class Extension:
    """Time given back: of whose question, how many minutes were lost, and why; moments in seconds."""

    name: str
    cause: str
    minutes: int
    after: int
    made: int


@dataclass(frozen=True)
class DeadlineOverview:
    """Everything about a table's time."""

    schedule: Schedule
    keepers: tuple[SeatPunctuality, ...]
    gifts: tuple[Extension, ...]
    paused: str
    since: int | None
    predecessor: bool


def load_deadlines(services: Services, game_id: str, seat: str) -> DeadlineOverview:
    """The timetable of a game for one of its players."""
    with services.db.snapshot() as session:
        game = session.get_one(Game, game_id)
        sitting = occupied_seats(session, game_id)
        names = {row.seat: user.name for row, user in sitting}
        keepers = tuple(
            SeatPunctuality(
                row.seat, user.name, *users.reliability(user), row.missed, row.offered_at is not None, row.wants
            )
            for row, user in sitting
        )
        rows = session.execute(
            select(DeadlineExtension, Outage.cause)
            .join(Outage, Outage.id == DeadlineExtension.outage_id)
            .where(DeadlineExtension.game_id == game_id)
            .order_by(DeadlineExtension.id.desc())
            .limit(60)
        )
        gifts = tuple(
            Extension(
                names.get(gift.seat, gift.seat), cause, gift.lost_ms // 60_000, gift.after // 1000, gift.made_at // 1000
            )
            for gift, cause in rows
        )
        still = pauses.is_paused(session, game_id)
        former = select(SeatTenure.id).where(
            SeatTenure.game_id == game_id, SeatTenure.seat == seat, SeatTenure.until.is_not(None)
        )
        return DeadlineOverview(
            gate_timing.load_schedule(game),
            keepers,
            gifts,
            still.cause if still is not None else "",
            still.began_at // 1000 if still is not None else None,
            session.scalar(former) is not None,
        )
