"""What masters did stands in the file of a game, for everybody, and comes along wherever the file goes."""

from pathlib import Path

import pytest

from pbem.archive.container import NotAnArchive
from pbem.archive.contents import archive_of, parse
from pbem.archive.verify import verify
from pbem.service.archive import files, transfer
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.master_commands import MASTER, send_commands, send_confirmed, start_mastered_game
from tests.service.server_fixtures import ServerHarness, build


def mastered(harness: ServerHarness) -> str:
    """A game whose master did a few things, one of them with what nobody else may read."""
    game = start_mastered_game(harness, turns="1")
    send_commands(harness, game, "BROADCAST Welcome", "PROMOTE anna@games.test", who=MASTER)
    send_commands(harness, game, "ANSWER FOR p2", "BID 3", "END", who=MASTER)
    send_confirmed(harness, game, "PROCESS BIDS 1", who=MASTER)
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
    harness, other = build(state_dir), build(state_dir / "other")
    game = mastered(harness)
    blob = files.export_game(harness.resolver, game)
    assert lines(blob) == DONE
    assert b"BID 3" not in blob
    assert b"anna@" not in blob
    members = dict(parse(blob).members())
    changes: tuple[dict[str, object], ...] = ({"more": 1}, {"created_at": "noon"}, {"line": None})
    for change in changes:
        with pytest.raises(NotAnArchive):
            archive_of({**members, "audit.jsonl": ({**members["audit.jsonl"][0], **change},)})
    transfer.import_game(other.resolver, transfer.export(harness.resolver, game, transfer.load_own_key(other.resolver)))
    assert lines(files.export_game(other.resolver, game)) == DONE


def test_a_finished_file_verifies_with_its_audit_and_opens_elsewhere(state_dir: Path) -> None:
    """On another server it comes out the same again."""
    harness, other = steady(build(state_dir)), build(state_dir / "other")
    game = mastered(harness)
    play_on(harness, game)
    blob = files.export_game(harness.resolver, game)
    assert lines(blob)[: len(DONE)] == DONE
    assert verify(blob, installed=harness.resolver.installed).code == 0
    transfer.import_game(other.resolver, blob)
    assert files.export_game(other.resolver, game) == blob
