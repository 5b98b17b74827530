"""The order language of the game: what a player writes, in either language, and the order that it means."""

import pytest

from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.orders import Clause, Condition, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLetter
from engine.kernel.printing import print_order
from engine.patchistory import orders as o
from engine.patchistory.conditions import FACTS
from engine.patchistory.forms import FORMS
from engine.patchistory.meta import META


def letter(asks: str, *lines: str) -> ParsedLetter:
    """A letter of a player who is asked this question now; everything else may be answered ahead."""
    reaction = META.topic(asks).is_reaction
    sections = tuple(Section(META.topic(a), FORMS[a], open=a == asks) for a in FORMS if not META.topic(a).is_reaction)
    asked = (Section(META.topic(asks), FORMS[asks], open=True),) if reaction else ()
    reactions = tuple(Section(META.topic(a), FORMS[a]) for a in FORMS if META.topic(a).is_reaction)
    return parse_letter(lines, Grammar((*asked, *sections), reactions, FACTS, "en", META.topics))


def line(asks: str, text: str) -> Line:
    """The one line that a letter holds."""
    (written,) = letter(asks, text).sets[SectionKey(asks, None)].lines
    assert written.line is not None, written.problem
    return written.line


WRITTEN: list[tuple[str, str, Order]] = [
    ("auction", "BID A 3", o.Bid("A", 3)),
    ("auction", "BID TILE A START 2 UP TO 5", o.Bid("A", 2, 5)),
    ("auction", "bid tile c up to 5", o.Bid("C", 1, 5)),
    ("auction", "MISER Tuile B DÉPART 2 JUSQU'À 5", o.Bid("B", 2, 5)),
    ("voyage", "PRENDRE la tuile B", o.Take("B")),
    ("placement", "PLACE AT C4 UNDER D4, D5", o.Place("C4", ("D4", "D5"))),
    ("placement", "PLACE TILE B AT K10 UNDER K10 BLACK", o.Place("K10", ("K10",), "B", "black")),
    ("placement", "PLACER EN C4 SOUS D4, D5", o.Place("C4", ("D4", "D5"))),
    ("placement", "placer A en K10 noir", o.Place("K10", (), "A", "black")),
    ("placement", "défausser", o.Forgo()),
    ("recall", "RECALL FROM Route 3", o.SendBack((), ("3",))),
    ("envoy", "ALLY WITH Green END B", o.Ally("green", "B")),
    ("bombing", "BOMB TO Green K10 WITH Farm", o.Bomb("green", "K10", "farm")),
    ("diplomacy", "AID 2 food, 1 money TO Green", o.Aid(("food", "food", "money"), "green")),
    ("diplomacy", "OFFRIR 2 nourriture, 1 argent À Vert", o.Aid(("food", "food", "money"), "green")),
    ("diplomacy", "THREATEN Green FOR Money", o.Threaten("green", "money")),
    ("aid", "REFUSER", o.Answer(False)),
    (
        "administration",
        "EXCHANGE 2 resources FOR 3 food, 1 money",
        o.Exchange(2, "resource", ("food",) * 3 + ("money",)),
    ),
    (
        "administration",
        "ÉCHANGER 3 nourriture CONTRE 1 ressource, 1 argent",
        o.Exchange(3, "food", ("resource", "money")),
    ),
    ("administration", "honorer les merveilles", o.Honour("wonder")),
    ("administration", "CONSTRUIRE UNE ROUTE VERS Bleu", o.BuildRoute("blue")),
    ("administration", "CONSTRUIRE Grange L9", o.Build("grange", "L9")),
    ("administration", "CAMPAIGN 3", o.Campaign(3)),
    ("movement", "MOVE I9 TO J9", o.Move("I9", "J9")),
    ("movement", "TRAVEL ROUTE 2 BY 3", o.Travel(2, 3)),
    ("negotiation", "PAIX", o.Token("blue")),
    ("negotiation", "ALLIANCE END B", o.Token("blue", True, "B")),
    ("fuel", "FUEL 3 VOTES 2", o.Fuel(3, 2)),
    ("sacrifice", "SEND BACK I9, J9 FROM Route 2", o.SendBack(("I9", "J9"), ("2",))),
    ("prosperity", "JOUER Production de Nourriture", o.PutCard("rank_food_production")),
    ("votes", "VOTES 3, 0, 2, 1", o.Votes((3, 0, 2, 1))),
]


