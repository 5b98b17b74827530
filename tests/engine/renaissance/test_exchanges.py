"""By mail in days, not months: how often a turn waits for somebody."""

from collections import Counter

import pytest

from tests.engine.renaissance.exchanges import Post
from tests.games import SEATS


def histogram(pace: str, games: int, *, filing: bool, ask: bool = False) -> Counter[int]:
    """Turns of some games of six, by the number of exchanges that they took; the preparation apart."""
    counted: Counter[int] = Counter()
    for n in range(games):
        options = {"pace": pace, "unanswered": "ask" if ask else "default"}
        waits = Post(SEATS, options, f"mail/{pace}/{n}".encode(), filing=filing).play()
        counted.update(count for turn, count in waits.items() if turn)
    return counted


@pytest.mark.slow
@pytest.mark.parametrize(("pace", "most"), [("sealed", 4), ("order", 9)])
def test_with_instructions_on_file_a_turn_takes_few_exchanges(
    pace: str, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four at most in the sealed pace, nine in order, with six players; the histogram is printed."""
    counted = histogram(pace, 2, filing=True)
    with capsys.disabled():
        print(f"\n{pace}, instructions on file: {dict(sorted(counted.items()))}")
    assert sum(counted.values()) == 12
    assert max(counted) <= most


@pytest.mark.slow
@pytest.mark.holds("renaissance", "option", "unanswered=ask")
@pytest.mark.parametrize("pace", ["sealed", "order"])
def test_with_everything_asked_a_turn_takes_many(pace: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With nothing on file every reaction is asked, so instructions save exchanges; the histogram is printed."""
    counted = histogram(pace, 1, filing=False, ask=True)
    with capsys.disabled():
        print(f"\n{pace}, everything asked: {dict(sorted(counted.items()))}")
    assert max(counted) > (4 if pace == "sealed" else 9)
