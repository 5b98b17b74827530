"""A small program that plays a seat through the interface for programs, and knows nothing of any game.

It asks which questions are open, tries some of the likely lines that the server offers, and sends those that are valid.
It needs the standard library alone and is the example for programs that know better.
"""

import http.client
import json
import random
import secrets
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

PREFIX = "/api/v2"
TRIES, PATIENCE_S, TIMEOUT_S = 5, 120, 60
LOOPBACK = ("localhost", "127.0.0.1", "::1")
MAX_TRIES = 12
"""Sets tried for one question before the stated default is left to happen."""


class BadAddress(Exception):
    """The address of the server cannot be used; the text says why."""


class ApiError(Exception):
    """The server said no: `status`, and its problem (RFC 9457)."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        """`problem`: as it came; empty where something else came."""
        super().__init__(f"{status}: {problem.get('title', '')} {problem.get('detail', '')}".strip())
        self.status, self.problem = status, problem


class ApiClient(Protocol):
    """What a player needs of a server."""

    def get(self, path: str) -> Any:
        """Send a GET; raises ApiError."""
        ...

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a POST; raises ApiError."""
        ...


@dataclass
class Client:
    """Calls to one server with one token.

    A call is sent again where the line broke or the server asks for patience, always under the same key, so that it
    acts once.
    """

    url: str
    token: str = field(repr=False)
    language: str = "*"
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        """Raises BadAddress."""
        parts = urlsplit(self.url)
        self._host, self._secure = parts.hostname or "", parts.scheme == "https"
        if parts.scheme not in ("http", "https") or not self._host:
            raise BadAddress("The address must begin with https:// and name a server.")
        if not self._secure and self._host not in LOOPBACK:
            raise BadAddress("Over http:// anybody on the way could read the token; use https://.")
        self._port, self._below = parts.port, parts.path.rstrip("/")

    def get(self, path: str) -> Any:
        """Send a GET; raises ApiError, or OSError if the server cannot be reached."""
        return self._call("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a POST; raises as `get`."""
        return self._call("POST", path, json.dumps(body).encode())

    def _call(self, method: str, path: str, body: bytes | None) -> Any:
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json",
            "Accept-Language": self.language,
            **({"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)} if body else {}),
        }
        for tries in range(1, TRIES + 1):
            try:
                status, after, content = self._send(method, path, body, headers)
            except (OSError, http.client.HTTPException):
                if tries == TRIES:
                    raise
                self.sleep(2.0**tries)
                continue
            if status not in (429, 503) or tries == TRIES:
                return _parse_json(status, content)
            self.sleep(min(after or 2.0**tries, PATIENCE_S))
        raise AssertionError("the last try returns or raises")

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, float, bytes]:
        """Send one request; returns status, seconds to wait, and body."""
        if self._secure:
            context = ssl.create_default_context()
            line: http.client.HTTPConnection = http.client.HTTPSConnection(
                self._host, self._port, timeout=TIMEOUT_S, context=context
            )
        else:
            line = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_S)
        try:
            line.request(method, self._below + PREFIX + path, body, dict(headers))
            answer = line.getresponse()
            after = answer.getheader("Retry-After") or ""
            return answer.status, float(after) if after.isdecimal() else 0.0, answer.read()
        finally:
            line.close()


def _parse_json(status: int, content: bytes) -> Any:
    """Parse the body of a response; raises ApiError unless its status is a success."""
    try:
        found = json.loads(content) if content else {}
    except ValueError:
        found = {}
    if not 200 <= status < 300:
        raise ApiError(status, found if isinstance(found, dict) else {})
    return found


# --- playing


