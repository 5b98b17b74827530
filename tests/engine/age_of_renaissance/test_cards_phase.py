"""§9.2  Phase 2: the extra card of Urban Growth, the discard of Arts and Techniques."""

import pytest

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.events import CardDiscarded, CardDrawn
from engine.age_of_renaissance.orders import BuyExtra, Discard
from engine.kernel.events import LineFailed
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    At,
    advances,
    cash,
    enter,
    events_of,
    game,
    hand,
    held,
    pile,
    play,
    sound,
)
from tests.engine.age_of_renaissance.phase_play import code


def urban(*, pace: str = "sealed", cash: str = "public") -> At:
    """Yellow and violet own V and P, blue neither; all hold one card."""
    position = game(pace=pace, cash=cash)
    for seat, card in ((YELLOW, "wool_1a"), (VIOLET, "stirrups"), (BLUE, "war")):
        hand(position, seat, card)
    advances(position, YELLOW, "VP")
    advances(position, VIOLET, "VP")
    return position


@pytest.mark.holds("age_of_renaissance", "topic", "extra")
def test_an_extra_card_costs_ten_ducats() -> None:
    """§9.2  Ten ducats and one card for each who asks, in the order of play."""
    position = enter(urban(), Phase.CARDS).position
    assert {d.seat: d.topic for d in position.core.questions} == {YELLOW: "extra", VIOLET: "extra"}
    went = play(position, position.core.gates()[0], {YELLOW: BuyExtra(), VIOLET: BuyExtra()})
    assert [(e.seat, e.cause, e.ducats) for e in events_of(went, CardDrawn)] == [
        (YELLOW, "extra", 10),
        (VIOLET, "extra", 10),
    ]
    assert went.position.board.powers[YELLOW].cash == 30
    assert len(held(went.position, YELLOW)) == 2


@pytest.mark.holds("age_of_renaissance", "topic", "discard")
def test_the_discard_is_asked_with_the_extra_card_in_hand() -> None:
    """§9.2  One card goes after the extra one came: one that returns lies open, another leaves the game."""
    position = enter(urban(), Phase.CARDS).position
    position = play(position, position.core.gates()[0], {YELLOW: BuyExtra()}).position
    assert {d.seat: d.topic for d in position.core.questions} == {YELLOW: "discard", VIOLET: "discard"}
    went = play(position, position.core.gates()[0], {YELLOW: Discard("wool_1a"), VIOLET: Discard("stirrups")})
    assert [(e.card, e.removed, e.cause) for e in events_of(went, CardDiscarded)] == [
        ("wool_1a", False, "P"),
        ("stirrups", True, "P"),
    ]
    assert (went.position.board.discard, "stirrups" in went.position.board.removed) == (("wool_1a",), True)
    sound(went.position)
    fresh = held(position, YELLOW)[1]
    went = play(position, position.core.gates()[0], {YELLOW: Discard(fresh)})
    assert held(went.position, YELLOW) == ("wool_1a",)


def test_in_the_pace_order_each_power_is_asked_in_its_turn() -> None:
    """§9.2  The first player buys and discards before the second is asked."""
    position = enter(urban(pace="order"), Phase.CARDS).position
    asked = []
    while position.core.questions:
        asked += [(d.seat, d.topic) for d in position.core.questions]
        position = play(position, position.core.gates()[0], {}).position
    assert asked == [(YELLOW, "extra"), (YELLOW, "discard"), (VIOLET, "extra"), (VIOLET, "discard")]


@pytest.mark.holds("age_of_renaissance", "ruling", "R33")
def test_who_has_too_little_or_no_card_is_not_asked() -> None:
    """§9.2, R33  Ducats lie open and all can count cards, so a question without a choice is not asked.

    With piled cash everybody who owns Urban Growth is asked, rich or poor; without the advances nobody is.
    """
    position = urban()
    cash(position, YELLOW, 9)
    hand(position, VIOLET)
    position = enter(position, Phase.CARDS).position
    assert [(d.seat, d.topic) for d in position.core.questions] == [(VIOLET, "extra")]
    position = play(position, position.core.gates()[0], {}).position
    assert [(d.seat, d.topic) for d in position.core.questions] == [(YELLOW, "discard")]
    piled = urban(cash="piled")
    cash(piled, YELLOW, 9)
    assert {d.seat for d in enter(piled, Phase.CARDS).position.core.questions} == {YELLOW, VIOLET}
    assert enter(game(), Phase.CARDS).position.core.questions == ()


@pytest.mark.holds("age_of_renaissance", "ruling", "R26")
def test_no_extra_card_is_offered_when_no_pile_is_left() -> None:
    """R26  Once the last pile is drawn no card is offered for sale."""
    position = urban()
    pile(position, epoch=3)
    assert {d.topic for d in enter(position, Phase.CARDS).position.core.questions} == {"discard"}


def test_the_last_card_goes_to_the_earlier_player_and_the_later_keeps_the_ducats() -> None:
    """R26  A card that is gone costs nothing, and the player who wanted it is told."""
    position = urban()
    pile(position, "silk_3", epoch=3)
    position = enter(position, Phase.CARDS).position
    went = play(position, position.core.gates()[0], {YELLOW: BuyExtra(), VIOLET: BuyExtra()})
    assert [event.seat for event in events_of(went, CardDrawn)] == [YELLOW]
    assert went.position.board.powers[VIOLET].cash == 40
    lapsed = events_of(went, LineFailed)
    assert [(event.seat, event.reasons[0].code, event.visible_to) for event in lapsed] == [
        (VIOLET, "no_card_left", frozenset({VIOLET})),
    ]


@pytest.mark.parametrize(
    ("seat", "ducats", "discarded", "order", "reason"),
    [
        (BLUE, 40, False, BuyExtra(), "not_yours"),
        (YELLOW, 10, False, BuyExtra(), ""),
        (YELLOW, 9, False, BuyExtra(), "too_dear"),
        (BLUE, 40, False, Discard("war"), "not_yours"),
        (YELLOW, 40, False, Discard("war"), "not_in_hand"),
        (YELLOW, 40, False, Discard("bread"), "no_such_card"),
        (YELLOW, 40, False, Discard("wool_1b"), ""),
        (YELLOW, 40, True, Discard("wool_1a"), "discarded_already"),
    ],
)
def test_what_the_phase_refuses(
    seat: Seat, ducats: int, discarded: bool, order: BuyExtra | Discard, reason: str
) -> None:
    """§9.2  The advance, ten ducats or the card are needed; a card is named by what it shows, one a turn."""
    position = urban()
    cash(position, seat, ducats)
    position.board.powers[seat].discarded = discarded
    assert code(position, seat, "extra" if isinstance(order, BuyExtra) else "discard", order) == reason
