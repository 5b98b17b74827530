"""Of several clocks one leads: by a lock of the database that ends with its holder, whatever way that ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.ops.servers import Postgres
from pbem.store.database import Database
from pbem.store.leader_election import SCHEDULER_LOCK, LeaderLock
from worker.schedule import TASK_INTERVALS_S, Beat


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A PostgreSQL that may be stopped."""
    with Postgres() as found:
        yield found


def leads(database: Database) -> LeaderLock:
    """A clock's question."""
    return LeaderLock(lambda: database, SCHEDULER_LOCK)


@pytest.mark.long
def test_one_of_two_leads_until_it_ends(server: Postgres) -> None:
    """The second waits, and leads as soon as the first is gone; the first does not take it back."""
    first, second = Database(server.url), Database(server.url)
    one, other = leads(first), leads(second)
    assert [one(), other(), one(), other()] == [True, False, True, False]
    server.run("SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE locktype = 'advisory'")
    assert [other(), one(), other()] == [True, False, True]
    other.close()
    assert one()
    one.close()
    first.close()
    second.close()


@pytest.mark.long
def test_while_the_database_is_away_each_clock_goes_on(server: Postgres) -> None:
    """Nobody can say who leads, and others must notice that it is away; one of them leads when it is back."""
    first, second = Database(server.url), Database(server.url)
    one, other = leads(first), leads(second)
    assert [one(), other()] == [True, False]
    server.halt()
    assert [one(), other(), one()] == [True, True, True]
    server.resume()
    assert [other(), one(), other()] == [True, False, True]
    for lead in (one, other):
        lead.close()
    first.close()
    second.close()


@pytest.mark.long
def test_whoever_leads_holds_no_transaction_open(server: Postgres) -> None:
    """A lock that is held for months must not hold up what PostgreSQL tidies."""
    database, other = Database(server.url), Database(server.url)
    lead = leads(database)
    assert lead()
    assert lead()
    with other.snapshot() as session:
        states = session.scalars(text("SELECT state FROM pg_stat_activity WHERE query = 'SELECT 1'")).all()
    assert "idle in transaction" not in states
    lead.close()
    database.close()
    other.close()


def test_a_database_in_a_file_has_one_machine(state_dir: Path) -> None:
    """On SQLite the only clock leads."""
    database = Database(f"sqlite:///{state_dir}/x.sqlite3")
    assert leads(database)()
    database.close()


def test_a_clock_that_does_not_lead_sends_nothing() -> None:
    """When it comes to lead it sends each task once at once, and then in time."""
    now, sent, leading = [0.0], list[str](), [False]
    pendulum = Beat(lambda task, _: sent.append(task), lambda: now[0], lambda: leading[0])
    for _ in range(60):
        now[0] += 1
        pendulum.send_due_tasks()
    assert sent == []
    leading[0] = True
    pendulum.send_due_tasks()
    assert sorted(sent) == sorted(TASK_INTERVALS_S)
