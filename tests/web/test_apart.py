"""Orders of pages and programs are validated beside the process of the pages, with the same answers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from pbem.ops.validators import VALIDATORS, Busy, Validators
from pbem.service.access import api_tokens
from pbem.service.orders import submission
from pbem.store.models import SealedOrdersRow
from tests.web.conftest import Town
from tests.web.form_browser import orders


@pytest.fixture
def apart(town: Town, monkeypatch: pytest.MonkeyPatch) -> Iterator[Town]:
    """The pages of a game with a process beside them, without which no line is read."""
    town.harness.web.db.close()  # a process inherits no connection
    validators = Validators(1)
    validators.start(town.app)
    town.app.extensions[VALIDATORS] = validators
    monkeypatch.setattr(submission, "split_orders_and_messages", lambda lines: pytest.fail("a line is read here"))
    yield town
    validators.stop()


def test_checks_and_orders_are_validated_in_another_process(apart: Town) -> None:
    """A preview, the check of the page's script, orders that are sent, and a program's get their usual answers."""
    guest, game = apart.browser("p1@games.test"), apart.game
    assert "BID 1" in orders(guest, game, "BID 1", "preview").text
    checked = guest.post(f"/games/{game}/preview", {"text": "BID 1", "entry": "1"}, page=f"/games/{game}")
    assert (checked.status_code, checked.json["verdict"]) == (200, "all") if checked.json else False
    token = api_tokens.create_token(apart.harness.web, apart.user("p1@games.test"), name="p", scope="play", days=3)
    answer = apart.browser().client.post(
        f"/api/v2/games/{game}/preview",
        json={"entry": 1, "lines": ["BID 1"]},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert (answer.status_code, answer.json["outcome"]) == (200, "taken") if answer.json else False
    assert apart.harness.load_rows(SealedOrdersRow) == []
    assert orders(guest, game, "BID 1", "submit").status_code == 200
    assert len(apart.harness.load_rows(SealedOrdersRow)) == 1


def test_who_must_wait_is_told_when_to_come_again(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too much waits, or something newer has come, a page and a program get 429 and a moment to come again."""

    def busy(*_: object) -> None:
        raise Busy

    validators = Validators(1)
    monkeypatch.setattr(validators, "run", busy)
    town.app.extensions[VALIDATORS] = validators
    answer = orders(town.browser("p1@games.test"), town.game, "BID 1", "preview")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")


LATE = """
import os, time
from pbem.ops import validators
web, die_with_parent = os.getpid(), validators.die_with_parent
def late(*given):
    parent = os.getppid()
    if (parent == web) == {of_web}:
        print(os.getpid(), flush=True)
        while os.getppid() == parent:
            time.sleep(0.01)
    die_with_parent(*given)
validators.die_with_parent = late
validators.Validators(1).start(None)
time.sleep(600)
"""


@pytest.mark.parametrize("of_web", [True, False])
def test_no_process_outlives_that_of_the_pages(of_web: bool, tmp_path: Path) -> None:
    """The process that forked it is killed before it has asked to end with that one: it ends all the same."""
    line, env = [sys.executable, "-c", LATE.format(of_web=of_web)], {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=env) as web:
        assert web.stdout is not None
        late = psutil.Process(int(web.stdout.readline()))
        web.kill()
    try:
        late.wait(timeout=30)
    finally:
        for process in (*late.children(), late) if late.is_running() else ():
            process.kill()
