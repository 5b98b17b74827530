"""The saved form of positions, events and orders, which must stay readable for ten years.

Canonical JSON: sorted keys, no spaces, no floats. A saved class has a name and a version, independent of its Python
name. Older versions are converted by `upcast` functions, which are never removed; a field declared with `added_field`
takes its default. Arrays are tuples; any other type that JSON lacks is an object with the key "!".
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from enum import Enum
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Any, Final, TypeVar, dataclass_transform

from engine.kernel.secrets import Mask, Sealed, Secret

C = TypeVar("C", bound=type[Any])
T = TypeVar("T")
Fields = dict[str, Any]
_LATER: Final = "later"


class DecodeError(Exception):
    """A saved text names an unknown class or version or is not canonical, or a class has no saved name."""


_by_name: dict[str, type[Any]] = {}
_names: dict[type[Any], tuple[str, int]] = {}
_tag_names: dict[type[Any], str] = {}
_upcasts: dict[tuple[str, int], Callable[[Fields], Fields]] = {}


def serializable(name: str, version: int = 1) -> Callable[[C], C]:
    """Register a dataclass or Enum under a name that is independent of its Python name.

    The decorator raises ValueError if another class has the name.
    """

    def register(cls: C) -> C:
        other = _by_name.get(name, cls)
        if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
            raise ValueError(f"two classes are saved as {name}")
        _by_name[name], _names[cls], _tag_names[cls] = cls, (name, version), f"{name}/{version}"
        _makers.clear()
        return cls

    return register


def record(cls: type[Any], name: str, *, kw_only: bool = False) -> None:
    """Make a class a frozen dataclass and register it under `name`; an empty name registers nothing."""
    dataclass(frozen=True, kw_only=kw_only)(cls)
    if name:
        serializable(name)(cls)


@dataclass_transform(frozen_default=True)
class Record:
    """Base of frozen dataclasses with a saved name: `class Attack(Order, saved="toy.Attack")`."""

    def __init_subclass__(cls, saved: str = "") -> None:
        super().__init_subclass__()
        record(cls, saved)


def added_field(default: T) -> T:
    """Declare a field that was added to a saved class later. It is not written while it has its default.

    So data saved before the field existed is written unchanged.
    """
    made: T = field(default=default, metadata={_LATER: True})
    return made


def saved_name(cls: type[Any]) -> str:
    """Return the saved name of a class. Raises KeyError if it has none."""
    return _names[cls][0]


def is_serializable(cls: type[Any]) -> bool:
    """Return True if a class has a saved name."""
    return cls in _names


def saved_class(name: str) -> type[Any]:
    """Return the class of a saved name. Raises DecodeError if there is none."""
    try:
        return _by_name[name]
    except KeyError:
        raise DecodeError(f"no class is saved as {name!r}") from None


def upcast(name: str, version: int) -> Callable[[Callable[[Fields], Fields]], Callable[[Fields], Fields]]:
    """Register a function that converts the fields of `name` at `version` to those of the next version."""

    def register(function: Callable[[Fields], Fields]) -> Callable[[Fields], Fields]:
        _upcasts[name, version] = function
        return function

    return register


def dump(thing: object) -> str:
    """Return the canonical text of an object. Raises DecodeError for a class without a saved name."""
    return _WRITERS[thing.__class__](thing)


def dump_all(things: Sequence[object]) -> list[str]:
    """Return the canonical texts of objects that share most of their parts: of a shared part the text is made once."""
    first = things[0]
    cls = first.__class__
    if all(thing is first for thing in things):
        return [dump(first)] * len(things)
    if cls not in _names or issubclass(cls, Enum) or any(thing.__class__ is not cls for thing in things):
        return list(map(dump, things))
    texts = [f'{{"!":{_quote(_tag_names[cls])}'] * len(things)
    for of in sorted(fields(cls), key=lambda of: of.name):
        values = [getattr(thing, of.name) for thing in things]
        for place, text in enumerate(dump_all(values)):
            if _LATER not in of.metadata or values[place] != of.default:
                texts[place] += f",{_quote(of.name)}:{text}"
    return [text + "}" for text in texts]


def load(text: str | bytes) -> Any:
    """Return the object of a text written by `dump`.

    Raises DecodeError for a float or an unknown class or version, and ValueError if the text is not JSON.
    """
    return _strip_marker(json.loads(text, parse_float=_no_floats, object_hook=_read_object))


def _no_floats(text: str) -> None:
    raise DecodeError(f"a float was saved: {text}")


# --- writing: text is put together at once, by a function for each class


def _writer(cls: type[Any]) -> Callable[[Any], str]:
    """Return the function that writes the objects of a saved class; made once for each class."""
    tag = _tag_names.get(cls)
    if tag is None:
        raise DecodeError(f"{cls.__name__} has no saved name")
    head = f'{{"!":{_quote(tag)}'
    if issubclass(cls, Enum):
        return cache(lambda member: f'{head},"v":{dump(member.value)}}}')
    return _fields_writer(head, {f.name: f for f in fields(cls)})


def _fields_writer(head: str, known: Mapping[str, Field[Any]]) -> Callable[[Any], str]:
    """Compile a function that writes these fields, as `dataclass` does: twice as fast as a loop over them."""
    source = " + ".join([repr(head), *(_write_part(name, known[name]) for name in sorted(known)), repr("}")])
    used = {"writers": _WRITERS, "defaults": {name: f.default for name, f in known.items()}}
    made: Callable[[Any], str] = eval(f"lambda thing: {source}", used)  # noqa: S307 - from class bodies
    return made


def _write_part(name: str, of: Field[Any]) -> str:
    """Return the source code that writes one field; an added field is not written if it has its default."""
    written = f"{f',{_quote(name)}:'!r} + writers[(value := thing.{name}).__class__](value)"
    return f'("" if thing.{name} == defaults[{name!r}] else {written})' if _LATER in of.metadata else written


def _sequence(items: Iterable[Any]) -> str:
    return f"[{','.join([_WRITERS[item.__class__](item) for item in items])}]"


def _dict(thing: Mapping[Any, Any]) -> str:
    if all(isinstance(key, str) and not key.startswith("!") for key in thing):
        pairs = sorted({str(key): value for key, value in thing.items()}.items())
        return f"{{{','.join([f'{_quote(key)}:{dump(value)}' for key, value in pairs])}}}"
    by_key = sorted(((dump(key), value) for key, value in thing.items()), key=lambda pair: _place(pair[0]))
    return f'{{"!":"dict","v":[{",".join([f"[{key},{dump(value)}]" for key, value in by_key])}]}}'


def _set(thing: frozenset[Any]) -> str:
    return f'{{"!":"set","v":[{",".join(sorted(map(dump, thing), key=_place))}]}}'


@lru_cache(maxsize=4096)
def _place(text: str) -> str:
    """Return the sort key of elements of sets and keys of dicts: their text with spaces, and in ASCII."""
    return json.dumps(json.loads(text), sort_keys=True)


class _Writers(dict[type[Any], Callable[[Any], str]]):
    """The function that writes the objects of each class."""

    def __missing__(self, cls: type[Any]) -> Callable[[Any], str]:
        """Make the writer of a class seen for the first time."""
        self[cls] = _writer(cls)
        return self[cls]


_quote = json.encoder.encode_basestring
_WRITERS = _Writers(
    {
        str: _quote,
        int: int.__repr__,
        bool: lambda truth: "true" if truth else "false",
        type(None): lambda none: "null",
        tuple: _sequence,
        list: lambda items: f'{{"!":"list","v":{_sequence(items)}}}',
        dict: _dict,
        MappingProxyType: _dict,
        frozenset: _set,
        bytes: lambda b: f'{{"!":"bytes","v":"{b.hex()}"}}',
        Secret: lambda s: f'{{"!":"secret","k":[{",".join(map(_quote, sorted(s.known_to)))}],"v":{dump(s.held)}}}',
        Sealed: lambda s: f'{{"!":"sealed","v":{dump(s.held)}}}',
        Mask: lambda m: '{"!":"mask"}',
    }
)


# --- reading: from the inside out, each object as soon as its text ends


class _List(list[Any]):
    """A list that was saved as a list, until the object around it has been read."""


_ARRAYS: frozenset[type[Any]] = frozenset({list, _List})


def _strip_marker(value: Any) -> Any:
    """Return an array as a tuple, or as a list if it was saved as one."""
    if value.__class__ is list:
        return tuple([_strip_marker(item) if item.__class__ in _ARRAYS else item for item in value])
    return list(value) if value.__class__ is _List else value


def _read_object(plain: Fields) -> Any:
    for name, value in plain.items():
        if value.__class__ in _ARRAYS:
            plain[name] = _strip_marker(value)
    tag = plain.pop("!", None)
    if tag is None:
        return plain
    made = _READERS.get(tag) or _makers.get(tag) or _make_reader(tag)
    return made(plain)


def _make_reader(tag: str) -> Callable[[Fields], Any]:
    """Return the function that makes the objects of a tag, and cache it."""
    name, _, number = tag.partition("/")
    cls, version = saved_class(name), int(number)
    if issubclass(cls, Enum):
        made: Callable[[Fields], Any] = partial(_enum_member, cls)
    elif version == _names[cls][1]:
        made = partial(_build_current, cls)
    else:
        made = partial(_build_from_older, cls, tag, name, version)
    _makers[tag] = made
    return made


def _enum_member(cls: type[Enum], plain: Fields) -> Any:
    return cls(plain["v"])


def _build_current(cls: type[Any], plain: Fields) -> Any:
    return cls(**plain)


def _build_from_older(cls: type[Any], tag: str, name: str, version: int, values: Fields) -> Any:
    current = _names[cls][1]
    if version > current:
        raise DecodeError(f"{tag} is newer than this program")
    while version < current:
        values = _upcasts[name, version](values)
        version += 1
    return cls(**values)


_makers: dict[str, Callable[[Fields], Any]] = {}
_READERS: dict[str, Callable[[Fields], Any]] = {
    "dict": lambda p: dict(p["v"]),
    "set": lambda p: frozenset(p["v"]),
    "bytes": lambda p: bytes.fromhex(p["v"]),
    "list": lambda p: _List(p["v"]),
    "secret": lambda p: Secret(p["v"], frozenset(p["k"])),
    "sealed": lambda p: Sealed(p["v"]),
    "mask": lambda p: Mask.UNKNOWN,
}
