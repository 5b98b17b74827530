"""Every word of the picture that is no name of the catalogue, in both languages."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.catalogues import Words, words
from engine.kernel.languages import Language

WORDS: Final[Mapping[str, Words]] = {
    "title": words("L'Âge de la Renaissance : tour {turn}", "Age of Renaissance: turn {turn}"),
    "title_setup": words("L'Âge de la Renaissance : mise en place", "Age of Renaissance: set-up"),
    "turn": words("Tour {turn}", "Turn {turn}"),
    "epoch": words("époque {epoch}", "epoch {epoch}"),
    "setup": words("mise en place", "set-up"),
    "draw": words("tirage des cartes", "draw of cards"),
    "cards": words("achat de cartes", "purchase of cards"),
    "history": words("phase histoire", "history phase"),
    "purchases": words("phase d'achat", "purchase phase"),
    "expansion": words("phase d'expansion", "expansion phase"),
    "income": words("phase de revenu", "income phase"),
    "tokens": words("ordre de jeu", "order of play"),
    "final": words("dernier jeu des cartes", "final card play"),
    "over": words("partie finie", "game over"),
    "last": words("dernier tour", "last turn"),
    "war": words("Guerre : {one} contre {other}", "War: {one} against {other}"),
    "banned": words("Bulle papale : pas de {category}", "Papal Decree: no {category}"),
    "played_last": words("Guerre civile : {who} en dernier", "Civil War: {who} last"),
    "leader": words("Personnalité : {card}", "Leader: {card}"),
    "more": words("et {n} autres", "and {n} more"),
    "power": words("Ordre de jeu", "Order of play"),
    "cash": words("argent", "cash"),
    "yield": words("revenu", "income"),
    "provinces": words("prov.", "prov."),
    "misery": words("mécont.", "misery"),
    "stock": words("pions", "tokens"),
    "fleet": words("flotte", "fleet"),
    "hand": words("cartes", "cards"),
    "score": words("score", "score"),
    "advances": words("progrès", "advances"),
    "galley": words("Galère", "Galley"),
    "seaworthy": words("Trois-mâts", "Seaworthy"),
    "galleon": words("Galion", "Galleon"),
    "written": words("({ducats})", "({ducats})"),
    "beyond": words("> 1000", "> 1000"),
    "out": words("éliminée", "eliminated"),
    "nobody": words("sans capitale", "no capital yet"),
    "shortage": words("pénurie", "shortage"),
    "surplus": words("excédent", "surplus"),
    "old_control": words("contrôle", "control"),
    "new_control": words("nouveau contrôle", "new control"),
    "old_tokens": words("pions", "tokens"),
    "new_tokens": words("nouveaux pions", "new tokens"),
    "market": words("capacité et marchandise", "market and goods"),
    "capital": words("capitale", "capital"),
    "arrow": words("satellite vers sa province", "satellite to its province"),
    "crossing": words("côtes voisines", "neighbouring coasts"),
    "region": words("région", "region"),
    "changed": words("changé", "changed"),
    "intended": words("vos ordres", "your orders"),
    "unused": words("hors jeu", "not in play"),
    "map": words("Carte de l'Europe", "Map of Europe"),
    "rebuilt": words("carte reconstituée", "reconstructed map"),
    "whole": words("toute la carte", "the whole map"),
    "place": words("{name}, {region}, capacité {capacity}", "{name}, {region}, market {capacity}"),
    "satellite": words("satellite", "satellite"),
    "held": words("{who} : {what}", "{who}: {what}"),
    "n_old": words("{n} pion(s)", "{n} token(s)"),
    "n_new": words("{n} nouveau(x) pion(s)", "{n} new token(s)"),
    "was": words("a changé, avant : {what}", "changed, before: {what}"),
    "will": words("selon vos ordres : {what}", "by your orders: {what}"),
    "empty": words("rien", "nothing"),
    "description": words(
        "{map}. {phase}, {epoch}. Ordre de jeu : {order}.", "{map}. {phase}, {epoch}. Order of play: {order}."
    ),
    "standing": words(
        "{who} contrôle {provinces} provinces, mécontentement {misery}",
        "{who} controls {provinces} provinces, misery {misery}",
    ),
    "changes": words("Depuis : {what}.", "Since then: {what}."),
    "intentions": words("Vos ordres : {what}.", "Your orders: {what}."),
}


def say(language: Language, word: str, **terms: object) -> str:
    """A word or sentence, its terms filled in."""
    return WORDS[word].shown(language).format(**terms)
