"""What an order that is being written may depend on, from menus: IF, ELSE, UP TO, ASK ME; and what each branch does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from engine.kernel.forms import Choice, Fact, Form, Slot
from engine.kernel.grammar import Section
from engine.kernel.moves import Moves, check_values
from engine.kernel.orders import AskMe, Clause, Condition, Line, Order
from engine.kernel.parsed import ParsedLine
from engine.kernel.phrasebook import in_bounds
from engine.kernel.phrases import MAX_TRIES
from engine.kernel.printing import print_clause, print_order
from pbem.common.cpu_budget import check
from pbem.narration.text_cleanup import fix_spaces
from pbem.web import order_builder
from pbem.web.api.moves import MoveTeller

MOST_BRANCHED: Final = 6
"""The lines of a draft whose branches are tried: each takes a trial of the lines above it."""

Kind = Literal["if", "else", "ask", "times"]


class RowChange(Struct, forbid_unknown_fields=True):
    """A change of the line of a `row`, counted from 0.

    `if`: only where `fact` holds with the slot values `about`, or does not if `negated`, and with `also` where what
    it depends on already holds as well; without `fact`: whatever holds.  `else`: the order of a `form` with `values`
    where it is refused or fails; without `form`: nothing then.  `ask`: the question again then.  `times`: it is tried
    so many `times` while it fails.
    """

    row: int
    kind: Kind
    fact: str = ""
    about: dict[str, str | int] = {}
    negated: bool = False
    also: bool = False
    form: int | None = None
    values: Annotated[dict[str, Any], Meta(max_length=20)] = {}
    times: Annotated[int, Meta(ge=1, le=MAX_TRIES)] = 1


def list_kinds(section: Section, line: Line | None, facts: Sequence[Fact]) -> list[Kind]:
    """What the order language lets a line of this question depend on."""
    topic, kinds = section.topic, list[Kind]()
    if line is None or not (topic.lines or topic.as_standing_orders):
        return kinds
    acts = not isinstance(line.plan[0].order, AskMe)
    if acts:
        kinds += ["else", "ask"]
    if topic.lines and facts:
        kinds += ["if"]
    if topic.lines and line.may_retry:
        kinds += ["times"]
    return kinds


# --- the menu


def describe_row(teller: MoveTeller, row: int) -> dict[str, Any]:
    """What the menu of a row shows: its line, what that depends on already, and the facts of the rules.

    The facts come in the reader's words, their slots with the values of the order where those fit.  Raises ValueError
    for a row that can depend on nothing.
    """
    key, section, line = _find_row(teller, row)
    language, facts = teller.telling.language, teller.telling.grammar.facts
    kinds = list_kinds(section, line, facts)
    vocabularies: list[list[tuple[str, str]]] = []
    places: dict[int, int] = {}
    named = list(_list_named(section.forms, line.plan[0].order))

    def words_of(choices: tuple[Choice, ...]) -> int:
        if id(choices) not in places:
            places[id(choices)] = len(vocabularies)
            options = order_builder.choices_of(choices, language).options
            vocabularies.append([(option.value, option.label) for option in options])
        return places[id(choices)]

    def slot_shape(slot: Slot) -> dict[str, Any]:
        told = {"name": slot.name, "title": slot.title.printed(language)}
        if not slot.choices:
            return told | {"low": slot.low, "high": slot.high}
        likely = next((one for one in named if any(choice.value == one for choice in slot.choices)), None)
        return told | {"words": words_of(slot.choices), "likely": likely}

    shapes = [
        {
            "name": fact.name,
            "usage": order_builder.condition_usage(fact, language),
            "about": fix_spaces(fact.about.printed(language), language),
            "slots": [slot_shape(slot) for slot in fact.slots],
        }
        for fact in (facts if "if" in kinds else ())
    ]
    when = line.plan[0].conditions
    return {
        "line": teller.print_line(key, line),
        "kinds": kinds,
        "facts": shapes,
        "words": vocabularies,
        "times": line.repeat,
        "otherwise": bool(line.fallback),
        "when": {"fact": when[0].fact, "about": dict(when[0].about), "negated": when[0].negated} if when else None,
    }


def _list_named(forms: Sequence[Form], order: Order) -> Iterator[object]:
    """The things that an order names, in the order of its slots."""
    values: Mapping[str, object] = next((v for form in forms if (v := form.parse(order)) is not None), {})
    for value in values.values():
        yield from value if isinstance(value, tuple | Mapping) else (value,)


# --- a choice


def write_change(teller: MoveTeller, change: RowChange) -> str:
    """The line of a row as it is to be.  Raises ValueError for what the order language does not have there."""
    key, section, line = _find_row(teller, change.row)
    facts = teller.telling.grammar.facts
    if change.kind not in list_kinds(section, line, facts):
        raise ValueError(f"{change.kind} is not possible in this row")
    return teller.print_line(key, _apply(section, line, change, facts))


def _apply(section: Section, line: Line, change: RowChange, facts: Sequence[Fact]) -> Line:
    if change.kind == "if":
        before = line.plan[0].conditions
        when = (*(before if change.also else ()), *_read_conditions(change, facts))
        plan = (replace(one, conditions=when) if one.conditions == before else one for one in line.plan)
        return replace(line, plan=tuple(plan))
    if change.kind == "else":
        return replace(line, fallback=_read_order(section.forms, change))
    if change.kind == "ask":
        return replace(line, fallback=(Clause(AskMe()),))
    return replace(line, repeat=change.times)


def _read_conditions(change: RowChange, facts: Sequence[Fact]) -> tuple[Condition, ...]:
    if not change.fact:
        return ()
    fact = next((fact for fact in facts if fact.name == change.fact), None)
    if fact is None or {slot.name for slot in fact.slots} != change.about.keys():
        raise ValueError(f"no such fact: {change.fact}")
    for slot in fact.slots:
        if not _fits(slot, change.about[slot.name]):
            raise ValueError(f"{slot.name}: not a value of this slot")
    return (fact.make(change.about, change.negated),)


def _fits(slot: Slot, value: str | int) -> bool:
    if slot.choices:
        return any(choice.value == value for choice in slot.choices)
    return isinstance(value, int) and in_bounds(slot, value)


def _read_order(forms: Sequence[Form], change: RowChange) -> tuple[Clause, ...]:
    if change.form is None:
        return ()
    if not 0 <= change.form < len(forms):
        raise ValueError("no such form")
    form = forms[change.form]
    values = check_values(form, change.values)
    if any(not slot.optional and slot.name not in values for slot in form.slots):
        raise ValueError("a slot has no value")
    return (Clause(form.make(values)),)


def _find_row(teller: MoveTeller, row: int) -> tuple[str, Section, Line]:
    """The question that a row answers, and its line; raises ValueError for one that can depend on nothing."""
    for key, section, _, written in list_written(teller):
        line = written.line
        if written.number == row + 1 and line is not None and list_kinds(section, line, teller.telling.grammar.facts):
            return key, section, line
    raise ValueError("no such row")


def list_written(teller: MoveTeller) -> Iterator[tuple[str, Section, int, ParsedLine]]:
    """The lines of a draft by question, each with its place among those of its question."""
    for key, section in teller.sections.items():
        if section not in teller.telling.grammar.reactions and section.key in teller.draft.sets:
            for n, line in enumerate(teller.draft.sets[section.key].lines):
                yield key, section, n, line


# --- what each branch does


@dataclass(frozen=True)
class Branch:
    """A part of a line: `when` it is done, its order as a line, why that would be refused, what it would change.

    `now`: this is what would be done as things stand.
    """

    when: str
    line: str
    problem: str = ""
    told: tuple[str, ...] = ()
    now: bool = False


def list_branches(teller: MoveTeller, chosen: Mapping[int, Clause | None]) -> dict[int, tuple[Branch, ...]]:
    """The branches of the lines that have several, by the number of the line.

    `chosen`: what the judge would do of each line that he tried, as things stand; None: nothing.  Each order is
    tried behind the lines above it, as if it were the one that is done.
    """
    found: dict[int, tuple[Branch, ...]] = {}
    for key, section, n, written in list_written(teller):
        line = written.line
        if line is None or len(found) == MOST_BRANCHED:
            continue
        if not (line.fallback or line.plan[1:] or line.plan[0].conditions):
            continue
        above = tuple(one.line for one in teller.draft.sets[section.key].lines[:n] if one.line is not None)
        moves = teller.moves_behind(key, above)
        now = (chosen[written.number],) if written.number in chosen else ()
        found[written.number] = tuple(_build_branches(teller, section, moves, line, now))
    return found


def _build_branches(
    teller: MoveTeller, section: Section, moves: Moves[Any], line: Line, now: tuple[Clause | None, ...]
) -> Iterator[Branch]:
    say, grammar = teller.telling.visit.translate, teller.telling.grammar
    first, *others = (*line.plan, *line.fallback)
    holds = "holds" if first.conditions else "first"
    yield replace(_try_order(teller, section, moves, first.order), when=say(f"play.but.{holds}"), now=first in now)
    for n, clause in enumerate(others, 1):
        known = n < len(line.plan) and clause.conditions == first.conditions
        when = say("play.but.fails" if known or not first.conditions else "play.but.not")
        tried = _try_order(teller, section, moves, clause.order)
        if clause.conditions and not known:
            tried = replace(tried, line=print_clause(section.forms, clause, grammar.language, grammar.facts))
        yield replace(tried, when=when, now=clause in now)
    bound = not line.fallback and all(clause.conditions == first.conditions for clause in line.plan)
    if first.conditions and bound:
        yield Branch(say("play.but.not_held"), "", told=(say("play.but.nothing"),), now=None in now)


def _try_order(teller: MoveTeller, section: Section, moves: Moves[Any], order: Order) -> Branch:
    """What an order of a branch would come to."""
    if isinstance(order, AskMe):
        language = teller.telling.language
        return Branch(
            "", print_order(section.forms, order, language), told=(teller.telling.visit.translate("play.but.asked"),)
        )
    line = print_order(section.forms, order, teller.telling.language)
    check()
    parsed = ((form, form.parse(order)) for form in moves.forms)
    form, values = next(((form, values) for form, values in parsed if values is not None), (None, None))
    problem = moves.refusal(form, values) if form is not None and values is not None else None
    if problem is not None:
        return Branch("", line, teller.reason(problem))
    figures, notes = teller.outcome(moves, order)
    return Branch("", line, told=(*(f"{f.title} {f.before} → {f.after}" for f in figures), *notes))
