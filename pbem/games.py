"""The games of this server: those that come with it, and those of packages installed beside it.

A package offers a game by an entry point of the group `pbem.games`: its name, and where its rules are
(`chess = "chess:RULES"`). Its templates lie in the folder `templates` of that module's package, laid out as ours.
Its code runs in every process, where the keys are: who installs it trusts it with all secrets of the server.
"""

import traceback
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

import engine
from engine import GAMES
from engine.kernel.rules import Meta, Rules
from pbem.narration.folders import add_folder

GROUP: Final = "pbem.games"


@cache
def install_games() -> dict[str, str]:
    """Add the games of packages to the engine's `GAMES`; returns, by name, why a game could not be added.

    To be called when a process starts, before anything is read or told. A game that fails is as if it were not
    installed: its tables are held, and the others go on.
    """
    faults: dict[str, str] = {}
    for point in entry_points(group=GROUP):
        try:
            _add(point)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one package, the server goes on
            faults[point.name] = f"{type(error).__name__}: {error}{_package_folder(point, error)}"
    return faults


def _package_folder(point: EntryPoint, error: Exception) -> str:
    """Where in its package a game failed, as ` (auction/events.py, line 12)`; empty where it failed outside of it."""
    package = point.module.partition(".")[0]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        parts = Path(frame.filename).parts
        if package in parts:
            return f" ({'/'.join(parts[-2:])}, line {frame.lineno})"
    return ""


def load_rules(name: str) -> Rules[Any]:
    """The rules of a game that is installed; raises KeyError, whose text names the games there are."""
    install_games()
    return engine.rules(name)


def _add(point: EntryPoint) -> None:
    """Raises ValueError where what the entry point names is no game of that name, or one that there is already."""
    rules = point.load()
    meta = getattr(rules, "meta", None)
    if not isinstance(meta, Meta):
        raise ValueError(f"{point.value} is not the rules of a game")
    if meta.name != point.name:
        raise ValueError(f"{point.value} is the rules of {meta.name}, not of a game called {point.name}")
    if GAMES.setdefault(point.name, rules) is not rules:
        raise ValueError(f"there is a game {point.name} already")
    add_folder(load_templates(point.module))


def load_templates(module: str) -> Path:
    """The folder of templates of the package that a module is, or is in."""
    found = import_module(module)
    package = found if hasattr(found, "__path__") else import_module(str(found.__package__))
    return Path(next(iter(package.__path__))) / "templates"
