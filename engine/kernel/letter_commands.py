"""Commands in an email: STATUS, HELP [word], REPORT [turn], WITHDRAW [section], ABSENT days, RESIGN [YES] ..."""

from dataclasses import replace
from typing import Final

from engine.kernel.grammar import Grammar, Section
from engine.kernel.headings import Headings, ReactionHeadings, turn_at
from engine.kernel.keywords import COMMANDS, FOR, ON, ORDINARY, skip_keyword
from engine.kernel.orders import Problem
from engine.kernel.parsed import Command, ParsedLine
from engine.kernel.printing import to_keyword
from engine.kernel.refusals import list_topics
from engine.kernel.spelling import MARKS, Text, build_vocabulary, numbers

_LONGEST_HELP: Final = 6
"""The most words after HELP."""


def find_near(line: ParsedLine, text: Text, stop: int) -> Command | None:
    """Return the command that a single word abbreviates or misspells; None if there is none, or several."""
    word = "".join(text.words[:stop])
    if stop != 1 or len(word) < 4 or word in ORDINARY:
        return None
    hit = build_vocabulary(tuple(COMMANDS.values())).find((word,), fuzzy=len(word) > 4)
    return Command(line.number, line.text, tuple(COMMANDS)[hit.positions[0]]) if len(hit.positions) == 1 else None


class LetterCommands:
    """A parser of commands, for the sections and reactions of one grammar."""

    def __init__(self, grammar: Grammar, headings: Headings, ahead: ReactionHeadings) -> None:
        self._grammar, self._headings, self._ahead = grammar, headings, ahead

    def parse(self, line: ParsedLine, text: Text, stop: int) -> Command | None:
        """Return the command that a line begins with, written in full.

        Returns None if it begins with none, or if the words after REPORT, ADDRESS or HELP do not fit.
        """
        for name, fixed in COMMANDS.items():
            end = skip_keyword(fixed, text.words, 0, stop)
            if end:
                return self._parse_command(line, name, text, end, stop)
        return None

    def _parse_command(self, line: ParsedLine, name: str, text: Text, end: int, stop: int) -> Command | None:
        command = Command(line.number, line.text, name)
        if end == stop:
            return command
        if name == "help" and stop - end <= _LONGEST_HELP:
            return replace(command, word=text.typed(end, stop))
        if name == "address" and "@" in text.typed(end, stop):
            return replace(command, word=text.typed(end, stop).lstrip(": "))
        if name in ("away", "resign"):
            return replace(command, word=text.typed(end, stop))
        if name == "report":
            turn, at = turn_at(text, end, stop, self._grammar.display_names)
            found = [(turn, at)] if turn is not None else numbers(text.words, end, stop)
            return replace(command, turn=found[0][0]) if found and found[0][1] == stop else None
        return self._withdrawal(command, text, end, stop) if name == "withdraw" else None

    def _withdrawal(self, command: Command, text: Text, end: int, stop: int) -> Command:
        """Return the withdrawal of a section or of reaction orders.

        An unknown name is refused, never taken for all.
        """
        begins = skip_keyword(ON, text.words, end, stop)
        run = tuple(w for w in text.words[begins:stop] if w not in MARKS)
        reaction = self._ahead.find(run, exactly=False) if run else ()
        if reaction:
            return replace(command, reaction=reaction[0].topic.key)
        found = self._headings.find(text, max(end, skip_keyword(FOR, text.words, end, stop)), stop)
        if isinstance(found, Section):
            return replace(command, section=found.key)
        if isinstance(found, tuple):
            return replace(command, section=found[0].key._replace(number=None))
        sections = (*self._grammar.sections, *self._grammar.reactions)
        names = list_topics((section.topic.words for section in sections), self._grammar.language)
        word = text.typed(end, stop)
        accepted = to_keyword(COMMANDS["withdraw"], self._grammar.language)
        problem = Problem("unknown_section", {"word": word, "candidates": names, "accepted": accepted}, lasting=True)
        return replace(command, problem=problem)
