"""The HTML shape of a letter: the call first with its one button, then a card for each part, good in light and dark.

The look is the sheet `letter.css`.  Its rules are written into the opening tags of all pieces once in a process, for
many mail programs read no sheet; nothing of it is done again for a letter, and nothing is loaded from anywhere.
"""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Final
from urllib.parse import quote

from pbem.narration.document import Block, runs, wrap_quoted
from pbem.narration.folders import template_root

_METAS: Final = (
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">'
)
_SAMPLE: Final = (
    '<body class="back"><div class="page"><div class="call"></div><div class="part"></div><div class="board"></div>'
    '<div class="foot"></div><p class="lead"></p><h2 class="h"></h2><h3 class="h2"></h3><p class="p"></p>'
    '<ul class="list"><li class="item"></li></ul><div class="wide"><table class="grid"><tbody><tr class="line">'
    '<th class="head"></th><td class="name"></td><td class="cell"><span class="tag"></span></td></tr></tbody></table>'
    '</div><div class="stack"></div><pre class="copy"></pre><p class="said"></p>'
    '<p class="go"><a class="button"></a></p><p class="way"><a class="link"></a></p><img class="picture">'
    '<p class="small"></p></div></body>'
)
"""Every piece of a letter once."""
_TAG: Final = re.compile(r'<(?!style)\w+ class="(\w+)"[^>]*(?=>)')


@cache
def _theme() -> tuple[str, Mapping[str, str]]:
    """The rules that only a head can hold, and of each piece the opening tag with its rules in place, but its end.

    What inlines is loaded here and not above: a process that writes no letter does not need it.
    """
    from css_inline import CSSInliner

    sheet = (template_root() / "letters" / "letter.css").read_text(encoding="utf-8")
    drawn = CSSInliner(keep_at_rules=True, minify_css=True).inline(
        f"<html><head><style>{sheet}</style></head>{_SAMPLE}</html>"
    )
    head = " ".join(drawn[drawn.index("<style>") : drawn.index("</style>")].split()) + "</style>"
    return head, {tag[1]: tag[0] for tag in _TAG.finditer(drawn)}


def _open_tag(piece: str, more: str = "") -> str:
    return f"{_theme()[1][piece]}{more}>"


def render_html(blocks: Sequence[Block], language: str, title: str, answer: str = "") -> str:
    """The content of a letter as HTML: each word of the text, and the pictures.

    `answer`: the address that orders go to; lines of the template then open an email to it that holds them.
    """
    said = "".join(_part(part) for part in _parts(_call_first(_with_answers(blocks, title, answer))))
    return (
        f'<!doctype html><html lang="{language}"><head>{_METAS}<title>{html.escape(title)}</title>{_theme()[0]}</head>'
        f"{_open_tag('back')}{_open_tag('page')}{said}</div></body></html>\n"
    )


def _call_first(blocks: Sequence[Block]) -> Sequence[Block]:
    """The first call stands below what the letter opens with, and is its only button: any other is a link."""
    at = next((n for n, block in enumerate(blocks) if block.kind == "call"), None)
    if at is None:
        return blocks
    opened = next((n for n, block in enumerate(blocks) if n and block.kind in _OPENING), len(blocks))
    order = list(blocks)
    if at > opened:
        order.insert(opened, order.pop(at))
    first = min(at, opened)
    return [*order[: first + 1], *(Block("link", b.cells) if b.kind == "call" else b for b in order[first + 1 :])]


_MAILTO: Final = 2_000
"""No longer address of a link is opened by every mail program."""


def _with_answers(blocks: Sequence[Block], subject: str, answer: str) -> Sequence[Block]:
    """Lines of the template with the address of the email that each opens, and what says so; without any, neither."""
    orders = [n for n, block in enumerate(blocks) if block.kind == "order"] if answer else []
    linked = list(blocks)
    for place, at in enumerate(orders):
        said, mark = blocks[at].cells
        below = [blocks[n].cells[0] for n in orders[place + 1 :]]
        lines = list(takewhile(_is_offered, below))
        body = {"o1": [said[2:]], "o+": [line[2:] for line in lines], "o;": [said, *lines]}.get(mark)
        if body is not None:
            address = compose(answer, subject, [*body, below[-1]])
            linked[at] = Block("order", (said, address if len(address) < _MAILTO else ""))
    if not any(block.kind == "order" and block.cells[1].startswith("mailto:") for block in linked):
        return [block for block in linked if block.kind != "tap"]
    return linked


def _is_offered(line: str) -> bool:
    return line.startswith("; ") and not line.startswith("; ---")


def compose(address: str, subject: str, lines: Sequence[str]) -> str:
    """The address of an email with a subject and lines (RFC 6068); the last line ends the orders."""
    body = quote("\r\n".join(lines), safe="")
    return f"mailto:{quote(address, safe='@')}?subject={quote(f'Re: {subject}', safe='')}&body={body}"


_OPENING: Final = ("title", "picture", "rule")
"""Blocks that begin a part."""


