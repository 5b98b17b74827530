"""Séquences 3 and 6, and diplomacy: purchases, points, the treasury, the end, gifts and swaps."""

import pytest

from engine.kernel.events import Ended, LineFailed
from engine.kernel.orders import Clause, Condition, Line, Order, Orders, Pace, Problem, Question
from engine.kernel.secrets import redact
from engine.kernel.viewers import Seat
from engine.renaissance import events as e
from engine.renaissance import orders as o
from engine.renaissance.board import Offer, Phase
from engine.renaissance.phases import diplomacy
from engine.renaissance.phases.turn import BeginTurn, Sequence
from engine.renaissance.ruleset import RULES
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD, GREEN, RED, VIOLET


def shopping(position: build.At, *lines: Order) -> build.Went:
    """Florence's announcement."""
    gate = build.ask(position, "purchases", GOLD)
    return build.play(position, gate, {GOLD: lines})


def test_prices() -> None:
    """Séquence 3  A card 2, a palace 3, a rampart 4, a castle 4, a fortress of a garrison 8."""
    position = build.game()
    build.ducats(position, GOLD, 30)
    build.city(position, "siena", GOLD, 2)
    lines = (
        o.BuyCards(2),
        o.Build("palace", "firenze"),
        o.Build("rampart", "firenze"),
        o.Build("castle", "siena"),
        o.Build("fortress", "pistoia"),
    )
    board = shopping(position, *lines).position.board
    assert board.powers[GOLD].ducats == 30 - 4 - 3 - 4 - 4 - 8
    assert [board.level(town) for town in ("firenze", "siena", "pistoia")] == [2, 3, 3]
    assert board.cities["firenze"].palace
    assert board.powers[GOLD].cards == 2


def test_cards_are_bought_at_once_and_seen_when_everything_is_announced() -> None:
    """Séquence 3  A second purchase is refused; a condition on the hand reads the hand before the purchase."""
    position = build.game()
    rulings = build.judged(position, GOLD, "purchases", (o.BuyCards(1), o.BuyCards(1)))
    assert [ruling.problem.code if ruling.problem else "" for ruling in rulings] == ["", "cards_bought_already"]
    went = shopping(position, o.BuyCards(1), o.Build("palace", "firenze"))
    kinds = [type(event) for event in went.events]
    assert kinds.index(e.Built) < kinds.index(e.CardsDrawn)


@pytest.mark.holds("renaissance", "option", "failures=drop")
@pytest.mark.parametrize(("failures", "built"), [("next", True), ("drop", False)])
def test_by_option_a_purchase_that_fails_ends_the_announcement(failures: str, built: bool) -> None:
    """Option `failures: drop`  What stands behind a line that cannot be done is not done either."""
    position = build.game(failures=failures)
    build.ducats(position, GOLD, 4)
    went = shopping(position, o.Build("palace", "roma"), o.Build("palace", "firenze"))
    assert went.position.board.cities["firenze"].palace is built


@pytest.mark.holds("renaissance", "ruling", "A20")
def test_at_most_twelve_cards_after_a_purchase() -> None:
    """A20  The limit is tested at a purchase only."""
    position = build.game()
    build.ducats(position, GOLD, 40)
    build.hand(position, GOLD, *["piquiers"] * 10)
    assert build.code(position, GOLD, "purchases", o.BuyCards(2)) == ""
    assert build.code(position, GOLD, "purchases", o.BuyCards(3)) == "hand_full"


@pytest.mark.parametrize(
    ("what", "level", "refused"),
    [("rampart", 2, True), ("castle", 1, True), ("fortress", 2, True), ("rampart", 1, False), ("castle", 2, False)],
)
def test_walls_are_built_level_by_level(what: str, level: int, refused: bool) -> None:
    """Les fortifications  A rampart on a garrison, a castle on a rampart, a fortress on a garrison."""
    position = build.game()
    build.ducats(position, GOLD, 20)
    build.city(position, "firenze", GOLD, level)
    assert build.code(position, GOLD, "purchases", o.Build(what, "firenze")) == ("wrong_walls" if refused else "")


