"""Folders of languages beside the engine's own, added before any language is read."""

from pathlib import Path

_added: list[Path] = []
_read: list[bool] = []


def add(folder: Path) -> None:
    """Let languages be read from `folder` too; raises RuntimeError once the languages have been read."""
    if _read:
        raise RuntimeError(f"the languages are read already: {folder} comes too late")
    _added.append(folder)


def added() -> tuple[Path, ...]:
    """The folders added so far; none can be added from now on."""
    _read.append(True)
    return tuple(_added)
