"""A2 Guerre, R15  War: the roll, what the loser cedes, and what goes on when it is tied."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.age_of_renaissance import atlas
from engine.age_of_renaissance.acts import Game, Seen, note_replies, raise_misery, react, reduce_marker, reply
from engine.age_of_renaissance.board import Board, Phase, War
from engine.age_of_renaissance.catalogue import CARDS, GOODS, PROVINCES, REGIONS_IN_PLAY, Special
from engine.age_of_renaissance.events import CardPlayed, ProvinceCeded, TokensMoved, WarOver, WarRolled
from engine.age_of_renaissance.orders import Arm, Cede, Lift
from engine.age_of_renaissance.phases.targets import burden, in_hand
from engine.kernel.codec import saved
from engine.kernel.events import Lapsed
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Order, Orders, Problem, simply
from engine.kernel.position import Step

PROBLEMS = (
    "not_a_weapon",  # {card}
    "none_to_cede",  # {provinces, winner: capital or ``, possible}: none of those named can be ceded
)
NOTES = (
    "odds",  # {target: the adversary's capital, wins, of}: what a preview took as won
)
_THROWS = 36


@saved("aor.WarsDue")
@dataclass(frozen=True)
class WarsDue(Step):
    """A player's turn begins: tied Wars that are due are rolled again before he plays."""

    seat: Seat


@saved("aor.WarGoesOn")
@dataclass(frozen=True)
class WarGoesOn(Step):
    """A tied War is about to be rolled again, at the start of this seat's turn."""

    attacker: Seat
    defender: Seat
    turn_of: Seat


@saved("aor.WarRoll")
@dataclass(frozen=True)
class WarRoll(Step):
    """A War is rolled: as it is declared, or in whose turn; `gate`: where both were asked for a weapon."""

    attacker: Seat
    defender: Seat
    gate: str = ""
    turn_of: str = "declared"


@saved("aor.Cession")
@dataclass(frozen=True)
class Cession(Step):
    """The loser of a War owes so many provinces."""

    winner: Seat
    loser: Seat
    count: int
    turn_of: str


@saved("aor.Ceding")
@dataclass(frozen=True)
class Ceding(Step):
    """The loser has chosen, at `gate`, what he cedes."""

    winner: Seat
    loser: Seat
    count: int
    gate: str


@saved("aor.HandOver")
@dataclass(frozen=True)
class HandOver(Step):
    """One province changes hands; `gate`: where the winner was asked what marker to lift."""

    winner: Seat
    loser: Seat
    province: str
    gate: str = ""
    asked: bool = False


def bury(table: Game) -> None:
    """§9.4.4  A War with a power that has left the game is over."""
    powers = table.board.powers
    for war in table.board.wars:
        if powers[war.attacker].eliminated or powers[war.defender].eliminated:
            table.emit(WarOver(attacker=war.attacker, defender=war.defender))


def end_all(table: Game) -> None:
    """§11.1, R41  At the end of the final card play a War still tied ends without a winner; no further step."""
    for war in table.board.wars:
        table.emit(WarOver(attacker=war.attacker, defender=war.defender))


def due(board: Board, war: War, seat: Seat) -> bool:
    """R15  On the turn of each belligerent, from the turn after on; in the final play on everybody's (§11.1)."""
    if board.phase is Phase.FINAL:
        return True
    return war.turn < board.turn and seat in (war.attacker, war.defender)


def take_due(table: Game, step: WarsDue) -> None:
    """The start of a player's turn of history or of the final card play."""
    bury(table)
    board = table.board
    if board.powers[step.seat].eliminated:
        return
    table.then(*(WarGoesOn(w.attacker, w.defender, step.seat) for w in board.wars if due(board, w, step.seat)))


def _find(board: Board, attacker: Seat, defender: Seat) -> War | None:
    return next((w for w in board.wars if (w.attacker, w.defender) == (attacker, defender)), None)


def go_on(table: Game, step: WarGoesOn) -> None:
    """R15  Both belligerents may first play a weapon: whoever has cards is asked, whatever they are."""
    bury(table)
    if _find(table.board, step.attacker, step.defender) is None:
        return
    armed = [s for s in (step.attacker, step.defender) if table.board.powers[s].hand]
    about = f"{step.attacker}/{step.defender}/{table.board.phase}/{step.turn_of}"
    gate = react(table, "weapon", about, armed) if armed else ""
    table.then(WarRoll(step.attacker, step.defender, gate, step.turn_of))


def weapons_in_force(board: Board, seat: Seat, foe: Seat) -> tuple[str, ...]:
    """A2, R14  The advantages played this turn that no weapon of this adversary undoes."""
    against = board.powers[foe].weapons
    return tuple(w for w in board.powers[seat].weapons if not any(other in CARDS[w].beaten_by for other in against))


