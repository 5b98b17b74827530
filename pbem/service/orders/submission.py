"""One letter's or form's way through judgement: who writes, what was found of it, and the transaction that files it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy.orm import Session

from engine.kernel.grammar import Grammar
from engine.kernel.orders import Orders
from engine.kernel.parse import ParsedLetter
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat
from pbem.crypto import SealedOrders
from pbem.crypto.receipts import Receipt
from pbem.narration.facts import ReceiptReaction, ReceiptSet
from pbem.service.base.services import Services
from pbem.service.seats.account_commands import CommandCount
from pbem.store.models import Game, QuestionRow, SeatRow, User

OTHER_ADDRESS: Final = "other_address"
"""The warning of a letter that does not come from the address of record."""


@dataclass(frozen=True)
class Submitter:
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
class MessageBlock:
    """A block of talk: for whom, as it was written (None: the diary), its words, and whether its END is there.

    `is_rate_limited`: its author has said as much within the hour as one may.
    """

    to: str | None
    text: str
    ended: bool
    is_rate_limited: bool = False


@dataclass(frozen=True)
class ValidationBasis:
    """What reading and judging rest on: where the game stands, who writes, and the questions that they may answer.

    `known`: up to which entry the writer knows the game.  `open`: gate and opening entry of each question.
    """

    game: str
    entry: int
    seat: str
    reported: int
    user: int
    language: str
    known: int
    form: bool
    open: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ParsedOrders:
    """Lines as they read for a seat, by what it may write now."""

    basis: ValidationBasis
    rules: Rules[Any]
    seen: Position[Any]
    grammar: Grammar
    reading: ParsedLetter
    said: tuple[MessageBlock, ...]
    skipped: tuple[tuple[int, str], ...]
    """Talk, with words for luck that no set brings along."""
    own: CommandCount = field(default_factory=CommandCount)

    @property
    def seat(self) -> Seat:
        """The seat that writes."""
        return Seat(self.basis.seat)


@dataclass(frozen=True)
class ValidatedSet:
    """One set as it was judged, and sealed where it stands.

    `gate`: of the open question that it answers.  `plan`: the same set for all such questions.  `events`, `after`: what
    it would come to, on the seat's own view.
    """

    results: ReceiptSet
    gate: str = ""
    orders: Orders = ()
    ballot: SealedOrders | None = None
    plan: SealedOrders | None = None
    events: tuple[Any, ...] = ()
    after: Position[Any] | None = None


@dataclass(frozen=True)
class ValidatedOrders:
    """A letter's lines, read and judged, with the ballots that they come to.  `dry`: nothing of it is filed."""

    parsed: ParsedOrders
    dry: bool
    sets: tuple[ValidatedSet, ...]
    riders: tuple[ReceiptReaction, ...]
    reactions: SealedOrders | None
    withdrawn: tuple[SealedOrders, ...]
    """A ballot for each rider that is taken back, in their order."""

    @property
    def after(self) -> Position[Any] | None:
        """What the last set would lead to."""
        return next((one.after for one in reversed(self.sets) if one.after is not None), None)


@dataclass
class Submission:
    """A weighed letter in the transaction that files it.  `proofs`: a receipt for each act on a ballot."""

    services: Services
    session: Session
    submitter: Submitter
    validated: ValidatedOrders
    open: Mapping[str, QuestionRow]
    now: int
    proofs: list[Receipt] = field(default_factory=list)

    @property
    def dry(self) -> bool:
        """Return True if nothing is filed."""
        return self.validated.dry

    @property
    def seat(self) -> Seat:
        """The seat that writes."""
        return self.validated.parsed.seat
