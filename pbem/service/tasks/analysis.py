"""What an email is, found out before its transaction: who wrote it, what it deserves, what its orders come to."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.common.cpu_budget import ANSWER_S, limit
from pbem.common.states import GATHERING, GameState
from pbem.crypto import DecryptionError, token_hash
from pbem.crypto.encoding import encode_tuple
from pbem.service.access.permissions import load_membership
from pbem.service.base import limits
from pbem.service.base.game_states import missing_rules
from pbem.service.base.services import ParsedEmail, Services
from pbem.service.game import clock_state, seat_views
from pbem.service.mail import notifications, outbox, printed_emails
from pbem.service.mail.assembly import REPLY, receipt_key
from pbem.service.mail.inbox_queue import RawMessage
from pbem.service.mail.notifications import MASTER
from pbem.service.mail.outbox import find_by_message_id
from pbem.service.masters import api
from pbem.service.messages.messages import TALKING
from pbem.service.orders import filing, validation
from pbem.service.orders.filing import MessageAnalysis
from pbem.service.orders.submission import OTHER_ADDRESS, Submitter, ValidatedOrders
from pbem.service.pages import data_export
from pbem.service.seats import accounts
from pbem.service.seats.deputies import DEPUTY
from pbem.service.seats.lobby import SEAT
from pbem.service.tasks.recipients import (
    ADDRESSES,
    JOIN,
    ReplyAction,
    ReplyContext,
    ReplyRule,
    filter_existing,
    match_rule,
)
from pbem.store.games import (
    load_all_orders,
    load_open_questions,
    load_seat,
    load_seats,
    lock_game,
    occupied_seats,
    reload,
)
from pbem.store.games import load_game as table_of
from pbem.store.models import Capability, Game, InboundEmail, QuestionRow, SeatRow, User
from pbem.store.query_cache import cached

LETTER_S = 1.0
"""How long the processor may read one email: many times what the longest of people take."""
READ_BYTES: Final = {"table": 16_000, "bounce": 64_000}
"""How much is read of what comes to an address that takes no orders: who wrote to a table, what a bounce gives back."""

_ADDRESS = select(Capability).where(Capability.hash.in_(bindparam("hashes", expanding=True)))


@dataclass(frozen=True)
class TokenContext:
    """What the token of an email says: which game and seat, up to which entry it knows the game, and whom we answer.

    `user`: who sits there now, or is invited; only they are ever told anything. None where the token was another's.
    """

    row: Capability
    game: Game
    seat: SeatRow | None
    user: User | None
    token: str = ""
    message_id: str = ""


@dataclass(frozen=True)
class EmailAnalysis:
    """What was found of an email before its transaction.

    `letter`: with its writer's own words told from those that they quote.  `rate_excess`: by how many it goes beyond
    those of the hour.  `validated`: its orders.  `receipts`: lines of its signature that would be orders.  `unread`:
    those of its quotation.  `message_analysis`: the same of talk.  `commands`: a master's lines.  `file`: what is kept
    of the writer, if they ask for it and an email holds it.  `misplaced`: commands of a master to the address of their
    own seat.  `is_last_attempt`: what no longer fits is found again,
    under the lock.
    """

    letter: ParsedEmail
    rate_excess: int = 0
    validated: ValidatedOrders | None = None
    receipts: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    message_analysis: MessageAnalysis = field(default_factory=MessageAnalysis)
    commands: api.PreparedCommands | None = None
    file: str | None = None
    misplaced: tuple[str, ...] = ()
    is_last_attempt: bool = False


def known_addresses(services: Services, session: Session, recipients: Collection[str]) -> Collection[str]:
    """Those of these addresses that somebody has been given."""
    if services.parse_recipient is None:
        raise LookupError("this process reads no letters")
    ways = {recipient: services.parse_recipient(recipient) for recipient in recipients}
    known = filter_existing(session.connection(), set(ways.values()))
    return {recipient for recipient, way in ways.items() if way in known}


def parse(services: Services, taken_in: RawMessage, *, null_sender: bool, expected: bool) -> ParsedEmail:
    """Understand one email, outside of any transaction; nothing is parsed that came to nobody's address.

    Raises BudgetExceeded for an email that takes too much work.
    """
    if services.parse_email is None or services.parse_recipient is None:
        raise LookupError("this process reads no letters")
    way, token = services.parse_recipient(taken_in.recipient)
    if not expected:
        return ParsedEmail("unread", False, way, token)
    with limit(LETTER_S):
        letter = services.parse_email(taken_in.raw[: READ_BYTES.get(way)], taken_in.recipient, null_sender)
    services.fault_point("inbox.analyzed")
    return letter


def notify_postponed(services: Services, session: Session, recipient: str) -> None:
    """Tell who writes to an address, once in an hour, that their emails wait for the next one."""
    if services.parse_recipient is None:
        raise LookupError("this process reads no letters")
    letter, now = ParsedEmail("unread", False, *services.parse_recipient(recipient)), services.now()
    try:
        known = load_token(session, letter, reply_address(session, letter), now, lock=False)
    except DecryptionError:  # rows that are not believed: each letter says so when it is read
        return
    if known is None or known.user is None:
        return
    mark, terms = f"hour{now // (limits.HOUR_S * 1000)}", {"minutes": limits.retry_after_minutes(services)}
    if known.seat is not None:
        notifications.notify_seat(services, session, known.game, known.seat, known.user, mark, "emails_wait", terms)
        return
    key = f"{known.game.id}.{known.user.id}.{mark}.emails_wait"
    notifications.notify_user(services, session, known.game, known.user, key, "emails_wait", terms)


def prefetch(services: Services, session: Session, letters: Mapping[str, ParsedEmail]) -> None:
    """Read together what several emails are about: their addresses, games and seats' views, and what came before.

    They are counted together, too.  `letters`: by the numbers of their rows.
    """
    hashes = {one: letter.token for letter in letters.values() for one in _hashes(letter)}
    rows = {hashes[row.hash]: row for row in session.scalars(_ADDRESS, {"hashes": list(hashes)})}
    for token in hashes.values():
        cached(session, Capability, token, partial(rows.get, token))
    marks = [fingerprint(letter) for letter in letters.values() if letter.message_id]
    came = dict(session.execute(_ALL_MARKED, {"marks": marks}).all())
    for mark in marks:
        cached(session, InboundEmail, mark, partial(came.get, mark))
    asking = defaultdict[str, set[str]](set)
    for row in rows.values():
        if row.purpose == REPLY and row.game_id is not None and row.seat is not None:
            asking[row.game_id].add(row.seat)
    ready = set[str]()
    for number, seats in asking.items():
        game = cached(session, Game, number, partial(table_of, session, number))
        if game is not None:
            seat_views.prefetch_latest(session, game.id, seats, game.entry)
            load_all_orders(session, game.id)  # read before those of any game are filed
            if not missing_rules(services, game):
                ready.add(number)
    heard = [letter for letter in letters.values() if not (letter.automatic or is_duplicate(session, letter))]
    written_to = filter(None, (rows.get(letter.token) for letter in heard))
    counted = [row for row in written_to if row.purpose == REPLY and row.game_id in ready]
    excesses = limits.count_excesses(services, "letters", [_writer(one) for one in counted])
    for one, excess in zip(counted, excesses, strict=True):
        cached(session, Capability, ("excess", one.hash), partial(int, excess))
    clock_state.prefetch_bounces(session, {row.user_id for row in rows.values() if row.user_id is not None})
    printed_emails.prefetch(session, list(hashes.values()))
    outbox.prefetch_existing(session, [receipt_key(number) for number in letters])


def analyze(services: Services, session: Session, letter: ParsedEmail) -> EmailAnalysis:
    """Count an email, and read, judge and seal what it brings; raises BudgetExceeded.

    Nothing is found where the rows that it is about do not fit their seals.
    """
    printed = printed_emails.load(services, session, letter.token) if letter.body else ()
    letter = printed_emails.recognize(letter, printed)
    if letter.route == "table" and not letter.automatic:
        writer = find_table_writer(services, session, letter)
        return EmailAnalysis(letter, limits.excess(services, "letters", f"{letter.token}/{writer.id}") if writer else 0)
    to = reply_address(session, letter)
    if to is not None and to.purpose in accounts.CONFIRMATION_PURPOSES:
        return EmailAnalysis(letter, limits.excess(services, "letters", f"account/{to.user_id}"))
    try:
        known = load_token(session, letter, to, services.now(), lock=False)
    except DecryptionError:
        return EmailAnalysis(letter)
    if known is None or missing_rules(services, known.game):
        return EmailAnalysis(letter)
    found = EmailAnalysis(letter, _rate_excess(services, session, letter, known))
    case = reply_context(session, letter, known, found.rate_excess, services.now())
    family = match_rule(case)
    with limit(ANSWER_S):
        if known.row.purpose == TALKING and known.user is not None and family.outcome is ReplyAction.RECEIPT:
            talk = filing.analyze_messages(services, session, known.game, known.user, letter)
            return replace(found, message_analysis=talk)
        if known.row.purpose == MASTER and known.user is not None and family.outcome is ReplyAction.RECEIPT:
            acts = api.prepare(services, session, known.game, known.user, letter.lines)
            return replace(found, commands=acts)
        if known.row.purpose == REPLY and known.seat is not None and known.user is not None:
            return _validate(services, session, letter, known, family, found)
    return found


def _validate(
    services: Services,
    session: Session,
    letter: ParsedEmail,
    known: TokenContext,
    family: ReplyRule,
    found: EmailAnalysis,
) -> EmailAnalysis:
    """Add what an email of orders comes to: its lines read, judged and sealed, and what its other parts hold."""
    if family.outcome is ReplyAction.SILENCE:
        return found
    submitter = submitter_of(known, letter, family)
    if family.outcome is ReplyAction.RECEIPT or _bare_address(known, family):
        signed = validation.list_unread_orders(services, session, submitter, letter.signature)
        unread = validation.list_unread_orders(services, session, submitter, letter.unread)
        found = replace(found, receipts=signed, unread=unread)
    if not has_receipt(known, family, found):
        return found
    validated = validation.validate_orders(services, session, submitter, letter.lines, letter.uncommented)
    theirs = OTHER_ADDRESS not in submitter.warnings and accounts.may_get_file(
        validated.parsed.reading.commands, validated.parsed.account_commands
    )
    file = data_export.export_for_email(services, submitter.user.id) if theirs else None
    reading = validated.parsed.reading
    misplaced: tuple[str, ...] = ()
    if not submitter.deputy:
        lines = [line.text for lot in reading.sets.values() for line in lot.lines if line.line is None]
        lines += [*(line.text for line in reading.unmatched), *(text for _, text in reading.skipped)]
        misplaced = api.find_misplaced_commands(services, session, known.game, submitter.user, lines)
    return replace(found, validated=validated, file=file, misplaced=misplaced)


def is_orders_only(found: EmailAnalysis) -> bool:
    """Return True if all that an email comes to is orders to be filed and a receipt: rows, and nothing else."""
    parsed = found.validated.parsed if found.validated is not None else None
    return parsed is not None and not parsed.reading.commands and not parsed.messages


def has_receipt(known: TokenContext, family: ReplyRule, found: EmailAnalysis) -> bool:
    """Return True if an email gets a receipt; one that has orders only where they are not read is told so."""
    if family.outcome is ReplyAction.RECEIPT:
        return True
    return _bare_address(known, family) and bool(found.receipts or found.unread)


def _bare_address(known: TokenContext, family: ReplyRule) -> bool:
    """Return True if an email to a game under way has no line of its own."""
    bare = family.name in ("empty", "quoted_only") and known.row.purpose == REPLY
    return bare and known.game.state == GameState.RUNNING


# --- who writes, and to what


def reply_address(session: Session, letter: ParsedEmail) -> Capability | None:
    """What the address says that an email was sent to, whatever it is for; None for one that was never given."""
    hashes = _hashes(letter)
    if not hashes:
        return None
    return cached(
        session, Capability, letter.token, lambda: session.scalars(_ADDRESS, {"hashes": hashes}).one_or_none()
    )


def _hashes(letter: ParsedEmail) -> list[bytes]:
    """By what the address of an email is found, whatever it is for; none for one that was never given."""
    if letter.route != "reply" or not letter.token:
        return []
    return [token_hash(purpose, letter.token) for purpose in (*ADDRESSES, clock_state.PROBE)]


def load_token(
    session: Session, letter: ParsedEmail, row: Capability | None, now: int, *, lock: bool = True
) -> TokenContext | None:
    """What a token says, with its game, which is locked; None for a token that was never given."""
    if row is None or row.game_id is None:
        return None
    number = row.game_id
    game = lock_game(session, number) if lock else cached(session, Game, number, lambda: table_of(session, number))
    if game is None:
        return None
    seat = load_seat(session, game.id, row.seat)
    user = _find_answerer(session, game, row, seat, now)
    return TokenContext(reload(session, row) if lock else row, game, seat, user, letter.token, letter.message_id)


def _find_answerer(session: Session, game: Game, row: Capability, seat: SeatRow | None, now: int) -> User | None:
    """The holder of the seat if the token was theirs, or who is invited to it; a master's token is their own."""
    if row.purpose in (MASTER, DEPUTY, SEAT) or (row.purpose == TALKING and row.seat is None):
        return session.get(User, row.user_id)
    sits = seat.user_id if seat is not None else None
    if row.purpose == REPLY and row.user_id not in (None, sits):
        is_theirs = load_membership(session, game, row.user_id, now).seat == row.seat
        return session.get(User, row.user_id) if is_theirs else None
    if row.purpose != JOIN and row.user_id not in (None, sits):
        return None
    owner = row.user_id if row.purpose == JOIN else sits
    return session.get(User, owner) if owner is not None else None


