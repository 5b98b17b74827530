"""Orders as text in the reader's language, for receipts, templates, help pages and web forms.

Invariant: every form parses what it prints, in each language.
"""

from collections.abc import Mapping, Sequence
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
from engine.kernel.phrasebook import in_bounds, is_within
from engine.kernel.slots import Values
from engine.kernel.spelling import clean, fold_tokens, vocabulary_of


class CannotPrint(Exception):
    """No given form or fact can write this object; the message names its class, never its content."""


@dataclass(frozen=True)
class HelpRow:
    """The help for one form: its syntax, a description, and an example line that can be sent as is.

    `example` is empty if no line of the form is known to make sense now.
    """

    usage: str
    about: str
    example: str


def to_keyword(words: Words, language: Language) -> str:
    """Return a keyword as emails print it: in capitals."""
    return words.printed(language).upper()


def add_colon(language: Language) -> str:
    """Return the colon, with the space before it that the language requires."""
    return WORDS("colon").printed(language)


# -- printing --------------------------------------------------------------------------------------------------


def print_clause(
    forms: Sequence[Form],
    thing: Order | Clause | Line | Condition | Orders,
    language: Language,
    facts: Sequence[Fact] = (),
) -> str:
    """Return an order, clause, line, condition or set of orders as text. Raises CannotPrint.

    A set gives one line of text for each Line; the empty set gives the word for passing.
    """
    if isinstance(thing, tuple):
        return "\n".join(print_line(forms, line, language, facts) for line in thing) or to_keyword(PASS, language)
    if isinstance(thing, Line):
        return print_line(forms, thing, language, facts)
    if isinstance(thing, Clause):
        return _print_plan(forms, (thing,), language, facts)
    if isinstance(thing, Condition):
        return print_condition(facts, thing, language)
    return print_order(forms, thing, language)


def print_line(forms: Sequence[Form], line: Line, language: Language, facts: Sequence[Fact] = ()) -> str:
    """Return a line as text: plan, repeat and ELSE. Raises CannotPrint."""
    parts = [_print_plan(forms, line.plan, language, facts)]
    if line.repeat != 1:
        parts.append(f"{to_keyword(UP_TO, language)} {line.repeat} {to_keyword(TIMES, language)}")
    if line.fallback:
        parts += [to_keyword(ELSE, language), _print_plan(forms, line.fallback, language, facts)]
    return " ".join(parts)


def _print_plan(forms: Sequence[Form], plan: Sequence[Clause], language: Language, facts: Sequence[Fact]) -> str:
    """Return the clauses joined by OR; a condition that several clauses share is printed once."""
    parts: list[str] = []
    when: tuple[Condition, ...] = ()
    for clause in plan:
        said = print_order(forms, clause.order, language)
        if clause.conditions != when:
            said = f"{_print_when(facts, clause.conditions, language)}{add_colon(language)} {said}"
        parts.append(said)
        when = clause.conditions
    return f" {to_keyword(OR, language)} ".join(parts)


def _print_when(facts: Sequence[Fact], when: tuple[Condition, ...], language: Language) -> str:
    if not when:
        return to_keyword(ALWAYS, language)
    said = [_print_fact(facts, c, language) for c in when]
    if len(when) == 1 and when[0].negated:
        return f"{to_keyword(UNLESS, language)} {said[0]}"
    parts = [f"{to_keyword(NOT, language)} {text}" if c.negated else text for c, text in zip(when, said, strict=True)]
    return f"{to_keyword(IF, language)} {f' {to_keyword(AND, language)} '.join(parts)}"


def print_condition(facts: Sequence[Fact], condition: Condition, language: Language) -> str:
    """Return a condition as it is written after IF. Raises CannotPrint."""
    said = _print_fact(facts, condition, language)
    return f"{to_keyword(NOT, language)} {said}" if condition.negated else said


def _print_fact(facts: Sequence[Fact], condition: Condition, language: Language) -> str:
    for fact in facts:
        if fact.name == condition.fact:
            said = _print_whole(fact, condition.about, language)
            if said is not None:
                return said
    raise CannotPrint(f"no fact is written for {condition.fact}")


def print_order(forms: Sequence[Form], order: Order, language: Language) -> str:
    """Return one order as text, by the first form that can write it. Raises CannotPrint."""
    if isinstance(order, AskMe):
        return to_keyword(ASK_ME, language)
    for form in forms:
        values = form.parse(order)
        said = None if values is None else _print_whole(form, values, language)
        if said is not None:
            return said
    raise CannotPrint(f"no form writes this {type(order).__name__}")


def form_of(forms: Sequence[Form], order: Order) -> Form | None:
    """Return the form that writes an order, or None."""
    for form in forms:
        values = form.parse(order)
        if values is not None and _print_slots(form.slots, values, DEFAULT) is not None:
            return form
    return None


