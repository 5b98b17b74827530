"""A false Discord on the loopback: real HTTP, the shapes and limits of the true one, and its ill humour on order.

It takes every message that fits the schemas of `limits.json` and the four rules that no schema holds (texts of all
embeds together, something must be said, forbidden names, components only where asked for), refuses any other with a
reason, counts what it lets through as Discord does, and plays whatever trouble a test has laid out.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import jsonschema_rs

HERE = Path(__file__).parent
FACTS: Mapping[str, Any] = json.loads((HERE / "limits.json").read_text(encoding="utf-8"))
LIMITS: Mapping[str, Any] = FACTS["limits"]
HOOK, SECRET = "1094871234567890123", "s3cret-of-the-webhook-that-nobody-may-see_0123456789"
PLACE = "2094871234567890999"


def validator(name: str) -> Any:
    """The schema of a body."""
    return jsonschema_rs.Draft202012Validator({**FACTS["schemas"][name], "$defs": FACTS["$defs"]})


_BODY = validator("execute_webhook_body")


def faults(body: Any, query: Mapping[str, list[str]] | None = None, *, new: bool = True) -> list[str]:
    """Why Discord would refuse a message; empty where it takes it."""
    found = [f"{'.'.join(map(str, error.instance_path))}: {error.message[:200]}" for error in _BODY.iter_errors(body)]
    if found or not isinstance(body, dict):
        return found or ["not an object"]
    if sum(map(_embed_size, body.get("embeds") or ())) > LIMITS["embeds_total"]:
        found.append("the texts of all embeds together are too long")
    kept = dict(body)
    if (query or {}).get("with_components") != ["true"]:
        kept.pop("components", None)
    if new and not any(_has_content(kept.get(name)) for name in LIMITS["requires_one_of"]):
        found.append("empty message")
    name = str(body.get("username") or "").lower()
    if any(word in name for word in LIMITS["forbidden_usernames"]):
        found.append("a forbidden username")
    if int(body.get("flags") or 0) & LIMITS["components_v2_flag"]:
        found += [
            f"{name} beside components" for name in LIMITS["components_v2_excludes"] if _has_content(body.get(name))
        ]
    mentions = body.get("allowed_mentions") or {}
    if "users" in (mentions.get("parse") or ()) and mentions.get("users"):
        found.append("users are both parsed and listed")
    return found


def _has_content(part: Any) -> bool:
    return bool(part.strip() if isinstance(part, str) else part)


def _embed_size(embed: Mapping[str, Any]) -> int:
    parts = [embed.get("title"), embed.get("description"), (embed.get("footer") or {}).get("text")]
    parts += [(embed.get("author") or {}).get("name")]
    parts += [field.get(name) for field in embed.get("fields") or () for name in ("name", "value")]
    return sum(len(str(part).strip()) for part in parts if part)


@dataclass
class Taken:
    """One request that arrived, and what was answered."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    status: int = 0
    message: str = ""
    faults: list[str] = field(default_factory=list)


