"""Any bytes are a letter, and only what its sender wrote is read."""

from __future__ import annotations

import base64
import json
import quopri
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.common.cpu_budget import MOST_LINES
from pbem.mail.charsets import decode, header_text, to_plain, to_plain_line, unflow
from pbem.mail.parsed_email import EmailKind, EmailWarning
from pbem.mail.parser import parse_message
from tests.budget import budget
from tests.mail.corpora import LETTERS, corpora

EXPECTED: dict[str, dict[str, Any]] = json.loads((LETTERS / "expected.json").read_text("utf-8"))
DOMAIN = "games.example.org"


def written(body: str, *headers: str) -> bytes:
    """A small letter with the usual headers and some more."""
    head = ["From: Ada <ada@player.example>", "Message-ID: <m@player.example>", "Subject: Re: [Rose]", *headers]
    return "\r\n".join([*head, "", body]).encode()


@pytest.mark.parametrize("name", EXPECTED)
def test_letters_of_real_clients(name: str) -> None:
    """Each client's letter gives exactly its author's lines, its kind, and what a bounce names."""
    want = EXPECTED[name]
    got = parse_message((LETTERS / f"{name}.eml").read_bytes(), domain=DOMAIN)
    assert (got.kind.value, list(got.lines)) == (want["kind"], want["lines"])
    assert [failure.address for failure in got.failures] == want.get("failed", [])
    assert [failure.permanent for failure in got.failures] == want.get("permanent", [])
    assert got.returned_id == want.get("returned", "")
    assert want.get("warning") is None or want["warning"] in {warning.value for warning in got.warnings}
    assert "signature" not in want or list(got.signature) == want["signature"]


