"""What the author of a reply wrote, told from what they quote."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reply_parser import is_quoted, parse_reply
from tests.mail.corpora import corpora

ORDERS = [
    "PLACE Roma 4",
    "ATTACK Firenze 8 UP TO 2 TIMES ELSE PLACE Roma 4",
    "ON CIVIL WAR: MONEY",
    "IF I HOLD Firenze: PASS",
]
QUOTE = "> You owe: orders\n> PLACE Genova 1\n>\n> END"

ATTRIBUTIONS = [
    "On Tue, Nov 18, 2025 at 5:40 PM Rose <t@games.example> wrote:",
    "On Tue, Nov 18, 2025 at 5:40 PM Rose <\nt@games.example> wrote:",
    "On Tue, 18 Nov\n2025 at 17:40, Rose <t@games.example>\nwrote:",
    "Le mar. 18 nov. 2025 à 17:40, Rose <t@games.example> a écrit :",
    "Le mar. 18 nov. 2025 à 17:40, Rose <t@games.example>\na écrit :",
    "Am 18.11.2025 um 17:40 schrieb Rose <t@games.example>:",
    "Am Di., 18. Nov. 2025 um 17:40 Uhr schrieb Rose <\nt@games.example>:",
    "El mar, 18 nov 2025 a las 17:40, Rose (<t@games.example>) escribió:",
    "Il giorno mar 18 nov 2025 alle ore 17:40 Rose <t@games.example> ha scritto:",
    "Em ter., 18 de nov. de 2025 às 17:40, Rose <t@games.example> escreveu:",
    "Op di 18 nov 2025 om 17:40 schreef Rose <t@games.example>:",
    "Den tis 18 nov. 2025 kl 17:40 skrev Rose <t@games.example>:",
    "tir. 18. nov. 2025 kl. 17:40 skrev Rose <t@games.example>:",
    "ti 18. marrask. 2025 klo 17.40 Rose (t@games.example) kirjoitti:",
    "wt., 18 lis 2025 o 17:40 Rose <t@games.example> napisał(a):",
    "вт, 18 нояб. 2025 г. в 17:40, Rose <t@games.example>:",
    "---- On Tue, 18 Nov 2025 17:40:50 +0100 Rose <t@games.example> wrote ----",
    '18.11.2025, 17:40, "Rose" <t@games.example>:',
    "вт, 18 лист. 2025 р. о 17:40 Rose <t@games.example> пише:",
    "18.11.25 17:40, Rose <t@games.example> пише:",
    "18.11.2025 17:40, Rose пишет:",
    "Вторник, 18 ноября 2025, 17:40 +03:00 от Rose <t@games.example>:",
    "2016-03-03 17:21 GMT+01:00 Some One",
    "2016-03-03 17:21 GMT+01:00 Some One <t@games.example>:",
    "2016-03-03 17:21 GMT+01:00 Some One <\nt@games.example>:",
    "Rose <t@games.example> 于2025年11月18日周二 17:40写道：",
    "2025年11月18日(火) 17:40 Rose <t@games.example>:",
    "2025년 11월 18일 (화) 17:40, Rose <t@games.example>님이 작성:",
    "Rose <t@games.example>, 18 Kas 2025 Sal, 17:40 tarihinde şunu yazdı:",
    "Rose <t@games.example> ezt írta (időpont: 2025. nov. 18., K, 17:40):",
    "În mar., 18 nov. 2025 la 17:40, Rose <t@games.example> a scris:",
    "uto, 18. stu 2025. u 17:40 Rose <t@games.example> napisao je:",
    "На вт, 18.11.2025 г. в 17:40 Rose <t@games.example> написа:",
    "Kuupäev T, 18. november 2025 kell 17:40 kirjutas Rose <t@games.example>:",
    "Vào Th 3, 18 thg 11, 2025 vào lúc 17:40 Rose <t@games.example> đã viết:",
    "Pada tanggal Sel, 18 Nov 2025 pukul 17.40 Rose <t@games.example> menulis:",
    "El dia 18 nov. 2025 17:40, Rose <t@games.example> va escriure:",
]

HEADERS = [
    "From: Rose <t@games.example>\nSent: Tuesday, 18 November 2025 17:40\nTo: Ada\nSubject: [Rose]",
    "De : Rose <t@games.example>\nEnvoyé : mardi 18 novembre 2025 17:40\nÀ : Ada\nObjet : [Rose]",
    "*From:* Rose <t@games.example>\n*Sent:* Tuesday, 18 November 2025 17:40\n*To:* Ada\n*Subject:* [Rose]",
    "Von: Rose <t@games.example>\nGesendet: Dienstag, 18. November 2025 17:40\nAn: Ada\nBetreff: [Rose]",
    "Da: Rose <t@games.example>\nInviato: martedì 18 novembre 2025 17:40\nA: Ada\nOggetto: [Rose]",
    "Van: Rose <t@games.example>\nVerzonden: dinsdag 18 november 2025 17:40\nAan: Ada\nOnderwerp: [Rose]",
    "-----Original Message-----\nwhatever",
    "-------- Message d'origine --------\nwhatever",
    "---------- Forwarded message ---------\nwhatever",
    "Begin forwarded message:\n\nwhatever",
    "Début du message transféré :\n\nwhatever",
    "________________________________\nDe : Rose <t@games.example>\nEnvoyé : mardi 17:40\nObjet : [Rose]",
    "--- Reply above this line ---",
    "--- Répondez au-dessus de cette ligne ---",
]

MOBILE = [
    "Sent from my iPhone",
    "Envoyé de mon iPhone",
    "Envoyé depuis mon appareil Galaxy",
    "Envoyé à partir de Outlook pour iOS<https://aka.ms/o0ukef>",
    "Get Outlook for Android<https://aka.ms/ghei36>",
    "Télécharger Outlook pour Android",
    "Gesendet von Outlook für Android<https://aka.ms/AAb9ysg>",
    "Sent with Proton Mail secure email.",
    "Envoyé avec la messagerie sécurisée Proton Mail.",
    "Sent from Yahoo Mail on Android",
    "Provenance : Courrier pour Windows",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_orders_above_or_below_a_quotation_are_read_whole(attribution: str) -> None:
    """Marked, it may be answered above or below; unmarked, it is our own letter to its end, and none of it is read."""
    orders = "\n".join(ORDERS)
    for gap in ("\n", "\n\n"):
        above = parse_reply(orders + gap + attribution + gap + QUOTE)
        assert (list(above.lines), above.quoted) == (ORDERS, True)
    assert list(parse_reply(f"{attribution}\n{QUOTE}\n\n{orders}").lines) == ORDERS
    assert parse_reply(f"PASS\n\n{attribution}\n\nYou owe: orders\nPLACE Genova 1\nEND\n").lines == ("PASS",)


@pytest.mark.parametrize("header", HEADERS)
def test_quoted_header_ends_the_reading(header: str) -> None:
    """A block of written-out headers, or a line that says so, starts the quoted letter."""
    found = parse_reply("\n".join(ORDERS) + "\n\n" + header + "\n\nPLACE Genova 1\n")
    assert list(found.lines) == ORDERS
    assert found.quoted


@pytest.mark.parametrize("line", MOBILE)
def test_mobile_signature(line: str) -> None:
    """What a phone adds is no line of the author's, and what they write below it still is."""
    found = parse_reply(f"PASS\n\n{line}\n\nBUY CARD\n")
    assert [words for words in found.lines if words] == ["PASS", "BUY CARD"]
    assert found.signature == (line,)


