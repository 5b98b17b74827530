"""What sentences claim (ends, remains, most, first, all, nothing) holds on the board, over whole games of bots."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.age_of_renaissance import events as aor
from engine.age_of_renaissance.board import Board as Age
from engine.age_of_renaissance.phases.expansion import most_new
from engine.amalfi import events as amalfi
from engine.amalfi.board import Board as Amalfi
from engine.kernel.apply import apply
from engine.kernel.events import Event
from engine.kernel.secrets import deep_copy, truth
from engine.patchistory import events as patchistory
from engine.patchistory.board import Board as Patchistory
from engine.renaissance import events as renaissance
from engine.renaissance.board import Board as Renaissance
from tests.budget import budget
from tests.narration.cases import case_of

Claim = Callable[[Any, Any, Any], bool]
"""A check of an event's sentence on the boards before and after it."""


def _bonus(before: Age, event: aor.CardDrawn, after: Age) -> bool:
    leaders = most_new(before)
    says = {"bonus": len(leaders) == 1, "bonus_tied": len(leaders) > 1}
    return event.cause not in says or (says[event.cause] and leaders[0] == event.seat)


def _market(before: Age, event: aor.MarketMoved, after: Age) -> bool:
    return event.left == after.markets.get(event.good, 0)


def _tokens(before: Age, event: aor.TokensBought, after: Age) -> bool:
    return not 0 < event.asked != event.taken or after.powers[event.seat].stock == 0


def _passed(before: Amalfi, event: amalfi.Passed, after: Amalfi) -> bool:
    return event.compass == (not any(player.done for player in before.players.values()))


def _fed(before: Amalfi, event: amalfi.Fed, after: Amalfi) -> bool:
    return not event.lost or after.players[event.seat].bread == 0


def _no_lighthouse(before: Amalfi, event: amalfi.PointsGained, after: Amalfi) -> bool:
    return event.cause != "no_lighthouse" or before.left(event.seat) == 0


def _title(before: Amalfi, event: amalfi.TitleEarned, after: Amalfi) -> bool:
    return event.rank == len(after.claims[event.title])


def _threat(before: Patchistory, event: patchistory.Threatened, after: Patchistory) -> bool:
    return event.paid == event.demanded or after.players[event.to].amount(event.good) == 0


def _traitor(before: Renaissance, event: renaissance.CondottiereThrown, after: Renaissance) -> bool:
    if event.face != "betrayal" or before.battle is None:
        return not event.for_sale
    return event.for_sale == (before.powers[before.battle.foe(event.seat)].ducats > 0)


CLAIMS: Mapping[str, Mapping[type[Event], Claim]] = {
    "age_of_renaissance": {aor.CardDrawn: _bonus, aor.MarketMoved: _market, aor.TokensBought: _tokens},
    "amalfi": {
        amalfi.Passed: _passed,
        amalfi.Fed: _fed,
        amalfi.PointsGained: _no_lighthouse,
        amalfi.TitleEarned: _title,
    },
    "patchistory": {patchistory.Threatened: _threat},
    "renaissance": {renaissance.CondottiereThrown: _traitor},
}


@pytest.mark.parametrize("game", CLAIMS)
def test_what_sentences_claim_holds_on_the_board(game: str) -> None:
    """An event that is told with a claim has it from the board, before and after."""
    case, checked = case_of(game), 0
    for play in range(len(case.plays))[: budget(1, 9)]:
        for at, entry in enumerate(case.entries(play)[1:]):
            now = deep_copy(case.position(at, play))
            for event in entry.after.events:
                claim = CLAIMS[game].get(type(event))
                before = deep_copy(now).board if claim is not None else None
                with truth():
                    apply(case.rules, now, event)
                    if claim is not None:
                        assert claim(before, event, now.board), (at, event)
                        checked += 1
    assert checked
