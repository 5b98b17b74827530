"""Values that know who may read them.

Reading fails closed: outside `seen_by` and `truth` nothing secret can be read at all, so a forgotten check raises
instead of leaking. `redact` makes what leaves the engine: a copy from which unknown values are absent, not only hidden.
"""

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, Final, Generic, TypeVar, cast

from engine.kernel.viewers import Seat, Viewer

T = TypeVar("T")

_NOBODY: Final = ""
_TRUTH: Final = "*"
_reader: ContextVar[Viewer] = ContextVar("reader", default=_NOBODY)


class Hidden(Exception):
    """The current reader does not know the value; the message never contains the value."""


class Mask(Enum):
    """The placeholder for an unknown value in a redacted copy."""

    UNKNOWN = "unknown"


class _Reading:
    """A context manager that sets the current reader.

    A class, because a generator is slower and this runs often.
    """

    __slots__ = ("_before", "_viewer")

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer

    def __enter__(self) -> None:
        self._before = _reader.set(self._viewer)

    def __exit__(self, *_: object) -> None:
        _reader.reset(self._before)


def seen_by(viewer: Viewer) -> _Reading:
    """Return a context manager within which only values known to `viewer` can be read."""
    return _Reading(viewer)


def truth() -> _Reading:
    """Return a context manager within which everything can be read. Only the engine's own loop uses it."""
    return _Reading(_TRUTH)


def has_truth() -> bool:
    """Return True if the current reader is the engine itself."""
    return _reader.get() == _TRUTH


@dataclass(frozen=True, slots=True, repr=False)
class Secret(Generic[T]):
    """A value and the seats that know it.

    `known_to` is knowledge, not memory: a known card that is shuffled back must become a new Secret.
    """

    held: T | Mask
    known_to: frozenset[Seat] = frozenset()

    @property
    def value(self) -> T:
        """Return the value. Raises Hidden unless the current reader knows it."""
        if not self.visible:
            raise Hidden("this reader does not know that value")
        return cast(T, self.held)

    @property
    def visible(self) -> bool:
        """Return True if the current reader may read the value."""
        reader = _reader.get()
        return self.held is not Mask.UNKNOWN and (reader == _TRUTH or reader in self.known_to)

    def shown_to(self, *seats: Seat) -> "Secret[T]":
        """Return a secret with the same value, known to these seats as well."""
        return Secret(self.held, self.known_to | frozenset(seats))

    def __repr__(self) -> str:
        return "Secret(...)"


@dataclass(frozen=True, slots=True, repr=False)
class Sealed(Generic[T]):
    """A value that no viewer can read, not even its owner, until the engine carries it out."""

    held: T | Mask

    @property
    def value(self) -> T:
        """Return the value. Raises Hidden for every reader except the engine."""
        if not has_truth() or self.held is Mask.UNKNOWN:
            raise Hidden("sealed until it is carried out")
        return self.held

    def __repr__(self) -> str:
        return "Sealed(...)"


def redact(thing: T, viewer: Viewer) -> T:
    """Return a copy of `thing` for `viewer`: unknown values are masked, and events not visible to the viewer removed.

    A class with a method `redacted(viewer)` is replaced by its result first. Parts without secrets are shared, not
    copied.

    Raises TypeError for an object that is neither plain nor a dataclass.
    """
    redacted: T = _redact(thing, viewer, {})
    return redacted


def redact_for_all(thing: T, viewers: Iterable[Viewer]) -> dict[Viewer, T]:
    """Return what `redact` makes for each viewer; parts without secrets are looked through once, and always shared.

    Raises TypeError as `redact` does.
    """
    is_open = dict[int, Any]()
    _note_open_parts(thing, is_open)
    return {viewer: _redact(thing, viewer, is_open) for viewer in viewers}


def _note_open_parts(thing: Any, is_open: dict[int, Any]) -> bool:
    """Note the parts that everybody may see as they are, by their ids; return True if that is the whole.

    They are held, so that no id can become that of another object meanwhile.
    """
    cls = thing.__class__
    if cls in _PLAIN:
        return True
    if cls is Sealed:
        return False
    if cls is Secret:
        _note_open_parts(thing.held, is_open)
        return False
    if cls is tuple:
        found = all(getattr(part, "visible_to", None) is None for part in thing)
        parts = thing
    elif cls is dict:
        found, parts = True, thing.values()
    else:
        plan = _PLANS.get(cls) or _plan(cls)
        found, parts = not plan.decides, [getattr(thing, name) for name in plan.names]
    for part in parts:
        if part.__class__ not in _PLAIN and not _note_open_parts(part, is_open):
            found = False
    if found:
        is_open[id(thing)] = thing
    return found


