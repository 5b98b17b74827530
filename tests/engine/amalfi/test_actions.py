"""Phase 1: the six main actions."""

from typing import Any

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, DESTINATIONS, PRIVATE, Op, Verb
from engine.amalfi.ruleset import RULES
from engine.kernel.orders import Problem
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import Seat
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    At,
    act,
    answer,
    dock,
    does,
    events_of,
    game,
    hand,
    hand_of,
    judged,
    light,
    owns,
    place_characters,
    play,
    questions_in,
    refused,
    row,
    stow,
)

# --- navigation


def test_sailing_puts_a_ship_on_the_dock_pays_bread_first_and_sends_as_many_as_are_left() -> None:
    """Noémie pays 2 for up to two ships; Caro, with one ship left, sends that one."""
    at = game()
    went = act(at, o.Sail("ragusa"))
    player = went.position.board.players[ANN]
    assert (player.bay, player.holds["wood"], player.bread) == (1, 2, 4)
    assert went.position.board.docks == {"ragusa": ANN}
    stow(at, ANN, bay=2)
    assert act(at, o.Sail("ragusa")).position.board.players[ANN].holds["wood"] == 1


def test_ships_for_any_hold_are_split_as_their_owner_says() -> None:
    """Katia sends one ship to each of two holds; who says nothing is asked."""
    at = game()
    went = act(at, o.Sail("venezia", send=("wood", "cloth")))
    holds = went.position.board.players[ANN].holds
    assert (holds["wood"], holds["cloth"]) == (1, 1)
    went = act(at, o.Sail("venezia"))
    assert questions_in(went) == (("send", ANN),)
    went = answer(went, ANN, o.Send(("jewel", "jewel")))
    assert went.position.board.players[ANN].holds["jewel"] == 2


@pytest.mark.holds("amalfi", "ruling", "A12")
def test_fewer_ships_may_be_sent_than_a_destination_allows() -> None:
    """A12: up to."""
    at = game()
    assert act(at, o.Sail("ragusa", send=("wood",))).position.board.players[ANN].holds["wood"] == 1
    went = act(at, o.Sail("ragusa", send=("none",)))
    assert events_of(went, e.BenefitLost) == [e.BenefitLost(seat=ANN, what="send", cause="ragusa")]
    went = act(at, o.Sail("cagliari", send=("wine",)))
    holds = went.position.board.players[ANN].holds
    assert (holds["wood"], holds["wine"]) == (0, 1)


def test_benefits_come_from_left_to_right_and_what_cannot_be_used_is_lost() -> None:
    """Palermo gives three bread, then a ship; with no ship in the bay the ship is lost."""
    at = game()
    at.board.players[ANN].bread = 0
    stow(at, ANN, bay=1)
    went = act(at, o.Sail("palermo"))
    kinds = [type(event) for event in went.events if isinstance(event, e.BreadGained | e.BenefitLost)]
    assert kinds == [e.BreadGained, e.BenefitLost]


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (o.Sail("candia"), "dock_taken"),
        (o.Sail("pd02"), "others_place"),
        (o.Sail("pd03"), "no_such_place"),
        (o.Sail("ragusa", send=("wine",)), "hold_not_shown"),
        (o.Sail("ragusa", send=("wood",) * 3), "too_many_ships"),
        (o.Sail("cagliari", send=("wood", "wood")), "too_many_ships"),
        (o.Sail("ragusa", first=("rightmost",)), "not_evolving"),
        (o.Sail("napoli", first=("c60",)), "not_taken_first"),
    ],
)
def test_a_ship_cannot_sail_everywhere(order: o.Sail, code: str) -> None:
    """A free dock, public or one's own; the holds that are shown."""
    at = game()
    dock(at, "candia", BOB)
    owns(at, BOB, "pd02")
    assert refused(at, ANN, order) == code


