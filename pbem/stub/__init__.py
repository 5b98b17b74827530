"""A small game that plays, tells and shows, and is written under another name for a new one to begin with."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

OURS = "pbem.stub.game"


def write(name: str, into: Path) -> tuple[Path, ...]:
    """Write a package of a new game below a folder; returns its files.

    Raises ValueError for a name that cannot be a package's, FileExistsError where the folder of the game is there.
    """
    if not name.isidentifier() or name != name.lower() or name.startswith("_"):
        raise ValueError(f"{name!r} cannot be the name of a game: small letters, digits and _, a letter first")
    folder = into / name
    if folder.exists():
        raise FileExistsError(f"{folder} is there already")
    ours = files(__package__)
    written = [_copy(ours / "project.toml", folder / "pyproject.toml", name)]
    written += [_copy(ours / "test_game.py", folder / "tests" / f"test_{name}.py", name)]
    written += [_copy(file, folder / name / _named(path, name), name) for path, file in _files(ours / "game")]
    return tuple(written)


def _files(folder: Traversable, below: str = "") -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir() and item.name != "__pycache__":
            found += _files(item, f"{below}{item.name}/")
        elif item.is_file():
            found.append((below + item.name, item))
    return found


def _copy(file: Traversable, to: Path, name: str) -> Path:
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(_named(file.read_text(encoding="utf-8"), name), encoding="utf-8")
    return to


def _named(text: str, name: str) -> str:
    """What is said of the stub, said of the game."""
    title = name.replace("_", " ").title()
    return text.replace(OURS, name).replace("stub", name).replace("Stub", title)
