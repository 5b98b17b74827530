"""The way out to webhooks, as the services know it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

from pbem.discord import guard
from pbem.discord.guard import InvalidUrl, Target
from pbem.discord.payloads import build_payload
from pbem.discord.replies import parse_response
from pbem.discord.wire import NotSent, UnknownOutcome, send_request
from pbem.service.base.webhook_ports import WebhookMessageFacts, WebhookResponse


@dataclass(frozen=True)
class Webhooks:
    """Sends to webhooks.  `public_url`: our pages, which no webhook may lead to; `loopback`: tests are under way."""

    public_url: str
    clock: Callable[[], datetime]
    loopback: bool = False

    @property
    def _own(self) -> str:
        return "" if self.loopback else urlsplit(self.public_url).hostname or ""

    def _target(self, form: str, address: str) -> Target:
        return guard.resolve(form, address, loopback=self.loopback, own=self._own)

    def refusal_of(self, form: str, address: str) -> str:
        """Why an address cannot stand, in a word; empty if it can."""
        try:
            self._target(form, address)
        except InvalidUrl as unfit:
            return unfit.code
        return ""

    def redact(self, address: str) -> str:
        """An address without its secrets."""
        return guard.redact(address)

    def host(self, address: str) -> str:
        """Whose limits count for it: those of Discord's names are the same."""
        host = (urlsplit(address).hostname or "")[:100]
        return "discord.com" if host in guard.DISCORD else host

    def build_payload(self, form: str, facts: WebhookMessageFacts) -> bytes:
        """A message as it goes out."""
        return build_payload(form, facts)

    def send(self, form: str, address: str, payload: bytes, message: str = "") -> WebhookResponse:
        """Send a message, or change one; whatever goes wrong is told by the reply."""
        try:
            where = self._target(form, address)
            method, path = _post(form, where, message)
            answer = send_request(where, method, payload, self._headers(), path=path, loopback=self.loopback)
        except InvalidUrl as unfit:
            return WebhookResponse("barred", unfit.code)
        except NotSent as unsent:
            return WebhookResponse("barred" if unsent.why == "inside" else "later", unsent.why)
        except UnknownOutcome:
            return WebhookResponse("unsure", "no answer")
        now = int(self.clock().timestamp() * 1000)
        return parse_response(form, answer, changing=bool(message), now_ms=now)

    def _headers(self) -> dict[str, str]:
        return {
            "Content-Type": "application/json; charset=utf-8",
            "Accept": "application/json",
            "User-Agent": user_agent(self.public_url),
        }


@cache
def user_agent(public_url: str) -> str:
    """Who asks, as Discord wants it written; others do not mind."""
    try:
        number = version("pbem")
    except PackageNotFoundError:
        number = "0"
    return f"DiscordBot ({public_url}, {number})"


def _post(form: str, where: Target, message: str) -> tuple[str, str]:
    """Method and path: with `wait` Discord says which message it made, so that it can be changed later."""
    if form != "discord":
        return "POST", where.path
    path, _, query = where.path.partition("?")
    if message:
        return "PATCH", f"{path}/messages/{message}" + (f"?{query}" if query else "")
    return "POST", f"{path}?wait=true" + (f"&{query}" if query else "")
