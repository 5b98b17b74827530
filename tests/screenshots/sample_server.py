"""A server on which every page has something to show, and the addresses of them all."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask
from playwright.sync_api import Page

from engine import GAMES
from engine.kernel.languages import Language
from pbem.crypto import new_token
from pbem.narration.narrator import narrator
from pbem.pictures import raster
from pbem.service.access import users
from pbem.service.access.permissions import Permission
from pbem.service.deadlines import gate_timing
from pbem.service.resolver import reports
from pbem.service.seats import deputies, open_tables, seat_offers, spectators
from pbem.service.seats.sign_in import create_sign_in_link
from pbem.store.games import load_seats
from pbem.store.models import Game, User
from pbem.web import WebConfig, create_pages
from pbem.web.routes import ROUTES
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game
from tests.service.timed_games import advance_and_run
from tests.web.boards import answer_all
from tests.web.form_browser import Plain

ROUNDS = {"age_of_renaissance": 4, "renaissance": 4, "patchistory": 4, "amalfi": 12}
"""Answers that bring a table to where there is every kind of thing on it."""

FEW = 2
"""As many for a game of a package, which may be a short one."""

NAMES = ("Livia", "Marco", "Nora", "Otto")
"""Who plays."""

DAY_MS = 86_400_000

PLAIN = (".svg", ".json", ".txt", ".ics", ".atom", "/file", "/history", "/keys", "/status", "/healthz", "/readyz")
"""Addresses that are no pages, or lead on to another one at once."""


OVER = "over-"
"""Before the name of a game whose table has come to its end."""


def _rules() -> Mapping[str, tuple[str, str]]:
    """Every page by a name: each route that is looked at, for each game where that makes a difference."""
    found = {
        "forming": ("/games/<game>", ""),
        "new-game": ("/tables/new?game=age_of_renaissance", ""),
        "nothing": ("/nowhere", ""),
    }
    for route in ROUTES:
        if "GET" not in route.methods or route.rule.endswith(PLAIN):
            continue
        if "<game>" not in route.rule:
            found[route.endpoint] = route.rule, ""
            continue
        for title in GAMES:
            over = route.permission is Permission.RECORD
            found[f"{route.endpoint}-{title}"] = route.rule, f"{OVER}{title}" if over else title
        if route.endpoint == "seat_page":
            found.update({f"{OVER}{title}": (route.rule, f"{OVER}{title}") for title in GAMES})
    return found


RULES = _rules()


@dataclass(frozen=True)
class Sights:
    """A server with its games, by title: tables under way, and such as are over."""

    harness: ServerHarness
    app: Flask
    host: int
    running: Mapping[str, str]
    over: Mapping[str, str]

    def sign_in(self, url: str) -> str:
        """A link that signs the host in."""
        return create_sign_in_link(self.harness.web, self.host).replace("https://games.test", url)

    def path(self, name: str) -> str:
        """The address of a page by its name."""
        rule, title = RULES[name]
        if name == "forming":
            return rule.replace("<game>", self._forming())
        if title.startswith(OVER):
            return self._filled(rule, self.over[title.removeprefix(OVER)])
        return self._filled(rule, self.running.get(title, ""))

    def _forming(self) -> str:
        return next(row.id for row in self.harness.load_rows(Game) if row.state == "open")

    def _filled(self, rule: str, game: str) -> str:
        path = (
            rule.replace("<game>", game)
            .replace("<viewer>", "public")
            .replace("<int:entry>", str(self.harness.load_game(game).entry) if game else "")
        )
        token, _, table = self._end_of_link(rule.partition("<token>")[0]).partition("/")
        return path.replace("<token>", token).replace("<table>", table)

    def _end_of_link(self, address: str) -> str:
        """Return what follows such an address in the newest letter with a link to it; a table's link is in none."""
        if address == "/join-link/":
            return open_tables.get_link(self.harness.web, self._forming()).rpartition("/")[2]
        for _, facts in reversed(self.harness.sent):
            for link in vars(facts.frame.links).values():
                if f"://games.test{address}" in link:
                    return str(link.partition(f"://games.test{address}")[2])
        return new_token()


def _narrate(title: str, language: Language) -> Any:
    return Plain(title, language) if title in GAME_TYPES else narrator(title, language)


