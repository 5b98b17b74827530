"""Diplomacy at a table: who is asked, what letters say, what counts, and whole games of bots."""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from engine.diplomacy import POSITIONS, RULES
from engine.diplomacy import events as e
from engine.diplomacy import orders as o
from engine.diplomacy.board import Board, Part, Phase, Player, is_out, units_of
from engine.diplomacy.catalogue import POWERS
from engine.diplomacy.forms import FORMS
from engine.diplomacy.meta import topic_of
from engine.diplomacy.shapes import SIZE
from engine.diplomacy.vocabulary import PLACES, SITES, UNITS
from engine.kernel.bots import Bot, FinishedGame, chooser, play_game
from engine.kernel.events import Ended, Event
from engine.kernel.forms import Choice
from engine.kernel.grammar import build_grammar
from engine.kernel.moves import Moves
from engine.kernel.orders import Clause, Line, Orders, Problem, Question
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLine
from engine.kernel.pictures import LEGIBLE
from engine.kernel.position import Position
from engine.kernel.printing import print_line
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.spelling import fold_tokens
from engine.kernel.validation import check_orders, preview_orders
from engine.kernel.viewers import Seat
from pbem.service.tasks.bot_turns import TEMPER
from tests.budget import budget
from tests.engine.diplomacy.build import Lines, board_of
from tests.engine.diplomacy.case import KEEN

SEATS = tuple(Seat(power.lower()) for power in POWERS)
AT = dict(zip(POWERS, SEATS, strict=True))
FRANCE = AT["France"]


def dealt(**options: str) -> Position[Board]:
    """The beginning of a game, with powers in the order of the seats."""
    chosen = RULES.meta.chosen({"powers": "order", **options})
    return start(RULES, SEATS, chosen, b"a seed", b"luck").position


def table(units: Lines, phase: str = "S1901M", centres: Lines | None = None, **options: str) -> Position[Board]:
    """A table in the middle of a game: these units, everybody asked who has something to order."""
    position = dealt(**options)
    board = board_of(units, phase, centres)
    board.powers = position.board.powers
    position.board = board
    asked = {unit.power for unit in board.units.values()}
    if board.phase.part is Part.RETREAT:
        asked = {lost.unit.power for lost in board.dislodged.values()}
    topic = topic_of(board.phase)
    position.core.questions = tuple(
        Question(f"{topic}/{board.phase.year}", AT[power], topic) for power in POWERS if power in asked
    )
    return position


def written(position: Position[Board], seat: Seat, lines: Sequence[str]) -> Sequence[ParsedLine]:
    """How the lines of a letter are read in answer to the open question."""
    seen = redact(position, seat)
    with seen_by(seat):
        found = parse_letter(lines, build_grammar(RULES, seen, seat, "en"))
    (told,) = found.sets.values()
    return told.lines


def read_orders(position: Position[Board], seat: Seat, lines: Sequence[str]) -> Orders:
    """The orders of a letter, none of which may be refused."""
    read = written(position, seat, lines)
    assert not [line.problem for line in read if line.problem is not None]
    return tuple(line.line for line in read if line.line is not None)


def resolved(position: Position[Board], letters: Lines) -> tuple[Position[Board], Sequence[Event]]:
    """What comes of letters; who sends none has no orders."""
    (gate,) = position.core.gates()
    sent = {AT[power]: read_orders(position, AT[power], lines) for power, lines in letters.items()}
    after = advance(RULES, position, gate, {q.seat: sent.get(q.seat, ()) for q in position.core.questions})
    return after.position, after.events


def refused(position: Position[Board], power: str, *lines: str) -> list[str]:
    """The codes of what a receipt refuses, "" for what it takes."""
    orders = read_orders(position, AT[power], lines)
    question = next(q for q in position.core.questions if q.seat == AT[power])
    results = check_orders(RULES, position, question, orders)
    return [result.problem.code if result.problem else "" for result in results]


