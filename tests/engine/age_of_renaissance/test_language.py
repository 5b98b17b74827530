"""The order language of the game: what a player writes, in either language, and the order that it means."""

import pytest

from engine.age_of_renaissance import orders as o
from engine.age_of_renaissance.conditions import FACTS
from engine.age_of_renaissance.forms import FORMS
from engine.age_of_renaissance.meta import META
from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.orders import Condition, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLetter


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


def order(asks: str, text: str) -> Order:
    """The one unconditional order that a letter holds."""
    (clause,) = line(asks, text).plan
    assert not clause.conditions
    return clause.order


WRITTEN: list[tuple[str, str, Order]] = [
    ("keep", "GARDER Laine, Étriers", o.Keep(("wool_1a", "stirrups"))),
    ("keep", "keep stone and stone", o.Keep(("stone_1a", "stone_1a"))),
    ("bid", "ENCHÈRE 3", o.Bid(3)),
    ("bid", "bid 3 ducats", o.Bid(3)),
    ("capitals", "CAPITALES Venezia, Barcelona, Genoa", o.Capitals(("venezia", "barcelona", "genoa"))),
    ("capitals", "capitals Venice Barcelona Genoa", o.Capitals(("venezia", "barcelona", "genoa"))),
    ("tokens", "PIONS 14", o.Tokens(14)),
    ("tokens", "TOKENS -5", o.Tokens(-5)),
    ("tokens", "pions moins 5", o.Tokens(-5)),
    ("history", "JOUER Rébellion À Firenze", o.Play("rebellion", ("firenze",))),
    ("history", "PLAY Cloth/Wine AS Cloth", o.Play("cloth_wine_1", good="cloth")),
    ("history", "jouer vin/tissu en tant que vin", o.Play("cloth_wine_1", good="wine")),
    ("history", "PLAY Wool", o.Play("wool_1a")),
    ("history", "PLAY Cloth", o.Play("cloth_2")),
    ("history", "jouer guerre contre Gênes", o.Play("war", ("genoa",))),
    ("history", "jouer guerre de religion", o.Play("religious_strife")),
    ("history", "jouer guerre civile à paris", o.Play("civil_war", ("paris",))),
    ("history", "PLAY Alchemist Venezia", o.Play("alchemist", ("venezia",))),
    ("history", "play black death in region VI", o.Play("black_death", ("VI",))),
    ("history", "jouer peste VI", o.Play("black_death", ("VI",))),
    ("history", "jouer bulle papale contre voyages", o.Play("papal_bull", ("voyages",))),
    ("history", "play pirates at Barcelona, Lisbon", o.Play("pirates", ("barcelona", "lisboa"))),
    ("history", "jouer croisades à Saint Jean d'Acre", o.Play("crusades", ("saint_jean_d_acre",))),
    ("history", "play Marco Polo", o.Play("marco_polo")),
    ("purchases", "ACHETER N W", o.Buy(("N", "W"))),
    ("purchases", "BUY Manuscripts, Vassal", o.Buy(("N", "W"))),
    ("purchases", "acheter l'Agronomie", o.Buy(("K",))),
    ("purchases", "ACHETER L", o.Buy(("L",))),
    ("purchases", "ACHETER A", o.Buy(("A",))),
    ("purchases", "buy a Caravan", o.Buy(("I",))),
    ("purchases", "acheter arts et techniques, banque", o.Buy(("P", "L"))),
    ("purchases", "BUY R WITH Marco Polo", o.Buy(("R",), ("marco_polo",))),
    ("purchases", "FLOTTE", o.UpgradeShip()),
    ("purchases", "buy ship", o.UpgradeShip()),
    ("purchases", "STABILISER", o.Stabilise()),
    ("purchases", "stabilize", o.Stabilise()),
    ("purchases", "NE PAS STABILISER", o.Stabilise(False)),
    ("purchases", "DO NOT STABILISE", o.Stabilise(False)),
    ("purchases", "défausser Pierre", o.Discard("stone_1a")),
    ("expansion", "PLACER Montpellier 2", o.Place("montpellier", 2)),
    ("expansion", "place 2 Athens", o.Place("athina", 2)),
    ("expansion", "attack Grenada with 3", o.Attack("grenada", 3)),
    ("expansion", "ATTAQUER Grenade 3 PAR CONVERSION", o.Attack("grenada", 3, convert=True)),
    ("expansion", "attack Grenada 3 using conversion", o.Attack("grenada", 3, convert=True)),
    ("expansion", "BUY CARD", o.BuyCard()),
    ("expansion", "acheter une carte", o.BuyCard()),
    ("expansion", "RELEVER Roma, Bari", o.Lift(("roma", "bari"))),
    ("final", "PLAY Ivory/Gold AS Gold", o.Play("ivory_gold_1", good="gold")),
    ("leave", "quitter la partie", o.Leave()),
    ("leave", "QUIT THE GAME", o.Leave()),
]


