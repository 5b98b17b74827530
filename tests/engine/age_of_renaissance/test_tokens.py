"""§9.7  Phase 7: the secret purchase of tokens and the order of play that comes of it."""

from collections.abc import Mapping

import pytest

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import SLOTS
from engine.age_of_renaissance.events import OrderSet, TokensBought
from engine.age_of_renaissance.orders import Leave, Rank, Tokens
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.orders import Pace, Question, unconditional
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    RED,
    SEATS,
    VIOLET,
    YELLOW,
    At,
    Went,
    cash,
    enter,
    events_of,
    game,
    piece,
    play,
    refused,
    sound,
)


def bought(position: At, **counts: int) -> Went:
    """The phase entered, and these numbers written; a player not named writes 0."""
    position = enter(position, Phase.TOKENS).position
    answers = {d.seat: Tokens(counts.get(d.seat, 0)) for d in position.core.questions}
    return play(position, "tokens/3", answers)


def slots(went: Went) -> dict[Seat, int]:
    """The order of play as it was set."""
    return dict(events_of(went, OrderSet)[-1].slots)


def test_the_gate_bears_the_turn_that_the_tokens_are_for() -> None:
    """§9.7  At the end of turn 2 tokens are bought for turn 3, by everybody at once; by default none, and in secret."""
    position = enter(game(), Phase.TOKENS).position
    assert [(d.gate, d.seat, d.pace) for d in position.core.questions] == [
        ("tokens/3", seat, Pace.TURN) for seat in (YELLOW, VIOLET, BLUE)
    ]
    assert RULES.turn(position) == 3
    with seen_by(BLUE):
        assert RULES.default_orders(position, Question("tokens/3", BLUE, "tokens")) == unconditional(Tokens(0))
    for viewer in (YELLOW, PUBLIC):
        assert redact(position, viewer).board.answers == {}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_slots_go_by_the_number_of_players(players: int) -> None:
    """§3, §9.7  Fewest tokens play first; with three players on ranks 2, 4 and 6, with six on all."""
    position = game(players)
    went = bought(position, yellow=1, violet=2, blue=3, red=4, green=5, brown=6)
    assert slots(went) == dict(zip(SEATS[:players], SLOTS[players], strict=True))
    sound(went.position)


def test_a_ducat_a_token_and_what_is_left_is_written_down() -> None:
    """§9.7  Eight tokens cost 8 ducats; 32 stand on the sheet."""
    went = bought(game(), yellow=8)
    power = went.position.board.powers[YELLOW]
    assert (power.cash, power.written, power.expansion, power.stock) == (32, 32, 8, 28)


def test_more_than_the_stock_may_be_paid_for() -> None:
    """§9.7, R18  A player who pays for 40 takes what is in stock, and plays after one who paid for 39.

    Minus five costs 5 ducats, brings nothing, and plays first.
    """
    position = game(4)
    piece(position, BLUE, "marseille", old=4)
    cash(position, VIOLET, 45)
    went = bought(position, violet=40, blue=39, red=-5)
    taken = {event.seat: (event.asked, event.taken, event.paid) for event in events_of(went, TokensBought)}
    assert taken == {YELLOW: (0, 0, 0), VIOLET: (40, 36, 40), BLUE: (39, 32, 39), RED: (-5, 0, 5)}
    assert list(slots(went)) == [RED, YELLOW, BLUE, VIOLET]
    assert went.position.board.powers[RED].cash == 35
    sound(went.position)


@pytest.mark.parametrize(("count", "accepted"), [(40, True), (41, False), (-40, True), (-41, False), (0, True)])
def test_nobody_buys_more_than_they_can_pay(count: int, accepted: bool) -> None:
    """§9.7  Each number above or below zero costs a ducat."""
    problem = refused(game(), YELLOW, "tokens", Tokens(count))
    assert (problem is None) == accepted
    if problem is not None:
        assert (problem.code, problem.terms) == ("too_dear", {"cost": 41, "cash": 40})


@pytest.mark.holds("age_of_renaissance", "ruling", "R22", "R38")
@pytest.mark.holds("age_of_renaissance", "topic", "rank")
@pytest.mark.parametrize(
    ("answer", "order"),
    [
        (Rank(), [YELLOW, BLUE, VIOLET]),
        (Rank(last=True), [YELLOW, VIOLET, BLUE]),
        (Rank(3), [YELLOW, VIOLET, BLUE]),
        (None, [YELLOW, BLUE, VIOLET]),
    ],
)
def test_of_equals_the_later_chooser_of_a_capital_has_the_choice(answer: Rank | None, order: list[Seat]) -> None:
    """§8.3, §9.7, R22, R38  Blue chose a capital after violet: blue is asked which place, the first by default."""
    went = bought(game(), violet=13, blue=13)
    assert [(d.seat, d.topic, d.limits) for d in went.position.core.questions] == [(BLUE, "rank", {"places": 2})]
    assert went.position.core.questions[0].pace is Pace.REACTION
    assert list(slots(play(went.position, "rank/3/blue", {BLUE: answer} if answer else {}))) == order


