"""What lines may depend on: what the author's own view says, in words of the table."""

import pytest

from engine.kernel.orders import Condition
from engine.kernel.secrets import redact, seen_by
from engine.patchistory.board import Lot, Stake
from engine.patchistory.catalogue import WHITE
from engine.patchistory.conditions import holds
from tests.engine.patchistory.build import BLUE, RED, At, game, strong
from tests.engine.patchistory.test_language import line

CONDITIONS = [
    ("IF A COSTS AT MOST 5: BID A", Condition("costs", {"lot": "A", "most": 5}), True),
    ("SI la tuile A COÛTE AU PLUS 4 : MISER A", Condition("costs", {"lot": "A", "most": 4}), False),
    ("IF B COSTS AT MOST 1: BID B", Condition("costs", {"lot": "B", "most": 1}), True),
    ("IF C COSTS AT MOST 9: BID C", Condition("costs", {"lot": "C", "most": 9}), False),
    ("IF Military IS AT LEAST 3: BID A", Condition("level", {"level": "military", "count": 3}), True),
    ("SI Force Militaire EST AU MOINS 4 : MISER A", Condition("level", {"level": "military", "count": 4}), False),
    ("IF Politics AT LEAST 1: BID A", Condition("level", {"level": "politics", "count": 1}), True),
]


def auction() -> At:
    """Blue bids 4 Money on tile A, nobody on tile B, and there is no tile C; Red has 3 Military."""
    at = game()
    at.board.offer = (Lot("A", "I-01", WHITE), Lot("B", "I-02", WHITE))
    at.board.bids[BLUE] = Stake("A", 4)
    strong(at, RED, 3)
    return at


@pytest.mark.parametrize(("written", "meant", "truth"), CONDITIONS)
def test_prices_of_tiles_and_own_levels_can_be_asked(written: str, meant: Condition, truth: bool) -> None:
    """A plan bids while a tile is cheap, and does what a level allows."""
    assert line("auction", written).plan[0].conditions == (meant,)
    with seen_by(RED):
        assert holds(redact(auction(), RED), RED, meant) is truth
