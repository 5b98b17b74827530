"""Pictures that go along with letters: asked for by play, drawn by post in a task of their own, sent by post.

A letter waits a little for its picture and no longer: it says everything without it.  The picture is drawn from what
was stored for the reader's seat, so it can hold nothing else; its bytes are kept sealed to post.
"""

from dataclasses import replace
from typing import Any, Final

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from engine.kernel.pictures import Draws
from pbem.addresses import takes_letters
from pbem.archive.entries import Counted
from pbem.service.access import letter_choices
from pbem.service.base.services import Addressed, Services
from pbem.service.game.visit import Visit
from pbem.states import PictureState
from pbem.store.games import seat_named, seats
from pbem.store.models import LetterOut, PictureRow, User
from pbem.vault import LetterContext, open_letter

HOLD_MS: Final = 30_000
"""So long a letter waits for its picture; then it goes without."""

CONTENT_ID: Final = "board"
"""What the HTML part of a letter calls its picture."""


def ordered(visit: Visit, counted: tuple[Counted, ...]) -> None:
    """Remember where the game stood when orders of these seats were opened: changes from there on are new to them."""
    gave = [one.seat for one in counted if one.how == "ballot"]
    if visit.services.pictures and gave:
        for row in seats(visit.session, visit.game.id):
            row.ordered_entry = visit.game.entry if row.seat in gave else row.ordered_entry


def want(visit: Visit, seat: str, user: User, since: int, known_from: int) -> int | None:
    """Have a seat's board drawn for a letter about where the game stands now; from which entry on changes are marked.

    None where there will be no picture.  They are marked since the seat's last orders, or, where it gave none, since
    its last letter; never since a time that the reader may not know.
    """
    if not (visit.services.pictures and isinstance(visit.rules, Draws) and takes_letters(user.address)):
        return None
    if not letter_choices.of(visit.session, user).pictures:
        return None
    row = seat_named(visit.session, visit.game.id, seat)
    begun = since if row is None or row.ordered_entry is None else row.ordered_entry
    marked = begun if begun >= known_from else 0
    place = (visit.game.id, seat, visit.game.entry, marked, user.language)
    if visit.session.get(PictureRow, place) is None:
        visit.session.add(
            PictureRow(
                game_id=visit.game.id,
                viewer=seat,
                entry=visit.game.entry,
                since=marked,
                language=user.language,
                state=PictureState.WANTED,
                wanted_at=visit.now,
                error="",
                sealed=b"",
            )
        )
    return marked


def illustrated(
    services: Services, session: Session, row: LetterOut, facts: Any, to: Addressed, marked: int | None
) -> tuple[Any, Addressed]:
    """A letter with its picture, if there is one that its reader may have."""
    found = _found(session, row, to.language, marked) if services.pictures else None
    user = session.get(User, row.user_id) if row.user_id else None
    if found is None or (user is not None and not letter_choices.of(session, user).pictures):
        return facts, to
    keys = services.posting
    place = context(found.game_id, found.viewer, found.entry, found.since, found.language)
    opened = open_letter(keys.opening, keys.verify, place, found.sealed)
    return replace(facts, picture=CONTENT_ID), replace(to, picture=opened.content)


def _found(session: Session, row: LetterOut, language: str, marked: int | None) -> PictureRow | None:
    """The picture that was drawn for a letter; for one that is sent again, the last that shows the same entry."""
    place = PictureRow.game_id == row.game_id, PictureRow.viewer == row.seat, PictureRow.entry == row.entry
    made = select(PictureRow).where(*place, PictureRow.language == language, PictureRow.state == PictureState.MADE)
    if marked is not None:
        return session.scalars(made.where(PictureRow.since == marked)).one_or_none()
    if row.kind != "report" or not row.game_id:
        return None
    known = next((one.known_from for one in seats(session, row.game_id) if one.seat == row.seat), 0)
    may = or_(PictureRow.since == 0, PictureRow.since >= known)
    return session.scalars(made.where(may).order_by(PictureRow.since.desc()).limit(1)).first()


def context(game: str, viewer: str, entry: int, since: int, language: str) -> LetterContext:
    """The place that a picture is sealed for."""
    return LetterContext(f"{game}.{viewer}.{entry}.{since}.{language}", "picture")
