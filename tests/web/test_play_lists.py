"""The lists that a person needs: tables that look for players, and a game's history."""

import re

from sqlalchemy import delete

from pbem.store.models import ViewRow
from tests.archive.bots import play_on
from tests.web.conftest import Town
from tests.web.guests import Browser, hidden, orders


def made(host: Browser, town: Town) -> str:
    """A table of two that waits for a second player."""
    key = hidden(host.get("/tables/new?game=toy").text, "form")
    fields = {"game": "toy", "name": "Lily", "players": "2", "hours": "0", "form": key}
    answer = host.post("/tables/new", fields, page="/tables/new?game=toy")
    town.hall.settle()
    return answer.headers["Location"].rpartition("/")[2]


def test_a_table_is_open_only_while_its_host_wants_it(town: Town) -> None:
    """Nobody finds a table that is for those who are invited; once opened, those who do not sit there do."""
    host, stranger = town.browser("q1@games.test"), town.browser("stranger@games.test")
    game = made(host, town)
    assert game not in stranger.get("/tables/open").text
    assert host.post(f"/games/{game}/open", {"open": "yes"}, page=f"/games/{game}").status_code == 303
    assert game in stranger.get("/tables/open").text
    assert game not in host.get("/tables/open").text
    host.post(f"/games/{game}/open", {"open": "no"}, page=f"/games/{game}")
    assert game not in stranger.get("/tables/open").text


def test_a_signed_in_player_takes_a_free_seat(town: Town) -> None:
    """A free seat is taken once; a table that is not open, full or one's own is refused in words."""
    host = town.browser("q1@games.test")
    game = made(host, town)
    first, second = town.browser("a@games.test"), town.browser("b@games.test")
    assert first.post("/tables/open", {"game": game}).status_code == 409
    host.post(f"/games/{game}/open", {"open": "yes"}, page=f"/games/{game}")
    assert "Lily" in first.get("/tables/open").text
    assert first.post("/tables/open", {"game": game, "words": "luck"}).headers["Location"] == f"/games/{game}"
    town.hall.settle()
    assert town.hall.game(game).state == "running"
    assert "Lily" not in second.get("/tables/open").text
    refused = second.post("/tables/open", {"game": game})
    assert refused.status_code == 409
    assert "is no longer on offer" in refused.text


def test_the_history_goes_through_the_entries(town: Town) -> None:
    """Each entry as the own seat saw it, by links and by the slider's form without a script; nothing after the last."""
    for number in (1, 2):
        orders(town.browser(f"p{number}@games.test"), town.game, f"BID {number}", "submit")
    town.hall.settle()
    guest, last = town.browser("p1@games.test"), town.hall.game(town.game).entry
    shown = guest.get(f"/games/{town.game}/history/{last}").text
    assert re.search(r'max="(\d+)" value="\1"', shown)
    assert "Bought" in shown
    first = guest.get(f"/games/{town.game}/history/1").text
    assert "Dealt" in first
    assert "Bought" not in first
    assert f"/games/{town.game}/history/{last}" in first
    asked = guest.get(f"/games/{town.game}/history")
    assert asked.headers["Location"] == f"/games/{town.game}/history/{last}"
    assert guest.get(f"/games/{town.game}/history/0").status_code == 404
    other = town.browser("p2@games.test").get(f"/games/{town.game}/history/1").text
    assert other != first


def test_the_slider_steps_through_what_its_reader_has(town: Town) -> None:
    """Each step leads to another entry, though a seat is not told something in each; no step leads nowhere."""
    play_on(town.hall, town.game, 7)
    with town.hall.web.db.writing() as session:  # two entries told this seat nothing
        session.execute(delete(ViewRow).where(ViewRow.viewer == "s1", ViewRow.entry.in_((3, 6))))
    guest = town.browser("p1@games.test")
    shown = guest.get(f"/games/{town.game}/history/1").text
    entries = re.findall(r'data-entries="([\d ]+)"', shown)[0].split()
    assert f'min="1" max="{len(entries)}" value="1"' in shown
    assert entries == ["1", "2", "4", "5", "7"]
    steps = [guest.get(f"/games/{town.game}/history?step={n}").headers["Location"] for n in range(len(entries) + 2)]
    assert steps == [f"/games/{town.game}/history/{entry}" for entry in (entries[0], *entries, entries[-1])]
    for number, entry in enumerate(entries, 1):
        assert f'value="{number}" aria-valuetext="{entry}"' in guest.get(f"/games/{town.game}/history/{entry}").text


def test_the_map_is_given_again_only_when_it_changed(town: Town) -> None:
    """The picture of the board bears a tag of its entry, reader and language; the same tag gets no picture."""
    guest = town.browser("p1@games.test")
    first = guest.get(f"/games/{town.game}/map.svg")
    assert first.mimetype == "image/svg+xml"
    assert "style-src 'unsafe-inline'" in first.headers["Content-Security-Policy"]
    tag = first.headers["ETag"]
    assert guest.get(f"/games/{town.game}/map.svg", headers={"If-None-Match": tag}).status_code == 304
    assert guest.get(f"/games/{town.game}/map.svg?crop=nowhere").status_code == 404
    assert guest.get(f"/games/{town.game}/map.svg?entry=0").status_code == 404
    assert 'data-name="' in guest.get(f"/games/{town.game}/map.svg?live=1").text
    assert 'data-name="' not in first.text
