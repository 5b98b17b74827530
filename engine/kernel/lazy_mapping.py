"""Parts of a view that are reckoned when they are asked for: of what a game can tell beforehand, most is never read."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Viewer


class LazyMapping(Mapping[str, Any]):
    """Values by name, each reckoned once, when it is first read, by what its viewer knows.

    The position that they follow from must stay as it is meanwhile, as one that is shown does.
    """

    __slots__ = ("_found", "_reckon", "_viewer")

    def __init__(self, viewer: Viewer, reckon: Mapping[str, Callable[[], Any]]) -> None:
        """`reckon`: how each value is found."""
        self._viewer, self._reckon = viewer, reckon
        self._found = dict[str, Any]()

    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            with seen_by(self._viewer):
                self._found[name] = self._reckon[name]()
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reckon)

    def __len__(self) -> int:
        return len(self._reckon)

    def __repr__(self) -> str:
        return repr(dict(self))