def test_one_palace_to_a_city_and_no_more_pieces_than_in_the_box() -> None:
    """Le palais, A24  Twenty ramparts, ten castles, ten palaces; what is lost goes back there."""
    position = build.game()
    build.ducats(position, GOLD, 20)
    towns = [town for town in position.board.cities if town not in ("firenze", "pistoia")]
    for town in towns[:10]:
        build.city(position, town, BLUE, 3, palace=True)
    assert build.code(position, GOLD, "purchases", o.Build("palace", "firenze")) == "none_left"
    assert build.code(position, GOLD, "purchases", o.Build("fortress", "firenze")) == "none_left"
    assert build.code(position, GOLD, "purchases", o.Build("rampart", "firenze")) == ""
    build.city(position, towns[0], BLUE, 2)
    build.city(position, "firenze", GOLD, palace=True)
    assert build.code(position, GOLD, "purchases", o.Build("palace", "firenze")) == "palace_stands"
    assert build.code(position, GOLD, "purchases", o.Build("palace", "pistoia")) == "none_left"
    assert build.code(position, GOLD, "purchases", o.Build("palace", "milano")) == "not_yours"


def test_a_fortress_takes_a_rampart_out_of_the_box_too() -> None:
    """Les fortifications  A rampart and a castle: with twenty ramparts on the map none is built."""
    position = build.game()
    build.ducats(position, GOLD, 20)
    for town in [town for town in position.board.cities if town not in ("firenze", "pistoia")][:20]:
        build.city(position, town, BLUE, 2)
    assert build.code(position, GOLD, "purchases", o.Build("fortress", "firenze")) == "none_left"
    assert build.code(position, GOLD, "purchases", o.Build("rampart", "firenze")) == "none_left"


@pytest.mark.holds("renaissance", "ruling", "A32")
def test_purchases_follow_the_order_of_last_turn() -> None:
    """A32  In order: the first of the old order is asked first, the draw comes after."""
    position = build.game(pace="order")
    went = build.queue(position, Sequence("purchases"), Sequence("order"))
    assert [d.seat for d in went.position.core.questions] == [GOLD]


# --- points and treasury


def test_a_point_for_each_whole_province_and_each_palace_with_an_artist() -> None:
    """Séquence 6  Every city of the province; a palace without artist is worth none."""
    position = build.game(turn=3)
    build.city(position, "siena", GOLD, palace=True)
    build.city(position, "firenze", GOLD, artist="bramante")
    went = build.queue(position, Sequence("scoring"))
    (mine,) = [event for event in build.events_of(went.events, e.PointsScored) if event.seat == GOLD]
    assert set(mine.provinces) == {"firenze", "siena"}
    assert mine.artists == ("firenze",)
    assert went.position.board.powers[GOLD].score == 3


def test_income_by_walls_and_none_from_a_pillaged_city_whose_marker_goes() -> None:
    """Le trésor  1, 2, 3; a pillaged city pays nothing this turn."""
    position = build.game(turn=3)
    build.city(position, "siena", GOLD, 2)
    build.city(position, "pisa", GOLD, 3)
    build.city(position, "firenze", GOLD, pillaged=True)
    went = build.queue(position, Sequence("scoring"))
    (mine,) = [event for event in build.events_of(went.events, e.IncomeTaken) if event.seat == GOLD]
    assert (mine.ducats, mine.pillaged) == (1 + 2 + 3, ("firenze",))
    assert not went.position.board.cities["firenze"].pillaged


@pytest.mark.holds("renaissance", "privilege", "venise")
@pytest.mark.holds("renaissance", "option", "power_venise=on")
def test_venices_privilege_is_two_ducats() -> None:
    """Pouvoirs par état  Venice's privilege brings two ducats."""
    went = build.queue(build.game(turn=3, power_venise="on"), Sequence("scoring"))
    assert {event.seat: event.bonus for event in build.events_of(went.events, e.IncomeTaken)}[BLUE] == 2


@pytest.mark.parametrize(("power", "more"), [("on", 2), ("off", 0)])
def test_the_income_that_is_shown_is_what_the_treasury_will_pay(power: str, more: int) -> None:
    """Le trésor, Venise: walls, less what is pillaged, and the privilege; nothing for who is out of the game."""
    position = build.game(turn=3, power_venise=power)
    build.city(position, "venezia", BLUE, 3)
    build.city(position, "genova", RED, 2, pillaged=True)

    def shown() -> dict[Seat, int]:
        powers = RULES.present_view(redact(position, RED), RED)["powers"]
        return {seat: powers[seat]["income"] for seat in (BLUE, RED)}

    paid = build.events_of(build.queue(position, Sequence("scoring")).events, e.IncomeTaken)
    assert shown() == {BLUE: 3 + 1 + more, RED: 1}
    assert shown() == {event.seat: event.ducats + event.bonus for event in paid if event.seat in (BLUE, RED)}
    for town in ("venezia", "ragusa"):
        build.city(position, town, RED)
    position.board.powers[BLUE].eliminated = True
    assert shown()[BLUE] == 0


