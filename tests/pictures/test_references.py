"""A picture is whole: patterns and signs that it refers to are in it, for it may stand alone."""

import re

import pytest

from engine import GAMES
from engine.kernel.languages import DEFAULT
from engine.kernel.panels import HasLegend
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.run import start
from engine.kernel.secrets import redact, seen_by
from tests import bot_games
from tests.pictures.test_hidden_information import DRAWN


@pytest.mark.parametrize("title", DRAWN)
def test_a_picture_and_its_legend_hold_what_they_refer_to(title: str) -> None:
    """The board at its start, and the legend, which a page shows as a picture of its own."""
    rules = GAMES[title]
    assert isinstance(rules, DrawsBoard)
    seats = bot_games.SEATS[: bot_games.nearest(rules, 3)]
    position = start(rules, seats, {}, b"whole").position
    with seen_by(seats[0]):
        view = rules.present_view(redact(position, seats[0]), seats[0])
    pictures = [
        rules.draw(view, DEFAULT),
        *([rules.legend(view, DEFAULT, Theme.LIGHT)] if isinstance(rules, HasLegend) else []),
    ]
    for picture in pictures:
        meant = set(re.findall(r'(?:url\(|href=")#([\w-]+)', picture))
        assert meant <= set(re.findall(r' id="([\w-]+)"', picture))
