"""Addresses that carry a token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import (
    Address,
    AddressKind,
    bounce_address,
    in_domain,
    parse_address,
    reply_address,
    table_address,
)

TOKENS = st.from_regex(r"[a-z0-9]{6,26}", fullmatch=True)
MAKERS = st.sampled_from(
    [
        (AddressKind.REPLY, reply_address),
        (AddressKind.BOUNCE, bounce_address),
        (AddressKind.TABLE, table_address),
    ]
)


@given(TOKENS, MAKERS, st.sampled_from([str.lower, str.upper, str.title, lambda text: f" <{text}> "]))
def test_parses_what_it_makes(token: str, maker: object, bent: object) -> None:
    """Every address is understood again, whatever servers do to its case; its local part is short."""
    assert isinstance(maker, tuple) and callable(bent)  # noqa: PT018 - tells the checker what the strategies give
    kind, make = maker
    address = make(token, "games.example.org")
    assert len(address.partition("@")[0]) < 64
    assert parse_address(bent(address)) == Address(kind, token)


@given(st.text())
def test_never_raises(text: str) -> None:
    """Any text is an address of some kind, unknown if need be."""
    found = parse_address(text)
    assert (found.kind is AddressKind.UNKNOWN) == (found.token == "")


@pytest.mark.parametrize("text", ["o-k7m2p9q4x8@x", "o=k7m2p9q4x8", '"o+k7m2p9q4x8"@x'])
def test_rewritten_separators(text: str) -> None:
    """What some servers make of the plus sign is understood."""
    assert parse_address(text) == Address(AddressKind.REPLY, "k7m2p9q4x8")


@pytest.mark.parametrize(
    "text", ["", "@", "o+@x", "o+abc@x", "x+k7m2p9q4x8@x", "ok7m2p9q4x8@x", "o+" + "a" * 27, "o+a b c"]
)
def test_unknown(text: str) -> None:
    """Text that is none of our addresses is told as such and gives no token."""
    assert parse_address(text) == Address(AddressKind.UNKNOWN, "")


UNFIT = [
    ("short", "x.y"),
    ("UPPERCASE1", "x.y"),
    ("abcdef\r\nX: y", "x.y"),
    ("abcdefg", "x y"),
    ("abcdefg", "é.fr"),
]


@pytest.mark.parametrize(("token", "domain"), UNFIT)
def test_unfit_parts_are_refused_without_repeating_them(token: str, domain: str) -> None:
    """A token or domain that cannot stand in an address is refused, and the message does not show it."""
    with pytest.raises(ValueError, match=r"token|domain") as told:
        reply_address(token, domain)
    assert token not in str(told.value)


def test_in_domain() -> None:
    """An address is ours in any case and with or without brackets; a suffix is not enough."""
    assert in_domain("<o+x@Games.Example.ORG>", "games.example.org")
    assert not in_domain("o+x@evil-games.example.org", "games.example.org")
    assert not in_domain("games.example.org", "games.example.com")
