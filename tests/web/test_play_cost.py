"""What the play page costs: few statements on any turn, and parts that were made before are not made again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from pbem.service.game import views
from pbem.service.pages import game_pages
from pbem.store.models import SeatRow
from pbem.vault import VerifyKeys, ViewContext, ViewKey, open_view
from pbem.web.kept import Kept
from tests.service.hall import Hall
from tests.web.guests import Browser
from tests.web.test_boards import PHASES, answer_all, opened

MOST = 7


@contextmanager
def counted(hall: Hall) -> Iterator[list[str]]:
    """The statements that the database is asked meanwhile, without the beginnings of transactions."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append(statement)

    event.listen(hall.web.db.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(hall.web.db.engine, "before_cursor_execute", note)


@pytest.mark.parametrize("title", PHASES)
def test_the_play_page_costs_seven_queries_at_most_on_any_turn(state_dir: Path, title: str) -> None:
    """However long a game has gone on, and whatever is asked, its page asks the database seven times at most."""
    hall, guest, game = opened(state_dir, "en", title)
    phases = set()
    for _ in range(20):
        with counted(hall) as asked:
            assert guest.get(f"/games/{game}").status_code == 200
        assert len(asked) <= MOST, "\n".join(asked)
        phases.add(game_pages.seat_page(hall.web, hall.game(game).host_id, game, "s1").view["phase"])
        answer_all(hall, game)
    assert len(phases) > 2


def test_a_page_that_was_seen_opens_nothing_again(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told since the last letter is opened to make the page's parts, and those are kept."""
    hall, guest, game = opened(state_dir, "en")
    answer_all(hall, game)
    kinds: list[str] = []

    def noted(key: ViewKey, verify: VerifyKeys, place: ViewContext, sealed: bytes, beside: bytes = b"") -> bytes:
        kinds.append(place.kind)
        return open_view(key, verify, place, sealed, beside)

    monkeypatch.setattr(views, "open_view", noted)
    first = guest.get(f"/games/{game}").get_data(as_text=True)
    assert "events" in kinds
    kinds.clear()
    again = guest.get(f"/games/{game}").get_data(as_text=True)
    assert not kinds
    assert len(again) == len(first)


def test_a_part_is_made_once_and_the_oldest_are_forgotten() -> None:
    """What was made is given again; beyond its size the part that was asked for longest ago is made anew."""
    kept = Kept(2 * len("<b>a</b>"))
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return f"<b>{name}</b>"

    def part(name: str) -> str:
        return str(kept.get(name, lambda: make(name)))

    assert [part("a"), part("b"), part("a"), part("c"), part("a"), part("b")][:2] == ["<b>a</b>", "<b>b</b>"]
    assert made == ["a", "b", "c", "b"]


def test_no_reader_gets_a_part_that_was_made_for_another(state_dir: Path) -> None:
    """Each seat's page holds its own hand after the others were looked at, in any order."""
    hall, guest, game = opened(state_dir, "en")
    for _ in range(3):
        answer_all(hall, game)
    own = guest.get(f"/games/{game}").text
    for row in hall.rows(SeatRow):
        other = Browser(guest.client.application).sign_in(hall, int(row.user_id or 0))
        text = other.get(f"/games/{game}").text
        mine = game_pages.seat_page(hall.web, int(row.user_id or 0), game, row.seat).view["own"]["hand"]
        assert all(f'data-name="{card["card"]}"' in text for card in mine)
        assert text.count('<ul class="hand-cards">') == 1
    assert guest.get(f"/games/{game}").text.partition('id="hand"')[2][:400] == own.partition('id="hand"')[2][:400]
