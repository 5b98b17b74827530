"""Sign on write, verify on load: rows that open something to somebody carry a signature over their columns.

With nothing but a connection to the database one could put in a token, give a seat to another person or redirect their
letters.  So each row of a table that is `SignedRow` carries a signature, and one that does not fit raises TamperedError
as the row is loaded (`load_verified` and `split_verified` leave it out).  `ALLOWED_SIGNERS` says who may sign what.

A row cannot be read column by column without this check, so what decides who may do what reads whole rows; and no
statement changes signed rows unseen.  That a row is gone, or is an older one of the same row put back, a signature
cannot tell: for the seats of a game, its resolver can.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar, cast

from sqlalchemy import Column, Row, Select, Table, bindparam, event, inspect, select, tuple_, update
from sqlalchemy.orm import Mapper, ORMExecuteState, QueryContext, Session
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.exc import StaleDataError

from pbem.common.outage_log import SIGNATURE_ERRORS
from pbem.crypto import CryptoError, DecryptionError, Role, SigningKey, TamperedError, VerifyKeys
from pbem.crypto.encoding import BYTES, encode_tuple
from pbem.store.models.base import Base, SignedRow

M = TypeVar("M", bound=Base)
RowKey = TypeVar("RowKey", int, str)
WEB: Final[tuple[Role, ...]] = ("web",)
MAILER: Final[tuple[Role, ...]] = ("mailer",)
RESOLVER: Final[tuple[Role, ...]] = ("resolver",)
ALL: Final[tuple[Role, ...]] = ("web", "mailer", "resolver")

ALLOWED_SIGNERS: Final[Mapping[str, tuple[Role, ...]]] = {
    "users": ALL,
    "games": ALL,
    "seats": ALL,
    "seat_tenures": ALL,
    "deputies": ALL,
    "masters": ALL,
    "master_settings": ALL,
    "applications": ALL,
    "pending_confirmations": ALL,
    "votes": ALL,
    "spectators": ALL,
    "message_readers": ALL,
    "message_addresses": ALL,
    "daily_keys": MAILER,
    "outbound_emails": ALL,
    "resolver_requests": ALL,
    "webhooks": ("web", "mailer"),
    "open_tables": WEB,
    "second_factors": RESOLVER,
    "address_changes": ("web", "mailer"),
    "account_deletions": ("web", "mailer"),
    "operator_actions": WEB,
    "discord_accounts": WEB,
    "api_tokens": WEB,
    "capabilities session": WEB,
    "capabilities sign-in": ALL,
    "capabilities program": WEB,
    "capabilities link": WEB,
    "capabilities discord": WEB,
    "capabilities form": WEB,
    "capabilities code": WEB,
    "capabilities account-deletion": ("web", "mailer"),
    "capabilities address-change": ("web", "mailer"),
    "capabilities operator": WEB,
    "capabilities calendar": WEB,
    "capabilities feed": WEB,
    "capabilities reply": ALL,
    "capabilities master": ALL,
    "capabilities join": ALL,
    "capabilities table": WEB,
    "capabilities talk": ALL,
    "capabilities deputy": ALL,
    "capabilities seat": ALL,
    "capabilities mute": ALL,
    "capabilities spectator": RESOLVER,
    "capabilities probe": MAILER,
}
"""Which roles may make or change a row of each table; of tokens, by their purpose.

A token that was revoked opens nothing, so any role may have done that.
"""

MAX_CACHED: Final = 20_000
"""Signatures that a process remembers to have made or checked."""

SIGNER_KEY: Final = "signed rows"
"""Where a session has the keys for its rows."""

UNSIGNED: Final = ("signed", "version")
"""Columns that no signature is over: itself, and what each writer raises."""

_JSON: Final = json.JSONEncoder(sort_keys=True)
"""What `json.dumps` would make anew for each value."""


class RowSigner:
    """The keys with which a process signs rows and checks them."""

    def __init__(self, signing: SigningKey, verify: VerifyKeys) -> None:
        """`signing`: the process's own; `verify`: those of all roles."""
        self._signing, self._verify = signing, verify
        self._verified: set[bytes] = set()

    def sign(self, table: str, values: Mapping[str, object]) -> bytes:
        """The signature of a row; CryptoError if this role makes no such row."""
        return self.sign_batch(table, [values])[0]

    def sign_batch(self, table: str, rows: Sequence[Mapping[str, object]]) -> list[bytes]:
        """The signatures of rows that are written together, made at once."""
        for values in rows:
            if self._signing.role not in allowed_signers(table, values):
                raise CryptoError(f"A row of {signer_key(table, values)} is not made by {self._signing.role}.")
        said = [signed_message(table, values) for values in rows]
        signed = self._signing.sign_batch("row", said)
        for one, by in zip(said, signed, strict=True):
            self._remember(_cache_key(one, by))
        return signed

    def verify(self, table: str, values: Mapping[str, object], signed: bytes | None) -> None:
        """Raise TamperedError unless a role that may make such a row signed this one."""
        said = signed_message(table, values)
        mark = _cache_key(said, signed or b"")
        if mark in self._verified:
            return
        if signed is None:
            raise TamperedError(f"row of {table}", "nobody signed it")
        try:
            self._verify.verify("row", said, signed, allowed_signers(table, values))
        except TamperedError as error:
            raise TamperedError(f"row of {table}", error.why) from None
        self._remember(mark)

    def verify_row(self, model: type[Any], row: Row[Any]) -> None:
        """Verify a row that was read by columns instead of as an object; raises TamperedError."""
        mapper: Mapper[Any] = inspect(model)
        values = {name: row._mapping[column.name] for name, column in signed_columns(mapper).items()}
        self.verify(_table(mapper).name, values, row.signed)

    def _remember(self, mark: bytes) -> None:
        if len(self._verified) >= MAX_CACHED:
            self._verified.clear()
        self._verified.add(mark)


