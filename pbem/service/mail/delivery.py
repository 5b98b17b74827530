"""Delivery: emails rendered once, kept, and sent until they are taken."""

import logging
from collections.abc import Collection, Sequence
from typing import Any, Final, cast

from sqlalchemy import BigInteger, Connection, Integer, Table, bindparam, case, or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from pbem.common.states import READY, UNDELIVERED, UNSENT, OutboundState
from pbem.crypto import DecryptionError, EmailContext, TamperedError, UnknownKey
from pbem.crypto.encoding import Reader, encode_tuple
from pbem.narration.facts import InvitationFacts, ReceiptFacts
from pbem.service.access import mail_preferences
from pbem.service.base.game_states import missing_rules
from pbem.service.base.services import DeliveryFailure, Recipient, RenderedEmail, Services
from pbem.service.game import seat_views
from pbem.service.mail import assembly, daily_keys, delivery_status, notifications, outbox, pictures, printed_emails
from pbem.service.mail.outbox import _UNSENT, BATCH, CLAIM_MS, backoff_seconds, is_recipient_specific
from pbem.store.games import load_game, occupied_seats
from pbem.store.models import Game, OutboundEmail, OutboundEmailBody, User
from pbem.store.row_signatures import split_verified

_LOG = logging.getLogger(__name__)

SLOW_MS = 10_000
"""A batch that is under way for longer is marked as far as it went, and the rest claimed anew."""

WHILE_MS = 60_000
"""How long one task sends emails: the others in its queue wait for it."""

YIELD_MS = 300
"""After this, what else its worker has to do goes first: letters that came, whose writers wait for receipts."""

BATCHES = 10
"""How many batches one task sends at most."""

AWAY_MS = 60_000
"""An email with which the relay turned out to be away lets others go first for so long."""

_SEAT_KINDS: Final = frozenset({"receipt", "report"})
"""What is put together from what its seat was shown."""

LOST: Final = "its key is gone"
"""The error of an email that lay in a copy of the database, put back after the email's key was destroyed."""

LOST_TRIES = 8
"""So often another worker may have its key; then it ends."""

HELD_MS = 3_600_000
"""An email of a table that is held, or one that is not believed, is looked at again after this, if not before."""

_AT_ONCE = OutboundEmail.kind.in_(("receipt", "notice", "signin", "account"))
_URGENCY = case((_AT_ONCE, 0), (OutboundEmail.kind == "reminder", 2), else_=1)
"""What somebody waits for goes first: receipts and other answers, then reports and news, then reminders."""

_FREE = (
    select(OutboundEmail.key)
    .where(_UNSENT, OutboundEmail.due_at <= bindparam("now"))
    .where(or_(OutboundEmail.claimed_at.is_(None), OutboundEmail.claimed_at < bindparam("old")))
    .order_by(_URGENCY, OutboundEmail.due_at, OutboundEmail.entry.asc().nulls_first())
    .limit(bindparam("most", type_=Integer))
    .with_for_update(skip_locked=True)
)

_ROWS: Final = cast(Table, OutboundEmail.__table__)
_NOW: Final = bindparam("now", type_=BigInteger)
_THESE = _ROWS.c.key.in_(bindparam("keys", expanding=True))
_CLAIMED = _ROWS.update().where(_THESE).values(claimed_at=_NOW)
_SENT = (
    _ROWS.update()
    .where(_ROWS.c.key == bindparam("its_key"), _ROWS.c.state == OutboundState.RENDERED)
    .values(
        state=OutboundState.SENT,
        sent_at=_NOW,
        claimed_at=None,
        error=None,
        server_reply=None,
        address_hash=bindparam("its_address"),
    )
)
"""An email that came back meanwhile stays what it is."""
_OURS = (
    _ROWS.update()
    .where(_THESE, _ROWS.c.claimed_at == bindparam("stamp"), _UNSENT)
    .values(state=bindparam("now_state"), claimed_at=bindparam("now_claimed"))
    .returning(_ROWS.c.key)
)
"""Emails that are in our hands yet are changed, and those are told."""

_CONTENTS: Final = cast(Table, OutboundEmailBody.__table__)
_CONTENT_REPLACED = (
    _CONTENTS.update()
    .where(_CONTENTS.c.email_key == bindparam("its_key"))
    .values(content_ciphertext=bindparam("its_content"), daily_key_id=bindparam("its_day"))
)


