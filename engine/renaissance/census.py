"""What simulated games must show of this game, and the test that shows what bots cannot bring about.

Every numbered ruling and every privilege is held by a test; those that leave a trace in the journal are counted in
simulated games too.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from engine.kernel.bots import Entry
from engine.kernel.census import Census, Thing
from engine.kernel.events import Ended, Event
from engine.kernel.orders import Orders
from engine.renaissance import events as e
from engine.renaissance.catalogue import HIRED_FREE, KINDS, NATIONS, SCENARIOS, kind_of
from engine.renaissance.conditions import FACTS
from engine.renaissance.forms import FORMS

RULINGS: Final[Mapping[int, str]] = {
    1: "intrigue::yellow_cards_are_played_in_the_combat_turn_alone",
    2: "battle::both_sides_add_cards_die_walls_and_ground",
    3: "intrigue::a_free_city_is_looted_without_a_die",
    4: "intrigue::a_marriage_buys_a_plain_garrison_of_its_owner",
    5: "battle::a_betrayal_may_be_bought_and_thrown_again_and_again",
    6: "battle::a_condottiere_that_cannot_be_paid_is_not_laid",
    7: "battle::a_condottiere_sold_fights_for_its_buyer_who_pays_the_seller",
    8: "battle::who_has_a_blue_card_must_lay_it_and_else_defends_with_walls_alone",
    9: "attacks::a_city_taken_this_turn_is_no_base",
    10: "attacks::an_attack_goes_by_road_or_from_port_to_port",
    11: "attacks::a_ride_reaches_any_enemy_city_without_ground_or_landing",
    12: "battle::a_felon_in_defence_takes_the_strongest_troop",
    13: "battle::equal_reds_laid_by_both_cancel_each_other",
    14: "battle::a_counter_comes_from_the_hand_though_another_red_was_laid",
    15: "battle::the_losing_side_chooses_first_about_a_sign_then_the_other",
    16: "battle::only_losers_are_asked_about_a_retreat_both_on_a_tie",
    17: "money::cities_of_equal_walls_are_swapped_by_offer_and_consent_once_a_turn",
    18: "intrigue::poor_upkeep_hits_any_city_or_none",
    19: "setup::an_empty_deck_is_made_anew_of_the_discards_and_without_them_there_is_no_card",
    20: "money::at_most_twelve_cards_after_a_purchase",
    21: "attacks::without_a_garrison_token_no_city_is_taken",
    22: "intrigue::a_banker_brings_five_ducats_once_a_turn_for_each_palace",
    23: "setup::an_eliminated_player_comes_back_with_a_start_city_as_it_stands",
    24: "intrigue::savonarola_burns_the_palace_and_may_be_drawn_again",
    25: "setup::romes_privilege_is_a_second_voice",
    26: "intrigue::milan_has_a_condottiere_each_turn_that_costs_nothing",
    27: "setup::a_scenario_has_its_order_its_places_and_its_first_turn",
    28: "setup::everybody_founds_his_start_cities_with_a_rampart_in_one_of_them",
    29: "setup::a_scenario_has_its_order_its_places_and_its_first_turn",
    30: "setup::the_first_turn_votes_not_but_the_swiss_announce",
    31: "intrigue::florence_lures_an_artist_on_five_or_six_once_a_turn",
    32: "money::purchases_follow_the_order_of_last_turn",
}
"""The test of each ruling: `FILE::NAME` stands for tests/engine/renaissance/test_FILE.py::test_NAME."""

PRIVILEGES: Final[Mapping[str, str]] = {
    "florence": RULINGS[31],
    "genes": "intrigue::genoa_attacks_without_ground_or_landing_against_it",
    "naples": "intrigue::naples_has_a_retreat_each_turn",
    "milan": RULINGS[26],
    "rome": RULINGS[25],
    "venise": "money::venices_privilege_is_two_ducats",
    "france": "intrigue::france_attacks_from_a_city_taken_this_turn",
    "espagne": "intrigue::spain_loots_once_a_turn_without_a_card",
    "saint_empire": "setup::the_empires_privilege_is_a_card_dealt_with_the_others",
    "suisse": "intrigue::the_swiss_have_a_point_in_attack_or_in_defence",
}
"""The test of each privilege, which its option brings into a game."""

_SCENARIOS: Final = "tests/playthroughs/test_renaissance.py::test_a_scenario_is_played_to_its_end"
_OPTIONS: Final[Mapping[str, str]] = {
    "pace=order": "expansion::in_order_each_is_asked_in_his_turn_and_again_if_he_wrote_but_one_wish",
    "failures=drop": "money::by_option_a_purchase_that_fails_ends_the_announcement",
    "failures=again": "expansion::asked_again_after_a_lapse_the_answer_joins_the_round",
    "unanswered=ask": "exchanges::with_everything_asked_a_turn_takes_many",
    "nations=chosen": "setup::nations_are_drawn_by_lot_or_chosen_and_the_lot_decides_between_equals",
    "without=b": "setup::nations_and_provinces_are_left_out_by_the_number_of_players",
    **{f"power_{nation}=on": test for nation, test in PRIVILEGES.items()},
}
"""The test of each value that is not the default, but for the scenarios."""


def _witness(entry: Entry[Any]) -> Iterator[Thing]:
    """Cards, privileges, conditions, and the rulings that left a trace."""
    for orders in entry.answers.values():
        yield from (("fact", name) for name in _asked(orders))
    for event in entry.after.events:
        yield from (("card", kind_of(card).id) for card in _used(event))
        yield from (("privilege", nation) for nation in _privileges(event))
        yield from (("ruling", f"A{number}") for number in _rulings(event))


def _asked(orders: Orders) -> Iterator[str]:
    clauses = (clause for line in orders for clause in (*line.plan, *line.otherwise))
    return (condition.fact for clause in clauses for condition in clause.when)


def _used(event: Event) -> Iterable[str]:
    """The cards that an event shows at work."""
    match event:
        case e.CardPlayed() if event.card:
            return (event.card,)
        case e.CardsShown():
            return (*event.attack, *event.defence)
        case e.RedCancelled():
            return (event.attack, event.defence)
        case e.SignLaid():
            return (event.sign,)
        case e.CardsSaved():
            return event.retreats
    return ()


def _privileges(event: Event) -> Iterator[str]:
    match event:
        case e.ArtistLured():
            yield "florence"
        case e.CardsSaved(free=True):
            yield "naples"
        case e.CardsShown() if HIRED_FREE in (*event.attack, *event.defence):
            yield "milan"
        case e.StateSet() if event.of > len(event.votes):
            yield "rome"
        case e.IncomeTaken() if event.bonus:
            yield "venise"
        case e.CardPlayed(kind="pillards", card=""):
            yield "espagne"
        case e.CardsDrawn(cause="empire"):
            yield "saint_empire"
        case e.BattleDecided() if "swiss" in event.attack or "swiss" in event.defence:
            yield "suisse"


def _rulings(event: Event) -> Iterator[int]:
    """The rulings by which this fact is as it is."""
    match event:
        case e.BattleDecided():
            yield from (2, 10, 16)
        case e.Pillaged(owner=None):
            yield 3
        case e.Married():
            yield 4
        case e.CondottiereTurned():
            yield 5
        case e.CardsShown():
            yield 6
        case e.CondottiereHired():
            yield 7
        case e.DefenceLaid():
            yield 8
        case e.TroopLost():
            yield 12
        case e.RedCancelled():
            yield 14 if event.from_hand else 13
        case e.SignLaid():
            yield 15
        case e.Swapped():
            yield 17
        case e.EmbassyHeard(effect="upkeep"):
            yield 18
        case e.BankerPaid():
            yield 22
        case e.Returned():
            yield 23
        case e.ArtistCame(burnt=True):
            yield 24
        case e.StanceTaken():
            yield 30
        case e.ArtistLured():
            yield 31
        case e.CardsBought():
            yield 20
        case e.Founded():
            yield from (28, 29)
        case e.OrderDrawn(listed=True):
            yield 27
        case Ended():
            yield 32
        case _:
            return


def _test(name: str) -> str:
    file, _, test = name.partition("::")
    return f"tests/engine/renaissance/test_{file}.py::test_{test}"


CENSUS: Final = Census(
    expected={
        "card": tuple(KINDS),
        "privilege": tuple(NATIONS),
        "form": tuple(dict.fromkeys(form.keyword.every()[0] for forms in FORMS.values() for form in forms)),
        "fact": tuple(fact.name for fact in FACTS),
        "ruling": tuple(f"A{number}" for number in RULINGS),
    },
    witness=_witness,
    elsewhere={
        **{("ruling", f"A{number}"): _test(test) for number, test in RULINGS.items()},
        **{("privilege", nation): _test(test) for nation, test in PRIVILEGES.items()},
        **{("option", option): _test(test) for option, test in _OPTIONS.items()},
        **{("option", f"scenario={name}"): _SCENARIOS for name in SCENARIOS},
        ("event", "ren.ArtistLured"): _test(RULINGS[31]),
        ("event", "ren.StanceTaken"): _test(RULINGS[30]),
        ("event", "ren.Eliminated"): _test("attacks::a_player_without_city_is_out_for_the_rest_of_the_turn"),
        ("event", "ren.Returned"): _test(RULINGS[23]),
        ("event", "ren.Swapped"): _test(RULINGS[17]),
        ("event", "ren.SwapOffered"): _test(RULINGS[17]),
        ("event", "ren.SwapRecalled"): _test("money::a_swap_wants_an_offer_equal_walls_and_peaceful_cities"),
        ("event", "ren.Gave"): _test("money::ducats_are_given_at_any_time_and_the_question_is_put_again"),
        ("topic", "stance"): _test(RULINGS[30]),
        ("topic", "return"): _test(RULINGS[23]),
        ("topic", "nations"): _test(
            "setup::nations_are_drawn_by_lot_or_chosen_and_the_lot_decides_between_equals"
        ),
        **{("form", keyword): _test(test) for keyword, test in {
            "JOUER": "setup::nations_are_drawn_by_lot_or_chosen_and_the_lot_decides_between_equals",
            "REVENIR": RULINGS[23],
            "BONUS": RULINGS[30],
            "DÉBAUCHER": RULINGS[31],
            "DONNER": "money::ducats_are_given_at_any_time_and_the_question_is_put_again",
            "PROPOSER": RULINGS[17],
            "ACCEPTER": RULINGS[17],
            "REPRENDRE": "money::a_swap_wants_an_offer_equal_walls_and_peaceful_cities",
        }.items()},
    },
)  # fmt: skip
