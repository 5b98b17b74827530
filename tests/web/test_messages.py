"""Talk, deputies, spectators, the search and the figures at the pages; and what a relayed letter looks like."""

import re
from dataclasses import replace
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.app import render_email, to_inbound_email
from pbem.config.settings import Settings
from pbem.service.access import users
from pbem.service.deadlines import gate_timing
from pbem.service.mail import inbox_queue
from pbem.service.messages import conversations
from pbem.service.seats import spectators
from pbem.store.models import OutboundEmail
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.server_fixtures import build, start_game
from tests.service.test_archive_search import build_search_words
from tests.service.test_messages import player, say
from tests.web.conftest import Town
from tests.web.form_browser import hidden, site


@pytest.fixture
def free(state_dir: Path) -> Town:
    """Three seats at a table that talks in secret, and that anybody may look on at."""
    harness = build(state_dir)
    return Town(harness, site(harness), start_game(harness, "toy", 3, talk="free", anonymous="yes", watchers="open"))


def test_words_are_said_by_a_form_and_read_on_the_page(free: Town) -> None:
    """Everybody is preset; a player chosen beside that is the only one who hears it; nothing written becomes markup.

    Without a reader nothing is said; the page says why and keeps the words.
    """
    path = f"/games/{free.game}/talk"
    guest = free.browser("p2@games.test")
    assert re.findall(r'name="to" value="(\w+)" checked', guest.get(path).text) == ["all"]

    def say_on_page(text: str, *to: str) -> Any:
        return guest.post(
            path, {"act": "say", "to": list(to), "text": text, "form": hidden(guest.get(path).text, "form")}
        )

    assert say_on_page("Hello <b>you</b>", "all").status_code == 303
    assert say_on_page("Only for you", "all", "s3").status_code == 303
    mine, other = (free.browser(f"p{n}@games.test").get(path).text for n in (3, 1))
    assert all("Hello &lt;b&gt;you&lt;/b&gt;" in page for page in (mine, other))
    assert ("Only for you" in mine, "Only for you" in other) == (True, False)
    answer = say_on_page("To whom?")
    assert answer.status_code == 422
    assert "To whom?" in answer.text
    assert 'role="alert"' in answer.text


def test_the_diary_and_whom_one_does_not_hear_are_ones_own(free: Town) -> None:
    """A note is on its writer's page alone; a muted neighbour's words are missing from that page and no other."""
    path = f"/games/{free.game}/talk"
    guest, other = free.browser("p2@games.test"), free.browser("p1@games.test")
    guest.post(path, {"act": "note", "text": "My secret plan", "form": hidden(guest.get(path).text, "form")})
    say(free.harness, free.game, 3, ["all"], "Noise")
    assert guest.post(path, {"act": "mute", "seat": "s3"}).status_code == 303
    mine, theirs = guest.get(path).text, other.get(path).text
    assert ("My secret plan" in mine, "My secret plan" in theirs) == (True, False)
    assert ("Noise" in mine, "Noise" in theirs) == (False, True)


def test_the_play_page_shows_the_last_words_that_its_reader_may_hear(free: Town) -> None:
    """Five at most, the newest first: what was said to the reader or to all, no diary, and nobody they have muted."""
    for n in range(6):
        say(free.harness, free.game, 2, ["all"], f"Word {n}")
    say(free.harness, free.game, 2, ["s1"], "Only for you")
    guest, page = free.browser("p1@games.test"), f"/games/{free.game}"
    shown = guest.get(page).text
    assert [f"Word {n}" for n in range(6) if f"Word {n}" in shown] == ["Word 2", "Word 3", "Word 4", "Word 5"]
    assert shown.index("Only for you") < shown.index("Word 5") < shown.index("Word 2")
    assert "Only for you" not in free.browser("p3@games.test").get(page).text
    guest.post(f"{page}/talk", {"act": "mute", "seat": "s2"})
    assert "Word" not in guest.get(page).text


