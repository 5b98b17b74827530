"""Columns that are asked for without objects: as true to what is written, and as hard to lie about, as objects."""

from pathlib import Path

import pytest
from sqlalchemy import bindparam, select, update

from pbem.crypto import TamperedError
from pbem.store.columns import select_verified_columns
from pbem.store.models import SeatRow
from tests.service.server_fixtures import ServerHarness, build, start_game

_SEATS = select(SeatRow).where(SeatRow.game_id == bindparam("game")).order_by(SeatRow.id)


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A server with the toy game."""
    return build(state_dir)


def test_columns_of_signed_rows_are_checked(harness: ServerHarness) -> None:
    """A seat that was given to somebody else behind our back is not believed, though no object stands for it."""
    game = start_game(harness, "toy", 2)
    with harness.resolver.db.snapshot() as session:
        assert [row.seat for row in select_verified_columns(session, SeatRow, _SEATS, {"game": game})] == ["s1", "s2"]
    with harness.resolver.db.engine.begin() as stranger:
        stranger.execute(update(SeatRow).where(SeatRow.seat == "s2").values(user_id=1))
    with harness.resolver.db.snapshot() as session, pytest.raises(TamperedError):
        select_verified_columns(session, SeatRow, _SEATS, {"game": game})
