"""Things that must occur at least once in a game's simulated games.

The kernel derives topics, reactions, endings, options, events and facts of IF from Meta, the narration hooks and the
entries. A game adds cards, advances and the like. Tests list the exceptions that bots never reach.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from engine.kernel.bots import Entry, FinishedGame
from engine.kernel.codec import saved_name
from engine.kernel.correction_events import CorrectionEvent
from engine.kernel.events import Ended, Event, QuestionsAsked
from engine.kernel.narration_hooks import hooks_of
from engine.kernel.rules import Rules
from engine.kernel.ruleset import ChapteredRules

CoverageItem = tuple[str, str]
"""A kind (`card`, `advance`, `ruling`) and a name of that kind."""

Witness = Callable[[Entry[Any]], Iterable[CoverageItem]]
"""A function that returns the game's own items seen in an entry; called under `truth`."""


def by_events(shown: Callable[[Event], Iterable[CoverageItem]]) -> Witness:
    """Return a witness that applies `shown` to each event of an entry."""
    return lambda entry: (thing for event in entry.after.events for thing in shown(event))


@dataclass(frozen=True)
class Coverage:
    """The items of a game by kind, each of which must occur, and the witness that detects them."""

    expected: Mapping[str, Sequence[str]] = field(default_factory=dict)
    witness: Witness = lambda entry: ()


@runtime_checkable
class SupportsCoverage(Protocol):
    """Rules that declare coverage items of their own (optional, like `SupportsReadings`)."""

    @property
    def coverage(self) -> Coverage:
        """Return the items that must occur, and their witness."""
        ...


def coverage_of(rules: object) -> Coverage:
    """Return the coverage of rules, empty for rules without `SupportsCoverage`."""
    return rules.coverage if isinstance(rules, SupportsCoverage) else Coverage()


def expect_all(rules: Rules[Any]) -> Iterator[CoverageItem]:
    """Yield the items that every game must show: events, topics, reactions, endings, results and option values.

    Adds forms and facts for rules with an order language. Leaves out table options and the events of a master's
    rulings.
    """
    meta, events = rules.meta, hooks_of(rules).events
    rules_read = [option for option in meta.options if not option.table]
    if isinstance(rules, ChapteredRules):
        forms = (form for given in rules.language.chapters.forms.values() for form in given)
        yield from (("form", form.keyword.all_forms()[0]) for form in forms)
        yield from (("fact", fact.name) for fact in rules.language.known)
    yield from (("event", saved_name(event)) for event in events if not issubclass(event, CorrectionEvent))
    yield from (("topic", topic.key) for topic in meta.topics)
    yield from (("reaction", topic.key) for topic in meta.topics if topic.is_reaction)
    yield from (("ending", ending) for ending in meta.endings)
    yield from (("result", result) for result in meta.results)
    yield from (("option", f"{option.name}={value}") for option in rules_read for value in option.values)


def witness_all(game: FinishedGame[Any]) -> Iterator[tuple[CoverageItem, int]]:
    """Yield the items that the kernel detects in a finished game, each with a count."""
    yield from ((("event", name), count) for name, count in game.events.items())
    yield from ((("form", keyword), count) for keyword, count in game.forms.items())
    yield from ((("reaction", asks), count) for asks, count in game.reactions.items())
    yield ("ending", game.position.core.ending), 1
    yield from ((("option", f"{name}={value}"), 1) for name, value in game.position.core.options.items())
    for entry in game.entries:
        yield from ((("fact", name), 1) for name in _facts(entry))
        for event in entry.after.events:
            if isinstance(event, QuestionsAsked):
                yield from ((("topic", d.topic), 1) for d in event.decisions)
            elif isinstance(event, Ended) and event.result:
                yield ("result", event.result), 1


def _facts(entry: Entry[Any]) -> Iterator[str]:
    """Yield the facts that the conditions of an entry's answers name."""
    lines = (line for orders in entry.answers.values() for line in orders)
    clauses = (clause for line in lines for clause in (*line.plan, *line.fallback))
    return (condition.fact for clause in clauses for condition in clause.conditions)
