"""Tables: one's own, a new one, inviting, joining."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import request
from flask.typing import ResponseReturnValue

from engine.kernel.rules import Meta
from pbem.common.addresses import is_address, normalize
from pbem.crypto import is_token, new_token
from pbem.service.access import users
from pbem.service.access.permissions import find_membership
from pbem.service.base.calendar import EVERY_DAY, POLICIES
from pbem.service.base.services import RequestRefused
from pbem.service.game.clock_state import BOT_PACES
from pbem.service.pages import game_pages
from pbem.service.seats import open_tables, tables
from pbem.service.seats.lobby import withdraw_application
from pbem.web import deadline_form, landing
from pbem.web.access import redirect_to
from pbem.web.form_input import browser_zone, is_post, page_window, parse_number
from pbem.web.site import PageRequest, render_form, render_page

MOST_HOURS = 24 * 60


def home(visit: PageRequest) -> ResponseReturnValue:
    """One's tables, what is owed first; for visitors who are not signed in, what this is."""
    if visit.person is None:
        return landing.welcome(visit)
    if not visit.person.email_verified:
        mine = open_tables.find_game_of_guest(visit.services, visit.person.id)
        return redirect_to(f"/games/{mine}") if mine else landing.welcome(visit)
    shown = game_pages.load_home(visit.services, visit.person.id, page_window())
    return render_page(
        visit,
        "home.html",
        home=shown,
        cards=[_game_card(visit, c) for c in shown.games],
        invited=[_game_card(visit, c) for c in shown.invitations],
    )


def _game_card(visit: PageRequest, card: game_pages.GameCard) -> Mapping[str, object]:
    """A table with what is owed there; questions that are due at one moment stand together."""
    together: dict[tuple[int | None, bool], list[str]] = {}
    for duty in card.questions:
        asks = visit.services.rules(card.rules).meta.topic(duty.topic).words.printed(visit.language)
        together.setdefault((duty.due, duty.is_answered), []).append(asks)
    now = visit.services.now() // 1000
    duties = [
        {
            "asks": ", ".join(asks).capitalize(),
            "due": visit.moment(due) if due is not None else "",
            "left": visit.time_left(due, now) if due is not None else "",
            "answered": answered,
        }
        for (due, answered), asks in together.items()
    ]
    title = visit.services.game_title(card.rules, visit.language)
    picture = landing.picture_of(visit.services.installed.get(card.rules), card.rules)
    return {"card": card, "rules": title, "duties": duties, "picture": picture}


# --- a new table


def new_game(visit: PageRequest) -> ResponseReturnValue:
    """The form for a new table; sent, the table is made and its invitations are noted."""
    metas = game_pages.list_games(visit.services)
    named = request.values.get("game", "")
    meta = next((m for m in metas if m.name == named), metas[0] if len(metas) == 1 else None)
    if not is_post() or meta is None:
        return _render_form(visit, metas, meta, "")
    wrong = _wrong_addresses()
    if wrong:
        return _render_form(visit, metas, meta, visit.translate("refused.address", address=wrong[0][:80])), 422
    form = deadline_form.apply_preset(request.form)
    players, hours = _parse_number(form, "players"), _parse_number(form, "hours")
    if hours is not None and not 0 <= hours <= MOST_HOURS:
        return _render_form(visit, metas, meta, visit.translate("refused.hours", most=MOST_HOURS)), 422
    if len(_parse_addresses()) >= (players or 0):
        return _render_form(
            visit, metas, meta, visit.translate("refused.table_full", free=max(0, (players or 0) - 1))
        ), 422
    return _create_game(visit, metas, meta, players or 0, hours or None, form)


def _create_game(
    visit: PageRequest, metas: Sequence[Meta], meta: Meta, players: int, hours: int | None, form: Mapping[str, str]
) -> ResponseReturnValue:
    if not users.claim_form(visit.services, request.form.get("form", "")):
        return redirect_to("/")
    options = {option.name: request.form.get(f"o.{option.name}", option.default) for option in meta.options}
    name = request.form.get("name", "")
    try:
        days = [day for day in request.form.getlist("days") if day in EVERY_DAY]
        timing = deadline_form.parse(form, days, meta, hours, visit.zone)
        game = tables.create(visit.services, visit.me.id, meta.name, name, players, options, hours, timing)
    except deadline_form.FieldError as wrong:
        return _render_form(
            visit,
            metas,
            meta,
            visit.translate("deadline_form.wrong", field=visit.translate(f"deadline_form.{wrong.name}")),
        ), 422
    except RequestRefused as refused:
        return _render_form(visit, metas, meta, visit.refusal(refused)), 422
    return _invite_all(replace(visit, membership=find_membership(visit.services, visit.me.id, game)))


