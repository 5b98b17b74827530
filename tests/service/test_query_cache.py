"""Rows that a transaction reads once: never older than what it did itself, nor than its lock."""

from pathlib import Path

import pytest
from sqlalchemy import event, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pbem.crypto import DecryptionError, TamperedError
from pbem.service.game import seat_views
from pbem.service.mail.outbox import enqueue
from pbem.store.games import load_game as game_of
from pbem.store.games import load_open_questions, load_seats, lock_game
from pbem.store.models import Game, OutboundEmail, QuestionRow, SeatView, User
from pbem.store.query_cache import clear
from tests.service.server_fixtures import ServerHarness, build
from tests.service.server_fixtures import start_game as table


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A server with the toy game."""
    return build(state_dir)


def statements(session: Session) -> list[str]:
    """Everything that is asked of the database from here on."""
    asked: list[str] = []
    event.listen(session.connection(), "before_cursor_execute", lambda *a: asked.append(a[2]))
    return asked


def test_what_a_transaction_adds_removes_or_changes_shows_at_once(harness: ServerHarness) -> None:
    """A row removed, a row put back, a statement over many rows and an undone savepoint: the next look sees each."""
    game = table(harness, "toy", 2)
    with harness.resolver.db.transaction() as session:
        before = load_open_questions(session, game)
        session.delete(before[0])
        assert load_open_questions(session, game) == before[1:]
        session.execute(update(QuestionRow).where(QuestionRow.seat == "s2").values(pace_request="wait"))
        assert {row.pace_request for row in load_open_questions(session, game, "s2")} == {"wait"}
        undone = session.begin_nested()
        session.delete(before[1])
        assert load_open_questions(session, game) == before[2:]
        undone.rollback()
        assert load_open_questions(session, game) == before[1:]
        session.rollback()


def test_a_gate_is_read_and_written_together(harness: ServerHarness) -> None:
    """A visit asks for commands once, and for no round where none is waited for; people and seats are written at once.

    Receipts and reports that go out together cost one look at the views.
    """
    asked: list[str] = []
    table(harness, "toy", 4)
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "BID 1")
    event.listen(harness.resolver.db.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    harness.reply("s4", "BID 1")
    for begins, often in {"UPDATE users": 2, "UPDATE seats": 2, "INSERT INTO capabilities": 2}.items():
        assert 1 <= len([one for one in asked if one.startswith(begins)]) <= often, begins
    visits = [one for one in asked if "FROM games" in one and one.startswith("SELECT")]
    assert len([one for one in asked if "FROM resolver_requests" in one]) <= len(visits)
    assert not [one for one in asked if "FROM pending_draws" in one or "FROM board_images" in one]
    views_of_letters = [one for one in asked if "FROM seat_views" in one and "seat_views.viewer IN" in one]
    assert len(views_of_letters) == 2, "of the letter and its receipt, and of the reports"
    assert [user.turns_asked for user in harness.load_rows(User)] == [1] * 4


def test_a_letter_is_laid_out_once_under_its_key(harness: ServerHarness) -> None:
    """A second letter under a key changes nothing, in the same transaction before it is written and in a later one."""

    def lay_out(session: Session, facts: str) -> None:
        enqueue(harness.mailer, session, key="only.once", kind="notice", facts=facts, user_id=None)

    with harness.mailer.db.transaction() as session:
        lay_out(session, "first")
        lay_out(session, "second")
        assert len([row for row in session.new if isinstance(row, OutboundEmail)]) == 1
    with harness.mailer.db.transaction() as session:
        lay_out(session, "third")
        assert not session.new
    assert [row.key for row in harness.load_rows(OutboundEmail)] == ["only.once"]


def test_an_opened_view_serves_its_own_place_and_key_only(harness: ServerHarness, tmp_path: Path) -> None:
    """A view that was opened a moment ago is still refused as another seat's, if changed, and to another server."""
    game = table(harness, "toy", 2)
    stranger = build(tmp_path / "elsewhere").mailer
    with harness.mailer.db.snapshot() as session:
        assert seat_views.load_view(harness.mailer, session, game, "s1", 1) is not None
        with pytest.raises(DecryptionError):
            seat_views.load_view(stranger, session, game, "s1", 1)
    with harness.mailer.db.transaction() as session:
        own, other = (session.get_one(SeatView, (game, seat, "view", 1)) for seat in ("s1", "s2"))
        opened = seat_views.load_view(harness.mailer, session, game, "s1", 1)
        assert opened is seat_views.load_view(harness.mailer, session, game, "s1", 1)
        other.ciphertext = own.ciphertext
        with pytest.raises(TamperedError):
            seat_views.load_view(harness.mailer, session, game, "s2", 1)
        own.ciphertext = own.ciphertext[:-1] + bytes([own.ciphertext[-1] ^ 1])
        clear(session)
        with pytest.raises(TamperedError):
            seat_views.load_view(harness.mailer, session, game, "s1", 1)
        session.rollback()


def test_a_lock_makes_what_was_read_before_it_count_no_more(harness: ServerHarness) -> None:
    """Rows read before the lock was held are read again, since they may have changed while we waited."""
    game = table(harness, "toy", 2)
    with harness.resolver.db.transaction() as session:
        load_seats(session, game)
        asked = statements(session)
        lock_game(session, game)
        load_seats(session, game)
        assert sum(" seats " in one for one in asked) == 1


def title_of(harness: ServerHarness, game: str) -> str:
    """What a look at the database says a table is called."""
    with harness.web.db.snapshot() as session:
        found = game_of(session, game)
        assert found is not None
        return found.title


def rename(harness: ServerHarness, game: str, title: str) -> None:
    """Another process calls the table something else."""
    with harness.resolver.db.transaction() as session:
        session.execute(update(Game).where(Game.id == game).values(title=title))


def test_looks_together_see_one_moment_and_read_a_table_once(harness: ServerHarness) -> None:
    """What others write meanwhile shows after the looks together; who writes in one of them reads it in the next."""
    game = table(harness, "toy", 2)
    rename(harness, game, "Early")
    with harness.web.db.shared_snapshot():
        assert title_of(harness, game) == "Early"
        rename(harness, game, "Late")
        with harness.web.db.snapshot() as session:
            asked = statements(session)
        assert title_of(harness, game) == "Early"
        assert asked == []
        with harness.web.db.transaction() as session:
            session.execute(update(Game).where(Game.id == game).values(title="Mine"))
        assert title_of(harness, game) == "Mine"


def test_a_look_that_fails_spoils_none_of_those_after_it(harness: ServerHarness) -> None:
    """A statement that the database refuses ends that look; the next one begins anew."""
    game = table(harness, "toy", 2)
    with harness.web.db.shared_snapshot():
        with pytest.raises(DBAPIError), harness.web.db.snapshot() as session:
            session.execute(text("SELECT nothing FROM nowhere"))
        assert title_of(harness, game)
