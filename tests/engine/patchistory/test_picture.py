"""The picture of the table: it shows what the view holds, zone by zone, readable on a phone, and nothing else."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.kernel.languages import Language
from engine.kernel.pictures import LEGIBLE, SMALLEST, DrawsBoard, Theme
from engine.kernel.rules import View
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from engine.kernel.zones import HasZones
from engine.patchistory.ruleset import RULES
from tests import bot_games

SVG = "{http://www.w3.org/2000/svg}"
SEATS = tuple(Seat(f"p{number}") for number in range(1, 5))


def views(seats: int, viewer: Viewer = SEATS[0]) -> Sequence[View]:
    """What a viewer was shown after each entry of a whole game, that of four the one that other tests read."""
    return bot_games.views(RULES, bot_games.played(RULES, SEATS[:seats], RULES.meta.chosen({})), viewer)


def parsed(svg: str) -> ElementTree.Element:
    """The picture, read back as XML."""
    return ElementTree.fromstring(svg)


def squares(player: Mapping[str, Any]) -> list[str]:
    """Every square of a territory."""
    return [square for place in player["territory"] for square in place["squares"]]


@pytest.mark.parametrize(("language", "word"), [("en", "Reconstructed"), ("fr", "Reconstitué")])
def test_every_square_of_everybody_is_a_place_to_choose(language: Language, word: str) -> None:
    """Each square stands in its owner's zone under the name that orders understand; one's own zone comes first."""
    assert isinstance(RULES, DrawsBoard)
    assert isinstance(RULES, HasZones)
    shown = views(4)[-1]
    zones = {one.zone.name: one.zone for one in RULES.zones(shown, language)}
    assert next(iter(zones)) == shown["powers"][SEATS[0]]["colour"]
    for player in shown["powers"].values():
        assert sorted(item.name for item in zones[player["colour"]].items) == sorted(squares(player))
    root = parsed(RULES.draw(shown, language, live=True))
    labels = {found.get("data-name") for found in root.iter()}
    assert labels >= {square for player in shown["powers"].values() for square in squares(player)}
    still = parsed(RULES.draw(shown, language))
    for tag in ("text", "desc"):
        assert any(word in (line.text or "") for line in still.iter(f"{SVG}{tag}"))


def test_both_sides_of_a_tile_are_told_apart() -> None:
    """With two players, each may lay the side that they choose: the letter above says which is which."""
    drawn = RULES.draw(views(2)[0], "fr")
    assert drawn.count(">Tuile A, blanc<") == drawn.count(">Tuile A, noir<") == 1
    assert ">Tuile A<" in RULES.draw(views(3)[0], "fr")


def test_every_zone_can_be_read_on_a_phone() -> None:
    """No part is wider than what a phone shows legibly, and no letter is smaller than that allows."""
    for shown in (views(4)[0], views(4)[-1]):
        parts = RULES.crops(shown)
        assert {player["colour"] for player in shown["powers"].values()} <= set(parts)
        assert all(part.box[2] <= LEGIBLE for name, part in parts.items() if name != "map")
        root = parsed(RULES.draw(shown, "fr", theme=Theme.DARK))
        assert all(int(line.get("font-size") or 0) >= SMALLEST for line in root.iter(f"{SVG}text"))
        for one in RULES.zones(shown, "fr"):
            for left, top, wide, high in (item.box for item in one.zone.items):
                assert left >= 0
                assert top + high <= one.zone.size[1]
                assert left + wide <= max(LEGIBLE, one.zone.size[0])


def test_what_has_changed_is_marked_and_nothing_else() -> None:
    """A square whose location or worker changed is marked, in one's own zone first; the same view marks none."""
    old = views(4)[-1]
    new = copy.deepcopy(old)
    player = new["powers"][SEATS[0]]
    first, second = [p for p in player["territory"] if len(p["squares"]) == 1 and not p["workers"]][:2]
    first["room"] = "sea" if first["room"] != "sea" else "mine"
    second["workers"] = second["squares"]
    marked = {one.zone.name: set(one.changed) for one in RULES.zones(new, "en", since=old) if one.changed}
    assert marked == {player["colour"]: {*first["squares"], *second["squares"]}}
    assert not any(one.changed for one in RULES.zones(old, "en", since=old))
    ahead = {one.zone.name: set(one.intended) for one in RULES.zones(old, "en", preview=new) if one.intended}
    assert ahead == marked
    assert list(RULES.crops(new, old))[1] == player["colour"]


@pytest.mark.parametrize("seats", [2, 4])
def test_tiles_on_offer_are_shown_with_their_bids(seats: int) -> None:
    """Each tile under its letter, which orders understand, both sides where its owner chooses."""
    shown = next(view for view in views(seats) if len(view["offer"]) == seats)
    offer = next(one.zone for one in RULES.zones(shown, "en") if one.zone.name == "offer")
    assert [item.name for item in offer.items] == [lot["lot"] for lot in shown["offer"] for _ in lot["faces"]]


def test_routes_and_levels_are_told_in_words() -> None:
    """Who stands where on each route, and every level of everybody."""
    shown = next(view for view in reversed(views(4)) if any(route["spots"] for route in view["routes"]))
    zones = {one.zone.name: one.zone for one in RULES.zones(shown, "en")}
    assert [item.key for item in zones["routes"].items] == [str(route["number"]) for route in shown["routes"]]
    for route, item in zip(shown["routes"], zones["routes"].items, strict=True):
        assert item.text.count("on space") + item.text.count("rest/return") == len(route["spots"])
    for item in zones["levels"].items:
        player = shown["powers"][item.key]
        assert f"{player['workers']} in play, {player['upkeep']} food to feed them" in item.text
        assert f"Military {player['levels']['military']}" in item.text


def test_a_hand_is_shown_to_its_owner_alone() -> None:
    """Goods, building tiles and cards, each under the name that orders understand; everybody sees none."""
    shown = views(4)[-1]
    hand = next(one.zone for one in RULES.zones(shown, "en") if one.zone.name == "hand")
    player = shown["powers"][SEATS[0]]
    assert sum(bool(item.name) for item in hand.items) == len(player["pack"]) + len(player["cards"])
    public = views(4, PUBLIC)[-1]
    assert all(one.zone.name != "hand" for one in RULES.zones(public, "en"))
    assert all(held["stock"] == {} for held in public["powers"].values())