def test_a_spectator_reads_public_talk_and_the_table(free: Town) -> None:
    """With one button a spectator sees the public table and what everybody heard, and has no field to write in."""
    say(free.harness, free.game, 1, ["all"], "Open words")
    say(free.harness, free.game, 1, ["s2"], "Hidden words")
    otto = free.browser("otto@games.test")
    assert free.game in otto.get("/spectating").text
    assert (
        otto.post("/spectating", {"act": "watch", "game": free.game}).headers["Location"] == f"/games/{free.game}/table"
    )
    assert otto.get(f"/games/{free.game}").headers["Location"] == f"/games/{free.game}/table"
    assert otto.get(f"/games/{free.game}/table").status_code == 200
    heard = otto.get(f"/games/{free.game}/talk").text
    assert "Open words" in heard
    assert "Hidden words" not in heard
    assert "<textarea" not in heard
    assert "otto" in free.browser("p2@games.test").get(f"/games/{free.game}/talk").text
    otto.post("/spectating", {"act": "leave", "game": free.game})
    assert otto.get(f"/games/{free.game}/table").status_code == 404


def test_the_host_invites_spectators(town: Town) -> None:
    """The host invites by address and has a list of those invited; an address that is none is told."""
    host, path = town.browser("p1@games.test"), f"/games/{town.game}/spectators"
    assert host.post(path, {"address": "otto@games.test"}).status_code == 303
    assert "otto" in host.get(path).text
    assert host.post(path, {"address": "nonsense"}).status_code == 422
    assert spectators.load_spectators(town.harness.web, town.game) == ("otto",)


def test_a_deputy_is_named_and_agrees_at_the_pages(town: Town) -> None:
    """A player names a deputy by address; the link's button agrees; the deputy opens the seat's page alone."""
    harness, me = town.harness, town.user("p2@games.test")
    gate_timing.add_absence(harness.web, me, harness.web.now(), harness.web.now() + 86_400_000)
    owner, path = town.browser("p2@games.test"), f"/games/{town.game}/deputy"
    number = gate_timing.list_upcoming_absences(harness.web, me)[0][0]
    assert owner.post(path, {"act": "name", "address": "p1@games.test", "absence": number}).status_code == 422
    assert owner.post(path, {"act": "name", "address": "zoe@games.test", "absence": number}).status_code == 303
    harness.run_queued_tasks()
    link = harness.sent_facts("deputy")[-1].frame.links.act.removeprefix("https://games.test")
    zoe = town.browser("zoe@games.test")
    assert zoe.get(f"/games/{town.game}").status_code == 404
    assert zoe.get(link).status_code == 200
    assert zoe.get(f"/games/{town.game}").status_code == 404
    assert zoe.post(link, {"act": "agree"}).status_code == 200
    harness.run_queued_tasks()
    assert zoe.get(f"/games/{town.game}").status_code == 200
    assert "zoe" in town.browser("p1@games.test").get(f"/games/{town.game}/talk").text
    named = owner.get(path).text
    assert owner.post(path, {"act": "call_off", "deputy": hidden(named, "deputy")}).status_code == 303
    assert zoe.get(f"/games/{town.game}").status_code == 404
    assert zoe.get(link).status_code == 404


def test_the_record_is_searched_by_what_is_told_and_counted(state_dir: Path) -> None:
    """A word of the story leads to its entries; talk and diaries are open; figures come as a page and as text."""
    harness = steady(build(state_dir), "pages")
    harness.resolver = replace(harness.resolver, search_words=build_search_words)
    game = start_game(harness, "toy", 2, turns="1")
    say(harness, game, 1, ["all"], "Good luck")
    play_on(harness, game)
    town = Town(harness, site(harness), game)
    guest = town.browser("p2@games.test")
    shown = guest.get("/records?q=dealt").text
    assert f'href="/records/{game}/at/1"' in shown
    assert guest.get(f"/records/{game}/at/1").headers["Location"] == f"/records/{game}/public/1"
    assert guest.get(f"/records/{game}/at/99999").status_code == 404
    assert game not in guest.get("/records?q=nosuchthing").text
    assert "Good luck" in guest.get(f"/records/{game}/talk").text
    assert town.browser("eve@games.test").get(f"/records/{game}/talk").status_code == 404
    figures, plain = guest.get("/records/figures"), guest.get("/records/figures.txt")
    assert "Player 1" in figures.text
    assert plain.mimetype == "text/plain"
    assert "Player 1" in plain.text
    assert max(map(len, plain.text.splitlines())) <= 72
    assert "Player 1" not in town.browser("eve@games.test").get("/records/figures.txt").text
    users.set_language(harness.web, town.user("p2@games.test"), "fr")
    mean = re.findall(r"\b[12]\.[0-9]\b", plain.text)[0]
    assert "100%" in plain.text
    french = town.browser("p2@games.test").get("/records/figures.txt").text
    assert (mean in french, mean.replace(".", ",") in french, "100\u00a0%" in french) == (False, True, True)


