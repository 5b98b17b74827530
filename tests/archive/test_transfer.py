"""Files on another server: a finished game to look at, a running one to be played on there."""

import json
import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.viewers import Seat
from pbem.archive import container
from pbem.archive.contents import PUBLIC_ONLY, Archive, parse
from pbem.common.addresses import is_bot
from pbem.service.archive import files, transfer
from pbem.service.archive.files import ArchiveError
from pbem.service.game import seat_views
from pbem.service.mail import assembly
from pbem.service.resolver import turn_statistics
from pbem.service.seats import bots, tables
from pbem.store.models import Game, OutboundEmail, QuestionRow, SealedOrdersRow, TurnStatistics, User
from tests.archive.bots import play_on
from tests.archive.files import broken, finished, played, steady, verify_file
from tests.service.master_commands import get_user_id, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, forget_saved_states, restore_or_make, start_game
from tests.web.form_browser import Browser, site


@pytest.fixture
def blob() -> bytes:
    """A finished game's file."""
    return finished()[0]


def underway(folder: Path) -> tuple[ServerHarness, str]:
    """A server with a game in its second turn, in which one seat has answered already."""
    harness = build(folder)

    def make() -> str:
        game = start_game(harness, "toy", 3, 24)
        while harness.load_game(game).entry < 3 or "bid" not in {
            d.topic for d in harness.load_state(game).core.questions
        }:
            play_on(harness, game, harness.load_game(game).entry + 1)
        harness.run_queued_tasks()
        harness.run_task("send_outbound_emails", "")
        harness.reply("s1", "BID 1", "LUCK perhaps", "FOR MARCH", "PASS")
        return game

    return harness, restore_or_make(harness, "underway", make)


# --- to look at


def test_an_imported_game_is_the_same_file_again_and_disturbs_nobody(blob: bytes, state_dir: Path) -> None:
    """Opened and written to a file there it is the same file, byte for byte; it is opened once.

    An archived game asks nobody, writes to nobody and runs no clock; its players are names alone.
    """
    harness = build(state_dir)
    found = transfer.import_game(harness.resolver, blob, "reader@games.test")
    assert (found.state, harness.load_game(found.game).state) == ("archived", "archived")
    assert files.export_game(harness.resolver, found.game) == blob
    with pytest.raises(ArchiveError, match="is on this server already"):
        transfer.import_game(harness.resolver, blob)
    assert len(harness.load_rows(Game)) == 1
    harness.run_queued_tasks()
    harness.requeue_stuck_work()
    assert (harness.sent, harness.load_rows(QuestionRow)) == ([], [])
    players = [user for user in harness.load_rows(User) if user.email.endswith("@archive.invalid")]
    assert [user.name for user in players] == [name for _, name in parse(blob).manifest.seats]
    assert all(user.muted_at for user in players)


def test_each_seats_view_of_then_can_be_read(blob: bytes, state_dir: Path) -> None:
    """Every entry is there as every seat and the public saw it, and the web server can read it."""
    harness = build(state_dir)
    found, book = transfer.import_game(harness.resolver, blob), parse(blob)
    with harness.web.db.snapshot() as session:
        for viewer in (*book.manifest.order, "public"):
            for number in range(1, book.manifest.entries + 1):
                seen = seat_views.load_view(harness.web, session, found.game, viewer, number)
                assert seen is not None
                assert seen.core.seats == book.manifest.order
            told = seat_views.load_events(harness.web, session, found.game, viewer, 0, book.manifest.entries)
            assert type(told[-1]).__name__ == "Ended"


def figures(harness: ServerHarness) -> dict[int, Any]:
    """The public figures of a game by turn, opened."""
    rows = {row.turn: row for row in harness.load_rows(TurnStatistics)}
    return {turn: turn_statistics._unseal(harness.web, row) for turn, row in sorted(rows.items())}


def test_the_figures_of_an_imported_game_are_those_of_its_journal(state_dir: Path) -> None:
    """Charts show the same course there as here, turn by turn, though the file holds none of it."""
    harness, there = steady(build(state_dir)), build(state_dir / "other")
    game = played(harness)
    transfer.import_game(there.resolver, files.export_game(harness.resolver, game), "p1@games.test")
    assert figures(there) == figures(harness)
    assert len(figures(there)) > 1
    course = turn_statistics.load_series(there.web, game)
    assert course is not None
    assert list(course.turns) == list(figures(harness))
    reader = Browser(site(there)).sign_in(there, get_user_id(there, "p1@games.test"))
    assert f"/games/{game}/charts" in reader.get(f"/records/{game}").text
    charts = reader.get(f"/games/{game}/charts")
    assert charts.status_code == 200
    assert f'<a href="/records/{game}">' in charts.text
    assert reader.get(f"/games/{game}/chart.svg").mimetype == "image/svg+xml"


