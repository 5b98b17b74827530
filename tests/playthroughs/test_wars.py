"""A2 Guerre, R15  A War that is tied twice, goes on through two turns and costs the loser provinces; by letters."""

import pytest

from engine.age_of_renaissance.board import War
from engine.age_of_renaissance.catalogue import MISERY
from engine.age_of_renaissance.events import CardPlayed, ProvinceCeded, WarRolled
from engine.age_of_renaissance.phases.turn import BeginTurn
from engine.age_of_renaissance.ruleset import RULES
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    cash,
    control,
    game,
    hand,
)
from tests.playthroughs.email_game import Story


def war(turn: int, number: int, attacker: int, defender: int) -> dict[str, int]:
    """The two dice of one roll of Yellow's War on Violet."""
    name = f"war/{turn}/history/{YELLOW}/{VIOLET}/{number}"
    return {f"{name}/attacker": attacker, f"{name}/defender": defender}


SCRIPT = {**war(5, 1, 4, 4), **war(6, 2, 2, 2), **war(6, 3, 2, 4)}


def rest_of_turn(story: Story, *counts: int) -> None:
    """Purchases and expansion passed, then the tokens."""
    for _ in range(2):
        for seat in (YELLOW, VIOLET, BLUE):
            story.letter(seat, "PASSER")
    for seat, count in zip((YELLOW, VIOLET, BLUE), counts, strict=True):
        story.letter(seat, f"PIONS {count}")


def miseries(story: Story) -> tuple[int, ...]:
    """What the ladder shows for Yellow, Violet and Blue."""
    return tuple(MISERY[story.board.powers[seat].misery] for seat in (YELLOW, VIOLET, BLUE))


@pytest.mark.holds("age_of_renaissance", "ruling", "R15")
@pytest.mark.holds("age_of_renaissance", "topic", "weapon")
@pytest.mark.holds("age_of_renaissance", "form", "ARMER")
def test_a_war_over_two_turns() -> None:
    """Declared and tied in turn 5; rolled in turn 6 on the turn of each belligerent until one has won."""
    position = game(3, turn=4)
    hand(position, YELLOW, "war")
    hand(position, VIOLET, "stirrups")
    control(position, YELLOW, "milano", "dubrovnik", "belgrad")
    control(position, VIOLET, "firenze")
    for seat in (YELLOW, VIOLET, BLUE):
        cash(position, seat, 60)
    story = Story.upon(RULES, position, SCRIPT, BeginTurn())

    story.letter(YELLOW, "JOUER Guerre CONTRE Genoa")
    story.letter(VIOLET, "PASSER")
    story.letter(BLUE, "PASSER")
    assert [(event.dice, event.winner) for event in story.events_of(WarRolled)] == [((4, 4), None)]
    assert story.board.wars == (War(YELLOW, VIOLET, turn=5, rolls=1),)
    assert miseries(story) == (10, 10, 0)

    for _ in range(2):
        for seat in (YELLOW, VIOLET, BLUE):
            story.letter(seat, "PASSER")
    story.letter(YELLOW, "PIONS 4\nSUR GUERRE PERDUE : CÉDER Belgrad, Dubrovnik, Milano")
    story.letter(VIOLET, "TOKENS 5\nON TIED WAR: ARM Stirrups", "en")
    story.letter(BLUE, "PIONS 6")
    assert story.board.turn == 6
    assert len(story.events_of(WarRolled)) == 1

    since = len(story.events)
    story.letter(VIOLET, "PASSER")
    story.letter(BLUE, "PASSER")
    story.letter(YELLOW, "PASSER")
    armed = [(event.seat, event.card) for event in story.events_of(CardPlayed, since)]
    rolls = [(event.dice, event.bonus, event.winner) for event in story.events_of(WarRolled, since)]
    assert armed == [(VIOLET, "stirrups")]
    assert rolls == [((2, 2), (0, 1), VIOLET)]
    assert story.used == [(VIOLET, "weapon"), (YELLOW, "war")]
    assert [(event.loser, event.province) for event in story.events_of(ProvinceCeded)] == [(YELLOW, "belgrad")]
    assert story.board.at("belgrad", VIOLET).controls
    assert story.board.wars == ()


def test_a_war_tied_on_both_turns_goes_on_in_the_next() -> None:
    """R15  Nobody arms: tied on Yellow's turn, decided on Violet's, two better: the two cheapest provinces go."""
    position = game(3, turn=4)
    hand(position, YELLOW, "war")
    control(position, YELLOW, "milano", "dubrovnik", "belgrad")
    for seat in (YELLOW, VIOLET, BLUE):
        cash(position, seat, 60)
    story = Story.upon(RULES, position, SCRIPT, BeginTurn())
    story.letter(YELLOW, "JOUER Guerre CONTRE Genoa")
    story.letter(VIOLET, "PASSER")
    story.letter(BLUE, "PASSER")
    rest_of_turn(story, 4, 5, 6)
    for seat in (YELLOW, VIOLET, BLUE):
        story.letter(seat, "PASSER")
    assert [event.winner for event in story.events_of(WarRolled)] == [None, None, VIOLET]
    ceded = [event.province for event in story.events_of(ProvinceCeded)]
    assert ceded == ["milano", "dubrovnik"]
    assert [MISERY.index(value) for value in miseries(story)][:2] == [1 + 1 + 2, 1 + 1 + 1]
