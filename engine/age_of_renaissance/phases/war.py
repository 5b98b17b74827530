"""A2 Guerre, R15  War: rolls, misery, cessions, and repeated rolls of tied Wars."""

from engine.age_of_renaissance.acts import Game, Seen, lapse, note_replies, raise_misery, reply, unfulfilled
from engine.age_of_renaissance.board import Board, Phase, War
from engine.age_of_renaissance.catalogue import CARDS
from engine.age_of_renaissance.events import CardPlayed, WarOver, WarRolled
from engine.age_of_renaissance.orders import Arm
from engine.age_of_renaissance.phases.cession import Cession
from engine.age_of_renaissance.phases.strength import weapons
from engine.age_of_renaissance.phases.targets import burden, in_hand
from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_a_weapon",  # {card}
)
NOTES = (
    "odds",  # {target: the adversary's capital, wins, of}: the preview presumes a win
)
_THROWS = 36


class WarsDue(Step, saved="aor.WarsDue"):
    """Roll tied Wars that are due, at the start of a player's turn."""

    seat: Seat


class WarGoesOn(Step, saved="aor.WarGoesOn"):
    """Prepare a tied War to be rolled again, at the start of the turn of `turn_of`."""

    attacker: Seat
    defender: Seat
    turn_of: Seat


class WarRoll(Step, saved="aor.WarRoll"):
    """Roll a War.

    `turn_of`: `declared`, or the seat in whose turn it is rolled again. `gate`: where both were asked for a weapon.
    """

    attacker: Seat
    defender: Seat
    gate: str = ""
    turn_of: str = "declared"


def bury(table: Game) -> None:
    """§9.4.4  End Wars with a power that has left the game."""
    powers = table.board.powers
    for war in table.board.wars:
        if powers[war.attacker].eliminated or powers[war.defender].eliminated:
            table.emit(WarOver(attacker=war.attacker, defender=war.defender))


def end_all(table: Game) -> None:
    """§11.1, R41  End Wars still tied after the final card play, without a winner and without misery."""
    for war in table.board.wars:
        table.emit(WarOver(attacker=war.attacker, defender=war.defender))


def due(board: Board, war: War, seat: Seat) -> bool:
    """R15  Return True if a War is rolled on this seat's turn: a belligerent's, from the turn after it was declared.

    In the final card play it is rolled on every player's turn (§11.1).
    """
    if board.phase is Phase.FINAL:
        return True
    return war.turn < board.turn and seat in (war.attacker, war.defender)


def take_due(table: Game, step: WarsDue) -> None:
    """Queue the tied Wars that are due at the start of a player's turn."""
    bury(table)
    board = table.board
    if board.powers[step.seat].eliminated:
        return
    table.then(*(WarGoesOn(w.attacker, w.defender, step.seat) for w in board.wars if due(board, w, step.seat)))


def _find(board: Board, attacker: Seat, defender: Seat) -> War | None:
    return next((w for w in board.wars if (w.attacker, w.defender) == (attacker, defender)), None)


def go_on(table: Game, step: WarGoesOn) -> None:
    """R15  Ask both belligerents for a weapon first; every holder of cards is asked, so that hands stay secret."""
    bury(table)
    if _find(table.board, step.attacker, step.defender) is None:
        return
    armed = [s for s in (step.attacker, step.defender) if table.board.powers[s].hand]
    about = f"{step.attacker}/{step.defender}/{table.board.phase}/{step.turn_of}"
    gate = ask_reaction(table, "weapon", about, armed) if armed else ""
    table.then(WarRoll(step.attacker, step.defender, gate, step.turn_of))


def bonus(seen: Seen, seat: Seat, foe: Seat) -> int:
    """A2 Guerre, R15  Return 1 for Vassal or an advantage; by option, 1 for each."""
    vassal = int(seen.board.has(seat, "W"))
    weapon = int(weapons(seen.board, seat, (foe,)) > 0)
    return vassal + weapon if seen.core.options["war_bonus"] == "each" else max(vassal, weapon)


