"""The page of one's tokens: what plays or looks on for one, made and ended here."""

from flask import request
from flask.typing import ResponseReturnValue

from pbem.common.states import GameState
from pbem.crypto import new_token
from pbem.service.access import api_tokens as programs
from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.service.pages import game_pages
from pbem.web.form_input import is_post, parse_number
from pbem.web.site import PageRequest, render_form


def api_tokens(visit: PageRequest) -> ResponseReturnValue:
    """One's tokens.  A new one is shown this once, in the answer to the form that made it."""
    token, note, problem = "", "", ""
    if is_post():
        try:
            match request.form.get("act", ""):
                case "issue":
                    token = _created_token(visit)
                case "revoke":
                    done = programs.revoke(visit.services, visit.me.id, parse_number(request.form, "program"))
                    note = visit.translate("programs.revoked") if done else visit.translate("programs.revoked_before")
        except RequestRefused as refused:
            problem = visit.refusal(refused, "programs")
    return render_form(
        visit,
        "tokens.html",
        fresh=token,
        note=note,
        problem=problem,
        made=[_token_row(visit, p) for p in _token_rows(visit)],
        tables=[c for c in game_pages.load_home(visit.services, visit.me.id).games if c.state == GameState.RUNNING],
        form=new_token(),
        most_days=programs.MAX_DAYS,
        url=visit.services.public_url,
    )


def _created_token(visit: PageRequest) -> str:
    """A token; none for a form that was sent before."""
    if not users.claim_form(visit.services, request.form.get("form", "")):
        return ""
    return programs.create_token(
        visit.services,
        visit.me.id,
        name=request.form.get("name", ""),
        scope=request.form.get("scope", ""),
        days=parse_number(request.form, "days"),
        game_id=request.form.get("game", ""),
    )


def _token_rows(visit: PageRequest) -> tuple[programs.TokenInfo, ...]:
    return programs.list_tokens(visit.services, visit.me.id)


def _token_row(visit: PageRequest, program: programs.TokenInfo) -> dict[str, object]:
    """A token as a row of the list."""
    return {
        "program": program,
        "scope": visit.translate(f"programs.scope.{program.scope}"),
        "expires": visit.moment(program.expires),
        "used": visit.moment(program.used) if program.used is not None else "",
    }
