"""For one version old code runs beside the new: processes of the last release work on tables that were migrated today.

So an operator can change one process after the other, and go back, while letters come in and gates close.  A game whose
version has risen since is played as of the version that both play: tables of a newer one the old processes hold.
"""

import copy
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.options import FIRST as FIRST_READINGS
from engine.kernel.rules import Option, Rules
from pbem.app import services_of
from pbem.config import environment as variables
from pbem.demo.players import template_lines
from pbem.demo.post_office import Mail
from pbem.service.run.replay import replay
from pbem.supervisor import ROLES
from tests.crashes.desk import Visitor, hidden
from tests.crashes.server import ADDRESSES, Outcome, Server, kept_on, opened
from tests.saves.old_release import VERSIONS, Beside, NoHistory, environment, lay_out

FIRST = next(iter(GAMES))
EACH = [*((title, "sqlite") for title in GAMES), (FIRST, "postgresql")]
"""Each game on the one database, one on the other: what lies in a table does not know which it is."""
STAGES = {
    "the release": ROLES,
    "letters in and judge": ("door", "play"),
    "pages, letters in and out": ("web", "door", "post"),
    "letters out and clock": ("post", "clock"),
    "pages": ("web",),
    "today": (),
}
"""Who runs the old code, one round after the other, in one game: each reads what the other has written."""
SEVERAL = 2
PAIRED = ("door", "post2", "play2")
"""Of two workers of each kind one is old."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def tree() -> Iterator[Path]:
    """The code of the last release."""
    with TemporaryDirectory(prefix="pbem-old-") as name:
        try:
            yield lay_out(Path(name))
        except NoHistory as why:
            pytest.skip(str(why))


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a server keeps what it knows; empty for its own file."""
    with kept_on(request.param) as url:
        yield url


def run(server: Server, rounds: Callable[[Server], None]) -> Outcome:
    """Deal a game, play it, and see that no process ended that was not stopped, and no letter changed."""
    server.start(ROLES)
    installed = {title: as_of(rules, VERSIONS.get(title, rules.meta.version)) for title, rules in GAMES.items()}
    server.services = replace(server.services, installed=installed)
    try:
        server.deal()
        rounds(server)
        server.settle()
        assert server.deaths == []
        assert server.post.differing == []
        services = services_of(server.settings, "play")
        assert [one.otherwise for one in replay(services)] == [()]
        services.db.close()
        return server.outcome()
    finally:
        server.stop()


def as_of(rules: Rules[Any], version: str) -> Rules[Any]:
    """The rules as a version of before sets up its tables: with the readings that it had."""
    if version == rules.meta.version:
        return rules
    older = copy.copy(rules)
    options = tuple(known for option in rules.meta.options if (known := _known(option, version)) is not None)
    vars(older)["meta"] = replace(rules.meta, version=version, continues=(), options=options)
    return older


def _known(option: Option, version: str) -> Option | None:
    """An option as the version had it; None where it had none, for readings come with the second."""
    if option.name != "readings":
        return option
    if version == FIRST_READINGS:
        return None
    return replace(option, values={value: said for value, said in option.values.items() if int(value) <= int(version)})


