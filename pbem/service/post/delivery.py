"""Delivery: letters rendered once, kept, and sent until they are taken."""

import logging
from collections.abc import Collection, Sequence
from typing import Any, Final, cast

from sqlalchemy import BigInteger, Connection, Integer, Table, bindparam, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from pbem.addresses import token_of
from pbem.narration.facts import InvitationFacts, ReceiptFacts
from pbem.service.access import letter_choices
from pbem.service.base.believing import parted
from pbem.service.base.installed import missing
from pbem.service.base.services import Addressed, NotTaken, Outgoing, Services
from pbem.service.game import views
from pbem.service.game.standstill import bounced
from pbem.service.post import composing, day_keys, outbox, pictures, unwanted
from pbem.service.post.outbox import _UNSENT, BATCH, CLAIM_MS
from pbem.service.post.retries import others_pass, pause
from pbem.states import READY, LetterOutState
from pbem.store.columns import Among
from pbem.store.games import seated, table
from pbem.store.models import Game, LetterOut, LetterOutContent, User
from pbem.vault import LetterContext, Tampered, UnknownKey, Unopenable
from pbem.vault.fields import Reader, pack

_LOG = logging.getLogger(__name__)

THREAD = 60
"""After so many entries a new thread begins: mail programs grow slow, and readers lost, in longer ones."""


SLOW_MS = 10_000
"""A batch that is under way for longer is marked as far as it went, and the rest claimed anew."""

WHILE_MS = 60_000
"""How long one task sends letters: the others in its queue wait for it."""

BATCHES = 10
"""How many batches one task sends at most."""

AWAY_MS = 60_000
"""A letter with which the relay turned out to be away lets others go first for so long."""

_TELL: Final = frozenset({"receipt", "report"})
"""What is put together from what its seat was shown."""

LOST: Final = "its key is gone"
"""The error of a letter that lay in a copy of the database, put back after the letter's key was destroyed."""

LOST_TRIES = 8
"""So often another worker may have its key; then it ends."""

HELD_MS = 3_600_000
"""A letter of a table that is held, or one that is not believed, is looked at again after this, if not before."""

_FREE = (
    select(LetterOut.key)
    .where(_UNSENT, LetterOut.due_at <= bindparam("now"))
    .where(or_(LetterOut.claimed_at.is_(None), LetterOut.claimed_at < bindparam("old")))
    .order_by(LetterOut.due_at, LetterOut.entry.asc().nulls_first())
    .limit(bindparam("most", type_=Integer))
    .with_for_update(skip_locked=True)
)

_ROWS: Final = cast(Table, LetterOut.__table__)
_NOW: Final = bindparam("now", type_=BigInteger)
_GONE = {"state": LetterOutState.SENT, "sent_at": _NOW, "claimed_at": None, "error": None}
_CLAIMED = Among(_ROWS.c.key, lambda these: _ROWS.update().where(these).values(claimed_at=_NOW))
_SENT = Among(_ROWS.c.key, lambda these: _ROWS.update().where(these).values(_GONE))
_OURS = Among(
    _ROWS.c.key,
    lambda these: (
        _ROWS.update()
        .where(these, _ROWS.c.claimed_at == bindparam("stamp"), _UNSENT)
        .values(state=bindparam("now_state"), claimed_at=bindparam("now_claimed"))
        .returning(_ROWS.c.key)
    ),
)
"""Letters that are in our hands yet are changed, and those are told."""

_CONTENTS: Final = cast(Table, LetterOutContent.__table__)
_KEEP_CONTENT = (
    _CONTENTS.update()
    .where(_CONTENTS.c.letter == bindparam("its_key"))
    .values(content_sealed=bindparam("its_content"), day=bindparam("its_day"))
)

_EMPTY = Among(_CONTENTS.c.letter, lambda these: _CONTENTS.delete().where(these))


def deliver_for_a_while(services: Services) -> None:
    """Render and send what is due, batch after batch; what is left after a while waits behind the other tasks."""
    began = services.now()
    for _ in range(BATCHES):
        if deliver(services) < BATCH:
            return
        if services.now() - began > WHILE_MS:
            break
    services.wake("deliver", "")


