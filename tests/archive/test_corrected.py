"""Corrections, rewinds and replays: entries that nobody's answers made, and what an update would tell otherwise."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.codec import load
from engine.kernel.events import Corrected, Event
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.run import Advance, correct
from pbem.archive.contents import parse
from pbem.archive.entries import ORDERS, Record, luck_of
from pbem.service.game.journal import append, game_keys
from pbem.service.play import resolution
from pbem.service.records import archive
from pbem.service.run.replay import Replayed, replay
from pbem.store.games import locked
from pbem.store.models import EntryRow, Game
from pbem.vault import open_entry
from tests.archive.bots import play_on
from tests.archive.files import broken, file_of, forged, look, steady
from tests.archive.test_verify import Changed, Newer
from tests.service.hall import Hall, build, seated
from tests.toy.events import Paid


@pytest.fixture
def underway(state_dir: Path) -> Iterator[tuple[Hall, str]]:
    """A game of some entries."""
    hall = steady(build(state_dir))
    game = seated(hall, "toy", 2)
    play_on(hall, game, 3)
    yield hall, game
    hall.play.db.close()


def corrected(hall: Hall, game_id: str) -> int:
    """A ruling that pays a seat two coins from the bank; the number of its entry."""
    with hall.play.db.writing() as session:
        game = locked(session, game_id)
        assert game is not None
        at = resolution.begin_visit(hall.play, session, game, hall.play.now())
        chance = luck_of(game_id, game.entry + 1, [])
        edits: tuple[Event, ...] = (Paid(income={Seat("s1"): 2}),)
        ruling = Corrected(by="the master", reason="a coin was forgotten", edits=edits)
        resolution.enter(at, "correction", correct(at.rules, at.position, ruling, chance), (), chance)
        resolution.publish(at)
        return int(game.entry)


def rewound(hall: Hall, game_id: str, base: int) -> None:
    """An entry that goes on from an earlier one, under a ruling."""
    with hall.play.db.writing() as session:
        game = locked(session, game_id)
        assert game is not None
        at = resolution.begin_visit(hall.play, session, game, hall.play.now())
        chance = luck_of(game_id, game.entry + 1, [])
        ruling = Corrected(by="the master", reason="we go back", edits=())
        made: Advance[Any] = correct(at.rules, position_at(hall, game_id, base), ruling, chance)
        record = Record(
            game_id, game.entry + 1, "rewind", at.now, (), chance, made.events, made.draws, base, mixing=ORDERS
        )
        append(session, at.keys, game, made, record, at.rules.meta)
        at.position = made.position
        resolution.sync(at)
        resolution.publish(at)


def position_at(hall: Hall, game_id: str, entry: int) -> Position[Any]:
    """Where a game stood after an entry."""
    with hall.play.db.reading() as session:
        keys = game_keys(hall.play, session.get_one(Game, game_id))
        row = session.get_one(EntryRow, (game_id, entry))
        found: Position[Any] = load(open_entry(keys.position, game_id, entry, "position", row.position_sealed))
        return found


def test_a_corrected_game_verifies(underway: tuple[Hall, str]) -> None:
    """A ruling is an entry like any other: bound, folded, and made again from the ruling itself."""
    hall, game = underway
    corrected(hall, game)
    play_on(hall, game)
    assert look(archive.export(hall.play, game)).code == 0


def test_a_rewound_game_verifies(underway: tuple[Hall, str]) -> None:
    """An entry that goes back to an earlier position is folded from that one; nothing between is lost."""
    hall, game = underway
    entries = hall.game(game).entry
    rewound(hall, game, 2)
    play_on(hall, game)
    file = archive.export(hall.play, game)
    assert look(file).code == 0
    book = parse(file)
    assert book.wholes[entries].record().base == 2
    elsewhere = forged(book, entries + 1, lambda record: replace(record, base=1))
    assert "fold" in broken(look(file_of(elsewhere)))
    later = forged(book, entries + 1, lambda record: replace(record, base=entries + 1))
    assert "fold" in broken(look(file_of(later)))


def test_a_correction_that_was_written_in_later_is_found(underway: tuple[Hall, str]) -> None:
    """A ruling that was changed, taken out or put in afterwards is found by facts, positions and rules."""
    hall, game = underway
    number = corrected(hall, game)
    play_on(hall, game)
    book = parse(archive.export(hall.play, game))

    def generous(record: Record) -> Record:
        first, *rest = record.events
        assert isinstance(first, Corrected)
        paid: Event = Paid(income={Seat("s1"): 3})
        return replace(record, events=(replace(first, edits=(paid,)), *rest))

    assert {"fold", "adjudication"} <= broken(look(file_of(forged(book, number, generous))))
    assert "fold" in broken(look(file_of(forged(book, number, lambda record: replace(record, events=())))))


# --- all running games, told again


def told(hall: Hall) -> list[Replayed]:
    """Every running game, told again."""
    return list(replay(hall.play))


def test_the_program_that_told_a_game_tells_it_again(underway: tuple[Hall, str]) -> None:
    """Each running game is told again to the end, corrections and all, and nothing is told otherwise."""
    hall, game = underway
    corrected(hall, game)
    rewound(hall, game, 2)
    (found,) = told(hall)
    assert (found.game, found.entries, found.otherwise) == (game, hall.game(game).entry, ())
    assert (found.played, found.installed) == ("1", "1")


def test_a_newer_program_says_which_entries_it_would_tell_otherwise(underway: tuple[Hall, str]) -> None:
    """Per game, the entries that an update would tell otherwise; nothing is written, and the game goes on."""
    hall, game = underway
    while hall.position(game).board.turn < 2:
        play_on(hall, game, hall.game(game).entry + 1)
    before = archive.export(hall.play, game)
    hall.everywhere(installed={"toy": Newer()})
    assert [f.otherwise for f in told(hall)] == [()]
    hall.everywhere(installed={"toy": Changed()})
    (found,) = told(hall)
    assert found.installed == "2"
    assert found.otherwise
    assert all(sentence.startswith("Entry ") for sentence in found.otherwise)
    assert archive.export(hall.play, game) == before


def test_rules_that_were_taken_away_are_named(underway: tuple[Hall, str]) -> None:
    """A game whose rules are not installed any more is told as that, and stops no other one."""
    hall, _ = underway
    hall.sent.clear()
    seated(hall, "toy", 2)
    hall.everywhere(installed={})
    assert [f.otherwise for f in told(hall)] == [("The rules of toy are not installed.",)] * 2
