"""Letters as pages: the call first with one button, a card for each part, the look in each element."""

import re
from html.parser import HTMLParser

from pbem.narration.document import as_text, parse_blocks
from pbem.narration.html_body import _theme, render_html

LETTER = (
    "@lead Orders are due.\n@p Also waiting for Zoe.\n@img board@x¦The board\n@h What happened\n@- A ship sails.\n"
    "@rule\n@go Open your page:¦https://x.example/g\n@a Stop letters:¦https://x.example/u\n@small Entry 3."
)


def _classes(page: str) -> list[str]:
    """The pieces of a page in the order in which they are read."""
    return re.findall(r'class="(\w+)"', page)


def test_the_call_comes_first_with_the_only_button() -> None:
    """What is asked, then the button to the page, then the board, then the story; the foot has links alone."""
    page = render_html(parse_blocks(LETTER), "en", "t")
    pieces = _classes(page)
    assert pieces[:7] == ["back", "page", "call", "lead", "p", "go", "button"]
    assert pieces.count("button") == 1
    assert pieces.index("button") < pieces.index("board") < pieces.index("part") < pieces.index("foot")
    assert re.findall(r'<a class="(\w+)"[^>]*href="([^"]*)"', page) == [
        ("button", "https://x.example/g"),
        ("link", "https://x.example/u"),
    ]


def test_a_letter_that_asks_for_one_thing_has_its_button_for_that() -> None:
    """An invitation leads to a seat; its page is a link among the others."""
    page = render_html(
        parse_blocks("@lead Play!\n@go Take a seat:¦https://x.example/1\n@p Until Sunday.\n" + LETTER), "en", "t"
    )
    assert [said for said, _ in re.findall(r'class="button"[^>]*>([^<]*)<(/a)', page)] == ["Take a seat"]
    assert 'class="link"' in page
    assert page.index("Take a seat") < page.index("Until Sunday")


def test_text_has_the_page_where_it_always_was() -> None:
    """Where there are no buttons the page is told in the foot, in the words of the button."""
    assert (
        as_text(parse_blocks(LETTER))
        .rstrip()
        .endswith("Open your page: https://x.example/g\nStop letters: https://x.example/u\n\nEntry 3.")
    )


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_every_piece_has_its_look_in_its_own_tag_and_nothing_is_loaded() -> None:
    """Many mail programs read no sheet, and none is to tell anybody that a letter was opened."""
    read = _Elements()
    page = render_html(parse_blocks(LETTER + "\n@! A¦B\n@| 1¦2\n@> x\n@h2 y"), "en", "t")
    read.feed(page)
    named = [attrs for _, attrs in read.found if "class" in attrs]
    assert named
    assert all(attrs.get("style") for attrs in named)
    assert "url(" not in page
    assert [(attrs["src"], attrs["width"]) for tag, attrs in read.found if tag == "img"] == [("cid:board@x", "616")]
    assert not {tag for tag, _ in read.found} & {"link", "script", "iframe"}


def test_ground_and_ink_are_always_set_together() -> None:
    """A reader's dark mode that turns one of the two would leave words that cannot be read."""
    head, pieces = _theme()
    for name, tag in pieces.items():
        assert ("background:" not in tag) or ("color:" in tag.replace("background", "")) or name == "picture", name
    dark = head[head.index("prefers-color-scheme") :]
    grounds = [rule for rule in re.findall(r"\{([^{}]*)\}", dark) if "background:" in rule]
    assert grounds
    assert all(re.search(r"(?<!-)\bcolor:", rule) for rule in grounds)


WIDE = "@! Player¦Points¦Bread¦Bay¦Holds¦Docks¦Port\n@| Blue¦12¦2/6¦0¦1¦3¦4\n@| Red¦8¦3/6¦0¦0¦1¦3"


def test_each_figure_of_a_wide_table_has_its_word_for_small_screens() -> None:
    """There a row is some lines of words and figures; large screens hide these words, for they show the heads."""
    page = render_html(parse_blocks(WIDE), "en", "t")
    told = re.findall(
        r'<td class="cell"[^>]*><span class="tag"[^>]*style="[^"]*display: ?none[^>]*>(\w+) </span>', page
    )
    assert told == ["Points", "Bread", "Bay", "Holds", "Docks", "Port"] * 2
    assert re.findall(r'<td class="name"[^>]*>(\w+)</td>', page) == ["Blue", "Red"]
    assert _classes(page).count("head") == 7
    small = page[page.index("max-width") : page.index("</style>")].replace(" ", "")
    assert re.search(r"\.tag\{[^}]*display:inline!important", small)
    assert re.search(r"\.stack\.head\{[^}]*display:none!important", small)


def test_a_table_of_few_columns_is_one_on_every_screen() -> None:
    """Its figures stand under their heads; so they do where a row lacks some."""
    for said in ("@! Player¦Points\n@| Blue¦12", WIDE + "\n@| Green¦2"):
        page = render_html(parse_blocks(said), "en", "t")
        assert "tag" not in _classes(page)
        assert "stack" not in _classes(page)
