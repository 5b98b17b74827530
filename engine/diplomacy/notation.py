"""Orders as players by mail write them: `A Par-Bur`, `F NTH C A Lon - Nwy`, `F stp(sc) - bot`, in English and French.

Case, accents and spaces are forgiven, and so are a missing A or F and the name of a power. A place is named by its
three letters, by what adjudicators by mail read besides, by its whole name, or by as much of it as only one has.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final

from engine.diplomacy.board import Board, Part, Unit
from engine.diplomacy.catalogue import ARMY, FLEET, POWERS, PROVINCES, SEA, WORDS, province_of
from engine.diplomacy.orders import BY_LAND, BY_SEA, Build, Convoy, Disband, Hold, Move, Retreat, Support, Waive
from engine.kernel.languages import LANGUAGES
from engine.kernel.orders import Order, Problem

PROBLEMS = (
    "too_long",  # {most}
    "not_understood",  # {rest}
    "unknown_place",  # {written, places}
    "which_place",  # {written, places}
    "no_order",  # {unit}
    "wrong_kind",  # {province, kind}
)
"""Why a line cannot be read, with the terms that its sentence is given."""

LONGEST: Final = 200
"""How long a line may be, in characters."""
ASKED_BACK: Final = frozenset({"liv", "nor", "gul", "atl", "tyr"})
"""What judges read differently, so that it is asked back unless the kind of the unit decides it."""
_SHORTEST_PREFIX: Final = 3
_LONGEST_NAME: Final = 5
_SPLIT_WORDS: Final = re.compile(r"\b(?:(dis\s*ban\s*d)|(rem\s*ove))\b")
_TOKEN: Final = re.compile(r"[a-z0-9]+|[-/]")


class _Unreadable(Exception):
    def __init__(self, code: str, **terms: object) -> None:
        self.problem = Problem(code, terms)


def read_order(text: str, board: Board, power: str) -> Order | Problem:
    """Return the order that a power wrote, or why it cannot be read. Whether it can be done is not judged here."""
    if len(text) > LONGEST:
        return Problem("too_long", {"most": LONGEST})
    try:
        return _Reader(text, board, power).order()
    except _Unreadable as unreadable:
        return unreadable.problem


def _plain(text: str) -> str:
    """Return a text in small letters without accents."""
    text = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe"))
    return "".join(letter for letter in text if not unicodedata.combining(letter))


def _tokens(text: str) -> list[str]:
    text = re.sub(r"[-=~]*>|[–—−]", " - ", _plain(text))
    text = _SPLIT_WORDS.sub(lambda found: re.sub(r"\s", "", found[0]), text)
    return _TOKEN.findall(text)


def _joined(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", _plain(text))


@cache
def _keywords() -> Mapping[str, frozenset[str]]:
    words = dict(WORDS.section("notation"))
    for power in POWERS.values():
        words["power"] |= power.words
    return {key: frozenset(map(_plain, spelt.all_forms())) for key, spelt in words.items()}


@cache
def _names() -> Mapping[tuple[str, ...], str]:
    """Return places by what means them for certain, each name as the words that it consists of."""
    names: dict[tuple[str, ...], str] = {}
    for id, province in PROVINCES.items():
        for name in (*province.words.all_forms(), *province.judges_write):
            words = _tokens(name)
            names[tuple(words)] = names[tuple(word for word in words if word != "-")] = id
    names.update({(_plain(id),): id for id in PROVINCES})
    return {words: id for words, id in names.items() if words[0] not in ASKED_BACK or len(words) > 1}


@cache
def _begin_with(written: str) -> tuple[str, ...]:
    """Return the places whose name begins so: the only one in a language, or else those of all languages."""
    found = [
        {id for id, province in PROVINCES.items() if _joined(province.words.printed(language)).startswith(written)}
        for language in LANGUAGES
    ]
    every = set[str]().union(*found)
    only = set[str]().union(*(ids for ids in found if len(ids) == 1))
    return tuple(sorted(only if len(only) == 1 and written not in ASKED_BACK else every))


class _Reader:
    """Reads the words of one line from left to right."""

    def __init__(self, text: str, board: Board, power: str) -> None:
        self.words, self.board, self.power, self.at = _tokens(text), board, power, 0

    # Words

    def _peek(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def _is(self, *keys: str) -> bool:
        return any(self._peek() in _keywords()[key] for key in keys)

    def _take(self, *keys: str) -> bool:
        """Pass all words of some kinds; return True if there were any."""
        start = self.at
        while self.at < len(self.words) and self._is(*keys):
            self.at += 1
        return self.at > start

    def _end(self, order: Order) -> Order:
        if self.at < len(self.words):
            raise _Unreadable("not_understood", rest=" ".join(self.words[self.at :]))
        return order

    # Places and units

    def _places(self) -> tuple[tuple[str, ...], str]:
        """Read a name; return the places that it can mean, and how it is written."""
        for length in range(min(_LONGEST_NAME, len(self.words) - self.at), 0, -1):
            words = tuple(self.words[self.at : self.at + length])
            if words in _names():
                self.at += length
                return (_names()[words],), " ".join(words)
        written = self._peek()
        found = _begin_with(written) if len(written) >= _SHORTEST_PREFIX else ()
        if not found:
            raise _Unreadable("unknown_place", written=written, places=_near_misses(written))
        self.at += 1
        return found, written

    def _names_place(self) -> bool:
        """Return True if a name comes next, without a word before it (`Par Bur`)."""
        start = self.at
        try:
            self._places()
        except _Unreadable:
            return False
        finally:
            self.at = start
        return True

    def _place(self, fits: Callable[[str], bool]) -> str:
        """Read a province; of several that it can mean, `fits` may leave one."""
        found, written = self._places()
        left = tuple(filter(fits, found)) if written == "tyr" else found
        if len(left) != 1:
            raise _Unreadable("which_place", written=written, places=left or found)
        return left[0]

    def _coast(self) -> str:
        """Read a coast, if one follows: `/sc`, `(sc)`, `sc`, `south coast`."""
        start = self.at
        is_marked = self._peek() == "/"
        self.at += is_marked
        for coast in ("nc", "sc", "ec"):
            if self._peek() in _keywords()[coast] and (is_marked or len(self._peek()) > 1):
                self.at += 1
                self._take("coast")
                return f"/{coast.upper()}"
        if is_marked:
            raise _Unreadable("not_understood", rest=" ".join(self.words[start:]))
        return ""

    def _skip_power(self) -> None:
        """Pass the name of a power; `english` is a place unless an A or F follows."""
        while self._take("filler") or self._is("power"):
            follows = self.words[self.at + 1 : self.at + 2]
            kinds = _keywords()["army"] | _keywords()["fleet"]
            if self._is("power") and (kinds.intersection(follows) or not _begin_with(self._peek())):
                self.at += 1
            elif self._is("power"):
                return

    def _kind(self) -> str:
        self._skip_power()
        kind = ARMY if self._is("army") else FLEET if self._is("fleet") else ""
        self.at += bool(kind)
        self._take("of")
        self._skip_power()
        glued = self._peek()
        if not kind and glued[:1] in ("a", "f") and glued[1:].upper() in PROVINCES:
            kind, self.words[self.at] = glued[0].upper(), glued[1:]
        return kind

    def _unit(self, units: Mapping[str, Unit]) -> str:
        """Read the name of a unit; return its province (C6)."""
        kind = self._kind()
        p = self._place(lambda p: _can_be(kind, p) if kind else p in units)
        self._coast()
        if kind and p in units and units[p].kind != kind:
            raise _Unreadable("wrong_kind", province=p, kind=units[p].kind)
        return p

    def _target(self, kind: str) -> str:
        """Read where a unit of a kind goes; return the place."""
        self._take("filler")
        p = self._place(lambda p: _can_be(kind, p))
        return p + self._coast()

    # Orders

    def order(self) -> Order:
        """Read the whole line."""
        match self.board.phase.part:
            case Part.MOVEMENT:
                return self._end(self._movement())
            case Part.RETREAT:
                return self._end(self._retreat())
            case Part.ADJUSTMENT:
                return self._end(self._adjustment())

    def _kind_at(self, p: str) -> str:
        return self.board.units[p].kind if p in self.board.units else ""

    def _movement(self) -> Order:
        units = self.board.units
        p = self._unit(units)
        self._take("filler")
        if self._take("hold"):
            return Hold(p)
        if self._take("support"):
            of = self._unit(units)
            if self._take("move", "filler") or self._names_place():
                to, _ = self._target_and_way(self._kind_at(of))
                return Support(p, of, to)
            self._take("hold")
            return Support(p, of)
        if self._take("convoy"):
            army = self._unit(units)
            self._take("move", "filler")
            to, _ = self._target_and_way(ARMY)
            return Convoy(p, army, to)
        if self._take("move") or self._names_place():
            return Move(p, *self._target_and_way(self._kind_at(p)))
        raise self._no_order(p)

    def _target_and_way(self, kind: str) -> tuple[str, str]:
        """Read where a unit goes, and how; the seas of a convoy may come first (`A Lon - NTH - Nwy`)."""
        to, through = self._target(kind), ""
        while kind == ARMY and PROVINCES[province_of(to)].kind == SEA and self._take("move"):
            to, through = self._target(kind), BY_SEA
        return to, self._way() or through

    def _way(self) -> str:
        """Read `via convoy` or `by land`, if one follows."""
        self._take("by")
        if self._take("land"):
            return BY_LAND
        by_sea = self.words[self.at - 1] == "via" or self._is("sea", "convoy")
        self._take("sea", "convoy")
        return BY_SEA if by_sea else ""

    def _retreat(self) -> Order:
        lost = {p: dislodged.unit for p, dislodged in self.board.dislodged.items()}
        is_first = self._take("disband", "remove")
        p = self._unit(lost)
        self._take("filler")
        if self._take("disband") or is_first:
            return Disband(p)
        if self._take("retreat", "move") or self._names_place():
            return Retreat(p, self._target(lost[p].kind if p in lost else ""))
        raise self._no_order(p)

    def _adjustment(self) -> Order:
        if self._take("waive"):
            return Waive()
        if self._take("disband", "remove"):
            return Disband(self._unit(self.board.units))
        is_build, start = self._take("build"), self.at
        kind = self._kind()
        place = self._place(lambda p: _can_be(kind, p) if kind else p in self.board.units) + self._coast()
        if is_build or self._take("build"):
            if not kind:
                raise _Unreadable("not_understood", rest=" ".join(self.words[start:]))
            return Build(kind, place)
        if self._take("disband", "remove"):
            end, self.at = self.at, start
            p, self.at = self._unit(self.board.units), end
            return Disband(p)
        raise self._no_order(place)

    def _no_order(self, place: str) -> _Unreadable:
        if self._peek():
            return _Unreadable("not_understood", rest=" ".join(self.words[self.at :]))
        return _Unreadable("no_order", unit=place)


def _can_be(kind: str, p: str) -> bool:
    return PROVINCES[p].kind != SEA if kind == ARMY else bool(PROVINCES[p].fleet)


def _near_misses(name: str) -> tuple[str, ...]:
    """Return the places whose names are most like what was written."""
    names = {" ".join(words): id for words, id in _names().items()}
    return tuple(dict.fromkeys(names[near] for near in get_close_matches(name, names)))
