"""The picture of the board: it shows what the view holds, all of it, and nothing else."""

import copy
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import ImageFont

import pbem
from engine.kernel.bots import FinishedGame, chooser
from engine.kernel.drawing import Sheet
from engine.kernel.languages import Language
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.rules import View
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC, Seat
from engine.renaissance.board import Board
from engine.renaissance.catalogue import NATIONS, TOWNS
from engine.renaissance.drawing import shapes
from engine.renaissance.drawing.look import LETTER
from engine.renaissance.picture import crops, description, picture
from engine.renaissance.ruleset import RULES
from tests import bot_games, invariants
from tests.engine.renaissance import map_shapes

BOLD = Path(pbem.__file__).parent / "fonts" / "DejaVuSansCondensed-Bold.ttf"
SVG = "{http://www.w3.org/2000/svg}"
SHORE = 70
"""So far from its city, in units, a road may lie on the water's side of the coast."""
CANARIES = tuple(Seat(f"canary{number}") for number in range(1, 4))
SEATS = tuple(Seat(f"p{number}") for number in range(1, 7))
OPTIONS = {4: RULES.meta.chosen({}), 6: RULES.meta.chosen({"nations": "chosen"})}


@cache
def played(seats: int) -> FinishedGame[Board]:
    """A whole game; those of four and six are the ones that other tests read."""
    if seats in OPTIONS:
        return bot_games.played(RULES, SEATS[:seats], OPTIONS[seats])
    return bot_games.played(RULES, CANARIES, {}, b"pictures2")


def views(seats: int, seat: Seat | None = None) -> Sequence[View]:
    """What a seat, by default the first, was shown after each entry."""
    return bot_games.views(RULES, played(seats), seat or (SEATS if seats in OPTIONS else CANARIES)[0])


def parsed(svg: str) -> ElementTree.Element:
    """The picture, read back as XML."""
    return ElementTree.fromstring(svg)


def places(root: ElementTree.Element) -> Mapping[str, ElementTree.Element]:
    """The elements of the cities' land."""
    return {name: found for found in root.iter() if (name := found.get("data-province"))}


def texts(root: ElementTree.Element) -> list[str]:
    """Every line of text that is seen."""
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def marked(svg: str, kind: str) -> list[str]:
    """The cities with a mark."""
    uses = (found for found in parsed(svg).iter(f"{SVG}use") if kind in (found.get("class") or "").split())
    return [str(found.get("href")).removeprefix("#a-") for found in uses]


@pytest.mark.night
def test_the_shapes_are_those_that_the_maker_makes() -> None:
    """The committed file follows from the coasts and the catalogue, byte for byte; it says what is reconstructed.

    Every port's land has a coast.
    """
    assert map_shapes.SHAPES.read_text(encoding="utf-8") == map_shapes.written()
    assert "reconstructed" in map_shapes.NOTE
    for name in (town.id for town in TOWNS.values() if town.port):
        assert any({name, shapes.WATER} == sides for sides in shapes.OUTLINES.sides), name


@pytest.mark.parametrize(("seats", "spoken", "word"), [(3, "fr", "reconstituée"), (6, "en", "Reconstructed map")])
def test_every_city_is_named_and_shows_whose_it_is(seats: int, spoken: Language, word: str) -> None:
    """All cities can be found under the name that orders understand; those out of play are told apart.

    The picture says that its map is reconstructed, and its description too.
    """
    assert isinstance(RULES, DrawsBoard)
    shown = views(seats)[-1]
    root = parsed(RULES.draw(shown, spoken, theme=Theme.DARK, live=True))
    assert any(word in text for text in texts(root))
    assert word in description(Sheet(shown, spoken))
    found, open_cities = places(root), {city["id"]: city for city in shown["cities"]}
    assert list(found) == list(TOWNS)
    for name, place in found.items():
        assert TOWNS[name].words.printed(spoken) in texts(root)
        assert ("unused" in (place.get("class") or "").split()) == (name not in open_cities)
        assert (place.get("data-name") == TOWNS[name].words.printed(spoken)) == (name in open_cities)
        owner = open_cities.get(name, {}).get("owner")
        assert ("held" in (place.get("class") or "").split()) == (owner is not None)
        if owner is not None:
            letter = LETTER[shown["powers"][owner]["nation"]]
            assert letter in (place.get("aria-label") or "").replace(",", ".").replace(" ", ".").split(".")


def test_a_city_says_in_words_whether_it_is_a_port() -> None:
    """Readers who do not see the picture learn from a city's words which cities are ports."""
    found = places(parsed(picture(views(6)[-1], "en")))
    said = {name: place.findtext(f"{SVG}title") or "" for name, place in found.items()}
    assert {name for name, words in said.items() if ", port" in words} == {t.id for t in TOWNS.values() if t.port}


