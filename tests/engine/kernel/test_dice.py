"""Draws by name: nobody can foresee them, everybody can verify them."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.dice import Draws, HmacDraws, NameUsedTwice
from engine.kernel.run import start
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from tests.scripted_draws import ScriptedDraws
from tests.toy import RULES
from tests.toy.board import Board


def test_a_draw_is_the_stated_function_of_seed_luck_and_name() -> None:
    """Anybody who is given the seed computes the same number with a plain HMAC."""
    message = b"\x00".join((b"luck", b"rivalry/7", b"0"))
    number = int.from_bytes(hmac.new(b"seed", message, hashlib.sha256).digest()[:8], "big")
    assert HmacDraws(b"seed", b"luck").roll("rivalry/7", 6) == number % 6 + 1


@given(st.binary(), st.binary(), st.text(), st.integers(1, 10**6))
def test_a_die_shows_one_of_its_sides_and_the_same_again(seed: bytes, luck: bytes, name: str, sides: int) -> None:
    """A number from 1 to `sides`, the same for the same seed, luck and name."""
    result = HmacDraws(seed, luck).roll(name, sides)
    assert 1 <= result <= sides
    assert HmacDraws(seed, luck).roll(name, sides) == result


@given(st.binary(), st.lists(st.integers(), max_size=20))
def test_a_shuffle_keeps_every_thing_once(seed: bytes, things: list[int]) -> None:
    """A shuffle is a permutation."""
    places = HmacDraws(seed, b"").shuffle("deal", things)
    assert sorted(places) == list(range(len(things)))


def test_a_number_beyond_the_last_full_round_is_drawn_again() -> None:
    """Rejection, not remainder: with three quarters of the range as sides, the lower ones are not favoured."""
    sides = 3 * 2**62
    low = sum(HmacDraws(b"fair", b"").roll(f"die/{n}", sides) <= sides // 3 for n in range(3000))
    assert 900 < low < 1100


def test_script_decides_by_exact_name_and_leaves_the_rest() -> None:
    """Scripted names show what was written, others come from the other source, and use is noted."""
    draws = ScriptedDraws({"a": 5, "deal": ("wine", "silk")}, HmacDraws(b"s", b""))
    assert draws.roll("a", 6) == 5
    assert draws.roll("b", 6) == HmacDraws(b"s", b"").roll("b", 6)
    assert draws.shuffle("deal", ("salt", "silk", "wine")) == (2, 1, 0)
    assert sorted(draws.shuffle("other", ("x", "y"))) == [0, 1]
    assert draws.used == {"a", "deal"}


@pytest.mark.parametrize(("script", "says"), [({"a": 7}, "not a number from 1 to 6"), ({"a": ("x",)}, "not a number")])
def test_a_script_that_no_die_can_show_is_refused(script: dict[str, int | tuple[str, ...]], says: str) -> None:
    """A scripted number beyond the die is a slip of the test, and says so."""
    with pytest.raises(ValueError, match=says):
        ScriptedDraws(script).roll("a", 6)


def test_a_name_that_was_not_scripted_is_refused_where_nothing_else_draws() -> None:
    """A complete script leaves nothing to chance."""
    with pytest.raises(LookupError, match="no draw was scripted for b"):
        ScriptedDraws({"a": 1}).roll("b", 6)
    with pytest.raises(LookupError, match="no draw was scripted for deal"):
        ScriptedDraws({"a": 1}).shuffle("deal", ())


def _table(draws: Draws) -> Table[Board]:
    return Table(RULES, start(RULES, (Seat("ann"), Seat("bob")), {}, b"s").position, draws)


def test_a_name_is_drawn_once_in_an_entry() -> None:
    """A name used twice would let one draw be foreseen from the other: it raises, for dice and shuffles alike."""
    table = _table(HmacDraws(b"s", b""))
    table.roll("a")
    with pytest.raises(NameUsedTwice):
        table.roll("a", 20)
    with pytest.raises(NameUsedTwice):
        table.shuffle("a", ("x", "y"))
