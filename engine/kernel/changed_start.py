"""Orders tried at the start of a game whose figures are changed first, as a game master may change them.

What games that write no positions of their own offer to `pbem try`: `{"ducats of Venice": 40}` is the board.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.corrections import Corrections, Ruling
from engine.kernel.gates import parse_closing
from engine.kernel.grammar import build_grammar, key_of
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.rules import Rules, SupportsCorrections
from engine.kernel.run import AnswerKey, advance, answer_key, fold, start
from engine.kernel.sandbox import Attempt, PositionError, Written, lines_of
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat

_SEED: Final = b"try"
_CHANGE: Final = re.compile(r"(?P<figure>.+) of (?P<seat>.+)", re.IGNORECASE)
Refused = list[tuple[str, Problem]]


def try_at_start(rules: Rules[Any], written: Written, language: Language = DEFAULT) -> Attempt:
    """Resolve the first gate of a new game with orders; seats without any answer with the default.

    `written`: `players` (the fewest if left out), `options`, `board` (figures by `FIGURE of SEAT`, where a number is
    the new value), `orders`. Raises PositionError.
    """
    position = _start(rules, written)
    names = _name_seats(rules, position)
    for change, value in _changes(written):
        position = _change(rules, position, names, change, value)
    core = position.core
    gate = next((parse_closing(question.gate) for question in core.questions if question.blocking), None)
    if gate is None:
        raise PositionError("the game asks nothing at its start")
    authors = {_find_seat(names, author): author for author in lines_of(written)}
    lines = {seat: lines_of(written)[author] for seat, author in authors.items()}
    answers: dict[AnswerKey, Orders] = {}
    refused: dict[str, Refused] = {}
    for question in core.gate(gate):
        if question.blocking or question.seat in lines:
            given = lines.get(question.seat, ())
            answers[answer_key(question)], problems = _answer(rules, position, question, given, language)
            if problems:
                refused.setdefault(authors[question.seat], []).extend(problems)
    for seat in lines.keys() - {question.seat for question in core.gate(gate)}:
        raise PositionError(f"{seat} is not asked at the start of the game")
    after = advance(rules, position, gate, answers, _SEED)
    return Attempt(after.position, refused, after.events)


def _start(rules: Rules[Any], written: Written) -> Position[Any]:
    players, options = written.get("players", min(rules.meta.seats)), written.get("options", {})
    if players not in rules.meta.seats or not isinstance(options, Mapping):
        raise PositionError(f"{rules.meta.name} is played by {', '.join(map(str, rules.meta.seats))}")
    try:
        return start(rules, [Seat(f"s{number}") for number in range(1, players + 1)], options, _SEED).position
    except (ValueError, TypeError) as error:
        raise PositionError(str(error)) from None


def _corrections(rules: Rules[Any]) -> Corrections:
    return rules.corrections if isinstance(rules, SupportsCorrections) else Corrections()


def _name_seats(rules: Rules[Any], position: Position[Any]) -> Mapping[str, Seat]:
    """Return the seats by every name that a game master may use, in small letters."""
    names = {seat: _corrections(rules).called(position, seat) for seat in position.core.seats}
    return {name.casefold(): seat for seat, words in names.items() for name in words.all_forms()}


def _find_seat(names: Mapping[str, Seat], name: str) -> Seat:
    if name.casefold() not in names:
        raise PositionError(f"there is no seat {name[:40]!r}; there are {', '.join(names)}")
    return names[name.casefold()]


# --- figures


def _changes(written: Written) -> Iterator[tuple[str, int]]:
    board = written.get("board", {})
    if not isinstance(board, Mapping):
        raise PositionError("the board is written as figures with values, such as `ducats of Venice`: 40")
    for change, value in board.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise PositionError(f"the value of {str(change)[:40]!r} is no number")
        yield str(change), value


def _change(
    rules: Rules[Any], position: Position[Any], names: Mapping[str, Seat], change: str, value: int
) -> Position[Any]:
    """Return the position with one figure at a value, by the correction that a game master would order."""
    corrections, found = _corrections(rules), _CHANGE.fullmatch(change.strip())
    figures = {name.casefold(): key for key, words in corrections.figures.items() for name in words.all_forms()}
    figures |= {key: key for key in corrections.figures}
    what = figures.get(found["figure"].casefold()) if found is not None else None
    if found is None or what is None:
        raise PositionError(f"{change[:60]!r} is no figure; figures are {', '.join(corrections.figures) or 'none'}")
    seat = _find_seat(names, found["seat"])
    with truth():
        by = value - corrections.value(position.board, seat, what)
        if not by:
            return position
        try:
            ruling = Ruling(position, lambda entry, seat: ())
            changed = fold(rules, position, corrections.figure(ruling, seat, what, by))
        except CorrectionRefused as error:
            raise PositionError(f"{change} cannot be {value} ({error})") from None
        broken = rules.list_violations(changed)
    if broken:
        raise PositionError(f"{change} cannot be {value} ({broken[0].code})")
    return changed


# --- orders


def _answer(
    rules: Rules[Any], position: Position[Any], question: Question, lines: Sequence[str], language: Language
) -> tuple[Orders, Refused]:
    """Return the orders that count for a question, the default if none does, and the lines that are refused."""
    seen = redact(position, question.seat)
    with seen_by(question.seat):
        parsed = parse_letter(lines, build_grammar(rules, seen, question.seat, language), chatter=False)
        mine = parsed.sets.get(key_of(rules.meta.topic(question.topic), question.gate))
        default = rules.default_orders(seen, question)
    written = mine.lines if mine is not None else ()
    refused = [(line.text, line.problem) for line in (*written, *parsed.unmatched) if line.problem is not None]
    kept = [(line.text, line.line) for line in written if line.line is not None]
    while kept:
        results = check_orders(rules, seen, question, tuple(line for _, line in kept), own=True)
        bad = next((number for number, result in enumerate(results) if result.problem is not None), None)
        if bad is None:
            break
        problem = results[bad].problem
        if problem is not None:
            refused.append((kept.pop(bad)[0], problem))
    is_pass = mine is not None and mine.is_pass and rules.meta.topic(question.topic).may_pass
    return tuple(line for _, line in kept) if kept or is_pass else default, refused
