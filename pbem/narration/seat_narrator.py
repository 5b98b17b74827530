"""A narrator with its reader: what the letters of one seat are written with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.kernel.grammar import Grammar, build_grammar
from engine.kernel.orders import Orders, Problem
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC
from pbem.narration.facts import EmailContext
from pbem.narration.narrator import Context, Narrator, narrator
from pbem.narration.order_printer import OrderPrinter
from pbem.narration.time_format import TimeFormatter

Lines = tuple[str, ...]


@dataclass
class SeatNarrator:
    """A narrator with its reader: what the letters of one seat are written with."""

    frame: EmailContext
    position: Position[Any]
    narrator: Narrator = field(init=False)
    context: Context = field(init=False)
    clock: TimeFormatter = field(init=False)
    writing: OrderPrinter = field(init=False)

    def __post_init__(self) -> None:
        reader, table = self.frame.reader, self.frame.table
        self.narrator = narrator(table.game, reader.language)
        self.writing = OrderPrinter(table.game, reader.language, self.position, reader.seat)
        self.context = Context(self.viewer, self.position, table.names, self.writing)
        self.clock = TimeFormatter(reader.language, reader.zone)

    @property
    def viewer(self) -> str:
        """The seat, or the public for a reader without one."""
        return self.frame.reader.seat or PUBLIC

    @property
    def rules(self) -> Rules[Any]:
        """The rules of the game."""
        return self.narrator.teller.rules

    @cached_property
    def grammar(self) -> Grammar:
        """What the reader may write now."""
        with seen_by(self.viewer):
            return build_grammar(self.rules, self.position, self.frame.reader.seat, self.frame.reader.language)

    def print_orders(self, thing: object, asks: str) -> str:
        """Something of the order language as the reader would write it."""
        return self.writing(thing, asks)

    def print_reaction(self, asks: str, orders: Orders) -> str:
        """The answer of a reaction."""
        return self.writing(orders, asks)

    def reason(self, problem: Problem) -> str:
        """Why a line cannot stand, or a remark about it, as it is said behind a colon."""
        return f"{self.narrator.reasons((problem,), self.context)}."

    def lines(self, macro: str, argument: object) -> Lines:
        """A macro of the game's report as tidy lines."""
        said = self.narrator.render_macro(macro, argument, self.context).split("\n")
        return tuple(self.narrator.tidy(line) for line in said if line.strip())

    def topic(self, asks: str, number: int | None = None) -> str:
        """The name of a topic; `number`: of one of its questions, where the game counts them."""
        return self.numbered_topic(asks, self.narrator.name("topic", asks).bare, number)

    def numbered_topic(self, asks: str, name: str, number: int | None) -> str:
        """A name of a topic with the number of one of its questions, where the game counts them."""
        counts = number is not None and self.rules.meta.topic(asks).counted
        return f"{name} {number}" if counts else name

    def view(self, position: Position[Any] | None = None) -> Mapping[str, Any]:
        """What the game shows to this reader of the position, or of another one."""
        with seen_by(self.viewer):
            return self.rules.present_view(self.position if position is None else position, self.viewer)
