"""Which addresses of ours exist: the smtp process asks before it takes an email, and refuses a wrong one at once.

Also what an email to an address of ours is answered, by its kind.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, cast

from sqlalchemy import Connection, Table, bindparam, select

from pbem.common.states import WAITING, GameState
from pbem.crypto import token_hash
from pbem.service.base.services import ParsedEmail, Services
from pbem.service.game.clock_state import PROBE
from pbem.service.mail.assembly import REPLY
from pbem.service.mail.notifications import MASTER
from pbem.service.messages.messages import TALKING
from pbem.service.seats.deputies import DEPUTY
from pbem.service.seats.lobby import SEAT
from pbem.service.seats.sign_in import ACCOUNT_DELETION, ADDRESS_CHANGE
from pbem.store.models import Capability, Game

JOIN: Final = "join"
ADDRESSES: Final = (REPLY, JOIN, MASTER, TALKING, DEPUTY, SEAT, ADDRESS_CHANGE, ACCOUNT_DELETION)
"""What an address with a token of ours may be for."""
_RESERVED: Final = (*ADDRESSES, PROBE)


_GAMES, _TOKENS = cast(Table, Game.__table__), cast(Table, Capability.__table__)
_TABLES = select(_GAMES.c.id).where(_GAMES.c.id.in_(bindparam("games", expanding=True)))
_GIVEN = select(_TOKENS.c.hash, _TOKENS.c.game_id, _TOKENS.c.seat, _TOKENS.c.user_id).where(
    _TOKENS.c.hash.in_(bindparam("hashes", expanding=True))
)


def exists(services: Services, kind: str, token: str) -> bool:
    """Return True if mail to an address of this kind may be for us; raises what the database raises."""
    with services.db.read() as connection:
        return (kind, token) in filter_existing(connection, [(kind, token)])


def filter_existing(connection: Connection, addresses: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those of these addresses, each its kind and token, to which mail may be for us: looked up by key at once.

    An email with a reply address comes back to the same token; others come back to one that is no table's.
    """
    tables = {token for kind, token in addresses if kind == "table"}
    hashes = _hashes(token for kind, token in addresses if kind in ("reply", "bounce"))
    there = set(connection.scalars(_TABLES, {"games": list(tables)})) if tables else set()
    given = {hashes[row.hash] for row in connection.execute(_GIVEN, {"hashes": list(hashes)})} if hashes else set()
    known = {"table": there, "reply": given, "bounce": given}
    return {(kind, token) for kind, token in addresses if token in known.get(kind, ())}


def find_payers(services: Services, recipients: Collection[str], network: str) -> dict[str, str]:
    """Whose turn an email takes, by each address that it came to: a digest, which names nobody to who does not guess.

    The seat that a reply or bounce address was given to; without one the account; without that the sender's network.
    """
    if services.parse_recipient is None:
        raise LookupError("this process reads no addresses")
    tokens = {one: services.parse_recipient(one)[1] for one in recipients}
    hashes = _hashes(filter(None, tokens.values()))
    with services.db.read() as connection:
        given = (
            {hashes[row.hash]: row for row in connection.execute(_GIVEN, {"hashes": list(hashes)})} if hashes else {}
        )
    return {one: _digest(_payer(given.get(token), network)) for one, token in tokens.items()}


def _payer(row: Any, network: str) -> str:
    if row is not None and row.seat is not None:
        return f"seat {row.game_id} {row.seat}"
    return f"user {row.user_id}" if row is not None and row.user_id is not None else f"network {network}"


def _digest(payer: str) -> str:
    return hashlib.sha256(payer.encode()).hexdigest()[:32]


def _hashes(tokens: Iterable[str]) -> dict[bytes, str]:
    """Tokens by what they may be found by, whatever they are for."""
    return {token_hash(purpose, token): token for token in tokens for purpose in _RESERVED}


class ReplyAction(Enum):
    """What an email gets."""

    RECEIPT = "receipt"
    NOTICE = "notice"
    SILENCE = "silence"


