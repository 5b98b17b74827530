"""Types for game masters: lines as on their page, and the outcome of each."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pbem.web.api.shapes import WrittenText

Word = Annotated[str, Meta(max_length=40, examples=["3HWK5N"])]


class MasterForm(Struct):
    """How an act is written. `dangerous`: it asks twice. `body`: more lines follow, up to END."""

    usage: str
    about: str
    dangerous: bool
    body: bool


class AuditEntry(Struct):
    """One act as everyone at the table may read it: who, where from, the line, the outcome, and why."""

    number: int
    made: datetime
    entry: int
    name: str
    channel: str
    line: str
    outcome: str
    reason: str


class MasterPage(Struct):
    """The game masters' page. `status`: how the table stands, for a master. `audit`: every act, the newest first.

    `before`: pass it to get older acts; 0: there are none.
    """

    game: str
    entry: int
    masters: list[str]
    yours: bool
    status: list[str]
    forms: list[MasterForm]
    audit: list[AuditEntry]
    before: int


class MasterRequest(Struct, forbid_unknown_fields=True):
    """Lines as on the page and in letters. `word`: the word given for an act that asks twice."""

    lines: Annotated[list[WrittenText], Meta(min_length=1, max_length=200)]
    word: Word = ""


class MasterPreviewRequest(Struct, forbid_unknown_fields=True):
    """Lines to try."""

    lines: Annotated[list[WrittenText], Meta(min_length=1, max_length=200)]


class CommandResult(Struct):
    """One line: as you wrote it, in its full form, its outcome, and sentences about it.

    `outcome`: `done`, `preview`, `refused`, `confirm` (send CONFIRM and `word`), `agree` (someone else must).
    """

    number: int
    written: str
    line: str
    outcome: str
    messages: list[str]
    word: str


class MasterResult(Struct):
    """The outcome of your lines, in your own language. `until`: how long a word is valid, in your time zone.

    `forms`: the answer to HELP: how acts are written, then the lines of CORRECT, each with an example.

    `outcome`: `read`, or `repeated`: this key was used before, and nothing was done now.
    """

    game: str
    outcome: Literal["read", "repeated"]
    acts: list[CommandResult] = []
    said: list[str] = []
    skipped: list[str] = []
    forms: list[str] = []
    until: str = ""
