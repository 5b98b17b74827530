"""Makes the shapes of the map out of coasts and what is drawn by hand; the same shapes every time.

    python -m tests.engine.diplomacy.drawing.make

Cells are shared out among provinces (`label`), borders are traced and smoothed once each, and names, units and marks
are given their places (`place`). The outcome is committed: the engine reads it, and never makes it.
"""

import itertools
import json
from pathlib import Path
from typing import Any, Final

from engine.diplomacy.catalogue import PROVINCES
from tests.engine.age_of_renaissance.drawing.raster import Cell
from tests.engine.age_of_renaissance.drawing.trace import Corner, arcs, rings
from tests.engine.diplomacy.drawing.label import HIGH, WIDE, cells
from tests.engine.diplomacy.drawing.place import UNIT_OF_CELL, stands
from tests.engine.diplomacy.drawing.sketch import STRAIT, WILD

SHAPES: Final = Path(__file__).resolve().parents[4] / "engine" / "diplomacy" / "data" / "shapes.json"
NOTE: Final = (
    "Our own drawing, made by tests/engine/diplomacy/drawing from the coasts and frontiers of Natural Earth (public "
    "domain), from borders drawn by hand, and from the facts of the board (map.json). arcs: each border once, its "
    "first point and steps. areas: outlines as arcs, ~n walked backwards; - is land that no unit enters, ~ water that "
    "is no sea. Two provinces share an arc if and only if some unit passes between them. names, whole, units, lost, "
    "marks, coasts: the middles of short and whole names, units by place, dislodged units, marks of centres, names of "
    "coasts."
)


def shapes() -> dict[str, Any]:
    """Everything that `shapes.json` holds."""
    labelled = cells()
    borders, stood = arcs(labelled, UNIT_OF_CELL), stands(labelled)
    return {
        "note": NOTE,
        "size": [WIDE * UNIT_OF_CELL, HIGH * UNIT_OF_CELL],
        "arcs": [_stepped(arc.points) for arc in borders],
        "areas": {label: rings(borders, label) for label in (*PROVINCES, WILD, STRAIT)},
        "names": {p: _on_canvas(one.name) for p, one in stood.items()},
        "whole": {p: _on_canvas(one.whole) for p, one in stood.items() if one.whole},
        "units": {place: _on_canvas(at) for one in stood.values() for place, at in one.units.items()},
        "lost": {p: _on_canvas(one.lost) for p, one in stood.items()},
        "marks": {p: _on_canvas(one.mark) for p, one in stood.items() if one.mark},
        "coasts": {place: _on_canvas(at) for one in stood.values() for place, at in one.coasts.items()},
    }


def _on_canvas(cell: Cell) -> Corner:
    return cell[0] * UNIT_OF_CELL, cell[1] * UNIT_OF_CELL


def _stepped(path: list[Corner]) -> list[int]:
    return [*path[0], *(b[axis] - a[axis] for a, b in itertools.pairwise(path) for axis in (0, 1))]


def _dense(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def written() -> str:
    """The file, an entry a line."""
    parts = []
    for key, value in shapes().items():
        if key == "areas":
            body = ",\n".join(f"  {json.dumps(k)}: {_dense(v)}" for k, v in value.items())
            parts.append(f' "{key}": {{\n{body}\n }}')
        elif key == "arcs":
            body = ",\n".join("  " + _dense(v) for v in value)
            parts.append(f' "{key}": [\n{body}\n ]')
        else:
            parts.append(f' "{key}": {_dense(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    SHAPES.write_text(written(), encoding="utf-8")
