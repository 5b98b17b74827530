"""What a file proves by itself: no server, no key, no clock.

Always: the file is what its content makes; the chain; every commitment, of parts and of receipts; the seed; every die
and shuffle; the facts of each entry add up to its position.  And separately, under the rules of this program: each
entry told again from its own position.  Rules that do not go on with the version that made an entry tell what they
would tell otherwise, without any doubt on the rest.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import process_time
from typing import Any, Final

import engine
from engine.kernel.codec import dump, load
from engine.kernel.dice import Draw, Draws, HmacDraws, RecordedDraws
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import empty_state, fold
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from pbem.archive import answers, rounds, unproven
from pbem.archive.answers import Openings
from pbem.archive.container import NotAnArchive, to_canonical_json
from pbem.archive.contents import FILE_S, TOO_MUCH, WHOLE, Archive, EntryPrivate, parse
from pbem.archive.entries import BEACON, ORDERS, EntryRecord, PublicPart, draw_entropy_of
from pbem.archive.receipt_status import CLAIM, NO_RECEIPT, check_receipts, deal_problem, list_unacknowledged
from pbem.archive.replay import (
    ENTRY_S,
    START_GATE,
    TOO_LONG,
    draw_source,
    find_difference,
    is_playable,
    replay_entry,
)
from pbem.archive.rulings import ReplayStop, RulingCheck
from pbem.common.cpu_budget import BudgetExceeded, hard_limit
from pbem.crypto.chain import GENESIS, hash_seed, mix_seed, verify_link, verify_part
from pbem.crypto.encoding import CryptoError
from pbem.crypto.keys import VerifyKeys
from pbem.crypto.receipts import DealReceipt, Receipt, RoundReceipt

PROVEN: Final = 0
BROKEN: Final = 1
DIFFERS: Final = 3
"""How `pbem archive verify` ends; 3: the file holds, and this program's rules would tell some entries otherwise."""

WHOLE_DIGEST: Final = 64
"""Signs of a digest in hex: nobody can make another journal that has all of them."""

SHORTEST: Final = 8
"""Signs below which a digest is not even looked for."""

RECEIPTS: Final = "each order counted opens a commitment for its place; that none was passed over, --receipt shows"


AnyReceipt = Receipt | DealReceipt | RoundReceipt


