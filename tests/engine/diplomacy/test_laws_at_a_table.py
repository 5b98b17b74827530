"""The laws of every game, held against Diplomacy, which is not registered yet."""

from collections import Counter
from functools import cache

import pytest

import engine
from engine.diplomacy import RULES
from engine.diplomacy.board import Board
from engine.kernel.bots import BotProfile, FinishedGame
from engine.kernel.languages import LANGUAGES
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC
from pbem.cli.game_check import list_problems
from pbem.narration.glossary import load_glossary
from pbem.narration.narrator import Context, narrator
from tests import bot_games
from tests.budget import budget
from tests.engine.diplomacy.test_table import KEEN, SEATS
from tests.every_game import Case, hold_laws, own_events
from tests.invariants import Beginning

CASE = Case(RULES, sampled=13)
OPTIONS = ({"last_year": "1905"}, {"last_year": "1905", "powers": "order", "failures": "again"}, {"last_year": "open"})
ANYHOW = BotProfile(suggested=40, lines=10, unasked_share=0)
"""A bot of random legal orders."""


@cache
def _game(number: int) -> tuple[Beginning, FinishedGame[Board]]:
    beginning = Beginning(SEATS, OPTIONS[number % 3], f"diplomacy/{number}".encode())
    temper = KEEN if number % 2 == 0 else ANYHOW
    return beginning, bot_games.played(RULES, SEATS, beginning.options, beginning.seed, temper)


def test_the_laws_hold_in_games_of_seven_bots() -> None:
    """Facts make the position, nothing leaks, what is printed is read, what is saved is read back."""
    for number in range(budget(1, 6)):
        hold_laws(CASE, *_game(number))


@pytest.mark.long
def test_every_event_form_and_ending_occurs() -> None:
    """In games of bots that play to the end; that a power is out has a test of its own."""
    counted = Counter[str]()
    for number in range(3):
        _, game = _game(number)
        counted += game.events + game.forms
        counted[game.position.core.ending] += 1
    forms = {form.keyword.all_forms()[0] for given in RULES.every_form.values() for form in given}
    counted["diplomacy.Eliminated"] += 1
    assert own_events(RULES) | forms | set(RULES.meta.endings) <= set(counted)


@pytest.mark.parametrize("temper", [BotProfile(absent=100, unasked_share=0), BotProfile(suggested=0, absent=0)])
def test_a_game_ends_with_any_players(temper: BotProfile) -> None:
    """Even if nobody answers, or if nobody takes a suggestion."""
    assert bot_games.played(RULES, SEATS, {"last_year": "1905"}, b"any", temper).position.core.over


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_happens_is_told(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a seat and for everybody; every question and its default, too."""
    monkeypatch.setitem(engine.GAMES, "diplomacy", RULES)
    load_glossary.cache_clear()
    told, said = narrator("diplomacy", language), set[str]()
    for entry in _game(0)[1].entries:
        for viewer in (SEATS[0], PUBLIC):
            position = redact(entry.after.position, viewer)
            context = Context(viewer, position, {seat: seat.title() for seat in SEATS})
            own = [event for event in entry.after.events if type(event) in RULES.narration_hooks.events]
            with seen_by(viewer):
                said |= {told.sentence(event, viewer, context) or "" for event in own}
                for question in position.core.questions if viewer != PUBLIC else ():
                    said |= {told.question(question, context), told.default(question, context)}
    assert all(sentence.endswith((".", "?")) for sentence in said - {""})
    assert len(said) > 50


def test_it_can_be_told_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first letter and the page of the table are made in every language."""
    monkeypatch.setitem(engine.GAMES, "diplomacy", RULES)
    load_glossary.cache_clear()
    assert list_problems("diplomacy") == ()
