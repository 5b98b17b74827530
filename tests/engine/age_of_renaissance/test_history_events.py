"""A2  Events aimed at a power or a province: what each does, what cancels it, what makes it a burden."""

import pytest

from engine.age_of_renaissance.board import OLD, Phase, Piece
from engine.age_of_renaissance.catalogue import CARDS, PROVINCES
from engine.age_of_renaissance.events import CardPlayed, Eliminated, MarkerReduced, Paid, PiecesRemoved, TokensMoved
from engine.age_of_renaissance.orders import Forfeit, Lift, Play
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.codec import dump, load
from engine.kernel.events import LineFailed
from engine.kernel.orders import Question, unconditional
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    RED,
    VIOLET,
    YELLOW,
    At,
    advances,
    cash,
    control,
    enter,
    events_of,
    game,
    hand,
    held,
    judged,
    misery,
    order,
    piece,
    refused,
    tokens,
)
from tests.engine.age_of_renaissance.phase_play import closed, code, history, miseries, plays

CIVIL_WAR = f"civil_war/2/history/{VIOLET}"
"""The gate at which violet is asked what it loses."""

# --- Enlightened Ruler


@pytest.mark.parametrize("card", ["mysticism", "religious_strife", "civil_war", "uprisings", "rebellion", "alchemist"])
def test_enlightened_ruler_protects_from_each_event_that_it_names(card: str) -> None:
    """A2 Monarque éclairé  Its player is spared each of six events until the end of the turn."""
    position = game()
    advances(position, YELLOW, "EFIJ")
    advances(position, VIOLET, "EFIJ")
    control(position, YELLOW, "firenze")
    cash(position, YELLOW, 20)
    hand(position, YELLOW, "enlightened_ruler")
    hand(position, VIOLET, card)
    aim = CARDS[card].aim
    target = () if aim is None else ("firenze",) if aim == "province" else ("venezia",)
    went = history(position, {YELLOW: Play("enlightened_ruler"), VIOLET: Play(card, target)})
    after = went.position.board.powers[YELLOW]
    assert (after.misery, after.cash, after.markers) == (0, 20, 23)
    if aim is not None:
        assert held(went.position, VIOLET) == (card,)
    else:
        assert went.position.board.powers[VIOLET].misery > 0


def test_enlightened_ruler_protects_from_nothing_else() -> None:
    """A2 Monarque éclairé  Not from Famine, Pirates and War, nor from what was inflicted before it was played."""
    position = game()
    hand(position, YELLOW, "mysticism", "enlightened_ruler")
    hand(position, VIOLET, "famine", "pirates", "war")
    pirates = Play("pirates", ("venezia",))
    sets = {YELLOW: (Play("mysticism"), Play("enlightened_ruler")), VIOLET: (Play("famine"), pirates)}
    went = history(position, sets)
    assert miseries(went.position)["venezia"] == 80
    assert [e.province for e in events_of(went, MarkerReduced)] == ["venezia"]
    assert code(went.position, VIOLET, "history", Play("war", ("venezia",))) == ""


def test_enlightened_ruler_keeps_ones_marker_in_anothers_capital() -> None:
    """A2 Monarque éclairé  Civil War in Genoa strikes Genoa, and leaves the marker of its protected holder."""
    position = game()
    order(position, BLUE, YELLOW, VIOLET)
    piece(position, VIOLET, "genoa")
    control(position, BLUE, "genoa")
    hand(position, BLUE, "enlightened_ruler")
    hand(position, YELLOW, "civil_war")
    went = history(position, {BLUE: Play("enlightened_ruler"), YELLOW: Play("civil_war", ("genoa",))})
    assert went.position.board.at("genoa", BLUE) == Piece(marker=OLD)
    assert miseries(went.position) == {"venezia": 0, "genoa": 10, "barcelona": 0}


# --- Alchemist


@pytest.mark.parametrize(
    ("ducats", "written", "paid"), [(17, 17, [9]), (8, 16, [8]), (3, 17, [3]), (60, 17, [9]), (12, 0, [])]
)
def test_alchemist_takes_half_of_the_written_sum(ducats: int, written: int, paid: list[int]) -> None:
    """A2 Pierre philosophale  Half of the sum on the sheet, rounded up, at most the cash: 17 ducats make 9."""
    position = game()
    cash(position, YELLOW, ducats, written)
    went = plays(position, VIOLET, "alchemist", "venezia")
    assert [(e.seat, e.ducats) for e in events_of(went, Paid)] == [(YELLOW, sum_) for sum_ in paid]
    assert went.position.board.discard == ("alchemist",)


