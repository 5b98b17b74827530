"""The game told in every language: complete, and for each reader what they may know."""

from types import SimpleNamespace

import pytest

from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.secrets import Secret, redact
from engine.patchistory import events as e
from engine.patchistory.board import Board, Lot, Route
from engine.patchistory.catalogue import ROOMS, TILES
from engine.patchistory.orders import Move
from engine.patchistory.phases.production import route_goods
from engine.patchistory.ruleset import RULES
from pbem.narration.narrator import Context, Narrator
from pbem.web.words import say
from tests.engine.patchistory.build import GREEN, RED, code, game, lay, refused, workers
from tests.narration.wording import LANGUAGES


def told(event: Event, viewer: str, language: str) -> str | None:
    """What one viewer is told of an event."""
    position = redact(game(), viewer)
    context = Context(viewer, position, {Seat("ann"): "Ann", Seat("bob"): "Bob"})
    return Narrator(RULES.meta.name, language).sentence(event, viewer, context)


def part(name: str, viewer: Seat, language: str, position: Position[Board]) -> str:
    """A part of the report of one viewer, untidied."""
    seen = redact(position, viewer)
    report = SimpleNamespace(view=RULES.present(seen, viewer), asks=("placement",))
    context = Context(viewer, seen, {Seat("ann"): "Ann", Seat("bob"): "Bob"})
    return Narrator(RULES.meta.name, language).tell(name, report, context)


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
            e.Gained(seat=RED, symbols={"culture": 0}, cause="chichen_itza"),
            GREEN,
            "en",
            "Red (Ann) gains nothing (Chichen Itza).",
        ),
        (
            e.Gained(seat=RED, symbols={"culture": 0}, cause="chichen_itza"),
            RED,
            "fr",
            "Vous ne gagnez rien (Chichen Itza).",
        ),
        (
            e.Threatened(seat=RED, to=GREEN, good="money", demanded=3, paid=1, points=3),
            GREEN,
            "en",
            "Red (Ann) threatens you for 3 Politics Points and demands 3 Money; you have only 1.",
        ),
        (
            e.Threatened(seat=RED, to=GREEN, good="culture", demanded=2, paid=2, points=3),
            GREEN,
            "fr",
            "Rouge (Ann) vous menace pour 3 Points de Politique et exige 2 Culture.",
        ),
        (
            e.AidOffered(seat=RED, to=GREEN, goods=("food", "food", "money"), points=2),
            GREEN,
            "fr",
            "Rouge (Ann) vous propose 2 Nourriture et 1 Argent pour 2 Points de Politique.",
        ),
        (
            e.AidOffered(seat=RED, to=GREEN, goods=("food", "food", "food"), points=2),
            RED,
            "fr",
            "Vous proposez 3 Nourriture à Vert (Bob) pour 2 Points de Politique.",
        ),
        (
            e.RouteLaid(number=2, start=RED, end=GREEN, allied=False, cause="setup"),
            GREEN,
            "fr",
            "La Route Principale 2 part désormais de chez Rouge (Ann) et mène chez vous.",
        ),
        (
            e.Cleared(
                seat=RED, of=GREEN, square="K9", tile=Secret("farm-1"), resources=0, points=0, cause="stealth_bomber"
            ),
            GREEN,
            "fr",
            "Rouge (Ann) assainit K9 sur votre territoire (Bombardier furtif).",
        ),
        (
            e.WarFought(
                number=2,
                powers={RED: 9, GREEN: 2},
                fuel={RED: {}, GREEN: {}},
                winner=RED,
                loser=GREEN,
                culture=5,
                taken=7,
            ),
            GREEN,
            "fr",
            (
                "Guerre sur la Route 2 : Rouge (Ann), puissance 9 ; vous, puissance 2. "
                "Rouge l'emporte et gagne 5 Culture, plus 7 qui vous sont prises : c'est une Victoire Mémorable."
            ),
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


@pytest.mark.parametrize(
    ("language", "tile", "squares"),
    [
        (
            "en",
            "Tile A: 1 Palisade (1 Defence; worker +1 Defence), 2 Farm",
            "Squares of a tile: 1 and 2 above, 3 and 4 below.",
        ),
        (
            "fr",
            "Tuile A : 1 Palissade (1 Défense ; ouvrier +1 Défense), 2 Ferme",
            "Carrés d'une tuile : 1 et 2 en haut",
        ),
    ],
)
def test_a_letter_without_pictures_tells_where_on_a_tile_each_location_lies(
    language: str, tile: str, squares: str
) -> None:
    """Who reads plain text or listens to it learns the squares of a tile on offer, and what each location brings."""
    position = game()
    position.board.offer = (Lot("A", "I-07", "white"),)
    said = part("state", RED, language, position)
    assert tile in said
    assert squares in said


@pytest.mark.parametrize(("language", "count"), [("en", "1+2 "), ("fr", "1+2 ")])
def test_a_location_of_several_squares_names_them_all(language: str, count: str) -> None:
    """A hero of two squares above is not taken for two locations."""
    position = game()
    black = next(t for t in TILES.values() if t.black.rows[0] == "AA")
    position.board.players[RED].won = Lot("B", black.id, "black")
    assert f"{count}{Narrator(RULES.meta.name, language).name('room', black.special.id)}" in part(
        "options", RED, language, position
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Farm (2 Food; worker +1 Food) for 2 Resources"),
        ("fr", "Ferme (2 Nourriture ; ouvrier +1 Nourriture) pour 2 Ressources"),
    ],
)
def test_a_building_tile_tells_what_it_brings_and_costs(language: str, said: str) -> None:
    """Building tiles in hand are told with their symbols and their price in Resources."""
    position = game()
    position.board.players[RED].pack = (Secret("farm-1", frozenset({RED})),)
    assert said in part("hand", RED, language, position)


