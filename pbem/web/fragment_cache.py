"""Parts of pages that were made before: what an entry looked like to its reader does not change while it stands."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from markupsafe import Markup

MAX_CHARACTERS = 40_000_000
"""Characters kept at a time: the parts and the map of a page are some two hundred thousand."""


class FragmentCache:
    """The newest parts, by what they are made of.  The key names the reader: nobody gets what another was shown."""

    def __init__(self, most: int = MAX_CHARACTERS) -> None:
        self._most, self._size = most, 0
        self._parts: OrderedDict[Hashable, Markup] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get_or_create(self, key: Hashable, make: Callable[[], str]) -> Markup:
        """A part, made now if it was not made before; of two readers at once the second waits for the first."""
        found, making = self._find(key)
        if found is not None:
            return found
        with making:
            found, _ = self._find(key)
            if found is None:
                try:
                    found = Markup(make())  # noqa: S704 - what our own templates wrote, everything told in them escaped
                    self._keep(key, found)
                finally:
                    with self._lock:
                        self._making.pop(key, None)
        return found

    def _find(self, key: Hashable) -> tuple[Markup | None, Lock]:
        """A part that was made before, and what to hold while it is made."""
        with self._lock:
            found = self._parts.get(key)
            if found is not None:
                self._parts.move_to_end(key)
            return found, Lock() if found is not None else self._making.setdefault(key, Lock())

    def _keep(self, key: Hashable, made: Markup) -> None:
        with self._lock:
            self._size += len(made) - len(self._parts.pop(key, ""))
            self._parts[key] = made
            while self._size > self._most:
                self._size -= len(self._parts.popitem(last=False)[1])
