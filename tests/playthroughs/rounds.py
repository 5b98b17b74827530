"""Rounds of Patchistory by letters, in which interruptions wait too; each gate is kept for what is asked of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.corrections import Ruling
from engine.kernel.events import Corrected, Event
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Question
from engine.kernel.position import Position
from engine.kernel.rulings import Give, Take
from engine.kernel.run import Advance, ruling_events
from engine.kernel.secrets import truth
from engine.kernel.viewers import Seat
from engine.patchistory.corrections import SetSpot, SetWorker
from engine.patchistory.ruleset import RULES
from tests.playthroughs.email_game import Story

RED, GREEN, BLUE, YELLOW = SEATS = tuple(map(Seat, ("ann", "bob", "cleo", "dan")))
GOODS: Final = ("food", "resource", "money", "culture", "vote")
Letters = Mapping[tuple[str, Seat], str]
"""What is written, by question (with its number, where it has one) and seat; who is not named passes."""


@dataclass(frozen=True)
class Closed:
    """A gate that was closed: what everybody had before and after it, and what happened."""

    before: Mapping[Seat, Mapping[str, int]]
    after: Mapping[Seat, Mapping[str, int]]
    events: Sequence[Event]

    def events_of(self, kind: type[Event]) -> list[Any]:
        """The facts of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def change(self, good: str, *seats: Seat) -> tuple[int, ...]:
        """How much more of a good these have."""
        return tuple(self.after[seat][good] - self.before[seat][good] for seat in seats)


class Rounds(Story):
    """A game whose interruptions wait for a letter like all else; its gates are kept as they close."""

    def __init__(self) -> None:
        """Four players, Red first."""
        self.closed: dict[tuple[int, str], Closed] = {}
        self.refusals: dict[tuple[int, str, Seat], list[str]] = {}
        super().__init__(RULES, SEATS, {}, {"first": 1})

    def _answer(self, decision: Question) -> Orders | None:
        return self.written.get((decision.gate, decision.seat))

    def _take(self, made: Advance[Any], before: Position[Any] | None) -> None:
        if before is not None and not any(isinstance(event, Corrected) for event in made.events):
            key = before.board.turn, question(before.core.gates()[0])
            self.closed[key] = Closed(stocks(before), stocks(made.position), made.events)
        super()._take(made, before)

    def rule(self, *orders: Order) -> None:
        """A ruling of the game master."""
        with truth():
            facts = ruling_events(self.rules, Ruling(self.position, lambda entry, seat: ()), orders)
        self.correct(*facts, reason="to shorten the story")

    def far(self, number: int, seat: Seat) -> None:
        """A ruling: a worker of this seat stands on the last space before return/preparation."""
        home = (SetWorker(seat, square, "") for square in self.board.players[seat].workers[:1])
        self.rule(*home, SetSpot(number, seat, 4))

    def leave(self, seat: Seat, good: str, amount: int) -> None:
        """A ruling: a player has so much of a good."""
        more = amount - stocks(self.position)[seat][good]
        self.rule(Give(more, good, seat) if more > 0 else Take(-more, good, seat))

    def turn(self, letters: Letters, refused: Letters | None = None) -> None:
        """Play a round; what is `refused` is tried before what counts, and its problems are kept."""
        turn, left, wrong = self.board.turn, dict(letters), dict(refused or {})
        while self.board.turn == turn and not self.position.core.over:
            for decision in self._owed():
                asked = question(decision.gate), decision.seat
                if asked in wrong:
                    self.refusals[turn, *asked] = self.refused(decision.seat, wrong.pop(asked))
                self.letter(decision.seat, left.pop(asked, "PASSER"))
        assert not left
        assert not wrong

    def _owed(self) -> list[Question]:
        gate = self.position.core.gates()[0]
        return [d for d in self.position.core.gate(gate) if d.blocking and (gate, d.seat) not in self.written]


def stocks(position: Position[Any]) -> Mapping[Seat, Mapping[str, int]]:
    """What lies behind every screen."""
    with truth():
        players = position.board.players.items()
        return {seat: {good: player.amount(good) for good in GOODS} for seat, player in players}


def question(gate: str) -> str:
    """What a gate asks: `auction`, `fuel 3`."""
    named = Gate.parse(gate)
    return f"{named.topic} {named.number}" if RULES.meta.topic(named.topic).counted else named.topic
