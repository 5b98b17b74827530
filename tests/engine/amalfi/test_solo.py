"""Défis solo: reactions, thresholds and bands."""

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.catalogue import RIVAL
from engine.amalfi.phases.closing import EndPeriod
from engine.amalfi.phases.solo import band
from engine.kernel.events import Ended
from tests.engine.amalfi.build import (
    ANN,
    At,
    act,
    answer,
    dock,
    events_of,
    game,
    hand,
    light,
    place_characters,
    questions_in,
    queue,
    row,
    stow,
)


def alone(rival: str = "naples", period: int = 1) -> At:
    """A table of one: the rightmost artwork asks wine or wood and takes a character, the rightmost tile asks wood."""
    at = game(1, period=period, rival=rival)
    row(at, "atelier", "book01", "book02", "book04", "book05", "book03")
    row(at, "atlas", "pd06", "pd07", "pd08", "pd09", "pd10")
    return at


def test_after_a_navigation_the_rival_sails_where_the_rightmost_artwork_is_paid() -> None:
    """Naples looks at the resources, Genoa at the bonus too; docks that are taken stay so."""
    went = act(alone(), o.Sail("tripoli"))
    assert [s.place for s in events_of(went, e.RivalSailed)] == ["candia", "ragusa"]
    went = act(alone("genes"), o.Sail("ragusa"))
    assert [s.place for s in events_of(went, e.RivalSailed)] == ["candia", "pisa"]
    assert questions_in(went) == (("action", ANN),)


def test_ones_own_lighthouse_works_where_the_rival_sails() -> None:
    """The lighthouse's owner is asked."""
    at = alone()
    light(at, "candia", ANN)
    went = act(at, o.Sail("tripoli"))
    assert questions_in(went) == (("light", ANN),)
    went = answer(went, ANN, o.Light(("wine",)))
    assert went.position.board.players[ANN].holds["wine"] == 1
    assert questions_in(went) == (("action", ANN),)


def test_other_actions_discard_the_rightmost_card_or_tile() -> None:
    """Acquisition, discovery, invitation: after the action with all its bonuses (A23)."""
    at = alone()
    hand(at, ANN, "c20")
    stow(at, ANN, bay=0, wine=2, wood=2, spice=3)
    assert [d.row for d in events_of(act(at, o.Acquire("book05", take=("rightmost",))), e.CardDiscarded)] == ["atelier"]
    assert [d.row for d in events_of(act(at, o.Discover("pd10")), e.CardDiscarded)] == ["atlas"]
    assert [d.row for d in events_of(act(at, o.Invite("c20")), e.CardDiscarded)] == ["council"]


def test_after_an_engagement_the_rival_sails_to_the_first_free_evolving_destination() -> None:
    """From the top."""
    at = alone()
    place_characters(at, ANN, "c59")
    dock(at, "napoli", ANN)
    assert [s.place for s in events_of(act(at, o.Engage("c59")), e.RivalSailed)] == ["gaeta"]


@pytest.mark.holds("amalfi", "event", "amalfi.RivalErected")
def test_after_a_construction_the_rival_erects_lighthouses_that_only_block() -> None:
    """A22: where the rightmost tile is paid, if the place is free; nothing without a piece."""
    at = alone()
    stow(at, ANN, bay=0, wood=2)
    went = act(at, o.Build(1))
    assert [erected.place for erected in events_of(went, e.RivalErected)] == ["ragusa"]
    assert not events_of(act(went.position, o.Build(0 + 1, emergency=("wood", "wood"))), e.RivalErected)
    blocked = alone()
    light(blocked, "ragusa", RIVAL)
    went = act(blocked, o.Sail("ragusa"))
    assert not events_of(went, e.BreadGained)


@pytest.mark.holds("amalfi", "ruling", "A23")
def test_a_pass_brings_no_reaction() -> None:
    """A23; the player is first in every period."""
    went = act(alone(), o.Finish())
    assert not events_of(went, e.RivalSailed)
    assert questions_in(went) == (("action", ANN),)
    assert went.position.board.period == 2


def test_the_rivals_ships_leave_and_its_lighthouses_stay() -> None:
    """Fin de période."""
    at = alone()
    at.board.docks["candia"] = RIVAL
    light(at, "ragusa", RIVAL)
    board = queue(at, EndPeriod()).position.board
    assert (board.docks, board.light("ragusa")) == ({}, RIVAL)


@pytest.mark.parametrize(("rival", "needed"), [("naples", (0, 0, 1, 2)), ("genes", (0, 1, 2, 3))])
@pytest.mark.holds("amalfi", "ruling", "A22")
def test_titles_must_be_earned_to_go_on(rival: str, needed: tuple[int, ...]) -> None:
    """Checked at the end of each period (A22)."""
    for period, need in enumerate(needed, 1):
        for titles in {max(0, need - 1), need}:
            at = alone(rival, period)
            at.board.claims = {t: (ANN,) if n < titles else () for n, t in enumerate(at.board.titles)}
            went = queue(at, EndPeriod())
            lost = [ended for ended in events_of(went, Ended) if not ended.is_won]
            assert bool(lost) == (titles < need)
            assert all(ended.result == "lost" and ended.reason == "titles" for ended in lost)


@pytest.mark.parametrize(
    ("points", "result"),
    [(0, "beginner"), (120, "beginner"), (121, "hope"), (180, "hope"), (181, "contributor"), (230, "pillar")],
)
@pytest.mark.holds("amalfi", "result", "beginner", "hope", "contributor", "pillar")
def test_the_score_tells_what_came_of_it(points: int, result: str) -> None:
    """Fin du jeu: four bands."""
    assert band(points) == result
    at = alone(period=4)
    at.board.claims = dict.fromkeys(at.board.titles, (ANN,))
    at.board.players[ANN].vp = points
    (ended,) = events_of(queue(at, EndPeriod()), Ended)
    assert (ended.result, ended.is_won) == (result, True)
