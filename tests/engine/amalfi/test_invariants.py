"""What must hold after every entry."""

from collections.abc import Callable

import pytest

from engine.amalfi.ruleset import RULES
from engine.kernel.secrets import Secret, truth
from tests.engine.amalfi.build import ANN, At, game, light


def _full(at: At) -> None:
    at.board.players[ANN].bread = 7


def _negative(at: At) -> None:
    at.board.players[ANN].bread = -1


def _minted(at: At) -> None:
    at.board.players[ANN].bay += 1


def _lights(at: At) -> None:
    for place in at.board.public[:7]:
        light(at, place, ANN)


def _dark(at: At) -> None:
    light(at, "napoli", ANN)


def _lost(at: At) -> None:
    at.board.decks["council"] = at.board.decks["council"][1:]


def _twice(at: At) -> None:
    deck = at.board.decks["atelier"]
    at.board.decks["atelier"] = (deck[1], *deck[1:])


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (_full, "granary_full"),
        (_negative, "below_zero"),
        (_minted, "ships_counted"),
        (_lights, "lights_counted"),
        (_dark, "dark_place"),
        (_lost, "cards_counted"),
        (_twice, "card_twice"),
    ],
)
def test_a_broken_position_is_named(spoil: Callable[[At], None], code: str) -> None:
    """Ships, bread, lighthouses, cards."""
    at = game()
    with truth():
        assert not RULES.list_violations(at)
        spoil(at)
        assert code in [problem.code for problem in RULES.list_violations(at)]


def test_hidden_cards_are_counted_only_by_who_knows_them() -> None:
    """A reader who cannot look finds nothing wrong."""
    at = game()
    at.board.decks["council"] = (Secret("c01"),)
    assert not RULES.list_violations(at)