def test_equals_choose_one_after_the_other() -> None:
    """R38  The latest chooser takes any of three places, the next one of the two left, the first what remains.

    A place that is not free any more is the last one free; each group of equals shares its own places.
    """
    position = bought(game()).position
    assert [(d.seat, d.limits["places"]) for d in position.core.questions] == [(BLUE, 3)]
    position = play(position, "rank/3/blue", {BLUE: Rank(2)}).position
    assert [(d.seat, d.limits["places"]) for d in position.core.questions] == [(VIOLET, 2)]
    for place in (2, 3):
        assert list(slots(play(position, "rank/3/violet", {VIOLET: Rank(place)}))) == [YELLOW, BLUE, VIOLET]
    position = bought(game(4), yellow=5, violet=5, blue=9, red=9).position
    position = play(position, "rank/3/violet", {VIOLET: Rank(last=True)}).position
    assert position.core.gates() == ("rank/3/red",)
    assert list(slots(play(position, "rank/3/red", {RED: Rank(1)}))) == [YELLOW, VIOLET, RED, BLUE]


@pytest.mark.holds("age_of_renaissance", "option", "tied_rank=first")
def test_by_option_the_later_chooser_simply_plays_first() -> None:
    """R38  The other reading: nobody is asked, the later chooser is before their equals."""
    went = bought(game(tied_rank="first"))
    assert went.position.core.questions == ()
    assert list(slots(went)) == [BLUE, VIOLET, YELLOW]


@pytest.mark.parametrize(
    ("rank", "places", "accepted"),
    [
        (Rank(0), 2, False),
        (Rank(3), 2, False),
        (Rank(2), 2, True),
        (Rank(1, last=True), 2, True),
        (Rank(3, last=True), 2, False),
        (Rank(9), None, False),
        (Rank(3), None, True),
    ],
)
def test_a_place_must_exist(rank: Rank, places: int | None, accepted: bool) -> None:
    """R38  The place must be free; written ahead, it must exist with so many players."""
    limits: Mapping[str, int] = {} if places is None else {"places": places}
    problem = refused(game(), YELLOW, "rank", rank, **limits)
    assert (problem is None) == accepted


@pytest.mark.holds("age_of_renaissance", "ruling", "R56")
@pytest.mark.holds("age_of_renaissance", "form", "RANG DEPUIS LA FIN")
def test_a_place_counted_from_the_end_is_counted() -> None:
    """§8.3, R56  `RANK FROM LAST 2` is the last but one of three tied."""
    went = bought(game(), yellow=13, violet=13, blue=13)
    went = play(went.position, "rank/3/blue", {BLUE: Rank(2, last=True)})
    assert list(slots(play(went.position, "rank/3/violet", {VIOLET: Rank(last=True)}))) == [YELLOW, BLUE, VIOLET]


@pytest.mark.holds("age_of_renaissance", "ruling", "R27", "R55")
@pytest.mark.parametrize("tied_rank", ["chosen", "first"])
def test_at_a_tie_of_0_tokens_a_power_out_of_the_game_comes_after_those_in_it(tied_rank: str) -> None:
    """§9.4.4, §9.7, §8.3, R27, R55  It buys nothing and keeps a slot; however late it chose, nobody chooses for it."""
    position = game(4, tied_rank=tied_rank)
    position.board.powers[BLUE].eliminated = True
    went = bought(position, yellow=0, violet=-1, red=4)
    if tied_rank == "chosen":
        assert went.position.core.gates() == ("rank/3/yellow",)
        went = play(went.position, "rank/3/yellow", {})
    assert slots(went) == {VIOLET: 1, YELLOW: 3, BLUE: 5, RED: 6}
    sound(went.position)


def without(position: At, seat: Seat) -> Went:
    """Somebody leaves the game while a place is asked for."""
    position.core.questions = (*position.core.questions, Question("leave/0", seat, "leave", blocking=False))
    return play(position, "leave/0", {seat: Leave()})


def _unasked(went: Went) -> Went:
    """Whoever is still asked for a place says nothing."""
    while gates := went.position.core.gates():
        went = play(went.position, gates[0], {})
    sound(went.position)
    return went


@pytest.mark.holds("age_of_renaissance", "ruling", "R59")
def test_who_leaves_among_equals_comes_after_them() -> None:
    """§8.3, §9.7, R59  Those in the game settle their places first, whether the other was asked already or not."""
    went = without(bought(game(), yellow=5, violet=5, blue=5).position, BLUE)
    (asked,) = went.position.core.questions
    assert asked.gate == "rank/3/violet"
    went = play(went.position, asked.gate, {VIOLET: Rank(2)})
    assert slots(_unasked(went)) == {YELLOW: 2, VIOLET: 4, BLUE: 6}
    position = bought(game(), yellow=5, violet=5, blue=5).position
    went = play(without(position, VIOLET).position, "rank/3/blue", {BLUE: Rank(last=True)})
    assert list(slots(_unasked(went))) == [YELLOW, VIOLET, BLUE]


def test_a_place_taken_before_is_kept() -> None:
    """R27, R59  Blue chose the first place, and leaves while violet is asked: it stays blue's."""
    position = bought(game(4), yellow=5, violet=5, blue=5, red=9).position
    position = play(position, "rank/3/blue", {BLUE: Rank()}).position
    went = without(position, BLUE)
    assert list(slots(play(went.position, "rank/3/violet", {VIOLET: Rank()}))) == [BLUE, VIOLET, YELLOW, RED]
