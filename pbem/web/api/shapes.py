"""The types of requests and answers: they make the answers, read the requests and are the documentation.

Moments are RFC 3339 in UTC.  Fields called `title`, `said` or `why` are in the language asked for; every other word is
a name of the game's own, the same in all languages.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from pbem.common.cpu_budget import MOST_LINES

LONGEST_LINE, LAST_ENTRY = 200, 999_999_999

Id = Annotated[str, Meta(pattern="^[0-9a-z]{12}$", examples=["bcdfghjkmnpq"], description="A table's number.")]
Number = Annotated[int, Meta(ge=0, le=LAST_ENTRY, description="The number that a list gives.")]
Entry = Annotated[int, Meta(ge=0, le=LAST_ENTRY, description="A place in the game's journal, counted from 1.")]
Viewer = Annotated[
    str, Meta(pattern="^(public|s[1-9][0-9]?)$", examples=["public"], description="Whose eyes: `public`, or a seat.")
]
RequestNumber = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", description="A request's number.")]
WrittenText = Annotated[str, Meta(max_length=LONGEST_LINE)]
View = Annotated[
    dict[str, Any], Meta(description="Names of the game's catalogue and numbers; what is in it is the game's own.")
]


# --- who asks


class TokenInfo(Struct):
    """The token of this call."""

    name: str
    scope: Literal["read", "play", "master"]
    expires: datetime
    game: str | None = None
    seat: str | None = None


class Me(Struct):
    """Who you are here. `muted`: you get no letters."""

    name: str
    address: str
    language: str
    zone: str
    muted: bool
    program: TokenInfo


# --- tables


class DueQuestion(Struct):
    """A question that waits for you: its deadline (null: none), and whether your answer is on file."""

    topic: str
    title: str
    due: datetime | None
    is_answered: bool


class GameCard(Struct):
    """A table in your list. `missing_seats`: the number of free seats."""

    game: str
    rules: str
    rules_title: str
    title: str
    state: str
    questions: list[DueQuestion]
    missing_seats: int


class Games(Struct):
    """Your tables, those with orders due first; and the tables you are invited to."""

    games: list[GameCard]
    invitations: list[GameCard]


class SeatInfo(Struct):
    """A seat: its name in the game (empty before it begins), and its player's name (null: a free seat)."""

    seat: str
    title: str
    player: str | None


class BeaconRound(Struct):
    """The answers of a phase are fixed: its draws wait for this round of the public beacon, signed at this moment."""

    round: int
    due: datetime


class TableDetails(Struct):
    """A table. `seat`: yours. `awaited`: the seats with orders due. `entry`, `digest`: of the journal's last entry.

    `waits`: for a round of the public beacon (null: for none).
    """

    game: str
    rules: str
    version: str
    rules_title: str
    title: str
    state: str
    entry: int
    digest: str
    seats: list[SeatInfo]
    seat: str | None
    awaited: list[str]
    questions: list[DueQuestion]
    options: dict[str, str]
    waits: BeaconRound | None


class BoardView(Struct):
    """The table after an entry, as one viewer sees it."""

    game: str
    entry: int
    viewer: str
    view: View


# --- questions


class Choice(Struct):
    """Something that an order can name: `title` as it is written, `value` as the game calls it."""

    value: str
    title: str


class Slot(Struct):
    """A part of a line to fill in. `vocabulary`: the list of names to choose from; null for a number or a text.

    `amounts`: so many of each of them, as `2 wood, 1 wine`; `low` and `high` bound the sum.
    """

    name: str
    title: str
    kind: Literal["choice", "number", "text"]
    many: bool
    optional: bool
    lead: str | None
    low: int | None
    high: int | None
    vocabulary: str | None
    suggested: list[str | int]
    amounts: bool = False


class Form(Struct):
    """A way to write a line: `usage` with the parts to fill in, `example` as you could send it (or empty)."""

    keyword: str
    usage: str
    about: str
    example: str
    repeatable: bool
    slots: list[Slot]


class Question(Struct):
    """A question that you may answer.

    `kind`: `open` (the game waits for you), `optional` (open, but nobody waits), `advance` (not asked yet), `reaction`
    (an answer ahead to a question that may come up this turn). `heading`: the line to write above its lines.
    `rule`: what the rulebook says about it, with its paragraph (empty: nothing).
    `single`: the answer is one line. `may_pass`: the word PASS alone is an answer. `likely`: lines that would each be
    accepted now, best first. `default`: what happens if the deadline passes.
    """

    key: str
    kind: Literal["open", "optional", "advance", "reaction"]
    topic: str
    title: str
    about: str
    heading: str
    single: bool
    may_pass: bool
    likely: list[str]
    forms: list[Form]
    said: str = ""
    default: str = ""
    rule: str = ""
    due: datetime | None = None
    is_answered: bool = False


class Fact(Struct):
    """A fact that IF understands."""

    name: str
    usage: str
    about: str


class Questions(Struct):
    """Everything you may write now, on the position after `entry`: send this number with your lines."""

    game: str
    entry: int
    seat: str
    questions: list[Question]
    vocabularies: dict[str, list[Choice]]
    facts: list[Fact]


class HelpRow(Struct):
    """One way to write a line; `example` is empty where none is known that makes sense now."""

    usage: str
    about: str
    example: str


class HelpPart(Struct):
    """The ways to answer one question."""

    title: str
    about: str
    kind: Literal["open", "optional", "advance", "reaction"]
    rows: list[HelpRow]


class Help(Struct):
    """Every line that you may write now or ahead, with examples."""

    game: str
    entry: int
    parts: list[HelpPart]
    facts: list[Fact]


