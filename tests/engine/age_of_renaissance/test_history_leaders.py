"""§9.3.3, A3  Leaders: their places, their credits, what raises them, and the refunds of Printed Word."""

import pytest

from engine.age_of_renaissance.board import Leader, Phase
from engine.age_of_renaissance.catalogue import CARDS, Card, Kind
from engine.age_of_renaissance.events import LeadersLeft, Refunded
from engine.age_of_renaissance.orders import Play
from engine.age_of_renaissance.phases.advances import quote
from engine.age_of_renaissance.phases.leaders import credit
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    At,
    advances,
    enter,
    game,
    hand,
    play,
    told,
)
from tests.engine.age_of_renaissance.playing import cashes, closed, history, plays, purchases

LEADERS = [card for card in CARDS.values() if card.kind is Kind.LEADER]
PRINTED = {
    "charlemagne": {"W": 20},
    "dionysius": {"N": 20},
    "rashid": {"N": 10, "R": 10},
    "benedict": {"N": 10, "E": 10},
    "walter": {"R": 20},
    "columbus": {"U": 30, "T": 30},
    "erasmus": {"O": 20, "Q": 20},
    "ibn_majid": {"T": 20, "Y": 20},
    "gutenberg": {"O": 30},
    "marco_polo": {"R": 20, "Y": 20},
    "copernicus": {"A": 20, "X": 20},
    "henry": {"T": 20, "X": 20},
    "caxton": {"O": 20},
    "vesalius": {"B": 20, "D": 20},
    "las_casas": {"Y": 30},
    "galileo": {"A": 20, "Q": 20},
    "oldenburg": {"D": 30},
    "da_vinci": {"P": 20, "B": 20, "Q": 20},
    "newton": {"C": 20, "D": 20},
}
"""A3, as the table of the rulebook prints it."""


@pytest.mark.holds("age_of_renaissance", "card", *(c.id for c in CARDS.values() if c.kind is Kind.LEADER))
@pytest.mark.parametrize("card", LEADERS, ids=lambda card: card.id)
def test_each_leader_takes_its_credits_off_its_advances(card: Card) -> None:
    """A3  Each of the 19 leaders gives its player exactly the credits printed, for those advances and no others."""
    went = plays(game(6), YELLOW, card.id)
    seen = went.position
    found = {
        letter: ducats
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for source, ducats in quote(seen, YELLOW, letter).credits
        if source == card.id
    }
    assert found == PRINTED[card.id]
    assert [quote(seen, VIOLET, letter).credits for letter in card.credits] == [()] * len(card.credits)


@pytest.mark.parametrize("card", LEADERS, ids=lambda card: card.id)
def test_each_leader_pays_back_to_who_holds_printed_word_and_its_advances(card: Card) -> None:
    """§9.3.3, R9  With O, a leader at once pays its credits on advances held before; without O nothing."""
    position = game(6)
    letters = "".join(card.credits)
    advances(position, YELLOW, letters + "O")
    went = plays(position, YELLOW, card.id)
    refund = told(went, Refunded)[0]
    assert (refund.seat, refund.ducats) == (YELLOW, sum(PRINTED[card.id].values()))
    advances(position, YELLOW, letters.replace("O", ""))
    assert told(plays(position, YELLOW, card.id), Refunded) == []


@pytest.mark.parametrize(
    ("seats", "boxes"), [(3, [1, 2, 0, 0]), (4, [1, 2, 0, 0]), (5, [1, 2, 3, 0]), (6, [1, 2, 3, 0])]
)
def test_the_first_leaders_stand_in_boxes(seats: int, boxes: list[int]) -> None:
    """§9.3.3  Two boxes with three or four players, three with five or six, in the order of appearance."""
    position = game(seats)
    hand(position, YELLOW, "benedict", "charlemagne")
    hand(position, BLUE, "rashid", "walter")
    went = history(
        position,
        {YELLOW: (Play("benedict"), Play("charlemagne")), BLUE: (Play("rashid"), Play("walter"))},
    )
    assert [(leader.card, leader.box) for leader in went.position.board.leaders] == list(
        zip(("benedict", "charlemagne", "rashid", "walter"), boxes, strict=True)
    )


def in_play(position: At, *cards: str, at: str = "") -> At:
    """Cards of this turn, in order; `at`: the leader of yellow among them."""
    position.board.this_turn = cards
    position.board.leaders = (Leader(at, YELLOW, 1),)
    return position


@pytest.mark.parametrize(
    ("turn", "ducats"), [(("walter",), 20), (("crusades", "walter"), 30), (("walter", "crusades"), 30)]
)
def test_walter_gives_thirty_in_the_turn_of_the_crusades(turn: tuple[str, ...], ducats: int) -> None:
    """R51  Walter gives 30 with Crusades of any player, played before or after Walter in the same turn."""
    assert credit(in_play(game(), *turn, at="walter"), "walter", "R") == ducats


