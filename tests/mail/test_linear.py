"""Reading a letter takes time in proportion to its length, whatever it is made of."""

from functools import partial

import pytest

from pbem.mail.parser import parse_message
from tests.budget import budget
from tests.growth import TIMES, growth, seconds
from tests.mail.corpora import LETTERS
from tests.mail.slow_emails import HEAD, PLAIN, Shape, shapes

SMALL = 3_000
FULL = 1_000_000


def grown(shape: Shape) -> float:
    """How many times as long it takes to read eight times of it."""
    return growth(lambda size: partial(parse_message, shape(size)), SMALL)


def test_lines_that_look_ahead_cost_no_more_than_others() -> None:
    """Divided, signed, ruled and blank lines without end grow no faster than what is read."""
    known = dict(shapes())
    for line in ("--", "-----BEGIN PGP SIGNED MESSAGE-----", "On 1/1/2020 10:00 a@b.c wrote:\nx"):
        assert grown(known[f"plain lines of {line!r}"]) < 3 * TIMES, line
    for name in ("lines of '', ' ' and 'x'", "lines of '', '_' and 'x'", "style of 'border-left:'"):
        assert grown(known[name]) < 3 * TIMES, name


@pytest.mark.long
def test_eight_times_the_letter_is_eight_times_the_work() -> None:
    """No shape, hostile ones included, makes the reading grow faster than what is read."""
    slow = {name: round(found, 1) for name, shape in chosen() if (found := grown(shape)) > 3 * TIMES}
    assert slow == {}


def chosen() -> list[tuple[str, Shape]]:
    """Return every shape, or, but for a run at night, one in eight."""
    return list(shapes())[:: budget(8, 1)]


@pytest.mark.night
def test_letters_of_real_clients_put_end_to_end() -> None:
    """Eight times the text of any letter of the fixtures is no more than eight times the work."""
    for path in sorted(LETTERS.glob("*.eml")):
        text = path.read_bytes().replace(b"\r\n", b"\n").partition(b"\n\n")[2]
        assert grown(_repeated(text)) < 3 * TIMES, path.name


def _repeated(text: bytes) -> Shape:
    return lambda size: HEAD + PLAIN + b"\r\n" + text * max(1, size // max(1, len(text)))


@pytest.mark.long
def test_no_letter_of_full_size_takes_long() -> None:
    """The longest letter that is read costs, whatever its shape, no more than three times what short lines cost."""
    common = seconds(partial(parse_message, dict(shapes())["plain lines of 'a'"](FULL)))
    costs = {name: seconds(partial(parse_message, shape(FULL)), 3 * common) for name, shape in chosen()}
    assert {name: cost / common for name, cost in costs.items() if cost > 3 * common} == {}