def bonus(seen: Seen, seat: Seat, foe: Seat) -> int:
    """A2 Guerre, R15  One for Vassal or for an advantage; by option one for each."""
    vassal = int(seen.board.has(seat, "W"))
    weapon = int(bool(weapons_in_force(seen.board, seat, foe)))
    return vassal + weapon if seen.core.options["war_bonus"] == "each" else max(vassal, weapon)


def odds(seen: Seen, attacker: Seat, defender: Seat) -> int:
    """In how many of 36 throws the attacker wins."""
    lead = bonus(seen, attacker, defender) - bonus(seen, defender, attacker)
    return sum(a + lead > d for a in range(1, 7) for d in range(1, 7))


def roll(table: Game, step: WarRoll) -> None:
    """A2 Guerre  Weapons first, then a die each; a tie costs both a step, and the War goes on."""
    for seat in (step.attacker, step.defender) if step.gate else ():
        _arm(table, seat, step.gate)
    if table.trial:
        _presume(table, step)
        return
    board = table.board
    war = _find(board, step.attacker, step.defender)
    about = f"war/{board.turn}/{board.phase}/{step.attacker}/{step.defender}/{war.rolls + 1 if war else 1}"
    dice = (table.die(f"{about}/attacker"), table.die(f"{about}/defender"))
    plus = (bonus(table.position, step.attacker, step.defender), bonus(table.position, step.defender, step.attacker))
    ahead = dice[0] + plus[0] - dice[1] - plus[1]
    winner = None if ahead == 0 else step.attacker if ahead > 0 else step.defender
    table.emit(
        WarRolled(
            attacker=step.attacker, defender=step.defender, dice=dice, bonus=plus,
            winner=winner, turn=war.turn if war else board.turn,
        )
    )  # fmt: skip
    _outcome(table, step, ahead)


def _presume(table: Game, step: WarRoll) -> None:
    """A trial takes the War for won, and says how likely that is; what would be ceded is the loser's choice."""
    wins = odds(table.position, step.attacker, step.defender)
    target = table.board.powers[step.defender].capital
    table.note(Problem("odds", {"target": target, "wins": wins, "of": _THROWS}))
    raise_misery(table, step.attacker, 1, "war")


def _arm(table: Game, seat: Seat, gate: str) -> None:
    """The weapon answered with; when the other's has just made it a burden it stays in hand, its owner alone told."""
    order = reply(table, gate, seat)
    if not isinstance(order, Arm):
        return
    problem = unarmed(table.board, seat, order.card)
    if problem is not None:
        table.emit(Lapsed(seat=seat, gate=gate, line=0, reasons=(problem,), told=frozenset({seat})))
    else:
        table.emit(CardPlayed(seat=seat, card=in_hand(table.board, seat, order.card) or order.card))


def unarmed(board: Board, seat: Seat, card: str) -> Problem | None:
    """Why a card cannot be played as a weapon."""
    held = in_hand(board, seat, card)
    if held is None:
        return Problem("not_in_hand", {"card": card}, lasting=True)
    if not CARDS[held].military:
        return Problem("not_a_weapon", {"card": card}, lasting=True)
    return burden(board, held)


def _outcome(table: Game, step: WarRoll, ahead: int) -> None:
    """A2 Guerre  A step for the winner, two for the loser, who cedes as many provinces as the results differ by."""
    if ahead == 0:
        raise_misery(table, step.attacker, 1, "war")
        raise_misery(table, step.defender, 1, "war")
        return
    winner, loser = (step.attacker, step.defender) if ahead > 0 else (step.defender, step.attacker)
    table.then(Cession(winner, loser, abs(ahead), step.turn_of))
    raise_misery(table, winner, 1, "war")
    raise_misery(table, loser, 2, "war")


def cedable(board: Board, loser: Seat, winner: Seat) -> tuple[str, ...]:
    """A2 Guerre  The loser's markers that the winner could sustain, the cheapest first; his fleet need not reach."""
    ours = (p for p in PROVINCES if board.at(p, loser).controls and _sustains(board, winner, p))
    return tuple(sorted(ours, key=lambda p: sum(GOODS[good].base for good in PROVINCES[p].goods)))


def _sustains(board: Board, winner: Seat, province: str) -> bool:
    power = board.powers[winner]
    closed = atlas.closed(province, power.ship, power.advances, REGIONS_IN_PLAY[board.players])
    return closed is None and (not _overseas(province) or _room(board, winner) > 0)


def _overseas(province: str) -> bool:
    return PROVINCES[province].special is Special.OVERSEAS


def _room(board: Board, seat: Seat) -> int:
    """R49  How many more overseas boxes a fleet can keep up."""
    return atlas.overseas_room(board.powers[seat].ship) - sum(_overseas(p) for p, _ in board.held(seat))


