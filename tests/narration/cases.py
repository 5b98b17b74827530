"""The games whose telling is held under the same laws, and what each brings to be told by."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine import GAMES
from engine.kernel.bots import Entry
from engine.kernel.events import Event
from engine.kernel.orders import Problem, Question
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC, Seat
from pbem.narration.facts import EmailContext, Links, Reader, TableFacts
from pbem.narration.narrator import Context
from pbem.narration.order_printer import OrderPrinter
from tests import bot_games
from tests.narration.text_checks import LANGUAGES, NAMES, A, B, C, D, found_faults, without_names
from tests.toy import RULES as TOY

SEATS = (A, B, C, D)
PAGES = ("act/1", "mute", "leave", "archive")


@dataclass(frozen=True)
class Case:
    """A game to be told.

    `samples`: events of every class, in every case that its sentence knows. `things`: what has a name, by kind of the
    glossary: ids, or ids with the words that the catalogue prints. `ids`: names that no sentence may hold.
    `untranslated`: names that are printed as they are in every language.
    `figures`: the terms of a question, by topic. `terms`: what stands for each term of a problem; `variants`: problems
    with further cases. `hidden`: what may stand where a value is not known. `plays`: options of whole games.
    """

    rules: Rules[Any]
    samples: Callable[[], Iterator[Event]]
    things: Mapping[str, Any]
    ids: frozenset[str]
    terms: Callable[[str, frozenset[str]], Mapping[str, object]]
    hidden: str
    figures: Callable[[str], Mapping[str, int | str]] = field(default=lambda asks: {})
    variants: Callable[[], Iterator[Problem]] = field(default=lambda: iter(()))
    more: Mapping[str, frozenset[str]] = field(default_factory=dict)
    untranslated: frozenset[str] = frozenset()
    plays: tuple[Mapping[str, str], ...] = ({},)
    seats: tuple[Seat, ...] = SEATS

    def __str__(self) -> str:
        return self.game

    @property
    def game(self) -> str:
        """The name under which the game is registered."""
        return str(self.rules.meta.name)

    @property
    def viewers(self) -> tuple[str, ...]:
        """All who may be told."""
        return (*self.seats, PUBLIC)

    def entries(self, play: int = 0) -> tuple[Entry[Any], ...]:
        """Every entry of a whole game, the first being the start."""
        return _entries(self.game, play)

    def position(self, at: int = -1, play: int = 0) -> Position[Any]:
        """The true position after an entry."""
        return self.entries(play)[at].after.position

    def view(self, viewer: str, at: int = -1, play: int = 0) -> Position[Any]:
        """The position after an entry as one viewer sees it."""
        return _view(self.game, viewer, at, play)

    def context(
        self, viewer: str, language: str, at: int = -1, play: int = 0, names: Mapping[Seat, str] = NAMES
    ) -> Context:
        """Return what a sentence needs to be told to one viewer after an entry."""
        seen = self.view(viewer, at, play)
        return Context(viewer, seen, names, OrderPrinter(self.game, language, seen, Seat(viewer)))

    def frame(self, seat: Seat, language: str, play: int = 0, **changes: Any) -> EmailContext:
        """Return what every letter to a seat has, but for `changes`."""
        made: dict[str, Any] = {
            "reader": Reader(NAMES[seat], language, "Europe/Paris", seat),
            "table": TableFacts(
                self.game, "Rose", {s: NAMES[s] for s in self.seats}, self.rules.meta.chosen(self.plays[play])
            ),
            "links": Links("https://x.example/g/1", "o+abcdef@x.example", *(f"https://x.example/{to}" for to in PAGES)),
            "sent": 1763740000,
            "entry": 12,
            "digest": "ab" * 32,
        }
        return EmailContext(**{**made, **changes})

    def faults(self, text: str, language: str) -> list[str]:
        """What must not be in a letter of this game."""
        return found_faults(without_names(text, self.untranslated), language, self.ids)

    def documented(self) -> Mapping[str, frozenset[str]]:
        """Every code of the game's PROBLEMS and NOTES with the terms that its comment names."""
        found: dict[str, frozenset[str]] = {}
        for text in self._sources():
            for code, terms in re.findall(r"\"(\w+)\",?\)?\s*# \{([^}]*)\}", text):
                named = {t.partition(":")[0].strip() for t in terms.split(",") if t.strip()}
                found[code] = found.get(code, frozenset()) | named
        return {**found, **self.more}

    def found(self) -> frozenset[str]:
        """Every code with which the game's modules make a problem or a note, as far as it is written there."""
        return frozenset(code for text in self._sources() for code in re.findall(r"\bProblem\(\s*\"(\w+)\"", text))

    def _sources(self) -> Iterator[str]:
        package = Path(str(import_module(type(self.rules).__module__).__file__)).parent
        for path in sorted(package.rglob("*.py")):
            yield path.read_text(encoding="utf-8")

    def problems(self) -> Iterator[Problem]:
        """Every problem that the game may find, with all its terms."""
        for code, names in self.documented().items():
            yield Problem(code, dict(self.terms(code, names - {"..."})))
        yield from self.variants()

    def question(self, asks: str, figures: bool, seat: Seat = A) -> Question:
        """Return a question: asked now with its figures, or ahead without them."""
        return Question(f"{asks}/5", seat, asks, dict(self.figures(asks)) if figures else {})


@cache
def _entries(game: str, play: int) -> tuple[Entry[Any], ...]:
    case = case_of(game)
    options = case.rules.meta.chosen(case.plays[play])
    return bot_games.played(case.rules, case.seats, options).entries


@cache
def _view(game: str, viewer: str, at: int, play: int) -> Position[Any]:
    return redact(case_of(game).position(at, play), viewer)


def case_of(game: str) -> Case:
    """Return the case of one game."""
    return next(case for case in cases() if case.game == game)


@cache
def cases() -> tuple[Case, ...]:
    """The smallest game and every registered one."""
    return tuple(_case(name, rules) for name, rules in {"toy": TOY, **GAMES}.items())


def _case(name: str, rules: Rules[Any]) -> Case:
    """A game as its own module describes it, `case_<game>`; else as far as it can be derived."""
    own = f"tests.narration.case_{name}"
    if find_spec(own) is None:
        return import_module("tests.narration.derived_case").derived(rules)  # type: ignore[no-any-return]
    case: Case = import_module(own).CASE
    return case


__all__ = ["LANGUAGES", "NAMES", "SEATS", "A", "B", "C", "Case", "D", "case_of", "cases"]
