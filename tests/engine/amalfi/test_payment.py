"""Paiements & Ressources, Le Pain, les actions optionnelles."""

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.payment import Payment, least_waste, paying
from engine.kernel.orders import Problem
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    CLEO,
    act,
    answer,
    events_of,
    game,
    hand,
    hand_of,
    light,
    owns,
    place_characters,
    play,
    problem_of,
    questions_in,
    refused,
    row,
    stow,
)


@pytest.mark.holds("amalfi", "ruling", "A1")
def test_a_ship_lowered_is_worth_what_its_hold_says_and_goes_to_the_bay() -> None:
    """Paiement standard: two ships of value 3 pay 6 (A1: spice is worth 2)."""
    at = game()
    stow(at, ANN, jewel=2)
    row(at, "atelier", "book01", "book02", "book03", "painting01", "painting02")
    went = act(at, o.Acquire("painting02", pay=("jewel", "jewel")))
    player = went.position.board.players[ANN]
    assert (player.holds["jewel"], player.bay) == (0, 4)
    assert events_of(went, e.Paid)[0] == e.Paid(
        seat=ANN, cost=5, holds={"jewel": 2}, emergency=0, bread=0, lost=1, chosen=False
    )


def test_what_is_missing_comes_from_an_emergency_and_what_is_too_much_becomes_bread() -> None:
    """Audrey: 6 from two ships and 3 of an emergency pay 7; the two left over are bread."""
    at = game()
    at.board.players[ANN].bread = 1
    stow(at, ANN, wine=2)
    row(at, "atelier", "book01", "book02", "book03", "book05", "book14")
    went = act(at, o.Acquire("book14", pay=("wine", "wine"), emergency=("wine",)))
    player, paid = went.position.board.players[ANN], events_of(went, e.Paid)[0]
    assert (paid.cost, paid.bread, paid.lost) == (7, 2, 0)
    assert (player.bread, player.port, player.bay + player.holds["jewel"]) == (4, 1, 3)


def test_one_ship_may_be_lowered_and_then_serve_in_the_emergency_of_the_same_payment() -> None:
    """Note: both ways may be combined, with the same ships too."""
    at = game()
    stow(at, ANN, bay=0, wine=1)
    row(at, "atelier", "book01", "book02", "book03", "book04", "book05")
    went = act(at, o.Acquire("book05", pay=("wine",), emergency=("wine",)))
    player = went.position.board.players[ANN]
    assert (player.bay, player.port, player.holds["wine"]) == (0, 1, 0)


@pytest.mark.parametrize(
    ("spice", "order", "paid"),
    [
        (4, o.Invite("c32", pay=("spice", "spice"), get="c21"), [(3, {"spice": 2}, 0), (1, {"spice": 1}, 0)]),
        (1, o.Invite("c32", emergency=("spice",), get="c21"), [(3, {}, 1), (1, {"spice": 1}, 0)]),
    ],
)
def test_what_was_said_to_pay_for_a_character_pays_for_nothing_that_it_gives(
    spice: int, order: o.Invite, paid: list[object]
) -> None:
    """Alexander VI invites Catherine de' Medici for 1: paid with least waste, and without an emergency."""
    at = game()
    hand(at, ANN, "c32", "c21")
    stow(at, ANN, bay=2, spice=spice)
    assert [(one.cost, dict(one.holds), one.emergency) for one in events_of(act(at, order), e.Paid)] == paid


def test_a_payment_left_out_spares_emergencies_then_wastes_least_then_moves_fewest() -> None:
    """The stated rule for payments that their author leaves out."""
    at = game()
    stow(at, ANN, bay=2, wine=2, spice=3)
    found = least_waste(at.board, ANN, 5, ("wine", "spice"))
    assert found == Payment({"wine": 1, "spice": 1}, 0, 5, chosen=True)
    stow(at, ANN, bay=3, wine=1)
    assert least_waste(at.board, ANN, 5, ("wine",)) == Payment({"wine": 1}, 1, 6, chosen=True)
    stow(at, ANN, bay=4)
    assert least_waste(at.board, ANN, 5, ("wine",)) == Payment({}, 2, 6, chosen=True)


def test_of_a_hold_no_more_ships_are_tried_than_would_pay_all() -> None:
    """A file changed by somebody may say any number: what is tried does not grow with it."""
    at = game()
    stow(at, ANN, wine=2, spice=3)
    found = least_waste(at.board, ANN, 5, ("wine", "spice"))
    at.board.players[ANN].holds |= {"wine": 10**18, "spice": 10**18}
    assert least_waste(at.board, ANN, 5, ("wine", "spice")) == found


@pytest.mark.parametrize(
    ("pay", "emergency", "code"),
    [
        (("wood",), (), "not_accepted"),
        ((), ("wood",), "not_accepted"),
        (("wine", "wine"), (), "no_ship_in_hold"),
        (("wine",), ("wine",) * 9, "no_ship_in_bay"),
        (("wine",), (), "too_little"),
    ],
)
def test_a_payment_that_cannot_be_made_is_refused_with_its_reason(
    pay: tuple[str, ...], emergency: tuple[str, ...], code: str
) -> None:
    """Each reason why a payment cannot stand."""
    at = game()
    stow(at, ANN, wine=1)
    found = paying(at.board, ANN, 5, ("wine",), pay, emergency)
    assert isinstance(found, Problem)
    assert found.code == code


def test_what_no_payment_can_reach_says_the_most_that_can_be_paid() -> None:
    """One ship gives 3 from its hold and 3 in an emergency."""
    at = game()
    stow(at, ANN, bay=0, wine=1)
    row(at, "atelier", "book01", "book02", "book03", "book04", "book18")
    problem = problem_of(at, ANN, o.Acquire("book18"))
    assert problem == Problem("cannot_pay", {"cost": 8, "most": 6, "accepts": ("wine",)})


