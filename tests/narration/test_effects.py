"""What cards and advances do, as players are told it: complete, in both languages, where they meet the things."""

import pytest

from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, Kind
from engine.kernel.languages import Language
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.secrets import redact, seen_by
from pbem.narration import facts as f
from pbem.narration.glossary import effects
from pbem.narration.letters import render
from pbem.narration.narrator import narrator
from tests.narration.cases import LANGUAGES, A, Case, cases

IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)
AGE = next(case for case in cases() if case.game == "age_of_renaissance")
EVENTS = {card.id for card in CARDS.values() if card.kind is Kind.EVENT}


def flat(letter: f.LetterFacts) -> str:
    """The text of a letter without its line breaks."""
    return " ".join(render(letter).text.replace("\u00a0", " ").split())


def plain(sentence: str) -> str:
    """A sentence as it stands in the middle of a line."""
    return " ".join(sentence.replace("\u00a0", " ").split())


def holding(seat: Seat) -> tuple[Position[object], str]:
    """A position of a played game in which a seat holds an event that it can play, and that event."""
    for at, entry in enumerate(AGE.entries()):
        position = redact(AGE.position(at), seat)
        with seen_by(seat):
            held = (card for card in position.board.known_hand(seat) if card in EVENTS)
            found = next((card for card in held if not CARDS[card].burden), None)
        if found is not None and entry.after.position.board.turn:
            return position, found
    raise AssertionError("no event was ever held")


@IN_BOTH
def test_every_event_and_every_advance_is_explained(language: Language) -> None:
    """A2, §6  Nobody needs another's booklet to know what a card does: 18 events, 26 advances, and nothing else."""
    told = effects(AGE.game, language)
    assert set(told) == {"card", "advance"}
    assert set(told["card"]) == EVENTS
    assert set(told["advance"]) == set(ADVANCES)


@IN_BOTH
@pytest.mark.parametrize("case", cases(), ids=str)
def test_what_things_do_is_told_in_clean_sentences(case: Case, language: Language) -> None:
    """One sentence a thing, with capital and stop, and no word of the other language in it."""
    for name, does in narrator(case.game, language).effects():
        assert does[0].isupper(), name
        assert does.endswith("."), name
        assert case.faults(does, language) == [], name


@IN_BOTH
def test_what_nothing_is_told_of_has_an_empty_effect(language: Language) -> None:
    """Commodities and leaders tell what they pay instead, and an unknown kind is no error."""
    told = narrator(AGE.game, language)
    assert [told.effect("card", "wool_1a"), told.effect("card", "newton"), told.effect("ship", "galley")] == [""] * 3


@IN_BOTH
def test_a_report_says_what_the_events_in_hand_do(language: Language) -> None:
    """The list of one's hand explains its events."""
    position, event = holding(A)
    letter = flat(f.ReportFacts(AGE.frame(A, language), position, None, ()))
    told = narrator(AGE.game, language)
    assert f"{told.name('card', event)}. {plain(told.effect('card', event))}" in letter


@IN_BOTH
def test_help_by_letter_says_what_everything_does(language: Language) -> None:
    """The word HELP brings them all, each under its name."""
    view = redact(AGE.position(), A)
    letter = flat(f.ReceiptFacts(AGE.frame(A, language), view, commands=(f.CommandRead("help"),)))
    for name, does in narrator(AGE.game, language).effects():
        assert name in letter
        assert plain(does)[1:] in letter, name
