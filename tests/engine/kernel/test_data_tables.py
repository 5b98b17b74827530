"""Tables that lie beside a game's code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import pytest

from engine.kernel.data_tables import build_row, load_table


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An importable package with an empty data folder, its name used by this test only; returns the folder."""
    folder = tmp_path / f"game_{tmp_path.name}" / "data"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_a_table_is_read_as_it_stands(package: Path) -> None:
    """Integers, texts, lists and objects come out as written, in order, accents included."""
    (package / "fine.json").write_text('{"b": [1, "é"], "a": null}', encoding="utf-8")
    table = load_table(package.parent.name, "fine")
    assert list(table.items()) == [("b", [1, "é"]), ("a", None)]


@pytest.mark.parametrize("text", ["[1.5]", "[1e3]", "[NaN]", '{"a": 1, "a": 2}', "{"])
def test_a_table_that_could_mislead_is_refused(package: Path, text: str) -> None:
    """The engine knows no floats; a key written twice would lose a fact; broken JSON is an error."""
    (package / "bad.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"integer|twice|Expecting"):
        load_table(package.parent.name, "bad")


def test_a_missing_table_is_an_error(package: Path) -> None:
    """Nothing is made up for a table that is not there."""
    assert not (package / "none.json").exists()
    with pytest.raises(FileNotFoundError):
        load_table(package.parent.name, "none")


class Colour(StrEnum):
    """A colour of a piece."""

    RED = "red"


@dataclass(frozen=True)
class Mark:
    """What is drawn on a piece."""

    sign: str
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Piece:
    """A row of a table."""

    id: str
    colour: Colour | None
    mark: Mark | None = None
    costs: Mapping[str, int] = field(default_factory=dict)
    count: int = 1


def test_a_row_becomes_a_record_by_the_types_of_its_fields() -> None:
    """Arrays are tuples, objects mappings or records, texts enums; keys that no field has are left aside."""
    row = {"id": "p1", "colour": "red", "mark": {"sign": "x", "places": [1, 2]}, "costs": {"a": 3}, "source": "p. 4"}
    assert build_row(Piece, row) == Piece("p1", Colour.RED, Mark("x", (1, 2)), {"a": 3})
    assert build_row(Piece, {"id": "p2", "colour": None}, count=4) == Piece("p2", None, count=4)


def test_a_row_without_a_field_that_must_be_there_is_refused() -> None:
    """A fact that is not written is not made up."""
    with pytest.raises(TypeError, match="colour"):
        build_row(Piece, {"id": "p3"})
