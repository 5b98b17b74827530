"""What a player is told of prices now."""

from typing import Any

from engine.amalfi import orders as o
from engine.amalfi.ruleset import RULES
from engine.amalfi.telling import TELLING
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    At,
    game,
    hand,
    hand_of,
    light,
    owns,
    place_characters,
    refused,
    row,
    stow,
)


def prices(at: At, viewer: str = ANN) -> dict[str, Any]:
    """What a viewer is told of prices."""
    found: dict[str, Any] = RULES.present_view(redact(at, viewer), viewer)["prices"]
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


def test_the_figures_of_a_player_count_what_lies_before_them() -> None:
    """A report compares points, bread, ships, lighthouses, characters, artworks and destinations."""
    at = game()
    place_characters(at, ANN, "c01", "c02", "c03")
    owns(at, ANN, "book01", "book02")
    light(at, "barcelona", ANN)
    told = TELLING.figures(at, ANN)
    assert (told["characters"], told["artworks"], told["destinations"], told["lighthouses"]) == (3, 2, 0, 1)
    assert (told["vp"], told["bread"], told["ships"]) == (0, 6, at.board.players[ANN].fleet)
