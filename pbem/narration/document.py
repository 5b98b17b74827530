"""One content, two shapes: what a letter template says, as text of 72 columns here and as HTML in `page`.

A template writes one block a line, each begun by a mark; a line without one continues the block before it.  Values
put into it can hold neither line ends nor marks (`to_plain`), so nothing that a player wrote can become a block.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

COLUMNS: Final = 72
QUOTED: Final = 60
"""Columns of other people's words: with marks before them, and more in an answer, no mail program wraps them."""
TABLE: Final = 60
_MARK, _CELL = "@", "¦"
_MARK_AWAY, _CELL_AWAY = "\ue000", "\ue001"
BACK: Final = str.maketrans({_MARK_AWAY: _MARK, _CELL_AWAY: _CELL})
"""Gives marks that stood in a value back to it, once the document is parsed."""
_CONTROL: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+")
_PRIVATE: Final = re.compile("[\\ue002-\\uf8ff\\ud800-\\udfff]")
"""Not the two marks that were put away: what a macro prints passes here twice."""

KINDS: Final[Mapping[str, str]] = {
    "lead": "lead",  # the first screen
    "h": "title",
    "h2": "subtitle",
    "p": "paragraph",
    "-": "item",
    "!": "head",  # the head of a table
    "|": "row",
    '"': "said",  # what a person wrote: each line begins with a mark, so that it is never read as an order
    ">": "verbatim",  # a line to read as it stands: never wrapped
    "o": "order",  # a line of the orders template: never wrapped, and given apart as well
    "o1": "order",  # likewise: a line that is an answer
    "o+": "order",  # likewise: the head of lines that are an answer together
    "o;": "order",  # likewise: the head of lines of which some are an answer
    "tap": "tap",  # how those are sent at a touch: in HTML only
    "a": "link",  # label ¦ address
    "go": "call",  # the same, for the one place where the letter leads: a button
    "img": "picture",  # content id ¦ what it shows
    "small": "small",
    "rule": "rule",
}


class Block(NamedTuple):
    """A piece of a letter: its kind and its cells (all but rows, links, calls, pictures and orders have one)."""

    kind: str
    cells: tuple[str, ...]


class MalformedTemplate(Exception):
    """A template begins with a line that has no mark, or with one that is not known."""


class Cells(str):
    """Cells of a row, each made plain already, with the marks between them."""

    __slots__ = ()


def to_plain(value: object) -> object:
    """A value as a template may print it: on one line, without marks, without control characters."""
    if not isinstance(value, str) or isinstance(value, Cells):
        return value
    if not value.isprintable():
        value = _CONTROL.sub(" ", _PRIVATE.sub("", value))
    return value.replace(_MARK, _MARK_AWAY).replace(_CELL, _CELL_AWAY)


def cells(row: Sequence[str]) -> Cells:
    """The cells of a row for a template."""
    return Cells(_CELL.join(str(to_plain(cell)) for cell in row))


def parse_blocks(written: str) -> tuple[Block, ...]:
    """The blocks of a rendered template; raises MalformedTemplate."""
    blocks: list[Block] = []
    for line in written.split("\n"):
        said = line.strip(" ")
        if said.startswith(_MARK):
            mark, _, rest = said[1:].partition(" ")
            blocks.append(_block(mark, rest))
        elif said and not blocks:
            raise MalformedTemplate(said[:40].translate(BACK))
        elif said:
            last = blocks[-1]
            blocks[-1] = Block(last.kind, (*last.cells[:-1], f"{last.cells[-1]} {said.translate(BACK)}".strip()))
    return tuple(block for block in blocks if block.kind == "rule" or any(block.cells))


def _block(mark: str, rest: str) -> Block:
    if mark not in KINDS:
        raise MalformedTemplate(f"@{mark}")
    if mark in _WITH_CELLS:
        return Block(KINDS[mark], tuple([_cell(cell) for cell in rest.split(_CELL)]))
    if mark in _ORDERS:
        return Block(KINDS[mark], (rest.translate(BACK), mark))
    return Block(KINDS[mark], (rest.translate(BACK) if mark == ">" else _cell(rest),))


