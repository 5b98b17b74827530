"""Acts of programs: done once for each key, or refused with the reason that the page would give."""

from collections.abc import Callable
from typing import TypeVar

from pbem.service.access import people, programs
from pbem.service.base.services import Refused
from pbem.web.api import shapes
from pbem.web.api.guard import Call
from pbem.web.api.problems import Trouble

T = TypeVar("T")


def once(call: Call, what: str, act: Callable[[], T]) -> T | None:
    """Act for the first call with its key; None for a second one.

    `what`: what the key is about.  A call that is refused, or fails, may be sent again with its key.
    """
    return people.once(call.visit.services, programs.form_of(call.bearer, what, call.key), act)


def done(call: Call, what: str, act: Callable[[], object], game: str = "", words: str = "refused") -> shapes.Done:
    """Do something about a table, that of the call unless another is named; raises Trouble where it cannot be.

    `words`: where in the catalogue its refusals stand.
    """
    table = game or call.game

    def acted() -> bool:
        return act() is not False

    try:
        return outcome_of(once(call, f"{table}/{what}", acted), table)
    except Refused as refused:
        raise refusal(call, refused, words) from None


def outcome_of(acted: bool | None, game: str | None = None) -> shapes.Done:
    """What came of an act that is done once; False: another person is asked first."""
    return shapes.Done("repeated" if acted is None else "done" if acted else "asked", game)


def refusal(call: Call, refused: Refused, words: str = "refused") -> Trouble:
    """Why not, in the words of the page."""
    if refused.code == "too_often_today":
        return Trouble("too_many", {"Retry-After": str(int(str(refused.terms["hours"])) * 3600)})
    if refused.code == "too_often":
        return Trouble("too_many", {"Retry-After": str(int(str(refused.terms.get("minutes", 60))) * 60)})
    return Trouble("refused", why=call.visit.say(f"{words}.{refused.code}", **refused.terms))
