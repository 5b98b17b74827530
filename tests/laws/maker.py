"""A person in command of a server, who writes the file of a game anew: all is chained as if it had been so."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.events import Event
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import empty_state, fold
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.answers import Openings, update_openings
from pbem.archive.container import to_canonical_json
from pbem.archive.contents import Archive, EntryPrivate, EntryPublic, pack
from pbem.archive.entries import CountedAnswer, EntryRecord, PublicPart, draw_entropy_of
from pbem.archive.replay import adjudicate
from pbem.crypto.chain import GENESIS, EntryId, EntrySalts, hash_entry, mix_seed
from pbem.crypto.sealed_orders import OrdersContext, commit_to_orders
from pbem.service.game.journal import visible_events


class NotHere(Exception):
    """A game has nothing that this forgery could be of."""


def sealed(counted: CountedAnswer, **place: Any) -> CountedAnswer:
    """An answer sealed again, with a commitment that fits, which any server can make."""
    context = replace(OrdersContext.from_bytes(counted.context), **place)
    made = commit_to_orders(counted.salt, context, counted.content.encode())
    return replace(counted, context=context.to_bytes(), commitment=made)


@dataclass
class Maker:
    """The file while it is written: all its records and positions.

    `shown`, `told`: what everybody, or each seat, is told of an entry instead of what happened.
    """

    book: Archive
    rules: Rules[Any]
    chance: random.Random
    records: list[EntryRecord] = field(default_factory=list)
    positions: list[Position[Any]] = field(default_factory=list)
    shown: dict[int, Callable[[PublicPart], PublicPart]] = field(default_factory=dict)
    told: dict[int, dict[str, bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read what was played."""
        self.records = [whole.record() for whole in self.book.wholes]
        self.positions = [self.book.snapshot(number) for number in range(1, len(self.records) + 1)]
        self._honest = dict(enumerate(zip(self.records, self.positions, strict=True)))

    # --- what there is

    def entry(self, fits: Callable[[EntryRecord], object]) -> EntryRecord:
        """One of the entries that fit, by chance; raises NotHere."""
        found = [record for record in self.records[1:] if fits(record)]
        if not found:
            raise NotHere
        return self.chance.choice(found)

    def answer(self, *how: str) -> tuple[EntryRecord, CountedAnswer]:
        """One of the answers that came so, with its entry; raises NotHere."""
        record = self.entry(lambda record: record.replay_of is None and any(c.how in how for c in record.counted))
        return record, self.chance.choice([c for c in record.counted if c.how in how])

    def before(self, record: EntryRecord) -> Position[Any]:
        """The position that an entry begins with."""
        base = record.number - 1 if record.base is None else record.base
        if base:
            return self.positions[base - 1]
        seed, manifest = self.book.seed, self.book.manifest
        assert seed is not None
        return empty_state(self.rules, manifest.order, manifest.options, mix_seed(seed.promised, seed.joiners))

    # --- what is written in its place

    def put(self, record: EntryRecord) -> None:
        """Write a record in the place of the one of its number, and nothing else."""
        self.records[record.number - 1] = record

    def swap(self, record: EntryRecord, old: CountedAnswer, *new: CountedAnswer) -> EntryRecord:
        """Write other answers in the place of one."""
        at = record.counted.index(old)
        made = replace(record, counted=(*record.counted[:at], *new, *record.counted[at + 1 :]))
        self.put(made)
        return made

    def reseal(self, **place: Any) -> None:
        """Seal the orders of one seat again, for another place than they were for, and play on from there."""
        record, old = self.answer("orders")
        self.swap(record, old, sealed(old, **place))
        self.redo(record.number)

    def relucked(self, number: int) -> None:
        """Write the luck that an entry has now, and nothing else."""
        record = self.records[number - 1]
        self.put(replace(record, luck=draw_entropy_of(record.game, number, record.counted, record.drawn)))

    def redo(self, first: int, *, reseal: bool = False) -> None:
        """Play from an entry on again, as far as that goes, and cut the rest off.

        `reseal`: seal the orders for the entries that put their questions now.  Raises NotHere if the first cannot be.
        """
        self._play_on(first, reseal=reseal)
        if len(self.records) < first:
            raise NotHere

    def _play_on(self, first: int, *, reseal: bool = False) -> None:
        openings: Openings = {}
        for at, record in enumerate(self.records):
            if at + 1 >= first:
                counted = tuple(self._resealed(one, record, openings) if reseal else one for one in record.counted)
                luck = draw_entropy_of(record.game, at + 1, counted, record.drawn)
                record = replace(record, number=at + 1, counted=counted, luck=luck)
                kept = self.records[record.replay_of - 1].draws if record.replay_of else ()
                try:
                    made = adjudicate(self.rules, self.before(record), record, kept)
                except Exception:  # noqa: BLE001 - whatever stands in its way, the game ends there
                    del self.records[at:], self.positions[at:]
                    return
                self.records[at] = replace(record, events=made.events, draws=made.draws)
                self.positions[at] = made.position
            openings = update_openings(openings, self.records[at], self.positions[at])

    def _resealed(self, one: CountedAnswer, record: EntryRecord, openings: Openings) -> CountedAnswer:
        if one.how != "orders":
            return one
        return sealed(one, opening_entry=openings.get((one.question or record.gate, Seat(one.seat)), 0))

    def write_events(self, record: EntryRecord, events: Sequence[Event]) -> None:
        """Write other events, with the position that follows from them, and play on from there."""
        self.put(replace(record, events=tuple(events)))
        self.positions[record.number - 1] = fold(self.rules, self.before(record), tuple(events))
        self._play_on(record.number + 1)

    def insert(self, record: EntryRecord, events: Sequence[Event], **says: Any) -> None:
        """Put an entry of these events in after another one, and play on from there."""
        luck, number = draw_entropy_of(record.game, record.number + 1, ()), record.number + 1
        made = EntryRecord(
            record.game, number, "correction", record.created_at + 1, (), luck, tuple(events), (), mixing=record.mixing
        )
        made = replace(made, **says)
        self.records.insert(record.number, made)
        self.positions.insert(record.number, fold(self.rules, self.before(made), tuple(events)))
        later = [(at, one) for at, one in enumerate(self.records) if at > record.number]
        for at, one in later:
            self.records[at] = replace(one, created_at=max(one.created_at, self.records[at - 1].created_at + 1))
        self._play_on(number + 1, reseal=True)

    def manifest(self, **says: Any) -> None:
        """Let the manifest say something else."""
        self.book = replace(self.book, manifest=replace(self.book.manifest, **says))

    # --- the file

    def file(self) -> Archive:
        """The file, chained from the first entry to the last."""
        made = [self._entry(at) for at in range(len(self.records))]
        previous, publics = GENESIS, list[EntryPublic]()
        for public, whole in made:
            parts = {seat: whole.part(seat) for seat in whole.parts}
            link = hash_entry(public.place, previous, public.text, parts, whole.text, whole.salts)
            publics.append(replace(public, link=link))
            previous = link.digest
        manifest = self.book.manifest
        if len(self.records) != manifest.entries:
            state = "over" if self.positions[-1].core.over else "running"
            manifest = replace(manifest, entries=len(self.records), state=state)
        manifest = replace(manifest, ended_at=self.records[-1].created_at) if manifest.ended_at else manifest
        return replace(
            self.book,
            manifest=manifest,
            publics=tuple(publics),
            wholes=tuple(whole for _, whole in made),
            snapshots=tuple(self._snapshot(at) for at in range(len(self.records))),
        )

    def _is_honest(self, at: int) -> bool:
        before = self._honest.get(at)
        return before is not None and before[0] is self.records[at] and at + 1 not in {*self.shown, *self.told}

    def _snapshot(self, at: int) -> Any:
        honest = at in self._honest and self._honest[at][1] is self.positions[at]
        return self.book.snapshots[at] if honest else json.loads(dump(self.positions[at]))

    def _entry(self, at: int) -> tuple[EntryPublic, EntryPrivate]:
        if self._is_honest(at):
            return self.book.publics[at], self.book.wholes[at]
        record, place = self.records[at], EntryId(self.book.manifest.game, at + 1)
        missed = tuple(one.seat for one in record.counted if one.how == "default")
        head = record.game, record.number, record.gate, record.created_at
        public = PublicPart(*head, missed, redact(record.events, PUBLIC))
        if at + 1 in self.shown:
            public = self.shown[at + 1](public)
        told = visible_events(record.events, self.book.manifest.order) | self.told.get(at + 1, {})
        plain = json.loads(dump(record))
        texts = {seat: list(map(to_canonical_json, json.loads(part))) for seat, part in told.items()}
        parts = pack(texts, list(map(to_canonical_json, plain["events"])))
        link, there = self.book.publics[0].link, self.book.wholes[at : at + 1]
        salts = there[0].salts if there else EntrySalts.fresh(self.book.manifest.order)
        return (
            EntryPublic(place, json.loads(dump(public)), link),
            EntryPrivate(place, plain, parts, salts),
        )
