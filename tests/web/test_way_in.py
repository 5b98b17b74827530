"""The way to a table: what each kind of visitor is shown leads somewhere, and says what is true."""

import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from pbem.service.seats.sign_in import create_sign_in_link
from pbem.store.models import User
from tests.access.matrix import VISITORS
from tests.access.world import World, everybody
from tests.archive.bots import play_on
from tests.service.server_fixtures import build, start_game
from tests.web.conftest import Town
from tests.web.form_browser import Browser, site
from tests.web.test_forming import NORA, linked
from tests.web.test_tables import make_table

LINK = re.compile(r'<a [^>]*?href="(/[^"#]*)')
ALIKE = {"other": "own", "substitute": "own", "playing": "master", "former": "stranger", "administrator": "stranger"}
"""Visitors who find the links that another one finds."""
ENTRY = re.compile(r"/(history|at|reports|public|s\d)/\d+")


def follow(visitor: Browser, start: str = "/") -> dict[str, int]:
    """Every page of ours that links lead to, one of each kind, with the status of what came."""
    found: dict[str, int] = {}
    waiting, known = deque([start]), {start}
    while waiting:
        path = waiting.popleft()
        answer = visitor.get(path)
        found[path] = answer.status_code
        if answer.status_code == 303:
            shown = [answer.headers["Location"]]
        else:
            shown = [unescape(link) for link in LINK.findall(answer.text)] if answer.mimetype == "text/html" else []
        for link in shown:
            kind = ENTRY.sub(r"/\1/1", link)
            if kind not in known:
                known.add(kind)
                waiting.append(link)
    return found


def refused(found: dict[str, int]) -> dict[str, int]:
    """Those that are no page for who followed the link."""
    return {path: status for path, status in found.items() if status >= 400}


