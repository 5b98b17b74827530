"""Laws of the order language: it says every order, reads what it prints, and offers only what is accepted."""

from typing import Any

import pytest

from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import CARDS, FACE
from engine.age_of_renaissance.chapters import LANGUAGE
from engine.age_of_renaissance.forms import FORMS
from engine.age_of_renaissance.orders import Play
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.bots import BotProfile, FinishedGame
from engine.kernel.orders import Question
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import all_valid, check_orders
from tests import bot_games
from tests.engine.age_of_renaissance import build


def test_every_card_has_one_form_to_play_it() -> None:
    """64 cards, each played by exactly one of the forms with the keyword PLAY."""
    for card in CARDS:
        writers = [f for f in FORMS["history"] if FACE[card] in {c.value for s in f.slots for c in s.choices}]
        good = CARDS[card].goods[0] if len(CARDS[card].goods) > 1 else ""
        assert len([f for f in writers if f.parse(Play(card, good=good)) is not None]) == 1


# --- whole games


def game(seats: int, **options: str) -> FinishedGame[Any]:
    """A whole game between bots that miss no deadline and do not leave."""
    temper, seed = BotProfile(unasked_share=0, absent=0), f"language/{seats}".encode()
    return bot_games.played(RULES, bot_games.SEATS[:seats], options, seed, temper)


@pytest.mark.parametrize(("seats", "pace"), [(3, "sealed"), pytest.param(4, "order", marks=pytest.mark.night)])
def test_what_is_offered_is_accepted_now(seats: int, pace: str) -> None:
    """Each suggestion stands alone; each likely value stands in some accepted line of its form."""
    offered = 0
    for entry in game(seats, pace=pace).entries[::8]:
        for decision in entry.after.position.core.questions:
            seen = redact(entry.after.position, decision.seat)
            with seen_by(decision.seat):
                lines, forms = LANGUAGE.suggest_orders(seen, decision), LANGUAGE.forms(seen, decision)
            assert all(all_valid(check_orders(RULES, seen, decision, (line,))) for line in lines)
            offered += len(lines)
            _check_likely(forms, lines)
    assert offered > 100


def _check_likely(forms: Any, lines: Any) -> None:
    for form in forms:
        read = [values for line in lines if (values := form.parse(line.plan[0].order)) is not None]
        for slot in form.slots:
            for value in slot.suggested:
                assert any(value == v[slot.name] or value in _several(v[slot.name]) for v in read)


def _several(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def test_forms_of_a_later_turn_do_not_look_at_the_board() -> None:
    """Orders for a phase of another turn are judged when it opens; until then every name is as likely."""
    position = build.game(phase=Phase.EXPANSION)
    build.tokens(position, build.YELLOW, 9)
    with seen_by(build.YELLOW):
        offered = LANGUAGE.forms(position, Question("expansion/3", build.YELLOW, "expansion"))
    assert offered == FORMS["expansion"]
