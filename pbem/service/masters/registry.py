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
told as the public is told them.  What only a resolver can do is written as a `Command` (kind, and a request that
it understands; see `run.game_visit`) with `context.game.play_wanted` set: `act` wakes it after the commit.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from sqlalchemy.orm import Session

from engine.kernel.catalogues import Words
from engine.kernel.events import Event
from engine.kernel.forms import Choice, Form, Slot, Topic
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Order, Problem, single_order
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.printing import CannotPrint, form_of, print_order, usage
from engine.kernel.spelling import fold_tokens
from engine.kernel.viewers import PUBLIC
from pbem.common.states import GameState
from pbem.narration.facts import Message
from pbem.service.access.permissions import Authority
from pbem.service.base.services import Services
from pbem.service.base.wording import WORDS
from pbem.service.game import seat_views
from pbem.store.games import load_seats, occupied_seats
from pbem.store.models import Game, SeatRow, User

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


def seat_names(context: CommandContext) -> dict[str, str]:
    """The name of each seat: its player's where no two share it, else its id."""
    players = {row.seat: user.name for row, user in occupied_seats(context.session, context.game.id)}
    spelt = [fold_tokens(name) for name in players.values()]
    found = {}
    for row in load_seats(context.session, context.game.id):
        name = players.get(row.seat, "")
        found[row.seat] = name if fold_tokens(name) and spelt.count(fold_tokens(name)) == 1 else row.seat
    return found


def seat_slot(context: CommandContext, *, optional: bool = False, lead: Words | None = None) -> Slot:
    """A seat of this table: by its player's name, or its number (`s2`, `seat 2`)."""
    choices = tuple(Choice(seat, _name_spellings(name, seat)) for seat, name in seat_names(context).items())
    return Slot("seat", "seat", WORDS("slots.seat"), choices, optional=optional, default="", lead=lead)


def _name_spellings(name: str, seat: str) -> Words:
    place = seat.removeprefix("s")
    return Words.same(*dict.fromkeys((name, seat))) | WORDS("choices.seat").formatted(number=place)


def text_slot(name: str, title: Words, *, lead: Words | None = None, optional: bool = False) -> Slot:
    """Free words up to the end of the line."""
    return Slot(name, "text", title, text=True, lead=lead, optional=optional, default="")


def single_form(form: Form) -> Callable[[CommandContext], Sequence[Form]]:
    """An act that is written alike at every table."""
    return lambda context: (form,)


def act(name: str, order: type[Order], *slots: Slot) -> Form:
    """How an act is written, in the words that the catalogue has for it below `masters`."""
    return Form(WORDS(f"masters.{name}.keyword"), order, slots, about=WORDS(f"masters.{name}.about"))


def of_seat(name: str, order: type[Order]) -> Callable[[CommandContext], Sequence[Form]]:
    """An act that names a seat and nothing else."""
    return lambda context: (act(name, order, seat_slot(context)),)


def seat_row(context: CommandContext, seat: str) -> SeatRow:
    """The row of a seat that was named by its choice."""
    return next(row for row in load_seats(context.session, context.game.id) if row.seat == seat)


TOPIC: Final = Topic("master", WORDS("masters.topic"), lines=True)


class Confirmation(Order):
    """What was asked for once is meant; with the word that was given for it."""

    word: str


CONFIRM: Final = act("confirm", Confirmation, Slot("word", "text", WORDS("slots.word"), text=True))


@dataclass(frozen=True)
class UnreadableLine:
    """A line that begins like an act and cannot be read."""

    number: int
    written: str
    problem: Problem


@dataclass(frozen=True)
class ParsedCommands:
    """What some lines say: acts and lines that could not be read, in order; the word of a confirmation; the chatter."""

    lines: tuple[ParsedCommand | UnreadableLine, ...] = ()
    confirm: str = ""
    skipped: tuple[tuple[int, str], ...] = ()
    help_requested: bool = False


