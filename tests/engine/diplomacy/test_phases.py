"""Retreats, adjustments, centres, victory, and who counts for whom."""

from engine.diplomacy import events as e
from engine.diplomacy.board import Part
from engine.diplomacy.catalogue import CENTRES
from engine.diplomacy.positions import POSITIONS
from tests.engine.diplomacy.build import board_of, resolve, units_after


def test_a_support_never_helps_to_dislodge_a_unit_of_its_own_power_by_sea_either() -> None:
    """DATC 6.D.12, for an attacker that comes by convoy."""
    units = {"England": ["A LON", "F ENG"], "France": ["F BRE", "A GAS"]}
    orders = {
        "England": ["A LON - BRE via convoy", "F ENG C A LON - BRE"],
        "France": ["F BRE H", "A GAS S A LON - BRE"],
    }
    assert units_after(resolve(units, orders)) == {"A LON", "F ENG", "F BRE", "A GAS"}


def test_a_support_against_a_fleet_of_its_own_power_does_not_break_the_convoy() -> None:
    """DATC 6.D.12: the fleet is not dislodged, so the army arrives."""
    units = {"England": ["A LON", "F MAO"], "France": ["F ENG", "F BRE"]}
    orders = {"England": ["A LON - PIC", "F MAO - ENG"], "France": ["F ENG C A LON - PIC", "F BRE S F MAO - ENG"]}
    assert units_after(resolve(units, orders)) == {"A PIC", "F MAO", "F ENG", "F BRE"}


def test_the_army_of_a_paradox_holds_and_cuts_nothing() -> None:
    """C2: the convoy whose army would save it fails, and the attack on its fleet is supported."""
    units = {"England": ["F LON", "F WAL"], "France": ["A BRE", "F ENG"]}
    orders = {"England": ["F LON S F WAL - ENG", "F WAL - ENG"], "France": ["A BRE - LON", "F ENG C A BRE - LON"]}
    assert units_after(resolve(units, orders)) == {"F LON", "F ENG", "A BRE", "*F ENG"}


def test_a_convoy_with_a_second_route_arrives() -> None:
    """C1: one whole route is enough."""
    units = {"England": ["A LON", "F ENG", "F NTH"], "France": ["F BRE", "F MAO"]}
    convoys = ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"]
    attempt = resolve(units, {"England": convoys, "France": ["F MAO - ENG", "F BRE S F MAO - ENG"]})
    assert units_after(attempt) == {"A BEL", "F NTH", "F ENG", "F BRE", "*F ENG"}


def test_a_unit_that_cannot_retreat_is_disbanded_at_once_and_nobody_is_asked() -> None:
    """Without a place to go, a dislodged unit leaves the board with the movement."""
    units = {"Italy": ["A VEN", "A TYR", "A BUD", "A SER", "F ALB", "A VIE"], "Austria": ["F TRI"]}
    orders = {"Italy": ["A VEN - TRI", "A TYR S A VEN - TRI", "F ALB - ADR"]}
    attempt = resolve({**units, "Turkey": ["F ION"]}, {**orders, "Turkey": ["F ION - ADR"]})
    assert "F TRI" not in units_after(attempt)
    assert attempt.board.phase.part is Part.MOVEMENT


def test_a_retreat_goes_neither_where_the_attacker_came_from_nor_where_a_standoff_was() -> None:
    """Both are remembered from the movement before, or told by `before`."""
    units = {"Austria": ["A TRI", "A BUD"], "Germany": ["A MUN", "A SIL"], "Italy": ["A VIE"]}
    moves = {"Austria": ["A TRI - VIE", "A BUD S A TRI - VIE"], "Germany": ["A MUN - BOH", "A SIL - BOH"]}
    board = resolve(units, moves).board
    refused = POSITIONS.resolve_lines(board, {"Italy": ["A VIE - BOH"]}).refused["Italy"]
    assert [(problem.code, problem.terms["places"]) for _, problem in refused] == [("no_retreat", ("GAL", "TYR"))]
    assert units_after(POSITIONS.resolve_lines(board, {"Italy": ["A VIE r tyr"]})) >= {"A TYR", "A VIE"}


def test_centres_change_hands_after_the_fall_only() -> None:
    """A unit that passes through in spring takes nothing."""
    units, centres = {"France": ["A PIC", "A PAR"]}, {"France": ["PAR"], "Germany": ["BEL"]}
    spring = resolve(units, {"France": ["A PIC - BEL"]}, "S1901M", centres)
    assert spring.board.centres["BEL"] == "Germany"
    fall = resolve(units, {"France": ["A PIC - BEL"]}, "F1901M", centres)
    assert fall.board.centres["BEL"] == "France"
    assert fall.board.phase.part is Part.MOVEMENT, "two units and two centres: nothing to adjust"


def test_builds_are_at_home_on_free_centres_and_a_coast_is_asked_for() -> None:
    """C7: a fleet in St Petersburg names its coast; what is built too many is refused."""
    board = board_of({"Russia": ["A MOS"]}, "W1901A", {"Russia": ["MOS", "STP", "WAR", "SEV"], "France": ["PAR"]})
    lines = ["build f stp", "build f stp nc", "B A MOS", "build a war", "F SEV B", "waive"]
    attempt = POSITIONS.resolve_lines(board, {"Russia": lines})
    codes = [problem.code for _, problem in attempt.refused["Russia"]]
    assert codes == ["coast_needed", "not_a_site"]
    assert units_after(attempt) == {"A MOS", "F STP/NC", "A WAR", "F SEV"}


def test_removals_without_orders_take_the_farthest_then_fleets_then_the_alphabet() -> None:
    """C8."""
    units = {"Russia": ["A TYR", "F SKA", "F BAL", "A MOS"]}
    kept = []
    for count in (3, 2, 1):
        attempt = resolve(units, {}, "W1901A", {"Russia": ["MOS", "STP", "WAR"][:count]})
        kept.append(units_after(attempt))
    assert kept == [{"F SKA", "F BAL", "A MOS"}, {"F SKA", "A MOS"}, {"A MOS"}]


def test_eighteen_centres_after_the_fall_win() -> None:
    """C10."""
    owned = sorted(CENTRES - {"BEL"})[:17]
    attempt = resolve({"France": ["A BEL"]}, {}, "F1910M", {"France": owned})
    assert attempt.board.winner == "France"
    assert e.Won(power="France") in attempt.events
    assert POSITIONS.write_position(attempt.board)["next"] == "COMPLETED"
