"""How positions, events and orders are written down, for ten years.

Canonical JSON: sorted keys, no spaces, no floats.  A saved class has a name and a version apart
from its Python name; what an older version lacks is supplied by `upcast` functions, which are
never removed.  Arrays are tuples; everything else that JSON cannot say is an object with "!".
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar, dataclass_transform

from engine.kernel.secrets import Mask, Sealed, Secret

C = TypeVar("C", bound=type[Any])
Fields = dict[str, Any]


class Unreadable(Exception):
    """A saved text names a class or version that this program does not know, or is not canonical."""


_by_name: dict[str, type[Any]] = {}
_names: dict[type[Any], tuple[str, int]] = {}
_tags: dict[type[Any], str] = {}
_field_names: dict[type[Any], tuple[str, ...]] = {}
_upcasts: dict[tuple[str, int], Callable[[Fields], Fields]] = {}


def saved(name: str, version: int = 1) -> Callable[[C], C]:
    """Register a dataclass or Enum under a name that outlives its Python name."""

    def register(cls: C) -> C:
        other = _by_name.get(name, cls)
        if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
            raise ValueError(f"two classes are saved as {name}")
        _by_name[name], _names[cls], _tags[cls] = cls, (name, version), f"{name}/{version}"
        _makers.clear()
        if is_dataclass(cls):
            _field_names[cls] = tuple(f.name for f in fields(cls))
        return cls

    return register


def record(cls: type[Any], name: str, *, kw_only: bool = False) -> None:
    """Make a class a frozen dataclass, saved under a name; without a name it is only there to be derived from."""
    dataclass(frozen=True, kw_only=kw_only)(cls)
    if name:
        saved(name)(cls)


@dataclass_transform(frozen_default=True)
class Record:
    """What frozen dataclasses derive from that are saved by the hundred: `class Attack(Order, saved="toy.Attack")`."""

    def __init_subclass__(cls, saved: str = "") -> None:
        """See `record`."""
        super().__init_subclass__()
        record(cls, saved)


def saved_name(cls: type[Any]) -> str:
    """The name that a class is saved under."""
    return _names[cls][0]


def is_saved(cls: type[Any]) -> bool:
    """Return True if a class has a name to be saved under."""
    return cls in _names


def saved_class(name: str) -> type[Any]:
    """The class saved under a name; raises Unreadable where there is none."""
    try:
        return _by_name[name]
    except KeyError:
        raise Unreadable(f"no class is saved as {name!r}") from None


def upcast(name: str, version: int) -> Callable[[Callable[[Fields], Fields]], Callable[[Fields], Fields]]:
    """Register how the fields of `name` at `version` become those of the next version."""

    def register(function: Callable[[Fields], Fields]) -> Callable[[Fields], Fields]:
        _upcasts[name, version] = function
        return function

    return register


def dump(thing: object) -> str:
    """Canonical text of a saved thing; raises Unreadable for a class that has no saved name."""
    return json.dumps(_plain(thing), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def load(text: str | bytes) -> Any:
    """What `dump` wrote; raises Unreadable."""
    return _thing(json.loads(text, parse_float=_no_floats))


def _no_floats(text: str) -> None:
    raise Unreadable(f"a float was saved: {text}")


def _plain(thing: Any) -> Any:
    cls = thing.__class__
    if cls is str or cls is int or cls is bool or thing is None:
        return thing
    if cls is tuple:
        return [t if t.__class__ in _BARE else _plain(t) for t in thing]
    if cls is dict or cls is MappingProxyType:
        return _plain_dict(thing)
    writer = _WRITERS.get(cls)
    if writer is not None:
        return writer(thing)
    return _plain_saved(thing, cls)


def _plain_saved(thing: Any, cls: type[Any]) -> Any:
    tag = _tags.get(cls)
    if tag is None:
        raise Unreadable(f"{cls.__name__} has no saved name")
    if isinstance(thing, Enum):
        return {"!": tag, "v": thing.value}
    values = ((name, getattr(thing, name)) for name in _field_names[cls])
    out = {name: value if value.__class__ in _BARE else _plain(value) for name, value in values}
    out["!"] = tag
    return out


def _plain_dict(thing: Mapping[Any, Any]) -> Any:
    if all(isinstance(key, str) and not key.startswith("!") for key in thing):
        return {str(key): value if value.__class__ in _BARE else _plain(value) for key, value in thing.items()}
    pairs = [[_plain(key), _plain(value)] for key, value in thing.items()]
    return {"!": "dict", "v": sorted(pairs, key=lambda pair: json.dumps(pair[0], sort_keys=True))}


def _plain_set(thing: frozenset[Any]) -> Any:
    return {"!": "set", "v": sorted((_plain(t) for t in thing), key=lambda v: json.dumps(v, sort_keys=True))}


_WRITERS: dict[type[Any], Callable[[Any], Any]] = {
    frozenset: _plain_set,
    bytes: lambda b: {"!": "bytes", "v": b.hex()},
    list: lambda items: {"!": "list", "v": [_plain(i) for i in items]},
    Secret: lambda s: {"!": "secret", "v": _plain(s.held), "k": sorted(s.known_to)},
    Sealed: lambda s: {"!": "sealed", "v": _plain(s.held)},
    Mask: lambda m: {"!": "mask"},
}


def _thing(plain: Any) -> Any:
    cls = plain.__class__
    if cls is list:
        return tuple([p if p.__class__ in _BARE else _thing(p) for p in plain])
    if cls is not dict:
        return plain
    tag = plain.get("!")
    if tag is None:
        return {key: value if value.__class__ in _BARE else _thing(value) for key, value in plain.items()}
    reader = _READERS.get(tag)
    return reader(plain) if reader is not None else _saved_thing(tag, plain)


def _saved_thing(tag: str, plain: Fields) -> Any:
    made = _makers.get(tag) or _maker(tag)
    return made(plain)


def _maker(tag: str) -> Callable[[Fields], Any]:
    """How things with this tag are made; looked up once, since a position has hundreds of them."""
    name, _, number = tag.partition("/")
    cls, version = saved_class(name), int(number)
    if issubclass(cls, Enum):
        made: Callable[[Fields], Any] = partial(_member, cls)
    elif version == _names[cls][1]:
        made = partial(_current, cls)
    else:
        made = partial(_older, cls, tag, name, version)
    _makers[tag] = made
    return made


def _member(cls: type[Enum], plain: Fields) -> Any:
    return cls(plain["v"])


def _current(cls: type[Any], plain: Fields) -> Any:
    return cls(
        **{key: value if value.__class__ in _BARE else _thing(value) for key, value in plain.items() if key != "!"}
    )


def _older(cls: type[Any], tag: str, name: str, version: int, plain: Fields) -> Any:
    values = {key: _thing(value) for key, value in plain.items() if key != "!"}
    current = _names[cls][1]
    if version > current:
        raise Unreadable(f"{tag} is newer than this program")
    while version < current:
        values = _upcasts[name, version](values)
        version += 1
    return cls(**values)


_BARE = frozenset({str, int, bool, type(None)})
_makers: dict[str, Callable[[Fields], Any]] = {}
_READERS: dict[str, Callable[[Fields], Any]] = {
    "dict": lambda p: {_thing(key): _thing(value) for key, value in p["v"]},
    "set": lambda p: frozenset(_thing(v) for v in p["v"]),
    "bytes": lambda p: bytes.fromhex(p["v"]),
    "list": lambda p: [_thing(v) for v in p["v"]],
    "secret": lambda p: Secret(_thing(p["v"]), frozenset(p["k"])),
    "sealed": lambda p: Sealed(_thing(p["v"])),
    "mask": lambda p: Mask.UNKNOWN,
}
