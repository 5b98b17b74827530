"""How many exchanges of mail a turn takes: whole games by bots, with a count of the times that somebody is awaited.

An exchange is one wait: everybody who is asked then answers, and a player who keeps instructions on file writes, in the
same letter, the standing instructions for the turn and what they may file for the sequence that is asked.
"""

from collections import Counter

from engine.kernel.bots import Bot, Temper, chooser
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Orders, Pace, simply
from engine.kernel.position import Position
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check, stands
from engine.renaissance import orders as o
from engine.renaissance.board import Board
from engine.renaissance.ruleset import RULES

STANDING = {
    "sales": o.Sell(("attacker", "defender")),
    "hire": o.Hire(1),
    "defence": o.Lay("strongest"),
    "counter": o.Counter(),
    "traitor": o.Bribe(2),
    "sign": o.Sign(),
    "retreat": o.Withdraw(("suisses", "canon", "chevaliers", "arquebusiers", "piquiers")),
}
"""What everybody keeps on file for battles."""


class Post:
    """A game by mail. `filing`: whether instructions are kept on file."""

    def __init__(self, seats: tuple[Seat, ...], options: dict[str, str], seed: bytes, *, filing: bool) -> None:
        self.filing, self.options = filing, options
        choose, temper = chooser(seed), Temper(absent=0, meddling=0, suggested=100, passing=0, fancy=0, lines=6)
        self.bots: dict[Seat, Bot[Board]] = {seat: Bot(RULES, seat, choose, temper) for seat in seats}
        self.position: Position[Board] = start(RULES, seats, options, seed).position
        self.filed: dict[tuple[Seat, str], Orders] = {}
        self.waits: Counter[int] = Counter()
        self.entry = 0

    def play(self) -> Counter[int]:
        """To the end; the count of exchanges for each turn."""
        while not self.position.core.over:
            self._close(next(d.gate for d in self.position.core.open if d.blocking))
        return self.waits

    def _close(self, gate: str) -> None:
        decisions = [d for d in self.position.core.gate(gate) if d.blocking]
        if any(self._on_file(d) is None for d in decisions):
            self.waits[self.position.board.turn] += 1
            self._everybody_writes(decisions[0].asks)
        answers = {d.seat: self._on_file(d) or () for d in decisions}
        self.filed = {key: orders for key, orders in self.filed.items() if key[1] != gate}
        self.entry += 1
        luck = str(self.entry).encode()
        self.position = advance(RULES, self.position, gate, answers, luck).position

    def _everybody_writes(self, asks: str) -> None:
        """Those who are asked answer; the others may file for the sequence that is asked."""
        for decision in self.position.core.open:
            if decision.blocking:
                self.filed[decision.seat, decision.gate] = self._written(decision)
        if not self.filing or asks == "combat":
            return
        for seat in self.position.core.seats:
            with seen_by(seat):
                ahead = RULES.ahead(redact(self.position, seat), seat)
            for decision in ahead:
                if decision.asks == asks:
                    self.filed[seat, decision.gate] = self._written(decision)

    def _written(self, decision: Decision) -> Orders:
        """A bot's answer; for the expansion, every city that it could have and a spare: the list serves both rounds."""
        seen = redact(self.position, decision.seat)
        if decision.asks == "expansion":
            with seen_by(decision.seat):
                wishes = tuple(RULES.suggest(seen, decision))
            spares = (town for town, city in seen.board.cities.items() if city.owner is None)
            return wishes if len(wishes) != 1 else (*wishes, *simply(o.Settle(next(spares))))
        return self.bots[decision.seat].answer(seen, decision)

    def _on_file(self, decision: Decision) -> Orders | None:
        found = self.filed.get((decision.seat, decision.gate))
        if found is not None or decision.pace is not Pace.REACTION:
            return found
        standing = simply(STANDING[decision.asks]) if decision.asks in STANDING else ()
        if self.filing and stands(check(RULES, self.position, decision, standing)):
            return standing
        if self.options.get("unanswered", "default") == "ask":
            return None
        with seen_by(decision.seat):
            return RULES.default(redact(self.position, decision.seat), decision)
