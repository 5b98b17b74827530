"""Pictures that go along with emails: requested by the resolver, drawn and sent by the mailer.

An email waits a little for its picture and no longer: it says everything without it.  The picture is drawn from what
was stored for the reader's seat, so it can hold nothing else.  Its bytes are kept, sealed to the mailer, until emails
that wait for it are finished; for an email that is sent again it is drawn again.

One worker draws them, one after the other.
"""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, exists, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.languages import Language, language_for
from engine.kernel.pictures import DrawsBoard, DrawsColumn, Theme, stack, without_small_text
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.archive.entries import CountedAnswer
from pbem.common.addresses import can_receive_email
from pbem.common.states import ImageState, OutboundState
from pbem.crypto import EmailContext, seal_email, unseal_email
from pbem.narration.facts import InvitationFacts
from pbem.service.access import mail_preferences
from pbem.service.base.services import Recipient, Services
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.game.seat_views import load_view, load_view_at
from pbem.store.games import load_seat, load_seats
from pbem.store.models import BoardImage, Game, OutboundEmail, User

HOLD_MS: Final = 30_000
"""So long an email waits for its picture; then it goes without."""

CONTENT_ID: Final = "board"
"""What the HTML part of an email calls its picture."""


Place = tuple[str, str, int, int, str]
"""Game, viewer, entry, the entry from which on changes are marked, and language."""


def mark_baseline(context: ResolverContext, counted: tuple[CountedAnswer, ...]) -> None:
    """Remember where the game stood when orders of these seats were opened: changes from there on are new to them."""
    gave = [one.seat for one in counted if one.how == "orders"]
    if context.services.pictures and gave:
        for row in load_seats(context.session, context.game.id):
            if row.seat in gave:
                row.last_order_entry = context.game.entry


def request_picture(context: ResolverContext, seat: str, user: User, since: int, known_from: int) -> int | None:
    """Have a seat's board drawn for an email about where the game stands now; from which entry on changes are marked.

    None where there will be no picture.  They are marked since the seat's last orders, or, where it gave none, since
    its last email; never since a time that the reader may not know.
    """
    if not (context.services.pictures and isinstance(context.rules, DrawsBoard) and can_receive_email(user.email)):
        return None
    if not mail_preferences.load_preferences(context.session, user).pictures:
        return None
    row = load_seat(context.session, context.game.id, seat)
    begun = since if row is None or row.last_order_entry is None else row.last_order_entry
    marked = begun if begun >= known_from else 0
    place = (context.game.id, seat, context.game.entry, marked, user.language)
    if context.session.get(BoardImage, place) is None:
        _add_row(context.session, place, context.now)
    return marked


class PictureMissing(Exception):
    """An email that is sent again has a picture that is not here any more."""

    def __init__(self, marked: int, language: str) -> None:
        super().__init__("not drawn")
        self.marked, self.language = marked, language


def attach_picture(
    services: Services, session: Session, row: OutboundEmail, facts: Any, to: Recipient, marked: int | None
) -> tuple[Any, Recipient]:
    """A letter with its picture, if there is one that its reader may have; raises PictureMissing for one sent again."""
    user = session.get(User, row.user_id) if row.user_id else None
    if not services.pictures or (user is not None and not mail_preferences.load_preferences(session, user).pictures):
        return facts, to
    if marked is None:
        marked = _find_baseline(services, session, row)
        if marked is not None and session.get(BoardImage, _describe_place(row, marked, to.language)) is None:
            raise PictureMissing(marked, to.language)
    found = _load_png(session, row, to.language, marked)
    if found is None:
        return facts, to
    keys = services.mailer_keys
    place = picture_context(found.game_id, found.viewer, found.entry, found.from_entry, found.language)
    opened = unseal_email(keys.opening, keys.verify, place, found.ciphertext)
    return replace(facts, picture=CONTENT_ID), replace(to, picture=opened.content)


