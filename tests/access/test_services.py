"""Services, letters and commands answer each visitor as the table says, through every door."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from pbem.cli.main import main
from pbem.crypto import new_token
from pbem.service.base.services import ParsedEmail, RequestRefused
from pbem.service.deadlines import gate_timing, interruptions
from pbem.service.masters import api
from pbem.service.messages import conversations, messages
from pbem.service.messages.messages import MessageRefused
from pbem.service.orders import web_orders
from pbem.service.seats import accounts, deputies, spectators, substitutes, tables
from pbem.service.seats.deputies import DEPUTY
from pbem.service.tasks import recipients
from pbem.store.models import SealedOrdersRow
from tests.access.matrix import COMMANDS, LETTERS, PURPOSES, SERVICES, VISITORS
from tests.access.world import ADDRESSES, World, everybody
from tests.service.test_deputies import relief
from tests.service.test_messages import token_of
from tests.service.test_signed_rows import written


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Everybody at one table, to which services do nothing that stays."""
    with everybody() as made:
        yield made


def _away(world: World, user: int) -> int:
    """An announced absence of the visitor; the present one, if there is any."""
    if not gate_timing.list_upcoming_absences(world.harness.web, user):
        now = world.harness.web.now()
        gate_timing.add_absence(world.harness.web, user, now, now + 86_400_000)
    return gate_timing.list_upcoming_absences(world.harness.web, user)[0][0]


def _name(world: World, user: int) -> None:
    """A deputy for a day; a player who has one already calls that one off first."""
    for one in deputies.list_invited(world.harness.web, user, world.game):
        deputies.cancel(world.harness.web, user, world.game, one.number)
    deputies.invite(world.harness.web, user, world.game, f"n{user}@players.test", _away(world, user))


def _done(facts: object) -> None:
    if isinstance(facts, web_orders.GameClosed):
        raise RequestRefused("closed")


def _mastered(world: World, user: int) -> None:
    facts = api.execute(world.harness.web, world.game, user, ["STATUS"], "", "web")
    if not facts.acts or facts.acts[0].outcome not in ("done", "seen", "confirm"):
        raise RequestRefused("no_master")


CALLS: Mapping[str, Callable[[World, int], Any]] = {
    "orders": lambda w, u: _done(web_orders.submit_orders(w.harness.web, u, w.game, 9, new_token(), ["STATUS"])),
    "preview": lambda w, u: _done(web_orders.preview_orders(w.harness.web, u, w.game, 9, ["BID 1"])),
    "read back": lambda w, u: web_orders.request_own_orders(w.harness.web, u, w.game),
    "talk to all": lambda w, u: messages.send(w.harness.web, u, w.game, ["all"], "Hello", new_token()),
    "talk in secret": lambda w, u: _secretly(w, u),
    "diary": lambda w, u: messages.write_diary(w.harness.web, u, w.game, "Dear diary", new_token()),
    "resign": lambda w, u: substitutes.offer_own_seat(w.harness.web, u, w.game),
    "give back": lambda w, u: substitutes.return_seat(w.harness.web, u, w.game),
    "pause": lambda w, u: interruptions.request_pause(w.harness.web, u, w.game, interruptions.PAUSE),
    "name a deputy": _name,
    "invite a spectator": lambda w, u: spectators.invite(w.harness.web, u, w.game, "guest@players.test"),
    "invite a player": lambda w, u: tables.invite(w.harness.web, w.game, u, ["guest@players.test"]),
    "take a seat": lambda w, u: substitutes.take_over(w.harness.web, u, w.game, "s3"),
    "master": _mastered,
}


def _secretly(world: World, user: int) -> None:
    """To the third seat; from the third seat itself, to the second."""
    to = "s2" if user == world.user("other") else "s3"
    messages.send(world.harness.web, user, world.game, [to], "Psst", new_token())


def test_every_service_of_the_table_is_tried() -> None:
    """Each row has a call, and each call a row."""
    assert set(CALLS) == set(SERVICES)


@pytest.mark.parametrize("name", CALLS)
def test_services_serve_whom_the_table_says(world: World, name: str) -> None:
    """A service is done for those whom the table names, and refused to everybody else."""
    with written(world.harness, "UPDATE games SET title = title"):
        assert served(world, name) == SERVICES[name]


def served(world: World, name: str) -> frozenset[str]:
    """What the visitor gets when they ask for it; nobody has a number to ask with."""
    found = set()
    for visitor in VISITORS:
        if visitor == "nobody":
            continue
        try:
            CALLS[name](world, world.user(visitor))
        except (RequestRefused, MessageRefused, LookupError):
            continue
        found.add(visitor)
    return frozenset(found)