_LETTER = """Received: from laptop.home.example ([203.0.113.77]) by mx.example; Mon, 2 Mar 2026 07:31:00 +0900
Message-ID: <client-chosen-77@laptop.home.example>
Date: Mon, 2 Mar 2026 07:31:00 +0900
From: "Zoe Private-Name" <p2@games.test>
To: o+{token}@games.test
Subject: my private subject
User-Agent: RareMailer/9.1 (Plan 9)
X-Originating-IP: 203.0.113.77
MIME-Version: 1.0
Content-Type: text/plain; charset=iso-2022-jp

Shall we talk?

On Sun, 1 Mar 2026 at 12:00, Rose wrote:
> BID 7

--
Zoe, +81 3 5555 0100
"""
_TELLTALES = (
    *("203.0.113.77", "client-chosen", "+0900", "07:31:00 +0900", "RareMailer", "Plan 9", "Private-Name", "laptop"),
    *("p2@games.test", "private subject", "5555 0100", "iso-2022", "BID 7"),
)


def text_of(wire: bytes) -> str:
    """The text and the page of a letter that leaves."""
    letter = message_from_bytes(wire, policy=policy.default)
    parts = (letter.get_body((kind,)) for kind in ("plain", "html"))
    return "\n".join(part.get_content() for part in parts if part is not None)


@pytest.fixture
def settings(state_dir: Path) -> Settings:
    """Those of a server whose mail domain is none of its players'."""
    return Settings.from_env(
        {
            "PBEM_PUBLIC_URL": "https://games.test",
            "PBEM_MAIL_DOMAIN": "post.games.test",
            "PBEM_STATE_DIR": str(state_dir),
            "PBEM_DATABASE_URL": "postgresql:///pbem?host=/run/postgresql",
            "PBEM_BROKER_URL": "redis://127.0.0.1:6379/0",
            "PBEM_RELAY_HOST": "mail.games.test",
            "PBEM_LMTP_LISTEN": "127.0.0.1:2424",
            "PBEM_ALLOW_SHARED_USER": "yes",
        },
        "mailer",
    )


def test_a_relayed_letter_leaks_no_header(free: Town, settings: Settings) -> None:
    """Read by the real reader and written by the real writer, a letter goes on with its own words: no header, address,
    client, zone, Message-ID, subject, quotation or signature of its writer is in the bytes that leave.
    """
    harness = free.harness
    out: list[bytes] = []
    harness.configure(send_email=lambda message: out.append(message.wire))
    harness.mailer = replace(
        harness.mailer, parse_email=partial(to_inbound_email, settings), render_email=partial(render_email, settings)
    )
    circles = conversations.load_conversation(harness.web, player(harness, 2), free.game).audiences
    circles = conversations.with_addresses(harness.web, player(harness, 2), free.game, circles)
    address = next(circle.address for circle in circles if circle.name == "all")
    inbox_queue.store_message(harness.smtp, (address,), _LETTER.format(token=address[2:].partition("@")[0]).encode())
    harness.run_queued_tasks()
    relayed = [wire for wire in out if "Shall we talk?" in text_of(wire)]
    assert len(relayed) == 2
    for wire in relayed:
        for telltale in _TELLTALES:
            assert telltale.casefold() not in f"{wire.decode('latin-1')}\n{text_of(wire)}".casefold(), telltale
    assert (
        not {row.key for row in harness.load_rows(OutboundEmail) if row.state == "sent"} & harness.load_bodies().keys()
    )
