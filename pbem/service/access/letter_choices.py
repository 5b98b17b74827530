"""How much mail a person gets: of which tables, when, receipts of what they send on the page, pictures or none."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem.service.base.services import Services
from pbem.store.columns import Among, columns
from pbem.store.models import Game, LetterChoice, QuietTable, User
from pbem.store.once import once
from pbem.store.upsert import add_once

ALL, OWED, END = "all", "owed", "end"
AMOUNTS: Final = (ALL, OWED, END)
"""Everything; reports and reminders only while something is owed; of each game only its end."""


_CHOSEN = Among(
    User.id,
    lambda these: (
        select(
            User.id,
            LetterChoice.owed_only,
            LetterChoice.page_receipts,
            LetterChoice.pictures,
            QuietTable.game_id,
        )
        .outerjoin(LetterChoice, LetterChoice.user_id == User.id)
        .outerjoin(QuietTable, QuietTable.user_id == User.id)
        .where(these)
    ),
)
"""For each person what they chose, if they did, beside each table of which they want no letters."""


class Chosen(Protocol):
    """What lies there of a person's choices."""

    @property
    def owed_only(self) -> bool: ...
    @property
    def page_receipts(self) -> bool: ...
    @property
    def pictures(self) -> bool: ...


@dataclass(frozen=True)
class Choices:
    """What a person has chosen; without a word of theirs, everything."""

    amount: str = ALL
    page_receipts: bool = True
    pictures: bool = True


def of(session: Session, user: User) -> Choices:
    """What a person has chosen."""
    row: Chosen | None = once(session, LetterChoice, user.id, lambda: session.get(LetterChoice, user.id))
    amount = END if user.muted_at is not None else OWED if row is not None and row.owed_only else ALL
    return Choices(amount, row is None or row.page_receipts, row is None or row.pictures)


def chosen(services: Services, user_id: int) -> Choices:
    """The same for a page."""
    with services.db.reading() as session:
        return of(session, session.get_one(User, user_id))


def choose(services: Services, user_id: int, choices: Choices) -> bool:
    """Change how much mail a person gets; False, and no change, for an amount that there is not."""
    if choices.amount not in AMOUNTS:
        return False
    with services.db.writing() as session:
        user = session.get_one(User, user_id)
        ends = choices.amount == END
        user.muted_at = (user.muted_at or services.now()) if ends else None
        add_once(session, LetterChoice.user_id, user_id=user_id, owed_only=False, page_receipts=True, pictures=True)
        row = session.get_one(LetterChoice, user_id, populate_existing=True)
        row.owed_only, row.page_receipts, row.pictures = choices.amount == OWED, choices.page_receipts, choices.pictures
    return True


def is_quiet(session: Session, user_id: int, game_id: str | None) -> bool:
    """Return True if a person does not want the letters of this table."""
    if game_id is None:
        return False
    place = (game_id, user_id)
    return once(session, QuietTable, place, lambda: session.get(QuietTable, place) is not None)


def at_hand(session: Session, readers: Collection[tuple[str | None, int]]) -> None:
    """Have at hand what the readers of many letters chose, by their tables, in one statement."""
    if not readers:
        return
    users = sorted({user for _, user in readers})
    rows = columns(session, *_CHOSEN.of(users))
    choices: dict[int, Chosen] = {row.id: row for row in rows if row.owed_only is not None}
    quiet = {(row.game_id, row.id) for row in rows if row.game_id is not None}
    for user in users:
        once(session, LetterChoice, user, partial(choices.get, user))
    for place in readers:
        once(session, QuietTable, place, partial(quiet.__contains__, place))


def quieten(services: Services, session: Session, user_id: int, game_id: str, *, on: bool) -> bool:
    """Stop the letters of one table to a person, or let them come again; False where that was so already."""
    if session.get(Game, game_id) is None or is_quiet(session, user_id, game_id) == on:
        return False
    if on:
        session.add(QuietTable(game_id=game_id, user_id=user_id, since=services.now()))
    else:
        theirs = QuietTable.game_id == game_id, QuietTable.user_id == user_id
        session.execute(delete(QuietTable).where(*theirs))
    return True
