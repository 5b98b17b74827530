"""A browser without scripts, and a narrator for the smallest game."""

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from html import unescape
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from engine.kernel.events import Event
from engine.kernel.orders import Problem, Question
from engine.kernel.viewers import Seat, Viewer
from pbem.narration.narrator import Context
from pbem.service.seats.sign_in import create_sign_in_link
from pbem.web import WebConfig, create_pages
from tests.service.server_fixtures import ServerHarness


@dataclass(frozen=True)
class Plain:
    """Tells the smallest game in words that tests can look for: what, and to whom."""

    game: str
    language: str

    def sentence(self, event: Event, viewer: Viewer, context: Context) -> str | None:
        """The fact's class and its fields that are known."""
        if event.visible_to is not None and viewer not in event.visible_to:
            return None
        return f"[{self.language}] {type(event).__name__} {getattr(event, 'cards', '')}"

    def problem(self, problem: Problem, context: Context) -> str:
        """Its code."""
        return f"[{self.language}] problem {problem.code}"

    def question(self, decision: Question, context: Context) -> str:
        """Its topic."""
        return f"[{self.language}] asks {decision.topic}"

    def default(self, decision: Question, context: Context) -> str:
        """Its topic."""
        return f"[{self.language}] default {decision.topic}"

    def name(self, kind: str, thing: str) -> object:
        """As it is."""
        return thing

    def actor(self, seat: Seat, context: Context) -> object:
        """The player's name."""
        return context.names.get(seat, seat)

    def render_macro(self, macro: str, argument: object, context: Context) -> str:
        """Its name."""
        return f"[{self.language}] {macro}"

    def tidy(self, text: str) -> str:
        """As it is."""
        return text

    def effect(self, kind: str, thing: str) -> str:
        """Of cards alone."""
        return f"[{self.language}] does {thing}" if kind == "card" else ""

    def effects(self) -> Iterable[tuple[str, str]]:
        """Of one card."""
        return (("plague", self.effect("card", "plague")),)


_rules: dict[Hashable, Any] = {}
_compile = Rule.compile


def _compile_once(rule: Rule) -> None:
    """Take what an equal rule of another application was compiled to, for that takes long."""
    place = rule.rule, rule.subdomain, rule.merge_slashes, *rule.map.converters.values()
    assert rule.defaults is None
    if place not in _rules:
        _compile(rule)
        writers = getattr(rule._build, "__func__"), getattr(rule._build_unknown, "__func__")  # noqa: B009
        _rules[place] = rule._parts, rule._trace, rule._converters, frozenset(rule.arguments), writers
    rule._parts, rule._trace, rule._converters, arguments, writers = _rules[place]
    rule.arguments |= arguments
    rule._build, rule._build_unknown = (writer.__get__(rule, None) for writer in writers)


Rule.compile = _compile_once  # type: ignore[method-assign, assignment]


def site(harness: ServerHarness, **look: Any) -> Flask:
    """The pages of a server."""
    return create_pages(harness.web, WebConfig(requests_per_minute=100_000, **look), Plain)


class Browser:
    """Somebody at the pages: keeps cookies, follows forms, sends their hidden fields."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.last: TestResponse | None = None

    def get(self, path: str, **more: Any) -> TestResponse:
        """Look at a page."""
        self.last = self.client.get(path, **more)
        return self.last

    def post(
        self, path: str, fields: dict[str, Any] | None = None, *, page: str = "", shown: str = "", **more: Any
    ) -> TestResponse:
        """Send a form; its key is taken from what was `shown`, else from `page`, or the page at the same address."""
        form = shown or self.client.get(page or path).text
        sent = {"csrf_token": hidden(form, "csrf_token"), **(fields or {})}
        self.last = self.client.post(path, data=sent, **more)
        return self.last

    def sign_in(self, harness: ServerHarness, user: int) -> "Browser":
        """By a link, as it would be mailed."""
        link = create_sign_in_link(harness.web, user)
        path = link.removeprefix("https://games.test")
        assert self.post(path).status_code == 303
        return self


def hidden(text: str, name: str) -> str:
    """The value of a hidden field of a page; empty if it has none."""
    found = re.search(rf'name="{re.escape(name)}" value="([^"]*)"', text)
    return unescape(found[1]) if found else ""


def area(text: str) -> str:
    """What stands in the field of orders."""
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", text, re.S)
    assert found
    return unescape(found[1])


def orders(browser: Browser, game: str, text: str, act: str, **fields: Any) -> TestResponse:
    """Send the form of orders of a seat page, as that page has it now."""
    shown = browser.get(f"/games/{game}").text
    sent = {"form": hidden(shown, "form"), "entry": hidden(shown, "entry"), "text": text, "act": act, **fields}
    return browser.post(f"/games/{game}/orders", sent, shown=shown)
