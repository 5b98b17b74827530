"""A1-A3, §6  Where the text of each card and each advance is held: card or letter, then the tests, by file and name.

Commodities (the 25 single ones and the two double ones, each by its own case)
stone_1a stone_1b wool_1a wool_1b timber_1 timber_2a timber_2b grain_2a grain_2b cloth_2 cloth_3 wine_2 wine_3 \
metal_1 metal_2 metal_3 fur_1 fur_3 silk_1 silk_2 silk_3 spice_1 spice_2 spice_3 gold_3
    history_goods: each_commodity_card_pays_for_its_own_good
cloth_wine_1 ivory_gold_1
    history_goods: a_double_card_pays_for_the_good_chosen, a_double_card_without_its_good_is_refused

Events
enlightened_ruler
    history_events: enlightened_ruler_protects_from_each_event_that_it_names, enlightened_ruler_undoes_nothing, \
enlightened_ruler_protects_from_nothing_else, enlightened_ruler_does_not_keep_war_off, \
enlightened_ruler_keeps_ones_marker_in_anothers_capital
alchemist
    history_events: alchemist_takes_half_of_the_written_sum, natural_philosophy_is_immune_to_alchemist, \
alchemist_is_a_burden_when_all_hold_natural_philosophy
civil_war
    history_events: civil_war_costs_half_of_the_written_sum, civil_war_costs_half_of_the_tokens, \
civil_war_in_the_capital, civil_war_puts_its_victim_last_from_the_expansion_on
    turn: the_holder_of_renaissance_chooses_to_swap_before_or_after_civil_war, \
civil_war_leaves_the_slot_of_a_player_who_is_out
    ending: civil_war_costs_money_in_the_last_card_play
crusades
    history_events: crusades_take_a_province_of_region_six, crusades_remove_all_other_pieces, \
mongols_make_crusades_a_burden, crusades_before_the_mongols_keep_their_effect
    history_leaders: walter_gives_thirty_in_the_turn_of_the_crusades
rebellion
    history_events: rebellion_reduces_a_marker, rebellion_spares_capitals_and_the_new_world
papal_bull
    history_plagues: papal_decree_forbids_one_of_three_categories, religious_strife_ends_a_decree_of_the_turn, \
religious_strife_in_epoch_three_makes_decrees_a_burden
    purchases_prices: a_decree_forbids_its_category
pirates
    history_events: pirates_reduce_more_from_epoch_to_epoch, pirates_reduce_as_many_as_there_are
uprisings
    history_plagues: uprisings_cost_a_step_for_each_commerce_advance
famine
    history_plagues: famine_is_moderated_by_grain_and_agronomy
mysticism
    history_plagues: mysticism_is_moderated_by_sciences, mysticism_is_a_burden_when_all_hold_the_sciences
war
    war: the_winner_gains_a_step_and_the_loser_two, the_loser_cedes_as_many_provinces_as_the_results_differ_by, \
only_provinces_that_the_winner_can_sustain_are_ceded, mere_tokens_are_never_ceded, \
a_tied_war_is_rolled_on_the_turn_of_each_belligerent, \
in_the_last_play_a_tie_is_rolled_at_each_player_that_follows
stirrups armor
    history_plagues: a_weapon_is_in_force_until_the_end_of_the_turn, newer_weapons_make_older_ones_a_burden
    strength: a_better_advantage_undoes_a_lesser_one, a_tie_goes_to_whose_advantage_holds
    war: bonuses_of_war
black_death
    history_plagues: black_death_empties_a_region, black_death_uses_the_tokens_that_just_went_home, \
black_death_strikes_its_player_too, black_death_takes_all_tokens_before_the_first_marker_falls
religious_strife
    history_plagues: religious_strife_costs_a_step_for_each_religion_advance, religious_strife_ends_a_decree_of_the_turn
mongols
    history_plagues: mongols_bring_ten_ducats
    history_events: mongols_make_crusades_a_burden
    history_leaders: marco_polo_is_doubled_only_after_the_mongols_of_the_turn
long_bow gunpowder
    history_plagues: a_weapon_is_in_force_until_the_end_of_the_turn, newer_weapons_make_older_ones_a_burden, \
other_weapons_are_no_burden
    strength: a_better_advantage_undoes_a_lesser_one, a_tie_goes_to_whose_advantage_holds
    war: bonuses_of_war

Leaders (each by its own case)
charlemagne dionysius rashid benedict columbus erasmus ibn_majid gutenberg copernicus henry caxton vesalius las_casas \
galileo oldenburg da_vinci newton
    history_leaders: each_leader_takes_its_credits_off_its_advances, \
each_leader_pays_back_to_who_holds_printed_word_and_its_advances
walter
    history_leaders: walter_gives_thirty_in_the_turn_of_the_crusades, crusades_make_up_the_refund_of_walter, \
crusades_make_up_no_refund_without_printed_word
marco_polo
    history_leaders: marco_polo_is_doubled_only_after_the_mongols_of_the_turn

Advances (cost, credit, prerequisites and misery of each by its own case)
A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
    purchases_prices: each_advance_costs_what_the_sheet_prints, each_advance_gives_its_credit_within_its_category

What they do
A
    atlas: galley_2_from_stockholm, boxes_beyond_a_sea
B K
    purchases_prices: each_advance_costs_what_the_sheet_prints, at_step_zero_a_reduction_is_lost
    history_plagues: famine_is_moderated_by_grain_and_agronomy, mysticism_is_moderated_by_sciences
C
    history_events: natural_philosophy_is_immune_to_alchemist
D
    income: enlightenment_lowers_misery_by_a_step
E
    purchases_prices: boxes_protect_from_patronage, patronage_serves_in_the_turn_of_its_purchase
F
    expansion: indulgences_move_two_tokens_for_each_player_on_the_other_side
G
    strength: the_published_odds_come_out
H
    rivalry: conversion_wins_an_attack_without_dice, conversion_works_once_a_turn_against_each_player
I
    expansion_placing: what_bars_a_caravan, caravan_and_ship_do_not_combine
J
    draw: mills_move_a_market_by_one_step, mills_are_asked_of_the_holder_who_plays_latest
L
    income: a_bank_doubles_the_cash_up_to_the_income
M
    history_goods: manufactures_count_one_more_but_not_from_nothing
N
    rivalry: a_card_is_exchanged_after_a_capture
O
    history_leaders: each_leader_pays_back_to_who_holds_printed_word_and_its_advances
    purchases_prices: printed_word_bought_now_refunds_leaders_in_play
P
    cards_phase: a_card_that_returns_lies_open_and_another_leaves_the_game
    purchases: the_purchase_of_arts_lets_one_card_go_at_once
Q
    turn: a_swap_with_the_neighbour_changes_slots
R U
    expansion_placing: provinces_that_are_closed
    war: only_provinces_that_the_winner_can_sustain_are_ceded
S T
    purchases_prices: seaworthy_vessels_and_galleon_bring_their_ship
    expansion_placing: a_galleon_carries_any_number, galleon_one_keeps_up_a_single_overseas_box
V
    cards_phase: an_extra_card_costs_ten_ducats
W
    strength: two_vassals_cancel_out, bari_under_vassal
    war: bonuses_of_war
X
    purchases_prices: research_takes_ten_ducats_off_all_but_two_categories, research_works_in_the_turn_of_its_purchase
Y
    strength: cosmopolitan_doubles_the_satellites_of_a_marker, cosmopolitan_attacks_from_satellites
Z
    income: the_middle_class_adds_ten_ducats_and_raises_the_limit_of_the_bank
    purchases: stability_costs_the_sum_of_the_ranks_of_the_cards
"""

