"""Préparation, and the first steps of a turn: nations, closures, start cities, votes, the deal, the order."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.kernel.dice import HmacDraws
from engine.kernel.run import Advance, start
from engine.kernel.viewers import Seat
from engine.renaissance import events as e
from engine.renaissance import orders as o
from engine.renaissance.board import Board
from engine.renaissance.catalogue import PROVINCES, SCENARIOS, WAR
from engine.renaissance.phases import setup
from engine.renaissance.phases.turn import BeginTurn
from engine.renaissance.phases.turn import Sequence as Begin
from engine.renaissance.ruleset import RULES
from tests.bot_games import SEATS
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD, GREEN, NAVY, OLIVE, ORANGE, RED, VIOLET
from tests.scripted_draws import ScriptedDraws


def opened(players: int, script: dict[str, int | Sequence[object]] | None = None, **options: str) -> Advance[Board]:
    """A game just begun."""
    draws = ScriptedDraws(script or {}, HmacDraws(b"seed", b"luck"))
    return start(RULES, SEATS[:players], options, b"seed", draws=draws)


LEFT_OUT = [
    (6, "a", set(), set()),
    (5, "a", {"genes"}, {"hrr", "savoia"}),
    (4, "a", {"genes", "naples"}, {"hrr", "savoia", "abruzzo_basilicata", "regno_napoli", "calabria_puglia"}),
    (4, "b", {"genes", "milan"}, {"hrr", "savoia", "saluzzo_monferrato", "ducato_milano", "lombardia"}),
    (
        *(3, "a", {"genes", "naples", "milan"}),
        {"hrr", "savoia", "saluzzo_monferrato", "ducato_milano", "lombardia"}
        | {"abruzzo_basilicata", "regno_napoli", "calabria_puglia"},
    ),
]


@pytest.mark.holds("renaissance", "option", "without=b")
@pytest.mark.parametrize(("players", "without", "removed", "closed"), LEFT_OUT)
def test_nations_and_provinces_are_left_out_by_the_number_of_players(
    players: int, without: str, removed: set[str], closed: set[str]
) -> None:
    """Jeu à 3, 4 ou 5 joueurs  Genoa's land stays open; closed cities are nobody's, and nobody may go there."""
    board = opened(players, without=without).position.board
    assert {p.nation for p in board.powers.values()} == {s.nation for s in SCENARIOS["standard"].starts} - removed
    assert board.closed == {town for name in closed for town in PROVINCES[name].cities}
    assert "genova" not in board.closed
    town = next(iter(board.closed), None)
    if town is not None:
        position = build.game(players, without=without)
        assert build.code(position, GOLD, "expansion", o.Settle(town)) == "city_closed"


def test_a_scenario_is_not_for_three_players() -> None:
    """A27  A scenario for three is refused before anything is dealt."""
    with pytest.raises(ValueError, match="renaissance has no option scenario=1515 for 3 players"):
        opened(3, scenario="1515")


@pytest.mark.holds("renaissance", "option", "nations=chosen")
@pytest.mark.holds("renaissance", "topic", "nations")
@pytest.mark.holds("renaissance", "form", "JOUER")
def test_nations_are_drawn_by_lot_or_chosen_and_the_lot_decides_between_equals() -> None:
    """Préparation  Each gets the first wish that is free; a player without wishes gets what is left."""
    drawn = opened(3, {"nations/0": ["venise", "rome", "florence"]}).position.board
    assert [drawn.powers[seat].nation for seat in SEATS[:3]] == ["venise", "rome", "florence"]
    position = opened(3, nations="chosen").position
    ann, bob, cleo = SEATS[:3]
    answers: dict[Seat, build.Answer] = {ann: o.Claim(("rome",)), bob: o.Claim(("rome", "venise")), cleo: ()}
    went = build.play(position, "nations/0", answers, {"nations/0": [bob, ann, cleo]})
    taken = {event.seat: (event.nation, event.drawn) for event in build.events_of(went.events, e.NationTaken)}
    assert taken[bob] == ("rome", False)
    assert {taken[ann][1], taken[cleo][1]} == {True}


@pytest.mark.holds("renaissance", "ruling", "A34")
def test_who_wishes_for_no_nation_takes_none_that_another_wishes_for() -> None:
    """A34  Wishes first, in the drawn order; what is left is drawn by who had none, or found theirs taken."""
    ann, bob, cleo = SEATS[:3]
    cases: tuple[tuple[dict[Seat, build.Answer], dict[Seat, tuple[str, bool]]], ...] = (
        (
            {ann: (), bob: (), cleo: o.Claim(("florence",))},
            {ann: ("venise", True), bob: ("rome", True), cleo: ("florence", False)},
        ),
        (
            {ann: o.Claim(("rome",)), bob: o.Claim(("rome",)), cleo: o.Claim(("florence",))},
            {ann: ("rome", False), bob: ("venise", True), cleo: ("florence", False)},
        ),
    )
    for answers, nations in cases:
        left = [nation for nation, drawn in nations.values() if drawn]
        script: build.Script = {"nations/0": [ann, bob, cleo], "nations/0/left": left}
        went = build.play(opened(3, nations="chosen").position, "nations/0", answers, script)
        taken = {event.seat: (event.nation, event.drawn) for event in build.events_of(went.events, e.NationTaken)}
        assert taken == nations


@pytest.mark.holds("renaissance", "ruling", "A35")
def test_in_order_start_cities_rampart_and_palace_are_asked_one_after_the_other() -> None:
    """A35, 1515  "En suivant l'ordre du tour de jeu": who comes later sees what was founded before."""
    position = opened(4, scenario="1515", pace="order").position
    for seat in position.board.order:
        assert [d.seat for d in position.core.questions if d.blocking] == [seat]
        position = build.play(position, f"setup/0/{seat}", {}).position
        assert position.board.held(seat)
    assert position.board.turn == 1


@pytest.mark.holds("renaissance", "ruling", "A28")
def test_everybody_founds_their_start_cities_with_a_rampart_in_one_of_them() -> None:
    """Préparation, A28  Six ducats, a garrison in each start city, the rampart in one's own."""
    position = opened(6).position
    board = position.board
    seat = next(p.seat for p in board.powers.values() if p.nation == "florence")
    assert build.code(position, seat, "setup", o.Found("siena")) == "not_your_start"
    went = build.play(position, "setup/0", {seat: o.Found("pistoia")})
    after = went.position.board
    assert (after.level("pistoia"), after.level("firenze")) == (2, 1)
    assert all(power.ducats == 6 for power in after.powers.values())
    assert after.left("ramparts") == 14


