"""What the members of a file say, as typed values; whatever is not of their form raises NotAnArchive."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from engine.kernel.codec import load
from engine.kernel.position import Position
from engine.kernel.viewers import Seat
from pbem.archive import container
from pbem.archive.container import Lines, Members, NotAnArchive, to_canonical_json
from pbem.archive.entries import EntryRecord
from pbem.common.cpu_budget import BudgetExceeded, hard_limit
from pbem.crypto.chain import ChainLink, EntryId, EntrySalts

T = TypeVar("T")

FILE_S: Final = 300.0
"""How long the processor may work at one file: a hundred times what a whole game takes."""
TOO_MUCH: Final = "It takes more work, or more memory, than the file of any game."

WHOLE: Final = "whole"
PUBLIC_ONLY: Final = "public"
SAID: Final = frozenset({"public", "private", "master", "diary"})
"""How something is said, or noted."""


@dataclass(frozen=True)
class Manifest:
    """What the file is about.  `holds`: `whole`, `public`, or the seat whose own part it has.

    `rules` and `rules_version` name what was played, `title` is what its players called the table.  The names of table
    and players are what the server says they were; nothing proves them.
    """

    game: str
    rules: str
    rules_version: str
    title: str
    options: Mapping[str, str]
    seats: tuple[tuple[Seat, str], ...]
    state: str
    holds: str
    entries: int
    seed_digest: str
    created_at: int
    started_at: int | None
    ended_at: int | None
    format: int = container.FORMAT

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order of the table."""
        return tuple(seat for seat, _ in self.seats)

    def to_line(self) -> dict[str, Any]:
        """The line of manifest.jsonl."""
        seats = [{"seat": seat, "name": name} for seat, name in self.seats]
        return {**vars(self), "options": dict(self.options), "seats": seats}


@dataclass(frozen=True)
class EntryPublic:
    """What everybody may have of an entry: the text that its link binds."""

    place: EntryId
    plain: Any
    link: ChainLink

    @property
    def text(self) -> bytes:
        """The very text that was linked."""
        return to_canonical_json(self.plain).encode()


@dataclass(frozen=True)
class EntryPrivate:
    """The private side of an entry: the text of its record, what each seat was told, and the salts of all that."""

    place: EntryId
    plain: Any
    parts: Mapping[str, Any]
    salts: EntrySalts

    @property
    def text(self) -> bytes:
        """The text of the record, as it was committed to."""
        return to_canonical_json(self.plain).encode()

    def part(self, seat: str) -> bytes:
        """The text of what a seat was told, as it was committed to; raises NotAnArchive for more than happened."""
        told, events = self.parts[seat], self.plain["events"]
        _check_bounds(told, events)
        return to_canonical_json(unpack(told, events)).encode()

    def record(self) -> EntryRecord:
        """The record, loaded; raises DecodeError, or what a class that does not fit its text raises."""
        found = load(self.text)
        if not isinstance(found, EntryRecord):
            raise NotAnArchive(f"Entry {self.place.entry} has no record.")
        return found


@dataclass(frozen=True)
class Seed:
    """The promised seed, and what each joiner mixed into it."""

    promised: bytes
    joiners: tuple[tuple[str, str, bytes], ...]

    def to_line(self) -> dict[str, Any]:
        """The line of seed.jsonl."""
        joiners = [{"seat": seat, "words": words, "nonce": nonce.hex()} for seat, words, nonce in self.joiners]
        return {"seed": self.promised.hex(), "joiners": joiners}


@dataclass(frozen=True)
class SeatPart:
    """What one seat was told of an entry, and the salt that proves it."""

    place: EntryId
    seat: str
    plain: Any
    salt: bytes


@dataclass(frozen=True)
class Archive:
    """A file, read."""

    manifest: Manifest
    publics: tuple[EntryPublic, ...]
    wholes: tuple[EntryPrivate, ...] = ()
    snapshots: tuple[Any, ...] = ()
    seed: Seed | None = None
    parts: tuple[SeatPart, ...] = ()
    press: Lines = ()
    sealed: Mapping[str, str] | None = None
    moving: Mapping[str, Any] | None = None
    audit: Lines = ()

    def snapshot(self, entry: int) -> Position[Any]:
        """The position after an entry, loaded."""
        found = load(to_canonical_json(self.snapshots[entry - 1]))
        if not isinstance(found, Position):
            raise NotAnArchive(f"Entry {entry} has no position.")
        return found

    def members(self) -> Members:
        """The members of its file."""
        game = {
            container.MANIFEST: (self.manifest.to_line(),),
            container.ENTRIES: tuple(map(public_line, self.publics)),
            container.PRESS: self.press,
            container.AUDIT: self.audit,
            container.PART: tuple(map(_part_line, self.parts)),
        }
        for name, line in ((container.SEALED, self.sealed), (container.MOVING, self.moving)):
            game[name] = (dict(line),) if line is not None else ()
        private = private_members(self)
        return {name: lines for name, lines in (game | private).items() if lines or name == container.ENTRIES}