def reply_context(
    session: Session, letter: ParsedEmail, known: TokenContext | None, beyond: int, now: int
) -> ReplyContext:
    """What the table of answers asks about an email."""
    if known is None:
        return ReplyContext(letter)
    owes = open_questions_of(session, known)
    return ReplyContext(
        letter,
        address_state=_token_state(known, owes, now),
        sender=_find_sender(session, letter, known),
        game=known.game.state,
        asked=bool(owes),
        beyond=beyond,
        repeated=is_duplicate(session, letter),
        foreign=known.user is None,
        orders=known.row.purpose == REPLY,
    )


def find_table_writer(services: Services, session: Session, letter: ParsedEmail) -> User | None:
    """Who wrote to the From address of a table: a person of it by that address, or the reader of the email answered.

    Neither proves anything: nothing may be done in their name, and what is answered goes to the address of record.
    """
    game = session.get(Game, letter.token)
    if game is None:
        return None
    seated = next((user for _, user in occupied_seats(session, game.id) if user.email == letter.from_address), None)
    if seated is not None:
        return seated
    answered = find_by_message_id(session, letter.in_reply_to, services.mail_domain)
    if answered is not None and answered.game_id == game.id and answered.user_id is not None:
        return session.get(User, answered.user_id)
    if not letter.from_address:
        return None
    if all(seat.invited_email != letter.from_address for seat in load_seats(session, game.id)):
        return None
    return session.scalars(select(User).where(User.email == letter.from_address)).one_or_none()


