"""What simulated games must show of this game, and the test that shows what bots cannot bring about.

Every numbered ruling is held by a test; those that leave a trace in the journal are counted in simulated games too.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, Kind
from engine.age_of_renaissance.conditions import FACTS
from engine.age_of_renaissance.forms import FORMS
from engine.kernel.bots import Entry
from engine.kernel.census import Census, Thing
from engine.kernel.events import Ended, Event, Lapsed
from engine.kernel.orders import Orders
from engine.kernel.run import Advance

RULINGS: Final[Mapping[int, str]] = {
    1: "rivalry::a_weak_attack_is_refused_with_the_figure_that_is_wanted",
    2: "atlas::sea_distance_is_symmetric_and_astronomy_never_lengthens",
    3: "atlas::one_sea_for_each_shipment",
    4: "atlas::bay_of_biscay",
    5: "catalogue::no_arrow_from_sankt_gallen_to_nurnberg",
    6: "strength::genoa_retakes_genoa_with_five_or_six",
    7: "rivalry::conversion_in_a_mixed_province",
    8: "turn::the_holder_of_renaissance_chooses_whether_he_or_civil_war_comes_first",
    9: "history_leaders::a_leader_of_another_is_never_refunded",
    10: "rivalry::not_for_tokens",
    11: "purchases::the_purchase_of_arts_lets_one_card_go_at_once",
    12: "history_events::rebellion_spares_capitals_and_the_new_world",
    13: "history_events::without_stock_the_token_comes_from_those_bought",
    14: "strength::a_better_advantage_undoes_a_lesser_one",
    15: "war::a_tied_war_is_rolled_on_the_turn_of_each_belligerent",
    16: "strength::a_beaten_attacker_loses_his_old_tokens_too",
    17: "atlas::saloniki_only_through_the_durazzo_just_taken",
    18: "expansion_placing::a_marker_is_lifted_at_will_only_when_none_is_left",
    19: "draw::gold_and_ivory_together",
    20: "draw::mills_are_asked_of_the_holder_who_plays_latest",
    21: "purchases_prices::at_step_zero_a_reduction_is_lost",
    22: "tokens::of_equals_the_later_chooser_of_a_capital_has_the_choice",
    23: "expansion::no_bonus_without_a_new_marker",
    24: "history_goods::the_tenth_box_is_the_most",
    25: "draw::the_withheld_cards_come_back",
    26: "cards_phase::no_extra_card_is_offered_when_no_pile_is_left",
    27: "tokens::an_eliminated_player_buys_nothing_and_keeps_a_slot",
    28: "history_leaders::marco_polo_is_doubled_only_after_the_mongols_of_the_turn",
    29: "history_plagues::famine_is_moderated_by_grain_and_agronomy",
    30: "slips::waivers_are_needed",
    31: "ending::equals_share_the_victory",
    32: "ending::every_reason_to_end_has_its_words_and_ends_the_game",
    33: "cards_phase::piled_cash_is_not_told_by_a_question",
    34: "views::of_the_discards_the_top_and_the_count_are_shown",
    35: "history_events::an_event_that_lost_its_target_stays_in_hand",
    36: "cards::first_piles",
    37: "expansion::missing_tokens_are_a_choice",
    38: "tokens::of_equals_the_later_chooser_of_a_capital_has_the_choice",
    39: "strength::cosmopolitan_doubles_the_satellites_of_a_marker",
    40: "strength::a_tie_goes_to_whose_advantage_holds",
    41: "ending::a_tied_war_goes_on_at_each_following_turn_and_ends_undecided",
    42: "strength::satellites_and_advantages_are_added_after_doubling",
    43: "history_plagues::events_on_the_board_touch_pieces_of_the_eliminated",
    44: "draw::mills_move_a_market_by_one_step",
    45: "purchases_prices::a_price_never_falls_below_zero",
    46: "history_events::civil_war_costs_half_of_the_written_sum",
    47: "expansion_placing::a_marker_lifted_elsewhere_takes_the_place_of_the_tokens",
    48: "atlas::own_pieces_lift_the_limit_of_ships",
    49: "history_events::a_crusader_without_marker_may_lift_one",
    50: "history_events::an_event_that_lost_its_target_stays_in_hand",
    51: "history_leaders::crusades_make_up_the_refund_of_walter",
}
"""The test of each ruling: `FILE::NAME` stands for tests/engine/age_of_renaissance/test_FILE.py::test_NAME."""


def _witness(entry: Entry[Any]) -> Iterator[Thing]:
    """Cards, advances, conditions and the rulings that left a trace."""
    for orders in entry.answers.values():
        yield from (("fact", name) for name in _asked(orders))
    for event in entry.after.events:
        match event:
            case e.CardPlayed():
                yield "card", event.card
            case e.AdvanceBought():
                yield "advance", event.letter
        yield from (("ruling", f"R{number}") for number in _rulings(event, entry.after))


def _asked(orders: Orders) -> Iterator[str]:
    clauses = (clause for line in orders for clause in (*line.plan, *line.otherwise))
    return (condition.fact for clause in clauses for condition in clause.when)


def _rulings(event: Event, after: Advance[Any]) -> Iterator[int]:
    """The rulings by which this fact is as it is."""
    match event:
        case e.RivalryFought():
            yield from _of_rivalry(event)
        case e.WarRolled() if event.winner is None:
            yield 15
        case e.WarOver():
            yield 41
        case e.MarkerReduced(source="expansion" | "left" | ""):
            yield 13
        case e.MarketRolled(goods=goods) if len(goods) > 1:
            yield 19
        case e.MarketMoved(cause="J"):
            yield from (20, 44)
        case e.LastTurnCame():
            yield 26
        case e.PileMade(cause="withheld"):
            yield 25
        case e.PileMade(cause="epoch"):
            yield 36
        case e.CardDrawn(cause="bonus"):
            yield 23
        case Ended():
            yield from (32, *((31,) if event.ranking and len(event.ranking[0]) > 1 else ()))
        case _:
            yield from _of_pieces(event, after)


def _of_rivalry(event: e.RivalryFought) -> Iterator[int]:
    yield 1
    if event.dice is None:
        yield 7
    if len(event.against) > 1:
        yield 16
    if event.dice is not None and event.dice[0] == event.dice[1]:
        yield 40
    if not event.won:
        yield 16


def _of_pieces(event: Event, after: Advance[Any]) -> Iterator[int]:
    match event:
        case e.Placed(marker=True):
            yield 47
        case e.MarkerLifted():
            yield from (18, 47)
        case e.CardsExchanged():
            yield 10
        case e.Paid(cause="F") | e.MiseryMoved(cause="F"):
            yield 37
        case e.Paid(cause="civil_war") | e.TokensMoved(cause="civil_war"):
            yield 46
        case e.MiseryMoved(cause="famine" | "mysticism"):
            yield 29
        case e.MiseryMoved(cause="tiers"):
            yield 21
        case e.Placed(via="held"):
            yield 48
        case e.ProvinceCeded(placed="token") | e.MarkerPlaced(token=True):
            yield 49
        case e.CommodityPaid(provinces=provinces) if provinces > 10:
            yield 24
        case e.Eliminated():
            yield from (27, 43)
        case e.CardDiscarded(cause="P"):
            yield 11
        case Lapsed(reasons=reasons) if any(r.code in _LOST_ITS_TARGET for r in reasons):
            yield 50


_LOST_ITS_TARGET: Final = frozenset({"power_gone", "immune", "shielded", "already_at_war", "no_marker", "untouched"})


_OPTIONS: Final[Mapping[str, str]] = {
    "pace=order": "expansion::in_order_each_is_asked_in_his_turn",
    "failures=drop": "purchases::by_option_a_line_that_fails_ends_the_set",
    "failures=again": "expansion::a_set_asked_again_has_its_tokens_still",
    "unanswered=ask": "exchanges::asked_for_everything_a_turn_takes_more",
    "epochs=1-2": "draw::the_agreed_epoch_has_its_own_last_card",
    "epochs=1": "draw::the_agreed_epoch_has_its_own_last_card",
    "prerequisites=printed": "purchases_prices::the_printed_list_wants_only_what_the_text_prints",
    "civil_war_order=civil_war": "turn::by_option_civil_war_always_comes_first",
    "rebellion=others": "history_events::by_option_rebellion_strikes_ones_own_capital",
    "war_bonus=each": "war::bonuses_of_war",
    "pair_cost=10": "draw::gold_and_ivory_together",
    "tiers=phase": "purchases_prices::by_option_tiers_count_at_the_end_of_the_phase",
    "withheld=turn_3": "draw::the_withheld_cards_wait_a_turn_longer_by_option",
    "marco_polo=hereafter": "history_leaders::by_option_the_mongols_double_marco_polo_for_good",
    "cash=piled": "piled_cash::a_redacted_position_holds_only_its_readers_own_cash",
    "tied_rank=first": "tokens::by_option_the_later_chooser_simply_plays_first",
}
"""The test of each value that is not the default."""

_REACTIONS: Final[Mapping[str, str]] = {
    "conversion": "rivalry::defenders_who_could_convert_are_asked_before_the_dice",
    "manuscripts": "rivalry::a_card_is_exchanged_after_a_capture",
    "renaissance": "turn::a_swap_with_the_neighbour_changes_slots",
    "indulgences": "expansion::missing_tokens_are_a_choice",
    "weapon": "war::whoever_has_cards_may_first_play_a_weapon",
    "war": "war::the_loser_cedes_as_many_provinces_as_the_results_differ_by",
    "civil_war": "history_events::civil_war_costs_half_of_the_tokens",
    "remnant": "reduction::what_is_left_is_the_owners_choice",
    "rank": "tokens::of_equals_the_later_chooser_of_a_capital_has_the_choice",
    "surplus": "draw::a_market_goes_for_its_base_value",
    "extra": "cards_phase::an_extra_card_costs_ten_ducats",
    "discard": "cards_phase::the_discard_is_asked_with_the_extra_card_in_hand",
    "mills": "draw::mills_are_asked_of_the_holder_who_plays_latest",
    "lift": "expansion_placing::a_marker_lifted_elsewhere_takes_the_place_of_the_tokens",
}
"""Questions that bots seldom come to, with the test that puts them."""

_CARD_TESTS: Final = {
    Kind.COMMODITY: "history_goods::each_commodity_card_pays_for_its_own_good",
    Kind.LEADER: "history_leaders::each_leader_takes_its_credits_off_its_advances",
}
"""Each by its own case; events are few, and all of them are played."""

_ENDINGS: Final = "tests/playthroughs/test_endings.py"
_HOW_IT_ENDS: Final = {
    "all_advances": "with_all_twenty_six_advances",
    "last_card": "with_the_last_card_of_the_last_pile",
    "epoch_over": "with_the_last_card_of_the_agreed_epoch",
    "alone": "when_one_player_is_left",
}
_TOLD_AHEAD: Final = "tests/playthroughs/test_late_turn.py::test_riders_answer_every_interruption"

_LEFT_AHEAD: Final = "tests/playthroughs/test_reduced_province.py::test_what_is_left_can_be_said_ahead"


def _test(name: str) -> str:
    file, _, test = name.partition("::")
    return f"tests/engine/age_of_renaissance/test_{file}.py::test_{test}"


CENSUS: Final = Census(
    expected={
        "card": tuple(CARDS),
        "advance": tuple(ADVANCES),
        "form": tuple(dict.fromkeys(form.keyword.every()[0] for forms in FORMS.values() for form in forms)),
        "fact": tuple(fact.name for fact in FACTS),
        "ruling": tuple(f"R{number}" for number in RULINGS),
    },
    witness=_witness,
    elsewhere={
        **{("ruling", f"R{number}"): _test(test) for number, test in RULINGS.items()},
        **{
            ("advance", letter): _test("purchases_prices::each_advance_costs_what_the_sheet_prints")
            for letter in ADVANCES
        },
        **{("card", name): _test(_CARD_TESTS[card.kind]) for name, card in CARDS.items() if card.kind in _CARD_TESTS},
        **{("option", option): _test(test) for option, test in _OPTIONS.items()},
        **{("topic", asks): _test(test) for asks, test in _REACTIONS.items()},
        **{("rider", asks): _TOLD_AHEAD for asks in _REACTIONS},
        ("rider", "remnant"): _LEFT_AHEAD,
        ("form", "LAISSER UN PION"): _test(_REACTIONS["remnant"]),
        ("form", "LAISSER VIDE"): _test(_REACTIONS["remnant"]),
        ("event", "aor.MarkerLifted"): _test(_REACTIONS["lift"]),
        ("event", "aor.CardsExchanged"): _test(_REACTIONS["manuscripts"]),
        ("form", "QUITTER LA PARTIE"): _test("turn::leaving_closes_ones_questions_and_the_others_play_on"),
        ("form", "ÉCHANGER"): _test(_REACTIONS["manuscripts"]),
        ("event", "aor.WarOver"): _test(RULINGS[41]),
        ("event", "aor.TieRolled"): _test("setup::equal_bids_are_decided_by_dice_and_the_higher_total_chooses_first"),
        ("form", "ARMER"): _test(_REACTIONS["weapon"]),
        ("form", "UTILISER CONVERSION"): _test(_REACTIONS["conversion"]),
        ("form", "CHANGER"): _test(_REACTIONS["renaissance"]),
        ("form", "DUCATS"): _test(_REACTIONS["indulgences"]),
        ("form", "MÉCONTENTEMENT"): _test(_REACTIONS["indulgences"]),
        **{("ending", reason): f"{_ENDINGS}::test_the_game_ends_{how}" for reason, how in _HOW_IT_ENDS.items()},
    },
)
