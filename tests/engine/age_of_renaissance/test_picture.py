"""The picture of the board: it shows what the view holds, all of it, and nothing else."""

import copy
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.age_of_renaissance.atlas import Hull
from engine.age_of_renaissance.board import Leader, War
from engine.age_of_renaissance.catalogue import GOODS, PROVINCES, REGIONS_IN_PLAY
from engine.age_of_renaissance.drawing import chart, panel, shapes
from engine.age_of_renaissance.drawing.look import LETTER, NUMBER, PALETTE
from engine.age_of_renaissance.picture import crops, description, picture
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.drawing import Sheet
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.odds import to_percent
from engine.kernel.pictures import Theme
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.run import start
from engine.kernel.secrets import redact
from engine.kernel.text_layout import text_width
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from tests import bot_games
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import BLUE, VIOLET, YELLOW

SVG = "{http://www.w3.org/2000/svg}"
FONTS = Path(__file__).resolve().parents[3] / "pbem" / "fonts"


def view(position: Position[Any], viewer: Viewer = PUBLIC) -> View:
    """What a viewer is shown."""
    return RULES.present_view(redact(position, viewer), viewer)


def parsed(svg: str) -> ElementTree.Element:
    """The picture, read back as XML."""
    return ElementTree.fromstring(svg)


def places(root: ElementTree.Element) -> Mapping[str, ElementTree.Element]:
    """The elements of the provinces."""
    return {name: found for found in root.iter() if (name := found.get("data-province"))}


def texts(root: ElementTree.Element) -> list[str]:
    """Every line of text that is seen."""
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def busy(seats: int = 3) -> Position[Any]:
    """A game with every kind of piece on the map, and every kind of thing beside it."""
    position = build.game(seats)
    build.piece(position, YELLOW, "roma", old=2, new=1)
    build.piece(position, VIOLET, "roma", new=2)
    build.control(position, YELLOW, "napoli", "milano")
    build.control(position, YELLOW, "firenze", new=True)
    build.control(position, BLUE, "toledo", "north_america")
    build.advances(position, YELLOW, "ABCDEFGHIJKLMNOPQRS", bought="UV")
    build.ship(position, BLUE, Hull.GALLEY, 6)
    build.misery(position, BLUE, 70)
    build.tokens(position, BLUE, 7)
    board = position.board
    board.markets.update(wine=1, gold=-2)
    board.wars = (War(YELLOW, VIOLET, 2),)
    board.leaders = (Leader("charlemagne", VIOLET, 0),)
    board.banned = "religion"
    return position


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("seats", [3, 6])
def test_every_province_and_sea_is_named_in_both_languages(language: str, seats: int) -> None:
    """All 107 provinces can be found and are called by the first name that orders understand; all seas are named."""
    root = parsed(picture(view(build.game(seats)), language, live=True))
    found = places(root)
    assert list(found) == list(shapes.MIDDLES)
    for name, place in found.items():
        province = PROVINCES[name]
        assert place.get("data-name") == province.words.printed(language)
        playing = province.region in REGIONS_IN_PLAY[seats]
        assert ("unused" in (place.get("class") or "").split()) == (not playing)
        assert province.words.printed(language) in texts(root)
    assert root.get("lang") == language


def _where(root: ElementTree.Element, kind: str) -> list[tuple[str, str]]:
    """Text and colour of the pieces drawn as circles or boxes: (letter and number, fill of what lies beneath)."""
    group = next(found for found in root.iter(f"{SVG}g") if found.get("class") == "pieces")
    children = list(group.iter())
    return [
        (children[n + 1].text or "", children[n].get("fill") or "")
        for n in range(len(children) - 1)
        if children[n].tag == f"{SVG}{kind}" and children[n + 1].tag == f"{SVG}text"
    ]


def test_pieces_are_told_apart_by_owner_age_and_kind() -> None:
    """Markers are discs and tokens boxes; old ones full of their owner's colour, new ones empty; each has a letter."""
    root, paper = parsed(picture(view(busy()), "en", theme=Theme.LIGHT)), PALETTE.of("paper", Theme.LIGHT)
    discs, boxes = _where(root, "circle"), _where(root, "rect")
    yellow = "#f0e442"
    assert [place for place in boxes if place[0].startswith("V")] == [("V2", yellow), ("V1", paper)]
    assert [place for place in boxes if place[0].startswith("G")] == [("G2", paper)]
    assert sorted(place for place in discs if place[0] == "V") == sorted([("V", yellow)] * 3 + [("V", paper)])
    assert len({LETTER[c] for c in NUMBER}) == len(set(NUMBER.values())) == 6


