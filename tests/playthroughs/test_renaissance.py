"""Renaissance by letters: every scenario to its end, and a turn in which every kind of card is played."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.kernel.bots import Entry
from engine.kernel.events import Ended
from engine.kernel.run import Advance
from engine.renaissance import RULES
from engine.renaissance import events as e
from engine.renaissance.catalogue import KINDS, SCENARIOS
from engine.renaissance.coverage import COVERAGE
from tests.playthroughs.email_game import Story

PASSED = {
    "purchases": "PASSER",
    "expansion": "PASSER",
    "combat": "PASSER",
    "vote": "VOTER paix",
    "stance": "BONUS défense",
    "council": "PASSER",
}
"""What a player writes who does nothing, by question."""


class Campaigns(Story):
    """A game whose seats are called by their nations."""

    def __init__(self, nations: Sequence[str], options: Mapping[str, str], script: Mapping[str, Any]) -> None:
        """`nations`: the nation that each plays, in the order of the seats."""
        named = {"nations/0": list(nations), "order/0": list(nations)} | dict(script)
        if options.get("scenario", "standard") != "standard":
            del named["order/0"]
        super().__init__(RULES, nations, options, named)

    def everybody(self, **letters: str) -> None:
        """One exchange: each seat that owes something answers, with its own letter or as one who does nothing."""
        owing = sorted({d.seat for d in self.position.core.questions if d.blocking})
        assert set(letters) <= set(owing)
        for seat in owing:
            self.letter(seat, letters.get(seat) or self._nothing(seat))

    def _nothing(self, seat: str) -> str:
        return "\n".join(f"POUR {_heading(d.topic)}\n{PASSED[d.topic]}" for d in self.open_questions(seat))

    def to_the_end(self) -> Ended:
        """Nobody does anything any more."""
        while not self.position.core.over:
            self.everybody()
        (ended,) = self.events_of(Ended)
        assert isinstance(ended, Ended)
        return ended


def _heading(asks: str) -> str:
    return RULES.meta.topic(asks).words.printed("fr")


def kinds_used(story: Story) -> set[str]:
    """The kinds of card that were at work."""
    after: Advance[Any] = Advance(story.position, tuple(story.events), ())
    entry: Entry[Any] = Entry("", {}, (), b"", None, after)
    return {name for kind, name in COVERAGE.witness(entry) if kind == "card"}


def test_a_game_of_1454_in_which_nobody_does_anything_ends_after_six_turns() -> None:
    """Three nations, peace throughout: a point a turn for the province that each begins with, ducats decide."""
    story = Campaigns(["rome", "venise", "florence"], {}, {})
    story.letter("rome", "REMPART Rome")
    story.letter("venise", "REMPART Venise")
    story.letter("florence", "REMPART Florence")
    story.letter("rome", "GARNISON Sienne")
    story.letter("venise", "GARNISON Sienne, Savone")
    story.letter("florence", "GARNISON Pise")
    assert [(g.seat, g.city) for g in story.events_of(e.GarrisonPlaced)] == [
        ("rome", "siena"),
        ("venise", "savona"),
        ("florence", "pisa"),
    ]
    ended = story.to_the_end()
    assert ended.reason == "last_turn"
    assert ended.points == {"rome": 12, "venise": 6, "florence": 6}
    assert ended.ranking == (("rome",), ("venise", "florence"))
    assert [power.ducats for power in story.board.powers.values()] == [6 + 6 * 4 + 6 * 4] * 3


SETTLING = {
    "1494": {
        "france": "REMPART Gênes GARNISON Pise",
        "rome": "REMPART Rome GARNISON Pérouse",
        "venise": "REMPART Venise",
        "florence": "REMPART Florence",
        "milan": "REMPART Milan",
        "espagne": "REMPART Palerme",
    },
    "1499": {
        "venise": "REMPART Venise GARNISON Mantoue",
        "rome": "REMPART Rome GARNISON Urbino",
        "florence": "REMPART Florence GARNISON Pise",
        "milan": "REMPART Milan GARNISON Parme",
        "france": "REMPART Turin GARNISON Nice",
        "espagne": "REMPART Palerme",
    },
    "1515": {
        "france": "REMPART Turin PALAIS Gênes",
        "suisse": "REMPART Milan PALAIS Milan",
        "saint_empire": "REMPART Trente PALAIS Padoue",
        "florence": "REMPART Florence PALAIS Florence",
        "espagne": "REMPART Naples PALAIS Naples",
        "rome": "REMPART Rome GARNISON Pérouse PALAIS Rome",
    },
}


@pytest.mark.holds("renaissance", "option", "scenario=standard", "scenario=1494", "scenario=1499", "scenario=1515")
@pytest.mark.parametrize("name", SETTLING)
def test_a_scenario_is_played_to_its_end(name: str) -> None:
    """Placements with their choices, the order as listed, the first turn as the scenario says; six turns."""
    nations = [start.nation for start in SCENARIOS[name].starts]
    story = Campaigns(nations, {"scenario": name}, {})
    for nation in nations:
        story.letter(nation, SETTLING[name][nation])
    board = story.board
    assert board.order == tuple(nations)
    assert (board.turn, board.state) == (1, SCENARIOS[name].first_turn)
    ended = story.to_the_end()
    assert (ended.reason, board.players, len(story.events_of(e.TurnBegan))) == ("last_turn", 6, 6)
    assert {seat for rank in ended.ranking for seat in rank} == set(nations)


DEALT = [
    "canon.1",
    "chevaliers.1",
    "ingenieur.1",
    "pillards.1",
    "artiste_banquier.1",
    "signe_de_dieu.1",
    "suisses.1",
    "arquebusiers.1",
    "felon.1",
    "ambassadeur.1",
    "piquiers.1",
    "retraite.1",
    "canon.2",
    "chevaliers.2",
    "chevauchee.1",
    "mariage.1",
    "condottiere.1",
    "piquiers.2",
    "ingenieur.2",
    "condottiere.2",
    "condottiere.3",
    "piquiers.3",
    "arquebusiers.2",
    "retraite.2",
]
"""War on the first turn: six cards each, in the order of the scenario."""


def test_a_turn_in_which_every_kind_of_card_is_played() -> None:
    """1515 with four: three campaigns, their reactions on file, one exchange for the whole combat."""
    nations = ["france", "saint_empire", "espagne", "rome"]
    script = {
        "deck/0": DEALT,
        "battle/1/1/attack": 4,
        "battle/1/1/defence": 6,
        "battle/1/1/condottiere/1": 6,
        "artist/1/2": 2,
        "pillage/1/1": 6,
        "embassy/1/3/1": 4,
        "embassy/1/3/2": 5,
    }
    story = Campaigns(nations, {"scenario": "1515"}, script)
    for nation in nations:
        story.letter(nation, SETTLING["1515"][nation])
    story.everybody(rome="SUR DÉFENSE : POSER piquiers AVEC condottiere\nSUR CONTRE : CONTRER\nPASSER")
    story.everybody(saint_empire="OCCUPER Ferrare DEPUIS Padoue")
    assert story.board.cities["ferrara"].owner == "saint_empire"
    campaign = "SUR SIGNE DE DIEU : SI CELA SUFFIT : DOUBLER la plus forte\nPILLER Bologne\nARTISTE Gênes\n"
    story.everybody(
        france=f"{campaign}ATTAQUER Rome DEPUIS Gênes AVEC canon, chevaliers ET ingénieur",
        saint_empire="AMBASSADE\nATTAQUER Bologne DEPUIS Ferrare AVEC suisses, arquebusiers ET félon",
        espagne="CHEVAUCHER Turin AVEC canon, chevaliers ET condottiere\nÉPOUSER Ancône",
        rome="SUR RETRAITE : REPRENDRE piquiers, arquebusiers\nPOUR COMBATS\nPASSER",
    )
    assert kinds_used(story) == set(KINDS)
    assert next((b.city, b.captured) for b in story.events_of(e.BattleEnded)) == ("roma", True)
    assert story.events_of(e.CardsSaved)[0].cards == ("piquiers.3",)
    assert story.to_the_end().reason == "last_turn"
