"""Who else is at a table: deputies of those who are away, people who are offered a seat, and spectators."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.common.states import GameState
from pbem.service.base.services import RequestRefused
from pbem.service.deadlines import gate_timing
from pbem.service.resolver import reports
from pbem.service.seats import deputies, seat_offers, spectators
from pbem.web.access import redirect_to
from pbem.web.form_input import is_post, page_window, parse_number
from pbem.web.site import PageRequest, render_form, render_page

DONE: Final[Mapping[str, str]] = {"agree": "agreed", "take": "taken", "decline": "declined"}
"""What comes of each button under a link that asks for a decision."""


def _record_answer(visit: PageRequest, decide: Callable[[bool], object]) -> tuple[str, str]:
    """What the button pressed came to, and why it could not be; empty where none was pressed or nothing is wrong."""
    pressed = request.form.get("act", "") if is_post() else ""
    if pressed not in DONE:
        return "", ""
    try:
        if not decide(pressed != "decline"):
            raise NotFound
    except RequestRefused as refused:
        return "", visit.refusal(refused)
    return DONE[pressed], ""


# --- deputies


def own_deputies(visit: PageRequest) -> ResponseReturnValue:
    """The deputy of one's own seat: named for an absence that was announced, or done without."""
    if visit.membership is None or visit.membership.state != GameState.RUNNING:
        raise NotFound
    problem, services, me = "", visit.services, visit.me.id
    if is_post():
        try:
            if request.form.get("act") == "name":
                deputies.invite(
                    services,
                    me,
                    visit.game,
                    request.form.get("address", "")[:320],
                    parse_number(request.form, "absence"),
                )
            else:
                deputies.cancel(services, me, visit.game, parse_number(request.form, "deputy"))
            return redirect_to(f"/games/{visit.game}/deputy")
        except RequestRefused as refused:
            problem = visit.refusal(refused, "deputy.refused")
    away = [
        (number, visit.moment(since // 1000), visit.moment(until // 1000))
        for number, since, until in gate_timing.list_upcoming_absences(services, me)
    ]
    named = [
        (one, visit.moment(one.starts_at), visit.moment(one.ends_at))
        for one in deputies.list_invited(services, me, visit.game)
    ]
    return render_form(visit, "deputies.html", away=away, named=named, problem=problem)


def answer_deputy_request(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The link by which a deputy agrees to answer for a seat; a button, for scanners follow links."""
    shown = deputies.load_request(visit.services, token)
    if shown is None:
        raise NotFound
    done, problem = _record_answer(visit, lambda yes: deputies.answer(visit.services, token, agrees=yes))
    return render_form(
        visit,
        "deputy.html",
        shown=shown,
        done=done,
        problem=problem,
        since=visit.moment(shown.starts_at),
        until=visit.moment(shown.ends_at),
        status=409,
    )


# --- a seat that a master offers


def answer_seat_offer(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The link by which a person takes the seat that they were offered; a button, for scanners follow links."""
    shown = seat_offers.load_offer(visit.services, token)
    if shown is None:
        raise NotFound
    done, problem = _record_answer(visit, lambda yes: seat_offers.answer(visit.services, token, takes=yes))
    rules = visit.services.game_title(shown.rules, visit.language)
    return render_form(
        visit,
        "seat_offer.html",
        shown=shown,
        rules=rules,
        done=done,
        problem=problem,
        until=visit.moment(shown.expires_at),
        status=409,
    )


# --- spectators


def followed_games(visit: PageRequest) -> ResponseReturnValue:
    """The tables that one watches, and those that anybody may watch."""
    problem = ""
    if is_post():
        game = request.form.get("game", "")[:12]
        try:
            if request.form.get("act") == "leave":
                spectators.unfollow(visit.services, visit.me.id, game)
                return redirect_to("/spectating")
            if request.form.get("act") in ("letters", "silence"):
                reports.subscribe_spectator(visit.services, visit.me.id, game, request.form["act"] == "letters")
                return redirect_to("/spectating")
            spectators.follow(visit.services, visit.me.id, game)
            return redirect_to(f"/games/{game}/table")
        except RequestRefused as refused:
            problem = visit.refusal(refused, "spectating.refused")
    looking, free = spectators.list_followed(visit.services, visit.me.id, page_window())
    shown = {
        "looking": _with_titles(visit, looking),
        "free": _with_titles(visit, free.rows),
        "onward": free.next_offset,
    }
    return render_form(visit, "spectating.html", **shown, problem=problem, status=409)


def _with_titles(
    visit: PageRequest, found: Sequence[spectators.FollowedGame]
) -> list[tuple[spectators.FollowedGame, str]]:
    return [(sight, visit.services.game_title(sight.rules, visit.language)) for sight in found]


def unfollow_by_link(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The link at the foot of a spectator's letter ends those of its table; a mail program may send the POST itself."""
    found = reports.find_spectator_by_link(visit.services, token)
    if found is None:
        raise NotFound
    if is_post():
        reports.unsubscribe_spectator(visit.services, token)
    reader = PageRequest(visit.site, None, found[1])
    return render_page(reader, "unfollow.html", table=found[0], done=is_post())


def spectators_page(visit: PageRequest) -> ResponseReturnValue:
    """The spectators of a table; its host invites others."""
    problem = ""
    if is_post():
        try:
            spectators.invite(visit.services, visit.me.id, visit.game, request.form.get("address", "")[:320])
            return redirect_to(f"/games/{visit.game}/spectators")
        except RequestRefused as refused:
            problem = visit.refusal(refused, "spectating.refused")
    return render_form(
        visit, "spectators.html", names=spectators.load_spectators(visit.services, visit.game), problem=problem
    )
