"""§3, §9.7  The frame of a turn: phases, swaps by Renaissance, Civil War's last place, leaving."""

from collections.abc import Sequence

import pytest

from engine.age_of_renaissance.board import Phase, Power
from engine.age_of_renaissance.events import Eliminated, OrderSet, PhaseBegan, TurnBegan
from engine.age_of_renaissance.orders import Leave, Swap, Tokens
from engine.age_of_renaissance.phases.turn import AfterIncome, BeginTurn
from engine.kernel.events import LineFailed
from engine.kernel.orders import Pace, Question
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    RED,
    VIOLET,
    YELLOW,
    At,
    Went,
    advances,
    enter,
    events_of,
    game,
    hand,
    order,
    play,
    queue,
    reopen,
    sound,
)
from tests.engine.age_of_renaissance.phase_play import code


def orders_set(went: Went) -> list[list[Seat]]:
    """Each order of play that was set, first to last."""
    return [[seat for seat, _ in event.slots] for event in events_of(went, OrderSet)]


def test_a_turn_goes_through_its_phases_in_order() -> None:
    """§3  Draw, cards, history, purchases, expansion, income, tokens; then the next turn."""
    position = game()
    went = queue(position, BeginTurn())
    seen: list[Phase | int] = []
    while True:
        seen += [
            e.phase if isinstance(e, PhaseBegan) else e.turn
            for e in went.events
            if isinstance(e, PhaseBegan | TurnBegan)
        ]
        if went.position.board.turn == 4:
            break
        gate = went.position.core.gates()[0]
        answers: dict[Seat, Tokens] = {}
        if gate == "tokens/4":
            answers = {seat: Tokens(n) for n, seat in enumerate(position.board.order)}
        went = play(went.position, gate, answers)
        sound(went.position)
    phases = [Phase.DRAW, Phase.CARDS, Phase.HISTORY, Phase.PURCHASES, Phase.EXPANSION, Phase.INCOME, Phase.TOKENS]
    assert seen[:9] == [3, *phases, 4]


OF_A_TURN: dict[str, object] = {
    "weapons": ("armor",),
    "shielded": True,
    "swapped": True,
    "discarded": True,
    "exchanged": True,
    "card_bought": True,
    "ship_upgraded": True,
    "bought": frozenset("A"),
    "converted": frozenset({VIOLET}),
    "landed": {"roma": 2},
    "fought": {"roma": "L"},
}
"""What a power did, or was given, in a turn."""


@pytest.mark.parametrize("field", OF_A_TURN)
def test_what_a_power_did_in_a_turn_is_over_when_the_next_begins(field: str) -> None:
    """§3, A2  Weapons, protection, swaps, exchanges, Conversions, purchases; decrees and Civil War's last place."""
    position = game()
    setattr(position.board.powers[YELLOW], field, OF_A_TURN[field])
    position.board.banned, position.board.civil_war = "sciences", (YELLOW,)
    position.board.this_turn = ("crusades", "mongols")
    board = queue(position, BeginTurn()).position.board
    assert getattr(board.powers[YELLOW], field) == getattr(Power(YELLOW), field)
    assert (board.banned, board.civil_war, board.this_turn) == ("", (), ())


def test_after_the_income_of_the_last_turn_no_tokens_are_bought() -> None:
    """§11.1  The last cards are played instead, and no order of play is made any more."""
    position = game()
    hand(position, YELLOW, "wool_1a")
    position.board.last_turn = "last_card"
    went = queue(position, AfterIncome())
    assert [event.phase for event in events_of(went, PhaseBegan)] == [Phase.FINAL]
    assert went.position.core.gates() == ("final/2",)


@pytest.mark.holds("age_of_renaissance", "topic", "renaissance")
@pytest.mark.holds("age_of_renaissance", "form", "CHANGER")
def test_a_swap_with_the_neighbour_changes_slots() -> None:
    """§9.7 Renaissance  Its owner changes places with the player just before them, at the start of a phase."""
    position = game()
    advances(position, BLUE, "Q")
    position = enter(position, Phase.PURCHASES).position
    assert [(d.gate, d.seat, d.topic, d.pace) for d in position.core.questions] == [
        ("renaissance/2/purchases", BLUE, "renaissance", Pace.REACTION)
    ]
    went = play(position, "renaissance/2/purchases", {BLUE: Swap("before", "purchases")})
    assert [event.slots for event in events_of(went, OrderSet)] == [((YELLOW, 2), (BLUE, 4), (VIOLET, 6))]
    assert went.position.board.order == (YELLOW, BLUE, VIOLET)
    assert went.position.core.gates() == ("purchases/2",)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.SETUP])
