"""What a game master can put right, and how it is taken back."""

import pytest

from engine.amalfi import events as e
from engine.amalfi.corrections import (
    CORRECTIONS,
    ClearDock,
    ClearLight,
    MoveShips,
    SetDock,
    SetFirst,
    SetLight,
    Turn,
)
from engine.amalfi.ruleset import RULES
from engine.kernel.codec import dump
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.events import Event
from engine.kernel.orders import Order
from engine.kernel.rulings import Adopt, Deal, Give, Return, SwapPlaces, Take
from engine.kernel.run import fold, inverse_events, ruling_events
from engine.kernel.secrets import Secret, truth
from tests.engine.amalfi.build import ANN, BOB, At, dock, game, hand, hand_of, light, place_characters, sound, stow


def rule(position: At, *orders: Order) -> tuple[At, tuple[Event, ...]]:
    """The position after a ruling, and its facts."""
    with truth():
        facts = ruling_events(RULES, Ruling(position, lambda entry, seat: ()), orders)
    return fold(RULES, position, facts), facts


def ready() -> At:
    """Ships in a hold and at a dock, a lighthouse, a character that could be turned, cards in a hand."""
    at = game()
    dock(at, "roma", ANN)
    stow(at, ANN, wood=2)
    light(at, "ragusa", BOB)
    place_characters(at, ANN, "c59", "c69")
    at.board.players[ANN].engaged = ("c69",)
    hand(at, ANN, "c20")
    at.board.decks["council"] = tuple(c for c in at.board.decks["council"] if c.held != "c21")
    at.board.discards["council"] = ("c21",)
    at.board.players[ANN].bread = 3
    return at


RULINGS: list[Order] = [
    Give(5, "vp", ANN),
    Take(2, "bread", ANN),
    MoveShips(ANN, 2, "wood", "bay"),
    MoveShips(ANN, 1, "yard", "port"),
    SetDock("candia", ANN),
    ClearDock("roma"),
    SetLight("candia", ANN),
    ClearLight("ragusa"),
    Turn(ANN, "c59", True),
    Turn(ANN, "c69", False),
    SetFirst(BOB),
    SwapPlaces(ANN, BOB),
    Deal(1, ANN),
    Return("c21", ANN),
    Adopt("pace", "sealed"),
]


@pytest.mark.parametrize("order", RULINGS)
def test_a_ruling_changes_the_board_and_can_be_taken_back(order: Order) -> None:
    """It is written by a form; what it changes is sound; taken back, everything is as it was."""
    at = ready()
    assert any(form.parse(order) is not None for form in CORRECTIONS.forms(at))
    after, facts = rule(at, order)
    assert facts
    assert dump(after) != dump(at)
    sound(after)
    with truth():
        back = fold(RULES, after, inverse_events(RULES, after, facts, at))
    assert hand_of(back, ANN) == hand_of(at, ANN)
    assert back.board.players[ANN].holds == at.board.players[ANN].holds
    assert (back.board.docks, back.board.lights) == (at.board.docks, at.board.lights)
    assert back.board.players[ANN].vp == at.board.players[ANN].vp


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (MoveShips(ANN, 3, "wood", "bay"), "no_ship_there"),
        (MoveShips(ANN, 1, "wood", "wood"), "nothing_changes"),
        (SetDock("roma", BOB), "dock_taken"),
        (SetDock("pd01", BOB), "no_such_place"),
        (ClearDock("candia"), "no_ship_there"),
        (SetLight("ragusa", ANN), "no_slot_there"),
        (SetLight("napoli", ANN), "no_slot_there"),
        (ClearLight("candia"), "no_slot_there"),
        (Turn(ANN, "c20", True), "not_engageable"),
        (Turn(ANN, "c69", True), "nothing_changes"),
        (SetFirst(ANN), "nothing_changes"),
        (Give(9, "bread", ANN), "granary_full"),
    ],
)
def test_a_ruling_that_cannot_be_is_refused(order: Order, code: str) -> None:
    """With its reason."""
    with pytest.raises(CorrectionRefused, match=code):
        rule(ready(), order)


def test_cards_are_named_by_how_they_came() -> None:
    """Dealt, kept, chosen, taken; not those of others."""
    card = Secret("c01", frozenset({ANN}))
    came = [
        e.HandChosen(seat=ANN, hand="ancre", cards=(card,)),
        e.HandDealt(seat=ANN, cards=(card,), where="hand"),
        e.HandDealt(seat=ANN, cards=(card,), where="packet"),
        e.CardsKept(seat=ANN, cards=(card,), where="packet"),
        e.CharacterTaken(seat=ANN, character="c01", paid=0, gained=0, lost=0, cause="pisa"),
        e.CharacterTaken(seat=BOB, character="c01", paid=0, gained=0, lost=0, cause="pisa"),
    ]
    assert [len(CORRECTIONS.origin_of((event,), ANN)) for event in came] == [1, 1, 0, 1, 1, 0]
