"""A33 to A38: where version 2 reads the rulebook otherwise; a game of before keeps the older readings."""

from collections.abc import Sequence

import pytest

from engine.kernel.dice import Hmac, Scripted
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Condition, Line, Pace
from engine.kernel.run import Advance, start
from engine.renaissance import events as e
from engine.renaissance import orders as o
from engine.renaissance.board import Board, Offer, Phase
from engine.renaissance.phases.turn import BeginTurn
from engine.renaissance.phases.turn import Sequence as Begin
from engine.renaissance.readings import SINCE
from engine.renaissance.ruleset import RULES
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD, GREEN, NAVY, RED, VIOLET, Fight
from tests.games import SEATS


def opened(players: int, script: dict[str, int | Sequence[object]] | None = None, **options: str) -> Advance[Board]:
    """A game just begun."""
    return start(RULES, SEATS[:players], options, b"seed", draws=Scripted(script or {}, Hmac(b"seed", b"luck")))


def test_every_reading_is_in_force_in_a_new_game_and_in_none_of_before() -> None:
    """A game that names no readings was set up before there were any to choose."""
    assert RULES.meta.chosen({})["readings"] == RULES.meta.version
    assert {str(version) for version in SINCE.values()} <= set(RULES.meta.plays)


# --- A33


@pytest.mark.holds("renaissance", "ruling", "A33")
@pytest.mark.parametrize(("readings", "code"), [("2", "second_port"), ("1", "")])
def test_a_port_just_taken_is_not_the_second_port_of_an_expansion_by_sea(readings: str, code: str) -> None:
    """Phase 1 - Expansion  "Si elles possèdent 2 ports": two of one's own before the phase."""
    position = build.game(readings=readings)
    build.city(position, "ajaccio", None)
    build.city(position, "bari", RED)
    position.board.powers[RED].settled = (("genova", "bari"),)
    assert build.code(position, RED, "expansion", o.Settle("palermo", "bari")) == code
    build.city(position, "savona", RED)
    assert build.code(position, RED, "expansion", o.Settle("palermo", "bari")) == ""


def test_a_port_taken_by_road_is_the_base_of_the_one_expansion_by_sea() -> None:
    """Phase 1 - Expansion  What was taken first may be the base of the second, also of a nation with one sea."""
    position = build.game()
    build.city(position, "piombino", VIOLET)
    position.board.powers[VIOLET].settled = (("viterbo", "piombino"),)
    assert build.code(position, VIOLET, "expansion", o.Settle("bari", "piombino")) == ""


# --- A34


@pytest.mark.holds("renaissance", "ruling", "A34")
def test_who_wishes_for_no_nation_takes_none_that_another_wishes_for() -> None:
    """Préparation  Wishes first, in the drawn order; what is left is drawn by lot."""
    ann, bob, cleo = SEATS[:3]
    answers: dict[Seat, build.Answer] = {ann: (), bob: (), cleo: o.Claim(("florence",))}
    script: build.Script = {"nations/0": [ann, bob, cleo], "nations/0/left": ["venise", "rome"]}
    went = build.play(opened(3, nations="chosen").position, "nations/0", answers, script)
    taken = {event.seat: (event.nation, event.drawn) for event in build.told(went.events, e.NationTaken)}
    assert taken == {ann: ("venise", True), bob: ("rome", True), cleo: ("florence", False)}
    older = opened(3, nations="chosen", readings="1").position
    went = build.play(older, "nations/0", answers, {"nations/0": [ann, bob, cleo]})
    assert build.told(went.events, e.NationTaken)[0].nation == "florence"


def test_who_finds_all_wishes_taken_waits_until_the_others_are_served() -> None:
    """Préparation  A seat whose wish is gone draws with those that had none."""
    ann, bob, cleo = SEATS[:3]
    answers: dict[Seat, build.Answer] = {ann: o.Claim(("rome",)), bob: o.Claim(("rome",)), cleo: o.Claim(("florence",))}
    went = build.play(opened(3, nations="chosen").position, "nations/0", answers, {"nations/0": [ann, bob, cleo]})
    taken = {event.seat: (event.nation, event.drawn) for event in build.told(went.events, e.NationTaken)}
    assert taken == {ann: ("rome", False), bob: ("venise", True), cleo: ("florence", False)}


