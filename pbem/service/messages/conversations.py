"""What was said at a table as a person may hear it: on the page of talk, beside the play page, by the interface.

Also the transcript that goes into the file of a game.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.orm import Session, aliased

from pbem.common.addresses import normalize
from pbem.common.states import GameState
from pbem.service.base.services import Services
from pbem.service.messages.messages import (
    ALL,
    DIARY,
    MASTER,
    PUBLIC,
    UNSIGNED,
    MessageContent,
    MessagePolicy,
    Sender,
    add_readers,
    address_for,
    load_policy,
    masters_to_write_to,
    muted_users,
    sender_of,
    store,
    unseal,
    visible_author,
)
from pbem.store.games import display_name, load_game, occupied_seats
from pbem.store.models import Game, Message, MessageReader, TalkMute, User

MOST_SHOWN: Final = 100
FEW: Final = 5

_MINE = select(MessageReader.message_id).where(MessageReader.user_id == bindparam("user"))
_HEARD = (
    select(Message)
    .where(Message.game_id == bindparam("game"), or_(Message.kind == PUBLIC, Message.id.in_(_MINE)))
    .order_by(Message.id.desc())
)
_NEWEST = aliased(Message, _HEARD.limit(FEW).subquery())
_LATEST = (
    select(_NEWEST, TalkMute.muted_user_id)
    .outerjoin(TalkMute, and_(TalkMute.game_id == _NEWEST.game_id, TalkMute.user_id == bindparam("user")))
    .order_by(_NEWEST.id.desc())
)
"""The last words, each once with everybody whom the reader does not hear: the play page asks for both at once."""


FORGOTTEN: Final = "–"
"""In the place of a name that was forgotten and belonged to no seat."""


@dataclass(frozen=True)
class VisibleMessage:
    """A message as a reader may see it.  `name` is empty where it was not signed."""

    number: int
    kind: str
    entry: int
    made: int
    seat: str
    name: str
    to: tuple[str, ...]
    text: str
    is_own: bool = False


@dataclass(frozen=True)
class Audience:
    """Whom one may speak to: its name, who that is, whether one does not hear them, and the address for emails."""

    name: str
    display_name: str
    muted: bool = False
    address: str = ""


@dataclass(frozen=True)
class Conversation:
    """All that the page of talk shows to its reader.  `before`: the number to go on from, 0 where nothing is older."""

    messages: tuple[VisibleMessage, ...]
    diary: tuple[VisibleMessage, ...]
    audiences: tuple[Audience, ...]
    policy: MessagePolicy
    before: int
    unsigned_muted: bool


def load_conversation(services: Services, user_id: int, game_id: str, before: int = 0) -> Conversation:
    """Load what a user may read and write in a game; a spectator reads what is public. The caller knows their role."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None:
            raise LookupError("there is no such table")
        speaker = sender_of(session, game, user_id)
        rows = _rows(session, game_id, user_id, before)
        page_rows, more = rows[:MOST_SHOWN], len(rows) > MOST_SHOWN
        silent = muted_users(session, game_id, user_id)
        heard, diary = _split_diary(services, session, page_rows, silent, user_id)
        circles = _audiences(services, session, game, speaker, silent) if speaker is not None else ()
        allows = load_policy(services, game)
        return Conversation(heard, diary, circles, allows, page_rows[-1].id if more else 0, UNSIGNED in silent)


def with_addresses(services: Services, user_id: int, game_id: str, circles: Sequence[Audience]) -> tuple[Audience, ...]:
    """Return the audiences with the user's email address for each, created on first use."""
    with services.db.transaction() as session:
        game = load_game(session, game_id)
        speaker = sender_of(session, game, user_id) if game is not None else None
        if game is None or speaker is None:
            return ()
        return tuple(
            replace(
                audience, address=services.reply_address(address_for(services, session, game, speaker, audience.name))
            )
            for audience in circles
        )


def list_latest(services: Services, user_id: int, game_id: str) -> tuple[VisibleMessage, ...]:
    """List the latest messages that a user may read, the newest first."""
    with services.db.snapshot() as session:
        pairs = session.execute(_LATEST, {"game": game_id, "user": user_id}).all()
        silent = {muted_user for _, muted_user in pairs}
        rows = verify_visible(session, list(dict.fromkeys(row for row, _ in pairs)), user_id)
        return _split_diary(services, session, rows, silent, user_id)[0]


def _split_diary(
    services: Services, session: Session, rows: Sequence[Message], silent: Set[int], user_id: int
) -> tuple[tuple[VisibleMessage, ...], tuple[VisibleMessage, ...]]:
    """Return the messages whose authors the reader has not muted, and the entries of the reader's diary."""
    heard, diary = [], []
    for row in rows:
        content = unseal(services, row)
        if row.kind == DIARY:
            diary.append(to_visible(session, row, content, user_id))
        elif visible_author(content) not in silent:
            heard.append(to_visible(session, row, content, user_id))
    return tuple(heard), tuple(diary)