@pytest.mark.parametrize(("asks", "text", "meant"), WRITTEN, ids=[text for _, text, _ in WRITTEN])
def test_an_order_is_read_as_it_is_meant(asks: str, text: str, meant: Order) -> None:
    """Orders are written in French or English, with synonyms, everyday names of cities, letters of advances."""
    assert order(asks, text) == meant


REACTIONS: list[tuple[str, str, Order]] = [
    ("civil_war", "ON CIVIL WAR: MONEY", o.Forfeit("money")),
    ("civil_war", "SUR GUERRE CIVILE : PIONS", o.Forfeit("tokens")),
    ("civil_war", "en cas de guerre civile : argent", o.Forfeit("money")),
    ("remnant", "ON REDUCED PROVINCE: LEAVE A TOKEN", o.Remain("token")),
    ("remnant", "SUR PROVINCE RÉDUITE : LAISSER VIDE", o.Remain("nothing")),
    ("war", "ON WAR: CEDE Roma, Napoli", o.Cede(("roma", "napoli"))),
    ("weapon", "ON TIED WAR: PLAY Gunpowder", o.Arm("gunpowder")),
    ("conversion", "ON CONVERSION: USE CONVERSION", o.UseConversion()),
    ("conversion", "SUR CONVERSION : CONVERTIR CONTRE Paris À Lyon", o.UseConversion(("paris",), ("lyon",))),
    ("manuscripts", "ON MANUSCRIPTS: EXCHANGE Stone, Wool", o.Exchange(("stone_1a", "wool_1a"))),
    ("renaissance", "ON RENAISSANCE: SWAP FORWARD EXPANSION", o.Swap("before", "expansion")),
    (
        "renaissance",
        "SUR RENAISSANCE : CHANGER DERRIÈRE EXPANSION GUERRE CIVILE EN DERNIER",
        o.Swap("after", "expansion", "last"),
    ),
    ("indulgences", "ON INDULGENCES: MISERY", o.Indulge("misery")),
    ("indulgences", "SUR INDULGENCES : DUCATS", o.Indulge("ducats")),
    ("rank", "ON TIE: LAST", o.Rank(1, last=True)),
    ("rank", "SUR ÉGALITÉ : RANG 2", o.Rank(2)),
    ("rank", "ON TIE: FIRST", o.Rank(1)),
    ("rank", "ON TIE: RANK FROM LAST 2", o.Rank(2, last=True)),
    ("lift", "ON MARKERS: LIFT Bari", o.Lift(("bari",))),
    ("surplus", "ON MARKET: CANCEL Wine, Wine", o.CancelMarkets(("wine", "wine"))),
    ("mills", "ON MILLS: MILLS Wine SHORTAGE", o.Mill("wine", "shortage")),
    ("mills", "SUR MOULINS : MOULINS Céréales EXCÉDENT", o.Mill("grain", "surplus")),
    ("extra", "ON EXTRA CARD: DRAW", o.BuyExtra()),
    ("discard", "SUR DÉFAUSSE : DÉFAUSSER Pierre", o.Discard("stone_1a")),
]


@pytest.mark.parametrize(("asks", "text", "meant"), REACTIONS, ids=[text for _, text, _ in REACTIONS])
def test_a_reaction_comes_with_any_letter(asks: str, text: str, meant: Order) -> None:
    """What interrupts is answered ahead by a line of its own, whatever is asked now."""
    written = letter("tokens", "TOKENS 3", text)
    reaction = written.reactions[asks].line
    assert reaction is not None, written.reactions[asks].problem
    assert reaction.plan[0].order == meant
    assert len(written.sets[SectionKey("tokens", None)].lines) == 1


IFS: list[tuple[str, Condition]] = [
    ("IF I HOLD Firenze: PLACE Roma 4", Condition("hold", {"province": "firenze"})),
    ("SI JE TIENS Florence PLACER Rome 4", Condition("hold", {"province": "firenze"})),
    ("IF I DO NOT HOLD Firenze, PLACE Roma 4", Condition("hold", {"province": "firenze"}, negated=True)),
    ("IF Venezia HOLDS Firenze: PLACE Roma 4", Condition("holds", {"power": "venezia", "province": "firenze"})),
    (
        "SI Venise ne tient pas Florence : placer Rome 4",
        Condition("holds", {"power": "venezia", "province": "firenze"}, negated=True),
    ),
    ("IF Roma IS EMPTY: PLACE Roma 4", Condition("empty", {"province": "roma"})),
    ("IF Roma IS NOT EMPTY PLACE Roma 4", Condition("empty", {"province": "roma"}, negated=True)),
    ("SI Rome n'est pas vide : placer Rome 4", Condition("empty", {"province": "roma"}, negated=True)),
    ("IF I AM IN Bari: PLACE Roma 4", Condition("present", {"province": "bari"})),
    ("IF I HAVE 8 TOKENS: PLACE Roma 4", Condition("have", {"count": 8, "what": "tokens"})),
    ("SI J'AI 12 ducats placer Rome 4", Condition("have", {"count": 12, "what": "ducats"})),
    ("IF I HAVE Caravan: PLACE Roma 4", Condition("own_advance", {"advance": "I"})),
    ("IF I HAVE THE CARD War: PLACE Roma 4", Condition("in_hand", {"card": "war"})),
    ("IF Genoa HAS Caravan: PLACE Roma 4", Condition("has_advance", {"power": "genoa", "advance": "I"})),
    ("SI Gênes A Caravane : placer Rome 4", Condition("has_advance", {"power": "genoa", "advance": "I"})),
    ("IF War WAS PLAYED: PLACE Roma 4", Condition("played", {"card": "war"})),
    ("SI Guerre de religion a été jouée placer Rome 4", Condition("played", {"card": "religious_strife"})),
    ("IF MY RANK IS 2: PLACE Roma 4", Condition("rank", {"place": 2})),
    ("IF SHORTAGE OF Wine: PLACE Roma 4", Condition("shortage", {"good": "wine"})),
    ("SI EXCÉDENT DE Vin : PLACER Roma 4", Condition("surplus", {"good": "wine"})),
    ("IF I WON AT Bari: PLACE Roma 4", Condition("won", {"province": "bari"})),
    ("SI J'AI PERDU À Bari : PLACER Roma 4", Condition("lost", {"province": "bari"})),
]


