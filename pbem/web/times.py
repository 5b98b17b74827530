"""Pages about time: one's absences and calendar, seats that look for a player, and the timetable of a table."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from flask import request
from flask.typing import ResponseReturnValue

from pbem.common.states import GameState
from pbem.service.base.services import RequestRefused
from pbem.service.deadlines import gate_timing, interruptions
from pbem.service.deadlines.gate_timing import InvalidAbsence
from pbem.service.pages import feeds
from pbem.service.pages.game_summary import load_deadlines
from pbem.service.seats import substitutes
from pbem.web.access import redirect_to
from pbem.web.form_input import is_post, page_window, parse_number
from pbem.web.site import PageRequest, render_form, render_page


def absences_page(visit: PageRequest) -> ResponseReturnValue:
    """When one is away, and the link of one's calendar; every button does one thing."""
    problem, link = "", ""
    if is_post():
        match request.form.get("act", ""):
            case "announce":
                problem = _add_absence(visit)
            case "call_off":
                gate_timing.cancel_absence(visit.services, visit.me.id, parse_number(request.form, "absence"))
            case "calendar":
                token = feeds.create_link(visit.services, visit.me.id, feeds.CALENDAR)
                link = f"{visit.services.public_url}/calendar/{token}.ics"
    away = [
        (number, visit.moment(since // 1000), visit.moment(until // 1000))
        for number, since, until in gate_timing.list_upcoming_absences(visit.services, visit.me.id)
    ]
    return render_form(visit, "absences.html", away=away, problem=problem, link=link)


def _add_absence(visit: PageRequest) -> str:
    """Note an absence of whole days by one's own clocks; the reason why not, or nothing."""
    try:
        first, last = (date.fromisoformat(request.form.get(name, "")) for name in ("first", "last"))
        zone = ZoneInfo(visit.zone)
        begins = datetime.combine(first, time(), zone)
        ends = datetime.combine(last + timedelta(days=1), time(), zone)
        gate_timing.add_absence(
            visit.services,
            visit.me.id,
            int(begins.astimezone(UTC).timestamp()) * 1000,
            int(ends.astimezone(UTC).timestamp()) * 1000,
        )
    except InvalidAbsence as refused:
        return visit.translate(f"time.refused.{refused.code}")
    except (ValueError, OverflowError):
        return visit.translate("time.refused.backwards")
    return ""


def open_seats(visit: PageRequest) -> ResponseReturnValue:
    """Seats that look for a player; the button takes one."""
    problem = note = ""
    if is_post():
        game = request.form.get("game", "")
        try:
            if substitutes.take_over(visit.services, visit.me.id, game, request.form.get("seat", "")):
                return redirect_to(f"/games/{game}")
            note = visit.translate("open.asked")
        except RequestRefused as refused:
            problem = visit.refusal(refused)
    found = substitutes.list_open_seats(visit.services, page_window())
    offers = [(offer, visit.services.game_title(offer.rules, visit.language)) for offer in found.rows]
    return render_form(
        visit, "open_seats.html", offers=offers, onward=found.next_offset, problem=problem, note=note, status=409
    )


def deadlines(visit: PageRequest) -> ResponseReturnValue:
    """The timetable of a table, with the buttons that bear on it."""
    note, link = "", ""
    if is_post():
        act = request.form.get("act", "")
        try:
            if act in (interruptions.PAUSE, interruptions.RESUME):
                note = visit.translate(
                    f"time.wish.{interruptions.request_pause(visit.services, visit.me.id, visit.game, act)}"
                )
            elif act == "give_back" and request.form.get("sure") == "yes":
                substitutes.return_seat(visit.services, visit.me.id, visit.game)
                return redirect_to("/")
            elif act == "feed":
                token = feeds.create_link(visit.services, visit.me.id, feeds.FEED, visit.game)
                link = f"{visit.services.public_url}/feed/{token}.atom"
        except RequestRefused as refused:
            note = visit.translate(f"refused.{refused.code}")
    shown = load_deadlines(visit.services, visit.game, visit.seat)
    return render_page(
        visit,
        "deadlines.html",
        shown=shown,
        note=note,
        link=link,
        running=_is_running(visit),
    )


def _is_running(visit: PageRequest) -> bool:
    return visit.membership is not None and visit.membership.state == GameState.RUNNING
