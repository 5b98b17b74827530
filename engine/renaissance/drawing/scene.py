"""The data from which a picture of the board is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.languages import Language
from engine.kernel.pictures import Theme
from engine.renaissance.catalogue import FREE
from engine.renaissance.drawing.look import LETTER, say

DISC: Final = 30
"""The radius of a city's disc."""
City = Mapping[str, Any]


@dataclass(frozen=True)
class Scene:
    """What is drawn, and how.

    `before`: changed cities in their earlier state.
    `ahead`: cities that the viewer's orders would change, in their state then.
    `nations`: by seat.
    `room`: the free cities that the viewer may take.
    """

    language: Language
    theme: Theme
    live: bool
    cities: Mapping[str, City]
    before: Mapping[str, City]
    ahead: Mapping[str, City]
    nations: Mapping[str, str]
    room: frozenset[str]


def seen(city: City) -> tuple[object, ...]:
    """Return the parts of a city that may change."""
    return tuple(city[what] for what in ("owner", "level", "palace", "artist", "pillaged"))


def city_in_words(city: City, scene: Scene) -> str:
    """Return a city's owner and buildings in words."""
    said = [LETTER[scene.nations[city["owner"]]] if city["owner"] else say(scene.language, "free")]
    if city["level"] > FREE:
        said.append(say(scene.language, f"level{city['level']}"))
    said += [say(scene.language, what) for what in ("palace", "artist", "pillaged") if city[what]]
    return ", ".join(said)