def deliver(services: Services, limit: int = BATCH) -> int:
    """Render and send what is due; returns how many were dealt with.  A letter that fails waits longer each time.

    A batch is rendered, kept and marked together: a disk is flushed a few times for all of it, not for each letter.
    """
    keys, stamp = _claim(services, limit)
    services.point("deliver.claimed")
    finished = _finished(services, keys, stamp)
    left = 0
    if finished:
        now = services.now()
        left = _send(services, _kept(services, finished, stamp, now), now)
    return len(keys) - left


Finished = tuple[str, Outgoing | None, dict[str, Any]]
"""A letter's key, its message, None for one that is not to be sent, and what is kept of it."""

Kept = tuple[str, Outgoing]
"""A letter that is finished and kept, and in our hands: its key, and the message."""


def finish(services: Services, session: Session, laid: Sequence[tuple[LetterOut, Any]], stamp: int) -> list[Kept]:
    """Finish letters as they are laid out: they are kept finished, claimed at `stamp`.  Others are sealed as they are.

    These are answers: nobody else has to look for them, open them and read again what they are about.
    """
    readers = [(row.game_id, row.user_id) for row, _ in laid if row.user_id is not None]
    letter_choices.at_hand(session, readers)
    finished = list[Kept]()
    for row, facts in laid:
        message = _finished_at_once(services, session, row, facts)
        if message is None:
            outbox.seal(services, session, row, facts)
            continue
        sealed, day = _sealed_wire(services, session, row.key, message)
        session.add(LetterOutContent(letter=row.key, content_sealed=sealed, day=day))
        row.state, row.claimed_at = LetterOutState.WIRE, stamp
        finished.append((row.key, message))
    return finished


def _finished_at_once(services: Services, session: Session, row: LetterOut, facts: Any) -> Outgoing | None:
    """A receipt as it goes out; None for one that is not sent, or that cannot be finished here and now."""
    if row.kind != "receipt" or services.write is None or services.send is None:
        return None
    try:
        if unwanted.is_unwanted(session, row):
            return None
        return services.write(*_put_together(services, session, row, facts))
    except Exception:  # noqa: BLE001 - it is tried again like any other letter, and its trouble told then
        return None


def send(services: Services, ready: Sequence[Kept], stamp: int) -> bool:
    """Send letters that were finished as they were laid out; False where some are left to a later task."""
    return _send(services, ready, stamp) == 0


def _claim(services: Services, limit: int) -> tuple[list[str], int]:
    """Take letters in hand by a conditional update: two workers never hold the same one."""
    now = services.now()
    with services.db.storing() as connection:
        keys = list(connection.scalars(_FREE, {"now": now, "old": now - CLAIM_MS, "most": limit}))
        if keys:
            connection.execute(*_CLAIMED.of(keys, now=now))
    return keys, now


def _send(services: Services, ready: Sequence[Kept], stamp: int) -> int:
    """Send one after the other; where the relay is slow, what went is marked and the rest is claimed anew.

    Returns how many are left, let go for a later task, because the relay is away or all of it takes too long.
    """
    left, gone, began = list(ready), list[str](), services.now()
    while left and services.send is not None and services.now() - began <= WHILE_MS:
        if services.now() - stamp > SLOW_MS:
            _sent(services, gone)
            gone, (left, stamp) = [], _claimed_anew(services, left, stamp)
            continue
        key, message = left.pop(0)
        services.point("deliver.kept")
        refused = _handed_over(services, message)
        services.point("deliver.sent")
        if refused is None:
            gone.append(key)
        else:
            _later(services, key, refused)
        if refused is not None and refused.away:
            break
    _sent(services, gone)
    _let_go(services, [key for key, _ in left], stamp)
    return len(left)


def _let_go(services: Services, keys: Sequence[str], stamp: int) -> None:
    """Letters that were not tried are free for the next task."""
    if keys:
        with services.db.writing() as session:
            ours = LetterOut.key.in_(keys), LetterOut.claimed_at == stamp
            session.execute(update(LetterOut).where(*ours).values(claimed_at=None))


