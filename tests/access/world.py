"""A table with everybody at it, and words that only some may read."""

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from engine.kernel.secrets import truth
from engine.kernel.viewers import PUBLIC
from pbem.crypto import new_token
from pbem.service.access import api_tokens, permissions, users
from pbem.service.deadlines import gate_timing
from pbem.service.messages import messages
from pbem.service.seats import deputies, spectators, substitutes
from pbem.store.games import lock_game
from pbem.store.models import User
from tests.access.matrix import AUDIENCE, SEATS
from tests.service.canary_words import renamed_cards, word
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.timed_games import advance_and_run
from tests.web.form_browser import Browser, site

ADDRESSES = {
    "stranger": "eve@players.test",
    "own": "p2@games.test",
    "other": "p3@games.test",
    "deputy": "zoe@players.test",
    "former": "p4@games.test",
    "substitute": "nora@players.test",
    "spectator": "otto@players.test",
    "master": "max@players.test",
    "playing": "p1@games.test",
    "administrator": "root@players.test",
}


@dataclass
class World:
    """A game under way, its pages, and the words that were said, noted and sealed there."""

    harness: ServerHarness
    app: Flask
    game: str
    words: dict[str, str]
    old_token: str
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)

    def user(self, visitor: str) -> int:
        """A visitor's number."""
        return _user(self.harness, ADDRESSES[visitor])

    def browser(self, visitor: str) -> Browser:
        """A visitor at the pages."""
        guest = Browser(self.app)
        return guest if visitor == "nobody" else guest.sign_in(self.harness, self.user(visitor))

    def program(self, visitor: str, scope: str = "play") -> dict[str, str]:
        """What a program of the visitor sends with its calls."""
        if visitor == "nobody":
            return {}
        if (visitor, scope) not in self.tokens:
            made = api_tokens.create_token(self.harness.web, self.user(visitor), name=visitor, scope=scope, days=30)
            self.tokens[visitor, scope] = made
        return {"Authorization": f"Bearer {self.tokens[visitor, scope]}"}

    def forbidden(self, visitor: str, shows: str) -> set[str]:
        """The words that must not be in what a visitor is shown."""
        heard = (
            {name for name, audience in AUDIENCE.items() if visitor in audience} if "talk" in shows.split() else set()
        )
        said = {text for name, text in self.words.items() if name not in heard}
        if shows == "forms":
            return said
        return said | self.cards_hidden_from(SEATS.get(visitor, PUBLIC) if "view" in shows.split() else PUBLIC)

    def cards_hidden_from(self, viewer: str) -> set[str]:
        """The names of cards that a viewer has no way to know."""
        now = self.harness.load_state(self.game).board
        with truth():
            cards = [*now.deck, *(card for hand in now.hands.values() for card in hand)]
            return {card.value for card in cards if viewer not in card.known_to}


TABLES = itertools.count(5)
"""Each table has words of its own: two may be open at once, and the cards of one are then renamed twice."""


@contextmanager
def everybody() -> Iterator[World]:
    """Such a table on a server of its own, its cards called by random words."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory(prefix="pbem-ac-") as folder:
        renamed_cards(patch, random.Random(next(TABLES)))
        yield opened(build(Path(folder)))


def _user(harness: ServerHarness, address: str) -> int:
    with harness.web.db.transaction() as session:
        return users.get_or_create_user(harness.web, session, address).id


def path_of(rule: str, world: World) -> str:
    """An address of the table; capabilities are made up."""
    if "<int:entry>" in rule:
        rule = rule.replace("<int:entry>", str(world.harness.load_game(world.game).entry))
    filled = rule.replace("<game>", world.game).replace("<viewer>", "public").replace("<title>", "toy")
    filled = filled.replace("<table>", world.game).replace("<int:absence>", "1").replace("<int:deputy>", "1")
    return filled.replace("<number>", "0" * 32).replace("<token>", "x" * 26)


def leaks(text: str, words: set[str]) -> set[str]:
    """Those of the words that stand in a text; the last sign of each may be written otherwise."""
    plain = text.casefold()
    return {one for one in words if one[:-1].casefold() in plain}


def opened(harness: ServerHarness, seed: int = 3) -> World:
    """Make it: four seats, secrets of every kind, a deputy, a substitute, a spectator, a master without a seat."""
    dice = random.Random(seed)
    words = {name: word(dice) for name in AUDIENCE}
    game = start_game(harness, "toy", 4, 48, talk="free", watchers="open")
    ids = {name: _user(harness, address) for name, address in ADDRESSES.items()}
    for text, by, to in (("before", "playing", "s4"), ("public", "other", "all")):
        messages.send(harness.web, ids[by], game, [to], words[text], new_token())
    messages.write_diary(harness.web, ids["former"], game, words["old diary"], new_token())
    old_token = harness.reply_token("s4")
    harness.reply("s4", "RESIGN YES")
    substitutes.take_over(harness.web, ids["substitute"], game, "s4")
    spectators.follow(harness.web, ids["spectator"], game)
    with harness.web.db.transaction() as session:
        _appoint(harness, session, game, ids["master"])
    harness.run_queued_tasks()
    messages.send(harness.web, ids["own"], game, ["s3"], words["secret"], new_token())
    messages.send(harness.web, ids["other"], game, ["master"], words["question"], new_token())
    messages.write_diary(harness.web, ids["own"], game, words["diary"], new_token())
    now = harness.web.now()
    gate_timing.add_absence(harness.web, ids["own"], now, now + 20 * 86_400_000)
    away = gate_timing.list_upcoming_absences(harness.web, ids["own"])[0][0]
    deputies.invite(harness.web, ids["own"], game, ADDRESSES["deputy"], away)
    harness.run_queued_tasks()
    assert deputies.answer(
        harness.web, harness.sent_facts("deputy")[-1].frame.links.act.rpartition("/")[2], agrees=True
    )
    harness.run_queued_tasks()
    harness.reply("s2", "BID 1", f"LUCK {words['sealed']}")
    advance_and_run(harness, minutes=1)
    harness.configure(
        operator_emails=frozenset({ADDRESSES["administrator"]}),
        limits=dict.fromkeys(
            ("letters", "sign_ins", "tables", "invitations", "invited", "table_invitations", "acts", "talk"), 10**9
        ),
    )
    return World(harness, site(harness), game, words, old_token)


def _appoint(harness: ServerHarness, session: Session, game: str, number: int) -> None:
    row: Any = lock_game(session, game)
    permissions.appoint_master(harness.web, session, row, session.get_one(User, number))
