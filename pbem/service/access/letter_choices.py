"""How much mail a person gets: of which tables, when, receipts of what they send on the page, pictures or none."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from pbem.service.base.services import Services
from pbem.store.models import Game, LetterChoice, QuietTable, User
from pbem.store.once import once
from pbem.store.upsert import add_once

ALL, OWED, END = "all", "owed", "end"
AMOUNTS: Final = (ALL, OWED, END)
"""Everything; reports and reminders only while something is owed; of each game only its end."""


_CHOICES = select(LetterChoice).where(LetterChoice.user_id.in_(bindparam("users", expanding=True)))
_QUIET = select(QuietTable).where(QuietTable.user_id.in_(bindparam("users", expanding=True)))


@dataclass(frozen=True)
class Choices:
    """What a person has chosen; without a word of theirs, everything."""

    amount: str = ALL
    page_receipts: bool = True
    pictures: bool = True


def of(session: Session, user: User) -> Choices:
    """What a person has chosen."""
    row = once(session, LetterChoice, user.id, lambda: session.get(LetterChoice, user.id))
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
    return once(session, QuietTable, place, lambda: session.get(QuietTable, place)) is not None


def at_hand(session: Session, readers: Collection[tuple[str | None, int]]) -> None:
    """Have at hand what the readers of many letters chose, by their tables, in two statements."""
    if not readers:
        return
    users = sorted({user for _, user in readers})
    choices = {row.user_id: row for row in session.scalars(_CHOICES, {"users": users})}
    quiet = {(row.game_id, row.user_id): row for row in session.scalars(_QUIET, {"users": users})}
    for user in users:
        once(session, LetterChoice, user, partial(choices.get, user))
    for game, user in readers:
        if game is not None:
            once(session, QuietTable, (game, user), partial(quiet.get, (game, user)))


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
