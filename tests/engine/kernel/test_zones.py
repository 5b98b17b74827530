"""A board of zones: where they stand, what has changed in them, what a page finds there, and the same in words."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.bots import play_game
from engine.kernel.drawing import COLOURS, Sheet
from engine.kernel.pictures import LEGIBLE, SMALLEST, DrawsBoard, Palette, label
from engine.kernel.rules import View
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat
from engine.kernel.zones import APART, HEAD, INSET, OVERLAP, Board, HasZones, Item, PlacedZone, Zone
from tests.bilingual import words
from tests.toy import RULES
from tests.toy.picture import BOARD

SVG = "{http://www.w3.org/2000/svg}"
A, B = Seat("ann"), Seat("bob")


def row(name: str, things: dict[str, str], side: int = 200) -> Zone:
    """Things in a row, each of which orders can name."""
    items = [
        Item(key, said, (n * side, 0, side, side), label(n * side, 60, key, 40), key.upper(), {"room": n})
        for n, (key, said) in enumerate(things.items())
    ]
    return Zone(name, words(f"{name} (fr)", name), (side * len(items), side), tuple(items))


def made(sheet: Sheet) -> tuple[Zone, ...]:
    """A zone for each row of a view."""
    return tuple(row(name, things) for name, things in sheet.view["rows"].items())


BOARD_OF_ROWS = Board(Palette(COLOURS), made, lambda view, language: "Rows")


def view(**rows: dict[str, str]) -> View:
    """A view with these rows."""
    return {"rows": rows}


def shown(now: View, **others: View) -> dict[str, PlacedZone]:
    """The zones of a view, by name."""
    return {one.zone.name: one for one in BOARD_OF_ROWS.zones(now, "en", **others)}


def drawn(picture: str) -> ElementTree.Element:
    """A picture as a tree."""
    return ElementTree.fromstring(picture)


def toy_view(seat: str) -> View:
    """The toy at its end, as somebody sees it."""
    position = play_game(RULES, (A, B), {"pace": "sealed"}, b"zones").position
    with seen_by(seat):
        return RULES.present_view(redact(position, seat), seat)


# --- where they stand


@given(st.lists(st.tuples(st.integers(1, 4000), st.integers(1, 900)), min_size=1, max_size=8))
def test_zones_never_cover_each_other(sizes: list[tuple[int, int]]) -> None:
    """However large zones are, each stands in its own place, on the canvas, with its heading."""
    zones = tuple(Zone(f"z{n}", words("z", "z"), size) for n, size in enumerate(sizes))
    board = replace(BOARD_OF_ROWS, built=lambda sheet: zones)
    found = board.zones({}, "en")
    boxes = [(o.x, o.y, o.x + o.zone.size[0] + APART, o.y + o.zone.size[1] + HEAD + APART) for o in found]
    for n, (left, top, right, bottom) in enumerate(boxes):
        assert all(right <= a or c <= left or bottom <= b or d <= top for a, b, c, d in boxes[:n])
    _, _, wide, high = board.crops({})["map"].box
    assert max(right for _, _, right, _ in boxes) <= wide + APART
    assert max(bottom for _, _, _, bottom in boxes) == high + APART


@given(st.integers(1, 30), st.integers(20, OVERLAP))
def test_whatever_lies_in_a_zone_is_whole_in_a_part_of_it(count: int, side: int) -> None:
    """A zone that has grown wider than a phone shows has several parts; nothing is cut in all of them."""
    board = replace(BOARD_OF_ROWS, built=lambda sheet: (row("land", dict.fromkeys(map(str, range(count)), "x"), side),))
    (one,) = board.zones({}, "en")
    boxes = [part.box for name, part in board.crops({}).items() if name != "map"]
    assert {box[2] for box in boxes} == {LEGIBLE}
    for item in one.zone.items:
        left = one.x + item.box[0]
        assert any(box[0] <= left and left + item.box[2] <= box[0] + box[2] for box in boxes)


def test_a_part_is_named_and_numbered() -> None:
    """The parts of a wide zone are counted, in their names and in their titles; other zones are not."""
    parts = BOARD_OF_ROWS.crops(view(land=dict.fromkeys("abcdefgh", "x"), hand={"a": "x"}))
    titles = {name: part.words.printed("fr") for name, part in parts.items()}
    assert titles == {"map": "plateau", "land": "land (fr)", "land-2": "land (fr) 2", "hand": "hand (fr)"}
    with pytest.raises(KeyError):
        BOARD_OF_ROWS.picture(view(hand={"a": "x"}), "en", crop="land")


# --- what has changed


def test_what_is_new_or_otherwise_is_marked_and_said() -> None:
    """What was not there, or was otherwise, is marked in the picture and told in words; nothing else is."""
    before, now = view(land={"a": "grass", "b": "wood"}), view(land={"a": "grass", "b": "farm", "c": "sea"})
    one = shown(now, since=before)["land"]
    assert one.changed == {"b", "c"}
    assert one.lines("en") == ("Grass; farm; sea.", "Changed: farm; sea.")
    assert BOARD_OF_ROWS.picture(now, "en", since=before).count('class="changed s-changed"') == 2
    assert 'class="changed' not in BOARD_OF_ROWS.picture(now, "en")


def test_what_belongs_together_is_marked_by_one_line() -> None:
    """Of a thing in several places one line goes round all, if only one has changed; not round others."""

    def joined(sheet: Sheet) -> tuple[Zone, ...]:
        return tuple(replace(z, items=tuple(replace(i, whole=i.key[0]) for i in z.items)) for z in made(sheet))

    board = replace(BOARD_OF_ROWS, built=joined)
    before, now = view(land={"a1": "x", "a2": "x", "b": "x"}), view(land={"a1": "x", "a2": "y", "b": "x"})
    marks = [
        found for found in drawn(board.picture(now, "en", since=before)).iter() if "changed" in found.get("class", "")
    ]
    assert [found.get("d") for found in marks] == [
        f"M{INSET} {INSET}h{400 - 2 * INSET}v{200 - 2 * INSET}h-{400 - 2 * INSET}z"
    ]
    assert board.zones(now, "en", since=before)[0].changed == {"a2"}


def test_a_zone_that_orders_make_larger_is_drawn_as_it_would_be() -> None:
    """A tile that one's orders would lay is shown in its place, as an intention."""
    one = shown(view(land={"a": "grass"}), preview=view(land={"a": "grass", "b": "farm"}))["land"]
    assert [item.key for item in one.zone.items] == ["a", "b"]
    assert not one.changed
    assert one.intended == {"b"}
    assert one.lines("fr") == ("Grass\u00a0; farm.", "Vos ordres changent : farm.")


