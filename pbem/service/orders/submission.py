"""One email's or form's way through judgement: who writes, what was found of it, and the transaction that files it.

Also the messages inside an order email.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy.orm import Session

from engine.kernel.charts import HasStatistics
from engine.kernel.grammar import Grammar
from engine.kernel.languages import LANGUAGES
from engine.kernel.orders import Orders
from engine.kernel.parsed import ParsedLetter
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.common.addresses import can_receive_email
from pbem.crypto import SealedOrders, new_token
from pbem.crypto.receipts import Receipt
from pbem.narration.facts import ExecutedCommand, ReceiptReaction, ReceiptSet
from pbem.service.base.services import Services
from pbem.service.base.wording import spelling_regex, spellings
from pbem.service.messages import messages
from pbem.service.messages.messages import ALL, MASTER, MessageRefused, Sender
from pbem.service.seats.accounts import CommandCount
from pbem.store.games import display_name, names_of_seats
from pbem.store.models import Game, QuestionRow, SeatRow, User

OTHER_ADDRESS: Final = "other_address"
"""The warning of an email that does not come from the address of record."""


@dataclass(frozen=True)
class Submitter:
    """Who writes, for which seat, and up to which entry their email knows the game.

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

    @property
    def refusal(self) -> str:
        """Why they send orders and nothing else; empty for a player who may do all that players do.

        `refused`: a deputy.  `unverified`: they have not verified an address, and what they leave is for one table.
        """
        if self.deputy:
            return "refused"
        return "" if can_receive_email(self.user.email) else "unverified"


@dataclass(frozen=True)
class MessageBlock:
    """A block of talk: for whom, as it was written (None: the diary), its words, and whether its END is there.

    `is_rate_limited`: its author has said as much within the hour as one may.
    """

    to: str | None
    text: str
    is_closed: bool
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
    """Lines as they read for a seat, by what it may write now.

    `unread`: those that begin like an order or a command, and were not read for where they stand.
    """

    basis: ValidationBasis
    rules: Rules[Any]
    seen: Position[Any]
    grammar: Grammar
    reading: ParsedLetter
    messages: tuple[MessageBlock, ...]
    skipped: tuple[tuple[int, str], ...]
    """Talk, with words for luck that no set brings along."""
    account_commands: CommandCount = field(default_factory=CommandCount)
    unread: tuple[str, ...] = ()

    @property
    def seat(self) -> Seat:
        """The seat that writes."""
        return Seat(self.basis.seat)


@dataclass(frozen=True)
class ValidatedSet:
    """One set as it was judged, and sealed where it stands.

    `gate`: of the open question that it answers.  `plan`: the same set for all such questions.  `events`,
    `state_after`: what it would come to, on the seat's own view.
    """

    results: ReceiptSet
    gate: str = ""
    orders: Orders = ()
    sealed: SealedOrders | None = None
    plan: SealedOrders | None = None
    events: tuple[Any, ...] = ()
    state_after: Position[Any] | None = None


@dataclass(frozen=True)
class ValidatedOrders:
    """An email's lines, validated, with the sealed orders that they come to.  `is_dry_run`: nothing of it is filed."""

    parsed: ParsedOrders
    is_dry_run: bool
    sets: tuple[ValidatedSet, ...]
    sealed_reactions: tuple[ReceiptReaction, ...]
    reactions: tuple[SealedOrders, ...]
    withdrawn: tuple[SealedOrders, ...]
    """Sealed orders for each reaction that is taken back, in their order."""

    @property
    def state_after(self) -> Position[Any] | None:
        """What the last set would lead to."""
        return next((one.state_after for one in reversed(self.sets) if one.state_after is not None), None)


@dataclass
class Submission:
    """A validated email in the transaction that files it.  `proofs`: a receipt for each act on sealed orders."""

    services: Services
    session: Session
    submitter: Submitter
    validated: ValidatedOrders
    open: Mapping[str, QuestionRow]
    now: int
    proofs: list[Receipt] = field(default_factory=list)

    @property
    def is_dry_run(self) -> bool:
        """Return True if nothing is filed."""
        return self.validated.is_dry_run

    @property
    def seat(self) -> Seat:
        """The seat that writes."""
        return self.validated.parsed.seat


_PRESS: Final = re.compile(
    rf"(?:{spelling_regex('talk.say')}) (?:{spelling_regex('talk.to')}) (.{{1,200}})", re.IGNORECASE
)
_DIARY: Final = re.compile(spelling_regex("talk.diary"), re.IGNORECASE)
_END: Final = re.compile(rf"(?:^|\s)(?:{spelling_regex('talk.end')})(?:\s+(?:{spelling_regex('talk.end_of')}))?\Z")
"""In capitals, for a sentence may end with such a word."""
_ALL: Final = spellings("talk.all")
_MASTER: Final = spellings("talk.master")
_AND: Final = re.compile(rf"\s*(?:,|;|\b(?:{spelling_regex('talk.and')})\b)\s*")
_ARTICLE: Final = re.compile(
    rf"\A(?:(?:{spelling_regex('talk.to')})\s+)?(?:(?:{spelling_regex('talk.the')})\s+|l['’])?", re.IGNORECASE
)
"""What may stand before the name of a power: `à l'`."""
_NAMED_REFUSALS: Final = frozenset({"no_such_reader", "forbidden"})
"""Refusals that a receipt words by themselves; the others are `refused`."""