def _cache_key(said: bytes, signed: bytes) -> bytes:
    """By what a row is known again with its signature."""
    return hashlib.sha256(encode_tuple("pbem row seen 1", said, signed)).digest()


def signer_key(table: str, values: Mapping[str, object]) -> str:
    """A row's key in ALLOWED_SIGNERS."""
    return f"capabilities {values['purpose']}" if table == "capabilities" else table


def allowed_signers(table: str, values: Mapping[str, object]) -> tuple[Role, ...]:
    """The roles that may have signed a row; none for a purpose that is not known."""
    if table == "capabilities" and values["revoked_at"] is not None:
        return ALL
    return ALLOWED_SIGNERS.get(signer_key(table, values), ())


def signed_message(table: str, values: Mapping[str, object]) -> bytes:
    """What is signed: the table, and each column with its value, as `pack` writes them; a cycle has hundreds."""
    head, names = _column_prefixes(table, tuple(values))
    written = [head]
    for name, mark in names:
        coded = _encode_value(values[name])
        written += (mark, len(coded).to_bytes(4, "big"), coded)
    return b"".join(written)


@cache
def _column_prefixes(table: str, names: tuple[str, ...]) -> tuple[bytes, tuple[tuple[str, bytes], ...]]:
    """What is the same of all rows with these columns: the beginning, and what stands before each value."""
    return encode_tuple("pbem row 1", table), tuple((name, encode_tuple(name) + BYTES) for name in sorted(names))


def _encode_value(value: object) -> bytes:
    if value is None:
        return b"-"
    if isinstance(value, int):
        return b"n%d" % value
    if isinstance(value, str):
        return b"s" + value.encode("utf-8", "surrogatepass")
    if isinstance(value, (bytes, memoryview)):
        return b"b" + bytes(value)
    if isinstance(value, dict):
        return b"j" + _JSON.encode(value).encode()
    raise TypeError(f"a column of {type(value).__name__} is not signed")


# --- as rows are read and written


def install_listeners(sessions: type[Session]) -> None:
    """Let no statement change signed rows behind the back of what signs them."""
    event.listen(sessions, "before_flush", _before_flush)
    event.listen(sessions, "after_flush", _after_flush)
    event.listen(sessions, "do_orm_execute", _refuse_bulk_change)


def _refuse_bulk_change(state: ORMExecuteState) -> None:
    classes = [mapper.class_ for mapper in state.all_mappers] if state.is_update else []
    if any(issubclass(one, SignedRow) and not one.SIGNED_COLUMNS for one in classes):
        raise TypeError("signed rows are changed one by one, so that each is signed anew")


@cache
def signed_columns(mapper: Mapper[Any]) -> Mapping[str, Column[Any]]:
    """The columns that the signature of a row is over, by the names of its attributes."""
    own: Sequence[str] = mapper.class_.SIGNED_COLUMNS
    found = {mapper.get_property_by_column(column).key: column for column in _table(mapper).columns}
    return {name: column for name, column in found.items() if name not in UNSIGNED and (not own or name in own)}


def _table(mapper: Mapper[Any]) -> Table:
    return cast(Table, mapper.local_table)


def _keys(session: Session | None) -> RowSigner | None:
    return session.info.get(SIGNER_KEY) if session is not None else None


