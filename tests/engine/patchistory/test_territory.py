"""Placement judged square by square (1. Placement des Tuiles Terrain; A-05 to A-09)."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel.orders import Problem
from engine.patchistory.catalogue import EQUALITY, LIBERTY, LIMITS, SIDES, TILES, Face, Kind
from engine.patchistory.territory import (
    ALL_SQUARES,
    Placement,
    Territory,
    built,
    capital,
    extent,
    location,
    locations,
    neighbours,
    placed,
    placements,
    refuse,
    specials,
    where,
    within_reach,
)
from tests.budget import budget

START = capital(EQUALITY)
FACES = [(tile, side) for tile in TILES for side in SIDES]


def face(*rows: str, **named: str) -> Face:
    """A side made for a test; letters without a name show a farm."""
    letters = sorted(set("".join(rows)))
    return Face(rows, {letter: named.get(letter, "farm") for letter in letters})


def at(corner: str, side: Face, *under: str, tile: str = "new") -> Placement:
    """The side with its top left square there."""
    return Placement(tile, side, corner, frozenset(under))


def code(problem: Problem | None) -> str:
    """The code of a refusal; empty for none."""
    return problem.code if problem else ""


def with_tile(territory: Territory, placement: Placement, limit: int = 7) -> Territory:
    """The territory after a placement that must be allowed."""
    assert refuse(territory, placement, limit) is None
    return placed(territory, placement)


PLAIN = face("AB", "CD")
SEA = face("AB", "CD", A="sea")
PAIR = face("AB", "CC", C="estate")
WIDE = face("AA", "BC", A="petra")


def test_the_capital_takes_the_squares_from_i9() -> None:
    """The capital's top left square is I9, and names stay when the territory grows to the left and upwards."""
    assert set(START) == {"I9", "J9", "K9", "I10", "J10", "K10"}
    grown = with_tile(START, at("H8", PLAIN))
    assert set(grown) - set(START) == {"H8", "I8", "H9"}
    assert grown["J10"] is START["J10"]


def test_a_tile_must_overlap() -> None:
    """At least one square lies over or under a square of the territory: beside it is not enough."""
    found = refuse(START, at("L9", PLAIN), 7)
    assert found == Problem("apart", {"square": "L9"})
    assert refuse(START, at("K9", PLAIN), 7) is None


def test_squares_beyond_the_last_name_are_refused() -> None:
    """A tile whose squares would have no name is refused."""
    assert code(refuse(START, at("S19", PLAIN), 7)) == "no_such_square"


def test_under_names_only_squares_that_are_met() -> None:
    """Squares named under must be squares of the tile with something above them."""
    found = refuse(START, at("K10", PLAIN, "L10", "K9"), 7)
    assert found == Problem("nothing_above", {"squares": ("K9", "L10")})


@pytest.mark.holds("patchistory", "ruling", "A-06")
def test_locations_are_covered_whole_or_not_at_all() -> None:
    """A hero, wonder or special building is not covered by half (A-06 for every location of several squares)."""
    there = with_tile(START, at("K9", face("AB", "AC", A="moses")))
    found = refuse(there, at("K10", PLAIN), 7)
    assert found == Problem("half_covered", {"room": "moses", "squares": ("K9",)})
    whole = at("K9", face("AB", "CD"))
    assert refuse(there, whole, 7) is None
    assert not specials(placed(there, whole))
    general = with_tile(START, at("K9", face("AB", "AC", A="estate")))
    assert code(refuse(general, at("K10", PLAIN), 7)) == "half_covered"


def test_new_locations_lie_under_whole_or_not_at_all() -> None:
    """A location of the new tile is not hidden by half (A-06)."""
    found = refuse(START, at("K9", PAIR, "K9", "K10"), 7)
    assert found == Problem("half_hidden", {"room": "estate", "squares": ("L10",)})
    assert refuse(START, at("J8", PAIR, "J9", "K9"), 7) is None


def test_nothing_goes_over_or_under_a_sea() -> None:
    """A Sea once placed is never covered, and no square is put under it."""
    there = with_tile(START, at("K8", face("AB", "CD", B="sea")))
    assert refuse(there, at("L7", PLAIN), 7) == Problem("sea_stays", {"squares": ("L8",)})
    assert code(refuse(there, at("L7", PLAIN, "L8"), 7)) == "sea_stays"


def test_a_new_sea_goes_over_but_not_under() -> None:
    """A Sea lies on any square but a Sea, and under none."""
    assert refuse(START, at("K10", SEA), 7) is None
    assert refuse(START, at("K10", SEA, "K10"), 7) == Problem("sea_under", {"squares": ("K10",)})


