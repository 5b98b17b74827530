"""The game told in every language: complete, and for each reader what they may know."""

import pytest

from engine.kernel.events import Event
from engine.kernel.names import Seat
from engine.kernel.secrets import Secret, redact
from engine.patchistory import events as e
from engine.patchistory.catalogue import ROOMS, TILES
from engine.patchistory.ruleset import RULES
from pbem.narration.narrator import Context, Narrator
from tests.engine.patchistory.build import GREEN, RED, game
from tests.narration.wording import LANGUAGES


def told(event: Event, viewer: str, language: str) -> str | None:
    """What one viewer is told of an event."""
    position = redact(game(), viewer)
    context = Context(viewer, position, {Seat("ann"): "Ann", Seat("bob"): "Bob"})
    return Narrator(RULES.meta.name, language).sentence(event, viewer, context)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_there(language: str) -> None:
    """Every event, question, default and problem of the game has its macro."""
    assert Narrator(RULES.meta.name, language).game == "patchistory"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_location_has_a_name_and_every_special_one_a_text(language: str) -> None:
    """All that a tile can show is named; what heroes, wonders and special buildings do is told."""
    told_by = Narrator(RULES.meta.name, language)
    assert all(str(told_by.name("room", room)) for room in ROOMS)
    for tile in TILES.values():
        assert told_by.effect("room", tile.special.id)


@pytest.mark.parametrize(("language", "word"), [("en", "econstructed"), ("fr", "econstitué")])
def test_what_is_reconstructed_is_called_so(language: str, word: str) -> None:
    """Wherever a player meets an effect that the rulebook does not tell, they are told that it is reconstructed."""
    told_by = Narrator(RULES.meta.name, language)
    for tile in TILES.values():
        said = told_by.effect("room", tile.special.id)
        assert (word in said) is (tile.special.status != "exact")


@pytest.mark.parametrize(
    ("event", "viewer", "language", "said"),
    [
        (
            e.BidMade(seat=RED, lot="B", money=4, raised=1, left="A"),
            RED,
            "en",
            "You bid 4 Money on tile B, moving from tile A.",
        ),
        (e.BidMade(seat=RED, lot="B", money=4, raised=4), GREEN, "fr", "Rouge (Ann) mise 4 Argent sur la tuile B."),
        (
            e.TilePlaced(seat=RED, tile="I-07", side="white", corner="K9", under=("K9",)),
            RED,
            "en",
            "You place Palisade, Farm, Mine, Palace at K9, under K9.",
        ),
        (
            e.WorkersFed(seat=RED, food=1, missing=2, culture=6),
            RED,
            "fr",
            "Vous nourrissez vos ouvriers : 1 Nourriture ; il en manque 2, ce qui coûte 6 Culture.",
        ),
        (
            e.Threatened(seat=RED, to=GREEN, good="money", demanded=3, paid=1, points=3),
            GREEN,
            "en",
            "Red (Ann) threatens you for 3 Politics Points and demands 3 Money; you have only 1.",
        ),
        (
            e.BuildingDrawn(seat=RED, tile=Secret("farm-2", frozenset({RED}))),
            RED,
            "en",
            "You draw a building tile: Farm.",
        ),
        (
            e.BuildingDrawn(seat=RED, tile=Secret("farm-2", frozenset({RED}))),
            GREEN,
            "en",
            "Red (Ann) draws a building tile.",
        ),
        (
            e.Gained(seat=RED, symbols={"culture": -4}, cause="ziggurat_of_ur"),
            RED,
            "en",
            "You lose 4 Culture (Ziggurat of Ur).",
        ),
    ],
)
def test_sentences(event: Event, viewer: str, language: str, said: str) -> None:
    """Some sentences as their readers see them, with their own actions as theirs."""
    assert (told(event, viewer, language) or "").replace("\u00a0", " ").replace("\u202f", " ") == said
