"""Drawing the pictures that letters wait for: one at a time, once each, by post."""

from typing import Final

from sqlalchemy import ColumnElement, delete, exists, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.languages import Language, registered
from engine.kernel.names import Seat
from engine.kernel.pictures import Draws, Theme, stacked
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from pbem.service.base.services import Services
from pbem.service.game.views import view_of, view_then
from pbem.service.post.pictures import Place, context
from pbem.states import LetterOutState, PictureState
from pbem.store.models import Game, LetterOut, PictureRow
from pbem.vault import seal_letter

CLAIM_MS: Final = 60_000
"""How long a claim holds: a worker that died with a picture in hand loses it after this."""

KEPT_MS: Final = 14 * 24 * 3_600_000
"""How long what became of a picture is kept."""


def draw(services: Services) -> bool:
    """Draw the picture that has waited longest, and let the letters go that wait for it; False if none waits.

    What cannot be drawn is noted by its class and holds no letter up.
    """
    taken = _claim(services)
    if taken is None:
        return False
    place, stamp = taken
    services.point("draw.claimed")
    try:
        drawn, error = _drawn(services, place), ""
    except Exception as trouble:  # noqa: BLE001 - letters go without a picture, whatever was wrong with it
        drawn, error = b"", type(trouble).__name__
    services.point("draw.drawn")
    _keep(services, place, stamp, drawn, error)
    services.wake("deliver", "")
    if waiting(services):
        services.wake("draw", "")
    return True


def _free(now: int) -> tuple[ColumnElement[bool], ...]:
    return PictureRow.state == PictureState.WANTED, or_(
        PictureRow.claimed_at.is_(None), PictureRow.claimed_at < now - CLAIM_MS
    )


def _claim(services: Services) -> tuple[Place, int] | None:
    """Take a picture in hand: two workers never hold the same one."""
    now = services.now()
    with services.db.writing() as session:
        waiting = select(PictureRow).where(*_free(now)).order_by(PictureRow.wanted_at).limit(1)
        row = session.scalars(waiting.with_for_update(skip_locked=True)).first()
        if row is None:
            return None
        row.claimed_at = now
        return (row.game_id, row.viewer, row.entry, row.since, row.language), now


def waiting(services: Services) -> bool:
    """Return True if a picture waits that nobody has in hand."""
    with services.db.reading() as session:
        found = session.scalars(select(PictureRow.game_id).where(*_free(services.now())).limit(1))
        return found.first() is not None


def _drawn(services: Services, place: Place) -> bytes:
    """The picture, from what was stored for the seat."""
    if services.draw is None:
        raise LookupError("this process draws nothing")
    game_id, seat, entry, since, language = place
    with services.db.reading() as session:
        rules = services.rules(session.get_one(Game, game_id).rules)
        if not isinstance(rules, Draws):
            raise LookupError("this game draws nothing")
        now = _view_of(services, session, game_id, seat, entry, exact=True)
        before = _view_of(services, session, game_id, seat, since, exact=False) if since else None
    return services.draw(_svg(rules, now, before, registered(language)))


def _svg(rules: Draws, now: View, before: View | None, language: Language) -> str:
    """The board of a letter: the part where most has changed, to be read on a phone, above the whole."""
    whole = rules.picture(now, language, since=before, theme=Theme.LIGHT)
    crop = next((name for name, part in rules.crops(now, before).items() if part.weight), "")
    if not crop:
        return whole
    return stacked(rules.picture(now, language, since=before, theme=Theme.LIGHT, crop=crop), whole)


def _view_of(services: Services, session: Session, game_id: str, seat: str, entry: int, *, exact: bool) -> View:
    rules = services.rules(session.get_one(Game, game_id).rules)
    stored = view_of(services, session, game_id, seat, entry) if exact else None
    position = stored or view_then(services, session, game_id, seat, entry)
    with seen_by(Seat(seat)):
        return rules.present(position, Seat(seat))


def _keep(services: Services, place: Place, stamp: int, drawn: bytes, error: str) -> None:
    """Keep a picture if it is still ours, and let its letters go."""
    keys = services.posting
    sealed = seal_letter(keys.post, keys.signing, context(*place), drawn) if drawn else b""
    with services.db.writing() as session:
        row = session.get(PictureRow, place, with_for_update=True)
        if row is None or row.state != PictureState.WANTED or row.claimed_at != stamp:
            return
        row.state, row.error = (PictureState.FAILED, error[:80]) if error else (PictureState.MADE, "")
        row.sealed = sealed
        _let_go(session, place, services.now())


def _let_go(session: Session, place: Place, now: int) -> None:
    """The letters about this entry need not wait; those in another language that are not drawn yet do."""
    game_id, seat, entry, _, _ = place
    mine = PictureRow.game_id == game_id, PictureRow.viewer == seat, PictureRow.entry == entry
    session.flush()
    if (
        session.scalars(select(PictureRow.since).where(*mine, PictureRow.state == PictureState.WANTED).limit(1)).first()
        is None
    ):
        held = LetterOut.game_id == game_id, LetterOut.seat == seat, LetterOut.entry == entry
        late = LetterOut.state == LetterOutState.DRAFT, LetterOut.tries == 0, LetterOut.due_at > now
        session.execute(update(LetterOut).where(*held, *late).values(due_at=now))


def forget(services: Services) -> None:
    """Delete the pictures that no letter waits for any more."""
    letter = LetterOut.game_id == PictureRow.game_id, LetterOut.seat == PictureRow.viewer
    waits = exists().where(*letter, LetterOut.entry == PictureRow.entry, LetterOut.state == LetterOutState.DRAFT)
    spent = PictureRow.state == PictureState.MADE, ~waits
    with services.db.reading() as session:
        any_spent = session.scalars(select(PictureRow.game_id).where(*spent).limit(1)).first() is not None
    if any_spent:
        with services.db.writing() as session:
            session.execute(delete(PictureRow).where(*spent).execution_options(synchronize_session=False))


def tidy(services: Services) -> None:
    """Delete what is known of pictures of long ago."""
    with services.db.writing() as session:
        session.execute(delete(PictureRow).where(PictureRow.wanted_at < services.now() - KEPT_MS))
