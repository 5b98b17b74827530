"""Ranges of addresses with a special purpose, to which no message of ours goes.

From IANA's registries of special-purpose addresses for both families (RFC 6890 and what amended it), of multicast
(RFC 5771, RFC 4291 §2.7) and of what earlier standards set apart.  They stand here, and not in the version of Python
that happens to run, because its lists are shorter and change with it.  Ranges that the registries call globally
reachable are refused too: they belong to services of the network, never to a chat.
"""

from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Final

GLOBAL_UNICAST: Final = ip_network("2000::/3")
"""All that was given out of version 6 so far (RFC 4291 §2.4); what lies outside is nobody's."""

SPECIAL: Final = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",  # this network, RFC 791
            "10.0.0.0/8",  # private, RFC 1918
            "100.64.0.0/10",  # shared, RFC 6598
            "127.0.0.0/8",  # loopback, RFC 1122
            "169.254.0.0/16",  # link local, RFC 3927
            "172.16.0.0/12",  # private, RFC 1918
            "192.0.0.0/24",  # protocol assignments, RFC 6890
            "192.0.2.0/24",  # documentation, RFC 5737
            "192.31.196.0/24",  # AS112, RFC 7535
            "192.52.193.0/24",  # AMT, RFC 7450
            "192.88.99.0/24",  # 6to4 relays, RFC 7526
            "192.168.0.0/16",  # private, RFC 1918
            "192.175.48.0/24",  # AS112, RFC 7534
            "198.18.0.0/15",  # benchmarks, RFC 2544
            "198.51.100.0/24",  # documentation, RFC 5737
            "203.0.113.0/24",  # documentation, RFC 5737
            "224.0.0.0/4",  # multicast, RFC 5771
            "240.0.0.0/4",  # reserved and broadcast, RFC 1112, RFC 8190
            "::/96",  # unspecified, loopback, and what once stood for version 4, RFC 4291
            "::ffff:0:0/96",  # version 4 mapped, RFC 4291
            "64:ff9b::/96",  # translation, RFC 6052
            "64:ff9b:1::/48",  # translation within a network, RFC 8215
            "100::/64",  # discard, RFC 6666
            "100:0:0:1::/64",  # dummy, RFC 9780
            "2001::/23",  # protocol assignments, RFC 2928
            "2001:db8::/32",  # documentation, RFC 3849
            "2002::/16",  # 6to4, RFC 3056
            "2620:4f:8000::/48",  # AS112, RFC 7534
            "3fff::/20",  # documentation, RFC 9637
            "5f00::/16",  # segment routing, RFC 9602
            "fc00::/7",  # unique local, RFC 4193
            "fe80::/10",  # link local, RFC 4291
            "fec0::/10",  # site local, RFC 3879
            "ff00::/8",  # multicast, RFC 4291
        ),
    )
)


def is_global(number: IPv4Address | IPv6Address) -> bool:
    """Return True if a number is one of the world outside, with no special purpose."""
    if isinstance(number, IPv6Address) and number not in GLOBAL_UNICAST:
        return False
    return not any(number in network for network in SPECIAL if network.version == number.version)