@pytest.mark.parametrize(("text", "asked"), IFS, ids=[text for text, _ in IFS])
def test_if_asks_what_it_seems_to_ask(text: str, asked: Condition) -> None:
    """Facts are said with their subject first, denied as one speaks, with a colon, a comma or nothing behind them."""
    (clause,) = line("expansion", text).plan
    assert clause.conditions == (asked,)
    assert clause.order == o.Place("roma", 4)


def test_a_line_with_everything() -> None:
    """`ATTACK Firenze 8 UP TO 2 TIMES ELSE PLACE Roma 4` is a plan, tried twice, with an otherwise."""
    read = line("expansion", "ATTACK Firenze 8 UP TO 2 TIMES ELSE PLACE Roma 4")
    assert read.repeat == 2
    assert [clause.order for clause in read.plan] == [o.Attack("firenze", 8)]
    assert [clause.order for clause in read.fallback] == [o.Place("roma", 4)]


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("IF Bari IS EMPTY: DO NOT STABILISE", False),
        ("IF Bari IS EMPTY DO NOT STABILISE", False),
        ("SI Bari EST VIDE NE PAS STABILISER", False),
        ("IF Bari IS NOT EMPTY: DO NOT STABILISE", True),
        ("SI Bari N'EST PAS VIDE NE PAS STABILISER", True),
    ],
)
def test_an_order_that_denies_something_denies_nothing_of_its_condition(text: str, negated: bool) -> None:
    """`DO NOT STABILISE` behind a condition stays what it is."""
    (clause,) = line("purchases", text).plan
    assert clause.order == o.Stabilise(False)
    assert clause.conditions == (Condition("empty", {"province": "bari"}, negated=negated),)


def test_a_section_for_a_phase_ahead() -> None:
    """`FOR TURN 5 EXPANSION` opens a section; lines of the open question come first."""
    read = letter("tokens", "PIONS 14", "POUR TOUR 5 EXPANSION", "PLACER Montpellier 2", "FIN", "PLACER Roma 4")
    assert [w.line.plan[0].order for w in read.sets[SectionKey("tokens", None)].lines if w.line] == [o.Tokens(14)]
    later = read.sets[SectionKey("expansion", 5)].lines
    assert [w.line.plan[0].order for w in later if w.line] == [o.Place("montpellier", 2)]


@pytest.mark.parametrize(
    ("asks", "text", "code", "accepted"),
    [
        ("expansion", "PLACE Monpelier", "missing", "PLACE Montpellier 1"),
        ("expansion", "PLACE Xanadu 3", "unknown_name", ""),
        ("expansion", "PLACE Roma", "missing", "PLACE Roma 1"),
        ("purchases", "BUY Gunpowder", "unknown_name", ""),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_line_that_can(asks: str, text: str, code: str, accepted: str) -> None:
    """A line that begins like an order is never taken for talk; what was understood of it is said again."""
    (written,) = letter(asks, text).sets[SectionKey(asks, None)].lines
    assert written.problem is not None
    assert written.problem.code == code
    assert written.problem.terms["accepted"] == accepted


def test_candidates_come_from_every_sort_of_card() -> None:
    """A name that could be several cards is refused with all of them, whatever form each is played by."""
    (written,) = letter("history", "PLAY re at Roma").sets[SectionKey("history", None)].lines
    assert written.problem is not None
    assert written.problem.code == "ambiguous"
    assert written.problem.terms["candidates"] == ("Uprisings", "Religious Strife", "Rebellion")


@pytest.mark.parametrize("text", ["leave", "Leave me alone in Italy", "quit", "Je quitte Venise demain"])
def test_leaving_is_never_a_slip(text: str) -> None:
    """§11.3  Only the full words give the game up; a sentence that begins like them is talk."""
    read = letter("leave", text)
    assert not read.sets
    assert [said for _, said in read.skipped] == [text]
