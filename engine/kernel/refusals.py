"""The Problem of a line that could not be parsed, for its receipt, with a line that would be valid."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.grammar import Section
from engine.kernel.languages import Language
from engine.kernel.orders import Clause, Line, Problem
from engine.kernel.printing import CannotPrint, example, form_of, print_line, print_reaction
from engine.kernel.slots import ParseFailure, ParseFailures, Values
from engine.kernel.spelling import fold_tokens, vocabulary_of

_NEAR = 3
_SHORT_LIST = 12


def build_refusal(
    faults: ParseFailures, section: Section, language: Language, written: str, reaction: bool = False
) -> Problem:
    """Return the problem of a line that begins like an order and cannot be parsed.

    Terms: `word` (the words that stopped parsing, as typed), `candidates` (names in the reader's language, likeliest
    first), `slot` (its title), `low` and `high` of a number, `accepted` (the nearest valid line).

    `reaction`: the line is for a reaction.
    """
    fault = _widen(faults.worst or ParseFailure(0, 0, "not_understood", written), section)
    form = fault.form or faults.form
    terms: dict[str, object] = {"word": fault.word, "candidates": _candidates(fault, section, language)}
    if fault.slot is not None:
        terms["slot"] = fault.slot.title.printed(language)
    if fault.code in ("out_of_range", "sum_out_of_range") and fault.slot is not None:
        terms |= {"low": fault.slot.low, "high": fault.slot.high}
    terms["accepted"] = nearest_line(section, form, fault.values or {}, language, reaction)
    return Problem(fault.code, terms, lasting=True)


def build_duplicate(written: str, earlier: str) -> Problem:
    """Return the problem of a line that gives an order again that an earlier line has given."""
    return Problem("said_twice", {"word": written, "candidates": (earlier, written), "accepted": written}, lasting=True)


def _widen(fault: ParseFailure, section: Section) -> ParseFailure:
    """Return the failure with the names of all forms with its keyword, such as every sort of card after `PLAY`."""
    form, slot = fault.form, fault.slot
    if form is None or slot is None or not slot.choices:
        return fault
    sisters = (s for f in section.forms if f.keyword == form.keyword for s in f.slots)
    alike = [s for s in sisters if (s.name, s.kind) == (slot.name, slot.kind) and s != slot]
    if not alike:
        return fault
    choices = tuple(dict.fromkeys(c for s in (slot, *alike) for c in s.choices))
    wide = replace(
        slot, choices=choices, suggested=tuple(dict.fromkeys(v for s in (slot, *alike) for v in s.suggested))
    )
    found = vocabulary_of(choices).find(fold_tokens(fault.word), fuzzy=True).positions if fault.found else ()
    return replace(fault, slot=wide, found=found)


def nearest_line(
    section: Section, form: Form | None, values: Values, language: Language, reaction: bool = False
) -> str:
    """Return the line most similar to what was parsed; "" if there is none.

    It is a valid line of the same form that shares most values. Where nothing is judged yet, it is the form with its
    likely values.
    """
    line = _valid_line(section, form, values)
    if line is not None:
        said = _print_candidate(section, line, language, reaction)
        if said:
            return said
    chosen = form or next(iter(section.forms), None)
    if chosen is None or section.moves is not None:
        return ""
    return _with_reaction_heading(section, example(chosen, language, values), language, reaction)


def _valid_line(section: Section, form: Form | None, values: Values) -> Line | None:
    known = [line for line in section.likely if line.plan]
    if form is None:
        return next(iter(known), None)
    same = [line for line in known if form_of(section.forms, line.plan[0].order) is form]
    near = section.moves().closest(form, values) if section.moves is not None else None
    if near is not None:
        same.append(Line((Clause(near),)))
    return max(same, key=lambda line: _count_shared_values(form, line, values), default=None)


def _count_shared_values(form: Form, line: Line, values: Values) -> int:
    said = form.parse(line.plan[0].order) or {}
    return sum(said.get(name) == value for name, value in values.items())


def _print_candidate(section: Section, line: Line, language: Language, reaction: bool) -> str:
    try:
        if reaction:
            return print_reaction(section, line, language)
        return print_line(section.forms, line, language)
    except CannotPrint:
        return ""


def _with_reaction_heading(section: Section, said: str, language: Language, reaction: bool) -> str:
    if not reaction or not said:
        return said
    return f"{print_reaction(section, None, language).rpartition(':')[0]}: {said}"


def _candidates(fault: ParseFailure, section: Section, language: Language) -> tuple[str, ...]:
    """Return names that may have been meant: the ambiguous ones, else similar ones, else legal ones."""
    if fault.shown:
        return _unique(w.printed(language).upper() for w in fault.shown)
    slot = fault.slot
    if slot is None or not slot.choices:
        return _unique(str(n) for n in slot.suggested) if slot is not None else ()
    if fault.found:
        return _names((slot.choices[p] for p in fault.found), slot, language)
    near = _choices_spelled_like(slot, fault.word)
    if near:
        return _unique(_choice_names(near, language))
    return _names(_legal_choices(fault, section), slot, language)[:_SHORT_LIST]


def _choices_spelled_like(slot: Slot, word: str) -> list[Choice]:
    run = fold_tokens(word)
    joined = "".join(run)
    if not joined:
        return []
    limit = min(_NEAR, len(joined) // 2)
    return [slot.choices[place] for _, _, place in vocabulary_of(slot.choices).nearest(run, joined, limit)]


def _legal_choices(fault: ParseFailure, section: Section) -> list[Choice]:
    """Return the choices that are legal in an open section, and the likely ones in another; all if they are few."""
    slot, form = fault.slot, fault.form
    assert slot is not None
    known: Iterable[str | int] = slot.suggested
    if section.moves is not None and form is not None:
        alike = [one for one in section.moves().forms if one.keyword == form.keyword]
        named = [(one, s) for one in alike for s in one.slots if (s.name, s.kind) == (slot.name, slot.kind)]
        values = fault.values if fault.values is not None and len(named) == 1 else {}
        known = {value for one, s in named for value in section.moves().choices(one, values, s).legal}
    found = [choice for choice in slot.choices if choice.value in known]
    return found or (list(slot.choices) if len(slot.choices) <= _SHORT_LIST else [])


def _names(choices: Iterable[Choice], slot: Slot, language: Language) -> tuple[str, ...]:
    """Return names, the likely ones first; likelihood never decides what was meant."""
    order = {value: n for n, value in enumerate(slot.suggested)}
    return _unique(_choice_names(sorted(choices, key=lambda c: order.get(c.value, len(order))), language))


def _choice_names(choices: Sequence[Choice], language: Language) -> list[str]:
    return [c.names.printed(language) for c in choices]


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def list_topics(words: Iterable[Words], language: Language) -> tuple[str, ...]:
    """Return names of sections as headings show them, each once."""
    return _unique(w.printed(language).upper() for w in words)