def test_every_fixture_is_expected() -> None:
    """Every fixture has its expected lines, and there are at least 40 clients and cases."""
    assert {path.stem for path in LETTERS.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 40


def test_headers_are_kept() -> None:
    """Sender, ids and thread are taken from the headers, without their folding."""
    got = parse_message((LETTERS / "gmail_web_en.eml").read_bytes())
    assert got.from_address == "ada@player.example"
    assert got.message_id == "<gmail_web_en@mail.player.example>"
    assert got.in_reply_to == "<r1.rose@games.example.org>"
    assert got.references == ("<r0.rose@games.example.org>", "<r1.rose@games.example.org>")


@given(st.binary(max_size=3_000))
@settings(max_examples=budget(40, 3000))
def test_never_raises_on_bytes(raw: bytes) -> None:
    """Any bytes at all give a letter."""
    assert isinstance(parse_message(raw).kind, EmailKind)


PIECES = st.sampled_from(
    [
        b"From: a@b.c\r\n",
        b"From: =?x?q?=ZZ?= <a@b>\n",
        b"Subject: =?utf-8?b?!!!?=\r\n",
        b"\r\n",
        b"\n",
        b"\r",
        b"\x00",
        b"Content-Type: multipart/mixed; boundary=x\r\n",
        b'Content-Type: multipart/alternative; boundary=""\r\n',
        b"--x\r\n",
        b"--x--\r\n",
        b"Content-Type: text/html; charset=idna\r\n",
        b"Content-Type: message/rfc822\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"=\r\n",
        b"=A0=ZZ",
        b"Content-Type: text/plain; charset=utf-16; format=flowed\r\n",
        b"<div><blockquote type=cite>",
        b"\xff\xfe\xed\xa0\x80",
        b"Content-Type: message/delivery-status\r\n",
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n",
        b"Final-Recipient: rfc822; <>\r\n",
        b"Return-Path: <>\r\n",
        b"PLACE Roma 4 \r\n",
        b"> PLACE\r\n",
        b"-- \r\n",
        b"<?xml?>",
        b"Content-Type: text/plain; charset*0=u; charset*1*=tf-8''%ZZ\r\n",
        b"Auto-Submitted:\r\n",
        b" \r\n",
        b"begin 644 x\r\n",
    ]
)


@given(st.lists(PIECES, max_size=40))
@settings(max_examples=budget(40, 3000))
def test_never_raises_on_broken_mail(pieces: list[bytes]) -> None:
    """The pieces of mail in any order give a letter, and no quoted line is ever among its lines."""
    got = parse_message(b"".join(pieces))
    assert not any(line.startswith(">") for line in got.lines)
    assert got.kind is EmailKind.ORDINARY or not got.lines


@given(
    st.lists(st.sampled_from(["PLACE Roma 4", "JOUER Rébellion", "BID 3", "LUCK ñ"]), min_size=1, max_size=6),
    st.sampled_from(["utf-8", "iso-8859-1", "windows-1252", "utf-16"]),
    st.sampled_from(["base64", "quoted-printable", "8bit"]),
)
def test_every_encoding_gives_the_same_lines(lines: list[str], charset: str, encoding: str) -> None:
    """What was written is read the same in whatever charset and encoding it travelled."""
    octets = "\r\n".join(lines).encode(charset)
    if encoding == "8bit" and charset == "utf-16":
        encoding = "base64"
    body = octets
    if encoding != "8bit":
        body = base64.encodebytes(octets) if encoding == "base64" else quopri.encodestring(octets)
    types = f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    assert parse_message(b"From: a@b.example\r\n" + types.encode() + body).lines == tuple(lines)


def test_corpora_never_raise_and_bounces_are_known() -> None:
    """All fixtures of other projects are read; at least 112 of the 117 bounces are nobody's orders."""
    folder = corpora()
    for path in folder.glob("*/*"):
        assert parse_message(path.read_bytes()).kind is not EmailKind.UNREADABLE, path.name
    kinds = [parse_message(path.read_bytes()).kind for path in folder.glob("flufl_bounce/*.txt")]
    assert sum(kind.is_automatic for kind in kinds) >= 112


def test_bounces_name_who_failed() -> None:
    """Of 111 bounces with a known address at least 100 name it."""
    folder = corpora()
    cases = json.loads((folder / "bounce_expected_flufl.json").read_text("utf-8"))["cases"]
    named = 0
    for case in (case for case in cases if case["addresses"]):
        got = {
            failure.address.lower()
            for failure in parse_message((folder / "flufl_bounce" / case["file"]).read_bytes()).failures
        }
        named += {address.lower() for address in case["addresses"]} <= got
    assert named >= 100


def test_a_warning_of_delay_is_no_failure() -> None:
    """Of the bounces of other projects those that only warn name nobody for whom delivery failed for good."""
    folder = corpora()
    cases = json.loads((folder / "bounce_expected_flufl.json").read_text("utf-8"))["cases"]
    got = {case["file"]: parse_message((folder / "flufl_bounce" / case["file"]).read_bytes()) for case in cases}
    wrong = [
        case["file"] for case in cases if case["temporary"] and any(f.permanent for f in got[case["file"]].failures)
    ]
    assert wrong == []
    told = [c["file"] for c in cases if not c["temporary"] and c["addresses"] and got[c["file"]].failures]
    assert len([name for name in told if got[name].failures[0].permanent]) >= 92


WARNING = "Subject: {subject}\nFrom: MAILER-DAEMON@relay.example\nReturn-Path: <>\n\n{text}\n\n  <ada@player.example>\n"
WARNINGS = [
    ("Warning: could not send message for past 4 hours", "The original message was received on Tuesday."),
    ("Warning: message 1abc delayed 24 hours", "No action is required on your part."),
    ("Delivery Status Notification (Delay)", "Message will be retried for 2 more day(s)"),
    ("Delayed Mail (still being retried)", "Your message could not be delivered for more than 4 hour(s)."),
    ("Mail delivery", "Your letter has been\ndelayed. We will keep trying."),
    ("Avis", "Votre message n'a pas encore été remis à :"),
    ("Unzustellbar", "Die Zustellung ist verzögert:"),
]


@pytest.mark.parametrize(("subject", "text"), WARNINGS)
def test_a_warning_in_words_is_no_failure(subject: str, text: str) -> None:
    """A server that says in its own words that it goes on trying has not failed."""
    got = parse_message(WARNING.format(subject=subject, text=text).encode())
    assert got.kind is EmailKind.BOUNCE
    assert [failure.permanent for failure in got.failures] in ([False], [])


def test_a_failure_that_quotes_a_warning_stays_a_failure() -> None:
    """What the returned letter says is not what the server says."""
    copied = "Message-ID: <r1@games.example>\n\nDelivery delayed, will keep trying"
    text = f"This address failed:\n\n  <ada@player.example>\n\n--- Original message follows ---\n{copied}"
    got = parse_message(f"From: MAILER-DAEMON@relay.example\nSubject: failure notice\n\n{text}\n".encode())
    assert [failure.permanent for failure in got.failures] == [True]
    assert got.returned_id == "<r1@games.example>"


def test_human_letters_are_answered() -> None:
    """No reply of the reply fixtures is taken for an automatic letter."""
    folder = corpora()
    for name in ("crisp_email_reply_parser", "zapier_email_reply_parser", "github_email_reply_parser"):
        assert not any(parse_message(path.read_bytes()).kind.is_automatic for path in (folder / name).iterdir())


def test_oversized_is_judged_by_its_headers() -> None:
    """A letter over the limit is not parsed; an automatic one is still known for what it is."""
    assert parse_message(written("x" * 2_000), limit=1_000).kind is EmailKind.OVERSIZED
    assert parse_message(written("x" * 2_000, "Auto-Submitted: auto-replied"), limit=1_000).kind is EmailKind.AUTO_REPLY


def test_too_deep_is_unreadable() -> None:
    """A letter of endless parts within parts is not followed down."""
    nest = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(400))
    assert parse_message(b"From: a@b.example\r\n" + nest.encode() + b"\r\nPASS").kind is EmailKind.UNREADABLE


