"""From the facts of the services to the shapes that go out.  Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from engine.kernel.gates import Gate
from engine.kernel.orders import Question
from pbem.narration.facts import OpenQuestion
from pbem.service.pages import game_pages
from pbem.web.api import shapes
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest


def to_moment(seconds: int) -> datetime:
    """A moment."""
    return datetime.fromtimestamp(seconds, UTC)


def to_optional_moment(seconds: int | None) -> datetime | None:
    """A moment, if there is one."""
    return to_moment(seconds) if seconds is not None else None


def to_plain(thing: Any) -> Any:
    """What a game's `present` gave, as JSON knows it; raises TypeError for whatever a view must not hold."""
    if isinstance(thing, str):
        return str(thing)
    if thing is None or isinstance(thing, bool | int):
        return thing
    if isinstance(thing, Mapping):
        return {str(key): to_plain(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [to_plain(value) for value in thing]
    if isinstance(thing, set | frozenset):
        return sorted(to_plain(value) for value in thing)
    raise TypeError(f"a view holds a {type(thing).__name__}")


def topic_title(visit: PageRequest, title: str, asks: str) -> str:
    """How a question of a game is called."""
    rules = visit.services.installed.get(title)
    found = next((t for t in rules.meta.topics if t.key == asks), None) if rules is not None else None
    return found.words.printed(visit.language).capitalize() if found is not None else asks


def to_card(visit: PageRequest, found: game_pages.GameCard) -> shapes.GameCard:
    """A table in a list."""
    title = visit.services.game_title(found.rules, visit.language)
    duties = [
        shapes.DueQuestion(
            duty.topic, topic_title(visit, found.rules, duty.topic), to_optional_moment(duty.due), duty.is_answered
        )
        for duty in found.questions
    ]
    return shapes.GameCard(found.game, found.rules, title, found.title, found.state, duties, found.missing_seats)


def _question_title(telling: Presenter, decision: Question) -> str:
    return telling.topic(decision.topic, Gate.parse(decision.gate).number)


def to_questions(telling: Presenter, owed: Iterable[OpenQuestion]) -> list[shapes.DueQuestion]:
    """What a player owes, of what others wait for."""
    return [
        shapes.DueQuestion(
            o.decision.topic, _question_title(telling, o.decision), to_optional_moment(o.due), o.answered
        )
        for o in owed
        if o.decision.blocking
    ]


def to_seats(found: Sequence[Any]) -> list[str]:
    """Seats as plain words."""
    return [str(seat) for seat in found]