# --- letters


@pytest.fixture(scope="module")
def posted() -> Iterator[World]:
    """A table to write to."""
    with everybody() as made:
        yield made


def _address(world: World, kind: str) -> tuple[str, str]:
    """The way and the token of a kind of address."""
    circles = conversations.load_conversation(world.harness.web, world.user("own"), world.game).audiences
    circles = conversations.with_addresses(world.harness.web, world.user("own"), world.game, circles)
    match kind:
        case "reply of own":
            return "reply", world.harness.reply_token("s2")
        case "reply of deputy":
            return "reply", relief(world.harness)
        case "reply of former":
            return "reply", world.old_token
        case "talk of own":
            return "reply", token_of(circles[0].address)
        case "wish of own":
            accounts.request_deletion(world.harness.web, world.user("own"))
            world.harness.run_queued_tasks()
            return "reply", next(str(a.token) for a, _ in reversed(world.harness.sent) if a.kind == "account")
        case "table":
            return "table", world.game
        case "bounce":
            return "bounce", "x" * 12
        case _:
            return "reply", new_token()


@pytest.mark.parametrize("kind", LETTERS)
def test_letters_are_answered_to_whom_the_table_says(posted: World, kind: str) -> None:
    """Orders to each kind of address, under any sender's name, are answered as the table says, at addresses of record.

    Only through the reply address of the seat, or of its deputy, does anything count; to an address for talk no order
    does, and none is told to anybody.
    """
    owner = kind.rpartition(" ")[2]
    senders = (owner if owner in ("deputy", "former") else "own", "other", "stranger")
    for sender, (who, told) in zip(senders, LETTERS[kind].items(), strict=True):
        way = _address(posted, kind)
        before = len(posted.harness.sent)
        filed = len(posted.harness.load_rows(SealedOrdersRow))
        posted.harness.receive_email(ParsedEmail("ordinary", False, *way, ADDRESSES[sender], "", "Re:", ("BID 2",)))
        posted.harness.run_queued_tasks()
        sent = [(a, getattr(facts, "kind", "")) for a, facts in posted.harness.sent[before:]]
        got = [(a.kind, a.to_address) for a, notice in sent if notice != "address_shared"]
        counts = told.startswith("receipt")
        expected = [(told.split()[0], ADDRESSES[told.split()[-1]])] if told != "nothing" else []
        assert {a.to_address for a, notice in sent if notice == "address_shared"} <= {ADDRESSES.get(owner)}
        assert got == expected, (kind, who)
        assert (len(posted.harness.load_rows(SealedOrdersRow)) > filed) == counts, (kind, who)


def test_every_purpose_of_an_address_is_known() -> None:
    """Every purpose of an address has a row."""
    assert set(recipients.ADDRESSES) == PURPOSES
    assert DEPUTY in PURPOSES


# --- the operator's shell


def _commands(group: click.Command, name: str = "") -> Iterator[str]:
    if isinstance(group, click.Group):
        if group.invoke_without_command:
            yield name
        for part, command in group.commands.items():
            yield from _commands(command, f"{name} {part}".strip())
    else:
        yield name


def test_every_command_has_a_row() -> None:
    """Every command has a row that says which keys it needs."""
    assert set(_commands(main)) == set(COMMANDS)


def test_every_command_is_listed_under_who_uses_it() -> None:
    """`pbem --help` leaves none out, and lists none twice."""
    assert sorted(name for names in main.sections.values() for name in names) == sorted(main.commands)


@pytest.mark.parametrize("command", [name for name, keys in COMMANDS.items() if keys])
def test_commands_say_nothing_without_keys(state_dir: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Without the folder of keys and the environment of a process a command tells nothing of any game."""
    monkeypatch.chdir(state_dir)
    Path("file").write_bytes(b"x")
    more = {
        "archive export": ["g", "-o", "out"],
        "archive import": ["file"],
        "gm": ["g", "STATUS"],
        "keys enrol": ["ann@players.test"],
        "transfer cancel": ["g", "--yes"],
        "transfer export": ["g", "00", "-o", "out"],
        "game accept-version": ["renaissance", "--yes"],
    }.get(command, [])
    bare = {name: None for name in os.environ if name.startswith("PBEM_")}
    done = CliRunner(env={**bare, "HOME": str(state_dir)}).invoke(main, [*command.split(), *more])
    assert done.exit_code not in (0, 3)
    assert isinstance(done.exception, SystemExit), "a refusal, and no traceback"
    assert done.stdout == ""
