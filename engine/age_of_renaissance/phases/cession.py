"""A2 Guerre, R49  The provinces that the loser of a War cedes, and what the winner puts there."""

from engine.age_of_renaissance import atlas
from engine.age_of_renaissance.acts import Game, Seen, lapse, note_replies, raise_misery, reduce_marker, reply
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.catalogue import GOODS, PROVINCES, REGIONS_IN_PLAY, Special
from engine.age_of_renaissance.events import CessionLapsed, ProvinceCeded, TokensMoved
from engine.age_of_renaissance.orders import Cede, Lift
from engine.kernel.orders import Orders, Problem, Question, unconditional
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Defaults, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "none_to_cede",  # {provinces, winner: capital or ``, possible}: no named province can be ceded
)


class Cession(Step, saved="aor.Cession"):
    """Make the loser of a War cede `count` provinces."""

    winner: Seat
    loser: Seat
    count: int
    turn_of: str


class Ceding(Step, saved="aor.Ceding"):
    """Cede the provinces that the loser chose at `gate`."""

    winner: Seat
    loser: Seat
    count: int
    gate: str


class HandOver(Step, saved="aor.HandOver"):
    """Hand over one province. `gate`: where the winner was asked for a marker to lift."""

    winner: Seat
    loser: Seat
    province: str
    gate: str = ""
    asked: bool = False


def cedable(board: Board, loser: Seat, winner: Seat) -> tuple[str, ...]:
    """A2 Guerre  Return the loser's markers that the winner could support, the cheapest first.

    The winner's fleet need not reach them.
    """
    ours = (p for p in PROVINCES if board.at(p, loser).controls and _sustains(board, winner, p))
    return tuple(sorted(ours, key=lambda p: sum(GOODS[good].base for good in PROVINCES[p].goods)))


def _sustains(board: Board, winner: Seat, province: str) -> bool:
    power = board.powers[winner]
    closed = atlas.closed(province, power.ship, power.advances, REGIONS_IN_PLAY[board.players])
    return closed is None and (not _overseas(province) or _room(board, winner) > 0)


def _overseas(province: str) -> bool:
    return PROVINCES[province].special is Special.OVERSEAS


def _room(board: Board, seat: Seat) -> int:
    """R49  Return how many more overseas boxes a fleet can support."""
    return atlas.overseas_room(board.powers[seat].ship) - sum(_overseas(p) for p, _ in board.held(seat))


