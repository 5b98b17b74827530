"""What the templates' own environment may take for granted."""

import pytest
from jinja2 import Undefined
from jinja2.exceptions import UndefinedError

from engine.kernel.languages import DEFAULT
from pbem.narration.narrator import environment


@pytest.mark.parametrize(
    ("written", "said"), [("{{ a.turn }}", "3"), ("{{ a.items() | length }}", "2"), ("{{ a['items'] }}", "few")]
)
def test_an_entry_is_read_by_name_and_a_method_wins(written: str, said: str) -> None:
    """A template reads an entry of a dict by its name; a method of that name is called as ever."""
    assert environment(DEFAULT).from_string(written).render(a={"turn": 3, "items": "few"}) == said


def test_what_is_missing_is_an_error() -> None:
    """An entry or attribute that is missing is never told as a blank."""
    for thing in ({"turn": 3}, object(), Undefined):
        with pytest.raises(UndefinedError):
            environment(DEFAULT).from_string("{{ a.missing }}").render(a=thing)
