"""What letters of a table say."""

from pathlib import Path

from pbem.narration.letters import render
from tests.service.server_fixtures import build, start_game


def test_a_line_was_ordered_and_what_came_of_it_stands_in_the_story(state_dir: Path) -> None:
    """A move that failed is not called done."""
    harness = build(state_dir)
    start_game(harness, "diplomacy", 7, powers="order")
    for seat, line in {2: "F LON - ENG", 3: "F BRE - ENG"}.items():
        harness.reply(f"s{seat}", line)
    for seat in (1, 4, 5, 6, 7):
        harness.reply(f"s{seat}", "PASS")
    reports = [facts for address, facts in harness.sent if (address.kind, address.to_address[:2]) == ("report", "p2")]
    text = render(reports[-1]).text
    assert "1. F LON - ENG: ordered" in text
    assert "England: F LON - ENG (fails)." in text
