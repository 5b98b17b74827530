"""What letters of every kind are made of: their reader, table and links, open questions and stored orders."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.kernel.codec import serializable
from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.viewers import Seat

Moment = int
"""Seconds since 1970-01-01, UTC."""

NO_SEAT: Final = Seat("")


@serializable("letter.Reader")
@dataclass(frozen=True)
class Reader:
    """Who a letter is for: their name, language (a tag) and IANA zone; `seat` is empty if they have none."""

    name: str
    language: str
    zone: str = "UTC"
    seat: Seat = NO_SEAT


@serializable("letter.PendingRound")
@dataclass(frozen=True)
class PendingRound:
    """The answers of a phase are fixed, and its draws wait for this round of the public beacon, due then."""

    round: int
    due: Moment


@serializable("letter.TableFacts")
@dataclass(frozen=True)
class TableFacts:
    """The table: `game` names the rules, `title` is what its players call it, `names` how each seat's player is called.

    `waits`: for which round.
    """

    game: str
    title: str
    names: Mapping[Seat, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    waits: PendingRound | None = None


@serializable("letter.Links")
@dataclass(frozen=True)
class Links:
    """Where the reader can go; empty where there is nothing. `answer` is a mail address, the others are pages.

    `act`: the one thing that the letter asks for (join, sign in, confirm).  `never`: where a person ends invitations.
    `human`: the address of a person, filled in as a letter is written.
    """

    page: str = ""
    answer: str = ""
    act: str = ""
    mute: str = ""
    leave: str = ""
    archive: str = ""
    never: str = ""
    human: str = ""


@serializable("letter.EmailContext")
@dataclass(frozen=True)
class EmailContext:
    """What every letter has: reader, table, links, when it was made, and the entry and digest for the small print.

    `answers`: the Message-ID of the letter that this one answers.
    """

    reader: Reader
    table: TableFacts
    links: Links = Links()
    sent: Moment = 0
    entry: int = 0
    digest: str = ""
    answers: str = ""


@serializable("letter.OpenQuestion")
@dataclass(frozen=True)
class OpenQuestion:
    """An open question to the reader: until when (None: no limit), whether they have answered it, and since when."""

    decision: Question
    due: Moment | None = None
    answered: bool = False
    filed: Moment | None = None


@serializable("letter.StoredReaction")
@dataclass(frozen=True)
class StoredReaction:
    """A choice answered ahead that stands: its topic, what was chosen, the turn it is for (None: until withdrawn)."""

    topic: str
    orders: Orders
    turn: int | None = None


@serializable("letter.EndedReaction")
@dataclass(frozen=True)
class EndedReaction:
    """A reaction was used, or lapsed without use (`reason`: why; None: the turn ended without the question)."""

    topic: str
    orders: Orders
    used: bool
    reason: Problem | None = None


@serializable("letter.StoredOrders")
@dataclass(frozen=True)
class StoredOrders:
    """A set that stands: the topic, its turn, its lines, when it was filed. `ahead`: its question is not open yet.

    `number`: which of several questions of the topic in its turn, where the game counts them.
    """

    topic: str
    orders: Orders
    filed: Moment
    turn: int | None = None
    ahead: bool = False
    commitment: str = ""
    number: int | None = None


@serializable("letter.Message")
@dataclass(frozen=True)
class Message:
    """One sentence to or about a game master: `code` names its macro in `letters/<language>/master.said.j2`.

    In `terms`, moments are seconds since 1970, UTC; seats' players are given by name.
    """

    code: str
    terms: Mapping[str, object] = field(default_factory=dict)
