"""What the server keeps of a person: all of it as a file, another address for it, or nothing any more."""

from typing import Final

from flask import Response, request
from flask.typing import ResponseReturnValue

from pbem.service.base import keeping
from pbem.service.base.services import Refused
from pbem.service.pages import kept
from pbem.service.seats import being_forgotten, changing_address
from pbem.web.fields import sent
from pbem.web.site import PageVisit, page

ROWS: Final = ("address", "letters", "passing", "orders", "views", "talk", "links", "ended", "logs", "copies")
"""In the order of the table; their words are in the catalogue."""
SPANS: Final = {"days": keeping.DONE_DAYS, "reply": keeping.REPLY_DAYS}


def table(visit: PageVisit) -> ResponseReturnValue:
    """What is kept of everybody, a row each."""
    return page(visit, "kept.html", rows=ROWS, spans=SPANS)


def file(visit: PageVisit) -> ResponseReturnValue:
    """What is kept of this person."""
    answer = Response(kept.file(visit.services, visit.me.id), mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="pbem.json"'
    return answer


def address(visit: PageVisit) -> ResponseReturnValue:
    """Ask for another address; the answer is the same whoever has it."""
    written, problem = request.form.get("address", ""), ""
    if sent():
        try:
            changing_address.ask(visit.services, visit.me.id, written)
        except Refused as refused:
            problem = visit.say(f"refused.{refused.code}", **refused.terms)
    answer = page(visit, "address.html", asked=sent() and not problem, problem=problem, written=written)
    return (answer, 422) if problem else answer


def move(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The link at one end of a change of address: looking does nothing, its button agrees."""
    outcome = changing_address.agree(visit.services, token) if sent() else ""
    change = changing_address.look(visit.services, token) if not outcome else None
    answer = page(visit, "move.html", outcome=outcome, change=change)
    return answer if outcome or change else (answer, 410 if sent() else 200)


def forget(visit: PageVisit) -> ResponseReturnValue:
    """What being forgotten means, and a letter that asks once more."""
    problem = ""
    if sent():
        try:
            being_forgotten.ask(visit.services, visit.me.id)
        except Refused as refused:
            problem = visit.say(f"refused.{refused.code}", **refused.terms)
    leaving = being_forgotten.is_leaving(visit.services, visit.me.id)
    answer = page(visit, "forget.html", asked=sent() and not problem, problem=problem, leaving=leaving)
    return (answer, 422) if problem else answer


def forgotten(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The link of that letter: looking does nothing, its button is the last word."""
    if not sent():
        return page(visit, "forgotten.html", outcome="", good=being_forgotten.is_good(visit.services, token))
    done = being_forgotten.agree(visit.services, token)
    outcome = "" if done is None else "done" if done else "waits"
    reader = PageVisit(visit.site, None, visit.language)
    answer = page(reader, "forgotten.html", outcome=outcome, good=False)
    return answer if outcome else (answer, 410)
