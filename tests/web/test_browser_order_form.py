"""What a click on a place or a card writes, with the forms of an imaginary game, in a real browser."""

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from engine.kernel.forms import Form
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Clause, Line
from pbem.web import WebConfig, create_pages, order_builder
from tests.engine.kernel import imaginary_game
from tests.engine.kernel.imaginary_game import PlayCard, Raid, Settle
from tests.service.server_fixtures import build
from tests.web.chromium import browsing

PAGE = """<!doctype html><title>desk</title><script type="module" src="/static/desk.js"></script>
{% from "_order_form.html" import part %}
<form id="desk" data-check="/check" data-stops="" data-tries="UP TO n TIMES">
<input name="csrf_token"><input name="entry">
<div id="offers" data-none="nothing" data-missing="and?" data-added="Written:"
 data-refused="Not written: @. %" hidden></div>
<textarea id="text" name="text"></textarea><p id="said" data-empty="" data-lost=""></p><div id="judged"></div>
{% for p in parts %}{{ part(t, p, true) }}{% endfor %}</form>
<ul id="hand">{% for name in names %}<li data-name="{{ name }}">{{ name }}</li>{% endfor %}</ul>"""

NAMES = ("Montferrat", "Romagna", "Roma", "Harwich", "Civil War", "Lion Heart")


def likely_at(form: Form, *places: str) -> Form:
    """The form, with these places as those that would be accepted."""
    return replace(form, slots=tuple(replace(s, suggested=places) if s.kind == "place" else s for s in form.slots))


FIELD = (
    likely_at(imaginary_game.RAID, "montf"),
    likely_at(imaginary_game.SETTLE, "romagna", "roma"),
    likely_at(imaginary_game.PLAY, "montf"),
)
LIKELY = tuple(
    Line((Clause(order),))
    for order in (
        Settle("romagna", 2),
        Settle("roma", 1),
        Raid("montf", 3),
        PlayCard("civil", "montf"),
        PlayCard("heart"),
    )
)
OPEN = Section(imaginary_game.EXPANSION, FIELD, 4, open=True, likely=LIKELY)
GRAMMAR = Grammar((OPEN,), (), (), "en", imaginary_game.TOPICS)
ACCEPTED = {"judged": "", "map": "", "moved": "", "said": "ok", "why": [], "verdict": "all"}


def click(page: Page, *names: str) -> list[str]:
    """Click on these, one after the other, each judged; the lines that are written then."""
    for name in names:
        page.locator(f'#hand li[data-name="{name}"]').click()
        expect(page.locator("#said")).not_to_have_attribute("data-state", "busy")
    return str(page.locator("#text").input_value()).splitlines()


def test_a_click_on_a_place_or_a_card_writes_the_line_that_it_means(state_dir: Path, chromium: Browser) -> None:
    """A click prefers what would be accepted: after an attack, a place that can only be settled is settled.

    A card that needs a target waits for the next click; one without is written at once.  A place that several likely
    lines name offers each of them once, whole.
    """
    app = create_pages(build(state_dir).web, WebConfig(requests_per_minute=100_000))
    with app.test_request_context():
        parts = order_builder.build_parts(GRAMMAR, "en", ("expansion",))
        written = app.jinja_env.from_string(PAGE).render(parts=parts, names=NAMES, t=lambda key, **terms: key)
    with browsing(app, chromium) as context:
        page = context.new_page()
        page.route("**/orders-page", lambda route: route.fulfill(body=written, content_type="text/html"))
        page.route("**/preview", lambda route: route.fulfill(json=ACCEPTED))

        def begin() -> None:
            page.goto("/orders-page")
            expect(page.locator("#hand .pick")).to_have_count(len(NAMES))

        begin()
        page.get_by_role("button", name="ATTACK Montferrat 3").click()
        page.locator(".lists > summary").first.click()
        page.locator('[data-keyword="ATTACK"] select').select_option(label="Montferrat")
        page.locator('[data-keyword="ATTACK"] input[type="number"]').first.fill("3")
        page.locator('[data-keyword="ATTACK"] button').click()
        assert click(page, "Romagna")[-1] == "PLACE Romagna 2"
        assert click(page, "Romagna")[-1] == "PLACE Romagna 3"
        begin()
        assert click(page, "Civil War") == []
        assert click(page, "Harwich") == ["PLAY Civil War AT Harwich"]
        assert click(page, "Lion Heart") == ["PLAY Civil War AT Harwich", "PLAY Lion Heart"]
        begin()
        assert click(page, "Montferrat") == []
        offered = [text.strip() for text in page.locator("#offers .chip").all_inner_texts()]
        assert offered == ["ATTACK Montferrat 3", "PLAY Civil War AT Montferrat"]
        page.locator("#offers .chip").nth(1).click()
        assert click(page)[-1] == "PLAY Civil War AT Montferrat"
