"""The rulebook's example of play: its three expansions, one after the other on the same board."""

import pytest

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import Piece
from engine.age_of_renaissance.catalogue import WAIVERS
from engine.age_of_renaissance.events import CardDrawn, RivalryFought
from engine.age_of_renaissance.orders import Attack, BuyCard, Exchange, Place
from engine.kernel.names import Seat
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import At, Went, told
from tests.engine.age_of_renaissance.expanding import Sets, again, answer, at, carry, field, give, power, put, rolls

BLUE, VIOLET, YELLOW = Seat("blue"), Seat("violet"), Seat("yellow")
GALLEY_2, GALLEY_4, GALLEY_6 = (Ship(Hull.GALLEY, level) for level in (2, 4, 6))


def places(**tokens: int) -> list[Place]:
    """PLACE orders by province."""
    return [Place(province, count) for province, count in tokens.items()]


def controlled(seen: At, colour: str) -> int:
    """How many provinces a power controls."""
    return seen.board.provinces(Seat(colour))


def first() -> Went:
    """Turn 1: Blue, Violet, Yellow with 14, 17 and 20 tokens."""
    seen = field("blue", "violet", "yellow")
    give(seen, "blue", tokens=14, ship=GALLEY_2)
    give(seen, "violet", tokens=17, ship=GALLEY_2)
    give(seen, "yellow", tokens=20)
    sets: Sets = {
        "blue": places(
            montpellier=2, san_sebastian=2, valencia=2, grenada=2, toledo=3, marseille=1, toulouse=1, palma=1
        ),
        "violet": places(lyon=4, firenze=4, milano=3, roma=4, napoli=2),
        "yellow": [Place("dubrovnik", 3), again(Attack("firenze", 8), 2)],
    }
    return carry(seen, sets, rolls("yellow", "firenze", (1, 5, 6), (1, 5, 3)), close=True)


def next_turn(went: Went, *order: str) -> At:
    """What lasts a turn is over, and the order of play is a new one."""
    seen = went.position
    for held in seen.board.powers.values():
        held.landed, held.fought, held.card_bought = {}, {}, False
    seen.board.cards_bought = 0
    build.order(seen, *(Seat(colour) for colour in order))
    return seen


def second() -> Went:
    """Turn 2: after Crusades, Rebellion and Civil War, Yellow, Blue and Violet with 8, 21 and 18 tokens."""
    seen = next_turn(first(), "yellow", "blue", "violet")
    put(seen, "yellow", "saint_jean_d_acre", marker="old")
    put(seen, "yellow", "firenze", old=1)
    put(seen, "violet", "genoa", old=1)
    give(seen, "yellow", tokens=8, advances="I")
    give(seen, "blue", tokens=21, advances="R")
    give(seen, "violet", tokens=18, advances="N", ship=GALLEY_4)
    sets: Sets = {
        "yellow": places(firenze=3, belgrad=2, suez=3),
        "blue": [
            *places(lisboa=3, sevilla=3, leon=1, marseille=4, bordeaux=4, fez=2, oran=1),
            BuyCard(),
        ],
        "violet": places(genoa=4, napoli=3, bari=1, palermo=2, tunis=4, tripoli=2, durazzo=1, corfu=1),
    }
    return carry(seen, sets, close=True)


def third() -> Went:
    """Turn 3: Blue, Yellow and Violet with 6, 23 and 24 tokens, Violet in armour, up to the exchange of cards."""
    seen = next_turn(second(), "blue", "yellow", "violet")
    give(seen, "blue", tokens=6, advances="RW")
    give(seen, "yellow", tokens=23, advances="IR")
    give(seen, "violet", tokens=24, advances="N", ship=GALLEY_6, weapons=("armor",))
    build.hand(seen, YELLOW, "papal_bull")
    build.hand(seen, VIOLET, "mysticism")
    sets: Sets = {
        "blue": [*places(algiers=2, cagliari=1), BuyCard()],
        "yellow": [
            *places(alexandria=5, cairo=4, aleppo=4, levant=1, jerusalem=1),
            again(Attack("durazzo", 3), 2),
            Place("saloniki", 2),
        ],
        "violet": [
            *places(smyrna=2, constantinople=4, heraklion=3, athina=1, galipoli=1, adalia=1),
            again(Attack("grenada", 3), 3),
            Attack("belgrad", 3),
            *places(barca=1, lybia=1),
            Attack("durazzo", 1),
        ],
    }
    return carry(seen, sets, THIRD_DICE, close=True)


THIRD_DICE = {
    **rolls("yellow", "durazzo", (2, 3, 3), (5, 3, 3)),
    **rolls("violet", "grenada", (1, 3, 4), (1, 1, 5)),
    **rolls("violet", "belgrad", (1, 2, 1)),
}
"""The second throw at Durazzo wins by a green die above 4: the text's 3 is a slip (`example_green_three`)."""
SWAP = "manuscripts/5/belgrad/violet"


def exchanged() -> Went:
    """Turn 3 to its end: Violet gives Mysticism for Papal Bull, and fails at Durazzo with the last token."""
    draws = {SWAP: 1, **rolls("violet", "durazzo", (1, 1, 2))}
    return answer(third(), SWAP, {"violet": [Exchange(("mysticism",))]}, draws)


