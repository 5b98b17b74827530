"""What is done while a transaction that may write is open: look-ups and writes, and nothing that takes long.

The watch is on in every test (`tests/transaction_watch.py`).
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pbem.app import render_email, to_inbound_email
from pbem.config.settings import Settings
from pbem.mail import parser
from pbem.service.mail import inbox_queue
from pbem.service.seats import tables
from pbem.store.database import in_transaction
from pbem.store.models import Game, OutboundEmail
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.transaction_watch import TransactionWatch
from tests.web.conftest import Town
from tests.web.form_browser import orders, site

LETTER = "From: p1@players.test\r\nMessage-ID: <{n}@x>\r\nSubject: Re:\r\n\r\n{line}\r\n"


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two that has just begun, with the real reader and writer of letters."""
    made = build(state_dir)
    start_game(made, "toy", 2, 24)
    settings = replace(Settings.with_embedded(state_dir), mail_domain="games.test")
    made.mailer = replace(
        made.mailer, parse_email=partial(to_inbound_email, settings), render_email=partial(render_email, settings)
    )
    return made


def test_letters_and_forms_hold_nobody_up(harness: ServerHarness, held_work: TransactionWatch) -> None:
    """A turn by letters and by the page, and an invitation, are read, worded and sent outside of every transaction."""
    town = Town(harness, site(harness), harness.load_rows(Game)[0].id)
    for number, line in enumerate(("BID 1", "gibberish", "HELP")):
        raw = LETTER.format(n=number, line=line).encode()
        inbox_queue.store_message(harness.smtp, (f"o+{harness.reply_token('s1')}@games.test",), raw)
        harness.run_queued_tasks()
    orders(town.browser("p2@games.test"), town.game, "BID 2", "submit")
    harness.run_queued_tasks()
    game = tables.create(harness.web, get_user_id(harness, "p1@games.test"), "toy", "Iris", 3, {}, 48)
    tables.invite(harness.web, game, get_user_id(harness, "p1@games.test"), ["new@players.test"])
    harness.run_queued_tasks()
    assert sum(row.kind == "receipt" for row in harness.load_rows(OutboundEmail)) == 4
    assert held_work.begun >= {"reading a letter", "wording", "reading orders", "judging", "sealing", "counting"}


def test_the_watch_sees_work_inside_a_transaction(harness: ServerHarness, held_work: TransactionWatch) -> None:
    """Work that begins inside is found, and the same work outside is not."""
    parser.parse_message(b"From: a@b.c\r\n\r\nx")
    with harness.web.db.snapshot():
        assert not in_transaction()
        parser.parse_message(b"From: a@b.c\r\n\r\nx")
    assert held_work.found == []
    with harness.web.db.transaction():
        parser.parse_message(b"From: a@b.c\r\n\r\nx")
    assert held_work.found == ["reading a letter"]
    held_work.found.clear()
