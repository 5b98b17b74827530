"""No page and no call answers 500 to anything: odd ids, methods, bodies, headers and encodings, from every visitor."""

import copy
import random
import re
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pbem.common.states import WAITING
from pbem.crypto import new_token
from pbem.service.access.api_tokens import SCOPES
from pbem.service.seats import tables
from pbem.store.models import Game, OutboundEmail
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.api.examples import EXAMPLES
from pbem.web.routes import ROUTES
from tests.api.api_client import Program, issued
from tests.api.conftest import Quay
from tests.api.world import MANY, World, opened
from tests.budget import budget
from tests.service.master_commands import get_user_id
from tests.web.form_browser import Browser, hidden, site

pytestmark = [pytest.mark.both_databases, pytest.mark.timeout(900)]
"""What one database swallows may choke the other."""

SEED: Final = 20261120
VISITORS: Final = ("", "stranger@games.test", "p1@games.test", "p2@games.test")
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW")
PATHS: Final = (
    *"/ . .. %00 %0a %ff %C3%A9 %F0%9F%8E%B2 %2f %5c -1 0 1 1e9 99999999999999999999 null s1 s9 <script> ١ +".split(),
    *("%27%20OR%201=1", "{{7*7}}", "\u202e", "%2e%2e%2f", "a" * 200, "a" * 5000),
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
TEXTS: Final = (
    *("", " ", "0", "-1", "é", "٣", "1e400", "NaN", "\x00", "\r\nSubject: x", "\u202eevil", "\uffff", "\U0010ffff"),
    *("2026-02-30", "9999-12-31", "0000-00-00", "Europe/Paris", "../../etc/passwd", "' OR 1=1 --", "%s%n", "{0}"),
    *("a\x00b@example.org", "x@exam\x00ple.org", "p1@games.test", "bcdfghjkmnp\n", "x" * 5000),
)
VALUES: Final = (
    *("\ud800", "a" * 70_000, "2" * 400, "submit", "add:s0.0", "add:s99.99", "likely:s0.0", "unfold:r0", "withdraw"),
    *("issue", "revoke", "s1", "public", "read"),
)
"""What only a form can bring, or what it acts on."""
LINES: Final = (
    "EXTEND 99999999999999999999 days",
    "DEADLINE 9999-99-99 99:99",
    "BROADCAST \x00\x01",
    "PROMOTE \x00@example.org",
    "ELECT a\x00b@example.org",
    "REPLACE p1 BY a\x00b@example.org",
    "CONFIRM \x00",
    "AGREE \x00",
    "LUCK \x00",
    "FOR TURN 99999999999999999999 BIDS",
    "BID \U0001d7db",
    "IF I HOLD \x00: BID 3",
)
NUMBERS: Final[tuple[Any, ...]] = (0, -1, 2**31, 10**18, 1.5, None, True, "1", "\x00", {})
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
    "act text entry form name zone scope days game players hours addresses words first last absence seat language back "
    "program sure kind number lines key q"
).split()


def placed(chance: random.Random, world: World, rule: str) -> str:
    """An address with something in each of its places: mostly what belongs there, else anything."""

    def one(found: re.Match[str]) -> str:
        if chance.random() < 0.5:
            return chance.choice(PATHS)
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
        self.guest, self.token = Browser(world.app), ""
        if address:
            self.guest.sign_in(world.harness, get_user_id(world.harness, address))
            self.token = issued(world.harness, address)
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


