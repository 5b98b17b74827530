"""4. Négociation et Guerre."""

from collections.abc import Mapping

import pytest

from engine.kernel.events import Ended
from engine.kernel.viewers import Seat
from engine.patchistory.board import BLUE as PEACEFUL
from engine.patchistory.board import RED as RISING
from engine.patchistory.board import Phase
from engine.patchistory.catalogue import PREPARATION, WAR_SPACE
from engine.patchistory.events import (
    Gained,
    Negotiated,
    RouteLaid,
    WarCancelled,
    WarDeclared,
    WarFought,
    WorkerCameHome,
)
from engine.patchistory.orders import Fights, Fuel, Home, Token
from engine.patchistory.phases.turn import EndTurn, OpenPhase
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
    open_gate,
    play,
    queue,
    refused,
    route,
    stock,
    strong,
    workers,
)

WAR, PEACE, ALLIANCE = Token(RISING), Token(PEACEFUL), Token(PEACEFUL, True)


def waiting(turn: int = 2, *, allied: bool = False) -> At:
    """Red's worker on the return/preparation of a route to Green."""
    position = game(turn=turn, phase=Phase.NEGOTIATION)
    route(position, RED, GREEN, spots={RED: PREPARATION})
    if allied:
        route(position, GREEN, RED, allied=True)
    return position


def negotiated(position: At, red: Token, green: Token) -> Went:
    """Both tokens."""
    began = enter(position, Phase.NEGOTIATION).position
    return play(began, open_gate(began), {RED: red, GREEN: green})


# --- negotiation


def test_both_blue_is_peace() -> None:
    """No war; the worker comes home where its owner likes, an alliance or not."""
    went = negotiated(waiting(), PEACE, ALLIANCE)
    assert not events_of(went, RouteLaid)
    went = play(went.position, open_gate(went.position), {RED: Home(("J9",))})
    assert [event.square for event in events_of(went, WorkerCameHome)] == ["J9"]


@pytest.mark.parametrize(("end", "start"), [("A", RED), ("B", GREEN)])
def test_both_may_conclude_an_alliance(end: str, start: Seat) -> None:
    """If both wish it an allied route is laid; who has the worker chooses its direction."""
    went = negotiated(waiting(), Token(PEACEFUL, True, end), Token(PEACEFUL, True, "A"))
    laid = events_of(went, RouteLaid)[0]
    assert (laid.allied, laid.start) == (True, start)
    assert went.position.board.allied(RED, GREEN)


@pytest.mark.holds("patchistory", "ruling", "A-44")
def test_allied_routes_are_limited() -> None:
    """With four allied routes on the table no alliance can be concluded."""
    position = waiting()
    for one, other in ((RED, BLUE), (BLUE, RED), (GREEN, BLUE), (BLUE, GREEN)):
        route(position, one, other, allied=True)
    assert not events_of(negotiated(position, ALLIANCE, ALLIANCE), RouteLaid)


@pytest.mark.holds("patchistory", "ruling", "A-23")
def test_allies_do_not_negotiate() -> None:
    """A-23: between allies there is nothing to choose; the worker comes home."""
    began = enter(waiting(allied=True), Phase.NEGOTIATION).position
    assert [decision.topic for decision in began.core.questions] == ["home"]


@pytest.mark.parametrize(("turn", "cost"), [(2, 0), (7, 1), (12, 2)])
def test_a_red_token_declares_war(turn: int, cost: int) -> None:
    """Every red is an aggressor, and pays 0, 1 or 2 Resources; the worker stays where it is."""
    went = negotiated(waiting(turn), WAR, PEACE)
    event = events_of(went, WarDeclared)[0]
    assert (event.roles, event.paid) == ({RED: RISING, GREEN: PEACEFUL}, {RED: cost})
    assert went.position.board.routes[0].spots == {RED: PREPARATION}
    assert has(went.position, RED, "resource") == 9 - cost
    assert not went.position.core.questions


def test_both_may_be_aggressors() -> None:
    """Two reds are two aggressors."""
    event = events_of(negotiated(waiting(7), WAR, WAR), WarDeclared)[0]
    assert (set(event.roles.values()), set(event.paid.values())) == ({RISING}, {1})


