"""What guards every answer."""

import logging
import re

import pytest

from pbem.crypto import new_token
from pbem.web import WebConfig, create_pages
from pbem.web.security import BODY_LIMIT, POLICY
from tests.web.conftest import Town
from tests.web.form_browser import Browser, hidden, site


def test_every_answer_bears_the_headers(town: Town) -> None:
    """Pages, errors and static files: our scripts alone, no frame, no sniffing, no referrer; no page is kept."""
    guest = town.browser("p1@games.test")
    for path in ("/", f"/games/{town.game}", "/nowhere", "/static/style.css", "/sign-in/x"):
        with guest.get(path) as answer:
            headers = answer.headers
        assert headers["Content-Security-Policy"] == POLICY
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == ("max-age=3600" if "static" in path else "no-store")
    assert "script-src 'self';" in POLICY
    assert "unsafe" not in POLICY


def test_no_answer_that_may_be_kept_bears_a_cookie(town: Town) -> None:
    """Static files, which caches keep, come without a session and do not differ by one, found or not."""
    guest = town.browser("p1@games.test")
    for path in ("/static/style.css", "/static/nothing.css", "/static/../secret"):
        with guest.get(path) as answer:
            kept = "no-store" not in answer.headers["Cache-Control"]
            assert not (kept and ("Set-Cookie" in answer.headers or "Cookie" in answer.headers.get("Vary", "")))
    assert guest.get("/settings").status_code == 200


def test_no_page_holds_script_or_style_of_its_own(town: Town) -> None:
    """Every script and style is a file of ours, as the policy demands."""
    guest = town.browser("p1@games.test")
    for path in ("/", f"/games/{town.game}", f"/games/{town.game}/help", "/tables/new?game=toy", "/settings"):
        text = guest.get(path).text
        assert re.sub(r'<script type="module" src="/static/[a-z]+\.js"></script>', "", text).count("<script") == 0
        for mark in ("<style", " style=", " onclick", "javascript:"):
            assert mark not in text


def test_a_form_without_its_key_does_nothing(town: Town) -> None:
    """Every POST but the mail program's own unsubscription needs the key of a page of the same session."""
    guest = town.browser("p1@games.test")
    other = hidden(town.browser("p2@games.test").get("/settings").text, "csrf_token")
    for key in ("", "x", other):
        answer = guest.client.post("/settings", data={"csrf_token": key, "name": "Eve", "zone": "UTC"})
        assert answer.status_code == 400
        assert "out of date" in answer.text
    assert 'value="Eve"' not in guest.get("/settings").text


def test_a_post_from_another_site_does_nothing(town: Town) -> None:
    """If the browser names another site, even the right key does not help."""
    guest = town.browser("p1@games.test")
    fields = {"name": "Eve", "zone": "UTC"}
    assert guest.post("/settings", fields, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 400
    assert guest.post("/settings", fields, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_errors_have_pages_in_both_languages(town: Town) -> None:
    """404, 405, 413 and 429 say what was wrong and what to do, and tell nothing of the inside."""
    app = site(town.harness, sign_ins_per_minute=2)
    for language, word in (("en", "Page not found"), ("fr", "Page introuvable")):
        guest = Browser(app)
        assert word in guest.get("/nowhere", headers={"Accept-Language": language}).text
    guest = Browser(app)
    wrong = guest.client.post("/")
    assert wrong.status_code == 405
    assert wrong.headers["Allow"]
    long = guest.post("/sign-in", {"address": "x" * (BODY_LIMIT + 1)})
    assert long.status_code == 413
    assert "Too much text" in long.text
    answers = [guest.post("/sign-in", {"address": "a@b.test"}).status_code for _ in range(4)]
    assert answers[-1] == 429
    assert "Too many requests" in (guest.last.text if guest.last else "")


def test_a_failure_shows_and_logs_nothing_of_what_was_asked(
    town: Town, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A page that breaks says so in the reader's language; the log names the rule and the class, no token, no text."""
    token = new_token()

    def broken(*_: object) -> None:
        raise RuntimeError(f"the secret is {token}")

    monkeypatch.setattr("pbem.web.tables.game_pages.load_invitation_page", broken)
    with caplog.at_level(logging.DEBUG):
        answer = town.browser().get(f"/join/{token}", headers={"Accept-Language": "fr"})
    assert answer.status_code == 500
    assert "Une erreur de notre côté" in answer.text
    assert "RuntimeError" not in answer.text
    assert "/join/<token>" in caplog.text
    assert "RuntimeError" in caplog.text
    assert token not in caplog.text
    assert "the secret is" not in caplog.text


def test_strangers_cannot_be_many(town: Town) -> None:
    """One address may ask for only so many pages in a minute.

    All addresses of one IPv6 network of 64 bits, which is what one subscriber has, are counted together.
    """
    slow = Browser(create_pages(town.harness.web, WebConfig(requests_per_minute=3)))

    def seen(*addresses: str) -> list[int]:
        return [slow.get("/sign-in", environ_overrides={"REMOTE_ADDR": at}).status_code for at in addresses]

    assert seen(*["192.0.2.1"] * 5) == [200, 200, 200, 429, 429]
    assert seen(*(f"2001:db8:1:2:{n}::1" for n in range(5))) == [200, 200, 200, 429, 429]
    assert seen("2001:db8:1:3::1", "198.51.100.1", "::ffff:198.51.100.1", "::1", "unix:", "") == [200] * 6


def test_text_of_players_is_shown_as_text(town: Town) -> None:
    """Names and lines that look like markup stay text."""
    guest = town.browser("p1@games.test")
    guest.post("/settings", {"name": "<b>Ann</b>", "zone": "UTC"})
    text = guest.get(f"/games/{town.game}").text
    assert "<b>Ann</b>" not in text
    assert "&lt;b&gt;Ann&lt;/b&gt;" in text