def units(position: Position[Board]) -> set[str]:
    """The units on the board."""
    return {str(unit) for unit in position.board.units.values()}


# --- who is asked


def test_all_powers_are_asked_at_one_gate() -> None:
    """Nobody learns an order before all have answered."""
    position = dealt()
    assert {(q.gate, q.topic) for q in position.core.questions} == {("spring/1901", "spring")}
    assert {q.seat for q in position.core.questions} == set(SEATS)


def test_powers_are_drawn_unless_the_host_gives_them() -> None:
    """By default the seats do not say who plays what."""
    powers = start(RULES, SEATS, RULES.meta.chosen({}), b"a seed", b"luck").position.board.powers
    assert {player.power for player in powers.values()} == set(POWERS)
    assert powers != dealt().board.powers
    assert dealt().board.powers[FRANCE] == Player("France")


def test_only_those_with_a_dislodged_unit_are_asked_where_it_goes() -> None:
    """The others wait."""
    position = table({"France": ["A GAS", "A BUR"], "Germany": ["A MUN", "A RUH"]})
    after, _ = resolved(position, {"Germany": ["A MUN - BUR", "A RUH S A MUN - BUR"]})
    assert [(q.gate, q.seat) for q in after.core.questions] == [("spring_retreat/1901", FRANCE)]


def test_after_the_fall_those_are_asked_who_build_or_remove() -> None:
    """A power with as many units as centres is not."""
    position = table(
        {"France": ["A SPA", "A POR"], "Germany": ["A MUN"], "Italy": ["A ROM"]},
        "F1901M",
        {"France": ["PAR"], "Germany": ["MUN", "BER"], "Italy": ["ROM"]},
    )
    after, _ = resolved(position, {})
    assert {(q.topic, q.seat) for q in after.core.questions} == {("winter", FRANCE), ("winter", AT["Germany"])}


def test_later_phases_may_be_answered_ahead() -> None:
    """Retreats, the fall, builds and the next spring with its retreats."""
    with seen_by(FRANCE):
        ahead = RULES.advance_questions(redact(dealt(), FRANCE), FRANCE)
    gates = ["spring_retreat/1901", "fall/1901", "fall_retreat/1901", "winter/1901"]
    gates += ["spring/1902", "spring_retreat/1902"]
    assert [question.gate for question in ahead] == gates


# --- letters


@pytest.mark.parametrize("heading", ["FOR YEAR 1901 WINTER", "FOR WINTER 1901", "pour l'hiver 1901", "FOR BUILDS:"])
def test_a_later_phase_is_named_as_players_name_it(heading: str) -> None:
    """The year may come last, or be left out."""
    seen = redact(dealt(), FRANCE)
    with seen_by(FRANCE):
        found = parse_letter(["A PAR - BUR", heading, "build f bre"], build_grammar(RULES, seen, FRANCE, "en"))
    orders = {(key.topic, key.turn): [line.line for line in lot.lines] for key, lot in found.sets.items()}
    assert orders == {
        ("spring", 1901): [Line((Clause(o.Move("A PAR", "BUR")),))],
        ("winter", 1901): [Line((Clause(o.Build("F BRE")),))],
    }


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("a par-bur", "A PAR - BUR"),
        ("Army Paris moves to Burgundy", "A PAR - BUR"),
        ("F Brest - Manche", "F BRE - ENG"),
        ("A PAR s a mar bur", "A PAR S A MAR - BUR"),
        ("A Paris soutient l'armée de Marseille", "A PAR S A MAR"),
        ("A MAR - SPA VIA CONVOY", "A MAR - SPA VIA CONVOY"),
        ("F bre c A Lon - Gas", "F BRE C A LON - GAS"),
        ("IF BUR IS FREE: A PAR - BUR ELSE PIC", "IF BUR IS FREE: A PAR - BUR ELSE A PAR - PIC"),
        ("UNLESS Germany OCCUPIES bur: A PAR - BUR", "UNLESS Germany OCCUPIES BUR: A PAR - BUR"),
    ],
)
def test_a_receipt_prints_an_order_as_judges_write_it(line: str, printed: str) -> None:
    """However it was written."""
    (read,) = read_orders(dealt(), FRANCE, [line])
    assert print_line(FORMS["spring"], read, "en", RULES.facts(dealt(), FRANCE)) == printed


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (["A PAR - BUR", "F BRE H"], ["", ""]),
        (["A PAR - MOS"], ["unreachable"]),
        (["A MUN H"], ["not_yours"]),
        (["A BRE H"], ["wrong_kind"]),
        (["A PAR - BUR", "A PAR - GAS"], ["", "already_ordered"]),
        (["A PAR S A BRE - GAS"], ["wrong_kind"]),
        (["A PAR S A MAR - MUN"], ["cannot_go"]),
    ],
)
def test_what_cannot_be_is_refused_in_the_receipt(lines: Sequence[str], codes: Sequence[str]) -> None:
    """C9, with what would be possible; of two orders for a unit the first counts (C7)."""
    assert refused(dealt(), "France", *lines) == codes


