"""What may be answered ahead: reactions that could matter, and the phases to come."""

import pytest

from engine.age_of_renaissance.board import Phase, War
from engine.age_of_renaissance.chapters import LANGUAGE
from engine.age_of_renaissance.meta import META
from engine.kernel.orders import Question
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import BLUE, RED, VIOLET, YELLOW


def gates(position: build.At, seat: Seat = YELLOW) -> list[str]:
    """The gates that a seat may answer ahead."""
    with seen_by(seat):
        return [decision.gate for decision in LANGUAGE.advance_questions(position, seat)]


def reactions(position: build.At, seat: Seat = YELLOW) -> set[str]:
    """The topics of its reactions."""
    with seen_by(seat):
        return {d.topic for d in LANGUAGE.advance_questions(position, seat) if META.topic(d.topic).is_reaction}


def phases(position: build.At, seat: Seat = YELLOW) -> list[str]:
    """The gates of its phases to come."""
    with seen_by(seat):
        return [d.gate for d in LANGUAGE.advance_questions(position, seat) if not META.topic(d.topic).is_reaction]


def test_phases_to_come_are_those_of_this_turn_and_of_the_next() -> None:
    """While history is asked: purchases and expansion, the tokens for the next turn, and that turn's sets."""
    position = build.game(turn=4, phase=Phase.HISTORY)
    build.ask(position, "history")
    assert phases(position) == [
        "purchases/4",
        "expansion/4",
        "tokens/5",
        "history/5",
        "purchases/5",
        "expansion/5",
    ]


def test_with_a_purchase_of_tokens_reactions_belong_to_the_turn_that_it_buys_for() -> None:
    """§9.7  What is sent with the tokens for turn 5 is of turn 5; what is asked now is answered, not filed."""
    position = build.game(turn=4, phase=Phase.TOKENS)
    assert {"civil_war/5", "tokens/5"} <= set(gates(position))
    position.core.questions = (Question("tokens/5", YELLOW, "tokens"),)
    assert "tokens/5" not in phases(position)
    position.board.phase = Phase.HISTORY
    assert "civil_war/4" in gates(position)


def test_in_order_the_gate_is_the_seats_own_and_waits_for_its_turn() -> None:
    """In the pace `order` a later player may file a set while an earlier one is asked; one who has played may not."""
    position = build.game(turn=4, phase=Phase.EXPANSION, pace="order")
    position.core.questions = (Question(f"expansion/4/{VIOLET}", VIOLET, "expansion"),)
    assert f"expansion/4/{BLUE}" in phases(position, BLUE)
    assert f"expansion/4/{YELLOW}" not in phases(position, YELLOW)


def test_the_last_turn_has_last_cards_and_no_turn_behind_it() -> None:
    """§11.1  When the last turn is known, neither tokens nor another turn may be answered ahead."""
    position = build.game(turn=9, phase=Phase.PURCHASES)
    position.board.last_turn = "last_card"
    assert phases(position) == ["expansion/9", "final/9"]
    assert "rank" not in reactions(position)
    assert {"civil_war", "war", "weapon"} <= reactions(position)


@pytest.mark.parametrize(
    ("letter", "asks", "phase"),
    [
        ("J", "mills", Phase.TOKENS),
        ("V", "extra", Phase.TOKENS),
        ("P", "discard", Phase.DRAW),
        ("H", "conversion", Phase.EXPANSION),
        ("N", "manuscripts", Phase.EXPANSION),
        ("Q", "renaissance", Phase.EXPANSION),
    ],
)
def test_an_advance_brings_its_reaction(letter: str, asks: str, phase: Phase) -> None:
    """§9.4.2  An owner of the advance may answer ahead what it will ask, and who may still buy it in time."""
    position = build.game(phase=phase)
    assert asks not in reactions(position)
    build.advances(position, YELLOW, letter)
    assert asks in reactions(position)
    bought_in_time = reactions(build.game(phase=Phase.PURCHASES))
    assert (asks in bought_in_time) == (phase is Phase.EXPANSION)


def test_indulgences_concern_who_has_not_got_them() -> None:
    """§9.5  A player without Indulgences has the reaction while another may have them at the start of the expansion."""
    position = build.game(phase=Phase.EXPANSION)
    assert "indulgences" not in reactions(position)
    build.advances(position, VIOLET, "F")
    assert "indulgences" in reactions(position)
    build.advances(position, YELLOW, "F")
    assert "indulgences" not in reactions(position)


def test_a_weapon_may_be_named_for_a_war_that_is_tied() -> None:
    """R15  Only the belligerents of a War that goes on are asked for one."""
    position = build.game(phase=Phase.TOKENS)
    assert "weapon" not in reactions(position)
    position.board.wars = (War(VIOLET, YELLOW, 2),)
    assert "weapon" in reactions(position)
    assert "weapon" not in reactions(position, BLUE)


def test_markers_may_run_out() -> None:
    """R47  The reaction is offered once the tokens at hand could take more provinces than there are markers left."""
    position = build.game(phase=Phase.EXPANSION)
    build.tokens(position, YELLOW, 10)
    assert "lift" not in reactions(position)
    position.board.powers[YELLOW].markers = 11
    assert "lift" in reactions(position)


def test_the_markets_that_the_first_player_may_cancel_are_known_with_the_tokens() -> None:
    """§9.1  While there is something to cancel, a reaction serves the case that its player plays first."""
    position = build.game(phase=Phase.TOKENS)
    assert "surplus" not in reactions(position)
    position.board.markets["wine"] = 1
    assert "surplus" in reactions(position)


def test_nobody_out_of_the_game_answers_anything() -> None:
    """§9.4.4  A player who is eliminated, or a game that is over, has no reaction."""
    position = build.game(4)
    position.board.powers[RED].eliminated = True
    assert gates(position, RED) == []
    position.core.over = True
    assert gates(position) == []


def test_what_one_may_answer_ahead_depends_on_no_hand() -> None:
    """The reactions offered to a seat are the same whatever cards anybody holds."""
    position = build.game(4, phase=Phase.HISTORY)
    before = gates(position, RED)
    build.hand(position, YELLOW, "war", "gunpowder", "civil_war")
    build.hand(position, RED, "alchemist")
    assert gates(position, RED) == before
