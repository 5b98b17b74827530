"""The values worth trying in the slots of orders: those that may be legal and change something."""

from typing import Final

from engine.age_of_renaissance import orders as o
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import OLD
from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, CARDS_KEPT, PROVINCES, Aim
from engine.age_of_renaissance.phases.cession import cedable
from engine.age_of_renaissance.phases.placing import bases, placeable_counts, way_in
from engine.age_of_renaissance.phases.setup import free_capitals
from engine.age_of_renaissance.phases.strength import defenders, needed
from engine.age_of_renaissance.phases.targets import count, raided
from engine.age_of_renaissance.suggestions import faces, in_play
from engine.kernel.holes import Filling, SlotValues, one_of
from engine.kernel.orders import Problem, Question
from engine.kernel.ruleset import SlotTable
from engine.kernel.viewers import Seat


def _cards_to_keep(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """§8.1  Two cards of the hand."""
    return SlotValues(faces(seen.board, decision.seat), CARDS_KEPT, CARDS_KEPT)


def _hand(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    held = faces(seen.board, decision.seat)
    return one_of(held, Problem("none_of_that_kind" if held else "hand_empty"))


def _cash(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return SlotValues(range(seen.board.powers[decision.seat].cash + 1))


def _tokens(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """§9.7  From -1 to be early to one more than the stock to be late, as far as the cash allows."""
    power = seen.board.powers[decision.seat]
    return SlotValues(range(max(-1, -power.cash), min(power.cash, power.stock + 1) + 1))


def _free_capitals(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(free_capitals(seen.board))


def _markets(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(good for good, steps in seen.board.markets.items() if steps)


def _targets(seen: Seen, decision: Question, known: Filling) -> SlotValues | None:
    """R50  For Pirates all provinces that they need; any target of other cards."""
    card = CARDS.get(str(known.get("card")))
    if card is None or card.aim is not Aim.PROVINCES:
        return None
    needs = max(count(seen.board, card), 1)
    return SlotValues(tuple(p for p in PROVINCES if raided(seen.board, p)), needs, needs)


def _advances(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(letter for letter in ADVANCES if letter not in seen.board.powers[decision.seat].advances)


def _claims(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """§9.3.3  Leaders of others."""
    return one_of(leader.card for leader in seen.board.leaders if leader.seat != decision.seat)


def _without_tokens(seen: Seen, seat: Seat) -> Problem | None:
    return None if seen.board.powers[seat].expansion else Problem("no_tokens_left")


def _placed_in(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    board, seat = seen.board, decision.seat
    held = bases(board, seat)
    open_ones = (p for p in in_play(board) if placeable_counts(board, seat, p, held))
    return one_of(open_ones, _without_tokens(seen, seat) or Problem("nowhere_to_place"))


def _placed(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    board, seat, province = seen.board, decision.seat, known.get("province")
    if province is None:
        return SlotValues(range(1, board.powers[seat].expansion + 1))
    return SlotValues(placeable_counts(board, seat, province))


def _attacked(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    board, seat = seen.board, decision.seat
    foes = (p for p in in_play(board) if p in board.pieces and defenders(board, seat, p))
    open_ones = (p for p in foes if not isinstance(way_in(board, seat, p, needed(board, seat, p)), Problem))
    return one_of(open_ones, _without_tokens(seen, seat) or Problem("nothing_in_reach"))


def _brought(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """§9.5.2  From the fewest tokens that an attack needs."""
    board, seat, province = seen.board, decision.seat, known.get("province")
    least = needed(board, seat, province) if province is not None else 1
    return SlotValues(range(max(least, 1), board.powers[seat].expansion + 1))


def _lifted(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    left = seen.board.powers[decision.seat].markers
    old = (p for p in PROVINCES if seen.board.at(p, decision.seat).marker == OLD)
    return one_of(old, Problem("markers_left", {"left": left}) if left else Problem("no_old_marker"))


def _ceded(seen: Seen, decision: Question, known: Filling) -> SlotValues | None:
    winner = seen.board.power_of(str(decision.limits.get("winner", "")))
    return one_of(cedable(seen.board, decision.seat, winner.seat)) if winner is not None else None


def _others(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(p.capital for p in seen.board.playing() if p.seat != decision.seat and p.capital)


def _in_play(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(in_play(seen.board))


WORTH_TRYING: Final[SlotTable] = {
    (o.Keep, "cards"): _cards_to_keep,
    (o.Bid, "ducats"): _cash,
    (o.Capitals, "capitals"): _free_capitals,
    (o.Tokens, "count"): _tokens,
    (o.CancelMarkets, "goods"): _markets,
    (o.Discard, "card"): _hand,
    (o.Play, "card"): _hand,
    (o.Play, "target"): _targets,
    (o.Buy, "advances"): _advances,
    (o.Buy, "claims"): _claims,
    (o.Place, "province"): _placed_in,
    (o.Place, "tokens"): _placed,
    (o.Attack, "province"): _attacked,
    (o.Attack, "tokens"): _brought,
    (o.Lift, "provinces"): _lifted,
    (o.Cede, "provinces"): _ceded,
    (o.Arm, "card"): _hand,
    (o.UseConversion, "against"): _others,
    (o.UseConversion, "provinces"): _in_play,
    (o.Exchange, "cards"): _hand,
}
