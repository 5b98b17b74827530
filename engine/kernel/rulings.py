"""The orders that a game master may write in any game, and their forms."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.kernel.forms import Choice, Form, Slot, Words, words
from engine.kernel.orders import Order


class Give(Order):
    """So many of a figure, to a seat."""

    count: int
    what: str
    seat: str


class Take(Order):
    """So many of a figure, from a seat."""

    count: int
    what: str
    seat: str


class SwapPlaces(Order):
    """Two seats change places in the order of play."""

    seat: str
    other: str


class Deal(Order):
    """Cards from the top of the pile."""

    count: int
    seat: str


class Return(Order):
    """A card that lies open, into a hand."""

    card: str
    seat: str


class MoveCard(Order):
    """A card of a hand elsewhere: named by chance or by the entry in which it came (`nth` of those that came then)."""

    seat: str
    target: str
    which: str = ""
    entry: int = 0
    nth: int = 0
    to: str = ""


class Patch(Order):
    """The last resort: a value of the board that everybody sees, by its path, from what it is to what it should be."""

    text: str


class Adopt(Order):
    """Another reading of a rule."""

    option: str
    value: str


SEAT_TITLE: Final = words("puissance", "power")
COUNT: Final = words("nombre", "number")
CARD: Final = words("carte", "card")
_RANDOM: Final = (Choice("random", words("une carte au hasard|au hasard", "a card at random|at random")),)
SAID_OF: Final = words("DE|DU|DES", "OF|FROM")
TO: Final = words("À|AU|AUX|POUR", "TO|FOR")
_WITH: Final = words("AVEC|ET", "WITH|AND")


def seat_slot(seats: Sequence[Choice], lead: Words | None = None, name: str = "seat") -> Slot:
    """A slot for one power."""
    return Slot(name, "power", SEAT_TITLE, tuple(seats), lead=lead)


def form(fr: str, en: str, order: type[Order], about_fr: str, about_en: str, *slots: Slot) -> Form:
    """A form of a master's order."""
    return Form(words(fr, en), order, slots, {}, words(about_fr, about_en))


def common(
    seats: Sequence[Choice], figures: Mapping[str, Words], cards: Sequence[Choice], adoptable: Sequence[Any]
) -> tuple[Form, ...]:
    """What may be put right in any game: figures, cards, places, readings."""
    readings = (_adopting(option) for option in adoptable)
    return (*_figures(seats, figures), *_cards(seats, cards), _swap(seats), *readings, _PATCH)


def _figures(seats: Sequence[Choice], figures: Mapping[str, Words]) -> tuple[Form, ...]:
    if not figures:
        return ()
    count = Slot("count", "number", COUNT, low=1, high=999)
    what = Slot("what", "figure", words("quoi", "what"), tuple(Choice(k, w) for k, w in figures.items()))
    give = words("Donner à une puissance ce qui lui manque.", "Give a power what it lacks.")
    take = words("Reprendre à une puissance ce qu'elle a de trop.", "Take from a power what it has too much.")
    return (
        Form(words("DONNER", "GIVE"), Give, (count, what, seat_slot(seats, TO)), {}, give),
        Form(words("REPRENDRE|ENLEVER", "TAKE"), Take, (count, what, seat_slot(seats, SAID_OF)), {}, take),
    )


def _cards(seats: Sequence[Choice], cards: Sequence[Choice]) -> tuple[Form, ...]:
    hand, to = seat_slot(seats, SAID_OF), seat_slot(seats, TO)
    draw = words("Faire tirer des cartes du dessus de la pioche.", "Deal cards from the top of the pile.")
    count = Slot("count", "number", words("cartes", "cards"), low=1, high=20)
    found = [Form(words("FAIRE TIRER|TIRER", "DEAL"), Deal, (count, to), {}, draw)]
    if cards:
        back = words("Rendre à une main une carte visible.", "Return a card that lies open to a hand.")
        card = Slot("card", "card", CARD, tuple(cards))
        found.append(Form(words("RENDRE CARTE|RENDRE LA CARTE", "RETURN CARD"), Return, (card, to), {}, back))
    for keyword, target, about in _TARGETS:
        found.append(Form(keyword, MoveCard, (hand, *WHICH), {"target": target, "to": ""}, about))
    about = words("Passer une carte d'une main à une autre.", "Move a card from one hand to another.")
    other = seat_slot(seats, TO, "to")
    keyword = words("PASSER CARTE|PASSER UNE CARTE", "MOVE CARD")
    return (*found, Form(keyword, MoveCard, (hand, other, *WHICH), {"target": "hand"}, about))


def _swap(seats: Sequence[Choice]) -> Form:
    about = words(
        "Deux puissances échangent leur place dans l'ordre du tour.", "Two powers change places in the order of play."
    )
    slots = (seat_slot(seats), seat_slot(seats, _WITH, "other"))
    return Form(words("ÉCHANGER PLACES|ÉCHANGER LES PLACES", "SWAP PLACES"), SwapPlaces, slots, {}, about)


def _short(reading: str) -> str:
    """The words of a reading without what explains them."""
    return reading.partition(":")[0].strip()


def _adopting(option: Any) -> Form:
    """One form an option: its title, then the reading."""
    readings = tuple(
        Choice(value, Words((_short(w.fr[0]), value), (_short(w.en[0]), value))) for value, w in option.values.items()
    )
    french, english = (f"ADOPTER {option.title.fr[0]}", f"ADOPTER {option.name}"), f"ADOPT {option.title.en[0]}"
    about = words("Désormais lire autrement une règle.", "From now on read a rule another way.")
    slot = Slot("value", "reading", words("lecture", "reading"), readings)
    return Form(Words(french, (english, f"ADOPT {option.name}")), Adopt, (slot,), {"option": option.name}, about)


_PATCH: Final = form(
    "RAPIÉCER", "PATCH", Patch,
    "En dernier recours, une valeur que chacun voit : chemin = ancienne -> nouvelle.",
    "As a last resort, a value that everybody sees: path = old -> new.",
    Slot("text", "text", words("valeur", "value"), text=True),
)  # fmt: skip
WHICH: Final = (
    Slot("which", "card", CARD, _RANDOM, optional=True, unsaid=""),
    Slot("entry", "number", words("entrée", "entry"), optional=True, unsaid=0, low=1, high=99999,
         lead=words("TIRÉE À L'ENTRÉE|VENUE À L'ENTRÉE|DE L'ENTRÉE", "DRAWN IN ENTRY|FROM ENTRY|OF ENTRY")),
    Slot("nth", "number", words("rang", "place"), optional=True, unsaid=0, low=1, high=20,
         lead=words("NUMÉRO|LA", "NUMBER|NO")),
)  # fmt: skip
_TARGETS: Final = (
    (
        words("REMETTRE CARTE|REMETTRE SUR LA PIOCHE", "PUT BACK CARD|PUT BACK"), "deck",
        words("Remettre une carte d'une main sur la pioche.", "Put a card of a hand back on the pile."),
    ),
    (
        words("MÉLANGER CARTE|REMÉLANGER CARTE", "SHUFFLE CARD|SHUFFLE IN"), "pile",
        words("Mélanger à la pioche une carte d'une main.", "Shuffle a card of a hand into the pile."),
    ),
    (
        words("DÉFAUSSER CARTE|DÉFAUSSER", "DISCARD CARD|DISCARD"), "discard",
        words("Défausser une carte d'une main.", "Discard a card of a hand."),
    ),
)  # fmt: skip
