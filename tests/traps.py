"""A folder with a file for every module that we import: whoever imports one from there leaves a mark."""

from importlib.metadata import packages_distributions
from pathlib import Path

OWN = ("engine", "pbem", "worker", "multiprocessing")


def set_traps(folder: Path) -> Path:
    """Make such a folder; the mark is a file `imported`, and whoever leaves it ends."""
    folder.mkdir()
    for name in {*packages_distributions(), *OWN}:
        mark = f"open({str(folder / 'imported')!r}, 'a').write({name!r})"
        (folder / f"{name}.py").write_text(f"{mark}\nraise SystemExit(86)\n", encoding="utf-8")
    return folder
