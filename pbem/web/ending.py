"""The end of a game: who won, how it was counted, one's own story, charts, the file to keep, and the same once more."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.service.access import people
from pbem.service.base.services import Refused
from pbem.service.play import plots as courses
from pbem.service.records.ending import ending
from pbem.service.seats import rematch
from pbem.states import GameState
from pbem.vault import new_token
from pbem.web.plots import figures_of
from pbem.web.presenter import Presenter
from pbem.web.site import PageVisit, page
from pbem.web.tables import refusal
from pbem.web.visitor import see


def end(visit: PageVisit, problem: str = "") -> str:
    """The last page of a game."""
    found = ending(visit.services, visit.me.id, visit.game)
    if found is None:
        raise NotFound
    course = courses.course(visit.services, visit.game)
    figures = [] if course is None else figures_of(course, visit.language)
    seats = [] if course is None else list(course.rules.called(course.view, visit.language))
    told = Presenter(visit, found.page.frame, found.page.seen)
    again = visit.place is not None and visit.place.plays and not visit.me.guest
    return page(
        visit,
        "end.html",
        end=found,
        told=told,
        figures=figures,
        order=[seats.index(one.seat) for one in found.placed if one.seat in seats],
        entry=found.page.frame.entry,
        again=again,
        form=new_token(),
        problem=problem,
    )


def once_more(visit: PageVisit) -> ResponseReturnValue:
    """A player has the same people asked to a new table; the same form does so once."""
    if visit.place is None or visit.place.state != GameState.OVER:
        return see(f"/games/{visit.game}")
    form = request.form.get("form", "")
    try:
        made = people.once(visit.services, form, lambda: rematch.begin(visit.services, visit.me.id, visit.game))
    except Refused as refused:
        return end(visit, refusal(visit, refused)), 409
    return see(f"/games/{made}" if made else "/")
