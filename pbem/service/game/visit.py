"""One visit of a play worker to a game: what the functions of a visit share."""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from pbem.narration.facts import BallotCounted
from pbem.service.base.services import Services
from pbem.service.game.standstill import Standstill
from pbem.store.games import open_decisions
from pbem.store.models import DecisionRow, Game
from pbem.vault import GameKeys


@dataclass
class Visit:
    """One visit of a play worker to a game."""

    services: Services
    session: Session
    game: Game
    keys: GameKeys
    rules: Rules[Any]
    position: Position[Any]
    now: int
    opened: dict[tuple[str, Seat], int] = field(default_factory=dict)
    told: dict[str, list[tuple[int, Event]]] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    watch: Standstill = field(default_factory=Standstill)
    wrote: bool = False
    counted: dict[str, list[BallotCounted]] = field(default_factory=dict)

    def note(self, viewer: str, event: Event) -> None:
        """Note what one viewer is told beside the journal."""
        self.told.setdefault(viewer, []).append((self.game.entry, event))

    @property
    def phase_ended(self) -> bool:
        """Return True if what is asked now is of another kind than when the visit began."""
        return self.asked != frozenset(d.asks for d in self.position.core.open if d.blocking)

    def rows(self) -> dict[tuple[str, str], DecisionRow]:
        """The questions on file, by gate and seat."""
        return {(row.gate, row.seat): row for row in open_decisions(self.session, self.game.id)}
