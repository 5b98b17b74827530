"""Acts of programs: done once for each key, or refused with the reason that the page would give."""

from collections.abc import Callable
from typing import TypeVar

from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.web.api import shapes
from pbem.web.api.guard import ApiRequest
from pbem.web.api.problems import ApiProblem

T = TypeVar("T")


def execute_once(call: ApiRequest, act: Callable[[], T], about: str = "") -> T | None:
    """Act for the first call with its key; None for a second one.

    `about`: what the call is about besides its path.  A call that is refused, or fails, may be sent again with its key.
    """
    return users.run_once_per_form(call.visit.services, call.form_id(about), act)


def execute(
    call: ApiRequest, act: Callable[[], object], game: str = "", words: str = "refused", about: str = ""
) -> shapes.ActionResult:
    """Do something about a table, that of the call unless another is named; raises ApiProblem where it cannot be.

    `words`: where in the catalogue its refusals stand.  `about`: as for `execute_once`.
    """
    table = game or call.game

    def acted() -> bool:
        return act() is not False

    try:
        return to_outcome(execute_once(call, acted, f"{table}/{about}"), table)
    except RequestRefused as refused:
        raise to_problem(call, refused, words) from None


def to_outcome(acted: bool | None, game: str | None = None) -> shapes.ActionResult:
    """What came of an act that is done once; False: another person is asked first."""
    return shapes.ActionResult("repeated" if acted is None else "done" if acted else "asked", game)


def to_problem(call: ApiRequest, refused: RequestRefused, words: str = "refused") -> ApiProblem:
    """Why not, in the words of the page."""
    if refused.code == "too_often_today":
        return ApiProblem("too_many", {"Retry-After": str(int(str(refused.terms["hours"])) * 3600)})
    if refused.code == "too_often":
        return ApiProblem("too_many", {"Retry-After": str(int(str(refused.terms.get("minutes", 60))) * 60)})
    return ApiProblem("refused", why=call.visit.translate(f"{words}.{refused.code}", **refused.terms))