def private_members(archive: Archive) -> dict[str, Lines]:
    """What only a finished game's file shows."""
    return {
        container.RECORDS: tuple(map(_whole_line, archive.wholes)),
        container.SNAPSHOTS: archive.snapshots,
        container.SEED: (archive.seed.to_line(),) if archive.seed is not None else (),
    }


# --- what a seat was told is mostly what happened


def pack(told: Mapping[str, Sequence[str]], events: Sequence[str]) -> dict[str, list[Any]]:
    """Events of each seat, each as its place among all those of the entry, or itself where the seat saw it otherwise.

    All are given as the codec's texts.
    """
    places = {text: place for place, text in enumerate(events)}
    return {
        seat: [places[text] if text in places else json.loads(text) for text in texts] for seat, texts in told.items()
    }


def _check_bounds(told: Sequence[Any], events: Sequence[Any]) -> None:
    """Raise NotAnArchive where more events are named by their places than there are: a few bytes can stand for many.

    Events that are the same have one place for all.
    """
    named = Counter(item for item in told if type(item) is int)
    often = [place for place, times in named.items() if times > 1]
    same = Counter(map(to_canonical_json, events)) if often else {}
    if any(named[place] > same[to_canonical_json(events[place])] for place in often):
        raise NotAnArchive("A seat is told more often of something than it happened.")


def unpack(part: Sequence[Any], events: Sequence[Any]) -> list[Any]:
    """Undo `pack`."""
    return [events[item] if type(item) is int else item for item in part]


# --- lines


def public_line(public: EntryPublic) -> Any:
    """A line of entries.jsonl."""
    link = {"digest": public.link.digest.hex(), "rest": public.link.rest.hex(), "seats": _to_hex(public.link.seats)}
    return {"n": public.place.entry, "public": public.plain, "link": link}


def _whole_line(whole: EntryPrivate) -> Any:
    salts = {"rest": whole.salts.rest.hex(), "seats": _to_hex(whole.salts.seats)}
    return {"n": whole.place.entry, "record": whole.plain, "parts": dict(whole.parts), "salts": salts}


def _part_line(part: SeatPart) -> Any:
    return {"n": part.place.entry, "seat": part.seat, "part": part.plain, "salt": part.salt.hex()}


def _to_hex(values: Mapping[str, bytes]) -> dict[str, str]:
    return {name: value.hex() for name, value in values.items()}


def _from_hex(values: Mapping[str, str]) -> dict[str, bytes]:
    return {name: bytes.fromhex(value) for name, value in values.items()}


# --- reading


def parse(blob: bytes) -> Archive:
    """What a file says, all of it; raises NotAnArchive where it is altered, cut short, or no archive at all."""
    try:
        with hard_limit(FILE_S):
            archive = archive_of(container.read_container(blob))
            same = container.build_container(archive.members()) == blob
    except (MemoryError, BudgetExceeded):
        raise NotAnArchive(TOO_MUCH) from None
    if not same:
        raise NotAnArchive("The file says things that no archive of a game says.")
    return archive


def archive_of(members: Members) -> Archive:
    """What the members say; raises NotAnArchive."""
    manifest = _mapping_of(container.MANIFEST, _parse_manifest, _single_line(members, container.MANIFEST))
    there = len(members.get(container.ENTRIES, ()))
    if there != manifest.entries:
        raise NotAnArchive(f"The manifest names {manifest.entries} entries; {there} are there.")
    places = [EntryId(manifest.game, number) for number in range(1, there + 1)]
    publics = _parse_each(members, container.ENTRIES, places, _parse_public)
    private = {container.RECORDS, container.SNAPSHOTS, container.SEED}
    if private & set(members) != (private if manifest.holds == WHOLE else set()):
        raise NotAnArchive(f"The manifest says that the file holds {manifest.holds}; its members say otherwise.")
    seed, sealed, moving = (members.get(name) for name in (container.SEED, container.SEALED, container.MOVING))
    return Archive(
        manifest,
        publics,
        _parse_each(members, container.RECORDS, places, _parse_private),
        _parse_each(members, container.SNAPSHOTS, places, lambda place, line: line),
        _mapping_of(container.SEED, _parse_seed, seed[0]) if seed else None,
        _parse_each(members, container.PART, places, _parse_part),
        tuple(_mapping_of(container.PRESS, _parse_press, line) for line in members.get(container.PRESS, ())),
        _mapping_of(container.SEALED, _parse_sealed, sealed[0]) if sealed else None,
        _mapping_of(container.MOVING, dict, moving[0]) if moving else None,
        tuple(_mapping_of(container.AUDIT, _parse_audit, line) for line in members.get(container.AUDIT, ())),
    )


