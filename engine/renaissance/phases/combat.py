"""Phase 2 - Combats: each player's turn, a campaign of attacks and yellow cards in the order that they wrote.

Yellow cards are played in one's own turn alone, before, between or after attacks (A1).
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
    """A player's turn under way."""


class OpenCampaign(Step, saved="ren.OpenCampaign"):
    """A player's turn begins."""

    seat: Seat


class CloseCampaign(Step, saved="ren.CloseCampaign"):
    """A player's turn ends."""

    seat: Seat


class AfterBattle(Step, saved="ren.AfterBattle"):
    """A battle is over: after a victory its line is closed, after a defeat the rest of the line may go on."""

    city: str
    rest: ExecuteOrders


def begin(table: Game) -> None:
    """Séquence 5  All campaigns at once (`sealed`), or each when its turn comes."""
    table.emit(PhaseBegan(phase=Phase.COMBAT))
    call_for_orders(table, "combat")


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Campaigns follow each other in order of play; one asked for again goes on where it stopped."""
    for power in reversed(table.board.playing()):
        seat = power.seat
        if seat not in answers:
            continue
        under_way = Campaign(seat, gate, "combat", Sealed(answers[seat]))
        again = Gate.parse(gate).again > 0
        table.then(*((under_way,) if again else (OpenCampaign(seat), under_way, CloseCampaign(seat))))


def open_campaign(table: Game, step: OpenCampaign) -> None:
    """Unless the player has no city any more (A23)."""
    if not table.board.powers[step.seat].eliminated:
        table.emit(CampaignBegan(seat=step.seat))


def close_campaign(table: Game, step: CloseCampaign) -> None:
    """Résultat du combat  Cards set aside are back in the hand, for defence."""
    if not table.board.powers[step.seat].eliminated:
        table.emit(CampaignEnded(seat=step.seat, cards=table.board.powers[step.seat].aside))


def campaign(table: Game, step: Campaign) -> None:
    """One line of a campaign."""
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
    """The line goes on, or is done.

    A42  What tells is how the attack ended, of which there is one on each city: a city may have been taken in this turn
    and swapped away before it.
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
