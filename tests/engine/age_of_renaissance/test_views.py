"""What a viewer is shown: complete, free of secrets, and in figures that the rules would give."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest

from engine.age_of_renaissance.atlas import Hull
from engine.age_of_renaissance.board import Leader, Phase
from engine.age_of_renaissance.orders import Attack
from engine.age_of_renaissance.views import BEYOND, present
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.secrets import Mask, Sealed, Secret, redact
from engine.kernel.viewers import GM, PUBLIC, Viewer
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import BLUE, VIOLET, YELLOW


def view(position: Position[Any], viewer: Viewer = YELLOW) -> View:
    """What is shown to a viewer, from the redacted copy that leaves the engine."""
    return present(redact(position, viewer), viewer)


def leaves(thing: Any) -> Iterator[Any]:
    """Everything in a view that is no container."""
    if isinstance(thing, Mapping):
        for key, value in thing.items():
            yield key
            yield from leaves(value)
    elif isinstance(thing, tuple):
        for value in thing:
            yield from leaves(value)
    else:
        yield thing


def test_a_view_holds_names_and_numbers_only() -> None:
    """No Secret, no mask, no class of the engine: a view goes to templates and JSON as it stands."""
    position = build.game(4)
    build.hand(position, YELLOW, "war", "cloth_wine_1", "charlemagne")
    build.tokens(position, YELLOW, 10)
    for viewer in (YELLOW, VIOLET, PUBLIC, GM):
        shown = view(position, viewer)
        assert all(leaf is None or type(leaf) in (int, str, bool) for leaf in leaves(shown))
        assert not any(isinstance(leaf, Secret | Sealed | Mask) for leaf in leaves(shown))
        assert json.loads(json.dumps(shown, default=dict))


def test_a_hand_is_shown_to_its_owner_alone() -> None:
    """§10  Others see how many cards a player holds, and of those only what they have learnt."""
    position = build.game()
    build.hand(position, YELLOW, "war", "wool_1a")
    assert [card["card"] for card in view(position)["own"]["hand"]] == ["war", "wool_1a"]
    assert view(position, VIOLET)["powers"][YELLOW]["cards"] == 2
    assert view(position, VIOLET)["powers"][YELLOW]["known"] == ()
    power = position.board.powers[YELLOW]
    power.hand = (power.hand[0].shown_to(VIOLET), power.hand[1])
    assert view(position, VIOLET)["powers"][YELLOW]["known"] == ("war",)
    assert "own" not in view(position, PUBLIC)


@pytest.mark.holds("age_of_renaissance", "ruling", "R34")
def test_of_the_discards_the_top_and_the_count_are_shown() -> None:
    """R34  Only the top card may be looked at."""
    position = build.game()
    position.board.discard = ("stone_1a", "wool_1a")
    assert view(position)["discard"] == {"count": 2, "top": "wool_1a"}
    assert "stone_1a" not in set(leaves(view(position, PUBLIC)))


@pytest.mark.parametrize("viewer", [YELLOW, VIOLET, PUBLIC])
def test_piled_cash_shows_the_last_sum_written(viewer: Viewer) -> None:
    """R33  By option only its owner can count the cash; by default everybody can."""
    piled, opened = build.game(cash="piled"), build.game()
    for position in (piled, opened):
        build.cash(position, YELLOW, 23, written=37)
        build.advances(position, YELLOW, "L")
    line = view(piled, viewer)["powers"][YELLOW]
    assert line["written"] == 37
    assert (line["cash"], line["bank"] is None) == ((23, False) if viewer == YELLOW else (None, True))
    assert (line["score"] is None) == (viewer != YELLOW)
    assert view(opened, viewer)["powers"][YELLOW]["cash"] == 23


def test_payments_and_income_say_how_they_come() -> None:
    """§9.3.1, §9.6, §9.6.1  Wine pays 5 for a province, 45 two boxes up; 15 + provinces x players, more by Z, L."""
    position = build.game()
    assert view(position)["payments"]["wine"] == {BLUE: 5}
    position.board.markets["wine"] = 1
    build.advances(position, BLUE, "M")
    assert view(position)["payments"]["wine"] == {BLUE: 45}
    build.cash(position, YELLOW, 20)
    build.control(position, YELLOW, "firenze", "milano")
    build.advances(position, YELLOW, "LZ")
    line = view(position)["powers"][YELLOW]
    assert (line["provinces"], line["income"], line["bank"]) == (3, 15 + 3 * 3 + 10, 20)


def test_own_cards_tell_what_they_do_now() -> None:
    """§7.2, §9.3  What a good pays whom, what a leader takes off, which card has become a burden."""
    position = build.game()
    build.hand(position, YELLOW, "cloth_wine_1", "charlemagne", "stirrups")
    position.board.played = frozenset({"gunpowder"})
    double, leader, weapon = view(position)["own"]["hand"]
    assert double["pays"] == {"cloth": {YELLOW: 5, VIOLET: 5}, "wine": {BLUE: 5}}
    assert leader["credits"] == {"W": 20}
    assert weapon["burden"] == "burden_after"


def test_prices_are_those_of_this_moment() -> None:
    """§9.4.2  Printed cost, credits by their source, what is left, what is missing, what stands in the way."""
    position = build.game(phase=Phase.PURCHASES)
    build.advances(position, YELLOW, "N")
    build.cash(position, YELLOW, 20)
    position.board.leaders = (Leader("gutenberg", VIOLET, 1),)
    prices = {line["advance"]: line for line in view(position)["own"]["advances"]}
    assert "N" not in prices
    assert (prices["O"]["cost"], prices["O"]["credits"], prices["O"]["price"]) == (60, (("N", 30),), 30)
    assert prices["O"]["obstacle"] == "advance_too_dear"
    assert prices["I"]["obstacle"] == ""


def test_what_one_can_do_is_told_with_its_price() -> None:
    """§9.4.1, §9.4.3, §9.5  The next ship, if there is one; stability and what refusing it costs; what tokens fit.

    §9.4.4  Who is out of the game has no options, and misery beyond the last box.
    """
    position = build.game(phase=Phase.PURCHASES)
    build.hand(position, YELLOW, "war", "wool_1a", "wool_1b", "stone_1a", "stone_1b")
    build.misery(position, YELLOW, 90)
    build.tokens(position, YELLOW, 2)
    own = view(position)["own"]
    assert own["stability"] == {"cost": 15, "cards": 5, "unpaid": 125}
    assert own["ship"] == {"hull": "galley", "level": 2, "cost": 10}
    position.board.phase = Phase.EXPANSION
    found = {line["province"]: line["most"] for line in view(position)["own"]["placements"]}
    assert (found["milano"], "venezia" in found) == (2, False)
    build.ship(position, YELLOW, Hull.GALLEY, 8)
    assert view(position)["own"]["ship"] is None
    power = position.board.powers[YELLOW]
    power.eliminated, power.misery = True, 99
    shown = view(position)
    assert shown["powers"][YELLOW]["misery"] == BEYOND
    assert shown["own"]["advances"] == shown["own"]["placements"] == ()
    assert shown["own"]["stability"] is None


def test_attacks_tell_what_they_need_and_how_likely_they_are() -> None:
    """§9.5.2, B1  Tokens needed, odds in 216 throws at one's rank, whether tokens and ship allow it."""
    position = build.game(phase=Phase.EXPANSION)
    build.control(position, VIOLET, "firenze")
    build.tokens(position, YELLOW, 8)
    found = {line["province"]: line for line in view(position)["own"]["attacks"]}["firenze"]
    assert (found["needs"], found["enough"], found["carried"]) == (8, True, None)
    assert Fraction(found["wins"], found["of"]) == Fraction(174, 216)
    build.tokens(position, YELLOW, 7)
    found = {line["province"]: line for line in view(position)["own"]["attacks"]}["firenze"]
    assert not found["enough"]


