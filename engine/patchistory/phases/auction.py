"""1.

Enchères: the offer, the first auction of the game, the bids, and the auction of two players (p. 15).
"""

from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from typing import Final

from engine.kernel.orders import AskMe, Clause, Orders, Problem, Question, requests_new_answer, unconditional
from engine.kernel.pace import ask_reaction
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat
from engine.patchistory.acts import Game, Seen, note_replies, reply
from engine.patchistory.board import Board, Lot
from engine.patchistory.catalogue import AUCTION, SIDES, Op
from engine.patchistory.events import (
    BidMade,
    BidsShown,
    MoneyLent,
    Offered,
    Replied,
    RepliesUsed,
    TileTaken,
    Waited,
)
from engine.patchistory.orders import Bid, Take
from engine.patchistory.territory import specials
from engine.patchistory.vocabulary import LOTS

PROBLEMS = (
    "no_such_lot",  # {lot}: no tile of this name is on offer
    "over_limit",  # {lot, needed, limit}: the bid that would lead is above the given limit
    "no_money",  # {needed, money}: the money to add, and the money there is
    "limit_below",  # {start, most}: the limit is below the first bid
    "no_raise_here",  # {}: two players bid once, in secret (p. 15)
)
NOTES = ("may_stick",)  # {lots}: tiles that the plan does not name; if no line is possible, a free one is taken


class Bids(ExecuteOrders, saved="patch.Bids"):
    """A plan for the auction: checked line by line, and used whenever its author must bid."""


class Opening(Step, saved="patch.Opening"):
    """First auction: offer the next tile and ask the next player."""

    number: int


class Opened(Step, saved="patch.Opened"):
    """First auction: carry out a player's answer."""

    number: int
    gate: str


class Voyage(Step, saved="patch.Voyage"):
    """Vasco de Gama: take a tile."""

    seat: Seat
    gate: str


class StartBids(Step, saved="patch.StartBids"):
    """Begin the bidding: ask for plans."""


class Bidding(Step, saved="patch.Bidding"):
    """Continue the bidding.

    `asked`: the player last asked for lack of a plan. `times`: how many times any player was asked.
    """

    asked: Seat | None = None
    times: int = 0


class PairBids(Step, saved="patch.PairBids"):
    """Two players: show both bids."""


# --- the offer


def begin(table: Game) -> None:
    """Offer as many tiles as players, with alternating sides; in the first auction one after the other."""
    board = table.board
    if board.turn == 1 and len(board.players) > 2:
        table.then(Opening(0))
        return
    table.emit(Offered(lots=_lots(table, _sides(table))))
    for seat in board.seats:
        if board.players[seat].sails and _sailors(board, seat):
            table.then(Voyage(seat, ask_reaction(table, "voyage", seat, (seat,))), StartBids())
            return
    table.then(StartBids())


def _sides(table: Game) -> tuple[str, ...]:
    """A-01: Return the sides: random in the first round of an era, then alternating; none with two players."""
    board = table.board
    if len(board.players) == 2:
        return ("", "")
    first = SIDES[table.roll(f"side/{board.turn}", 2) - 1] if not board.led else _other(board.led)
    return tuple(islice(cycle((first, _other(first))), len(board.players)))


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _lots(table: Game, sides: tuple[str, ...]) -> tuple[Lot, ...]:
    tiles = [tile.value for tile in table.board.deck[: len(sides)]]
    return tuple(Lot(name, tile, side) for name, tile, side in zip(LOTS, tiles, sides, strict=False))


def take_voyage(table: Game, step: Voyage) -> None:
    """Vasco de Gama: give one tile for free, by default the first; its owner does not bid."""
    order = reply(table, step.gate, step.seat)
    lot = table.board.lot(order.lot) if isinstance(order, Take) else None
    hero = _sailors(table.board, step.seat)
    table.emit(TileTaken(seat=step.seat, lot=lot or table.board.offer[0], cause=hero[0]))


def _sailors(board: Board, seat: Seat) -> tuple[str, ...]:
    shown = specials(board.players[seat].territory)
    return tuple(room.id for room in shown if any(effect.op is Op.FREE_TILE for effect in room.effects))


