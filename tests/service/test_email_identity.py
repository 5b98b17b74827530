"""A mail address means the same person at every door."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.mail import parser
from pbem.service.masters import api
from pbem.store.models import User
from tests.api.api_client import Program, issued
from tests.service.master_commands import HOST, get_user_id, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import Browser, site

KEPT = "zoé@xn--bcher-kva.example"
WRITTEN = ("zoé@bücher.example", "ZOÉ@BÜCHER.EXAMPLE", " zoe\u0301@xn--bcher-kva.example ")
WRONG = ("zoé@bücher..example", "zo(é)@bücher.example", "zoé@[127.0.0.1]", "zoé@-bücher.example")

Door = Callable[[ServerHarness, str, str], None]


def by_sign_in(harness: ServerHarness, game: str, written: str) -> None:
    """The page on which a link to sign in is asked for."""
    Browser(site(harness)).post("/sign-in", {"address": written})


def by_page(harness: ServerHarness, game: str, written: str) -> None:
    """The page on which a master lets spectators in."""
    host = Browser(site(harness)).sign_in(harness, get_user_id(harness, HOST))
    host.post(f"/games/{game}/spectators", {"act": "invite", "address": written})


def by_program(harness: ServerHarness, game: str, written: str) -> None:
    """The same by the interface for programs."""
    Program(site(harness), issued(harness, HOST)).post(f"/games/{game}/spectators", {"address": written})


def by_line(harness: ServerHarness, game: str, written: str) -> None:
    """A line of a master."""
    send_confirmed(harness, game, f"PROMOTE {written}")


DOORS: tuple[Door, ...] = (by_sign_in, by_page, by_program, by_line)


@pytest.fixture
def stage(state_dir: Path) -> tuple[ServerHarness, str]:
    """A running game whose host masters it."""
    harness = build(state_dir)
    return harness, start_game(harness, "toy", 2)


def addresses(harness: ServerHarness) -> set[str]:
    """Everybody who is known beside the two players."""
    return {row.email for row in harness.load_rows(User)} - {"p1@games.test", "p2@games.test"}


@pytest.mark.parametrize("door", DOORS)
def test_an_international_address_is_one_person_at_every_door(door: Door, stage: tuple[ServerHarness, str]) -> None:
    """Each way to write an address finds or makes the same person; text that is no address makes nobody."""
    harness, game = stage
    for written in WRONG:
        door(harness, game, written)
    assert addresses(harness) == set()
    for written in WRITTEN:
        door(harness, game, written)
        assert addresses(harness) == {KEPT}


def test_the_operator_and_the_mail_door_know_them(stage: tuple[ServerHarness, str]) -> None:
    """The command line finds the person by each way to write it, and a letter's sender is read as it is kept."""
    harness, game = stage
    number = get_user_id(harness, KEPT)
    for written in WRITTEN:
        assert api.find_acting_master(harness.web, game, written) == number
        letter = EmailMessage()
        letter["From"], letter["To"] = "x@y.example", "o+token@games.test"
        raw = letter.as_bytes().replace(b"x@y.example", f"Zoé <{written.strip()}>".encode())
        assert parser.parse_message(raw, domain="games.test", envelope_sender=None).from_address == KEPT
