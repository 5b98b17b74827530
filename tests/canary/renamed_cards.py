"""A copy of the program in which each card has a name of random words that nothing else has."""

import json
import random
import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.canary.byte_search import MARK
from tests.canary.decks import DECKS

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("engine", "pbem", "worker", "mail_templates", "tests")
CONSONANTS, VOWELS = "bdfgklmnprst", "aeiou"


def new_word(chance: random.Random) -> str:
    """A word that nobody ever wrote; it begins with the mark, as all of them do."""
    return MARK + "".join(chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(5))


def copied(folder: Path, title: str, chance: random.Random) -> Mapping[str, tuple[str, str]]:
    """Copy the program, a game's cards renamed; the new names, French and English, by their ids."""
    for part in PARTS:
        leave = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(ROOT / part, folder / part, ignore=leave)
    deck = DECKS[title]
    cards = folder / "engine" / title / "data" / f"{deck.table}.json"
    table = json.loads(cards.read_text(encoding="utf-8"))
    names = deck.rename(table, lambda: (new_word(chance).capitalize(), new_word(chance).capitalize()))
    cards.write_text(json.dumps(table, ensure_ascii=False, indent=1), encoding="utf-8")
    for number, language in enumerate(("fr", "en")):
        chosen = {card: both[number] for card, both in names.items()}
        _in_the_section("card", folder / "mail_templates" / "names" / language / f"{title}.toml", chosen)
        _in_the_section(deck.section, folder / "engine" / title / "words" / f"{language}.toml", chosen)
        effects = folder / "mail_templates" / "effects" / language / f"{title}.toml"
        told = tomllib.loads(effects.read_text(encoding="utf-8")).get("card", {})
        _in_the_section("card", effects, {card: said for card in names if (said := _of_kind(told, card))})
    return names


def _of_kind(told: Mapping[str, str], card: str) -> str:
    """What a card does, or the kind of which it was one of several; empty where nothing is told of it."""
    return told.get(card) or told.get(card.rpartition("_")[0], "")


def _in_the_section(section: str, path: Path, names: Mapping[str, str]) -> None:
    """The section of cards, with each name alone; a file without such a section stays as it is."""
    if f"\n[{section}]\n" not in path.read_text(encoding="utf-8"):
        return
    before, _, rest = path.read_text(encoding="utf-8").partition(f"\n[{section}]\n")
    behind = rest[match.start() :] if (match := re.search(r"^\[", rest, re.MULTILINE)) else ""
    cards = "".join(f"{card} = {json.dumps(name, ensure_ascii=False)}\n" for card, name in names.items())
    path.write_text(f"{before}\n[{section}]\n{cards}\n{behind}", encoding="utf-8")
