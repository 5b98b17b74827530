"""Folders of languages kept beside our own: each `pbem_languages` on Python's path, as a package or bare files."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

NAME: Final = "pbem_languages"


@cache
def register_folder() -> tuple[Path, ...]:
    """The folders, in the order of the path; none is usual."""
    spec = find_spec(NAME)
    places = spec.submodule_search_locations if spec is not None else None
    return tuple(Path(place) for place in places or ())
