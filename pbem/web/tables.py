"""Tables: one's own, a new one, inviting, joining."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import request
from flask.typing import ResponseReturnValue

from engine.kernel.rules import Meta
from pbem.addresses import comparable, is_address
from pbem.service.access import people
from pbem.service.access.permissions import let_in
from pbem.service.base.calendar import EVERY_DAY, POLICIES
from pbem.service.base.services import Refused
from pbem.service.game.bot_marks import PACES
from pbem.service.pages import game_pages
from pbem.service.seats import applications, open_tables, practice, table_links, tables
from pbem.vault import is_token, new_token
from pbem.web import deadline_form, landing, presets
from pbem.web.fields import number, part, sent
from pbem.web.presenter import moment
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see

MOST_HOURS = 24 * 60


def home(visit: PageVisit) -> ResponseReturnValue:
    """One's tables, what is owed first; for visitors who are not signed in, what this is."""
    if visit.person is None:
        return landing.welcome(visit)
    if visit.person.guest:
        mine = practice.table_of(visit.services, visit.person.id)
        return see(f"/games/{mine}") if mine else landing.welcome(visit)
    shown = game_pages.home(visit.services, visit.person.id, part())
    return page(
        visit,
        "home.html",
        home=shown,
        cards=[_card(visit, c) for c in shown.games],
        invited=[_card(visit, c) for c in shown.invitations],
    )


def _card(visit: PageVisit, card: game_pages.Card) -> Mapping[str, object]:
    duties = [
        {
            "asks": visit.services.rules(card.rules).meta.topic(duty.asks).words.printed(visit.language).capitalize(),
            "due": moment(duty.due, visit.zone, visit.language) if duty.due is not None else "",
            "answered": duty.answered,
        }
        for duty in card.duties
    ]
    return {"card": card, "rules": visit.services.called(card.rules, visit.language), "duties": duties}


# --- a new table


def new(visit: PageVisit) -> ResponseReturnValue:
    """The form for a new table; sent, the table is made and its invitations are noted."""
    metas = game_pages.games(visit.services)
    named = request.values.get("game", "")
    meta = next((m for m in metas if m.name == named), metas[0] if len(metas) == 1 else None)
    if not sent() or meta is None:
        return _form(visit, metas, meta, "")
    wrong = _wrong_addresses()
    if wrong:
        return _form(visit, metas, meta, visit.say("refused.address", address=wrong[0][:80])), 422
    form = presets.filled(request.form)
    players, hours = _number(form, "players"), _number(form, "hours")
    if hours is not None and not 0 <= hours <= MOST_HOURS:
        return _form(visit, metas, meta, visit.say("refused.hours", most=MOST_HOURS)), 422
    if len(_addresses()) >= (players or 0):
        return _form(visit, metas, meta, visit.say("refused.table_full", free=max(0, (players or 0) - 1))), 422
    return _make(visit, metas, meta, players or 0, hours or None, form)


def _make(
    visit: PageVisit, metas: Sequence[Meta], meta: Meta, players: int, hours: int | None, form: Mapping[str, str]
) -> ResponseReturnValue:
    if not people.claim(visit.services, request.form.get("form", "")):
        return see("/")
    options = {option.name: request.form.get(f"o.{option.name}", option.default) for option in meta.options}
    name = request.form.get("name", "")
    try:
        days = [day for day in request.form.getlist("days") if day in EVERY_DAY]
        timing = deadline_form.chosen(form, days, meta, hours, visit.zone)
        game = tables.create(visit.services, visit.me.id, meta.name, name, players, options, hours, timing)
    except deadline_form.Wrong as wrong:
        return _form(visit, metas, meta, visit.say("pace.wrong", field=visit.say(f"pace.{wrong.name}"))), 422
    except Refused as refused:
        return _form(visit, metas, meta, refusal(visit, refused)), 422
    return _invited(replace(visit, place=let_in(visit.services, visit.me.id, game)))


