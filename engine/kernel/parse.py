"""Parsing of the lines of an email: `parse_letter(lines, grammar) -> ParsedLetter`.

A line that begins like an order of the section and cannot be read becomes a Problem: losing an order is worse than
refusing a stray line. Small everyday words count only in a full construction: FOR with a topic, ON with a reaction, IF
with a known fact or an order, END and PASS alone. In an email, any other line is skipped and listed; on a form it is
refused. No text raises.
"""

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Final

from engine.kernel.forms import Topic
from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.headings import Headings, ReactionHeadings, turn_at
from engine.kernel.keywords import END, FOR, LUCK, NONE, ON, PASS, is_exactly, skip_keyword
from engine.kernel.letter_commands import LetterCommands, find_near
from engine.kernel.negation import move_negation_first
from engine.kernel.orders import Line, Problem
from engine.kernel.parsed import Command, ParsedLetter, ParsedLine, ParsedSet
from engine.kernel.phrases import Phrases
from engine.kernel.printing import heading, print_reaction, title, to_keyword
from engine.kernel.refusals import build_duplicate, list_topics
from engine.kernel.section_parser import SectionParser
from engine.kernel.spelling import MARKS, Text, clean, split_remarks, tokens

_BULLET: Final = re.compile(r"\s*(?:[-*•·‣◦▪+]+(?!\d)\s*|\(?\d{1,3}\s*[.)]\s*(?=[^\W\d])|\d{1,3}\s*-\s+(?=[^\W\d]))?")
_SHOUTED: Final = re.compile(r"[^\w>]*([^\W\d_]{3,})")
_LONGEST: Final = 120
_TOO_LONG: Final = Problem("too_long", {"most": _LONGEST}, lasting=True)
_TALK: Final = 3
"""A heading without a turn followed by more words than this is an ordinary sentence."""


def parse_letter(lines: Iterable[str], grammar: Grammar, *, chatter: bool = True) -> ParsedLetter:
    """Parse the lines of an email, without quotations and signatures. Never raises.

    `chatter`: lines that are not orders are skipped, as in an email. If False, as on a form, each is refused.
    """
    reader = _Parser(grammar, chatter)
    for number, text in enumerate(lines, 1):
        if reader.ended:
            reader.below.append(text)
        else:
            reader.parse(number, text)
    return replace(reader.result(), below_end=reader.list_orders(reader.below))


def list_order_lines(lines: Iterable[str], grammar: Grammar) -> tuple[str, ...]:
    """Return those lines that `parse_letter` would take, or would refuse, as orders or commands. Never raises."""
    return _Parser(grammar, chatter=True).list_orders(lines)


