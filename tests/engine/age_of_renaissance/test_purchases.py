"""§9.4  The fleet, stability, elimination, and the order in which things are bought."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import CARDS
from engine.age_of_renaissance.events import CardDiscarded, Eliminated, MiseryMoved, ShipUpgraded, Stabilised
from engine.age_of_renaissance.orders import Buy, Discard, Stabilise, UpgradeShip
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import LineFailed, LinesDropped
from engine.kernel.orders import Question
from engine.kernel.secrets import seen_by
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    Answer,
    At,
    advances,
    cash,
    enter,
    events_of,
    game,
    hand,
    held,
    judged,
    misery,
    play,
    ship,
)
from tests.engine.age_of_renaissance.phase_play import cashes, closed, code, miseries, purchases

NAMES = tuple(CARDS)


def why(position: At, answer: Answer) -> list[str]:
    """The code of the problem of each line of yellow's purchases; empty where it stands."""
    return [r.problem.code if r.problem else "" for r in judged(position, YELLOW, "purchases", answer)]


# --- the fleet


@pytest.mark.parametrize("hull", list(Hull))
def test_a_fleet_grows_level_by_level_within_its_kind(hull: Hull) -> None:
    """§9.4.1  Ten ducats buy the next level, one a turn: 2 to 8, 10 to 16, or Galleon 1 to 4; after the last there is
    none, and who has no fleet begins with Galley 2.
    """
    position = game()
    assert purchases(position, {YELLOW: UpgradeShip()}).position.board.powers[YELLOW].ship == Ship(Hull.GALLEY, 2)
    assert why(position, (UpgradeShip(), UpgradeShip())) == ["", "ship_once"]
    levels = {Hull.GALLEY: (2, 4, 6, 8), Hull.SEAWORTHY: (10, 12, 14, 16), Hull.GALLEON: (1, 2, 3, 4)}[hull]
    for before, after in pairwise(levels):
        ship(position, YELLOW, hull, before)
        went = purchases(position, {YELLOW: UpgradeShip()})
        assert [(e.ship, e.paid) for e in events_of(went, ShipUpgraded)] == [(Ship(hull, after), 10)]
    ship(position, YELLOW, hull, levels[-1])
    assert why(position, UpgradeShip()) == ["ship_highest"]
    cash(position, YELLOW, 9)
    ship(position, YELLOW, hull, levels[0])
    assert why(position, UpgradeShip()) == ["too_dear"]


def test_the_fleet_comes_before_the_advances_and_stability_last() -> None:
    """§9.4  Fleet, advances, stability: lines in another order are refused with the reason."""
    position = game()
    cash(position, YELLOW, 100)
    assert why(position, (Buy(("I",)), UpgradeShip())) == ["", "ship_first"]
    assert why(position, (Stabilise(), UpgradeShip())) == ["", "after_stability"]
    assert why(position, (Stabilise(), Buy(("I",)))) == ["", "after_stability"]
    assert why(position, (UpgradeShip(), Buy(("I",)), Buy(("V",)), Stabilise())) == ["", "", "", ""]
    assert why(position, (Stabilise(), Stabilise(False))) == ["", "stable_already"]


# --- stability


