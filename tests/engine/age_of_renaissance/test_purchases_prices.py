"""§9.4.2, §9.3.3  What advances cost, what they need, and what their purchase does at once."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import Leader
from engine.age_of_renaissance.catalogue import ADVANCES, Advance
from engine.age_of_renaissance.events import AdvanceBought, LastTurnCame, LeaderClaimed, MiseryMoved, Refunded
from engine.age_of_renaissance.orders import Buy, Stabilise
from engine.age_of_renaissance.phases.advances import quote, tiers
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    RED,
    VIOLET,
    YELLOW,
    Answer,
    At,
    Went,
    advances,
    cash,
    events_of,
    game,
    judged,
    misery,
    refused,
)
from tests.engine.age_of_renaissance.phase_play import cashes, code, miseries, purchases

SHEET = (
    "A30/20 B60/20 C90/20 D120/20 E30/20 F60/20 G90/20 H120/20 I20/10 J40/10 K50/10 L80/10 M110/0 N30/30 O60/20 "
    "P90/10 Q120/0 R40/20 S80/20 T120/20 U160/0 V20/20 W60/30 X100/40 Y150/50 Z170/60"
)
"""The player sheet: cost and credit of each advance."""
COSTS, CREDITS = ({entry[0]: int(entry[1:].split("/")[n]) for entry in SHEET.split()} for n in (0, 1))
NEEDS = {
    "H": "F",
    "J": "I",
    "K": "J",
    "L": "K",
    "M": "L",
    "O": "N",
    "P": "O",
    "Q": "P",
    "T": "AS",
    "U": "VT",
    "Y": "R",
    "Z": "K",
}
MISERY = {"E": 10, "F": 10, "G": 10, "H": 10, "B": -10, "K": -10}


def rich(letters: str = "", *, bought: str = "", prerequisites: str = "public", tiers: str = "purchase") -> At:
    """Yellow with 1000 ducats and these advances."""
    position = game(3, prerequisites=prerequisites, tiers=tiers)
    cash(position, YELLOW, 1000)
    advances(position, YELLOW, letters, bought=bought)
    return position


def leader(position: At, *played: tuple[str, Seat, int]) -> At:
    """Leaders in play, with their players and their boxes."""
    position.board.leaders = tuple(Leader(card, seat, box) for card, seat, box in played)
    position.board.this_turn = tuple(card for card, _, _ in played)
    held = {card for card, _, _ in played}
    position.board.deck = tuple(card for card in position.board.deck if card.held not in held)
    position.board.later = tuple(card for card in position.board.later if card not in held)
    position.board.withheld = tuple(card for card in position.board.withheld if card not in held)
    return position


def paid(went: Went) -> dict[str, int]:
    """What was paid for each advance."""
    return {e.letter: e.paid for e in events_of(went, AdvanceBought)}


def why(position: At, answer: Answer) -> list[str]:
    """The code of the problem of each line of yellow's purchases; empty where it stands."""
    return [r.problem.code if r.problem else "" for r in judged(position, YELLOW, "purchases", answer)]


@pytest.mark.holds("age_of_renaissance", "advance", *ADVANCES)
@pytest.mark.parametrize("advance", ADVANCES.values(), ids=lambda advance: advance.letter)
def test_each_advance_costs_what_the_sheet_prints(advance: Advance) -> None:
    """§6, §9.4.2  Each of the 26, its prerequisites held, is bought at its printed cost less what these take off."""
    needs = NEEDS.get(advance.letter, "")
    off = sum(CREDITS[n] for n in needs if ADVANCES[n].category == advance.category)
    position = rich(needs)
    misery(position, YELLOW, 100)
    went = purchases(position, {YELLOW: Buy((advance.letter,))})
    assert paid(went) == {advance.letter: COSTS[advance.letter] - off}
    assert went.position.board.powers[YELLOW].advances == frozenset(needs + advance.letter)
    steps = MISERY.get(advance.letter, 0)
    assert miseries(went.position)["venezia"] == {10: 125, -10: 90, 0: 100}[steps]


