"""Commands of game masters: what one is, how its lines are read, and what it works on.

A command is an order with a name, slots and one method, `decide`, that serves its preview and its execution.  A command
in the tuple `COMMANDS` of its module can be given by page, email, API and command line, and appears in help and forms.

    class RenameGame(Command):
        \"\"\"Rename the game.\"\"\"

        name = "rename"
        slots = (text_slot("title", WORDS("slots.name")),)    # its words: pbem/service/words
        dangerous = True
        title: str

        def decide(self, context: CommandContext) -> Decision:    # raises RequestRefused
            before = context.game.title

            def rename() -> CommandResult:    # in the transaction that has locked the game
                context.game.title = self.title[:60]
                return CommandResult((Message("renamed", {"name": self.title}),))

            return Decision((Message("rename", {"before": before, "name": self.title}),), rename)

A `Message` is rendered by the macro of its code in `mail_templates/letters/{en,fr}/master.said.j2`, with its terms as
`t`; `RequestRefused(code, **terms)` by the macro `no_<code>`.  Events of the game go into `events` and are narrated as
the public sees them.  Work for the resolver is a `ResolverRequest` row, with `context.game.resolve_requested_at` set.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Final

from sqlalchemy.orm import Session

from engine.kernel.catalogues import Words
from engine.kernel.events import Event
from engine.kernel.forms import Choice, Form, Slot, Topic
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Order, Problem, single_order
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.printing import CannotPrint, print_order, usage
from engine.kernel.spelling import fold_tokens
from engine.kernel.viewers import PUBLIC
from pbem.common.states import GameState
from pbem.narration.facts import Message
from pbem.service.access.permissions import Authority
from pbem.service.base.services import Services
from pbem.service.base.wording import WORDS
from pbem.service.game import seat_views
from pbem.store.games import load_seats, name_at_table, names_of_seats
from pbem.store.models import Game, SeatRow, User

WEB, MAIL, OPERATOR, PROGRAM = "web", "mail", "operator", "program"
"""The channels that commands come by."""


@dataclass(frozen=True)
class CommandContext:
    """What a command works on: the locked game, its author, and the channel that it came by.

    `body`: the lines that belong to the command.
    `dedup_key`: of this command, for the keys of emails that it causes. `commands`: all commands, to read lines by.
    `preview`: returns the result of the command's `prepare`, or raises what it raised.
    """

    services: Services
    session: Session
    game: Game
    user: User
    channel: str
    body: tuple[str, ...] = ()
    dedup_key: str = ""
    commands: Sequence[type["Command"]] = ()
    preview: Callable[[], Any] = lambda: None

    @property
    def now(self) -> int:
        """Return the time in milliseconds since 1970, UTC."""
        return self.services.now()

    @property
    def author(self) -> str:
        """Return the name by which the table knows who gives the command."""
        return name_at_table(self.session, self.game, self.user)


@dataclass(frozen=True)
class CommandResult:
    """What a command did: messages for its author, and public events of the game.

    `announce`: messages for all players, who get one email now (empty: with the next report). `notified`: the command
    has sent the emails itself. `reason`: in the master's own words.
    """

    messages: tuple[Message, ...] = ()
    events: tuple[Event, ...] = ()
    announce: tuple[Message, ...] = ()
    notified: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Decision:
    """A command that may be executed: the preview for its author, and `apply`, which executes it."""

    said: tuple[Message, ...]
    apply: Callable[[], CommandResult]
    events: tuple[Event, ...] = ()


SlotSource = Slot | Callable[[CommandContext], Slot]
"""A slot, or what makes it for one game."""


class Command(Order):
    """An order of a game master.

    `dangerous`: it is executed only when it comes again with the code that its preview gave. `needs_second`: in a game
    that requires two masters another one must approve it. `adds_master`: a master who is left alone may do it all the
    same. `needs_consent`: a master who plays needs the approval of another player or master. `has_body`: further lines
    belong to it, up to END, unless it has a `text` of its own.
    `who`: `master`, or `seat` (a player may give it too). `states`: of the game, in which it can be given.
    `is_read_only`: it changes nothing and is not announced. `needs_person`: no API client may give it.
    """

    name: ClassVar[str]
    slots: ClassVar[tuple[SlotSource, ...]] = ()
    dangerous: ClassVar[bool] = False
    needs_second: ClassVar[bool] = False
    adds_master: ClassVar[bool] = False
    needs_consent: ClassVar[bool] = False
    has_body: ClassVar[bool] = False
    who: ClassVar[str] = "master"
    states: ClassVar[frozenset[GameState]] = frozenset({GameState.RUNNING})
    is_read_only: ClassVar[bool] = False
    needs_person: ClassVar[bool] = False

    @classmethod
    def form(cls, context: CommandContext) -> Form:
        """Return how the command is written in this game."""
        slots = tuple(slot(context) if callable(slot) else slot for slot in cls.slots)
        return command_form(cls.name, cls, *slots)

    @classmethod
    def is_for(cls, authority: Authority) -> bool:
        """Return True if a person with this authority may give the command."""
        return authority.master or (cls.who == "seat" and authority.seat is not None)

    def prepare(self, context: CommandContext) -> Any:
        """Do the slow part before the transaction: it changes nothing, and depends on the game's entry alone.

        The result is what `context.preview()` returns. Raises RequestRefused.
        """
        return None

    def decide(self, context: CommandContext) -> Decision:
        """Check the command and return what it would do. Changes nothing. Raises RequestRefused."""
        raise NotImplementedError


@dataclass(frozen=True)
class ParsedCommand:
    """A line that was understood: its number and text, the command, its canonical line, and the lines of its body."""

    number: int
    written: str
    order: Command
    line: str
    body: tuple[str, ...] = ()
    digest: str = field(default="", compare=False)


def public_view(context: CommandContext) -> Position[Any] | None:
    """Load the public position. Return None before the game begins."""
    if context.game.entry == 0:
        return None
    return seat_views.last_view(context.services, context.session, context.game, PUBLIC)


def seat_names(context: CommandContext) -> dict[str, str]:
    """Return the name of each seat: its player's if it is unique, else its id."""
    players = names_of_seats(context.session, context.game)
    spelt = [fold_tokens(name) for name in players.values()]
    names = {}
    for row in load_seats(context.session, context.game.id):
        name = players.get(row.seat, "")
        names[row.seat] = name if fold_tokens(name) and spelt.count(fold_tokens(name)) == 1 else row.seat
    return names