def test_what_orders_would_take_away_stays_in_sight() -> None:
    """A card that one's orders would spend is shown, and marked."""
    one = shown(view(hand={"a": "wool", "b": "silk"}), preview=view(hand={"b": "silk"}))["hand"]
    assert [item.key for item in one.zone.items] == ["a", "b"]
    assert one.intended == {"a"}


def test_parts_come_first_where_most_has_changed() -> None:
    """A part with changes comes before one that concerns the viewer, and that before the others."""

    def weighted(sheet: Sheet) -> tuple[Zone, ...]:
        return tuple(replace(zone, weight=int(zone.name == "hand")) for zone in made(sheet))

    board = replace(BOARD_OF_ROWS, built=weighted)
    before = view(offer={"a": "x"}, hand={"a": "x"}, land={"a": "x"})
    now = view(offer={"a": "x"}, hand={"a": "x"}, land={"a": "y"})
    assert [name for name, part in board.crops(now, before).items() if part.weight] == ["land", "hand"]


# --- what a page finds


def test_places_can_be_chosen_on_a_live_picture_only() -> None:
    """What orders can name is a button with that name, its words and its figures; one of them is reached by Tab."""
    now = view(offer={"a": "a card", "b": "a tile"})
    tree = drawn(BOARD_OF_ROWS.picture(now, "en", live=True))
    buttons = [found for found in tree.iter(f"{SVG}g") if found.get("role") == "button"]
    keys = ("data-item", "data-name", "aria-label", "data-room", "tabindex")
    assert [tuple(found.get(key) for key in keys) for found in buttons] == [
        ("a", "A", "a card", "0", "0"),
        ("b", "B", "a tile", "1", "-1"),
    ]
    assert 'role="button"' not in BOARD_OF_ROWS.picture(now, "en")