_CONTENT_DELETED = _CONTENTS.delete().where(_CONTENTS.c.email_key.in_(bindparam("keys", expanding=True)))


def run_delivery_loop(services: Services) -> None:
    """Render and send what is due, batch after batch; what is left after a while waits behind the other tasks."""
    began = services.now()
    for _ in range(BATCHES):
        if deliver(services) < BATCH:
            return
        if services.now() - began > YIELD_MS:
            break
    services.enqueue("send_outbound_emails", "")


def deliver(services: Services, limit: int = BATCH) -> int:
    """Render and send what is due; returns how many were taken in hand, but for those that the relay did not take.

    An email that fails waits longer each time; what there was no time for is left to a task of its own.

    A batch is rendered, kept and marked together: a disk is flushed a few times for all of it, not for each email.
    """
    keys, stamp = _claim(services, limit)
    services.fault_point("delivery.claimed")
    finished = _render_batch(services, keys, stamp)
    left = 0
    if finished:
        now = services.now()
        left = _send(services, _store_rendered(services, finished, stamp, now), now)
    return len(keys) - left


RenderedRow = tuple[str, RenderedEmail | None, dict[str, Any]]
"""An email's key, its message, None for one that is not to be sent, and what is kept of it."""

StoredEmail = tuple[str, RenderedEmail]
"""An email that is finished and kept, and in our hands: its key, and the message."""


def render(
    services: Services, session: Session, drafts: Sequence[tuple[OutboundEmail, Any]], stamp: int
) -> list[StoredEmail]:
    """Finish emails as they are laid out: they are kept finished, claimed at `stamp`.  Others are sealed as they are.

    These are answers: nobody else has to look for them, open them and read again what they are about.
    """
    readers = [(row.game_id, row.user_id) for row, _ in drafts if row.user_id is not None]
    mail_preferences.prefetch(session, readers)
    finished, printed = list[StoredEmail](), list[dict[str, Any]]()
    for row, facts in drafts:
        message = _render_now(services, session, row, facts)
        if message is None:
            outbox.seal(services, session, row, facts)
            continue
        sealed, day = _seal_message(services, session, row.key, message)
        session.add(OutboundEmailBody(email_key=row.key, content_ciphertext=sealed, daily_key_id=day))
        row.state, row.claimed_at = OutboundState.RENDERED, stamp
        if message.printed is not None:
            printed.append(printed_emails.build_row(services, row.key, message.printed))
        finished.append((row.key, message))
    printed_emails.store(session, printed)
    return finished


def _render_now(services: Services, session: Session, row: OutboundEmail, facts: Any) -> RenderedEmail | None:
    """A receipt as it goes out; None for one that is not sent, or that cannot be finished here and now."""
    if row.kind != "receipt" or services.render_email is None or services.send_email is None:
        return None
    try:
        if notifications.is_suppressed(session, row):
            return None
        return services.render_email(*_assemble(services, session, row, facts))
    except Exception:  # noqa: BLE001 - it is tried again like any other email, and its trouble told then
        return None


def send(services: Services, ready: Sequence[StoredEmail], stamp: int) -> bool:
    """Send emails that were finished as they were laid out; False where some are left to a later task."""
    return _send(services, ready, stamp) == 0


def _claim(services: Services, limit: int) -> tuple[list[str], int]:
    """Take emails in hand by a conditional update: two workers never hold the same one."""
    now = services.now()
    with services.db.append_durably() as connection:
        keys = list(connection.scalars(_FREE, {"now": now, "old": now - CLAIM_MS, "most": limit}))
        if keys:
            connection.execute(_CLAIMED, {"keys": keys, "now": now})
    return keys, now


def _send(services: Services, ready: Sequence[StoredEmail], stamp: int) -> int:
    """Send one after the other; where the relay is slow, what went is marked and the rest is claimed anew.

    Returns how many are left, let go for a later task, because the relay is away or all of it takes too long.
    """
    left, gone, began = list(ready), list[StoredEmail](), services.now()
    while left and services.send_email is not None and services.now() - began <= WHILE_MS:
        if services.now() - stamp > SLOW_MS:
            _mark_sent(services, gone)
            gone, (left, stamp) = [], _renew_claims(services, left, stamp)
            continue
        key, message = left.pop(0)
        services.fault_point("delivery.stored")
        refused = _send_one(services, message)
        services.fault_point("delivery.sent")
        if refused is None:
            gone.append((key, message))
        else:
            _reschedule(services, key, refused, message.recipient)
        if refused is not None and refused.away:
            break
    _mark_sent(services, gone)
    _release_claims(services, [key for key, _ in left], stamp)
    return len(left)