def _print_whole(spoken: Form | Fact, values: Values, language: Language) -> str | None:
    """Return subject, keyword and the other slots as text. Return None if a value has no name here."""
    subject = _print_slots(_subjects(spoken), values, language)
    said = _print_slots(spoken.predicate, values, language)
    if subject is None or said is None:
        return None
    return " ".join(filter(None, (subject, to_keyword(spoken.keyword, language), said)))


def _subjects(spoken: Form | Fact) -> tuple[Slot, ...]:
    return () if spoken.subject is None else (spoken.subject,)


def _print_slots(slots: Sequence[Slot], values: Values, language: Language) -> str | None:
    """Return the slots as text, those with a lead word last. Return None if a value has no name here."""
    parts: list[str] = []
    before: Slot | None = None
    for slot in sorted(slots, key=lambda s: s.lead is not None):
        value = values.get(slot.name, slot.default)
        if slot.optional and value == slot.default:
            continue
        said = _print_value(slot, value, language)
        if said is None:
            return None
        led = said if slot.lead is None else f"{to_keyword(slot.lead, language)} {said}"
        if before is not None and parts and _runs_on(before, parts[-1], led):
            parts[-1] += ","
        parts.append(led)
        before = slot
    return " ".join(parts)


def _print_value(slot: Slot, value: object, language: Language) -> str | None:
    if slot.amounts:
        return _amounts(slot, value, language)
    if not slot.many:
        return _single(slot, value, language)
    if not isinstance(value, tuple) or not value:
        return None
    said = [_single(slot, v, language) for v in value]
    return None if None in said else ", ".join(s for s in said if s is not None)


def _amounts(slot: Slot, value: object, language: Language) -> str | None:
    """Return `2 wood, 1 wine`, in the order of the slot's choices; None if empty or if a thing has no name here."""
    if not isinstance(value, Mapping) or not value or value.keys() - {c.value for c in slot.choices}:
        return None
    named = [(value[c.value], c.names.printed(language)) for c in slot.choices if c.value in value]
    return ", ".join(f"{count} {name}" for count, name in named) if min(value.values()) > 0 else None


def _single(slot: Slot, value: object, language: Language) -> str | None:
    if slot.choices:
        choice = slot.choice_of.get(value)
        return None if choice is None else choice.names.printed(language)
    if slot.text:
        return f'"{to_quotable(value)}"' if isinstance(value, str) and fold_tokens(value) else None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def to_quotable(text: str) -> str:
    """Return free text for use in quotation marks: one line, without semicolons or quotation marks."""
    return " ".join(clean(text).replace('"', "'").replace(";", ",").split())


def _runs_on(slot: Slot, said: str, following: str) -> bool:
    """Return True if a name and the text after it would parse as one longer name (`Galley`, then `2`)."""
    if not slot.choices:
        return False
    last = said.rpartition(", ")[2]
    first = fold_tokens(following)[:1]
    run = (*fold_tokens(last), *first)
    return bool(first) and bool(vocabulary_of(slot.choices).find(run, fuzzy=False).positions)


# -- sections, reactions, templates ---------------------------------------------------------------------------------


def title(section: Section, language: Language) -> str:
    """Return the name of a section: `EXPANSION`, `WAR 2`."""
    name = to_keyword(section.topic.words, language)
    return name if section.number is None else f"{name} {section.number}"


def heading(section: Section, language: Language) -> str:
    """Return the line that opens a section: `FOR TURN 5 EXPANSION`, `FOR ROUND 3 ACTION 2`; without a turn if it has
    none.
    """
    turn = "" if not section.turn else f"{to_keyword(section.display_name, language)} {section.turn} "
    return f"{to_keyword(FOR, language)} {turn}{title(section, language)}"


def print_under(section: Section, line: str, language: Language) -> str:
    """Return a line as an email suggests it: after the name of its section if that is an open, numbered one."""
    counted = section.open and section.number is not None
    return f"{title(section, language)}{add_colon(language)} {line}" if counted else line


def print_reaction(section: Section, line: Line | None, language: Language, facts: Sequence[Fact] = ()) -> str:
    """Return reaction orders as text, `ON CIVIL WAR: MONEY`; for None, their withdrawal."""
    said = to_keyword(NONE, language) if line is None else print_line(section.forms, line, language, facts)
    return f"{to_keyword(ON, language)} {to_keyword(section.topic.words, language)}{add_colon(language)} {said}"


# -- help ------------------------------------------------------------------------------------------------------


