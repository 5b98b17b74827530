"""No webhook leads into our own network: by number, by name, by redirection, or by a name that changes its mind."""

import socket
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.discord import wire
from pbem.discord.guard import InvalidUrl, Target, redact, resolve, resolve_host
from pbem.discord.notify import Webhooks
from tests.discord.fake_discord import SECRET, Fake

HOOK = f"https://discord.com/api/webhooks/1094871234567890123/{SECRET}"
OURS = Webhooks("https://play.example.org", lambda: datetime(2026, 3, 1, tzinfo=UTC))


def resolving(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    """Let every name stand for these numbers."""

    def answer(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        families = {n: socket.AF_INET6 if ":" in n else socket.AF_INET for n in found}
        return [(families[n], socket.SOCK_STREAM, 6, "", (n, port)) for n in found]

    monkeypatch.setattr(socket, "getaddrinfo", answer)


REFUSED = {
    "https": ("http://hooks.example.com/x", "ftp://hooks.example.com/x"),
    "malformed": (
        *("https://user:word@hooks.example.com/x", "https://hooks.example.com/a b", "https:///x", "https://[::1"),
        *("https://hooks.example.com/\r\nX: y", "https://hooks.example.com:99999/x", "https://127%2e0%2e0%2e1/x"),
        *("https://127.1/x", "https://0x7f.0.0.1/x", "https://0177.0.0.1/x", "https://127.0.0.0x1/x"),
        "https://hooks.example.com/" + "x" * 2000,
    ),
    "port": ("https://hooks.example.com:22/x",),
    "inside": (
        *("https://127.0.0.1/x", "https://[::1]/x", "https://169.254.169.254/latest/meta-data"),
        *("https://[::ffff:10.0.0.1]/x", "https://[2002:0a00:0001::]/x", "https://[64:ff9b::a00:1]/x"),
        *("https://[::ffff:7f00:1]/x", "https://[::127.0.0.1]/x", "https://[64:ff9b:1::a00:1]/x"),
        *("https://localhost/x", "https://db/x", "https://broker.internal/x"),
        *("https://play.example.org/x", "https://mail.play.example.org/x"),
    ),
}
NOT_DISCORDS = (
    "https://discord.com.evil.example/api/webhooks/1094871234567890123/" + SECRET,
    "https://discord.com/api/users/@me",
    "https://hooks.example.com/x",
)


def test_an_address_that_cannot_stand_is_refused_when_it_is_given() -> None:
    """Each kind of bad address is refused for its own reason, whatever the spelling."""
    for why, addresses in REFUSED.items():
        assert {address: OURS.refusal_of("plain", address) for address in addresses} == dict.fromkeys(addresses, why)
    assert {OURS.refusal_of("discord", address) for address in NOT_DISCORDS} == {"discord"}


def test_good_addresses_stand() -> None:
    """Webhooks of Discord in all its spellings, of Slack and of others are accepted, with a thread or a port."""
    assert OURS.refusal_of("discord", HOOK) == ""
    assert OURS.refusal_of("discord", HOOK.replace("/api/", "/api/v9/").replace("discord.com", "ptb.discord.com")) == ""
    assert resolve("discord", HOOK + "?thread_id=123&wait=false&evil=1").path.endswith("?thread_id=123")
    assert OURS.refusal_of("slack", "https://hooks.slack.com/services/T0/B0/xyz") == ""
    assert OURS.refusal_of("plain", "https://chat.example.net:8443/in?key=1") == ""


def test_a_shown_address_keeps_its_secret() -> None:
    """What pages and letters show of an address opens nothing, and no error prints the rest."""
    assert redact(HOOK) == "discord.com/api/webhooks/…0123/…"
    assert redact("https://hooks.slack.com/services/T0/B0/xyz?k=1") == "hooks.slack.com/…"
    assert SECRET not in repr(resolve("discord", HOOK))


OF_OURS = (
    *("127.0.0.1", "10.0.0.8", "169.254.169.254", "::1", "fe80::1%eth0", "::ffff:192.168.1.1", "64:ff9b::7f00:1"),
    *("2001:0:4136:e378:8000:63bf:f5ff:fffe", "100.100.100.200", "fd00:ec2::254", "0.0.0.0", "239.1.1.1"),
)


def test_a_name_that_stands_for_a_number_of_ours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A public name that resolves into our network is refused at each use, alone or among good numbers."""
    for number in OF_OURS:
        resolving(monkeypatch, "93.184.216.34", number)
        with pytest.raises(InvalidUrl, match="inside"):
            resolve_host(Target("hooks.example.com", 443, "/", True))
        sent = OURS.send("plain", "https://hooks.example.com/x", b"{}")
        assert (sent.outcome, sent.reason) == ("barred", "inside")


def test_the_connection_goes_to_the_number_that_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is resolved once: another answer a moment later is never asked for."""
    resolving(monkeypatch, "93.184.216.34")
    tried: list[Any] = []

    def refuse(place: Any, timeout: float) -> None:
        tried.append(place)
        resolving(monkeypatch, "127.0.0.1")
        raise ConnectionRefusedError

    monkeypatch.setattr(wire, "create_connection", refuse)
    sent = OURS.send("plain", "https://hooks.example.com/x", b"{}")
    assert tried == [("93.184.216.34", 443)]
    assert (sent.outcome, sent.reason) == ("later", "connect")


def test_spellings_of_the_loopback_are_refused() -> None:
    """Other spellings of a number mean the same machine, and are refused at each use."""
    for host in ("127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1."):
        assert OURS.refusal_of("plain", f"https://{host}/x") == "inside" or (
            OURS.send("plain", f"https://{host}/x", b"{}").outcome == "barred"
        ), host


def test_a_redirection_is_not_followed(fake: Fake) -> None:
    """An answer that sends us elsewhere switches the channel off; nobody goes there."""
    fake.trouble = ["302"]
    sent = Webhooks("https://games.test", OURS.clock, loopback=True).send("plain", fake.address("plain"), b"{}")
    assert sent.outcome == "barred"
    assert len(fake.taken) == 1


def test_without_the_tests_setting_the_loopback_is_out_of_reach(fake: Fake) -> None:
    """The setting that lets a false Discord in does nothing for any other network, and without it nothing is sent."""
    assert OURS.send("discord", fake.hook, b"{}").outcome == "barred"
    assert fake.taken == []
    loose = Webhooks("https://games.test", OURS.clock, loopback=True)
    assert loose.refusal_of("plain", "https://10.0.0.1/x") == "inside"
    assert loose.refusal_of("plain", "http://hooks.example.com/x") == "https"


@given(st.text(max_size=60), st.sampled_from(["discord", "slack", "plain"]))
def test_whatever_is_written_is_judged(text: str, form: str) -> None:
    """Every text is judged without error: accepted, or refused with a reason."""
    for address in (text, f"https://{text}", f"https://{text}.com/{text}"):
        assert OURS.refusal_of(form, address) in ("", "malformed", "https", "port", "inside", "discord")
        assert len(redact(address)) <= 120


REGISTERED = """
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.8/32
192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24
192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 255.255.255.255/32
::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001:1::1/128 2001:1::2/128 2001:1::3/128
2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2620:4f:8000::/48
3fff::/20 5f00::/16 fc00::/7 fe80::/10 224.0.0.0/4 ff00::/8 fec0::/10 4000::/3 8000::/1
""".split()
"""The blocks of IANA's two registries of special-purpose addresses, multicast, and what of version 6 is nobody's."""


def test_no_block_with_a_special_purpose_is_reached() -> None:
    """The first, the last and a middle number of every registered block are refused; those beside them stand."""
    for block in REGISTERED:
        network = ip_network(block)
        for number in (network[0], network[-1], network[network.num_addresses // 2]):
            host = f"[{number}]" if number.version == 6 else str(number)
            assert OURS.refusal_of("plain", f"https://{host}/x") == "inside", number
    for outside in ("93.184.216.34", "1.1.1.1", "192.0.1.1", "198.20.0.1", "223.255.255.254"):
        assert OURS.refusal_of("plain", f"https://{outside}/x") == ""
        assert OURS.refusal_of("plain", f"https://[::ffff:{outside}]/x") == ""
    assert OURS.refusal_of("plain", "https://[2606:4700::1111]/x") == ""
