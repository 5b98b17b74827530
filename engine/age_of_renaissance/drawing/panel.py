"""The panel beside and below the map: the turn, the powers in order of play, the markets, the legend."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.age_of_renaissance.catalogue import CARDS, CATEGORIES, GOODS, MISERY, PROVINCES, Good
from engine.age_of_renaissance.drawing.chart import SIGNS
from engine.age_of_renaissance.drawing.holdings import Held
from engine.age_of_renaissance.drawing.look import NUMBER, PALETTE, say
from engine.age_of_renaissance.drawing.pieces import marker, tokens
from engine.age_of_renaissance.drawing.shapes import HIGH, WIDE
from engine.kernel.drawing import Sheet
from engine.kernel.languages import Language
from engine.kernel.panels import Panel, PanelFigure
from engine.kernel.pictures import Theme, fill_for, label, patterns, svg_document, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import text_width

TOP: Final = HIGH + 30
ROW: Final = 132
FIGURE: Final = 80
"""The size of the figures in the table: eight pixels if the picture is 400 pixels wide."""
COLUMNS: Final = (
    ("cash", 990),
    ("yield", 1310),
    ("provinces", 1560),
    ("misery", 1930),
    ("stock", 2320),
    ("hand", 2620),
)
"""The columns of numbers, with the right edge of each."""
FLEET, ADVANCES = 2670, 3040
ASIDE: Final = 3370
"""The left edge of the turn's texts, in the empty plains of the north-east."""


def columns(view: View) -> Iterator[tuple[str, int]]:
    """Yield the columns of numbers; at the end of the game the score replaces the cards in hand."""
    return (("score" if word == "hand" and view["over"] else word, right) for word, right in COLUMNS)


def height(view: View) -> int:
    """Return the height of the panel below the map."""
    return 30 + ROW * (len(view["powers"]) + 1) + 560


def panel(sheet: Sheet) -> str:
    """Return everything that is not on the map; a page has the powers and the legend beside a live picture."""
    return tag(
        "g",
        *_course(sheet),
        *(() if sheet.live else (*_powers(sheet), *_markets(sheet), *_legend(sheet))),
        pointer_events="none",
        aria_hidden="true",
        class_="panel",
    )


# --- the turn


def course(view: View, language: Language) -> list[str]:
    """Return the lines for turn, phase, epoch, and everything that applies this turn."""
    said = [say(language, "turn", turn=view["turn"])] if view["turn"] else []
    phase = say(language, "over" if view["over"] else view["phase"])
    said.append(phase[0].upper() + phase[1:])
    said.append(say(language, "epoch", epoch=view["epoch"]))
    said += [say(language, "last")] if view["last_turn"] and not view["over"] else []
    return [*said, *_held_now(view, language)]


def _held_now(view: View, language: Language) -> Iterator[str]:
    name = {seat: _name(view, seat, language) for seat in view["powers"]}
    for war in view["wars"]:
        yield say(language, "war", one=name[war["attacker"]], other=name[war["defender"]])
    if view["banned"]:
        yield say(language, "banned", category=CATEGORIES[view["banned"]].words.printed(language))
    if view["played_last"]:
        yield say(language, "played_last", who=", ".join(name[seat] for seat in view["played_last"]))
    leaders = [CARDS[leader["card"]].words.printed(language) for leader in view["leaders"]]
    yield from (say(language, "leader", card=card) for card in leaders[:4])
    if leaders[4:]:
        yield say(language, "more", n=len(leaders) - 4)


def _course(sheet: Sheet) -> Iterator[str]:
    lines = course(sheet.view, sheet.language)
    yield label(ASIDE, 170, lines[0], _fitting(lines[0], 130), font_weight="bold", **PALETTE.fill("ink", sheet.theme))
    y = 170
    for n, line in enumerate(lines[1:]):
        y += 100 if n < 2 else 72
        size = _fitting(line, 84 if n < 2 else 58)
        yield label(ASIDE, y, line, size, **PALETTE.fill("soft" if n < 2 else "ink", sheet.theme))