# --- orders


class OrdersRequest(Struct, forbid_unknown_fields=True):
    """Lines as in a letter. `entry`: the last entry you know; later questions are not answered."""

    entry: Entry
    lines: Annotated[list[WrittenText], Meta(max_length=MOST_LINES)]


class EntryRequest(Struct, forbid_unknown_fields=True):
    """The last entry you know."""

    entry: Entry


class PaceRequest(Struct, forbid_unknown_fields=True):
    """`wait`: keep the question open until its deadline. `ready`: the game need not wait for you."""

    entry: Entry
    pace: Literal["wait", "ready"]


class LineResult(Struct):
    """A line: as you wrote it, as understood, why it is refused (empty: accepted), and what to try instead."""

    number: int
    written: str
    understood: str
    reason: str
    accepted: str
    notes: list[str]


class SetResult(Struct):
    """The lines for one question, or your answers ahead. `taken`: sealed. `is_valid`: no line is refused."""

    title: str
    taken: bool
    is_valid: bool
    is_advance: bool
    passed: bool
    reason: str
    commitment: str
    replaces: str
    lines: list[LineResult]


class CommandResult(Struct):
    """A command among your lines, and its outcome: `done`, `sent`, `nothing`, `unknown`, `unsure` ..."""

    name: str
    argument: str
    outcome: str


class Skipped(Struct):
    """A line that was not read as an order."""

    number: int
    written: str


class Receipt(Struct):
    """What became of your lines.

    `outcome`: `taken` (all of them), `partly`, `refused`, `nothing` (no orders), `withdrawn`, `done` (a command alone),
    `repeated` (this key was used before: its receipt is in your mail). For a preview it is what would happen, and
    `told` the story on your own view. `settled`: everyone has answered, and the game goes on now.
    """

    game: str
    entry: int
    outcome: Literal["taken", "partly", "refused", "nothing", "withdrawn", "done", "repeated"]
    sets: list[SetResult] = []
    commands: list[CommandResult] = []
    luck: list[str] = []
    skipped: list[Skipped] = []
    sentences: list[str] = []
    awaited: list[str] = []
    questions: list[DueQuestion] = []
    settled: bool = False


# --- reading back


class OwnOrdersRequest(Struct):
    """A request to read your own sealed orders back. The key opens the answer, once; the server does not keep it."""

    request: str
    key: str


class OwnOrdersQuery(Struct, forbid_unknown_fields=True):
    """The key that came with the request."""

    key: Annotated[str, Meta(min_length=1, max_length=200)]


class StoredOrders(Struct):
    """Orders of yours on file, for one question or ahead, that are not opened yet."""

    title: str
    topic: str
    turn: int | None
    is_advance: bool
    is_reaction: bool
    lines: list[str]
    filed: datetime | None
    commitment: str


class OwnOrders(Struct):
    """`waiting`: ask again in a moment. `open`: these are your orders; the answer is destroyed now."""

    state: Literal["waiting", "open"]
    filed: list[StoredOrders] = []


# --- what was told


class ReportCard(Struct):
    """A report that was sent to you: it covers the entries after `from_entry`, up to `entry`."""

    entry: int
    from_entry: int


class Reports(Struct):
    """Your reports, newest first, and what was told since the last one began."""

    game: str
    entry: int
    reports: list[ReportCard]
    sentences: list[str]


class Report(Struct):
    """A report: its sentences, and your view after it."""

    game: str
    entry: int
    sentences: list[str]
    view: View


class EntryStory(Struct):
    """What everyone was told in one entry."""

    entry: int
    made: datetime
    sentences: list[str]


class Feed(Struct):
    """The last entries of a table as everyone was told them, newest first."""

    game: str
    entry: int
    entries: list[EntryStory]


class Deadline(Struct):
    """A deadline of yours."""

    game: str
    table: str
    topic: str
    title: str
    due: datetime
    opened_at: datetime
    is_answered: bool


class Deadlines(Struct):
    """All your deadlines, the nearest first."""

    deadlines: list[Deadline]


# --- acting


class ActionResult(Struct):
    """The outcome of a call. `game`: its table, if it has one.

    `asked`: the game master is asked, and decides. `repeated`: this key was used before, and nothing was done now.
    """

    outcome: Literal["done", "asked", "repeated"]
    game: str | None = None


# --- pictures


class BoardQuery(Struct, forbid_unknown_fields=True):
    """`entry`: the entry to show (0: now). `crop`: a part, by the game's own name. `theme`: colours of the paper."""

    entry: Entry = 0
    crop: Annotated[str, Meta(max_length=40)] = ""
    theme: Literal["auto", "light", "dark"] = "auto"


class ArchivedBoardQuery(Struct, forbid_unknown_fields=True):
    """`crop`: a part, by the game's own name. `theme`: the colours of the paper."""

    crop: Annotated[str, Meta(max_length=40)] = ""
    theme: Literal["auto", "light", "dark"] = "auto"


class ChartQuery(Struct, forbid_unknown_fields=True):
    """`figure`: its name among the figures (empty: the first). `theme`: the colours of the paper."""

    figure: Annotated[str, Meta(max_length=40)] = ""
    theme: Literal["auto", "light", "dark"] = "auto"


# --- asking


class QuestionQuery(Struct, forbid_unknown_fields=True):
    """`advance`: also questions that you may answer before they are asked."""

    advance: bool = True


# --- troubles


class Problem(Struct):
    """RFC 9457: what went wrong, why, and what would be accepted instead."""

    type: str
    title: str
    status: int
    detail: str
    instead: str
