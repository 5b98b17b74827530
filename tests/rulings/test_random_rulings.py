"""Rulings at random, on a game of every title: each journal that comes of them verifies."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.bots import chooser
from engine.kernel.rules import SupportsCorrections
from pbem.archive.verify import verify_contents
from pbem.service.archive.files import build_archive, private_part
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.masters import ruling_request
from pbem.service.masters.ruling_request import RulingRequest
from pbem.store.games import lock_game
from pbem.store.models import Game
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.budget import budget
from tests.rulings.lines import a_line
from tests.service.server_fixtures import ServerHarness, build, start_game

SEED = os.environ.get("PBEM_RULINGS_SEED", "rulings")
MADE = budget(20, 50)
"""Rulings that stand, on a game of each title; those that cannot are refused on the way, and change nothing."""
KINDS = ("correct", "correct", "rewind", "forward", "reroll")


def _sized(title: str) -> Any:
    """One game stands for all of them, except in a night."""
    return pytest.param(title, marks=pytest.mark.long if title == "age_of_renaissance" else pytest.mark.night)


@pytest.mark.parametrize(
    "title", [_sized(name) for name, rules in sorted(GAMES.items()) if isinstance(rules, SupportsCorrections)]
)
def test_rulings_at_random_verify(title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Corrections, undoings, rewinds, entries told and drawn again, in any order: all that a file proves holds."""
    with capsys.disabled():
        print(f"\n{title}: PBEM_RULINGS_SEED={SEED}", end=" ")
    harness = steady(build(tmp_path, installed=GAMES), SEED + title)
    game, choose = (
        start_game(harness, title, min(n for n in GAMES[title].meta.seats if n > 1)),
        chooser((SEED + title).encode()),
    )
    play_on(harness, game, 12 + choose("start", 9))
    while not _line(harness, game, drawn=True):  # some games draw seldom
        play_on(harness, game, harness.load_game(game).entry + 1)
    made, n = Counter[str](), 0
    while sum(made.values()) < MADE or any(made[kind] < 3 for kind in (*KINDS, "undo")):
        n += 1
        assert n < 5 * MADE, f"too many rulings cannot stand: {made}"
        before, kind = harness.load_game(game).entry, KINDS[choose(f"{n}/kind", len(KINDS))]
        made[kind] += _ruled(harness, game, kind, choose, str(n))
        last = harness.load_game(game).entry
        if kind == "correct" and last > before and choose(f"{n}/undo", 2):
            made["undo"] += _request_ruling(
                harness, game, RulingRequest("undo", 1, "Roland", "no", last, entry=before + 1)
            )
        if not choose(f"{n}/play", 3):  # seldom, so that the game is not over before they are made
            play_on(harness, game, harness.load_game(game).entry + 1)
    assert harness.load_game(game).failure is None
    assert all(made[kind] > 2 for kind in {*KINDS, "undo"}), made
    with harness.resolver.db.snapshot() as session:
        row = session.get_one(Game, game)
        book = private_part(harness.resolver, session, row, build_archive(harness.resolver, session, row))
    for finding in verify_contents(book, installed=GAMES):
        assert not finding.faults, (finding.claim, finding.faults)
    numbers = [public.place.entry for public in book.publics]
    assert numbers == list(range(1, len(numbers) + 1))
    harness.resolver.db.close()


def _ruled(harness: ServerHarness, game: str, kind: str, choose: Any, mark: str) -> int:
    """One ruling of a kind; 1 if it made an entry, 0 if it could not stand."""
    last = harness.load_game(game).entry
    position, rules = harness.load_state(game), GAMES[harness.load_game(game).rules]
    lines: tuple[str, ...] = ()
    if kind == "correct" or (kind == "forward" and choose(f"{mark}/with", 2)):
        lines = tuple(a_line(rules, position, choose, f"{mark}/{n}") for n in range(1 + choose(f"{mark}/lines", 2)))
    line = _line(harness, game, drawn=kind == "reroll") or [2]
    entry = last - 1 - choose(f"{mark}/back", 6) if kind == "rewind" else line[choose(f"{mark}/back", len(line))]
    return _request_ruling(harness, game, RulingRequest(kind, 1, "Roland", "at random", last, lines, entry))


def _line(harness: ServerHarness, game: str, *, drawn: bool) -> list[int]:
    """The last entries that count and were played; `drawn`: with draws."""
    with harness.resolver.db.snapshot() as session:
        row = session.get_one(Game, game)
        keys, found, number = load_game_keys(harness.resolver, row), list[int](), row.entry
        while number > 1 and len(found) < 5:
            record = load_entry(session, keys, row, number)
            if record.draws if drawn else record.counted:
                found.append(number)
            number = number - 1 if record.base is None else record.base
    return found


def _request_ruling(harness: ServerHarness, game: str, wanted: RulingRequest) -> int:
    before = harness.load_game(game).entry
    with harness.web.db.transaction() as session:
        row = lock_game(session, game)
        assert row is not None
        ruling_request.enqueue_ruling(harness.web, session, row, wanted)
    harness.run_task("resolve_game", game)
    harness.queued_tasks.clear()
    return int(harness.load_game(game).entry > before)