def _rows(session: Session, game_id: str, user_id: int, before: int = 0) -> list[Message]:
    """The messages that a person may hear, newest first, and one more where there are more than a page shows."""
    query = _HEARD.where(Message.id < before) if before else _HEARD
    rows = session.scalars(query.limit(MOST_SHOWN + 1), {"game": game_id, "user": user_id})
    return verify_visible(session, list(rows), user_id)


def verify_visible(session: Session, rows: list[Message], user_id: int) -> list[Message]:
    """Return the messages after checking that each is for this reader. Raises TamperedError."""
    restricted = [row.id for row in rows if row.kind != PUBLIC]
    if restricted:
        session.scalars(
            select(MessageReader).where(MessageReader.user_id == user_id, MessageReader.message_id.in_(restricted))
        ).all()
    return rows


def to_visible(session: Session, row: Message, content: MessageContent, user_id: int = 0) -> VisibleMessage:
    """Return a message as a reader sees it: an unsigned author has no name, a deleted one has their seat's."""
    seat, name = ("", "") if content.unsigned else (content.seat, content.name)
    speaker = session.get(User, content.user) if name else None
    if speaker is not None and not speaker.name:
        name = content.seat or FORGOTTEN
    mine = user_id != 0 and content.user == user_id
    return VisibleMessage(
        row.id, row.kind, row.entry, row.created_at // 1000, seat, name, content.to, content.text, mine
    )


def _audiences(
    services: Services, session: Session, game: Game, speaker: Sender, silent: set[int]
) -> tuple[Audience, ...]:
    """Whom one may speak to."""
    if game.state != GameState.RUNNING:
        return ()
    allows, audiences = load_policy(services, game), []
    if allows.public or not speaker.seat:
        audiences.append(Audience(ALL, ""))
    if any(user.id != speaker.user.id for user in masters_to_write_to(session, game)):
        audiences.append(Audience(MASTER, ""))
    for row, user in occupied_seats(session, game.id):
        if user.id != speaker.user.id and (allows.private or not speaker.seat):
            audiences.append(Audience(row.seat, display_name(user, row, game), user.id in silent))
    return tuple(audiences)


def export_transcript(
    services: Services, session: Session, game: Game, *, whole: bool, user_id: int = 0, moving: bool = False
) -> tuple[dict[str, Any], ...]:
    """Return the messages of a game for its file: the public ones, and those that `user_id` read; `whole`: all.

    `moving`: with the addresses of those who may read them, for the server that takes the game over.
    """
    query = select(Message).where(Message.game_id == game.id).order_by(Message.id)
    if not whole:
        own = select(MessageReader.message_id).where(MessageReader.user_id == user_id)
        query = query.where(or_(Message.kind == PUBLIC, Message.id.in_(own)))
    rows = list(session.scalars(query))
    visible = rows if whole else verify_visible(session, rows, user_id)
    return tuple(_to_line(session, row, unseal(services, row), moving=moving) for row in visible)


def _to_line(session: Session, row: Message, content: MessageContent, *, moving: bool) -> dict[str, Any]:
    message = to_visible(session, row, content)
    line: dict[str, Any] = {
        "at": message.made,
        "entry": message.entry,
        "kind": message.kind,
        "seat": message.seat,
        "name": message.name,
        "to": list(message.to),
        "text": message.text,
    }
    if moving and row.kind != PUBLIC:
        readers = select(MessageReader, User).join(User, MessageReader.user_id == User.id)
        recipients = session.execute(readers.where(MessageReader.message_id == row.id))
        line["for"] = sorted(user.email for _, user in recipients)
    return line


def record_of(services: Services, game_id: str) -> tuple[VisibleMessage, ...]:
    """Load all messages and diaries of a finished game; the caller has checked permissions."""
    with services.db.snapshot() as session:
        rows = session.scalars(select(Message).where(Message.game_id == game_id).order_by(Message.id))
        return tuple(to_visible(session, row, unseal(services, row)) for row in rows)


def import_transcript(services: Services, session: Session, game: Game, lines: Iterable[Any]) -> None:
    """Store the messages of a file, for a game that was imported."""
    at_seat = {row.seat: user for row, user in occupied_seats(session, game.id)}
    for number, line in enumerate(lines):
        user = at_seat.get(str(line["seat"]))
        content = MessageContent(
            str(line["seat"]),
            user.id if user is not None else -1,
            str(line["name"]),
            "",
            tuple(map(str, line["to"])),
            str(line["text"]),
            not line["name"],
        )
        row = store(services, session, game, str(line["kind"]), content, f"file.{game.id}.{number}")
        row.created_at, row.entry = int(line["at"]) * 1000, int(line["entry"])
        readers = {normalize(str(address)) for address in line.get("for", ())}
        add_readers(session, row, (user.id for user in at_seat.values() if user.email in readers))
