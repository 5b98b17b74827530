"""What masters did stands in the file of a game, for everybody, and comes along wherever the file goes."""

from pathlib import Path

import pytest

from pbem.archive.container import NotAnArchive
from pbem.archive.contents import archive_of, parse
from pbem.archive.verify import verify
from pbem.service.archive import files, transfer
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.master_commands import MASTER, ask, mastered_in, meant
from tests.service.server_fixtures import Hall, build


def mastered(hall: Hall) -> str:
    """A game whose master did a few things, one of them with what nobody else may read."""
    game = mastered_in(hall)
    ask(hall, game, "BROADCAST Welcome", "PROMOTE anna@games.test", who=MASTER)
    ask(hall, game, "ANSWER FOR p2", "BID 3", "END", who=MASTER)
    meant(hall, game, "PROCESS BIDS 1", who=MASTER)
    return game


def lines(blob: bytes) -> list[tuple[str, str]]:
    """The acts of a file, and what came of each."""
    return [(line["line"], line["outcome"]) for line in parse(blob).audit]


DONE = [
    ('BROADCAST "Welcome"', "done"),
    ('PROMOTE "a…@games.test"', "done"),
    ("ANSWER FOR p2", "done"),
    ("PROCESS BIDS 1", "asked"),
    ("PROCESS BIDS 1", "done"),
]


def test_the_file_of_a_running_game_holds_its_audit_and_takes_it_along(state_dir: Path) -> None:
    """Everybody may have it: with masked addresses, and without the lines that were written for a seat.

    A file whose audit is of another form is refused; the new server of a game shows what was done at the old one.
    """
    hall, other = build(state_dir), build(state_dir / "other")
    game = mastered(hall)
    blob = files.export_game(hall.play, game)
    assert lines(blob) == DONE
    assert b"BID 3" not in blob
    assert b"anna@" not in blob
    members = dict(parse(blob).members())
    changes: tuple[dict[str, object], ...] = ({"more": 1}, {"created_at": "noon"}, {"line": None})
    for change in changes:
        with pytest.raises(NotAnArchive):
            archive_of({**members, "audit.jsonl": ({**members["audit.jsonl"][0], **change},)})
    transfer.import_game(other.play, transfer.export(hall.play, game, transfer.load_own_key(other.play)))
    assert lines(files.export_game(other.play, game)) == DONE


def test_a_finished_file_verifies_with_its_audit_and_opens_elsewhere(state_dir: Path) -> None:
    """On another server it comes out the same again."""
    hall, other = steady(build(state_dir)), build(state_dir / "other")
    game = mastered(hall)
    play_on(hall, game)
    blob = files.export_game(hall.play, game)
    assert lines(blob)[: len(DONE)] == DONE
    assert verify(blob, installed=hall.play.installed).code == 0
    transfer.import_game(other.play, blob)
    assert files.export_game(other.play, game) == blob