@dataclass(frozen=True)
class ReplyContext:
    """What is known of an email when it is answered.

    `address_state`, of the token that it was sent to: `none` (no such token was ever given), `live`, `old` (its
    questions are closed, others are open), `late` (its questions are closed, and nothing is asked now), `revoked`,
    `join`, `seated` (an invitation that was taken already), `join_over`, `master` (for lines of masters, whatever the
    game's state). `foreign`: the token was given to a person who no longer has this seat.
    `sender`: `owner` (the address of record), `table` (another player of this table), `other`.
    `game`: the game's state. `asked`: True if this seat has open questions; a seat that has none, because it waits or
    is out of the game, is told so by an ordinary receipt.
    `beyond`: by how many emails this one goes beyond those allowed within the hour. `repeated`: it came before.
    `orders`: the address takes orders; those are read also beyond what is allowed, and only answers are held back.
    """

    letter: ParsedEmail
    address_state: str = "none"
    sender: str = "owner"
    game: GameState = GameState.RUNNING
    asked: bool = True
    beyond: int = 0
    repeated: bool = False
    foreign: bool = False
    orders: bool = False


@dataclass(frozen=True)
class ReplyRule:
    """One row: its name, whom it fits, an example of it, what it gets, and which notice."""

    name: str
    matches: Callable[[ReplyContext], bool]
    example: ReplyContext
    outcome: ReplyAction
    notice: str = ""


def _is_kind(*kinds: str) -> Callable[[ReplyContext], bool]:
    return lambda case: case.letter.kind in kinds


def _has_route(*ways: str) -> Callable[[ReplyContext], bool]:
    return lambda case: case.letter.route in ways


def _has_token(*tokens: str) -> Callable[[ReplyContext], bool]:
    return lambda case: case.address_state in tokens


def _has_game_state(*states: GameState) -> Callable[[ReplyContext], bool]:
    return lambda case: case.game in states


def _has_no_lines(case: ReplyContext) -> bool:
    return not any(line.strip() for line in (*case.letter.lines, *case.letter.uncommented))


_FORMING, _MOVED = GameState.OPEN, GameState.TRANSFERRED
_LETTER = ParsedEmail("ordinary", False, "reply", "", lines=("STATUS",))
_YES = replace(_LETTER, lines=("YES",))


def _other_kind(kind: str, *, automatic: bool = False) -> ReplyContext:
    """An email of another kind, to a good address."""
    return ReplyContext(replace(_LETTER, kind=kind, automatic=automatic), "live")


def _over_limit(count: int) -> ReplyContext:
    """An email beyond what is allowed within the hour, to an address that takes no orders."""
    return ReplyContext(_LETTER, "master", game=_FORMING, beyond=count)


def _other_route(way: str) -> ReplyContext:
    """An email to an address that is not a reply address."""
    return ReplyContext(replace(_LETTER, route=way))


def _without_own_lines(has: str = "") -> ReplyContext:
    """An email without a line of its sender's own, but with something else."""
    forwarded, quoted, attached = (has == what for what in ("forwarded", "quoted", "attachments"))
    empty = replace(_LETTER, lines=("", " "), forwarded=forwarded, quoted=quoted, attachments=attached)
    return ReplyContext(empty, "live")


S, N, R = ReplyAction.SILENCE, ReplyAction.NOTICE, ReplyAction.RECEIPT

