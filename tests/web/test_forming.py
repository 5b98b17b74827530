"""A table that forms: its link, its invitations, its bots, and giving it up."""

import re

import pytest
from sqlalchemy import select

from pbem.common.addresses import is_unverified
from pbem.service.base.services import RequestRefused
from pbem.service.seats import open_tables, tables
from pbem.store.models import Base, Game, User
from tests.web.conftest import Town
from tests.web.form_browser import Browser, hidden
from tests.web.test_tables import make_table

NORA = {"name": "Nora", "address": "nora@games.test"}


def act(host: Browser, path: str, name: str, **fields: str) -> int:
    """Press a button of a table that forms."""
    return host.post(f"{path}/lobby", {"act": name, **fields}, page=path).status_code


def link_of(host: Browser, path: str) -> str:
    """The path of the link that a host is shown."""
    (link,) = re.findall(r'readonly value="https://games.test(/join-link/[^"]+)"', host.get(path).text)
    return str(link)


def linked(town: Town, players: str = "3") -> tuple[Browser, str, str]:
    """A host, their table, and the path of its link."""
    host = town.browser("host@games.test")
    path = make_table(host, players=players)
    town.harness.run_queued_tasks()
    assert act(host, path, "link") == 303
    return host, path, link_of(host, path)


def test_a_link_seats_a_guest_who_is_asked_to_confirm_the_address(town: Town) -> None:
    """Looking does nothing; name and address are enough, and the next page is the table's; one letter goes out."""
    _, path, link = linked(town, "2")
    guest = town.browser()
    assert "host" in guest.get(link).text
    assert "What is played" in guest.get(link).text
    answer = guest.post(link, NORA)
    assert (answer.status_code, answer.headers["Location"]) == (303, path)
    town.harness.run_queued_tasks()
    assert town.harness.load_game(path.rpartition("/")[2]).state == "running"
    assert "asks bid" in guest.get(path).text
    mailed = [address.kind for address, _ in town.harness.sent if address.to_address == "nora@games.test"]
    assert mailed == ["signin"]


def test_a_guest_confirms_the_address_and_comes_back_to_the_table(town: Town) -> None:
    """The link that was mailed signs in, on the same device or another, and the seat has the name of the account."""
    _, path, link = linked(town)
    guest = town.browser()
    guest.post(link, {"name": "Eve", "address": "P1@games.test"})
    assert "Eve" in guest.get(path).text
    town.harness.run_queued_tasks()
    mailed = town.harness.sent_facts("signin")[-1].frame.links.act.removeprefix("https://games.test")
    assert guest.post(mailed).headers["Location"] == path
    shown = guest.get(path).text
    assert ("Player 1" in shown, "Eve" in shown) == (True, False)


def test_a_guest_who_mistyped_the_address_asks_for_another_letter(town: Town) -> None:
    """The page to sign in mails a link to any address; the first that is opened gives its owner the seat."""
    _, path, link = linked(town)
    guest = town.browser()
    guest.post(link, {**NORA, "address": "nroa@games.test"})
    assert "gives you the seat" in guest.get("/sign-in").text
    guest.post("/sign-in", {"address": "nora@games.test"})
    town.harness.run_queued_tasks()
    links = [f.frame.links.act.removeprefix("https://games.test") for f in town.harness.sent_facts("signin")]
    owner, other = town.browser(), town.browser()
    town.harness.advance_time(hours=23)
    owner.post(links[-1])
    assert "Nora" in owner.get(path).text
    other.post(links[-2])
    assert other.get(path).status_code == 404


def test_a_link_that_was_revoked_or_replaced_opens_nothing(town: Town) -> None:
    """Nor one of a table that has begun; and a table that is full seats nobody."""
    host, path, first = linked(town)
    act(host, path, "link")
    second, guest = link_of(host, path), town.browser()
    assert guest.get(first).status_code == 404
    for name in ("ann", "bob"):
        assert town.browser().post(second, {"name": name, "address": f"{name}@games.test"}).status_code == 303
    assert guest.post(second, NORA).status_code in (404, 409)
    town.harness.run_queued_tasks()
    assert guest.get(second).status_code == 404
    other, path, third = linked(town)
    act(other, path, "no_link")
    assert guest.get(third).status_code == 404
    assert "readonly" not in other.get(path).text


