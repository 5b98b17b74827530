"""A game that is over is kept smaller, and its file, its pages and its record are what they were."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, event, func, select, update

from engine.kernel.viewers import PUBLIC
from pbem.archive.verify import verify
from pbem.service.archive import files, library, search
from pbem.service.game import seat_views
from pbem.service.tasks import jobs, resolve_game
from pbem.store.models import JournalEntry, SeatView
from tests.archive.bots import play_on
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, restore_or_make, start_game


@pytest.fixture
def over(state_dir: Path) -> tuple[ServerHarness, str]:
    """A game that has just ended, and was not compacted yet."""
    harness = build(state_dir)

    def make() -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pbem.service.tasks.resolve_game.files.compact", lambda services, game: None)
            game = start_game(harness, "toy", 2)
            play_on(harness, game)
        return game

    return harness, restore_or_make(harness, "over", make)


def size(harness: ServerHarness) -> int:
    """The bytes of all journals and views."""
    parts = (JournalEntry.entry_ciphertext, JournalEntry.state_ciphertext, JournalEntry.salts_ciphertext)
    with harness.resolver.db.snapshot() as session:
        sums = [select(func.sum(func.length(part))) for part in parts]
        sums.append(select(func.sum(func.length(SeatView.ciphertext))).where(SeatView.kind.in_(("view", "events"))))
        return sum(int(session.scalar(one) or 0) for one in sums)


def load_pages(harness: ServerHarness, game: str) -> list[object]:
    """Every page of its record, for every viewer."""
    reader = get_user_id(harness, "p1@games.test")
    first = library.load_entry(harness.web, reader, game)
    assert first is not None
    places = [(viewer, entry) for viewer in first.viewers for entry in first.entries]
    return [library.load_entry(harness.web, reader, game, viewer, entry) for viewer, entry in places]


def test_a_finished_game_is_smaller_and_all_the_same(over: tuple[ServerHarness, str]) -> None:
    """Its file is the same byte for byte and holds, each page of its record is the same, in half the space."""
    harness, game = over
    file, pages, before = files.export_game(harness.resolver, game), load_pages(harness, game), size(harness)
    kept = files.load_file(harness.web, game)
    assert files.compact(harness.resolver, game)
    assert files.export_game(harness.resolver, game) == file
    assert files.load_file(harness.web, game) == kept
    assert verify(file, installed=harness.resolver.installed).code == 0
    assert load_pages(harness, game) == pages
    assert size(harness) < before // 2
    assert not files.compact(harness.resolver, game), "once"


def test_compaction_may_be_cut_short_anywhere(over: tuple[ServerHarness, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies in the middle leaves all as readable as it was, and the next one goes on."""
    harness, game = over
    file, pages = files.export_game(harness.resolver, game), load_pages(harness, game)
    monkeypatch.setattr(files, "AT_ONCE", 1)
    some, left = files._compact_some, [3]

    def dying(*given: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        some(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "_compact_some", dying)
    with pytest.raises(KeyboardInterrupt):
        files.compact(harness.resolver, game)
    assert harness.load_game(game).compacted_at is None
    assert (files.export_game(harness.resolver, game), load_pages(harness, game)) == (file, pages)
    monkeypatch.setattr(files, "_compact_some", some)
    assert files.compact(harness.resolver, game)
    assert (files.export_game(harness.resolver, game), load_pages(harness, game)) == (file, pages)


def test_rows_are_written_anew_by_stretches_not_one_by_one(over: tuple[ServerHarness, str]) -> None:
    """However many views and entries a stretch has, it takes one statement to delete and one to write each kind."""
    harness, game = over
    writes: list[str] = []

    def count(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(("DELETE", "INSERT")):
            writes.append(statement.split("(")[0])

    event.listen(harness.resolver.db.engine, "before_cursor_execute", count)
    try:
        assert files.compact(harness.resolver, game)
    finally:
        event.remove(harness.resolver.db.engine, "before_cursor_execute", count)
    stretches = -(-harness.load_game(game).entry // files.AT_ONCE)
    assert len(writes) == 4 * stretches


def test_what_changed_meanwhile_stays(over: tuple[ServerHarness, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Between reading and writing a row was written by another process, and one was deleted: both count."""
    harness, game = over
    seal, its = files._compact_entries, (SeatView.viewer == "s1", SeatView.kind == "events")

    def meanwhile(*given: Any) -> Any:
        with harness.resolver.db.transaction() as session:
            session.execute(update(SeatView).where(*its, SeatView.entry == 1).values(ciphertext=b"newer"))
            session.execute(delete(SeatView).where(*its, SeatView.entry == 2))
        return seal(*given)

    monkeypatch.setattr(files, "_compact_entries", meanwhile)
    assert files.compact(harness.resolver, game)
    found = {
        row.entry: row.ciphertext for row in harness.load_rows(SeatView) if row.viewer == "s1" and row.kind == "events"
    }
    assert found[1] == b"newer"
    assert 2 not in found


def test_the_end_of_a_game_holds_up_no_other_game(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Index and compaction are visits of their own: a game that was woken meanwhile is visited before each."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    done: list[str] = []

    def chore(what: str) -> Callable[..., bool]:
        def run(*given: object) -> bool:
            done.append(what)
            return done.count(what) == 1

        return run

    monkeypatch.setattr(search, "index_game", chore("index"))
    monkeypatch.setattr(files, "compact", chore("rows"))
    play_on(harness, game)
    tasks: list[tuple[str, str]] = []
    resolver = replace(harness.resolver, enqueue=lambda task, name: tasks.append((task, name)))
    done.clear()
    for _ in range(3):
        resolve_game.run(resolver, game)
    assert done == ["index", "index", "rows", "index", "rows"]
    assert tasks == [("resolve_game", game)] * 2, "after each there is another visit, until nothing is left"


def test_games_that_are_over_are_compacted_in_time(over: tuple[ServerHarness, str]) -> None:
    """The daily tidying finds a game whose end was cut short before it was made smaller; one under way stays."""
    harness, game = over
    other = start_game(harness, "toy", 2, turns="1")
    before = [row.ciphertext for row in harness.load_rows(SeatView) if row.game_id == other]
    jobs.delete_expired_rows(harness.mailer)
    harness.advance_time(seconds=10)
    harness.requeue_stuck_work()
    assert harness.load_game(game).compacted_at is not None
    assert harness.load_game(other).compacted_at is None
    assert [row.ciphertext for row in harness.load_rows(SeatView) if row.game_id == other] == before
    assert not files.compact(harness.resolver, other)
    play_on(harness, other)
    assert harness.load_game(other).compacted_at is not None, "at its end"
    with harness.web.db.snapshot() as session:
        assert seat_views.load_view(harness.web, session, other, PUBLIC, harness.load_game(other).entry) is not None