@pytest.mark.holds("amalfi", "ruling", "A13")
def test_a_ship_and_the_bread_must_be_there() -> None:
    """If the bread cannot be paid, nobody can sail there."""
    at = game()
    at.board.players[ANN].bread = 1
    assert refused(at, ANN, o.Sail("ragusa")) == "bread_missing"
    stow(at, ANN, bay=0, wood=4)
    assert refused(at, ANN, o.Sail("palermo")) == "no_ship_to_sail"


def test_a_private_destination_is_for_its_owner_and_has_a_dock_of_its_own() -> None:
    """Noémie sends one ship and gains three bread; Alvise Cadamosto brings one more."""
    at = game()
    at.board.players[ANN].bread = 0
    owns(at, ANN, "pd06")
    place_characters(at, ANN, "c48")
    went = act(at, o.Sail("pd06"))
    player = went.position.board.players[ANN]
    assert (player.holds["spice"], player.bread, player.bay) == (1, 4, 2)


@pytest.mark.holds("amalfi", "ruling", "A25")
@pytest.mark.holds("amalfi", "destination", "napoli")
def test_an_evolving_destination_also_gives_a_character_before_or_after() -> None:
    """A25: the bread of the rightmost slot may help to pay, if the character is taken before."""
    at = game()
    at.board.players[ANN].bread = 0
    row(at, "council", "c01", "c02", "c03", "c04")
    went = act(at, o.Sail("gaeta", first=("c60", "rightmost"), send=("wood",)))
    assert hand_of(went.position, ANN) == ("c04",)
    order = [type(event) for event in went.events if isinstance(event, e.CharacterTaken | e.Sailed)]
    assert order == [e.CharacterTaken, e.Sailed]
    went = act(at, o.Sail("napoli", take=("c03",)))
    order = [type(event) for event in went.events if isinstance(event, e.CharacterTaken | e.Sailed)]
    assert order == [e.Sailed, e.CharacterTaken]
    assert [gained.bread for gained in events_of(went, e.BreadGained)] == [2]
    assert not judged(at, ANN, o.Sail("gaeta", first=("c04",)))[0].problem
    assert refused(at, ANN, o.Sail("gaeta")) == "bread_missing"


def test_some_destinations_discard_the_card_furthest_from_its_deck() -> None:
    """Effets automatiques: Tom erects a lighthouse, then the rightmost artwork goes; Pisa discards a character."""
    at = game()
    before = at.board.rows["atelier"]
    went = act(at, o.Sail("genova", erect=("ragusa",)))
    board = went.position.board
    assert board.light("ragusa") == ANN
    assert board.discards["atelier"] == before[-1:]
    assert board.rows["atelier"][1:] == before[:-1]
    went = act(at, o.Sail("pisa", take=("rightmost",)))
    assert len(went.position.board.discards["council"]) == 1
    assert len(went.position.board.rows["council"]) == 4


# --- acquisition and discovery


@pytest.mark.parametrize(("slot", "extra", "bread"), [(0, 2, 0), (1, 1, 0), (2, 1, 0), (3, 0, 0), (4, 0, 1)])
@pytest.mark.holds("amalfi", "ruling", "A3")
def test_the_slot_of_an_artwork_costs_more_or_brings_bread(slot: int, extra: int, bread: int) -> None:
    """Acquisition: the three leftmost cost 1 or 2 more, the rightmost brings a bread (A3)."""
    at = game()
    at.board.players[ANN].bread = 0
    cards = ["painting05", "painting06", "painting07", "painting08"]
    cards.insert(slot, "book05")
    row(at, "atelier", *cards)
    stow(at, ANN, bay=0, wine=4)
    went = act(at, o.Acquire("book05", pay=("wine",) * 3, take=("c04",)))
    paid, player = events_of(went, e.Paid)[0], went.position.board.players[ANN]
    assert paid.cost == ARTWORKS["book05"].cost + extra
    assert events_of(went, e.Acquired)[0].slot == slot
    assert player.vp == ARTWORKS["book05"].vp
    assert sum(event.bread for event in events_of(went, e.BreadGained) if event.cause == "slot") == bread
    assert len(went.position.board.rows["atelier"]) == 5


