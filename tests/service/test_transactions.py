"""What is done while a transaction that may write is open: look-ups and writes, and nothing that takes long."""

import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import jinja2
import pytest

from engine.kernel import parse, run, standing
from pbem.app import arrived, write_letter
from pbem.config import Settings
from pbem.mail import inbound
from pbem.service.post import inbox_queue
from pbem.service.seats import tables
from pbem.store.database import write_is_open
from pbem.store.models import Game
from tests.service.hall import Hall, build, seated
from tests.service.masterly import user
from tests.web.conftest import Town
from tests.web.guests import orders, site

LETTER = "From: p1@games.test\r\nMessage-ID: <{n}@x>\r\nSubject: Re:\r\n\r\n{line}\r\n"
WORK: Final[tuple[tuple[str, Any, str], ...]] = (
    ("reading a letter", inbound, "_read"),
    ("wording", jinja2.Template, "render"),
    ("the network", socket.socket, "connect"),
    ("reading orders", parse._Reader, "read"),
    ("judging", standing, "_single"),
    ("judging", standing, "_in_sequence"),
    ("carrying out", run, "_loop"),
)
"""What takes long, and the function through which all of it goes."""

LEFT_OUT: Final = {
    ("letter_came", "answer"): {"reading orders", "judging"},
    ("web_orders", "submit"): {"reading orders", "judging"},
    ("game_visit", "visit"): {"carrying out"},
}
"""Transactions that still do such work, each by the name of the function that is in charge of it."""


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The work that was begun inside a transaction, but for what is left out by name; and what was begun at all."""
    found, begun = list[str](), set[str]()

    def watched(kind: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def watch(*given: Any, **named: Any) -> Any:
            begun.add(kind)
            if write_is_open() and kind not in _left_out():
                found.append(kind)
            return work(*given, **named)

        return watch

    for kind, place, name in WORK:
        monkeypatch.setattr(place, name, watched(kind, getattr(place, name)))
    yield found
    assert begun >= {"reading a letter", "wording", "reading orders", "judging"}, "nothing to watch"


def _left_out() -> set[str]:
    """What the functions that are running may do inside a transaction."""
    frame, kinds = sys._getframe(), set[str]()
    while frame.f_back is not None:
        frame = frame.f_back
        module = str(frame.f_globals.get("__name__", "")).rpartition(".")[2]
        kinds |= LEFT_OUT.get((module, frame.f_code.co_name), set())
    return kinds


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A game of two that has just begun, with the real reader and writer of letters."""
    made = build(state_dir)
    seated(made, "toy", 2, 24)
    settings = replace(Settings.embedded(state_dir), mail_domain="games.test")
    made.post = replace(made.post, read_letter=partial(arrived, settings), write=partial(write_letter, settings))
    return made


def test_letters_and_forms_hold_nobody_up(hall: Hall, found: list[str]) -> None:
    """A turn by letters and by the page, and an invitation, are read, worded and sent outside of every transaction."""
    town = Town(hall, site(hall), hall.rows(Game)[0].id)
    for number, line in enumerate(("BID 1", "gibberish", "HELP")):
        raw = LETTER.format(n=number, line=line).encode()
        inbox_queue.take_in(hall.door, (f"o+{hall.token('s1')}@games.test",), raw)
        hall.settle()
    orders(town.browser("p2@games.test"), town.game, "BID 2", "submit")
    hall.settle()
    game = tables.create(hall.web, user(hall, "p1@games.test"), "toy", "Iris", 3, {}, 48)
    tables.invite(hall.web, game, user(hall, "p1@games.test"), ["new@players.test"])
    hall.settle()
    assert found == []


def test_the_watch_sees_work_inside_a_transaction(hall: Hall, found: list[str]) -> None:
    """Work that begins inside is found, and the same work outside is not."""
    for kind, work in (
        ("reading a letter", lambda: inbound.read(b"From: a@b.c\r\n\r\nx")),
        ("wording", lambda: jinja2.Template("a").render()),
    ):
        work()
        assert found == []
        with hall.web.db.writing():
            work()
        assert found == [kind]
        found.clear()
    with hall.web.db.reading():
        assert not write_is_open()
    town = Town(hall, site(hall), hall.rows(Game)[0].id)
    orders(town.browser("p2@games.test"), town.game, "BID 2", "submit")