@pytest.mark.holds("age_of_renaissance", "ruling", "R28")
@pytest.mark.parametrize(
    ("turn", "ducats"), [(("marco_polo",), 20), (("mongols", "marco_polo"), 40), (("marco_polo", "mongols"), 20)]
)
def test_marco_polo_is_doubled_only_after_the_mongols_of_the_turn(turn: tuple[str, ...], ducats: int) -> None:
    """A2, R28  Mongol Armies double Marco Polo when played before it in the same turn."""
    position = in_play(game(), *turn, at="marco_polo")
    assert [credit(position, "marco_polo", letter) for letter in "RYA"] == [ducats, ducats, 0]


@pytest.mark.holds("age_of_renaissance", "option", "marco_polo=hereafter")
def test_by_option_the_mongols_double_marco_polo_for_good() -> None:
    """R28  By option Mongols of an earlier turn double Marco Polo too; later ones do not, nor old Crusades Walter."""
    position = in_play(game(marco_polo="hereafter"), "marco_polo", at="marco_polo")
    position.board.played = frozenset({"mongols"})
    assert credit(position, "marco_polo", "Y") == 40
    position.board.this_turn = ("marco_polo", "mongols")
    assert credit(position, "marco_polo", "Y") == 20
    plain = in_play(game(), "marco_polo", at="marco_polo")
    plain.board.played = frozenset({"mongols"})
    assert credit(plain, "marco_polo", "Y") == 20
    walter = in_play(game(marco_polo="hereafter"), "walter", at="walter")
    walter.board.played = frozenset({"crusades"})
    assert credit(walter, "walter", "R") == 20


@pytest.mark.holds("age_of_renaissance", "ruling", "R51")
def test_crusades_make_up_the_refund_of_walter() -> None:
    """R9, R51  Walter, refunded 20 when played, brings 10 more when Crusades follow."""
    position = game()
    advances(position, YELLOW, "NOR")
    hand(position, YELLOW, "walter")
    hand(position, VIOLET, "crusades")
    went = history(position, {YELLOW: Play("walter"), VIOLET: Play("crusades", ("suez",))})
    assert [e.ducats for e in told(went, Refunded)] == [20, 10]
    assert cashes(went.position)["venezia"] == 70


def test_crusades_bring_nothing_more_without_silk_road() -> None:
    """R9, R51  With Printed Word but without Silk Road neither Walter nor Crusades after Walter pay anything."""
    position = game()
    advances(position, YELLOW, "NO")
    hand(position, YELLOW, "walter", "crusades")
    went = history(position, {YELLOW: (Play("walter"), Play("crusades", ("suez",)))})
    assert told(went, Refunded) == []


def test_crusades_make_up_no_refund_without_printed_word() -> None:
    """R9, R51  Silk Road without Printed Word brings nothing for Walter, nor for Crusades after Walter."""
    position = game()
    advances(position, YELLOW, "R")
    hand(position, YELLOW, "walter", "crusades")
    went = history(position, {YELLOW: (Play("walter"), Play("crusades", ("suez",)))})
    assert told(went, Refunded) == []


@pytest.mark.holds("age_of_renaissance", "ruling", "R9")
def test_a_leader_of_another_is_never_refunded() -> None:
    """§9.3.3, R9  Claims by Patronage bring no refund: O pays for one's own leader only."""
    position = game()
    advances(position, VIOLET, "NOER")
    assert told(plays(position, YELLOW, "walter"), Refunded) == []


def test_leaders_leave_at_the_end_of_the_purchases() -> None:
    """§9.3.3  All leaders in play are removed for good when the purchases are over."""
    went = plays(game(), YELLOW, "walter")
    done = purchases(went.position, {})
    assert [leader.card for e in told(done, LeadersLeft) for leader in e.leaders] == ["walter"]
    assert done.position.board.leaders == ()
    assert done.position.board.removed[-1:] == ("walter",)


def test_in_the_last_play_leaders_only_refund() -> None:
    """§11.1  In the final card play a leader pays only a holder of O and the advances that it names."""
    position = game(phase=Phase.FINAL)
    advances(position, YELLOW, "NOR")
    hand(position, YELLOW, "rashid")
    hand(position, VIOLET, "walter")
    opened = enter(position, Phase.FINAL)
    went = play(opened.position, "final/2", {YELLOW: Play("rashid"), VIOLET: Play("walter")})
    assert [(e.seat, e.ducats) for e in told(went, Refunded)] == [(YELLOW, 20)]


def test_the_boxes_protect_from_the_second_turn_of_history_on() -> None:
    """§9.3.3  The boxes are empty again in the next turn: its first leader stands in the first one."""
    went = plays(game(), YELLOW, "walter")
    done = purchases(went.position, {})
    position = done.position
    hand(position, VIOLET, "rashid")
    opened = enter(position, Phase.HISTORY)
    later = closed(opened, "history/2", {VIOLET: Play("rashid")})
    assert [(leader.card, leader.box) for leader in later.position.board.leaders] == [("rashid", 1)]
