"""Letters of a server at home, whose pages nobody else can open: each act has a word to answer with."""

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from engine import GAMES
from engine.kernel.languages import LANGUAGES
from pbem.app import render_email
from pbem.config.settings import Settings
from pbem.service.access import mail_preferences
from pbem.service.base.services import Recipient
from pbem.store.models import Application, SeatRow
from tests.service.master_commands import get_user_id, send_confirmed, set_language
from tests.service.server_fixtures import ServerHarness, build, start_game

GAME = "age_of_renaissance"


def at_home(folder: Path) -> Settings:
    """The settings of a server that `pbem setup` made, without an address that others can open."""
    return replace(Settings.with_embedded(folder / "home"), production=True)


def messages(harness: ServerHarness, settings: Settings) -> Iterator[tuple[Recipient, Any]]:
    """Every letter that was sent, as a mail program parses it."""
    for to, facts in harness.sent:
        yield to, email.message_from_bytes(render_email(settings, facts, to).wire, policy=email.policy.default)


def words_of(link: str) -> list[str]:
    """The lines that a letter begins with that a mailto link opens."""
    return parse_qs(urlsplit(link.strip("<>")).query)["body"][0].split("\n")


def mailto_links(message: Any) -> list[str]:
    """The mailto links of a letter's text, in their order."""
    text = message.get_body(("plain",)).get_content()
    return re.findall(r"mailto:\S+\?subject=\S+", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_have_no_link_that_only_the_host_can_open(language: str, state_dir: Path) -> None:
    """From invitation to report, in text, HTML and headers; what a page would do, a word in a letter does."""
    harness, settings = build(state_dir, installed=GAMES), at_home(state_dir)
    set_language(harness, language, *(f"p{n}@games.test" for n in (1, 2, 3)))
    game = start_game(harness, GAME, 3, 48)
    kinds: dict[str, Any] = {}
    for to, message in messages(harness, settings):
        kinds.setdefault(to.kind, message)
        said = "".join(part.get_content() for part in message.walk() if part.get_content_maintype() == "text")
        assert not re.findall(r"https?://(?!www\.w3\.org)\S+", said), to.kind
        assert "http" not in str(message["List-Unsubscribe"]), to.kind
    assert {"invitation", "started"} <= set(kinds)
    assert words_of(mailto_links(kinds["invitation"])[0]) == [{"en": "YES", "fr": "OUI"}[language]]
    report = kinds["started"]
    assert "One-Click" not in str(report["List-Unsubscribe-Post"])
    harness.reply("s2", *words_of(str(report["List-Unsubscribe"])))
    with harness.web.db.snapshot() as session:
        assert mail_preferences.is_game_muted(session, get_user_id(harness, "p2@games.test"), game)
    harness.reply("s2", {"en": "LETTERS AGAIN", "fr": "REPRENDRE LES LETTRES"}[language])
    with harness.web.db.snapshot() as session:
        assert not mail_preferences.is_game_muted(session, get_user_id(harness, "p2@games.test"), game)
    harness.reply("s2", *words_of(mailto_links(report)[-1]))
    assert [row.seat for row in harness.load_rows(SeatRow) if row.open_since is not None] == ["s2"]


def test_a_seat_is_taken_and_invitations_are_ended_by_the_words_of_the_links(state_dir: Path) -> None:
    """The first link of an offer takes the seat, the one that ends invitations ends them."""
    for choice, outcome in ((0, "accepted"), (-1, "declined")):
        harness, settings = build(state_dir / outcome, installed=GAMES), at_home(state_dir / outcome)
        game = start_game(harness, GAME, 3, 48)
        send_confirmed(harness, game, "REPLACE p2 BY anna@games.test")
        to, message = next((to, m) for to, m in messages(harness, settings) if to.kind == "seat")
        harness.receive_reply(str(to.token), words_of(mailto_links(message)[choice]), sender="anna@games.test")
        harness.run_queued_tasks()
        assert [row.outcome for row in harness.load_rows(Application)] == [outcome]
        with harness.web.db.snapshot() as session:
            assert mail_preferences.has_invitation_opt_out(session, "anna@games.test") == (outcome == "declined")


def test_with_pages_that_others_can_open_letters_have_links(state_dir: Path) -> None:
    """A public address keeps the links, and so does the demo, whose players are all on its machine."""
    harness = build(state_dir, installed=GAMES)
    start_game(harness, GAME, 3, 48)
    to, facts = next((to, facts) for to, facts in harness.sent if to.kind == "started")
    public = replace(at_home(state_dir), public_url="https://games.test")
    for settings in (public, Settings.with_embedded(state_dir / "demo")):
        assert b"List-Unsubscribe: <https://games.test/" in render_email(settings, facts, to).wire
