"""Pieces and notes on the map stand where names can still be read."""

from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from engine.age_of_renaissance.drawing import chart, layout, shapes
from engine.age_of_renaissance.drawing.holdings import Held, Holdings, changed, holdings, steps
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.bots import BotProfile
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.position import Position
from engine.kernel.secrets import redact
from engine.kernel.text_layout import common_box
from engine.kernel.viewers import PUBLIC, Seat
from tests import bot_games
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import BLUE, VIOLET, YELLOW

SEATS = tuple(Seat(f"s{n}") for n in range(1, 7))


def held(position: Position[Any]) -> Holdings:
    """What everybody sees lying where."""
    return holdings(RULES.present_view(redact(position, PUBLIC), PUBLIC))


@cache
def turns() -> tuple[Holdings, ...]:
    """A game of six players who know what they do, as its map stands at the beginning of each turn."""
    keen = BotProfile(
        suggested=95, random_share=0, passing=2, absent=0, unasked_share=0, eagerness=80, lines=8, tries=6
    )
    played = bot_games.played(RULES, SEATS, {}, b"map", keen)
    first: dict[int, Holdings] = {}
    for entry in played.entries:
        first.setdefault(RULES.turn(entry.after.position), held(entry.after.position))
    return tuple(first[turn] for turn in sorted(first))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_tokens_and_no_note_cover_the_name_of_a_province(language: Language) -> None:
    """From each turn to the next of a whole game, every name and every note of what has changed can be read."""
    noted = 0
    for before, now in zip(turns(), turns()[1:], strict=False):
        stood = tuple(layout.stacks(now, language, 6))
        said = {name: [" ".join(steps(was, now.get(name, ())))] for name, was in changed(before, now).items()}
        notes = tuple(layout.notes(said, now, stood, language, 6))
        noted += len(notes)
        named = {name: boxes[0] for name, boxes in chart.label_boxes(language, 6).items()}
        standing: tuple[layout.Stack | layout.Note, ...] = (*stood, *notes)
        for one in standing:
            assert not [name for name, box in named.items() if common_box(one.box, box)], one
        for n, note in enumerate(notes):
            assert not [other for other in standing[: len(stood) + n] if common_box(note.box, other.box)], note
            assert 0 <= note.box[0] < note.box[2] <= shapes.WIDE
    assert noted > 50


def test_three_owners_in_a_small_province_leave_its_neighbours_names_free() -> None:
    """Rows of tokens that would reach the next name go where there is room; others stay below their province."""
    position = build.game(6)
    build.piece(position, YELLOW, "roma", old=2, new=1)
    build.piece(position, VIOLET, "roma", new=2)
    build.piece(position, BLUE, "roma", old=1)
    build.piece(position, YELLOW, "toledo", old=2)
    stacks = {stack.province: stack for stack in layout.stacks(held(position), "fr", 6)}
    assert len(stacks["roma"].piles) == 4
    assert not [name for name, boxes in chart.label_boxes("fr", 6).items() if common_box(stacks["roma"].box, boxes[0])]
    assert (stacks["toledo"].across, stacks["toledo"].down) == (0, 0)


@pytest.mark.parametrize("count", range(1, 8))
def test_piles_of_a_province_stand_in_pairs_and_an_odd_one_in_the_middle(count: int) -> None:
    """However many piles a province has, none covers another, and each row is even about the province's middle."""
    pile = layout.Pile(Held("venezia", new=1), "new", 1)
    rows: dict[int, list[int]] = {}
    for _, x, y in layout.Stack("roma", (pile,) * count).spots:
        rows.setdefault(y, []).append(x - shapes.MIDDLES["roma"][0])
    assert sum(map(len, rows.values())) == count
    for across in rows.values():
        assert sum(across) == 0
        assert all(right - left >= layout.WIDE for left, right in pairwise(sorted(across)))
    assert all(below - above >= layout.HIGH for above, below in pairwise(sorted(rows)))


def test_another_order_of_the_same_pieces_is_no_change() -> None:
    """Views list pieces in order of play, which changes from turn to turn."""
    position = build.game(6)
    build.piece(position, YELLOW, "york", old=2)
    build.piece(position, VIOLET, "york", old=1)
    now = held(position)
    other = {name: tuple(reversed(lying)) for name, lying in now.items()}
    assert other != now
    assert changed(now, other) == {}