_WITH_CELLS: Final = frozenset(("!", "|", "a", "go", "img"))
_ORDERS: Final = frozenset(("o", "o1", "o+", "o;"))


def _cell(text: str) -> str:
    said = " ".join([part for part in text.split(" ") if part]) if "  " in text else text.strip(" ")
    return said.translate(BACK) if _MARK_AWAY in said or _CELL_AWAY in said else said


def extract_orders(blocks: Sequence[Block]) -> str:
    """The orders template of a letter, for a reply box; empty where there is none."""
    return "\n".join(block.cells[0] for block in blocks if block.kind == "order")


def template_lines(blocks: Sequence[Block]) -> tuple[str, ...]:
    """The lines of a letter's text from the first to the last that is of its orders template."""
    places = [at for at, block in enumerate(blocks) if block.kind == "order"]
    return tuple(as_text(blocks[places[0] : places[-1] + 1]).strip("\n").split("\n")) if places else ()


def list_blocks(blocks: Sequence[Block]) -> tuple[str, ...]:
    """What each block says: of a row all cells, of a link and a picture the words."""
    return tuple(" ".join(block.cells[_SAID.get(block.kind, slice(1))]) for block in blocks)


_SAID: Final = {"row": slice(None), "head": slice(None), "picture": slice(1, 2)}
"""Which cells of a block are words, where that is not the first alone."""


# --- text


def as_text(blocks: Sequence[Block]) -> str:
    """Plain text, at most 72 columns wide but for lines to copy; tables at most 60."""
    parts: list[str] = []
    before = ""
    for kind, run in runs([_as_text(block) for block in blocks if block.kind not in ("picture", "tap")]):
        parts += _gap_before(before, kind)
        parts += _TEXT[kind](run)
        before = kind
    return "\n".join(parts).strip("\n") + "\n"


