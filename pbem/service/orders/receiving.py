"""Orders: judged against the seat's own view, sealed whole or not at all, answered with a receipt.

Mail and web come here with the same lines.  Nothing is read back here: what stood from earlier letters is added to
a receipt by a play worker, before it is sent.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.codec import dump
from engine.kernel.gates import Gate
from engine.kernel.grammar import Section, grammar_of
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Judgement, Orders
from engine.kernel.parse import Command, ParsedLine, ParsedSet, Reading, read_letter
from engine.kernel.position import Position
from engine.kernel.rules import Meta
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import Preview, preview, stands
from pbem.narration.facts import CommandRead, Frame, LineRead, ReceiptFacts, RiderRead, SetRead
from pbem.service.base.answer_state import Act, move, submitted
from pbem.service.base.services import Services
from pbem.service.game import ballots, frames, plans, riders, views
from pbem.service.game.journal import Filed
from pbem.service.orders import inline_messages
from pbem.service.orders.submission import Submission, Ticket
from pbem.service.seats import substitutes
from pbem.service.time import absences, gate_timing
from pbem.store.games import open_decisions
from pbem.store.models import BallotRow, DecisionRow, Game
from pbem.vault.receipts import sign_receipt
from pbem.work import few, spending


def receive(
    services: Services, session: Session, ticket: Ticket, lines: Sequence[str], *, dry: bool = False
) -> ReceiptFacts:
    """Read, judge and seal a letter's sets; the receipt's facts, with what stood before still to be added.

    The caller has locked the game.  `dry`: nothing is filed (a preview).  Each set counts whole or not at all; one
    that is refused leaves what stood, and leaves the letter's other sets and riders alone.
    """
    return judged(lay_open(services, session, ticket, lines, dry=dry), lines)


def would_read(services: Services, session: Session, ticket: Ticket, lines: Sequence[str]) -> tuple[str, ...]:
    """Which of these lines, that are not read, are orders or answers ahead: nothing is judged or filed."""
    if not any(line.strip() for line in lines):
        return ()
    reading = lay_open(services, session, ticket, lines, dry=True).reading
    sets = (line for one in reading.sets.values() for line in one.lines)
    found = [line for line in (*sets, *reading.riders.values()) if line.line is not None]
    return tuple(line.text for line in sorted(found, key=lambda line: line.number))


def judged(submission: Submission, lines: Sequence[str]) -> ReceiptFacts:
    """The same for lines that were read: obey, judge, file."""
    submission.dry = submission.dry or any(c.name == "preview" for c in submission.reading.commands)
    commands = tuple(_obey(submission, command) for command in submission.reading.commands)
    commands = (*commands, *inline_messages.say_blocks(submission, submission.said))
    sets, shown = _sets(submission)
    ridden = _riders(submission)
    lucky = submission.dry or any(s.taken for s in sets)
    facts = ReceiptFacts(
        frame(submission),
        submission.seen,
        (*sets, *_astray(submission.reading)),
        ridden,
        commands,
        submission.reading.luck if lucky else (),
        submission.reading.skipped if lucky else _with_idle_luck(submission.reading, lines),
        preview=shown,
        warnings=submission.ticket.warnings,
        proofs=tuple(map(str, submission.proofs)),
        doubtful=tuple(text for number, text in submission.reading.skipped if number in submission.reading.doubtful),
    )
    return with_awaited(submission.session, submission.ticket.game, submission.seen, facts)


def _with_idle_luck(reading: Reading, lines: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Words for luck go into a set that they come with; where none was taken they are listed as talk."""
    idle = [(n, text.strip()) for n, text in enumerate(lines, 1) if any(w and w in text for w in reading.luck)]
    return tuple(sorted({*reading.skipped, *idle}))


def lay_open(services: Services, session: Session, ticket: Ticket, lines: Sequence[str], *, dry: bool) -> Submission:
    """Read the lines by what this seat may write now.

    Raises Overspent for more lines than a text may have, or where the budget of work in force is used up.
    """
    rules = services.rules(ticket.game.rules)
    seat = Seat(ticket.seat.seat)
    seen = views.last_view(services, session, ticket.game, seat)
    rows = _open_rows(session, ticket)
    known = replace(seen.core, open=tuple(d for d in seen.core.open if d.seat != seat or d.gate in rows))
    with seen_by(seat):
        grammar = grammar_of(rules, replace(seen, core=known), seat, ticket.user.language)
    if ticket.entry < ticket.seat.reported_entry:
        grammar = replace(grammar, sections=tuple(s for s in grammar.sections if s.open), riders=())
    written, said = inline_messages.parted(few(lines))
    reading = _without_quitting(rules.meta, read_letter(spending(written), grammar, chatter=not ticket.form))
    return Submission(services, session, ticket, rules, seen, rows, reading, grammar, services.now(), dry, said=said)