class _Parser:
    """The state of one parse: the current sections, and what was parsed so far."""

    def __init__(self, grammar: Grammar, chatter: bool) -> None:
        self.grammar, self.language, self.chatter = grammar, grammar.language, chatter
        self._read = SectionParser(grammar)
        self._facts = tuple(grammar.facts)
        self._in_remarks: dict[tuple[str, ...], tuple[str, ...]] = {}
        """The orders in what stands behind semicolons: equal remarks are read once."""
        self.asked = tuple(s for s in grammar.sections if s.open)
        self.headings = Headings(grammar)
        self.ahead = ReactionHeadings(grammar.reactions)
        self._named_commands = LetterCommands(grammar, self.headings, self.ahead)
        self.answerable = ReactionHeadings((*grammar.reactions, *(s for s in self.asked if s.topic.is_reaction)))
        self._begin()

    def _begin(self) -> None:
        """Forget what was parsed so far."""
        self.current: tuple[Section, ...] = self.asked
        self.nowhere: Problem | None = None
        self.sets: dict[SectionKey, list[ParsedLine]] = {}
        self.passes: dict[SectionKey, ParsedLine] = {}
        self.reactions: dict[str, ParsedLine] = {}
        self.commands: list[Command] = []
        self.luck: list[str] = []
        self.skipped: list[tuple[int, str]] = []
        self.doubtful: list[int] = []
        self.astray: list[ParsedLine] = []
        self.ended = False
        self.below: list[str] = []

    def list_orders(self, lines: Iterable[str]) -> tuple[str, ...]:
        """Return those lines that would be taken or refused as orders or commands in a letter of their own."""
        reader, found = copy(self), list[str]()
        reader.chatter = True
        reader._begin()
        for number, text in enumerate(lines, 1):
            reader.passes.clear()
            reader.reactions.clear()
            before = reader._count
            reader.parse(number, text)
            if reader._count > before:
                found.append(text.strip())
        return tuple(found)

    @property
    def _count(self) -> int:
        """Return how many orders, reactions, commands and refused lines were found so far."""
        lines = sum(map(len, self.sets.values())) + len(self.passes) + len(self.reactions)
        return lines + len(self.commands) + len(self.luck) + len(self.astray)

    def result(self) -> ParsedLetter:
        """Return what was parsed."""
        keys = dict.fromkeys((*self.sets, *self.passes))
        return ParsedLetter(
            {key: self._set(key) for key in keys},
            self.reactions,
            tuple(self.commands),
            tuple(self.luck),
            tuple(self.skipped),
            tuple(self.astray),
            self.ended,
            tuple(self.doubtful),
        )

    def _set(self, key: SectionKey) -> ParsedSet:
        """Return the orders of a section. PASS together with orders is refused: they contradict each other."""
        lines, passed = self.sets.get(key, []), self.passes.get(key)
        if passed is None or not lines:
            return ParsedSet(tuple(lines), passed.number if passed is not None else 0)
        refused = replace(passed, problem=Problem("pass_and_orders", {"word": passed.text}, lasting=True))
        return ParsedSet(tuple(sorted((*lines, refused), key=lambda w: w.number)))

    # -- one line -------------------------------------------------------------------------------------------

    def parse(self, number: int, written: str) -> None:
        """Parse one line of the email."""
        shown, _, comment = clean(written).partition(";")
        if not shown.strip():
            return
        if shown.lstrip().startswith(">"):
            self._skip(number, written, tokens(shown))
            return
        text = self._move_negation(tokens(_BULLET.sub("", shown, count=1)))
        stop, remarks = text.stop, split_remarks(comment)
        if is_exactly(END, text.words, 0, stop):
            self.ended = True
            self.below.extend(remarks)
        elif len(remarks) > _LONGEST:
            self._add_all(ParsedLine(number, written.strip()), _TOO_LONG)
        elif lost := self._orders_in(remarks):
            terms = {"word": lost[0], "candidates": (), "accepted": ""}
            self._add_all(ParsedLine(number, written.strip()), Problem("after_semicolon", terms, lasting=True))
        elif stop == 0 or not self._add_accepted(number, written, text, stop):
            self._skip(number, written, text)

    def _orders_in(self, remarks: tuple[str, ...]) -> tuple[str, ...]:
        """Return the orders in what stands behind semicolons."""
        if remarks and remarks not in self._in_remarks:
            self._in_remarks[remarks] = self.list_orders(remarks)
        return self._in_remarks.get(remarks, ())

    def _move_negation(self, text: Text) -> Text:
        """Return the text with the negations of its conditions moved first, unless it can be parsed unchanged.

        In `IF I HOLD Roma DO NOT STABILISE` the negation belongs to the order.
        """
        told = move_negation_first(text)
        return text if told.words == text.words or self._parses_here(text, text.stop) else told

    def _skip(self, number: int, written: str, text: Text) -> None:
        """Skip a line that is not an order; note it as ambiguous if its first word is in capitals, as orders are."""
        line = ParsedLine(number, written.strip())
        if not self.chatter:
            self._refuse(line, text)
            return
        self.skipped.append((number, line.text))
        first = _SHOUTED.match(clean(line.text))
        if first is not None and first[1].isupper():
            self.doubtful.append(number)

    def _refuse(self, line: ParsedLine, text: Text) -> None:
        """Refuse a line that is not understood on a form; it invalidates the sections that it may belong to."""
        stop = min(text.stop, _LONGEST)
        for section in self._pending_sections():
            self._add(section, replace(line, problem=self._read.explain(section, text, 0, stop)))
        if not self.current:
            unread = Problem("not_understood", {"word": line.text, "candidates": (), "accepted": ""}, lasting=True)
            self.astray.append(replace(line, problem=self.nowhere or unread))

    def _add_accepted(self, number: int, written: str, text: Text, stop: int) -> bool:
        """Parse the line as the first kind that fits. Return True if one does."""
        line = ParsedLine(number, written.strip())
        if stop > _LONGEST:
            return self._is_too_long(line, text)
        return (
            self._luck(text, stop)
            or self._pass(line, text, stop)
            or self._heading(line, text, stop)
            or self._reaction(line, text, stop)
            or self._orders(line, text, stop)
        )

    def _is_too_long(self, line: ParsedLine, text: Text) -> bool:
        """Handle a line longer than any order: refuse it and return True if it begins like one."""
        if skip_keyword(LUCK, text.words, 0, 1):
            return self._luck(text, len(text.words))
        for section in self.current:
            if Phrases(text, self._read.language_of(section), fuzzy=False).starts_order(0, _LONGEST):
                self._add(section, replace(line, problem=_TOO_LONG))
                return True
        return False

    def _luck(self, text: Text, stop: int) -> bool:
        end = skip_keyword(LUCK, text.words, 0, stop)
        if not end or end == stop:
            return False
        self.luck.append(text.raw[text.ends[end - 1] :].strip(" :,"))
        return True

    # -- PASS -----------------------------------------------------------------------------------------------

    def _pass(self, line: ParsedLine, text: Text, stop: int) -> bool:
        """Parse PASS alone, or PASS and the name of a section."""
        end = skip_keyword(PASS, text.words, 0, stop)
        if not end or (end < stop and self._parses_here(text, stop)):
            return False
        if end < stop:
            return self._pass_named(line, text, end, stop)
        waited = self._pending_sections()
        if len(waited) == 1:
            self.passes.setdefault(waited[0].key, line)
        elif self.current:
            self._add_all(line, self._ambiguous_section(to_keyword(PASS, self.language), waited))
        else:
            self._add_astray(line)
        return True

    def _pass_named(self, line: ParsedLine, text: Text, end: int, stop: int) -> bool:
        found = self.headings.find(text, end, stop)
        if isinstance(found, Section):
            self.passes.setdefault(found.key, line)
            return True
        if isinstance(found, tuple):
            problem = self._ambiguous_section(to_keyword(PASS, self.language), found)
            for section in found:
                self._add(section, replace(line, problem=problem))
            return True
        if text.words[0] not in ("pass", "passer") or stop - end > _TALK:
            return False
        problem = Problem(
            "extra_words",
            {"word": text.typed(end, stop), "candidates": (), "accepted": to_keyword(PASS, self.language)},
            lasting=True,
        )
        self._add_all(line, problem)
        return True

    def _ambiguous_section(self, word: str, sections: Sequence[Section]) -> Problem:
        """Return the problem of a word that may mean several open sections."""
        names = tuple(dict.fromkeys(title(s, self.language) for s in sections))
        accepted = f"{word} {names[0]}"
        return Problem("ambiguous", {"word": word, "candidates": names, "accepted": accepted}, lasting=True)

    # -- headings -------------------------------------------------------------------------------------------

    def _heading(self, line: ParsedLine, text: Text, stop: int) -> bool:
        """Parse a heading: FOR [TURN n] topic, with or without an order after it.

        FOR may be missing before a colon, with a turn, or in capitals.
        """
        start = skip_keyword(FOR, text.words, 0, stop)
        turn, named = turn_at(text, start, stop, self.grammar.display_names)
        if not start and turn is None and text.words[stop : stop + 1] != (":",):
            return self._counted(line, text, stop) or self._shouted_heading(line, text, stop)
        found = self.headings.find(text, start, stop)
        if found is not None:
            self._enter(line, found, text.typed(start, stop))
            return True
        if not start:
            return False
        return self._heading_and_order(line, text, start, stop) or self._bad_heading(line, text, turn, named, stop)

    def _counted(self, line: ParsedLine, text: Text, stop: int) -> bool:
        """Parse a heading with its number: `WAR 2` alone, or `WAR 2: FUEL 3`."""
        cut = text.words.index(":") if ":" in text.words[:stop] else stop
        found = self.headings.find_numbered(text, 0, cut)
        if found is None or (isinstance(found, Topic) and cut == stop and not line.text.isupper()):
            return False
        self._enter(line, found, text.typed(0, cut))
        return isinstance(found, Topic) or cut == stop or self._heading_and_order(line, text, 0, stop)

    def _shouted_heading(self, line: ParsedLine, text: Text, stop: int) -> bool:
        """Parse a heading without FOR: `MOVEMENT` alone, in full and in capitals, unless it is an order."""
        if not line.text.isupper() or self._parses_here(text, stop):
            return False
        found = self.headings.find(text, 0, stop, exactly=True)
        if found is None or isinstance(found, Topic):
            return False
        self._enter(line, found, "")
        return True

    def _enter(self, line: ParsedLine, found: Section | tuple[Section, ...] | Topic, word: str) -> None:
        """Make the named sections current; if the topic cannot be answered now, refuse the lines that follow."""
        if not isinstance(found, Topic):
            self.current = found if isinstance(found, tuple) else (found,)
            self.nowhere = None
            return
        answerable = [heading(s, self.language) for s in self.grammar.sections if not s.open]
        accepted = answerable[0] if answerable else ""
        terms = {"word": word, "candidates": tuple(answerable), "accepted": accepted}
        self.current, self.nowhere = (), Problem("not_open", terms, lasting=True)
        self.astray.append(replace(line, problem=self.nowhere))

    def _heading_and_order(self, line: ParsedLine, text: Text, start: int, stop: int) -> bool:
        """Parse a heading and an order on one line: `FOR EXPANSION: PLACE Roma 4`."""
        for cut in range(stop - 1, start, -1):
            found = self.headings.find(text, start, cut)
            if found is None or isinstance(found, Topic):
                continue
            meant = found if isinstance(found, tuple) else (found,)
            read = [(0, section, said) for section in meant if (said := self._read.parse(section, text, cut, stop))]
            begun = text.words[cut] == ":" and self._read.begins(meant[0], text, cut + 1, stop)
            if read or begun:
                self._enter(line, found, "")
                self._add_parsed(line, read, text, cut + (not read))
                return True
        return False

    def _add_parsed(self, line: ParsedLine, read: list[tuple[int, Section, Line]], text: Text, at: int) -> None:
        """Add the order after a heading, or the problem of why it cannot be parsed."""
        if read:
            self._add_best(line, read)
        else:
            for section in self.current:
                self._add(section, replace(line, problem=self._read.explain(section, text, at, text.stop)))

    def _bad_heading(self, line: ParsedLine, text: Text, turn: int | None, named: int, stop: int) -> bool:
        """Refuse a heading that cannot be parsed: always if it has a turn, or else with few words after a known topic.

        The lines after it belong to no section until the next heading, so that they do not end up in the wrong one.
        """
        start = skip_keyword(FOR, text.words, 0, stop)
        cuts = [c for c in range(start + 1, stop) if self.headings.find(text, start, c) is not None]
        if turn is None and not (cuts and stop - cuts[-1] <= _TALK):
            return False
        names = tuple(heading(s, self.language) for s in self.grammar.sections)
        word = text.typed(cuts[-1] if cuts else named, stop)
        terms = {"word": word, "candidates": names, "accepted": names[0] if names else ""}
        self.nowhere = Problem("unknown_section" if not cuts else "extra_words", terms, lasting=True)
        self.current = ()
        self.astray.append(replace(line, problem=self.nowhere))
        return True

    # -- reactions ---------------------------------------------------------------------------------------------

    def _reaction(self, line: ParsedLine, text: Text, stop: int) -> bool:
        """Parse `ON topic: answer`. ON may be missing if there is a colon and the answer can be parsed."""
        start = skip_keyword(ON, text.words, 0, stop)
        if not start and ":" not in text.words:
            return False
        for cut in range(min(stop, start + self.answerable.longest + 2), start, -1):
            run = tuple(w for w in text.words[start:cut] if w not in MARKS)
            found = self.answerable.find(run, exactly=not start) if run else ()
            if len(found) == 1:
                return self._answer_ahead(line, found[0], text, cut, stop, sure=bool(start))
            if found:
                return self._refuse_ambiguous(line, found)
        return False

    def _refuse_ambiguous(self, line: ParsedLine, found: tuple[Section, ...]) -> bool:
        """Refuse an answer if several questions of that name are open."""
        problem = self._ambiguous_section(to_keyword(ON, self.language), found)
        for section in found:
            self._add(section, replace(line, problem=problem))
        return True

    def _answer_ahead(self, line: ParsedLine, section: Section, text: Text, at: int, stop: int, sure: bool) -> bool:
        colon = (at < stop and text.words[at] == ":") or text.words[at - 1] == ":"
        while at < stop and text.words[at] in MARKS - {"-"}:
            at += 1
        if is_exactly(NONE, text.words, at, stop) and not section.open:
            self._add_reaction(section, replace(line, is_withdrawal=True))
            return True
        found = self._read.parse(section, text, at, stop) or self._read.parse_bare(section, text, at, stop)
        if found is None and not sure:
            return False
        if found is None and not colon and stop - at > _TALK and not self._read.begins(section, text, at, stop):
            return False
        problem = None if found is not None else self._read.explain(section, text, at, stop)
        self._add_reaction(section, replace(line, line=found, problem=problem))
        return True

    def _add_reaction(self, section: Section, line: ParsedLine) -> None:
        """Store reaction orders, one answer for each topic; two different answers in one email are refused."""
        if section.open:
            self._add(section, line)
            return
        asks = section.topic.key
        earlier = self.reactions.get(asks)
        if earlier is not None and (earlier.line, earlier.is_withdrawal) != (line.line, line.is_withdrawal):
            line = replace(line, line=None, is_withdrawal=False, problem=build_duplicate(line.text, earlier.text))
        self.reactions[asks] = line

    # -- orders ---------------------------------------------------------------------------------------------

    def _orders(self, line: ParsedLine, text: Text, stop: int) -> bool:
        """Parse an order of the current sections, else a command, else an order of another section."""
        for fuzzy in (False, True):
            found = self._readings(text, stop, fuzzy)
            if found:
                self._add_best(line, found)
                return True
            if not fuzzy and self._command(line, text, stop):
                return True
        meant = [s for s in self.current if self._read.begins(s, text, 0, stop)]
        if self._refuse_elsewhere(line, text, stop, whole=bool(meant)):
            return True
        if meant:
            section = max(meant, key=lambda s: self._read.depth(s, text, stop))
            self._add(section, replace(line, problem=self._read.explain(section, text, 0, stop)))
        return bool(meant)

    def _readings(self, text: Text, stop: int, fuzzy: bool) -> list[tuple[int, Section, Line]]:
        found: list[tuple[int, Section, Line]] = []
        for section in self.current:
            attempt = self._read.attempt(section, text, 0, stop, fuzzy)
            if attempt.line is not None:
                found.append((attempt.cost, section, attempt.line))
        return found

    def _add_best(self, line: ParsedLine, found: list[tuple[int, Section, Line]]) -> None:
        """Add the cheapest parse.

        If it fits several questions, it is refused, unless only one of them blocks.
        """
        best = min(cost for cost, _, _ in found)
        plainest = [(section, read) for cost, section, read in found if cost == best]
        awaited = [(section, read) for section, read in plainest if not section.optional]
        plainest = awaited if len(awaited) == 1 else plainest
        if len(plainest) > 1:
            names = tuple(heading(section, self.language) for section, _ in plainest)
            terms = {"word": line.text, "candidates": names, "accepted": names[0]}
            self._add_all(line, Problem("ambiguous", terms, lasting=True))
        else:
            self._add(plainest[0][0], replace(line, line=plainest[0][1]))

    def _parses_here(self, text: Text, stop: int) -> bool:
        return bool(self._readings(text, stop, fuzzy=False))

    def _refuse_elsewhere(self, line: ParsedLine, text: Text, stop: int, whole: bool) -> bool:
        """Refuse an order of a section that is not current; skipping it would lose it. `whole`: only if it fits."""
        here = {id(s) for s in self.current}
        for section in self.grammar.sections:
            if id(section) not in here and self._read.fits(section, text, stop, whole=whole):
                self._refuse_misplaced(line, section, heading(section, self.language))
                return True
        for section in () if whole else self.grammar.reactions:
            found = Phrases(text, self._read.language_of(section), False).line(0, stop)
            if found is not None:
                self._refuse_misplaced(line, section, print_reaction(section, found, self.language, self._facts))
                return True
        return False

    def _refuse_misplaced(self, line: ParsedLine, section: Section, accepted: str) -> None:
        if self.nowhere is not None:
            self.astray.append(replace(line, problem=self.nowhere))
            return
        names = list_topics((section.topic.words,), self.language)
        terms = {"word": line.text, "candidates": names, "accepted": accepted}
        self._add_all(line, Problem("other_section", terms, lasting=True))

    # -- commands -------------------------------------------------------------------------------------------

    def _command(self, line: ParsedLine, text: Text, stop: int) -> bool:
        """Parse a command in full; or abbreviated or misspelled, if no order of the section is meant."""
        made = self._named_commands.parse(line, text, stop)
        if made is None:
            made = find_near(line, text, stop)
            if made is None or any(self._read.begins(s, text, 0, stop) for s in self.current):
                return False
        self.commands.append(made)
        return True

    # -- where lines go -------------------------------------------------------------------------------------

    def _add(self, section: Section, line: ParsedLine) -> None:
        self.sets.setdefault(section.key, []).append(line)

    def _add_all(self, line: ParsedLine, problem: Problem) -> None:
        """Add a problem to each section that the line may belong to; if there is none, to the unmatched lines."""
        for section in self._pending_sections():
            self._add(section, replace(line, problem=problem))
        if not self.current:
            self.astray.append(replace(line, problem=self.nowhere or problem))

    def _pending_sections(self) -> Sequence[Section]:
        """Return the current sections that block, or all current ones if none does."""
        return [s for s in self.current if not s.optional] or self.current

    def _add_astray(self, line: ParsedLine) -> None:
        nothing = Problem("not_open", {"word": line.text, "candidates": (), "accepted": ""}, lasting=True)
        self.astray.append(replace(line, problem=self.nowhere or nothing))
