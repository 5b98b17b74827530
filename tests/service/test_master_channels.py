"""Every act of a game master by every door: it is done, asks twice where it must, is audited, and keeps every law."""

import html
import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from click.testing import CliRunner

import engine
from engine.kernel.secrets import truth
from pbem import app
from pbem.broker import task_queue
from pbem.cli.main import main
from pbem.service import masters
from pbem.service.masters import api, registry, ruling_commands
from pbem.service.masters.api import COMMANDS
from pbem.store.models import AuditEntry
from tests.api.api_client import Program, issued
from tests.service.master_cases import CASES, Case, Table
from tests.service.master_commands import build_mastered_game, get_user_id
from tests.service.server_fixtures import GAME_TYPES, ServerHarness
from tests.toy.rules import Toy
from tests.web.form_browser import Browser, site


class Named(Protocol):
    """A case of an act."""

    @property
    def action(self) -> str:
        """The act."""


BY_NAME = {command.name: command for command in COMMANDS}
C = TypeVar("C", bound=Named)
Answer = tuple[str, str]
"""What came of the first line, and the word that was given."""


def build_table(folder: Path) -> Table:
    """A running game of three whose master holds no seat."""
    return Table(*build_mastered_game(folder))


def by_page(table: Table, who: str, lines: Sequence[str], word: str) -> Answer:
    """The page's field for lines; a word goes with the button that confirms."""
    guest = Browser(site(table.harness)).sign_in(table.harness, get_user_id(table.harness, who))
    path = f"/games/{table.game}/master"
    shown = guest.get(path)
    assert shown.status_code == 200
    form = re.findall(r'name="form" value="(\w+)"', shown.text)[0]
    answer = guest.post(path, {"act": "do", "form": form, "text": "\n".join(lines), "word": word})
    assert answer.status_code == 200, answer.text
    table.harness.run_queued_tasks()
    part = answer.text.partition('id="answer"')[2].partition("<h2>")[0]
    found = re.search(r'name="word" value="(\w+)"', part)
    done = "Done." in part or "C&#39;est fait." in part or "C'est fait." in html.unescape(part)
    return ("confirm" if found else "done" if done else "refused"), found.group(1) if found else ""


def by_letter(table: Table, who: str, lines: Sequence[str], word: str) -> Answer:
    """A letter to an address that was asked for."""
    number = get_user_id(table.harness, who)
    api.send_address(table.harness.web, number, table.game)
    table.harness.run_queued_tasks()
    token = next(str(a.token) for a, _ in reversed(table.harness.sent) if a.kind == "master" and a.to_address == who)
    said = [f"CONFIRM {word}", *lines] if word else list(lines)
    table.harness.receive_reply(token, said, sender=who)
    table.harness.run_queued_tasks()
    answers = [f for a, f in table.harness.sent if a.kind == "master" and a.key.startswith("master.")]
    return answers[-1].acts[0].outcome, answers[-1].acts[0].word


def by_command(table: Table, who: str, lines: Sequence[str], word: str) -> Answer:
    """The operator's command line, on the server's own folder."""
    folder = Path(str(table.harness.web.db.url.database)).parent
    more = ["--confirm", word] if word else []
    with pytest.MonkeyPatch.context() as patch:  # the same clock, and no wait for a broker that is not there
        patch.setattr(app, "build_services", lambda settings, role, wake: replace(table.harness.web, enqueue=wake))
        patch.setattr(
            task_queue,
            "TaskQueue",
            lambda settings: lambda task, subject: table.harness.queued_tasks.append((task, subject)),
        )
        found = CliRunner().invoke(main, ["gm", table.game, *lines, "--as", who, "--state", str(folder), *more])
    assert found.exit_code in (0, 2), found.output
    table.harness.run_queued_tasks()
    given = re.search(r"--confirm (\w+)", found.output)
    return ("confirm" if found.exit_code == 2 else "done"), given.group(1) if given else ""


Door = Callable[[Table, str, Sequence[str], str], Answer]


def by_program(table: Table, who: str, lines: Sequence[str], word: str) -> Answer:
    """A call of the interface for programs, with a token of the scope that is for this."""
    program = Program(site(table.harness), issued(table.harness, who, scope="master"))
    answer = program.post(f"/games/{table.game}/master", {"lines": list(lines), "word": word})
    assert answer.status_code == 200, answer.text
    table.harness.run_queued_tasks()
    first = answer.json["acts"][0]
    return first["outcome"], first["word"]


DOORS: dict[str, Door] = {"web": by_page, "mail": by_letter, "operator": by_command, "program": by_program}


def by_turns(cases: Sequence[C]) -> list[Any]:
    """Each case by one door, one after the other; by all others at night.

    What is for people alone is tried by a program as well, which is refused.
    """
    made = []
    for number, case in enumerate(cases):
        alone = BY_NAME[case.action].needs_person
        doors = [door for door in DOORS if not (alone and door == "program")]
        now = {doors[number % len(doors)], *(["program"] if alone else [])}
        for door in DOORS:
            marks = () if door in now else pytest.mark.night
            made.append(pytest.param(case, door, marks=marks, id=f"{case.action}-{door}"))
    return made


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest game can be played like any other."""
    monkeypatch.setitem(engine.GAMES, "toy", Toy())


def no_program_does_it(table: Table, case: Case) -> None:
    """What is for people alone is refused to a program, and nothing of it has happened."""
    lines = case.before(table) or case.lines
    assert by_program(table, case.who, lines, "") == ("refused", "")
    assert not case.after(table)


def test_every_act_has_a_case_and_every_door_of_the_audit_is_tried() -> None:
    """No action of a module is forgotten at the doors, or has the name of another; rulings have cases of their own."""
    known = {name for name, command in BY_NAME.items() if command not in ruling_commands.COMMANDS}
    assert {case.action for case in CASES} == known
    assert set(DOORS) == {registry.WEB, registry.MAIL, registry.OPERATOR, registry.PROGRAM}
    folder = Path(masters.__path__[0])
    found = (importlib.import_module(f"{masters.__name__}.{path.stem}") for path in sorted(folder.glob("*.py")))
    assert {command for module in found for command in getattr(module, "COMMANDS", ())} == set(COMMANDS)
    assert len(BY_NAME) == len(COMMANDS)


@pytest.mark.parametrize(("case", "door"), by_turns(CASES))
def test_an_act_is_done_by_every_door(case: Case, door: str, state_dir: Path) -> None:
    """What an act is for has happened, once confirmed where it asks twice; the audit says by which door."""
    if door == "program" and BY_NAME[case.action].needs_person:
        no_program_does_it(build_table(state_dir), case)
        return
    table = build_table(state_dir)
    lines = case.before(table) or case.lines
    first = DOORS[door](table, case.who, lines, "")
    assert first[0] == ("confirm" if case.twice else "done"), first
    if case.twice:
        assert not case.after(table)
        assert DOORS[door](table, case.who, lines, first[1])[0] == "done"
    assert case.after(table)
    entry = [row for row in table.harness.load_rows(AuditEntry) if row.action == case.action][-1]
    assert (entry.channel, entry.outcome) == (door, "done")
    sound(table.harness, table.game)


def sound(harness: ServerHarness, game: str) -> None:
    """Nothing was minted or lost."""
    with truth():
        assert not GAME_TYPES["toy"].list_violations(harness.load_state(game))
