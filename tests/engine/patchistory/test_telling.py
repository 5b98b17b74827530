"""The game told in every language: complete, and for each reader what they may know."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.position import Position
from engine.kernel.secrets import Secret, redact
from engine.kernel.viewers import Seat
from engine.patchistory import events as e
from engine.patchistory.board import Board, Lot, Phase, Route
from engine.patchistory.catalogue import TILES
from engine.patchistory.orders import Move
from engine.patchistory.ruleset import RULES
from pbem.narration import facts as f
from pbem.narration.letters import render
from pbem.narration.narrator import Context, narrator
from pbem.web.locales import translate
from tests.engine.patchistory.build import GREEN, RED, code, game, lay, refused, workers
from tests.narration.cases import cases
from tests.narration.text_checks import A


def narrate(event: Event, viewer: str, language: str) -> str | None:
    """What one viewer is told of an event."""
    position = redact(game(), viewer)
    context = Context(viewer, position, {Seat("ann"): "Ann", Seat("bob"): "Bob"})
    return narrator(RULES.meta.name, language).sentence(event, viewer, context)


def part(name: str, viewer: Seat, language: str, position: Position[Board]) -> str:
    """A part of the report of one viewer, untidied."""
    seen = redact(position, viewer)
    report = SimpleNamespace(view=RULES.present_view(seen, viewer), asks=("placement",), filed=frozenset())
    context = Context(viewer, seen, {Seat("ann"): "Ann", Seat("bob"): "Bob"})
    return narrator(RULES.meta.name, language).render_macro(name, report, context)


@pytest.mark.parametrize(("language", "word"), [("en", "econstructed"), ("fr", "econstitué")])
def test_what_a_special_location_does_is_told_and_whether_it_is_reconstructed(language: str, word: str) -> None:
    """Wherever a player meets an effect that the rulebook does not tell, they are told that it is reconstructed."""
    told_by = narrator(RULES.meta.name, language)
    for tile in TILES.values():
        said = told_by.effect("room", tile.special.id)
        assert said
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
            e.Threatened(seat=RED, to=GREEN, good="money", demanded=3, paid=1, points=3),
            GREEN,
            "en",
            "Red (Ann) threatens you for 3 Politics Points, demands 3 Money and gets 1.",
        ),
        (
            e.AidOffered(seat=RED, to=GREEN, goods=("food", "food", "money"), points=2),
            GREEN,
            "fr",
            "Rouge (Ann) dépense 2 Points de Politique pour vous proposer 2 Nourriture et 1 Argent.",
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
    ],
)
def test_sentences(event: Event, viewer: str, language: str, said: str) -> None:
    """Some sentences as their readers see them, with their own actions as theirs."""
    assert (narrate(event, viewer, language) or "").replace("\u00a0", " ").replace("\u202f", " ") == said


def offer(board: Board) -> None:
    """A tile lies on offer."""
    board.offer = (Lot("A", "I-07", "white"),)


def prize(board: Board) -> None:
    """Red has won a tile with a hero of two squares above."""
    tile = next(tile for tile in TILES.values() if tile.black.rows[0] == "AA")
    board.players[RED].won = Lot("B", tile.id, "black")


def hold(board: Board) -> None:
    """Red has a building tile in hand."""
    board.players[RED].pack = (Secret("farm-1", frozenset({RED})),)


def main_route(board: Board) -> None:
    """A main route leads from Red to Green."""
    board.routes = (Route(1, RED, GREEN),)


def allied_route(board: Board) -> None:
    """Red and Green share an allied route."""
    board.routes = (Route(1, RED, GREEN, allied=True, spots={RED: 1, GREEN: 1}),)


@pytest.mark.parametrize(
    ("name", "build", "english", "french"),
    [
        ("state", offer, ("Era I, round 2 (turn 2)",), ("Ère I, manche 2 (tour 2)",)),
        (
            "state",
            offer,
            (
                "Tile A: 1 Palisade (1 Defence; worker +1 Defence), 2 Farm",
                "Squares of a tile: 1 and 2 above, 3 and 4 below.",
            ),
            (
                "Tuile A : 1 Palissade (1 Défense ; ouvrier +1 Défense), 2 Ferme",
                "Carrés d'une tuile : 1 et 2 en haut",
            ),
        ),
        ("options", prize, ("1+2 ",), ("1+2 ",)),
        (
            "hand",
            hold,
            ("Farm (2 Food; worker +1 Food) for 2 Resources",),
            ("Ferme (2 Nourriture ; ouvrier +1 Nourriture) pour 2 Ressources",),
        ),
        (
            "progress",
            main_route,
            ("1: 2 Money; 2: 2 Food; 3: 1 Resource",),
            ("1 : 2 Argent ; 2 : 2 Nourriture ; 3 : 1 Ressource",),
        ),
        (
            "progress",
            allied_route,
            ("named first: 0: start; 1: 3 Food; 2: 2 Culture", "far end: 0: start; 1: 2 Resources; 2: 3 Money"),
            (
                "en premier : 0 : départ ; 1 : 3 Nourriture ; 2 : 2 Culture",
                "l'autre bout : 0 : départ ; 1 : 2 Ressources ; 2 : 3 Argent",
            ),
        ),
    ],
)
def test_a_letter_tells_what_a_picture_shows(
    name: str, build: Callable[[Board], None], english: tuple[str, ...], french: tuple[str, ...]
) -> None:
    """Turns and rounds, squares of tiles, what each location brings and costs, spaces of routes from each end."""
    position = game()
    build(position.board)
    for language, wanted in (("en", english), ("fr", french)):
        said = part(name, RED, language, position)
        assert [text for text in wanted if text not in said] == []


@pytest.mark.parametrize(
    ("language", "said"), [("en", "With two players first place alone"), ("fr", "À deux, seul le premier gagne")]
)
def test_the_rule_of_the_vote_tells_the_count_of_two_players(language: Language, said: str) -> None:
    """Décompte des Points de Vote, Partie à 2 joueurs: 0 for the other player, no half for a second place."""
    assert said in translate(language, "rules.patchistory.votes")


def test_a_worker_is_told_by_the_square_that_orders_name() -> None:
    """Mouvement sur votre territoire: a hero is one location, and MOVE names the square on which its worker stands."""
    position = game()
    lay(position, RED, "moses", "L9", "L10")
    workers(position, RED, "I9", "L10")
    assert refused(position, RED, "movement", Move("L10", "K10")) is None
    assert code(refused(position, RED, "movement", Move("L9", "K10"))) == "no_worker_there"
    said = part("places", GREEN, "en", position)
    assert "L9+L10* " in said
    assert "I9* " in said


@pytest.mark.parametrize(
    ("turn", "language", "subject"), [(5, "fr", "[Rose] Ère I, manche 5"), (6, "en", "[Rose] Era II, round 1")]
)
def test_a_subject_names_the_era_and_the_round(turn: int, language: Language, subject: str) -> None:
    """Three eras of five rounds each: the sixth round is the first of the second era."""
    case = next(case for case in cases() if case.game == RULES.meta.name)
    position = case.position(0)
    then = replace(position, board=replace(position.board, turn=turn))
    facts = f.ReportFacts(case.frame(A, language), redact(then, A))
    assert render(facts).subject.replace("\xa0", " ") == subject


@pytest.mark.parametrize(("language", "said"), [("en", "at the end of this round"), ("fr", "à la fin de cette manche")])
def test_the_vote_tells_of_no_upkeep_that_is_paid(language: str, said: str) -> None:
    """Workers, heroes and wonders are fed before the vote of an era begins."""
    position = game()
    workers(position, RED, "I9", "J9", "K9")
    assert said in part("options", RED, language, position)
    position.board.phase = Phase.VOTE
    assert said not in part("options", RED, language, position)
