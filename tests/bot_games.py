"""Whole games between bots, played once in a run of the tests and read by every process of it."""

import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, overload

from engine import GAMES
from engine.kernel.bots import Bot, BotProfile, FinishedGame, chooser, play_game
from engine.kernel.position import Position
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import redact
from engine.kernel.viewers import Seat, Viewer
from tests import made_once

OURS: Final = tuple(title for title, rules in GAMES.items() if type(rules).__module__.startswith("engine."))
"""The games of this project, of which whole games are kept as text; those of packages keep their own."""
SEATS: Final = tuple(Seat(name) for name in ("ann", "bob", "cleo", "dan", "eve", "finn", "gail"))

_games: dict[str, FinishedGame[Any]] = {}


def played(
    rules: Rules[Any],
    seats: Sequence[Seat],
    options: Mapping[str, str] | None = None,
    seed: bytes = b"narration" * 4,
    temper: BotProfile | Mapping[Seat, BotProfile] | None = None,
) -> FinishedGame[Any]:
    """Return the game that bots of this temper, or of their own, play; played by the first who asks, then read.

    Coverage does not count what is done meanwhile: a line that must be covered has a test that looks at it.
    """
    chosen = dict(sorted((options or {}).items()))
    name = repr((rules.meta.name, type(rules).__qualname__, tuple(seats), chosen, seed, temper))
    if name not in _games:
        _games[name] = made_once.load_or_make(name, lambda: _play(rules, seats, chosen, seed, temper))
    return _games[name]


def nearest(rules: Rules[Any], players: int) -> int:
    """Return how many play where a test wants so many players: as many, or the next number that the game is for."""
    return min(rules.meta.seats, key=lambda number: abs(number - players))


def plain(rules: Rules[Any]) -> FinishedGame[Any]:
    """A game of about four who play by the defaults: for tests to which any whole game will do."""
    return played(rules, [Seat(f"p{n}") for n in range(1, nearest(rules, 4) + 1)], rules.meta.chosen({}))


class Views(Sequence[View]):
    """What a viewer was shown after each entry of a game; made when it is looked at."""

    def __init__(self, rules: Rules[Any], positions: Sequence[Position[Any]], viewer: Viewer) -> None:
        self._rules, self._positions, self._viewer = rules, positions, viewer

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, number: int) -> View: ...
    @overload
    def __getitem__(self, number: slice) -> "Views": ...
    def __getitem__(self, number: int | slice) -> "View | Views":
        if isinstance(number, slice):
            return Views(self._rules, self._positions[number], self._viewer)
        return self._rules.present_view(redact(self._positions[number], self._viewer), self._viewer)


def views(rules: Rules[Any], game: FinishedGame[Any], viewer: Viewer) -> Views:
    """What a viewer was shown after each entry of a whole game."""
    return Views(rules, tuple(entry.after.position for entry in game.entries), viewer)


def _play(
    rules: Rules[Any],
    seats: Sequence[Seat],
    options: Mapping[str, str],
    seed: bytes,
    temper: BotProfile | Mapping[Seat, BotProfile] | None,
) -> FinishedGame[Any]:
    choose = chooser(seed)
    tempers = temper if isinstance(temper, Mapping) else dict.fromkeys(seats, temper)
    with untraced():
        return play_game(rules, seats, options, seed, {seat: Bot(rules, seat, choose, tempers[seat]) for seat in seats})


@contextmanager
def untraced() -> Iterator[None]:
    """Neither coverage nor a debugger watches what is done within, here and in threads that begin meanwhile."""
    here, begun = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(here)
        threading.settrace(begun)