def runs(blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Blocks of one kind that belong together: the rows of a table, the items of a list."""
    run: list[Block] = []
    family = ""
    for block in blocks:
        if run and block.kind != family:  # a head begins a table, and what follows it are its rows
            yield family, run
            run = []
        if not run:
            family = "row" if block.kind == "head" else block.kind
        run.append(block)
    if run:
        yield family, run


def _as_text(block: Block) -> Block:
    """A call is a link like any other where there are no buttons."""
    return Block("link", block.cells) if block.kind == "call" else block


_TOGETHER: Final = (
    ("paragraph", "item"),
    ("paragraph", "verbatim"),
    ("paragraph", "said"),
    ("lead", "said"),
    ("verbatim", "item"),
    ("small", "verbatim"),
    ("lead", "item"),
)


def _gap_before(before: str, kind: str) -> list[str]:
    if not before:
        return []
    if kind == "title":
        return ["", ""]
    follows = before in ("title", "subtitle") or (before, kind) in _TOGETHER
    return [] if follows else [""]


def _wrap(text: str, first: str = "", rest: str = "", width: int = COLUMNS, cell: bool = False) -> list[str]:
    """Words on lines; a word longer than a line is cut.

    No line but the first begins with a word in capitals (but in a `cell`): sent back, it would read as an order.
    """
    if len(first) + len(text) <= width and "  " not in text:
        return [f"{first}{text}".rstrip(" ")]
    words, room = [word for word in text.split(" ") if word], width - len(rest)
    line = " ".join(words)
    if max(map(len, words), default=0) > room:
        line = " ".join([word[at : at + room] for word in words for at in range(0, len(word), room)])
    lines: list[str] = []
    begun = first
    while len(begun) + len(line) > width and (end := _end(line, width - len(begun), cell)) > 0:
        lines.append(begun + line[:end])
        begun, line = rest, line[end + 1 :]
    return [*lines, (begun + line).rstrip(" ")]


def _end(line: str, room: int, cell: bool) -> int:
    """Where words that do not fit are parted: the last blank in the room, else the first behind it; -1 for none."""
    end = line.rfind(" ", 0, room + 1)
    while end > 0 and not cell and _protect(line, end):
        end = line.rfind(" ", 0, end)
    if end > 0:
        return end
    end = line.find(" ", room + 1)
    while end > 0 and not cell and _protect(line, end):
        end = line.find(" ", end + 1)
    return end


_LISTED_CODE: Final = re.compile(r"[A-Z]{3}, [A-Z]{3}(?![^ .,;])")


def _protect(line: str, blank: int) -> bool:
    """Return True if the word behind a blank is kept with the word before: it stands in capitals.

    Not in a list of codes of three letters (`DEN, GRE, HOL`): no order begins with one behind another.
    """
    word = line[blank + 1 :].partition(" ")[0]
    return word.isupper() and len(word.strip(".,:;!?()")) > 1 and not _LISTED_CODE.match(line, max(blank - 4, 0))


def _text_each(first: str = "", rest: str = "") -> Callable[[list[Block]], list[str]]:
    return lambda run: [line for block in run for line in _wrap(block.cells[0], first, rest)]


def wrap_quoted(text: str) -> list[str]:
    """What a person wrote as lines that begin with the mark of a quotation."""
    return _wrap(text, "> ", "> ", QUOTED)


def _text_paragraphs(run: list[Block]) -> list[str]:
    lines: list[str] = []
    for n, block in enumerate(run):
        lines += ([""] if n else []) + _wrap(block.cells[0])
    return lines


def _text_title(run: list[Block]) -> list[str]:
    said = run[-1].cells[0].upper()
    return [said, "-" * min(len(said), COLUMNS)]


def _text_links(run: list[Block]) -> list[str]:
    return [line for block in run for line in _link(*block.cells[:2])]


def _link(label: str, address: str) -> list[str]:
    whole = f"{label} {address}"
    return [whole] if len(whole) <= COLUMNS else [*_wrap(label), f"  {address}"]


def _text_table(run: list[Block]) -> list[str]:
    """Columns as wide as their widest cell; where that is too much, the widest ones give way and wrap."""
    columns = max([len(block.cells) for block in run])
    grid = [block.cells + ("",) * (columns - len(block.cells)) for block in run]
    widths = _widths(grid, columns)
    rows = [row for row, block in zip(grid, run, strict=True) if block.kind == "row"]
    put = [str.rjust if all(_number(row[c]) for row in rows) else str.ljust for c in range(columns)]
    lines: list[str] = []
    for row, block in zip(grid, run, strict=True):
        lines += ["  ".join(map(_align, put, cells, widths)).rstrip() for cells in _table_row(row, widths)]
        if block.kind == "head":
            lines.append("-" * (sum(widths) + 2 * (columns - 1)))
    return lines


def _align(put: Callable[[str, int], str], cell: str, width: int) -> str:
    return put(cell, width)


def _widths(grid: list[tuple[str, ...]], columns: int) -> list[int]:
    widths = [max([len(row[c]) for row in grid]) for c in range(columns)]
    if sum(widths) + 2 * (columns - 1) <= TABLE:
        return widths
    least = [max(len(word) for row in grid for word in row[c].split(" ")) for c in range(columns)]
    while sum(widths) + 2 * (columns - 1) > TABLE:
        able = [c for c in range(columns) if widths[c] > max(least[c], 4)]
        if not able:
            break
        widths[max(able, key=lambda c: widths[c])] -= 1
    return widths


def _number(cell: str) -> bool:
    return not cell.strip("-−+0123456789 ") or cell == "?"


def _table_row(row: tuple[str, ...], widths: list[int]) -> Iterable[tuple[str, ...]]:
    """The lines of a row, of each its cells."""
    cells = [_wrap(cell, width=max(width, 1), cell=True) for cell, width in zip(row, widths, strict=True)]
    return zip_longest(*cells, fillvalue="")


def _text_as_is(run: list[Block]) -> list[str]:
    return [block.cells[0] for block in run]


_TEXT: Final[Mapping[str, Callable[[list[Block]], list[str]]]] = {
    "lead": _text_each(),
    "title": _text_title,
    "subtitle": lambda run: [line for block in run for line in _wrap(block.cells[0])],
    "paragraph": _text_paragraphs,
    "item": _text_each("- ", "  "),
    "row": _text_table,
    "said": lambda run: [line for block in run for line in wrap_quoted(block.cells[0])],
    "verbatim": _text_as_is,
    "order": _text_as_is,
    "link": _text_links,
    "small": _text_each(),
    "rule": lambda run: ["-" * COLUMNS],
}