@pytest.mark.holds("patchistory", "ruling", "A-08")
def test_two_seas_may_not_be_adjacent() -> None:
    """Two Seas never share an edge; a corner is allowed (A-08)."""
    there = with_tile(START, at("K8", face("AB", "CD", B="sea")))
    beside = at("L9", face("AB", "CD", A="sea"), tile="other")
    assert refuse(there, beside, 7) == Problem("sea_beside", {"square": "L9", "other": "L8"})
    corner = at("L9", face("AB", "CD", B="sea"), tile="other")
    assert refuse(there, corner, 7) is None


def test_a_cleared_sea_is_a_wasteland() -> None:
    """A Sea with a building tile on it counts as Wasteland for every purpose (A-08)."""
    there = built(with_tile(START, at("K8", face("AB", "CD", B="sea"))), "L8", "wasteland", cleared=True)
    assert refuse(there, at("L7", PLAIN, tile="other"), 7) is None
    assert there["L8"].shows.kind is Kind.WASTELAND


@pytest.mark.holds("patchistory", "ruling", "A-05")
def test_one_tile_is_met_in_one_way() -> None:
    """Partly over and partly under is allowed between different tiles, not with one and the same (A-05)."""
    there = with_tile(START, at("K10", PLAIN, tile="first"))
    found = refuse(there, at("K10", PLAIN, "L10", tile="next"), 7)
    assert found == Problem("both_ways", {"squares": ("K10", "K11", "L11")})
    mixed = at("J10", PLAIN, "K10", "K11", tile="next")
    assert refuse(there, mixed, 7) is None
    assert refuse(there, mixed, 7, mixed=False) == Problem("not_mixed", {"squares": ("K10", "K11")})


def test_nothing_is_slid_between_a_building_and_its_tile() -> None:
    """A building tile belongs to the land tile below it: both are above the new tile, or both below (Important)."""
    there = built(START, "K10", "built_farm")
    assert code(refuse(there, at("J9", PLAIN, "J9", "K9", "J10"), 7)) == "both_ways"


@pytest.mark.holds("patchistory", "ruling", "A-07")
def test_something_of_the_tile_is_seen() -> None:
    """A tile may not vanish under the territory (A-07)."""
    assert code(refuse(START, at("I9", PLAIN, "I9", "J9", "I10", "J10"), 7)) == "all_hidden"


@pytest.mark.holds("patchistory", "ruling", "A-09")
def test_the_territory_keeps_within_its_size() -> None:
    """5x5, 6x6 and 7x7, by width and height of what is occupied (A-09)."""
    row = with_tile(START, at("K9", PLAIN))
    row = with_tile(row, at("L9", PLAIN, tile="b"))
    found = refuse(row, at("M9", PLAIN, tile="c"), LIMITS[0])
    assert found == Problem("too_large", {"width": 6, "height": 2, "limit": 5})
    assert refuse(row, at("M9", PLAIN, tile="c"), LIMITS[1]) is None


def test_the_statue_of_liberty_frees_from_the_limit_and_is_never_covered() -> None:
    """The limit ends only once the Statue lies there, and no tile is put over it."""
    statue = face("AB", "AC", A="statue_of_liberty")
    assert code(refuse(START, at("K9", statue), 3)) == "too_large"
    there = with_tile(START, at("K9", statue), 4)
    assert refuse(there, at("L9", PLAIN, tile="b"), 4) is None
    assert refuse(there, at("K9", PLAIN, tile="b"), 7) == Problem(
        "never_covered", {"room": "statue_of_liberty", "squares": ("K9", "K10")}
    )


def test_a_covered_building_leaves_the_game() -> None:
    """What is covered is gone, its building tile too; the new square shows what is printed."""
    there = built(START, "K10", "built_grange")
    after = placed(there, at("K10", PLAIN))
    assert (after["K10"].over, after["K10"].shows.id) == ("", "farm")


def test_a_building_makes_its_square_a_location_of_its_own() -> None:
    """A building tile covers one square, which is a location (Assainissement, Construction)."""
    there = built(START, "J9", "built_farm")
    assert location(there, "J9") == ("J9",)
    assert len(locations(there)) == 6


def test_steps_go_from_location_to_location() -> None:
    """A worker walks along edges; a location of several squares is one step, a Sea may be crossed (3. Mouvement)."""
    there = with_tile(START, at("K9", face("AA", "BC", A="petra")))
    assert within_reach(there, "J9", 0) == {"J9"}
    assert within_reach(there, "J9", 1) == {"J9", "I9", "J10", "K9", "L9"}
    assert "L10" in within_reach(there, "J9", 2)


