"""Orders as lines of text, in the reader's language: what receipts, templates, help pages and web forms show.

The law: every form parses what it prints, in each language.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Fact, Form, Slot
from engine.kernel.grammar import Section
from engine.kernel.keywords import (
    ALWAYS,
    AND,
    ASK_ME,
    ELSE,
    FOR,
    IF,
    NONE,
    NOT,
    ON,
    OR,
    PASS,
    TIMES,
    UNLESS,
    UP_TO,
    WORDS,
)
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.orders import AskMe, Clause, Condition, Line, Order, Orders
from engine.kernel.phrasebook import in_bounds, within
from engine.kernel.slots import Values
from engine.kernel.spelling import clean, folded, vocabulary_of


class Unprintable(Exception):
    """No form (or fact) given writes this thing; the text names its class, never its content."""


@dataclass(frozen=True)
class HelpRow:
    """One form explained: how to write it, what it does, and a line that could be sent as it stands.

    `example` is empty where no line of the form is known to make sense now.
    """

    usage: str
    about: str
    example: str


def loud(words: Words, language: Language) -> str:
    """A keyword as letters show it."""
    return words.printed(language).upper()


def colon(language: Language) -> str:
    """The colon with the space that the language wants."""
    return WORDS("colon").printed(language)


# -- printing --------------------------------------------------------------------------------------------------


def printed(
    forms: Sequence[Form],
    thing: Order | Clause | Line | Condition | Orders,
    language: Language,
    facts: Sequence[Fact] = (),
) -> str:
    """An order, clause, line, condition or whole set as text; raises Unprintable.

    A set gives one line of text per Line; the empty set is the word for passing.
    """
    if isinstance(thing, tuple):
        return "\n".join(printed_line(forms, line, language, facts) for line in thing) or loud(PASS, language)
    if isinstance(thing, Line):
        return printed_line(forms, thing, language, facts)
    if isinstance(thing, Clause):
        return _plan(forms, (thing,), language, facts)
    if isinstance(thing, Condition):
        return printed_condition(facts, thing, language)
    return printed_order(forms, thing, language)


def printed_line(forms: Sequence[Form], line: Line, language: Language, facts: Sequence[Fact] = ()) -> str:
    """A whole line: plan, repeat and ELSE."""
    parts = [_plan(forms, line.plan, language, facts)]
    if line.repeat != 1:
        parts.append(f"{loud(UP_TO, language)} {line.repeat} {loud(TIMES, language)}")
    if line.otherwise:
        parts += [loud(ELSE, language), _plan(forms, line.otherwise, language, facts)]
    return " ".join(parts)


def _plan(forms: Sequence[Form], plan: Sequence[Clause], language: Language, facts: Sequence[Fact]) -> str:
    """Clauses parted by OR; a condition is said once for the alternatives that share it."""
    parts: list[str] = []
    when: tuple[Condition, ...] = ()
    for clause in plan:
        said = printed_order(forms, clause.order, language)
        if clause.when != when:
            said = f"{_when(facts, clause.when, language)}{colon(language)} {said}"
        parts.append(said)
        when = clause.when
    return f" {loud(OR, language)} ".join(parts)


def _when(facts: Sequence[Fact], when: tuple[Condition, ...], language: Language) -> str:
    if not when:
        return loud(ALWAYS, language)
    said = [_fact(facts, c, language) for c in when]
    if len(when) == 1 and when[0].negated:
        return f"{_if(UNLESS, language)} {said[0]}"
    parts = [f"{loud(NOT, language)} {text}" if c.negated else text for c, text in zip(when, said, strict=True)]
    return f"{_if(IF, language)} {f' {loud(AND, language)} '.join(parts)}"


def _if(word: Words, language: Language) -> str:
    return loud(word, language)


def printed_condition(facts: Sequence[Fact], condition: Condition, language: Language) -> str:
    """A condition alone, as it stands after IF."""
    said = _fact(facts, condition, language)
    return f"{loud(NOT, language)} {said}" if condition.negated else said


def _fact(facts: Sequence[Fact], condition: Condition, language: Language) -> str:
    for fact in facts:
        if fact.name == condition.fact:
            subject = _slots([s for s in fact.slots if s.before], condition.about, language)
            said = _slots([s for s in fact.slots if not s.before], condition.about, language)
            if subject is not None and said is not None:
                return _joined(subject, _joined(loud(fact.keyword, language), said)).strip()
    raise Unprintable(f"no fact is written for {condition.fact}")


def printed_order(forms: Sequence[Form], order: Order, language: Language) -> str:
    """One order, by the first form that can write it; raises Unprintable."""
    if isinstance(order, AskMe):
        return loud(ASK_ME, language)
    for form in forms:
        values = form.read(order)
        said = None if values is None else _slots(form.slots, values, language)
        if said is not None:
            return _joined(loud(form.keyword, language), said)
    raise Unprintable(f"no form writes this {type(order).__name__}")


def form_of(forms: Sequence[Form], order: Order) -> Form | None:
    """The form that writes an order, if any does."""
    for form in forms:
        values = form.read(order)
        if values is not None and _slots(form.slots, values, DEFAULT) is not None:
            return form
    return None


def _joined(keyword: str, said: str) -> str:
    return f"{keyword} {said}" if said else keyword


def _slots(slots: Sequence[Slot], values: Values, language: Language) -> str | None:
    """The slots as text in their usual order, led ones last; None if a value has no name here."""
    parts: list[str] = []
    before: Slot | None = None
    for slot in sorted(slots, key=lambda s: s.lead is not None):
        value = values.get(slot.name, slot.unsaid)
        if slot.optional and value == slot.unsaid:
            continue
        said = _value(slot, value, language)
        if said is None:
            return None
        led = said if slot.lead is None else f"{loud(slot.lead, language)} {said}"
        if before is not None and parts and _runs_on(before, parts[-1], led):
            parts[-1] += ","
        parts.append(led)
        before = slot
    return " ".join(parts)


def _value(slot: Slot, value: object, language: Language) -> str | None:
    if slot.amounts:
        return _amounts(slot, value, language)
    if not slot.many:
        return _single(slot, value, language)
    if not isinstance(value, tuple) or not value:
        return None
    said = [_single(slot, v, language) for v in value]
    return None if None in said else ", ".join(s for s in said if s is not None)


def _amounts(slot: Slot, value: object, language: Language) -> str | None:
    """`2 wood, 1 wine`, in the order of the slot's choices; None for what has no name there, and for nothing."""
    if not isinstance(value, Mapping) or not value or value.keys() - {c.value for c in slot.choices}:
        return None
    named = [(value[c.value], c.names.printed(language)) for c in slot.choices if c.value in value]
    return ", ".join(f"{count} {name}" for count, name in named) if min(value.values()) > 0 else None


