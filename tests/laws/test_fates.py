"""Law: a letter's fate is a fact.  What became of each email out is known, shown, and nobody pays for it."""

import itertools

import pytest

from pbem.mail.parsed_email import EmailKind
from pbem.mail.parser import parse_message
from tests.laws.delivery_reports import CLASSES, FINAL, FORMS, GOOD, LATER, OURS

DOMAIN = "games.example.org"


@pytest.mark.parametrize("form", FORMS)
def test_a_report_says_what_its_action_says_whatever_its_class_and_form(form: str) -> None:
    """`failed` is final with 4.4.7 as with 5.1.1, `delayed` is not with 5.1.1; each form names our email."""
    wanted = {action: "failed" for action in FINAL} | {action: "delayed" for action in LATER}
    wanted |= {action: "delivered" for action in GOOD}
    for (action, outcome), status in itertools.product(wanted.items(), CLASSES):
        raw = FORMS[form](action, status).replace("\n", "\r\n").encode()
        got = parse_message(raw, domain=DOMAIN, envelope_sender="", to_bounces=True)
        assert (got.kind, got.returned_id) == (EmailKind.BOUNCE, OURS), (action, status)
        assert [failure.outcome for failure in got.failures] == [outcome], (action, status)
        assert "User unknown" in got.failures[0].reply
        assert "ada@" not in got.failures[0].reply


def test_a_report_in_a_letter_to_a_player_address_is_no_report() -> None:
    """A person who forwards one to their own reply address, with orders above it, is answered like anybody."""
    raw = FORMS["forwarded"]("failed", "5.1.1").replace("Sorry.", "BID 3").encode()
    got = parse_message(raw, domain=DOMAIN)
    assert (got.kind, got.lines) == (EmailKind.ORDINARY, ("BID 3",))