def test_the_powers_stand_in_order_of_play_with_their_figures() -> None:
    """Score, ducats, income, cities, provinces, artists and cards of everybody."""
    shown = views(4)[-1]
    said = texts(parsed(picture(shown, "en")))
    panel = said[said.index("Order of play") :]
    names = [NATIONS[shown["powers"][seat]["nation"]].words.printed("en") for seat in shown["order"]]
    assert [text for text in panel if text in names] == names
    for power in shown["powers"].values():
        for figure in (power["score"], power["ducats"], power["income"], len(power["cities"]), power["cards"]):
            assert str(figure) in panel
    assert "game over" in " ".join(said)


def test_what_has_changed_is_marked_and_nothing_else() -> None:
    """A city that changed its holder, walls, palace or artist is marked; the same view marks none."""
    old = views(4)[-1]
    new = copy.deepcopy(old)
    first, second, third = [city for city in new["cities"] if city["owner"] and not city["palace"]][:3]
    other = next(seat for seat in new["order"] if seat != first["owner"])
    first["owner"], second["palace"], third["level"] = other, True, 3 if third["level"] == 1 else 1
    svg = picture(new, "en", since=old, live=True)
    expected = {first["id"], second["id"], third["id"]}
    assert set(marked(svg, "changed")) == expected
    assert "changed, before:" in (places(parsed(svg))[first["id"]].get("aria-label") or "")
    assert "+palace" in " ".join(texts(parsed(svg)))
    assert marked(picture(old, "en", since=old), "changed") == []
    ahead = picture(old, "en", preview=new)
    assert (set(marked(ahead, "intended")), marked(ahead, "changed")) == (expected, [])
    assert "Your orders:" in description(Sheet(old, "en", preview=new))


Extent = tuple[float, float, float, float]


def extent(found: ElementTree.Element) -> Extent:
    """The room that a line of text takes in the server's own font: left, top, right, bottom."""
    size = int(found.get("font-size") or 0)
    wide = ImageFont.truetype(str(BOLD), size).getlength(found.text or "")
    x, base = int(found.get("x") or 0), int(found.get("y") or 0)
    left = x - {"end": wide, "middle": wide / 2}.get(found.get("text-anchor") or "", 0)
    return left, base - 0.75 * size, left + wide, base + 0.2 * size


def covers(one: Extent, other: Extent) -> bool:
    """Return True if two rooms share any."""
    return max(one[0], other[0]) < min(one[2], other[2]) and max(one[1], other[1]) < min(one[3], other[3])


def test_what_is_noted_beside_a_city_covers_no_name_and_no_other_note() -> None:
    """Whatever changed from one turn to the next can be read, and so can every name, inside the map."""
    spoken, shown = Language("fr"), views(6)
    first = {view["turn"]: view for view in reversed(shown)}
    titles = {town.words.printed(spoken) for town in TOWNS.values()}
    for turn in range(1, 6):
        then, now = first[turn], first[turn + 1]
        for svg in (picture(now, spoken, since=then), picture(then, spoken, preview=now)):
            written = list(parsed(svg).iter(f"{SVG}text"))
            notes = [found for found in written if "note" in (found.get("class") or "").split()]
            named = [extent(found) for found in written if found.text in titles]
            rooms = [extent(found) for found in notes]
            assert len(named) == len(TOWNS)
            assert len(rooms) >= 3
            for n, room in enumerate(rooms):
                assert not [name for name in named if covers(room, name)], notes[n].text
                assert not [other for other in rooms[:n] if covers(room, other)], notes[n].text
                assert 0 <= room[0] < room[2] <= shapes.WIDE


def test_a_battle_under_way_is_drawn() -> None:
    """The city that is attacked, and who fights whom."""
    fought = next(view for view in views(4) if view["battle"] is not None)
    svg = picture(fought, "en")
    assert [found for found in parsed(svg).iter() if "battle" in (found.get("class") or "").split()]
    assert any(text.startswith("battle: ") for text in texts(parsed(svg)))


def test_a_live_picture_can_be_used_by_keyboard_and_a_still_one_is_one_image() -> None:
    """Live: buttons with names, one of them in the order of tabs, free cities in reach told; still: none to stop at."""
    shown = next(view for view in views(3) if view["own"]["free"])
    root, still = parsed(picture(shown, "en", live=True)), parsed(picture(shown, "en"))
    buttons = [found for found in root.iter() if found.get("role") == "button"]
    assert sorted(found.get("tabindex") or "" for found in buttons) == ["-1"] * (len(shown["cities"]) - 1) + ["0"]
    assert all(found.get("aria-label") for found in buttons)
    room = {found.get("data-province") for found in buttons if found.get("data-room")}
    assert room == {place["city"] for place in shown["own"]["free"]}
    assert (root.get("role"), still.get("role")) == ("group", "img")
    assert not [found for found in still.iter() if found.get("tabindex") or found.get("role") == "button"]