# --- the first auction of the game


def open_auction(table: Game, step: Opening) -> None:
    """Enchères de la première Manche: offer a tile to each player in turn, who bids or waits; the last must bid."""
    board = table.board
    seats = board.seats
    if step.number == len(seats):
        table.then(StartBids())
        return
    side = SIDES[table.roll(f"side/{board.turn}", 2) - 1] if not board.offer else _other(board.offer[-1].side)
    tile = board.deck[0].value
    table.emit(Offered(lots=(Lot(LOTS[step.number], tile, side),)))
    gate = f"opening/{board.turn}/{seats[step.number]}"
    table.ask(Question(gate, seats[step.number], "opening", {"last": int(step.number == len(seats) - 1)}))
    table.then(Opened(step.number, gate))


def opened(table: Game, step: Opened) -> None:
    """Make a bid, or wait (A-02); for a last player without an answer, bid the least on a free tile.

    An answer with more than one bid is also the player's plan, so they are not asked for one again.
    """
    seat = table.board.seats[step.number]
    order = _opening_bid(table, f"{step.gate}/{seat}", seat)
    if order is not None:
        _bid(table, seat, order.lot, amount(table.board, seat, order))
    elif step.number == len(table.board.seats) - 1:
        _last_resort(table, seat)
    else:
        table.emit(Waited(seat=seat))
    table.then(Opening(step.number + 1))


def _opening_bid(table: Game, key: str, seat: Seat) -> Bid | None:
    """Return the first possible bid of an answer; an answer with more than one bid is stored as the plan."""
    answer = table.board.answers.get(key)
    if answer is None or not answer.visible:
        return None
    order = _first(table, seat, key)
    table.emit(RepliesUsed(keys=(key,)))
    if requests_new_answer(answer.value) or not _bids_once(answer.value):
        table.emit(Replied(key=plan_key(table.board, seat), answer=answer))
    return order if isinstance(order, Bid) else None


# --- bidding


def bidders(board: Board) -> tuple[Seat, ...]:
    """Return the players who take part, in turn order: those without a tile."""
    return tuple(seat for seat in board.seats if board.players[seat].won is None)


def start(table: Game, step: StartBids) -> None:
    """6.: Lend Money to players without any; then ask for plans, or for bids in turn.

    No player is asked if every tile has a bid (2.), nor a player who has a plan from the first auction.
    """
    seats = bidders(table.board)
    if len(seats) == 1:
        table.emit(TileTaken(seat=seats[0], lot=table.board.offer[0], cause="other"))
        return
    for seat in seats:
        _lend(table, seat)
    pair = len(table.board.players) == 2
    table.then(PairBids() if pair else Bidding())
    settled = not pair and all(table.board.stands(seat) for seat in seats)
    if pair or (table.core.options["pace"] == "sealed" and not settled):
        unplanned = (seat for seat in seats if plan_key(table.board, seat) not in table.board.answers)
        table.ask(*(Question(_gate(table.board), seat, "auction") for seat in unplanned))


def _gate(board: Board) -> str:
    return f"auction/{board.turn}"


def _lend(table: Game, seat: Seat) -> None:
    """6., A-04: Exchange three Culture, or what there is, for one Money, for a player with no Money and no bid yet."""
    player = table.board.players[seat]
    if player.amount("money") == 0 and seat not in table.board.bids:
        culture = player.able("culture", AUCTION["poor_pays"])
        table.emit(MoneyLent(seat=seat, culture=culture, money=AUCTION["poor_gains"]))


def amount(board: Board, seat: Seat, order: Bid) -> int:
    """Return what this order bids now: enough to lead, no less than before (5.), and no less than `start`."""
    own, leader = board.bids.get(seat), board.leader(order.lot)
    least = max(AUCTION["least"], own.money if own else 0)
    if leader is not None:
        least = max(least, board.bids[leader].money + 1)
    return max(least, order.start)


