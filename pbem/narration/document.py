"""One content, two shapes: what a letter template says, as text of 72 columns and as plain HTML.

A template writes one block a line, each begun by a mark; a line without one continues the block before it.  Values
put into it can hold neither line ends nor marks (`plain`), so nothing that a player wrote can become a block.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

COLUMNS: Final = 72
TABLE: Final = 60
_MARK, _CELL = "@", "¦"
_MARK_AWAY, _CELL_AWAY = "\ue000", "\ue001"
BACK: Final = str.maketrans({_MARK_AWAY: _MARK, _CELL_AWAY: _CELL})
"""Gives marks that stood in a value back to it, once the document is parsed."""
_CONTROL: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+")
_PRIVATE: Final = re.compile("[\\ue000-\\uf8ff\\ud800-\\udfff]")

KINDS: Final[Mapping[str, str]] = {
    "lead": "lead",  # the first screen
    "h": "title",
    "h2": "subtitle",
    "p": "paragraph",
    "-": "item",
    "!": "head",  # the head of a table
    "|": "row",
    ">": "verbatim",  # a line to read as it stands: never wrapped
    "o": "order",  # a line of the orders template: never wrapped, and given apart as well
    "a": "link",  # label ¦ address
    "img": "picture",  # content id ¦ what it shows
    "small": "small",
    "rule": "rule",
}


@dataclass(frozen=True)
class Block:
    """A piece of a letter: its kind and its cells (all but rows, links and pictures have one)."""

    kind: str
    cells: tuple[str, ...]


class Unmarked(Exception):
    """A template begins with a line that has no mark, or with one that is not known."""


class Cells(str):
    """Cells of a row, each made plain already, with the marks between them."""

    __slots__ = ()


def plain(value: object) -> object:
    """A value as a template may print it: on one line, without marks, without control characters."""
    if not isinstance(value, str) or isinstance(value, Cells):
        return value
    if not value.isprintable():
        value = _CONTROL.sub(" ", _PRIVATE.sub("", value))
    return value.replace(_MARK, _MARK_AWAY).replace(_CELL, _CELL_AWAY)


def cells(row: Sequence[str]) -> Cells:
    """The cells of a row for a template."""
    return Cells(_CELL.join(str(plain(cell)) for cell in row))


def parsed(written: str) -> tuple[Block, ...]:
    """The blocks of a rendered template; raises Unmarked."""
    blocks: list[Block] = []
    for line in written.split("\n"):
        said = line.strip(" ")
        if said.startswith(_MARK):
            mark, _, rest = said[1:].partition(" ")
            blocks.append(_block(mark, rest))
        elif said and not blocks:
            raise Unmarked(said[:40].translate(BACK))
        elif said:
            last = blocks[-1]
            blocks[-1] = replace(last, cells=(*last.cells[:-1], f"{last.cells[-1]} {said.translate(BACK)}".strip()))
    return tuple(block for block in blocks if block.kind == "rule" or any(block.cells))


def _block(mark: str, rest: str) -> Block:
    if mark not in KINDS:
        raise Unmarked(f"@{mark}")
    cells = rest.split(_CELL) if mark in ("!", "|", "a", "img") else [rest]
    flat = rest if mark in (">", "o") else None
    return Block(KINDS[mark], (flat.translate(BACK),) if flat is not None else tuple(_cell(c) for c in cells))


def _cell(text: str) -> str:
    said = " ".join([part for part in text.split(" ") if part]) if "  " in text else text.strip(" ")
    return said.translate(BACK) if _MARK_AWAY in said or _CELL_AWAY in said else said


def orders(blocks: Sequence[Block]) -> str:
    """The orders template of a letter, for a reply box; empty where there is none."""
    return "\n".join(block.cells[0] for block in blocks if block.kind == "order")


# --- text


def as_text(blocks: Sequence[Block]) -> str:
    """Plain text, at most 72 columns wide but for lines to copy; tables at most 60."""
    parts: list[str] = []
    before = ""
    for kind, run in _runs([block for block in blocks if block.kind != "picture"]):
        parts += _gap(before, kind)
        parts += _TEXT[kind](run)
        before = kind
    return "\n".join(parts).strip("\n") + "\n"


def _runs(blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Blocks of one kind that belong together: the rows of a table, the items of a list."""
    run: list[Block] = []
    for block in blocks:
        family = _family(block)
        if run and (_family(run[0]) != family or block.kind == "head"):
            yield _family(run[0]), run
            run = []
        run.append(block)
    if run:
        yield _family(run[0]), run


def _family(block: Block) -> str:
    return "row" if block.kind == "head" else block.kind


