"""§9.6  Phase 6: income, and the markets of the next turn."""

from collections.abc import Mapping, Sequence

import pytest

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import GOODS, PROVINCES
from engine.age_of_renaissance.events import CardDrawn, IncomeTaken, MarketMoved, MarketRolled, MiseryMoved, Paid
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
    misery,
    piece,
    pile,
    sound,
)

Roll = tuple[int, int, int]
STONE: Roll = (4, 1, 1)
"""A surplus that nobody is hit by: in these positions nobody produces stone."""


def rolls(first: Roll, second: Roll, turn: int = 2) -> dict[str, int | Sequence[object]]:
    """Two throws of the three dice: green, black, white."""
    colours = ("green", "black", "white")
    return {
        f"market/{turn}/{n}/{colour}": number
        for n, throw in ((1, first), (2, second))
        for colour, number in zip(colours, throw, strict=True)
    }


def took(position: At, script: Mapping[str, int | Sequence[object]] | None = None) -> dict[Seat, IncomeTaken]:
    """The incomes of a phase."""
    return {e.seat: e for e in events_of(enter(position, Phase.INCOME, script or rolls(STONE, STONE)), IncomeTaken)}


def test_income_is_fifteen_and_as_many_ducats_a_province_as_players_began() -> None:
    """§9.6, §9.4.4, example  With three players six provinces bring 33 ducats, four 27, three 24; tokens nothing.

    It goes by the players who began, also when one of them is out.
    """
    position = game()
    control(position, YELLOW, "montpellier", "toledo", "valencia", "granada", "san_sebastian")
    control(position, VIOLET, "lyon", "milano", "roma")
    control(position, BLUE, "dubrovnik", "firenze")
    piece(position, BLUE, "marseille", old=3)
    incomes = took(position)
    assert [incomes[seat].base for seat in (YELLOW, VIOLET, BLUE)] == [33, 27, 24]
    position = game(4)
    position.board.powers[RED].eliminated = True
    assert {seat: taken.base for seat, taken in took(position).items()} == {YELLOW: 19, VIOLET: 19, BLUE: 19}


@pytest.mark.parametrize(("cash_held", "bank"), [(108, 100), (60, 60), (0, 0)])
def test_a_bank_doubles_the_cash_up_to_the_income(cash_held: int, bank: int) -> None:
    """§9.6 Banque  With 17 provinces of five players' 100 ducats come; 108 ducats double by 100, 60 by 60."""
    position = game(5)
    control(
        position, YELLOW, *[p for p in PROVINCES if not PROVINCES[p].satellite and p not in position.board.pieces][:16]
    )
    advances(position, YELLOW, "L")
    cash(position, YELLOW, cash_held)
    taken = took(position)[YELLOW]
    assert (taken.base, taken.bank) == (100, bank)


def test_the_middle_class_adds_ten_ducats_and_raises_the_limit_of_the_bank() -> None:
    """§9.6 Bourgeoisie  18 and 10 ducats; the bank doubles up to 28."""
    position = game()
    advances(position, YELLOW, "LZ")
    cash(position, YELLOW, 100)
    went = enter(position, Phase.INCOME, rolls(STONE, STONE))
    taken = events_of(went, IncomeTaken)[0]
    assert (taken.base, taken.middle, taken.bank) == (18, 10, 28)
    assert went.position.board.powers[YELLOW].cash == 156


def test_enlightenment_lowers_misery_by_a_step() -> None:
    """§9.6 Siècle des lumières  Its owner goes down a box each income phase, never below 0."""
    position = game()
    advances(position, YELLOW, "D")
    advances(position, VIOLET, "D")
    misery(position, YELLOW, 100)
    moved = events_of(enter(position, Phase.INCOME, rolls(STONE, STONE)), MiseryMoved)
    assert [(e.seat, e.before - e.after, e.cause) for e in moved] == [(YELLOW, 1, "D")]


def test_the_example_of_two_surpluses() -> None:
    """§9.6.1, example turn 1  Green 4 and 3 strike wool, green 5 and 7 wine: the greatest producer pays 2 and 1."""
    position = game()
    control(position, BLUE, "toledo", "san_sebastian")
    went = enter(position, Phase.INCOME, rolls((4, 1, 2), (5, 2, 5)))
    rolled = [(event.goods, event.shift) for event in events_of(went, MarketRolled)]
    assert rolled == [(("wool",), -1), (("wine",), -1)]
    assert [(e.seat, e.ducats, e.cause) for e in events_of(went, Paid)] == [(BLUE, 2, "surplus"), (BLUE, 1, "surplus")]
    assert went.position.board.markets == {"wool": -1, "wine": -1}
    sound(went.position)


