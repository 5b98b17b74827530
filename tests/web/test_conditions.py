"""Conditions by buttons: what the menu of a row offers, the line that a choice writes, what each branch would do."""

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
from tests.web.test_drafts import put, told


def post_change(guest: Browser, game: str, text: str, change: Any) -> Any:
    """What the page hears of the menu of a row, or of a choice in it."""
    shown = guest.get(f"/games/{game}").text
    sent = {"entry": hidden(shown, "entry"), "text": text, "asked": "[]", "but": json.dumps(change)}
    return guest.post(f"/games/{game}/moves", sent, shown=shown)


def write(guest: Browser, game: str, text: str, **change: Any) -> str:
    """The line that a choice writes."""
    return str(post_change(guest, game, text, change).get_json()["line"])


LINES = {
    "age_of_renaissance": "expansion",
    "renaissance": "expansion",
    "patchistory": "auction",
    "amalfi": "action",
}
"""A question of each game that takes lines."""
MARCH = "BID 3\nFOR TURN 1 MARCH\nATTACK Mill WITH 2\n"


def test_a_row_says_what_it_can_depend_on(town: Town) -> None:
    """Orders that are carried out one after the other; the one answer to a question that takes one on nothing."""
    bid, march = told(town.browser("p1@games.test"), town.game, MARCH)["rows"]
    assert bid["but"] == []
    assert march["but"] == ["else", "ask", "if", "times"]


def test_each_choice_is_written_as_the_order_language_has_it(town: Town) -> None:
    """And taken back; a choice replaces what was chosen before, and leaves the rest of the line as it is."""
    guest, game = town.browser("p1@games.test"), town.game
    form = told(guest, game, MARCH)["rows"][1]

    def change(line: str, **to: Any) -> str:
        return write(guest, game, MARCH.replace("ATTACK Mill WITH 2", line), row=2, **to)

    hold = {"fact": "hold", "about": {"town": "abbey"}}
    line = change("ATTACK Mill WITH 2", kind="if", **hold)
    assert line == "IF I HOLD Abbey: ATTACK Mill WITH 2"
    assert change(line, kind="if", **hold, negated=True) == "UNLESS I HOLD Abbey: ATTACK Mill WITH 2"
    both = change(line, kind="if", fact="hold", about={"town": "mill"}, negated=True, also=True)
    assert both == "IF I HOLD Abbey AND NOT I HOLD Mill: ATTACK Mill WITH 2"
    assert change(both, kind="if") == "ATTACK Mill WITH 2"
    line = change(line, kind="times", times=3)
    assert line == "IF I HOLD Abbey: ATTACK Mill WITH 2 UP TO 3 TIMES"
    line = change(line, kind="else", form=form["form"], values={**form["values"], "town": "abbey"})
    assert line == "IF I HOLD Abbey: ATTACK Mill WITH 2 UP TO 3 TIMES ELSE ATTACK Abbey WITH 2"
    line = change(line, kind="ask")
    assert line == "IF I HOLD Abbey: ATTACK Mill WITH 2 UP TO 3 TIMES ELSE ASK ME"
    for back in ({"kind": "if"}, {"kind": "times"}, {"kind": "else"}):
        line = change(line, **back)
    assert line == "ATTACK Mill WITH 2"


def test_the_menu_of_a_row_has_the_facts_of_the_rules(town: Town) -> None:
    """In the reader's words, with their slots; with the town of the order, and with the condition that it has."""
    guest = town.browser("p1@games.test")
    menu = post_change(guest, town.game, MARCH.replace("ATTACK", "UNLESS I HOLD Abbey: ATTACK"), 2).get_json()["menu"]
    hold = next(fact for fact in menu["facts"] if fact["name"] == "hold")
    assert hold["usage"].startswith("I HOLD")
    slot = hold["slots"][0]
    assert ["abbey", "Abbey"] in menu["words"][slot["words"]]
    assert slot["likely"] == "mill"
    assert menu["when"] == {"fact": "hold", "about": {"town": "abbey"}, "negated": True}


def test_what_the_rules_do_not_offer_is_no_choice(town: Town) -> None:
    """Another fact, another value, no slot, a row without an order, a question that takes one order."""
    guest = town.browser("p1@games.test")
    wrong: list[Any] = [
        0,
        7,
        {"row": 2, "kind": "maybe"},
        {"row": 2, "kind": "if", "fact": "rich"},
        {"row": 2, "kind": "if", "fact": "hold", "about": {"town": "atlantis"}},
        {"row": 2, "kind": "if", "fact": "hold", "about": {}},
        {"row": 2, "kind": "times", "times": 100},
        {"row": 2, "kind": "else", "form": 9},
        {"row": 2, "kind": "else", "form": 0, "values": {}},
        {"row": 0, "kind": "ask"},
    ]
    assert [post_change(guest, town.game, MARCH, one).status_code for one in wrong] == [422] * len(wrong)


