"""The loop: start, advance, correct, fold.  None of them changes its arguments."""

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
    """An answer came for a gate, or a seat, that is not asked."""


@dataclass(frozen=True)
class Advance(Generic[B]):
    """What an entry made of a position: the new one, the facts in order, the draws."""

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
    """Start a new game, up to its first question. Raises ValueError for options that it does not have.

    `options`: those not named take their defaults.  `draws` is Hmac(seed, luck) unless a test scripts it.
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
    """Return the position before anything happened, from which a whole journal is folded.

    `options`: as the table was set up with them; what came to be an option later is left out.
    """
    chosen = rules.meta.ruling(options)
    return Position(Core(tuple(seats), chosen, Secret(seed)), rules.blank(seats, chosen))


QuestionKey = tuple[str, Seat]
"""A question by its name and whom it is put to: `Question.gate` and `Question.seat`."""

AnswerKey = Seat | QuestionKey
"""How the answer to a question is named among those of its gate: by seat, where the gate asks it no other question."""

Answers = Mapping[Seat, Orders] | Mapping[AnswerKey, Orders]
"""What was answered at a gate."""


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

    Every blocking question at `gate` must be in `answers`; those in `defaulted` were not answered by their seats and
    are named as such.  Raises GateNotOpen otherwise.
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
    """The question that is meant: the one named, or the only one of a seat at this gate; raises GateNotOpen."""
    if isinstance(key, tuple):
        return key
    mine = [place for place in asked if place[1] == key]
    if len(mine) > 1:
        raise GateNotOpen(f"{gate} asks {key} {len(mine)} questions: each answer must name its own")
    return mine[0] if mine else (gate, key)


def _resolve(rules: Rules[B], table: Table[B], given: Mapping[QuestionKey, Orders]) -> None:
    """Resolve what a gate asked: of several questions the first with all that follows from it, then the next."""
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
    """Apply a game master's ruling, draw what it leaves to chance, and go on as far as it lets the game go."""
    with truth():
        table = _table(rules, position, luck, draws)
        table.emit(correction)
        _draw(rules, table)
        _loop(rules, table)
    return _advance(table)


def ruling_events(rules: Rules[B], ruling: Ruling, orders: Sequence[Order]) -> tuple[Event, ...]:
    """Return the events that the orders of a game master become, one after the other. Raises CorrectionRefused.

    What is left to chance comes last, in its order.  Read by the engine in truth, or, in a trial, what
    everybody may see; the result must break no invariant of the game that the reader can check.
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
    """Return the events that undo those of a ruling, the last first. Raises CorrectionRefused if play has moved on.

    `before`: the position that the ruling began with.
    """
    if not isinstance(rules, SupportsCorrections):
        raise CorrectionRefused("no_corrections")
    tried: Position[B] = deep_copy(position)
    found: list[Event] = []
    for fact in reversed(facts):
        for inverse in _inverse(rules.corrections, tried, fact, rules.meta.stored_option(before.core.options)):
            apply(rules, tried, inverse)
            found.append(inverse)
    if rules.list_violations(tried):
        raise CorrectionRefused("moved_on")
    return tuple(found)


def _check_invariants(rules: Rules[B], position: Position[B], *, trial: bool) -> None:
    """Raise CorrectionRefused for the first invariant that is broken, as far as the reader of a trial can look."""
    try:
        broken = rules.list_violations(position)
    except Hidden:
        if not trial:
            raise
        return
    if broken:
        raise CorrectionRefused(broken[0].code, **broken[0].terms)


def _inverse(corrections: Corrections, position: Position[B], fact: Event, options: Options) -> tuple[Event, ...]:
    """`options`: what was in force before the ruling."""
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
    """Return the position that events make of `position`."""
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
    """While something is to be done and nobody need be asked, do the next step."""
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