def _redact(thing: Any, viewer: Viewer, is_open: Mapping[int, Any]) -> Any:
    cls = thing.__class__
    if cls in _PLAIN or id(thing) in is_open:
        return thing
    if cls is Secret:
        return _secret(thing, viewer, is_open)
    if cls is Sealed:
        return SEALED
    if cls is tuple:
        return _sequence(thing, viewer, is_open)
    if cls is dict:
        return {
            key: value if value.__class__ in _PLAIN else _redact(value, viewer, is_open) for key, value in thing.items()
        }
    return _object(thing, _PLANS.get(cls) or _plan(cls), viewer, is_open)


def _secret(secret: Secret[Any], viewer: Viewer, is_open: Mapping[int, Any]) -> Secret[Any]:
    """Redact one secret. Other seats that know it are removed too, because that may be a clue."""
    if viewer in secret.known_to:
        return Secret(_redact(secret.held, viewer, is_open), frozenset({Seat(viewer)}))
    return UNKNOWN


def _sequence(things: tuple[Any, ...], viewer: Viewer, is_open: Mapping[int, Any]) -> tuple[Any, ...]:
    if _PLAIN.issuperset(map(type, things)):
        return things
    kept = []
    same = True
    for thing in things:
        if thing.__class__ in _PLAIN:
            kept.append(thing)
            continue
        told = getattr(thing, "visible_to", None)
        if told is not None and viewer not in told:
            same = False
            continue
        redacted = _redact(thing, viewer, is_open)
        same = same and redacted is thing
        kept.append(redacted)
    return things if same else tuple(kept)


def _object(thing: Any, plan: "_Plan", viewer: Viewer, is_open: Mapping[int, Any]) -> Any:
    if plan.plain:
        return thing
    if plan.decides:
        thing = thing.redacted(viewer)
    values = [getattr(thing, name) for name in plan.names]
    if plan.frozen and _PLAIN.issuperset(map(type, values)):
        return thing
    masked = [value if value.__class__ in _PLAIN else _redact(value, viewer, is_open) for value in values]
    if plan.frozen and all(a is b for a, b in zip(masked, values, strict=True)):
        return thing
    return plan.cls(**dict(zip(plan.names, masked, strict=True)))


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to redact and copy the objects of one class; computed once for each class.

    `plain`: its objects contain nothing secret. `decides`: it has a method `redacted`.
    """

    cls: type[Any]
    plain: bool
    decides: bool
    frozen: bool
    names: tuple[str, ...]


def _plan(cls: type[Any]) -> _Plan:
    """Make the plan of a class. Raises TypeError for one that is neither plain nor a dataclass."""
    if issubclass(cls, Enum | frozenset | int | str):
        plan = _Plan(cls, True, False, True, ())
        _PLAIN.add(cls)
    elif is_dataclass(cls):
        frozen: bool = cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
        plan = _Plan(cls, False, hasattr(cls, "redacted"), frozen, tuple(f.name for f in fields(cls)))
    else:
        raise TypeError(f"{cls.__name__} cannot be redacted: it is neither plain nor a dataclass")
    _PLANS[cls] = plan
    return plan


def deep_copy(thing: T) -> T:
    """Return a copy that can be changed without changing `thing`: containers are copied, frozen values shared.

    Keys of dicts are sorted as in saved text, so that play cannot depend on whether a position was loaded or in memory.
    """
    copy: T = _copy(thing)
    return copy


def _copy(thing: Any) -> Any:
    cls = thing.__class__
    if cls in _SHARED:
        return thing
    if cls is dict:
        return _copy_dict(thing)
    if cls is list:
        return [_copy(value) for value in thing]
    plan = _PLANS.get(cls) or (_plan(cls) if is_dataclass(thing) else None)
    if plan is None or plan.frozen:
        _SHARED.add(cls)
        return thing
    return plan.cls(
        **{name: value if (value := getattr(thing, name)).__class__ in _SHARED else _copy(value) for name in plan.names}
    )


def _copy_dict(thing: dict[Any, Any]) -> dict[Any, Any]:
    """Copy a dict with sorted keys.

    The fast path is for str keys already in order and values that can be shared.
    """
    names = sorted(thing) if _NAMES.issuperset(map(type, thing)) else sorted(thing, key=str)
    if not _SHARED.issuperset(map(type, thing.values())):
        values = ((name, thing[name]) for name in names)
        return {name: value if value.__class__ in _SHARED else _copy(value) for name, value in values}
    return thing.copy() if names == list(thing) else {name: thing[name] for name in names}


_PLANS: dict[type[Any], _Plan] = {}
_PLAIN: Final[set[type[Any]]] = {int, str, bytes, bool, type(None), frozenset}
"""Classes whose objects contain nothing secret; enums are added when first seen."""
_NAMES: Final = frozenset({str})
_SHARED: Final[set[type[Any]]] = {*_PLAIN, tuple}
"""Classes whose objects a copy shares; frozen classes are added when first seen."""
UNKNOWN: Final[Secret[Any]] = Secret(Mask.UNKNOWN)
SEALED: Final[Sealed[Any]] = Sealed(Mask.UNKNOWN)