def seat_slot(context: CommandContext, *, optional: bool = False, lead: Words | None = None) -> Slot:
    """Return the slot of a seat: by its player's name, or its number (`s2`, `seat 2`)."""
    choices = tuple(Choice(seat, _name_spellings(name, seat)) for seat, name in seat_names(context).items())
    return Slot("seat", "seat", WORDS("slots.seat"), choices, optional=optional, default="", lead=lead)


class SeatCommand(Command):
    """A command about one seat."""

    slots = (seat_slot,)
    seat: str


def announced(*messages: Message) -> CommandResult:
    """Return messages for the author of a command and for all players."""
    return CommandResult(messages, announce=messages)


def _name_spellings(name: str, seat: str) -> Words:
    number = seat.removeprefix("s")
    return Words.same(*dict.fromkeys((name, seat))) | WORDS("choices.seat").formatted(number=number)


def text_slot(name: str, title: Words, *, lead: Words | None = None, optional: bool = False) -> Slot:
    """Return the slot of a text up to the end of the line."""
    return Slot(name, "text", title, text=True, lead=lead, optional=optional, default="")


def command_form(name: str, order: type[Order], *slots: Slot) -> Form:
    """Return a form with the keyword and help of the catalogue below `masters`."""
    return Form(WORDS(f"masters.{name}.keyword"), order, slots, about=WORDS(f"masters.{name}.about"))


def seat_row(context: CommandContext, seat: str) -> SeatRow:
    """Return the row of a seat."""
    return next(row for row in load_seats(context.session, context.game.id) if row.seat == seat)


TOPIC: Final = Topic("master", WORDS("masters.topic"), lines=True)


class Confirmation(Order):
    """What was asked for once is meant; with the word that was given for it."""

    code: str


