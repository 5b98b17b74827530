"""How a game is told about which nothing is said: samples from its own games, terms from its names."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from engine.kernel.correction_events import FigureCorrected
from engine.kernel.events import Ended, Event, ReadingAdopted
from engine.kernel.narration_hooks import hooks_of
from engine.kernel.orders import Clause, Condition, Line, Orders, Problem
from engine.kernel.rules import Rules, SupportsCorrections
from engine.kernel.viewers import Seat
from pbem.narration.glossary import load_glossary
from pbem.narration.macros import narrated_events
from tests.bot_games import nearest, played
from tests.every_game import cases as laws
from tests.narration.cases import B, Case, cases
from tests.narration.text_checks import SEVEN, kernel_samples, moved_samples

MANY, GAMES = 8, 16
"""So many samples of each event are enough; they are looked for in so many games of each set of options."""


def derived(rules: Rules[Any]) -> Case:
    """The case of a game that has no module of its own here."""
    seats = SEVEN[: nearest(rules, 4)]
    return Case(
        rules=rules,
        samples=partial(_samples, rules),
        things={},
        ids=frozenset(),
        terms=partial(_terms, rules),
        hidden="?",
        figures=partial(_figures, rules),
        plays=_distinct(laws()[rules.meta.name].options),
        seats=seats,
    )


def _distinct(options: Sequence[Mapping[str, str]]) -> tuple[Mapping[str, str], ...]:
    return tuple(one for n, one in enumerate(options) if one not in options[:n])


def _case(rules: Rules[Any]) -> Case:
    return next(case for case in cases() if case.rules is rules)


def _samples(rules: Rules[Any]) -> Iterator[Event]:
    """What bots bring about, and what all games share."""
    told, count = hooks_of(rules).events, Counter[type[Event]]()
    for event in _occurring(rules):
        count[type(event)] += 1
        if type(event) in told and count[type(event)] <= MANY:
            yield event
        if set(told) <= set(count):
            break
    option = rules.meta.options[0]
    ruling = option.name, list(option.values)[-1]
    asks, orders = _answer(rules)
    clause = Clause(orders[0].plan[0].order, _condition(rules))
    edits = (ReadingAdopted(option=ruling[0], value=ruling[1]),)
    shared = kernel_samples(
        asks, Line((clause,), 2), next(_problems(rules)), orders, edits, ruling, tuple(rules.meta.endings)
    )
    yield from (event for event in shared if type(event) in narrated_events(rules))
    points = dict.fromkeys(_case(rules).seats, 7)
    ranking = tuple((seat,) for seat in points)
    yield Ended(reason=next(iter(rules.meta.endings)), ranking=((), tuple(points)), points=points)
    for result in rules.meta.results:
        for won in (False, True):
            yield Ended(
                reason=next(iter(rules.meta.endings)), ranking=ranking, points=points, is_won=won, result=result
            )
    yield from _righted(rules)


def _occurring(rules: Rules[Any]) -> Iterator[Event]:
    """What happens in games between bots, one after the other."""
    for seed in range(GAMES):
        for options in _case(rules).plays:
            for entry in played(rules, _case(rules).seats, options, f"samples {seed}".encode()).entries:
                yield from entry.after.events


def _answer(rules: Rules[Any]) -> tuple[str, Orders]:
    """A question, and how bots answered it."""
    for play in range(len(_case(rules).plays)):
        for entry in _case(rules).entries(play):
            for orders in entry.answers.values():
                if orders and orders[0].plan:
                    return entry.gate.partition("/")[0], orders
    raise LookupError("bots of this game answer nothing")


def _condition(rules: Rules[Any]) -> tuple[Condition, ...]:
    """A condition, if IF may ask anything."""
    facts = rules.facts(_case(rules).position(0), _case(rules).seats[0])
    slots = ((slot.name, slot.choices[0].value if slot.choices else 1) for fact in facts[:1] for slot in fact.slots)
    return tuple(Condition(fact.name, dict(slots)) for fact in facts[:1])


def _problems(rules: Rules[Any]) -> Iterator[Problem]:
    yield from _case(rules).problems()
    yield Problem("nothing_to_do", {})


def _righted(rules: Rules[Any]) -> Iterator[Event]:
    if isinstance(rules, SupportsCorrections):
        yield from moved_samples(next(iter(load_glossary(rules.meta.name, "en").names.get("card", {})), "card"))
        for what in rules.corrections.figures:
            yield from (FigureCorrected(seat=Seat("p1"), what=what, by=by) for by in (1, -1, 3))


def _terms(rules: Rules[Any], code: str, names: frozenset[str]) -> Mapping[str, object]:
    """A thing of the kind that a term is called by, a seat, or a number."""
    known = load_glossary(rules.meta.name, "en").names
    return {name: next(iter(known[name])) if name in known else B if name == "seat" else 2 for name in names}


def _figures(rules: Rules[Any], asks: str) -> Mapping[str, Any]:
    """The figures of the first such question of a game."""
    for entry in _case(rules).entries():
        for decision in entry.after.position.core.questions:
            if decision.topic == asks:
                return decision.limits
    return {}
