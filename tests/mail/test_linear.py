"""Reading a letter takes time in proportion to its length, whatever it is made of."""

import time

import pytest

from pbem.mail.inbound import read
from tests.mail.corpora import LETTERS
from tests.mail.hostile import HEAD, PLAIN, Shape, shapes

SMALL, TIMES = 3_000, 8
UNFELT_S = 0.05
"""Too little to be measured beside other programs."""
LONG_S = 2.0


def seconds(raw: bytes) -> float:
    """What reading costs this process, at best."""
    costs = list[float]()
    while not costs or (len(costs) < 3 and costs[-1] > UNFELT_S):
        begun = time.process_time()
        read(raw)
        costs.append(time.process_time() - begun)
    return min(costs)


def growth(shape: Shape) -> float:
    """How many times as long eight times the input takes; 0 where nobody would feel it."""
    large = seconds(shape(SMALL * TIMES))
    return large / max(seconds(shape(SMALL)), UNFELT_S / TIMES) if large > UNFELT_S else 0.0


def test_eight_times_the_letter_is_eight_times_the_work() -> None:
    """No shape, hostile ones included, makes the reading grow faster than what is read."""
    slow = {name: round(found, 1) for name, shape in shapes() if (found := growth(shape)) > 3 * TIMES}
    assert slow == {}


def test_letters_of_real_clients_put_end_to_end() -> None:
    """Eight times the text of any letter of the fixtures is no more than eight times the work."""
    for path in sorted(LETTERS.glob("*.eml")):
        text = path.read_bytes().partition(b"\n\n")[2] or path.read_bytes().partition(b"\r\n\r\n")[2]
        assert (
            growth(lambda size, text=text: HEAD + PLAIN + b"\r\n" + text * (size // max(1, len(text)) + 1)) < 3 * TIMES
        )


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_no_letter_of_full_size_takes_long(part: int) -> None:
    """The longest letter that is read, of any shape, costs less than that."""
    chosen = [found for number, found in enumerate(shapes()) if number % 4 == part]
    assert {name: cost for name, shape in chosen if (cost := seconds(shape(1_000_000))) > LONG_S} == {}
