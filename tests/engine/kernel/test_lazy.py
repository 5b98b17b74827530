"""Parts of a view that are reckoned when they are asked for."""

import pytest

from engine.kernel.lazy import LazyMapping
from engine.kernel.secrets import Hidden, Secret, seen_by
from engine.kernel.viewers import Seat

ANNA, BERT = Seat("anna"), Seat("bert")
HAND = Secret("fish", frozenset({ANNA}))


def test_a_value_is_reckoned_when_it_is_read_and_once() -> None:
    """Nothing is reckoned that nobody reads, and nothing twice."""
    reckoned = list[str]()

    def cost() -> int:
        reckoned.append("cost")
        return 7

    found = LazyMapping(ANNA, {"cost": cost, "other": lambda: pytest.fail("nobody asked")})
    assert list(found) == ["cost", "other"]
    assert len(found) == 2
    assert not reckoned
    assert [found["cost"], found["cost"]] == [7, 7]
    assert reckoned == ["cost"]


@pytest.mark.parametrize("reader", [BERT, Seat("")])
def test_a_value_is_reckoned_by_what_its_own_viewer_knows(reader: Seat) -> None:
    """Whoever is in force when it is read, a value follows from what its viewer may read, and from nothing else."""
    with seen_by(reader):
        assert LazyMapping(ANNA, {"hand": lambda: HAND.value})["hand"] == "fish"
    with seen_by(ANNA), pytest.raises(Hidden):
        LazyMapping(BERT, {"hand": lambda: HAND.value})["hand"]
