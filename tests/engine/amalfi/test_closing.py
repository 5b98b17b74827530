"""Phases 2 and 3, the new period, titles, the end of the game."""

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.catalogue import TITLES
from engine.amalfi.phases.closing import EndPeriod, ScoreDecree
from engine.amalfi.phases.optional import Provision, provision
from engine.amalfi.phases.turns import EndActions
from engine.amalfi.ruleset import RULES
from engine.amalfi.values import best_mix, decree_counts, earns, meal
from engine.kernel.events import Ended
from engine.kernel.orders import unconditional
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    CLEO,
    At,
    act,
    answer,
    dock,
    events_of,
    game,
    hand,
    judged,
    light,
    owns,
    place_characters,
    play,
    questions_in,
    queue,
    refused,
    row,
    stow,
)

# --- the meal


def test_the_meal_costs_2_bread_and_one_for_each_ship_built() -> None:
    """Phase 2; Caterina Cornaro eats two less."""
    at = game(3)
    stow(at, BOB, bay=7)
    place_characters(at, CLEO, "c47")
    went = queue(at, EndActions())
    assert [(fed.due, fed.paid) for fed in events_of(went, e.Fed)] == [(2, 2), (5, 5), (0, 0)]


@pytest.mark.holds("amalfi", "ruling", "A17")
def test_each_bread_that_is_missing_costs_3_points_and_the_score_may_be_negative() -> None:
    """A17: nobody is made to convert, and who cannot is not asked."""
    at = game()
    at.board.players[ANN].bread = 1
    stow(at, ANN, bay=0, port=4)
    went = queue(at, EndActions())
    assert events_of(went, e.Fed)[0] == e.Fed(seat=ANN, due=2, paid=1, lost=3)
    assert "meal" not in [d.topic for d in went.position.core.questions]


def test_who_lacks_bread_and_could_find_some_is_asked_and_provides_with_least_waste() -> None:
    """Optional actions count here too."""
    at = game()
    at.board.players[ANN].bread = 0
    stow(at, ANN, bay=0, port=2, spice=1, wood=1)
    hand(at, ANN, "c20")
    went = queue(at, EndActions())
    assert questions_in(went) == (("meal", ANN),)
    fed = play(went.position, "meal/1", {ANN: o.Provide()})
    assert events_of(fed, e.ShipsLowered)[0].holds == {"spice": 1}
    assert events_of(fed, e.Fed)[0].lost == 0
    both = play(went.position, "meal/1", {ANN: [o.Drop(("c20",)), o.Lower(("spice",))]})
    assert events_of(both, e.Fed)[0].lost == 0
    nothing = play(went.position, "meal/1", {})
    assert events_of(nothing, e.Fed)[0].lost == 6
    at.board.players[ANN].bread = 6
    assert not refused(at, ANN, o.Provide(), "meal")


@pytest.mark.parametrize("answered", [True, False])
def test_ships_of_the_bay_pay_the_meal_before_loaded_ones(answered: bool) -> None:
    """A ship of the bay gives 3 bread and is back in the next period (page 19); a missed meal does the same."""
    at = game()
    at.board.players[ANN].bread = 0
    stow(at, ANN, bay=1, port=2, wood=1)
    went = queue(at, EndActions())
    (asked,) = went.position.core.gate("meal/1")
    given = unconditional(o.Provide()) if answered else RULES.default_orders(went.position, asked)
    fed = play(went.position, "meal/1", {ANN: given})
    assert not events_of(fed, e.ShipsLowered)
    assert events_of(fed, e.Fed)[0].lost == 0
    assert fed.position.board.players[ANN].holds["wood"] == 1


def test_as_few_loaded_ships_as_possible_pay_the_meal() -> None:
    """A ship that is lowered can go on to the port, for 3 bread more."""
    at = game()
    at.board.players[ANN].bread = 0
    stow(at, ANN, bay=1, wood=2, wine=1, spice=1)
    assert provision(at, ANN) == Provision({}, 1)
    stow(at, ANN, bay=0, port=4, wood=2, spice=1)
    assert provision(at, ANN) == Provision({"spice": 1}, 1)