def test_a_link_at_rest_is_of_no_use(town: Town) -> None:
    """Neither the link nor its token lies in the clear, and only the host is shown it."""
    _, path, link = linked(town)
    token = link.rpartition("/")[2]
    with town.harness.web.db.engine.connect() as connection:
        rows = [row for t in Base.metadata.sorted_tables for row in connection.execute(select(t))]
    values = [value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row]
    assert not any(token.encode() in value for value in values)
    guest = town.browser()
    guest.post(link, NORA)
    assert token not in guest.get(path).text
    with pytest.raises(RequestRefused, match="not_your_table"):
        open_tables.create_link(town.harness.web, path.rpartition("/")[2], town.user("nora@games.test"))


def test_an_invitation_is_sent_again_and_taken_back(town: Town) -> None:
    """Sent again, the old letter's link opens nothing; taken back, the seat is free."""
    host = town.browser("hilda@games.test")
    path = make_table(host, players="2", addresses="ann@games.test")
    town.harness.run_queued_tasks()
    assert act(host, path, "again", seat="s2") == 303
    town.harness.run_queued_tasks()
    links = [
        facts.frame.links.act.removeprefix("https://games.test") for facts in town.harness.sent_facts("invitation")
    ]

    def void() -> list[bool]:
        pages = [town.browser().get(link).text for link in links[-2:]]
        over = ["no longer valid" in page for page in pages]
        assert ["<li>hilda</li>" in page for page in pages] == [not gone for gone in over], "who sits there"
        return over

    assert void() == [True, False]
    assert act(host, path, "uninvite", seat="s2") == 303
    assert void() == [True, True]
    assert "ann@games.test" not in host.get(path).text


def test_a_table_that_is_cancelled_leaves_nothing_and_tells_its_players(town: Town) -> None:
    """Its players get one letter; no row names it; a table that has begun cannot be cancelled."""
    host, path, link = linked(town, "4")
    guest = town.browser()
    guest.post(link, NORA)
    town.harness.run_queued_tasks()
    guest.post(town.harness.sent_facts("signin")[-1].frame.links.act.removeprefix("https://games.test"))
    town.browser().post(link, {**NORA, "name": "Eve"})
    assert act(host, path, "cancel") == 303
    town.harness.run_queued_tasks()
    assert town.harness.sent_facts("notice")[-1].kind == "cancelled"
    assert town.harness.sent[-1][0].to_address == "nora@games.test"
    assert path.rpartition("/")[2] not in {row.id for row in town.harness.load_rows(Game)}
    assert not any(is_unverified(user.email) for user in town.harness.load_rows(User))
    with pytest.raises(RequestRefused, match="table_has_begun"):
        tables.cancel_game(town.harness.web, town.game, town.harness.load_game(town.game).host_id)


def test_the_forming_table_shows_who_is_in_and_what_is_missing(town: Town) -> None:
    """Seats taken are counted; bots are seated and freed by a button."""
    host, path, _ = linked(town)
    assert "Seats taken: 1 of 3" in host.get(path).text
    act(host, path, "bots", count="1", pace="hour")
    shown = host.get(path).text
    assert "Seats taken: 2 of 3" in shown
    assert "(bot)" in shown
    act(host, path, "no_bot", seat="s2")
    assert "Seats taken: 1 of 3" in host.get(path).text


def test_a_preset_fills_the_fields_of_time(town: Town) -> None:
    """One choice sets hours, grace and reminders, whatever is in the folded fields."""
    host = town.browser("host@games.test")
    for preset, hours in (("weekend", 3), ("month", 24), ("year", 96)):
        path = make_table(host, preset=preset, hours="7")
        assert town.harness.load_game(path.rpartition("/")[2]).deadline_hours == hours
    assert 'value="month" checked' in host.get("/tables/new?game=toy").text


def test_a_guest_at_a_practice_table_may_follow_a_link(town: Town) -> None:
    """They give an address, and are that person from then on."""
    _, path, link = linked(town)
    guest = town.browser()
    guest.post("/practice", {"game": "toy"}, page="/")
    assert guest.post(link, NORA).headers["Location"] == path
    assert hidden(guest.get(path).text, "csrf_token")
