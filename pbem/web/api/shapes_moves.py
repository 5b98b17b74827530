"""The types of what is legal in answer to a question, a slot at a time."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from pbem.common.cpu_budget import MOST_LINES
from pbem.web.api.shapes import WrittenText

Key = Annotated[str, Meta(pattern="^[rs][0-9]{1,3}$", examples=["s0"], description="A question by its `key`.")]
FormNumber = Annotated[int, Meta(ge=0, le=99, description="The place of a form in its question, counted from 0.")]


class MovesRequest(Struct, forbid_unknown_fields=True):
    """What to look at. `lines`: those written so far, as in a letter; the answer is for a line more below them.

    Without `form`, every form of the question, each with the slot that one begins with. With `form`, the slot called
    `slot` (empty: the next one without a value), given `values` of the form: by slot a value, a list of them for
    `many`, an object of numbers for `amounts`, null for an optional slot that is left out. Of a list the answer is what
    may follow.
    `reasons`: also say why other values are refused.
    """

    question: Key
    lines: Annotated[list[WrittenText], Meta(max_length=MOST_LINES)] = []
    form: FormNumber | None = None
    values: Annotated[dict[str, Any], Meta(max_length=20)] = {}
    slot: Annotated[str, Meta(max_length=40)] = ""
    reasons: bool = False


class RefusedValue(Struct):
    """A value that is not legal, and why."""

    value: str | int
    reason: str


class SlotMoves(Struct):
    """What a slot can take. `stop`: why it cannot be left as it is (empty: it can).

    `likely`: the legal values that the game suggests, best first. `least`, `most`: how many things a list takes, as far
    as the game says (null: any number).
    """

    slot: str
    legal: list[str | int]
    likely: list[str | int]
    refused: list[RefusedValue]
    stop: str
    least: int
    most: int | None


class FormMoves(Struct):
    """A form. `reason`: why no order of it is legal with these values (empty: one is), where a list that is asked about
    may still grow. `slot`: null if none is left.

    `stop`: why the order with these values alone is not legal (empty: it is). `nothing`: the slots that may be left
    out, and can take nothing beside these values; of a form that was asked about.
    """

    form: int
    keyword: str
    reason: str
    stop: str
    slot: SlotMoves | None
    nothing: list[str] = []


class FigureChange(Struct):
    """One of your figures that an order would change."""

    title: str
    before: str
    after: str


class Moves(Struct):
    """What is legal below your lines, on the position after `entry`.

    With `form`: `line`, a legal line with these values (empty: none), the likeliest that the game suggests or else the
    shortest; its `values`; and what it would come to if nobody else moved and every draw were won: `figures` that
    change, and remarks.
    """

    game: str
    entry: int
    question: str
    forms: list[FormMoves]
    line: str = ""
    values: dict[str, Any] = {}
    figures: list[FigureChange] = []
    notes: list[str] = []