@pytest.mark.parametrize("advance", ADVANCES.values(), ids=lambda advance: advance.letter)
def test_each_advance_gives_its_credit_within_its_category(advance: Advance) -> None:
    """§9.4.2, R45  Owned before this turn it takes its credit off the others of its category, and nothing elsewhere."""
    position = rich(advance.letter)
    for other in ADVANCES.values():
        if other.letter != advance.letter:
            found = dict(quote(position, YELLOW, other.letter).credits)
            expected = CREDITS[advance.letter] if other.category == advance.category else 0
            if advance.letter == "X" and other.category not in ("religion", "society"):
                expected = 10
            assert found.get(advance.letter, 0) == min(expected, other.cost), other.letter


@pytest.mark.parametrize("letter", sorted(NEEDS))
def test_prerequisites_must_be_held_first(letter: str) -> None:
    """§9.4.2  Each prerequisite must be held, or bought before it in the same turn."""
    lacking = refused(rich(), YELLOW, "purchases", Buy((letter,)))
    assert lacking is not None
    assert (lacking.code, dict(lacking.terms)["missing"]) == ("needs", tuple(NEEDS[letter]))
    chain = list(letter)
    while more := [n for a in chain for n in NEEDS.get(a, "") if n not in chain]:
        chain = [*dict.fromkeys(more), *chain]
    ordered = tuple(dict.fromkeys(sorted(chain, key=lambda a: depth(a))))
    assert why(rich(), Buy(ordered)) == [""]


def depth(letter: str) -> int:
    """How many prerequisites lie behind an advance."""
    return 1 + max((depth(n) for n in NEEDS.get(letter, "")), default=0)


@pytest.mark.holds("age_of_renaissance", "option", "prerequisites=printed")
def test_the_printed_list_wants_only_what_the_text_prints() -> None:
    """§9.4.2  By option only Galleon has prerequisites, Astronomy and Seaworthy Vessels."""
    position = rich(prerequisites="printed")
    found = {a for a in ADVANCES if code(position, YELLOW, "purchases", Buy((a,))) == "needs"}
    assert found == {"T"}


def test_credits_of_advances_wait_a_turn() -> None:
    """§9.4.2  An advance bought this turn takes nothing off yet: A and B cost 90 together, next turn B costs 40.

    Attributes serve at once: Institutional Research makes A ten ducats cheaper, Patronage claims a leader.
    """
    assert paid(purchases(rich(), {YELLOW: Buy(("A", "B"))})) == {"A": 30, "B": 60}
    assert paid(purchases(rich("A"), {YELLOW: Buy(("B",))})) == {"B": 40}
    assert paid(purchases(rich(bought="A"), {YELLOW: Buy(("B",))})) == {"B": 60}
    assert paid(purchases(rich(), {YELLOW: Buy(("X", "A"))})) == {"X": 100, "A": 20}
    position = leader(rich(), ("charlemagne", VIOLET, 0))
    assert paid(purchases(position, {YELLOW: Buy(("E", "W"))})) == {"E": 30, "W": 40}


@pytest.mark.holds("age_of_renaissance", "ruling", "R45")
def test_a_price_never_falls_below_zero() -> None:
    """R45  What of a credit is not needed is lost: with B, C and D Astronomy costs nothing."""
    price = quote(rich("BCD"), YELLOW, "A")
    assert (price.paid, sum(ducats for _, ducats in price.credits)) == (0, 30)


# --- Patronage


@pytest.mark.parametrize(("box", "admitted"), [(1, 0), (2, 1), (3, 2), (0, 3)])
def test_boxes_protect_from_patronage(box: int, admitted: int) -> None:
    """§9.3.3  The first leader cannot be claimed, the second once, the third twice, the others without limit."""
    position = leader(game(4), ("charlemagne", RED, box))
    buyers = (YELLOW, VIOLET, BLUE)
    for seat in buyers:
        cash(position, seat, 100)
        advances(position, seat, "E")
    went = purchases(position, dict.fromkeys(buyers, Buy(("W",))))
    assert [e.paid for e in events_of(went, AdvanceBought)] == [40] * admitted + [60] * (3 - admitted)
    assert [e.seat for e in events_of(went, LeaderClaimed)] == list(buyers[:admitted])


