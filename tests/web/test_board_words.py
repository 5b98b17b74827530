"""What the board page of Age of Renaissance says of leaders, advances and cards, in words of each language."""

from functools import partial
from html import unescape
from types import SimpleNamespace

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.age_of_renaissance.board import Leader
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.languages import Language
from engine.kernel.odds import to_percent
from engine.kernel.secrets import redact, seen_by
from pbem.narration.folders import template_root
from pbem.narration.narrator import narrator
from pbem.narration.text_cleanup import FILTERS
from pbem.web.locales import translate
from tests.engine.age_of_renaissance.build import BLUE, VIOLET, YELLOW, At, advances, game, hand


def shown(position: At, language: Language) -> str:
    """The board as yellow's page has it, in one line."""
    told = narrator("age_of_renaissance", language)
    speaker = SimpleNamespace(
        name=told.name, actor=str, player=str, effect=told.effect, chance=partial(to_percent, language=language)
    )
    seen = redact(position, YELLOW)
    with seen_by(YELLOW):
        view = RULES.present_view(seen, YELLOW)
    made = Environment(loader=FileSystemLoader(template_root()), undefined=StrictUndefined, autoescape=True)
    made.filters.update(FILTERS)
    made.globals.update(t=partial(translate, language), told=speaker, shown=SimpleNamespace(view=view))
    page = made.get_template("boards/age_of_renaissance.html").render()
    return " ".join(unescape(page).replace("\u00a0", " ").split())


def test_the_board_says_who_may_use_a_leader_and_what_cards_and_advances_do() -> None:
    """§9.3.3, A2, §6  The first leader is closed to Patronage, the second open once, one without a box to all with E.

    An event in one's own hand, and an advance that one does not own yet, are explained where they are.
    """
    position = game()
    position.board.leaders = (Leader("walter", BLUE, 1), Leader("rashid", BLUE, 2), Leader("newton", VIOLET, 0))
    hand(position, YELLOW, "famine")
    advances(position, YELLOW, "A")
    page, told = shown(position, "en"), narrator("age_of_renaissance", "en")
    said = ("closed to Patronage", "still open to 1 owner of Patronage", "open to every owner of Patronage")
    places = [page.index(str(told.name("card", card))) for card in ("walter", "rashid", "newton")]
    assert all(said[n] in page[at : at + 250] for n, at in enumerate(places))
    for kind, thing, there in (("card", "famine", True), ("advance", "B", True), ("advance", "A", False)):
        assert (told.effect(kind, thing).replace("\u00a0", " ") in page) is there, thing