def test_swaps_may_come_at_the_start_of_any_phase_played_in_turn(phase: Phase) -> None:
    """§9.7  At the start of any of phases 1 to 5, and of the last card play; in the others all act at once."""
    position = game()
    advances(position, YELLOW, "Q")
    asked = [d.topic for d in enter(position, phase).position.core.questions]
    assert ("renaissance" in asked) == (phase not in (Phase.INCOME, Phase.TOKENS))


def test_one_swap_a_turn() -> None:
    """§9.7  A player who has changed places this turn is not asked again."""
    position = game()
    advances(position, BLUE, "Q")
    position = enter(position, Phase.HISTORY).position
    position = play(position, position.core.gates()[0], {BLUE: Swap("before", "history")}).position
    assert "renaissance" not in {d.topic for d in enter(position, Phase.PURCHASES).position.core.questions}
    assert code(position, BLUE, "renaissance", Swap("before", "purchases")) == "swapped_already"


def test_swaps_follow_the_order_of_play_and_a_later_one_may_become_impossible() -> None:
    """§9.7, example  Paris first, Barcelona, London third: if Paris swaps, London's swap has no object left."""
    position = game()
    order(position, VIOLET, BLUE, YELLOW)
    advances(position, VIOLET, "Q")
    advances(position, YELLOW, "Q")
    position = enter(position, Phase.HISTORY).position
    gate = position.core.gates()[0]
    assert {d.seat for d in position.core.gate(gate)} == {VIOLET, YELLOW}
    went = play(position, gate, {VIOLET: Swap("after", "history"), YELLOW: Swap("before", "history")})
    assert orders_set(went) == [[BLUE, VIOLET, YELLOW]]
    lapsed = events_of(went, LineFailed)
    assert [(e.seat, e.reasons[0].code, e.visible_to) for e in lapsed] == [
        (YELLOW, "neighbour_has", frozenset({YELLOW}))
    ]
    assert not went.position.board.powers[YELLOW].swapped
    went = play(position, gate, {YELLOW: Swap("before", "history")})
    assert orders_set(went) == [[VIOLET, YELLOW, BLUE]]


@pytest.mark.parametrize(
    ("holders", "asked"), [((VIOLET, BLUE, RED), {VIOLET, BLUE, RED}), ((YELLOW, VIOLET, BLUE, RED), set())]
)
def test_all_holders_are_asked_where_one_of_them_may_move(holders: Sequence[Seat], asked: set[Seat]) -> None:
    """§9.7  One holder's swap can give another a neighbour without Renaissance; nobody is asked when all hold it."""
    position = game(4)
    for seat in holders:
        advances(position, seat, "Q")
    opened = enter(position, Phase.HISTORY).position.core.questions
    assert {d.seat for d in opened if d.topic == "renaissance"} == asked


def test_places_are_changed_across_a_slot_of_a_player_who_is_out() -> None:
    """§9.4.4, R27  The neighbour is the next one still in the game; the eliminated one keeps their slot."""
    position = game(4)
    position.board.powers[VIOLET].eliminated = True
    advances(position, BLUE, "Q")
    position = enter(position, Phase.HISTORY).position
    went = play(position, position.core.gates()[0], {BLUE: Swap("before", "history")})
    assert events_of(went, OrderSet)[0].slots == ((BLUE, 1), (VIOLET, 3), (YELLOW, 5), (RED, 6))


@pytest.mark.parametrize(
    ("holders", "seat", "swap", "reason"),
    [
        ((BLUE,), BLUE, Swap("before", "history"), ""),
        ((BLUE,), BLUE, Swap("after", "history"), "no_neighbour"),
        ((BLUE,), BLUE, Swap("aside", "history"), "no_such_way"),
        ((BLUE,), BLUE, Swap("before", "income"), "wrong_phase"),
        ((BLUE,), BLUE, Swap("before", "expansion"), "another_phase"),
        ((BLUE,), VIOLET, Swap("before", "history"), "not_yours"),
        ((YELLOW, VIOLET), YELLOW, Swap("after", "history"), "neighbour_has"),
    ],
)
def test_what_a_swap_needs(holders: Sequence[Seat], seat: Seat, swap: Swap, reason: str) -> None:
    """§9.7  Renaissance, a neighbour without it on that side, and the phase that is asked about."""
    position = game()
    for holder in holders:
        advances(position, holder, "Q")
    limits = {"phase": "history"} if swap.phase == "expansion" else {}
    assert code(position, seat, "renaissance", swap, **limits) == reason


