"""Grammar that breaks with a name or a number: elision, agreement, plurals of one, marks and signs."""

import pytest

from tests.narration.grammar_cases import PLAYERS, awkward_letters, grammar_faults, prose


@pytest.mark.parametrize(("language", "players"), [("fr", PLAYERS[0]), ("en", PLAYERS[1])])
def test_every_letter_is_grammatical_with_any_name_and_number(language: str, players: tuple[str, ...]) -> None:
    """With any names and numbers of players, no letter has a fault of grammar, of marks or of pronouns."""
    for kind, letter in awkward_letters(language, players):
        for said in prose(letter):
            assert grammar_faults(said, language) == [], (kind, said)


@pytest.mark.parametrize(
    ("language", "said", "fault"),
    [
        ("fr", "La place de Alice se libère.", "elision"),
        ("fr", "Il faut que Édouard réponde.", "elision"),
        ("fr", "C'est à le joueur 3.", "contraction"),
        ("fr", "Réessayez dans 1 minutes.", "one with a plural"),
        ("fr", "Il manque 0 joueurs.", "one with a plural"),
        ("fr", "Essayez : PIONS 3.", "a colon that may begin a line"),
        ("fr", "La table «\u00a0Rose ».", "a colon that may begin a line"),
        ("fr", "La table “Rose”.", "a quotation mark of another language"),
        ("fr", "Ce qui fut envoyé ne compte plus.", "passé simple"),
        ("fr", "Le dimanche 1 mars 2026.", "the first of a month"),
        ("fr", "Demandez à celui qui vous a invité.", "a person"),
        ("en", "You draw a Ivory card.", "article"),
        ("en", "Try again in 1 minutes.", "one with a plural"),
        ("en", 'The table "Rose" begins.', "a quotation mark of another language"),
        ("en", "Zoe answers in his own time.", "a person"),
        ("en", "Nothing  to do.", "doubled space"),
        ("en", "The game is over..", "two stops"),
        ("en", "The default applies : nothing.", "a space before a mark"),
    ],
)
def test_each_fault_of_grammar_is_found(language: str, said: str, fault: str) -> None:
    """The measure itself tells a broken sentence from a whole one."""
    assert {found.partition(":")[0] for found in grammar_faults(said, language)} == {fault}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "fr",
            "La place d'Alice, celle de Hélène et celle d'Yves, le dimanche 1er\u00a0mars\u00a0: 1 voix, 2 joueurs.",
        ),
        ("en", "“Rose” is waiting for 1 player and 21 cards; Alice's seat is open, at their request."),
    ],
)
def test_a_whole_sentence_has_no_fault(language: str, said: str) -> None:
    """Nothing is found where nothing is wrong."""
    assert grammar_faults(said, language) == []
