"""What can be chosen on a board can be hit: no line, name or mark that is drawn over it takes the click."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element, fromstring

import pytest

from engine import GAMES
from engine.kernel.pictures import DrawsBoard
from engine.kernel.secrets import redact
from tests import bot_games
from tests.pictures.test_hidden_information import DRAWN

DRAWS: Final = frozenset("path rect circle text use line polygon ellipse".split())
"""The elements that a click can hit."""


def lying_over(element: Element, seen: list[str], *, through: bool = False) -> Iterator[str]:
    """Yield what takes a click after the first place was drawn and belongs to no place.  `seen`: the places so far."""
    name = element.get("data-name")
    through = through or element.get("pointer-events") == "none"
    kind = element.tag.rpartition("}")[2]
    if name is not None:
        seen.append(name)
        return
    if {"data-item", "data-province"} & element.attrib.keys():
        return  # stands beside the places, as one of them that orders do not name
    if kind == "defs":
        return
    if kind in DRAWS and seen and not through:
        yield f"{kind} {element.attrib}"
    for child in element:
        yield from lying_over(child, seen, through=through)


@pytest.mark.parametrize("title", DRAWN)
def test_what_is_drawn_over_a_place_takes_no_click(title: str) -> None:
    """On the last board of a game between bots, everything above the places lets a click through to them."""
    rules = GAMES[title]
    assert isinstance(rules, DrawsBoard)
    entries = bot_games.plain(rules).entries
    seat = entries[0].after.position.core.seats[0]
    half, last = (
        rules.present_view(redact(entry.after.position, seat), seat)
        for entry in (entries[len(entries) // 2], entries[-1])
    )
    places: list[str] = []
    over = list(lying_over(fromstring(rules.draw(last, "en", since=half, live=True)), places))
    assert len(places) > 10
    assert over == []
