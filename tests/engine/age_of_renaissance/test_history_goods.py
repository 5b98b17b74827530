"""§9.3.1  What commodity cards pay, and what becomes of shortages and surpluses."""

import pytest

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import CARDS, GOODS, PRODUCERS, Card, Kind
from engine.age_of_renaissance.events import CardPlayed, CommodityPaid, MarketMoved
from engine.age_of_renaissance.orders import Play
from engine.kernel.events import LineFailed
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    advances,
    control,
    enter,
    events_of,
    game,
    hand,
    piece,
    play,
)
from tests.engine.age_of_renaissance.phase_play import cashes, code, history, plays

SINGLE = [c for c in CARDS.values() if c.kind is Kind.COMMODITY and len(c.goods) == 1]
DOUBLE = [(c, good) for c in CARDS.values() if len(c.goods) > 1 for good in c.goods]


@pytest.mark.holds("age_of_renaissance", "card", *(c.id for c in CARDS.values() if c.kind is Kind.COMMODITY))
@pytest.mark.parametrize("card", SINGLE, ids=lambda card: card.id)
def test_each_commodity_card_pays_for_its_own_good(card: Card) -> None:
    """§9.3.1, A1  Every one of the 25 single cards pays base value times provinces squared, and is discarded."""
    position = game(6)
    good = GOODS[card.goods[0]]
    free = [p for p in sorted(PRODUCERS[good.id]) if p not in position.board.pieces]
    control(position, YELLOW, *free[:2])
    before = position.board.controls(YELLOW, good.id)
    went = plays(position, YELLOW, card.id)
    paid = next(e for e in events_of(went, CommodityPaid) if e.seat == YELLOW)
    assert (paid.good, paid.provinces, paid.ducats) == (good.id, before, good.base * before * before)
    assert went.position.board.discard[-1] == card.id


@pytest.mark.parametrize(("card", "good"), DOUBLE, ids=lambda thing: getattr(thing, "id", thing))
def test_a_double_card_pays_for_the_good_chosen(card: Card, good: str) -> None:
    """§7.1  Cloth/Wine and Ivory/Gold pay for one of their two goods, as their player says."""
    position = game(6)
    other = next(g for g in card.goods if g != good)
    for wanted in (good, other):
        control(position, VIOLET, *[p for p in sorted(PRODUCERS[wanted]) if p not in position.board.pieces][:1])
    went = plays(position, VIOLET, card.id, good=good)
    assert {e.good for e in events_of(went, CommodityPaid)} == {good}
    assert events_of(went, CardPlayed)[0].good == good


def test_a_double_card_without_its_good_is_refused() -> None:
    """§7.1  The choice must be made: a double card without its good, or with a wrong one, is refused."""
    position = game()
    hand(position, YELLOW, "cloth_wine_1", "wool_1a")
    assert code(position, YELLOW, "history", Play("cloth_wine_1")) == "which_good"
    assert code(position, YELLOW, "history", Play("cloth_wine_1", good="gold")) == "wrong_good"
    assert code(position, YELLOW, "history", Play("wool_1a", good="wool")) == ""
    assert code(position, YELLOW, "history", Play("wool_1a", ("roma",))) == "no_target"


@pytest.mark.parametrize(
    ("market", "letters", "barcelona", "paris"),
    [(0, "", 45, 5), (-1, "", 20, 0), (1, "", 80, 20), (0, "M", 45, 20)],
)
def test_the_example_of_the_wine_market(market: int, letters: str, barcelona: int, paris: int) -> None:
    """§9.3.1, §9.6.1  Three provinces of wine bring 45 ducats, one 5; in a surplus 20 and 0, in a shortage 80 and 20.

    Manufactures pay as for one province more, and nothing where there is none.
    """
    position = game(4)
    control(position, BLUE, "lisboa", "marseille")
    control(position, YELLOW, "strasbourg")
    for seat in (YELLOW, VIOLET):
        advances(position, seat, letters)
    position.board.markets = {"wine": market} if market else {}
    after = cashes(plays(position, YELLOW, "wine_2").position)
    assert after == {"venezia": 40 + paris, "genoa": 40, "barcelona": 40 + barcelona, "paris": 40}