@pytest.mark.holds("amalfi", "ruling", "A4")
def test_what_a_slot_costs_more_is_paid_with_what_the_card_accepts() -> None:
    """A4: a resource of another kind cannot be lowered for it."""
    at = game()
    row(at, "atelier", "book05", "painting05", "painting06", "painting07", "painting08")
    stow(at, ANN, bay=2, wine=2, jewel=1)
    assert refused(at, ANN, o.Acquire("book05", pay=("wine", "wine", "jewel"))) == "not_accepted"
    assert not refused(at, ANN, o.Acquire("book05", pay=("wine", "wine"), emergency=("wine",)))


@pytest.mark.parametrize("card", list(ARTWORKS))
@pytest.mark.holds("amalfi", "ruling", "A5")
def test_every_artwork_brings_its_points_and_its_bonus(card: str) -> None:
    """Points, then the icon: bread, a ship, a character refreshed or taken, a lighthouse."""
    at = game()
    at.board.players[ANN].bread = 0
    place_characters(at, ANN, "c59", "c69", engaged=True)
    row(at, "atelier", *[c for c in ARTWORKS if c != card][:4], card)
    stow(at, ANN, bay=2, **dict.fromkeys(ARTWORKS[card].accepts[:1], 4))
    order = o.Acquire(card, take=("rightmost",), erect=("ragusa",), refresh=("c69",))
    went = act(at, order)
    brings = {
        "bread1": e.BreadGained,
        "bread2": e.BreadGained,
        "untap": e.Refreshed,
        "character": e.CharacterTaken,
        "lighthouse": e.LighthouseErected,
    }
    kind: type[Any] = brings.get(ARTWORKS[card].bonus, e.ShipsSent)
    assert any(event.cause == card for event in events_of(went, kind))
    assert went.position.board.players[ANN].vp == ARTWORKS[card].vp


def test_discounts_and_row_extras_follow_who_is_laid_out() -> None:
    """A18: never below 1. Cosimo, Henry the Navigator, Ludovico Sforza."""
    at = game()
    place_characters(at, ANN, "c39", "c40", "c52")
    row(at, "atelier", "book05", "book06", "book07", "book08", "book09")
    row(at, "atlas", "pd06", "pd07", "pd08", "pd09", "pd10")
    stow(at, ANN, bay=0, wine=4, wood=0)
    assert events_of(act(at, o.Acquire("book05", take=("c04",))), e.Paid)[0].cost == 4
    assert events_of(act(at, o.Discover("pd06")), e.Paid)[0].cost == 2


@pytest.mark.parametrize("tile", PRIVATE)
def test_every_tile_is_discovered_sailed_to_and_does_what_it_shows(tile: str) -> None:
    """Découverte; the six forms of the rulebook and the others."""
    at = game()
    shown = DESTINATIONS[tile]
    row(at, "atlas", *[t for t in PRIVATE if t != tile][:4], tile)
    stow(at, ANN, bay=4, **{shown.accepts[0]: 3})
    went = act(at, o.Discover(tile))
    player = went.position.board.players[ANN]
    assert (player.vp, player.destinations) == (shown.vp, (tile,))
    at = game()
    owns(at, ANN, tile)
    at.board.players[ANN].bread = 3
    sends = ("wood",) * sum(op.n for op in shown.effects if op.hold == "any")
    went = act(at, o.Sail(tile, send=sends, take=("rightmost",), erect=("genova",)))
    kinds: dict[str, type[Any]] = {"send": e.ShipsSent, "bread": e.BreadGained, "character": e.CharacterTaken}
    for op in shown.effects:
        facts = events_of(went, kinds.get(op.op.value, e.LighthouseErected))
        assert any(event.cause == tile for event in facts)
    assert went.position.board.players[ANN].holds == {
        hold: sum(op.n for op in shown.effects if op.hold == hold) + sends.count(hold)
        for hold in at.board.players[ANN].holds
    }


