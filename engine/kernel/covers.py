"""Covers: a picture that stands for a game where games are listed, like the lid of its box, without a word.

A cover is one SVG document of 480 by 360 units, the same for everybody.
"""

from collections.abc import Iterable
from typing import Final, Protocol, runtime_checkable

from engine.kernel.pictures import Value, tag

WIDTH: Final = 480
HEIGHT: Final = 360


@runtime_checkable
class HasCover(Protocol):
    """Rules of a game that draws a cover (optional, like `DrawsBoard`)."""

    def cover(self) -> str:
        """Return the cover as one SVG document, the same text each time."""
        ...


def cover_document(*children: str) -> str:
    """Return a cover of these shapes."""
    return tag("svg", *children, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img")


def box(x: int, y: int, wide: int, high: int, fill: str, **more: Value) -> str:
    """Return a rectangle."""
    return tag("rect", x=x, y=y, width=wide, height=high, fill=fill, **more)


def disc(x: int, y: int, radius: int, fill: str, **more: Value) -> str:
    """Return a circle."""
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def oval(x: int, y: int, across: int, down: int, fill: str, **more: Value) -> str:
    """Return an ellipse."""
    return tag("ellipse", cx=x, cy=y, rx=across, ry=down, fill=fill, **more)


def shape(path: str, fill: str, **more: Value) -> str:
    """Return a filled path."""
    return tag("path", d=path, fill=fill, **more)


def stroke(path: str, colour: str, width: int, **more: Value) -> str:
    """Return a line along a path."""
    return tag("path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", **more)


def moved(x: int, y: int, *children: str, turn: int = 0) -> str:
    """Return shapes moved, and turned by degrees about their own origin."""
    return tag("g", *children, transform=f"translate({x} {y})" + (f" rotate({turn})" if turn else ""))


def backdrop(top: str, bottom: str, high: int = HEIGHT) -> str:
    """Return a background that goes from one colour to another."""
    stops = tag("stop", offset="0", stop_color=top), tag("stop", offset="1", stop_color=bottom)
    ramp = tag("linearGradient", *stops, id="sky", x1="0", y1="0", x2="0", y2="1")
    return tag("defs", ramp) + box(0, 0, WIDTH, high, "url(#sky)")


def waves(y: int, colour: str, length: int = 48, left: int = 0, right: int = WIDTH) -> str:
    """Return a row of waves."""
    step = length // 2
    crests = "".join(f"q{step // 2} -8 {step} 0t{step} 0" for _ in range((right - left) // length))
    return stroke(f"M{left} {y}{crests}", colour, 3)


def battlements(left: int, right: int, y: int, high: int, fill: str, tooth: int = 12) -> str:
    """Return a wall from `y` down with merlons on it."""
    teeth = "".join(box(x, y - tooth, tooth, tooth + 1, fill) for x in range(left, right - tooth + 1, 2 * tooth))
    return box(left, y, right - left, high, fill) + teeth


def windows(places: Iterable[tuple[int, int]], wide: int, high: int, fill: str) -> str:
    """Return windows with round tops, by their lower left corners."""
    return "".join(shape(f"M{x} {y}v{-high}a{wide // 2} {wide // 2} 0 0 1 {wide} 0v{high}z", fill) for x, y in places)
