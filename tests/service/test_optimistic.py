"""Work prepared on a look: what it writes is what a transaction would have written, or the lock is asked for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, local
from typing import cast

import pytest
from sqlalchemy import Table, bindparam, delete, select, update
from sqlalchemy.orm import Session

from pbem.service.base.database_access import retry_on_conflict
from pbem.store.games import load_game, load_open_questions, load_seats, lock_game, reload, replace_questions
from pbem.store.models import (
    AccountDeletion,
    Base,
    Capability,
    Game,
    Heartbeat,
    MailPreference,
    Outage,
    OutboundEmail,
    OutboundEmailBody,
    QuestionRow,
    TurnStatistics,
    User,
)
from pbem.store.optimistic import RequiresLock, SnapshotSession
from pbem.store.upsert import insert_ignore
from pbem.store.versions import ConflictError, owner_of
from tests.service.server_fixtures import ServerHarness, build
from tests.service.server_fixtures import start_game as dealt


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
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
    return TurnStatistics(game_id=game.id, turn=turn, entry=1, ciphertext=b"x")


@pytest.mark.both_databases
def test_what_is_prepared_is_written_at_once(harness: ServerHarness) -> None:
    """Rows added, changed and removed wait for the transaction, which writes all of them."""
    with harness.resolver.db.prepare() as look:
        game = game_of(look)
        rows = load_open_questions(look, game.id)
        replace_questions(look, game.id, rows[:1], [])
        assert load_open_questions(look, game.id) == rows[1:]
        game.failure = "changed"
        look.add(plot(game, 7))
        prepared = look.to_write_set()
    assert len(harness.load_rows(QuestionRow)) == len(rows)
    with harness.resolver.db.transaction() as session:
        assert prepared
        prepared.apply(session)
    assert sorted(row.id for row in harness.load_rows(QuestionRow)) == sorted(row.id for row in rows[1:])
    assert harness.load_rows(Game)[0].failure == "changed"
    assert 7 in {row.turn for row in harness.load_rows(TurnStatistics)}


@pytest.mark.both_databases
def test_a_row_may_take_the_place_of_one_that_goes(harness: ServerHarness) -> None:
    """A question that is put anew has its place in the table, though the old one is removed in the same work."""
    with harness.resolver.db.prepare() as look:
        game = game_of(look)
        old = load_open_questions(look, game.id)[0]
        names = {column.name for column in QuestionRow.__table__.columns} - {"id"}
        new, again = (QuestionRow(**{name: getattr(old, name) for name in names}) for _ in range(2))
        replace_questions(look, game.id, [old], [new])
        replace_questions(look, game.id, [new], [again])
        prepared = look.to_write_set()
    number = old.id
    with harness.resolver.db.transaction() as session:
        prepared.apply(session)
    found = [row for row in harness.load_rows(QuestionRow) if (row.gate, row.seat) == (old.gate, old.seat)]
    assert len(found) == 1
    assert found[0].id != number


def seats(session: Session, game: str) -> None:
    """A seat changes."""
    load_seats(session, game)[1].missed = 5


def questions(session: Session, game: str) -> None:
    """Questions change by one statement that names no game."""
    session.execute(update(QuestionRow).where(QuestionRow.seat == "s2").values(pace_request="wait"))


def removal(session: Session, game: str) -> None:
    """A question goes."""
    session.delete(load_open_questions(session, game)[0])


def capability(session: Session, game: str) -> None:
    """Somebody is given an address of the game."""
    session.add(Capability(hash=bytes(32), purpose="link", game_id=game, created_at=1))


def person(session: Session, game: str) -> None:
    """Somebody who sits there has another name."""
    session.scalars(select(User).order_by(User.id)).all()[1].name = "Somebody"


def choice(session: Session, game: str) -> None:
    """Somebody who sits there wants other letters."""
    session.add(MailPreference(user_id=session.scalars(select(User.id).order_by(User.id)).all()[0]))


def core_statement(session: Session, game: str) -> None:
    """Questions change by a statement about their table, of which no model is told."""
    session.execute(update(cast(Table, QuestionRow.__table__)).values(pace_request="wait"))


def inserted_once(session: Session, game: str) -> None:
    """Somebody who sits there wants other letters, by one statement."""
    user = session.scalars(select(User.id).order_by(User.id)).all()[0]
    choices = {"only_when_due": True, "web_receipts": True, "pictures": True}
    assert insert_ignore(session, MailPreference.user_id, user_id=user, **choices)


def after_a_savepoint(session: Session, game: str) -> None:
    """A seat changes after a change to it was undone."""
    undone = session.begin_nested()
    seats(session, game)
    session.flush()
    undone.rollback()
    seats(session, game)


_CHANGES = (
    seats,
    questions,
    removal,
    capability,
    person,
    choice,
    core_statement,
    inserted_once,
    after_a_savepoint,
)


@pytest.mark.both_databases
@pytest.mark.parametrize("change", _CHANGES)
def test_where_a_game_or_a_person_has_changed_nothing_is_written(
    harness: ServerHarness, change: Callable[[Session, str], None]
) -> None:
    """Something of what was loaded changes before the transaction: it writes nothing."""
    with harness.resolver.db.prepare() as look:
        game = game_of(look)
        game.failure = "changed"
        prepared = look.to_write_set()
    with harness.web.db.transaction() as session:
        change(session, game.id)
    with pytest.raises(ConflictError), harness.resolver.db.transaction() as session:
        prepared.apply(session)
    assert harness.load_rows(Game)[0].failure is None


@pytest.mark.both_databases
def test_a_signed_row_that_has_gone_meanwhile_is_a_conflict(harness: ServerHarness) -> None:
    """An email belongs to no game, so no version tells that it was deleted; its change is decided anew."""
    with harness.resolver.db.prepare() as look:
        email = look.scalars(select(OutboundEmail)).first()
        assert email is not None
        email.user_id = 2 if email.user_id != 2 else 1
        prepared = look.to_write_set()
    with harness.web.db.transaction() as session:
        session.execute(delete(OutboundEmailBody).where(OutboundEmailBody.email_key == email.key))
        session.execute(delete(OutboundEmail).where(OutboundEmail.key == email.key))
    with pytest.raises(ConflictError), harness.resolver.db.transaction() as session:
        prepared.apply(session)


@pytest.mark.both_databases
def test_of_two_who_wait_for_each_other_both_write(harness: ServerHarness, caplog: pytest.LogCaptureFixture) -> None:
    """PostgreSQL ends one of two transactions that lock a game and a user in opposite orders: it is done again."""
    db, game = harness.resolver.db, harness.load_rows(Game)[0].id
    with db.snapshot() as session:
        asked = session.get_one(User, 1).turns_asked
    both_hold_a_lock, first = Barrier(1 if db.sqlite else 2), local()

    def change_user(session: Session) -> None:
        user = session.get_one(User, 1, with_for_update={"key_share": True})
        user.turns_asked += 1
        session.flush()

    def change_game(session: Session) -> None:
        row = lock_game(session, game)
        assert row is not None
        row.failed_entry += 1
        session.flush()

    def write(*changes: Callable[[Session], None]) -> None:
        def act(session: Session, _prepared: bool, _last: bool) -> None:
            changes[0](session)
            if not hasattr(first, "done"):
                first.done = True
                both_hold_a_lock.wait(20)
            changes[1](session)

        retry_on_conflict(db, lambda _session: True, act)

    with ThreadPoolExecutor(2) as threads:
        for writer in [
            threads.submit(write, change_user, change_game),
            threads.submit(write, change_game, change_user),
        ]:
            writer.result()
    with db.snapshot() as session:
        assert (session.get_one(User, 1).turns_asked, session.get_one(Game, game).failed_entry) == (asked + 2, 2)
    assert "away" not in caplog.text


@pytest.mark.both_databases
def test_of_two_who_decided_on_one_moment_the_first_writes(harness: ServerHarness) -> None:
    """A write set raises the versions that it rests on, also where it adds a row only; one that was read stays."""
    made = []
    for turn in (7, 8):
        with harness.resolver.db.prepare() as look:
            look.add(plot(game_of(look), turn))
            made.append(look.to_write_set())
    with harness.resolver.db.transaction() as session:
        made[0].apply(session)
    with pytest.raises(ConflictError), harness.resolver.db.transaction() as session:
        made[1].apply(session)
    assert {7, 8} & {row.turn for row in harness.load_rows(TurnStatistics)} == {7}


@pytest.mark.both_databases
def test_a_row_of_somebody_who_was_not_loaded_counts_as_a_change_of_them(harness: ServerHarness) -> None:
    """Who decided something about a person writes nothing if a write set has given that person a row meanwhile."""
    with harness.web.db.prepare() as look:
        look.get_one(User, 2).name = "Renamed"
        decided = look.to_write_set()
    with harness.web.db.prepare() as look:
        look.add(AccountDeletion(user_id=2, requested_at=0))
        unaware = look.to_write_set()
    with harness.web.db.transaction() as session:
        unaware.apply(session)
    with pytest.raises(ConflictError), harness.web.db.transaction() as session:
        decided.apply(session)


@pytest.mark.both_databases
def test_a_row_that_is_there_already_is_a_conflict(harness: ServerHarness) -> None:
    """Two add a row of the same key that belongs to no game: the second one decides anew."""
    made = []
    for at in (1, 2):
        with harness.resolver.db.prepare() as look:
            look.add(Heartbeat(name="once", beat_at=at))
            made.append(look.to_write_set())
    with harness.resolver.db.transaction() as session:
        made[0].apply(session)
    with pytest.raises(ConflictError), harness.resolver.db.transaction() as session:
        made[1].apply(session)
    assert [row.beat_at for row in harness.load_rows(Heartbeat) if row.name == "once"] == [1]


Work = Callable[[SnapshotSession], object]


def pause(look: SnapshotSession) -> Outage:
    """A row that the database gives a number to."""
    row = Outage(cause="halt", game_id=game_of(look).id, started_at=1)
    look.add(row)
    look.flush()
    return row


def changed(look: SnapshotSession) -> Game:
    """A game that is to be changed."""
    game = game_of(look)
    game.failure = "changed"
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
    return look.scalars(select(Game).where(Game.failure == "changed")).all()


def read_before(look: SnapshotSession) -> object:
    """A statement that changes rows which have been read, and which somebody has at hand."""
    rows = load_open_questions(look, game_of(look).id)
    look.execute(update(QuestionRow).values(pace_request="wait"))
    return rows


def refers(look: SnapshotSession) -> object:
    """A row that has the number of another one that is to be added."""
    game_of(look).failed_entry = pause(look).id
    return look.to_write_set()


def compared(look: SnapshotSession) -> object:
    """Rows that have the number of another one that is to be added."""
    return look.scalars(select(Game).where(Game.failed_entry == pause(look).id)).all()


def given(look: SnapshotSession) -> object:
    """The same by a statement that was made before."""
    asked = {"number": pause(look).id}
    return look.scalars(select(Game.id).where(Game.failed_entry == bindparam("number")), asked).all()


def unheard(look: SnapshotSession) -> object:
    """What goes on though it was told to ask for the lock."""
    with suppress(Exception):
        look.begin_nested()
    return look.to_write_set()


@pytest.mark.parametrize("work", [own_addition, own_removal, own_change, read_before, refers, compared, given, unheard])
def test_what_would_see_its_own_writing_asks_for_the_lock(harness: ServerHarness, work: Work) -> None:
    """Work that asks the database for what it has not written yet is never answered with what stood there before."""
    with harness.resolver.db.prepare() as look, pytest.raises(RequiresLock):
        work(look)


def test_a_row_that_is_to_be_changed_stays_as_it_is_where_it_would_be_read_again(harness: ServerHarness) -> None:
    """On a snapshot all is of one moment: to lock a game reads nothing again."""
    with harness.resolver.db.prepare() as look:
        game = changed(look)
        assert lock_game(look, game.id) is game
        assert reload(look, game).failure == "changed"


def test_every_table_of_a_game_or_a_person_belongs_to_it() -> None:
    """A new table that names a game or a person raises their version; these belong to neither, or only send it on."""
    free = {m.class_.__name__ for m in Base.registry.mappers if owner_of(m)[0] is None}
    assert free == {
        "BoardImage",
        "DailyKey",
        "Heartbeat",
        "InboundEmail",
        "InboundEmailBody",
        "InvitationOptOut",
        "OutboundEmail",
        "OutboundEmailBody",
        "PrintedEmail",
        "Webhook",
        "WebhookMessage",
        "WebhookRateLimit",
    }