def _single(slot: Slot, value: object, language: Language) -> str | None:
    if slot.choices:
        return next((c.names.printed(language) for c in slot.choices if c.value == value), None)
    if slot.text:
        return f'"{quotable(value)}"' if isinstance(value, str) and folded(value) else None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def quotable(text: str) -> str:
    """Free text as it may stand between quotation marks: one line, without comment sign or quotation mark."""
    return " ".join(clean(text).replace('"', "'").replace(";", ",").split())


def _runs_on(slot: Slot, said: str, following: str) -> bool:
    """Return True if a name and what follows would read as one longer name (`Galley`, then `2`)."""
    if not slot.choices:
        return False
    last = said.rpartition(", ")[2]
    first = folded(following)[:1]
    run = (*folded(last), *first)
    return bool(first) and bool(vocabulary_of(slot.choices).look(run, fuzzy=False).places)


# -- sections, riders, templates ---------------------------------------------------------------------------------


def title(section: Section, language: Language) -> str:
    """What a section is called: `EXPANSION`, `WAR 2`."""
    name = loud(section.topic.words, language)
    return name if section.number is None else f"{name} {section.number}"


def heading(section: Section, language: Language) -> str:
    """The line that opens a section: `FOR TURN 5 EXPANSION`, `FOR ROUND 3 ACTION 2`; before the first turn none."""
    turn = "" if not section.turn else f"{loud(section.called, language)} {section.turn} "
    return f"{loud(FOR, language)} {turn}{title(section, language)}"


def under(section: Section, line: str, language: Language) -> str:
    """A line for an open question as it stands in a letter: behind its name where others may be open beside it."""
    counted = section.open and section.number is not None
    return f"{title(section, language)}{colon(language)} {line}" if counted else line


def printed_rider(section: Section, line: Line | None, language: Language, facts: Sequence[Fact] = ()) -> str:
    """`ON CIVIL WAR: MONEY`; None prints its withdrawal."""
    said = loud(NONE, language) if line is None else printed_line(section.forms, line, language, facts)
    return f"{loud(ON, language)} {loud(section.topic.words, language)}{colon(language)} {said}"


def template(
    section: Section, suggestions: Iterable[Line], language: Language, facts: Sequence[Fact] = ()
) -> tuple[str, ...]:
    """Likely lines for a letter, each behind `;` so that nothing counts before it is uncovered."""
    if section.topic.rider and not section.open:
        return tuple(f"; {printed_rider(section, line, language, facts)}" for line in suggestions)
    lines = (printed_line(section.forms, line, language, facts) for line in suggestions)
    said = tuple(f"; {under(section, line, language)}" for line in lines)
    return said if section.open else (f"; {heading(section, language)}", *said)


