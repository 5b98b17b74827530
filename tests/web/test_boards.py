"""The pages of the real games: every registered game has a board, told by its own narrator in both languages."""

import re
from html import unescape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine import GAMES
from engine.kernel.printing import printed_line
from pbem.game_check import paged
from pbem.narration.facts import ReceiptFacts
from pbem.narration.letters import render
from pbem.narration.line_receipts import PROPOSALS
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.service.seats import tables
from pbem.vault import new_token
from pbem.web import Look, make
from tests.narration.cases import LANGUAGES, Case, cases
from tests.service.hall import Hall, build, seated
from tests.web.guests import Browser, orders


def opened(folder: Path, language: str, title: str = "age_of_renaissance") -> tuple[Hall, Browser, str]:
    """A three-seat game, and the browser of its host."""
    hall = build(folder, installed=GAMES)
    game = seated(hall, title, 3)
    with hall.web.db.writing() as session:
        host = tables.user_of(hall.web, session, "p1@games.test")
        host.language, host.zone = language, "Europe/Paris"
    guest = Browser(make(hall.web, Look(requests_per_minute=100_000))).sign_in(hall, host.id)
    return hall, guest, game


def answer_all(hall: Hall, game: str) -> None:
    """Every player sends the first likely line of what they are asked, or that they want nothing; play goes on."""
    for number in (1, 2, 3):
        with hall.web.db.writing() as session:
            user = tables.user_of(hall.web, session, f"p{number}@games.test").id
        shown = game_pages.seat_page(hall.web, user, game, f"s{number}")
        for section in shown.grammar.sections:
            asked = any(o.decision.asks == section.topic.asks and o.decision.blocking for o in shown.owed)
            if section.open and asked:
                likely = [printed_line(section.forms, line, "en") for line in section.likely[:2]]
                for text in (*likely, f"PASS {section.topic.words.printed('en')}"):
                    found = web_orders.submit(hall.web, user, game, shown.frame.entry, new_token(), [text])
                    if isinstance(found, ReceiptFacts) and found.sets[0].taken:
                        break
    hall.settle()


def _phases(title: str) -> frozenset[str]:
    """The phases that a few answers bring a game to, as its own tests say; else only that there is one."""
    room = f"tests.engine.{title}.pages"
    known: frozenset[str] = import_module(room).PHASES if find_spec(f"tests.engine.{title}") else frozenset()
    return known


SHOWN = 12
"""How many positions of a whole game are shown."""

PHASES = {title: _phases(title) for title, rules in GAMES.items() if 3 in rules.meta.seats}


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.slow)])
@pytest.mark.parametrize("title", PHASES)
def test_a_game_can_be_played_by_its_pages(state_dir: Path, title: str, language: str) -> None:
    """From its beginning into the first phases, every page comes whole, and says once what is reconstructed."""
    hall, guest, game = opened(state_dir, language, title)
    seen, note, spoken = set(), GAMES[title].meta.reconstructed, "fr" if language == "fr" else "en"
    for _ in range(8):
        if hall.game(game).state != "running":
            break
        for path in ("", "/table", "/help"):
            answer = guest.get(f"/games/{game}{path}")
            assert answer.status_code == 200
            assert note is None or unescape(answer.text).replace("\u00a0", " ").count(note.printed(spoken)) == 1
            assert "could not be told" not in answer.text
            assert "n'a pas pu être raconté" not in answer.text
            bare = re.sub(
                r"<(code|textarea|input|option|select|button)[^>]*>.*?</\1>|<[^>]+>", " ", answer.text, flags=re.S
            )
            assert not re.search(r"\b[a-z]+_[a-z]+\b", bare), re.search(r".{40}\b[a-z]+_[a-z]+\b.{40}", bare)
        seen.add(game_pages.seat_page(hall.web, hall.game(game).host_id, game, "s1").view["phase"])
        answer_all(hall, game)
    assert seen
    assert seen >= PHASES[title]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", [case for case in cases() if case.game in GAMES], ids=str)
def test_a_board_can_be_shown_at_any_time_of_a_game(case: Case, language: str) -> None:
    """What only stands on the table later, sold or built or drawn, is on its page too, for a seat and for everybody."""
    entries = case.entries()
    for entry in entries[:: max(1, len(entries) // SHOWN)] + entries[-1:]:
        paged(case.rules, language, entry.after.position)


def test_what_can_be_bought_stands_beside_the_hand_with_its_price_now(state_dir: Path) -> None:
    """While purchases are asked for each advance that is missing is a card to choose, the cheapest first."""
    hall, guest, game = opened(state_dir, "en")
    while not any(d.asks == "purchases" and d.seat == "s1" for d in hall.position(game).core.open):
        assert b"shelf" not in guest.get(f"/games/{game}").data
        answer_all(hall, game)
    page = guest.get(f"/games/{game}").text.partition('class="hand-cards shelf"')[2].partition("</ul>")[0]
    prices = list(map(int, re.findall(r'class="price">(\d+)<', page)))
    assert len(prices) == len(re.findall(r'data-name="', page)) > 20
    assert prices == sorted(prices)


def test_a_preview_names_what_would_be_accepted(state_dir: Path) -> None:
    """A refusal of the flagship says why by its paragraph, and offers a line that stands."""
    hall, guest, game = opened(state_dir, "en")
    for _ in range(4):
        answer_all(hall, game)
    page = guest.get(f"/games/{game}").text
    assert re.search(r'value="likely:s\d\.0"[^>]*>PLACE ', page)
    text = orders(guest, game, "PLACE Kiev 1", "preview").text
    assert "refused:" in text
    accepted = re.search(r"try:</span> <code>([^<]+)</code>", text)
    assert accepted
    assert "everything would be accepted" in orders(guest, game, accepted[1], "preview").text


@pytest.mark.parametrize("wrong", ["PLACE Kiev 1", "PLACE Atlantis 1"])
def test_page_and_letter_propose_the_same_line(state_dir: Path, wrong: str) -> None:
    """A line that is refused, or cannot be read, gets one proposal, which leaves the line before it standing."""
    hall, guest, game = opened(state_dir, "en")
    for _ in range(4):
        answer_all(hall, game)
    first = re.findall(r'value="likely:s\d\.0"[^>]*>([^<]+)<', guest.get(f"/games/{game}").text)[0]
    text = orders(guest, game, f"{first}\n{wrong}", "submit").text
    proposed = re.search(r"try:</span> <code>([^<]+)</code>", text)
    assert proposed
    hall.settle()
    letter = " ".join(render(hall.of("receipt")[-1]).text.split())
    assert f"Try: {proposed[1]}" in letter
    assert "everything would be accepted" in orders(guest, game, f"{first}\n{proposed[1]}", "preview").text


def test_many_refused_lines_get_only_some_proposals(state_dir: Path) -> None:
    """The first refused lines of a set are given a line to write instead: trials of a long set must not be endless."""
    hall, guest, game = opened(state_dir, "en")
    for _ in range(4):
        answer_all(hall, game)
    text = orders(guest, game, "\n".join(["PLACE Kiev 1"] * (PROPOSALS + 3)), "preview").text
    assert text.count("refused:") == PROPOSALS + 3
    assert text.count("try:</span> <code>") == PROPOSALS
