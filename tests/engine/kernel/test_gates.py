"""Names of gates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.gates import Gate

WORDS = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
GATES = st.builds(
    Gate, WORDS, st.none() | st.integers(0, 99), st.lists(WORDS, max_size=3).map(tuple), st.integers(0, 9)
)


@pytest.mark.parametrize(
    ("name", "gate"),
    [
        ("expansion/5", Gate("expansion", 5)),
        ("shield/3/1", Gate("shield", 3, ("1",))),
        ("weapon/5/s1/s2", Gate("weapon", 5, ("s1", "s2"))),
        ("expansion/5/s1~2", Gate("expansion", 5, ("s1",), 2)),
        ("admin/s1", Gate("admin", None, ("s1",))),
        ("keep", Gate("keep")),
    ],
)
def test_a_name_says_what_is_asked_when_and_about_what(name: str, gate: Gate) -> None:
    """A name is read part by part, and printed as it is saved."""
    assert Gate.parse(name) == gate
    assert str(gate) == name


@given(st.text() | st.from_regex(r"[a-z]/[0-9]{1,40}(~[0-9]{1,40})?", fullmatch=True))
def test_any_text_can_be_read(text: str) -> None:
    """Reading a name never raises, whatever a file or an old record holds."""
    assert isinstance(str(Gate.parse(text)), str)


def test_a_gate_holds_those_of_its_seats() -> None:
    """A set filed for a phase answers its question whether it is put to all at one gate or to each at its own."""
    phase = Gate("expansion", 5)
    assert phase.holds(phase)
    assert phase.holds(Gate("expansion", 5, ("s1",)))
    assert not phase.holds(Gate("expansion", 50))
    assert not phase.holds(phase.next())
