"""Corrections, rewinds and entries told again: what a file proves of them, and what an update would tell otherwise."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from engine.kernel.events import Corrected, Event
from engine.kernel.viewers import Seat
from pbem.archive.contents import Archive, parse
from pbem.archive.entries import EntryRecord
from pbem.archive.verify import verify_contents
from pbem.service.archive import files
from pbem.service.tasks.replay import ReplayReport, replay_games
from pbem.store.models import Game
from tests.archive.bots import play_on
from tests.archive.files import broken, file_of, forged, verify_file
from tests.archive.test_verify import Changed, Newer
from tests.service.master_commands import MASTER, send_confirmed, start_mastered_game
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, restore_or_make
from tests.service.test_rewinds import entries, until_drawn
from tests.toy.events import Paid

GIVE = ("CORRECT a coin was forgotten", "GIVE 2 COINS TO player 1", "END")


@pytest.fixture
def underway(state_dir: Path) -> tuple[ServerHarness, str]:
    """A game of some entries, whose master holds no seat."""
    harness = build(state_dir)

    def make() -> str:
        game = start_mastered_game(harness)
        play_on(harness, game, 3)
        return game

    return harness, restore_or_make(harness, "underway with a master", make)


def test_a_rewound_game_verifies(underway: tuple[ServerHarness, str]) -> None:
    """An entry that goes back to an earlier position is folded from that one; nothing between is lost."""
    harness, game = underway
    rewind = harness.load_game(game).entry + 1
    send_confirmed(harness, game, "REWIND TO 2", who=MASTER)
    play_on(harness, game)
    file = files.export_game(harness.resolver, game)
    assert verify_file(file).code == 0
    book = parse(file)
    assert book.wholes[rewind - 1].record().base == 2
    for base in (1, rewind):
        assert "fold" in broken(verify_file(file_of(forged(book, rewind, partial(replace, base=base)))))


def test_a_correction_that_was_written_in_later_is_found(underway: tuple[ServerHarness, str]) -> None:
    """A ruling is made again from itself; one that was changed or taken out afterwards is found by facts and rules."""
    harness, game = underway
    send_confirmed(harness, game, *GIVE, who=MASTER)
    number = harness.load_game(game).entry
    play_on(harness, game)
    file = files.export_game(harness.resolver, game)
    assert verify_file(file).code == 0
    book = parse(file)

    def generous(record: EntryRecord) -> EntryRecord:
        first, *rest = record.events
        assert isinstance(first, Corrected)
        paid: Event = Paid(income={Seat("s1"): 3})
        return replace(record, events=(replace(first, edits=(paid,)), *rest))

    assert {"fold", "adjudication"} <= broken(verify_file(file_of(forged(book, number, generous))))
    assert "fold" in broken(verify_file(file_of(forged(book, number, lambda record: replace(record, events=())))))


# --- told again


@pytest.fixture
def replayed_game(state_dir: Path) -> tuple[ServerHarness, str, EntryRecord]:
    """A game in which an entry with draws was rolled forward, with the record that tells it again."""
    harness = build(state_dir)

    def make() -> tuple[str, int]:
        game = start_mastered_game(harness)
        play_on(harness, game, until_drawn(harness, game).number + 1)
        drawn = until_drawn(harness, game)  # of the first one the die would show the same by the luck of both entries
        send_confirmed(harness, game, f"ROLL FORWARD {drawn.number}", who=MASTER)
        return game, drawn.number

    game, number = restore_or_make(harness, "told again", make)
    return harness, game, next(r for r in entries(harness, game) if r.replay_of == number)


def faulty(book: Archive) -> set[str]:
    """The claims about a game that is still running which do not hold."""
    return {finding.claim for finding in verify_contents(book, installed=GAME_TYPES) if finding.faults}


def test_an_entry_told_again_has_the_draws_of_then_and_nothing_else_will_do(
    replayed_game: tuple[ServerHarness, str, EntryRecord],
) -> None:
    """Its luck is its own; draws changed, made anew without need, and those of another entry are each found."""
    harness, game, record = replayed_game
    then = entries(harness, game)[int(record.replay_of or 0) - 1]
    assert (record.draws, record.counted) == (then.draws, then.counted)
    assert record.luck != then.luck
    with harness.resolver.db.snapshot() as session:
        row = session.get_one(Game, game)
        book = files.private_part(harness.resolver, session, row, files.build_archive(harness.resolver, session, row))
    assert faulty(book) == set()
    names = tuple(draw.name for draw in record.draws)
    for change in (
        lambda r: replace(r, replay_of=None),
        lambda r: replace(r, rerolled=names),
        lambda r: replace(r, replay_of=1),
        lambda r: replace(r, replay_of=r.number),
        lambda r: replace(r, luck=bytes(32)),
    ):
        assert faulty(forged(book, record.number, change)), change


def replayed(harness: ServerHarness) -> ReplayReport:
    """The only running game, told again."""
    (found,) = replay_games(harness.resolver)
    return found


def test_the_program_that_told_a_game_tells_it_again(replayed_game: tuple[ServerHarness, str, EntryRecord]) -> None:
    """Each running game is told again to its end, whatever was ruled, and nothing is told otherwise.

    An update lists the entries that it would tell otherwise; nothing is written.  A game without rules is told as that.
    """
    harness, game, record = replayed_game
    send_confirmed(harness, game, *GIVE, who=MASTER)
    send_confirmed(harness, game, f"REROLL {record.number}", who=MASTER)
    send_confirmed(harness, game, "REWIND TO 2", who=MASTER)
    while harness.load_state(game).board.turn < 2:
        play_on(harness, game, harness.load_game(game).entry + 1)
    found = replayed(harness)
    assert (found.game, found.entries, found.differences) == (game, harness.load_game(game).entry, ())
    assert (found.played, found.installed) == ("1", "1")
    before = files.export_game(harness.resolver, game)
    harness.configure(installed={"toy": Newer()})
    assert replayed(harness).differences == ()
    harness.configure(installed={"toy": Changed()})
    found = replayed(harness)
    assert found.installed == "2"
    assert found.differences
    assert all(sentence.startswith("Entry ") for sentence in found.differences)
    assert files.export_game(harness.resolver, game) == before
    harness.configure(installed={})
    assert replayed(harness).differences == ("The rules of toy are not installed.",)
