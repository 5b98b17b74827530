"""Whose is what: the six powers stay apart for every eye, on light and dark paper, by colour, pattern and letter."""

from collections.abc import Sequence
from itertools import combinations

import pytest

from engine.age_of_renaissance.catalogue import CAPITALS
from engine.age_of_renaissance.drawing.look import LETTER, PALETTE, owner
from engine.kernel.pictures import Theme

Triple = Sequence[float]

# Machado, Oliveira & Fernandes 2009, severity 1: what is left of linear red, green and blue.
EYES: dict[str, Sequence[Triple]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ: Sequence[Triple] = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE: Triple = (0.9505, 1.0, 1.089)


def times(matrix: Sequence[Triple], colour: Triple) -> list[float]:
    """A matrix applied to a colour, nothing brighter than white or darker than black."""
    return [min(1.1, max(0.0, sum(w * c for w, c in zip(row, colour, strict=True)))) for row in matrix]


def linear(colour: str) -> list[float]:
    """The light of a colour as it is written."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def lab(colour: str, eye: str) -> tuple[float, float, float]:
    """A colour as an eye sees it, in CIELAB."""
    scaled = [c / w for c, w in zip(times(XYZ, times(EYES[eye], linear(colour))), WHITE, strict=True)]
    x, y, z = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, other: str, eye: str) -> float:
    """How far two colours lie apart: 2.3 is just noticed."""
    return float(sum((a - b) ** 2 for a, b in zip(lab(one, eye), lab(other, eye), strict=True)) ** 0.5)


def over(colour: str, paper: str, share: float) -> str:
    """A colour painted thinly on a paper."""
    mixed = (int(colour[n : n + 2], 16) * share + int(paper[n : n + 2], 16) * (1 - share) for n in (1, 3, 5))
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


@pytest.mark.parametrize("eye", EYES)
def test_pieces_of_two_powers_are_never_alike(eye: str) -> None:
    """Markers and tokens, in full colour."""
    for one, other in combinations(CAPITALS[6], 2):
        assert apart(owner(one).colour, owner(other).colour, eye) > 15, (one, other)


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
@pytest.mark.parametrize("eye", EYES)
def test_land_of_two_powers_is_never_alike(eye: str, theme: Theme) -> None:
    """Provinces under old and under new control, whatever the region's own colour shines through."""
    for share, least in ((0.88, 12), (0.5, 6)):
        for name in PALETTE.colours:
            paper = PALETTE.of(name, theme)
            for one, other in combinations(CAPITALS[6], 2):
                land, other_land = (over(owner(power).colour, paper, share) for power in (one, other))
                assert not name.startswith("reg-") or apart(land, other_land, eye) > least, (one, other, name)


def test_pattern_and_letter_tell_as_much_as_colour() -> None:
    """No two powers have the same of either, so that a print without colours can be read."""
    assert len({owner(power).pattern for power in CAPITALS[6]}) == len({LETTER[power] for power in CAPITALS[6]}) == 6


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_words_can_be_read_on_what_they_stand_on(theme: Theme) -> None:
    """Contrast of at least 4.5 to 1 for names and figures, 3 to 1 for the large names of seas and for marks."""
    grounds = ["paper", *(name for name in PALETTE.colours if name.startswith("reg-"))]
    wanted = [("ink", ground, 4.5) for ground in grounds] + [("soft", "paper", 4.5), ("soft", "unused", 3.0)]
    wanted += [("seaname", water, 3.0) for water in ("water", "water2", "narrow")]
    wanted += [(mark, "paper", 4.5) for mark in ("changed", "intended", "shortage", "surplus")]
    for ink, ground, least in wanted:
        one, other = sorted(times(XYZ, linear(PALETTE.of(name, theme)))[1] + 0.05 for name in (ink, ground))
        assert other / one >= least, (ink, ground, other / one)
