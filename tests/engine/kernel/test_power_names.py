"""What powers are called and counted by, said once by a game."""

from engine.kernel.catalogues import Words
from engine.kernel.charts import FigureLabel
from engine.kernel.languages import LANGUAGES
from engine.kernel.power_names import PowerFigures, PowerNames


def test_a_view_tells_names_with_their_looks() -> None:
    """A view has names in every language; a power without a name is left out."""
    names = PowerNames("house", {"lion": Words.same("Lion"), "bear": Words.same("Bear")}, {"lion": 2, "bear": 5})
    view = {"powers": {"ann": {"house": "lion"}, "bob": {"house": ""}}}
    assert all(names.called(view, language) == {"ann": FigureLabel("Lion", 2)} for language in LANGUAGES)


def test_things_are_counted_and_what_is_hidden_stays_unknown() -> None:
    """A figure is a number, as many as there are things, or None."""
    figures = PowerFigures({"coins": Words.same("Coins"), "towns": Words.same("Towns")})
    view = {"powers": {"ann": {"coins": 3, "towns": ("mill", "abbey")}, "bob": {"coins": None, "towns": ()}}}
    assert figures.count(view) == {"coins": {"ann": 3, "bob": None}, "towns": {"ann": 2, "bob": 0}}
