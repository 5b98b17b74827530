"""Play: close what is complete, carry out what was sealed, tell each viewer what they may know.

The only caller of `advance`.  A visit to a game is written in one transaction: position, journal, views, open
questions and letters change together or not at all, so a worker may be killed anywhere and its task delivered again.
It is prepared on a look at one moment wherever that can be (`run/game_visit.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.events import AheadRefused, AheadTaken, RiderPassed, RiderUsed
from engine.kernel.gates import closing
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Decision, Judgement, Orders, Pace, Problem
from engine.kernel.run import Advance, advance
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check, stands
from pbem.archive.entries import BEACON, Drawn, answers_of, luck_of, missed_of
from pbem.narration.facts import BallotCounted, RoundDrawn
from pbem.service.base.answer_state import Act, move
from pbem.service.base.services import Services
from pbem.service.game import ballots, ballots_seen, holders, riders, stored_views
from pbem.service.game.journal import Counted, Filed, Record, append, game_keys, position_of
from pbem.service.game.standstill import standstill_of
from pbem.service.game.visit import Signed, Visit
from pbem.service.play import plots, rounds
from pbem.service.play.reports import report_to_all
from pbem.service.play.spectator_letters import report_to_spectators
from pbem.service.post import pictures
from pbem.service.time import gate_timing, missed_deadlines
from pbem.states import AnswerState, GameState
from pbem.store.games import put_questions
from pbem.store.models import DecisionRow, Game, RoundRow
from pbem.store.preparing import lock_needed

LONGEST_RUN = 500
"""Entries in one visit; beyond it something goes round in circles, and the game is put before its operator."""


class RunsInCircles(Exception):
    """A game made more entries in one visit than any rulebook could ask for."""


def begin_visit(services: Services, session: Session, game: Game, now: int, signed: Signed | None = None) -> Visit:
    """Begin a visit to a running game that the caller has locked or looks at; `signed`: the round that it waits for."""
    keys = game_keys(services, game)
    holders.check(session, keys, game)
    position = position_of(session, keys, game)
    return Visit(
        services,
        session,
        game,
        keys,
        services.rules(game.rules),
        position,
        now,
        watch=standstill_of(session, game, now),
        known=ballots_seen.openings(session, keys, game),
        signed=signed,
    )


def go_on(visit: Visit) -> None:
    """Close gates as long as one is complete; then write down what everybody may know."""
    before = visit.game.entry
    visit.asked = frozenset(d.asks for d in visit.position.core.open if d.blocking)
    visit.game.look_at = None
    sync(visit)
    missed_deadlines.look(visit)
    for _ in range(LONGEST_RUN):
        if visit.position.core.over or not _close_one(visit):
            break
        visit.services.point("play.entry")
    else:
        raise RunsInCircles(visit.game.id)
    if visit.game.entry != before:
        publish(visit)


def _close_one(visit: Visit) -> bool:
    """Close a gate that can be closed, and append its entry; False if there is none.

    At a table with the beacon its answers are fixed, and drawn once the round is there.
    """
    waits = rounds.waiting(visit.session, visit.game)
    if waits is not None:
        lock_needed(visit.session)
        return not visit.watch.paused and _draw(visit, waits)
    gate = next((g for g in visit.position.core.gates() if _complete(visit, g)), None)
    if gate is None:
        return False
    if visit.game.mixing == BEACON:
        lock_needed(visit.session)
        _fix(visit, gate)
        return False
    counted = _counted(visit, gate)
    _account(visit, gate, counted)
    _resolve(visit, gate, counted)
    return True


def _fix(visit: Visit, gate: str) -> None:
    """Fix the answers of a gate; what is told of how they came is told when they are drawn."""
    before = {viewer: list(told) for viewer, told in visit.told.items()}
    counted = _counted(visit, gate)
    _account(visit, gate, counted)
    since = {viewer: told[len(before.get(viewer, ())) :] for viewer, told in visit.told.items()}
    visit.told = before
    noted = ((viewer, tuple(event for _, event in told)) for viewer, told in since.items() if told)
    rounds.fix(visit, gate, counted, tuple(noted))
    visit.services.point("play.fixed")


def _draw(visit: Visit, waits: RoundRow) -> bool:
    """Resolve the answers that were fixed, if their round is there."""
    fixed = rounds.ready(visit, waits)
    if fixed is None:
        return False
    gate = waits.gate
    rounds.done(visit, waits)
    for viewer, events in fixed.told:
        for event in events:
            visit.note(viewer, event)
    _resolve(visit, gate, fixed.counted, fixed.drawn)
    return True


def _account(visit: Visit, gate: str, counted: tuple[Counted, ...]) -> None:
    """What the answers of a gate have cost, and who was on time."""
    gate_timing.charge(visit, [row for row in visit.rows().values() if closing(row.gate) == gate])
    missed_deadlines.tally(visit, gate, counted)


def _resolve(visit: Visit, gate: str, counted: tuple[Counted, ...], drawn: Drawn | None = None) -> None:
    """Resolve the answers of a gate together, and append the entry."""
    number = visit.game.entry + 1
    chance = luck_of(visit.game.id, number, counted, drawn)
    pictures.ordered(visit, counted)
    visit.services.point("play.opened")
    made = advance(
        visit.rules,
        visit.position,
        gate,
        answers_of(counted),
        chance,
        defaulted=missed_of(counted),
    )
    visit.services.point("play.advanced")
    enter(visit, gate, made, counted, chance, drawn=drawn)


def receipt_of(counted: Counted) -> str:
    """What the receipt of counted orders named them by: what was filed ahead was sealed anew since."""
    filed = load(counted.content)
    return filed.ahead.commitment if isinstance(filed, Filed) and filed.ahead is not None else counted.commitment


def enter(
    visit: Visit,
    gate: str,
    made: Advance[Any],
    counted: tuple[Counted, ...],
    chance: bytes,
    *,
    base: int | None = None,
    again: int | None = None,
    anew: tuple[str, ...] = (),
    drawn: Drawn | None = None,
) -> None:
    """Append an entry, and bring ballots, riders and open questions up to date with it.

    `base`, `again`, `anew`, `drawn`: as the record has them, of an entry that goes back, tells another one again, or is
    mixed with a round of the beacon.
    """
    number = visit.game.entry + 1
    beside = ballots.passed_over(visit.session, visit.services.verify, visit.game.id, gate, counted)
    record = Record(
        visit.game.id,
        number,
        gate,
        visit.now,
        counted,
        chance,
        made.events,
        made.draws,
        base,
        again,
        anew,
        beside,
        visit.game.mixing,
        drawn,
        visit.command,
    )
    for one in counted:
        if one.commitment:
            named = BallotCounted(one.question or gate, number, receipt_of(one))
            visit.counted.setdefault(one.seat, []).append(named)
    if drawn is not None and drawn.signature and again is None:
        for seat in made.position.core.seats:
            visit.counted.setdefault(seat, []).append(RoundDrawn(number, drawn.round, drawn.signature.hex()))
    plots.turned(visit, made.position)
    append(visit.session, visit.keys, visit.game, made, record, visit.rules.meta)
    visit.position = made.position
    for viewer in (*made.position.core.seats, PUBLIC):
        shown = redact(made.events, viewer)
        visit.told.setdefault(viewer, []).extend((number, event) for event in shown)
    answered: dict[str, list[str]] = {}
    for one in counted:
        answered.setdefault(one.question or gate, []).append(one.seat)
    for question, names in answered.items():
        ballots.destroy(visit.session, visit.game.id, question, names)
    known = visit.rows()
    for decision in made.position.core.open:
        if (decision.gate, decision.seat) not in known:
            visit.opened.setdefault((decision.gate, decision.seat), number)
    sync(visit)
    judge_again(visit)
    riders.end_turns(visit)


def sync(visit: Visit) -> None:
    """Bring the table of open questions in line with the position, and seal anew what was filed ahead for new ones."""
    rows = visit.rows()
    asked = {(d.gate, d.seat): d for d in visit.position.core.open}
    gone = {(gate, name): row for (gate, name), row in rows.items() if (gate, Seat(name)) not in asked}
    for closed in {gate for gate, _ in gone}:
        ballots.destroy(visit.session, visit.game.id, closed, [name for gate, name in gone if gate == closed])
    opened = [decision for place, decision in asked.items() if place not in rows]
    put_questions(visit.session, visit.game.id, list(gone.values()), [_row(visit, decision) for decision in opened])
    for decision in opened:
        _take_up(visit, decision)


def _row(visit: Visit, decision: Decision) -> DecisionRow:
    place = decision.gate, decision.seat
    known = visit.known.get(place)
    row = DecisionRow(
        game_id=visit.game.id,
        gate=decision.gate,
        seat=decision.seat,
        asks=decision.asks,
        blocking=decision.blocking,
        reaction=decision.pace is Pace.REACTION,
        choice=decision.pace is Pace.CHOICE,
        opening_entry=visit.opened.get(place, known.entry if known is not None else visit.game.entry),
        opened_at=visit.now,
        state=AnswerState.NONE,
        stance="",
    )
    gate_timing.set_times(visit, row, decision)
    return row


def judge_again(visit: Visit) -> None:
    """Single answers that lie at gates still open, judged on the board as it is now: who must answer anew is told.

    Sets of lines are not: each line is judged when its turn comes.
    """
    for decision in visit.position.core.open:
        row = visit.rows()[decision.gate, decision.seat]
        waits = row.answered_at is not None and row.opening_entry < visit.game.entry
        if not waits or visit.rules.meta.topic(decision.asks).lines:
            continue
        filed = visit.answer(row)
        rulings = check(visit.rules, visit.position, decision, filed.orders) if filed is not None else ()
        if filed is None or not stands(rulings):
            ballots.void(visit.session, visit.services.playing.signing, visit.services.verify, row)
            move(row, Act.VOID, visit.now)
            told = AheadRefused(seat=decision.seat, gate=decision.gate, asks=decision.asks, rulings=rulings)
            visit.note(decision.seat, told)


def _take_up(visit: Visit, decision: Decision) -> None:
    """Orders filed ahead for a question that has just opened: sealed anew if they serve, told to be refused if not."""
    filed = ballots.filed_ahead(visit.session, visit.keys, visit.services.verify, visit.game.id, decision)
    if filed is None:
        return
    rulings = check(visit.rules, visit.position, decision, filed.orders)
    if _serves(visit, decision, rulings):
        row = visit.rows()[decision.gate, decision.seat]
        ballots.seal_as_play(visit.services, visit.keys, visit.session, row, filed)
        visit.note(decision.seat, AheadTaken(seat=decision.seat, gate=decision.gate, asks=decision.asks))
    else:
        refused = AheadRefused(seat=decision.seat, gate=decision.gate, asks=decision.asks, rulings=rulings)
        visit.note(decision.seat, refused)


def _serves(visit: Visit, decision: Decision, rulings: Sequence[Judgement]) -> bool:
    """True if what was filed ahead is taken for an answer: it stands, or what others did has undone some lines only.

    Where the table goes on with the next line when one fails, those lapse in their turn.  A line that could never have
    been carried out was a mistake, and its author is asked.
    """
    if stands(rulings):
        return True
    goes_on = visit.position.core.options.get("failures") == "next" and visit.rules.meta.topic(decision.asks).lines
    mistaken = any(r.problem is not None and r.problem.lasting for r in rulings)
    return goes_on and not mistaken and any(r.stands for r in rulings)


def _complete(visit: Visit, gate: str) -> bool:
    """Return True if a gate can be closed now: every blocking question has an answer, a rider, or is overdue."""
    decisions = visit.position.core.gate(gate)
    rows = visit.rows()
    blocking = [d for d in decisions if d.blocking]
    if visit.watch.paused:
        return False
    if not blocking:
        return any(rows[d.gate, d.seat].answered_at is not None for d in decisions)
    answered = all(_has_answer(visit, d, rows[d.gate, d.seat]) for d in blocking)
    return answered and not gate_timing.held(visit, [rows[d.gate, d.seat] for d in blocking])


def _has_answer(visit: Visit, decision: Decision, row: DecisionRow) -> bool:
    if row.answered_at is not None or gate_timing.overdue(visit, row):
        return True
    if decision.pace is Pace.REACTION and visit.position.core.options.get("unanswered") == "default":
        return True
    return visit.rules.meta.topic(decision.asks).rider and riders.fits(visit, decision)


def _counted(visit: Visit, gate: str) -> tuple[Counted, ...]:
    """The answers to count, in seat order: ballot, else rider, else the stated default."""
    rows = visit.rows()
    found: list[Counted] = []
    for decision in sorted(visit.position.core.gate(gate), key=lambda d: visit.position.core.seats.index(d.seat)):
        row = rows[decision.gate, decision.seat]
        answered = row.answered_at is not None
        lies = ballots.answering(visit.session, visit.services.verify, row, visit.since(row))
        if decision.blocking or answered or lies is not None:
            question = decision.gate if decision.gate != gate else ""
            found.append(replace(_answer(visit, decision, row), question=question))
    return tuple(found)


def _answer(visit: Visit, decision: Decision, row: DecisionRow) -> Counted:
    filed = visit.answer(row)
    _doubt(visit, row, filed)
    if filed is not None and _still_stands(visit, decision, filed.orders):
        return filed
    if visit.rules.meta.topic(decision.asks).rider:
        rider = riders.find(visit, decision)
        if rider is not None:
            return _by_rider(visit, decision, row, rider)
    return _default(visit, decision, row)


def _doubt(visit: Visit, row: DecisionRow, filed: Counted | None) -> None:
    """Let the operator know of orders that do not fit what the table of questions says: somebody wrote there."""
    said = "at a question called unanswered" if filed is not None and row.answered_at is None else ""
    lie = ballots.counting(visit.session, visit.services.verify, row.game_id, row.seat, "orders")
    if filed is None and any(ballot.gate == row.gate for ballot in lie):
        said = "at a question of another entry"
    if said:
        visit.game.doubt = f"orders of {row.seat} lay {said}, after entry {visit.game.entry}"[:120]


def _default(visit: Visit, decision: Decision, row: DecisionRow) -> Counted:
    """The game's stated default, from the seat's own view; only who let a deadline pass is named as missing."""
    missed = row.answered_at is None and gate_timing.overdue(visit, row)
    with seen_by(decision.seat):
        orders = visit.rules.default(redact(visit.position, decision.seat), decision)
    return (
        missed_deadlines.stand_in(visit, decision, row, orders) if missed else Counted(decision.seat, orders, "unasked")
    )


def _by_rider(visit: Visit, decision: Decision, row: DecisionRow, rider: Counted) -> Counted:
    """A rider answers if it stands; its use, or why not, is told to its owner."""
    problem = _first_problem(visit, decision, rider.orders)
    if problem is None:
        visit.note(decision.seat, RiderUsed(seat=decision.seat, asks=decision.asks, orders=rider.orders))
        return rider
    visit.note(decision.seat, RiderPassed(seat=decision.seat, asks=decision.asks, reason=problem))
    return _default(visit, decision, row)


def _first_problem(visit: Visit, decision: Decision, orders: Orders) -> Problem | None:
    return next((r.problem for r in check(visit.rules, visit.position, decision, orders) if r.problem), None)


def _still_stands(visit: Visit, decision: Decision, orders: Orders) -> bool:
    """A set of lines is judged line by line as it is carried out; a single answer must still fit when it is opened."""
    return visit.rules.meta.topic(decision.asks).lines or stands(check(visit.rules, visit.position, decision, orders))


def publish(visit: Visit) -> None:
    """What each viewer may have of where the game stands now, and of what happened; then the letters."""
    show(visit)
    report_to_all(visit)
    report_to_spectators(visit)
    finish(visit)


def show(visit: Visit) -> None:
    """Store what each viewer may have of where the game stands now, and of what happened in this visit."""
    own, game, number = visit.services.playing, visit.game.id, visit.game.entry
    told = {viewer: tuple(visit.told.get(viewer, ())) for viewer in (*visit.position.core.seats, PUBLIC)}
    rows = stored_views.of_entry(own, visit.rules.meta, game, number, visit.position, told, visit.counted)
    visit.session.add_all(rows)
    plots.gather(visit)
    visit.services.point("play.published")


def finish(visit: Visit) -> None:
    """Close the books of a game that is over."""
    if visit.position.core.over:
        lock_needed(visit.session)
        visit.game.state, visit.game.ended_at = GameState.OVER, visit.now
        missed_deadlines.finish(visit)
        ballots.destroy_all(visit.session, visit.game.id)
        visit.session.execute(delete(DecisionRow).where(DecisionRow.game_id == visit.game.id))