def _release_claims(services: Services, keys: Sequence[str], stamp: int) -> None:
    """Emails that were not tried are free for the next task."""
    if keys:
        with services.db.transaction() as session:
            ours = OutboundEmail.key.in_(keys), OutboundEmail.claimed_at == stamp
            session.execute(update(OutboundEmail).where(*ours).values(claimed_at=None))


def _send_one(services: Services, message: RenderedEmail) -> DeliveryFailure | None:
    """What the relay says; whatever goes wrong with one email must not stop the others."""
    if services.send_email is None:
        raise LookupError("this process sends no letters")
    try:
        return services.send_email(message)
    except Exception as error:  # noqa: BLE001 - told by its class, and the email tried again later
        return DeliveryFailure(type(error).__name__)


def _renew_claims(services: Services, left: Sequence[StoredEmail], stamp: int) -> tuple[list[StoredEmail], int]:
    """Those that are still ours, in hand for a full claim from now on."""
    now, keys = services.now(), [key for key, _ in left]
    ours = OutboundEmail.claimed_at == stamp, OutboundEmail.state == OutboundState.RENDERED
    renewal = update(OutboundEmail).where(OutboundEmail.key.in_(keys), *ours).values(claimed_at=now)
    with services.db.transaction() as session:
        found = set(session.scalars(renewal.returning(OutboundEmail.key)))
    return [(key, message) for key, message in left if key in found], now


def _render_batch(services: Services, keys: Sequence[str], stamp: int) -> list[RenderedRow]:
    """The finished messages of a batch, as far as it came in a while.  Rendering and sealing hold no lock."""
    began = services.now()
    finished: list[tuple[str, RenderedEmail | None]] = []
    failed: list[tuple[str, str]] = []
    held: list[str] = []
    undrawn: list[tuple[str, pictures.PictureMissing]] = []
    later: list[str] = []
    with services.db.snapshot() as session:
        rows, unbelieved, _held = _prefetch(session, keys)
        contents, pairs = outbox.load_bodies(session, [row.key for row in rows]), daily_keys.KeyPairs()
        for number, row in enumerate(rows):
            if number and services.now() - began > YIELD_MS:
                later = [one.key for one in rows[number:]]
                break
            try:
                if _is_held_for_game(services, session, row):
                    held.append(row.key)
                else:
                    finished += _render_rows(services, session, row, contents.get(row.key, b""), pairs, stamp)
            except pictures.PictureMissing as error:
                undrawn.append((row.key, error))
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one email must not stop the others
                failed.append((row.key, _error_label(error)))
        sealed = [(key, message, _row_values(services, session, key, message)) for key, message in finished]
    for key, trouble in failed:
        _reschedule(services, key, DeliveryFailure(trouble))
    _wait_for_pictures(services, undrawn, stamp)
    _postpone(services, held)
    _postpone(services, unbelieved, error=TamperedError.__name__)
    if later:
        _release_claims(services, later, stamp)
        services.enqueue("send_outbound_emails", "")
    return sealed


def _wait_for_pictures(services: Services, letters: Sequence[tuple[str, pictures.PictureMissing]], stamp: int) -> None:
    """Emails that are sent again wait until their pictures are drawn again, if they are still ours."""
    if not letters:
        return
    with services.db.transaction() as session:
        for key, undrawn in letters:
            row = session.get(OutboundEmail, key, with_for_update=True)
            if row is not None and row.state == OutboundState.QUEUED and row.claimed_at == stamp:
                pictures.request_again(session, row, undrawn, services.now())
    services.enqueue("render_picture", "")


def _postpone(services: Services, keys: Sequence[str], **why: str) -> None:
    """Emails that wait for their table, or until their rows are believed, are looked at again later."""
    if keys:
        later = {"due_at": services.now() + HELD_MS, "claimed_at": None, **why}
        with services.db.transaction() as session:
            session.execute(update(OutboundEmail).where(OutboundEmail.key.in_(keys)).values(later))


def _error_label(error: Exception) -> str:
    """What is wrong with an email, by the class of error."""
    gone = isinstance(error, UnknownKey) and error.what == "letter"
    return LOST if gone else type(error).__name__


