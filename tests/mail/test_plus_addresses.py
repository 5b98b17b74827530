"""Letters of a server whose one mailbox is at a provider: every address in them leads back to it."""

import email.policy
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine import GAMES
from pbem.app import build_probe, render_email
from pbem.config.settings import Settings
from pbem.mail.addresses import AddressKind, has_token_form, parse_address
from pbem.service.base.services import RenderedEmail
from pbem.smtp_process import is_local_recipient
from tests.service.server_fixtures import ServerHarness, build, start_game

DOMAIN = "provider.test"


def parsed(out: RenderedEmail) -> EmailMessage:
    """The letter as its reader's program sees it."""
    message = email.message_from_bytes(out.wire, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def letters(harness: ServerHarness, settings: Settings) -> list[RenderedEmail]:
    """All letters that went out, written."""
    return [render_email(settings, facts, address) for address, facts in harness.sent]


@pytest.mark.parametrize("name", ["games", ""])
def test_every_address_in_our_letters_comes_home(name: str, state_dir: Path) -> None:
    """Whom to answer, where bounces go and whom a letter is from: each is in our form, and answers reach a seat."""
    harness = build(state_dir, installed=GAMES)
    harness.configure(mail_domain=DOMAIN, mailbox_local_part=name)
    settings = replace(Settings.with_embedded(state_dir), mail_domain=DOMAIN, mailbox_local_part=name)
    start_game(harness, "renaissance", 3)
    harness.run_queued_tasks()
    written = letters(harness, settings)
    assert written
    answered = [str(parsed(out)["Reply-To"]) for out in written]
    senders = [parsed(out)["From"].addresses[0].addr_spec for out in written]
    assert all(has_token_form(one, DOMAIN, name) for one in (*answered, *senders, *(out.sender for out in written)))
    asked = [one for one in answered if parse_address(one).kind is AddressKind.REPLY]
    assert asked
    assert all(is_local_recipient(harness.smtp, one) for one in asked)
    assert {parse_address(out.sender).kind for out in written} == {AddressKind.BOUNCE}
    tokens = {parse_address(one).token for one in asked}
    assert tokens <= {parse_address(out.sender).token for out in written}, "a bounce names whose letter it was"


def test_a_letter_to_ourselves_goes_to_the_mailbox(state_dir: Path) -> None:
    """What shows that mail goes out and comes in is sent to an address with a plus sign, too."""
    settings = replace(Settings.with_embedded(state_dir), mail_domain=DOMAIN, mailbox_local_part="games")
    assert build_probe(settings, "k7m2p9q4x8", 0).recipient == "games+o-k7m2p9q4x8@provider.test"
