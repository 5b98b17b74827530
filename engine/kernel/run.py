"""The loop of a game: start, advance, correct, fold. No function changes its arguments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from engine.kernel.apply import apply
from engine.kernel.correction_events import CorrectionEvent, CorrectionRefused
from engine.kernel.corrections import ByChance, Corrections, Ruling
from engine.kernel.dice import Draw, Draws, HmacDraws
from engine.kernel.events import (
    Corrected,
    Defaulted,
    Event,
    GateResolved,
    ReadingAdopted,
    RulingUndone,
    StatePatched,
    StepsQueued,
    StepStarted,
)
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Question
from engine.kernel.position import B, Core, Options, Position, ResolveQuestion, Step
from engine.kernel.rules import Rules, SupportsCorrections
from engine.kernel.secrets import Hidden, Sealed, Secret, deep_copy, truth
from engine.kernel.table import Table
from engine.kernel.viewers import Seat


class GateNotOpen(Exception):
    """The answers do not match the open questions of the gate."""


@dataclass(frozen=True)
class Advance(Generic[B]):
    """The result of an entry: the new position, the events in order, the draws."""

    position: Position[B]
    events: tuple[Event, ...]
    draws: tuple[Draw, ...]


def start(
    rules: Rules[B],
    seats: Sequence[Seat],
    options: Options,
    seed: bytes,
    luck: bytes = b"",
    draws: Draws | None = None,
) -> Advance[B]:
    """Start a new game and advance to its first question.

    `options`: options not given take their defaults. `draws`: by default HmacDraws(seed, luck).

    Raises ValueError for an unknown option or value, or a value not for this number of players.
    """
    return set_up(rules, empty_state(rules, seats, rules.meta.chosen(options, len(seats)), seed), luck, draws)


def set_up(rules: Rules[B], position: Position[B], luck: bytes = b"", draws: Draws | None = None) -> Advance[B]:
    """Advance an empty position to the first question of the game."""
    with truth():
        table = _table(rules, position, luck, draws)
        rules.begin(table)
        _loop(rules, table)
    return _advance(table)


def empty_state(rules: Rules[B], seats: Sequence[Seat], options: Options, seed: bytes) -> Position[B]:
    """Return the position before anything happened, onto which a journal is folded.

    `options`: as stored when the table was set up; an option added later is left out.
    """
    chosen = rules.meta.position_options(options)
    return Position(Core(tuple(seats), chosen, Secret(seed)), rules.blank(seats, chosen))


QuestionKey = tuple[str, Seat]
"""The gate and the seat of a question: `Question.gate` and `Question.seat`."""

AnswerKey = Seat | QuestionKey
"""The key of an answer at a gate: the seat, or the whole question if the gate asks that seat several."""

Answers = Mapping[Seat, Orders] | Mapping[AnswerKey, Orders]
"""The answers at a gate."""


def answer_key(decision: Question) -> AnswerKey:
    """Return the key of the answer to a question."""
    return (decision.gate, decision.seat) if Gate.parse(decision.gate).part else decision.seat


def advance(
    rules: Rules[B],
    position: Position[B],
    gate: str,
    answers: Answers,
    luck: bytes = b"",
    draws: Draws | None = None,
    defaulted: Iterable[AnswerKey] = (),
) -> Advance[B]:
    """Resolve a gate with its answers and advance to the next question.

    `answers`: must include every blocking question of the gate.
    `defaulted`: keys of answers that are defaults, because the seats did not answer in time.

    Raises GateNotOpen if the answers do not match the open questions.
    """
    asked = {(d.gate, d.seat): d for d in position.core.gate(gate)}
    given = {_question_key(gate, asked, key): orders for key, orders in answers.items()}
    owed = {place for place, d in asked.items() if d.blocking}
    if not given or not owed <= set(given) <= set(asked):
        raise GateNotOpen(f"{gate} is asked of {sorted(asked)}, answers came from {sorted(given)}")
    with truth():
        table = _table(rules, position, luck, draws)
        for name, seat in (_question_key(gate, asked, key) for key in defaulted):
            table.emit(Defaulted(seat=seat, gate=name, topic=asked[name, seat].topic))
        _resolve(rules, table, {place: given[place] for place in asked if place in given})
        _loop(rules, table)
    return _advance(table)


def _question_key(gate: str, asked: Iterable[QuestionKey], key: AnswerKey) -> QuestionKey:
    """Return the question that a key means.

    Raises GateNotOpen if the seat has several and the key names none.
    """
    if isinstance(key, tuple):
        return key
    mine = [place for place in asked if place[1] == key]
    if len(mine) > 1:
        raise GateNotOpen(f"{gate} asks {key} {len(mine)} questions: each answer must name its own")
    return mine[0] if mine else (gate, key)


def _resolve(rules: Rules[B], table: Table[B], given: Mapping[QuestionKey, Orders]) -> None:
    """Resolve a gate; if it asked several questions, one after the other, each with all that follows from it."""
    by_name: dict[str, dict[Seat, Orders]] = {}
    for (name, seat), orders in given.items():
        by_name.setdefault(name, {})[seat] = orders
    for name, answers in by_name.items():
        table.emit(GateResolved(gate=name, seats=tuple(answers)))
    if len(by_name) == 1:
        rules.resolve(table, *by_name.popitem())
    else:
        table.then(*(ResolveQuestion(name, Sealed(answers)) for name, answers in by_name.items()))


def correct(
    rules: Rules[B], position: Position[B], correction: Corrected, luck: bytes = b"", draws: Draws | None = None
) -> Advance[B]:
    """Apply a game master's ruling, make its draws, and advance as far as possible."""
    with truth():
        table = _table(rules, position, luck, draws)
        table.emit(correction)
        _draw(rules, table)
        _loop(rules, table)
    return _advance(table)


