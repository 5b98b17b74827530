"""A table that forms: its link, its bots, its invitations, and giving it up; and the page that the link leads to."""

from collections.abc import Callable, Mapping

from flask import request
from flask.typing import ResponseReturnValue

from pbem.service.base.services import Refused
from pbem.service.seats import bots, table_links, tables
from pbem.web import auth, landing, rates
from pbem.web.fields import number, sent
from pbem.web.site import PageVisit, page, remember
from pbem.web.tables import refusal, waiting
from pbem.web.visitor import see


def act(visit: PageVisit) -> ResponseReturnValue:
    """What a host does with a table that forms, by the button that was pressed."""
    wanted, seat = request.form.get("act", ""), request.form.get("seat", "")
    services, game, me = visit.services, visit.game, visit.me.id
    acts: Mapping[str, Callable[[], None]] = {
        "bots": lambda: bots.seat(services, game, me, request.form.get("pace", ""), number(request.form, "count", 1)),
        "no_bot": lambda: bots.unseat(services, game, me, seat),
        "link": lambda: table_links.make(services, game, me),
        "no_link": lambda: table_links.end(services, game, me),
        "again": lambda: tables.invite_again(services, game, me, seat),
        "uninvite": lambda: tables.uninvite(services, game, me, seat),
        "cancel": lambda: tables.cancel(services, game, me),
    }
    try:
        if wanted in acts:
            acts[wanted]()
    except Refused as refused:
        return waiting(visit, refusal(visit, refused)), 422
    return see("/" if wanted == "cancel" else f"/games/{game}")


def by_link(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The link of a table: looking at it does nothing, its button takes a seat, and signs in who is new here."""
    shown = table_links.look(visit.services, token)
    if shown is None:
        return page(visit, "table_link.html", table=None, token="", problem="", mailed=False), 404
    signed = visit.person is not None and not visit.person.guest
    if not signed:
        remember(request.path)
    problem, mailed = "", False
    if sent():
        try:
            if signed:
                return see(f"/games/{table_links.sit_down(visit.services, token, visit.me.id, _words())}")
            found = _come(visit, token)
            if found is not None:
                auth.begin(visit, found[1], proved=False)
                return see(f"/games/{found[0]}")
            mailed = True
        except Refused as refused:
            problem = refusal(visit, refused)
    facts = {"table": shown, "game": landing.title(visit, shown.meta), "signed": signed}
    answer = page(visit, "table_link.html", token=token, problem=problem, mailed=mailed, **facts)
    return (answer, 409) if problem else answer


def _words() -> str:
    return request.form.get("words", "")


def _come(visit: PageVisit, token: str) -> tuple[str, int] | None:
    address, name = request.form.get("address", ""), request.form.get("name", "")
    return table_links.come(visit.services, token, address, name, _words(), visit.language, rates.line())