_TOGETHER: Final = (
    ("paragraph", "item"),
    ("paragraph", "verbatim"),
    ("verbatim", "item"),
    ("small", "verbatim"),
    ("lead", "item"),
)


def _gap(before: str, kind: str) -> list[str]:
    if not before:
        return []
    if kind == "title":
        return ["", ""]
    follows = before in ("title", "subtitle") or (before, kind) in _TOGETHER
    return [] if follows else [""]


def _wrapped(text: str, first: str = "", rest: str = "", width: int = COLUMNS, cell: bool = False) -> list[str]:
    """Words on lines; a word longer than a line is cut.

    No line but the first begins with a word in capitals (but in a `cell`): sent back, it would read as an order.
    """
    if len(first) + len(text) <= width and "  " not in text:
        return [f"{first}{text}".rstrip(" ")]
    lines: list[str] = []
    line, empty = first, True
    pieces = _pieces(text, width - len(rest))
    for word in pieces if cell else _held(pieces):
        if not empty and len(line) + 1 + len(word) > width:
            lines.append(line)
            line, empty = rest, True
        line, empty = (line + word if empty else f"{line} {word}"), False
    lines.append(line.rstrip(" "))
    return lines


def _pieces(text: str, width: int) -> list[str]:
    """The words of a text, none longer than a line."""
    words = [word for word in text.split(" ") if word]
    if all(len(word) <= width for word in words):
        return words
    return [word[at : at + width] for word in words for at in range(0, len(word), width)]


def _held(pieces: list[str]) -> list[str]:
    """The words of a text, those in capitals kept with the word before."""
    held: list[str] = []
    for word in pieces:
        if held and word.isupper() and len(word.strip(".,:;!?()")) > 1:
            held[-1] += f" {word}"
        else:
            held.append(word)
    return held


def _text_each(first: str = "", rest: str = "") -> Callable[[list[Block]], list[str]]:
    return lambda run: [line for block in run for line in _wrapped(block.cells[0], first, rest)]


def _text_paragraphs(run: list[Block]) -> list[str]:
    lines: list[str] = []
    for n, block in enumerate(run):
        lines += ([""] if n else []) + _wrapped(block.cells[0])
    return lines


def _text_title(run: list[Block]) -> list[str]:
    said = run[-1].cells[0].upper()
    return [said, "-" * min(len(said), COLUMNS)]


def _text_links(run: list[Block]) -> list[str]:
    return [line for block in run for line in _link(*block.cells[:2])]


def _link(label: str, address: str) -> list[str]:
    whole = f"{label} {address}"
    return [whole] if len(whole) <= COLUMNS else [*_wrapped(label), f"  {address}"]


def _text_table(run: list[Block]) -> list[str]:
    """Columns as wide as their widest cell; where that is too much, the widest ones give way and wrap."""
    columns = max(len(block.cells) for block in run)
    grid = [[*block.cells, *[""] * (columns - len(block.cells))] for block in run]
    widths = _widths(grid, columns)
    right = [
        all(_number(row[c]) for row, block in zip(grid, run, strict=True) if block.kind == "row")
        for c in range(columns)
    ]
    lines: list[str] = []
    for row, block in zip(grid, run, strict=True):
        lines += _table_row(row, widths, right)
        if block.kind == "head":
            lines.append("-" * (sum(widths) + 2 * (columns - 1)))
    return [line.rstrip() for line in lines]


def _widths(grid: list[list[str]], columns: int) -> list[int]:
    widths = [max(len(row[c]) for row in grid) for c in range(columns)]
    least = [max(len(word) for row in grid for word in (row[c].split(" ") or [""])) for c in range(columns)]
    while sum(widths) + 2 * (columns - 1) > TABLE:
        able = [c for c in range(columns) if widths[c] > max(least[c], 4)]
        if not able:
            break
        widths[max(able, key=lambda c: widths[c])] -= 1
    return widths


def _number(cell: str) -> bool:
    return not cell.strip("-−+0123456789 ") or cell == "?"


def _table_row(row: list[str], widths: list[int], right: list[bool]) -> list[str]:
    cells = [_wrapped(cell, width=max(width, 1), cell=True) for cell, width in zip(row, widths, strict=True)]
    lines = []
    for n in range(max(len(cell) for cell in cells)):
        parts = [cell[n] if n < len(cell) else "" for cell in cells]
        lines.append("  ".join(p.rjust(w) if r else p.ljust(w) for p, w, r in zip(parts, widths, right, strict=True)))
    return lines


def _text_as_is(run: list[Block]) -> list[str]:
    return [block.cells[0] for block in run]


