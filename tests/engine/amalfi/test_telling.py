"""The game told in every language: for each reader what they may know, as their own."""

from dataclasses import replace
from typing import Any

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.catalogue import PRIVATE
from engine.amalfi.ruleset import RULES
from engine.kernel.events import Event
from engine.kernel.orders import unconditional
from engine.kernel.secrets import Secret, redact
from engine.kernel.viewers import PUBLIC, Seat
from pbem.narration import facts as f
from pbem.narration.letter_parts import Reader
from pbem.narration.letters import render
from pbem.narration.narrator import Context, narrator
from tests.engine.amalfi.build import ANN, BOB, At, game, light, place_characters, row
from tests.narration.cases import cases
from tests.narration.text_checks import LANGUAGES, A

GAME = RULES.meta.name
NAMES = {ANN: "Ann (the 1st)", BOB: "Éloïse-Yvonne O'Neill"}
IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)


def context(viewer: str, players: int = 2) -> Context:
    """A telling for one viewer in the middle of a game."""
    return Context(viewer, redact(game(players), viewer), NAMES)


def narrate(event: Event, viewer: str, language: str, players: int = 2) -> str:
    """What one viewer is told of an event, with plain spaces."""
    said = narrator(GAME, language).sentence(event, viewer, context(viewer, players)) or ""
    return said.replace("\u00a0", " ").replace("\u202f", " ")


@IN_BOTH
def test_others_are_not_told_which_characters_were_dealt_kept_or_passed(language: str) -> None:
    """A hand is secret: other characters would be told in the same words."""
    hidden = tuple(Secret(card, frozenset({ANN})) for card in ("c01", "c02"))
    for viewer in (BOB, Seat(PUBLIC)):
        for where in ("hand", "packet", "aside"):
            for kind in (e.HandDealt, e.CardsKept, e.CardsReturned):
                dealt = (kind(seat=ANN, cards=(held,), where=where) for held in hidden)
                assert len({narrate(event, viewer, language) for event in dealt}) == 1
        passed = (e.PacketsPassed(number=1, packets={ANN: (held,)}) for held in hidden)
        assert len({narrate(event, viewer, language) for event in passed}) == 1


@pytest.mark.parametrize(
    ("event", "viewer", "language", "said"),
    [
        (e.Sailed(seat=ANN, place="roma", bread=2), ANN, "en", "You sail to Roma for 2 bread."),
        (
            e.Paid(seat=ANN, cost=7, holds={"wine": 2}, emergency=1, bread=2, lost=0, chosen=True),
            ANN,
            "en",
            (
                "You pay 7 with 2 ships of your wine hold and 1 ship in an emergency; the excess becomes 2 bread "
                "(the payment with the least waste)."
            ),
        ),
        (
            e.ShipsSent(seat=BOB, holds={"spice": 1, "cloth": 2}, cause="roma"),
            BOB,
            "fr",
            "Vous envoyez 1 navire vers votre cale d'épices et 2 navires vers votre cale d'étoffes.",
        ),
        (
            e.Fed(seat=ANN, due=3, paid=2, lost=3),
            ANN,
            "en",
            "You pay 2 of the 3 bread that the meal takes; what is missing costs 3 points.",
        ),
    ],
)
def test_sentences(event: Event, viewer: str, language: str, said: str) -> None:
    """Some sentences as their readers see them, with their own actions as theirs."""
    assert narrate(event, viewer, language) == said


@IN_BOTH
def test_a_table_of_one_hears_of_no_compass_and_of_no_rank(language: str) -> None:
    """Who plays alone is always first, and always the first to earn a title."""
    word = {"en": "Wind Rose", "fr": "Rose des Vents"}[language]
    for event in (e.PeriodBegan(turn=2, first=ANN), e.Passed(seat=ANN, compass=True)):
        assert word not in narrate(event, ANN, language, 1)
        assert word in narrate(event, ANN, language, 2)
    title = e.TitleEarned(seat=ANN, title="humaniste", rank=1, points=12)
    assert "(1" in narrate(title, ANN, language, 2)
    assert "(1" not in narrate(title, ANN, language, 1)


@IN_BOTH
def test_a_row_that_opens_is_told_in_one_sentence(language: str) -> None:
    """Before the first period the cards of a row are told together, with the last of them; later each as it comes."""
    position = game(2)
    position.board.rows = {**position.board.rows, "atlas": PRIVATE[:3]}
    says = narrator(GAME, language)

    def each() -> list[str]:
        """What is told as each card comes, the first one last in the row."""
        seen = Context(ANN, redact(position, ANN), NAMES)
        return [says.sentence(e.RowFilled(row="atlas", card=card), ANN, seen) or "" for card in reversed(PRIVATE[:3])]

    position.board.period = 0
    *before, last = each()
    assert before == ["", ""]
    names = [str(says.name("destination", card)) for card in PRIVATE[:3]]
    assert sorted(names, key=last.index) == names
    position.board.period = 2
    assert all(name in said for name, said in zip(reversed(names), each(), strict=True))


@IN_BOTH
def test_points_below_zero_have_their_sign(language: str) -> None:
    """Who could not pay the meal reads −1, as in the table of all players."""
    assert narrator(GAME, language).render_macro("figure_value", {"name": "points", "value": -1}, context(ANN)) == "−1"


def _letter(position: At, before: At | None = None, **more: Any) -> str:
    """The report of a seat in English, on one line; `before`: what the last one told."""
    case = next(case for case in cases() if case.game == GAME)
    earlier = redact(before, ANN) if before is not None else None
    table = replace(case.frame(A, "en").table, names={ANN: "Ann", BOB: "Bob"})
    frame = case.frame(A, "en", reader=Reader("Ann", "en", "Europe/Paris", ANN), table=table)
    facts = f.ReportFacts(frame, redact(position, ANN), earlier, **more)
    return " ".join(render(facts).text.split())


def test_a_letter_tells_what_things_cost_its_reader() -> None:
    """With what a place adds, and the discounts of the reader's own characters."""
    at = game()
    row(at, "atlas", "pd19", "pd35", "pd28", "pd34", "pd31")
    assert "Ancona (6 in wine" in _letter(at)
    place_characters(at, ANN, "c40")
    assert "Ancona (4 in wine" in _letter(at)


def test_a_letter_and_help_tell_which_destinations_give_a_character() -> None:
    """Les Destinations Évolutives."""
    assert "Salerno (1 to spice, and a character before or after; covered in period IV)" in _letter(game())
    assert "Also take a character, before or after." in narrator(GAME, "en").effect("destination", "salerno")


def test_a_letter_does_not_repeat_what_the_last_one_of_the_period_told() -> None:
    """Decrees, titles and what destinations do; a ship or a lighthouse there is told each time."""
    at, before = game(), game()
    light(at, "roma", BOB)
    whole, short = _letter(at, before), _letter(at, before, abridges=True)
    assert "Decree of period I" in whole
    assert "As in your last report" not in whole
    assert "Decree of period I" not in short
    assert "As in your last report: decrees, titles" in short
    assert "Roma (lighthouse of" in short
    at.board.period = 2
    assert "Decree of period II" in _letter(at, before, abridges=True)


def test_a_lighthouse_whose_use_is_on_file_is_not_explained_again() -> None:
    """“We ask you” is said only to a reader who is going to be asked."""
    filed = f.StoredReaction("light", unconditional(o.Light(("wine",))))
    assert "we ask you what it does" in _letter(game())
    assert "we ask you what it does" not in _letter(game(), reactions=(filed,))
