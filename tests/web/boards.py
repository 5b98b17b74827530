"""Tables of the real games: brought to a question by the pages' own lines, and the browser of their host."""

from pathlib import Path

from engine import GAMES
from engine.kernel.printing import print_line
from pbem.crypto import new_token
from pbem.narration.facts import ReceiptFacts
from pbem.service.access import users
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.web import WebConfig, create_pages
from tests.archive.files import steady
from tests.service.master_commands import HOST, get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import Browser
from tests.web.server_copies import copy_server

FLAGSHIP = "age_of_renaissance"


def opened(
    folder: Path, title: str = FLAGSHIP, *, rounds: int = 0, asks: str = "", language: str = "en", words: str = "opened"
) -> tuple[ServerHarness, Browser, str]:
    """A game of three, and the browser of its host.

    `rounds`: so many answers of everybody into it; `asks`: then until the first seat is asked this, `any`: anything;
    `words`: what its chance is made of.
    """

    def bring(at: Path) -> tuple[ServerHarness, str]:
        harness = steady(build(at, installed=GAMES), words)
        game = start_game(harness, title, 3)
        for _ in range(rounds):
            answer_all(harness, game)
        while asks and not is_asked(harness, game, asks):
            answer_all(harness, game)
        return harness, game

    harness, game = copy_server(folder, (title, rounds, asks, words), bring)
    users.set_language(harness.web, get_user_id(harness, HOST), language)
    guest = Browser(create_pages(harness.web, WebConfig(requests_per_minute=100_000)))
    return harness, guest.sign_in(harness, get_user_id(harness, HOST)), game


def is_asked(harness: ServerHarness, game: str, asks: str) -> bool:
    """Return True if the first seat owes an answer to this question, or to any."""
    return any(
        d.seat == "s1" and d.blocking and asks in (d.topic, "any") for d in harness.load_state(game).core.questions
    )


def answer_all(harness: ServerHarness, game: str) -> None:
    """Every player sends the first likely line of what they are asked, or that they want nothing; play goes on."""
    for number, seat in enumerate(harness.load_state(game).core.seats, 1):
        person = get_user_id(harness, f"p{number}@games.test")
        shown = game_pages.load_seat_page(harness.web, person, game, seat)
        for section in shown.grammar.sections:
            asked = any(o.decision.topic == section.topic.key and o.decision.blocking for o in shown.questions)
            if section.open and asked:
                likely = [print_line(section.forms, line, "en") for line in section.likely[:2]]
                for text in (*likely, f"PASS {section.topic.words.printed('en')}"):
                    found = web_orders.submit_orders(harness.web, person, game, shown.frame.entry, new_token(), [text])
                    if isinstance(found, ReceiptFacts) and found.sets[0].taken:
                        break
    harness.run_queued_tasks()
