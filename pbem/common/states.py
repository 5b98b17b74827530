"""The states of what is stored, each kind in one place; their values are what the database holds."""

from enum import StrEnum
from typing import Final


class GameState(StrEnum):
    """Where a table stands.

    `new`: its keys are still to be made. `starting`: everybody is there, and the first entry is being made.
    `moved`: handed over to another server. `archived`: brought here to be looked at. `held`: what is shown of a table
    whose rules are not here in its version; it is never stored.
    """

    NEW = "new"
    FORMING = "forming"
    STARTING = "starting"
    RUNNING = "running"
    OVER = "over"
    MOVED = "moved"
    ARCHIVED = "archived"
    HELD = "held"


GATHERING: Final = (GameState.NEW, GameState.FORMING)
"""Tables that players can still be invited to."""
WAITING: Final = (*GATHERING, GameState.STARTING)
"""Tables whose game has not begun."""
LIVE: Final = (*WAITING, GameState.RUNNING)
"""Tables that something may still happen at."""
BEGUN: Final = (GameState.RUNNING, GameState.OVER)
"""Tables whose game was played here, at least in part."""
OPENED: Final = (GameState.OVER, GameState.ARCHIVED)
"""Games that are over, and whose record lies open."""


class AnswerState(StrEnum):
    """Where the answer to an open question stands.

    `none`: nothing was written. `draft`: something was written and nothing of it counts. `submitted`: a set counts.
    `empty`: the confirmed empty set counts, which is an answer like any other. `late`: a set counts that came after the
    deadline, in its grace. `excused`: the deadline passed, and the question waits once more. `standing`: the question
    is closed by what stood on file for such a case. `defaulted`: it is closed by the default, or by a bot.
    """

    NONE = "none"
    DRAFT = "draft"
    SUBMITTED = "submitted"
    EMPTY = "empty"
    LATE = "late"
    EXCUSED = "excused"
    STANDING = "standing"
    DEFAULTED = "defaulted"


class LetterInState(StrEnum):
    """Where a letter that came in stands; `shunted`: put aside for the operator."""

    STORED = "stored"
    DONE = "done"
    SHUNTED = "shunted"


class LetterOutState(StrEnum):
    """Where a letter to be sent stands.

    `waits`: a resolver must complete it. `draft`: facts only. `wire`: rendered. `muted`: it is not wanted any more.
    """

    WAITS = "waits"
    DRAFT = "draft"
    WIRE = "wire"
    SENT = "sent"
    FAILED = "failed"
    MUTED = "muted"


READY: Final = (LetterOutState.DRAFT, LetterOutState.WIRE)
"""Letters that a mailer can send."""
UNSENT: Final = (*READY, LetterOutState.WAITS)
"""Letters that are still to go out."""


class CommandState(StrEnum):
    """Where something stands that only a resolver can do."""

    ASKED = "asked"
    DONE = "done"


class PictureState(StrEnum):
    """Where a picture for a letter stands."""

    WANTED = "wanted"
    MADE = "made"
    FAILED = "failed"


class ChannelState(StrEnum):
    """Return True if a channel is written to.

    `stopped`: its owner switched it off. `gone`: there is no such webhook (404). `refused`: it does not let us in (401,
    403).
    """

    ON = "on"
    STOPPED = "stopped"
    GONE = "gone"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


class BulletinState(StrEnum):
    """Where a message to a channel stands.

    `trying`: it may have gone out. `edit`: it went out and is to be changed. `dropped`: nothing had to be said.
    """

    WANTED = "wanted"
    TRYING = "trying"
    EDIT = "edit"
    DONE = "done"
    FAILED = "failed"
    DROPPED = "dropped"