def test_a_live_picture_says_where_its_parts_are() -> None:
    """Orders that are tried may move parts: a page finds their new windows in the picture itself."""
    now, after = view(land={"a": "x"}, hand={"a": "x"}), view(land=dict.fromkeys("abcdefgh", "x"), hand={"a": "x"})
    tree = drawn(BOARD_OF_ROWS.picture(now, "en", preview=after, live=True))
    found = {part.get("id"): part.get("viewBox") for part in tree.iter(f"{SVG}view")}
    boxes = {name: " ".join(map(str, part.box)) for name, part in BOARD_OF_ROWS.crops(after).items()}
    assert found == {f"zone-{name}": box for name, box in boxes.items()}


def test_an_area_lies_under_the_caption_and_is_marked_along_its_outline() -> None:
    """Things stand on it at its box, where a page finds them; a change goes round the area instead of the box."""
    outline = "M0 0h900v500z"

    def areas(sheet: Sheet) -> tuple[Zone, ...]:
        items = [
            Item("unit", "an army", (10, 10, 50, 50), "<circle/>", "A"),
            Item("land", sheet.view["owner"], (10, 10, 50, 50), f'<path d="{outline}"/>', "LAND", outline=outline),
        ]
        return (Zone("map", words("map", "map"), (1000, 500), items, "<line/>"),)

    picture = replace(BOARD_OF_ROWS, built=areas).picture({"owner": "b"}, "en", since={"owner": "a"}, live=True)
    assert picture.index("<path") < picture.index("<line") < picture.index("<circle")
    ring = next(path for path in drawn(picture).iter(f"{SVG}path") if "changed" in path.get("class", ""))
    assert ring.get("d") == outline
    (spot,) = (group for group in drawn(picture).iter(f"{SVG}g") if group.get("data-item") == "land")
    (box,) = spot
    assert (box.get("x"), box.get("width")) == ("10", "50")


# --- in words, and to be read


def test_the_picture_says_in_words_what_it_shows() -> None:
    """Its description has every zone with every word that is said of it."""
    description = drawn(BOARD_OF_ROWS.picture(view(land={"a": "grass"}, hand={}), "en")).find(f"{SVG}desc")
    assert description is not None
    assert description.text == "land: Grass. hand: "


@pytest.mark.parametrize("seat", ["ann", PUBLIC])
def test_letters_on_the_board_can_be_read_on_a_phone(seat: str) -> None:
    """Every part is as wide as a phone shows legibly, and no letter is smaller than can be read there."""
    assert isinstance(RULES, DrawsBoard)
    assert isinstance(RULES, HasZones)
    seen = toy_view(seat)
    parts = RULES.crops(seen)
    assert {part.box[2] for name, part in parts.items() if name != "map"} == {LEGIBLE}
    sizes = [int(text.get("font-size", "0")) for text in drawn(RULES.draw(seen, "en")).iter(f"{SVG}text")]
    assert min(sizes) >= SMALLEST


def test_a_hand_is_a_zone_for_its_owner_alone() -> None:
    """Who looks finds their own cards, and everybody else no zone of that name."""
    zones: dict[str, list[Any]] = {
        seat: [one.zone.name for one in BOARD.zones(toy_view(seat), "en")] for seat in ("ann", PUBLIC)
    }
    assert zones == {"ann": ["towns", "coins", "turns", "hand"], PUBLIC: ["towns", "coins", "turns"]}