@dataclass
class Fake:
    """The false Discord, with Slack's and a program's webhooks beside it.

    `trouble`: what the next requests meet, each one: `user`, `global`, `edge` (429s), a status, `hang` (no answer),
    `swallow` (the message is taken, and no answer comes).  `clock`: seconds, as its limits count them.
    """

    clock: Callable[[], float] = time.time
    trouble: list[str] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    gone: bool = False
    limit: int = LIMITS["rate"]["limit"]
    window: float = LIMITS["rate"]["window_s"]
    _counted: dict[str, tuple[float, int]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(3094871234567890000))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

            def do_POST(self) -> None:
                fake._serve(self)

            do_PATCH = do_POST  # noqa: N815 - named by what it is derived from
            do_GET = do_POST  # noqa: N815 - likewise

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def root(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def api(self) -> str:
        """Where Discord is asked."""
        return f"{self.root}/api/v10"

    @property
    def hook(self) -> str:
        """The address of the webhook."""
        return f"{self.root}/api/webhooks/{HOOK}/{SECRET}"

    def address(self, form: str) -> str:
        """The address of a webhook of a form."""
        return {
            "discord": self.hook,
            "slack": f"{self.root}/services/T0/B0/{SECRET}",
            "plain": f"{self.root}/in?key={SECRET}",
        }[form]

    # --- what came

    def bodies(self, method: str = "") -> list[Any]:
        """The bodies of all requests that were taken."""
        return [one.body for one in self.taken if one.status < 300 and method in ("", one.method)]

    def new(self) -> list[Any]:
        """The messages that were made, as they were first."""
        return self.bodies("POST")

    def refused(self) -> list[Taken]:
        """What was refused because of what it says."""
        return [one for one in self.taken if one.faults]

    # --- answering

    def _serve(self, line: BaseHTTPRequestHandler) -> None:
        size = int(line.headers.get("Content-Length") or 0)
        raw = line.rfile.read(size)
        try:
            body = json.loads(raw)
        except ValueError:
            body = raw.decode("utf-8", "replace")
        headers = {name.lower(): value for name, value in line.headers.items()}
        one = Taken(line.command, line.path, headers, body)
        with self._lock:
            self.taken.append(one)
            trouble = self.trouble.pop(0) if self.trouble else ""
            status, more, said = self._answer(one, trouble)
            one.status = status or 599
        if status == 0:
            self._ended.wait(30 if trouble == "hang" else 0)
            line.close_connection = True
            line.connection.close()
            return
        content = said if isinstance(said, bytes) else json.dumps(said).encode() if said is not None else b""
        line.send_response(status)
        for name, value in {"Content-Type": "application/json", **more, "Content-Length": str(len(content))}.items():
            line.send_header(name, value)
        line.end_headers()
        line.wfile.write(content)

    def _answer(self, one: Taken, trouble: str) -> tuple[int, dict[str, str], Any]:
        """Status, headers and body; status 0: none."""
        if trouble in _TOO_MANY:
            return _TOO_MANY[trouble]
        if trouble == "hang":
            return 0, {}, None
        if trouble.isdecimal():
            return int(trouble), {}, {"message": "trouble", "code": 0}
        place = urlsplit(one.path)
        answer = (
            self._discord(one, place.path, parse_qs(place.query))
            if place.path.startswith("/api/")
            else ((404, {}, b"no_team") if self.gone else (200, {"Content-Type": "text/plain"}, b"ok"))
        )
        return (0, {}, None) if trouble == "swallow" else answer

    def _discord(self, one: Taken, path: str, query: Mapping[str, list[str]]) -> tuple[int, dict[str, str], Any]:
        parts = path.removeprefix("/api/v10/").split("/")
        if self.gone or parts[:3] != ["webhooks", HOOK, SECRET]:
            return 404, {}, {"message": "Unknown Webhook", "code": 10015}
        limits, left = self._count(one.method)
        if left < 0:
            body = {
                "message": "You are being rate limited.",
                "retry_after": float(limits["X-RateLimit-Reset-After"]),
                "global": False,
            }
            return 429, {**limits, "Retry-After": "2", "X-RateLimit-Scope": "user"}, body
        if not one.headers.get("user-agent", "").startswith("DiscordBot (http"):
            return 403, limits, {"message": "who are you", "code": 0}
        changing = parts[3] == "messages" and parts[4] if len(parts) == 5 else ""
        one.faults = faults(one.body, query, new=not changing)
        if one.faults:
            return 400, limits, {"message": "Invalid Form Body", "code": 50035, "errors": {"_errors": one.faults}}
        if changing:
            if changing not in self.messages:
                return 404, limits, {"message": "Unknown Message", "code": 10008}
            self.messages[changing] = {**self.messages[changing], **one.body}
        one.message = changing or str(next(self._numbers))
        self.messages.setdefault(one.message, dict(one.body))
        said = {"id": one.message, "channel_id": PLACE, "webhook_id": HOOK, "content": one.body.get("content", "")}
        return (200, limits, said) if changing or query.get("wait") == ["true"] else (204, limits, None)

    def _count(self, method: str) -> tuple[dict[str, str], int]:
        """A bucket for each route of the webhook, over a window."""
        began, used = self._counted.get(method, (0.0, 0))
        now = self.clock()
        if now >= began + self.window:
            began, used = now, 0
        self._counted[method] = (began, used + 1)
        left = self.limit - used - 1
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(left, 0)),
            "X-RateLimit-Reset": f"{began + self.window:.3f}",
            "X-RateLimit-Reset-After": f"{began + self.window - now:.3f}",
            "X-RateLimit-Bucket": f"b{method}",
        }, left


_TOO_MANY: Mapping[str, tuple[int, dict[str, str], Any]] = {
    "user": (
        429,
        {
            "Retry-After": "1",
            "X-RateLimit-Limit": "5",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset-After": "0.57",
            "X-RateLimit-Scope": "user",
            "X-RateLimit-Bucket": "bPOST",
        },
        {"message": "You are being rate limited.", "retry_after": 0.57, "global": False},
    ),
    "global": (
        429,
        {"Retry-After": "30", "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"},
        {"message": "You are being rate limited.", "retry_after": 30.0, "global": True},
    ),
    "edge": (429, {"Retry-After": "120", "Content-Type": "text/html"}, b"<html>error 1015</html>"),
}