def _is_held_for_game(services: Services, session: Session, row: OutboundEmail) -> bool:
    """Return True if an email needs the words of a game that is not installed; a notice needs none."""
    if row.state != OutboundState.QUEUED or row.kind == "notice" or not row.game_id:
        return False
    game = session.get(Game, row.game_id)
    return game is not None and bool(missing_rules(services, game))


_USERS = select(User).where(User.id.in_(bindparam("users", expanding=True)))


def _prefetch(session: Session, keys: Sequence[str]) -> tuple[list[OutboundEmail], list[str], list[Game | User]]:
    """The emails of a batch, in its order, those that are not believed, and their tables and people.

    These are held, so that none is read again; where one cannot be believed, each email looks for its own.  What seats
    were shown and told is at hand as well.
    """
    rows, unbelieved = split_verified(session, OutboundEmail, keys) if keys else ([], [])
    mail_preferences.prefetch(session, [(row.game_id, row.user_id) for row in rows if row.user_id is not None])
    try:
        found = (load_game(session, number) for number in {row.game_id for row in rows if row.game_id is not None})
        games = [game for game in found if game is not None]
        near = [user for game in games for _, user in occupied_seats(session, game.id)]
        far = {row.user_id for row in rows if row.user_id is not None} - {user.id for user in near}
        others = session.scalars(_USERS, {"users": list(far)}).all() if far else ()
    except DecryptionError:
        return rows, unbelieved, []
    _prefetch_views(session, rows)
    return rows, unbelieved, [*games, *near, *others]


def _prefetch_views(session: Session, rows: Sequence[OutboundEmail]) -> None:
    """What receipts and reports of a batch tell of, in one statement for each game."""
    asked: dict[str, set[tuple[str, int, int]]] = {}
    for row in rows:
        if row.state == OutboundState.QUEUED and row.game_id and row.seat and row.kind in _SEAT_KINDS:
            entry = int(row.entry or 0)
            span = (row.seat, int(row.from_entry or 0) if row.kind == "report" else entry, entry)
            asked.setdefault(row.game_id, set()).add(span)
    for game, spans in asked.items():
        seat_views.prefetch(session, game, spans)


def _render_rows(
    services: Services, session: Session, row: OutboundEmail, sealed: bytes, pairs: daily_keys.KeyPairs, stamp: int
) -> list[tuple[str, RenderedEmail | None]]:
    """An email as it goes out: rendered once, read again by every later try; nothing where it is no longer ours."""
    key = row.key
    if row.claimed_at != stamp or row.state not in READY or services.render_email is None:
        return []
    content = daily_keys.unseal(services, EmailContext(key, row.state), sealed, pairs)
    message: RenderedEmail | None = None
    if row.state == OutboundState.RENDERED:
        message = _unseal_message(content)
    elif not notifications.is_suppressed(session, row):
        message = services.render_email(*_assemble(services, session, row, load(content)))
    services.fault_point("delivery.rendered")
    return [(key, message)]


def _store_rendered(services: Services, finished: Sequence[RenderedRow], stamp: int, now: int) -> list[StoredEmail]:
    """Keep the finished bytes of what is still in our hands; from here on it is in them for a full claim.

    What was rendered counts only if it could be kept: the batch may have taken so long that another worker has it.
    """
    wires = {key: content for key, message, content in finished if message is not None}
    muted = [key for key, message, _ in finished if message is None]
    printed = [printed_emails.build_row(services, key, m.printed) for key, m, _ in finished if m and m.printed]
    with services.db.append_durably() as connection:
        ours = _filter_owned(connection, list(wires), stamp, OutboundState.RENDERED, now)
        if ours:
            connection.execute(_CONTENT_REPLACED, [wires[key] for key in wires if key in ours])
            printed_emails.store_all(connection, [row for row in printed if row["email_key"] in ours])
        _delete_bodies(connection, _filter_owned(connection, muted, stamp, OutboundState.SUPPRESSED, None))
    return [(key, message) for key, message, _ in finished if key in ours and message is not None]


def _filter_owned(
    connection: Connection, keys: Sequence[str], stamp: int, state: OutboundState, claimed: int | None
) -> Collection[str]:
    """Bring emails that nobody else has claimed meanwhile into a state; which ones these are."""
    if not keys:
        return ()
    return set(
        connection.scalars(_OURS, {"keys": list(keys), "stamp": stamp, "now_state": state, "now_claimed": claimed})
    )


def _delete_bodies(connection: Connection, keys: Collection[str]) -> None:
    """Forget what was in emails that are done."""
    if keys:
        connection.execute(_CONTENT_DELETED, {"keys": list(keys)})


