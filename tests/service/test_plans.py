"""Plans by mail: a letter's template is sent back as it stands, and the next one comes before anybody waits."""

from pathlib import Path
from typing import Any

from engine.amalfi.ruleset import RULES
from pbem.narration.letters import render
from tests.service.server_fixtures import ServerHarness, build, start_game


def letters_to(harness: ServerHarness, seat: str) -> list[Any]:
    """The reports to a seat, and the letter that began its game."""
    return [facts for address, facts in harness.sent if address.seat == seat and address.kind in ("report", "started")]


def uncovered(facts: Any) -> list[str]:
    """The lines of a letter's template without their semicolons; of a question for one line the first."""
    said = [line for line in render(facts).orders.split("\n") if line.startswith("; ")]
    lines = [line.removeprefix("; ") for line in said if not line.startswith("; ---")][2:]
    return lines[:1] if lines and lines[0].startswith("CHOOSE") else lines


def asked(harness: ServerHarness, game: str) -> list[str]:
    """The seats that the game waits for."""
    return [d.seat for d in harness.load_state(game).core.questions if d.blocking]


def test_a_table_that_sends_its_templates_back_goes_on_by_itself(state_dir: Path) -> None:
    """At the beginning of a period all get a plan, asked or not; then who is done, before the game waits for them."""
    harness = build(state_dir, installed={"amalfi": RULES})
    game = start_game(harness, "amalfi", 3)
    while harness.load_state(game).board.period == 0:
        (seat,) = asked(harness, game)
        harness.reply(seat, *uncovered(letters_to(harness, seat)[-1]))
    first = asked(harness, game)
    seats = sorted(("s1", "s2", "s3"), key=lambda seat: seat in first)
    for seat in seats:
        receipt = harness.reply(seat, *uncovered(letters_to(harness, seat)[-1]))
        assert [one.taken for one in receipt.sets] == [True], receipt
        assert {one.topic for one in receipt.reactions if one.problem is None} == {"light", "take", "erect"}
    assert harness.load_state(game).board.round > 2
    waiting = asked(harness, game)
    free = [seat for seat in seats if seat not in waiting]
    offered = [seat for seat in free if not letters_to(harness, seat)[-1].questions or _offers_a_plan(harness, seat)]
    assert offered == free


def _offers_a_plan(harness: ServerHarness, seat: str) -> bool:
    return "your next turns" in render(letters_to(harness, seat)[-1]).orders