import re
from pathlib import Path

import pytest

from engine.age_of_renaissance.catalogue import ADVANCES, CARDS

HERE = Path(__file__).parent


def table() -> dict[str, set[tuple[str, str]]]:
    """The table above: what each card and letter has, as (file, test)."""
    found: dict[str, set[tuple[str, str]]] = {}
    under: list[str] = []
    for line in (__doc__ or "").splitlines():
        if line.startswith("    "):
            file, _, tests = line.strip().partition(": ")
            for name in under:
                found.setdefault(name, set()).update((file, test.strip()) for test in tests.split(","))
        else:
            under = line.split() if all(word in CARDS or word in ADVANCES for word in line.split()) else []
    return found


def test_every_card_and_every_advance_is_in_the_table() -> None:
    """Completeness: all 64 cards and 26 advances have a line; nothing else has one."""
    assert set(table()) == set(CARDS) | set(ADVANCES)
    assert (len(CARDS), len(ADVANCES)) == (64, 26)


@pytest.mark.parametrize("file", sorted({file for tests in table().values() for file, _ in tests}))
def test_every_test_of_the_table_exists(file: str) -> None:
    """Completeness: each test that the table names is there to be run."""
    text = (HERE / f"test_{file}.py").read_text(encoding="utf-8")
    there = set(re.findall(r"^def test_(\w+)\(", text, re.MULTILINE))
    named = {test for tests in table().values() for where, test in tests if where == file}
    assert named <= there


def test_what_an_advance_does_is_held_apart_from_its_price() -> None:
    """Completeness: each advance has a test of its attribute beside those of cost and credit."""
    prices = {test for _, test in table()["A"] & table()["Z"]}
    assert [letter for letter in ADVANCES if not {test for _, test in table()[letter]} - prices] == []
