"""What a game master can do: each action with its forms, what it would do, what it does, and who must agree.

An action that stands in the tuple of its module is there at all doors (pages, letters, command line), in the list of
forms, in the help, and in the tests that go through all of them.

    class Rename(Order):
        \"\"\"The table gets another name.\"\"\"

        name: str

    FORM = act("rename", Rename, text_slot("name", WORDS("slots.name")))    # its words: pbem/service/words

    def would(context: ActContext, order: Rename) -> Outcome:      # changes nothing; raises Refused
        return Outcome((Said("rename", {"before": context.game.title, "name": order.name}),))

    def do(context: ActContext, order: Rename) -> Outcome:         # in the transaction that has locked the game
        context.game.title = order.name[:60]
        return Outcome((Said("renamed", {"name": order.name}),))

    ACTIONS = (Action("rename", lambda context: (FORM,), would, do, dangerous=True),)

The modules stand in the tuple of `commands`.

What a `Said` says is a macro in `mail_templates/letters/{en,fr}/master.said.j2` with the name of its code, which gets
its terms as `t`; `Refused(code, **terms)` is worded by the macro `no_<code>`.  Facts of the game go into `events`,
told as the public is told them.  What only a play worker can do is written as a `Command` (kind, and a request that
it understands; see `run.game_visit`) with `context.game.play_wanted` set: `act` wakes it after the commit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.forms import Form
from engine.kernel.position import Position
from engine.kernel.viewers import PUBLIC
from pbem.common.states import GameState
from pbem.narration.facts import Message
from pbem.service.access.authority import Authority
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.store.models import Game, User

WEB: Final = "web"
MAIL: Final = "mail"
OPERATOR: Final = "operator"
PROGRAM: Final = "program"
CHANNELS: Final = (WEB, MAIL, OPERATOR, PROGRAM)


@dataclass(frozen=True)
class CommandContext:
    """One act on its way: the locked game, who acts, by which door, and the lines that belong to the act.

    `body`: the lines after the act's own up to END, for an action that takes them. `agreed`: who agreed, where
    another person had to. `dedup_key`: of this very act, for the keys of letters that it brings about. `commands`: all
    that can be asked for, by which a line is read. `preview`: what the action's `ahead` found; it raises what that
    raised.
    """

    services: Services
    session: Session
    game: Game
    user: User
    door: str
    body: tuple[str, ...] = ()
    agreed: User | None = None
    dedup_key: str = ""
    commands: Sequence["CommandSpec"] = ()
    preview: Callable[[], Any] = lambda: None

    @property
    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        return self.services.now()


@dataclass(frozen=True)
class CommandResult:
    """What an act would do, or did: sentences, and facts of the game as everybody may know them.

    `announce`: the sentences for all players, where they are told by one letter now (empty: with the next report).
    `except_seats`: a seat that is told by another letter.  `notified`: the act itself has written to all.  `reason`:
    why, in the master's own words.
    """

    said: tuple[Message, ...] = ()
    events: tuple[Event, ...] = ()
    announce: tuple[Message, ...] = ()
    except_seats: str = ""
    notified: bool = False
    reason: str = ""


PreviewFunction = Callable[[CommandContext, Any], CommandResult]


@dataclass(frozen=True)
class CommandSpec:
    """One thing that a master can ask for.

    `forms`: how it is written at this table now. `would` says what it would do and changes nothing, `do` does it; both
    raise Refused. `dangerous`: the first asking is answered with `would` and a word, and only a second one with that
    word acts. `needs_second`: at a table with the two-person rule another master must agree. `needs_consent`: a master
    who holds a seat needs the consent of another player or master. `body`: further lines belong to it, up to END,
    unless it has a `text` of its own. `ahead`: the part of its work that takes long, which is done before the
    transaction: it changes nothing, and rests on nothing but the entry at which the game stands.
    `who`: `master`, or `seat` (a player may ask for it too). `states`: of the game, in which it can be.
    `is_read_only`: it changes nothing, and players need not hear of it. `needs_person`: no program may ask for it.
    """

    name: str
    forms: Callable[[CommandContext], Sequence[Form]]
    would: PreviewFunction
    do: PreviewFunction
    dangerous: bool = False
    needs_second: bool = False
    needs_consent: bool = False
    body: bool = False
    ahead: Callable[[CommandContext, Any], Any] | None = None
    who: str = "master"
    states: frozenset[GameState] = frozenset({GameState.RUNNING})
    is_read_only: bool = False
    needs_person: bool = False

    def is_for(self, standing: "Authority") -> bool:
        """Return True if a person with this authority may ask for it."""
        return standing.master or (self.who == "seat" and standing.seat is not None)


@dataclass(frozen=True)
class ParsedCommand:
    """A line that was understood: the action, its order, its line as we write it, and the lines that belong to it."""

    number: int
    written: str
    action: CommandSpec
    order: Any
    line: str
    body: tuple[str, ...] = ()
    digest: str = field(default="", compare=False)


def public_view(context: CommandContext) -> Position[Any] | None:
    """The position as everybody sees it; None before the game."""
    if context.game.entry == 0:
        return None
    return seat_views.last_view(context.services, context.session, context.game, PUBLIC)
