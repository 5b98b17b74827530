"""What a letter is, found out before its transaction: who wrote it, what it deserves, what its orders come to."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.service.access.permissions import place_of
from pbem.service.base import limits
from pbem.service.base.installed import missing
from pbem.service.base.reply_policy import Case, Family, Outcome, family_of
from pbem.service.base.services import Arrived, Services
from pbem.service.game import standstill, views
from pbem.service.game.frames import REPLY
from pbem.service.masters import entry_points
from pbem.service.orders import talk_letters, weighing
from pbem.service.orders.submission import OTHER_ADDRESS, Ticket, Weighed
from pbem.service.orders.talk_letters import Heard
from pbem.service.pages import kept
from pbem.service.post import outbox
from pbem.service.post.master_letters import MASTER
from pbem.service.post.outbox import fingerprint
from pbem.service.post.receipts import receipt_of
from pbem.service.post.taking_in import TakenIn
from pbem.service.run.our_addresses import ADDRESSES, JOIN, existing
from pbem.service.seats import own_affairs
from pbem.service.seats.deputies import DEPUTY
from pbem.service.seats.offered_seats import SEAT
from pbem.service.talk.messages import TALKING
from pbem.states import GATHERING, GameState
from pbem.store.columns import Among, columns
from pbem.store.games import every_ballot, fresh, locked, open_decisions, seat_named, seated
from pbem.store.games import table as table_of
from pbem.store.models import DecisionRow, Game, LetterIn, SeatRow, TokenRow, User
from pbem.store.once import once
from pbem.vault import Unopenable, token_hash
from pbem.work import ANSWER_S, within

LETTER_S = 5.0
"""How long the processor may read one letter: a hundred times what the longest of people take."""

_ADDRESS = Among(TokenRow.hash, lambda these: select(TokenRow).where(these))


@dataclass(frozen=True)
class Known:
    """What the token of a letter says: which game and seat, up to which entry it knows the game, and whom we answer.

    `user`: who sits there now, or is invited; only they are ever told anything. None where the token was another's.
    """

    row: TokenRow
    game: Game
    seat: SeatRow | None
    user: User | None
    token: str = ""
    message_id: str = ""


@dataclass(frozen=True)
class Considered:
    """What was found of a letter before its transaction.

    `beyond`: by how many it goes beyond those of the hour.  `weighed`: its orders.  `signed`: lines of its signature
    that would be orders.  `heard`: the same of talk.  `acts`: a master's lines.  `file`: what is kept of the writer, if
    they ask for it and a letter holds it.  `last`: what does not fit any more is found anew, under the lock.
    """

    beyond: int = 0
    weighed: Weighed | None = None
    signed: tuple[str, ...] = ()
    heard: Heard = field(default_factory=Heard)
    acts: entry_points.Prepared | None = None
    file: str | None = None
    last: bool = False


def expected(services: Services, session: Session, recipients: Collection[str]) -> Collection[str]:
    """Those of these addresses that somebody has been given."""
    if services.way_of is None:
        raise LookupError("this process reads no letters")
    ways = {recipient: services.way_of(recipient) for recipient in recipients}
    known = existing(session.connection(), set(ways.values()))
    return {recipient for recipient, way in ways.items() if way in known}


def read(services: Services, taken_in: TakenIn, *, null_sender: bool, expected: bool) -> Arrived:
    """Understand one letter, outside of any transaction; nothing is parsed that came to nobody's address.

    Raises Overspent for a letter that takes too much work.
    """
    if services.read_letter is None or services.way_of is None:
        raise LookupError("this process reads no letters")
    if not expected:
        return Arrived("unread", False, *services.way_of(taken_in.recipient))
    with within(LETTER_S):
        letter = services.read_letter(taken_in.raw, taken_in.recipient, null_sender)
    services.point("ingest.read")
    return letter


def at_hand(session: Session, letters: Mapping[str, Arrived]) -> None:
    """Read together what several letters are about: their addresses, games and seats' views, and what came before.

    `letters`: by the numbers of their rows.
    """
    hashes = {one: letter.token for letter in letters.values() for one in _hashes(letter)}
    rows = {hashes[row.hash]: row for row in session.scalars(*_ADDRESS.of(hashes))}
    for token in hashes.values():
        once(session, TokenRow, token, partial(rows.get, token))
    marks = [fingerprint(letter.token, letter.message_id) for letter in letters.values() if letter.message_id]
    came = dict(columns(session, *_ALL_MARKED.of(marks)))
    for mark in marks:
        once(session, LetterIn, mark, partial(came.get, mark))
    asking = defaultdict[str, set[str]](set)
    for row in rows.values():
        if row.purpose == REPLY and row.game_id is not None and row.seat is not None:
            asking[row.game_id].add(row.seat)
    for number, seats in asking.items():
        game = once(session, Game, number, partial(table_of, session, number))
        if game is not None:
            views.last_at_hand(session, game.id, seats, game.entry)
            every_ballot(session, game.id)  # read before those of any game are filed
    outbox.look_for(session, [receipt_of(number) for number in letters])


def consider(services: Services, session: Session, letter: Arrived) -> Considered:
    """Count a letter, and read, judge and seal what it brings; raises Overspent.

    Nothing is found where the rows that it is about do not fit their seals.
    """
    to = address_of(session, letter)
    if to is not None and to.purpose in own_affairs.ASKED:
        return Considered(limits.beyond(services, "letters", f"account/{to.user_id}"))
    try:
        known = known_by(session, letter, to, services.now(), lock=False)
    except Unopenable:
        return Considered()
    if known is None or missing(services, known.game):
        return Considered()
    found = Considered(_beyond(services, session, letter, known))
    case = case_of(session, letter, known, found.beyond, services.now())
    family = family_of(case)
    with within(ANSWER_S):
        if known.row.purpose == TALKING and known.user is not None and family.outcome is Outcome.RECEIPT:
            return replace(found, heard=talk_letters.heard(services, session, known.game, known.user, letter))
        if known.row.purpose == MASTER and known.user is not None and family.outcome is Outcome.RECEIPT:
            acts = entry_points.prepared(services, session, known.game, known.user, letter.lines)
            return replace(found, acts=acts)
        if known.row.purpose == REPLY and known.seat is not None and known.user is not None:
            return _weighed(services, session, letter, known, family, found)
    return found


def _weighed(
    services: Services, session: Session, letter: Arrived, known: Known, family: Family, found: Considered
) -> Considered:
    """Of orders."""
    if family.outcome is Outcome.SILENCE:
        return found
    ticket = ticket_of(known, letter, family)
    if family.outcome is Outcome.RECEIPT or _bare(known, family):
        found = replace(found, signed=weighing.would_read(services, session, ticket, letter.signature))
    if not gets_receipt(known, family, found):
        return found
    weighed = weighing.weigh(services, session, ticket, written(letter))
    theirs = OTHER_ADDRESS not in ticket.warnings and own_affairs.gets_file(
        weighed.laid.reading.commands, weighed.laid.own
    )
    file = kept.file_for_letter(services, ticket.user.id) if theirs else None
    return replace(found, weighed=weighed, file=file)


def files_orders(found: Considered) -> bool:
    """Return True if all that a letter comes to is orders to be filed and a receipt: rows, and nothing else."""
    laid = found.weighed.laid if found.weighed is not None else None
    return laid is not None and not laid.reading.commands and not laid.said


def written(letter: Arrived) -> Sequence[str]:
    """The lines of a letter that may be orders."""
    return (*letter.lines, *letter.uncovered)


def gets_receipt(known: Known, family: Family, found: Considered) -> bool:
    """Return True if a letter gets a receipt; one that has orders in its signature only is told so."""
    return family.outcome is Outcome.RECEIPT or (_bare(known, family) and bool(found.signed))


def _bare(known: Known, family: Family) -> bool:
    """Return True if a letter to a game under way has no line of its own."""
    bare = family.name in ("empty", "quoted_only") and known.row.purpose == REPLY
    return bare and known.game.state == GameState.RUNNING


# --- who writes, and to what


def address_of(session: Session, letter: Arrived) -> TokenRow | None:
    """What the address says that a letter was sent to, whatever it is for; None for one that was never given."""
    hashes = _hashes(letter)
    if not hashes:
        return None
    return once(session, TokenRow, letter.token, lambda: session.scalars(*_ADDRESS.of(hashes)).one_or_none())


def _hashes(letter: Arrived) -> list[bytes]:
    """By what the address of a letter is found, whatever it is for; none for one that was never given."""
    if letter.way != "reply" or not letter.token:
        return []
    return [token_hash(purpose, letter.token) for purpose in (*ADDRESSES, standstill.PROBE)]


def known_by(session: Session, letter: Arrived, row: TokenRow | None, now: int, *, lock: bool = True) -> Known | None:
    """What a token says, with its game, which is locked; None for a token that was never given."""
    if row is None or row.game_id is None:
        return None
    number = row.game_id
    game = locked(session, number) if lock else once(session, Game, number, lambda: table_of(session, number))
    if game is None:
        return None
    seat = seat_named(session, game.id, row.seat)
    user = _to_be_answered(session, game, row, seat, now)
    return Known(fresh(session, row) if lock else row, game, seat, user, letter.token, letter.message_id)


def _to_be_answered(session: Session, game: Game, row: TokenRow, seat: SeatRow | None, now: int) -> User | None:
    """The holder of the seat if the token was theirs, or who is invited to it; a master's token is their own."""
    if row.purpose in (MASTER, DEPUTY, SEAT) or (row.purpose == TALKING and row.seat is None):
        return session.get(User, row.user_id)
    sits = seat.user_id if seat is not None else None
    if row.purpose == REPLY and row.user_id not in (None, sits):
        return session.get(User, row.user_id) if place_of(session, game, row.user_id, now).seat == row.seat else None
    if row.purpose != JOIN and row.user_id not in (None, sits):
        return None
    owner = row.user_id if row.purpose == JOIN else sits
    return session.get(User, owner) if owner is not None else None


