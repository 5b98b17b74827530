"""Play: close what is complete, carry out what was sealed, tell everybody what he may know.

The only caller of `advance`.  All within one transaction of a visit to a game: position, journal, views, open
questions and letters change together or not at all, so a worker may be killed anywhere and its task delivered again.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from engine.kernel.codec import dump
from engine.kernel.events import AheadRefused, AheadTaken, RiderPassed, RiderUsed
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Decision, Orders, Pace, Problem, Ruling
from engine.kernel.run import Advance, advance
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check, stands
from pbem.service.base.answer_state import Act, State, move
from pbem.service.base.services import Office
from pbem.service.game import ballots, riders
from pbem.service.game.journal import Counted, Record, append, game_keys, position_of
from pbem.service.game.standstill import watch
from pbem.service.game.visit import Visit
from pbem.service.play import plots
from pbem.service.play.reports import report_to_all
from pbem.service.play.spectator_letters import report_to_onlookers
from pbem.service.post import pictures
from pbem.service.time import gate_timing, missed_deadlines
from pbem.store.models import DecisionRow, Game, ViewRow
from pbem.vault import ViewContext, luck, seal_view

LONGEST_RUN = 500
"""Entries in one visit; beyond it something goes round in circles, and the game is put before its operator."""


class RunsInCircles(Exception):
    """A game made more entries in one visit than any rulebook could ask for."""


def visit(office: Office, session: Session, game: Game, now: int) -> Visit:
    """Begin a visit to a running game that the caller has locked."""
    keys = game_keys(office, game)
    position = position_of(session, keys, game)
    return Visit(office, session, game, keys, office.rules(game.title), position, now, watch=watch(session, game, now))


def go_on(at: Visit) -> None:
    """Close gates as long as one is complete; then write down what everybody may know."""
    before = at.game.entry
    at.asked = frozenset(d.asks for d in at.position.core.open if d.blocking)
    at.game.look_at = None
    sync(at)
    missed_deadlines.look(at)
    for _ in range(LONGEST_RUN):
        gate = next((g for g in at.position.core.gates() if _complete(at, g)), None)
        if gate is None or at.position.core.over:
            break
        close(at, gate)
        at.office.point("play.entry")
    else:
        raise RunsInCircles(at.game.id)
    if at.game.entry != before:
        publish(at)


def close(at: Visit, gate: str) -> None:
    """Open the sealed answers of a gate, resolve them together, append the entry."""
    counted = _counted(at, gate)
    number = at.game.entry + 1
    marks = [(c.seat, c.commitment or None) for c in counted]
    chance = luck(at.game.id, number, marks)
    pictures.ordered(at, counted)
    at.office.point("play.opened")
    made = advance(
        at.rules,
        at.position,
        gate,
        {Seat(c.seat): c.orders for c in counted},
        chance,
        defaulted=[Seat(c.seat) for c in counted if c.how == "default"],
    )
    at.office.point("play.advanced")
    gate_timing.charge(at, [row for row in at.rows().values() if row.gate == gate])
    missed_deadlines.tally(at, gate, counted)
    enter(at, gate, made, counted, chance)


def enter(
    at: Visit, gate: str, made: Advance[Any], counted: tuple[Counted, ...], chance: bytes, *,
    base: int | None = None, again: int | None = None, anew: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """Append an entry, and bring ballots, riders and open questions up to date with it.

    `base`, `again`, `anew`: as the record has them, of an entry that goes back, or tells another one again.
    """
    number = at.game.entry + 1
    record = Record(at.game.id, number, gate, at.now, counted, chance, made.events, made.draws, base, again, anew)
    plots.turned(at, made.position)
    append(at.session, at.keys, at.game, made, record)
    at.position = made.position
    for viewer in (*made.position.core.seats, PUBLIC):
        shown = redact(made.events, viewer)
        at.told.setdefault(viewer, []).extend((number, event) for event in shown)
    ballots.destroy(at.session, at.game.id, gate, [c.seat for c in counted])
    known = at.rows()
    for decision in made.position.core.open:
        if (decision.gate, decision.seat) not in known:
            at.opened.setdefault((decision.gate, decision.seat), number)
    sync(at)
    judge_again(at)
    riders.end_turns(at)


def sync(at: Visit) -> None:
    """Bring the table of open questions in line with the position, and seal anew what was filed ahead for new ones."""
    rows = at.rows()
    asked = {(d.gate, d.seat): d for d in at.position.core.open}
    gone: dict[str, list[str]] = {}
    for (gate, name), row in rows.items():
        if (gate, Seat(name)) not in asked:
            gone.setdefault(gate, []).append(name)
            at.session.delete(row)
    for gate, names in gone.items():
        ballots.destroy(at.session, at.game.id, gate, names)
    opened = [decision for place, decision in asked.items() if place not in rows]
    at.session.add_all([_row(at, decision) for decision in opened])
    at.session.flush()
    for decision in opened:
        _take_up(at, decision)


def _row(at: Visit, decision: Decision) -> DecisionRow:
    row = DecisionRow(
        game_id=at.game.id,
        gate=decision.gate,
        seat=decision.seat,
        asks=decision.asks,
        blocking=decision.blocking,
        reaction=decision.pace is Pace.REACTION,
        opening_entry=at.opened.get((decision.gate, decision.seat), at.game.entry),
        opened_at=at.now,
        state=State.NONE.value,
        stance="",
    )
    gate_timing.set_times(at, row, decision)
    return row


def judge_again(at: Visit) -> None:
    """Single answers that lie at gates still open, judged on the board as it is now: who must answer anew is told.

    Sets of lines are not: each line is judged when its turn comes.
    """
    for decision in at.position.core.open:
        row = at.rows()[decision.gate, decision.seat]
        waits = row.answered_at is not None and row.opening_entry < at.game.entry
        if not waits or at.rules.meta.topic(decision.asks).lines:
            continue
        filed = ballots.standing(at.session, at.keys, at.office.verify, row)
        rulings = check(at.rules, at.position, decision, filed.orders) if filed is not None else ()
        if filed is None or not stands(rulings):
            ballots.destroy(at.session, at.game.id, row.gate, [row.seat])
            move(row, Act.VOID, at.now)
            told = AheadRefused(seat=decision.seat, gate=decision.gate, asks=decision.asks, rulings=rulings)
            at.tell(decision.seat, told)


def _take_up(at: Visit, decision: Decision) -> None:
    """Orders filed ahead for a question that has just opened: sealed anew if they serve, told to be refused if not."""
    filed = ballots.filed_ahead(at.session, at.keys, at.office.verify, at.game.id, decision)
    if filed is None:
        return
    rulings = check(at.rules, at.position, decision, filed.orders)
    if _serves(at, decision, rulings):
        row = at.rows()[decision.gate, decision.seat]
        ballots.seal_as_play(at.office, at.keys, at.session, row, filed)
        at.tell(decision.seat, AheadTaken(seat=decision.seat, gate=decision.gate, asks=decision.asks))
    else:
        refused = AheadRefused(seat=decision.seat, gate=decision.gate, asks=decision.asks, rulings=rulings)
        at.tell(decision.seat, refused)


def _serves(at: Visit, decision: Decision, rulings: Sequence[Ruling]) -> bool:
    """Whether what was filed ahead is taken for an answer: it stands, or what others did has undone some lines only.

    Where the table goes on with the next line when one fails, those lapse in their turn.  A line that could never have
    been carried out was a mistake, and its author is asked.
    """
    if stands(rulings):
        return True
    goes_on = at.position.core.options.get("failures") == "next" and at.rules.meta.topic(decision.asks).lines
    mistaken = any(r.problem is not None and r.problem.lasting for r in rulings)
    return goes_on and not mistaken and any(r.stands for r in rulings)


def _complete(at: Visit, gate: str) -> bool:
    """Whether a gate can be closed now: every blocking question has an answer, a rider, or is overdue."""
    decisions = at.position.core.gate(gate)
    rows = at.rows()
    blocking = [d for d in decisions if d.blocking]
    if at.watch.paused:
        return False
    if not blocking:
        return any(rows[d.gate, d.seat].answered_at is not None for d in decisions)
    answered = all(_has_answer(at, d, rows[d.gate, d.seat]) for d in blocking)
    return answered and not gate_timing.held(at, [rows[d.gate, d.seat] for d in blocking])


def _has_answer(at: Visit, decision: Decision, row: DecisionRow) -> bool:
    if row.answered_at is not None or gate_timing.overdue(at, row):
        return True
    if decision.pace is not Pace.REACTION:
        return False
    return at.position.core.options.get("unanswered") == "default" or riders.fits(at, decision)


def _counted(at: Visit, gate: str) -> tuple[Counted, ...]:
    """The answers to count, in seat order: ballot, else rider, else the stated default."""
    rows = at.rows()
    found = []
    for decision in sorted(at.position.core.gate(gate), key=lambda d: at.position.core.seats.index(d.seat)):
        row = rows[decision.gate, decision.seat]
        if decision.blocking or row.answered_at is not None:
            found.append(_answer(at, decision, row))
    return tuple(found)


def _answer(at: Visit, decision: Decision, row: DecisionRow) -> Counted:
    filed = ballots.standing(at.session, at.keys, at.office.verify, row) if row.answered_at is not None else None
    if filed is not None and _still_stands(at, decision, filed.orders):
        return filed
    if decision.pace is Pace.REACTION:
        rider = riders.find(at, decision)
        if rider is not None:
            return _by_rider(at, decision, row, rider)
    return _default(at, decision, row)


def _default(at: Visit, decision: Decision, row: DecisionRow) -> Counted:
    """The game's stated default, from the seat's own view; only who let a deadline pass is named as missing."""
    missed = row.answered_at is None and gate_timing.overdue(at, row)
    with seen_by(decision.seat):
        orders = at.rules.default(redact(at.position, decision.seat), decision)
    return missed_deadlines.stand_in(at, decision, row, orders) if missed else Counted(decision.seat, orders, "unasked")


def _by_rider(at: Visit, decision: Decision, row: DecisionRow, rider: Counted) -> Counted:
    """A rider answers if it stands; its use, or why not, is told to its owner."""
    problem = _first_problem(at, decision, rider.orders)
    if problem is None:
        at.tell(decision.seat, RiderUsed(seat=decision.seat, asks=decision.asks, orders=rider.orders))
        return rider
    at.tell(decision.seat, RiderPassed(seat=decision.seat, asks=decision.asks, reason=problem))
    return _default(at, decision, row)


def _first_problem(at: Visit, decision: Decision, orders: Orders) -> Problem | None:
    return next((r.problem for r in check(at.rules, at.position, decision, orders) if r.problem), None)


def _still_stands(at: Visit, decision: Decision, orders: Orders) -> bool:
    """A set of lines is judged line by line as it is carried out; a single answer must still fit when it is opened."""
    return at.rules.meta.topic(decision.asks).lines or stands(check(at.rules, at.position, decision, orders))


def publish(at: Visit) -> None:
    """What each viewer may have of where the game stands now, and of what happened; then the letters."""
    show(at)
    report_to_all(at)
    report_to_onlookers(at)
    finish(at)


def show(at: Visit) -> None:
    """Store what each viewer may have of where the game stands now, and of what happened in this visit."""
    number = at.game.entry
    for viewer in (*at.position.core.seats, PUBLIC):
        shown = dump(redact(at.position, viewer)).encode()
        happened = dump(tuple(at.told.get(viewer, ()))).encode()
        at.session.add(_view(at, number, viewer, "view", shown, compress=True))
        at.session.add(_view(at, number, viewer, "events", happened, compress=False))
    plots.gather(at)
    at.office.point("play.published")


def finish(at: Visit) -> None:
    """Close the books of a game that is over."""
    if at.position.core.over:
        at.game.state, at.game.ended_at = "over", at.now
        missed_deadlines.finish(at)
        ballots.destroy_all(at.session, at.game.id)
        at.session.execute(delete(DecisionRow).where(DecisionRow.game_id == at.game.id))


def _view(at: Visit, number: int, viewer: str, kind: str, plain: bytes, *, compress: bool) -> ViewRow:
    keys = at.office.playing
    context = ViewContext(at.game.id, number, viewer, kind)
    sealed = seal_view(keys.view, keys.signing, context, plain, compress=compress)
    return ViewRow(game_id=at.game.id, viewer=viewer, kind=kind, entry=number, sealed=sealed)