def test_what_the_meal_will_still_lack_is_said_before_the_orders_are_sent() -> None:
    """Each missing bread costs 3 points, which PROVIDE does not promise to avoid."""
    at = game()
    at.board.players[ANN].bread = 0
    stow(at, ANN, bay=1, port=7)
    went = queue(at, EndActions())
    (result,) = judged(went.position, ANN, o.Provide(), "meal")
    assert [(note.code, note.terms) for note in result.notes] == [("meal_short", {"bread": 3, "points": 9})]
    stow(at, ANN, bay=0, port=4)
    assert refused(queue(at, EndActions()).position, ANN, o.Provide(), "meal") == ""


def test_no_ship_is_lowered_for_bread_that_the_granary_has_no_room_for() -> None:
    """Le Pain: ten ships eat eight bread, but six are stored; a full granary asks nobody and provides nothing."""
    at = game()
    stow(at, ANN, bay=0, port=8, wood=2)
    assert provision(at, ANN) == Provision({}, 0)
    assert questions_in(queue(at, EndActions()))[:1] != (("meal", ANN),)
    at.board.players[ANN].bread = 5
    went = queue(at, EndActions())
    assert questions_in(went) == (("meal", ANN),)
    eaten = answer(went, ANN, [o.Provide(), o.Provide()])
    assert [lowered.holds for lowered in events_of(eaten, e.ShipsLowered)] == [{"wood": 1}]
    fed = events_of(eaten, e.Fed)[0]
    assert (fed.due, fed.paid, fed.lost) == (8, 6, 6)


# --- decrees


def owner(decree: str) -> At:
    """Somebody who has something of everything, in the fourth period, where the board adds nothing (A7)."""
    at = game(period=4)
    at.board.decrees = ("conclave", "conseil", "exploration", decree)
    owns(at, ANN, "book01", "book02", "book03", "painting01", "painting02", "monument01", "pd01", "pd02", "pd03")
    place_characters(at, ANN, "c16", "c17", "c36", "c59")
    light(at, "pd01", ANN)
    light(at, "ragusa", ANN)
    stow(at, ANN, bay=4, port=3)
    at.board.players[ANN].bread = 5
    return at


@pytest.mark.parametrize(
    ("decree", "points"),
    [
        ("adulation", 9),
        ("benediction", 14),
        ("colonisation", 6),
        ("commerce", 3),
        ("conclave", 8),
        ("conseil", 18),
        ("exploration", 6),
        ("mobilisation", 6),
        ("subsistance", 10),
        ("universalisme", 13),
    ],
)
def test_each_decree_scores_what_it_names(decree: str, points: int) -> None:
    """Détail des décrets."""
    _, parts = decree_counts(owner(decree).board, ANN)
    assert sum(parts.values()) == points


@pytest.mark.holds("amalfi", "ruling", "A7")
def test_points_printed_on_the_board_are_added() -> None:
    """The example of page 18: lighthouses 3 + 1, private destinations 1, artworks 3 in the first period."""
    at = game()
    owns(at, ANN, "book01", "pd01")
    light(at, "ragusa", ANN)
    went = queue(at, ScoreDecree())
    assert events_of(went, e.DecreeScored)[0].parts == {"lighthouse": 4, "private_destination": 1, "artwork": 3}


@pytest.mark.holds("amalfi", "ruling", "A8")
def test_each_artwork_counts_once_in_a_blessing_and_the_best_mix_is_taken() -> None:
    """A8: of three books, two paintings and a monument one trio and one pair."""
    at = game()
    owns(at, ANN, "book01", "book02", "book03", "painting01", "painting02", "monument01")
    assert best_mix(at.board.players[ANN]) == (1, 1)
    at = game()
    owns(at, ANN, "book01", "painting01")
    assert best_mix(at.board.players[ANN]) == (0, 1)


def test_piero_della_francesca_gains_two_points_at_each_decree() -> None:
    """A permanent character of the decrees."""
    at = game()
    place_characters(at, ANN, "c54")
    assert events_of(queue(at, ScoreDecree()), e.PointsGained) == [e.PointsGained(seat=ANN, points=2, cause="c54")]


