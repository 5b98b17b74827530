"""§9.1  Phase 1: markets paid away, Mills, withheld cards, one card each."""

import pytest

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import GOODS, WITHHELD
from engine.age_of_renaissance.events import CardDrawn, LastTurnCame, MarketMoved, PileMade
from engine.age_of_renaissance.orders import CancelMarkets, Mill
from engine.kernel.orders import Pace
from engine.kernel.secrets import redact, truth
from engine.kernel.viewers import PUBLIC, Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    At,
    advances,
    cash,
    enter,
    events_of,
    game,
    held,
    pile,
    play,
    refused,
    sound,
)
from tests.engine.age_of_renaissance.phase_play import code


def with_markets(cash: str = "public") -> At:
    """A game with a surplus of wine and two shortages of cloth."""
    position = game(cash=cash)
    position.board.markets = {"wine": -1, "cloth": 2}
    return position


def test_everybody_draws_one_card_in_the_order_of_play() -> None:
    """§9.1  Each player takes the top card of the pile in turn, and nobody else learns which."""
    position = game()
    went = enter(position, Phase.DRAW)
    drawn = events_of(went, CardDrawn)
    assert [event.seat for event in drawn] == [YELLOW, VIOLET, BLUE]
    with truth():
        assert [held(went.position, event.seat)[0] for event in drawn] == [c.value for c in position.board.deck[:3]]
    assert not isinstance(redact(drawn[0], VIOLET).card.held, str)
    assert not isinstance(redact(drawn[0], PUBLIC).card.held, str)
    sound(went.position)


@pytest.mark.holds("age_of_renaissance", "ruling", "R25")
@pytest.mark.holds("age_of_renaissance", "option", "withheld=turn_3")
@pytest.mark.parametrize(
    ("players", "turn", "option"),
    [(3, 1, "turn_2"), (4, 1, "turn_2"), (5, 2, "turn_2"), (6, 2, "turn_2"), (5, 3, "turn_3")],
)
def test_the_withheld_cards_come_back(players: int, turn: int, option: str) -> None:
    """§8.1, R25  The five cards are shuffled in before the draw of turn 1 with up to four players, else of turn 2
    or by option of turn 3.
    """
    position = game(players, turn=turn, withheld=option)
    position.board.withheld = WITHHELD
    position.board.deck = tuple(card for card in position.board.deck if card.held not in WITHHELD)
    went = enter(position, Phase.DRAW)
    assert [event.cause for event in events_of(went, PileMade)] == ["withheld"]
    assert went.position.board.withheld == ()
    assert not any(card.known_to for card in went.position.board.deck)
    sound(went.position)
    position.board.turn -= 1
    assert not events_of(enter(position, Phase.DRAW), PileMade)


def test_no_card_is_the_last_while_five_are_withheld() -> None:
    """§8.1, R26  An empty pile of epoch 1 does not end a game of that epoch before the five cards came."""
    position = game(6, turn=1, epochs="1")
    keep = position.board.withheld
    pile(position, "stone_1a", "stone_1b", epoch=1)
    assert position.board.withheld == keep
    went = enter(position, Phase.DRAW)
    assert [event.seat for event in events_of(went, CardDrawn)] == list(position.board.order[:2])
    assert not events_of(went, LastTurnCame)


@pytest.mark.holds("age_of_renaissance", "option", "epochs=1-2", "epochs=1")
def test_the_agreed_epoch_has_its_own_last_card() -> None:
    """§11, R32  In a game of epochs 1 and 2 the last card of epoch 2 ends it, under a name of its own."""
    position = game(epochs="1-2")
    pile(position, "silk_2", epoch=2)
    assert [event.reason for event in events_of(enter(position, Phase.DRAW), LastTurnCame)] == ["epoch_over"]


def test_an_empty_pile_is_followed_by_the_next_epoch_with_the_discards() -> None:
    """§4.7  Cards of the next epoch and the discards make the new pile, whose first card begins the epoch."""
    position = game()
    pile(position, "silk_1", epoch=1)
    position.board.removed = tuple(card for card in position.board.removed if card != "stone_1a")
    position.board.discard = ("stone_1a",)
    went = enter(position, Phase.DRAW)
    made = events_of(went, PileMade)
    assert [(event.epoch, event.cause, len(event.deck)) for event in made] == [(2, "epoch", 1 + 22)]
    assert went.position.board.discard == ()
    assert went.position.board.epoch == 2


def test_the_first_player_alone_is_asked_about_markets() -> None:
    """§9.1  Only the first player may pay markets away, and only if there are any."""
    went = enter(with_markets(), Phase.DRAW)
    assert [(d.seat, d.topic, d.pace) for d in went.position.core.questions] == [(YELLOW, "surplus", Pace.REACTION)]
    assert enter(game(), Phase.DRAW).position.core.questions == ()


