"""What the masters' README shows of the command line is what a table of the flagship says."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import engine
from pbem.broker import task_queue
from pbem.cli.main import main
from pbem.crypto import new_token
from pbem.narration.letters import render
from pbem.service.access import users
from pbem.service.orders import web_orders
from pbem.service.seats import tables
from tests.archive.bots import owed_lines
from tests.service.master_cases import Table
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build
from tests.service.test_master_channels import DOORS

README = Path(__file__).parent.parent / "pbem" / "service" / "masters" / "README.md"
GUESTS = (("Roland", "roland@example.org"), ("Renée", "renee@example.org"))
EXAMPLE = re.compile(r"^\$ pbem gm GAME (?P<arguments>.+)\n(?P<said>(?:(?!\$ |```).*\n)+)", re.MULTILINE)
"""A command and what it says, up to the next command or the end of the block."""


def examples() -> list[tuple[str, str]]:
    """Each command of README that acts at a table, and what it prints."""
    found = EXAMPLE.finditer(README.read_text(encoding="utf-8"))
    return [(m["arguments"], m["said"]) for m in found]


def masked(said: str) -> str:
    """Without what differs from run to run: words of confirmation, and until when they can be used."""
    dated = re.sub(r"\w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC", "DATE", said)
    return re.sub(r"--confirm \w{6}", "--confirm WORD", dated).strip()


@pytest.fixture
def table(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ServerHarness, str]:
    """Three who have just begun, whose master Romain is the only one that has not answered."""
    monkeypatch.setattr(task_queue, "TaskQueue", lambda settings: lambda task, subject: None)
    harness = build(state_dir, f"sqlite:///{state_dir}/pbem.sqlite3", engine.GAMES)
    with harness.web.db.transaction() as session:
        host = users.get_or_create_user(harness.web, session, "romain@example.org", "Romain").id
    game = tables.create(harness.web, host, "age_of_renaissance", "Rose", 3, {}, 48)
    harness.run_queued_tasks()
    tables.invite(harness.web, game, host, [address for _, address in GUESTS])
    harness.run_queued_tasks()
    for (_, facts), (name, _) in zip([s for s in harness.sent if s[0].kind == "invitation"], GUESTS, strict=True):
        tables.join(harness.web, facts.frame.links.act.rpartition("/")[2], name=name)
    harness.run_queued_tasks()
    for seat, (_, address) in zip(("s2", "s3"), GUESTS, strict=True):
        web_orders.submit_orders(
            harness.web, get_user_id(harness, address), game, 1, new_token(), owed_lines(harness, game, seat)
        )
    harness.run_queued_tasks()
    return harness, game


def test_every_example_says_what_the_command_says(table: tuple[ServerHarness, str], state_dir: Path) -> None:
    """One after the other at one table, each with the word that the one before gave."""
    word, shown = "", examples()
    assert len(shown) == 4
    for arguments, expected in shown:
        called = shlex.split(re.sub(r"--confirm \w+", f"--confirm {word}", arguments))
        said = CliRunner().invoke(main, ["gm", table[1], *called, "--state", str(state_dir)]).output
        assert masked(said) == masked(expected)
        word = "".join(re.findall(r"--confirm (\w+)", said))


@pytest.mark.parametrize("door", ["mail", "web"])
def test_players_read_what_the_table_of_the_day_says(table: tuple[ServerHarness, str], door: str) -> None:
    """Each row at one table, one after the other, in letters or on the page, confirmed and agreed to if asked for."""
    rows = DAY.findall(README.read_text(encoding="utf-8"))
    assert {task for task, _, _ in rows} >= {"extend", "pause", "correct", "replace a player", "rewind", "end a phase"}
    assert len(rows) == 10
    for task, lines, expected in rows:
        read = letters_after(*table, re.findall(r"`([^`]+)`", lines), door)
        assert expected in read, (task, read)


DAY = re.compile(r'^\| ([^|]+) \| (`.+`) \| "(.+)" \|$', re.MULTILINE)
"""A task, what a master writes for it, and what every player reads."""


def letters_after(harness: ServerHarness, game: str, lines: list[str], door: str) -> str:
    """What Roland reads when Romain has written some lines, in one line; he agrees to what he is asked for."""
    before, write = len(harness.sent), DOORS[door]
    _, word = write(Table(harness, game), "romain@example.org", lines, "")
    if word:
        write(Table(harness, game), "romain@example.org", lines, word)
    if agreed := re.search(r"AGREE (\w+)", letters_since(harness, before)):
        write(Table(harness, game), GUESTS[0][1], [agreed[0]], "")
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    return letters_since(harness, before)


def letters_since(harness: ServerHarness, before: int) -> str:
    """What was sent to Roland since, in one line."""
    letters = [render(facts).text for to, facts in harness.sent[before:] if to.to_address == GUESTS[0][1]]
    return " ".join(" ".join(letters).split())