@pytest.mark.holds("amalfi", "ruling", "A9")
def test_before_bread_is_counted_its_owners_are_asked_what_they_turn_into_bread() -> None:
    """A9: Subsistance counts what is left after the meal; Luca Pacioli counts at the end."""
    at = game(period=3)
    hand(at, BOB, "c20")
    went = queue(at, EndActions())
    assert questions_in(went) == (("decree", ANN), ("decree", BOB))
    went = play(went.position, "decree/3", {BOB: o.Drop(("c20",))})
    assert [scored.counted["bread"] for scored in events_of(went, e.DecreeScored)] == [4, 5]
    at = game(period=4)
    place_characters(at, ANN, "c12")
    assert questions_in(queue(at, EndActions())) == (("decree", ANN),)


def test_without_an_answer_ships_of_the_bay_fill_the_granary_before_bread_is_counted() -> None:
    """They are home again in the next period: as many as there is room for, and loaded ships stay where they are."""
    at = game(period=3)
    stow(at, ANN, bay=4, port=0, wood=1)
    at.board.players[ANN].bread = 1 + meal(at.board, ANN)
    went = queue(at, EndActions())
    (asked,) = (question for question in went.position.core.gate("decree/3") if question.seat == ANN)
    default = RULES.default_orders(went.position, asked)
    assert default == unconditional(o.Supply(2))
    done = play(went.position, "decree/3", {ANN: default})
    assert not events_of(done, e.ShipsLowered)
    assert [(one.seat, one.ships, one.lost) for one in events_of(done, e.ShipsSupplied)] == [(ANN, 2, 1)]
    stow(at, ANN, bay=0, port=4, wood=1)
    assert RULES.default_orders(queue(at, EndActions()).position, asked) == ()


# --- a new period


@pytest.mark.holds("amalfi", "ruling", "A24")
def test_a_new_period_brings_ships_home_covers_a_destination_and_moves_the_rows() -> None:
    """Nouvelle Période, in its order (A24); ships in holds stay."""
    at = game(3)
    dock(at, "ragusa", ANN)
    stow(at, ANN, bay=1, port=1, wood=1)
    place_characters(at, ANN, "c59", "c55", engaged=True)
    row(at, "atlas", "pd01", "pd02", "pd03", "pd04", "pd05")
    at.board.next_first = CLEO
    artwork, character = at.board.rows["atelier"][-1], at.board.rows["council"][-1]
    went = queue(at, EndPeriod())
    board = went.position.board
    player = board.players[ANN]
    assert (player.bay, player.port, player.holds["wood"], board.docks) == (3, 0, 1, {})
    assert board.covered == {"napoli": "pd05"}
    assert "pd05" in board.public
    assert board.has_slot("pd05")
    assert board.evolving("pd05")
    assert (board.discards["atelier"], board.discards["council"]) == ((artwork,), (character,))
    assert player.engaged == ()
    assert questions_in(went) == (("send", ANN),)
    assert board.seats == (CLEO, ANN, BOB)


def test_a_covered_destination_is_open_to_all_and_also_gives_a_character() -> None:
    """Destination évolutive recouverte."""
    at = game()
    row(at, "atlas", "pd01", "pd02", "pd03", "pd04", "pd06")
    went = queue(at, EndPeriod())
    went = act(went.position, o.Sail("pd06", take=("rightmost",)))
    assert events_of(went, e.CharacterTaken)
    assert refused(went.position, ANN, o.Sail("napoli")) == "no_such_place"
    assert refused(went.position, ANN, o.Discover("pd06")) == "not_offered"


def test_where_the_atlas_is_empty_nothing_is_covered() -> None:
    """Page 19."""
    at = game()
    tiles = (*at.board.rows["atlas"], *(str(card.held) for card in at.board.decks["atlas"]))
    at.board.rows["atlas"], at.board.decks["atlas"] = (), ()
    at.board.players[BOB].destinations = tiles
    assert queue(at, EndPeriod()).position.board.covered == {}