def _render_form(visit: PageRequest, metas: Sequence[Meta], meta: Meta | None, problem: str) -> str:
    return render_page(
        visit,
        "new_game.html",
        titles=[landing.load_game_type(visit, one) for one in metas],
        meta=meta,
        problem=problem,
        form=new_token(),
        given=request.form,
        most_hours=MOST_HOURS,
        days=EVERY_DAY,
        policies=POLICIES,
        presets=deadline_form.PRESETS,
        preset=request.form.get("preset", deadline_form.CUSTOM_PRESET if is_post() else deadline_form.DEFAULT_PRESET),
        chosen_days=request.form.getlist("days") or list(EVERY_DAY),
    )


def _parse_number(form: Mapping[str, str], name: str) -> int | None:
    """A number of the form; None for an empty field, -1 for anything that is none."""
    return parse_number(form, name, -1) if form.get(name, "").strip() else None


def _parse_addresses() -> list[str]:
    text = request.form.get("addresses", "")
    return list(dict.fromkeys(map(normalize, text.replace(",", " ").replace(";", " ").split())))


def _wrong_addresses() -> list[str]:
    return [address for address in _parse_addresses() if not is_address(address)]


# --- before it begins


def lobby(visit: PageRequest, problem: str = "") -> str:
    """A table that has not begun: who sits there, the options, the digest of the seed."""
    shown = game_pages.load_lobby_page(visit.services, visit.me.id, visit.game)
    listed = open_tables.is_open(visit.services, visit.game)
    link = (
        open_tables.get_link(visit.services, visit.game)
        if visit.membership is not None and visit.membership.host
        else ""
    )
    facts = {"place": visit.membership, "problem": problem, "listed": listed, "paces": BOT_PACES, "link": link}
    return render_page(visit, "lobby.html", table=shown, **facts)


def send_invitations(visit: PageRequest) -> ResponseReturnValue:
    """Invite to the free seats."""
    wrong = _wrong_addresses()
    if wrong:
        return lobby(visit, visit.translate("refused.address", address=wrong[0][:80])), 422
    return _invite_all(visit)


def _invite_all(visit: PageRequest) -> ResponseReturnValue:
    """The table, with its invitations noted, or the reason why they are not."""
    try:
        if _parse_addresses():
            tables.invite(visit.services, visit.game, visit.me.id, _parse_addresses())
    except RequestRefused as refused:
        return lobby(visit, visit.refusal(refused)), 422
    return redirect_to(f"/games/{visit.game}")


def set_open(visit: PageRequest) -> ResponseReturnValue:
    """The host opens their table to everybody here, or closes it again."""
    open_tables.set_open(visit.services, visit.game, request.form.get("open") == "yes")
    return redirect_to(f"/games/{visit.game}")


def open_tables_page(visit: PageRequest, problem: str = "") -> ResponseReturnValue:
    """The tables that look for players; a POST takes a free seat of one, or asks for it, or asks no more."""
    if is_post():
        game = request.form.get("game", "")
        try:
            if request.form.get("act") == "withdraw":
                withdraw_application(visit.services, visit.me.id, game)
            elif open_tables.join_table(visit.services, visit.me.id, game, request.form.get("words", "")):
                return redirect_to(f"/games/{game}")
        except RequestRefused as refused:
            return _render_open_tables(visit, visit.refusal(refused)), 409
        return redirect_to("/tables/open")
    return _render_open_tables(visit, problem)


def _render_open_tables(visit: PageRequest, problem: str) -> str:
    found = open_tables.list_open(visit.services, visit.me.id, page_window())
    return render_page(visit, "open_tables.html", offers=found.rows, onward=found.next_offset, problem=problem)


def accept_invitation(visit: PageRequest) -> ResponseReturnValue:
    """Take the seat to which one is invited."""
    try:
        tables.join_signed_in(visit.services, visit.me.id, visit.game, request.form.get("words", ""))
    except RequestRefused as refused:
        return lobby(visit, visit.refusal(refused)), 409
    return redirect_to(f"/games/{visit.game}")


def join_by_invitation(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The link of an invitation: looking at it does nothing, its button takes the seat."""
    shown = game_pages.load_invitation_page(visit.services, token)
    if shown is None:
        return render_page(visit, "join.html", invitation=None), 404
    problem = ""
    if is_post() and is_token(token):
        try:
            words, name = request.form.get("words", ""), request.form.get("name", "")
            tables.join(visit.services, token, words, name, browser_zone())
        except RequestRefused as refused:
            problem = visit.refusal(refused)
        shown = game_pages.load_invitation_page(visit.services, token) or shown
    game = landing.load_game_type(visit, shown.forming.meta)
    facts = {"invitation": shown, "token": token, "game": game, "given": request.form}
    return render_form(visit, "join.html", problem=problem, **facts, status=409)