# --- A35


@pytest.mark.holds("renaissance", "ruling", "A35")
def test_in_order_start_cities_rampart_and_palace_are_asked_one_after_the_other() -> None:
    """Préparation, 1515  "En suivant l'ordre du tour de jeu": who comes later sees what was founded before."""
    position = opened(4, scenario="1515", pace="order").position
    for seat in position.board.order:
        assert [d.seat for d in position.core.open if d.blocking] == [seat]
        position = build.play(position, f"setup/0/{seat}", {}).position
        assert position.board.held(seat)
    assert position.board.turn == 1
    older = opened(4, scenario="1515", pace="order", readings="1").position
    assert [d.seat for d in older.core.open if d.blocking] == list(older.board.order)


# --- A36


def sold(readings: str, cards: int, *to: str) -> list[Seat]:
    """To whom Blue offers, with so many Condottieri in hand, when Green attacks Genova."""
    position = build.game(readings=readings)
    build.hand(position, GREEN, "canon", "suisses")
    build.hand(position, RED, "piquiers")
    build.hand(position, BLUE, *["condottiere"] * cards)
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "suisses")), {(BLUE, "sales"): o.Sell(to)})
    return [event.to for event in fight.told(e.CondottiereOffered)]


@pytest.mark.holds("renaissance", "ruling", "A36")
def test_one_seller_may_sell_to_one_side_twice() -> None:
    """Vente de Condottiere  Only the number of cards that a side may lay is limited."""
    assert sold("2", 2, "attacker", "attacker") == [GREEN, GREEN]
    assert sold("2", 3, "attacker", "milan", "defender") == [GREEN, GREEN, RED]
    assert sold("1", 2, "attacker", "attacker") == [GREEN]


def test_with_one_card_it_is_sold_to_the_side_named_first() -> None:
    """Vente de Condottiere  A standing `SELL ATTACKER, DEFENDER` does what can be done."""
    assert sold("2", 1, "attacker", "defender") == [GREEN]
    assert sold("2", 1, "defender", "attacker") == [RED]
    assert sold("1", 1, "attacker", "defender") == []


# --- A37


@pytest.mark.holds("renaissance", "ruling", "A37")
@pytest.mark.parametrize(
    ("scenario", "years"), [("1494", (1494, 1502)), ("1499", (1499, 1507)), ("1515", (1515, 1523))]
)
def test_a_scenario_has_its_own_years(scenario: str, years: tuple[int, int]) -> None:
    """Scénarios optionnels  The first turn is that of the title; a turn is eight years, as in 1454."""
    position = build.game(scenario=scenario, turn=0)
    told = [
        event.year
        for turn in (0, 1)
        for event in build.told(build.queue(_at(position, turn), BeginTurn()).events, e.TurnBegan)
    ]
    assert tuple(told) == years
    assert RULES.present(_at(position, 2), NAVY)["year"] == years[1]
    older = build.queue(build.game(scenario=scenario, turn=0, readings="1"), BeginTurn())
    assert build.told(older.events, e.TurnBegan)[0].year == 1454


def _at(position: build.At, turn: int) -> build.At:
    position.board.turn = turn
    return position


# --- A38


def at_council(turn: int) -> Advance[Board]:
    """The last campaign of a turn is over; Gold has offered Firenze for Roma."""
    position = build.game(turn=turn)
    position.board.offers = (Offer(GOLD, "firenze", "roma"),)
    return build.queue(position, Begin("council"), Begin("scoring"))


