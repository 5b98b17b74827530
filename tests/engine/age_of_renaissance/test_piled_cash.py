"""§5.5, R33  The option `piled`: nobody may count the cash of others, in a view or in what leaves the engine."""

import pytest

from engine.age_of_renaissance.catalogue import START_CASH
from engine.age_of_renaissance.orders import Play
from engine.age_of_renaissance.phases.turn import BeginTurn
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.bots import chooser
from engine.kernel.codec import dump
from engine.kernel.events import Corrected, ReadingAdopted
from engine.kernel.run import correct, start
from engine.kernel.secrets import Hidden, redact, seen_by
from tests import invariants
from tests.engine.age_of_renaissance.build import SEATS, VIOLET, YELLOW, At, ask, cash, game, hand, judged, queue


def adopted(position: At, value: str) -> At:
    """The position after the game master's ruling on the option."""
    edits = (ReadingAdopted(option="cash", value=value),)
    return correct(RULES, position, Corrected(by="gm", reason="as the table wishes", edits=edits)).position


@pytest.mark.holds("age_of_renaissance", "option", "cash=piled")
def test_a_redacted_position_holds_only_its_readers_own_cash() -> None:
    """R33  What leaves the engine for a player or the public has nobody else's number in it."""
    position = game(cash="piled")
    cash(position, YELLOW, 31_337, written=40)
    with seen_by(YELLOW):
        assert redact(position, YELLOW).board.powers[YELLOW].cash == 31_337
    for viewer in (VIOLET, "public"):
        seen = redact(position, viewer)
        assert "31337" not in dump(seen)
        with seen_by(viewer), pytest.raises(Hidden):
            seen.board.powers[YELLOW].cash  # noqa: B018


@pytest.mark.parametrize("pace", ["sealed", "order"])
def test_other_sums_of_others_change_nothing_that_a_player_reads(pace: str) -> None:
    """R33  With other numbers in the piles of others, one's view, offers and refusals are the same (swap law)."""
    begun = start(RULES, SEATS[:4], {"cash": "piled", "pace": pace}, b"piles")
    position = queue(game(4, cash="piled", pace=pace), BeginTurn()).position
    for seat, ducats in zip(SEATS[:4], (3, 17, 40, 99), strict=True):
        cash(position, seat, ducats)
    for at in (begun.position, position):
        invariants.untold(RULES, at, chooser(b"piles"))


def test_a_preview_does_not_count_what_another_loses() -> None:
    """§7.6, A2 Alchimiste  Trying the card tells nothing of its victim's cash; the line stands."""
    position = game(cash="piled")
    hand(position, YELLOW, "alchemist")
    ask(position, "history", YELLOW)
    found = []
    for ducats in (1, 90):
        cash(position, VIOLET, ducats)
        found.append(judged(position, YELLOW, "history", Play("alchemist", ("genoa",))))
    poor, rich = found
    assert poor == rich
    assert poor[0].is_valid


def test_the_option_adopted_in_the_middle_of_a_game_piles_and_opens_the_cash() -> None:
    """R33  The cash is piled from the ruling on, and no longer than the ruling lasts."""
    position = adopted(queue(game(), BeginTurn()).position, "piled")
    with seen_by(VIOLET), pytest.raises(Hidden):
        redact(position, VIOLET).board.powers[YELLOW].cash  # noqa: B018
    opened = adopted(position, "public")
    with seen_by(VIOLET):
        assert redact(opened, VIOLET).board.powers[YELLOW].cash == START_CASH