def bidding(table: Game, step: Bidding) -> None:
    """Let the next player without the highest bid act, clockwise (1.-4.); end with a bid on every tile (2.)."""
    board = table.board
    waiting = [seat for seat in bidders(board) if not board.stands(seat)]
    if not waiting:
        _close(table)
        return
    seat = _next(board, waiting, step)
    order = _planned(table, seat)
    if isinstance(order, Bid):
        _bid(table, seat, order.lot, amount(board, seat, order))
    elif seat != step.asked and (order is not None or _asks_again(table, seat)):
        gate = f"{_gate(board)}/{seat}" + (f"~{step.times}" if step.times else "")
        table.then(Bidding(seat, step.times + 1))
        table.ask(Question(gate, seat, "auction"))
        return
    else:
        _last_resort(table, seat)
    table.then(Bidding(None, step.times))


def _next(board: Board, waiting: list[Seat], step: Bidding) -> Seat:
    """Return the next player clockwise from the last bidder, or the one just asked."""
    if step.asked in waiting:
        return step.asked
    seats = bidders(board)
    start = seats.index(board.bidder) + 1 if board.bidder in seats else 0
    return next(seat for seat in seats[start:] + seats[:start] if seat in waiting)


def _planned(table: Game, seat: Seat) -> Bid | AskMe | None:
    """Return the first line of a plan that is possible now or asks its author again, or None."""
    return _first(table, seat, plan_key(table.board, seat))


def _first(table: Game, seat: Seat, key: str) -> Bid | AskMe | None:
    answer = table.board.answers.get(key)
    if answer is None:
        return None
    step = Bids(seat, _gate(table.board), "auction", Sealed(answer.value))
    for line in answer.value:
        clause: Clause | None = table.choose(step, (*line.plan, *line.fallback))[0]
        if clause is not None and isinstance(clause.order, Bid | AskMe):
            return clause.order
    return None


def _asks_again(table: Game, seat: Seat) -> bool:
    """Return True if a player is asked when they must act: in pace `order`, after no bid or a single one."""
    answer = table.board.answers.get(plan_key(table.board, seat))
    return table.core.options["pace"] == "order" and (answer is None or _bids_once(answer.value))


def _clauses(lines: Orders) -> Iterator[Clause]:
    return (clause for line in lines for clause in (*line.plan, *line.fallback))


def _bids_once(lines: Orders) -> bool:
    """Return True if the lines are one bid without a limit."""
    bids = [clause.order for clause in _clauses(lines)]
    return len(bids) < 2 and not any(isinstance(bid, Bid) and bid.most for bid in bids)


def plan_key(board: Board, seat: Seat) -> str:
    """Return the key of a player's stored plan for this auction."""
    return f"auction/{board.turn}/plan/{seat}"


def _last_resort(table: Game, seat: Seat) -> None:
    """A-03: Move the whole bid to the first free tile, or bid the least there, if no line of the plan is possible.

    If the plan says ASK ME, its author is asked first; in pace `order`, so is the author of a bid without a plan.
    """
    board = table.board
    lot = next(lot.name for lot in board.offer if board.leader(lot.name) is None)
    _bid(table, seat, lot, amount(board, seat, Bid(lot)))


def _bid(table: Game, seat: Seat, lot: str, money: int) -> None:
    own = table.board.bids.get(seat)
    left = own.lot if own is not None and own.lot != lot else ""
    raised = money - (own.money if own else 0)
    table.emit(BidMade(seat=seat, lot=lot, money=money, raised=raised, left=left))


def _close(table: Game) -> None:
    """2.: End the auction: discard the bids, give out the tiles, remove the plans."""
    board = table.board
    won = {seat: board.bids[seat].lot for seat in bidders(board)}
    for seat, name in won.items():
        lot = board.lot(name)
        if lot is not None:
            table.emit(TileTaken(seat=seat, lot=lot, cause="bid"))
    table.emit(RepliesUsed(keys=tuple(plan_key(board, seat) for seat in won)))


