"""How much one text of orders may hold, and how long its answer may take: the same for every door."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.kernel.position import Step
from engine.kernel.table import Table
from pbem import work
from pbem.mail.inbound import read
from pbem.service.access import programs
from pbem.service.masters import entry_points
from pbem.service.orders import inline_messages, web_orders
from pbem.service.run import considering
from pbem.store.models import BallotRow
from pbem.vault import new_token
from pbem.work import MOST_LINES, Overspent
from tests.service.hall import Hall, build, seated
from tests.service.masterly import user
from tests.toy.board import Board
from tests.toy.rules import Toy
from tests.toy.steps import March
from tests.web.conftest import Town
from tests.web.guests import orders

ACTS = ("submit", "preview")


@pytest.mark.parametrize("act", ACTS)
def test_a_form_of_endless_lines_is_refused_at_once(town: Town, monkeypatch: pytest.MonkeyPatch, act: str) -> None:
    """The page says that it is too much before it reads one line, and nothing counts; as many as may be are read."""
    guest = town.browser("p1@games.test")
    with monkeypatch.context() as patch:
        patch.setattr(inline_messages, "parted", lambda lines: pytest.fail("a line is read"))
        answer = orders(guest, town.game, "BID 1\n" * (MOST_LINES + 1), act)
    assert answer.status_code == 413
    assert "Too much text" in answer.text
    assert town.hall.rows(BallotRow) == []
    assert orders(guest, town.game, "\n" * (MOST_LINES - 1) + "BID 1", act).status_code == 200


def test_programs_and_the_check_of_the_page_have_the_same_limit(town: Town) -> None:
    """A program is told that its lines do not fit; the script of the page that the text is too long."""
    token = programs.issue(town.hall.web, town.user("p1@games.test"), name="p", scope="play", days=3)
    bears = {"Authorization": f"Bearer {token}"}
    path, line = f"/api/v2/games/{town.game}/preview", "BID 1"
    for lines, status in (([line] * (MOST_LINES + 1), 422), ([""] * (MOST_LINES - 1) + [line], 200)):
        answer = town.browser().client.post(path, json={"entry": 1, "lines": lines}, headers=bears)
        assert answer.status_code == status
    sent = {"text": f"{line}\n" * (MOST_LINES + 1)}
    guest = town.browser("p1@games.test")
    assert guest.post(f"/games/{town.game}/check", sent, page="/settings").status_code == 413


def test_letters_have_the_same_limit() -> None:
    """Of a longer letter as many lines are read, and it says that it was cut short."""
    assert len(read(b"From: a@b.c\r\n\r\n" + b"BID 1\r\n" * (MOST_LINES + 5)).lines) == MOST_LINES


def test_masters_have_the_same_limit(town: Town) -> None:
    """More lines of a master than a text may have are not read."""
    for ask in (entry_points.preview, entry_points.act, entry_points.read):
        with pytest.raises(Overspent):
            ask(town.hall.web, town.game, town.user("p1@games.test"), ["STATUS"] * (MOST_LINES + 1))


class Endless(Toy):
    """The smallest game, in which a march never ends while it is tried."""

    def take(self, table: Table[Board], step: Step) -> None:
        """A march is put back as it was."""
        if isinstance(step, March) and table.trial:
            table.then(step)
        else:
            super().take(table, step)


def tried_twice(hall: Hall, line: str) -> None:
    """A letter is given up, and so it is when its second turn comes."""
    with pytest.raises(Overspent):
        hall.say("s1", line)
    hall.pass_time(minutes=1)
    hall.sweep()


@pytest.mark.parametrize("by", ["letter", "form", "preview"])
def test_the_judgement_of_one_set_has_a_budget(state_dir: Path, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    """However long one set would take to be judged, it is given up, nothing counts, and its sender is told."""
    hall = build(state_dir, installed={"toy": Endless()})
    game = seated(hall, "toy", 2)
    hall.say("s1", "BID 1")
    hall.say("s2", "BID 2")
    before = hall.rows(BallotRow)
    for module in (web_orders, considering):
        monkeypatch.setattr(module, "ANSWER_S", 0.1)
    line, entry = "ATTACK Mill WITH 2", hall.game(game).entry
    person = user(hall, "p1@games.test")
    send: dict[str, Callable[[], object]] = {
        "letter": lambda: tried_twice(hall, line),
        "form": lambda: web_orders.submit(hall.web, person, game, entry, new_token(), [line]),
        "preview": lambda: web_orders.preview(hall.web, person, game, entry, [line]),
    }
    with pytest.raises(Overspent):
        send[by]()
    hall.settle()
    assert hall.rows(BallotRow) == before
    assert [notice.kind for notice in hall.of("notice")] == (["too_much"] if by == "letter" else [])


def test_an_answer_that_takes_too_long_is_given_up(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond its budget an answer ends, nothing counts, and page and program are told that it was too much."""
    monkeypatch.setattr(web_orders, "ANSWER_S", -1.0)
    assert orders(town.browser("p1@games.test"), town.game, "BID 1", "submit").status_code == 413
    assert town.hall.rows(BallotRow) == []
    monkeypatch.setattr(web_orders, "ANSWER_S", work.ANSWER_S)
    assert orders(town.browser("p1@games.test"), town.game, "BID 1", "submit").status_code == 200
