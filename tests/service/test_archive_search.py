"""The search over finished games, and the figures: made once, from what is open when a game is over."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.secrets import truth
from engine.kernel.spelling import search_terms
from engine.kernel.viewers import Seat
from pbem.narration.index import index_words, power_names
from pbem.service.archive import files, library, search, transfer
from pbem.service.base.services import SearchWords
from pbem.service.tasks import jobs
from pbem.store.models import ArchiveSearchTerm, Game, GameResult
from tests import bot_games
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.server_fixtures import ServerHarness, build, restore_or_make, start_game
from tests.service.test_messages import number, player


def build_search_words(title: str, names: Mapping[Seat, str], last: Any, entries: Any) -> SearchWords:
    """Tells the smallest game: the names of its facts, and of the cards in them."""
    found: dict[str, set[int]] = {}
    with truth():
        for entry, events in entries:
            for event in events:
                for word in search_terms(f"{type(event).__name__} {vars(event)}"):
                    found.setdefault(word, set()).add(entry)
    words = {word: frozenset(at) for word, at in found.items()}
    return SearchWords({"en": words, "fr": words}, {seat: f"seat:{seat}" for seat in last.core.seats})


def over(folder: Path) -> tuple[ServerHarness, str]:
    """A server with a game that is over, and told."""
    harness = build(folder)

    def make() -> str:
        harness.resolver = replace(harness.resolver, search_words=build_search_words)
        game = start_game(harness, "toy", 2, turns="1")
        play_on(harness, game)
        harness.run_queued_tasks()
        return game

    game = restore_or_make(harness, "searched", make)
    harness.resolver = replace(harness.resolver, search_words=build_search_words)
    return harness, game


def found(harness: ServerHarness, user: int, words: str) -> list[tuple[str, bool]]:
    """What a search finds: games, and whether entries are named."""
    return [(m.game.game, bool(m.entries)) for m in search.search(harness.web, user, "en", search_terms(words)).rows]


def test_a_finished_game_is_found_by_what_is_told_of_it(state_dir: Path) -> None:
    """Title, table and player find a game, words of its story find entries, by the beginning of a word, in any case and
    without accents; all words must stand in one entry; only those who sat there find it.
    """
    harness, game = over(state_dir)
    me, stranger = player(harness, 2), number(harness, "eve@games.test")
    assert found(harness, me, "") == [(game, False)]
    assert found(harness, me, "rosé PLAYER") == [(game, False)]
    assert found(harness, me, "dealt") == found(harness, me, "DEAL") == [(game, True)]
    assert found(harness, me, "rose dealt") == [(game, True)]
    assert found(harness, me, "nothinglikethis") == []
    assert found(harness, stranger, "dealt") == []
    entries = search.search(harness.web, me, "en", ("dealt",)).rows[0].entries
    assert entries[0] == 1
    assert max(entries) <= harness.load_game(game).entry
    together = search.search(harness.web, me, "en", ("dealt", "ended")).rows
    assert together == () or 1 not in together[0].entries
    assert library.next_visible_entry(harness.web, game, 1) == 1
    assert library.next_visible_entry(harness.web, game, 10_000) is None


def test_a_game_ends_whatever_becomes_of_its_index(state_dir: Path) -> None:
    """A story that cannot be told holds nobody up; the operator is told, and it is tried again every day."""
    harness = steady(build(state_dir))

    def failing(title: str, names: Mapping[Seat, str], last: Any, entries: Any) -> SearchWords:
        raise ValueError("not today")

    harness.resolver = replace(harness.resolver, search_words=failing)
    game = start_game(harness, "toy", 2, turns="1")
    assert not search.index_game(harness.resolver, game), "it is under way"
    play_on(harness, game)
    assert (harness.load_game(game).state, harness.load_game(game).failure) == ("over", "its index: ValueError")
    harness.resolver = replace(harness.resolver, search_words=build_search_words)
    jobs.delete_expired_rows(harness.mailer)
    harness.advance_time(minutes=1)
    harness.requeue_stuck_work()
    assert found(harness, player(harness, 1), "dealt") == [(game, True)]
    assert harness.load_game(game).failure is None
    words = len(harness.load_rows(ArchiveSearchTerm))
    assert not search.index_game(harness.resolver, game), "once"
    assert len(harness.load_rows(ArchiveSearchTerm)) == words > 20


def test_a_game_that_was_brought_here_is_found_by_everybody(state_dir: Path) -> None:
    """Its story is indexed as it comes in; its players have no figures here, for they are only names."""
    harness, game = over(state_dir)
    other = build(state_dir / "other")
    other.resolver = replace(other.resolver, search_words=build_search_words)
    transfer.import_game(other.resolver, files.export_game(harness.resolver, game))
    anybody = number(other, "anybody@games.test")
    assert found(other, anybody, "dealt") == [(game, True)]
    figures = library.load_statistics(other.web, anybody)
    assert figures.players == ()
    assert {line.name for line in figures.powers} == {"seat:s1", "seat:s2"}


def test_figures_follow_from_the_end_of_each_game(state_dir: Path) -> None:
    """Games, first places, mean place and points per player, and how much was on time; powers without names."""
    harness, _ = over(state_dir)
    rows = {row.seat: row for row in harness.load_rows(GameResult)}
    assert {row.place for row in rows.values()} in ({1, 2}, {1})
    figures = library.load_statistics(harness.web, player(harness, 1))
    assert {line.name for line in figures.players} == {"Player 1", "p2"}
    assert sum(line.games for line in figures.players) == 2
    assert sum(line.place for line in figures.players) == 30
    mine = next(line for line in figures.players if line.name == "p2")
    assert mine.points == 10 * rows["s2"].points
    assert (mine.share, mine.firsts) == (100, int(rows["s2"].place == 1))
    stranger = library.load_statistics(harness.web, number(harness, "eve@games.test"))
    assert stranger.players == ()
    assert stranger.powers == figures.powers
    assert [row.state for row in harness.load_rows(Game)] == ["over"]


def test_figures_never_sum_up_different_games(state_dir: Path) -> None:
    """Who played two games has a row for each: an average over both would say nothing of either."""
    harness, game = over(state_dir)
    play_on(harness, start_game(harness, "toy", 2, turns="1"))
    with harness.resolver.db.transaction() as session:
        for row in session.query(GameResult).where(GameResult.game_id != game):
            row.rules, row.points = "another", row.points + 70
    lines = library.load_statistics(harness.web, player(harness, 1)).players
    assert [(line.rules, line.games) for line in lines if line.name == "p2"] == [("another", 1), ("toy", 1)]


@pytest.mark.parametrize(("total", "games", "said"), [(35, 2, 18), (34, 2, 17), (-5, 2, -2), (-7, 3, -2), (40, 3, 13)])
def test_a_mean_is_the_nearest_number(total: int, games: int, said: int) -> None:
    """Places 2.5 and 1 are 1.8 on average, and who lost points is not pushed further down."""
    assert library.rounded_mean(total, games) == said


def test_words_are_compared_without_case_accents_and_numbers() -> None:
    """Words of a story and of a search meet in both languages."""
    assert search_terms("L'Œuvre d'ÉTÉ, 12 fois à Paris!") == ("oeuvre", "ete", "fois", "paris")
    assert search_terms("") == search_terms("12 3 a") == ()


@pytest.mark.parametrize("title", GAMES)
def test_cards_and_players_of_a_whole_game_are_in_its_words(title: str) -> None:
    """Every card that is named in a fact is found by its name in both languages, in the entry that tells it."""
    rules = GAMES[title]
    entries = bot_games.plain(rules).entries
    seats = entries[-1].after.position.core.seats
    told = [(n, entry.after.events) for n, entry in enumerate(entries, 1)]
    names = {seat: f"Zebulon{seat}" for seat in seats}
    made = index_words(title, names, entries[-1].after.position, told)
    assert set(made) == {"fr", "en"}
    for places in made.values():
        assert len(places) > len(entries)
        assert any(word.startswith("zebulon") for word in places)
        assert set().union(*places.values()) <= set(range(1, len(entries) + 1))
    assert len(power_names(title, entries[-1].after.position)) == len(seats)