def test_no_attack_is_shown_on_a_box_that_the_fleet_cannot_keep_up() -> None:
    """§9.4.1  Galleon 1 keeps up one box: no attack is shown on another, but on the one that it is in."""
    position = build.game(phase=Phase.EXPANSION)
    build.advances(position, YELLOW, "AST")
    build.control(position, VIOLET, "india")
    build.piece(position, VIOLET, "china", old=1)
    build.tokens(position, YELLOW, 30)
    assert {"india", "china"} <= {line["province"] for line in view(position)["own"]["attacks"]}
    build.piece(position, YELLOW, "china", old=1)
    problem = build.refused(position, YELLOW, "expansion", Attack("india", 10))
    assert problem is not None
    assert problem.code == "overseas_full"
    shown = {line["province"] for line in view(position)["own"]["attacks"]}
    assert ("india" in shown, "china" in shown) == (False, True)


def test_only_provinces_in_play_are_on_the_map() -> None:
    """§8.2  With three players the map has regions IV to VIII and the overseas boxes, each in one piece."""
    regions = [region for region, _ in groupby(province["region"] for province in view(build.game())["provinces"])]
    assert sorted(regions) == ["IV", "V", "VI", "VII", "VIII", "far_east", "new_world"]


def test_pieces_are_shown_in_order_of_play() -> None:
    """§5.2  Old and new tokens and markers of each power."""
    position = build.game()
    build.piece(position, BLUE, "firenze", old=1)
    build.piece(position, VIOLET, "firenze", new=2)
    firenze = next(p for p in view(position)["provinces"] if p["id"] == "firenze")
    assert firenze["pieces"] == (
        {"seat": VIOLET, "old": 0, "new": 2, "marker": ""},
        {"seat": BLUE, "old": 1, "new": 0, "marker": ""},
    )


def test_leaders_tell_how_many_may_still_claim_them() -> None:
    """§9.3.3  The first is protected, later ones less and less."""
    position = build.game()
    position.board.leaders = (
        Leader("charlemagne", YELLOW, 1),
        Leader("dionysius", BLUE, 2, (VIOLET,)),
        Leader("benedict", BLUE, 0),
    )
    assert [leader["left"] for leader in view(position)["leaders"]] == [0, 0, None]
