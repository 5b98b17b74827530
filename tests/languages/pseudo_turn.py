"""`python -m tests.languages.pseudo_turn FOLDER`: a turn by mail and every page, in the language of `pseudo`, as JSON.

It is a process of its own: which languages there are is read once, when a program starts.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.codec import dump
from engine.kernel.secrets import truth
from pbem.narration.letters import render
from pbem.service.access import users
from pbem.web import WebConfig, create_pages
from pbem.web.routes import ROUTES
from tests.golden import script
from tests.languages.pseudo import TAG, pseudo_translate
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import Browser

_SAID = re.compile(r'\b(?:title|alt|placeholder|aria-label)="([^"]*)"')


class Turn(script.Turn):
    """The turn of the kept letters, its lines translated; words for luck stay, since they change the draws."""

    def write(self, token: str, seat: str, french: str, english: str = "") -> None:
        """Everybody writes in the new language."""
        lines = (english or french).split("|")
        super().write(token, seat, "|".join(map(_translated, lines)))


def _translated(line: str) -> str:
    command, _, words = line.partition(" ")
    return f"{pseudo_translate(command)} {words}" if command == "LUCK" else pseudo_translate(line)


def render_letters(harness: ServerHarness) -> Iterator[tuple[str, str]]:
    """Every letter: subject and text, and the letter as a page."""
    for number, (address, facts) in enumerate(harness.sent, 1):
        letter = render(facts)
        yield f"{number:03d} {address.kind}", f"{letter.subject}\n\n{letter.text}\n{shown(letter.html)}"


def shown(page: str) -> str:
    """What a reader sees of a page, with what is said of its pictures and fields."""
    plain = re.sub(r"(?s)<(script|style|textarea|pre|code)\b.*?</\1>", " ", page)
    return unescape(" ".join((re.sub(r"<[^>]*>", " ", plain), *_SAID.findall(plain))))


def pages(harness: ServerHarness, game: str, moment: str, *others: str) -> Iterator[tuple[str, str]]:
    """Yield every page that the player of the first seat, who made the table, may look at; `others`: and a guest."""
    app = create_pages(harness.web, WebConfig(requests_per_minute=100_000))
    with harness.web.db.transaction() as session:
        player = users.get_or_create_user(harness.web, session, "p1@games.test").id
    entry = str(harness.load_game(game).entry)
    for who in ("player", *others):
        guest = Browser(app).sign_in(harness, player) if who == "player" else Browser(app)
        for route in ROUTES:
            path = route.rule.replace("<game>", game).replace("<int:entry>", entry).replace("<viewer>", "public")
            if "GET" in route.methods and "<" not in path:
                answer = guest.get(path, headers={"Accept-Language": TAG})
                assert answer.status_code < 500, path
                if answer.status_code == 200 and answer.mimetype in ("text/html", "image/svg+xml"):
                    yield f"{moment} {who} {path}", shown(answer.text)


def played(folder: Path) -> Mapping[str, Any]:
    """All texts by what they are, and the digest that the whole turn came to."""
    harness = build(folder, installed={script.GAME: RULES})
    harness.configure(random_bytes=script.Chance())
    languages = dict.fromkeys(script.PLAYERS, TAG)
    script.introduce(harness, languages)
    game = start_game(harness, script.GAME, 4, script.HOURS)
    turn = Turn(harness, game, languages)
    texts: dict[str, str] = {}
    for number, scene in enumerate(script._SCENES):
        scene(turn)
        if number == 2:
            texts.update(pages(harness, game, f"after scene {number}"))
    texts.update(pages(harness, game, "at the end", "guest"))
    texts.update(render_letters(harness))
    return {"texts": texts, "came_to": came_to(harness, game)}


def came_to(harness: ServerHarness, game: str) -> list[str]:
    """How the game stands, in whatever language its orders came."""
    with truth():
        return [str(harness.load_game(game).entry), harness.load_game(game).state, dump(harness.load_state(game).board)]


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        Path(sys.argv[1]).write_text(json.dumps(played(Path(place)), ensure_ascii=False), encoding="utf-8")
