"""What the page's script is told of a draft: what its rows mean, what can follow them, and where that belongs."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.budget import budget
from tests.web.boards import answer_all, opened
from tests.web.conftest import Town
from tests.web.form_browser import Browser, hidden
from tests.web.test_boards import PHASES


def told(guest: Browser, game: str, text: str) -> Any:
    """What the page hears of a text."""
    shown = guest.get(f"/games/{game}").text
    sent = {"entry": hidden(shown, "entry"), "text": text}
    return guest.post(f"/games/{game}/preview", sent, shown=shown).get_json()


def put(text: str, line: str, place: dict[str, Any]) -> str:
    """The text with a line more, where the page is told that it belongs."""
    rows = text.splitlines()
    rows[place["at"] : place["at"]] = [place["heading"], line] if place["heading"] else [line]
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("title", PHASES)
def test_each_suggested_line_is_accepted_behind_the_draft(state_dir: Path, title: str) -> None:
    """Behind nothing, and behind the first line that is suggested; of lines that name a set one alone is suggested."""
    harness, guest, game = opened(state_dir, title, asks="any")
    count = 0
    for _ in range(budget(1, 3)):
        shown = re.findall(r"data-asked='([^']*)'", guest.get(f"/games/{game}").text)[0]
        several = {question["key"]: question["several"] for question in json.loads(unescape(shown))["questions"]}
        for key, moves in told(guest, game, "")["moves"].items():
            first = put("", moves["likely"][0], moves) if moves.get("likely") else ""
            for text in {"", first if several[key] else ""}:
                behind = told(guest, game, text)["moves"][key]
                for line in behind.get("likely", ())[: budget(2, 4)]:
                    assert not told(guest, game, put(text, line, behind))["refused"], (text, line)
                    count += 1
        answer_all(harness, game)
    assert count


def test_rows_say_what_their_lines_mean(town: Town) -> None:
    """By question, form and values, as the page changes them; of lines with conditions only the question."""
    guest = town.browser("p1@games.test")
    text = "; mine\nBID 3\nFOR TURN 1 MARCHES\nATTACK Mill WITH 2\nIF Mill IS FREE: ATTACK Abbey\n"
    found = told(guest, town.game, text)
    bid, march, condition = found["rows"]
    assert (bid["row"], bid["form"], bid["values"]) == (1, 0, {"coins": 3})
    assert (march["row"], march["values"]["town"], march["values"]["armies"]) == (3, "mill", 2)
    assert (condition["row"], condition["question"], "form" in condition) == (4, march["question"], False)
    assert found["moves"][bid["question"]]["at"] == 2
    assert found["moves"][march["question"]] == {"at": 5, "heading": ""}
    alone = told(guest, town.game, "BID 3\n")["moves"][march["question"]]
    assert (alone["at"], alone["heading"]) == (1, "FOR TURN 1 MARCH")


def test_the_page_asks_for_several_moves_at_once(town: Town) -> None:
    """Each with its line; what cannot be asked is refused, and a page of an earlier entry is told to look again."""
    guest = town.browser("p1@games.test")
    key = told(guest, town.game, "BID 3\n")["rows"][0]["question"]
    entry = hidden(guest.get(f"/games/{town.game}").text, "entry")

    def ask(asked: str, at: str = entry) -> Any:
        sent = {"entry": at, "text": "", "asked": asked}
        return guest.post(f"/games/{town.game}/moves", sent, page=f"/games/{town.game}")

    both = [{"question": key, "form": 0, "values": {"coins": coins}} for coins in (1, 2)]
    assert [found["line"] for found in ask(json.dumps(both)).get_json()["moves"]] == ["BID 1", "BID 2"]
    for wrong in ("", "[1]", '[{"question": "s99"}]', json.dumps([{**both[0], "values": {"coins": "x"}}])):
        assert ask(wrong).status_code == 422
    assert ask(json.dumps(both), "0").get_json() == {"moved": "The game has moved on."}


def test_a_list_that_can_still_grow_is_not_refused(state_dir: Path) -> None:
    """One of the two cards that are kept is no order yet, and is on its way to one; a third card is refused."""
    _, guest, game = opened(state_dir, asks="keep")
    found = told(guest, game, "")
    key, moves = next((key, one) for key, one in found["moves"].items() if "KEEP" in str(one.get("forms")))
    cards = moves["forms"][0]["slot"]["legal"]

    def ask(*kept: str) -> Any:
        asked = [{"question": key, "form": 0, "values": {"cards": kept}, "slot": "cards"}]
        sent = {"entry": hidden(guest.get(f"/games/{game}").text, "entry"), "text": "", "asked": json.dumps(asked)}
        answer = guest.post(f"/games/{game}/moves", sent, page=f"/games/{game}").get_json()
        return answer["moves"][0]["forms"][0]

    one, two, three = ask(cards[0]), ask(*cards[:2]), ask(*cards[:3])
    assert (one["reason"], two["reason"], two["stop"]) == ("", "", "")
    assert one["slot"]["stop"]
    assert (one["slot"]["least"], one["slot"]["legal"]) == (2, cards[1:])
    assert three["reason"]


@pytest.mark.parametrize(("language", "said"), [("en", "Era I, round 1"), ("fr", "Ère I, manche 1")])
def test_a_later_phase_is_called_as_on_the_board(state_dir: Path, language: str, said: str) -> None:
    """The marks of what can be written ahead name the round as the board does, and as reports do."""
    _, guest, game = opened(state_dir, "patchistory", asks="any", language=language)
    shown = re.findall(r"data-asked='([^']*)'", guest.get(f"/games/{game}").text)[0]
    questions = json.loads(unescape(shown))["questions"]
    ahead = [one["title"] for one in questions if one["kind"] == "advance"]
    assert ahead
    assert all(title.endswith(f" · {said}") for title in ahead), ahead


def test_a_colon_of_french_never_begins_a_line(state_dir: Path) -> None:
    """What a question and its ways to write are about keeps its sign of punctuation at its word."""
    _, guest, game = opened(state_dir, "renaissance", language="fr")
    for shown in re.findall(r"data-asked='([^']*)'", guest.get(f"/games/{game}").text):
        told = [about for question in json.loads(unescape(shown))["questions"] for about in _abouts(question)]
        assert any("\N{NO-BREAK SPACE};" in about for about in told)
        assert not [about for about in told if re.search(" [:;!?»]", about)]


def _abouts(question: Any) -> list[str]:
    return [question["about"], *(form["about"] for form in question["forms"])]