def _rate_excess(services: Services, session: Session, letter: ParsedEmail, known: TokenContext) -> int:
    """Count an email; by how many it goes beyond what is allowed within the hour."""
    if letter.automatic or is_duplicate(session, letter):
        return 0
    row = known.row
    return cached(session, Capability, ("excess", row.hash), lambda: limits.excess(services, "letters", _writer(row)))


def _writer(row: Capability) -> str:
    """Under whom the emails to an address are counted."""
    return f"{row.game_id}/{row.seat}"


def open_questions_of(session: Session, known: TokenContext) -> list[QuestionRow]:
    """What is asked of the seat."""
    return load_open_questions(session, known.game.id, str(known.row.seat))


def _token_state(known: TokenContext, owes: list[QuestionRow], now: int) -> str:
    """What the token is good for, if it still is."""
    if known.row.purpose == JOIN:
        return _invitation_state(known, now)
    if known.row.revoked_at is not None:
        return "revoked"
    if known.row.purpose == MASTER:
        return "master"
    if known.row.purpose in (TALKING, DEPUTY, SEAT):
        return "live"
    if known.seat is None or (known.row.entry or 0) >= known.seat.last_report_entry:
        return "live"
    # A seat that may leave at any time is not thereby asked anything.
    waiting = [row for row in owes if row.is_blocking]
    if any(row.opening_entry <= (known.row.entry or 0) for row in waiting):
        return "live"
    return "old" if waiting else "late"