def attach_sample(services: Services, session: Session, facts: InvitationFacts, user: User | None) -> InvitationFacts:
    """An invitation that shows a board of its game, where emails have pictures and its reader may have them."""
    wanted = services.pictures and isinstance(services.rules(facts.frame.table.game), DrawsBoard)
    if not wanted or (user is not None and not mail_preferences.load_preferences(session, user).pictures):
        return facts
    return replace(facts, picture=CONTENT_ID)


def _find_baseline(services: Services, session: Session, row: OutboundEmail) -> int | None:
    """From which entry on changes are marked for a report that is sent again; None for an email that has no picture."""
    game = session.get(Game, row.game_id) if row.kind == "report" and row.game_id else None
    seat = load_seat(session, game.id, str(row.seat)) if game is not None else None
    if game is None or seat is None or not isinstance(services.rules(game.rules), DrawsBoard):
        return None
    begun, entry = seat.last_order_entry, int(row.entry or 0)
    if begun is None or begun >= entry:
        begun = int(row.from_entry or 0)
    return begun if seat.visible_from_entry <= begun < entry else 0


def request_again(session: Session, letter: OutboundEmail, undrawn: PictureMissing, now: int) -> None:
    """Have the picture of an email that is sent again drawn; the email waits for it a while, as at the first time."""
    place = _describe_place(letter, undrawn.marked, undrawn.language)
    if session.get(BoardImage, place) is None:
        _add_row(session, place, now)
    letter.due_at, letter.claimed_at = now + HOLD_MS, None


def _load_png(session: Session, row: OutboundEmail, language: str, marked: int | None) -> BoardImage | None:
    """The picture that was drawn for an email."""
    found = session.get(BoardImage, _describe_place(row, marked, language)) if marked is not None else None
    return found if found is not None and found.state == ImageState.RENDERED else None


def _describe_place(row: OutboundEmail, marked: int, language: str) -> Place:
    return str(row.game_id), str(row.seat), int(row.entry or 0), marked, language


def _add_row(session: Session, place: Place, now: int) -> None:
    game, viewer, entry, since, language = place
    session.add(
        BoardImage(
            game_id=game,
            viewer=viewer,
            entry=entry,
            from_entry=since,
            language=language,
            state=ImageState.PENDING,
            requested_at=now,
            error="",
            ciphertext=b"",
        )
    )


def picture_context(game: str, viewer: str, entry: int, since: int, language: str) -> EmailContext:
    """The place that a picture is sealed for."""
    return EmailContext(f"{game}.{viewer}.{entry}.{since}.{language}", "picture")


CLAIM_MS: Final = 60_000
"""How long a claim holds: a worker that died with a picture in hand loses it after this."""

KEPT_MS: Final = 14 * 24 * 3_600_000
"""How long what became of a picture is kept."""


def render_next_picture(services: Services) -> bool:
    """Draw the picture that has waited longest, and let the emails go that wait for it; False if none waits.

    What cannot be drawn is noted by its class and holds no email up.
    """
    taken = _claim(services)
    if taken is None:
        return False
    place, stamp = taken
    services.fault_point("pictures.claimed")
    try:
        drawn, error = _render(services, place), ""
    except Exception as trouble:  # noqa: BLE001 - emails go without a picture, whatever was wrong with it
        drawn, error = b"", type(trouble).__name__
    services.fault_point("pictures.rendered")
    _store(services, place, stamp, drawn, error)
    services.enqueue("send_outbound_emails", "")
    if has_pending_picture(services):
        services.enqueue("render_picture", "")
    return True


def _free_conditions(now: int) -> tuple[ColumnElement[bool], ...]:
    return BoardImage.state == ImageState.PENDING, or_(
        BoardImage.claimed_at.is_(None), BoardImage.claimed_at < now - CLAIM_MS
    )


def _claim(services: Services) -> tuple[Place, int] | None:
    """Take a picture in hand: two workers never hold the same one."""
    now = services.now()
    with services.db.transaction() as session:
        waiting = select(BoardImage).where(*_free_conditions(now)).order_by(BoardImage.requested_at).limit(1)
        row = session.scalars(waiting.with_for_update(skip_locked=True)).first()
        if row is None:
            return None
        row.claimed_at = now
        return (row.game_id, row.viewer, row.entry, row.from_entry, row.language), now


