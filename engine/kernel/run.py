"""The loop: start, advance, correct, fold.  None of them changes its arguments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from engine.kernel.apply import apply
from engine.kernel.correction_events import CorrectionEvent, Uncorrectable
from engine.kernel.corrections import ByChance, Corrections, Ruling
from engine.kernel.dice import Draw, Draws, Hmac
from engine.kernel.events import (
    Closed,
    Corrected,
    Defaulted,
    Event,
    Queued,
    RulingAdopted,
    RulingUndone,
    StatePatched,
    Taken,
)
from engine.kernel.names import Seat
from engine.kernel.orders import Order, Orders
from engine.kernel.position import B, Core, Options, Position, Step
from engine.kernel.rules import Corrects, Rules
from engine.kernel.secrets import Hidden, Secret, copied, truth
from engine.kernel.table import Table


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
    """Set a new game up to its first question; raises ValueError for options that it does not have.

    `options`: those not named take their defaults.  `draws` is Hmac(seed, luck) unless a test scripts it.
    """
    return begin(rules, blank(rules, seats, rules.meta.chosen(options, len(seats)), seed), luck, draws)


def begin(rules: Rules[B], position: Position[B], luck: bytes = b"", draws: Draws | None = None) -> Advance[B]:
    """Set a blank position up to the game's first question."""
    with truth():
        table = _table(rules, position, luck, draws)
        rules.begin(table)
        _loop(rules, table)
    return _advance(table)


def blank(rules: Rules[B], seats: Sequence[Seat], options: Options, seed: bytes) -> Position[B]:
    """The position before anything happened: what a whole journal is folded from.

    `options`: as the table was set up with them; what came to be an option later is left out.
    """
    chosen = rules.meta.ruling(options)
    return Position(Core(tuple(seats), chosen, Secret(seed)), rules.blank(seats, chosen))


def advance(
    rules: Rules[B],
    position: Position[B],
    gate: str,
    answers: Mapping[Seat, Orders],
    luck: bytes = b"",
    draws: Draws | None = None,
    defaulted: Iterable[Seat] = (),
) -> Advance[B]:
    """Close a gate with its answers and go on to the next question.

    Every seat with a blocking question at `gate` must be in `answers`; seats in `defaulted` did not answer
    themselves and are named as such.  Raises GateNotOpen otherwise.
    """
    asked = {d.seat: d for d in position.core.gate(gate)}
    owed = {seat for seat, d in asked.items() if d.blocking}
    if not answers or not owed <= set(answers) <= set(asked):
        raise GateNotOpen(f"{gate} is asked of {sorted(asked)}, answers came from {sorted(answers)}")
    with truth():
        table = _table(rules, position, luck, draws)
        for seat in defaulted:
            table.emit(Defaulted(seat=seat, gate=gate, asks=asked[seat].asks))
        table.emit(Closed(gate=gate, seats=tuple(s for s in asked if s in answers)))
        rules.resolve(table, gate, {s: answers[s] for s in asked if s in answers})
        _loop(rules, table)
    return _advance(table)


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


def ruled(rules: Rules[B], ruling: Ruling, orders: Sequence[Order]) -> tuple[Event, ...]:
    """The facts that a master's orders make of a position, one after the other; raises Uncorrectable.

    What is left to chance comes last, in its order.  Read by the engine in truth, or, in a trial, what
    everybody may see; the result must break no invariant of the game that the reader can check.
    """
    if not isinstance(rules, Corrects):
        raise Uncorrectable("no_corrections")
    tried: Position[B] = copied(ruling.position)
    facts: list[Event] = []
    chance: list[Step] = []
    for order in orders:
        for fact in rules.corrections.facts(replace(ruling, position=tried), order):
            if isinstance(fact, Queued):
                chance.extend(fact.steps)
            else:
                apply(rules, tried, fact)
                facts.append(fact)
    _unbroken(rules, tried, trial=ruling.trial)
    return (*facts, Queued(steps=tuple(chance))) if chance else tuple(facts)


def undone(rules: Rules[B], position: Position[B], facts: Sequence[Event], before: Position[B]) -> tuple[Event, ...]:
    """The facts that take those of a ruling back, the last one first; raises Uncorrectable where play has moved on.

    `before`: the position that the ruling began with.
    """
    if not isinstance(rules, Corrects):
        raise Uncorrectable("no_corrections")
    tried: Position[B] = copied(position)
    found: list[Event] = []
    for fact in reversed(facts):
        for inverse in _inverse(rules.corrections, tried, fact, rules.meta.kept(before.core.options)):
            apply(rules, tried, inverse)
            found.append(inverse)
    if rules.problems(tried):
        raise Uncorrectable("moved_on")
    return tuple(found)


def _unbroken(rules: Rules[B], position: Position[B], *, trial: bool) -> None:
    """Raise Uncorrectable for the first invariant that is broken, as far as the reader of a trial can look."""
    try:
        broken = rules.problems(position)
    except Hidden:
        if not trial:
            raise
        return
    if broken:
        raise Uncorrectable(broken[0].code, **broken[0].terms)


def _inverse(corrections: Corrections, position: Position[B], fact: Event, options: Options) -> tuple[Event, ...]:
    """`options`: what was in force before the ruling."""
    match fact:
        case CorrectionEvent():
            return corrections.inverse(position.board, fact)
        case StatePatched(path=path, old=old, new=new):
            return (StatePatched(path=path, old=new, new=old),)
        case RulingAdopted(option=option):
            return (RulingAdopted(option=option, value=options[option]),)
        case Queued() | Taken() | RulingUndone():
            return ()
    raise Uncorrectable("moved_on")


def fold(rules: Rules[B], position: Position[B], events: Iterable[Event]) -> Position[B]:
    """The position that these facts make of `position`."""
    with truth():
        folded = copied(position)
        for event in events:
            apply(rules, folded, event)
    return folded


def _table(rules: Rules[B], position: Position[B], luck: bytes, draws: Draws | None) -> Table[B]:
    return Table(rules, copied(position), draws or Hmac(position.core.seed.value, luck))


def _draw(rules: Rules[B], table: Table[B]) -> None:
    """Do the steps of a ruling that are left to chance, even while questions are open."""
    while table.core.agenda and isinstance(table.core.agenda[0], ByChance):
        step = table.core.agenda[0]
        table.emit(Taken())
        if isinstance(rules, Corrects):
            rules.corrections.take(table, step)


def _loop(rules: Rules[B], table: Table[B]) -> None:
    """While something is to be done and nobody need be asked, do the next step."""
    core = table.core
    while core.agenda and not core.waiting() and not core.over:
        step = core.agenda[0]
        table.emit(Taken())
        rules.take(table, step)
        core = table.core


def _advance(table: Table[B]) -> Advance[B]:
    return Advance(table.position, tuple(table.events), tuple(table.drawn))
