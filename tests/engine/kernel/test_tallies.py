"""Amounts that not everybody may count: they add up for every reader, tell nobody anything, and keep public bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.codec import dump, load
from engine.kernel.hidden_amounts import (
    HiddenAmount,
    Tally,
    add_amount,
    add_hidden,
    count_visible,
    find_shortage,
    to_tally,
)
from engine.kernel.secrets import Hidden, Mask, Secret, redact, seen_by, truth
from engine.kernel.viewers import PUBLIC, Seat

ANN, BOB = Seat("ann"), Seat("bob")
VIEWERS = (ANN, BOB, PUBLIC)
KNOWN = st.sampled_from([frozenset({ANN}), frozenset({BOB}), frozenset({ANN, BOB})])
AMOUNTS = st.integers(0, 30) | st.builds(Secret, st.integers(0, 30), KNOWN)


def own(number: int, least: int = 0, most: int | None = None) -> Tally:
    """What Ann alone may count."""
    return Tally.of(number, ANN, least=least, most=most)


@given(amount=AMOUNTS, change=AMOUNTS, viewer=st.sampled_from(VIEWERS))
def test_what_a_viewer_reckons_is_what_they_are_shown(amount: HiddenAmount, change: HiddenAmount, viewer: str) -> None:
    """Adding in one's own copy gives one's own copy of the sum: nothing of the truth is needed, or comes out."""
    with truth():
        whole = add_hidden(amount, change)
    with seen_by(viewer):
        mine = add_hidden(redact(amount, viewer), redact(change, viewer))
        assert redact(mine, viewer) == redact(whole, viewer)
        assert to_tally(mine) == (to_tally(amount) and to_tally(change))


CHANGES = st.lists(
    st.tuples(st.sampled_from(["open", "secret", "known"]), st.integers(-9, 9), st.integers(0, 4), st.integers(0, 4)),
    max_size=12,
)


@given(start=st.integers(0, 20), changes=CHANGES, viewer=st.sampled_from(VIEWERS))
def test_the_bounds_hold_whatever_is_done(start: int, changes: list[tuple[str, int, int, int]], viewer: str) -> None:
    """After any changes the number lies within what everybody may reckon, and every viewer reckons the same."""
    true = own(start, start, start)
    seen = redact(true, viewer)
    for kind, number, below, above in changes:
        with truth():
            number = max(number, -true.value)
        change: HiddenAmount = number if kind == "open" else Secret(number, frozenset({ANN}))
        with truth():
            true = true.add(change, number - below, number + above)
        with seen_by(viewer):
            seen = seen.add(redact(change, viewer), number - below, number + above)
        if kind == "known":
            with truth():
                low, high = true.value - below, true.value + above
            true, seen = true.narrow(low, high), seen.narrow(low, high)
    with truth():
        assert true.least <= true.value <= (true.most if true.most is not None else true.value)
    assert redact(seen, viewer) == redact(true, viewer)
    assert load(dump(true)) == true


def test_a_reader_who_may_not_count_is_told_nothing_but_the_bounds() -> None:
    """Who may count reads the number; others may only say what is certain."""
    tally = own(5, 2, 9)
    with seen_by(ANN):
        assert (tally.visible, tally.value, tally.is_at_least(6)) == (True, 5, False)
    with seen_by(BOB):
        assert not tally.visible
        assert (tally.is_at_least(2), tally.is_at_least(6), tally.is_at_least(10)) == (True, None, False)
        with pytest.raises(Hidden):
            _ = tally.value
    assert redact(tally, BOB).amount == Secret(Mask.UNKNOWN)


def test_what_can_be_reckoned_in_public_is_known_to_all() -> None:
    """Where the bounds meet, everybody knows the number, though nobody showed it."""
    tally = own(3, 3, 3).add(2)
    with seen_by(PUBLIC):
        assert tally.value == redact(tally, PUBLIC).value == 5
        assert tally.minus(Secret(1, frozenset({ANN})), 0, 1).visible is False


def test_what_was_taken_away_was_there() -> None:
    """An open payment tells that there was enough: the bounds stay above the floor."""
    paid = own(8, 0, 10).minus(6)
    assert (paid.least, paid.most) == (0, 4)
    debts = Tally(Secret(0, frozenset({ANN})), 0, 0, floor=-5).minus(Secret(4, frozenset({ANN})), 0, 9)
    assert (debts.least, debts.most) == (-5, 0)


def test_a_secret_change_needs_its_bounds() -> None:
    """Without a public bound nothing would be known of what is left; a number beyond its bounds is a mistake."""
    with pytest.raises(ValueError, match="needs a bound"):
        own(3, 3, 3).add(Secret(1, frozenset({ANN})))
    with pytest.raises(ValueError, match="beyond its bounds"):
        own(3, 4, 9)
    with pytest.raises(ValueError, match="so few"):
        own(3, 3, 3).minus(4)


def test_an_amount_is_laid_open_by_those_who_know_it() -> None:
    """Shown, it is everybody's to count; who does not know it cannot show it."""
    tally = own(4, 0, 9)
    with seen_by(ANN):
        assert tally.shown() == Tally.open(4)
    with seen_by(BOB), pytest.raises(Hidden):
        tally.shown()


def test_an_amount_may_lie_open_or_not() -> None:
    """The same arithmetic serves a purse on the table and one in the pocket."""
    pocket = Secret(4, frozenset({ANN}))
    assert (add_hidden(4, 3), add_amount(4, 9), count_visible(4)) == (7, 9, 4)
    with seen_by(ANN):
        assert (count_visible(add_hidden(pocket, 3)), count_visible(add_amount(pocket, 9))) == (7, 9)
    with seen_by(BOB):
        assert not to_tally(add_hidden(pocket, 3))


def test_what_is_short_is_named() -> None:
    """The first thing that is certainly missing; what may be there is not called missing."""
    store = {"grain": own(2, 0, 3), "hay": own(0, 0, 0)}
    with seen_by(ANN):
        assert find_shortage(store, {"grain": 3, "hay": 0}) == "grain"
        assert find_shortage(store, {"grain": 2}) is None
    with seen_by(BOB):
        assert find_shortage(store, {"grain": 3, "hay": 1}) == "hay"
    assert find_shortage(store, {"salt": 1}) == "salt"