_TEXT: Final[Mapping[str, Callable[[list[Block]], list[str]]]] = {
    "lead": _text_each(),
    "title": _text_title,
    "subtitle": lambda run: [line for block in run for line in _wrapped(block.cells[0])],
    "paragraph": _text_paragraphs,
    "item": _text_each("- ", "  "),
    "row": _text_table,
    "verbatim": _text_as_is,
    "order": _text_as_is,
    "link": _text_links,
    "small": _text_each(),
    "rule": lambda run: ["-" * COLUMNS],
}


# --- HTML

_FONT: Final = "font-family:Georgia,serif;font-size:16px;line-height:1.45;max-width:42em;margin:0 auto"
_MONO: Final = (
    "font-family:Menlo,Consolas,monospace;font-size:14px;padding:8px;margin:6px 0;"
    "white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #bbb;border-radius:4px"
)
_TD: Final = "padding:2px 8px 2px 0;vertical-align:top;font-size:15px"
_SMALL: Final = "font-size:13px;opacity:0.75;margin:2px 0;overflow-wrap:anywhere"
_HEAD: Final = (
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">'
)
"""No colour is set for text or ground, so a reader's dark mode turns both."""


def as_html(blocks: Sequence[Block], language: str, title: str) -> str:
    """The same content as plain HTML with styles in place; nothing is loaded from anywhere."""
    body = "".join(_HTML[kind](run) for kind, run in _runs(blocks))
    return (
        f'<!doctype html><html lang="{language}"><head>{_HEAD}<title>{html.escape(title)}</title></head>'
        f'<body style="margin:0;padding:12px"><div style="{_FONT}">{body}</div></body></html>\n'
    )


def _tags(opened: str, closed: str) -> Callable[[list[Block]], str]:
    return lambda run: "".join(f"{opened}{html.escape(block.cells[0])}{closed}" for block in run)


def _html_items(run: list[Block]) -> str:
    items = "".join(f"<li>{html.escape(block.cells[0])}</li>" for block in run)
    return f'<ul style="margin:4px 0;padding-left:20px">{items}</ul>'


def _html_table(run: list[Block]) -> str:
    rows = "".join(_html_row(block) for block in run)  # wide on a narrow screen: it scrolls by itself
    table = f'<table style="border-collapse:collapse">{rows}</table>'
    return f'<div tabindex="0" style="overflow-x:auto;margin:6px 0">{table}</div>'


def _html_row(block: Block) -> str:
    tag = "th" if block.kind == "head" else "td"
    style = f"{_TD};text-align:left;border-bottom:1px solid #bbb" if tag == "th" else _TD
    return "<tr>" + "".join(f'<{tag} style="{style}">{html.escape(c)}</{tag}>' for c in block.cells) + "</tr>"


def _html_links(run: list[Block]) -> str:
    links = ((html.escape(_address(b.cells[1])), html.escape(_label(b.cells[0]))) for b in run)
    return "".join(f'<p style="margin:4px 0"><a href="{address}">{label}</a></p>' for address, label in links)


def _label(said: str) -> str:
    """What is to be clicked on, without the colon that stands before an address in text."""
    return said.rstrip(":\u00a0 ")


def _address(address: str) -> str:
    """Web addresses and mail addresses only: a link leads nowhere else."""
    if address.startswith(("https://", "http://")):
        return address
    return f"mailto:{address}"


def _html_as_is(run: list[Block]) -> str:
    return f'<pre style="{_MONO}">' + "\n".join(html.escape(b.cells[0]) for b in run) + "</pre>"


def _html_pictures(run: list[Block]) -> str:
    return "".join(
        f'<p><img src="cid:{html.escape(b.cells[0])}" alt="{html.escape(b.cells[1])}" style="max-width:100%"></p>'
        for b in run
    )


_HTML: Final[Mapping[str, Callable[[list[Block]], str]]] = {
    "lead": _tags('<p style="margin:4px 0;font-weight:bold">', "</p>"),
    "title": _tags('<h2 style="font-size:18px;margin:18px 0 4px">', "</h2>"),
    "subtitle": _tags('<h3 style="font-size:16px;margin:10px 0 2px">', "</h3>"),
    "paragraph": _tags('<p style="margin:4px 0">', "</p>"),
    "item": _html_items,
    "row": _html_table,
    "verbatim": _html_as_is,
    "order": _html_as_is,
    "link": _html_links,
    "picture": _html_pictures,
    "small": _tags(f'<p style="{_SMALL}">', "</p>"),
    "rule": lambda run: '<hr style="border:0;border-top:1px solid #bbb">',
}
