"""The table of answers: for each sort of letter, whether it gets a receipt, a notice or silence.

Read from the top; the first family that fits decides.  The table is also the source of its own tests: each family
brings an example.  Nobody is answered who has not shown a token of ours (RFC 3834 §2: no answer to a forged sender),
and no machine is answered at all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from pbem.service.office import Arrived


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
    already), `join_over`. `foreign`: the token was given to somebody who no longer has this seat.
    `sender`: `owner` (the address of record), `table` (another player of this table), `other`.
    `game`: the game's state. `asked`: whether this seat has open questions; who has none, because he waits or because
    he is out of the game, is told so by an ordinary receipt.
    `beyond`: by how many letters this one goes beyond those allowed within the hour. `repeated`: it came before.
    """

    letter: Arrived
    ticket: str = "none"
    sender: str = "owner"
    game: str = "running"
    asked: bool = True
    beyond: int = 0
    repeated: bool = False
    foreign: bool = False


@dataclass(frozen=True)
class Family:
    """One row: its name, whom it fits, what it gets, and which notice."""

    name: str
    fits: Callable[[Case], bool]
    outcome: Outcome
    notice: str = ""


def _kind(*kinds: str) -> Callable[[Case], bool]:
    return lambda case: case.letter.kind in kinds


def _way(*ways: str) -> Callable[[Case], bool]:
    return lambda case: case.letter.way in ways


def _token(*tokens: str) -> Callable[[Case], bool]:
    return lambda case: case.ticket in tokens


def _game(*states: str) -> Callable[[Case], bool]:
    return lambda case: case.game in states


def _no_lines(case: Case) -> bool:
    return not any(line.strip() for line in case.letter.lines)


S, N, R = Outcome.SILENCE, Outcome.NOTICE, Outcome.RECEIPT

FAMILIES: tuple[Family, ...] = (
    Family("bounce", _kind("bounce"), S),
    Family("complaint", _kind("complaint"), S),
    Family("loop", _kind("loop"), S),
    Family("out_of_office", _kind("out of office"), S),
    Family("auto_reply", _kind("auto reply"), S),
    Family("bulk", _kind("bulk"), S),
    Family("to_bounce_address", _way("bounce"), S),
    Family("to_unknown_address", _way("unknown"), S),
    Family("to_table_address", _way("table"), S),
    Family("unknown_token", _token("none"), S),
    Family("former_owner", lambda case: case.foreign, S),
    Family("repeated", lambda case: case.repeated, S),
    Family("flooding", lambda case: case.beyond > 1, S),
    Family("rate_limited", lambda case: case.beyond == 1, N, "rate_limited"),
    Family("revoked_token", _token("revoked"), N, "revoked"),
    Family("invitation_over", _token("join_over"), N, "invitation_over"),
    Family("oversized", _kind("oversized"), N, "oversized"),
    Family("encrypted", _kind("encrypted"), N, "encrypted"),
    Family("unreadable", _kind("unreadable"), N, "unreadable"),
    Family("calendar", _kind("calendar"), N, "calendar"),
    Family("forwarded_only", lambda case: _no_lines(case) and case.letter.forwarded, N, "forwarded"),
    Family("quoted_only", lambda case: _no_lines(case) and case.letter.quoted, N, "quoted_only"),
    Family("attachment_only", lambda case: _no_lines(case) and case.letter.attachments, N, "attachment_only"),
    Family("empty", _no_lines, N, "empty"),
    Family("join", _token("join"), R),
    Family("wrong_seat", lambda case: case.sender == "table", N, "wrong_seat"),
    Family("game_forming", _game("new", "forming", "starting"), N, "not_started"),
    Family("game_over", _game("over"), N, "over"),
    Family("late", _token("late"), N, "late"),
    Family("stale", _token("old", "seated"), N, "stale"),
    Family("other_address", lambda case: case.sender == "other", R),
    Family("not_asked", lambda case: not case.asked, R),
    Family("orders", lambda case: True, R),
)


def family_of(case: Case) -> Family:
    """The first family that fits; the last one fits all."""
    return next(family for family in FAMILIES if family.fits(case))
