"""Reading lines takes time in proportion to their length, whatever they are made of: orders, talk, and acts."""

from collections.abc import Callable
from functools import partial

import pytest

from engine.kernel.parse import parse_letter
from pbem.service.game.journal import mask_addresses
from pbem.service.orders.submission import split_orders_and_messages
from tests.budget import budget
from tests.engine.kernel.imaginary_game import GRAMMAR
from tests.growth import TIMES, growth

SMALL = 2_000
BEGINNINGS = ("", *"PRESS|PRESS TO|PRESS TO ALL: x|DIARY:|END|ATTACK Roma|IF I HOLD Roma|FOR TURN|BUY".split("|"))
FILLINGS = " |a|a |\u00a0|.|. |:|END |TO |, |Roma |AND |OR 1 |ELSE |x 2 |1|; |-".split("|")

STEP = 13
"""One shape in so many; it shares no factor with the numbers of beginnings, fillings and ends."""


def filled(shape: tuple[str, str, str], size: int) -> list[str]:
    """One line that goes on and on."""
    beginning, filling, end = shape
    return [f"{beginning} {filling * (size // len(filling))}{end}"]


def grown(work: Callable[[list[str]], object], shape: tuple[str, str, str]) -> float:
    """How many times as long it takes to read eight times of such a line."""
    return growth(lambda size: partial(work, filled(shape, size)), SMALL)


@pytest.mark.parametrize(
    "work", [split_orders_and_messages, partial(parse_letter, grammar=GRAMMAR)], ids=["talk", "orders"]
)
def test_eight_times_the_line_is_eight_times_the_work(work: Callable[[list[str]], object]) -> None:
    """No line of a letter or form makes the reading grow faster than what is read, with END behind it or without.

    Every beginning, filling and end is tried in a few lines; with `--full` each with each.
    """
    shapes = [(one, other, end) for one in BEGINNINGS for other in FILLINGS for end in ("", " x", " END")]
    shapes = shapes[:: budget(STEP, 1)]
    assert {shape: by for shape in shapes if (by := grown(work, shape)) > 3 * TIMES} == {}


@pytest.mark.parametrize("filling", ["a", "a@", '"', "a ", "@"])
def test_addresses_in_an_act_are_masked_in_one_go(filling: str) -> None:
    """What the table is told of a master's line is made in time in proportion to it."""
    assert growth(lambda size: partial(mask_addresses, filling * size), SMALL) < 3 * TIMES


def test_of_addresses_in_an_act_the_beginning_and_the_server_are_shown() -> None:
    """Quotation marks and commas about an address are no part of it."""
    assert mask_addresses('GIVE "ann@x.org" to bob@y.org, e@z') == 'GIVE "a…@x.org" to b…@y.org, e…@z'
