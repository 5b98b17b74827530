"""A game as one seat lived it: the weightiest events, each under its turn."""

from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.board import Phase
from pbem.narration.game_texts import LINES, select_highlights
from tests.narration.sample_game import GAME, A, B

LEFT = e.Eliminated(seat=A, cause="left", discarded=(), removed=())


def test_what_happens_while_tokens_are_bought_is_told_under_the_turn_that_they_begin() -> None:
    """§9.7  Tokens are bought at the end of a turn for the next one; before the first turn there is no heading."""
    first, taken = e.TurnBegan(turn=1), e.CapitalTaken(seat=A, capital="paris", chosen=1)
    before = (e.PhaseBegan(phase=Phase.TOKENS), taken, first, e.PhaseBegan(phase=Phase.TOKENS), LEFT)
    assert select_highlights(GAME, before, A) == (taken, e.TurnBegan(turn=2), LEFT)
    assert select_highlights(GAME, (first, LEFT), A) == (first, LEFT)


def test_only_the_weightiest_events_of_a_seat_are_told_in_their_order() -> None:
    """What concerns others is left out, and of the reader's own no more than a page holds."""
    moved = tuple(e.MiseryMoved(seat=A, before=0, after=steps, cause="civil_war") for steps in range(1, LINES + 3))
    others = e.MiseryMoved(seat=B, before=0, after=9, cause="civil_war")
    assert select_highlights(GAME, (others, *moved), A) == moved[2:]
