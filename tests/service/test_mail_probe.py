"""The letter to ourselves, as it is written and read by the real mail layer."""

from pathlib import Path

import pytest

from pbem.app import build_probe, to_inbound_email
from pbem.config.settings import Settings
from pbem.crypto import new_token

NOW = 1_790_000_000_000


def test_a_letter_to_ourselves_brings_its_token_back(state_dir: Path) -> None:
    """What the server writes to itself is read as a letter that nobody answers, with the token it went out with."""
    settings = Settings.with_embedded(state_dir)
    token = new_token()
    letter = build_probe(settings, token, NOW)
    found = to_inbound_email(settings, letter.wire, letter.recipient, False)
    assert (found.route, found.token, found.automatic) == ("reply", token, True)
    assert letter.sender.startswith("b+")
    assert not found.signed


@pytest.mark.parametrize(("domain", "signed"), [("games.localhost", True), ("relay.example.org", False)])
def test_a_letter_to_ourselves_shows_whether_ours_are_signed(state_dir: Path, domain: str, signed: bool) -> None:
    """A signature of our own domain counts, and none of a relay's."""
    settings = Settings.with_embedded(state_dir)
    letter = build_probe(settings, new_token(), NOW)
    header = f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n\td={domain}; s=pbem; h=From; bh=x; b=y\r\n"
    assert to_inbound_email(settings, header.encode() + letter.wire, letter.recipient, False).signed == signed