def struck(position: At, *seats: Seat) -> At:
    """A position in which Civil War has struck these powers this turn."""
    position.board.civil_war = seats
    return position


def test_civil_war_plays_last_from_the_expansion_on() -> None:
    """A2 Guerre civile, example turn 2  Violet goes from slot 4 to 6, blue moves up to 4."""
    position = struck(game(), VIOLET)
    assert not events_of(enter(position, Phase.PURCHASES), OrderSet)
    went = enter(position, Phase.EXPANSION)
    assert [(e.slots, e.cause, e.seat) for e in events_of(went, OrderSet)] == [
        (((YELLOW, 2), (BLUE, 4), (VIOLET, 6)), "civil_war", VIOLET)
    ]


def test_civil_war_leaves_the_slot_of_a_player_who_is_out() -> None:
    """A2 Guerre civile, R27  Last is last of those still in the game; a player who has left it keeps their slot."""
    position = struck(game(4), YELLOW)
    for seat in (VIOLET, RED):
        position.board.powers[seat].eliminated = True
    went = enter(position, Phase.EXPANSION)
    assert [e.slots for e in events_of(went, OrderSet)] == [((BLUE, 1), (VIOLET, 3), (YELLOW, 5), (RED, 6))]
    assert not events_of(enter(struck(position, BLUE), Phase.EXPANSION), OrderSet)


@pytest.mark.holds("age_of_renaissance", "ruling", "R8")
@pytest.mark.parametrize(
    ("swap", "causes", "final"),
    [
        (Swap("after", "expansion", "first"), ["Q", "civil_war"], [YELLOW, VIOLET, BLUE]),
        (Swap("before", "expansion", "last"), ["civil_war", "Q"], [YELLOW, BLUE, VIOLET]),
    ],
)
def test_the_holder_of_renaissance_chooses_to_swap_before_or_after_civil_war(
    swap: Swap, causes: Sequence[str], final: Sequence[Seat]
) -> None:
    """A2 Guerre civile, R8  Blue, struck in first place, swaps before falling back, or moves up by one after it."""
    position = struck(game(), BLUE)
    order(position, BLUE, YELLOW, VIOLET)
    advances(position, BLUE, "Q")
    position = enter(position, Phase.EXPANSION).position
    went = play(position, position.core.gates()[0], {BLUE: swap})
    assert orders_set(went)[-1] == final
    assert [event.cause for event in events_of(went, OrderSet)] == causes


@pytest.mark.holds("age_of_renaissance", "option", "civil_war_order=civil_war")
def test_by_option_civil_war_always_comes_first() -> None:
    """R8  The other reading: the victim falls back, then places are changed."""
    position = struck(game(civil_war_order="civil_war"), YELLOW)
    advances(position, YELLOW, "Q")
    position = enter(position, Phase.EXPANSION).position
    went = play(position, position.core.gates()[0], {YELLOW: Swap("before", "expansion", "first")})
    assert [event.cause for event in events_of(went, OrderSet)] == ["civil_war", "Q"]
    assert orders_set(went)[-1] == [VIOLET, YELLOW, BLUE]


def farewell(position: At) -> At:
    """The standing question whether to leave, beside the orders for history."""
    decisions = [Question("leave/0", seat, "leave", blocking=False) for seat in position.board.order]
    return reopen(position, *decisions).position


@pytest.mark.holds("age_of_renaissance", "form", "QUITTER LA PARTIE")
def test_leaving_closes_ones_questions_and_the_others_play_on() -> None:
    """§11.3  A player who leaves is treated as eliminated at once, and is not awaited any more."""
    position = farewell(game(4))
    for seat, card in ((YELLOW, "wool_1a"), (VIOLET, "stirrups"), (BLUE, "war")):
        hand(position, seat, card)
    position = enter(position, Phase.HISTORY).position
    went = play(position, "leave/0", {VIOLET: Leave()})
    assert [(e.seat, e.cause, e.discarded, e.removed) for e in events_of(went, Eliminated)] == [
        (VIOLET, "left", (), ("stirrups",))
    ]
    assert {d.seat for d in went.position.core.gate("history/2")} == {YELLOW, BLUE}
    sound(went.position)
