"""One database, SQLite or PostgreSQL, and its transactions.

SQLite: write-ahead log, flushed at each commit, and every transaction that may write takes the write lock when it
begins, for one that reads first and writes later would fail at once instead of waiting its turn.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import QueuePool

from pbem.common.outage_log import OutageLog, is_connection_error
from pbem.store import optimistic, query_cache, row_signatures, versions
from pbem.store.group_commit import GroupCommit
from pbem.store.optimistic import SnapshotSession
from pbem.store.row_signatures import RowSigner
from pbem.store.versions import DeadlockError

S = TypeVar("S", bound=Session)

_LOG = logging.getLogger(__name__)

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=30000",
    "secure_delete=ON",
)


_DEADLOCK_DETECTED = "40P01"
"""What PostgreSQL calls it."""

_writing: ContextVar[bool] = ContextVar("writing", default=False)


@dataclass
class SharedSnapshot:
    """What several looks at a database share: a session, opened by the first of them; `users`: how many use it now."""

    database: "Database"
    session: Session | None = None
    users: int = 0
    expired: bool = False

    def release(self) -> None:
        """See a later moment from here on; who is inside yet sees theirs to its end."""
        self.expired = True
        if self.session is not None and not self.users:
            self.session.close()
            self.session = None


_shared: ContextVar[SharedSnapshot | None] = ContextVar("shared snapshot", default=None)


def in_transaction() -> bool:
    """Return True inside a transaction that may write."""
    return _writing.get()


class Database:
    """Transactions on one database."""

    def __init__(self, url: str) -> None:
        """`url`: as SQLAlchemy writes it; plain `postgresql://` means psycopg."""
        self.url = make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _create_sqlite(url) if self.sqlite else _create_postgresql(url)
        self.group_commit = GroupCommit()
        _log_outages(self.engine)
        self.keys: RowSigner | None = None
        self._sessions = _make_sessions(self.engine, None, _WritingSession)
        self._preparing = _make_sessions(self.engine, None, SnapshotSession)
        self._read_options = {"pbem_reads": True} | ({} if self.sqlite else {"isolation_level": "REPEATABLE READ"})

    def with_signer(self, keys: RowSigner) -> Self:
        """The same database as one process sees it: rows that open something are signed with its keys, and checked."""
        own = copy(self)
        own.keys = keys
        own._sessions = _make_sessions(self.engine, keys, _WritingSession)
        own._preparing = _make_sessions(self.engine, keys, SnapshotSession)
        return own

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A transaction that commits at its end, or leaves nothing behind when an exception passes through.

        Others wait for its locks: what takes long (parsing, judging, wording, sealing, network) is done before it or
        after it.  `in_transaction` tells whether this thread is inside one.
        """
        with self._mark_writing(), self._sessions() as session, session.begin():
            yield session

    @contextmanager
    def append_durably(self) -> Iterator[Connection]:
        """The same for who writes by statements alone, and rows that need no signature."""
        with self._mark_writing(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def _mark_writing(self) -> Iterator[None]:
        before = _writing.set(True)
        try:
            yield
        finally:
            _writing.reset(before)
            if (shared := self._current_snapshot()) is not None:
                shared.release()

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """A look at one moment's state; whatever is changed in it is lost."""
        shared = self._current_snapshot()
        if shared is None:
            with self._sessions() as session:
                session.connection(execution_options=self._read_options)
                yield session
            return
        shared.users += 1
        try:
            if shared.session is None:
                shared.session, shared.expired = self._sessions(), False
                shared.session.connection(execution_options=self._read_options)
            yield shared.session
        except BaseException:
            shared.expired = True
            raise
        finally:
            shared.users -= 1
            if shared.expired:
                shared.release()

    @contextmanager
    def shared_snapshot(self) -> Iterator[None]:
        """Have all looks in here see the same moment, in one transaction: rows that several ask for are read once.

        After a write in here, or a look that failed, the next one sees the moment after it.  What one of them changes
        in a row shows in the others, and is lost with them.
        """
        shared = SharedSnapshot(self)
        before = _shared.set(shared)
        try:
            yield
        finally:
            _shared.reset(before)
            shared.release()

    def _current_snapshot(self) -> SharedSnapshot | None:
        """What looks at this database share now."""
        shared = _shared.get()
        return shared if shared is not None and shared.database is self else None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """The same for who reads columns only: no object stands for a row, so none is checked."""
        with self.engine.connect() as connection:
            yield connection.execution_options(**self._read_options)

    @contextmanager
    def prepare(self) -> Iterator[SnapshotSession]:
        """A look at one moment's state, on which the work of a transaction is prepared; it writes nothing."""
        with self._preparing() as session:
            session.connection(execution_options=self._read_options | {"postgresql_readonly": True})
            yield session

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _log_outages(engine: Engine) -> None:
    """Log once when a database goes away and once when it is back; a deadlock is neither."""
    trouble = OutageLog("the database", _LOG)

    @event.listens_for(engine, "handle_error")
    def _failed(context: ExceptionContext) -> DeadlockError | None:
        error = context.sqlalchemy_exception
        if getattr(context.original_exception, "sqlstate", None) == _DEADLOCK_DETECTED:
            return DeadlockError(context.statement, None, context.original_exception)
        if is_connection_error(error):
            trouble.start(type(error).__name__)
        return None

    @event.listens_for(engine, "begin")
    def _begun(connection: Any) -> None:
        trouble.end()


class _WritingSession(Session):
    """The session of a transaction."""


query_cache.install_listeners(_WritingSession)
versions.install_listeners(_WritingSession)  # first: it locks games and users, in one order
row_signatures.install_listeners(_WritingSession)
query_cache.install_listeners(SnapshotSession)
row_signatures.install_listeners(SnapshotSession)
optimistic.install_listeners(SnapshotSession)


def _make_sessions(engine: Engine, keys: RowSigner | None, kind: type[S]) -> sessionmaker[S]:
    return sessionmaker(engine, class_=kind, expire_on_commit=False, info={row_signatures.SIGNER_KEY: keys})


def _create_postgresql(url: str) -> Engine:
    """A server that is gone is noticed within half a minute, and a connection to it is opened anew."""
    patience = {"connect_timeout": 5, "keepalives_idle": 15, "keepalives_interval": 5, "tcp_user_timeout": 30_000}
    return create_engine(url, pool_pre_ping=True, connect_args=patience)


def _create_sqlite(url: str) -> Engine:
    engine = create_engine(url, poolclass=QueuePool, connect_args={"timeout": 30, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        reads = connection.get_execution_options().get("pbem_reads")
        if reads:  # waits for nobody, so the driver is told without what SQLAlchemy does around a statement
            connection.connection.dbapi_connection.execute("BEGIN")
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
