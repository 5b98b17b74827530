"""All that is kept about a person, as a file of their own."""

import json
from pathlib import Path

import pytest

from pbem.crypto import new_token
from pbem.service.messages import messages
from pbem.service.pages import data_export
from pbem.store.models import Base, Game, SeatRow, User
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import Browser, site

WORDS, NOTE = "qzvxj the quiet harbour", "qzvxj to myself"


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of three, in which the first has said something."""
    found = build(state_dir)
    game = start_game(found, "toy", 3)
    one = found.load_rows(SeatRow)[0].user_id
    assert one is not None
    messages.send(found.web, one, game, ("all",), WORDS, new_token())
    messages.write_diary(found.web, one, game, NOTE, new_token())
    return found


def person(harness: ServerHarness, seat: int) -> int:
    """Who sits there."""
    found = harness.load_rows(SeatRow)[seat].user_id
    assert found is not None
    return found


def test_every_table_that_names_people_is_looked_at(harness: ServerHarness) -> None:
    """What names a person is found by the tables themselves, so that a new one cannot be forgotten."""
    found = data_export.export_user(harness.web, person(harness, 0))
    assert {"seats", "games", "outbound_emails", "capabilities"} <= set(found)
    naming = {
        table.name
        for table in Base.metadata.sorted_tables
        if any(key.target_fullname == "users.id" for column in table.columns for key in column.foreign_keys)
    }
    assert set(found) - {"person", "said"} <= naming
    assert len(naming) > 20


def test_it_holds_their_own_rows_and_words_and_nobody_elses(harness: ServerHarness) -> None:
    """Their address and what they said stand there; no address, no number and no word of another; nothing sealed."""
    mine, other = (json.dumps(data_export.export_user(harness.web, person(harness, seat))) for seat in (0, 1))
    assert WORDS in mine
    assert NOTE in mine
    assert "qzvxj" not in other
    addresses = [user.email for user in harness.load_rows(User)]
    assert [address in mine for address in addresses].count(True) == 1
    assert harness.load_rows(Game)[0].id in mine
    told = data_export.export_user(harness.web, person(harness, 0))
    names = {name for rows in told.values() for row in rows for name in row}
    assert not names & {"signed", "sealed", "hash", "keys", "user_id", "host_id", "nonce"}
    assert told["person"][0]["created_at"].endswith("+00:00")


def test_the_page_says_how_long_and_gives_the_file(harness: ServerHarness) -> None:
    """In both languages; the file is for who is signed in, and comes as one to keep."""
    browser = Browser(site(harness)).sign_in(harness, person(harness, 0))
    page = browser.get("/settings/privacy")
    assert page.status_code == 200
    assert "30" in page.text
    assert "180" in page.text
    answer = browser.get("/settings/privacy.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert WORDS in answer.text
    assert site(harness).test_client().get("/settings/privacy.json").status_code == 303
