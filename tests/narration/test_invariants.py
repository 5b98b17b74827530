"""Laws of telling, held over every game: complete, masked, clean sentences and letters in each language."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.apply import apply
from engine.kernel.catalogues import load_catalogue
from engine.kernel.corrections import PROBLEMS as RULING_PROBLEMS
from engine.kernel.events import Ended, Event
from engine.kernel.orders import Problem
from engine.kernel.secrets import Secret, deep_copy, redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.narration import facts as f
from pbem.narration.document import COLUMNS
from pbem.narration.folders import load_table
from pbem.narration.game_texts import load_game_texts
from pbem.narration.glossary import load_glossary
from pbem.narration.letters import render
from pbem.narration.macros import KERNEL_PROBLEMS, narrated_events
from pbem.narration.narrator import narrator
from pbem.narration.order_printer import LIKELY, OrderPrinter
from tests.budget import budget
from tests.narration.cases import LANGUAGES, A, B, C, Case, cases
from tests.narration.grammar_cases import PLAYERS, grammar_faults, swapped, swapped_problems

ENDS = (".", "!", "?")
TOLD = pytest.mark.parametrize("case", cases(), ids=str)
RECONSTRUCTED = pytest.mark.parametrize("case", [c for c in cases() if c.rules.meta.reconstructed], ids=str)
IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)


def narrate(case: Case, event: Event, viewer: str, language: str, first: Seat = A) -> str | None:
    """Return what one viewer is told of an event whose first part `first` plays; the players' names are awkward."""
    names = dict(zip(case.seats, PLAYERS[case.seats.index(first) % 2] * 2, strict=False))
    return narrator(case.game, language).sentence(event, viewer, case.context(viewer, language, names=names))


def check(case: Case, said: str, language: str) -> None:
    """Check that a sentence begins and ends as sentences do, is grammatical, and holds nothing that it must not."""
    assert said.endswith(ENDS), said
    assert not said[0].islower(), said
    assert case.faults(said, language) == grammar_faults(said, language) == [], said


# --- completeness


@TOLD
def test_every_event_that_somebody_may_be_told_has_a_sample(case: Case) -> None:
    """A new event class must bring its sentence, and its cases into the samples."""
    assert {type(event) for event in case.samples()} == set(narrated_events(case.rules))


@TOLD
@IN_BOTH
def test_everything_of_a_game_has_a_name(case: Case, language: str) -> None:
    """Things are named as the catalogue prints them; topics have names, and rules are told of topics alone."""
    names = load_glossary(case.game, language).names
    for kind, things in case.things.items():
        assert set(names[kind]) == set(things), kind
        for thing in things if isinstance(things, dict) else ():
            assert names[kind][thing].bare.lower() == things[thing].words.printed(language).lower()
    topics = {topic.key for topic in case.rules.meta.topics}
    assert set(names["topic"]) == topics
    assert set(load_table(f"boards/{language}/{case.game}.toml").get("rules", {}).get(case.game, {})) <= topics


@TOLD
def test_no_template_of_a_game_is_in_one_language_alone(case: Case) -> None:
    """Both languages name the same things, and have all words of the page and of the orders: none is borrowed."""
    for kind in ("names", "effects", "boards"):
        french, english = (set(_keys(load_table(f"{kind}/{language}/{case.game}.toml"))) for language in LANGUAGES)
        assert french - english == set(), f"{kind}/en/{case.game}.toml lacks these"
        assert english - french == set(), f"{kind}/fr/{case.game}.toml lacks these"
    said = load_catalogue(type(case.rules).__module__.rpartition(".")[0])
    french, english = (set(said.keys(language)) for language in LANGUAGES)
    assert french - english == set(), "words/en.toml lacks these"
    assert english - french == set(), "words/fr.toml lacks these"


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
    """Seats in the first part, and each viewer: no id, no word of the other language, no fault of grammar."""
    for event in case.samples():
        for first in case.seats[: budget(2, 9)]:
            shown = swapped(event, first)
            for viewer in case.viewers if first == A else (first, PUBLIC):
                said = narrate(case, shown, viewer, language, first)
                assert (said is None) == (shown.visible_to is not None and viewer not in shown.visible_to)
                if said is not None:
                    check(case, said, language)


@TOLD
@IN_BOTH
def test_what_is_secret_is_told_without_its_content(case: Case, language: str) -> None:
    """Another hidden value changes no word; a new player of a seat is told as the public was, in clean sentences."""
    for event in case.samples():
        common = redact(event, PUBLIC)
        for viewer in case.viewers if event.visible_to is None and common != event else ():
            said = narrate(case, common, viewer, language)
            assert said is not None
            check(case, said, language)
        for viewer in (C, PUBLIC):
            other = _other(event, case.hidden, viewer)
            assert isinstance(other, Event)
            if other != event:
                assert narrate(case, event, viewer, language) == narrate(case, other, viewer, language)


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
@pytest.mark.parametrize(("viewer", "language"), [(A, "fr"), (PUBLIC, "en")])
def test_a_whole_game_between_bots_is_told_without_a_fault(case: Case, viewer: Viewer, language: str) -> None:
    """What really happens is told as cleanly as the samples."""
    for play in range(len(case.plays))[: budget(1, 9)]:
        for at, entry in enumerate(case.entries(play)):
            here = case.context(viewer, language, at, play)
            for event in entry.after.events:
                said = narrator(case.game, language).sentence(event, viewer, here)
                if said is not None:
                    assert said.endswith(ENDS), said
                    assert case.faults(said, language) == [], said


# --- problems and questions


