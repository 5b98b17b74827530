"""A2 Guerre, R15, R41, R49  War: the roll, its bonuses, what is ceded, and how a tied War goes on."""

from itertools import islice

import pytest

from engine.age_of_renaissance.atlas import Hull
from engine.age_of_renaissance.board import OLD, Phase, Piece, War
from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.events import (
    CardPlayed,
    CessionLapsed,
    MiseryMoved,
    ProvinceCeded,
    TokensMoved,
    WarOver,
    WarRolled,
)
from engine.age_of_renaissance.orders import Arm, Cede, Leave, Lift, Play
from engine.age_of_renaissance.phases.war import WarGoesOn, odds
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import LineFailed
from engine.kernel.orders import Question, unconditional
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    At,
    Script,
    Went,
    advances,
    control,
    enter,
    events_of,
    game,
    hand,
    held,
    judged,
    misery,
    piece,
    play,
    queue,
    ship,
    sound,
)
from tests.engine.age_of_renaissance.phase_play import closed, code, miseries, plays

HOLY_LAND = "saint_jean_d_acre"


def dice(attacker: int, defender: int, *, turn: int = 2, phase: str = "history", n: int = 1) -> Script:
    """The throw of yellow's War against violet."""
    name = f"war/{turn}/{phase}/{YELLOW}/{VIOLET}/{n}"
    return {f"{name}/attacker": attacker, f"{name}/defender": defender}


def war(position: At, attacker: int, defender: int) -> Went:
    """Yellow declares war on violet."""
    return plays(position, YELLOW, "war", "genoa", script=dice(attacker, defender))


def test_the_winner_gains_a_step_and_the_loser_two() -> None:
    """A2 Guerre  5 against 4: one step for the attacker who won, two for the defender."""
    position = game()
    control(position, VIOLET, "roma")
    assert miseries(war(position, 5, 4).position) == {"venezia": 10, "genoa": 20, "barcelona": 0}
    assert miseries(war(position, 1, 2).position) == {"venezia": 20, "genoa": 10, "barcelona": 0}


@pytest.mark.holds("age_of_renaissance", "topic", "war")
def test_the_loser_cedes_as_many_provinces_as_the_results_differ_by() -> None:
    """A2 Guerre  The difference is ceded, at the loser's choice; they are asked when they have one."""
    position = game()
    control(position, VIOLET, "roma", "milano", "lyon")
    went = war(position, 6, 4)
    asked = went.position.core.questions[0]
    assert (asked.seat, dict(asked.limits)) == (VIOLET, {"count": 2, "winner": "venezia"})
    after = closed(went, asked.gate, {VIOLET: Cede(("lyon", "roma", "genoa"))})
    assert [(e.province, e.winner, e.placed) for e in events_of(after, ProvinceCeded)] == [
        ("lyon", YELLOW, "marker"),
        ("roma", YELLOW, "marker"),
    ]
    assert after.position.board.at("lyon", YELLOW) == Piece(marker=OLD)


def test_a_short_list_is_completed_by_the_cheapest_provinces() -> None:
    """A2 Guerre  Without an answer, or beyond it, the cheapest provinces go, in the order of the tables.

    What the winner cannot sustain is passed over; a list of nothing else is refused.
    """
    position = game()
    control(position, VIOLET, "suez", "roma", "milano", "kiev")
    went = war(position, 5, 3)
    (asked,) = went.position.core.questions
    with seen_by(VIOLET):
        assert RULES.default_orders(went.position, asked) == unconditional(Cede(("roma", "milano")))
        assert RULES.default_orders(position, Question("war/2/x", VIOLET, "war")) == ()
    assert {e.province for e in events_of(closed(went, asked.gate, {}), ProvinceCeded)} == {"roma", "milano"}
    first = events_of(closed(went, asked.gate, {VIOLET: Cede(("kiev", "suez"))}), ProvinceCeded)
    assert (first[0].province, len(first)) == ("suez", 2)
    assert code(position, VIOLET, "war", Cede(("kiev", "bari")), winner="venezia") == "none_to_cede"
    assert code(position, VIOLET, "war", Cede(("kiev",))) == ""


