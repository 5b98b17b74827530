"""The pages of the real games: every registered game has a board, told by its own narrator in both languages."""

import re
from html import unescape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine import GAMES
from engine.age_of_renaissance.catalogue import FACE
from engine.age_of_renaissance.vocabulary import CARD_CHOICES
from engine.kernel.languages import LANGUAGES
from pbem.cli.game_check import render_page
from pbem.crypto import VerifyKeys, ViewContext, ViewKey, unseal_view
from pbem.narration.letters import render
from pbem.narration.line_receipts import PROPOSALS
from pbem.service.game import seat_views
from pbem.service.pages import game_pages
from pbem.store.models import SeatRow
from tests.budget import budget
from tests.narration.cases import Case, cases
from tests.web.boards import answer_all, opened
from tests.web.form_browser import Browser, orders
from tests.web.statements import MOST, counted


def _phases(title: str) -> frozenset[str]:
    """The phases that a few answers bring a game to, as its own tests say; else only that there is one."""
    room = f"tests.engine.{title}.pages"
    known: frozenset[str] = import_module(room).PHASES if find_spec(f"tests.engine.{title}") else frozenset()
    return known


PHASES = {title: _phases(title) for title in GAMES}


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.night)])
@pytest.mark.parametrize("title", PHASES)
def test_a_game_can_be_played_by_its_pages(state_dir: Path, title: str, language: str) -> None:
    """From its beginning into the first phases, every page comes whole, and says once what is reconstructed.

    However long the game has gone on, and whatever is asked, the page of a seat asks the database seven times at most.
    """
    harness, guest, game = opened(state_dir, title, language=language)
    seen = set[str]()
    note, spoken = GAMES[title].meta.reconstructed, "fr" if language == "fr" else "en"
    for number in range(20):
        if harness.load_game(game).state != "running" or (seen >= PHASES[title] and number >= budget(1, 20)):
            break
        for path in ("", "/table", "/help"):
            with counted(harness) as asked:
                answer = guest.get(f"/games/{game}{path}")
            assert answer.status_code == 200
            assert path or len(asked) <= MOST, "\n".join(asked)
            assert note is None or unescape(answer.text).replace("\u00a0", " ").count(note.printed(spoken)) == 1
            assert "could not be shown" not in answer.text
            assert "n'a pas pu être affiché" not in answer.text
            bare = re.sub(
                r"<(code|textarea|input|option|select|button)[^>]*>.*?</\1>|<[^>]+>", " ", answer.text, flags=re.S
            )
            assert not re.search(r"\b[a-z]+_[a-z]+\b", bare), re.search(r".{40}\b[a-z]+_[a-z]+\b.{40}", bare)
        seen.add(game_pages.load_seat_page(harness.web, harness.load_game(game).host_id, game, "s1").view["phase"])
        answer_all(harness, game)
    assert seen
    assert seen >= PHASES[title]