def test_a_live_picture_leaves_its_legend_to_the_page() -> None:
    """Which has it beside the board; a still one holds it."""
    for live in (True, False):
        said = texts(parsed(picture(views(3)[0], "en", live=live)))
        assert ({"rampart", "fortress"} <= set(said)) is not live


def test_a_crop_is_a_window_on_the_same_picture() -> None:
    """Each lies within the canvas, together they hold every city; an unknown one is refused; one's own comes first."""
    shown = views(6)[-1]
    whole, held = picture(shown, "en"), set()
    for crop in crops(shown):
        part = picture(shown, "en", crop=crop)
        boxes = [re.search(r'viewBox="(\d+) (\d+) (\d+) (\d+)"', svg) for svg in (whole, part)]
        assert boxes[0]
        assert boxes[1]
        assert part.replace(boxes[1][0], boxes[0][0]) == whole
        left, top, wide, high = (int(number) for number in boxes[1].groups())
        assert (left + wide <= shapes.WIDE, top + high <= shapes.HIGH) == (True, True)
        inside = {n for n, (x, y) in shapes.PLACES.items() if left < x < left + wide and top < y < top + high}
        held |= inside if crop != "map" else set()
    assert held == set(TOWNS)
    with pytest.raises(KeyError):
        picture(shown, "en", crop="atlantis")


def test_every_city_can_be_read_on_a_phone() -> None:
    """Its name lies whole in a part whose smallest letter is 9 pixels high in 328; the weightiest part comes first."""
    spoken, shown = Language("fr"), views(6)[-1]
    first, *found = crops(shown).items()
    assert first[0] == "map"
    weights = [part.weight for _, part in found]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > 0
    root = parsed(picture(shown, spoken))
    titles = {town.words.printed(spoken) for town in TOWNS.values()}
    for text in root.iter(f"{SVG}text"):
        left, top, right, bottom = extent(text)
        assert text.text not in titles or any(
            x <= left and right <= x + wide and y <= top and bottom <= y + high
            for _, part in found
            for x, y, wide, high in [part.box]
        ), text.text
        assert all(int(text.get("font-size") or 0) * 328 >= 9 * part.box[2] for _, part in found)


def test_the_board_opens_at_the_cities_to_begin_in() -> None:
    """Before anybody has a city, for each seat of a game; those of Venice are far apart."""
    for seat in CANARIES:
        shown = views(3, seat)[0]
        starts = shown["powers"][seat]["starts"]
        assert (bool(starts), [city["id"] for city in shown["cities"] if city["owner"]]) == (True, [])
        _, first = list(crops(shown).values())[:2]
        left, top, wide, high = first.box
        at = [shapes.PLACES[city] for city in starts]
        assert any(left <= x <= left + wide and top <= y <= top + high for x, y in at), (seat, starts)


def test_nothing_in_a_picture_depends_on_what_its_viewer_does_not_know() -> None:
    """Whatever is hidden from a viewer may change: their picture does not, and no seat's own name stands in it."""
    for entry in played(3).entries[::20]:
        for viewer in (PUBLIC, *CANARIES[:2]):
            hidden = invariants.resampled(entry.after.position, viewer, chooser(b"resampled"))
            mine, theirs = (
                RULES.present_view(redact(world, viewer), viewer) for world in (entry.after.position, hidden)
            )
            svg = picture(mine, "fr", live=True)
            assert svg == picture(theirs, "fr", live=True)
            assert "canary" not in svg


def on_land(x: int, y: int) -> bool:
    """Whether a point lies in the area of a city or beyond the frontiers, by the even-odd rule."""
    return any(sum(inside(ring, x, y) for ring in shapes.OUTLINES.rings(name)) % 2 for name in (*TOWNS, shapes.WILDS))


def inside(ring: Sequence[tuple[int, int]], x: int, y: int) -> bool:
    """Whether a ring goes round a point."""
    found = False
    for (a, b), (c, d) in pairwise((*ring, ring[0])):
        found ^= (b > y) != (d > y) and x < a + (c - a) * (y - b) / (d - b)
    return found


def test_roads_lead_round_the_sea() -> None:
    """Each road joins its cities, and no point of it lies in the water, but for the shore on which a city stands."""
    for name, path in shapes.ROADS.items():
        ends = [shapes.PLACES[city] for city in name.split()]
        assert [path[0], path[-1]] == ends
        points = [
            (a + (c - a) * n // 20, b + (d - b) * n // 20) for (a, b), (c, d) in pairwise(path) for n in range(21)
        ]
        far = [spot for spot in points if all(dist(spot, end) > SHORE for end in ends)]
        assert all(on_land(*spot) for spot in far), name
