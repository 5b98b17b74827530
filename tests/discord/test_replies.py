"""What answers mean: limits and bidding to wait are read as they are meant, whatever else is wrong with them."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.discord.replies import LEAST_WAIT_MS, MOST_WAIT_MS, USUAL_WAIT_MS, parse_response
from pbem.discord.wire import HttpResponse
from pbem.service.base.webhook_ports import WebhookResponse
from tests.discord.fake_discord import LIMITS

NOW = 1_772_366_400_000


def interpret(
    status: int, body: Any = None, *, changing: bool = False, form: str = "discord", **headers: str
) -> WebhookResponse:
    """The meaning of an answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return parse_response(form, HttpResponse(status, named, raw), changing=changing, now_ms=NOW)


def test_a_message_that_was_made_has_a_number() -> None:
    """Discord tells the number of the message and where it lies; anything else in their place counts for nothing."""
    done = interpret(200, {"id": "123456", "channel_id": "99"})
    assert (done.outcome, done.message, done.place) == ("done", "123456", "99")
    assert interpret(200, {"id": "../../x", "channel_id": 5}) == WebhookResponse("done")
    assert interpret(204).outcome == "done"


def test_a_limit_of_the_route_holds_the_route() -> None:
    """A 429 of one's own bucket: wait as long as the longest of what it says, for this route alone."""
    found = interpret(
        429,
        {"retry_after": 0.57, "global": False},
        retry_after="1",
        x_ratelimit_reset_after="0.57",
        x_ratelimit_remaining="0",
        x_ratelimit_bucket="b1",
        x_ratelimit_scope="user",
    )
    assert (found.outcome, found.wait_ms, found.global_limit) == ("later", 1000, False)
    assert (found.bucket, found.remaining, found.reset_ms) == ("b1", 0, 570)


def test_a_global_limit_holds_everything() -> None:
    """If the header or the body says so, nothing more goes to that host."""
    assert interpret(429, {"retry_after": 64.0, "global": True}).global_limit
    assert interpret(429, {"retry_after": 64.0, "global": True}).wait_ms == 64_000
    assert interpret(429, {"retry_after": 1.0, "global": False}, x_ratelimit_global="true").global_limit


def test_the_edge_speaks_no_json() -> None:
    """A 429 of the edge has no body to read and none of Discord's headers: its Retry-After holds the whole host."""
    found = interpret(429, b"<html>1015</html>", retry_after="120")
    assert (found.wait_ms, found.global_limit) == (120_000, True)
    assert interpret(429, b"").wait_ms == USUAL_WAIT_MS


def test_bidden_to_wait_for_no_time_we_wait_all_the_same() -> None:
    """After a 429 with a wait of zero we still wait a little before the next try."""
    assert interpret(429, {"retry_after": 0.0, "global": False}, retry_after="0").wait_ms == LEAST_WAIT_MS


def test_the_edge_that_turns_us_away_knows_no_webhook() -> None:
    """A 403 without Discord's own words comes from its edge, and passes; any other bars us."""
    assert interpret(403, b"<html>1020</html>", retry_after="7") == WebhookResponse("later", "403", wait_ms=7000)
    assert interpret(403, {"code": 50013, "message": "m"}).outcome == "barred"
    assert interpret(403, b"no", form="slack").outcome == "barred"
    assert interpret(401, b"").outcome == "barred"


def test_retry_after_may_be_a_date() -> None:
    """Both forms of the header are read; nonsense is not."""
    assert interpret(503, retry_after="Sun, 01 Mar 2026 12:00:30 GMT").wait_ms == 30_000
    assert interpret(503, retry_after="soon").wait_ms == 0
    assert interpret(429, b"", retry_after="1e99").wait_ms == MOST_WAIT_MS


def test_every_error_of_discord_has_a_meaning() -> None:
    """A webhook is gone or bars us, a message will never be taken, or waiting helps."""
    wanted = {404: "gone", 401: "barred", 403: "barred", 429: "later"}
    for code, status in LIMITS["errors"].items():
        found = interpret(status, {"code": int(code), "message": SECRET_TEXT}, retry_after="2")
        assert found.outcome == wanted.get(status, "wrong")
        assert SECRET_TEXT not in found.reason


SECRET_TEXT = "nothing that the other side writes is repeated"


def test_a_message_that_was_deleted_is_no_webhook_that_is_gone() -> None:
    """A change of a deleted message does not switch the channel off; an unknown webhook does."""
    assert interpret(404, {"code": 10008}, changing=True).outcome == "lost"
    assert interpret(404, {"code": 10015}, changing=True).outcome == "gone"
    assert interpret(404, b"", changing=True).outcome == "lost"
    assert interpret(404, b"").outcome == "gone"
    assert interpret(410, b"", form="slack").outcome == "gone"


def test_a_gateway_that_lost_sight_of_it_leaves_it_open() -> None:
    """502 and 504 do not say whether the message arrived; 500 and 503 say that it did not."""
    assert [interpret(status).outcome for status in (500, 502, 503, 504)] == ["later", "unsure", "later", "unsure"]


@given(
    st.integers(100, 599),
    st.binary(max_size=80),
    st.dictionaries(
        st.sampled_from(
            [
                "retry-after",
                "x-ratelimit-remaining",
                "x-ratelimit-reset-after",
                "x-ratelimit-bucket",
                "x-ratelimit-global",
            ]
        ),
        st.text(max_size=12),
    ),
    st.booleans(),
)
def test_no_answer_is_too_strange(status: int, body: bytes, headers: dict[str, str], changing: bool) -> None:
    """Any answer means one of seven things, and never an endless wait."""
    found = parse_response("discord", HttpResponse(status, headers, body), changing=changing, now_ms=NOW)
    assert found.outcome in ("done", "later", "unsure", "gone", "barred", "lost", "wrong")
    assert 0 <= found.wait_ms <= MOST_WAIT_MS
    assert 0 <= found.reset_ms <= MOST_WAIT_MS