@pytest.mark.parametrize(("language", "said"), [("en", "Era I, round 2 (turn 2)"), ("fr", "Ère I, manche 2 (tour 2)")])
def test_the_turn_that_headings_count_is_told_beside_the_round(language: str, said: str) -> None:
    """FOR TURN 6 is the first round of the second era: a letter names both."""
    assert said in part("state", RED, language, game())


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "1: 2 Money; 2: 2 Food; 3: 1 Resource"), ("fr", "1 : 2 Argent ; 2 : 2 Nourriture ; 3 : 1 Ressource")],
)
def test_the_spaces_of_routes_are_told(language: str, said: str) -> None:
    """What a worker finds on the spaces of a route stands in the letter, too."""
    position = game()
    position.board.routes = (Route(1, RED, GREEN),)
    assert said in part("progress", RED, language, position)


@pytest.mark.parametrize(
    ("language", "first", "other"),
    [
        ("en", "named first: 0: start; 1: 3 Food; 2: 2 Culture", "far end: 0: start; 1: 2 Resources; 2: 3 Money"),
        (
            "fr",
            "en premier : 0 : départ ; 1 : 3 Nourriture ; 2 : 2 Culture",
            "l'autre bout : 0 : départ ; 1 : 2 Ressources ; 2 : 3 Argent",
        ),
    ],
)
def test_each_ally_counts_the_spaces_from_their_own_end(language: str, first: str, other: str) -> None:
    """Mouvement sur une Route Alliée: space 1 of who starts at the far end brings what lies next to that end."""
    position = game()
    position.board.routes = (Route(1, RED, GREEN, allied=True, spots={RED: 1, GREEN: 1}),)
    assert [dict(route_goods(position.board.routes[0], seat)) for seat in (RED, GREEN)] == [
        {"food": 3},
        {"resource": 2},
    ]
    said = part("progress", GREEN, language, position)
    assert first in said
    assert other in said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "With two players first place alone"), ("fr", "À deux, seul le premier gagne")]
)
def test_the_rule_of_the_vote_tells_the_count_of_two_players(language: Language, said: str) -> None:
    """Décompte des Points de Vote, Partie à 2 joueurs: 0 for the other player, no half for a second place."""
    assert said in say(language, "rules.patchistory.votes")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_worker_is_told_by_the_square_that_orders_name(language: str) -> None:
    """Mouvement sur votre territoire: a hero is one location, and MOVE names the square on which its worker stands."""
    position = game()
    lay(position, RED, "moses", "L9", "L10")
    workers(position, RED, "I9", "L10")
    assert refused(position, RED, "movement", Move("L10", "K10")) is None
    assert code(refused(position, RED, "movement", Move("L9", "K10"))) == "no_worker_there"
    said = part("places", GREEN, language, position)
    assert "L9+L10* " in said
    assert "I9* " in said
