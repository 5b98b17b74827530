"""What stands in a square has room there: names whole wherever they can be, signs, frames and workers side by side."""

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import ImageFont

from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.pictures import SMALLEST, Theme
from engine.kernel.text_layout import light_width
from engine.patchistory.catalogue import ROOMS, SIDES, TILES
from engine.patchistory.drawing.lettering import NARROWED, lines
from engine.patchistory.drawing.squares import SIDE, Cell, Ground, face_cells, items, shown

SVG = "{http://www.w3.org/2000/svg}"
FONT = Path(__file__).resolve().parents[3] / "pbem" / "fonts" / "DejaVuSansCondensed.ttf"
WIDE = SIDE - 12
"""The room for a name in a square."""
EDGE = 3
"""Half of the line round a location, and what is drawn beside it keeps off."""


def real(text: str, size: int) -> float:
    """How wide a text is in the server's own font, not bold."""
    return ImageFont.truetype(str(FONT), size).getlength(text)


@cache
def printed(language: Language) -> tuple[str, ...]:
    """What all locations are called."""
    return tuple(dict.fromkeys(room.words.printed(language) for room in ROOMS.values()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_has_room_in_a_square(language: Language) -> None:
    """In two lines at most, none narrowed more than it may be; no cut leaves a hyphen before its dot.

    Widths are reckoned as they are, to a twentieth and two units.
    """
    for said in printed(language):
        written = lines(said, WIDE)
        assert abs(light_width(said, SMALLEST) - real(said, SMALLEST)) <= 2 + 0.05 * real(said, SMALLEST), said
        assert len(written) <= 2
        assert all(real(line, SMALLEST) * (100 - NARROWED) <= 100 * (WIDE + 3) for line in written), written
        assert not any(line.endswith(("-.", " .", "'.")) for line in written), written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Barracks", ["Barracks"]),
        ("Three-field Farm", ["Three-", "field Farm"]),
        ("Charlemagne", ["Charle-", "magne"]),
        ("Statue de la Liberté", ["Statue de", "la Liberté"]),
        ("Military Headquarters", ["Military", "Headq."]),
        ("Jardins Suspendus de Babylone", ["Jardins", "Suspendus"]),
        ("Gwanggaeto the Great", ["Gwang-", "gaeto"]),
    ],
)
def test_a_name_is_cut_only_where_nothing_else_helps(said: str, written: list[str]) -> None:
    """What fits stays whole; then it is broken between words, within one; then the last word is cut, or left out."""
    assert list(lines(said, WIDE)) == written


def _drawn(cell: Cell) -> str:
    return shown((cell,), Ground("en", Theme.LIGHT), 0, 0)


def _frames(cell: Cell) -> list[tuple[float, float, float]]:
    """Top and right edge of each gold frame, and the left one, with half its line."""
    root = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{_drawn(cell)}</svg>')
    found = []
    for rect in root.iter(f"{SVG}rect"):
        if "s-gold" in (rect.get("class") or ""):
            x, y, wide = (int(rect.get(key) or 0) for key in ("x", "y", "width"))
            half = int(rect.get("stroke-width") or 0) / 2
            found.append((x - half, y - half, x + wide + half))
    return found


def test_a_gold_frame_stays_within_its_location() -> None:
    """On every tile and every building tile, with whatever figures, and free of the edge."""
    cells = [cell for tile in TILES for side in SIDES if TILES[tile].face(side) for cell in face_cells(tile, side)]
    cells += [Cell(((0, 0),), room) for name, room in ROOMS.items() if name.startswith("built_")]
    framed = 0
    for cell in cells:
        (row, column), *_ = cell.spots
        across = 2 if (row, column + 1) in cell.spots else 1
        for left, _, right in _frames(cell):
            framed += 1
            assert left >= column * SIDE + EDGE, cell
            assert right <= (column + across) * SIDE - EDGE, cell
    assert framed > 100


def test_a_worker_does_not_cover_the_gold_frame() -> None:
    """The disc lies above it, and within its square."""
    cell = Cell(((0, 0),), ROOMS["market"], ("A1",), ("A1",))
    (item,) = items((cell,), Ground("en", Theme.LIGHT, "red", "R"))
    assert callable(item.drawn)
    root = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{item.drawn()}</svg>')
    disc = next(found for found in root.iter(f"{SVG}circle"))
    middle, radius = int(disc.get("cy") or 0), int(disc.get("r") or 0) + 1.5
    assert middle - radius >= 0
    assert middle + radius <= min(top for _, top, _ in _frames(cell))


def test_the_squares_of_a_location_are_marked_as_one() -> None:
    """No line runs through a name that is written across two squares."""
    cell = Cell(((0, 0), (0, 1)), ROOMS["sanctuary"], ("A1", "B1"))
    assert {item.whole for item in items((cell,), Ground("en", Theme.LIGHT))} == {"A1"}
