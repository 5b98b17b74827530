"""The panel beside and below the map: the turn, the powers in order of play, the legend."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.kernel.drawing import Sheet
from engine.kernel.languages import Language
from engine.kernel.panels import Panel, PanelFigure
from engine.kernel.pictures import Theme, fill_for, label, svg_document, tag
from engine.kernel.power_names import number
from engine.kernel.rules import View
from engine.renaissance.catalogue import FORTRESS, FREE, GARRISON, NATIONS, RAMPART, TOWNS
from engine.renaissance.drawing.look import (
    ANCHOR,
    BRUSH,
    FLAME,
    LETTER,
    MARSH,
    MOUNTAIN,
    NUMBER,
    PALACE,
    PALETTE,
    owner,
    say,
)
from engine.renaissance.drawing.shapes import HIGH, WIDE
from engine.renaissance.drawing.towns import stronghold

TOP: Final = HIGH + 20
ROW: Final = 118
LEGEND: Final = (850, 1690, 720, 830)
"""The box of the legend."""
COLUMNS: Final = (
    ("score", 1090),
    ("ducats", 1370),
    ("income", 1640),
    ("cities", 1880),
    ("provinces", 2110),
    ("artists", 2420),
    ("cards", 2720),
)
"""The columns of numbers, with the right edge of each."""


def height(view: View) -> int:
    """Return the height of the panel below the map."""
    return 40 + ROW * (len(view["powers"]) + 1)


def name(view: View, seat: str, language: Language) -> str:
    """Return the name of a seat's nation, or "…" if it has none yet."""
    nation = view["powers"][seat]["nation"]
    return NATIONS[nation].words.printed(language) if nation else "…"


def course(view: View, language: Language) -> list[str]:
    """Return the lines for turn, year, state, acting power and battle."""
    if not view["turn"]:
        return [say(language, "setup"), str(view["year"])]
    state = "over" if view["over"] else view["state"]
    said = [say(language, "turn", turn=view["turn"], turns=view["turns"])]
    said.append(f"{view['year']}, {say(language, state)}" if state else str(view["year"]))
    if view["acting"] and not view["over"]:
        said.append(say(language, "acting", who=name(view, view["acting"], language)))
    fight = view["battle"]
    if fight is not None:
        one, other = (name(view, fight[side], language) for side in ("attacker", "defender"))
        said.append(say(language, "battle", one=one, other=other, city=TOWNS[fight["city"]].words.printed(language)))
    return said


def panel(sheet: Sheet) -> str:
    """Return everything that is not on the map; a page has the legend and the powers of a live one beside it."""
    return tag(
        "g",
        *_course(sheet),
        *(() if sheet.live else (*_legend(sheet), *_powers(sheet))),
        label(
            40, HIGH - 110, say(sheet.language, "rebuilt"), 38, font_style="italic", **PALETTE.fill("soft", sheet.theme)
        ),
        pointer_events="none",
        aria_hidden="true",
        class_="panel",
    )


