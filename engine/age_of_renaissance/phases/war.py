"""A2 Guerre, R15  War: the roll, what it costs, and how it goes on when it is tied."""

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
    "odds",  # {target: the adversary's capital, wins, of}: what a preview took as won
)
_THROWS = 36


class WarsDue(Step, saved="aor.WarsDue"):
    """A player's turn begins: tied Wars that are due are rolled again before they play."""

    seat: Seat


class WarGoesOn(Step, saved="aor.WarGoesOn"):
    """A tied War is about to be rolled again, at the start of this seat's turn."""

    attacker: Seat
    defender: Seat
    turn_of: Seat


class WarRoll(Step, saved="aor.WarRoll"):
    """A War is rolled: as it is declared, or in whose turn; `gate`: where both were asked for a weapon."""

    attacker: Seat
    defender: Seat
    gate: str = ""
    turn_of: str = "declared"


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
    """R15  Both belligerents may first play a weapon: each holder of cards is asked, whatever they are."""
    bury(table)
    if _find(table.board, step.attacker, step.defender) is None:
        return
    armed = [s for s in (step.attacker, step.defender) if table.board.powers[s].hand]
    about = f"{step.attacker}/{step.defender}/{table.board.phase}/{step.turn_of}"
    gate = ask_reaction(table, "weapon", about, armed) if armed else ""
    table.then(WarRoll(step.attacker, step.defender, gate, step.turn_of))


def bonus(seen: Seen, seat: Seat, foe: Seat) -> int:
    """A2 Guerre, R15  One for Vassal or for an advantage; by option one for each."""
    vassal = int(seen.board.has(seat, "W"))
    weapon = int(weapons(seen.board, seat, (foe,)) > 0)
    return vassal + weapon if seen.core.options["war_bonus"] == "each" else max(vassal, weapon)


def odds(seen: Seen, attacker: Seat, defender: Seat) -> int:
    """In how many of 36 throws the attacker wins."""
    lead = bonus(seen, attacker, defender) - bonus(seen, defender, attacker)
    return sum(a + lead > d for a in range(1, 7) for d in range(1, 7))


def roll(table: Game, step: WarRoll) -> None:
    """A2 Guerre  Weapons first, then a die each; a tie costs both a step, and the War goes on.

    R57  When a belligerent has left while they were asked, the War is over, and what the other answered stays in hand.
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
    winner = None if ahead == 0 else step.attacker if ahead > 0 else step.defender
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
    """R57  Who is still in the game is told that their weapon is not needed."""
    sides = (step.attacker, step.defender)
    gone = next((seat for seat in sides if table.board.powers[seat].eliminated), step.defender)
    lapse(table, step.gate, sides, gone)


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
        table.emit(unfulfilled(seat, gate, order, problem))
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


def refuse_arm(seen: Seen, decision: Question, order: Arm) -> Problem | None:
    """A weapon in hand that is no burden."""
    return unarmed(seen.board, decision.seat, order.card)


STEPS: Steps = {
    WarsDue: take_due,
    WarGoesOn: go_on,
    WarRoll: roll,
}
GATES = {"weapon": note_replies}
REFUSALS: Refusals = {Arm: refuse_arm}
