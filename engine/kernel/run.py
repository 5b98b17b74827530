"""The loop: start, advance, correct, fold.  None of them changes its arguments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from engine.kernel.dice import Draw, Draws, Hmac
from engine.kernel.events import Closed, Corrected, Defaulted, Event, Taken
from engine.kernel.names import Seat
from engine.kernel.orders import Orders
from engine.kernel.position import B, Core, Options, Position
from engine.kernel.rules import Rules, apply
from engine.kernel.secrets import Secret, copied, truth
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
    """Set a game up to its first question.  `draws` is Hmac(seed, luck) unless a test scripts it."""
    chosen = rules.meta.chosen(options, len(seats))
    core = Core(tuple(seats), chosen, Secret(seed))
    position = Position(core, rules.blank(seats, chosen))
    with truth():
        table = Table(rules, position, draws or Hmac(seed, luck))
        rules.begin(table)
        _loop(rules, table)
    return _advance(table)


def blank(rules: Rules[B], seats: Sequence[Seat], options: Options, seed: bytes) -> Position[B]:
    """The position before `start` did anything: what a whole journal is folded from."""
    chosen = rules.meta.chosen(options, len(seats))
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
    """Apply a game master's ruling and go on as far as it lets the game go."""
    with truth():
        table = _table(rules, position, luck, draws)
        table.emit(correction)
        _loop(rules, table)
    return _advance(table)


def fold(rules: Rules[B], position: Position[B], events: Iterable[Event]) -> Position[B]:
    """The position that these facts make of `position`."""
    with truth():
        folded = copied(position)
        for event in events:
            apply(rules, folded, event)
    return folded


def _table(rules: Rules[B], position: Position[B], luck: bytes, draws: Draws | None) -> Table[B]:
    return Table(rules, copied(position), draws or Hmac(position.core.seed.value, luck))


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