def _course(sheet: Sheet) -> Iterator[str]:
    lines = course(sheet.view, sheet.language)
    for n, line in enumerate(lines):
        size = min((100, 76, 60, 52)[min(n, 3)], 1900 // len(line))
        yield label(
            1830,
            150 + (0, 94, 176, 250)[min(n, 3)],
            line,
            size,
            font_weight="bold" if n == 0 else None,
            **PALETTE.fill("soft" if n == 1 else "ink", sheet.theme),
        )


# --- the powers


def panels(view: View, language: Language) -> Mapping[str, Panel]:
    """Return the panel of each seat, in the order of play."""
    return {seat: _panel(view, seat, language) for seat in view["order"]}


def _panel(view: View, seat: str, language: Language) -> Panel:
    power = view["powers"][seat]
    found = (PanelFigure(say(language, word), str(number(power[word]) or 0)) for word, _ in COLUMNS)
    return Panel(tuple(found), say(language, "out") if power["eliminated"] else "")


def _powers(sheet: Sheet) -> Iterator[str]:
    soft = PALETTE.fill("soft", sheet.theme)
    yield label(40, TOP + 84, say(sheet.language, "power"), 60, **soft)
    for word, right in COLUMNS:
        yield label(right, TOP + 84, say(sheet.language, word), 60, text_anchor="end", **soft)
    for n, seat in enumerate(sheet.view["order"]):
        yield from _power(sheet, seat, TOP + ROW * (n + 1))


def _power(sheet: Sheet, seat: str, top: int) -> Iterator[str]:
    power, y = sheet.view["powers"][seat], top + 84
    mine = sheet.view.get("own", {}).get("seat") == seat
    yield tag("path", d=f"M0 {top}H{WIDE}", **PALETTE.line("faint", sheet.theme, 3))
    nation = power["nation"]
    if nation:
        yield tag("rect", x=36, y=top + 14, width=92, height=92, rx=12, fill=fill_for(NUMBER[nation]))
        yield tag("circle", cx=82, cy=top + 60, r=34, fill=owner(nation).colour)
        yield label(
            82,
            top + 79,
            LETTER[nation],
            54 if len(LETTER[nation]) == 1 else 44,
            text_anchor="middle",
            font_weight="bold",
            fill=owner(nation).ink,
        )
    said = name(sheet.view, seat, sheet.language)
    yield label(
        152,
        y,
        said,
        min(74, 1100 // len(said)),
        font_weight="bold" if mine else None,
        text_decoration="line-through" if power["eliminated"] else None,
        **PALETTE.fill("ink", sheet.theme),
    )
    for word, right in COLUMNS:
        yield from _figure(sheet, seat, word, right, y)


def _figure(sheet: Sheet, seat: str, word: str, right: int, y: int) -> Iterator[str]:
    """Yield a number, with a small mark of its change or of what the viewer's orders would change."""
    now = number(sheet.view["powers"][seat][word]) or 0
    yield label(right, y, str(now), 74, text_anchor="end", **PALETTE.fill("ink", sheet.theme))
    for colour, other, sign in (("changed", sheet.since, 1), ("intended", sheet.preview, -1)):
        there = other["powers"].get(seat) if other is not None else None
        step = sign * (now - (number(there[word]) or 0)) if there is not None else 0
        if step:
            yield label(
                right + 6,
                y - 36,
                f"{step:+d}".replace("-", "−"),
                40,
                font_weight="bold",
                **PALETTE.fill(colour, sheet.theme),
            )
            return


# --- the legend


def _legend(sheet: Sheet) -> Iterator[str]:
    """Yield the legend, in the sea south-west of Rome: levels of walls, signs, marks."""
    nation = next((p["nation"] for p in sheet.view["powers"].values() if p["nation"]), "florence")
    ink, left, y = PALETTE.fill("ink", sheet.theme), 870, 1750
    for level, word in ((FREE, "free"), (GARRISON, "level1"), (RAMPART, "level2"), (FORTRESS, "level3")):
        yield stronghold(left + 50, y, nation, level, sheet.theme)
        yield label(left + 130, y + 17, say(sheet.language, word), 50, **ink)
        y += 100
    signs = (
        (PALACE, "palace", "ink"),
        (BRUSH, "artist", "ink"),
        (FLAME, "pillaged", "battle"),
        (ANCHOR, "port", "coast"),
        (MOUNTAIN, "mountain", "soft"),
        (MARSH, "marsh", "soft"),
    )
    for n, (sign, word, colour) in enumerate(signs):
        x, down = left + 50 + n % 2 * 365, y + n // 2 * 84
        yield tag(
            "path",
            d=sign,
            transform=f"translate({x} {down - 14})",
            fill_rule="evenodd",
            **PALETTE.fill(colour, sheet.theme),
        )
        yield label(x + 60, down + 4, say(sheet.language, word), 50, **ink)
    y += 3 * 84
    yield tag("path", d=f"M{left} {y - 14}h100", **PALETTE.line("road", sheet.theme, 9))
    yield label(left + 130, y + 4, say(sheet.language, "road"), 50, **ink)
    for n, (colour, dash) in enumerate((("changed", None), ("intended", "30 16"))):
        if (sheet.since, sheet.preview)[n] is not None:
            y += 84
            yield tag("path", d=f"M{left} {y - 14}h100", stroke_dasharray=dash, **PALETTE.line(colour, sheet.theme, 13))
            yield label(left + 130, y + 4, say(sheet.language, colour), 50, **ink)


def legend(view: View, language: Language, theme: Theme) -> str:
    """Return the legend as a picture of its own, to stand beside the board."""
    left, top, wide, high = LEGEND
    return svg_document(
        (wide, high),
        say(language, "legend"),
        say(language, "rebuilt"),
        PALETTE.style(theme),
        tag("rect", x=left, y=top, width=wide, height=high, **PALETTE.fill("paper", theme)),
        *_legend(Sheet(view, language, theme=theme)),
        box=LEGEND,
        language=language,
        name="legend",
    )
