"""The states of what is stored, each kind in one place; their values are what the database holds."""

from enum import StrEnum
from typing import Final, Literal

SignUp = Literal["open", "invitation", "closed"]
"""Who may have an account: anybody, people who were invited to a table, or nobody new.

Only an `open` server has practice games for guests; on a `closed` one only operators open tables.
"""


class GameState(StrEnum):
    """The state of a game.

    `created`: its keys are not made yet. `open`: seats are free. `dealing`: every seat is taken, and the first entry
    is being made. `transferred`: exported to another server. `archived`: imported to be read. `held`: shown for a game
    whose rules are not installed in its version; never stored.
    """

    CREATED = "created"
    OPEN = "open"
    DEALING = "dealing"
    RUNNING = "running"
    OVER = "over"
    TRANSFERRED = "transferred"
    ARCHIVED = "archived"
    HELD = "held"


GATHERING: Final = (GameState.CREATED, GameState.OPEN)
"""Tables that players can still be invited to."""
WAITING: Final = (*GATHERING, GameState.DEALING)
"""Tables whose game has not begun."""
LIVE: Final = (*WAITING, GameState.RUNNING)
"""Tables that something may still happen at."""
BEGUN: Final = (GameState.RUNNING, GameState.OVER)
"""Tables whose game was played here, at least in part."""
OPENED: Final = (GameState.OVER, GameState.ARCHIVED)
"""Games that are over, and whose record lies open."""


class AnswerState(StrEnum):
    """The state of the answer to an open question.

    `unanswered`: nothing was written. `invalid`: orders were written and none of them counts. `submitted`: orders
    count. `passed`: the player confirmed that there are no orders. `late`: orders count that came in the grace after
    the deadline. `excused`: the deadline passed, and the question waits once more. `standing_orders`: the player's
    standing orders answered. `defaulted`: the default answered, or a bot.
    """

    UNANSWERED = "unanswered"
    INVALID = "invalid"
    SUBMITTED = "submitted"
    PASSED = "passed"
    LATE = "late"
    EXCUSED = "excused"
    STANDING_ORDERS = "standing_orders"
    DEFAULTED = "defaulted"


class InboundState(StrEnum):
    """The state of an inbound email; `quarantined`: kept for the operator."""

    RECEIVED = "received"
    PROCESSED = "processed"
    QUARANTINED = "quarantined"


class OutboundState(StrEnum):
    """The state of an outbound email.

    `held`: a resolver must complete it. `queued`: facts only. `rendered`: bytes to send. `sent`: the relay has taken
    it. `delayed`: a mail server has not delivered it yet. `given_up`: a mail server, or this one, tries no more.
    `refused`: the relay does not take it for this recipient. `suppressed`: its recipient does not want it any more.
    """

    HELD = "held"
    QUEUED = "queued"
    RENDERED = "rendered"
    SENT = "sent"
    DELAYED = "delayed"
    GIVEN_UP = "given_up"
    REFUSED = "refused"
    SUPPRESSED = "suppressed"


READY: Final = (OutboundState.QUEUED, OutboundState.RENDERED)
"""Letters that a mailer can send."""
UNSENT: Final = (*READY, OutboundState.HELD)
"""Letters that are still to go out."""
UNDELIVERED: Final = (OutboundState.GIVEN_UP, OutboundState.REFUSED)
"""Letters that never arrived."""


class RequestState(StrEnum):
    """The state of a request that only a resolver can execute."""

    PENDING = "pending"
    DONE = "done"


class ImageState(StrEnum):
    """The state of a board image for an email."""

    PENDING = "pending"
    RENDERED = "rendered"
    FAILED = "failed"


class WebhookState(StrEnum):
    """The state of a webhook; messages are sent to it while it is `on`.

    `stopped`: its owner switched it off. `gone`: there is no such webhook (404). `refused`: it does not let us in (401,
    403).
    """

    ON = "on"
    STOPPED = "stopped"
    GONE = "gone"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


class WebhookMessageState(StrEnum):
    """The state of a message to a webhook.

    `sending`: it may have gone out. `editing`: it went out and is to be changed. `skipped`: there was nothing to send.
    """

    QUEUED = "queued"
    SENDING = "sending"
    EDITING = "editing"
    SENT = "sent"
    FAILED = "failed"
    SKIPPED = "skipped"
