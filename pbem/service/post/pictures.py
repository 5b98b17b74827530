"""Pictures that go along with letters: asked for by play, drawn by post in a task of their own, sent by post.

A letter waits a little for its picture and no longer: it says everything without it.  The picture is drawn from what
was stored for the reader's seat, so it can hold nothing else.  Its bytes are kept, sealed to post, until the letters
that wait for it are finished; for a letter that is sent again it is drawn again.
"""

from dataclasses import replace
from typing import Any, Final

from sqlalchemy.orm import Session

from engine.kernel.pictures import Draws
from pbem.addresses import takes_letters
from pbem.archive.entries import Counted
from pbem.narration.facts import InvitationFacts
from pbem.service.access import letter_choices
from pbem.service.base.services import Addressed, Services
from pbem.service.game.visit import Visit
from pbem.states import PictureState
from pbem.store.games import seat_named, seats
from pbem.store.models import Game, LetterOut, PictureRow, User
from pbem.vault import LetterContext, open_letter

HOLD_MS: Final = 30_000
"""So long a letter waits for its picture; then it goes without."""

CONTENT_ID: Final = "board"
"""What the HTML part of a letter calls its picture."""


Place = tuple[str, str, int, int, str]
"""Game, viewer, entry, the entry from which on changes are marked, and language."""


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
        _add(visit.session, place, visit.now)
    return marked


class Undrawn(Exception):
    """A letter that is sent again has a picture that is not here any more."""

    def __init__(self, marked: int, language: str) -> None:
        super().__init__("not drawn")
        self.marked, self.language = marked, language


def illustrated(
    services: Services, session: Session, row: LetterOut, facts: Any, to: Addressed, marked: int | None
) -> tuple[Any, Addressed]:
    """A letter with its picture, if there is one that its reader may have; raises Undrawn for one sent again."""
    user = session.get(User, row.user_id) if row.user_id else None
    if not services.pictures or (user is not None and not letter_choices.of(session, user).pictures):
        return facts, to
    if marked is None:
        marked = _marked_again(services, session, row)
        if marked is not None and session.get(PictureRow, _place(row, marked, to.language)) is None:
            raise Undrawn(marked, to.language)
    found = _found(session, row, to.language, marked)
    if found is None:
        return facts, to
    keys = services.posting
    place = context(found.game_id, found.viewer, found.entry, found.since, found.language)
    opened = open_letter(keys.opening, keys.verify, place, found.sealed)
    return replace(facts, picture=CONTENT_ID), replace(to, picture=opened.content)


def introduced(services: Services, session: Session, facts: InvitationFacts, user: User | None) -> InvitationFacts:
    """An invitation that shows a board of its game, where letters have pictures and its reader may have them."""
    wanted = services.pictures and isinstance(services.rules(facts.frame.table.game), Draws)
    if not wanted or (user is not None and not letter_choices.of(session, user).pictures):
        return facts
    return replace(facts, picture=CONTENT_ID)


def _marked_again(services: Services, session: Session, row: LetterOut) -> int | None:
    """From which entry on changes are marked for a report that is sent again; None for a letter that has no picture."""
    game = session.get(Game, row.game_id) if row.kind == "report" and row.game_id else None
    seat = seat_named(session, game.id, str(row.seat)) if game is not None else None
    if game is None or seat is None or not isinstance(services.rules(game.rules), Draws):
        return None
    begun, entry = seat.ordered_entry, int(row.entry or 0)
    if begun is None or begun >= entry:
        begun = int(row.since or 0)
    return begun if seat.known_from <= begun < entry else 0


def ask(session: Session, letter: LetterOut, undrawn: Undrawn, now: int) -> None:
    """Have the picture of a letter that is sent again drawn; the letter waits for it a while, as at the first time."""
    place = _place(letter, undrawn.marked, undrawn.language)
    if session.get(PictureRow, place) is None:
        _add(session, place, now)
    letter.due_at, letter.claimed_at = now + HOLD_MS, None


def _found(session: Session, row: LetterOut, language: str, marked: int | None) -> PictureRow | None:
    """The picture that was drawn for a letter."""
    found = session.get(PictureRow, _place(row, marked, language)) if marked is not None else None
    return found if found is not None and found.state == PictureState.MADE else None


def _place(row: LetterOut, marked: int, language: str) -> Place:
    return str(row.game_id), str(row.seat), int(row.entry or 0), marked, language


def _add(session: Session, place: Place, now: int) -> None:
    game, viewer, entry, since, language = place
    session.add(
        PictureRow(
            game_id=game,
            viewer=viewer,
            entry=entry,
            since=since,
            language=language,
            state=PictureState.WANTED,
            wanted_at=now,
            error="",
            sealed=b"",
        )
    )


def context(game: str, viewer: str, entry: int, since: int, language: str) -> LetterContext:
    """The place that a picture is sealed for."""
    return LetterContext(f"{game}.{viewer}.{entry}.{since}.{language}", "picture")
