"""Talk at a table, one's diary, and whom one does not hear; and all of it in the record of a finished game."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.common.states import BEGUN, GameState
from pbem.crypto import new_token
from pbem.service.archive import library
from pbem.service.messages import conversations, messages
from pbem.service.messages.messages import MessageRefused
from pbem.service.seats import deputies, spectators
from pbem.web.access import redirect_to
from pbem.web.form_input import is_post, parse_number
from pbem.web.site import PageRequest, render_form, render_page


def conversation(visit: PageRequest) -> ResponseReturnValue:
    """What one may hear at a table, and the forms to say something; every button does one thing."""
    if visit.membership is None or visit.membership.state not in BEGUN:
        raise NotFound
    problem = ""
    if is_post():
        try:
            _apply(visit, request.form.get("act", ""))
            return redirect_to(f"/games/{visit.game}/talk")
        except MessageRefused as refused:
            problem = visit.refusal(refused, "talk.refused")
    shown = conversations.load_conversation(
        visit.services, visit.me.id, visit.game, parse_number(request.args, "before")
    )
    return render_form(
        visit,
        "talk.html",
        shown=shown,
        circles=conversations.with_addresses(visit.services, visit.me.id, visit.game, shown.audiences),
        problem=problem,
        form=new_token(),
        running=visit.membership.state == GameState.RUNNING,
        neighbours=messages.list_mute_options(visit.services, visit.me.id, visit.game),
        watched=not shown.audiences,
        spectators=spectators.load_spectators(visit.services, visit.game),
        deputies=deputies.list_acting(visit.services, visit.game),
        text=request.form.get("text", "") if problem else "",
        older=shown.before,
    )


def _apply(visit: PageRequest, act: str) -> None:
    services, me, game, form = visit.services, visit.me.id, visit.game, request.form.get("form", "")
    text = request.form.get("text", "")[: 4 * messages.MAX_CHARACTERS]
    match act:
        case "say":
            messages.send(
                services, me, game, _audience_of_form(), text, form, unsigned=request.form.get("unsigned") == "yes"
            )
        case "note":
            messages.write_diary(services, me, game, text, form)
        case "mute" | "hear":
            messages.set_muted(services, me, game, request.form.get("seat", "")[:8], act == "mute")


def _audience_of_form() -> list[str]:
    """Whom a message is for: the form begins with everybody, and who names somebody beside that means them alone."""
    to = request.form.getlist("to")
    return [name for name in to if name != messages.ALL] or to


def archived_talk(visit: PageRequest) -> ResponseReturnValue:
    """All that was said and noted in a finished game."""
    then = library.load_entry(visit.services, visit.me.id, visit.game)
    if then is None:
        raise NotFound
    return render_page(
        visit,
        "record_talk.html",
        called=then.page.frame.table.title,
        said=conversations.record_of(visit.services, visit.game),
    )
