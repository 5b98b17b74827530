"""The bench of cycles on the processor: the same work each time, all of it counted once, and kept figures compared."""

import gc
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.bench import clock, cycle, meter, pages
from pbem.bench.cpu import Plan, measure
from pbem.bench.cycle import process_name
from pbem.bench.kept import comparable, table
from pbem.cli import main
from pbem.supervisor import WORKERS
from tests.games import OURS

FIGURES = {"median": 10.0, "low": 9.0, "high": 12.0}
KEPT: dict[str, Any] = {
    "title": "renaissance",
    "seats": 3,
    "games": 1,
    "cycles": 2,
    "runs": 2,
    "bench_share": 0.1,
    "figures": {
        "cpu_ms": {"all": FIGURES, "post: render": FIGURES, "yardstick": FIGURES},
        "lock_ms": {"all: held": FIGURES},
        "work": {"post: SELECT": FIGURES},
    },
}
PLAN = Plan("renaissance", 3, 1, 2, 2)


@pytest.mark.slow
@pytest.mark.parametrize("title", OURS)
def test_the_same_cycles_are_the_same_work_each_time(title: str) -> None:
    """Two runs take the same letters, statements, commits and views, all stages are met, and their parts sum up."""
    said: list[str] = []
    found = measure(Plan(title, 3, 1, 2, 2), said.append)
    figures = found["figures"]
    counted = {name: spread for name, spread in figures["work"].items() if "bytes" not in name}
    assert all(spread["low"] == spread["high"] for spread in counted.values())
    assert counted["letters in"]["median"] >= 3
    assert counted["letters out"]["median"] >= 6
    assert counted["all: commits"]["median"] > 0
    assert counted["all: views opened"]["median"] > 0
    assert figures["work"]["all: bytes written"]["median"] > 0
    stages = {name.partition(": ")[2] for name in figures["cpu_ms"]}
    assert {stage.name for stage in meter.STAGES} | {meter.REST} <= stages
    _sums_up(figures)
    assert len(said) == 3


@pytest.mark.slow
def test_cycles_of_a_game_that_asks_its_seats_one_by_one_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players answer until all are asked at once; then whole cycles are counted."""
    monkeypatch.setattr(cycle, "STEADY_S", 4.0)
    monkeypatch.setattr(cycle, "WARM_UP_S", 0.0)
    found = cycle.measure("patchistory", 3, 1)
    assert found["cycles_per_second"] > 0
    assert found["receipt_p50_ms"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("title", OURS)
def test_what_the_clock_costs_is_measured(title: str) -> None:
    """Looks with nothing due wake nobody; then each table that is due is asked for once, and played."""
    found = clock.measure(clock.Plan(title, 3, 4, 2, 2))
    assert found["questions"] >= 12
    assert all(look["cpu_ms_p95"] > 0 for look in found["calm"].values())
    assert found["due_at_once"]["tables"] == 2
    assert found["due_at_once"]["visits"]["most_statements"] > found["due_at_once"]["tick"]["statements"]


def _sums_up(figures: dict[str, Any]) -> None:
    """What roles cost is the sum of their stages; the lock is held at least as long as its statements take."""
    low = {name: spread["low"] for name, spread in figures["cpu_ms"].items()}
    high = {name: spread["high"] for name, spread in figures["cpu_ms"].items()}
    for role in ("door", "post", "play"):
        parts = [name for name in low if name.startswith(f"{role}: ")]
        assert sum(low[name] for name in parts) <= high[role] + 0.1
        assert sum(high[name] for name in parts) >= low[role] - 0.1
    held = figures["lock_ms"]
    assert held["all: held"]["high"] >= held["all: statements"]["low"] + held["all: commits"]["low"]


def test_time_in_a_stage_of_its_own_counts_only_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task's time is shared out among its stages, the inner ones counted out of those around them."""
    clock = [0]
    monkeypatch.setattr(meter, "thread_time_ns", lambda: clock[0])
    watch = meter.Meter()
    with watch.task("post"):
        clock[0] += 5
        with watch.within("render"):
            clock[0] += 7
        clock[0] += 1
    clock[0] += 100
    assert dict(watch.cpu) == {("post", meter.REST): 6, ("post", "render"): 7}


