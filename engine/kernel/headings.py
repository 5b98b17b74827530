"""Which section do these words name?  `TURN 5 EXPANSION`, `l'expansion du tour 5`, `achats`."""

from collections.abc import Sequence
from dataclasses import replace

from engine.kernel.forms import Topic
from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.keywords import ORDINARY, TURN, WORDS, after
from engine.kernel.spelling import MARKS, Text, numbers, vocabulary

_ARTICLES = frozenset(WORDS("small.articles").every())
_BEFORE_TURN = frozenset(WORDS("small.before_turn").every())


def turn_at(text: Text, start: int, stop: int) -> tuple[int | None, int]:
    """(turn, where its words end) of `TURN n` at `start`; (None, start) where none stands."""
    begins = after(TURN, text.words, start, stop)
    found = numbers(text.words, begins, stop) if begins != start else []
    return found[0] if found else (None, start)


def _turn_last(text: Text, start: int, stop: int) -> tuple[int | None, int]:
    """(turn, where the words before it end) of `... OF TURN n` at the end."""
    for cut in range(start + 1, stop):
        turn, end = turn_at(text, cut, stop)
        if turn is not None and end == stop:
            return turn, cut - (text.words[cut - 1] in _BEFORE_TURN)
    return None, stop


class Headings:
    """The sections of a letter by name; one that fits any turn is made for the turn that a heading names."""

    def __init__(self, grammar: Grammar) -> None:
        self._sections = grammar.sections
        answerable = {s.topic.asks: s.topic for s in grammar.sections}
        others = {t.asks: t for t in grammar.topics if not t.rider and t.asks not in answerable}
        self._topics = (*answerable.values(), *others.values())
        self._names = vocabulary(tuple(t.words for t in self._topics))
        self._made: dict[SectionKey, Section] = {}

    def named(self, text: Text, start: int, stop: int) -> Section | Topic | None:
        """The section that exactly these tokens name; its Topic when that cannot be answered now."""
        while start < stop and (text.words[start] in MARKS or text.words[start] in _ARTICLES):
            start += 1
        turn, at = turn_at(text, start, stop)
        if turn is None:
            turn, stop = _turn_last(text, start, stop)
        run = tuple(w for w in text.words[at:stop] if w not in MARKS)
        topic = self._topic(run) if run else None
        return None if topic is None else self._answerable(topic, turn) or topic

    def _topic(self, run: tuple[str, ...]) -> Topic | None:
        joined = "".join(run)
        hit = self._names.look(run, fuzzy=True)
        if len(hit.places) != 1 or (hit.cost and (len(joined) < 3 or joined in ORDINARY)):
            return None
        return self._topics[hit.places[0]]

    def _answerable(self, topic: Topic, turn: int | None) -> Section | None:
        same = [s for s in self._sections if s.topic.asks == topic.asks]
        if turn is None:
            return next((s for s in same if s.open), None) or next(iter(same), None)
        fitting = next((s for s in same if s.turn == turn), None)
        return fitting or next((self._for_turn(s, turn) for s in same if s.turn is None and not s.open), None)

    def _for_turn(self, section: Section, turn: int) -> Section:
        return self._made.setdefault((section.topic.asks, turn), replace(section, turn=turn))


class Riders:
    """Riders by name."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = tuple(sections)
        self._names = vocabulary(tuple(s.topic.words for s in sections))
        self.longest = self._names.longest
        """Words of the longest name."""

    def named(self, run: tuple[str, ...], exactly: bool) -> Section | None:
        """The rider that these words name, or None."""
        joined = "".join(run)
        hit = self._names.look(run, fuzzy=not exactly)
        short = hit.cost and (exactly or len(joined) < 3 or joined in ORDINARY)
        return self._sections[hit.places[0]] if len(hit.places) == 1 and not short else None
