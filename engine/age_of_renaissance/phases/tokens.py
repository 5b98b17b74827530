"""§9.7  Phase 7: tokens are bought secretly, and the numbers decide the order of play."""

from collections.abc import Mapping
from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, note_replies, reply
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.catalogue import SLOTS
from engine.age_of_renaissance.events import OrderSet, TokensBought
from engine.age_of_renaissance.orders import Rank, Tokens
from engine.kernel.orders import Orders, Pace, Problem, Question, unconditional
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "too_dear",  # {cost, cash}: a ducat for each token, or for each below zero
    "no_such_place",  # {place, places}: not one of the places still free among the tied
)


class RevealTokens(Step, saved="aor.RevealTokens"):
    """Reveal the numbers together and take the payments."""

    gate: str


class SettleOrder(Step, saved="aor.SettleOrder"):
    """Settle the order of play.

    `groups`: seats tied on a number.
    `settled`: for each group, the places settled so far: a seat, or None if free.
    `gate`: where the next to choose was asked; "" before.
    """

    groups: tuple[tuple[Seat, ...], ...]
    settled: tuple[tuple[Seat | None, ...], ...]
    gate: str = ""
    asked: Seat | None = None


def tokens_gate(board: Board) -> str:
    """Return the gate of the purchase of tokens, which has the number of the next turn."""
    return f"tokens/{board.turn + 1}"


def begin(table: Game) -> None:
    """§9.7, §8.5  Ask each player for a number."""
    gate = tokens_gate(table.board)
    table.then(RevealTokens(gate))
    table.ask(*(Question(gate, power.seat, "tokens") for power in table.board.playing()))


def reveal(table: Game, step: RevealTokens) -> None:
    """§9.7  Take the payments and give the tokens.

    A player pays for all tokens even if the stock has fewer, and pays for a number below zero without tokens.
    """
    counts = dict.fromkeys(table.board.order, 0)
    for power in table.board.playing():
        order = reply(table, step.gate, power.seat)
        count = order.count if isinstance(order, Tokens) else 0
        counts[power.seat] = count
        taken = min(max(count, 0), power.stock)
        table.emit(TokensBought(seat=power.seat, asked=count, taken=taken, paid=abs(count)))
    groups = tied(table.board, counts)
    table.then(SettleOrder(groups, tuple((None,) * len(group) for group in groups)))


def tied(board: Board, counts: Mapping[Seat, int]) -> tuple[tuple[Seat, ...], ...]:
    """§9.7, R22  Return the groups of tied seats, fewest tokens first; in a group, later choosers of a capital first.

    An eliminated power has bought nothing and keeps a rank (R27), last in its group (R55).
    """

    def word(seat: Seat) -> tuple[bool, int]:
        return board.powers[seat].eliminated, -board.powers[seat].chosen

    numbers = sorted(set(counts.values()))
    return tuple(tuple(sorted((s for s in counts if counts[s] == n), key=word)) for n in numbers)


def settle(table: Game, step: SettleOrder) -> None:
    """§8.3, R38  Settle places in each group: the later chooser of a capital takes one first, then the next."""
    groups, settled = step.groups, list(step.settled)
    for n, group in enumerate(groups):
        for seat in _turns(table, group):
            if seat in settled[n]:
                continue
            if seat != step.asked and _has_choice(table, settled[n], seat):
                _ask_rank(table, groups, tuple(settled), seat, settled[n])
                return
            order = reply(table, step.gate, seat) if seat == step.asked else None
            rank = order if isinstance(order, Rank) else Rank()
            settled[n] = _taken(settled[n], seat, rank)
    seats = [seat for group in settled for seat in group if seat is not None]
    slots = tuple(zip(seats, SLOTS[table.board.players], strict=True))
    table.emit(OrderSet(slots=slots, cause="tokens"))


def _turns(table: Game, group: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """§8.3, R59  Return a group in the order of choosing, players who have left since last."""
    return tuple(sorted(group, key=lambda seat: table.board.powers[seat].eliminated))


def _has_choice(table: Game, places: tuple[Seat | None, ...], seat: Seat) -> bool:
    chosen = table.core.options["tied_rank"] == "chosen"
    return chosen and places.count(None) > 1 and not table.board.powers[seat].eliminated


def _ask_rank(
    table: Game,
    groups: tuple[tuple[Seat, ...], ...],
    settled: tuple[tuple[Seat | None, ...], ...],
    seat: Seat,
    places: tuple[Seat | None, ...],
) -> None:
    """Ask the next player, who knows what the earlier ones chose."""
    gate = f"rank/{table.board.turn + 1}/{seat}"
    table.then(SettleOrder(groups, settled, gate, seat))
    table.ask(Question(gate, seat, "rank", {"places": places.count(None)}, pace=Pace.REACTION))


def _taken(places: tuple[Seat | None, ...], seat: Seat, order: Rank) -> tuple[Seat | None, ...]:
    """Return the places with `seat` at the free one it named; beyond the free ones, at the last.

    §8.3, R56  From the end, `RANK FROM LAST 2` is the last but one; beyond the free ones, the first.
    """
    free = [n for n, holder in enumerate(places) if holder is None]
    place = min(max(order.place, 1), len(free))
    wanted = free[-place] if order.last else free[place - 1]
    return (*places[:wanted], seat, *places[wanted + 1 :])


def refuse_tokens(seen: Seen, decision: Question, order: Tokens) -> Problem | None:
    """§9.7  Require the cash for the number, above or below zero."""
    cash = seen.board.powers[decision.seat].cash
    cost = abs(order.count)
    return Problem("too_dear", {"cost": cost, "cash": cash}, lasting=True) if cost > cash else None


def refuse_rank(seen: Seen, decision: Question, order: Rank) -> Problem | None:
    """R38  Require a place that exists; in advance, any place up to the number of players."""
    places = decision.limits.get("places", seen.board.players)
    if isinstance(places, int) and 1 <= order.place <= places:
        return None
    return Problem("no_such_place", {"place": order.place, "places": places}, lasting=True)


def no_tokens(seen: Seen, decision: Question) -> Orders:
    """Return a purchase of 0 tokens."""
    return unconditional(Tokens(0))


STEPS: Final[Steps] = {RevealTokens: reveal, SettleOrder: settle}
GATES: Final[Gates] = {
    "tokens": note_replies,
    "rank": note_replies,
}
REFUSALS: Final[Refusals] = {
    Tokens: refuse_tokens,
    Rank: refuse_rank,
}
DEFAULTS: Final[Defaults] = {"tokens": no_tokens}