def _seated(harness: ServerHarness, title: str, players: int, *, stop: bool = False) -> str:
    """A table more, whose invitations are the only ones that are answered."""
    before = -1
    while before < len(harness.sent):
        before = len(harness.sent)
        harness.run_task("send_outbound_emails", "")
    sent, harness.sent[:] = list(harness.sent), []
    game = start_game(harness, title, players, 72, stop=stop)
    harness.sent[:0] = sent
    return game


def _is_awaited(harness: ServerHarness, game: str, seat: str) -> bool:
    """Return True if a seat is awaited."""
    return any(question.seat == seat and question.blocking for question in harness.load_state(game).core.questions)


def _user(harness: ServerHarness, address: str) -> int:
    with harness.web.db.transaction() as session:
        return users.get_or_create_user(harness.web, session, address).id


def _spectator(harness: ServerHarness, game: str) -> None:
    """Somebody looks on, and wants letters of it."""
    spectators.invite(harness.web, _user(harness, "p1@games.test"), game, "ann@games.test")
    reports.subscribe_spectator(harness.web, _user(harness, "ann@games.test"), game, on=True)


def _offer(harness: ServerHarness, game: str) -> None:
    """The third seat is offered to somebody."""
    asked, master = _user(harness, "bob@games.test"), _user(harness, "p1@games.test")
    with harness.web.db.transaction() as session:
        chair = load_seats(session, game)[2]
        table, bob, host = session.get_one(Game, game), session.get_one(User, asked), session.get_one(User, master)
        seat_offers.offer_seat(harness.web, session, table, chair, bob, host)
    harness.run_queued_tasks()


def _deputy(harness: ServerHarness, game: str) -> None:
    """The second player goes away, and asks somebody to answer for them."""
    away = _user(harness, "p2@games.test")
    begins = harness.web.now() + DAY_MS
    gate_timing.add_absence(harness.web, away, begins, begins + 3 * DAY_MS)
    deputies.invite(
        harness.web, away, game, "zoe@games.test", gate_timing.list_upcoming_absences(harness.web, away)[-1][0]
    )
    harness.run_queued_tasks()


def _speak(harness: ServerHarness, language: Language) -> None:
    """Everybody has a name, and reads in one language from now on, the boards of their letters too."""
    with harness.web.db.transaction() as session:
        for number, name in enumerate(NAMES, 1):
            user = users.get_or_create_user(harness.web, session, f"p{number}@games.test")
            user.name, user.language = name, language


def build_town(folder: Path, language: Language = "en") -> Sights:
    """A table of each game under way, one that waits for players, and one that is over."""
    harness = steady(build(folder, installed={**GAMES, **GAME_TYPES}), "sights")
    harness.configure(operator_emails=frozenset({"p1@games.test"}))
    harness.configure(limits={"invited": 10})  # the same people play at every table
    over = {title: _seated(harness, title, max(2, min(GAMES[title].meta.seats))) for title in GAMES}
    _speak(harness, language)
    for game in over.values():
        play_on(harness, game)
        harness.configure(pictures=False)
    running = {}
    for title in GAMES:
        running[title] = _seated(harness, title, 3)
        rounds = ROUNDS.get(title, FEW)
        for number in range(rounds):
            if number == rounds - 1:
                _spectator(harness, running[title])
            harness.configure(
                pictures=number == rounds - 1, render_picture=raster.png
            )  # the last letters are those looked at
            answer_all(harness, running[title])
        while not _is_awaited(harness, running[title], "s1"):  # a game may ask one after the other
            answer_all(harness, running[title])
        harness.configure(pictures=False)
    with harness.web.db.transaction() as session:
        host = users.get_or_create_user(harness.web, session, "p1@games.test")
        host.time_zone = "Europe/Paris"
    _deputy(harness, running[next(iter(GAMES))])
    _offer(harness, running[next(iter(GAMES))])
    open_tables.create_link(harness.web, _seated(harness, next(iter(GAMES)), 4, stop=True), host.id)
    app = create_pages(harness.web, WebConfig(requests_per_minute=1_000_000), _narrate)
    return Sights(harness, app, host.id, running, over)


def settled(harness: ServerHarness, page: Page) -> None:
    """The workers do what there is to do; the page becomes the game by itself, and is loaded once more for the news."""
    for _ in range(4):  # where players act in turn, bots may come before
        advance_and_run(harness, seconds=6)
        harness.run_queued_tasks()
    page.locator("#stage").wait_for()
    page.reload()