def case_of(session: Session, letter: Arrived, known: Known | None, beyond: int, now: int) -> Case:
    """What the table of answers asks about a letter."""
    if known is None:
        return Case(letter)
    owes = open_of(session, known)
    return Case(
        letter,
        ticket=_token_state(known, owes, now),
        sender=_sender(session, letter, known),
        game=known.game.state,
        asked=bool(owes),
        beyond=beyond,
        repeated=repeated(session, letter),
        foreign=known.user is None,
        orders=known.row.purpose == REPLY,
    )


def _beyond(services: Services, session: Session, letter: Arrived, known: Known) -> int:
    """Count a letter; by how many it goes beyond what is allowed within the hour."""
    if letter.automatic or repeated(session, letter):
        return 0
    return limits.beyond(services, "letters", f"{known.game.id}/{known.row.seat}")


def open_of(session: Session, known: Known) -> list[DecisionRow]:
    """What is asked of the seat."""
    return open_decisions(session, known.game.id, str(known.row.seat))


def _token_state(known: Known, owes: list[DecisionRow], now: int) -> str:
    """What the token is good for, if it still is."""
    if known.row.purpose == JOIN:
        return _invited(known, now)
    if known.row.revoked_at is not None:
        return "revoked"
    if known.row.purpose == MASTER:
        return "master"
    if known.row.purpose in (TALKING, DEPUTY, SEAT):
        return "live"
    if known.seat is None or (known.row.entry or 0) >= known.seat.reported_entry:
        return "live"
    waiting = [row for row in owes if row.blocking]  # a seat that may leave at any time is not thereby asked anything
    if any(row.opening_entry <= (known.row.entry or 0) for row in waiting):
        return "live"
    return "old" if waiting else "late"


