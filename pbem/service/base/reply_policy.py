"""The table of answers: for each sort of letter, whether it gets a receipt, a notice or silence.

Read from the top; the first family that fits decides.  The table is also the source of its own tests: each family
brings an example.  Nobody is answered who has not shown a token of ours (RFC 3834 §2: no answer to a forged sender),
and no machine is answered at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from pbem.service.base.services import Arrived
from pbem.states import WAITING, GameState


class Outcome(Enum):
    """What a letter gets."""

    RECEIPT = "receipt"
    NOTICE = "notice"
    SILENCE = "silence"


@dataclass(frozen=True)
class Case:
    """What is known of a letter when it is answered.

    `ticket`: `none` (no such token was ever given), `live`, `old` (its questions are closed, others are open), `late`
    (its questions are closed, and nothing is asked now), `revoked`, `join`, `seated` (an invitation that was taken
    already), `join_over`, `master` (for lines of masters, whatever the game's state). `foreign`: the token was given to
    a person who no longer has this seat.
    `sender`: `owner` (the address of record), `table` (another player of this table), `other`.
    `game`: the game's state. `asked`: True if this seat has open questions; a seat that has none, because it waits or
    is out of the game, is told so by an ordinary receipt.
    `beyond`: by how many letters this one goes beyond those allowed within the hour. `repeated`: it came before.
    `orders`: the address takes orders; those are read also beyond what is allowed, and only answers are held back.
    """

    letter: Arrived
    ticket: str = "none"
    sender: str = "owner"
    game: GameState = GameState.RUNNING
    asked: bool = True
    beyond: int = 0
    repeated: bool = False
    foreign: bool = False
    orders: bool = False

    @property
    def quiet(self) -> bool:
        """Return True if only orders that stand are answered: beyond the limit, and where a machine seems to write."""
        return self.letter.machine or (self.orders and self.beyond > 0)


@dataclass(frozen=True)
class Family:
    """One row: its name, whom it fits, an example of it, what it gets, and which notice."""

    name: str
    fits: Callable[[Case], bool]
    example: Case
    outcome: Outcome
    notice: str = ""


def _kind(*kinds: str) -> Callable[[Case], bool]:
    return lambda case: case.letter.kind in kinds


def _way(*ways: str) -> Callable[[Case], bool]:
    return lambda case: case.letter.way in ways


def _token(*tokens: str) -> Callable[[Case], bool]:
    return lambda case: case.ticket in tokens


def _game(*states: GameState) -> Callable[[Case], bool]:
    return lambda case: case.game in states


def _no_lines(case: Case) -> bool:
    return not any(line.strip() for line in (*case.letter.lines, *case.letter.uncovered))


_FORMING, _MOVED = GameState.FORMING, GameState.MOVED
_LETTER = Arrived("ordinary", False, "reply", "", lines=("STATUS",))
_YES = replace(_LETTER, lines=("YES",))


def _of(kind: str, *, automatic: bool = False) -> Case:
    """A letter of another kind, to a good address."""
    return Case(replace(_LETTER, kind=kind, automatic=automatic), "live")


def _beyond(count: int) -> Case:
    """A letter beyond what is allowed within the hour, to an address that takes no orders."""
    return Case(_LETTER, "master", game=_FORMING, beyond=count)


def _to(way: str) -> Case:
    """A letter to an address that is not a reply address."""
    return Case(replace(_LETTER, way=way))


def _bare(has: str = "") -> Case:
    """A letter without a line of its sender's own, but with something else."""
    forwarded, quoted, attached = (has == what for what in ("forwarded", "quoted", "attachments"))
    empty = replace(_LETTER, lines=("", " "), forwarded=forwarded, quoted=quoted, attachments=attached)
    return Case(empty, "live")


S, N, R = Outcome.SILENCE, Outcome.NOTICE, Outcome.RECEIPT

FAMILIES: tuple[Family, ...] = (
    Family("bounce", _kind("bounce"), _of("bounce", automatic=True), S),
    Family("complaint", _kind("complaint"), _of("complaint", automatic=True), S),
    Family("loop", _kind("loop"), _of("loop", automatic=True), S),
    Family("out_of_office", _kind("out of office"), _of("out of office", automatic=True), S),
    Family("auto_reply", _kind("auto reply"), _of("auto reply", automatic=True), S),
    Family("bulk", _kind("bulk"), _of("bulk", automatic=True), S),
    Family("to_bounce_address", _way("bounce"), _to("bounce"), S),
    Family("to_unknown_address", _way("unknown"), _to("unknown"), S),
    Family("to_table_address", _way("table"), _to("table"), S),
    Family("unknown_token", _token("none"), Case(_LETTER), S),
    Family("former_owner", lambda case: case.foreign, Case(_LETTER, "live", foreign=True), S),
    Family("repeated", lambda case: case.repeated, Case(_LETTER, "live", repeated=True), S),
    Family("flooding", lambda case: case.beyond > 1 and not case.orders, _beyond(2), S),
    Family("rate_limited", lambda case: case.beyond == 1 and not case.orders, _beyond(1), N, "rate_limited"),
    Family("revoked_token", _token("revoked"), Case(_LETTER, "revoked"), N, "revoked"),
    Family("invitation_over", _token("join_over"), Case(_LETTER, "join_over", game=_FORMING), N, "invitation_over"),
    Family("oversized", _kind("oversized"), _of("oversized"), N, "oversized"),
    Family("encrypted", _kind("encrypted"), _of("encrypted"), N, "encrypted"),
    Family("unreadable", _kind("unreadable"), _of("unreadable"), N, "unreadable"),
    Family("calendar", _kind("calendar"), _of("calendar"), N, "calendar"),
    Family("join", _token("join"), Case(_YES, "join", game=_FORMING), R),
    Family("forwarded_only", lambda c: _no_lines(c) and c.letter.forwarded, _bare("forwarded"), N, "forwarded"),
    Family("quoted_only", lambda c: _no_lines(c) and c.letter.quoted, _bare("quoted"), N, "quoted_only"),
    Family(
        "attachment_only",
        lambda c: _no_lines(c) and c.letter.attachments,
        _bare("attachments"),
        N,
        "attachment_only",
    ),
    Family("empty", _no_lines, _bare(), N, "empty"),
    Family("wrong_seat", lambda case: case.sender == "table", Case(_LETTER, "live", "table"), N, "wrong_seat"),
    Family("master", _token("master"), Case(_LETTER, "master", game=_FORMING), R),
    Family("game_forming", _game(*WAITING), Case(_LETTER, "seated", game=_FORMING), N, "not_started"),
    Family("game_over", _game(GameState.OVER), Case(_LETTER, "live", game=GameState.OVER), N, "over"),
    Family("game_moved", _game(_MOVED), Case(_LETTER, "live", game=_MOVED, asked=False), N, "moved_away"),
    Family("late", _token("late"), Case(_LETTER, "late", asked=False), N, "late"),
    Family("stale", _token("old", "seated"), Case(_LETTER, "old"), N, "stale"),
    Family("other_address", lambda case: case.sender == "other", Case(_LETTER, "live", "other"), R),
    Family("not_asked", lambda case: not case.asked, Case(_LETTER, "live", asked=False), R),
    Family("orders", lambda case: True, Case(_LETTER, "live"), R),
)


def family_of(case: Case) -> Family:
    """The first family that fits; the last one fits all."""
    return next(family for family in FAMILIES if family.fits(case))