def _chosen(board: Board, loser: Seat, winner: Seat, count: int, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """As many as are owed: those wanted first, then the cheapest; overseas boxes only while there is room (R49)."""
    possible, room = cedable(board, loser, winner), _room(board, winner)
    picked: list[str] = []
    for province in dict.fromkeys((*(p for p in wanted if p in possible), *possible)):
        if len(picked) < count and (not _overseas(province) or room > 0):
            picked.append(province)
            room -= _overseas(province)
    return tuple(picked)


def cession(table: Game, step: Cession) -> None:
    """A2 Guerre  The loser chooses; for each province that he cannot cede he takes a step. Nobody cedes who is out."""
    board = table.board
    if board.powers[step.winner].eliminated or board.powers[step.loser].eliminated:
        return
    able = len(_chosen(board, step.loser, step.winner, step.count, ()))
    gate = ""
    if able < len(cedable(board, step.loser, step.winner)):
        about = f"{step.winner}/{step.loser}/{board.phase}/{step.turn_of}"
        winner = board.powers[step.winner].capital
        gate = react(table, "war", about, (step.loser,), count=able, winner=winner)
    table.then(Ceding(step.winner, step.loser, step.count, gate))


def ceding(table: Game, step: Ceding) -> None:
    """The provinces chosen change hands one by one."""
    order = reply(table, step.gate, step.loser) if step.gate else None
    wanted = order.provinces if isinstance(order, Cede) else ()
    chosen = _chosen(table.board, step.loser, step.winner, step.count, wanted)
    table.then(*(HandOver(step.winner, step.loser, province) for province in chosen))
    raise_misery(table, step.loser, step.count - len(chosen), "war_unceded")


def hand_over(table: Game, step: HandOver) -> None:
    """R49  The winner without a marker left is asked whether he lifts one elsewhere; else a token stands there."""
    if table.board.powers[step.winner].markers == 0 and not step.asked:
        gate = ask_for_marker(table, step.winner, step.province, "war")
        table.then(HandOver(step.winner, step.loser, step.province, gate, asked=True))
        return
    placed = arrival(table, step.winner, step.province, step.gate)
    table.emit(ProvinceCeded(loser=step.loser, winner=step.winner, province=step.province, placed=placed))


def ask_for_marker(table: Game, seat: Seat, province: str, cause: str) -> str:
    """R49  Ask which marker to lift elsewhere for a province won; returns the gate."""
    return react(table, "lift", f"{table.board.phase}/{cause}/{seat}/{province}", (seat,), province=province)


def arrival(table: Game, seat: Seat, province: str, gate: str) -> str:
    """R13, R49  What a power can put into a province won: `marker`, `token`, or `` when neither is left."""
    order = reply(table, gate, seat) if gate else None
    power = table.board.powers[seat]
    if power.markers == 0 and isinstance(order, Lift):
        lifted = (p for p in order.provinces if p != province and table.board.at(p, seat).controls)
        for source in list(lifted)[:1]:
            reduce_marker(table, seat, source, "lift")
    if power.markers == 0 and power.stock == 0 and power.expansion > 0:
        table.emit(TokensMoved(seat=seat, tokens=-1, cause="arrival"))
    return "marker" if power.markers else "token" if power.stock else ""


def refuse_cede(seen: Seen, decision: Decision, order: Cede) -> Problem | None:
    """A list of preferences stands when one of its provinces can be ceded; the rest is passed over."""
    winner = seen.board.power_of(str(decision.limits.get("winner", "")))
    possible = cedable(seen.board, decision.seat, winner.seat) if winner else tuple(PROVINCES)
    if any(province in possible for province in order.provinces):
        return None
    terms = {"provinces": order.provinces, "winner": winner.capital if winner else "", "possible": possible}
    return Problem("none_to_cede", terms if winner else {"provinces": order.provinces, "winner": "", "possible": ()})


def refuse_arm(seen: Seen, decision: Decision, order: Arm) -> Problem | None:
    """A weapon in hand that is no burden."""
    return unarmed(seen.board, decision.seat, order.card)


def cede_by_default(seen: Seen, decision: Decision) -> Orders:
    """The cheapest provinces that the winner can sustain, in the order of the tables."""
    winner = seen.board.power_of(str(decision.limits.get("winner", "")))
    if winner is None:
        return ()
    count = decision.limits.get("count", 1)
    able = _chosen(seen.board, decision.seat, winner.seat, count if isinstance(count, int) else 1, ())
    return simply(Cede(able)) if able else ()


def _no_weapon(seen: Seen, decision: Decision) -> Orders:
    return ()


STEPS: Mapping[type[Step], Callable[[Game, Any], None]] = {
    WarsDue: take_due,
    WarGoesOn: go_on,
    WarRoll: roll,
    Cession: cession,
    Ceding: ceding,
    HandOver: hand_over,
}
GATES = {"war": note_replies, "weapon": note_replies, "lift": note_replies}
REFUSALS: Mapping[type[Order], Callable[[Seen, Decision, Any], Problem | None]] = {Cede: refuse_cede, Arm: refuse_arm}
DEFAULTS: Mapping[str, Callable[[Seen, Decision], Orders]] = {"war": cede_by_default, "weapon": _no_weapon}
