"""Known outages log one line when they begin and one when they end, however often they are met in between."""

import logging
import threading
from pathlib import Path

import pytest
from kombu.exceptions import OperationalError as BrokerGone
from redis.exceptions import ConnectionError as RedisGone
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, ProgrammingError

from pbem.common.outage_log import OutageLog, is_connection_error
from pbem.ops.servers import Postgres
from pbem.store.database import Database
from tests.service.server_fixtures import build, start_game
from tests.web.form_browser import Browser, site
from worker.app import skip_when_unavailable
from worker.quiet import NOISY_LOGGERS, BrokerLogFilter

LOG = logging.getLogger("tests.outages")


def levels(caplog: pytest.LogCaptureFixture) -> list[str]:
    """How each line was meant."""
    return [record.levelname for record in caplog.records]


def test_one_line_at_each_end(caplog: pytest.LogCaptureFixture) -> None:
    """From a hundred failures in many threads comes one line, and one more when it is over, with its length."""
    now = 0.0
    trouble = OutageLog("the thing", LOG, lambda: now)
    for _ in range(2):
        threads = [threading.Thread(target=trouble.start, args=("Why",)) for _ in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        now += 90
        trouble.end()
        trouble.end()
    assert caplog.messages == ["the thing is away (Why)", "the thing is back after 90 s"] * 2


def asks(database: Database) -> None:
    """One transaction."""
    with database.transaction() as session:
        session.execute(text("SELECT 1"))


@pytest.mark.long
def test_a_database_that_is_away_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """However many transactions fail while PostgreSQL is stopped, its going and its return are a line each."""
    with Postgres() as server:
        database = Database(server.url)
        asks(database)
        server.halt()
        for _ in range(3):
            with pytest.raises(OperationalError):
                asks(database)
        server.resume()
        asks(database)
        asks(database)
        database.close()
    assert levels(caplog) == ["ERROR", "WARNING"]
    assert caplog.messages[0] == "the database is away (OperationalError)"


def test_a_defect_of_ours_is_no_outage(state_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A statement that is wrong is told in full by the task that met it, on either database."""
    database = Database(f"sqlite:///{state_dir}/x.sqlite3")
    with pytest.raises(OperationalError) as wrong, skip_when_unavailable(), database.snapshot() as session:
        session.execute(text("SELECT nothing FROM nowhere"))
    database.close()
    assert not is_connection_error(wrong.value)
    assert not is_connection_error(ProgrammingError("SELECT", {}, Exception("no such table")))
    assert not is_connection_error(None)
    assert caplog.records == []


def meet(error: Exception) -> None:
    """A task fails."""
    raise error


def test_a_task_that_finds_no_database_is_dropped_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    """The sweep finds its work when the database is back; the library logs no traceback, save of a defect."""
    with skip_when_unavailable():
        meet(OperationalError("SELECT", {}, Exception("server closed the connection")))
    assert caplog.records == []
    with pytest.raises(KeyError), skip_when_unavailable():
        meet(KeyError())


def record(name: str, said: str, error: BaseException | None = None) -> logging.LogRecord:
    """A line that a library wants to log."""
    info = (type(error), error, None) if error is not None else None
    return logging.LogRecord(name, logging.ERROR, "x.py", 1, said, (), info)


def test_what_libraries_say_of_a_broker_that_is_away_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """Each try to connect and each broken connection is a sign of one outage; everything else is let through."""
    trouble = OutageLog("the broker", LOG)
    quiet = BrokerLogFilter(trouble)
    for _ in range(10):
        assert not quiet.filter(
            record(NOISY_LOGGERS[1], "Redis BRPOP got no reply for 31 seconds; dropping stale connection")
        )
        assert not quiet.filter(
            record(NOISY_LOGGERS[0], "consumer: Cannot connect to redis://x: no.\nTrying again in 2 seconds")
        )
        assert not quiet.filter(record("kombu.message", "Couldn't ack 1", RedisGone("gone")))
        assert not quiet.filter(record("celery.worker", "Unrecoverable", BrokerGone("gone")))
    assert not quiet.filter(record("py.warnings", "consumer.py:427: CPendingDeprecationWarning: In Celery 5.1 we"))
    assert quiet.filter(record("celery.app.trace", "Task failed", KeyError("x")))
    assert quiet.filter(record(NOISY_LOGGERS[0], "consumer: a task of no kind known here"))
    trouble.end()
    assert levels(caplog) == ["ERROR", "WARNING"]


def test_a_page_without_a_database_logs_no_traceback(state_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The reader gets a page that says to try again, and the log has the one line of the database."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    guest = Browser(site(harness)).sign_in(harness, 1)
    harness.web.db.close()
    for path in state_dir.glob("test.sqlite3*"):
        path.unlink()
    (state_dir / "test.sqlite3").mkdir()
    caplog.clear()
    assert [guest.get(f"/games/{game}").status_code for _ in range(3)] == [503] * 3
    assert caplog.messages == ["the database is away (OperationalError)"]
