"""Files of running games hold nothing that their readers may not know: canaries in place of all cards."""

import random
from pathlib import Path

import pytest

from pbem.archive import container
from pbem.service.archive import files, transfer
from tests.archive.bots import play_on
from tests.service.canary_words import found_in, word
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_secrets import hands, renamed, unseen

__all__ = ["renamed"]

SEATS = ("s1", "s2", "s3")


@pytest.fixture
def underway(state_dir: Path, renamed: dict[str, str]) -> tuple[ServerHarness, str, set[str]]:
    """A game whose cards are random words, in which all seats have written random words for luck."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    play_on(harness, game, 2)
    harness.run_task("send_outbound_emails", "")
    dice = random.Random(9)
    lucky = {word(dice) for _ in SEATS}
    for seat, luck in zip(SEATS, sorted(lucky), strict=True):
        harness.reply(seat, "PASS", f"LUCK {luck}")
    return harness, game, lucky


def test_files_of_a_running_game_hold_nothing_hidden(underway: tuple[ServerHarness, str, set[str]]) -> None:
    """In what everybody may have is no card of a hand or of the deck, no word for luck, no seed and no salt.

    In a seat's part is no card that it does not know; in a file for another server nothing that others can read.
    """
    harness, game, lucky = underway
    file = files.export_game(harness.resolver, game)
    assert unseen(harness, game)
    assert found_in(file, unseen(harness, game) | lucky, deep=True) == set()
    assert set(container.read_container(file)) == {"manifest.jsonl", "entries.jsonl"}
    assert b"salt" not in file
    told = container.read_container(file)["entries.jsonl"]
    assert not any("draws" in str(entry) for entry in told), "the table's option of that name is in the manifest"
    for seat in SEATS:
        part = files.export_game(harness.resolver, game, seat)
        assert found_in(part, hands(harness, game)[seat] | lucky, deep=True) == set()
        mine = unseen(harness, game) - hands(harness, game)[seat]
        assert found_in(part, mine) == mine
    hidden = unseen(harness, game) | lucky | {f"p{n}@games.test" for n in (1, 2, 3)}
    moved = transfer.export(harness.resolver, game, transfer.load_own_key(harness.resolver))
    assert found_in(moved, hidden, deep=True) == set()
    ciphertext = next(line["ciphertext"] for line in container.read_container(moved)["sealed.jsonl"])
    assert found_in(bytes.fromhex(ciphertext), hidden, deep=True) == set()