def test_all_cards_come_back_into_the_deck_at_the_end_of_a_turn_and_nobody_knows_where() -> None:
    """Phase 2  Hands, cards seen by all and discards."""
    position = build.game(turn=3)
    build.hand(position, GOLD, "canon", shown=("suisses",))
    went = build.queue(position, Sequence("scoring"))
    board = went.position.board
    assert len(board.deck) == 80
    assert all(not card.known_to for card in board.deck)
    assert board.powers[GOLD].cards == 0


@pytest.mark.parametrize(
    ("fortresses", "ramparts", "ducats", "first"),
    [(0, 0, 0, (GOLD, RED)), (1, 0, 0, (RED,)), (0, 1, 0, (RED,)), (0, 0, 1, (RED,))],
)
def test_ties_are_broken_by_fortresses_then_ramparts_then_ducats(
    fortresses: int, ramparts: int, ducats: int, first: tuple[str, ...]
) -> None:
    """But du jeu  Players equal in all of it share the place."""
    position = build.game(2 + 4, turn=6)
    board = position.board
    for power in board.powers.values():
        power.points, power.ducats = ((9,), 0) if power.seat in (GOLD, RED) else ((0,), 0)
    for town in ("genova", "ajaccio", "firenze", "pistoia"):
        build.city(position, town, None)
    for town, seat in (("siena", GOLD), ("svizzera", RED)):
        build.city(position, town, seat, 3 if seat == RED and fortresses else 2 if seat == RED and ramparts else 1)
    board.powers[RED].ducats = ducats
    if fortresses or ramparts:
        board.powers[GOLD].ducats = 50
    went = build.queue(position, Sequence("scoring"))
    (ended,) = build.events_of(went.events, Ended)
    assert ended.ranking[0] == first
    assert ended.reason == "last_turn"


def test_a_fortress_weighs_more_than_ramparts_among_equals() -> None:
    """But du jeu  The player with most fortresses comes first, whatever ramparts another has."""
    position = build.game(turn=6)
    for power in position.board.powers.values():
        power.points = (9,) if power.seat in (GOLD, RED) else (0,)
    for town in ("genova", "ajaccio", "firenze", "pistoia"):
        build.city(position, town, None)
    build.city(position, "siena", GOLD, 2)
    build.city(position, "bologna", GOLD, 2)
    build.city(position, "svizzera", RED, 3)
    position.board.powers[RED].points = (9,)
    build.ducats(position, GOLD, 50)
    (ended,) = build.events_of(build.queue(position, Sequence("scoring")).events, Ended)
    assert ended.ranking[0] == (RED,)


def test_markers_of_free_cities_are_lifted_too() -> None:
    """Le trésor  A city looted while it was free pays again next turn."""
    position = build.game(turn=3)
    build.city(position, "siena", None, pillaged=True)
    went = build.queue(position, Sequence("scoring"))
    assert not went.position.board.cities["siena"].pillaged


def test_after_the_sixth_turn_nobody_returns() -> None:
    """A23  When the game is over, those who are out stay out."""
    position = build.game(turn=6)
    for town in ("firenze", "pistoia"):
        build.city(position, town, BLUE)
    position.board.powers[GOLD].eliminated = True
    went = build.queue(position, Sequence("scoring"))
    assert went.position.core.over
    assert went.position.board.powers[GOLD].points == (0,)


# --- diplomacy


def deal(position: build.At, seat: Seat, order: Order) -> build.Went:
    """One act of diplomacy, while the vote is asked."""
    gate = next(d.gate for d in position.core.questions if d.seat == seat and d.topic == "deals")
    return build.play(position, gate, {seat: order})


def talking() -> build.At:
    """The second turn's vote is asked, and everybody may deal."""
    return build.queue(build.game(turn=1), BeginTurn()).position


