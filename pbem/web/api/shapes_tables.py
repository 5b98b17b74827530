"""What goes in and out about tables: making, finding, joining, leaving them; their time, and who else is there."""

from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pbem.web.api.shapes import Id

SeatName = Annotated[str, Meta(pattern="^s[1-9][0-9]?$", examples=["s2"], description="A seat of a table.")]
Address = Annotated[str, Meta(min_length=1, max_length=320, examples=["ann@example.org"])]
Joining = Annotated[str, Meta(max_length=200, description="Words of your own, which are mixed into every draw.")]
Number = Annotated[int, Meta(ge=1, le=999_999_999_999)]
Hours = Annotated[int, Meta(ge=0, le=2160)]
Minutes = Annotated[int, Meta(ge=0, le=10_080)]
Small = Annotated[int, Meta(ge=0, le=99)]


# --- before the game


class OptionChoice(Struct):
    """One way to play."""

    value: str
    title: str


class Option(Struct):
    """Something that a table settles: its choices, and the usual one."""

    name: str
    title: str
    default: str
    choices: list[OptionChoice]


class Phase(Struct):
    """A kind of question, for which a table may have other hours."""

    asks: str
    title: str


class RulesShape(Struct):
    """A game that can be played here: by how many, with which options."""

    rules: str
    version: str
    title: str
    players: list[int]
    options: list[Option]
    phases: list[Phase]


class RulesList(Struct):
    """The games that a table can be made of."""

    rules: list[RulesShape]


