"""Phares: erected at any free place, and used by their owners when any player sails there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.acts import (
    Game,
    Seen,
    achieve,
    ask_choice,
    effects,
    gain_bread,
    next_light,
    note_replies,
    reply,
    triggered,
    wishes,
)
from engine.amalfi.board import Board
from engine.amalfi.catalogue import BONUSES, DESTINATIONS, LIGHT, LIGHT_BONUSES, RIVAL, On
from engine.amalfi.phases.choices import holds_for, note_asked
from engine.amalfi.values import emergency_value, hold_value, light_cost
from engine.kernel.orders import Orders, Pace, Problem, Question, unconditional
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat


class UseLight(Step, saved="amalfi.UseLight"):
    """Let the owner of the lighthouse use it after a player sailed there.

    `gate`: where the owner was asked; "" before.
    """

    place: str
    sailor: Seat
    gate: str = ""


def erect(table: Game, seat: Seat, place: str, cause: str) -> None:
    """Ériger un Phare: Erect the leftmost lighthouse of the player's board; the icon below it applies at once."""
    board, icon = table.board, LIGHT_BONUSES[table.board.erected(seat)]
    achieve(table, e.LighthouseErected(seat=seat, place=place, number=next_light(board), cause=cause))
    table.then(*effects(seat, BONUSES[icon], "lighthouse"), *triggered(board, seat, On.LIGHTHOUSE))


def use_light(table: Game, step: UseLight) -> None:
    """Let the owner, who may have passed, send a ship for bread, or gain a bread, after all benefits."""
    board, owner = table.board, table.board.light(step.place)
    if owner in ("", RIVAL):
        return
    seat = Seat(owner)
    if not step.gate and _to_ask(table, seat, step):
        if table.trial:
            _note_own_lighthouse(table, step, seat)
        else:
            limits: dict[str, int | str] = {"place": step.place, "bread": light_cost(board, seat)}
            if seat == step.sailor and board.players[seat].sent:
                limits["sends"] = 1
            gate = ask_choice(table, "light", seat, limits, Pace.REACTION)
            table.then(replace(step, gate=gate))
        return
    if step.gate:
        order = reply(table, step.gate, seat)
        wanted = order.light if isinstance(order, o.Light) else ()
    else:
        wanted = wishes(table, seat).light
    hold = _shown(step.place, wanted) if _can_send(board, seat, step.place) else ""
    if hold:
        bread = light_cost(board, seat)
        table.emit(e.LighthouseUsed(seat=seat, place=step.place, hold=hold, bread=bread))
    else:
        gain_bread(table, seat, LIGHT["gain"], "lighthouse")


def _note_own_lighthouse(table: Game, step: UseLight, owner: Seat) -> None:
    """Say in a preview that the sailor will be asked about their own lighthouse."""
    if owner == step.sailor:
        note_asked(table, "light", step.place)


def _to_ask(table: Game, seat: Seat, step: UseLight) -> bool:
    """Return True if the owner could send a ship, possibly after optional actions (page 12, page 17)."""
    board = table.board
    if seat == step.sailor:
        return not wishes(table, seat).light and _can_send(board, seat, step.place)
    return _could_send(board, seat, step.place)


def _can_send(board: Board, seat: Seat, place: str) -> bool:
    player = board.players[seat]
    return bool(player.bay and DESTINATIONS[place].holds) and player.bread >= light_cost(board, seat)


def _could_send(board: Board, seat: Seat, place: str) -> bool:
    """Return True if optional actions would pay for a ship and leave one in the bay.

    The granary always has room for the cost of one lighthouse.
    """
    player = board.players[seat]
    ships = player.bay + player.in_holds
    lowered = sum(hold_value(board, seat, hold) * n for hold, n in player.holds.items())
    most = player.bread + len(player.hand) + lowered + emergency_value(board, seat) * (ships - 1)
    return bool(ships and DESTINATIONS[place].holds) and most >= light_cost(board, seat)


def _shown(place: str, wanted: Sequence[str]) -> str:
    """Return the first wanted hold that the destination shows (A14); "" if none."""
    shown = holds_for(DESTINATIONS[place].holds)
    return next((hold for hold in wanted if hold in shown), "")


def _take_reply(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    note_replies(table, gate, answers)


def _refuse(seen: Seen, decision: Question, order: o.Light) -> Problem | None:
    """Require the payment for a ship that is sent; any preference is valid, and without a shown
    hold a bread is gained.
    """
    board, seat, place = seen.board, decision.seat, decision.limits.get("place")
    if place is None or not _shown(str(place), order.light):
        return None
    if not board.players[seat].bay:
        return Problem("no_ship_to_sail", {})
    cost, have = light_cost(board, seat), board.players[seat].bread
    return Problem("bread_missing", {"bread": cost, "have": have}) if have < cost else None


def _default(seen: Seen, decision: Question) -> Orders:
    return unconditional(o.Light())


STEPS: Final[Steps] = {UseLight: use_light}
GATES: Final[Gates] = {"light": _take_reply}
REFUSALS: Final[Refusals] = {o.Light: _refuse}
DEFAULTS: Final[Defaults] = {"light": _default}