@pytest.mark.parametrize(("title", "asks"), LINES.items())
def test_what_the_menu_offers_the_judge_accepts(state_dir: Path, title: str, asks: str) -> None:
    """In each game, of a suggested line of each question: each kind, and conditions with their first values."""
    count = 0
    for language in ("en", "fr")[: budget(1, 2)]:
        harness, guest, game = opened(state_dir / language, title, asks=asks, language=language)
        for _ in range(budget(1, 3)):
            for moves in told(guest, game, "")["moves"].values():
                text = put("", moves["likely"][0], moves) if moves.get("likely") else ""
                row: dict[str, Any] = next(iter(told(guest, game, text)["rows"]), {"but": []})
                lines = text.splitlines()
                for change in _choices(guest, game, text, row):
                    lines[row["row"]] = write(guest, game, text, row=row["row"], **change)
                    assert not told(guest, game, "\n".join(lines))["refused"], lines
                    count += 1
            answer_all(harness, game)
    assert count


def _choices(guest: Browser, game: str, text: str, row: Any) -> list[dict[str, Any]]:
    """One change of each kind that a row offers; of conditions each fact."""
    if not row["but"]:
        return []
    menu = post_change(guest, game, text, row["row"]).get_json()["menu"]
    known: dict[str, dict[str, Any]] = {
        "else": {"form": row["form"], "values": row["values"]},
        "ask": {},
        "times": {"times": 2},
    }
    plain = [{"kind": kind, **known[kind]} for kind in menu["kinds"] if kind != "if"]
    facts = [
        {
            "kind": "if",
            "fact": fact["name"],
            "about": {s["name"]: menu["words"][s["words"]][0][0] if "words" in s else s["low"] for s in fact["slots"]},
        }
        for fact in menu["facts"][: budget(1, 99)]
    ]
    return plain + facts


def branches(guest: Browser, game: str, text: str) -> list[list[str]]:
    """The branches of each line that has several, as they are read."""
    judged = told(guest, game, text)["judged"]
    found = re.findall(r'<dl class="branches">(.*?)</dl>', judged, re.DOTALL)
    parts = [re.findall(r"<div[^>]*>(.*?)</div>", one, re.DOTALL) for one in found]
    return [[" ".join(unescape(re.sub("<[^>]*>", " ", part)).split()) for part in one] for one in parts]


def test_a_line_with_conditions_shows_both_branches(state_dir: Path) -> None:
    """What its order would change where the condition holds, what is done where it does not, and which of them is done
    as things stand; each is judged behind the lines above it.
    """
    _, guest, game = opened(state_dir, asks="expansion")
    moves = told(guest, game, "")["moves"]
    first, second = next(one for one in moves.values() if one.get("likely"))["likely"][:2]
    (held, other), (unmet, none), (plain, asks) = (
        branches(guest, game, f"{line}\n")[0]
        for line in (
            f"IF I HAVE 0 DUCATS: {first} ELSE {second}",
            f"IF I HAVE 99 DUCATS: {first}",
            f"{first} ELSE ASK ME",
        )
    )
    assert held.startswith(f"If the condition holds (as things stand) {first} ")
    assert "Expansion tokens 19 → " in held
    assert other.startswith(f"If the condition does not hold, or the order fails {second} ")
    assert "Expansion tokens 19 → " in other
    assert unmet == held.replace(" (as things stand)", "")
    assert none == "If the condition does not hold (as things stand) Nothing is done."
    assert plain.startswith(f"First (as things stand) {first} ")
    assert asks.startswith("If that is not possible or fails ASK ME You are asked again")
    assert len(branches(guest, game, f"IF I HAVE 0 DUCATS: {first} OR {second}\n")[0]) == 3
    assert branches(guest, game, f"{first} UP TO 2 TIMES\n") == []
    behind = branches(guest, game, f"{first}\n{second} ELSE {first}\n")[0][0]
    assert "Expansion tokens 19 → " not in behind


def test_no_branch_is_said_to_be_done_of_orders_for_later(town: Town) -> None:
    """Nobody knows yet how things stand then."""
    text = MARCH.replace("ATTACK", "IF I HOLD Abbey: ATTACK")
    (held, none) = branches(town.browser("p1@games.test"), town.game, text)[0]
    assert held == "If the condition holds ATTACK Mill WITH 2"
    assert none == "If the condition does not hold Nothing is done."
