"""Orders that were weighed: filed whole or not at all, answered with a receipt.

Mail and web come here with the same lines.  Nothing is read back here: what stood from earlier letters is added to
a receipt by a play worker, before it is sent.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.gates import Gate
from engine.kernel.parse import Command, ParsedLine, Reading
from engine.kernel.position import Position
from pbem.narration.facts import CommandRead, Frame, LineRead, ReceiptFacts, SetRead
from pbem.service.base.answer_state import Act, move, submitted
from pbem.service.base.races import Outrun
from pbem.service.base.services import Services
from pbem.service.game import ballots, frames, plans
from pbem.service.orders import inline_messages, weighing
from pbem.service.orders.submission import OTHER_ADDRESS, Submission, Ticket, Weighed, WeighedSet
from pbem.service.seats import own_affairs, substitutes
from pbem.service.time import absences, gate_timing
from pbem.store.models import BallotRow, Game
from pbem.vault import SealedBallot
from pbem.vault.receipts import sign_receipt


def receive(
    services: Services,
    session: Session,
    ticket: Ticket,
    weighed: Weighed | None,
) -> ReceiptFacts:
    """File a letter's sets; the receipt's facts, with what stood before still to be added.

    The caller has locked the game.  Raises Outrun where what was found before that does not fit any more.
    """
    if weighed is None or weighed.laid.basis != weighing.basis_of(session, ticket):
        raise Outrun
    return acknowledged(services, session, ticket, weighed)


def acknowledged(services: Services, session: Session, ticket: Ticket, weighed: Weighed) -> ReceiptFacts:
    """Obey the commands and file the sets of a letter that was weighed; nothing is changed where it is dry.

    Each set counts whole or not at all; one that is refused leaves what stood, and leaves the letter's other sets and
    riders alone.
    """
    laid, rows = weighed.laid, weighing.open_rows(session, ticket)
    submission = Submission(services, session, ticket, weighed, rows, services.now())
    taken_back = iter(weighed.taken_back)
    commands = tuple(_obey(submission, command, taken_back) for command in laid.reading.commands)
    commands = (*commands, *inline_messages.say_blocks(submission, laid.said))
    sets = tuple(_filed(submission, one) for one in weighed.sets)
    if weighed.ridden is not None:
        _file(submission, weighed.ridden)
    lucky = weighed.dry or any(s.taken for s in sets)
    facts = ReceiptFacts(
        frame(submission),
        laid.seen,
        (*sets, *_astray(laid.reading)),
        weighed.riders,
        commands,
        laid.reading.luck if lucky else (),
        laid.reading.skipped if lucky else laid.skipped,
        preview=tuple(event for one in weighed.sets for event in one.events),
        warnings=ticket.warnings,
        proofs=tuple(map(str, submission.proofs)),
        doubtful=tuple(text for number, text in laid.reading.skipped if number in laid.reading.doubtful),
    )
    return with_awaited(session, ticket.game, laid.seen, facts)


def frame(submission: Submission) -> Frame:
    """The frame of the receipt: it answers to the same address that the letter was sent to."""
    ticket = submission.ticket
    return frames.frame_of(
        submission.services,
        submission.session,
        ticket.game,
        ticket.seat.seat,
        ticket.user,
        ticket.token,
        submission.now,
    )


def with_awaited(session: Session, game: Game, seen: Position[Any], facts: ReceiptFacts) -> ReceiptFacts:
    """Add what is owed now, by the reader and by others."""
    seat = facts.frame.reader.seat
    others = frames.awaited(session, game.id, seat)
    owed = frames.owed_by(session, game.id, seat, seen.core.open)
    mine = any(o.decision.blocking and not o.answered for o in owed)
    asked = any(o.decision.blocking for o in owed)
    settled = asked and not mine and not others and not gate_timing.lingers(session, game, facts.frame.sent * 1000)
    return replace(facts, owed=owed, awaited=others, settled=settled)


# --- sets


def _filed(submission: Submission, one: WeighedSet) -> SetRead:
    """File a set that stands; where it does not, something was written that does not count, and what stood stands."""
    row = submission.open.get(one.gate)
    if one.ballot is None:
        if row is not None and not submission.dry:
            move(row, Act.SKETCH, submission.now)
        return one.found
    made, earlier = _file(submission, one.ballot)
    if row is not None:
        submitted(row, submission.now, passed=one.found.passed)
        substitutes.keep(submission.ticket.seat)
    if one.plan is not None:
        _file(submission, one.plan)
    return replace(one.found, taken=True, commitment=made.commitment, replaces=earlier)


def _file(submission: Submission, ballot: SealedBallot) -> tuple[BallotRow, str]:
    """Put a ballot in its place; its row, and the commitment of the one that it replaces, if riders do not add up."""
    session, place = submission.session, ballot.context
    lie = ballots.counting(session, submission.services.verify, place.game, place.seat, place.kind)
    replaced = (row.commitment for row in reversed(lie) if row.gate == place.gate and place.kind != "rider")
    before = next(replaced, "")
    made = ballots.put(submission.services, session, ballot)
    signing = submission.services.accepting.signing
    submission.proofs.append(sign_receipt(signing, place, ballot.commitment, before))
    return made, before


def _astray(reading: Reading) -> tuple[SetRead, ...]:
    """Orders that belong to no question that this letter can answer."""
    return (SetRead("", tuple(_line(w) for w in reading.astray)),) if reading.astray else ()


def _line(written: ParsedLine) -> LineRead:
    return LineRead(written.number, written.text, written.line, written.problem)


# --- commands


def _obey(submission: Submission, command: Command, taken_back: Iterator[SealedBallot]) -> CommandRead:
    """WITHDRAW is done here; STATUS and HELP are part of any receipt; REPORT and PREVIEW are seen to by the caller."""
    if command.problem is not None:
        return CommandRead(command.name, command.text, "unknown")
    if submission.ticket.deputy and command.name in ("away", "resign"):
        return CommandRead(command.name, command.word, "refused")
    if command.name in own_affairs.COMMANDS:
        return CommandRead(command.name, command.word, _own_affair(submission, command))
    if command.name == "away":
        outcome = absences.by_letter(
            submission.services, submission.session, submission.ticket.user, command.word, dry=submission.dry
        )
        return CommandRead("away", command.word, outcome)
    if command.name == "resign":
        ticket = submission.ticket
        outcome = substitutes.resign(
            submission.services, submission.session, ticket.game, ticket.seat, command.word, dry=submission.dry
        )
        return CommandRead("resign", "", outcome)
    if command.name in ("wait", "ready"):
        return CommandRead(command.name, "", "nothing" if submission.dry else pace(submission, command.name))
    if command.name != "withdraw":
        argument = command.word or (str(command.turn) if command.turn else "")
        return CommandRead(command.name, argument, "sent" if command.name == "report" else "done")
    done = "nothing" if submission.dry else withdraw(submission, command, taken_back)
    if command.section is None:
        return CommandRead("withdraw", command.rider or "", done)
    return CommandRead("withdraw", command.section.asks, done, command.section.number)


def _own_affair(submission: Submission, command: Command) -> str:
    """What is kept of a person is theirs to ask for by a letter from their own address; pages have pages for it."""
    ticket = submission.ticket
    if ticket.form:
        return "page"
    if OTHER_ADDRESS in ticket.warnings:
        return "elsewhere"
    if submission.dry:
        return "nothing"
    found = submission.weighed.laid.own
    return own_affairs.commanded(submission.services, submission.session, ticket.user, command, found)


def pace(submission: Submission, stance: str) -> str:
    """WAIT: not before the deadline, though all have answered; READY: no need to wait for second thoughts.

    It stands until the gate closes and is nobody else's to know; `nothing` where nobody waits for this seat.
    """
    rows = [row for row in submission.open.values() if row.blocking]
    for row in rows:
        row.stance = stance
    return "done" if rows else "nothing"


def withdraw(submission: Submission, command: Command, taken_back: Iterator[SealedBallot]) -> str:
    """Take back what has not been opened: one section, one rider, or everything; `done` or `nothing`.

    A letter reaches only what it can know of: no answer to a question put after it was laid out.  `taken_back`: the
    ballots that take riders back.
    """
    if command.rider is not None:
        _file(submission, next(taken_back))
        return "done"
    gone = [row for row in _withdrawable(submission) if _meant(command, row)]
    for row in gone:
        submission.proofs.append(ballots.end(row, submission.services.accepting.signing, "withdrawn"))
        if row.kind == "orders":
            move(submission.open[row.gate], Act.WITHDRAW, submission.now)
    return "done" if gone else "nothing"


def _withdrawable(submission: Submission) -> list[BallotRow]:
    found = [row for row in _counting(submission, "orders") if row.gate in submission.open]
    if submission.ticket.entry < submission.ticket.seat.reported_entry:
        return found
    return [*found, *(row for kind in ("ahead", "rider", "plan") for row in _counting(submission, kind))]


def _counting(submission: Submission, kind: str) -> list[BallotRow]:
    game, seat = submission.ticket.game.id, submission.seat
    return ballots.counting(submission.session, submission.services.verify, game, seat, kind)


def _meant(command: Command, row: BallotRow) -> bool:
    """Return True if a withdrawal names this ballot: it names none, or this topic, of the turn and number it says."""
    if command.section is None:
        return True
    asks, turn, number = command.section
    if row.kind == "plan":
        return row.gate == plans.gate_of(asks)
    gate = Gate.parse(row.gate)
    return gate.asks == asks and turn in (None, gate.turn) and number in (None, gate.number)
