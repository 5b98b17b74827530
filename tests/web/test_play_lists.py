"""The lists that a person needs: tables that look for players, and a game's history."""

import re

from sqlalchemy import delete

from pbem.store.models import SeatView
from tests.archive.bots import play_on
from tests.web.conftest import Town
from tests.web.form_browser import orders
from tests.web.test_tables import make_table


def test_an_open_table_is_found_and_a_free_seat_taken(town: Town) -> None:
    """Nobody finds a table that is for those who are invited; once opened, those who do not sit there do, and one takes
    the seat; a table that is not open, full or one's own is refused in words.
    """
    host, first, second = (town.browser(f"{name}@games.test") for name in ("q1", "a", "b"))
    path = make_table(host)
    game = path.rpartition("/")[2]
    town.harness.run_queued_tasks()

    def listed() -> list[bool]:
        return [game in guest.get("/tables/open").text for guest in (host, first)]

    assert listed() == [False, False]
    assert first.post("/tables/open", {"game": game}).status_code == 409
    assert host.post(f"{path}/open", {"open": "yes"}, page=path).status_code == 303
    assert listed() == [False, True]
    host.post(f"{path}/open", {"open": "no"}, page=path)
    assert listed() == [False, False]
    host.post(f"{path}/open", {"open": "yes"}, page=path)
    assert first.post("/tables/open", {"game": game, "words": "luck"}).headers["Location"] == path
    town.harness.run_queued_tasks()
    assert town.harness.load_game(game).state == "running"
    assert listed() == [False, False]
    refused = second.post("/tables/open", {"game": game})
    assert (refused.status_code, "is no longer on offer" in refused.text) == (409, True)


def test_the_history_goes_through_the_entries(town: Town) -> None:
    """Each entry as the own seat saw it, by links and by the slider's form without a script; nothing after the last."""
    for number in (1, 2):
        orders(town.browser(f"p{number}@games.test"), town.game, f"BID {number}", "submit")
    town.harness.run_queued_tasks()
    guest, last = town.browser("p1@games.test"), town.harness.load_game(town.game).entry
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
    play_on(town.harness, town.game, 7)
    with town.harness.web.db.transaction() as session:  # two entries told this seat nothing
        session.execute(delete(SeatView).where(SeatView.viewer == "s1", SeatView.entry.in_((3, 6))))
    guest = town.browser("p1@games.test")
    shown = guest.get(f"/games/{town.game}/history/1").text
    entries = ["1", "2", "4", "5", "7"]
    names = re.findall(r'data-names="([^"]*)"', shown)[0].split("|")
    assert len(names) == len(entries)
    assert f'min="1" max="{len(entries)}" value="1"' in shown
    steps = [guest.get(f"/games/{town.game}/history?step={n}").headers["Location"] for n in range(len(entries) + 2)]
    assert steps == [f"/games/{town.game}/history/{entry}" for entry in (entries[0], *entries, entries[-1])]
    for number, (entry, name) in enumerate(zip(entries, names, strict=True), 1):
        assert f'value="{number}" aria-valuetext="{name}"' in guest.get(f"/games/{town.game}/history/{entry}").text


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
