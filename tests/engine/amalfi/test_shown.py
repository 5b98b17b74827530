"""What a player is told of prices now."""

from typing import Any

from engine.amalfi import orders as o
from engine.amalfi.ruleset import RULES
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from tests.engine.amalfi.build import ANN, BOB, At, game, hand, hand_of, refused, row, stow


def prices(at: At, viewer: str = ANN) -> dict[str, Any]:
    """What a viewer is told of prices."""
    found: dict[str, Any] = RULES.present(redact(at, viewer), viewer)["prices"]
    return found


def test_what_lies_open_has_the_price_that_the_judge_asks() -> None:
    """Acquisition, Découverte: who can pay is told so exactly where the order would stand."""
    at = game()
    stow(at, ANN, bay=0, jewel=2)
    row(at, "atelier", "book01", "book02", "book03", "painting01", "painting02")
    told = {one["card"]: one for one in prices(at)["atelier"]}
    assert list(told) == ["book01", "book02", "book03", "painting01", "painting02"]
    assert told["painting02"]["price"] == 5
    assert {one["able"] for one in told.values()} == {True, False}
    for card, one in told.items():
        assert one["able"] == (refused(at, ANN, o.Acquire(card)) == "")
    for one in prices(at)["atlas"]:
        assert one["able"] == (refused(at, ANN, o.Discover(one["card"])) == "")


def test_a_hand_is_priced_for_its_owner_alone() -> None:
    """Invitation: nobody else, and not the public, is told of a card in hand."""
    at = game()
    hand(at, ANN, "c01")
    held = hand_of(at, ANN)
    assert "c01" in held
    assert tuple(one["card"] for one in prices(at)["invite"]) == held
    assert not {one["card"] for one in prices(at, BOB)["invite"]} & set(held)
    assert prices(at, PUBLIC) == {}
