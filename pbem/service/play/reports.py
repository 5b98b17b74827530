"""Letters to the seats of a game: laid out by play in the game's transaction, put together by post afterwards.

A draft names entries and carries the reply token, no more; what it tells is read, when it is rendered, from the
views and events that the play worker stored for that seat.
"""

from engine.kernel.names import Seat
from engine.kernel.orders import Pace
from pbem.service.access import acting_deputies
from pbem.service.game import riders
from pbem.service.game.filed_orders import Standing, standing
from pbem.service.game.frames import new_reply_token
from pbem.service.game.visit import Visit
from pbem.service.post import pictures
from pbem.service.post.composing import ReportDraft
from pbem.service.post.outbox import draft
from pbem.store.games import seated
from pbem.store.models import User


def report_to_all(at: Visit) -> None:
    """One letter a seat for all that happened since its last one.

    In the pace `order` only those get one who now owe an answer, and all at the end of a phase or of the game.
    """
    for row, user in seated(at.session, at.game.id):
        if _due(at, Seat(row.seat)):
            lay_out(at, row.seat, user, row.reported_entry, row.known_from)
            stands = acting_deputies.of_seat(at.session, at.game.id, row.seat, at.now)
            deputy = at.session.get(User, stands.user_id) if stands is not None else None
            if stands is not None and deputy is not None:
                known = max(row.known_from, stands.known_from)
                lay_out(at, row.seat, deputy, max(row.reported_entry, stands.known_from), known, deputy=True)
            row.reported_entry = at.game.entry


def _due(at: Visit, seat: Seat) -> bool:
    """Whether there is anything to write to a seat: something was told to it, or it is asked something new."""
    core, told = at.position.core, bool(at.told.get(seat))
    owes = [d for d in core.open if d.seat == seat and d.blocking]
    if core.over or any((d.gate, seat) in at.opened for d in owes):
        return True
    if core.options.get("pace") == "order" and not at.phase_ended:
        return told and bool(owes)
    return told


def lay_out(at: Visit, seat: str, user: User, since: int, known: int, *, deputy: bool = False) -> None:
    """Draft one seat's letter about where the game stands now, to its player or deputy, who knows it from `known`."""
    kind = (
        "over" if at.position.core.over else "started" if since == 0 else acting_deputies.REPORT if deputy else "report"
    )
    key = f"{at.game.id}.{at.game.entry}.{seat}.{kind}{'.deputy' if deputy else ''}"
    token = new_reply_token(at.session, at.game.id, seat, at.game.entry, at.now, holder=user.id if deputy else None)
    asked = [d for d in at.position.core.open if d.seat == seat and d.pace is Pace.REACTION]
    ridden = tuple(d.gate for d in asked if riders.fits(at, d))
    marked = pictures.want(at, seat, user, since, known)
    draft(
        at.office,
        at.session,
        key=key,
        kind=kind,
        facts=ReportDraft(token, ridden, *_on_file(at, seat), marked),
        user_id=user.id,
        game_id=at.game.id,
        seat=seat,
        entry=at.game.entry,
        since=since,
        hold_ms=0 if marked is None else pictures.HOLD_MS,
    )


def _on_file(at: Visit, seat: str) -> Standing:
    """What a seat has filed for what is to come; nothing once the game is over."""
    if at.position.core.over:
        return (), ()
    return standing(at.office, at.session, at.game.id, at.keys, seat, at.rules.turn(at.position))
