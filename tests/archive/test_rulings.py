"""Entries told again: what a file proves of them, and what a forger cannot change."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.archive.contents import Archive
from pbem.archive.entries import Record
from pbem.archive.verify import verify_contents
from pbem.service.records.archive import archive_of, private
from pbem.service.run.replay import replay
from pbem.store.models import Game
from tests.archive.files import forged, steady
from tests.service.hall import TITLES, Hall, build, seated
from tests.service.masterly import MASTER, meant, outsider
from tests.service.test_rulings_back import entries, until_drawn

WORDS = "told again 1"
"""A game in which the draw of then is not by chance what another luck would have given."""


@pytest.fixture
def told_again(state_dir: Path) -> Iterator[tuple[Hall, str, Record]]:
    """A game in which an entry with draws was rolled forward, with the record that tells it again."""
    hall = steady(build(state_dir), WORDS)
    game = seated(hall, "toy", 3)
    outsider(hall, game)
    drawn = until_drawn(hall, game)
    meant(hall, game, f"ROLL FORWARD {drawn.number}", who=MASTER)
    yield hall, game, next(r for r in entries(hall, game) if r.again == drawn.number)
    hall.play.db.close()


def book_of(hall: Hall, game: str) -> Archive:
    """The whole of a game that is still running."""
    with hall.play.db.reading() as session:
        row = session.get_one(Game, game)
        return private(hall.play, session, row, archive_of(hall.play, session, row))


def broken(book: Archive) -> set[str]:
    """The claims that do not hold."""
    return {finding.claim for finding in verify_contents(book, installed=TITLES) if finding.faults}


def test_an_entry_told_again_verifies(told_again: tuple[Hall, str, Record]) -> None:
    """Its draws and answers are those of the first telling, and its luck is its own."""
    hall, game, record = told_again
    then = entries(hall, game)[int(record.again or 0) - 1]
    assert (record.draws, record.counted) == (then.draws, then.counted)
    assert record.luck != then.luck
    assert broken(book_of(hall, game)) == set()


def test_an_entry_told_again_otherwise_is_found_out(told_again: tuple[Hall, str, Record]) -> None:
    """Draws changed, draws made anew without need and another entry's draws are each found."""
    hall, game, record = told_again
    book = book_of(hall, game)
    names = tuple(draw.name for draw in record.draws)
    for change in (
        lambda r: replace(r, again=None),
        lambda r: replace(r, anew=names),
        lambda r: replace(r, again=1),
        lambda r: replace(r, again=r.number),
        lambda r: replace(r, luck=bytes(32)),
    ):
        assert broken(forged(book, record.number, change)), change


def test_a_replay_tells_rulings_and_rewinds_as_they_were(told_again: tuple[Hall, str, Record]) -> None:
    """An update that changes no rule tells nothing otherwise, whatever was ruled."""
    hall, game, record = told_again
    meant(hall, game, "CORRECT a slip", "GIVE 1 COIN TO player 1", "END", who=MASTER)
    meant(hall, game, f"REROLL {record.number}", who=MASTER)
    (found,) = replay(hall.play)
    assert (found.entries, found.otherwise) == (hall.game(game).entry, ())
