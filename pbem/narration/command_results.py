"""What a game master reads by email, page, program or command line, for each of their lines.

What was understood, and what it would do or did.

The sentences are macros in `letters/<language>/master.said.j2`, one for each code of a `Said`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.orders import Problem
from engine.kernel.position import Core, Position
from engine.kernel.secrets import Secret
from engine.kernel.viewers import PUBLIC, Viewer
from pbem.narration.document import BACK
from pbem.narration.facts import EmailContext, MasterFacts, Message
from pbem.narration.game_texts import load_game_texts
from pbem.narration.glossary import load_glossary
from pbem.narration.letter_templates import load_template
from pbem.narration.narrator import Context, MissingTemplate, narrator
from pbem.narration.text_cleanup import tidy
from pbem.narration.time_format import TimeFormatter


@dataclass(frozen=True)
class CommandText:
    """One line: what was written, how we write it, what came of it (see `MasterCommandResult`), and the sentences
    about it.
    """

    number: int
    written: str
    line: str
    outcome: str
    sentences: tuple[str, ...]
    word: str


@dataclass(frozen=True)
class MasterText:
    """A whole answer."""

    lead: tuple[str, ...]
    acts: tuple[CommandText, ...]
    skipped: tuple[tuple[int, str], ...]
    forms: tuple[tuple[str, str], ...]
    until: str
    corrections: tuple[tuple[str, str, str], ...]


class MasterNarrator(Protocol):
    """What is asked of the narrator of a game in a language."""

    def sentence(self, event: Event, viewer: Viewer, context: Context) -> str | None:
        """One fact; None when it is not for this viewer."""
        ...

    def problem(self, problem: Problem, context: Context) -> str:
        """Why a line cannot be read."""
        ...


def build_text(facts: MasterFacts, narrate: Callable[[str, Language], MasterNarrator] = narrator) -> MasterText:
    """The answer to a master's lines, in words."""
    frame = facts.frame
    tells = partial(narrate, frame.table.game, frame.reader.language)
    acts = tuple(
        CommandText(
            act.number,
            act.written,
            act.line,
            act.outcome,
            (
                *_problem(tells, frame, facts.view, act.problem),
                *build_sentences(frame, act.said),
                *_events(tells, facts, act.events),
            ),
            act.word,
        )
        for act in facts.acts
    )
    until = (
        TimeFormatter(frame.reader.language, frame.reader.zone).moment(facts.until) if facts.until is not None else ""
    )
    return MasterText(build_sentences(frame, facts.lead), acts, facts.skipped, facts.forms, until, facts.corrections)


def build_sentences(frame: EmailContext, said: Sequence[Message]) -> tuple[str, ...]:
    """Sentences for the reader of a frame; raises MissingTemplate for a code that has no macro."""
    language = frame.reader.language
    clock = TimeFormatter(language, frame.reader.zone)
    rendered = (_macro(language, one.code)(_message_terms(frame, one), clock).translate(BACK) for one in said)
    return tuple(tidy(text, language) for text in rendered)


def _message_terms(frame: EmailContext, said: Message) -> dict[str, object]:
    """The terms of a sentence; cards that nobody knows (`hidden`) by the names of the game, and where they lie."""
    terms = dict(said.terms)
    if isinstance(places := terms.pop("hidden", None), tuple):
        names, known = load_glossary(frame.table.game, frame.reader.language), load_game_texts(frame.table.game).telling
        terms["places"] = tuple(
            (names.name("place", place).the, tuple(names.name(*known.card(card)).bare for card in cards))
            for place, cards in places
        )
    return terms


def _macro(language: Language, code: str) -> Any:
    found = getattr(_message_sentences(language), code, None)
    if found is None:
        raise MissingTemplate(f"letters/{language}/master.said.j2 has no macro {code}")
    return found


@cache
def _message_sentences(language: Language) -> Any:
    return load_template(language, "master.messages").module


_UNSEEN: Position[Any] = Position(Core((), {}, Secret(b"", frozenset())), None)


def _context(frame: EmailContext, view: Position[Any] | None) -> Context:
    return Context(PUBLIC, view or _UNSEEN, dict(frame.table.names))


def _problem(
    tells: Callable[[], MasterNarrator], frame: EmailContext, view: Position[Any] | None, problem: Problem | None
) -> tuple[str, ...]:
    if problem is None:
        return ()
    said = tells().problem(problem, _context(frame, view))
    accepted = str(problem.terms.get("accepted", "") or "")
    return (said, accepted) if accepted else (said,)


def _events(tells: Callable[[], MasterNarrator], facts: MasterFacts, events: Sequence[Event]) -> tuple[str, ...]:
    """Facts of the game, as everybody may know them."""
    if not events or facts.view is None:
        return ()
    teller, context = tells(), _context(facts.frame, facts.view)
    found = (teller.sentence(event, PUBLIC, context) for event in events)
    return tuple(sentence for sentence in found if sentence)
