"""Whole exchanges of letters in one process: CPU time, statements and lock time of a cycle, without sockets and queue.

A cycle is complete when all seats of a game have answered and have their next reports.  A cycle that ends its game also
pays for the file, the words for the search and the compaction: it is counted apart, among the endings.  Letters, random
bytes and the clock are the same in each run.  To compare two versions, run them by turns and compare their figures.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import thread_time_ns
from typing import Any, Final

from pbem.bench.in_process import InProcessServer, new_settings
from pbem.bench.meter import Costs, no_costs
from pbem.bench.players import BenchGame, Players, Seat, Sets
from pbem.ops.memory import freeze_gc

WARM_UP: Final = 3
"""Cycles that are not counted."""
MOST_STEPS: Final = 60
"""Steps without a cycle after which the games count as stuck."""


class Exchange:
    """A server and its players; `letters` counts those in and out."""

    def __init__(self, server: InProcessServer, players: Players) -> None:
        """Create the games."""
        self.server, self.players, self.letters = server, players, Counter[str]()
        self._turns = cycle(players.games)
        players.create_games(server.services["web"])
        self._exchange()

    def next_game(self) -> BenchGame:
        """The next game that is not over; raises StopIteration if there is none."""
        return next(game for game in islice(self._turns, len(self.players.games)) if not game.over)

    def play(self, game: BenchGame) -> None:
        """Answer for all seats that are asked, and read what comes of it."""
        asked, game.waiting = game.waiting, {}
        for address, (recipient, sets) in asked.items():
            self._write(game.seats[address], recipient, sets)
        self._exchange()

    def _write(self, seat: Seat, recipient: str, sets: Sets) -> None:
        self.letters["letters_in"] += 1
        self.server.take_in(recipient, self.players.write(seat, recipient, sets))

    def _exchange(self) -> None:
        while self.server.tasks or self.server.sent:
            self.server.run_tasks()
            while self.server.sent:
                message = self.server.sent.popleft()
                self.letters["letters_out"] += 1
                seat = self.players.by_address[message.recipient]
                letter, sets = self.players.read(seat, message.wire)
                if sets:
                    self._write(seat, letter.reply_to, sets)


def measure(title: str, seats: int, games: int, cycles: int) -> dict[str, Any]:
    """Measure so many cycles; returns costs of a cycle by role, and the CPU time of the games' last ones.

    Raises LookupError if the games end before.
    """
    costs, endings = no_costs(), list[Costs]()
    with tempfile.TemporaryDirectory(prefix="pbem-cpu-") as folder:
        server = InProcessServer(new_settings(Path(folder), relay_port=9))
        exchange = Exchange(server, Players(title, seats, games))
        freeze_gc()
        number = -WARM_UP
        for found, is_whole in _measure_cycles(exchange):
            if not is_whole:
                endings.append(found)
                continue
            for role, of_role in found.items() if number >= 0 else ():
                for name, cost in of_role.items():
                    costs[role][name] += cost / cycles
            number += 1
            if number == cycles:
                break
        server.close()
    rounded = {role: {name: round(cost, 2) for name, cost in sorted(of.items())} for role, of in sorted(costs.items())}
    ended = {"endings": len(endings), "ending_cpu_ms": _median_cpu_ms(endings)}
    return {"title": title, "seats": seats, "games": games, "cycles": cycles, **ended, **rounded}


def _measure_cycles(exchange: Exchange) -> Iterator[tuple[Costs, bool]]:
    """The costs of each cycle, and whether it is whole: not if the game ended with it.

    Games that do not ask all their seats at once are played on uncounted, unless they end.
    """
    steps = 0
    while steps < MOST_STEPS:
        try:
            game = exchange.next_game()
        except StopIteration:
            break
        asks_all = len(game.waiting) == exchange.players.size
        found = _measure_cycle(exchange, game)
        steps = 0 if asks_all else steps + 1
        if asks_all or game.over:
            yield found, not game.over
    raise LookupError("no game asks all its seats any more: measure fewer cycles, or more games")


def _median_cpu_ms(endings: list[Costs]) -> dict[str, float]:
    """The CPU time of an ending by role."""
    roles = {role for costs in endings for role in costs}
    return {role: round(median(costs[role]["cpu_ms"] for costs in endings), 1) for role in sorted(roles)}


def _measure_cycle(exchange: Exchange, game: BenchGame) -> Costs:
    """The costs of a game's next cycle: of the server by role and as a whole, and of its players."""
    meter = exchange.server.meter
    meter.reset()
    exchange.letters.clear()
    began = thread_time_ns()
    exchange.play(game)
    spent = (thread_time_ns() - began) / 1e6
    whole = no_costs()["all"]
    whole.update(exchange.letters)
    for of_role in meter.costs.values():
        for name, cost in of_role.items():
            whole[name] += cost
    players = no_costs()["players"]
    players["cpu_ms"] = spent - whole["cpu_ms"]
    return {**meter.costs, "all": whole, "players": players}
