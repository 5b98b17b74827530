"""Lines of the template that open an email at a touch: any program opens it, and what it holds is accepted."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote, urlsplit

import pytest

from engine.kernel.grammar import build_grammar
from engine.kernel.parse import parse_letter
from engine.kernel.secrets import seen_by
from pbem.mail.parser import parse_message
from pbem.narration import facts as f
from pbem.narration.document import parse_blocks
from pbem.narration.html_body import render_html
from pbem.narration.letters import Rendered, render
from tests.budget import budget
from tests.narration.cases import A, Case, cases

HINT = {"en": "Tap an underlined line", "fr": "Touchez une ligne soulignée"}
MOST = 2_000
"""Signs of an address that every mail program opens."""


def links(page: str) -> list[tuple[str, str]]:
    """Each address that opens an email with something in it, and the text that is touched."""
    found = re.findall(r'<a class="link"[^>]* href="(mailto:[^"]*body=[^"]*)">([^<]*)</a>', page)
    return [(unescape(address), unescape(said)) for address, said in found]


def opened(address: str) -> tuple[str, str, list[str]]:
    """Whom a mail program writes to, under which subject, and the lines that it shows (RFC 6068)."""
    parts = urlsplit(address)
    fields = dict(field.split("=", 1) for field in parts.query.split("&"))
    return unquote(parts.path), unquote(fields["subject"]), unquote(fields["body"]).split("\r\n")


def asked(case: Case, language: str) -> Iterator[tuple[Rendered, f.ReportFacts]]:
    """A letter to the first seat for each question that it is asked, few in short runs."""
    kinds = set[str]()
    for at in range(len(case.entries())):
        if len(kinds) >= budget(3, 99):
            return
        owed = [d for d in case.view(A, at).core.questions if d.seat == A and d.blocking]
        if owed and not kinds.issuperset(d.topic for d in owed):
            kinds.update(d.topic for d in owed)
            facts = f.ReportFacts(
                case.frame(A, language), case.view(A, at), questions=tuple(f.OpenQuestion(d) for d in owed)
            )
            yield render(facts), facts


@pytest.mark.parametrize("case", cases(), ids=str)
@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.night)])
def test_what_a_line_opens_is_accepted_and_opened_by_any_program(case: Case, language: str) -> None:
    """It goes to the letter's own reply address, its subject is kept, and what is not covered counts as it stands."""
    lines = 0
    for letter, facts in asked(case, language):
        found = links(letter.html)
        assert bool(found) == (HINT[language] in letter.html)
        assert HINT[language] not in letter.text
        with seen_by(A):
            grammar = build_grammar(case.rules, facts.after, A, language)
        for address, touched in found:
            assert len(address) < MOST
            assert address.isascii()
            to, subject, body = opened(address)
            assert (to, subject) == (facts.frame.links.answer, f"Re: {letter.subject}")
            assert touched in letter.orders.split("\n")
            read = read_again(to, subject, body)
            assert read == tuple(body)
            got = parse_letter(read, grammar)
            assert (got.skipped, got.unmatched, got.commands) == ((), (), ()), body
            wrong = [line.problem for written in got.sets.values() for line in written.lines if line.problem]
            assert not wrong, body
            lines += len(body)
    assert lines > 1


def read_again(to: str, subject: str, body: list[str]) -> tuple[str, ...]:
    """The lines that are read of an email which a mail program made of a link."""
    head = f"From: a@b.example\r\nTo: {to}\r\nSubject: x\r\nMessage-ID: <1@b.example>\r\n"
    head += "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    return parse_message((head + "\r\n".join(body)).encode(), domain="x.example").lines


TEMPLATE = "@lead Do it.\n@tap Tap.\n@o ; How to answer.\n{parts}\n@o FIN\n@rule\n@small x"


def page(parts: str, answer: str = "o+t@x.example") -> str:
    """A letter with these lines in its template."""
    return render_html(parse_blocks(TEMPLATE.format(parts=parts)), "fr", "[Rose] Tour 3 : à vous", answer)


def test_accents_arrive_as_they_were_written() -> None:
    """In the subject and in the lines, in UTF-8."""
    [(address, _)] = links(page("@o ; --- Été\n@o1 ; ATTAQUER Forêt-Noire à l'œil & « 100 % » + 1"))
    assert opened(address) == (
        "o+t@x.example",
        "Re: [Rose] Tour 3 : à vous",
        ["ATTAQUER Forêt-Noire à l'œil & « 100 % » + 1", "FIN"],
    )
    assert "+" not in address.partition(":")[2]


def test_a_plan_is_sent_whole_and_of_a_set_the_lines_are_chosen() -> None:
    """One email for lines that belong together: a second one would replace the first."""
    found = links(page("@o+ ; --- plan\n@o ; A\n@o ; B\n@o; ; --- set\n@o ; C\n@o ; D"))
    assert [(said, opened(address)[2]) for address, said in found] == [
        ("; --- plan", ["A", "B", "FIN"]),
        ("; --- set", ["; --- set", "; C", "; D", "FIN"]),
    ]


def test_what_is_too_long_for_a_link_is_none() -> None:
    """Nor does a letter that takes no orders, or none by mail, speak of links."""
    assert links(page("@o1 ; " + "é" * 340)) == []
    assert "Tap." not in page("@o1 ; " + "é" * 340)
    assert "Tap." not in page("@o1 ; A", "")
    assert len(links(page("@o1 ; " + "é" * 100))) == 1


def test_a_template_line_that_was_a_link_is_read_without_its_address() -> None:
    """Outlook writes the address of a link behind its text when it makes plain text of a letter that it quotes."""
    [(address, said)] = links(page("@o1 ; BID 3"))
    assert read_again("o+t@x.example", "x", [f"{said[2:]}<{address}>", f"BID 4 <{address}>"]) == ("BID 3", "BID 4")