def test_what_is_not_open_cannot_be_acquired_or_discovered() -> None:
    """The Atelier and the Atlas."""
    at = game()
    assert refused(at, ANN, o.Acquire("monument18")) == "not_offered"
    assert refused(at, ANN, o.Discover("pd36")) == "not_offered"
    assert refused(at, ANN, o.Acquire("book01"), "get", action="discover") == "other_action"
    assert refused(at, ANN, o.Discover("pd01"), "get", action="invite") == "other_action"


def test_the_atlas_runs_out_and_the_other_decks_are_made_of_their_discards() -> None:
    """Page 19."""
    at = game()
    row(at, "atlas", "pd06", "pd07")
    at.board.decks["atlas"] = ()
    at.board.players[BOB].destinations = tuple(t for t in PRIVATE if t not in ("pd06", "pd07"))
    stow(at, ANN, bay=0, wine=2)
    went = act(at, o.Discover("pd06"))
    assert went.position.board.rows["atlas"] == ("pd07",)
    at = game()
    at.board.discards["atelier"] = tuple(str(c.held) for c in at.board.decks["atelier"])
    at.board.decks["atelier"] = ()
    went = act(at, o.Sail("genova", erect=("ragusa",)))
    (shuffled,) = events_of(went, e.DeckShuffled)
    assert (shuffled.row, shuffled.again) == ("atelier", True)
    assert len(went.position.board.rows["atelier"]) == 5


# --- characters


@pytest.mark.holds("amalfi", "ruling", "A2")
def test_a_character_is_invited_from_the_hand_with_the_resources_of_its_category() -> None:
    """Invitation: wood and cloth may be mixed for an engageable one (A2)."""
    at = game()
    hand(at, ANN, "c57")
    stow(at, ANN, bay=0, wood=1, cloth=1)
    went = act(at, o.Invite("c57", pay=("wood", "cloth")))
    player = went.position.board.players[ANN]
    assert (player.invited, player.hand) == (("c57",), ())
    assert refused(at, ANN, o.Invite("c20")) == "not_in_hand"
    assert refused(at, ANN, o.Invite("c57"), "get", action="acquire") == "other_action"


def test_an_engageable_character_is_engaged_once_until_it_is_refreshed() -> None:
    """Engagement."""
    at = game()
    place_characters(at, ANN, "c59")
    at.board.players[ANN].bread = 0
    went = act(at, o.Engage("c59"))
    assert went.position.board.players[ANN].bread == 3
    assert refused(went.position, ANN, o.Engage("c59")) == "not_engageable"
    assert refused(at, ANN, o.Engage("c60")) == "not_engageable"


def test_an_effect_that_begins_with_a_payment_needs_the_bread() -> None:
    """Titian: pay a bread, then up to two ships."""
    at = game()
    place_characters(at, ANN, "c58")
    went = act(at, o.Engage("c58"))
    assert went.position.board.players[ANN].holds["jewel"] == 2
    assert went.position.board.players[ANN].bread == 5
    at.board.players[ANN].bread = 0
    assert refused(at, ANN, o.Engage("c58")) == "bread_missing"


def test_a_character_of_the_council_costs_or_brings_bread_by_its_slot() -> None:
    """Prendre un personnage en main: 2, 1, nothing, and a bread on the right; Poggio Bracciolini pays nothing."""
    at = game()
    at.board.players[ANN].bread = 3
    row(at, "council", "c01", "c02", "c03", "c04")
    for place, (paid, gained) in enumerate([(2, 0), (1, 0), (0, 0), (0, 1)]):
        went = act(at, o.Sail("pisa", take=(f"c0{place + 1}",)))
        (taken,) = events_of(went, e.CharacterTaken)
        assert (taken.paid, taken.gained) == (paid, gained)
    place_characters(at, ANN, "c50")
    went = act(at, o.Sail("pisa", take=("c01",)))
    (taken,) = events_of(went, e.CharacterTaken)
    assert (taken.paid, taken.gained) == (0, 1)


