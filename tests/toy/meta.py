"""Title, seats, options, questions and endings of the smallest game."""

from engine.kernel.forms import Topic
from engine.kernel.options import ANONYMOUS, DRAWS, NAMES, SPECTATORS, TALK
from engine.kernel.rules import Meta, Option
from tests.bilingual import words

PACE = Option(
    "pace",
    words("rythme", "pace"),
    {"sealed": words("scellé", "sealed"), "in_order": words("à tour de rôle", "in order")},
)
FAILURES = Option(
    "failures",
    words("lignes qui échouent", "lines that fail"),
    {
        "next": words("continuer", "go on"),
        "drop": words("abandonner le reste", "drop the rest"),
        "again": words("redemander", "ask again"),
    },
)
LENGTH = Option("turns", words("tours", "turns"), {n: words(n, n) for n in ("3", "6", "1")})
INCOME = Option("income", words("revenu", "income"), {"2": words("2", "2"), "1": words("1", "1")})
FAIR = Option("fair", words("foire", "fair"), {"no": words("non", "no"), "yes": words("oui", "yes")})

META = Meta(
    name="toy",
    title=words("Le Petit Marché", "The Small Market"),
    designer="the pbem authors",
    seats=(2, 3, 4),
    version="1",
    options=(PACE, FAILURES, LENGTH, INCOME, FAIR, TALK, ANONYMOUS, NAMES, SPECTATORS, DRAWS),
    topics=(
        Topic("bid", words("ENCHÈRES", "BIDS"), may_pass=False),
        Topic("march", words("MARCHE", "MARCH"), lines=True),
        Topic("shield", words("PARADE", "PARRY"), is_reaction=True),
        Topic("stall", words("ÉTAL", "STALL"), counted=True),
        Topic("leave", words("DÉPART", "LEAVING"), is_resignation=True),
    ),
    endings={
        "turns": words("Le dernier tour est joué.", "The last turn was played."),
        "monopoly": words("Un joueur tient toutes les places.", "One player holds every town."),
        "alone": words("Tous les autres sont partis.", "All others have left."),
    },
    turn=words("TOUR|JOUR", "TURN|DAY"),
    results={
        "golden": words(
            "Deux rubans de plus que les autres en font un ruban d'or.", "Two ribbons more make a golden one."
        ),
        "bare": words("La foire n'a couronné personne.", "The fair has crowned nobody."),
    },
)
