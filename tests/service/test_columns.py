"""Columns that are asked for without objects: as true to what is written, and as hard to lie about, as objects."""

from pathlib import Path

import pytest
from sqlalchemy import bindparam, select, update

from pbem.store.columns import Among, believed_columns, columns
from pbem.store.models import Beat, SeatRow
from pbem.vault import Tampered
from tests.service.hall import Hall, build, seated

_AT = select(Beat.at).where(Beat.name == bindparam("name"))
_THESE = Among(Beat.name, lambda these: select(Beat.name).where(these).order_by(Beat.name))
_SEATS = select(SeatRow).where(SeatRow.game_id == bindparam("game")).order_by(SeatRow.id)


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A server with the toy game."""
    return build(state_dir)


def test_columns_show_what_the_transaction_has_done(hall: Hall) -> None:
    """A row that was added, or changed, and not yet written is written before columns are asked for."""
    with hall.play.db.writing() as session:
        row = Beat(name="mine", at=1)
        session.add(row)
        assert columns(session, _AT, {"name": "mine"}) == [(1,)]
        row.at = 2
        assert columns(session, _AT, {"name": "mine"}) == [(2,)]
        session.rollback()


def test_who_asks_for_what_lies_there_gets_that(hall: Hall) -> None:
    """Where nothing is to be written first, nothing is."""
    with hall.play.db.writing() as session:
        session.add(Beat(name="mine", at=1))
        with session.no_autoflush:
            assert columns(session, _AT, {"name": "mine"}) == []
        session.rollback()


def test_rows_among_several_values_are_found(hall: Hall) -> None:
    """One statement finds those that there are, of however many values, and none of none."""
    with hall.play.db.writing() as session:
        session.add_all([Beat(name=name, at=1) for name in ("a", "b", "c")])
        for wanted, there in ((["a"], "a"), (["c", "a", "x"], "ac"), (["c", "b", "a"], "abc"), ([], "")):
            assert "".join(name for (name,) in columns(session, *_THESE.of(wanted))) == there
        session.rollback()


def test_columns_of_signed_rows_are_checked(hall: Hall) -> None:
    """A seat that was given to somebody else behind our back is not believed, though no object stands for it."""
    game = seated(hall, "toy", 2)
    with hall.play.db.reading() as session:
        assert [row.seat for row in believed_columns(session, SeatRow, _SEATS, {"game": game})] == ["s1", "s2"]
    with hall.play.db.engine.begin() as stranger:
        stranger.execute(update(SeatRow).where(SeatRow.seat == "s2").values(user_id=1))
    with hall.play.db.reading() as session, pytest.raises(Tampered):
        believed_columns(session, SeatRow, _SEATS, {"game": game})