def test_who_must_cede_all_is_not_asked() -> None:
    """A2 Guerre  A loser with no more provinces than they owe has no choice; each one lacking costs a step.

    Mere tokens are never ceded, in satellites neither.
    """
    position = game()
    piece(position, VIOLET, "milano", old=2)
    piece(position, VIOLET, "cagliari", old=1)
    went = war(position, 6, 3)
    assert went.position.core.questions == ()
    assert [e.province for e in events_of(went, ProvinceCeded)] == ["genoa"]
    assert miseries(went.position)["genoa"] == 40
    assert went.position.board.at("milano", VIOLET) == Piece(old=2)


def test_only_provinces_that_the_winner_can_sustain_are_ceded() -> None:
    """A2 Guerre  Region V wants R, an overseas box a Galleon, the Americas U; what cannot be ceded costs a step.

    No fleet need reach what is ceded.
    """
    position = game()
    piece(position, VIOLET, "genoa")
    control(position, VIOLET, "kiev", "india", "north_america", "alexandria")
    went = war(position, 6, 1)
    assert [e.province for e in events_of(went, ProvinceCeded)] == ["alexandria"]
    assert miseries(went.position)["genoa"] == 60
    advances(position, YELLOW, "RAST")
    went = war(position, 6, 1)
    assert {e.province for e in events_of(went, ProvinceCeded)} == {"kiev", "india", "alexandria"}
    assert miseries(went.position)["genoa"] == 40


def test_a_second_overseas_box_is_too_much_for_the_first_galleon() -> None:
    """R49  A holder of Galleon 1 can be ceded one overseas box only, and none if they are in one already."""
    position = game()
    piece(position, VIOLET, "genoa")
    control(position, VIOLET, "india", "china")
    advances(position, YELLOW, "AST")
    went = war(position, 6, 3)
    asked = went.position.core.questions[0]
    assert dict(asked.limits)["count"] == 1
    after = closed(went, asked.gate, {VIOLET: Cede(("china", "india"))})
    assert [e.province for e in events_of(after, ProvinceCeded)] == ["china"]
    assert miseries(after.position)["genoa"] == 40
    ship(position, YELLOW, Hull.GALLEON, 2)
    assert {e.province for e in events_of(war(position, 6, 3), ProvinceCeded)} == {"india", "china"}


def test_a_winner_without_marker_may_lift_one() -> None:
    """R49  With all markers out, a winner who says so lifts one elsewhere; else a single token stands there."""
    position = game(6)
    power = position.board.powers[YELLOW]
    free = ["roma", "milano", "napoli", "dubrovnik", "belgrad", "firenze", "paris", "lyon", "tunis", "tripoli"]
    control(position, YELLOW, *[p for p in free if p not in position.board.pieces])
    power.markers = 0
    hand(position, YELLOW, "war")
    opened = enter(position, Phase.HISTORY)
    went = play(opened.position, "history/2", {YELLOW: Play("war", ("genoa",))}, dice(3, 2))
    gate = went.position.core.questions[0].gate
    lifted = play(went.position, gate, {YELLOW: Lift(("roma",))}).position.board
    assert (lifted.at("genoa", YELLOW).marker, lifted.at("roma", YELLOW)) == (OLD, Piece(old=1))
    kept = play(went.position, gate, {}).position.board
    assert kept.at("genoa", YELLOW) == Piece(old=1)


def test_war_is_declared_on_another_player() -> None:
    """A2 Guerre  War is not declared on oneself, on a player who is gone, or where a War between the two goes on."""
    position = game()
    hand(position, YELLOW, "war")
    assert code(position, YELLOW, "history", Play("war", ("venezia",))) == "not_oneself"
    position.board.powers[BLUE].eliminated = True
    assert code(position, YELLOW, "history", Play("war", ("barcelona",))) == "power_gone"
    position.board.wars = (War(VIOLET, YELLOW, 1, 1),)
    assert code(position, YELLOW, "history", Play("war", ("genoa",))) == "already_at_war"


# --- bonuses