def _form(visit: PageVisit, metas: Sequence[Meta], meta: Meta | None, problem: str) -> str:
    return page(
        visit,
        "new.html",
        titles=[landing.title(visit, one) for one in metas],
        meta=meta,
        problem=problem,
        form=new_token(),
        given=request.form,
        most_hours=MOST_HOURS,
        days=EVERY_DAY,
        policies=POLICIES,
        presets=presets.PRESETS,
        preset=request.form.get("preset", presets.OWN if sent() else presets.USUAL),
        chosen_days=request.form.getlist("days") or list(EVERY_DAY),
    )


def _number(form: Mapping[str, str], name: str) -> int | None:
    """A number of the form; None for an empty field, -1 for anything that is none."""
    return number(form, name, -1) if form.get(name, "").strip() else None


def _addresses() -> list[str]:
    text = request.form.get("addresses", "")
    return list(dict.fromkeys(map(comparable, text.replace(",", " ").replace(";", " ").split())))


def _wrong_addresses() -> list[str]:
    return [address for address in _addresses() if not is_address(address)]


def refusal(visit: PageVisit, refused: Refused) -> str:
    """Why something was not done, in words."""
    return visit.say(f"refused.{refused.code}", **refused.terms)


# --- before it begins


def waiting(visit: PageVisit, problem: str = "") -> str:
    """A table that has not begun: who sits there, the options, the digest of the seed."""
    shown = game_pages.forming(visit.services, visit.me.id, visit.game)
    listed = open_tables.is_open(visit.services, visit.game)
    link = table_links.link(visit.services, visit.game) if visit.place is not None and visit.place.host else ""
    facts = {"place": visit.place, "problem": problem, "listed": listed, "paces": PACES, "link": link}
    return page(visit, "forming.html", table=shown, **facts)


def invite(visit: PageVisit) -> ResponseReturnValue:
    """Invite to the free seats."""
    wrong = _wrong_addresses()
    if wrong:
        return waiting(visit, visit.say("refused.address", address=wrong[0][:80])), 422
    return _invited(visit)


def _invited(visit: PageVisit) -> ResponseReturnValue:
    """The table, with its invitations noted, or the reason why they are not."""
    try:
        if _addresses():
            tables.invite(visit.services, visit.game, visit.me.id, _addresses())
    except Refused as refused:
        return waiting(visit, refusal(visit, refused)), 422
    return see(f"/games/{visit.game}")


def publish(visit: PageVisit) -> ResponseReturnValue:
    """The host opens their table to everybody here, or closes it again."""
    open_tables.settle(visit.services, visit.game, request.form.get("open") == "yes")
    return see(f"/games/{visit.game}")


def looking(visit: PageVisit, problem: str = "") -> ResponseReturnValue:
    """The tables that look for players; a POST takes a free seat of one, or asks for it, or asks no more."""
    if sent():
        game = request.form.get("game", "")
        try:
            if request.form.get("act") == "withdraw":
                applications.withdraw(visit.services, visit.me.id, game)
            elif open_tables.join(visit.services, visit.me.id, game, request.form.get("words", "")):
                return see(f"/games/{game}")
        except Refused as refused:
            return _open(visit, refusal(visit, refused)), 409
        return see("/tables/open")
    return _open(visit, problem)


def _open(visit: PageVisit, problem: str) -> str:
    found = open_tables.offers(visit.services, visit.me.id, part())
    return page(visit, "open.html", offers=found.rows, onward=found.onward, problem=problem)


def accept(visit: PageVisit) -> ResponseReturnValue:
    """Take the seat to which one is invited."""
    try:
        tables.join_signed_in(visit.services, visit.me.id, visit.game, request.form.get("words", ""))
    except Refused as refused:
        return waiting(visit, refusal(visit, refused)), 409
    return see(f"/games/{visit.game}")


def join(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The link of an invitation: looking at it does nothing, its button takes the seat."""
    shown = game_pages.invitation(visit.services, token)
    if shown is None:
        return page(visit, "join.html", invitation=None, token="", problem=""), 404
    problem = ""
    if sent() and is_token(token):
        try:
            tables.join(visit.services, token, request.form.get("words", ""), request.form.get("name", ""))
        except Refused as refused:
            problem = refusal(visit, refused)
        shown = game_pages.invitation(visit.services, token) or shown
    game = landing.title(visit, shown.forming.meta)
    answer = page(visit, "join.html", invitation=shown, token=token, problem=problem, game=game)
    return (answer, 409) if problem else answer
