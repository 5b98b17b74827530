"""Work prepared on a look: what it writes is what a transaction would have written, or the lock is asked for."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from pbem.store.games import load_game, load_open_questions, load_seats, replace_questions
from pbem.store.models import Capability, Game, Heartbeat, Outage, QuestionRow, TurnStatistics
from pbem.store.optimistic import RequiresLock, SnapshotSession
from tests.service.hall import Hall, build
from tests.service.hall import seated as dealt


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A game of two in its bids."""
    made = build(state_dir)
    dealt(made, "toy", 2)
    return made


def game_of(session: Session) -> Game:
    """The one game that there is."""
    found = load_game(session, session.scalars(select(Game.id)).one())
    assert found is not None
    return found


def plot(game: Game, turn: int) -> TurnStatistics:
    """A row of figures."""
    return TurnStatistics(game_id=game.id, turn=turn, entry=1, sealed=b"x")


@pytest.mark.both_databases
def test_what_is_prepared_is_written_at_once(hall: Hall) -> None:
    """Rows added, changed and removed, and statements, wait for the transaction, which writes all of them."""
    with hall.play.db.transaction() as session:
        session.add(Heartbeat(name="tick", at=1))
    with hall.play.db.preparing() as look:
        game = game_of(look)
        rows = load_open_questions(look, game.id)
        replace_questions(look, game.id, rows[:1], [])
        assert load_open_questions(look, game.id) == rows[1:]
        game.trouble = "changed"
        look.add(plot(game, 7))
        look.execute(delete(Heartbeat).where(Heartbeat.name == "tick"))
        prepared = look.to_write_set()
    assert len(hall.rows(QuestionRow)) == len(rows)
    assert len(hall.rows(Heartbeat)) == 1
    with hall.play.db.transaction() as session:
        assert prepared
        assert prepared.write(session)
    assert sorted(row.id for row in hall.rows(QuestionRow)) == sorted(row.id for row in rows[1:])
    assert hall.rows(Game)[0].trouble == "changed"
    assert 7 in {row.turn for row in hall.rows(TurnStatistics)}
    assert hall.rows(Heartbeat) == []


@pytest.mark.both_databases
def test_a_row_may_take_the_place_of_one_that_goes(hall: Hall) -> None:
    """A question that is put anew has its place in the table, though the old one is removed in the same work."""
    with hall.play.db.preparing() as look:
        game = game_of(look)
        old = load_open_questions(look, game.id)[0]
        names = {column.name for column in QuestionRow.__table__.columns} - {"id"}
        new, again = (QuestionRow(**{name: getattr(old, name) for name in names}) for _ in range(2))
        replace_questions(look, game.id, [old], [new])
        replace_questions(look, game.id, [new], [again])
        prepared = look.to_write_set()
    number = old.id
    with hall.play.db.transaction() as session:
        assert prepared.write(session)
    found = [row for row in hall.rows(QuestionRow) if (row.gate, row.seat) == (old.gate, old.seat)]
    assert len(found) == 1
    assert found[0].id != number


@pytest.mark.both_databases
def test_where_anything_that_was_read_has_changed_nothing_is_written(hall: Hall) -> None:
    """Whatever was read changes before the transaction: it writes nothing."""
    with hall.play.db.preparing() as look:
        game = game_of(look)
        game.trouble = "changed"
        prepared = look.to_write_set()
    with hall.play.db.transaction() as session:
        load_seats(session, game.id)[1].missed = 5
    with hall.play.db.transaction() as session:
        assert not prepared.write(session)
    assert hall.rows(Game)[0].trouble is None


Work = Callable[[SnapshotSession], object]


def pause(look: SnapshotSession) -> Outage:
    """A row that the database gives a number to."""
    row = Outage(cause="halt", game_id=game_of(look).id, began_at=1)
    look.add(row)
    look.flush()
    return row


def changed(look: SnapshotSession) -> Game:
    """A game that is to be changed."""
    game = game_of(look)
    game.trouble = "changed"
    return game


def own_addition(look: SnapshotSession) -> object:
    """Rows of a table to which one is to be added."""
    look.add(plot(game_of(look), 7))
    return look.scalars(select(TurnStatistics)).all()


def own_removal(look: SnapshotSession) -> object:
    """Rows of a table from which one is to be removed."""
    look.delete(load_open_questions(look, game_of(look).id)[0])
    return look.scalars(select(QuestionRow.gate)).all()


def own_change(look: SnapshotSession) -> object:
    """Rows by a column that is to be changed in one."""
    changed(look)
    return look.scalars(select(Game).where(Game.trouble == "changed")).all()


def read_before(look: SnapshotSession) -> object:
    """A statement that changes rows which have been read, and which somebody has at hand."""
    rows = load_open_questions(look, game_of(look).id)
    look.execute(update(QuestionRow).values(stance="wait"))
    return rows


def refers(look: SnapshotSession) -> object:
    """A row that has the number of another one that is to be added."""
    game_of(look).halted_entry = pause(look).id
    return look.to_write_set()


def refreshed(look: SnapshotSession) -> object:
    """A row as it stands, though it is to be changed."""
    game = changed(look)
    look.refresh(game)
    return game


def unheard(look: SnapshotSession) -> object:
    """What goes on though it was told to ask for the lock."""
    with suppress(Exception):
        look.begin_nested()
    return look.to_write_set()


@pytest.mark.parametrize("work", [own_addition, own_removal, own_change, read_before, refers, refreshed, unheard])
def test_what_would_see_its_own_writing_asks_for_the_lock(hall: Hall, work: Work) -> None:
    """Work that asks the database for what it has not written yet is never answered with what stood there before."""
    with hall.play.db.preparing() as look, pytest.raises(RequiresLock):
        work(look)


@pytest.mark.both_databases
def test_two_reads_of_long_keys_that_begin_alike_are_two(hall: Hall) -> None:
    """A row that was read by its key has not changed unseen, though another was read by one that begins the same."""
    keys = [bytes(31) + bytes([last]) for last in (1, 2)]
    with hall.web.db.transaction() as session:
        session.add_all([Capability(hash=key, purpose="link", made_at=1) for key in keys])
    with hall.play.db.preparing() as look:
        assert all(look.get(Capability, key) is not None for key in keys)
        game_of(look).trouble = "changed"
        prepared = look.to_write_set()
    with hall.web.db.transaction() as session:
        session.get_one(Capability, keys[1]).used_at = 5
    with hall.play.db.transaction() as session:
        assert not prepared.write(session)