@pytest.mark.holds("renaissance", "event", "ren.Gave")
@pytest.mark.holds("renaissance", "form", "DONNER")
def test_ducats_are_given_at_any_time_and_the_question_is_put_again() -> None:
    """Diplomatie  The gift acts at once, though the vote is still asked."""
    went = deal(talking(), GOLD, o.Give("rome", 4))
    powers = went.position.board.powers
    assert (powers[GOLD].ducats, powers[VIOLET].ducats) == (2, 10)
    again = deal(went.position, GOLD, o.Give("rome", 2))
    assert again.position.board.powers[GOLD].ducats == 0
    assert build.code(again.position, GOLD, "deals", o.Give("rome", 1)) == "not_enough"
    (result,) = build.judged(again.position, GOLD, "deals", o.Give("rome", 1))
    assert result.problem == Problem("not_enough", {"ducats": 0, "due": 0}), "no Condottieri are laid"
    assert build.code(again.position, GOLD, "deals", o.Give("florence", 1)) == "yourself"
    assert build.code(again.position, GOLD, "deals", o.Give("france", 1)) == "no_such_nation"


@pytest.mark.holds("renaissance", "ruling", "A17")
@pytest.mark.holds("renaissance", "event", "ren.Swapped", "ren.SwapOffered")
@pytest.mark.holds("renaissance", "form", "PROPOSER", "ACCEPTER")
def test_cities_of_equal_walls_are_swapped_by_offer_and_consent_once_a_turn() -> None:
    """Diplomatie, A17  Palaces do not matter; what stands in a city stays there."""
    position = talking()
    build.city(position, "siena", GOLD, palace=True)
    build.city(position, "svizzera", GREEN)
    offered = deal(position, GOLD, o.Propose("siena", "svizzera"))
    assert build.events_of(offered.events, e.SwapOffered)[0].to == GREEN
    agreed = deal(offered.position, GREEN, o.Accept("svizzera", "siena"))
    cities = agreed.position.board.cities
    assert (cities["siena"].owner, cities["svizzera"].owner) == (GREEN, GOLD)
    assert cities["siena"].palace
    assert build.code(agreed.position, GREEN, "deals", o.Propose("siena", "firenze")) == "swapped_already"
    assert agreed.position.board.offers == ()


@pytest.mark.holds("renaissance", "event", "ren.SwapRecalled")
@pytest.mark.holds("renaissance", "form", "REPRENDRE")
def test_a_swap_wants_an_offer_equal_walls_and_peaceful_cities() -> None:
    """Diplomatie  Refused: nothing offered, other walls, a city fought over; an offer can be taken back."""
    position = talking()
    build.city(position, "svizzera", GREEN, 2)
    assert build.code(position, GOLD, "deals", o.Propose("firenze", "svizzera")) == "unequal_walls"
    assert build.code(position, GOLD, "deals", o.Accept("firenze", "milano")) == "no_such_offer"
    assert build.code(position, GOLD, "deals", o.Recall("firenze", "milano")) == "no_such_offer"
    assert build.code(position, GOLD, "deals", o.Propose("milano", "firenze")) == "not_yours"
    assert build.code(position, GOLD, "deals", o.Propose("firenze", "siena")) == "not_theirs"
    offered = deal(position, GOLD, o.Propose("firenze", "milano")).position
    assert build.code(offered, GOLD, "deals", o.Propose("firenze", "milano")) == "offered_already"
    recalled = deal(offered, GOLD, o.Recall("firenze", "milano"))
    assert recalled.position.board.offers == ()


def test_a_city_under_attack_is_not_swapped() -> None:
    """Diplomatie  Neither a city under attack nor the attack's origin is swapped."""
    position = build.game()
    build.hand(position, GREEN, "canon", "chevaliers")
    build.hand(position, BLUE, "piquiers")
    gate = build.ask(position, "combat", GREEN)
    went = build.play(position, gate, {GREEN: o.Attack("genova", ("canon", "chevaliers"), "pavia")})
    for seat, gives, wants in ((RED, "genova", "firenze"), (GREEN, "pavia", "firenze")):
        assert build.code(went.position, seat, "deals", o.Propose(gives, wants)) == "fought_over"


