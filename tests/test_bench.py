"""Each bench measures what it names: one small run of each."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import GAMES
from engine.kernel.viewers import Seat
from pbem.bench import clock, cpu, cycle, engine, exchanges, moves, pages
from pbem.bench.in_process import InProcessServer, new_settings
from pbem.bench.players import Players
from pbem.bench.tables import play_bot_game
from pbem.cli.main import main
from tests.budget import budget


@pytest.mark.night
def test_the_engine_is_timed_early_late_and_behind_a_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gates of all seats are resolved, and a game is loaded behind journals of two lengths."""
    monkeypatch.setattr(engine, "WARM_UP", 1)
    found = engine.measure("amalfi", 2, (2, 5))
    assert found["early_gate"]["turn"] < found["late_gate"]["turn"]
    assert all(found[name]["p95_ms"] >= found[name]["p50_ms"] > 0 for name in ("early", "late", "load_2", "load_5"))


@pytest.mark.night
def test_legal_moves_are_timed_for_every_question() -> None:
    """Whole games are looked at, with `--full` of two sizes; no search is given up."""
    found = moves.measure("amalfi", budget(1, 2))
    assert found["values"] > found["questions"] > 10
    assert found["unfinished"] == 0
    for figures in (found["first_answer"], found["slowest_topic"]):
        assert figures["max_ms"] >= figures["p95_ms"] >= figures["p50_ms"] > 0


@pytest.mark.night
def test_waits_are_counted_for_each_way_to_answer() -> None:
    """With two players: the page waits less than letters of one answer, and plans halve the letters."""
    ways = exchanges.measure("amalfi", 1)["waits"][2]
    assert ways["plan"]["mean"] <= ways["letter"]["mean"] / 2
    assert ways["page"]["mean"] < ways["letter"]["mean"] <= ways["letter"]["worst"]
    assert exchanges.count_waits(GAMES["amalfi"], 2, "plan", 1) == ways["plan"]


@pytest.mark.parametrize(
    ("title", "turn"), [("age_of_renaissance", 0), ("renaissance", 0), ("amalfi", 0), ("patchistory", 1)]
)
def test_waits_of_a_set_up_belong_to_no_turn(title: str, turn: int) -> None:
    """Though orders that are sent then are for the first turn; Patchistory has no question before its first round."""
    seats = [Seat(f"s{n}") for n in range(3)]
    assert exchanges.MailGame(GAMES[title], seats, dict.fromkeys(seats, "plan"), b"set-up").turn() == turn


@pytest.mark.night
def test_cycles_in_one_process_are_counted_by_role(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cycle of a game that asks its seats one by one at first: all letters are counted, and what each role did."""
    monkeypatch.setattr(cpu, "WARM_UP", 0)
    found = cpu.measure("patchistory", 3, 1, 1)
    assert found["all"]["letters_in"] >= 3
    assert found["all"]["letters_out"] >= 6
    for role in ("smtp", "mailer", "resolver"):
        assert all(found[role][name] > 0 for name in ("cpu_ms", "SELECT", "commits", "held_ms", "bytes_written")), role
    roles = sum(found[role]["cpu_ms"] for role in ("smtp", "mailer", "resolver"))
    assert found["all"]["cpu_ms"] == pytest.approx(roles, abs=0.1)


@pytest.mark.night
def test_the_end_of_a_game_is_counted_apart_from_its_cycles(tmp_path: Path) -> None:
    """The file, the search and the compaction of a game that ends are in no cycle's figures, but in those of an end."""
    server = InProcessServer(new_settings(tmp_path, relay_port=9))
    cycles: list[bool] = []
    measured = cpu._measure_cycles(cpu.Exchange(server, Players("renaissance", 3, 1)))
    with pytest.raises(LookupError, match="no game asks"):
        cycles.extend(is_whole for _, is_whole in measured)
    server.close()
    assert cycles.count(False) == 1
    assert not cycles[-1]
    assert len(cycles) > 10


@pytest.mark.long
def test_cycles_of_a_whole_server_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games go on, receipts come, each process has used the processor and holds memory; a game ends at its time."""
    monkeypatch.setattr(cycle, "STEADY_S", 2.0)
    monkeypatch.setattr(cycle, "WARM_UP_S", 0.0)
    monkeypatch.setattr(cycle, "SPARE", 0)
    found = cycle.measure("renaissance", 3, 2, 1, 1, "")
    assert found["letters_per_second"] >= found["rounds_per_second"] > 0
    assert found["receipt_p95_ms"] >= found["receipt_p50_ms"] > 0
    assert found["stuck"] == []
    for figures in (found["memory_mb"], found["cpu_ms_per_letter"]):
        assert {"web", "smtp", "mailer", "resolver", "scheduler"} <= figures.keys()


def test_deadlines_are_measured_idle_and_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks with nothing due wake no game; then each game that is due is asked for once, and visited."""
    monkeypatch.setattr(clock, "SEEDS", 1)
    found = clock.measure("amalfi", 2, 4, 2, 2)
    assert all(look["cpu_p95_ms"] > 0 for look in found["idle"].values())
    assert found["due"]["games"] == 2
    assert found["due"]["visits"]["most_statements"] > found["due"]["enqueue_due_games"]["statements"]


@pytest.mark.long
def test_pages_are_timed_and_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages, maps, checks and pulses are answered early and late; a page weighs less than 250 kB at first sight."""
    monkeypatch.setattr(pages, "REQUESTS", 4)
    found = pages.measure("renaissance", 3, 2, 100)
    for when in ("early", "late"):
        for kind in ("page", "map", "check", "pulse"):
            assert found[when][kind]["p95_ms"] >= found[when][kind]["p50_ms"] > 0
    assert 0 < found["sent_kb"]["check"] < 30
    assert 50 < found["sent_kb"]["first_sight"] < 250
    assert found["stored_kb_an_entry"]["running"] > found["stored_kb_an_entry"]["over"] > 1


@pytest.mark.parametrize(("title", "players", "turn"), [("renaissance", 3, 2), ("diplomacy", 7, 1902)])
def test_pages_are_those_of_the_second_turn_and_of_the_end(title: str, players: int, turn: int) -> None:
    """Whether a game counts its turns or names its years."""
    rules = GAMES[title]
    game = play_bot_game(rules, tuple(Seat(f"s{n + 1}") for n in range(players)), 1)
    early, late = pages._early_and_late(rules, game)
    assert rules.turn(early.entries[-1].after.position) == turn
    assert len(late.entries) > len(early.entries)


@pytest.mark.parametrize("command", ["engine", "moves", "exchanges", "cycle", "clock", "pages"])
def test_a_bench_refuses_an_unknown_game(command: str) -> None:
    """The name of an unknown game is answered with the known ones, before anything is started."""
    found = CliRunner().invoke(main, ["dev", "bench", command, "--title", "chess"])
    assert found.exit_code == 1
    assert "there is no game 'chess'; there is: " in found.output