def test_who_says_nothing_about_a_character_is_asked() -> None:
    """Answers are preferences; one that cannot be had is refused."""
    at = game()
    at.board.players[ANN].bread = 1
    row(at, "council", "c01", "c02", "c03", "c04")
    went = act(at, o.Sail("pisa"))
    assert questions_in(went) == (("take", ANN),)
    assert refused(went.position, ANN, o.Take(("c60",)), "take") == "not_in_council"
    assert refused(went.position, ANN, o.Take(("c01",)), "take") == "slot_too_dear"
    assert not refused(went.position, ANN, o.Take(("c01", "c03")), "take")
    for preference in (("rightmost",), ("c60", "rightmost"), ("c01", "rightmost")):
        assert not refused(went.position, ANN, o.Take(preference), "take"), "the rightmost costs nothing"
    assert refused(went.position, ANN, o.Refresh(("c01",)), "take") == "not_either"
    assert hand_of(answer(went, ANN, o.Take(("c01", "c03"))).position, ANN) == ("c03",)
    assert hand_of(answer(went, ANN, o.Take(("c60", "rightmost"))).position, ANN) == ("c04",)


# --- construction


@pytest.mark.parametrize(("period", "cost"), [(1, 5), (2, 4), (3, 4), (4, 3)])
def test_ships_cost_wood_by_the_period_and_go_to_the_port(period: int, cost: int) -> None:
    """Construction."""
    at = game(period=period)
    stow(at, ANN, bay=1, wood=3)
    went = act(at, o.Build(1))
    player = went.position.board.players[ANN]
    assert events_of(went, e.Paid)[0].cost == cost
    assert (player.port, player.yard) == (1, 5)


@pytest.mark.holds("amalfi", "form", "REDRESSER")
def test_several_ships_are_built_at_once_and_bring_the_icons_below_them() -> None:
    """The second ship brings two bread, the fourth a character or a refreshment, the sixth a lighthouse."""
    at = game(period=4)
    at.board.players[ANN].bread = 0
    place_characters(at, ANN, "c59", "c45", engaged=True)
    at.board.players[ANN].engaged = ("c59",)
    stow(at, ANN, bay=0, wood=4)
    went = act(at, o.Build(4, refresh=("c59",)))
    assert events_of(went, e.Paid)[0].cost == 8
    assert events_of(went, e.Refreshed)[0].characters == ("c59",)
    assert [event.cause for event in events_of(went, e.BreadGained)] == ["yard"]
    went = act(at, o.Build(4))
    assert questions_in(went) == (("take", ANN),)
    assert not refused(went.position, ANN, o.Refresh(("c59",)), "take", either=1)
    went = answer(went, ANN, o.Refresh(("c59",)))
    assert events_of(went, e.Refreshed)


def test_the_double_icon_leaves_no_question_where_there_is_no_choice() -> None:
    """A character where nobody can be refreshed; a refreshment where no slot can be paid; what was said."""
    at = game(period=4)
    stow(at, ANN, bay=0, wood=4)
    went = act(at, o.Build(4, take=("rightmost",)))
    assert events_of(went, e.CharacterTaken)
    place_characters(at, ANN, "c59", engaged=True)
    at.board.rows["council"] = ()
    at.board.decks["council"] = ()
    at.board.discards["council"] = ()
    at.board.players[BOB].invited = tuple(c for c in CHARACTERS if c != "c59")
    went = act(at, o.Build(4))
    assert events_of(went, e.Refreshed)
    went = answer(act(_four_ships(), o.Build(4)), ANN, ())
    assert events_of(went, e.BenefitLost)
    went = answer(act(_four_ships(), o.Build(4)), ANN, o.Take(("c04",)))
    assert events_of(went, e.CharacterTaken)


