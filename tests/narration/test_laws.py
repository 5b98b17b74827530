"""Laws of telling, held over every game: complete, masked, clean sentences and letters in each language."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.apply import apply
from engine.kernel.catalogues import catalogue
from engine.kernel.corrections import PROBLEMS as RULING_PROBLEMS
from engine.kernel.events import Ended, Event
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Problem
from engine.kernel.secrets import Secret, copied, redact, seen_by
from pbem.narration import facts as f
from pbem.narration.document import COLUMNS
from pbem.narration.folders import table_of
from pbem.narration.glossary import glossary
from pbem.narration.letters import render
from pbem.narration.macros import KERNEL_PROBLEMS, told_events
from pbem.narration.narrator import narrator
from pbem.narration.tellers import teller
from tests.narration.cases import LANGUAGES, A, B, C, Case, cases

ENDS = (".", "!", "?")
TOLD = pytest.mark.parametrize("case", cases(), ids=str)
RECONSTRUCTED = pytest.mark.parametrize("case", [c for c in cases() if c.rules.meta.reconstructed], ids=str)
IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)


def told(case: Case, event: Event, viewer: str, language: str) -> str | None:
    """What one viewer is told of an event."""
    return narrator(case.game, language).sentence(event, viewer, case.context(viewer, language))


def clean(case: Case, said: str, language: str) -> None:
    """It begins and ends as sentences do, and nothing is in it that must not be."""
    assert said.endswith(ENDS), said
    assert not said[0].islower(), said
    assert case.faults(said, language) == [], said


# --- completeness


@TOLD
def test_every_event_that_somebody_may_be_told_has_a_sample(case: Case) -> None:
    """A new event class must bring its sentence, and its cases into the samples."""
    assert {type(event) for event in case.samples()} == set(told_events(case.rules))


@TOLD
@IN_BOTH
def test_everything_of_the_catalogue_has_a_name(case: Case, language: str) -> None:
    """Whatever the game knows by an id is named, as the catalogue prints it where it prints it."""
    names = glossary(case.game, language).names
    for kind, things in case.things.items():
        assert set(names[kind]) == set(things), kind
        for thing in things if isinstance(things, dict) else ():
            assert names[kind][thing].bare.lower() == things[thing].words.printed(language).lower()


@TOLD
@IN_BOTH
def test_every_topic_has_a_name(case: Case, language: str) -> None:
    """Every topic of a question has a name in both languages."""
    assert set(glossary(case.game, language).names["topic"]) == {topic.asks for topic in case.rules.meta.topics}


@TOLD
def test_no_template_of_a_game_is_in_one_language_alone(case: Case) -> None:
    """Both languages name the same things, and have all words of the page and of the orders: none is borrowed."""
    for kind in ("names", "effects", "boards"):
        french, english = (set(_keys(table_of(f"{kind}/{language}/{case.game}.toml"))) for language in LANGUAGES)
        assert french - english == set(), f"{kind}/en/{case.game}.toml lacks these"
        assert english - french == set(), f"{kind}/fr/{case.game}.toml lacks these"
    said = catalogue(type(case.rules).__module__.rpartition(".")[0])
    french, english = (set(said.keys(language)) for language in LANGUAGES)
    assert french - english == set(), "words/en.toml lacks these"
    assert english - french == set(), "words/fr.toml lacks these"


@TOLD
@IN_BOTH
def test_what_the_rulebook_says_is_said_of_a_question(case: Case, language: str) -> None:
    """A misspelt question would leave its paragraph where no page shows it."""
    said = table_of(f"boards/{language}/{case.game}.toml").get("rules", {}).get(case.game, {})
    assert set(said) - {topic.asks for topic in case.rules.meta.topics} == set()


def _keys(table: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """The keys of a table by their whole path; the forms of one name or text belong together."""
    for key, value in table.items():
        if isinstance(value, Mapping) and not {"one", "text"} & set(value):
            yield from _keys(value, f"{above}{key}.")
        else:
            yield above + key


# --- every event, every viewer, every language


@TOLD
@IN_BOTH
def test_every_event_is_a_clean_sentence_for_everybody_whom_it_is_for(case: Case, language: str) -> None:
    """No id, no word of the other language, no hole, no doubled space; it begins and ends as sentences do."""
    for viewer in case.viewers:
        for event in case.samples():
            said = told(case, event, viewer, language)
            assert (said is None) == (event.told is not None and viewer not in event.told)
            if said is not None:
                clean(case, said, language)


@TOLD
@IN_BOTH
def test_a_new_player_is_told_what_everybody_was_told_before(case: Case, language: str) -> None:
    """A new player of a seat knows of its cards no more than the public; the recap says so in clean sentences."""
    for viewer in case.viewers:
        for event in case.samples():
            common = redact(event, PUBLIC)
            said = told(case, common, viewer, language) if event.told is None else None
            if said is not None:
                clean(case, said, language)


@TOLD
@IN_BOTH
@pytest.mark.parametrize("viewer", [A, B, PUBLIC])
def test_a_whole_game_between_bots_is_told_without_a_fault(case: Case, viewer: str, language: str) -> None:
    """What really happens is told as cleanly as the samples."""
    for play in range(len(case.plays)):
        for at, entry in enumerate(case.entries(play)):
            here = case.context(viewer, language, at, play)
            for event in entry.after.events:
                said = narrator(case.game, language).sentence(event, viewer, here)
                if said is not None:
                    assert said.endswith(ENDS), said
                    assert case.faults(said, language) == [], said


@TOLD
@IN_BOTH
def test_what_is_secret_is_told_without_its_content(case: Case, language: str) -> None:
    """Changing what a viewer does not know changes no word of what they are told."""
    for viewer in (C, PUBLIC):
        for event in case.samples():
            other = _other(event, case.hidden, viewer)
            assert isinstance(other, Event)
            assert told(case, event, viewer, language) == told(case, other, viewer, language)


def _other(thing: object, hidden: str, viewer: str) -> object:
    """The same with every value that this viewer does not know another one."""
    if isinstance(thing, Secret):
        return thing if viewer in thing.known_to else Secret(hidden, thing.known_to)
    if isinstance(thing, tuple):
        return tuple(_other(item, hidden, viewer) for item in thing)
    if type(thing).__name__ in ("Battle", "Laid") or isinstance(thing, Event):
        return type(thing)(**{name: _other(value, hidden, viewer) for name, value in vars(thing).items()})
    return thing


@TOLD
def test_french_is_no_translation_word_for_word(case: Case) -> None:
    """Each language has its own sentences, and as a whole they differ in length."""
    lengths = [(len(told(case, e, A, "fr") or ""), len(told(case, e, A, "en") or "")) for e in case.samples()]
    assert sum(abs(fr - en) > 3 for fr, en in lengths) > len(lengths) // 3
    assert any(one != two for one, two in pairwise(lengths))


# --- problems and questions


@TOLD
def test_every_problem_that_the_rules_declare_is_documented_with_its_terms(case: Case) -> None:
    """Every code of PROBLEMS has a comment with the terms of its sentence."""
    declared = {*teller(case.game).telling.problems, *teller(case.game).telling.notes}
    assert declared - set(case.documented()) == set(), "these have no comment with their terms, `# {}` for none"


@pytest.mark.parametrize("case", [case for case in cases() if case.game in GAMES], ids=str)
def test_every_problem_that_the_rules_make_is_declared(case: Case) -> None:
    """A bot writes nothing that is refused: a code without a sentence would first be met by a player."""
    declared = {*teller(case.game).telling.problems, *teller(case.game).telling.notes}
    assert case.found() - declared == set(), "these stand in no PROBLEMS or NOTES of a chapter"


@TOLD
@IN_BOTH
def test_every_problem_is_a_clean_sentence(case: Case, language: str) -> None:
    """A refusal says what was written, why it cannot stand, in the reader's words."""
    codes = {*teller(case.game).telling.problems, *teller(case.game).telling.notes}
    for problem in case.problems():
        if problem.code in codes:
            clean(case, narrator(case.game, language).problem(problem, case.context(A, language)), language)


