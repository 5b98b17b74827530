"""What an answer over HTTP means for a message: taken, later, never; and what it says of limits."""

import json
import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

from pbem import values
from pbem.discord.wire import Answer
from pbem.service.base.webhook_ports import Reply

MOST_WAIT_MS: Final = 24 * 3_600_000
"""No other side puts us off for longer than this."""

USUAL_WAIT_MS: Final = 60_000
"""Where the other side bids us wait and does not say how long."""

LEAST_WAIT_MS: Final = 1000
"""A host that bids us wait for no time at all is not asked again in the same breath."""

UNKNOWN_MESSAGE: Final = 10008


def reply(form: str, answer: Answer, *, changing: bool, now_ms: int) -> Reply:
    """Read an answer; `changing`: a message was to be changed, else a new one sent."""
    said = _json(answer)
    limits = _limits(answer.headers)
    status = answer.status
    if 200 <= status < 300:
        return Reply("done", message=_number(said, "id"), place=_number(said, "channel_id"), **limits)
    if status == 429:
        return _too_many(form, answer, said, limits, now_ms)
    why = _why(status, said)
    if status in (404, 410):
        return _not_found(form, said, why, changing, limits)
    if status == 403 and form == "discord" and "code" not in said:  # its edge, which knows no webhooks, turns us away
        return Reply("later", why, wait_ms=_wait(answer.headers, now_ms) or 0, **limits)
    if status in (401, 403) or 300 <= status < 400:
        return Reply("barred", why, **limits)
    if status in (502, 504):  # a gateway lost sight of it: it may have arrived
        return Reply("unsure", why, wait_ms=_wait(answer.headers, now_ms) or 0, **limits)
    if status >= 500 or status in (408, 423, 425):
        return Reply("later", why, wait_ms=_wait(answer.headers, now_ms) or 0, **limits)
    return Reply("wrong", why, **limits)


def _not_found(form: str, said: Mapping[str, Any], why: str, changing: bool, limits: Mapping[str, Any]) -> Reply:
    """A webhook that is gone, or only the message that was to be changed: where that is not said, the next one tells.

    Of a status 404 without Discord's own words it is not known who speaks; a gateway would not know our webhook.
    """
    if changing and (form != "discord" or said.get("code", UNKNOWN_MESSAGE) == UNKNOWN_MESSAGE):
        return Reply("lost", why, **limits)
    return Reply("gone", why, **limits)


def _too_many(form: str, answer: Answer, said: Mapping[str, Any], limits: Mapping[str, Any], now_ms: int) -> Reply:
    """Wait for the longest time that it names; without Discord's own words its edge speaks, for the whole host."""
    waits = [_wait(answer.headers, now_ms), _ms(said.get("retry_after"))]
    if said.get("global") is not True and "x-ratelimit-global" not in answer.headers:
        waits.append(_ms(answer.headers.get("x-ratelimit-reset-after")))
    known = [wait for wait in waits if wait is not None]
    edge = form == "discord" and "retry_after" not in said
    whole = said.get("global") is True or answer.headers.get("x-ratelimit-global", "").lower() == "true" or edge
    return Reply("later", "429", wait_ms=max(max(known, default=USUAL_WAIT_MS), LEAST_WAIT_MS), whole=whole, **limits)


def _limits(headers: Mapping[str, str]) -> dict[str, Any]:
    """What Discord says of its limits with every answer; nothing where it does not, or says it wrong."""
    reset = _ms(headers.get("x-ratelimit-reset-after"))
    try:
        spare = values.whole(headers.get("x-ratelimit-remaining", ""))
    except ValueError:
        return {}
    if reset is None:
        return {}
    return {"bucket": headers.get("x-ratelimit-bucket", "")[:120], "spare": spare, "reset_ms": reset}


def _wait(headers: Mapping[str, str], now_ms: int) -> int | None:
    """Retry-After: seconds, or a moment (RFC 9110 §10.2.3)."""
    written = headers.get("retry-after", "").strip()
    seconds = _ms(written)
    if seconds is not None or not written:
        return seconds
    try:
        return max(0, min(int(parsedate_to_datetime(written).timestamp() * 1000) - now_ms, MOST_WAIT_MS))
    except (ValueError, TypeError, OverflowError):
        return None


def _ms(seconds: object) -> int | None:
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


def _json(answer: Answer) -> Mapping[str, Any]:
    try:
        said = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _number(said: Mapping[str, Any], name: str) -> str:
    """One of Discord's numbers; empty where there is none."""
    found = said.get(name)
    return found if isinstance(found, str) and found.isascii() and found.isdecimal() and len(found) <= 20 else ""


def _why(status: int, said: Mapping[str, Any]) -> str:
    """The status, and Discord's own number for the reason; never its words, which may repeat ours."""
    code = said.get("code")
    return f"{status} {code}" if isinstance(code, int) and not isinstance(code, bool) else str(status)