def test_what_does_not_verify_is_not_opened(blob: bytes, state_dir: Path) -> None:
    """An altered file is refused, whether its container was altered or its content, and leaves no row behind.

    Lines that say who sits where make nobody a player unless they came under our seal.
    """
    harness, members = build(state_dir), container.read_container(blob)
    (seed,) = members["seed.jsonl"]
    altered = container.build_container({**members, "seed.jsonl": ({**seed, "seed": "00" * 32},)})
    for file in (altered, blob[:-1], b""):
        with pytest.raises(ArchiveError):
            transfer.import_game(harness.resolver, file)
    assert harness.load_rows(Game) == []
    line = json.loads('{"host":"eve@x.test","hours":null,"sitting":[],"filed":[]}')
    assert (
        transfer.import_game(harness.resolver, container.build_container({**members, "moving.jsonl": (line,)})).state
        == "archived"
    )


FOREVER = 253_402_300_800_000
"""The first moment that no calendar of ours has."""
WORDS: Sequence[str] = ("Ada\nBcc: eve@x.test", "\u202eada", "\x1b[2J", "x" * 5_000)
STRANGE: Sequence[tuple[str, Any]] = (
    *(("title", title) for title in ("", *WORDS)),
    ("seats", ((Seat("s1"), WORDS[1]), (Seat("s2"), ""), (Seat("s3"), ""))),
    *((field, FOREVER) for field in ("created_at", "started_at", "ended_at")),
    ("created_at", -1),
    ("options", {"talk": "<b>"}),
)


SAID: Mapping[str, Any] = {"at": 1, "entry": 1, "kind": "public", "name": "", "seat": "s1", "text": "Hm", "to": []}
DONE: Mapping[str, Any] = {
    "action": "hold",
    "channel": "web",
    "created_at": 1,
    "entry": 1,
    "line": "HOLD s2",
    "name": "p1",
    "outcome": "done",
    "reason": "",
}
SPOKEN: Sequence[Mapping[str, Any]] = (
    {"name": WORDS[1]},
    *({"text": text} for text in ("", "a\x1b[2Jb", "x" * 5_000)),
    {"at": FOREVER},
    {"entry": 10**6},
)
ACTED: Sequence[Mapping[str, Any]] = ({"line": "x" * 401}, {"reason": "a\nb"}, {"created_at": FOREVER}, {"entry": -1})


def test_a_file_that_says_what_no_server_writes_is_not_opened(blob: bytes, state_dir: Path) -> None:
    """Beside what the chain binds, everything fits pages and letters: one file shuts the list of games to nobody."""
    harness, book = build(state_dir), parse(blob)
    others = [replace(book, manifest=replace(book.manifest, **{field: value})) for field, value in STRANGE]
    others += [replace(book, press=({**SAID, **said},)) for said in SPOKEN]
    others += [replace(book, audit=({**DONE, **done},)) for done in ACTED]
    for other in others:
        with pytest.raises(ArchiveError, match=r"no server writes|does not verify"):
            transfer.import_game(harness.resolver, container.build_container(other.members()))
    assert harness.load_rows(Game) == []
    plain = replace(book, press=(SAID,), audit=(DONE,))
    assert transfer.import_game(harness.resolver, container.build_container(plain.members())).state == "archived"


