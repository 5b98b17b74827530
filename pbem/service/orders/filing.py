"""Orders that were validated: filed whole or not at all, answered with a receipt.

Mail and web come here with the same lines.  Nothing is read back here: what stood from earlier emails is added to
a receipt by a resolver, before it is sent.

Also emails that bring nothing but messages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy.orm import Session

from engine.kernel.gates import Gate
from engine.kernel.parsed import Command, ParsedLetter, ParsedLine
from engine.kernel.position import Position
from engine.kernel.viewers import Seat
from pbem.archive.answers import standing_gate
from pbem.common.states import GameState
from pbem.crypto import SealedOrders
from pbem.crypto.receipts import sign_receipt
from pbem.narration.facts import EmailContext, ExecutedCommand, NoticeFacts, ReceiptFacts, ReceiptLine, ReceiptSet
from pbem.service.access import mail_preferences
from pbem.service.base.game_states import AnswerEvent, apply_event, mark_submitted
from pbem.service.base.services import ParsedEmail, Services
from pbem.service.base.wording import spellings
from pbem.service.deadlines import gate_timing
from pbem.service.game import sealed_orders
from pbem.service.mail import assembly, notifications
from pbem.service.mail.outbox import enqueue
from pbem.service.messages import messages
from pbem.service.messages.messages import MessageRefused, Sender
from pbem.service.orders import validation
from pbem.service.orders.submission import (
    OTHER_ADDRESS,
    Submission,
    Submitter,
    ValidatedOrders,
    ValidatedSet,
    send_messages,
)
from pbem.service.seats import accounts, substitutes
from pbem.store.games import load_seat
from pbem.store.models import Capability, Game, SealedOrdersRow, User
from pbem.store.versions import ConflictError


def file_orders(
    services: Services,
    session: Session,
    submitter: Submitter,
    validated: ValidatedOrders | None,
) -> ReceiptFacts:
    """File an email's sets; the receipt's facts, with what stood before still to be added.

    The caller has locked the game.  Raises ConflictError where what was found before that does not fit any more.
    """
    if validated is None or validated.parsed.basis != validation.snapshot_of(session, submitter):
        raise ConflictError
    return apply_submission(services, session, submitter, validated)


def apply_submission(
    services: Services, session: Session, submitter: Submitter, validated: ValidatedOrders
) -> ReceiptFacts:
    """Obey the commands and file the sets of a validated email; nothing is changed where it is dry.

    Each set counts whole or not at all; one that is refused leaves what stood, and leaves the email's other sets and
    reactions alone.
    """
    parsed, rows = validated.parsed, validation.open_questions(session, submitter)
    submission = Submission(services, session, submitter, validated, rows, services.now())
    taken_back = iter(validated.withdrawn)
    commands = tuple(_run_command(submission, command, taken_back) for command in parsed.reading.commands)
    commands = (*commands, *send_messages(submission, parsed.messages))
    sets = tuple(_file_set(submission, one) for one in validated.sets)
    for sealed in validated.reactions:
        _file(submission, sealed)
    lucky = validated.is_dry_run or any(s.taken for s in sets)
    facts = ReceiptFacts(
        receipt_context(submission),
        parsed.seen,
        (*sets, *_unmatched_orders(parsed.reading)),
        validated.sealed_reactions,
        commands,
        parsed.reading.luck if lucky else (),
        parsed.reading.skipped if lucky else parsed.skipped,
        preview=tuple(event for one in validated.sets for event in one.events),
        warnings=submitter.warnings,
        proofs=tuple(map(str, submission.proofs)),
        unread=parsed.unread,
        doubtful=tuple(text for number, text in parsed.reading.skipped if number in parsed.reading.ambiguous),
    )
    return add_pending(session, submitter.game, parsed.seen, facts)


def receipt_context(submission: Submission) -> EmailContext:
    """The frame of the receipt: it answers to the same address that the email was sent to."""
    submitter = submission.submitter
    return assembly.build_context(
        submission.services,
        submission.session,
        submitter.game,
        submitter.seat.seat,
        submitter.user,
        submitter.token,
        submission.now,
    )


def add_pending(session: Session, game: Game, seen: Position[Any], facts: ReceiptFacts) -> ReceiptFacts:
    """Add what is owed now, by the reader and by others."""
    seat = facts.frame.reader.seat
    others = assembly.pending_seats(session, game.id, seat)
    owed = assembly.open_questions(session, game.id, seat, seen.core.questions)
    mine = any(o.decision.blocking and not o.answered for o in owed)
    asked = any(o.decision.blocking for o in owed)
    settled = asked and not mine and not others and not gate_timing.may_wait(session, game, facts.frame.sent * 1000)
    return replace(facts, questions=owed, awaited=others, settled=settled)


# --- sets


def _file_set(submission: Submission, one: ValidatedSet) -> ReceiptSet:
    """File a set that stands; where it does not, something was written that does not count, and what stood stands."""
    row = submission.open.get(one.gate)
    if one.sealed is None:
        if row is not None and not submission.is_dry_run:
            apply_event(row, AnswerEvent.SKETCH, submission.now)
        return one.results
    made, earlier = _file(submission, one.sealed)
    if row is not None:
        mark_submitted(row, submission.now, passed=one.results.passed)
        substitutes.cancel_offer(submission.session, submission.submitter.seat)
    if one.plan is not None:
        _file(submission, one.plan)
    return replace(one.results, taken=True, commitment=made.commitment, replaces=earlier)


def _file(submission: Submission, sealed: SealedOrders) -> tuple[SealedOrdersRow, str]:
    """Store sealed orders; their row, and the commitment of those that they replace (reactions add up instead)."""
    session, place = submission.session, sealed.context
    lie = sealed_orders.list_valid(session, submission.services.verify, place.game, place.seat, place.kind)
    replaced = (row.commitment for row in reversed(lie) if row.gate == place.gate and place.kind != "reaction")
    before = next(replaced, "")
    made = sealed_orders.store(submission.services, session, sealed)
    signing = submission.services.order_keys.signing
    submission.proofs.append(sign_receipt(signing, place, sealed.commitment, before))
    return made, before


def _unmatched_orders(reading: ParsedLetter) -> tuple[ReceiptSet, ...]:
    """Orders that belong to no question that this email can answer."""
    return (ReceiptSet("", tuple(_describe_line(w) for w in reading.unmatched)),) if reading.unmatched else ()


def _describe_line(written: ParsedLine) -> ReceiptLine:
    return ReceiptLine(written.number, written.text, written.line, written.problem)


# --- commands


def _run_command(submission: Submission, command: Command, taken_back: Iterator[SealedOrders]) -> ExecutedCommand:
    """WITHDRAW is done here; STATUS and HELP are part of any receipt; REPORT and PREVIEW are seen to by the caller."""
    if command.problem is not None:
        return ExecutedCommand(command.name, command.text, "unknown")
    if command.name in ("away", "resign") and submission.submitter.refusal:
        return ExecutedCommand(command.name, command.word, submission.submitter.refusal)
    if command.name == "always" and submission.submitter.deputy:
        return ExecutedCommand(command.name, command.word, "refused")
    if command.name in accounts.COMMANDS:
        return ExecutedCommand(command.name, command.word, _run_account_command(submission, command))
    if command.name == "away":
        outcome, days = gate_timing.parse_absence(
            submission.services, submission.session, submission.submitter.user, command.word, dry=submission.is_dry_run
        )
        return ExecutedCommand("away", days, outcome)
    if command.name == "resign":
        game, seat, dry = submission.submitter.game, submission.submitter.seat, submission.is_dry_run
        outcome = substitutes.offer_seat(submission.services, submission.session, game, seat, command.word, dry=dry)
        return ExecutedCommand("resign", "", outcome)
    if command.name in ("mute", "unmute"):
        return ExecutedCommand(command.name, "", _set_muted(submission, on=command.name == "mute"))
    if command.name in ("wait", "ready"):
        outcome = "nothing" if submission.is_dry_run else set_pace(submission, command.name)
        return ExecutedCommand(command.name, "", outcome)
    if command.name != "withdraw":
        argument = command.word or (str(command.turn) if command.turn else "")
        return ExecutedCommand(command.name, argument, "sent" if command.name == "report" else "done")
    done = "nothing" if submission.is_dry_run else withdraw(submission, command, taken_back)
    if command.section is None:
        return ExecutedCommand("withdraw", command.reaction or "", done)
    return ExecutedCommand("withdraw", command.section.topic, done, command.section.number)


def _set_muted(submission: Submission, *, on: bool) -> str:
    """Stop the reports and reminders of the table for the writer, or let them come again."""
    if submission.is_dry_run:
        return "nothing"
    submitter = submission.submitter
    mail_preferences.set_game_muted(
        submission.services, submission.session, submitter.user.id, submitter.game.id, on=on
    )
    return "done"


def _run_account_command(submission: Submission, command: Command) -> str:
    """What is kept of a person is theirs to ask for by an email from their own address; pages have pages for it."""
    submitter = submission.submitter
    if submitter.form:
        return "page"
    if OTHER_ADDRESS in submitter.warnings:
        return "elsewhere"
    if submission.is_dry_run:
        return "nothing"
    found = submission.validated.parsed.account_commands
    return accounts.parse_command(submission.services, submission.session, submitter.user, command, found)


def set_pace(submission: Submission, stance: str) -> str:
    """WAIT: not before the deadline, though all have answered; READY: no need to wait for second thoughts.

    It stands until the gate closes and is nobody else's to know; `nothing` where nobody waits for this seat.
    """
    rows = [row for row in submission.open.values() if row.is_blocking]
    for row in rows:
        row.pace_request = stance
    return "done" if rows else "nothing"


def withdraw(submission: Submission, command: Command, taken_back: Iterator[SealedOrders]) -> str:
    """Take back what has not been opened: one section, one reaction, or everything; `done` or `nothing`.

    An email reaches only what it can know of: no answer to a question put after it was laid out.  `taken_back`: the
    sealed orders that take reactions back.
    """
    if command.reaction is not None:
        _file(submission, next(taken_back))
        return "done"
    gone = [row for row in _list_withdrawable(submission) if _matches(command, row)]
    for row in gone:
        submission.proofs.append(sealed_orders.mark_ended(row, submission.services.order_keys.signing, "withdrawn"))
        if row.kind == "orders":
            apply_event(submission.open[row.gate], AnswerEvent.WITHDRAW, submission.now)
    return "done" if gone else "nothing"


def _list_withdrawable(submission: Submission) -> list[SealedOrdersRow]:
    found = [row for row in _list_valid(submission, "orders") if row.gate in submission.open]
    if submission.submitter.entry < submission.submitter.seat.last_report_entry:
        return found
    return [
        *found,
        *(row for kind in ("advance", "reaction") for row in _list_valid(submission, kind)),
        *(_list_valid(submission, "standing") if not submission.submitter.deputy else ()),
    ]


def _list_valid(submission: Submission, kind: str) -> list[SealedOrdersRow]:
    game, seat = submission.submitter.game.id, submission.seat
    return sealed_orders.list_valid(submission.session, submission.services.verify, game, seat, kind)


def _matches(command: Command, row: SealedOrdersRow) -> bool:
    """Return True if a withdrawal names these orders: it names none, or this topic, of the turn and number it says."""
    if command.section is None:
        return True
    asks, turn, number = command.section
    if row.kind == "standing":
        return row.gate == standing_gate(asks)
    gate = Gate.parse(row.gate)
    return gate.topic == asks and turn in (None, gate.turn) and number in (None, gate.number)


MESSAGE_WORDS: Final = spellings("talk.message")
"""On the first line: these are words, whatever they look like."""
UNSIGNED: Final = spellings("talk.unsigned")


@dataclass(frozen=True)
class MessageAnalysis:
    """What was found of talk before its transaction: that it reads like orders, or is more than one may send.

    `powers`: as in `messages.name_powers`.
    """

    looks_like_orders: bool = False
    is_rate_limited: bool = False
    powers: Mapping[Seat, str] = field(default_factory=dict)


def analyze_messages(
    services: Services, session: Session, game: Game, user: User, letter: ParsedEmail
) -> MessageAnalysis:
    """Read an email of talk, and count it where it will be said; raises BudgetExceeded."""
    speaker = messages.sender_of(session, game, user.id)
    lines, marks = _parse_header_lines(letter.lines)
    if (
        speaker is not None
        and not marks & MESSAGE_WORDS
        and _looks_like_orders(services, session, game, speaker, lines)
    ):
        return MessageAnalysis(looks_like_orders=True)
    powers = messages.load_powers(services, session, game)
    return MessageAnalysis(is_rate_limited=messages.is_rate_limited(services, game.id, user.id), powers=powers)


def send_messages_from_email(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    row: Capability,
    letter: ParsedEmail,
    mark: str,
    found: MessageAnalysis,
) -> None:
    """Say what an email says, to the circle of its address; its writer is told who hears it, or why nobody does."""
    speaker = messages.sender_of(session, game, user.id)
    lines, marks = _parse_header_lines(letter.lines)
    terms: dict[str, object]
    try:
        if speaker is None or speaker.seat != (row.seat or ""):
            raise MessageRefused("no_such_reader")
        if found.looks_like_orders:
            raise MessageRefused("orders")
        names = messages.send_in(
            services,
            session,
            game,
            speaker,
            messages.audience_of_address(session, row),
            "\n".join(lines),
            f"letter.{mark}",
            often=found.is_rate_limited,
            powers=found.powers,
            unsigned=bool(marks & UNSIGNED),
        )
        kind, terms = "said", {"names": names}
    except MessageRefused as refused:
        kind, terms = "unsaid", {"why": refused.code}
    frame = notifications.table_context(services, session, game, user)
    facts = NoticeFacts(frame, kind, terms, letter.subject)
    enqueue(
        services,
        session,
        key=f"notice.{mark}",
        kind="notice",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def _parse_header_lines(lines: Sequence[str]) -> tuple[list[str], frozenset[str]]:
    """The words of an email, and what its first lines say about them."""
    left, marks = list(lines), set[str]()
    while left:
        word = left[0].strip(" .:!").casefold()
        if word and word not in MESSAGE_WORDS | UNSIGNED:
            break
        marks |= {word} - {""}
        left.pop(0)
    return left, frozenset(marks)


def _looks_like_orders(services: Services, session: Session, game: Game, speaker: Sender, lines: Sequence[str]) -> bool:
    """Return True if a player's lines would be read as orders, reactions or words for luck; or are a bare command."""
    seat = load_seat(session, game.id, speaker.seat)
    if seat is None or game.state != GameState.RUNNING:
        return False
    submitter = Submitter(game, seat, speaker.user, game.entry, "")
    reading = validation.parse_for_seat(services, session, submitter, lines).reading
    alone = sum(1 for line in lines if line.strip()) == 1
    sets = any(line.line is not None for lot in reading.sets.values() for line in lot.lines)
    astray = any(line.line is not None for line in reading.unmatched)
    bare = alone and bool(reading.commands or any(lot.is_pass for lot in reading.sets.values()))
    return sets or astray or bare or bool(reading.reactions or reading.luck)
