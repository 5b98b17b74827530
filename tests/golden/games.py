"""`python -m tests.golden.games`: write the kept letters of the other games anew, each seat's in its own language.

A seat sends the lines of its template back as they are, except where a scene writes something else.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine import GAMES
from pbem.narration.letters import data_of, render
from pbem.narration.reports import OfferedOrders
from pbem.service.game import seat_views
from tests.archive.bots import owed_lines
from tests.golden.script import Chance, Turn, introduce, settled
from tests.service.server_fixtures import ServerHarness, build, start_game_with_policy

LETTERS = Path(__file__).parent / "games"
WHOLE_GAMES = Path(__file__).parent / "whole"
LANGUAGES: Mapping[str, str] = {"s1": "fr", "s2": "en"}
"""The seats whose letters are kept, and what they read."""
HOURS = 48
TEMPLATE, WAIT = "*", "..."
"""Instead of a letter: the lines of the template, and to wait until the reminder comes."""


@dataclass(frozen=True)
class Story:
    """A game until the turn `ends` begins: what its seats write, by seat and how often they were asked before.

    `kept`: of each seat, the letters that are kept, the how-manieth that it got.
    """

    players: int
    ends: int
    options: Mapping[str, str]
    said: Mapping[tuple[str, int], Sequence[str]]
    kept: Mapping[str, Set[int]]


STORIES: Mapping[str, Story] = {
    "amalfi": Story(
        4,
        2,
        {"hands": "list"},
        {
            ("s1", 0): ("PRÉFÉRER Ancre, Bousole, Rose", TEMPLATE),
            ("s1", 1): ("ESSAI|NAVIGUER Spalato|AIDE Spalato", TEMPLATE),
            ("s2", 1): (WAIT, "SAIL Atlantis|INVITE Vasco da Gama", TEMPLATE),
        },
        {"s1": {1, 2, 4, 5, 6, 7, 8, 14}, "s2": {6, 7, 8, 9, 10, 13, 15}},
    ),
    "patchistory": Story(
        4,
        2,
        {},
        {
            ("s1", 1): ("ESSAI|PLACER EN K8 SOUS K9", "PLACER EN A1", TEMPLATE),
            ("s2", 1): (WAIT, TEMPLATE),
            ("s2", 2): ("SETTLE H2", "PRESS TO ALL:|Peace on all routes?|END|SETTLE H9"),
        },
        {"s1": {1, 6, 7, 8, 9, 12, 18}, "s2": {5, 9, 10, 12, 13, 14, 16, 19}},
    ),
    "renaissance": Story(
        4,
        2,
        {},
        {
            ("s1", 0): (WAIT, TEMPLATE),
            ("s1", 2): ("PALAIS Firenze|CHÂTEAU Firenze|REMPART Pistoia", TEMPLATE),
            ("s2", 3): ("EXPAND Roma|EXPAND Bolonia", "PRESS TO Romain:|Leave Perugia to me.|END", TEMPLATE),
        },
        {"s1": {1, 2, 6, 7, 8, 11, 14}, "s2": {4, 6, 10, 11, 12, 13, 14, 16}},
    ),
    "diplomacy": Story(
        7,
        1902,
        {},
        {
            ("s1", 0): ("DIRE À Zoe :|La mer Noire vous attend.|FIN", "F LON - BRE|A LVP - EDI", TEMPLATE),
            ("s2", 0): (WAIT, "HELP", TEMPLATE),
            ("s2", 1): ("A ARM H|A BUL H|F CON S A BUL",),
            ("s4", 0): ("F SEV - BLA|A MOS - SEV|A WAR - UKR|F STP/SC - BOT",),
            ("s4", 1): ("A SEV - ARM|F BLA S A SEV - ARM|A UKR - RUM|F BOT - SWE",),
        },
        {"s1": {1, 2, 3, 4, 5, 7, 9}, "s2": {1, 4, 5, 6, 8, 10, 12, 14}},
    ),
}


def make_letters(title: str, answers: int = 1000) -> Iterator[tuple[str, str]]:
    """Play a game, or so many answers of it; path and text of each letter to the seats that are kept, as sent."""
    with TemporaryDirectory() as folder:
        harness = _play(Path(folder), title, STORIES[title], answers)
        counts = dict.fromkeys(LANGUAGES, 0)
        for address, facts in harness.sent:
            if address.seat not in counts:
                continue
            counts[address.seat] += 1
            if counts[address.seat] in STORIES[title].kept[address.seat]:
                letter = render(settled(facts))
                folder_of = f"{title}/{address.seat}.{LANGUAGES[address.seat]}"
                text = f"Subject: {letter.subject}\n\n{letter.text}"
                yield f"{folder_of}/{counts[address.seat]:02d}-{address.kind}.txt", text


def _play(folder: Path, title: str, story: Story, answers: int) -> ServerHarness:
    harness = build(folder, installed={title: GAMES[title]})
    harness.configure(random_bytes=Chance())
    introduce(harness, LANGUAGES)
    game = start_game_with_policy(harness, title, story.players, HOURS, story.options)
    turn = Turn(harness, game, LANGUAGES)
    asked = {f"s{number + 1}": 0 for number in range(story.players)}
    while answers > 0 and GAMES[title].turn(harness.load_state(game)) < story.ends:
        for seat in asked:
            if answers > 0 and _owes(harness, game, seat):
                for letter in story.said.get((seat, asked[seat]), (TEMPLATE,)):
                    _write(turn, seat, letter)
                asked[seat] += 1
                answers -= 1
    return harness


def _write(turn: Turn, seat: str, letter: str) -> None:
    if letter == WAIT:
        turn.pass_until_reminded()
    else:
        turn.say(seat, _answer(turn.harness, turn.game, seat) if letter == TEMPLATE else letter)


def _owes(harness: ServerHarness, game: str, seat: str) -> bool:
    with harness.web.db.snapshot() as session:
        seen = seat_views.last_view(harness.web, session, harness.load_game(game), seat)
    return any(d.seat == seat and d.blocking for d in seen.core.questions)


def _answer(harness: ServerHarness, game: str, seat: str) -> str:
    """The lines of the last template: of alternatives the first; where some of many are wanted, those of a bot."""
    offers = (_offered(data_of(facts)) for address, facts in reversed(harness.sent) if address.seat == seat)
    parts = next(found for found in offers if found)
    if any(part.kind == "set" for part in parts):
        return "|".join(owed_lines(harness, game, seat, LANGUAGES.get(seat, "en")))
    return "|".join(line for part in parts for line in _lines(part))


def _offered(data: Mapping[str, Any]) -> tuple[OfferedOrders, ...]:
    return tuple(data.get("template", ()) or getattr(data.get("r"), "template", ()))


def _lines(part: OfferedOrders) -> list[str]:
    return [line.removeprefix("; ") for line in part.lines[: 1 if part.kind == "line" else None]]


@dataclass(frozen=True)
class WholeGame:
    """A game to its end, played by hand for one seat from what its letters say; bots answer for the others.

    What was written lies in `whole/<title>.<language>.txt`, a letter a paragraph, `*` for lines of the template.
    `first`, `last`: how many letters are kept of the beginning and of the end.
    """

    seat: str
    language: str
    options: Mapping[str, str]
    first: int
    last: int


WHOLE: Mapping[str, WholeGame] = {
    "amalfi": WholeGame("s2", "en", {"hands": "list"}, 40, 0),
    "patchistory": WholeGame("s1", "fr", {}, 28, 6),
}


def make_whole_game(title: str) -> Mapping[str, str]:
    """Play a game to its end; path and text of the letters to the seat that is kept, without plain receipts."""
    game = WHOLE[title]
    with TemporaryDirectory() as folder:
        sent = _play_whole_game(Path(folder), title, game).sent
    letters = [(address.kind, render(settled(facts))) for address, facts in sent if address.seat == game.seat]
    numbered = [
        (f"{title}.{game.language}/{number:03d}-{kind}.txt", f"Subject: {letter.subject}\n\n{letter.text}")
        for number, (kind, letter) in enumerate(letters, 1)
        if kind != "receipt" or not _is_plain_receipt(letter.text)
    ]
    return dict(numbered[: game.first] + (numbered[-game.last :] if game.last else []))


def _is_plain_receipt(text: str) -> bool:
    """Return True if a receipt only repeats what was written."""
    return not any(word in text for word in ("REFUS", "YOUR REQUESTS", "VOS DEMANDES"))


def _play_whole_game(folder: Path, title: str, whole: WholeGame) -> ServerHarness:
    harness = build(folder, installed={title: GAMES[title]})
    harness.configure(random_bytes=Chance())
    introduce(harness, {whole.seat: whole.language})
    game = start_game_with_policy(harness, title, 4, HOURS, whole.options)
    turn = Turn(harness, game, {whole.seat: whole.language})
    written = iter((WHOLE_GAMES / f"{title}.{whole.language}.txt").read_text("utf-8").strip().split("\n\n"))
    others = [seat for seat in ("s1", "s2", "s3", "s4") if seat != whole.seat]
    while harness.load_game(game).state == "running":
        before = harness.load_game(game).entry
        for seat in others:
            if harness.load_game(game).state == "running" and _owes(harness, game, seat):
                turn.say(seat, "|".join(owed_lines(harness, game, seat)))
        if harness.load_game(game).entry == before:
            _write(turn, whole.seat, next(written).replace("\n", "|"))
    assert next(written, None) is None, "letters are left"
    return harness


def write() -> int:
    """Write all letters; returns how many."""
    letters = [(LETTERS / path, text) for title in STORIES for path, text in make_letters(title)]
    letters += [(WHOLE_GAMES / path, text) for title in WHOLE for path, text in make_whole_game(title).items()]
    shutil.rmtree(LETTERS, ignore_errors=True)
    for folder in WHOLE_GAMES.glob("*/"):
        shutil.rmtree(folder)
    for path, text in letters:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(letters)


if __name__ == "__main__":
    print(f"{write()} letters written to {LETTERS}")
