"""Who else is at a table: deputies of those who are away, people who are offered a seat, and spectators."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.service.base.services import Refused
from pbem.service.play import spectator_letters
from pbem.service.seats import deputies, seat_offers, spectators
from pbem.service.time import absences
from pbem.states import GameState
from pbem.web.fields import number, part, sent
from pbem.web.presenter import moment
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see

DONE: Final[Mapping[str, str]] = {"agree": "agreed", "take": "taken", "decline": "declined"}
"""What comes of each button under a link that asks for a decision."""


def _moment(visit: PageVisit, seconds: int) -> str:
    return moment(seconds, visit.zone, visit.language)


def _decided(visit: PageVisit, decide: Callable[[bool], object]) -> tuple[str, str]:
    """What the button pressed came to, and why it could not be; empty where none was pressed or nothing is wrong."""
    pressed = request.form.get("act", "") if sent() else ""
    if pressed not in DONE:
        return "", ""
    try:
        if not decide(pressed != "decline"):
            raise NotFound
    except Refused as refused:
        return "", visit.say(f"refused.{refused.code}", **refused.terms)
    return DONE[pressed], ""


# --- deputies


def own(visit: PageVisit) -> ResponseReturnValue:
    """The deputy of one's own seat: named for an absence that was announced, or done without."""
    if visit.place is None or visit.place.state != GameState.RUNNING:
        raise NotFound
    problem, services, me = "", visit.services, visit.me.id
    if sent():
        try:
            if request.form.get("act") == "name":
                deputies.name(
                    services, me, visit.game, request.form.get("address", "")[:320], number(request.form, "absence")
                )
            else:
                deputies.call_off(services, me, visit.game, number(request.form, "deputy"))
            return see(f"/games/{visit.game}/deputy")
        except Refused as refused:
            problem = visit.say(f"deputy.refused.{refused.code}", **refused.terms)
    away = [
        (number, _moment(visit, since // 1000), _moment(visit, until // 1000))
        for number, since, until in absences.announced(services, me)
    ]
    named = [
        (one, _moment(visit, one.since), _moment(visit, one.until)) for one in deputies.named(services, me, visit.game)
    ]
    answer = page(visit, "deputies.html", away=away, named=named, problem=problem)
    return (answer, 422) if problem else answer


def deputy_link(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The link by which a deputy agrees to answer for a seat; a button, for scanners follow links."""
    shown = deputies.request_of(visit.services, token)
    if shown is None:
        raise NotFound
    done, problem = _decided(visit, lambda yes: deputies.decide(visit.services, token, agrees=yes))
    answer = page(
        visit,
        "deputy.html",
        shown=shown,
        done=done,
        problem=problem,
        since=_moment(visit, shown.since),
        until=_moment(visit, shown.until),
    )
    return (answer, 409) if problem else answer


# --- a seat that a master offers


def seat_link(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The link by which a person takes the seat that they were offered; a button, for scanners follow links."""
    shown = seat_offers.offer_of(visit.services, token)
    if shown is None:
        raise NotFound
    done, problem = _decided(visit, lambda yes: seat_offers.decide(visit.services, token, takes=yes))
    rules = visit.services.called(shown.rules, visit.language)
    answer = page(
        visit, "offer.html", shown=shown, rules=rules, done=done, problem=problem, until=_moment(visit, shown.until)
    )
    return (answer, 409) if problem else answer


# --- spectators


def watched_tables(visit: PageVisit) -> ResponseReturnValue:
    """The tables that one watches, and those that anybody may watch."""
    problem = ""
    if sent():
        game = request.form.get("game", "")[:12]
        try:
            if request.form.get("act") == "leave":
                spectators.leave(visit.services, visit.me.id, game)
                return see("/watch")
            if request.form.get("act") in ("letters", "silence"):
                spectator_letters.want(visit.services, visit.me.id, game, request.form["act"] == "letters")
                return see("/watch")
            spectators.watch(visit.services, visit.me.id, game)
            return see(f"/games/{game}/table")
        except Refused as refused:
            problem = visit.say(f"watch.refused.{refused.code}", **refused.terms)
    looking, free = spectators.watched_tables(visit.services, visit.me.id, part())
    shown = {"looking": _titled(visit, looking), "free": _titled(visit, free.rows), "onward": free.onward}
    answer = page(visit, "watch.html", **shown, problem=problem)
    return (answer, 409) if problem else answer


def _titled(visit: PageVisit, found: Sequence[spectators.WatchedTable]) -> list[tuple[spectators.WatchedTable, str]]:
    return [(sight, visit.services.called(sight.rules, visit.language)) for sight in found]


def unwatched(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The link at the foot of a spectator's letter ends those of its table; a mail program may send the POST itself."""
    found = spectator_letters.ends(visit.services, token)
    if found is None:
        raise NotFound
    if sent():
        spectator_letters.end(visit.services, token)
    reader = PageVisit(visit.site, None, found[1])
    return page(reader, "spectator.html", table=found[0], done=sent())


def watchers(visit: PageVisit) -> ResponseReturnValue:
    """The spectators of a table; its host invites others."""
    problem = ""
    if sent():
        try:
            spectators.invite(visit.services, visit.me.id, visit.game, request.form.get("address", "")[:320])
            return see(f"/games/{visit.game}/watchers")
        except Refused as refused:
            problem = visit.say(f"watch.refused.{refused.code}", **refused.terms)
    answer = page(visit, "watchers.html", names=spectators.spectators_of(visit.services, visit.game), problem=problem)
    return (answer, 422) if problem else answer
