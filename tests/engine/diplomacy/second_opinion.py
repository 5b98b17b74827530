"""Random games as the PyPI package `diplomacy` adjudicates them, one a line, as JSON: run in an environment of its own.

    PYTHON tests/engine/diplomacy/second_opinion.py FIRST_SEED GAMES

Half of the units move at random, by sea too; the others support and convoy these moves, or whatever is near. No code of
the package is copied here, and the server does not need it.
"""

import json
import sys
from random import Random
from typing import Any

from diplomacy import Game  # type: ignore[import-not-found]

YEARS = 6


def play(seed: int) -> dict[str, Any]:
    """A game of some years: phase by phase the orders, and what came of them."""
    random, game, phases = Random(seed), Game(), []
    while not game.is_game_done and int(game.get_current_phase()[1:5]) < 1901 + YEARS:
        phase, possible = game.get_current_phase(), game.get_all_possible_orders()
        moves = _moves(possible, random)
        orders = {name: _orders(game, name, possible, moves, random) for name in sorted(game.powers)}
        for name, lines in orders.items():
            game.set_orders(name, lines)
        game.process()
        state = game.get_state()
        phases.append(
            {
                "phase": phase,
                "orders": {name.capitalize(): lines for name, lines in orders.items() if lines},
                "units": {name.capitalize(): sorted(units) for name, units in state["units"].items() if units},
                "centres": {name.capitalize(): sorted(owned) for name, owned in state["centers"].items() if owned},
                "next": game.get_current_phase(),
            }
        )
    return {"seed": seed, "phases": phases}


def _moves(possible: dict[str, list[str]], random: Random) -> dict[str, str]:
    """Moves of about half of all units, by unit."""
    chosen: dict[str, str] = {}
    for place in sorted(possible):
        moves = sorted(
            order for order in possible[place] if " - " in order and " S " not in order and " C " not in order
        )
        if moves and random.random() < 0.5:
            by_sea = [order for order in moves if order.endswith(" VIA")]
            move = random.choice(by_sea if by_sea and random.random() < 0.5 else moves)
            chosen[" ".join(move.split()[:2])] = move
    return chosen


def _orders(game: Any, name: str, possible: dict[str, list[str]], moves: dict[str, str], random: Random) -> list[str]:
    found = []
    for place in game.get_orderable_locations(name):
        options = sorted(possible[place])
        unit = " ".join(options[0].split()[:2]) if options else ""
        helped = [order for order in options if any(_helps(order, move) for move in moves.values())]
        if unit in moves and moves[unit] in options:
            found.append(moves[unit])
        elif helped and random.random() < 0.8:
            found.append(random.choice(helped))
        elif options:
            found.append(random.choice([o for o in options if " S " not in o or "/" not in o.rpartition(" - ")[2]]))
    if game.get_current_phase().endswith("A"):
        builds = len(game.powers[name].centers) - len(game.powers[name].units)
        found = found[: abs(builds)]
    return found


def _helps(order: str, move: str) -> bool:
    """Whether an order supports or convoys a move, and names the coast that it names (RULES.md, C5)."""
    return order.endswith((f" S {move.removesuffix(' VIA')}", f" C {move.removesuffix(' VIA')}"))


if __name__ == "__main__":
    first, games = int(sys.argv[1]), int(sys.argv[2])
    for number in range(first, first + games):
        print(json.dumps(play(number)), flush=True)
