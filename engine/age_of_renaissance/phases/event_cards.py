"""A2  The effects of each event."""

from collections.abc import Callable, Iterable, Mapping

from engine.age_of_renaissance.acts import Game, Seen, note_replies, raise_misery, reply
from engine.age_of_renaissance.board import NOTHING, Power
from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, PROVINCES
from engine.age_of_renaissance.events import (
    MarkerPlaced,
    Paid,
    PiecesRemoved,
    Received,
    TokensMoved,
)
from engine.age_of_renaissance.orders import Forfeit, Play
from engine.age_of_renaissance.phases import cession, reduction, war
from engine.age_of_renaissance.phases.aims import SHIELDED
from engine.kernel.orders import Orders, Problem, Question, unconditional
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Defaults, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "no_such_choice",  # {what, choices}: neither `money` nor `tokens`
)
NOTES = (
    "unforeseen",  # {what: civil_war, target: capital}: the victim chooses the loss
)
FORFEITS = ("money", "tokens")
HARDSHIP = 4
"""A2  Steps of misery of Famine and Mysticism before reductions."""


class CivilWarLoss(Step, saved="aor.CivilWarLoss"):
    """Carry out the loss that the victim of Civil War chose at `gate`."""

    seat: Seat
    gate: str


class CrusadersArrive(Step, saved="aor.CrusadersArrive"):
    """Place the crusader's marker. `gate`: where the crusader was asked which marker to lift."""

    seat: Seat
    province: str
    gate: str


def _nothing(table: Game, seat: Seat, order: Play) -> None:
    """Do nothing: playing a weapon, Enlightened Ruler or Papal Decree already changed the board."""


def _struck(table: Game, order: Play) -> Power:
    return next(power for power in table.board.powers.values() if power.capital == order.target[0])


def _alchemist(table: Game, seat: Seat, order: Play) -> None:
    """Take half of the sum on the sheet, rounded up, as far as the cash goes."""
    power = _struck(table, order)
    _lose_money(table, power, order.card)