def _single_line(members: Members, name: str) -> Any:
    lines = members.get(name, ())
    if len(lines) != 1:
        raise NotAnArchive(f"{name} has one line, not {len(lines)}.")
    return lines[0]


def _parse_each(
    members: Members, name: str, places: Sequence[EntryId], read: Callable[[EntryId, Any], T]
) -> tuple[T, ...]:
    """One line for each entry, or no such member at all."""
    lines = members.get(name)
    if lines is None:
        return ()
    if len(lines) != len(places):
        raise NotAnArchive(f"{name} has {len(lines)} lines for {len(places)} entries.")
    return tuple(_mapping_of(name, read, place, line) for place, line in zip(places, lines, strict=True))


def _mapping_of(name: str, read: Callable[..., T], *line: Any) -> T:
    """Read a line; one of another form is a sentence, not an error of ours."""
    try:
        return read(*line)
    except NotAnArchive:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a strange line does to its reader, it is no line of ours
        raise NotAnArchive(f"{name} holds a line of another form ({type(error).__name__}).") from None


def _parse_manifest(line: Any) -> Manifest:
    if line["format"] not in range(1, container.FORMAT + 1):
        raise NotAnArchive(f"This file has format {line['format']}; this program reads up to {container.FORMAT}.")
    seats = tuple((Seat(seat["seat"]), str(seat["name"])) for seat in line["seats"])
    made = Manifest(**{**line, "seats": seats})
    if to_canonical_json(made.to_line()) != to_canonical_json(line) or not _check_types(made):
        raise NotAnArchive("The manifest says something that no manifest says.")
    return made


def _check_types(made: Manifest) -> bool:
    """Return True if everything that a manifest says is of its own type."""
    about = (made.game, made.rules, made.rules_version, made.title, made.state, made.holds, made.seed_digest)
    words = (*about, *made.options, *made.options.values(), *made.order)
    moments = [moment for moment in (made.started_at, made.ended_at) if moment is not None]
    numbers = (made.entries, made.format, made.created_at, *moments)
    return all(type(word) is str for word in words) and all(type(number) is int for number in numbers)


def _check_numbers(place: EntryId, line: Any) -> None:
    if line["n"] != place.entry:
        raise NotAnArchive(f"Where entry {place.entry} should stand is another one.")


def _parse_public(place: EntryId, line: Any) -> EntryPublic:
    _check_numbers(place, line)
    link = line["link"]
    made = ChainLink(bytes.fromhex(link["digest"]), _from_hex(link["seats"]), bytes.fromhex(link["rest"]))
    return EntryPublic(place, line["public"], made)


def _parse_private(place: EntryId, line: Any) -> EntryPrivate:
    _check_numbers(place, line)
    salts = EntrySalts(_from_hex(line["salts"]["seats"]), bytes.fromhex(line["salts"]["rest"]))
    return EntryPrivate(place, line["record"], dict(line["parts"]), salts)


def _parse_part(place: EntryId, line: Any) -> SeatPart:
    _check_numbers(place, line)
    return SeatPart(place, str(line["seat"]), line["part"], bytes.fromhex(line["salt"]))


def _parse_press(line: Any) -> dict[str, Any]:
    """One thing that was said; `for`: who may read it, in a file for the server that takes the game over."""
    words = {name: str(line[name]) for name in ("kind", "seat", "name", "text")}
    lists = {name: list(map(str, line[name])) for name in ("to", "for") if name in line}
    made = {**words, **lists, "at": int(line["at"]), "entry": int(line["entry"])}
    if to_canonical_json(made) != to_canonical_json(line) or "to" not in made or made["kind"] not in SAID:
        raise NotAnArchive("Something was said that nobody says so.")
    return made


def _parse_audit(line: Any) -> dict[str, Any]:
    """One act of a master."""
    words = {name: str(line[name]) for name in ("name", "channel", "action", "line", "outcome", "reason")}
    made = {**words, "created_at": int(line["created_at"]), "entry": int(line["entry"])}
    if to_canonical_json(made) != to_canonical_json(line):
        raise NotAnArchive("A master did something that none does so.")
    return made


def _parse_seed(line: Any) -> Seed:
    joiners = tuple((str(j["seat"]), str(j["words"]), bytes.fromhex(j["nonce"])) for j in line["joiners"])
    return Seed(bytes.fromhex(line["seed"]), joiners)


def _parse_sealed(line: Any) -> Mapping[str, str]:
    return {name: bytes.fromhex(line[name]).hex() for name in ("to", "by", "ciphertext")}