def test_collecting_garbage_is_no_stages_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the collector takes counts as its own, in whichever stage it begins; between tasks it counts nowhere."""
    clock, watch = [0], meter.Meter()
    monkeypatch.setattr(meter, "thread_time_ns", lambda: clock[0])
    monkeypatch.setattr(meter, "STAGES", ())
    monkeypatch.setattr(meter, "OPENINGS", ())
    monkeypatch.setattr(gc, "callbacks", [])
    watch.watch()
    (collected,) = gc.callbacks

    def collect() -> None:
        collected("start", {})
        clock[0] += 50
        collected("stop", {})

    with watch.task("post"), watch.within("render"):
        clock[0] += 7
        collect()
    collect()
    assert dict(watch.cpu) == {("post", meter.REST): 0, ("post", "render"): 7, ("post", meter.GARBAGE): 50}


def test_kept_figures_are_compared_by_ratios() -> None:
    """A table beside kept figures shows the ratio of each, and the same freed of how fast the machine was."""
    slower = {"median": 20.0, "low": 9.0, "high": 30.0}
    now = {**KEPT, "figures": {**KEPT["figures"], "cpu_ms": {"all": FIGURES, "yardstick": slower}}}
    lines = table(now, comparable(PLAN, json.dumps(KEPT).encode())).splitlines()
    assert next(line for line in lines if line.startswith("all ")).split()[-2:] == ["1.000", "0.500"]
    assert next(line for line in lines if "SELECT" in line).split()[-2:] == ["1.000", "1.000"]
    assert "ratio" not in table(now, None)


def test_each_process_of_a_server_is_named_by_its_role() -> None:
    """The bench tells the processes of a server apart by their command lines; what has no role is the broker."""
    for role in WORKERS:
        assert process_name([b"python", b"-m", b"worker.run", role.encode()], "python") == role
        assert process_name([b"python", b"-c", b"anything"], f"pbem {role}2") == role
    assert process_name([b"valkey-server", b"*:0"], "valkey-server") == "broker"


def test_only_figures_of_the_same_cycles_are_compared() -> None:
    """A kept file with other seats, or with no figures at all, is refused in a sentence."""
    with pytest.raises(ValueError, match="was measured with seats 4, not 3"):
        comparable(PLAN, json.dumps({**KEPT, "seats": 4}).encode())
    with pytest.raises(ValueError, match="holds no figures of this bench"):
        comparable(PLAN, b"{}")


def test_a_bench_says_what_its_options_go_with(tmp_path: Path) -> None:
    """Options of the measure on the processor are refused without it; so is a file that cannot be compared with."""
    found = CliRunner().invoke(main, ["bench", "cycle", "--runs", "2"])
    assert found.exit_code == 2
    assert "go with --cpu" in found.output
    (tmp_path / "kept").write_text("{}")
    found = CliRunner().invoke(main, ["bench", "cycle", "--cpu", "--compare", str(tmp_path / "kept")])
    assert found.exit_code == 1
    assert "holds no figures" in found.output


@pytest.mark.slow
def test_the_bench_of_pages_tells_time_cost_and_weight() -> None:
    """Of pages, checks and pulses it tells how long they take and what they cost; of all, what goes over the wire."""
    found = pages.measure("renaissance", 3, 4, 1, 100)
    assert {"play_page", "map_svg", "steady", "kb"} <= set(found)
    for figures in found["steady"].values():
        assert figures["p95_ms"] >= figures["p50_ms"] > 0
        assert figures["cpu_ms"] > 0
    weighs = found["kb"]
    assert weighs["first_sight"] == pytest.approx(weighs["page"] + weighs["map"] + weighs["static"], abs=0.2)
    assert weighs["first_sight"] < 250
    assert 0 < weighs["check"] < 30
