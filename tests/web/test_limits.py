"""How much one text of orders may hold, and how long its answer may take: the same for every door."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.kernel.position import Step
from engine.kernel.table import Table
from pbem.common import cpu_budget
from pbem.common.cpu_budget import MOST_LINES, BudgetExceeded
from pbem.crypto import new_token
from pbem.mail.parser import parse_message
from pbem.service.access import api_tokens
from pbem.service.masters import api
from pbem.service.orders import submission, web_orders
from pbem.service.tasks import analysis
from pbem.store.models import SealedOrdersRow
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy.board import Board
from tests.toy.rules import Toy
from tests.toy.steps import March
from tests.web.conftest import Town
from tests.web.form_browser import orders


def test_every_door_has_the_same_limit(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form, a program, the check of the page, a letter and a master's act with more lines than a text may have.

    The page says that it is too much before it reads one line, and nothing counts; as many as may be are read.
    """
    guest, game, line = town.browser("p1@games.test"), town.game, "BID 1"
    for act in ("submit", "preview"):
        with monkeypatch.context() as patch:
            patch.setattr(submission, "split_orders_and_messages", lambda lines: pytest.fail("a line is read"))
            answer = orders(guest, game, f"{line}\n" * (MOST_LINES + 1), act)
        assert (answer.status_code, "Too much text" in answer.text) == (413, True)
        assert orders(guest, game, "x" * 20_001, act).status_code == 413
    assert town.harness.load_rows(SealedOrdersRow) == []
    assert orders(guest, game, "\n" * (MOST_LINES - 1) + line, "preview").status_code == 200
    assert orders(guest, game, "\x00\u202e\ud7ff;;;\nIF IF IF\nON ON: ON", "preview").status_code == 422
    sent = {"text": f"{line}\n" * (MOST_LINES + 1)}
    assert guest.post(f"/games/{game}/preview", sent, page="/settings").status_code == 413
    token = api_tokens.create_token(town.harness.web, town.user("p1@games.test"), name="p", scope="play", days=3)
    for lines, status in (([line] * (MOST_LINES + 1), 422), ([""] * (MOST_LINES - 1) + [line], 200)):
        answer = town.browser().client.post(
            f"/api/v2/games/{game}/preview",
            json={"entry": 1, "lines": lines},
            headers={"Authorization": f"Bearer {token}"},
        )
        assert answer.status_code == status
    assert len(parse_message(b"From: a@b.c\r\n\r\n" + b"BID 1\r\n" * (MOST_LINES + 5)).lines) == MOST_LINES
    for ask in (api.preview_commands, api.execute):
        with pytest.raises(BudgetExceeded):
            ask(town.harness.web, game, town.user("p1@games.test"), ["STATUS"] * (MOST_LINES + 1))


class Endless(Toy):
    """The smallest game, in which a march never ends while it is tried."""

    def take(self, table: Table[Board], step: Step) -> None:
        """A march is put back as it was."""
        if isinstance(step, March) and table.trial:
            table.then(step)
        else:
            super().take(table, step)


def tried_twice(harness: ServerHarness, line: str) -> None:
    """A letter is given up, and so it is when its second turn comes."""
    with pytest.raises(BudgetExceeded):
        harness.reply("s1", line)
    harness.advance_time(minutes=1)
    harness.requeue_stuck_work()


@pytest.mark.parametrize("by", ["letter", "form", "preview"])
def test_the_judgement_of_one_set_has_a_budget(state_dir: Path, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    """However long one set would take to be judged, it is given up, nothing counts, and its sender is told."""
    harness = build(state_dir, installed={"toy": Endless()})
    game = start_game(harness, "toy", 2)
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 2")
    before = harness.load_rows(SealedOrdersRow)
    for module in (web_orders, analysis):
        monkeypatch.setattr(module, "ANSWER_S", 0.1)
    line, entry = "ATTACK Mill WITH 2", harness.load_game(game).entry
    person = get_user_id(harness, "p1@games.test")
    send: dict[str, Callable[[], object]] = {
        "letter": lambda: tried_twice(harness, line),
        "form": lambda: web_orders.submit_orders(harness.web, person, game, entry, new_token(), [line]),
        "preview": lambda: web_orders.preview_orders(harness.web, person, game, entry, [line]),
    }
    with pytest.raises(BudgetExceeded):
        send[by]()
    harness.run_queued_tasks()
    assert harness.load_rows(SealedOrdersRow) == before
    assert [notice.kind for notice in harness.sent_facts("notice")] == (["too_much"] if by == "letter" else [])


def test_an_answer_that_takes_too_long_is_given_up(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond its budget an answer ends, nothing counts, and page and program are told that it was too much."""
    monkeypatch.setattr(web_orders, "ANSWER_S", -1.0)
    assert orders(town.browser("p1@games.test"), town.game, "BID 1", "submit").status_code == 413
    assert town.harness.load_rows(SealedOrdersRow) == []
    monkeypatch.setattr(web_orders, "ANSWER_S", cpu_budget.ANSWER_S)
    assert orders(town.browser("p1@games.test"), town.game, "BID 1", "submit").status_code == 200
