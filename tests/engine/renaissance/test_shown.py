"""What a seat is told of prices and of dice, beside its hand."""

from engine.kernel.secrets import redact
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.board import Phase
from engine.renaissance.ruleset import RULES
from tests.engine.renaissance import build
from tests.engine.renaissance.build import GREEN, RED


def own(position: build.At, seat: Seat) -> dict[str, object]:
    """The own part of what a seat is shown."""
    found: dict[str, object] = RULES.present_view(redact(position, seat), seat)["own"]
    return found


def test_the_shop_offers_what_the_judge_takes_and_says_why_not_else() -> None:
    """Séquence 3  Each purchase has the price of the rules, and exactly the cities in which an order would stand."""
    position = build.game(phase=Phase.PURCHASES)
    build.ducats(position, GREEN, 4)
    build.city(position, "milano", GREEN, 1)
    shop = own(position, GREEN)["shop"]
    assert isinstance(shop, tuple)
    assert {one["what"]: one["price"] for one in shop} == {
        "card": 2,
        "palace": 3,
        "rampart": 4,
        "castle": 4,
        "fortress": 8,
    }
    assert {one["what"]: one["obstacle"] for one in shop}["fortress"] == "too_dear"
    for one in shop[1:]:
        lines = {
            town: build.code(position, GREEN, "purchases", o.Build(city=town, what=one["what"]))
            for town in held(position)
        }
        assert one["cities"] == tuple(town for town, code in lines.items() if not code)
        assert bool(one["cities"]) != bool(one["obstacle"])


def held(position: build.At) -> tuple[str, ...]:
    """The cities of the seat that shops."""
    return tuple(position.board.held(GREEN))


def test_looters_are_told_their_odds_in_each_city_that_may_be_looted() -> None:
    """A3  A die above the walls: 4 of 6 against a garrison, 2 against a rampart, all in a free city; none without."""
    position = build.game()
    assert own(position, GREEN)["pillage"] == ()
    build.hand(position, GREEN, "pillards")
    build.city(position, "genova", RED, 1)
    build.city(position, "roma", RED, 2)
    build.city(position, "napoli", RED, 3)
    found = own(position, GREEN)["pillage"]
    assert isinstance(found, tuple)
    wins = {one["city"]: one["wins"] for one in found}
    assert (wins["genova"], wins["roma"], wins["siena"]) == (4, 2, 6)
    assert "napoli" not in wins


def test_an_ambassador_is_told_how_often_each_effect_comes() -> None:
    """Ambassadeur  The effects of two dice are all of 36 throws; only who holds the card is told."""
    position = build.game()
    assert own(position, GREEN)["embassy"] is None
    build.hand(position, GREEN, "ambassadeur")
    build.city(position, "genova", RED, 1)
    found = own(position, GREEN)["embassy"]
    assert isinstance(found, dict)
    assert sum(found["effects"].values()) == found["of"] == 36
    assert found["effects"]["corruption"] == 15
    assert {one["city"]: one["wins"] for one in found["corrupt"]}["genova"] == 4