def file_plans(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Store plans for the auction; two players' bids are stored until both are shown."""
    if len(table.board.players) == 2:
        note_replies(table, gate, answers)
        return
    note_replies(table, f"auction/{table.board.turn}/plan", answers)


# --- two players


def pair_bids(table: Game, step: PairBids) -> None:
    """Show and pay both bids; the higher bid on a tile takes it, the first player if equal (p. 15)."""
    board = table.board
    bids = {seat: _pair_bid(table, seat) for seat in bidders(board)}
    table.emit(BidsShown(bids=tuple((seat, bid.lot, bid.start) for seat, bid in bids.items())))
    ranked = sorted(bids, key=lambda seat: -bids[seat].start)
    first, second = ranked
    lot = board.lot(bids[first].lot)
    if lot is not None:
        table.emit(TileTaken(seat=first, lot=lot, cause="bid"))
    cause = "bid" if bids[second].lot == table.board.offer[0].name else "other"
    table.emit(TileTaken(seat=second, lot=table.board.offer[0], cause=cause))


def _pair_bid(table: Game, seat: Seat) -> Bid:
    """Return the first possible line, or the least bid on the first tile."""
    key = f"{_gate(table.board)}/{seat}"
    order = _first(table, seat, key)
    table.emit(RepliesUsed(keys=(key,)))
    return order if isinstance(order, Bid) else Bid(LOTS[0])


# --- answers


def try_bids(table: Game, step: Bids) -> None:
    """Check each line in a trial as if it were the first; note the tiles that no line names."""
    order, rest = table.next_order(step)
    if order is not None:
        table.then(rest.line_done())
        return
    lines = rest.orders.value
    named = {clause.order.lot for clause in _clauses(lines) if isinstance(clause.order, Bid)}
    missing = tuple(lot.name for lot in table.board.offer if lot.name not in named)
    asked = requests_new_answer(lines) or (table.core.options["pace"] == "order" and _bids_once(lines))
    if missing and len(table.board.players) > 2 and not asked:
        table.note(Problem("may_stick", {"lots": missing}))


def refuse_bid(seen: Seen, decision: Question, order: Bid) -> Problem | None:
    """1.-5.: Require a tile on offer, more than the leading bid, and enough money."""
    board, seat = seen.board, decision.seat
    limit = max(order.most, order.start)
    if order.most and order.most < order.start:
        return Problem("limit_below", {"start": order.start, "most": order.most}, lasting=True)
    if order.most and len(board.players) == 2:
        return Problem("no_raise_here", {}, lasting=True)
    if board.lot(order.lot) is None:
        return Problem("no_such_lot", {"lot": order.lot})
    return _affordable(board, seat, order, limit)


def _affordable(board: Board, seat: Seat, order: Bid, limit: int) -> Problem | None:
    """Check the money to add and the limit; moving a bid to a free tile costs nothing more."""
    own = board.bids[seat].money if seat in board.bids else 0
    needed, money = amount(board, seat, order), board.players[seat].amount("money")
    if needed > max(limit, own):
        return Problem("over_limit", {"lot": order.lot, "needed": needed, "limit": limit})
    return Problem("no_money", {"needed": needed - own, "money": money}) if needed - own > money else None


def refuse_take(seen: Seen, decision: Question, order: Take) -> Problem | None:
    """Require a tile on offer."""
    return None if seen.board.lot(order.lot) else Problem("no_such_lot", {"lot": order.lot})


def least_bid(seen: Seen, decision: Question) -> Orders:
    """Return one Money on the first tile for two players, who must bid; else nothing."""
    return unconditional(Bid(LOTS[0])) if len(seen.board.players) == 2 else ()


STEPS: Final[Steps] = {
    Opening: open_auction,
    Opened: opened,
    Voyage: take_voyage,
    StartBids: start,
    Bidding: bidding,
    PairBids: pair_bids,
    Bids: try_bids,
}
GATES: Final[Gates] = {"opening": note_replies, "auction": file_plans, "voyage": note_replies}
REFUSALS: Final[Refusals] = {Bid: refuse_bid, Take: refuse_take}
DEFAULTS: Final[Defaults] = {"auction": least_bid}
SETS: Final[Sets] = {"auction": Bids}
