"""The words of the game as choices and slots, for forms and facts. Nothing depends on a position."""

from typing import Final

from engine.kernel.forms import Choice
from engine.kernel.phrasebook import as_optional, choices, one_choice, some_choices, with_lead
from engine.renaissance.catalogue import KINDS, NATIONS, TOWNS, TROOPS, WEAPONS, WORDS


def kinds(*ids: str) -> tuple[Choice, ...]:
    """Return these kinds of card as choices."""
    return choices((kind, KINDS[kind].words) for kind in ids)


CITY_CHOICES: Final = choices((town.id, town.words) for town in TOWNS.values())
NATION_CHOICES: Final = choices((nation.id, nation.words) for nation in NATIONS.values())
KIND_CHOICES: Final = kinds(*KINDS)
TROOP_CHOICES: Final = kinds(*TROOPS)
SAVED_CHOICES: Final = (*TROOP_CHOICES, *choices(WORDS.section("choices.alone").items()))
LAID_CHOICES: Final = kinds(*TROOPS, "condottiere", *WEAPONS)
RED_CHOICES: Final = kinds(*WEAPONS, "condottiere")
STRONGEST: Final = choices(WORDS.section("choices.strongest").items())
_OTHERS: Final = choices(WORDS.section("choices.others").items())
DEFENCE_CHOICES: Final = (*STRONGEST, *_OTHERS, *kinds(*TROOPS, "condottiere"))
DOUBLED_CHOICES: Final = (*STRONGEST, *kinds(*TROOPS, "condottiere"))
BUYER_CHOICES: Final = (
    *choices(WORDS.section("choices.buyer").items()),
    *NATION_CHOICES,
)
STATE_CHOICES: Final = choices(WORDS.section("choices.state").items())
SIDE_CHOICES: Final = choices(WORDS.section("choices.side").items())
BUILDING_CHOICES: Final = choices(WORDS.section("choices.building").items())
COUNTED: Final = choices(WORDS.section("choices.counted").items())

CITY_TITLE: Final = WORDS("slots.city")
CITIES_TITLE: Final = WORDS("slots.cities")
ORIGIN_TITLE: Final = WORDS("slots.origin")
NATION_TITLE: Final = WORDS("slots.nation")
CARD_TITLE: Final = WORDS("slots.card")
CARDS_TITLE: Final = WORDS("slots.cards")
DUCATS_TITLE: Final = WORDS("slots.ducats")
NUMBER_TITLE: Final = WORDS("slots.number")

FROM: Final = WORDS("leads.from")
WITH: Final = WORDS("leads.with")
TO: Final = WORDS("leads.to")
AGAINST: Final = WORDS("leads.against")


CITY: Final = one_choice("city", "city", CITY_TITLE, CITY_CHOICES)
ORIGIN: Final = as_optional(with_lead(one_choice("origin", "city", ORIGIN_TITLE, CITY_CHOICES), FROM), "")
NATION: Final = one_choice("nation", "nation", NATION_TITLE, NATION_CHOICES)
BUYERS: Final = some_choices("to", "buyer", WORDS("slots.belligerents"), BUYER_CHOICES, counted=True)
LAID: Final = with_lead(some_choices("cards", "card", CARDS_TITLE, LAID_CHOICES, counted=True), WITH)