def _read_row(target: SignedRow, context: QueryContext | None, attributes: Iterable[str] | None = None) -> None:
    """Check a row that was read; where only columns outside the signature were, there is nothing to check.

    Without a context nothing was read: a new object was merged into a session.
    """
    if context is None:
        return
    state = inspect(target)
    keys, names = _keys(context.session), signed_columns(state.mapper)
    if keys is None or (attributes is not None and not {*names, "signed"} & set(attributes)):
        return
    here = state.dict
    if all(name in here for name in (*names, "signed")):
        try:
            keys.verify(_table(state.mapper).name, {name: here[name] for name in names}, here["signed"])
        except TamperedError:
            context.session.expunge(target)  # or it would be found there, unchecked, by who goes on
            raise


def _before_flush(session: Session, *_: object) -> None:
    """Sign what is about to be written; a row that is changed is signed over what is stored now."""
    sign_new_rows(session, session.new)
    for mapper, rows in _signed_by_mapper(session.dirty):
        changes = [(row, change) for row in rows if (change := _changes(mapper, row))]
        if changes:
            places = [_identity(mapper, row) for row, change in changes]
            signatures = _sign_changes(session, mapper, places, [change for _, change in changes])
            for (changed, _change), signature in zip(changes, signatures, strict=True):
                changed.signed = signature


def sign_new_rows(session: Session, rows: Iterable[Base]) -> None:
    """Sign rows that are to be inserted, together; `_after_flush` signs those without a key yet."""
    for mapper, signed in _signed_by_mapper(rows):
        _sign_rows(session, mapper, [row for row in signed if None not in _identity(mapper, row)])


def _after_flush(session: Session, *_: object) -> None:
    """Sign new rows to which only the database gave a key."""
    for mapper, rows in _signed_by_mapper(session.new):
        unsigned = [row for row in rows if row.signed is None]
        _sign_rows(session, mapper, unsigned)
        for row in unsigned:
            if row.signed is not None:
                where = (column == key for column, key in zip(mapper.primary_key, _identity(mapper, row), strict=True))
                session.connection().execute(update(_table(mapper)).where(*where).values(signed=row.signed))
                set_committed_value(row, "signed", row.signed)


def _signed_by_mapper(rows: Iterable[Base]) -> Iterable[tuple[Mapper[Any], list[Any]]]:
    found = defaultdict[Mapper[Any], list[Base]](list)
    for row in rows:
        if isinstance(row, SignedRow):
            found[row.__mapper__].append(row)
    return found.items()


def _sign_rows(session: Session, mapper: Mapper[Any], rows: Sequence[Any]) -> None:
    keys = _keys(session)
    if keys is not None and rows:
        values = [{name: getattr(row, name) for name in signed_columns(mapper)} for row in rows]
        for row, signature in zip(rows, keys.sign_batch(_table(mapper).name, values), strict=True):
            row.signed = signature


def _changes(mapper: Mapper[Any], row: Any) -> dict[str, Any]:
    """The signed columns that differ from what was read."""
    state = inspect(row)
    touched = signed_columns(mapper).keys() & state.committed_state
    return {name: getattr(row, name) for name in touched if state.attrs[name].history.has_changes()}


@cache
def key_names(mapper: Mapper[Any]) -> Sequence[str]:
    """The attributes of the primary key."""
    return [mapper.get_property_by_column(column).key for column in mapper.primary_key]


def _identity(mapper: Mapper[Any], row: Any) -> tuple[Any, ...]:
    return tuple(mapper.primary_key_from_instance(row))


def _sign_changes(
    session: Session, mapper: Mapper[Any], places: Sequence[tuple[Any, ...]], changes: Sequence[Mapping[str, object]]
) -> Sequence[bytes]:
    """The signatures of rows with their changes, over what stands there by now, which is verified and locked.

    Raises CryptoError in a process without keys, TamperedError for a row whose signature does not fit, StaleDataError
    for one that is gone.
    """
    keys, table = _keys(session), _table(mapper).name
    names, number = signed_columns(mapper), key_names(mapper)
    if keys is None:
        raise CryptoError(f"A row of {table} is not changed by a process that has no key to sign it.")
    found = session.connection().execute(_select_current_rows(mapper), {"places": places})
    stands = {tuple(row[name] for name in number): row for row in (one._asdict() for one in found)}
    new = list[dict[str, Any]]()
    for place, change in zip(places, changes, strict=True):
        row = stands.get(place)
        if row is None:
            raise StaleDataError(f"a row of {table} is gone")
        keys.verify(table, {name: row[name] for name in names}, row["signed"])
        new.append({name: change.get(name, row[name]) for name in names})
    return keys.sign_batch(table, new)


