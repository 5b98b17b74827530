"""§9.3.2, R13  Markers that events reduce while their owner's stock is empty: the owner chooses what is left there."""

import pytest

from engine.age_of_renaissance.board import Phase, Piece
from engine.age_of_renaissance.chapters import LANGUAGE
from engine.age_of_renaissance.events import MarkerReduced, TokensMoved
from engine.age_of_renaissance.orders import Forfeit, Leave, Play, Remain
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.orders import Question, unconditional
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import (
    VIOLET,
    YELLOW,
    At,
    control,
    enter,
    events_of,
    game,
    hand,
    judged,
    piece,
    play,
    reopen,
    sound,
    tokens,
)
from tests.engine.age_of_renaissance.phase_play import closed, code, plays

GATE = "remnant/2/rebellion/firenze"


def dry(seats: int = 3, bought: int = 36) -> At:
    """Yellow controls Firenze and Roma; of its tokens so many are bought, the rest lie in its stock."""
    position = game(seats)
    control(position, YELLOW, "firenze", "roma")
    tokens(position, YELLOW, bought)
    return position


@pytest.mark.holds("age_of_renaissance", "ruling", "R13")
@pytest.mark.holds("age_of_renaissance", "topic", "remnant")
@pytest.mark.holds("age_of_renaissance", "form", "LAISSER UN PION", "LAISSER VIDE")
@pytest.mark.parametrize(
    ("answer", "source", "left", "bought"),
    [
        (Remain("token"), "expansion", Piece(old=1), 35),
        (Remain("nothing"), "left", Piece(), 36),
        (None, "expansion", Piece(old=1), 35),
    ],
)
def test_what_is_left_is_the_owners_choice(answer: Remain | None, source: str, left: Piece, bought: int) -> None:
    """§9.3.2  With an empty stock the owner uses a token bought or leaves the province empty; by default it stays."""
    went = plays(dry(), VIOLET, "rebellion", "firenze")
    assert [(d.gate, d.seat, dict(d.limits)) for d in went.position.core.questions] == [
        (GATE, YELLOW, {"province": "firenze"})
    ]
    assert not events_of(went, MarkerReduced)
    done = closed(went, GATE, {YELLOW: answer} if answer else {})
    assert [(e.seat, e.province, e.source) for e in events_of(done, MarkerReduced)] == [(YELLOW, "firenze", source)]
    assert done.position.board.at("firenze", YELLOW) == left
    assert done.position.board.powers[YELLOW].expansion == bought


@pytest.mark.parametrize("bought", [35, 0])
def test_with_a_token_in_stock_nobody_is_asked(bought: int) -> None:
    """§9.3.2  A token of the stock takes the marker's place at once; a preview asks nobody."""
    went = plays(dry(bought=bought), VIOLET, "rebellion", "firenze")
    assert went.position.core.questions == ()
    assert [e.source for e in events_of(went, MarkerReduced)] == ["stock"]
    position = dry()
    hand(position, VIOLET, "rebellion")
    assert [ruling.is_valid for ruling in judged(position, VIOLET, "history", Play("rebellion", ("firenze",)))] == [
        True
    ]
    assert code(position, YELLOW, "remnant", Remain("marker")) == "no_such_remnant"
    assert RULES.default_orders(position, Question(GATE, YELLOW, "remnant")) == unconditional(Remain("token"))


def test_the_last_token_of_the_stock_goes_first() -> None:
    """§9.3.2, A2 Pirates  Venezia takes a token in stock at once; without one, each province is a question."""
    position = dry(bought=35)
    position.board.epoch = 2
    went = plays(position, VIOLET, "pirates", "venezia", "roma")
    assert [(e.province, e.source) for e in events_of(went, MarkerReduced)] == [("venezia", "stock")]
    assert [d.gate for d in went.position.core.questions] == ["remnant/2/pirates/roma"]
    position = dry()
    position.board.epoch = 2
    went = plays(position, VIOLET, "pirates", "venezia", "roma")
    assert [d.gate for d in went.position.core.questions] == ["remnant/2/pirates/venezia"]
    went = closed(went, "remnant/2/pirates/venezia", {YELLOW: Remain("nothing")})
    done = closed(went, "remnant/2/pirates/roma", {YELLOW: Remain("token")})
    assert "venezia" not in done.position.board.pieces
    assert done.position.board.at("roma", YELLOW) == Piece(old=1)


def test_without_a_token_bought_any_more_there_is_no_second_question() -> None:
    """§9.3.2  The only token bought stays in the first province: the second is left empty unasked."""
    position = dry(bought=1)
    position.board.epoch = 2
    piece(position, YELLOW, "toledo", old=35)
    hand(position, VIOLET, "pirates")
    went = play(enter(position, Phase.HISTORY).position, "history/2", {VIOLET: Play("pirates", ("venezia", "roma"))})
    done = play(went.position, "remnant/2/pirates/venezia", {YELLOW: Remain("token")})
    assert [(e.province, e.source) for e in events_of(done, MarkerReduced)] == [("venezia", "expansion"), ("roma", "")]
    assert done.position.core.questions == ()


def test_civil_war_reduces_before_it_halves() -> None:
    """A2 Guerre civile  Its victim's capital takes one of the 36 tokens, then half of the other 35 are lost."""
    went = closed(
        plays(dry(), VIOLET, "civil_war", "venezia"), "civil_war/2/history/yellow", {YELLOW: Forfeit("tokens")}
    )
    done = closed(went, "remnant/2/civil_war/venezia", {YELLOW: Remain("token")})
    assert [e.tokens for e in events_of(done, TokensMoved)] == [-18]
    assert done.position.board.at("venezia", YELLOW) == Piece(old=1)


def test_a_player_who_leaves_while_asked_leaves_a_token() -> None:
    """§11.3  The tokens of a player who leaves are back in stock, and one of them takes the marker's place."""
    went = plays(dry(4), VIOLET, "rebellion", "firenze")
    leaving = tuple(Question("leave/0", seat, "leave", blocking=False) for seat in went.position.board.order)
    position = reopen(went.position, *leaving).position
    done = play(position, "leave/0", {YELLOW: Leave()})
    assert [e.source for e in events_of(done, MarkerReduced)] == ["stock"]
    sound(done.position)


def offered(position: At, seat: Seat = YELLOW) -> bool:
    """Return True if the choice may be filed ahead."""
    with seen_by(seat):
        return any(decision.topic == "remnant" for decision in LANGUAGE.advance_questions(position, seat))


def test_the_choice_may_be_filed_ahead_while_the_stock_runs_dry() -> None:
    """§9.3.2  Up to the history phase a player with nearly all tokens out and some bought may file the choice ahead."""
    assert offered(dry())
    assert not offered(dry(bought=20))
    assert not offered(dry(bought=0))
    late = dry()
    late.board.phase = Phase.PURCHASES
    assert not offered(late)