def test_a_controlled_province_wears_its_owners_pattern() -> None:
    """Old control is painted densely, new control faintly, mere tokens not at all."""
    found = places(parsed(picture(view(busy()), "en", theme=Theme.LIGHT)))
    painted = {name: (place.get("fill"), place.get("fill-opacity")) for name, place in found.items()}
    own = f"url(#own-{NUMBER['venezia']})"
    assert painted["napoli"] == (own, ".88")
    assert painted["firenze"] == (own, ".5")
    assert painted["roma"] == painted["bari"] == (PALETTE.of("reg-VII", Theme.LIGHT), None)
    assert painted["paris"] == (PALETTE.of("unused", Theme.LIGHT), None)
    assert {name for name, place in found.items() if "held" in (place.get("class") or "").split()} >= {
        "napoli",
        "toledo",
    }


def test_each_place_says_in_words_what_lies_there() -> None:
    """For readers who do not see it: name, region, market, goods, and whose pieces, old and new."""
    root = parsed(picture(view(busy()), "en", live=True))
    assert places(root)["roma"].get("aria-label") == (
        "Roma, region VII, market 4, Stone. Venezia: 2 token(s), 1 new token(s); Genoa: 2 new token(s)"
    )
    assert places(root)["firenze"].get("aria-label") == "Firenze, region VII, market 4, Cloth. Venezia: new control"
    assert places(root)["bari"].get("aria-label") == "Bari, region VII, market 1, satellite"


def test_the_powers_stand_in_order_of_play_with_their_figures() -> None:
    """Order, cash, income, misery, fleet and advances are written; so are wars, leaders and markets."""
    position = busy()
    build.order(position, BLUE, YELLOW, VIOLET)
    shown = view(position)
    said = texts(parsed(picture(shown, "en")))
    panel = said[said.index("Order of play") :]
    assert [text for text in panel if text in ("Barcelona", "Venezia", "Genoa")] == ["Barcelona", "Venezia", "Genoa"]
    for seat in (BLUE, YELLOW, VIOLET):
        power = shown["powers"][seat]
        for figure in (power["cash"], power["income"], power["misery"], f"{power['expansion']}/{power['stock']}"):
            assert str(figure) in panel
    assert "ABCDEFGHIJKLMNOPQRSUV" in "".join(text for text in panel if len(text) == 1)
    assert {"War: Venezia against Genoa", "Leader: Charlemagne", "Papal Decree: no Religion", "Turn 2", "cards"} <= set(
        said
    )
    assert [panel[panel.index(f"{good} {GOODS[good.lower()].base}") + 1] for good in ("Wine", "Gold")] == ["▲", "▼▼"]