@cache
def today(title: str) -> Outcome:
    """The game as it goes where all is of today."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        return run(opened(Path(folder), title), in_stages)


def in_stages(server: Server) -> None:
    """A round for each stage, by letters alone."""
    for _ in STAGES:
        server.round()


def same(outcome: Outcome, wanted: Outcome) -> None:
    """The same game came out, and everybody was told it."""
    assert outcome.gates == wanted.gates
    assert outcome.draws == wanted.draws
    assert outcome.position == wanted.position
    told = {key for key in outcome.reports if not key.startswith("<sign-in.")}
    assert told == wanted.reports


def answers(server: Server) -> bool:
    """Whether somebody listens for the pages."""
    http = server.settings.http
    assert http is not None
    with socket.socket() as line:
        return line.connect_ex((http.host, http.port)) == 0


def player(server: Server, address: str) -> Visitor:
    """A player at the pages, who has asked there for a letter with a link, and came by it."""
    browser, link = Visitor(server), re.compile(rf"{server.settings.public_url}/sign-in/\S+")
    before = len(server.post.boxes[address])

    def links() -> list[str]:
        return [found[0] for mail in server.post.boxes[address][before:] if (found := link.search(mail.text))]

    browser.send("/sign-in", {"address": address})
    server.until("a link", lambda: bool(links()))
    browser.enter(links()[0])
    return browser


def by_page(server: Server, browser: Visitor, mail: Mail) -> None:
    """A player sends the first lines of their letter from the page of their game."""
    page = f"/games/{server.game}"
    shown, _ = browser.get(page)
    fields = {"form": hidden(shown, "form"), "entry": hidden(shown, "entry"), "act": "submit"}
    browser.send(page, {**fields, "text": "\n".join(first_lines(mail))}, f"{page}/orders")
    server.answered.add(str(mail.message()["Message-ID"]))


def first_lines(mail: Mail) -> list[str]:
    """What a player answers to a letter."""
    return [lines[0] for lines in template_lines(mail.text)]


def test_the_old_code_is_that_of_the_release(tree: Path) -> None:
    """A process of the old version loads the release's own modules, not ours."""
    told = "import engine, pbem, worker; print(*(m.__file__ for m in (engine, pbem, worker)), sep='\\n')"
    found = subprocess.run(
        [sys.executable, "-c", told], env=environment(tree, variables()), cwd="/", capture_output=True, check=True
    )
    assert [Path(line).parent.parent for line in found.stdout.decode().split()] == [tree] * 3


def test_each_game_is_played_as_of_the_version_that_the_release_has(tree: Path) -> None:
    """Where a version has risen since, `VERSIONS` says from which."""
    told = (
        "import engine; print(*(f'{title} {rules.meta.version}' for title, rules in engine.GAMES.items()), sep='\\n')"
    )
    found = subprocess.run(
        [sys.executable, "-c", told], env=environment(tree, variables()), cwd="/", capture_output=True, check=True
    )
    released = dict(line.split() for line in found.stdout.decode().splitlines())
    raised = {title: version for title, version in released.items() if version != GAMES[title].meta.version}
    assert raised == dict(VERSIONS)


@pytest.mark.parametrize(("title", "database"), EACH, indirect=["database"])
def test_versions_play_one_game_in_turns(tree: Path, title: str, database: str) -> None:
    """Each round others are old: letters and pages are read, gates judged and told, as where all are new."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        server = opened(Path(folder), title, database=database)
        server.supervised = partial(Beside, tree=tree, old=ROLES)
        same(run(server, changing), today(title))


def changing(server: Server) -> None:
    """A round for each stage, with other processes of the old version each time."""
    for number, stage in enumerate(STAGES.values()):
        run_by(server, stage)
        server.until("a question", lambda: any(map(server.last_question, ADDRESSES)))
        server.settle()
        asked = [(address, mail) for address in ADDRESSES if (mail := server.last_question(address)) is not None]
        browser = player(server, asked[0][0])
        assert hidden(browser.get(f"/games/{server.game}")[0], "form")
        if len(asked) > 1 or number % 2:  # who is asked alone writes a letter every other time
            by_page(server, browser, asked.pop(0)[1])
        for address, mail in asked:
            server.write(address, mail, first_lines(mail))
        server.settle()


def run_by(server: Server, old: Collection[str]) -> None:
    """Let these processes be of the old version, and all others of ours."""
    processes = server.server
    assert isinstance(processes, Beside)
    processes.change(old)
    server.pids.clear()
    server.until("all processes", lambda: len(processes.pids()) > len(ROLES))
    server.until("the pages", partial(answers, server))
    assert processes.olds() == set(old)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_versions_share_the_work_of_one_role(tree: Path, database: str) -> None:
    """An old and a new worker of each kind take tasks out of one queue: whoever is first does the work, once."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        server = opened(Path(folder), FIRST, database=database, workers=SEVERAL)
        server.supervised = partial(Beside, tree=tree, old=PAIRED)
        same(run(server, in_stages), today(FIRST))
