"""Sequences and mappings whose contents are computed when first read, as a viewer sees them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Viewer

T = TypeVar("T")


class LazySequence(Sequence[T]):
    """A sequence computed when first read; an email uses only a few of its possible sections."""

    def __init__(self, viewer: Viewer, look_up: Callable[[], Iterable[T]]) -> None:
        """`look_up`: called at most once, as `viewer` sees."""
        self._viewer = viewer
        self._look_up: Callable[[], Iterable[T]] | None = look_up
        self._found: tuple[T, ...] = ()

    def _load(self) -> tuple[T, ...]:
        if self._look_up is not None:
            with seen_by(self._viewer):
                self._found = tuple(self._look_up())
            self._look_up = None  # free what the function refers to
        return self._found

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return self._load()[place]

    def __len__(self) -> int:
        return len(self._load())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._load() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._load())


class LazyMapping(Mapping[str, Any]):
    """A mapping whose values are computed when first read, as its viewer sees.

    The position that they are computed from must not change before that.
    """

    __slots__ = ("_found", "_reckon", "_viewer")

    def __init__(self, viewer: Viewer, reckon: Mapping[str, Callable[[], Any]]) -> None:
        """`reckon`: the function that computes each value."""
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
