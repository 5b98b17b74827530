"""Amounts that not everybody may count: they add up for every reader, and tell nobody anything."""

from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.hidden_amounts import (
    HiddenAmount,
    add_hidden,
    can_count,
    count_visible,
    set_amount,
)
from engine.kernel.secrets import Secret, redact, seen_by, truth
from engine.kernel.viewers import PUBLIC, Seat

ANN, BOB = Seat("ann"), Seat("bob")
VIEWERS = (ANN, BOB, PUBLIC)
KNOWN = st.sampled_from([frozenset({ANN}), frozenset({BOB}), frozenset({ANN, BOB})])
AMOUNTS = st.integers(0, 30) | st.builds(Secret, st.integers(0, 30), KNOWN)


@given(amount=AMOUNTS, change=AMOUNTS, viewer=st.sampled_from(VIEWERS))
def test_what_a_viewer_reckons_is_what_they_are_shown(amount: HiddenAmount, change: HiddenAmount, viewer: str) -> None:
    """Adding in one's own copy gives one's own copy of the sum: nothing of the truth is needed, or comes out."""
    with truth():
        whole = add_hidden(amount, change)
    with seen_by(viewer):
        mine = add_hidden(redact(amount, viewer), redact(change, viewer))
        assert redact(mine, viewer) == redact(whole, viewer)
        assert can_count(mine) == (can_count(amount) and can_count(change))


def test_an_amount_may_lie_open_or_not() -> None:
    """The same arithmetic serves a purse on the table and one in the pocket."""
    pocket = Secret(4, frozenset({ANN}))
    assert (add_hidden(4, 3), set_amount(4, 9), count_visible(4)) == (7, 9, 4)
    with seen_by(ANN):
        assert (count_visible(add_hidden(pocket, 3)), count_visible(set_amount(pocket, 9))) == (7, 9)
    with seen_by(BOB):
        assert not can_count(add_hidden(pocket, 3))