@pytest.mark.parametrize("good", [good for good in GOODS if good not in ("gold", "ivory")])
def test_each_sum_strikes_its_good(good: str) -> None:
    """§9.6.1  Black and white together name the line of the table, from 2 for stone downwards."""
    number = GOODS[good].die
    throw = (1, number - min(number - 1, 6), min(number - 1, 6))
    other = STONE if good != "stone" else (4, 1, 2)
    assert events_of(enter(game(), Phase.INCOME, rolls(throw, other)), MarketRolled)[0].goods == (good,)


def test_a_twelve_strikes_gold_and_ivory() -> None:
    """§9.6.1, R19  The greatest producer of each draws, or pays, for each."""
    position = game()
    control(position, YELLOW, "suez", "praha")
    control(position, VIOLET, "tripoli")
    went = enter(position, Phase.INCOME, rolls((3, 6, 6), STONE))
    assert events_of(went, MarketRolled)[0].goods == ("gold", "ivory")
    assert [event.seat for event in events_of(went, CardDrawn)] == [YELLOW, VIOLET]
    assert went.position.board.markets == {"gold": 1, "ivory": 1, "stone": -1}


@pytest.mark.parametrize(
    ("first", "second", "before", "drawn", "paid", "markets"),
    [
        ((1, 1, 6), STONE, {}, [BLUE], [], {"wine": 1, "stone": -1}),
        ((2, 1, 5), STONE, {}, [], [], {"cloth": 1, "stone": -1}),
        ((4, 4, 5), STONE, {}, [], [], {"fur": -1, "stone": -1}),
        ((1, 1, 6), (2, 3, 4), {}, [BLUE, BLUE], [], {"wine": 2}),
        ((1, 1, 6), (4, 3, 4), {}, [], [], {}),
        ((4, 1, 6), (5, 1, 6), {}, [], [(BLUE, 3), (BLUE, 3)], {"wine": -2}),
        ((4, 1, 6), STONE, {"wine": 1}, [], [(BLUE, 3)], {"wine": -1, "stone": -1}),
    ],
)
def test_what_a_market_brings(
    first: Roll,
    second: Roll,
    before: dict[str, int],
    drawn: list[Seat],
    paid: list[tuple[Seat, int]],
    markets: dict[str, int],
) -> None:
    """§9.6.1, R19, R43, examples  The greatest producer of a shortage draws, of a surplus pays a ducat a province from
    the income just taken: each time; among equals nobody. Of one roll they make up for each other, an old one for none.
    """
    position = game(4)
    control(position, BLUE, "marseille", "lisboa")
    control(position, RED, "strasbourg", "bordeaux")
    position.board.powers[RED].eliminated = True
    cash(position, BLUE, 0)
    position.board.markets = dict(before)
    went = enter(position, Phase.INCOME, rolls(first, second))
    assert [event.seat for event in events_of(went, CardDrawn)] == drawn
    assert [(event.seat, event.ducats) for event in events_of(went, Paid)] == paid
    assert went.position.board.markets == markets
    sound(went.position)


def test_markets_of_this_turn_end_when_those_of_the_next_are_rolled() -> None:
    """§9.6.1  A shortage lasts until a card of it is played, or the turn after its roll ends."""
    position = game()
    position.board.markets = {"wine": 1, "wool": -2}
    went = enter(position, Phase.INCOME, rolls((4, 1, 6), STONE))
    gone = [(event.good, event.by) for event in events_of(went, MarketMoved) if event.cause == "expired"]
    assert gone == [("wine", -1), ("wool", 2)]
    assert went.position.board.markets == {"wine": -1, "stone": -1}


def test_on_the_last_turn_older_markets_still_count_in_the_last_card_play() -> None:
    """§9.6.1, §11.1  The turn is not over before its last cards are played, so its markets stay beside the new ones."""
    position = game()
    position.board.last_turn = "last_card"
    position.board.markets = {"wine": 1, "cloth": -1}
    went = enter(position, Phase.INCOME, rolls((1, 1, 6), (2, 1, 5)))
    assert went.position.board.markets == {"wine": 2}


def test_a_shortage_may_draw_the_last_card() -> None:
    """R26  The card of a shortage counts: if it is the last, the turn is the last."""
    position = game()
    pile(position, "silk_3", epoch=3)
    went = enter(position, Phase.INCOME, rolls((1, 1, 6), (2, 1, 6)))
    assert [event.seat for event in events_of(went, CardDrawn)] == [BLUE]
    assert went.position.board.last_turn == "last_card"
