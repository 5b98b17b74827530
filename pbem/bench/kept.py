"""Figures of cycles as a table, beside those of a run that was kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.bench.cpu import GROUPS, YARDSTICK, Plan

HEADINGS: Final = dict(
    zip(
        GROUPS,
        (
            "The processor, ms a cycle",
            "The write lock, ms of the processor a cycle (waiting for the disk: of the clock)",
            "Work, of each so many a cycle",
        ),
        strict=True,
    )
)

Spread = Mapping[str, float]
Groups = Mapping[str, Mapping[str, Spread]]


class Kept(msgspec.Struct):
    """What was printed as JSON."""

    title: str
    seats: int
    games: int
    cycles: int
    runs: int
    figures: dict[str, dict[str, dict[str, float]]]


def comparable(plan: Plan, text: bytes) -> Groups:
    """The figures of a kept run; raises ValueError for a file that has none, or has those of another plan."""
    try:
        kept = msgspec.json.decode(text, type=Kept)
    except msgspec.DecodeError as error:
        raise ValueError(f"holds no figures of this bench: {error}") from None
    for name in ("title", "seats", "games", "cycles"):
        if getattr(kept, name) != getattr(plan, name):
            raise ValueError(f"was measured with {name} {getattr(kept, name)}, not {getattr(plan, name)}")
    return kept.figures


def table(found: Mapping[str, Any], before: Groups | None) -> str:
    """Lines for people: what each thing costs, its spread, and how that compares.

    `ratio` is of the medians; in `steady` it is divided by that of the yardstick, which says how fast the machine was.
    """
    about = ", ".join(f"{name} {value}" for name, value in found.items() if name != "figures")
    return "\n".join([about, *_lines(found["figures"], before)])


def _lines(figures: Groups, before: Groups | None) -> Iterator[str]:
    swift = _ratio(figures, before, "cpu_ms", YARDSTICK) if before is not None else None
    for group, heading in HEADINGS.items():
        yield f"\n{heading}"
        columns = ["median", "low", "high", *(["before", "ratio", "steady"] if before is not None else [])]
        yield _line("", columns)
        for name, spread in figures[group].items():
            cells = [f"{spread[column]:,.2f}" for column in ("median", "low", "high")]
            if before is not None:
                ratio = _ratio(figures, before, group, name)
                steady = ratio if group == "work" else _divided(ratio, swift)
                then = before.get(group, {}).get(name, {})
                cells += [f"{then.get('median', 0.0):,.2f}", *map(_shown, (ratio, steady))]
            yield _line(name, cells)


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{'    ' * (': ' in name)}{name}".ljust(44) + "".join(f"{cell:>14}" for cell in cells)


def _ratio(figures: Groups, before: Groups, group: str, name: str) -> float | None:
    now, then = (of.get(group, {}).get(name, {}).get("median") for of in (figures, before))
    return _divided(now, then)


def _divided(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None


def _shown(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.3f}"