def test_signature_is_kept_apart() -> None:
    """A signature is not read, and is kept so that an order in it can be pointed out."""
    found = parse_reply("BID 3\n-- \nAda\nPLACE Roma 4\n")
    assert found.lines == ("BID 3",)
    assert found.signature == ("Ada", "PLACE Roma 4")


def test_a_long_tail_under_two_dashes_is_no_signature() -> None:
    """Two dashes without their blank may be a divider: many lines below them are still read."""
    orders = [f"PLACE Roma {n}" for n in range(1, 15)]
    assert list(parse_reply("BID 3\n--\n" + "\n".join(orders)).lines) == ["BID 3", "--", *orders]


@pytest.mark.parametrize(
    "line",
    [
        "ON CIVIL WAR: MONEY",
        "Le 3 je passe",
        "On 3 provinces I hold: PASS",
        "Am I allowed 3 more tokens?",
        "De : Paris",
        "FOR TURN 5 EXPANSION",
        "LUCK 12:30 my cat wrote:",
        "2 pions à 14:30:",
        "From: Roma to Firenze",
        "Il a écrit 3 lettres",
        "----",
        "The letter was sent from my iPhone, he said to all of us",
    ],
)
def test_orders_that_look_like_headers(line: str) -> None:
    """An order or remark that merely resembles an attribution or a header cuts nothing off."""
    assert parse_reply(f"PASS\n{line}\nBUY CARD\n").lines == ("PASS", line, "BUY CARD")


