"""Laws of the order language: it says every order, reads what it prints, and offers only what is accepted."""

from collections.abc import Mapping
from typing import Any

import pytest

from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.parse import parse_letter
from engine.kernel.printing import print_order
from engine.renaissance.catalogue import ALONE, KINDS, NATIONS, TOWNS, TROOPS
from engine.renaissance.conditions import FACTS
from engine.renaissance.forms import FORMS
from engine.renaissance.meta import META
from engine.renaissance.orders import Withdraw
from engine.renaissance.vocabulary import SAVED_CHOICES


@pytest.mark.parametrize("things", [TOWNS, NATIONS, KINDS], ids=["cities", "nations", "cards"])
def test_every_alias_names_one_thing_alone(things: Mapping[str, Any]) -> None:
    """No name of a city, nation or card is another's, so that what is written is never a guess between the two."""
    names = [(spelt.casefold(), thing.id) for thing in things.values() for spelt in thing.words.all_forms()]
    assert len({name for name, _ in names}) == len(set(names))


LETTERS = [
    ("fr", "combat", "ATTAQUER Milan DEPUIS Pavie AVEC canon, chevaliers ET ingénieur"),
    ("en", "combat", "attack Milano from Pavia with cannon, knights and engineer"),
    ("en", "combat", "ATTACK Milano FROM Pavia WITH cannon AND cannon"),
    ("en", "combat", "IF Milano FELL: ATTACK Piacenza WITH pikemen, knights"),
    ("en", "combat", "IF I HAVE 2 blue cards AND NOT I HOLD Pisa: RIDE Pisa WITH swiss, condottiere"),
    ("fr", "combat", "SI j'ai en main ambassadeur : AMBASSADE CORROMPRE Sienne RUINER Pise"),
    ("fr", "combat", "artiste à Florence"),
    ("en", "combat", "LURE Venezia TO Firenze"),
    ("fr", "purchases", "acheter 3 cartes"),
    ("fr", "purchases", "palais à Rome"),
    ("en", "purchases", "build a fortress in Pisa"),
    ("en", "expansion", "EXPAND Siena FROM Firenze OR EXPAND Pisa"),
    ("fr", "expansion", "prendre Sienne depuis Florence"),
    ("fr", "vote", "VOTER guerre"),
    ("fr", "deals", "donner 3 ducats à Rome"),
    ("en", "deals", "OFFER Pisa FOR Siena"),
]


@pytest.mark.parametrize(("language", "asks", "text"), LETTERS, ids=[text for *_, text in LETTERS])
def test_lines_as_players_write_them_are_read(language: str, asks: str, text: str) -> None:
    """Names of either language, small words, conditions before and alternatives behind."""
    section = Section(META.topic(asks), FORMS[asks], open=True)
    (read,) = (
        parse_letter([text], Grammar((section,), (), FACTS, language, META.topics)).sets[SectionKey(asks, None)].lines
    )
    assert read.problem is None, read.problem


COUNTED = [
    ("en", "combat", "ATTACK Milano FROM Pavia WITH 2 pikemen", ("piquiers", "piquiers")),
    ("en", "combat", "ATTACK Milano WITH pikemen x 2, engineer", ("piquiers", "piquiers", "ingenieur")),
    ("en", "combat", "ATTACK Milano WITH Pikemen × 2 and Engineer", ("piquiers", "piquiers", "ingenieur")),
    ("en", "combat", "ATTACK Milano WITH 2x pikemen", ("piquiers", "piquiers")),
    ("en", "combat", "RIDE Milano WITH two knights", ("chevaliers", "chevaliers")),
    ("fr", "combat", "ATTAQUER Milan AVEC 2 Condottieri, félon", ("condottiere", "condottiere", "felon")),
    ("fr", "combat", "ATTAQUER Milan AVEC Condottiere × 3", ("condottiere",) * 3),
    ("fr", "combat", "ATTAQUER Milan AVEC un canon et un suisse", ("canon", "suisses")),
    ("en", "sales", "SELL 2 attacker", ("attacker", "attacker")),
    ("en", "sales", "SELL attacker x 2, defender", ("attacker", "attacker", "defender")),
    ("fr", "retreat", "REPRENDRE Piquiers × 2", ("piquiers", "piquiers")),
    ("fr", "retreat", "REPRENDRE un canon", ("one_canon",)),
    ("fr", "retreat", "REPRENDRE Canon × 1, suisses", ("one_canon", "suisses")),
    ("en", "retreat", "SAVE 1 cannon, 2 pikemen", ("one_canon", "piquiers", "piquiers")),
    ("en", "retreat", "SAVE cannon 1 and knights", ("one_canon", "chevaliers")),
    ("en", "retreat", "SAVE 1 canon", ("one_canon",)),
    ("en", "retreat", "SAVE cannon", ("canon",)),
]


