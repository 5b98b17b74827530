"""What the play page costs: parts that were made before are not made again."""

from pathlib import Path

import pytest

from pbem.service.game import views
from pbem.vault import VerifyKeys, ViewContext, ViewKey, open_view
from pbem.web.kept import Kept
from tests.web.boards import opened


def test_a_page_that_was_seen_opens_nothing_again(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told since the last letter is opened to make the page's parts, and those are kept."""
    _, guest, game = opened(state_dir, rounds=1)
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
