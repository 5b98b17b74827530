"""What may be written now: every question with its forms, what may be named, likely lines, default and deadline."""

from collections.abc import Iterable
from typing import Literal, cast

from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.grammar import Section, key_of
from engine.kernel.keywords import ON
from engine.kernel.languages import Language
from engine.kernel.printing import (
    add_colon,
    heading,
    help_rows,
    print_example,
    print_line,
    print_reaction,
    print_under,
    to_keyword,
    usage,
)
from pbem.narration.facts import OpenQuestion
from pbem.service.pages import game_pages
from pbem.web import order_builder
from pbem.web.api import shapes
from pbem.web.api.guard import ApiRequest
from pbem.web.api.plain import to_optional_moment
from pbem.web.presenter import Presenter

Kind = Literal["open", "optional", "advance", "reaction"]


def list_questions(call: ApiRequest) -> shapes.Questions:
    """Every question that you may answer now, or ahead."""
    page = _load_page(call)
    telling = Presenter(call.visit, page.frame, page.seen, lambda: page.grammar)
    made = _QuestionBuilder(telling, page)
    ahead = call.query(shapes.QuestionQuery).advance
    found = [made.question(key, section) for key, section in made.sections() if ahead or section.open]
    facts = _facts(page, call.visit.language)
    return shapes.Questions(call.game, page.frame.entry, call.seat, found, made.vocabularies, facts)


def get_help(call: ApiRequest) -> shapes.Help:
    """Every line that may be written now or ahead, with an example."""
    page, language = _load_page(call), call.visit.language
    owed = _blocking_topics(page)
    parts = []
    for key, section in order_builder.list_sections(page.grammar).items():
        rows = [shapes.HelpRow(row.usage, row.about, row.example) for row in help_rows(section, language)]
        topic = section.topic
        title = topic.words.printed(language).capitalize()
        parts.append(shapes.HelpPart(title, topic.about.printed(language), _kind(key, section, owed), rows))
    return shapes.Help(call.game, page.frame.entry, parts, _facts(page, language))


def _load_page(call: ApiRequest) -> game_pages.SeatPage:
    return game_pages.load_seat_page(call.visit.services, call.user, call.game, call.seat)


def _blocking_topics(page: game_pages.SeatPage) -> frozenset[str]:
    return frozenset(o.decision.topic for o in page.questions if o.decision.blocking)


def _kind(key: str, section: Section, owed: Iterable[str]) -> Kind:
    kind = order_builder.field_kind(key, section)
    return cast(Kind, "optional" if kind == "open" and section.topic.key not in owed else kind)


class _QuestionBuilder:
    """The questions of one page; lists of what may be named are said once, however many forms need them."""

    def __init__(self, telling: Presenter, page: game_pages.SeatPage) -> None:
        self.telling, self.page, self.language = telling, page, telling.language
        self.vocabularies: dict[str, list[shapes.Choice]] = {}
        self._known: dict[tuple[Choice, ...], str] = {}
        self._owed = _blocking_topics(page)

    def sections(self) -> Iterable[tuple[str, Section]]:
        """All sections and reactions with their keys."""
        return order_builder.list_sections(self.page.grammar).items()

    def question(self, key: str, section: Section) -> shapes.Question:
        """One question."""
        topic, kind = section.topic, _kind(key, section, self._owed)
        owed = self._owed_here(section) if section.open else None
        return shapes.Question(
            key,
            kind,
            topic.key,
            self.telling.topic(topic.key, section.number),
            topic.about.printed(self.language),
            self._heading(kind, section),
            not topic.lines,
            topic.may_pass,
            self._likely(kind, section),
            [self._form(section, form) for form in section.forms],
            self.telling.question(owed.decision) if owed is not None else "",
            self.telling.default(owed.decision) if owed is not None else "",
            self.telling.rule(topic.key),
            to_optional_moment(owed.due) if owed is not None else None,
            owed.answered if owed is not None else False,
        )

    def _owed_here(self, section: Section) -> OpenQuestion | None:
        mine = (o for o in self.page.questions if o.decision.topic == section.topic.key)
        return next((o for o in mine if key_of(section.topic, o.decision.gate) == section.key), None)

    def _heading(self, kind: Kind, section: Section) -> str:
        if kind == "reaction":
            words = to_keyword(section.topic.words, self.language)
            return f"{to_keyword(ON, self.language)} {words}{add_colon(self.language)}"
        return heading(section, self.language)

    def _likely(self, kind: Kind, section: Section) -> list[str]:
        facts = self.page.grammar.facts
        if kind == "reaction":
            return [print_reaction(section, line, self.language, facts) for line in section.likely]
        said = (print_line(section.forms, line, self.language, facts) for line in section.likely)
        return [print_under(section, line, self.language) for line in said]

    def _form(self, section: Section, form: Form) -> shapes.Form:
        return shapes.Form(
            to_keyword(form.keyword, self.language),
            usage(form, self.language, section.topic.lines),
            form.about.printed(self.language),
            print_example(section, form, self.language),
            section.topic.lines,
            [self._slot(slot) for slot in form.slots],
        )

    def _slot(self, slot: Slot) -> shapes.Slot:
        kind: Literal["choice", "number", "text"] = "choice" if slot.choices else "text" if slot.text else "number"
        return shapes.Slot(
            slot.name,
            slot.title.printed(self.language),
            kind,
            slot.many,
            slot.optional,
            slot.lead.printed(self.language).upper() if slot.lead is not None else None,
            slot.low,
            slot.high,
            self._vocabulary(slot.choices) if slot.choices else None,
            list(slot.suggested),
            slot.amounts,
        )

    def _vocabulary(self, choices: tuple[Choice, ...]) -> str:
        if choices not in self._known:
            name = f"v{len(self._known) + 1}"
            self._known[choices] = name
            self.vocabularies[name] = [shapes.Choice(c.value, c.names.printed(self.language)) for c in choices]
        return self._known[choices]


def _facts(page: game_pages.SeatPage, language: Language) -> list[shapes.Fact]:
    found = page.grammar.facts
    return [
        shapes.Fact(fact.name, order_builder.condition_usage(fact, language), fact.about.printed(language))
        for fact in found
    ]
