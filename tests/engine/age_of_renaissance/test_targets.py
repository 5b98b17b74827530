"""§7.2, R50, §11.1  Lawful ways to play each card: what bots, templates and the final card play choose from."""

import pytest

from engine.age_of_renaissance.catalogue import CARDS, PROVINCES, Card, Kind
from engine.age_of_renaissance.events import CardPlayed
from engine.age_of_renaissance.orders import Play
from engine.age_of_renaissance.phases.targets import plays
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    At,
    control,
    events_of,
    game,
    hand,
    piece,
    refused,
)
from tests.engine.age_of_renaissance.phase_play import history


def crowded(seats: int = 6, epoch: int = 1) -> At:
    """A position in which every event finds something to touch."""
    position = game(seats)
    position.board.epoch = epoch
    control(position, YELLOW, "roma", "suez")
    control(position, VIOLET, "milano", "tunis", "india")
    piece(position, BLUE, "napoli", old=1)
    return position


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_each_card_can_be_played_from_a_hand(card: Card) -> None:
    """§9.3  Each of the 64 cards is played through its gate in every way offered, and then lies where it belongs."""
    position = crowded()
    hand(position, YELLOW, card.id)
    offered = plays(position, YELLOW, card.id)
    assert offered
    for order in offered:
        went = history(position, {YELLOW: order})
        board = went.position.board
        assert [e.card for e in events_of(went, CardPlayed)] == [card.id]
        if card.kind is Kind.LEADER:
            assert [leader.card for leader in board.leaders] == [card.id]
        else:
            assert (card.id in board.discard, card.id in board.removed) == (card.recycles, not card.recycles)


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_what_is_offered_is_what_is_accepted(card: Card) -> None:
    """R50  No other single target would be accepted than those offered."""
    position = crowded()
    hand(position, YELLOW, card.id)
    offered = set(plays(position, YELLOW, card.id))
    targets = [(), *((place,) for place in (*PROVINCES, "VI", "VII", "far_east", "sciences", "commerce"))]
    goods = ("", *card.goods) if len(card.goods) > 1 else ("",)
    tried = {Play(card.id, target, good) for target in targets for good in goods}
    accepted = {order for order in tried | offered if refused(position, YELLOW, "history", order) is None}
    assert accepted == offered


@pytest.mark.parametrize("card", ["alchemist", "civil_war", "war"])
def test_others_are_struck_before_oneself(card: str) -> None:
    """§11.1  By default a card goes to the first lawful target that is not its player; War never to its player."""
    targets = [order.target for order in plays(crowded(3), YELLOW, card)]
    own = [("venezia",)] if card != "war" else []
    assert targets == [("genoa",), ("barcelona",), *own]


def test_ones_own_provinces_come_last() -> None:
    """§11.1  Rebellion, Crusades and Black Death spare their player while anything else can be struck."""
    position = crowded(3)
    rebels = [order.target[0] for order in plays(position, YELLOW, "rebellion")]
    assert (set(rebels[:3]), set(rebels[3:])) == ({"tunis", "milano", "india"}, {"suez", "roma"})
    assert plays(position, YELLOW, "crusades")[-1].target == ("suez",)
    control(position, VIOLET, "valencia")
    regions = [order.target[0] for order in plays(position, YELLOW, "black_death")]
    assert set(regions[-2:]) == {PROVINCES["roma"].region, "VI"}


@pytest.mark.parametrize(("epoch", "count"), [(1, 1), (2, 2), (3, 3)])
def test_pirates_raid_others_first(epoch: int, count: int) -> None:
    """§11.1, R50  Pirates are offered with as many coasts as the epoch wants, others' before one's own."""
    position = crowded(3, epoch)
    first = plays(position, YELLOW, "pirates")[0].target
    assert len(first) == count
    assert all(position.board.controller(province) != YELLOW for province in first)
    assert {p for order in plays(position, YELLOW, "pirates") for p in order.target} == {
        p for p in position.board.pieces if PROVINCES[p].coastal and position.board.controller(p)
    }


def test_a_burden_and_an_idle_card_offer_nothing() -> None:
    """§7.2, R50  A card that can never be played, or that can touch nothing now, has no lawful way."""
    position = game()
    position.board.played = frozenset({"mongols"})
    assert plays(position, YELLOW, "crusades") == ()
    assert plays(position, YELLOW, "rebellion") == ()
    for seat, capital in ((YELLOW, "venezia"), (VIOLET, "genoa"), (BLUE, "barcelona")):
        piece(position, seat, capital)
    assert plays(position, YELLOW, "pirates") == ()
