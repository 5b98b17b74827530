"""What the search for leaks must know of each game: its cards, how to rename them, and what lists all of a kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.age_of_renaissance import catalogue as age
from engine.age_of_renaissance import vocabulary as age_words
from engine.amalfi import catalogue as amalfi
from engine.amalfi import vocabulary as amalfi_words
from engine.kernel.catalogues import Words
from engine.kernel.events import Event
from engine.kernel.forms import Choice
from engine.kernel.secrets import Secret
from engine.patchistory import catalogue as patchistory
from engine.patchistory import vocabulary as patchistory_words
from engine.renaissance import catalogue as renaissance
from engine.renaissance import vocabulary as renaissance_words
from engine.renaissance.events import CondottiereHired, CondottiereOffered

Named = Callable[[], tuple[str, str]]
"""Makes a new name, in French and in English."""


@dataclass(frozen=True)
class Deck:
    """A game's cards.

    `rename`: gives the rows of the table of cards new names, and tells them by the id that the glossary knows.
    `table`: the file of that table, and `section` that of their names among the words of the game.
    `piled`, `held`: where they lie on a board, in the pile and in each hand.
    `names`: of each single card, or of its face.  `catalogues`: what a form may offer whatever lies where.
    `absent`: cards that nobody has seen although they lie in no pile, on this board.
    `public`: cards whose face a fact tells everybody although they lie hidden still.
    `lacking`: codes of problems that say only that their reader does not hold the card that they would use.
    `options`: those with which most is secret.
    """

    rename: Callable[[dict[str, Any], Named], Mapping[str, tuple[str, str]]]
    names: Mapping[str, Words]
    catalogues: Sequence[Sequence[Choice]]
    absent: Callable[[Any], Iterable[str]] = lambda board: ()
    public: Callable[[Event], Iterable[str]] = lambda fact: ()
    lacking: Sequence[str] = ()
    table: str = "cards"
    section: str = "cards"
    piled: Callable[[Any], Iterable[Secret[str]]] = lambda board: board.deck
    held: Callable[[Any], Iterable[Secret[str]]] = lambda power: power.hand
    options: Mapping[str, str] = field(default_factory=dict)

    def wholes(self) -> list[set[str]]:
        """The catalogues, as the names that stand in a list of them."""
        known = {name for names in self.names.values() for name in (names.printed("fr"), names.printed("en"))}
        shown = ([c.names.printed(language) for c in kind] for kind in self.catalogues for language in ("fr", "en"))
        return [{name.lower() for name in names if name in known} for names in shown]


def _by_face(table: dict[str, Any], named: Named) -> Mapping[str, tuple[str, str]]:
    """Cards of one face keep one name."""
    faces: dict[str, tuple[str, str]] = {}
    names = {card["id"]: faces.setdefault(card.get("name", card["id"]), named()) for card in table["cards"]}
    for card in table["cards"]:
        card["name"] = card["id"]
    return names


def _by_kind(table: dict[str, Any], named: Named) -> Mapping[str, tuple[str, str]]:
    """Each troop becomes a kind of its own, so that few cards have twins that were seen."""
    rows: list[dict[str, Any]] = []
    for row in table["kinds"]:
        copies = row["count"] if row["value"] else 1
        rows += [row] if copies == 1 else [{**row, "id": f"{row['id']}_{n}", "count": 1} for n in range(copies)]
    table["kinds"] = rows
    return {row["id"]: named() for row in rows}


def _by_id(table: dict[str, Any], named: Named) -> Mapping[str, tuple[str, str]]:
    """Each card is there once."""
    return {card["id"]: named() for card in table["cards"]}


def _characters(table: dict[str, Any], named: Named) -> Mapping[str, tuple[str, str]]:
    """Each is there once."""
    return {row["id"]: named() for row in table["characters"]}


def _for_sale(fact: Event) -> Iterable[str]:
    """Vente de Condottiere, A7  Players who offer or buy one say before the table what it is."""
    if not isinstance(fact, CondottiereOffered | CondottiereHired):
        return ()
    return (card for card, kind in renaissance.CARDS.items() if kind == "condottiere")


DECKS: Mapping[str, Deck] = {
    "age_of_renaissance": Deck(
        _by_face,
        {card.id: card.words for card in age.CARDS.values()},
        tuple(
            kind
            for kind in (
                *(age_words.CARD_CHOICES, age_words.PLAIN_CARDS, age_words.DOUBLE_CARDS, age_words.LEADER_CARDS),
                age_words.WEAPON_CARDS,
                *(tuple(c for c in age_words.CARD_CHOICES if age.CARDS[str(c.value)].aim is aim) for aim in age.Aim),
            )
            if kind
        ),
        lambda board: (card.id for card in age.CARDS.values() if card.epoch > board.epoch),
    ),
    "renaissance": Deck(
        _by_kind,
        {card: renaissance.KINDS[kind].words for card, kind in renaissance.CARDS.items()},
        (
            *(renaissance_words.KIND_CHOICES, renaissance_words.TROOP_CHOICES, renaissance_words.LAID_CHOICES),
            *(renaissance_words.RED_CHOICES, renaissance_words.DEFENCE_CHOICES, renaissance_words.DOUBLED_CHOICES),
            renaissance_words.TROOP_CHOICES[::-1],  # a Retreat's example begins with the strongest
        ),
        public=_for_sale,
        lacking=("no_card",),
    ),
    "patchistory": Deck(
        _by_id,
        {card.id: card.words for card in patchistory.PROSPERITY.values()},
        (patchistory_words.CARD_CHOICES,),
        lacking=("not_in_hand",),
        table="prosperity",
        section="prosperity",
        piled=lambda board: board.stack,
        held=lambda player: player.cards,
    ),
    "amalfi": Deck(
        _characters,
        {card.id: card.words for card in amalfi.CHARACTERS.values()},
        (amalfi_words.CHARACTER_CHOICES,),
        lacking=("not_in_hand",),
        table="characters",
        section="characters",
        piled=lambda board: (*board.deck, *board.returned),
        held=lambda player: (*player.hand, *player.packet, *player.aside),
        options={"hands": "full_draft", "pace": "sealed"},
    ),
}
"""A deck for each registered game with cards."""
