"""Few mails a turn: at how many gates of a turn a person must write, reactions and defaults answering the rest.

In the pace `sealed` an interrupting question is answered by a reaction on file, else by its stated default where the
option `unanswered` says so; everything else waits for a letter.  The histograms are printed (`pytest -s`).
"""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.bots import BotProfile, Entry, FinishedGame
from engine.kernel.orders import Pace
from tests.bot_games import played
from tests.engine.age_of_renaissance.build import SEATS

pytestmark = pytest.mark.long

MOST = 5
"""The most exchanges of mail that a turn of six players may take."""
BUSY = BotProfile(
    suggested=90, random_share=10, passing=5, absent=0, ahead=60, unasked_share=0, eagerness=60, lines=6, tries=4
)
"""A player who files reactions with most letters, buys and fights a lot: the more there is to interrupt a turn."""


@cache
def games() -> tuple[FinishedGame[Any], ...]:
    """Whole games of six in the default pace."""
    return tuple(played(RULES, SEATS, {"pace": "sealed"}, f"exchanges/{n}".encode(), BUSY) for n in range(2))


def turn_of(entry: Entry[Any]) -> int:
    """The turn in which a gate was open: the purchase of tokens for the next one is the last of each."""
    assert entry.before is not None
    return int(entry.before.board.turn)


def interrupts(entry: Entry[Any]) -> bool:
    """Return True if the gate only interrupted: each of its questions may be answered by a reaction or a default."""
    assert entry.before is not None
    return all(d.pace is Pace.REACTION for d in entry.before.core.gate(entry.gate))


def exchanges(*, everything: bool) -> Counter[int]:
    """How many turns took how many exchanges: gates where somebody must write. `everything`: interruptions too."""
    found: Counter[int] = Counter()
    for game in games():
        turns: Counter[int] = Counter()
        for entry in game.entries[1:]:
            if turn_of(entry) and (everything or not interrupts(entry)):
                turns[turn_of(entry)] += 1
        found.update(turns.values())
    return found


def histogram(found: Counter[int]) -> str:
    """Exchanges: turns."""
    return ", ".join(f"{count}: {found[count]}" for count in sorted(found))


def test_a_turn_of_six_takes_at_most_five_exchanges() -> None:
    """In the sealed pace a person writes for history, purchases, expansion and tokens, once for the last cards."""
    found = exchanges(everything=False)
    print(f"exchanges in a turn, reactions and defaults answering: {histogram(found)}")
    assert max(found) <= MOST
    assert sum(found.values()) >= 12


@pytest.mark.holds("age_of_renaissance", "option", "unanswered=ask")
def test_asked_for_everything_a_turn_takes_more() -> None:
    """With `unanswered: ask` and no reaction on file each interruption is an exchange of its own: up to ten here."""
    assert META.chosen({"unanswered": "ask"})["unanswered"] == "ask"
    found = exchanges(everything=True)
    print(f"exchanges in a turn, everything asked: {histogram(found)}")
    assert max(found) > MOST


def test_the_set_up_takes_two_exchanges() -> None:
    """§8  Cards, bid and capitals are one letter, the first tokens another; ties may be answered ahead."""
    for game in games():
        before = [entry for entry in game.entries[1:] if not turn_of(entry) and not interrupts(entry)]
        assert [entry.gate for entry in before] == ["keep/0", "bid/0", "capitals/0", "tokens/1"]
        assert before[0].before is not None
        assert {d.gate for d in before[0].before.core.questions if d.blocking} == {"keep/0", "bid/0", "capitals/0"}


def test_every_interruption_can_be_answered_ahead() -> None:
    """A question that interrupts is a reaction's topic, and its default stands: nobody need be awaited for it."""
    for game in games():
        for entry in game.entries[1:]:
            assert entry.before is not None
            for decision in entry.before.core.gate(entry.gate):
                assert META.topic(decision.topic).is_reaction == (decision.pace is Pace.REACTION)
