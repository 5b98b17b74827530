"""Talk at a table: to all, to some, to the master; and the diary that is opened at the end.

What may be said is an option of the table.  Words lie sealed, and with them who said them; who may read is a person
and no seat: a player who takes a seat over finds nothing of what was said to the one before.  When the game is over
all of it is part of the record; who did not sign stays unnamed even there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load, saved
from engine.kernel.options import ANONYMOUS, TALK
from engine.kernel.rules import Option
from pbem.narration.facts import TalkFacts
from pbem.service.access.masters import masters_of
from pbem.service.base import limits
from pbem.service.base.services import NotOurs, Services
from pbem.service.game import frames
from pbem.service.post.outbox import draft
from pbem.service.talk.muting import UNSIGNED, muted
from pbem.states import GameState
from pbem.store.games import locked, seated
from pbem.store.models import Game, Message, MessageReader, TalkAddress, TokenRow, User
from pbem.text import visible
from pbem.vault import PlayKeys, PostKeys, WebKeys, is_token, new_token, token_hash
from pbem.vault.talk import SaidContext, open_said, seal_said

ALL: Final = "all"
MASTER: Final = "master"
PUBLIC, PRIVATE, TO_MASTER, DIARY = "public", "private", "master", "diary"
TALKING: Final = "talk"
"""The purpose of an address for talk."""
MOST_SIGNS: Final = 4000
MOST_LINES: Final = 120


class CannotSay(Exception):
    """Nothing was said; `code`: not_now, no_text, too_long, nobody, no_such_reader, forbidden, unsigned, too_often."""

    def __init__(self, code: str, **terms: object) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code, self.terms = code, terms


@saved("pbem.Said")
@dataclass(frozen=True)
class Said:
    """A message as it lies sealed: from whom (`seat` empty: the master), under which name, to which circle.

    Names are those of the time: a seat may have another player later.
    """

    seat: str
    user: int
    name: str
    circle: str
    to: tuple[str, ...]
    text: str
    unsigned: bool = False


@dataclass(frozen=True)
class Speaker:
    """Who speaks: from their seat, or as a master who has none (empty)."""

    user: User
    seat: str


@dataclass(frozen=True)
class Allowed:
    """What may be said at a table beside what is for the master: before all, among some, without a name."""

    public: bool
    private: bool
    unsigned: bool


def allowed(services: Services, game: Game) -> Allowed:
    """What the table's options allow; a game that does not offer them talks in public, with names."""
    chosen = _chosen(services, game, TALK)
    return Allowed(chosen != "none", chosen == "free", chosen != "none" and _chosen(services, game, ANONYMOUS) == "yes")


def _chosen(services: Services, game: Game, option: Option) -> str:
    offered = {o.name: o.default for o in services.rules(game.rules).meta.options}
    return str(game.options.get(option.name) or offered.get(option.name) or option.default)


# --- who speaks, and to whom


def speaker_of(session: Session, game: Game, user_id: int) -> Speaker | None:
    """A person as a speaker at a table: a player, or a master; None for anybody else."""
    for row, user in seated(session, game.id):
        if user.id == user_id:
            return Speaker(user, row.seat)
    return next((Speaker(user, "") for user in masters_of(session, game) if user.id == user_id), None)


def circle_of(names: Iterable[str]) -> str:
    """Several readers as one circle, however they were named."""
    wanted = sorted({name.strip() for name in names if name.strip()})
    return ALL if ALL in wanted else ",".join(wanted)


def _readers(session: Session, game: Game, circle: str) -> list[Speaker]:
    """Everybody in a circle; raises CannotSay."""
    players = [Speaker(user, row.seat) for row, user in seated(session, game.id)]
    sitting = {one.user.id for one in players}
    masters = [Speaker(user, "") for user in masters_of(session, game) if user.id not in sitting]
    if circle == ALL:
        return [*players, *masters]
    if circle == MASTER:
        ids = {user.id for user in masters_of(session, game)}
        return [*(one for one in players if one.user.id in ids), *masters]
    wanted = circle.split(",")
    if not circle or not set(wanted) <= {one.seat for one in players}:
        raise CannotSay("no_such_reader" if circle else "nobody")
    return [one for one in players if one.seat in wanted]


