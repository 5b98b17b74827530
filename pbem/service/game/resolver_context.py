"""One visit of a resolver to a game: what the functions of a visit share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat
from pbem.archive.entries import CountedAnswer
from pbem.crypto import GameKeys
from pbem.narration.facts import CountedOrders, DrawnRound
from pbem.service.base.services import Services
from pbem.service.game import sealed_orders
from pbem.service.game.clock_state import ClockState
from pbem.store.games import load_entry_time, load_questions
from pbem.store.models import Game, QuestionRow


@dataclass(frozen=True)
class VerifiedRound:
    """A round of the beacon whose signature was checked."""

    number: int
    signature: bytes


@dataclass(frozen=True)
class QuestionOpening:
    """The entry that put an open question, and the newest revision that was filed in its place until then."""

    entry: int
    revision: int


@dataclass
class ResolverContext:
    """One visit of a resolver to a game.

    `rounds`: the round of the beacon that is there for it.  `command`: the number of the ruling that it carries out.
    `openings`: the questions that are open since an earlier visit, by gate and seat, as the resolver stored them.
    `opened_answers`: the sealed orders that were opened in it, by their places and what was sealed.
    `last_made_at`: when the last entry was made; None where nobody has asked yet.
    `asked_entries`: the entry after which each question that this visit asked was asked, by gate and seat.
    """

    services: Services
    session: Session
    game: Game
    keys: GameKeys
    rules: Rules[Any]
    position: Position[Any]
    now: int
    openings: Mapping[tuple[str, str], QuestionOpening] = field(default_factory=dict)
    asked_entries: dict[tuple[str, Seat], int] = field(default_factory=dict)
    events: dict[str, list[tuple[int, Event]]] = field(default_factory=dict)
    new_questions: frozenset[str] = frozenset()
    clock: ClockState = field(default_factory=ClockState)
    has_writes: bool = False
    statistics: dict[str, list[CountedOrders | DrawnRound]] = field(default_factory=dict)
    rounds: VerifiedRound | None = None
    command: str = ""
    opened_answers: dict[tuple[bytes, bytes], CountedAnswer] = field(default_factory=dict)
    last_made_at: int | None = None

    def entry_time(self) -> int:
        """When the last entry was made (milliseconds), whatever the clock says now; 0 before the first."""
        if self.last_made_at is None:
            self.last_made_at = load_entry_time(self.session, self.game.id, self.game.entry)
        return self.last_made_at

    def add_event(self, viewer: str, event: Event) -> None:
        """Note what one viewer is told beside the journal."""
        self.events.setdefault(viewer, []).append((self.game.entry, event))

    def opening_revision(self, row: QuestionRow) -> int | None:
        """The revision after which whatever was filed for a question is for it; None if the resolver stored none."""
        asked = self.openings.get((row.gate, row.seat))
        return asked.revision if asked is not None and asked.entry == row.opening_entry else None

    def answer_of(self, row: QuestionRow) -> CountedAnswer | None:
        """The set that answers an open question, if there is one.

        It is judged whenever a gate before its own closes, and counted at last; it is opened once.
        """
        current = sealed_orders.find_current(self.session, self.services.verify, row, self.opening_revision(row))
        if current is None:
            return None
        place = sealed_orders.context_of(current, "orders").to_bytes(), current.ciphertext
        if place not in self.opened_answers:
            self.opened_answers[place] = sealed_orders.unseal_answer(
                self.session, self.keys, self.services.verify, current
            )
        return self.opened_answers[place]

    @property
    def has_phase_ended(self) -> bool:
        """Return True if what is asked now is of another kind than when the visit began."""
        return self.new_questions != frozenset(d.topic for d in self.position.core.questions if d.blocking)

    def rows(self) -> dict[tuple[str, str], QuestionRow]:
        """The questions on file, by gate and seat; those too whose answers are fixed."""
        return {(row.gate, row.seat): row for row in load_questions(self.session, self.game.id)}
