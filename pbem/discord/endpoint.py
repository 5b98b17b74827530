"""The one address at which Discord asks: signed requests, answered in time, each once.

Discord waits three seconds.  What takes longer goes on in the background: the asker is told to wait, and the answer,
for them alone, takes the place of that.
"""

import json
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import TooManyRequests

from pbem.common.cpu_budget import MOST_LINES, BudgetExceeded
from pbem.common.outage_log import SIGNATURE_ERRORS
from pbem.config.chat import ChatSettings
from pbem.crypto import DecryptionError
from pbem.discord import commands
from pbem.discord.guard import Target
from pbem.discord.interactions import (
    CHOOSING,
    COMMAND,
    PING,
    WRITTEN,
    Interaction,
    MalformedInteraction,
    parse_interaction,
    respond,
)
from pbem.discord.notify import user_agent
from pbem.discord.replies import parse_response
from pbem.discord.signing import FRESH_S, ForgedRequest, SignedHeaders, verify
from pbem.discord.wire import NotSent, UnknownOutcome, send_request
from pbem.discord.words import translate
from pbem.ops.validators import VALIDATORS, Validators
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.service.channels import chat

PATH = "/discord/interactions"
WAIT_S = 2.0
"""How long an answer may take before the asker is told to wait."""

BODY_LIMIT = 64_000
TRIES = 4
PER_MINUTE = 1200

_EXTENSION = "pbem.discord"

_LOG = logging.getLogger(__name__)


@dataclass
class Endpoint:
    """Answers Discord.  `pages`: the application that it belongs to.  `wait_s`, `rest`: how to wait, for tests."""

    services: Services
    chat: ChatSettings
    pages: Flask | None = None
    wait_s: float = WAIT_S
    rest: Callable[[float], None] = sleep
    _pool: list[ThreadPoolExecutor] = field(default_factory=list)

    def __call__(self) -> Response:
        """One request."""
        status, said = self.handle(dict(request.headers), request.get_data(cache=False))
        return Response(json.dumps(said), status, mimetype="application/json")

    def handle(self, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, Any]]:
        """Status and answer to a request as it came: 401 for whatever Discord did not sign, lately and once."""
        now = self.services.now() // 1000
        try:
            if len(body) > BODY_LIMIT:
                raise ForgedRequest
            signed = verify(self.chat.discord_public_key, headers, body, now)
            asked = parse_interaction(_json(body))
        except ForgedRequest:
            return 401, {"error": "invalid request signature"}
        except MalformedInteraction:
            return 400, {"error": "not understood"}
        if asked.kind == PING:
            return 200, {"type": commands.PONG}
        work = self._workers().submit(self._answer, asked, signed)
        try:
            said = work.result(self.wait_s)
        except NotYet:
            said = self._answer_later(asked, work)
        return (200, said) if said is not None else (401, {"error": "seen before"})

    def _workers(self) -> ThreadPoolExecutor:
        """Made when first needed: after a server has forked, not before."""
        if not self._pool:
            self._pool.append(ThreadPoolExecutor(8, thread_name_prefix="discord"))
        return self._pool[0]

    def _answer(self, asked: Interaction, signed: SignedHeaders) -> dict[str, Any] | None:
        """The answer, once; None for a request that came before.  Of what goes wrong its words tell nothing."""
        try:
            until = (signed.moment + 2 * FRESH_S) * 1000
            first = chat.claim_request(self.services, (signed.signature,), until)
            return self._respond(asked) if first else None
        except BudgetExceeded:
            return commands.ephemeral(translate(asked.language, "answer.too_much", n=MOST_LINES))
        except DecryptionError as error:
            SIGNATURE_ERRORS.record(error)
            return commands.ephemeral(translate(asked.language, "answer.seal"))
        except Exception as error:  # noqa: BLE001 - logged by its class; the asker must not be left without an answer
            _LOG.error("an interaction failed: %s", type(error).__name__)
            return commands.ephemeral(translate(asked.language, "answer.failed"))

    def _respond(self, asked: Interaction) -> dict[str, Any]:
        """Orders are validated in a process of their own, if the application of the pages has any."""
        validators: Validators | None = self.pages.extensions.get(VALIDATORS) if self.pages is not None else None
        if validators is None or asked.kind != WRITTEN:
            return respond(self.services, asked)
        return validators.run(f"discord {asked.discord_id}", None, _respond_apart, asked)

    def _answer_later(self, asked: Interaction, work: "Future[dict[str, Any] | None]") -> dict[str, Any]:
        """Bid the asker wait; a form or a list of choices cannot come later."""
        if asked.kind == CHOOSING:
            return commands.choices(())
        if asked.kind == COMMAND and asked.subcommand == "orders":
            return commands.ephemeral(translate(asked.language, "answer.away"))
        work.add_done_callback(lambda done: self._send_follow_up(asked, done.result()))
        return commands.deferred()

    def _send_follow_up(self, asked: Interaction, said: dict[str, Any] | None) -> None:
        """Put the answer in the place of the waiting; as often as it takes, within reason."""
        if said is None:
            return
        parts = urlsplit(self.chat.api)
        path = f"{parts.path}/webhooks/{self.chat.discord_application}/{asked.token}/messages/@original"
        secure = parts.scheme == "https"
        where = Target(parts.hostname or "", parts.port or (443 if secure else 80), path, secure)
        body = json.dumps({k: v for k, v in said["data"].items() if k != "flags"}).encode()
        headers = {"Content-Type": "application/json", "User-Agent": user_agent(self.services.public_url)}
        for turn in range(TRIES):
            try:
                came = send_request(where, "PATCH", body, headers, loopback=self.chat.allow_loopback_webhooks)
                found = parse_response("discord", came, changing=True, now_ms=self.services.now())
                if found.outcome != "later":
                    return
                wait = found.wait_ms / 1000
            except (NotSent, UnknownOutcome):
                wait = 0
            self.rest(min(max(wait, float(turn + 1)), 60.0))


def _respond_apart(pages: Flask, asked: Interaction) -> dict[str, Any]:
    endpoint: Endpoint = pages.extensions[_EXTENSION]
    return respond(endpoint.services, asked)


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise MalformedInteraction from None


def mount(app: Flask, services: Services, chat: ChatSettings) -> Endpoint:
    """Add the address to the pages' application, with a limit of its own: many players come from one address there."""
    made = app.extensions[_EXTENSION] = Endpoint(services, chat, app)

    def discord_interactions() -> Response:
        known = limits.hit(services, "discord", request.remote_addr or "unknown", limits.MINUTE_S)
        if known > PER_MINUTE:
            raise TooManyRequests(retry_after=limits.retry_after_seconds(services, limits.MINUTE_S))
        return made()

    app.add_url_rule(
        PATH, "discord_interactions", discord_interactions, methods=["POST"], provide_automatic_options=False
    )
    return made
