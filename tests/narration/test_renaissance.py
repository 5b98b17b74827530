"""Renaissance as it is told: its reader, articles of nations, sums that say how they came."""

from typing import Any

import pytest

from engine.kernel.events import Ended, Event
from engine.kernel.secrets import deep_copy
from engine.renaissance import events as e
from engine.renaissance import telling
from engine.renaissance.board import Power
from pbem.narration.narrator import narrator
from tests.narration.case_renaissance import CASE
from tests.narration.cases import A, B, C


def narrate(event: Event, viewer: str, language: str) -> str:
    """What one viewer is told of an event, where the first seats play France, the Empire and Genoa."""
    here = CASE.context(viewer, language)
    here.position = deep_copy(here.position)
    for seat, nation in ((A, "france"), (B, "saint_empire"), (C, "genes")):
        here.position.board.powers[seat] = Power(seat, nation)
    here.names = {}
    return (narrator(CASE.game, language).sentence(event, viewer, here) or "").replace("\u00a0", " ")


DECIDED = e.BattleDecided(
    attacker=A,
    defender=B,
    city="milano",
    attack={"cards": 11, "die": 4},
    defence={"cards": 5, "walls": 4, "die": 2},
    won_by="attack",
)


@pytest.mark.parametrize(
    ("event", "viewer", "language", "said"),
    [
        (
            DECIDED,
            A,
            "fr",
            (
                "Bataille de Milano : 15 pour vous = 11 (cartes) + 4 (dé) ; 11 pour le Saint-Empire = 5 "
                "(cartes) + 4 (fortification) + 2 (dé) ; vous l'emportez."
            ),
        ),
        (e.CampaignBegan(seat=B), A, "fr", "C'est au Saint-Empire de jouer sa phase de combat."),
        (e.Gave(seat=A, to=B, ducats=2), B, "fr", "La France vous donne 2 ducats."),
        (e.Gave(seat=A, to=B, ducats=2), B, "en", "France gives 2 ducats to you."),
    ],
)
def test_sentences_agree_with_their_reader(event: Event, viewer: str, language: str, said: str) -> None:
    """Second person for the reader, articles that contract, each total with its sum."""
    assert narrate(event, viewer, language) == said


def test_equal_points_are_told_with_what_parts_them() -> None:
    """A player who wins by fortresses is not told to win by points alone."""
    ends = [event for event in CASE.samples() if isinstance(event, Ended)]
    samples = [narrate(event, A, "en") for event in ends]
    assert sum("Ties are broken by fortresses" in said for said in samples) == 1
    assert sum(event.is_won and len(event.ranking) > 1 for event in ends) == 3


def view(nation: str = "france", power: str = "off") -> dict[str, Any]:
    """As much of a view as a defence needs: Genova, a rampart in the mountains, with a port."""
    return {
        "own": {"seat": A},
        "powers": {A: {"nation": nation}},
        "options": {"power_genes": power},
        "cities": ({"id": "genova", "level": 2, "owner": B},),
    }


def test_what_an_attack_meets_is_told_by_road_and_by_sea() -> None:
    """Walls and ground by road, a landing more by sea; Genoa's privilege spares it both (Pouvoirs par état)."""
    origins = ("pavia", "roma")
    assert telling.resistance(view(), "genova", origins) == (("road", 5, ("pavia",)), ("sea", 6, ("roma",)))
    assert telling.resistance(view(), "genova", ("roma",)) == (("sea", 6, ("roma",)),)
    spared = telling.resistance(view("genes", "on"), "genova", origins)
    assert [strength for _, strength, _ in spared] == [4, 4]
    assert telling.resistance(view("genes"), "genova", origins)[0][1] == 5


def test_a_story_of_ten_lines_begins_with_what_changed_the_map() -> None:
    """A city lost weighs more than one attacked in vain, and more than a building."""
    taken, held = (
        e.BattleEnded(attacker=A, defender=B, city="bari", captured=won, aside=(), back=(), discarded=())
        for won in (True, False)
    )
    built = e.Built(seat=B, city="bari", what="palace", paid=3)
    assert telling.weight(taken, B) > telling.weight(held, B) > telling.weight(built, B) > 0
    assert telling.weight(taken, C) == 0