def _without_quitting(meta: Meta, reading: Reading) -> Reading:
    """An order that would take its author out of the game for good only offers their seat, as the word RESIGN does.

    The rulebook's own way out is for the game master, or for the table's vote.
    """
    quits = {key: lot for key, lot in reading.sets.items() if meta.topic(key[0]).quits and lot.orders}
    if not quits:
        return reading
    first = next(line for lot in quits.values() for line in lot.lines)
    sets = {key: lot for key, lot in reading.sets.items() if key not in quits}
    resigns = Command(first.number, first.text, "resign", word="yes")
    return replace(reading, sets=sets, commands=(*reading.commands, resigns))


def _open_rows(session: Session, ticket: Ticket) -> dict[str, DecisionRow]:
    """The seat's open questions that this letter can know of: those put before it was laid out."""
    found = open_decisions(session, ticket.game.id, ticket.seat.seat)
    return {row.gate: row for row in found if row.opening_entry <= ticket.entry}


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


def _sets(submission: Submission) -> tuple[tuple[SetRead, ...], tuple[Any, ...]]:
    """Every set of the letter, judged and filed; and the events of a preview."""
    read: list[SetRead] = []
    shown: list[Any] = []
    for (asks, turn), written in spending(submission.reading.sets.items()):
        section = _section(submission, asks, turn)
        decision = _decision(submission, section)
        if decision is not None:
            found, events = _judged(submission, decision, written)
            shown.extend(events)
        else:
            found = _ahead(submission, asks, turn, written)
        read.append(found)
    return tuple(read), tuple(shown)


def _section(submission: Submission, asks: str, turn: int | None) -> Section | None:
    """The section of this very turn; None where it was made for a turn that a heading named."""
    return next((s for s in submission.grammar.sections if s.key == (asks, turn)), None)


def _decision(submission: Submission, section: Section | None) -> Decision | None:
    """The open question that a section stands for: of its own turn, never of another one."""
    if section is None or not section.open:
        return None
    mine = [d for d in submission.seen.core.open if d.seat == submission.seat and d.gate in submission.open]
    return next((d for d in mine if (d.asks, Gate.parse(d.gate).turn) == section.key), None)


def _judged(submission: Submission, decision: Decision, written: ParsedSet) -> tuple[SetRead, tuple[Any, ...]]:
    """A set for an open question: line by line, in sequence, on the owner's view."""
    if not written.readable:
        _sketched(submission, decision)
        return SetRead(decision.asks, _as_read(written), decision=decision, passed=written.passed), ()
    tried: Preview[Any] = preview(submission.rules, submission.seen, decision, written.orders, own=True)
    submission.after = tried.position
    lines, whole = _with_rulings(written, tried.rulings)
    events = redact(tried.events, submission.seat) if submission.dry else ()
    found = SetRead(decision.asks, lines, decision=decision, passed=written.passed, problem=whole)
    if not stands(tried.rulings) or submission.dry:
        _sketched(submission, decision)
        return found, events
    row = submission.open[decision.gate]
    made, earlier = _file(submission, decision.gate, row.opening_entry, "orders", written.orders)
    submitted(row, submission.now, passed=written.passed)
    substitutes.keep(submission.ticket.seat)
    _stand_for_good(submission, decision.asks, written)
    return replace(found, taken=True, commitment=made.commitment, replaces=earlier), events


def _sketched(submission: Submission, decision: Decision) -> None:
    """Something was written that does not count; what stood before still stands."""
    if not submission.dry:
        move(submission.open[decision.gate], Act.SKETCH, submission.now)


def _stand_for_good(submission: Submission, asks: str, written: ParsedSet) -> None:
    """With the word ALWAYS a set is also the seat's plan for such questions, should it ever miss a deadline."""
    if any(c.name == "always" for c in submission.reading.commands):
        _file(submission, plans.gate_of(asks), 0, "plan", written.orders)


def _as_read(written: ParsedSet) -> tuple[LineRead, ...]:
    return tuple(LineRead(w.number, w.text, w.line, w.problem) for w in written.lines)


def _with_rulings(written: ParsedSet, rulings: Sequence[Judgement]) -> tuple[tuple[LineRead, ...], Any]:
    """Lines with what was found about each; a problem of the set as a whole (an answer is needed) stands apart."""
    lines = tuple(
        LineRead(w.number, w.text, w.line, r.problem, r.notes, r.chosen)
        for w, r in zip(written.lines, rulings, strict=False)
    )
    whole = next((r.problem for r in rulings[len(written.lines) :] if r.problem), None)
    return lines, whole


def _ahead(submission: Submission, asks: str, turn: int | None, written: ParsedSet) -> SetRead:
    """A set for a question that is not open yet: its form is checked now, the rest when it opens."""
    found = SetRead(asks, _as_read(written), turn=turn, passed=written.passed)
    if not written.readable or submission.dry:
        return found
    made, earlier = _file(submission, _gate_ahead(submission, asks, turn), 0, "ahead", written.orders)
    return replace(found, taken=True, commitment=made.commitment, replaces=earlier)


def _gate_ahead(submission: Submission, asks: str, turn: int | None) -> str:
    """The gate at which the question will be put: as the rules name it, else by its turn."""
    with seen_by(submission.seat):
        coming = submission.rules.ahead(submission.seen, submission.seat)
    named = (d.gate for d in coming if d.asks == asks and Gate.parse(d.gate).turn == turn)
    return next(named, str(Gate(asks, turn)))