@given(st.integers(0, 12), st.booleans())
def test_stability_costs_the_sum_of_the_ranks_of_the_cards(count: int, middle_class: bool) -> None:
    """§9.4.3, §9.6  n cards cost n(n+1)/2 ducats; half of it, rounded up, with Middle Class."""
    position = game()
    hand(position, YELLOW, *NAMES[:count])
    advances(position, YELLOW, "Z" if middle_class else "")
    cash(position, YELLOW, 100)
    full = sum(range(count + 1))
    went = purchases(position, {YELLOW: Stabilise()})
    assert events_of(went, Stabilised)[0].paid == (-(-full // 2) if middle_class else full)
    assert events_of(went, MiseryMoved) == []


@pytest.mark.parametrize(
    ("at", "cards", "letters", "after"),
    [
        (90, 5, "", 125),
        (90, 5, "Z", 100),
        (100, 6, "", 125),
        (0, 1, "", 10),
        (10, 4, "", 20),
        (0, 5, "", 20),
        (30, 0, "", 30),
        (1000, 1, "", None),
    ],
)
def test_unpaid_stability_raises_misery_by_at_least_its_cost(
    at: int, cards: int, letters: str, after: int | None
) -> None:
    """§9.4.3, R46  From 90 with five cards to 125, with Middle Class to 100; without cards nothing; beyond 1000 one is
    eliminated.
    """
    position = game()
    misery(position, YELLOW, at)
    advances(position, YELLOW, letters)
    hand(position, YELLOW, *NAMES[:cards])
    went = purchases(position, {YELLOW: Stabilise(pay=False)})
    assert events_of(went, Stabilised)[0].paid == (-1 if cards else 0)
    assert [e.seat for e in events_of(went, Eliminated)] == ([YELLOW] if after is None else [])
    assert after is None or miseries(went.position)["venezia"] == after
    assert cashes(went.position)["venezia"] == 40


def test_stability_cannot_be_paid_in_part() -> None:
    """§9.4.3  With fewer ducats than the cost paying is refused; not paying is always allowed."""
    position = game()
    cash(position, YELLOW, 5)
    hand(position, YELLOW, *NAMES[:3])
    assert why(position, Stabilise()) == ["too_dear"]
    assert why(position, Stabilise(False)) == [""]


@pytest.mark.parametrize(("ducats", "paid", "value"), [(6, 6, 0), (5, -1, 10)])
def test_without_a_word_stability_is_paid_if_it_can_be(ducats: int, paid: int, value: int) -> None:
    """§9.4.3  The stated default: three cards cost 6 ducats, paid if they are there."""
    position = game()
    cash(position, YELLOW, ducats)
    hand(position, YELLOW, *NAMES[:3])
    went = purchases(position, {})
    assert next(e.paid for e in events_of(went, Stabilised) if e.seat == YELLOW) == paid
    assert miseries(went.position)["venezia"] == value


def test_who_is_eliminated_buys_no_more() -> None:
    """§9.4.4  A line after the one that eliminated its author is not carried out."""
    position = game()
    misery(position, YELLOW, 1000)
    cash(position, YELLOW, 200)
    went = purchases(position, {YELLOW: (Buy(("E", "I")), Buy(("V",)))})
    power = went.position.board.powers[YELLOW]
    assert (power.eliminated, power.advances) == (True, frozenset("E"))


# --- Arts and Techniques


@pytest.mark.holds("age_of_renaissance", "event", "aor.CardDiscarded")
@pytest.mark.holds("age_of_renaissance", "ruling", "R11")
def test_the_purchase_of_arts_lets_one_card_go_at_once() -> None:
    """§9.4.2, R11  A discard in the turn of the purchase of P, once, before stability is paid; not in later turns."""
    position = game()
    cash(position, YELLOW, 200)
    advances(position, YELLOW, "NO")
    hand(position, YELLOW, "wool_1a", "stirrups", "famine")
    assert why(position, Discard("stirrups")) == ["not_yours"]
    went = purchases(position, {YELLOW: (Buy(("P",)), Discard("stirrups"), Discard("famine"))})
    assert [(e.card, e.removed) for e in events_of(went, CardDiscarded)] == [("stirrups", True)]
    assert held(went.position, YELLOW) == ("wool_1a", "famine")
    assert events_of(went, Stabilised)[0].paid == 3
    position = enter(position, Phase.PURCHASES).position
    advances(position, YELLOW, "NOP")
    assert code(position, YELLOW, "purchases", Discard("wool_1a")) == "not_yours"


@pytest.mark.holds("age_of_renaissance", "ruling", "R60")
def test_the_discard_at_the_purchase_of_arts_comes_before_stability() -> None:
    """§9.4, §9.4.2 "immédiatement", R60  Stability comes last: a card that was paid for or not stays in hand."""
    position = game()
    cash(position, YELLOW, 200)
    advances(position, YELLOW, "NO")
    hand(position, YELLOW, "wool_1a", "stirrups")
    lines = (Buy(("P",)), Stabilise(pay=True), Discard("stirrups"))
    position = enter(position, Phase.PURCHASES).position
    assert why(position, lines) == ["", "", "after_stability"]
    went = play(position, "purchases/2", {YELLOW: lines})
    assert [e.card for e in events_of(went, CardDiscarded)] == []
    assert [e.paid for e in events_of(went, Stabilised) if e.seat == YELLOW] == [3]


# --- the course of the phase


def test_lines_fail_without_undoing_what_came_before() -> None:
    """§9.4  A line that cannot be done lapses; what was bought stays bought, what follows is still tried."""
    position = game()
    cash(position, YELLOW, 40)
    went = purchases(position, {YELLOW: (UpgradeShip(), Buy(("W",)), Buy(("I",)))})
    assert went.position.board.powers[YELLOW].advances == frozenset("I")
    assert [e.reasons[0].code for e in events_of(went, LineFailed)] == ["advance_too_dear"]


@pytest.mark.holds("age_of_renaissance", "option", "failures=drop")
def test_by_option_a_line_that_fails_ends_the_set() -> None:
    """§9.4  With `failures: drop` what was bought stays bought, and the lines behind the failed one are not tried."""
    position = game(failures="drop")
    cash(position, YELLOW, 40)
    went = purchases(position, {YELLOW: (UpgradeShip(), Buy(("W",)), Buy(("I",)))})
    power = went.position.board.powers[YELLOW]
    assert (power.ship is not None, power.advances, power.stabilised) == (True, frozenset(), True)
    assert [(e.lines, e.again) for e in events_of(went, LinesDropped)] == [(1, False)]


def test_when_the_rest_is_asked_again_stability_waits_for_it() -> None:
    """§9.4  With `failures: again`, stability is settled only after the answer that follows a failed line."""
    position = game(failures="again")
    cash(position, YELLOW, 40)
    hand(position, YELLOW, "wool_1a")
    went = purchases(position, {YELLOW: (UpgradeShip(), Buy(("W",)), Buy(("I",)))})
    assert [e.seat for e in events_of(went, Stabilised)] == []
    assert [(d.gate, d.seat) for d in went.position.core.questions] == [("purchases/2~1", YELLOW)]
    done = closed(went, "purchases/2~1", {YELLOW: Buy(("I",))})
    assert {e.seat for e in events_of(done, Stabilised)} == {YELLOW, VIOLET, BLUE}
    assert cashes(done.position)["venezia"] == 9


def test_the_default_is_to_buy_nothing_and_the_default_of_history_to_play_nothing() -> None:
    """§9.3, §9.4  A player who does not answer in time plays no card and buys nothing."""
    position = game()
    with seen_by(YELLOW):
        for asks in ("history", "purchases"):
            assert RULES.default_orders(position, Question(f"{asks}/2", YELLOW, asks)) == ()
