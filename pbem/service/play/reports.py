"""Letters to the seats of a game: laid out by play in the game's transaction, put together by post afterwards.

A draft names entries and carries the reply token, no more; what it tells is read, when it is rendered, from the
views and events that the play worker stored for that seat.
"""

from engine.kernel.names import Seat
from pbem.service.access import acting_deputies
from pbem.service.game import bot_marks, riders
from pbem.service.game.filed_orders import FiledOrders, filed_by
from pbem.service.game.frames import new_reply_token
from pbem.service.game.visit import Visit
from pbem.service.post import pictures
from pbem.service.post.composing import ReportDraft
from pbem.service.post.outbox import draft, look_for
from pbem.store.games import seated
from pbem.store.models import User


def report_to_all(visit: Visit) -> None:
    """One letter a seat for all that happened since its last one.

    In the pace `order` only those get one who now owe an answer, and all at the beginning, and at the end of a phase or
    of the game.
    """
    due = [
        (row, user)
        for row, user in seated(visit.session, visit.game.id)
        if row.reported_entry == 0 or _due(visit, Seat(row.seat))
    ]
    look_for(visit.session, [_key(visit, row.seat, _kind(visit, row.reported_entry)) for row, _ in due])
    for row, user in due:
        lay_out(visit, row.seat, user, row.reported_entry, row.known_from)
        stands = acting_deputies.of_seat(visit.session, visit.game.id, row.seat, visit.now)
        deputy = visit.session.get(User, stands.user_id) if stands is not None else None
        if stands is not None and deputy is not None:
            known = max(row.known_from, stands.known_from)
            lay_out(visit, row.seat, deputy, max(row.reported_entry, stands.known_from), known, deputy=True)
        row.reported_entry = visit.game.entry
        bot_marks.look(visit.session, user, visit.now)


def _due(visit: Visit, seat: Seat) -> bool:
    """Return True if there is anything to write to a seat: something was told to it, or it is asked something new."""
    core, told = visit.position.core, bool(visit.told.get(seat))
    owes = [d for d in core.open if d.seat == seat and d.blocking]
    if core.over or any((d.gate, seat) in visit.opened for d in owes):
        return True
    if core.options.get("pace") == "order" and not visit.phase_ended:
        return told and bool(owes)
    return told


def lay_out(visit: Visit, seat: str, user: User, since: int, known: int, *, deputy: bool = False) -> None:
    """Draft one seat's letter about where the game stands now, to its player or deputy, who knows it from `known`."""
    kind = _kind(visit, since, deputy)
    token = new_reply_token(
        visit.session, visit.game.id, seat, visit.game.entry, visit.now, holder=user.id if deputy else None
    )
    asked = [d for d in visit.position.core.open if d.seat == seat and visit.rules.meta.topic(d.asks).rider]
    ridden = tuple(d.gate for d in asked if riders.fits(visit, d))
    marked = pictures.want(visit, seat, user, since, known)
    draft(
        visit.services,
        visit.session,
        key=_key(visit, seat, kind) + (".deputy" if deputy else ""),
        kind=kind,
        facts=ReportDraft(token, ridden, *_on_file(visit, seat), marked),
        user_id=user.id,
        game_id=visit.game.id,
        seat=seat,
        entry=visit.game.entry,
        since=since,
        hold_ms=0 if marked is None else pictures.HOLD_MS,
    )


def _kind(visit: Visit, since: int, deputy: bool = False) -> str:
    """The kind of a letter about what happened after an entry."""
    if visit.position.core.over:
        return "over"
    if since == 0:
        return "started"
    return acting_deputies.REPORT if deputy else "report"


def _key(visit: Visit, seat: str, kind: str) -> str:
    """Under what the letter to the player of a seat lies."""
    return f"{visit.game.id}.{visit.game.entry}.{seat}.{kind}"


def _on_file(visit: Visit, seat: str) -> FiledOrders:
    """What a seat has filed for what is to come; nothing once the game is over."""
    if visit.position.core.over:
        return (), ()
    return filed_by(visit.services, visit.session, visit.game.id, visit.keys, seat, visit.rules.turn(visit.position))