@pytest.mark.parametrize(("language", "asks", "text", "things"), COUNTED, ids=[text for _, _, text, _ in COUNTED])
def test_cards_are_counted_as_letters_count_them(language: str, asks: str, text: str, things: tuple[str, ...]) -> None:
    """Combat  A number before a card, or behind it as in the list of one's hand, means so many of it."""
    section = Section(META.topic(asks), FORMS[asks], open=True)
    (read,) = (
        parse_letter([text], Grammar((section,), (), FACTS, language, META.topics)).sets[SectionKey(asks, None)].lines
    )
    assert read.problem is None, read.problem
    assert read.line is not None
    order = read.line.plan[0].order
    assert (getattr(order, "cards", None) or getattr(order, "to", None)) == things
    assert read.line.repeat == 1


def test_one_card_of_each_blue_kind_can_be_said() -> None:
    """Retraite, A39  Each has words of its own, is what a number of one means, and is printed with it."""
    assert [choice.value for choice in SAVED_CHOICES] == [*TROOPS, *ALONE.values()]
    assert print_order(FORMS["retreat"], Withdraw(("one_canon", "suisses")), "fr") == "REPRENDRE 1 Canon, Suisses"
    assert print_order(FORMS["retreat"], Withdraw(("canon", "one_suisses")), "en") == "SAVE Cannon, 1 Swiss"


def test_what_two_open_questions_take_answers_the_one_that_is_waited_for() -> None:
    """Diplomatie, A38  At the stop before the count a gift answers the stop; an offer is for diplomacy alone."""
    stop = Section(META.topic("council"), FORMS["council"], open=True)
    beside = Section(META.topic("deals"), FORMS["deals"], open=True, optional=True)
    grammar = Grammar((beside, stop), (), FACTS, "en", META.topics)
    read = parse_letter(["GIVE 2 ducats TO Rome", "OFFER Pisa FOR Siena"], grammar).sets
    said = {asks: [(line.text, line.problem) for line in found.lines] for (asks, _, _), found in read.items()}
    assert said == {"council": [("GIVE 2 ducats TO Rome", None)], "deals": [("OFFER Pisa FOR Siena", None)]}


REACTIONS = [
    ("fr", "defence", "EN CAS DE DÉFENSE : POSER la plus forte AVEC ingénieur"),
    ("en", "defence", "ON DEFENCE: IF Milano IS ATTACKED: LAY strongest WITH engineer OR IN ANY CASE: LAY weakest"),
    ("en", "sales", "ON SALES: SELL TO attacker"),
    ("en", "traitor", "ON BETRAYAL: BRIBE 2"),
    ("en", "sign", "ON SIGN OF GOD: IF IT DECIDES: DOUBLE strongest"),
    ("fr", "retreat", "SUR RETRAITE : REPRENDRE suisses, canon"),
    ("fr", "counter", "SUR CONTRE : CONTRER"),
]


@pytest.mark.parametrize(("language", "asks", "text"), REACTIONS, ids=[text for *_, text in REACTIONS])
def test_standing_instructions_are_read(language: str, asks: str, text: str) -> None:
    """Per city or in general, by conditions: what a defender files for a turn."""
    sections = tuple(Section(topic, FORMS[topic.key]) for topic in META.topics if topic.is_reaction)
    read = parse_letter([text], Grammar((), sections, FACTS, language, META.topics)).reactions[asks]
    assert read.problem is None, read.problem
    assert read.line is not None
