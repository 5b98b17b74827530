"""The operator's page: what is stuck and why, counts and sizes, and the acts that a code confirms."""

from typing import Final

from flask import request, session
from flask.typing import ResponseReturnValue

from pbem.service.access import operators
from pbem.service.base.services import Refused
from pbem.service.run import operating
from pbem.service.run.overview import DAYS, overview
from pbem.vault import new_token
from pbem.web.fields import sent
from pbem.web.presenter import moment
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see
from pbem.web.words import known

OPENED: Final = "operator"
"""In the session: what a code has opened the page by."""
_MEGABYTE: Final = 1_000_000


def desk(visit: PageVisit) -> ResponseReturnValue:
    """The page; a code opens it for a while, and each act wants a code of its own."""
    if not operators.inside(visit.services, visit.me.id, str(session.get(OPENED, ""))):
        return _door(visit)
    problem = _acted(visit) if sent() else ""
    if sent() and not problem:
        return see("/operator")
    answer = _shown(visit, problem)
    return (answer, 422) if problem else answer


def _door(visit: PageVisit) -> ResponseReturnValue:
    problem = ""
    if sent():
        try:
            session[OPENED] = operators.let_in(visit.services, visit.me.id, request.form.get("code", ""))
        except Refused as refused:
            problem = visit.say(f"refused.{refused.code}", **refused.terms)
        else:
            if session[OPENED]:
                return see("/operator")
            problem = visit.say("operator.wrong_code")
    enrolled = operators.enrolled(visit.services, visit.me.id)
    answer = page(visit, "operator_door.html", enrolled=enrolled, problem=problem)
    return (answer, 422) if problem else answer


def _acted(visit: PageVisit) -> str:
    """Do what the form asks; why not, in the reader's language."""
    act, game, code = (request.form.get(name, "") for name in ("act", "game", "code"))
    try:
        done = operating.ask(visit.services, visit.me.id, act, game, code)
    except Refused as refused:
        return visit.say(f"refused.{refused.code}", **refused.terms)
    return "" if done else visit.say("operator.wrong_code")


def _shown(visit: PageVisit, problem: str) -> str:
    seen = overview(visit.services)
    return page(
        visit,
        "operator.html",
        seen=seen,
        problem=problem,
        acts=operating.ACTS,
        about_tables=(operating.RETRY, operating.HOLD, operating.RELEASE),
        why=lambda code: _why(visit, code),
        when=lambda at: moment(at // 1000, visit.me.zone, visit.language),
        days=DAYS,
        megabytes=-(-seen.size // _MEGABYTE),
        left=seen.room // _MEGABYTE if seen.room is not None else None,
        form=new_token(),
    )


def _why(visit: PageVisit, code: str) -> str:
    """Why a letter got no answer; of the many kinds of automatic letters, that it is one."""
    key = f"operator.silent.{code}"
    return visit.say(key if known(visit.language, key) else "operator.silent.automatic")
