"""What a game master can put right in The Age of Renaissance: each correction as a fact, told, bounded, taken back."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.apply import PatchRefused
from engine.kernel.bots import chooser
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.events import Corrected, Event
from engine.kernel.position import Position
from engine.kernel.run import Advance, correct, fold, inverse_events, ruling_events
from engine.kernel.secrets import Secret, redact, truth
from engine.kernel.viewers import PUBLIC, Seat
from pbem.narration.narrator import Context, narrator
from pbem.service.masters.rulings import events_of, parse_ruling_orders, strip_knowledge
from tests import bot_games
from tests.invariants import hidden, resampled, words_in

A, B, C, D = SEATS = tuple(Seat(f"p{n}") for n in range(1, 5))
NAMES: Mapping[Seat, str] = dict(zip(SEATS, ("Ann", "Bob", "Cleo", "Dan"), strict=True))


@cache
def midgame() -> Position[Board]:
    """A position in the third turn, with hands, pieces and advances."""
    entries = bot_games.plain(RULES).entries
    found: Position[Board] = next(x.after.position for x in entries if x.after.position.board.turn == 3)
    return found


def came(entry: int, seat: Seat) -> tuple[Secret[str], ...]:
    """As the journal knows it: entry 57 brought everybody the cards that they hold."""
    return midgame().board.powers[seat].hand if entry == 57 else ()


def name(seat: Seat) -> str:
    """What a seat is called in a ruling."""
    return RULES.corrections.called(midgame(), seat).printed("en")


def edits(*lines: str, language: str = "en") -> tuple[Event, ...]:
    """The facts that lines make, in truth; raises Uncorrectable."""
    orders = parse_ruling_orders(RULES, redact(midgame(), PUBLIC), lines, language)
    with truth():
        return ruling_events(RULES, Ruling(midgame(), came), orders)


def put_right(*lines: str, language: str = "en", luck: bytes = b"luck") -> Advance[Board]:
    """The position after a ruling of these lines."""
    ruling = Corrected(by="Roland", reason="a slip", edits=edits(*lines, language=language))
    return correct(RULES, midgame(), ruling, luck)


def text_for(made: Advance[Board], viewer: str, language: str) -> str:
    """What a viewer reads of it."""
    context = Context(viewer, redact(made.position, viewer), NAMES)
    said = (narrator("age_of_renaissance", language).sentence(event, viewer, context) for event in made.events)
    return " ".join(sentence for sentence in said if sentence)


def back(made: Advance[Board]) -> Position[Board]:
    """The position after it was taken back."""
    ruling, *rest = made.events
    assert isinstance(ruling, Corrected)
    with truth():
        inverse = inverse_events(RULES, made.position, (*ruling.edits, *rest), midgame())
    return correct(RULES, made.position, Corrected(by="Roland", reason="it was right", edits=inverse)).position


def known(position: Position[Board]) -> Any:
    """A position except for what it says of who knows what."""
    return strip_knowledge(position)


def a_province(*, controlled_by: Seat | None) -> str:
    """A province that this power controls, or that is empty."""
    board = midgame().board
    if controlled_by is not None:
        return next(p for p, piece in board.held(controlled_by) if piece.controls)
    return next(p for p in PROVINCES if p not in board.pieces and not PROVINCES[p].satellite)


LINES = (
    "GIVE 10 DUCATS TO {a}",
    "TAKE 1 DUCAT FROM {a}",
    "GIVE 2 MISERY TO {b}",
    "TAKE 1 TOKENS FROM {rich}",
    "DEAL 2 TO {a}",
    "PUT BACK CARD OF {a} AT RANDOM",
    "SHUFFLE CARD OF {a} AT RANDOM",
    "PUT BACK CARD OF {a} DRAWN IN ENTRY 57 NUMBER 1",
    "MOVE CARD OF {a} TO {b} AT RANDOM",
    "DISCARD CARD OF {a} AT RANDOM",
    "CONTROL {mine} TO NOBODY",
    "CONTROL {mine} TO {b}",
    "GRANT {missing} TO {a}",
    "REVOKE {held} OF {a}",
    "SHIP OF {a} galley 8",
    "MARKET Wool shortage 2",
    "SWAP PLACES {a} WITH {b}",
    "FORBID Religion",
    "ADOPT cash piled",
    'PATCH banned = "" -> "religion"',
)


def written(line: str) -> str:
    """A line with the names of this game."""
    board = midgame().board
    power = board.powers[A]
    missing = next(x for x in "ABCDEFGHIJ" if x not in power.advances)
    rich = next((s for s in SEATS if board.powers[s].expansion), A)
    held = min(power.advances, default="Z")
    return line.format(
        a=name(A), b=name(B), rich=name(rich), mine=a_province(controlled_by=A), missing=missing, held=held
    )


@pytest.mark.parametrize("line", LINES)
def test_each_correction_folds_breaks_nothing_and_can_be_taken_back(line: str) -> None:
    """Its facts make the position, no invariant breaks, and undoing restores all but what was seen.

    Whatever a viewer comes to know by it is in a fact that they are told.
    """
    try:
        made = put_right(written(line))
    except CorrectionRefused as refused:  # a position without such pieces: the reason is one that can be told
        assert refused.problem.code in ("below_zero", "not_held"), line
        return
    assert fold(RULES, midgame(), made.events) == made.position
    assert made.position != midgame()
    with truth():
        assert not RULES.list_violations(made.position)
    assert known(back(made)) == known(midgame())
    for viewer in (*SEATS, PUBLIC):
        secret = words_in(hidden(midgame(), viewer)) - words_in(redact(midgame(), viewer))
        seen = words_in(redact(made.position, viewer))
        assert not (secret & seen) - words_in(redact(made.events, viewer)), viewer


@pytest.mark.parametrize(("language", "line"), [("fr", "DONNER 3 ducats À {a}"), ("en", "GIVE 3 DUCATS TO {a}")])
def test_a_correction_is_told_in_words_to_whom_it_is_for(language: str, line: str) -> None:
    """Written in either language, it tells who ruled, why, and what; only the owner of a card reads which one."""
    again = {"fr": "REMETTRE CARTE DE {a} AU HASARD", "en": "PUT BACK CARD OF {a} AT RANDOM"}[language]
    made = put_right(written(line), written(again), language=language)
    (moved,) = (event for event in made.events if hasattr(event, "card"))
    card = narrator("age_of_renaissance", language).name("card", str(moved.card.held)).the
    assert "Roland" in text_for(made, B, language)
    assert card.lower() in text_for(made, A, language).lower()
    assert card.lower() not in text_for(made, B, language).lower()
    assert "3 ducats" in text_for(made, B, language)


def test_the_card_of_an_entry_goes_back_and_only_its_owner_is_told_which() -> None:
    """A card is named by how it came; on the pile only its former holder knows it."""
    card = midgame().board.powers[A].hand[0]
    made = put_right(f"PUT BACK CARD OF {name(A)} DRAWN IN ENTRY 57 NUMBER 1")
    assert made.position.board.deck[0].held == card.held
    assert redact(made.position, A).board.deck[0].held == card.held
    assert not isinstance(redact(made.position, B).board.deck[0].held, str)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("TAKE 999 DUCATS FROM {a}", "below_zero"),
        ("GIVE 30 MISERY TO {a}", "misery_ends"),
        ("SET TOKENS {a} 30 IN {mine}", "below_zero"),
        ("CONTROL {mine} TO {a}", "nothing_changes"),
        ("PUT BACK CARD OF {a} DRAWN IN ENTRY 3", "none_came"),
        ("SWAP PLACES {a} WITH {a}", "same_seat"),
        ("MOVE CARD OF {a} TO {a} AT RANDOM", "same_seat"),
        ("END WAR OF {a} AGAINST {b}", "no_such_war"),
        ("ADOPT cash open", "reading_known"),
        ("PATCH turn = 17 -> 18", ""),
    ],
)
def test_what_cannot_stand_is_refused_with_a_reason_in_both_languages(line: str, code: str) -> None:
    """A ruling never breaks the box: it says what is wrong, in words."""
    if not code:
        with pytest.raises(PatchRefused):
            edits(written(line))
        return
    with pytest.raises(CorrectionRefused) as refused:
        edits(written(line))
    assert refused.value.problem.code == code
    for language in ("fr", "en"):
        context = Context(PUBLIC, redact(midgame(), PUBLIC), NAMES)
        assert narrator("age_of_renaissance", language).problem(refused.value.problem, context).endswith(".")


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("viewer", [PUBLIC, B])
def test_what_a_ruling_shows_before_it_is_made_tells_nothing_hidden(line: str, viewer: str) -> None:
    """Swapping whatever nobody sees changes neither the preview nor whether it can stand."""

    def shown(position: Position[Board]) -> object:
        seen = redact(position, PUBLIC)
        orders = parse_ruling_orders(RULES, seen, (written(line),), "en")

        def public_came(entry: int, seat: Seat) -> tuple[Secret[str], ...]:
            return redact(came(entry, seat), PUBLIC)

        try:
            return events_of(RULES, seen, orders, public_came)
        except CorrectionRefused as refused:
            return refused.problem

    other = resampled(midgame(), viewer, chooser(b"swap"))
    assert shown(other) == shown(midgame())
