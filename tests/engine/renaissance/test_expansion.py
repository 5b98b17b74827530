"""Phase 1 - Expansion: two rounds, different cities of origin, roads and seas; lists of wishes."""

import pytest

from engine.kernel.viewers import Seat
from engine.renaissance import events as e
from engine.renaissance import orders as o
from engine.renaissance.phases.turn import Sequence
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD, GREEN, NAVY, RED, VIOLET


def expanded(position: build.At, answers: dict[Seat, build.Answer]) -> list[e.Settled]:
    """What a sealed expansion brings; a seat not named takes nothing."""
    went = build.queue(position, Sequence("expansion"))
    further = build.play(went.position, f"expansion/{position.board.turn}", answers)
    return build.events_of(further.events, e.Settled)


def test_each_takes_one_city_in_order_of_play_then_each_a_second_one() -> None:
    """Turns alternate in the order drawn."""
    position = build.game()
    build.order(position, GREEN, GOLD, RED, VIOLET, BLUE, build.ORANGE)
    answers: dict[Seat, build.Answer] = {
        GOLD: (o.Settle("siena"), o.Settle("bologna")),
        GREEN: (o.Settle("svizzera"), o.Settle("piacenza")),
    }
    taken = [(event.seat, event.city) for event in expanded(position, answers)]
    assert taken == [(GREEN, "svizzera"), (GOLD, "siena"), (GREEN, "piacenza"), (GOLD, "bologna")]


def test_a_list_is_of_wishes_the_first_that_can_be_done_counts() -> None:
    """Lines beyond the second are spares: a city that is taken lapses, and the next line is done."""
    position = build.game()
    wishes = (o.Settle("piacenza"), o.Settle("brescia"), o.Settle("casale"))
    assert all(ruling.is_valid for ruling in build.judged(position, GREEN, "expansion", wishes))
    taken = expanded(position, {RED: o.Settle("piacenza"), GREEN: wishes})
    assert [event.city for event in taken if event.seat == GREEN] == ["brescia", "casale"]


def test_two_expansions_start_from_different_cities_and_the_first_may_be_the_base_of_the_second() -> None:
    """Phase 1  Not both from Milano; Svizzera just taken may be left from."""
    position = build.game()
    both = expanded(position, {GREEN: (o.Settle("svizzera", "milano"), o.Settle("brescia", "milano"))})
    assert [event.city for event in both] == ["svizzera"]
    chain = expanded(position, {GREEN: (o.Settle("svizzera", "milano"), o.Settle("trento", "svizzera"))})
    assert [event.city for event in chain] == ["svizzera", "trento"]


def test_one_expansion_by_sea_for_most_and_two_for_genoa_and_venice() -> None:
    """Phase 1  From an own port to any free port; two from two ports."""
    position = build.game()
    build.city(position, "ancona", VIOLET)
    sea = (o.Settle("bari"), o.Settle("palermo"))
    rome = [event for event in expanded(position, {VIOLET: sea}) if event.sea]
    assert len(rome) == 1
    assert [event.sea for event in expanded(position, {RED: sea})] == [True, True]
    assert [event.sea for event in expanded(position, {BLUE: sea})] == [True, True]
    build.city(position, "ajaccio", None)
    assert len(expanded(position, {RED: (o.Settle("bari", "genova"), o.Settle("palermo", "genova"))})) == 1


@pytest.mark.holds("renaissance", "ruling", "A33")
def test_a_port_just_taken_is_not_the_second_port_of_an_expansion_by_sea() -> None:
    """Phase 1, A33  "Si elles possèdent 2 ports": two before the phase; for the first any port will do."""
    position = build.game()
    build.city(position, "ajaccio", None)
    build.city(position, "bari", RED)
    position.board.powers[RED].settled = (("genova", "bari"),)
    assert build.code(position, RED, "expansion", o.Settle("palermo", "bari")) == "second_port"
    build.city(position, "savona", RED)
    assert build.code(position, RED, "expansion", o.Settle("palermo", "bari")) == ""
    build.city(position, "piombino", VIOLET)
    position.board.powers[VIOLET].settled = (("viterbo", "piombino"),)
    assert build.code(position, VIOLET, "expansion", o.Settle("ancona", "piombino")) == ""


