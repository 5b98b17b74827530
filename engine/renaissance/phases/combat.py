"""Phase 2 - Combats: each player's turn, with attacks and yellow cards in the order written.

Yellow cards are played only in the player's own turn, before, between or after attacks (A1).
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.gates import Gate
from engine.kernel.orders import Orders
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Gates, Sets, Steps
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, call_for_orders
from engine.renaissance.board import Phase
from engine.renaissance.events import CampaignBegan, CampaignEnded, PhaseBegan
from engine.renaissance.phases import attacks, battle, intrigue, reactions


class Campaign(ExecuteOrders, saved="ren.Campaign"):
    """A player's orders of the combat turn."""


class OpenCampaign(Step, saved="ren.OpenCampaign"):
    """Begin a player's turn."""

    seat: Seat


class CloseCampaign(Step, saved="ren.CloseCampaign"):
    """End a player's turn."""

    seat: Seat


class AfterBattle(Step, saved="ren.AfterBattle"):
    """Continue after a battle: a victory ends the line, after a defeat it may try again."""

    city: str
    rest: ExecuteOrders


def begin(table: Game) -> None:
    """Séquence 5  Ask for all orders at once (`sealed`), or for each in turn."""
    table.emit(PhaseBegan(phase=Phase.COMBAT))
    call_for_orders(table, "combat")


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the turns in order of play; repeated answers continue the current turn."""
    for power in reversed(table.board.playing()):
        seat = power.seat
        if seat not in answers:
            continue
        under_way = Campaign(seat, gate, "combat", Sealed(answers[seat]))
        again = Gate.parse(gate).again > 0
        table.then(*((under_way,) if again else (OpenCampaign(seat), under_way, CloseCampaign(seat))))


def open_campaign(table: Game, step: OpenCampaign) -> None:
    """Begin a turn, unless the player has no city left (A23)."""
    if not table.board.powers[step.seat].eliminated:
        table.emit(CampaignBegan(seat=step.seat))


def close_campaign(table: Game, step: CloseCampaign) -> None:
    """Résultat du combat  End a turn; cards set aside return to the hand, for defence."""
    if not table.board.powers[step.seat].eliminated:
        table.emit(CampaignEnded(seat=step.seat, cards=table.board.powers[step.seat].aside))


def campaign(table: Game, step: Campaign) -> None:
    """Do one line of a combat turn."""
    if table.board.powers[step.seat].eliminated:
        return
    order, rest = table.next_order(step)
    if isinstance(order, o.Attack | o.Ride):
        table.then(AfterBattle(order.city, rest))
        attacks.announce(table, step.seat, order)
    elif order is not None:
        table.then(rest.line_done())
        intrigue.ACTS[type(order)](table, step.seat, order)


def after_battle(table: Game, step: AfterBattle) -> None:
    """Continue the line, or end it.

    A42  The result of the attack decides, not the owner: a city may have been taken this turn and swapped away since.
    """
    lost = step.city in table.board.powers[step.rest.seat].beaten
    table.then(step.rest if lost else step.rest.line_done())


STEPS: Final[Steps] = {
    Campaign: campaign,
    OpenCampaign: open_campaign,
    CloseCampaign: close_campaign,
    AfterBattle: after_battle,
}
GATES: Final[Gates] = {"combat": answered, **dict.fromkeys(reactions.TOPICS, battle.answered)}
SETS: Final[Sets] = {"combat": Campaign}
