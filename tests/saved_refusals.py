"""Whatever the rules refuse can be saved: a refusal at the resolution is entered in the journal with its terms."""

from collections.abc import Mapping
from functools import wraps
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.holes import has_hole
from engine.kernel.orders import Problem

_known: set[tuple[str, Any]] = set()


def watch() -> None:
    """From now on a problem whose terms cannot be saved is an error where it is made, in every test."""
    made = Problem.__init__

    @wraps(made)
    def watched(self: Problem, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        if any(map(has_hole, self.terms.values())):
            return  # of an order that is not complete: it is made again before anybody sees it
        shape = self.code, _shape(self.terms)
        if shape not in _known:
            dump(self)
            _known.add(shape)

    setattr(Problem, "__init__", watched)  # noqa: B010 - a frozen class, and mypy would have it a method


def _shape(value: object) -> Any:
    """Of which classes something is put together."""
    if isinstance(value, Mapping):
        return frozenset((key, _shape(one)) for key, one in value.items())
    if isinstance(value, (tuple, list, set, frozenset)):
        return value.__class__, frozenset(map(_shape, value))
    return value.__class__