def ruling_events(rules: Rules[B], ruling: Ruling, orders: Sequence[Order]) -> tuple[Event, ...]:
    """Return the events that a game master's orders become, in order, with steps left to chance last.

    Call it under `truth`, or for a trial as the public.

    Raises CorrectionRefused if the game has no corrections, an order is refused, or an invariant that the reader can
    check would be broken.
    """
    if not isinstance(rules, SupportsCorrections):
        raise CorrectionRefused("no_corrections")
    tried: Position[B] = deep_copy(ruling.position)
    facts: list[Event] = []
    chance: list[Step] = []
    for order in orders:
        for fact in rules.corrections.facts(replace(ruling, position=tried), order):
            if isinstance(fact, StepsQueued):
                chance.extend(fact.steps)
            else:
                apply(rules, tried, fact)
                facts.append(fact)
    _check_invariants(rules, tried, trial=ruling.trial)
    return (*facts, StepsQueued(steps=tuple(chance))) if chance else tuple(facts)


def inverse_events(
    rules: Rules[B], position: Position[B], facts: Sequence[Event], before: Position[B]
) -> tuple[Event, ...]:
    """Return the events that undo those of a ruling, the last first.

    `before`: the position before the ruling.

    Raises CorrectionRefused if the game has moved on.
    """
    if not isinstance(rules, SupportsCorrections):
        raise CorrectionRefused("no_corrections")
    tried: Position[B] = deep_copy(position)
    found: list[Event] = []
    for fact in reversed(facts):
        for inverse in _inverse(rules.corrections, tried, fact, rules.meta.stored_options(before.core.options)):
            apply(rules, tried, inverse)
            found.append(inverse)
    if rules.list_violations(tried):
        raise CorrectionRefused("moved_on")
    return tuple(found)


def _check_invariants(rules: Rules[B], position: Position[B], *, trial: bool) -> None:
    """Raise CorrectionRefused for the first broken invariant; in a trial, if the reader can check it."""
    try:
        broken = rules.list_violations(position)
    except Hidden:
        if not trial:
            raise
        return
    if broken:
        raise CorrectionRefused(broken[0].code, **broken[0].terms)


def _inverse(corrections: Corrections, position: Position[B], fact: Event, options: Options) -> tuple[Event, ...]:
    """Return the events that undo one event. `options`: those in force before the ruling."""
    match fact:
        case CorrectionEvent():
            return corrections.inverse(position.board, fact)
        case StatePatched(path=path, old=old, new=new):
            return (StatePatched(path=path, old=new, new=old),)
        case ReadingAdopted(option=option):
            return (ReadingAdopted(option=option, value=options[option]),)
        case StepsQueued() | StepStarted() | RulingUndone():
            return ()
    raise CorrectionRefused("moved_on")


def fold(rules: Rules[B], position: Position[B], events: Iterable[Event]) -> Position[B]:
    """Return the position after applying events to `position`."""
    with truth():
        folded = deep_copy(position)
        for event in events:
            apply(rules, folded, event)
    return folded


def _table(rules: Rules[B], position: Position[B], luck: bytes, draws: Draws | None) -> Table[B]:
    return Table(rules, deep_copy(position), draws or HmacDraws(position.core.seed.value, luck))


def _draw(rules: Rules[B], table: Table[B]) -> None:
    """Do the steps of a ruling that are left to chance, even while questions are open."""
    while table.core.agenda and isinstance(table.core.agenda[0], ByChance):
        step = table.core.agenda[0]
        table.emit(StepStarted())
        if isinstance(rules, SupportsCorrections):
            rules.corrections.take(table, step)


def _loop(rules: Rules[B], table: Table[B]) -> None:
    """Do the steps of the agenda until a question blocks or the game is over."""
    core = table.core
    while core.agenda and not core.is_waiting() and not core.over:
        step = core.agenda[0]
        table.emit(StepStarted())
        if isinstance(step, ResolveQuestion):
            rules.resolve(table, step.gate, step.answers.value)
        else:
            rules.take(table, step)
        core = table.core


def _advance(table: Table[B]) -> Advance[B]:
    return Advance(table.position, tuple(table.events), tuple(table.drawn))
