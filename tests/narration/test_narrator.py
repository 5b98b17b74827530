"""Events, problems and questions as sentences: complete, masked, grammatical, in each language."""

import re
from pathlib import Path

import pytest

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance import events as e
from engine.kernel.orders import Problem
from engine.kernel.secrets import Secret
from pbem.narration.game_texts import load_game_texts
from pbem.narration.glossary import MissingName, load_glossary
from pbem.narration.macros import KERNEL_PROBLEMS
from pbem.narration.narrator import MissingTemplate, Narrator, narrator
from pbem.narration.typography import load_typography
from tests.narration import case_age_of_renaissance as told_age
from tests.narration import sample_game
from tests.narration.cases import A, B, case_of
from tests.narration.sample_game import GAME
from tests.narration.text_checks import LANGUAGES

context = case_of(GAME).context


# --- completeness


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cause_that_a_rule_names_has_a_name(language: str) -> None:
    """A cause is a card, an advance, or named in the glossary."""
    named = load_glossary(GAME, language).names["cause"]
    causes = sample_game.causes_in_the_engine() - set(catalogue.CARDS) - set(catalogue.ADVANCES)
    assert causes - set(named) - {"civil_war"} == set()
    assert len(causes) > 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_macro_is_an_error_when_the_narrator_is_made(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing sentence is found at the start, not in the middle of a game."""
    monkeypatch.setattr(Narrator, "required", lambda self: iter(["problem_never_heard_of"]))
    with pytest.raises(MissingTemplate, match="never_heard_of"):
        Narrator(GAME, language)


def test_an_unknown_game_or_language_is_an_error() -> None:
    """The error names the games and languages that exist."""
    with pytest.raises(KeyError, match=GAME):
        load_game_texts("chess")
    with pytest.raises(MissingName, match="'de'"):
        load_glossary(GAME, "de")
    with pytest.raises(MissingName, match="'atlantis'"):
        load_glossary(GAME, "fr").name("province", "atlantis")


# --- the reader


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
    for name in ("parse", "refusals", "slots", "phrases", "validation", "table"):
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
    ("written", "forms", "agreed"),
    [
        ("la Laine", ("la Laine", "de la Laine", "de Laine", "à la Laine", "une Laine"), "jouée"),
        ("le Métal", ("le Métal", "du Métal", "de Métal", "au Métal", "un Métal"), "joué"),
        ("l'Ivoire; m", ("l'Ivoire", "de l'Ivoire", "d'Ivoire", "à l'Ivoire", "un Ivoire"), "joué"),
        ("les Épices; fp", ("les Épices", "des Épices", "d'Épices", "aux Épices", "des Épices"), "jouées"),
        ("les Moulins; mp", ("les Moulins", "des Moulins", "de Moulins", "aux Moulins", "des Moulins"), "joués"),
        ("Venezia", ("Venezia", "de Venezia", "de Venezia", "à Venezia", "Venezia"), "joué"),
        ("Oran", ("Oran", "d'Oran", "d'Oran", "à Oran", "Oran"), "joué"),
        ("Hamburg", ("Hamburg", "de Hamburg", "de Hamburg", "à Hamburg", "Hamburg"), "joué"),
    ],
)
def test_french_names_contract_elide_and_agree(written: str, forms: tuple[str, ...], agreed: str) -> None:
    """du, de l', des, d', au, aux follow from article and first letter; gender and number go together."""
    name = load_typography("fr").grammar.name(written)
    assert (name.the, name.of, name.de, name.to, name.a) == forms
    assert name.agree("joué") == agreed


def test_places_and_numbers_are_said_as_their_language_does() -> None:
    """En Islande, aux Îles Shetland, à Chypre; in the East Indies; 0 is singular in French and plural in English."""
    names = load_glossary(GAME, "fr")
    places = [names.name("province", p).at for p in ("iceland", "shetland", "cyprus", "wales", "athina")]
    assert places == ["en Islande", "aux Îles Shetland", "à Chypre", "au Pays de Galles", "à Athina"]
    assert names.name("region", "VI").at == "dans la région VI"
    english = load_typography("en").grammar
    assert english.name("the East Indies; p").at == "in the East Indies"
    assert [english.name(said).a for said in ("the bid", "the end")] == ["a bid", "an end"]
    for language, zero in (("fr", "0 ducat"), ("en", "0 ducats")):
        counted = [load_glossary(GAME, language).count(number, "ducat") for number in (0, 1, 2, -5)]
        assert counted == [zero, "1 ducat", "2 ducats", "−5 ducats"]
