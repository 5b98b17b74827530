"""The towns of the smallest game in a row: who holds them, and what one's orders would change."""

from collections.abc import Mapping

from engine.kernel.languages import Language
from engine.kernel.pictures import Palette, Part, Theme, document, escaped, label, tag
from engine.kernel.rules import View
from tests.toy.board import TOWNS

_PALETTE = Palette({"paper": ("#f4efe2", "#1e1c19"), "ink": ("#1c1b19", "#ece8df"), "town": ("#d8cba8", "#4a4330")})
_SIDE = 100


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
    """The board, as `Draws` says."""
    if crop:
        raise KeyError(crop)
    size = (_SIDE * len(TOWNS), _SIDE)
    drawn = (_town(n, town, view, preview, language, theme, live) for n, town in enumerate(TOWNS))
    return document(
        size,
        "Towns",
        "Who holds which town.",
        _PALETTE.style(theme),
        tag("rect", width=size[0], height=size[1], **_PALETTE.fill("paper", theme)),
        *drawn,
        live=live,
        language=language,
    )


def _town(n: int, town: str, view: View, preview: View | None, language: Language, theme: Theme, live: bool) -> str:
    name = TOWNS[town].printed(language)
    meant = preview is not None and preview["coins"] != view["coins"]
    said = f"{name}: {view['towns'].get(town, '-')}{' *' if meant else ''}"
    shape = tag("rect", x=_SIDE * n + 5, y=5, width=_SIDE - 10, height=_SIDE - 10, **_PALETTE.fill("town", theme))
    text = label(_SIDE * n + 12, 50, said, 14, **_PALETTE.fill("ink", theme))
    button: dict[str, str | int | None] = (
        {"role": "button", "data_name": name, "aria_label": said, "tabindex": -1 if n else 0} if live else {}
    )
    return tag("g", tag("title", escaped(said)), shape, text, **button)


def crops(view: View, since: View | None = None) -> Mapping[str, Part]:
    """Nothing can be drawn alone."""
    return {}
