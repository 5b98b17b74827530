"""What a player is told of prices now."""

from typing import Any

from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from engine.patchistory.board import Phase, Stake
from engine.patchistory.orders import Bid
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import BLUE, GREEN, RED, At, enter, game, hand, refused, stock


def view(at: At, viewer: str) -> dict[str, Any]:
    """What a viewer is shown."""
    return dict(RULES.present_view(redact(at, viewer), viewer))


def test_each_tile_has_the_least_bid_that_leads_now() -> None:
    """1.-5.: one Money on a free tile, one more than what leads; to be added is what is not bid already."""
    at = enter(game(3), Phase.AUCTION).position
    stock(at, RED, money=2)
    at.board.bids[BLUE] = Stake("A", 4)
    at.board.bids[GREEN] = Stake("B", 2)
    told = {bid["lot"]: bid for bid in view(at, RED)["bids"]}
    assert [(bid["least"], bid["adds"], bid["able"]) for bid in told.values()] == [
        (5, 5, False),
        (3, 3, False),
        (1, 1, True),
    ]
    for lot, bid in told.items():
        assert bid["able"] == (refused(at, RED, "auction", Bid(lot, bid["least"])) is None)
    assert {bid["lot"]: bid["leads"] for bid in view(at, BLUE)["bids"]} == {"A": True, "B": False, "C": False}
    assert {bid["lot"]: bid["adds"] for bid in view(at, BLUE)["bids"]} == {"A": 0, "B": 0, "C": 0}
    assert view(at, PUBLIC)["bids"] == ()


def test_a_building_has_its_price_and_whether_it_can_be_paid() -> None:
    """Construction d'un Bâtiment: Resources as printed less discounts, and Politics Points."""
    at = game(3, phase=Phase.ADMINISTRATION)
    hand(at, RED, "senate")
    stock(at, RED, resource=0)
    built = view(at, RED)["powers"][RED]["buildings"][0]
    assert (built["price"], built["able"]) == (built["cost"], False)
    stock(at, RED, resource=9)
    again = view(at, RED)["powers"][RED]["buildings"][0]
    assert again["able"] == (again["points"] <= view(at, RED)["powers"][RED]["points"])