def test_natural_philosophy_is_immune_to_alchemist() -> None:
    """A2, R50, §7.2  Alchemist is refused at a holder of C; when all in the game hold it the card is a burden."""
    position = game()
    advances(position, YELLOW, "C")
    hand(position, VIOLET, "alchemist")
    assert code(position, VIOLET, "history", Play("alchemist", ("venezia",))) == "immune"
    assert code(position, VIOLET, "history", Play("alchemist", ("barcelona",))) == ""
    advances(position, VIOLET, "C")
    position.board.powers[BLUE].eliminated = True
    problem = refused(position, VIOLET, "history", Play("alchemist", ("venezia",)))
    assert problem is not None
    assert (problem.code, problem.lasting) == ("burden_held", True)


# --- Civil War


@pytest.mark.holds("age_of_renaissance", "ruling", "R46")
@pytest.mark.holds("age_of_renaissance", "topic", "civil_war")
@pytest.mark.parametrize(
    ("ducats", "bought", "answer", "after"),
    [
        (11, 0, "money", (5, 0, 35)),
        (4, 0, "money", (0, 0, 35)),
        (11, 7, "tokens", (11, 3, 32)),
        (11, 0, "tokens", (11, 0, 35)),
    ],
)
def test_civil_war_costs_half_of_money_or_tokens(
    ducats: int, bought: int, answer: str, after: tuple[int, int, int]
) -> None:
    """A2, example turn 2, R46  Half of the 11 ducats written, rounded up, is 6, at most the cash held; or half of the
    tokens bought, which go back to the stock: half of none is none.
    """
    position = game()
    cash(position, VIOLET, ducats, 11)
    tokens(position, VIOLET, bought)
    went = plays(position, YELLOW, "civil_war", "genoa")
    went = closed(went, CIVIL_WAR, {VIOLET: Forfeit(answer)})
    power = went.position.board.powers[VIOLET]
    assert (power.cash, power.expansion, power.stock) == after
    assert events_of(went, TokensMoved if answer == "tokens" else Paid), "also what costs nothing is told"


def test_civil_war_in_the_capital() -> None:
    """A2, example turn 2  One step of misery, and any marker in the capital becomes a token; a token is left alone."""
    went = plays(game(), YELLOW, "civil_war", "genoa")
    assert miseries(went.position)["genoa"] == 10
    assert went.position.board.at("genoa", VIOLET) == Piece(old=1)
    position = game()
    piece(position, VIOLET, "genoa")
    control(position, BLUE, "genoa")
    went = plays(position, YELLOW, "civil_war", "genoa")
    assert went.position.board.at("genoa", BLUE) == Piece(old=1)
    piece(position, BLUE, "genoa", old=1)
    assert events_of(plays(position, YELLOW, "civil_war", "genoa"), MarkerReduced) == []


def test_civil_war_puts_its_victim_last_from_the_expansion_on() -> None:
    """A2  The order of play changes at the start of the expansion, not before."""
    went = plays(game(), YELLOW, "civil_war", "genoa")
    done = closed(went, CIVIL_WAR, {})
    assert done.position.board.order == (YELLOW, VIOLET, BLUE)
    assert done.position.board.civil_war == (VIOLET,)
    assert enter(done.position, Phase.EXPANSION).position.board.order == (YELLOW, BLUE, VIOLET)


def test_civil_war_without_an_answer_takes_the_lesser_half() -> None:
    """A2  The stated default: the smaller of the two numbers, money when they are equal."""
    position = game()
    cash(position, VIOLET, 40, 11)
    tokens(position, VIOLET, 4)
    went = plays(position, YELLOW, "civil_war", "genoa")
    after = closed(went, CIVIL_WAR, {}).position.board.powers[VIOLET]
    assert (after.cash, after.expansion) == (40, 2)
    for bought, lesser in ((4, "tokens"), (12, "money")):
        tokens(position, VIOLET, bought)
        with seen_by(VIOLET):
            decision = Question(CIVIL_WAR, VIOLET, "civil_war")
            assert RULES.default_orders(position, decision) == unconditional(Forfeit(lesser))
    assert code(position, VIOLET, "civil_war", Forfeit("misery")) == "no_such_choice"


def test_civil_war_may_be_played_at_oneself() -> None:
    """A2  A player of one's choice, oneself too; beyond 1000 (§9.4.4) its victim is out, and is asked nothing."""
    assert [d.seat for d in plays(game(), VIOLET, "civil_war", "genoa").position.core.questions] == [VIOLET]
    position = game()
    misery(position, VIOLET, 1000)
    went = plays(position, YELLOW, "civil_war", "genoa")
    assert [e.seat for e in events_of(went, Eliminated)] == [VIOLET]
    assert went.position.core.questions == ()


# --- Crusades


