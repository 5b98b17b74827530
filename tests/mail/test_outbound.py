"""Letters out: safe headers, always the same bytes, and an honest answer from the relay."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.mail.addresses import bounce_address, reply_address, table_address
from pbem.mail.parsed_email import EmailKind
from pbem.mail.parser import parse_message
from pbem.mail.smtp_client import (
    Accepted,
    Attachment,
    EmailMessageSpec,
    Rejected,
    Relay,
    build_message,
    send_message,
)
from pbem.mail.smtp_server import Envelope, Server, ServerConfig

DOMAIN = "games.example.org"
REPORT = EmailMessageSpec(
    message_id="<rep.41.k7m2p9.5@games.example.org>",
    date=datetime(2026, 11, 20, 18, 2, tzinfo=timezone(timedelta(hours=1))),
    domain=DOMAIN,
    table_name="Rose",
    sender=table_address("rosetable1", DOMAIN),
    reply_to=reply_address("k7m2p9q4x8", DOMAIN),
    to="ada@player.example",
    subject="[Rose] T3 expansion : à vous, jusqu'à vendredi",
    text="Vous devez : les ordres.\n\nPLACER Roma 4\n-- \nEntrée 41\n",
    html='<p>Vous devez : les ordres.</p><img src="cid:board">',
    attachments=(
        Attachment("board.png", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "board"),
        Attachment("turn.ics", "text/calendar", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
    ),
    references=("<rep.1.k7m2p9.5@games.example.org>", "<rep.40.k7m2p9.5@games.example.org>"),
    list_id="Rose",
    unsubscribe_url="https://games.example.org/off/" + "k" * 90,
    language="fr",
)


def parsed(letter: EmailMessageSpec) -> EmailMessage:
    """The letter as another mail program reads it, without a defect anywhere."""
    message = message_from_bytes(build_message(letter), policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    assert not [part.defects for part in message.walk() if part.defects]
    return message


def test_says_what_it_was_given() -> None:
    """Another mail program finds text, HTML, picture and file as they were, and the text first."""
    message = parsed(REPORT)
    bodies = [part for part in message.walk() if not part.is_multipart()]
    assert [part.get_content_type() for part in bodies] == ["text/plain", "text/html", "image/png", "text/calendar"]
    assert bodies[0].get_content().replace("\r\n", "\n") == REPORT.text
    assert bodies[1].get_content().replace("\r\n", "\n") == f"{REPORT.html}\n"
    assert bodies[2].get_content() == REPORT.attachments[0].content
    assert bodies[2]["Content-ID"] == "<board>"
    assert bodies[3].get_payload(decode=True) == REPORT.attachments[1].content
    assert message["Subject"] == REPORT.subject


def test_headers_of_a_machine() -> None:
    """A letter says that a machine wrote it, how it is threaded, and how to be rid of it, in whole links and ids."""
    message = parsed(REPORT)
    assert message["Auto-Submitted"] == "auto-generated"
    assert parsed(replace(REPORT, answers=True))["Auto-Submitted"] == "auto-replied"
    assert message["Message-ID"] == REPORT.message_id
    assert message["References"].split() == list(REPORT.references)
    assert message["In-Reply-To"] == REPORT.references[-1]
    assert message["List-Unsubscribe"] == f"<{REPORT.unsubscribe_url}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["List-Id"] == "<rose.games.example.org>"
    assert message["Reply-To"].addresses[0].addr_spec == REPORT.reply_to
    assert message["From"].addresses[0].display_name == "Rose"
    assert message["Date"].datetime == REPORT.date
    assert message["Content-Language"] == "fr"


def test_one_click_needs_https() -> None:
    """Without https there is a link but no one-click promise (RFC 8058 §3.1)."""
    message = parsed(replace(REPORT, unsubscribe_url="http://127.0.0.1:8080/off/x"))
    assert message["List-Unsubscribe"] == "<http://127.0.0.1:8080/off/x>"
    assert message["List-Unsubscribe-Post"] is None


def test_our_own_letter_is_known_when_it_comes_back() -> None:
    """A letter of ours that finds its way back is a loop, and is not read."""
    assert parse_message(build_message(REPORT), domain=DOMAIN).kind is EmailKind.LOOP
    assert parse_message(build_message(REPORT)).kind is EmailKind.LOOP


def test_the_same_letter_has_the_same_bytes() -> None:
    """Built twice, a letter has the same bytes; another Message-ID gives other boundaries."""
    assert build_message(REPORT) == build_message(replace(REPORT))
    other = build_message(replace(REPORT, message_id="<rep.42.k7m2p9.5@games.example.org>"))
    marks = [
        {line for line in raw.split(b"\r\n") if line.startswith(b"--=_")} for raw in (build_message(REPORT), other)
    ]
    assert marks[0]
    assert not marks[0] & marks[1]


def header_names(raw: bytes) -> list[bytes]:
    """The names of a letter's headers, in order."""
    return re.findall(rb"(?m)^([^\s:]+):", raw.split(b"\r\n\r\n")[0])


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=600), st.none() | st.text(max_size=300))
def test_no_words_can_make_a_header(table: str, subject: str, text: str, html: str | None) -> None:
    """Whatever people call a table or write, the headers stay ours, lines short, bytes ASCII with CRLF alone."""
    letter = replace(REPORT, table_name=table, subject=subject, text=text, html=html)
    raw = build_message(letter)
    assert header_names(raw) == header_names(build_message(REPORT))
    assert raw.isascii()
    assert raw.count(b"\r") == raw.count(b"\n") == raw.count(b"\r\n")
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    message = parsed(letter)
    assert message["From"].addresses[0].addr_spec == REPORT.sender
    assert [address.addr_spec for address in message["To"].addresses] == [REPORT.to]


