"""What a game master can put right in Renaissance: each correction as a fact, told, bounded, taken back."""

from collections.abc import Mapping
from functools import cache

import pytest

from engine.kernel.apply import PatchRefused
from engine.kernel.bots import chooser
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.events import Corrected, Event
from engine.kernel.position import Position
from engine.kernel.run import Advance, correct, fold, inverse_events, ruling_events
from engine.kernel.secrets import Secret, redact, truth
from engine.kernel.viewers import PUBLIC, Seat
from engine.renaissance import events as e
from engine.renaissance.board import Board
from engine.renaissance.catalogue import KINDS, TOWNS, kind_of
from engine.renaissance.ruleset import RULES
from pbem.narration.narrator import Context, narrator
from pbem.service.masters.rulings import events_of, parse_ruling_orders, strip_knowledge
from tests import bot_games
from tests.invariants import hidden, resampled, words_in

A, B, C, D = SEATS = tuple(Seat(f"p{n}") for n in range(1, 5))
NAMES: Mapping[Seat, str] = dict(zip(SEATS, ("Ann", "Bob", "Cleo", "Dan"), strict=True))


@cache
def midgame() -> Position[Board]:
    """A position in the third turn, with hands, cities and a palace."""
    entries = bot_games.plain(RULES).entries
    positions = [x.after.position for x in entries if x.after.position.board.turn >= 3]
    calm = (p for p in positions if p.board.battle is None and p.board.discard)
    return next(p for p in calm if all(p.board.powers[seat].hand for seat in (A, B)))


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
    said = (narrator("renaissance", language).sentence(event, viewer, context) for event in made.events)
    return " ".join(sentence for sentence in said if sentence)


def back(made: Advance[Board]) -> Position[Board]:
    """The position after it was taken back."""
    ruling, *rest = made.events
    assert isinstance(ruling, Corrected)
    with truth():
        inverse = inverse_events(RULES, made.position, (*ruling.edits, *rest), midgame())
    return correct(RULES, made.position, Corrected(by="Roland", reason="it was right", edits=inverse)).position


def a_city(owner: Seat | None, level: int = 1, other: str = "") -> str:
    """A city of this owner, as strong as that."""
    found = (t for t, city in midgame().board.cities.items() if (city.owner, city.level) == (owner, level))
    return next(town for town in found if town != other and town not in midgame().board.closed)


LINES = (
    "GIVE 10 DUCATS TO {a}",
    "TAKE 1 DUCAT FROM {a}",
    "GIVE 1 POINT TO {b}",
    "DEAL 2 TO {a}",
    "PUT BACK CARD OF {a} AT RANDOM",
    "SHUFFLE CARD OF {a} AT RANDOM",
    "PUT BACK CARD OF {a} DRAWN IN ENTRY 57 NUMBER 1",
    "MOVE CARD OF {a} TO {b} AT RANDOM",
    "DISCARD CARD OF {a} AT RANDOM",
    "RETURN CARD {lying} TO {a}",
    "CONTROL {mine} TO {b}",
    "CONTROL {mine} TO NOBODY",
    "WALLS {mine} rampart",
    "PALACE {mine} YES",
    "PILLAGE {mine} YES",
    "STATE OF ITALY {state}",
    "SWAP PLACES {a} WITH {b}",
    "ADOPT power rome yes",
)


def written(line: str) -> str:
    """A line with the names of this game."""
    board = midgame().board
    lying = KINDS[kind_of(board.discard[-1]).id].words.printed("en")
    state = "peace" if board.state == "war" else "war"
    return line.format(a=name(A), b=name(B), mine=TOWNS[a_city(A)].words.printed("en"), lying=lying, state=state)


@pytest.mark.parametrize("line", LINES)
def test_each_correction_folds_breaks_nothing_and_can_be_taken_back(line: str) -> None:
    """Its facts make the position, no invariant breaks, and undoing restores all but what was seen.

    Whatever a viewer comes to know by it is in a fact that they are told.
    """
    try:
        made = put_right(written(line))
    except CorrectionRefused as refused:  # a position without such pieces: the reason is one that can be told
        assert refused.problem.code in ("pieces_counted",), line
        return
    assert fold(RULES, midgame(), made.events) == made.position
    assert made.position != midgame()
    with truth():
        assert not RULES.list_violations(made.position)
    assert strip_knowledge(back(made)) == strip_knowledge(midgame())
    for viewer in (*SEATS, PUBLIC):
        secret = words_in(hidden(midgame(), viewer)) - words_in(redact(midgame(), viewer))
        seen = words_in(redact(made.position, viewer))
        assert not (secret & seen) - words_in(redact(made.events, viewer)), viewer


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_correction_is_told_in_words_to_whom_it_is_for(language: str) -> None:
    """A correction tells who ruled, why, and what; only the owner of a card reads which one."""
    made = put_right(f"GIVE 3 DUCATS TO {name(A)}", f"PUT BACK CARD OF {name(A)} AT RANDOM")
    (moved,) = (event for event in made.events if hasattr(event, "card"))
    card = narrator("renaissance", language).name("card", kind_of(str(moved.card.held)).id).bare
    assert "Roland" in text_for(made, B, language)
    assert card.lower() in text_for(made, A, language).lower()
    assert card.lower() not in text_for(made, B, language).lower()
    assert "3 ducats" in text_for(made, B, language)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("TAKE 999 DUCATS FROM {a}", "ducats_below_zero"),
        ("CONTROL {mine} TO {a}", "nothing_changes"),
        ("ARTIST {mine} Leonardo da Vinci", "artist_homeless"),
        ("PUT BACK CARD OF {a} DRAWN IN ENTRY 3", "none_came"),
        ("SWAP PLACES {a} WITH {a}", "same_seat"),
        ("MOVE CARD OF {a} TO {a} AT RANDOM", "same_seat"),
        ("ADOPT power rome no", "reading_known"),
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
        assert narrator("renaissance", language).problem(refused.value.problem, context).endswith(".")


def test_the_last_city_of_a_power_is_not_taken_by_a_ruling() -> None:
    """A power disappears by the rules alone."""
    towns = midgame().board.held(A)
    lines = [f"CONTROL {TOWNS[town].words.printed('en')} TO {name(B)}" for town in towns]
    assert edits(*lines[:-1])
    with pytest.raises(CorrectionRefused) as refused:
        edits(*lines)
    assert refused.value.problem.code == "last_city"


def test_what_has_been_used_since_cannot_be_taken_back() -> None:
    """A city that changed hands again since the ruling is not the ruling's any more."""
    town = a_city(A)
    made = put_right(f"CONTROL {TOWNS[town].words.printed('en')} TO {name(B)}")
    gone = fold(RULES, made.position, (e.Married(seat=C, city=town, loser=B, paid=0),))
    ruling = made.events[0]
    assert isinstance(ruling, Corrected)
    with truth(), pytest.raises(CorrectionRefused) as refused:
        inverse_events(RULES, gone, ruling.edits, midgame())
    assert refused.value.problem.code == "moved_on"


@pytest.mark.parametrize("line", LINES)
def test_what_a_ruling_shows_before_it_is_made_tells_nothing_hidden(line: str) -> None:
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

    for viewer in (PUBLIC, B):
        assert shown(resampled(midgame(), viewer, chooser(b"swap"))) == shown(midgame())
