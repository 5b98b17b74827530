"""Values that know who may read them.

Reading fails closed: outside `seen_by` and `truth` nothing secret can be read at all, so a
forgotten check raises instead of leaking.  `redact` is what leaves the engine: a copy in which
the unknown is not hidden but absent.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, Final, Generic, TypeVar, cast

from engine.kernel.names import Seat, Viewer

T = TypeVar("T")

_NOBODY: Final = ""
_TRUTH: Final = "*"
_reader: ContextVar[Viewer] = ContextVar("reader", default=_NOBODY)


class Hidden(Exception):
    """A value was read by somebody who does not know it; the text never holds the value."""


class Mask(Enum):
    """What stands in a redacted copy where the value is not known."""

    UNKNOWN = "unknown"


@contextmanager
def seen_by(viewer: Viewer) -> Iterator[None]:
    """Within this block only what `viewer` knows can be read."""
    before = _reader.set(viewer)
    try:
        yield
    finally:
        _reader.reset(before)


@contextmanager
def truth() -> Iterator[None]:
    """Within this block everything can be read; only the engine's own loop opens it."""
    with seen_by(_TRUTH):
        yield


def in_truth() -> bool:
    """Whether the reader in force is the engine itself."""
    return _reader.get() == _TRUTH


@dataclass(frozen=True, slots=True, repr=False)
class Secret(Generic[T]):
    """A value and the seats that know it.

    `known_to` is knowledge, not memory: whoever shuffles a known card back must put a fresh Secret.
    """

    held: T | Mask
    known_to: frozenset[Seat] = frozenset()

    @property
    def value(self) -> T:
        """The value; raises Hidden unless the reader in force knows it."""
        if not self.visible:
            raise Hidden("this reader does not know that value")
        return cast(T, self.held)

    @property
    def visible(self) -> bool:
        """Whether the reader in force may read the value."""
        reader = _reader.get()
        return self.held is not Mask.UNKNOWN and (reader == _TRUTH or reader in self.known_to)

    def shown_to(self, *seats: Seat) -> "Secret[T]":
        """The same value, known to these seats as well."""
        return Secret(self.held, self.known_to | frozenset(seats))

    def __repr__(self) -> str:
        return "Secret(...)"


@dataclass(frozen=True, slots=True, repr=False)
class Sealed(Generic[T]):
    """A value that no viewer reads, its owner included, until the table carries it out."""

    held: T | Mask

    @property
    def value(self) -> T:
        """The value, for the engine alone; raises Hidden for every viewer."""
        if not in_truth() or self.held is Mask.UNKNOWN:
            raise Hidden("sealed until it is carried out")
        return self.held

    def __repr__(self) -> str:
        return "Sealed(...)"


def redact(thing: T, viewer: Viewer) -> T:
    """A copy of `thing` as `viewer` may have it: unknown values masked, events not told to him dropped.

    Classes with an attribute `redacted` (a function of the copy's viewer) decide for themselves first.
    What holds nothing secret is shared, not copied.
    """
    redacted: T = _redact(thing, viewer)
    return redacted


def _redact(thing: Any, viewer: Viewer) -> Any:
    cls = thing.__class__
    if cls in _PLAIN:
        return thing
    if cls is Secret:
        return _secret(thing, viewer)
    if cls is Sealed:
        return SEALED
    if cls is tuple:
        return _sequence(thing, viewer)
    if cls is dict:
        return {key: _redact(value, viewer) for key, value in thing.items()}
    return _object(thing, cls, viewer)


def _secret(secret: Secret[Any], viewer: Viewer) -> Secret[Any]:
    """Even who else knows it is masked: that, too, may tell something."""
    if viewer in secret.known_to:
        return Secret(_redact(secret.held, viewer), frozenset({Seat(viewer)}))
    return UNKNOWN


def _sequence(things: tuple[Any, ...], viewer: Viewer) -> tuple[Any, ...]:
    kept = [_redact(t, viewer) for t in things if _told(t, viewer)]
    if len(kept) == len(things) and all(a is b for a, b in zip(kept, things, strict=True)):
        return things
    return tuple(kept)


def _told(thing: Any, viewer: Viewer) -> bool:
    told = getattr(thing, "told", None)
    return told is None or viewer in told


def _object(thing: Any, cls: type[Any], viewer: Viewer) -> Any:
    if isinstance(thing, Enum | frozenset | int | str):
        return thing
    if not is_dataclass(cls):
        raise TypeError(f"{cls.__name__} cannot be redacted: it is neither plain nor a dataclass")
    own: Callable[[Viewer], Any] | None = getattr(thing, "redacted", None)
    if own is not None:
        thing = own(viewer)
    values = {name: getattr(thing, name) for name in _names(cls)}
    masked = {name: _redact(value, viewer) for name, value in values.items()}
    if thing.__dataclass_params__.frozen and all(masked[n] is values[n] for n in values):
        return thing
    return cls(**masked)


def _names(cls: type[Any]) -> tuple[str, ...]:
    names = _FIELDS.get(cls)
    if names is None:
        names = _FIELDS[cls] = tuple(f.name for f in fields(cls))
    return names


def copied(thing: T) -> T:
    """A copy that may be changed without changing `thing`: containers are copied, frozen values shared."""
    copy: T = _copied(thing)
    return copy


def _copied(thing: Any) -> Any:
    cls = thing.__class__
    if cls is dict:
        return {key: _copied(value) for key, value in thing.items()}
    if cls is list:
        return [_copied(value) for value in thing]
    if _changeable(cls):
        return cls(**{name: _copied(getattr(thing, name)) for name in _names(cls)})
    return thing


def _changeable(cls: type[Any]) -> bool:
    return is_dataclass(cls) and not cls.__dataclass_params__.frozen  # type: ignore[attr-defined]


_FIELDS: dict[type[Any], tuple[str, ...]] = {}
_PLAIN: Final = frozenset({int, str, bytes, bool, type(None), frozenset})
UNKNOWN: Final[Secret[Any]] = Secret(Mask.UNKNOWN)
SEALED: Final[Sealed[Any]] = Sealed(Mask.UNKNOWN)

Terms = Mapping[str, object]
"""What a sentence needs beside its code: names and numbers, never prose."""
