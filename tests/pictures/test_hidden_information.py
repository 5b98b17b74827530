"""What a viewer may not know may be otherwise: every picture drawn for them stays the same, to the byte."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.bots import chooser
from engine.kernel.codec import dump
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.position import Position
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import preview_orders
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from tests import bot_games, invariants
from tests.budget import budget
from tests.every_game import cases

DRAWN = [title for title, rules in GAMES.items() if isinstance(rules, DrawsBoard)]
LOOKS = budget(2, 3)
"""At so many moments of a game, its last among them, the pictures are compared."""
SEAT = Seat("p2")

Worlds = tuple[Position[Any], Position[Any]]


@cache
def moments(title: str) -> tuple[Position[Any], ...]:
    """Positions of a game of four played by bots."""
    found = [entry.after.position for entry in bot_games.plain(cases()[title].rules).entries]
    return tuple(found[len(found) * n // LOOKS - 1] for n in range(1, LOOKS + 1))


def alike(title: str, viewer: Viewer) -> Iterator[tuple[Worlds, Worlds]]:
    """Pairs of worlds that a viewer cannot tell apart: at an earlier moment, and at a later one."""
    kind, before = cases()[title].kind, None
    for number, position in enumerate(moments(title)):
        worlds = (position, invariants.resampled(position, viewer, chooser(b"swap%d" % number), kind))
        yield before or worlds, worlds
        before = worlds


def view(rules: Rules[Any], position: Position[Any], viewer: Viewer) -> View:
    """What a viewer is shown of a world."""
    with seen_by(viewer):
        return rules.present_view(redact(position, viewer), viewer)


def meant(rules: Rules[Any], position: Position[Any], viewer: Viewer) -> View | None:
    """The view that a seat's first likely orders would lead to; None where nothing is asked of it."""
    asked = [one for one in position.core.questions if one.seat == viewer and one.blocking]
    if viewer == PUBLIC or not asked:
        return None
    with seen_by(viewer):
        lines = tuple(rules.suggest_orders(redact(position, viewer), asked[0]))[:3]
        return rules.present_view(preview_orders(rules, position, asked[0], lines).position, viewer)


def pictures(rules: Any, before: Position[Any], now: Position[Any], viewer: Viewer) -> Iterator[tuple[str, str]]:
    """Every kind of picture that is drawn for a viewer, by name: for letters, for pages, live, in parts, tried."""
    shown, old, after = view(rules, now, viewer), view(rules, before, viewer), meant(rules, now, viewer)
    yield "letter", rules.draw(shown, "fr", since=old, theme=Theme.LIGHT)
    yield "page", rules.draw(shown, "en", theme=Theme.DARK)
    yield "live", rules.draw(shown, "en", live=True)
    yield "tried", rules.draw(shown, "fr", preview=after, live=True)
    for number, crop in enumerate(rules.crops(shown)):
        yield f"part {crop}", rules.draw(shown, "fr", since=None if number else old, preview=after, crop=crop)


def find_differences(rules: Any, was: Worlds, now: Worlds, viewer: Viewer) -> list[str]:
    """The pictures that differ although their viewer knows the same."""
    both = (pictures(rules, before, after, viewer) for before, after in zip(was, now, strict=True))
    return [f"{name} for {viewer}" for (name, one), (_, other) in zip(*both, strict=True) if one != other]


def _marked(title: str, viewer: Viewer) -> Any:
    """A seat of each game, and the public of the smallest one; that of the others in long runs."""
    return pytest.param(title, viewer, marks=pytest.mark.long if viewer == PUBLIC and title != "toy" else ())


@pytest.mark.parametrize(
    ("title", "viewer"), [_marked(title, viewer) for title in (*DRAWN, "toy") for viewer in (SEAT, PUBLIC)]
)
def test_no_picture_tells_what_its_viewer_may_not_know(title: str, viewer: Viewer) -> None:
    """Hands, decks, dice and whatever is sealed trade places: pictures for letters and pages, whole and in parts, with
    changes marked and with orders tried, are the same bytes for viewers who do not know them.

    Two worlds that a viewer can tell apart give other pictures of every kind: finding none that differ says much.
    """
    rules, swapped = cases()[title].rules, 0
    for was, now in alike(title, viewer):
        swapped += dump(now[0]) != dump(now[1])
        assert find_differences(rules, was, now, viewer) == []
    assert swapped >= LOOKS - 1, "nothing was hidden, so that nothing is proved"
    first, last = moments(title)[0], moments(title)[-1]
    found = {name.split()[0] for name in find_differences(rules, (first, first), (first, last), viewer)}
    assert found == {name.split()[0] for name, _ in pictures(rules, first, last, viewer)}
