"""Pictures in letters are read on a phone: no small text, and first what the reader is asked about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from xml.etree.ElementTree import Element, fromstring

import pytest

from engine import GAMES
from engine.kernel.pictures import DrawsBoard
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import redact, seen_by
from pbem.service.mail.pictures import board_svg
from tests import bot_games
from tests.budget import budget
from tests.every_game import cases
from tests.pictures.test_hidden_information import DRAWN, SEAT

PHONE: Final = 360
"""The width of a phone in pixels."""
LEAST: Final = 11
"""The height in pixels of the smallest letters that are read without effort."""


def views(title: str) -> tuple[View, ...]:
    """What a seat was shown after each entry of a game of bots."""
    rules: Rules[Any] = cases()[title].rules
    positions = [entry.after.position for entry in bot_games.plain(rules).entries]
    with seen_by(SEAT):
        return tuple(rules.present_view(redact(position, SEAT), SEAT) for position in positions)


@dataclass(frozen=True)
class Window:
    """What of a picture is seen: its box, the pixels of a unit, and where the units of a group begin."""

    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    scale: float = 1
    origin: tuple[int, int] = (0, 0)

    def within(self, element: Element) -> "Window":
        """The same for what is inside an element."""
        if element.tag.endswith("}svg"):
            left, top, wide, high = map(int, element.get("viewBox", "").split())
            return Window((left, top, wide, high), self.scale * int(element.get("width", PHONE)) / wide)
        moved = re.match(r"translate\((-?\d+) (-?\d+)\)", element.get("transform", ""))
        x, y = self.origin
        return replace(self, origin=(x + int(moved[1]), y + int(moved[2]))) if moved else self

    def shows(self, text: Element) -> bool:
        """Return True if a text begins in the window."""
        x, y = (start + int(text.get(axis, "0")) for start, axis in zip(self.origin, "xy", strict=True))
        left, top, wide, high = self.box
        return left <= x <= left + wide and top <= y <= top + high


def heights(element: Element, window: Window = Window()) -> Iterator[tuple[float, str]]:
    """Yield the height in pixels and the words of each text that a picture shows."""
    window = window.within(element)
    if element.tag.endswith("}text") and window.shows(element):
        yield int(element.get("font-size", "0")) * window.scale, "".join(element.itertext())
    for child in element:
        yield from heights(child, window)


def zones(svg: str) -> list[str]:
    """The parts of a board of zones that a picture shows, from above."""
    return [str(one.get("data-zone")) for one in fromstring(svg).iter() if one.get("data-zone")]


@pytest.mark.parametrize("title", DRAWN)
def test_no_text_of_a_picture_is_smaller_than_a_phone_can_show(title: str) -> None:
    """Where something concerns the reader more than the rest, no letter is under 11 pixels at 360."""
    rules, looks, shown = GAMES[title], budget(4, 40), views(title)
    assert isinstance(rules, DrawsBoard)
    checked = 0
    for n in range(1, looks + 1):
        at = (len(shown) - 1) * n // looks
        now, before = shown[at], shown[max(0, at - 9)]
        if any(part.weight for part in rules.crops(now, before).values()):
            found = list(heights(fromstring(board_svg(rules, now, before, "fr"))))
            assert [small for small in found if small[0] < LEAST] == []
            checked += len(found)
    assert checked


def test_an_auction_shows_the_tiles_and_no_part_of_the_board_twice() -> None:
    """Patchistory: what is bid on comes first, one's own territory once."""
    rules = GAMES["patchistory"]
    assert isinstance(rules, DrawsBoard)
    auctions = [view for view in views("patchistory") if view["offer"]]
    assert auctions
    for view in auctions[:: budget(6, 1)]:
        found = zones(board_svg(rules, view, None, "en"))
        assert found[0] == "offer"
        assert found.count(view["powers"][SEAT]["colour"]) == 1


def test_the_tile_that_was_won_is_shown_while_it_is_to_be_placed() -> None:
    """Patchistory: the tile stands beside the territory where it goes."""
    rules = GAMES["patchistory"]
    assert isinstance(rules, DrawsBoard)
    placing = next(view for view in views("patchistory") if view["powers"][SEAT]["won"] and not view["offer"])
    assert set(zones(board_svg(rules, placing, None, "en"))) == {placing["powers"][SEAT]["colour"], "offer"}


def test_packets_are_shown_while_they_are_chosen() -> None:
    """Amalfi: the six packets first, and later the rows that an action may use."""
    rules, shown = GAMES["amalfi"], views("amalfi")
    assert isinstance(rules, DrawsBoard)
    first, later = shown[0], next(view for view in shown if view["phase"] == "actions")
    assert zones(board_svg(rules, first, None, "en"))[:6] == [f"packet-{hand}" for hand in first["hands"]]
    assert zones(board_svg(rules, later, None, "en"))[:5] == ["own", "places", "atelier", "atlas", "council"]
