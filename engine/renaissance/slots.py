"""The values worth trying in the slots of orders: those that may be legal and change something."""

from itertools import combinations
from typing import Final

from engine.kernel.holes import Filling, SlotValues, one_of
from engine.kernel.orders import Problem, Question
from engine.kernel.ruleset import SlotTable
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Seen, unused
from engine.renaissance.board import Board
from engine.renaissance.phases.attacks import bases, composed
from engine.renaissance.phases.diplomacy import spendable
from engine.renaissance.phases.expansion import accessible, refuse_any
from engine.renaissance.phases.intrigue import corruptible, ruinable
from engine.renaissance.phases.setup import nations, reachable, start_cities, start_of


def _theirs(board: Board, seat: Seat) -> tuple[str, ...]:
    return tuple(town for town in board.open() if board.cities[town].owner not in (None, seat))


def _nations(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(nations(seen.board, seen.core.options))


def _start(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """A28  The start cities, including the chosen one or all that can be chosen."""
    chosen = known.get("choice")
    if chosen is None:
        start = start_of(seen.board, decision.seat)
        return one_of((*start.fixed, *start.choice))
    return one_of(start_cities(seen.board, decision.seat, chosen))


def _start_choice(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(start_of(seen.board, decision.seat).choice)


def _reachable(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(reachable(seen.board, decision.seat))


def _accessible(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(accessible(seen.board, decision.seat), refuse_any(seen.board, decision.seat))


def _own(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(seen.board.held(decision.seat))


def _enemy(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(_theirs(seen.board, decision.seat))


def _attacked(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    options, board, seat = seen.core.options, seen.board, decision.seat
    return one_of((t for t in _theirs(board, seat) if bases(options, board, seat, t)), Problem("nothing_to_attack"))


def _origin(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    town = known.get("city")
    if town is None:
        return _own(seen, decision, known)
    return one_of(bases(seen.core.options, seen.board, decision.seat, town))


def _attack_cards(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Combat  Each set of cards of the hand that can be laid, with a free Condottiere of Milan."""
    held = list(seen.board.kinds(decision.seat))
    if unused(seen.core.options, seen.board, decision.seat, "milan", "condottiere"):
        held.append("condottiere")
    sets = dict.fromkeys(cards for count in (2, 3) for cards in combinations(sorted(held), count))
    return SlotValues(lists=tuple(cards for cards in sets if composed(cards)), none=Problem("no_two_troops"))


def _corrupted(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(t for t in seen.board.open() if corruptible(seen.board, decision.seat, t) is None)


def _ruined(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(t for t in seen.board.open() if ruinable(seen.board, decision.seat, t) is None)


def _painted(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(town for town in _theirs(seen.board, decision.seat) if seen.board.cities[town].artist)


def _ducats(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return SlotValues(range(1, spendable(seen.board, decision.seat) + 1))


def _swapped(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """A17  Own cities with the walls of a city of another player."""
    board = seen.board
    levels = {board.level(town) for town in _wanted(seen, decision, known).values if isinstance(town, str)}
    return one_of(
        (town for town in board.held(decision.seat) if board.level(town) in levels), Problem("no_equal_walls")
    )


def _wanted(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """A17  Cities of other players, with the walls of the city given for them."""
    board, given = seen.board, known.get("gives")
    theirs = _theirs(board, decision.seat)
    equal = (town for town in theirs if given is None or board.level(town) == board.level(given))
    return one_of(equal, Problem("no_equal_walls"))


def _accepted(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(dict.fromkeys(offer.wants for offer in seen.board.offers), Problem("no_swap_offered"))


def _accepted_for(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    gives = known.get("gives")
    fitting = (offer.gives for offer in seen.board.offers if gives in (None, offer.wants))
    return one_of(dict.fromkeys(fitting), Problem("no_swap_offered"))


def _recalled(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    own = (offer.gives for offer in seen.board.offers if offer.seat == decision.seat)
    return one_of(dict.fromkeys(own), Problem("no_own_offer"))


def _recalled_for(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    gives = known.get("gives")
    fitting = (offer.wants for offer in seen.board.offers if gives in (None, offer.gives))
    return one_of(dict.fromkeys(fitting), Problem("no_own_offer"))


WORTH_TRYING: Final[SlotTable] = {
    (o.Claim, "nations"): _nations,
    (o.Found, "rampart"): _start,
    (o.Found, "choice"): _start_choice,
    (o.Found, "palace"): _start,
    (o.Garrison, "cities"): _reachable,
    (o.Settle, "city"): _accessible,
    (o.Build, "city"): _own,
    (o.Attack, "city"): _attacked,
    (o.Attack, "origin"): _origin,
    (o.Attack, "cards"): _attack_cards,
    (o.Ride, "city"): _enemy,
    (o.Ride, "cards"): _attack_cards,
    (o.Embassy, "corrupt"): _corrupted,
    (o.Embassy, "ruin"): _ruined,
    (o.Marry, "city"): _enemy,
    (o.Patronise, "city"): _own,
    (o.Bank, "city"): _own,
    (o.Lure, "origin"): _painted,
    (o.Lure, "city"): _own,
    (o.Give, "ducats"): _ducats,
    (o.Propose, "gives"): _swapped,
    (o.Propose, "wants"): _wanted,
    (o.Accept, "gives"): _accepted,
    (o.Accept, "wants"): _accepted_for,
    (o.Recall, "gives"): _recalled,
    (o.Recall, "wants"): _recalled_for,
}