def test_deep_html_loses_nothing() -> None:
    """Text below very many nested elements is still read."""
    deep = "<div>" * 230 + "PLACE Roma 4" + "</div>" * 230
    assert "PLACE Roma 4" in parse_message(written(deep, "Content-Type: text/html")).lines


def test_a_charset_in_the_long_form() -> None:
    """A charset named as RFC 2231 allows is a charset like any other, also for raw bytes."""
    head = b"From: a@b.example\r\nContent-Type: text/plain; charset*=us-ascii'en'iso-8859-1\r\n\r\n"
    assert parse_message(head + "JOUER Rébellion".encode("latin-1")).lines == ("JOUER Rébellion",)


def test_null_sender_is_never_answered() -> None:
    """A letter with an empty envelope sender is automatic, whatever its headers say."""
    assert parse_message(written("PASS"), envelope_sender="").kind is EmailKind.AUTO_REPLY
    assert parse_message(written("PASS"), envelope_sender="ada@player.example").kind is EmailKind.ORDINARY


def test_mail_from_our_own_domain_has_looped() -> None:
    """A letter that claims to come from our own domain is a loop."""
    raw = written("PASS").replace(b"ada@player.example", b"t+abcdefgh@Games.Example.org")
    assert parse_message(raw, domain=DOMAIN).kind is EmailKind.LOOP


@pytest.mark.parametrize(
    "text",
    ["PLACE Roma 4\r\n" * 1_500, "\r\n" * 11_000 + "x", "_" * 500_000, "x" * 900_000],
    ids=["lines", "blank lines", "one line", "twice too much"],
)
def test_long_text_says_that_it_was_cut(text: str) -> None:
    """More than a letter may have is cut, and the letter says so."""
    got = parse_message(written(text))
    assert len(got.lines) <= MOST_LINES
    assert EmailWarning.CUT_SHORT in got.warnings


def test_a_failure_is_known_by_its_subject_and_its_null_sender() -> None:
    """A server that writes from any address, and says in words that a letter could not be delivered."""
    assert (
        parse_message(written("x", "Return-Path: <>").replace(b"Re: [Rose]", b"Undeliverable")).kind is EmailKind.BOUNCE
    )


