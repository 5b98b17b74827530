"""Events, problems and questions as sentences: complete, masked, grammatical, in each language."""

import re
from pathlib import Path

import pytest

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance import events as e
from engine.kernel.events import Event
from engine.kernel.orders import Problem
from engine.kernel.secrets import Secret
from pbem.narration.glossary import Unnamed, glossary
from pbem.narration.macros import KERNEL_PROBLEMS
from pbem.narration.manner import manner
from pbem.narration.narrator import Narrator, Untold, narrator
from pbem.narration.tellers import teller
from tests.narration import played
from tests.narration import told_age_of_renaissance as told_age
from tests.narration.played import GAME, A, B, context, rivalry
from tests.narration.wording import LANGUAGES

ENDS = (".", "!", "?")


def told(event: Event, viewer: str, language: str) -> str | None:
    """What one viewer is told of an event."""
    return narrator(GAME, language).sentence(event, viewer, context(viewer, language))


# --- completeness


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cause_that_a_rule_names_has_a_name(language: str) -> None:
    """A cause is a card, an advance, or named in the glossary."""
    named = glossary(GAME, language).names["cause"]
    causes = played.causes_in_the_engine() - set(catalogue.CARDS) - set(catalogue.ADVANCES)
    assert causes - set(named) - {"civil_war"} == set()
    assert len(causes) > 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_macro_is_an_error_when_the_narrator_is_made(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing sentence is found at the start, not in the middle of a game."""
    monkeypatch.setattr(Narrator, "required", lambda self: iter(["problem_never_heard_of"]))
    with pytest.raises(Untold, match="never_heard_of"):
        Narrator(GAME, language)


def test_an_unknown_game_or_language_is_an_error() -> None:
    """The error names the games and languages that exist."""
    with pytest.raises(KeyError, match=GAME):
        teller("chess")
    with pytest.raises(Unnamed, match="'de'"):
        glossary(GAME, "de")
    with pytest.raises(Unnamed, match="'atlantis'"):
        glossary(GAME, "fr").name("province", "atlantis")


# --- the reader


@pytest.mark.parametrize(
    ("event", "viewer", "language", "said"),
    [
        (
            e.Paid(seat=A, ducats=9, cause="alchemist"),
            A,
            "fr",
            "Vous payez 9 ducats à la banque (Pierre philosophale).",
        ),
        (e.Paid(seat=A, ducats=1, cause="alchemist"), A, "en", "You pay 1 ducat to the bank (Alchemist's Gold)."),
        (
            e.IncomeTaken(seat=A, provinces=6, base=39, middle=0, bank=0),
            A,
            "fr",
            "Vous percevez 39 ducats de revenu = 15 + 6 × 4.",
        ),
        (
            e.AdvanceBought(seat=A, letter="N", cost=30, credits=(("dionysius", 20),), paid=10),
            A,
            "fr",
            "Vous achetez Manuscrits [N]\u00a0: 30 − 20 (Denys le Petit) = 10 ducats.",
        ),
        (
            e.AdvanceBought(seat=A, letter="N", cost=30, credits=(("dionysius", 20),), paid=10),
            A,
            "en",
            "You buy Manuscripts [N]: 30 − 20 (Dionysius Exiguus) = 10 ducats.",
        ),
        (
            e.Stabilised(seat=A, cards=3, paid=6),
            A,
            "fr",
            "Vous payez 6 ducats de stabilisation pour 3 cartes (1 + 2 + 3).",
        ),
        (e.BidMade(seat=A, ducats=0), B, "fr", "Romain ne mise rien pour le choix des capitales."),
        (
            e.Placed(seat=A, province="iceland", tokens=1, via="ship", marker=False),
            A,
            "fr",
            "Vous placez 1 pion en Islande par mer.",
        ),
        (
            e.Placed(seat=A, province="east_indies", tokens=5, via="ocean", marker=True),
            A,
            "en",
            "You put 5 tokens in the East Indies across the ocean and take control.",
        ),
        (
            rivalry(),
            A,
            "en",
            (
                "You attack Iceland with 4 tokens by sea: strength 4 against 2 for {B} + 2 of capacity. Dice: green 2, "
                "black 1, white 5; lost: green 2 < rank 3 and black 1 < white 5. Your tokens go back to stock."
            ),
        ),
        (
            rivalry(dice=(3, 1, 5), won=True, left="marker"),
            A,
            "fr",
            (
                "Vous attaquez l'Islande avec 4 pions par mer\u00a0: force 4 contre 2 "
                "pour {B} + 2 de capacité. Dés\u00a0: "
                "vert 3, noir 1, blanc 5\u00a0; victoire, car vert 3 = rang 3 suffit "
                "avec Foi [G]. Vous prenez le contrôle "
                "de l'Islande."
            ),
        ),
    ],
)
def test_numbers_say_how_they_came(event: Event, viewer: str, language: str, said: str) -> None:
    """Second person for the reader, agreement of numbers, articles and elisions, and each figure with its sum."""
    name = str(narrator(GAME, language).who(B, context(viewer, language)))
    capacity = catalogue.PROVINCES["iceland"].capacity
    assert told(event, viewer, language) == said.replace("{B}", name).replace("+ 2 of", f"+ {capacity} of").replace(
        "+ 2 de", f"+ {capacity} de"
    )


def test_a_power_bears_its_players_name_the_first_time_only() -> None:
    """A letter says once which player is behind a power."""
    here = context(A, "en")
    one = narrator(GAME, "en").sentence(e.Paid(seat=B, ducats=1, cause="surplus"), A, here)
    two = narrator(GAME, "en").sentence(e.Paid(seat=B, ducats=1, cause="surplus"), A, here)
    assert one is not None
    assert two is not None
    assert one.replace(" (Édouard)", "") == two
    assert "(Édouard)" in one


def test_before_powers_are_chosen_players_go_by_their_own_names() -> None:
    """A player who bids has no power yet."""
    here = context(A, "fr", 0)
    said = narrator(GAME, "fr").sentence(e.Dealt(seat=B, cards=(Secret("famine"),)), A, here)
    assert said == "Édouard reçoit 1 carte."


# --- problems and questions


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_that_the_kernel_uses_is_known_to_the_narrator(language: str) -> None:
    """The codes in the kernel's source are those that have a sentence."""
    kernel = Path(catalogue.__file__).parent.parent / "kernel"
    found: set[str] = set()
    for name in ("parse", "refusals", "slots", "phrases", "standing", "table"):
        text = (kernel / f"{name}.py").read_text(encoding="utf-8")
        found |= set(re.findall(r"Problem\(\s*\"(\w+)\"", text))
        found |= set(re.findall(r"(?:Fault\([^\"\n]*|_fault\([^\"\n]*|else )\"([a-z]+_?[a-z_]+)\"", text))
    assert found - set(KERNEL_PROBLEMS) == set()


def test_reasons_are_told_once_each_and_fit_into_a_sentence() -> None:
    """A reason has no capital and no stop, but names keep their capitals."""
    far = Problem("out_of_reach", {"province": "roma"})
    poor = Problem("too_dear", {"cost": 30, "cash": 2})
    room = Problem("needs_attack", told_age.terms("needs_attack", told_age.MORE["needs_attack"]))
    reasons = narrator(GAME, "fr").reasons((poor, far, poor, room), context(A, "fr")).replace("\u00a0", " ")
    assert reasons.startswith("il en coûte 30 ducats et vous en avez 2 ; Roma est hors de portée")
    assert "  " not in reasons
    assert reasons.count("30 ducats") == 1


# --- grammar


@pytest.mark.parametrize(
    ("written", "forms"),
    [
        ("la Laine", ("la Laine", "de la Laine", "de Laine", "à la Laine", "une Laine")),
        ("le Métal", ("le Métal", "du Métal", "de Métal", "au Métal", "un Métal")),
        ("l'Ivoire; m", ("l'Ivoire", "de l'Ivoire", "d'Ivoire", "à l'Ivoire", "un Ivoire")),
        ("les Épices; fp", ("les Épices", "des Épices", "d'Épices", "aux Épices", "des Épices")),
        ("Venezia", ("Venezia", "de Venezia", "de Venezia", "à Venezia", "Venezia")),
        ("Oran", ("Oran", "d'Oran", "d'Oran", "à Oran", "Oran")),
        ("Hamburg", ("Hamburg", "de Hamburg", "de Hamburg", "à Hamburg", "Hamburg")),
    ],
)
def test_french_names_contract_and_elide(written: str, forms: tuple[str, ...]) -> None:
    """du, de l', des, d', au, aux follow from article and first letter."""
    name = manner("fr").grammar.name(written)
    assert (name.the, name.of, name.de, name.to, name.a) == forms


def test_places_take_the_preposition_of_their_language() -> None:
    """En Islande, aux Îles Shetland, à Chypre, dans la région VI; in the East Indies."""
    names = glossary(GAME, "fr")
    places = [names.name("province", p).at for p in ("iceland", "shetland", "cyprus", "wales", "athina")]
    assert places == ["en Islande", "aux Îles Shetland", "à Chypre", "au Pays de Galles", "à Athina"]
    assert names.name("region", "VI").at == "dans la région VI"
    assert manner("en").grammar.name("the East Indies; p").at == "in the East Indies"
    assert manner("en").grammar.name("the bid").a == "a bid"
    assert manner("en").grammar.name("the end").a == "an end"


def test_french_words_agree() -> None:
    """Gender and number go together."""
    forms = [
        manner("fr").grammar.name(text).agree("joué")
        for text in ("le Vin", "la Laine", "les Moulins; mp", "les Épices; fp")
    ]
    assert forms == ["joué", "jouée", "joués", "jouées"]


@pytest.mark.parametrize(
    ("language", "said"),
    [("fr", ["0 ducat", "1 ducat", "2 ducats", "−5 ducats"]), ("en", ["0 ducats", "1 ducat", "2 ducats", "−5 ducats"])],
)
def test_numbers_take_the_plural_of_their_language(language: str, said: list[str]) -> None:
    """Each number takes the form of its language: 0 is singular in French and plural in English."""
    assert [glossary(GAME, language).count(number, "ducat") for number in (0, 1, 2, -5)] == said
