"""The order language of the game: what a player writes, in either language, and the order that it means."""

import pytest

from engine.amalfi import orders as o
from engine.amalfi.conditions import FACTS
from engine.amalfi.forms import FORMS
from engine.amalfi.meta import META
from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.orders import AskMe, Clause, Condition, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLetter


def letter(asks: str, *lines: str) -> ParsedLetter:
    """A letter of a player who is asked this question now."""
    return parse_letter(
        lines, Grammar((Section(META.topic(asks), FORMS[asks], open=True),), (), FACTS, "en", META.topics)
    )


def line(asks: str, text: str) -> Line:
    """The one line that a letter holds."""
    (written,) = letter(asks, text).sets[SectionKey(asks, None)].lines
    assert written.line is not None, written.problem
    return written.line


WRITTEN: list[tuple[str, str, Order]] = [
    ("action", "SAIL Venezia SEND wood, cloth", o.Sail("venezia", send=("wood", "cloth"))),
    ("action", "sail to venezia send 2 wood", o.Sail("venezia", send=("wood", "wood"))),
    (
        "action",
        "SAIL Roma TAKE Raphael, rightmost ERECT AT Bari",
        o.Sail("roma", take=("c01", "rightmost"), erect=("pd18",)),
    ),
    ("action", "SAIL Napoli FIRST TAKE the rightmost", o.Sail("napoli", first=("rightmost",))),
    ("action", "SAIL Ragusa SEND no ship LIGHT wood", o.Sail("ragusa", send=("none",), light=("wood",))),
    ("action", "NAVIGUER VERS Venezia ENVOYER bois, tissu", o.Sail("venezia", send=("wood", "cloth"))),
    ("action", "naviguer Pisa prendre Raphaël", o.Sail("pisa", take=("c01",))),
    ("action", "ACQUIRE Decameron PAY jewel, EMERGENCY jewel", o.Acquire("book04", ("jewel",), ("jewel",))),
    (
        "action",
        "ACQUIRE La Primavera PAY 2 jewels REFRESH Michelangelo",
        o.Acquire("painting03", ("jewel",) * 2, refresh=("c57",)),
    ),
    ("action", "ACQUÉRIR Le vite EN PAYANT 2 vin URGENCE vin", o.Acquire("book17", ("wine", "wine"), ("wine",))),
    ("action", "DÉCOUVRIR Corfù", o.Discover("pd23")),
    ("action", "INVITE Johannes Gutenberg PAY spice TAKE rightmost", o.Invite("c16", ("spice",), take=("rightmost",))),
    ("action", "INVITER Fra Angelico OBTENIR La Primavera", o.Invite("c22", get="painting03")),
    ("action", "ENGAGE Michelangelo GETTING Decameron PAY 2 wine", o.Engage("c57", get="book04", pay=("wine",) * 2)),
    ("action", "CONSTRUIRE 1 navire", o.Build(1)),
    ("action", "TERMINER", o.Finish()),
    ("action", "LOWER 2 wood, spice", o.Lower(("wood", "wood", "spice"))),
    ("free", "RAVITAILLER 1", o.Supply(1)),
    ("free", "CANCEL ACTIONS", o.Recant()),
    ("take", "REFRESH Titian", o.Refresh(("c58",))),
    ("erect", "ERECT points", o.Erect(("vp",))),
    ("light", "LIGHT wood, wine", o.Light(("wood", "wine"))),
    ("light", "GAGNER PAIN", o.Light()),
    ("hand", "CHOISIR Ancre", o.ChooseHand("ancre")),
    ("keep", "GARDER Raphaël, Titien, Érasme", o.Keep(("c01", "c58", "c71"))),
]


@pytest.mark.parametrize(("asks", "text", "order"), WRITTEN)
def test_a_line_is_read_as_what_it_means(asks: str, text: str, order: Order) -> None:
    """One action is one line, with its payment and its choices."""
    assert line(asks, text) == Line((Clause(order),))


def test_a_line_may_wait_for_a_fact_have_an_alternative_or_ask_back() -> None:
    """IF, ELSE, ASK ME."""
    written = line("action", "IF Candia IS FREE SAIL Candia ELSE ASK ME")
    assert written.plan[0] == Clause(o.Sail("candia"), (Condition("free", {"place": "candia"}),))
    assert written.fallback[0].order == AskMe()


@pytest.mark.parametrize(
    ("text", "fact", "about"),
    [
        ("Decameron IS OFFERED", "offered", {"thing": "book04"}),
        ("Decameron COSTS AT MOST 6", "costs", {"thing": "book04", "most": 6}),
        ("Ragusa IS DARK", "dark", {"place": "ragusa"}),
        ("I HAVE BREAD 3", "bread", {"count": 3}),
        ("I HAVE SHIPS 2", "bay", {"count": 2}),
        ("I HOLD 2 wood", "hold", {"count": 2, "hold": "wood"}),
        ("OTHERS HAVE PASSED", "alone", {}),
    ],
)
def test_facts_are_asked_in_plain_words(text: str, fact: str, about: dict[str, str | int]) -> None:
    """What IF may ask."""
    written = line("action", f"IF {text} FINISH")
    assert written.plan[0] == Clause(o.Finish(), (Condition(fact, about),))