def test_the_double_icon_is_asked_where_what_was_said_cannot_be_done() -> None:
    """Construction: one of the two is chosen; who named a character that is not engaged loses nothing."""
    at = _four_ships()
    place_characters(at, ANN, "c69")
    assert questions_in(act(at, o.Build(4, refresh=("c69",)))) == (("take", ANN),)
    both = act(at, o.Build(4, take=("c60",), refresh=("c59",)))
    assert events_of(both, e.Refreshed)[0].characters == ("c59",)
    first = act(at, o.Build(4, take=("c03",), refresh=("c59",)))
    assert [taken.character for taken in events_of(first, e.CharacterTaken)] == ["c03"]


def _four_ships() -> At:
    at = game(period=4)
    place_characters(at, ANN, "c59", engaged=True)
    stow(at, ANN, bay=0, wood=4)
    row(at, "council", "c01", "c02", "c03", "c04")
    return at


def test_no_more_ships_are_built_than_lie_in_the_yard() -> None:
    """Six at most."""
    at = game()
    assert refused(at, ANN, o.Build(7)) == "yard_empty"
    assert refused(at, ANN, o.Build(1), "get", action="invite") == "other_action"
    assert refused(at, ANN, o.Build(5)) == "cannot_pay"


# --- lighthouses


@pytest.mark.holds("amalfi", "ruling", "A6")
def test_a_lighthouse_may_stand_on_any_free_place_whoever_owns_the_destination() -> None:
    """Ériger un Phare; a printed evolving destination has no place (A6)."""
    at = game()
    owns(at, BOB, "pd06")
    light(at, "candia", BOB)
    went = act(at, o.Sail("genova"))
    assert questions_in(went) == (("erect", ANN),)
    assert refused(went.position, ANN, o.Erect(("candia",)), "erect") == "no_slot_there"
    assert refused(went.position, ANN, o.Erect(("napoli",)), "erect") == "no_slot_there"
    assert refused(went.position, ANN, o.Erect(("vp",)), "erect") == "not_instead"
    went = answer(went, ANN, o.Erect(("candia", "pd06")))
    assert went.position.board.light("pd06") == ANN
    assert went.position.board.granary(ANN) == 7


def test_the_icon_below_a_lighthouse_works_at_once() -> None:
    """The second brings two bread, the fourth a character, the sixth a refreshment."""
    places = ("ragusa", "candia", "tripoli", "venezia", "palermo", "pisa")
    at = game()
    at.board.players[ANN].bread = 0
    place_characters(at, ANN, "c59", "c69", "c49", engaged=True)
    for number, place in enumerate(places):
        went = act(at, o.Sail("genova", erect=(place,), take=("rightmost",), refresh=("c69",)))
        assert bool(events_of(went, e.BreadGained)) == (number == 1)
        assert bool(events_of(went, e.CharacterTaken)) == (number == 3)
        assert bool(events_of(went, e.Refreshed)) == (number == 5)
        assert events_of(went, e.PointsGained) == [e.PointsGained(seat=ANN, points=2, cause="c49")]
        light(at, place, ANN)


@pytest.mark.holds("amalfi", "ruling", "A15")
def test_the_icons_below_several_lighthouses_work_in_their_order() -> None:
    """A15: the fourth brings a character before the fifth is erected; with nobody to take its icon is lost."""
    at = game()
    for place in ("tripoli", "venezia", "palermo"):
        light(at, place, ANN)
    first = answer(does(at, ANN, Op(Verb.LIGHTHOUSE, n=2)), ANN, o.Erect(("ragusa",)))
    assert questions_in(first) == (("take", ANN),)
    second = answer(first, ANN, o.Take(("rightmost",)))
    assert questions_in(second) == (("erect", ANN),)
    assert events_of(answer(second, ANN, o.Erect(("candia",))), e.LighthouseErected)[0].number == 5
    at.board.discards["council"], at.board.rows["council"] = at.board.rows["council"], ()
    poor = answer(does(at, ANN, Op(Verb.LIGHTHOUSE, n=2)), ANN, o.Erect(("ragusa",)))
    assert [event.what for event in events_of(poor, e.BenefitLost)] == ["character"]
    assert questions_in(poor) == (("erect", ANN),)


