"""The rulebook's slips: each waiver is a printed figure that cannot stand, computed here from everything else.

The capital table of the strategies comes first: it is read cell by cell from the board, and one cell is a slip.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product

import pytest

from engine.age_of_renaissance.atlas import COASTS, NEIGHBOURS, sea_distance
from engine.age_of_renaissance.catalogue import (
    ADVANCES,
    CAPITALS,
    CARDS,
    GOODS,
    MISERY,
    ODDS,
    PROVINCES,
    REGIONS,
    REGIONS_IN_PLAY,
    START_CASH,
    WAIVERS,
    income,
    payout,
    stabilisation,
    unpaid,
)

# exclusive and shared neighbours, exclusive and shared by Galley 2 or Caravan, mark, value
CAPITAL_TABLE = {
    "venezia": (2, 2, 1, 0, 8, 31),
    "genoa": (0, 5, 0, 1, 6, 29),
    "barcelona": (3, 1, 1, 0, 9, 47),
    "paris": (2, 3, 1, 4, 13, 59),
    "london": (3, 0, 1, 1, 9, 33),
    "hamburg": (1, 1, 1, 3, 8, 49),
}
BY_CARAVAN = ("paris", "hamburg")


def _markets(provinces: Iterable[str]) -> set[str]:
    """Those that can be controlled and are no capital."""
    return {p for p in provinces if not PROVINCES[p].satellite and not PROVINCES[p].capital}


def _near(capital: str) -> set[str]:
    return _markets(NEIGHBOURS[capital])


def _far(capital: str) -> set[str]:
    """What Galley 2 (Caravan for the two inland powers) adds on the first turn."""
    if capital in BY_CARAVAN:
        found = {p for crossed in NEIGHBOURS[capital] for p in NEIGHBOURS[crossed]}
    else:
        found = {p for p in COASTS if (sea_distance(capital, p, astronomy=False) or 9) <= 2}
    return _markets(found) - _near(capital)


def _own_far(capital: str) -> set[str]:
    """Of these, what can be controlled at once: two tokens are all that Galley 2 lands."""
    return {p for p in _far(capital) if capital in BY_CARAVAN or PROVINCES[p].capacity <= 2}


def _row(capital: str) -> tuple[int, ...]:
    """A line of the table: what others can also put tokens into is shared; exclusive provinces count twice."""
    others = {p for c in CAPITALS[6] if c != capital for p in _near(c) | _far(c)}
    near, far = _near(capital), _own_far(capital)
    twice, once = (near | far) - others, (near | far) & others
    value = {p: GOODS[PROVINCES[p].goods[0]].base for p in {capital} | near | far}
    worth = 2 * sum(value[p] for p in twice | {capital}) + sum(value[p] for p in once)
    counts = (len(near - others), len(near & others), len(far - others), len(far & others))
    return (*counts, 2 * len(twice) + len(once), worth)


@pytest.mark.parametrize(("capital", "column"), list(product(CAPITAL_TABLE, range(6))))
def test_capital_table(capital: str, column: int) -> None:
    """Strategies: 35 of the 36 cells come out of the board; the value of Venezia is waived."""
    printed, ours = CAPITAL_TABLE[capital][column], _row(capital)[column]
    if (capital, column) == ("venezia", 5):
        assert (printed, ours) == (WAIVERS["venezia_value"].printed, WAIVERS["venezia_value"].taken)
    else:
        assert printed == ours


def test_hamburg_by_caravan() -> None:
    """Strategies: Caravan can bring Hamburg 51 on the second turn, here too without the contested Köln."""
    assert income(6, 1 + len((_near("hamburg") | _far("hamburg")) - {"koln"})) == 51


# --- the rulebook's slips -----------------------------------------------------------------------------------------


def _region_tokens(region: str) -> int:
    return sum(p.capacity for p in PROVINCES.values() if p.region == region and not p.satellite)


def _sheet_leaders(letter: str) -> dict[str, int]:
    return {card: CARDS[card].credits[letter] for card in ADVANCES[letter].leaders}


def _green_three_wins_at_rank_4() -> bool:
    """Return True if the odds of B1 have room for it: they are counted anew with a green 3 among the wins."""
    throws = product(range(1, 7), repeat=3)
    won = sum(green > 4 or green == 3 or black > white for green, black, white in throws)
    return ODDS[4, False, False] == Fraction(won, 216)


def _tie_goes_to() -> str:
    """End of turn 3: Violet, who chose a capital after Bleu, is first though both bought 12."""
    chose, first = ("bleu", "violet"), "violet"
    return "first" if chose.index(first) == 0 else "last"


COMPUTED: Mapping[str, Callable[[], object]] = {
    "tokens_region_VII": lambda: _region_tokens("VII"),
    "tokens_region_I": lambda: _region_tokens("I"),
    "venezia_value": lambda: _row("venezia")[5],
    "stone_boxes": lambda: list(GOODS["stone"].progression),
    "ivory_boxes": lambda: list(GOODS["ivory"].progression),
    "wool_eleventh_box": lambda: payout("wool", 9, 2),
    "income_6_players_23": lambda: income(6, 23),
    "regions_of_table_2": lambda: list(REGIONS)[len(REGIONS_IN_PLAY[6]) - 3],
    "indulgences_cost": lambda: ADVANCES["F"].cost,
    "new_world_credit": lambda: ADVANCES["U"].credit,
    "society_total": lambda: sum(a.cost for a in ADVANCES.values() if a.category == "society"),
    "manuscripts_rashid": lambda: [CARDS["rashid"].epoch, CARDS["rashid"].credits["N"]],
    "research_leaders": lambda: _sheet_leaders("X"),
    "cosmopolitan_las_casas": lambda: CARDS["las_casas"].epoch,
    "weapons_recycle": lambda: any(CARDS[c].recycles for c in ("mongols", "long_bow", "gunpowder")),
    "example_green_three": _green_three_wins_at_rank_4,
    "example_violet_thirteen": lambda: income(3, 12) + 4 - 43,
    "example_bid_403": lambda: START_CASH - 3,
    "ties_to_first_chooser": _tie_goes_to,
    "hamburg_galley_income": lambda: income(6, 1 + len(_near("hamburg"))),
    "example_bleu_two_left": lambda: 42 + payout("timber", 2) + payout("wool", 2) - (ADVANCES["W"].cost - 20),
    "example_violet_misery": lambda: MISERY[unpaid(1, stabilisation(1))],
}


@pytest.mark.holds("age_of_renaissance", "ruling", "R30")
@pytest.mark.parametrize("name", COMPUTED)
def test_waivers_are_needed(name: str) -> None:
    """A waiver stands only where the printed figure differs from ours, and names ours exactly."""
    waiver, ours = WAIVERS[name], COMPUTED[name]()
    assert waiver.printed != ours, "not needed: the rulebook prints what we have"
    assert waiver.taken == ours
    assert waiver.why


def test_every_waiver_is_checked() -> None:
    """No waiver is listed that nothing needs."""
    assert set(COMPUTED) == set(WAIVERS)