def test_bread_that_the_granary_has_no_room_for_is_lost() -> None:
    """Tom has 5 and room for 7, as one lighthouse is erected: of 4 only 2 are kept."""
    at = game()
    at.board.players[ANN].bread = 5
    light(at, "genova", ANN)
    stow(at, ANN, spice=2)
    went = act(at, [o.Lower(("spice", "spice")), o.Finish()])
    assert went.position.board.players[ANN].bread == 7
    assert events_of(went, e.ShipsLowered)[0].lost == 2


def test_optional_actions_take_no_turn() -> None:
    """Audrey lowers a ship for bread to sail with."""
    at = game()
    at.board.players[ANN].bread = 0
    stow(at, ANN, wood=1)
    went = act(at, [o.Lower(("wood",)), o.Sail("ragusa")])
    assert events_of(went, e.Sailed)[0].bread == 2
    assert went.position.board.players[ANN].bread == 1


def test_optional_actions_are_open_to_everybody_at_any_time() -> None:
    """Bob turns ships and characters into bread while Ann is to act; the question stays open."""
    at = game()
    hand(at, BOB, "c20", "c21")
    at.board.players[BOB].bread = 0
    went = play(at, "free/1", {BOB: o.Supply(1)})
    assert (went.position.board.players[BOB].bread, went.position.board.players[BOB].port) == (3, 1)
    went = play(went.position, "free/1~1", {BOB: o.Drop(("c20",))})
    assert went.position.board.players[BOB].bread == 4
    assert hand_of(went.position, BOB) == ("c21",)
    assert went.position.board.discards["council"] == ("c20",)
    assert any(d.gate == "free/1~2" and d.seat == BOB for d in went.position.core.questions)


def test_a_ship_lowered_before_the_first_one_is_sent_can_be_sent() -> None:
    """Page 17: the last ship of the bay sails, and another comes from a hold before the destination is used."""
    at = game()
    stow(at, ANN, bay=2, port=1, wood=1)
    went = act(at, o.Sail("venezia"))
    lowered = play(went.position, "free/1", {ANN: o.Lower(("wood",))})
    assert refused(went.position, ANN, o.Send(("wine", "cloth")), "send", ships=2) == "too_many"
    sent = answer(lowered, ANN, o.Send(("wine", "cloth")))
    assert events_of(sent, e.ShipsSent)[0].holds == {"wine": 1, "cloth": 1}


def test_an_optional_action_that_became_impossible_changes_nothing() -> None:
    """It is judged again when it is done."""
    at = game()
    went = play(at, "free/1", {BOB: o.Lower(("wood",))})
    assert not events_of(went, e.ShipsLowered)


@pytest.mark.parametrize(
    ("place", "owner", "asks", "code"),
    [
        ("venezia", "", ("send", ANN), ""),
        ("pd17", "", ("take", ANN), ""),
        ("pisa", "", ("take", ANN), ""),
        ("gaeta", "", ("take", ANN), ""),
        ("cagliari", ANN, ("light", ANN), "in_the_middle"),
        ("cagliari", BOB, ("light", BOB), ""),
    ],
)
def test_ships_are_not_lowered_in_the_middle_of_a_gain(place: str, owner: str, asks: object, code: str) -> None:
    """Page 17: before the first ship is sent, or after the last; in an action that sends none, at any time."""
    at = game()
    owns(at, ANN, "pd17")
    stow(at, ANN, bay=5, wood=1)
    if owner:
        light(at, place, owner)
    went = act(at, o.Sail(place, send=("wood",) if place == "gaeta" else ()))
    assert questions_in(went) == (asks,)
    for order in (o.Lower(("wood",)), o.Supply(1)):
        assert refused(went.position, ANN, order, "free") == code
    assert not refused(went.position, BOB, o.Supply(1), "free")


def test_only_what_one_has_becomes_bread() -> None:
    """Ships of a hold, ships of the bay, characters of one's own hand, actions on file."""
    at = game()
    assert refused(at, ANN, o.Supply(5), "free") == "not_so_many_in_bay"
    assert refused(at, ANN, o.Drop(("c20",)), "free") == "not_in_hand"
    assert refused(at, ANN, o.Recant(), "free") == "no_queue"


@pytest.mark.holds("amalfi", "event", "amalfi.QueueDropped")
@pytest.mark.holds("amalfi", "form", "ANNULER ACTIONS")
def test_actions_on_file_can_be_taken_back_while_others_act() -> None:
    """Only their author is told."""
    at = game(3)
    went = act(at, [o.Sail("ragusa"), o.Sail("candia"), o.Finish()])
    assert not refused(went.position, ANN, o.Recant(), "free")
    went = play(went.position, "free/1", {ANN: o.Recant()})
    (dropped,) = events_of(went, e.QueueDropped)
    assert (dropped.lines, dropped.visible_to) == (2, frozenset({ANN}))
    went = play(went.position, "action/1/bob/1", {BOB: o.Finish()})
    went = play(went.position, "action/1/cleo/1", {CLEO: o.Finish()})
    assert [d.seat for d in went.position.core.questions if d.blocking] == [ANN]


def test_jakob_fugger_makes_emergencies_worth_4_and_agostino_chigi_spice_3() -> None:
    """Lasting changes of what ships are worth."""
    at = game()
    place_characters(at, ANN, "c42", "c44")
    stow(at, ANN, bay=2, spice=2)
    assert paying(at.board, ANN, 7, ("spice",), ("spice",), ("spice",)) == Payment({"spice": 1}, 1, 7)
    at.board.players[ANN].bread = 0
    went = play(at, "free/1", {ANN: o.Supply(1)})
    assert went.position.board.players[ANN].bread == 4
