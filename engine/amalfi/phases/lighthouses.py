"""Phares: erected on any free place, used by their owners whenever somebody sails there."""

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
from engine.amalfi.phases.choices import holds_for
from engine.amalfi.readings import in_force
from engine.amalfi.values import light_cost
from engine.kernel.chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Orders, Pace, Problem, simply
from engine.kernel.position import Step


class UseLight(Step, saved="amalfi.UseLight"):
    """Somebody sailed to a destination: the owner of its lighthouse may use it. `gate`: where the owner was asked."""

    place: str
    sailor: Seat
    gate: str = ""


def erect(table: Game, seat: Seat, place: str, cause: str) -> None:
    """The leftmost lighthouse of the player's board; the icon below it works at once (Ériger un Phare)."""
    board, icon = table.board, LIGHT_BONUSES[table.board.erected(seat)]
    achieve(table, e.LighthouseErected(seat=seat, place=place, number=next_light(board), cause=cause))
    table.then(*effects(seat, BONUSES[icon], "lighthouse"), *triggered(board, seat, On.LIGHTHOUSE))


def use_light(table: Game, step: UseLight) -> None:
    """After all benefits its owner, who may have passed, sends a ship for bread, or gains a bread."""
    board, owner = table.board, table.board.light(step.place)
    if owner in ("", RIVAL):
        return
    seat = Seat(owner)
    if not step.gate and not (seat == step.sailor and wishes(table, seat).light) and _can_send(board, seat, step.place):
        if not table.trial:
            limits: dict[str, int | str] = {"place": step.place, "bread": light_cost(board, seat)}
            if seat == step.sailor and in_force(table.core.options, "gaining"):
                limits["sends"] = 1
            gate = ask_choice(table, "light", seat, limits, Pace.REACTION)
            table.then(replace(step, gate=gate))
        return
    order = reply(table, step.gate, seat) if step.gate else None
    wanted = order.light if isinstance(order, o.Light) else wishes(table, seat).light if not step.gate else ()
    hold = _shown(step.place, wanted) if _can_send(board, seat, step.place) else ""
    if hold:
        bread = light_cost(board, seat)
        table.emit(e.LighthouseUsed(seat=seat, place=step.place, hold=hold, bread=bread))
    else:
        gain_bread(table, seat, LIGHT["gain"], "lighthouse")


def _can_send(board: Board, seat: Seat, place: str) -> bool:
    player = board.players[seat]
    return bool(player.bay and DESTINATIONS[place].holds) and player.bread >= light_cost(board, seat)


def _shown(place: str, wanted: Sequence[str]) -> str:
    """The first hold wanted that the destination shows (A14)."""
    shown = holds_for(DESTINATIONS[place].holds)
    return next((hold for hold in wanted if hold in shown), "")


def _take_reply(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    note_replies(table, gate, answers)


def _refuse(seen: Seen, decision: Decision, order: o.Light) -> Problem | None:
    """Any preference stands: where none of the holds is shown, a bread is gained."""
    return None


def _default(seen: Seen, decision: Decision) -> Orders:
    return simply(o.Light())


STEPS: Final[Steps] = {UseLight: use_light}
GATES: Final[Gates] = {"light": _take_reply}
REFUSALS: Final[Refusals] = {o.Light: _refuse}
DEFAULTS: Final[Defaults] = {"light": _default}