KERNEL_TERMS = {
    "word": "plcer",
    "candidates": tuple("abcdefghij"),
    "accepted": "X 1",
    "slot": "Ville",
    "low": 1,
    "high": 9,
    "most": 60,
    "count": 2,
    "entry": 57,
}


@TOLD
@IN_BOTH
def test_what_the_kernel_finds_wrong_is_a_clean_sentence(case: Case, language: str) -> None:
    """Lines that cannot be read are answered like lines that cannot be done."""
    for code in (*KERNEL_PROBLEMS, *RULING_PROBLEMS):
        if code != "condition_fails":
            terms = {**KERNEL_TERMS, "asks": case.rules.meta.topics[0].asks}
            said = narrator(case.game, language).problem(Problem(code, terms), case.context(A, language))
            clean(case, said, language)


@TOLD
@IN_BOTH
def test_every_question_and_its_default_are_clean_sentences(case: Case, language: str) -> None:
    """A question asked now with its figures, or ahead without them, is a clean sentence, and so is its default."""
    told_by = narrator(case.game, language)
    for topic in case.rules.meta.topics:
        for figures in (True, False):
            decision = case.question(topic.asks, figures)
            clean(case, told_by.question(decision, case.context(A, language)), language)
            clean(case, told_by.default(decision, case.context(A, language)), language)


