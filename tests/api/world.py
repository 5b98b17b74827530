"""A server with something of everything: each registered game under way, one that is over, one not begun."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flask import Flask

from engine import GAMES
from engine.kernel.languages import Language
from engine.kernel.rules import Rules
from pbem.narration.narrator import narrator
from pbem.service.access import users
from pbem.service.seats import tables
from pbem.web import WebConfig, create_pages
from pbem.web.site import Narrator
from tests.archive.bots import play_on
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy.rules import Toy
from tests.web.form_browser import Plain

PLAYERS: Final = 4
MANY: Final = dict.fromkeys(
    ("acts", "letters", "tables", "sign_ins", "invitations", "invited", "table_invitations", "talk"), 10**9
)
"""Limits that no test reaches."""
TITLES: Final[Mapping[str, Rules[Any]]] = {**GAMES, "toy": Toy()}


@dataclass(frozen=True)
class World:
    """The server, its application, and the numbers of its tables."""

    harness: ServerHarness
    app: Flask
    running: tuple[str, ...]
    over: str
    forming: str

    @property
    def tables(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.running, self.over, self.forming)


def narrate(game: str, language: Language) -> Narrator:
    """The games' own tellers; the smallest one has none."""
    return Plain(game, language) if game == "toy" else narrator(game, language)


def opened(folder: Path) -> World:
    """Make it.  p1@ sits at every table; the others at those that have room for them."""
    harness = build(folder, installed=TITLES)
    harness.configure(limits=MANY)
    look = WebConfig(requests_per_minute=10**9, sign_ins_per_minute=10**9)
    app = create_pages(harness.web, look, narrate)
    running = tuple(_seated(harness, title, PLAYERS) for title in GAMES)
    over = _seated(harness, "toy", 2)
    play_on(harness, over)
    harness.run_queued_tasks()
    with harness.web.db.transaction() as session:
        host = users.get_or_create_user(harness.web, session, "p1@games.test").id
    forming = tables.create(harness.web, host, "toy", "Not yet", 2, {})
    harness.run_queued_tasks()
    return World(harness, app, running, over, forming)


def _seated(harness: ServerHarness, title: str, players: int) -> str:
    """A table with everybody there; the letters of those before are put away, for their invitations are used up."""
    harness.sent.clear()
    return start_game(harness, title, players, 48)
