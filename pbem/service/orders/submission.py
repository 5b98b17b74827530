"""One letter's or form's way through judgement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.grammar import Grammar
from engine.kernel.names import Seat
from engine.kernel.parse import Reading
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from pbem.service.base.services import Services
from pbem.store.models import DecisionRow, Game, SeatRow, User
from pbem.vault.receipts import Receipt


@dataclass(frozen=True)
class Ticket:
    """Who writes, for which seat, and up to which entry their letter knows the game.

    `deputy`: they answer while its player is away.  `form`: they write in a field that is for orders alone.
    """

    game: Game
    seat: SeatRow
    user: User
    entry: int
    token: str
    warnings: tuple[str, ...] = ()
    deputy: bool = False
    form: bool = False


@dataclass(frozen=True)
class TalkBlock:
    """A block of talk: for whom, as it was written (None: the diary), its words, and whether its END is there."""

    to: str | None
    text: str
    ended: bool


@dataclass
class Submission:
    """One letter's way through judgement.  `after`: what the last set would lead to, on the seat's own view.

    `proofs`: a receipt for each act on a ballot.
    """

    services: Services
    session: Session
    ticket: Ticket
    rules: Rules[Any]
    seen: Position[Any]
    open: Mapping[str, DecisionRow]
    reading: Reading
    grammar: Grammar
    now: int
    dry: bool = False
    after: Position[Any] | None = None
    said: Sequence[TalkBlock] = ()
    proofs: list[Receipt] = field(default_factory=list)

    @property
    def seat(self) -> Seat:
        """The seat that writes."""
        return Seat(self.ticket.seat.seat)
