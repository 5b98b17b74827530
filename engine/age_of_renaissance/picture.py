"""The board as SVG, from a view: the map, the powers, the markets.

All that changes comes from the view, which holds nothing that its viewer may not know. The rest is geometry and names
of the catalogue. The canvas is 4000 units wide; a crop shows a part of it.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.drawing import chart, panel, parts, shapes
from engine.age_of_renaissance.drawing.holdings import capitals, changed, held_in_words, holdings
from engine.age_of_renaissance.drawing.look import NUMBER, PALETTE, say
from engine.age_of_renaissance.drawing.pieces import Scene, pieces, provinces
from engine.kernel.drawing import Drawing, Sheet, describe, join_words
from engine.kernel.languages import Language
from engine.kernel.odds import to_percent
from engine.kernel.pictures import Part
from engine.kernel.rules import View
from engine.kernel.text_layout import Box

CHANGED: Final = 5
"""The weight of a changed province, added to that of a province with the viewer's pieces."""


def _layers(sheet: Sheet) -> Iterator[str]:
    scene, players = _scene(sheet), sheet.view["players"]
    yield chart.ground(sheet.theme)
    yield provinces(scene)
    yield chart.frame(sheet.language, sheet.theme, players)
    yield pieces(scene)
    yield chart.names(sheet.language, sheet.theme, players)
    yield panel.panel(sheet)


def _scene(sheet: Sheet) -> Scene:
    view, held = sheet.view, holdings(sheet.view)
    before = changed(holdings(sheet.since), held) if sheet.since is not None else {}
    ahead = {} if sheet.preview is None else holdings(sheet.preview)
    meant = {} if sheet.preview is None else {p: ahead.get(p, ()) for p in changed(held, ahead)}
    own = view.get("own", {})
    room = {place["province"]: place["most"] for place in own.get("placements", ())}
    needs = {attack["province"]: attack["needs"] for attack in own.get("attacks", ())}
    chances = {
        attack["province"]: to_percent(attack["wins"], attack["of"], sheet.language)
        for attack in own.get("attacks", ())
    }
    return Scene(sheet.language, sheet.theme, view["players"], sheet.live, held, before, meant, room, needs, chances)


def _looks(view: View) -> Iterator[int]:
    """Yield the looks of the powers, and of the pieces in the legend."""
    return (NUMBER[capital] for capital in (*capitals(view).values(), "venezia"))


# --- parts of the map


def crops(view: View, since: View | None = None) -> Mapping[str, Part]:
    """Return the map without the panel, and its parts, by most changes or most of the viewer's pieces first."""
    own = capitals(view).get(view.get("own", {}).get("seat", ""), "")
    lying = holdings(view)
    weights = {p: 1 for p, held in lying.items() if not own or any(one.capital == own for one in held)}
    for province in changed(holdings(since), lying) if since is not None else ():
        weights[province] = weights.get(province, 0) + CHANGED
    return {"map": Part(say.words["map"], (0, 0, shapes.WIDE, shapes.HIGH)), **parts.weighed(view["players"], weights)}


def _window(crop: str, view: View) -> Box:
    return (0, 0, shapes.WIDE, shapes.HIGH) if crop == "map" else parts.windows(view["players"])[crop].box


# --- in words


def _title(view: View, language: Language) -> str:
    return say(language, "title", turn=view["turn"]) if view["turn"] else say(language, "title_setup")


def description(sheet: Sheet) -> str:
    """Return the picture in sentences: phase, powers, changes, and what the viewer's orders would change."""
    view, language = sheet.view, sheet.language
    plays = capitals(view)
    names = {seat: PROVINCES[capital].words.printed(language) for seat, capital in plays.items()}
    first, *rest = panel.course(view, language)
    said = [
        say(
            language,
            "description",
            map=say(language, "map"),
            phase=first,
            epoch=", ".join(rest),
            order=", ".join(names.values()) or say(language, "nobody"),
        ),
    ]
    powers = view["powers"]
    standing = [
        say(
            language,
            "standing",
            who=names[seat],
            provinces=powers[seat]["provinces"],
            misery=panel.figure(powers[seat], "misery", language),
        )
        for seat in plays
    ]
    said += [f"{join_words(standing, language)}."] if standing else []
    return " ".join((*said, *describe(sheet, say, lambda before, after: _differences(before, after, language))))


def _differences(before: View, after: View, language: Language) -> list[str]:
    """Return the provinces whose pieces have changed, with their pieces."""
    now = holdings(after)
    return [
        f"{PROVINCES[p].words.printed(language)} ({held_in_words(now.get(p, ()), language)})"
        for p in changed(holdings(before), now)
    ]


DRAWING: Final = Drawing(
    (shapes.WIDE, shapes.HIGH), PALETTE, panel.height, _looks, _layers, _window, _title, description, chart.SIGNS
)
picture: Final = DRAWING.picture