@pytest.mark.parametrize(
    ("letters", "letter", "card", "seat", "box", "named", "reason"),
    [
        ("", "W", "charlemagne", VIOLET, 0, "charlemagne", "patronage"),
        ("EBCD", "A", "copernicus", VIOLET, 0, "copernicus", "no_use"),
        ("E", "B", "copernicus", VIOLET, 0, "newton", "not_in_play"),
        ("E", "A", "copernicus", YELLOW, 0, "copernicus", "own"),
        ("E", "A", "copernicus", VIOLET, 1, "copernicus", "protected"),
    ],
)
def test_who_cannot_be_claimed(
    letters: str, letter: str, card: str, seat: Seat, box: int, named: str, reason: str
) -> None:
    """§9.3.3  Without Patronage, in vain, or a leader of one's own, one absent or one protected: no claim is made."""
    position = leader(rich(letters), (card, seat, box))
    assert quote(position, YELLOW, letter).claims == ()
    problem = refused(position, YELLOW, "purchases", Buy((letter,), (named,)))
    assert problem is not None
    assert (problem.code, dict(problem.terms)["why"]) == ("cannot_claim", reason)


def test_a_leader_whose_claims_are_used_up_is_refused_for_that() -> None:
    """§9.3.3  The second box allows one claim: nothing protects the leader, but another was there first."""
    position = leader(rich("E"), ("copernicus", VIOLET, 2))
    (there,) = position.board.leaders
    position.board.leaders = (replace(there, claims=(BLUE,)),)
    problem = refused(position, YELLOW, "purchases", Buy(("A",), ("copernicus",)))
    assert problem is not None
    assert dict(problem.terms)["why"] == "used_up"


def test_one_claim_serves_for_all_credits_of_a_leader() -> None:
    """§9.3.3  A leader claimed once gives all its credits to that claimant: one claim, two advances cheaper."""
    position = leader(rich("E"), ("columbus", VIOLET, 2))
    advances(position, YELLOW, "EASV")
    went = purchases(position, {YELLOW: (Buy(("T",)), Buy(("U",)))})
    assert [e.card for e in events_of(went, LeaderClaimed)] == ["columbus"]
    assert paid(went) == {"T": 70, "U": 110}


def test_only_the_leaders_named_are_claimed() -> None:
    """§9.3.3  Naming one claim leaves the others alone; naming none claims all that help."""
    position = leader(rich("E"), ("copernicus", VIOLET, 0), ("galileo", VIOLET, 0))
    one = purchases(position, {YELLOW: Buy(("A",), ("galileo",))})
    assert (paid(one), [e.card for e in events_of(one, LeaderClaimed)]) == ({"A": 10}, ["galileo"])
    both = purchases(position, {YELLOW: Buy(("A",))})
    assert (paid(both), len(events_of(both, LeaderClaimed))) == ({"A": 0}, 2)


# --- Printed Word


def test_printed_word_bought_now_refunds_leaders_in_play() -> None:
    """§9.3.3  O bought this turn pays back own leaders' credits on advances held before, none on those of this turn.

    The set is judged with the refund: its ducats pay for what follows.
    """
    position = leader(rich("NR"), ("rashid", YELLOW, 1), ("gutenberg", YELLOW, 2), ("walter", VIOLET, 0))
    went = purchases(position, {YELLOW: Buy(("O",))})
    assert [(e.card, e.ducats) for e in events_of(went, Refunded)] == [("rashid", 20)]
    assert paid(went) == {"O": 0}
    position = leader(rich("NR"), ("rashid", YELLOW, 1))
    cash(position, YELLOW, 30)
    assert why(position, (Buy(("O", "V")),)) == [""]
    assert cashes(purchases(position, {YELLOW: Buy(("O", "V"))}).position)["venezia"] == 0


# --- what a purchase does at once


def test_seaworthy_vessels_and_galleon_bring_their_ship() -> None:
    """§9.4.1  S turns the fleet into Seaworthy 10, T into Galleon 1."""
    went = purchases(rich("A"), {YELLOW: Buy(("S",))})
    assert went.position.board.powers[YELLOW].ship == Ship(Hull.SEAWORTHY, 10)
    went = purchases(rich("AS"), {YELLOW: Buy(("T",))})
    assert went.position.board.powers[YELLOW].ship == Ship(Hull.GALLEON, 1)