@pytest.mark.parametrize(
    "changes",
    [
        {"to": "ada@player.example\r\nBcc: eve@player.example"},
        {"to": "ada@player.example, eve@player.example"},
        {"to": "Ada <ada@player.example>"},
        {"to": ""},
        {"reply_to": "eve@player.example"},
        {"reply_to": "o+k7m2p9q4x8@elsewhere.example"},
        {"sender": "k7m2p9q4x8@games.example.org"},
        {"message_id": "<a b@c>"},
        {"message_id": "<a@b>\r\nX: y"},
        {"message_id": ""},
        {"references": ("<a@b>", "x")},
        {"in_reply_to": "<a\n@b>"},
        {"unsubscribe_url": "https://x/\r\nX: y"},
        {"unsubscribe_url": "javascript:x"},
        {"date": datetime(2026, 11, 20)},  # noqa: DTZ001 - a date without a zone is the fault
        {"attachments": (Attachment('a".png', "image/png", b""),)},
        {"attachments": (Attachment("a.png", "image/png\r\nX: y", b""),)},
        {"attachments": (Attachment("a.eml", "message/rfc822", b""),)},
        {"attachments": (Attachment("a.png", "image/png", b"", "x>\r\ny"),)},
    ],
)
def test_malformed_parts_are_refused(changes: dict[str, object]) -> None:
    """What the program itself puts into headers must be right; the error shows none of it."""
    with pytest.raises(ValueError, match=r"\w") as told:
        build_message(replace(REPORT, **changes))  # type: ignore[arg-type]
    assert "player.example" not in str(told.value)


def test_nobody_else_is_named() -> None:
    """The only addresses in a letter's headers are its reader's and ours."""
    head = build_message(REPORT).split(b"\r\n\r\n")[0].decode()
    addresses = {word.strip("<>,;") for word in head.split() if "@" in word}
    assert {address for address in addresses if not address.endswith("@games.example.org")} == {"ada@player.example"}


def test_words_in_many_scripts() -> None:
    """Long names and subjects in any script are folded, and come out as they were but for their length."""
    subject = "[Розы] " + "Ход третий, экспансия: ваши приказы приняты " * 2 + "✓"
    message = parsed(replace(REPORT, subject=subject, table_name='The "Rose", 王'))
    assert message["Subject"] == subject
    assert message["From"].addresses[0].display_name == 'The "Rose", 王'


def test_long_threads_keep_their_first_letter() -> None:
    """Of a very long thread the first letter and the last ones are named."""
    ids = tuple(f"<rep.{n}.k7m2p9.5@games.example.org>" for n in range(100))
    kept = parsed(replace(REPORT, references=ids))["References"].split()
    assert kept == [ids[0], *ids[-19:]]


