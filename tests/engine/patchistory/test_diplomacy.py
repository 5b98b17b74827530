"""2. Diplomatie: aid, threats, broken alliances."""

import pytest

from engine.patchistory.board import Phase
from engine.patchistory.events import (
    AidAnswered,
    AllianceBroken,
    Gained,
    RouteGone,
    Threatened,
    WorkerCameHome,
)
from engine.patchistory.orders import Aid, Answer, BreakAlliance, Home, Threaten
from engine.patchistory.territory import Square
from tests.engine.patchistory.build import (
    BLUE,
    GREEN,
    RED,
    At,
    Went,
    code,
    enter,
    events_of,
    game,
    has,
    lay,
    phase,
    play,
    refused,
    route,
    stock,
    strong,
    workers,
)

GIFT = ("food", "food", "money")


def able(points: int = 6) -> At:
    """Red has Politics Points and a main route to Green."""
    position = game(phase=Phase.DIPLOMACY)
    for n in range(points - 1):
        player = position.board.players[RED]
        player.territory = {**player.territory, f"{'ABCDEF'[n]}1": Square(f"plain-{n}", "A", "palace")}
    route(position, RED, GREEN)
    return position


def offer(position: At, answer: bool | None) -> Went:
    """Red offers aid, Green answers."""
    went = phase(position, Phase.DIPLOMACY, {RED: Aid(GIFT, "green")})
    (decision,) = went.position.core.questions
    return play(went.position, decision.gate, {} if answer is None else {GREEN: Answer(answer)})


def test_aid_that_is_taken() -> None:
    """Aide: two points, three goods change hands, the giver gains 5 Culture."""
    went = offer(able(), answer=True)
    position = went.position
    assert [has(position, RED, good) for good in ("food", "money", "culture")] == [7, 8, 25]
    assert [has(position, GREEN, good) for good in ("food", "money")] == [11, 10]
    assert position.board.players[RED].spent == 2


def test_aid_that_is_refused() -> None:
    """Aide: refused, the goods stay and the giver gains 2 Culture; no answer refuses."""
    for answer in (False, None):
        went = offer(able(), answer=answer)
        assert [has(went.position, RED, good) for good in ("food", "money", "culture")] == [9, 9, 22]
        assert not events_of(went, AidAnswered)[0].accepted


def test_who_takes_aid_offers_none_in_the_same_round() -> None:
    """Aide: after accepting, one's own offers are refused until the round ends."""
    position = offer(able(), answer=True).position
    assert code(refused(position, GREEN, "diplomacy", Aid(GIFT, "red"))) == "aided_already"


@pytest.mark.holds("patchistory", "ruling", "A-12")
def test_aid_is_three_goods_that_one_has_on_a_route() -> None:
    """A-12: exactly three, held, to a player on any route; with two points left."""
    position = able()
    assert code(refused(position, RED, "diplomacy", Aid(("food",), "green"))) == "three_goods"
    assert code(refused(position, RED, "diplomacy", Aid(GIFT, "blue"))) == "not_connected"
    assert code(refused(position, RED, "diplomacy", Aid(GIFT, "red"))) == "yourself"
    stock(position, RED, food=1)
    assert code(refused(position, RED, "diplomacy", Aid(GIFT, "green"))) == "too_few_goods"
    assert code(refused(able(1), RED, "diplomacy", Aid(GIFT, "green"))) == "too_few_points"


def threatened(good: str, military: int, **rival: int) -> Went:
    """Red threatens Green, whose Military is 1."""
    position = able()
    strong(position, RED, military)
    stock(position, GREEN, **rival)
    return phase(position, Phase.DIPLOMACY, {RED: Threaten("green", good)})


def test_a_threat_that_succeeds() -> None:
    """Menace: Military above the other's power of defence brings 2 Culture or 3 Money; a lead of 5, 4 or 5."""
    for military, culture, money in ((2, 2, 3), (5, 2, 3), (6, 4, 5)):
        assert has(threatened("culture", military).position, RED, "culture") == 20 + culture
        assert has(threatened("money", military).position, RED, "money") == 9 + money
    assert has(threatened("money", 2).position, GREEN, "money") == 6


def test_a_poor_target_pays_what_it_has() -> None:
    """Menace: who has too little pays as much as they can."""
    went = threatened("money", 2, money=1)
    assert (events_of(went, Threatened)[0].demanded, events_of(went, Threatened)[0].paid) == (3, 1)


@pytest.mark.holds("patchistory", "ruling", "A-13")
def test_threats_that_cannot_be_made() -> None:
    """Menace: not on equals (A-13), not without a main route, not on an ally."""
    position = able()
    assert code(refused(position, RED, "diplomacy", Threaten("green", "money"))) == "too_weak"
    assert code(refused(position, RED, "diplomacy", Threaten("blue", "money"))) == "no_main_route"
    route(position, GREEN, RED, allied=True)
    assert code(refused(position, RED, "diplomacy", Threaten("green", "money"))) == "allies"


