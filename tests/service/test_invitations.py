"""Letters to people who never asked for any: few, and without anything to click but our own."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.narration.letters import render
from pbem.service.access import people
from pbem.service.base.services import Refused
from pbem.service.seats import spectators, tables
from pbem.store.models import Game, User
from pbem.text import has_web_address
from tests.service.hall import Hall, build, seated
from tests.service.masterly import user
from tests.web.guests import site

STRANGER = "stranger@players.test"


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A game of two that has begun; its host is p1@."""
    made = build(state_dir)
    seated(made, "toy", 2, 48, watchers="open")
    return made


def table(hall: Hall, host: str, title: str = "Iris") -> str:
    """A new table of four."""
    game = tables.create(hall.web, user(hall, host), "toy", title, 4, {}, 48)
    hall.settle()
    return game


def letters_to(hall: Hall, address: str) -> int:
    """How many letters went there."""
    return sum(one.to_address == address for one, _ in hall.sent)


def test_one_address_is_asked_a_few_times_a_day_by_all_together(hall: Hall) -> None:
    """However many people and tables there are, and whatever they ask a stranger to do, few letters come of it."""
    running = hall.rows(Game)[0].id
    for number in range(12):
        host = f"h{number}@games.test"
        game = table(hall, host)
        try:
            tables.invite(hall.web, game, user(hall, host), [STRANGER.upper() if number % 2 else STRANGER])
        except Refused as refused:
            assert (refused.code, refused.terms["minutes"]) == ("too_often", 1440)
        hall.settle()
    assert letters_to(hall, STRANGER) == 3
    with pytest.raises(Refused, match="too_often"):
        spectators.invite(hall.web, user(hall, "p1@games.test"), running, STRANGER)
    hall.pass_time(days=1)
    tables.invite(hall.web, table(hall, "h0@games.test"), user(hall, "h0@games.test"), [STRANGER])


def test_one_table_invites_so_many_a_day(hall: Hall) -> None:
    """A table that is asked for again and again ends at its own limit, long before its host's hour does."""
    hall.everywhere(most={"table_invitations": 2})
    game = table(hall, "h@games.test")
    tables.invite(hall.web, game, user(hall, "h@games.test"), ["a@players.test", "b@players.test"])
    with pytest.raises(Refused, match="too_often"):
        tables.invite(hall.web, game, user(hall, "h@games.test"), ["c@players.test"])


@pytest.mark.parametrize(
    "text", ["evil.example", "Win at evil.com now", "https://x", "WWW.x", "a.co/x", "evil\uff0ecom"]
)
def test_titles_and_names_hold_no_web_address(hall: Hall, text: str) -> None:
    """What strangers read of a table's title and its people's names is nothing that a mail program makes a link of."""
    assert has_web_address(text)
    with pytest.raises(Refused, match="web_address"):
        table(hall, "h@games.test", text)
    assert not people.settle(hall.web, user(hall, "h@games.test"), name=text, zone="UTC")
    game = table(hall, "h@games.test")
    with hall.web.db.writing() as session:
        session.get_one(User, user(hall, "h@games.test")).name = text
    with pytest.raises(Refused, match="web_address"):
        tables.invite(hall.web, game, user(hall, "h@games.test"), [STRANGER])
    assert letters_to(hall, STRANGER) == 0


@pytest.mark.parametrize("text", ["Rose", "St. Gallen", "J. R. R. Tolkien", "v1.2", "Rose vs. Iris", "L'Été…", "Анна"])
def test_honest_titles_and_names_stand(hall: Hall, text: str) -> None:
    """Full stops where people put them are no web address."""
    assert not has_web_address(text)
    assert table(hall, "h@games.test", text)


def test_a_person_is_first_called_by_their_address_without_its_stops(hall: Hall) -> None:
    """Who never chose a name can invite, and their name is no link."""
    game = table(hall, "anna.smith@games.test")
    with hall.web.db.reading() as session:
        assert session.get_one(User, user(hall, "anna.smith@games.test")).name == "anna smith"
    assert tables.invite(hall.web, game, user(hall, "anna.smith@games.test"), [STRANGER]) == 1


def test_each_invitation_names_the_keys_of_the_server(hall: Hall) -> None:
    """The digest in it is the SHA-256 of what the page `/keys` shows, byte for byte, alone on its line."""
    tables.invite(hall.web, table(hall, "p1@games.test"), user(hall, "p1@games.test"), [STRANGER])
    hall.settle()
    facts = next(facts for one, facts in hall.sent if one.to_address == STRANGER)
    shown = site(hall).test_client().get("/keys").data
    assert facts.keys_digest == hashlib.sha256(shown).hexdigest()
    for language in ("en", "fr"):
        reader = replace(facts.frame.reader, language=language)
        known = replace(facts.frame, reader=reader, table=replace(facts.frame.table, game="age_of_renaissance"))
        assert facts.keys_digest in render(replace(facts, frame=known)).text.splitlines()