def _kind(allows: Allowed, speaker: Speaker, circle: str, *, unsigned: bool) -> str:
    """What sort of message this is; raises CannotSay where the table does not allow it."""
    if unsigned and not (allows.unsigned and circle == ALL):
        raise CannotSay("unsigned")
    if circle == ALL:
        if not allows.public and speaker.seat:
            raise CannotSay("forbidden")
        return PUBLIC
    if circle == MASTER or not speaker.seat:
        return TO_MASTER
    if not allows.private:
        raise CannotSay("forbidden")
    return PRIVATE


def clean(text: str) -> str:
    """What is kept of what was written: lines without trailing blanks, and no sign that no screen shows."""
    lines = [visible(line).rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    if sum(map(len, lines)) > MOST_SIGNS or len(lines) > MOST_LINES:
        raise CannotSay("too_long", most=MOST_SIGNS)
    if not lines:
        raise CannotSay("no_text")
    return "\n".join(lines)


# --- saying something


def too_often(services: Services, game_id: str, user_id: int) -> bool:
    """Count one more thing that a person says; True once that is more than may be said in an hour."""
    return limits.over(services, "talk", f"{game_id}/{user_id}")


def _said_before(services: Services, source: str) -> bool:
    with services.db.reading() as session:
        return session.scalar(select(Message.id).where(Message.source == source)) is not None


def say(
    services: Services, user_id: int, game_id: str, to: Sequence[str], text: str, form: str, *, unsigned: bool = False
) -> tuple[str, ...]:
    """Say something from the pages, once however often the form is sent; who hears it, by name.  Raises CannotSay."""
    source = f"form.{form}"
    often = not _said_before(services, source) and too_often(services, game_id, user_id)
    with services.db.writing() as session:
        game = locked(session, game_id)
        speaker = speaker_of(session, game, user_id) if game is not None else None
        if game is None or speaker is None or not is_token(form):
            raise CannotSay("not_now")
        said = say_in(services, session, game, speaker, circle_of(to), text, source, often=often, unsigned=unsigned)
    services.wake("deliver", "")
    return said


def say_in(
    services: Services,
    session: Session,
    game: Game,
    speaker: Speaker,
    circle: str,
    text: str,
    source: str,
    *,
    often: bool,
    unsigned: bool = False,
) -> tuple[str, ...]:
    """The same within a transaction that has locked the game; `source` names the letter or form.

    `often`: what `too_often` said before it.
    """
    if game.state != GameState.RUNNING:
        raise CannotSay("not_now")
    if not circle:
        raise CannotSay("nobody")
    kind = _kind(allowed(services, game), speaker, circle, unsigned=unsigned)
    words, readers = clean(text), _readers(session, game, circle)
    others = [one for one in readers if one.user.id != speaker.user.id]
    if kind != PUBLIC and not others:
        raise CannotSay("nobody")
    names = tuple(dict.fromkeys(one.user.name for one in others)) if kind != PUBLIC else ()
    said = Said(speaker.seat, speaker.user.id, speaker.user.name, circle, names, words, unsigned)
    if session.scalar(select(Message.id).where(Message.source == source)) is not None:
        return names
    if often:
        raise CannotSay("too_often", minutes=limits.minutes_left(services))
    row = keep(services, session, game, kind, said, source)
    if kind != PUBLIC:
        only_for(session, row, [speaker.user.id, *(one.user.id for one in others)])
    for reader in others:
        _relay(services, session, game, row, said, reader)
    return names


def note(services: Services, user_id: int, game_id: str, text: str, form: str) -> None:
    """Write into one's own diary, which nobody reads before the game is over.  Raises CannotSay."""
    source = f"form.{form}"
    often = not _said_before(services, source) and too_often(services, game_id, user_id)
    with services.db.writing() as session:
        game = locked(session, game_id)
        speaker = speaker_of(session, game, user_id) if game is not None else None
        if game is None or speaker is None or not is_token(form):
            raise CannotSay("not_now")
        note_in(services, session, game, speaker, text, source, often=often)


def note_in(
    services: Services, session: Session, game: Game, speaker: Speaker, text: str, source: str, *, often: bool
) -> None:
    """The same within a transaction that has locked the game."""
    if game.state != GameState.RUNNING:
        raise CannotSay("not_now")
    said = Said(speaker.seat, speaker.user.id, speaker.user.name, DIARY, (), clean(text))
    if session.scalar(select(Message.id).where(Message.source == source)) is not None:
        return
    if often:
        raise CannotSay("too_often", minutes=limits.minutes_left(services))
    only_for(session, keep(services, session, game, DIARY, said, source), [speaker.user.id])


def keep(services: Services, session: Session, game: Game, kind: str, said: Said, source: str) -> Message:
    """Seal what was said, and keep it."""
    keys = _keys(services)
    sealed = seal_said(keys.view, keys.signing, SaidContext(game.id, kind, source), dump(said).encode())
    row = Message(game_id=game.id, kind=kind, entry=game.entry, made_at=services.now(), source=source, sealed=sealed)
    session.add(row)
    session.flush()
    return row


def only_for(session: Session, row: Message, users: Iterable[int]) -> None:
    """Let these persons read it."""
    session.add_all(MessageReader(message_id=row.id, user_id=user) for user in sorted(set(users)))


def _keys(services: Services) -> WebKeys | PostKeys | PlayKeys:
    keys = services.web or services.post or services.play
    if keys is None:
        raise NotOurs("the door hears nothing")
    return keys


def opened(services: Services, row: Message) -> Said:
    """What was said, by whom and to whom."""
    keys = _keys(services)
    said: Said = load(open_said(keys.view, keys.verify, SaidContext(row.game_id, row.kind, row.source), row.sealed))
    return said


def author_of(said: Said) -> int:
    """Whom a message is from as far as its readers know: a person, or UNSIGNED."""
    return UNSIGNED if said.unsigned else said.user


# --- letters that carry it on


def _relay(services: Services, session: Session, game: Game, row: Message, said: Said, reader: Speaker) -> None:
    """A letter of our own with the words and nothing else of the letter that brought them."""
    if author_of(said) in muted(session, game.id, reader.user.id):
        return
    back = _back(row.kind, said, reader)
    token = address_of(services, session, game, reader, back)
    frame = frames.frame_of(services, session, game, reader.seat, reader.user, token, services.now())
    links = replace(frame.links, page=f"{services.public_url}/games/{game.id}/talk", leave="")
    facts = TalkFacts(
        replace(frame, links=links), "" if said.unsigned else said.name, row.kind, said.to, tuple(said.text.split("\n"))
    )
    draft(
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


def _back(kind: str, said: Said, reader: Speaker) -> str:
    """The circle that an answer goes to: never a wider one than that of the message."""
    if kind == PUBLIC:
        return ALL
    if not said.seat:
        return MASTER
    if kind == TO_MASTER:
        return said.seat
    return circle_of({said.seat, *said.circle.split(",")} - {reader.seat})


def address_of(services: Services, session: Session, game: Game, speaker: Speaker, circle: str) -> str:
    """A person's own address for a circle, the same in every letter until it is revoked."""
    place = (TalkAddress.game_id == game.id, TalkAddress.user_id == speaker.user.id, TalkAddress.circle == circle)
    known = session.scalars(select(TalkAddress).where(*place)).one_or_none()
    view, bound = _keys(services).view, f"{game.id}/{speaker.user.id}/{circle}".encode()
    if known is not None:
        row = session.get(TokenRow, known.hash)
        if row is not None and row.revoked_at is None and (row.seat or "") == speaker.seat:
            return view.unlock(TALKING, bound, known.sealed).decode()
        session.delete(known)
        session.flush()
    token = new_token()
    mark = token_hash(TALKING, token)
    session.add(
        TokenRow(
            hash=mark,
            purpose=TALKING,
            user_id=speaker.user.id,
            game_id=game.id,
            seat=speaker.seat or None,
            made_at=services.now(),
        )
    )
    session.flush()
    sealed = view.lock(TALKING, bound, token.encode())
    session.add(TalkAddress(hash=mark, game_id=game.id, user_id=speaker.user.id, circle=circle, sealed=sealed))
    return token


def circle_at(session: Session, token_row: TokenRow) -> str:
    """The circle that an address is for; empty where it is none any more."""
    row = session.get(TalkAddress, token_row.hash)
    return row.circle if row is not None else ""
