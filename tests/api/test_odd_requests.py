"""No page and no call answers 500 to anything: odd ids, methods, bodies, headers and encodings, from every visitor."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask

from pbem.service.seats import tables
from pbem.vault import new_token
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.routes import ROUTES
from tests.api.programs import issued
from tests.api.world import World, opened
from tests.web.guests import Browser, hidden

pytestmark = pytest.mark.timeout(900)

SEED: Final = 20261120
VISITORS: Final = ("", "stranger@games.test", "p1@games.test", "p2@games.test")
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW")
ODD: Final = (
    "",
    ".",
    "..",
    "%00",
    "%0a",
    "%ff",
    "%C3%A9",
    "%F0%9F%8E%B2",
    "%2f",
    "%5c",
    "a" * 200,
    "a" * 5000,
    "-1",
    "0",
    "1",
    "1e9",
    "999999999",
    "99999999999999999999",
    "null",
    "public",
    "s1",
    "s9",
    "%27%20OR%201=1",
    "<script>",
    "{{7*7}}",
    "\u202e",
    "١",
    "+",
    "%2e%2e%2f",
)
TYPES: Final = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "application/json",
    "text/plain; charset=utf-16",
    "application/x-www-form-urlencoded; charset=utf-7",
    "x",
    "",
    "\u00e9/\u00e9",
)
VALUES: Final = (
    "",
    "0",
    "-1",
    "1",
    "é",
    "\x00",
    "\ud800",
    "a" * 70_000,
    "1e400",
    "٣",
    "\r\n",
    "' OR 1=1 --",
    "%s%n",
    "{x}",
    "NaN",
    "2026-02-30",
    "9999-12-31",
    "0000-00-00",
    "Europe/Paris",
    "../../etc/passwd",
    "submit",
    "add:s0.0",
    "add:s99.99",
    "likely:s0.0",
    "unfold:r0",
    "withdraw",
    "issue",
    "revoke",
    "s1",
    "public",
    "p1@games.test",
    "read",
    "2" * 400,
)
HEADERS: Final[tuple[dict[str, str], ...]] = (
    {},
    {"Accept": "*/*;q=nope"},
    {"Accept-Language": "x" * 500},
    {"Accept-Language": "fr;q=nan, *;q=2"},
    {"If-None-Match": "*"},
    {"If-None-Match": '"' * 99},
    {"Range": "bytes=-1"},
    {"Content-Encoding": "gzip"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Cookie": "pbem=x; pbem-read=y.z; " + "a=b; " * 50},
    {"Host": "a..b:99999"},
    {"Origin": "null"},
    {"Authorization": "Bearer \u00e9"},
    {"Authorization": "Digest x"},
    {"X-Forwarded-For": "\x01"},
    {"Content-Length": "nope"},
    {"Transfer-Encoding": "chunked"},
    {"Expect": "200-maybe"},
    {"Referer": "\x7f"},
    {"Idempotency-Key": "\u00ff" * 200},
    {"X-HTTP-Method-Override": "DELETE"},
    {"Accept-Charset": "utf-7"},
)
FIELDS: Final = (
    "act",
    "text",
    "entry",
    "form",
    "name",
    "zone",
    "scope",
    "days",
    "game",
    "players",
    "hours",
    "addresses",
    "words",
    "first",
    "last",
    "absence",
    "seat",
    "language",
    "back",
    "program",
    "sure",
    "kind",
    "number",
    "lines",
    "key",
    "q",
)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def world(request: pytest.FixtureRequest, state_dir: Path) -> Iterator[World]:
    """The same server on each database: what one swallows may choke the other."""
    url = str(request.getfixturevalue("fresh_postgres_url")) if request.param == "postgresql" else ""
    made = opened(state_dir, url)
    yield made
    made.hall.web.db.close()


def addresses() -> list[str]:
    """Every address there is, and none."""
    pages = [route.rule for route in ROUTES]
    return [*pages, *(PREFIX + operation.path for operation in OPERATIONS), "/<x>", "/static/<x>", "/api/<x>"]


def placed(chance: random.Random, world: World, rule: str) -> str:
    """An address with something in each of its places: mostly what belongs there, else anything."""

    def one(found: re.Match[str]) -> str:
        if chance.random() < 0.5:
            return chance.choice(ODD)
        known = {"game": world.tables, "entry": ("1", "2"), "viewer": ("public", "s1"), "number": ("0" * 32,)}
        return chance.choice(known.get(found.group(1), (new_token(),)))

    return re.sub(r"<(?:[a-z]+:)?([a-z]+)>", one, rule)


def body(chance: random.Random, fields: dict[str, str]) -> tuple[bytes, str]:
    """Something to send, and what it is said to be."""
    kind, way = chance.choice(TYPES), chance.randrange(4)
    if way == 0:
        return chance.randbytes(chance.randrange(300)), kind
    if way == 1:
        return b'{"entry": 1e400, "lines": [null, {"a": []}]}' * chance.randrange(3), "application/json"
    if way == 2:
        parts = (
            f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()
        )
        return ("".join(parts) + "--x--").encode("utf-8", "surrogatepass"), "multipart/form-data; boundary=x"
    pairs = "&".join(f"{name}={value}" for name, value in fields.items())
    return pairs.encode("utf-8", "surrogatepass"), "application/x-www-form-urlencoded"


class Visitor:
    """Somebody with a browser and a program."""

    def __init__(self, world: World, address: str) -> None:
        self.app: Flask = world.app
        self.guest = Browser(world.app)
        self.token = ""
        if address:
            with world.hall.web.db.writing() as session:
                user = tables.user_of(world.hall.web, session, address).id
            self.guest.sign_in(world.hall, user)
            self.token = issued(world.hall, address)
        self.key = hidden(self.guest.get("/sign-in").text, "csrf_token")

    def ask(self, method: str, path: str, content: bytes, kind: str, headers: dict[str, str]) -> int:
        """Ask, with all that the caller has unless the headers say otherwise, and return the status."""
        shown = {"Idempotency-Key": "odd", **headers}
        if path.startswith("/api/") and self.token:
            shown.setdefault("Authorization", f"Bearer {self.token}")
        environ = {f"HTTP_{name.upper().replace('-', '_')}": _latin(value) for name, value in shown.items()}
        for name in ("Content-Length", "Content-Type"):
            if name in shown:
                environ[name.upper().replace("-", "_")] = _latin(shown[name])
        more: dict[str, Any] = {"content_type": _latin(kind)} if kind else {}
        answer = self.guest.client.open(
            path, method=method, data=content, environ_overrides=environ, buffered=True, **more
        )
        return answer.status_code


def _latin(text: str) -> str:
    """As a server hands a header over (PEP 3333)."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def test_nothing_that_anybody_sends_makes_a_500(world: World) -> None:
    """Every address gets several odd requests from nobody, from a stranger and from seats."""
    chance = random.Random(SEED)
    visitors = [Visitor(world, address) for address in VISITORS]
    failed = []
    came = Counter[int]()
    for rule in addresses():
        for visitor in visitors:
            for _ in range(6):
                asked = _one(chance, world, rule, visitor)
                status = visitor.ask(*asked)
                came[status // 100] += 1
                if status >= 500:
                    failed.append(f"{VISITORS[visitors.index(visitor)]}: {asked!r:.500}")
    assert failed == []
    assert min(came[2], came[3], came[4]) > 100, "requests that reach nothing prove nothing"


def _one(
    chance: random.Random, world: World, rule: str, visitor: Visitor
) -> tuple[str, str, bytes, str, dict[str, str]]:
    """An odd request: its method is one that the address knows as often as not."""
    path = placed(chance, world, rule)
    if chance.random() < 0.3:
        path += f"?{chance.choice(FIELDS)}={chance.choice(ODD)}"
    method = chance.choice(("GET", "POST")) if chance.random() < 0.7 else chance.choice(METHODS)
    fields = {chance.choice(FIELDS): chance.choice(VALUES) for _ in range(chance.randrange(8))}
    if chance.random() < 0.8:
        fields["csrf_token"] = visitor.key
    content, kind = body(chance, fields) if method != "GET" or chance.random() < 0.2 else (b"", "")
    return method, path, content, kind, dict(chance.choice(HEADERS))