@pytest.mark.holds("age_of_renaissance", "topic", "surplus")
@pytest.mark.holds("age_of_renaissance", "ruling", "R19")
@pytest.mark.holds("age_of_renaissance", "option", "pair_cost=10")
@pytest.mark.parametrize(
    ("pair_cost", "markets", "goods", "rest", "left"),
    [
        ("20", {"wine": -1, "cloth": 2}, ("wine", "cloth"), {"cloth": 1}, 30),
        ("20", {"wine": -1, "cloth": 2}, ("cloth", "cloth"), {"wine": -1}, 30),
        ("20", {"gold": 1, "ivory": 1}, ("ivory", "gold"), {}, 20),
        ("10", {"gold": 1, "ivory": 1}, ("ivory", "gold"), {}, 30),
        ("10", {"gold": 1, "ivory": 1}, ("ivory",), {"gold": 1}, 30),
        ("20", {"wine": -1}, (), {"wine": -1}, 40),
    ],
)
def test_a_market_goes_for_its_base_value(
    pair_cost: str, markets: dict[str, int], goods: tuple[str, ...], rest: dict[str, int], left: int
) -> None:
    """§9.1, R19  Five ducats for wine or for each shortage of cloth; gold and ivory 20 together, or 10 by option."""
    position = game(pair_cost=pair_cost)
    position.board.markets = dict(markets)
    position = enter(position, Phase.DRAW).position
    went = play(position, position.core.gates()[0], {YELLOW: CancelMarkets(goods)} if goods else {})
    assert {event.cause for event in events_of(went, MarketMoved)} == ({"cancelled"} if goods else set())
    assert sum(event.ducats for event in events_of(went, MarketMoved)) == 40 - left
    assert (went.position.board.markets, went.position.board.powers[YELLOW].cash) == (rest, left)
    assert len(events_of(went, CardDrawn)) == 3


@pytest.mark.parametrize(
    ("seat", "ducats", "goods", "reason"),
    [
        (YELLOW, 40, ("wine", "wine"), "no_market"),
        (YELLOW, 40, ("fur",), "no_market"),
        (YELLOW, 40, ("bread",), "no_such_good"),
        (YELLOW, 40, ("cloth", "cloth"), ""),
        (YELLOW, 4, ("wine",), "too_dear"),
        (VIOLET, 40, ("wine",), "not_first"),
    ],
)
def test_what_can_be_cancelled(seat: Seat, ducats: int, goods: tuple[str, ...], reason: str) -> None:
    """§9.1  The first player cancels no more markers of a good than lie there, and no more than they can pay."""
    position = with_markets()
    cash(position, YELLOW, ducats)
    assert code(position, seat, "surplus", CancelMarkets(goods)) == reason


def test_who_cannot_pay_for_any_market_is_not_asked_while_cash_is_open() -> None:
    """R33  With open cash the question is idle; with piled cash leaving it out would tell that the till is empty."""
    position = with_markets()
    cash(position, YELLOW, 4)
    assert enter(position, Phase.DRAW).position.core.questions == ()
    piled = with_markets(cash="piled")
    cash(piled, YELLOW, 4)
    assert enter(piled, Phase.DRAW).position.core.questions


@pytest.mark.holds("age_of_renaissance", "ruling", "R20")
@pytest.mark.holds("age_of_renaissance", "topic", "mills")
def test_mills_are_asked_of_the_holder_who_plays_latest() -> None:
    """§9.1, R20  Of two holders of Mills the one with the higher rank adjusts a market, after the first player."""
    position = with_markets()
    advances(position, YELLOW, "J")
    advances(position, VIOLET, "J")
    position = enter(position, Phase.DRAW).position
    assert [(d.seat, d.topic) for d in position.core.questions] == [(YELLOW, "surplus")]
    position = play(position, position.core.gates()[0], {}).position
    assert [(d.seat, d.topic) for d in position.core.questions] == [(VIOLET, "mills")]
    problem = refused(position, YELLOW, "mills", Mill("wine", "surplus"))
    assert problem is not None
    assert (problem.code, problem.terms) == ("mills_elsewhere", {"seat": VIOLET})
    went = play(position, position.core.gates()[0], {})
    assert went.position.board.markets == {"wine": -1, "cloth": 2}


@pytest.mark.holds("age_of_renaissance", "ruling", "R44")
@pytest.mark.parametrize(
    ("before", "way", "after"), [(0, "shortage", 1), (0, "surplus", -1), (1, "surplus", 0), (-1, "shortage", 0)]
)
def test_mills_move_a_market_by_one_step(before: int, way: str, after: int) -> None:
    """§9.1, R44  A marker is made or taken away; nobody draws a card or pays for it."""
    position = game()
    position.board.markets = {"grain": before} if before else {}
    advances(position, YELLOW, "J")
    cash(position, YELLOW, 0)
    position = enter(position, Phase.DRAW).position
    went = play(position, position.core.gates()[0], {YELLOW: Mill("grain", way)})
    assert went.position.board.markets.get("grain", 0) == after
    assert [event.cause for event in events_of(went, CardDrawn)] == ["turn"] * 3


@pytest.mark.parametrize(
    ("good", "way", "reason"),
    [
        *((good, "surplus", "" if good in ("grain", "cloth", "wine", "metal") else "not_milled") for good in GOODS),
        ("bread", "surplus", "no_such_good"),
        ("wine", "up", "no_such_way"),
    ],
)
def test_what_mills_can_grind(good: str, way: str, reason: str) -> None:
    """§9.1  Grain, cloth, wine and metal can be adjusted, nothing else; and it takes Mills."""
    position = game()
    assert code(position, YELLOW, "mills", Mill("wine", "surplus")) == "not_yours"
    advances(position, YELLOW, "J")
    assert code(position, YELLOW, "mills", Mill(good, way)) == reason