def test_a_decree_forbids_its_category() -> None:
    """A2 Bulle papale  No advance of the category named can be bought this turn; the others can."""
    position = rich()
    position.board.banned = "sciences"
    assert [code(position, YELLOW, "purchases", Buy((a,))) for a in "ABCDEI"] == ["banned"] * 4 + ["", ""]


def test_nobody_buys_twice_nor_what_they_cannot_pay() -> None:
    """§9.4.2  An advance already owned, an unknown one, an empty list and too high a price are refused."""
    position = rich("A")
    cash(position, YELLOW, 39)
    found = [code(position, YELLOW, "purchases", Buy(a)) for a in (("A",), ("I", "I"), (), ("B",), ("IV",))]
    assert found == ["owned", "owned", "nothing_named", "advance_too_dear", "no_such_advance"]
    dear = refused(position, YELLOW, "purchases", Buy(("B",)))
    assert dear is not None
    assert dict(dear.terms) == {"advance": "B", "cost": 60, "credits": (("A", 20),), "price": 40, "cash": 39}


@pytest.mark.parametrize(
    ("owned", "letter", "steps"),
    [
        ("AIJNO", "C", 1),
        ("ACIJNO", "D", 0),
        ("ABIJKNO", "P", 0),
        ("ABCIJKNO", "P", 2),
        ("ABCDIJKLMNOP", "Q", 3),
        ("AIN", "O", 0),
    ],
)
def test_so_many_of_each_take_off_steps(owned: str, letter: str, steps: int) -> None:
    """§9.4.2, R21  When any two of Sciences, Commerce and Culture are held one step goes, once; two for three of each,
    three for all of them; nothing while one category lags behind.
    """
    position = rich(owned)
    misery(position, YELLOW, 200)
    went = purchases(position, {YELLOW: Buy((letter,))})
    assert sum(e.before - e.after for e in events_of(went, MiseryMoved) if e.cause == "tiers") == steps


@given(st.sets(st.sampled_from("ABCDIJKLMNOPQ")), st.randoms(use_true_random=False))
def test_tiers_do_not_depend_on_the_order_of_the_purchases(letters: set[str], order: object) -> None:
    """R21  However a set of advances is come by, the steps earned on the way are the same, six in all at most."""
    sequence = sorted(letters)
    order.shuffle(sequence)  # type: ignore[attr-defined]
    earned = [tiers(frozenset(sequence[:n])) for n in range(len(sequence) + 1)]
    assert earned == sorted(earned)
    assert earned[-1] == tiers(frozenset(letters)) <= 6
    assert sum(b - a for a, b in itertools.pairwise(earned)) == earned[-1]


@pytest.mark.holds("age_of_renaissance", "option", "tiers=phase")
def test_by_option_tiers_count_at_the_end_of_the_phase() -> None:
    """R21  By option the reduction comes when all have bought: after an unpaid stability, not before it."""
    position = rich("AIJNO", tiers="phase")
    went = purchases(position, {YELLOW: (Buy(("C", "E")), Stabilise(False))})
    assert [(e.cause, e.before, e.after) for e in events_of(went, MiseryMoved)] == [("E", 0, 1), ("tiers", 1, 0)]


@pytest.mark.holds("age_of_renaissance", "ruling", "R21")
def test_at_step_zero_a_reduction_is_lost() -> None:
    """R21, §9.4.2  Misery does not fall below 0: Anatomy then Patronage leave one step."""
    went = purchases(rich(), {YELLOW: Buy(("B", "E"))})
    assert miseries(went.position)["venezia"] == 10


def test_all_twenty_six_bring_the_last_turn() -> None:
    """§11, R26  The turn in which somebody holds all 26 advances is the last."""
    position = rich("ABCDEFGHIJKLMNOPQRSTUWXYZ")
    went = purchases(position, {YELLOW: Buy(("V",))})
    assert [e.reason for e in events_of(went, LastTurnCame)] == ["all_advances"]
    assert went.position.board.last_turn == "all_advances"
    almost = purchases(rich("ABCDEFGHIJKLMNOPQRSTUWX"), {YELLOW: Buy(("V", "Y"))})
    assert events_of(almost, LastTurnCame) == []