def _chosen(board: Board, loser: Seat, winner: Seat, count: int, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return `count` provinces: the wanted ones first, then the cheapest; overseas only while there is room (R49)."""
    possible, room = cedable(board, loser, winner), _room(board, winner)
    picked: list[str] = []
    for province in dict.fromkeys((*(p for p in wanted if p in possible), *possible)):
        if len(picked) < count and (not _overseas(province) or room > 0):
            picked.append(province)
            room -= _overseas(province)
    return tuple(picked)


def cession(table: Game, step: Cession) -> None:
    """A2 Guerre, R53  Ask the loser if there is a choice. Do nothing if either power is eliminated."""
    board = table.board
    if _lapsed(table, step.winner, step.loser, step.count):
        return
    able = len(_chosen(board, step.loser, step.winner, step.count, ()))
    gate = ""
    if able < len(cedable(board, step.loser, step.winner)):
        about = f"{step.winner}/{step.loser}/{board.phase}/{step.turn_of}"
        winner = board.powers[step.winner].capital
        gate = ask_reaction(table, "war", about, (step.loser,), count=able, winner=winner)
    table.then(Ceding(step.winner, step.loser, step.count, gate))


def _lapsed(table: Game, winner: Seat, loser: Seat, provinces: int) -> bool:
    """Return True, and say so, if provinces are not ceded because a belligerent has left the game."""
    gone = next((seat for seat in (loser, winner) if table.board.powers[seat].eliminated), None)
    if gone is not None:
        table.emit(CessionLapsed(loser=loser, winner=winner, gone=gone, provinces=provinces))
    return gone is not None


def ceding(table: Game, step: Ceding) -> None:
    """§9.4.4, §11.3, R58  Hand over the chosen provinces one by one; each one missing costs a step of misery.

    A winner who has left gets nothing.
    """
    if table.board.powers[step.winner].eliminated:
        lapse(table, step.gate, (step.loser,), step.winner)
        _lapsed(table, step.winner, step.loser, step.count)
        return
    order = reply(table, step.gate, step.loser) if step.gate else None
    wanted = order.provinces if isinstance(order, Cede) else ()
    chosen = _chosen(table.board, step.loser, step.winner, step.count, wanted)
    table.then(*(HandOver(step.winner, step.loser, province) for province in chosen))
    raise_misery(table, step.loser, step.count - len(chosen), "war_unceded")


def hand_over(table: Game, step: HandOver) -> None:
    """R49, R53  Hand over a province.

    A winner without a marker may lift one elsewhere, or else places a token.

    A loser who was eliminated by the steps of misery keeps the rest on the map (§9.4.4), and so does one whose winner
    has left (R58).
    """
    if _lapsed(table, step.winner, step.loser, 1):
        return
    if table.board.powers[step.winner].markers == 0 and not step.asked:
        gate = ask_for_marker(table, step.winner, step.province, "war")
        table.then(HandOver(step.winner, step.loser, step.province, gate, asked=True))
        return
    placed = arrival(table, step.winner, step.province, step.gate)
    table.emit(ProvinceCeded(loser=step.loser, winner=step.winner, province=step.province, placed=placed))


def ask_for_marker(table: Game, seat: Seat, province: str, cause: str) -> str:
    """R49  Ask which marker to lift elsewhere for a province won; return the gate."""
    return ask_reaction(table, "lift", f"{table.board.phase}/{cause}/{seat}/{province}", (seat,), province=province)


def arrival(table: Game, seat: Seat, province: str, gate: str) -> str:
    """R13, R49  Return what a power puts into a province won: `marker`, `token`, or "" if neither is left.

    Lifts a marker elsewhere first, if the power answered so.
    """
    order = reply(table, gate, seat) if gate else None
    power = table.board.powers[seat]
    if power.markers == 0 and isinstance(order, Lift):
        lifted = (p for p in order.provinces if p != province and table.board.at(p, seat).controls)
        for source in list(lifted)[:1]:
            reduce_marker(table, seat, source, "lift")
    if power.markers == 0 and power.stock == 0 and power.expansion > 0:
        table.emit(TokensMoved(seat=seat, tokens=-1, cause="arrival"))
    if power.markers:
        return "marker"
    return "token" if power.stock else ""


def refuse_cede(seen: Seen, decision: Question, order: Cede) -> Problem | None:
    """Refuse a list of preferences if none of its provinces can be ceded."""
    winner = seen.board.power_of(str(decision.limits.get("winner", "")))
    possible = cedable(seen.board, decision.seat, winner.seat) if winner else tuple(PROVINCES)
    if any(province in possible for province in order.provinces):
        return None
    terms = {"provinces": order.provinces, "winner": winner.capital if winner else "", "possible": possible}
    return Problem("none_to_cede", terms if winner else {"provinces": order.provinces, "winner": "", "possible": ()})


def cede_by_default(seen: Seen, decision: Question) -> Orders:
    """Return the cheapest provinces that the winner can support."""
    winner = seen.board.power_of(str(decision.limits.get("winner", "")))
    if winner is None:
        return ()
    count = decision.limits.get("count", 1)
    able = _chosen(seen.board, decision.seat, winner.seat, count if isinstance(count, int) else 1, ())
    return unconditional(Cede(able)) if able else ()


STEPS: Steps = {Cession: cession, Ceding: ceding, HandOver: hand_over}
GATES = {"war": note_replies, "lift": note_replies}
REFUSALS: Refusals = {Cede: refuse_cede}
DEFAULTS: Defaults = {"war": cede_by_default}