@pytest.mark.holds("age_of_renaissance", "option", "war_bonus=each")
@pytest.mark.parametrize(
    ("option", "letters", "weapons", "against", "bonus"),
    [
        ("one", "", (), (), 0),
        ("one", "W", (), (), 1),
        ("one", "", ("stirrups",), (), 1),
        ("one", "W", ("stirrups",), (), 1),
        ("each", "W", ("stirrups",), (), 2),
        ("each", "W", ("stirrups", "armor"), (), 2),
        ("one", "", ("stirrups",), ("armor",), 0),
        ("one", "", ("armor",), ("stirrups",), 1),
        ("one", "", ("stirrups", "long_bow"), ("armor",), 1),
        ("one", "", ("long_bow",), ("gunpowder",), 0),
        ("one", "", ("gunpowder",), ("gunpowder",), 1),
    ],
)
def test_bonuses_of_war(
    option: str, letters: str, weapons: tuple[str, ...], against: tuple[str, ...], bonus: int
) -> None:
    """A2, R14, R15  One for Vassal or an advantage not undone by the adversary; by option one for each."""
    position = game(war_bonus=option)
    advances(position, YELLOW, letters)
    position.board.powers[YELLOW].weapons = weapons
    position.board.powers[VIOLET].weapons = against
    mine, theirs = events_of(war(position, 4, 2), WarRolled)[0].bonus
    assert mine == bonus
    assert events_of(war(position, 2 + theirs, 2 + mine), WarRolled)[0].winner is None


@pytest.mark.parametrize(("letters", "wins"), [("", 15), ("W", 21)])
def test_the_odds_of_war(letters: str, wins: int) -> None:
    """A2 Guerre  15 of 36 throws are won by an attacker without bonus, 21 with one; the preview says so."""
    position = game()
    advances(position, YELLOW, letters)
    hand(position, YELLOW, "war")
    assert odds(position, YELLOW, VIOLET) == wins
    note = judged(position, YELLOW, "history", Play("war", ("genoa",)))[0].notes[0]
    assert (note.code, dict(note.terms)) == ("odds", {"target": "genoa", "wins": wins, "of": 36})


# --- tied Wars


def test_a_tie_costs_both_a_step_and_the_war_goes_on() -> None:
    """A2 Guerre  Equal results: one step each, nothing ceded, and no second roll in the same phase."""
    went = war(game(), 4, 4)
    assert miseries(went.position) == {"venezia": 10, "genoa": 10, "barcelona": 0}
    assert went.position.board.wars == (War(YELLOW, VIOLET, 2, 1),)
    assert len(events_of(went, WarRolled)) == 1


def at_war(turn: int = 3, phase: Phase = Phase.HISTORY, pace: str = "sealed", seats: int = 3) -> At:
    """Yellow's War on violet was tied in turn 2."""
    position = game(seats, turn=turn, phase=phase, pace=pace)
    position.board.wars = (War(YELLOW, VIOLET, 2, 1),)
    return position


def test_only_a_weapon_in_hand_arms() -> None:
    """R15, §7.2  Any other card, a card not in hand, and a burden are refused."""
    position = at_war()
    hand(position, VIOLET, "wool_1a", "armor")
    assert code(position, VIOLET, "weapon", Arm("wool_1a")) == "not_a_weapon"
    assert code(position, VIOLET, "weapon", Arm("gunpowder")) == "not_in_hand"
    assert code(position, VIOLET, "weapon", Arm("armor")) == ""
    position.board.played = frozenset({"long_bow"})
    assert code(position, VIOLET, "weapon", Arm("armor")) == "burden_after"


def test_a_weapon_that_the_other_outdates_stays_in_hand() -> None:
    """R15, R50  The attacker's Gunpowder makes the defender's Armor a burden: it stays, and they alone are told."""
    position = at_war()
    hand(position, YELLOW, "gunpowder")
    hand(position, VIOLET, "armor")
    went = play(enter(position, Phase.HISTORY).position, "history/3", {})
    answers = {YELLOW: Arm("gunpowder"), VIOLET: Arm("armor")}
    rolled = closed(went, went.position.core.questions[0].gate, answers, dice(5, 3, turn=3, n=2))
    assert [e.bonus for e in events_of(rolled, WarRolled)] == [(1, 0)]
    assert held(rolled.position, VIOLET) == ("armor",)
    assert [(e.visible_to, e.reasons[0].code) for e in events_of(rolled, LineFailed)] == [
        (frozenset({VIOLET}), "burden_after")
    ]


def test_a_war_ends_with_a_belligerent() -> None:
    """§9.4.4  When one of them is out of the game the War is over, without a roll, as it would be on their turn."""
    position = at_war()
    position.board.powers[VIOLET].eliminated = True
    went = enter(position, Phase.HISTORY, {})
    assert [(e.attacker, e.defender) for e in events_of(went, WarOver)] == [(YELLOW, VIOLET)]
    assert events_of(went, WarRolled) == []
    assert queue(at_war(), WarGoesOn(VIOLET, YELLOW, YELLOW), script={}).draws == ()


