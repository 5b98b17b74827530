"""What is known of the game before it is played: title, seats, options, topics, endings.

Where the rulebook can be read in two ways, the first value of the option is the numbered ruling (R8 ...), the other
value is the other reading.
"""

from typing import Final

from engine.kernel.catalogues import words
from engine.kernel.forms import Topic
from engine.kernel.options import COMMON
from engine.kernel.rules import Meta, Option

EPOCHS: Final = Option(
    "epochs",
    words("Époques jouées", "Epochs played"),
    {
        "1-3": words("les trois époques", "all three epochs"),
        "1-2": words("les époques 1 et 2", "epochs 1 and 2"),
        "1": words("l'époque 1 seule", "epoch 1 alone"),
    },
)
"""§11"""
PREREQUISITES: Final = Option(
    "prerequisites",
    words("Préalables des progrès", "Prerequisites of advances"),
    {
        "public": words("ceux des aides de jeu européennes", "those of the European play aids"),
        "printed": words("ceux que le texte imprime", "those that the text prints"),
    },
)
"""§9.4.2; NOTES, confidence of the prerequisites"""
CIVIL_WAR_ORDER: Final = Option(
    "civil_war_order",
    words("Renaissance et Guerre civile", "Renaissance and Civil War"),
    {
        "chosen": words(
            "le possesseur de Renaissance choisit qui passe d'abord",
            "the holder of Renaissance chooses which comes first",
        ),
        "civil_war": words("la Guerre civile passe d'abord", "Civil War comes first"),
    },
)
"""A2, R8"""
REBELLION: Final = Option(
    "rebellion",
    words("Provinces à l'abri de Rébellion", "Provinces safe from Rebellion"),
    {
        "capitals": words("toutes les capitales", "all capitals"),
        "others": words("les capitales d'autrui", "the capitals of others"),
    },
)
"""A2, R12"""
WAR_BONUS: Final = Option(
    "war_bonus",
    words("Bonus de Guerre", "Bonus in War"),
    {
        "one": words("un pour Vassal ou un avantage militaire", "one for Vassal or a military advantage"),
        "each": words("un pour Vassal et un pour un avantage", "one for Vassal and one for an advantage"),
    },
)
"""A2, R15"""
PAIR_COST: Final = Option(
    "pair_cost",
    words("Annuler Or et Ivoire ensemble", "Cancelling Gold and Ivory together"),
    {"20": words("20 ducats", "20 ducats"), "10": words("10 ducats", "10 ducats")},
)
"""§9.1, R19"""
TIERS: Final = Option(
    "tiers",
    words("Réduction du mécontentement par paliers", "Reduction of misery by tiers"),
    {
        "purchase": words("au moment même de l'achat", "at the very moment of the purchase"),
        "phase": words("à la fin de la phase d'achat", "at the end of the purchase phase"),
    },
)
"""§9.4.2, R21"""
WITHHELD: Final = Option(
    "withheld",
    words("Retour des cartes écartées à cinq ou six", "Return of the withheld cards with five or six players"),
    {
        "turn_2": words("au début du deuxième tour", "at the start of the second turn"),
        "turn_3": words("après le deuxième tour", "after the second turn"),
    },
)
"""§8.1, R25"""
MARCO_POLO: Final = Option(
    "marco_polo",
    words("Crédits doublés de Marco Polo", "Marco Polo's doubled credits"),
    {
        "turn": words("s'il suit les Mongols dans le même tour", "if he follows the Mongols in the same turn"),
        "hereafter": words("s'il suit les Mongols, fût-ce plus tard", "if he follows the Mongols, however late"),
    },
)
"""A2, R28"""
CASH: Final = Option(
    "cash",
    words("Argent des joueurs", "The players' cash"),
    {
        "public": words("visible de tous", "open to all"),
        "piled": words("empilé : seule la dernière somme inscrite se voit", "piled: only the last sum written shows"),
    },
)
"""§5.5, R33"""
TIED_RANK: Final = Option(
    "tied_rank",
    words("Rang en cas d'égalité", "Rank among ties"),
    {
        "chosen": words("le dernier à avoir choisi sa capitale choisit", "the later chooser of a capital chooses"),
        "first": words(
            "le dernier à avoir choisi sa capitale joue d'abord", "the later chooser of a capital goes first"
        ),
    },
)
"""§8.3, §9.7, R38"""

