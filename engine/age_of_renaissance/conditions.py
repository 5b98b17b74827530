"""What IF may ask, and whether it holds on the author's own view."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.age_of_renaissance import vocabulary as v
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Piece, Power
from engine.age_of_renaissance.catalogue import FACE, PROVINCES
from engine.kernel.catalogues import words
from engine.kernel.forms import Fact
from engine.kernel.names import Seat
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact

_PROVINCE: Final = v.one_of("province", "province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES)
_SUBJECT: Final = v.before(_PROVINCE)
_POWER: Final = v.before(v.one_of("power", "power", v.POWER_TITLE, v.CAPITAL_CHOICES))
_ADVANCE: Final = v.one_of("advance", "advance", v.ADVANCE_TITLE, v.ADVANCE_CHOICES)
_CARD: Final = v.one_of("card", "card", v.CARD_TITLE, v.CARD_CHOICES)
_GOOD: Final = v.one_of("good", "good", v.GOOD_TITLE, v.GOOD_CHOICES)


FACTS: Final[tuple[Fact, ...]] = (
    fact(
        "hold",
        words("JE TIENS|JE CONTRÔLE|JE POSSÈDE", "I HOLD|I CONTROL|I OWN"),
        words(
            "Votre marqueur est dans la province, ou votre pion dans ce satellite.",
            "Your marker is in the province, or your token in this satellite.",
        ),
        _PROVINCE,
    ),
    fact(
        "present",
        words("JE SUIS À|JE SUIS EN|JE SUIS PRÉSENT À|J'AI UN PION À", "I AM IN|I AM AT|I AM PRESENT IN"),
        words("Une pièce à vous est dans la province.", "A piece of yours is in the province."),
        _PROVINCE,
    ),
    fact(
        "empty",
        words("EST VIDE|EST LIBRE", "IS EMPTY|IS FREE"),
        words("Personne n'est dans la province.", "Nobody is in the province."),
        _SUBJECT,
    ),
    fact(
        "holds",
        words("TIENT|CONTRÔLE|POSSÈDE", "HOLDS|CONTROLS|OWNS"),
        words(
            "La puissance tient la province, comme ci-dessus.",
            "The power holds the province, in the same sense.",
        ),
        _POWER,
        _PROVINCE,
    ),
    fact(
        "have",
        words("J'AI", "I HAVE"),
        words(
            "Vous avez au moins ce nombre de pions achetés, de ducats ou de cartes.",
            "You have at least this number of bought tokens, ducats or cards.",
        ),
        v.number("count", v.NUMBER_TITLE, 0),
        v.one_of("what", "counted", words("pions, ducats ou cartes", "tokens, ducats or cards"), v.COUNTED),
    ),
    fact(
        "own_advance",
        words("J'AI", "I HAVE"),
        words("Vous avez ce progrès.", "You have this advance."),
        _ADVANCE,
    ),
    fact(
        "in_hand",
        words("J'AI EN MAIN|J'AI LA CARTE", "I HAVE IN HAND|I HAVE THE CARD"),
        words("La carte est dans votre main.", "The card is in your hand."),
        _CARD,
    ),
    fact(
        "has_advance",
        words("A", "HAS"),
        words("La puissance a ce progrès.", "The power has this advance."),
        _POWER,
        _ADVANCE,
    ),
    fact(
        "played",
        words("A ÉTÉ JOUÉE|A ÉTÉ JOUÉ|EST JOUÉE", "WAS PLAYED|HAS BEEN PLAYED|IS PLAYED"),
        words("La carte a été jouée pendant ce tour.", "The card was played in this turn."),
        v.before(_CARD),
    ),
    fact(
        "rank",
        words("MON RANG EST|JE JOUE", "MY RANK IS|I PLAY"),
        words(
            "Vous jouez à cette place : 1 pour qui joue en premier.",
            "You play in this place: 1 for who plays first.",
        ),
        v.number("place", v.NUMBER_TITLE, 1, 6),
    ),
    fact(
        "shortage",
        words("PÉNURIE DE|IL Y A PÉNURIE DE|PÉNURIE", "SHORTAGE OF|THERE IS A SHORTAGE OF|SHORTAGE"),
        words("Une pénurie touche la marchandise.", "A shortage strikes the good."),
        _GOOD,
    ),
    fact(
        "surplus",
        words("EXCÉDENT DE|IL Y A EXCÉDENT DE|EXCÉDENT", "SURPLUS OF|THERE IS A SURPLUS OF|SURPLUS"),
        words("Un excédent touche la marchandise.", "A surplus strikes the good."),
        _GOOD,
    ),
    fact(
        "won",
        words("J'AI GAGNÉ À|J'AI VAINCU À|J'AI GAGNÉ", "I WON AT|I WON IN|I WON"),
        words(
            "Votre dernière attaque de ce tour sur la province a réussi.",
            "Your last attack of this turn on the province was won.",
        ),
        _PROVINCE,
    ),
    fact(
        "lost",
        words("J'AI PERDU À|J'AI ÉCHOUÉ À|J'AI PERDU", "I LOST AT|I LOST IN|I LOST"),
        words(
            "Votre dernière attaque de ce tour sur la province a échoué.",
            "Your last attack of this turn on the province was lost.",
        ),
        _PROVINCE,
    ),
)
"""Public facts, or what the author knows of himself: the same list for everybody."""


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Whether the fact holds, negation apart. The position is read under `seen_by(seat)`."""
    return _JUDGES[condition.fact](seen.board, seat, condition.about)


