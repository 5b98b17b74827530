"""Section names in headings: `TURN 5 EXPANSION`, `l'expansion du tour 5`, `ROUND 3 ACTION 2`, `achats`."""

from collections.abc import Sequence
from dataclasses import replace

from engine.kernel.catalogues import Words
from engine.kernel.forms import Topic
from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.keywords import ORDINARY, TURN, WORDS, skip_keyword
from engine.kernel.spelling import MARKS, Text, build_vocabulary, numbers

_ARTICLES = frozenset(WORDS("small.articles").all_forms())
_BEFORE_TURN = frozenset(WORDS("small.before_turn").all_forms())

NamedHeading = Section | tuple[Section, ...] | Topic | None
"""A section; several, if a number is missing; a topic that cannot be answered now; or None."""


def turn_at(text: Text, start: int, stop: int, called: Words = TURN) -> tuple[int | None, int]:
    """Return (turn, index after it) of `TURN n` at `start`, or (None, start).

    `called`: the game's own word for a turn, accepted as well.
    """
    begins = max(skip_keyword(TURN, text.words, start, stop), skip_keyword(called, text.words, start, stop))
    found = numbers(text.words, begins, stop) if begins != start else []
    return found[0] if found else (None, start)


def _turn_last(text: Text, start: int, stop: int, called: Words) -> tuple[int | None, int]:
    """Return (turn, index where the words before it end) of `... OF TURN n` at the end."""
    for cut in range(start + 1, stop):
        turn, end = turn_at(text, cut, stop, called)
        if turn is not None and end == stop:
            return turn, cut - (text.words[cut - 1] in _BEFORE_TURN)
    return None, stop


def _number_last(run: tuple[str, ...]) -> tuple[int | None, tuple[str, ...]]:
    """Return (number, the words before it) of `WAR 2`, or (None, all words)."""
    for cut in range(len(run) - 1, max(0, len(run) - 3), -1):
        for number, end in numbers(run, cut, len(run)):
            if end == len(run) and number is not None:
                return number, run[:cut]
    return None, run


class Headings:
    """The sections of an email by name.

    A section for any turn is copied for the turn that a heading names.
    """

    def __init__(self, grammar: Grammar) -> None:
        self._sections, self._called = grammar.sections, grammar.display_names
        answerable = {s.topic.key: s.topic for s in grammar.sections}
        others = {t.key: t for t in grammar.topics if not t.is_reaction and t.key not in answerable}
        self._topics = (*answerable.values(), *others.values())
        self._names = build_vocabulary(tuple(t.words for t in self._topics))
        self._made: dict[SectionKey, Section] = {}

    def find(self, text: Text, start: int, stop: int, *, exactly: bool = False) -> NamedHeading:
        """Return what exactly these tokens name. `exactly`: no abbreviation or misspelling is accepted."""
        while start < stop and (text.words[start] in MARKS or text.words[start] in _ARTICLES):
            start += 1
        turn, at = turn_at(text, start, stop, self._called)
        if turn is None:
            turn, stop = _turn_last(text, start, stop, self._called)
        run = tuple(w for w in text.words[at:stop] if w not in MARKS)
        topic, number = self._topic_and_number(run, fuzzy=not exactly)
        if topic is None and turn is None:
            topic, turn = self._topic_and_turn(run, fuzzy=not exactly)
        return None if topic is None else self._answerable(topic, turn, number) or topic

    def find_numbered(self, text: Text, start: int, stop: int) -> Section | Topic | None:
        """Return the section that these tokens name in full with its number (`WAR 2`).

        Return its topic if it is not asked now, or None if the tokens name no numbered section.
        """
        found = self.find(text, start, stop, exactly=True)
        if isinstance(found, Topic):
            run = tuple(w for w in text.words[start:stop] if w not in MARKS)
            _, number = self._topic_and_number(run, fuzzy=False)
            return found if found.counted and number is not None else None
        if isinstance(found, Section) and found.number is not None and text.words[stop - 1].isalnum():
            return found
        return None

    def _topic_and_number(self, run: tuple[str, ...], *, fuzzy: bool) -> tuple[Topic | None, int | None]:
        found = self._topic(run, fuzzy) if run else None
        if found is not None:
            return found, None
        number, rest = _number_last(run)
        found = self._topic(rest, fuzzy) if number is not None and rest else None
        return (found, number) if found is not None and found.counted else (None, None)

    def _topic_and_turn(self, run: tuple[str, ...], *, fuzzy: bool) -> tuple[Topic | None, int | None]:
        """Return what `SPRING 1902` names: of a topic that is not counted, a number behind it is the turn."""
        turn, rest = _number_last(run)
        topic = self._topic(rest, fuzzy) if turn is not None and rest else None
        return (topic, turn) if topic is not None and not topic.counted else (None, None)

    def _topic(self, run: tuple[str, ...], fuzzy: bool) -> Topic | None:
        joined = "".join(run)
        hit = self._names.find(run, fuzzy=fuzzy)
        short = hit.cost and (not fuzzy or len(joined) < 3 or joined in ORDINARY)
        return self._topics[hit.positions[0]] if len(hit.positions) == 1 and not short else None

    def _answerable(self, topic: Topic, turn: int | None, number: int | None) -> Section | tuple[Section, ...] | None:
        same = [s for s in self._sections if s.topic.key == topic.key and number in (None, s.number)]
        if turn is None:
            return _one_or_all([s for s in same if s.open]) or next(iter(same), None)
        fitting = _one_or_all([s for s in same if s.turn == turn])
        return fitting or next((self._for_turn(s, turn) for s in same if s.turn is None and not s.open), None)

    def _for_turn(self, section: Section, turn: int) -> Section:
        made = replace(section, turn=turn)
        return self._made.setdefault(made.key, made)


def _one_or_all(sections: Sequence[Section]) -> Section | tuple[Section, ...] | None:
    """Return the section; all of them if they differ by number; or None."""
    if len(sections) > 1 and sections[0].topic.counted:
        return tuple(sections)
    return next(iter(sections), None)


class ReactionHeadings:
    """Reactions by name, and open questions that can be answered in the same way."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._by_topic: dict[str, list[Section]] = {}
        for section in sections:
            self._by_topic.setdefault(section.topic.key, []).append(section)
        self._names = build_vocabulary(tuple(same[0].topic.words for same in self._by_topic.values()))
        self.longest = self._names.longest + any(s.number is not None for s in sections)
        """The number of words of the longest name."""

    def find(self, run: tuple[str, ...], exactly: bool) -> tuple[Section, ...]:
        """Return the sections that these words name: the open ones, or else the first; empty if there is none."""
        found = self._find(run, exactly)
        number, rest = _number_last(run)
        if not found and number is not None and rest:
            found = [s for s in self._find(rest, exactly) if s.number == number]
        return tuple([s for s in found if s.open] or found[:1])

    def _find(self, run: tuple[str, ...], exactly: bool) -> list[Section]:
        joined = "".join(run)
        hit = self._names.find(run, fuzzy=not exactly)
        short = hit.cost and (exactly or len(joined) < 3 or joined in ORDINARY)
        return [] if short or len(hit.positions) != 1 else list(self._by_topic.values())[hit.positions[0]]
