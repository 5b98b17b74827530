"""Every name that can be touched on a real game's page is one that its orders know, in both languages."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from tests.web.boards import answer_all, opened
from tests.web.test_boards import PHASES


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("title", PHASES)
def test_what_is_held_in_the_hand_can_be_named(state_dir: Path, title: str, language: str) -> None:
    """As a value or as a word of some form's vocabulary: else a touch would mean nothing, whatever is asked."""
    harness, guest, game = opened(state_dir, title, language=language)
    known = set[str]()
    names = set[str]()
    for _ in range(4):
        page = guest.get(f"/games/{game}").text
        words = json.loads(unescape(re.findall(r"data-asked='([^']*)'", page)[0]))["words"]
        known |= {name.lower() for one in words for pair in one.items() for name in pair}
        hand = page.partition('id="hand"')[2].partition("</section>")[0]
        names |= {unescape(name).lower() for name in re.findall(r'data-name="([^"]*)"', hand)}
        names |= {
            unescape(name).lower()
            for name in re.findall(r'data-name="([^"]*)"', guest.get(f"/games/{game}/map.svg?live=1").text)
        }
        answer_all(harness, game)
    assert names
    assert names - known == set()
