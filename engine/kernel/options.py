"""The options that the kernel and the server themselves read, for every game that offers them."""

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
COMMON: Final = (PACE, FAILURES, UNANSWERED)