def _invitation_state(known: TokenContext, now: int) -> str:
    """Whether an invitation was taken, is over, or can still be taken."""
    row, seat = known.row, known.seat
    if seat is not None and seat.user_id is not None and seat.user_id == row.user_id:
        return "seated"
    expired = row.expires_at is not None and row.expires_at < now
    taken = seat is None or seat.user_id is not None
    over = row.revoked_at is not None or expired or taken or known.game.state not in GATHERING
    return "join_over" if over else "join"


def _find_sender(session: Session, letter: ParsedEmail, known: TokenContext) -> str:
    """By the From address, which proves nothing: it can only make us more careful."""
    if known.user is None or letter.from_address == known.user.email:
        return "owner"
    others = {user.email for _, user in occupied_seats(session, known.game.id)}
    return "table" if letter.from_address in others else "other"


_MARKED = select(InboundEmail.id).where(InboundEmail.fingerprint == bindparam("mark"))
_ALL_MARKED = select(InboundEmail.fingerprint, InboundEmail.id).where(
    InboundEmail.fingerprint.in_(bindparam("marks", expanding=True))
)


def fingerprint(letter: ParsedEmail) -> str:
    """What makes an email the same email: its token, its Message-ID and its words.

    Some programs give several emails one Message-ID.  Without the token, which is a secret, no words can be tried out.
    """
    parts = letter.token.lower(), letter.message_id, letter.kind
    said = tuple(line.text for line in letter.body) or (*letter.lines, *letter.uncommented, *letter.signature)
    text = "\0".join((*parts, *said))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_duplicate(session: Session, letter: ParsedEmail) -> bool:
    """The same email acts once, however often mail servers repeat it."""
    if not letter.message_id:
        return False
    mark = fingerprint(letter)
    return cached(session, InboundEmail, mark, lambda: session.scalar(_MARKED, {"mark": mark})) is not None


