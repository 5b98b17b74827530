"""SVG to PNG for letters: with the server's own fonts, so that every machine makes the same picture, in few colours.

A letter is to stay small: the picture is as wide as it can be within `MOST_BYTES`, and never wider than `WIDTHS[0]`.
"""

import io
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

import resvg_py
from PIL import Image

MOST_BYTES: Final = 190_000
"""A kilobyte or ten below 200 kB: base64 is counted by nobody, yet no relay is to find a picture too big."""

WIDTHS: Final = (1000, 800, 600)
"""Pixels across: twice what a phone shows, so that names can be read when one looks closer."""

COLOURS: Final = (128, 64)

FONTS: Final = tuple(str(one) for one in files("pbem").joinpath("fonts").iterdir() if one.name.endswith(".ttf"))


class TooBig(Exception):
    """No width and no number of colours makes the picture small enough."""


def png(svg: str) -> bytes:
    """A picture as PNG, less than `MOST_BYTES` long.  Raises TooBig, or ValueError for what is no SVG."""
    for drawn in _tries(svg):
        if len(drawn) < MOST_BYTES:
            return drawn
    raise TooBig(f"even {WIDTHS[-1]} pixels across the picture is longer than {MOST_BYTES} bytes")


def _tries(svg: str) -> Iterator[bytes]:
    """The picture, each time smaller."""
    for width in WIDTHS:
        image = _drawn(svg, width)
        for colours in COLOURS:
            yield _packed(image, colours)


def _drawn(svg: str, width: int) -> Image.Image:
    """The picture in full colour, on white where it has no ground."""
    made = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, background="#ffffff", skip_system_fonts=True, font_files=list(FONTS)
    )
    with Image.open(io.BytesIO(bytes(made))) as image:
        return image.convert("RGB")


def _packed(image: Image.Image, colours: int) -> bytes:
    """PNG with a table of colours: a third of what full colour takes; flat areas stay flat, for nothing is dithered."""
    few = image.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    written = io.BytesIO()
    few.save(written, "PNG", compress_level=7)  # 9 takes four times as long for a twentieth less
    return written.getvalue()
