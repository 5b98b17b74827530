"""Rows that a transaction reads once: never older than what it did itself, nor than its lock."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pbem.narration.facts import ReceiptFacts
from pbem.service.access import letter_choices
from pbem.service.base.believing import parted
from pbem.service.game import holders, views
from pbem.service.game.ballots import destroy
from pbem.service.game.journal import game_keys
from pbem.service.post import day_keys, inbox_queue, taking_in
from pbem.service.post.outbox import draft
from pbem.service.run import letter_came
from pbem.store.games import all_ballots, every_ballot, file, locked, open_decisions, seated, seats
from pbem.store.games import table as game_of
from pbem.store.models import BallotRow, DecisionRow, Game, LetterChoice, LetterOut, SeatRow, User, ViewRow
from pbem.store.once import forget
from pbem.vault import Tampered, Unopenable
from tests.service.hall import Hall, build
from tests.service.hall import seated as table


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A server with the toy game."""
    return build(state_dir)


def statements(session: Session) -> list[str]:
    """Everything that is asked of the database from here on."""
    asked: list[str] = []
    event.listen(session.connection(), "before_cursor_execute", lambda *a: asked.append(a[2]))
    return asked


def test_what_was_read_is_not_read_again(hall: Hall) -> None:
    """Seats, people and open questions of a game cost one statement each, however often they are asked for."""
    game = table(hall, "toy", 2)
    with hall.play.db.reading() as session:
        asked = statements(session)
        for _ in range(3):
            assert next(user.name for _, user in seated(session, game)) == "Player 1"
            assert len(seats(session, game)) == 2
            assert {row.seat for row in open_decisions(session, game)} == {"s1", "s2"}
        assert len(asked) == 2


def test_what_a_transaction_adds_removes_or_changes_shows_at_once(hall: Hall) -> None:
    """A row removed, a row put back, a statement over many rows and an undone savepoint: the next look sees each."""
    game = table(hall, "toy", 2)
    with hall.play.db.writing() as session:
        before = open_decisions(session, game)
        session.delete(before[0])
        assert open_decisions(session, game) == before[1:]
        session.execute(update(DecisionRow).where(DecisionRow.seat == "s2").values(stance="wait"))
        assert {row.stance for row in open_decisions(session, game, "s2")} == {"wait"}
        undone = session.begin_nested()
        session.delete(before[1])
        assert open_decisions(session, game) == before[2:]
        undone.rollback()
        assert open_decisions(session, game) == before[1:]
        session.rollback()


def test_ballots_of_all_seats_are_read_together(hall: Hall) -> None:
    """What play asks of the ballots of each seat costs one statement, until one of them is gone."""
    game = table(hall, "toy", 2)
    hall.say("s1", "BID 3")
    with hall.play.db.writing() as session:
        asked = statements(session)
        found = [all_ballots(session, game, seat, kind) for seat in ("s1", "s2") for kind in ("orders", "rider")]
        assert [len(rows) for rows in found] == [1, 0, 0, 0]
        assert len(asked) == 1
        destroy(session, game, found[0][0].gate, ["s1"])
        assert all_ballots(session, game, "s1", "orders") == []
        session.rollback()


def test_what_is_filed_in_one_game_leaves_what_was_read_of_another(hall: Hall) -> None:
    """A ballot more in a game is known there, and costs no look at another game's ballots, which are as they were."""
    games = [table(hall, "toy", 2)]
    hall.say("s1", "BID 3")
    games.append(table(hall, "toy", 2))
    hall.say("s1", "BID 1")
    with hall.play.db.writing() as session:
        (first,), (other,) = (every_ballot(session, game) for game in games)
        asked = statements(session)
        columns = [column.name for column in BallotRow.__table__.columns if column.name != "id"]
        values = {name: getattr(first, name) for name in columns}
        file(session, BallotRow(**values | {"revision": 2}))
        assert [row.revision for row in every_ballot(session, games[0])] == [1, 2]
        assert every_ballot(session, games[1]) == [other]
        assert not [one for one in asked if one.startswith("SELECT")]
        session.rollback()