@pytest.mark.parametrize("case", [case for case in cases() if case.game in GAMES], ids=str)
def test_a_board_can_be_shown_at_any_time_of_a_game(case: Case) -> None:
    """What is only on the table later, sold or built or drawn, is on its page too, for a seat and for everybody."""
    entries = case.entries()
    for number, entry in enumerate((*entries[:: max(1, len(entries) // budget(3, 24))], entries[-1])):
        for language in LANGUAGES[number % 2 :: 2]:
            render_page(case.rules, language, entry.after.position)


def test_what_can_be_bought_stands_beside_the_hand_with_its_price_now(state_dir: Path) -> None:
    """While purchases are asked for each advance that is missing is a card to choose, the cheapest first."""
    harness, guest, game = opened(state_dir)
    assert b"shelf" not in guest.get(f"/games/{game}").data
    while not any(d.topic == "purchases" and d.seat == "s1" for d in harness.load_state(game).core.questions):
        answer_all(harness, game)
    page = guest.get(f"/games/{game}").text.partition('class="hand-cards shelf"')[2].partition("</ul>")[0]
    prices = list(map(int, re.findall(r'class="price">(\d+)<', page)))
    assert len(prices) == len(re.findall(r'data-name="', page)) > 20
    assert prices == sorted(prices)


def test_a_mark_for_a_later_phase_names_the_phase_first(state_dir: Path) -> None:
    """What it is, then when, as the board says it; `FOR TURN 1 HISTORY` is how a letter writes it."""
    _, guest, game = opened(state_dir, language="fr")
    assert ">HISTOIRE · Tour 1</button>" in guest.get(f"/games/{game}").text


@pytest.mark.parametrize("title", ["age_of_renaissance", "renaissance"])
def test_what_can_be_bought_comes_before_the_hand(state_dir: Path, title: str) -> None:
    """While it is asked for: on a desk the cards of a hand filled the row, and the shelf was out of sight."""
    _, guest, game = opened(state_dir, title, asks="purchases")
    hand = guest.get(f"/games/{game}").text.partition('id="hand"')[2]
    assert 0 < hand.find('class="hand-cards shelf"') < hand.find('class="hand-cards">')


@pytest.mark.parametrize("wrong", ["PLACE Kiev 1", "PLACE Atlantis 1"])
def test_page_and_letter_propose_the_same_line(state_dir: Path, wrong: str) -> None:
    """A line that is refused, or cannot be read, gets one proposal, which leaves the line before it standing."""
    harness, guest, game = opened(state_dir, rounds=4)
    first = re.findall(r'value="likely:s\d:[^>]*>([^<]+)<', guest.get(f"/games/{game}").text)[0]
    text = orders(guest, game, f"{first}\n{wrong}", "submit").text
    assert "refused:" in text
    proposed = re.search(r"try:</span> <code>([^<]+)</code>", text)
    assert proposed
    harness.run_queued_tasks()
    letter = " ".join(render(harness.sent_facts("receipt")[-1]).text.split())
    assert f"Try: {proposed[1]}" in letter
    assert "everything would be accepted" in orders(guest, game, f"{first}\n{proposed[1]}", "preview").text


def test_many_refused_lines_get_only_some_proposals(state_dir: Path) -> None:
    """The first refused lines of a set are given a line to write instead: trials of a long set must not be endless."""
    _, guest, game = opened(state_dir, rounds=4)
    text = orders(guest, game, "\n".join(["PLACE Kiev 1"] * (PROPOSALS + 3)), "preview").text
    assert text.count("refused:") == PROPOSALS + 3
    assert text.count("try:</span> <code>") == PROPOSALS


def test_no_reader_gets_a_part_that_was_made_for_another(state_dir: Path) -> None:
    """Each seat's page holds its own hand after the others were looked at, in any order."""
    harness, guest, game = opened(state_dir, rounds=3)
    names = {card.value: card.names.printed("en") for card in CARD_CHOICES}
    own = guest.get(f"/games/{game}").text
    for row in harness.load_rows(SeatRow):
        other = Browser(guest.client.application).sign_in(harness, int(row.user_id or 0))
        text = other.get(f"/games/{game}").text
        mine = game_pages.load_seat_page(harness.web, int(row.user_id or 0), game, row.seat).view["own"]["hand"]
        assert all(f'data-name="{names[FACE[card["card"]]]}"' in text for card in mine)
        assert text.count('<ul class="hand-cards">') == 1
    assert guest.get(f"/games/{game}").text.partition('id="hand"')[2][:400] == own.partition('id="hand"')[2][:400]


def test_a_page_that_was_seen_opens_nothing_again(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told since the last letter is opened to make the page's parts, and those are kept."""
    _, guest, game = opened(state_dir, rounds=1)
    kinds: list[str] = []

    def noted(key: ViewKey, verify: VerifyKeys, place: ViewContext, sealed: bytes, beside: bytes = b"") -> bytes:
        kinds.append(place.kind)
        return unseal_view(key, verify, place, sealed, beside)

    monkeypatch.setattr(seat_views, "unseal_view", noted)
    first = guest.get(f"/games/{game}").get_data(as_text=True)
    assert "events" in kinds
    kinds.clear()
    again = guest.get(f"/games/{game}").get_data(as_text=True)
    assert not kinds
    assert len(again) == len(first)