@cache
def _select_current_rows(mapper: Mapper[Any]) -> Select[Any]:
    """The rows of several numbers as they stand, locked in one order; rows that refer to them can still be added."""
    keys = mapper.primary_key
    at = tuple_(*keys).in_(bindparam("places", expanding=True))
    return _select_signed(mapper).where(at).order_by(*keys).with_for_update(key_share=True)


@cache
def _select_signed(mapper: Mapper[Any]) -> Select[Any]:
    """Rows with their signatures, by the names of their attributes; no object stands for one, so none is verified."""
    columns = {mapper.get_property_by_column(column).key: column for column in mapper.primary_key}
    columns |= {**signed_columns(mapper), "signed": _table(mapper).c.signed}
    return select(*[column.label(name) for name, column in columns.items()])


def sign_inserted_row(session: Session, model: type[Any], key: Mapping[str, object]) -> None:
    """Sign a row that one statement of this transaction put in, and that no object stands for."""
    keys = _keys(session)
    if keys is None or not issubclass(model, SignedRow):
        return
    mapper: Mapper[Any] = inspect(model)
    where = [getattr(model, name) == value for name, value in key.items()]
    names = signed_columns(mapper)
    row = session.connection().execute(_select_signed(mapper).where(*where)).one()._asdict()
    signed = keys.sign(_table(mapper).name, {name: row[name] for name in names})
    session.connection().execute(update(_table(mapper)).where(*where).values(signed=signed))


# --- rows that are left out if they are not verified


def load_verified(session: Session, model: type[M], key: int | str | None) -> M | None:
    """Load a row by its key; None, and a line in the log, if its signature does not fit."""
    try:
        return session.get(model, key) if key is not None else None
    except DecryptionError as error:
        SIGNATURE_ERRORS.record(error)
        return None


def split_verified(session: Session, model: type[M], keys: Sequence[RowKey]) -> tuple[list[M], list[RowKey]]:
    """Load rows by their keys, in this order; returns those that are verified, and the keys of those that are not."""
    if not keys:
        return [], []
    key = inspect(model).primary_key[0]
    try:
        found: dict[RowKey, M] = {
            getattr(row, key.name): row for row in session.scalars(select(model).where(key.in_(keys)))
        }
    except DecryptionError:
        rows = {one: load_verified(session, model, one) for one in keys}
        found = {one: row for one, row in rows.items() if row is not None}
        return list(found.values()), [one for one in keys if one not in found]
    return [found[one] for one in keys if one in found], []


# --- all rows


def find_invalid_rows(session: Session) -> Mapping[str, list[str]]:
    """The rows that would not be believed, by their tables; of each its number, or the beginning of its hash."""
    keys = _keys(session)
    if keys is None:
        return {}
    found = {_table(mapper).name: _find_invalid(session, keys, mapper) for mapper in _mappers()}
    return {table: rows for table, rows in found.items() if rows}


def _find_invalid(session: Session, keys: RowSigner, mapper: Mapper[Any]) -> list[str]:
    table, names, found = _table(mapper), signed_columns(mapper), list[str]()
    for row in session.connection().execute(_select_signed(mapper)):
        values = row._asdict()
        try:
            keys.verify(table.name, {name: values[name] for name in names}, values["signed"])
        except TamperedError:
            found.append("/".join(_describe_row(values[name]) for name in key_names(mapper)))
    return found


def _describe_row(value: object) -> str:
    return value.hex()[:8] if isinstance(value, bytes) else str(value)


def resign_all_rows(session: Session, keys: Mapping[Role, RowSigner]) -> int:
    """Sign every row under the newest keys, and return how many.

    `session` is of a database without keys.  Raises TamperedError for a row whose signature does not fit.
    """
    return sum(_resign_rows(session, keys, mapper) for mapper in _mappers())


def _mappers() -> list[Mapper[Any]]:
    return [mapper for mapper in Base.registry.mappers if issubclass(mapper.class_, SignedRow)]


def _resign_rows(session: Session, keys: Mapping[Role, RowSigner], mapper: Mapper[Any]) -> int:
    table, names, connection = _table(mapper), signed_columns(mapper), session.connection()
    found = connection.execute(_select_signed(mapper)).all()
    for row in found:
        stands = row._asdict()
        values, before = {name: stands[name] for name in names}, stands["signed"]
        role = next(iter(allowed_signers(table.name, values)), None)
        if role is None:
            continue
        keys[role].verify(table.name, values, before)
        where = [column == stands[name] for column, name in zip(mapper.primary_key, key_names(mapper), strict=True)]
        connection.execute(update(table).where(*where).values(signed=keys[role].sign(table.name, values)))
    return len(found)


event.listen(SignedRow, "load", _read_row, propagate=True)
event.listen(SignedRow, "refresh", _read_row, propagate=True)
