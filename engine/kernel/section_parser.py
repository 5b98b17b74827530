"""Parsing of part of a line in the language of one section, and the reason if it cannot be parsed."""

from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Line, Problem
from engine.kernel.phrases import Phrases, SectionLanguage
from engine.kernel.refusals import build_refusal
from engine.kernel.slots import ParseFailure
from engine.kernel.spelling import Text


class SectionParser:
    """A parser of tokens in the languages of the sections of one grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self._language, self._facts = grammar.language, tuple(grammar.facts)
        self._languages: dict[int, SectionLanguage] = {}

    def language_of(self, section: Section) -> SectionLanguage:
        """Return the language of a section. Sections that share their forms share it."""
        known = self._languages.get(id(section.forms))
        if known is None:
            known = SectionLanguage(
                tuple(section.forms), self._facts, section.topic.lines or section.topic.as_standing_orders
            )
            self._languages[id(section.forms)] = known
        return known

    def parse(self, section: Section, text: Text, start: int, stop: int) -> Line | None:
        """Parse these tokens as a line of one section, forgiving misspellings only if necessary."""
        language = self.language_of(section)
        return Phrases(text, language, False).line(start, stop) or Phrases(text, language, True).line(start, stop)

    def parse_bare(self, section: Section, text: Text, start: int, stop: int) -> Line | None:
        """Parse these tokens as an order without its keyword."""
        language = self.language_of(section)
        return Phrases(text, language, False).parse_bare(start, stop) or Phrases(text, language, True).parse_bare(
            start, stop
        )

    def begins(self, section: Section, text: Text, start: int, stop: int) -> bool:
        """Return True if these tokens begin like an order or a condition of one section."""
        phrases = Phrases(text, self.language_of(section), fuzzy=True)
        return phrases.starts_order(start, stop) or phrases.looks_conditional(start, stop)

    def depth(self, section: Section, text: Text, stop: int) -> int:
        """Return the index of the token at which parsing as a line of one section fails."""
        phrases = Phrases(text, self.language_of(section), fuzzy=True)
        phrases.line(0, stop)
        return phrases.faults.worst.place if phrases.faults.worst else 0

    def explain(self, section: Section, text: Text, start: int, stop: int) -> Problem:
        """Return the problem of tokens that cannot be parsed as a line of one section."""
        phrases = Phrases(text, self.language_of(section), fuzzy=True)
        phrases.line(start, stop)
        rider = section.topic.is_reaction and not section.open
        if rider and phrases.faults.form is None:
            _explain_bare(phrases, section, start, stop)
        return build_refusal(phrases.faults, section, self._language, text.typed(start, stop), rider)


def _explain_bare(phrases: Phrases, section: Section, start: int, stop: int) -> None:
    """Set the failure of an answer without a keyword: what the only form lacks, or the keywords there are."""
    if len(section.forms) == 1:
        phrases.parse_bare(start, stop)
    else:
        shown = tuple(f.keyword for f in section.forms)
        phrases.faults.worst = ParseFailure(start, 0, "not_understood", phrases.text.typed(start, stop), shown=shown)