def _row_values(services: Services, session: Session, key: str, message: RenderedEmail | None) -> dict[str, Any]:
    if message is None:
        return {}
    sealed, day = _seal_message(services, session, key, message)
    return {"its_key": key, "its_content": sealed, "its_day": day}


def _seal_message(services: Services, session: Session, key: str, message: RenderedEmail) -> tuple[bytes, int]:
    """The finished bytes, sealed to the mailer's key of today, and that key."""
    kept = encode_tuple(_FINISHED, _encode(message.sender), _encode(message.recipient), message.wire)
    return daily_keys.seal_for_mailer(services, session, EmailContext(key, OutboundState.RENDERED), kept)


_FINISHED: Final = "pbem letter out 1"


def _encode(address: str) -> bytes:
    return address.encode("utf-8", "surrogateescape")


def _unseal_message(content: bytes) -> RenderedEmail:
    """Read the message that `_seal_message` sealed; raises TamperedError where it is something else."""
    reader = Reader("letter", _FINISHED, content)
    sender, recipient, wire = reader.blob(), reader.blob(), reader.blob()
    reader.expect_end()
    return RenderedEmail(wire, sender.decode("utf-8", "surrogateescape"), recipient.decode("utf-8", "surrogateescape"))


def _assemble(services: Services, session: Session, row: OutboundEmail, content: Any) -> tuple[Any, Recipient]:
    """An email's facts, and where it goes: the address of record, as it is now."""
    game = session.get(Game, row.game_id) if row.game_id else None
    user = session.get(User, row.user_id) if row.user_id else None
    if isinstance(content, assembly.ReportData) and game is not None and user is not None:
        told = assembly.build_report(services, session, row, game, user, content)
        to = assembly.load_recipient(session, row, game, user, content.token, told)
        return pictures.attach_picture(services, session, row, told, to, content.picture_baseline)
    if isinstance(content, assembly.SpectatorReportData) and game is not None and user is not None:
        seen = assembly.build_spectator_report(services, session, row, game, user, content)
        to = assembly.load_recipient(session, row, game, user, None, seen)
        return pictures.attach_picture(services, session, row, seen, to, content.picture_baseline)
    if isinstance(content, ReceiptFacts):
        content = assembly.from_stored_receipt(services, session, row, content)
    if isinstance(content, InvitationFacts):
        content = pictures.attach_sample(services, session, content, user)
    return content, assembly.load_recipient(session, row, game, user, None, content)


def _mark_sent(services: Services, emails: Sequence[StoredEmail]) -> None:
    """The relay has them: nothing of them stays here but that they went, and a digest of where to."""
    if not emails:
        return
    now, keys = services.now(), [key for key, _ in emails]
    sent = [
        {"its_key": key, "now": now, "its_address": delivery_status.hash_address(one.recipient)} for key, one in emails
    ]
    with services.db.append_durably() as connection:
        connection.execute(_SENT, sent)
        _delete_bodies(connection, keys)
    for key in keys:
        _LOG.info("a letter was sent", extra={"letter": key})
        services.fault_point("delivery.recorded")


def _reschedule(services: Services, key: str, refused: DeliveryFailure, recipient: str = "") -> None:
    """Try again later, each time later; it ends only where the recipient's own address is at fault.

    All else may be mended by the operator, so no email is lost over it, however long that takes.
    """
    with services.db.transaction() as session:
        row = session.get(OutboundEmail, key)
        if row is None or row.state not in UNSENT:
            return
        theirs = (refused.is_permanent or refused.without_picture) and is_recipient_specific(session, row, refused)
        row.error, row.server_reply, row.claimed_at = refused.reason[:80], refused.reply or None, None
        if refused.away:
            row.due_at = services.now() + AWAY_MS
            return
        row.attempts += 1
        row.due_at = services.now() + backoff_seconds(row.attempts)
        if theirs:
            _LOG.warning("a letter cannot be delivered (%s)", row.error, extra={"letter": key, "game": row.game_id})
            row.state = OutboundState.REFUSED
            user = session.get(User, row.user_id) if row.user_id else None
            if user is not None:
                address = delivery_status.hash_address(recipient)
                delivery_status.mark_unreachable(services, session, row, user, address)
        elif refused.reason == LOST and row.attempts >= LOST_TRIES:
            row.state = OutboundState.GIVEN_UP
        if row.state in UNDELIVERED:
            _delete_bodies(session.connection(), [key])