@pytest.mark.parametrize(
    ("phase", "lines", "code", "left"),
    [
        ("S1901M", ("A PAR - BUR",), "without_order", ("F BRE", "A MAR")),
        ("S1901M", ("A PAR - BUR", "F BRE H", "A MAR H"), "", ()),
        ("W1901A", ("waive",), "builds_left", 1),
    ],
)
def test_a_receipt_says_what_has_no_order_yet(phase: str, lines: Sequence[str], code: str, left: object) -> None:
    """Units that would hold, and builds that would be left undone, behind the last line."""
    position = dealt()
    if phase == "W1901A":
        centres = ["PAR", "BRE", "MAR", "POR", "SPA"]
        position = table({"France": ["A POR", "A SPA", "F MAO"]}, phase, {"France": centres})
    question = next(q for q in position.core.questions if q.seat == FRANCE)
    results = check_orders(RULES, position, question, read_orders(position, FRANCE, lines))
    notes = [note for result in results for note in result.notes]
    assert [(note.code, *note.terms.values()) for note in notes] == ([(code, left)] if code else [])


def test_a_fleet_that_could_enter_two_coasts_is_asked_which() -> None:
    """C5: nobody is left to find out afterwards."""
    position = table({"France": ["F POR"]})
    assert refused(position, "France", "F POR - SPA") == ["coast_needed"]
    assert refused(position, "France", "F POR - SPA/NC") == [""]
    winter = table({"Russia": ["A MOS"]}, "W1901A", {"Russia": ["STP", "MOS", "WAR"]})
    assert refused(winter, "Russia", "BUILD F STP") == ["coast_needed"]
    assert refused(winter, "Russia", "build f stp nc", "B A WAR", "B A MOS") == ["", "", "not_a_site"]


def test_a_near_miss_is_asked_back_with_what_it_may_mean() -> None:
    """There is no `BUG`; the line that would do is about the same army."""
    (line,) = written(dealt(), FRANCE, ["A PAR - BUG"])
    assert line.problem is not None
    assert line.problem.terms["candidates"] == ("BUD", "BUL", "BUR")
    assert line.problem.terms["accepted"] == "A PAR - BUR"


@pytest.mark.parametrize(
    ("line", "heading"),
    [("A Par R Bur ELSE Gas", "SPRING RETREATS"), ("F BRE D", "SPRING RETREATS"), ("B F BRE", "WINTER")],
)
def test_a_line_of_a_later_phase_is_refused_with_the_heading_that_it_needs(line: str, heading: str) -> None:
    """A retreat or a build ahead stands below the name of its phase."""
    (read,) = written(dealt(), FRANCE, [line])
    assert read.problem is not None
    assert (read.problem.code, read.problem.terms["accepted"]) == ("other_section", f"FOR YEAR 1901 {heading}")


