"""`python -m tests.golden.rulings`: write the kept letters of rulings anew, in two games and both languages."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import GAMES
from pbem.narration.letters import render
from pbem.store.models import User
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.golden.script import settled
from tests.service.master_commands import MASTER, appoint_outsider, send_commands, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game

LETTERS = Path(__file__).parent / "rulings"
READINGS = (("fr", "en"), ("en", "fr"))
"""The languages of the two seats whose letters are kept."""
NAMES = ("Romain", "Zoe", "Édouard")


@dataclass(frozen=True)
class Story:
    """What a master writes at a table of three, after so many entries; `{n}` is the last entry."""

    entries: int
    acts: tuple[tuple[str, ...], ...]


STORIES: Mapping[str, Story] = {
    "age_of_renaissance": Story(
        12,
        (
            (
                "CORRECT the income was counted twice",
                "TAKE 2 DUCATS FROM player 1",
                "PUT BACK CARD OF player 2 AT RANDOM",
                "GIVE 1 MISERY TO player 3",
            ),
            ("CORRECT a slip of the pen", "TAKE 900 DUCATS FROM player 1"),
            ("UNDO {n} BECAUSE it was counted right after all",),
            ("REWIND TO 9 BECAUSE two letters were taken for each other's",),
        ),
    ),
    "renaissance": Story(
        9,
        (
            (
                "CORRECT the order of play was drawn wrongly",
                "SWAP PLACES player 1 WITH player 2",
                "DEAL 1 TO player 3",
                "GIVE 1 DUCAT TO player 2",
            ),
            ("CORRECT as the table agreed", "ADOPT power rome yes"),
            ("ADJUDICATE AGAIN 8",),
            ("ROLL FORWARD 8 BECAUSE the rule was read otherwise",),
            ("REWIND TO 6 WITHOUT DRAFTS BECAUSE of the storm",),
        ),
    ),
}


def kept(folder: Path, title: str, languages: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """The letters of one table: paths and texts, in the order in which they were sent."""
    harness = steady(build(folder, installed=GAMES), f"rulings {title} 2")
    _introduce(harness, (*languages, "en"))
    game = start_game(harness, title, 3, 48)
    story = STORIES[title]
    play_on(harness, game, story.entries)
    appoint_outsider(harness, game)
    harness.run_task("send_outbound_emails", "")
    harness.sent.clear()
    for lines in story.acts:
        written = tuple(line.format(n=harness.load_game(game).entry) for line in lines)
        harness.advance_time(hours=1)
        (send_commands if written[0].startswith("ADJUDICATE") else send_confirmed)(harness, game, *written, who=MASTER)
    counts: dict[str, int] = {}
    for address, facts in harness.sent:
        who = address.seat or "master"
        if who in ("s1", "s2", "master") and address.kind in ("ruling", "announcement", "master"):
            counts[who] = counts.get(who, 0) + 1
            rendered = render(settled(facts))
            path = f"{title}/{who}.{facts.frame.reader.language}/{counts[who]:02d}-{address.kind}.txt"
            yield path, f"Subject: {rendered.subject}\n\n{rendered.text}"


def _introduce(harness: ServerHarness, languages: tuple[str, ...]) -> None:
    with harness.web.db.transaction() as session:
        people = [(f"p{n}@games.test", name) for n, name in enumerate(NAMES, 1)]
        for (address, name), language in zip((*people, (MASTER, "Roland")), (*languages, languages[0]), strict=True):
            session.add(
                User(
                    email=address, name=name, language=language, time_zone="Europe/Paris", created_at=harness.web.now()
                )
            )


def make_letters(readings: Sequence[tuple[str, str]] = READINGS) -> Mapping[str, str]:
    """All letters of both stories in these readings, by path."""
    found: dict[str, str] = {}
    for title in STORIES:
        for languages in readings:
            with TemporaryDirectory() as folder:
                found.update(kept(Path(folder), title, languages))
    return found


def write() -> int:
    """Write all letters; returns how many."""
    letters = make_letters()
    shutil.rmtree(LETTERS, ignore_errors=True)
    for path, text in letters.items():
        (LETTERS / path).parent.mkdir(parents=True, exist_ok=True)
        (LETTERS / path).write_text(text, encoding="utf-8")
    return len(letters)


if __name__ == "__main__":
    print(f"{write()} letters written to {LETTERS}")
