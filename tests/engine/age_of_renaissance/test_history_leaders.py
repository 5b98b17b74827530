"""§9.3.3, A3  Leaders: their places, their credits, what raises them, and the refunds of Printed Word."""

import pytest

from engine.age_of_renaissance.board import Leader
from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, Card, Kind
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
    events_of,
    game,
    hand,
)
from tests.engine.age_of_renaissance.phase_play import cashes, history, plays, purchases

LEADERS = [card for card in CARDS.values() if card.kind is Kind.LEADER]
PRINTED = {
    "charlemagne": (1, {"W": 20}),
    "dionysius": (1, {"N": 20}),
    "rashid": (1, {"N": 10, "R": 10}),
    "benedict": (1, {"N": 10, "E": 10}),
    "walter": (1, {"R": 20}),
    "columbus": (2, {"U": 30, "T": 30}),
    "erasmus": (2, {"O": 20, "Q": 20}),
    "ibn_majid": (2, {"T": 20, "Y": 20}),
    "gutenberg": (2, {"O": 30}),
    "marco_polo": (2, {"R": 20, "Y": 20}),
    "copernicus": (2, {"A": 20, "X": 20}),
    "henry": (2, {"T": 20, "X": 20}),
    "caxton": (2, {"O": 20}),
    "vesalius": (3, {"B": 20, "D": 20}),
    "las_casas": (3, {"Y": 30}),
    "galileo": (3, {"A": 20, "Q": 20}),
    "oldenburg": (3, {"D": 30}),
    "da_vinci": (3, {"P": 20, "B": 20, "Q": 20}),
    "newton": (3, {"C": 20, "D": 20}),
}
"""A3, as the table of the rulebook prints it: epoch, and credits."""


@pytest.mark.holds("age_of_renaissance", "card", *(c.id for c in CARDS.values() if c.kind is Kind.LEADER))
@pytest.mark.parametrize("card", LEADERS, ids=lambda card: card.id)
def test_each_leader_takes_its_credits_off_its_advances(card: Card) -> None:
    """A3  Each of the 19 leaders gives its player exactly the credits printed, for those advances and no others."""
    epoch, credits = PRINTED[card.id]
    assert card.epoch == epoch
    assert [letter for letter, advance in ADVANCES.items() if card.id in advance.leaders] == sorted(credits)
    seen = plays(game(6), YELLOW, card.id).position
    found = {letter: dict(quote(seen, YELLOW, letter).credits).get(card.id, 0) for letter in ADVANCES}
    assert {letter: ducats for letter, ducats in found.items() if ducats} == credits
    assert [quote(seen, VIOLET, letter).credits for letter in credits] == [()] * len(credits)


@pytest.mark.parametrize("card", LEADERS, ids=lambda card: card.id)
def test_each_leader_pays_back_to_who_holds_printed_word_and_its_advances(card: Card) -> None:
    """§9.3.3, R9  With O, a leader at once pays its credits on advances held before; without O nothing."""
    position = game(6)
    letters = "".join(card.credits)
    advances(position, YELLOW, letters + "O")
    went = plays(position, YELLOW, card.id)
    refund = events_of(went, Refunded)[0]
    assert (refund.seat, refund.ducats) == (YELLOW, sum(PRINTED[card.id][1].values()))
    advances(position, YELLOW, letters.replace("O", ""))
    assert events_of(plays(position, YELLOW, card.id), Refunded) == []


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
@pytest.mark.parametrize(("letters", "refunds"), [("NOR", [20, 10]), ("NO", []), ("R", [])])
def test_crusades_make_up_the_refund_of_walter(letters: str, refunds: list[int]) -> None:
    """R9, R51  Walter brings 20, and 10 more when Crusades follow, to an owner of Printed Word and Silk Road alone."""
    position = game()
    advances(position, YELLOW, letters)
    hand(position, YELLOW, "walter")
    hand(position, VIOLET, "crusades")
    went = history(position, {YELLOW: Play("walter"), VIOLET: Play("crusades", ("suez",))})
    assert [e.ducats for e in events_of(went, Refunded)] == refunds
    assert cashes(went.position)["venezia"] == 40 + sum(refunds)


@pytest.mark.holds("age_of_renaissance", "ruling", "R9")
def test_a_leader_of_another_is_never_refunded() -> None:
    """§9.3.3, R9  Claims by Patronage bring no refund: O pays for one's own leader only."""
    position = game()
    advances(position, VIOLET, "NOER")
    assert events_of(plays(position, YELLOW, "walter"), Refunded) == []


def test_leaders_leave_at_the_end_of_the_purchases() -> None:
    """§9.3.3  All leaders in play are then removed for good; the first one of the next turn has the first box."""
    went = plays(game(), YELLOW, "walter")
    done = purchases(went.position, {})
    assert [leader.card for e in events_of(done, LeadersLeft) for leader in e.leaders] == ["walter"]
    assert done.position.board.leaders == ()
    assert done.position.board.removed[-1:] == ("walter",)
    later = plays(done.position, VIOLET, "rashid")
    assert [(leader.card, leader.box) for leader in later.position.board.leaders] == [("rashid", 1)]
