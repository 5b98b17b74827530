"""The frame of a picture: its canvas with the panel, the marks on what has changed, and what it says."""

from collections.abc import Iterator

import pytest

from engine.kernel.catalogues import Words
from engine.kernel.drawing import COLOURS, Captions, Drawing, Sheet, describe, outline_text
from engine.kernel.languages import LANGUAGES
from engine.kernel.pictures import DrawsBoard, Palette, Theme, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import Box

PALETTE = Palette(COLOURS)
SAY = Captions({"changes": Words.same("Since: {what}."), "intentions": Words.same("To come: {what}.")})
LANGUAGE = LANGUAGES[0]


def _layers(sheet: Sheet) -> Iterator[str]:
    yield tag("path", d="M0 0H9", id="a-mill")
    yield from outline_text(PALETTE, sheet.theme, ("mill",) if sheet.since else (), ("mill",) if sheet.preview else ())


def _window(crop: str, view: View) -> Box:
    return {"left": (0, 0, 50, 40)}[crop]


DRAWING = Drawing(
    (100, 80),
    PALETTE,
    lambda view: 20,
    lambda view: (1, 1),
    _layers,
    _window,
    lambda view, language: f"Turn {view['turn']}",
    lambda sheet: " ".join(describe(sheet, SAY, _differences)),
)


def _differences(before: View, after: View) -> list[str]:
    return [f"{before['turn']}-{after['turn']}"] if before != after else []


class Drawn:
    """Rules that can draw."""

    draw = DRAWING.picture

    def crops(self, view: View, since: View | None = None) -> dict[str, object]:
        """One part."""
        return {"left": None}


def test_the_canvas_holds_the_map_and_the_panel_below_it() -> None:
    """A crop shows its window; one that is none is refused."""
    assert isinstance(Drawn(), DrawsBoard)
    assert 'viewBox="0 0 100 100"' in DRAWING.picture({"turn": 1}, LANGUAGE)
    assert 'viewBox="0 0 50 40"' in DRAWING.picture({"turn": 1}, LANGUAGE, crop="left")
    with pytest.raises(KeyError, match="right"):
        DRAWING.picture({"turn": 1}, LANGUAGE, crop="right")


def test_what_has_changed_and_what_is_meant_are_outlined_and_said() -> None:
    """Compared with an earlier view, and with the one that orders lead to; without either nothing is marked."""
    now, then, ahead = {"turn": 2}, {"turn": 1}, {"turn": 3}
    svg = DRAWING.picture(now, LANGUAGE, since=then, preview=ahead, theme=Theme.LIGHT)
    assert svg.count('href="#a-mill"') == 2
    assert "Since: 1-2. To come: 2-3." in svg
    plain = DRAWING.picture(now, LANGUAGE)
    assert "#a-mill" not in plain
    assert "Since" not in plain


def test_a_pattern_is_defined_once_for_each_owner_that_is_drawn() -> None:
    """One pattern serves all pieces of its owner."""
    assert DRAWING.picture({"turn": 1}, LANGUAGE).count('id="own-1"') == 1