@dataclass
class Bot:
    """Answers whatever is asked, with likely lines chosen by chance; `say` is told each answer."""

    client: ApiClient
    random: random.Random
    say: Callable[[str], None]

    def play_once(self) -> int:
        """Answer all questions that are open now; returns how many were answered."""
        games = self.client.get("/games")["games"]
        return sum(self._play(game) for game in games if any(not duty["is_answered"] for duty in game["questions"]))

    def _play(self, game: Mapping[str, Any]) -> int:
        """Answer the questions of one game; returns how many were answered, 0 if the game closed meanwhile."""
        try:
            asked = self.client.get(f"/games/{game['game']}/questions?advance=false")
        except ApiError as refusal:
            if refusal.status in (404, 409):
                return 0
            raise
        owed = [q for q in asked["questions"] if q["kind"] == "open" and not q["is_answered"]]
        return sum(self._answer(game, asked["entry"], question) for question in owed)

    def _answer(self, game: Mapping[str, Any], entry: int, question: Mapping[str, Any]) -> bool:
        """Submit the first valid candidate; returns False if there is none, and the stated default will happen."""
        where = f"/games/{game['game']}"
        for lines in self._candidate_orders(game["game"], question):
            written = {"entry": entry, "lines": [question["heading"], *lines]}
            try:
                if self.client.post(f"{where}/preview", written)["outcome"] != "taken":
                    continue
                outcome = self.client.post(f"{where}/orders", written)["outcome"]
            except ApiError as refusal:
                if refusal.status in (404, 409):
                    return False
                raise
            if outcome in ("taken", "repeated"):
                self.say(f"{game['title']}: {question['title']}: {' / '.join(lines)}")
                return True
        self.say(f"{game['title']}: {question['title']}: no answer; {question['default']}")
        return False

    def _candidate_orders(self, game: str, question: Mapping[str, Any]) -> Iterator[Sequence[str]]:
        """Yield candidate orders, the likely ones first; each offered line is valid alone, several perhaps not."""
        offered = list(question["likely"])
        if offered and not question["single"]:
            yield [line for line in offered if self.random.randrange(10) < 6] or offered[:1]
        if offered:
            yield [offered[self.random.randrange(len(offered))]]
        yield from ([line] for line in offered[:MAX_TRIES])
        if any_line := legal_line(self.client, game, question, [question["heading"]], self.random.choice):
            yield [any_line]
        if question["may_pass"]:
            yield ["PASS"]


def legal_line(
    api: ApiClient, game: str, question: Mapping[str, Any], above: Sequence[str], pick: Callable[[list[Any]], Any]
) -> str:
    """Return a legal line below those `above`, made of values that `pick` takes from lists; "" if there is none.

    `question`: as `GET /games/{game}/questions` tells it. `above`: its heading, and the lines that are written.
    """
    moves = f"/games/{game}/moves"
    body: dict[str, Any] = {"question": question["key"], "lines": list(above)}
    forms = [form["form"] for form in api.post(moves, body)["forms"] if not form["reason"]]
    if not forms:
        return ""
    body |= {"form": pick(forms), "values": {}}
    for slot in question["forms"][body["form"]]["slots"]:
        things: list[Any] = []
        while slot["many"] or not things:
            found = api.post(moves, {**body, "slot": slot["name"]})["forms"][0]["slot"]
            may_stop = not found["stop"]
            if not found["legal"] or (may_stop and pick([True, False])):
                break
            things.append(pick(found["legal"]))
            counted = {thing: things.count(thing) for thing in things}
            body["values"][slot["name"]] = counted if slot["amounts"] else things if slot["many"] else things[0]
    line: str = api.post(moves, body)["line"]
    return line


def play_forever(bot: Bot, every: float, rest: Callable[[float], None] = time.sleep) -> None:
    """Answer open questions again and again, with a rest between; raises ApiError when the token opens nothing.

    A server that cannot be reached, or fails, is asked again after the rest.
    """
    while True:
        try:
            bot.play_once()
        except ApiError as refusal:
            if refusal.status < 500 and refusal.status != 429:
                raise
            bot.say(str(refusal))
        except (OSError, http.client.HTTPException) as error:
            bot.say(f"The server could not be reached: {type(error).__name__}.")
        rest(every)
