"""What the services know of other ways than mail: what is to be told there, and what the other side answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from engine.kernel.events import Event
from engine.kernel.position import Position
from pbem.narration.facts import EmailContext

FORMS: Final = ("discord", "slack", "plain")
"""How a webhook wants to be written to."""

STORIES: Final = ("hello", "started", "phase", "over")
"""Messages that show how a table stands, and are changed while that lasts; the others are said once."""


@dataclass(frozen=True)
class PendingSeat:
    """A seat that owes an answer; `discord_id`: its player's account at Discord, if they have linked one."""

    seat: str
    topic: str
    discord_id: str = ""


@dataclass(frozen=True)
class WebhookMessageFacts:
    """What one message says: only what everybody may know.

    `frame`: read by nobody in particular, in the channel's language. `view` and `events`: of the public; None before
    the game begins. `questions`: who owes an answer now; `subject`: how many are asked. `due`: until when (seconds).
    `closed`: all of it is past. `terms`: what a kind needs beside: moments in seconds, names of players.
    """

    key: str
    kind: str
    frame: EmailContext
    view: Position[Any] | None = None
    events: tuple[Event, ...] = ()
    questions: tuple[PendingSeat, ...] = ()
    subject: int = 0
    topic: tuple[str, ...] = ()
    turn: int = 0
    due: int | None = None
    paused: bool = False
    closed: bool = False
    terms: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class WebhookResponse:
    """What the other side made of a message.

    `outcome`: `done`; `later` (it took nothing: try again after `wait_ms` at least); `unsure` (it may have taken it);
    `gone` (there is no such webhook), `barred` (it does not let us in any more), `lost` (the message to be changed is
    not there any more), `wrong` (it will never take this).  `global_limit`: the wait is for everything on that host.
    `bucket`, `remaining`, `reset_ms`: what it said of its limits.  `reason`: short, and never with an address in it.
    """

    outcome: str
    reason: str = ""
    message: str = ""
    place: str = ""
    wait_ms: int = 0
    global_limit: bool = False
    bucket: str = ""
    remaining: int | None = None
    reset_ms: int = 0


class WebhookPort(Protocol):
    """How messages go to webhooks; the application gives the one that knows their forms."""

    def refusal_of(self, form: str, address: str) -> str:
        """Why an address cannot stand, in a word: `malformed`, `https`, `port`, `inside`, `discord`; or empty."""
        ...

    def redact(self, address: str) -> str:
        """An address without what is secret in it."""
        ...

    def host(self, address: str) -> str:
        """Whose limits count for it."""
        ...

    def build_payload(self, form: str, facts: WebhookMessageFacts) -> bytes:
        """A message as it goes out; the same facts give the same bytes."""
        ...

    def send(self, form: str, address: str, payload: bytes, message: str = "") -> WebhookResponse:
        """Send it once; `message`: the one to be changed.  Raises nothing."""
        ...
