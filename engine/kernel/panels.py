"""The panel of a player beside a board: what a page shows of each player at all times.

Panels are made from views only, so they hold nothing that their viewer may not know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from engine.kernel.languages import Language
from engine.kernel.pictures import Theme
from engine.kernel.rules import View


class PanelFigure(NamedTuple):
    """A figure of a player with its name, both as written."""

    label: str
    value: str


@dataclass(frozen=True)
class Panel:
    """What is shown of one player: the figures, and the role of the moment (`first player`), "" if there is none."""

    figures: Sequence[PanelFigure]
    role: str = ""


@runtime_checkable
class HasPanels(Protocol):
    """Rules with figures of each player for a page (optional, like `HasStatistics`)."""

    def panels(self, view: View, language: Language) -> Mapping[str, Panel]:
        """Return the panel of each seat, in the order of play."""
        ...


@runtime_checkable
class HasLegend(Protocol):
    """Rules that can draw the legend of their board alone (optional, like `DrawsBoard`)."""

    def legend(self, view: View, language: Language, theme: Theme) -> str:
        """Return the signs with their words, and what applies to all players, as a narrow SVG document."""
        ...