def test_crusades_take_a_province_of_region_six() -> None:
    """A2, example turn 2  A control marker stands in Saint Jean d'Acre, and its owner gains a step of misery.

    Tokens and markers of others, and tokens of one's own, go back to their stocks.
    """
    position = game()
    control(position, BLUE, "saint_jean_d_acre")
    went = plays(position, YELLOW, "crusades", "saint_jean_d_acre")
    assert [(e.seat, e.marker) for e in events_of(went, PiecesRemoved)] == [(BLUE, True)]
    assert went.position.board.pieces["saint_jean_d_acre"] == {YELLOW: Piece(marker=OLD)}
    assert miseries(went.position)["venezia"] == 10
    position = game()
    for seat in (YELLOW, VIOLET):
        piece(position, seat, "saint_jean_d_acre", old=1)
    went = plays(position, YELLOW, "crusades", "saint_jean_d_acre")
    assert {e.seat for e in events_of(went, PiecesRemoved)} == {YELLOW, VIOLET}
    assert went.position.board.pieces["saint_jean_d_acre"] == {YELLOW: Piece(marker=OLD)}


def test_crusades_go_to_region_six_and_to_no_satellite() -> None:
    """A2, §4.3  Elsewhere, and in a satellite, no crusader's marker can stand."""
    position = game()
    hand(position, YELLOW, "crusades")
    assert code(position, YELLOW, "history", Play("crusades", ("roma",))) == "wrong_region"
    satellite = next(p.id for p in PROVINCES.values() if p.region == "VI" and p.satellite)
    assert code(position, YELLOW, "history", Play("crusades", (satellite,))) == "satellite"
    assert code(position, YELLOW, "history", Play("crusades")) == "target_needed"
    assert code(position, YELLOW, "history", Play("crusades", ("paris",))) == "not_in_play"


def all_markers_out(seat: Seat) -> tuple[At, list[str]]:
    """A position in which a seat has all its 25 markers on the map, none in region VI."""
    position = game()
    free = [
        p.id
        for p in PROVINCES.values()
        if not p.satellite and p.region in ("IV", "V", "VII", "VIII") and p.id not in position.board.pieces
    ]
    control(position, seat, *free[:24])
    return position, free


@pytest.mark.holds("age_of_renaissance", "ruling", "R49")
def test_a_crusader_without_marker_may_lift_one() -> None:
    """R49  With 25 markers out, the player is asked whether to lift one elsewhere, where a token takes its place."""
    position, free = all_markers_out(YELLOW)
    went = plays(position, YELLOW, "crusades", "saint_jean_d_acre")
    gate = went.position.core.questions[0].gate
    lifted = closed(went, gate, {YELLOW: Lift((free[3],))}).position.board
    assert (lifted.at("saint_jean_d_acre", YELLOW), lifted.at(free[3], YELLOW)) == (Piece(marker=OLD), Piece(old=1))
    kept = closed(went, gate, {}).position.board
    assert (kept.at("saint_jean_d_acre", YELLOW), kept.at(free[3], YELLOW)) == (Piece(old=1), Piece(marker=OLD))


def test_mongols_make_crusades_a_burden() -> None:
    """A2, §7.2  Played before Crusades they make them unplayable for good; played later they take nothing back."""
    position = game()
    hand(position, VIOLET, "mongols", "crusades")
    crusades = Play("crusades", ("saint_jean_d_acre",))
    went = history(position, {VIOLET: (Play("mongols"), crusades)})
    assert held(went.position, VIOLET) == ("crusades",)
    assert code(went.position, VIOLET, "history", crusades) == "burden_after"
    went = history(position, {VIOLET: (crusades, Play("mongols"))})
    assert went.position.board.controller("saint_jean_d_acre") == VIOLET


# --- Rebellion and Pirates


@pytest.mark.holds("age_of_renaissance", "ruling", "R12")
@pytest.mark.holds("age_of_renaissance", "option", "rebellion=others")
@pytest.mark.parametrize(("option", "own"), [("capitals", "spared_capital"), ("others", "")])
def test_rebellion_spares_capitals_and_the_new_world(option: str, own: str) -> None:
    """A2, R12  Capitals, by option only those of others, and the Americas are exempt; the Far East is not."""
    position = game(rebellion=option)
    hand(position, VIOLET, "rebellion")
    control(position, YELLOW, "north_america", "india")
    reasons = [
        code(position, VIOLET, "history", Play("rebellion", (p,)))
        for p in ("venezia", "genoa", "north_america", "india", "roma", "london")
    ]
    assert reasons == ["spared_capital", own, "spared_overseas", "", "no_marker", "not_in_play"]
    went = plays(position, VIOLET, "rebellion", "india")
    assert went.position.board.pieces["india"] == {YELLOW: Piece(old=1)}


