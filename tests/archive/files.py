"""Files to look at: finished games from a whole server, and files forged by a person in command of the server."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.secrets import truth
from engine.kernel.viewers import Seat
from pbem.archive import container
from pbem.archive.contents import Archive, EntryPrivate, EntryPublic
from pbem.archive.entries import EntryRecord
from pbem.archive.verify import Claim, VerificationReport, verify
from pbem.crypto.chain import GENESIS, hash_entry
from pbem.service.archive import files
from tests import made_once
from tests.service.master_commands import eliminate_seat
from tests.service.server_fixtures import GAME_TYPES, DeterministicBytes, ServerHarness, build, start_game
from tests.toy.board import SHIELDS


def played(harness: ServerHarness) -> str:
    """A game to its end with sets sent ahead, reactions, words for luck, defaults and a resignation."""
    game = start_game(harness, "toy", 3, 24)
    for number, seat in enumerate(("s1", "s2", "s3"), 1):
        harness.reply(
            seat, f"BID {number}", *shield(harness, game, seat), "LUCK my cat", "FOR MARCH", "ATTACK Mill WITH 1"
        )
    harness.reply("s2", "WITHDRAW MARCH")
    harness.reply("s2", "ATTACK Mill WITH 2")
    eliminate_seat(harness, game, "s3")
    for _ in range(14):
        harness.advance_time(hours=25)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
    assert harness.load_game(game).state == "over"
    return game


def steady(harness: ServerHarness, words: str = "steady") -> ServerHarness:
    """The same server with the chance of these words, so that the same game is played each time by whichever test."""
    harness.configure(random_bytes=DeterministicBytes(words))
    return harness


def shield(harness: ServerHarness, game: str, seat: str) -> list[str]:
    """A reaction that parries with a shield of the seat's own hand, if it has one."""
    with truth():
        held = [card.value for card in harness.load_state(game).board.hands[Seat(seat)]]
    return [f"ON PARRY: PARRY {SHIELDS[card].printed('en')}" for card in held if card in SHIELDS][:1]


@cache
def finished() -> tuple[bytes, str]:
    """The file of such a game, and the digest that its last letter gave; made once in a run."""
    return made_once.load_or_make("finished", _finish)


def _finish() -> tuple[bytes, str]:
    with TemporaryDirectory(prefix="pbem-fi-") as folder:
        harness = steady(build(Path(folder)))
        game = played(harness)
        blob = files.export_game(harness.resolver, game)
        harness.resolver.db.close()
        return blob, harness.sent_facts("game_over")[0].root_digest


def verify_file(blob: bytes, root: str = "") -> VerificationReport:
    """What a file of the smallest game proves."""
    return verify(blob, root, GAME_TYPES)


def broken(verdict: VerificationReport) -> set[str]:
    """The claims that do not hold."""
    return {finding.claim for finding in verdict.claims if not finding.holds}


def file_of(book: Archive) -> bytes:
    """The bytes of its file."""
    return container.build_container(book.members())


def forged(book: Archive, number: int, change: Callable[[EntryRecord], EntryRecord]) -> Archive:
    """The file of a server that tells one entry otherwise: every digest anew, all commitments of parts right."""
    wholes = list(book.wholes)
    whole = wholes[number - 1]
    parts = {seat: json.loads(whole.part(seat)) for seat in whole.parts}
    wholes[number - 1] = replace(whole, plain=json.loads(dump(change(whole.record()))), parts=parts)
    return relinked(replace(book, wholes=tuple(wholes)))


def relinked(book: Archive) -> Archive:
    """All links anew over what the file now says."""
    previous, publics = GENESIS, list[EntryPublic]()
    for public, whole in zip(book.publics, book.wholes, strict=True):
        link = hash_entry(public.place, previous, public.text, _parts(whole), whole.text, whole.salts)
        publics.append(replace(public, link=link))
        previous = link.digest
    return replace(book, publics=tuple(publics))


def _parts(whole: EntryPrivate) -> dict[str, bytes]:
    return {seat: whole.part(seat) for seat in whole.parts}


def faults(verdict: VerificationReport, claim: str) -> Any:
    """What speaks against a claim."""
    found: Claim = verdict.of(claim)
    return found.faults
