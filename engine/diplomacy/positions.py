"""Positions as they are written down, for `pbem try`: read, resolved, and written again.

Units are pairs of power and unit, or lists of units by power, where `*` marks a dislodged one. `before` tells of the
movement phase before a retreat: power, order, and `success` or `failure`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

from engine.diplomacy import events as e
from engine.diplomacy.apply import apply
from engine.diplomacy.board import Board, Dislodged, Part, Phase, Unit, start_board
from engine.diplomacy.catalogue import ARMY, FLEET, POWERS, PROVINCES, WORDS, places_of, province_of, reach
from engine.diplomacy.notation import read_order
from engine.diplomacy.orders import BY_SEA, Move, write_order
from engine.diplomacy.phases import resolve_phase
from engine.diplomacy.validation import ordered_province, validate_orders
from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.orders import Order, Problem
from engine.kernel.sandbox import Attempt, Lines, PositionError, Written

OVER: Final = "COMPLETED"
_PHASE: Final = re.compile(
    r"(?P<season>spring|s|fall|autumn|f|winter|w)\s*(?P<year>\d{4})\s*,?\s*"
    r"(?P<part>movement|m|retreats?|r|adjustments?|a)",
    re.IGNORECASE,
)
MOST_LINES: Final = 100
"""How many lines of one power are read."""


class Positions:
    """The protocol `WritesPositions`."""

    def start_position(self) -> Board:
        """Return the board of spring 1901."""
        return start_board()

    def read_position(self, written: Written) -> Board:
        """Return the board that was written. Raises PositionError."""
        board = Board({}, {}, _read_phase(str(written.get("phase", "S1901M"))))
        if written.get("phase") == OVER:
            board.winner = OVER
        lost = [Dislodged(_read_unit(*row)) for row in _rows(written.get("dislodged", ()))]
        for power, name in _rows(written.get("units", ())):
            unit = _read_unit(power, name.removeprefix("*"))
            if name.startswith("*"):
                lost.append(Dislodged(unit))
            elif board.units.setdefault(unit.province, unit) != unit:
                raise PositionError(f"two units stand in {unit.province}")
        for dislodged in lost:
            board.dislodged[dislodged.unit.province] = dislodged
        for power, name in _rows(written.get("centres", ())):
            board.centres[_read_centre(name)] = _read_power(power)
        _recall(board, written.get("before", ()))
        return board

    def write_position(self, board: Board) -> dict[str, Any]:
        """Return a board in its one written form."""
        lost = {p: dislodged.unit for p, dislodged in board.dislodged.items()}
        centres: dict[str, list[str]] = {}
        for p, power in sorted(board.centres.items()):
            centres.setdefault(power, []).append(p)
        return {
            "units": _write_units(board.units),
            "dislodged": _write_units(lost),
            "centres": dict(sorted(centres.items())),
            "next": OVER if board.winner or board.drawn else _write_phase(board.phase),
        }

    def resolve_lines(self, board: Board, lines: Lines) -> Attempt:
        """Resolve the phase of a board, which stays as it is. Raises PositionError for an unknown power."""
        after, events = deepcopy(board), list[Event]()
        refused: dict[str, list[tuple[str, Problem]]] = {}
        orders: dict[str, list[Order]] = {}
        for power, written in lines.items():
            read = _read_power(power)
            orders[read], refused[power] = _read_lines(board, read, written)

        def emit(event: Event) -> None:
            apply(after, event)
            events.append(event)

        resolve_phase(after, orders, emit)
        return Attempt(after, {power: problems for power, problems in refused.items() if problems}, events)

    def describe(self, fact: Event | Problem, language: Language) -> str:
        """Return the sentence of an event or a problem; "" for an event that has none."""
        if isinstance(fact, Problem):
            known = fact.code in WORDS.section("problems") and fact.terms.get("candidates") != ()
            return _say(f"problems.{fact.code if known else 'not_understood'}", language, **{"word": "", **fact.terms})
        return _describe(fact, language)


POSITIONS: Final = Positions()


def _read_lines(board: Board, power: str, lines: Sequence[str]) -> tuple[list[Order], list[tuple[str, Problem]]]:
    """Return the orders that count, and each line that does not with its reason."""
    read = [(line, read_order(line, board.phase)) for line in lines[:MOST_LINES]]
    valid = iter(validate_orders(board, power, [order for _, order in read if not isinstance(order, Problem)]))
    results = [(line, order if isinstance(order, Problem) else next(valid)) for line, order in read]
    results += [(line, Problem("too_many_lines", {"most": MOST_LINES})) for line in lines[MOST_LINES:]]
    good = [order for _, order in results if not isinstance(order, Problem)]
    return good, [(line, problem) for line, problem in results if isinstance(problem, Problem)]


# --- reading


def _rows(written: Any) -> Iterator[tuple[str, str]]:
    """Yield pairs of power and thing, from pairs or from things by power. Raises PositionError."""
    try:
        if isinstance(written, Mapping):
            for power, things in written.items():
                yield from ((str(power), str(thing)) for thing in things)
        else:
            yield from ((str(power), str(thing)) for power, thing in written)
    except (TypeError, ValueError):
        raise PositionError("units and centres are pairs with a power, or lists by power") from None


def _read_phase(text: str) -> Phase:
    found = _PHASE.fullmatch(text.strip())
    if text == OVER or found is None:
        if text == OVER:
            return Phase()
        raise PositionError(f"{text[:40]!r} is no phase; one is written as `Spring 1901, Movement` or `S1901M`")
    part = Part(found["part"][0].upper())
    is_fall = found["season"][0].lower() != "s"
    if (part is Part.ADJUSTMENT) > is_fall or (found["season"][0].lower() == "w") > (part is Part.ADJUSTMENT):
        raise PositionError(f"{text!r} is no phase: adjustments come after the fall, and nothing else in winter")
    return Phase(int(found["year"]), is_fall, part)


def _read_power(name: str) -> str:
    if name not in POWERS:
        raise PositionError(f"there is no power {name[:40]!r}; there are {', '.join(POWERS)}")
    return name


def _read_unit(power: str, text: str) -> Unit:
    kind, _, place = text.partition(" ")
    can_be = kind == ARMY and place in PROVINCES and bool(reach(ARMY, place))
    if not can_be and not (kind == FLEET and place in _fleet_places(place)):
        raise PositionError(f"{text[:40]!r} is no unit; one is written as `A PAR` or `F STP/SC`")
    return Unit(_read_power(power), kind, place)


def _fleet_places(place: str) -> tuple[str, ...]:
    """Return where a fleet can stand in the province of a place; empty if there is no such province."""
    return places_of(province_of(place)) if province_of(place) in PROVINCES else ()


def _read_centre(text: str) -> str:
    """Return a centre, written as `LON`, or as a unit that would stand there (`A LON`)."""
    p = province_of(text.split(" ")[-1])
    if p not in PROVINCES or not PROVINCES[p].centre:
        raise PositionError(f"{text[:40]!r} is no supply centre")
    return p


def _recall(board: Board, before: Iterable[Any]) -> None:
    """Find out where dislodged units may not go, from the orders before and whether they succeeded.

    A unit may not go to where its attacker came from on land, nor where a standoff was: an empty province into which
    at least two moves failed, other than those by sea and those that their target itself dislodged.
    """
    moves: dict[str, tuple[Move, bool, bool]] = {}
    for _, line, result in _triples(before):
        order = read_order(line, Phase())
        if isinstance(order, Move):
            order = replace(order, unit=ordered_province(order))
            on_land = order.way != BY_SEA and province_of(order.to) in map(province_of, _all_reach(order.unit))
            moves[order.unit] = (order, on_land, result == "success")
    failed: dict[str, int] = {}
    for p, (move, on_land, succeeded) in moves.items():
        target = province_of(move.to)
        if succeeded and on_land and target in board.dislodged:
            board.dislodged[target] = Dislodged(board.dislodged[target].unit, p)
        met = moves.get(target)
        lost_to_it = p in board.dislodged and met is not None and met[2] and province_of(met[0].to) == p
        if not succeeded and not lost_to_it:
            failed[target] = failed.get(target, 0) + 1
    board.contested = frozenset(p for p, count in failed.items() if count > 1 and p not in board.units)


def _triples(before: Iterable[Any]) -> Iterator[tuple[str, str, str]]:
    try:
        yield from ((_read_power(str(power)), str(line), str(result)) for power, line, result in before)
    except (TypeError, ValueError) as error:
        if isinstance(error, PositionError):
            raise
        raise PositionError("`before` has rows of power, order, and `success` or `failure`") from None


def _all_reach(p: str) -> frozenset[str]:
    return reach(ARMY, p).union(*(reach(FLEET, place) for place in places_of(p)))


# --- writing


def _write_units(units: Mapping[str, Unit]) -> list[list[str]]:
    return sorted([unit.power, str(unit)] for unit in units.values())


def _write_phase(phase: Phase) -> str:
    """Return a phase as it is read: `Spring 1901, Movement`."""
    return f"{'Fall' if phase.is_fall else 'Spring'} {phase.year}, {phase.part.name.capitalize()}"


def _name_phase(phase: Phase, language: Language) -> str:
    """Return a phase in words."""
    season = WORDS("phases.fall" if phase.is_fall else "phases.spring").printed(language)
    return f"{season} {phase.year}, {WORDS(f'phases.{phase.part.value}').printed(language)}"


def _say(key: str, language: Language, **terms: object) -> str:
    """Return a sentence of the catalogue; several places are listed."""
    nothing = WORDS("problems.nowhere").printed(language)
    shown = {name: ", ".join(term) or nothing if isinstance(term, tuple) else term for name, term in terms.items()}
    return WORDS(key).printed(language).format_map(shown)


def _describe(event: Event, language: Language) -> str:
    def say(key: str, power: str = "", **terms: object) -> str:
        name = POWERS[power].words.printed(language) if power else ""
        return _say(f"events.{key}", language, power=name, **terms)

    match event:
        case e.PhaseBegan(phase=phase):
            return say("began", phase=_name_phase(phase, language))
        case e.OrderResolved(unit=unit, order=order, succeeded=succeeded):
            return say("done" if succeeded else "failed", unit.power, order=write_order(unit, order))
        case e.UnitsMoved(dislodged=dislodged):
            lost = sorted(dislodged.items())
            return " ".join(say("dislodged", item.unit.power, unit=item.unit) for _, item in lost)
        case e.Retreated(unit=unit, to=to):
            return say("retreated", unit.power, unit=unit, to=to)
        case e.Disbanded(unit=unit, is_ordered=is_ordered):
            return say("disbanded" if is_ordered else "lost", unit.power, unit=unit)
        case e.Built(unit=unit):
            return say("built", unit.power, unit=unit)
        case e.Waived(power=power, builds=builds):
            return say("waived", power, builds=builds)
        case e.CentresTaken(owners=owners):
            return " ".join(say("taken", power, place=p) for p, power in sorted(owners.items()))
        case e.DrawAgreed(powers=powers):
            return say("drawn", powers=tuple(POWERS[power].words.printed(language) for power in powers))
        case e.Conceded(power=power):
            return say("conceded", power)
        case e.Won(power=power):
            return say("won", power)
    return ""
