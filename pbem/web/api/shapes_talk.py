"""What goes in and out of talk at a table."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from pbem.web.api.shapes import LAST_ENTRY


class Heard(Struct):
    """Words: `kind` says to whom (`public`, `private`, `master`, `diary`); `name` is empty where nobody signed."""

    number: int
    kind: str
    entry: int
    made: datetime
    seat: str
    name: str
    to: list[str]
    text: str
    mine: bool


class Circle(Struct):
    """Whom you may speak to: `all`, `master`, or a seat; how they are called; whether you do not hear them."""

    name: str
    called: str
    muted: bool


class Talk(Struct):
    """What you may hear at a table, newest first, your diary, and whom you may speak to.

    `unsigned`: words without a name are allowed to all; `unsigned_muted`: you do not hear them.
    `before`: ask with it for older words; 0: there are none.
    """

    game: str
    heard: list[Heard]
    diary: list[Heard]
    circles: list[Circle]
    unsigned: bool
    unsigned_muted: bool
    before: int


class Older(Struct, forbid_unknown_fields=True):
    """`before`: only words older than this number."""

    before: Annotated[int, Meta(ge=0, le=LAST_ENTRY)] = 0


Words = Annotated[str, Meta(min_length=1, max_length=4000)]


class Saying(Struct, forbid_unknown_fields=True):
    """Words and for whom: names of circles; several seats are one circle."""

    to: Annotated[list[Annotated[str, Meta(min_length=1, max_length=8)]], Meta(min_length=1, max_length=20)]
    text: Words
    unsigned: bool = False


class Noting(Struct, forbid_unknown_fields=True):
    """Words for your diary, which nobody reads before the game is over."""

    text: Words


class Hearing(Struct, forbid_unknown_fields=True):
    """Whether you hear the player who sits there now; an empty seat stands for those who do not sign."""

    seat: Annotated[str, Meta(pattern="^(s[1-9][0-9]?)?$", examples=["s2"])]
    muted: bool


class SaidMessage(Struct):
    """Who hears it, by name; empty: everybody, or nobody but yourself."""

    game: str
    to: list[str]