@dataclass(frozen=True)
class Claim:
    """One claim: whether it holds, what was looked at, and a sentence for each thing that does not fit.

    `listed`: what no proof is possible of, such as each ruling of a master.
    """

    claim: str
    note: str
    faults: tuple[str, ...] = ()
    differences: bool = False
    listed: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Return True if nothing speaks against it; entries that another version tells otherwise do not."""
        return self.differences or not self.faults


@dataclass(frozen=True)
class VerificationReport:
    """All claims, in the order in which they were looked at."""

    claims: tuple[Claim, ...]

    @property
    def consistent(self) -> bool:
        """Return True if every claim holds."""
        return all(finding.holds for finding in self.claims)

    @property
    def code(self) -> int:
        """With what a command ends."""
        if not self.consistent:
            return BROKEN
        return DIFFERS if any(f.differences and f.faults for f in self.claims) else PROVEN

    def of(self, claim: str) -> Claim:
        """One claim; raises KeyError."""
        return {finding.claim: finding for finding in self.claims}[claim]


def verify(
    blob: bytes,
    root: str = "",
    installed: Mapping[str, Rules[Any]] | None = None,
    receipts: Sequence[AnyReceipt] = (),
    keys: VerifyKeys | None = None,
) -> VerificationReport:
    """Look at everything that a file claims.  `root`: the digest in hex that a letter of the server gave.

    `receipts`: what became of each is told as well.  `keys`: the server's, with which they are signed.
    """
    try:
        archive = parse(blob)
    except NotAnArchive as error:
        return VerificationReport((Claim("container", "not looked into", (str(error),)),))
    container = Claim("container", f"{len(blob)} bytes, built again from their content without a difference")
    told = _report(archive, receipts, keys)
    return VerificationReport((container, *verify_contents(archive, root, installed), *told))


def _report(archive: Archive, receipts: Sequence[AnyReceipt], keys: VerifyKeys | None) -> Sequence[Claim]:
    """What became of each receipt, or that the file cannot be looked at for it."""
    try:
        with hard_limit(FILE_S):
            return list(_report_contents(archive, receipts, keys))
    except Exception as error:  # noqa: BLE001 - whatever a strange file does to its reader, nothing of it is proven
        why = f"The file cannot be looked at to its end ({type(error).__name__})."
        return [Claim(CLAIM, "not looked up", (why,))]


def _report_contents(archive: Archive, receipts: Sequence[AnyReceipt], keys: VerifyKeys | None) -> Iterator[Claim]:
    """What became of each receipt, where the file shows the orders that were counted."""
    if not receipts:
        return
    if archive.manifest.holds != WHOLE:
        yield Claim(CLAIM, "not looked up", ("Only the file of a finished game shows which orders were counted.",))
        return
    check = _Check(archive)
    unsigned = "" if keys is not None else "; its signature is not looked at without the keys of the server"
    filed = [receipt for receipt in receipts if isinstance(receipt, Receipt)]
    for deal in (receipt for receipt in receipts if isinstance(receipt, DealReceipt)):
        fault = deal_problem(archive.seed, archive.manifest.game, deal, keys)
        said = (f"The receipt {deal.digest} {fault}.",) if fault else ()
        yield Claim(CLAIM, f"{deal.seat}, deal: {fault or f'mixed into the deal{unsigned}'}", said)
    announcements = [receipt for receipt in receipts if isinstance(receipt, RoundReceipt)]
    if announcements and (without := rounds.find_unannounced(check.loaded(), announcements)):
        said = (f"No letter that announced the round of entry {answers.format_numbers(without)} was given.",)
        yield Claim(CLAIM, "rounds", said)
    for announced in announcements:
        told = rounds.check_round(archive.manifest.game, check.loaded(), announced, keys)
        said = (f"The round {announced.round} {told.said}.",) if told.broken else ()
        yield Claim(CLAIM, f"round {announced.round}, {announced.gate}: {told.said}{unsigned}", said)
    for fate in check_receipts(archive.manifest.game, check.loaded(), filed, keys):
        context = fate.receipt.context
        about = f"{context.seat}, {context.kind} {context.gate}, revision {context.revision}"
        said = (f"The receipt {fate.receipt.commitment} {fate.said}.",) if fate.broken else ()
        yield Claim(CLAIM, f"{about}: {fate.said}{unsigned}", said)
    if unknown := tuple(list_unacknowledged(archive.manifest.game, check.loaded(), filed)):
        yield Claim(NO_RECEIPT, "only the seat knows whether it sent what is listed", listed=unknown)


def verify_contents(
    archive: Archive, root: str = "", installed: Mapping[str, Rules[Any]] | None = None
) -> tuple[Claim, ...]:
    """The claims of a file that was read."""
    check = _Check(archive)
    found = [check.run("chain", f"{archive.manifest.entries} entries, each linked to the one before", check.chain)]
    if archive.parts:
        found.append(check.run("part", f"what seat {archive.manifest.holds} was told", check.part))
    if archive.manifest.holds == WHOLE:
        found += _private_claims(check, (engine.GAMES if installed is None else installed).get(archive.manifest.rules))
    found.append(check.run(unproven.CLAIM, "what the server alone says", listed=lambda: unproven.describe(archive)))
    found.append(_check_origin(archive, root))
    return tuple(found)


def _private_claims(check: "_Check", rules: Rules[Any] | None) -> Iterator[Claim]:
    yield check.run("parts", "records, and what each seat was told, as committed to at the time", check.parts)
    yield check.run("receipts", RECEIPTS, check.receipts, lambda: answers.describe_uncounted(check.read()))
    if rounds.uses_beacon(check.archive.manifest, check.read()):
        yield check.run(
            rounds.CLAIM,
            rounds.build_note(check.read()),
            lambda: rounds.list_faults(check.loaded(), check.mixed_seed()),
        )
    digest = check.archive.manifest.seed_digest
    yield check.run("seed", f"mixed with the words of all joiners; the invitation promised {digest}", check.seed)
    yield check.run("draws", "every die and shuffle, drawn again from seed, luck and name", check.draws)
    yield check.rulings()
    if rules is None:
        name = check.archive.manifest.rules
        yield Claim("fold", "not looked at", (f"The rules of {name} are not installed.",))
        return
    yield check.run("fold", "the facts of each entry, added up, are the position after it", lambda: check.state(rules))
    yield check.answers(rules)
    yield check.rules(rules)


def _check_origin(archive: Archive, root: str) -> Claim:
    """Check that the chain is the one of which a letter gave a digest: of its last entry, or of an earlier one."""
    if not root:
        return Claim("origin", "unproven: the file is consistent with itself; give the digest of a letter by --root")
    wanted = "".join(root.split()).lower()
    first, _, last = wanted.replace("...", "…").partition("…")
    digests = [(p.place.entry, p.link.digest.hex()) for p in archive.publics]
    at = next((entry for entry, digest in digests if digest.startswith(first) and digest.endswith(last)), None)
    if at is None or len(first) < SHORTEST:
        return Claim("origin", "another journal", ("No entry of this file has the digest that was given.",))
    if len(first) < WHOLE_DIGEST:
        short = f"matches entry {at}, which is not proof: give all {WHOLE_DIGEST} signs"
        return Claim("origin", f"unproven: the part of a digest that was given {short}")
    later = archive.manifest.entries - at
    rest = f"; the {later} after it are consistent, and their origin unproven" if later else ""
    return Claim("origin", f"the digest given is that of entry {at}{rest}")


Lines = Callable[[], Iterable[str]]
"""Sentences, made as they are looked at."""
Finding = tuple[int, str]
"""The number of an entry, and what does not fit there."""


@dataclass
class _Check:
    """The claims over one file; each function gives a sentence for each thing that does not fit."""

    archive: Archive
    records: list[EntryRecord] = field(default_factory=list)
    end: float = field(default_factory=lambda: process_time() + FILE_S)

    def run(self, name: str, note: str, faults: Lines = tuple, listed: Lines = tuple) -> Claim:
        """Look at one claim; a file that makes the look itself fail, or take too much, does not hold."""
        found, said = list[str](), list[str]()
        try:
            with hard_limit(self.end - process_time()):
                found.extend(faults())
                said.extend(listed())
        except (MemoryError, BudgetExceeded):
            found.append(TOO_MUCH)
        except Exception as error:  # noqa: BLE001 - whatever a strange file does to its reader, the claim is not proven
            found.append(f"It cannot be looked at to its end ({type(error).__name__}: {str(error)[:200]}).")
        return Claim(name, note, tuple(found), listed=tuple(said))

    @property
    def game(self) -> str:
        """The game's number, which everything is bound to."""
        return self.archive.manifest.game

    def loaded(self) -> list[EntryRecord]:
        """The records, loaded once."""
        if len(self.archive.wholes) != self.archive.manifest.entries:
            raise NotAnArchive("some entries have no record")
        if not self.records:
            self.records = [whole.record() for whole in self.archive.wholes]
        return self.records

    def read(self) -> Sequence[EntryRecord]:
        """The records, or none where they cannot be loaded: other claims say so."""
        try:
            return self.loaded()
        except Exception:  # noqa: BLE001 - whatever a strange file does to its reader
            return ()

    # --- what stands in the clear

    def chain(self) -> Iterator[str]:
        """Every public part against its link, every link against the one before; each says which entry it is."""
        previous, seats, made_at = GENESIS, set(self.archive.manifest.order), self.archive.manifest.created_at - 1
        for public in self.archive.publics:
            yield from _run_claim(verify_link, public.place, previous, public.text, public.link)
            said = load(public.text)
            number = public.place.entry
            if not isinstance(said, PublicPart):
                raise NotAnArchive(f"entry {number} has no public part")
            if (said.game, said.number) != (self.game, number):
                yield f"Entry {number} says that it is another one."
            if set(public.link.seats) != seats:
                yield f"Entry {number} is not of the seats that the manifest names."
            if said.created_at <= made_at:
                yield f"Entry {number} was not made after what came before it."
            previous, made_at = public.link.digest, said.created_at
        ended_at = self.archive.manifest.ended_at
        if ended_at is not None and ended_at < made_at:
            yield "The game ended before its last entry."

    def part(self) -> Iterator[str]:
        """What one seat was told, against its commitments."""
        for public, part in zip(self.archive.publics, self.archive.parts, strict=True):
            if part.seat != self.archive.manifest.holds:
                yield f"Entry {part.place.entry} has the part of another seat."
            text = to_canonical_json(part.plain).encode()
            yield from _run_claim(verify_part, part.place, part.seat, text, part.salt, public.link)

    # --- what is opened at the end

    def parts(self) -> Iterator[str]:
        """Records and seats' parts against their commitments."""
        if len(self.archive.wholes) != len(self.archive.publics):
            yield "Some entries have no record."
        for public, whole in zip(self.archive.publics, self.archive.wholes, strict=True):
            if not set(whole.parts) == set(whole.salts.seats) == set(public.link.seats):
                yield f"Entry {public.place.entry} has not one part and one salt for each seat."
                continue
            for seat, salt in whole.salts.seats.items():
                yield from _run_claim(verify_part, public.place, seat, whole.part(seat), salt, public.link)
            yield from _run_claim(verify_part, public.place, None, whole.text, whole.salts.rest, public.link)

    def receipts(self) -> Iterator[str]:
        """Every answer counted against the commitment of its receipt, and the luck that is made of all of them."""
        for number, record in enumerate(self.loaded(), 1):
            yield from answers.list_commitment_faults(self.game, record)
            if record.mixing != self.loaded()[0].mixing or record.mixing not in (ORDERS, BEACON):
                yield f"Entry {number} mixes its luck in another way than the game began with."
            if record.luck != draw_entropy_of(self.game, number, record.counted, record.drawn):
                yield f"Entry {number} was not drawn with the luck of its answers."

    def seed(self) -> Iterator[str]:
        """The promised seed is the one of the invitation; with all joiners' words it is the seed of the deal."""
        seed, manifest = self.archive.seed, self.archive.manifest
        if seed is None:
            yield "The seed is not there."
            return
        if hash_seed(seed.promised) != manifest.seed_digest:
            yield "The seed is not the one whose digest stands in the invitation."
        if tuple(seat for seat, _, _ in seed.joiners) != manifest.order:
            yield "The joiners are not the seats of the table."
        if self.archive.snapshot(1).core.seed.held != self.mixed_seed():
            yield "The deal was not made with that seed and those words."

    def mixed_seed(self) -> bytes:
        """The seed of the deal; LookupError where there is none."""
        seed = self.archive.seed
        if seed is None:
            raise LookupError("there is no seed")
        return mix_seed(seed.promised, seed.joiners)

    def draws(self) -> Iterator[str]:
        """Every draw again: die or shuffle."""
        seed = self.mixed_seed()
        for number, record in enumerate(self.loaded(), 1):
            own, kept = HmacDraws(seed, record.luck), self.saved_draws(record)
            source = own if record.replay_of is None else RecordedDraws(kept, own, record.rerolled)
            names = [draw.name for draw in record.draws]
            if len(set(names)) != len(names):
                yield f"Entry {number} uses the name of a draw twice."
            for draw in record.draws:
                if _draw_of(source, draw) != draw.result:
                    yield f"Entry {number}: {draw.name} is not what seed and luck give."

    def saved_draws(self, record: EntryRecord) -> tuple[Draw, ...]:
        """The draws of the entry that this one tells again."""
        number = record.replay_of
        if number is None:
            return ()
        if not 0 < number < record.number or self.loaded()[number - 1].gate != record.gate:
            raise NotAnArchive(f"Entry {record.number} tells one again that is not before it.")
        return self.loaded()[number - 1].draws

    # --- what only the rules can say

    def before(self, rules: Rules[Any], record: EntryRecord) -> Position[Any]:
        """The position that an entry began with."""
        base = record.number - 1 if record.base is None else record.base
        if not 0 <= base < record.number:
            raise NotAnArchive(f"Entry {record.number} goes on from one that is not before it.")
        if base:
            return self.archive.snapshot(base)
        manifest = self.archive.manifest
        return empty_state(rules, manifest.order, manifest.options, self.mixed_seed())

    def state(self, rules: Rules[Any]) -> Iterator[str]:
        """The facts of each entry over the position before it are the position after it."""
        for number, record in enumerate(self.loaded(), 1):
            place = dump((record.game, record.number, record.gate == START_GATE))
            if place != dump((self.game, number, number == 1)):
                yield f"Entry {number} has the record of another one."
            with hard_limit(ENTRY_S):
                added = fold(rules, self.before(rules, record), record.events)
            if dump(added) != dump(self.archive.snapshot(number)):
                yield f"Entry {number}: its facts do not add up to its position."
        over = self.archive.snapshot(self.archive.manifest.entries).core.over
        if over != (self.archive.manifest.state == "over"):
            yield f"The manifest says that the game is {self.archive.manifest.state}, and its last position does not."

    # --- who made what

    def rulings(self) -> Claim:
        """What no answers made is a ruling, which is listed; nothing goes back, or is replayed, without one."""
        note = "each entry is the deal, or answers, or a ruling of those listed"
        return self.run("rulings", note, self._acts().list_faults, self._acts().describe)

    def _acts(self) -> RulingCheck:
        return RulingCheck(self.read(), self.archive.manifest.order)

    def answers(self, rules: Rules[Any]) -> Claim:
        """Each answer is of a seat that was asked, and a silent seat has that of the rules, or of the bot."""
        note = "of the seats that were asked; that those listed filed none, the server alone says"
        silence = partial(answers.describe_silence, self.read())
        return self._versioned(rules, "answers", note, lambda: self._find_answers(rules), silence)

    def _find_answers(self, rules: Rules[Any]) -> Iterator[Finding]:
        openings: Openings = {}
        for number, record in enumerate(self.loaded(), 1):
            if record.counted and (problem := self._find_answer_problem(rules, openings, record)):
                yield number, f"Entry {number} ({record.gate}): {problem}."
                if problem == TOO_LONG:
                    return
            openings = answers.update_openings(openings, record, self.archive.snapshot(number))

    def _find_answer_problem(self, rules: Rules[Any], openings: Openings, record: EntryRecord) -> str:
        try:
            with hard_limit(ENTRY_S):
                return answers.find_answer_problem(rules, self.before(rules, record), openings, record)
        except BudgetExceeded:
            return TOO_LONG
        except Exception as error:  # noqa: BLE001 - rules that stumble over an old entry ask otherwise, whatever by
            return f"it ends in {type(error).__name__}"

    def rules(self, rules: Rules[Any]) -> Claim:
        """Each entry adjudicated again, and told again to everybody, under the rules of this program."""
        mine, played = rules.meta.version, sorted({str(record.version) for record in self.read()})
        note = f"each entry adjudicated again under version {mine} of the rules"
        note = note if played == [mine] else f"{note}; it was played under version {', '.join(played)}"
        return self._versioned(rules, "adjudication", note, lambda: self._difference(rules))

    def _versioned(
        self, rules: Rules[Any], name: str, note: str, find: Callable[[], Iterator[Finding]], listed: Lines = tuple
    ) -> Claim:
        """Look at a claim by the rules; in entries of versions that they do not go on with they find differences."""
        versions = set[str]()

        def sentences() -> Iterator[str]:
            for number, sentence in find():
                versions.add(str(self.loaded()[number - 1].version))
                yield sentence

        found = self.run(name, note, sentences, listed)
        return replace(found, differences=bool(versions) and versions.isdisjoint(rules.meta.accepted_versions))

    def _difference(self, rules: Rules[Any]) -> Iterator[Finding]:
        for number, record in enumerate(self.loaded(), 1):
            after = self.archive.snapshot(number)
            found = find_difference(rules, self.before(rules, record), record, after, self.saved_draws(record))
            found = found or self._find_false_statement(record, self.archive.wholes[number - 1])
            if found:
                yield number, f"Entry {number} ({record.gate}): {found}."
            if found == TOO_LONG:
                yield number, "The entries after it are not told again."
                return
        for stop in self._acts().list_stops():
            if self._is_cut_short(rules, stop):
                said = f"Entry {stop.entry}: the replay ends, though entry {stop.record.number} could be replayed."
                yield stop.entry, said

    def _is_cut_short(self, rules: Rules[Any], stop: ReplayStop) -> bool:
        """Return True unless the next entry could not be replayed where a replay ended."""
        position, number = self.archive.snapshot(stop.entry), stop.entry + 1
        chance = draw_entropy_of(self.game, number, stop.record.counted, stop.record.drawn)
        again = stop.record.number if stop.record.counted else None
        record = replace(stop.record, number=number, luck=chance, replay_of=again, rerolled=())
        source = draw_source(position, record, stop.record.draws)
        try:
            with hard_limit(ENTRY_S):
                result = replay_entry(rules, position, record, chance, source)
        except Exception:  # noqa: BLE001 - an entry that the rules stumble over ends no replay, but the ruling
            return True
        return result is not None and not position.core.over and is_playable(rules, result)

    def _find_false_statement(self, record: EntryRecord, whole: EntryPrivate) -> str:
        """Return what was told otherwise, to everybody or to a seat, than it happened; empty if nothing was."""
        missed = tuple(c.seat for c in record.counted if c.how == "default")
        head = record.game, record.number, record.gate, record.created_at
        shown = PublicPart(*head, missed, redact(record.events, PUBLIC))
        if dump(load(self.archive.publics[record.number - 1].text)) != dump(shown):
            return "everybody is told something else"
        told = {seat: dump(load(whole.part(seat))) for seat in whole.parts}
        other = next((seat for seat, part in told.items() if part != dump(redact(record.events, seat))), None)
        return f"seat {other} is told something else" if other is not None else ""


def _run_claim(check: Callable[..., None], *about: Any) -> Iterator[str]:
    """The sentence of a check that fails."""
    try:
        check(*about)
    except CryptoError as error:
        yield str(error)


def _draw_of(source: Draws, draw: Draw) -> int | tuple[int, ...]:
    """A draw made again; a shuffle is told from a die by its result."""
    if isinstance(draw.result, int):
        return source.roll(draw.name, draw.sides)
    if len(draw.result) != draw.sides:
        raise NotAnArchive(f"{draw.name} is no shuffle of {draw.sides} things.")
    return source.shuffle(draw.name, range(draw.sides))
