"""What an answer over HTTP means for a message: taken, later, never; and what it says of limits."""

import json
import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

from pbem.common import parsers
from pbem.discord.wire import HttpResponse
from pbem.service.base.webhook_ports import WebhookResponse

MOST_WAIT_MS: Final = 24 * 3_600_000
"""No other side puts us off for longer than this."""

USUAL_WAIT_MS: Final = 60_000
"""Where the other side bids us wait and does not say how long."""

LEAST_WAIT_MS: Final = 1000
"""A host that bids us wait for no time at all is not asked again in the same breath."""

UNKNOWN_MESSAGE: Final = 10008


def parse_response(form: str, answer: HttpResponse, *, changing: bool, now_ms: int) -> WebhookResponse:
    """Read an answer; `changing`: a message was to be changed, else a new one sent."""
    said = _json(answer)
    limits = _parse_limits(answer.headers)
    status = answer.status
    if 200 <= status < 300:
        return WebhookResponse("done", message=_number(said, "id"), place=_number(said, "channel_id"), **limits)
    if status == 429:
        return _parse_rate_limited(form, answer, said, limits, now_ms)
    why = _error_text(status, said)
    if status in (404, 410):
        return _parse_not_found(form, said, why, changing, limits)
    if status == 403 and form == "discord" and "code" not in said:  # its edge, which knows no webhooks, turns us away
        return WebhookResponse("later", why, wait_ms=_wait_ms(answer.headers, now_ms) or 0, **limits)
    if status in (401, 403) or 300 <= status < 400:
        return WebhookResponse("barred", why, **limits)
    if status in (502, 504):  # a gateway lost sight of it: it may have arrived
        return WebhookResponse("unsure", why, wait_ms=_wait_ms(answer.headers, now_ms) or 0, **limits)
    if status >= 500 or status in (408, 423, 425):
        return WebhookResponse("later", why, wait_ms=_wait_ms(answer.headers, now_ms) or 0, **limits)
    return WebhookResponse("wrong", why, **limits)


def _parse_not_found(
    form: str, said: Mapping[str, Any], why: str, changing: bool, limits: Mapping[str, Any]
) -> WebhookResponse:
    """A webhook that is gone, or only the message that was to be changed: where that is not said, the next one tells.

    Of a status 404 without Discord's own words it is not known who speaks; a gateway would not know our webhook.
    """
    if changing and (form != "discord" or said.get("code", UNKNOWN_MESSAGE) == UNKNOWN_MESSAGE):
        return WebhookResponse("lost", why, **limits)
    return WebhookResponse("gone", why, **limits)


def _parse_rate_limited(
    form: str, answer: HttpResponse, said: Mapping[str, Any], limits: Mapping[str, Any], now_ms: int
) -> WebhookResponse:
    """Wait for the longest time that it names; without Discord's own words its edge speaks, for the whole host."""
    waits = [_wait_ms(answer.headers, now_ms), _to_ms(said.get("retry_after"))]
    if said.get("global") is not True and "x-ratelimit-global" not in answer.headers:
        waits.append(_to_ms(answer.headers.get("x-ratelimit-reset-after")))
    known = [wait for wait in waits if wait is not None]
    edge = form == "discord" and "retry_after" not in said
    whole = said.get("global") is True or answer.headers.get("x-ratelimit-global", "").lower() == "true" or edge
    return WebhookResponse(
        "later", "429", wait_ms=max(max(known, default=USUAL_WAIT_MS), LEAST_WAIT_MS), global_limit=whole, **limits
    )


def _parse_limits(headers: Mapping[str, str]) -> dict[str, Any]:
    """What Discord says of its limits with every answer; nothing where it does not, or says it wrong."""
    reset = _to_ms(headers.get("x-ratelimit-reset-after"))
    try:
        spare = parsers.parse_whole(headers.get("x-ratelimit-remaining", ""))
    except ValueError:
        return {}
    if reset is None:
        return {}
    return {"bucket": headers.get("x-ratelimit-bucket", "")[:120], "remaining": spare, "reset_ms": reset}


def _wait_ms(headers: Mapping[str, str], now_ms: int) -> int | None:
    """Retry-After: seconds, or a moment (RFC 9110 §10.2.3)."""
    written = headers.get("retry-after", "").strip()
    seconds = _to_ms(written)
    if seconds is not None or not written:
        return seconds
    try:
        return max(0, min(int(parsedate_to_datetime(written).timestamp() * 1000) - now_ms, MOST_WAIT_MS))
    except (ValueError, TypeError, OverflowError):
        return None


def _to_ms(seconds: object) -> int | None:
    """Seconds as milliseconds, rounded up; None for what is no number of seconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, str | int | float):
        return None
    try:
        number = float(seconds)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number) or number < 0:
        return None
    return min(math.ceil(number * 1000), MOST_WAIT_MS)


def _json(answer: HttpResponse) -> Mapping[str, Any]:
    try:
        said = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _number(said: Mapping[str, Any], name: str) -> str:
    """One of Discord's numbers; empty where there is none."""
    found = said.get(name)
    return found if isinstance(found, str) and found.isascii() and found.isdecimal() and len(found) <= 20 else ""


def _error_text(status: int, said: Mapping[str, Any]) -> str:
    """The status, and Discord's own number for the reason; never its words, which may repeat ours."""
    code = said.get("code")
    return f"{status} {code}" if isinstance(code, int) and not isinstance(code, bool) else str(status)