@pytest.mark.holds("age_of_renaissance", "ruling", "R35", "R50")
def test_an_event_that_lost_its_target_stays_in_hand() -> None:
    """R35, R50  When the marker is gone before the card is carried out, the card stays and its owner alone is told."""
    position = game()
    control(position, BLUE, "firenze")
    hand(position, YELLOW, "pirates")
    hand(position, VIOLET, "rebellion")
    piece(position, BLUE, "firenze")
    control(position, BLUE, "palermo")
    went = history(position, {YELLOW: Play("pirates", ("palermo",)), VIOLET: Play("rebellion", ("palermo",))})
    assert held(went.position, VIOLET) == ("rebellion",)
    assert [(e.seat, e.visible_to, e.reasons[0].code) for e in events_of(went, LineFailed)] == [
        (VIOLET, frozenset({VIOLET}), "no_marker")
    ]
    assert [e.card for e in events_of(went, CardPlayed)] == ["pirates"]


@pytest.mark.parametrize(("epoch", "named"), [(1, 1), (2, 2), (3, 3)])
def test_pirates_reduce_more_from_epoch_to_epoch(epoch: int, named: int) -> None:
    """A2 Pirates  One coastal marker in epoch 1, two in epoch 2, three in epoch 3: neither fewer nor more."""
    position = game()
    position.board.epoch = epoch
    control(position, YELLOW, "roma", "china")
    coasts = ("roma", "china", "venezia", "genoa")
    hand(position, VIOLET, "pirates")
    found = [code(position, VIOLET, "history", Play("pirates", coasts[:n])) for n in range(5)]
    wanted = ["target_needed" if n < named else "too_many_targets" if n > named else "" for n in range(5)]
    assert found == wanted
    went = history(position, {VIOLET: Play("pirates", coasts[:named])})
    assert [e.province for e in events_of(went, MarkerReduced)] == list(coasts[:named])


def test_pirates_need_coasts_with_markers_each_named_once() -> None:
    """A2  Inland provinces, empty ones, repetitions and too few are refused, or lapse; fewer are taken where there are
    no more (R50).
    """
    position = game(4)
    position.board.epoch = 2
    hand(position, VIOLET, "pirates")
    control(position, YELLOW, "dijon")
    pairs = (("venezia", "dijon"), ("venezia", "roma"), ("venezia", "venezia"), ("venezia", "york"))
    reasons = [code(position, VIOLET, "history", Play("pirates", pair)) for pair in pairs]
    assert reasons == ["not_coastal", "no_marker", "named_twice", "not_in_play"]
    went = history(position, {VIOLET: Play("pirates", ("venezia",))})
    assert [problem.code for problem in events_of(went, LineFailed)[0].reasons] == ["target_needed"]
    assert load(dump(went.events)) == went.events
    for seat, capital in ((YELLOW, "venezia"), (BLUE, "barcelona"), (RED, "paris")):
        piece(position, seat, capital, old=1)
    went = plays(position, VIOLET, "pirates", "genoa")
    assert [e.province for e in events_of(went, MarkerReduced)] == ["genoa"]


# --- refusals before anything is sealed


def test_a_set_is_judged_in_sequence() -> None:
    """§9.3  The second line sees what the first one did: a burden made by line 1 refuses line 2."""
    position = game()
    hand(position, YELLOW, "gunpowder", "armor")
    rulings = judged(position, YELLOW, "history", (Play("gunpowder"), Play("armor")))
    assert [r.problem.code if r.problem else "" for r in rulings] == ["", "burden_after"]


def test_somebody_elses_choice_cannot_be_foreseen() -> None:
    """A2  The preview of a Civil War says that its victim will choose."""
    position = game()
    hand(position, YELLOW, "civil_war")
    ruling = judged(position, YELLOW, "history", Play("civil_war", ("genoa",)))[0]
    assert [(n.code, dict(n.terms)) for n in ruling.notes] == [("unforeseen", {"what": "civil_war", "target": "genoa"})]


def test_events_without_target_take_none_and_powers_must_be_in_play() -> None:
    """A2  A target for Famine, a capital that nobody has, and two targets for one are refused."""
    position = game()
    hand(position, YELLOW, "famine", "civil_war")
    assert code(position, YELLOW, "history", Play("famine", ("genoa",))) == "no_target"
    assert code(position, YELLOW, "history", Play("famine", good="wool")) == "wrong_good"
    assert code(position, YELLOW, "history", Play("civil_war", ("paris",))) == "not_in_play"
    assert code(position, YELLOW, "history", Play("civil_war", ("genoa", "venezia"))) == "too_many_targets"
    assert code(position, YELLOW, "history", Play("alchemist", ("genoa",))) == "not_in_hand"
