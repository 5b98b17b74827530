"""Answers to questions that are still to come, by buttons."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.boards import opened
from tests.web.chromium import at_orders

WORDS = {"en": ("ON TIE", "ON TIE: LAST"), "fr": ("SUR ÉGALITÉ", "SUR ÉGALITÉ : DERNIER")}


@pytest.mark.long
@pytest.mark.parametrize("language", WORDS)
def test_an_answer_ahead_is_a_mark_and_a_suggested_line(state_dir: Path, chromium: Browser, language: str) -> None:
    """By the keyboard: the mark brings what is suggested into sight, a line of it is written, and the mark is done."""
    name, line = WORDS[language]
    harness, _, game = opened(state_dir, asks="any", language=language, words="ahead")
    with at_orders(harness, game, chromium, 1280) as (page, noted):
        page.set_viewport_size({"width": 1280, "height": 800})
        mark = page.locator('#asked .mark[data-state="reaction"]', has_text=name)
        mark.press("Enter")
        chip = page.locator(f'#asked .part .chip[data-line="{line}"]')
        expect(chip).to_be_in_viewport(ratio=1)
        chip.press("Enter")
        expect(page.locator("#text")).to_have_value(f"{line}\n")
        expect(page.locator('#asked .mark[data-state="done"]', has_text=name)).to_be_visible()
        assert noted == []
