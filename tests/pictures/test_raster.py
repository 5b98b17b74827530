"""SVG becomes PNG that a letter can carry."""

import io
from functools import cache

import pytest
from PIL import Image

from engine import GAMES
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.secrets import redact
from pbem.pictures.raster import FONTS, MOST_BYTES, TooBig, png
from tests import bot_games

BLANK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100">{}</svg>'
SAID = BLANK.format('<text x="20" y="70" font-size="60" font-family="DejaVu Sans Condensed">Duché É</text>')
DRAWN = [title for title, rules in GAMES.items() if isinstance(rules, DrawsBoard)]


@cache
def fullest(title: str) -> str:
    """The picture of the last board of as many as can play, with all that changed since the game's middle marked."""
    rules = GAMES[title]
    assert isinstance(rules, DrawsBoard)
    seats = bot_games.SEATS[: max(rules.meta.seats)]
    entries = bot_games.played(rules, seats, {}, b"pictures").entries
    half, last = (
        rules.present_view(redact(entry.after.position, seats[0]), seats[0])
        for entry in (entries[len(entries) // 2], entries[-1])
    )
    return rules.draw(last, "fr", since=half, theme=Theme.LIGHT)


@pytest.mark.long
@pytest.mark.parametrize("title", DRAWN)
def test_the_fullest_board_of_each_game_is_small_enough_for_a_letter(title: str) -> None:
    """The last board of a game of as many as can play, with everything marked, takes less than 200 kB."""
    drawn = png(fullest(title))
    assert len(drawn) < MOST_BYTES < 200_000
    with Image.open(io.BytesIO(drawn)) as image:
        assert (image.format, image.width) == ("PNG", 1000)


def test_what_is_too_big_is_drawn_smaller_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The width shrinks until the picture is small enough; where nothing helps, it is said."""
    monkeypatch.setattr("pbem.pictures.raster.MOST_BYTES", len(png(SAID)) * 2 // 3)
    with Image.open(io.BytesIO(png(SAID))) as image:
        assert image.width < 1000
    monkeypatch.setattr("pbem.pictures.raster.MOST_BYTES", 100)
    with pytest.raises(TooBig):
        png(SAID)


def test_the_same_picture_is_the_same_bytes_and_its_letters_are_drawn() -> None:
    """Fonts come with the server: text leaves ink, and twice the same SVG gives the same PNG, so that no PNG tells more
    than its SVG.
    """
    assert len(FONTS) == 2
    assert png(SAID) == png(SAID) != png(BLANK.format(""))
