"""How much mail a person gets: of which tables, when, receipts of what they send on the page, pictures or none."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem.service.base.services import Services
from pbem.store.columns import InClause, select_columns
from pbem.store.identity_cache import cached
from pbem.store.models import Game, GameMute, MailPreference, User
from pbem.store.upsert import insert_ignore

ALL, OWED, END = "all", "owed", "end"
AMOUNTS: Final = (ALL, OWED, END)
"""Everything; reports and reminders only while something is owed; of each game only its end."""


_CHOSEN = InClause(
    User.id,
    lambda these: (
        select(
            User.id,
            MailPreference.owed_only,
            MailPreference.page_receipts,
            MailPreference.pictures,
            GameMute.game_id,
        )
        .outerjoin(MailPreference, MailPreference.user_id == User.id)
        .outerjoin(GameMute, GameMute.user_id == User.id)
        .where(these)
    ),
)
"""For each person what they chose, if they did, beside each table of which they want no letters."""


class PreferenceRow(Protocol):
    """What lies there of a person's choices."""

    @property
    def owed_only(self) -> bool: ...
    @property
    def page_receipts(self) -> bool: ...
    @property
    def pictures(self) -> bool: ...


@dataclass(frozen=True)
class MailPreferences:
    """What a person has chosen; without a word of theirs, everything."""

    amount: str = ALL
    page_receipts: bool = True
    pictures: bool = True


def load_preferences(session: Session, user: User) -> MailPreferences:
    """What a person has chosen."""
    row: PreferenceRow | None = cached(session, MailPreference, user.id, lambda: session.get(MailPreference, user.id))
    amount = END if user.muted_at is not None else OWED if row is not None and row.owed_only else ALL
    return MailPreferences(amount, row is None or row.page_receipts, row is None or row.pictures)


def load_row(services: Services, user_id: int) -> MailPreferences:
    """The same for a page."""
    with services.db.snapshot() as session:
        return load_preferences(session, session.get_one(User, user_id))


def update_preferences(services: Services, user_id: int, choices: MailPreferences) -> bool:
    """Change how much mail a person gets; False, and no change, for an amount that there is not."""
    if choices.amount not in AMOUNTS:
        return False
    with services.db.transaction() as session:
        user = session.get_one(User, user_id)
        ends = choices.amount == END
        user.muted_at = (user.muted_at or services.now()) if ends else None
        insert_ignore(
            session, MailPreference.user_id, user_id=user_id, owed_only=False, page_receipts=True, pictures=True
        )
        row = session.get_one(MailPreference, user_id, populate_existing=True)
        row.owed_only, row.page_receipts, row.pictures = choices.amount == OWED, choices.page_receipts, choices.pictures
    return True


def is_game_muted(session: Session, user_id: int, game_id: str | None) -> bool:
    """Return True if a person does not want the letters of this table."""
    if game_id is None:
        return False
    place = (game_id, user_id)
    return cached(session, GameMute, place, lambda: session.get(GameMute, place) is not None)


def prefetch(session: Session, readers: Collection[tuple[str | None, int]]) -> None:
    """Have at hand what the readers of many letters chose, by their tables, in one statement."""
    if not readers:
        return
    users = sorted({user for _, user in readers})
    rows = select_columns(session, *_CHOSEN.of(users))
    choices: dict[int, PreferenceRow] = {row.id: row for row in rows if row.owed_only is not None}
    quiet = {(row.game_id, row.id) for row in rows if row.game_id is not None}
    for user in users:
        cached(session, MailPreference, user, partial(choices.get, user))
    for place in readers:
        cached(session, GameMute, place, partial(quiet.__contains__, place))


def set_game_muted(services: Services, session: Session, user_id: int, game_id: str, *, on: bool) -> bool:
    """Stop the letters of one table to a person, or let them come again; False where that was so already."""
    if session.get(Game, game_id) is None or is_game_muted(session, user_id, game_id) == on:
        return False
    if on:
        session.add(GameMute(game_id=game_id, user_id=user_id, since=services.now()))
    else:
        theirs = GameMute.game_id == game_id, GameMute.user_id == user_id
        session.execute(delete(GameMute).where(*theirs))
    return True