RULES: tuple[ReplyRule, ...] = (
    ReplyRule("bounce", _is_kind("bounce"), _other_kind("bounce", automatic=True), S),
    ReplyRule("complaint", _is_kind("complaint"), _other_kind("complaint", automatic=True), S),
    ReplyRule("loop", _is_kind("loop"), _other_kind("loop", automatic=True), S),
    ReplyRule("out_of_office", _is_kind("out of office"), _other_kind("out of office", automatic=True), S),
    ReplyRule("auto_reply", _is_kind("auto reply"), _other_kind("auto reply", automatic=True), S),
    ReplyRule("bulk", _is_kind("bulk"), _other_kind("bulk", automatic=True), S),
    ReplyRule("to_bounce_address", _has_route("bounce"), _other_route("bounce"), S),
    ReplyRule("to_unknown_address", _has_route("unknown"), _other_route("unknown"), S),
    ReplyRule("to_table_address", _has_route("table"), _other_route("table"), S),
    ReplyRule("unknown_token", _has_token("none"), ReplyContext(_LETTER), S),
    ReplyRule("former_owner", lambda case: case.foreign, ReplyContext(_LETTER, "live", foreign=True), S),
    ReplyRule("repeated", lambda case: case.repeated, ReplyContext(_LETTER, "live", repeated=True), S),
    ReplyRule("flooding", lambda case: case.beyond > 1 and not case.orders, _over_limit(2), S),
    ReplyRule("rate_limited", lambda case: case.beyond == 1 and not case.orders, _over_limit(1), N, "rate_limited"),
    ReplyRule("revoked_token", _has_token("revoked"), ReplyContext(_LETTER, "revoked"), N, "revoked"),
    ReplyRule(
        "invitation_over",
        _has_token("join_over"),
        ReplyContext(_LETTER, "join_over", game=_FORMING),
        N,
        "invitation_over",
    ),
    ReplyRule("oversized", _is_kind("oversized"), _other_kind("oversized"), N, "oversized"),
    ReplyRule("encrypted", _is_kind("encrypted"), _other_kind("encrypted"), N, "encrypted"),
    ReplyRule("unreadable", _is_kind("unreadable"), _other_kind("unreadable"), N, "unreadable"),
    ReplyRule("calendar", _is_kind("calendar"), _other_kind("calendar"), N, "calendar"),
    ReplyRule("join", _has_token("join"), ReplyContext(_YES, "join", game=_FORMING), R),
    ReplyRule(
        "forwarded_only",
        lambda c: _has_no_lines(c) and c.letter.forwarded,
        _without_own_lines("forwarded"),
        N,
        "forwarded",
    ),
    ReplyRule(
        "quoted_only", lambda c: _has_no_lines(c) and c.letter.quoted, _without_own_lines("quoted"), N, "quoted_only"
    ),
    ReplyRule(
        "attachment_only",
        lambda c: _has_no_lines(c) and c.letter.attachments,
        _without_own_lines("attachments"),
        N,
        "attachment_only",
    ),
    ReplyRule("empty", _has_no_lines, _without_own_lines(), N, "empty"),
    ReplyRule(
        "wrong_seat", lambda case: case.sender == "table", ReplyContext(_LETTER, "live", "table"), N, "wrong_seat"
    ),
    ReplyRule("master", _has_token("master"), ReplyContext(_LETTER, "master", game=_FORMING), R),
    ReplyRule(
        "game_forming", _has_game_state(*WAITING), ReplyContext(_LETTER, "seated", game=_FORMING), N, "not_started"
    ),
    ReplyRule(
        "game_over", _has_game_state(GameState.OVER), ReplyContext(_LETTER, "live", game=GameState.OVER), N, "over"
    ),
    ReplyRule(
        "game_moved", _has_game_state(_MOVED), ReplyContext(_LETTER, "live", game=_MOVED, asked=False), N, "moved_away"
    ),
    ReplyRule("late", _has_token("late"), ReplyContext(_LETTER, "late", asked=False), N, "late"),
    ReplyRule("stale", _has_token("old", "seated"), ReplyContext(_LETTER, "old"), N, "stale"),
    ReplyRule("other_address", lambda case: case.sender == "other", ReplyContext(_LETTER, "live", "other"), R),
    ReplyRule("not_asked", lambda case: not case.asked, ReplyContext(_LETTER, "live", asked=False), R),
    ReplyRule("orders", lambda case: True, ReplyContext(_LETTER, "live"), R),
)


def match_rule(case: ReplyContext) -> ReplyRule:
    """The first family that fits; the last one fits all."""
    return next(family for family in RULES if family.matches(case))