def test_a_page_offers_the_destinations_of_a_unit_and_says_why_not_others() -> None:
    """What is touched first is the unit."""
    seen = redact(dealt(), FRANCE)
    question = next(q for q in seen.core.questions if q.seat == FRANCE)
    moves = Moves(RULES, seen, question)
    form = moves.forms[0]
    units_, to = form.slots[:2]
    assert set(moves.choices(form, {}, units_).legal) == {"A MAR", "A PAR", "F BRE"}
    offered = moves.choices(form, {"unit": "A PAR"}, to)
    assert set(offered.legal) == {"BRE", "BUR", "GAS", "PIC"}
    assert offered.refused["MOS"].code == "unreachable"


def test_no_name_means_two_things() -> None:
    """Of the whole names; `tyr` alone is asked back."""
    for choices in (UNITS, PLACES, SITES):
        _check_names(choices)


def _check_names(choices: Sequence[Choice]) -> None:
    owner: dict[str, str] = {}
    for choice in choices:
        for name in choice.names.all_forms():
            joined = "".join(fold_tokens(name))
            assert joined == "tyr" or owner.setdefault(joined, choice.value) == choice.value, name


def test_orders_that_are_tried_are_arrows_on_the_board_of_their_author() -> None:
    """A move and a support point to where they go; the board in words says the whole order; nobody else sees it."""
    position = dealt()
    question = next(q for q in position.core.questions if q.seat == FRANCE)
    orders = read_orders(position, FRANCE, ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"])
    tried = preview_orders(RULES, position, question, orders).position
    with seen_by(FRANCE):
        now, then = (RULES.present_view(redact(at, FRANCE), FRANCE) for at in (position, tried))
    assert {p: order["aim"] for p, order in then["orders"].items()} == {"PAR": "BUR", "MAR": "BUR", "BRE": ""}
    assert RULES.present_view(redact(tried, SEATS[0]), SEATS[0])["orders"] == now["orders"] == {}
    (europe,) = (zone for zone in RULES.zones(now, "en", preview=then) if zone.zone.name == "europe")
    assert europe.intended == {"unit PAR", "unit MAR", "unit BRE"}
    assert "France: army MAR (A MAR S A PAR - BUR)" in [item.text for item in europe.zone.items]
    assert RULES.draw(now, "en", preview=then).count("stroke-dasharray") > RULES.draw(now, "en").count(
        "stroke-dasharray"
    )


def test_orders_of_the_last_season_are_arrows_where_changes_are_marked() -> None:
    """Moves, supports and retreats, failed ones in red; they give way to orders that are tried, and to new ones."""
    letters = {"Germany": ["A MUN - BUR", "A RUH S A MUN - BUR"], "France": ["A BUR - MUN", "A PAR - PIC"]}
    before = table({"France": ["A BUR", "A PAR"], "Germany": ["A MUN", "A RUH"]})
    moved, _ = resolved(before, letters)
    retreated, _ = resolved(moved, {"France": ["A BUR R GAS"]})
    later, _ = resolved(retreated, {})
    views = [RULES.present_view(redact(at, FRANCE), FRANCE) for at in (before, moved, retreated, later)]
    shown = [[(row["place"], row["sort"], row["aim"], row["succeeded"]) for row in view["resolved"]] for view in views]
    assert shown[0] == []
    assert shown[1] == [
        ("BUR", "move", "MUN", False),
        ("PAR", "move", "PIC", True),
        ("MUN", "move", "BUR", True),
        ("RUH", "support", "BUR", True),
    ]
    assert shown[2] == [*shown[1], ("BUR", "move", "GAS", True)]
    assert {row[1] for row in shown[3]} == {"hold"}
    marked, plain = (RULES.draw(views[1], "en", since=since).count("s-failed") for since in (views[0], None))
    assert marked == plain + 2


def test_the_part_of_the_map_with_most_of_ones_own_units_comes_first() -> None:
    """On a phone Turkey sees the east first, England the west; nothing has changed yet."""
    position = dealt()
    first = {}
    for power in ("England", "Turkey"):
        with seen_by(AT[power]):
            crops = RULES.crops(RULES.present_view(redact(position, AT[power]), AT[power]))
        first[power] = next(part.box for name, part in crops.items() if name != "map")
    assert first["England"][0] + LEGIBLE < first["Turkey"][0] + LEGIBLE == SIZE[0]


# --- what comes of it


def test_units_without_an_order_hold_and_dislodged_ones_are_disbanded() -> None:
    """C8."""
    position = table({"France": ["A GAS", "A BUR"], "Germany": ["A MUN", "A RUH"]})
    after, _ = resolved(position, {"Germany": ["A MUN - BUR", "A RUH S A MUN - BUR"]})
    after, events = resolved(after, {})
    assert units(after) == {"A GAS", "A BUR", "A RUH"}
    assert after.board.units["BUR"].power == "Germany"
    assert [event.is_ordered for event in events if isinstance(event, e.Disbanded)] == [False]


def test_a_retreat_may_name_a_second_choice() -> None:
    """`A BUR R PAR ELSE GAS`: PAR is taken, so it goes to GAS."""
    position = table({"France": ["*A BUR", "A PAR"], "Germany": ["A BUR"]}, "S1901R")
    after, _ = resolved(position, {"France": ["A BUR R PAR ELSE GAS"]})
    assert "A GAS" in units(after)


def test_a_condition_looks_at_the_position_before_anybody_moves() -> None:
    """Munich is empty, although Berlin is ordered there in the same phase."""
    position = table({"France": ["A BUR"], "Germany": ["A BER"]})
    letters = {"Germany": ["A BER - MUN"], "France": ["IF MUN IS FREE: A BUR - RUH ELSE A BUR - BEL"]}
    after, _ = resolved(position, letters)
    assert units(after) == {"A MUN", "A RUH"}


def test_orders_that_wait_for_another_answer_are_seen_by_their_author_alone() -> None:
    """France asks to be asked again; what Austria ordered stays secret."""
    austria = AT["Austria"]
    position = table({"Austria": ["A TYR"], "France": ["A BUR"]})
    letters = {"Austria": ["A TYR - MUN"], "France": ["IF MUN IS FREE: ASK ME"]}
    after, _ = resolved(position, letters)
    assert [q.gate for q in after.core.questions] == ["spring/1901~1"]
    with seen_by(austria):
        assert redact(after, austria).board.orders[austria].value == (o.Move("TYR", "MUN"),)
    with seen_by(FRANCE):
        assert not redact(after, FRANCE).board.orders[austria].visible
    after, _ = resolved(after, {"France": ["A BUR - MUN"]})
    assert units(after) == {"A TYR", "A BUR"}


@pytest.mark.holds("diplomacy", "event", "diplomacy.Eliminated")
def test_a_power_without_units_and_centres_is_out_and_asked_no_more() -> None:
    """Everybody is told."""
    position = table(
        {"France": ["A BUR", "A GAS"], "Italy": ["A MAR"]}, "F1901M", {"France": ["PAR", "BRE"], "Italy": ["ROM"]}
    )
    position.board.centres = {"PAR": "France", "BRE": "France", "MAR": "Italy"}
    after, _ = resolved(position, {"France": ["A BUR - MAR", "A GAS S A BUR - MAR"]})
    after, events = resolved(after, {})
    out = [event.power for event in events if isinstance(event, e.Eliminated)]
    assert out == ["Italy"]
    assert is_out(after.board, "Italy")
    assert AT["Italy"] not in {q.seat for q in after.core.questions}


def test_eighteen_centres_after_a_fall_win() -> None:
    """C10: the ranking goes by centres."""
    position = table({"France": ["A MAR"], "Italy": ["A ROM"]}, "F1908M")
    owned = sorted(RULES.present_view(position, FRANCE)["free"])
    position.board.centres = dict.fromkeys(owned[:18], "France") | dict.fromkeys(owned[18:21], "Italy")
    after, events = resolved(position, {})
    (ended,) = (event for event in events if isinstance(event, Ended))
    assert (ended.reason, ended.ranking[0], ended.ranking[1]) == ("centres", (FRANCE,), (AT["Italy"],))
    assert after.core.over


def test_the_game_ends_after_the_fall_of_its_last_year() -> None:
    """Without builds that nobody could use."""
    position = table({"France": ["A SPA"], "Italy": ["A ROM"]}, "F1905M", last_year="1905")
    after, events = resolved(position, {})
    assert [event.reason for event in events if isinstance(event, Ended)] == ["years"]
    assert after.board.phase == Phase(1905, is_fall=True)


# --- whole games


@cache
def _played(seed: int, last_year: str) -> FinishedGame[Board]:
    name = f"diplomacy/{seed}".encode()
    bots = {seat: Bot(RULES, seat, chooser(name), KEEN) for seat in SEATS}
    return play_game(RULES, SEATS, {"powers": "order", "last_year": last_year}, name, bots)


def test_seven_bots_play_to_the_end_and_leave_no_unit_without_an_order() -> None:
    """Each unit of each power in each season; afterwards every invariant holds."""
    for seed in range(budget(1, 20)):
        game = _played(seed, "open" if seed % 2 else "1905")
        assert game.position.core.over
        for entry in game.entries:
            assert not RULES.list_violations(entry.after.position)
            if entry.before is not None and entry.before.board.phase.part is Part.MOVEMENT:
                for seat, orders in entry.answers.items():
                    assert isinstance(seat, str)
                    power = entry.before.board.powers[Seat(seat)].power
                    assert len(orders) == len(units_of(entry.before.board, power))


def test_a_bot_of_the_server_orders_all_units_however_many() -> None:
    """An army left without an order would hold while its neighbours are taken."""
    places = ["PAR", "BRE", "MAR", "GAS", "BUR", "PIC", "BEL", "SPA", "POR", "RUH"]
    position = table({"France": [f"A {p}" for p in places], "Germany": ["A MUN"]})
    question = next(q for q in position.core.questions if q.seat == FRANCE)
    orders = Bot(RULES, FRANCE, chooser(b"x"), TEMPER).answer(redact(position, FRANCE), question)
    assert len(orders) == len(places)


def test_a_position_tried_without_a_table_ends_as_at_one() -> None:
    """Every phase of a game, with the lines as receipts print them."""
    game = _played(0, "1905")
    for entry in game.entries[1:]:
        assert entry.before is not None
        before, after = entry.before.board, entry.after.position.board
        forms = FORMS[topic_of(before.phase)]
        lines = {
            before.powers[Seat(str(seat))].power: [print_line(forms, line, "en") for line in orders]
            for seat, orders in entry.answers.items()
        }
        attempt = POSITIONS.resolve_lines(before, lines)
        assert not attempt.refused
        if not entry.after.position.core.over:
            assert POSITIONS.write_position(attempt.board) == POSITIONS.write_position(after)


def test_suggestions_are_legal_on_any_position() -> None:
    """One for each unit, never two for one."""
    for seed in range(budget(10, 300)):
        random = Random(seed)
        position = _played(0, "1905").entries[random.randint(0, 16)].after.position
        for question in position.core.questions:
            seen = redact(position, question.seat)
            with seen_by(question.seat):
                lines: tuple[Line, ...] = tuple(RULES.suggest_orders(seen, question))
                problems: list[Problem | None] = [RULES.refusal(seen, question, line.plan[0].order) for line in lines]
            assert lines
            assert problems == [None] * len(lines)