def help_rows(section: Section, language: Language) -> tuple[HelpRow, ...]:
    """Return the help for each form of a section: syntax, description, and an example that is valid now."""
    return tuple(
        HelpRow(
            usage(form, language, section.topic.lines),
            form.about.printed(language),
            print_example(section, form, language),
        )
        for form in section.forms
    )


def print_example(section: Section, form: Form, language: Language) -> str:
    """Return the best line of a form that is valid now.

    If there is none, return "" for an open section, and an example built from the form for another.
    """
    order = next((order for order in section.examples if is_within(form, order)), None)
    if order is not None:
        return print_line((form,), Line((Clause(order),)), language)
    return "" if section.open else example(form, language)


def usage(form: Form, language: Language, repeatable: bool = False) -> str:
    """Return the syntax of a form: `ATTACK <province> <tokens> [UP TO n TIMES]`."""
    parts = [_usage_of(slot, language) for slot in _subjects(form)]
    parts.append(to_keyword(form.keyword, language))
    parts += [_usage_of(slot, language) for slot in sorted(form.predicate, key=lambda s: s.lead is not None)]
    if repeatable and form.order.may_retry:
        parts.append(f"[{to_keyword(UP_TO, language)} n {to_keyword(TIMES, language)}]")
    return " ".join(parts)


def _usage_of(slot: Slot, language: Language) -> str:
    lead = "" if slot.lead is None else f"{to_keyword(slot.lead, language)} "
    count = "n " if slot.amounts else ""
    shape = f"{lead}{count}<{slot.title.printed(language)}>{', ...' if slot.many else ''}"
    return f"[{shape}]" if slot.optional else shape


def example(form: Form, language: Language, known: Values | None = None) -> str:
    """Return a line of a form, made of the values in `known`, or of the most likely values.

    Return "" if a name would have to be guessed or one thing would be named twice.
    """
    likeliest = {s.name: _likely_value(s) for s in form.slots if s.suggested or not (s.optional or s.choices)}
    for values in ({**likeliest, **(known or {})}, likeliest):
        said = None if _names_twice(form, values) else _print_whole(form, values, language)
        if said is not None:
            return said
    return ""


def _likely_value(slot: Slot) -> object:
    best = next(
        (value for value in slot.suggested if in_bounds(slot, value)), "abc" if slot.text else _smallest_number(slot)
    )
    if slot.amounts:
        return {best: _smallest_number(slot)}
    return (best,) if slot.many else best


def _names_twice(form: Form, values: Values) -> bool:
    """Return True if two slots of one kind name the same thing."""
    named = [(slot.kind, thing) for slot in form.slots if slot.choices for thing in _value_names(values.get(slot.name))]
    return len(set(named)) < len(named)


def _value_names(value: object) -> set[object]:
    if isinstance(value, tuple | Mapping):
        return set(value)
    return set() if value is None else {value}


def _smallest_number(slot: Slot) -> int:
    """Return 1, or the nearest number that the slot accepts."""
    low = 1 if slot.low is None else max(slot.low, 1)
    return low if slot.high is None or low <= slot.high else slot.high


# -- from web forms ----------------------------------------------------------------------------------------------


def line_from_fields(form: Form, values: Mapping[str, str], language: Language = DEFAULT, times: int = 1) -> str:
    """Return the line of text for posted form fields, so that web forms and emails share one parser.

    A field has a choice's value or any of its names. Several are separated by commas; an empty field is left out. A
    value that is no choice is kept, so that the parser refuses it with its reason.
    """
    parts = _print_fields(_subjects(form), values, language)
    parts.append(to_keyword(form.keyword, language))
    parts += _print_fields(form.predicate, values, language)
    if times != 1:
        parts.append(f"{to_keyword(UP_TO, language)} {times} {to_keyword(TIMES, language)}")
    return " ".join(parts)


def _print_fields(slots: Sequence[Slot], values: Mapping[str, str], language: Language) -> list[str]:
    parts: list[str] = []
    before: Slot | None = None
    for slot in sorted(slots, key=lambda s: s.lead is not None):
        said = _field(slot, to_quotable(values.get(slot.name, "")), language)
        if said:
            if before is not None and _runs_on(before, parts[-1], said):
                parts[-1] += ","
            parts.append(said if slot.lead is None else f"{to_keyword(slot.lead, language)} {said}")
            before = slot
    return parts


def _field(slot: Slot, posted: str, language: Language) -> str:
    if slot.text:
        return f'"{posted}"' if posted else ""
    if not slot.many:
        return _choice_name(slot.choices, posted, language)
    each = (_choice_name(slot.choices, part.strip(), language) for part in posted.split(","))
    return ", ".join(said for said in each if said)


def _choice_name(choices: Sequence[Choice], posted: str, language: Language) -> str:
    return next((c.names.printed(language) for c in choices if c.value == posted), posted)