def test_many_advances_stand_in_two_lines_within_their_row() -> None:
    """The letters of a power with many advances stand above and below its line, and reach no other power's row."""
    found = list(parsed(picture(view(busy()), "en")).iter(f"{SVG}text"))
    line = next(
        int(one.get("y") or 0) for one in found if one.text == "Venezia" and int(one.get("y") or 0) > shapes.HIGH
    )
    letters = [int(one.get("y") or 0) for one in found if one.get("font-size") == "46" and len(one.text or "") == 1]
    assert len(letters) == 21
    assert min(letters) < line < max(letters)
    assert len(set(letters)) == 2
    assert all(abs(y - line) < panel.ROW // 2 for y in letters)


def test_the_last_picture_shows_the_scores() -> None:
    """§11  When the game is over, each power's score stands where its cards were counted."""
    shown = view(bot_games.plain(RULES).position)
    said = texts(parsed(picture(shown, "en")))
    assert {"Game over", "score"} <= set(said)
    scores = [power["score"] for power in shown["powers"].values() if power["score"] is not None]
    assert {str(score).replace("-", "−") for score in scores} <= set(said)
    assert "cards" not in said


def test_cash_that_may_not_be_counted_is_not_written() -> None:
    """R33  Where cash is piled, others read the sum on the sheet in brackets; its owner reads the true one."""
    position = build.game(3, cash="piled")
    build.cash(position, YELLOW, 777, written=41)
    for viewer in (PUBLIC, BLUE):
        said = texts(parsed(picture(view(position, viewer), "en")))
        assert "777" not in " ".join([*said, description(Sheet(view(position, viewer), "en"))])
        assert "(41)" in said
    assert "777" in texts(parsed(picture(view(position, YELLOW), "en")))


def _marked(svg: str, kind: str) -> int:
    return sum(kind in (found.get("class") or "").split() for found in parsed(svg).iter(f"{SVG}use"))


def test_what_has_changed_since_is_marked_and_nothing_else() -> None:
    """New pieces, lost pieces and changed control each mark their province; the same view marks none."""
    earlier = busy()
    later = copy.deepcopy(earlier)
    build.piece(later, VIOLET, "roma")
    build.piece(later, BLUE, "valencia", new=2)
    build.control(later, BLUE, "lisboa", new=True)
    old, new = view(earlier), view(later)
    svg = picture(new, "en", since=old, live=True)
    assert _marked(svg, "changed") == 3
    said = texts(parsed(svg))
    assert {"−2G", "+2B", "+B●"} <= set(said)
    assert "changed, before: nothing" in (places(parsed(svg))["lisboa"].get("aria-label") or "")
    assert _marked(picture(old, "en", since=old), "changed") == 0
    assert _marked(picture(old, "en"), "changed") == 0


def test_orders_are_drawn_as_intentions() -> None:
    """What a preview adds is drawn with broken lines, apart from what lies there and from what has changed."""
    now = busy()
    ahead = copy.deepcopy(now)
    build.piece(ahead, BLUE, "palma", new=1)
    build.cash(ahead, BLUE, 33)
    svg, still = (picture(view(now, BLUE), "en", preview=view(ahead, BLUE), live=live) for live in (True, False))
    assert (_marked(svg, "intended"), _marked(svg, "changed")) == (1, 0)
    assert "+1B" in texts(parsed(svg))
    assert "−7" in texts(parsed(still))
    assert "by your orders: Barcelona: 1 new token(s)" in (places(parsed(svg))["palma"].get("aria-label") or "")


def test_a_live_picture_can_be_used_by_keyboard_and_a_still_one_is_one_image() -> None:
    """Live: buttons with names, one of them in the order of tabs; still: nothing to stop at."""
    shown = view(busy(), BLUE)
    root, still = parsed(picture(shown, "en", live=True)), parsed(picture(shown, "en"))
    buttons = [found for found in root.iter() if found.get("role") == "button"]
    assert [found.get("tabindex") for found in buttons] == ["0"] + ["-1"] * 106
    assert all(found.get("aria-label") for found in buttons)
    assert {found.get("data-province"): found.get("data-room") for found in buttons if found.get("data-room")} == {
        place["province"]: str(place["most"]) for place in shown["own"]["placements"]
    }
    assert {found.get("data-province"): found.get("data-needs") for found in buttons if found.get("data-needs")} == {
        attack["province"]: str(attack["needs"]) for attack in shown["own"]["attacks"]
    }
    assert (root.get("role"), still.get("role")) == ("group", "img")
    assert not [found for found in still.iter() if found.get("tabindex") or found.get("role") == "button"]


def test_a_place_to_choose_says_what_an_attack_takes_and_its_odds() -> None:
    """In per cent, as the rules reckon them, where the viewer may attack; what may still fail is not called certain; a
    still picture says nothing of it.
    """
    shown = view(busy(), BLUE)
    shown["own"]["attacks"][0]["wins"] = shown["own"]["attacks"][0]["of"] - 1
    live, still = picture(shown, "en", live=True), picture(shown, "en")
    assert shown["own"]["attacks"]
    for attack in shown["own"]["attacks"]:
        said = places(parsed(live))[attack["province"]].get("aria-label") or ""
        assert f"an attack takes: {attack['needs']}," in said
        assert said.endswith(f"chance of {to_percent(attack['wins'], attack['of'], 'en')}")
    assert "with a chance of over 99%" in live
    assert "chance of" not in still


@pytest.mark.parametrize("seats", [3, 6])
def test_a_crop_is_a_window_on_the_same_picture(seats: int) -> None:
    """Each is the same picture through a smaller window within the canvas; an unknown one is refused."""
    shown = view(busy(seats))
    whole = picture(shown, "en")
    for crop, part in crops(shown).items():
        drawn = picture(shown, "en", crop=crop)
        boxes = [re.search(r'viewBox="(\d+) (\d+) (\d+) (\d+)"', svg) for svg in (whole, drawn)]
        assert boxes[0]
        assert boxes[1]
        assert drawn.replace(boxes[1][0], boxes[0][0]) == whole
        left, top, wide, high = (int(number) for number in boxes[1].groups())
        assert part.box == (left, top, wide, high)
        assert (left + wide, top + high) <= (shapes.WIDE, shapes.HIGH)
        assert part.words.printed("fr")
    with pytest.raises(KeyError):
        picture(shown, "en", crop="atlantis")


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("seats", [3, 6])
def test_every_place_in_play_can_be_read_on_a_phone(seats: int, language: Language) -> None:
    """Its name, its pill and its pieces lie whole in a part whose smallest letter is 9 pixels high in 328."""
    shown = view(busy(seats))
    named = dict(crops(shown))
    del named["map"]
    for province in PROVINCES.values():
        if not chart.in_play(province, seats):
            continue
        x, y = shapes.MIDDLES[province.id]
        letters = len(province.words.printed(language))
        name, pill = letters * (10 if letters > 12 else 12), chart.pill_width(province, seats) // 2
        assert any(
            part.box[0] <= x - max(name, pill + 64)
            and x + max(name, pill) <= part.box[0] + part.box[2]
            and part.box[1] <= y - 70
            and y + 60 <= part.box[1] + part.box[3]
            for part in named.values()
        ), province.id
    sizes = {int(found.get("font-size") or 0) for found in parsed(picture(shown, language)).iter(f"{SVG}text")}
    for part in named.values():
        assert min(sizes) * 328 >= 9 * part.box[2]


def test_the_parts_where_one_has_pieces_come_first() -> None:
    """Of the crops, after the whole map: those where most has changed, then those where the viewer has most."""
    assert list(crops(view(busy(), BLUE)))[:2] == ["map", "IV"]
    assert list(crops(view(busy(), YELLOW)))[:2] == ["map", "VII-2"]
    later = busy()
    build.piece(later, BLUE, "cyprus", new=1)
    found = crops(view(later, YELLOW), view(busy(), YELLOW))
    assert next(name for name in found if name != "map") == "VI-2"
    assert found["VI-2"].weight > found["VII-2"].weight > found["V-1"].weight == 0


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_description_tells_the_same(language: str) -> None:
    """Turn, order of play, provinces and misery of each, what has changed, what orders would do."""
    now = busy()
    ahead = copy.deepcopy(now)
    build.piece(ahead, BLUE, "palma", new=1)
    told = description(Sheet(view(now), language, since=view(build.game(3)), preview=view(ahead)))
    assert parsed(picture(view(now), language)).findtext(f"{SVG}desc") == description(Sheet(view(now), language))
    for name in ("venezia", "genoa", "barcelona", "roma", "palma", "toledo"):
        assert PROVINCES[name].words.printed(language) in told
    assert " 70" in told


def test_an_empty_table_can_be_drawn() -> None:
    """Before capitals are chosen nobody has a colour; the picture is made all the same, for everybody."""
    seats = tuple(Seat(name) for name in ("ann", "bob", "cleo"))
    begun = start(RULES, seats, RULES.meta.chosen({}), b"start", b"0").position
    for viewer in (PUBLIC, *seats):
        assert "no capital yet" in texts(parsed(picture(view(begun, viewer), "en")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_beside_the_map_runs_out_of_the_picture(language: Language) -> None:
    """Before the first turn its phase is the heading, and longer than a number; nor any other line, however long."""
    shown = view(busy(), BLUE)
    for turn, phase in ((0, "setup"), (4, "expansion")):
        svg = parsed(picture({**shown, "turn": turn, "phase": phase}, language))
        beside = [one for one in svg.iter() if one.tag.endswith("text") and one.get("x") == str(panel.ASIDE)]
        assert len(beside) >= 2
        for line in beside:
            assert panel.ASIDE + text_width(line.text or "", int(line.get("font-size") or 0)) <= shapes.WIDE
