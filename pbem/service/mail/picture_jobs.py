"""Drawing the pictures that letters wait for: one at a time, once each, by post."""

from typing import Final

from sqlalchemy import ColumnElement, delete, exists, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.languages import Language, register
from engine.kernel.pictures import DrawsBoard, Theme, stack
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.common.states import LetterOutState, PictureState
from pbem.crypto import seal_email
from pbem.service.base.services import Services
from pbem.service.game.seat_views import load_view, load_view_at
from pbem.service.mail.pictures import Place, picture_context
from pbem.store.models import BoardImage, Game, OutboundEmail

CLAIM_MS: Final = 60_000
"""How long a claim holds: a worker that died with a picture in hand loses it after this."""

KEPT_MS: Final = 14 * 24 * 3_600_000
"""How long what became of a picture is kept."""


def render_next(services: Services) -> bool:
    """Draw the picture that has waited longest, and let the letters go that wait for it; False if none waits.

    What cannot be drawn is noted by its class and holds no letter up.
    """
    taken = _claim(services)
    if taken is None:
        return False
    place, stamp = taken
    services.fault_point("draw.claimed")
    try:
        drawn, error = _render(services, place), ""
    except Exception as trouble:  # noqa: BLE001 - letters go without a picture, whatever was wrong with it
        drawn, error = b"", type(trouble).__name__
    services.fault_point("draw.drawn")
    _store(services, place, stamp, drawn, error)
    services.enqueue("send_outbound_emails", "")
    if has_pending(services):
        services.enqueue("render_picture", "")
    return True


def _select_free(now: int) -> tuple[ColumnElement[bool], ...]:
    return BoardImage.state == PictureState.WANTED, or_(
        BoardImage.claimed_at.is_(None), BoardImage.claimed_at < now - CLAIM_MS
    )


def _claim(services: Services) -> tuple[Place, int] | None:
    """Take a picture in hand: two workers never hold the same one."""
    now = services.now()
    with services.db.transaction() as session:
        waiting = select(BoardImage).where(*_select_free(now)).order_by(BoardImage.wanted_at).limit(1)
        row = session.scalars(waiting.with_for_update(skip_locked=True)).first()
        if row is None:
            return None
        row.claimed_at = now
        return (row.game_id, row.viewer, row.entry, row.since, row.language), now


def has_pending(services: Services) -> bool:
    """Return True if a picture waits that nobody has in hand."""
    with services.db.snapshot() as session:
        found = session.scalars(select(BoardImage.game_id).where(*_select_free(services.now())).limit(1))
        return found.first() is not None


def _render(services: Services, place: Place) -> bytes:
    """The picture, from what was stored for the seat."""
    if services.render_picture is None:
        raise LookupError("this process draws nothing")
    game_id, seat, entry, since, language = place
    with services.db.snapshot() as session:
        rules = services.rules(session.get_one(Game, game_id).rules)
        if not isinstance(rules, DrawsBoard):
            raise LookupError("this game draws nothing")
        now = _load_view(services, session, game_id, seat, entry, exact=True)
        before = _load_view(services, session, game_id, seat, since, exact=False) if since else None
    return services.render_picture(_board_svg(rules, now, before, register(language)))


def _board_svg(rules: DrawsBoard, now: View, before: View | None, language: Language) -> str:
    """The board of a letter: the part where most has changed, to be read on a phone, above the whole."""
    whole = rules.picture(now, language, since=before, theme=Theme.LIGHT)
    crop = next((name for name, part in rules.crops(now, before).items() if part.weight), "")
    if not crop:
        return whole
    return stack(rules.picture(now, language, since=before, theme=Theme.LIGHT, crop=crop), whole)


def _load_view(services: Services, session: Session, game_id: str, seat: str, entry: int, *, exact: bool) -> View:
    rules = services.rules(session.get_one(Game, game_id).rules)
    stored = load_view(services, session, game_id, seat, entry) if exact else None
    position = stored or load_view_at(services, session, game_id, seat, entry)
    with seen_by(Seat(seat)):
        return rules.present(position, Seat(seat))


def _store(services: Services, place: Place, stamp: int, drawn: bytes, error: str) -> None:
    """Keep a picture if it is still ours, and let its letters go."""
    keys = services.mailer_keys
    sealed = seal_email(keys.mailer, keys.signing, picture_context(*place), drawn) if drawn else b""
    with services.db.transaction() as session:
        row = session.get(BoardImage, place, with_for_update=True)
        if row is None or row.state != PictureState.WANTED or row.claimed_at != stamp:
            return
        row.state, row.error = (PictureState.FAILED, error[:80]) if error else (PictureState.MADE, "")
        row.sealed = sealed
        _release_emails(session, place, services.now())


def _release_emails(session: Session, place: Place, now: int) -> None:
    """The letters about this entry need not wait; those in another language that are not drawn yet do."""
    game_id, seat, entry, _, _ = place
    mine = BoardImage.game_id == game_id, BoardImage.viewer == seat, BoardImage.entry == entry
    session.flush()
    if (
        session.scalars(select(BoardImage.since).where(*mine, BoardImage.state == PictureState.WANTED).limit(1)).first()
        is None
    ):
        held = OutboundEmail.game_id == game_id, OutboundEmail.seat == seat, OutboundEmail.entry == entry
        late = OutboundEmail.state == LetterOutState.DRAFT, OutboundEmail.tries == 0, OutboundEmail.due_at > now
        session.execute(update(OutboundEmail).where(*held, *late).values(due_at=now))


def delete_unused(services: Services) -> None:
    """Delete the pictures that no letter waits for any more."""
    letter = OutboundEmail.game_id == BoardImage.game_id, OutboundEmail.seat == BoardImage.viewer
    waits = exists().where(
        *letter, OutboundEmail.entry == BoardImage.entry, OutboundEmail.state == LetterOutState.DRAFT
    )
    spent = BoardImage.state == PictureState.MADE, ~waits
    with services.db.snapshot() as session:
        any_spent = session.scalars(select(BoardImage.game_id).where(*spent).limit(1)).first() is not None
    if any_spent:
        with services.db.transaction() as session:
            session.execute(delete(BoardImage).where(*spent).execution_options(synchronize_session=False))


def delete_old(services: Services) -> None:
    """Delete what is known of pictures of long ago."""
    with services.db.transaction() as session:
        session.execute(delete(BoardImage).where(BoardImage.wanted_at < services.now() - KEPT_MS))
