"""Orders tried on a position: as Diplomacy writes it, and at the start of any other game."""

from collections.abc import Mapping
from typing import Any

import pytest

import engine
from engine.diplomacy import POSITIONS
from engine.kernel.changed_start import try_at_start
from engine.kernel.languages import LANGUAGES
from engine.kernel.sandbox import PositionError, check_case, try_orders
from tests.toy import RULES
from tests.toy.events import Bought

POSITION = {
    "game": "diplomacy",
    "players": 7,
    "phase": "Spring 1901, Movement",
    "board": {
        "units": [["England", "F NTH"], ["France", "A PIC"]],
        "dislodged": [],
        "centres": {"England": ["LON"]},
    },
    "orders": {"England": ["F NTH - PIC"], "France": ["A PIC H"]},
}


def test_a_position_and_orders_give_what_comes_of_them() -> None:
    """Units, centres, the next phase; what is refused counts as not given, and says why in words."""
    found = try_orders(POSITIONS, POSITION)
    assert found["units"] == [["England", "F NTH"], ["France", "A PIC"]]
    assert (found["dislodged"], found["centres"], found["next"]) == ([], {"England": ["LON"]}, "Fall 1901, Movement")
    assert found["refused"]["England"][0][0] == "F NTH - PIC"
    assert "BEL" in found["refused"]["England"][0][1]
    assert "France: A PIC H: done." in found["events"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_and_event_has_a_sentence_in_every_language(language: Any) -> None:
    """In a phase of each kind; a sentence with a hole in it would raise."""
    lines = [
        "A PAR - MOS",
        "A BOH H",
        "F ENG - SPA",
        "A PAR S A BER - TYR",
        "?",
        "A liv H",
        "A xyz H",
        "A PAR",
        "B A PAR",
    ]
    units = {"France": ["A PAR", "F MAO", "A BER"], "Germany": ["*A KIE", "A MUN"]}
    for phase in ("F1901M", "F1901R", "W1901A"):
        written = {"phase": phase, "units": units, "centres": {"France": ["PAR", "BRE", "MAR", "BER", "SPA"]}}
        orders = {"France": [*lines, "A PAR - BUR"], "Germany": ["A KIE - HOL", "A MUN D", "A KIE - KIE"]}
        found = try_orders(POSITIONS, {**written, "orders": orders}, language)
        assert found["events"]
        assert all(sentence for refused in found["refused"].values() for _, sentence in refused)


def test_a_case_says_where_it_differs() -> None:
    """The units that are there instead of those expected; a game goes on from what was expected."""
    case = {**POSITION, "id": "a", "expect": [["France", "A PIC"], ["England", "F ENG"]]}
    assert list(check_case(POSITIONS, case)) == [
        ("a", "units: [['England', 'F NTH']] instead of [['England', 'F ENG']]")
    ]
    units = {power: list(given) for power, given in _units().items()}
    phase = {"phase": "S1901M", "orders": {}, "units": units, "centres": _centres(), "next": "F1901M"}
    wrong = {**phase, "units": {**units, "France": ["A GAS", "A MAR", "F BRE"]}}
    later = {**wrong, "phase": "F1901M", "next": "S1902M"}
    results = list(check_case(POSITIONS, {"seed": 1, "phases": [wrong, later]}))
    assert [bool(difference) for _, difference in results] == [True, False]


def _units() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in POSITIONS.start_position().units.values():
        found.setdefault(unit.power, []).append(str(unit))
    return found


def _centres() -> Mapping[str, Any]:
    written: Mapping[str, Any] = POSITIONS.write_position(POSITIONS.start_position())["centres"]
    return written


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "Summer 1901"},
        {"phase": "S1901A"},
        {"phase": "1901"},
        {"board": []},
        {"board": {"units": [["Atlantis", "A PAR"]]}},
        {"board": {"units": [["France", "A NTH"]]}},
        {"board": {"units": [["France", "F STP"]]}},
        {"board": {"units": [["France", "A XXX"]]}},
        {"board": {"units": [["France", "F PAR"]]}},
        {"board": {"units": [["France", "A PAR"], ["Italy", "A PAR"]]}},
        {"board": {"units": [["France"]]}},
        {"board": {"units": 7}},
        {"board": {"centres": {"France": ["BUR"]}}},
        {"board": {"before": [["France", "A PAR H"]]}},
        {"orders": {"Atlantis": ["A PAR H"]}},
        {"orders": [["France"]]},
        {"orders": 7},
    ],
)
def test_what_is_no_position_is_refused_in_words(change: Mapping[str, Any]) -> None:
    """A sentence, whatever is written."""
    with pytest.raises(PositionError) as raised:
        try_orders(POSITIONS, {**POSITION, **change})
    assert str(raised.value)


def test_more_lines_than_anybody_needs_are_refused() -> None:
    """The work on a position is bounded."""
    found = try_orders(POSITIONS, {**POSITION, "orders": {"France": ["A PIC H"] * 300}})
    assert len(found["refused"]["France"]) == 299


def test_another_game_is_tried_at_its_start_with_changed_figures() -> None:
    """Coins are set as a master would; a bid beyond them is refused, and the default counts instead."""
    orders = {"s1": ["BID 5"], "player 2": ["BID 2"]}
    attempt = try_at_start(RULES, {"players": 2, "board": {"coins of s1": 3}, "orders": orders})
    assert [line for line, _ in attempt.refused["s1"]] == ["BID 5"]
    bought = next(event for event in attempt.events if isinstance(event, Bought))
    assert bought.bids == {"s1": 0, "s2": 2}
    assert attempt.board.board.coins == {"s1": 3, "s2": 6}


@pytest.mark.parametrize("title", sorted(engine.GAMES))
def test_every_game_is_tried_at_its_start(title: str) -> None:
    """With no change and no orders, by default orders."""
    assert try_at_start(engine.GAMES[title], {"game": title}).events


@pytest.mark.parametrize(
    "written",
    [
        {"players": 9},
        {"options": 3},
        {"options": {"pace": "hasty"}},
        {"board": []},
        {"board": {"coins": 3}},
        {"board": {"gold of s1": 3}},
        {"board": {"coins of s9": 3}},
        {"board": {"coins of s1": "3"}},
        {"board": {"coins of s1": -1}},
        {"orders": {"s9": []}},
    ],
)
def test_what_is_no_start_is_refused_in_words(written: Mapping[str, Any]) -> None:
    """A sentence, whatever is written."""
    with pytest.raises(PositionError):
        try_at_start(RULES, {"players": 2, **written})