# -- help ------------------------------------------------------------------------------------------------------


def help_rows(section: Section, language: Language) -> tuple[HelpRow, ...]:
    """One row a form: usage, what it does, an example from what would be accepted now."""
    return tuple(
        HelpRow(
            usage(form, language, section.topic.lines), form.about.printed(language), shown(section, form, language)
        )
        for form in section.forms
    )


def shown(section: Section, form: Form, language: Language) -> str:
    """The best line of a form that would be accepted now; where only forms are judged, else one that names nothing."""
    order = next((order for order in section.examples if within(form, order)), None)
    if order is not None:
        return printed_line((form,), Line((Clause(order),)), language)
    return "" if section.open else example(form, language)


def usage(form: Form, language: Language, repeatable: bool = False) -> str:
    """How a form is written: `ATTAQUER <province> <pions> [JUSQU'À n FOIS]`."""
    parts = [loud(form.keyword, language)]
    for slot in sorted(form.slots, key=lambda s: s.lead is not None):
        lead = "" if slot.lead is None else f"{loud(slot.lead, language)} "
        count = "n " if slot.amounts else ""
        shape = f"{lead}{count}<{slot.title.printed(language)}>{', ...' if slot.many else ''}"
        parts.append(f"[{shape}]" if slot.optional else shape)
    if repeatable:
        parts.append(f"[{loud(UP_TO, language)} n {loud(TIMES, language)}]")
    return " ".join(parts)


def example(form: Form, language: Language, known: Values | None = None) -> str:
    """A line of this form made of what is `known`, else of the likeliest values.

    Empty where a name would be a guess (of all that can be named little makes sense in any one position), or where
    one thing would be named twice.
    """
    likeliest = {s.name: _likeliest(s) for s in form.slots if s.likely or not (s.optional or s.choices)}
    for values in ({**likeliest, **(known or {})}, likeliest):
        said = None if _repeats(form, values) else _slots(form.slots, values, language)
        if said is not None:
            return _joined(loud(form.keyword, language), said)
    return ""


def _likeliest(slot: Slot) -> object:
    best = next((value for value in slot.likely if in_bounds(slot, value)), "abc" if slot.text else _small(slot))
    if slot.amounts:
        return {best: _small(slot)}
    return (best,) if slot.many else best


def _repeats(form: Form, values: Values) -> bool:
    """Return True if two slots of one kind name the same thing."""
    named = [(slot.kind, thing) for slot in form.slots if slot.choices for thing in _things(values.get(slot.name))]
    return len(set(named)) < len(named)


def _things(value: object) -> set[object]:
    return set(value) if isinstance(value, tuple | Mapping) else set() if value is None else {value}


def _small(slot: Slot) -> int:
    """One, or the nearest number that the slot takes."""
    low = 1 if slot.low is None else max(slot.low, 1)
    return low if slot.high is None or low <= slot.high else slot.high


# -- from web forms ----------------------------------------------------------------------------------------------


def line_from_fields(form: Form, values: Mapping[str, str], language: Language = DEFAULT, times: int = 1) -> str:
    """The line of text that posted fields mean, so that a form and a letter are read by the same parser.

    A field holds a choice's value or any of its names; several are separated by commas; an empty one is left out.
    What fits no choice is written down as it came, for the parser to refuse with its reason.
    """
    parts = [loud(form.keyword, language)]
    before: Slot | None = None
    for slot in sorted(form.slots, key=lambda s: s.lead is not None):
        said = _field(slot, quotable(values.get(slot.name, "")), language)
        if said:
            if before is not None and _runs_on(before, parts[-1], said):
                parts[-1] += ","
            parts.append(said if slot.lead is None else f"{loud(slot.lead, language)} {said}")
            before = slot
    if times != 1:
        parts.append(f"{loud(UP_TO, language)} {times} {loud(TIMES, language)}")
    return " ".join(parts)


def _field(slot: Slot, posted: str, language: Language) -> str:
    if slot.text:
        return f'"{posted}"' if posted else ""
    if not slot.many:
        return _posted(slot.choices, posted, language)
    each = (_posted(slot.choices, part.strip(), language) for part in posted.split(","))
    return ", ".join(said for said in each if said)


def _posted(choices: Sequence[Choice], posted: str, language: Language) -> str:
    return next((c.names.printed(language) for c in choices if c.value == posted), posted)
