"""A copy of the program in which each card has a name of random words that nothing else has."""

import json
import random
import re
import shutil
from pathlib import Path

from tests.canary.searching import MARK

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("engine", "pbem", "worker", "mail_templates", "tests")
GAME = "age_of_renaissance"
CONSONANTS, VOWELS = "bdfgklmnprst", "aeiou"


def new_word(chance: random.Random) -> str:
    """A word that nobody ever wrote; it begins with the mark, as all of them do."""
    return MARK + "".join(chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(5))


def copied(folder: Path, chance: random.Random) -> dict[str, tuple[str, str]]:
    """Copy the program, its cards renamed; the new names of each card, French and English, by its id."""
    for part in PARTS:
        leave = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(ROOT / part, folder / part, ignore=leave)
    names = _in_the_cards(folder / "engine" / GAME / "data" / "cards.json", chance)
    for number, language in enumerate(("fr", "en")):
        chosen = {card: both[number] for card, both in names.items()}
        _in_the_glossary(folder / "mail_templates" / "names" / language / f"{GAME}.toml", chosen)
    return names


def _in_the_cards(path: Path, chance: random.Random) -> dict[str, tuple[str, str]]:
    """Cards of one face keep one name."""
    table = json.loads(path.read_text(encoding="utf-8"))
    faces: dict[str, tuple[str, str]] = {}
    names: dict[str, tuple[str, str]] = {}
    for card in table["cards"]:
        fr, en = faces.setdefault(card["fr"], (new_word(chance), new_word(chance)))
        card.update(fr=fr.capitalize(), en=en.capitalize(), aliases=[])
        names[card["id"]] = (fr, en)
    path.write_text(json.dumps(table, ensure_ascii=False, indent=1), encoding="utf-8")
    return names


def _in_the_glossary(path: Path, names: dict[str, str]) -> None:
    """The section of cards, with each name alone."""
    before, _, rest = path.read_text(encoding="utf-8").partition("[card]\n")
    behind = rest[match.start() :] if (match := re.search(r"^\[", rest, re.MULTILINE)) else ""
    cards = "".join(f'{card} = "{name.capitalize()}"\n' for card, name in names.items())
    path.write_text(f"{before}[card]\n{cards}\n{behind}", encoding="utf-8")
