"""What is sent compressed: files and pictures, and no page with a form key in it."""

import gzip
from pathlib import Path

from tests.web.boards import opened
from tests.web.conftest import Town

TAKES = {"Accept-Encoding": "gzip, br"}


def test_files_and_pictures_come_compressed_to_whoever_takes_them_so(state_dir: Path) -> None:
    """The same content, said to be as it is, with a tag that says that its bytes may differ."""
    _, guest, game = opened(state_dir)
    for path in ("/static/style.css", f"/games/{game}/map.svg?live=1"):
        plain, light = guest.get(path), guest.get(path, headers=TAKES)
        assert "Content-Encoding" not in plain.headers
        assert light.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(light.data) == plain.data
        assert len(light.data) < len(plain.data) / 2
        assert light.get_etag()[1]
        assert "Accept-Encoding" in plain.headers["Vary"]
        plain.close()
        light.close()


def test_no_page_with_a_form_key_is_compressed(town: Town) -> None:
    """Its length would tell, letter by letter, what is in it."""
    for path in ("/", "/settings", f"/games/{town.game}"):
        answer = town.browser("p1@games.test").get(path, headers=TAKES)
        assert "csrf_token" in answer.text
        assert "Content-Encoding" not in answer.headers
