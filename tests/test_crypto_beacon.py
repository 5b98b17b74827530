"""The public beacon: its published rounds are believed, and nothing else."""

import hashlib

import pytest

from pbem.crypto import beacon
from pbem.crypto.beacon import QUICKNET, round_value

ROUNDS = {
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    1001: "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
    1002: "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e",
    1003: "b104c82771698f45fd8dcfead083d482694c31ab519bcef077f126f3736fe98c8392fd5d45d88aeb76b56ccfcb0296d7",
    1004: "a40658b820c0f8c10207524179a2031ba9537688a0d04e4851b58026be9a341fee3b96fb48ffad28483d84b40a5864aa",
}
"""Rounds of quicknet as its servers publish them."""
VALUE_1000 = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
GROUP = "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"
"""The hash of the group that began the network, as its servers publish it."""


@pytest.mark.parametrize("number", ROUNDS)
def test_published_rounds_are_believed(number: int) -> None:
    """The signature of each published round fits its number, and no other number."""
    signature = bytes.fromhex(ROUNDS[number])
    assert QUICKNET.verify(number, signature)
    assert not QUICKNET.verify(number + 1, signature)


def test_the_value_of_a_round_is_the_published_one() -> None:
    """What a round gives is SHA-256 of its signature."""
    assert round_value(bytes.fromhex(ROUNDS[1000])).hex() == VALUE_1000


SIGNATURE = bytes.fromhex(ROUNDS[1000])
INFINITY = b"\xc0" + bytes(47)
OTHER_ROOT = bytes([SIGNATURE[0] ^ 0x20]) + SIGNATURE[1:]


@pytest.mark.parametrize(
    "signature",
    [
        b"",
        SIGNATURE[:-1],
        SIGNATURE + b"\x00",
        bytes(48),
        b"\xff" * 48,
        INFINITY,
        OTHER_ROOT,
        SIGNATURE[:-1] + bytes([SIGNATURE[-1] ^ 1]),
        *(bytes([0x80]) + bytes(46) + bytes([n]) for n in range(8)),
    ],
    ids=lambda signature: signature.hex()[:6] + str(len(signature)),
)
def test_no_other_bytes_are_believed(signature: bytes) -> None:
    """Bytes that are no point, the neutral point, points outside the group and other points are no signature."""
    assert not QUICKNET.verify(1000, signature)


@pytest.mark.parametrize("number", [0, -1, 1 << 40, 1 << 64])
def test_there_are_no_such_rounds(number: int) -> None:
    """A number that no round has is refused before anything is reckoned with it."""
    assert not QUICKNET.verify(number, SIGNATURE)


def test_the_key_is_that_of_the_network_with_this_hash() -> None:
    """The hash of the network is made of period, beginning, key, group and name: so it names the key kept here."""
    seconds = QUICKNET.period.to_bytes(4, "big") + QUICKNET.genesis.to_bytes(8, "big")
    named = seconds + QUICKNET.public + bytes.fromhex(GROUP) + b"quicknet"
    assert hashlib.sha256(named).hexdigest() == QUICKNET.hash


@pytest.mark.parametrize("second", range(7))
def test_the_next_round_is_signed_later(second: int) -> None:
    """The first round after a moment is signed after it, and the one before it was not."""
    moment = QUICKNET.round_time(1000) + second
    number = QUICKNET.round_after(moment)
    assert QUICKNET.round_time(number - 1) <= moment < QUICKNET.round_time(number)


def test_without_the_library_nothing_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where signatures cannot be checked, that is said; none passes unseen."""
    monkeypatch.setattr(beacon, "LIBRARY", "no_such_library")
    assert not beacon.is_installed()
    with pytest.raises(beacon.MissingBeaconLibrary):
        QUICKNET.verify(1000, SIGNATURE)
