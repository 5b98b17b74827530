"""Types for the past: finished games, entries of a running game, and figures."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from pbem.web.api.shapes import LAST_ENTRY, Entry, View
from pbem.web.api.shapes_talk import Message

Before = Annotated[int, Meta(ge=0, le=LAST_ENTRY)]


class RecordCard(Struct):
    """A finished game that you may look at. `entries_found`: the entries where the words of your search were found."""

    game: str
    rules: str
    rules_title: str
    title: str
    players: list[str]
    entries: int
    ended: datetime | None
    elsewhere: bool
    entries_found: list[int]


class Records(Struct):
    """Finished games, the newest first. `more`: pass it as `leave_out` to go on; 0: there are no more."""

    records: list[RecordCard]
    more: int


class Record(Struct):
    """One entry of a game as one viewer saw it then."""

    game: str
    entry: int
    viewer: str
    viewers: list[str]
    earlier: int | None
    later: int | None
    sentences: list[str]
    view: View


class RecordTalk(Struct):
    """All messages and diaries of a finished game, in order. `more`: pass it as `leave_out` to go on; 0: no more."""

    game: str
    messages: list[Message]
    more: int


class ArchiveQuery(Struct, forbid_unknown_fields=True):
    """`q`: words to find in the names of game, table and players, or in the report of one entry.

    `leave_out`: how many of the first results to leave out.
    """

    q: Annotated[str, Meta(max_length=100)] = ""
    leave_out: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class PageQuery(Struct, forbid_unknown_fields=True):
    """`leave_out`: how many of the first to leave out."""

    leave_out: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class HistoryQuery(Struct, forbid_unknown_fields=True):
    """`before`: only rows older than this number (0: from the newest on)."""

    before: Before = 0


class History(Struct):
    """The entries after which your seat was shown something, the newest first.

    `before`: pass it to get older ones; 0: there are none.
    """

    game: str
    entry: Entry
    entries: list[int]
    before: int


# --- figures


class Count(Struct):
    """A figure of one seat: a number for each turn (null: none, or not public)."""

    seat: str
    title: str
    numbers: list[int | None]


class Figure(Struct):
    """One public figure: its name, its title, and a row for each seat."""

    name: str
    title: str
    seats: list[Count]


class Series(Struct):
    """The public figures of a game, turn by turn; none for a game that counts nothing."""

    game: str
    entry: int
    turns: list[int]
    figures: list[Figure]


class Standings(Struct):
    """A row of one game: games, wins, average rank and score (in tenths); turns on time in all games, in per cent."""

    title: str
    rules: str
    games: int
    firsts: int
    place: int
    points: int
    on_time: int | None


class PowerStandings(Struct):
    """The same for a power, with its game."""

    title: str
    rules: str
    games: int
    firsts: int
    place: int
    points: int


class Figures(Struct):
    """Players, in the finished games that you may look at; powers, in all games that ended here."""

    players: list[Standings]
    powers: list[PowerStandings]
