"""Every registered game, and the smallest one, under the same laws and the same demand for completeness."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.kernel.bots import BotProfile, Stuck, play_game
from engine.kernel.catalogues import Words
from engine.kernel.languages import LANGUAGES
from engine.kernel.rules import Rules
from pbem.cli.game_check import list_problems
from pbem.narration.glossary import load_glossary
from pbem.narration.narrator import narrator
from tests import invariants
from tests.bot_games import SEATS
from tests.budget import budget
from tests.every_game import cases, hold_laws, one_game, own_events, played, sampled, shelf
from tests.toy import RULES

NAMES = sorted(cases())
every_game = pytest.mark.parametrize("name", NAMES)


def _marked(name: str, number: int) -> Any:
    """One game of each case in every run, of other seats and options from case to case; a second in long runs.

    Of the smallest game, which is quick, one in six, and one in three.
    """
    games = cases()[name].games
    first, quick = NAMES.index(name) % games, name == RULES.meta.name
    if number == first or (quick and number % 6 == 0):
        return pytest.param(name, number)
    second = number == (first + 1) % games or (quick and number % 3 == 0)
    return pytest.param(name, number, marks=pytest.mark.long if second else pytest.mark.night)


by_many_games = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == RULES.meta.name else pytest.mark.long) for name in NAMES]
)


@pytest.mark.parametrize(
    ("name", "number"), [_marked(name, number) for name in NAMES for number in range(cases()[name].games)]
)
def test_laws_hold_in_games_played_by_bots(name: str, number: int) -> None:
    """Random bots reach the end from open questions and forms alone, and every law holds on the way."""
    hold_laws(cases()[name], *one_game(name, number))


@by_many_games
@settings(max_examples=budget(3, 40))
@given(drawn=st.data())
def test_laws_hold_whatever_the_options(name: str, drawn: st.DataObject) -> None:
    """Any number of seats, any values of the options, any seed: every law holds at entries drawn from a whole game."""
    case = cases()[name]
    meta = case.rules.meta
    seats = SEATS[: drawn.draw(st.sampled_from(meta.seats), "seats")]
    options = {o.name: drawn.draw(st.sampled_from(sorted(o.open_to(len(seats)))), o.name) for o in meta.options}
    beginning = invariants.Beginning(seats, options, drawn.draw(st.binary(min_size=4, max_size=4), "seed"))
    game = played(case, beginning, BotProfile(suggested=80, unasked_share=0))
    places = drawn.draw(st.sets(st.integers(0, len(game.entries) - 1), min_size=1, max_size=4), "entries")
    sampled(case, beginning, [game.entries[place] for place in sorted(places)])


@by_many_games
def test_everything_that_a_game_declares_occurs(name: str) -> None:
    """Bots, or tests marked for it, bring about every event, every form offered, every ending and every result."""
    shelved = shelf(name)
    rules, occurred, excused = shelved.case.rules, set(shelved.occurred()), shelved.case.excused()
    assert own_events(rules), "the game does not say which events are its own"
    declared = own_events(rules) | shelved.offered() | set(rules.meta.endings) | set(rules.meta.results)
    assert declared - occurred - excused == set(), "never occurred"


@every_game
def test_every_game_can_be_told_and_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its narrator, its first letter, its page and its picture can be made in every language."""
    monkeypatch.setitem(engine.GAMES, name, cases()[name].rules)
    load_glossary.cache_clear()
    narrator.cache_clear()  # it may have been made with the names of before
    assert list_problems(name) == ()


@pytest.mark.parametrize("temper", [BotProfile(absent=100, unasked_share=0), BotProfile(suggested=0, absent=0)])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == RULES.meta.name else pytest.mark.night) for name in NAMES]
)
def test_games_end_with_any_players(name: str, temper: BotProfile) -> None:
    """A game ends even if nobody answers, or if nobody takes its suggestions."""
    case = cases()[name]
    beginning = next(case.beginnings())
    assert played(case, beginning, temper).position.core.over


@every_game
def test_whatever_a_reader_is_shown_has_words_in_both_languages(name: str) -> None:
    """Title, options, questions, endings and forms are worded in French and in English."""
    rules: Rules[Any] = cases()[name].rules
    meta = rules.meta
    named: list[Words] = [meta.title, meta.turn, *meta.endings.values(), *meta.results.values()]
    named += [topic.words for topic in meta.topics]
    for option in meta.options:
        named += [option.title, *option.values.values()]
    for language in LANGUAGES:
        assert all(words.printed(language) for words in named)


def test_a_registered_game_is_found_by_its_own_name() -> None:
    """The registry, the game's Meta and its cases agree on what it is called."""
    assert all(game.meta.name == name for name, game in engine.GAMES.items())
    assert all(engine.rules(name) is game for name, game in engine.GAMES.items())


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    """The name of an unknown game is answered with the known ones."""
    with pytest.raises(KeyError, match=r"no game 'chess'; there is: \w+"):
        engine.rules("chess")


def test_a_game_that_does_not_end_is_given_up() -> None:
    """A limit of entries stops bots that would play for ever."""
    with pytest.raises(Stuck, match="not over after 2 entries"):
        play_game(RULES, SEATS[:2], {}, b"short", limit=2)


def test_bots_with_the_same_seed_play_the_same_game() -> None:
    """A seed decides everything: the deal, the dice and what bots do."""
    first, second = (play_game(RULES, SEATS[:3], {"pace": "in_order"}, b"twice") for _ in range(2))
    other = play_game(RULES, SEATS[:3], {"pace": "in_order"}, b"thrice")
    assert [e.answers for e in first.entries] == [e.answers for e in second.entries]
    assert first.position == second.position
    assert [e.answers for e in first.entries] != [e.answers for e in other.entries]
