"""By mail in days, not months: how often a turn waits for somebody who keeps instructions on file."""

from collections.abc import Mapping

import pytest

from engine import GAMES
from engine.kernel.bots import BotProfile
from tests.bot_games import SEATS
from tests.budget import budget
from tests.engine.mail_exchanges import Post

TEMPERS = {
    "amalfi": BotProfile(absent=0, unasked_share=0, passing=0, ahead=0, plans=True, lines=3, alternatives=4),
    "patchistory": BotProfile(absent=0, unasked_share=0, suggested=100, passing=10, random_share=0, lines=4),
    "renaissance": BotProfile(absent=0, unasked_share=0, suggested=100, passing=0, random_share=0, lines=6),
}
"""Who plans a few lines ahead."""


def waits(game: str, players: int, options: Mapping[str, str], *, files: bool = True) -> list[int]:
    """The exchanges of each turn, in order of size, of some games; their set-up is left out. Printed."""
    posts = (
        Post(GAMES[game], SEATS[:players], options, TEMPERS[game], f"post/{n}".encode(), files=files).play()
        for n in range(budget(2, 4))
    )
    found = sorted(count for post in posts for turn, count in post.waits.items() if turn)
    print(f"{game}, {options}: mean {sum(found) / len(found):.2f}, most {found[-1]}")
    return found


@pytest.mark.parametrize(
    ("game", "players", "options", "mean", "most"),
    [
        pytest.param("amalfi", 4, {}, 12, 16, marks=pytest.mark.long),
        pytest.param("amalfi", 4, {"pace": "sealed"}, 8, 12, marks=pytest.mark.night),
        pytest.param("patchistory", 4, {}, 4, 8, marks=pytest.mark.long),
        pytest.param("patchistory", 4, {"voting": "once"}, 4, 7, marks=pytest.mark.night),
        pytest.param("patchistory", 4, {"pace": "order"}, 9, 12, marks=pytest.mark.night),
        pytest.param("renaissance", 6, {}, 2.5, 5, marks=pytest.mark.long),
        pytest.param("renaissance", 6, {"pace": "order"}, 10, 15, marks=pytest.mark.night),
    ],
)
def test_with_instructions_on_file_a_turn_takes_few_exchanges(
    game: str, players: int, options: Mapping[str, str], mean: float, most: int
) -> None:
    """In the mean and in nine turns out of ten no more than this; the rulebooks would have scores of them."""
    found = waits(game, players, options)
    assert sum(found) / len(found) <= mean
    assert found[len(found) * 9 // 10] <= most


@pytest.mark.night
@pytest.mark.holds("renaissance", "option", "unanswered=ask")
@pytest.mark.parametrize(("game", "players"), [("patchistory", 4), ("renaissance", 6)])
def test_with_everything_asked_a_turn_takes_many(game: str, players: int) -> None:
    """With nothing on file every reaction is asked, so that instructions save more than half of the exchanges."""
    asked = waits(game, players, {"unanswered": "ask"}, files=False)
    filed = waits(game, players, {})
    assert sum(asked) / len(asked) > 2 * sum(filed) / len(filed)
