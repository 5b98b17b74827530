"""What is suggested: for every question something that stands, and what is best first."""

from collections.abc import Sequence

from engine.amalfi import orders as o
from engine.amalfi.phases.turns import EndActions
from engine.amalfi.ruleset import RULES
from engine.kernel.orders import Order, Question
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import all_valid, check_orders
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    At,
    act,
    dock,
    game,
    hand,
    light,
    owns,
    place_characters,
    play,
    queue,
    row,
    stow,
)


def suggested(position: At, asks: str = "action", seat: object = ANN) -> Sequence[Order]:
    """What a seat is suggested for its open question, each judged."""
    decision = next(d for d in position.core.questions if d.seat == seat and d.topic == asks)
    seen = redact(position, decision.seat)
    with seen_by(decision.seat):
        lines = RULES.suggest_orders(seen, decision)
        default = RULES.default_orders(seen, decision)
        forms = RULES.forms(seen, decision)
    assert forms
    for line in (*((line,) for line in lines), default):
        assert all_valid(check_orders(RULES, seen, decision, line))
    return [line.plan[0].order for line in lines]


def busy() -> At:
    """A table in its third period where everything could be done."""
    at = game(period=3)
    owns(at, ANN, "book01", "painting01", "pd06", "pd12")
    place_characters(at, ANN, "c56", "c64", "c57", "c73", "c60", "c62", "c65", "c12", "c02", "c54")
    place_characters(at, ANN, "c59", engaged=True)
    hand(at, ANN, "c17", "c18", "c20", "c24", "c38", "c71")
    dock(at, "ragusa", ANN)
    light(at, "candia", ANN)
    light(at, "tripoli", BOB)
    stow(at, ANN, bay=3, port=1, wood=1, wine=1, jewel=1, cloth=1, spice=1)
    return at


def test_every_kind_of_action_is_suggested_and_to_pass_comes_last() -> None:
    """Each stands alone."""
    found = suggested(busy())
    assert {type(order) for order in found} >= {o.Sail, o.Acquire, o.Invite, o.Engage, o.Finish}
    assert found[-1] == o.Finish()
    rich = game()
    stow(rich, ANN, bay=0, wood=4)
    row(rich, "atlas", "pd06", "pd07", "pd08", "pd09", "pd10")
    assert {type(order) for order in suggested(rich)} >= {o.Build, o.Discover}


def test_who_can_do_nothing_else_is_shown_where_bread_comes_from() -> None:
    """Characters, ships of holds, an emergency."""
    at = game(period=4)
    at.board.players[ANN].bread = 0
    row(at, "atelier")
    row(at, "atlas")
    for place in ("palermo", "genova", "pisa", "napoli", "salerno"):
        at.board.docks[place] = "rival"
    hand(at, ANN, "c01", "c02")
    stow(at, ANN, bay=2, spice=1)
    found = suggested(at)
    assert o.Lower(("spice",)) in found
    assert o.Supply(1) in found
    assert any(isinstance(order, o.Drop) for order in found)


def test_interruptions_and_standing_questions_are_suggested() -> None:
    """The lighthouse, the meal, the decree, optional actions."""
    at = busy()
    hand(at, BOB, "c22")
    stow(at, BOB, bay=2, wood=1)
    assert suggested(act(at, o.Sail("tripoli")).position, "light", BOB)
    assert suggested(at, "free", BOB)
    filed = act(at, [o.Sail("palermo"), o.Finish()])
    assert o.Recant() in suggested(filed.position, "free")
    for player in at.board.players.values():
        player.bread = 0
    meal = queue(at, EndActions())
    assert o.Provide() in suggested(meal.position, "meal")
    at = busy()
    at.board.period = 4
    at.board.decrees = ("conclave", "conseil", "exploration", "subsistance")
    decree = play(queue(at, EndActions()).position, "meal/4", {})
    assert any(isinstance(order, o.Drop) for order in suggested(decree.position, "decree"))


def test_what_is_answered_ahead_is_judged_by_this_period() -> None:
    """A reaction of this period is suggested, one of another is not."""
    at = busy()
    for period, some in ((3, True), (4, False)):
        with seen_by(ANN):
            lines = RULES.suggest_orders(redact(at, ANN), Question(f"light/{period}", ANN, "light"))
        assert bool(lines) == some


def test_the_default_of_a_lighthouse_is_a_place_of_ones_own_or_points_where_none_is_left() -> None:
    """Stated where it is asked."""
    at = game()
    owns(at, ANN, "pd06")
    decision = Question("erect/1/1", ANN, "erect")
    with seen_by(ANN):
        assert RULES.default_orders(redact(at, ANN), decision)[0].plan[0].order == o.Erect(("pd06",))
        for place in ("ragusa", "candia", "tripoli", "roma", "pisa", "genova"):
            light(at, place, ANN)
        assert RULES.default_orders(redact(at, ANN), decision)[0].plan[0].order == o.Erect(("vp",))
        light_default = RULES.default_orders(redact(at, ANN), Question("light/1/1", ANN, "light"))
        assert light_default[0].plan[0].order == o.Light()


def test_no_action_about_a_character_is_suggested_that_loses_the_action_it_gives() -> None:
    """What pays the invitation cannot pay the tile that it gives too; nor is a ship built where none is left."""
    at = game()
    hand(at, ANN, "c23")
    stow(at, ANN, bay=0, spice=1)
    assert not [order for order in suggested(at) if isinstance(order, o.Invite)]
    stow(at, ANN, bay=4, spice=6)
    assert [order.get for order in suggested(at) if isinstance(order, o.Invite)]
    at = game()
    place_characters(at, ANN, "c66", "c75")
    stow(at, ANN, bay=0, port=4)
    assert [order.character for order in suggested(at) if isinstance(order, o.Engage)] == []
    owns(at, ANN, "pd06")
    stow(at, ANN, bay=2, wood=4)
    assert {order.character for order in suggested(at) if isinstance(order, o.Engage)} == {"c66", "c75"}