@pytest.mark.parametrize(("asks", "text", "meant"), WRITTEN, ids=lambda x: x if isinstance(x, str) else "")
def test_a_line_means_its_order(asks: str, text: str, meant: Order) -> None:
    """What players write in English or French is read as the order that they mean."""
    (clause,) = line(asks, text).plan
    assert (clause.order, clause.conditions) == (meant, ())


@pytest.mark.parametrize(
    ("asks", "order", "en", "fr"),
    [
        ("diplomacy", o.Aid(("food",) * 3, "green"), "AID 3 Food TO Green", "OFFRIR 3 Nourriture À Vert"),
        (
            "administration",
            o.Exchange(2, "resource", ("food", "money", "food", "food")),
            "EXCHANGE 2 Resource FOR 3 Food, 1 Money",
            "ÉCHANGER 2 Ressource CONTRE 3 Nourriture, 1 Argent",
        ),
    ],
)
def test_goods_are_printed_as_amounts(asks: str, order: Order, en: str, fr: str) -> None:
    """Letters write so many of each good, as players do, and never a good three times over."""
    assert print_order(FORMS[asks], order, "en") == en
    assert print_order(FORMS[asks], order, "fr") == fr


@pytest.mark.parametrize("square", ["H9", "L8", "K9"])
def test_a_square_before_a_lead_word_takes_no_comma(square: str) -> None:
    """MOVE J9 TO L8: the word between them parts the squares."""
    assert print_order(FORMS["movement"], o.Move("J9", square), "fr") == f"DÉPLACER J9 À {square}"


def test_a_plan_of_bids_has_a_second_tile() -> None:
    """BID ... ELSE BID ...: a second tile when nothing can be done on the first."""
    found = line("auction", "BID TILE A START 2 UP TO 5 ELSE BID TILE C UP TO 5")
    assert found == Line((Clause(o.Bid("A", 2, 5)),), 1, (Clause(o.Bid("C", 1, 5)),))


def test_a_placement_on_condition() -> None:
    """IF I WIN A: PLACE A ...: for the tile that is won."""
    (clause,) = line("placement", "IF I WIN A: PLACE A AT C4 UNDER D4, D5").plan
    assert clause == Clause(o.Place("C4", ("D4", "D5"), "A"), (Condition("win", {"lot": "A"}),))
    (french,) = line("placement", "SI JE GAGNE A : PLACER A EN C4").plan
    assert french.conditions == clause.conditions


def test_a_round_fits_into_one_letter() -> None:
    """Diplomacy, administration and movement in one letter, with reactions behind."""
    reading = letter(
        "diplomacy",
        "THREATEN Green FOR Money",
        "FOR TURN 2 ADMINISTRATION",
        "TRAIN J9",
        "CAMPAIGN 2",
        "FOR TURN 2 MOVEMENT",
        "MOVE I9 TO J9",
        "ON NEGOTIATION: ALLIANCE",
    )
    assert {asks for asks, *_ in reading.sets} >= {"diplomacy", "administration", "movement"}


@pytest.mark.parametrize(
    "text",
    ["BID A, B", "BID A B", "BID A & B", "BID A / B", "MISER A, B", "MISER B à A", "BID B START 2 / BID A", "TAKE A B"],
)
def test_a_tile_called_a_is_no_article(text: str) -> None:
    """A line that names tile A and another one is refused: nothing of a line is left over."""
    asks = "voyage" if text.startswith("TAKE") else "auction"
    (written,) = letter(asks, text).sets[SectionKey(asks, None)].lines
    assert written.line is None
    assert written.problem is not None
