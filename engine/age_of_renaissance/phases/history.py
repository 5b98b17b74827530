"""§9.3  Phase 3: each player in turn may play history cards."""

from collections.abc import Mapping

from engine.age_of_renaissance.acts import AskInTurn, Game, Seen, move_market, note_replies
from engine.age_of_renaissance.catalogue import CARDS, Kind, payout
from engine.age_of_renaissance.events import CardPlayed, CommodityPaid, RepliesUsed
from engine.age_of_renaissance.orders import Play
from engine.age_of_renaissance.phases import event_cards, leaders, targets, war
from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.pace import is_in_order, phase_gate
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat


class PlayCards(ExecuteOrders, saved="aor.PlayCards"):
    """A player's cards of the phase, one line after the other."""


class TakeTurns(Step, saved="aor.TakeTurns"):
    """Let each player play in turn, after all answered at `gate` or left."""

    gate: str


def begin(table: Game) -> None:
    """§9.3  Ask each holder of a card. Tied Wars are rolled at the start of each belligerent's turn (R15)."""
    war.bury(table)
    playing = table.board.playing()
    holding = [power.seat for power in playing if power.hand]
    if is_in_order(table.core.options):
        for power in reversed(playing):
            asked = (AskInTurn(power.seat, "history"),) if power.seat in holding else ()
            table.then(war.WarsDue(power.seat), *asked)
        return
    gate = phase_gate(table.board, "history")
    table.then(TakeTurns(gate))
    table.ask(*(Question(gate, seat, "history") for seat in holding))


def resolve(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Store the answers until each player's turn; carry out at once if asked in turn, or asked again."""
    if gate == phase_gate(table.board, "history"):
        note_replies(table, gate, answers)
    else:
        table.then(*(PlayCards(seat, gate, "history", Sealed(orders)) for seat, orders in answers.items()))


def take_turns(table: Game, step: TakeTurns) -> None:
    """§9.3  Queue each player's turn in order of play: tied Wars first, then the cards."""
    keys = {power.seat: f"{step.gate}/{power.seat}" for power in table.board.playing()}
    answers = {seat: table.board.answers[key].value for seat, key in keys.items() if key in table.board.answers}
    for seat in reversed(keys):
        mine = (PlayCards(seat, step.gate, "history", Sealed(answers[seat])),) if seat in answers else ()
        table.then(war.WarsDue(seat), *mine)
    if answers:
        table.emit(RepliesUsed(keys=tuple(keys[seat] for seat in answers)))


def play_cards(table: Game, step: PlayCards) -> None:
    """§9.3, R35, R50  Play the next possible card; impossible ones stay in hand, which is reported to their owner
    alone.
    """
    if table.board.powers[step.seat].eliminated:
        return
    order, rest = table.next_order(step)
    if isinstance(order, Play):
        carry(table, step.seat, order, rest.line_done())


def carry(table: Game, seat: Seat, order: Play, rest: Step) -> None:
    """Play a card that is playable (`targets.unplayable`), with all its effects; `rest` is queued after them."""
    card = targets.in_hand(table.board, seat, order.card) or order.card
    kind, goods = CARDS[card].kind, CARDS[card].goods
    good = order.good or (goods[0] if goods else "")
    table.then(rest)
    table.emit(CardPlayed(seat=seat, card=card, target=order.target, good=good))
    if kind is Kind.COMMODITY:
        pay_for(table, good)
    elif kind is Kind.LEADER:
        leaders.refund(table, seat, card)
    else:
        event_cards.EFFECTS[card](table, seat, order)
    leaders.raise_refunds(table, card)


def refuse_play(seen: Seen, decision: Question, order: Play) -> Problem | None:
    """§9.3, R50  Require a card in hand that is no burden, at possible targets."""
    return targets.unplayable(seen, decision.seat, order)


def pay_for(table: Game, good: str) -> None:
    """§9.3.1, §9.6.1  Pay every controller of a good; the card uses up one market marker, if any."""
    board = table.board
    market = board.markets.get(good, 0)
    shift = (market > 0) - (market < 0)
    for power in board.playing():
        count, more = board.controls(power.seat, good), board.has(power.seat, "M")
        if count:
            ducats = payout(good, count, shift + more)
            table.emit(
                CommodityPaid(
                    seat=power.seat, good=good, provinces=count, market=shift, manufactures=more, ducats=ducats
                )
            )
    if shift:
        move_market(table, good, -shift, "played")


STEPS: Steps = {TakeTurns: take_turns, PlayCards: play_cards}
GATES: Gates = {"history": resolve}
REFUSALS: Refusals = {Play: refuse_play}
SETS: Sets = {"history": PlayCards}