def test_one_card_uses_up_one_market_marker() -> None:
    """§9.6.1  The first card of a good ends its shortage: the second one pays the plain price."""
    position = game(4)
    control(position, YELLOW, "strasbourg")
    position.board.markets = {"wine": 1}
    hand(position, YELLOW, "wine_2", "wine_3")
    went = history(position, {YELLOW: (Play("wine_2"), Play("wine_3"))})
    assert [e.ducats for e in events_of(went, CommodityPaid) if e.seat == YELLOW] == [20, 5]
    assert [e.by for e in events_of(went, MarketMoved)] == [-1]
    assert went.position.board.markets == {}
    assert [e.left for e in events_of(went, MarketMoved)] == [0]
    position.board.markets = {"wine": 2}
    went = history(position, {YELLOW: (Play("wine_2"), Play("wine_3"))})
    assert [e.left for e in events_of(went, MarketMoved)] == [1, 0]


def test_two_of_a_kind_last_for_two_cards_and_do_not_add_up() -> None:
    """§9.6.1  Two surpluses of one good last until two cards are played, each lowering by one box only."""
    position = game(4)
    control(position, BLUE, "lisboa", "marseille")
    position.board.markets = {"wine": -2}
    hand(position, YELLOW, "wine_2", "wine_3", "cloth_wine_1")
    went = history(position, {YELLOW: (Play("wine_2"), Play("wine_3"), Play("cloth_wine_1", good="wine"))})
    assert [e.ducats for e in events_of(went, CommodityPaid) if e.seat == BLUE] == [20, 20, 45]


@pytest.mark.holds("age_of_renaissance", "ruling", "R24")
def test_the_tenth_box_is_the_most() -> None:
    """R24  Nine provinces of wool with Manufactures and a shortage pay the tenth box, 200 ducats."""
    position = game(6)
    advances(position, YELLOW, "M")
    for province in sorted(PRODUCERS["wool"]):
        position.board.pieces.pop(province, None)
        for power in position.board.powers.values():
            power.markers = 25 - sum(piece.controls for _, piece in position.board.held(power.seat))
        control(position, YELLOW, province)
    position.board.markets = {"wool": 1}
    went = plays(position, YELLOW, "wool_1a")
    assert [e.ducats for e in events_of(went, CommodityPaid)] == [200]


def test_tokens_earn_nothing_and_the_eliminated_neither() -> None:
    """§9.3.1, §9.4.4  Only control markers of players still in the game are paid for."""
    position = game(4)
    piece(position, VIOLET, "strasbourg", old=1)
    control(position, BLUE, "lisboa")
    position.board.powers[BLUE].eliminated = True
    assert events_of(plays(position, YELLOW, "wine_2"), CommodityPaid) == []


def test_another_card_of_the_same_name_will_do() -> None:
    """A1  Two cards that show the same go by one name, and each can be played once."""
    position = game()
    hand(position, YELLOW, "wool_1b")
    went = history(position, {YELLOW: (Play("wool_1a"), Play("wool_1a"))})
    assert [e.card for e in events_of(went, CardPlayed)] == ["wool_1b"]
    lapsed = events_of(went, LineFailed)
    assert [(e.reasons[0].code, e.visible_to) for e in lapsed] == [("not_in_hand", frozenset({YELLOW}))]


def test_cards_are_played_in_the_order_of_play() -> None:
    """§9.3  All who hold a card are asked at once, in the pace `order` each when the one before has played; one
    player's cards come in the order in which they wrote them. Wool may be played although nobody produces it.
    """
    position = game(pace="order")
    hand(position, YELLOW, "wool_1a", "wool_1b")
    hand(position, BLUE, "stone_1a")
    opened = enter(position, Phase.HISTORY)
    assert [d.seat for d in opened.position.core.questions] == [YELLOW]
    went = play(opened.position, f"history/2/{YELLOW}", {YELLOW: (Play("wool_1a"), Play("wool_1b"))})
    assert [d.seat for d in went.position.core.questions] == [BLUE]
    assert [e.card for e in events_of(went, CardPlayed)] == ["wool_1a", "wool_1b"]
    assert events_of(went, CommodityPaid) == []
    position.core.options = {**position.core.options, "pace": "sealed"}
    opened = enter(position, Phase.HISTORY)
    assert [(d.gate, d.seat) for d in opened.position.core.questions] == [("history/2", YELLOW), ("history/2", BLUE)]
    went = play(opened.position, "history/2", {BLUE: Play("stone_1a"), YELLOW: Play("wool_1b")})
    assert [e.card for e in events_of(went, CardPlayed)] == ["wool_1b", "stone_1a"]
