"""`python -m tests.golden.games`: write the kept letters of the other games anew, each seat's in its own language.

A seat sends the lines of its template back as they are, except where a scene writes something else.
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine import GAMES
from pbem.narration.letters import data_of, render
from pbem.narration.reports import OfferedOrders
from pbem.service.game import seat_views
from tests.archive.bots import owed_lines
from tests.golden.script import Chance, Turn, introduce, settled
from tests.service.server_fixtures import ServerHarness, build, start_game

LETTERS = Path(__file__).parent / "games"
LANGUAGES: Mapping[str, str] = {"s1": "fr", "s2": "en"}
"""The seats whose letters are kept, and what they read."""
HOURS = 48


@dataclass(frozen=True)
class Story:
    """How a game is played.

    `ends`: the turn whose first letters are the last ones. `said`: what a seat writes before its template, the how-manieth time it is
    asked.
    """

    players: int
    ends: int
    options: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[tuple[str, int], str] = field(default_factory=dict)


STORIES: Mapping[str, Story] = {
    "amalfi": Story(4, 2, {"hands": "list"}),
    "patchistory": Story(4, 2),
    "renaissance": Story(4, 2),
    "diplomacy": Story(7, 1902),
}


def make_letters(title: str) -> Iterator[tuple[str, str]]:
    """Play a game; path and text of each letter to the seats that are kept, as they were sent."""
    with TemporaryDirectory() as folder:
        harness = _played(Path(folder), title, STORIES[title])
        counts = dict.fromkeys(LANGUAGES, 0)
        for address, facts in harness.sent:
            if address.seat in counts:
                counts[address.seat] += 1
                letter = render(settled(facts))
                where = f"{title}/{address.seat}.{LANGUAGES[address.seat]}/{counts[address.seat]:02d}-{address.kind}.txt"
                yield where, f"Subject: {letter.subject}\n\n{letter.text}"


def _played(folder: Path, title: str, story: Story) -> ServerHarness:
    harness = build(folder, installed={title: GAMES[title]})
    harness.configure(random_bytes=Chance())
    introduce(harness, LANGUAGES)
    game = start_game(harness, title, story.players, HOURS, **story.options)
    turn = Turn(harness, game, LANGUAGES)
    asked = dict.fromkeys((f"s{n + 1}" for n in range(story.players)), 0)
    while GAMES[title].turn(harness.load_state(game)) < story.ends:
        for seat in asked:
            if _owes(harness, game, seat):
                asked[seat] += 1
                for lines in (*story.said.get((seat, asked[seat]), "").split("||"), _answer(harness, game, seat)):
                    if lines:
                        turn.say(seat, lines)
    return harness


def _owes(harness: ServerHarness, game: str, seat: str) -> bool:
    with harness.web.db.snapshot() as session:
        seen = seat_views.last_view(harness.web, session, harness.load_game(game), seat)
    return any(d.seat == seat and d.blocking for d in seen.core.questions)


def _answer(harness: ServerHarness, game: str, seat: str) -> str:
    """The lines of the last template: of alternatives the first; where some of many are wanted, those of a bot."""
    offers = (_offered(data_of(facts)) for address, facts in reversed(harness.sent) if address.seat == seat)
    parts = next(filter(None, offers))
    if any(part.kind == "set" for part in parts):
        return "|".join(owed_lines(harness, game, seat, LANGUAGES.get(seat, "en")))
    return "|".join(line for part in parts for line in _lines(part))


def _offered(data: Mapping[str, Any]) -> tuple[OfferedOrders, ...]:
    found: tuple[OfferedOrders, ...] = data.get("template") or getattr(data.get("r"), "template", ())
    return found


def _lines(part: OfferedOrders) -> list[str]:
    return [line.removeprefix("; ") for line in part.lines[: 1 if part.kind == "line" else None]]


def write() -> int:
    """Write all letters; returns how many."""
    shutil.rmtree(LETTERS, ignore_errors=True)
    letters = [letter for title in STORIES for letter in make_letters(title)]
    for path, text in letters:
        (LETTERS / path).parent.mkdir(parents=True, exist_ok=True)
        (LETTERS / path).write_text(text, encoding="utf-8")
    return len(letters)


if __name__ == "__main__":
    print(f"{write()} letters written to {LETTERS}")
