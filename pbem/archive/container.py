"""The file of a game: a zip archive, members stored and not packed, whose every byte follows from its content.

Members are lines of canonical JSON (sorted keys, no spaces, no floats), in the order of their names; no member has a
time, a comment or an extra field.  So the file can be built again from what was read, and must come out the same.

    manifest.jsonl   one line: the game, its rules and their version, options, seats with their players' names
    entries.jsonl    one line an entry: the part that everybody may have, and the link of the chain
    records.jsonl    once the game is over: the whole of each entry, its salts, and what each seat was told of it
    snapshots.jsonl  once the game is over: the position after each entry
    seed.jsonl       once the game is over: the promised seed, and what each joiner mixed into it
    part.jsonl       for one seat, while the game runs: what it was told, with the salts that prove it
    press.jsonl      what was said at the table, as the server had it; no link of the chain binds it: what everybody
                     heard, once the game is over secrets and diaries too; unsigned authors are never named
    audit.jsonl      what its masters did: who, by which channel, when, the line, what came of it; no link binds
                     it either
    sealed.jsonl     the private part of a running game, sealed to another server's resolver key
    moving.jsonl     within that seal: who sits where, and what else another server needs to play on
"""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Final

Lines = tuple[Any, ...]
Members = Mapping[str, Lines]
"""The members of a file, by name: what each line says."""

FORMAT: Final = 1
MANIFEST: Final = "manifest.jsonl"
ENTRIES: Final = "entries.jsonl"
RECORDS: Final = "records.jsonl"
SNAPSHOTS: Final = "snapshots.jsonl"
SEED: Final = "seed.jsonl"
PART: Final = "part.jsonl"
PRESS: Final = "press.jsonl"
AUDIT: Final = "audit.jsonl"
SEALED: Final = "sealed.jsonl"
MOVING: Final = "moving.jsonl"
NAMES: Final = frozenset({MANIFEST, ENTRIES, RECORDS, SNAPSHOTS, SEED, PART, PRESS, AUDIT, SEALED, MOVING})
MAX_BYTES: Final = 1 << 26
"""Twenty times the largest file of a whole game."""
MAX_LINES: Final = 100_000
LONGEST_LINE: Final = 1 << 26
LONGEST_NUMBER: Final = 19
"""Digits of a number, its sign included: what 64 bits hold."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


class NotAnArchive(Exception):
    """A file that is no archive of a game, or was altered; the text is a sentence for the person who brought it."""


def to_canonical_json(thing: object) -> str:
    """A value of JSON in the one way of writing it; the same as the codec's own text."""
    return json.dumps(thing, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def build_container(members: Members) -> bytes:
    """The file that holds these members: the same members always give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(members):
            member = zipfile.ZipInfo(name, _EPOCH)
            member.create_system, member.external_attr = 3, 0o644 << 16
            file.writestr(member, "".join(to_canonical_json(line) + "\n" for line in members[name]).encode())
    return out.getvalue()


def read_container(blob: bytes) -> Members:
    """The members of a file, if it is exactly what `build_container` makes of them; raises NotAnArchive."""
    contents = _contents(blob)
    for name, content in contents.items():
        if content.count(b"\n") > MAX_LINES or max(map(len, content.splitlines()), default=0) > LONGEST_LINE:
            raise NotAnArchive(f"{name} has more or longer lines than any game.")
    members = {name: _parse_lines(name, content) for name, content in contents.items()}
    if MANIFEST not in members or build_container(members) != blob:
        raise NotAnArchive("The file is not, byte for byte, what its content makes: it was altered or written anew.")
    return members


def _contents(blob: bytes) -> Mapping[str, bytes]:
    if len(blob) > MAX_BYTES:
        raise NotAnArchive(f"The file is larger than {MAX_BYTES} bytes, more than any game.")
    try:
        with zipfile.ZipFile(io.BytesIO(blob)) as file:
            infos = file.infolist()
            _check_infos(infos, len(blob))
            return {info.filename: file.read(info) for info in infos}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError) as error:
        raise NotAnArchive(f"The file is no whole zip archive ({type(error).__name__}).") from None


def _check_infos(infos: Sequence[zipfile.ZipInfo], size: int) -> None:
    """Before anything is read: known names, each once, and nothing that unpacks to more than the file holds."""
    names = [info.filename for info in infos]
    if not set(names) <= NAMES or len(set(names)) != len(names):
        raise NotAnArchive("The file has members that no archive of a game has.")
    if any(i.compress_type != zipfile.ZIP_STORED or i.file_size > size for i in infos):
        raise NotAnArchive("The members of an archive are stored, not packed.")


def _parse_lines(name: str, content: bytes) -> Lines:
    try:
        return tuple(map(_parse, content.decode().split("\n")[:-1]))
    except (ValueError, RecursionError) as error:
        raise NotAnArchive(f"{name} holds a line that cannot be read ({type(error).__name__}).") from None


def _parse(line: str) -> Any:
    """What one line says; ValueError for numbers that are never saved, and for text that no file can hold."""
    found = json.loads(line, parse_float=_reject_number, parse_constant=_reject_number, parse_int=_parse_int)
    if to_canonical_json(found).encode() != line.encode():
        raise ValueError("not written in the one way")
    return found


def _parse_int(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        _reject_number(text)
    return int(text)


def _reject_number(text: str) -> None:
    raise ValueError("no such number is ever saved")