def test_what_cannot_be_done_any_more_lapses_and_its_author_alone_is_told() -> None:
    """Diplomatie  If another player was quicker the act lapses."""
    position = talking()
    gate = next(d.gate for d in position.core.questions if d.seat == GOLD and d.topic == "deals")
    position.board.powers[GOLD].ducats = 0
    went = build.play(position, gate, {GOLD: o.Give("rome", 4)})
    (lapsed,) = build.events_of(went.events, LineFailed)
    assert lapsed.visible_to == frozenset({GOLD})
    nothing: Orders = ()
    assert build.events_of(build.play(position, gate, {GOLD: nothing}).events, e.Gave) == []
    assert diplomacy.spendable(position.board, GOLD) == 0


def at_council(turn: int) -> build.At:
    """The last campaign of a turn is over; Gold has offered Firenze for Roma."""
    position = build.game(turn=turn)
    position.board.offers = (Offer(GOLD, "firenze", "roma"),)
    return build.queue(position, Sequence("council"), Sequence("scoring")).position


@pytest.mark.holds("renaissance", "ruling", "A38")
def test_before_the_last_count_there_is_a_stop_for_gifts_and_swaps() -> None:
    """A38  "À n'importe quel moment du jeu": after the last campaign too, and what is agreed there counts."""
    position = at_council(6)
    asked = [d for d in position.core.questions if d.blocking]
    assert [(d.topic, d.seat, d.pace) for d in asked] == [("council", s, Pace.TURN) for s in position.board.order]
    went = build.play(position, "council/6", {VIOLET: o.Accept("roma", "firenze"), GREEN: o.Give("genes", 2)})
    assert went.position.core.over
    assert [(s.seat, s.to) for s in build.events_of(went.events, e.Swapped)] == [(GOLD, VIOLET)]
    assert [(g.seat, g.ducats) for g in build.events_of(went.events, e.Gave)] == [(GREEN, 2)]
    assert "roma" in went.position.board.held(GOLD)
    kinds = [type(event) for event in went.events]
    assert kinds.index(e.Swapped) < kinds.index(e.PointsScored)


def test_before_an_earlier_count_the_stop_is_a_reaction() -> None:
    """A38  In every turn, between campaigns and count; tables that do not wait for reactions go on at once."""
    assert {(d.topic, d.pace) for d in at_council(3).core.questions if d.blocking} == {("council", Pace.REACTION)}
    names = [step.name for step in talking().core.agenda if isinstance(step, Sequence)]
    assert names[names.index("council") - 1 :][:3] == ["combat", "council", "scoring"]


@pytest.mark.holds("renaissance", "reaction", "council")
def test_a_consent_can_be_filed_ahead_with_a_condition() -> None:
    """A38  From the first letter of a turn on, before there is an offer; the stop judges it."""
    position = build.game(phase=Phase.PURCHASES)
    if_roma = Condition("hold", {"city": "roma"})
    ahead = (Line((Clause(o.Accept("roma", "firenze"), (if_roma,)),)),)
    assert all(found.is_valid for found in build.judged(position, VIOLET, "council", ahead))
    assert build.code(position, VIOLET, "council", o.Accept("atlantis", "firenze")) == "no_such_city"
    assert "council/2" in {d.gate for d in RULES.advance_questions(position, VIOLET)}
    position = at_council(6)
    assert build.code(position, VIOLET, "council", o.Accept("viterbo", "firenze")) == "no_such_offer"
    assert len(build.events_of(build.play(position, "council/6", {VIOLET: ahead}).events, e.Swapped)) == 1


@pytest.mark.holds("renaissance", "ruling", "A41")
def test_with_the_city_of_a_return_go_the_offers_of_its_swap() -> None:
    """A41  What Milan offered Venice for Firenze is no offer to Florence, who comes back there; others stand."""
    position = build.game()
    for town in ("firenze", "pistoia", "bologna"):
        build.city(position, town, BLUE)
    position.board.powers[GOLD].eliminated = True
    kept = Offer(BLUE, "bologna", "roma")
    position.board.offers = (Offer(GREEN, "milano", "firenze"), Offer(BLUE, "firenze", "roma"), kept)
    position.core.questions = (*position.core.questions, Question("return/2", GOLD, "return"))
    position = build.play(position, "return/2", {GOLD: o.Return("firenze")}).position
    assert position.board.offers == (kept,)
    assert build.code(position, GOLD, "deals", o.Accept("firenze", "milano")) == "no_such_offer"
