"""The benchmark of a game's rules: its heaviest gate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class Workload:
    """The gate to measure, answered by all seats at once, in turn `early` and in turn `late` or later.

    `gate`: the beginning of its name. `options`: options to set, if the defaults never ask all seats at once.
    """

    gate: str
    early: int
    late: int
    options: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class HasBenchmark(Protocol):
    """Rules that declare a workload to measure (optional, like `SupportsReadings`)."""

    @property
    def workload(self) -> Workload:
        """Return the heaviest gate."""
        ...


def options_of(rules: object) -> Mapping[str, str]:
    """Return the options of a game to measure; none for rules without a workload."""
    return rules.workload.options if isinstance(rules, HasBenchmark) else {}