def _handed_over(services: Services, message: Outgoing) -> NotTaken | None:
    """What the relay says; whatever goes wrong with one letter must not stop the others."""
    if services.send is None:
        raise LookupError("this process sends no letters")
    try:
        return services.send(message)
    except Exception as error:  # noqa: BLE001 - told by its class, and the letter tried again later
        return NotTaken(type(error).__name__)


def _claimed_anew(services: Services, left: Sequence[Kept], stamp: int) -> tuple[list[Kept], int]:
    """Those that are still ours, in hand for a full claim from now on."""
    now, keys = services.now(), [key for key, _ in left]
    ours = (LetterOut.key.in_(keys), LetterOut.claimed_at == stamp, LetterOut.state == LetterOutState.WIRE)
    with services.db.writing() as session:
        found = set(session.scalars(update(LetterOut).where(*ours).values(claimed_at=now).returning(LetterOut.key)))
    return [(key, message) for key, message in left if key in found], now


def _finished(services: Services, keys: Sequence[str], stamp: int) -> list[Finished]:
    """The finished messages of a batch.  Rendering and sealing hold no lock."""
    finished: list[tuple[str, Outgoing | None]] = []
    failed: list[tuple[str, str]] = []
    held: list[str] = []
    undrawn: list[tuple[str, pictures.Undrawn]] = []
    with services.db.reading() as session:
        rows, unbelieved, _held = _all_at_once(session, keys)
        contents, pairs = outbox.contents(session, [row.key for row in rows]), day_keys.Pairs()
        for row in rows:
            try:
                if _waits_for_its_game(services, session, row):
                    held.append(row.key)
                else:
                    finished += _rendered(services, session, row, contents.get(row.key, b""), pairs, stamp)
            except pictures.Undrawn as error:
                undrawn.append((row.key, error))
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one letter must not stop the others
                failed.append((row.key, _told(error)))
        sealed = [(key, message, _values(services, session, key, message)) for key, message in finished]
    for key, trouble in failed:
        _later(services, key, NotTaken(trouble))
    _let_be_drawn(services, undrawn, stamp)
    _put_off(services, held)
    _put_off(services, unbelieved, error=Tampered.__name__)
    return sealed


def _let_be_drawn(services: Services, letters: Sequence[tuple[str, pictures.Undrawn]], stamp: int) -> None:
    """Letters that are sent again wait until their pictures are drawn again, if they are still ours."""
    if not letters:
        return
    with services.db.writing() as session:
        for key, undrawn in letters:
            row = session.get(LetterOut, key, with_for_update=True)
            if row is not None and row.state == LetterOutState.DRAFT and row.claimed_at == stamp:
                pictures.ask(session, row, undrawn, services.now())
    services.wake("draw", "")


def _put_off(services: Services, keys: Sequence[str], **why: str) -> None:
    """Letters that wait for their table, or until their rows are believed, are looked at again later."""
    if keys:
        later = {"due_at": services.now() + HELD_MS, "claimed_at": None, **why}
        with services.db.writing() as session:
            session.execute(update(LetterOut).where(LetterOut.key.in_(keys)).values(later))


def _told(error: Exception) -> str:
    """What is wrong with a letter, by the class of error."""
    gone = isinstance(error, UnknownKey) and error.what == "letter"
    return LOST if gone else type(error).__name__


def _waits_for_its_game(services: Services, session: Session, row: LetterOut) -> bool:
    """Return True if a letter needs the words of a game that is not installed; a notice needs none."""
    game = session.get(Game, row.game_id) if row.game_id else None
    return (
        row.state == LetterOutState.DRAFT
        and row.kind != "notice"
        and game is not None
        and bool(missing(services, game))
    )


_USERS = Among(User.id, lambda these: select(User).where(these))


