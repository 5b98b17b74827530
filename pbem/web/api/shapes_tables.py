"""Types for tables: opening, finding, joining and leaving them; their time, and the people around them."""

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
SmallNumber = Annotated[int, Meta(ge=0, le=99)]


# --- before the game


class OptionChoice(Struct):
    """One way to play."""

    value: str
    title: str


class Option(Struct):
    """An option of a table: its values, and the usual one."""

    name: str
    title: str
    default: str
    choices: list[OptionChoice]


class Phase(Struct):
    """A kind of question that may have its own number of hours."""

    topic: str
    title: str


class RulesShape(Struct):
    """A game that can be played here: for how many players, with which options."""

    rules: str
    version: str
    title: str
    players: list[int]
    options: list[Option]
    phases: list[Phase]


class RulesList(Struct):
    """The games you can open a table for."""

    rules: list[RulesShape]


class DeadlineSettings(Struct, forbid_unknown_fields=True):
    """How deadlines are set. `hours`: for every question (0: no deadlines, and nothing below counts, unless there are
    clocks). Times of day are in your own time zone.

    `phases`: other hours for some questions. `clock`: the time of day of deadlines, such as 20:00. `days`: the days
    that count, 1 is Monday (none: all). `free`: further dates that do not count. `reminder_hours`: hours before a
    deadline.
    `grace`: minutes during which a late answer counts; `linger`: minutes after the last answer during which it may be
    changed. `on_missed`: what happens after a missed deadline. `time_bank`: hours on each player's clock for the whole
    game;
    `delay_hours`: hours of each question that do not count. `excused_misses`: missed turns that are excused;
    `max_misses`: how many deadlines missed in a row put the seat on offer.
    """

    hours: Hours = 0
    phases: dict[str, Annotated[int, Meta(ge=1, le=2160)]] = {}
    clock: Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")] | None = None
    days: Annotated[list[Annotated[int, Meta(ge=1, le=7)]], Meta(max_length=7)] = []
    free: Annotated[list[date], Meta(max_length=60)] = []
    reminder_hours: Annotated[list[Annotated[int, Meta(ge=1, le=2160)]], Meta(max_length=6)] = []
    grace: Minutes = 0
    linger: Annotated[int, Meta(ge=0, le=1440)] = 0
    on_missed: Literal["default", "wait", "standing", "bot"] = "default"
    time_bank: Hours | None = None
    delay_hours: Hours = 0
    excused_misses: Annotated[int, Meta(ge=0, le=20)] = 0
    max_misses: SmallNumber = 3


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to open: you take its first seat and are its game master. Options left out have their usual values."""

    rules: Annotated[str, Meta(max_length=60)]
    title: Annotated[str, Meta(min_length=1, max_length=60)]
    players: Annotated[int, Meta(ge=1, le=12)]
    options: dict[str, str] = {}
    deadlines: DeadlineSettings | None = None


class InvitationRequest(Struct, forbid_unknown_fields=True):
    """The e-mail addresses of the people to invite to the free seats."""

    addresses: Annotated[list[Address], Meta(min_length=1, max_length=12)]


class PublishRequest(Struct, forbid_unknown_fields=True):
    """`open`: whether anyone here may take a free seat."""

    open: bool


class BotsRequest(Struct, forbid_unknown_fields=True):
    """How many free seats, and how long a bot thinks before it answers: not at all, an hour, or half a day."""

    count: Annotated[int, Meta(ge=1, le=12)] = 1
    pace: Literal["now", "hour", "half"] = "hour"


class TableLink(Struct):
    """A link to a table: whoever has it takes a free seat.  It is empty where it was revoked meanwhile."""

    outcome: Literal["done", "asked", "repeated"]
    game: str
    link: str


class AcceptRequest(Struct, forbid_unknown_fields=True):
    """Your words for the deal."""

    words: Joining = ""


class Reliability(Struct):
    """How reliable a player was: turns asked, turns on time, games begun, games finished."""

    turns: int
    on_time: int
    begun: int
    finished: int


class LobbySeat(Struct):
    """A seat before the game begins: who took it, a person or a bot; only the host sees who was invited."""

    player: str | None
    invited_email: str | None
    is_taken: bool
    reliability: Reliability | None
    is_bot: bool


class Lobby(Struct):
    """A table that has not begun. `digest`: of the seed, fixed now. `hours`: for each answer (null: no deadline).

    `open`: anyone here may take a free seat. `free_seats`: seats that are promised to nobody.
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
    seats: list[LobbySeat]
    free_seats: int
    open: bool


class OpenTable(Struct):
    """A table looking for players. `approves`: the game master is asked first; `asked`: you have asked."""

    table: Lobby
    approves: bool
    asked: bool


class OpenTables(Struct):
    """Tables looking for players, the newest first. `more`: pass it as `leave_out` to go on; 0: there are no more."""

    tables: list[OpenTable]
    more: int


