"""How many exchanges of mail a turn takes: whole games by bots, with a count of the times that somebody is awaited.

An exchange is one wait: everybody who is asked then answers, and who keeps instructions on file writes in the same
letter what may be answered ahead.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.kernel.bots import Bot, BotProfile, chooser
from engine.kernel.orders import Orders, Pace, Question
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import Seat


class Post:
    """A game by mail. `files`: whether reactions, and sets of other questions to come, are filed ahead."""

    def __init__(
        self,
        rules: Rules[Any],
        seats: tuple[Seat, ...],
        options: Mapping[str, str],
        temper: BotProfile,
        seed: bytes,
        *,
        files: bool = True,
    ) -> None:
        choose = chooser(seed)
        self.rules, self.options, self.files = rules, options, files
        self.bots: dict[Seat, Bot[Any]] = {seat: Bot(rules, seat, choose, temper) for seat in seats}
        self.position: Position[Any] = start(rules, seats, options, seed).position
        self.filed: dict[tuple[Seat, str], Orders] = {}
        self.waits: Counter[int] = Counter()

    def play(self) -> "Post":
        """To the end; `waits` counts the exchanges of each turn, those before the first under 0."""
        while not self.position.core.over:
            self._close(next(d.gate for d in self.position.core.questions if d.blocking))
        return self

    def _close(self, gate: str) -> None:
        decisions = [d for d in self.position.core.gate(gate) if d.blocking]
        unanswered = [d for d in decisions if self._on_file(d) is None]
        self.waits[self.position.board.turn] += bool(unanswered)
        for decision in unanswered:
            self._writes(decision)
        answers = {d.seat: self._on_file(d) or () for d in decisions}
        self.position = advance(self.rules, self.position, gate, answers, gate.encode()).position

    def _writes(self, decision: Question) -> None:
        """An answer, and what may be filed ahead of other questions; further lines of a set are in the answer."""
        seat = decision.seat
        seen = redact(self.position, seat)
        self.filed[seat, decision.gate] = self.bots[seat].answer(seen, decision)
        if self.files:
            with seen_by(seat):
                ahead = self.rules.advance_questions(seen, seat)
            for later in ahead:
                if later.topic != decision.topic:
                    self.filed[seat, later.gate] = self.bots[seat].answer(seen, later)

    def _on_file(self, decision: Question) -> Orders | None:
        """Orders for this gate, or a reaction for its turn; of an interruption, the stated default."""
        reaction = f"{decision.topic}/{self.position.board.turn}"
        for gate in (decision.gate, *((reaction,) if self.rules.meta.topic(decision.topic).is_reaction else ())):
            found = self.filed.get((decision.seat, gate))
            if found is not None and all_valid(check_orders(self.rules, self.position, decision, found)):
                return found
        if decision.pace is not Pace.REACTION or self.options.get("unanswered") == "ask":
            return None
        with seen_by(decision.seat):
            return self.rules.default_orders(redact(self.position, decision.seat), decision)