def _all_at_once(session: Session, keys: Sequence[str]) -> tuple[list[LetterOut], list[str], list[Game | User]]:
    """The letters of a batch, in its order, those that are not believed, and their tables and people.

    These are held, so that none is read again; where one cannot be believed, each letter looks for its own.  What seats
    were shown and told is at hand as well.
    """
    rows, unbelieved = parted(session, LetterOut, keys) if keys else ([], [])
    letter_choices.at_hand(session, [(row.game_id, row.user_id) for row in rows if row.user_id is not None])
    try:
        found = (table(session, number) for number in {row.game_id for row in rows if row.game_id is not None})
        games = [game for game in found if game is not None]
        near = [user for game in games for _, user in seated(session, game.id)]
        far = {row.user_id for row in rows if row.user_id is not None} - {user.id for user in near}
        others = session.scalars(*_USERS.of(far)).all() if far else ()
    except Unopenable:
        return rows, unbelieved, []
    _views_at_hand(session, rows)
    return rows, unbelieved, [*games, *near, *others]


def _views_at_hand(session: Session, rows: Sequence[LetterOut]) -> None:
    """What receipts and reports of a batch tell of, in one statement for each game."""
    asked: dict[str, set[tuple[str, int, int]]] = {}
    for row in rows:
        if row.state == LetterOutState.DRAFT and row.game_id and row.seat and row.kind in _TELL:
            entry = int(row.entry or 0)
            span = (row.seat, int(row.since or 0) if row.kind == "report" else entry, entry)
            asked.setdefault(row.game_id, set()).add(span)
    for game, spans in asked.items():
        views.at_hand(session, game, spans)


def _rendered(
    services: Services, session: Session, row: LetterOut, sealed: bytes, pairs: day_keys.Pairs, stamp: int
) -> list[tuple[str, Outgoing | None]]:
    """A letter as it goes out: rendered once, read again by every later try; nothing where it is no longer ours."""
    key = row.key
    if row.claimed_at != stamp or row.state not in READY or services.write is None:
        return []
    content = day_keys.opened(services, LetterContext(key, row.state), sealed, pairs)
    message: Outgoing | None = None
    if row.state == LetterOutState.WIRE:
        message = _taken_up(content)
    elif not unwanted.is_unwanted(session, row):
        message = services.write(*_put_together(services, session, row, load(content)))
    services.point("deliver.rendered")
    return [(key, message)]


def _kept(services: Services, finished: Sequence[Finished], stamp: int, now: int) -> list[Kept]:
    """Keep the finished bytes of what is still in our hands; from here on it is in them for a full claim.

    What was rendered counts only if it could be kept: the batch may have taken so long that another worker has it.
    """
    wires = {key: content for key, message, content in finished if message is not None}
    muted = [key for key, message, _ in finished if message is None]
    with services.db.storing() as connection:
        ours = _still_ours(connection, list(wires), stamp, LetterOutState.WIRE, now)
        if ours:
            connection.execute(_KEEP_CONTENT, [wires[key] for key in wires if key in ours])
        _empty(connection, _still_ours(connection, muted, stamp, LetterOutState.MUTED, None))
    return [(key, message) for key, message, _ in finished if key in ours and message is not None]


def _still_ours(
    connection: Connection, keys: Sequence[str], stamp: int, state: LetterOutState, claimed: int | None
) -> Collection[str]:
    """Bring letters that nobody else has claimed meanwhile into a state; which ones these are."""
    if not keys:
        return ()
    return set(connection.scalars(*_OURS.of(keys, stamp=stamp, now_state=state, now_claimed=claimed)))


def _empty(connection: Connection, keys: Collection[str]) -> None:
    """Forget what was in letters that are done."""
    if keys:
        connection.execute(*_EMPTY.of(keys))


def _values(services: Services, session: Session, key: str, message: Outgoing | None) -> dict[str, Any]:
    if message is None:
        return {}
    sealed, day = _sealed_wire(services, session, key, message)
    return {"its_key": key, "its_content": sealed, "its_day": day}


def _sealed_wire(services: Services, session: Session, key: str, message: Outgoing) -> tuple[bytes, int]:
    """The finished bytes, sealed to post's key of today, and that key."""
    kept = pack(_FINISHED, _written(message.sender), _written(message.recipient), message.wire)
    return day_keys.sealed(services, session, LetterContext(key, LetterOutState.WIRE), kept)


_FINISHED: Final = "pbem letter out 1"


def _written(address: str) -> bytes:
    return address.encode("utf-8", "surrogateescape")


