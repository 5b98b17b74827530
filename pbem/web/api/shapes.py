"""What goes in and out, as one set of types: they make the answers, read the requests and are the documentation.

Moments are RFC 3339 in UTC.  Whatever is called `title`, `said` or `why` is in the language asked for; every other
word is one of the game's own names, the same in all languages.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

MOST_LINES, LONGEST_LINE, LAST_ENTRY = 200, 200, 999_999_999

Id = Annotated[str, Meta(pattern="^[0-9a-z]{12}$", examples=["bcdfghjkmnpq"], description="A table's number.")]
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


class ProgramShape(Struct):
    """The token that you came with."""

    name: str
    scope: Literal["read", "play", "master"]
    expires: datetime
    game: str | None = None
    seat: str | None = None


class Me(Struct):
    """Who you are here. `muted`: no letters come to you."""

    name: str
    address: str
    language: str
    zone: str
    muted: bool
    program: ProgramShape


# --- tables


class Duty(Struct):
    """A question that others wait for: until when (null: no limit), and whether an answer lies here."""

    asks: str
    title: str
    due: datetime | None
    answered: bool


class Card(Struct):
    """A table in your list. `missing`: seats that nobody has taken."""

    game: str
    rules: str
    rules_title: str
    title: str
    state: str
    duties: list[Duty]
    missing: int


class Games(Struct):
    """Your tables, what you owe first; and those that you are invited to."""

    games: list[Card]
    invitations: list[Card]


class Chair(Struct):
    """A seat: what it is called in the game (empty before it begins), and its player's name (null: nobody's)."""

    seat: str
    title: str
    player: str | None


class Table(Struct):
    """A table. `seat`: yours. `awaited`: the seats that still owe an answer. `entry`, `digest`: the journal's last."""

    game: str
    rules: str
    version: str
    rules_title: str
    title: str
    state: str
    entry: int
    digest: str
    seats: list[Chair]
    seat: str | None
    awaited: list[str]
    duties: list[Duty]
    options: dict[str, str]


class Shown(Struct):
    """The table after an entry, as one viewer sees it."""

    game: str
    entry: int
    viewer: str
    view: View


# --- questions


class Choice(Struct):
    """Something that can be named: how it is written, and what it is to the game."""

    value: str
    title: str


class Slot(Struct):
    """A place to fill in. `vocabulary`: the list of what may be named; null for a number or a text."""

    name: str
    title: str
    kind: Literal["choice", "number", "text"]
    many: bool
    optional: bool
    lead: str | None
    low: int | None
    high: int | None
    vocabulary: str | None
    likely: list[str | int]


class Form(Struct):
    """A way to write a line: `usage` with its places, `example` as it could be sent."""

    keyword: str
    usage: str
    about: str
    example: str
    repeatable: bool
    slots: list[Slot]


class Question(Struct):
    """Something that may be answered.

    `kind`: `open` (others wait for you), `beside` (open, nobody waits), `ahead` (not asked yet), `rider` (answers a
    question that may come in this turn). `heading`: the line that puts the lines below it here; begin with it.
    `rule`: what the rulebook says of it, with its paragraph (empty: nothing is told).
    `single`: the answer is one line. `may_pass`: the word PASS alone is an answer. `likely`: lines that would be
    accepted alone now, best first. `default`: what is done if the deadline passes.
    """

    key: str
    kind: Literal["open", "beside", "ahead", "rider"]
    asks: str
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
    answered: bool = False


class Fact(Struct):
    """Something that IF may ask."""

    name: str
    usage: str
    about: str


class Questions(Struct):
    """All that you may write now, on the position after `entry`: send this number with your lines."""

    game: str
    entry: int
    seat: str
    questions: list[Question]
    vocabularies: dict[str, list[Choice]]
    facts: list[Fact]


class HelpRow(Struct):
    """One way to write a line."""

    usage: str
    about: str
    example: str


class HelpPart(Struct):
    """How one question is answered."""

    title: str
    about: str
    kind: Literal["open", "beside", "ahead", "rider"]
    rows: list[HelpRow]


class Help(Struct):
    """Every line that may be written now or ahead, with an example."""

    game: str
    entry: int
    parts: list[HelpPart]
    facts: list[Fact]


# --- orders


class Written(Struct, forbid_unknown_fields=True):
    """Lines as in a letter. `entry`: the journal's last entry as you know it; what was asked later is not touched."""

    entry: Entry
    lines: Annotated[list[WrittenText], Meta(max_length=MOST_LINES)]


class Known(Struct, forbid_unknown_fields=True):
    """Up to which entry you know the game."""

    entry: Entry


class Pace(Struct, forbid_unknown_fields=True):
    """`wait`: not before the deadline, though all have answered. `ready`: no need to wait for second thoughts."""

    entry: Entry
    stance: Literal["wait", "ready"]


