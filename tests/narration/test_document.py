"""One content in two shapes: columns, tables, HTML, and values that can never become a block."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, StrictUndefined

from pbem.narration.document import (
    COLUMNS,
    TABLE,
    Block,
    MalformedTemplate,
    as_text,
    cells,
    extract_orders,
    parse_blocks,
    to_plain,
)
from pbem.narration.html_body import render_html

ENV = Environment(undefined=StrictUndefined, autoescape=False, finalize=to_plain)
ENV.filters["cells"] = cells
PAGE = ENV.from_string(
    "@lead {{ v }}\n@h {{ v }}\n@p so {{ v }}\n  goes on {{ v }}\n@- {{ v }}\n@| {{ [v, 2] | cells }}\n@> {{ v }}\n"
)


@given(st.text(max_size=200))
def test_a_value_never_becomes_a_block(value: str) -> None:
    """Whatever a player writes or is called, the letter has the blocks of its template and no others."""
    kinds = [block.kind for block in parse_blocks(PAGE.render(v=value + "x"))]
    assert kinds == ["lead", "title", "paragraph", "item", "row", "verbatim"]


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="\u00a0"), max_size=300))
def test_text_is_at_most_72_columns_wide(value: str) -> None:
    """A phone and a terminal show the text as it was laid out."""
    text = as_text(
        parse_blocks(
            ENV.from_string("@lead {{ v }}\n@h T\n@p a {{ v }}\n@- b {{ v }}\n@small c {{ v }}").render(v=value)
        )
    )
    assert all(len(line) <= COLUMNS for line in text.split("\n"))


@pytest.mark.parametrize("before", range(30, 72))
def test_an_example_of_an_order_is_never_broken(before: int) -> None:
    """Cut before its first word or within, its rest would begin a line, and be read as an order when it comes back."""
    said = "x" * before + " with LEAVE THE GAME; only the game master removes you."
    lines = as_text([Block("paragraph", (said,))]).split("\n")
    assert any("with LEAVE THE GAME;" in line for line in lines)


@given(st.lists(st.lists(st.text(alphabet="abcdé ", max_size=40), min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_table_is_at_most_60_columns_wide_and_loses_no_word(rows: list[list[str]]) -> None:
    """Cells wrap where the table would be too wide."""
    filled = [[f"{cell} x" for cell in row] for row in rows]
    words = [max((len(w) for row in filled for w in row[c].split()), default=1) for c in range(3)]
    text = as_text([Block("row", tuple(row)) for row in filled])
    if sum(words) + 4 <= TABLE:
        assert all(len(line) <= TABLE for line in text.split("\n"))
    assert sorted(text.split()) == sorted(" ".join(cell for row in filled for cell in row).split())


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.tags: list[str] = []

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_endtag(self, tag: str) -> None:
        self.said.append(" ")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=60))
def test_html_says_the_same_and_escapes_what_it_says(value: str) -> None:
    """Nothing that is written becomes a tag; every word of the text is in the page."""
    blocks = parse_blocks(ENV.from_string("@p {{ v }}\n@- {{ v }}\n@> {{ v }}").render(v=value))
    page = _Text()
    page.feed(render_html(blocks, "fr", "t"))
    assert page.tags == ["html", "head", *["meta"] * 4, "title", "style", "body", *["div"] * 2, "p", "ul", "li", "pre"]
    sheet = page.said[2]
    assert "".join(page.said).replace(sheet, "").split() == [
        "t",
        *(word for block in blocks for word in block.cells[0].split()),
    ]


def test_links_lead_to_pages_and_mailboxes_only() -> None:
    """An address is a web or mail address, never a script."""
    page = render_html(
        parse_blocks("@a Page:¦https://x.example/g\n@a Answer:¦o+abc@x.example\n@a Bad:¦javascript:alert(1)"), "en", "t"
    )
    assert re.findall(r'href="([^"]*)"', page) == [
        "https://x.example/g",
        "mailto:o+abc@x.example",
        "mailto:javascript:alert(1)",
    ]


def test_a_template_without_a_mark_is_refused() -> None:
    """A forgotten mark is found when the letter is rendered, with the words that lack it."""
    with pytest.raises(MalformedTemplate, match="Hello"):
        parse_blocks("Hello\n@p there")
    with pytest.raises(MalformedTemplate, match="@nonsense"):
        parse_blocks("@nonsense there")


def test_numbers_stand_to_the_right_in_a_table() -> None:
    """Numbers are aligned by their last digit."""
    text = as_text(parse_blocks("@! Power¦Cash\n@| Venezia¦5\n@| Genoa¦120"))
    assert text == "Power    Cash\n-------------\nVenezia     5\nGenoa     120\n"


def test_the_orders_template_can_be_had_alone() -> None:
    """The template alone fills a reply box."""
    assert extract_orders(parse_blocks("@p x\n@o ; PLACE Roma 4\n@o END")) == "; PLACE Roma 4\nEND"


def test_a_line_to_copy_is_never_wrapped() -> None:
    """An order on two lines would be two orders."""
    line = "; ATTACK " + "Firenze " * 20
    assert line.strip() in as_text(parse_blocks(f"@o {line}")).split("\n")