@pytest.mark.holds("patchistory", "ruling", "A-24")
def test_who_cannot_pay_the_preparation_chooses_blue() -> None:
    """A-24: red must be paid for; without a word a player is peaceful."""
    position = waiting(12)
    stock(position, RED, resource=1)
    assert code(refused(position, RED, "negotiation", WAR)) == "no_preparation"
    assert refused(position, RED, "negotiation", PEACE) is None
    went = negotiated(position, PEACE, PEACE)
    assert events_of(went, Negotiated)[0].tokens == {RED: PEACEFUL, GREEN: PEACEFUL}


@pytest.mark.holds("patchistory", "ruling", "A-25")
@pytest.mark.holds("patchistory", "event", "patch.WarCancelled")
def test_an_alliance_ends_a_war_to_come() -> None:
    """A-25: a new alliance cancels a war between the two; its worker comes home."""
    position = waiting()
    route(position, GREEN, RED, spots={GREEN: PREPARATION}, war={RED: PEACEFUL, GREEN: RISING})
    went = negotiated(position, ALLIANCE, ALLIANCE)
    assert [event.number for event in events_of(went, WarCancelled)] == [2]


# --- war


def at_war(roles: Mapping[Seat, str], red: int, green: int, turn: int = 2) -> At:
    """A war of Red and Green that is fought now, with these military levels."""
    position = game(turn=turn, phase=Phase.WAR)
    route(position, RED, GREEN, spots={RED: WAR_SPACE}, war=roles)
    strong(position, RED, red)
    strong(position, GREEN, green)
    return position


def fought(position: At, **fuel: Fuel) -> Went:
    """The war, with what is discarded for it."""
    began = enter(position, Phase.WAR).position
    return play(began, open_gate(began), {Seat(name): order for name, order in fuel.items()})


ATTACK = {RED: RISING, GREEN: PEACEFUL}
CLASH = {RED: RISING, GREEN: RISING}


@pytest.mark.parametrize(("turn", "culture"), [(2, 5), (7, 10), (12, 15)])
def test_the_aggressor_wins(turn: int, culture: int) -> None:
    """The greater power wins; an aggressor gains 5, 10 or 15 Culture."""
    went = fought(at_war(ATTACK, 3, 1, turn))
    event = events_of(went, WarFought)[0]
    assert (event.winner, event.culture, event.taken) == (RED, culture, 0)
    assert has(went.position, RED, "culture") == 20 + culture


@pytest.mark.parametrize(("turn", "culture"), [(2, 3), (7, 6), (12, 9)])
def test_the_defender_wins_a_tie(turn: int, culture: int) -> None:
    """Among equals the defender wins, and gains 3, 6 or 9 Culture."""
    event = events_of(fought(at_war(ATTACK, 2, 2, turn)), WarFought)[0]
    assert (event.winner, event.culture) == (GREEN, culture)


def test_two_equal_aggressors_both_lose() -> None:
    """Without a defender a tie has no winner."""
    went = fought(at_war(CLASH, 2, 2))
    assert (events_of(went, WarFought)[0].winner, events_of(went, WarFought)[0].culture) == (None, 0)
    assert has(went.position, RED, "culture") == 20


def test_defence_counts_for_a_defender_alone() -> None:
    """Shields add to the Military of a blue, not of a red."""
    for roles, power in ((ATTACK, 3), (CLASH, 1)):
        position = at_war(roles, 1, 1)
        lay(position, GREEN, "palisade", "M9")
        lay(position, GREEN, "rampart", "N9")
        powers = events_of(fought(position), WarFought)[0].powers
        assert powers == {RED: 1, GREEN: power + (1 if roles is ATTACK else 0)}


def test_resources_add_to_power() -> None:
    """2.: each Resource discarded is a power more; all are lost, whoever wins."""
    went = fought(at_war(ATTACK, 1, 1), ann=Fuel(4), bob=Fuel(2))
    assert events_of(went, WarFought)[0].powers == {RED: 5, GREEN: 3}
    assert [has(went.position, seat, "resource") for seat in (RED, GREEN)] == [5, 7]


