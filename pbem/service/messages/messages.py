"""Talk at a table: to all, to some, to the master; and the diary that is opened at the end.

What may be said is an option of the table.  Words lie sealed, and with them who said them; who may read is a person
and no seat: a player who takes a seat over finds nothing of what was said to the one before.  When the game is over
all of it is part of the record; who did not sign stays unnamed even there.

Also whose messages a person does not want to read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from engine.kernel import viewers
from engine.kernel.codec import dump, load, serializable
from engine.kernel.narration_hooks import hooks_of
from engine.kernel.options import ANONYMOUS, TALK
from engine.kernel.position import Position
from engine.kernel.rules import Option
from engine.kernel.viewers import Seat
from pbem.common.states import GameState
from pbem.common.text import strip_invisible
from pbem.crypto import (
    is_token,
    token_hash,
)
from pbem.crypto.messages import MessageContext, seal_message, unseal_message
from pbem.narration.facts import TalkFacts
from pbem.service.access.capabilities import create_capability
from pbem.service.access.permissions import masters_of
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.mail import assembly
from pbem.service.mail.outbox import enqueue
from pbem.store.games import display_name, hides_names, lock_game, names_of_seats, occupied_seats
from pbem.store.models import Capability, Game, Message, MessageReader, TalkAddress, TalkMute, User

UNSIGNED: Final = 0
"""Stands, among those whom one does not hear, for those who do not sign."""

_MUTED = select(TalkMute.muted_user_id).where(
    TalkMute.game_id == bindparam("game"), TalkMute.user_id == bindparam("user")
)


@dataclass(frozen=True)
class MuteOption:
    """Another person at the table, and whether one hears them."""

    seat: str
    name: str
    muted: bool


def list_mute_options(services: Services, user_id: int, game_id: str) -> tuple[MuteOption, ...]:
    """List the other players of a game, and whether the user has muted them."""
    with services.db.snapshot() as session:
        silent = muted_users(session, game_id, user_id)
        rows = occupied_seats(session, game_id)
        names = names_of_seats(session, session.get_one(Game, game_id))
        return tuple(
            MuteOption(row.seat, names[row.seat], user.id in silent) for row, user in rows if user.id != user_id
        )


def set_muted(services: Services, user_id: int, game_id: str, seat: str, on: bool) -> None:
    """Stop hearing the player who sits there now, or hear them again; an empty seat stands for those who do not sign.

    It is a person whom one does not hear, so nobody inherits it; and what is not signed is never left out by its
    author, which would tell who they are.
    """
    with services.db.transaction() as session:
        users = {row.seat: user.id for row, user in occupied_seats(session, game_id)} | {"": UNSIGNED}
        if seat not in users or users[seat] == user_id:
            return
        muted_row = (TalkMute.game_id == game_id, TalkMute.user_id == user_id, TalkMute.muted_user_id == users[seat])
        session.execute(delete(TalkMute).where(*muted_row))
        if on:
            session.add(TalkMute(game_id=game_id, user_id=user_id, muted_user_id=users[seat]))


def muted_users(session: Session, game_id: str, user_id: int) -> set[int]:
    """Return the users whom a user has muted in a game, by their numbers, and UNSIGNED."""
    return set(session.scalars(_MUTED, {"game": game_id, "user": user_id}))


ALL: Final = "all"
MASTER: Final = "master"
PUBLIC, PRIVATE, TO_MASTER, DIARY = "public", "private", "master", "diary"
TALKING: Final = "talk"
"""The purpose of an address for talk."""
MAX_CHARACTERS: Final = 4000
MAX_LINES: Final = 120


class MessageRefused(Exception):
    """Nothing was said; `code`: not_now, no_text, too_long, nobody, no_such_reader, forbidden, unsigned, too_often."""

    def __init__(self, code: str, **terms: object) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code, self.terms = code, terms


@serializable("pbem.MessageContent")
@dataclass(frozen=True)
class MessageContent:
    """A message as it lies sealed: from whom (`seat` empty: the master), under which name, to which circle.

    Names are those of the time: a seat may have another player later.
    """

    seat: str
    user: int
    name: str
    audience: str
    to: tuple[str, ...]
    text: str
    unsigned: bool = False


@dataclass(frozen=True)
class Sender:
    """Who speaks: from their seat, or as a master who has none (empty); `name`: as the table calls them."""

    user: User
    seat: str
    name: str


@dataclass(frozen=True)
class MessagePolicy:
    """What may be said at a table beside what is for the master: before all, among some, without a name."""

    public: bool
    private: bool
    unsigned: bool


def load_policy(services: Services, game: Game) -> MessagePolicy:
    """Return what the game's options allow; by default public messages with names."""
    chosen = _option(services, game, TALK)
    return MessagePolicy(
        chosen != "none", chosen == "free", chosen != "none" and _option(services, game, ANONYMOUS) == "yes"
    )