def test_nothing_that_anybody_sends_makes_a_500(state_dir: Path) -> None:
    """Every address gets odd requests from nobody, from a stranger and from seats."""
    chance, world = random.Random(SEED), opened(state_dir)
    visitors = {address: Visitor(world, address) for address in VISITORS}
    failed, came = [], Counter[int]()
    calls = [PREFIX + operation.path for operation in OPERATIONS]
    for rule in (*(route.rule for route in ROUTES), *calls, "/<x>", "/static/<x>", "/api/<x>"):
        for address, visitor in visitors.items():
            for _ in range(budget(1, 12)):
                asked = _one(chance, world, rule, visitor)
                status = visitor.ask(*asked)
                came[status // 100] += 1
                if status >= 500:
                    failed.append(f"{address}: {asked!r:.500}")
    assert failed == []
    assert min(came[2], came[3], came[4]) > 30, "requests that reach nothing prove nothing"


def _one(
    chance: random.Random, world: World, rule: str, visitor: Visitor
) -> tuple[str, str, bytes, str, dict[str, str]]:
    """An odd request: its method is one that the address knows as often as not."""
    path = placed(chance, world, rule)
    if chance.random() < 0.3:
        path += f"?{chance.choice(FIELDS)}={chance.choice(PATHS)}"
    method = chance.choice(("GET", "POST")) if chance.random() < 0.7 else chance.choice(METHODS)
    fields = {chance.choice(FIELDS): chance.choice((*TEXTS, *VALUES)) for _ in range(chance.randrange(8))}
    if chance.random() < 0.8:
        fields["csrf_token"] = visitor.key
    content, kind = body(chance, fields) if method != "GET" or chance.random() < 0.2 else (b"", "")
    return method, path, content, kind, dict(chance.choice(HEADERS))


def spoilt(body: Any, chance: random.Random) -> Iterator[Any]:
    """A body with one of its values replaced, each in turn by some of the things that are none; at night by each."""
    for path, value in list(_leaves(body, ())):
        lines = LINES if "lines" in path else ()
        others = (*TEXTS, *lines, None, []) if isinstance(value, str) else NUMBERS
        for other in chance.sample(others, min(len(others), budget(1, 99))):
            made = copy.deepcopy(body)
            place = made
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = other
            yield made


def _leaves(body: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(body, dict | list):
        for key, value in body.items() if isinstance(body, dict) else enumerate(body):
            yield from _leaves(value, (*path, key))
    else:
        yield path, body


def test_no_value_of_any_call_makes_a_500(quay: Quay) -> None:
    """No replaced text or number of an example, and no text of a query, makes an error of ours; refusals say why."""
    harness, chance, failed = quay.harness, random.Random(SEED), []
    harness.configure(limits=MANY)
    later = tables.create(harness.web, get_user_id(harness, "p1@games.test"), "toy", "Later", 4, {})
    harness.run_queued_tasks()
    app = site(harness)
    programs = {scope: Program(app, issued(harness, "p1@games.test", scope=scope)) for scope in SCOPES}
    for operation in OPERATIONS:
        program, path = programs[operation.scope], operation.path.replace("<int:entry>", "1").replace("<viewer>", "s1")
        path = path.replace("<game>", later if operation.states == WAITING else quay.game).replace("<number>", "0" * 32)
        example = msgspec.to_builtins(EXAMPLES[operation.body]) if operation.body is not None else None
        answers = [(sent, program.post(path, sent)) for sent in (spoilt(example, chance) if example else ())]
        for name in operation.query.__struct_fields__ if operation.query is not None else ():
            for text in TEXTS:
                bears = {"Authorization": f"Bearer {program.token}"}
                answers.append((text, program.client.get(PREFIX + path, query_string={name: text}, headers=bears)))
        for said, answer in answers:
            if answer.status_code >= 500 or (answer.status_code >= 400 and "detail" not in (answer.json or {})):
                failed.append(f"{operation.name} {answer.status_code}: {said!r:.200}")
    assert failed == []


def test_the_same_key_at_the_same_moment_acts_once(quay: Quay) -> None:
    """Calls that race make one table and one receipt, and everybody gets an answer."""
    program = quay.program("p1@games.test")
    before = len(quay.harness.load_rows(Game))
    made = _at_once(program, "/tables", {"rules": "toy", "title": "Lily", "players": 2})
    assert sorted(answer.json["outcome"] for answer in made) == ["done", *["repeated"] * 5]
    assert len(quay.harness.load_rows(Game)) == before + 1
    sent = _at_once(program, f"{quay.at}/orders", {"entry": 1, "lines": ["BID 3"]})
    assert sorted(answer.json["outcome"] for answer in sent) == [*["repeated"] * 5, "taken"]
    assert len([row for row in quay.harness.load_rows(OutboundEmail) if row.kind == "receipt"]) == 1


def _at_once(program: Program, path: str, body: Any) -> list[Any]:
    """The same call six times at the same moment."""
    start, answers = threading.Barrier(6), []

    def call() -> None:
        one = Program(program.client.application, program.token)
        start.wait()
        answers.append(one.post(path, body, key="same"))

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * 6
    return answers
