"""Every ruling by every door: shown with a word, made with it, audited, told; and every law kept."""

from dataclasses import dataclass
from pathlib import Path

import pytest

import engine
from pbem.service.masters import ruling_commands
from pbem.store.models import AuditEntry
from tests.archive.bots import play_on
from tests.service.master_cases import Table
from tests.service.master_commands import MASTER, appoint_outsider, send_confirmed, start_mastered_game
from tests.service.server_fixtures import ServerHarness, build, restore_or_make, start_game
from tests.service.test_master_channels import DOORS, by_turns, sound
from tests.service.test_rewinds import entries
from tests.toy.rules import Toy


@dataclass(frozen=True)
class Case:
    """A ruling: how it is written, and how many entries it makes at least."""

    action: str
    lines: tuple[str, ...]
    entries: int = 1
    twice: bool = True


CASES = (
    Case("correct", ("CORRECT a coin was forgotten", "GIVE 2 COINS TO player 1", "END")),
    Case("undo", ("UNDO {ruled} BECAUSE it was not",)),
    Case("rewind", ("REWIND TO 3 WITH DRAFTS BECAUSE the bids were misread",)),
    Case("again", ("ADJUDICATE AGAIN 4", "GIVE 1 COIN TO player 2", "END"), entries=0, twice=False),
    Case("forward", ("ROLL FORWARD 4 BECAUSE a coin was forgotten", "GIVE 1 COIN TO player 2", "END"), entries=2),
    Case("reroll", ("REROLL {drawn} DRAW 1 BECAUSE the die was cocked",), entries=2),
)


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest game can be played like any other."""
    monkeypatch.setitem(engine.GAMES, "toy", Toy())


def test_every_ruling_has_a_case() -> None:
    """Every ruling is asked for in a test."""
    assert {case.action for case in CASES} == {command.name for command in ruling_commands.COMMANDS}


def test_the_operators_screen_tells_a_correction_in_words(state_dir: Path) -> None:
    """Before it is made the screen says what it would do, as everybody would be told it."""
    harness = build(state_dir, installed=engine.GAMES)
    game = start_game(harness, "renaissance", 3)
    appoint_outsider(harness, game)
    play_on(harness, game, 6)
    table, lines = Table(harness, game), ("CORRECT a slip", "GIVE 2 DUCATS TO player 1", "END")
    assert harness.sent_facts("ruling") == []
    first = DOORS["operator"](table, MASTER, lines, "")
    assert first[0] == "confirm"
    assert DOORS["operator"](table, MASTER, lines, first[1])[0] == "done"
    assert len(harness.sent_facts("ruling")) == 3


PAIRS = [pair for pair in by_turns(CASES) if pair.id != "correct-operator"]
"""The smallest game has no words to tell a correction in on the operator's screen: see the test above."""


@pytest.mark.parametrize(("case", "door"), PAIRS)
def test_a_ruling_is_made_by_every_door(case: Case, door: str, state_dir: Path) -> None:
    """Nothing happens before the word, and an entry at least with it; all are told; the audit names the door."""
    harness = build(state_dir)
    game, numbers = restore_or_make(harness, "ruled", lambda: ruled(harness))
    table = Table(harness, game)
    lines = tuple(line.format(**numbers) for line in case.lines)
    before = harness.load_game(game).entry
    first = DOORS[door](table, MASTER, lines, "")
    assert first[0] == ("confirm" if case.twice else "done"), first
    if case.twice:
        assert (harness.load_game(game).entry, harness.sent_facts("ruling")) == (before, [])
        assert DOORS[door](table, MASTER, lines, first[1])[0] == "done"
    assert harness.load_game(game).entry >= before + case.entries
    told = {facts.frame.reader.seat for facts in harness.sent_facts("ruling")}
    assert told == ({"s1", "s2", "s3"} if case.entries else set())
    entry = [row for row in harness.load_rows(AuditEntry) if row.action == case.action][-1]
    assert (entry.channel, entry.outcome) == (door, "done")
    sound(harness, game)
    play_on(harness, game, harness.load_game(game).entry + 1)


def ruled(harness: ServerHarness) -> tuple[str, dict[str, int]]:
    """A game of six entries and more, to one with a draw; and with one ruling made, so that it can be undone."""
    game = start_mastered_game(harness)
    play_on(harness, game, 6)
    while not (entries(harness, game)[-1].counted and entries(harness, game)[-1].draws):
        play_on(harness, game, harness.load_game(game).entry + 1)
    drawn = harness.load_game(game).entry
    send_confirmed(harness, game, "CORRECT first", "GIVE 1 COIN TO player 3", "END", who=MASTER)
    harness.sent[:] = [(a, f) for a, f in harness.sent if a.kind != "ruling"]
    return game, {"drawn": drawn, "ruled": drawn + 1}
