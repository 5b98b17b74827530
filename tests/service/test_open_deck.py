"""What OPEN DECK shows: cards by their names, in the reader's language, and no order that waits."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from engine.kernel.languages import LANGUAGES
from engine.kernel.narration_hooks import hooks_of
from engine.kernel.secrets import Secret, truth
from pbem.narration import facts as f
from pbem.narration.command_results import build_sentences
from pbem.narration.glossary import load_glossary
from pbem.narration.grammars import Name
from pbem.narration.letters import render
from pbem.service.masters.execution import hidden_cards
from tests.budget import budget
from tests.narration.cases import SEATS, Case, cases
from tests.narration.conftest import known

__all__ = ["known"]
IN_TURN = tuple(zip(cases(), cycle(LANGUAGES), strict=False))
"""Each game in one of the languages."""

GAMES = pytest.mark.parametrize("case", cases(), ids=lambda case: case.game)


@pytest.mark.parametrize(("case", "language"), IN_TURN, ids=lambda it: getattr(it, "game", it))
def test_the_deck_is_told_by_the_names_of_the_game(case: Case, language: str) -> None:
    """No id of the program stands in the letter, at any moment of a game, and every card of the deck is in it."""
    frame = case.frame(SEATS[0], language)
    named = {word for name in _lying_face_down(case, language) for word in name.bare.split()}
    for entry in case.entries()[:: max(1, len(case.entries()) // budget(4, 12))]:
        found = hidden_cards(entry.after.position.board)
        said = f.Message("opened_deck", {"hidden": tuple(found.items())})
        (told,) = build_sentences(frame, (said,))
        shown = render(f.MasterFacts(frame, lead=(said,))).text
        assert not case.faults(shown, language)
        assert not [
            card
            for cards in found.values()
            for card in cards
            if card not in named and (f" {card}," in f" {told}," or "_" in told)
        ]
        assert told.count(", ") + 2 * max(1, len(found)) >= sum(len(cards) for cards in found.values())


@GAMES
def test_orders_that_wait_are_no_cards(case: Case) -> None:
    """What seats have answered and what is not carried out yet is opened to nobody, at any moment of a game.

    A game that draws anything once it has begun has a deck.
    """
    drawn = any(entry.after.draws for entry in case.entries()[1:])
    for entry in case.entries():
        board = entry.after.position.board
        with truth():
            lying = dict(_lying(board))
            piles = {name: _nobody_knows(pile) for name, pile in lying.items()}
        assert any("deck" in name for name in lying) == drawn
        assert hidden_cards(board) == {name: cards for name, cards in piles.items() if cards}


def _lying_face_down(case: Case, language: str) -> Iterator[Name]:
    """The names of all kinds of things of a game that have cards or tiles face down."""
    names, known = load_glossary(case.game, language).names, hooks_of(case.rules).card
    with truth():
        entries = [hidden_cards(entry.after.position.board) for entry in case.entries()]
        kinds = {known(card)[0] for found in entries for cards in found.values() for card in cards}
    return (name for kind in kinds for name in names[kind].values())


def _lying(board: Any) -> Iterator[tuple[str, tuple[Secret[str], ...]]]:
    """The piles of a board, some of them kept by the names of their kinds."""
    for name, held in vars(board).items():
        kinds = {f"{name} {kind}": pile for kind, pile in held.items()} if isinstance(held, dict) else {name: held}
        yield from ((where, pile) for where, pile in kinds.items() if _is_pile(pile))


def _is_pile(held: object) -> bool:
    """Return True for cards or tiles that lie on each other: texts, and no orders."""
    return isinstance(held, tuple) and all(isinstance(one, Secret) and isinstance(one.value, str) for one in held)


def _nobody_knows(pile: tuple[Secret[str], ...]) -> tuple[str, ...]:
    return tuple(card.value for card in pile if not card.known_to)
