"""Costs and effects of things, in signs and in words."""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.amalfi.catalogue import ALL, BONUSES, Category, Character, Mod, On, Op, Verb
from engine.amalfi.drawing.look import Chain, say
from engine.kernel.languages import Language

GAP: Final = "  "
COUNTS: Final[Mapping[str, Chain]] = {
    "artwork": ("@artwork",),
    "artwork_set": ("@book", "@painting", "@monument"),
    "artwork_pair": ("@artwork", "≠", "@artwork"),
    "artwork_of_best_type": ("@artwork", "=", "@artwork"),
    "artwork_same_type": ("@artwork", "=", "@artwork"),
    "artwork_pairs_of_two": ("(", "@artwork", "=", "@artwork", ")"),
    "private_destination": ("@place",),
    "lighthouse_own_private": ("@lighthouse", "@place"),
    "ship_built": ("@yard", "@ship"),
    "ship_in_hold": ("@ship", "@any"),
    "fleet": ("@ship",),
    "character_set": ("@immediate", "@permanent", "@engageable", "@end_game"),
    "character_type": ("@character", "≠"),
}
"""The signs of counted things, if they differ from their own names."""
_ACTIONS: Final[Mapping[str, Chain]] = {
    "acquire": ("@artwork",),
    "discover": ("@place",),
    "invite": ("@character",),
    "build": ("@ship",),
}
_WHEN: Final[Mapping[On, Chain]] = {
    On.ACQUIRE: ("@artwork",),
    On.DISCOVER: ("@place",),
    On.INVITE: ("@character",),
    On.ENGAGE: ("@engaged",),
    On.BUILD: ("@yard",),
    On.LIGHTHOUSE: ("@lighthouse",),
    On.PRIVATE: ("@dock", "@place"),
    On.DECREE: ("@decree",),
    On.PERIOD: ("@period",),
}
_SAME: Final = ("untap", "launch")
"""Verbs that affect everything there is."""


def counted(what: str) -> Chain:
    """Return the signs of what titles, decrees and characters count."""
    return COUNTS.get(what, (f"@{_kind(what)}",))


def counted_words(what: str, language: Language) -> str:
    """Return what titles, decrees and characters count, in words."""
    return say(language, f"counts.{_kind(what)}")


def _kind(what: str) -> str:
    """Return the name of a counted thing, without the prefix of a character's category."""
    kind = what.removeprefix("character_")
    return kind if kind in list(Category) else what


def cost(n: int, accepts: Iterable[str]) -> Chain:
    """Return the signs of a cost and of the resources that pay it."""
    paid = [token for good in accepts for token in ("/", f"@{good}")]
    return (str(n), *paid[1:])


def cost_words(n: int, accepts: Iterable[str], language: Language) -> str:
    """Return a cost and the resources that pay it, in words."""
    goods = (say(language, f"signs.{good}") for good in accepts)
    return say(language, "costs", n=n, what=f" {say(language, 'or')} ".join(goods))


# --- effects


def effects(ops: Iterable[Op]) -> Chain:
    """Return the signs of effects, from left to right; what is paid first points to what it pays for."""
    found: list[str] = []
    for op in ops:
        found += [*([] if not found or found[-1] == "→" else [GAP]), *_effect(op)]
    return found


def effects_words(ops: Iterable[Op], language: Language) -> str:
    """Return effects in words."""
    return ", ".join(_effect_words(op, language) for op in ops)


def bonus(name: str) -> Chain:
    """Return the icon of an artwork, a lighthouse or a ship of the yard."""
    return effects(BONUSES[name])