def _invited(known: Known, now: int) -> str:
    """Whether an invitation was taken, is over, or can still be taken."""
    row, seat = known.row, known.seat
    if seat is not None and seat.user_id is not None and seat.user_id == row.user_id:
        return "seated"
    expired = row.expires_at is not None and row.expires_at < now
    taken = seat is None or seat.user_id is not None
    over = row.revoked_at is not None or expired or taken or known.game.state not in GATHERING
    return "join_over" if over else "join"


def _sender(session: Session, letter: Arrived, known: Known) -> str:
    """By the From address, which proves nothing: it can only make us more careful."""
    if known.user is None or letter.from_address == known.user.address:
        return "owner"
    others = {user.address for _, user in seated(session, known.game.id)}
    return "table" if letter.from_address in others else "other"


_MARKED = select(LetterIn.id).where(LetterIn.fingerprint == bindparam("mark"))
_ALL_MARKED = Among(LetterIn.fingerprint, lambda these: select(LetterIn.fingerprint, LetterIn.id).where(these))


def repeated(session: Session, letter: Arrived) -> bool:
    """The same letter acts once, however often mail servers repeat it."""
    if not letter.message_id:
        return False
    mark = fingerprint(letter.token, letter.message_id)
    return once(session, LetterIn, mark, lambda: session.scalar(_MARKED, {"mark": mark})) is not None


def ticket_of(known: Known, letter: Arrived, family: Family) -> Ticket:
    """Who writes, for which seat; raises LookupError where nobody sits."""
    if known.seat is None or known.user is None:
        raise LookupError("a receipt needs a seat with a player on it")
    warnings = (*letter.warnings, *((OTHER_ADDRESS,) if family.name == OTHER_ADDRESS else ()))
    entry, deputy = max(known.row.entry or 0, 0), known.user.id != known.seat.user_id
    return Ticket(known.game, known.seat, known.user, entry, letter.token, warnings, deputy)