def test_text_that_is_not_in_the_charset_it_claims_is_guessed() -> None:
    """It is read all the same, and the letter says so."""
    got = parse_message(written("JOUER Rébellion", "Content-Type: text/plain; charset=iso-2022-jp"))
    assert EmailWarning.CHARSET_GUESSED in got.warnings
    assert got.lines == ("JOUER Rébellion",)


def test_headers_cannot_carry_lines() -> None:
    """Folded, encoded or hostile headers come out as one bounded line."""
    raw = written("PASS").replace(b"Re: [Rose]", b"=?utf-8?q?a=0D=0ABcc:_x?=\r\n =?utf-8?b?" + b"4oCu" * 400 + b"?=")
    subject = parse_message(raw).subject
    assert subject.startswith("a Bcc: x")
    assert not {"\n", "\r", "\u202e"} & set(subject)
    assert len(subject) <= 300


def test_a_letter_shows_no_lines_in_its_repr() -> None:
    """A letter that ends up in a log or a traceback does not carry its orders there."""
    assert "Roma" not in repr(parse_message(written("PLACE Roma 4\r\n-- \r\nRoma")))


@pytest.mark.parametrize(
    ("line", "want"),
    [
        ("\u2022 PLACE Roma", "PLACE Roma"),
        ("3) PLACE Roma", "PLACE Roma"),
        ("**PLACE Roma**", "PLACE Roma"),
        ("TOKENS \u22123", "TOKENS -3"),
        ("TOKENS -3", "TOKENS -3"),
        ("- 3", "- 3"),
        ("\u00ab Roma \u00bb", '" Roma "'),
        ("ATTACK Firenze \u00d72", "ATTACK Firenze x2"),
    ],
)
def test_plain_line(line: str, want: str) -> None:
    """What clients add to a line is taken away, and nothing else is."""
    assert to_plain_line(line) == want


@given(st.text())
def test_plain_is_plain(text: str) -> None:
    """Plain text stays as it is when made plain again, and never fails."""
    once = to_plain(text)
    assert to_plain(once) == once
    assert to_plain_line(to_plain_line(text)) == to_plain_line(text) or text


@given(st.binary(max_size=200), st.text(max_size=20))
def test_decode_never_raises(raw: bytes, charset: str) -> None:
    """Any bytes under any claimed charset are some text."""
    assert isinstance(decode(raw, charset)[0], str)


@given(st.text(max_size=400))
def test_header_text_is_one_line(value: str) -> None:
    """Any header value comes out on one line of bounded length."""
    got = header_text(value, 50)
    assert len(got) <= 50
    assert got.splitlines() in ([], [got])


def test_flowed_text_is_joined_by_depth() -> None:
    """Soft line ends join lines of one quote depth, not the signature, nor a quote with what answers it."""
    flowed = "one \ntwo\n> three \n> four\n five\n-- \nAda"
    assert unflow(flowed) == "one two\n> three four\nfive\n-- \nAda"
    assert unflow("> a \nPASS") == "> a \nPASS"


MACHINES = [
    "Hello,\n\nI am currently out of the office until Monday.",
    "Thank you for writing.\nYour message has been received and a ticket has been created.",
    "This is an automated response.",
    "Bonjour,\nje suis en congés jusqu\u2019au 3 mars.",
    "Ceci est un message automatique.",
    "Votre demande a bien été enregistrée.",
    "Ich bin derzeit im Urlaub.",
    "Sono fuori ufficio.",
    "Estoy de vacaciones.",
]
PEOPLE = ["ATTACK Firenze 8", "Thank you for your message! How do I pass?", "Je joue lundi.", "I agree.", "STATUS"]


@pytest.mark.parametrize("text", [*MACHINES, *PEOPLE])
def test_a_machine_gives_itself_away_in_its_first_words(text: str) -> None:
    """A letter without any header of a machine may still sound like one; a short letter of a person does not."""
    got = parse_message(written(text, "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"))
    assert got.kind is EmailKind.ORDINARY
    assert (EmailWarning.SOUNDS_AUTOMATIC in got.warnings) == (text in MACHINES)