def _parts(blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks that belong on one card."""
    parts: list[list[Block]] = []
    for block in blocks:
        if not parts or block.kind in _OPENING or parts[-1][-1].kind == "picture":
            parts.append([])
        parts[-1].append(block)
    return parts


def _part(blocks: list[Block]) -> str:
    kind = blocks[0].kind
    card = {"rule": "foot", "picture": "board", "lead": "call"}.get(kind, "part")
    return f"{_open_tag(card)}{''.join(_PIECES[kind](run) for kind, run in runs(blocks))}</div>"


def _tags(piece: str, closed: str) -> Callable[[list[Block]], str]:
    return lambda run: _each_block(piece, [block.cells[0] for block in run], closed)


def _each_block(piece: str, said: Sequence[str], closed: str) -> str:
    """A piece for each of several texts, all made safe at once: no text of a block holds a line end."""
    opened = _open_tag(piece)
    return f"{opened}{html.escape(_END.join(said)).replace(_END, closed + opened)}{closed}"


_END: Final = "\n"


def _items(run: list[Block]) -> str:
    return f"{_open_tag('list')}{_each_block('item', [block.cells[0] for block in run], '</li>')}</ul>"


def _table(run: list[Block]) -> str:
    heads = run[0].cells
    if run[0].kind == "head" and len(heads) > _NARROW and all(len(block.cells) == len(heads) for block in run):
        around, rows = "stack", [_row(run[0]), *(_sentence(heads, block) for block in run[1:])]
    else:
        around, rows = "wide", [_row(block) for block in run]
    scrolling = _open_tag(around, ' tabindex="0"')  # by itself, where it is wider than the screen
    return f"{scrolling}{_open_tag('grid')}{''.join(rows)}</table></div>"


_NARROW: Final = 6
"""So many columns a small screen takes.  Of more it shows each row as some lines, each figure with its word."""


def _sentence(heads: Sequence[str], block: Block) -> str:
    """A row in which each figure has the word of its column before it, which large screens hide."""
    name, *rest = map(html.escape, block.cells)
    opened = _open_tag("cell") + _open_tag("tag")
    cells = (f"{opened}{html.escape(head)} </span>{said}</td>" for head, said in zip(heads[1:], rest, strict=True))
    return f"{_open_tag('line')}{_open_tag('name')}{name}</td>{''.join(cells)}</tr>"


def _row(block: Block) -> str:
    piece, closed = ("head", "</th>") if block.kind == "head" else ("cell", "</td>")
    return f"{_open_tag('line')}{_each_block(piece, block.cells, closed)}</tr>"


def _links(run: list[Block]) -> str:
    return "".join(f"{_open_tag('way')}{_link('link', block)}</p>" for block in run)


def _call(run: list[Block]) -> str:
    return f"{_open_tag('go')}{_link('button', run[0])}</p>"


def _link(piece: str, block: Block) -> str:
    address, label = html.escape(_address(block.cells[1])), html.escape(_label(block.cells[0]))
    tag = _open_tag(piece, f' href="{address}"')
    return f"{tag}{label}</a>"


def _label(said: str) -> str:
    """What is to be clicked on, without the colon that stands before an address in text."""
    return said.rstrip(":\u00a0 ")


def _address(address: str) -> str:
    """Web addresses and mail addresses only: a link leads nowhere else."""
    if address.startswith(("https://", "http://", "mailto:")):
        return address
    return f"mailto:{address}"


def _quoted(run: list[Block]) -> str:
    lines = [line for block in run for line in wrap_quoted(block.cells[0])]
    return f"{_open_tag('said')}{'<br>'.join(map(html.escape, lines))}</p>"


def _raw(run: list[Block]) -> str:
    return _open_tag("copy") + "\n".join(html.escape(b.cells[0]) for b in run) + "</pre>"


def _orders(run: list[Block]) -> str:
    return _open_tag("copy") + "\n".join(map(_order, run)) + "</pre>"


def _order(block: Block) -> str:
    """A line of the template. What a link adds to it is no text, for a reply quotes the text."""
    line, address = html.escape(block.cells[0]), block.cells[1]
    if not address.startswith("mailto:"):
        return line
    tag = _open_tag("link", f' href="{html.escape(address)}"')
    return f"{tag}{line}</a>"


_WIDTH: Final = 616
"""Pixels inside a page, for mail programs that read no sheet and would show a picture at its full size."""


def _pictures(run: list[Block]) -> str:
    return "".join(
        _open_tag("picture", f' src="cid:{html.escape(b.cells[0])}" width="{_WIDTH}" alt="{html.escape(b.cells[1])}"')
        for b in run
    )


_PIECES: Final[Mapping[str, Callable[[list[Block]], str]]] = {
    "lead": _tags("lead", "</p>"),
    "title": _tags("h", "</h2>"),
    "subtitle": _tags("h2", "</h3>"),
    "paragraph": _tags("p", "</p>"),
    "item": _items,
    "row": _table,
    "said": _quoted,
    "verbatim": _raw,
    "order": _orders,
    "tap": _tags("small", "</p>"),
    "link": _links,
    "call": _call,
    "picture": _pictures,
    "small": _tags("small", "</p>"),
    "rule": lambda run: "",  # the foot is a part of its own
}