def test_the_third_garrison_goes_by_road_or_to_any_port_for_who_owns_one() -> None:
    """Préparation  A landlocked nation has roads alone; in order of play, the first wish still free counts."""
    position = build.play(opened(6).position, "setup/0", {}).position
    board = position.board
    seat = {power.nation: power.seat for power in board.powers.values()}
    assert build.code(position, seat["milan"], "garrison", o.Garrison(("bari",))) == "out_of_reach"
    assert build.code(position, seat["genes"], "garrison", o.Garrison(("bari",))) == ""
    assert build.code(position, seat["genes"], "garrison", o.Garrison(("siena",))) == "out_of_reach"
    answers: dict[Seat, build.Answer] = dict.fromkeys(board.order, o.Garrison(("bari", "savona", "siena", "brescia")))
    went = build.play(position, "garrison/0", answers)
    placed = build.events_of(went.events, e.GarrisonPlaced)
    assert [event.seat for event in placed] == [s for s in board.order if s in {p.seat for p in placed}]
    assert len({event.city for event in placed}) == len(placed)


def test_in_order_third_garrisons_are_asked_one_after_the_other() -> None:
    """Pace `order`  One player at a time places the third garrison."""
    position = opened(4, pace="order").position
    for seat in position.board.order:
        position = build.play(position, f"setup/0/{seat}", {}).position
    for seat in position.board.order:
        assert [d.seat for d in position.core.questions if d.blocking] == [seat]
        position = build.play(position, f"garrison/0/{seat}", {}).position
    assert position.board.turn == 1


@pytest.mark.holds("renaissance", "ruling", "A27", "A29")
@pytest.mark.parametrize(("name", "state"), [("1494", "peace"), ("1499", "peace"), ("1515", "war")])
def test_a_scenario_has_its_order_its_places_and_its_first_turn(name: str, state: str) -> None:
    """A27, A29  The order as listed, no third garrison, choices made at placement, nothing closed, a palace in 1515."""
    position = opened(6, scenario=name).position
    starts = SCENARIOS[name].starts
    board = position.board
    assert [board.powers[seat].nation for seat in board.order] == [start.nation for start in starts]
    assert board.closed == frozenset()
    seat, start = next((board.order[n], s) for n, s in enumerate(starts) if s.choice or name == "1515")
    if start.choice:
        assert build.code(position, seat, "setup", o.Found(start.fixed[0], "bologna")) == "no_such_choice"
        assert build.code(position, seat, "setup", o.Found(start.fixed[0])) == "choice_wanted"
    if name == "1515":
        assert build.code(position, seat, "setup", o.Found(start.fixed[0])) == "palace_wanted"
    else:
        assert build.code(position, seat, "setup", o.Found(start.fixed[0], next(iter(start.choice), ""), "roma")) != ""
    went = build.play(position, "setup/0", {})
    after = went.position.board
    assert (after.turn, after.state) == (1, state)
    assert sum(city.palace for city in after.cities.values()) == (6 if name == "1515" else 0)
    assert all(len(after.held(s)) == len(after.powers[s].starts) for s in after.order)