def test_a_main_route_serves_in_both_directions() -> None:
    """A-13, A-16: a route that starts at the other end joins the two all the same."""
    position = able()
    position.board.routes = ()
    route(position, GREEN, RED)
    strong(position, RED, 4)
    assert refused(position, RED, "diplomacy", Threaten("green", "money")) is None


@pytest.mark.holds("patchistory", "ruling", "A-31")
def test_gandhi_is_never_refused() -> None:
    """Mahatma Gandhi: the target's power of defence is 0, and the threat always succeeds (A-31)."""
    position = able()
    lay(position, RED, "mahatma_gandhi")
    strong(position, GREEN, 9)
    assert refused(position, RED, "diplomacy", Threaten("green", "money")) is None
    went = phase(position, Phase.DIPLOMACY, {RED: Threaten("green", "money")})
    assert events_of(went, Threatened)[0].demanded == 3


@pytest.mark.holds("patchistory", "ruling", "A-35")
def test_bismarck_gains_culture_from_threats() -> None:
    """Otto von Bismarck: 5 Culture from the reserve for a threat that succeeds, whatever was demanded (A-35)."""
    for good in ("culture", "money"):
        position = able()
        lay(position, RED, "otto_von_bismarck")
        strong(position, RED, 2)
        went = phase(position, Phase.DIPLOMACY, {RED: Threaten("green", good)})
        assert dict(events_of(went, Gained)[0].symbols) == {"culture": 5}
        assert has(went.position, GREEN, "culture") == (18 if good == "culture" else 20)


def test_mother_teresa_gains_from_aid_taken_or_refused() -> None:
    """Mother Teresa: 3 extra Culture for each offer of aid."""
    for answer, culture in ((True, 28), (False, 25)):
        position = able()
        lay(position, RED, "mother_teresa")
        assert has(offer(position, answer=answer).position, RED, "culture") == culture


def test_an_alliance_is_broken_for_all_points() -> None:
    """Briser une Alliance: all Politics Points, a vote for each; the route goes, workers come home where they like."""
    position = able()
    number = route(position, GREEN, RED, allied=True, spots={RED: 2, GREEN: 1})
    went = phase(position, Phase.DIPLOMACY, {RED: BreakAlliance("green")})
    assert events_of(went, AllianceBroken)[0].votes == 6
    assert has(went.position, RED, "vote") == 6
    went = play(went.position, went.position.core.gates()[0], {RED: Home(("J10",)), GREEN: Home(("K10",))})
    assert {(event.seat, event.square) for event in events_of(went, WorkerCameHome)} == {(RED, "J10"), (GREEN, "K10")}
    assert [event.number for event in events_of(went, RouteGone)] == [number]
    assert not went.position.board.allied(RED, GREEN)


@pytest.mark.holds("patchistory", "ruling", "A-14")
def test_an_alliance_is_broken_first_of_all() -> None:
    """A-14: only as the first act of diplomacy in a round, with at least a point."""
    position = able()
    assert code(refused(position, RED, "diplomacy", BreakAlliance("green"))) == "not_allied"
    route(position, GREEN, RED, allied=True)
    assert refused(position, RED, "diplomacy", BreakAlliance("green")) is None
    position.board.players[RED].done = frozenset({"acted"})
    assert code(refused(position, RED, "diplomacy", BreakAlliance("green"))) == "not_first"
    position.board.players[RED].done, position.board.players[RED].spent = frozenset(), 6
    assert code(refused(position, RED, "diplomacy", BreakAlliance("green"))) == "too_few_points"


@pytest.mark.holds("patchistory", "ruling", "A-43")
def test_orders_are_carried_out_in_turn_order() -> None:
    """Diplomacy is done in turn order from the first player, whoever wrote first."""
    position = able()
    position.board.first = GREEN
    strong(position, RED, 3)
    strong(position, GREEN, 5)
    workers(position, RED)
    route(position, GREEN, RED)
    player = position.board.players[GREEN]
    player.territory = {**player.territory, "A1": Square("plain-p", "A", "congress")}
    went = phase(position, Phase.DIPLOMACY, {GREEN: Threaten("red", "money")})
    assert [event.seat for event in events_of(went, Threatened)] == [GREEN]


def test_who_can_pay_for_no_act_and_has_no_ally_is_not_asked() -> None:
    """Aide, Menace: with fewer points than either costs there is nothing to say; with an ally there may be (A-14)."""
    position = able()
    assert {decision.seat for decision in enter(position, Phase.DIPLOMACY).position.core.questions} == {RED}
    route(position, GREEN, BLUE, allied=True)
    assert {decision.seat for decision in enter(position, Phase.DIPLOMACY).position.core.questions} == {
        RED,
        GREEN,
        BLUE,
    }
