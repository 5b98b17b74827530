"""Values that know who may read them.

Reading fails closed: outside `seen_by` and `truth` nothing secret can be read at all, so a
forgotten check raises instead of leaking.  `redact` is what leaves the engine: a copy in which
the unknown is not hidden but absent.
"""

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
    """A value was read by a viewer who does not know it; the text never holds the value."""


class Mask(Enum):
    """What stands in a redacted copy where the value is not known."""

    UNKNOWN = "unknown"


class _Reading:
    """A block in which one reader is in force; entered hundreds of times a letter, so it is no generator."""

    __slots__ = ("_before", "_viewer")

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer

    def __enter__(self) -> None:
        self._before = _reader.set(self._viewer)

    def __exit__(self, *_: object) -> None:
        _reader.reset(self._before)


def seen_by(viewer: Viewer) -> _Reading:
    """Within this block only what `viewer` knows can be read."""
    return _Reading(viewer)


def truth() -> _Reading:
    """Within this block everything can be read; only the engine's own loop opens it."""
    return _Reading(_TRUTH)


def has_truth() -> bool:
    """Return True if the reader in force is the engine itself."""
    return _reader.get() == _TRUTH


@dataclass(frozen=True, slots=True, repr=False)
class Secret(Generic[T]):
    """A value and the seats that know it.

    `known_to` is knowledge, not memory: a known card that is shuffled back must become a fresh Secret.
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
        """Return True if the reader in force may read the value."""
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
        if not has_truth() or self.held is Mask.UNKNOWN:
            raise Hidden("sealed until it is carried out")
        return self.held

    def __repr__(self) -> str:
        return "Sealed(...)"


def redact(thing: T, viewer: Viewer) -> T:
    """A copy of `thing` as `viewer` may have it: unknown values masked, events not told to them dropped.

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
        return {key: value if value.__class__ in _PLAIN else _redact(value, viewer) for key, value in thing.items()}
    return _object(thing, _PLANS.get(cls) or _plan(cls), viewer)


def _secret(secret: Secret[Any], viewer: Viewer) -> Secret[Any]:
    """Even who else knows it is masked: that, too, may tell something."""
    if viewer in secret.known_to:
        return Secret(_redact(secret.held, viewer), frozenset({Seat(viewer)}))
    return UNKNOWN


def _sequence(things: tuple[Any, ...], viewer: Viewer) -> tuple[Any, ...]:
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
        redacted = _redact(thing, viewer)
        same = same and redacted is thing
        kept.append(redacted)
    return things if same else tuple(kept)


def _object(thing: Any, plan: "_Plan", viewer: Viewer) -> Any:
    if plan.plain:
        return thing
    if plan.decides:
        thing = thing.redacted(viewer)
    values = [getattr(thing, name) for name in plan.names]
    if plan.frozen and _PLAIN.issuperset(map(type, values)):
        return thing
    masked = [value if value.__class__ in _PLAIN else _redact(value, viewer) for value in values]
    if plan.frozen and all(a is b for a, b in zip(masked, values, strict=True)):
        return thing
    return plan.cls(**dict(zip(plan.names, masked, strict=True)))


@dataclass(frozen=True, slots=True)
class _Plan:
    """How the objects of a class are redacted and copied; found out once for each class.

    `plain`: they hold nothing else.  `decides`: they have a `redacted` of their own.
    """

    cls: type[Any]
    plain: bool
    decides: bool
    frozen: bool
    names: tuple[str, ...]


def _plan(cls: type[Any]) -> _Plan:
    """The plan of a class; TypeError for one that is neither plain nor a dataclass: redaction fails closed."""
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
    """A copy that may be changed without changing `thing`: containers are copied, frozen values shared.

    Names come in the order in which they are saved and read again, so that nothing can depend on whether a position
    was read or still in hand.
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
    """Most hold plain names, in order already, and what may be shared."""
    names = sorted(thing) if _NAMES.issuperset(map(type, thing)) else sorted(thing, key=str)
    if not _SHARED.issuperset(map(type, thing.values())):
        values = ((name, thing[name]) for name in names)
        return {name: value if value.__class__ in _SHARED else _copy(value) for name, value in values}
    return thing.copy() if names == list(thing) else {name: thing[name] for name in names}


_PLANS: dict[type[Any], _Plan] = {}
_PLAIN: Final[set[type[Any]]] = {int, str, bytes, bool, type(None), frozenset}
"""Classes whose objects hold nothing that could be secret; enumerations join them when they are first met."""
_NAMES: Final = frozenset({str})
_SHARED: Final[set[type[Any]]] = {*_PLAIN, tuple}
"""Classes whose objects a copy shares; frozen ones join them when they are first met."""
UNKNOWN: Final[Secret[Any]] = Secret(Mask.UNKNOWN)
SEALED: Final[Sealed[Any]] = Sealed(Mask.UNKNOWN)
