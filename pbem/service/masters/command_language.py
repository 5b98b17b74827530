"""Lines of a game master, read by the kernel's own grammar: forgiven and refused as orders are."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from engine.kernel.forms import Form, Slot, Topic
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Order, Problem, single_order
from engine.kernel.parse import parse_letter
from engine.kernel.printing import CannotPrint, form_of, print_order, usage
from pbem.service.access.authority import Authority
from pbem.service.base.wording import WORDS
from pbem.service.masters.forms import act
from pbem.service.masters.registry import CommandContext, CommandSpec, ParsedCommand

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
