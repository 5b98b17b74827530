"""What deadlines cost a server with many games: looks with nothing due, then many questions due at once.

Everything is done in one process whose clock the bench sets, and measured in CPU time and statements.  Nobody answers,
so the gates that are due are resolved with the default answers.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import engine
from engine.kernel.viewers import Seat
from pbem.app import Role
from pbem.bench.in_process import InProcessServer, new_settings
from pbem.bench.tables import SEEDS, PlayedGame, finish_work, play_bot_game, store_game
from pbem.service.base.services import Services
from pbem.service.tasks import jobs, resolve_game

SOON_H: Final = 1
LATE_H: Final = 24 * 10
"""Hours to the deadline of the games that come due, and of all others."""
LOOK: Final = timedelta(seconds=5)
"""Time from look to look, as in the server's schedule."""
STEP: Final = timedelta(minutes=5)
"""Time from look to look on the way to the deadlines: a longer gap would count as an outage."""
LOOKS: Final[Mapping[str, tuple[Role, Callable[[Services], Any]]]] = {
    "enqueue_due_games": ("scheduler", jobs.enqueue_due_games),
    "run_mail_jobs": ("mailer", jobs.run_mail_jobs),
    "requeue_stuck_work": ("scheduler", jobs.requeue_stuck_work),
}
"""What the schedule runs every few seconds, and which process does it."""

Say = Callable[[str], None]
Cost = dict[str, float]


def measure(title: str, seats: int, games: int, due: int, looks: int, say: Say = lambda text: None) -> dict[str, Any]:
    """Measure `looks` looks at `games` games with nothing due, then one at which `due` of them are due."""
    with tempfile.TemporaryDirectory(prefix="pbem-clock-") as folder:
        server = InProcessServer(new_settings(Path(folder), relay_port=9))
        _store_games(server, title, seats, games, due, say)
        began = server.moment
        _run_tasks(server, LOOK)  # the first look does more than those that follow
        idle = [_run_tasks(server, LOOK) for _ in range(looks)]
        before = [_run_tasks(server, STEP) for _ in range(int(timedelta(hours=SOON_H) / STEP) - 1)]
        say("questions are due")
        server.tasks.clear()
        server.moment = began + timedelta(hours=SOON_H)
        at_once = _run_tasks(server, LOOK)
        resolver = server.services["resolver"]
        woken = [game for task, game in server.tasks if task == "resolve_game"]
        visits = [_cost(server, "resolver", partial(resolve_game.run, resolver, game)) for game in woken]
        server.close()
    return {
        "title": title,
        "seats": seats,
        "games": games,
        "idle": {name: _summary([sample[name] for sample in idle]) for name in LOOKS},
        "reminders": _summary([sample["run_mail_jobs"] for sample in before]),
        "due": {"games": len(woken), "enqueue_due_games": at_once["enqueue_due_games"], "visits": _summary(visits)},
    }


def _store_games(server: InProcessServer, title: str, seats: int, games: int, due: int, say: Say) -> None:
    """Store all games, up to where all their seats are asked for the first time."""
    chairs = tuple(Seat(f"s{n + 1}") for n in range(seats))
    played = [_play_until_all_owe(title, chairs, seed + 1) for seed in range(min(SEEDS, games))]
    resolver = server.services["resolver"]
    for number in range(games):
        store_game(resolver, played[number % len(played)], number, SOON_H if number < due else LATE_H)
        if number % 500 == 499:
            say(f"{number + 1} of {games} games are stored")
    finish_work(resolver)


def _play_until_all_owe(title: str, seats: tuple[Seat, ...], seed: int) -> PlayedGame:
    game = play_bot_game(engine.rules(title), seats, seed)
    for number in range(len(game.entries)):
        if all(game.waits_for(number, seat) for seat in seats):
            return game.until(number)
    raise LookupError(f"no gate of {title} asks all seats")


def _run_tasks(server: InProcessServer, after: timedelta) -> dict[str, Cost]:
    """Everything that the schedule runs at one moment."""
    server.moment += after
    return {name: _cost(server, role, partial(work, server.services[role])) for name, (role, work) in LOOKS.items()}


def _cost(server: InProcessServer, role: Role, work: Callable[[], Any]) -> Cost:
    server.meter.reset()
    with server.meter.task(role):
        work()
    costs = server.meter.costs[role]
    statements = sum(number for name, number in costs.items() if name.isupper())
    return {"cpu_ms": round(costs["cpu_ms"], 2), "statements": statements}


def _summary(costs: Sequence[Cost]) -> Cost:
    if not costs:
        return {}
    cuts = quantiles([cost["cpu_ms"] for cost in costs] * 2, n=20, method="inclusive")
    most = max(cost["statements"] for cost in costs)
    return {"cpu_p50_ms": round(cuts[9], 2), "cpu_p95_ms": round(cuts[18], 2), "most_statements": most}