def _option(services: Services, game: Game, option: Option) -> str:
    offered = {o.name: o.default for o in services.rules(game.rules).meta.options}
    return str(game.options.get(option.name) or offered.get(option.name) or option.default)


# --- who speaks, and to whom


def sender_of(session: Session, game: Game, user_id: int) -> Sender | None:
    """Return a user as a sender in a game: a player or a master. None for anybody else."""
    for row, user in occupied_seats(session, game.id):
        if user.id == user_id:
            return Sender(user, row.seat, display_name(user, row, game))
    return next((Sender(user, "", user.name) for user in masters_of(session, game) if user.id == user_id), None)


def masters_to_write_to(session: Session, game: Game) -> list[User]:
    """Return the masters whom messages to the master reach.

    Where names are hidden, those without a seat: the answer of one who plays would tell which seat is theirs.
    """
    seated = {user.id for _, user in occupied_seats(session, game.id)} if hides_names(game) else set[int]()
    return [user for user in masters_of(session, game) if user.id not in seated]


def audience_of(names: Iterable[str]) -> str:
    """Return the name of an audience, however its readers were listed."""
    wanted = sorted({name.strip() for name in names if name.strip()})
    return ALL if ALL in wanted else ",".join(wanted)


def _readers_of(session: Session, game: Game, circle: str) -> list[Sender]:
    """Everybody in a circle. Raises MessageRefused."""
    players = [Sender(user, row.seat, display_name(user, row, game)) for row, user in occupied_seats(session, game.id)]
    sitting = {player.user.id for player in players}
    masters = [Sender(user, "", user.name) for user in masters_of(session, game) if user.id not in sitting]
    if circle == ALL:
        return [*players, *masters]
    if circle == MASTER:
        ids = {user.id for user in masters_to_write_to(session, game)}
        return [*(player for player in players if player.user.id in ids), *masters]
    wanted = circle.split(",")
    if not circle or not set(wanted) <= {player.seat for player in players}:
        raise MessageRefused("no_such_reader" if circle else "nobody")
    return [player for player in players if player.seat in wanted]


def _kind(allows: MessagePolicy, speaker: Sender, circle: str, *, unsigned: bool) -> str:
    """What sort of message this is. Raises MessageRefused where the table does not allow it."""
    if unsigned and not (allows.unsigned and circle == ALL):
        raise MessageRefused("unsigned")
    if circle == ALL:
        if not allows.public and speaker.seat:
            raise MessageRefused("forbidden")
        return PUBLIC
    if circle == MASTER or not speaker.seat:
        return TO_MASTER
    if not allows.private:
        raise MessageRefused("forbidden")
    return PRIVATE


