"""What the templates' own environment may take for granted."""

from collections.abc import Callable

import pytest
from jinja2 import Undefined
from jinja2.exceptions import UndefinedError
from jinja2.utils import _PassArg

from engine import GAMES
from engine.kernel.languages import DEFAULT, LANGUAGES
from pbem.narration.letter_templates import template
from pbem.narration.narrator import environment, narrator


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_nothing_that_templates_call_asks_for_their_context(language: str) -> None:
    """No function that a template of ours may call wants the context, which it would not get."""
    made = [template(language, "report").environment, environment(language)]
    made += [narrator(game, language).macro("state")._environment for game in GAMES]
    called: list[Callable[..., object]] = [thing for env in made for thing in env.globals.values() if callable(thing)]

    assert called
    assert [thing for thing in called if _PassArg.from_obj(thing) is not None] == []


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
