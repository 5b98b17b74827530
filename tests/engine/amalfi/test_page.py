"""The page of a table: all that lies open, each thing under the name that orders understand, in both languages."""

import re
from functools import cache, partial
from html import unescape
from types import SimpleNamespace

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from engine.amalfi import vocabulary
from engine.amalfi.board import Phase
from engine.amalfi.ruleset import RULES
from engine.amalfi.telling import TELLING
from engine.kernel.languages import Language
from engine.kernel.rules import View
from engine.kernel.viewers import PUBLIC
from pbem.narration.folders import template_root
from pbem.narration.glossary import load_effects, load_glossary
from pbem.web.locales import translate
from tests.engine.amalfi.build import ANN, BOB, dock, game, hand, owns, place_characters
from tests.engine.amalfi.test_picture import SEATS, busy, seen, views

WRITTEN = {
    spelling.casefold()
    for choice in (
        *vocabulary.PLAYERS,
        *vocabulary.HOLD_CHOICES,
        *vocabulary.HAND_CHOICES,
        *vocabulary.CARD_CHOICES,
    )
    for spelling in choice.names.all_forms()
}
"""What orders may call players, holds, packets, cards and destinations."""


@cache
def _template(language: Language) -> Template:
    """What the page is made of."""
    made = Environment(loader=FileSystemLoader(template_root()), undefined=StrictUndefined, autoescape=True)
    made.globals.update(t=partial(translate, language), language=language)
    return made.get_template("boards/amalfi.html")


def page(view: View, language: Language) -> str:
    """The page of a view, with its marks."""
    named, told = load_glossary("amalfi", language), load_effects("amalfi", language)
    speaker = SimpleNamespace(
        name=lambda kind, thing: str(named.name(kind, thing)),
        effect=lambda kind, thing: told.get(kind, {}).get(thing, ""),
        player=str,
        words=TELLING.words,
    )
    shown = SimpleNamespace(view=view, meta=RULES.meta)
    return unescape(_template(language).render(told=speaker, shown=shown)).replace("\u00a0", " ")


def read(view: View, language: Language) -> str:
    """What the page says, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", page(view, language)).split())


@pytest.mark.parametrize(("seats", "language"), [(1, "en"), (3, "fr")])
def test_the_page_can_be_read_at_any_time_of_a_game(seats: int, language: Language) -> None:
    """For a player and for everybody: no word of the code, no name that orders would not understand."""
    for viewer in (SEATS[0], PUBLIC):
        for shown in views(seats, viewer)[:: 1 + len(views(seats)) // 3]:
            names = re.findall(r'data-name="([^"]*)"', page(shown, language))
            assert names
            assert {name for name in names if name.casefold() not in WRITTEN} == set()
            assert not re.search(r"\b[a-z]+_[a-z]+\b", read(shown, language))


def test_the_page_tells_what_each_slot_costs() -> None:
    """Resources in Atelier and Atlas, bread at the Council; the last slot brings one (A3)."""
    said = read(seen(busy()), "en")
    assert re.search(r"The Atelier, from the left .*?\(costs 2 more\) .*?\(costs 1 more\) .*?\(brings 1 bread\)", said)
    assert re.search(
        r"The Council, from the left .*?\(costs 2 bread\) .*?\(costs 1 bread\) .*?\(brings 1 bread\)", said
    )


def test_the_hand_is_on_the_page_of_its_owner_alone() -> None:
    """With what each card does; the others read how many there are."""
    at = busy()
    assert 'data-name="Raphael"' in page(seen(at), "en")
    assert "Raphael" not in page(seen(at, BOB), "en")
    assert "Your hand" not in page(seen(at, PUBLIC), "en")


def test_what_lies_before_a_player_is_told() -> None:
    """Private destinations, characters with those that are engaged, artworks; who has earned a title."""
    at = game(period=2)
    owns(at, ANN, "book01", "pd06")
    place_characters(at, ANN, "c59", engaged=True)
    hand(at, ANN)
    dock(at, "pd06", ANN)
    at.board.claims["zelateur"] = (BOB,)
    said = read(seen(at, BOB), "en")
    _, before_red = said.split("Laid out: Red")
    assert "Caterina Sforza engaged Engageable" in before_red
    assert "Il Principe" in before_red
    assert "Blue has scored 12." in said


def test_nobody_is_to_move_but_in_the_actions_of_a_game_under_way() -> None:
    """Everybody answers at once after the actions, and a game that is over prices nothing any more."""
    at = busy()
    assert "Red to move." in read(seen(at), "en")
    at.board.phase = Phase.DECREES
    assert "to move" not in read(seen(at), "en")
    at = busy()
    at.core.over = True
    said = read(seen(at), "en")
    assert "game over" in said
    assert "to move" not in said
    assert "A ship costs" not in said