def test_a_game_whose_number_leads_elsewhere_is_not_opened(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of another form than ours would stand in addresses of pages that are no game's."""
    monkeypatch.setattr(tables, "ALPHABET", "./")
    forget_saved_states(monkeypatch)
    first, second = build(state_dir), build(state_dir / "other")
    game = start_game(first, "toy", 2, turns="1")
    play_on(first, game)
    with pytest.raises(ArchiveError, match="a number of a game that no server writes"):
        transfer.import_game(second.resolver, files.export_game(first.resolver, game))


# --- what everybody may have of a running game


def test_a_running_game_shows_what_everybody_may_have(state_dir: Path) -> None:
    """The public part of a running game verifies by itself, and holds no record, no position and no seed.

    There is nothing to look at in it elsewhere; before the deal there is no file.
    """
    harness, game = underway(state_dir)
    with harness.web.db.snapshot() as session:
        digest = assembly.digest_of_entry(session, game, harness.load_game(game).entry)
    file = files.export_game(harness.resolver, game)
    verdict = verify_file(file, digest)
    assert [f.claim for f in verdict.claims] == ["container", "chain", "unproven", "origin"]
    assert verdict.code == 0
    assert set(container.read_container(file)) == {"manifest.jsonl", "entries.jsonl"}
    assert parse(file).manifest.holds == PUBLIC_ONLY
    with pytest.raises(ArchiveError, match="looked at once"):
        transfer.import_game(build(state_dir / "other").resolver, file)
    forming = start_game(harness, "toy", 3, stop=True)
    for asked, said in ((forming, "has not begun"), ("nonesuch", "no game nonesuch")):
        with pytest.raises(ArchiveError, match=said):
            files.export_game(harness.resolver, asked)


def test_a_seats_own_part_verifies(state_dir: Path) -> None:
    """The owner of a seat can have what it was told, and prove it by the chain, but not another seat's part."""
    harness, game = underway(state_dir)
    file = files.export_game(harness.resolver, game, "s2")
    verdict = verify_file(file)
    assert [f.claim for f in verdict.claims] == ["container", "chain", "part", "unproven", "origin"]
    assert verdict.code == 0
    members = container.read_container(file)
    changes: tuple[dict[str, object], ...] = ({"seat": "s1"}, {"part": []}, {"salt": "00" * 32})
    for change in changes:
        lines = tuple({**line, **change} for line in members["part.jsonl"])
        assert broken(verify_file(container.build_container({**members, "part.jsonl": lines}))) == {"part"}
    with pytest.raises(ArchiveError, match="has no seat s9"):
        files.export_game(harness.resolver, game, "s9")


# --- to be played on


def handed(state_dir: Path) -> tuple[ServerHarness, ServerHarness, str, bytes]:
    """Two servers, and the file by which the first hands its game over to the second."""
    first, game = underway(state_dir)
    second = steady(build(state_dir / "other"))
    second.current_time = first.current_time
    return first, second, game, transfer.export(first.resolver, game, transfer.load_own_key(second.resolver))


@pytest.mark.both_databases
def test_a_game_handed_over_is_played_to_its_end(state_dir: Path) -> None:
    """The other server asks each seat anew, once, plays on under keys of its own, and the whole game verifies there."""
    first, second, game, file = handed(state_dir)
    found = transfer.import_game(second.resolver, file)
    assert found.by == first.resolver.resolver_keys.signing.public_bytes().hex()
    assert (found.state, second.load_game(game).state, first.load_game(game).state) == (
        "running",
        "running",
        "transferred",
    )
    assert second.load_game(game).keys != first.load_game(game).keys
    second.run_queued_tasks()
    assert sorted(address.to_address for address, _ in second.sent) == [f"p{n}@games.test" for n in (1, 2, 3)]
    assert len(second.load_rows(OutboundEmail)) == 3
    assert second.reply("s1", "BID 1").sets[0].taken
    play_on(second, game)
    whole = files.export_game(second.resolver, game)
    assert verify_file(whole).code == 0
    before = parse(file)
    assert parse(whole).publics[: before.manifest.entries] == before.publics


@pytest.mark.both_databases
def test_what_waited_is_destroyed_where_it_was_and_a_lost_file_is_no_lost_game(state_dir: Path) -> None:
    """The server that hands a game over keeps no sealed orders of it, asks nobody any more, and takes no orders for it.

    If it was never taken up it can be reopened: all are asked anew, and it goes on.
    """
    first, _, game, _ = handed(state_dir)
    assert (first.load_rows(SealedOrdersRow), first.load_rows(QuestionRow)) == ([], [])
    first.sent.clear()
    entry = first.load_game(game).entry
    first.advance_time(hours=100)
    first.requeue_stuck_work()
    assert first.load_game(game).entry == entry
    with pytest.raises(ArchiveError, match="not running here"):
        transfer.export(first.resolver, game, transfer.load_own_key(first.resolver))
    transfer.cancel(first.resolver, game)
    first.run_queued_tasks()
    assert {address.seat for address, _ in first.sent} == {"s1", "s2", "s3"}
    play_on(first, game)
    assert verify_file(files.export_game(first.resolver, game)).code == 0
    with pytest.raises(ArchiveError, match="not handed over"):
        transfer.cancel(first.resolver, game)


def test_the_file_shows_strangers_nothing(state_dir: Path) -> None:
    """A server that the file is not meant for sees what everybody may have, and that part verifies.

    A private part that was altered, or moved to another game's file, is not taken up.
    """
    _, second, _, file = handed(state_dir)
    verdict = verify_file(file)
    assert verdict.code == 0
    assert [f.claim for f in verdict.claims] == ["container", "chain", "unproven", "origin"]
    third = build(state_dir / "third")
    with pytest.raises(ArchiveError, match="not sealed to this server"):
        transfer.import_game(third.resolver, file)
    with pytest.raises(ArchiveError, match="another server than the one that was named"):
        transfer.import_game(second.resolver, file, by="00" * 32)
    book, dice = parse(file), random.Random(3)
    assert book.sealed is not None
    ciphertext = book.sealed["ciphertext"]
    for _ in range(20):
        place = dice.randrange(len(ciphertext))
        other = replace(book, sealed={**book.sealed, "ciphertext": ciphertext[:place] + "0" + ciphertext[place + 1 :]})
        if other == book:
            continue
        with pytest.raises(ArchiveError):
            transfer.import_game(second.resolver, container.build_container(other.members()))
    shorter = replace(book, manifest=replace(book.manifest, entries=2), publics=book.publics[:2])
    with pytest.raises(ArchiveError, match="not sealed to this server, or was altered"):
        transfer.import_game(second.resolver, container.build_container(shorter.members()))
    assert second.load_rows(Game) == []


MOVED: Sequence[tuple[str, Any]] = (
    ("host", "p1"),
    ("hours", 10**9),
    ("schedule", {"usual": {"hours": 24, "days": ""}}),
    ("filed", [["bid/1", "s9", "orders", 1]]),
    ("address", "x@guests.invalid"),
    ("name", WORDS[0]),
    ("language", "xx"),
    ("zone", "Mars/Olympus"),
    ("missed", -1),
    ("seat", "s9"),
)


def resealed(first: ServerHarness, second: ServerHarness, book: Archive, field: str, value: Any) -> bytes:
    """The file of a game handed over as the first server would have sealed it had it said something else."""
    assert book.sealed is not None
    inside = transfer._unseal(second.resolver, book, book.sealed, "")
    moving = deepcopy(dict(inside.moving or {}))
    (moving if field in moving else moving["sitting"][1])[field] = value
    plain = container.build_container(replace(inside, sealed=None, moving=moving).members())
    place = transfer._describe_place(book)
    ciphertext = second.resolver.resolver_keys.opening.public().seal(
        first.resolver.resolver_keys.signing, transfer._WHAT, place, plain
    )
    return container.build_container(replace(book, sealed={**book.sealed, "ciphertext": ciphertext.hex()}).members())


def test_a_game_handed_over_with_what_no_server_writes_is_not_taken_up(state_dir: Path) -> None:
    """A language or a zone that is not known here would stop letters to a person; the sentence says what it was."""
    first, second, _, file = handed(state_dir)
    book = parse(file)
    for field, value in MOVED:
        with pytest.raises(ArchiveError, match=r"no server writes|does not verify"):
            transfer.import_game(second.resolver, resealed(first, second, book, field, value))
    assert second.load_rows(Game) == []
    assert transfer.import_game(second.resolver, resealed(first, second, book, "zone", "UTC")).state == "running"


def test_a_bot_goes_along_and_goes_on(state_dir: Path) -> None:
    """A bot's seat is a bot's on the other server, under its name; it answers there, and here if it comes back."""
    first, game = underway(state_dir)
    send_confirmed(first, game, "BOT FOR p2")
    (name,) = (row.name for row in first.load_rows(User) if is_bot(row.email))
    second = steady(build(state_dir / "other"))
    second.current_time = first.current_time
    transfer.import_game(second.resolver, transfer.export(first.resolver, game, transfer.load_own_key(second.resolver)))
    assert [row.name for row in second.load_rows(User) if is_bot(row.email)] == [name]
    transfer.cancel(first.resolver, game)
    for harness in (first, second):
        harness.run_queued_tasks()
        harness.advance_time(hours=2)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
        owed = [row for row in harness.load_rows(QuestionRow) if row.seat == "s2" and row.is_blocking]
        assert [row.answered_at is not None for row in owed] == [True]


def test_a_practice_table_stays(state_dir: Path) -> None:
    """Its guest has no address to which another server could write."""
    harness = build(state_dir)
    _, game = bots.start_practice(harness.web, "toy", "Guest", "Practice", "en", "127.0.0.1")
    harness.run_queued_tasks()
    with pytest.raises(ArchiveError, match="for practice"):
        transfer.export(harness.resolver, game, transfer.load_own_key(harness.resolver))
    assert harness.load_game(game).state == "running"


def test_a_strange_key_is_refused_and_the_game_stays(state_dir: Path) -> None:
    """A slip in the key of the other server leaves the game where it is."""
    harness, game = underway(state_dir)
    for key in ("", "zz", "00" * 31, "0" * 63):
        with pytest.raises(ArchiveError, match="no key of a server"):
            transfer.export(harness.resolver, game, key)
    assert harness.load_game(game).state == "running"