def has_pending_picture(services: Services) -> bool:
    """Return True if a picture waits that nobody has in hand."""
    with services.db.snapshot() as session:
        found = session.scalars(select(BoardImage.game_id).where(*_free_conditions(services.now())).limit(1))
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
        shown = load_view(services, session, game_id, seat, entry)
        shown = shown or load_view_at(services, session, game_id, seat, entry)
        earlier = load_view_at(services, session, game_id, seat, since) if since else None
    with seen_by(Seat(seat)):
        now = rules.present_view(shown, Seat(seat))
        before = rules.present_view(earlier, Seat(seat)) if earlier is not None else None
    return services.render_picture(board_svg(rules, now, before, language_for(language)))


def board_svg(rules: DrawsBoard, now: View, before: View | None, language: Language) -> str:
    """The board of an email: what the question and the changes are about, to be read on a phone.

    Below the part of a map where most has changed stands the whole map, whose names would be too small.
    """
    if isinstance(rules, DrawsColumn) and (column := rules.draw_column(now, language, since=before)):
        return column
    draw = partial(rules.draw, now, language, since=before, theme=Theme.LIGHT)
    crop = next((name for name, part in rules.crops(now, before).items() if part.weight), "")
    return stack(draw(crop=crop), without_small_text(draw(crop="map"))) if crop else draw()


def _store(services: Services, place: Place, stamp: int, drawn: bytes, error: str) -> None:
    """Keep a picture if it is still ours, and let its emails go."""
    keys = services.mailer_keys
    sealed = seal_email(keys.mailer, keys.signing, picture_context(*place), drawn) if drawn else b""
    with services.db.transaction() as session:
        row = session.get(BoardImage, place, with_for_update=True)
        if row is None or row.state != ImageState.PENDING or row.claimed_at != stamp:
            return
        row.state, row.error = (ImageState.FAILED, error[:80]) if error else (ImageState.RENDERED, "")
        row.ciphertext = sealed
        _release_emails(session, place, services.now())


def _release_emails(session: Session, place: Place, now: int) -> None:
    """The emails about this entry need not wait; those in another language that are not drawn yet do."""
    game_id, seat, entry, _, _ = place
    mine = BoardImage.game_id == game_id, BoardImage.viewer == seat, BoardImage.entry == entry
    session.flush()
    pending = select(BoardImage.from_entry).where(*mine, BoardImage.state == ImageState.PENDING).limit(1)
    if session.scalars(pending).first() is not None:
        return
    held = OutboundEmail.game_id == game_id, OutboundEmail.seat == seat, OutboundEmail.entry == entry
    late = OutboundEmail.state == OutboundState.QUEUED, OutboundEmail.attempts == 0, OutboundEmail.due_at > now
    session.execute(update(OutboundEmail).where(*held, *late).values(due_at=now))


def delete_unused_pictures(services: Services) -> None:
    """Delete the pictures that no email waits for any more."""
    letter = OutboundEmail.game_id == BoardImage.game_id, OutboundEmail.seat == BoardImage.viewer
    waits = exists().where(
        *letter, OutboundEmail.entry == BoardImage.entry, OutboundEmail.state == OutboundState.QUEUED
    )
    spent = BoardImage.state == ImageState.RENDERED, ~waits
    with services.db.snapshot() as session:
        any_spent = session.scalars(select(BoardImage.game_id).where(*spent).limit(1)).first() is not None
    if any_spent:
        with services.db.transaction() as session:
            session.execute(delete(BoardImage).where(*spent).execution_options(synchronize_session=False))


def delete_old_pictures(services: Services) -> None:
    """Delete what is known of pictures of long ago."""
    with services.db.transaction() as session:
        session.execute(delete(BoardImage).where(BoardImage.requested_at < services.now() - KEPT_MS))