def clean_text(text: str) -> str:
    """Return the lines of a text without trailing blanks and invisible characters. Raises MessageRefused."""
    lines = [strip_invisible(line).rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    if sum(map(len, lines)) > MAX_CHARACTERS or len(lines) > MAX_LINES:
        raise MessageRefused("too_long", most=MAX_CHARACTERS)
    if not lines:
        raise MessageRefused("no_text")
    return "\n".join(lines)


# --- saying something


def name_powers(services: Services, game: Game, seen: Position[Any]) -> Mapping[Seat, str]:
    """Return the ids of the powers that seats play, as far as they have any, by anybody's view of a game."""
    name_of = hooks_of(services.rules(game.rules)).name_of
    return {seat: name for seat in seen.core.seats if (name := name_of(seen, seat))}


def load_powers(services: Services, session: Session, game: Game) -> Mapping[Seat, str]:
    """Return `name_powers` of what everybody sees of a game; none before it began."""
    return (
        name_powers(services, game, seat_views.last_view(services, session, game, viewers.PUBLIC)) if game.entry else {}
    )


def is_rate_limited(services: Services, game_id: str, user_id: int) -> bool:
    """Count one more thing that a person says; True once that is more than may be said in an hour."""
    return limits.is_exceeded(services, "talk", f"{game_id}/{user_id}")


def _is_too_often(services: Services, game_id: str, user_id: int, source: str) -> bool:
    """Count a message as `is_rate_limited` does, unless it was stored before, by the same form."""
    with services.db.snapshot() as session:
        is_stored = session.scalar(select(Message.id).where(Message.source == source)) is not None
    return not is_stored and is_rate_limited(services, game_id, user_id)


def send(
    services: Services, user_id: int, game_id: str, to: Sequence[str], text: str, form: str, *, unsigned: bool = False
) -> tuple[str, ...]:
    """Send a message from a page, once for each form. Return the names of its readers. Raises MessageRefused."""
    source = f"form.{form}"
    often = _is_too_often(services, game_id, user_id, source)
    with services.db.snapshot() as session:
        found = session.get(Game, game_id)
        powers = load_powers(services, session, found) if found is not None else {}
    with services.db.transaction() as session:
        game, speaker = _lock_for_sender(session, game_id, user_id, form)
        circle = audience_of(to)
        readers = send_in(
            services, session, game, speaker, circle, text, source, often=often, powers=powers, unsigned=unsigned
        )
    services.enqueue("send_outbound_emails", "")
    return readers


def _lock_for_sender(session: Session, game_id: str, user_id: int, form: str) -> tuple[Game, Sender]:
    game = lock_game(session, game_id)
    speaker = sender_of(session, game, user_id) if game is not None else None
    if game is None or speaker is None or not is_token(form):
        raise MessageRefused("not_now")
    return game, speaker


def send_in(
    services: Services,
    session: Session,
    game: Game,
    speaker: Sender,
    circle: str,
    text: str,
    source: str,
    *,
    often: bool,
    powers: Mapping[Seat, str],
    unsigned: bool = False,
) -> tuple[str, ...]:
    """Send a message within a transaction that has locked the game. `source`: the email or form it comes from.

    `often`: the result of `is_rate_limited`, asked before the transaction, like `powers`, of `name_powers`.
    """
    if game.state != GameState.RUNNING:
        raise MessageRefused("not_now")
    if not circle:
        raise MessageRefused("nobody")
    kind = _kind(load_policy(services, game), speaker, circle, unsigned=unsigned)
    words, readers = clean_text(text), _readers_of(session, game, circle)
    recipients = [reader for reader in readers if reader.user.id != speaker.user.id]
    if kind != PUBLIC and not recipients:
        raise MessageRefused("nobody")
    names = tuple(dict.fromkeys(reader.name for reader in recipients)) if kind != PUBLIC else ()
    content = MessageContent(speaker.seat, speaker.user.id, speaker.name, circle, names, words, unsigned)
    row = _store_once(services, session, game, kind, content, source, often=often)
    if row is None:
        return names
    if kind != PUBLIC:
        add_readers(session, row, [speaker.user.id, *(reader.user.id for reader in recipients)])
    for reader in recipients:
        _forward(services, session, game, row, content, reader, powers)
    return names


def _store_once(
    services: Services, session: Session, game: Game, kind: str, content: MessageContent, source: str, *, often: bool
) -> Message | None:
    """Store a message. Return None where its source has been stored before. Raises MessageRefused."""
    if session.scalar(select(Message.id).where(Message.source == source)) is not None:
        return None
    if often:
        raise MessageRefused("too_often", minutes=limits.retry_after_minutes(services))
    return store(services, session, game, kind, content, source)


def write_diary(services: Services, user_id: int, game_id: str, text: str, form: str) -> None:
    """Write into one's own diary, which nobody reads before the game is over.  Raises MessageRefused."""
    source = f"form.{form}"
    often = _is_too_often(services, game_id, user_id, source)
    with services.db.transaction() as session:
        game, speaker = _lock_for_sender(session, game_id, user_id, form)
        write_diary_in(services, session, game, speaker, text, source, often=often)


def write_diary_in(
    services: Services, session: Session, game: Game, speaker: Sender, text: str, source: str, *, often: bool
) -> None:
    """Write into a diary within a transaction that has locked the game; `often` as for `send_in`."""
    if game.state != GameState.RUNNING:
        raise MessageRefused("not_now")
    content = MessageContent(speaker.seat, speaker.user.id, speaker.name, DIARY, (), clean_text(text))
    row = _store_once(services, session, game, DIARY, content, source, often=often)
    if row is not None:
        add_readers(session, row, [speaker.user.id])


def store(services: Services, session: Session, game: Game, kind: str, content: MessageContent, source: str) -> Message:
    """Seal what was said, and keep it."""
    keys = services.view_keys
    row = Message(
        game_id=game.id, kind=kind, entry=game.entry, created_at=services.now(), source=source, ciphertext=b""
    )
    session.add(row)
    session.flush()
    row.ciphertext = seal_message(keys.view, keys.signing, _context_of(row), dump(content).encode())
    session.flush()
    return row


def _context_of(row: Message) -> MessageContext:
    return MessageContext(row.game_id, row.kind, row.source, row.id)


def add_readers(session: Session, row: Message, users: Iterable[int]) -> None:
    """Let these persons read it."""
    session.add_all(MessageReader(message_id=row.id, user_id=user) for user in sorted(set(users)))


def unseal(services: Services, row: Message) -> MessageContent:
    """Decrypt a message and verify its signature."""
    keys = services.view_keys
    content: MessageContent = load(unseal_message(keys.view, keys.verify, _context_of(row), row.ciphertext))
    return content


def visible_author(content: MessageContent) -> int:
    """Return the author of a message as its readers know them: a user's number, or UNSIGNED."""
    return UNSIGNED if content.unsigned else content.user


# --- emails that carry it on


def _forward(
    services: Services,
    session: Session,
    game: Game,
    row: Message,
    content: MessageContent,
    reader: Sender,
    powers: Mapping[Seat, str],
) -> None:
    """An email of our own with the words and nothing else of the email that brought them."""
    if visible_author(content) in muted_users(session, game.id, reader.user.id):
        return
    back = _reply_audience(row.kind, content, reader)
    token = address_for(services, session, game, reader, back)
    frame = assembly.build_context(services, session, game, reader.seat, reader.user, token, services.now())
    links = replace(frame.links, page=f"{services.public_url}/games/{game.id}/talk", leave="")
    facts = TalkFacts(
        replace(frame, links=links),
        "" if content.unsigned else content.name,
        row.kind,
        content.to,
        tuple(content.text.split("\n")),
        powers,
    )
    enqueue(
        services,
        session,
        key=f"{game.id}.talk.{row.id}.{reader.user.id}",
        kind="talk",
        facts=facts,
        user_id=reader.user.id,
        game_id=game.id,
        seat=reader.seat or None,
        entry=game.entry,
    )


def _reply_audience(kind: str, content: MessageContent, reader: Sender) -> str:
    """The circle that an answer goes to: never a wider one than that of the message."""
    if kind == PUBLIC:
        return ALL
    if not content.seat:
        return MASTER
    if kind == TO_MASTER:
        return content.seat
    return audience_of({content.seat, *content.audience.split(",")} - {reader.seat})


def address_for(services: Services, session: Session, game: Game, speaker: Sender, circle: str) -> str:
    """Return a user's address token for an audience: the same in every email until it is revoked."""
    same_audience = (
        TalkAddress.game_id == game.id,
        TalkAddress.user_id == speaker.user.id,
        TalkAddress.audience == circle,
    )
    stored = session.scalars(select(TalkAddress).where(*same_audience)).one_or_none()
    view, bound = services.view_keys.view, f"{game.id}/{speaker.user.id}/{circle}".encode()
    if stored is not None:
        row = session.get(Capability, stored.hash)
        if row is not None and row.revoked_at is None and (row.seat or "") == speaker.seat:
            return view.decrypt(TALKING, bound, stored.ciphertext).decode()
        session.delete(stored)
        session.flush()
    token = create_capability(
        session, TALKING, services.now(), user_id=speaker.user.id, game_id=game.id, seat=speaker.seat or None
    )
    session.flush()
    sealed, key = view.encrypt(TALKING, bound, token.encode()), token_hash(TALKING, token)
    session.add(TalkAddress(hash=key, game_id=game.id, user_id=speaker.user.id, audience=circle, ciphertext=sealed))
    return token


def audience_of_address(session: Session, token_row: Capability) -> str:
    """Return the audience of an address; empty if it is revoked."""
    row = session.get(TalkAddress, token_row.hash)
    return row.audience if row is not None else ""