def test_unusual_readers() -> None:
    """A reader's address may be international: domain in its ASCII form, local part as it is."""
    assert b"To: zo\xc3\xa9@xn--bcher-kva.example\r\n" in build_message(replace(REPORT, to="zoé@bücher.example"))


def test_a_secret_is_not_shown() -> None:
    """A relay's password, and a letter's text and links, are in no repr."""
    assert "hunter2" not in repr(Relay("h", 25, "me", "hunter2"))
    assert "PLACER" not in repr(REPORT)
    assert "/off/" not in repr(REPORT)


# --- sending


@contextmanager
def scripted(answers: dict[str, str]) -> Iterator[Relay]:
    """A relay that answers commands by their first word as told, and everything else with 250."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        wire, _ = server.accept()
        with wire, wire.makefile("rb") as lines:
            wire.sendall((answers.get("greeting", "220 hello") + "\r\n").encode())
            body = False
            for raw in lines:
                line = raw.decode("utf-8").rstrip("\r\n")
                if body and line != ".":
                    continue
                word = "end" if body else line.split(" ")[0].upper()
                body = word == "DATA" and "DATA" not in answers
                answer = answers.get(word, {"DATA": "354 go", "QUIT": "221 bye"}.get(word, "250 fine"))
                if answer == "hang up":
                    return
                wire.sendall((answer + "\r\n").encode())
                if word == "QUIT":
                    return

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield Relay("127.0.0.1", server.getsockname()[1], timeout=60)
    finally:
        thread.join(20)
        server.close()


def hand_over(relay: Relay) -> Accepted | Rejected:
    """Send the report with its own envelope sender."""
    return send_message(relay, build_message(REPORT), bounce_address("k7m2p9q4x8", DOMAIN), "ada@player.example")


def test_sent_bytes_arrive_unchanged() -> None:
    """A real server gets exactly the bytes that were built, and the envelope sender of this letter."""
    taken: list[Envelope] = []
    entrance = ServerConfig(protocol="smtp")
    with Server(taken.append, lambda address: True, entrance) as listener:
        assert hand_over(Relay("127.0.0.1", listener.port)) == Accepted("2.0.0 Taken")
    sender, recipients = "b+k7m2p9q4x8@games.example.org", ("ada@player.example",)
    assert taken == [Envelope(sender, recipients, build_message(REPORT), "127.0.0.1")]


@pytest.mark.parametrize(
    ("answers", "want"),
    [
        ({"RCPT": "550 5.1.1 no such user"}, Rejected(True, 550, "5.1.1 no such user", "recipient")),
        ({"RCPT": "450 4.2.0 greylisted"}, Rejected(False, 450, "4.2.0 greylisted", "recipient")),
        ({"MAIL": "552 5.3.4 too large"}, Rejected(False, 552, "5.3.4 too large", "letter")),
        ({"DATA": "451 4.3.0 later"}, Rejected(False, 451, "4.3.0 later", "letter")),
        ({"end": "554 5.7.1 spam"}, Rejected(False, 554, "5.7.1 spam", "letter")),
        ({"end": "452 4.3.1 full"}, Rejected(False, 452, "4.3.1 full", "letter")),
        ({"end": "552 5.2.2 their mailbox is full"}, Rejected(True, 552, "5.2.2 their mailbox is full", "letter")),
        ({"RCPT": "554 5.7.1 relay access denied"}, Rejected(False, 554, "5.7.1 relay access denied", "recipient")),
        ({"RCPT": "550 no"}, Rejected(False, 550, "no", "recipient")),
        ({"RCPT": "421 busy"}, Rejected(False, 421, "busy", "relay")),
        ({"greeting": "554 go away"}, Rejected(False, 554, "go away", "relay")),
        ({"greeting": "421 busy"}, Rejected(False, 421, "busy", "relay")),
        ({"EHLO": "501 no", "HELO": "501 no"}, Rejected(False, 501, "no", "relay")),
    ],
)
def test_refusals(answers: dict[str, str], want: Rejected) -> None:
    """A refusal is permanent only if it is final and its reason is the reader's own address or mailbox."""
    with scripted(answers) as relay:
        assert hand_over(relay) == want