def test_a_war_goes_on_although_the_only_holder_of_cards_leaves() -> None:
    """R15, §11.3  When nobody is left to answer, the turns are taken all the same, and the War is rolled."""
    position = at_war()
    hand(position, BLUE, "wool_1a")
    opened = enter(position, Phase.HISTORY)
    opened.position.core.questions = (
        *opened.position.core.questions,
        Question("leave/0", BLUE, "leave", blocking=False),
    )
    went = play(opened.position, "leave/0", {BLUE: Leave()}, dice(5, 3, turn=3, n=2))
    assert [e.winner for e in events_of(went, WarRolled)] == [YELLOW]


def test_in_order_a_tied_war_is_rolled_before_its_belligerent_is_asked() -> None:
    """R15  In the pace `order`, too, the turn of a belligerent begins with the War."""
    position = at_war(pace="order")
    hand(position, BLUE, "wool_1a")
    went = enter(position, Phase.HISTORY, {**dice(3, 3, turn=3, n=2), **dice(5, 5, turn=3, n=3)})
    assert len(events_of(went, WarRolled)) == 2
    assert [d.seat for d in went.position.core.questions] == [BLUE]


def test_a_war_of_the_last_history_goes_on_in_the_last_play() -> None:
    """§11.1, R41  A War tied before the last play is rolled at each of its players; a tie more is a step, no more."""
    position = at_war(turn=2, phase=Phase.FINAL)
    script = {key: 3 for n in (2, 3, 4) for key in dice(3, 3, phase="final", n=n)}
    went = enter(position, Phase.FINAL, script)
    assert len(events_of(went, WarRolled)) == 3
    assert [e.cause for e in events_of(went, MiseryMoved)] == ["war"] * 6


def leaves(went: Went, seat: Seat, script: Script | None = None) -> Went:
    """Somebody leaves the game while a question is open."""
    position = went.position
    position.core.questions = (*position.core.questions, Question("leave/0", seat, "leave", blocking=False))
    further = play(position, "leave/0", {seat: Leave()}, script)
    sound(further.position)
    return further


def weapon_questions(seats: int = 3) -> Went:
    """Yellow and violet are both asked for a weapon, their War of turn 2 being tied."""
    position = at_war(seats=seats)
    hand(position, YELLOW, "gunpowder")
    hand(position, VIOLET, "wool_1a")
    went = play(enter(position, Phase.HISTORY).position, "history/3", {})
    assert [(d.topic, d.seat) for d in went.position.core.questions] == [("weapon", YELLOW), ("weapon", VIOLET)]
    return went


@pytest.mark.holds("age_of_renaissance", "ruling", "R57")
def test_a_war_ends_with_a_belligerent_who_leaves_while_asked_for_a_weapon() -> None:
    """§9.4.4, §11.3, R57  Nothing is rolled, no step is taken, and the other's weapon stays in hand: they are told.

    When nobody is left to answer the War is over at once.
    """
    left = leaves(weapon_questions(), VIOLET)
    went = closed(left, left.position.core.questions[0].gate, {YELLOW: Arm("gunpowder")}, {})
    assert [(e.attacker, e.defender) for e in events_of(went, WarOver)] == [(YELLOW, VIOLET)]
    assert (events_of(went, WarRolled), events_of(went, MiseryMoved), events_of(went, CardPlayed)) == ([], [], [])
    assert held(went.position, YELLOW) == ("gunpowder",)
    assert [(e.visible_to, e.reasons[0].code, e.reasons[0].terms) for e in events_of(went, LineFailed)] == [
        (frozenset({YELLOW}), "power_gone", {"target": "genoa"})
    ]
    assert (went.position.board.wars, dict(went.position.board.answers)) == ((), {})
    alone = leaves(leaves(weapon_questions(seats=4), VIOLET), YELLOW, {})
    assert len(events_of(alone, WarOver)) == 1
    assert (events_of(alone, WarRolled), events_of(alone, LineFailed)) == ([], [])