def _file(submission: Submission, gate: str, opening: int, kind: Any, orders: Orders) -> tuple[BallotRow, str]:
    """Seal a set in its place; the ballot, and the commitment of the one that it replaces."""
    game = submission.ticket.game
    earlier = ballots.lying(submission.session, game.id, submission.seat, kind, gate)
    keys = submission.services.accepting
    context = ballots.next_context(submission.session, game.id, gate, opening, submission.seat, kind)
    content = dump(Filed(orders, "\n".join(submission.reading.luck))).encode()
    key = ballots.sealing_key(game, keys.verify)
    made = ballots.file(submission.services, submission.session, key, keys.signing, context, content)
    before = earlier[-1].commitment if earlier else ""
    submission.proofs.append(sign_receipt(keys.signing, context, made.commitment, before))
    return made, before


def _astray(reading: Reading) -> tuple[SetRead, ...]:
    """Orders that belong to no question that this letter can answer."""
    return (SetRead("", tuple(_line(w) for w in reading.astray)),) if reading.astray else ()


def _line(written: ParsedLine) -> LineRead:
    return LineRead(written.number, written.text, written.line, written.problem)


# --- riders


def _riders(submission: Submission) -> tuple[RiderRead, ...]:
    """The riders of the letter that could be read are filed together; each other one is refused by itself."""
    turn = submission.rules.turn(submission.seen)
    read = tuple(_rider(asks, written, turn) for asks, written in submission.reading.riders.items())
    good: dict[str, Orders | None] = {r.asks: None if r.withdrawn else r.orders for r in read if r.problem is None}
    if good and not submission.dry:
        _file_riders(submission, turn, good)
    return read


def _file_riders(submission: Submission, turn: int, written: riders.Written) -> None:
    keys, game = submission.services.accepting, submission.ticket.game
    key = ballots.sealing_key(game, keys.verify)
    seat, services, session = submission.seat, submission.services, submission.session
    earlier = ballots.lying(session, game.id, seat, "rider", riders.gate_of(turn))
    made = riders.file(services, session, key, keys.signing, game.id, seat, turn, written)
    before = earlier[-1].commitment if earlier else ""
    submission.proofs.append(sign_receipt(keys.signing, ballots.context_of(made, "rider"), made.commitment, before))


def _rider(asks: str, written: ParsedLine, turn: int) -> RiderRead:
    orders = (written.line,) if written.line is not None else ()
    return RiderRead(asks, written.number, written.text, orders, written.withdraws, written.problem, turn)


# --- commands


def _obey(submission: Submission, command: Command) -> CommandRead:
    """WITHDRAW is done here; STATUS and HELP are part of any receipt; REPORT and PREVIEW are seen to by the caller."""
    if command.problem is not None:
        return CommandRead(command.name, command.text, "unknown")
    if submission.ticket.deputy and command.name in ("away", "resign"):
        return CommandRead(command.name, command.word, "refused")
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
    done = "nothing" if submission.dry else withdraw(submission, command)
    return CommandRead("withdraw", command.section[0] if command.section else command.rider or "", done)


def pace(submission: Submission, stance: str) -> str:
    """WAIT: not before the deadline, though all have answered; READY: no need to wait for second thoughts.

    It stands until the gate closes and is nobody else's to know; `nothing` where nobody waits for this seat.
    """
    rows = [row for row in submission.open.values() if row.blocking]
    for row in rows:
        row.stance = stance
    return "done" if rows else "nothing"


def withdraw(submission: Submission, command: Command) -> str:
    """Take back what has not been opened: one section, one rider, or everything; `done` or `nothing`.

    A letter reaches only what it can know of: no answer to a question put after it was laid out.
    """
    if command.rider is not None:
        _file_riders(submission, submission.rules.turn(submission.seen), {command.rider: None})
        return "done"
    gone = [row for row in _withdrawable(submission) if _meant(command, row)]
    for row in gone:
        submission.proofs.append(ballots.end(row, submission.services.accepting.signing, "withdrawn"))
        if row.kind == "orders":
            move(submission.open[row.gate], Act.WITHDRAW, submission.now)
    return "done" if gone else "nothing"


def _withdrawable(submission: Submission) -> list[BallotRow]:
    game, seat = submission.ticket.game.id, submission.seat
    found = [row for row in ballots.lying(submission.session, game, seat, "orders") if row.gate in submission.open]
    if submission.ticket.entry < submission.ticket.seat.reported_entry:
        return found
    ahead = (row for kind in ("ahead", "rider", "plan") for row in ballots.lying(submission.session, game, seat, kind))
    return [*found, *ahead]


def _meant(command: Command, row: BallotRow) -> bool:
    """Return True if a withdrawal names this ballot: it names none, or this topic, of this turn if it says one."""
    if command.section is None:
        return True
    asks, turn = command.section
    if row.kind == "plan":
        return row.gate == plans.gate_of(asks)
    gate = Gate.parse(row.gate)
    return gate.asks == asks and turn in (None, gate.turn)
