"""The page of one's tokens: what plays or looks on for one, made and ended here."""

from flask import request
from flask.typing import ResponseReturnValue

from pbem.service.access import people, programs
from pbem.service.base.services import Refused
from pbem.service.pages import game_pages
from pbem.states import GameState
from pbem.vault import new_token
from pbem.web.fields import number, sent
from pbem.web.presenter import moment
from pbem.web.site import PageVisit, page


def mine(visit: PageVisit) -> ResponseReturnValue:
    """One's tokens.  A new one is shown this once, in the answer to the form that made it."""
    token, note, problem = "", "", ""
    if sent():
        try:
            match request.form.get("act", ""):
                case "issue":
                    token = _issued(visit)
                case "revoke":
                    done = programs.revoke(visit.services, visit.me.id, number(request.form, "program"))
                    note = visit.say("programs.revoked") if done else visit.say("programs.revoked_before")
        except Refused as refused:
            problem = visit.say(f"programs.{refused.code}", **refused.terms)
    answer = page(
        visit,
        "tokens.html",
        fresh=token,
        note=note,
        problem=problem,
        made=[_row(visit, p) for p in _listed(visit)],
        tables=[c for c in game_pages.home(visit.services, visit.me.id).games if c.state == GameState.RUNNING],
        form=new_token(),
        most_days=programs.MOST_DAYS,
        url=visit.services.public_url,
    )
    return (answer, 422) if problem else answer


def _issued(visit: PageVisit) -> str:
    """A token; none for a form that was sent before."""
    if not people.claim(visit.services, request.form.get("form", "")):
        return ""
    return programs.issue(
        visit.services,
        visit.me.id,
        name=request.form.get("name", ""),
        scope=request.form.get("scope", ""),
        days=number(request.form, "days"),
        game_id=request.form.get("game", ""),
    )


def _listed(visit: PageVisit) -> tuple[programs.Program, ...]:
    return programs.listed(visit.services, visit.me.id)


def _row(visit: PageVisit, program: programs.Program) -> dict[str, object]:
    """A token as a row of the list."""
    return {
        "program": program,
        "scope": visit.say(f"programs.scope.{program.scope}"),
        "expires": moment(program.expires, visit.zone, visit.language),
        "used": moment(program.used, visit.zone, visit.language) if program.used is not None else "",
    }
