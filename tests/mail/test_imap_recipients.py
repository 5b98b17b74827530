"""A letter out of a mailbox: which addresses of ours it came to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail import parser
from pbem.mail.addresses import bounce_address, reply_address, table_address
from pbem.mail.imap_message import parse_fetched
from pbem.mail.parsed_email import EmailKind
from tests.mail.slow_emails import shapes

DOMAIN, NAME = "provider.test", "games.ada"
TOKEN, OTHER = "k7m2p9q4x8", "b3c4d5f6g7"
PLUS, CATCH = reply_address(TOKEN, DOMAIN, NAME), reply_address(TOKEN, DOMAIN)


def letter(*headers: str, body: str = "BID 3") -> bytes:
    """A letter with these headers."""
    return "\r\n".join(["From: ada@players.test", *headers, "", body, ""]).encode()


def came_to(raw: bytes, name: str = NAME) -> tuple[str, ...]:
    """The addresses of ours that a letter came to."""
    return parse_fetched(raw, DOMAIN, name).recipients


def test_the_two_forms_of_our_addresses() -> None:
    """In a mailbox of a provider's the token stands behind its plus sign; with a domain of our own it is the name."""
    assert f"games.ada+o-{TOKEN}@provider.test" == PLUS
    assert f"o+{TOKEN}@provider.test" == CATCH


@pytest.mark.parametrize(("address", "name"), [(PLUS, NAME), (CATCH, "")])
def test_what_was_delivered_counts_before_what_is_written(address: str, name: str) -> None:
    """What delivered a letter says to which address; without that it is to whom it is written, in any case."""
    other = reply_address(OTHER, DOMAIN, name)
    for header in ("Delivered-To", "X-Original-To", "Envelope-To", "X-Delivered-To"):
        assert came_to(letter(f"{header}: <{address}>", f"To: {other}"), name) == (address,)
    assert came_to(letter(f"To: Rose <{address.upper()}>, {other}", f"Cc: {address}"), name) == (address, other)
    assert came_to(letter("Delivered-To: games.ada@provider.test", f"To: {address}"), name) == (address,)


@pytest.mark.parametrize(
    "to",
    [
        "games.ada@provider.test",
        "games.ada+family@provider.test",
        f"games.bob+o-{TOKEN}@provider.test",
        f"o+{TOKEN}@provider.test",
        f"games.ada+o-{TOKEN}@elsewhere.test",
        f"games.ada+o-{TOKEN}@provider.test.elsewhere.test",
        "games.ada+o-abc@provider.test",
        "",
    ],
)
def test_what_is_none_of_ours(to: str) -> None:
    """A letter to the mailbox itself, to another one or with another plus sign is none of ours."""
    assert came_to(letter(f"To: {to}")) == ()


def test_a_letter_without_a_number_is_given_one_that_stays() -> None:
    """A letter without a Message-ID gets one that follows from its bytes; one that has one is kept as it is."""
    raw, other = letter(f"To: {PLUS}"), letter(f"To: {PLUS}", body="BID 4")
    given = [parser.parse_message(parse_fetched(one, DOMAIN, NAME).raw).message_id for one in (raw, raw, other)]
    assert given[0] == given[1] != given[2]
    assert all(given)
    numbered = letter("Message-ID: <1@players.test>", f"To: {PLUS}")
    assert parse_fetched(numbered, DOMAIN, NAME).raw == numbered


def test_a_bounce_that_came_to_the_mailbox_itself_is_brought_home() -> None:
    """Where the provider changes the sender of our letters, the letter given back says whose bounce it is."""
    report = 'Content-Type: multipart/report; report-type=delivery-status; boundary="x"'
    ours = f"--x\r\nContent-Type: message/rfc822\r\n\r\nReply-To: {PLUS}\r\nMessage-ID: <9@provider.test>\r\n\r\n--x--"
    found = parse_fetched(letter("Return-Path: <>", "To: games.ada@provider.test", report, body=ours), DOMAIN, NAME)
    assert found.recipients == (bounce_address(TOKEN, DOMAIN, NAME),)
    assert found.null_sender
    assert came_to(letter("To: games.ada@provider.test", body=ours)) == (), "a person who quotes one of ours"


def test_only_letters_from_our_own_mailbox_have_looped() -> None:
    """Players may have their mailbox at the same provider as we: their letters are read."""
    theirs = letter(f"To: {PLUS}").replace(b"players.test", b"provider.test")
    own = letter(f"To: {PLUS}").replace(b"ada@players.test", table_address("desk00", DOMAIN, NAME).encode())
    assert parser.parse_message(theirs, domain=DOMAIN, name=NAME).kind is EmailKind.ORDINARY
    assert parser.parse_message(own, domain=DOMAIN, name=NAME).kind is EmailKind.LOOP
    assert parser.parse_message(theirs, domain=DOMAIN).kind is EmailKind.LOOP


@given(st.binary(max_size=400), st.binary(max_size=200))
def test_any_bytes_are_read(above: bytes, below: bytes) -> None:
    """Whatever the bytes, there is an answer, and the letter in it is whole."""
    raw = above + f"\r\nTo: {PLUS}\r\n\r\n".encode() + below
    assert parse_fetched(raw, DOMAIN, NAME).raw.endswith(raw)


def test_hostile_letters_are_read() -> None:
    """Letters that were made to choke a reader come to an end, and are kept whole."""
    for name, shape in shapes():
        raw = shape(20_000)
        assert parse_fetched(raw, DOMAIN, NAME).raw.endswith(raw), name
