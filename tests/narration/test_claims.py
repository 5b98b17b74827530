"""What sentences claim (ends, remains, most, first, all, nothing) holds on the board, over whole games of bots."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from engine.age_of_renaissance import events as aor
from engine.age_of_renaissance.board import Board as Age
from engine.age_of_renaissance.phases.expansion import most_new
from engine.amalfi import events as amalfi
from engine.amalfi.board import Board as Amalfi
from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, DESTINATIONS
from engine.amalfi.payment import least_waste
from engine.kernel import events as kernel
from engine.kernel.apply import apply
from engine.kernel.events import Event
from engine.kernel.hidden_amounts import count_visible
from engine.kernel.secrets import deep_copy, redact, truth
from engine.kernel.viewers import PUBLIC
from engine.patchistory import events as patchistory
from engine.patchistory.board import Board as Patchistory
from engine.patchistory.catalogue import ERAS, ROUNDS
from engine.renaissance import events as renaissance
from engine.renaissance.board import Board as Renaissance
from pbem.narration.narrator import narrator
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


def _asked(before: Age, event: aor.TokensBought, after: Age) -> bool:
    bought = before.powers[event.seat].stock - after.powers[event.seat].stock
    return _tokens(before, event, after) and bought == event.taken


def _cash(before: Age, event: aor.BidMade | aor.CommodityPaid, after: Age) -> bool:
    purses = [count_visible(board.powers[event.seat].purse) for board in (before, after)]
    return abs(purses[1] - purses[0]) == event.ducats


def _pieces_stay(before: Age, event: aor.Eliminated, after: Age) -> bool:
    return {p: there.get(event.seat) for p, there in before.pieces.items()} == {
        p: there.get(event.seat) for p, there in after.pieces.items()
    }


def _reduced(before: Age, event: aor.MarkerReduced, after: Age) -> bool:
    piece = after.pieces.get(event.province, {}).get(event.seat)
    return (event.source in ("stock", "expansion")) == (piece is not None and piece.old + piece.new > 0)


def _fought(before: Age, event: aor.RivalryFought, after: Age) -> bool:
    piece = after.pieces.get(event.province, {}).get(event.seat)
    return (event.left == "marker") == (piece is not None and bool(piece.marker))


def _last_place(before: Age, event: aor.OrderSet, after: Age) -> bool:
    return event.cause != "civil_war" or event.slots[-1][0] == event.seat


def _last_card(before: Age, event: aor.LastTurnCame, after: Age) -> bool:
    return event.reason != "deck" or not before.deck


def _passed(before: Amalfi, event: amalfi.Passed, after: Amalfi) -> bool:
    return event.compass == (not any(player.done for player in before.players.values()))


def _fed(before: Amalfi, event: amalfi.Fed, after: Amalfi) -> bool:
    return not event.lost or after.players[event.seat].bread == 0


def _no_lighthouse(before: Amalfi, event: amalfi.PointsGained, after: Amalfi) -> bool:
    return event.cause != "no_lighthouse" or before.left(event.seat) == 0


def _title(before: Amalfi, event: amalfi.TitleEarned, after: Amalfi) -> bool:
    return event.rank == len(after.claims[event.title])


def _nothing_done(before: Amalfi, event: amalfi.BenefitLost, after: Amalfi) -> bool:
    return before.players == after.players and before.rows == after.rows


def _rightmost(before: Amalfi, event: amalfi.CardDiscarded, after: Amalfi) -> bool:
    return before.rows[event.row][-1] == event.card


def _tile(before: Amalfi, event: amalfi.TileTaken, after: Amalfi) -> bool:
    return before.rows["atlas"][-1] == event.tile


def _ships_home(before: Amalfi, event: amalfi.ShipsReturned, after: Amalfi) -> bool:
    return not after.docks and not any(player.port for player in after.players.values())


def _least_waste(before: Amalfi, event: amalfi.Paid, after: Amalfi) -> bool:
    """For one of the things that can be paid: the event does not say what was."""
    accepted = (ARTWORKS.values(), DESTINATIONS.values(), CHARACTERS.values())
    every = {("wood",), *(tuple(thing.accepts) for things in accepted for thing in things)}
    best = (least_waste(before, event.seat, event.cost, accepts) for accepts in every)
    return not event.chosen or any(
        (getattr(one, "holds", None), getattr(one, "emergency", 0)) == (event.holds, event.emergency) for one in best
    )


def _alliance_over(before: Patchistory, event: patchistory.RouteGone, after: Patchistory) -> bool:
    one, other = event.ends
    return not event.allied or (before.allied(one, other) and not after.allied(one, other))


def _first_player(
    before: Patchistory, event: patchistory.TurnBegan | patchistory.FirstPlayerChosen, after: Patchistory
) -> bool:
    return after.first == (event.first if isinstance(event, patchistory.TurnBegan) else event.seat)


def _fewest(before: Patchistory, event: patchistory.CardsDropped, after: Patchistory) -> bool:
    """One card, or, where several share the place, all cards."""
    least = min(poll.total for poll in before.polls)
    last = [poll.card for poll in before.polls if poll.total == least]
    return list(event.cards) == (last if len(last) == 1 else [poll.card for poll in before.polls])


def _votes_gone(before: Patchistory, event: patchistory.VoteEnded, after: Patchistory) -> bool:
    return not after.polls and not any(player.amount("vote") for player in after.players.values())


def _by_culture(before: Patchistory, event: patchistory.CardScored, after: Patchistory) -> bool:
    gained = {s: after.players[s].amount("culture") - before.players[s].amount("culture") for s in after.players}
    return any(event.culture.values()) or not any(gained.values())


def _threat(before: Patchistory, event: patchistory.Threatened, after: Patchistory) -> bool:
    return event.paid == event.demanded or after.players[event.to].amount(event.good) == 0


def _last_round(before: Patchistory, event: patchistory.WarDeclared, after: Patchistory) -> bool:
    return not event.last or before.turn == ERAS * ROUNDS


def _no_gain(before: Patchistory, event: patchistory.Gained, after: Patchistory) -> bool:
    return any(event.symbols.values()) or before.players[event.seat] == after.players[event.seat]


def _has_laid_what_is_shown(before: Renaissance, event: renaissance.CardsShown, after: Renaissance) -> bool:
    assert before.battle is not None
    sides = ((event.attack, before.battle.attack), (event.defence, before.battle.defence))
    return all(len(shown) == len(laid) for shown, laid in sides)


def _all_cards(before: Renaissance, event: renaissance.DeckMade, after: Renaissance) -> bool:
    hands = any(power.hand for power in after.powers.values())
    return event.cause != "turn" or not (hands or after.discard)


def _defence(before: Renaissance, event: renaissance.DefenceLaid, after: Renaissance) -> bool:
    return bool(event.cards) or before.powers[event.seat].cards == after.powers[event.seat].cards


def _points(before: Renaissance, event: renaissance.PointsScored, after: Renaissance) -> bool:
    scored = sum(after.powers[event.seat].points) - sum(before.powers[event.seat].points)
    return scored == len(event.provinces) + len(event.artists)


def _ranked(before: Any, event: kernel.Ended, after: Any) -> bool:
    """Who is first has the most points, and who ends with as many shares the place."""
    points = [{event.points[seat] for seat in group} for group in event.ranking]
    return all(max(one) >= max(other) for one, other in pairwise(points))


def _traitor(before: Renaissance, event: renaissance.CondottiereThrown, after: Renaissance) -> bool:
    if event.face != "betrayal" or before.battle is None:
        return not event.for_sale
    return event.for_sale == (before.powers[before.battle.foe(event.seat)].ducats > 0)


CLAIMS: Mapping[str, Mapping[type[Event], Claim]] = {
    "age_of_renaissance": {
        kernel.Ended: _ranked,
        aor.BidMade: _cash,
        aor.CardDrawn: _bonus,
        aor.CommodityPaid: _cash,
        aor.Eliminated: _pieces_stay,
        aor.LastTurnCame: _last_card,
        aor.MarkerReduced: _reduced,
        aor.MarketMoved: _market,
        aor.OrderSet: _last_place,
        aor.PileMade: lambda before, event, after: len(event.deck) == len(after.deck),
        aor.RivalryFought: _fought,
        aor.Stabilised: lambda before, event, after: event.cards == len(before.powers[event.seat].hand),
        aor.TokensBought: _asked,
    },
    "amalfi": {
        kernel.Ended: _ranked,
        amalfi.AllRefreshed: lambda before, event, after: not any(p.engaged for p in after.players.values()),
        amalfi.BenefitLost: _nothing_done,
        amalfi.CardDiscarded: _rightmost,
        amalfi.Fed: _fed,
        amalfi.HandDealt: lambda before, event, after: event.where != "aside" or bool(after.players[event.seat].aside),
        amalfi.Paid: _least_waste,
        amalfi.Passed: _passed,
        amalfi.PointsGained: _no_lighthouse,
        amalfi.ShipsReturned: _ships_home,
        amalfi.TileTaken: _tile,
        amalfi.TitleEarned: _title,
    },
    "patchistory": {
        kernel.Ended: _ranked,
        patchistory.CardScored: _by_culture,
        patchistory.CardsDropped: _fewest,
        patchistory.Gained: _no_gain,
        patchistory.RouteGone: _alliance_over,
        patchistory.FirstPlayerChosen: _first_player,
        patchistory.Threatened: _threat,
        patchistory.TurnBegan: _first_player,
        patchistory.VoteEnded: _votes_gone,
        patchistory.WarDeclared: _last_round,
    },
    "renaissance": {
        kernel.Ended: _ranked,
        renaissance.BattleEnded: lambda before, event, after: (
            not event.captured or after.cities[event.city].owner == event.attacker
        ),
        renaissance.CardsShown: _has_laid_what_is_shown,
        renaissance.CondottiereThrown: _traitor,
        renaissance.DeckMade: _all_cards,
        renaissance.DefenceLaid: _defence,
        renaissance.EmbassyHeard: lambda before, event, after: before.cities == after.cities,
        renaissance.IncomeTaken: lambda before, event, after: all(before.cities[c].pillaged for c in event.pillaged),
        renaissance.OrderDrawn: lambda before, event, after: (
            event.barred is None or (before.order[0] == event.barred != event.order[0])
        ),
        renaissance.PointsScored: _points,
        renaissance.Ruined: lambda before, event, after: (
            after.cities[event.city].level == before.cities[event.city].level - 1
        ),
        renaissance.StateSet: lambda before, event, after: bool(event.votes) == (before.turn > 1),
    },
}
CLAIM_WORDS: Mapping[str, str] = {
    "en": "most|fewest|least|ends?|first|remains?|left|all|every|nobody|none|nothing|no more|no longer|last|only|"
    "cannot|because",
    "fr": "le plus|la plus|les plus|le moins|prend fin|premi\\w+|reste(?:nt)?|tous|toutes|tout|personne|aucune?|rien|"
    "derni\\w+|seuls?|seules?|(?:ne |n')\\S+ plus|qu'une?|car",
}
"""Words with which a sentence says more than what was done."""
QUOTES = (kernel.LineStarted, kernel.LineFailed, kernel.ReactionUsed, kernel.ReactionSkipped)
"""Sentences about a player's own lines: orders as written, and reasons, which have laws of their own."""
NAMES = (aor.PhaseBegan, amalfi.PhaseBegan, patchistory.PhaseBegan, renaissance.PhaseBegan)
"""Sentences that only name a phase."""


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


@pytest.mark.parametrize("game", CLAIMS)
def test_what_sentences_claim_has_a_check(game: str) -> None:
    """A sentence with a word that claims, in either language, is of an event whose claims are checked on the board."""
    case, told = case_of(game), Counter[type[Event]]()
    for play in range(len(case.plays))[: budget(1, 9)]:
        here = {language: case.context(PUBLIC, language, -1, play) for language in CLAIM_WORDS}
        for entry in case.entries(play)[1:]:
            for event in redact(entry.after.events, PUBLIC):
                if isinstance(event, QUOTES) or type(event) in NAMES or told[type(event)] >= budget(12, 10**6):
                    continue
                told[type(event)] += 1
                for language, words in CLAIM_WORDS.items():
                    said = narrator(game, language).sentence(event, PUBLIC, here[language]) or ""
                    plain = said.replace("\u00a0", " ").replace("’", "'")
                    claims = re.findall(rf"(?<!\w)(?:{words})(?!\w)", plain, re.IGNORECASE)
                    assert not claims or type(event) in CLAIMS[game], (type(event).__name__, claims, said)
    assert told
