"""From the fields of a form to lines of the order language, in their place among the lines written so far.  Pure."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar
from zlib import crc32

from engine.kernel.forms import Choice, Fact, Form, Slot
from engine.kernel.grammar import Grammar, Section
from engine.kernel.keywords import END, FOR, ON, PASS
from engine.kernel.languages import Language
from engine.kernel.printing import (
    add_colon,
    heading,
    line_from_fields,
    print_under,
    title,
    to_keyword,
    usage,
)
from engine.kernel.spelling import fold_tokens
from pbem.common import parsers
from pbem.narration.text_cleanup import fix_spaces

T = TypeVar("T")

MOST_IN_MENU: Final = 40
"""The names that a menu may have if none of them is likely."""
MOST_KNOWN: Final = 512
"""So many lists of choices are kept as they are shown: the games make most of theirs once."""


@dataclass(frozen=True)
class Option:
    """One entry of a list of choices."""

    value: str
    label: str


class Choices:
    """The choices of slots as they are shown in a language: by name in order, and by value."""

    def __init__(self, choices: tuple[Choice, ...], language: Language) -> None:
        """All of them, in whatever order."""
        self.choices = choices
        found = (Option(choice.value, choice.names.printed(language)) for choice in choices)
        self.options = tuple(sorted(found, key=lambda option: fold_tokens(option.label)))
        self.by_value = {option.value: option for option in self.options}
        self.list_id = f"names-{crc32(repr(self.options).encode()):08x}"


_KNOWN: dict[tuple[int, Language], Choices] = {}
"""By the tuple itself, which is kept with them: to look at each of its names would cost more than to print them."""


def choices_of(choices: tuple[Choice, ...], language: Language) -> Choices:
    """The choices as they are shown, made once for each tuple and language."""
    place = (id(choices), language)
    found = _KNOWN.get(place)
    if found is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        found = _KNOWN[place] = Choices(choices, language)
    return found


@dataclass(frozen=True)
class Field:
    """One slot as a part of a form: `likely` are the choices that would be accepted now, `others` all the rest.

    `lead`: the words that introduce it.  `list_id`: the list on the page from which it suggests what to type; empty for
    a menu of its own.  Menus of many names, none of which is likely, would make most of a page.
    """

    name: str
    slot: Slot
    title: str
    likely: tuple[Option, ...]
    others: tuple[Option, ...]
    lead: str = ""
    list_id: str = ""


@dataclass(frozen=True)
class FormBuilder:
    """A form that writes one line: its key in the posted fields, how the line is written, what it does, its fields."""

    key: str
    keyword: str
    usage: str
    about: str
    fields: tuple[Field, ...]
    repeatable: bool


@dataclass(frozen=True)
class Part:
    """A question that can be answered on the page.

    `kind`: `open` (others wait for it), `optional` (open, and nobody waits), `advance` or `reaction`.
    `is_multiple`: whether it takes more than one line.  `section`: what it is made of.
    """

    key: str
    kind: str
    title: str
    about: str
    topic: str
    section: Section
    language: Language
    is_multiple: bool = True

    @cached_property
    def builders(self) -> tuple[FormBuilder, ...]:
        """Its forms: made when they are looked at, for most parts are folded."""
        forms = enumerate(self.section.forms)
        return tuple(_build_form(f"{self.key}.{n}", form, self.section, self.language) for n, form in forms)


def build_parts(
    grammar: Grammar, language: Language, owed: Collection[str], name_turn: Callable[[int], str]
) -> tuple[Part, ...]:
    """Everything that may be written, as forms; `owed` are the questions that others wait for."""
    return tuple(
        _build_part(key, section, language, owed, name_turn) for key, section in list_sections(grammar).items()
    )


def list_sections(grammar: Grammar) -> Mapping[str, Section]:
    """The sections and reactions of a grammar by a key that stays the same while the position does."""
    found = {f"s{n}": section for n, section in enumerate(grammar.sections)}
    return found | {f"r{n}": section for n, section in enumerate(grammar.reactions)}


def field_kind(key: str, section: Section) -> str:
    """How a section is answered."""
    return "open" if section.open else "reaction" if key.startswith("r") else "advance"


def _build_part(
    key: str, section: Section, language: Language, owed: Collection[str], name_turn: Callable[[int], str]
) -> Part:
    kind = field_kind(key, section)
    if kind == "open" and section.topic.key not in owed:
        kind = "optional"
    topic = section.topic
    head = title(section, language)
    if kind == "advance" and section.turn:
        head = f"{head} · {name_turn(section.turn)}"
    if kind == "reaction":
        head = f"{to_keyword(ON, language)} {head}"
    about = fix_spaces(topic.about.printed(language), language)
    return Part(key, kind, head, about, topic.key, section, language, is_multiple=topic.lines)


def list_names(parts: Iterable[Part]) -> Mapping[str, Sequence[Option]]:
    """The lists from which fields of these parts suggest what to type, each once."""
    fields = (field for part in parts for builder in part.builders for field in builder.fields)
    return {field.list_id: field.others for field in fields if field.list_id}


def pass_line(section: Section, language: Language) -> str:
    """The line that says that one wants nothing."""
    return f"{to_keyword(PASS, language)} {title(section, language)}"


def _prefix(section: Section, language: Language) -> str:
    """What a reaction begins with: `ON CIVIL WAR: `."""
    return f"{to_keyword(ON, language)} {to_keyword(section.topic.words, language)}{add_colon(language)} "


def _build_form(key: str, form: Form, section: Section, language: Language) -> FormBuilder:
    slots = sorted(form.slots, key=lambda slot: slot.lead is not None)
    fields = tuple(_build_field(f"{key}.{slot.name}", slot, language) for slot in slots)
    repeatable = section.topic.lines and form.order.may_retry
    written = usage(form, language, repeatable)
    about = fix_spaces(form.about.printed(language), language)
    return FormBuilder(key, to_keyword(form.keyword, language), written, about, fields, repeatable)


def _build_field(name: str, slot: Slot, language: Language) -> Field:
    first = dict.fromkeys(map(str, slot.suggested))
    title = slot.title.printed(language)
    lead = to_keyword(slot.lead, language) if slot.lead is not None else ""
    if not slot.choices:
        return Field(name, slot, title, tuple(Option(value, value) for value in first), (), lead)
    known = choices_of(slot.choices, language)
    likely = tuple(known.by_value[value] for value in first if value in known.by_value)
    others = tuple(option for option in known.options if option.value not in first)
    is_typed = not likely and len(others) > MOST_IN_MENU
    return Field(name, slot, title, likely, others, lead, known.list_id if is_typed else "")


def build_line(grammar: Grammar, key: str, posted: Mapping[str, Sequence[str]], language: Language) -> str | None:
    """The line that the posted fields of one builder mean; None for a key that is not offered."""
    place, _, number = key.partition(".")
    section = list_sections(grammar).get(place)
    form = _ordinal(section.forms, number) if section is not None else None
    if section is None or form is None:
        return None
    fields = {
        slot.name: ", ".join(v.strip() for v in posted.get(f"{key}.{slot.name}", ()) if v.strip())
        for slot in form.slots
    }
    times = _repeat_text(posted.get(f"{key}.times", ())) if section.topic.lines else 1
    line = line_from_fields(form, fields, language, times)
    if field_kind(place, section) == "reaction":
        return _prefix(section, language) + line
    return print_under(section, line, language)


def _ordinal(offered: Sequence[T], number: str) -> T | None:
    """The one with this number, counted from zero; None where there is none."""
    try:
        return offered[parsers.parse_whole(number, high=len(offered) - 1)]
    except ValueError:
        return None


def _repeat_text(posted: Sequence[str]) -> int:
    """How often a line is done; once unless 1 to 99 is written."""
    try:
        return parsers.parse_whole(next(iter(posted), "").strip(), 1, 99)
    except ValueError:
        return 1


def find_place(rows: Sequence[str], section: Section, language: Language, *, reaction: bool) -> tuple[int, str]:
    """Before which row a line more belongs: before the first heading, or under its own; and the heading if it lacks."""
    if section.open or reaction:
        return _find_next_break(rows, 0), ""
    head = heading(section, language)
    start = next((n for n, row in enumerate(rows) if _values_of(row) == fold_tokens(head)), None)
    return (_end_of_section(rows), head) if start is None else (_find_next_break(rows, start + 1), "")


def add_line(text: str, section: Section, line: str, language: Language, *, reaction: bool) -> str:
    """The text with a line more, where it belongs."""
    rows = text.splitlines()
    while rows and not rows[-1].strip():
        rows.pop()
    at, head = find_place(rows, section, language, reaction=reaction)
    rows[at:at] = [head, line] if head else [line]
    return "\n".join(rows) + "\n"


def _find_next_break(rows: Sequence[str], start: int) -> int:
    """Where the section that begins here ends: at the next heading, at END, or at the end."""
    marks = {word for (word, *_) in map(fold_tokens, FOR.all_forms())}
    stops = (n for n in range(start, len(rows)) if _values_of(rows[n])[:1] and _values_of(rows[n])[0] in marks)
    return min((*stops, _end_of_section(rows)))


def _end_of_section(rows: Sequence[str]) -> int:
    ends = {fold_tokens(word) for word in END.all_forms()}
    return next((n for n, row in enumerate(rows) if _values_of(row) in ends), len(rows))


def _values_of(row: str) -> tuple[str, ...]:
    """The words of a row that are no comment."""
    return fold_tokens(row.partition(";")[0])


def condition_usage(fact: Fact, language: Language) -> str:
    """How a fact is asked: `<province> IS EMPTY`."""
    before = [f"<{slot.title.printed(language)}>" for slot in fact.slots if slot.leading]
    after = [_with_lead(slot, language) for slot in fact.slots if not slot.leading]
    return " ".join((*before, to_keyword(fact.keyword, language), *after))


def _with_lead(slot: Slot, language: Language) -> str:
    shape = f"<{slot.title.printed(language)}>"
    return f"{to_keyword(slot.lead, language)} {shape}" if slot.lead is not None else shape