def _lose_money(table: Game, power: Power, cause: str) -> None:
    """Take half of the sum on the sheet; a trial that may not count the cash (R33) takes nothing."""
    if not power.counted:
        return
    ducats = max(0, min((power.written + 1) // 2, power.cash))
    if ducats or cause == "civil_war":  # what the victim chose to lose is told, even if it is nothing
        table.emit(Paid(seat=power.seat, ducats=ducats, cause=cause))


def _civil_war(table: Game, seat: Seat, order: Play) -> None:
    """Raise misery by 1, reduce the marker in the capital, and ask for the loss of half the money or tokens.

    §11.1  This includes the last card play.
    """
    power = _struck(table, order)
    raise_misery(table, power.seat, 1, "civil_war")
    owner = table.board.controller(power.capital)
    spared = owner is not None and table.board.powers[owner].shielded
    waiting = () if spared else reduction.fall(table, (power.capital,), "civil_war")
    if power.eliminated:
        table.then(*waiting)
        return
    table.note(Problem("unforeseen", {"what": "civil_war", "target": power.capital}))
    gate = ask_reaction(table, "civil_war", f"{table.board.phase}/{power.seat}", (power.seat,))
    table.then(*waiting, CivilWarLoss(power.seat, gate))


def civil_war_loss(table: Game, step: CivilWarLoss) -> None:
    """A2, R46  Take half, rounded up, of what the victim chose; half of no tokens is none."""
    power = table.board.powers[step.seat]
    if table.trial:
        return
    order = reply(table, step.gate, step.seat)
    what = order.what if isinstance(order, Forfeit) else _lesser(power)
    if what == "tokens":
        tokens = (power.expansion + 1) // 2
        table.emit(TokensMoved(seat=step.seat, tokens=-tokens, cause="civil_war"))
    else:
        _lose_money(table, power, "civil_war")


def _crusades(table: Game, seat: Seat, order: Play) -> None:
    """Remove all pieces there, then place the marker; if none is left, ask for one to lift (R49)."""
    province = order.target[0]
    _send_home(table, province, table.core.seats, "crusades")
    none_left = table.board.powers[seat].markers == 0
    gate = cession.ask_for_marker(table, seat, province, "crusades") if none_left else ""
    table.then(CrusadersArrive(seat, province, gate))


def _send_home(table: Game, province: str, seats: Iterable[Seat], cause: str) -> None:
    """Return the pieces of these powers in a province to their stocks."""
    for seat in seats:
        piece = table.board.at(province, seat)
        if piece != NOTHING:
            tokens, marker = piece.tokens, piece.controls
            table.emit(PiecesRemoved(seat=seat, province=province, tokens=tokens, marker=marker, cause=cause))


def crusaders_arrive(table: Game, step: CrusadersArrive) -> None:
    """A2 Croisades, R49  Place the marker, or its replacement, and raise misery by 1.

    Do nothing for a player who has left (R58).
    """
    if table.board.powers[step.seat].eliminated:
        return
    what = cession.arrival(table, step.seat, step.province, step.gate)
    if what:
        token = what == "token"
        table.emit(MarkerPlaced(seat=step.seat, province=step.province, token=token, cause="crusades"))
    raise_misery(table, step.seat, 1, "crusades")


def _reduce(table: Game, seat: Seat, order: Play) -> None:
    """Replace each named marker by a token (Rebellion and Pirates)."""
    table.then(*reduction.fall(table, order.target, order.card))


def _hardship(count: Callable[[Game, Power], int]) -> Callable[[Game, Seat, Play], None]:
    """Return the effect of an event that raises the misery of all, except those shielded from it."""

    def strike(table: Game, seat: Seat, order: Play) -> None:
        for power in table.board.playing():
            if not (power.shielded and order.card in SHIELDED):
                raise_misery(table, power.seat, count(table, power), order.card)

    return strike


def _of_category(category: str) -> Callable[[Game, Power], int]:
    letters = frozenset(advance.letter for advance in ADVANCES.values() if advance.category == category)
    return lambda table, power: len(letters & power.advances)


def _hunger(table: Game, power: Power) -> int:
    """Return 4, minus grain provinces controlled, minus 1 for Agronomy; at least 0 (R29)."""
    return max(HARDSHIP - table.board.controls(power.seat, "grain") - ("K" in power.advances), 0)


def _delusion(table: Game, power: Power) -> int:
    """Return 4 minus the advances of the sciences; at least 0 (R29)."""
    return max(HARDSHIP - _of_category("sciences")(table, power), 0)


def _war(table: Game, seat: Seat, order: Play) -> None:
    table.then(war.WarRoll(seat, _struck(table, order).seat))


def _black_death(table: Game, seat: Seat, order: Play) -> None:
    """Remove all tokens of the region, then replace each marker there by a token."""
    struck = [p for p in PROVINCES if PROVINCES[p].region == order.target[0] and p in table.board.pieces]
    for province in struck:
        owner = table.board.controller(province)
        _send_home(table, province, [seat for seat in table.core.seats if seat != owner], "black_death")
    table.then(*reduction.fall(table, struck, "black_death"))


def _mongols(table: Game, seat: Seat, order: Play) -> None:
    table.emit(Received(seat=seat, ducats=CARDS["mongols"].cash, cause="mongols"))


EFFECTS: Mapping[str, Callable[[Game, Seat, Play], None]] = {
    "enlightened_ruler": _nothing,
    "alchemist": _alchemist,
    "civil_war": _civil_war,
    "crusades": _crusades,
    "rebellion": _reduce,
    "papal_bull": _nothing,
    "pirates": _reduce,
    "uprisings": _hardship(_of_category("commerce")),
    "famine": _hardship(_hunger),
    "mysticism": _hardship(_delusion),
    "war": _war,
    "stirrups": _nothing,
    "armor": _nothing,
    "black_death": _black_death,
    "religious_strife": _hardship(_of_category("religion")),
    "mongols": _mongols,
    "long_bow": _nothing,
    "gunpowder": _nothing,
}


def refuse_forfeit(seen: Seen, decision: Question, order: Forfeit) -> Problem | None:
    """A2 Guerre civile  Require `money` or `tokens`."""
    if order.what in FORFEITS:
        return None
    return Problem("no_such_choice", {"what": order.what, "choices": FORFEITS}, lasting=True)


def forfeit_by_default(seen: Seen, decision: Question) -> Orders:
    """Return the smaller loss; money if they are equal."""
    return unconditional(Forfeit(_lesser(seen.board.powers[decision.seat])))


def _lesser(power: Power) -> str:
    money, tokens = min((power.written + 1) // 2, power.cash), (power.expansion + 1) // 2
    return "money" if money <= tokens else "tokens"


STEPS: Steps = {
    CivilWarLoss: civil_war_loss,
    CrusadersArrive: crusaders_arrive,
}
GATES = {"civil_war": note_replies}
REFUSALS: Refusals = {
    Forfeit: refuse_forfeit,
}
DEFAULTS: Defaults = {
    "civil_war": forfeit_by_default,
}
