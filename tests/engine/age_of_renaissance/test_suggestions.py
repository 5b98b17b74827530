"""Likely lines: sensible, lawful, and never against oneself."""

from engine.age_of_renaissance import orders as o
from engine.age_of_renaissance.atlas import Hull
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.chapters import LANGUAGE
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.moves import Moves
from engine.kernel.orders import Line, Order
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import BLUE, VIOLET, YELLOW


def lines(position: build.At, asks: str, seat: Seat = YELLOW, **limits: int | str) -> tuple[Line, ...]:
    """What is suggested to a seat that is asked this now."""
    build.ask(position, asks, seat, **limits)
    seen = redact(position, seat)
    decision = next(d for d in seen.core.questions if d.seat == seat and d.topic == asks)
    with seen_by(seat):
        return tuple(LANGUAGE.suggest_orders(seen, decision))


def orders(position: build.At, asks: str, seat: Seat = YELLOW, **limits: int | str) -> list[Order]:
    """The same, as bare orders."""
    return [line.plan[0].order for line in lines(position, asks, seat, **limits)]


def test_expansion_fills_what_is_near_before_it_fights() -> None:
    """§9.5  First provinces that become controlled, then a card, then attacks with just enough tokens, tried twice.

    By Conversion for who owns it; without tokens nothing.
    """
    position = build.game(phase=Phase.EXPANSION)
    assert orders(position, "expansion") == []
    build.tokens(position, YELLOW, 12)
    build.control(position, VIOLET, "firenze")
    build.advances(position, YELLOW, "H")
    found = lines(position, "expansion")
    said = [line.plan[0].order for line in found]
    assert said.index(o.Place("milano", 3)) < said.index(o.BuyCard()) < said.index(o.Attack("firenze", 8))
    assert next(line for line in found if line.plan[0].order == o.Attack("firenze", 8)).repeat == 2
    assert o.Attack("firenze", 8, convert=True) in said


def test_what_can_be_paid_is_suggested() -> None:
    """§9.4, §9.7  Advances dearest first, with credits counted; a ship that exists; tokens for a share of the cash."""
    position = build.game(phase=Phase.PURCHASES)
    build.cash(position, YELLOW, 45)
    said = orders(position, "purchases")
    bought = [order.advances[0] for order in said if isinstance(order, o.Buy)]
    assert bought.index("R") < bought.index("I")
    assert "D" not in bought
    assert o.UpgradeShip() in said
    build.ship(position, YELLOW, Hull.GALLEY, 8)
    assert o.UpgradeShip() not in orders(position, "purchases")
    build.cash(position, YELLOW, 40)
    counts = [order.count for order in orders(position, "tokens") if isinstance(order, o.Tokens)]
    assert (counts[0], max(counts) <= 40, {0, -1} <= set(counts)) == (20, True, True)


def test_events_are_suggested_against_others() -> None:
    """A2  Civil War, Rebellion and War are never aimed at oneself while another can be hit."""
    position = build.game()
    build.hand(position, YELLOW, "civil_war", "rebellion", "war")
    build.control(position, VIOLET, "firenze")
    build.control(position, YELLOW, "milano")
    said = orders(position, "history")
    assert o.Play("civil_war", ("genoa",)) in said
    assert o.Play("rebellion", ("firenze",)) in said
    assert not any(isinstance(order, o.Play) and {"venezia", "milano"} & set(order.target) for order in said)


def test_a_good_that_pays_comes_first() -> None:
    """§9.3.1  A good that pays its player most comes before one that would pay a rival."""
    position = build.game()
    build.hand(position, YELLOW, "wool_1a", "stone_1b", "cloth_wine_1")
    said = orders(position, "history")
    assert said[0] in (o.Play("cloth_wine_1", good="cloth"), o.Play("wool_1a"), o.Play("stone_1a"))
    assert said.index(o.Play("cloth_wine_1", good="cloth")) < said.index(o.Play("cloth_wine_1", good="wine"))


def test_burdens_are_discarded_first() -> None:
    """§7.2, §9.2  A card that can never be played any more only costs stability."""
    position = build.game(phase=Phase.CARDS)
    build.advances(position, YELLOW, "P")
    build.hand(position, YELLOW, "wool_1a", "stirrups")
    position.board.played = frozenset({"gunpowder"})
    assert orders(position, "discard")[0] == o.Discard("stirrups")


def test_civil_war_costs_what_is_cheaper() -> None:
    """R46  Half the written sum, or half the tokens: the smaller number is suggested first."""
    position = build.game()
    build.cash(position, YELLOW, 4)
    build.tokens(position, YELLOW, 20)
    assert orders(position, "civil_war")[0] == o.Forfeit("money")


def test_the_poorest_provinces_are_ceded_and_lifted_first() -> None:
    """A2 Guerre  The capital last of all."""
    position = build.game()
    build.control(position, BLUE, "toledo")
    build.control(position, YELLOW, "dubrovnik", "firenze")
    ceded = orders(position, "war", winner="genoa", count=1)[0]
    assert isinstance(ceded, o.Cede)
    assert ceded.provinces[-1] == "venezia"
    assert set(ceded.provinces) == {"dubrovnik", "firenze", "venezia"}


def test_leaving_is_never_suggested() -> None:
    """§11.3  Leaving can be written, but is never suggested."""
    assert orders(build.game(), "leave") == []


def test_likely_values_come_from_accepted_lines() -> None:
    """A slot offers first what would be accepted now, and the whole vocabulary all the same."""
    position = build.game(phase=Phase.EXPANSION)
    build.tokens(position, YELLOW, 3)
    build.ask(position, "expansion", YELLOW)
    seen = redact(position, YELLOW)
    with seen_by(YELLOW):
        place = LANGUAGE.forms(seen, seen.core.questions[-1])[0]
    assert "milano" in place.slots[0].suggested
    assert "london" not in place.slots[0].suggested
    assert "london" in {choice.value for choice in place.slots[0].choices}


def test_a_province_where_no_token_can_go_says_why() -> None:
    """Out of reach, a token too few, a foe: each of its own, while others can be chosen."""
    position = build.game(phase=Phase.EXPANSION)
    build.tokens(position, YELLOW, 1)
    build.control(position, VIOLET, "firenze")
    build.ask(position, "expansion", YELLOW)
    seen = redact(position, YELLOW)
    moves = Moves(RULES, seen, next(d for d in seen.core.questions if d.seat == YELLOW))
    form = next(form for form in moves.forms if form.order is o.Place)
    refused = {p: moves.refusal(form, {"province": p}) for p in ("hamburg", "fez", "firenze")}
    assert {p: problem.code for p, problem in refused.items() if problem} == {
        "hamburg": "out_of_play",
        "fez": "out_of_reach",
        "firenze": "needs_attack",
    }