class CommandGrammar:
    """All that can be said at one table now."""

    def __init__(self, context: CommandContext) -> None:
        """The forms are made once for all lines."""
        made = [(action, form) for action in context.commands for form in action.forms(context)]
        self.forms: tuple[Form, ...] = (*(form for _, form in made), CONFIRM)
        self.language = context.user.language
        self._owner: Mapping[int, CommandSpec] = {id(form): action for action, form in made}
        self._grammar = Grammar((Section(TOPIC, self.forms, None, True),), language=self.language)

    def read(self, lines: Sequence[str]) -> ParsedCommands:
        """Understand lines.  Never raises for any text."""
        found: list[ParsedCommand | UnreadableLine] = []
        confirm, skipped, helped = "", [], False
        numbered = iter(enumerate(lines, 1))
        for number, text in numbered:
            reading = parse_letter([text], self._grammar)
            helped = helped or any(command.name == "help" for command in reading.commands)
            if reading.ended:
                break
            written = next((line for lot in reading.sets.values() for line in lot.lines), None)
            if written is None:
                skipped += [(number, text.strip())] if text.strip() and not reading.commands else []
                continue
            order = single_order((written.line,)) if written.line is not None else None
            if isinstance(order, Confirmation):
                confirm = order.word
            elif order is None:
                found.append(UnreadableLine(number, text.strip(), written.problem or self._find_condition(text)))
            else:
                found.append(self._parse_command(number, text, order, numbered))
        return ParsedCommands(tuple(found), confirm, tuple(skipped), helped)

    def _find_condition(self, text: str) -> Problem:
        """An act is done or not: it takes no IF, ELSE or UP TO."""
        return Problem("extra_words", {"word": text.strip(), "candidates": (), "accepted": ""}, lasting=True)

    def _parse_command(self, number: int, text: str, order: Order, rest: Iterator[tuple[int, str]]) -> ParsedCommand:
        form = form_of(self.forms, order)
        if form is None:
            raise LookupError("an order was read that no form makes")
        action, order = self._owner[id(form)], _take_body(order, text)
        follows = action.body and not getattr(order, "text", "")
        body = tuple(_take_until_end(rest)) if follows else ()
        act = ParsedCommand(number, text.strip(), action, order, self.printed(order), body)
        return replace(act, digest=_digest(act))

    def printed(self, order: Order) -> str:
        """An act as we write it."""
        try:
            return print_order(self.forms, order, self.language)
        except CannotPrint:
            return ""

    def help(self, standing: Authority) -> tuple[tuple[str, str], ...]:
        """Every act that this person may ask for: how it is written, and what it does."""
        return tuple(
            (usage(form, self.language), form.about.printed(self.language))
            for form in self.forms
            if id(form) not in self._owner or self._owner[id(form)].is_for(standing)
        )

    def offered(self, standing: Authority, state: str) -> tuple[tuple[str, Form], ...]:
        """Each act that can be asked for now: the action, and its form."""
        return tuple(
            (action.name, form)
            for form in self.forms
            if (action := self._owner.get(id(form))) is not None and action.is_for(standing) and state in action.states
        )


def _take_body(order: Order, written: str) -> Order:
    """Words for others are sent whole: in them a semicolon begins no comment."""
    begun = str(getattr(order, "text", ""))
    plain = " ".join(written.split())
    if not begun or ";" not in plain or begun not in plain:
        return order
    return replace(order, text=plain[plain.index(begun) :].strip('"'))  # type: ignore[call-arg]


def _take_until_end(rest: Iterator[tuple[int, str]]) -> Iterator[str]:
    """The lines that belong to an act: up to END, without what is quoted."""
    for _, text in rest:
        if text.strip().upper().strip(" .") in ("END", "FIN"):
            return
        if not text.lstrip().startswith(">"):
            yield text


def _digest(act: ParsedCommand) -> str:
    """What was understood, as a number: two askings for the same thing have the same."""
    said = [f"{f.name}={getattr(act.order, f.name)!r}" for f in fields(act.order)]
    return hashlib.sha256("\n".join((act.action.name, *said, *act.body)).encode()).hexdigest()


def command_text(order: Any, name: str) -> str:
    """A free text of an act."""
    return str(getattr(order, name) or "").strip()