@pytest.mark.holds("patchistory", "ruling", "A-45")
def test_a_memorable_victory_takes_culture_from_the_loser() -> None:
    """A lead of five brings 7 Culture of the loser too (A-45: what they have)."""
    position = at_war(ATTACK, 6, 1)
    assert events_of(fought(position), WarFought)[0].taken == 7
    stock(position, GREEN, culture=4)
    went = fought(position)
    assert events_of(went, WarFought)[0].taken == 4
    assert [has(went.position, seat, "culture") for seat in (RED, GREEN)] == [29, 0]


def test_after_a_war_the_worker_comes_home() -> None:
    """Whatever the result, the worker comes home where its owner likes, and may work this round."""
    went = fought(at_war(ATTACK, 1, 6))
    assert went.position.core.questions[0].seat == RED
    went = play(went.position, open_gate(went.position), {RED: Home(("I9",))})
    assert went.position.board.players[RED].workers == ("I9",)
    assert not went.position.board.routes[0].war


def test_votes_are_fuel_for_joan_of_arc_alone() -> None:
    """Jeanne d'Arc: Resources and votes may be discarded during a war."""
    position = at_war(ATTACK, 1, 1)
    stock(position, RED, vote=3)
    assert code(refused(position, RED, "fuel", Fuel(1, 2))) == "no_votes_here"
    lay(position, RED, "joan_of_arc", "M9", "M10")
    assert refused(position, RED, "fuel", Fuel(1, 2)) is None
    assert code(refused(position, RED, "fuel", Fuel(1, 4))) == "too_few_goods"
    went = fought(position, ann=Fuel(1, 2))
    assert events_of(went, WarFought)[0].powers[RED] == 4
    assert has(went.position, RED, "vote") == 1


def test_gwanggaeto_and_the_red_cross_gain_from_wars() -> None:
    """Gwanggaeto: 3 Culture for each war won; the Red Cross: 5 for each war between anybody."""
    position = at_war(ATTACK, 4, 1)
    lay(position, RED, "gwanggaeto_the_great", "M9", "M10")
    lay(position, BLUE, "red_cross", "M9", "M10")
    gained = {event.seat: dict(event.symbols) for event in events_of(fought(position), Gained)}
    assert gained == {RED: {"culture": 3}, BLUE: {"culture": 5}}


@pytest.mark.holds("patchistory", "reaction", "fights")
def test_a_player_in_several_wars_chooses_their_order() -> None:
    """Wars are resolved in turn order; who is in several chooses which comes first."""
    position = at_war(ATTACK, 2, 1)
    route(position, BLUE, RED, spots={BLUE: WAR_SPACE}, war={BLUE: RISING, RED: PEACEFUL})
    began = enter(position, Phase.WAR).position
    assert [decision.topic for decision in began.core.questions] == ["fights"]
    assert code(refused(began, RED, "fights", Fights(("9",)))) == "not_a_war"
    went = play(began, open_gate(began), {RED: Fights(("2", "1"))})
    assert went.position.core.questions[0].limits["route"] == 2


def test_a_war_waits_for_the_next_round() -> None:
    """A war that was declared in this round is fought when its worker has come to war/return."""
    position = game(phase=Phase.WAR)
    route(position, RED, GREEN, spots={RED: PREPARATION}, war=ATTACK)
    assert not enter(position, Phase.WAR).position.core.questions


@pytest.mark.holds("patchistory", "ruling", "A-26")
def test_a_war_of_the_last_round_is_never_fought() -> None:
    """A-26: a war that is declared in the fifteenth round has no next one."""
    position = game(turn=15, phase=Phase.WAR)
    route(position, RED, GREEN, spots={RED: PREPARATION}, war=ATTACK)
    went = queue(position, OpenPhase(Phase.WAR), EndTurn())
    assert events_of(went, Ended)
    assert not events_of(went, WarFought)


@pytest.mark.holds("patchistory", "ruling", "A-27")
def test_powers_are_those_of_the_moment() -> None:
    """A-27: a gold frame counts in a war while a worker stands on it."""
    powers = []
    for squares in ((), ("K10",)):
        position = game(phase=Phase.WAR)
        route(position, RED, GREEN, spots={RED: WAR_SPACE}, war=ATTACK)
        workers(position, RED, *squares)
        powers.append(enter(position, Phase.WAR).position.core.questions[0].limits["power_red"])
    assert powers == [1, 2]
