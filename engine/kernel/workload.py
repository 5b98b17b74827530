"""What measures how fast a game's rules are: its heaviest gate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class Workload:
    """The gate whose name begins with `gate`, for all seats at once: of turn `early`, and of turn `late` or later.

    `options`: those of the table, where the usual ones never ask all seats at once.
    """

    gate: str
    early: int
    late: int
    options: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class HasBenchmark(Protocol):
    """Rules of a game that says what of it is to be measured (optional, like `SupportsReadings`)."""

    @property
    def workload(self) -> Workload:
        """Its heaviest gate."""
        ...


def options_of(rules: object) -> Mapping[str, str]:
    """Return the options of a table to be measured, none for rules without a workload."""
    return rules.workload.options if isinstance(rules, HasBenchmark) else {}