@pytest.mark.holds("renaissance", "ruling", "A38")
def test_before_the_last_count_there_is_a_stop_for_gifts_and_swaps() -> None:
    """Diplomatie  "À n'importe quel moment du jeu": after the last campaign too, and what is agreed there counts."""
    position = at_council(6).position
    asked = [d for d in position.core.open if d.blocking]
    assert [(d.asks, d.seat) for d in asked] == [("council", seat) for seat in position.board.order]
    assert {d.pace for d in asked} == {Pace.TURN}
    answers: dict[Seat, build.Answer] = {
        VIOLET: o.Accept("roma", "firenze"),
        GREEN: o.Give("genes", 2),
    }
    went = build.play(position, "council/6", answers)
    assert went.position.core.over
    assert [(s.seat, s.to) for s in build.told(went.events, e.Swapped)] == [(GOLD, VIOLET)]
    assert [(g.seat, g.ducats) for g in build.told(went.events, e.Gave)] == [(GREEN, 2)]
    assert "roma" in went.position.board.held(GOLD)
    kinds = [type(event) for event in went.events]
    assert kinds.index(e.Swapped) < kinds.index(e.PointsScored)


def test_before_an_earlier_count_the_stop_is_a_reaction() -> None:
    """Diplomatie, A38  Tables that do not wait for reactions go on at once; answers given ahead count."""
    position = at_council(3).position
    assert {(d.asks, d.pace) for d in position.core.open if d.blocking} == {("council", Pace.REACTION)}


@pytest.mark.holds("renaissance", "option", "readings=1")
def test_a_game_of_before_has_no_stop() -> None:
    """A38  A turn under way by the older readings goes from the campaigns to the count."""
    names = [step.name for step in _agenda(build.game(turn=2, readings="1"))]
    assert "council" not in names
    assert "council" in [step.name for step in _agenda(build.game(turn=2))]


def _agenda(position: build.At) -> list[Begin]:
    position.board.turn = 1
    with build.knowing():
        return [s for s in build.queue(position, BeginTurn()).position.core.agenda if isinstance(s, Begin)]


@pytest.mark.holds("renaissance", "rider", "council")
def test_a_consent_can_be_filed_ahead_with_a_condition() -> None:
    """Diplomatie, A38  From the first letter of a turn on, before there is an offer; the stop judges it."""
    position = build.game(phase=Phase.PURCHASES)
    if_roma = Condition("hold", {"city": "roma"})
    ahead = (Line((Clause(o.Accept("roma", "firenze"), (if_roma,)),)),)
    assert all(found.stands for found in build.judged(position, VIOLET, "council", ahead))
    assert build.code(position, VIOLET, "council", o.Accept("atlantis", "firenze")) == "no_such_city"
    assert "council/2" in {d.gate for d in RULES.ahead(position, VIOLET)}
    position = at_council(6).position
    assert build.code(position, VIOLET, "council", o.Accept("viterbo", "firenze")) == "no_such_offer"
    went = build.play(position, "council/6", {VIOLET: ahead})
    assert len(build.told(went.events, e.Swapped)) == 1


# --- previews (A6, A26)


def previewed(position: build.At, *attacks: o.Attack) -> list[str]:
    """What is found about each line of a campaign; empty where it stands."""
    found = build.judged(position, GREEN, "combat", attacks)
    return [judgement.problem.code if judgement.problem else "" for judgement in found]


@pytest.mark.holds("renaissance", "event", "ren.HirePresumed")
def test_a_preview_pays_the_condottieri_of_an_attack() -> None:
    """Condottiere, A6  One ducat pays one: a second attack with another is refused before it is sent."""
    position = build.game()
    build.hand(position, GREEN, "canon", "suisses", "condottiere", "condottiere")
    first = o.Attack("genova", ("canon", "condottiere"), "pavia")
    build.city(position, "brescia", GOLD)
    second = o.Attack("brescia", ("suisses", "condottiere"), "milano")
    build.ducats(position, GREEN, 2)
    assert previewed(position, first, second) == ["", ""]
    build.ducats(position, GREEN, 1)
    assert previewed(position, first, second) == ["", "condottieri_unpaid"]


def test_a_preview_uses_milans_free_condottiere_once() -> None:
    """Pouvoirs par état, A26  It is one card a turn: the second attack needs one of the hand."""
    position = build.game(power_milan="on")
    build.hand(position, GREEN, "canon", "suisses")
    build.city(position, "brescia", GOLD)
    build.ducats(position, GREEN, 0)
    first = o.Attack("genova", ("canon", "condottiere"), "pavia")
    second = o.Attack("brescia", ("suisses", "condottiere"), "milano")
    assert previewed(position, first, second) == ["", "cards_not_held"]
