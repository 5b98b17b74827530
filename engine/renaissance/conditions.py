"""The facts for IF, and whether each holds on the author's own view."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.forms import Fact
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact, leading, number, one_choice
from engine.kernel.position import Options
from engine.kernel.viewers import Seat
from engine.renaissance import vocabulary as v
from engine.renaissance.acts import Seen
from engine.renaissance.board import Board
from engine.renaissance.catalogue import TROOPS, WAR, WORDS
from engine.renaissance.phases import strength

_CITY: Final = v.CITY
_SUBJECT: Final = leading(v.CITY)
_NATION: Final = leading(v.NATION)
_KIND: Final = one_choice("card", "card", v.CARD_TITLE, v.KIND_CHOICES)


FACTS: Final[tuple[Fact, ...]] = (
    fact(WORDS, "hold", _CITY),
    fact(WORDS, "holds", _NATION, _CITY),
    fact(WORDS, "free", _SUBJECT),
    fact(WORDS, "fell", _SUBJECT),
    fact(WORDS, "beaten", _CITY),
    fact(
        WORDS,
        "have",
        number("count", v.NUMBER_TITLE, 0),
        one_choice("what", "counted", WORDS("slots.counted"), v.COUNTED),
    ),
    fact(WORDS, "in_hand", _KIND),
    fact(WORDS, "walls", _SUBJECT),
    fact(WORDS, "attacked", _SUBJECT),
    fact(WORDS, "attacks", _NATION),
    fact(WORDS, "losing"),
    fact(WORDS, "turns"),
    fact(WORDS, "war"),
)
"""Public facts, or facts that authors know of themselves; the same list for every seat."""

About = Mapping[str, str | int]


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Return True if the fact holds, before negation. Call it under `seen_by(seat)`."""
    if condition.fact in _IN_BATTLE:
        return _IN_BATTLE[condition.fact](seen.core.options, seen.board, seat)
    return _JUDGES[condition.fact](seen.board, seat, condition.about)


def _holds(board: Board, seat: Seat, about: About) -> bool:
    power = board.nation(str(about["nation"]))
    return power is not None and board.cities[str(about["city"])].owner == power.seat


def _have(board: Board, seat: Seat, about: About) -> bool:
    power = board.powers[seat]
    kinds = board.kinds(seat)
    stock = {
        "ducats": power.ducats,
        "cards": power.cards,
        "cities": len(board.held(seat)),
        "blue": sum(kind in TROOPS for kind in kinds),
        "condottiere": kinds.count("condottiere"),
    }
    return stock[str(about["what"])] >= int(about["count"])


def _attacks(board: Board, seat: Seat, about: About) -> bool:
    battle = board.battle
    return battle is not None and board.powers[battle.attacker].nation == about["nation"]


def _losing(options: Options, board: Board, seat: Seat) -> bool:
    battle = board.battle
    fights = battle is not None and seat in (battle.attacker, battle.defender)
    if battle is None or not fights or not battle.dice:
        return False
    return strength.losing(options, board, battle) == seat


def _turns(options: Options, board: Board, seat: Seat) -> bool:
    battle = board.battle
    fights = battle is not None and seat in (battle.attacker, battle.defender)
    return fights and battle is not None and strength.turns(options, board, battle, seat)


_JUDGES: Final[Mapping[str, Callable[[Board, Seat, About], bool]]] = {
    "hold": lambda board, seat, about: board.cities[str(about["city"])].owner == seat,
    "holds": _holds,
    "free": lambda board, seat, about: board.cities[str(about["city"])].owner is None,
    "fell": lambda board, seat, about: about["city"] in board.fallen,
    "beaten": lambda board, seat, about: about["city"] in board.powers[seat].beaten,
    "have": _have,
    "in_hand": lambda board, seat, about: about["card"] in board.kinds(seat),
    "walls": lambda board, seat, about: board.level(str(about["city"])) > 1,
    "attacked": lambda board, seat, about: board.battle is not None and board.battle.city == about["city"],
    "attacks": _attacks,
    "war": lambda board, seat, about: board.state == WAR,
}
_IN_BATTLE: Final[Mapping[str, Callable[[Options, Board, Seat], bool]]] = {"losing": _losing, "turns": _turns}
