"""Parsing of part of a line in the language of one section, and the reason if it cannot be parsed."""

from dataclasses import replace
from typing import NamedTuple

from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Line, Problem
from engine.kernel.phrases import Phrases, SectionLanguage
from engine.kernel.refusals import build_refusal
from engine.kernel.slots import ParseFailure, ParseFailures
from engine.kernel.spelling import Text


class Attempt(NamedTuple):
    """What came of some tokens as a line of one section: the line, or None, its cost, and why it failed.

    `further`: where a variant of a form failed, if one was tried.
    """

    line: Line | None
    cost: int
    faults: ParseFailures
    further: ParseFailure | None = None


class SectionParser:
    """A parser of tokens in the languages of the sections of one grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self._language, self._facts = grammar.language, tuple(grammar.facts)
        self._languages: dict[int, SectionLanguage] = {}
        self._attempts: dict[tuple[int, Text, int, int, bool], Attempt] = {}
        self._begun: dict[tuple[int, Text, int, int], bool] = {}

    def language_of(self, section: Section) -> SectionLanguage:
        """Return the language of a section. Sections that share their forms share it."""
        known = self._languages.get(id(section.forms))
        if known is None:
            plans = section.topic.lines or section.topic.as_standing_orders
            known = self._languages[id(section.forms)] = SectionLanguage(tuple(section.forms), self._facts, plans)
        return known

    def attempt(self, section: Section, text: Text, start: int, stop: int, fuzzy: bool) -> Attempt:
        """Parse these tokens as a line of one section. Equal lines and sections with the same forms are parsed once."""
        language = self.language_of(section)
        key = (id(language), text, start, stop, fuzzy)
        known = self._attempts.get(key)
        if known is None:
            phrases = Phrases(text, language, fuzzy)
            known = Attempt(phrases.line(start, stop), phrases.cost, phrases.faults)
            variants = tuple(variant for form in section.forms for variant in form.variants)
            if known.line is None and variants and not fuzzy:
                other = Phrases(text, replace(language, forms=(*language.forms, *variants)), fuzzy)
                known = Attempt(other.line(start, stop), other.cost, phrases.faults, other.faults.worst)
            self._attempts[key] = known
        return known

    def parse(self, section: Section, text: Text, start: int, stop: int) -> Line | None:
        """Parse these tokens as a line of one section, forgiving misspellings only if necessary."""
        attempts = (self.attempt(section, text, start, stop, fuzzy) for fuzzy in (False, True))
        return next((attempt.line for attempt in attempts if attempt.line), None)

    def parse_bare(self, section: Section, text: Text, start: int, stop: int) -> Line | None:
        """Parse these tokens as an order without its keyword."""
        language = self.language_of(section)
        attempts = (Phrases(text, language, fuzzy).parse_bare(start, stop) for fuzzy in (False, True))
        return next((line for line in attempts if line is not None), None)

    def begins(self, section: Section, text: Text, start: int, stop: int) -> bool:
        """Return True if these tokens begin like an order or a condition of one section."""
        language = self.language_of(section)
        key = (id(language), text, start, stop)
        if key not in self._begun:
            phrases = Phrases(text, language, fuzzy=True)
            self._begun[key] = phrases.starts_order(start, stop) or phrases.looks_conditional(start, stop)
        return self._begun[key]

    def fits(self, section: Section, text: Text, stop: int, *, whole: bool) -> bool:
        """Return True if a line is an order of one section: as a `whole`, or as it begins, nothing misspelt."""
        if whole:
            return self.attempt(section, text, 0, stop, fuzzy=False).line is not None
        return Phrases(text, self.language_of(section), fuzzy=False).starts_in_full(stop)

    def depth(self, section: Section, text: Text, stop: int) -> int:
        """Return the index of the token at which parsing as a line of one section fails."""
        worst = self.attempt(section, text, 0, stop, fuzzy=True).faults.worst
        return worst.place if worst else 0

    def explain(self, section: Section, text: Text, start: int, stop: int) -> Problem:
        """Return the problem of tokens that cannot be parsed as a line of one section."""
        faults = self.attempt(section, text, start, stop, fuzzy=True).faults
        further = self.attempt(section, text, start, stop, fuzzy=False).further
        if further is not None:
            forms = {id(variant): form for form in section.forms for variant in form.variants}
            faults.add(replace(further, form=forms.get(id(further.form), further.form), values=None))
        reaction = section.topic.is_reaction and not section.open
        if reaction and faults.form is None:
            faults = self._explain_bare(section, text, start, stop)
        return build_refusal(faults, section, self._language, text.typed(start, stop), reaction)

    def _explain_bare(self, section: Section, text: Text, start: int, stop: int) -> ParseFailures:
        """Return the failure of an answer without a keyword: what the only form lacks, or the keywords there are."""
        phrases = Phrases(text, self.language_of(section), fuzzy=True)
        phrases.line(start, stop)
        if len(section.forms) == 1:
            phrases.parse_bare(start, stop)
        else:
            shown = tuple(f.keyword for f in section.forms)
            phrases.faults.worst = ParseFailure(start, 0, "not_understood", text.typed(start, stop), shown=shown)
        return phrases.faults
