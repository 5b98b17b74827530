"""What the search for leaks takes for known is no more than what a table of people would know."""

from engine.kernel.names import Seat
from engine.kernel.secrets import Secret
from engine.renaissance import events as e
from engine.renaissance.catalogue import CARDS
from tests.canary.decks import DECKS

A, B = Seat("s1"), Seat("s2")


def test_a_condottiere_for_sale_is_known_to_be_one() -> None:
    """A7: a Condottiere offered or bought is named before all, though the card lies hidden; a draw names nothing."""
    card = Secret("condottiere.1", frozenset({A}))
    all_of_them = {card for card, kind in CARDS.items() if kind == "condottiere"}
    told = DECKS["renaissance"].public
    assert set(told(e.CondottiereOffered(seat=A, to=B))) == all_of_them
    assert set(told(e.CondottiereHired(seat=B, seller=A, card=card))) == all_of_them
    assert not set(told(e.CardsDrawn(seat=A, cards=(card,), cause="bought")))
    assert not set(DECKS["age_of_renaissance"].public(e.CondottiereOffered(seat=A, to=B)))