# --- properties


def grown(choices: Iterable[int], start: Territory, limit: int, *, mixed: bool) -> Territory:
    """A territory after one placement for each choice, where there is any."""
    territory = start
    for choice in choices:
        tile, side = FACES[choice % len(FACES)]
        ways = list(placements(territory, tile, TILES[tile].face(side), limit, mixed=mixed))
        if ways and tile not in {square.tile for square in territory.values()}:
            territory = placed(territory, ways[choice // len(FACES) % len(ways)])
    return territory


games = st.lists(st.integers(0, 10_000_000), min_size=1, max_size=8)
starts = st.sampled_from([START, *map(capital, LIBERTY.values())])


@settings(max_examples=budget(20, 200))
@given(games, starts, st.booleans())
def test_what_is_allowed_keeps_the_rules(choices: list[int], start: Territory, mixed: bool) -> None:
    """After any allowed placements: within the limit, whole locations, no Seas side by side, nothing lost."""
    after = grown(choices, start, 6, mixed=mixed)
    if not any(square.shows.id == "statue_of_liberty" for square in after.values()):
        assert max(extent(after)) <= 6
    assert set(start) <= set(after)
    seas = {s for s, square in after.items() if square.shows.kind is Kind.SEA}
    assert not any(n in seas for s in seas for n in neighbours(s))
    seen = Counter((square.tile, square.letter) for square in after.values() if square.tile in TILES)
    for (tile, letter), squares in seen.items():
        sizes = {TILES[tile].face(side).size(letter) for side in SIDES if letter in TILES[tile].face(side).rooms}
        assert squares in sizes


def lawful(territory: Territory, side: Face, limit: int) -> set[tuple[str, frozenset[str]]]:
    """Every lawful placement by a second reading of the rules, square by square, that shares no code with the first."""
    found = set()
    whole = Counter((square.tile, square.letter) for square in territory.values() if not square.over)
    for corner in ALL_SQUARES:
        row, column = where(corner)
        if row > 18 or column > 17:
            continue
        names = {ALL_SQUARES[(row + r) * 19 + column + c]: letter for (r, c), letter in side.spots()}
        met = [square for square in names if square in territory]
        for bits in range(2 ** len(met)) if met else ():
            under = {square for n, square in enumerate(met) if bits >> n & 1}
            top = set(met) - under
            covered = Counter((territory[s].tile, territory[s].letter) for s in top if not territory[s].over)
            hidden = Counter(names[s] for s in under)
            rows, columns = zip(*map(where, {*territory, *names}), strict=True)
            seas = {s for s, x in territory.items() if x.shows.kind is Kind.SEA}
            fresh = {s for s, letter in names.items() if side.room(letter).kind is Kind.SEA}
            wrong = (
                bool({territory[s].tile for s in top} & {territory[s].tile for s in under}),
                len(under) == 4,
                any(whole[key] != n for key, n in covered.items()),
                any(side.size(letter) != n for letter, n in hidden.items()),
                bool(seas & set(met)) or bool(fresh & under),
                any(abs(where(a)[0] - where(b)[0]) + abs(where(a)[1] - where(b)[1]) == 1 for a in fresh for b in seas),
                max(max(rows) - min(rows), max(columns) - min(columns)) >= limit,
            )
            if not any(wrong):
                found.add((corner, frozenset(under)))
    return found


@settings(max_examples=budget(8, 100))
@given(games, starts, st.sampled_from([f for f in FACES if f[0] != "III-14"]))
def test_two_readings_of_placement_agree(choices: list[int], start: Territory, new: tuple[str, str]) -> None:
    """The placements that are offered are exactly those of a second reading of the rules."""
    there = grown([c for c in choices if FACES[c % len(FACES)][0] != "III-14"], start, 6, mixed=True)
    side = TILES[new[0]].face(new[1])
    offered = {(p.corner, p.under) for p in placements(there, "new", side, 6)}
    assert offered == lawful(there, side, 6)


@pytest.mark.parametrize(("right", "down"), [(0, -1), (0, 1), (-1, 0), (1, 0)])
def test_there_are_names_for_the_largest_territory(right: int, down: int) -> None:
    """Seven squares one way, and one more in each of the four rounds after the Statue of Liberty, all have names."""
    rows, columns = zip(*map(where, START), strict=True)
    across, along = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    far = 7 + 4 - (across if right else along)
    edge = where("K10") if right + down > 0 else where("I9")
    assert f"{'ABCDEFGHIJKLMNOPQRS'[edge[1] + right * far]}{edge[0] + down * far}" in ALL_SQUARES
