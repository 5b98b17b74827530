"""The board as SVG, from a view: the map, the powers, the markets.

Everything that moves comes from the view, which holds nothing that its viewer may not know; everything else is
geometry and names of the catalogue. The canvas is 4000 units wide; a crop is the same picture, seen through a smaller
window.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.drawing import chart, panel, parts, shapes
from engine.age_of_renaissance.drawing.holdings import capitals, changed, holdings, told
from engine.age_of_renaissance.drawing.look import NUMBER, PALETTE
from engine.age_of_renaissance.drawing.pieces import Scene, pieces, provinces
from engine.age_of_renaissance.drawing.words import PICTURE, say
from engine.kernel.languages import Language
from engine.kernel.pictures import Part, Theme, document, patterns, tag
from engine.kernel.rules import View

CHANGED: Final = 5
"""How much more a change weighs than a province that one has pieces in."""


def picture(
    view: View,
    language: Language,
    *,
    since: View | None = None,
    preview: View | None = None,
    theme: Theme = Theme.AUTO,
    crop: str = "",
    live: bool = False,
) -> str:
    """The board, as `Draws` says; raises KeyError for a crop that does not exist."""
    scene, desk = _scene(view, language, since, preview, theme, live), panel.Desk(view, since, preview, language, theme)
    numbers = sorted({NUMBER[capital] for capital in (*capitals(view).values(), "venezia")})
    high = shapes.HIGH + panel.height(view)
    return document(
        (shapes.WIDE, high),
        _title(view, language),
        description(view, language, since=since, preview=preview),
        PALETTE.style(theme),
        tag("defs", chart.SIGNS, patterns(numbers, 3)),
        tag("rect", width=shapes.WIDE, height=high, **PALETTE.fill("paper", theme)),
        chart.ground(theme),
        provinces(scene),
        chart.frame(language, theme, view["players"]),
        pieces(scene),
        chart.names(language, theme, view["players"]),
        panel.panel(desk),
        box=_window(crop, view["players"]) if crop else None,
        live=live,
        language=language,
    )


def _scene(view: View, language: Language, since: View | None, preview: View | None, theme: Theme, live: bool) -> Scene:
    held = holdings(view)
    before = changed(holdings(since), held) if since is not None else {}
    ahead = {} if preview is None else holdings(preview)
    meant = {} if preview is None else {p: ahead.get(p, ()) for p in changed(held, ahead)}
    own = view.get("own", {})
    room = {place["province"]: place["most"] for place in own.get("placements", ())}
    needs = {attack["province"]: attack["needs"] for attack in own.get("attacks", ())}
    return Scene(language, theme, view["players"], live, held, before, meant, room, needs)


# --- parts of the map


def crops(view: View, since: View | None = None) -> Mapping[str, Part]:
    """The map without what stands below it, and its parts: first where most has changed, or the viewer has most."""
    own = capitals(view).get(view.get("own", {}).get("seat", ""), "")
    lying = holdings(view)
    weights = {p: 1 for p, held in lying.items() if not own or any(one.capital == own for one in held)}
    for province in changed(holdings(since), lying) if since is not None else ():
        weights[province] = weights.get(province, 0) + CHANGED
    return {"map": Part(PICTURE["map"], (0, 0, shapes.WIDE, shapes.HIGH)), **parts.weighed(view["players"], weights)}


def _window(crop: str, players: int) -> tuple[int, int, int, int]:
    return (0, 0, shapes.WIDE, shapes.HIGH) if crop == "map" else parts.windows(players)[crop].box


# --- in words


def _title(view: View, language: Language) -> str:
    return say(language, "title", turn=view["turn"]) if view["turn"] else say(language, "title_setup")


def description(view: View, language: Language, *, since: View | None = None, preview: View | None = None) -> str:
    """What the picture shows, in sentences: the course, who stands where, what has changed, what orders would do."""
    plays = capitals(view)
    names = {seat: PROVINCES[capital].words.shown(language) for seat, capital in plays.items()}
    first, *rest = panel.course(view, language)
    said = [
        say(language, "description", map=say(language, "map"), phase=first, epoch=", ".join(rest),
            order=", ".join(names.values()) or say(language, "nobody")),
    ]  # fmt: skip
    powers = view["powers"]
    standing = [
        say(language, "standing", who=names[seat], provinces=powers[seat]["provinces"],
            misery=panel.figure(powers[seat], "misery", language))
        for seat in plays
    ]  # fmt: skip
    said += ["; ".join(standing) + "."] if standing else []
    said += _differences("changes", since, view, language)
    said += _differences("intentions", view if preview is not None else None, preview or view, language)
    return " ".join(said)


def _differences(word: str, before: View | None, after: View, language: Language) -> Iterator[str]:
    """What lies where other pieces lay before."""
    if before is None:
        return
    now = holdings(after)
    what = [
        f"{PROVINCES[p].words.shown(language)} ({told(now.get(p, ()), language)})"
        for p in changed(holdings(before), now)
    ]
    if what:
        yield say(language, word, what=", ".join(what))