def test_where_no_pictures_go_along_none_is_looked_for(hall: Hall) -> None:
    """Reports are sent without a look at the table of pictures."""
    asked: list[str] = []
    event.listen(hall.post.db.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    table(hall, "toy", 2)
    hall.say("s1", "BID 3")
    hall.say("s2", "BID 1")
    assert hall.of("report")
    assert not [statement for statement in asked if "FROM pictures" in statement]


def test_what_the_readers_of_letters_chose_is_read_together(hall: Hall) -> None:
    """One statement tells for all letters of a batch who wants what; a choice that is made meanwhile shows at once."""
    game = table(hall, "toy", 2)
    with hall.post.db.writing() as session:
        users = [user for _, user in seated(session, game)]
        letter_choices.quieten(hall.post, session, users[0].id, game, on=True)
        session.flush()
        asked = statements(session)
        letter_choices.at_hand(session, [(game, user.id) for user in users])
        assert [letter_choices.is_quiet(session, user.id, game) for user in users] == [True, False]
        assert {letter_choices.of(session, user).amount for user in users} == {letter_choices.ALL}
        assert len(asked) == 1
        session.add(LetterChoice(user_id=users[1].id, owed_only=True))
        assert letter_choices.of(session, users[1]).amount == letter_choices.OWED
        letter_choices.quieten(hall.post, session, users[0].id, game, on=False)
        assert not letter_choices.is_quiet(session, users[0].id, game)
        session.rollback()


def test_the_key_of_the_day_costs_one_statement(hall: Hall) -> None:
    """Whether a copy was put back is read with the key, whichever is asked for first, and once in a transaction."""
    with hall.post.db.reading() as session:
        asked = statements(session)
        assert day_keys.restored_at(session) == 0
        assert day_keys.newest(session) is not None
        assert day_keys.newest(session) is not None
        assert len(asked) == 1


def test_a_visit_asks_once_what_commands_wait(hall: Hall) -> None:
    """A play worker that has nothing to carry out asks for commands once; for a round only where draws wait for one."""
    asked: list[str] = []
    event.listen(hall.play.db.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    table(hall, "toy", 2)
    hall.say("s1", "BID 3")
    asked.clear()
    hall.say("s2", "BID 1")
    visits = [one for one in asked if "FROM games" in one and one.startswith("SELECT")]
    assert visits
    assert len([one for one in asked if "FROM commands" in one]) <= len(visits)
    assert not [one for one in asked if "FROM rounds" in one]


def test_who_holds_the_seats_is_read_together(hall: Hall) -> None:
    """Play compares all seats of a table with the book of holdings in one statement."""
    game = table(hall, "toy", 2)
    with hall.play.db.reading() as session:
        row = hall.game(game)
        seated(session, game)
        asked = statements(session)
        holders.check(session, game_keys(hall.play, row), row)
        assert len([one for one in asked if "FROM holdings" in one]) == len(asked) == 1


def test_views_of_all_letters_of_a_batch_are_read_together(hall: Hall) -> None:
    """Receipts and reports that go out together cost one look at the views, and say what those alone would say."""
    asked: list[str] = []
    event.listen(hall.post.db.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    game = table(hall, "toy", 2)
    hall.say("s1", "BID 3")
    asked.clear()
    hall.say("s2", "BID 1")
    together = [one for one in asked if "FROM views" in one and "views.viewer IN" in one]
    assert len(together) == 2, "of the letter and its receipt, and of the reports"
    reports = [one for one in hall.of("report") if one.frame.entry == 2]
    assert len(reports) == 2
    with hall.post.db.reading() as session:
        for told in reports:
            seat = told.frame.reader.seat
            assert told.after == views.view_of(hall.post, session, game, seat, 2)
            assert told.before == views.view_of(hall.post, session, game, seat, 1)
            assert told.counted == views.counted_of(hall.post, session, game, seat, 1, 2)
            story = views.story_of(hall.post, session, game, seat, 1, 2)
            assert told.events
            assert all(one in story for one in told.events)


def test_what_is_at_hand_is_what_each_viewer_has(hall: Hall) -> None:
    """Of several viewers each gets their own views of their own entries, and no statement more is needed."""
    game = table(hall, "toy", 2)
    hall.say("s1", "BID 3")
    hall.say("s2", "BID 1")
    spans = [("s1", 1, 2), ("s2", 2, 2)]

    def seen(session: Session) -> list[Any]:
        return [
            (
                views.view_of(hall.post, session, game, seat, until),
                views.view_then(hall.post, session, game, seat, until),
                views.events_of(hall.post, session, game, seat, since, until),
                views.counted_of(hall.post, session, game, seat, since, until),
            )
            for seat, since, until in spans
        ]

    with hall.post.db.reading() as session:
        alone = seen(session)
    with hall.post.db.reading() as session:
        views.at_hand(session, game, spans)
        asked = statements(session)
        assert seen(session) == alone
        assert asked == []
    assert alone[0] != alone[1]


def test_what_play_counts_and_lays_out_is_written_together(hall: Hall) -> None:
    """What is counted of the people of a gate is written in one statement, their letters in fewer than there are."""
    asked: list[str] = []
    table(hall, "toy", 4)
    for seat in ("s1", "s2", "s3"):
        hall.say(seat, "BID 1")
    event.listen(hall.play.db.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    hall.say("s4", "BID 1")
    most = {"UPDATE users": 1, "UPDATE seats": 2, "INSERT INTO tokens": 2}
    for begins, often in most.items():
        assert 1 <= len([one for one in asked if one.startswith(begins)]) <= often, begins
    assert [user.turns for user in hall.rows(User)] == [1] * 4


def test_a_letter_is_laid_out_once_under_its_key(hall: Hall) -> None:
    """A second letter under a key changes nothing, in the same transaction before it is written and in a later one."""

    def lay_out(session: Session, facts: str) -> None:
        draft(hall.post, session, key="only.once", kind="notice", facts=facts, user_id=None)

    with hall.post.db.writing() as session:
        lay_out(session, "first")
        lay_out(session, "second")
        assert len([row for row in session.new if isinstance(row, LetterOut)]) == 1
    with hall.post.db.writing() as session:
        lay_out(session, "third")
        assert not session.new
    assert [row.key for row in hall.rows(LetterOut)] == ["only.once"]


def test_no_keys_are_not_asked_for(hall: Hall) -> None:
    """Of no commands and no letters nothing is asked."""
    with hall.play.db.reading() as session:
        asked = statements(session)
        assert parted(session, LetterOut, []) == ([], [])
        assert asked == []


def test_an_opened_view_serves_its_own_place_only(hall: Hall) -> None:
    """A view that was opened a moment ago is still refused where it lies as another seat's, or is changed."""
    game = table(hall, "toy", 2)
    with hall.post.db.writing() as session:
        own, other = (session.get_one(ViewRow, (game, seat, "view", 1)) for seat in ("s1", "s2"))
        opened = views.view_of(hall.post, session, game, "s1", 1)
        assert opened is views.view_of(hall.post, session, game, "s1", 1)
        other.sealed = own.sealed
        with pytest.raises(Tampered):
            views.view_of(hall.post, session, game, "s2", 1)
        own.sealed = own.sealed[:-1] + bytes([own.sealed[-1] ^ 1])
        forget(session)
        with pytest.raises(Tampered):
            views.view_of(hall.post, session, game, "s1", 1)
        session.rollback()


def test_an_opened_view_serves_who_has_the_key_only(hall: Hall, tmp_path: Path) -> None:
    """A process with another server's key gets nothing, though the same view was opened here a moment ago."""
    game = table(hall, "toy", 2)
    stranger = build(tmp_path / "elsewhere").post
    with hall.post.db.reading() as session:
        assert views.view_of(hall.post, session, game, "s1", 1) is not None
        with pytest.raises(Unopenable):
            views.view_of(stranger, session, game, "s1", 1)


def test_a_seat_that_was_left_shows_nobody(hall: Hall) -> None:
    """The player of the seat is looked up as it is now, though the seats were read before they left."""
    game = table(hall, "toy", 2)
    with hall.play.db.writing() as session:
        locked(session, game)
        seats(session, game)[1].user_id = None
        assert [row.seat for row, _ in seated(session, game)] == ["s1"]
        session.rollback()


def test_a_lock_makes_what_was_read_before_it_count_no_more(hall: Hall) -> None:
    """Rows read before the lock was held are read again, since they may have changed while we waited."""
    game = table(hall, "toy", 2)
    with hall.play.db.writing() as session:
        seats(session, game)
        asked = statements(session)
        locked(session, game)
        seats(session, game)
        assert sum(" seats " in one for one in asked) == 1


def test_a_receipt_waits_without_its_view_and_is_written_with_it(hall: Hall) -> None:
    """The view lies in the store once; the receipt that is sent has the one on which its letter was judged."""
    game = table(hall, "toy", 2)
    receipt = hall.say("s1", "BID 3")
    assert isinstance(receipt, ReceiptFacts)
    assert receipt.view.core.seats == ("s1", "s2")
    assert hall.game(game).entry == 1
    assert {row.state for row in hall.rows(LetterOut)} == {"sent"}
    assert {row.seat for row in hall.rows(SeatRow)} == {"s1", "s2"}


def test_what_a_letter_is_about_is_read_once(hall: Hall) -> None:
    """Orders are judged, filed and answered by one look at their game, its questions and its ballots each."""
    asked: list[str] = []
    table(hall, "toy", 2)
    hall.write_in(hall.token("s1"), ["BID 3"])
    event.listen(hall.post.db.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    assert inbox_queue.ingest(hall.post, hall.woken.pop(0)[1], letter_came)
    most = {"games LEFT": 1, "decisions": 1, "ballots": 1, "tokens": 2}
    often = {name: sum(f"FROM {name}" in one for one in asked) for name in most}
    assert often == most, "of the address also before it is read"


def test_letters_that_lie_there_are_read_with_the_first(hall: Hall) -> None:
    """One task reads and answers what came in meanwhile, in one transaction; it wakes everybody once."""
    table(hall, "toy", 2)
    hall.write_in(hall.token("s1"), ["BID 3"])
    hall.write_in(hall.token("s2"), ["BID 1"])
    tasks, hall.woken = hall.woken, []
    assert inbox_queue.ingest(hall.post, tasks[0][1], letter_came, inbox_queue.BESIDE)
    assert [task for task, _ in hall.woken] == ["deliver", "play"]
    assert [row.state for row in hall.letters_in()] == ["done", "done"]
    assert not inbox_queue.ingest(hall.post, tasks[1][1], letter_came, inbox_queue.BESIDE)
    hall.settle()
    assert [facts.frame.reader.seat for facts in hall.of("receipt")] == ["s1", "s2"]


def test_a_letter_that_fails_harms_none_that_lies_beside_it(hall: Hall) -> None:
    """A letter that cannot be handled is counted and left alone; those read with it are answered."""
    table(hall, "toy", 2)
    hall.write_in(hall.token("s1"), ["BID 3"])
    taking_in.take_in(hall.door, (f"o+{hall.token('s1')}@games.test",), b"no number at all")
    hall.write_in(hall.token("s2"), ["BID 1"])
    first = hall.woken.pop(0)
    assert inbox_queue.ingest(hall.post, first[1], letter_came, inbox_queue.BESIDE)
    assert sorted((row.state, row.tries) for row in hall.letters_in()) == [("done", 0), ("done", 0), ("stored", 1)]


def title_of(hall: Hall, game: str) -> str:
    """What a look at the database says a table is called."""
    with hall.web.db.reading() as session:
        found = game_of(session, game)
        assert found is not None
        return found.title


def rename(hall: Hall, game: str, title: str) -> None:
    """Another process calls the table something else."""
    with hall.play.db.writing() as session:
        session.execute(update(Game).where(Game.id == game).values(title=title))


def test_looks_together_see_one_moment_and_read_a_table_once(hall: Hall) -> None:
    """What others write meanwhile shows after the looks that belong together, and a table is asked for once in them."""
    game = table(hall, "toy", 2)
    rename(hall, game, "Early")
    with hall.web.db.one_look():
        assert title_of(hall, game) == "Early"
        rename(hall, game, "Late")
        with hall.web.db.reading() as session:
            asked = statements(session)
        assert title_of(hall, game) == "Early"
        assert asked == []
    assert title_of(hall, game) == "Late"


def test_a_write_of_ones_own_shows_in_the_next_of_the_looks_together(hall: Hall) -> None:
    """Who writes in the middle of looks that belong together reads it afterwards, as without them."""
    game = table(hall, "toy", 2)
    with hall.web.db.one_look():
        with hall.web.db.reading() as outer:
            before = game_of(outer, game)
            with hall.web.db.writing() as session:
                session.execute(update(Game).where(Game.id == game).values(title="Mine"))
            assert before is not None
            assert game_of(outer, game) is before
            assert before.title != "Mine"
        assert title_of(hall, game) == "Mine"


def test_a_look_that_fails_spoils_none_of_those_after_it(hall: Hall) -> None:
    """A statement that the database refuses ends that look; the next one begins anew."""
    game = table(hall, "toy", 2)
    with hall.web.db.one_look():
        with pytest.raises(DBAPIError), hall.web.db.reading() as session:
            session.execute(text("SELECT nothing FROM nowhere"))
        assert title_of(hall, game)


def test_a_look_that_cannot_begin_leaves_none_behind(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the database is away as a look begins, the next one begins as a look: it asks for no lock of writers."""
    game = table(hall, "toy", 2)
    with hall.web.db.one_look():
        with monkeypatch.context() as away:
            away.setattr(Session, "connection", lambda *_, **__: 1 / 0)
            with pytest.raises(ZeroDivisionError), hall.web.db.reading():
                pass
        with hall.web.db.reading() as session:
            assert session.connection().get_execution_options().get("pbem_reads")
        assert title_of(hall, game)


def test_looks_together_of_one_process_are_not_those_of_another(hall: Hall) -> None:
    """A session checks rows with the keys of its own process, even in a test that runs several in one."""
    with hall.web.db.one_look(), hall.web.db.reading() as ours, hall.play.db.reading() as theirs:
        assert ours is not theirs