@pytest.mark.holds("age_of_renaissance", "ruling", "R58")
def test_a_winner_who_leaves_while_the_loser_is_asked_is_ceded_nothing() -> None:
    """A2 Guerre, §9.4.4, §11.3, R58  The loser keeps all, and is told that what they chose came to nothing."""
    position = game()
    control(position, VIOLET, "roma", "milano", "lyon")
    left = leaves(war(position, 6, 4), YELLOW)
    (asked,) = left.position.core.questions
    went = closed(left, asked.gate, {VIOLET: Cede(("lyon", "roma"))})
    assert [e.province for e in events_of(went, ProvinceCeded)] == []
    assert [e.reasons[0].code for e in events_of(went, LineFailed)] == ["power_gone"]
    assert dict(went.position.board.answers) == {}
    assert events_of(leaves(war(position, 6, 4), VIOLET), ProvinceCeded) == []


def without_markers() -> At:
    """Yellow has no marker left: all are on the map."""
    position = game(6)
    free = (p for p, place in PROVINCES.items() if place.capacity > 2 and p not in position.board.pieces)
    control(position, YELLOW, *islice((p for p in free if p != HOLY_LAND), position.board.powers[YELLOW].markers))
    assert position.board.powers[YELLOW].markers == 0
    return position


def test_a_winner_who_leaves_while_asked_for_a_marker_has_nothing_there() -> None:
    """§9.4.4, §11.3, R49, R58  No token comes into a province won by who is out: its owner keeps it."""
    position = without_markers()
    hand(position, YELLOW, "war")
    opened = enter(position, Phase.HISTORY)
    went = play(opened.position, "history/2", {YELLOW: Play("war", ("genoa",))}, dice(3, 2))
    assert [(d.topic, d.seat) for d in went.position.core.questions] == [("lift", YELLOW)]
    board = leaves(went, YELLOW).position.board
    assert board.at("genoa", YELLOW) == Piece()
    assert board.at("genoa", VIOLET).controls


def test_a_crusader_who_leaves_while_asked_for_a_marker_has_nothing_there() -> None:
    """A2 Croisades, §9.4.4, §11.3, R49, R58  No token arrives of who is out."""
    position = without_markers()
    went = plays(position, YELLOW, "crusades", HOLY_LAND)
    assert [(d.topic, d.seat) for d in went.position.core.questions] == [("lift", YELLOW)]
    assert leaves(went, YELLOW).position.board.at(HOLY_LAND, YELLOW) == Piece()


@pytest.mark.holds("age_of_renaissance", "ruling", "R53")
@pytest.mark.parametrize(("value", "attacker", "defender", "home"), [(900, 6, 5, True), (700, 6, 1, False)])
def test_who_is_eliminated_by_a_war_cedes_nothing(value: int, attacker: int, defender: int, home: bool) -> None:
    """A2 Guerre, §9.4.4, R53  By the two steps or by those for provinces not ceded: the pieces stay on the map."""
    position = game()
    misery(position, VIOLET, value)
    if not home:
        piece(position, VIOLET, "genoa")
    control(position, VIOLET, "roma")
    went = war(position, attacker, defender)
    assert went.position.board.powers[VIOLET].eliminated
    assert events_of(went, ProvinceCeded) == []
    assert {(e.loser, e.gone) for e in events_of(went, CessionLapsed)} == {(VIOLET, VIOLET)}, "it is said"


def test_without_stock_a_province_won_takes_a_token_bought() -> None:
    """R13, R49  Without marker or stock, a token bought for the expansion stands there, or nothing."""
    position = game()
    power = position.board.powers[YELLOW]
    power.markers, power.stock, power.expansion = 0, 0, 36
    hand(position, YELLOW, "war")
    opened = play(enter(position, Phase.HISTORY).position, "history/2", {YELLOW: Play("war", ("genoa",))}, dice(3, 2))
    went = play(opened.position, opened.position.core.questions[0].gate, {})
    assert [(e.tokens, e.cause) for e in events_of(went, TokensMoved)] == [(-1, "arrival")]
    assert went.position.board.at("genoa", YELLOW) == Piece(old=1)
    opened.position.board.powers[YELLOW].expansion = 0
    empty = play(opened.position, opened.position.core.questions[0].gate, {})
    assert [e.placed for e in events_of(empty, ProvinceCeded)] == [""]
    assert "genoa" not in empty.position.board.pieces
