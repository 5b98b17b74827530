"""The end of a game: who won, how it was counted, one's own story, charts, the file to keep, and the same once more."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.common.states import GameState
from pbem.crypto import new_token
from pbem.service.access import users
from pbem.service.archive.library import load_ending
from pbem.service.base.services import RequestRefused
from pbem.service.resolver import turn_statistics as courses
from pbem.service.seats import game_setup
from pbem.web.access import redirect_to
from pbem.web.charts import figures_of
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest, render_page


def game_over(visit: PageRequest, problem: str = "") -> str:
    """The last page of a game."""
    found = load_ending(visit.services, visit.me.id, visit.game)
    if found is None:
        raise NotFound
    course = courses.load_series(visit.services, visit.game)
    figures = [] if course is None else figures_of(course, visit.language)
    seats = [] if course is None else list(course.rules.labels(course.view, visit.language))
    told = Presenter(visit, found.page.frame, found.page.seen)
    again = visit.membership is not None and visit.membership.is_playing and visit.me.email_verified
    return render_page(
        visit,
        "game_over.html",
        end=found,
        told=told,
        figures=figures,
        order=[seats.index(one.seat) for one in found.placed if one.seat in seats],
        entry=found.page.frame.entry,
        again=again,
        form=new_token(),
        problem=problem,
    )


def create_rematch(visit: PageRequest) -> ResponseReturnValue:
    """A player has the same people asked to a new table; the same form does so once."""
    if visit.membership is None or visit.membership.state != GameState.OVER:
        return redirect_to(f"/games/{visit.game}")
    form = request.form.get("form", "")
    try:
        made = users.run_once_per_form(
            visit.services, form, lambda: game_setup.create_rematch(visit.services, visit.me.id, visit.game)
        )
    except RequestRefused as refused:
        return game_over(visit, visit.refusal(refused)), 409
    return redirect_to(f"/games/{made}" if made else "/")
