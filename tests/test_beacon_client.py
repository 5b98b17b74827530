"""The servers of the public beacon are asked for a round, and not believed but by its signature."""

import json

import pytest

from pbem.beacon_client import Beacons
from pbem.crypto.beacon import QUICKNET
from tests.beacon_network import Relay
from tests.test_crypto_beacon import ROUNDS

GOOD = {number: bytes.fromhex(signature) for number, signature in ROUNDS.items()}


def test_a_published_round_is_fetched() -> None:
    """The signature comes from the address that drand's servers answer at."""
    with Relay(GOOD) as relay:
        assert Beacons((relay.url,), loopback=True)(1000) == GOOD[1000]
        assert relay.asked == [f"/{QUICKNET.hash}/public/1000"]


def test_a_round_that_is_not_signed_yet_is_none() -> None:
    """A server that has no such round brings nothing, and the next is asked."""
    with Relay({}) as empty, Relay(GOOD) as full:
        assert Beacons((empty.url,), loopback=True)(1000) is None
        assert Beacons((empty.url, full.url), loopback=True)(1000) == GOOD[1000]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        b"not json",
        b"[" * 60_000,
        b"x" * 1_000_000,
        json.dumps({"round": 1001, "signature": ROUNDS[1001]}).encode(),
        json.dumps({"round": 1000, "signature": ROUNDS[1001]}).encode(),
        json.dumps({"round": 1000, "signature": "zz"}).encode(),
        json.dumps({"round": "1000", "signature": ROUNDS[1000]}).encode(),
        json.dumps({"round": 1000, "randomness": "00" * 32}).encode(),
    ],
    ids=range(10),
)
def test_a_server_that_lies_is_passed_over(answer: bytes) -> None:
    """Another round, a signature that does not fit and answers of another form are none; the next server is asked."""
    with Relay(GOOD) as liar, Relay(GOOD) as honest:
        liar.answer = answer or b" "
        assert Beacons((liar.url,), loopback=True)(1000) is None
        assert Beacons((liar.url, honest.url), loopback=True)(1000) == GOOD[1000]


def test_a_server_that_is_away_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    """A server that is away costs a moment; the log has one line when none answers, and one when one does again."""
    with Relay(GOOD) as relay:
        with Relay(GOOD) as gone:
            pass
        away = Beacons((gone.url,), loopback=True)
        assert [away(1000), away(1000)] == [None, None]
        assert Beacons((gone.url, relay.url), outage_log=away.outage_log, loopback=True)(1000) == GOOD[1000]
    assert [line.split(" (")[0].split(" after")[0] for line in caplog.messages] == [
        "the public beacon is away",
        "the public beacon is back",
    ]


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9", "https://127.0.0.1", "https://10.0.0.1", "http://example.org"]
)
def test_no_server_within_our_own_network_is_asked(address: str) -> None:
    """Outside of tests an address leads out of our network, and by TLS, or nowhere."""
    assert Beacons((address,))(1000) is None
