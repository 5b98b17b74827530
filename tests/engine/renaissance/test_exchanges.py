"""By mail in days, not months: how often a turn waits for somebody."""

from collections import Counter

import pytest

from engine.renaissance.catalogue import TURNS
from tests.engine.renaissance.exchanges import Post
from tests.games import SEATS


def exchanges(pace: str, games: int, *, filing: bool, ask: bool = False) -> tuple[Counter[int], Counter[int]]:
    """Turns of some games of six, by the number of exchanges that they took: those before the last, and the last ones.

    The preparation is left out.
    """
    before, last = Counter[int](), Counter[int]()
    for n in range(games):
        options = {"pace": pace, "unanswered": "ask" if ask else "default"}
        waits = Post(SEATS, options, f"mail/{pace}/{n}".encode(), filing=filing).play()
        before.update(count for turn, count in waits.items() if 0 < turn < TURNS)
        last[waits[TURNS]] += 1
    return before, last


@pytest.mark.parametrize(
    ("pace", "most"),
    [pytest.param("sealed", 4, marks=pytest.mark.long), pytest.param("order", 9, marks=pytest.mark.night)],
)
def test_with_instructions_on_file_a_turn_takes_few_exchanges(
    pace: str, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four at most in the sealed pace, nine in order, with six players; one more at the last count (A38)."""
    before, last = exchanges(pace, 2, filing=True)
    with capsys.disabled():
        print(f"\n{pace}, instructions on file: {dict(sorted(before.items()))}, last turns: {dict(last)}")
    assert (sum(before.values()), sum(last.values())) == (10, 2)
    assert max(before) <= most
    assert max(last) <= most + 1


@pytest.mark.night
@pytest.mark.holds("renaissance", "option", "unanswered=ask")
@pytest.mark.parametrize("pace", ["sealed", "order"])
def test_with_everything_asked_a_turn_takes_many(pace: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With nothing on file every reaction is asked, so instructions save exchanges; the histogram is printed."""
    counted, _ = exchanges(pace, 1, filing=False, ask=True)
    with capsys.disabled():
        print(f"\n{pace}, everything asked: {dict(sorted(counted.items()))}")
    assert max(counted) > (4 if pace == "sealed" else 9)
