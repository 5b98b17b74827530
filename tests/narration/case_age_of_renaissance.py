"""The Age of Renaissance, as it is held under the laws of telling."""

from collections.abc import Iterator, Mapping

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.orders import Problem
from tests.narration import sample_game
from tests.narration.cases import B, C, Case

_FORCE = {"pieces": 2, "vassal": 1, "doubled": 3, "satellites": 1, "cosmopolitan": 1, "weapons": 2}
TERMS: dict[str, object] = {
    "card": "wool_1a",
    "cards": ("wool_1a", "famine"),
    "after": "gunpowder",
    "letters": ("A", "B"),
    "advance": "I",
    "missing": ("A", "S"),
    "category": "religion",
    "categories": ("sciences", "religion"),
    "province": "india",
    "provinces": ("india", "oran"),
    "possible": ("roma",),
    "region": "VI",
    "good": "spice",
    "goods": ("cloth", "wine"),
    "seat": B,
    "seats": (B, C),
    "phase": "draw",
    "now": "expansion",
    "asks": "expansion",
    "hull": "galley",
    "level": 8,
    "way": "before",
    "what": "gold coins",
    "choices": ("money", "tokens"),
    "aim": "provinces",
    "leader": "newton",
    "why": "protected",
    "credits": (("dionysius", 20), ("N", 10)),
    "count": 2,
    "wanted": 2,
    "tokens": 3,
    "pool": 1,
    "cost": 10,
    "cash": 4,
    "price": 10,
    "needs": 5,
    "named": 3,
    "asked": 2,
    "there": 1,
    "room": 1,
    "held": 1,
    "load": 2,
    "landed": 1,
    "left": 1,
    "capacity": 3,
    "ducats": 2,
    "place": 4,
    "places": 2,
    "wins": 90,
    "of": 216,
    "attack": _FORCE,
    "defence": ((B, _FORCE), (C, {**_FORCE, "pieces": 1})),
    "nearest": 0,
}
_ATTACK = ("province", "tokens", "needs", "capacity", "there", "pool", "attack", "defence", "nearest")
MORE = {"needs_attack": frozenset({*_ATTACK, "room"}), "too_weak": frozenset(_ATTACK)}


def terms(code: str, names: frozenset[str]) -> Mapping[str, object]:
    """What stands for each term of a problem."""
    board = sample_game.position().board
    capitals = {
        "target": board.powers[B].capital,
        "power": board.powers[C].capital,
        "capital": board.powers[B].capital,
        "winner": board.powers[B].capital,
    }
    if code == "untouched":
        capitals["target"] = "VI"
    return {name: capitals.get(name, TERMS.get(name)) for name in names if name in capitals or name in TERMS}


def variants() -> Iterator[Problem]:
    """Problems that are told in several ways."""
    for why in ("patronage", "not_in_play", "own", "protected", "used_up", "no_use"):
        yield Problem("cannot_claim", {"leader": "newton", "why": why})
    for what in ("conversion", "manuscripts", "civil_war", "card"):
        more = terms("", frozenset({"province", "target", "seats"}))
        yield Problem("unforeseen", {**more, "what": what})


LIMITS: Mapping[str, Mapping[str, int | str]] = {
    "rank": {"places": 2},
    "war": {"count": 2, "winner": "@"},
    "conversion": {"province": "india", "attacker": "@"},
    "manuscripts": {"province": "india", "victim": "@"},
    "renaissance": {"phase": "expansion"},
    "indulgences": {"ducats": 2},
    "lift": {"province": "wales"},
    "remnant": {"province": "wales"},
}


def figures(asks: str) -> Mapping[str, int | str]:
    """The terms of a question; `@` is somebody's capital."""
    capital = sample_game.position().board.powers[B].capital
    return {k: capital if v == "@" else v for k, v in LIMITS.get(asks, {}).items()}


CASE = Case(
    rules=RULES,
    samples=sample_game.samples,
    things={
        "province": catalogue.PROVINCES,
        "region": catalogue.REGIONS,
        "good": catalogue.GOODS,
        "card": catalogue.CARDS,
        "advance": catalogue.ADVANCES,
        "category": catalogue.CATEGORIES,
        "phase": frozenset(map(str, Phase)),
        "hull": frozenset({"galley", "seaworthy", "galleon"}),
    },
    ids=sample_game.LOWER_IDS,
    terms=terms,
    hidden="mysticism",
    figures=figures,
    variants=variants,
    more=MORE,
)
