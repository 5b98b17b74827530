"""The pieces on the map according to a view, and their changes: the only moving parts of the map."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.drawing.look import LETTER, say
from engine.kernel.drawing import join_words
from engine.kernel.languages import Language
from engine.kernel.rules import View


@dataclass(frozen=True)
class Held:
    """The pieces of one capital in one province."""

    capital: str
    old: int = 0
    new: int = 0
    marker: str = ""

    @property
    def tokens(self) -> int:
        """Return the number of tokens, without a marker."""
        return self.old + self.new

    def told(self, language: Language) -> str:
        """Return the pieces in words."""
        parts = [say(language, f"{self.marker}_control")] if self.marker else []
        parts += [say(language, word, n=n) for word, n in (("n_old", self.old), ("n_new", self.new)) if n]
        who = PROVINCES[self.capital].words.printed(language)
        return say(language, "held", who=who, what=", ".join(parts))


Holdings = Mapping[str, tuple[Held, ...]]
NONE: Final[tuple[Held, ...]] = ()


def capitals(view: View) -> dict[str, str]:
    """Return the capital of each seat that has one, in order of play."""
    order = [place["seat"] for place in view["order"]]
    return {seat: view["powers"][seat]["capital"] for seat in order if view["powers"][seat]["capital"]}


def holdings(view: View) -> Holdings:
    """Return the pieces by province; provinces without pieces are left out."""
    plays = capitals(view)
    return {
        province["id"]: tuple(
            Held(plays[p["seat"]], p["old"], p["new"], p["marker"]) for p in province["pieces"] if p["seat"] in plays
        )
        for province in view["provinces"]
        if province["pieces"]
    }


def changed(before: Holdings, after: Holdings) -> dict[str, tuple[Held, ...]]:
    """Return the provinces whose pieces have changed, with their earlier pieces, in the order of the catalogue.

    The order of pieces does not count: a view lists them in order of play, which changes.
    """
    return {p: before.get(p, NONE) for p in PROVINCES if set(before.get(p, NONE)) != set(after.get(p, NONE))}


def steps(before: tuple[Held, ...], after: tuple[Held, ...]) -> Iterator[str]:
    """Yield short texts of what came and went: `+V●`, `−2G`, and `V●` for a marker that only turned old."""
    was, now = ({held.capital: held for held in side} for side in (before, after))
    for capital in dict.fromkeys((*was, *now)):
        one, other = was.get(capital, Held(capital)), now.get(capital, Held(capital))
        letter, more = LETTER[capital], other.tokens - one.tokens
        if bool(one.marker) != bool(other.marker):
            yield f"{'+' if other.marker else '−'}{letter}●"
        if more:
            yield f"{'+' if more > 0 else '−'}{abs(more)}{letter}"
        elif one != other and bool(one.marker) == bool(other.marker):
            yield f"{letter}{'●' if other.marker else '■'}"


def held_in_words(held: tuple[Held, ...], language: Language) -> str:
    """Return the pieces of a province in words."""
    return join_words((one.told(language) for one in held), language) or say(language, "empty")