@pytest.mark.holds("amalfi", "ruling", "A16")
def test_where_no_lighthouse_is_left_a_character_or_two_points_are_gained() -> None:
    """A16."""
    at = game()
    for place in ("ragusa", "candia", "tripoli", "venezia", "palermo", "pisa"):
        light(at, place, ANN)
    went = act(at, o.Sail("genova", erect=("vp",)))
    assert events_of(went, e.PointsGained) == [e.PointsGained(seat=ANN, points=2, cause="no_lighthouse")]
    went = act(at, o.Sail("genova", erect=("character",), take=("rightmost",)))
    assert events_of(went, e.CharacterTaken)
    went = act(at, o.Sail("genova"))
    assert refused(went.position, ANN, o.Erect(("barcellona",)), "erect") == "lighthouse_left_out"
    went = answer(went, ANN, o.Erect(("vp",)))
    assert events_of(went, e.PointsGained)


@pytest.mark.holds("amalfi", "form", "ÉCLAIRER")
@pytest.mark.holds("amalfi", "ruling", "A14")
def test_who_sails_to_a_lighthouse_lets_its_owner_send_a_ship_or_gain_a_bread() -> None:
    """Utilisation des Phares: after all benefits, by the owner, who may have passed (A14)."""
    at = game()
    light(at, "cagliari", BOB)
    at.board.players[BOB].done = True
    went = act(at, o.Sail("cagliari"))
    assert questions_in(went) == (("light", BOB),)
    used = answer(went, BOB, o.Light(("jewel", "wine")))
    assert events_of(used, e.LighthouseUsed) == [e.LighthouseUsed(seat=BOB, place="cagliari", hold="wine", bread=2)]
    assert used.position.board.players[BOB].bread == 4
    at.board.players[BOB].bread = 5
    went = act(at, o.Sail("cagliari"))
    bread = answer(went, BOB, o.Light())
    assert bread.position.board.players[BOB].bread == 6


def test_a_preview_says_what_will_be_asked_and_what_would_be_lost() -> None:
    """A choice that is not stated costs a letter; a benefit that cannot be used is named before the orders are sent."""
    at = game()
    light(at, "cagliari", ANN)
    place_characters(at, ANN, "c64")
    for order, said in (
        (o.Sail("genova"), [("will_ask", "erect", True)]),
        (o.Sail("cagliari"), [("will_ask", "light", True)]),
        (o.Sail("cagliari", light=("wine",)), []),
    ):
        (result,) = judged(at, ANN, order)
        notes = [(n.code, n.terms["asks"], n.terms["named"]) for n in result.notes]
        assert notes == said, order
    stow(at, ANN, bay=1, port=3)
    (result,) = judged(at, ANN, o.Sail("ragusa"))
    assert [n.code for n in result.notes] == ["benefit_lost"]


def test_a_thing_named_for_an_action_that_is_gone_is_lost_and_said() -> None:
    """GETTING a tile of another player: the preview and the report say why to its author alone, who is asked again."""
    at = game()
    hand(at, ANN, "c23")
    owns(at, BOB, "pd36")
    order = o.Invite("c23", get="pd36")
    (result,) = judged(at, ANN, order)
    assert [n.code for n in result.notes] == ["named_in_vain", "will_ask"]
    assert result.notes[0].terms == {
        "thing": "pd36",
        "cause": "c23",
        "reason": Problem("not_offered", {"thing": "pd36"}),
    }
    assert not result.notes[1].terms["named"]
    went = act(at, order)
    (said,) = events_of(went, e.NamedInVain)
    assert (said.thing, said.reason.code, said.visible_to) == ("pd36", "not_offered", frozenset({ANN}))
    assert questions_in(went) == (("get", ANN),)
    (wrong,) = judged(at, ANN, o.Invite("c23", get="book02"))
    assert wrong.notes[0].terms["reason"] == Problem("other_action", {"action": "discover"})


