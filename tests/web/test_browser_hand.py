"""The hand along the bottom of the play page: cards as wide as what they say."""

from collections.abc import Iterator

import pytest
from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import Browser

from engine import GAMES
from engine.kernel.languages import LANGUAGES
from pbem.narration.folders import templates
from pbem.narration.glossary import effects
from pbem.narration.narrator import narrator
from tests.web.conftest import Town
from tests.web.test_browser import CHROMIUM, chromium
from tests.web.test_browser_stage import browsing, entered

__all__ = ["chromium"]

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium: set PBEM_CHROMIUM or put one on the PATH")

TALLER = """cards => {
  const hand = document.querySelector('.hand');
  return cards.filter(card => {
    hand.innerHTML = `<h2>Your hand</h2><ul class="hand-cards">${card}</ul>`;
    return hand.scrollHeight > hand.clientHeight;
  });
}"""
"""Those cards that are taller than the strip in which they lie."""


def cards() -> Iterator[str]:
    """Every card, building and character of every game, by itself, in every language; and one that lists the board."""
    made = Environment(loader=FileSystemLoader(templates()), autoescape=True).from_string(
        '{% from "boards/_card.html" import wide %}<li class="{{ wide(does) }}"><b class="price">12</b>'
        '<strong>{{ name }}</strong> <span class="small">3</span><br><span class="small">{{ does }}</span></li>'
    )
    for language in LANGUAGES:
        for game in GAMES:
            told = narrator(game, language)
            for kind, things in effects(game, language).items():
                for thing in things:
                    yield made.render(name=told.name(kind, thing), does=told.effect(kind, thing))
        told = narrator("renaissance", language)
        cities = ", ".join(str(told.name("city", city)) for city in told.glossary.names["city"])
        yield made.render(name="+", does=f"{told.effect('card', 'ambassadeur')} {cities}")


def test_no_card_scrolls_inside_the_hand(town: Town, chromium: Browser) -> None:
    """Of no game and in no language, even where it tells of every city of the board."""
    with browsing(town, chromium) as context:
        page = entered(town, context)
        every = list(cards())
        assert len(every) > 500
        assert page.evaluate(TALLER, every) == []
