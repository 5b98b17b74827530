"""The file of a game that has ended: made once and without a lock, whoever dies and whatever changes meanwhile."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.archive.contents import parse
from pbem.archive.verify import verify
from pbem.service.archive import files
from pbem.service.base.services import FILE_POINTS
from pbem.service.tasks import jobs
from pbem.store.database import in_transaction
from pbem.store.models import SeatView, User
from tests.archive.bots import play_on
from tests.service.server_fixtures import ServerHarness, build, restore_or_make, start_game
from tests.service.test_exactly_once import Killed


@pytest.fixture
def begun(state_dir: Path) -> tuple[ServerHarness, str]:
    """A game of one turn that nobody has answered yet."""
    harness = build(state_dir)
    return harness, restore_or_make(harness, "short", lambda: start_game(harness, "toy", 2, turns="1"))


def count_files(harness: ServerHarness) -> int:
    """How many files of games are stored."""
    with harness.web.db.snapshot() as session:
        return len(session.scalars(select(SeatView.entry).where(SeatView.kind == "file")).all())


def run_to_the_end(harness: ServerHarness, work: Callable[[], None]) -> None:
    """Do something until no worker dies of it; what was in the broker is lost with each that does."""
    while True:
        try:
            return work()
        except Killed:
            harness.queued_tasks.clear()


@pytest.mark.parametrize("point", ["resolver.locked", "resolver.before_commit", "resolver.after_commit", *FILE_POINTS])
def test_a_game_has_one_file_whoever_dies_at_its_end(begun: tuple[ServerHarness, str], point: str) -> None:
    """A resolver dies once in each visit, also in that which ends the game, or while it makes the file."""
    harness, game = begun
    deaths = list[int]()

    def die(name: str) -> None:
        entry = harness.load_game(game).entry
        if name == point and entry not in deaths:
            deaths.append(entry)
            raise Killed(name)

    harness.configure(fault_point=die)
    run_to_the_end(harness, lambda: play_on(harness, game))
    run_to_the_end(harness, harness.requeue_stuck_work)
    assert deaths[-1] >= harness.load_game(game).entry - 1, "in the last visit"
    assert count_files(harness) == 1
    file = files.load_file(harness.web, game)
    assert file == files.export_game(harness.resolver, game)
    assert verify(file, installed=harness.resolver.installed).code == 0


def test_the_file_is_made_without_a_lock_and_of_what_is_so_then(begun: tuple[ServerHarness, str]) -> None:
    """Somebody takes another name each time that it is made: it is made again, and the operator is not alarmed."""
    harness, game = begun
    locked = list[bool]()

    def rename(name: str) -> None:
        if name == "files.prepared":
            locked.append(in_transaction())
            if len(locked) <= 4:
                with harness.web.db.transaction() as session:
                    session.get_one(User, 1).name = f"Name {len(locked)}"

    harness.configure(fault_point=rename)
    play_on(harness, game)
    assert locked == [False] * 5
    assert count_files(harness) == 1
    assert harness.load_game(game).failure is None
    file = files.load_file(harness.web, game)
    assert file is not None
    assert "Name 4" in [name for _, name in parse(file).manifest.seats]


def test_a_file_that_is_missing_is_made_the_next_day(
    begun: tuple[ServerHarness, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever kept it from being made: the daily tidying finds games without one."""
    harness, game = begun
    with monkeypatch.context() as patch:
        patch.setattr(files, "store_file", lambda services, number: False)
        play_on(harness, game)
        harness.run_queued_tasks()
    assert count_files(harness) == 0
    jobs.delete_expired_rows(harness.mailer)
    harness.advance_time(minutes=1)
    harness.requeue_stuck_work()
    harness.run_queued_tasks()
    assert count_files(harness) == 1
