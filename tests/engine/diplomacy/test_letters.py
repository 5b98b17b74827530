"""What letters of a table say."""

from pathlib import Path

from sqlalchemy import select

from engine import GAMES
from pbem.archive.verify import verify
from pbem.narration.letters import render
from pbem.service.archive import files, library
from pbem.store.models import User
from tests.service.server_fixtures import build, start_game


def test_a_line_was_ordered_and_what_came_of_it_stands_in_the_story(state_dir: Path) -> None:
    """A move that failed is not called done."""
    harness = build(state_dir, installed=GAMES)
    start_game(harness, "diplomacy", 7, powers="order")
    for seat, line in {2: "F LON - ENG", 3: "F BRE - ENG"}.items():
        harness.reply(f"s{seat}", line)
    for seat in (1, 4, 5, 6, 7):
        harness.reply(f"s{seat}", "PASS")
    reports = [facts for address, facts in harness.sent if (address.kind, address.to_address[:2]) == ("report", "p2")]
    text = render(reports[-1]).text
    assert "1. F LON - ENG: ordered" in text
    assert "England: F LON - ENG (fails)." in text


def test_letters_statistics_and_the_archive_tell_of_a_draw(state_dir: Path) -> None:
    """All seven share the first place; before the last vote came, no letter to another says that there was one."""
    harness = build(state_dir, installed=GAMES)
    game = start_game(harness, "diplomacy", 7, powers="order")
    for seat in range(1, 8):
        seen = len(harness.sent)
        harness.reply(f"s{seat}", "VOTE DRAW")
        told = [
            render(facts).text for a, facts in harness.sent[seen:] if seat < 7 and a.to_address != f"p{seat}@games.test"
        ]
        assert not [text for text in told if "draw" in text.lower()]
    ends = harness.sent_facts("game_over")
    assert len(ends) == 7
    assert "All who are left agree on a draw." in " ".join(render(ends[0]).text.split())
    with harness.web.db.snapshot() as session:
        user = session.scalars(select(User.id).where(User.email == "p1@games.test")).one()
    ending = library.load_ending(harness.web, user, game)
    assert ending is not None
    assert [placement.place for placement in ending.placed] == [1] * 7
    assert [row.firsts for row in library.load_statistics(harness.web, user).players] == [1] * 7
    verdict = verify(files.export_game(harness.resolver, game), ends[0].root_digest, GAMES)
    assert [claim for claim in verdict.claims if not claim.holds] == []