def repeats_last_words(services: Services, known: TokenContext, letter: ParsedEmail, *, asks: bool) -> bool:
    """Return True if an email says what the last one to its address said; `asks`: it holds an order or a command.

    One that asks nothing gets one answer, however often it comes.  What is remembered is a digest under the key of the
    mailers: nobody else can try words on it.
    """
    before, digest = known.row.last_words, None
    if not asks:
        said = " ".join(" ".join((*letter.lines, *letter.uncommented)).casefold().split())
        words = encode_tuple("pbem last words 1", known.token, said.encode("utf-8", "surrogatepass"))
        digest = hashlib.sha256(services.order_keys.signing.sign("words", words)).digest()
    if before != digest:
        known.row.last_words = digest
    return digest is not None and before == digest


def submitter_of(known: TokenContext, letter: ParsedEmail, family: ReplyRule) -> Submitter:
    """Who writes, for which seat; raises LookupError where nobody sits."""
    if known.seat is None or known.user is None:
        raise LookupError("a receipt needs a seat with a player on it")
    warnings = (*letter.warnings, *((OTHER_ADDRESS,) if family.name == OTHER_ADDRESS else ()))
    entry, deputy = max(known.row.entry or 0, 0), known.user.id != known.seat.user_id
    return Submitter(known.game, known.seat, known.user, entry, letter.token, warnings, deputy)