def test_an_expansion_by_sea_goes_from_an_own_port_to_a_port() -> None:
    """Phase 1  Neither from an inland city nor to one; Milan, without a port, does not sail."""
    position = build.game()
    build.city(position, "perugia", BLUE)
    assert build.code(position, BLUE, "expansion", o.Settle("bari", "perugia")) == "no_way_there"
    assert build.code(position, BLUE, "expansion", o.Settle("siena", "ragusa")) == "no_way_there"
    assert build.code(position, BLUE, "expansion", o.Settle("bari", "ragusa")) == ""
    assert build.code(position, GREEN, "expansion", o.Settle("bari")) == "no_way_there"


def test_france_and_spain_sail_twice_in_the_scenarios() -> None:
    """Scénarios  France and Spain each have two expansions by sea."""
    powers = build.game(scenario="1515").board.powers
    assert {power.nation for power in powers.values() if power.seas == 2} == {"france", "espagne"}
    assert NAVY in powers


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (o.Settle("milano"), "city_taken"),
        (o.Settle("torino"), "no_way_there"),
        (o.Settle("siena", "roma"), "not_your_origin"),
        (o.Settle("siena", "pistoia"), "no_way_there"),
        (o.Settle("siena", "firenze"), ""),
        (o.Settle("atlantis"), "no_such_city"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_its_reason(order: o.Settle, code: str) -> None:
    """Only free cities joined by a road to an own one can be taken."""
    assert build.code(build.game(), GOLD, "expansion", order) == code


def test_origins_and_seas_used_up_are_said() -> None:
    """The reason names what stands in the way after the first expansion."""
    position = build.game()
    position.board.powers[GOLD].settled = (("firenze", "siena"),)
    build.city(position, "siena", GOLD)
    assert build.code(position, GOLD, "expansion", o.Settle("pisa", "firenze")) == "origin_used"
    position.board.powers[VIOLET].settled = (("roma", "bari"),)
    build.city(position, "bari", VIOLET)
    build.city(position, "ancona", VIOLET)
    assert build.code(position, VIOLET, "expansion", o.Settle("palermo", "ancona")) == "seas_used"
    position.board.powers[VIOLET].settled = (("roma", "bari"), ("viterbo", "siena"))
    assert build.code(position, VIOLET, "expansion", o.Settle("perugia")) == "settled_already"


@pytest.mark.holds("renaissance", "option", "pace=order")
def test_in_order_each_is_asked_in_turn_and_again_after_a_single_wish() -> None:
    """Pace `order`: a player who still has a wish, or passed, is not asked again."""
    position = build.game(pace="order")
    position = build.queue(position, Sequence("expansion")).position
    wishes: dict[Seat, build.Answer] = {GOLD: o.Settle("siena"), RED: (o.Settle("savona"), o.Settle("bari"))}
    asked = []
    while position.board.phase.value == "expansion":
        (decision,) = [d for d in position.core.questions if d.blocking]
        asked.append((decision.seat, decision.gate))
        answers = {decision.seat: wishes.get(decision.seat, ())} if not decision.gate.endswith("/2") else {}
        went = build.play(position, decision.gate, answers)
        position = went.position
        if not any(d.topic == "expansion" for d in position.core.questions):
            break
    assert [seat for seat, _ in asked] == [*position.board.order, GOLD]
    assert asked[-1][1] == f"expansion/2/{GOLD}/2"
    assert position.board.cities["bari"].owner == RED


@pytest.mark.holds("renaissance", "option", "failures=again")
def test_asked_again_after_a_lapse_the_answer_joins_the_round() -> None:
    """Option `failures: again`  The new wishes come at the seat's own place in the round."""
    position = build.queue(build.game(failures="again"), Sequence("expansion")).position
    went = build.play(position, "expansion/2", {RED: o.Settle("piacenza"), GREEN: o.Settle("piacenza")})
    assert [d.gate for d in went.position.core.questions if d.blocking] == ["expansion/2~1"]
    further = build.play(went.position, "expansion/2~1", {GREEN: (o.Settle("brescia"), o.Settle("casale"))})
    assert [event.city for event in build.events_of(further.events, e.Settled)] == ["brescia", "casale"]
