"""The pages of the real games: every registered game has a board, told by its own narrator in both languages."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from engine import GAMES
from pbem.service import tables
from pbem.web import Look, make
from tests.service.hall import Hall, build, seated
from tests.web.guests import Browser, area, hidden, orders


def test_every_game_has_a_board() -> None:
    """A registered game has the template that shows its table."""
    boards = files("pbem.web").joinpath("templates", "boards")
    assert [name for name in GAMES if not boards.joinpath(f"{name}.html").is_file()] == []


def opened(folder: Path, language: str) -> tuple[Hall, Browser, str]:
    """A three-seat game of the flagship, and the browser of its host."""
    hall = build(folder, titles=GAMES)
    game = seated(hall, "age_of_renaissance", 3)
    with hall.web.db.writing() as session:
        host = tables.user_of(hall.web, session, "p1@games.test")
        host.language, host.zone = language, "Europe/Paris"
    guest = Browser(make(hall.web, Look(requests_per_minute=100_000))).sign_in(hall, host.id)
    return hall, guest, game


def answer_all(hall: Hall, game: str) -> None:
    """Everybody takes the first likely lines of his own page, until nobody is asked for what was open."""
    for number in (1, 2, 3):
        guest = Browser(make(hall.web, Look(requests_per_minute=100_000)))
        with hall.web.db.reading() as session:
            user = tables.user_of(hall.web, session, f"p{number}@games.test").id
        guest.sign_in(hall, user)
        shown = guest.get(f"/games/{game}").text
        lines = [line.removeprefix("; ") for line in area(shown).splitlines()]
        for line in [*lines, "PASS"]:
            sent = orders(guest, game, line, "submit")
            if sent.status_code == 200 and ("<strong>" not in sent.text or "commit" in sent.text.lower()):
                break
    hall.settle()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_flagship_can_be_played_by_its_pages(state_dir: Path, language: str) -> None:
    """From the keeping of cards into the first phases, every page comes whole, with no id and no fact untold."""
    hall, guest, game = opened(state_dir, language)
    for _ in range(5):
        for path in ("", "/table", "/help"):
            answer = guest.get(f"/games/{game}{path}")
            assert answer.status_code == 200
            assert "could not be told" not in answer.text
            assert "n'a pas pu être raconté" not in answer.text
            bare = re.sub(
                r"<(code|textarea|input|option|select|button)[^>]*>.*?</\1>|<[^>]+>", " ", answer.text, flags=re.S
            )
            assert not re.search(r"\b[a-z]+_[a-z]+\b", bare), re.search(r".{40}\b[a-z]+_[a-z]+\b.{40}", bare)
        answer_all(hall, game)
    assert hall.game(game).entry > 1
    assert hidden(guest.get(f"/games/{game}").text, "entry")