def _effect(op: Op) -> Chain:
    n = "∞" if op.n == ALL else str(op.n)
    match op.op:
        case Verb.PAY_BREAD:
            return (f"−{n}", "@bread", "→")
        case Verb.BREAD | Verb.VP:
            return (f"+{n}", f"@{op.op.value}")
        case Verb.VP_PER:
            return (f"+{op.vp}", "@vp", "/", *counted(op.per), f"≤{op.most}")
        case Verb.SEND:
            return (n, "@ship", "→", f"@{op.hold}")
        case Verb.CHARACTER:
            return (f"+{n}", "@character", *(("0", "@bread") if op.free else ()))
        case Verb.LIGHTHOUSE:
            return (f"+{n}", "@lighthouse")
        case Verb.UNTAP:
            return ("@untap",) if op.n == 1 else (n, "@untap")
        case Verb.EITHER:
            return ("@character", "/", "@untap")
    return _act(op, n)


def _act(op: Op, n: str) -> Chain:
    """Return the signs of actions that an effect gives, and of effects on cards and ships."""
    match op.op:
        case Verb.DISCARD_ARTWORK:
            return ("@discard", "@artwork")
        case Verb.DISCARD_CHARACTER:
            return ("@discard", "@character")
        case Verb.RECALL:
            return (n, "@dock", "→", "@bay")
        case Verb.LAUNCH:
            return (n, "@port", "→", "@bay")
        case Verb.USE_PRIVATE:
            return ("@act", "@place")
        case Verb.DISCARD_FOR_VP:
            return ("@discard", "@hand", "→", f"+{op.vp}", "@vp")
    less = ("=0",) if op.free else (f"−{op.minus}",)
    return ("@act", *_ACTIONS[op.op], *less, *(("→", "@bay") if op.to == "bay" else ()))


def _effect_words(op: Op, language: Language) -> str:
    form = ""
    if op.op is Verb.BUILD and op.to == "bay":
        form = "_bay"
    elif op.free:
        form = "_free"
    elif op.n == ALL and op.op in _SAME:
        form = "_all"
    hold = hold_words(op.hold, language) if op.hold else ""
    per = counted_words(op.per, language) if op.per else ""
    terms = {"n": op.n, "hold": hold, "per": per, "vp": op.vp, "most": op.most, "minus": op.minus}
    return say(language, f"does.{op.op}{form}", **terms)


def hold_words(hold: str, language: Language) -> str:
    """Return the words for a hold, or for any of them."""
    return say(language, f"holds.{hold}")


# --- characters


def does(character: Character) -> Chain:
    """Return the signs of a character's effect, with its moment."""
    if character.category is Category.END_GAME:
        return (f"{character.vp}", "@vp", "/", *counted(character.per), f"≤{character.most}")
    if character.on is not None:
        when = (f"@{character.type}",) if character.type else _WHEN[character.on]
        return (*when, ":", *effects(character.effects))
    return effects(character.effects) if character.mod is None else _lasting(character, character.mod)


def _lasting(character: Character, mod: Mod) -> Chain:
    """Return the signs of the rule that a character changes."""
    match mod:
        case Mod.COST:
            return (*_ACTIONS[character.action], f"−{character.n}")
        case Mod.HOLD:
            return (f"@{character.hold}", f"={character.n}")
        case Mod.EMERGENCY:
            return ("@bay", "→", "@port", f"={character.n}")
        case Mod.LIGHT:
            return ("@lighthouse", f"−{character.n}", "@bread")
        case Mod.MEAL:
            return ("@meal", f"−{character.n}", "@bread")
        case Mod.NO_EXTRA:
            return ("@artwork", "@place", "+0")
        case Mod.COUNCIL:
            return ("@character", "−0", "+1", "@bread")


def does_words(character: Character, language: Language) -> str:
    """Return a character's effect in words."""
    if character.category is Category.END_GAME:
        per = counted_words(character.per, language)
        return say(language, "lasts.end_game", vp=character.vp, per=per, most=character.most)
    if character.mod is not None:
        form = f"cost_{character.action}" if character.mod is Mod.COST else character.mod
        hold = hold_words(character.hold, language) if character.hold else ""
        return say(language, f"lasts.{form}", n=character.n, hold=hold)
    done = effects_words(character.effects, language)
    return say(language, f"when.{character.type or character.on}", what=done) if character.on else done