About = Mapping[str, str | int]


def _held(board: Board, seat: Seat, province: str) -> bool:
    """§4.3  A marker; in a satellite, which takes none, a token."""
    piece: Piece = board.at(province, seat)
    return piece.controls or (PROVINCES[province].satellite and piece.tokens > 0)


def _named(board: Board, about: About) -> Power | None:
    return board.power_of(str(about["power"]))


def _holds(board: Board, seat: Seat, about: About) -> bool:
    power = _named(board, about)
    return power is not None and _held(board, power.seat, str(about["province"]))


def _has(board: Board, seat: Seat, about: About) -> bool:
    power = _named(board, about)
    return power is not None and str(about["advance"]) in power.advances


def _have(board: Board, seat: Seat, about: About) -> bool:
    power = board.powers[seat]
    stock = {"tokens": power.expansion, "ducats": power.cash, "cards": len(power.hand)}
    return stock[str(about["what"])] >= int(about["count"])


def _played(board: Board, seat: Seat, about: About) -> bool:
    return FACE[str(about["card"])] in {FACE[card] for card in board.this_turn}


def _place(board: Board, seat: Seat, about: About) -> bool:
    playing = [power.seat for power in board.playing()]
    return seat in playing and playing.index(seat) + 1 == about["place"]


def _last_attack(board: Board, seat: Seat, about: About, result: str) -> bool:
    return board.powers[seat].fought.get(str(about["province"]), "").endswith(result)


_JUDGES: Final[Mapping[str, Callable[[Board, Seat, About], bool]]] = {
    "hold": lambda board, seat, about: _held(board, seat, str(about["province"])),
    "present": lambda board, seat, about: seat in board.pieces.get(str(about["province"]), {}),
    "empty": lambda board, seat, about: not board.pieces.get(str(about["province"])),
    "holds": _holds,
    "have": _have,
    "own_advance": lambda board, seat, about: str(about["advance"]) in board.powers[seat].advances,
    "in_hand": lambda board, seat, about: board.copy_held(seat, str(about["card"])) is not None,
    "has_advance": _has,
    "played": _played,
    "rank": _place,
    "shortage": lambda board, seat, about: board.markets.get(str(about["good"]), 0) > 0,
    "surplus": lambda board, seat, about: board.markets.get(str(about["good"]), 0) < 0,
    "won": lambda board, seat, about: _last_attack(board, seat, about, "W"),
    "lost": lambda board, seat, about: _last_attack(board, seat, about, "L"),
}