LINES = st.lists(st.text(st.characters(codec="utf-8"), max_size=90), max_size=30)


@given(LINES)
def test_no_marked_line_is_ever_kept(lines: list[str]) -> None:
    """Whatever the text, no line that begins with a quote mark is among the sender's own."""
    found = parse_reply("\n".join(lines))
    assert not any(map(is_quoted, found.lines))


@given(
    st.lists(st.sampled_from(ORDERS), min_size=1, max_size=8), st.sampled_from(ATTRIBUTIONS), st.sampled_from(HEADERS)
)
def test_orders_above_are_never_lost(orders: list[str], attribution: str, header: str) -> None:
    """Orders above any quotation survive it, however they and it are combined."""
    for below in (f"{attribution}\n{QUOTE}", f"{attribution}\n\nOur letter", header):
        assert list(parse_reply("\n".join(orders) + "\n" + below).lines) == orders


@given(LINES)
def test_plain_text_comes_back_whole(lines: list[str]) -> None:
    """Every kept line stood in the text, in the same order."""
    text = "\n".join(lines).replace("\r\n", "\n").replace("\r", "\n")
    rest = iter(text.split("\n"))
    assert all(line in rest for line in parse_reply(text).lines)


def test_cases_of_other_projects() -> None:
    """On other projects' own cases at least 63 of 68 answers are the same, and none loses a word."""
    folder = corpora()
    cases = [json.loads(line) for line in (folder / "reply_cases.jsonl").read_text("utf-8").splitlines()]
    same, lost = 0, []
    for case in cases:
        text = (folder / case["input"]).read_bytes().decode("utf-8", "replace")
        got = "\n".join(parse_reply(text).lines)
        if case["kind"] == "exact":
            want, flat = " ".join(case["expected"].split()), " ".join(got.split())
            same, kept = same + (want == flat), want in flat
        else:
            kept = all(re.search(pattern, got, re.MULTILINE) for pattern in case["expected"])
            same += kept
        lost += [] if kept else [case["id"]]
    assert len(cases) == 68
    assert not lost
    assert same >= 63


OURS = [
    "[Rose] Turn 3, expansion",
    "YOUR ORDERS",
    "-----------",
    "; Remove the ; before the lines you want, edit them, add others,",
    "; send them back. PASS alone means: no orders.",
    "; --- expansion",
    "; ATTACK Milano 3",
    "; PLACE Genova 1",
    "END",
    "",
    "At any time you can offer your seat to another player",
    "with LEAVE THE GAME.",
    "-" * 72,
    "Entry 4.",
]


@pytest.mark.parametrize("announced", ATTRIBUTIONS)
def test_new_text_below_an_attribution_on_the_first_line_is_read(announced: str) -> None:
    """A program that announces a quotation and writes none: what stands below is its author's; our letter is not."""
    below = ["PLACE Roma 4", "ATTACK Milano 3", "BUY CARD", "PASS"]
    assert parse_reply("\n".join([announced, "", *below])).lines == tuple(below)
    assert parse_reply("\n".join([announced, "", *below, "", *(f"> {line}" for line in OURS)])).lines == tuple(below)
    assert parse_reply("\n".join([announced, "", *OURS])).lines == ()
