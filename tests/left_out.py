"""The last line of a run: which tests were left out or skipped, and why."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from pbem.games import install

LEFT, SKIPPED = "left_out", "skipped"


class LeftOut:
    """Counts what was not run, in the process that runs tests or in that which hands them out."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.ran = False
        self.left = 0
        self.skipped = Counter[str]()

    def pytest_sessionstart(self) -> None:
        """Tests are going to be run, or only listed."""
        self.ran = not (self.config.option.collectonly or hasattr(self.config, "workerinput"))

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Some tests were not wanted."""
        self.left += len(items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that was skipped says why."""
        if report.skipped and isinstance(report.longrepr, tuple):
            self.skipped[str(report.longrepr[2]).removeprefix("Skipped: ")] += 1

    def pytest_sessionfinish(self) -> None:
        """A process that runs tests for another tells it."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput[LEFT] = self.left

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Every process leaves out the same."""
        self.left = max(self.left, getattr(node, "workeroutput", {}).get(LEFT, 0))

    def line(self) -> str:
        """The line."""
        wanted = " and ".join(filter(None, (self.config.option.markexpr, self.config.option.keyword)))
        why = ' (marked slow: "make test-all" runs them)' if wanted == "not slow" else f' (wanted: "{wanted}")'
        skipped = "; ".join(f"{count}: {reason}" for reason, count in sorted(self.skipped.items()))
        return f"Left out: {self.left or 'no test'}{why if self.left else ''}. Skipped: {skipped or 'no test'}."

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Everything else was said."""
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None and self.ran:
            for name, fault in install().items():
                terminal.write_line(f"The game {name} could not be loaded, and is in no test: {fault}.")
            terminal.write_line(self.line())
