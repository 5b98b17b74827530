"""Answers that stood in for a seat that missed its deadline: what of them a file proves."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.archive.contents import parse
from pbem.archive.entries import EntryRecord
from pbem.service.archive import files
from tests.archive.bots import play_on
from tests.archive.files import broken, faults, file_of, forged, steady, verify_file
from tests.service.server_fixtures import build
from tests.service.timed_games import advance_and_run, start_timed_game


@pytest.mark.parametrize(("policy", "how"), [("standing", "standing"), ("bot", "bot")])
def test_what_stood_in_verifies(policy: str, how: str, state_dir: Path) -> None:
    """A plan is what its receipt acknowledged; a bot's answer and a default acknowledge nothing, and say so."""
    harness = steady(build(state_dir), f"{policy} {how}")
    game = start_timed_game(harness, 2, 24, on_missed=policy)
    harness.reply("s2", "BID 1", *(["ALWAYS"] if how == "standing" else []))
    harness.reply("s1", "BID 0")
    play_on(harness, game, 3)
    harness.run_queued_tasks()
    advance_and_run(harness, hours=30)
    while harness.load_game(game).state == "running":
        advance_and_run(harness, hours=30)
    book = parse(files.export_game(harness.resolver, game))
    assert verify_file(file_of(book)).code == 0
    counted = [(whole.place.entry, c.how) for whole in book.wholes for c in whole.record().counted]
    number = next(entry for entry, came in counted if came == how)

    def other(record: EntryRecord) -> EntryRecord:
        swapped = tuple(replace(c, commitment="00" * 32) if c.how == how else c for c in record.counted)
        return replace(record, counted=swapped)

    verdict = verify_file(file_of(forged(book, number, other)))
    assert "receipts" in broken(verdict)
    assert f"Entry {number}: the answer of seat" in faults(verdict, "receipts")[0]
