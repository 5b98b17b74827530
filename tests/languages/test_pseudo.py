"""A language that nobody speaks, added as files alone: a turn by letters in it, and every page."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from babel import Locale

from pbem.web.api import OPERATIONS
from tests.golden import script
from tests.languages.pseudo import KEPT, MARK, ROOT, write
from tests.languages.pseudo_turn import came_to

pytestmark = pytest.mark.long  # a language is added to a copy of the project

NAMES = frozenset(
    "Romain Zoe Édouard Alice Rose pbem Jared Scarborough Europe New York UTC Français English Re".split()
    + "II III IV VI VII VIII".split()
)
"""Players, table, author, zones, languages and the numbers of regions: alike in every language."""
LUCK = frozenset("my cat walked over the map luck".split())
"""What a player wrote stays as it was written."""
BARE = re.compile(r"pbem (?:receipt|deal) .*|\w+/\d+\S*|https?://\S+|\S+@\S+|\w*\d\w*(?:…\w*)?")
"""Receipts, gates, addresses, numbers, digests."""


def _calendar() -> frozenset[str]:
    """Days and months, and how long it is until then, of the language whose calendar this one takes."""
    known = Locale.parse("en")
    names = [*known.days["format"]["abbreviated"].values(), *known.months["format"]["abbreviated"].values()]
    return frozenset((*names, "In", "days", "day", "hours", "hour", "minutes", "ago"))


OTHERS = KEPT | NAMES | LUCK | _calendar()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What was read in the turn, by a process that found the language in a folder on its path."""
    folder = tmp_path_factory.mktemp("pseudo")
    write(folder)
    path = os.pathsep.join((str(folder), str(ROOT)))
    command = [sys.executable, "-m", "tests.languages.pseudo_turn", str(folder / "read.json")]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, check=True, timeout=300)
    found: Mapping[str, Any] = json.loads((folder / "read.json").read_text(encoding="utf-8"))
    return found


def _foreign(text: str, known: frozenset[str] = OTHERS) -> set[str]:
    """The words of a text that are not of the language, nor names."""
    words = set(re.findall(r"[^\W\d_]{2,}", BARE.sub(" ", text)))
    return {word for word in words if MARK not in word.lower() and word not in known}


def test_a_turn_by_letters_comes_to_the_same_in_any_language(played: Mapping[str, Any], tmp_path: Path) -> None:
    """Orders in the new language's own keywords, with help and requests, are read as the same orders in English are."""
    harness = script.played(tmp_path, dict.fromkeys(script.PLAYERS, "en"))
    assert played["came_to"] == came_to(harness, harness.sent[-1][1].frame.links.page.rpartition("/")[2])


def test_no_letter_shows_a_word_of_another_language(played: Mapping[str, Any]) -> None:
    """Whatever a letter says, from its subject to its foot, comes from the files of its reader's language."""
    letters = {name: text for name, text in played["texts"].items() if name[0].isdigit()}
    assert {kind.split()[1] for kind in letters} >= {"started", "report", "receipt", "reminder", "notice", "game_over"}
    assert {name: foreign for name, text in letters.items() if (foreign := _foreign(text))} == {}


def test_no_page_shows_a_word_of_another_language(played: Mapping[str, Any]) -> None:
    """Nor does a page, for a guest and for a player, while the game goes on and when it is over, nor a picture."""
    pages = {name: text for name, text in played["texts"].items() if not name[0].isdigit()}
    calls = frozenset(word for operation in OPERATIONS for word in operation.name.split("_"))
    known = {name: OTHERS | calls if name.endswith("/api/docs") else OTHERS for name in pages}
    assert len(pages) >= 30
    assert {name: foreign for name, text in pages.items() if (foreign := _foreign(text, known[name]))} == {}
