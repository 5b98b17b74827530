"""The history and purchases of turns 2 and 3 of the rulebook's example of play, figure by figure."""

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import OLD, Piece
from engine.age_of_renaissance.catalogue import MISERY, WAIVERS
from engine.age_of_renaissance.events import AdvanceBought, CommodityPaid, MarkerReduced, Stabilised
from engine.age_of_renaissance.orders import Buy, Forfeit, Play, UpgradeShip
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    At,
    Went,
    advances,
    cash,
    control,
    game,
    hand,
    misery,
    order,
    piece,
    ship,
    tokens,
    told,
)
from tests.engine.age_of_renaissance.playing import cashes, closed, history, miseries, purchases


def turn_two() -> At:
    """The example at the start of the history of turn 2: yellow, violet, blue."""
    position = game()
    order(position, YELLOW, VIOLET, BLUE)
    control(position, YELLOW, "dubrovnik", "firenze")
    control(position, VIOLET, "lyon", "milano", "roma")
    control(position, BLUE, "montpellier", "san_sebastian", "valencia", "grenada", "toledo")
    for seat, ducats in ((YELLOW, 21), (VIOLET, 11), (BLUE, 16)):
        cash(position, seat, ducats)
    for seat, bought in ((YELLOW, 8), (VIOLET, 18), (BLUE, 21)):
        tokens(position, seat, bought)
    ship(position, VIOLET, Hull.GALLEY, 2)
    ship(position, BLUE, Hull.GALLEY, 2)
    advances(position, VIOLET, "N")
    hand(position, YELLOW, "crusades", "cloth_wine_1", "papal_bull")
    hand(position, VIOLET, "rebellion", "mysticism")
    hand(position, BLUE, "civil_war", "walter", "wool_1b", "stirrups", "charlemagne")
    return position


def history_of_turn_two() -> Went:
    """All three play; violet gives money for the Civil War."""
    went = history(
        turn_two(),
        {
            YELLOW: (Play("crusades", ("saint_jean_d_acre",)), Play("cloth_wine_1", good="cloth")),
            VIOLET: Play("rebellion", ("firenze",)),
            BLUE: (Play("civil_war", ("genoa",)), Play("walter")),
        },
    )
    return closed(went, f"civil_war/2/history/{VIOLET}", {VIOLET: Forfeit("money")})


def test_the_history_of_turn_two() -> None:
    """Example, turn 2  Cloth pays 20 and 5; Firenze and Genoa fall to a token; Civil War costs half of 11, 6 ducats."""
    went = history_of_turn_two()
    board = went.position.board
    assert cashes(went.position) == {"venezia": 41, "genoa": 10, "barcelona": 16}
    assert miseries(went.position) == {"venezia": 10, "genoa": 10, "barcelona": 0}
    assert board.at("saint_jean_d_acre", YELLOW) == Piece(marker=OLD)
    assert (board.at("firenze", YELLOW), board.at("genoa", VIOLET)) == (Piece(old=1), Piece(old=1))
    assert board.civil_war == (VIOLET,)


def test_the_purchases_of_turn_two() -> None:
    """Example, turn 2  Caravan and one ducat leave yellow 20; violet has no ducat for a card; R costs blue 10."""
    bought = {YELLOW: Buy(("I",)), VIOLET: UpgradeShip(), BLUE: Buy(("R",))}
    went = purchases(history_of_turn_two().position, bought)
    assert cashes(went.position) == {"venezia": 20, "genoa": 0, "barcelona": 0}
    assert [(e.letter, e.credits, e.paid) for e in told(went, AdvanceBought)] == [
        ("I", (), 20),
        ("R", (("walter", 30),), 10),
    ]
    assert [(e.cards, e.paid) for e in told(went, Stabilised)] == [(1, 1), (1, -1), (3, 6)]
    assert WAIVERS["example_violet_misery"].taken == MISERY[went.position.board.powers[VIOLET].misery] == 20


def turn_three() -> At:
    """The example at the start of the history of turn 3: blue, yellow, violet."""
    position = game(turn=3)
    order(position, BLUE, YELLOW, VIOLET)
    control(position, YELLOW, "dubrovnik")
    control(position, BLUE, "san_sebastian", "toledo", "bordeaux", "fez")
    piece(position, VIOLET, "bari", old=1)
    for seat, ducats in ((YELLOW, 30), (VIOLET, 15), (BLUE, 42)):
        cash(position, seat, ducats)
    misery(position, YELLOW, 10)
    ship(position, VIOLET, Hull.GALLEY, 4)
    ship(position, BLUE, Hull.GALLEY, 2)
    advances(position, YELLOW, "I")
    advances(position, VIOLET, "N")
    advances(position, BLUE, "R")
    hand(position, YELLOW, "rashid", "papal_bull")
    hand(position, VIOLET, "armor", "mysticism")
    hand(position, BLUE, "timber_1", "fur_1", "wool_1b", "benedict", "charlemagne", "stirrups", "stone_1a")
    return position


def history_of_turn_three() -> Went:
    """Blue plays five cards, yellow a leader, violet a weapon."""
    blue = tuple(Play(card) for card in ("timber_1", "fur_1", "wool_1b", "benedict", "charlemagne"))
    return history(turn_three(), {BLUE: blue, YELLOW: Play("rashid"), VIOLET: Play("armor")})


def test_the_history_of_turn_three() -> None:
    """Example, turn 3  Timber pays blue 12 and yellow 3, Fur nobody, Wool blue 8; the third leader is unprotected."""
    went = history_of_turn_three()
    assert [(e.seat, e.good, e.ducats) for e in told(went, CommodityPaid)] == [
        (BLUE, "timber", 12),
        (YELLOW, "timber", 3),
        (BLUE, "wool", 8),
    ]
    assert [(leader.card, leader.box) for leader in went.position.board.leaders] == [
        ("benedict", 1),
        ("charlemagne", 2),
        ("rashid", 0),
    ]
    assert went.position.board.powers[VIOLET].weapons == ("armor",)
    assert told(went, MarkerReduced) == []


def test_the_purchases_of_turn_three() -> None:
    """Example, turn 3  Vassal costs 40 and leaves blue 22; Silk Road costs yellow 30; violet keeps 4 after Galley 6."""
    bought = {BLUE: Buy(("W",)), YELLOW: Buy(("R",)), VIOLET: UpgradeShip()}
    went = purchases(history_of_turn_three().position, bought)
    assert [(e.letter, e.paid) for e in told(went, AdvanceBought)] == [("W", 40), ("R", 30)]
    paid = {e.seat: e.paid for e in told(went, Stabilised)}
    assert cashes(went.position)["barcelona"] + paid[BLUE] == WAIVERS["example_bleu_two_left"].taken == 22
    assert (cashes(went.position)["venezia"], cashes(went.position)["genoa"]) == (2, 4)
    assert went.position.board.powers[VIOLET].ship == Ship(Hull.GALLEY, 6)
