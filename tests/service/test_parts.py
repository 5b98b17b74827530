"""Long lists are read in parts, and found by an index."""

from pathlib import Path

import pytest
from flask import request

from pbem.service.base.parts import Part
from pbem.service.pages import game_pages
from pbem.service.seats import open_tables, spectators, substitutes
from pbem.store.models import SeatRow
from pbem.web import Look, make
from pbem.web.fields import number
from tests.service.hall import build, seated
from tests.service.masterly import user
from tests.service.test_clock_cost import asked, wide
from tests.web.guests import Browser

OTTO = "otto@games.test"


def test_a_long_list_is_read_part_by_part(state_dir: Path) -> None:
    """Each part says how much to leave out to read on, the last one nothing; together they are the whole list."""
    hall = build(state_dir)
    games = {seated(hall, "toy", 2, watchers="open") for _ in range(3)}
    otto, shown, first = user(hall, OTTO), [], 0
    for onward in (2, 0):
        found = spectators.watched_tables(hall.web, otto, Part(first, 2))[1]
        shown += [one.game for one in found.rows]
        first = found.onward
        assert first == onward
    assert len(shown) == 3
    assert set(shown) == games


@pytest.mark.parametrize(
    ("path", "where"), [("/watch", "participants"), ("/seats", "times"), ("/tables/open", "tables")]
)
def test_a_page_leads_on_to_the_next_part(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch, path: str, where: str
) -> None:
    """Where a list goes on, its page has a link to what follows; the last part has none."""
    hall = build(state_dir)
    for _ in range(2):
        game = seated(hall, "toy", 2, watchers="open", stop=path == "/tables/open")
        with hall.web.db.writing() as session:
            for row in session.query(SeatRow).filter(SeatRow.game_id == game, SeatRow.seat == "s2"):
                row.offered_at, row.invited = 1, None
        open_tables.settle(hall.web, game, on=True)
    monkeypatch.setattr(f"pbem.web.{where}.part", lambda: Part(number(request.args, "from"), 1))
    guest = Browser(make(hall.web, Look(requests_per_minute=100_000))).sign_in(hall, user(hall, OTTO))
    assert 'href="?from=1"' in guest.get(path).text
    assert "?from=" not in guest.get(f"{path}?from=1").text


def test_seats_that_look_for_a_player_come_part_by_part(state_dir: Path) -> None:
    """Those that have looked longest come first, in whatever parts they are read."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3)
    with hall.web.db.writing() as session:
        for moment, row in enumerate(session.query(SeatRow).order_by(SeatRow.seat.desc()), 1):
            row.offered_at = moment
    parts = [substitutes.offers(hall.web, Part(first, 1)) for first in range(3)]
    assert [(one.game, one.seat) for part in parts for one in part.rows] == [(game, "s3"), (game, "s2"), (game, "s1")]
    assert [part.onward for part in parts] == [1, 2, 0]


def test_one_s_tables_are_found_by_indexes(tmp_path: Path) -> None:
    """The list of one's tables reads no table of the database whole, whatever number of games there is."""
    hall = build(tmp_path)
    seated(hall, "toy", 2, 48)
    with asked(hall.web.db) as statements:
        game_pages.home(hall.web, user(hall, "p1@games.test"))
    assert statements
    assert wide(hall, statements) == []
