"""What cards and advances do, as players are told it: complete, in both languages, where they meet the things."""

from typing import Any

import pytest

from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, Kind
from engine.amalfi import catalogue as amalfi
from engine.kernel.languages import Language
from engine.kernel.narration_hooks import Thing
from engine.kernel.position import Position
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import Seat
from engine.patchistory import catalogue as patchistory
from engine.renaissance.catalogue import KINDS, NATIONS
from pbem.narration import facts as f
from pbem.narration.glossary import load_effects
from pbem.narration.item_texts import find
from pbem.narration.letters import render
from pbem.narration.narrator import narrator
from tests.narration.cases import LANGUAGES, A, Case, case_of, cases

IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)
AGE = case_of("age_of_renaissance")
STATES = case_of("renaissance")
EVENTS = {card.id for card in CARDS.values() if card.kind is Kind.EVENT}


def flat(letter: f.EmailFacts) -> str:
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
    told = load_effects(AGE.game, language)
    assert set(told) == {"card", "advance"}
    assert set(told["card"]) == EVENTS
    assert set(told["advance"]) == set(ADVANCES)


@IN_BOTH
def test_every_battle_card_and_every_power_of_a_state_is_explained(language: Language) -> None:
    """Séquence 2, Pouvoirs par état: fifteen kinds of card, ten powers, and nothing else."""
    told = load_effects(STATES.game, language)
    assert {kind: set(rows) for kind, rows in told.items()} == {"card": set(KINDS), "nation": set(NATIONS)}


@IN_BOTH
def test_a_report_says_what_the_cards_in_hand_and_the_own_power_do(language: Language) -> None:
    """Each kind in hand with its effect; and the power, at tables that play with them."""
    seat, position = powered()
    letter = flat(f.ReportFacts(STATES.frame(seat, language), position, None, ()))
    told = narrator(STATES.game, language)
    with seen_by(seat):
        kinds, nation = set(position.board.kinds(seat)), position.board.powers[seat].nation
    assert kinds
    for kind in kinds:
        assert plain(told.effect("card", kind)) in letter
    assert plain(told.effect("nation", nation)) in letter


@IN_BOTH
def test_everything_that_a_letter_or_picture_of_a_board_shows_is_explained(language: Language) -> None:
    """Price and effect of each thing of Amalfi, each location and prosperity card of Patchistory: HELP tells them."""
    told = load_effects("amalfi", language)
    assert {kind: set(rows) for kind, rows in told.items()} == {
        "destination": set(amalfi.DESTINATIONS),
        "artwork": set(amalfi.ARTWORKS),
        "card": set(amalfi.CHARACTERS),
        "title": set(amalfi.TITLES),
        "decree": set(amalfi.DECREES),
        "hand": set(amalfi.HANDS),
    }
    told = load_effects("patchistory", language)
    assert {kind: set(rows) for kind, rows in told.items()} == {
        "room": set(patchistory.ROOMS),
        "card": set(patchistory.PROSPERITY),
    }


@pytest.mark.parametrize(
    ("game", "asked", "thing"),
    [
        ("amalfi", "Naples", ("destination", "napoli")),
        ("amalfi", "Gênes", ("destination", "genova")),
        ("amalfi", "Anchor", ("hand", "ancre")),
        ("patchistory", "Market", ("room", "market")),
        ("patchistory", "Trade Routes", ("card", "rank_trade_routes")),
    ],
)
def test_help_knows_what_players_call_things(game: str, asked: str, thing: Thing) -> None:
    """By the names on the board, and by those of the reader's own language."""
    assert thing in find(narrator(game, "en"), asked)


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        (
            "en",
            ("Alessandria (1 bread: 2 to spice", "Admiral (24, 18, 12, 6), with 10 ships", "worth 2 points for each"),
        ),
        (
            "fr",
            ("Alessandria (1 pain : 2 en épices", "Amiral (24, 18, 12, 6), pour qui possède 10", "rapporte 2 points"),
        ),
    ],
)
def test_rows_of_the_open_board_say_what_things_cost_and_do(language: Language, rows: tuple[str, ...]) -> None:
    """Nothing is only in the picture: destinations, titles and decrees say it in the report."""
    case = case_of("amalfi")
    position = case.view(A, 8)
    letter = flat(f.ReportFacts(case.frame(A, language), position, None, ()))
    for row in rows:
        assert row in letter, row
    for row in ("atlas", "atelier"):
        things = amalfi.DESTINATIONS if row == "atlas" else amalfi.ARTWORKS
        assert all(str(things[card].vp) in letter for card in position.board.rows[row])


def powered() -> tuple[Seat, Position[Any]]:
    """A seat with cards in hand, in a game played with powers."""
    for at, entry in enumerate(STATES.entries(1)):
        board = entry.after.position.board
        if board.turn and board.powers[A].hand:
            return A, redact(STATES.position(at, 1), A)
    raise AssertionError("nobody ever held a card")


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
    letter = flat(f.ReceiptFacts(AGE.frame(A, language), view, commands=(f.ExecutedCommand("help"),)))
    for name, does in narrator(AGE.game, language).effects():
        assert name in letter
        assert plain(does)[1:] in letter, name