def _fitting(line: str, most: int) -> int:
    """Return the largest size, at most `most`, in which a line fits beside the map."""
    room: int = WIDE - ASIDE - 30
    return min(most, most * room // max(1, text_width(line, most)))


# --- the powers


def _name(view: View, seat: str, language: Language) -> str:
    """Return the name of a seat's capital, or the word for none."""
    capital = view["powers"][seat]["capital"]
    return PROVINCES[capital].words.printed(language) if capital else say(language, "nobody")


def _powers(sheet: Sheet) -> Iterator[str]:
    soft, language = PALETTE.fill("soft", sheet.theme), sheet.language
    high = ROW * (len(sheet.view["powers"]) + 1)
    yield tag("rect", x=0, y=TOP, width=WIDE, height=high, **PALETTE.fill("paper", sheet.theme))
    yield label(50, TOP + 96, say(language, "power"), 62, **soft)
    for word, right in columns(sheet.view):
        yield label(right, TOP + 96, say(language, word), 62, text_anchor="end", **soft)
    yield label(FLEET, TOP + 96, say(language, "fleet"), 62, **soft)
    yield label(ADVANCES, TOP + 96, say(language, "advances"), 62, **soft)
    for n, place in enumerate(sheet.view["order"]):
        yield from _power(sheet, place["seat"], TOP + ROW * (n + 1))


def _power(sheet: Sheet, seat: str, top: int) -> Iterator[str]:
    power, y = sheet.view["powers"][seat], top + 88
    mine = sheet.view.get("own", {}).get("seat") == seat
    yield tag("path", d=f"M0 {top}H{WIDE}", **PALETTE.line("faint", sheet.theme, 3))
    capital = power["capital"]
    if capital:
        yield tag("rect", x=40, y=top + 16, width=100, height=100, rx=14, fill=fill_for(NUMBER[capital]))
        yield marker(90, top + 66, Held(capital, marker="old"), sheet.theme)
    ink = PALETTE.fill("soft" if power["eliminated"] or not capital else "ink", sheet.theme)
    weight, line = "bold" if mine else None, "line-through" if power["eliminated"] else None
    name = _name(sheet.view, seat, sheet.language)
    yield label(165, y, name, min(FIGURE, 1000 // len(name)), font_weight=weight, text_decoration=line, **ink)
    for word, right in columns(sheet.view):
        yield from _figure(sheet, seat, word, right, y)
    yield from _fleet(sheet, seat, y)
    yield from _advances(sheet, seat, y)


def figure(power: Mapping[str, Any], word: str, language: Language) -> str:
    """Return one figure of a power as text; piled cash is shown as the sum on the sheet (R33)."""
    match word:
        case "cash" if power["cash"] is None:
            return say(language, "written", ducats=power["written"])
        case "yield":
            return str(power["income"])
        case "stock":
            return f"{power['expansion']}/{power['stock']}"
        case "hand":
            return str(power["cards"])
        case "score" if power["score"] is None:
            return "–"
        case "misery" if power["misery"] > MISERY[-1]:
            return say(language, "beyond")
    return str(power[word]).replace("-", "−")


def panels(view: View, language: Language) -> Mapping[str, Panel]:
    """Return the panel of each seat, in the order of play: the table's figures, fleet and advances."""
    return {place["seat"]: _panel(view, place["seat"], language) for place in view["order"]}


def _panel(view: View, seat: str, language: Language) -> Panel:
    power = view["powers"][seat]
    ship, letters = power["ship"], " ".join(power["advances"])
    fleet = f"{say(language, ship['hull'])} {ship['level']}" if ship is not None else "–"
    shown = [(word, figure(power, word, language)) for word, _ in columns(view)]
    shown += [("fleet", fleet), ("advances", letters or "–")]
    found = (PanelFigure(say(language, word), value) for word, value in shown)
    return Panel(tuple(found), say(language, "out") if power["eliminated"] else "")


_COUNTED: Final = {"cash": "cash", "yield": "income", "provinces": "provinces", "misery": "misery"}


def _figure(sheet: Sheet, seat: str, word: str, right: int, y: int) -> Iterator[str]:
    """Yield a figure, with small marks of its change and of what the viewer's orders would change."""
    power = sheet.view["powers"][seat]
    ink = PALETTE.fill("ink", sheet.theme)
    yield label(right, y, figure(power, word, sheet.language), FIGURE, text_anchor="end", **ink)
    if word not in _COUNTED:
        return
    more = _gained(sheet.since, sheet.view, seat, _COUNTED[word])
    ahead = _gained(sheet.view, sheet.preview, seat, _COUNTED[word])
    for colour, gained, down in (("changed", more, -34), ("intended", ahead, 10)):
        if gained:
            yield label(
                right + 8,
                y + down,
                f"{gained:+d}".replace("-", "−"),
                44,
                font_weight="bold",
                **PALETTE.fill(colour, sheet.theme),
            )


def _gained(before: View | None, after: View | None, seat: str, key: str) -> int:
    if before is None or after is None or seat not in before["powers"] or seat not in after["powers"]:
        return 0
    was, now = before["powers"][seat][key], after["powers"][seat][key]
    return 0 if was is None or now is None else now - was


def _fleet(sheet: Sheet, seat: str, y: int) -> Iterator[str]:
    ship = sheet.view["powers"][seat]["ship"]
    if ship is None:
        yield label(FLEET, y, "–", FIGURE, **PALETTE.fill("soft", sheet.theme))
        return
    yield _sign("ship", FLEET + 34, y - 32, 2, sheet.theme)
    was = sheet.since["powers"][seat]["ship"] if sheet.since and seat in sheet.since["powers"] else ship
    colour = "ink" if was == ship else "changed"
    said = f"{say(sheet.language, ship['hull'])} {ship['level']}"
    yield label(FLEET + 84, y, said, min(60, 520 // len(said)), **PALETTE.fill(colour, sheet.theme))


def _sign(name: str, x: int, y: int, scale: int, theme: Theme) -> str:
    place = f"translate({x} {y}) scale({scale})"
    colour = f"t-{name}" if name in GOODS else "ink"
    return tag("g", tag("use", href=f"#sign-{name}"), transform=place, **PALETTE.fill(colour, theme))


def _advances(sheet: Sheet, seat: str, y: int) -> Iterator[str]:
    """Yield the letters of the advances; new ones and intended ones have other colours."""
    letters = sheet.view["powers"][seat]["advances"]
    was = sheet.since["powers"][seat]["advances"] if sheet.since and seat in sheet.since["powers"] else letters
    ahead = sheet.preview["powers"][seat]["advances"] if sheet.preview and seat in sheet.preview["powers"] else letters
    every = sorted({*letters, *ahead})
    rows = 1 + (len(every) > 14)
    for n, letter in enumerate(every):
        colour = "ink" if letter in was else "changed"
        if letter not in letters:
            colour = "intended"
        weight = None if colour == "ink" else "bold"
        across, down = n % 13 if rows > 1 else n, (n // 13 * 2 - 1) * 29 if rows > 1 else 0
        yield label(
            ADVANCES + 68 * across,
            y + down,
            letter,
            70 - 12 * rows,
            font_weight=weight,
            **PALETTE.fill(colour, sheet.theme),
        )


# --- markets and legend


def _markets(sheet: Sheet) -> Iterator[str]:
    """Yield all goods with their signs."""
    top = TOP + ROW * (len(sheet.view["powers"]) + 1)
    yield tag("path", d=f"M0 {top}H{WIDE}", **PALETTE.line("faint", sheet.theme, 3))
    for n, good in enumerate(GOODS.values()):
        yield _market(sheet, good, 40 + n % 6 * 660, top + 90 + n // 6 * 110, 62)


def _market(sheet: Sheet, good: Good, x: int, y: int, size: int = 48) -> str:
    """Return a good with its sign; an arrow up for a shortage, down for a surplus (§9.6.1)."""
    ink, by = PALETTE.fill("ink", sheet.theme), sheet.view["markets"].get(good.id, 0)
    drawn = _sign(good.id, x + 40, y - size // 3, 2, sheet.theme)
    drawn += label(x + 96, y, f"{good.words.printed(sheet.language)} {good.base}", size, **ink)
    if by:
        arrow = ("▲" if by > 0 else "▼") * abs(by)
        shade = PALETTE.fill("shortage" if by > 0 else "surplus", sheet.theme)
        drawn += label(x + size * 6 + 58, y, arrow, size, **shade)
    return drawn


def _legend(sheet: Sheet) -> Iterator[str]:
    """Yield the legend, in two rows."""
    top = TOP + ROW * (len(sheet.view["powers"]) + 1) + 250
    yield tag("path", d=f"M0 {top}H{WIDE}", **PALETTE.line("faint", sheet.theme, 3))
    for (sign, word, more), (x, row) in zip(_explained(sheet.theme), _LEGEND_PLACES, strict=True):
        y = top + 80 + 110 * row
        yield sign(x, y)
        yield label(x + 100 + more, y, say(sheet.language, word), 58, **PALETTE.fill("ink", sheet.theme))
    yield label(
        WIDE - 40,
        top + 190,
        say(sheet.language, "rebuilt"),
        58,
        text_anchor="end",
        font_style="italic",
        **PALETTE.fill("ink", sheet.theme),
    )


def _explained(theme: Theme) -> Iterator[tuple[Callable[[int, int], str], str, int]]:
    """Yield each sign of the legend: how to draw it at its left end and base line, its word, and what it is wider."""

    def line(colour: str, dashes: str | None = None) -> Callable[[int, int], str]:
        look = PALETTE.line(colour, theme, 14)
        return lambda x, y: tag("path", d=f"M{x} {y - 18}h90", stroke_dasharray=dashes, stroke_linecap="round", **look)

    def arrow(x: int, y: int) -> str:
        shaft = tag("path", d=f"M{x} {y - 18}h70", **PALETTE.line("soft", theme, 8))
        return shaft + tag("path", d=f"M{x + 90} {y - 18}l-30 -14v28z", **PALETTE.fill("soft", theme))

    def unused(x: int, y: int) -> str:
        return tag("rect", x=x, y=y - 48, width=76, height=56, **PALETTE.fill("unused", theme))

    yield lambda x, y: marker(x + 50, y - 18, Held("venezia", marker="old"), theme), "old_control", 0
    yield lambda x, y: marker(x + 50, y - 18, Held("venezia", marker="new"), theme), "new_control", 0
    yield lambda x, y: tokens(x + 50, y - 18, Held("venezia"), "old", 2, theme), "old_tokens", 20
    yield lambda x, y: tokens(x + 50, y - 18, Held("venezia"), "new", 2, theme), "new_tokens", 20
    yield line("changed"), "changed", 10
    yield line("intended", "30 16"), "intended", 10
    yield lambda x, y: _sign("crown", x + 44, y - 20, 2, theme), "capital", 0
    yield arrow, "arrow", 10
    yield line("seaname", "2 16"), "crossing", 10
    yield line("ink", "26 10"), "region", 10
    yield unused, "unused", 10


_LEGEND_PLACES: Final = (
    *((x, 0) for x in (40, 540, 1180, 1640, 2270, 2770, 3360)),
    *((x, 1) for x in (40, 1180, 1980, 2470)),
)
"""The left end and the row of each sign of the legend below the map."""
KEY_WIDE, KEY_LINE = 800, 76
"""The width of the legend that stands beside the board, and the height of its lines."""


def legend(view: View, language: Language, theme: Theme) -> str:
    """Return the markets and the legend as a narrow picture, to stand beside the board."""
    sheet, ink = Sheet(view, language, theme=theme), PALETTE.fill("ink", theme)
    goods = "".join(
        _market(sheet, good, 10 + n % 2 * 400, KEY_LINE * (n // 2 + 1)) for n, good in enumerate(GOODS.values())
    )
    top, drawn = KEY_LINE * (len(GOODS) // 2 + 1), []
    for n, (sign, word, more) in enumerate(_explained(theme)):
        y = top + KEY_LINE * n + 30
        drawn += [sign(10, y), label(120 + more, y, say(language, word), 48, **ink)]
    high = top + KEY_LINE * 11 + 10
    return svg_document(
        (KEY_WIDE, high),
        say(language, "legend"),
        say(language, "rebuilt"),
        PALETTE.style(theme),
        tag("defs", SIGNS, patterns([NUMBER["venezia"]], 3)),
        tag("rect", width=KEY_WIDE, height=high, **PALETTE.fill("paper", theme)),
        goods,
        *drawn,
        language=language,
        name="legend",
    )
