"""Patchistory from its first letter to its last: every kind of negotiation and of war, of aid and of threats.

What the rulebook has, by the rounds below. Negotiation: a red of the worker's owner (1), of the other (1), of both
(2, 14); both blue without an alliance (1), with one, in either direction (1, 3); allies (2); no route left for an
alliance (6); an aggressor who cannot pay (7); a war called off by an alliance (5), a war declared too late (15).
War: tied with a defender (2), tied without (3), won by an aggressor (4, 6) or against another (15), won by a
defender (8, 15), memorable (2), memorable over who has little left (4), the first of two by choice (4).
Diplomacy: aid taken (1) and refused (2), a threat (1), a great one (2), one that the poor answer (3), the end of an
alliance (3). What players do they write; levels, goods and workers far down a route come by rulings of the master.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from engine.kernel.events import Ended
from engine.kernel.rulings import Give
from engine.kernel.viewers import Seat
from engine.patchistory import events as e
from engine.patchistory.board import BLUE as CALM
from engine.patchistory.board import RED as RISING
from engine.patchistory.corrections import SetRoute, SetSquare
from tests.playthroughs.rounds import BLUE, GREEN, RED, SEATS, YELLOW, Closed, Rounds

# --- what is played


def first_round(story: Rounds) -> None:
    """Military 6, 3, 1, 1, Defence 3, 1, 2, 0; three Politics Points; a worker of each near the end of their route."""
    over = {
        RED: {"I9": "senate", "J9": "garrison", "K9": "garrison", "K10": "garrison"},
        GREEN: {"I9": "senate", "K9": "barracks", "K10": "garrison"},
        BLUE: {"I9": "senate", "K9": "wall"},
        YELLOW: {"I9": "senate"},
    }
    story.rule(*(SetSquare(seat, square, b) for seat, tiles in over.items() for square, b in tiles.items()))
    story.rule(*(Give(60, good, seat) for seat in SEATS for good in ("food", "resource", "money")))
    for number, seat in enumerate(SEATS, 1):
        story.far(number, seat)
    story.turn(
        {
            ("settle", RED): "INSTALLER J10",
            ("settle", YELLOW): "INSTALLER J9",
            ("diplomacy", RED): "MENACER Vert POUR Argent",
            ("diplomacy", GREEN): "OFFRIR 3 nourriture À Bleu",
            ("diplomacy", BLUE): "OFFRIR 2 nourriture, 1 argent À Jaune",
            ("aid", BLUE): "ACCEPTER",
            **{("movement", seat): f"AVANCER ROUTE {number} DE 1" for number, seat in enumerate(SEATS, 1)},
            ("negotiation 1", RED): "GUERRE",
            ("negotiation 1", GREEN): "PAIX",
            ("negotiation 2", GREEN): "ALLIANCE BOUT A",
            ("negotiation 2", BLUE): "PAIX",
            ("home 2", GREEN): "RENTRER I10",
            ("negotiation 3", BLUE): "ALLIANCE BOUT B",
            ("negotiation 3", YELLOW): "ALLIANCE BOUT B",
            ("negotiation 4", YELLOW): "PAIX",
            ("negotiation 4", RED): "GUERRE",
        },
        {("diplomacy", YELLOW): "MENACER Bleu POUR Argent"},
    )


def second_round(story: Rounds) -> None:
    """Two wars of the first round; two reds; allies with nothing to negotiate."""
    story.far(2, GREEN)
    story.far(3, BLUE)
    story.turn(
        {
            ("diplomacy", BLUE): "OFFRIR 1 nourriture, 1 argent, 1 ressource À Jaune",
            ("aid", YELLOW): "REFUSER",
            ("diplomacy", RED): "MENACER Jaune POUR Culture",
            ("administration", YELLOW): "ENVOYER J9 ROUTE 5",
            ("movement", GREEN): "AVANCER ROUTE 2 DE 1",
            ("movement", BLUE): "AVANCER ROUTE 3 DE 1",
            ("negotiation 2", GREEN): "GUERRE",
            ("negotiation 2", BLUE): "GUERRE",
            ("fuel 1", GREEN): "DÉPENSER 2",
            ("home 1", RED): "RENTRER I9",
            ("home 4", YELLOW): "RENTRER J9",
        },
        {("diplomacy", YELLOW): "MENACER Bleu POUR Argent"},
    )


def third_round(story: Rounds) -> None:
    """Blue breaks with Yellow and attacks; Yellow attacks Red; Red and Green conclude an alliance."""
    for number, seat in ((1, RED), (3, BLUE), (4, YELLOW)):
        story.far(number, seat)
    story.leave(YELLOW, "money", 3)
    story.turn(
        {
            ("auction", YELLOW): "MISER D 1",
            ("diplomacy", BLUE): "BRISER L'ALLIANCE AVEC Jaune",
            ("home 5", YELLOW): "RENTRER K9",
            ("diplomacy", RED): "MENACER Jaune POUR Argent",
            ("movement", RED): "AVANCER ROUTE 1 DE 1",
            ("movement", BLUE): "AVANCER ROUTE 3 DE 1",
            ("movement", YELLOW): "AVANCER ROUTE 4 DE 1",
            ("negotiation 3", BLUE): "GUERRE",
            ("negotiation 4", YELLOW): "GUERRE",
            ("negotiation 1", RED): "ALLIANCE BOUT A",
            ("negotiation 1", GREEN): "ALLIANCE BOUT A",
            ("home 1", RED): "RENTRER J10",
            ("fuel 2", BLUE): "DÉPENSER 2",
        },
        {("diplomacy", BLUE): "BRISER L'ALLIANCE AVEC Jaune\nOFFRIR 3 nourriture À Jaune"},
    )


def fourth_round(story: Rounds) -> None:
    """Yellow, first, has two wars and little Culture; Green declares one on Blue."""
    story.far(2, GREEN)
    story.leave(YELLOW, "culture", 4)
    story.turn(
        {
            ("movement", GREEN): "AVANCER ROUTE 2 DE 1",
            ("negotiation 2", GREEN): "GUERRE",
            ("fights", YELLOW): "COMBATTRE 4, 3",
            ("fuel 3", BLUE): "DÉPENSER 3",
            ("fuel 3", YELLOW): "DÉPENSER 1",
        }
    )


def fifth_round(story: Rounds) -> None:
    """On another route Blue and Green make friends; two more alliances come by rulings, so that four are laid."""
    story.rule(SetRoute(BLUE, GREEN, False), SetRoute(RED, BLUE, True), SetRoute(YELLOW, GREEN, True))
    story.far(7, BLUE)
    story.far(4, YELLOW)
    story.turn(
        {
            ("movement", BLUE): "AVANCER ROUTE 7 DE 1",
            ("movement", YELLOW): "AVANCER ROUTE 4 DE 1",
            ("negotiation 7", BLUE): "ALLIANCE BOUT A",
            ("negotiation 7", GREEN): "ALLIANCE BOUT A",
            ("negotiation 4", RED): "GUERRE",
        }
    )


def sixth_round(story: Rounds) -> None:
    """The war of the first era is fought in the second; Blue and Yellow wish an alliance in vain."""
    story.far(3, BLUE)
    story.turn(
        {
            ("movement", BLUE): "AVANCER ROUTE 3 DE 1",
            ("negotiation 3", BLUE): "ALLIANCE BOUT A",
            ("negotiation 3", YELLOW): "ALLIANCE BOUT A",
            ("fuel 4", YELLOW): "DÉPENSER 3",
        }
    )


def seventh_and_eighth_round(story: Rounds) -> None:
    """Red and Blue pay for their wars; Yellow cannot, and defends."""
    story.far(3, BLUE)
    story.far(4, YELLOW)
    story.leave(YELLOW, "resource", 0)
    story.turn(
        {
            ("movement", BLUE): "AVANCER ROUTE 3 DE 1",
            ("movement", YELLOW): "AVANCER ROUTE 4 DE 1",
            ("negotiation 3", BLUE): "GUERRE",
            ("negotiation 4", RED): "GUERRE",
        },
        {("negotiation 4", YELLOW): "GUERRE"},
    )
    story.leave(YELLOW, "resource", 15)
    story.turn(
        {
            ("fuel 3", BLUE): "DÉPENSER 1",
            ("fuel 3", YELLOW): "DÉPENSER 5",
            ("fuel 4", YELLOW): "DÉPENSER 6",
        }
    )


def last_rounds(story: Rounds) -> None:
    """Wars of the third era: two reds, one red, and one too late."""
    for _ in range(9, 14):
        story.turn({})
    story.far(3, BLUE)
    story.far(4, YELLOW)
    for seat in SEATS:
        story.leave(seat, "resource", 20)
        story.leave(seat, "culture", 30)
    story.turn(
        {
            ("movement", BLUE): "AVANCER ROUTE 3 DE 1",
            ("movement", YELLOW): "AVANCER ROUTE 4 DE 1",
            ("negotiation 3", BLUE): "GUERRE",
            ("negotiation 3", YELLOW): "GUERRE",
            ("negotiation 4", RED): "GUERRE",
        }
    )
    story.rule(SetRoute(YELLOW, BLUE, False))
    story.far(11, YELLOW)
    story.turn(
        {
            ("movement", YELLOW): "AVANCER ROUTE 11 DE 1",
            ("negotiation 11", YELLOW): "GUERRE",
            ("fuel 3", BLUE): "DÉPENSER 5",
            ("fuel 3", YELLOW): "DÉPENSER 4",
            ("fuel 4", YELLOW): "DÉPENSER 6",
        }
    )


@cache
def played() -> Rounds:
    """The whole game, played once."""
    story = Rounds()
    first_round(story)
    second_round(story)
    third_round(story)
    fourth_round(story)
    fifth_round(story)
    sixth_round(story)
    seventh_and_eighth_round(story)
    last_rounds(story)
    return story


def closed(turn: int, asked: str) -> Closed:
    """The gate of a question in a round."""
    return played().closed[turn, asked]


def war(turn: int, number: int) -> tuple[Any, Closed]:
    """The war that is fought on a route in a round, and its gate."""
    gate = closed(turn, f"fuel {number}")
    return gate.events_of(e.WarFought)[0], gate


# --- what the rulebook asks of it


def test_every_round_is_played_to_the_end() -> None:
    """Principes Généraux  Fifteen rounds by letters and rulings alone, and nothing in the box is lost."""
    story = played()
    assert len(story.events_of(Ended)) == 1
    assert story.board.turn == 15


@pytest.mark.parametrize(
    ("turn", "number", "tokens", "aggressors", "cost"),
    [
        (1, 1, {RED: RISING, GREEN: CALM}, [RED], 0),
        (1, 4, {YELLOW: CALM, RED: RISING}, [RED], 0),
        (2, 2, {GREEN: RISING, BLUE: RISING}, [BLUE, GREEN], 0),
        (7, 3, {BLUE: RISING, YELLOW: CALM}, [BLUE], 1),
        (14, 3, {BLUE: RISING, YELLOW: RISING}, [BLUE, YELLOW], 2),
    ],
)
def test_a_red_declares_war(
    turn: int, number: int, tokens: Mapping[Seat, str], aggressors: list[Seat], cost: int
) -> None:
    """4. Négociation  Each red is an aggressor, whosever the worker, and pays 0, 1 or 2 Resources; it stays."""
    gate = closed(turn, f"negotiation {number}")
    assert gate.events_of(e.Negotiated)[0].tokens == tokens
    (declared,) = gate.events_of(e.WarDeclared)
    assert declared.roles == tokens
    assert declared.paid == dict.fromkeys(aggressors, cost)
    assert gate.change("resource", *aggressors) == tuple(-cost for _ in aggressors)
    assert not [event for event in gate.events_of(e.WorkerCameHome) if event.number == number]
    assert not gate.events_of(e.WarFought)


@pytest.mark.parametrize(
    ("turn", "number", "wishes", "start"),
    [
        (1, 2, (GREEN,), None),
        (1, 3, (BLUE, YELLOW), YELLOW),
        (3, 1, (RED, GREEN), RED),
        (6, 3, (BLUE, YELLOW), None),
    ],
)
def test_two_blues_are_peace(turn: int, number: int, wishes: tuple[Seat, ...], start: Seat | None) -> None:
    """4. Les deux joueurs ont choisi le côté Bleu  No war; an alliance if both wish it and one of four routes is left.

    Whose worker it is chooses the direction, and takes the worker home either way.
    """
    gate = closed(turn, f"negotiation {number}")
    assert gate.events_of(e.Negotiated)[0].wishes == wishes
    assert not gate.events_of(e.WarDeclared)
    assert [event.start for event in gate.events_of(e.RouteLaid) if event.allied] == ([start] if start else [])
    home = closed(turn, f"home {number}").events_of(e.WorkerCameHome)
    assert [(event.seat, event.cause) for event in home] == [(wishes[0], "peace")]


def test_what_is_chosen_in_a_negotiation_or_for_a_war_is_secret_until_it_is_shown() -> None:
    """4. Chaque joueur choisit secrètement un côté  Nobody is told, or may look, before both are shown together."""
    noted = [
        (asked, event)
        for (_, asked), gate in played().closed.items()
        if asked.startswith(("negotiation", "fuel"))
        for event in gate.events_of(e.Replied)
    ]
    assert len(noted) == 2 * 17 + 2 * 10
    assert {(event.visible_to, event.answer.known_to) for _, event in noted} == {(frozenset(), frozenset())}


def test_allies_do_not_choose_and_do_not_threaten() -> None:
    """4. Deux joueurs Alliés ne peuvent plus se Menacer ou se déclarer la Guerre  The worker comes home (A-23)."""
    story = played()
    assert story.refusals[2, "diplomacy", YELLOW] == ["allies"]
    assert (2, "negotiation 3") not in story.closed
    assert [event.cause for event in closed(2, "home 3").events_of(e.WorkerCameHome)] == ["allies"]


def test_an_aggressor_pays_at_once_or_is_none() -> None:
    """4. Coût de Préparation  Without a Resource in the second era a player cannot choose red (A-24)."""
    assert played().refusals[7, "negotiation 4", YELLOW] == ["no_preparation"]
    assert closed(7, "negotiation 4").events_of(e.WarDeclared)[0].paid == {RED: 1}


@pytest.mark.parametrize(
    ("turn", "number", "powers", "winner", "culture", "taken"),
    [
        pytest.param(2, 1, {RED: 6, GREEN: 6}, GREEN, 3, 0, id="a defender wins a tie"),
        pytest.param(2, 4, {YELLOW: 1, RED: 6}, RED, 5, 7, id="a lead of five is memorable"),
        pytest.param(3, 2, {GREEN: 3, BLUE: 3}, None, 0, 0, id="two aggressors lose a tie, their Defence counts not"),
        pytest.param(4, 3, {BLUE: 4, YELLOW: 2}, BLUE, 5, 0, id="an aggressor wins by Resources"),
        pytest.param(4, 4, {YELLOW: 1, RED: 9}, RED, 3, 4, id="a memorable defence takes what there is"),
        pytest.param(6, 4, {YELLOW: 4, RED: 6}, RED, 10, 0, id="an aggressor wins in the second era"),
        pytest.param(8, 3, {BLUE: 2, YELLOW: 6}, YELLOW, 6, 0, id="a lead of four is not memorable"),
        pytest.param(8, 4, {YELLOW: 7, RED: 6}, YELLOW, 6, 0, id="a defender wins in the second era"),
        pytest.param(15, 3, {BLUE: 6, YELLOW: 5}, BLUE, 15, 0, id="one of two aggressors wins in the third era"),
        pytest.param(15, 4, {YELLOW: 7, RED: 6}, YELLOW, 9, 0, id="a defender wins in the third era"),
    ],
)
def test_a_war(
    turn: int, number: int, powers: Mapping[Seat, int], winner: Seat | None, culture: int, taken: int
) -> None:
    """4. Guerre 1.-3.  5/10/15 for an aggressor, 3/6/9 for a defender, by the era of the fight; by five: 7 more."""
    fought, gate = war(turn, number)
    assert (fought.powers, fought.winner) == (powers, winner)
    assert (fought.culture, fought.taken) == (culture, taken)
    gains = {winner: culture + taken, fought.loser: -taken}
    assert gate.change("culture", *SEATS) == tuple(gains.get(seat, 0) for seat in SEATS)
    spent = tuple(-fought.fuel.get(seat, {}).get("resource", 0) for seat in SEATS)
    assert gate.change("resource", *SEATS) == spent
    (home,) = closed(turn, f"home {number}").events_of(e.WorkerCameHome)
    assert (home.seat, home.cause) == (next(iter(powers)), "war")


def test_wars_are_fought_in_the_round_after_and_in_turn_order() -> None:
    """4.  Declared in one round, fought in the next; who has several says which comes first."""
    fought = [(turn, asked) for turn, asked in played().closed if asked.startswith("fuel")]
    assert fought == [
        *((2, "fuel 1"), (2, "fuel 4"), (3, "fuel 2"), (4, "fuel 4"), (4, "fuel 3"), (6, "fuel 4")),
        *((8, "fuel 3"), (8, "fuel 4"), (15, "fuel 3"), (15, "fuel 4")),
    ]


def test_an_alliance_calls_a_war_off() -> None:
    """4. Deux joueurs Alliés  What Green declared on Blue is not fought in the next round; its worker comes home."""
    assert closed(4, "negotiation 2").events_of(e.WarDeclared)
    assert [event.number for event in closed(5, "negotiation 7").events_of(e.WarCancelled)] == [2]
    assert [event.seat for event in closed(5, "home 2").events_of(e.WorkerCameHome)] == [GREEN]


def test_a_war_of_the_last_round_is_never_fought() -> None:
    """4. lors de la PROCHAINE Manche  Yellow pays two Resources in round 15 for nothing (A-26)."""
    assert closed(15, "negotiation 11").events_of(e.WarDeclared)[0].paid == {YELLOW: 2}
    assert (15, "fuel 11") not in played().closed


def test_aid_is_taken_or_refused() -> None:
    """2. Aide  Taken: the goods and 5 Culture; refused: 2, and they stay. Who has taken some offers none."""
    taken, refused = closed(1, "aid"), closed(2, "aid")
    assert taken.change("food", GREEN, BLUE) == (-3, 3)
    assert taken.change("culture", GREEN, BLUE) == (5, 0)
    assert [event.seat for event in played().events_of(e.AidOffered)] == [GREEN, BLUE]
    assert refused.change("culture", BLUE)[0] == 2
    assert [refused.change(good, BLUE) for good in ("food", "resource", "money")] == [(0,), (0,), (0,)]


@pytest.mark.parametrize(
    ("turn", "asked", "of", "good", "paid"),
    [
        pytest.param(1, "diplomacy", GREEN, "money", 3, id="Money"),
        pytest.param(2, "aid", YELLOW, "culture", 4, id="a lead of five, Culture"),
        pytest.param(3, "home 5", YELLOW, "money", 2, id="five Money of a player who has two"),
    ],
)
def test_a_threat(turn: int, asked: str, of: Seat, good: str, paid: int) -> None:
    """2. Menace  Military above the power of defence: 2 Culture or 3 Money; by five, 4 or 5; at most what is there."""
    gate = closed(turn, asked)
    assert gate.change(good, RED, of) == (paid, -paid)


def test_a_threat_needs_more_strength() -> None:
    """2. Menace  Yellow, with 1, cannot threaten Blue's 1 and 2."""
    assert played().refusals[1, "diplomacy", YELLOW] == ["too_weak"]


def test_an_alliance_is_broken_for_all_points_of_the_round() -> None:
    """2. Briser une Alliance  A vote a point, nothing after it; the worker comes home, and there is war again."""
    gate = closed(3, "diplomacy")
    assert gate.change("vote", BLUE) == (3,)
    assert played().refusals[3, "diplomacy", BLUE] == ["too_few_points"]
    home = closed(3, "home 5")
    assert [(event.seat, event.square) for event in home.events_of(e.WorkerCameHome)] == [(YELLOW, "K9")]
    assert [event.number for event in home.events_of(e.RouteGone)] == [5]
    assert closed(3, "negotiation 3").events_of(e.WarDeclared)[0].roles == {BLUE: RISING, YELLOW: CALM}
