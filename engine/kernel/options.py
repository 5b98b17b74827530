"""The options that the kernel and the server themselves read, for every game that offers them."""

from dataclasses import replace
from typing import Final

from engine.kernel.forms import words
from engine.kernel.rules import Option

PACE: Final = Option(
    "pace",
    words("Rythme des phases", "Pace of the phases"),
    {
        "sealed": words(
            "ordres scellés de tous, exécutés dans l'ordre du jeu", "sealed orders, carried out in turn order"
        ),
        "order": words("chacun à son tour", "each in turn"),
    },
)
FAILURES: Final = Option(
    "failures",
    words("Après une ligne impossible", "After a line that fails"),
    {
        "next": words("passer à la suivante", "go on with the next"),
        "drop": words("abandonner le reste", "drop the rest"),
        "again": words("redemander le reste", "ask for the rest again"),
    },
)
UNANSWERED: Final = Option(
    "unanswered",
    words("Choix sans réponse préparée", "Choices without an answer on file"),
    {
        "default": words("le choix par défaut s'applique", "take the default"),
        "ask": words("les demander", "ask"),
    },
)
TALK: Final = Option(
    "talk",
    words("Paroles à la table", "Talk at the table"),
    {
        "public": words("devant tout le monde", "before everybody"),
        "free": words("libres, en secret aussi", "free, in secret too"),
        "none": words("avec le seul maître du jeu", "with the game master alone"),
    },
    table=True,
)
"""In public alone is the rule of games that say so, and what a game takes that says nothing."""
ANONYMOUS: Final = Option(
    "anonymous",
    words("Paroles sans signature", "Talk without a name"),
    {"no": words("interdites", "not allowed"), "yes": words("permises, devant tout le monde", "allowed in public")},
    table=True,
)
WATCHERS: Final = Option(
    "watchers",
    words("Spectateurs", "Onlookers"),
    {
        "invited": words("sur invitation", "by invitation"),
        "open": words("qui veut", "whoever likes"),
        "none": words("aucun", "none"),
    },
    table=True,
)
COMMON: Final = (PACE, FAILURES, UNANSWERED, TALK, ANONYMOUS, WATCHERS)


def common(**usual: str) -> tuple[Option, ...]:
    """The same options with other values taken where nobody chooses, each by its option's name; raises KeyError."""
    return tuple(_first(option, usual[option.name]) if option.name in usual else option for option in COMMON)


def _first(option: Option, value: str) -> Option:
    return replace(option, values={value: option.values[value], **option.values})
