"""A rebellion in a province whose owner has bought all their tokens, and has said ahead what is to be left there."""

import pytest

from engine.age_of_renaissance.board import Phase, Piece
from engine.age_of_renaissance.phases.turn import BeginPhase
from engine.age_of_renaissance.ruleset import RULES
from tests.engine.age_of_renaissance.build import VIOLET, YELLOW, control, game, hand, tokens
from tests.playthroughs.email_game import Story


@pytest.mark.holds("age_of_renaissance", "reaction", "remnant")
@pytest.mark.parametrize(
    ("language", "reaction", "left"),
    [
        ("fr", "SUR PROVINCE RÉDUITE : LAISSER VIDE", Piece()),
        ("en", "ON REDUCED PROVINCE: LEAVE A TOKEN", Piece(old=1)),
    ],
)
def test_what_is_left_can_be_said_ahead(language: str, reaction: str, left: Piece) -> None:
    """§9.3.2  The answer comes with an earlier letter, and the game does not stop for it."""
    position = game()
    control(position, YELLOW, "firenze")
    tokens(position, YELLOW, 36)
    hand(position, VIOLET, "rebellion")
    story = Story.upon(RULES, position, {}, BeginPhase(Phase.HISTORY))
    story.letter(YELLOW, reaction, language)
    story.letter(VIOLET, "PLAY Rebellion AT Firenze", "en")
    assert [asks for _, asks in story.used] == ["remnant"]
    assert story.board.at("firenze", YELLOW) == left