@pytest.mark.parametrize(
    ("colour", "markers", "tokens"),
    [
        (
            "blue",
            ["barcelona", "montpellier", "san_sebastian", "valencia", "grenada", "toledo"],
            {"marseille": 1, "toulouse": 1, "palma": 1},
        ),
        ("violet", ["genoa", "lyon", "milano", "roma"], {"napoli": 2}),
        ("yellow", ["venezia", "dubrovnik", "firenze"], {}),
    ],
)
def test_the_board_after_the_first_expansion(colour: str, markers: list[str], tokens: dict[str, int]) -> None:
    """Example of play, turn 1  Each power holds what the text says, all turned to the old side."""
    went = first()
    held = dict(went.position.board.held(Seat(colour)))
    assert {p: piece for p, piece in held.items() if piece.controls} == dict.fromkeys(markers, Piece(marker="old"))
    assert {p: piece for p, piece in held.items() if not piece.controls} == {p: Piece(old=n) for p, n in tokens.items()}
    build.sound(went.position)


def test_firenze_falls_at_the_second_throw() -> None:
    """Example of play, turn 1  Eight tokens against a marker in a province of four: lost 5 to 6, won 5 to 3."""
    fought = told(first(), RivalryFought)
    assert [(e.strength, e.against, e.rank, e.won) for e in fought] == [
        (8, ((VIOLET, 4),), 6, False),
        (8, ((VIOLET, 4),), 6, True),
    ]
    assert power(first(), "yellow").stock == 36


def test_the_first_bonus_goes_to_blue() -> None:
    """Example of play, turn 1  Five new markers against three and two: Blue draws."""
    assert [(e.seat, e.cause) for e in told(first(), CardDrawn)] == [(BLUE, "bonus")]


def test_the_board_after_the_second_expansion() -> None:
    """Example of play, turn 2  Eleven provinces for Blue, eight for Violet, six for Yellow, and no fight."""
    went = second()
    assert [controlled(went.position, c) for c in ("blue", "violet", "yellow")] == [11, 8, 6]
    assert told(went, RivalryFought) == []
    assert [at(went, p, "violet") for p in ("bari", "durazzo", "corfu")] == [Piece(old=1)] * 3
    assert [power(went, c).expansion for c in ("blue", "violet", "yellow")] == [0, 0, 0]
    build.sound(went.position)


def test_blue_buys_a_card_and_wins_the_tie_for_the_bonus() -> None:
    """Example of play, turn 2  Three tokens for the first card; five markers each, and Blue played before Violet."""
    drawn = [(e.seat, e.cause, e.tokens) for e in told(second(), CardDrawn)]
    assert drawn == [(BLUE, "expansion", 3), (BLUE, "bonus", 0)]


def test_durazzo_opens_the_way_to_saloniki() -> None:
    """Example of play, turn 3  Three tokens against one in armour; lost on a tie that Armour decides, then won."""
    fought = [e for e in told(third(), RivalryFought) if e.seat == YELLOW]
    assert [(e.province, e.strength, e.against, e.rank, e.won) for e in fought] == [
        ("durazzo", 3, ((VIOLET, 2),), 4, False),
        ("durazzo", 3, ((VIOLET, 2),), 4, True),
    ]
    assert at(third(), "saloniki", "yellow") == Piece(marker="new")
    assert WAIVERS["example_green_three"].taken is False


def test_violet_fails_twice_at_grenada_and_takes_belgrad() -> None:
    """Example of play, turn 3  Three tokens and Armour against a marker of two; Galley 6 lands no third try."""
    fought = [e for e in told(third(), RivalryFought) if e.seat == VIOLET]
    assert [(e.province, e.strength, e.against, e.won) for e in fought] == [
        ("grenada", 4, ((BLUE, 2),), False),
        ("grenada", 4, ((BLUE, 2),), False),
        ("belgrad", 4, ((YELLOW, 2),), True),
    ]
    assert power(third(), "violet").landed["grenada"] == 6


def test_manuscripts_bring_papal_bull() -> None:
    """Example of play, turn 3  Mysticism goes to Yellow, Papal Bull to Violet."""
    went = exchanged()
    assert build.held(went.position, VIOLET) == ("papal_bull",)
    assert "mysticism" in build.held(went.position, YELLOW)


def test_the_board_after_the_third_expansion() -> None:
    """Example of play, turn 3  Incomes of 51, 51 and 42 follow from twelve, twelve and nine provinces."""
    went = exchanged()
    assert [controlled(went.position, c) for c in ("blue", "violet", "yellow")] == [12, 12, 9]
    assert [at(went, "durazzo", c) for c in ("yellow", "violet")] == [Piece(old=1), Piece()]
    assert at(went, "grenada", "blue") == Piece(marker="old")
    assert [at(went, p, "violet") for p in ("barca", "lybia", "athina")] == [Piece(old=1)] * 3
    build.sound(went.position)


def test_the_third_bonus_goes_to_yellow() -> None:
    """Example of play, turn 3  Four new markers each for Violet and Yellow: Yellow played first."""
    drawn = [(e.seat, e.cause) for e in (*told(third(), CardDrawn), *told(exchanged(), CardDrawn))]
    assert drawn == [(BLUE, "expansion"), (YELLOW, "bonus")]
