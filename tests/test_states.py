"""What is stored has its states in one place."""

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import StatementError

from pbem.common.states import GameState
from pbem.store.models import Base, Game, User
from pbem.store.models.base import EnumString
from tests.service.server_fixtures import build, start_game


def test_every_state_that_is_stored_is_of_one_enum() -> None:
    """Each column called `state` holds the words of an enum, and none is longer than the column."""
    columns = [table.c.state for table in Base.metadata.sorted_tables if "state" in table.c]
    assert len(columns) >= 8
    for column in columns:
        assert isinstance(column.type, EnumString)
        assert max(len(word) for word in column.type.words) <= column.type.length


def test_states_are_read_as_they_were_written(state_dir: Path) -> None:
    """The database holds the value, the program reads the enum, and a word that is none is refused."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    assert harness.load_game(game).state is GameState.RUNNING
    with harness.web.db.snapshot() as session:
        assert session.scalar(text("SELECT state FROM games")) == "running"
        assert session.query(Game).where(Game.state == GameState.RUNNING).count() == 1
    with pytest.raises(StatementError, match="runing"), harness.web.db.transaction() as session:
        session.get_one(Game, game).state = "runing"  # type: ignore[assignment]
    assert harness.load_rows(User)
