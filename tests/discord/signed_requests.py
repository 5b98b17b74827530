"""Discord as it asks us: requests signed with the key of a false application."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.config.chat import ChatSettings
from pbem.discord.endpoint import Endpoint
from tests.discord.fake_discord import LIMITS, PLACE, validator
from tests.discord.linked_games import Town

APPLICATION = "1594871234567890777"
_CALLBACK = validator("interaction_callback_body")


def unfit(said: Mapping[str, Any]) -> list[str]:
    """Why Discord would refuse an answer of ours: its schema, and what no schema holds."""
    found = [f"{error.instance_path}: {error.message[:200]}" for error in _CALLBACK.iter_errors(dict(said))]
    data = said.get("data") or {}
    if said.get("type") == 5 and set(data) - {"flags"}:
        found.append("a deferral says nothing yet")
    if said.get("type") == 9:
        least, most = LIMITS["modal_components"]
        shape = least <= len(data["components"]) <= most and len(data["title"]) <= LIMITS["modal_title"]
        found += [] if shape else ["the form has too many parts"]
        for part in data["components"]:
            fits = len(part["label"]) <= LIMITS["label"]["label"]
            found += (
                [] if fits and len(part["component"].get("value", "")) <= LIMITS["text_input_value"] else ["a field"]
            )
    if len(str(data.get("content", ""))) > LIMITS["content"]:
        found.append("too long")
    return found


@dataclass
class Asking:
    """A false application and its users."""

    at: Town
    secret: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    numbers: Any = field(default_factory=lambda: count(5094871234567890000))

    def __post_init__(self) -> None:
        key = self.secret.public_key().public_bytes_raw().hex()
        self.chat = ChatSettings(key, APPLICATION, self.at.fake.api, allow_loopback_webhooks=True)
        self.endpoint = Endpoint(self.at.harness.web, self.chat, wait_s=60.0, rest=lambda seconds: None)

    def signed(self, body: Any, at: int | None = None) -> tuple[dict[str, str], bytes]:
        """Headers and bytes of a request."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        stamp = str(self.at.harness.web.now() // 1000 if at is None else at)
        signature = self.secret.sign(stamp.encode() + raw).hex()
        return {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": stamp}, raw

    def body(self, outside: str, kind: int, data: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """A request of somebody's, in the table's channel."""
        return {
            "id": str(next(self.numbers)),
            "type": kind,
            "application_id": APPLICATION,
            "token": f"token{outside}",
            "version": 1,
            "channel_id": PLACE,
            "locale": "en-US",
            "data": dict(data),
            "member": {"user": {"id": outside, "username": f"user{outside[-2:]}", "global_name": None}},
            **more,
        }

    def send(self, body: Any, at: int | None = None) -> dict[str, Any]:
        """Ask, and expect an answer that Discord would take."""
        status, said = self.endpoint.handle(*self.signed(body, at))
        assert status == 200, said
        assert unfit(said) == []
        return said

    def command(self, outside: str, name: str, **options: str) -> dict[str, Any]:
        """`/pbem name option: value`."""
        given = [{"type": 3, "name": key, "value": value} for key, value in options.items()]
        part = {"type": 1, "name": name, "options": given}
        return self.send(self.body(outside, 2, {"id": "1", "name": "pbem", "type": 1, "options": [part]}))

    def reply_to(self, outside: str, name: str, **options: str) -> str:
        """What a command is answered with, to its author alone."""
        answer = self.command(outside, name, **options)
        assert answer["type"] == 4, answer
        assert answer["data"]["flags"] & LIMITS["ephemeral_flag"]
        assert answer["data"]["allowed_mentions"] == {"parse": []}
        return str(answer["data"]["content"])

    def written(self, outside: str, mark: str, text: str) -> dict[str, Any]:
        """The body of a form that was filled in."""
        field_ = {"type": 4, "id": 2, "custom_id": "lines", "value": text}
        return self.body(outside, 5, {"custom_id": mark, "components": [{"type": 18, "id": 1, "component": field_}]})