class JoinRequest(Struct, forbid_unknown_fields=True):
    """A free seat at an open table, and your words for the deal."""

    game: Id
    words: Joining = ""


# --- seats that look for a player


class OpenSeat(Struct):
    """A seat to take over in a running game: whose it was, and after how many entries."""

    game: str
    rules: str
    rules_title: str
    title: str
    seat: str
    player: str
    entries: int


class OpenSeats(Struct):
    """Seats to take over, the longest open first. `more`: pass it as `leave_out` to go on; 0: there are no more."""

    seats: list[OpenSeat]
    more: int


class TakeSeatRequest(Struct, forbid_unknown_fields=True):
    """The seat you take."""

    game: Id
    seat: SeatName


class Confirmation(Struct, forbid_unknown_fields=True):
    """Confirms a call that cannot be undone."""

    sure: Literal["yes"]


# --- time


class Absence(Struct):
    """An absence of yours."""

    number: int
    starts_at: datetime
    ends_at: datetime


class Absences(Struct):
    """Your absences to come."""

    absences: list[Absence]


class AbsenceRequest(Struct, forbid_unknown_fields=True):
    """The first and the last day away, in your own time zone."""

    first: date
    last: date


class DeadlineRule(Struct):
    """How long a question waits: `hours` of the days that count, never less than `least`.

    `clock`: the time of day of deadlines, in `zone` (null: any). `grace`, `linger`: minutes.
    """

    hours: int
    least: int
    clock: str | None
    zone: str
    days: list[int]
    free: list[date]
    grace: int
    linger: int


class SeatPunctuality(Struct):
    """The player of a seat: reliability, misses in a row, whether it is on offer, `pause` or `resume` if asked for."""

    seat: str
    name: str
    reliability: Reliability
    missed: int
    is_open: bool
    pause_request: str


class DeadlineExtension(Struct):
    """Time given back: to whom, how many minutes, why, the new deadline, and when it was given."""

    name: str
    cause: str
    minutes: int
    due: datetime
    made: datetime


class GameDeadlines(Struct):
    """Everything about a table's time. `usual` null: no deadlines. `paused`: why the clock stands (empty: it runs).

    `time_bank`, `delay_minutes`: minutes on each player's clock, and those of each question that do not count (null:
    none).
    `predecessor`: the earlier player of your seat, to whom you may give it back.
    """

    game: str
    usual: DeadlineRule | None
    phases: dict[str, DeadlineRule]
    time_bank: int | None
    delay_minutes: int
    reminder_hours: list[int]
    on_missed: str
    excused_misses: int
    max_misses: int
    players: list[SeatPunctuality]
    extensions: list[DeadlineExtension]
    paused: str
    paused_since: datetime | None
    predecessor: bool


class PauseRequest(Struct, forbid_unknown_fields=True):
    """A pause, or the end of one."""

    action: Literal["pause", "resume"]


Outcome = Literal["done", "noted", "nothing", "repeated"]
OUTCOMES: tuple[Outcome, ...] = ("done", "noted", "nothing", "repeated")


class PauseResult(Struct):
    """`done`, `noted` (all the others must agree too), `nothing` (nothing to change), `repeated` (by this key)."""

    game: str
    outcome: Outcome


class MuteAllRequest(Struct, forbid_unknown_fields=True):
    """Stop the letters of all your tables, or let them go again."""

    muted: bool


# --- who else is there


class Deputy(Struct):
    """A deputy of your seat: for which days, whether they have agreed, whether they answer now."""

    number: int
    name: str
    starts_at: datetime
    ends_at: datetime
    agreed: bool
    acts: bool


class ActingDeputy(Struct):
    """Who answers for whom now, and until when."""

    player: str
    deputy: str
    ends_at: datetime


class Deputies(Struct):
    """The deputies of your own seat, and everyone who answers for a seat at the table."""

    game: str
    own: list[Deputy]
    acting: list[ActingDeputy]


class DeputyInvitation(Struct, forbid_unknown_fields=True):
    """The e-mail address of the person you ask to answer for your seat, and the absence of yours."""

    address: Address
    absence: Number


class FollowedGame(Struct):
    """A running table that you may watch."""

    game: str
    rules: str
    rules_title: str
    title: str
    entries: int


class FollowedGames(Struct):
    """The tables you watch, and those open to all spectators.

    `more`: pass it as `leave_out` for more open ones; 0: there are no more.
    """

    looking: list[FollowedGame]
    open: list[FollowedGame]
    more: int


class FollowRequest(Struct, forbid_unknown_fields=True):
    """Watch a table, or stop watching."""

    game: Id
    looks: bool


class Spectators(Struct):
    """The spectators of a table."""

    game: str
    names: list[str]


class SpectatorInvitation(Struct, forbid_unknown_fields=True):
    """The e-mail address of the person to invite as a spectator."""

    address: Address