def _taken_up(content: bytes) -> Outgoing:
    """Read the message that `_sealed_wire` sealed; raises Tampered where it is something else."""
    reader = Reader("letter", _FINISHED, content)
    sender, recipient, wire = reader.blob(), reader.blob(), reader.blob()
    reader.done()
    return Outgoing(wire, sender.decode("utf-8", "surrogateescape"), recipient.decode("utf-8", "surrogateescape"))


def _put_together(services: Services, session: Session, row: LetterOut, content: Any) -> tuple[Any, Addressed]:
    """A letter's facts, and where it goes: the address of record, as it is now."""
    game = session.get(Game, row.game_id) if row.game_id else None
    user = session.get(User, row.user_id) if row.user_id else None
    token = None
    if isinstance(content, composing.ReportDraft) and game is not None and user is not None:
        token = content.token
        told = composing.report_facts(services, session, row, game, user, content)
        to = _addressed(session, row, game, user, token, told)
        return pictures.illustrated(services, session, row, told, to, content.marked)
    if isinstance(content, composing.SpectatorDraft) and game is not None and user is not None:
        seen = composing.facts_of(services, session, row, game, user, content)
        to = _addressed(session, row, game, user, token, seen)
        return pictures.illustrated(services, session, row, seen, to, content.marked)
    if isinstance(content, ReceiptFacts):
        content = composing.taken_up(services, session, row, content)
    if isinstance(content, InvitationFacts):
        content = pictures.introduced(services, session, content, user)
    return content, _addressed(session, row, game, user, token, content)


def _life(session: Session) -> str:
    """Entries are numbered again after a copy was put back; mail programs drop a second letter with one Message-ID."""
    restored = day_keys.restored_at(session)
    return f".{restored:x}" if restored else ""


def _addressed(
    session: Session, row: LetterOut, game: Game | None, user: User | None, token: str | None, facts: Any
) -> Addressed:
    reader = facts.frame.reader
    answer = str(facts.frame.links.answer)
    return Addressed(
        key=row.key,
        kind=row.kind,
        made_at=row.made_at,
        to_address=user.address if user else "",
        to_name=reader.name,
        language=reader.language,
        zone=reader.zone,
        game=game.id if game else None,
        title=game.title if game else None,
        rules=game.rules if game else None,
        seat=row.seat,
        token=token or token_of(answer) or None,
        thread=f"{game.id}.thread.{(row.entry or 0) // THREAD}" if game else None,
        life=_life(session),
    )


def _sent(services: Services, keys: Sequence[str]) -> None:
    """The relay has them: nothing of them stays here but that they went."""
    if not keys:
        return
    with services.db.storing() as connection:
        connection.execute(*_SENT.of(keys, now=services.now()))
        _empty(connection, keys)
    for key in keys:
        _LOG.info("a letter was sent", extra={"letter": key})
        services.point("deliver.marked")


def _later(services: Services, key: str, refused: NotTaken) -> None:
    """Try again later, each time later; it ends only where the recipient's own address is at fault.

    All else may be mended by the operator, so no letter is lost over it, however long that takes.
    """
    with services.db.writing() as session:
        row = session.get(LetterOut, key)
        if row is None or row.state == LetterOutState.SENT:
            return
        theirs = refused.theirs or (refused.bare and others_pass(session, row, refused.why))
        row.error, row.claimed_at = refused.why[:80], None
        if refused.away:
            row.due_at = services.now() + AWAY_MS
            return
        row.tries += 1
        row.due_at = services.now() + pause(row.tries)
        if theirs:
            _LOG.warning("a letter cannot be delivered (%s)", row.error, extra={"letter": key, "game": row.game_id})
            _undeliverable(services, session, row)
        elif refused.why == LOST and row.tries >= LOST_TRIES:
            row.state = LetterOutState.FAILED
            _empty(session.connection(), [key])


def _undeliverable(services: Services, session: Session, row: LetterOut) -> None:
    """The recipient cannot be reached: the letter ends here, and their clock stands still for a while."""
    row.state = LetterOutState.FAILED
    _empty(session.connection(), [row.key])
    user = session.get(User, row.user_id) if row.user_id else None
    if user is not None:
        user.bounced_at = services.now()
        if row.game_id is not None:
            bounced(session, row.game_id, user.id, row.made_at)