def split_orders_and_messages(lines: Sequence[str]) -> tuple[list[str], tuple[MessageBlock, ...]]:
    """The lines of orders, with blanks where talk stood, so that their numbers stay; and the talk."""
    left, found, at = list(lines), list[MessageBlock](), 0
    while at < len(left):
        begun = _parse_header(left[at])
        if begun is None:
            at += 1
            continue
        block, after = _parse_block(left, at, begun)
        found.append(block)
        left[at:after] = [""] * (after - at)
        at = after
    return left, tuple(found)


def _parse_header(line: str) -> tuple[str | None, str] | None:
    """Whom a block is for and the first of its words, if the line begins one."""
    head, colon, words = line.partition(":")
    said = " ".join(head.split()) if colon else ""
    if press := _PRESS.fullmatch(said):
        return press[1], words
    return (None, words) if _DIARY.fullmatch(said) else None


def _parse_block(lines: Sequence[str], at: int, begun: tuple[str | None, str]) -> tuple[MessageBlock, int]:
    """A block, and the line after it."""
    said = list[str]()
    for number, line in enumerate([begun[1], *lines[at + 1 :]]):
        written = line.rstrip().removesuffix(".").rstrip()
        if end := _END.search(written):
            said.append(written[: end.start()])
            return MessageBlock(begun[0], "\n".join(said), True), at + number + 1
        said.append(line.strip() if number == 0 else line)
    return MessageBlock(begun[0], "\n".join(said), False), len(lines)


def count_messages(
    services: Services, submitter: Submitter, blocks: Sequence[MessageBlock]
) -> tuple[MessageBlock, ...]:
    """The blocks that will be said, each counted towards what a person may say in an hour."""
    if submitter.refusal:
        return tuple(blocks)
    counted = list(blocks)
    for number, block in enumerate(blocks):
        if block.is_closed:
            is_limited = messages.is_rate_limited(services, submitter.game.id, submitter.user.id)
            counted[number] = replace(block, is_rate_limited=is_limited)
    return tuple(counted)


def send_messages(submission: Submission, blocks: Sequence[MessageBlock]) -> tuple[ExecutedCommand, ...]:
    """Say what the blocks say; what came of each."""
    return tuple(
        ExecutedCommand("press" if b.to is not None else "diary", b.to or "", _send_block(submission, b))
        for b in blocks
    )


def _send_block(submission: Submission, block: MessageBlock) -> str:
    if not block.is_closed:
        return "unended"
    if submission.is_dry_run and not submission.submitter.refusal:
        return "nothing"
    if submission.submitter.refusal:
        return submission.submitter.refusal
    services, session, source = submission.services, submission.session, f"within.{new_token()}"
    game, row, user = submission.submitter.game, submission.submitter.seat, submission.submitter.user
    speaker = Sender(user, row.seat, display_name(user, row, game))
    try:
        if block.to is None:
            messages.write_diary_in(services, session, game, speaker, block.text, source, often=block.is_rate_limited)
        else:
            circle = _parse_recipients(submission, block.to)
            often, seen = block.is_rate_limited, submission.validated.parsed.seen
            powers = messages.name_powers(services, game, seen)
            messages.send_in(services, session, game, speaker, circle, block.text, source, often=often, powers=powers)
    except MessageRefused as refused:
        return refused.code if refused.code in _NAMED_REFUSALS else "refused"
    return "done"


def _parse_recipients(submission: Submission, written: str) -> str:
    """Find readers by names of players or powers, by seats, or all, or the master.

    Raises MessageRefused for an unclear name.
    """
    names = [name for name in _AND.split(written.strip().casefold()) if name]
    return messages.audience_of(_find_reader(submission, name) for name in names)


def _find_reader(submission: Submission, name: str) -> str:
    if name in _ALL:
        return ALL
    if name in _MASTER:
        return MASTER
    names = names_of_seats(submission.session, submission.submitter.game)
    known = [(seat, called.casefold()) for seat, called in names.items()]
    powers = [(seat, called) for seat, called in _list_powers(submission) if seat in dict(known)]
    power = _ARTICLE.sub("", name)
    exact = {seat for seat, called in known if name in (seat, called)} or {s for s, called in powers if called == power}
    begun = {seat for seat, called in known if called.startswith(name)}
    found = exact or begun | {seat for seat, called in powers if called.startswith(power)}
    if len(found) != 1:
        raise MessageRefused("no_such_reader")
    return found.pop()


def _list_powers(submission: Submission) -> list[tuple[str, str]]:
    """The seats with the names under which they play, in small letters and each language."""
    rules, parsed = submission.services.rules(submission.submitter.game.rules), submission.validated.parsed
    if not isinstance(rules, HasStatistics):
        return []
    with seen_by(parsed.seat):
        view = rules.present_view(parsed.seen, parsed.seat)
        labels = [rules.labels(view, language) for language in LANGUAGES]
    return [(seat, label.name.casefold()) for called in labels for seat, label in called.items()]
