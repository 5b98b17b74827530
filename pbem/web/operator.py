"""The operator's page: what is stuck and why, counts and sizes, and the acts that a code confirms."""

from typing import Final

from flask import request, session
from flask.typing import ResponseReturnValue

from pbem.crypto import new_token
from pbem.service.access import operators
from pbem.service.base.services import RequestRefused
from pbem.service.tasks.operator_page import ACTS, DAYS, HOLD, RELEASE, RETRY, load_overview, request_action
from pbem.web.access import redirect_to
from pbem.web.form_input import is_post
from pbem.web.locales import has_key
from pbem.web.site import PageRequest, render_form, render_page

OPENED: Final = "operator"
"""In the session: what a code has opened the page by."""
_MEGABYTE: Final = 1_000_000


def operator_page(visit: PageRequest) -> ResponseReturnValue:
    """The page; a code opens it for a while, and each act wants a code of its own."""
    if not operators.has_session(visit.services, visit.me.id, str(session.get(OPENED, ""))):
        return _enter(visit)
    problem = _run_action(visit) if is_post() else ""
    if is_post() and not problem:
        return redirect_to("/operator")
    answer = _render_overview(visit, problem)
    return (answer, 422) if problem else answer


def _enter(visit: PageRequest) -> ResponseReturnValue:
    problem = ""
    if is_post():
        try:
            session[OPENED] = operators.open_session(visit.services, visit.me.id, request.form.get("code", ""))
        except RequestRefused as refused:
            problem = visit.refusal(refused)
        else:
            if session[OPENED]:
                return redirect_to("/operator")
            problem = visit.translate("operator.wrong_code")
    enrolled = operators.is_enrolled(visit.services, visit.me.id)
    return render_form(visit, "operator_door.html", enrolled=enrolled, problem=problem)


def _run_action(visit: PageRequest) -> str:
    """Do what the form asks; why not, in the reader's language."""
    act, game, code = (request.form.get(name, "") for name in ("act", "game", "code"))
    try:
        done = request_action(visit.services, visit.me.id, act, game, code)
    except RequestRefused as refused:
        return visit.refusal(refused)
    return "" if done else visit.translate("operator.wrong_code")


def _render_overview(visit: PageRequest, problem: str) -> str:
    seen = load_overview(visit.services)
    return render_page(
        visit,
        "operator.html",
        seen=seen,
        problem=problem,
        acts=ACTS,
        about_tables=(RETRY, HOLD, RELEASE),
        why=lambda code: _reason_text(visit, code),
        when=lambda at: visit.moment(at // 1000),
        days=DAYS,
        megabytes=-(-seen.size // _MEGABYTE),
        left=seen.room // _MEGABYTE if seen.room is not None else None,
        form=new_token(),
    )


def _reason_text(visit: PageRequest, code: str) -> str:
    """Why a letter got no answer; of the many kinds of automatic letters, that it is one."""
    key = f"operator.silent.{code}"
    return visit.translate(key if has_key(visit.language, key) else "operator.silent.automatic")