class Pacing(Struct, forbid_unknown_fields=True):
    """How deadlines are set. `hours`: for every question (0: there are none, and nothing below counts, unless there
    are clocks). Times of day are those of your own zone.

    `phases`: other hours for some questions. `clock`: the time of day at which deadlines fall, as 20:00. `days`: those
    that count, 1 is Monday (none: all). `free`: further days that do not. `remind`: hours before. `grace`: minutes in
    which a late answer counts; `linger`: minutes after the last answer in which it may be changed. `missed`: who
    answers then. `bank`: hours on each player's clock for the whole game; `spare`: hours of each question that cost
    nothing of it. `excuses`: missed turns that are excused; `misses`: so many in a row, and the seat is offered.
    """

    hours: Hours = 0
    phases: dict[str, Annotated[int, Meta(ge=1, le=2160)]] = {}
    clock: Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")] | None = None
    days: Annotated[list[Annotated[int, Meta(ge=1, le=7)]], Meta(max_length=7)] = []
    free: Annotated[list[date], Meta(max_length=60)] = []
    remind: Annotated[list[Annotated[int, Meta(ge=1, le=2160)]], Meta(max_length=6)] = []
    grace: Minutes = 0
    linger: Annotated[int, Meta(ge=0, le=1440)] = 0
    missed: Literal["default", "wait", "standing", "bot"] = "default"
    bank: Hours | None = None
    spare: Hours = 0
    excuses: Annotated[int, Meta(ge=0, le=20)] = 0
    misses: Small = 3


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to make: you take its first seat, and master it. Options that are left out are the usual ones."""

    rules: Annotated[str, Meta(max_length=60)]
    title: Annotated[str, Meta(min_length=1, max_length=60)]
    players: Annotated[int, Meta(ge=1, le=12)]
    options: dict[str, str] = {}
    deadlines: Pacing | None = None


class Inviting(Struct, forbid_unknown_fields=True):
    """Whom to invite to the free seats, by mail address."""

    addresses: Annotated[list[Address], Meta(min_length=1, max_length=12)]


class Publishing(Struct, forbid_unknown_fields=True):
    """`open`: whether everybody here may take a free seat."""

    open: bool


class Accepting(Struct, forbid_unknown_fields=True):
    """The words with which you sit down."""

    words: Joining = ""


class Reliability(Struct):
    """How reliable a player was: turns asked of them, those on time, games begun, games finished."""

    turns: int
    on_time: int
    begun: int
    finished: int


class Guest(Struct):
    """A seat before the game: who took it; whom its host invited is told to the host alone."""

    player: str | None
    invited: str | None
    taken: bool
    reliability: Reliability | None


class Forming(Struct):
    """A table that has not begun. `digest`: that of the seed, promised now. `hours`: for an answer (null: no limit).

    `open`: everybody here may take a free seat. `free`: seats for which nobody was invited.
    """

    game: str
    rules: str
    rules_title: str
    title: str
    state: str
    host: str
    options: dict[str, str]
    hours: int | None
    digest: str
    seats: list[Guest]
    free: int
    open: bool


class OpenTable(Struct):
    """A table that looks for players. `approves`: its master is asked first; `asked`: you have asked already."""

    table: Forming
    approves: bool
    asked: bool


class OpenTables(Struct):
    """Tables that look for players, the newest first. `more`: leave out so many to go on; 0: these were all."""

    tables: list[OpenTable]
    more: int


class Sitting(Struct, forbid_unknown_fields=True):
    """A free seat of an open table, and the words with which you sit down."""

    game: Id
    words: Joining = ""


class AtTable(Struct, forbid_unknown_fields=True):
    """Which table."""

    game: Id


# --- seats that look for a player


class Vacancy(Struct):
    """A seat of a running game that looks for a player: whose it was, after how many entries."""

    game: str
    rules: str
    rules_title: str
    title: str
    seat: str
    player: str
    entries: int


class Vacancies(Struct):
    """All of them, the longest first. `more`: leave out so many to go on; 0: these were all."""

    seats: list[Vacancy]
    more: int


class Taking(Struct, forbid_unknown_fields=True):
    """Which seat you take."""

    game: Id
    seat: SeatName


class Sure(Struct, forbid_unknown_fields=True):
    """What cannot be taken back is meant."""

    sure: Literal["yes"]


# --- time


class Away(Struct):
    """An absence of yours."""

    number: int
    since: datetime
    until: datetime


class Absences(Struct):
    """Your absences to come."""

    absences: list[Away]


class Leaving(Struct, forbid_unknown_fields=True):
    """The first and the last day away, by your own clocks."""

    first: date
    last: date


class Numbered(Struct, forbid_unknown_fields=True):
    """Which one."""

    number: Number


class Rhythm(Struct):
    """How long a question waits: `hours` of the days that count, never less than `least`.

    `clock`: the time of day at which deadlines fall, by the clocks of `zone` (null: any). `grace`, `linger`: minutes.
    """

    hours: int
    least: int
    clock: str | None
    zone: str
    days: list[int]
    free: list[date]
    grace: int
    linger: int


class Keeper(Struct):
    """Who keeps a seat: how reliable, misses in a row, whether it looks for a player, `pause` or `resume` if wished."""

    seat: str
    name: str
    reliability: Reliability
    missed: int
    offered: bool
    wishes: str


class Gift(Struct):
    """Time given back: whose question, how many minutes, why, the deadline since then, and when that was done."""

    name: str
    cause: str
    minutes: int
    due: datetime
    made: datetime


class Timetable(Struct):
    """All about a table's time. `usual` null: no deadlines. `still`: why the clock stands (empty: it runs).

    `bank`, `spare`: minutes on each player's clock, and those of each question that cost nothing (null: no clocks).
    `predecessor`: a player had your seat before, to whom you may give it back.
    """

    game: str
    usual: Rhythm | None
    phases: dict[str, Rhythm]
    bank: int | None
    spare: int
    remind: list[int]
    missed: str
    excuses: int
    misses: int
    keepers: list[Keeper]
    gifts: list[Gift]
    still: str
    since: datetime | None
    predecessor: bool


class Wish(Struct, forbid_unknown_fields=True):
    """A pause, or that the game goes on."""

    wish: Literal["pause", "resume"]


Outcome = Literal["done", "noted", "nothing", "repeated"]
OUTCOMES: tuple[Outcome, ...] = ("done", "noted", "nothing", "repeated")


class Wished(Struct):
    """`done`, `noted` (it takes all the others too), `nothing` (it is so already), `repeated` (by this key)."""

    game: str
    outcome: Outcome


class Muting(Struct, forbid_unknown_fields=True):
    """Whether the letters of all your tables stop."""

    muted: bool


# --- who else is there


class Deputy(Struct):
    """A deputy of your seat: for when, whether they have agreed, whether they answer now."""

    number: int
    name: str
    since: datetime
    until: datetime
    agreed: bool
    acts: bool


class Acting(Struct):
    """Who answers for whom now, and until when."""

    player: str
    deputy: str
    until: datetime


class Deputies(Struct):
    """Those of your own seat, and everybody's at the table who answer now."""

    game: str
    own: list[Deputy]
    acting: list[Acting]


class Naming(Struct, forbid_unknown_fields=True):
    """Whom you ask to answer for your seat, by mail address, and for which absence of yours."""

    address: Address
    absence: Number


class WatchedTable(Struct):
    """A running table that you may look on at."""

    game: str
    rules: str
    rules_title: str
    title: str
    entries: int


class WatchedTables(Struct):
    """The tables that you watch, and those that anybody may watch.

    `more`: leave out so many of the latter to go on; 0: these were all.
    """

    looking: list[WatchedTable]
    open: list[WatchedTable]
    more: int


class Looking(Struct, forbid_unknown_fields=True):
    """Whether you look on at a table."""

    game: Id
    looks: bool


class Onlookers(Struct):
    """Who looks on at a table."""

    game: str
    names: list[str]


class Letting(Struct, forbid_unknown_fields=True):
    """Whom to let look on, by mail address."""

    address: Address