CONFIRM: Final = command_form("confirm", Confirmation, Slot("code", "text", WORDS("slots.word"), text=True))


@dataclass(frozen=True)
class UnreadableLine:
    """A line that begins like an act and cannot be read."""

    number: int
    written: str
    problem: Problem


@dataclass(frozen=True)
class ParsedCommands:
    """What some lines say: acts and lines that could not be read, in order; the codes of confirmations; the chatter."""

    lines: tuple[ParsedCommand | UnreadableLine, ...] = ()
    codes: tuple[str, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()
    help_requested: bool = False


class CommandGrammar:
    """The grammar of all commands in one game now."""

    def __init__(self, context: CommandContext) -> None:
        """Build the forms once, for all lines."""
        self.commands = tuple((command, command.form(context)) for command in context.commands)
        self.forms: tuple[Form, ...] = (*(form for _, form in self.commands), CONFIRM)
        self.language = context.user.language
        self._grammar = Grammar((Section(TOPIC, self.forms, None, True),), language=self.language)

    def parse(self, lines: Sequence[str]) -> ParsedCommands:
        """Parse lines. Never raises, whatever the text."""
        parsed: list[ParsedCommand | UnreadableLine] = []
        codes: list[str] = []
        skipped, helped = [], False
        numbered = iter(enumerate(lines, 1))
        for number, text in numbered:
            reading = parse_letter([text], self._grammar)
            helped = helped or any(command.name == "help" for command in reading.commands)
            if reading.has_end:
                break
            written = next((line for lot in reading.sets.values() for line in lot.lines), None)
            if written is None:
                if text.strip() and not reading.commands:
                    skipped.append((number, text.strip()))
                continue
            order = single_order((written.line,)) if written.line is not None else None
            if isinstance(order, Confirmation):
                codes.append(order.code.strip().strip('".').lower())
            elif isinstance(order, Command):
                parsed.append(self._parse_command(number, text, order, numbered))
            else:  # a command takes no IF, ELSE or UP TO
                terms = {"word": text.strip(), "candidates": (), "accepted": ""}
                problem = written.problem or Problem("extra_words", terms, lasting=True)
                parsed.append(UnreadableLine(number, text.strip(), problem))
        return ParsedCommands(tuple(parsed), tuple(codes), tuple(skipped), helped)

    def _parse_command(self, number: int, text: str, order: Command, rest: Iterator[tuple[int, str]]) -> ParsedCommand:
        order = _take_body(order, text)
        follows = order.has_body and not getattr(order, "text", "")
        body = tuple(_take_until_end(rest)) if follows else ()
        return ParsedCommand(number, text.strip(), order, self._print(order), body, _digest(order, body))

    def _print(self, order: Command) -> str:
        try:
            return print_order(self.forms, order, self.language)
        except CannotPrint:
            return ""

    def help(self, authority: Authority) -> tuple[tuple[str, str], ...]:
        """Return the usage and purpose of each command that a person with this authority may give."""
        forms = (*(form for command, form in self.commands if command.is_for(authority)), CONFIRM)
        return tuple((usage(form, self.language), form.about.printed(self.language)) for form in forms)


def _take_body(order: Command, written: str) -> Command:
    """Take a text for others from the whole line: in it a semicolon begins no comment."""
    begun = str(getattr(order, "text", ""))
    plain = " ".join(written.split())
    if not begun or ";" not in plain or begun not in plain:
        return order
    return replace(order, text=plain[plain.index(begun) :].strip('"'))  # type: ignore[call-arg]


def _take_until_end(rest: Iterator[tuple[int, str]]) -> Iterator[str]:
    """Yield the lines up to END, without those that are quoted."""
    for _, text in rest:
        if text.strip().upper().strip(" .") in ("END", "FIN"):
            return
        if not text.lstrip().startswith(">"):
            yield text


def _digest(order: Command, body: tuple[str, ...]) -> str:
    """Return a hash that is the same for two requests of the same command."""
    values = [f"{field.name}={getattr(order, field.name)!r}" for field in fields(order)]
    return hashlib.sha256("\n".join((order.name, *values, *body)).encode()).hexdigest()