META: Final = Meta(
    name="age_of_renaissance",
    title=words("L'Âge de la Renaissance", "The Age of Renaissance"),
    designer="Jared Scarborough",
    seats=(3, 4, 5, 6),
    version="1",
    options=(
        *COMMON, EPOCHS, PREREQUISITES, CIVIL_WAR_ORDER, REBELLION, WAR_BONUS, PAIR_COST, TIERS, WITHHELD, MARCO_POLO,
        CASH, TIED_RANK,
    ),
    topics=(
        Topic("keep", words("CARTES", "CARDS"), may_pass=False, about=words(
            "Les deux cartes que vous gardez des trois reçues.", "The two cards that you keep of the three dealt.")),
        Topic("bid", words("ENCHÈRE", "BID"), may_pass=False, about=words(
            "Votre mise secrète pour le choix des capitales.", "Your secret bid for the choice of capitals.")),
        Topic("capitals", words("CAPITALES", "CAPITALS"), may_pass=False, about=words(
            "Les capitales dans l'ordre de vos préférences.", "The capitals in your order of preference.")),
        Topic("tokens", words("PIONS", "TOKENS"), may_pass=False, about=words(
            "Les pions que vous achetez pour le tour suivant.", "The tokens that you buy for the next turn.")),
        Topic("history", words("HISTOIRE", "HISTORY"), lines=True, about=words(
            "Les cartes que vous jouez.", "The cards that you play.")),
        Topic("purchases", words("ACHATS|ACHAT", "PURCHASES|PURCHASE"), lines=True, about=words(
            "Votre flotte, vos progrès, votre stabilisation.", "Your fleet, your advances, your stability.")),
        Topic("expansion", words("EXPANSION", "EXPANSION"), lines=True, about=words(
            "Où vont vos pions.", "Where your tokens go.")),
        Topic("final", words("DERNIÈRES CARTES|FIN DE PARTIE", "LAST CARDS|FINAL CARDS"), lines=True, about=words(
            "L'ordre et les cibles de toutes vos cartes.", "The order and the targets of all your cards.")),
        Topic("rank", words("ÉGALITÉ|RANG", "TIE|RANK"), rider=True, about=words(
            "Votre rang parmi les joueurs à égalité.", "Your place among those tied.")),
        Topic("surplus", words("MARCHÉ|MARCHÉS", "MARKET|MARKETS"), rider=True, about=words(
            "Les excédents et pénuries que vous annulez si vous jouez en premier.",
            "The surpluses and shortages that you cancel if you play first.")),
        Topic("mills", words("MOULINS|MOULIN", "MILLS|MILL"), rider=True, about=words(
            "Le marché que vos Moulins ajustent.", "The market that your Mills adjust.")),
        Topic("extra", words("CARTE SUPPLÉMENTAIRE", "EXTRA CARD"), rider=True, about=words(
            "La carte supplémentaire d'Essor urbain.", "The extra card of Urban Growth.")),
        Topic("discard", words("DÉFAUSSE", "DISCARD"), rider=True, about=words(
            "La carte que vous défaussez par Arts et techniques.", "The card that you discard (Arts and Techniques).")),
        Topic("civil_war", words("GUERRE CIVILE", "CIVIL WAR"), rider=True, about=words(
            "Ce que la Guerre civile vous coûte.", "What Civil War costs you.")),
        Topic("remnant", words("PROVINCE RÉDUITE|RÉDUCTION", "REDUCED PROVINCE|REDUCTION"), rider=True, about=words(
            "Ce qui reste d'un contrôle réduit quand votre stock est vide.",
            "What is left of a marker reduced while your stock is empty.")),
        Topic("war", words("GUERRE PERDUE|GUERRE", "WAR LOST|WAR"), rider=True, about=words(
            "Les provinces que vous cédez après une Guerre.", "The provinces that you cede after a War.")),
        Topic("weapon", words("ARME|GUERRE INDÉCISE", "WEAPON|TIED WAR"), rider=True, about=words(
            "La carte militaire jouée avant qu'une Guerre indécise soit relancée.",
            "The military card played before a tied War is rolled again.")),
        Topic("conversion", words("CONVERSION", "CONVERSION"), rider=True, about=words(
            "Votre défense par Conversion.", "Your defence by Conversion.")),
        Topic("manuscripts", words("MANUSCRITS|MANUSCRIT", "MANUSCRIPTS|MANUSCRIPT"), rider=True, about=words(
            "La carte que vous échangez par Manuscrits.", "The card that you exchange by Manuscripts.")),
        Topic("renaissance", words("RENAISSANCE", "RENAISSANCE"), rider=True, about=words(
            "Votre échange de place par Renaissance.", "Your change of places by Renaissance.")),
        Topic("indulgences", words("INDULGENCES|INDULGENCE", "INDULGENCES|INDULGENCE"), rider=True, about=words(
            "Ce que vous donnez pour les pions qui manquent aux Indulgences.",
            "What you give for the tokens that Indulgences want and you lack.")),
        Topic("lift", words("MARQUEURS|MARQUEUR", "MARKERS|MARKER"), rider=True, about=words(
            "Le contrôle que vous relevez ailleurs quand il ne reste plus de marqueur.",
            "The control marker that you lift elsewhere when none is left.")),
        Topic("leave", words("ABANDON|DÉPART", "LEAVING|RESIGNATION"), quits=True, about=words(
            "Offrir sa place, avant de quitter la partie.", "Offer one's seat, before leaving the game.")),
    ),
    endings={
        "all_advances": words("Un joueur détient les vingt-six progrès.", "A player holds all twenty-six advances."),
        "last_card": words(
            "La dernière carte de la dernière pile est tirée.", "The last card of the last pile was drawn."),
        "epoch_over": words(
            "La dernière carte de l'époque convenue est tirée.", "The last card of the agreed epoch was drawn."),
        "alone": words("Il ne reste qu'un joueur.", "Only one player is left."),
    },
    reconstructed=words(
        "Le plateau imprimé n'étant pas joint au texte, frontières, côtes et quelques noms viennent de sources "
        "publiques, vérifiées contre les tables du livret ; l'échelle de mécontentement et les rangs à quatre et cinq "
        "joueurs sont ceux de 1996, les préalables des progrès, ceux de Galion exceptés, ceux des aides de jeu "
        "européennes.",
        "The printed board does not come with the text: borders, coasts and some names are from public sources, "
        "checked against the booklet's tables; the misery ladder and the ranks with four and five players are those of "
        "the 1996 edition, the prerequisites of advances, but for Galleon's, those of the European play aids.",
    ),
)  # fmt: skip
