"""Letters and sentences made awkward: names of every beginning, each power in each part, one and many."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Final

from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.orders import Problem
from engine.kernel.secrets import Secret, truth
from engine.kernel.viewers import Seat
from pbem.narration import facts as f
from pbem.narration.facts import NOTICES, EmailFacts, Message, NoticeFacts
from pbem.narration.letters import Rendered, render
from tests.narration.cases import NAMES, A, case_of
from tests.narration.master_terms import DUE, TERMS
from tests.narration.test_letters import letters

PLAYERS: Final = (("Alice", "Édouard", "Hélène", "Yves"), ("Ágnes", "Zoé", "Ines", "Hugo"))
"""Names that begin with a vowel, with an accent, with h, with y, with a consonant."""
COUNTS: Final = (0, 1, 2)
_COUNTED: Final = frozenset("minutes missing turn limit_kb days hours read needed voices most count".split())


def renamed(thing: Any, names: Mapping[Any, Any]) -> Any:
    """The same with other names, wherever one stands alone as a value."""
    match thing:
        case str():
            return type(thing)(names.get(thing, thing))
        case Secret():
            return Secret(renamed(thing.value, names), frozenset(renamed(one, names) for one in thing.known_to))
        case tuple() | frozenset():
            return type(thing)(renamed(one, names) for one in thing)
        case Mapping():
            return {renamed(key, names): renamed(value, names) for key, value in thing.items()}
        case _ if is_dataclass(thing) and not isinstance(thing, type):
            made = {one.name: renamed(getattr(thing, one.name), names) for one in fields(thing) if one.init}
            return replace(thing, **made)
    return thing


# --- letters


@cache
def awkward_letters(language: Language, players: tuple[str, ...]) -> tuple[tuple[str, Rendered], ...]:
    """Every letter in every variant, with these players, and with one and many of what is counted in it."""
    names = dict(zip(NAMES.values(), players, strict=False))
    found = (*letters(language), *_counted(language))
    return tuple((_called(facts), render(_with_players(facts, names))) for facts in found)


def _called(facts: EmailFacts) -> str:
    return facts.kind if isinstance(facts, NoticeFacts) else type(facts).__name__


def _with_players(facts: EmailFacts, names: Mapping[str, str]) -> EmailFacts:
    """A letter with other players; views and events know seats alone."""
    apart = {"view", "before", "after", "events", "story", "preview"}
    made = {
        one.name: renamed(getattr(facts, one.name), names)
        for one in fields(facts)
        if one.name not in apart or isinstance(getattr(facts, one.name), str)
    }
    return replace(facts, **made)


def _counted(language: Language) -> Iterator[EmailFacts]:
    """Letters with none, one and two of each thing that they count."""
    made = case_of("age_of_renaissance").frame(A, language)
    for count in COUNTS:
        yield from (NoticeFacts(made, kind, _terms(NOTICES[kind], count)) for kind in NOTICES)
        yield from (NoticeFacts(made, "unsaid", {"why": why}) for why in _WHY)
        yield f.InvitationFacts(made, "Romain", max(count, 1), "ab" * 32, count, "12", DUE)
        yield f.SeatOfferFacts(made, "Romain", "Zoé", max(count, 1), count, DUE)
        yield f.JoinedFacts(made, ("Romain", "Zoé"), count)
        yield f.BouncedFacts(made, DUE, "page", max(count, 1))
        yield f.DeadlineChangedFacts(made, (), DUE, DUE + 3600 * count, "master", "Édouard", "27")
        yield f.AnnouncementFacts(made, "Romain", tuple(_master_message(code, count) for code in sorted(TERMS)))


_WHY: Final = (
    "not_now",
    "no_text",
    "too_long",
    "nobody",
    "no_such_reader",
    "forbidden",
    "unsigned",
    "too_often",
    "orders",
)


def _terms(needed: tuple[str, ...], count: int) -> dict[str, object]:
    known: dict[str, object] = {
        "asks": "expansion",
        "closed": DUE,
        "first": DUE,
        "masked": "z…@x.example",
        "name": "Zoé",
        "before": "Édouard",
        "since": DUE,
        "until": DUE + 86400,
        "names": ("Romain", "Édouard"),
        "why": "no_text",
        "game": "27",
        "round": 32_000_000,
        "due": DUE,
        "proof": "pbem round 1: abcdefghijkl",
        "other": "Zoé",
        "would": "Zoé 2",
        "lines": 400,
        "state": "delayed",
        "reply": "452 4.2.2 Mailbox full",
    }
    return {term: count if term in _COUNTED else known[term] for term in needed}


def _master_message(code: str, count: int) -> Message:
    """A sentence of masters: `count` of what it counts, and as many names as that, but one at least."""
    names = ("Romain", "Édouard", "Zoé")[: max(count, 1)]
    terms = {term: count if term in _COUNTED else value for term, value in TERMS[code].items()}
    return Message(code, terms | ({"names": names} if "names" in terms else {}))


_BLOCK: Final = re.compile(r"<(p|li|h2|h3)[^>]*>(.*?)</\1>", re.DOTALL)


def prose(letter: Rendered) -> Iterator[str]:
    """The subject and every block that is read as a sentence: no table, no address, no line to copy."""
    yield letter.subject
    for _, said in _BLOCK.findall(letter.html):
        if "<" not in said and "&lt;" not in said:
            yield html.unescape(said)


# --- sentences of a game


def swapped(event: Event, seat: Seat) -> Event:
    """Return an event in which a seat has changed places with the first."""
    if seat == A:
        return event
    with truth():
        made: Event = renamed(event, {A: seat, seat: A})
    return made


def swapped_problems(problem: Problem, seat: Seat) -> Iterator[Problem]:
    """Yield a problem with none, one and two of what it counts, a seat having changed places with the first."""
    numbers = {name: value for name, value in problem.terms.items() if type(value) is int}
    for count in COUNTS if numbers else (0,):
        yield renamed(Problem(problem.code, {**problem.terms, **dict.fromkeys(numbers, count)}), {A: seat, seat: A})


# --- what is wrong with a sentence

_SINGULAR: Final = {
    "fr": frozenset("fois mois palais progrès corps temps dans sans mars vous".split()),
    "en": frozenset("is was has plus less as overseas".split()),
}
"""Words that end like a plural, and are none."""
_VOWELS: Final = "aàâáeéèêëiîïoôuùûœ"
_WRONG: Final[Mapping[Language, Mapping[str, str]]] = {
    "fr": {
        "elision": rf"(?<![-\w])(?:[Qq]ue|[DdLlNnSsJj]e|[Ll]a)[ \u00a0](?=[{_VOWELS}{_VOWELS.upper()}])",
        "contraction": r"\b(?:de les?|à les?)\b(?! [a-zé]+er\b)",
        "a colon that may begin a line": r"[^\u00a0][;!?»]|[^\u00a0]:(?=\s|$)|«[^\u00a0]",
        "a quotation mark of another language": '[“”"]',
        "passé simple": r"\b(?:fut|furent|eut|eurent|fit|firent|vint|vinrent|prit|prirent|dut|durent)\b",
        "the first of a month": r"\b1[ \u00a0](?:janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc)",
        "a person": r"\b(?:celui|ceux) qui\b|\bqu'il (?:ait|a)\b|\blui-même\b",
    },
    "en": {
        "article": r"\ba (?=[aeioAEIO])(?!one\b|once\b|Euro)",
        "a quotation mark of another language": '[«»"]',
        "a space before a mark": r"[a-z][ \u00a0](?:[:!?]|;(?! (?:is|before)\b))",
        "a person": r"\b(?:he|his|him|himself)\b",
    },
}
_ANY: Final = {"doubled space": "  ", "a space before a stop": r" [.,]", "two stops": r"(?<!\.)\.\.(?!\.)"}


_QUOTED: Final = re.compile("(«\u00a0|“)[^»”]*(\u00a0»|”)")
"""What somebody wrote is their own."""


def grammar_faults(text: str, language: Language) -> list[str]:
    """What is wrong with a sentence, each fault with the place where it stands."""
    text = _QUOTED.sub(r"\1x\2", text)
    wrong = {**_WRONG[language], **_ANY}
    found = [(name, match) for name, pattern in wrong.items() for match in re.finditer(pattern, text)]
    told = [f"{name}: {text[max(match.start() - 20, 0) : match.end() + 20]!r}" for name, match in found]
    ones = "[01]" if language == "fr" else "1"
    many = re.findall(rf"(?<![\d,.:/−-])(?<![Tt]urn )(?<![Rr]ound )(?<![Ee]ntry ){ones}[ \u00a0]([a-zà-ÿœ]+s)\b", text)
    return told + [f"one with a plural: {word}" for word in many if word not in _SINGULAR[language]]
