"""Long lists are read in parts, and found by an index."""

from pathlib import Path
from typing import Any

from pbem.common.states import GameState
from pbem.service.archive import library, search
from pbem.service.base.database_access import PageWindow
from pbem.service.pages import game_pages
from pbem.service.seats import spectators, tables
from pbem.store.models import ArchiveSearchTerm, Game, GameResult, QuestionRow, SeatRow
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_scheduler_cost import record_statements, wide

OTTO = "otto@games.test"


def test_a_long_list_is_read_part_by_part(state_dir: Path) -> None:
    """Each part says how much to leave out to read on, the last one nothing; together they are the whole list."""
    harness = build(state_dir)
    games = {start_game(harness, "toy", 2, watchers="open") for _ in range(3)}
    otto, shown, first = get_user_id(harness, OTTO), [], 0
    for onward in (2, 0):
        found = spectators.list_followed(harness.web, otto, PageWindow(first, 2))[1]
        shown += [one.game for one in found.rows]
        first = found.next_offset
        assert first == onward
    assert len(shown) == 3
    assert set(shown) == games


def test_one_s_tables_come_part_by_part_what_waits_first(state_dir: Path) -> None:
    """What waits for an answer comes first, the nearest deadline before the others; then what goes on; then the rest.

    In whatever parts the list is read, it is in the same order.
    """
    harness = build(state_dir)
    late, soon = start_game(harness, "toy", 2, 48), start_game(harness, "toy", 2, 24)
    forming, ended, answered = (
        start_game(harness, "toy", 2, stop=True),
        start_game(harness, "toy", 2),
        start_game(harness, "toy", 2),
    )
    me = get_user_id(harness, "p1@games.test")
    with harness.web.db.transaction() as session:
        session.get_one(Game, ended).state = GameState.OVER
        for question in session.query(QuestionRow).filter(QuestionRow.game_id == answered):
            question.answered_at = 1
    whole = [card.game for card in game_pages.load_home(harness.web, me).games]
    assert whole == [soon, late, answered, forming, ended]
    parts = [game_pages.load_home(harness.web, me, PageWindow(first, 2)) for first in (0, 2, 4)]
    assert [card.game for part in parts for card in part.games] == whole
    assert [part.next_offset for part in parts] == [2, 4, 0]


def test_a_table_waits_only_for_the_player_of_the_seat_that_owes(state_dir: Path) -> None:
    """For a player with another seat at each table, a table comes first if their own seat owes an answer there."""
    harness = build(state_dir)
    waiting, host = start_game(harness, "toy", 2, 48), get_user_id(harness, "p2@games.test")
    answered = tables.create(harness.web, host, "toy", "Rose", 2, {}, 24)
    tables.invite(harness.web, answered, host, ["p1@games.test"])
    harness.run_queued_tasks()
    tables.join(harness.web, harness.sent_facts("invitation")[-1].frame.links.act.rpartition("/")[2], words="luck")
    harness.run_queued_tasks()
    with harness.web.db.transaction() as session:
        for question in session.query(QuestionRow).filter_by(game_id=answered, seat="s2"):
            question.answered_at = 1
    me = get_user_id(harness, "p1@games.test")
    assert [card.game for card in game_pages.load_home(harness.web, me).games] == [waiting, answered]


def long_lists(harness: ServerHarness) -> list[list[tuple[str, Any]]]:
    """What is asked for one's tables, finished games, what a search finds, and the figures."""
    me, found = get_user_id(harness, "p1@games.test"), []
    looks = (
        lambda: game_pages.load_home(harness.web, me),
        lambda: search.search(harness.web, me, "en", ()),
        lambda: search.search(harness.web, me, "en", ("rose", "end")),
        lambda: library.load_statistics(harness.web, me),
    )
    for look in looks:
        with record_statements(harness.web.db) as statements:
            look()
        found.append(statements)
    return found


def test_long_lists_are_found_by_indexes_and_cost_no_more_statements(state_dir: Path) -> None:
    """One's tables, finished games, what a search finds and the figures: as many statements for six as for two.

    Only games brought here, which are for everybody, are looked for among all by their state.
    """
    harness, counts = build(state_dir), []
    for more in (2, 4):
        for _ in range(more):
            ended(harness, start_game(harness, "toy", 2))
        counts.append([len(statements) for statements in long_lists(harness)])
    assert counts[0] == counts[1]
    for statements in long_lists(harness):
        steps = wide(harness, statements)
        assert all("ix_games_state" in step for step in steps)
        assert len(set(steps)) == len(steps)


def ended(harness: ServerHarness, game: str) -> None:
    """A table that is over and told."""
    with harness.web.db.transaction() as session:
        session.get_one(Game, game).state = GameState.OVER
        session.add(ArchiveSearchTerm(language="en", word="ended", game_id=game, entries=b"\2"))
        for place, row in enumerate(session.query(SeatRow).filter(SeatRow.game_id == game), 1):
            at = {"game_id": game, "seat": row.seat, "user_id": row.user_id, "rules": "toy", "power": ""}
            session.add(GameResult(**at, place=place, tied_with=1, players=2, points=place))


def test_a_search_finds_by_name_and_story_in_parts(state_dir: Path) -> None:
    """Each part says how to read on; a word of the story is found by its beginning alone."""
    harness = build(state_dir)
    games = {start_game(harness, "toy", 2) for _ in range(3)}
    for game in games:
        ended(harness, game)
    me = get_user_id(harness, "p1@games.test")
    for words in (("rose",), ("end",), ("rose", "ended")):
        parts = [search.search(harness.web, me, "en", words, PageWindow(first, 2)) for first in (0, 2)]
        assert {match.game.game for part in parts for match in part.rows} == games
        assert [part.next_offset for part in parts] == [2, 0]
    assert search.search(harness.web, me, "en", ("nded",)).rows == ()
    assert search.search(harness.web, get_user_id(harness, OTTO), "en", ("rose",)).rows == ()