def odds(seen: Seen, attacker: Seat, defender: Seat) -> int:
    """Return in how many of 36 rolls the attacker wins."""
    lead = bonus(seen, attacker, defender) - bonus(seen, defender, attacker)
    return sum(a + lead > d for a in range(1, 7) for d in range(1, 7))


def roll(table: Game, step: WarRoll) -> None:
    """A2 Guerre  Play weapons, then roll a die each; on a tie both lose a step and the War goes on.

    R57  If a belligerent has left since they were asked, the War is over, and the other's weapon stays in hand.
    """
    if step.gate:
        bury(table)
        if _find(table.board, step.attacker, step.defender) is None:
            _stand_down(table, step)
            return
    for seat in (step.attacker, step.defender) if step.gate else ():
        _arm(table, seat, step.gate)
    if table.trial:
        _presume(table, step)
        return
    board = table.board
    war = _find(board, step.attacker, step.defender)
    about = f"war/{board.turn}/{board.phase}/{step.attacker}/{step.defender}/{war.rolls + 1 if war else 1}"
    dice = (table.roll(f"{about}/attacker"), table.roll(f"{about}/defender"))
    plus = (bonus(table.position, step.attacker, step.defender), bonus(table.position, step.defender, step.attacker))
    ahead = dice[0] + plus[0] - dice[1] - plus[1]
    winner = None
    if ahead:
        winner = step.attacker if ahead > 0 else step.defender
    table.emit(
        WarRolled(
            attacker=step.attacker,
            defender=step.defender,
            dice=dice,
            bonus=plus,
            winner=winner,
            turn=war.turn if war else board.turn,
        )
    )
    _outcome(table, step, ahead)


def _stand_down(table: Game, step: WarRoll) -> None:
    """R57  Report to the remaining belligerent that their weapon is not needed."""
    sides = (step.attacker, step.defender)
    gone = next((seat for seat in sides if table.board.powers[seat].eliminated), step.defender)
    lapse(table, step.gate, sides, gone)


def _presume(table: Game, step: WarRoll) -> None:
    """Presume a win in a trial and note its odds; the cession is left out, because the loser chooses."""
    wins = odds(table.position, step.attacker, step.defender)
    target = table.board.powers[step.defender].capital
    table.note(Problem("odds", {"target": target, "wins": wins, "of": _THROWS}))
    raise_misery(table, step.attacker, 1, "war")


def _arm(table: Game, seat: Seat, gate: str) -> None:
    """Play the weapon of an answer; one that has become a burden stays in hand, visible to its owner alone."""
    order = reply(table, gate, seat)
    if not isinstance(order, Arm):
        return
    problem = unarmed(table.board, seat, order.card)
    if problem is not None:
        table.emit(unfulfilled(seat, gate, order, problem))
    else:
        table.emit(CardPlayed(seat=seat, card=in_hand(table.board, seat, order.card) or order.card))


def unarmed(board: Board, seat: Seat, card: str) -> Problem | None:
    """Return why a card cannot be played as a weapon, or None."""
    held = in_hand(board, seat, card)
    if held is None:
        return Problem("not_in_hand", {"card": card}, lasting=True)
    if not CARDS[held].military:
        return Problem("not_a_weapon", {"card": card}, lasting=True)
    return burden(board, held)


def _outcome(table: Game, step: WarRoll, ahead: int) -> None:
    """A2 Guerre  Raise misery by 1 for the winner and 2 for the loser, who cedes provinces by the difference."""
    if ahead == 0:
        raise_misery(table, step.attacker, 1, "war")
        raise_misery(table, step.defender, 1, "war")
        return
    winner, loser = (step.attacker, step.defender) if ahead > 0 else (step.defender, step.attacker)
    table.then(Cession(winner, loser, abs(ahead), step.turn_of))
    raise_misery(table, winner, 1, "war")
    raise_misery(table, loser, 2, "war")


def refuse_arm(seen: Seen, decision: Question, order: Arm) -> Problem | None:
    """Require a weapon in hand that is no burden."""
    return unarmed(seen.board, decision.seat, order.card)


STEPS: Steps = {
    WarsDue: take_due,
    WarGoesOn: go_on,
    WarRoll: roll,
}
GATES = {"weapon": note_replies}
REFUSALS: Refusals = {Arm: refuse_arm}
