"""What was said at a table, in its record: for its file, for those who may look at it, and from a file."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pbem.common.addresses import normalize
from pbem.service.base.services import Services
from pbem.service.messages.conversations import VisibleMessage, to_visible, visible_filter
from pbem.service.messages.messages import PUBLIC, MessageContent, restrict_readers, store, unseal
from pbem.store.games import occupied_seats
from pbem.store.models import Game, Message, MessageReader, User


def export(
    services: Services, session: Session, game: Game, *, whole: bool, user_id: int = 0, moving: bool = False
) -> tuple[dict[str, Any], ...]:
    """What was said at a table, for its file: what everybody heard; `whole`: all; `user_id`: what they heard besides.

    `moving`: with the addresses of those who may read it, for the server that takes the game over.
    """
    query = select(Message).where(Message.game_id == game.id).order_by(Message.id)
    if not whole:
        mine = select(MessageReader.message_id).where(MessageReader.user_id == user_id)
        query = query.where(or_(Message.kind == PUBLIC, Message.id.in_(mine)))
    rows = list(session.scalars(query))
    shown = rows if whole else visible_filter(session, rows, user_id)
    return tuple(_to_line(session, row, unseal(services, row), moving=moving) for row in shown)


def _to_line(session: Session, row: Message, said: MessageContent, *, moving: bool) -> dict[str, Any]:
    one = to_visible(session, row, said)
    line: dict[str, Any] = {
        "at": one.made,
        "entry": one.entry,
        "kind": one.kind,
        "seat": one.seat,
        "name": one.name,
        "to": list(one.to),
        "text": one.text,
    }
    if moving and row.kind != PUBLIC:
        readers = select(MessageReader, User).join(User, MessageReader.user_id == User.id)
        found = session.execute(readers.where(MessageReader.message_id == row.id))
        line["for"] = sorted(user.address for _, user in found)
    return line


def record_of(services: Services, game_id: str) -> tuple[VisibleMessage, ...]:
    """All that was said and noted in a finished game; the caller has asked who may look at it."""
    with services.db.snapshot() as session:
        rows = session.scalars(select(Message).where(Message.game_id == game_id).order_by(Message.id))
        return tuple(to_visible(session, row, unseal(services, row)) for row in rows)


def import_lines(services: Services, session: Session, game: Game, lines: Iterable[Any]) -> None:
    """What a file says was said, for the record of a game that was brought here or is played on here."""
    at_seat = {row.seat: user for row, user in occupied_seats(session, game.id)}
    for number, line in enumerate(lines):
        user = at_seat.get(str(line["seat"]))
        said = MessageContent(
            str(line["seat"]),
            user.id if user is not None else -1,
            str(line["name"]),
            "",
            tuple(map(str, line["to"])),
            str(line["text"]),
            not line["name"],
        )
        row = store(services, session, game, str(line["kind"]), said, f"file.{game.id}.{number}")
        row.made_at, row.entry = int(line["at"]) * 1000, int(line["entry"])
        readers = {normalize(str(address)) for address in line.get("for", ())}
        restrict_readers(session, row, (user.id for user in at_seat.values() if user.address in readers))
