"""Types for the messages at a table."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from pbem.web.api.shapes import LAST_ENTRY


class Message(Struct):
    """A message: `kind` says to whom (`public`, `private`, `master`, `diary`); `name` is empty if it is unsigned."""

    number: int
    kind: str
    entry: int
    made: datetime
    seat: str
    name: str
    to: list[str]
    text: str
    is_own: bool


class Audience(Struct):
    """Whom you may write to: `all`, `master` or a seat; their name; whether you have muted them."""

    name: str
    display_name: str
    muted: bool


class Conversation(Struct):
    """The messages you may read at a table, newest first, your diary, and whom you may write to.

    `unsigned`: unsigned messages to all are allowed; `unsigned_muted`: you have muted them.
    `before`: pass it to get older messages; 0: there are none.
    """

    game: str
    messages: list[Message]
    diary: list[Message]
    audiences: list[Audience]
    unsigned: bool
    unsigned_muted: bool
    before: int


class MessageQuery(Struct, forbid_unknown_fields=True):
    """`before`: only messages older than this number."""

    before: Annotated[int, Meta(ge=0, le=LAST_ENTRY)] = 0


MessageText = Annotated[str, Meta(min_length=1, max_length=4000)]


class MessageRequest(Struct, forbid_unknown_fields=True):
    """A message and whom it is for: `all`, `master`, or one or more seats."""

    to: Annotated[list[Annotated[str, Meta(min_length=1, max_length=8)]], Meta(min_length=1, max_length=20)]
    text: MessageText
    unsigned: bool = False


class DiaryRequest(Struct, forbid_unknown_fields=True):
    """A note for your diary, which nobody reads before the game is over."""

    text: MessageText


class MuteRequest(Struct, forbid_unknown_fields=True):
    """Mute or hear the player of a seat; an empty seat stands for all unsigned messages."""

    seat: Annotated[str, Meta(pattern="^(s[1-9][0-9]?)?$", examples=["s2"])]
    muted: bool


class MessageResult(Struct):
    """The names of the people it goes to; empty: everyone, or only yourself."""

    game: str
    to: list[str]
