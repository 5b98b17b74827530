"""What goes in and out at the desk of a table's masters: lines as on the page, and what came of each."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pbem.web.api.shapes import WrittenText

Word = Annotated[str, Meta(max_length=40, examples=["3HWK5N"])]


class MasterForm(Struct):
    """How an act is written. `dangerous`: it asks twice. `body`: further lines belong to it, up to END."""

    usage: str
    about: str
    dangerous: bool
    body: bool


class AuditEntry(Struct):
    """One act as everybody at the table may read it: who, by which door, the line, what came of it, and why."""

    number: int
    made: datetime
    entry: int
    name: str
    door: str
    line: str
    outcome: str
    reason: str


class MasterDesk(Struct):
    """The desk of a table's masters. `status`: how it stands, for a master. `audit`: every act, the newest first.

    `before`: ask with it for older acts; 0: there are none.
    """

    game: str
    entry: int
    masters: list[str]
    yours: bool
    status: list[str]
    forms: list[MasterForm]
    audit: list[AuditEntry]
    before: int


class MasterLines(Struct, forbid_unknown_fields=True):
    """Lines as on the page and in letters. `word`: the one that was given for what asks twice."""

    lines: Annotated[list[WrittenText], Meta(min_length=1, max_length=200)]
    word: Word = ""


class MasterTry(Struct, forbid_unknown_fields=True):
    """Lines to try."""

    lines: Annotated[list[WrittenText], Meta(min_length=1, max_length=200)]


class ActTold(Struct):
    """One line: what you wrote, how we write it, what came of it, sentences about it.

    `outcome`: `done`, `preview`, `refused`, `confirm` (send it again with `word`), `agree` (another person must).
    """

    number: int
    written: str
    line: str
    outcome: str
    said: list[str]
    word: str


class MasterAnswer(Struct):
    """What came of your lines, in your own language. `until`: how long a word holds, as you read moments.

    `outcome`: `read`, or `repeated`: this key acted before, and nothing was done now.
    """

    game: str
    outcome: Literal["read", "repeated"]
    acts: list[ActTold] = []
    said: list[str] = []
    skipped: list[str] = []
    forms: list[str] = []
    until: str = ""