def test_the_city_chosen_in_a_scenario_is_held_beside_the_others() -> None:
    """A29  France of 1494 in Bari: one of its start cities from then on, with the rampart if it wants."""
    position = opened(6, scenario="1494").position
    seat = next(p.seat for p in position.board.powers.values() if p.nation == "france")
    board = build.play(position, "setup/0", {seat: o.Found("bari", "bari")}).position.board
    assert set(board.held(seat)) == set(board.powers[seat].starts) == {"genova", "napoli", "bari"}
    assert board.level("bari") == 2


def test_removed_nations_are_skipped_in_the_listed_order() -> None:
    """A27  With four players, 1499 has neither Milan nor Rome."""
    board = opened(4, scenario="1499").position.board
    assert [board.powers[s].nation for s in board.order] == ["venise", "florence", "france", "espagne"]


@pytest.mark.holds("renaissance", "ruling", "A37")
@pytest.mark.parametrize(
    ("scenario", "years"), [("1494", (1494, 1502)), ("1499", (1499, 1507)), ("1515", (1515, 1523))]
)
def test_a_scenario_has_its_own_years(scenario: str, years: tuple[int, int]) -> None:
    """A37  The first turn is that of the title; a turn is eight years, as in 1454."""
    position = build.game(scenario=scenario, turn=0)
    told = []
    for position.board.turn in (0, 1):
        (began,) = build.events_of(build.queue(position, BeginTurn()).events, e.TurnBegan)
        told.append(began.year)
    position.board.turn = 2
    assert (*told, RULES.present_view(position, NAVY)["year"]) == (*years, years[1])


# --- the beginning of a turn


def voted(position: build.At, *war: Seat) -> e.StateSet:
    """The result of a vote in which these seats voted for war."""
    position.board.turn = 1
    went = build.queue(position, BeginTurn())
    votes: dict[Seat, build.Answer] = {s: o.Vote(WAR if s in war else "peace") for s in position.board.order}
    (state,) = build.events_of(build.play(went.position, "vote/2", votes).events, e.StateSet)
    return state


def test_it_is_war_if_half_of_the_votes_are_for_war() -> None:
    """Séquence 1  Three of six votes are enough, two are not; all are shown together."""
    assert voted(build.game(), GOLD, RED, BLUE).state == WAR
    state = voted(build.game(), GOLD, RED)
    assert (state.state, state.war, state.of) == ("peace", 2, 6)
    assert set(state.votes.values()) == {"peace", WAR}


@pytest.mark.holds("renaissance", "ruling", "A25")
@pytest.mark.holds("renaissance", "privilege", "rome")
@pytest.mark.holds("renaissance", "option", "power_rome=on")
def test_romes_privilege_is_a_second_voice() -> None:
    """A25  Half is counted of the players and one."""
    state = voted(build.game(power_rome="on"), VIOLET, GOLD)
    assert (state.state, state.war, state.of) == ("peace", 3, 7)
    assert voted(build.game(power_rome="on"), VIOLET, GOLD, RED).state == WAR


@pytest.mark.holds("renaissance", "ruling", "A30")
@pytest.mark.holds("renaissance", "event", "ren.StanceTaken")
@pytest.mark.holds("renaissance", "topic", "stance")
@pytest.mark.holds("renaissance", "form", "BONUS")
def test_the_first_turn_votes_not_but_the_swiss_announce() -> None:
    """A30  Nobody votes on the first turn, but the Swiss announce openly on it too."""
    position = build.game(scenario="1515", power_suisse="on", turn=0)
    went = build.queue(position, BeginTurn())
    assert [d.topic for d in went.position.core.questions if d.blocking] == ["stance"]
    further = build.play(went.position, "stance/1", {OLIVE: o.Stance("attack")})
    assert build.events_of(further.events, e.StanceTaken)[0].side == "attack"
    assert build.code(position, OLIVE, "stance", o.Stance("sea")) == "no_such_side"


@pytest.mark.parametrize(("state", "cards", "ducats"), [("peace", 4, 10), (WAR, 6, 6)])
def test_peace_deals_four_cards_and_four_ducats_war_six_cards(state: str, cards: int, ducats: int) -> None:
    """Séquence 2  Peace deals four cards and four ducats, war six cards."""
    went = build.queue(build.game(state=state), Begin("deal"))
    power = went.position.board.powers[GOLD]
    assert (power.cards, power.ducats) == (cards, ducats)