# --- the reader's own figures


@TOLD
def test_a_readers_figures_follow_from_what_they_are_told(case: Case) -> None:
    """What happened, as one seat may know it, done again on its own view, leads to its own view of what came of it."""
    figures = teller(case.game).telling.figures
    for play in range(len(case.plays)):
        for seat in case.seats[:2]:
            for at, entry in enumerate(case.entries(play)[1:]):
                now, then = (copied(redact(case.position(n, play), seat)) for n in (at, at + 1))
                with seen_by(seat):
                    for event in redact(entry.after.events, seat):
                        apply(case.rules, now, event)
                    assert figures(now, seat) == figures(then, seat), (at, entry.after.events)


# --- letters


@RECONSTRUCTED
@IN_BOTH
def test_help_says_what_of_the_game_is_reconstructed(case: Case, language: str) -> None:
    """Nobody takes what is reconstructed for printed."""
    note = case.rules.meta.reconstructed
    assert note is not None
    asked = f.ReceiptFacts(case.frame(A, language), redact(case.position(0), A), commands=(f.CommandRead("help"),))
    assert " ".join(note.printed(language).split()) in " ".join(render(asked).text.split()).replace("\u00a0", " ")


@RECONSTRUCTED
@IN_BOTH
def test_an_invitation_and_the_first_letter_say_what_of_the_game_is_reconstructed(case: Case, language: str) -> None:
    """The invitation and the first letter say what is not as printed."""
    note, frame = case.rules.meta.reconstructed, case.frame(A, language)
    assert note is not None
    began = f.StartedFacts(frame, redact(case.position(0), A), (), "cd" * 32, ())
    for facts in (f.InvitationFacts(frame, "Romain", 4, "ab" * 32), began):
        assert " ".join(note.printed(language).split()) in " ".join(render(facts).text.split()).replace("\u00a0", " ")


def letters(case: Case, seat: Seat, language: str) -> Iterator[f.LetterFacts]:
    """Each letter of a whole game that the rules have a say in: start, reports, reminders, help, the end."""
    for play in range(len(case.plays)):
        frame, entries = case.frame(seat, language, play), case.entries(play)
        since = 0
        for at in range(0, len(entries), 7):
            view, before = redact(case.position(at, play), seat), redact(case.position(since, play), seat)
            events = tuple(e for entry in entries[since + 1 : at + 1] for e in redact(entry.after.events, seat))
            owed = tuple(f.Owed(d, 1763751600) for d in view.core.open if d.seat == seat)
            yield f.ReportFacts(frame, view, before if at else None, events, owed, awaited=(B,))
            yield f.ReminderFacts(frame, view, owed)
            if not at % 5:
                yield f.ReceiptFacts(frame, view, commands=(f.CommandRead("help"),), owed=owed)
            since = at
        last = redact(case.position(-1, play), seat)
        ended = tuple(e for e in redact(entries[-1].after.events, seat) if isinstance(e, Ended))
        yield f.OverFacts(frame, last, redact(case.position(-2, play), seat), ended, ended)
        began = redact(entries[0].after.events, seat)
        yield f.StartedFacts(frame, redact(case.position(0, play), seat), (), "cd" * 32, began)


@TOLD
@IN_BOTH
def test_every_letter_of_a_whole_game_is_clean_and_narrow(case: Case, language: str) -> None:
    """Reports, reminders, help and the end: no id, no word of the other language, at most 72 columns of prose."""
    for facts in letters(case, A, language):
        made = render(facts)
        for line in made.text.split("\n"):
            if not _NOT_PROSE.search(line.strip()):
                assert case.faults(line.strip(), language) == [], line
            assert len(line) <= COLUMNS or line.startswith((";", "http")) or "<" in line, line


_NOT_PROSE = re.compile(r"^;|^[A-ZÉÈÀ'-]{3,}|https?://|\S@\S| {2,}|^\W*$|<")
"""Lines to copy, orders, addresses, rows of tables."""
