"""Talk at a table, one's diary, and whom one does not hear; and all of it in the record of a finished game."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.service.records import finished_games
from pbem.service.seats import deputies, spectators
from pbem.service.talk import hearing, messages, muting, transcript
from pbem.service.talk.messages import CannotSay
from pbem.states import BEGUN, GameState
from pbem.vault import new_token
from pbem.web.fields import number, sent
from pbem.web.presenter import moment
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see


def table(visit: PageVisit) -> ResponseReturnValue:
    """What one may hear at a table, and the forms to say something; every button does one thing."""
    if visit.place is None or visit.place.state not in BEGUN:
        raise NotFound
    problem = ""
    if sent():
        try:
            _do(visit, request.form.get("act", ""))
            return see(f"/games/{visit.game}/talk")
        except CannotSay as refused:
            problem = visit.say(f"talk.refused.{refused.code}", **refused.terms)
    shown = hearing.conversation(visit.services, visit.me.id, visit.game, number(request.args, "before"))
    answer = page(
        visit,
        "talk.html",
        shown=shown,
        circles=hearing.addressed(visit.services, visit.me.id, visit.game, shown.circles),
        problem=problem,
        form=new_token(),
        running=visit.place.state == GameState.RUNNING,
        neighbours=muting.neighbours(visit.services, visit.me.id, visit.game),
        watched=not shown.circles,
        spectators=spectators.spectators_of(visit.services, visit.game),
        deputies=deputies.at_table(visit.services, visit.game),
        text=request.form.get("text", "") if problem else "",
        moment=lambda seconds: moment(seconds, visit.zone, visit.language),
        older=shown.before,
    )
    return (answer, 422) if problem else answer


def _do(visit: PageVisit, act: str) -> None:
    services, me, game, form = visit.services, visit.me.id, visit.game, request.form.get("form", "")
    text = request.form.get("text", "")[: 4 * messages.MOST_SIGNS]
    match act:
        case "say":
            messages.say(services, me, game, _to(), text, form, unsigned=request.form.get("unsigned") == "yes")
        case "note":
            messages.note(services, me, game, text, form)
        case "mute" | "hear":
            muting.mute(services, me, game, request.form.get("seat", "")[:8], act == "mute")


def _to() -> list[str]:
    """Whom a message is for: the form begins with everybody, and who names somebody beside that means them alone."""
    to = request.form.getlist("to")
    return [name for name in to if name != messages.ALL] or to


def record(visit: PageVisit) -> ResponseReturnValue:
    """All that was said and noted in a finished game."""
    then = finished_games.then(visit.services, visit.me.id, visit.game)
    if then is None:
        raise NotFound
    return page(
        visit,
        "record_talk.html",
        called=then.page.frame.table.title,
        said=transcript.record_of(visit.services, visit.game),
        moment=lambda seconds: moment(seconds, visit.zone, visit.language),
    )