@pytest.mark.holds("renaissance", "privilege", "saint_empire")
@pytest.mark.holds("renaissance", "option", "power_saint_empire=on")
def test_the_empires_privilege_is_a_card_dealt_with_the_others() -> None:
    """A26  The Empire alone gets one card more."""
    went = build.queue(build.game(scenario="1515", power_saint_empire="on"), Begin("deal"))
    powers = went.position.board.powers
    assert {p.nation: p.cards for p in powers.values()}["saint_empire"] == 7
    assert powers[NAVY].cards == 6


@pytest.mark.holds("renaissance", "ruling", "A19")
def test_an_empty_deck_is_made_anew_of_the_discards_and_without_them_there_is_no_card() -> None:
    """A19  The discards make a new deck; without any, no card is dealt."""
    position = build.game()
    board = position.board
    with build.knowing():
        board.discard = tuple(card.value for card in board.deck[4:10])
        board.deck = (*board.deck[:4],)
        lying = {*board.discard, *(card.value for card in board.deck)}
    went = build.queue(position, Begin("deal"))
    assert len(build.events_of(went.events, e.DeckMade)) == 1
    assert sum(power.cards for power in went.position.board.powers.values()) == len(lying)


def test_last_turns_first_player_cannot_be_first_again() -> None:
    """Séquence 4  The first place is drawn without last turn's first player, the others with them."""
    position = build.game()
    rest = [GOLD, RED, ORANGE, VIOLET, BLUE]
    went = build.queue(position, Begin("order"), script={"order/2/first": 3, "order/2/rest": rest})
    (drawn,) = build.events_of(went.events, e.OrderDrawn)
    assert drawn.order == (GREEN, *rest)
    assert drawn.barred == GOLD
    first = build.queue(build.game(turn=1), Begin("order"))
    assert build.events_of(first.events, e.OrderDrawn) == []


def test_what_is_of_one_turn_begins_anew() -> None:
    """Tour de jeu  Origins, targets, marriages, swaps, bankers, privileges and bribes count within a turn alone."""
    position = build.game(turn=1, power_espagne="on")
    build.city(position, "milano", GREEN, palace=True)
    board, power = position.board, position.board.powers[GREEN]
    board.bankers = ("milano",)
    board.cities["firenze"] = replace(board.cities["firenze"], swapped=True)
    power.origins, power.targets, power.taken = ("milano",), ("genova",), ("pavia",)
    power.attacked, power.married, power.settled = (RED,), (RED,), (("milano", "svizzera"), ("pavia", "piacenza"))
    power.used, power.bribes, power.stance = frozenset({"condottiere"}), 2, "attack"
    after = build.queue(position, BeginTurn()).position.board
    fresh = after.powers[GREEN]
    assert (after.turn, after.bankers, after.cities["firenze"].swapped) == (2, (), False)
    assert (fresh.origins, fresh.targets, fresh.taken, fresh.attacked, fresh.married, fresh.settled) == ((),) * 6
    assert (fresh.used, fresh.bribes, fresh.stance) == (frozenset(), 0, "")


@pytest.mark.holds("renaissance", "ruling", "A23")
@pytest.mark.holds("renaissance", "event", "ren.Returned")
@pytest.mark.holds("renaissance", "topic", "return")
@pytest.mark.holds("renaissance", "form", "REVENIR")
def test_an_eliminated_player_comes_back_with_a_start_city_as_it_stands() -> None:
    """A23  Any start city will do, with six ducats; a holder who loses their last city by it is out until next turn."""
    position = build.game(turn=2)
    for town in ("firenze", "pistoia"):
        build.city(position, town, None)
    build.city(position, "firenze", BLUE, 3, artist="bramante")
    for town in ("venezia", "ragusa"):
        build.city(position, town, GREEN)
    position.board.powers[GOLD].eliminated = True
    went = build.queue(position, BeginTurn())
    assert [d.seat for d in went.position.core.questions if d.topic == "return"] == [GOLD]
    assert [d.seat for d in went.position.core.questions if d.topic == "vote"] == list(position.board.order)
    assert build.code(went.position, GOLD, "return", o.Return("siena")) == "not_a_start"
    further = build.play(went.position, "return/3", {GOLD: o.Return("firenze")})
    board = further.position.board
    assert (board.cities["firenze"].level, board.cities["firenze"].artist) == (3, "bramante")
    assert board.powers[GOLD].ducats == 12
    assert board.powers[BLUE].eliminated
    assert [d.seat for d in further.position.core.questions if d.topic == "vote"] == [GOLD, RED, ORANGE, GREEN, VIOLET]
    assert BLUE not in {d.seat for d in further.position.core.questions}


def test_every_start_city_of_a_scenario_can_be_held_at_once() -> None:
    """No start city is promised to two nations."""
    for scenario in SCENARIOS.values():
        towns = [town for start in scenario.starts for town in (*start.fixed, *start.choice)]
        assert len(towns) == len(set(towns))
    assert setup.table_of(RULES.meta.chosen({"without": "b"}), 4).id == "4b"
