"""The picture of the table: it shows what the view holds, zone by zone, readable on a phone, and nothing else."""

import copy
from collections.abc import Mapping
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.kernel.drawing import Sheet
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.names import PUBLIC, Seat, Viewer
from engine.kernel.pictures import LEGIBLE, Draws, Theme
from engine.kernel.rules import View
from engine.kernel.secrets import redact
from engine.patchistory.catalogue import ROOMS
from engine.patchistory.picture import crops, description, picture
from engine.patchistory.ruleset import RULES
from tests import games

SVG = "{http://www.w3.org/2000/svg}"
SEATS = tuple(Seat(f"canary{number}") for number in range(1, 5))


@cache
def views(seats: int, viewer: Viewer = SEATS[0]) -> tuple[View, ...]:
    """What a viewer was shown after each entry of a whole game."""
    played = games.played(RULES, SEATS[:seats], {}, b"pictures")
    return tuple(RULES.present(redact(entry.after.position, viewer), viewer) for entry in played.entries)


def parsed(svg: str) -> ElementTree.Element:
    """The picture, read back as XML."""
    return ElementTree.fromstring(svg)


def texts(root: ElementTree.Element) -> list[str]:
    """Every line of text that is seen."""
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def marked(svg: str, kind: str) -> set[str]:
    """The squares with a mark."""
    found = (one for one in parsed(svg).iter() if kind in (one.get("class") or "").split())
    return {str(one.get("data-marked")) for one in found if one.get("data-marked")}


def squares(player: Mapping[str, Any]) -> list[str]:
    """Every square of a territory."""
    return [square for place in player["territory"] for square in place["squares"]]


def test_the_game_draws_its_board() -> None:
    """The rules keep the optional protocol, and the same view makes the same picture."""
    assert isinstance(RULES, Draws)
    shown = views(3)[-1]
    assert RULES.picture(shown, "fr") == picture(shown, "fr")
    assert dict(RULES.crops(shown)) == dict(crops(shown))


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_square_of_everybody_is_shown_and_named(language: Language, theme: Theme) -> None:
    """Each square is a place of its own, with what it is in words; one's own territory comes first."""
    shown = views(4)[-1]
    root = parsed(picture(shown, language, theme=theme, live=True))
    found = [place for place in root.iter() if place.get("data-square")]
    wanted = [square for player in shown["powers"].values() for square in squares(player)]
    assert sorted(str(place.get("data-square")) for place in found) == sorted(wanted)
    own = squares(shown["powers"][SEATS[0]])
    assert {str(place.get("data-square")) for place in found[: len(own)]} == set(own)
    names = {ROOMS[place["room"]].words.printed(language) for place in shown["powers"][SEATS[0]]["territory"]}
    labels = " ".join(place.get("aria-label") or "" for place in found)
    assert all(name in labels for name in names)
    assert [place.get("tabindex") for place in found].count("0") == 1


def test_every_zone_can_be_read_on_a_phone() -> None:
    """No zone is wider than what a phone shows legibly, and no letter is smaller than that allows."""
    for shown in views(4)[::20]:
        parts = crops(shown)
        assert next(iter(parts)) == "map"
        assert {player["colour"] for player in shown["powers"].values()} <= set(parts)
        assert all(part.box[2] <= LEGIBLE for name, part in parts.items() if name != "map")
        for name in parts:
            root = parsed(picture(shown, "fr", crop=name))
            assert all(int(line.get("font-size") or 0) >= 32 for line in root.iter(f"{SVG}text"))


def test_zones_do_not_lie_over_each_other() -> None:
    """Each zone has its own room."""
    for shown in views(3)[::20]:
        boxes = [part.box for name, part in crops(shown).items() if name != "map"]
        for n, (x, y, wide, high) in enumerate(boxes):
            for left, top, across, down in boxes[:n]:
                assert x + wide <= left or left + across <= x or y + high <= top or top + down <= y


def test_a_territory_stays_within_its_zone() -> None:
    """The largest territory that the rules allow is as wide as a zone, and what is drawn of it lies there."""
    shown = views(4)[-1]
    for name, part in crops(shown).items():
        if name in ("map", "offer", "levels", "routes"):
            continue
        for rect in parsed(picture(shown, "fr", crop=name)).iter(f"{SVG}rect"):
            x, y = int(rect.get("x") or 0), int(rect.get("y") or 0)
            if rect.get("class") and part.box[0] <= x < part.box[0] + LEGIBLE and part.box[1] <= y:
                assert x + int(rect.get("width") or 0) <= part.box[0] + LEGIBLE + 8


def test_what_has_changed_is_marked_and_nothing_else() -> None:
    """A square whose location, building or worker changed is marked; the same view marks none; orders are broken."""
    old = views(4)[-1]
    new = copy.deepcopy(old)
    places = new["powers"][SEATS[0]]["territory"]
    first, second = [place for place in places if len(place["squares"]) == 1 and not place["workers"]][:2]
    first["room"] = "sea" if first["room"] != "sea" else "mine"
    second["workers"] = second["squares"]
    changed = {*first["squares"], *second["squares"]}
    assert marked(picture(new, "en", since=old), "changed") == changed
    assert marked(picture(old, "en", since=old), "changed") == set()
    ahead = picture(old, "en", preview=new)
    assert (marked(ahead, "intended"), marked(ahead, "changed")) == (changed, set())
    assert "Your orders:" in description(Sheet(old, "en", preview=new))
    assert next(name for name in list(crops(new, old))[1:]) == old["powers"][SEATS[0]]["colour"]


def test_tiles_on_offer_are_shown_with_their_bids() -> None:
    """Each tile under its letter, both sides where its owner chooses."""
    for seats in (2, 4):
        shown = next(view for view in views(seats) if len(view["offer"]) == seats)
        said = texts(parsed(picture(shown, "en")))
        for lot in shown["offer"]:
            assert said.count(f"Tile {lot['lot']}") == len(lot["faces"])


def test_levels_and_workers_of_everybody_are_shown() -> None:
    """Each player with the levels, what they produce, and the workers in play."""
    shown = views(4)[-1]
    said = texts(parsed(picture(shown, "en")))
    for player in shown["powers"].values():
        assert f"{player['workers']} in play, {player['upkeep']} food to feed them" in said
        assert {str(level) for level in player["levels"].values()} <= set(said)


def test_goods_of_others_are_not_shown() -> None:
    """Behind the screens only their owner looks: everybody's picture does not change with them."""
    shown = views(4, PUBLIC)[-1]
    assert all(player["stock"] == {} for player in shown["powers"].values())
    assert shown["seat"] == PUBLIC
    assert parsed(picture(shown, "fr")) is not None


@pytest.mark.parametrize(("language", "word"), [("en", "Reconstructed"), ("fr", "Reconstitué")])
def test_the_picture_says_what_is_reconstructed(language: Language, word: str) -> None:
    """On the whole picture, and in the words for those who do not look."""
    shown = views(3)[-1]
    assert any(word in text for text in texts(parsed(picture(shown, language))))
    assert word in description(Sheet(shown, language))


def test_the_description_is_the_table_as_text() -> None:
    """Every square of every territory is named in the words for those who do not look."""
    shown = views(4)[-1]
    said = description(Sheet(shown, "en"))
    for player in shown["powers"].values():
        assert all(square in said for square in squares(player))