# --- links


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Everybody at one table under way."""
    with everybody() as made:
        yield made


@pytest.mark.parametrize(
    "visitor",
    [pytest.param(one, marks=pytest.mark.night if ALIKE.get(one) else ()) for one in VISITORS],
)
def test_no_link_leads_to_a_refusal_at_a_table_under_way(world: World, visitor: str) -> None:
    """Whoever one is to a table: each link of each page that one finds leads to a page that is for them."""
    browser = world.browser(visitor)
    found = follow(browser)
    if visitor not in ("nobody", "stranger", "former", "administrator"):
        found |= follow(browser, f"/games/{world.game}")
    assert refused(found) == {}
    assert len(found) > (1 if visitor == "nobody" else 10)


def test_no_link_leads_a_guest_to_a_refusal(town: Town) -> None:
    """Neither while the practice table is prepared nor while it is played nor when it is over."""
    guest = town.browser()
    path = guest.post("/practice", {"game": "toy"}, page="/").headers["Location"]
    assert refused(follow(guest)) == {}
    town.harness.run_queued_tasks()
    found = follow(guest)
    assert refused(found) == {}
    assert {f"{path}/table", f"{path}/charts", f"{path}/help"} <= found.keys()
    play_on(town.harness, path.rpartition("/")[2])
    assert refused(follow(guest)) == {}


def test_no_link_leads_somebody_who_has_not_confirmed_an_address_to_a_refusal(town: Town) -> None:
    """Neither while the table forms nor when it is under way."""
    _, path, link = linked(town, "2")
    guest = town.browser()
    guest.post(link, NORA)
    assert refused(follow(guest)) == {}
    town.harness.run_queued_tasks()
    assert refused(follow(guest, path)) == {}


# --- a table that is prepared


def test_a_practice_table_that_is_prepared_says_so_in_one_line(town: Town) -> None:
    """Nobody is invited to it, and a guest can free no seat of a bot."""
    guest = town.browser()
    path = guest.post("/practice", {"game": "toy"}, page="/").headers["Location"]
    shown = guest.get(path).text.partition("<main")[2]
    assert "Your table is being prepared." in shown
    assert "invitations" not in shown
    assert "Free the seat" not in shown
    assert shown.count("<p") == 1
    assert '<noscript><meta http-equiv="refresh"' in guest.get(path).text


def test_a_table_speaks_of_invitations_only_where_there_are_some(town: Town) -> None:
    """While it is prepared."""
    host = town.browser("host@games.test")
    assert "invitations go out" not in host.get(make_table(host)).text
    assert "invitations go out" in host.get(make_table(host, addresses="a@b.test")).text


# --- the link of a table


def test_the_page_of_a_link_calls_free_what_it_can_give(town: Town) -> None:
    """A seat that is promised is not free; where there is no other, nothing is asked for that would be refused."""
    host, path, link = linked(town, "3")
    host.post(f"{path}/invite", {"addresses": "ann@games.test"}, page=path)
    shown = town.browser().get(link).text
    assert shown.count("<li>free</li>") == 1
    assert shown.count("promised to somebody who is invited") == 1
    host.post(f"{path}/invite", {"addresses": "bob@games.test"}, page=path)
    full = town.browser().get(link).text
    assert "Every seat of this table is taken or promised" in full
    assert 'name="address"' not in full


def test_the_form_of_a_link_keeps_what_was_written(town: Town) -> None:
    """A refusal empties no field."""
    _, _, link = linked(town)
    guest = town.browser()
    guest.post(link, {"name": "Nora", "address": "nora", "words": "meow"})
    assert guest.last is not None
    assert guest.last.status_code == 409
    for kept in ("Nora", "nora", "meow"):
        assert f'value="{kept}"' in guest.last.text


def test_who_sits_at_the_table_of_a_link_is_led_there(town: Town) -> None:
    """Its host too, who may have followed it to see what it shows."""
    host, path, link = linked(town)
    assert host.get(link).headers["Location"] == path


# --- time


def zone_of(town: Town, address: str) -> str:
    """In which zone somebody reads."""
    return next(user.time_zone for user in town.harness.load_rows(User) if user.email == address)


def test_times_are_those_of_the_browser_until_one_says_otherwise(town: Town) -> None:
    """From the first sign-in on; what was chosen in the settings stays, whatever another browser says."""
    town.user("zoe@games.test")
    for zone, shown in (("Nowhere/At_All", "UTC"), ("Europe/Paris", "UTC")):
        link = open_link(town, "zoe@games.test")
        browser = town.browser()
        browser.post(link, {"zone": zone})
        assert zone_of(town, "zoe@games.test") == shown
    fresh = town.browser()
    town.user("yves@games.test")
    fresh.post(open_link(town, "yves@games.test"), {"zone": "Europe/Paris"})
    assert zone_of(town, "yves@games.test") == "Europe/Paris"
    fresh.post("/settings", {"name": "Yves", "zone": "Asia/Tokyo"})
    town.browser().post(open_link(town, "yves@games.test"), {"zone": "Europe/Paris"})
    assert zone_of(town, "yves@games.test") == "Asia/Tokyo"
    fresh.post("/settings", {"zone": "Europe/Rome"})
    assert zone_of(town, "yves@games.test") == "Europe/Rome"


def open_link(town: Town, address: str) -> str:
    """The path of a link that signs somebody in."""
    return create_sign_in_link(town.harness.web, town.user(address)).removeprefix("https://games.test")


def test_guests_and_the_invited_read_in_the_zone_of_their_browser(town: Town) -> None:
    """A practice table, the link of a table, an invitation: each form brings the zone along."""
    guest = town.browser()
    guest.post("/practice", {"game": "toy", "zone": "Europe/Paris"}, page="/")
    host, path, link = linked(town)
    town.browser().post(link, {**NORA, "zone": "Europe/Madrid"})
    host.post(f"{path}/invite", {"addresses": "ann@games.test"}, page=path)
    invited = town.harness.sent_facts
    town.harness.run_queued_tasks()
    invitation = invited("invitation")[-1].frame.links.act.removeprefix("https://games.test")
    town.browser().post(invitation, {"name": "Ann", "zone": "Europe/Athens"})
    assert zone_of(town, "ann@games.test") == "Europe/Athens"
    zones = {user.time_zone for user in town.harness.load_rows(User) if user.email.endswith(".invalid")}
    assert {"Europe/Paris", "Europe/Madrid"} <= zones


def test_a_page_says_whose_turn_it_is_and_how_long(town: Town) -> None:
    """The time that is left does not stand in the place of "Your turn"."""
    game = start_game(town.harness, "toy", 2, 48)
    shown = town.browser("p1@games.test").get(f"/games/{game}").text
    clock = re.findall(r'<p class="clock owing">(.*?)</p>', shown, re.S)
    assert len(clock) == 1
    assert "Your turn" in clock[0]
    assert "In 2 days" in clock[0]


# --- figures


def test_the_page_of_figures_has_a_table_for_each_game(state_dir: Path) -> None:
    """No average over games whose points have nothing to do with each other."""
    harness = build(state_dir)
    play_on(harness, start_game(harness, "toy", 2, turns="1"))
    town = Town(harness, site(harness), "")
    shown = town.browser("p1@games.test").get("/records/figures").text
    assert shown.count("<caption>The Small Market</caption>") == 1
