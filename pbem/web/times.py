"""Pages about time: one's absences and calendar, seats that look for a player, and the timetable of a table."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from flask import request
from flask.typing import ResponseReturnValue

from pbem.service.base.services import Refused
from pbem.service.pages import feeds
from pbem.service.seats import substitutes
from pbem.service.time import absences, pauses
from pbem.service.time.absences import NotAnAbsence
from pbem.service.time.timetable import timetable
from pbem.states import GameState
from pbem.web.fields import number, part, sent
from pbem.web.presenter import moment
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see


def mine(visit: PageVisit) -> ResponseReturnValue:
    """When one is away, and the link of one's calendar; every button does one thing."""
    problem, link = "", ""
    if sent():
        match request.form.get("act", ""):
            case "announce":
                problem = _announce(visit)
            case "call_off":
                absences.call_off(visit.services, visit.me.id, number(request.form, "absence"))
            case "calendar":
                token = feeds.new_link(visit.services, visit.me.id, feeds.CALENDAR)
                link = f"{visit.services.public_url}/calendar/{token}.ics"
    away = [
        (number, moment(since // 1000, visit.zone, visit.language), moment(until // 1000, visit.zone, visit.language))
        for number, since, until in absences.announced(visit.services, visit.me.id)
    ]
    answer = page(visit, "time.html", away=away, problem=problem, link=link)
    return (answer, 422) if problem else answer


def _announce(visit: PageVisit) -> str:
    """Note an absence of whole days by one's own clocks; the reason why not, or nothing."""
    try:
        first, last = (date.fromisoformat(request.form.get(name, "")) for name in ("first", "last"))
        zone = ZoneInfo(visit.zone)
        begins = datetime.combine(first, time(), zone)
        ends = datetime.combine(last + timedelta(days=1), time(), zone)
        absences.announce(
            visit.services,
            visit.me.id,
            int(begins.astimezone(UTC).timestamp()) * 1000,
            int(ends.astimezone(UTC).timestamp()) * 1000,
        )
    except NotAnAbsence as refused:
        return visit.say(f"time.refused.{refused.code}")
    except (ValueError, OverflowError):
        return visit.say("time.refused.backwards")
    return ""


def open_seats(visit: PageVisit) -> ResponseReturnValue:
    """Seats that look for a player; the button takes one."""
    problem = note = ""
    if sent():
        game = request.form.get("game", "")
        try:
            if substitutes.take_over(visit.services, visit.me.id, game, request.form.get("seat", "")):
                return see(f"/games/{game}")
            note = visit.say("open.asked")
        except Refused as refused:
            problem = visit.say(f"refused.{refused.code}", **refused.terms)
    found = substitutes.offers(visit.services, part())
    offers = [(offer, visit.services.called(offer.rules, visit.language)) for offer in found.rows]
    answer = page(visit, "seats.html", offers=offers, onward=found.onward, problem=problem, note=note)
    return (answer, 409) if problem else answer


def table(visit: PageVisit) -> ResponseReturnValue:
    """The timetable of a table, with the buttons that bear on it."""
    note, link = "", ""
    if sent():
        act = request.form.get("act", "")
        try:
            if act in (pauses.PAUSE, pauses.RESUME):
                note = visit.say(f"time.wish.{pauses.ask(visit.services, visit.me.id, visit.game, act)}")
            elif act == "give_back" and request.form.get("sure") == "yes":
                substitutes.give_back(visit.services, visit.me.id, visit.game)
                return see("/")
            elif act == "feed":
                token = feeds.new_link(visit.services, visit.me.id, feeds.FEED, visit.game)
                link = f"{visit.services.public_url}/feed/{token}.atom"
        except Refused as refused:
            note = visit.say(f"refused.{refused.code}")
    shown = timetable(visit.services, visit.game, visit.seat)
    return page(
        visit,
        "timetable.html",
        shown=shown,
        note=note,
        link=link,
        running=_running(visit),
        moment=lambda seconds: moment(seconds, visit.zone, visit.language),
    )


def _running(visit: PageVisit) -> bool:
    return visit.place is not None and visit.place.state == GameState.RUNNING