class LineTold(Struct):
    """A line: what you wrote, what was understood, why it cannot stand (empty: it does), what would be accepted."""

    number: int
    written: str
    understood: str
    why: str
    accepted: str
    notes: list[str]


class SetTold(Struct):
    """A set of lines for one question, or your riders. `taken`: sealed. `stands`: nothing is wrong with it."""

    title: str
    taken: bool
    stands: bool
    ahead: bool
    passed: bool
    why: str
    commitment: str
    replaces: str
    lines: list[LineTold]


class CommandTold(Struct):
    """A command beside orders and what came of it: `done`, `sent`, `nothing`, `unknown`, `unsure` ..."""

    name: str
    argument: str
    outcome: str


class Skipped(Struct):
    """A line that is no order."""

    number: int
    written: str


class Receipt(Struct):
    """What became of your lines.

    `outcome`: `taken` (all of them), `partly`, `refused`, `nothing` (no orders in it), `withdrawn`, `done` (a command
    alone), `repeated` (this key acted before: its receipt is in your mail). Of a preview it is what would become of
    them, and `told` what they would bring on your own view. `settled`: nobody else is awaited, the game goes on now.
    """

    game: str
    entry: int
    outcome: Literal["taken", "partly", "refused", "nothing", "withdrawn", "done", "repeated"]
    sets: list[SetTold] = []
    commands: list[CommandTold] = []
    luck: list[str] = []
    skipped: list[Skipped] = []
    told: list[str] = []
    awaited: list[str] = []
    duties: list[Duty] = []
    settled: bool = False


# --- reading back


class ReadBackRequest(Struct):
    """A request to read your own sealed orders back. The key opens the answer, once; it is kept nowhere."""

    request: str
    key: str


class Opening(Struct, forbid_unknown_fields=True):
    """The key that came with the request."""

    key: Annotated[str, Meta(min_length=1, max_length=200)]


class Filed(Struct):
    """A set or rider that you have filed and that is not opened yet."""

    title: str
    asks: str
    turn: int | None
    ahead: bool
    rider: bool
    lines: list[str]
    filed: datetime | None
    commitment: str


class FiledOrders(Struct):
    """`waiting`: ask again in a moment. `open`: these are your orders; the answer is destroyed now."""

    state: Literal["waiting", "open"]
    filed: list[Filed] = []


# --- what was told


class ReportCard(Struct):
    """A report that was sent to you: it tells what followed `since`, up to `entry`."""

    entry: int
    since: int


class Reports(Struct):
    """Your reports, newest first, and what was told since the last one began."""

    game: str
    entry: int
    reports: list[ReportCard]
    told: list[str]


class Report(Struct):
    """A report: its sentences, and your view after it."""

    game: str
    entry: int
    told: list[str]
    view: View


class EntryStory(Struct):
    """What everybody was told in one entry."""

    entry: int
    made: datetime
    told: list[str]


class Feed(Struct):
    """The last entries of a table as everybody may know them, newest first."""

    game: str
    entry: int
    entries: list[EntryStory]


class Term(Struct):
    """A deadline of yours."""

    game: str
    table: str
    asks: str
    title: str
    due: datetime
    since: datetime
    answered: bool


class Deadlines(Struct):
    """All your deadlines, the nearest first."""

    deadlines: list[Term]


# --- acting


class Done(Struct):
    """What came of an act. `game`: the table that it was about, if one is.

    `asked`: the table's master is asked, and decides. `repeated`: this key acted before, and nothing was done now.
    """

    outcome: Literal["done", "asked", "repeated"]
    game: str | None = None


# --- pictures


class Drawing(Struct, forbid_unknown_fields=True):
    """`entry`: how it stood then (0: now). `crop`: a part, by the game's own name. `theme`: on which paper."""

    entry: Entry = 0
    crop: Annotated[str, Meta(max_length=40)] = ""
    theme: Literal["auto", "light", "dark"] = "auto"


class Paper(Struct, forbid_unknown_fields=True):
    """`crop`: a part, by the game's own name. `theme`: on which paper it is drawn."""

    crop: Annotated[str, Meta(max_length=40)] = ""
    theme: Literal["auto", "light", "dark"] = "auto"


class Charted(Struct, forbid_unknown_fields=True):
    """`figure`: which one, by its name among the figures (empty: the first). `theme`: on which paper."""

    figure: Annotated[str, Meta(max_length=40)] = ""
    theme: Literal["auto", "light", "dark"] = "auto"


# --- asking


class Which(Struct, forbid_unknown_fields=True):
    """`ahead`: also what may be answered before it is asked."""

    ahead: bool = True


# --- troubles


class Problem(Struct):
    """RFC 9457: what cannot be done, why, and what would be accepted instead."""

    type: str
    title: str
    status: int
    detail: str
    instead: str
