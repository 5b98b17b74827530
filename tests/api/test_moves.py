"""What is legal, for programs: a slot at a time, below the lines that are written."""

from inspect import getsource
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from markupsafe import escape

from engine import GAMES
from engine.kernel.languages import LANGUAGES
from pbem.bot import legal_line
from tests.api.api_client import Inside, Program, issued
from tests.api.conftest import Quay
from tests.api.test_operations import BID, problem
from tests.budget import budget
from tests.service.master_commands import HOST
from tests.toy.board import COINS
from tests.web.boards import answer_all, opened
from tests.web.test_boards import PHASES

ONE, TWO = "p1@games.test", "p2@games.test"


def _key(quay: Quay, topic: str, kind: str = "open") -> str:
    """The key of a question of p1's."""
    asked = quay.program(ONE).get(f"{quay.at}/questions").json["questions"]
    return next(str(q["key"]) for q in asked if (q["topic"], q["kind"]) == (topic, kind))


def _moves(quay: Quay, topic: str, **more: Any) -> Any:
    return quay.program(ONE).post(f"{quay.at}/moves", {"question": _key(quay, topic), **more}).json


def _march(quay: Quay) -> None:
    """Both bid alike, so that marches are asked."""
    for address in (ONE, TWO):
        quay.program(address).post(f"{quay.at}/orders", BID)
    quay.harness.run_queued_tasks()


def test_a_program_plays_by_legal_moves_alone(quay: Quay) -> None:
    """It asks for the forms, takes a value, and sends the line that it gets."""
    first = _moves(quay, "bid")
    (form,) = first["forms"]
    assert (form["keyword"], form["reason"], form["slot"]["slot"]) == ("BID", "", "coins")
    assert form["slot"]["stop"]
    coins = form["slot"]["legal"][-1]
    line = _moves(quay, "bid", form=form["form"], values={"coins": coins})["line"]
    assert line == f"BID {coins}"
    orders = {"entry": first["entry"], "lines": ["FOR TURN 1 BIDS", line]}
    assert quay.program(ONE).post(f"{quay.at}/orders", orders).json["outcome"] == "taken"


def test_the_example_for_authors_of_bots_plays(quay: Quay) -> None:
    """What the documentation shows finds lines below others that are taken, whatever is picked."""
    shown = quay.app.test_client().get("/api/docs").text
    assert escape(getsource(legal_line)) in shown
    _march(quay)
    program, kinds = Inside(quay.program(ONE)), set[str]()
    (question,) = (q for q in program.get(f"{quay.at}/questions")["questions"] if q["topic"] == "march")
    for seed in range(budget(8, 100)):
        pick, lines = Random(seed).choice, [question["heading"]]
        while len(lines) < 4 and (line := legal_line(program, quay.game, question, lines, pick)):
            lines.append(line)
        tried = program.post(f"{quay.at}/preview", {"entry": 2, "lines": lines})
        assert tried["sets"][0]["is_valid"], lines
        kinds |= {line.split()[0] for line in lines[1:]}
    assert kinds == {"ATTACK", "SELL", "SCOUT"}


def test_moves_count_what_the_lines_above_spend(quay: Quay) -> None:
    """The armies left, why a town is not offered, and what is uncertain."""
    _march(quay)
    alone = _moves(quay, "march", form=0, values={"town": "mill"}, slot="armies")["forms"][0]["slot"]["legal"]
    lines = ["FOR TURN 1 MARCHES", "ATTACK Abbey WITH 2"]
    found = _moves(quay, "march", lines=lines, form=0, values={"town": "mill"}, slot="armies", reasons=True)
    slot = found["forms"][0]["slot"]
    assert max(alone) - max(slot["legal"]) == 2
    assert (slot["stop"], found["line"]) == ("", "ATTACK Mill WITH 3")
    towns = _moves(quay, "march", lines=lines, form=0, reasons=True)["forms"][0]["slot"]
    assert "abbey" not in towns["legal"]
    assert next(refused["reason"] for refused in towns["refused"] if refused["value"] == "abbey")
    assert found["notes"]


def test_orders_in_advance_may_be_whatever_can_be_written(quay: Quay) -> None:
    """They are judged when they are asked."""
    key = _key(quay, "march", "advance")
    found = quay.program(ONE).post(f"{quay.at}/moves", {"question": key, "form": 0, "slot": "armies"}).json
    assert found["forms"][0]["slot"]["legal"] == list(range(1, COINS + 1))
    assert found["line"]


@pytest.mark.long
@pytest.mark.parametrize("title", PHASES)
def test_each_form_of_each_game_gives_a_line_that_is_accepted(state_dir: Path, title: str) -> None:
    """In both languages, with why other values are refused, and with what the order would change."""
    harness, guest, game = opened(state_dir, title, rounds=3)
    program, at = Program(guest.client.application, issued(harness, HOST)), f"/games/{game}"
    lines, figures = 0, 0
    for _ in range(3):
        questions = program.get(f"{at}/questions?advance=false").json["questions"]
        for question, language in product((q for q in questions if q["kind"] == "open"), LANGUAGES):
            asked = {"question": question["key"], "reasons": True}
            forms = program.post(f"{at}/moves", asked, accept_language=language).json["forms"]
            for form in forms:
                found = program.post(f"{at}/moves", {**asked, "form": form["form"]}, accept_language=language).json
                assert bool(found["line"]) is not bool(form["reason"])
                lines, figures = lines + bool(found["line"]), figures + bool(found["figures"])
                if found["line"]:
                    sent = {"entry": found["entry"], "lines": [question["heading"], found["line"]]}
                    assert program.post(f"{at}/preview", sent).json["sets"][0]["is_valid"], found["line"]
        answer_all(harness, game)
    assert lines > figures
    together = all(topic.exhaustive for topic in GAMES[title].meta.topics)
    assert bool(figures) != together, "orders that are all carried out together change no figure before"


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"question": "s9"}, 404, "not_found"),
        ({"form": 7}, 404, "not_found"),
        ({"form": 0, "slot": "gold"}, 404, "not_found"),
        ({"form": 0, "values": {"gold": 1}}, 422, "does_not_fit"),
        ({"form": 0, "values": {"coins": "three"}}, 422, "does_not_fit"),
        ({"form": 0, "values": {"coins": 10**9}}, 422, "does_not_fit"),
        ({"form": 0, "values": {"coins": [1]}}, 422, "does_not_fit"),
    ],
)
def test_what_does_not_exist_is_said(quay: Quay, more: dict[str, Any], status: int, code: str) -> None:
    """A question, a form, a slot or a value that there is not."""
    body = {"question": _key(quay, "bid"), **more}
    problem(quay.program(ONE).post(f"{quay.at}/moves", body), status, code)


def test_whatever_value_is_given_there_is_an_answer(quay: Quay) -> None:
    """Words of no letters and lists of nothing can be written nowhere: they are refused, or count as no value yet."""
    program = quay.program(ONE)
    unwritable: list[Any] = ["\n", "\u202e", "\0", [], {}, [[]]]
    for question in program.get(f"{quay.at}/questions").json["questions"]:
        asked = {"question": question["key"]}
        for form in program.post(f"{quay.at}/moves", asked).json["forms"]:
            for value in unwritable:
                values = {form["slot"]["slot"]: value}
                found = program.post(f"{quay.at}/moves", {**asked, "form": form["form"], "values": values})
                assert found.status_code in (200, 422), (question["topic"], value)
