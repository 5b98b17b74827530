"""Events, problems and questions as sentences: complete, masked, grammatical, in each language."""

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import Event
from engine.kernel.names import PUBLIC
from engine.kernel.orders import Decision, Problem
from engine.kernel.secrets import Secret
from pbem.narration.glossary import Unnamed, english, french, glossary
from pbem.narration.narrator import KERNEL_PROBLEMS, Narrator, Untold, narrator, told_events
from pbem.narration.tellers import teller
from tests.narration import played
from tests.narration.played import GAME, LANGUAGES, SEATS, VIEWERS, A, B, C, context, faults, rivalry, samples

ENDS = (".", "!", "?")


def told(event: Event, viewer: str, language: str) -> str | None:
    """What one viewer is told of an event."""
    return narrator(GAME, language).sentence(event, viewer, context(viewer, language))


# --- completeness


def test_every_event_that_somebody_may_be_told_has_a_sample() -> None:
    """A new event class must bring its sentence, and its cases into the samples."""
    assert {type(event) for event in samples()} == set(told_events(GAME))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cause_that_a_rule_names_has_a_name(language: str) -> None:
    """A cause is a card, an advance, or named in the glossary."""
    named = glossary(GAME, language).names["cause"]
    causes = played.causes_in_the_engine() - set(catalogue.CARDS) - set(catalogue.ADVANCES)
    assert causes - set(named) - {"civil_war"} == set()
    assert len(causes) > 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_of_the_catalogue_has_a_name(language: str) -> None:
    """Provinces, regions, goods, cards, advances, categories: named as the catalogue prints them."""
    names = glossary(GAME, language).names
    tables: Mapping[str, Mapping[str, Any]] = {
        "province": catalogue.PROVINCES, "region": catalogue.REGIONS, "good": catalogue.GOODS,
        "card": catalogue.CARDS, "advance": catalogue.ADVANCES, "category": catalogue.CATEGORIES,
    }  # fmt: skip
    for kind, table in tables.items():
        assert set(names[kind]) == set(table)
        for thing, record in table.items():
            assert names[kind][thing].bare.lower() == record.words.shown(language).lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_phase_and_ending_has_a_name(language: str) -> None:
    """What can be asked, and where a turn can stand, can be named."""
    names = glossary(GAME, language).names
    assert set(names["topic"]) == {topic.asks for topic in RULES.meta.topics}
    assert set(names["phase"]) == {str(phase) for phase in Phase}
    assert set(names["hull"]) == {"galley", "seaworthy", "galleon"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_macro_is_an_error_when_the_narrator_is_made(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody finds out in the middle of a game that a sentence is missing."""
    monkeypatch.setattr(Narrator, "required", lambda self: iter(["problem_never_heard_of"]))
    with pytest.raises(Untold, match="never_heard_of"):
        Narrator(GAME, language)


def test_an_unknown_game_or_language_is_an_error() -> None:
    """The text names what there is."""
    with pytest.raises(KeyError, match=GAME):
        teller("chess")
    with pytest.raises(Unnamed, match="'de'"):
        glossary(GAME, "de")
    with pytest.raises(Unnamed, match="'atlantis'"):
        glossary(GAME, "fr").name("province", "atlantis")


# --- the law: every event, every viewer, every language


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_event_is_a_clean_sentence_for_everybody_whom_it_is_for(viewer: str, language: str) -> None:
    """No id, no word of the other language, no hole, no doubled space; it begins and ends as sentences do."""
    for event in samples():
        said = told(event, viewer, language)
        if event.told is not None and viewer not in event.told:
            assert said is None
            continue
        assert said is not None
        assert said.endswith(ENDS), said
        assert not said[0].islower(), said
        assert faults(said, language) == [], said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewer", [*SEATS[:2], PUBLIC])
def test_a_whole_game_between_bots_is_told_without_a_fault(viewer: str, language: str) -> None:
    """What really happens is told as cleanly as the samples."""
    teller_ = narrator(GAME, language)
    for at, entry in enumerate(played.entries()):
        here = context(viewer, language, at)
        for event in entry.after.events:
            said = teller_.sentence(event, viewer, here)
            if said is not None:
                assert said.endswith(ENDS), said
                assert faults(said, language) == [], said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_secret_is_told_without_its_content(language: str) -> None:
    """Changing what a viewer does not know changes no word of what he is told."""
    for viewer in (C, PUBLIC):
        for event in samples():
            assert told(event, viewer, language) == told(_resampled(event), viewer, language)


def _resampled(event: Event) -> Event:
    """The same event with every hidden card another one."""
    changed = {name: _other(value) for name, value in vars(event).items() if isinstance(value, Secret | tuple)}
    return type(event)(**{**vars(event), **changed})


def _other(value: object) -> object:
    if isinstance(value, Secret):
        return Secret("mysticism", value.known_to)
    return tuple(_other(item) for item in value) if isinstance(value, tuple) else value


# --- the reader himself


@pytest.mark.parametrize(
    ("event", "viewer", "language", "said"),
    [
        (e.Paid(seat=A, ducats=9, cause="alchemist"), A, "fr",
         "Vous payez 9 ducats à la banque (Pierre philosophale)."),
        (e.Paid(seat=A, ducats=1, cause="alchemist"), A, "en", "You pay 1 ducat to the bank (Alchemist's Gold)."),
        (e.IncomeTaken(seat=A, provinces=6, base=39, middle=0, bank=0), A, "fr",
         "Vous percevez 39 ducats de revenu = 15 + 6 x 4."),
        (e.AdvanceBought(seat=A, letter="N", cost=30, credits=(("dionysius", 20),), paid=10), A, "fr",
         "Vous achetez Manuscrits [N]\u00a0: 30 - 20 (Denys le Petit) = 10 ducats."),
        (e.AdvanceBought(seat=A, letter="N", cost=30, credits=(("dionysius", 20),), paid=10), A, "en",
         "You buy Manuscripts [N]: 30 - 20 (Dionysius Exiguus) = 10 ducats."),
        (e.Stabilised(seat=A, cards=3, paid=6), A, "fr",
         "Vous payez 6 ducats de stabilisation pour 3 cartes = 1 + 2 + 3."),
        (e.BidMade(seat=A, ducats=0), B, "fr", "Romain ne mise rien pour le choix des capitales."),
        (e.Placed(seat=A, province="iceland", tokens=1, via="ship", marker=False), A, "fr",
         "Vous placez 1 pion en Islande par mer."),
        (e.Placed(seat=A, province="east_indies", tokens=5, via="ocean", marker=True), A, "en",
         "You put 5 tokens in the East Indies across the ocean and take control."),
        (rivalry(), A, "en",
         ("You attack Iceland with 4 tokens by sea: strength 4 against 2 for {B} + 2 of capacity. Dice: green 2, "
          "black 1, white 5; lost: green 2 < rank 3 and black 1 < white 5. Your tokens go back to stock.")),
        (rivalry(dice=(3, 1, 5), won=True, left="marker"), A, "fr",
         ("Vous attaquez l'Islande avec 4 pions par mer\u00a0: force 4 contre 2 pour {B} + 2 de capacité. Dés\u00a0: "
          "vert 3, noir 1, blanc 5\u00a0; victoire, car vert 3 = rang 3 suffit avec Foi [G]. Vous prenez le contrôle "
          "de l'Islande.")),
    ],
)  # fmt: skip
def test_numbers_say_how_they_came(event: Event, viewer: str, language: str, said: str) -> None:
    """Second person for the reader, agreement of numbers, articles and elisions, and each figure with its sum."""
    name = str(narrator(GAME, language).who(B, context(viewer, language)))
    capacity = catalogue.PROVINCES["iceland"].capacity
    assert told(event, viewer, language) == said.replace("{B}", name).replace("+ 2 of", f"+ {capacity} of").replace(
        "+ 2 de", f"+ {capacity} de"
    )


def test_a_power_bears_its_players_name_the_first_time_only() -> None:
    """Who is behind a power is said once in a letter."""
    here = context(A, "en")
    one = narrator(GAME, "en").sentence(e.Paid(seat=B, ducats=1, cause="surplus"), A, here)
    two = narrator(GAME, "en").sentence(e.Paid(seat=B, ducats=1, cause="surplus"), A, here)
    assert one is not None
    assert two is not None
    assert one.replace(" (Édouard)", "") == two
    assert "(Édouard)" in one


def test_before_powers_are_chosen_players_go_by_their_own_names() -> None:
    """Who bids has no power yet."""
    here = context(A, "fr", 0)
    said = narrator(GAME, "fr").sentence(e.Dealt(seat=B, cards=(Secret("famine"),)), A, here)
    assert said == "Édouard reçoit 1 carte."


# --- problems and questions


def _documented() -> dict[str, set[str]]:
    """Every code of the game's PROBLEMS and NOTES with the terms that its comment names."""
    found: dict[str, set[str]] = {}
    for path in sorted(Path(catalogue.__file__).parent.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for code, terms in re.findall(r"\"(\w+)\",?\)?\s*# \{([^}]*)\}", text):
            found.setdefault(code, set()).update(t.partition(":")[0].strip() for t in terms.split(",") if t.strip())
    return found | {code: set(terms) for code, terms in _MORE.items() if code in teller(GAME).problems}


_FORCE = {"pieces": 2, "vassal": 1, "doubled": 3, "satellites": 1, "cosmopolitan": 1, "weapons": 2}
_TERMS: dict[str, object] = {
    "card": "wool_1a", "cards": ("wool_1a", "famine"), "after": "gunpowder", "letters": ("A", "B"), "advance": "I",
    "missing": ("A", "S"), "category": "religion", "categories": ("sciences", "religion"), "province": "india",
    "provinces": ("india", "oran"), "possible": ("roma",), "region": "VI", "good": "spice", "goods": ("cloth", "wine"),
    "seat": B, "seats": (B, C), "phase": "draw", "now": "expansion", "asks": "expansion", "hull": "galley", "level": 8,
    "way": "before", "what": "gold coins", "choices": ("money", "tokens"), "aim": "provinces", "leader": "newton",
    "why": "protected", "credits": (("dionysius", 20), ("N", 10)), "count": 2, "wanted": 2, "tokens": 3, "pool": 1,
    "cost": 10, "cash": 4, "price": 10, "needs": 5, "named": 3, "asked": 2, "there": 1, "room": 1, "held": 1, "load": 2,
    "landed": 1, "left": 1, "capacity": 3, "ducats": 2, "place": 4, "places": 2, "wins": 90, "of": 216,
    "attack": _FORCE,
    "defence": ((B, _FORCE), (C, {**_FORCE, "pieces": 1})), "nearest": 0,
    # of the kernel's own
    "word": "plcer", "candidates": tuple("abcdefghij"), "accepted": "X 1", "slot": "Province", "low": 1, "high": 9,
    "most": 60,
}  # fmt: skip
_ATTACK = ("province", "tokens", "needs", "capacity", "there", "pool", "attack", "defence", "nearest")
_MORE = {"needs_attack": (*_ATTACK, "room"), "too_weak": _ATTACK}


def _terms(code: str, names: set[str]) -> dict[str, object]:
    board = played.position().board
    capitals = {"target": board.powers[B].capital, "power": board.powers[C].capital, "capital": board.powers[B].capital,
                "winner": board.powers[B].capital}  # fmt: skip
    if code == "untouched":
        capitals["target"] = "VI"
    wanted = set(_MORE.get(code, names)) - {"..."}
    return {name: capitals.get(name, _TERMS.get(name)) for name in wanted if name in capitals or name in _TERMS}


def _every_problem() -> list[Problem]:
    found = [Problem(code, _terms(code, names)) for code, names in _documented().items()]
    found += [Problem("cannot_claim", {"leader": "newton", "why": why})
              for why in ("patronage", "not_in_play", "own", "protected", "no_use")]  # fmt: skip
    found += [Problem("unforeseen", _terms("", {"province", "target", "seats"}) | {"what": what})
              for what in ("conversion", "manuscripts", "civil_war", "card")]  # fmt: skip
    return found


def test_every_problem_that_the_rules_declare_is_documented_with_its_terms() -> None:
    """The tuples are the contract between rules and sentences."""
    declared = set(teller(GAME).problems) | set(teller(GAME).notes)
    assert declared - set(_documented()) == set()
    assert len(declared) > 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_is_a_clean_sentence(language: str) -> None:
    """A refusal says what was written, why it cannot stand, in the reader's words."""
    codes = set(teller(GAME).problems) | set(teller(GAME).notes)
    for problem in _every_problem():
        if problem.code in codes:
            said = narrator(GAME, language).problem(problem, context(A, language))
            assert said.endswith(ENDS), (problem.code, said)
            assert not said[0].islower(), said
            assert faults(said, language) == [], (problem.code, said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_kernel_finds_wrong_is_a_clean_sentence(language: str) -> None:
    """Lines that cannot be read are answered like lines that cannot be done."""
    names = ("word", "candidates", "accepted", "slot", "low", "high", "most", "count")
    terms = {name: _TERMS[name] for name in names}
    for code in KERNEL_PROBLEMS:
        if code != "condition_fails":
            said = narrator(GAME, language).problem(Problem(code, terms), context(A, language))
            assert said.endswith(ENDS), said
            assert faults(said, language) == [], said


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


LIMITS: dict[str, dict[str, int | str]] = {
    "rank": {"places": 2}, "war": {"count": 2, "winner": "@"}, "conversion": {"province": "india", "attacker": "@"},
    "manuscripts": {"province": "india", "victim": "@"}, "renaissance": {"phase": "expansion"},
    "indulgences": {"ducats": 2}, "lift": {"province": "wales"},
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("asks", [topic.asks for topic in RULES.meta.topics])
def test_every_question_and_its_default_are_clean_sentences(asks: str, language: str) -> None:
    """Asked now with its figures, or ahead without them."""
    capital = played.position().board.powers[B].capital
    figures = {k: capital if v == "@" else v for k, v in LIMITS.get(asks, {}).items()}
    for limits in (figures, {}):
        decision = Decision(f"{asks}/5", A, asks, limits)
        for said in (
            narrator(GAME, language).question(decision, context(A, language)),
            narrator(GAME, language).default(decision, context(A, language)),
        ):
            assert said.endswith(ENDS), said
            assert faults(said, language) == [], said


def test_reasons_are_told_once_each_and_fit_into_a_sentence() -> None:
    """Without capital and stop, but names keep theirs."""
    far = Problem("out_of_reach", {"province": "roma"})
    poor = Problem("too_dear", {"cost": 30, "cash": 2})
    room = Problem("needs_attack", _terms("needs_attack", set()))
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
    name = french(written)
    assert (name.the, name.of, name.de, name.to, name.a) == forms


def test_places_take_the_preposition_of_their_language() -> None:
    """En Islande, aux Îles Shetland, à Chypre, dans la région VI; in the East Indies."""
    names = glossary(GAME, "fr")
    places = [names.name("province", p).at for p in ("iceland", "shetland", "cyprus", "wales", "athina")]
    assert places == ["en Islande", "aux Îles Shetland", "à Chypre", "au Pays de Galles", "à Athina"]
    assert names.name("region", "VI").at == "dans la région VI"
    assert english("the East Indies; p").at == "in the East Indies"
    assert english("the bid").a == "a bid"
    assert english("the end").a == "an end"


def test_french_words_agree() -> None:
    """Gender and number go together."""
    forms = [french(text).agree("joué") for text in ("le Vin", "la Laine", "les Moulins; mp", "les Épices; fp")]
    assert forms == ["joué", "jouée", "joués", "jouées"]


@pytest.mark.parametrize(("language", "said"), [("fr", ["0 ducat", "1 ducat", "2 ducats", "-5 ducats"]),
                                                ("en", ["0 ducats", "1 ducat", "2 ducats", "-5 ducats"])])  # fmt: skip
def test_numbers_take_the_plural_of_their_language(language: str, said: list[str]) -> None:
    """Nothing is singular in French and plural in English."""
    assert [glossary(GAME, language).count(number, "ducat") for number in (0, 1, 2, -5)] == said


def test_french_is_no_translation_word_for_word() -> None:
    """Each language has its own sentences: as a whole they are not of one length."""
    lengths = [(len(told(event, A, "fr") or ""), len(told(event, A, "en") or "")) for event in samples()]
    assert sum(abs(fr - en) > 3 for fr, en in lengths) > len(lengths) // 3
    assert any(one != two for one, two in pairwise(lengths))