THEIRS = (*(f"5.1.{detail}" for detail in (1, 2, 3, 6, 10)), *(f"5.2.{detail}" for detail in range(12)))
OTHERS = ("5.0.0", "5.1.0", "5.1.4", "5.1.8", "5.3.4", "5.4.4", "5.5.1", "5.6.0", "5.7.1", "4.1.1", "4.2.2")
ODD = ("5.1.100", "5.20.1", "5.1.1x", "15.1.1", "")


@pytest.mark.parametrize(("word", "code"), [("MAIL", 550), ("RCPT", 550), ("DATA", 554), ("end", 550), ("RCPT", 450)])
def test_only_seven_kinds_of_status_end_a_letter(word: str, code: int) -> None:
    """Of all statuses that a relay may give, those of the reader's own box are final, once it knows whose box."""
    for status in (*THEIRS, *OTHERS, *ODD):
        with scripted({word: f"{code} {status} it says"}) as relay:
            got = hand_over(relay)
        assert isinstance(got, Rejected)
        final = status in THEIRS and code >= 500 and word != "MAIL"
        assert got.permanent == final, (word, code, status)


@pytest.mark.parametrize("farewell", ["500 what", "421 busy", "hang up"])
def test_a_bad_farewell_changes_nothing(farewell: str) -> None:
    """A letter that was taken is sent, however the conversation ends."""
    with scripted({"QUIT": farewell}) as relay:
        assert hand_over(relay) == Accepted("fine")


@pytest.mark.parametrize("word", ["EHLO", "MAIL", "RCPT", "DATA", "end"])
def test_broken_connections_are_temporary(word: str) -> None:
    """A connection that breaks at any point is a reason to try again."""
    with scripted({word: "hang up"}) as relay:
        got = hand_over(relay)
    assert isinstance(got, Rejected)
    assert (got.permanent, got.subject) == (False, "relay")


def test_no_relay_is_temporary() -> None:
    """A relay that is not there is a reason to try again, and the answer names no secret."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    got = hand_over(Relay("127.0.0.1", port, "me", "hunter2"))
    assert isinstance(got, Rejected)
    assert not got.permanent
    assert "hunter2" not in got.text


def test_relay_without_what_the_letter_needs() -> None:
    """A relay that cannot sign in or encrypt is the relay's fault; one without SMTPUTF8 cannot take such a letter."""
    with scripted({}) as relay:
        got = hand_over(replace(relay, user="me", password="hunter2"))
    assert isinstance(got, Rejected)
    assert (got.permanent, got.subject) == (False, "relay")
    with scripted({}) as relay:
        got = hand_over(replace(relay, tls="starttls"))
    assert isinstance(got, Rejected)
    assert (got.permanent, got.subject) == (False, "relay")


def test_international_readers_need_a_relay_that_can() -> None:
    """A reader whose address is not ASCII waits for a relay with SMTPUTF8, and is reached by one."""
    letter = build_message(replace(REPORT, to="zoé@joueur.example"))
    sender = bounce_address("k7m2p9q4x8", DOMAIN)
    with scripted({}) as relay:
        got = send_message(relay, letter, sender, "zoé@joueur.example")
    assert isinstance(got, Rejected)
    assert (got.permanent, got.subject) == (False, "recipient")
    taken: list[Envelope] = []
    with Server(taken.append, lambda address: True, ServerConfig(protocol="smtp")) as listener:
        assert isinstance(
            send_message(Relay("127.0.0.1", listener.port), letter, sender, "zoé@joueur.example"), Accepted
        )
    assert taken[0].recipients == ("zoé@joueur.example",)


_AWKWARD = st.lists(st.sampled_from(["a", "=", " ", "\t", ".", "é", "’", "a" * 37, "a" * 75, "\n", " \n"]))


@given(_AWKWARD)
@example(["a" * 37, "a" * 37, " "])
def test_a_text_comes_out_of_a_letter_as_it_went_in(parts: list[str]) -> None:
    """Whatever a line holds or ends with: at most 76 octets, no space or tab last, and read to the same text again."""
    text = "".join(parts)
    raw = build_message(replace(REPORT, text=text, html=None, attachments=()))
    body = raw.partition(b"\r\n\r\n")[2]
    assert all(len(line) <= 76 and not line.endswith((b" ", b"\t")) for line in body.split(b"\r\n"))
    read = message_from_bytes(raw, policy=policy.default).get_content().replace("\r\n", "\n")
    assert read.rstrip("\n") == text.rstrip("\n")
