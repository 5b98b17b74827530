"""Every address by every method: only a POST does anything, whatever mail scanners and browsers ask for."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.service.access import api_tokens, users
from pbem.service.deadlines import gate_timing
from pbem.service.pages import feeds
from pbem.service.resolver import reports
from pbem.service.seats import sign_in, spectators, tables
from pbem.store.models import Base, User
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.routes import ROUTES
from tests.budget import budget
from tests.service.master_commands import get_user_id, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.conftest import Town
from tests.web.form_browser import Browser, hidden, site

LOOKS = ("OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "QUERY")
ACTS: Mapping[str, str] = {
    "act": "submit", "text": "BID 1", "entry": "1", "letters": "off", "sure": "yes", "open": "yes", "language": "fr",
    "name": "Eve", "zone": "Europe/Paris", "address": "eve@games.test", "addresses": "eve@games.test", "words": "x",
    "line": "ANNOUNCE x", "lines": "ANNOUNCE x", "to": "all",
}  # fmt: skip
"""Fields that would make one form or another do something."""
OWN, GUEST, OTTO = "p1@games.test", "guest@games.test", "otto@games.test"


class Changes:
    """Which tables anybody has changed since this was asked last; they are read only if something was written."""

    def __init__(self, harness: ServerHarness) -> None:
        self.harness, self.before = harness, stored(harness)
        self._connection = sqlite3.connect(str(harness.web.db.url.database))
        self._version = self._read_version()

    def _read_version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def take(self) -> set[str]:
        """The names of these tables."""
        before, version = self._version, self._read_version()
        if version == before:
            return set()
        now = stored(self.harness)
        changed = {name for name in now if now[name] != self.before[name]}
        self._version, self.before = version, now
        return changed

    def close(self) -> None:
        """Ask no more."""
        self._connection.close()


def stored(harness: ServerHarness) -> dict[str, list[Any]]:
    """Everything that lies in the database."""
    with harness.resolver.db.snapshot() as session:
        return {t.name: [tuple(r) for r in session.execute(select(t))] for t in Base.metadata.sorted_tables}


@pytest.fixture
def town(state_dir: Path) -> Town:
    """Two seats and a spectator who gets letters."""
    harness = build(state_dir)
    made = Town(harness, site(harness), start_game(harness, "toy", 2, 48, watchers="open"))
    spectators.follow(harness.web, get_user_id(harness, OTTO), made.game)
    reports.subscribe_spectator(harness.web, get_user_id(harness, OTTO), made.game, True)
    for seat in ("s1", "s2"):
        harness.reply(seat, "BID 0")
    return made


@pytest.fixture
def links(town: Town) -> Mapping[str, str]:
    """A capability of each kind that works, by the rule of its address."""
    harness, web = town.harness, town.harness.web
    forming = tables.create(web, get_user_id(harness, OWN), "toy", "Iris", 3, {}, 48)
    tables.invite(web, forming, get_user_id(harness, OWN), [GUEST])
    away = harness.web.now() + 86_400_000
    gate_timing.add_absence(web, get_user_id(harness, OWN), away, away + 86_400_000)
    town.browser(OWN).post(
        f"/games/{town.game}/deputy",
        {
            "act": "name",
            "address": "zoe@games.test",
            "absence": str(gate_timing.list_upcoming_absences(web, get_user_id(harness, OWN))[0][0]),
        },
    )
    send_confirmed(harness, town.game, f"REPLACE p2 BY {GUEST}")
    return {"/sign-in/<token>": sign_in.create_sign_in_link(web, get_user_id(harness, OWN)), **mailed(town)}


def mailed(town: Town) -> dict[str, str]:
    """Those that letters bring."""
    harness, web = town.harness, town.harness.web
    with web.db.snapshot() as session:
        mute = users.load_unsubscribe_token(web, session.get_one(User, get_user_id(harness, OWN)))
    return {
        "/join/<token>": harness.sent_facts("invitation")[-1].frame.links.act,
        "/deputy/<token>": harness.sent_facts("deputy")[-1].frame.links.act,
        "/seat/<token>": harness.sent_facts("seat")[-1].frame.links.act,
        "/spectator/<token>": harness.sent_facts("spectator")[-1].frame.links.mute,
        "/invitations/<token>": f"/invitations/{mute}",
        "/unsubscribe/<token>/<table>": f"/unsubscribe/{mute}/{town.game}",
        "/calendar/<token>.ics": f"/calendar/{feeds.create_link(web, get_user_id(harness, OWN), 'calendar')}.ics",
        "/feed/<token>.atom": f"/feed/{feeds.create_link(web, get_user_id(harness, OWN), 'feed', town.game)}.atom",
    }


def filled(town: Town, rule: str) -> str:
    """An address of a rule, about the table."""
    entry = str(town.harness.load_game(town.game).entry)
    path = rule.removeprefix("https://games.test").replace("<game>", town.game).replace("<int:entry>", entry)
    return path.replace("<viewer>", "public").replace("<number>", "0" * 32).replace("<token>", "x" * 26)


def test_only_a_post_does_anything(town: Town, links: Mapping[str, str]) -> None:
    """By any other method nothing in the database changes and nobody is signed in, whatever fields came along.

    A HEAD has the status of the page, without its body (RFC 9110 §9.3.2).  One page makes something when its reader
    first looks: their own addresses to write to, which it shows them.
    """
    token = api_tokens.create_token(town.harness.web, get_user_id(town.harness, OWN), name="p", scope="play", days=30)
    made = {(f"/games/{town.game}/talk", OWN): {"message_addresses", "capabilities", "games"}}
    bears = {"Authorization": f"Bearer {token}", "Idempotency-Key": "1"}
    acts = {PREFIX + operation.path: operation.method for operation in OPERATIONS if operation.writes}
    town.browser().client.get("/api/v2/me", headers=bears)
    for address in ("", OWN):
        guest = town.browser(address)
        key, changes = hidden(guest.get("/sign-in").text, "csrf_token"), Changes(town.harness)
        asked = dict.fromkeys(PREFIX + operation.path for operation in OPERATIONS)
        for number, rule in enumerate((*(route.rule for route in ROUTES), *asked)):
            path, found = filled(town, links.get(rule, rule)), {}
            headers = bears if path.startswith(PREFIX) else {}
            for method in {"GET", "HEAD", *(LOOKS[number % len(LOOKS) :] + LOOKS)[: budget(1, len(LOOKS))]}:
                if acts.get(rule) != method:
                    found[method] = guest.client.open(
                        path, method=method, data={**ACTS, "csrf_token": key}, headers=headers
                    )
            assert changes.take() <= made.get((path, address), set()), (address, path)
            if path != f"/games/{town.game}/own-orders":  # what is shown once refuses a HEAD
                assert (found["HEAD"].status_code, found["HEAD"].data) == (found["GET"].status_code, b""), path
        changes.close()
        assert guest.get("/settings").status_code == (200 if address else 303)


def test_links_of_letters_still_work_after_every_look(town: Town, links: Mapping[str, str]) -> None:
    """The link that a scanner asked for by HEAD signs its owner in."""
    path = links["/sign-in/<token>"].removeprefix("https://games.test")
    Browser(town.app).client.head(path)
    guest = Browser(town.app)
    assert guest.post(path).status_code == 303
    assert guest.get("/settings").status_code == 200
