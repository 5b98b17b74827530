"""What a player may ask from a chat service: their tables, what they owe there, and to call on those who are late."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.access.permissions import Who, let_in
from pbem.service.base.services import Services
from pbem.service.channels import webhook_diff
from pbem.service.pages import game_pages
from pbem.service.pages.game_pages import Duty, SeatPage
from pbem.states import LIVE, BulletinState, ChannelState, GameState
from pbem.store.games import locked, open_decisions, seated
from pbem.store.models import Bulletin, Channel, SeatRow

CALM_MS = 6 * 3_600_000
"""How long a table is left alone after those who are late were called on."""


@dataclass(frozen=True)
class Seated:
    """A table that the asker plays at, and what is asked of them there."""

    game: str
    title: str
    rules: str
    state: GameState
    duties: tuple[Duty, ...]

    @property
    def waits(self) -> bool:
        """Return True if an answer of theirs is awaited."""
        return any(not duty.answered for duty in self.duties)


@dataclass(frozen=True)
class Reminded:
    """What came of calling on those who are late.

    `outcome`: `done`, `nobody` (is late), `lately` (they were; `hours` until it can be done again), `no_channel`,
    `not_playing`.
    """

    outcome: str
    names: tuple[str, ...] = ()
    hours: int = 0


def tables_of(services: Services, user_id: int) -> Sequence[Seated]:
    """The tables of a player that are not over; those that wait for them first."""
    with services.db.reading() as session:
        theirs = set(session.scalars(select(SeatRow.game_id).where(SeatRow.user_id == user_id)))
    return tuple(
        Seated(card.game, card.title, card.rules, card.state, card.duties)
        for card in game_pages.home(services, user_id).games
        if card.game in theirs and card.state in LIVE
    )


def written_to(services: Services, place: str) -> frozenset[str]:
    """The games whose messages go to a channel of the other side."""
    if not place:
        return frozenset()
    with services.db.reading() as session:
        return frozenset(session.scalars(select(Channel.game_id).where(Channel.place == place)))


def seat_page(services: Services, user_id: int, game_id: str) -> SeatPage | None:
    """One's own seat as its page shows it; None where one sits at no such table or it is not playing."""
    place = let_in(services, user_id, game_id, Who.SEAT)
    if place is None or place.seat is None or place.state != GameState.RUNNING:
        return None
    return game_pages.seat_page(services, user_id, game_id, place.seat)


def remind(services: Services, user_id: int, game_id: str) -> Reminded:
    """Have those whose orders are missing called on in the table's channels, by one who sits there; rarely."""
    with services.db.writing() as session:
        game = locked(session, game_id)
        people = seated(session, game_id)
        asker = next((user for _, user in people if user.id == user_id), None)
        if game is None or asker is None or game.state != GameState.RUNNING:
            return Reminded("not_playing")
        waiting = {row.seat for row in open_decisions(session, game_id) if row.blocking and row.answered_at is None}
        if not waiting:
            return Reminded("nobody")
        found = list(
            session.scalars(select(Channel).where(Channel.game_id == game_id, Channel.state == ChannelState.ON))
        )
        if not found:
            return Reminded("no_channel")
        now, last = services.now(), _last_call(session, game_id)
        if last is not None and now - last < CALM_MS:
            return Reminded("lately", hours=-(-(CALM_MS - (now - last)) // 3_600_000))
        for channel in found:
            session.add(
                Bulletin(
                    key=f"{channel.id}.called.{now}",
                    channel_id=channel.id,
                    kind="called",
                    entry=game.entry,
                    terms={"who": asker.name},
                    state=BulletinState.WANTED,
                    made_at=now,
                    due_at=now,
                )
            )
            webhook_diff.touch(session, channel.id, now)
    services.wake("announce", "")
    return Reminded("done", tuple(user.name for seat, user in people if seat.seat in waiting))


def _last_call(session: Session, game_id: str) -> int | None:
    """When those who are late were called on last."""
    calls = (
        select(Bulletin.made_at)
        .join(Channel, Channel.id == Bulletin.channel_id)
        .where(Channel.game_id == game_id, Bulletin.kind == "called")
    )
    return session.scalar(calls.order_by(Bulletin.made_at.desc()).limit(1))