@TOLD
def test_every_problem_that_the_rules_declare_is_documented_with_its_terms(case: Case) -> None:
    """Every code of PROBLEMS has a comment with the terms of its sentence."""
    declared = {*load_game_texts(case.game).telling.problems, *load_game_texts(case.game).telling.notes}
    assert declared - set(case.documented()) == set(), "these have no comment with their terms, `# {}` for none"


@pytest.mark.parametrize("case", [case for case in cases() if case.game in GAMES], ids=str)
def test_every_problem_that_the_rules_make_is_declared(case: Case) -> None:
    """A bot writes nothing that is refused: a code without a sentence would first be met by a player."""
    declared = {*load_game_texts(case.game).telling.problems, *load_game_texts(case.game).telling.notes}
    assert case.found() - declared == set(), "these stand in no PROBLEMS or NOTES of a chapter"


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
def test_every_problem_is_a_clean_sentence(case: Case, language: str) -> None:
    """A refusal, the game's own or the kernel's, says in the reader's words what was written and why it is refused."""
    codes = {*load_game_texts(case.game).telling.problems, *load_game_texts(case.game).telling.notes}
    own = [problem for problem in case.problems() if problem.code in codes]
    shared = {**KERNEL_TERMS, "asks": case.rules.meta.topics[0].key}
    found = [(A, Problem(code, shared)) for code in (*KERNEL_PROBLEMS, *RULING_PROBLEMS) if code != "condition_fails"]
    found += [(seat, one) for seat in case.seats for problem in own for one in swapped_problems(problem, seat)]
    for seat, problem in found:
        check(case, narrator(case.game, language).problem(problem, case.context(seat, language)), language)


@TOLD
@IN_BOTH
def test_every_question_and_its_default_are_clean_sentences(case: Case, language: str) -> None:
    """A question asked now with its figures, or ahead without them, is a clean sentence, and so is its default."""
    tells = narrator(case.game, language)
    for seat in case.seats:
        for topic in case.rules.meta.topics:
            for figures in (True, False):
                decision = case.question(topic.key, figures, seat)
                check(case, tells.question(decision, case.context(seat, language)), language)
                check(case, tells.default(decision, case.context(seat, language)), language)


# --- the reader's own figures


@TOLD
def test_a_readers_figures_follow_from_what_they_are_told(case: Case) -> None:
    """What happened, as one seat may know it, done again on its own view, leads to its own view of what came of it."""
    figures = load_game_texts(case.game).telling.figures
    for play in range(len(case.plays))[: budget(1, 9)]:
        for seat in case.seats[: budget(1, 2)]:
            for at, entry in enumerate(case.entries(play)[1:]):
                now, then = (deep_copy(case.view(seat, n, play)) for n in (at, at + 1))
                with seen_by(seat):
                    for event in redact(entry.after.events, seat):
                        apply(case.rules, now, event)
                    assert figures(now, seat) == figures(then, seat), (at, entry.after.events)


# --- letters


@RECONSTRUCTED
@IN_BOTH
def test_letters_say_what_of_the_game_is_reconstructed(case: Case, language: str) -> None:
    """The invitation, the first letter and HELP say what is not as printed."""
    note, made, view = case.rules.meta.reconstructed, case.frame(A, language), case.view(A, 0)
    assert note is not None
    for facts in (
        f.InvitationFacts(made, "Romain", 4, "ab" * 32),
        f.StartedFacts(made, view, (), "cd" * 32, ()),
        f.ReceiptFacts(made, view, commands=(f.ExecutedCommand("help"),)),
    ):
        assert " ".join(note.printed(language).split()) in " ".join(render(facts).text.split()).replace("\u00a0", " ")


def letters(case: Case, seat: Seat, language: str) -> Iterator[f.EmailFacts]:
    """Each letter of a whole game that the rules have a say in: start, reports, reminders, help, the end."""
    for play in range(len(case.plays))[: budget(1, 9)]:
        frame, entries = case.frame(seat, language, play), case.entries(play)
        since = 0
        for at in range(0, len(entries), budget(20, 7)):
            view, before = case.view(seat, at, play), case.view(seat, since, play)
            events = tuple(e for entry in entries[since + 1 : at + 1] for e in redact(entry.after.events, seat))
            owed = tuple(f.OpenQuestion(d, 1763751600) for d in view.core.questions if d.seat == seat)
            yield f.ReportFacts(frame, view, before if at else None, events, owed, awaited=(B,))
            yield f.ReminderFacts(frame, view, owed)
            if not at % 5:
                yield f.ReceiptFacts(frame, view, commands=(f.ExecutedCommand("help"),), questions=owed)
            since = at
        last = case.view(seat, -1, play)
        ended = tuple(e for e in redact(entries[-1].after.events, seat) if isinstance(e, Ended))
        yield f.GameOverFacts(frame, last, case.view(seat, -2, play), ended, ended)
        began = redact(entries[0].after.events, seat)
        yield f.StartedFacts(frame, case.view(seat, 0, play), (), "cd" * 32, began)


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


@TOLD
@IN_BOTH
def test_no_two_suggested_lines_mean_the_same(case: Case, language: str) -> None:
    """A line that is there twice takes the place of another, and makes its reader look for a difference."""
    for at in range(0, len(case.entries()), budget(5, 1)):
        for asked in case.position(at).core.questions:
            prints = OrderPrinter(case.game, language, case.view(asked.seat, at), asked.seat)
            lines = [prints(line, asked.topic) for line in prints.likely_lines(asked, LIKELY)]
            assert len(set(lines)) == len(lines), (asked.gate, lines)


_NOT_PROSE = re.compile(r"^;|^[A-ZÉÈÀ'-]{3,}|https?://|\S@\S| {2,}|^\W*$|<")
"""Lines to copy, orders, addresses, rows of tables."""