# --- titles


def admiral(title: str) -> At:
    """Somebody who has exactly what a title asks."""
    at = game()
    needs = TITLES[title].needs
    at.board.titles, at.board.claims = (title,), {title: ()}
    cards = {
        "character_immediate": ["c16", "c17"],
        "character_permanent": ["c36", "c37"],
        "character_engageable": ["c57", "c58"],
        "character_end_game": ["c02", "c03"],
    }
    for what, n in needs.items():
        place_characters(at, ANN, *cards.get(what, [])[:n])
    place_characters(at, ANN, *[f"c{n}" for n in range(20, 30)][: needs.get("character", 0)])
    tiles = [f"pd{n:02}" for n in range(1, needs.get("private_destination", 0) + 1)]
    types = ("book", "painting", "monument")
    works = [f"{kind}{n:02}" for kind in types for n in range(1, needs.get(kind, 0) + 1)]
    works += [f"book{n:02}" for n in range(1, needs.get("artwork", needs.get("artwork_same_type", 0)) + 1)]
    if "artwork_pairs_of_two" in needs:
        works += ["book01", "book02", "painting01", "painting02"]
    owns(at, ANN, *tiles, *works)
    for place in ("ragusa", "candia", "tripoli", "roma", "pisa", "genova")[: needs.get("lighthouse", 0)]:
        light(at, place, ANN)
    stow(at, ANN, bay=needs.get("fleet", 4))
    return at


@pytest.mark.parametrize("title", list(TITLES))
@pytest.mark.holds("amalfi", "ruling", "A10")
def test_each_title_asks_at_least_what_is_printed(title: str) -> None:
    """Les Titres; A10 where an icon is lost. One thing less is not enough."""
    at = admiral(title)
    assert earns(at.board, ANN, title)
    assert not earns(at.board, BOB, title)
    what = next(iter(TITLES[title].needs))
    player = at.board.players[ANN]
    if what.startswith("character"):
        player.invited = player.invited[1:]
    elif what == "private_destination":
        player.destinations = player.destinations[1:]
    elif what == "fleet":
        player.yard += 1
    else:
        player.artworks = player.artworks[1:]
    assert not earns(at.board, ANN, title)


@pytest.mark.holds("amalfi", "ruling", "A11")
def test_a_title_is_earned_at_once_on_the_leftmost_free_cell() -> None:
    """The active player first, then clockwise (A11); each once."""
    at = game(3)
    for seat, first in ((ANN, 1), (BOB, 7)):
        owns(at, seat, *(f"book{n:02}" for n in range(first, first + 5)))
    at.board.claims["collectionneur"] = (CLEO,)
    at.board.claims["zelateur"] = (ANN, BOB)
    row(at, "atelier", "painting01", "painting02", "painting05", "painting06", "painting07")
    stow(at, ANN, bay=0, jewel=3)
    went = act(at, o.Acquire("painting07"))
    (earned,) = events_of(went, e.TitleEarned)
    assert (earned.seat, earned.title, earned.rank, earned.points) == (ANN, "collectionneur", 2, 9)
    player = went.position.board.players[ANN]
    assert player.title_vp == 9
    assert player.vp == 9 + events_of(went, e.Acquired)[0].points


# --- the end


def test_after_the_fourth_period_end_of_game_characters_score_and_the_most_points_win() -> None:
    """Fin du jeu; titles break ties, else the victory is shared."""
    at = game(3, period=4)
    place_characters(at, ANN, "c02")
    owns(at, ANN, "book01", "book02")
    for seat, points, titles in ((ANN, 4, 0), (BOB, 10, 3), (CLEO, 10, 3)):
        at.board.players[seat].vp, at.board.players[seat].title_vp = points, titles
    went = queue(at, EndPeriod())
    assert events_of(went, e.EndScored) == [e.EndScored(seat=ANN, character="c02", counted=2, points=6)]
    (ended,) = events_of(went, Ended)
    assert ended.ranking == ((BOB, CLEO), (ANN,))
    assert ended.points == {ANN: 10, BOB: 10, CLEO: 10}
