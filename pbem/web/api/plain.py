"""From the facts of the services to the shapes that go out.  Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from engine.kernel.gates import Gate
from engine.kernel.languages import Language
from engine.kernel.orders import Decision
from pbem.narration.facts import Owed
from pbem.service.pages import game_pages
from pbem.web.api import shapes
from pbem.web.presenter import Presenter
from pbem.web.site import PageVisit


def moment(seconds: int) -> datetime:
    """A moment."""
    return datetime.fromtimestamp(seconds, UTC)


def at_or_never(seconds: int | None) -> datetime | None:
    """A moment, if there is one."""
    return moment(seconds) if seconds is not None else None


def plain(thing: Any) -> Any:
    """What a game's `present` gave, as JSON knows it; raises TypeError for whatever a view must not hold."""
    if isinstance(thing, str):
        return str(thing)
    if thing is None or isinstance(thing, bool | int):
        return thing
    if isinstance(thing, Mapping):
        return {str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [plain(value) for value in thing]
    if isinstance(thing, set | frozenset):
        return sorted(plain(value) for value in thing)
    raise TypeError(f"a view holds a {type(thing).__name__}")


def topic(visit: PageVisit, title: str, asks: str) -> str:
    """How a question of a game is called."""
    rules = visit.services.installed.get(title)
    found = next((t for t in rules.meta.topics if t.asks == asks), None) if rules is not None else None
    return found.words.printed(visit.language).capitalize() if found is not None else asks


def card(visit: PageVisit, found: game_pages.Card) -> shapes.Card:
    """A table in a list."""
    title = visit.services.called(found.rules, visit.language)
    duties = [
        shapes.Duty(duty.asks, topic(visit, found.rules, duty.asks), at_or_never(duty.due), duty.answered)
        for duty in found.duties
    ]
    return shapes.Card(found.game, found.rules, title, found.title, found.state, duties, found.missing)


def _called(telling: Presenter, decision: Decision) -> str:
    return telling.topic(decision.asks, Gate.parse(decision.gate).number)


def duties(telling: Presenter, owed: Iterable[Owed]) -> list[shapes.Duty]:
    """What a player owes, of what others wait for."""
    return [
        shapes.Duty(o.decision.asks, _called(telling, o.decision), at_or_never(o.due), o.answered)
        for o in owed
        if o.decision.blocking
    ]


def seats(found: Sequence[Any]) -> list[str]:
    """Seats as plain words."""
    return [str(seat) for seat in found]


def said(words: Any, language: Language) -> str:
    """Words of the game in a language."""
    return str(words.printed(language))
