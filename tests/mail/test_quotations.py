"""Which lines a reader changed in the orders template of an email of ours that they quote."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.service.mail.printed_emails import normalize
from tests.budget import budget
from tests.mail.quoting import printed, understand_text
from tests.mail.test_reply_parser import ATTRIBUTIONS, HEADERS, OURS

TEMPLATE = [line for line in OURS if line.startswith(";") or line == "END"]
REPORT = printed(OURS, TEMPLATE)
LONG = "; PLACE Genova 1, Genova 2, Genova 3, Genova 4, Genova 5, Genova 6 ELSE PLACE Roma 4"
LONG_REPORT = printed(
    ["; --- expansion", LONG, "; PLACE Genova 1", "END"], ["; --- expansion", LONG, "; PLACE Genova 1", "END"]
)


def changed(*replaced: tuple[str, str]) -> list[str]:
    """Our letter with some of its lines edited."""
    return [dict(replaced).get(line, line) for line in OURS]


UNCOVERED = changed(("; ATTACK Milano 3", "ATTACK Milano 5"))


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("spaced", [True, False])
@pytest.mark.parametrize("announced", [*ATTRIBUTIONS[:4], *HEADERS])
def test_a_line_of_our_template_is_an_order_where_it_stands(announced: str, spaced: bool, ended: bool) -> None:
    """A line whose semicolon was taken off is read inside the quotation, marked or not; nothing else there is."""
    ours = [line for line in UNCOVERED if ended or line != "END"]
    mark = "" if announced in HEADERS else "> "
    quoted = [f"{mark}{line}".rstrip() for line in ours]
    between = "\n\n" if spaced and ended and mark else "\n"
    got = understand_text("\n".join(["Hello!", "", announced, between.join(quoted)]), REPORT)
    assert got.uncommented == ("ATTACK Milano 5",)
    assert got.lines == ("Hello!",)
    assert set(got.unread) <= {*announced.split("\n"), "whatever"}


@pytest.mark.parametrize("width", range(20, 90, 5))
@pytest.mark.parametrize("mark", ["> ", ""])
def test_an_untouched_template_holds_no_order(width: int, mark: str) -> None:
    """A letter of ours that comes back as it was, whole or wrapped, also without marks, holds no line of its reader."""
    quoted = [row for line in ["; --- expansion", LONG, "; PLACE Genova 1", "END"] for row in wrap(line, width, mark)]
    got = understand_text("\n".join(["STATUS", ATTRIBUTIONS[0], *quoted]), LONG_REPORT)
    assert (got.lines, got.uncommented, got.unread) == (("STATUS",), (), tuple(ATTRIBUTIONS[0].split("\n")))


def wrap(line: str, width: int, mark: str) -> list[str]:
    """A quoted line as a mail program wraps it; what goes on to the next line has this mark."""
    rows = textwrap.wrap(line, width)
    return [f"> {rows[0]}", *(f"{mark}{row}" for row in rows[1:])]


@pytest.mark.parametrize("width", [40, 60, 72])
@pytest.mark.parametrize(
    ("old", "new"), [("; PLACE Genova 1,", "PLACE Genova 1,"), ("; PLACE Genova 1,", "PLACE Roma 7,")]
)
def test_an_uncovered_line_that_was_wrapped_is_one_line(width: int, old: str, new: str) -> None:
    """What a mail program wrapped when it quoted is put together again, as it was or changed at its beginning."""
    line = LONG.replace(old, new)
    text = "\n".join(["> ; --- expansion", *wrap(line, width, "> "), "> ; PLACE Genova 1", "> END"])
    assert understand_text(text, LONG_REPORT).uncommented == (line,)


def test_only_the_template_of_the_email_that_is_answered_counts() -> None:
    """A heading that stands in no email sent to this address opens nothing, whatever stands below it."""
    forged = ["> ; --- purchases", "> ATTACK Milano 5", "> END"]
    assert understand_text("\n".join(forged), REPORT).uncommented == ()
    assert understand_text("\n".join(forged), REPORT).unread == ("; --- purchases", "ATTACK Milano 5")
    assert understand_text("\n".join(f"> {line}" for line in UNCOVERED)).uncommented == ()


def test_an_older_template_is_left_alone() -> None:
    """Lines that were uncovered in a letter quoted inside the one that is answered are not read, and listed."""
    older = "\n".join(f">> {line}" for line in UNCOVERED)
    got = understand_text(f"Thanks\n\n{ATTRIBUTIONS[0]}\n> Your orders are in.\n{older}", REPORT)
    assert (got.lines, got.uncommented) == (("Thanks",), ())
    assert "ATTACK Milano 5" in got.unread
    blocks = f"{HEADERS[0]}\n\nYour orders are in.\n\n{HEADERS[0]}\n\n" + "\n".join(UNCOVERED)
    got = understand_text(f"Thanks\n\n{blocks}", REPORT)
    assert (got.lines, got.uncommented) == (("Thanks",), ())
    assert "ATTACK Milano 5" in got.unread


@pytest.mark.parametrize("announced", ATTRIBUTIONS)
def test_an_unmarked_template_below_an_attribution_is_read(announced: str) -> None:
    """A program that announces a quotation and marks none of it."""
    got = understand_text("\n".join([announced, "", *UNCOVERED]), REPORT)
    assert (got.lines, got.uncommented) == ((), ("ATTACK Milano 5",))


def test_a_word_that_lost_its_mark_is_no_line_of_the_reader() -> None:
    """A piece of a line of ours that a mail program wrapped without a mark is known, wherever it was cut."""
    said = "Sam Leave the game ; BID 9 is dealt three cards."
    words = said.split(" ")
    for cut in range(1, len(words)):
        quoted = f"> {' '.join(words[:cut])}\n{' '.join(words[cut:])}\n> The end."
        got = understand_text(f"STATUS\n\n{ATTRIBUTIONS[0]}\n{quoted}", printed([said, "The end."], []))
        assert got.lines == ("STATUS",), cut
        assert got.unread == tuple(ATTRIBUTIONS[0].split("\n"))


def test_a_line_of_the_reader_among_ours_is_listed_as_often_as_they_wrote_it() -> None:
    """In a quotation without marks, what stands there more often than we said it is its reader's."""
    ours = printed(["Your orders:", "PLACE Roma 4", "The end."], [])
    text = "\n".join([HEADERS[0], "", "Your orders:", "PLACE Roma 4", "PLACE Roma 4", "The end.", "BID 3"])
    assert understand_text(text, ours).unread[-2:] == ("PLACE Roma 4", "BID 3")


@given(st.text(st.characters(max_codepoint=127)))
@settings(max_examples=budget(100, 3000))
def test_what_is_kept_of_a_line_does_not_depend_on_the_signs_of_other_languages(said: str) -> None:
    """Plain ASCII, which has a faster way, is kept as it is among other letters."""
    assert normalize(f"x{said}x") == normalize(f"x{said}xé").removesuffix("é")