def test_getting_is_refused_with_a_character_that_gives_no_action() -> None:
    """A permanent character gets nothing."""
    at = game()
    hand(at, ANN, "c41")
    (result,) = judged(at, ANN, o.Invite("c41", get="pd01"))
    assert result.problem is not None
    assert result.problem.code == "gets_nothing"


def test_a_suggested_line_says_what_the_own_lighthouse_does() -> None:
    """It saves the letter that would ask."""
    at = game()
    light(at, "cagliari", ANN)
    seen = redact(at, ANN)
    with seen_by(ANN):
        asked = next(d for d in at.core.questions if d.topic == "action")
        orders = [line.plan[0].order for line in RULES.suggest_orders(seen, asked)]
    (sail,) = (order for order in orders if isinstance(order, o.Sail) and order.place == "cagliari")
    assert sail.light == ("wine",)


def _lit(owner: Seat = BOB, bread: int = 1, **ships: int) -> At:
    """A lighthouse at Cagliari, where wine is sent for two bread, and what its owner has."""
    at = game()
    light(at, "cagliari", owner)
    stow(at, owner, **ships)
    at.board.players[owner].bread = bread
    return at


def test_who_cannot_send_a_ship_gains_the_bread_unasked() -> None:
    """No hold shown; no ship in the bay, or no bread to pay, and no way to raise both: a ship serves once."""
    at = game()
    light(at, "genova", BOB)
    went = act(at, o.Sail("genova", erect=("ragusa",)))
    assert events_of(went, e.BreadGained) == [e.BreadGained(seat=BOB, bread=1, lost=0, cause="lighthouse")]
    for at in (_lit(bay=1), _lit(bay=0)):
        assert events_of(act(at, o.Sail("cagliari")), e.BreadGained)
    at = _lit(bay=1)
    hand(at, BOB, "c08")
    assert questions_in(act(at, o.Sail("cagliari"))) == (("light", BOB),), "a card is a bread"


def test_the_owner_of_a_lighthouse_may_raise_the_bread_for_it_first() -> None:
    """Utilisation des phares, page 12: optional actions are done in the turn of others, too, so the owner is asked."""
    went = act(_lit(bay=0, wood=2), o.Sail("cagliari"))
    assert questions_in(went) == (("light", BOB),)
    assert refused(went.position, BOB, o.Light(("wine",)), "light", place="cagliari") == "no_ship_to_sail"
    assert not refused(went.position, BOB, o.Light(("jewel",)), "light", place="cagliari")
    assert not refused(went.position, BOB, o.Light(("wine",)), "light"), "ahead it stands"
    free = next(d.gate for d in went.position.core.questions if (d.seat, d.topic) == (BOB, "free"))
    lowered = play(went.position, free, {BOB: o.Lower(("wood",))})
    used = answer(lowered, BOB, o.Light(("wine",)))
    assert events_of(used, e.LighthouseUsed) == [e.LighthouseUsed(seat=BOB, place="cagliari", hold="wine", bread=2)]
    poor = act(_lit(bay=2), o.Sail("cagliari"))
    assert refused(poor.position, BOB, o.Light(("wine",)), "light", place="cagliari") == "bread_missing"
    assert events_of(answer(poor, BOB, o.Light()), e.BreadGained)


def test_who_sails_to_an_own_lighthouse_raises_bread_before() -> None:
    """Page 17: in a turn that gains resources not in the middle; a line before it can."""
    assert events_of(act(_lit(ANN, bread=2, bay=3, wood=2), o.Sail("cagliari")), e.BreadGained)


def test_a_lighthouse_just_erected_is_used_at_once_as_its_owner_said() -> None:
    """Page 15; Piri Reis pays one bread only."""
    at = game()
    owns(at, ANN, "pd22")
    place_characters(at, ANN, "c43")
    went = act(at, o.Sail("pd22", erect=("pd22",), light=("wood",)))
    assert events_of(went, e.LighthouseUsed) == [e.LighthouseUsed(seat=ANN, place="pd22", hold="wood", bread=1)]
    assert went.position.board.players[ANN].holds["wood"] == 2
